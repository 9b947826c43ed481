// api_physics_find.h: rays, sweeps and overlaps in Lua: their parameters and results.
//
// Parameters are names, some with a value behind them: `"closest"`, `"types", "statics"`. A hit is
// a table with position, distance, normal and actor, by these names and by the numbers 1 to 4.
#pragma once
#include "physics/query/physics_query.h"
#include "script/physics/api_physics.h"

enum { CT_MOST_HITS = 4096, CT_DEFAULT_HITS = 256 };

// The kinds of queries, which differ in the parameters that they take.
typedef enum ct_script_query {
    CT_SCRIPT_QUERY_RAY,     // closest, any, all, max_hits and the filters
    CT_SCRIPT_QUERY_FILTER,  // the filters
    CT_SCRIPT_QUERY_OVERLAP, // the filters, max_hits, and a shape
} ct_script_query;

// What a query looks for. Copies are fine.
typedef struct ct_script_find {
    const ct_world *world;
    const ct_tag_manager *tags;
    ct_physics_find find; // without `user` and `accepts`
    ct_ray_wish wish;
    uint32_t most;      // hits
    ct_string_id32 tag; // that the entity of the actor has; 0: any
    ct_entity ignored;  // unit whose actors are left out; {0}: none
    // Of overlaps.
    ct_physics_volume volume;
    ct_rigid_pose pose;
} ct_script_find;

// Reads the parameters from `argument` on.
void ct_read_find(lua_State *L, int argument, const ct_world *world, ct_script_query query,
                  ct_script_find *out);

// Returns what the physics takes. Valid while `find` is where it is.
ct_physics_find ct_physics_find_of(ct_script_find *find);

// Returns false when the filter is not in the physics resource any more.
bool ct_script_find_is_valid(const ct_script_find *find);

// Returns the ray from the position, the direction and the length from `argument` on. Without
// `has_length` the length is left out.
ct_physics_ray ct_check_physics_ray(lua_State *L, int argument, bool has_length);

// Casts a ray as `find` wishes. Pushes the results of PhysicsWorld.raycast and returns how many.
int ct_push_ray_results(lua_State *L, const ct_physics_ray *ray, ct_script_find *find);

// Finds what the volume of `find` overlaps, and pushes an array of actors.
void ct_push_overlap_results(lua_State *L, ct_script_find *find);

// Pushes an array of hits.
void ct_push_hits(lua_State *L, const ct_world *world, const ct_physics_hit *hits, uint32_t count);
