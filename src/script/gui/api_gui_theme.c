#include "lua/lua_check.h"
#include "resource/types/gui/gui_theme_resource.h"
#include "script/gui/api_gui.h"

#include <string.h>

// Themes in Lua: plain tables, which scripts may keep from frame to frame.

// Two themes that differ have different ones: that of their content. Numbers of Lua hold 53 bits.
static lua_Number version_of(const ct_gui_theme_resource *theme) {
    return (lua_Number)(theme->header.checksum >> 12);
}

// Pushes {alpha, red, green, blue}, in the order of Color's arguments.
static void push_color(lua_State *L, uint32_t color) {
    static const uint32_t shifts[4] = {24, 0, 8, 16};
    lua_createtable(L, 4, 0);
    for (int i = 0; i < 4; ++i) {
        lua_pushnumber(L, color >> shifts[i] & 0xff);
        lua_rawseti(L, -2, i + 1);
    }
}

static void set_colors(lua_State *L, const ct_gui_theme_resource *theme) {
    lua_createtable(L, 0, CT_GUI_THEME_NUM_COLORS);
    for (uint32_t i = 0; i < CT_GUI_THEME_NUM_COLORS; ++i) {
        push_color(L, theme->colors[i]);
        lua_setfield(L, -2, ct_gui_theme_colors_schema.fields[i].name);
    }
    lua_setfield(L, -2, "colors");
}

static void set_fonts(lua_State *L, const ct_gui_theme_resource *theme) {
    lua_createtable(L, 0, CT_GUI_THEME_NUM_FONTS);
    for (uint32_t i = 0; i < CT_GUI_THEME_NUM_FONTS; ++i) {
        lua_pushstring(L, ct_blob_at(theme, theme->font_names[i].offset));
        lua_setfield(L, -2, ct_gui_theme_font_key(i));
    }
    lua_setfield(L, -2, "fonts");
}

static void set_numbers(lua_State *L, const char *name, const ct_schema *schema,
                        const float *numbers) {
    lua_createtable(L, 0, (int)schema->num_fields);
    for (uint32_t i = 0; i < schema->num_fields; ++i) {
        lua_pushnumber(L, (lua_Number)numbers[i]);
        lua_setfield(L, -2, schema->fields[i].name);
    }
    lua_setfield(L, -2, name);
}

int ct_api_gui_theme(lua_State *L) {
    const void *blob;
    ct_check_resource(L, 1, "gui_theme", &blob);
    const ct_gui_theme_resource *const theme = blob;
    lua_createtable(L, 0, 4);
    set_colors(L, theme);
    set_fonts(L, theme);
    set_numbers(L, "sizes", &ct_gui_theme_sizes_schema, theme->sizes);
    set_numbers(L, "times", &ct_gui_theme_times_schema, theme->times);
    lua_pushnumber(L, version_of(theme));
    return 2;
}

int ct_api_gui_theme_version(lua_State *L) {
    const void *blob;
    ct_check_resource(L, 1, "gui_theme", &blob);
    lua_pushnumber(L, version_of(blob));
    return 1;
}
