#include "compiler/types/model/worker_fbx_nodes.h"

#include <math.h>
#include <string.h>

#include <assimp/scene.h>

#include "foundation/error.h"

// The properties that make up a model's transform.
enum {
    TRANSLATION,
    ROTATION,
    SCALING,
    ROTATION_OFFSET,
    ROTATION_PIVOT,
    PRE_ROTATION,
    POST_ROTATION,
    SCALING_OFFSET,
    SCALING_PIVOT,
    GEOMETRIC_TRANSLATION,
    GEOMETRIC_ROTATION,
    GEOMETRIC_SCALING,
    ROTATION_ORDER,
    INHERIT_TYPE,
    VISIBILITY,
    SHOW,
    NUM_PROPERTIES,
};

static const ct_worker_fbx_property properties[NUM_PROPERTIES] = {
    [TRANSLATION] = {"Lcl Translation", 3},
    [ROTATION] = {"Lcl Rotation", 3},
    [SCALING] = {"Lcl Scaling", 3},
    [ROTATION_OFFSET] = {"RotationOffset", 3},
    [ROTATION_PIVOT] = {"RotationPivot", 3},
    [PRE_ROTATION] = {"PreRotation", 3},
    [POST_ROTATION] = {"PostRotation", 3},
    [SCALING_OFFSET] = {"ScalingOffset", 3},
    [SCALING_PIVOT] = {"ScalingPivot", 3},
    [GEOMETRIC_TRANSLATION] = {"GeometricTranslation", 3},
    [GEOMETRIC_ROTATION] = {"GeometricRotation", 3},
    [GEOMETRIC_SCALING] = {"GeometricScaling", 3},
    [ROTATION_ORDER] = {"RotationOrder", 1},
    [INHERIT_TYPE] = {"InheritType", 1},
    [VISIBILITY] = {"Visibility", 1},
    [SHOW] = {"Show", 1},
};

// How a node takes over its parent's scale (S) and its own rotation (r) and scale (s), with the
// parent's rotation (R), as the FBX SDK calls it.
typedef enum inherit_type {
    INHERIT_RRSS, // R r S s: the parent's scale is along the node's axes
    INHERIT_RSRS, // R S r s
    INHERIT_RRS,  // R r S s, without what the parent itself is scaled by
} inherit_type;

// What a model says of its transform.
typedef struct model {
    const char *name;
    ct_worker_matrix local;    // as if it inherited by INHERIT_RSRS
    ct_worker_matrix rotation; // of `local`
    ct_worker_matrix scaling;  // of `local`
    ct_worker_matrix geometry;
    inherit_type inherit_type;
} model;

// The scale of a node in the whole scene, in its own axes: its world transform is its rotation
// times this. With shear, where it has any.
typedef struct scales {
    ct_worker_matrix before, after; // what the node itself is scaled by
} scales;

typedef struct waiting_node {
    uint32_t object, parent, depth;
} waiting_node;

typedef struct node_reader {
    ct_compile *c;
    const ct_worker_fbx_objects *objects;
    ct_worker_scene *scene;
    ct_error *error;
    float defaults[NUM_PROPERTIES][3];
    const model **models; // by object; NULL: not read yet
    CT_ARRAY(scales) scales;
    CT_ARRAY(waiting_node) waiting;
} node_reader;

// --- Matrices ------------------------------------------------------------------------------------

static ct_worker_matrix moving(const float v[3], float sign) {
    return (ct_worker_matrix){
        {{1, 0, 0, sign * v[0]}, {0, 1, 0, sign * v[1]}, {0, 0, 1, sign * v[2]}}};
}

static ct_worker_matrix scaling(const float v[3]) {
    return (ct_worker_matrix){{{v[0], 0, 0, 0}, {0, v[1], 0, 0}, {0, 0, v[2], 0}}};
}

static ct_worker_matrix turning(uint32_t axis, float degrees) {
    const double radians = (double)degrees * 0.017453292519943295;
    const float cosine = (float)cos(radians), sine = (float)sin(radians);
    const uint32_t next = (axis + 1) % 3, last = (axis + 2) % 3;
    ct_worker_matrix m = {{{0}}};
    m.rows[axis][axis] = 1;
    m.rows[next][next] = m.rows[last][last] = cosine;
    m.rows[last][next] = sine;
    m.rows[next][last] = -sine;
    return m;
}

// About the axes in this order, of the FBX SDK's RotationOrder.
static ct_worker_matrix rotation(const float degrees[3], uint32_t order) {
    static const uint8_t axes[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0},
                                       {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};
    ct_worker_matrix m = ct_worker_matrix_identity();
    for (uint32_t i = 0; i < 3; ++i) {
        const uint32_t axis = axes[order][i];
        const ct_worker_matrix turn = turning(axis, degrees[axis]);
        m = ct_worker_matrix_multiply(&turn, &m);
    }
    return m;
}

// Of a rotation.
static ct_worker_matrix transposed(const ct_worker_matrix *m) {
    ct_worker_matrix t = {{{0}}};
    for (uint32_t row = 0; row < 3; ++row) {
        for (uint32_t column = 0; column < 3; ++column)
            t.rows[row][column] = m->rows[column][row];
    }
    return t;
}

static ct_worker_matrix product(const ct_worker_matrix *const *factors, uint32_t count) {
    ct_worker_matrix m = *factors[0];
    for (uint32_t i = 1; i < count; ++i)
        m = ct_worker_matrix_multiply(&m, factors[i]);
    return m;
}

#define PRODUCT(...)                                                                               \
    product((const ct_worker_matrix *const[]){__VA_ARGS__},                                        \
            CT_COUNT_OF(((const ct_worker_matrix *const[]){__VA_ARGS__})))

// True for a scale by one number along all axes, but for errors of rounding: rotations do not mind
// whether they come before or after it.
static bool is_uniform(const ct_worker_matrix *m) {
    const float size = fabsf(m->rows[0][0]) + fabsf(m->rows[1][1]) + fabsf(m->rows[2][2]);
    float largest = 0;
    for (uint32_t i = 0; i < 9; ++i) {
        const uint32_t row = i / 3, column = i % 3;
        const float wanted = row == column ? m->rows[0][0] : 0;
        largest = fmaxf(largest, fabsf(m->rows[row][column] - wanted));
    }
    return largest <= 1e-6f * size;
}

static bool is_identity(const ct_worker_matrix *m) {
    for (uint32_t i = 0; i < 12; ++i) {
        if (m->rows[i / 4][i % 4] != (i / 4 == i % 4 ? 1.0f : 0.0f))
            return false;
    }
    return true;
}

// --- Models --------------------------------------------------------------------------------------

// Returns the number if it is one of 0 to `most`; otherwise warns, and returns 0.
static uint32_t choice(node_reader *r, const model *m, float value, uint32_t most,
                       const char *name) {
    if (value >= 0 && value <= (float)most)
        return (uint32_t)value;
    ct_worker_scene_warn(r->c, r->scene,
                         ct_compile_text(r->c, "node \"%s\" has the %s %g, which is read as 0",
                                         m->name, name, (double)value));
    return 0;
}

// The transforms of the FBX SDK's reference; only the node's own rotation has an order.
static void set_matrices(model *m, float (*v)[3], uint32_t order) {
    const ct_worker_matrix move = moving(v[TRANSLATION], 1), turn = rotation(v[ROTATION], order);
    const ct_worker_matrix turn_offset = moving(v[ROTATION_OFFSET], 1);
    const ct_worker_matrix to_turn_pivot = moving(v[ROTATION_PIVOT], 1);
    const ct_worker_matrix from_turn_pivot = moving(v[ROTATION_PIVOT], -1);
    const ct_worker_matrix before = rotation(v[PRE_ROTATION], 0);
    const ct_worker_matrix after = rotation(v[POST_ROTATION], 0);
    const ct_worker_matrix undo_after = transposed(&after);
    const ct_worker_matrix scale_offset = moving(v[SCALING_OFFSET], 1);
    const ct_worker_matrix to_scale_pivot = moving(v[SCALING_PIVOT], 1);
    const ct_worker_matrix from_scale_pivot = moving(v[SCALING_PIVOT], -1);
    const ct_worker_matrix geometry_move = moving(v[GEOMETRIC_TRANSLATION], 1);
    const ct_worker_matrix geometry_turn = rotation(v[GEOMETRIC_ROTATION], 0);
    const ct_worker_matrix geometry_scale = scaling(v[GEOMETRIC_SCALING]);
    m->scaling = scaling(v[SCALING]);
    m->rotation = PRODUCT(&before, &turn, &undo_after);
    m->local = PRODUCT(&move, &turn_offset, &to_turn_pivot, &m->rotation, &from_turn_pivot,
                       &scale_offset, &to_scale_pivot, &m->scaling, &from_scale_pivot);
    m->geometry = PRODUCT(&geometry_move, &geometry_turn, &geometry_scale);
}

static const model *model_of(node_reader *r, uint32_t object) {
    if (r->models[object])
        return r->models[object];
    float values[NUM_PROPERTIES][3];
    memcpy(values, r->defaults, sizeof(values));
    ct_worker_fbx_read_properties(r->objects->records, r->objects->items.items[object].record,
                                  properties, NUM_PROPERTIES, values);
    model *const m = CT_NEW(r->c->allocator, model);
    m->name = ct_worker_fbx_object_name(r->c, r->objects, object);
    m->inherit_type = (inherit_type)choice(r, m, values[INHERIT_TYPE][0], 2, "InheritType");
    set_matrices(m, values, choice(r, m, values[ROTATION_ORDER][0], 5, "RotationOrder"));
    if ((values[VISIBILITY][0] <= 0 || values[SHOW][0] == 0) &&
        strcmp(ct_worker_fbx_object_class(r->c, r->objects, object), "Mesh") == 0)
        ct_worker_scene_warn(
            r->c, r->scene,
            ct_compile_text(r->c, "node \"%s\" is hidden in the file; it is drawn", m->name));
    r->models[object] = m;
    return m;
}

// --- Inheritance ---------------------------------------------------------------------------------

// Returns the transform of `m` to its parent's space, and sets the scale that it has in the scene.
// With the parent's world rotation R and scale S, what R r S s is in the parent's space is 1/S r S
// s. Where the node is does not depend on how it inherits.
static ct_worker_matrix inherit(node_reader *r, const model *m, const model *parent,
                                const scales *of_parent, scales *own) {
    const ct_worker_matrix *const turn = &m->rotation;
    const bool leaves_out = m->inherit_type == INHERIT_RRS && !is_identity(&parent->scaling);
    const bool is_other =
        m->inherit_type == INHERIT_RRSS && !is_identity(turn) && !is_uniform(&of_parent->after);
    const ct_worker_matrix back = transposed(turn);
    ct_worker_matrix local = m->local, inverse;
    own->before = PRODUCT(&back, &of_parent->after, turn);
    if (leaves_out || is_other) {
        const ct_worker_matrix *const taken = leaves_out ? &of_parent->before : &of_parent->after;
        if (ct_worker_matrix_inverse(&of_parent->after, &inverse)) {
            own->before = *taken;
            local = PRODUCT(&inverse, turn, taken, &m->scaling);
            for (uint32_t i = 0; i < 3; ++i)
                local.rows[i][3] = m->local.rows[i][3];
        } else {
            ct_worker_scene_warn(
                r->c, r->scene,
                ct_compile_text(r->c,
                                "node \"%s\" has a flat parent, so its InheritType is left out",
                                m->name));
        }
    }
    own->after = ct_worker_matrix_multiply(&own->before, &m->scaling);
    return local;
}

// --- The tree ------------------------------------------------------------------------------------

static bool wait_for_models(node_reader *r, uint32_t object, uint32_t parent, uint32_t depth) {
    const ct_worker_fbx_object *const o = &r->objects->items.items[object];
    const uint64_t num_nodes = (uint64_t)r->scene->nodes.count + r->waiting.count + o->num_models;
    if (num_nodes > CT_WORKER_SCENE_MAX_NODES)
        return ct_error_set(r->error, "has too many nodes; expected at most %u",
                            CT_WORKER_SCENE_MAX_NODES);
    if (o->num_models > 0 && depth > CT_WORKER_SCENE_MAX_DEPTH)
        return ct_error_set(r->error, "nodes are nested more than %u deep",
                            CT_WORKER_SCENE_MAX_DEPTH);
    // The last of them is the first that comes off.
    ct_array_resize(&r->waiting, r->waiting.count + o->num_models);
    waiting_node *to = r->waiting.items + r->waiting.count;
    for (uint32_t i = o->first_link; i; i = r->objects->links.items[i - 1].next)
        *--to = (waiting_node){r->objects->links.items[i - 1].model, parent, depth};
    return true;
}

static bool take_node(node_reader *r, const waiting_node *w, ct_u32_array *models) {
    ct_worker_scene *const s = r->scene;
    const model *const m = model_of(r, w->object);
    const bool is_top = w->parent == CT_WORKER_SCENE_NO_NODE;
    scales own = {.before = ct_worker_matrix_identity(), .after = m->scaling};
    ct_worker_scene_node node = {
        .name = m->name, .parent = w->parent, .local = m->local, .geometry = m->geometry};
    if (!is_top)
        node.local =
            inherit(r, m, r->models[models->items[w->parent]], &r->scales.items[w->parent], &own);
    if (!ct_worker_matrix_is_finite(&node.local) || !ct_worker_matrix_is_finite(&node.geometry))
        return ct_error_set(r->error,
                            "the transform of node \"%s\" has values that are not finite numbers",
                            m->name);
    const uint32_t index = s->nodes.count;
    ct_array_push(&s->nodes, node);
    ct_array_push(&r->scales, own);
    ct_array_push(models, w->object);
    return wait_for_models(r, w->object, index, w->depth + 1);
}

bool ct_worker_fbx_add_nodes(ct_compile *c, const ct_worker_fbx_objects *objects,
                             ct_worker_scene *scene, ct_u32_array *models, ct_error *error) {
    node_reader r = {.c = c, .objects = objects, .scene = scene, .error = error};
    r.models = CT_NEW_ARRAY(c->allocator, const model *, objects->items.count);
    ct_array_init(&r.scales, c->allocator);
    ct_array_init(&r.waiting, c->allocator);
    for (uint32_t i = 0; i < 3; ++i)
        r.defaults[SCALING][i] = r.defaults[GEOMETRIC_SCALING][i] = 1;
    r.defaults[VISIBILITY][0] = r.defaults[SHOW][0] = 1;
    ct_worker_fbx_read_template(objects->records, "Model", "FbxNode", properties, NUM_PROPERTIES,
                                r.defaults);
    if (!wait_for_models(&r, 0, CT_WORKER_SCENE_NO_NODE, 0))
        return false;
    while (r.waiting.count > 0) {
        const waiting_node w = r.waiting.items[--r.waiting.count];
        if (!take_node(&r, &w, models))
            return false;
    }
    return true;
}

// --- Assimp's nodes ------------------------------------------------------------------------------

// Assimp makes nodes for parts of a model's transform and marks their names. Returns what follows
// the mark; NULL for other nodes.
static const char *pivot_part(const struct aiNode *node) {
    static const char mark[] = "_$AssimpFbx$_";
    const char *const found = strstr(node->mName.data, mark);
    return found ? found + strlen(mark) : NULL;
}

bool ct_worker_fbx_is_geometric(const struct aiNode *node) {
    const char *const part = pivot_part(node);
    return part && strncmp(part, "Geometric", 9) == 0;
}

ct_worker_matrix ct_worker_fbx_matrix(const struct aiMatrix4x4 *m) {
    return (ct_worker_matrix){
        {{m->a1, m->a2, m->a3, m->a4}, {m->b1, m->b2, m->b3, m->b4}, {m->c1, m->c2, m->c3, m->c4}}};
}

static bool is_inverse(const struct aiNode *node) {
    return ct_worker_fbx_is_geometric(node) && strstr(pivot_part(node), "Inverse");
}

// The node itself, behind the parts of its transform.
static const struct aiNode *behind_pivots(const struct aiNode *node, const char *name) {
    while (pivot_part(node) && strcmp(node->mName.data, name) != 0 && node->mNumChildren == 1)
        node = node->mChildren[0];
    return node;
}

// Below which its children are: the inverse of its geometry's transform, if it has any.
static const struct aiNode *parent_of_children(const struct aiNode *node) {
    while (node->mNumChildren == 1 && is_inverse(node->mChildren[0]))
        node = node->mChildren[0];
    return node;
}

static bool take_meshes(const struct aiScene *file, const struct aiNode *from,
                        ct_worker_scene_node *node, ct_u32_array *meshes) {
    node->first_mesh = meshes->count;
    node->num_meshes = from->mNumMeshes;
    for (uint32_t i = 0; i < from->mNumMeshes; ++i) {
        if (from->mMeshes[i] >= file->mNumMeshes)
            return false;
        ct_array_push(meshes, from->mMeshes[i]);
    }
    return true;
}

// Assimp walks the same connections in the same order, so node by node its tree is ours.
bool ct_worker_fbx_take_node_meshes(ct_compile *c, const struct aiScene *file, ct_sjson_value at,
                                    ct_worker_scene *scene, ct_worker_fbx_chain *chains) {
    const uint32_t count = scene->nodes.count;
    const struct aiNode **const parents =
        CT_NEW_ARRAY(c->allocator, const struct aiNode *, (uint64_t)count + 1);
    uint32_t *const num_taken = CT_NEW_ARRAY(c->allocator, uint32_t, (uint64_t)count + 1);
    parents[0] = file->mRootNode;
    bool is_same = true;
    for (uint32_t i = 0; i < count && is_same; ++i) {
        ct_worker_scene_node *const node = &scene->nodes.items[i];
        const uint32_t parent = node->parent == CT_WORKER_SCENE_NO_NODE ? 0 : node->parent + 1;
        if (num_taken[parent] == parents[parent]->mNumChildren)
            break;
        const struct aiNode *const top = parents[parent]->mChildren[num_taken[parent]++];
        const struct aiNode *const from = behind_pivots(top, node->name);
        chains[i] = (ct_worker_fbx_chain){top, from};
        is_same = (from->mName.length == 0 || strcmp(from->mName.data, node->name) == 0) &&
                  take_meshes(file, from, node, &scene->node_meshes);
        parents[i + 1] = parent_of_children(from);
    }
    for (uint32_t i = 0; i <= count && is_same; ++i)
        is_same = parents[i] && num_taken[i] == parents[i]->mNumChildren;
    return is_same || ct_worker_scene_fail(c, scene, at,
                                           "its models are connected in a way that cannot be "
                                           "read; export it again");
}
