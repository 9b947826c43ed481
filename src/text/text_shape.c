#include <string.h>

#include "foundation/log.h"
#include "text/text_private.h"

enum { CONTEXT_CHARACTERS = 5 }; // what HarfBuzz looks at

// --- Keys ----------------------------------------------------------------------------------------

// Returns whether letters of a script change their form with their neighbours.
static bool is_joining(uint32_t script) {
    switch (script) {
    case HB_SCRIPT_ARABIC:
    case HB_SCRIPT_SYRIAC:
    case HB_SCRIPT_MONGOLIAN:
    case HB_SCRIPT_NKO:
    case HB_SCRIPT_MANDAIC:
    case HB_SCRIPT_PHAGS_PA:
    case HB_SCRIPT_MANICHAEAN:
    case HB_SCRIPT_PSALTER_PAHLAVI:
    case HB_SCRIPT_ADLAM:
    case HB_SCRIPT_HANIFI_ROHINGYA:
    case HB_SCRIPT_SOGDIAN:
    case HB_SCRIPT_CHORASMIAN:
        return true;
    default:
        return false;
    }
}

// Returns the number of bytes of context before `at`, not before `begin`.
static uint32_t bytes_before(const uint8_t *text, uint32_t begin, uint32_t at) {
    uint32_t from = at;
    for (uint32_t i = 0; i < CONTEXT_CHARACTERS && from > begin && text[from - 1] >= 0x80; ++i) {
        do {
            --from;
        } while ((text[from] & 0xc0) == 0x80);
    }
    return at - from;
}

static uint32_t bytes_after(const uint8_t *text, uint32_t end, uint32_t at) {
    uint32_t to = at;
    for (uint32_t i = 0; i < CONTEXT_CHARACTERS && to < end && text[to] >= 0x80; ++i)
        ct_text_next(text, &to);
    return to - at;
}

ct_text_run_key ct_text_key_of(const ct_text *t, const ct_text_item *item, uint32_t byte,
                               uint32_t num_bytes) {
    const ct_text_work *const w = &t->work;
    const uint8_t *const text = w->plain.items;
    ct_text_run_key key = {.num_bytes = num_bytes,
                           .script = item->script,
                           .font = item->font,
                           .is_right_to_left = item->level & 1};
    if (is_joining(item->script)) {
        key.before = bytes_before(text, w->begin, byte);
        key.after = bytes_after(text, w->end, byte + num_bytes);
    }
    key.text = (const char *)text + byte - key.before;
    return key;
}

static uint32_t key_bytes(const ct_text_run_key *key) {
    return key->before + key->num_bytes + key->after;
}

static uint64_t hash_key(const ct_text_run_key *key) {
    const uint64_t numbers = (uint64_t)key->script << 32 | (uint32_t)key->font << 8 |
                             key->before << 1 | (key->is_right_to_left ? 1u : 0u);
    return ct_text_hash_bytes(ct_text_hash_mix(numbers, key->after), key->text, key_bytes(key));
}

static bool is_run_of(const ct_text_cache_entry *entry, const void *key) {
    const ct_text_run_key *const a = &((const ct_text_run *)entry)->key, *const b = key;
    return a->num_bytes == b->num_bytes && a->before == b->before && a->after == b->after &&
           a->script == b->script && a->font == b->font &&
           a->is_right_to_left == b->is_right_to_left &&
           memcmp(a->text, b->text, key_bytes(a)) == 0;
}

// --- Control characters --------------------------------------------------------------------------

static bool has_controls(const char *text, uint32_t num_bytes) {
    bool result = false;
    for (uint32_t i = 0; i < num_bytes; ++i)
        result |= (uint8_t)text[i] < 0x20 || (uint8_t)text[i] == 0x7f || (uint8_t)text[i] == 0xc2;
    return result;
}

static bool is_control(const char *text) {
    const uint8_t first = (uint8_t)text[0];
    return first < 0x20 || first == 0x7f || (first == 0xc2 && (uint8_t)text[1] < 0xa0);
}

// Makes control characters invisible, and a tab as wide as four spaces: fonts have no glyphs for
// them.
static void hide_controls(ct_text *t, const ct_text_run *run, ct_text_run_glyph *glyphs) {
    const char *const text = run->key.text + run->key.before;
    hb_font_t *const font = t->fonts.items[run->key.font]->hb;
    hb_codepoint_t space = 0;
    t->hb->hb_font_get_nominal_glyph(font, ' ', &space);
    for (uint32_t i = 0; i < run->num_glyphs; ++i) {
        const char *const c = text + glyphs[i].byte;
        if (!is_control(c))
            continue;
        glyphs[i].glyph = space;
        glyphs[i].advance = *c == '\t' ? 4 * t->hb->hb_font_get_glyph_h_advance(font, space) : 0;
    }
}

// --- Shaping -------------------------------------------------------------------------------------

// Shapes the text in t->buffer; returns the number of glyphs.
static uint32_t fill_buffer(ct_text *t, const ct_text_run_key *key) {
    const ct_hb_api *const hb = t->hb;
    hb->hb_buffer_clear_contents(t->buffer);
    hb->hb_buffer_add_utf8(t->buffer, key->text, (int)key_bytes(key), key->before,
                           (int)key->num_bytes);
    const hb_segment_properties_t properties = {
        .direction = key->is_right_to_left ? HB_DIRECTION_RTL : HB_DIRECTION_LTR,
        .script = (hb_script_t)key->script,
        .language = t->language};
    hb->hb_buffer_set_segment_properties(t->buffer, &properties);
    hb->hb_shape(t->fonts.items[key->font]->hb, t->buffer, NULL, 0);
    unsigned int count = 0;
    hb->hb_buffer_get_glyph_infos(t->buffer, &count);
    if (hb->hb_buffer_allocation_successful(t->buffer))
        return count;
    ct_log_warning("text", "text_not_shaped", "HarfBuzz cannot shape a text of %u bytes in font %s",
                   key->num_bytes, ct_string_id64_name(t->fonts.items[key->font]->name));
    return 0;
}

static ct_text_run *make_run(ct_text *t, const ct_text_run_key *key, uint64_t hash) {
    const uint32_t count = fill_buffer(t, key);
    const uint64_t glyph_bytes = count * sizeof(ct_text_run_glyph);
    const uint64_t bytes = sizeof(ct_text_run) + glyph_bytes + key_bytes(key);
    ct_text_run *const run = ct_alloc(t->allocator, bytes);
    ct_text_run_glyph *const glyphs = (ct_text_run_glyph *)(run + 1);
    char *const text = (char *)glyphs + glyph_bytes;
    memcpy(text, key->text, key_bytes(key));
    *run = (ct_text_run){.entry = {.hash = hash, .bytes = bytes},
                         .key = *key,
                         .glyphs = glyphs,
                         .num_glyphs = count};
    run->key.text = text;
    unsigned int num = 0;
    const hb_glyph_info_t *const infos = t->hb->hb_buffer_get_glyph_infos(t->buffer, &num);
    const hb_glyph_position_t *const at = t->hb->hb_buffer_get_glyph_positions(t->buffer, &num);
    for (uint32_t i = 0; i < count; ++i) {
        ct_text_run_glyph *const out = &glyphs[i];
        out->glyph = infos[i].codepoint;
        out->byte = infos[i].cluster - key->before;
        out->advance = at[i].x_advance;
        out->x = at[i].x_offset;
        out->y = at[i].y_offset;
        out->is_unsafe = (infos[i].mask & HB_GLYPH_FLAG_UNSAFE_TO_BREAK) != 0;
    }
    if (has_controls(text + key->before, key->num_bytes))
        hide_controls(t, run, glyphs);
    return run;
}

const ct_text_run *ct_text_shape(ct_text *t, const ct_text_run_key *key) {
    uint64_t hash = hash_key(key);
    ct_text_cache_entry *const found =
        ct_text_cache_find(&t->runs, &hash, key, is_run_of, t->frame);
    if (found) {
        ++t->stats.num_run_hits;
        return (const ct_text_run *)found;
    }
    ++t->stats.num_runs;
    ct_text_run *const run = make_run(t, key, hash);
    ct_text_cache_add(&t->runs, &run->entry, t->frame);
    return run;
}

// --- Units ---------------------------------------------------------------------------------------

// Returns a glyph of a run by its place in logical order.
static const ct_text_run_glyph *glyph_at(const ct_text_run *run, uint32_t i) {
    return &run->glyphs[run->key.is_right_to_left ? run->num_glyphs - 1 - i : i];
}

// Gives the units that start in a cluster equal shares of its advance. `u` is the first of them, or
// the one that the cluster starts in.
static void share_advance(ct_text_unit *units, uint32_t u, uint32_t count, float advance) {
    for (uint32_t i = u; i < u + count; ++i)
        units[i].advance += advance / (float)count;
}

// Measures units that are each a glyph of a run from left to right, as most are. Returns false when
// one is not.
static bool measure_simple(const ct_text_run *run, float scale, uint32_t base, ct_text_unit *units,
                           uint32_t num_units) {
    if (run->num_glyphs != num_units || run->key.is_right_to_left)
        return false;
    for (uint32_t i = 0; i < num_units; ++i) {
        const ct_text_run_glyph *const g = &run->glyphs[i];
        if (units[i].byte - base != g->byte)
            return false;
        units[i].advance = (float)g->advance * scale;
        units[i].glyph = i;
        units[i].flags = (uint8_t)((units[i].flags & ~CT_TEXT_UNIT_UNSAFE) | CT_TEXT_UNIT_STARTS |
                                   (g->is_unsafe ? CT_TEXT_UNIT_UNSAFE : 0));
    }
    return true;
}

void ct_text_measure_units(const ct_text_run *run, float scale, uint32_t base, ct_text_unit *units,
                           uint32_t num_units) {
    if (measure_simple(run, scale, base, units, num_units))
        return;
    for (uint32_t i = 0; i < num_units; ++i) {
        units[i].advance = 0;
        units[i].flags &= (uint8_t) ~(CT_TEXT_UNIT_STARTS | CT_TEXT_UNIT_UNSAFE);
    }
    uint32_t u = 0;
    for (uint32_t i = 0; i < run->num_glyphs;) {
        const ct_text_run_glyph *const first = glyph_at(run, i);
        const uint32_t first_glyph = i;
        int64_t advance = 0;
        for (; i < run->num_glyphs && glyph_at(run, i)->byte == first->byte; ++i)
            advance += glyph_at(run, i)->advance;
        const uint32_t end = i < run->num_glyphs ? glyph_at(run, i)->byte : run->key.num_bytes;
        while (u + 1 < num_units && units[u + 1].byte - base <= first->byte)
            ++u;
        if (units[u].byte - base == first->byte) {
            units[u].flags |= CT_TEXT_UNIT_STARTS | (first->is_unsafe ? CT_TEXT_UNIT_UNSAFE : 0);
            units[u].glyph = first_glyph;
        }
        uint32_t count = 1;
        while (u + count < num_units && units[u + count].byte - base < end)
            ++count;
        share_advance(units, u, count, (float)advance * scale);
    }
}
