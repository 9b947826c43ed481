// api_navigation.h: navigation meshes in Lua: what the modules share.
//
// A NavigationMesh is an object of a world whose `data` is the instance (navigation_world.h). Lua has
// points in the space of the world; those of the mesh are in its own. A polygon is a ct_navigation_place
// as a number. Functions that check raise a Lua error, which names function and argument, and do not
// return.
#pragma once
#include "script/api_check.h"
#include "script/api_options.h"
#include "world/world_navigation.h"

extern const ct_lua_object_type ct_type_navigation_mesh, ct_type_navigation_field;

// A mesh that exists.
typedef struct ct_script_navigation_mesh {
    ct_world *world;
    ct_navigation_world *navigation;
    ct_navigation_instance instance;
    ct_navigation_parts parts;
    const ct_navigation_resource *resource;
    const ct_navigation_class *class;
} ct_script_navigation_mesh;

// Returns the mesh at `argument`; raises an error when it has been destroyed.
ct_script_navigation_mesh ct_check_navigation_mesh(lua_State *L, int argument);

// Pushes a mesh of a world; nil for {0}. Returns 1.
int ct_push_navigation_mesh(lua_State *L, ct_world *world, ct_navigation_instance instance);

// --- Arguments (api_navigation_check.c) ----------------------------------------------------------

// Returns a finite point of the world, in the space of the mesh.
ct_vec3 ct_check_mesh_point(lua_State *L, int argument, const ct_script_navigation_mesh *m);

// Pushes a point of the mesh, in the space of the world.
void ct_push_mesh_point(lua_State *L, const ct_script_navigation_mesh *m, ct_vec3 point);

// Pushes a direction of the mesh, in the space of the world.
void ct_push_mesh_direction(lua_State *L, const ct_script_navigation_mesh *m, ct_vec3 direction);

// Pushes an array of points of the mesh, `stride` bytes from each to the next.
void ct_push_mesh_points(lua_State *L, const ct_script_navigation_mesh *m, const ct_vec3 *points,
                         uint32_t count, uint32_t stride);

// Returns a polygon that the mesh has now.
ct_navigation_place ct_check_polygon(lua_State *L, int argument,
                                     const ct_script_navigation_mesh *m);

// Returns the number of the area, and of the link, with the name or id at `argument`.
uint32_t ct_check_area(lua_State *L, int argument, const ct_script_navigation_mesh *m);
uint32_t ct_check_link(lua_State *L, int argument, const ct_script_navigation_mesh *m);

// Returns the number of the area with an id; UINT32_MAX: the mesh has no such area.
uint32_t ct_navigation_area_with(const ct_script_navigation_mesh *m, ct_string_id32 name);

// Raises the error that the mesh has no area with this name.
void ct_no_such_area(lua_State *L, int argument, const ct_script_navigation_mesh *m,
                     const char *name);

// Returns how far from a point polygons are looked for: the metres at `argument`, or, when that is nil
// or absent, the radius of the class to the sides and its height up and down.
ct_vec3 ct_optional_reach(lua_State *L, int argument, const ct_script_navigation_mesh *m);

// --- Tables by name (api_navigation_options.c) ---------------------------------------------------

// Same as ct_read_options, with the mesh as the context; nil and absent have no members.
void ct_read_navigation_options(lua_State *L, int argument, const ct_script_navigation_mesh *m,
                                const ct_option_row *rows, uint32_t num_rows, void *out);

// Returns the mesh whose options are read.
static inline const ct_script_navigation_mesh *ct_option_mesh(const ct_option *o) {
    return o->context;
}

// Return the member's value; raise an error when it is of another kind, or not finite.
ct_vec3 ct_option_point(const ct_option *o);   // in the space of the world
ct_vec2 ct_option_vector2(const ct_option *o); // of a Vector3, x and y

// What a path may use, and how it is looked for.
typedef struct ct_script_path_options {
    ct_navigation_path_desc desc; // without `from`, `to` and `filter`
    ct_navigation_filter filter;
    bool has_filter; // else it is that of the mesh when it is used
} ct_script_path_options;

// Reads the options of paths, or of functions that only take costs, closed and without_links.
void ct_read_path_options(lua_State *L, int argument, const ct_script_navigation_mesh *m,
                          ct_script_path_options *out);
void ct_read_filter_options(lua_State *L, int argument, const ct_script_navigation_mesh *m,
                            ct_script_path_options *out);

// Returns the filter of options: of the mesh as it is now, when they have none.
static inline const ct_navigation_filter *ct_path_filter(const ct_script_navigation_mesh *m,
                                                         ct_script_path_options *o) {
    if (!o->has_filter)
        o->filter = ct_navigation_filter_of(m->parts.mesh);
    return &o->filter;
}

// --- Functions of NavigationMesh -----------------------------------------------------------------

// api_navigation_polygons.c
int ct_navigations_constrain_to_polygon(lua_State *L);
int ct_navigations_find_nearest_polygon(lua_State *L);
int ct_navigations_find_polygon(lua_State *L);
int ct_navigations_funnel(lua_State *L);
int ct_navigations_is_obstructed(lua_State *L);
int ct_navigations_num_polygons(lua_State *L);
int ct_navigations_num_vertices(lua_State *L);
int ct_navigations_polygon_area(lua_State *L);
int ct_navigations_polygon_neighbors(lua_State *L);
int ct_navigations_polygon_vertices(lua_State *L);
int ct_navigations_polygons(lua_State *L);
int ct_navigations_project_to_polygon(lua_State *L);
int ct_navigations_set_obstructed(lua_State *L);
int ct_navigations_update_polygon(lua_State *L);
int ct_navigations_vertex(lua_State *L);

// api_navigation_paths.c
int ct_navigations_cancel_path(lua_State *L);
int ct_navigations_find_path(lua_State *L);
int ct_navigations_partial_search(lua_State *L);
int ct_navigations_search(lua_State *L);
int ct_navigations_start_path(lua_State *L);
int ct_navigations_start_paths(lua_State *L);

// api_navigation_places.c
int ct_navigations_field(lua_State *L);
int ct_navigations_field_at(lua_State *L);
int ct_navigations_field_at_many(lua_State *L);
int ct_navigations_height(lua_State *L);
int ct_navigations_is_connected(lua_State *L);
int ct_navigations_nearest(lua_State *L);
int ct_navigations_random_point(lua_State *L);
int ct_navigations_ray(lua_State *L);

// api_navigation_changes.c
int ct_navigations_add_obstacle(lua_State *L);
int ct_navigations_add_tiles(lua_State *L);
int ct_navigations_area(lua_State *L);
int ct_navigations_links(lua_State *L);
int ct_navigations_move_obstacle(lua_State *L);
int ct_navigations_remove_obstacle(lua_State *L);
int ct_navigations_remove_tiles(lua_State *L);
int ct_navigations_restore(lua_State *L);
int ct_navigations_save(lua_State *L);
int ct_navigations_set_area(lua_State *L);
int ct_navigations_set_link(lua_State *L);

// api_navigation_draw.c
int ct_navigations_draw(lua_State *L);
int ct_navigations_visualize_last_search(lua_State *L);

// Functions of World and Level (api_navigation_mesh.c).
int ct_world_create_navigation_mesh(lua_State *L);
int ct_levels_navigation_mesh(lua_State *L);
