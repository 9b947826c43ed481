#include "foundation/math/math.h"
#include "script/api_check.h"
#include "script/world/api_component.h"
#include "script/world/api_component_pose.h"

extern const ct_lua_module ct_api_light;

static const ct_light_data *check_data(lua_State *L) {
    const ct_script_light l = ct_check_light(L, 1);
    return ct_light_data_of(ct_world_lights(l.world), l.instance);
}

// Changes the light's settings.
static int set_data_of(lua_State *L, const ct_light_data *data) {
    const ct_script_light l = ct_check_light(L, 1);
    ct_light_set_data(ct_world_lights(l.world), l.instance, data);
    return 0;
}

static const ct_schema *schema(void) {
    return ct_component_type_named("light")->schema;
}

// --- How it shines -------------------------------------------------------------------------------

static int color(lua_State *L) {
    const ct_light_data *const data = check_data(L);
    ct_push_vector3(L, ct_vec3_make(data->color[0], data->color[1], data->color[2]));
    return 1;
}

static int set_color(lua_State *L) {
    ct_light_data data = *check_data(L);
    const ct_vec3 c = ct_check_finite_vector3(L, 2);
    if (c.x < 0 || c.y < 0 || c.z < 0)
        return ct_argument_error(L, 2, "expected no negative component, got (%g, %g, %g)",
                                 (double)c.x, (double)c.y, (double)c.z);
    data.color[0] = c.x;
    data.color[1] = c.y;
    data.color[2] = c.z;
    return set_data_of(L, &data);
}

static int intensity(lua_State *L) {
    lua_pushnumber(L, (double)check_data(L)->intensity);
    return 1;
}

static int set_intensity(lua_State *L) {
    ct_light_data data = *check_data(L);
    data.intensity = (float)ct_check_field_number(L, 2, schema(), "intensity");
    return set_data_of(L, &data);
}

static int falloff_start(lua_State *L) {
    lua_pushnumber(L, (double)check_data(L)->falloff_start);
    return 1;
}

static int falloff_end(lua_State *L) {
    lua_pushnumber(L, (double)check_data(L)->falloff_end);
    return 1;
}

static int set_falloff_start(lua_State *L) {
    ct_light_data data = *check_data(L);
    data.falloff_start = (float)ct_check_field_number(L, 2, schema(), "falloff_start");
    return set_data_of(L, &data);
}

static int set_falloff_end(lua_State *L) {
    ct_light_data data = *check_data(L);
    data.falloff_end = (float)ct_check_field_number(L, 2, schema(), "falloff_end");
    return set_data_of(L, &data);
}

static int spot_angle_start(lua_State *L) {
    lua_pushnumber(L, (double)check_data(L)->spot_angle_start);
    return 1;
}

static int spot_angle_end(lua_State *L) {
    lua_pushnumber(L, (double)check_data(L)->spot_angle_end);
    return 1;
}

static int set_spot_angle_start(lua_State *L) {
    ct_light_data data = *check_data(L);
    data.spot_angle_start = (float)ct_check_field_number(L, 2, schema(), "spot_angle_start");
    return set_data_of(L, &data);
}

static int set_spot_angle_end(lua_State *L) {
    ct_light_data data = *check_data(L);
    data.spot_angle_end = (float)ct_check_field_number(L, 2, schema(), "spot_angle_end");
    return set_data_of(L, &data);
}

static int casts_shadows(lua_State *L) {
    lua_pushboolean(L, check_data(L)->casts_shadows != 0);
    return 1;
}

static int set_casts_shadows(lua_State *L) {
    ct_light_data data = *check_data(L);
    data.casts_shadows = ct_check_boolean(L, 2);
    return set_data_of(L, &data);
}

static int shadow_depth_bias(lua_State *L) {
    lua_pushnumber(L, (double)check_data(L)->shadow_depth_bias);
    return 1;
}

static int set_shadow_depth_bias(lua_State *L) {
    ct_light_data data = *check_data(L);
    data.shadow_depth_bias = (float)ct_check_field_number(L, 2, schema(), "shadow_depth_bias");
    return set_data_of(L, &data);
}

static int enabled(lua_State *L) {
    lua_pushboolean(L, check_data(L)->is_enabled != 0);
    return 1;
}

static int set_enabled(lua_State *L) {
    ct_light_data data = *check_data(L);
    data.is_enabled = ct_check_boolean(L, 2);
    return set_data_of(L, &data);
}

static const char *const type_names[] = {"directional", "point", "spot", NULL};

static int type(lua_State *L) {
    lua_pushstring(L, type_names[check_data(L)->type]);
    return 1;
}

static int set_type(lua_State *L) {
    ct_light_data data = *check_data(L);
    data.type = ct_check_name_of(L, 2, type_names);
    return set_data_of(L, &data);
}

// Copies everything except the name, which identifies the light in its unit.
static int set_data(lua_State *L) {
    ct_world *world;
    const ct_entity unit = ct_check_unit(L, 1, &world);
    const ct_script_light from = ct_check_light(L, 2), to = ct_check_light(L, 3);
    if (!ct_entity_equal(to.entity, unit))
        return ct_argument_error(L, 3, "expected a Light of the unit, got one of another unit");
    ct_light_data data = *ct_light_data_of(ct_world_lights(from.world), from.instance);
    data.name = ct_light_data_of(ct_world_lights(to.world), to.instance)->name;
    ct_light_set_data(ct_world_lights(to.world), to.instance, &data);
    return 0;
}

// --- How instances are reached
// ---------------------------------------------------------------------

static uint32_t first(const ct_world *w, ct_entity e) {
    return ct_light_first(ct_world_lights(w), e).index;
}

static uint32_t next(const ct_world *w, uint32_t instance) {
    return ct_light_next(ct_world_lights(w), (ct_light_instance){instance}).index;
}

static uint32_t with_number(const ct_world *w, ct_entity e, uint32_t number) {
    return ct_light_with_number(ct_world_lights(w), e, number, CT_COMPONENT_HANDLE_BITS).index;
}

static uint32_t number_of(const ct_world *w, uint32_t instance) {
    return ct_light_number(ct_world_lights(w), (ct_light_instance){instance});
}

static uint32_t name_of(const ct_world *w, uint32_t instance) {
    return ct_light_data_of(ct_world_lights(w), (ct_light_instance){instance})->name.value;
}

static uint32_t node_of(const ct_world *w, uint32_t instance) {
    return ct_light_node(ct_world_lights(w), (ct_light_instance){instance});
}

const ct_script_component ct_component_light = {.type = {.name = "Light"},
                                                .noun = "light",
                                                .nouns = "lights",
                                                .first = first,
                                                .next = next,
                                                .with_number = with_number,
                                                .number = number_of,
                                                .name = name_of,
                                                .node = node_of};

static const ct_lua_function functions[] = {
    {"casts_shadows", casts_shadows, "(self: Light) -> boolean",
     "Returns whether the light casts shadows."},
    {"color", color, "(self: Light) -> Vector3",
     "Returns the light's color: linear red, green and blue, without the intensity."},
    {"enabled", enabled, "(self: Light) -> boolean", "Returns whether the light is switched on."},
    {"falloff_end", falloff_end, "(self: Light) -> number",
     "Returns the range of a point or spot light, in metres."},
    {"falloff_start", falloff_start, "(self: Light) -> number",
     "Returns the distance at which a point or spot light starts to fade, in metres."},
    {"intensity", intensity, "(self: Light) -> number",
     "Returns the intensity: of a point or spot light in candela, of a directional light in lux "
     "divided by pi."},
    CT_COMPONENT_LOCAL_POSE_ROWS("Light", "light"),
    CT_COMPONENT_NODE_ROW("Light", "light"),
    {"set_casts_shadows", set_casts_shadows, "(self: Light, enabled: boolean) -> nil",
     "Sets whether the light casts shadows."},
    {"set_color", set_color, "(self: Light, color: Vector3) -> nil",
     "Sets the light's color: linear red, green and blue, not negative."},
    {"set_data", set_data, "(unit: Unit, src: Light, dst: Light) -> nil",
     "Copies all settings, except the name, of the light `src` to the unit's light `dst`."},
    {"set_enabled", set_enabled, "(self: Light, enabled: boolean) -> nil",
     "Switches the light on or off."},
    {"set_falloff_end", set_falloff_end, "(self: Light, distance: number) -> nil",
     "Sets the range of a point or spot light, in metres."},
    {"set_falloff_start", set_falloff_start, "(self: Light, distance: number) -> nil",
     "Sets the distance at which a point or spot light starts to fade, in metres."},
    {"set_intensity", set_intensity, "(self: Light, intensity: number) -> nil",
     "Sets the intensity: of a point or spot light in candela, of a directional light in lux "
     "divided by pi."},
    CT_COMPONENT_SET_LOCAL_POSE_ROWS("Light", "light"),
    {"set_shadow_depth_bias", set_shadow_depth_bias, "(self: Light, value: number) -> nil",
     "Sets how far behind its caster a shadow begins, in metres."},
    {"set_spot_angle_end", set_spot_angle_end, "(self: Light, spot_angle_end: number) -> nil",
     "Sets the angle from a spot light's axis at which the light ends, in radians."},
    {"set_spot_angle_start", set_spot_angle_start, "(self: Light, spot_angle_start: number) -> nil",
     "Sets the angle from a spot light's axis up to which the light is at full strength, in "
     "radians."},
    {"set_type", set_type, "(self: Light, type: string) -> nil",
     "Sets the type: \"point\", or \"directional\" or \"spot\", which shine along the unit's "
     "forward (y)."},
    {"shadow_depth_bias", shadow_depth_bias, "(self: Light) -> number",
     "Returns how far behind its caster a shadow begins, in metres."},
    {"spot_angle_end", spot_angle_end, "(self: Light) -> number",
     "Returns the angle from a spot light's axis at which the light ends, in radians."},
    {"spot_angle_start", spot_angle_start, "(self: Light) -> number",
     "Returns the angle from a spot light's axis up to which the light is at full strength, in "
     "radians."},
    {"type", type, "(self: Light) -> string",
     "Returns the type: \"directional\", \"point\" or \"spot\"."},
    CT_COMPONENT_WORLD_POSE_ROWS("Light", "light"),
};

const ct_lua_module ct_api_light = {
    .component = &ct_component_light.type,
    .name = "Light",
    .doc = "A light source. Get one with Unit.light.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
