#include "script/resource/api_resource_package.h"
#include "lua/lua_watch.h"
#include "script/flow/script_flow.h"

extern const ct_lua_module ct_api_resource_package;

static void end(lua_State *L, void *object, uint64_t data) {
    (void)data;
    const ct_lua *const m = ct_lua_of(L);
    ct_script_package *const package = object;
    ct_resource_package_destroy(m->resources, package->package);
    ct_free_sized(m->allocator, package, sizeof(*package));
}

const ct_lua_object_type ct_type_package = {.name = "ResourcePackage", .end = end};

static ct_script_package *check_package(lua_State *L) {
    return ct_check_object(L, 1, &ct_type_package, NULL);
}

static int load(lua_State *L) {
    ct_script_package *const p = check_package(L);
    if (p->is_loaded)
        ct_function_error(L, "the package is already loaded or loading");
    p->is_loaded = true;
    ct_resource_package_load(ct_lua_of(L)->resources, p->package);
    return 0;
}

static int unload(lua_State *L) {
    ct_script_package *const p = check_package(L);
    ct_check_flow_rests(L);
    p->is_loaded = false;
    ct_resource_package_unload(ct_lua_of(L)->resources, p->package);
    return 0;
}

static int flush(lua_State *L) {
    ct_script_package *const p = check_package(L);
    if (!p->is_loaded)
        ct_function_error(L, "the package is not loading; call ResourcePackage.load first");
    ct_script *const s = ct_script_of(L);
    ct_lua_watch_pause(s->lua.watch);
    ct_resource_package_flush(s->lua.resources, p->package);
    ct_lua_watch_resume(s->lua.watch);
    return 0;
}

static int has_loaded(lua_State *L) {
    lua_pushboolean(L, ct_resource_package_has_loaded(check_package(L)->package));
    return 1;
}

static int progress(lua_State *L) {
    const ct_resource_progress p =
        ct_resource_package_progress(ct_lua_of(L)->resources, check_package(L)->package);
    lua_pushnumber(L, ct_resource_progress_share(&p));
    lua_pushnumber(L, p.num_loaded);
    lua_pushnumber(L, p.num_resources);
    lua_pushnumber(L, (double)p.loaded_bytes);
    lua_pushnumber(L, (double)p.bytes);
    return 5;
}

static const ct_lua_function functions[] = {
    {"flush", flush, "(self: ResourcePackage) -> nil",
     "Waits until the package has loaded. Its resources can then be used."},
    {"has_loaded", has_loaded, "(self: ResourcePackage) -> boolean",
     "Returns whether the package has loaded completely."},
    {"load", load, "(self: ResourcePackage) -> nil",
     "Starts to load the package in the background."},
    {"progress", progress, "(self: ResourcePackage) -> number, integer, integer, number, number",
     "Returns how much of the package has loaded, from 0 to 1 (0 while it is unloaded); then the "
     "number of loaded resources, the number of all its resources, and the bytes of both."},
    {"unload", unload, "(self: ResourcePackage) -> nil",
     "Unloads the resources that no other loaded package contains. Things that use them are no "
     "longer drawn."},
};

const ct_lua_module ct_api_resource_package = {
    .name = "ResourcePackage",
    .doc = "Resources that load together. Make one with Application.resource_package.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
