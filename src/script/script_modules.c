#include "script/script_private.h"

enum { ROOM = 2 }; // places in a module's table for each member

// The list of all modules. A module's functions carry, as an upvalue, where they stand in it: errors
// find the names by that, and calls pay nothing for it.

extern const ct_script_module ct_api_application, ct_api_broadphase, ct_api_camera, ct_api_color,
    ct_api_data_component, ct_api_debug_name_component, ct_api_entity_array, ct_api_entity_manager,
    ct_api_file_system, ct_api_float32_array, ct_api_id_string32, ct_api_id_string32_box,
    ct_api_id_string64, ct_api_id_string64_box, ct_api_input, ct_api_keyboard, ct_api_level,
    ct_api_light, ct_api_line_object, ct_api_localizer, ct_api_material, ct_api_math,
    ct_api_matrix4x4, ct_api_matrix4x4_box, ct_api_mesh, ct_api_mesh_component, ct_api_mouse,
    ct_api_package_transfer_watcher, ct_api_pad1, ct_api_pad2, ct_api_pad3, ct_api_pad4,
    ct_api_profiler, ct_api_quaternion, ct_api_quaternion_box, ct_api_resource_package,
    ct_api_scene_graph_component, ct_api_script, ct_api_script_component, ct_api_tag_component,
    ct_api_touch, ct_api_transform_component, ct_api_unit, ct_api_unit_component, ct_api_utf8,
    ct_api_vector2, ct_api_vector2_box, ct_api_vector3, ct_api_vector3_box, ct_api_vector4,
    ct_api_vector4_box, ct_api_viewport, ct_api_window, ct_api_world;

static const ct_script_module *const modules[] = {
    &ct_api_application,
    &ct_api_broadphase,
    &ct_api_camera,
    &ct_api_color,
    &ct_api_data_component,
    &ct_api_debug_name_component,
    &ct_api_entity_array,
    &ct_api_entity_manager,
    &ct_api_file_system,
    &ct_api_float32_array,
    &ct_api_id_string32,
    &ct_api_id_string32_box,
    &ct_api_id_string64,
    &ct_api_id_string64_box,
    &ct_api_input,
    &ct_api_keyboard,
    &ct_api_level,
    &ct_api_light,
    &ct_api_line_object,
    &ct_api_localizer,
    &ct_api_material,
    &ct_api_math,
    &ct_api_matrix4x4,
    &ct_api_matrix4x4_box,
    &ct_api_mesh,
    &ct_api_mesh_component,
    &ct_api_mouse,
    &ct_api_package_transfer_watcher,
    &ct_api_pad1,
    &ct_api_pad2,
    &ct_api_pad3,
    &ct_api_pad4,
    &ct_api_profiler,
    &ct_api_quaternion,
    &ct_api_quaternion_box,
    &ct_api_resource_package,
    &ct_api_scene_graph_component,
    &ct_api_script,
    &ct_api_script_component,
    &ct_api_tag_component,
    &ct_api_touch,
    &ct_api_transform_component,
    &ct_api_unit,
    &ct_api_unit_component,
    &ct_api_utf8,
    &ct_api_vector2,
    &ct_api_vector2_box,
    &ct_api_vector3,
    &ct_api_vector3_box,
    &ct_api_vector4,
    &ct_api_vector4_box,
    &ct_api_viewport,
    &ct_api_window,
    &ct_api_world,
};

const ct_script_module *const *ct_script_modules(uint32_t *count) {
    *count = CT_COUNT_OF(modules);
    return modules;
}

static void push_function(lua_State *L, lua_CFunction function, uint32_t module, uint32_t place) {
    lua_pushnumber(L, (lua_Number)(module << 16 | place));
    lua_pushnumber(L, 1);
    lua_pushcclosure(L, function, 2);
}

// The table has room for more than its members: who looks one up then seldom meets others on the way.
static void open_module(lua_State *L, uint32_t place) {
    const ct_script_module *const module = modules[place];
    lua_createtable(L, 0, ROOM * (int)(module->num_functions + module->num_constants));
    for (uint32_t i = 0; i < module->num_functions; ++i) {
        push_function(L, module->functions[i].function, place, i);
        lua_setfield(L, -2, module->functions[i].name);
    }
    for (uint32_t i = 0; i < module->num_constants; ++i) {
        lua_pushnumber(L, module->constants[i].value);
        lua_setfield(L, -2, module->constants[i].name);
    }
    if (module->call) {
        lua_createtable(L, 0, 1);
        push_function(L, module->call, place, CT_SCRIPT_CALL);
        lua_setfield(L, -2, "__call");
        lua_setmetatable(L, -2);
    }
    lua_setglobal(L, module->name);
}

void ct_script_open_modules(lua_State *L) {
    for (uint32_t i = 0; i < CT_COUNT_OF(modules); ++i)
        open_module(L, i);
}

const ct_script_module *ct_script_called_module(lua_State *L) {
    return modules[(uint32_t)lua_tonumber(L, lua_upvalueindex(CT_UPVALUE_PLACE)) >> 16];
}

bool ct_script_running_function(lua_State *L, const ct_script_module **module, uint32_t *function) {
    lua_Debug running;
    if (!lua_getstack(L, 0, &running) || !lua_getinfo(L, "f", &running))
        return false;
    const bool is_ours = lua_iscfunction(L, -1) && lua_getupvalue(L, -1, CT_UPVALUE_PLACE);
    const uint32_t place = is_ours ? (uint32_t)lua_tonumber(L, -1) : 0;
    lua_pop(L, is_ours ? 2 : 1);
    if (!is_ours)
        return false;
    *module = modules[place >> 16];
    *function = place & 0xffff;
    return true;
}
