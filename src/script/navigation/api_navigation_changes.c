// Changes: obstacles, areas, links, tiles; and state.
#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "foundation/memory/temp_allocator.h"
#include "script/navigation/api_navigation.h"

enum { MOST_SIZE = 100000 }; // metres, of obstacles

// The angle around z by which the mesh is turned in the world.
static float turn_of(const ct_script_navigation_mesh *m) {
    const ct_mat4 pose = ct_navigation_world_pose(m->navigation, m->instance);
    return atan2f(pose.col[0].raw[1], pose.col[0].raw[0]);
}

// --- Obstacles -----------------------------------------------------------------------------------

// An obstacle that is being read; sizes may come before the shape.
typedef struct obstacle_reading {
    ct_navigation_obstacle_desc desc;
    ct_vec3 position;
    float radius;
    bool has_shape, has_position, has_half_size;
} obstacle_reading;

static obstacle_reading *reading_of(const ct_option *o) {
    return o->out;
}

static void take_shape(const ct_option *o) {
    static const char *const names[] = {"box", "cylinder", "convex"};
    const char *const name = ct_option_string(o);
    uint32_t shape = 0;
    while (shape < CT_COUNT_OF(names) && strcmp(names[shape], name) != 0)
        ++shape;
    if (shape == CT_COUNT_OF(names))
        ct_argument_error(o->L, o->argument,
                          "shape: expected \"box\", \"cylinder\" or \"convex\", got \"%.64s\"",
                          name);
    reading_of(o)->desc.shape = shape;
    reading_of(o)->has_shape = true;
}

static void take_position(const ct_option *o) {
    reading_of(o)->position = ct_option_point(o);
    reading_of(o)->has_position = true;
}

static void take_angle(const ct_option *o) {
    reading_of(o)->desc.angle = (float)ct_option_number(o, -1e6, 1e6);
}

static void take_half_size(const ct_option *o) {
    const ct_vec2 half = ct_option_vector2(o);
    if (!(half.x > 0 && half.y > 0 && half.x <= MOST_SIZE && half.y <= MOST_SIZE))
        ct_argument_error(o->L, o->argument,
                          "half_size: expected numbers above 0 and up to %d m, got %g and %g",
                          MOST_SIZE, (double)half.x, (double)half.y);
    reading_of(o)->desc.half_size = half;
    reading_of(o)->has_half_size = true;
}

static void take_radius(const ct_option *o) {
    reading_of(o)->radius = (float)ct_option_number(o, 1e-3, MOST_SIZE);
}

static void take_height(const ct_option *o) {
    reading_of(o)->desc.height = (float)ct_option_number(o, 1e-3, MOST_SIZE);
}

static void take_points(const ct_option *o) {
    lua_State *const L = o->L;
    if (!lua_istable(L, -1))
        ct_option_error(o, "table");
    const int table = lua_gettop(L);
    const size_t count = lua_objlen(L, table);
    if (count < 3 || count > CT_NAVIGATION_MAX_OBSTACLE_POINTS)
        ct_argument_error(L, o->argument, "points: expected 3 to %d points, got %u",
                          CT_NAVIGATION_MAX_OBSTACLE_POINTS, (uint32_t)count);
    for (uint32_t i = 0; i < count; ++i) {
        lua_rawgeti(L, table, (int)i + 1);
        reading_of(o)->desc.points[i] = ct_option_vector2(o);
        lua_pop(L, 1);
    }
    reading_of(o)->desc.num_points = (uint32_t)count;
}

static void take_area(const ct_option *o) {
    const char *const name = ct_option_string(o);
    const uint32_t area = ct_navigation_area_with(ct_option_mesh(o), ct_string_id32_of(name));
    if (area == UINT32_MAX)
        ct_no_such_area(o->L, o->argument, ct_option_mesh(o), name);
    reading_of(o)->desc.area = (int32_t)area;
}

static const ct_option_row obstacle_rows[] = {
    {"angle", take_angle},   {"area", take_area},     {"half_size", take_half_size},
    {"height", take_height}, {"points", take_points}, {"position", take_position},
    {"radius", take_radius}, {"shape", take_shape},
};

static void check_needed(lua_State *L, const obstacle_reading *r) {
    static const char *const sizes[CT_NAVIGATION_SHAPE_COUNT] = {"half_size", "radius", "points"};
    if (!r->has_shape || !r->has_position)
        ct_argument_error(L, 2, "expected a table with \"shape\" and \"position\"");
    const bool has_size[CT_NAVIGATION_SHAPE_COUNT] = {r->has_half_size, r->radius > 0,
                                                      r->desc.num_points > 0};
    if (!has_size[r->desc.shape])
        ct_argument_error(L, 2, "expected \"%s\" for this shape", sizes[r->desc.shape]);
}

int ct_navigations_add_obstacle(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    obstacle_reading r = {.desc.area = -1, .desc.height = 2};
    if (!lua_istable(L, 2))
        ct_argument_type_error(L, 2, "table");
    ct_read_navigation_options(L, 2, &m, obstacle_rows, CT_COUNT_OF(obstacle_rows), &r);
    check_needed(L, &r);
    if (r.desc.shape == CT_NAVIGATION_CYLINDER)
        r.desc.half_size = (ct_vec2){{r.radius, r.radius}};
    r.desc.position = ct_navigation_to_mesh(m.navigation, m.instance, r.position);
    r.desc.angle -= turn_of(&m);
    ct_error error = {0};
    const ct_navigation_obstacle o = ct_navigation_add_obstacle(m.parts.mesh, &r.desc, &error);
    if (!o.id)
        return ct_argument_error(L, 2, "%s", error.message);
    lua_pushnumber(L, o.id);
    return 1;
}

static ct_navigation_obstacle check_obstacle(lua_State *L, int argument,
                                             const ct_script_navigation_mesh *m) {
    const ct_navigation_obstacle o = {(uint32_t)ct_check_integer(L, argument, 1, UINT32_MAX)};
    if (!ct_navigation_obstacle_is_live(m->parts.mesh, o))
        ct_argument_error(
            L, argument,
            "expected an obstacle of the mesh, got %u, which was removed or never existed", o.id);
    return o;
}

int ct_navigations_move_obstacle(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    const ct_navigation_obstacle o = check_obstacle(L, 2, &m);
    const ct_vec3 position = ct_check_mesh_point(L, 3, &m);
    const float angle = lua_isnoneornil(L, 4)
                            ? ct_navigation_obstacle_of(m.parts.mesh, o)->angle
                            : (float)ct_check_number_in(L, 4, -1e6, 1e6) - turn_of(&m);
    ct_error error = {0};
    if (!ct_navigation_move_obstacle(m.parts.mesh, o, position, angle, &error))
        return ct_argument_error(L, 3, "%s", error.message);
    return 0;
}

int ct_navigations_remove_obstacle(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    ct_navigation_remove_obstacle(m.parts.mesh, check_obstacle(L, 2, &m));
    return 0;
}

// --- Areas and links -----------------------------------------------------------------------------

typedef struct area_reading {
    bool is_closed;
    float cost;
} area_reading;

static void take_closed(const ct_option *o) {
    ((area_reading *)o->out)->is_closed = ct_option_boolean(o);
}

static void take_cost(const ct_option *o) {
    ((area_reading *)o->out)->cost = (float)ct_option_number(o, 0.01, 1e6);
}

int ct_navigations_set_area(lua_State *L) {
    static const ct_option_row rows[] = {{"closed", take_closed}, {"cost", take_cost}};
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    const uint32_t area = ct_check_area(L, 2, &m);
    area_reading r = {ct_navigation_area_is_closed(m.parts.mesh, area),
                      ct_navigation_area_cost(m.parts.mesh, area)};
    if (!lua_istable(L, 3))
        ct_argument_type_error(L, 3, "table");
    ct_read_navigation_options(L, 3, &m, rows, CT_COUNT_OF(rows), &r);
    ct_navigation_set_area(m.parts.mesh, area, r.is_closed, r.cost);
    return 0;
}

int ct_navigations_area(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    const uint32_t area = ct_check_area(L, 2, &m);
    lua_pushboolean(L, ct_navigation_area_is_closed(m.parts.mesh, area));
    lua_pushnumber(L, (lua_Number)ct_navigation_area_cost(m.parts.mesh, area));
    return 2;
}

int ct_navigations_set_link(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    const uint32_t link = ct_check_link(L, 2, &m);
    ct_navigation_set_link(m.parts.mesh, link, !ct_check_boolean(L, 3));
    return 0;
}

// Pushes a table that says what link `i` is.
static void push_link(lua_State *L, const ct_script_navigation_mesh *m,
                      const ct_navigation_link *link, uint32_t i) {
    lua_createtable(L, 0, 6);
    ct_push_id32(L, link->id);
    lua_setfield(L, -2, "id");
    lua_pushstring(L, ct_blob_at(m->resource, link->kind_text.offset));
    lua_setfield(L, -2, "kind");
    ct_push_mesh_point(L, m, ct_vec3_make(link->from[0], link->from[1], link->from[2]));
    lua_setfield(L, -2, "from");
    ct_push_mesh_point(L, m, ct_vec3_make(link->to[0], link->to[1], link->to[2]));
    lua_setfield(L, -2, "to");
    lua_pushboolean(L, (link->flags & CT_NAVIGATION_LINK_BOTH_WAYS) != 0);
    lua_setfield(L, -2, "both_ways");
    lua_pushboolean(L, !ct_navigation_link_is_closed(m->parts.mesh, i));
    lua_setfield(L, -2, "is_open");
}

int ct_navigations_links(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    const ct_navigation_link *const links = ct_blob_at(m.resource, m.resource->links.offset);
    const ct_navigation_class *const classes = ct_blob_at(m.resource, m.resource->classes.offset);
    const uint32_t number = (uint32_t)(m.class - classes);
    int count = 0;
    lua_newtable(L);
    for (uint32_t i = 0; i < m.resource->links.count; ++i) {
        if (!(links[i].classes >> number & 1))
            continue;
        push_link(L, &m, &links[i], i);
        lua_rawseti(L, -2, ++count);
    }
    return 1;
}

// --- Tiles ---------------------------------------------------------------------------------------

// A box seen from above, in the space of the mesh: around that of two points of the world.
typedef struct square {
    ct_vec2 min, max;
} square;

static square check_square(lua_State *L, const ct_script_navigation_mesh *m) {
    const ct_vec3 a = ct_check_finite_vector3(L, 2), b = ct_check_finite_vector3(L, 3);
    square s = {{{INFINITY, INFINITY}}, {{-INFINITY, -INFINITY}}};
    for (uint32_t i = 0; i < 4; ++i) {
        const ct_vec3 corner = ct_vec3_make(i & 1 ? b.x : a.x, i & 2 ? b.y : a.y, a.z);
        const ct_vec3 p = ct_navigation_to_mesh(m->navigation, m->instance, corner);
        for (uint32_t k = 0; k < 2; ++k) {
            s.min.raw[k] = fminf(s.min.raw[k], p.raw[k]);
            s.max.raw[k] = fmaxf(s.max.raw[k], p.raw[k]);
        }
    }
    return s;
}

static bool touches(const square *s, const ct_navigation_tile_resource *tile, float size) {
    const float x = (float)tile->x * size, y = (float)tile->y * size;
    return s->min.x < x + size && s->max.x > x && s->min.y < y + size && s->max.y > y;
}

static int change_tiles(lua_State *L, bool adds) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    const square s = check_square(L, &m);
    const ct_navigation_tile_resource *const tiles = ct_blob_at(m.resource, m.class->tiles.offset);
    uint32_t count = 0;
    for (uint32_t i = 0; i < m.class->tiles.count; ++i) {
        if (!touches(&s, &tiles[i], m.resource->tile_size))
            continue;
        ++count;
        if (adds)
            ct_navigation_mesh_add_tile(m.parts.mesh, i);
        else
            ct_navigation_mesh_remove_tile(m.parts.mesh, i);
    }
    ct_navigation_mesh_update(m.parts.mesh, 0);
    lua_pushnumber(L, count);
    return 1;
}

int ct_navigations_add_tiles(lua_State *L) {
    return change_tiles(L, true);
}

int ct_navigations_remove_tiles(lua_State *L) {
    return change_tiles(L, false);
}

// --- State ---------------------------------------------------------------------------------------

int ct_navigations_save(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    const uint64_t num_bytes = ct_navigation_mesh_save(m.parts.mesh, NULL);
    void *const bytes = ct_alloc(temp, num_bytes);
    ct_navigation_mesh_save(m.parts.mesh, bytes);
    lua_pushlstring(L, bytes, num_bytes);
    return 1;
}

int ct_navigations_restore(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    size_t num_bytes;
    const char *const text = ct_check_text(L, 2, &num_bytes);
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    void *const bytes = ct_alloc_aligned(temp, num_bytes + 1, 16); // Lua's is not aligned
    memcpy(bytes, text, num_bytes);
    ct_error error = {0};
    if (!ct_navigation_mesh_restore(m.parts.mesh, bytes, num_bytes, &error))
        return ct_argument_error(L, 2, "%s", error.message);
    return 0;
}
