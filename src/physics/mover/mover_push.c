// Pushing dynamic bodies, and being pushed.
#include <math.h>

#include "foundation/math/math.h"
#include "physics/mover/mover_private.h"

// Bodies that come nearer than this share of the skin push the mover away.
static const float YIELD = 0.5f;

void ct_mover_push(ct_mover_run *run, const ct_mover_hit *hit) {
    ct_bullet_body *const body = ct_mover_body(run, hit->hit.id);
    const float mass = body ? ct_bullet_body_mass(body) : 0;
    const ct_vec3 flat = ct_mover_flatten(hit->normal, run->up);
    const float length = ct_vec3_length(flat);
    if (mass <= 0 || length < 0.5f || hit->hit.id == run->pushed)
        return;
    run->pushed = hit->hit.id;
    const ct_vec3 direction = ct_vec3_scale(flat, -1 / length);
    // At the height of the centre of mass: what is pushed slides and turns, but does not topple.
    const float height = ct_vec3_dot(ct_bullet_body_center(body), run->up);
    const float at_height = ct_vec3_dot(hit->hit.position, run->up);
    const ct_vec3 at = ct_mover_along(hit->hit.position, run->up, height - at_height);
    const float wanted = ct_vec3_dot(run->lateral, direction) / run->dt;
    const float missing = wanted - ct_vec3_dot(ct_bullet_body_velocity_at(body, at), direction);
    const float impulse = fminf(missing * mass, run->shape->push_force * run->dt);
    if (impulse > 0)
        ct_bullet_body_add_impulse(body, ct_vec3_scale(direction, impulse), at);
}

void ct_mover_press_ground(ct_mover_run *run) {
    ct_bullet_body *const body = ct_mover_body(run, run->contacts->ground);
    if (!body || run->shape->mass <= 0 || ct_bullet_body_mass(body) <= 0)
        return;
    const float weight = run->shape->mass * ct_vec3_length(ct_bullet_world_gravity(run->world));
    ct_bullet_body_add_impulse(body, ct_vec3_scale(run->up, -weight * run->dt),
                               run->contacts->ground_position);
}

void ct_mover_yield(ct_mover_run *run) {
    ct_bullet_find find = run->find;
    find.kinds &= ~(uint32_t)CT_BULLET_FIND_STATIC;
    if (!(find.kinds & (CT_BULLET_FIND_KINEMATIC | CT_BULLET_FIND_DYNAMIC)))
        return;
    ct_bullet_overlap overlaps[CT_MOVER_MAX_OVERLAPS];
    const float distance = YIELD * run->shape->skin;
    const uint32_t count = ct_bullet_overlaps(run->world, run->tools->capsule,
                                              ct_mover_tools_pose(run->tools, run->position),
                                              distance, &find, overlaps, CT_MOVER_MAX_OVERLAPS);
    if (count == 0)
        return;
    const ct_vec3 motion = ct_mover_way_out(overlaps, count, distance);
    const uint32_t num_ignored = run->num_ignored;
    for (uint32_t i = 0; i < count; ++i) {
        if (i == 0 || overlaps[i].id != overlaps[i - 1].id)
            ct_mover_ignore(run, overlaps[i].id);
    }
    ct_mover_slide_plain(run, motion);
    run->num_ignored = num_ignored;
}
