#include "lua/lua_check.h"
#include "script/gui/api_gui.h"

#include <string.h>

#include "foundation/string/utf8.h"

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
    const uint32_t most = bytes < CT_TEXT_MAX_BYTES ? (uint32_t)bytes : CT_TEXT_MAX_BYTES;
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

// Sets of characters, and the table of lines, which is on top of the stack.
typedef struct wrapping {
    lua_State *L;
    const ct_text_layout *layout;
    const char *whitespace, *soft_dividers, *return_dividers; // UTF-8
    float width;
    int num_lines;
} wrapping;

// Returns whether the first character of a cluster is among `characters`.
static bool is_among(const wrapping *w, const ct_text_cluster *cluster, const char *characters) {
    const char *const start = w->layout->plain + cluster->byte;
    const uint32_t length = ct_utf8_length(start, cluster->num_bytes);
    for (const char *at = characters; length > 0 && *at;) {
        const uint32_t own = ct_utf8_length(at, strlen(at));
        if (own == length && memcmp(at, start, length) == 0)
            return true;
        at += own > 0 ? own : 1;
    }
    return false;
}

static float width_of(const ct_text_cluster *c) {
    return fabsf(c->end_x - c->start_x);
}

// Adds the line of the clusters from `first` to before `end`.
static void add_line(wrapping *w, uint32_t first, uint32_t end) {
    const ct_text_cluster *const c = w->layout->clusters;
    const uint32_t start = first < end ? c[first].byte : 0;
    const uint32_t last = first < end ? c[end - 1].byte + c[end - 1].num_bytes : 0;
    lua_pushlstring(w->L, w->layout->plain + start, last - start);
    lua_rawseti(w->L, -2, ++w->num_lines);
}

// Adds the line that begins with cluster `first`; returns the first cluster of the next line.
// `has_ended` is false when the text ends with this line.
static uint32_t wrap_line(wrapping *w, uint32_t first, bool *has_ended) {
    const ct_text_layout *const layout = w->layout;
    uint32_t line_end = 0, next = 0; // of the last place where the line may be broken; next 0: none
    float width = 0;
    bool was_blank = false;
    *has_ended = true;
    for (uint32_t i = first; i < layout->num_clusters; ++i) {
        const ct_text_cluster *const c = &layout->clusters[i];
        if (is_among(w, c, w->return_dividers)) {
            add_line(w, first, i);
            return i + 1;
        }
        const bool is_blank = is_among(w, c, w->whitespace);
        width += width_of(c);
        if (width > w->width && !is_blank && i > first) {
            add_line(w, first, next ? line_end : i);
            return next ? next : i;
        }
        if (is_blank) {
            line_end = was_blank ? line_end : i;
            next = i + 1;
        } else if (is_among(w, c, w->soft_dividers)) {
            line_end = next = i + 1;
        }
        was_blank = is_blank;
    }
    add_line(w, first, layout->num_clusters);
    *has_ended = false;
    return layout->num_clusters;
}

// Pushes a table of the lines that the engine's own rules give.
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

static const char *optional_characters(lua_State *L, int argument, const char *otherwise) {
    return lua_isnoneornil(L, argument) ? otherwise : ct_check_string(L, argument);
}

int ct_api_gui_word_wrap(lua_State *L) {
    ct_check_gui(L, 1, NULL);
    ct_gui_text_desc desc = {0};
    ct_gui_read_text(L, 2, &desc.text);
    const float width = ct_check_gui_length(L, 5);
    const bool has_sets = !lua_isnoneornil(L, 6) || !lua_isnoneornil(L, 7);
    wrapping w = {.L = L,
                  .whitespace = optional_characters(L, 6, ""),
                  .soft_dividers = optional_characters(L, 7, ""),
                  .return_dividers = optional_characters(L, 8, "\n"),
                  .width = width};
    ct_gui_read_text_options(L, 9, &desc);
    desc.text.width = has_sets ? 0 : width;
    desc.text.is_single_line = has_sets;
    desc.text.max_lines = 0;
    w.layout = ct_text_layout_of(text_of(L), &desc.text);
    if (!has_sets)
        return push_own_lines(L, w.layout);
    lua_newtable(L);
    bool has_more = true;
    for (uint32_t next = 0; has_more;)
        next = wrap_line(&w, next, &has_more);
    return 1;
}
