#include "resource/types/gui/gui_theme_resource.h"

#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/string/hex.h"

// --- The parts of a source -----------------------------------------------------------------------

#define COLOR(i, key, text)                                                                        \
    {                                                                                              \
        .name = key, .type = CT_FIELD_TYPE_VALUE, .offset = (i) * sizeof(ct_sjson_value),          \
        .size_bytes = sizeof(ct_sjson_value), .doc = text                                          \
    }

static const ct_field color_fields[] = {
    COLOR(0, "text", "Text on panels and controls."),
    COLOR(1, "text_dim", "Text that matters less, and text of controls that are disabled."),
    COLOR(2, "text_on_accent", "Text on `accent`."),
    COLOR(3, "panel", "The ground of panels and dialogs."),
    COLOR(4, "panel_border", "The border of panels and dialogs."),
    COLOR(5, "control", "The ground of buttons, fields and lists."),
    COLOR(6, "control_hovered", "The same under the mouse."),
    COLOR(7, "control_pressed", "The same while it is pressed."),
    COLOR(8, "control_border", "The border of controls."),
    COLOR(9, "accent", "What is on, chosen or filled: check marks, sliders, progress."),
    COLOR(10, "focus", "The frame around the widget with the focus."),
    COLOR(11, "selection", "The ground of selected text."),
    COLOR(12, "caret", "The caret of text fields."),
    COLOR(13, "shade", "What a dialog puts over the rest of the screen."),
    COLOR(14, "error", "For a game: text and borders that show a mistake."),
    COLOR(15, "tooltip", "The ground of tooltips."),
    COLOR(16, "track", "The empty part of sliders, scroll bars and progress bars."),
};

#define FONT(i, key, text)                                                                         \
    {.name = key,                                                                                  \
     .type = CT_FIELD_TYPE_REFERENCE,                                                              \
     .offset = (i) * sizeof(ct_gui_theme_font) + offsetof(ct_gui_theme_font, name),                \
     .size_bytes = sizeof(ct_string_id64),                                                         \
     .doc = text,                                                                                  \
     .reference_type = "font"},                                                                    \
    {                                                                                              \
        .name = key, .type = CT_FIELD_TYPE_VALUE,                                                  \
        .offset = (i) * sizeof(ct_gui_theme_font) + offsetof(ct_gui_theme_font, at),               \
        .size_bytes = sizeof(ct_sjson_value), .doc = text                                          \
    }

static const ct_field font_fields[] = {
    FONT(0, "text", "The font of text."),
    FONT(1, "title", "The font of titles."),
    FONT(2, "number", "For a game: the font of numbers, such as scores."),
};

#define SIZE(i, key, text)                                                                         \
    {                                                                                              \
        .name = key, .type = CT_FIELD_TYPE_FLOAT, .offset = (i) * sizeof(float),                   \
        .size_bytes = sizeof(float), .least = 0, .most = CT_GUI_THEME_MAX_SIZE, .doc = text        \
    }

static const ct_field size_fields[] = {
    SIZE(0, "text", "Size of text."),
    SIZE(1, "title", "Size of titles."),
    SIZE(2, "small", "For a game: size of small text."),
    SIZE(3, "padding", "Space between the edge of a panel or control and what is in it."),
    SIZE(4, "gap", "Space between widgets in a row or column."),
    SIZE(5, "radius", "Radius of corners."),
    SIZE(6, "border", "Width of borders."),
    SIZE(7, "focus", "Width of the frame around the widget with the focus."),
    SIZE(8, "control", "Height of buttons, text fields and rows of lists."),
    SIZE(9, "check", "Width and height of check boxes."),
    SIZE(10, "knob", "Diameter of the knob of sliders."),
    SIZE(11, "track", "Thickness of the track of sliders."),
    SIZE(12, "scroll_bar", "Thickness of scroll bars."),
    SIZE(13, "tooltip", "Size of the text of tooltips."),
    SIZE(14, "caret", "Width of carets."),
};

#define TIME(i, key, text)                                                                         \
    {                                                                                              \
        .name = key, .type = CT_FIELD_TYPE_FLOAT, .offset = (i) * sizeof(float),                   \
        .size_bytes = sizeof(float), .least = 0, .most = CT_GUI_THEME_MAX_TIME, .unit = "s",       \
        .doc = text                                                                                \
    }

static const ct_field time_fields[] = {
    TIME(0, "tooltip", "From when the mouse rests on a widget until its tooltip shows."),
    TIME(1, "repeat_delay", "From when an action is held until it repeats."),
    TIME(2, "repeat", "From one repetition of a held action to the next."),
    TIME(3, "caret", "For which a caret shows, and then is hidden."),
    TIME(4, "double_click", "Longest time between the two presses of a double click."),
};

_Static_assert(CT_COUNT_OF(color_fields) == CT_GUI_THEME_NUM_COLORS, "one field a colour");
_Static_assert(CT_COUNT_OF(font_fields) == 2 * CT_GUI_THEME_NUM_FONTS, "two fields a font");
_Static_assert(CT_COUNT_OF(size_fields) == CT_GUI_THEME_NUM_SIZES, "one field a size");
_Static_assert(CT_COUNT_OF(time_fields) == CT_GUI_THEME_NUM_TIMES, "one field a time");

#define PART(member, text)                                                                         \
    {                                                                                              \
        .name = "gui_theme_" #member, .doc = text, .size_bytes = sizeof(ct_gui_theme_##member##s), \
        .num_fields = CT_COUNT_OF(member##_fields), .fields = member##_fields                      \
    }

const ct_schema ct_gui_theme_colors_schema = PART(color, "Colours of a theme.");
const ct_schema ct_gui_theme_fonts_schema = PART(font, "Fonts of a theme.");
const ct_schema ct_gui_theme_sizes_schema = PART(size, "Sizes of a theme.");
const ct_schema ct_gui_theme_times_schema = PART(time, "Times of a theme.");

// --- The source ----------------------------------------------------------------------------------

#define AT(member)                                                                                 \
    .offset = offsetof(ct_gui_theme_source, member),                                               \
    .size_bytes = sizeof(((ct_gui_theme_source *)0)->member)

static const ct_field fields[] = {
    {.name = "base",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(base),
     .doc = "The theme that has what this one leaves out.",
     .reference_type = "gui_theme"},
    {.name = "base",
     .type = CT_FIELD_TYPE_VALUE,
     AT(base_value),
     .doc = "The theme that has what this one leaves out."},
    {.name = "colors",
     .type = CT_FIELD_TYPE_OBJECT,
     AT(colors),
     .doc = "Colours, sRGB: \"#rrggbb\" or \"#rrggbbaa\".",
     .schema = &ct_gui_theme_colors_schema},
    {.name = "fonts",
     .type = CT_FIELD_TYPE_OBJECT,
     AT(fonts),
     .doc = "Names of fonts.",
     .schema = &ct_gui_theme_fonts_schema},
    {.name = "sizes",
     .type = CT_FIELD_TYPE_OBJECT,
     AT(sizes),
     .doc = "Sizes in units of the Gui.",
     .schema = &ct_gui_theme_sizes_schema},
    {.name = "times",
     .type = CT_FIELD_TYPE_OBJECT,
     AT(times),
     .doc = "Times in seconds.",
     .schema = &ct_gui_theme_times_schema},
};

const ct_schema ct_gui_theme_schema = {
    .name = "gui_theme",
    .doc = "Colours, fonts, sizes and times of widgets.",
    .size_bytes = sizeof(ct_gui_theme_source),
    .num_fields = CT_COUNT_OF(fields),
    .fields = fields,
};

const char *ct_gui_theme_font_key(uint32_t i) {
    return font_fields[2 * i].name;
}

bool ct_gui_theme_read_color(const char *text, uint32_t *color) {
    const size_t length = strlen(text);
    if (text[0] != '#' || (length != 7 && length != 9))
        return false;
    uint32_t read = length == 7 ? 0xff000000 : 0;
    for (uint32_t i = 1; i < length; ++i) {
        const int32_t digit = ct_hex_digit(text[i]);
        if (digit < 0)
            return false;
        read |= (uint32_t)digit << (4 * ((i - 1) ^ 1)); // the high digit of a byte is first
    }
    *color = read;
    return true;
}

// --- The blob ------------------------------------------------------------------------------------

const ct_blob_layout ct_gui_theme_layout = CT_BLOB_ROOT(
    ct_gui_theme_resource, "a theme", CT_BLOB_STRING(ct_gui_theme_resource, font_names[0]),
    CT_BLOB_STRING(ct_gui_theme_resource, font_names[1]),
    CT_BLOB_STRING(ct_gui_theme_resource, font_names[2]),
    CT_BLOB_NUMBERS(8, ct_gui_theme_resource, fonts, fonts),
    CT_BLOB_NUMBERS(4, ct_gui_theme_resource, colors, padding));

static bool check_numbers(const float *numbers, const char *what, const ct_schema *schema,
                          float most, ct_error *error) {
    for (uint32_t i = 0; i < schema->num_fields; ++i) {
        if (!(numbers[i] >= 0 && numbers[i] <= most)) // NaN too
            return ct_error_set(error, "%s.%s: found %g, expected 0 to %g", what,
                                schema->fields[i].name, (double)numbers[i], (double)most);
    }
    return true;
}

bool ct_gui_theme_validate(const void *blob, ct_error *error) {
    const ct_gui_theme_resource *const r = blob;
    if (!ct_blob_check_layout(&ct_gui_theme_layout, r, error))
        return false;
    for (uint32_t i = 0; i < CT_GUI_THEME_NUM_FONTS; ++i) {
        const char *const name = ct_blob_at(r, r->font_names[i].offset);
        if (r->fonts[i].value == 0 || r->fonts[i].value != ct_string_id64_of(name).value)
            return ct_error_set(error, "fonts[%u]: its id is not that of its name", i);
    }
    return check_numbers(r->sizes, "sizes", &ct_gui_theme_sizes_schema, CT_GUI_THEME_MAX_SIZE,
                         error) &&
           check_numbers(r->times, "times", &ct_gui_theme_times_schema, CT_GUI_THEME_MAX_TIME,
                         error);
}
