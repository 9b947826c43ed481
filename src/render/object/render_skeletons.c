#include "render/object/render_skeletons.h"

#include <math.h>
#include <string.h>

#include "foundation/log.h"

// --- Life cycle ----------------------------------------------------------------------------------

void ct_render_skeletons_init(ct_render_skeletons *s, ct_allocator *a) {
    *s = (ct_render_skeletons){.allocator = a};
    ct_hash_map_init(&s->position_of_id, a);
    ct_array_init(&s->skeletons, a);
    ct_array_push(&s->skeletons, (ct_render_skeleton){.num_joints = 0});
    ct_array_init(&s->skins, a);
    ct_array_push(&s->skins, (ct_render_skin){.object = 0});
}

static void free_skeleton(ct_render_skeletons *s, ct_render_skeleton *x) {
    ct_free(s->allocator, x->names);
    ct_free(s->allocator, x->poses[0]);
    *x = (ct_render_skeleton){.next_free = 0};
}

static void free_skin(ct_render_skeletons *s, ct_render_skin *x) {
    ct_free(s->allocator, x->joints);
    *x = (ct_render_skin){.object = 0};
}

void ct_render_skeletons_free(ct_render_skeletons *s) {
    for (uint32_t i = 0; i < s->skeletons.count; ++i)
        free_skeleton(s, &s->skeletons.items[i]);
    for (uint32_t i = 0; i < s->skins.count; ++i)
        free_skin(s, &s->skins.items[i]);
    ct_array_free(&s->skeletons);
    ct_array_free(&s->skins);
    ct_hash_map_free(&s->position_of_id);
    *s = (ct_render_skeletons){0};
}

// --- Skeletons -----------------------------------------------------------------------------------

void ct_render_skeletons_add(ct_render_skeletons *s, ct_render_skeleton_id id,
                             const ct_string_id32 *names, uint32_t num_joints) {
    uint32_t at = s->first_free_skeleton;
    if (at) {
        s->first_free_skeleton = s->skeletons.items[at].next_free;
    } else {
        at = s->skeletons.count;
        ct_array_push(&s->skeletons, (ct_render_skeleton){.num_joints = 0});
    }
    ct_render_skeleton *const x = &s->skeletons.items[at];
    *x = (ct_render_skeleton){.id = id, .num_joints = num_joints};
    x->names = ct_alloc(s->allocator, sizeof(*names) * (uint64_t)num_joints);
    memcpy(x->names, names, sizeof(*names) * (uint64_t)num_joints);
    x->poses[0] = CT_NEW_ARRAY(s->allocator, ct_render_joint_pose, 2 * (uint64_t)num_joints);
    x->poses[1] = x->poses[0] + num_joints;
    ct_hash_map_set(&s->position_of_id, id.value, at);
}

static uint32_t find(const ct_render_skeletons *s, ct_render_skeleton_id id) {
    return id.value ? (uint32_t)ct_hash_map_get(&s->position_of_id, id.value, 0) : 0;
}

void ct_render_skeletons_remove(ct_render_skeletons *s, ct_render_skeleton_id id) {
    const uint32_t at = find(s, id);
    if (!at)
        return;
    free_skeleton(s, &s->skeletons.items[at]);
    s->skeletons.items[at].next_free = s->first_free_skeleton;
    s->first_free_skeleton = at;
    ct_hash_map_erase(&s->position_of_id, id.value);
}

void ct_render_skeletons_set_pose(ct_render_skeletons *s, ct_render_skeleton_id id,
                                  const ct_render_joint_pose *joints, uint32_t num_joints,
                                  uint64_t frame) {
    const uint32_t at = find(s, id);
    ct_render_skeleton *const x = &s->skeletons.items[at];
    if (!at || x->num_joints != num_joints)
        return;
    const bool is_first = x->version == 0;
    if (x->frame != frame)
        x->current ^= 1;
    memcpy(x->poses[x->current], joints, sizeof(*joints) * (uint64_t)num_joints);
    if (is_first) // nothing was before
        memcpy(x->poses[x->current ^ 1], joints, sizeof(*joints) * (uint64_t)num_joints);
    x->frame = frame;
    ++x->version;
}

const ct_render_joint_pose *ct_render_skeleton_pose(const ct_render_skeleton *skeleton) {
    return skeleton->poses[skeleton->current];
}

const ct_render_joint_pose *ct_render_skeleton_previous(const ct_render_skeleton *skeleton,
                                                        uint64_t frame) {
    return skeleton->poses[skeleton->current ^ (skeleton->frame == frame)];
}

// --- Skins ---------------------------------------------------------------------------------------

uint32_t ct_render_skins_add(ct_render_skeletons *s, uint32_t object, ct_render_skeleton_id id) {
    uint32_t at = s->first_free_skin;
    if (at) {
        s->first_free_skin = s->skins.items[at].object;
    } else {
        at = s->skins.count;
        ct_array_push(&s->skins, (ct_render_skin){.object = 0});
    }
    s->skins.items[at] = (ct_render_skin){
        .object = object, .skeleton = find(s, id), .id = id, .is_used = true, .is_moved = true};
    ++s->num_skins;
    return at;
}

void ct_render_skins_remove(ct_render_skeletons *s, uint32_t skin) {
    free_skin(s, &s->skins.items[skin]);
    s->skins.items[skin].object = s->first_free_skin;
    s->first_free_skin = skin;
    --s->num_skins;
}

static void warn_of_missing(ct_render_meshes *meshes, uint32_t index, uint32_t joint,
                            uint32_t num_missing) {
    ct_render_mesh *const mesh = &meshes->items.items[index];
    if (!num_missing || mesh->has_warned)
        return;
    mesh->has_warned = true;
    ct_log_warning("render", "skin_joint_missing",
                   "the skeleton of the mesh \"%s\" does not have its joint \"%s\"%s; what the "
                   "joint moves stays as it was modelled",
                   ct_string_id64_name(mesh->name),
                   ct_string_id32_name(mesh->skin_joints[joint].name),
                   num_missing > 1 ? ", and others" : "");
}

// The joints of a mesh mostly come in the order of the skeleton's: the search goes on from the last
// one found.
static void find_joints(ct_render_skeletons *s, ct_render_skin *skin, ct_render_meshes *meshes,
                        uint32_t index) {
    const ct_render_mesh *const mesh = &meshes->items.items[index];
    const ct_render_skeleton *const skeleton = &s->skeletons.items[skin->skeleton];
    ct_free(s->allocator, skin->joints);
    skin->num_joints = mesh->num_skin_joints;
    skin->joints = ct_alloc(s->allocator, sizeof(uint16_t) * (uint64_t)skin->num_joints);
    uint32_t at = 0, missing = 0, num_missing = 0;
    for (uint32_t i = 0; i < skin->num_joints; ++i) {
        const uint32_t name = mesh->skin_joints[i].name.value;
        uint32_t tried = 0;
        for (; tried < skeleton->num_joints && skeleton->names[at].value != name; ++tried)
            at = at + 1 < skeleton->num_joints ? at + 1 : 0;
        const bool is_found = tried < skeleton->num_joints;
        skin->joints[i] = is_found ? (uint16_t)at : CT_RENDER_NO_JOINT;
        missing = is_found || num_missing ? missing : i;
        num_missing += !is_found;
    }
    warn_of_missing(meshes, index, missing, num_missing);
}

static float greater(float a, float b) {
    return a > b ? a : b;
}

float ct_render_most_scale(const float rows[3][4]) {
    const float *const a = rows[0], *const b = rows[1], *const c = rows[2];
    const float xx = a[0] * a[0] + b[0] * b[0] + c[0] * c[0];
    const float yy = a[1] * a[1] + b[1] * b[1] + c[1] * c[1];
    const float zz = a[2] * a[2] + b[2] * b[2] + c[2] * c[2];
    const float xy = fabsf(a[0] * a[1] + b[0] * b[1] + c[0] * c[1]);
    const float yz = fabsf(a[1] * a[2] + b[1] * b[2] + c[1] * c[2]);
    const float zx = fabsf(a[2] * a[0] + b[2] * b[0] + c[2] * c[0]);
    // The greatest sum of a row of the transform's square bounds its greatest eigenvalue.
    return sqrtf(greater(xx + xy + zx, greater(yy + xy + yz, zz + yz + zx)));
}

// Moves a sphere (centre, radius) by a transform.
static void move_sphere(const float rows[3][4], const float sphere[4], float moved[4]) {
    for (uint32_t row = 0; row < 3; ++row)
        moved[row] = rows[row][0] * sphere[0] + rows[row][1] * sphere[1] +
                     rows[row][2] * sphere[2] + rows[row][3];
    moved[3] = sphere[3] * ct_render_most_scale(rows);
}

// The sphere of what joint `i` moves, in the entity's space; radius < 0: nothing.
static void pose_joint(const ct_render_skin *skin, const ct_render_mesh *mesh,
                       const ct_render_joint_pose *pose, uint32_t i, float sphere[4]) {
    const ct_render_skin_joint *const joint = &mesh->skin_joints[i];
    if (joint->sphere[3] < 0.0f) {
        sphere[3] = -1.0f;
    } else if (skin->joints[i] == CT_RENDER_NO_JOINT) {
        memcpy(sphere, mesh->center, sizeof(mesh->center));
        sphere[3] = mesh->radius;
    } else {
        move_sphere(pose[skin->joints[i]].rows, joint->sphere, sphere);
    }
}

// Finds the sphere around the middle of the box of all joints' spheres: blended points lie between
// those of their joints.
static void find_sphere(ct_render_skin *skin, const ct_render_mesh *mesh,
                        const ct_render_joint_pose *pose) {
    float min[3] = {INFINITY, INFINITY, INFINITY}, max[3] = {-INFINITY, -INFINITY, -INFINITY};
    float spheres[CT_MESH_MAX_SKIN_JOINTS][4];
    for (uint32_t i = 0; i < skin->num_joints; ++i) {
        float *const sphere = spheres[i];
        pose_joint(skin, mesh, pose, i, sphere);
        for (uint32_t axis = 0; axis < 3 && sphere[3] >= 0.0f; ++axis) {
            min[axis] = -greater(-min[axis], sphere[3] - sphere[axis]);
            max[axis] = greater(max[axis], sphere[axis] + sphere[3]);
        }
    }
    // Becomes not a number when a sphere is not finite; minima and maxima would hide that.
    float poison = 0.0f;
    skin->radius = 0.0f;
    for (uint32_t axis = 0; axis < 3; ++axis)
        skin->center[axis] = 0.5f * (min[axis] + max[axis]);
    for (uint32_t i = 0; i < skin->num_joints; ++i) {
        const float *const sphere = spheres[i];
        if (sphere[3] < 0.0f)
            continue;
        const float x = sphere[0] - skin->center[0], y = sphere[1] - skin->center[1],
                    z = sphere[2] - skin->center[2];
        skin->radius = greater(sqrtf(x * x + y * y + z * z) + sphere[3], skin->radius);
        poison += 0.0f * (sphere[0] + sphere[1] + sphere[2] + sphere[3]);
    }
    skin->radius += poison;
}

bool ct_render_skin_update(ct_render_skeletons *s, ct_render_skin *skin, ct_render_meshes *meshes,
                           uint32_t mesh) {
    const ct_render_mesh *const drawn = &meshes->items.items[mesh];
    const ct_render_skeleton *const skeleton = &s->skeletons.items[skin->skeleton];
    const bool is_moved = skin->is_moved, was_posed = skin->is_posed;
    skin->is_moved = false;
    skin->is_posed = drawn->buffer.handle && drawn->num_influences && skin->id.value &&
                     skeleton->id.value == skin->id.value && skeleton->version;
    if (!skin->is_posed)
        return was_posed || is_moved;
    const bool is_new = skin->mesh != mesh || skin->mesh_version != drawn->changed_version;
    if (!is_new && was_posed && skin->pose_version == skeleton->version)
        return is_moved;
    if (is_new || !was_posed)
        find_joints(s, skin, meshes, mesh);
    find_sphere(skin, drawn, ct_render_skeleton_pose(skeleton));
    skin->mesh = mesh;
    skin->mesh_version = drawn->changed_version;
    skin->pose_version = skeleton->version;
    return true;
}

// --- Palettes ------------------------------------------------------------------------------------

typedef float vector __attribute__((vector_size(16)));

static vector load(const float from[4]) {
    vector v;
    memcpy(&v, from, sizeof(v));
    return v;
}

static void write_joint(const ct_render_joint_pose *pose, const ct_render_skin_joint *joint,
                        float (*rows)[4]) {
    const vector x = load(joint->inverse_bind[0]), y = load(joint->inverse_bind[1]),
                 z = load(joint->inverse_bind[2]);
    for (uint32_t row = 0; row < 3; ++row) {
        const float *const m = pose->rows[row];
        const vector place = {0.0f, 0.0f, 0.0f, m[3]};
        const vector result = x * m[0] + y * m[1] + z * m[2] + place;
        memcpy(rows[row], &result, sizeof(result));
    }
}

void ct_render_skin_write(const ct_render_skin *skin, const ct_render_mesh *mesh,
                          const ct_render_joint_pose *pose, float (*rows)[4]) {
    static const float identity[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    for (uint32_t i = 0; i < skin->num_joints; ++i) {
        if (skin->joints[i] == CT_RENDER_NO_JOINT)
            memcpy(rows + 3 * i, identity, sizeof(identity));
        else
            write_joint(&pose[skin->joints[i]], &mesh->skin_joints[i], rows + 3 * i);
    }
}
