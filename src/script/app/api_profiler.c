#include "foundation/profiler/profiler.h"

#include <stdio.h>

#include "script/api_check.h"
#include "script/app/api_window.h"
#include "script/threads/script_threads.h"

// Scopes of Lua lie in a stack of the environment: a call that ends closes those it left open.

extern const ct_lua_module ct_api_profiler;

static int start(lua_State *L) {
    ct_script *const s = ct_script_of(L);
    const char *const name = ct_check_string(L, 1);
    if (s->lua.num_profiler_scopes == CT_MAX_PROFILER_SCOPES)
        return ct_function_error(L, "%d scopes are open; one of them has no Profiler.stop",
                                 CT_MAX_PROFILER_SCOPES);
    const char *const kept = ct_profiler_is_on() ? ct_profiler_name(name) : NULL;
    ct_script_note_profiler_scope(L, s->lua.num_profiler_scopes, kept);
    s->lua.profiler_scopes[s->lua.num_profiler_scopes++] = kept && ct_profiler_enter(kept);
    return 0;
}

static int stop(lua_State *L) {
    ct_script *const s = ct_script_of(L);
    if (s->lua.num_profiler_scopes == s->lua.first_profiler_scope)
        return ct_function_error(L, "no scope is open; each Profiler.stop ends one Profiler.start");
    ct_lua_leave_profiler_scope(&s->lua);
    return 0;
}

static void count_part(const char *name, char part, double value) {
    char text[CT_PROFILER_NAME_BYTES];
    snprintf(text, sizeof(text), "%.100s.%c", name, part);
    ct_profiler_counter(ct_profiler_name(text), value);
}

static int record_statistics(lua_State *L) {
    const char *const name = ct_check_string(L, 1);
    const bool is_on = ct_profiler_is_on();
    if (lua_type(L, 2) == LUA_TNUMBER) {
        const double value = ct_check_number(L, 2);
        if (is_on)
            ct_profiler_counter(ct_profiler_name(name), value);
        return 0;
    }
    if (ct_value_kind_at(L, 2) != CT_VALUE_KIND_VECTOR3)
        return ct_argument_type_error(L, 2, "number or Vector3");
    const ct_vec3 value = ct_check_vector3(L, 2);
    if (is_on) {
        count_part(name, 'x', value.x);
        count_part(name, 'y', value.y);
        count_part(name, 'z', value.z);
    }
    return 0;
}

static void set_number(lua_State *L, const char *name, double value) {
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
}

static int render_stats(lua_State *L) {
    if (!lua_isnoneornil(L, 1))
        ct_check_object(L, 1, &ct_type_window, NULL);
    const ct_render_stats stats =
        ct_renderer_stats(ct_world_system_renderer(ct_script_of(L)->worlds));
    lua_createtable(L, 0, 7);
    set_number(L, "frame", (double)stats.frame);
    set_number(L, "draws", stats.num_draws);
    set_number(L, "instances", stats.num_instances);
    set_number(L, "triangles", stats.num_triangles);
    set_number(L, "submit_time", stats.submit_seconds);
    set_number(L, "device_bytes", (double)stats.device_bytes);
    set_number(L, "device_ranges", stats.num_device_ranges);
    return 1;
}

static const ct_lua_function functions[] = {
    {"record_statistics", record_statistics, "(name: string, value: any(number,Vector3)) -> nil",
     "Records a value, which the profiler shows over time. A vector is recorded as its three "
     "components."},
    {"render_stats", render_stats, "(window: Window?) -> table",
     "Returns statistics of the last drawn frame: frame, draws, instances, triangles, and "
     "submit_time in seconds; and the device memory in use: device_bytes in device_ranges."},
    {"start", start, "(name: string) -> nil",
     "Begins a scope. The profiler shows it with its duration."},
    {"stop", stop, "() -> nil",
     "Ends the most recent scope. Scopes that a callback leaves open end with the callback."},
};

const ct_lua_module ct_api_profiler = {
    .name = "Profiler",
    .doc = "Adds the game's scopes and values to the engine's own in a recording.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
