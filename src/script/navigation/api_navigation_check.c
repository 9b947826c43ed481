// Checks of what functions of navigation get: meshes, points, polygons, names of the resource.
#include "foundation/error.h"
#include "foundation/math/math.h"
#include "script/navigation/api_navigation.h"

// --- Points --------------------------------------------------------------------------------------

ct_vec3 ct_check_mesh_point(lua_State *L, int argument, const ct_script_navigation_mesh *m) {
    return ct_navigation_to_mesh(m->navigation, m->instance, ct_check_finite_vector3(L, argument));
}

void ct_push_mesh_point(lua_State *L, const ct_script_navigation_mesh *m, ct_vec3 point) {
    ct_push_vector3(L, ct_navigation_to_world(m->navigation, m->instance, point));
}

void ct_push_mesh_direction(lua_State *L, const ct_script_navigation_mesh *m, ct_vec3 direction) {
    ct_push_vector3(L, ct_navigation_turn_to_world(m->navigation, m->instance, direction));
}

void ct_push_mesh_points(lua_State *L, const ct_script_navigation_mesh *m, const ct_vec3 *points,
                         uint32_t count, uint32_t stride) {
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; ++i) {
        const char *const at = (const char *)points + (size_t)i * stride;
        ct_push_mesh_point(L, m, *(const ct_vec3 *)(const void *)at);
        lua_rawseti(L, -2, (int)i + 1);
    }
}

ct_navigation_place ct_check_polygon(lua_State *L, int argument,
                                     const ct_script_navigation_mesh *m) {
    const ct_navigation_place p = (ct_navigation_place)ct_check_integer(L, argument, 1, UINT32_MAX);
    if (!ct_navigation_is_live(m->parts.mesh, p))
        ct_argument_error(L, argument,
                          "expected a polygon of the mesh, got %u, which is gone or never existed",
                          p);
    return p;
}

ct_vec3 ct_optional_reach(lua_State *L, int argument, const ct_script_navigation_mesh *m) {
    if (lua_isnoneornil(L, argument))
        return ct_vec3_make(m->class->radius, m->class->radius, m->class->height);
    const float reach = (float)ct_check_number_in(L, argument, 0, 1e4);
    return ct_vec3_make(reach, reach, reach);
}

// --- Names ---------------------------------------------------------------------------------------

static const ct_navigation_area *areas_of(const ct_script_navigation_mesh *m) {
    return ct_blob_at(m->resource, m->resource->areas.offset);
}

uint32_t ct_navigation_area_with(const ct_script_navigation_mesh *m, ct_string_id32 name) {
    const ct_navigation_area *const areas = areas_of(m);
    for (uint32_t i = 0; i < m->resource->areas.count; ++i)
        if (areas[i].name.value == name.value)
            return i;
    return UINT32_MAX;
}

void ct_no_such_area(lua_State *L, int argument, const ct_script_navigation_mesh *m,
                     const char *name) {
    const char *names[CT_NAVIGATION_MAX_AREAS];
    uint32_t count = 0;
    for (; count < m->resource->areas.count && count < CT_NAVIGATION_MAX_AREAS; ++count)
        names[count] = ct_blob_at(m->resource, areas_of(m)[count].name_text.offset);
    const char *const nearest = ct_nearest_name(name, names, count);
    ct_argument_error(L, argument, "the navigation has no area \"%.64s\"%s%s%s", name,
                      nearest ? ", did you mean \"" : "", nearest ? nearest : "",
                      nearest ? "\"?" : "");
}

static const char *name_at(lua_State *L, int argument, ct_string_id32 id) {
    return lua_type(L, argument) == LUA_TSTRING ? lua_tostring(L, argument)
                                                : ct_string_id32_name(id);
}

uint32_t ct_check_area(lua_State *L, int argument, const ct_script_navigation_mesh *m) {
    const ct_string_id32 name = ct_check_id32(L, argument);
    const uint32_t area = ct_navigation_area_with(m, name);
    if (area == UINT32_MAX)
        ct_no_such_area(L, argument, m, name_at(L, argument, name));
    return area;
}

uint32_t ct_check_link(lua_State *L, int argument, const ct_script_navigation_mesh *m) {
    const ct_string_id32 id = ct_check_id32(L, argument);
    const ct_navigation_link *const links = ct_blob_at(m->resource, m->resource->links.offset);
    for (uint32_t i = 0; i < m->resource->links.count; ++i)
        if (links[i].id.value == id.value)
            return i;
    return (uint32_t)ct_argument_error(L, argument,
                                       "the navigation has no link with the id \"%.64s\"; "
                                       "NavigationMesh.links returns those that it has",
                                       name_at(L, argument, id));
}
