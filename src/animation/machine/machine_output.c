// What an update gives to the animator: samples with players, weights of layers, the root's motion.
#include <math.h>

#include "animation/machine/machine_expression.h"
#include "animation/machine/machine_private.h"

// A sample before it has a player.
typedef struct candidate {
    ct_machine_slot *slot;
    uint32_t leaf;
    bool is_added;
    ct_state_machine_sample sample;
} candidate;

typedef struct candidates {
    candidate items[CT_STATE_MACHINE_MAX_SAMPLES];
    uint32_t count;
} candidates;

static bool is_empty(const ct_state_machine *m, const ct_machine_slot *s) {
    return ct_machine_state(m, s->state)->kind == CT_STATE_MACHINE_STATE_EMPTY;
}

// When there are too many samples, the lightest is left out.
static void add_candidate(candidates *c, const candidate *new) {
    if (c->count < CT_STATE_MACHINE_MAX_SAMPLES) {
        c->items[c->count++] = *new;
        return;
    }
    uint32_t least = 0;
    for (uint32_t i = 1; i < c->count; ++i) {
        if (c->items[i].sample.weight < c->items[least].sample.weight)
            least = i;
    }
    if (new->sample.weight <= c->items[least].sample.weight)
        return;
    for (uint32_t i = least; i + 1 < c->count; ++i)
        c->items[i] = c->items[i + 1];
    c->items[c->count - 1] = *new;
}

static void add_slot(const ct_state_machine *m, ct_machine_slot *s, uint32_t layer, float share,
                     candidates *c) {
    const ct_state_machine_state *const state = ct_machine_state(m, s->state);
    const ct_state_machine_leaf *const leaves = ct_machine_leaves(m, state);
    for (uint32_t i = 0; i < state->num_leaves; ++i) {
        const float weight = share * s->weights[i];
        if (!(weight > 0))
            continue;
        const double phase = leaves[i].is_apart ? s->phases[i] : s->phase;
        const candidate new = {.slot = s,
                               .leaf = i,
                               .is_added = leaves[i].is_added,
                               .sample = {.clip = leaves[i].clip,
                                          .layer = (uint8_t)layer,
                                          .time = (float)(phase * m->clips[leaves[i].clip].length),
                                          .weight = weight}};
        add_candidate(c, &new);
    }
}

// The weight that a layer's expression gives it.
static float weight_of(const ct_state_machine *m, const ct_machine_layer *l) {
    const float w = ct_machine_expression(m->resource, l->resource->weight, m->variables, 1);
    return fminf(fmaxf(w, 0), 1);
}

// Adds a layer's samples. Returns its weight: 0 when it shows an empty state.
static float add_layer(const ct_state_machine *m, ct_machine_layer *l, uint32_t layer,
                       candidates *c) {
    double shares[CT_MACHINE_SLOTS], seen = 1;
    ct_machine_shares(l, 0, shares);
    for (uint32_t i = 0; i < l->num_playing; ++i)
        seen -= is_empty(m, ct_machine_at(l, i)) ? shares[i] : 0;
    if (!(seen > 1e-7))
        return 0;
    for (uint32_t i = 0; i < l->num_playing; ++i) {
        if (!is_empty(m, ct_machine_at(l, i)))
            add_slot(m, ct_machine_at(l, i), layer, (float)(shares[i] / seen), c);
    }
    return weight_of(m, l) * (float)seen;
}

// Makes the weights of each layer add up to 1, after roundings and samples that were left out.
static void normalize(candidates *c) {
    float sums[CT_STATE_MACHINE_MAX_LAYERS] = {0};
    for (uint32_t i = 0; i < c->count; ++i)
        sums[c->items[i].sample.layer] += c->items[i].is_added ? 0 : c->items[i].sample.weight;
    for (uint32_t i = 0; i < c->count; ++i) {
        ct_state_machine_sample *const s = &c->items[i].sample;
        if (!c->items[i].is_added && sums[s->layer] > 0)
            s->weight /= sums[s->layer];
        s->weight = fminf(s->weight, 1);
    }
}

// Frees the players of clips that do not play any more, then gives new ones.
static void give_players(ct_state_machine *m, const candidates *c) {
    uint64_t used = 0;
    for (uint32_t i = 0; i < c->count; ++i) {
        const uint8_t player = c->items[i].slot->players[c->items[i].leaf];
        used |= player == CT_MACHINE_NO_PLAYER ? 0 : 1ull << player;
    }
    m->new_players = m->was_changed ? m->new_players & used : 0;
    for (uint32_t i = 0; i < m->num_layers; ++i) {
        for (uint32_t k = 0; k < CT_MACHINE_SLOTS * m->max_leaves; ++k) {
            uint8_t *const player = &m->layers[i].slots[0].players[k];
            if (*player != CT_MACHINE_NO_PLAYER && !(used & 1ull << *player))
                *player = CT_MACHINE_NO_PLAYER;
        }
    }
    m->players = used;
    for (uint32_t i = 0; i < c->count; ++i) {
        uint8_t *const player = &c->items[i].slot->players[c->items[i].leaf];
        if (*player != CT_MACHINE_NO_PLAYER)
            continue;
        *player = (uint8_t)__builtin_ctzll(~m->players);
        m->players |= 1ull << *player;
        m->new_players |= 1ull << *player;
    }
}

static ct_animation_root_pose root_delta(const ct_state_machine *m) {
    ct_machine_pose all = {0, 0, 0, 0};
    for (uint32_t i = 0; i < m->num_layers; ++i) {
        const ct_machine_layer *const l = &m->layers[i];
        if (!l->resource->moves_root)
            continue;
        const double weight = i == 0 ? 1 : (double)weight_of(m, l);
        const double kept = l->resource->is_additive ? 1 : 1 - (double)m->layer_weights[i];
        const ct_machine_pose p = l->moved;
        all =
            (ct_machine_pose){kept * all.x + weight * p.x, kept * all.y + weight * p.y,
                              kept * all.z + weight * p.z, kept * all.heading + weight * p.heading};
    }
    return (ct_animation_root_pose){{(float)all.x, (float)all.y, (float)all.z}, (float)all.heading};
}

void ct_machine_write_output(ct_state_machine *m) {
    candidates c;
    c.count = 0;
    for (uint32_t i = 0; i < m->num_layers; ++i)
        m->layer_weights[i] = add_layer(m, &m->layers[i], i, &c);
    normalize(&c);
    give_players(m, &c);
    m->num_samples = c.count;
    for (uint32_t i = 0; i < c.count; ++i) {
        ct_state_machine_sample s = c.items[i].sample;
        s.player = c.items[i].slot->players[c.items[i].leaf];
        s.is_new = (m->new_players & 1ull << s.player) != 0;
        m->samples[i] = s;
    }
    m->root_delta = root_delta(m);
}
