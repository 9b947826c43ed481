#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "script/sound/api_sound.h"

enum { MOST_FADE = 600 };

ct_sound_system *ct_check_sound(lua_State *L) {
    ct_sound_system *const s = ct_world_system_sound(ct_script_of(L)->worlds);
    if (!s)
        ct_function_error(L, "worlds have no sound here");
    return s;
}

ct_sound_source_components *ct_check_sounds(lua_State *L, const ct_world *world) {
    ct_check_sound(L);
    return ct_world_sound_sources(world);
}

ct_sound_instance ct_check_sound_instance(lua_State *L, int argument) {
    if (lua_isnil(L, argument))
        return (ct_sound_instance){0};
    return (ct_sound_instance){(uint32_t)ct_check_integer(L, argument, 0, UINT32_MAX)};
}

ct_sound_instance ct_check_sound_instance_of(lua_State *L, int argument,
                                             const ct_sound_source_components *m) {
    const ct_sound_instance i = ct_check_sound_instance(L, argument);
    const ct_sound_world *const world = ct_sound_world_of(ct_sound_source_components_system(m), i);
    if (world && world != ct_sound_source_components_world(m))
        ct_argument_error(L, argument,
                          "expected an instance of this world, got one of another world");
    return i;
}

int ct_push_sound_instance(lua_State *L, ct_sound_instance instance) {
    if (instance.value)
        lua_pushnumber(L, instance.value);
    else
        lua_pushnil(L);
    return 1;
}

ct_vec3 ct_check_sound_position(lua_State *L, int argument) {
    const ct_vec3 v = ct_check_finite_vector3(L, argument);
    for (uint32_t i = 0; i < 3; ++i)
        if (fabs((double)v.raw[i]) > CT_SOUND_REACH)
            ct_argument_error(
                L, argument, "expected a position of numbers from -%g to %g, got (%g, %g, %g)",
                CT_SOUND_REACH, CT_SOUND_REACH, (double)v.x, (double)v.y, (double)v.z);
    return v;
}

float ct_check_fade(lua_State *L, int argument, float otherwise) {
    if (lua_isnoneornil(L, argument))
        return otherwise;
    return (float)ct_check_number_in(L, argument, 0, MOST_FADE);
}

// --- Parameters ----------------------------------------------------------------------------------

// Where a parameter's name is on the stack, with its value behind it, and which arguments errors name.
typedef struct place {
    int name, value;
    int name_argument, value_argument;
} place;

// Raises the error that the event does not declare the parameter with this name.
static void no_such_parameter(lua_State *L, const place *at, const ct_sound_event_resource *e) {
    const ct_sound_parameter_info *const infos = ct_blob_at(e, e->parameters.offset);
    const char *names[CT_SOUND_EVENT_MAX_PARAMETERS];
    uint32_t count = 0;
    for (; count < e->parameters.count && count < CT_SOUND_EVENT_MAX_PARAMETERS; ++count)
        names[count] = ct_blob_at(e, infos[count].name_text.offset);
    const bool is_text = lua_type(L, at->name) == LUA_TSTRING;
    const char *const name =
        is_text ? lua_tostring(L, at->name) : ct_string_id32_name(ct_check_id32(L, at->name));
    const char *const nearest = ct_nearest_name(name, names, count);
    ct_argument_error(L, at->name_argument, "the event has no parameter \"%.64s\"%s%s%s", name,
                      nearest ? ", did you mean \"" : "", nearest ? nearest : "",
                      nearest ? "\"?" : "");
}

// Reads a number or a string (or an IdString32); false for anything else.
static bool read_value(lua_State *L, int value, ct_sound_source_parameter *p) {
    const bool is_id = ct_value_kind_at(L, value) == CT_VALUE_KIND_ID32;
    p->is_text = is_id || lua_type(L, value) == LUA_TSTRING;
    if (p->is_text) {
        p->bits = ct_check_id32(L, value).value;
        return true;
    }
    const float number = (float)lua_tonumber(L, value);
    memcpy(&p->bits, &number, sizeof(number));
    return lua_type(L, value) == LUA_TNUMBER && isfinite(number);
}

static ct_sound_source_parameter check_parameter(lua_State *L, const place *at,
                                                 const ct_sound_event_resource *event) {
    ct_sound_source_parameter p = {.name = ct_check_id32(L, at->name)};
    const ct_sound_parameter_info *const info =
        event ? ct_sound_find_parameter(event, p.name) : NULL;
    if (event && !info)
        no_such_parameter(L, at, event);
    const bool is_value = read_value(L, at->value, &p);
    const bool wants_text = info && info->kind == CT_SOUND_PARAMETER_TEXT;
    if (!is_value || (info && wants_text != (p.is_text != 0)))
        ct_argument_error(L, at->value_argument,
                          "expected a %s for the parameter \"%.64s\", got %s",
                          !info        ? "finite number or a string"
                          : wants_text ? "string"
                                       : "finite number",
                          ct_string_id32_name(p.name), ct_push_value_description(L, at->value));
    return p;
}

ct_sound_source_parameter ct_check_sound_parameter(lua_State *L, int argument,
                                                   const ct_sound_event_resource *event) {
    const place at = {argument, argument + 1, argument, argument + 1};
    return check_parameter(L, &at, event);
}

ct_sound_source_parameter ct_check_sound_member(lua_State *L, int argument,
                                                const ct_sound_event_resource *event) {
    const int top = lua_gettop(L);
    const place at = {top - 1, top, argument, argument};
    if (lua_type(L, top - 1) != LUA_TSTRING)
        ct_argument_error(L, argument, "expected names of parameters as keys, got %s",
                          ct_push_value_description(L, top - 1));
    return check_parameter(L, &at, event);
}
