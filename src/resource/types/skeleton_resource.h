// skeleton_resource.h: the blob of a skeleton: named joints, their parents and the rest pose.
//
// Joints are sorted: parents before their children. A joint's number is its position in the array.
// Topmost joints have the entity as their parent, so model space is the entity's space. Clips are
// compiled for the joints of one skeleton by number; `hash` shows whether a clip still fits.
#pragma once
#include "resource/types/resource_types.h"

enum { CT_SKELETON_VERSION = 1, CT_SKELETON_MAX_JOINTS = 1024 };
#define CT_SKELETON_NO_PARENT UINT32_MAX

typedef struct ct_skeleton_joint {
    ct_blob_string name_text; // for messages and tools
    ct_string_id32 name;      // of name_text; unique
    uint32_t parent;          // an earlier joint, or CT_SKELETON_NO_PARENT
    float position[3];        // the rest pose: metres, in the parent's space
    float rotation[4];        // x y z w, of length 1
    float scale[3];
} ct_skeleton_joint;

typedef struct ct_skeleton_resource {
    ct_blob_header header;
    uint64_t hash;        // of names, parents and rest pose
    ct_blob_array joints; // ct_skeleton_joint, 1 to CT_SKELETON_MAX_JOINTS
    float shell;          // metres from a joint at which the error of clips is measured
    uint32_t padding;
} ct_skeleton_resource;

// The fields that the schema reads from a source.
typedef struct ct_skeleton_source {
    float shell;
    ct_sjson_value joints; // array of ct_skeleton_joint_source with ids
} ct_skeleton_source;

typedef struct ct_skeleton_joint_source {
    const char *name;
    const char *parent; // "": the entity
    float position[3];
    float rotation[4];
    float scale[3];
} ct_skeleton_joint_source;

extern const ct_schema ct_skeleton_schema, ct_skeleton_joint_schema;
extern const ct_blob_layout ct_skeleton_layout, ct_skeleton_joint_layout;

// Validates a blob of this type after its header was checked: offsets are inside the blob, parents
// come first, numbers are finite. Returns false with `error`, which names the invalid member. libc
// only.
bool ct_skeleton_validate(const void *blob, ct_error *error);

// Returns the joints and sets `count`. They live as long as the blob.
const ct_skeleton_joint *ct_skeleton_joints(const ct_skeleton_resource *s, uint32_t *count);

// Returns the number of the joint of this name, or CT_SKELETON_NO_PARENT. Linear.
uint32_t ct_skeleton_find(const ct_skeleton_resource *s, ct_string_id32 name);
