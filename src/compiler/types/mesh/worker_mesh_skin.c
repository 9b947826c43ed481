#include "compiler/types/mesh/worker_mesh_skin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/string/string_id.h"

// --- Joints --------------------------------------------------------------------------------------

typedef struct used_joint {
    uint32_t node, joint; // `joint` is the position among the model's
} used_joint;

static int compare_joints(const void *a, const void *b) {
    const used_joint *const x = a, *const y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return x->joint < y->joint ? -1 : x->joint > y->joint;
}

static const ct_worker_influence_set *set_of(const ct_worker_skinning *s,
                                             const ct_worker_mesh_data *m, uint32_t vertex) {
    return &s->sets.items[m->vertices.items[vertex].influences];
}

// Collects the joints that move a vertex, sorted by node.
static used_joint *find_used(const ct_worker_skinning *s, const ct_worker_mesh_data *m,
                             uint32_t *count) {
    ct_allocator *const a = m->allocator;
    bool *const is_used = CT_NEW_ARRAY(a, bool, s->joints.count);
    used_joint *const used = CT_NEW_ARRAY(a, used_joint, s->joints.count);
    *count = 0;
    for (uint32_t i = 0; i < m->vertices.count; ++i) {
        const ct_worker_influence_set *const set = set_of(s, m, i);
        for (uint32_t k = 0; k < CT_MESH_MAX_INFLUENCES && set->weights[k]; ++k) {
            const uint32_t joint = set->joints[k];
            if (!is_used[joint])
                used[(*count)++] = (used_joint){s->joints.items[joint].node, joint};
            is_used[joint] = true;
        }
    }
    qsort(used, *count, sizeof(*used), compare_joints);
    return used;
}

static void fill_joints(const ct_worker_skinning *s, const used_joint *used,
                        ct_worker_mesh_skin *skin) {
    for (uint32_t i = 0; i < skin->num_joints; ++i) {
        const ct_worker_skinning_joint *const from = &s->joints.items[used[i].joint];
        ct_mesh_skin_joint *const joint = &skin->joints[i];
        skin->names[i] = from->name;
        joint->name = ct_string_id32_of(from->name);
        joint->radius = -1;
        memcpy(joint->inverse_bind, from->inverse_bind.rows, sizeof(joint->inverse_bind));
    }
}

// --- Influences ----------------------------------------------------------------------------------

static void fill_influences(const ct_worker_skinning *s, const ct_worker_mesh_data *m,
                            const uint32_t *new_joint, ct_worker_mesh_skin *skin) {
    skin->num_influences = 4;
    for (uint32_t i = 0; i < m->vertices.count; ++i) {
        const ct_worker_influence_set *const set = set_of(s, m, i);
        ct_mesh_influences8 *const to = &skin->influences[i];
        for (uint32_t k = 0; k < CT_MESH_MAX_INFLUENCES && set->weights[k]; ++k) {
            to->joints[k] = (uint8_t)new_joint[set->joints[k]];
            to->weights[k] = set->weights[k];
            skin->num_influences = k >= 4 ? 8 : skin->num_influences;
        }
    }
}

// --- Spheres -------------------------------------------------------------------------------------

// A vertex in a joint's space.
static void bind_point(const ct_mesh_skin_joint *joint, const float p[3], float bound[3]) {
    for (uint32_t row = 0; row < 3; ++row) {
        const float *const m = joint->inverse_bind[row];
        bound[row] = m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3];
    }
}

typedef struct joint_box {
    float min[3], max[3];
} joint_box;

// Around the middle of the box of what each joint moves.
static void fill_spheres(const ct_worker_mesh_data *m, ct_worker_mesh_skin *skin) {
    joint_box *const boxes = CT_NEW_ARRAY(m->allocator, joint_box, skin->num_joints);
    for (uint32_t i = 0; i < skin->num_joints; ++i)
        boxes[i] =
            (joint_box){{HUGE_VALF, HUGE_VALF, HUGE_VALF}, {-HUGE_VALF, -HUGE_VALF, -HUGE_VALF}};
    for (uint32_t pass = 0; pass < 2; ++pass) {
        for (uint32_t i = 0; i < m->vertices.count; ++i) {
            const ct_mesh_influences8 *const all = &skin->influences[i];
            for (uint32_t k = 0; k < CT_MESH_MAX_INFLUENCES && all->weights[k]; ++k) {
                ct_mesh_skin_joint *const joint = &skin->joints[all->joints[k]];
                joint_box *const box = &boxes[all->joints[k]];
                float p[3], distance = 0;
                bind_point(joint, m->vertices.items[i].base.position, p);
                for (uint32_t axis = 0; axis < 3; ++axis) {
                    box->min[axis] = fminf(box->min[axis], p[axis]);
                    box->max[axis] = fmaxf(box->max[axis], p[axis]);
                    joint->center[axis] = 0.5f * box->min[axis] + 0.5f * box->max[axis];
                    distance = hypotf(distance, p[axis] - joint->center[axis]);
                }
                if (pass == 1)
                    joint->radius = fmaxf(joint->radius, distance);
            }
        }
    }
}

static bool are_finite(const ct_worker_mesh_skin *skin) {
    for (uint32_t i = 0; i < skin->num_joints; ++i) {
        const ct_mesh_skin_joint *const joint = &skin->joints[i];
        float sum = joint->center[0] + joint->center[1] + joint->center[2] + joint->radius;
        for (uint32_t k = 0; k < 12; ++k)
            sum += joint->inverse_bind[k / 4][k % 4];
        if (!isfinite(sum))
            return false;
    }
    return true;
}

// --- The whole -----------------------------------------------------------------------------------

static bool fail(const ct_worker_skinning *s, const char *what) {
    return ct_compile_error(s->c, s->c->doc, s->at, "%s: %s", s->source, what);
}

bool ct_worker_mesh_skin_build(const ct_worker_skinning *s, const ct_worker_mesh_data *m,
                               ct_worker_mesh_skin *skin) {
    ct_allocator *const a = m->allocator;
    *skin = (ct_worker_mesh_skin){.allocator = a, .num_vertices = m->vertices.count};
    if (s->joints.count == 0)
        return true;
    used_joint *const used = find_used(s, m, &skin->num_joints);
    if (skin->num_joints > CT_MESH_MAX_SKIN_JOINTS)
        return fail(s, ct_compile_text(s->c,
                                       "found %u joints that move vertices; a mesh can have at "
                                       "most %d: cut it into several meshes",
                                       skin->num_joints, CT_MESH_MAX_SKIN_JOINTS));
    uint32_t *const new_joint = CT_NEW_ARRAY(a, uint32_t, s->joints.count);
    for (uint32_t i = 0; i < skin->num_joints; ++i)
        new_joint[used[i].joint] = i;
    skin->names = CT_NEW_ARRAY(a, const char *, skin->num_joints);
    skin->joints = CT_NEW_ARRAY(a, ct_mesh_skin_joint, skin->num_joints);
    skin->influences = CT_NEW_ARRAY(a, ct_mesh_influences8, skin->num_vertices);
    fill_joints(s, used, skin);
    fill_influences(s, m, new_joint, skin);
    fill_spheres(m, skin);
    return are_finite(skin) ||
           fail(s, "an inverse bind matrix of its skin is not finite, or moves a vertex beyond the "
                   "range of numbers");
}

static ct_blob_array write_influences(const ct_worker_mesh_skin *skin, ct_blob_writer *w) {
    ct_blob_writer_align(w, CT_BLOB_ALIGN);
    if (skin->num_influences == 8)
        return ct_blob_write_items(w, &ct_mesh_influences8_layout, skin->influences,
                                   skin->num_vertices);
    ct_mesh_influences4 *const four =
        CT_NEW_ARRAY(skin->allocator, ct_mesh_influences4, skin->num_vertices);
    for (uint32_t i = 0; i < skin->num_vertices; ++i) {
        memcpy(four[i].joints, skin->influences[i].joints, sizeof(four[i].joints));
        memcpy(four[i].weights, skin->influences[i].weights, sizeof(four[i].weights));
    }
    return ct_blob_write_items(w, &ct_mesh_influences4_layout, four, skin->num_vertices);
}

void ct_worker_mesh_skin_write(const ct_worker_mesh_skin *skin, ct_blob_writer *w,
                               ct_mesh_resource *blob) {
    if (skin->num_joints == 0)
        return;
    for (uint32_t i = 0; i < skin->num_joints; ++i)
        skin->joints[i].name_text = ct_blob_write_string(w, skin->names[i], strlen(skin->names[i]));
    ct_blob_writer_align(w, CT_BLOB_ALIGN);
    blob->skin_joints =
        ct_blob_write_items(w, &ct_mesh_skin_joint_layout, skin->joints, skin->num_joints);
    blob->num_influences = skin->num_influences;
    blob->influences = write_influences(skin, w);
}
