#include "foundation/log.h"
#include "text/text_private.h"

// What is known of the grapheme cluster that is looked at.
typedef struct cluster {
    uint32_t byte, end;
    uint32_t script; // COMMON when it belongs to any
    uint32_t first;  // its first character
    uint16_t font, style;
    uint8_t level;
} cluster;

// --- Characters ----------------------------------------------------------------------------------

static uint32_t script_of(const ct_text *t, uint32_t c) {
    if (c < 0x80) {
        const uint32_t letter = (c | 0x20) - 'a';
        return letter < 26 ? HB_SCRIPT_LATIN : HB_SCRIPT_COMMON;
    }
    const uint32_t script = t->hb->hb_unicode_script(t->unicode, c);
    return script == HB_SCRIPT_INHERITED || script == HB_SCRIPT_UNKNOWN ? HB_SCRIPT_COMMON : script;
}

static bool is_wide(uint32_t script) {
    return script == HB_SCRIPT_HAN || script == HB_SCRIPT_HIRAGANA || script == HB_SCRIPT_KATAKANA;
}

static uint8_t flags_of(const cluster *c) {
    if (c->first > ' ' && c->first < 0x80)
        return 0;
    uint8_t flags = 0;
    if (ct_text_is_blank(c->first))
        flags |= CT_TEXT_UNIT_BLANK;
    if (c->first == ' ' || c->first == 0xa0 || c->first == 0x3000)
        flags |= CT_TEXT_UNIT_SPACE;
    if (is_wide(c->script) || (c->first >= 0x3001 && c->first < 0x3040))
        flags |= CT_TEXT_UNIT_WIDE;
    return flags;
}

// --- Fonts ---------------------------------------------------------------------------------------

uint16_t ct_text_style_font(const ct_text *t, uint16_t style) {
    const int32_t index = ct_text_font_index(t, t->work.styles.items[style].font);
    return (uint16_t)(index < 0 ? 0 : index);
}

// Returns whether a font has all characters of a cluster, or of its first one only.
static bool has_cluster(ct_text *t, uint32_t font, const cluster *c, bool is_first_enough) {
    const uint8_t *const text = t->work.plain.items;
    for (uint32_t at = c->byte; at < c->end;) {
        const uint32_t codepoint = ct_text_next(text, &at);
        if (!ct_text_font_has(t, font, codepoint) && !ct_text_needs_no_glyph(codepoint))
            return false;
        if (is_first_enough)
            return true;
    }
    return true;
}

static void warn_of_missing(ct_text *t, const cluster *c, uint16_t font) {
    enum { MOST_WARNINGS = 256 }; // a text of another script names some of its characters
    ct_text_work *const w = &t->work;
    w->has_missing = true;
    uint32_t missing = c->first;
    for (uint32_t at = c->byte; at < c->end;) {
        missing = ct_text_next(w->plain.items, &at);
        if (!ct_text_font_has(t, font, missing) && !ct_text_needs_no_glyph(missing))
            break;
    }
    const uint64_t key = (uint64_t)font << 32 | missing;
    if (t->missing.count >= MOST_WARNINGS || ct_hash_map_find(&t->missing, key))
        return;
    ct_hash_map_set(&t->missing, key, 1);
    const int length = (int)(c->end - c->byte > 16 ? 0 : c->end - c->byte);
    ct_log_warning("text", "missing_glyph",
                   "font %s and its fallbacks have no glyph for U+%04X (%.*s); add a font that has "
                   "it to its `fallback`, or to the project's",
                   ct_string_id64_name(t->fonts.items[font]->name), missing, length,
                   (const char *)w->plain.items + c->byte);
}

// Returns the first font of a chain that has all of a cluster; else the first that has its first
// character, whose marks HarfBuzz may find another way; else the chain's first font.
static uint16_t find_other_font(ct_text *t, const cluster *c, uint16_t style_font) {
    uint32_t count;
    const uint16_t *const chain = ct_text_font_chain(t, style_font, &count);
    for (uint32_t i = 1; i < count; ++i) {
        if (has_cluster(t, chain[i], c, false))
            return chain[i];
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (has_cluster(t, chain[i], c, true))
            return chain[i];
    }
    warn_of_missing(t, c, style_font);
    return style_font;
}

static uint16_t find_font(ct_text *t, const cluster *c, uint16_t style_font) {
    const bool has_all = (c->end - c->byte == 1 && ct_text_font_has(t, style_font, c->first)) ||
                         has_cluster(t, style_font, c, false);
    return has_all ? style_font : find_other_font(t, c, style_font);
}

// --- Items ---------------------------------------------------------------------------------------

static void start_item(ct_text_work *w, const cluster *c, float inverse_units) {
    const float size = w->styles.items[c->style].size;
    ct_array_push(&w->items, (ct_text_item){.byte = c->byte,
                                            .first_unit = w->units.count,
                                            .script = c->script,
                                            .font = c->font,
                                            .style = c->style,
                                            .level = c->level,
                                            .scale = size * inverse_units});
}

static bool fits_item(const ct_text_work *w, const ct_text_item *item, const cluster *c) {
    return item->font == c->font && item->level == c->level &&
           (item->style == c->style ||
            w->styles.items[item->style].size == w->styles.items[c->style].size) &&
           (item->script == c->script || item->script == HB_SCRIPT_COMMON);
}

// Adds a cluster to the last item, or to a new one.
static void add_cluster(ct_text *t, const cluster *c, bool can_break) {
    ct_text_work *const w = &t->work;
    if (w->items.count == 0 || !fits_item(w, &w->items.items[w->items.count - 1], c))
        start_item(w, c, t->fonts.items[c->font]->inverse_units);
    ct_text_item *const item = &w->items.items[w->items.count - 1];
    item->script = c->script;
    item->num_bytes = c->end - item->byte;
    ++item->num_units;
    ct_text_unit *const unit = &w->units.items[w->units.count++];
    unit->byte = c->byte;
    unit->item = w->items.count - 1;
    unit->style = c->style;
    unit->flags = (uint8_t)(flags_of(c) | (can_break ? CT_TEXT_UNIT_BREAK_BEFORE : 0));
}

// Adds the ASCII characters from `at` on that clearly belong to the last item, which is Latin:
// nearly all of most texts. Returns where they end.
static uint32_t extend_latin_item(ct_text *t, const cluster *c, uint32_t at) {
    ct_text_work *const w = &t->work;
    const uint32_t span_end = w->spans.items[w->span].end, begin = w->begin;
    const uint32_t limit = span_end < w->end ? span_end : w->end, from = at;
    const uint8_t *const text = w->plain.items, *const marks = w->marks.items;
    const ct_text_coverage has = *t->fonts.items[c->font]->coverage[0];
    const uint32_t item = w->items.count - 1;
    ct_text_unit *unit = w->units.items + w->units.count;
    for (; at < limit && text[at] >= ' ' && text[at] < 0x7f; ++at, ++unit) {
        if (!(has.bits[text[at] >> 6] >> (text[at] & 63) & 1) ||
            !(marks[at + 1 - begin] & CT_TEXT_MARK_CLUSTER))
            break;
        unit->byte = at;
        unit->item = item;
        unit->style = c->style;
        unit->flags = text[at] == ' ' ? CT_TEXT_UNIT_BLANK | CT_TEXT_UNIT_SPACE : 0;
        if (marks[at - begin] & CT_TEXT_MARK_BREAK)
            unit->flags |= CT_TEXT_UNIT_BREAK_BEFORE;
    }
    w->units.count += at - from;
    w->items.items[item].num_units += at - from;
    w->items.items[item].num_bytes += at - from;
    return at;
}

// Goes on to the span that contains a byte. Returns whether that is another one.
static bool go_to_span(ct_text_work *w, uint32_t byte) {
    const uint32_t span = w->span;
    while (byte >= w->spans.items[w->span].end)
        ++w->span;
    return w->span > span;
}

// The units have room for one of each byte.
static void cut_into_items(ct_text *t) {
    ct_text_work *const w = &t->work;
    const uint8_t *const text = w->plain.items, *const marks = w->marks.items;
    go_to_span(w, w->begin);
    cluster c = {.script = HB_SCRIPT_COMMON, .style = w->spans.items[w->span].style};
    uint16_t style_font = ct_text_style_font(t, c.style);
    for (uint32_t at = w->begin; at < w->end;) {
        if (go_to_span(w, at)) {
            c.style = w->spans.items[w->span].style;
            style_font = ct_text_style_font(t, c.style);
        }
        c.byte = at;
        c.first = ct_text_next(text, &at);
        uint32_t script = script_of(t, c.first);
        while (!(marks[at - w->begin] & CT_TEXT_MARK_CLUSTER)) {
            const uint32_t next = script_of(t, ct_text_next(text, &at));
            script = script == HB_SCRIPT_COMMON ? next : script;
        }
        c.end = at;
        c.script = script == HB_SCRIPT_COMMON ? c.script : script;
        c.level = w->has_levels ? w->levels.items[c.byte - w->begin] : w->base_level;
        c.font = find_font(t, &c, style_font);
        add_cluster(t, &c, marks[c.byte - w->begin] & CT_TEXT_MARK_BREAK);
        if (c.script == HB_SCRIPT_LATIN && c.font == style_font && !w->has_levels && c.first < 0x80)
            at = extend_latin_item(t, &c, at);
    }
}

void ct_text_itemise(ct_text *t) {
    ct_text_work *const w = &t->work;
    w->items.count = w->units.count = w->marks.count = 0;
    ct_array_resize(&w->marks, w->end - w->begin + 1);
    const bool has_lines = w->desc->width > 0 && !w->desc->is_single_line;
    if (w->end > w->begin)
        ct_text_find_breaks(t, w->plain.items + w->begin, w->end - w->begin, has_lines,
                            w->marks.items);
    ct_array_reserve(&w->units, w->end - w->begin + 1);
    cut_into_items(t);
    ct_array_push(&w->units, (ct_text_unit){.byte = w->end, .item = w->items.count});
    for (uint32_t i = 0; i < w->items.count; ++i) {
        ct_text_item *const item = &w->items.items[i];
        const ct_text_run_key key = ct_text_key_of(t, item, item->byte, item->num_bytes);
        item->run = ct_text_shape(t, &key);
        ct_text_measure_units(item->run, item->scale, item->byte, w->units.items + item->first_unit,
                              item->num_units);
    }
}
