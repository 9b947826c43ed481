// Reads the layers of a state machine and the transitions between their states.
#include <string.h>

#include "compiler/types/state_machine/worker_state_machine.h"
#include "foundation/error.h"

#define ANY (UINT32_MAX - 1) // in place of a state

// A transition while its layer is read.
typedef struct listed_transition {
    uint32_t from, to; // in `states`; `from` may be ANY
    int32_t priority;
    bool starts_by_itself;
} listed_transition;

typedef struct layer_builder {
    ct_state_machine_layer layer;
    CT_ARRAY(listed_transition) listed;
} layer_builder;

static void read_state(ct_worker_machine *b, ct_sjson_value v, void *user) {
    const ct_state_machine_layer *const layer = user;
    ct_worker_machine_state(b, v, layer->first_state, layer->is_additive != 0);
}

// The layer's state of this name; "" is the empty state, which is added when it is first named.
// NONE after reporting.
static uint32_t state_at(ct_worker_machine *b, const ct_state_machine_layer *layer,
                         ct_sjson_value v, const char *name) {
    const uint32_t state = ct_worker_machine_find(&b->state_names, layer->first_state, name);
    if (state != UINT32_MAX)
        return layer->first_state + state;
    if (*name) {
        const uint32_t count = b->state_names.count - layer->first_state;
        ct_worker_machine_unknown(b, v, "state", name,
                                  count ? &b->state_names.items[layer->first_state] : NULL, count);
        return CT_STATE_MACHINE_NONE;
    }
    const ct_state_machine_state empty = {.kind = CT_STATE_MACHINE_STATE_EMPTY,
                                          .loop = CT_STATE_MACHINE_LOOP_YES,
                                          .speed = CT_STATE_MACHINE_NONE,
                                          .x = CT_STATE_MACHINE_NONE,
                                          .y = CT_STATE_MACHINE_NONE,
                                          .first_leaf = b->leaves.count};
    ct_array_push(&b->states, empty);
    ct_array_push(&b->state_names, name);
    ct_array_push(&b->enter_events, "");
    ct_array_push(&b->leave_events, "");
    ct_array_push(&b->state_values, v);
    return b->states.count - 1;
}

// --- Transitions ---------------------------------------------------------------------------------

// Reads the number of a value that must be one, 0 or more.
static float read_positive(ct_worker_machine *b, ct_sjson_value v, const char *what) {
    const double value = ct_sjson_number(b->doc, v, -1);
    if (value >= 0 && value <= 1e6)
        return (float)value;
    if (ct_sjson_type_of(b->doc, v) == CT_SJSON_TYPE_NUMBER)
        ct_worker_machine_error(b, v, "%s: found %g, expected 0 to 1000000", what, value);
    else
        ct_worker_machine_error(b, v, "%s: found %s, expected a number", what,
                                ct_sjson_type_name(ct_sjson_type_of(b->doc, v)));
    return 0;
}

static void read_exit(ct_worker_machine *b, const ct_state_machine_transition_source *source,
                      ct_state_machine_transition *t) {
    if (source->exit_time.entry) {
        t->exit_kind = CT_STATE_MACHINE_EXIT_PHASE;
        t->exit = read_positive(b, source->exit_time, "exit_time");
    }
    if (!source->exit_seconds.entry)
        return;
    if (source->exit_time.entry)
        ct_worker_machine_error(b, source->exit_seconds,
                                "a transition has exit_time or exit_seconds, not both");
    t->exit_kind = CT_STATE_MACHINE_EXIT_SECONDS;
    t->exit = read_positive(b, source->exit_seconds, "exit_seconds");
}

static void add_event(ct_worker_machine *b, ct_string_id32 event) {
    uint32_t i = 0;
    while (i < b->events.count && b->events.items[i] < event.value)
        ++i;
    if (i < b->events.count && b->events.items[i] == event.value)
        return;
    ct_array_push(&b->events, 0);
    memmove(b->events.items + i + 1, b->events.items + i,
            sizeof(*b->events.items) * (b->events.count - 1 - i));
    b->events.items[i] = event.value;
}

static uint32_t flags_of(const ct_state_machine_transition_source *source) {
    return (source->curve ? CT_STATE_MACHINE_TRANSITION_SMOOTH : 0) |
           (source->sync ? CT_STATE_MACHINE_TRANSITION_SYNC : 0) |
           (source->interruptible ? CT_STATE_MACHINE_TRANSITION_INTERRUPTIBLE : 0);
}

static void read_transition(ct_worker_machine *b, ct_sjson_value v, void *user) {
    layer_builder *const l = user;
    ct_state_machine_transition_source source;
    if (!ct_schema_read(&ct_state_machine_transition_schema, b->doc, v, &source, &b->listener))
        return;
    if (b->transitions.count == CT_STATE_MACHINE_MAX_TRANSITIONS) {
        ct_worker_machine_error(b, v, "found more than %d transitions",
                                (int)CT_STATE_MACHINE_MAX_TRANSITIONS);
        return;
    }
    listed_transition listed = {.priority = source.priority};
    ct_state_machine_transition t = {
        .duration = source.duration, .offset = source.offset, .flags = flags_of(&source)};
    listed.from = strcmp(source.from, "any") == 0
                      ? ANY
                      : state_at(b, &l->layer, source.from_value, source.from);
    listed.to = t.to = state_at(b, &l->layer, source.to_value, source.to);
    t.condition = ct_worker_machine_number(b, source.condition, "condition", -1e6, 1e6);
    read_exit(b, &source, &t);
    if (source.event && *source.event) {
        t.event = ct_string_id32_of(source.event);
        add_event(b, t.event);
    } else {
        listed.starts_by_itself = true;
        if (!source.condition.entry && t.exit_kind == CT_STATE_MACHINE_EXIT_ANY)
            ct_worker_machine_error(b, v,
                                    "a transition without event, condition and exit_time would "
                                    "start at once; write `exit_time = 1` for the end of the "
                                    "state");
    }
    ct_array_push(&b->transitions, t);
    ct_array_push(&l->listed, listed);
}

// --- What leaves a state -------------------------------------------------------------------------

// Whether a transition of the layer can leave a state. One that starts by itself from any state
// does not start again what it leads to.
static bool leaves(const listed_transition *t, uint32_t state) {
    return t->from == state || (t->from == ANY && !(t->starts_by_itself && t->to == state));
}

// Whether `a` goes before `b`, which is listed earlier, among those that may start.
static bool is_better(const listed_transition *a, const listed_transition *b) {
    if (a->priority != b->priority)
        return a->priority > b->priority;
    return a->from != ANY && b->from == ANY;
}

static void add_exits(ct_worker_machine *b, const layer_builder *l, uint32_t state,
                      uint32_t first_transition) {
    const uint32_t first = b->exits.count;
    for (uint32_t i = 0; i < l->listed.count; ++i) {
        if (!leaves(&l->listed.items[i], state))
            continue;
        ct_array_push(&b->exits, first_transition + i);
        uint32_t *const exits = b->exits.items;
        for (uint32_t k = b->exits.count - 1;
             k > first &&
             is_better(&l->listed.items[i], &l->listed.items[exits[k - 1] - first_transition]);
             --k) {
            exits[k] = exits[k - 1];
            exits[k - 1] = first_transition + i;
        }
    }
    b->states.items[state].first_exit = first;
    b->states.items[state].num_exits = b->exits.count - first;
}

static void warn_of_unreachable(ct_worker_machine *b, const layer_builder *l) {
    const uint32_t first = l->layer.first_state, count = l->layer.num_states;
    bool *const is_reached = CT_NEW_ARRAY(b->c->allocator, bool, (uint64_t)count + 1);
    is_reached[l->layer.start - first] = true;
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (uint32_t i = 0; i < l->listed.count; ++i) {
            const listed_transition *const t = &l->listed.items[i];
            if (is_reached[t->to - first] || (t->from != ANY && !is_reached[t->from - first]))
                continue;
            is_reached[t->to - first] = has_changed = true;
        }
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (!is_reached[i] && *b->state_names.items[first + i])
            ct_compile_warning(b->c, b->doc, b->state_values.items[first + i],
                               "the state \"%.64s\" is never entered: no transition leads to it "
                               "from the start state \"%.64s\"",
                               b->state_names.items[first + i],
                               b->state_names.items[l->layer.start]);
    }
}

// --- Layers --------------------------------------------------------------------------------------

static uint32_t mask_at(ct_worker_machine *b, const ct_state_machine_layer_source *source) {
    if (!source->mask || !*source->mask)
        return CT_STATE_MACHINE_NONE;
    const uint32_t mask = ct_worker_machine_find(&b->masks, 0, source->mask);
    if (mask != UINT32_MAX)
        return mask * b->joints.count;
    ct_worker_machine_unknown(b, source->mask_value, "mask", source->mask, b->masks.items,
                              b->masks.count);
    return CT_STATE_MACHINE_NONE;
}

static bool moves_root(ct_worker_machine *b, ct_sjson_value v) {
    if (v.entry && ct_sjson_type_of(b->doc, v) != CT_SJSON_TYPE_BOOL)
        ct_worker_machine_error(b, v, "root_motion: found %s, expected true or false",
                                ct_sjson_type_name(ct_sjson_type_of(b->doc, v)));
    return ct_sjson_bool(b->doc, v, b->layers.count == 0);
}

static void read_states(ct_worker_machine *b, layer_builder *l,
                        const ct_state_machine_layer_source *source) {
    const uint32_t num_errors = ct_compile_error_count(b->c);
    const uint32_t first_transition = b->transitions.count;
    ct_worker_machine_each(b, source->states, read_state, &l->layer);
    const bool has_all = ct_compile_error_count(b->c) == num_errors;
    if (has_all) { // else unknown names may be those of states with errors
        l->layer.start = state_at(b, &l->layer, source->start_value, source->start);
        ct_worker_machine_each(b, source->transitions, read_transition, l);
    }
    l->layer.num_states = b->states.count - l->layer.first_state;
    if (ct_compile_error_count(b->c) > num_errors)
        return;
    for (uint32_t i = 0; i < l->layer.num_states; ++i)
        add_exits(b, l, l->layer.first_state + i, first_transition);
    warn_of_unreachable(b, l);
}

void ct_worker_machine_layer(ct_worker_machine *b, ct_sjson_value v, void *user) {
    (void)user;
    ct_state_machine_layer_source source;
    if (!ct_schema_read(&ct_state_machine_layer_schema, b->doc, v, &source, &b->listener) ||
        !ct_worker_machine_name(b, source.name_value, "layer", source.name, &b->layer_names, 0))
        return;
    if (b->layers.count == CT_STATE_MACHINE_LAYER_LIMIT) {
        ct_worker_machine_error(b, v, "found more than %d layers",
                                (int)CT_STATE_MACHINE_LAYER_LIMIT);
        return;
    }
    layer_builder l = {.layer = {.name = ct_string_id32_of(source.name),
                                 .is_additive = source.additive,
                                 .moves_root = moves_root(b, source.root_motion),
                                 .first_mask = mask_at(b, &source),
                                 .first_state = b->states.count}};
    ct_array_init(&l.listed, b->c->allocator);
    l.layer.weight = ct_worker_machine_number(b, source.weight, "weight", 0, 1);
    read_states(b, &l, &source);
    ct_array_push(&b->layers, l.layer);
    ct_array_push(&b->layer_names, source.name);
}
