// Paths: at once, over steps, and as the yardstick has them.
#include "foundation/math/math.h"
#include "foundation/memory/temp_allocator.h"
#include "lua/lua_check.h"
#include "script/navigation/script_navigation_private.h"

enum { MOST_AT_ONCE = 1 << 17 };

// --- At once -------------------------------------------------------------------------------------

static ct_navigation_path find(lua_State *L, const ct_script_navigation_mesh *m,
                               ct_script_path_options *o) {
    ct_navigation_path path;
    o->desc.filter = o->has_filter ? &o->filter : NULL;
    ct_navigation_find_path(m->parts.search, m->parts.mesh, &o->desc, &path);
    ct_script_keep_path(L, m, &path);
    return path;
}

int ct_navigations_find_path(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    const ct_vec3 from = ct_check_mesh_point(L, 2, &m), to = ct_check_mesh_point(L, 3, &m);
    ct_script_path_options o;
    ct_read_path_options(L, 4, &m, &o);
    o.desc.from = from;
    o.desc.to = to;
    const ct_navigation_path path = find(L, &m, &o);
    ct_push_path(L, &m, &path);
    lua_insert(L, -2); // corners, status
    lua_pushnumber(L, (lua_Number)path.length);
    return 3;
}

// --- Over steps ----------------------------------------------------------------------------------

static void check_function(lua_State *L, int argument) {
    if (!lua_isfunction(L, argument))
        ct_argument_type_error(L, argument, "function");
}

int ct_navigations_start_path(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    const ct_vec3 from = ct_check_mesh_point(L, 2, &m), to = ct_check_mesh_point(L, 3, &m);
    check_function(L, 4);
    ct_script_path_options o;
    ct_read_path_options(L, 5, &m, &o);
    o.desc.from = from;
    o.desc.to = to;
    o.desc.filter = o.has_filter ? &o.filter : NULL;
    lua_pushnumber(L, (lua_Number)ct_script_wait_for_path(L, &m, &o.desc, 4));
    return 1;
}

int ct_navigations_start_paths(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    uint32_t count, num_goals;
    const ct_vec3 *const from = ct_check_positions(L, 2, temp, &count);
    const ct_vec3 *const to = ct_check_positions(L, 3, temp, &num_goals);
    if (num_goals != count)
        ct_argument_error(L, 3, "expected a goal for each of %u starts, got %u", count, num_goals);
    if (count > MOST_AT_ONCE)
        ct_argument_error(L, 2, "expected at most %d starts, got %u", MOST_AT_ONCE, count);
    check_function(L, 4);
    ct_script_path_options o;
    ct_read_path_options(L, 5, &m, &o);
    o.desc.filter = o.has_filter ? &o.filter : NULL;
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; ++i) {
        o.desc.from = ct_navigation_to_mesh(m.navigation, m.instance, from[i]);
        o.desc.to = ct_navigation_to_mesh(m.navigation, m.instance, to[i]);
        lua_pushnumber(L, (lua_Number)ct_script_wait_for_path(L, &m, &o.desc, 4));
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

int ct_navigations_cancel_path(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    ct_script_cancel_path(L, &m, (uint64_t)ct_check_integer(L, 2, 0, 1ll << 53));
    return 0;
}

// --- As the yardstick has them -------------------------------------------------------------------

// The point at `argument`, or the middle of the polygon there.
static ct_vec3 check_place(lua_State *L, int argument, const ct_script_navigation_mesh *m) {
    if (lua_type(L, argument) != LUA_TNUMBER)
        return ct_check_mesh_point(L, argument, m);
    const ct_navigation_place p = ct_check_polygon(L, argument, m);
    const ct_vec3 center =
        ct_navigation_face_at(ct_navigation_tiles(m->parts.mesh, NULL), p)->center;
    return ct_navigation_closest_on(m->parts.mesh, p, center);
}

// Pushes the polygons of a path; when its straight distance from the start is above `most`, those behind
// the last that is nearer are left out, or all.
static void push_polygons(lua_State *L, const ct_script_navigation_mesh *m,
                          const ct_navigation_path *path, double most, bool allows_part) {
    const ct_navigation_tile *const tiles = ct_navigation_tiles(m->parts.mesh, NULL);
    const bool is_path =
        path->status == CT_NAVIGATION_FOUND || path->status == CT_NAVIGATION_PARTIAL;
    const bool is_short = (double)path->length <= most;
    const uint32_t count = is_path && (is_short || allows_part) ? path->num_polygons : 0;
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_vec3 way =
            ct_vec3_sub(ct_navigation_face_at(tiles, path->polygons[i])->center,
                        path->num_corners ? path->corners[0].position : ct_vec3_make(0, 0, 0));
        if (!is_short && i > 0 && (double)ct_vec3_length(way) > most)
            break;
        lua_pushnumber(L, path->polygons[i]);
        lua_rawseti(L, -2, (int)i + 1);
    }
}

// Finds polygons from the place at argument 2 to that at argument 3. Focus needs no other search: the
// estimate is never too high and looks at little.
static int search(lua_State *L, bool allows_part) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    ct_script_path_options o = {.desc.allows_partial = allows_part};
    o.desc.from = check_place(L, 2, &m);
    o.desc.to = check_place(L, 3, &m);
    ct_check_number(L, 4);
    o.desc.max_polygons = (uint32_t)ct_check_integer(L, 5, 1, UINT32_MAX);
    const double most = ct_check_number_in(L, 6, 0, 1e9);
    const ct_navigation_path path = find(L, &m, &o);
    push_polygons(L, &m, &path, most, allows_part);
    return 1;
}

int ct_navigations_search(lua_State *L) {
    return search(L, false);
}

int ct_navigations_partial_search(lua_State *L) {
    return search(L, true);
}
