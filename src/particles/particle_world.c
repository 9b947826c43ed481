#include "particles/particle_world.h"

#include <math.h>
#include <string.h>

#include "foundation/log.h"
#include "foundation/math/math_bulk.h"
#include "foundation/memory/proxy_allocator.h"
#include "particles/particle_gpu.h"
#include "particles/particle_private.h"
#include "particles/particle_system_private.h"

enum { SLOT_BITS = 16, MAX_EFFECTS = (1 << SLOT_BITS) - 1, MOST_VIEWS = 64 };
static const double seek_step = 1.0 / 60.0, longest_seek = 600.0, shortest_step = 1e-7;
static const double prewarm_step = 1.0 / 30.0;

// --- Life cycle ----------------------------------------------------------------------------------

ct_particle_world *ct_particle_world_create(const ct_particle_world_desc *desc) {
    ct_allocator *const a = ct_proxy_allocator_create(desc->allocator, "particles");
    ct_particle_world *const w = CT_NEW(a, ct_particle_world);
    w->allocator = a;
    w->system = desc->system;
    w->renderer = desc->system->renderer;
    w->render_world = desc->render_world;
    w->physics = desc->physics;
    w->fields = ct_particle_fields_create(a);
    w->gpu = ct_particle_gpu_queue_create(a);
    ct_array_init(&w->effects, a);
    ct_array_init(&w->slots, a);
    ct_array_init(&w->generations, a);
    ct_array_init(&w->free_slots, a);
    ct_array_init(&w->ended, a);
    ct_array_init(&w->views, a);
    ct_array_init(&w->stepped, a);
    ct_array_init(&w->task_begins, a);
    ct_array_push(&w->slots, NULL);
    ct_array_push(&w->generations, 0);
    ct_array_push(&desc->system->worlds, w);
    return w;
}

static void leave_system(ct_particle_world *w) {
    ct_particle_system *const s = w->system;
    for (uint32_t i = 0; i < s->worlds.count; ++i)
        if (s->worlds.items[i] == w) {
            ct_array_swap_erase(&s->worlds, i);
            return;
        }
}

void ct_particle_world_destroy(ct_particle_world *w) {
    if (!w)
        return;
    for (uint32_t i = 0; i < w->effects.count; ++i)
        ct_particle_effect_free(w, w->effects.items[i]);
    leave_system(w);
    ct_particle_fields_destroy(w->fields);
    ct_particle_gpu_queue_destroy(w->allocator, w->gpu);
    ct_array_free(&w->effects);
    ct_array_free(&w->slots);
    ct_array_free(&w->generations);
    ct_array_free(&w->free_slots);
    ct_array_free(&w->ended);
    ct_array_free(&w->views);
    ct_array_free(&w->stepped);
    ct_array_free(&w->task_begins);
    ct_allocator *const a = w->allocator;
    ct_free_sized(a, w, sizeof(*w));
    ct_proxy_allocator_destroy(a);
}

// --- Ids -----------------------------------------------------------------------------------------

// The effect of an id, also one that has ended since the last update.
static ct_particle_effect *effect_or_ended(const ct_particle_world *w, ct_particle_effect_id e) {
    const uint32_t slot = e.value & MAX_EFFECTS;
    if (slot >= w->slots.count || !w->slots.items[slot])
        return NULL;
    ct_particle_effect *const fx = w->slots.items[slot];
    return fx->id.value == e.value ? fx : NULL;
}

static ct_particle_effect *effect_of(const ct_particle_world *w, ct_particle_effect_id e) {
    ct_particle_effect *const fx = effect_or_ended(w, e);
    return fx && !fx->has_ended ? fx : NULL;
}

// Gives an effect an id. Returns false when there are too many.
static bool give_id(ct_particle_world *w, ct_particle_effect *fx) {
    uint32_t slot;
    if (w->free_slots.count) {
        slot = w->free_slots.items[--w->free_slots.count];
    } else {
        if (w->slots.count > MAX_EFFECTS)
            return false;
        slot = w->slots.count;
        ct_array_push(&w->slots, NULL);
        ct_array_push(&w->generations, 0);
        ct_array_reserve(&w->free_slots, w->slots.count);
    }
    w->slots.items[slot] = fx;
    fx->id.value = (uint32_t)w->generations.items[slot] << SLOT_BITS | slot;
    return true;
}

// Takes an effect out of the list at `index`, and frees it.
static void end_effect(ct_particle_world *w, uint32_t index) {
    ct_particle_effect *const fx = w->effects.items[index];
    const uint32_t slot = fx->id.value & MAX_EFFECTS;
    w->slots.items[slot] = NULL;
    ++w->generations.items[slot];
    ct_array_push(&w->free_slots, slot);
    ct_particle_effect_free(w, fx);
    w->is_changed = true;
}

// Removes effects that have ended. They keep their order.
static void remove_ended(ct_particle_world *w) {
    uint32_t num_kept = 0;
    for (uint32_t i = 0; i < w->effects.count; ++i) {
        if (!w->effects.items[i]->has_ended) {
            w->effects.items[num_kept++] = w->effects.items[i];
            continue;
        }
        ct_array_push(&w->ended, w->effects.items[i]->id);
        end_effect(w, i);
    }
    w->effects.count = num_kept;
}

// --- Effects -------------------------------------------------------------------------------------

static bool is_finite_place(const ct_particle_place *p) {
    return ct_vec3_is_finite(p->position) && ct_floats_are_finite(p->rotation.raw, 4) &&
           ct_vec3_is_finite(p->scale);
}

static uint32_t seed_of(ct_particle_world *w, const ct_particles_resource *r, uint32_t seed) {
    if (seed)
        return seed;
    return r->seed ? r->seed : ct_particle_hash(++w->next_seed);
}

static void step_for(const ct_particle_world *w, ct_particle_effect *fx, double seconds,
                     double step) {
    const uint32_t num_steps = (uint32_t)(seconds / step + 1e-6);
    for (uint32_t i = 0; i < num_steps && !fx->has_ended; ++i)
        ct_particle_effect_step(w, fx, step);
    const double rest = seconds - num_steps * step;
    if (rest > shortest_step && !fx->has_ended)
        ct_particle_effect_step(w, fx, rest);
}

ct_particle_effect_id ct_particles_create(ct_particle_world *w, ct_string_id64 effect,
                                          const ct_particle_place *place, uint32_t seed) {
    const ct_particle_effect_id none = {0};
    const ct_particles_resource *const r = ct_particle_system_effect(w->system, effect);
    const char *const name = ct_string_id64_name(effect);
    if (!r) {
        ct_log_warning("particles", "particles_missing",
                       "the particle effect \"%s\" is not loaded: add it to a package that "
                       "is, as particles = [\"%s\"]",
                       name, name);
        return none;
    }
    if (!is_finite_place(place)) {
        ct_log_warning("particles", "particles_place",
                       "the particle effect \"%s\" does not start: its position, rotation or "
                       "scale is not finite",
                       name);
        return none;
    }
    ct_particle_effect *const fx = ct_particle_effect_create(w, r);
    if (!give_id(w, fx)) {
        ct_log_warning("particles", "particles_effects",
                       "the particle effect \"%s\" does not start: %u effects play in its "
                       "world already",
                       name, MAX_EFFECTS);
        ct_particle_effect_free(w, fx);
        return none;
    }
    fx->name = effect;
    fx->seed = seed_of(w, r, seed);
    ct_particle_effect_set_place(fx, place);
    fx->before = *place;
    ct_array_push(&w->effects, fx);
    ct_array_reserve(&w->ended, w->effects.count);
    fx->is_cold = true;
    w->is_changed = true;
    return fx->id;
}

void ct_particles_move(ct_particle_world *w, ct_particle_effect_id e,
                       const ct_particle_place *place, bool is_jump) {
    ct_particle_effect *const fx = effect_of(w, e);
    if (!fx || !is_finite_place(place))
        return;
    ct_particle_effect_set_place(fx, place);
    if (is_jump)
        fx->before = *place;
    w->is_changed = true;
}

void ct_particles_stop_spawning(ct_particle_world *w, ct_particle_effect_id e) {
    ct_particle_effect *const fx = effect_of(w, e);
    if (!fx)
        return;
    fx->is_stopped = true;
    for (uint32_t i = 0; i < fx->num_emitters; ++i)
        fx->emitters[i].is_done = true;
}

void ct_particles_destroy(ct_particle_world *w, ct_particle_effect_id e) {
    const ct_particle_effect *const fx = effect_or_ended(w, e);
    for (uint32_t i = 0; fx && i < w->effects.count; ++i)
        if (w->effects.items[i] == fx) {
            end_effect(w, i);
            --w->effects.count;
            memmove(w->effects.items + i, w->effects.items + i + 1,
                    sizeof(*w->effects.items) * (w->effects.count - i));
            return;
        }
}

bool ct_particles_exists(const ct_particle_world *w, ct_particle_effect_id e) {
    return effect_or_ended(w, e) != NULL;
}

bool ct_particles_is_playing(const ct_particle_world *w, ct_particle_effect_id e) {
    return effect_of(w, e) != NULL;
}

ct_string_id64 ct_particles_resource_of(const ct_particle_world *w, ct_particle_effect_id e) {
    const ct_particle_effect *const fx = effect_of(w, e);
    return fx ? fx->name : (ct_string_id64){0};
}

bool ct_particles_place(const ct_particle_world *w, ct_particle_effect_id e,
                        ct_particle_place *place) {
    const ct_particle_effect *const fx = effect_of(w, e);
    if (fx)
        *place = fx->now;
    return fx != NULL;
}

void ct_particles_set_variable(ct_particle_world *w, ct_particle_effect_id e, uint32_t index,
                               ct_vec4 value) {
    ct_particle_effect *const fx = effect_of(w, e);
    if (!fx || index >= fx->num_variables || !isfinite(value.x) || !isfinite(value.y) ||
        !isfinite(value.z) || !isfinite(value.w))
        return;
    fx->variables[index] = value;
}

void ct_particles_set_nodes(ct_particle_world *w, ct_particle_effect_id e, const ct_mat4 *nodes,
                            const uint32_t *parents, uint32_t count) {
    ct_particle_effect *const fx = effect_of(w, e);
    if (!fx)
        return;
    count = count < CT_PARTICLE_MAX_NODES ? count : CT_PARTICLE_MAX_NODES;
    const uint64_t bytes = (sizeof(*nodes) + sizeof(*parents)) * (uint64_t)count;
    if (bytes > fx->node_bytes) {
        ct_particle_blocks_give(w->system, fx->nodes, fx->node_bytes);
        fx->nodes = ct_particle_blocks_take(w->system, bytes);
        fx->node_bytes = bytes;
    }
    fx->num_nodes = count;
    fx->node_parents = (uint32_t *)(fx->nodes + count);
    if (!count)
        return;
    memcpy(fx->nodes, nodes, sizeof(*nodes) * count);
    memcpy(fx->node_parents, parents, sizeof(*parents) * count);
}

static uint32_t count_of(const ct_particle_effect *fx, uint32_t emitter) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < fx->num_emitters; ++k)
        if (emitter == UINT32_MAX || k == emitter)
            count += fx->emitters[k].gpu ? ct_particle_gpu_count(&fx->emitters[k])
                                         : fx->emitters[k].count;
    return count;
}

uint32_t ct_particles_count(const ct_particle_world *w, ct_particle_effect_id e, uint32_t emitter) {
    if (e.value) {
        const ct_particle_effect *const fx = effect_or_ended(w, e);
        return fx ? count_of(fx, emitter) : 0;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->effects.count; ++i)
        count += count_of(w->effects.items[i], emitter);
    return count;
}

void ct_particles_seek(ct_particle_world *w, ct_particle_effect_id e, double seconds) {
    ct_particle_effect *const fx = effect_of(w, e);
    if (!fx || !(seconds >= 0.0))
        return;
    ct_particle_effect_restart(w, fx);
    fx->is_cold = false;
    const double prewarm = fx->resource ? (double)fx->resource->prewarm : 0.0;
    seconds = fmin(seconds, longest_seek);
    ct_particle_gpu_seek(fx, prewarm + seconds);
    step_for(w, fx, prewarm, prewarm_step);
    step_for(w, fx, seconds, seek_step);
    fx->gpu_from = 0.0;
    w->is_changed = true;
}

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count) {
    const uint8_t *const b = bytes;
    for (size_t i = 0; i < count; ++i)
        hash = (hash ^ b[i]) * 0x100000001b3u; // FNV-1a
    return hash;
}

// Channels that name things on the render thread are no state.
static bool is_state(const ct_particle_emitter *e, uint32_t channel) {
    return channel != e->channels[CT_PARTICLE_OBJECT];
}

uint64_t ct_particles_hash(const ct_particle_world *w, ct_particle_effect_id e) {
    const ct_particle_effect *const fx = effect_of(w, e);
    if (!fx || !fx->resource)
        return 0;
    uint64_t hash = hash_bytes(0xcbf29ce484222325u, &fx->seed, sizeof(fx->seed));
    for (uint32_t i = 0; i < fx->num_emitters; ++i) {
        const ct_particle_emitter_state *const s = &fx->emitters[i];
        const ct_particle_emitter *const emitter = ct_particle_emitter_at(fx->resource, i);
        hash = hash_bytes(hash, &s->count, sizeof(s->count));
        hash = hash_bytes(hash, &s->num_born, sizeof(s->num_born));
        for (uint32_t c = 0; c < emitter->num_channels; ++c)
            if (is_state(emitter, c))
                hash = hash_bytes(hash, s->channels + (size_t)c * s->capacity,
                                  sizeof(float) * s->count);
    }
    return hash ? hash : 1;
}

void ct_particles_set_filter(ct_particle_world *w, ct_string_id32 filter) {
    w->filter = filter;
}

ct_particle_fields *ct_particles_fields(ct_particle_world *w) {
    return w->fields;
}

// --- Following resources -------------------------------------------------------------------------

void ct_particle_world_follow(ct_particle_world *w, ct_string_id64 name,
                              const ct_particles_resource *effect) {
    for (uint32_t i = 0; i < w->effects.count; ++i) {
        ct_particle_effect *fx = w->effects.items[i];
        if (fx->name.value != name.value)
            continue;
        w->is_changed = true;
        if (effect && !fx->has_ended) {
            fx = ct_particle_effect_follow(w, fx, effect);
            w->effects.items[i] = fx;
            w->slots.items[fx->id.value & MAX_EFFECTS] = fx;
        } else { // it ends in the next update; nothing of it may be read until then
            ct_particle_effect_hide(w, fx);
            ct_particle_gpu_stop(w, fx);
            fx->has_ended = true;
            fx->resource = NULL;
        }
    }
}

// --- Frames --------------------------------------------------------------------------------------

void ct_particles_add_view(ct_particle_world *w, ct_vec3 position) {
    if (w->views.count == MOST_VIEWS) // the world is drawn again and again without an update
        w->views.count = 0;
    ct_array_push(&w->views, position);
}

void ct_particles_warm(ct_particle_world *w) {
    for (uint32_t i = 0; i < w->effects.count; ++i) {
        ct_particle_effect *const fx = w->effects.items[i];
        if (!fx->is_cold)
            continue;
        fx->is_cold = false;
        if (!fx->has_ended)
            step_for(w, fx, fx->resource->prewarm, prewarm_step);
    }
}

void ct_particles_update(ct_particle_world *w, double dt) {
    w->ended.count = 0;
    ct_particles_warm(w);
    remove_ended(w);
    if (!(dt > shortest_step) || !isfinite(dt))
        return;
    ct_particle_fields_update(w->fields, dt);
    if (w->effects.count) {
        ct_particle_world_step(w, dt);
        w->is_changed = true;
        ct_particle_gpu_flush(w);
        remove_ended(w);
    }
    w->views.count = 0;
}

const ct_particle_effect_id *ct_particles_ended(const ct_particle_world *w, uint32_t *count) {
    *count = w->ended.count;
    return w->ended.items;
}
