#include "animation/machine/state_machine.h"

#include <math.h>
#include <string.h>

#include "animation/machine/machine_expression.h"
#include "animation/machine/machine_private.h"
#include "foundation/error.h"
#include "foundation/memory/allocator.h"

// --- Life cycle ----------------------------------------------------------------------------------

static uint32_t most_leaves(const ct_state_machine_resource *r) {
    const ct_state_machine_state *const states = ct_blob_at(r, r->states.offset);
    uint32_t most = 0;
    for (uint32_t i = 0; i < r->states.count; ++i)
        most = states[i].num_leaves > most ? states[i].num_leaves : most;
    return most;
}

// Takes `count` items of `item_bytes` from the block.
static void *take(char **at, uint64_t count, uint64_t item_bytes) {
    void *const items = *at;
    *at += ct_round_up(count * item_bytes, sizeof(double));
    return items;
}

// Places a machine's arrays behind it. Returns the end.
static char *place(ct_state_machine *m, const ct_state_machine_resource *r) {
    const uint64_t per_layer = (uint64_t)CT_MACHINE_SLOTS * m->max_leaves;
    char *at = (char *)m + ct_round_up(sizeof(*m), sizeof(double));
    m->layers = take(&at, m->num_layers, sizeof(*m->layers));
    m->clips = take(&at, m->num_clips, sizeof(*m->clips));
    m->variables = take(&at, m->num_variables, sizeof(float));
    m->layer_weights = take(&at, m->num_layers, sizeof(float));
    double *const phases = take(&at, m->num_layers * per_layer, sizeof(double));
    double *const rates = take(&at, m->num_layers * per_layer, sizeof(double));
    float *const weights = take(&at, m->num_layers * per_layer, sizeof(float));
    uint8_t *const players = take(&at, m->num_layers * per_layer, sizeof(uint8_t));
    for (uint32_t i = 0; r && i < m->num_layers; ++i) {
        m->layers[i].resource = (const ct_state_machine_layer *)ct_blob_at(r, r->layers.offset) + i;
        for (uint32_t k = 0; k < CT_MACHINE_SLOTS; ++k) {
            const uint64_t first = ((uint64_t)i * CT_MACHINE_SLOTS + k) * m->max_leaves;
            m->layers[i].order[k] = (uint8_t)k;
            m->layers[i].slots[k] = (ct_machine_slot){.phases = phases + first,
                                                      .rates = rates + first,
                                                      .weights = weights + first,
                                                      .players = players + first};
        }
    }
    if (r)
        memset(players, CT_MACHINE_NO_PLAYER, m->num_layers * per_layer);
    return at;
}

ct_state_machine *ct_state_machine_create(ct_allocator *a,
                                          const ct_state_machine_resource *resource,
                                          const ct_animation_resource *const *clips) {
    const ct_state_machine sizes = {.num_layers = resource->layers.count,
                                    .num_variables = resource->variables.count,
                                    .num_clips = resource->clips.count,
                                    .max_leaves = most_leaves(resource)};
    ct_state_machine probe = sizes;
    const uint64_t bytes = (uint64_t)(place(&probe, NULL) - (char *)&probe);
    ct_state_machine *const m = ct_alloc_zero(a, bytes);
    *m = sizes;
    m->allocator = a;
    m->resource = resource;
    m->block_bytes = bytes;
    place(m, resource);
    for (uint32_t i = 0; i < m->num_clips; ++i)
        m->clips[i] = ct_machine_clip_of(clips[i]);
    const ct_state_machine_variable_data *const v =
        ct_blob_at(resource, resource->variables.offset);
    for (uint32_t i = 0; i < m->num_variables; ++i)
        m->variables[i] = v[i].default_value;
    for (uint32_t i = 0; i < m->num_layers; ++i)
        ct_machine_enter_start(m, &m->layers[i]);
    m->was_changed = true;
    ct_machine_write_output(m);
    return m;
}

void ct_state_machine_destroy(ct_state_machine *m) {
    if (m)
        ct_free_sized(m->allocator, m, m->block_bytes);
}

// --- Updates -------------------------------------------------------------------------------------

ct_state_machine_output ct_state_machine_current(const ct_state_machine *m) {
    return (ct_state_machine_output){.samples = m->samples,
                                     .num_samples = m->num_samples,
                                     .events = m->events.items,
                                     .num_events = m->events.count,
                                     .num_dropped_events = m->events.num_dropped,
                                     .layer_weights = m->layer_weights,
                                     .root_delta = m->root_delta};
}

ct_state_machine_output ct_state_machine_update(ct_state_machine *m, float dt) {
    const double seconds = dt > 0 ? fmin((double)dt, CT_STATE_MACHINE_MAX_SECONDS) : 0;
    m->events.count = 0;
    m->events.num_dropped = m->num_pending_dropped;
    for (uint32_t i = 0; i < m->num_pending; ++i)
        ct_machine_add_event(&m->events, m->pending[i], 0);
    m->num_pending = m->num_pending_dropped = 0;
    for (uint32_t i = 0; i < m->num_layers; ++i)
        ct_machine_advance_layer(m, &m->layers[i], seconds);
    ct_machine_write_output(m);
    m->was_changed = false;
    return ct_state_machine_current(m);
}

// --- Events --------------------------------------------------------------------------------------

bool ct_state_machine_has_event(const ct_state_machine *m, ct_string_id32 event) {
    const uint32_t *const events = ct_blob_at(m->resource, m->resource->events.offset);
    uint32_t first = 0, end = m->resource->events.count;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if (events[middle] < event.value)
            first = middle + 1;
        else
            end = middle;
    }
    return first < m->resource->events.count && events[first] == event.value;
}

// Starts the best transition of the layer's state for an event, or has it wait for its time.
static void send(ct_state_machine *m, ct_machine_layer *l, ct_string_id32 event) {
    if (ct_machine_is_locked(l))
        return;
    const ct_state_machine_transition *const all = ct_machine_transitions(m);
    const ct_state_machine_state *const s = ct_machine_state(m, ct_machine_newest(l)->state);
    const uint32_t *const exits =
        (const uint32_t *)ct_blob_at(m->resource, m->resource->exits.offset) + s->first_exit;
    for (uint32_t i = 0; i < s->num_exits; ++i) {
        const ct_state_machine_transition *const t = &all[exits[i]];
        if (t->event.value != event.value ||
            ct_machine_expression(m->resource, t->condition, m->variables, 1) == 0)
            continue;
        if (t->exit_kind != CT_STATE_MACHINE_EXIT_ANY)
            l->pending = exits[i];
        else
            ct_machine_start(m, l, t, 0, true);
        return;
    }
}

static void unblock(ct_state_machine *m) {
    for (uint32_t i = 0; i < m->num_layers; ++i)
        m->layers[i].is_blocked = false;
}

bool ct_state_machine_send(ct_state_machine *m, ct_string_id32 event) {
    if (!ct_state_machine_has_event(m, event))
        return false;
    unblock(m);
    for (uint32_t i = 0; i < m->num_layers; ++i)
        send(m, &m->layers[i], event);
    return true;
}

// --- Variables -----------------------------------------------------------------------------------

uint32_t ct_state_machine_find_variable(const ct_state_machine *m, ct_string_id32 name) {
    const ct_state_machine_variable_data *const v =
        ct_blob_at(m->resource, m->resource->variables.offset);
    for (uint32_t i = 0; i < m->num_variables; ++i) {
        if (v[i].name.value == name.value)
            return i;
    }
    return UINT32_MAX;
}

float ct_state_machine_variable(const ct_state_machine *m, uint32_t variable) {
    CT_ASSERT(variable < m->num_variables, "variable %u of %u", variable, m->num_variables);
    return m->variables[variable];
}

bool ct_state_machine_set_variable(ct_state_machine *m, uint32_t variable, float value) {
    CT_ASSERT(variable < m->num_variables, "variable %u of %u", variable, m->num_variables);
    const ct_state_machine_variable_data *const v =
        (const ct_state_machine_variable_data *)ct_blob_at(m->resource,
                                                           m->resource->variables.offset) +
        variable;
    if (isnan(value))
        return false;
    const float clamped = value < v->least ? v->least : value > v->most ? v->most : value;
    if (clamped != m->variables[variable])
        unblock(m);
    m->variables[variable] = clamped;
    return true;
}
