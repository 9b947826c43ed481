#include "script/render/api_render_setting.h"

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "script/api_check.h"

static ct_renderer *renderer_of(lua_State *L) {
    return ct_world_system_renderer(ct_script_of(L)->worlds);
}

int ct_api_render_setting(lua_State *L) {
    const char *const name = ct_check_string(L, 1);
    const ct_renderer_setting s = ct_renderer_get_setting(renderer_of(L), name);
    const float *const v = s.value;
    switch (s.type) {
    case CT_RENDER_SETTING_TYPE_BOOL:
        lua_pushboolean(L, v[0] != 0);
        break;
    case CT_RENDER_SETTING_TYPE_NUMBER:
    case CT_RENDER_SETTING_TYPE_WHOLE:
        lua_pushnumber(L, (double)v[0]);
        break;
    case CT_RENDER_SETTING_TYPE_CHOICE:
        lua_pushstring(L, s.choice);
        break;
    case CT_RENDER_SETTING_TYPE_VECTOR2:
        ct_push_vector2(L, (ct_vec2){{v[0], v[1]}});
        break;
    case CT_RENDER_SETTING_TYPE_VECTOR3:
        ct_push_vector3(L, ct_vec3_make(v[0], v[1], v[2]));
        break;
    case CT_RENDER_SETTING_TYPE_VECTOR4:
    case CT_RENDER_SETTING_TYPE_COLOR:
        ct_push_vector4(L, (ct_vec4){{v[0], v[1], v[2], v[3]}});
        break;
    default:
        return ct_argument_error(L, 1, "the render config has no setting \"%s\"", name);
    }
    return 1;
}

static ct_render_given vector_given(const float *numbers, uint32_t count) {
    ct_render_given given = {.kind = CT_RENDER_GIVEN_KIND_VECTOR, .count = count};
    for (uint32_t i = 0; i < count; ++i)
        given.numbers[i] = (double)numbers[i];
    return given;
}

static ct_render_given given_at(lua_State *L, int argument) {
    ct_render_given given = {.kind = CT_RENDER_GIVEN_KIND_OTHER};
    switch (ct_value_kind_at(L, argument)) {
    case CT_VALUE_KIND_VECTOR2:
        return vector_given(ct_check_vector2(L, argument).raw, 2);
    case CT_VALUE_KIND_VECTOR3:
        return vector_given(ct_check_vector3(L, argument).raw, 3);
    case CT_VALUE_KIND_VECTOR4:
        return vector_given(ct_check_vector4(L, argument).raw, 4);
    default:
        break;
    }
    switch (lua_type(L, argument)) {
    case LUA_TBOOLEAN:
        given.kind = CT_RENDER_GIVEN_KIND_BOOL;
        given.numbers[0] = lua_toboolean(L, argument);
        break;
    case LUA_TNUMBER:
        given.kind = CT_RENDER_GIVEN_KIND_NUMBER;
        given.numbers[0] = lua_tonumber(L, argument);
        break;
    case LUA_TSTRING:
        given.kind = CT_RENDER_GIVEN_KIND_TEXT;
        given.text = ct_check_string(L, argument);
        break;
    default:
        ct_argument_type_error(L, argument, "boolean, number, string or vector");
    }
    return given;
}

int ct_api_set_render_setting(lua_State *L) {
    const char *const name = ct_check_string(L, 1);
    const ct_render_given given = given_at(L, 2);
    ct_error error = {0};
    if (ct_renderer_set_setting(renderer_of(L), name, &given, &error))
        return 0;
    const bool is_known =
        ct_renderer_get_setting(renderer_of(L), name).type != CT_RENDER_SETTING_TYPE_NONE;
    return ct_argument_error(L, is_known ? 2 : 1, "%s", error.message);
}

int ct_api_render_preset(lua_State *L) {
    lua_pushstring(L, ct_renderer_preset(renderer_of(L)));
    return 1;
}

int ct_api_set_render_preset(lua_State *L) {
    const char *const name = lua_isnoneornil(L, 1) ? NULL : ct_check_string(L, 1);
    ct_error error = {0};
    if (ct_renderer_set_preset(renderer_of(L), name, &error))
        return 0;
    return ct_argument_error(L, 1, "%s", error.message);
}
