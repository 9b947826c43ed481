// The state of a machine as numbers, and its carrying over to a newer version of the resource.
//
// Numbers: the structure's hash (2), for each layer its pending transition, whether it is blocked,
// how many states play, and for each of these, oldest first, STATE_NUMBERS and two for the phase of
// each of its clips; then the variables. Doubles and hashes take two numbers, the low half first.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "animation/machine/machine_private.h"
#include "foundation/error.h"

enum { LAYER_NUMBERS = 3, STATE_NUMBERS = 2 + 2 * 6 };

// --- Writing -------------------------------------------------------------------------------------

typedef struct state_writer {
    uint32_t *items;
    uint32_t count, capacity;
} state_writer;

static void put(state_writer *w, uint32_t value) {
    if (w->count < w->capacity)
        w->items[w->count] = value;
    ++w->count;
}

static void put_u64(state_writer *w, uint64_t value) {
    put(w, (uint32_t)value);
    put(w, (uint32_t)(value >> 32));
}

static void put_double(state_writer *w, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    put_u64(w, bits);
}

static void put_slot(state_writer *w, const ct_state_machine *m, const ct_machine_slot *s) {
    put(w, s->state);
    put(w, s->flags);
    const double times[] = {s->phase, s->rounds, s->seconds, s->fade, s->duration, s->drop};
    for (uint32_t i = 0; i < CT_COUNT_OF(times); ++i)
        put_double(w, times[i]);
    for (uint32_t i = 0; i < ct_machine_state(m, s->state)->num_leaves; ++i)
        put_double(w, s->phases[i]);
}

uint32_t ct_state_machine_get_state(const ct_state_machine *m, uint32_t *state, uint32_t capacity) {
    state_writer w = {state, 0, capacity};
    put_u64(&w, m->resource->structure_hash);
    for (uint32_t i = 0; i < m->num_layers; ++i) {
        const ct_machine_layer *const l = &m->layers[i];
        put(&w, l->pending);
        put(&w, l->is_blocked);
        put(&w, l->num_playing);
        for (uint32_t k = 0; k < l->num_playing; ++k)
            put_slot(&w, m, &l->slots[l->order[k]]);
    }
    for (uint32_t i = 0; i < m->num_variables; ++i) {
        uint32_t bits;
        memcpy(&bits, &m->variables[i], sizeof(bits));
        put(&w, bits);
    }
    return w.count;
}

// --- Reading -------------------------------------------------------------------------------------

typedef struct state_reader {
    const uint32_t *items;
    uint32_t count, at;
    bool is_past_end;
} state_reader;

static uint32_t get(state_reader *r) {
    if (r->at == r->count) {
        r->is_past_end = true;
        return 0;
    }
    return r->items[r->at++];
}

static uint64_t get_u64(state_reader *r) {
    const uint64_t low = get(r);
    return low | (uint64_t)get(r) << 32;
}

static double get_double(state_reader *r) {
    const uint64_t bits = get_u64(r);
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static bool is_in(double x, double least, double most) {
    return x >= least && x <= most;
}

// Reads a slot; `phases` has room for CT_STATE_MACHINE_MAX_LEAVES.
static bool get_slot(state_reader *r, const ct_state_machine *m, const ct_machine_layer *l,
                     ct_machine_slot *s, double *phases, ct_error *error) {
    *s = (ct_machine_slot){.state = get(r), .flags = get(r)};
    double *const times[] = {&s->phase, &s->rounds, &s->seconds, &s->fade, &s->duration, &s->drop};
    for (uint32_t i = 0; i < CT_COUNT_OF(times); ++i)
        *times[i] = get_double(r);
    if (s->state - l->resource->first_state >= l->resource->num_states ||
        s->flags & ~(uint32_t)CT_MACHINE_SLOT_FLAGS)
        return ct_error_set(error, "found the state %u with flags %u, which the layer has not",
                            s->state, s->flags);
    if (!is_in(s->phase, 0, 1) || !is_in(s->rounds, -1e15, 1e15) || !is_in(s->seconds, 0, 1e12) ||
        !is_in(s->duration, 0, 1000) || !is_in(s->fade, 0, s->duration) || !is_in(s->drop, 0, 1))
        return ct_error_set(error, "found a time out of range: phase %g, fade %g of %g", s->phase,
                            s->fade, s->duration);
    for (uint32_t i = 0; i < ct_machine_state(m, s->state)->num_leaves; ++i) {
        phases[i] = get_double(r);
        if (!is_in(phases[i], 0, 1))
            return ct_error_set(error, "found the phase %g, expected 0 to 1", phases[i]);
    }
    return true;
}

// Puts a slot that was read at the end of a chain.
static void restore_slot(ct_state_machine *m, ct_machine_layer *l, const ct_machine_slot *from,
                         const double *phases) {
    ct_machine_slot *const s = &l->slots[l->order[l->num_playing++]];
    ct_machine_slot restored = *from;
    restored.weights = s->weights;
    restored.rates = s->rates;
    restored.phases = s->phases;
    restored.players = s->players;
    *s = restored;
    memset(s->phases, 0, sizeof(*s->phases) * m->max_leaves);
    memcpy(s->phases, phases, sizeof(*phases) * ct_machine_state(m, s->state)->num_leaves);
    ct_machine_weigh(m, s);
    if (s->loops && s->phase >= 1)
        s->phase = 0;
}

// Reads everything after the hash; changes the machine only when `applies`. The variables come
// last, but states are weighed by them: they are looked up first.
static bool get_layers(state_reader *r, ct_state_machine *m, bool applies, ct_error *error) {
    double phases[CT_STATE_MACHINE_MAX_LEAVES];
    for (uint32_t i = 0; i < m->num_layers; ++i) {
        ct_machine_layer *const l = &m->layers[i];
        const uint32_t pending = get(r), is_blocked = get(r), num_playing = get(r);
        if ((pending != CT_STATE_MACHINE_NONE && pending >= m->resource->transitions.count) ||
            is_blocked > 1 || num_playing == 0 || num_playing > CT_MACHINE_SLOTS)
            return ct_error_set(error, "found %u states that play in layer %u, expected 1 to %d",
                                num_playing, i, (int)CT_MACHINE_SLOTS);
        while (applies && l->num_playing > 0)
            ct_machine_remove(m, l, l->num_playing - 1);
        for (uint32_t k = 0; k < num_playing; ++k) {
            ct_machine_slot s;
            if (!get_slot(r, m, l, &s, phases, error))
                return false;
            if (applies)
                restore_slot(m, l, &s, phases);
        }
        if (applies) {
            l->pending = pending;
            l->is_blocked = is_blocked != 0;
        }
    }
    return true;
}

static bool get_variables(state_reader *r, ct_state_machine *m, bool applies, ct_error *error) {
    const ct_state_machine_variable_data *const v =
        ct_blob_at(m->resource, m->resource->variables.offset);
    for (uint32_t i = 0; i < m->num_variables; ++i) {
        const uint32_t bits = get(r);
        float value;
        memcpy(&value, &bits, sizeof(value));
        if (!(value >= v[i].least && value <= v[i].most))
            return ct_error_set(error, "found %g for variable %u, expected %g to %g", (double)value,
                                i, (double)v[i].least, (double)v[i].most);
        if (applies)
            m->variables[i] = value;
    }
    return true;
}

bool ct_state_machine_set_state(ct_state_machine *m, const uint32_t *state, uint32_t count,
                                ct_error *error) {
    state_reader r = {.items = state, .count = count};
    const uint64_t hash = get_u64(&r);
    if (hash != m->resource->structure_hash)
        return ct_error_set(error,
                            "the state is of another state machine, or of an older version of it "
                            "with other states or variables");
    const state_reader layers = r;
    if (!get_layers(&r, m, false, error))
        return false;
    state_reader variables = r;
    if (!get_variables(&r, m, false, error))
        return false;
    if (r.is_past_end || r.at != count)
        return ct_error_set(error, "found %u numbers, expected %s%u", count,
                            r.is_past_end ? "more than " : "", r.at);
    state_reader again = layers;
    get_variables(&variables, m, true, NULL);
    get_layers(&again, m, true, NULL);
    m->num_pending = m->num_pending_dropped = 0;
    m->was_changed = true;
    ct_machine_write_output(m);
    return true;
}

// --- Carrying over -------------------------------------------------------------------------------

static const ct_machine_layer *find_layer(const ct_state_machine *m, ct_string_id32 name) {
    for (uint32_t i = 0; i < m->num_layers; ++i) {
        if (m->layers[i].resource->name.value == name.value)
            return &m->layers[i];
    }
    return NULL;
}

// The layer's state of this name, or NONE.
static uint32_t find_state(const ct_state_machine *m, const ct_machine_layer *l,
                           ct_string_id32 name) {
    for (uint32_t i = 0; i < l->resource->num_states; ++i) {
        if (ct_machine_state(m, l->resource->first_state + i)->name.value == name.value)
            return l->resource->first_state + i;
    }
    return CT_STATE_MACHINE_NONE;
}

static const char *text_of(const ct_state_machine *m, ct_blob_string text) {
    return ct_blob_at(m->resource, text.offset);
}

// States that fade out and are not there any more are left out; the newest must be there.
static bool carry_layer(ct_state_machine *m, ct_machine_layer *l, const ct_state_machine *from,
                        const ct_machine_layer *old, ct_error *error) {
    const ct_state_machine_state *const newest =
        ct_machine_state(from, old->slots[old->order[old->num_playing - 1]].state);
    if (find_state(m, l, newest->name) == CT_STATE_MACHINE_NONE)
        return ct_error_set(error, "layer \"%s\" has no state \"%s\" any more",
                            text_of(m, l->resource->name_text), text_of(from, newest->name_text));
    while (l->num_playing > 0)
        ct_machine_remove(m, l, l->num_playing - 1);
    for (uint32_t i = 0; i < old->num_playing; ++i) {
        ct_machine_slot s = old->slots[old->order[i]];
        const ct_state_machine_state *const state = ct_machine_state(from, s.state);
        double phases[CT_STATE_MACHINE_MAX_LEAVES] = {0};
        memcpy(phases, s.phases, sizeof(*phases) * state->num_leaves);
        s.state = find_state(m, l, state->name);
        if (s.state != CT_STATE_MACHINE_NONE)
            restore_slot(m, l, &s, phases);
    }
    ct_machine_slot *const oldest = ct_machine_at(l, 0);
    oldest->fade = oldest->duration = 0;
    oldest->flags &= ~(uint32_t)(CT_MACHINE_SLOT_DROPS | CT_MACHINE_SLOT_COVERS);
    return true;
}

static void carry_variables(ct_state_machine *m, const ct_state_machine *from) {
    const ct_state_machine_variable_data *const v =
        ct_blob_at(from->resource, from->resource->variables.offset);
    for (uint32_t i = 0; i < from->num_variables; ++i) {
        const uint32_t variable = ct_state_machine_find_variable(m, v[i].name);
        if (variable != UINT32_MAX)
            ct_state_machine_set_variable(m, variable, from->variables[i]);
    }
}

bool ct_state_machine_carry(ct_state_machine *m, const ct_state_machine *from, ct_error *error) {
    bool fits = true;
    carry_variables(m, from);
    // What has happened still comes out with the next update.
    memcpy(m->pending, from->pending, sizeof(m->pending));
    m->num_pending = from->num_pending;
    m->num_pending_dropped = from->num_pending_dropped;
    for (uint32_t i = 0; i < m->num_layers; ++i) {
        ct_machine_layer *const l = &m->layers[i];
        const ct_machine_layer *const old = find_layer(from, l->resource->name);
        if (old && carry_layer(m, l, from, old, error))
            continue;
        fits &= !old;
        ct_machine_enter_start(m, l);
    }
    for (uint32_t i = 0; i < from->num_layers; ++i) {
        const ct_state_machine_layer *const old = from->layers[i].resource;
        if (!find_layer(m, old->name))
            fits = ct_error_set(error, "there is no layer \"%s\" any more",
                                text_of(from, old->name_text));
    }
    m->was_changed = true;
    ct_machine_write_output(m);
    return fits;
}

ct_string_id32 ct_state_machine_layer_state(const ct_state_machine *m, uint32_t layer, float *time,
                                            float *length) {
    CT_ASSERT(layer < m->num_layers, "layer %u of %u", layer, m->num_layers);
    const ct_machine_layer *const l = &m->layers[layer];
    const ct_machine_slot *const s = &l->slots[l->order[l->num_playing - 1]];
    *time = (float)s->seconds;
    *length = (float)s->length;
    return ct_machine_state(m, s->state)->name;
}
