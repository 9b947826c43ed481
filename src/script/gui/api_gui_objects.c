#include <stddef.h>

#include "foundation/math/math.h"
#include "lua/lua_check.h"
#include "script/gui/api_gui.h"

// Rectangles, bitmaps and triangles.

// --- Rectangles ----------------------------------------------------------------------------------

static int draw_rect_in(lua_State *L, ct_gui_kind again, bool is_3d) {
    ct_gui_call call;
    ct_gui_call_begin(L, &call, again);
    const ct_vec2 min = ct_gui_call_read_place(L, &call, is_3d);
    const ct_vec2 size = ct_check_gui_size(L, call.next++);
    ct_gui_call_read_color(L, &call);
    ct_gui_call_read_material(L, &call);
    return ct_gui_call_end(L, &call, ct_gui_rect(call.gui, &call.draw, min, size));
}

static int draw_rect(lua_State *L, ct_gui_kind again) {
    return draw_rect_in(L, again, false);
}

static int draw_rect_3d(lua_State *L, ct_gui_kind again) {
    return draw_rect_in(L, again, true);
}

CT_GUI_DRAWS(rect, RECT)
CT_GUI_DRAWS(rect_3d, RECT)

// --- Bitmaps -------------------------------------------------------------------------------------

static const ct_gui_option bitmap_options[] = {
    {"borders", CT_GUI_OPTION_KIND_SIDES, offsetof(ct_gui_bitmap_desc, borders), 0, 1e9f, NULL},
    {"pivot", CT_GUI_OPTION_KIND_VECTOR2, offsetof(ct_gui_bitmap_desc, pivot), -1e9f, 1e9f, NULL},
    {"rotation", CT_GUI_OPTION_KIND_NUMBER, offsetof(ct_gui_bitmap_desc, rotation), -1e6f, 1e6f,
     NULL},
    {"uv_borders", CT_GUI_OPTION_KIND_SIDES, offsetof(ct_gui_bitmap_desc, uv_borders), 0, 1, NULL},
};

// The arguments that follow the material and the UVs.
static int draw_bitmap_with(lua_State *L, ct_gui_call *call, ct_gui_bitmap_desc *desc, bool is_3d) {
    desc->min = ct_gui_call_read_place(L, call, is_3d);
    desc->size = ct_check_gui_size(L, call->next++);
    desc->pivot = (ct_vec2){{desc->size.x / 2, desc->size.y / 2}};
    ct_gui_call_read_color(L, call);
    ct_gui_read_options(L, call->next, bitmap_options, CT_COUNT_OF(bitmap_options), desc);
    return ct_gui_call_end(L, call, ct_gui_bitmap(call->gui, &call->draw, desc));
}

static int draw_whole(lua_State *L, ct_gui_kind again, bool is_3d) {
    ct_gui_call call;
    ct_gui_call_begin(L, &call, again);
    ct_gui_call_read_material(L, &call);
    ct_gui_bitmap_desc desc = {.uv_11 = {{1, 1}}};
    return draw_bitmap_with(L, &call, &desc, is_3d);
}

static int draw_part(lua_State *L, ct_gui_kind again, bool is_3d) {
    ct_gui_call call;
    ct_gui_call_begin(L, &call, again);
    ct_gui_call_read_material(L, &call);
    ct_gui_bitmap_desc desc = {.uv_00 = ct_check_gui_point(L, call.next),
                               .uv_11 = ct_check_gui_point(L, call.next + 1)};
    call.next += 2;
    return draw_bitmap_with(L, &call, &desc, is_3d);
}

static int draw_bitmap(lua_State *L, ct_gui_kind again) {
    return draw_whole(L, again, false);
}

static int draw_bitmap_3d(lua_State *L, ct_gui_kind again) {
    return draw_whole(L, again, true);
}

static int draw_bitmap_uv(lua_State *L, ct_gui_kind again) {
    return draw_part(L, again, false);
}

static int draw_bitmap_3d_uv(lua_State *L, ct_gui_kind again) {
    return draw_part(L, again, true);
}

CT_GUI_DRAWS(bitmap, BITMAP)
CT_GUI_DRAWS(bitmap_3d, BITMAP)
CT_GUI_DRAWS(bitmap_uv, BITMAP)
CT_GUI_DRAWS(bitmap_3d_uv, BITMAP)

// --- Triangles -----------------------------------------------------------------------------------

static ct_vec3 check_corner(lua_State *L, int argument) {
    if (ct_value_kind_at(L, argument) == CT_VALUE_KIND_VECTOR3)
        return ct_check_finite_vector3(L, argument);
    const ct_vec2 v = ct_check_gui_point(L, argument);
    return ct_vec3_make(v.x, v.y, 0);
}

// The UVs of three corners from the next argument on; false when all are left out.
static bool read_uvs(lua_State *L, ct_gui_call *call, ct_vec2 uvs[3]) {
    const int first = call->next;
    if (lua_isnoneornil(L, first) && lua_isnoneornil(L, first + 1) && lua_isnoneornil(L, first + 2))
        return false;
    for (int i = 0; i < 3; ++i)
        uvs[i] = ct_check_gui_size(L, call->next++);
    return true;
}

static int draw_triangle(lua_State *L, ct_gui_kind again) {
    ct_gui_call call;
    ct_gui_call_begin(L, &call, again);
    ct_vec3 corners[3];
    for (int i = 0; i < 3; ++i)
        corners[i] = check_corner(L, call.next++);
    call.draw.layer = ct_check_gui_layer(L, call.next++);
    ct_gui_call_read_color(L, &call);
    ct_gui_call_read_material(L, &call);
    ct_vec2 uvs[3];
    const bool has_uvs = read_uvs(L, &call, uvs);
    return ct_gui_call_end(L, &call,
                           ct_gui_triangles(call.gui, &call.draw, CT_GUI_KIND_TRIANGLE, corners,
                                            has_uvs ? uvs : NULL, NULL, 3));
}

CT_GUI_DRAWS(triangle, TRIANGLE)
