// The sources of meshes and height fields, read for their triangles.
#include <math.h>
#include <string.h>

#include "compiler/types/height_field/worker_heights.h"
#include "compiler/types/model/worker_model.h"
#include "compiler/types/navigation/worker_navigation_shapes.h"
#include "foundation/math/math.h"
#include "foundation/string/string_id.h"

// --- Shapes of a model ---------------------------------------------------------------------------

static void add_corners(const ct_worker_shape *shape, ct_worker_navigation_triangles *triangles) {
    for (uint32_t i = 0; i + 2 < shape->corners.count; i += 3) {
        ct_worker_navigation_triangle t;
        for (uint32_t k = 0; k < 3; ++k)
            memcpy(t.at[k], shape->corners.items[i + k].at, sizeof(t.at[k]));
        ct_array_push(triangles, t);
    }
}

// The box around the corners along the axes of the node, as physics has it (worker_shapes.c).
static void box_of(const ct_worker_shape *shape, ct_mat4 *pose, ct_vec3 *half) {
    float position[3], rotation[4], scale[3];
    ct_quat turn = ct_quat_identity();
    if (shape->kind == CT_MESH_SHAPE_KIND_BOX &&
        ct_worker_matrix_pose(&shape->space, position, rotation, scale))
        turn = (ct_quat){{rotation[0], rotation[1], rotation[2], rotation[3]}};
    ct_aabb box = ct_aabb_empty();
    for (uint32_t i = 0; i < shape->corners.count; ++i) {
        const float *const at = shape->corners.items[i].at;
        box = ct_aabb_add_point(
            box, ct_quat_rotate(ct_quat_conjugate(turn), ct_vec3_make(at[0], at[1], at[2])));
    }
    const ct_vec3 middle = ct_quat_rotate(turn, ct_vec3_scale(ct_vec3_add(box.min, box.max), 0.5f));
    *half = ct_vec3_scale(ct_vec3_sub(box.max, box.min), 0.5f);
    *pose = ct_mat4_compose(middle, turn, ct_vec3_make(1, 1, 1));
}

static void add_ball(const ct_worker_shape *shape, const ct_mat4 *pose,
                     ct_worker_navigation_triangles *triangles) {
    const ct_vec3 center = ct_mat4_position(*pose);
    float radius = 0;
    for (uint32_t i = 0; i < shape->corners.count; ++i) {
        const float *const at = shape->corners.items[i].at;
        const ct_vec3 p = ct_vec3_make(at[0], at[1], at[2]);
        radius = fmaxf(radius, ct_vec3_length(ct_vec3_sub(p, center)));
    }
    ct_worker_navigation_add_ball(pose, radius, triangles);
}

// Shapes that are split into hulls count as the surface that the hulls follow.
static void add_shape(ct_worker_navigation *n, const ct_worker_shape *shape,
                      ct_worker_navigation_mesh *mesh) {
    ct_allocator *const a = n->compile->allocator;
    ct_worker_navigation_mesh_shape one = {
        .name = shape->node ? ct_string_id32_of(shape->node) : (ct_string_id32){0},
        .is_solid = shape->kind != CT_MESH_SHAPE_KIND_MESH && shape->most_hulls == 0};
    ct_array_init(&one.triangles, a);
    ct_mat4 pose;
    ct_vec3 half;
    box_of(shape, &pose, &half);
    if (!one.is_solid) {
        add_corners(shape, &one.triangles);
    } else if (shape->kind == CT_MESH_SHAPE_KIND_BOX) {
        ct_worker_navigation_add_box(&pose, half, &one.triangles);
    } else if (shape->kind == CT_MESH_SHAPE_KIND_SPHERE) {
        add_ball(shape, &pose, &one.triangles);
    } else {
        ct_vec3 *const points = CT_NEW_ARRAY(a, ct_vec3, shape->corners.count + 1);
        for (uint32_t i = 0; i < shape->corners.count; ++i)
            memcpy(&points[i], shape->corners.items[i].at, 12);
        ct_worker_navigation_add_hull(n, points, shape->corners.count, &one.triangles);
    }
    ct_array_push(&mesh->shapes, one);
}

// --- Drawn triangles -----------------------------------------------------------------------------

static void add_drawn(const ct_worker_model *model, ct_worker_navigation_triangles *triangles) {
    const uint32_t levels = model->levels ? model->levels : 1;
    const uint32_t full = levels & (~levels + 1);
    for (uint32_t i = 0; i < model->batches.count; ++i) {
        const ct_worker_batch *const batch = &model->batches.items[i];
        for (uint32_t k = 0; (batch->levels & full) && k + 2 < batch->num_corners; k += 3) {
            ct_worker_navigation_triangle t;
            for (uint32_t c = 0; c < 3; ++c)
                memcpy(t.at[c], batch->corners[k + c].base.position, sizeof(t.at[c]));
            ct_array_push(triangles, t);
        }
    }
}

// The shape that `collision` of a mesh source makes of what is drawn.
static void add_drawn_shape(ct_worker_navigation *n, const ct_mesh_source *source,
                            ct_worker_navigation_mesh *mesh) {
    ct_worker_shape shape = {.kind = source->collision == CT_MESH_COLLISION_TRIANGLES
                                         ? CT_MESH_SHAPE_KIND_MESH
                                         : CT_MESH_SHAPE_KIND_CONVEX,
                             .most_hulls = source->collision == CT_MESH_COLLISION_HULLS ? 1 : 0,
                             .space = ct_worker_matrix_identity()};
    ct_array_init(&shape.corners, n->compile->allocator);
    for (uint32_t i = 0; i < mesh->drawn.count; ++i) {
        for (uint32_t k = 0; k < 3; ++k) {
            ct_worker_point point;
            memcpy(point.at, mesh->drawn.items[i].at[k], sizeof(point.at));
            ct_array_push(&shape.corners, point);
        }
    }
    add_shape(n, &shape, mesh);
}

static void take_model(ct_worker_navigation *n, const ct_mesh_source *source,
                       const ct_worker_model *model, ct_worker_navigation_mesh *mesh) {
    ct_array_init(&mesh->shapes, n->compile->allocator);
    ct_array_init(&mesh->drawn, n->compile->allocator);
    add_drawn(model, &mesh->drawn);
    for (uint32_t i = 0; i < model->shapes.count; ++i) {
        if (model->shapes.items[i].use == CT_MESH_SHAPE_USE_COLLISION)
            add_shape(n, &model->shapes.items[i], mesh);
    }
    if (source->collision != CT_MESH_COLLISION_NONE)
        add_drawn_shape(n, source, mesh);
}

// --- Resources -----------------------------------------------------------------------------------

// What reads models reports its errors in the document of the job, which is that of the mesh here.
static const ct_worker_navigation_mesh *read_mesh(ct_worker_navigation *n, const char *name) {
    ct_compile *const c = n->compile;
    const ct_sjson *const own = c->doc;
    const ct_schema_listener listener = ct_compile_listener(c);
    ct_worker_navigation_mesh *const mesh = CT_NEW(c->allocator, ct_worker_navigation_mesh);
    ct_worker_model model = {0};
    ct_mesh_source source;
    const ct_sjson *const doc =
        ct_compile_read_resource(c, "mesh", name, own, n->source.level_value);
    if (!doc)
        return NULL;
    c->doc = doc;
    const bool is_read =
        ct_schema_read(&ct_mesh_schema, doc, ct_sjson_root(doc), &source, &listener) &&
        ct_worker_model_read(c, &source, &model);
    c->doc = own;
    if (!is_read)
        return NULL;
    take_model(n, &source, &model, mesh);
    return mesh;
}

const char *ct_worker_navigation_name_of(const ct_worker_navigation *n, const char *type,
                                         ct_string_id64 name) {
    const ct_resource_id id = {ct_string_id64_of(type), name};
    return (const char *)(uintptr_t)ct_hash_map_get(&n->names, ct_resource_id_key(id), 0);
}

const ct_worker_navigation_mesh *ct_worker_navigation_mesh_of(ct_worker_navigation *n,
                                                              ct_string_id64 id) {
    const uint64_t *const known = ct_hash_map_find(&n->meshes, id.value);
    const char *const name = ct_worker_navigation_name_of(n, "mesh", id);
    if (known || !name)
        return known ? (const ct_worker_navigation_mesh *)(uintptr_t)*known : NULL;
    const ct_worker_navigation_mesh *const mesh = read_mesh(n, name);
    ct_hash_map_set(&n->meshes, id.value, (uintptr_t)mesh);
    return mesh;
}

bool ct_worker_navigation_add_heights(ct_worker_navigation *n, const char *name,
                                      const ct_mat4 *pose) {
    ct_compile *const c = n->compile;
    const ct_sjson *const own = c->doc;
    const ct_schema_listener listener = ct_compile_listener(c);
    ct_height_field_source source;
    ct_height_field_resource h;
    float *heights = NULL;
    const ct_sjson *const doc =
        ct_compile_read_resource(c, "height_field", name, own, n->source.level_value);
    if (!doc)
        return false;
    c->doc = doc;
    const bool is_read =
        ct_schema_read(&ct_height_field_schema, doc, ct_sjson_root(doc), &source, &listener) &&
        ct_worker_heights_read(c, &source, &h, &heights);
    c->doc = own;
    if (!is_read)
        return false;
    const float x = 0.5f * h.spacing[0] * (float)(h.columns - 1),
                y = 0.5f * h.spacing[1] * (float)(h.rows - 1);
    const ct_aabb box = {ct_vec3_make(-x, -y, h.least), ct_vec3_make(x, y, h.most)};
    ct_array_push(&n->pieces, (ct_worker_navigation_piece){.kind = CT_WORKER_NAVIGATION_HEIGHTS,
                                                           .bounds = ct_aabb_transform(pose, box),
                                                           .pose = *pose,
                                                           .columns = h.columns,
                                                           .rows = h.rows,
                                                           .spacing = {h.spacing[0], h.spacing[1]},
                                                           .heights = heights});
    return true;
}
