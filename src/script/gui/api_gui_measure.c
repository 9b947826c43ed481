#include "lua/lua_check.h"
#include "script/gui/api_gui.h"

#include <string.h>

#include "text/text_markup.h"

// What is asked about text without drawing it. Lengths are in the GUI's units, from the start of
// the first baseline. Byte positions count from 1 and are those of the text without markup.

static ct_text *text_of(lua_State *L) {
    return ct_gui_system_text(ct_script_of(L)->gui);
}

// The layout of the text, font and size at arguments 2 to 4, with options from `options` on.
static const ct_text_layout *layout_at(lua_State *L, int options) {
    ct_gui_text_desc desc = {0};
    ct_check_gui(L, 1, NULL);
    ct_gui_read_text(L, 2, &desc.text);
    ct_gui_read_text_options(L, options, &desc);
    return ct_text_layout_of(text_of(L), &desc.text);
}

int ct_api_gui_text_extents(lua_State *L) {
    const ct_text_layout *const layout = layout_at(L, 5);
    const ct_vec2 min = {{layout->left, layout->bottom}}, max = {{layout->right, layout->top}};
    const ct_vec2 caret = {{layout->advance, layout->lines[layout->num_lines - 1].y}};
    ct_push_vector2(L, min);
    ct_push_vector2(L, max);
    ct_push_vector2(L, caret);
    return 3;
}

int ct_api_gui_has_all_glyphs(lua_State *L) {
    size_t bytes;
    ct_check_gui(L, 1, NULL);
    const char *const text = ct_check_text(L, 2, &bytes);
    const ct_string_id64 font = ct_string_id64_of(ct_check_resource(L, 3, "font", NULL));
    uint32_t most = bytes < CT_TEXT_MAX_BYTES ? (uint32_t)bytes : CT_TEXT_MAX_BYTES;
    while (most < bytes && most > 0 && ((uint8_t)text[most] & 0xc0) == 0x80)
        --most; // not within a character
    lua_pushboolean(L, ct_text_has_all_glyphs(text_of(L), font, text, most));
    return 1;
}

int ct_api_gui_caret_position(lua_State *L) {
    ct_check_gui(L, 1, NULL);
    ct_gui_text_desc desc = {0};
    ct_gui_read_text(L, 2, &desc.text);
    const int64_t place = ct_check_integer(L, 5, 1, (int64_t)CT_TEXT_MAX_BYTES + 1);
    ct_gui_read_text_options(L, 6, &desc);
    const ct_text_layout *const layout = ct_text_layout_of(text_of(L), &desc.text);
    const ct_text_caret caret = ct_text_caret_at(layout, (uint32_t)(place - 1));
    lua_pushnumber(L, (lua_Number)caret.x);
    lua_pushnumber(L, (lua_Number)caret.bottom);
    lua_pushnumber(L, (lua_Number)caret.top);
    return 3;
}

int ct_api_gui_hit_test(lua_State *L) {
    ct_check_gui(L, 1, NULL);
    ct_gui_text_desc desc = {0};
    ct_gui_read_text(L, 2, &desc.text);
    const ct_vec2 point = ct_check_gui_point(L, 5);
    ct_gui_read_text_options(L, 6, &desc);
    const ct_text_layout *const layout = ct_text_layout_of(text_of(L), &desc.text);
    lua_pushnumber(L, (lua_Number)ct_text_hit(layout, point.x, point.y) + 1);
    return 1;
}

// --- Word wrap -----------------------------------------------------------------------------------

// Pushes a table of the lines of a layout, without the blanks at their ends.
static int push_own_lines(lua_State *L, const ct_text_layout *layout) {
    lua_createtable(L, (int)layout->num_lines, 0);
    for (uint32_t i = 0; i < layout->num_lines; ++i) {
        const ct_text_line *const line = &layout->lines[i];
        const char *const start = layout->plain + line->byte;
        uint32_t bytes = line->num_bytes;
        while (bytes > 0 && strchr(" \t\r\n", start[bytes - 1]))
            --bytes;
        lua_pushlstring(L, start, bytes);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

// Pushes a table of the lines that dividers give.
static int push_divided_lines(lua_State *L, const ct_text_wrap_desc *desc) {
    const char *plain;
    uint32_t count;
    const ct_text_range *const lines = ct_text_word_wrap(text_of(L), desc, &plain, &count);
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; ++i) {
        lua_pushlstring(L, plain + lines[i].byte, lines[i].num_bytes);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

static const char *optional_characters(lua_State *L, int argument, const char *otherwise) {
    return lua_isnoneornil(L, argument) ? otherwise : ct_check_string(L, argument);
}

int ct_api_gui_word_wrap(lua_State *L) {
    ct_check_gui(L, 1, NULL);
    ct_gui_text_desc desc = {0};
    ct_gui_read_text(L, 2, &desc.text);
    const float width = ct_check_gui_length(L, 5);
    const ct_text_wrap_desc wrap = {.text = desc.text.text,
                                    .num_bytes = desc.text.num_bytes,
                                    .font = desc.text.style.font,
                                    .size = desc.text.style.size,
                                    .width = width,
                                    .whitespace = optional_characters(L, 6, NULL),
                                    .soft_dividers = optional_characters(L, 7, NULL),
                                    .return_dividers = optional_characters(L, 8, "\n")};
    ct_gui_read_text_options(L, 9, &desc);
    if (wrap.whitespace || wrap.soft_dividers)
        return push_divided_lines(L, &wrap);
    desc.text.width = width;
    desc.text.is_single_line = false;
    desc.text.max_lines = 0;
    return push_own_lines(L, ct_text_layout_of(text_of(L), &desc.text));
}

// --- Markup --------------------------------------------------------------------------------------

int ct_api_gui_escape_markup(lua_State *L) {
    size_t bytes;
    const char *const text = ct_check_text(L, 1, &bytes);
    if (bytes > UINT32_MAX / 8)
        return ct_argument_error(L, 1, "the text is longer than %u bytes", UINT32_MAX / 8);
    ct_string_builder escaped CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&escaped, ct_lua_of(L)->allocator);
    ct_text_escape(text, (uint32_t)bytes, &escaped);
    lua_pushlstring(L, ct_string_builder_text(&escaped), escaped.length);
    return 1;
}
