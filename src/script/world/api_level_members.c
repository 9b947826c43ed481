#include "script/math/api_random.h"
#include "script/render/api_line_object.h"
#include "script/world/api_level.h"
#include "world/world_level_members.h"

// --- Arguments -----------------------------------------------------------------------------------

// The name at argument 2.
static ct_string_id32 check_name(lua_State *L) {
    return ct_string_id32_of(ct_check_string(L, 2));
}

static int refuse_name(lua_State *L, const char *what) {
    return ct_argument_error(L, 2, "the level has no %s \"%s\"", what, lua_tostring(L, 2));
}

static const ct_world_volume *check_volume(lua_State *L) {
    ct_world *world;
    const ct_level level = ct_check_level(L, 1, &world);
    const ct_world_volume *const volume = ct_level_find_volume(world, level, check_name(L));
    if (!volume)
        refuse_name(L, "volume");
    return volume;
}

static const ct_world_spline *check_spline(lua_State *L) {
    ct_world *world;
    const ct_level level = ct_check_level(L, 1, &world);
    const ct_world_spline *const spline = ct_level_find_spline(world, level, check_name(L));
    if (!spline)
        refuse_name(L, "spline");
    return spline;
}

// The purpose at argument 2, or {0} when all members are meant.
static ct_string_id32 optional_purpose(lua_State *L) {
    return lua_isnoneornil(L, 2) ? (ct_string_id32){0} : check_name(L);
}

// Appends the name of a member with this purpose to the table on top of the stack.
static void list_member(lua_State *L, const ct_world_member *m, ct_string_id32 purpose, int *n) {
    if (purpose.value && m->purpose.value != purpose.value)
        return;
    lua_pushstring(L, m->name_text);
    lua_rawseti(L, -2, ++*n);
}

// --- Volumes -------------------------------------------------------------------------------------

int ct_levels_has_volume(lua_State *L) {
    ct_world *world;
    const ct_level level = ct_check_level(L, 1, &world);
    lua_pushboolean(L, ct_level_find_volume(world, level, check_name(L)) != NULL);
    return 1;
}

int ct_levels_is_point_inside_volume(lua_State *L) {
    const ct_world_volume *const volume = check_volume(L);
    lua_pushboolean(L, ct_volume_contains(&volume->shape, ct_check_vector3(L, 3)));
    return 1;
}

// Pushes a point inside, or nil when there is none.
static void push_point_inside(lua_State *L, const ct_world_volume *volume, uint64_t seed) {
    ct_random random = ct_random_seeded(seed, 0);
    ct_vec3 point;
    if (ct_volume_random_point(&volume->shape, &random, &point))
        ct_push_vector3(L, point);
    else
        lua_pushnil(L);
}

int ct_levels_random_point_inside_volume(lua_State *L) {
    const ct_world_volume *const volume = check_volume(L);
    push_point_inside(L, volume, ct_random_next_bits(&ct_lua_of(L)->random_state));
    return 1;
}

int ct_levels_next_random_point_inside_volume(lua_State *L) {
    const ct_world_volume *const volume = check_volume(L);
    const uint64_t seed = ct_check_next_seed(L, 3);
    lua_pushnumber(L, (lua_Number)seed);
    push_point_inside(L, volume, seed);
    return 2;
}

int ct_levels_volume_box(lua_State *L) {
    const ct_world_volume *const volume = check_volume(L);
    const ct_aabb box = ct_volume_bounds(&volume->shape);
    const bool is_empty = ct_aabb_is_empty(box);
    const ct_vec3 center =
        is_empty ? volume->position : ct_vec3_scale(ct_vec3_add(box.min, box.max), 0.5f);
    ct_mat4 pose = ct_mat4_identity();
    pose.col[3] = (ct_vec4){{center.x, center.y, center.z, 1}};
    ct_push_matrix4x4(L, &pose);
    ct_push_vector3(L, is_empty ? ct_vec3_make(0, 0, 0)
                                : ct_vec3_scale(ct_vec3_sub(box.max, box.min), 0.5f));
    return 2;
}

int ct_levels_volumes(lua_State *L) {
    ct_world *world;
    const ct_level level = ct_check_level(L, 1, &world);
    const ct_string_id32 purpose = optional_purpose(L);
    uint32_t count;
    const ct_world_volume *const all = ct_level_volumes(world, level, &count);
    lua_newtable(L);
    int n = 0;
    for (uint32_t i = 0; i < count; ++i)
        list_member(L, &all[i].member, purpose, &n);
    return 1;
}

// --- Splines -------------------------------------------------------------------------------------

int ct_levels_has_spline(lua_State *L) {
    ct_world *world;
    const ct_level level = ct_check_level(L, 1, &world);
    lua_pushboolean(L, ct_level_find_spline(world, level, check_name(L)) != NULL);
    return 1;
}

int ct_levels_num_splines(lua_State *L) {
    ct_world *world;
    const ct_level level = ct_check_level(L, 1, &world);
    uint32_t count;
    ct_level_splines(world, level, &count);
    lua_pushnumber(L, count);
    return 1;
}

static int push_points(lua_State *L, const ct_world_spline *spline) {
    lua_createtable(L, (int)spline->num_points, 0);
    for (uint32_t i = 0; i < spline->num_points; ++i) {
        ct_push_vector3(L, spline->points[i]);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

int ct_levels_spline(lua_State *L) {
    return push_points(L, check_spline(L));
}

int ct_levels_spline_by_index(lua_State *L) {
    ct_world *world;
    const ct_level level = ct_check_level(L, 1, &world);
    uint32_t count;
    const ct_world_spline *const all = ct_level_splines(world, level, &count);
    if (count == 0)
        ct_function_error(L, "the level has no splines");
    return push_points(L, &all[ct_check_integer(L, 2, 1, count) - 1]);
}

int ct_levels_spline_length(lua_State *L) {
    lua_pushnumber(L, (lua_Number)ct_spline_length(&check_spline(L)->curve));
    return 1;
}

int ct_levels_spline_point(lua_State *L) {
    const ct_world_spline *const spline = check_spline(L);
    const float distance = (float)ct_check_number_in(L, 3, -1e9, 1e9);
    const ct_spline_place place = ct_spline_at(&spline->curve, distance);
    ct_push_vector3(L, place.position);
    ct_push_vector3(L, place.tangent);
    return 2;
}

int ct_levels_spline_nearest(lua_State *L) {
    const ct_world_spline *const spline = check_spline(L);
    const ct_spline_place place = ct_spline_nearest(&spline->curve, ct_check_finite_vector3(L, 3));
    ct_push_vector3(L, place.position);
    lua_pushnumber(L, (lua_Number)place.distance);
    return 2;
}

int ct_levels_splines(lua_State *L) {
    ct_world *world;
    const ct_level level = ct_check_level(L, 1, &world);
    const ct_string_id32 purpose = optional_purpose(L);
    uint32_t count;
    const ct_world_spline *const all = ct_level_splines(world, level, &count);
    lua_newtable(L);
    int n = 0;
    for (uint32_t i = 0; i < count; ++i)
        list_member(L, &all[i].member, purpose, &n);
    return 1;
}

// --- Markers -------------------------------------------------------------------------------------

int ct_levels_has_marker(lua_State *L) {
    ct_world *world;
    const ct_level level = ct_check_level(L, 1, &world);
    lua_pushboolean(L, ct_level_find_marker(world, level, check_name(L)) != NULL);
    return 1;
}

int ct_levels_marker_pose(lua_State *L) {
    ct_world *world;
    const ct_level level = ct_check_level(L, 1, &world);
    const ct_world_marker *const marker = ct_level_find_marker(world, level, check_name(L));
    if (!marker)
        return refuse_name(L, "marker");
    const ct_mat4 pose = ct_mat4_compose(marker->position, marker->rotation, ct_vec3_make(1, 1, 1));
    ct_push_matrix4x4(L, &pose);
    return 1;
}

int ct_levels_markers(lua_State *L) {
    ct_world *world;
    const ct_level level = ct_check_level(L, 1, &world);
    const ct_string_id32 purpose = optional_purpose(L);
    uint32_t count;
    const ct_world_marker *const all = ct_level_markers(world, level, &count);
    lua_newtable(L);
    int n = 0;
    for (uint32_t i = 0; i < count; ++i)
        list_member(L, &all[i].member, purpose, &n);
    return 1;
}

// --- Lines ---------------------------------------------------------------------------------------

static void add_line(void *user, ct_vec4 color, ct_vec3 from, ct_vec3 to) {
    ct_line_object_add_line(user, color, from, to);
}

int ct_levels_draw_members(lua_State *L) {
    enum { MAX_VERTICES = 1 << 22 }; // of a line object: a game that forgets to reset
    ct_world *world;
    const ct_level level = ct_check_level(L, 1, &world);
    ct_line_object *const lines = ct_check_object(L, 2, &ct_type_line_object, NULL);
    if (lines->vertices.count > MAX_VERTICES)
        ct_function_error(L, "the line object is full (%d lines); reset it each frame",
                          MAX_VERTICES / 2);
    ct_level_member_lines(world, level, add_line, lines);
    return 0;
}
