// Compiles fonts: the pictures of the glyphs that the source asks for, in pages, beside the whole
// file, with which text is shaped.
#include "compiler/protocol/compiler_types.h"
#include "compiler/types/font/font_angelcode.h"
#include "compiler/types/font/worker_font_characters.h"
#include "compiler/types/font/worker_font_pages.h"
#include "foundation/os/path.h"
#include "text/glyph_closure.h"
#include "text/glyph_raster.h"

#include <string.h>

// The font as it comes out.
typedef struct font {
    ct_compile *c;
    ct_font_source source;
    const char *outlines; // the file
    uint64_t outlines_bytes;
    ct_glyph_raster *raster;
    ct_u32_array glyphs; // to draw, sorted
    ct_worker_font_pictures pictures;
    ct_worker_font_page pages[CT_FONT_MAX_PAGES];
    uint32_t num_pages;
} font;

// An error of the font file, at the place that names it.
static bool refuse(font *f, const ct_error *error) {
    return ct_compile_error(f->c, f->c->doc, f->source.source_value, "%s: %s", f->source.source,
                            error->message);
}

// --- Reading -------------------------------------------------------------------------------------

static bool has_extension(const char *path, const char *const *extensions) {
    const char *const extension = ct_path_extension(path);
    for (uint32_t i = 0; extensions[i]; ++i) {
        if (strcmp(extension, extensions[i]) == 0)
            return true;
    }
    return false;
}

// A font that falls back to itself would never find anything more.
static bool check_fallbacks(font *f) {
    ct_compile *const c = f->c;
    const ct_sjson_value list = f->source.fallback_value;
    for (ct_sjson_value v = list.entry ? ct_sjson_first(c->doc, list) : list; v.entry;
         v = ct_sjson_next(c->doc, v)) {
        if (strcmp(ct_sjson_string(c->doc, v, ""), c->name) == 0)
            return ct_compile_error(c, c->doc, v, "the font \"%s\" cannot be its own fallback",
                                    c->name);
    }
    return true;
}

static bool read_source(font *f) {
    ct_compile *const c = f->c;
    const ct_schema_listener listener = ct_compile_listener(c);
    if (!ct_schema_read(&ct_font_schema, c->doc, ct_sjson_root(c->doc), &f->source, &listener))
        return false;
    if (!f->source.distance_field && f->source.spread_value.entry)
        ct_compile_warning(c, c->doc, f->source.spread_value,
                           "`spread` has no effect without a distance field");
    if (!f->source.distance_field)
        f->source.spread = 0;
    return check_fallbacks(f);
}

static bool open_outlines(font *f) {
    static const char *const extensions[] = {"ttf", "otf", "ttc", NULL};
    ct_compile *const c = f->c;
    ct_error error = {0};
    if (!has_extension(f->source.source, extensions))
        return ct_compile_error(c, c->doc, f->source.source_value,
                                "\"%s\" is not a font; expected a .ttf, .otf, .ttc or .fnt file",
                                f->source.source);
    f->outlines =
        ct_compile_read(c, f->source.source, &f->outlines_bytes, c->doc, f->source.source_value);
    if (!f->outlines)
        return false;
    // FreeType allocates and frees much for each glyph, which c->allocator would keep.
    f->raster = ct_glyph_raster_create(c->blob.bytes.allocator, f->outlines, f->outlines_bytes,
                                       (uint32_t)f->source.face, &error);
    return f->raster || refuse(f, &error);
}

// --- Glyphs --------------------------------------------------------------------------------------

static void warn_of_missing(font *f, const ct_worker_font_characters *characters) {
    for (uint32_t i = 0; i < characters->literals.count; ++i) {
        const ct_worker_font_literal *const literal = &characters->literals.items[i];
        if (ct_glyph_raster_glyph_of(f->raster, literal->codepoint) == 0)
            ct_compile_warning(f->c, f->c->doc, literal->at,
                               "%s does not have the character U+%04X", f->source.source,
                               literal->codepoint);
    }
}

static bool choose_glyphs(font *f) {
    ct_worker_font_characters characters;
    ct_error error = {0};
    if (!ct_worker_font_characters_read(f->c, &f->source, &characters))
        return false;
    warn_of_missing(f, &characters);
    ct_array_init(&f->glyphs, f->c->allocator);
    ct_array_push(&f->glyphs, 0); // what is drawn for a missing character
    const ct_bitset *const wanted = &characters.codepoints;
    for (uint32_t i = ct_bits_next_set(wanted->words, 0, wanted->num_bits); i < wanted->num_bits;
         i = ct_bits_next_set(wanted->words, i + 1, wanted->num_bits))
        ct_array_push(&f->glyphs, ct_glyph_raster_glyph_of(f->raster, i));
    return ct_glyph_closure_add(f->outlines, f->outlines_bytes, (uint32_t)f->source.face,
                                &f->glyphs, &error) ||
           refuse(f, &error);
}

static bool draw_glyph(font *f, uint32_t glyph, ct_byte_array *pixels, ct_error *error) {
    ct_glyph_picture picture;
    if (!ct_glyph_raster_draw(f->raster, glyph, f->source.size, (uint32_t)f->source.spread, pixels,
                              &picture, error))
        return false;
    ct_worker_font_picture p = {.glyph = {.glyph = glyph,
                                          .width = (uint16_t)picture.width,
                                          .height = (uint16_t)picture.height,
                                          .left = picture.left,
                                          .top = picture.top,
                                          .advance = picture.advance}};
    if (pixels->count > 0)
        p.pixels = memcpy(ct_alloc(f->c->allocator, pixels->count), pixels->items, pixels->count);
    ct_array_push(&f->pictures, p);
    return true;
}

// Draws all glyphs, and reports all that cannot be drawn.
static bool draw_glyphs(font *f) {
    bool is_right = true;
    ct_byte_array pixels;
    ct_array_init(&pixels, f->c->blob.bytes.allocator);
    ct_array_init(&f->pictures, f->c->allocator);
    for (uint32_t i = 0; i < f->glyphs.count; ++i) {
        ct_error error = {0};
        if (!draw_glyph(f, f->glyphs.items[i], &pixels, &error))
            is_right = refuse(f, &error);
    }
    ct_array_free(&pixels);
    return is_right;
}

// --- Writing -------------------------------------------------------------------------------------

static void set_metrics(const font *f, ct_font_resource *r) {
    const ct_glyph_raster_metrics m = ct_glyph_raster_get_metrics(f->raster);
    const float size = f->source.size;
    r->flags = f->source.distance_field ? CT_FONT_DISTANCE_FIELD : 0;
    r->size = size;
    r->spread = (float)f->source.spread;
    r->ascent = m.ascent * size;
    r->descent = m.descent * size;
    r->line_gap = m.line_gap * size;
    r->underline_position = m.underline_position * size;
    r->underline_thickness = m.underline_thickness * size;
    r->x_height = m.x_height * size;
    r->cap_height = m.cap_height * size;
    r->face_index = (uint32_t)f->source.face;
}

static ct_blob_array write_glyphs(const font *f) {
    const uint32_t count = f->pictures.count;
    ct_font_glyph *const glyphs = CT_NEW_ARRAY(f->c->allocator, ct_font_glyph, count + 1);
    for (uint32_t i = 0; i < count; ++i)
        glyphs[i] = f->pictures.items[i].glyph;
    return ct_blob_write_items(&f->c->blob, &ct_font_glyph_layout, glyphs, count);
}

static ct_blob_array write_fallbacks(const font *f) {
    uint64_t names[CT_FONT_MAX_FALLBACKS];
    uint32_t count = 0;
    while (count < CT_FONT_MAX_FALLBACKS && f->source.fallback[count].value != 0) {
        names[count] = f->source.fallback[count].value;
        ++count;
    }
    return ct_blob_write_items(&f->c->blob, &ct_blob_u64_layout, names, count);
}

static void write_font(const font *f) {
    ct_blob_writer *const w = &f->c->blob;
    ct_font_page pages[CT_FONT_MAX_PAGES];
    ct_font_resource r = {.flags = 0};
    set_metrics(f, &r);
    ct_blob_begin(w, &ct_font_layout);
    r.glyphs = write_glyphs(f);
    r.fallbacks = write_fallbacks(f);
    r.pages = ct_blob_reserve_items(w, &ct_font_page_layout, f->num_pages);
    r.outlines =
        ct_blob_write_items(w, &ct_blob_pixels_layout, f->outlines, (uint32_t)f->outlines_bytes);
    for (uint32_t i = 0; i < f->num_pages; ++i) {
        const ct_worker_font_page *const p = &f->pages[i];
        pages[i] = (ct_font_page){.width = p->width, .height = p->height};
        pages[i].pixels =
            ct_blob_write_items(w, &ct_blob_pixels_layout, p->pixels, p->width * p->height);
    }
    ct_blob_fill_items(w, &ct_font_page_layout, r.pages, pages);
    ct_blob_end(w, &ct_font_layout, &r);
}

// --- AngelCode fonts -----------------------------------------------------------------------------

static void write_angelcode(const font *f, const ct_font_content *content) {
    ct_blob_writer *const w = &f->c->blob;
    ct_font_page pages[CT_FONT_MAX_PAGES];
    ct_font_resource r = content->resource;
    ct_blob_begin(w, &ct_font_layout);
    r.glyphs =
        ct_blob_write_items(w, &ct_font_glyph_layout, content->glyphs.items, content->glyphs.count);
    r.characters = ct_blob_write_items(w, &ct_font_character_layout, content->characters.items,
                                       content->characters.count);
    r.kerning = ct_blob_write_items(w, &ct_font_kerning_layout, content->kerning.items,
                                    content->kerning.count);
    r.fallbacks = write_fallbacks(f);
    r.pages = ct_blob_reserve_items(w, &ct_font_page_layout, content->pages.count);
    for (uint32_t i = 0; i < content->pages.count; ++i) {
        const ct_font_content_page *const p = &content->pages.items[i];
        pages[i] = (ct_font_page){.width = p->width, .height = p->height};
        pages[i].pixels =
            ct_blob_write_items(w, &ct_blob_pixels_layout, p->pixels, p->width * p->height);
    }
    ct_blob_fill_items(w, &ct_font_page_layout, r.pages, pages);
    ct_blob_end(w, &ct_font_layout, &r);
}

// What only fonts with outlines use, and a scale that nothing is scaled by.
static bool check_angelcode(const font *f) {
    ct_compile *const c = f->c;
    const struct {
        const char *name;
        ct_sjson_value value;
    } unused[] = {{"characters", f->source.characters}, {"strings", f->source.strings_value}};
    for (uint32_t i = 0; i < CT_COUNT_OF(unused); ++i)
        if (unused[i].value.entry)
            ct_compile_warning(
                c, c->doc, unused[i].value,
                "`%s` has no effect: an AngelCode font has the characters of its file",
                unused[i].name);
    const bool makes_fields = f->source.distance_field && !f->source.pages_are_distance_fields;
    if (f->source.scale > 1 && !makes_fields)
        return ct_compile_error(c, c->doc, f->source.source_value,
                                "`scale` is %d, but only distance fields that are made here can be "
                                "smaller than the pages of \"%s\"; leave `scale` out",
                                f->source.scale, f->source.source);
    return f->source.distance_field || !f->source.pages_are_distance_fields ||
           ct_compile_error(c, c->doc, f->source.source_value,
                            "`pages_are_distance_fields` is true, but `distance_field` is false; "
                            "leave one of them out");
}

static bool compile_angelcode(const font *f) {
    ct_font_content content;
    if (!check_angelcode(f))
        return false;
    const ct_font_angelcode_source source = {.path = f->source.source,
                                             .distance_field = f->source.distance_field != 0,
                                             .pages_are_distance_fields =
                                                 f->source.pages_are_distance_fields != 0,
                                             .scale = (uint32_t)f->source.scale,
                                             .spread = (uint32_t)f->source.spread,
                                             .doc = f->c->doc,
                                             .at = f->source.source_value};
    // The pages are large: c->allocator would keep each step of them.
    ct_font_content_init(&content, f->c->blob.bytes.allocator);
    const bool is_done = ct_compile_font_angelcode(f->c, &source, &content);
    if (is_done)
        write_angelcode(f, &content);
    ct_font_content_free(&content);
    return is_done;
}

static bool compile_outlines(font *f) {
    ct_error error = {0};
    if (!open_outlines(f) || !choose_glyphs(f) || !draw_glyphs(f))
        return false;
    if (!ct_worker_font_pack(f->c->allocator, &f->pictures, f->pages, &f->num_pages, &error))
        return refuse(f, &error);
    write_font(f);
    return true;
}

bool ct_compile_font(ct_compile *c) {
    static const char *const angelcode[] = {"fnt", NULL};
    font *const f = CT_NEW(c->allocator, font);
    f->c = c;
    if (!read_source(f))
        return false;
    if (has_extension(f->source.source, angelcode))
        return compile_angelcode(f);
    const bool is_done = compile_outlines(f);
    ct_glyph_raster_destroy(f->raster);
    return is_done;
}
