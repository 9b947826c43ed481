#include "lua/lua_serialize.h"
#include "script/script_private.h"

#include <string.h>

// Script: the environment itself.

static int callstack(lua_State *L) {
    CT_CLEANUP(ct_string_builder_free) ct_string_builder text;
    ct_string_builder_init(&text, ct_lua_of(L)->allocator);
    ct_lua_append_traceback(L, 1, &text);
    lua_pushstring(L, ct_string_builder_text(&text));
    return 1;
}

static int exists(lua_State *L) {
    const char *const name = ct_check_string(L, 1);
    const ct_script *const s = ct_script_of(L);
    const bool is_loaded =
        ct_resource_manager_get(s->lua.resources, "lua", ct_string_id64_of(name));
    lua_pushboolean(L, is_loaded || ct_resource_manager_can_get(s->lua.resources, "lua", name));
    return 1;
}

static int load(lua_State *L) {
    ct_lua_push_chunk(L, ct_check_string(L, 1));
    return 1;
}

static int type_name(lua_State *L) {
    lua_pushstring(L, ct_value_type_name(L, 1));
    return 1;
}

static int serialize(lua_State *L) {
    return ct_lua_serialize(L, 1);
}

static int deserialize(lua_State *L) {
    return ct_lua_deserialize(L, 1);
}

static int index_offset(lua_State *L) {
    lua_pushnumber(L, 1);
    return 1;
}

// --- Temporaries ---------------------------------------------------------------------------------

static int temp_count(lua_State *L) {
    lua_pushnumber(L, ct_temporary_count(L));
    return 1;
}

static int set_temp_count(lua_State *L) {
    const int64_t most = ct_temporary_count(L);
    ct_set_temporary_count(L, (uint32_t)ct_check_integer(L, 1, 0, most));
    return 0;
}

static int temp_byte_count(lua_State *L) {
    lua_pushnumber(L, (lua_Number)ct_temporary_count(L) * CT_TEMPORARY_SLOT_BYTES);
    return 1;
}

static int set_temp_byte_count(lua_State *L) {
    const int64_t most = (int64_t)ct_temporary_count(L) * CT_TEMPORARY_SLOT_BYTES;
    const int64_t bytes = ct_check_integer(L, 1, 0, most);
    const int64_t slots = (bytes + CT_TEMPORARY_SLOT_BYTES - 1) / CT_TEMPORARY_SLOT_BYTES;
    ct_set_temporary_count(L, (uint32_t)slots);
    return 0;
}

// --- Garbage -------------------------------------------------------------------------------------

static double check_range(lua_State *L, int argument, double least, double most) {
    const double value = ct_check_number(L, argument);
    if (value < least || value > most)
        ct_argument_error(L, argument, "expected a number from %g to %g, got %g", least, most,
                          value);
    return value;
}

static void configure(lua_State *L, int argument) {
    const char *const parameter = ct_check_string(L, argument);
    if (strcmp(parameter, "acceptable_garbage") == 0)
        lua_gc(L, LUA_GCSETPAUSE, 100 + (int)(100 * check_range(L, argument + 1, 0, 10)));
    else if (strcmp(parameter, "minimum_collect_time_ms") == 0)
        ct_script_of(L)->collect_seconds = check_range(L, argument + 1, 0, 1000) * 1e-3;
    else
        ct_argument_error(L, argument,
                          "expected \"acceptable_garbage\" or \"minimum_collect_time_ms\", got "
                          "\"%s\"",
                          parameter);
}

static int configure_garbage_collection(lua_State *L) {
    const int count = lua_gettop(L);
    for (int i = 1; i <= count || i == 1; i += 2)
        configure(L, i);
    return 0;
}

static const ct_lua_function functions[] = {
    {"callstack", callstack, "() -> string",
     "Returns the call stack as text, innermost function first."},
    {"configure_garbage_collection", configure_garbage_collection,
     "(parameters: any(string,number)+) -> nil",
     "Sets garbage collection parameters, as pairs of name and number: `acceptable_garbage`, a "
     "share of the memory in use (1: collect when it has doubled), and `minimum_collect_time_ms`, "
     "the time spent collecting in each frame."},
    {"deserialize", deserialize, "(string_rep: string) -> any",
     "Returns the value from a text that serialize made."},
    {"exists", exists, "(resource: string(lua)) -> boolean",
     "Returns whether there is a script with this name, loaded or not."},
    {"index_offset", index_offset, "() -> integer",
     "Returns the index of the first node, camera, axis and so on: always 1."},
    {"load", load, "(resource: string(lua)) -> fun?",
     "Returns a loaded script as a function. The script runs again by itself when it changes."},
    {"serialize", serialize, "(data: any) -> string",
     "Returns a number, string, boolean, vector, quaternion, matrix, id, box, or a table of these, "
     "as text."},
    {"set_temp_byte_count", set_temp_byte_count, "(s: integer) -> nil",
     "Works like set_temp_count, in bytes."},
    {"set_temp_count", set_temp_count, "(s: integer) -> nil",
     "Ends all temporaries made since temp_count returned this number, so that their slots can be "
     "used again."},
    {"temp_byte_count", temp_byte_count, "() -> integer", "Works like temp_count, in bytes."},
    {"temp_count", temp_count, "() -> integer",
     "Returns how many slots temporaries use in this frame: four for each matrix, one for each "
     "other temporary."},
    {"type_name", type_name, "(obj: any) -> string",
     "Returns the name of a value's type: Lua's own, or \"Vector3\", \"Unit\" and so on for engine "
     "values."},
};

const ct_lua_module ct_api_script = {
    .name = "Script",
    .doc = "The Lua environment.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
