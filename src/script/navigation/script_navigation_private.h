// script_navigation_private.h: what an environment keeps of navigation; shared by the files of this
// folder.
#pragma once
#include "foundation/container/array.h"
#include "script/navigation/script_navigation.h"

// A path with a function, which waits for its answer.
typedef struct ct_script_path_query {
    uint64_t id; // for Lua; never used again
    ct_world *world;
    ct_navigation_instance instance;
    ct_navigation_query query;
    int callback; // reference in Lua's registry, which this owns; LUA_NOREF: it is done
} ct_script_path_query;

// A mesh that Lua has seen, with the last path that was found at once on it.
typedef struct ct_script_known_mesh {
    const ct_world *world;
    ct_navigation_instance instance;
    CT_ARRAY(ct_navigation_place) polygons;
    CT_ARRAY(ct_navigation_corner) corners;
} ct_script_known_mesh;

// A NavigationField.
typedef struct ct_script_field {
    const ct_world *world;
    ct_navigation_instance instance;
    ct_navigation_field field;
} ct_script_field;

struct ct_script_navigation {
    CT_ARRAY(ct_script_path_query) queries; // in the order of asking
    uint64_t last_query;
    uint32_t num_answering; // calls of ct_script_answer_paths
    uint32_t num_done;      // of `queries`
    CT_ARRAY(ct_script_known_mesh) meshes;
    CT_ARRAY(ct_script_field *) fields;
    ct_navigation_search *search; // whose allocator fields are from
};

// Returns what the environment keeps, and makes it when there is nothing yet.
struct ct_script_navigation *ct_script_navigation_of(ct_script *s);

// Has a path wait for its answer and takes the function at `callback`. Returns the query's id for Lua.
// Raises an error when too many wait.
uint64_t ct_script_wait_for_path(lua_State *L, const ct_script_navigation_mesh *m,
                                 const ct_navigation_path_desc *desc, int callback);

// Ends a query of a mesh; one that is over is fine.
void ct_script_cancel_path(lua_State *L, const ct_script_navigation_mesh *m, uint64_t id);

// Remembers a path for NavigationMesh.visualize_last_search, and returns the one of a mesh.
void ct_script_keep_path(lua_State *L, const ct_script_navigation_mesh *m,
                         const ct_navigation_path *path);
const ct_script_known_mesh *ct_script_kept_path(lua_State *L, const ct_script_navigation_mesh *m);

// Ends handles and fields of meshes of a world that are gone.
void ct_script_end_gone_meshes(lua_State *L, const ct_world *world);

// Pushes the name of a status, and an array of corners, or nil when there is no path. Returns 2.
int ct_push_path(lua_State *L, const ct_script_navigation_mesh *m, const ct_navigation_path *path);

// Returns the name of a status: "found".
const char *ct_navigation_status_name(ct_navigation_status status);
