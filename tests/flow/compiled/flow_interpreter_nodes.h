// flow_interpreter_nodes.h: what nodes with events do, for flow_interpreter.h. From docs/flow_nodes.md.
#pragma once
#include "flow/compiled/flow_interpreter.h"

#include <math.h>

static inline bool is_way_linked(interpreter *t, const source_node *n, uint32_t out) {
    targets found;
    follow_number(t, n, out, &found);
    return found.count > 0;
}

// Goes on in all ways of `wanted` that are linked, the last of which the caller follows.
static inline int run_ways(interpreter *t, const source_node *n, uint32_t wanted, uint32_t count) {
    int last = NO_EVENT;
    for (uint32_t i = 0; i < count; ++i) {
        if (!(wanted >> i & 1) || !is_way_linked(t, n, i))
            continue;
        if (last != NO_EVENT && !fire(t, n, (uint32_t)last))
            return NO_EVENT;
        last = (int)i;
    }
    return last;
}

static inline bool values_same(const source_value *a, const source_value *b) {
    if (a->type != b->type)
        return false;
    switch (a->type) {
    case CT_FLOW_TYPE_BOOL:
        return a->is_true == b->is_true;
    case CT_FLOW_TYPE_NUMBER:
        return a->number == b->number;
    case CT_FLOW_TYPE_VECTOR3:
        return floats_alike(a->floats, b->floats, 3, 1);
    case CT_FLOW_TYPE_QUATERNION:
        return floats_alike(a->floats, b->floats, 4, 1);
    case CT_FLOW_TYPE_STRING:
        return strcmp(a->text, b->text) == 0;
    default:
        return a->id == b->id; // also two that are not there
    }
}

static inline int run_for(interpreter *t, const source_node *n, source_state *s,
                          const source_value *inputs) {
    const double start = inputs[0].number, end = inputs[1].number, increment = inputs[2].number;
    if (increment == 0 || isnan(increment))
        return 1;
    for (double pass = 0;; pass += 1) {
        const double value = start + pass * increment;
        if (increment > 0 ? !(value <= end) : !(value >= end))
            return 1;
        if (++t->num_steps > MOST_STEPS) {
            cut_event(t);
            return NO_EVENT;
        }
        s->outputs[0] = value_number(value);
        if (!fire(t, n, 0))
            return NO_EVENT;
    }
}

static inline int run_while(interpreter *t, const source_node *n, source_state *s,
                            source_value *inputs) {
    double passes = 0;
    while (inputs[0].is_true) {
        if (++t->num_steps > MOST_STEPS) {
            cut_event(t);
            return NO_EVENT;
        }
        s->outputs[0] = value_number(passes);
        passes += 1;
        if (!fire(t, n, 0))
            return NO_EVENT;
        read_inputs(t, n, inputs);
    }
    s->outputs[0] = value_number(passes);
    return 1;
}

static inline void start_waiting(interpreter *t, source_state *s, double seconds) {
    s->has_started = true;
    s->left = seconds;
    if (s->is_stopped)
        return;
    wait_for(t, s, 0, seconds);
    s->last_due = s->due[0];
}

static inline int run_source_timer(interpreter *t, source_state *s, uint32_t event,
                                   const source_value *inputs) {
    const double seconds = inputs[0].number;
    if (event == IS_OVER) {
        s->outputs[1].number += 1;
        s->has_started = false;
        if (inputs[1].is_true) // from where the last time ended
            start_waiting(t, s, seconds >= 0 ? fmax(s->last_due + seconds - t->now, 0) : seconds);
        return 0;
    }
    if (event == 2 && !s->is_stopped) { // disable
        s->left = fmax(s->due[0] - t->now, 0);
        s->is_stopped = true;
        s->due[0] = 0;
    }
    if (event == 1 && s->is_stopped) { // enable
        s->is_stopped = false;
        if (s->has_started)
            start_waiting(t, s, s->left);
    }
    s->outputs[0] = value_bool(!s->is_stopped);
    if (event == 0) {
        s->outputs[1] = value_number(0);
        start_waiting(t, s, seconds);
    }
    return NO_EVENT;
}

static inline int run_source_delay(interpreter *t, source_state *s, uint32_t event,
                                   const source_value *inputs) {
    uint32_t slot = 0;
    if (event == IS_OVER)
        return 0;
    while (slot < 8 && s->due[slot] > 0)
        ++slot;
    if (slot < 8)
        wait_for(t, s, slot, inputs[0].number);
    return NO_EVENT;
}

static inline int run_source_relay(source_state *s, uint32_t event) {
    if (event > 0) // enable, disable, toggle
        s->is_on = event == 1 ? false : event == 2 ? true : !s->is_on;
    s->outputs[0] = value_bool(!s->is_on);
    return event == 0 && !s->is_on ? 0 : NO_EVENT;
}

static inline int run_source_counter(source_state *s, uint32_t event, const source_value *inputs) {
    if (!s->has_started || event == 2) // reset
        s->value = inputs[0].number;
    s->has_started = true;
    if (event < 2)
        s->value = event == 0 ? s->value + inputs[1].number : s->value - inputs[1].number;
    s->outputs[0] = value_number(s->value);
    return 0;
}

// By chance: the way that the engine went, which must be one that is linked.
static inline int run_source_randomize(interpreter *t, const source_node *n, const traced_node *r) {
    if (r->out == UINT32_MAX) {
        for (uint32_t i = 0; i < 8; ++i)
            assert_false(is_way_linked(t, n, i));
        return NO_EVENT;
    }
    assert_true(r->out < 8 && is_way_linked(t, n, r->out));
    return (int)r->out;
}

static inline int run_numbers_compared(interpreter *t, const source_node *n, double a, double b) {
    const bool ways[] = {a<b, a <= b, a == b, a >= b, a> b};
    uint32_t wanted = 0;
    for (uint32_t i = 0; i < CT_COUNT_OF(ways); ++i)
        wanted |= (uint32_t)ways[i] << i;
    return run_ways(t, n, wanted, CT_COUNT_OF(ways));
}

// Returns the number of the event out that goes on, or NO_EVENT.
static inline int run_node(interpreter *t, source_node *n, uint32_t event,
                           const source_value *inputs, const traced_node *r) {
    source_state *const s = &n->states[t->instance];
    source_value again[MOST_INPUTS];
    const bool was_on = s->is_on;
    if (n->type->role == CT_FLOW_ROLE_SET_VARIABLE) {
        *variable_place(t, n, inputs[0].type) = inputs[0];
        return 0;
    }
    if (n->type->role == CT_FLOW_ROLE_GRAPH_EVENT_OUT || is_named(n, "level_event"))
        return NO_EVENT;
    if (n->type->kind == CT_FLOW_NODE_ENTRY)
        return 0;
    if (is_named(n, "branch"))
        return inputs[0].is_true ? 0 : 1;
    if (is_named(n, "compare_numerics"))
        return run_numbers_compared(t, n, inputs[0].number, inputs[1].number);
    if (is_named(n, "compare_objects"))
        return values_same(&inputs[0], &inputs[1]) ? 0 : 1;
    if (is_named(n, "sequence"))
        return run_ways(t, n, 0xff, 8);
    if (is_named(n, "randomize"))
        return run_source_randomize(t, n, r);
    if (is_named(n, "once")) {
        s->is_on = true;
        return was_on ? NO_EVENT : 0;
    }
    if (is_named(n, "toggle")) {
        s->is_on = !was_on;
        return was_on ? 1 : 0;
    }
    if (is_named(n, "relay"))
        return run_source_relay(s, event);
    if (is_named(n, "counter"))
        return run_source_counter(s, event, inputs);
    if (is_named(n, "for_loop"))
        return run_for(t, n, s, inputs);
    if (is_named(n, "while_loop")) {
        again[0] = inputs[0];
        return run_while(t, n, s, again);
    }
    if (is_named(n, "delay"))
        return run_source_delay(t, s, event, inputs);
    if (is_named(n, "timer"))
        return run_source_timer(t, s, event, inputs);
    if (is_named(n, "run_test"))
        return fire(t, n, 0) && fire(t, n, 1) ? 2 : NO_EVENT;
    fail_msg("%s is not known", n->type->name);
    return NO_EVENT;
}
