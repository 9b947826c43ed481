#include <math.h>

#include "foundation/error.h"
#include "lua/lua_check.h"
#include "script/gui/api_gui.h"
#include "script/render/api_mesh.h"

enum { MOST_ID_BITS = 53 };

static const float most_length = 1e9f;

ct_gui *ct_check_gui(lua_State *L, int argument, ct_world **world) {
    uint64_t data;
    ct_gui *const gui = ct_check_object(L, argument, &ct_type_gui, &data);
    if (world)
        *world = (ct_world *)(uintptr_t)data;
    return gui;
}

// --- Objects -------------------------------------------------------------------------------------

static const char *noun_of(ct_gui_kind kind) {
    static const char *const nouns[] = {
        [CT_GUI_KIND_NONE] = "an object",  [CT_GUI_KIND_RECT] = "a rectangle",
        [CT_GUI_KIND_BITMAP] = "a bitmap", [CT_GUI_KIND_TRIANGLE] = "a triangle",
        [CT_GUI_KIND_TEXT] = "a text",     [CT_GUI_KIND_SHAPE] = "a shape",
    };
    return nouns[kind];
}

ct_gui_object_id ct_check_gui_object(lua_State *L, int argument, const ct_gui *gui,
                                     ct_gui_kind kind) {
    const int64_t least = ct_gui_get_desc(gui)->is_immediate ? 0 : 1; // 0 is what drawing returns
    const int64_t most = (1ll << MOST_ID_BITS) - 1;
    const ct_gui_object_id id = {(uint64_t)ct_check_integer(L, argument, least, most)};
    if (ct_gui_get_desc(gui)->is_immediate)
        ct_argument_error(L, argument,
                          "an immediate Gui keeps no objects: draw them again in each frame");
    const ct_gui_kind own = ct_gui_kind_of(gui, id);
    if (own == CT_GUI_KIND_NONE)
        ct_argument_error(L, argument,
                          "object %.14g is not %s of this Gui: it was destroyed or belongs to "
                          "another Gui",
                          (double)id.value, noun_of(kind));
    if (kind != CT_GUI_KIND_NONE && own != kind)
        ct_argument_error(L, argument, "expected the id of %s, got that of %s", noun_of(kind),
                          noun_of(own));
    return id;
}

// --- Places and sizes ----------------------------------------------------------------------------

static ct_vec2 check_finite(lua_State *L, int argument, ct_vec2 v) {
    if (!isfinite(v.x) || !isfinite(v.y))
        ct_argument_error(L, argument, "expected finite numbers, got (%g, %g)", (double)v.x,
                          (double)v.y);
    return v;
}

ct_vec2 ct_check_gui_size(lua_State *L, int argument) {
    return check_finite(L, argument, ct_check_vector2(L, argument));
}

ct_vec2 ct_check_gui_position(lua_State *L, int argument, int32_t *layer) {
    *layer = 0;
    const ct_value_kind kind = ct_value_kind_at(L, argument);
    if (kind == CT_VALUE_KIND_VECTOR2)
        return ct_check_gui_size(L, argument);
    if (kind != CT_VALUE_KIND_VECTOR3)
        ct_argument_type_error(L, argument, "Vector2 or Vector3");
    const ct_vec3 v = ct_check_finite_vector3(L, argument);
    if (v.z != floorf(v.z) || fabsf(v.z) > (float)CT_GUI_MAX_LAYER)
        ct_argument_error(L, argument,
                          "the z of a position is its layer: expected a whole number from %d to "
                          "%d, got %g",
                          -CT_GUI_MAX_LAYER, CT_GUI_MAX_LAYER, (double)v.z);
    *layer = (int32_t)v.z;
    return (ct_vec2){{v.x, v.y}};
}

ct_vec2 ct_check_gui_point(lua_State *L, int argument) {
    if (ct_value_kind_at(L, argument) != CT_VALUE_KIND_VECTOR3) {
        int32_t layer;
        return ct_check_gui_position(L, argument, &layer);
    }
    const ct_vec3 v = ct_check_finite_vector3(L, argument);
    return (ct_vec2){{v.x, v.y}};
}

float ct_check_gui_length(lua_State *L, int argument) {
    return (float)ct_check_number_in(L, argument, 0, (double)most_length);
}

int32_t ct_check_gui_layer(lua_State *L, int argument) {
    if (lua_isnoneornil(L, argument))
        return 0;
    return (int32_t)ct_check_integer(L, argument, -CT_GUI_MAX_LAYER, CT_GUI_MAX_LAYER);
}

// --- Colours and materials -----------------------------------------------------------------------

// The sRGB transfer function (IEC 61966-2-1) to a byte.
static uint32_t srgb_byte_of(float linear) {
    if (!(linear > 0))
        return 0;
    if (linear >= 1)
        return 255;
    const float v =
        linear <= 0.0031308f ? linear * 12.92f : 1.055f * powf(linear, 1 / 2.4f) - 0.055f;
    return (uint32_t)(v * 255 + 0.5f);
}

uint32_t ct_gui_color_of(const float linear[4]) {
    const float alpha = linear[3] < 0 ? 0 : linear[3] > 1 ? 1 : linear[3];
    return srgb_byte_of(linear[0]) | srgb_byte_of(linear[1]) << 8 | srgb_byte_of(linear[2]) << 16 |
           (uint32_t)(alpha * 255 + 0.5f) << 24;
}

uint32_t ct_check_gui_color(lua_State *L, int argument, uint32_t otherwise) {
    if (lua_isnoneornil(L, argument))
        return otherwise;
    const ct_vec4 color = ct_check_finite_vector4(L, argument);
    return ct_gui_color_of(color.raw);
}

ct_string_id64 ct_check_gui_material(lua_State *L, int argument) {
    if (lua_isnoneornil(L, argument))
        return (ct_string_id64){0};
    if (lua_type(L, argument) == LUA_TSTRING) {
        const char *const name = ct_check_string(L, argument);
        if (name[0])
            ct_check_resource(L, argument, "material", NULL);
        return name[0] ? ct_string_id64_of(name) : (ct_string_id64){0};
    }
    if (ct_value_kind_at(L, argument) != CT_VALUE_KIND_OBJECT)
        ct_argument_type_error(L, argument, "string or Material");
    ct_string_id64 name;
    ct_check_object(L, argument, &ct_type_material, &name.value);
    if (!ct_resource_manager_get(ct_lua_of(L)->resources, "material", name))
        ct_argument_error(L, argument, "the material \"%s\" is no longer loaded",
                          ct_string_id64_name(name));
    return name;
}

// --- Calls that draw -----------------------------------------------------------------------------

void ct_gui_call_begin(lua_State *L, ct_gui_call *call, ct_gui_kind again) {
    *call = (ct_gui_call){.gui = ct_check_gui(L, 1, NULL),
                          .draw = {.color = (uint32_t)CT_GUI_WHITE},
                          .next = 2,
                          .is_update = again != CT_GUI_KIND_NONE};
    if (call->is_update)
        call->draw.id = ct_check_gui_object(L, call->next++, call->gui, again);
}

ct_vec2 ct_gui_call_read_place(lua_State *L, ct_gui_call *call, bool is_3d) {
    if (!is_3d)
        return ct_check_gui_position(L, call->next++, &call->draw.layer);
    call->pose = ct_check_finite_matrix4x4(L, call->next++);
    call->draw.pose = &call->pose;
    call->draw.offset = ct_check_finite_vector3(L, call->next++);
    call->draw.layer =
        (int32_t)ct_check_integer(L, call->next++, -CT_GUI_MAX_LAYER, CT_GUI_MAX_LAYER);
    return (ct_vec2){{0, 0}};
}

void ct_gui_call_read_color(lua_State *L, ct_gui_call *call) {
    call->draw.color = ct_check_gui_color(L, call->next++, (uint32_t)CT_GUI_WHITE);
}

void ct_gui_call_read_material(lua_State *L, ct_gui_call *call) {
    call->draw.material = ct_check_gui_material(L, call->next++);
}

int ct_gui_call_end(lua_State *L, const ct_gui_call *call, ct_gui_object_id id) {
    if (call->is_update)
        return 0;
    lua_pushnumber(L, (lua_Number)id.value);
    return 1;
}
