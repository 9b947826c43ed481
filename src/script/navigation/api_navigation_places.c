// Places: nearest points, rays, random points, distance fields.
#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "foundation/memory/temp_allocator.h"
#include "lua/lua_array.h"
#include "lua/lua_check.h"
#include "script/math/api_random.h"
#include "script/navigation/script_navigation_private.h"

// Returns the polygon nearest to a point within the default reach, and the point on it; 0: none.
static ct_navigation_place find_place(const ct_script_navigation_mesh *m,
                                      const ct_navigation_filter *filter, ct_vec3 point,
                                      ct_vec3 *on_mesh) {
    const ct_vec3 reach = ct_vec3_make(m->class->radius, m->class->radius, m->class->height);
    return ct_navigation_nearest(m->parts.mesh, filter, point, reach, on_mesh);
}

int ct_navigations_nearest(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    const ct_vec3 point = ct_check_mesh_point(L, 2, &m);
    ct_vec3 at;
    const ct_navigation_place p =
        ct_navigation_nearest(m.parts.mesh, NULL, point, ct_optional_reach(L, 3, &m), &at);
    if (!p) {
        lua_pushnil(L);
        return 1;
    }
    ct_push_mesh_point(L, &m, at);
    lua_pushnumber(L, p);
    return 2;
}

int ct_navigations_height(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    ct_vec3 at = ct_check_mesh_point(L, 2, &m);
    if (!find_place(&m, NULL, at, &at)) {
        lua_pushnil(L);
        return 1;
    }
    lua_pushnumber(L, (lua_Number)ct_navigation_to_world(m.navigation, m.instance, at).z);
    return 1;
}

int ct_navigations_ray(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    const ct_vec3 from = ct_check_mesh_point(L, 2, &m), to = ct_check_mesh_point(L, 3, &m);
    ct_script_path_options o;
    ct_read_filter_options(L, 4, &m, &o);
    const ct_navigation_filter *const filter = ct_path_filter(&m, &o);
    ct_vec3 start, at, normal;
    const ct_navigation_place p = find_place(&m, filter, from, &start);
    if (!p) {
        lua_pushboolean(L, false);
        return 1;
    }
    ct_navigation_place end;
    lua_pushboolean(L, ct_navigation_ray(m.parts.mesh, filter, p, start, to, &end, &at, &normal));
    ct_push_mesh_point(L, &m, at);
    if (ct_vec3_dot(normal, normal) > 0)
        ct_push_mesh_direction(L, &m, normal);
    else
        lua_pushnil(L);
    return 3;
}

int ct_navigations_is_connected(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    ct_vec3 a = ct_check_mesh_point(L, 2, &m), b = ct_check_mesh_point(L, 3, &m);
    const ct_navigation_place from = find_place(&m, NULL, a, &a), to = find_place(&m, NULL, b, &b);
    lua_pushboolean(L, from && to && ct_navigation_is_connected(m.parts.mesh, from, to));
    return 1;
}

// --- Random points -------------------------------------------------------------------------------

static float area_of(const ct_navigation_tile *t, const ct_navigation_face *face) {
    float twice = 0;
    const ct_vec3 a = t->vertices[t->edges[face->first_edge]];
    for (uint32_t e = 1; e + 1 < face->num_edges; ++e) {
        const ct_vec3 b = t->vertices[t->edges[face->first_edge + e]];
        const ct_vec3 c = t->vertices[t->edges[face->first_edge + e + 1]];
        twice += (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    }
    return twice / 2;
}

// A polygon of the mesh that is open, as likely as its area; 0: it has no such polygon.
static ct_navigation_place choose_polygon(const ct_script_navigation_mesh *m,
                                          const ct_navigation_filter *filter, uint64_t *random) {
    uint32_t num_slots;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(m->parts.mesh, &num_slots);
    ct_navigation_place chosen = 0;
    double sum = 0;
    for (uint32_t slot = 1; slot < num_slots; ++slot)
        for (uint32_t i = 0; tiles[slot].version && i < tiles[slot].num_faces; ++i) {
            const ct_navigation_face *const face = &tiles[slot].faces[i];
            const ct_navigation_place p = CT_NAVIGATION_PLACE(slot, i);
            const double area = (double)area_of(&tiles[slot], face);
            if (!(area > 0) || !isfinite(filter->costs[face->area % CT_NAVIGATION_MAX_AREAS]) ||
                ct_navigation_is_obstructed(m->parts.mesh, p))
                continue;
            sum += area;
            const double share = (double)(ct_random_next_bits(random) >> 11) * 0x1p-53;
            if (share * sum < area)
                chosen = p;
        }
    return chosen;
}

int ct_navigations_random_point(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    const bool has_start = !lua_isnoneornil(L, 2);
    ct_vec3 from = has_start ? ct_check_mesh_point(L, 2, &m) : ct_vec3_make(0, 0, 0);
    const float radius = lua_isnoneornil(L, 3) ? 0 : (float)ct_check_number_in(L, 3, 0, 1e6);
    if (radius > 0 && !has_start)
        ct_argument_error(L, 2, "expected a Vector3 that the radius is around, got nil");
    uint64_t *const random = &ct_lua_of(L)->random_state;
    const ct_navigation_filter filter = ct_navigation_filter_of(m.parts.mesh);
    ct_navigation_place start =
        has_start ? find_place(&m, &filter, from, &from) : choose_polygon(&m, &filter, random);
    if (start && !has_start)
        from = ct_navigation_face_at(ct_navigation_tiles(m.parts.mesh, NULL), start)->center;
    ct_vec3 at;
    if (start)
        start = ct_navigation_random(m.parts.search, m.parts.mesh, &filter, start, from, radius,
                                     random, &at);
    if (!start) {
        lua_pushnil(L);
        return 1;
    }
    ct_push_mesh_point(L, &m, at);
    lua_pushnumber(L, start);
    return 2;
}

// --- Fields --------------------------------------------------------------------------------------

static ct_script_field *check_field(lua_State *L, int argument,
                                    const ct_script_navigation_mesh *m) {
    ct_script_field *const field = ct_check_object(L, argument, &ct_type_navigation_field, NULL);
    if (field->world != m->world || field->instance.id != m->instance.id)
        ct_argument_error(L, argument,
                          "expected a NavigationField of this mesh, got one of another mesh");
    return field;
}

static ct_script_field *make_field(lua_State *L, struct ct_script_navigation *n,
                                   const ct_script_navigation_mesh *m) {
    ct_script_field *const field = CT_NEW(ct_lua_of(L)->allocator, ct_script_field);
    *field = (ct_script_field){.world = m->world, .instance = m->instance};
    ct_array_push(&n->fields, field);
    return field;
}

int ct_navigations_field(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    uint32_t count;
    const ct_vec3 *const points = ct_check_positions(L, 2, temp, &count);
    ct_script_path_options o;
    ct_read_filter_options(L, 3, &m, &o);
    struct ct_script_navigation *const n = ct_script_navigation_of(ct_script_of(L));
    ct_script_field *field = lua_isnoneornil(L, 4) ? NULL : check_field(L, 4, &m);
    ct_vec3 *const goals = ct_alloc(temp, sizeof(*goals) * (count + 1ull));
    for (uint32_t i = 0; i < count; ++i)
        goals[i] = ct_navigation_to_mesh(m.navigation, m.instance, points[i]);
    if (!field) {
        ct_check_object_room(L, &ct_type_navigation_field);
        field = make_field(L, n, &m);
    }
    const ct_vec3 reach = ct_vec3_make(m.class->radius, m.class->radius, m.class->height);
    ct_navigation_field_compute(n->search, m.parts.mesh, ct_path_filter(&m, &o), goals, count,
                                reach, &field->field);
    ct_push_object(L, &ct_type_navigation_field, field, (uint64_t)(uintptr_t)m.world);
    return 1;
}

int ct_navigations_field_at(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    const ct_script_field *const field = check_field(L, 2, &m);
    ct_vec3 from = ct_check_mesh_point(L, 3, &m), towards;
    const ct_navigation_place p = find_place(&m, NULL, from, &from);
    const float distance =
        p ? ct_navigation_field_at(m.parts.mesh, &field->field, p, from, &towards) : INFINITY;
    lua_pushnumber(L, (lua_Number)distance);
    if (!isfinite(distance))
        return 1;
    ct_push_mesh_point(L, &m, towards);
    return 2;
}

int ct_navigations_field_at_many(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    const ct_script_field *const field = check_field(L, 2, &m);
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    uint32_t count;
    const ct_vec3 *const given = ct_check_positions(L, 3, temp, &count);
    for (int argument = 4; argument <= 5; ++argument)
        if (!lua_isnoneornil(L, argument))
            ct_check_array_of(L, argument, CT_LUA_ARRAY_KIND_FLOATS);
    if (!lua_isnoneornil(L, 4) && lua_rawequal(L, 4, 5))
        ct_argument_error(L, 5, "expected another Float32Array than that of the distances");
    // The results may take the place of what was given.
    ct_vec3 *const points = ct_alloc(temp, sizeof(*points) * (count + 1ull));
    if (count)
        memcpy(points, given, sizeof(*points) * (size_t)count);
    lua_settop(L, 5);
    float *const distances = ct_push_result_array(L, 4, CT_LUA_ARRAY_KIND_FLOATS, count)->floats;
    float *const ways = ct_push_result_array(L, 5, CT_LUA_ARRAY_KIND_FLOATS, 3ull * count)->floats;
    for (uint32_t i = 0; i < count; ++i) {
        ct_vec3 from = ct_navigation_to_mesh(m.navigation, m.instance, points[i]), towards;
        const ct_navigation_place p = find_place(&m, NULL, from, &from);
        distances[i] =
            p ? ct_navigation_field_at(m.parts.mesh, &field->field, p, from, &towards) : INFINITY;
        if (isfinite(distances[i]))
            points[i] = ct_navigation_to_world(m.navigation, m.instance, towards);
        memcpy(ways + 3ull * i, &points[i], sizeof(ct_vec3));
    }
    return 2;
}
