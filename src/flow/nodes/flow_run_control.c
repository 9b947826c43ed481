// Flow Control: the order of events.
#include <math.h>

#include "flow/nodes/flow_functions.h"
#include "flow/nodes/flow_values.h"
#include "resource/types/flow/flow_node_states.h"

enum { NUM_WAYS = 8 }; // events out of sequence and randomize

// Whether an event has come an odd number of times, or at all, or the node is off.
typedef struct switch_state {
    uint32_t is_on;
    uint32_t padding;
} switch_state;

typedef struct counter_state {
    double value;
    uint32_t has_started;
    uint32_t padding;
} counter_state;

typedef struct timer_state {
    ct_flow_wait_state wait;
    double left; // seconds, while it is stopped
    uint32_t is_stopped;
    uint32_t has_started; // and has not ended
    double due;           // of the last wait
} timer_state;

_Static_assert(sizeof(ct_flow_wait_state) == CT_FLOW_WAIT_STATE_BYTES, "as the table says");
_Static_assert(sizeof(timer_state) == CT_FLOW_TIMER_STATE_BYTES, "as the table says");
_Static_assert(sizeof(counter_state) == CT_FLOW_COUNTER_STATE_BYTES, "as the table says");
_Static_assert(sizeof(switch_state) == CT_FLOW_SWITCH_STATE_BYTES, "as the table says");

// --- Choices -------------------------------------------------------------------------------------

static uint32_t run_branch(ct_flow_call *c, uint32_t event) {
    (void)event;
    return ct_flow_bool(c, 0) ? 0 : 1;
}

static bool is_linked(const ct_flow_call *c, uint32_t event_out) {
    return c->node->slots[c->node->first_event + event_out] != CT_FLOW_NONE;
}

// Starts those of `count` events out of which `is_wanted` has a bit, in their order.
static uint32_t fire_all(ct_flow_call *c, uint32_t is_wanted, uint32_t count) {
    uint32_t last = CT_FLOW_STOP;
    for (uint32_t i = 0; i < count; ++i) {
        if (!(is_wanted >> i & 1) || !is_linked(c, i))
            continue;
        if (last != CT_FLOW_STOP && !ct_flow_fire(c, last))
            return CT_FLOW_STOP;
        last = i;
    }
    return last;
}

static uint32_t run_compare_numerics(ct_flow_call *c, uint32_t event) {
    const double a = ct_flow_number(c, 0), b = ct_flow_number(c, 1);
    const uint32_t ways = (uint32_t)(a < b) | (uint32_t)(a <= b) << 1 | (uint32_t)(a == b) << 2 |
                          (uint32_t)(a >= b) << 3 | (uint32_t)(a > b) << 4;
    (void)event;
    return fire_all(c, ways, 5);
}

static uint32_t run_compare_objects(ct_flow_call *c, uint32_t event) {
    (void)event;
    return ct_flow_inputs_equal(c, 0, 1) ? 0 : 1;
}

static uint32_t run_sequence(ct_flow_call *c, uint32_t event) {
    (void)event;
    return fire_all(c, (1u << NUM_WAYS) - 1, NUM_WAYS);
}

static uint32_t run_randomize(ct_flow_call *c, uint32_t event) {
    uint32_t ways[NUM_WAYS], count = 0;
    (void)event;
    for (uint32_t i = 0; i < NUM_WAYS; ++i) {
        if (is_linked(c, i))
            ways[count++] = i;
    }
    return count ? ways[(uint32_t)(ct_flow_random(c) * count)] : CT_FLOW_STOP;
}

// --- Switches ------------------------------------------------------------------------------------

static uint32_t run_once(ct_flow_call *c, uint32_t event) {
    switch_state *const state = ct_flow_state(c);
    const bool is_first = !state->is_on;
    (void)event;
    state->is_on = 1;
    return is_first ? 0 : CT_FLOW_STOP;
}

static uint32_t run_toggle(ct_flow_call *c, uint32_t event) {
    switch_state *const state = ct_flow_state(c);
    const uint32_t way = state->is_on ? 1 : 0;
    (void)event;
    state->is_on = !way;
    return way;
}

// On is disabled.
static uint32_t run_relay(ct_flow_call *c, uint32_t event) {
    enum { IN, ENABLE, DISABLE, TOGGLE };
    switch_state *const state = ct_flow_state(c);
    if (event == ENABLE)
        state->is_on = 0;
    if (event == DISABLE)
        state->is_on = 1;
    if (event == TOGGLE)
        state->is_on = !state->is_on;
    ct_flow_set_bool(c, 0, !state->is_on);
    return event == IN && !state->is_on ? 0 : CT_FLOW_STOP;
}

static uint32_t run_counter(ct_flow_call *c, uint32_t event) {
    enum { INCREASE, DECREASE, RESET };
    counter_state *const state = ct_flow_state(c);
    if (!state->has_started || event == RESET)
        state->value = ct_flow_number(c, 0);
    state->has_started = 1;
    if (event == INCREASE)
        state->value += ct_flow_number(c, 1);
    if (event == DECREASE)
        state->value -= ct_flow_number(c, 1);
    ct_flow_set_number(c, 0, state->value);
    return 0;
}

// --- Loops ---------------------------------------------------------------------------------------

enum { LOOP_BODY, COMPLETED };

// The bounds are those of the start, whatever the body changes.
static bool run_passes(ct_flow_call *c, double start, double end, double increment) {
    for (double i = 0;; i += 1) {
        const double value = start + i * increment;
        if (increment > 0 ? !(value <= end) : !(value >= end))
            return true;
        if (!ct_flow_count_pass(c))
            return false;
        ct_flow_set_number(c, 0, value);
        if (!ct_flow_fire(c, LOOP_BODY))
            return false;
    }
}

static uint32_t run_for_loop(ct_flow_call *c, uint32_t event) {
    const double increment = ct_flow_number(c, 2);
    (void)event;
    if (!(increment < 0) && !(increment > 0)) {
        ct_flow_error(c, "found an increment of %g; expected one that is not 0", increment);
        return COMPLETED;
    }
    const uint32_t outer = ct_flow_begin_loop(c);
    if (!run_passes(c, ct_flow_number(c, 0), ct_flow_number(c, 1), increment))
        return CT_FLOW_STOP;
    ct_flow_end_loop(c, outer);
    return COMPLETED;
}

static uint32_t run_while_loop(ct_flow_call *c, uint32_t event) {
    (void)event;
    const uint32_t outer = ct_flow_begin_loop(c);
    double count = 0;
    for (; ct_flow_bool(c, 0); ct_flow_run_pures(c)) {
        if (!ct_flow_count_pass(c))
            return CT_FLOW_STOP;
        ct_flow_set_number(c, 0, count);
        count += 1;
        if (!ct_flow_fire(c, LOOP_BODY))
            return CT_FLOW_STOP;
    }
    ct_flow_set_number(c, 0, count);
    ct_flow_end_loop(c, outer);
    return COMPLETED;
}

// --- Time ----------------------------------------------------------------------------------------

enum { IS_OVER = 16 }; // an event that no slot has: what was waited for

static uint32_t run_delay(ct_flow_call *c, uint32_t event) {
    const ct_flow_wait_state *const state = ct_flow_state(c);
    if (event == IS_OVER)
        return 0;
    uint32_t slot = 0;
    while (slot < CT_COUNT_OF(state->due) && state->due[slot] > 0)
        ++slot;
    if (slot < CT_COUNT_OF(state->due))
        ct_flow_wait(c, slot, ct_flow_number(c, 0), IS_OVER);
    else
        ct_flow_error(c, "%u events wait already; this one is lost", slot);
    return CT_FLOW_STOP;
}

static void start_timer(ct_flow_call *c, timer_state *state, double seconds) {
    state->has_started = 1;
    state->left = seconds;
    if (state->is_stopped)
        return;
    ct_flow_wait(c, 0, seconds, IS_OVER);
    state->due = state->wait.due[0];
}

// The next time begins where the last one ended, so that it does not depend on the steps of the world.
static uint32_t end_timer(ct_flow_call *c, timer_state *state) {
    const double seconds = ct_flow_number(c, 0);
    ct_flow_set_number(c, 1, ct_flow_output(c, 1)->number + 1);
    state->has_started = 0;
    if (ct_flow_bool(c, 1)) {
        const double left = state->due + seconds - ct_world_time(ct_flow_call_world(c));
        start_timer(c, state, seconds >= 0 ? fmax(left, 0) : seconds);
    }
    return 0;
}

static uint32_t run_timer(ct_flow_call *c, uint32_t event) {
    enum { IN, ENABLE, DISABLE };
    timer_state *const state = ct_flow_state(c);
    const double now = ct_world_time(ct_flow_call_world(c));
    const double seconds = ct_flow_number(c, 0); // before the outputs change, which it may be
    if (event == IS_OVER)
        return end_timer(c, state);
    if (event == DISABLE && !state->is_stopped) {
        state->left = fmax(state->wait.due[0] - now, 0);
        state->is_stopped = 1;
        ct_flow_stop_waiting(c, 0);
    }
    if (event == ENABLE && state->is_stopped) {
        state->is_stopped = 0;
        if (state->has_started)
            start_timer(c, state, state->left);
    }
    ct_flow_set_bool(c, 0, !state->is_stopped);
    if (event == IN) {
        ct_flow_set_number(c, 1, 0);
        start_timer(c, state, seconds);
    }
    return CT_FLOW_STOP;
}

static const ct_flow_function_row rows[] = {
    {"branch", run_branch},
    {"compare_numerics", run_compare_numerics},
    {"compare_objects", run_compare_objects},
    {"counter", run_counter},
    {"delay", run_delay},
    {"for_loop", run_for_loop},
    {"once", run_once},
    {"randomize", run_randomize},
    {"relay", run_relay},
    {"sequence", run_sequence},
    {"timer", run_timer},
    {"toggle", run_toggle},
    {"while_loop", run_while_loop},
};

const ct_flow_functions ct_flow_run_control = {rows, CT_COUNT_OF(rows)};
