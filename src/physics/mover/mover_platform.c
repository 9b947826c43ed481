// Standing on bodies that move.
#include <math.h>

#include "foundation/math/math.h"
#include "physics/mover/mover_private.h"

static bool are_equal(ct_rigid_pose a, ct_rigid_pose b) {
    const ct_vec3 p = ct_vec3_sub(a.position, b.position);
    return ct_vec3_dot(p, p) == 0 && a.rotation.x == b.rotation.x && a.rotation.y == b.rotation.y &&
           a.rotation.z == b.rotation.z && a.rotation.w == b.rotation.w;
}

// Returns the angle about `axis` (length 1) that a rotation turns by, -pi to pi.
static float twist(ct_quat q, ct_vec3 axis) {
    const float along = q.x * axis.x + q.y * axis.y + q.z * axis.z;
    const float half = atan2f(along, q.w);
    const float pi = 3.14159265f;
    return half > pi / 2 ? 2 * half - 2 * pi : half < -pi / 2 ? 2 * half + 2 * pi : 2 * half;
}

void ct_mover_carry(ct_mover_run *run, const ct_mover_state *state) {
    if (!state->has_ground_pose || !state->contacts.down)
        return;
    const uint32_t id = state->contacts.ground;
    const ct_bullet_body *const body = ct_mover_body(run, id);
    if (!body)
        return;
    const ct_rigid_pose last = state->ground_pose, now = ct_bullet_body_pose(body);
    if (are_equal(last, now))
        return;
    const ct_quat turn = ct_quat_mul(now.rotation, ct_quat_conjugate(last.rotation));
    const ct_vec3 arm = ct_vec3_sub(run->position, last.position);
    const ct_vec3 moved = ct_vec3_add(now.position, ct_quat_rotate(turn, arm));
    const ct_vec3 motion = ct_vec3_sub(moved, run->position);
    run->contacts->turned = twist(turn, run->up);
    run->ground_normal = ct_quat_rotate(turn, run->ground_normal);
    run->support_height += ct_vec3_dot(motion, run->up);
    if (ct_vec3_length(motion) < 1e-6f || !ct_mover_ignore(run, id))
        return;
    ct_mover_slide_plain(run, motion);
    --run->num_ignored;
}

void ct_mover_hold_ground(const ct_mover_run *run, ct_mover_state *state) {
    const ct_bullet_body *const body =
        state->contacts.down ? ct_mover_body(run, state->contacts.ground) : NULL;
    state->has_ground_pose = body != NULL;
    if (body)
        state->ground_pose = ct_bullet_body_pose(body);
}
