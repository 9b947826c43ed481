#include "compiler/types/mesh/worker_shapes.h"

#include <math.h>

#include <meshoptimizer.h>

#include "compiler/types/mesh/worker_shape_cook.h"
#include "compiler/types/model/worker_geometry.h"
#include "foundation/string/string_id.h"
#include "physics/bullet/bullet.h"

// --- Triangles -----------------------------------------------------------------------------------

// Appends the shape's distinct points, and its triangles that have an area.
static void add_triangles(ct_compile *c, const ct_worker_shape *shape, ct_worker_shape_data *data,
                          ct_mesh_shape *s) {
    const uint32_t count = shape->corners.count;
    s->first_point = data->points.count;
    s->first_index = data->indices.count;
    if (count == 0)
        return;
    unsigned *const remap = ct_alloc(c->allocator, count * sizeof(unsigned));
    s->num_points = (uint32_t)meshopt_generateVertexRemap(remap, NULL, count, shape->corners.items,
                                                          count, sizeof(ct_worker_point));
    ct_array_resize(&data->points, s->first_point + s->num_points);
    ct_worker_point *const points = data->points.items + s->first_point;
    meshopt_remapVertexBuffer(points, shape->corners.items, count, sizeof(ct_worker_point), remap);
    for (uint32_t i = 0; i < count; i += 3) {
        const unsigned *const t = remap + i;
        if (ct_worker_has_no_area(points[t[0]].at, points[t[1]].at, points[t[2]].at))
            continue;
        for (uint32_t k = 0; k < 3; ++k)
            ct_array_push(&data->indices, t[k]);
    }
    s->num_indices = data->indices.count - s->first_index;
    ct_free(c->allocator, remap);
}

// --- Boxes and spheres ---------------------------------------------------------------------------

// `v` turned by a rotation (x y z w); by its inverse when `is_back`.
static void turn(const float q[4], const float v[3], bool is_back, float out[3]) {
    const float w = is_back ? -q[3] : q[3];
    float once[3];
    for (uint32_t i = 0; i < 3; ++i) {
        const uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
        once[i] = 2 * (q[j] * v[k] - q[k] * v[j]);
    }
    for (uint32_t i = 0; i < 3; ++i) {
        const uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = v[i] + w * once[i] + q[j] * once[k] - q[k] * once[j];
    }
}

// A box has the node's axes, unless those are not at right angles; the others those of the mesh.
static void set_rotation(const ct_worker_shape *shape, float rotation[4]) {
    float position[3], scale[3];
    const bool has_pose = ct_worker_matrix_pose(&shape->space, position, rotation, scale);
    if (shape->kind == CT_MESH_SHAPE_KIND_BOX && has_pose)
        return;
    for (uint32_t k = 0; k < 4; ++k)
        rotation[k] = k == 3;
}

static void set_bounds(const ct_worker_point *points, ct_mesh_shape *s) {
    float least[3], most[3], middle[3];
    for (uint32_t i = 0; i < s->num_points; ++i) {
        float p[3];
        turn(s->rotation, points[i].at, true, p);
        for (uint32_t k = 0; k < 3; ++k) {
            least[k] = i == 0 ? p[k] : fminf(least[k], p[k]);
            most[k] = i == 0 ? p[k] : fmaxf(most[k], p[k]);
        }
    }
    for (uint32_t k = 0; k < 3; ++k) {
        middle[k] = 0.5f * least[k] + 0.5f * most[k];
        s->half_size[k] = 0.5f * most[k] - 0.5f * least[k];
    }
    turn(s->rotation, middle, false, s->center);
    for (uint32_t i = 0; i < s->num_points; ++i) {
        const float *p = points[i].at, *m = s->center;
        s->radius = fmaxf(s->radius, hypotf(hypotf(p[0] - m[0], p[1] - m[1]), p[2] - m[2]));
    }
}

// --- The whole -----------------------------------------------------------------------------------

// Adds a shape that has triangles with an area, and a box within the range of numbers.
static bool build_shape(ct_compile *c, const ct_worker_shape *shape, ct_worker_shape_data *data) {
    ct_mesh_shape s = {.name = shape->node ? ct_string_id32_of(shape->node) : (ct_string_id32){0},
                       .use = shape->use,
                       .kind = shape->kind};
    add_triangles(c, shape, data, &s);
    if (s.num_indices == 0)
        return false;
    set_rotation(shape, s.rotation);
    set_bounds(data->points.items + s.first_point, &s);
    ct_array_push(&data->shapes, s);
    return isfinite(s.radius + s.half_size[0] + s.half_size[1] + s.half_size[2]);
}

static void init_data(ct_worker_shape_data *data, ct_allocator *a) {
    ct_array_init(&data->shapes, a);
    ct_array_init(&data->points, a);
    ct_array_init(&data->indices, a);
    ct_array_init(&data->hulls, a);
    ct_array_init(&data->hull_points, a);
    ct_array_init(&data->nodes, a);
}

bool ct_worker_shapes_build(ct_compile *c, const ct_worker_shape_array *shapes, const char *file,
                            ct_sjson_value at, ct_worker_shape_data *data) {
    static const char *const uses[] = {"a collision shape", "an occluder"};
    init_data(data, c->allocator);
    bool is_good = true;
    ct_bullet_init(c->blob.bytes.allocator);
    for (uint32_t i = 0; i < shapes->count; ++i) {
        const ct_worker_shape *const shape = &shapes->items[i];
        if (build_shape(c, shape, data))
            is_good &= ct_worker_shape_cook(c, shape, file, at, data,
                                            &data->shapes.items[data->shapes.count - 1]);
        else
            is_good = ct_compile_error(c, c->doc, at,
                                       "%s: node \"%s\" is named as %s, but has no triangle with "
                                       "an area; expected a surface",
                                       file, shape->node ? shape->node : "", uses[shape->use]);
    }
    ct_bullet_quit();
    return is_good;
}

void ct_worker_shapes_write(const ct_worker_shape_data *data, ct_blob_writer *w,
                            ct_mesh_resource *blob) {
    ct_blob_writer_align(w, CT_BLOB_ALIGN);
    blob->shapes =
        ct_blob_write_items(w, &ct_mesh_shape_layout, data->shapes.items, data->shapes.count);
    ct_blob_writer_align(w, CT_BLOB_ALIGN);
    blob->shape_points =
        ct_blob_write_items(w, &ct_mesh_point_layout, data->points.items, data->points.count);
    ct_blob_writer_align(w, CT_BLOB_ALIGN);
    blob->shape_indices =
        ct_blob_write_items(w, &ct_blob_u32_layout, data->indices.items, data->indices.count);
    ct_blob_writer_align(w, CT_BLOB_ALIGN);
    blob->hulls =
        ct_blob_write_items(w, &ct_mesh_hull_layout, data->hulls.items, data->hulls.count);
    blob->hull_points = ct_blob_write_items(w, &ct_mesh_point_layout, data->hull_points.items,
                                            data->hull_points.count);
    ct_blob_writer_align(w, CT_BLOB_ALIGN);
    blob->tree_nodes =
        ct_blob_write_items(w, &ct_mesh_tree_node_layout, data->nodes.items, data->nodes.count);
}
