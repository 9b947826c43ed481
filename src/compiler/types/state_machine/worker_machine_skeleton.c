// Reads the skeleton of a state machine, and masks by the names of its joints.
#include <math.h>
#include <string.h>

#include "compiler/types/state_machine/worker_state_machine.h"
#include "foundation/error.h"

enum { UNREAD = UINT32_MAX - 1 };

typedef struct source_joint {
    const char *name, *parent;
    uint32_t number; // UNREAD until it has one
} source_joint;

typedef struct source_skeleton {
    source_joint *joints;
    uint32_t count;
} source_skeleton;

static source_joint *find(const source_skeleton *s, const char *name) {
    for (uint32_t i = 0; i < s->count; ++i) {
        if (strcmp(s->joints[i].name, name) == 0)
            return &s->joints[i];
    }
    return NULL;
}

// Adds a joint after its parents. What is wrong with them, the skeleton's compilation reports.
static uint32_t add_joint(ct_worker_machine *b, const source_skeleton *s, source_joint *joint,
                          uint32_t depth) {
    if (joint->number != UNREAD)
        return joint->number;
    source_joint *const parent = *joint->parent ? find(s, joint->parent) : NULL;
    const uint32_t number =
        parent && depth < s->count ? add_joint(b, s, parent, depth + 1) : CT_SKELETON_NO_PARENT;
    if (joint->number != UNREAD)
        return joint->number; // in a circle of parents
    joint->number = b->joints.count;
    ct_array_push(&b->joints, joint->name);
    ct_array_push(&b->parents, number);
    return joint->number;
}

void ct_worker_machine_skeleton(ct_worker_machine *b) {
    const char *const name = ct_sjson_string(b->doc, b->source.skeleton_value, "");
    uint32_t num_variants;
    ct_compile_list_variants(b->c, "skeleton", name, &num_variants);
    const ct_sjson *const doc =
        num_variants == 0
            ? NULL // which the driver reports
            : ct_compile_read_resource(b->c, "skeleton", name, b->doc, b->source.skeleton_value);
    if (!doc)
        return;
    const ct_sjson_value array = ct_sjson_find(doc, ct_sjson_root(doc), "joints");
    const uint32_t count = ct_sjson_count(doc, array);
    source_skeleton s = {CT_NEW_ARRAY(b->c->allocator, source_joint, (uint64_t)count + 1), 0};
    for (ct_sjson_value v = ct_sjson_first(doc, array); v.entry; v = ct_sjson_next(doc, v)) {
        const char *const joint = ct_sjson_string(doc, ct_sjson_find(doc, v, "name"), "");
        const char *const parent = ct_sjson_string(doc, ct_sjson_find(doc, v, "parent"), "");
        if (s.count < CT_SKELETON_MAX_JOINTS && *joint)
            s.joints[s.count++] = (source_joint){joint, parent, UNREAD};
    }
    for (uint32_t i = 0; i < s.count; ++i)
        add_joint(b, &s, &s.joints[i], 0);
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
