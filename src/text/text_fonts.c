#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "text/text_private.h"

// --- Fonts without outlines ----------------------------------------------------------------------
//
// HarfBuzz gets a font without tables. Characters, advances and kerning come from the blob.

enum { UNITS_PER_PIXEL = 64 };

static hb_bool_t bitmap_glyph(hb_font_t *font, void *font_data, hb_codepoint_t c,
                              hb_codepoint_t *glyph, void *user_data) {
    (void)font;
    (void)user_data;
    *glyph = ct_font_find_character(font_data, c);
    return *glyph != 0;
}

static hb_position_t bitmap_advance(hb_font_t *font, void *font_data, hb_codepoint_t glyph,
                                    void *user_data) {
    (void)font;
    (void)user_data;
    const ct_font_glyph *const found = ct_font_find_glyph(font_data, glyph);
    return found ? (hb_position_t)(found->advance * UNITS_PER_PIXEL) : 0;
}

static hb_position_t bitmap_kerning(hb_font_t *font, void *font_data, hb_codepoint_t first,
                                    hb_codepoint_t second, void *user_data) {
    (void)font;
    (void)user_data;
    return (hb_position_t)(ct_font_find_kerning(font_data, first, second) * UNITS_PER_PIXEL);
}

static void open_bitmap(ct_text *t, ct_text_font *font) {
    const ct_hb_api *const hb = t->hb;
    if (!t->bitmap_funcs) {
        t->bitmap_funcs = hb->hb_font_funcs_create();
        hb->hb_font_funcs_set_nominal_glyph_func(t->bitmap_funcs, bitmap_glyph, NULL, NULL);
        hb->hb_font_funcs_set_glyph_h_advance_func(t->bitmap_funcs, bitmap_advance, NULL, NULL);
        hb->hb_font_funcs_set_glyph_h_kerning_func(t->bitmap_funcs, bitmap_kerning, NULL, NULL);
    }
    hb_face_t *const face = hb->hb_face_create(hb->hb_blob_get_empty(), 0);
    const int scaled = (int)(font->blob->size * UNITS_PER_PIXEL);
    const int units = scaled > 1 ? scaled : 1;
    hb->hb_face_set_upem(face, (unsigned int)units);
    font->hb = hb->hb_font_create(face);
    hb->hb_face_destroy(face);
    hb->hb_font_set_scale(font->hb, units, units);
    hb->hb_font_set_funcs(font->hb, t->bitmap_funcs, (void *)(uintptr_t)font->blob, NULL);
    font->inverse_units = 1.0f / (float)units;
}

// --- Fonts with outlines -------------------------------------------------------------------------

static void open_outlines(ct_text *t, ct_text_font *font) {
    const ct_hb_api *const hb = t->hb;
    const ct_blob_array outlines = font->blob->outlines;
    hb_blob_t *const bytes =
        hb->hb_blob_create(ct_blob_at(font->blob, outlines.offset), outlines.count,
                           HB_MEMORY_MODE_READONLY, NULL, NULL);
    hb_face_t *const face = hb->hb_face_create(bytes, font->blob->face_index);
    hb->hb_blob_destroy(bytes);
    hb->hb_face_make_immutable(face);
    const unsigned int units = hb->hb_face_get_upem(face);
    font->hb = hb->hb_font_create(face);
    hb->hb_face_destroy(face);
    hb->hb_font_set_scale(font->hb, (int)units, (int)units);
    hb->hb_ot_font_set_funcs(font->hb);
    font->inverse_units = 1.0f / (float)units;
}

// --- Adding and removing -------------------------------------------------------------------------

static bool load_harfbuzz(ct_text *t) {
    if (t->hb)
        return true;
    ct_error error = {0};
    t->hb = ct_hb_load(&error);
    if (!t->hb) {
        ct_log_error("text", "text_library_missing", "no text can be shown: %s", error.message);
        return false;
    }
    t->unicode = t->hb->hb_unicode_funcs_get_default();
    t->buffer = t->hb->hb_buffer_create();
    t->language = t->language_tag[0] != '\0' ? t->hb->hb_language_from_string(t->language_tag, -1)
                                             : HB_LANGUAGE_INVALID;
    return true;
}

static void forget_chains(ct_text *t) {
    for (uint32_t i = 0; i < t->fonts.count; ++i) {
        ct_text_font *const font = t->fonts.items[i];
        ct_free_sized(t->allocator, font->chain, font->num_chain * sizeof(*font->chain));
        font->chain = NULL;
        font->num_chain = 0;
    }
}

static void close_font(ct_text *t, ct_text_font *font) {
    if (font->hb)
        t->hb->hb_font_destroy(font->hb);
    font->hb = NULL;
    font->blob = NULL;
    for (uint32_t i = 0; i < CT_TEXT_COVERAGE_PAGES; ++i) {
        ct_free_sized(t->allocator, font->coverage[i], sizeof(ct_text_coverage));
        font->coverage[i] = NULL;
    }
}

static void open_font(ct_text *t, ct_text_font *font, const ct_font_resource *blob) {
    font->blob = blob;
    if (blob->outlines.count > 0)
        open_outlines(t, font);
    else
        open_bitmap(t, font);
    t->hb->hb_font_make_immutable(font->hb);
}

// Returns the font of a name, a new one when it was never there; NULL when there are too many.
static ct_text_font *font_for(ct_text *t, ct_string_id64 name) {
    const uint64_t *const index = ct_hash_map_find(&t->font_by_name, name.value);
    if (index)
        return t->fonts.items[*index];
    if (t->fonts.count == CT_TEXT_MAX_FONTS) {
        ct_log_error("text", "too_many_fonts", "there are %u fonts already; expected at most %u",
                     t->fonts.count, (uint32_t)CT_TEXT_MAX_FONTS);
        return NULL;
    }
    ct_text_font *const font = CT_NEW(t->allocator, ct_text_font);
    font->name = name;
    ct_hash_map_set(&t->font_by_name, name.value, t->fonts.count);
    ct_array_push(&t->fonts, font);
    return font;
}

void ct_text_set_font(ct_text *t, ct_string_id64 name, const ct_font_resource *font) {
    if (font && !load_harfbuzz(t))
        return;
    ct_text_cache_clear(&t->layouts);
    ct_text_cache_clear(&t->runs);
    ct_hash_map_clear(&t->missing); // warnings repeat
    forget_chains(t);
    const uint64_t *const index = ct_hash_map_find(&t->font_by_name, name.value);
    if (index)
        close_font(t, t->fonts.items[*index]);
    ct_text_font *const target = font ? font_for(t, name) : NULL;
    if (target)
        open_font(t, target, font);
}

void ct_text_free_fonts(ct_text *t) {
    forget_chains(t);
    for (uint32_t i = 0; i < t->fonts.count; ++i) {
        close_font(t, t->fonts.items[i]);
        ct_free_sized(t->allocator, t->fonts.items[i], sizeof(ct_text_font));
    }
    ct_array_free(&t->fonts);
    ct_hash_map_free(&t->font_by_name);
    ct_array_free(&t->fallbacks);
    if (t->bitmap_funcs)
        t->hb->hb_font_funcs_destroy(t->bitmap_funcs);
    if (t->buffer)
        t->hb->hb_buffer_destroy(t->buffer);
}

void ct_text_set_fallbacks(ct_text *t, const ct_string_id64 *names, uint32_t count) {
    ct_text_cache_clear(&t->layouts);
    forget_chains(t);
    t->fallbacks.count = 0;
    for (uint32_t i = 0; i < count; ++i)
        ct_array_push(&t->fallbacks, names[i].value);
}

// --- Questions -----------------------------------------------------------------------------------

int32_t ct_text_font_index(const ct_text *t, ct_string_id64 name) {
    const uint64_t *const index = ct_hash_map_find(&t->font_by_name, name.value);
    return index && t->fonts.items[*index]->blob ? (int32_t)*index : -1;
}

ct_string_id64 ct_text_font_name(const ct_text *t, uint32_t index) {
    const bool is_there = index < t->fonts.count && t->fonts.items[index]->blob;
    return is_there ? t->fonts.items[index]->name : (ct_string_id64){0};
}

const ct_font_resource *ct_text_font_blob(const ct_text *t, uint32_t index) {
    return index < t->fonts.count ? t->fonts.items[index]->blob : NULL;
}

const ct_text_coverage *ct_text_look_at_page(ct_text *t, ct_text_font *font, uint32_t page) {
    ct_text_coverage *const coverage = CT_NEW(t->allocator, ct_text_coverage);
    for (uint32_t i = 0; i < 256; ++i) {
        hb_codepoint_t glyph = 0;
        if (t->hb->hb_font_get_nominal_glyph(font->hb, page << 8 | i, &glyph))
            coverage->bits[i >> 6] |= UINT64_C(1) << (i & 63);
    }
    return font->coverage[page] = coverage;
}

// --- Chains --------------------------------------------------------------------------------------

typedef struct chain_search {
    ct_text *t;
    CT_ARRAY(uint16_t) found;
    ct_byte_array is_found; // of each font
} chain_search;

// Adds a font and then its fallbacks. `is_found` ends cycles.
static void add_to_chain(chain_search *s, uint64_t name) {
    const int32_t index = ct_text_font_index(s->t, (ct_string_id64){name});
    if (index < 0 || s->is_found.items[index])
        return;
    s->is_found.items[index] = 1;
    ct_array_push(&s->found, (uint16_t)index);
    const ct_font_resource *const blob = s->t->fonts.items[index]->blob;
    const uint64_t *const names = ct_blob_at(blob, blob->fallbacks.offset);
    for (uint32_t i = 0; i < blob->fallbacks.count; ++i)
        add_to_chain(s, names[i]);
}

const uint16_t *ct_text_font_chain(ct_text *t, uint32_t index, uint32_t *count) {
    ct_text_font *const font = t->fonts.items[index];
    if (!font->chain) {
        chain_search s = {.t = t};
        ct_array_init(&s.found, t->allocator);
        ct_array_init(&s.is_found, t->allocator);
        ct_array_resize(&s.is_found, t->fonts.count);
        add_to_chain(&s, font->name.value);
        for (uint32_t i = 0; i < t->fallbacks.count; ++i)
            add_to_chain(&s, t->fallbacks.items[i]);
        const uint64_t bytes = s.found.count * sizeof(*font->chain);
        font->chain = ct_alloc(t->allocator, bytes);
        font->num_chain = s.found.count;
        memcpy(font->chain, s.found.items, bytes);
        ct_array_free(&s.found);
        ct_array_free(&s.is_found);
    }
    *count = font->num_chain;
    return font->chain;
}
