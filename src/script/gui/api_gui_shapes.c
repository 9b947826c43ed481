#include <math.h>

#include "foundation/math/math.h"
#include "lua/lua_array.h"
#include "lua/lua_check.h"
#include "script/gui/api_gui.h"

// Lines, circles, arcs, rounded rectangles and lists of triangles. All are objects of one kind, so
// one may be drawn again as another.

static const float turn = 6.28318530717958647692f;

// --- Lists of points -----------------------------------------------------------------------------

// The length of the list at `argument`: a Float32Array with two numbers for each, or a table.
static uint32_t check_num_points(lua_State *L, int argument, uint32_t least) {
    const ct_lua_array *const array = ct_lua_array_at(L, argument, CT_LUA_ARRAY_KIND_FLOATS);
    if (!array && !lua_istable(L, argument))
        ct_argument_type_error(L, argument, "table or Float32Array");
    if (array && array->count % 2 != 0)
        ct_argument_error(L, argument, "expected two numbers for each point, got %u in total",
                          array->count);
    const uint32_t count = array ? array->count / 2 : ct_check_array(L, argument);
    if (count < least || count > CT_GUI_MAX_POINTS)
        ct_argument_error(L, argument, "expected %u to %d points, got %u", least, CT_GUI_MAX_POINTS,
                          count);
    return count;
}

// A point on top of the stack, element `i` from 1 of the list at `argument`; pops it.
static ct_vec3 take_point(lua_State *L, int argument, uint32_t i) {
    const uint64_t value = ct_value_at(L, -1);
    const ct_value_kind kind = ct_value_kind_of(value);
    const bool fits = kind == CT_VALUE_KIND_VECTOR2 || kind == CT_VALUE_KIND_VECTOR3;
    const float *const v = fits ? ct_temporary_data(ct_lua_of(L), value) : NULL;
    if (!v)
        ct_argument_error(L, argument, "expected Vector2 or Vector3 at index %u, got %s", i,
                          ct_push_value_description(L, lua_gettop(L)));
    const ct_vec3 point = {{v[0], v[1], kind == CT_VALUE_KIND_VECTOR3 ? v[2] : 0}};
    if (!ct_vec3_is_finite(point))
        ct_argument_error(L, argument, "expected finite numbers at index %u, got (%g, %g, %g)", i,
                          (double)point.x, (double)point.y, (double)point.z);
    lua_pop(L, 1);
    return point;
}

static void read_points(lua_State *L, int argument, ct_vec3 *points, uint32_t count) {
    const ct_lua_array *const array = ct_lua_array_at(L, argument, CT_LUA_ARRAY_KIND_FLOATS);
    if (array)
        ct_check_floats_of(L, argument, 2, count);
    for (uint32_t i = 0; i < count; ++i) {
        if (array) {
            points[i] = ct_vec3_make(array->floats[2 * i], array->floats[2 * i + 1], 0);
            continue;
        }
        lua_rawgeti(L, argument, (int)i + 1);
        points[i] = take_point(L, argument, i + 1);
    }
}

// --- Lines ---------------------------------------------------------------------------------------

static int draw_line(lua_State *L, ct_gui_kind again) {
    ct_gui_call call;
    ct_gui_call_begin(L, &call, again);
    const ct_vec2 from = ct_check_gui_position(L, call.next++, &call.draw.layer);
    const ct_vec2 points[2] = {from, ct_check_gui_point(L, call.next++)};
    const float width = ct_check_gui_length(L, call.next++);
    ct_gui_call_read_color(L, &call);
    ct_gui_call_read_material(L, &call);
    return ct_gui_call_end(L, &call,
                           ct_gui_polyline(call.gui, &call.draw, points, 2, width, false));
}

static int draw_polyline(lua_State *L, ct_gui_kind again) {
    ct_gui_call call;
    ct_gui_call_begin(L, &call, again);
    const uint32_t count = check_num_points(L, call.next, 2);
    ct_vec3 *const corners =
        ct_lua_scratch(ct_lua_of(L), (sizeof(ct_vec3) + sizeof(ct_vec2)) * (uint64_t)count);
    read_points(L, call.next++, corners, count);
    ct_vec2 *const points = (ct_vec2 *)(void *)(corners + count);
    for (uint32_t i = 0; i < count; ++i)
        points[i] = (ct_vec2){{corners[i].x, corners[i].y}};
    const float width = ct_check_gui_length(L, call.next++);
    call.draw.layer = ct_check_gui_layer(L, call.next++);
    ct_gui_call_read_color(L, &call);
    ct_gui_call_read_material(L, &call);
    const bool is_closed = !lua_isnoneornil(L, call.next) && ct_check_boolean(L, call.next);
    return ct_gui_call_end(L, &call,
                           ct_gui_polyline(call.gui, &call.draw, points, count, width, is_closed));
}

CT_GUI_DRAWS(line, SHAPE)
CT_GUI_DRAWS(polyline, SHAPE)

// --- Circles -------------------------------------------------------------------------------------

// The arguments that follow the angles.
static int draw_arc_of(lua_State *L, ct_gui_call *call, ct_vec2 center, float radius, float from,
                       float to) {
    ct_gui_call_read_color(L, call);
    const float width = lua_isnoneornil(L, call->next) ? 0 : ct_check_gui_length(L, call->next);
    ++call->next;
    ct_gui_call_read_material(L, call);
    return ct_gui_call_end(L, call,
                           ct_gui_arc(call->gui, &call->draw, center, radius, from, to, width));
}

static int draw_circle(lua_State *L, ct_gui_kind again) {
    ct_gui_call call;
    ct_gui_call_begin(L, &call, again);
    const ct_vec2 center = ct_check_gui_position(L, call.next++, &call.draw.layer);
    const float radius = ct_check_gui_length(L, call.next++);
    return draw_arc_of(L, &call, center, radius, 0, turn);
}

static int draw_arc(lua_State *L, ct_gui_kind again) {
    ct_gui_call call;
    ct_gui_call_begin(L, &call, again);
    const ct_vec2 center = ct_check_gui_position(L, call.next++, &call.draw.layer);
    const float radius = ct_check_gui_length(L, call.next++);
    const float from = (float)ct_check_number_in(L, call.next++, -1e6, 1e6);
    const float to = (float)ct_check_number_in(L, call.next++, -1e6, 1e6);
    return draw_arc_of(L, &call, center, radius, from, to);
}

CT_GUI_DRAWS(arc, SHAPE)
CT_GUI_DRAWS(circle, SHAPE)

// --- Rounded rectangles --------------------------------------------------------------------------

static void check_radii(lua_State *L, int argument, float radii[4]) {
    if (!lua_istable(L, argument)) {
        if (lua_type(L, argument) != LUA_TNUMBER)
            ct_argument_type_error(L, argument, "number or table");
        radii[0] = radii[1] = radii[2] = radii[3] = ct_check_gui_length(L, argument);
        return;
    }
    if (lua_objlen(L, argument) != 4)
        ct_argument_error(L, argument,
                          "expected four radii: lower left, lower right, upper right, upper left; "
                          "got %u",
                          (uint32_t)lua_objlen(L, argument));
    for (int i = 0; i < 4; ++i) {
        lua_rawgeti(L, argument, i + 1);
        const double radius = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
        if (!(radius >= 0 && radius <= 1e9))
            ct_argument_error(L, argument, "expected a number from 0 to 1e+09 at index %d", i + 1);
        radii[i] = (float)radius;
        lua_pop(L, 1);
    }
}

static int draw_rounded_rect(lua_State *L, ct_gui_kind again) {
    ct_gui_call call;
    ct_gui_call_begin(L, &call, again);
    const ct_vec2 min = ct_check_gui_position(L, call.next++, &call.draw.layer);
    const ct_vec2 size = ct_check_gui_size(L, call.next++);
    float radii[4];
    check_radii(L, call.next++, radii);
    ct_gui_call_read_color(L, &call);
    const float border = lua_isnoneornil(L, call.next) ? 0 : ct_check_gui_length(L, call.next);
    const uint32_t border_color = ct_check_gui_color(L, call.next + 1, (uint32_t)CT_GUI_WHITE);
    call.next += 2;
    ct_gui_call_read_material(L, &call);
    return ct_gui_call_end(
        L, &call,
        ct_gui_rounded_rect(call.gui, &call.draw, min, size, radii, border, border_color));
}

CT_GUI_DRAWS(rounded_rect, SHAPE)

// --- Lists of triangles --------------------------------------------------------------------------

static void read_colors(lua_State *L, int argument, uint32_t *colors, uint32_t count) {
    if (!lua_istable(L, argument))
        ct_argument_type_error(L, argument, "table");
    if (lua_objlen(L, argument) != count)
        ct_argument_error(L, argument, "expected a color for each of %u points, got %u", count,
                          (uint32_t)lua_objlen(L, argument));
    for (uint32_t i = 0; i < count; ++i) {
        lua_rawgeti(L, argument, (int)i + 1);
        const uint64_t value = ct_value_at(L, -1);
        const float *const v = ct_value_kind_of(value) == CT_VALUE_KIND_VECTOR4
                                   ? ct_temporary_data(ct_lua_of(L), value)
                                   : NULL;
        if (!v || !isfinite(v[0]) || !isfinite(v[1]) || !isfinite(v[2]) || !isfinite(v[3]))
            ct_argument_error(L, argument,
                              "expected a Vector4 of finite numbers at index %u, got %s", i + 1,
                              ct_push_value_description(L, lua_gettop(L)));
        colors[i] = ct_gui_color_of(v);
        lua_pop(L, 1);
    }
}

// The arrays of a list, in one block.
typedef struct point_list {
    ct_vec3 *points, *uv_points;
    ct_vec2 *uvs;
    uint32_t *colors;
} point_list;

static point_list make_list(lua_State *L, uint32_t count) {
    const uint64_t each = 2 * sizeof(ct_vec3) + sizeof(ct_vec2) + sizeof(uint32_t);
    char *const block = ct_lua_scratch(ct_lua_of(L), each * count);
    point_list list = {.points = (ct_vec3 *)(void *)block};
    list.uv_points = list.points + count;
    list.uvs = (ct_vec2 *)(void *)(list.uv_points + count);
    list.colors = (uint32_t *)(void *)(list.uvs + count);
    return list;
}

static void read_uvs(lua_State *L, int argument, const point_list *list, uint32_t count) {
    const uint32_t num_uvs = check_num_points(L, argument, 1);
    if (num_uvs != count)
        ct_argument_error(L, argument, "expected UVs for each of %u points, got %u", count,
                          num_uvs);
    read_points(L, argument, list->uv_points, count);
    for (uint32_t i = 0; i < count; ++i)
        list->uvs[i] = (ct_vec2){{list->uv_points[i].x, list->uv_points[i].y}};
}

static int draw_triangles(lua_State *L, ct_gui_kind again) {
    ct_gui_call call;
    ct_gui_call_begin(L, &call, again);
    const uint32_t count = check_num_points(L, call.next, 3);
    if (count % 3 != 0)
        ct_argument_error(L, call.next, "expected three points for each triangle, got %u in total",
                          count);
    const point_list list = make_list(L, count);
    read_points(L, call.next++, list.points, count);
    call.draw.layer = ct_check_gui_layer(L, call.next++);
    ct_gui_call_read_color(L, &call);
    ct_gui_call_read_material(L, &call);
    const bool has_uvs = !lua_isnoneornil(L, call.next);
    const bool has_colors = !lua_isnoneornil(L, call.next + 1);
    if (has_uvs)
        read_uvs(L, call.next, &list, count);
    if (has_colors)
        read_colors(L, call.next + 1, list.colors, count);
    return ct_gui_call_end(L, &call,
                           ct_gui_triangles(call.gui, &call.draw, CT_GUI_KIND_SHAPE, list.points,
                                            has_uvs ? list.uvs : NULL,
                                            has_colors ? list.colors : NULL, count));
}

CT_GUI_DRAWS(triangles, SHAPE)
