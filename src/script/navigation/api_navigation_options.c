// Tables of values by name: options of paths, filters and the like.
#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "script/navigation/api_navigation.h"

// --- Reading -------------------------------------------------------------------------------------

void ct_read_navigation_options(lua_State *L, int argument, const ct_script_navigation_mesh *m,
                                const ct_option_row *rows, uint32_t num_rows, void *out) {
    if (!lua_isnoneornil(L, argument))
        ct_read_options(L, argument, rows, num_rows, m, out);
}

// The data of the vector on top, of one of two kinds; NULL: it is something else, or stale.
static const float *vector_at_top(const ct_option *o, ct_value_kind kind, ct_value_kind other) {
    const uint64_t value = ct_value_at(o->L, -1);
    const ct_value_kind found = ct_value_kind_of(value);
    return found == kind || found == other ? ct_temporary_data(ct_lua_of(o->L), value) : NULL;
}

static void check_finite(const ct_option *o, const float *v, uint32_t count) {
    for (uint32_t k = 0; k < count; ++k)
        if (!isfinite(v[k]))
            ct_argument_error(o->L, o->argument, "%s: expected finite numbers, got %g", o->member,
                              (double)v[k]);
}

ct_vec3 ct_option_point(const ct_option *o) {
    const float *const v = vector_at_top(o, CT_VALUE_KIND_VECTOR3, CT_VALUE_KIND_VECTOR3);
    if (!v)
        ct_option_error(o, "Vector3");
    check_finite(o, v, 3);
    return ct_vec3_make(v[0], v[1], v[2]);
}

ct_vec2 ct_option_vector2(const ct_option *o) {
    const float *const v = vector_at_top(o, CT_VALUE_KIND_VECTOR2, CT_VALUE_KIND_VECTOR3);
    if (!v)
        ct_option_error(o, "Vector2 or Vector3");
    check_finite(o, v, 2);
    return (ct_vec2){{v[0], v[1]}};
}

// --- Filters -------------------------------------------------------------------------------------

enum { LEAST_COST_PARTS = 100 }; // an area's cost is at least 1 / this

// The filter that is being changed.
static ct_navigation_filter *own_filter(ct_script_path_options *out,
                                        const ct_script_navigation_mesh *m) {
    if (!out->has_filter)
        out->filter = ct_navigation_filter_of(m->parts.mesh);
    out->has_filter = true;
    return &out->filter;
}

static uint32_t check_area_name(const ct_option *o, const char *name) {
    const uint32_t area = ct_navigation_area_with(ct_option_mesh(o), ct_string_id32_of(name));
    if (area == UINT32_MAX)
        ct_no_such_area(o->L, o->argument, ct_option_mesh(o), name);
    return area;
}

// Closed areas stay closed: `closed` may come before or after.
static void take_costs(const ct_option *o) {
    lua_State *const L = o->L;
    if (!lua_istable(L, -1))
        ct_option_error(o, "table");
    ct_navigation_filter *const filter = own_filter(o->out, ct_option_mesh(o));
    const int table = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        const char *const name = lua_type(L, -2) == LUA_TSTRING ? ct_lua_name_at(L, -2) : NULL;
        if (!name)
            ct_argument_error(L, o->argument, "costs: expected a table of costs by area");
        const uint32_t area = check_area_name(o, name);
        const double cost = ct_option_number(o, 1.0 / LEAST_COST_PARTS, 1e6);
        if (isfinite(filter->costs[area]))
            filter->costs[area] = (float)cost;
    }
}

static void take_closed(const ct_option *o) {
    lua_State *const L = o->L;
    if (!lua_istable(L, -1))
        ct_option_error(o, "table");
    ct_navigation_filter *const filter = own_filter(o->out, ct_option_mesh(o));
    const int table = lua_gettop(L);
    for (int i = 1; i <= (int)lua_objlen(L, table); ++i) {
        lua_rawgeti(L, table, i);
        filter->costs[check_area_name(o, ct_option_string(o))] = INFINITY;
        lua_pop(L, 1);
    }
}

static void take_without_links(const ct_option *o) {
    own_filter(o->out, ct_option_mesh(o))->without_links = ct_option_boolean(o);
}

static void finish_filter(ct_script_path_options *o, const ct_script_navigation_mesh *m) {
    if (!o->has_filter)
        return;
    o->filter.least_cost = INFINITY;
    for (uint32_t i = 0; i < m->resource->areas.count; ++i)
        o->filter.least_cost = fminf(o->filter.least_cost, o->filter.costs[i]);
}

static const ct_option_row filter_rows[] = {
    {"closed", take_closed},
    {"costs", take_costs},
    {"without_links", take_without_links},
};

void ct_read_filter_options(lua_State *L, int argument, const ct_script_navigation_mesh *m,
                            ct_script_path_options *out) {
    *out = (ct_script_path_options){.has_filter = false};
    ct_read_navigation_options(L, argument, m, filter_rows, CT_COUNT_OF(filter_rows), out);
    finish_filter(out, m);
}

// --- Paths ---------------------------------------------------------------------------------------

static ct_navigation_path_desc *desc_of(const ct_option *o) {
    return &((ct_script_path_options *)o->out)->desc;
}

static void take_partial(const ct_option *o) {
    desc_of(o)->allows_partial = ct_option_boolean(o);
}

static void take_deadline(const ct_option *o) {
    desc_of(o)->deadline = (uint32_t)ct_option_number(o, 1, 1e6);
}

static void take_max_polygons(const ct_option *o) {
    desc_of(o)->max_polygons = (uint32_t)ct_option_number(o, 1, UINT32_MAX);
}

static void take_corner_radius(const ct_option *o) {
    desc_of(o)->corner_radius = (float)ct_option_number(o, 0, 100);
}

static void take_reach(const ct_option *o) {
    const float reach = (float)ct_option_number(o, 1e-3, 1e4);
    desc_of(o)->reach = ct_vec3_make(reach, reach, reach);
}

static const ct_option_row path_rows[] = {
    {"closed", take_closed},     {"corner_radius", take_corner_radius}, {"costs", take_costs},
    {"deadline", take_deadline}, {"max_polygons", take_max_polygons},   {"partial", take_partial},
    {"reach", take_reach},       {"without_links", take_without_links},
};

void ct_read_path_options(lua_State *L, int argument, const ct_script_navigation_mesh *m,
                          ct_script_path_options *out) {
    *out = (ct_script_path_options){.has_filter = false};
    ct_read_navigation_options(L, argument, m, path_rows, CT_COUNT_OF(path_rows), out);
    finish_filter(out, m);
}
