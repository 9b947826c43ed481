#include "resource/types/skeleton_resource.h"

#include <math.h>
#include <stddef.h>

#include "foundation/error.h"

#define AT(type, member) .offset = offsetof(type, member), .size_bytes = sizeof(((type *)0)->member)

static const ct_field joint_fields[] = {
    {.name = "name",
     .type = CT_FIELD_TYPE_STRING,
     AT(ct_skeleton_joint_source, name),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Unique name of the joint: that of the node in the model file."},
    {.name = "parent",
     .type = CT_FIELD_TYPE_STRING,
     AT(ct_skeleton_joint_source, parent),
     .doc = "Name of the parent joint. \"\": the entity."},
    {.name = "position",
     .type = CT_FIELD_TYPE_VECTOR3,
     AT(ct_skeleton_joint_source, position),
     .doc = "Position at rest, in the parent's space.",
     .unit = "m",
     .least = -1e7,
     .most = 1e7},
    {.name = "rotation",
     .type = CT_FIELD_TYPE_QUATERNION,
     AT(ct_skeleton_joint_source, rotation),
     .doc = "Rotation at rest, in the parent's space, as x y z w.",
     .default_value = {0, 0, 0, 1},
     .degrees_name = "rotation_degrees"},
    {.name = "scale",
     .type = CT_FIELD_TYPE_VECTOR3,
     AT(ct_skeleton_joint_source, scale),
     .doc = "Scale at rest, along the joint's own axes.",
     .least = -1e6,
     .most = 1e6,
     .default_value = {1, 1, 1}},
};

const ct_schema ct_skeleton_joint_schema = {
    .name = "joint",
    .doc = "A joint of a skeleton.",
    .size_bytes = sizeof(ct_skeleton_joint_source),
    .num_fields = CT_COUNT_OF(joint_fields),
    .fields = joint_fields,
    .identity = CT_SCHEMA_ID | CT_SCHEMA_REMOVED,
};

static const ct_field fields[] = {
    {.name = "shell",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_skeleton_source, shell),
     .doc = "How far from a joint the error of compressed clips is measured: about the distance of "
            "the skin.",
     .unit = "m",
     .least = 1e-4,
     .most = 1e4,
     .default_value = {0.03}},
    {.name = "joints",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(ct_skeleton_source, joints),
     .flags = CT_FIELD_SET | CT_FIELD_REQUIRED,
     .doc = "The joints: { id name parent position rotation scale }.",
     .schema = &ct_skeleton_joint_schema},
};

const ct_schema ct_skeleton_schema = {
    .name = "skeleton",
    .doc = "Named joints, their parents and their poses at rest.",
    .size_bytes = sizeof(ct_skeleton_source),
    .num_fields = CT_COUNT_OF(fields),
    .fields = fields,
};

// --- The blob ------------------------------------------------------------------------------------

const ct_blob_layout ct_skeleton_joint_layout =
    CT_BLOB_STRUCT(ct_skeleton_joint, CT_BLOB_STRING(ct_skeleton_joint, name_text),
                   CT_BLOB_NUMBERS(4, ct_skeleton_joint, name, scale));

const ct_blob_layout ct_skeleton_layout = CT_BLOB_ROOT(
    ct_skeleton_resource, "a skeleton", CT_BLOB_NUMBERS(8, ct_skeleton_resource, hash, hash),
    CT_BLOB_ARRAY(ct_skeleton_resource, joints, ct_skeleton_joint_layout),
    CT_BLOB_NUMBERS(4, ct_skeleton_resource, shell, padding));

static bool are_finite(const float *numbers, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        if (!isfinite(numbers[i]))
            return false;
    }
    return true;
}

static bool check_joint(const ct_skeleton_joint *joints, uint32_t i, ct_error *error) {
    const ct_skeleton_joint *const j = &joints[i];
    if (j->parent != CT_SKELETON_NO_PARENT && j->parent >= i)
        return ct_error_set(error, "joints[%u].parent: found %u; parents come first", i, j->parent);
    if (!are_finite(j->position, 3) || !are_finite(j->rotation, 4) || !are_finite(j->scale, 3))
        return ct_error_set(error, "joints[%u]: its pose is not finite", i);
    const float *const r = j->rotation;
    const float length2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3];
    if (length2 < 0.99f || length2 > 1.01f)
        return ct_error_set(error, "joints[%u].rotation: found the length %g; expected 1", i,
                            (double)sqrtf(length2));
    return true;
}

bool ct_skeleton_validate(const void *blob, ct_error *error) {
    const ct_skeleton_resource *const s = blob;
    if (!ct_blob_check_layout(&ct_skeleton_layout, s, error))
        return false;
    if (s->joints.count == 0 || s->joints.count > CT_SKELETON_MAX_JOINTS)
        return ct_error_set(error, "joints: found %u; expected 1 to %d", s->joints.count,
                            CT_SKELETON_MAX_JOINTS);
    if (!(s->shell > 0) || !isfinite(s->shell))
        return ct_error_set(error, "shell: found %g; expected a positive number", (double)s->shell);
    const ct_skeleton_joint *const joints = ct_blob_at(s, s->joints.offset);
    for (uint32_t i = 0; i < s->joints.count; ++i) {
        if (!check_joint(joints, i, error))
            return false;
    }
    return true;
}

const ct_skeleton_joint *ct_skeleton_joints(const ct_skeleton_resource *s, uint32_t *count) {
    *count = s->joints.count;
    return ct_blob_at(s, s->joints.offset);
}

uint32_t ct_skeleton_find(const ct_skeleton_resource *s, ct_string_id32 name) {
    uint32_t count;
    const ct_skeleton_joint *const joints = ct_skeleton_joints(s, &count);
    for (uint32_t i = 0; i < count; ++i) {
        if (joints[i].name.value == name.value)
            return i;
    }
    return CT_SKELETON_NO_PARENT;
}
