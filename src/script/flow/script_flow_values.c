#include "script/flow/script_flow.h"

void ct_push_flow_value(lua_State *L, ct_flow_type type, const ct_flow_value *value,
                        const char *text) {
    switch (type) {
    case CT_FLOW_TYPE_BOOL:
        lua_pushboolean(L, value->is_true != 0);
        break;
    case CT_FLOW_TYPE_NUMBER:
        lua_pushnumber(L, value->number);
        break;
    case CT_FLOW_TYPE_VECTOR3:
        ct_push_vector3(L, ct_vec3_make(value->floats[0], value->floats[1], value->floats[2]));
        break;
    case CT_FLOW_TYPE_QUATERNION:
        ct_push_quaternion(
            L, (ct_quat){{value->floats[0], value->floats[1], value->floats[2], value->floats[3]}});
        break;
    case CT_FLOW_TYPE_STRING:
        lua_pushstring(L, text);
        break;
    case CT_FLOW_TYPE_ID:
        ct_push_id64(L, (ct_string_id64){value->id});
        break;
    case CT_FLOW_TYPE_UNIT:
    case CT_FLOW_TYPE_ENTITY:
        ct_push_entity(L, (ct_entity){(uint32_t)value->object.entity});
        break;
    default:
        lua_pushnil(L);
        break;
    }
}

const char *ct_check_flow_value(lua_State *L, int argument, ct_flow_type type,
                                ct_flow_value *value) {
    switch (type) {
    case CT_FLOW_TYPE_BOOL:
        value->is_true = ct_check_boolean(L, argument);
        return NULL;
    case CT_FLOW_TYPE_NUMBER:
        value->number = ct_check_number(L, argument);
        return NULL;
    case CT_FLOW_TYPE_VECTOR3: {
        const ct_vec3 v = ct_check_vector3(L, argument);
        value->floats[0] = v.x;
        value->floats[1] = v.y;
        value->floats[2] = v.z;
        return NULL;
    }
    case CT_FLOW_TYPE_QUATERNION: {
        const ct_quat q = ct_check_finite_quaternion(L, argument);
        value->floats[0] = q.x;
        value->floats[1] = q.y;
        value->floats[2] = q.z;
        value->floats[3] = q.w;
        return NULL;
    }
    case CT_FLOW_TYPE_STRING:
        return ct_check_string(L, argument);
    case CT_FLOW_TYPE_ID:
        value->id = ct_check_id64(L, argument).value;
        return NULL;
    case CT_FLOW_TYPE_UNIT:
    case CT_FLOW_TYPE_ENTITY:
        value->object = (ct_flow_object){
            .entity = lua_isnil(L, argument) ? 0 : ct_check_entity(L, argument).id};
        return NULL;
    default:
        ct_argument_error(L, argument, "a value of Flow's type %s cannot come from Lua",
                          ct_flow_type_name(type));
        return NULL;
    }
}
