// Steps: up, on, and down again.
#include <math.h>

#include "foundation/math/math.h"
#include "physics/mover/mover_private.h"

// Sweeps down from where it is and lands on ground that is no higher than a step.
static bool land_on_step(ct_mover_run *run, float raised, float least_height) {
    ct_mover_hit hit;
    ct_vec3 surface;
    const ct_vec3 down = ct_vec3_scale(run->up, -1);
    if (!ct_mover_sweep(run, down, raised + run->shape->skin, &hit) ||
        !ct_mover_is_walkable(run, &hit, &surface))
        return false;
    const float rise = ct_vec3_dot(hit.support, run->up) - run->support_height;
    if (rise > run->shape->step_height + run->shape->skin / 2)
        return false;
    ct_mover_land(run, &hit, surface);
    return ct_vec3_dot(run->position, run->up) > least_height;
}

// Goes up by a step, on by `forward`, and down onto it.
static bool try_step(ct_mover_run *run, ct_vec3 direction, float forward, float *used) {
    const float skin = run->shape->skin, height = ct_vec3_dot(run->position, run->up);
    ct_mover_hit above, ahead;
    ct_mover_sweep(run, run->up, run->shape->step_height, &above);
    if (above.safe < skin)
        return false;
    run->position = ct_mover_along(run->position, run->up, above.safe);
    ct_mover_sweep(run, direction, forward, &ahead);
    if (ahead.safe < fminf(forward, skin))
        return false;
    run->position = ct_mover_along(run->position, direction, ahead.safe);
    *used = ahead.safe;
    return land_on_step(run, above.safe, height + skin / 4);
}

bool ct_mover_step_up(ct_mover_run *run, ct_vec3 motion, ct_vec3 wall, float *used) {
    const float skin = run->shape->skin, length = ct_vec3_length(motion);
    if (run->shape->step_height <= skin || length < 1e-5f)
        return false;
    const ct_vec3 direction = ct_vec3_scale(motion, 1 / length);
    const float into = -ct_vec3_dot(direction, wall);
    if (into < 0.2f)
        return false; // it walks along it
    const ct_vec3 start = run->position, ground_normal = run->ground_normal;
    const ct_mover_contacts contacts = *run->contacts;
    // A slow walker does not get over the edge in one move: then as far as that takes.
    const float least = 1.5f * skin / into;
    const float ways[2] = {length, least};
    for (uint32_t i = 0; i < (length < least ? 2u : 1u); ++i) {
        if (try_step(run, direction, ways[i], used))
            return true;
        const uint32_t sweeps = run->contacts->sweeps;
        *run->contacts = contacts;
        run->contacts->sweeps = sweeps;
        run->position = start;
        run->ground_normal = ground_normal;
    }
    return false;
}
