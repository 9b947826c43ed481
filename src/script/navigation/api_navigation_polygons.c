// Polygons and their corners. The number of a corner has the slot of its tile and its place among the
// tile's vertices.
#include <math.h>

#include "foundation/math/math.h"
#include "script/navigation/api_navigation.h"

enum { VERTEX_BITS = 16 };

typedef struct polygon {
    ct_script_navigation_mesh m;
    ct_navigation_place place;
    const ct_navigation_tile *tile;
    const ct_navigation_face *face;
} polygon;

static polygon check_polygon(lua_State *L, int argument) {
    polygon p = {.m = ct_check_navigation_mesh(L, 1)};
    p.place = ct_check_polygon(L, argument, &p.m);
    const ct_navigation_tile *const tiles = ct_navigation_tiles(p.m.parts.mesh, NULL);
    p.tile = &tiles[ct_navigation_slot_of(p.place)];
    p.face = ct_navigation_face_at(tiles, p.place);
    return p;
}

static int push_place(lua_State *L, ct_navigation_place p) {
    if (p)
        lua_pushnumber(L, p);
    else
        lua_pushnil(L);
    return 1;
}

// --- Counts --------------------------------------------------------------------------------------

int ct_navigations_num_polygons(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    uint32_t num_slots, count = 0;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(m.parts.mesh, &num_slots);
    for (uint32_t i = 1; i < num_slots; ++i)
        count += tiles[i].version ? tiles[i].num_faces : 0;
    lua_pushnumber(L, count);
    return 1;
}

int ct_navigations_num_vertices(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    uint32_t num_slots, count = 0;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(m.parts.mesh, &num_slots);
    for (uint32_t i = 1; i < num_slots; ++i)
        count += tiles[i].version ? tiles[i].num_vertices : 0;
    lua_pushnumber(L, count);
    return 1;
}

int ct_navigations_polygons(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    uint32_t num_slots;
    int count = 0;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(m.parts.mesh, &num_slots);
    lua_newtable(L);
    for (uint32_t slot = 1; slot < num_slots; ++slot)
        for (uint32_t i = 0; tiles[slot].version && i < tiles[slot].num_faces; ++i) {
            lua_pushnumber(L, CT_NAVIGATION_PLACE(slot, i));
            lua_rawseti(L, -2, ++count);
        }
    return 1;
}

// --- What a polygon is like ----------------------------------------------------------------------

int ct_navigations_polygon_vertices(lua_State *L) {
    const polygon p = check_polygon(L, 2);
    const uint32_t slot = ct_navigation_slot_of(p.place);
    luaL_checkstack(L, p.face->num_edges, NULL);
    for (uint32_t i = 0; i < p.face->num_edges; ++i)
        lua_pushnumber(L, slot << VERTEX_BITS | p.tile->edges[p.face->first_edge + i]);
    return p.face->num_edges;
}

int ct_navigations_vertex(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    const uint32_t v = (uint32_t)ct_check_integer(L, 2, 1, UINT32_MAX);
    const uint32_t slot = v >> VERTEX_BITS, place = v & ((1u << VERTEX_BITS) - 1);
    uint32_t num_slots;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(m.parts.mesh, &num_slots);
    if (slot == 0 || slot >= num_slots || !tiles[slot].version || place >= tiles[slot].num_vertices)
        ct_argument_error(
            L, 2, "expected a vertex of the mesh, got %u, which is gone or never existed", v);
    ct_push_mesh_point(L, &m, tiles[slot].vertices[place]);
    return 1;
}

// The first polygon that an edge leads to; 0: a wall.
static ct_navigation_place neighbour(const polygon *p, uint32_t edge) {
    for (uint32_t i = 0; i < p->face->num_ways; ++i) {
        const ct_navigation_way *const way = &p->tile->ways[p->face->first_way + i];
        if (way->edge == edge)
            return way->to;
    }
    return 0;
}

int ct_navigations_polygon_neighbors(lua_State *L) {
    const polygon p = check_polygon(L, 2);
    luaL_checkstack(L, p.face->num_edges, NULL);
    for (uint32_t i = 0; i < p.face->num_edges; ++i)
        push_place(L, neighbour(&p, i));
    return p.face->num_edges;
}

int ct_navigations_polygon_area(lua_State *L) {
    const polygon p = check_polygon(L, 2);
    const ct_navigation_area *const areas = ct_blob_at(p.m.resource, p.m.resource->areas.offset);
    lua_pushstring(L, p.face->area < p.m.resource->areas.count
                          ? ct_blob_at(p.m.resource, areas[p.face->area].name_text.offset)
                          : "");
    return 1;
}

int ct_navigations_is_obstructed(lua_State *L) {
    const polygon p = check_polygon(L, 2);
    lua_pushboolean(L, ct_navigation_is_obstructed(p.m.parts.mesh, p.place));
    return 1;
}

int ct_navigations_set_obstructed(lua_State *L) {
    const polygon p = check_polygon(L, 2);
    ct_navigation_set_obstructed(p.m.parts.mesh, p.place, ct_check_boolean(L, 3));
    return 0;
}

// --- Points --------------------------------------------------------------------------------------

int ct_navigations_find_polygon(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    const ct_vec3 point = ct_check_mesh_point(L, 2, &m);
    const ct_navigation_place p = ct_navigation_nearest(
        m.parts.mesh, NULL, point, ct_vec3_make(0.01f, 0.01f, m.class->height), NULL);
    return push_place(L, p && ct_navigation_contains(m.parts.mesh, p, point) ? p : 0);
}

// Looks farther and farther; once more as far as what was found, as the box of a reach has corners that
// are farther than its sides.
int ct_navigations_find_nearest_polygon(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    const ct_vec3 point = ct_check_mesh_point(L, 2, &m);
    ct_navigation_place found = 0;
    ct_vec3 at = point;
    for (float reach = 1; !found && reach < 1e6f; reach *= 8)
        found = ct_navigation_nearest(m.parts.mesh, NULL, point, ct_vec3_make(reach, reach, reach),
                                      &at);
    const float reach = ct_vec3_length(ct_vec3_sub(at, point));
    const ct_navigation_place nearest =
        ct_navigation_nearest(m.parts.mesh, NULL, point, ct_vec3_make(reach, reach, reach), NULL);
    return push_place(L, nearest ? nearest : found);
}

int ct_navigations_constrain_to_polygon(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    const ct_vec3 point = ct_check_mesh_point(L, 2, &m);
    const ct_navigation_place p = ct_check_polygon(L, 3, &m);
    ct_push_mesh_point(L, &m, ct_navigation_closest_on(m.parts.mesh, p, point));
    lua_pushboolean(L, !ct_navigation_contains(m.parts.mesh, p, point));
    return 2;
}

int ct_navigations_project_to_polygon(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    ct_vec3 point = ct_check_mesh_point(L, 2, &m);
    const ct_navigation_place p = ct_check_polygon(L, 3, &m);
    point.z = ct_navigation_closest_on(m.parts.mesh, p, point).z;
    ct_push_mesh_point(L, &m, point);
    return 1;
}

int ct_navigations_update_polygon(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    const ct_vec3 point = ct_check_mesh_point(L, 2, &m);
    const ct_navigation_place p = ct_check_polygon(L, 3, &m);
    const ct_vec3 from = ct_navigation_closest_on(m.parts.mesh, p, point);
    const ct_navigation_filter filter = ct_navigation_filter_of(m.parts.mesh);
    ct_vec3 at = from;
    const ct_navigation_place end = ct_navigation_slide(m.parts.mesh, &filter, p, from, point, &at);
    const ct_vec3 moved = ct_vec3_sub(at, point);
    ct_push_mesh_point(L, &m, at);
    ct_push_mesh_direction(L, &m, moved);
    push_place(L, end ? end : p);
    lua_pushboolean(L, hypotf(moved.x, moved.y) > 1e-3f);
    return 4;
}

// --- A row of polygons ---------------------------------------------------------------------------

static const ct_navigation_way *way_to(const ct_navigation_tile *tiles, ct_navigation_place from,
                                       ct_navigation_place to) {
    const ct_navigation_tile *const tile = &tiles[ct_navigation_slot_of(from)];
    const ct_navigation_face *const face = ct_navigation_face_at(tiles, from);
    for (uint32_t i = 0; i < face->num_ways; ++i)
        if (tile->ways[face->first_way + i].to == to)
            return &tile->ways[face->first_way + i];
    return NULL;
}

// Returns polygon `i` from 1 of the array at argument 2.
static ct_navigation_place check_element(lua_State *L, const ct_script_navigation_mesh *m,
                                         uint32_t i) {
    lua_rawgeti(L, 2, (int)i);
    const double number = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : 0;
    const bool is_place = number >= 1 && number <= (double)UINT32_MAX;
    const ct_navigation_place p = is_place ? (ct_navigation_place)number : 0;
    if (!p || !ct_navigation_is_live(m->parts.mesh, p))
        ct_argument_error(L, 2, "expected a polygon of the mesh at index %u, got %s", i,
                          is_place ? "one that is gone or never existed"
                                   : ct_push_value_description(L, lua_gettop(L)));
    lua_pop(L, 1);
    return p;
}

int ct_navigations_funnel(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    const uint32_t count = ct_check_array(L, 2);
    const ct_navigation_tile *const tiles = ct_navigation_tiles(m.parts.mesh, NULL);
    lua_settop(L, 2);
    lua_createtable(L, (int)count, 0);
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 1; i < count; ++i) {
        const ct_navigation_way *const way =
            way_to(tiles, check_element(L, &m, i), check_element(L, &m, i + 1));
        if (!way)
            ct_argument_error(L, 2, "the polygon at index %u does not lead to the next", i);
        ct_push_mesh_point(L, &m, way->left);
        lua_rawseti(L, 3, (int)i);
        ct_push_mesh_point(L, &m, way->right);
        lua_rawseti(L, 4, (int)i);
    }
    return 2;
}
