#include "compiler/types/mesh/worker_shape_cook.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "physics/bullet/bullet_cook.h"

// Metres from the origin: further away, floats are too coarse for physics.
#define FURTHEST 1e6f

_Static_assert(sizeof(ct_bullet_tree_node) == sizeof(ct_mesh_tree_node) &&
                   offsetof(ct_bullet_tree_node, most) == offsetof(ct_mesh_tree_node, most) &&
                   offsetof(ct_bullet_tree_node, next) == offsetof(ct_mesh_tree_node, next),
               "nodes are copied");

// A shape with where it comes from, for messages.
typedef struct cook {
    ct_compile *c;
    const ct_worker_shape *shape;
    const char *file;
    ct_sjson_value at;
    const float *points;
    uint32_t num_points;
    const uint32_t *indices;
    uint32_t num_indices;
} cook;

static bool fail(const cook *k, const char *of_node, const char *of_mesh) {
    if (k->shape->node)
        return ct_compile_error(k->c, k->c->doc, k->at, "%s: node \"%s\" %s", k->file,
                                k->shape->node, of_node);
    return ct_compile_error(k->c, k->c->doc, k->at, "%s: the mesh %s", k->file, of_mesh);
}

// --- Hulls ---------------------------------------------------------------------------------------

static void add_hull(ct_worker_shape_data *data, const ct_bullet_hull *hull, ct_mesh_shape *s) {
    const ct_mesh_hull added = {.center = {hull->center.x, hull->center.y, hull->center.z},
                                .volume = hull->volume,
                                .first_point = data->hull_points.count,
                                .num_points = hull->num_points};
    for (uint32_t i = 0; i < hull->num_points; ++i) {
        ct_worker_point point;
        memcpy(point.at, hull->points + 3 * i, sizeof(point.at));
        ct_array_push(&data->hull_points, point);
    }
    if (s->num_hulls++ == 0)
        s->first_hull = data->hulls.count;
    ct_array_push(&data->hulls, added);
}

static bool cook_hull(const cook *k, ct_worker_shape_data *data, ct_mesh_shape *s) {
    ct_bullet_hull hull;
    if (!ct_bullet_cook_hull(k->c->allocator, k->points, k->num_points, CT_MESH_MAX_HULL_POINTS,
                             &hull))
        return fail(k,
                    "is flat, but the hull of a convex collision shape needs a volume; make it "
                    "thicker, or call it collision_mesh_… to use its triangles, or "
                    "collision_box_…",
                    "is flat, but a hull needs a volume; make it thicker, or write `collision = "
                    "\"triangles\"`");
    add_hull(data, &hull, s);
    ct_free(k->c->allocator, hull.points);
    return true;
}

static bool split(const cook *k, ct_worker_shape_data *data, ct_mesh_shape *s) {
    ct_bullet_hull hulls[CT_MESH_MAX_HULLS];
    const ct_bullet_decompose_desc desc = {.most_hulls = k->shape->most_hulls,
                                           .most_points = CT_MESH_MAX_HULL_POINTS,
                                           .concavity = k->shape->concavity};
    const uint32_t count = ct_bullet_decompose(k->c->allocator, k->points, k->num_points,
                                               k->indices, k->num_indices, &desc, hulls);
    for (uint32_t i = 0; i < count; ++i) {
        add_hull(data, &hulls[i], s);
        ct_free(k->c->allocator, hulls[i].points);
    }
    return count > 0 || fail(k,
                             "cannot be split into hulls: it has no part with a volume; make it "
                             "thicker, or call it collision_mesh_… to use its triangles",
                             "cannot be split into hulls: it has no part with a volume; make it "
                             "thicker, or write `collision = \"triangles\"`");
}

// --- Trees ---------------------------------------------------------------------------------------

static bool cook_tree(const cook *k, ct_worker_shape_data *data, ct_mesh_shape *s) {
    if (k->num_indices / 3 > CT_MESH_MAX_SHAPE_TRIANGLES) {
        const char *const text = ct_compile_text(
            k->c, "has %u triangles; a collision shape can have at most %d. Split it into several",
            k->num_indices / 3, CT_MESH_MAX_SHAPE_TRIANGLES);
        return fail(k, text, text);
    }
    ct_bullet_tree tree = {.num_nodes = 0};
    ct_bullet_cook_tree(k->c->allocator, k->points, k->num_points, k->indices, k->num_indices,
                        &tree);
    s->first_node = data->nodes.count;
    s->num_nodes = tree.num_nodes;
    memcpy(s->tree_least, tree.least, sizeof(s->tree_least));
    memcpy(s->tree_most, tree.most, sizeof(s->tree_most));
    memcpy(s->tree_steps, tree.steps, sizeof(s->tree_steps));
    ct_array_resize(&data->nodes, s->first_node + s->num_nodes);
    memcpy(data->nodes.items + s->first_node, tree.nodes, s->num_nodes * sizeof(*tree.nodes));
    ct_free(k->c->allocator, (void *)tree.nodes);
    return true;
}

static bool check_points(const cook *k) {
    float furthest = 0;
    for (uint32_t i = 0; i < 3 * k->num_points; ++i)
        furthest = fmaxf(furthest, fabsf(k->points[i]));
    const char *const text = ct_compile_text(
        k->c,
        "reaches %g m from the origin; a collision shape can reach %g m. Check the units of the "
        "model and `scale`",
        (double)furthest, (double)FURTHEST);
    return furthest <= FURTHEST || fail(k, text, text);
}

bool ct_worker_shape_cook(ct_compile *c, const ct_worker_shape *shape, const char *file,
                          ct_sjson_value at, ct_worker_shape_data *data, ct_mesh_shape *s) {
    const cook k = {.c = c,
                    .shape = shape,
                    .file = file,
                    .at = at,
                    .points = data->points.items[s->first_point].at,
                    .num_points = s->num_points,
                    .indices = data->indices.items + s->first_index,
                    .num_indices = s->num_indices};
    if (s->use != CT_MESH_SHAPE_USE_COLLISION)
        return true;
    if (!check_points(&k))
        return false;
    if (s->kind == CT_MESH_SHAPE_KIND_MESH)
        return cook_tree(&k, data, s);
    if (s->kind != CT_MESH_SHAPE_KIND_CONVEX)
        return true;
    return shape->most_hulls > 0 ? split(&k, data, s) : cook_hull(&k, data, s);
}
