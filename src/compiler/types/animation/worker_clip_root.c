// Takes root motion out of poses: the entity moves in place of the root joint.
#include <math.h>
#include <string.h>

#include "compiler/types/animation/worker_clip.h"
#include "foundation/math/math.h"

bool ct_worker_clip_find_root(ct_worker_clip_reader *r) {
    const char *const name = r->source.root_joint;
    r->root_joint = 0;
    if (!*name)
        return true;
    r->root_joint = ct_skeleton_find(r->skeleton, ct_string_id32_of(name));
    if (r->root_joint != CT_SKELETON_NO_PARENT)
        return true;
    const char **const names = CT_NEW_ARRAY(r->c->allocator, const char *, r->num_joints);
    for (uint32_t i = 0; i < r->num_joints; ++i)
        names[i] = ct_blob_at(r->skeleton, r->joints[i].name_text.offset);
    const char *const nearest = ct_nearest_name(name, names, r->num_joints);
    const ct_sjson_value at = ct_sjson_find(r->c->doc, ct_sjson_root(r->c->doc), "root_joint");
    return nearest ? ct_compile_error(r->c, r->c->doc, at,
                                      "the skeleton has no joint \"%s\"; did you mean \"%s\"?",
                                      name, nearest)
                   : ct_compile_error(r->c, r->c->doc, at,
                                      "the skeleton has no joint \"%s\"; the first is \"%s\"", name,
                                      names[0]);
}

// Where a joint's space is in the entity's: its parents' poses one after the other. Scales are
// taken along for positions, not for rotations.
typedef struct placement {
    ct_quat rotation;
    ct_mat4 matrix;
} placement;

static placement place_of_parents(const ct_worker_clip_reader *r, const ct_joint_pose *poses,
                                  uint32_t joint) {
    placement p = {ct_quat_identity(), ct_mat4_identity()};
    for (uint32_t i = r->joints[joint].parent; i != CT_SKELETON_NO_PARENT;
         i = r->joints[i].parent) {
        const ct_mat4 local = ct_mat4_compose(poses[i].position, poses[i].rotation, poses[i].scale);
        p.matrix = ct_mat4_mul(local, p.matrix);
        p.rotation = ct_quat_mul(poses[i].rotation, p.rotation);
    }
    return p;
}

// The turn about Z from `first` to `now`, nearest to `before`.
static float heading_of(ct_quat first, ct_quat now, float before) {
    const ct_quat turn = ct_quat_mul(now, ct_quat_conjugate(first));
    if (turn.z * turn.z + turn.w * turn.w < 1e-8f)
        return before; // upside down: it has no heading
    const double pi = 3.14159265358979323846;
    const double heading = 2 * atan2((double)turn.z, (double)turn.w);
    return (float)(heading + 2 * pi * round(((double)before - heading) / (2 * pi)));
}

ct_animation_root_pose ct_worker_clip_take_root(ct_worker_clip_reader *r,
                                                const ct_joint_pose *first, ct_joint_pose *poses) {
    const uint32_t kind = r->source.root_motion, joint = r->root_joint;
    const placement then = place_of_parents(r, first, joint);
    const placement now = place_of_parents(r, poses, joint);
    ct_joint_pose *const pose = &poses[joint];
    const ct_vec3 from = ct_mat4_transform_point(then.matrix, first[joint].position);
    const ct_vec3 to = ct_mat4_transform_point(now.matrix, pose->position);
    ct_animation_root_pose root = {.heading = 0};
    if (kind != CT_ANIMATION_ROOT_HORIZONTAL)
        root.heading =
            heading_of(ct_quat_mul(then.rotation, first[joint].rotation),
                       ct_quat_mul(now.rotation, pose->rotation), r->root_before.heading);
    // The joint stays above the place where it is at first, in the space of the entity.
    const ct_quat turn = ct_quat_axis_angle((ct_vec3){{0, 0, 1}}, root.heading);
    const ct_vec3 turned = ct_quat_rotate(turn, from);
    root.position[0] = to.x - turned.x;
    root.position[1] = to.y - turned.y;
    root.position[2] = kind == CT_ANIMATION_ROOT_ALL ? to.z - from.z : 0;
    const ct_quat back = ct_quat_conjugate(turn);
    const ct_vec3 moved = {
        {to.x - root.position[0], to.y - root.position[1], to.z - root.position[2]}};
    const ct_mat4 inverse = ct_mat4_inverse(now.matrix);
    pose->position = ct_mat4_transform_point(inverse, ct_quat_rotate(back, moved));
    const ct_quat model = ct_quat_mul(back, ct_quat_mul(now.rotation, pose->rotation));
    pose->rotation = ct_quat_normalize(ct_quat_mul(ct_quat_conjugate(now.rotation), model));
    r->root_before = root;
    return root;
}
