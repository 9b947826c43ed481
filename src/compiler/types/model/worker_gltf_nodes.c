#include "compiler/types/model/worker_gltf_nodes.h"

#include <math.h>
#include <string.h>

#include "compiler/types/model/worker_gltf_mesh.h"
#include "compiler/types/model/worker_gltf_skins.h"
#include "foundation/error.h"
#include "resource/schema/schema.h"

// glTF's lights are in lux, the engine's directional light is in lux divided by pi.
static const float one_over_pi = 0.318309886f;
static const float default_outer_cone = 0.785398163f, max_cone = 1.55f, max_intensity = 1e9f;

// Cameras and lights look along -z, and y is up.
static const ct_worker_view file_view = {.forward = {0, 0, -1}, .up = {0, 1, 0}};

// --- The tree ------------------------------------------------------------------------------------

// Nodes by position in the file.
typedef struct node_tree {
    ct_gltf_file *g;
    uint32_t *parents; // counting from 1; 0: none
} node_tree;

static bool note_children(node_tree *t, uint32_t parent) {
    ct_gltf_file *const g = t->g;
    ct_sjson_value list;
    if (!ct_gltf_array(g, ct_gltf_item(g, CT_GLTF_LIST_NODES, parent), "children", &list))
        return false;
    for (ct_sjson_value v = ct_sjson_first(g->doc, list); v.entry; v = ct_sjson_next(g->doc, v)) {
        uint32_t child;
        if (!ct_gltf_index_value(g, v, CT_GLTF_LIST_NODES, &child))
            return false;
        if (t->parents[child] != 0)
            return ct_gltf_error(
                g, v, "node %u is a child of node %u and of node %u; expected one parent", child,
                t->parents[child] - 1, parent);
        t->parents[child] = parent + 1;
    }
    return true;
}

static bool check_depth(const node_tree *t, uint32_t node) {
    uint32_t depth = 0;
    for (uint32_t n = t->parents[node]; n != 0 && depth <= CT_WORKER_SCENE_MAX_DEPTH; ++depth)
        n = t->parents[n - 1];
    return depth <= CT_WORKER_SCENE_MAX_DEPTH ||
           ct_gltf_error(t->g, ct_gltf_item(t->g, CT_GLTF_LIST_NODES, node),
                         "node %u is its own ancestor, or nested more than %u deep", node,
                         CT_WORKER_SCENE_MAX_DEPTH);
}

static bool check_tree(node_tree *t) {
    ct_gltf_file *const g = t->g;
    const uint32_t count = g->lists[CT_GLTF_LIST_NODES].count;
    if (count > CT_WORKER_SCENE_MAX_NODES)
        return ct_gltf_error(g, ct_gltf_item(g, CT_GLTF_LIST_NODES, 0),
                             "found %u nodes, expected at most %u", count,
                             CT_WORKER_SCENE_MAX_NODES);
    for (uint32_t i = 0; i < count; ++i) {
        if (!note_children(t, i))
            return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (!check_depth(t, i))
            return false;
    }
    return true;
}

// --- What is at a node ---------------------------------------------------------------------------

static ct_worker_matrix pose_matrix(const float t[3], const float q[4], const float s[3]) {
    const float x = q[0], y = q[1], z = q[2], w = q[3];
    return (ct_worker_matrix){{
        {(1 - 2 * (y * y + z * z)) * s[0], 2 * (x * y - w * z) * s[1], 2 * (x * z + w * y) * s[2],
         t[0]},
        {2 * (x * y + w * z) * s[0], (1 - 2 * (x * x + z * z)) * s[1], 2 * (y * z - w * x) * s[2],
         t[1]},
        {2 * (x * z - w * y) * s[0], 2 * (y * z + w * x) * s[1], (1 - 2 * (x * x + y * y)) * s[2],
         t[2]},
    }};
}

// Makes the length of a rotation 1.
static void normalize(const ct_gltf_file *g, uint32_t node, float q[4]) {
    const double length =
        sqrt((double)q[0] * q[0] + (double)q[1] * q[1] + (double)q[2] * q[2] + (double)q[3] * q[3]);
    if (fabs(length - 1) > 0.01)
        ct_gltf_warn(g, "%s has a rotation of length %.4g; it is %s",
                     ct_gltf_name(g, CT_GLTF_LIST_NODES, node), length,
                     length > 0 ? "normalized to length 1" : "ignored");
    if (length > 0) {
        for (uint32_t i = 0; i < 4; ++i)
            q[i] = (float)(q[i] / length);
    } else {
        memcpy(q, (const float[4]){0, 0, 0, 1}, sizeof(float[4]));
    }
}

static bool read_local(const ct_gltf_file *g, uint32_t node, ct_worker_scene_node *out) {
    ct_worker_matrix *const local = &out->local;
    const ct_sjson_value value = ct_gltf_item(g, CT_GLTF_LIST_NODES, node);
    float t[3] = {0, 0, 0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1}, m[16];
    if (!ct_gltf_numbers(g, value, "matrix", m, 16) ||
        !ct_gltf_numbers(g, value, "translation", t, 3) ||
        !ct_gltf_numbers(g, value, "rotation", q, 4) || !ct_gltf_numbers(g, value, "scale", s, 3))
        return false;
    if (!ct_sjson_find(g->doc, value, "matrix").entry) {
        normalize(g, node, q);
        *local = pose_matrix(t, q, s);
        float *const pose = CT_NEW_ARRAY(g->c->allocator, float, 10);
        memcpy(pose, t, sizeof(t));
        memcpy(pose + 3, q, sizeof(q));
        memcpy(pose + 7, s, sizeof(s));
        out->pose = pose;
        return true;
    }
    for (uint32_t i = 0; i < 12; ++i)
        local->rows[i / 4][i % 4] = m[i % 4 * 4 + i / 4];
    return true;
}

static bool add_camera(ct_gltf_file *g, uint32_t index, uint32_t node) {
    const ct_sjson_value value = ct_gltf_item(g, CT_GLTF_LIST_CAMERAS, index);
    ct_worker_camera camera = {.name = ct_gltf_name(g, CT_GLTF_LIST_CAMERAS, index),
                               .view = file_view};
    camera.view.node = node;
    float half_height = 0;
    ct_sjson_value perspective, orthographic;
    if (!ct_gltf_object(g, value, "perspective", &perspective) ||
        !ct_gltf_object(g, value, "orthographic", &orthographic) ||
        !ct_gltf_number(g, perspective, "yfov", &camera.vertical_fov) ||
        !ct_gltf_number(g, orthographic, "ymag", &half_height))
        return false;
    const ct_sjson_value lens = perspective.entry ? perspective : orthographic;
    if (!ct_gltf_number(g, lens, "znear", &camera.near_range) ||
        !ct_gltf_number(g, lens, "zfar", &camera.far_range))
        return false;
    camera.orthographic_height = perspective.entry ? 0 : 2 * fabsf(half_height);
    if (!(camera.vertical_fov > 0) && !(camera.orthographic_height > 0))
        return ct_gltf_error(g, value,
                             "%s has no angle or size; expected perspective with yfov, "
                             "or orthographic with ymag",
                             camera.name);
    ct_array_push(&g->scene->cameras, camera);
    return true;
}

static float cut(float value, float least, float most) {
    return fminf(fmaxf(value, least), most);
}

static bool add_light(ct_gltf_file *g, uint32_t index, uint32_t node) {
    static const char *const types[] = {"directional", "point", "spot"};
    const ct_sjson_value value = ct_gltf_item(g, CT_GLTF_LIST_LIGHTS, index);
    const char *type = "";
    float color[3] = {1, 1, 1};
    ct_worker_light light = {
        .view = file_view, .intensity = 1, .outer_cone_radians = default_outer_cone};
    ct_sjson_value spot;
    if (!ct_gltf_string(g, value, "type", &type) || !ct_gltf_numbers(g, value, "color", color, 3) ||
        !ct_gltf_number(g, value, "intensity", &light.intensity) ||
        !ct_gltf_number(g, value, "range", &light.range) ||
        !ct_gltf_object(g, value, "spot", &spot) ||
        !ct_gltf_number(g, spot, "innerConeAngle", &light.inner_cone_radians) ||
        !ct_gltf_number(g, spot, "outerConeAngle", &light.outer_cone_radians))
        return false;
    for (uint32_t i = 0; i < CT_COUNT_OF(types); ++i)
        light.type = strcmp(type, types[i]) == 0 ? types[i] : light.type;
    if (!light.type) {
        ct_gltf_warn(g, "%s has the type \"%s\"; only directional, point and spot are supported",
                     ct_gltf_name(g, CT_GLTF_LIST_LIGHTS, index), type);
        return true;
    }
    const bool is_directional = strcmp(light.type, "directional") == 0;
    light.view.node = node;
    light.intensity = cut(light.intensity, 0, max_intensity);
    // One without an end goes as far as it is a hundredth of a lux.
    light.range = is_directional    ? 0
                  : light.range > 0 ? light.range
                                    : fmaxf(10 * sqrtf(light.intensity), 1);
    light.intensity *= is_directional ? one_over_pi : 1;
    light.inner_cone_radians = cut(light.inner_cone_radians, 0, max_cone);
    light.outer_cone_radians = cut(light.outer_cone_radians, 0.001f, max_cone);
    for (uint32_t i = 0; i < 3; ++i)
        light.color[i] = ct_linear_to_srgb(cut(color[i], 0, 1));
    ct_array_push(&g->scene->lights, light);
    return true;
}

// Adds the mesh, camera and light that a node names. `node` is its position in the scene.
static bool add_objects(ct_gltf_file *g, ct_sjson_value value, uint32_t node) {
    ct_worker_scene *const s = g->scene;
    uint32_t mesh, skin, camera, light;
    const ct_sjson_value extension = ct_gltf_extension(g, value, "KHR_lights_punctual");
    if (!ct_gltf_index(g, value, "mesh", CT_GLTF_LIST_MESHES, &mesh) ||
        !ct_gltf_index(g, value, "skin", CT_GLTF_LIST_SKINS, &skin) ||
        !ct_gltf_index(g, value, "camera", CT_GLTF_LIST_CAMERAS, &camera) ||
        !ct_gltf_index(g, extension, "light", CT_GLTF_LIST_LIGHTS, &light))
        return false;
    if (mesh != CT_GLTF_NONE) {
        if (!ct_gltf_add_mesh(g, mesh))
            return false;
        const uint32_t first = ct_gltf_skinned_mesh(g, mesh, skin);
        ct_worker_scene_node *const n = &s->nodes.items[node];
        n->first_mesh = s->node_meshes.count;
        n->num_meshes = g->num_primitives[mesh];
        for (uint32_t i = 0; i < n->num_meshes; ++i)
            ct_array_push(&s->node_meshes, first + i);
    }
    return (camera == CT_GLTF_NONE || add_camera(g, camera, node)) &&
           (light == CT_GLTF_NONE || add_light(g, light, node));
}

// --- Nodes ---------------------------------------------------------------------------------------

static bool add_node(ct_gltf_file *g, uint32_t index, uint32_t parent) {
    const ct_sjson_value value = ct_gltf_item(g, CT_GLTF_LIST_NODES, index);
    ct_worker_scene_node node = {.parent = parent, .geometry = ct_worker_matrix_identity()};
    ct_sjson_value children;
    node.name = "";
    if (!ct_gltf_string(g, value, "name", &node.name) || !read_local(g, index, &node) ||
        !ct_gltf_array(g, value, "children", &children))
        return false;
    if (!*node.name) // what sources have called it since models were read
        node.name = ct_compile_text(g->c, "nodes[%u]", index);
    const uint32_t place = g->scene->nodes.count;
    g->node_places[index] = place;
    ct_array_push(&g->scene->nodes, node);
    if (!add_objects(g, value, place))
        return false;
    for (ct_sjson_value v = ct_sjson_first(g->doc, children); v.entry;
         v = ct_sjson_next(g->doc, v)) {
        uint32_t child;
        if (!ct_gltf_index_value(g, v, CT_GLTF_LIST_NODES, &child) || !add_node(g, child, place))
            return false;
    }
    return true;
}

// The nodes at the top of the scene that is shown: each once, and none below another.
static bool add_scene(const node_tree *t, ct_sjson_value scene) {
    ct_gltf_file *const g = t->g;
    ct_sjson_value list;
    bool *const is_root =
        CT_NEW_ARRAY(g->c->allocator, bool, (uint64_t)g->lists[CT_GLTF_LIST_NODES].count + 1);
    if (!ct_gltf_array(g, scene, "nodes", &list))
        return false;
    for (ct_sjson_value v = ct_sjson_first(g->doc, list); v.entry; v = ct_sjson_next(g->doc, v)) {
        uint32_t node;
        if (!ct_gltf_index_value(g, v, CT_GLTF_LIST_NODES, &node))
            return false;
        if (is_root[node] || t->parents[node] != 0)
            return ct_gltf_error(g, v,
                                 "node %u is in the scene twice, or below another node; expected a "
                                 "root, once",
                                 node);
        is_root[node] = true;
        if (!add_node(g, node, CT_WORKER_SCENE_NO_NODE))
            return false;
    }
    return true;
}

bool ct_gltf_add_nodes(ct_gltf_file *g) {
    const ct_gltf_values *const scenes = &g->lists[CT_GLTF_LIST_SCENES];
    const ct_sjson_value root = ct_sjson_root(g->doc);
    const uint32_t num_nodes = g->lists[CT_GLTF_LIST_NODES].count;
    node_tree t = {.g = g,
                   .parents = CT_NEW_ARRAY(g->c->allocator, uint32_t, (uint64_t)num_nodes + 1)};
    uint32_t shown;
    if (!check_tree(&t) || !ct_gltf_index(g, root, "scene", CT_GLTF_LIST_SCENES, &shown))
        return false;
    if (scenes->count > 1)
        ct_gltf_warn(g, "the file has %u scenes; only scene %u is read", scenes->count,
                     shown == CT_GLTF_NONE ? 0 : shown);
    if (scenes->count > 0)
        return add_scene(&t, scenes->items[shown == CT_GLTF_NONE ? 0 : shown]);
    for (uint32_t i = 0; i < num_nodes; ++i) {
        if (t.parents[i] == 0 && !add_node(g, i, CT_WORKER_SCENE_NO_NODE))
            return false;
    }
    return true;
}
