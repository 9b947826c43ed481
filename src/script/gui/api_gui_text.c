#include "lua/lua_check.h"
#include "script/gui/api_gui.h"

#include <stddef.h>

typedef struct text_options {
    float width, height, line_height, outline, glow, shadow_blur;
    uint32_t max_lines, align, vertical, direction;
    uint32_t outline_color, glow_color, shadow_color;
    ct_vec2 shadow;
    bool wrap, ellipsis, markup, underline, strike;
} text_options;

static const char *const aligns[] = {"start", "center", "end", "justify", "left", "right", NULL};
static const char *const verticals[] = {"top", "middle", "bottom", NULL};
static const char *const directions[] = {"auto", "ltr", "rtl", NULL};

_Static_assert(CT_TEXT_ALIGN_RIGHT == 5 && CT_TEXT_ALIGN_JUSTIFY == 3, "the order of the names");
_Static_assert(CT_TEXT_DIRECTION_RIGHT_TO_LEFT == 2, "the order of the names");

#define OPTION(name, kind, member, least, most, choices)                                           \
    { name, CT_GUI_OPTION_KIND_##kind, offsetof(text_options, member), least, most, choices }

static const ct_gui_option text_option_rows[] = {
    OPTION("align", CHOICE, align, 0, 0, aligns),
    OPTION("direction", CHOICE, direction, 0, 0, directions),
    OPTION("ellipsis", FLAG, ellipsis, 0, 0, NULL),
    OPTION("glow", NUMBER, glow, 0, CT_TEXT_MAX_SIZE, NULL),
    OPTION("glow_color", COLOR, glow_color, 0, 0, NULL),
    OPTION("height", NUMBER, height, 0, 1e6f, NULL),
    OPTION("line_height", NUMBER, line_height, 0.01f, 100, NULL),
    OPTION("markup", FLAG, markup, 0, 0, NULL),
    OPTION("max_lines", WHOLE, max_lines, 0, 1e6f, NULL),
    OPTION("outline", NUMBER, outline, 0, CT_TEXT_MAX_SIZE, NULL),
    OPTION("outline_color", COLOR, outline_color, 0, 0, NULL),
    OPTION("shadow", VECTOR2, shadow, -CT_TEXT_MAX_SIZE, CT_TEXT_MAX_SIZE, NULL),
    OPTION("shadow_blur", NUMBER, shadow_blur, 0, CT_TEXT_MAX_SIZE, NULL),
    OPTION("shadow_color", COLOR, shadow_color, 0, 0, NULL),
    OPTION("strike", FLAG, strike, 0, 0, NULL),
    OPTION("underline", FLAG, underline, 0, 0, NULL),
    OPTION("vertical", CHOICE, vertical, 0, 0, verticals),
    OPTION("width", NUMBER, width, 0, 1e6f, NULL),
    OPTION("wrap", FLAG, wrap, 0, 0, NULL),
};

static const uint32_t black = 0xff000000, shade = 0xc0000000;

static void apply_style(ct_text_style *style, const text_options *o) {
    style->outline = o->outline;
    style->outline_color = o->outline_color;
    style->glow = o->glow;
    style->glow_color = o->glow_color;
    style->shadow_x = o->shadow.x;
    style->shadow_y = o->shadow.y;
    style->shadow_blur = o->shadow_blur;
    const bool has_shadow = o->shadow.x != 0 || o->shadow.y != 0 || o->shadow_blur > 0;
    style->shadow_color = has_shadow ? o->shadow_color : 0;
    style->is_underlined = o->underline;
    style->is_struck = o->strike;
}

void ct_gui_read_text_options(lua_State *L, int argument, ct_gui_text_desc *desc) {
    text_options o = {.line_height = 1,
                      .outline_color = black,
                      .glow_color = desc->text.style.color,
                      .shadow_color = shade,
                      .wrap = true};
    ct_gui_read_options(L, argument, text_option_rows, CT_COUNT_OF(text_option_rows), &o);
    apply_style(&desc->text.style, &o);
    desc->text.width = o.width;
    desc->text.line_height = o.line_height;
    desc->text.max_lines = o.max_lines;
    desc->text.align = (ct_text_align)o.align;
    desc->text.direction = (ct_text_direction)o.direction;
    desc->text.has_ellipsis = o.ellipsis;
    desc->text.is_single_line = !o.wrap;
    desc->text.has_markup = o.markup;
    desc->height = o.height;
    desc->vertical = 1 - 0.5f * (float)o.vertical;
}

void ct_gui_read_text(lua_State *L, int argument, ct_text_desc *out) {
    size_t bytes;
    *out = (ct_text_desc){.text = ct_check_text(L, argument, &bytes)};
    // The engine cuts texts at CT_TEXT_MAX_BYTES, and warns.
    out->num_bytes = bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
    const char *const font = ct_check_resource(L, argument + 1, "font", NULL);
    out->style.font = ct_string_id64_of(font);
    out->style.size = (float)ct_check_number_in(L, argument + 2, 0, CT_TEXT_MAX_SIZE);
    out->style.color = (uint32_t)CT_GUI_WHITE;
}

static int draw_text_in(lua_State *L, ct_gui_kind again, bool is_3d) {
    ct_gui_call call;
    ct_gui_call_begin(L, &call, again);
    ct_gui_text_desc desc = {0};
    ct_gui_read_text(L, call.next, &desc.text);
    call.next += 3;
    ct_gui_call_read_material(L, &call);
    desc.position = ct_gui_call_read_place(L, &call, is_3d);
    ct_gui_call_read_color(L, &call);
    desc.text.style.color = call.draw.color;
    ct_gui_read_text_options(L, call.next, &desc);
    return ct_gui_call_end(L, &call, ct_gui_text(call.gui, &call.draw, &desc));
}

static int draw_text(lua_State *L, ct_gui_kind again) {
    return draw_text_in(L, again, false);
}

static int draw_text_3d(lua_State *L, ct_gui_kind again) {
    return draw_text_in(L, again, true);
}

CT_GUI_DRAWS(text, TEXT)
CT_GUI_DRAWS(text_3d, TEXT)
