// Shapes that worlds share: from template data and resources to Bullet's.
#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "foundation/string/string_id.h"
#include "physics/physics_system_private.h"
#include "resource/blob/content_hash.h"

enum { MOST_PARTS = 1024 }; // of one shape: those of meshes count each

// What is put together for one shape.
typedef struct builder {
    ct_physics_system *system;
    ct_vec3 scale;
    bool is_dynamic;
    CT_ARRAY(ct_bullet_shape_part) parts;
    CT_ARRAY(ct_bullet_triangles) triangles;
    CT_ARRAY(ct_bullet_heights) heights;
    // Places of parts whose pointers are set at the end, when the arrays no longer move.
    CT_ARRAY(uint32_t) of_triangles;
    CT_ARRAY(uint32_t) of_heights;
    ct_error *error;
} builder;

static ct_vec3 vector(const float v[3]) {
    return (ct_vec3){{v[0], v[1], v[2]}};
}

static ct_quat rotation(const float q[4]) {
    return (ct_quat){{q[0], q[1], q[2], q[3]}};
}

static ct_vec3 times(ct_vec3 a, ct_vec3 b) {
    return (ct_vec3){{a.x * b.x, a.y * b.y, a.z * b.z}};
}

static float most_of(ct_vec3 v) {
    const float x = fabsf(v.x), y = fabsf(v.y), z = fabsf(v.z);
    return x > y ? (x > z ? x : z) : (y > z ? y : z);
}

// The scale of the node along the axes of something that is turned in it: exact for right angles.
static ct_vec3 turned_scale(ct_vec3 scale, ct_quat turn) {
    const ct_quat back = {{-turn.x, -turn.y, -turn.z, turn.w}};
    ct_vec3 out;
    for (uint32_t i = 0; i < 3; ++i) {
        ct_vec3 axis = {{0, 0, 0}};
        axis.raw[i] = 1;
        out.raw[i] = ct_quat_rotate(back, times(scale, ct_quat_rotate(turn, axis))).raw[i];
    }
    return out;
}

static ct_rigid_pose scaled_pose(const builder *b, ct_vec3 position, ct_quat turn) {
    return (ct_rigid_pose){times(b->scale, position), turn};
}

static bool fail(builder *b, const char *text) {
    ct_error_set(b->error, "%s", text);
    return false;
}

// --- Parts of fixed shape ------------------------------------------------------------------------

static bool add_part(builder *b, const ct_bullet_shape_part *part) {
    if (b->parts.count == MOST_PARTS)
        return fail(b, "it has more than 1024 shapes; expected fewer, or simpler meshes");
    ct_array_push(&b->parts, *part);
    return true;
}

static bool add_sized(builder *b, ct_bullet_shape_part *part, uint32_t num_sizes) {
    for (uint32_t i = 0; i < num_sizes; ++i) {
        if (!(part->size.raw[i] > 1e-5f) || !(part->size.raw[i] < 1e6f)) {
            ct_error_set(b->error,
                         "shape %u has a size of %g m; expected 0.00001 to 1,000,000: give it a "
                         "size, or its node a scale that is not 0",
                         part->number, (double)part->size.raw[i]);
            return false;
        }
    }
    return add_part(b, part);
}

static bool add_box(builder *b, uint32_t number, ct_rigid_pose pose, ct_vec3 half, ct_vec3 scale) {
    const ct_vec3 size = {
        {fabsf(half.x * scale.x), fabsf(half.y * scale.y), fabsf(half.z * scale.z)}};
    return add_sized(b,
                     &(ct_bullet_shape_part){
                         .kind = CT_BULLET_SHAPE_BOX, .pose = pose, .size = size, .number = number},
                     3);
}

static bool add_sphere(builder *b, uint32_t number, ct_rigid_pose pose, float radius) {
    return add_sized(b,
                     &(ct_bullet_shape_part){.kind = CT_BULLET_SHAPE_SPHERE,
                                             .pose = pose,
                                             .size = {{radius * most_of(b->scale), 0, 0}},
                                             .number = number},
                     1);
}

// A capsule that is not higher than wide is a sphere.
static bool add_round(builder *b, uint32_t number, ct_rigid_pose pose, ct_vec3 scale,
                      const ct_actor_shape_data *data) {
    const float wide = fabsf(scale.x) > fabsf(scale.y) ? fabsf(scale.x) : fabsf(scale.y);
    const float radius = data->radius * wide, half = 0.5f * data->height * fabsf(scale.z);
    ct_bullet_shape_part part = {.kind = CT_BULLET_SHAPE_CYLINDER,
                                 .pose = pose,
                                 .size = {{radius, half, 0}},
                                 .number = number};
    if (data->type == CT_ACTOR_SHAPE_CAPSULE) {
        if (half - radius < 1e-4f) {
            part.kind = CT_BULLET_SHAPE_SPHERE;
            part.size = (ct_vec3){{radius, 0, 0}};
            return add_sized(b, &part, 1);
        }
        part.kind = CT_BULLET_SHAPE_CAPSULE;
        part.size.y = half - radius;
    }
    return add_sized(b, &part, 2);
}

// --- Parts of resources --------------------------------------------------------------------------

static const char heights_are_alone[] =
    "a height field cannot be beside triangles or another height field; give each an actor of its "
    "own";

// Hulls whose corners are as far away as no box reaches would leave the range of floats.
static bool check_size(const builder *b, const float *points, uint32_t num_points, ct_vec3 scale) {
    const float most = most_of(scale);
    for (uint32_t i = 0; i < 3 * num_points; ++i) {
        if (!(fabsf(points[i]) * most < 1e6f))
            return ct_error_set(b->error,
                                "its hull reaches %g m; expected less than 1,000,000: give its "
                                "node a smaller scale",
                                (double)(fabsf(points[i]) * most));
    }
    return true;
}

static bool add_hulls(builder *b, uint32_t number, const ct_mesh_resource *mesh,
                      const ct_mesh_shape *shape, const ct_actor_shape_data *data) {
    uint32_t count;
    const ct_mesh_hull *const hulls = ct_mesh_shape_hulls(mesh, shape, &count);
    const ct_quat turn = rotation(data->rotation);
    const ct_vec3 scale = turned_scale(b->scale, turn);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_vec3 center = ct_quat_rotate(turn, vector(hulls[i].center));
        const ct_bullet_shape_part part = {
            .kind = CT_BULLET_SHAPE_CONVEX,
            .pose = scaled_pose(b, ct_vec3_add(vector(data->position), center), turn),
            .size = scale,
            .points = ct_mesh_hull_points(mesh, &hulls[i]),
            .num_points = hulls[i].num_points,
            .volume = hulls[i].volume,
            .number = number};
        if (!(fabsf(scale.x * scale.y * scale.z) > 1e-12f))
            return fail(b, "its node has a scale of 0; expected another");
        if (!check_size(b, part.points, part.num_points, scale) || !add_part(b, &part))
            return false;
    }
    return true;
}

static bool add_triangles(builder *b, uint32_t number, const ct_mesh_resource *mesh,
                          const ct_mesh_shape *shape, const ct_actor_shape_data *data) {
    const ct_quat turn = rotation(data->rotation);
    const ct_vec3 scale = turned_scale(b->scale, turn);
    if (b->is_dynamic)
        return fail(b, "a mesh of triangles cannot be dynamic; give the model a collision shape "
                       "that is convex, a box or a sphere");
    if (b->heights.count > 0)
        return fail(b, heights_are_alone);
    if (!(fabsf(scale.x * scale.y * scale.z) > 1e-12f))
        return fail(b, "its node has a scale of 0; expected another");
    ct_bullet_triangles triangles = {.points = ct_mesh_shape_points(mesh, shape),
                                     .num_points = shape->num_points,
                                     .indices = ct_mesh_shape_indices(mesh, shape),
                                     .num_indices = shape->num_indices};
    const ct_mesh_tree_node *const nodes = ct_mesh_shape_nodes(mesh, shape);
    memcpy(triangles.tree.least, shape->tree_least, sizeof(shape->tree_least));
    memcpy(triangles.tree.most, shape->tree_most, sizeof(shape->tree_most));
    memcpy(triangles.tree.steps, shape->tree_steps, sizeof(shape->tree_steps));
    triangles.tree.nodes = (const ct_bullet_tree_node *)(const void *)nodes;
    triangles.tree.num_nodes = shape->num_nodes;
    ct_array_push(&b->triangles, triangles);
    ct_array_push(&b->of_triangles, b->parts.count);
    return add_part(b, &(ct_bullet_shape_part){.kind = CT_BULLET_SHAPE_MESH,
                                               .pose = scaled_pose(b, vector(data->position), turn),
                                               .size = scale,
                                               .number = number});
}

static bool add_mesh_shape(builder *b, uint32_t number, const ct_mesh_resource *mesh,
                           const ct_mesh_shape *shape, const ct_actor_shape_data *data) {
    const ct_quat turn = rotation(data->rotation);
    const ct_vec3 center =
        ct_vec3_add(vector(data->position), ct_quat_rotate(turn, vector(shape->center)));
    const ct_quat box_turn = ct_quat_mul(turn, rotation(shape->rotation));
    switch (shape->kind) {
    case CT_MESH_SHAPE_KIND_BOX: {
        ct_vec3 half = vector(shape->half_size);
        for (uint32_t i = 0; i < 3; ++i) // a flat box of a model is as thick as a sheet
            half.raw[i] = half.raw[i] > 1e-3f ? half.raw[i] : 1e-3f;
        return add_box(b, number, scaled_pose(b, center, box_turn), half,
                       turned_scale(b->scale, box_turn));
    }
    case CT_MESH_SHAPE_KIND_SPHERE:
        return add_sphere(b, number, scaled_pose(b, center, turn), shape->radius);
    case CT_MESH_SHAPE_KIND_CONVEX:
        return add_hulls(b, number, mesh, shape, data);
    default:
        return add_triangles(b, number, mesh, shape, data);
    }
}

// Returns a resource that is loaded and stays so, or NULL.
static const void *resource_of(const builder *b, const char *type, ct_string_id64 name) {
    if (name.value == b->system->leaving.value)
        return NULL;
    return ct_resource_manager_get(b->system->resources, type, name);
}

static bool add_mesh(builder *b, uint32_t number, const ct_actor_shape_data *data) {
    const ct_mesh_resource *const mesh = resource_of(b, "mesh", data->resource);
    if (!mesh)
        return fail(b, "the mesh of a shape is not loaded; put it into a package that is");
    uint32_t count, num_found = 0;
    const ct_mesh_shape *const shapes = ct_mesh_shapes(mesh, &count);
    for (uint32_t i = 0; i < count; ++i) {
        if (shapes[i].use != CT_MESH_SHAPE_USE_COLLISION ||
            (data->part.value && data->part.value != shapes[i].name.value))
            continue;
        ++num_found;
        if (!add_mesh_shape(b, number, mesh, &shapes[i], data))
            return false;
    }
    if (num_found > 0)
        return true;
    return fail(b, data->part.value
                       ? "its mesh has no collision shape of the name that `part` gives"
                       : "its mesh has no collision shape; name a node of the model collision_…, "
                         "or set `collision` in the .mesh");
}

static bool add_heights(builder *b, uint32_t number, const ct_actor_shape_data *data) {
    const ct_height_field_resource *const field = resource_of(b, "height_field", data->resource);
    if (!field)
        return fail(b, "its height field is not loaded; put it into a package that is");
    if (b->is_dynamic)
        return fail(b, "a height field cannot be dynamic; make the actor static");
    if (b->heights.count > 0 || b->triangles.count > 0)
        return fail(b, heights_are_alone);
    if (!(b->scale.x > 0) || !(b->scale.y > 0) || !(b->scale.z > 0))
        return fail(b, "a height field has a positive scale; expected one for its node");
    ct_array_push(&b->heights,
                  (ct_bullet_heights){.heights = ct_blob_at(field, field->heights.offset),
                                      .columns = field->columns,
                                      .rows = field->rows,
                                      .spacing = {field->spacing[0], field->spacing[1]},
                                      .least = field->least,
                                      .most = field->most});
    ct_array_push(&b->of_heights, b->parts.count);
    return add_part(b, &(ct_bullet_shape_part){
                           .kind = CT_BULLET_SHAPE_HEIGHTS,
                           .pose = scaled_pose(b, vector(data->position), rotation(data->rotation)),
                           .size = b->scale,
                           .number = number});
}

static bool add_shape(builder *b, uint32_t number, const ct_actor_shape_data *data) {
    const ct_quat turn = rotation(data->rotation);
    const ct_rigid_pose pose = scaled_pose(b, vector(data->position), turn);
    const ct_vec3 scale = turned_scale(b->scale, turn);
    switch (data->type) {
    case CT_ACTOR_SHAPE_BOX:
        return add_box(b, number, pose, vector(data->half_size), scale);
    case CT_ACTOR_SHAPE_SPHERE:
        return add_sphere(b, number, pose, data->radius);
    case CT_ACTOR_SHAPE_CAPSULE:
    case CT_ACTOR_SHAPE_CYLINDER:
        return add_round(b, number, pose, scale, data);
    case CT_ACTOR_SHAPE_PLANE:
        if (b->is_dynamic)
            return fail(b, "a plane cannot be dynamic; make the actor static");
        return add_part(b, &(ct_bullet_shape_part){
                               .kind = CT_BULLET_SHAPE_PLANE, .pose = pose, .number = number});
    case CT_ACTOR_SHAPE_MESH:
        return add_mesh(b, number, data);
    default:
        return add_heights(b, number, data);
    }
}

// --- Sharing -------------------------------------------------------------------------------------

static void init_builder(builder *b) {
    ct_allocator *const a = b->system->allocator;
    ct_array_init(&b->parts, a);
    ct_array_init(&b->triangles, a);
    ct_array_init(&b->heights, a);
    ct_array_init(&b->of_triangles, a);
    ct_array_init(&b->of_heights, a);
}

static void free_builder(builder *b) {
    ct_array_free(&b->parts);
    ct_array_free(&b->triangles);
    ct_array_free(&b->heights);
    ct_array_free(&b->of_triangles);
    ct_array_free(&b->of_heights);
}

static void *copied(ct_allocator *a, const void *items, uint64_t size_bytes) {
    void *const copy = ct_alloc(a, size_bytes);
    if (size_bytes > 0)
        memcpy(copy, items, size_bytes);
    return copy;
}

// Makes the shape of what the builder holds; it borrows copies of the arrays.
static void make_bullet(builder *b, ct_physics_shape *shape) {
    ct_allocator *const a = b->system->allocator;
    shape->num_triangles = b->triangles.count;
    shape->num_heights = b->heights.count;
    shape->triangles =
        copied(a, b->triangles.items, sizeof(*b->triangles.items) * b->triangles.count);
    shape->heights = copied(a, b->heights.items, sizeof(*b->heights.items) * b->heights.count);
    for (uint32_t i = 0; i < b->triangles.count; ++i)
        b->parts.items[b->of_triangles.items[i]].triangles = &shape->triangles[i];
    for (uint32_t i = 0; i < b->heights.count; ++i)
        b->parts.items[b->of_heights.items[i]].heights = &shape->heights[i];
    shape->shape = ct_bullet_shape_create(b->parts.items, b->parts.count);
}

static uint64_t key_of(const ct_actor_shape_data *parts, uint32_t count, ct_vec3 scale,
                       bool is_dynamic) {
    const uint64_t head[3] = {ct_content_hash(parts, sizeof(*parts) * count),
                              ct_content_hash(&scale, sizeof(scale)), is_dynamic};
    return ct_content_hash(head, sizeof(head));
}

static bool is_same(const ct_physics_shape *shape, const ct_actor_shape_data *parts, uint32_t count,
                    ct_vec3 scale, bool is_dynamic) {
    return !shape->is_stale && shape->num_parts == count && shape->is_dynamic == is_dynamic &&
           memcmp(&shape->scale, &scale, sizeof(scale)) == 0 &&
           memcmp(shape->parts, parts, sizeof(*parts) * count) == 0;
}

static ct_physics_shape *first_of(const ct_physics_system *s, uint64_t key) {
    return (ct_physics_shape *)(uintptr_t)ct_hash_map_get(&s->shapes, key, 0);
}

static void free_shape(ct_physics_system *s, ct_physics_shape *shape) {
    ct_bullet_shape_destroy(shape->shape);
    ct_free(s->allocator, shape->triangles);
    ct_free(s->allocator, shape->heights);
    ct_free(s->allocator, shape->parts);
    ct_free(s->allocator, shape);
}

static ct_physics_shape *make_shape(ct_physics_system *s, const ct_actor_shape_data *parts,
                                    uint32_t count, ct_vec3 scale, bool is_dynamic,
                                    ct_error *error) {
    builder b = {.system = s, .scale = scale, .is_dynamic = is_dynamic, .error = error};
    init_builder(&b);
    bool is_right = count > 0 || fail(&b, "it has no shape");
    if (!(most_of(scale) < 1e6f))
        is_right = fail(&b, "its node has a scale of 1,000,000 or more; expected less");
    for (uint32_t i = 0; is_right && i < count; ++i)
        is_right = add_shape(&b, i, &parts[i]);
    ct_physics_shape *shape = NULL;
    if (is_right) {
        shape = CT_NEW(s->allocator, ct_physics_shape);
        shape->parts = copied(s->allocator, parts, sizeof(*parts) * count);
        shape->num_parts = count;
        shape->scale = scale;
        shape->is_dynamic = is_dynamic;
        make_bullet(&b, shape);
    }
    if (shape && is_dynamic && !(ct_bullet_shape_mass(shape->shape).volume > 0)) {
        fail(&b, "its shape has no volume, so it cannot be dynamic; expected another shape, or the "
                 "body \"static\" or \"keyframed\"");
        free_shape(s, shape);
        shape = NULL;
    }
    free_builder(&b);
    return shape;
}

ct_physics_shape *ct_physics_shape_take(ct_physics_system *s, const ct_actor_shape_data *parts,
                                        uint32_t count, ct_vec3 scale, bool is_dynamic,
                                        ct_error *error) {
    const uint64_t key = key_of(parts, count, scale, is_dynamic);
    ct_physics_shape *shape = first_of(s, key);
    while (shape && !is_same(shape, parts, count, scale, is_dynamic))
        shape = shape->next;
    if (!shape) {
        shape = make_shape(s, parts, count, scale, is_dynamic, error);
        if (!shape)
            return NULL;
        shape->key = key;
        shape->next = first_of(s, key);
        ct_hash_map_set(&s->shapes, key, (uintptr_t)shape);
    }
    ++shape->num_users;
    return shape;
}

void ct_physics_shape_give(ct_physics_system *s, ct_physics_shape *shape) {
    if (!shape || --shape->num_users > 0)
        return;
    ct_physics_shape *first = first_of(s, shape->key);
    if (first == shape) {
        if (shape->next)
            ct_hash_map_set(&s->shapes, shape->key, (uintptr_t)shape->next);
        else
            ct_hash_map_erase(&s->shapes, shape->key);
    } else {
        while (first->next != shape)
            first = first->next;
        first->next = shape->next;
    }
    free_shape(s, shape);
}

ct_bullet_shape *ct_physics_shape_bullet(const ct_physics_shape *shape) {
    return shape->shape;
}

bool ct_physics_shapes_forget(ct_physics_system *s, ct_string_id64 resource) {
    bool has_any = false;
    uint32_t cursor = 0;
    for (ct_hash_map_entry *e = NULL; (e = ct_hash_map_next(&s->shapes, &cursor));) {
        for (ct_physics_shape *shape = (ct_physics_shape *)(uintptr_t)e->value; shape;
             shape = shape->next) {
            for (uint32_t i = 0; i < shape->num_parts; ++i) {
                if (shape->parts[i].resource.value == resource.value && resource.value)
                    shape->is_stale = has_any = true;
            }
        }
    }
    return has_any;
}
