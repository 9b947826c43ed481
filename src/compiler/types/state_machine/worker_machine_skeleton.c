// Reads the skeleton of a state machine, and masks by the names of its joints.
#include <math.h>

#include "compiler/types/skeleton/worker_skeleton.h"
#include "compiler/types/state_machine/worker_state_machine.h"
#include "foundation/error.h"

void ct_worker_machine_skeleton(ct_worker_machine *b) {
    const char *const name = ct_sjson_string(b->doc, b->source.skeleton_value, "");
    uint32_t num_variants, count;
    ct_compile_list_variants(b->c, "skeleton", name, &num_variants);
    if (num_variants == 0)
        return; // which the driver reports
    const ct_skeleton_resource *const skeleton =
        ct_worker_skeleton_read(b->c, name, b->source.skeleton_value);
    if (!skeleton)
        return;
    const ct_skeleton_joint *const joints = ct_skeleton_joints(skeleton, &count);
    for (uint32_t i = 0; i < count; ++i) {
        const char *const joint = ct_blob_at(skeleton, joints[i].name_text.offset);
        ct_array_push(&b->joints, joint);
        ct_array_push(&b->parents, joints[i].parent);
    }
}

// --- Masks ---------------------------------------------------------------------------------------

static void read_joint(ct_worker_machine *b, ct_sjson_value v, void *user) {
    float *const weights = user;
    ct_state_machine_joint_source source;
    if (!ct_schema_read(&ct_state_machine_joint_schema, b->doc, v, &source, &b->listener))
        return;
    const uint32_t joint = ct_worker_machine_find(&b->joints, 0, source.joint);
    if (joint == UINT32_MAX) {
        if (b->joints.count > 0)
            ct_worker_machine_unknown(b, source.joint_value, "joint", source.joint, b->joints.items,
                                      b->joints.count);
        return;
    }
    if (!isnan(weights[joint]))
        ct_worker_machine_error(b, source.joint_value, "the joint \"%.64s\" is listed twice",
                                source.joint);
    weights[joint] = source.weight;
}

static void read_mask(ct_worker_machine *b, ct_sjson_value v, void *user) {
    (void)user;
    ct_state_machine_mask_source source;
    if (!ct_schema_read(&ct_state_machine_mask_schema, b->doc, v, &source, &b->listener) ||
        !ct_worker_machine_name(b, source.name_value, "mask", source.name, &b->masks, 0))
        return;
    const uint32_t count = b->joints.count;
    float *const weights = CT_NEW_ARRAY(b->c->allocator, float, (uint64_t)count + 1);
    for (uint32_t i = 0; i < count; ++i)
        weights[i] = NAN;
    ct_worker_machine_each(b, source.joints, read_joint, weights);
    for (uint32_t i = 0; i < count; ++i) {
        if (isnan(weights[i]))
            weights[i] =
                b->parents.items[i] == CT_SKELETON_NO_PARENT ? 0 : weights[b->parents.items[i]];
    }
    ct_array_push_many(&b->mask_weights, weights, count);
    ct_array_push(&b->masks, source.name);
}

void ct_worker_machine_masks(ct_worker_machine *b) {
    ct_worker_machine_each(b, b->source.masks, read_mask, NULL);
}
