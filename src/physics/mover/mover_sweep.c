// Sweeps that stop where the capsule keeps its skin.
#include <math.h>

#include "foundation/math/math.h"
#include "physics/mover/mover_private.h"

enum { MAX_TRIES = 3 };

// Sweeps look ahead by as much again and this many skins, so that something of the skin is kept also
// from what they reach at a small angle.
static const float LOOK_AHEAD = 2;
// The cosine of what counts as moving along a surface and not into it.
static const float ALONG = 1e-3f;

static bool sweep(ct_mover_run *run, ct_vec3 direction, float length, ct_bullet_hit *hit) {
    const ct_rigid_pose from = ct_mover_tools_pose(run->tools, run->position);
    const ct_vec3 to = ct_mover_along(from.position, direction, length);
    ++run->contacts->sweeps;
    if (run->tools->trace)
        run->tools->trace(run->tools->trace_user, from, to);
    return ct_bullet_sweep(run->world, run->tools->capsule, from, to, &run->find, hit);
}

// Moves it a little away from a body that it touches, unless something else is there.
static bool leave(ct_mover_run *run, uint32_t id, ct_vec3 normal) {
    const float skin = run->shape->skin;
    ct_bullet_hit other;
    if (!ct_mover_ignore(run, id))
        return false;
    const bool is_blocked = sweep(run, normal, skin / 2, &other);
    --run->num_ignored;
    if (!is_blocked)
        run->position = ct_mover_along(run->position, normal, skin / 4);
    return !is_blocked;
}

bool ct_mover_sweep(ct_mover_run *run, ct_vec3 direction, float length, ct_mover_hit *hit) {
    const float skin = run->shape->skin, reach = 2 * length + LOOK_AHEAD * skin;
    hit->safe = length;
    for (uint32_t i = 0; i < MAX_TRIES; ++i) {
        if (!sweep(run, direction, reach, &hit->hit))
            return false;
        if (hit->hit.fraction <= 0 && !run->has_recovered) {
            run->has_recovered = true;
            ct_mover_recover(run);
            continue;
        }
        hit->normal = ct_mover_edge_normal(run, &hit->hit, direction);
        hit->touch = hit->hit.fraction * reach;
        const float cosine = -ct_vec3_dot(direction, hit->normal);
        if (cosine > ALONG) {
            const float safe = hit->touch - skin / cosine;
            hit->seen = reach * cosine;
            hit->safe = fminf(fmaxf(safe, 0), length);
            return safe < length;
        }
        // It touches what it moves along or away from: away a little, and again.
        if (!leave(run, hit->hit.id, hit->normal))
            break;
    }
    hit->seen = 0;
    hit->safe = fminf(fmaxf(hit->touch - skin, 0), length);
    return hit->safe < length;
}
