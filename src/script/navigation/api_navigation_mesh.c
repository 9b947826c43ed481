// NavigationMesh: the module, and meshes of worlds and levels.
#include <string.h>

#include "foundation/math/math.h"
#include "lua/lua_check.h"
#include "script/navigation/script_navigation_private.h"

extern const ct_lua_module ct_api_navigation_mesh;

// --- Life cycle ----------------------------------------------------------------------------------

static ct_string_id32 optional_class(lua_State *L, int argument) {
    return lua_isnoneornil(L, argument) ? (ct_string_id32){0} : ct_check_id32(L, argument);
}

int ct_world_create_navigation_mesh(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    const char *const name = ct_check_resource(L, 2, "navigation", NULL);
    const ct_string_id32 class_name = optional_class(L, 3);
    const ct_mat4 pose =
        lua_isnoneornil(L, 4) ? ct_mat4_identity() : ct_check_finite_matrix4x4(L, 4);
    ct_check_object_room(L, &ct_type_navigation_mesh);
    ct_error error = {0};
    const ct_navigation_instance i =
        ct_world_add_navigation(world, ct_string_id64_of(name), class_name, pose, &error);
    if (!i.id)
        return ct_function_error(L, "%s", error.message);
    return ct_push_navigation_mesh(L, world, i);
}

int ct_levels_navigation_mesh(lua_State *L) {
    ct_world *world;
    const ct_level level = ct_check_level(L, 1, &world);
    return ct_push_navigation_mesh(L, world,
                                   ct_level_navigation(world, level, optional_class(L, 2)));
}

static int destroy(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 2);
    if (m.world != world)
        ct_argument_error(L, 2,
                          "expected a NavigationMesh of this world, got one of another world");
    if (m.parts.user)
        ct_argument_error(L, 2,
                          "expected a mesh that World.create_navigation_mesh made; that of a "
                          "level ends with the level");
    ct_navigation_world_remove(m.navigation, m.instance);
    ct_script_end_gone_meshes(L, world);
    return 0;
}

// --- What there is -------------------------------------------------------------------------------

static void set_count(lua_State *L, const char *name, uint32_t count) {
    lua_pushnumber(L, count);
    lua_setfield(L, -2, name);
}

static int counts(lua_State *L) {
    const ct_navigation_counts c =
        ct_navigation_world_counts(ct_world_navigation(ct_check_world(L, 1)));
    lua_createtable(L, 0, 7);
    set_count(L, "meshes", c.instances);
    set_count(L, "tiles", c.tiles);
    set_count(L, "polygons", c.polygons);
    set_count(L, "obstacles", c.obstacles);
    set_count(L, "waiting_tiles", c.waiting_tiles);
    set_count(L, "paths", c.queries);
    set_count(L, "agents", c.agents);
    return 1;
}

static int class_of(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    lua_createtable(L, 0, 5);
    lua_pushstring(L, ct_blob_at(m.resource, m.class->name_text.offset));
    lua_setfield(L, -2, "name");
    lua_pushnumber(L, (lua_Number)m.class->radius);
    lua_setfield(L, -2, "radius");
    lua_pushnumber(L, (lua_Number)m.class->height);
    lua_setfield(L, -2, "height");
    lua_pushnumber(L, (lua_Number)m.class->climb);
    lua_setfield(L, -2, "climb");
    lua_pushnumber(L, (lua_Number)m.class->slope);
    lua_setfield(L, -2, "slope");
    return 1;
}

static int areas(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    const ct_navigation_area *const all = ct_blob_at(m.resource, m.resource->areas.offset);
    lua_createtable(L, (int)m.resource->areas.count, 0);
    for (uint32_t i = 0; i < m.resource->areas.count; ++i) {
        lua_pushstring(L, ct_blob_at(m.resource, all[i].name_text.offset));
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

#define POINTS "any(Float32Array,number[],Vector3[])"
#define FILTER                                                                                     \
    "Options: costs = {mud = 2}, closed = {\"gate\"} with names of areas, and without_links = "    \
    "true."

static const ct_lua_function functions[] = {
    {"add_obstacle", ct_navigations_add_obstacle,
     "(self: NavigationMesh, obstacle: table) -> integer",
     "Adds an obstacle and returns its id; its tiles are cut in the next steps of the world. The "
     "table has shape (\"box\", \"cylinder\" or \"convex\"), position (the middle of its bottom), "
     "height, angle around z, and half_size (a Vector2), radius, or points (3 to 12 Vector2s "
     "around "
     "the position, counter-clockwise). With an area it paints that area instead of a hole."},
    {"add_tiles", ct_navigations_add_tiles,
     "(self: NavigationMesh, min: Vector3, max: Vector3) -> integer",
     "Adds the tiles between two corners of a box seen from above; returns how many the resource "
     "has there."},
    {"area", ct_navigations_area, "(self: NavigationMesh, name: string) -> boolean, number",
     "Returns whether an area is closed, and the cost of a metre of it."},
    {"areas", areas, "(self: NavigationMesh) -> string[]",
     "Returns the names of the areas of the navigation."},
    {"cancel_path", ct_navigations_cancel_path, "(self: NavigationMesh, query: integer) -> nil",
     "Ends a query: its function is not called. Does nothing when it is over."},
    {"class", class_of, "(self: NavigationMesh) -> table",
     "Returns what agents the mesh is for: a table with name, radius, height, climb and slope."},
    {"constrain_to_polygon", ct_navigations_constrain_to_polygon,
     "(self: NavigationMesh, p: Vector3, poly: integer) -> Vector3, boolean",
     "Returns the point of a polygon that is nearest to a point, and whether the point was outside "
     "of it."},
    {"counts", counts, "(world: World) -> table",
     "Returns a table with how many meshes, tiles, polygons, obstacles, waiting_tiles (to be built "
     "again), paths (that wait) and agents the world has."},
    {"destroy", destroy, "(world: World, mesh: NavigationMesh) -> nil",
     "Destroys a mesh that World.create_navigation_mesh made."},
    {"draw", ct_navigations_draw,
     "(self: NavigationMesh, line_object: LineObject, options: table?) -> nil",
     "Adds lines that show what the options name: polygons (coloured by area), islands (the same "
     "by "
     "island), tiles, crossings, links, obstacles, agents, paths and velocities, each = true. "
     "Without options polygons and links."},
    {"field", ct_navigations_field,
     "(self: NavigationMesh, goals: " POINTS
     ", options: table?, field: NavigationField?) -> NavigationField",
     "Computes the distances from everywhere to the nearest of some goals, in a new field or again "
     "in `field`. " FILTER},
    {"field_at", ct_navigations_field_at,
     "(self: NavigationMesh, field: NavigationField, point: Vector3) -> number, Vector3?",
     "Returns the distance from a point to the nearest goal of a field, and the point to walk to. "
     "math.huge without a way, and after the mesh has changed: compute the field again then."},
    {"field_at_many", ct_navigations_field_at_many,
     "(self: NavigationMesh, field: NavigationField, points: any(Float32Array,number[],Vector3[]), "
     "distances: Float32Array?, towards: Float32Array?) -> Float32Array, Float32Array",
     "Returns what field_at returns for each point, in new arrays or in these: the distances, and "
     "the points to walk to (x, y and z each). Without a way the distance is math.huge, and the "
     "point to walk to is the point itself."},
    {"find_nearest_polygon", ct_navigations_find_nearest_polygon,
     "(self: NavigationMesh, p: Vector3) -> integer?",
     "Returns the polygon nearest to a point, however far away it is; nil for an empty mesh."},
    {"find_path", ct_navigations_find_path,
     "(self: NavigationMesh, from: Vector3, to: Vector3, options: table?) -> Vector3[]?, string, "
     "number",
     "Finds the shortest path at once. Returns its corners from start to goal, the status "
     "(\"found\", "
     "\"partial\", \"unreachable\", \"off_mesh\" or \"over\") and the length in metres. Options: "
     "partial = true (to the reached polygon nearest to the goal), max_polygons, corner_radius "
     "(metres from corners), reach (metres around both ends), costs, closed and without_links."},
    {"find_polygon", ct_navigations_find_polygon, "(self: NavigationMesh, p: Vector3) -> integer?",
     "Returns the polygon that is below or above a point, at most the height of an agent away, or "
     "nil."},
    {"funnel", ct_navigations_funnel,
     "(self: NavigationMesh, path: integer[]) -> Vector3[], Vector3[]",
     "Returns the left and the right ends of the openings between polygons in a row, as seen on "
     "the "
     "way."},
    {"height", ct_navigations_height, "(self: NavigationMesh, point: Vector3) -> number?",
     "Returns the height of the ground at a point, or nil off the mesh."},
    {"is_connected", ct_navigations_is_connected,
     "(self: NavigationMesh, a: Vector3, b: Vector3) -> boolean",
     "Returns whether there may be a path between two points, in constant time: links count in "
     "both "
     "directions, closed areas as if open."},
    {"is_obstructed", ct_navigations_is_obstructed,
     "(self: NavigationMesh, poly: integer) -> boolean",
     "Returns whether set_obstructed has closed a polygon."},
    {"links", ct_navigations_links, "(self: NavigationMesh) -> table[]",
     "Returns a table for each link of the mesh's class: id (an IdString32), kind, from, to, "
     "both_ways and is_open."},
    {"move_obstacle", ct_navigations_move_obstacle,
     "(self: NavigationMesh, obstacle: integer, position: Vector3, angle: number?) -> nil",
     "Moves an obstacle, and turns it when there is an angle."},
    {"nearest", ct_navigations_nearest,
     "(self: NavigationMesh, point: Vector3, reach: number?) -> Vector3?, integer?",
     "Returns the point of the mesh nearest to a point, and its polygon; nil when no polygon is "
     "within `reach` metres, by default the radius of an agent to the sides, its height up and "
     "down."},
    {"num_polygons", ct_navigations_num_polygons, "(self: NavigationMesh) -> integer",
     "Returns the number of polygons."},
    {"num_vertices", ct_navigations_num_vertices, "(self: NavigationMesh) -> integer",
     "Returns the number of vertices."},
    {"partial_search", ct_navigations_partial_search,
     "(self: NavigationMesh, start: any(integer,Vector3), end: any(integer,Vector3), focus: "
     "number, "
     "max_search_nodes: integer, max_distance: number) -> integer[]",
     "Works like search; without a path to the end it returns the one to the polygon nearest to "
     "it."},
    {"polygon_area", ct_navigations_polygon_area, "(self: NavigationMesh, poly: integer) -> string",
     "Returns the name of the area of a polygon."},
    {"polygon_neighbors", ct_navigations_polygon_neighbors,
     "(self: NavigationMesh, poly: integer) -> any(integer,nil)+",
     "Returns for each edge of a polygon the polygon behind it, or nil; the first where there are "
     "several."},
    {"polygon_vertices", ct_navigations_polygon_vertices,
     "(self: NavigationMesh, poly: integer) -> integer+",
     "Returns the vertices of a polygon, counter-clockwise from above."},
    {"polygons", ct_navigations_polygons, "(self: NavigationMesh) -> integer[]",
     "Returns all polygons. Numbers are valid until their tile changes."},
    {"project_to_polygon", ct_navigations_project_to_polygon,
     "(self: NavigationMesh, p: Vector3, poly: integer) -> Vector3",
     "Returns a point moved up or down to the height of a polygon."},
    {"random_point", ct_navigations_random_point,
     "(self: NavigationMesh, from: Vector3?, radius: number?) -> Vector3?, integer?",
     "Returns a random point of the mesh and its polygon, all equally likely: of everything, of "
     "what "
     "is connected to `from`, or of polygons within `radius` metres of walking from there. Uses "
     "the "
     "random numbers of Math.random."},
    {"ray", ct_navigations_ray,
     "(self: NavigationMesh, from: Vector3, to: Vector3, options: table?) -> boolean, Vector3?, "
     "Vector3?",
     "Walks straight over the mesh. Returns whether it got there, where it ended (nil: the start "
     "is "
     "off the mesh), and the normal of the wall there. " FILTER},
    {"remove_obstacle", ct_navigations_remove_obstacle,
     "(self: NavigationMesh, obstacle: integer) -> nil", "Removes an obstacle."},
    {"remove_tiles", ct_navigations_remove_tiles,
     "(self: NavigationMesh, min: Vector3, max: Vector3) -> integer",
     "Removes the tiles between two corners of a box seen from above; returns how many the "
     "resource "
     "has there."},
    {"restore", ct_navigations_restore, "(self: NavigationMesh, state: string) -> nil",
     "Restores what save returned, for the same level and class."},
    {"save", ct_navigations_save, "(self: NavigationMesh) -> string",
     "Returns the state of the mesh, as bytes: its obstacles, switches and tiles."},
    {"search", ct_navigations_search,
     "(self: NavigationMesh, start: any(integer,Vector3), end: any(integer,Vector3), focus: "
     "number, "
     "max_search_nodes: integer, max_distance: number) -> integer[]",
     "Returns the polygons of the shortest path between two points or polygons, or an empty table. "
     "It looks at `max_search_nodes` polygons and goes `max_distance` metres at most; every focus "
     "finds the same."},
    {"set_area", ct_navigations_set_area,
     "(self: NavigationMesh, name: string, state: table) -> nil",
     "Opens or closes an area, or changes its cost, at once: {closed = true, cost = 2}."},
    {"set_link", ct_navigations_set_link,
     "(self: NavigationMesh, id: any(string,IdString32), is_open: boolean) -> nil",
     "Opens or closes a link by its id, at once."},
    {"set_obstructed", ct_navigations_set_obstructed,
     "(self: NavigationMesh, poly: integer, is_obstructed: boolean) -> nil",
     "Closes or opens a polygon, until its tile changes."},
    {"start_path", ct_navigations_start_path,
     "(self: NavigationMesh, from: Vector3, to: Vector3, callback: function, options: table?) -> "
     "integer",
     "Has a path searched over the next steps and returns the query. Then World.update calls "
     "callback(status, corners, query), in the order of asking; also when the mesh goes away, with "
     "\"over\". Options: those of find_path, and deadline = 10, steps after which it answers."},
    {"start_paths", ct_navigations_start_paths,
     "(self: NavigationMesh, from: " POINTS ", to: " POINTS
     ", callback: function, options: table?) -> integer[]",
     "Works like start_path for many paths; the function is called for each. Returns the queries."},
    {"update_polygon", ct_navigations_update_polygon,
     "(self: NavigationMesh, p: Vector3, poly: integer) -> Vector3, Vector3, integer, boolean",
     "Follows a point that moved from a polygon to `p`. Returns where it is on the mesh, sliding "
     "along walls, how far that is from `p`, the polygon there, and whether a wall held it back."},
    {"vertex", ct_navigations_vertex, "(self: NavigationMesh, v: integer) -> Vector3",
     "Returns the position of a vertex."},
    {"visualize_last_search", ct_navigations_visualize_last_search,
     "(self: NavigationMesh, lines: LineObject) -> nil",
     "Adds lines that show the last path that find_path or search found on this mesh."},
};

const ct_lua_module ct_api_navigation_mesh = {
    .name = "NavigationMesh",
    .doc = "What agents of a class can walk on: paths, places, changes. Get one with "
           "Level.navigation_mesh. Points are in the space of the world.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
