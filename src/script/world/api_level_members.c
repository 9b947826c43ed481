#include "foundation/math/math.h"
#include "script/math/api_random.h"
#include "script/render/api_line_object.h"
#include "script/world/api_level.h"
#include "world/world_level_members.h"

// --- All kinds -----------------------------------------------------------------------------------

// The name at argument 2.
static ct_string_id32 check_name(lua_State *L) {
    return ct_string_id32_of(ct_check_string(L, 2));
}

// The member with the name at argument 2 of the level at argument 1, or NULL.
static const void *find(lua_State *L, ct_level_member_kind kind) {
    ct_world *world;
    const ct_level level = ct_check_level(L, 1, &world);
    return ct_level_find_member(world, level, kind, check_name(L));
}

// As find; raises an error instead of NULL.
static const void *check_member(lua_State *L, ct_level_member_kind kind) {
    static const char *const nouns[] = {"volume", "spline", "marker"};
    const void *const member = find(L, kind);
    if (!member)
        ct_argument_error(L, 2, "the level has no %s \"%s\"", nouns[kind], lua_tostring(L, 2));
    return member;
}

static ct_level_member_list check_list(lua_State *L, ct_level_member_kind kind) {
    ct_world *world;
    const ct_level level = ct_check_level(L, 1, &world);
    return ct_level_members_of(world, level, kind);
}

static int push_has(lua_State *L, ct_level_member_kind kind) {
    lua_pushboolean(L, find(L, kind) != NULL);
    return 1;
}

// Pushes a table of the names of the members that have the purpose at argument 2; of all when that
// is nil.
static int push_names(lua_State *L, ct_level_member_kind kind) {
    const ct_level_member_list list = check_list(L, kind);
    const bool has_purpose = !lua_isnoneornil(L, 2);
    const ct_string_id32 purpose = has_purpose ? check_name(L) : (ct_string_id32){0};
    const char *at = list.items;
    int num_names = 0;
    lua_newtable(L);
    for (uint32_t i = 0; i < list.count; ++i, at += list.item_bytes) {
        const ct_world_member *const m = (const void *)at;
        if (has_purpose && m->purpose.value != purpose.value)
            continue;
        lua_pushstring(L, m->name_text);
        lua_rawseti(L, -2, ++num_names);
    }
    return 1;
}

int ct_levels_has_volume(lua_State *L) {
    return push_has(L, CT_LEVEL_MEMBER_VOLUME);
}

int ct_levels_volumes(lua_State *L) {
    return push_names(L, CT_LEVEL_MEMBER_VOLUME);
}

int ct_levels_has_spline(lua_State *L) {
    return push_has(L, CT_LEVEL_MEMBER_SPLINE);
}

int ct_levels_splines(lua_State *L) {
    return push_names(L, CT_LEVEL_MEMBER_SPLINE);
}

int ct_levels_has_marker(lua_State *L) {
    return push_has(L, CT_LEVEL_MEMBER_MARKER);
}

int ct_levels_markers(lua_State *L) {
    return push_names(L, CT_LEVEL_MEMBER_MARKER);
}

// --- Volumes -------------------------------------------------------------------------------------

int ct_levels_is_point_inside_volume(lua_State *L) {
    const ct_world_volume *const volume = check_member(L, CT_LEVEL_MEMBER_VOLUME);
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
    const ct_world_volume *const volume = check_member(L, CT_LEVEL_MEMBER_VOLUME);
    push_point_inside(L, volume, ct_random_next_bits(&ct_lua_of(L)->random_state));
    return 1;
}

int ct_levels_next_random_point_inside_volume(lua_State *L) {
    const ct_world_volume *const volume = check_member(L, CT_LEVEL_MEMBER_VOLUME);
    const uint64_t seed = ct_check_next_seed(L, 3);
    lua_pushnumber(L, (lua_Number)seed);
    push_point_inside(L, volume, seed);
    return 2;
}

int ct_levels_volume_box(lua_State *L) {
    const ct_world_volume *const volume = check_member(L, CT_LEVEL_MEMBER_VOLUME);
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

// --- Splines -------------------------------------------------------------------------------------

int ct_levels_num_splines(lua_State *L) {
    lua_pushnumber(L, check_list(L, CT_LEVEL_MEMBER_SPLINE).count);
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
    return push_points(L, check_member(L, CT_LEVEL_MEMBER_SPLINE));
}

int ct_levels_spline_by_index(lua_State *L) {
    const ct_level_member_list list = check_list(L, CT_LEVEL_MEMBER_SPLINE);
    const ct_world_spline *const all = list.items;
    if (list.count == 0)
        ct_function_error(L, "the level has no splines");
    return push_points(L, &all[ct_check_integer(L, 2, 1, list.count) - 1]);
}

int ct_levels_spline_length(lua_State *L) {
    const ct_world_spline *const spline = check_member(L, CT_LEVEL_MEMBER_SPLINE);
    lua_pushnumber(L, (lua_Number)ct_spline_length(&spline->curve));
    return 1;
}

int ct_levels_spline_point(lua_State *L) {
    const ct_world_spline *const spline = check_member(L, CT_LEVEL_MEMBER_SPLINE);
    const float distance = (float)ct_check_number_in(L, 3, -1e9, 1e9);
    const ct_spline_place place = ct_spline_at(&spline->curve, distance);
    ct_push_vector3(L, place.position);
    ct_push_vector3(L, place.tangent);
    return 2;
}

int ct_levels_spline_nearest(lua_State *L) {
    const ct_world_spline *const spline = check_member(L, CT_LEVEL_MEMBER_SPLINE);
    const ct_spline_place place = ct_spline_nearest(&spline->curve, ct_check_finite_vector3(L, 3));
    ct_push_vector3(L, place.position);
    lua_pushnumber(L, (lua_Number)place.distance);
    return 2;
}

// --- Markers -------------------------------------------------------------------------------------

int ct_levels_marker_pose(lua_State *L) {
    const ct_world_marker *const marker = check_member(L, CT_LEVEL_MEMBER_MARKER);
    const ct_mat4 pose = ct_mat4_compose(marker->position, marker->rotation, ct_vec3_make(1, 1, 1));
    ct_push_matrix4x4(L, &pose);
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
