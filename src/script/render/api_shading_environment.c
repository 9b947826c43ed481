#include "script/render/api_shading_environment.h"

#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "script/api_check.h"

extern const ct_lua_module ct_api_shading_environment;

enum { ENVIRONMENT_BYTES = 8192 }; // more than one takes

static void end(lua_State *L, void *object, uint64_t data) {
    (void)L, (void)data;
    ct_world_environment_destroy(object);
}

static const ct_lua_object_type type_environment = {
    .name = "ShadingEnvironment", .owner = CT_LUA_OWNER_DATA, .end = end};

static ct_world_environment *check_environment(lua_State *L) {
    return ct_check_object(L, 1, &type_environment, NULL);
}

// --- Life cycle ----------------------------------------------------------------------------------

ct_world_environment *ct_check_environment_of(lua_State *L, int argument, const ct_world *world) {
    uint64_t own;
    ct_world_environment *const e = ct_check_object(L, argument, &type_environment, &own);
    if (own != (uint64_t)(uintptr_t)world)
        ct_argument_error(L, argument,
                          "expected a ShadingEnvironment of this world, got one of another world");
    return e;
}

int ct_api_create_shading_environment(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    const char *const name = ct_check_resource(L, 2, "environment", NULL);
    ct_check_object_room(L, &type_environment);
    ct_lua_ask_memory(L, ENVIRONMENT_BYTES);
    ct_world_environment *const e = ct_world_environment_create(world, ct_string_id64_of(name));
    ct_push_object(L, &type_environment, e, (uint64_t)(uintptr_t)world);
    return 1;
}

int ct_api_destroy_shading_environment(lua_State *L) {
    const ct_world *const world = ct_check_world(L, 1);
    ct_end_object(L, &type_environment, ct_check_environment_of(L, 2, world),
                  (uint64_t)(uintptr_t)world);
    return 0;
}

int ct_api_set_shading_environment(lua_State *L) {
    const ct_world *const world = ct_check_world(L, 1);
    ct_world_environment *const e = ct_check_environment_of(L, 2, world);
    const char *const name = ct_check_resource(L, 3, "environment", NULL);
    const ct_world_environment_part part = {ct_string_id64_of(name), 1};
    ct_world_environment_blend(e, &part, 1);
    ct_world_environment_apply(e);
    return 0;
}

// --- Blends --------------------------------------------------------------------------------------

static int apply(lua_State *L) {
    ct_world_environment_apply(check_environment(L));
    return 0;
}

// Puts the members of the array at argument 2 in its place, as arguments.
static void spread_array(lua_State *L) {
    const uint32_t count = ct_check_array(L, 2);
    if (count > 2 * CT_WORLD_ENVIRONMENT_MAX_PARTS)
        ct_argument_error(L, 2, "expected at most %d environments", CT_WORLD_ENVIRONMENT_MAX_PARTS);
    luaL_checkstack(L, (int)count + 2, "too many environments");
    lua_pushvalue(L, 2);
    lua_replace(L, 1);
    lua_settop(L, 1);
    for (uint32_t i = 1; i <= count; ++i)
        lua_rawgeti(L, 1, (int)i);
}

static int blend(lua_State *L) {
    ct_world_environment *const e = check_environment(L);
    ct_world_environment_part parts[CT_WORLD_ENVIRONMENT_MAX_PARTS];
    if (lua_istable(L, 2))
        spread_array(L);
    const int count = lua_gettop(L) - 1;
    if (count == 0 || count % 2 != 0 || count > 2 * CT_WORLD_ENVIRONMENT_MAX_PARTS)
        return ct_function_error(L,
                                 "expected the names of 1 to %d environments, each with its "
                                 "weight behind it, got %d values",
                                 CT_WORLD_ENVIRONMENT_MAX_PARTS, count);
    for (int i = 0; i < count / 2; ++i) {
        const char *const name = ct_check_resource(L, 2 * i + 2, "environment", NULL);
        parts[i].environment = ct_string_id64_of(name);
        parts[i].weight = (float)ct_check_number_in(L, 2 * i + 3, 0, 1e6);
    }
    ct_world_environment_blend(e, parts, (uint32_t)count / 2);
    return 0;
}

// --- Values --------------------------------------------------------------------------------------

// The name at argument 2 of a setting that environments may set and that has a type of `types` (a
// bit for each ct_render_setting_type). Sets `value` to its value in the environment.
static const char *check_variable(lua_State *L, const ct_world_environment *e, uint32_t types,
                                  const char *expected, ct_renderer_setting *s) {
    const char *const name = ct_check_string(L, 2);
    ct_renderer *const renderer = ct_world_system_renderer(ct_script_of(L)->worlds);
    ct_error error = {0};
    if (!ct_renderer_environment_setting(renderer, name, s, &error))
        ct_argument_error(L, 2, "%s", error.message);
    if (!(types & 1u << s->type))
        ct_argument_error(L, 2, "\"%s\" is a %s, expected %s", name,
                          ct_render_setting_type_name(s->type), expected);
    ct_world_environment_get(e, name, s->value);
    return name;
}

static void set_value(lua_State *L, ct_world_environment *e, const char *name,
                      const float value[4]) {
    if (!ct_world_environment_set(e, name, value))
        ct_function_error(L, "the environment has too many values");
}

enum {
    SCALARS = 1u << CT_RENDER_SETTING_TYPE_NUMBER | 1u << CT_RENDER_SETTING_TYPE_WHOLE |
              1u << CT_RENDER_SETTING_TYPE_BOOL,
    VECTOR2S = 1u << CT_RENDER_SETTING_TYPE_VECTOR2,
    VECTOR3S = 1u << CT_RENDER_SETTING_TYPE_VECTOR3 | 1u << CT_RENDER_SETTING_TYPE_COLOR,
    ARRAYS = SCALARS | VECTOR2S | VECTOR3S | 1u << CT_RENDER_SETTING_TYPE_VECTOR4,
};

static const char scalar_expected[] = "a number, whole or bool", vector2_expected[] = "a vector2",
                  vector3_expected[] = "a vector3 or color",
                  array_expected[] = "another type than choice";

static int scalar(lua_State *L) {
    ct_renderer_setting s;
    check_variable(L, check_environment(L), SCALARS, scalar_expected, &s);
    lua_pushnumber(L, (lua_Number)s.value[0]);
    return 1;
}

static int vector2(lua_State *L) {
    ct_renderer_setting s;
    check_variable(L, check_environment(L), VECTOR2S, vector2_expected, &s);
    ct_push_vector3(L, ct_vec3_make(s.value[0], s.value[1], 0));
    return 1;
}

static int vector3(lua_State *L) {
    ct_renderer_setting s;
    check_variable(L, check_environment(L), VECTOR3S, vector3_expected, &s);
    ct_push_vector3(L, ct_vec3_make(s.value[0], s.value[1], s.value[2]));
    return 1;
}

static int set_scalar(lua_State *L) {
    ct_world_environment *const e = check_environment(L);
    ct_renderer_setting s;
    const float value = (float)ct_check_number_in(L, 3, -3e38, 3e38);
    const char *const name = check_variable(L, e, SCALARS, scalar_expected, &s);
    s.value[0] = value;
    set_value(L, e, name, s.value);
    return 0;
}

static int set_vector2(lua_State *L) {
    ct_world_environment *const e = check_environment(L);
    ct_renderer_setting s;
    ct_vec2 v;
    if (ct_value_kind_at(L, 3) == CT_VALUE_KIND_VECTOR3)
        memcpy(v.raw, ct_check_finite_vector3(L, 3).raw, sizeof(v.raw));
    else
        v = ct_check_vector2(L, 3);
    if (!isfinite(v.x) || !isfinite(v.y))
        ct_argument_error(L, 3, "expected finite numbers, got (%g, %g)", (double)v.x, (double)v.y);
    const char *const name = check_variable(L, e, VECTOR2S, vector2_expected, &s);
    memcpy(s.value, v.raw, sizeof(v.raw));
    set_value(L, e, name, s.value);
    return 0;
}

static int set_vector3(lua_State *L) {
    ct_world_environment *const e = check_environment(L);
    ct_renderer_setting s;
    const ct_vec3 v = ct_check_finite_vector3(L, 3);
    const char *const name = check_variable(L, e, VECTOR3S, vector3_expected, &s);
    memcpy(s.value, v.raw, sizeof(v.raw));
    set_value(L, e, name, s.value);
    return 0;
}

// --- Arrays --------------------------------------------------------------------------------------

static int array_elements(lua_State *L) {
    ct_renderer_setting s;
    check_variable(L, check_environment(L), ARRAYS, array_expected, &s);
    lua_pushnumber(L, ct_render_setting_floats(s.type));
    return 1;
}

// The place, from 0, of the number of `s` at argument 3, from 1.
static uint32_t check_place(lua_State *L, const ct_renderer_setting *s) {
    return (uint32_t)ct_check_integer(L, 3, 1, ct_render_setting_floats(s->type)) - 1;
}

static int array_scalar(lua_State *L) {
    ct_renderer_setting s;
    ct_check_integer(L, 3, 1, 4);
    check_variable(L, check_environment(L), ARRAYS, array_expected, &s);
    lua_pushnumber(L, (lua_Number)s.value[check_place(L, &s)]);
    return 1;
}

static int set_array_scalar(lua_State *L) {
    ct_world_environment *const e = check_environment(L);
    ct_renderer_setting s;
    ct_check_integer(L, 3, 1, 4);
    const float value = (float)ct_check_number_in(L, 4, -3e38, 3e38);
    const char *const name = check_variable(L, e, ARRAYS, array_expected, &s);
    s.value[check_place(L, &s)] = value;
    set_value(L, e, name, s.value);
    return 0;
}

static const ct_lua_function functions[] = {
    {"apply", apply, "(self: ShadingEnvironment) -> nil",
     "Lets blends and values that were set since the last call count for what is rendered from now "
     "on."},
    {"array_elements", array_elements, "(self: ShadingEnvironment, variable: string) -> integer",
     "Returns how many numbers the variable has: 1 to 4."},
    {"array_scalar", array_scalar,
     "(self: ShadingEnvironment, variable: string, n: integer) -> number",
     "Returns number `n` of the variable, from 1; colours are linear."},
    {"blend", blend, "(self: ShadingEnvironment, settings: any(string,number,table)+) -> nil",
     "Replaces all values by the mean of environments, each name followed by its weight, as "
     "arguments or in one table. Values that were set are dropped."},
    {"scalar", scalar, "(self: ShadingEnvironment, variable: string) -> number",
     "Returns a number, whole or bool (0 or 1); the render setting's where the environment says "
     "nothing."},
    {"set_array_scalar", set_array_scalar,
     "(self: ShadingEnvironment, variable: string, n: integer, value: number) -> nil",
     "Sets number `n` of the variable, from 1, until the next blend."},
    {"set_scalar", set_scalar,
     "(self: ShadingEnvironment, variable: string, scalar: number) -> nil",
     "Sets a number, whole or bool (0 or 1) until the next blend; volumes do not change it. It is "
     "moved into the setting's range."},
    {"set_vector2", set_vector2,
     "(self: ShadingEnvironment, variable: string, vector2: any(Vector2,Vector3)) -> nil",
     "Sets a vector2 until the next blend; the z of a Vector3 is ignored."},
    {"set_vector3", set_vector3,
     "(self: ShadingEnvironment, variable: string, vector3: Vector3) -> nil",
     "Sets a vector3, or a colour (linear), until the next blend."},
    {"vector2", vector2, "(self: ShadingEnvironment, variable: string) -> Vector3",
     "Returns a vector2; its z is 0."},
    {"vector3", vector3, "(self: ShadingEnvironment, variable: string) -> Vector3",
     "Returns a vector3, or a colour (linear)."},
};

const ct_lua_module ct_api_shading_environment = {
    .name = "ShadingEnvironment",
    .doc = "What render settings are in a world: environments that are blended, and values over "
           "them. Make one with World.create_shading_environment and render with it: "
           "Application.render_world.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
