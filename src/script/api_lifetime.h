// api_lifetime.h: engine objects that Lua made, and how they end.
//
// The table of engine objects (script_private.h) is the one list of them: line objects and
// viewports stand in it with the world they belong to as their `data`, levels and component
// managers with the world as their object. A world ends with all that belongs to it; what is left
// ends with the environment.
#pragma once
#include "render/component/line_object.h"
#include "script/script_private.h"
#include "spatial/broadphase.h"

enum { CT_VIEWPORT_NAME_BYTES = 64 };

// How a world is to be rendered into the back buffer.
typedef struct ct_script_viewport {
    ct_string_id32 viewport;           // of the render config
    char name[CT_VIEWPORT_NAME_BYTES]; // the same for errors, cut
    float rectangle[4];                // x, y, width, height as fractions of the back buffer
} ct_script_viewport;

// A package that Lua holds.
typedef struct ct_script_package {
    ct_resource_package *package;
    bool is_loaded; // or being loaded
} ct_script_package;

// A broadphase whose items stand for units, by their ids, and what its functions work with.
typedef struct ct_script_broadphase {
    ct_broadphase *broadphase;
    CT_ARRAY(uint32_t) found;
    CT_ARRAY(ct_broadphase_hit) hits;
    CT_ARRAY(ct_broadphase_item) items;
    CT_ARRAY(ct_aabb) boxes;
    // By slot of an item, as the game gave them: those of boxes far from the origin are rounded.
    CT_ARRAY(ct_vec3) halves;
} ct_script_broadphase;

// Raises an error when no more handles can be made. Call before making what one is for.
void ct_check_object_room(lua_State *L);

// End an object with its handles and data.
void ct_script_end_level(lua_State *L, ct_world *world, ct_level level);
void ct_script_end_line_object(lua_State *L, ct_line_object *lines, const ct_world *world);
void ct_script_end_viewport(lua_State *L, ct_script_viewport *viewport, const ct_world *world);
void ct_script_end_package(lua_State *L, ct_script_package *package);
void ct_script_end_broadphase(lua_State *L, ct_script_broadphase *broadphase);

// Ends a world with all in it and all that belongs to it.
void ct_script_end_world(lua_State *L, ct_world *world);

// Has the watches of PackageTransferWatcher expect what their packages would load now: other
// variants are wanted.
void ct_script_expect_transfers_anew(struct ct_script *s);

// Ends all watches of PackageTransferWatcher.
void ct_script_end_transfer_watches(struct ct_script *s);

// Ends all worlds, and what Lua made and did not end. Before the Lua state closes.
void ct_script_api_shutdown(struct ct_script *s);
