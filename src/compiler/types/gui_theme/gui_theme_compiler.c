// Compiles themes: reads the theme and those that it is based on, the last of them first, so that
// each replaces what the ones below it say.
#include <math.h>
#include <string.h>

#include "compiler/protocol/compiler_bases.h"
#include "compiler/protocol/compiler_types.h"
#include "resource/types/gui/gui_theme_resource.h"

typedef struct theme_builder {
    ct_compile *c;
    ct_schema_listener listener;
    ct_gui_theme_source sources[CT_COMPILE_MAX_CHAIN]; // the theme, its base, the base's, …
    const ct_sjson *doc;                               // the one being read
    uint32_t colors[CT_GUI_THEME_NUM_COLORS];
    bool has_color[CT_GUI_THEME_NUM_COLORS];
    const char *fonts[CT_GUI_THEME_NUM_FONTS]; // NULL: not said
    ct_gui_theme_sizes sizes;                  // NaN: not said
    ct_gui_theme_times times;                  // NaN: not said
} theme_builder;

// --- The parts of a theme ------------------------------------------------------------------------

static void read_color(theme_builder *b, uint32_t i, ct_sjson_value at) {
    const char *const key = ct_gui_theme_colors_schema.fields[i].name;
    const ct_sjson_type type = ct_sjson_type_of(b->doc, at);
    const char *const text = ct_sjson_string(b->doc, at, "");
    if (type != CT_SJSON_TYPE_STRING)
        ct_compile_error(b->c, b->doc, at,
                         "%s: found %s, expected a colour like \"#e8e8f0\" or \"#e8e8f0c0\"", key,
                         ct_sjson_type_name(type));
    else if (strlen(text) != ct_sjson_string_bytes(b->doc, at) ||
             !ct_gui_theme_read_color(text, &b->colors[i]))
        ct_compile_error(b->c, b->doc, at,
                         "%s: found \"%.64s\", expected a colour like \"#e8e8f0\" or \"#e8e8f0c0\"",
                         key, text);
    b->has_color[i] = true;
}

static void read_colors(theme_builder *b, ct_sjson_value object) {
    ct_gui_theme_colors part = {{{0}}};
    if (!object.entry)
        return;
    ct_schema_apply(&ct_gui_theme_colors_schema, b->doc, object, &part, &b->listener);
    for (uint32_t i = 0; i < CT_GUI_THEME_NUM_COLORS; ++i) {
        if (part.colors[i].entry)
            read_color(b, i, part.colors[i]);
    }
}

static void read_fonts(theme_builder *b, ct_sjson_value object) {
    ct_gui_theme_fonts part = {{{{0}, {0}}}};
    if (!object.entry)
        return;
    ct_schema_apply(&ct_gui_theme_fonts_schema, b->doc, object, &part, &b->listener);
    for (uint32_t i = 0; i < CT_GUI_THEME_NUM_FONTS; ++i) {
        if (part.fonts[i].at.entry)
            b->fonts[i] = ct_sjson_string(b->doc, part.fonts[i].at, "");
    }
}

static void read_source(theme_builder *b, const ct_sjson *doc, const ct_gui_theme_source *source) {
    b->doc = doc;
    read_colors(b, source->colors);
    read_fonts(b, source->fonts);
    if (source->sizes.entry)
        ct_schema_apply(&ct_gui_theme_sizes_schema, doc, source->sizes, &b->sizes, &b->listener);
    if (source->times.entry)
        ct_schema_apply(&ct_gui_theme_times_schema, doc, source->times, &b->times, &b->listener);
}

static bool read_link(void *user, const ct_sjson *doc, uint32_t place, ct_sjson_value *base) {
    theme_builder *const b = user;
    ct_gui_theme_source *const source = &b->sources[place];
    if (!ct_schema_read(&ct_gui_theme_schema, doc, ct_sjson_root(doc), source, &b->listener))
        return false;
    if (source->base.value)
        *base = source->base_value;
    return true;
}

// --- What is missing -----------------------------------------------------------------------------

static bool has_color(const theme_builder *b, uint32_t i) {
    return b->has_color[i];
}

static bool has_font(const theme_builder *b, uint32_t i) {
    return b->fonts[i] != NULL;
}

static bool has_size(const theme_builder *b, uint32_t i) {
    return !isnan(b->sizes.sizes[i]);
}

static bool has_time(const theme_builder *b, uint32_t i) {
    return !isnan(b->times.times[i]);
}

// Reports the keys that no theme of the chain has, at the part of the theme itself.
static void check_part(const theme_builder *b, const char *name, ct_sjson_value part,
                       const ct_schema *schema, uint32_t count,
                       bool (*has)(const theme_builder *b, uint32_t i)) {
    ct_compile *const c = b->c;
    const uint32_t step = schema->num_fields / count; // fonts have two fields each
    const char *missing = "";
    uint32_t num_missing = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (!has(b, i))
            missing = ct_compile_text(c, "%s%s%s", missing, num_missing++ ? ", " : "",
                                      schema->fields[i * step].name);
    }
    if (num_missing == 0)
        return;
    const char *const it = num_missing == 1 ? "it" : "them";
    ct_compile_error(c, c->doc, part.entry ? part : ct_sjson_root(c->doc),
                     "%s: %s %s missing; write %s, or name a theme that has %s in `base`", name,
                     missing, num_missing == 1 ? "is" : "are", it, it);
}

static void check_parts(const theme_builder *b, const ct_gui_theme_source *s) {
    check_part(b, "colors", s->colors, &ct_gui_theme_colors_schema, CT_GUI_THEME_NUM_COLORS,
               has_color);
    check_part(b, "fonts", s->fonts, &ct_gui_theme_fonts_schema, CT_GUI_THEME_NUM_FONTS, has_font);
    check_part(b, "sizes", s->sizes, &ct_gui_theme_sizes_schema, CT_GUI_THEME_NUM_SIZES, has_size);
    check_part(b, "times", s->times, &ct_gui_theme_times_schema, CT_GUI_THEME_NUM_TIMES, has_time);
}

// --- Writing -------------------------------------------------------------------------------------

static void write_theme(const theme_builder *b) {
    ct_blob_writer *const w = &b->c->blob;
    ct_gui_theme_resource r = {.fonts = {{0}}};
    ct_blob_begin(w, &ct_gui_theme_layout);
    for (uint32_t i = 0; i < CT_GUI_THEME_NUM_FONTS; ++i) {
        r.font_names[i] = ct_blob_write_string(w, b->fonts[i], strlen(b->fonts[i]));
        r.fonts[i] = ct_string_id64_of(b->fonts[i]);
    }
    memcpy(r.colors, b->colors, sizeof(r.colors));
    memcpy(r.sizes, &b->sizes, sizeof(r.sizes));
    memcpy(r.times, &b->times, sizeof(r.times));
    ct_blob_end(w, &ct_gui_theme_layout, &r);
}

bool ct_compile_gui_theme(ct_compile *c) {
    theme_builder *const b = CT_NEW(c->allocator, theme_builder);
    b->c = c;
    b->listener = ct_compile_listener(c);
    for (uint32_t i = 0; i < CT_GUI_THEME_NUM_SIZES; ++i)
        b->sizes.sizes[i] = NAN;
    for (uint32_t i = 0; i < CT_GUI_THEME_NUM_TIMES; ++i)
        b->times.times[i] = NAN;
    const ct_compile_chain_desc desc = {.type = "gui_theme",
                                        .circle = "a theme cannot be its own base",
                                        .too_deep = "themes are based on each other",
                                        .most = CT_COMPILE_MAX_CHAIN,
                                        .read = read_link,
                                        .user = b};
    ct_compile_chain chain;
    if (!ct_compile_read_chain(c, &desc, &chain))
        return false;
    for (uint32_t i = chain.count; i-- > 0;)
        read_source(b, chain.docs[i], &b->sources[i]);
    if (ct_compile_error_count(c) == 0)
        check_parts(b, &b->sources[0]);
    if (ct_compile_error_count(c) > 0)
        return false;
    write_theme(b);
    return true;
}
