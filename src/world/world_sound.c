#include "world/world_sound.h"

#include <math.h>

#include "foundation/math/math.h"
#include "physics/query/physics_query.h"
#include "sound/event/sound_curves.h"
#include "world/world_level_members.h"
#include "world/world_private.h"

enum { BATCH = 32 }; // sources whose rays are cast together

// --- Occlusion -----------------------------------------------------------------------------------

// Writes the rays from `listener` to the point of the source's sphere that is nearest to it and to
// four beside that. Returns how many: none to a source so near that nothing fits between them.
static uint32_t aim(ct_vec3 listener, ct_vec3 source, float radius,
                    ct_physics_ray rays[CT_WORLD_SOUND_RAYS]) {
    const ct_vec3 way = ct_vec3_sub(source, listener);
    const float distance = ct_vec3_length(way);
    if (!(radius > 0) || !(distance > radius))
        return 0;
    const ct_vec3 forward = ct_vec3_scale(way, 1 / distance);
    const ct_vec3 other = fabsf(forward.z) < 0.9f ? ct_vec3_make(0, 0, 1) : ct_vec3_make(1, 0, 0);
    const ct_vec3 right = ct_vec3_normalize(ct_vec3_cross(forward, other));
    const ct_vec3 up = ct_vec3_cross(right, forward);
    const ct_vec3 sides[CT_WORLD_SOUND_RAYS] = {ct_vec3_make(0, 0, 0), right, up,
                                                ct_vec3_scale(right, -1), ct_vec3_scale(up, -1)};
    const ct_vec3 near = ct_vec3_sub(source, ct_vec3_scale(forward, radius));
    for (uint32_t i = 0; i < CT_WORLD_SOUND_RAYS; ++i) {
        const ct_vec3 to = ct_vec3_add(near, ct_vec3_scale(sides[i], radius));
        const ct_vec3 line = ct_vec3_sub(to, listener);
        const float length = ct_vec3_length(line);
        if (!(length > 0))
            return 0;
        rays[i] = (ct_physics_ray){listener, ct_vec3_scale(line, 1 / length), length};
    }
    return CT_WORLD_SOUND_RAYS;
}

static void occlude_batch(const ct_physics_world *physics, ct_vec3 listener, const ct_vec3 *sources,
                          const float *radii, uint32_t count, float *occlusion) {
    ct_physics_ray rays[BATCH * CT_WORLD_SOUND_RAYS];
    bool hits[BATCH * CT_WORLD_SOUND_RAYS] = {0};
    uint32_t num_rays[BATCH], sum = 0;
    for (uint32_t i = 0; i < count; ++i) {
        num_rays[i] = aim(listener, sources[i], radii[i], &rays[sum]);
        sum += num_rays[i];
    }
    const ct_physics_find find = {.kinds = CT_BULLET_FIND_SOLID | CT_BULLET_FIND_COLLIDING};
    if (sum)
        ct_physics_rays_any(physics, rays, sum, &find, hits);
    for (uint32_t i = 0, at = 0; i < count; at += num_rays[i++]) {
        uint32_t num_hits = 0;
        for (uint32_t k = 0; k < num_rays[i]; ++k)
            num_hits += hits[at + k];
        occlusion[i] = (float)num_hits / (float)CT_WORLD_SOUND_RAYS;
    }
}

void ct_world_occlude_sounds(void *user, ct_vec3 listener, const ct_vec3 *sources,
                             const float *radii, uint32_t count, float *occlusion) {
    const ct_world *const w = user;
    const ct_physics_world *const physics = ct_world_physics(w);
    for (uint32_t i = 0; i < count; i += BATCH) {
        const uint32_t num = count - i < BATCH ? count - i : BATCH;
        for (uint32_t k = 0; k < num && !physics; ++k)
            occlusion[i + k] = 0;
        if (physics)
            occlude_batch(physics, listener, sources + i, radii + i, num, occlusion + i);
    }
}

// --- Reverb --------------------------------------------------------------------------------------

// How far a volume counts at a point: 1 inside, 0 from its fade distance on.
static float share_at(const ct_world_volume *v, ct_vec3 position) {
    if (ct_volume_contains(&v->shape, position))
        return 1;
    const float fade = v->reverb_fade;
    return fade > 0 ? 1 - ct_volume_distance(&v->shape, position, fade) / fade : 0;
}

float ct_world_reverb_at(const ct_world *w, const ct_vec3 *positions, uint32_t count) {
    float strongest = 0;
    uint32_t num_levels;
    const ct_level *const levels = ct_world_levels(w, &num_levels);
    for (uint32_t i = 0; i < num_levels; ++i) {
        const ct_level_member_list all = ct_level_members_of(w, levels[i], CT_LEVEL_MEMBER_VOLUME);
        const ct_world_volume *const volumes = all.items;
        for (uint32_t k = 0; k < all.count; ++k) {
            const float gain = ct_sound_gain_of_db(volumes[k].reverb);
            for (uint32_t p = 0; p < count && gain > strongest; ++p)
                strongest = fmaxf(strongest, gain * share_at(&volumes[k], positions[p]));
        }
    }
    return strongest;
}

void ct_world_send_to_reverb(ct_world *w, double dt) {
    ct_sound_world *const sounds = ct_world_sounds(w);
    ct_sound_listener listeners[CT_SOUND_MAX_LISTENERS];
    ct_vec3 positions[CT_SOUND_MAX_LISTENERS];
    const uint32_t count = ct_sound_listeners(sounds, listeners);
    for (uint32_t i = 0; i < count; ++i)
        positions[i] = listeners[i].position;
    const float wanted =
        w->has_own_reverb ? w->own_reverb : ct_world_reverb_at(w, positions, count);
    const float most = (float)dt / CT_WORLD_SOUND_FADE;
    w->reverb += fminf(fmaxf(wanted - w->reverb, -most), most);
    ct_sound_set_place_send(sounds, w->reverb);
}

void ct_world_set_reverb(ct_world *w, bool has_own, float gain) {
    w->has_own_reverb = has_own;
    w->own_reverb = gain;
}
