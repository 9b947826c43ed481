#include "text/glyph_closure.h"

#include "text/hb_api.h"

#define TAG(name) HB_TAG((name)[0], (name)[1], (name)[2], (name)[3])

// What shaping applies unless the text asks for other features, in any script.
static void collect_lookups(const ct_hb_api *hb, hb_face_t *face, hb_set_t *lookups) {
    static const char names[][5] = {
        "abvf", "abvs", "akhn", "blwf", "blws", "calt", "ccmp", "cfar", "cjct", "clig", "fin2",
        "fin3", "fina", "half", "haln", "init", "isol", "liga", "ljmo", "locl", "ltra", "ltrm",
        "med2", "medi", "mset", "nukt", "pref", "pres", "pstf", "psts", "rclt", "rkrf", "rlig",
        "rphf", "rtla", "rtlm", "rvrn", "stch", "tjmo", "vatu", "vjmo"};
    hb_tag_t features[CT_COUNT_OF(names) + 1] = {0};
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i)
        features[i] = TAG(names[i]);
    hb->hb_ot_layout_collect_lookups(face, HB_OT_TAG_GSUB, NULL, NULL, features, lookups);
}

static void close_over(const ct_hb_api *hb, hb_face_t *face, ct_u32_array *glyphs) {
    hb_set_t *const lookups = hb->hb_set_create();
    hb_set_t *const set = hb->hb_set_create();
    const uint32_t num_glyphs = hb->hb_face_get_glyph_count(face);
    for (uint32_t i = 0; i < glyphs->count; ++i)
        hb->hb_set_add(set, glyphs->items[i]);
    collect_lookups(hb, face, lookups);
    hb->hb_ot_layout_lookups_substitute_closure(face, lookups, set);
    glyphs->count = 0;
    for (hb_codepoint_t glyph = HB_SET_VALUE_INVALID;
         hb->hb_set_next(set, &glyph) && glyph < num_glyphs;)
        ct_array_push(glyphs, glyph);
    hb->hb_set_destroy(set);
    hb->hb_set_destroy(lookups);
}

bool ct_glyph_closure_add(const void *data, uint64_t num_bytes, uint32_t face_index,
                          ct_u32_array *glyphs, ct_error *error) {
    if (num_bytes > UINT32_MAX)
        return ct_error_set(error, "the font has %llu bytes; the limit is %u",
                            (unsigned long long)num_bytes, UINT32_MAX);
    const ct_hb_api *const hb = ct_hb_load(error);
    if (!hb)
        return false;
    hb_blob_t *const blob =
        hb->hb_blob_create(data, (uint32_t)num_bytes, HB_MEMORY_MODE_READONLY, NULL, NULL);
    hb_face_t *const face = hb->hb_face_create(blob, face_index);
    const bool is_read = hb->hb_face_get_glyph_count(face) > 0;
    if (is_read)
        close_over(hb, face, glyphs);
    hb->hb_face_destroy(face);
    hb->hb_blob_destroy(blob);
    return is_read || ct_error_set(error, "the font has no glyphs that shaping could use");
}
