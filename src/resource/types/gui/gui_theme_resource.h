// gui_theme_resource.h: the blob of a theme: how the widgets of core/gui look.
//
// Colours, fonts, sizes and times are arrays in the order of the fields of their schemas, which
// have the names. A blob is complete: the compiler adds what the theme takes from its `base`.
#pragma once
#include "resource/types/resource_types.h"

enum {
    CT_GUI_THEME_VERSION = 1,
    CT_GUI_THEME_NUM_COLORS = 17,
    CT_GUI_THEME_NUM_FONTS = 3,
    CT_GUI_THEME_NUM_SIZES = 15,
    CT_GUI_THEME_NUM_TIMES = 5,
    CT_GUI_THEME_MAX_SIZE = 10000, // units of the Gui
    CT_GUI_THEME_MAX_TIME = 60,    // seconds
};

typedef struct ct_gui_theme_resource {
    ct_blob_header header;
    ct_blob_string font_names[CT_GUI_THEME_NUM_FONTS];
    ct_string_id64 fonts[CT_GUI_THEME_NUM_FONTS];
    uint32_t colors[CT_GUI_THEME_NUM_COLORS]; // sRGB bytes, red the lowest, alpha the highest
    float sizes[CT_GUI_THEME_NUM_SIZES];      // units of the Gui, 0 to CT_GUI_THEME_MAX_SIZE
    float times[CT_GUI_THEME_NUM_TIMES];      // seconds, 0 to CT_GUI_THEME_MAX_TIME
    uint32_t padding;
} ct_gui_theme_resource;

// The source, as ct_schema_read reads it. The members are objects of the schemas below.
typedef struct ct_gui_theme_source {
    ct_string_id64 base;       // {0}: no base
    ct_sjson_value base_value; // the compiler reads the name here
    ct_sjson_value colors, fonts, sizes, times;
} ct_gui_theme_source;

// The object `colors` of a source. {0} here and in the `at` of a font: not in the source.
typedef struct ct_gui_theme_colors {
    ct_sjson_value colors[CT_GUI_THEME_NUM_COLORS]; // "#rrggbb" or "#rrggbbaa"
} ct_gui_theme_colors;

// The name of a font and its place in the source.
typedef struct ct_gui_theme_font {
    ct_string_id64 name;
    ct_sjson_value at;
} ct_gui_theme_font;

// The object `fonts` of a source.
typedef struct ct_gui_theme_fonts {
    ct_gui_theme_font fonts[CT_GUI_THEME_NUM_FONTS];
} ct_gui_theme_fonts;

// The object `sizes` of a source.
typedef struct ct_gui_theme_sizes {
    float sizes[CT_GUI_THEME_NUM_SIZES];
} ct_gui_theme_sizes;

// The object `times` of a source.
typedef struct ct_gui_theme_times {
    float times[CT_GUI_THEME_NUM_TIMES];
} ct_gui_theme_times;

// Field number i of colors, sizes and times is value number i of the blob. Each font has two
// fields, its name and its position in the source.
extern const ct_schema ct_gui_theme_schema, ct_gui_theme_colors_schema, ct_gui_theme_fonts_schema,
    ct_gui_theme_sizes_schema, ct_gui_theme_times_schema;

extern const ct_blob_layout ct_gui_theme_layout;

// Returns the name of font number `i` of a blob: "text", "title" or "number".
const char *ct_gui_theme_font_key(uint32_t i);

// Reads a colour, "#rrggbb" (opaque) or "#rrggbbaa", in the form of the blob. Returns false when
// `text` is something else; `color` is then unchanged.
bool ct_gui_theme_read_color(const char *text, uint32_t *color);

// Validates a blob of this type after its header was checked: every offset is inside the blob, and
// values are in range. Returns false with `error`, which names the invalid member. libc only.
bool ct_gui_theme_validate(const void *blob, ct_error *error);
