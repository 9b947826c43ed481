#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "script/api_check.h"
#include "script/plugin/script_plugins_private.h"

enum { MESSAGE_BYTES = 1024 };

// --- Modules -------------------------------------------------------------------------------------

static bool add_function(cuttle_plugin *self, const char *module,
                         const cuttle_lua_function *function, cuttle_error *error) {
    char name[CT_PLUGIN_ADDITION_NAME_BYTES];
    ct_error why = {0};
    snprintf(name, sizeof(name), "%s.%s", module ? module : "",
             function && function->name ? function->name : "");
    if (!function)
        ct_error_set(&why, "a function of Lua needs a description");
    else if (ct_plugin_add(self, &ct_script_lua_function_kind, name, function, &why))
        return true;
    return ct_plugin_error_to(error, &why);
}

static bool add_module(cuttle_plugin *self, const cuttle_lua_module *module, cuttle_error *error) {
    ct_error why = {0};
    if (!module || (module->num_functions > 0 && !module->functions))
        ct_error_set(&why, "a module of Lua needs a description with functions");
    else if (ct_plugin_add(self, &ct_script_lua_module_kind, module->name, module, &why))
        why.message[0] = 0;
    if (why.message[0])
        return ct_plugin_error_to(error, &why);
    for (uint32_t i = 0; i < module->num_functions; ++i)
        if (!add_function(self, module->name, &module->functions[i], error))
            return false;
    return true;
}

// --- Arguments -----------------------------------------------------------------------------------

static const char *check_text(lua_State *L, int argument, size_t *bytes) {
    size_t own;
    return ct_check_text(L, argument, bytes ? bytes : &own);
}

static cuttle_vector2 check_vector2(lua_State *L, int argument) {
    const ct_vec2 v = ct_check_vector2(L, argument);
    return (cuttle_vector2){v.x, v.y};
}

static cuttle_vector3 check_vector3(lua_State *L, int argument) {
    const ct_vec3 v = ct_check_vector3(L, argument);
    return (cuttle_vector3){v.x, v.y, v.z};
}

static cuttle_vector4 check_vector4(lua_State *L, int argument) {
    const ct_vec4 v = ct_check_vector4(L, argument);
    return (cuttle_vector4){v.x, v.y, v.z, v.w};
}

static cuttle_quaternion check_quaternion(lua_State *L, int argument) {
    const ct_quat q = ct_check_quaternion(L, argument);
    return (cuttle_quaternion){q.x, q.y, q.z, q.w};
}

static cuttle_matrix4 check_matrix(lua_State *L, int argument) {
    cuttle_matrix4 m;
    memcpy(m.m, ct_check_matrix4x4(L, argument), sizeof(m.m));
    return m;
}

static cuttle_entity check_unit(lua_State *L, int argument, cuttle_world **world) {
    ct_world *own;
    const ct_entity e = ct_check_unit(L, argument, &own);
    if (world)
        *world = (cuttle_world *)own;
    return (cuttle_entity){e.id};
}

static cuttle_world *check_world(lua_State *L, int argument) {
    return (cuttle_world *)ct_check_world(L, argument);
}

// --- Reading -------------------------------------------------------------------------------------

static uint32_t type_at(lua_State *L, int index) {
    static const uint8_t engine[CT_VALUE_KIND_COUNT] = {
        [CT_VALUE_KIND_ENTITY] = CUTTLE_LUA_UNIT,
        [CT_VALUE_KIND_VECTOR2] = CUTTLE_LUA_VECTOR2,
        [CT_VALUE_KIND_VECTOR3] = CUTTLE_LUA_VECTOR3,
        [CT_VALUE_KIND_VECTOR4] = CUTTLE_LUA_VECTOR4,
        [CT_VALUE_KIND_QUATERNION] = CUTTLE_LUA_QUATERNION,
        [CT_VALUE_KIND_MATRIX4X4] = CUTTLE_LUA_MATRIX4X4,
    };
    switch (lua_type(L, index)) {
    case LUA_TNONE:
        return CUTTLE_LUA_NONE;
    case LUA_TNIL:
        return CUTTLE_LUA_NIL;
    case LUA_TBOOLEAN:
        return CUTTLE_LUA_BOOLEAN;
    case LUA_TNUMBER:
        return CUTTLE_LUA_NUMBER;
    case LUA_TSTRING:
        return CUTTLE_LUA_STRING;
    case LUA_TTABLE:
        return CUTTLE_LUA_TABLE;
    case LUA_TFUNCTION:
        return CUTTLE_LUA_FUNCTION;
    default: {
        const uint8_t type = engine[ct_value_kind_at(L, index)];
        return type ? type : CUTTLE_LUA_OTHER;
    }
    }
}

static double to_number(lua_State *L, int index) {
    return lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : 0.0;
}

static bool to_boolean(lua_State *L, int index) {
    return lua_toboolean(L, index) != 0;
}

static const char *to_string(lua_State *L, int index, size_t *bytes) {
    size_t own = 0;
    const char *const text =
        lua_type(L, index) == LUA_TSTRING ? lua_tolstring(L, index, &own) : NULL;
    if (bytes)
        *bytes = own;
    return text;
}

// --- Pushing -------------------------------------------------------------------------------------

// A plugin may push as much as it likes.
static void make_room(lua_State *L) {
    luaL_checkstack(L, 4, "too many values on the stack");
}

static void push_nil(lua_State *L) {
    make_room(L);
    lua_pushnil(L);
}

static void push_boolean(lua_State *L, bool value) {
    make_room(L);
    lua_pushboolean(L, value);
}

static void push_number(lua_State *L, double value) {
    make_room(L);
    lua_pushnumber(L, value);
}

static void push_string(lua_State *L, const char *text, size_t bytes) {
    make_room(L);
    lua_pushlstring(L, text, bytes);
}

static void push_vector2(lua_State *L, cuttle_vector2 v) {
    make_room(L);
    ct_push_vector2(L, (ct_vec2){.x = v.x, .y = v.y});
}

static void push_vector3(lua_State *L, cuttle_vector3 v) {
    make_room(L);
    ct_push_vector3(L, (ct_vec3){.x = v.x, .y = v.y, .z = v.z});
}

static void push_vector4(lua_State *L, cuttle_vector4 v) {
    make_room(L);
    ct_push_vector4(L, (ct_vec4){.x = v.x, .y = v.y, .z = v.z, .w = v.w});
}

static void push_quaternion(lua_State *L, cuttle_quaternion q) {
    make_room(L);
    ct_push_quaternion(L, (ct_quat){.x = q.x, .y = q.y, .z = q.z, .w = q.w});
}

static void push_matrix(lua_State *L, const cuttle_matrix4 *value) {
    ct_mat4 m;
    memcpy(&m, value->m, sizeof(value->m));
    make_room(L);
    ct_push_matrix4x4(L, &m);
}

static void push_unit(lua_State *L, cuttle_entity unit) {
    make_room(L);
    ct_push_entity(L, (ct_entity){unit.id});
}

static void push_copy(lua_State *L, int index) {
    make_room(L);
    lua_pushvalue(L, index);
}

static void pop(lua_State *L, int count) {
    lua_pop(L, count);
}

// --- Tables --------------------------------------------------------------------------------------

static void push_table(lua_State *L, int num_items, int num_members) {
    make_room(L);
    lua_createtable(L, num_items, num_members);
}

static void check_table(lua_State *L, int index) {
    if (!lua_istable(L, index))
        ct_function_error(L, "expected a table, got %s", ct_push_value_description(L, index));
}

static void push_member(lua_State *L, int index, const char *name) {
    make_room(L);
    check_table(L, index);
    lua_getfield(L, index, name);
}

static void push_item(lua_State *L, int index, int item) {
    make_room(L);
    check_table(L, index);
    lua_rawgeti(L, index, item);
}

static void set_member(lua_State *L, int index, const char *name) {
    check_table(L, index);
    lua_setfield(L, index, name);
}

static void set_item(lua_State *L, int index, int item) {
    check_table(L, index);
    lua_rawseti(L, index, item);
}

static int num_items(lua_State *L, int index) {
    return lua_istable(L, index) ? (int)lua_objlen(L, index) : 0;
}

// --- Errors and calls ----------------------------------------------------------------------------

static int raise(lua_State *L, const char *format, ...) {
    char text[MESSAGE_BYTES];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof(text), format, list);
    va_end(list);
    return ct_function_error(L, "%s", text);
}

static int raise_argument(lua_State *L, int argument, const char *format, ...) {
    char text[MESSAGE_BYTES];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof(text), format, list);
    va_end(list);
    return ct_argument_error(L, argument, "%s", text);
}

static cuttle_plugin *plugin_of(lua_State *L) {
    ct_plugin *const running = ct_script_running_plugin(L);
    return running ? running : ct_script_of(L)->plugins->caller; // in `push` or `take`
}

typedef struct outer_call {
    const char *name;
    int (*push)(lua_State *L, void *user);
    void (*take)(lua_State *L, int count, void *user);
    void *user;
    bool is_missing;
} outer_call;

// Pushes the value of a dotted global name.
static void push_global(lua_State *L, const char *name) {
    lua_pushvalue(L, LUA_GLOBALSINDEX);
    while (lua_istable(L, -1)) {
        const size_t length = strcspn(name, ".");
        lua_pushlstring(L, name, length);
        lua_gettable(L, -2);
        lua_remove(L, -2);
        name += length;
        if (*name != '.')
            return;
        ++name;
    }
    lua_pop(L, 1);
    lua_pushnil(L);
}

static int run_call(lua_State *L) {
    outer_call *const call = ct_lua_run_data(L);
    luaL_checkstack(L, 32, NULL);
    push_global(L, call->name);
    call->is_missing = !lua_isfunction(L, -1);
    if (call->is_missing)
        return 0;
    const int bottom = lua_gettop(L);
    const int num_arguments = call->push ? call->push(L, call->user) : 0;
    lua_call(L, num_arguments, call->take ? LUA_MULTRET : 0);
    const int count = lua_gettop(L) - bottom + 1;
    // `take` counts from 1: what is below the results goes.
    for (int i = bottom - 1; i > 0 && call->take; --i)
        lua_remove(L, i);
    if (call->take)
        call->take(L, count, call->user);
    return 0;
}

static bool call_global(cuttle_plugin *self, const char *name,
                        int (*push)(lua_State *L, void *user),
                        void (*take)(lua_State *L, int count, void *user), void *user) {
    ct_script *const s = ct_script_of_plugin(self);
    outer_call call = {.name = name, .push = push, .take = take, .user = user};
    if (!s || !name)
        return false;
    ct_plugin *const outer = s->plugins->caller;
    s->plugins->caller = self;
    const bool has_returned = ct_lua_run(&s->lua, run_call, &call);
    s->plugins->caller = outer;
    if (has_returned)
        return !call.is_missing;
    ct_lua_log_error(&s->lua);
    return false;
}

const cuttle_lua_api_1 ct_script_lua_api_1 = {
    .add_module = add_module,
    .add_function = add_function,
    .check_number = ct_check_number,
    .check_number_in = ct_check_number_in,
    .check_integer = ct_check_integer,
    .check_boolean = ct_check_boolean,
    .check_string = check_text,
    .check_vector2 = check_vector2,
    .check_vector3 = check_vector3,
    .check_vector4 = check_vector4,
    .check_quaternion = check_quaternion,
    .check_matrix = check_matrix,
    .check_unit = check_unit,
    .check_world = check_world,
    .count = lua_gettop,
    .type = type_at,
    .to_number = to_number,
    .to_boolean = to_boolean,
    .to_string = to_string,
    .push_nil = push_nil,
    .push_boolean = push_boolean,
    .push_number = push_number,
    .push_string = push_string,
    .push_vector2 = push_vector2,
    .push_vector3 = push_vector3,
    .push_vector4 = push_vector4,
    .push_quaternion = push_quaternion,
    .push_matrix = push_matrix,
    .push_unit = push_unit,
    .push_copy = push_copy,
    .pop = pop,
    .push_table = push_table,
    .push_member = push_member,
    .push_item = push_item,
    .set_member = set_member,
    .set_item = set_item,
    .num_items = num_items,
    .error = raise,
    .argument_error = raise_argument,
    .plugin = plugin_of,
    .call = call_global,
};
