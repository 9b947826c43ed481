// Making actors by hand: PhysicsWorld.spawn_… and ActorComponent.create….
#include "script/physics/api_physics_spawn.h"

#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "script/physics/api_physics_world.h"

// --- What it is made of --------------------------------------------------------------------------

static void give(ct_actor_data *data, const char *member) {
    const ct_field *const field = ct_schema_find(&ct_actor_head_schema, member);
    CT_ASSERT(field, "actors have no member %s", member);
    data->given |= 1u << (uint32_t)(field - ct_actor_head_schema.fields);
}

ct_actor_data ct_check_actor_data(lua_State *L, int argument, const ct_physics_world *p,
                                  uint32_t body) {
    ct_actor_data data = {.given = 0};
    if (!lua_isnoneornil(L, argument))
        data.template_name = ct_check_actor_template(L, argument, p);
    if (!data.template_name.value || body == CT_ACTOR_STATIC) {
        data.body = body;
        give(&data, "body");
    }
    if (!lua_isnoneornil(L, argument + 1)) {
        data.filter = ct_check_filter(L, argument + 1, p);
        give(&data, "filter");
    }
    if (!lua_isnoneornil(L, argument + 2)) {
        data.material = ct_check_material_name(L, argument + 2, p);
        give(&data, "material");
    }
    return data;
}

ct_actor_shape_data ct_plain_shape(ct_actor_shape_type type) {
    ct_actor_shape_data shape;
    ct_schema_defaults(&ct_actor_shape_schema, &shape);
    shape.type = type;
    return shape;
}

float ct_check_shape_size(lua_State *L, int argument, const char *field) {
    return (float)ct_check_field_number(L, argument, &ct_actor_shape_schema, field);
}

ct_quat ct_check_plane_rotation(lua_State *L, int argument) {
    const ct_vec3 given = ct_check_finite_vector3(L, argument);
    const float length = ct_vec3_length(given);
    if (!(length > 1e-12f && isfinite(length)))
        ct_argument_error(L, argument, "expected a direction, got a Vector3 of length %g",
                          (double)length);
    const ct_vec3 normal = ct_vec3_scale(given, 1 / length);
    // Half way between z and the normal: about x when they are opposite.
    const ct_quat q = {{-normal.y, normal.x, 0, 1 + normal.z}};
    return normal.z < -0.999999f ? (ct_quat){{1, 0, 0, 0}} : ct_quat_normalize(q);
}

ct_actor ct_make_actor(lua_State *L, const ct_world *world, const ct_actor_desc *desc) {
    ct_error error = {0};
    ct_lua_ask_memory(L, CT_LUA_COMPONENT_BYTES);
    const ct_actor a = ct_actor_create(ct_check_physics(L, world), desc, &error);
    if (!a.id)
        ct_function_error(L, "%s", error.message);
    return a;
}

// --- PhysicsWorld --------------------------------------------------------------------------------

static int push_made(lua_State *L, const ct_world *world, const ct_actor_data *data,
                     const ct_actor_shape_data *shape, ct_rigid_pose pose) {
    const ct_actor_desc desc = {.pose = pose, .data = data, .shapes = shape, .num_shapes = 1};
    ct_push_actor(L, world, ct_make_actor(L, world, &desc));
    return 1;
}

int ct_physics_spawn_box(lua_State *L) {
    const ct_world *const world = ct_check_physics_world(L);
    const ct_rigid_pose pose = {ct_check_place(L, 2), ct_quat_identity()};
    const ct_vec3 half = ct_check_half_size(L, 3);
    ct_actor_shape_data shape = ct_plain_shape(CT_ACTOR_SHAPE_BOX);
    memcpy(shape.half_size, half.raw, sizeof(shape.half_size));
    const ct_actor_data data =
        ct_check_actor_data(L, 4, ct_check_physics(L, world), CT_ACTOR_DYNAMIC);
    return push_made(L, world, &data, &shape, pose);
}

int ct_physics_spawn_plane(lua_State *L) {
    const ct_world *const world = ct_check_physics_world(L);
    const ct_rigid_pose pose = {ct_check_place(L, 2), ct_check_plane_rotation(L, 3)};
    const ct_actor_shape_data shape = ct_plain_shape(CT_ACTOR_SHAPE_PLANE);
    const ct_actor_data data =
        ct_check_actor_data(L, 4, ct_check_physics(L, world), CT_ACTOR_STATIC);
    return push_made(L, world, &data, &shape, pose);
}

int ct_physics_spawn_sphere(lua_State *L) {
    const ct_world *const world = ct_check_physics_world(L);
    const ct_rigid_pose pose = {ct_check_place(L, 2), ct_quat_identity()};
    ct_actor_shape_data shape = ct_plain_shape(CT_ACTOR_SHAPE_SPHERE);
    shape.radius = ct_check_shape_size(L, 3, "radius");
    const ct_actor_data data =
        ct_check_actor_data(L, 4, ct_check_physics(L, world), CT_ACTOR_DYNAMIC);
    return push_made(L, world, &data, &shape, pose);
}
