#include "sound/sound_world.h"

#include <math.h>

#include "foundation/math/math.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/profiler/profiler.h"
#include "sound/sound_system_private.h"

// --- Life ----------------------------------------------------------------------------------------

ct_sound_world *ct_sound_world_create(const ct_sound_world_desc *desc) {
    ct_sound_world *const w = CT_NEW(desc->allocator, ct_sound_world);
    w->backing = desc->allocator;
    w->allocator = ct_proxy_allocator_create(desc->allocator, "sounds");
    w->system = desc->system;
    w->occlude = desc->occlude;
    w->user = desc->user;
    w->random = ct_random_seeded(desc->seed, 0);
    w->place_send = 1;
    ct_array_init(&w->live, w->allocator);
    ct_hash_map_init(&w->event_states, w->allocator);
    ct_array_init(&w->states, w->allocator);
    ct_array_init(&w->slots, w->allocator);
    ct_array_init(&w->happenings, w->allocator);
    ct_array_push(&w->system->worlds, w);
    return w;
}

void ct_sound_world_destroy(ct_sound_world *w) {
    if (!w)
        return;
    for (uint32_t i = 0; i < w->live.count; ++i) {
        ct_sound_layers_drop(w->system, w->live.items[i]);
        ct_sound_slot_release(w->system, w->live.items[i]);
    }
    for (uint32_t i = 0; i < w->system->worlds.count; ++i)
        if (w->system->worlds.items[i] == w)
            ct_array_erase(&w->system->worlds, i, 1);
    ct_array_free(&w->happenings);
    ct_array_free(&w->slots);
    ct_array_free(&w->states);
    ct_hash_map_free(&w->event_states);
    ct_array_free(&w->live);
    ct_proxy_allocator_destroy(w->allocator);
    ct_free_sized(w->backing, w, sizeof(*w));
}

// --- Listeners -----------------------------------------------------------------------------------

void ct_sound_set_listeners(ct_sound_world *w, uint32_t count) {
    if (count > CT_SOUND_MAX_LISTENERS) {
        ct_log_warning("sound", "sound_listeners", "found %u listeners; expected at most %d", count,
                       CT_SOUND_MAX_LISTENERS);
        count = CT_SOUND_MAX_LISTENERS;
    }
    for (uint32_t i = w->num_listeners; i < count; ++i) {
        w->listeners[i] = (ct_sound_listener){.rotation = ct_quat_identity()};
        w->listener_jumped[i] = true;
    }
    w->num_listeners = count;
}

void ct_sound_set_listener(ct_sound_world *w, uint32_t index, ct_vec3 position, ct_quat rotation,
                           bool is_jump) {
    if (index >= w->num_listeners)
        return;
    const float sum = rotation.x + rotation.y + rotation.z + rotation.w;
    if (!ct_sound_is_finite3(position) || !isfinite(sum)) {
        ct_log_warning("sound", "sound_not_finite", "listener %u: found no finite position", index);
        return;
    }
    w->listeners[index].position = position;
    w->listeners[index].rotation = ct_quat_unit(rotation);
    w->listener_jumped[index] |= is_jump;
}

uint32_t ct_sound_listeners(const ct_sound_world *w,
                            ct_sound_listener out[CT_SOUND_MAX_LISTENERS]) {
    memcpy(out, w->listeners, sizeof(*out) * w->num_listeners);
    return w->num_listeners;
}

void ct_sound_set_place_send(ct_sound_world *w, float gain) {
    if (isfinite(gain))
        w->place_send = fmaxf(gain, 0);
    else
        ct_log_warning("sound", "sound_not_finite", "place: found no finite gain");
}

// --- Movement ------------------------------------------------------------------------------------

// Returns the velocity of what went from `last` to `position` in `dt` seconds.
static ct_vec3 velocity_of(ct_vec3 position, ct_vec3 last, float dt) {
    const ct_vec3 velocity = ct_vec3_scale(ct_vec3_sub(position, last), 1 / dt);
    return ct_sound_is_finite3(velocity) ? velocity : ct_vec3_make(0, 0, 0);
}

static void move_listeners(ct_sound_world *w, float dt) {
    for (uint32_t i = 0; i < w->num_listeners; ++i) {
        ct_sound_listener *const l = &w->listeners[i];
        const ct_vec3 velocity = velocity_of(l->position, w->last_listeners[i], dt);
        const bool has_jumped =
            w->listener_jumped[i] || ct_vec3_length(velocity) >= CT_SPEED_OF_SOUND;
        l->velocity = has_jumped ? ct_vec3_make(0, 0, 0) : velocity;
        w->last_listeners[i] = l->position;
        w->listener_jumped[i] = false;
    }
}

static void move_instances(ct_sound_world *w, float dt) {
    ct_sound_instances *const t = &w->system->instances;
    for (uint32_t i = 0; i < w->live.count; ++i) {
        const uint32_t slot = w->live.items[i];
        const bool has_jumped = (t->flags[slot] & CT_SOUND_INSTANCE_JUMPED) != 0;
        t->velocities[slot] = has_jumped
                                  ? ct_vec3_make(0, 0, 0)
                                  : velocity_of(t->positions[slot], t->last_positions[slot], dt);
        t->last_positions[slot] = t->positions[slot];
        t->flags[slot] &= ~(uint32_t)CT_SOUND_INSTANCE_JUMPED;
    }
}

// --- Occlusion -----------------------------------------------------------------------------------

// The sources that are asked about in an update.
typedef struct occlusion_turn {
    uint32_t count;
    uint32_t slots[CT_SOUND_MAX_OCCLUDED];
} occlusion_turn;

static bool can_be_hidden(const ct_sound_system *s, uint32_t slot) {
    const ct_sound_event_resource *const e = s->instances.resources[slot];
    return e && ct_sound_has_flag(s, slot, CT_SOUND_INSTANCE_PLACED) && e->spatial.is_spatial &&
           e->spatial.occlusion_radius > 0;
}

// Takes those that are new first, then the others in turn.
static void take_turns(ct_sound_world *w, occlusion_turn *turn) {
    const ct_sound_system *const s = w->system;
    for (uint32_t i = w->live.count; i > 0 && turn->count < CT_SOUND_MAX_OCCLUDED; --i) {
        const uint32_t slot = w->live.items[i - 1];
        if (ct_sound_has_flag(s, slot, CT_SOUND_INSTANCE_NEW) && can_be_hidden(s, slot))
            turn->slots[turn->count++] = slot;
    }
    for (uint32_t i = 0; i < w->live.count && turn->count < CT_SOUND_MAX_OCCLUDED; ++i) {
        w->occlusion_turn = (w->occlusion_turn + 1) % w->live.count;
        const uint32_t slot = w->live.items[w->occlusion_turn];
        if (!ct_sound_has_flag(s, slot, CT_SOUND_INSTANCE_NEW) && can_be_hidden(s, slot))
            turn->slots[turn->count++] = slot;
    }
}

static uint32_t nearest_listener(const ct_sound_world *w, ct_vec3 position) {
    uint32_t nearest = 0;
    float least = INFINITY;
    for (uint32_t i = 0; i < w->num_listeners; ++i) {
        const float distance = ct_vec3_length(ct_vec3_sub(w->listeners[i].position, position));
        if (distance < least) {
            least = distance;
            nearest = i;
        }
    }
    return nearest;
}

// Asks about those sources of a turn that are nearest to one listener.
static void ask_for_listener(ct_sound_world *w, const occlusion_turn *turn, uint32_t listener) {
    ct_sound_instances *const t = &w->system->instances;
    uint32_t slots[CT_SOUND_MAX_OCCLUDED], count = 0;
    ct_vec3 sources[CT_SOUND_MAX_OCCLUDED];
    float radii[CT_SOUND_MAX_OCCLUDED], occlusion[CT_SOUND_MAX_OCCLUDED] = {0};
    for (uint32_t i = 0; i < turn->count; ++i) {
        const uint32_t slot = turn->slots[i];
        if (nearest_listener(w, t->positions[slot]) != listener)
            continue;
        slots[count] = slot;
        sources[count] = t->positions[slot];
        radii[count++] = t->resources[slot]->spatial.occlusion_radius;
    }
    if (!count)
        return;
    w->occlude(w->user, w->listeners[listener].position, sources, radii, count, occlusion);
    for (uint32_t i = 0; i < count; ++i) {
        const float target = isfinite(occlusion[i]) ? fminf(fmaxf(occlusion[i], 0), 1) : 0;
        t->occlusion_targets[slots[i]] = target;
        if (t->flags[slots[i]] & CT_SOUND_INSTANCE_NEW)
            t->occlusions[slots[i]] = target;
        t->flags[slots[i]] &= ~(uint32_t)CT_SOUND_INSTANCE_NEW;
    }
}

static void occlude(ct_sound_world *w, float dt) {
    if (!w->occlude || !w->num_listeners)
        return;
    occlusion_turn turn = {0};
    take_turns(w, &turn);
    for (uint32_t i = 0; i < w->num_listeners; ++i)
        ask_for_listener(w, &turn, i);
    ct_sound_instances *const t = &w->system->instances;
    const float step = dt / CT_SOUND_OCCLUSION_SECONDS;
    for (uint32_t i = 0; i < w->live.count; ++i) {
        float *const now = &t->occlusions[w->live.items[i]];
        const float target = t->occlusion_targets[w->live.items[i]];
        *now = *now < target ? fminf(*now + step, target) : fmaxf(*now - step, target);
    }
}

// --- Happenings ----------------------------------------------------------------------------------

const ct_sound_happening *ct_sound_happenings(const ct_sound_world *w, uint32_t *count) {
    *count = w->happenings.count;
    return w->happenings.items;
}

// Ends the rows whose voices have ended.
static void sweep(ct_sound_world *w) {
    ct_sound_system *const s = w->system;
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->live.count; ++i) {
        const uint32_t slot = w->live.items[i];
        if (s->instances.first_layers[slot] || ct_sound_may_go_on(s, slot)) {
            w->live.items[count++] = slot;
            continue;
        }
        ct_array_push(&w->happenings,
                      (ct_sound_happening){.instance = ct_sound_instance_of(s, slot)});
        ct_sound_slot_release(s, slot);
    }
    w->live.count = count;
}

static void play_marker(ct_sound_world *w, uint32_t slot, ct_string_id64 event) {
    const ct_sound_instances *const t = &w->system->instances;
    const ct_sound_start start = {.position = t->positions[slot],
                                  .rotation =
                                      ct_quat_look(t->forwards[slot], ct_vec3_make(0, 0, 1)),
                                  .is_placed = (t->flags[slot] & CT_SOUND_INSTANCE_PLACED) != 0,
                                  .fade_in = -1};
    ct_sound_play_deep(w, event, &start, NULL, 0, t->depths[slot] + 1);
}

static void pass_markers(ct_sound_world *w, uint32_t slot) {
    ct_sound_system *const s = w->system;
    const ct_sound_event_resource *const e = s->instances.resources[slot];
    const uint32_t resting = CT_SOUND_INSTANCE_STOPPING | CT_SOUND_INSTANCE_PAUSED;
    if (!e || !e->markers.count || ct_sound_has_flag(s, slot, resting))
        return;
    const ct_sound_marker *const markers = ct_blob_at(e, e->markers.offset);
    const float time = (float)ct_sound_instance_time(s, slot);
    while (s->instances.next_markers[slot] < e->markers.count) {
        const ct_sound_marker *const marker = &markers[s->instances.next_markers[slot]];
        if (marker->seconds > time || time == 0)
            return;
        ++s->instances.next_markers[slot];
        if (marker->name.value)
            ct_array_push(&w->happenings,
                          (ct_sound_happening){ct_sound_instance_of(s, slot), marker->name});
        if (marker->event.value)
            play_marker(w, slot, marker->event);
    }
}

// --- Frames --------------------------------------------------------------------------------------

static void warn_of_refused(ct_sound_world *w) {
    if (w->num_refused_now)
        ct_log_warning("sound", "sound_too_many",
                       "%u sounds did not start in a frame: found %u instances and %u voices; "
                       "expected at most %d instances",
                       w->num_refused_now, w->system->instances.num_live,
                       w->system->layers_of_voices.count, CT_SOUND_MAX_INSTANCES);
    w->num_refused_now = 0;
}

void ct_sound_world_update(ct_sound_world *w, double dt) {
    CT_PROFILER_SCOPE("sound_world_update");
    const double step = isfinite(dt) && dt > 0 ? dt : 0;
    w->time += step;
    w->happenings.count = 0;
    warn_of_refused(w);
    if (step > 0) {
        move_listeners(w, (float)step);
        move_instances(w, (float)step);
    }
    const uint32_t count = w->live.count; // markers add to them
    for (uint32_t i = 0; i < count; ++i)
        pass_markers(w, w->live.items[i]);
    sweep(w); // after the last markers
    occlude(w, (float)step);
    for (uint32_t i = 0; i < w->live.count; ++i)
        ct_sound_update_instance(w->system, w->live.items[i]);
    ct_sound_admit(w->system);
}
