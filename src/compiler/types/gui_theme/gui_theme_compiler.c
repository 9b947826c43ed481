// Compiles themes: reads the theme and those that it is based on, the last of them first, so that
// each replaces what the ones below it say.
#include <math.h>
#include <string.h>

#include "compiler/protocol/compiler_circle.h"
#include "compiler/protocol/compiler_types.h"
#include "resource/types/gui/gui_theme_resource.h"

enum { MAX_BASES = 32 };

// The theme, its base, the base's, …
typedef struct base_chain {
    const ct_sjson *docs[MAX_BASES + 1];
    ct_gui_theme_source sources[MAX_BASES + 1];
    uint32_t count;
} base_chain;

typedef struct theme_builder {
    ct_compile *c;
    ct_schema_listener listener;
    const ct_sjson *doc; // the one being read
    uint32_t colors[CT_GUI_THEME_NUM_COLORS];
    bool has_color[CT_GUI_THEME_NUM_COLORS];
    const char *fonts[CT_GUI_THEME_NUM_FONTS]; // NULL: not said
    ct_gui_theme_sizes sizes;                  // NaN: not said
    ct_gui_theme_times times;                  // NaN: not said
} theme_builder;

// --- Bases ---------------------------------------------------------------------------------------

// Reports that the themes from number `first` on lead back to it. Returns false.
static bool report_circle(ct_compile *c, const base_chain *chain, uint32_t first) {
    const char *names[MAX_BASES + 1];
    for (uint32_t i = first; i < chain->count; ++i)
        names[i] = ct_circle_name(c->allocator, ct_sjson_file(chain->docs[i]));
    uint32_t closing = 0;
    const char *const way =
        ct_circle_way(c->allocator, names + first, chain->count - first, &closing);
    return ct_compile_error(c, chain->docs[first + closing],
                            chain->sources[first + closing].base_value,
                            "a theme cannot be its own base: %s", way);
}

static bool add_source(theme_builder *b, base_chain *chain, const ct_sjson *doc) {
    chain->docs[chain->count++] = doc;
    return ct_schema_read(&ct_gui_theme_schema, doc, ct_sjson_root(doc),
                          &chain->sources[chain->count - 1], &b->listener);
}

// False after an error.
static bool add_base(theme_builder *b, base_chain *chain) {
    ct_compile *const c = b->c;
    const ct_sjson *const doc = chain->docs[chain->count - 1];
    const ct_sjson_value at = chain->sources[chain->count - 1].base_value;
    const ct_sjson *const base =
        ct_compile_read_base(c, "gui_theme", ct_sjson_string(doc, at, ""), doc, at);
    if (!base)
        return false;
    for (uint32_t i = 0; i < chain->count; ++i) {
        if (chain->docs[i] == base)
            return report_circle(c, chain, i);
    }
    if (chain->count > MAX_BASES)
        return ct_compile_error(c, doc, at, "found more than %d bases of a theme", MAX_BASES);
    return add_source(b, chain, base);
}

static bool read_chain(theme_builder *b, base_chain *chain) {
    bool is_fine = add_source(b, chain, b->c->doc);
    while (is_fine && chain->sources[chain->count - 1].base.value)
        is_fine = add_base(b, chain);
    return is_fine;
}

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
    theme_builder b = {.c = c, .listener = ct_compile_listener(c)};
    base_chain *const chain = CT_NEW(c->allocator, base_chain);
    for (uint32_t i = 0; i < CT_GUI_THEME_NUM_SIZES; ++i)
        b.sizes.sizes[i] = NAN;
    for (uint32_t i = 0; i < CT_GUI_THEME_NUM_TIMES; ++i)
        b.times.times[i] = NAN;
    if (!read_chain(&b, chain))
        return false;
    for (uint32_t i = chain->count; i-- > 0;)
        read_source(&b, chain->docs[i], &chain->sources[i]);
    if (ct_compile_error_count(c) == 0)
        check_parts(&b, &chain->sources[0]);
    if (ct_compile_error_count(c) > 0)
        return false;
    write_theme(&b);
    return true;
}
