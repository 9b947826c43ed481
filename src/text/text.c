#include "text/text.h"

#include <math.h>
#include <string.h>

#include "foundation/log.h"
#include "foundation/memory/proxy_allocator.h"
#include "text/text_private.h"

enum {
    MAX_AGE = 120,                // frames
    MAX_CACHE_BYTES = 16 << 20,   // of layouts, and of runs
    MAX_WORK_BYTES = 1024 * 1024, // that a text's work leaves allocated
};

// --- Life ----------------------------------------------------------------------------------------

static void init_work(ct_text_work *w, ct_allocator *a) {
    ct_array_init(&w->valid, a);
    ct_array_init(&w->plain, a);
    ct_array_init(&w->styles, a);
    ct_array_init(&w->spans, a);
    ct_array_init(&w->levels, a);
    ct_array_init(&w->marks, a);
    ct_array_init(&w->utf16, a);
    ct_array_init(&w->units, a);
    ct_array_init(&w->items, a);
    ct_array_init(&w->slices, a);
    ct_array_init(&w->slice_levels, a);
    ct_array_init(&w->slice_order, a);
    ct_array_init(&w->glyphs, a);
    ct_array_init(&w->lines, a);
    ct_array_init(&w->clusters, a);
    ct_array_init(&w->rules, a);
    ct_array_init(&w->first_rules, a);
}

static void free_work(ct_text_work *w) {
    ct_array_free(&w->valid);
    ct_array_free(&w->plain);
    ct_array_free(&w->styles);
    ct_array_free(&w->spans);
    ct_array_free(&w->levels);
    ct_array_free(&w->marks);
    ct_array_free(&w->utf16);
    ct_array_free(&w->units);
    ct_array_free(&w->items);
    ct_array_free(&w->slices);
    ct_array_free(&w->slice_levels);
    ct_array_free(&w->slice_order);
    ct_array_free(&w->glyphs);
    ct_array_free(&w->lines);
    ct_array_free(&w->clusters);
    ct_array_free(&w->rules);
    ct_array_free(&w->first_rules);
}

ct_text *ct_text_create(ct_allocator *a) {
    ct_allocator *const own = ct_proxy_allocator_create(a, "text");
    ct_text *const t = CT_NEW(own, ct_text);
    t->allocator = own;
    ct_array_init(&t->fonts, own);
    ct_hash_map_init(&t->font_by_name, own);
    ct_hash_map_init(&t->missing, own);
    ct_array_init(&t->fallbacks, own);
    ct_text_cache_init(&t->runs, own);
    ct_text_cache_init(&t->layouts, own);
    ct_array_init(&t->ranges, own);
    ct_array_init(&t->languages, own);
    init_work(&t->work, own);
    return t;
}

void ct_text_destroy(ct_text *t) {
    if (!t)
        return;
    ct_allocator *const own = t->allocator;
    ct_text_cache_clear(&t->layouts);
    ct_text_cache_clear(&t->runs);
    ct_text_free_breaker(t);
    ct_text_free_fonts(t);
    free_work(&t->work);
    ct_array_free(&t->ranges);
    for (uint32_t i = 0; i < t->languages.count; ++i)
        ct_free(own, t->languages.items[i]);
    ct_array_free(&t->languages);
    ct_hash_map_free(&t->missing);
    ct_free_sized(own, t, sizeof(*t));
    ct_proxy_allocator_destroy(own);
}

// The number of a language that was set before, or of a new one: its place in `languages` + 1.
static uint32_t number_of_language(ct_text *t, const char *tag) {
    for (uint32_t i = 0; i < t->languages.count; ++i)
        if (strcmp(t->languages.items[i], tag) == 0)
            return i + 1;
    const size_t bytes = strlen(tag) + 1;
    ct_array_push(&t->languages, memcpy(ct_alloc(t->allocator, bytes), tag, bytes));
    return t->languages.count;
}

void ct_text_set_language(ct_text *t, const char *language) {
    const char *tag = language ? language : "";
    if (strcmp(tag, t->language_tag) == 0)
        return;
    if (strlen(tag) >= sizeof(t->language_tag)) {
        ct_log_warning("text", "language_too_long",
                       "the language \"%.64s...\" is longer than any; expected a BCP 47 tag", tag);
        tag = "";
    }
    ct_text_free_breaker(t);
    memcpy(t->language_tag, tag, strlen(tag) + 1);
    t->runs.variant = t->layouts.variant = tag[0] != '\0' ? number_of_language(t, tag) : 0;
    if (t->hb)
        t->language =
            tag[0] != '\0' ? t->hb->hb_language_from_string(tag, -1) : HB_LANGUAGE_INVALID;
}

uint32_t ct_text_language_number(const ct_text *t) {
    return t->layouts.variant;
}

void ct_text_end_frame(ct_text *t) {
    ct_text_cache_sweep(&t->layouts, t->frame, MAX_AGE, MAX_CACHE_BYTES);
    ct_text_cache_sweep(&t->runs, t->frame, MAX_AGE, MAX_CACHE_BYTES);
    if (t->work.glyphs.capacity * sizeof(ct_text_glyph) > MAX_WORK_BYTES)
        free_work(&t->work);
    ++t->frame;
}

ct_text_stats ct_text_get_stats(const ct_text *t) {
    ct_text_stats stats = t->stats;
    stats.cache_bytes = t->layouts.bytes + t->runs.bytes;
    return stats;
}

// --- Keys of layouts -----------------------------------------------------------------------------
//
// A description is compared as bytes, in two parts that have no padding.

enum {
    STYLE_BYTES = offsetof(ct_text_style, is_struck) + sizeof(bool),
    TAIL_BYTES = offsetof(ct_text_desc, has_markup) + sizeof(bool) - offsetof(ct_text_desc, width),
};

_Static_assert(STYLE_BYTES == 8 + 10 * 4 + 2, "ct_text_style has padding before its end");
_Static_assert(TAIL_BYTES == 5 * 4 + 3, "ct_text_desc has padding behind `width`");

// All bytes of the two parts as words, of which the last of each overlaps the one before.
typedef struct desc_words {
    uint64_t words[10];
} desc_words;

_Static_assert(STYLE_BYTES > 48 && STYLE_BYTES <= 56 && TAIL_BYTES > 16 && TAIL_BYTES <= 24,
               "words_of reads seven words of a style and three of what follows");

static inline desc_words words_of(const ct_text_desc *d) {
    const char *const style = (const char *)&d->style, *const tail = (const char *)&d->width;
    return (desc_words){{ct_text_load(style), ct_text_load(style + 8), ct_text_load(style + 16),
                         ct_text_load(style + 24), ct_text_load(style + 32),
                         ct_text_load(style + 40), ct_text_load(style + STYLE_BYTES - 8),
                         ct_text_load(tail), ct_text_load(tail + 8),
                         ct_text_load(tail + TAIL_BYTES - 8)}};
}

// The pairs of words are mixed side by side, each with another number.
static uint64_t hash_desc(const ct_text_desc *d) {
    const desc_words w = words_of(d);
    uint64_t hash = 0;
    for (uint64_t i = 0; i < 5; ++i)
        hash += ct_text_hash_mix(w.words[2 * i] + i, w.words[2 * i + 1]) * (2 * i + 1);
    return ct_text_hash_bytes(hash, d->text, d->num_bytes);
}

static bool is_layout_of(const ct_text_cache_entry *entry, const void *key) {
    const ct_text_desc *const a = &((const ct_text_layout_entry *)entry)->desc, *const b = key;
    const desc_words of_a = words_of(a), of_b = words_of(b);
    uint64_t difference = a->num_bytes ^ b->num_bytes;
    for (uint32_t i = 0; i < 10; ++i)
        difference |= of_a.words[i] ^ of_b.words[i];
    return difference == 0 && (a->num_bytes == 0 || memcmp(a->text, b->text, a->num_bytes) == 0);
}

// --- Making layouts ------------------------------------------------------------------------------

// Returns whether anything can be laid out; warns when not.
static bool is_possible(ct_text *t, const ct_text_desc *d) {
    if (!(d->style.size > 0) || d->style.size > CT_TEXT_MAX_SIZE) {
        ct_log_warning("text", "text_size",
                       "a text has size %g; expected more than 0 and at most %u pixels",
                       (double)d->style.size, (uint32_t)CT_TEXT_MAX_SIZE);
        return false;
    }
    if (ct_text_font_index(t, d->style.font) < 0) {
        ct_log_warning("text", "unknown_font", "font %s is not loaded; its text is not shown",
                       ct_string_id64_name(d->style.font));
        return false;
    }
    return true;
}

// Returns a length, or 0 with a warning when it is not a number from 0 to infinity.
static float fix_length(const char *what, float length) {
    if (length >= 0 && length < INFINITY)
        return length;
    ct_log_warning("text", "text_length", "a text has the %s %g; expected 0 or more", what,
                   (double)length);
    return 0;
}

// Starts the work on a text.
static void start(ct_text *t, const ct_text_desc *d) {
    ct_text_work *const w = &t->work;
    w->fixed = *d;
    w->fixed.width = fix_length("width", d->width);
    w->fixed.line_height = fix_length("line height", d->line_height);
    w->desc = &w->fixed;
    w->plain.count = w->styles.count = w->spans.count = 0;
    w->glyphs.count = w->lines.count = w->clusters.count = 0;
    w->rules.count = w->first_rules.count = 0;
    w->has_missing = w->is_full = false;
    w->span = 0;
    w->gap = w->pen = 0;
}

// Gives styles whose fonts are not there the font of the whole text.
static void check_fonts(ct_text *t) {
    ct_text_styles *const styles = &t->work.styles;
    for (uint32_t i = 1; i < styles->count; ++i) {
        if (ct_text_font_index(t, styles->items[i].font) >= 0)
            continue;
        ct_log_warning("text", "unknown_font", "font %s of a text's markup is not loaded",
                       ct_string_id64_name(styles->items[i].font));
        styles->items[i].font = styles->items[0].font;
    }
}

static bool find_rules(const ct_text_styles *styles) {
    bool result = false;
    for (uint32_t i = 0; i < styles->count; ++i)
        result |= styles->items[i].is_underlined || styles->items[i].is_struck;
    return result;
}

// Makes the plain text, its styles and spans.
static void read_text(ct_text *t) {
    ct_text_work *const w = &t->work;
    if (!w->desc->has_markup) {
        ct_text_make_valid(w->desc->text, w->desc->num_bytes, &w->plain);
        ct_array_push(&w->spans, (ct_text_span){.end = UINT32_MAX});
        return;
    }
    ct_text_make_valid(w->desc->text, w->desc->num_bytes, &w->valid);
    ct_text_read_markup(w->valid.items, w->valid.count, &w->plain, &w->styles, &w->spans);
    check_fonts(t);
}

static void lay_out(ct_text *t) {
    ct_text_work *const w = &t->work;
    uint32_t begin = 0;
    do {
        w->begin = begin;
        w->end = ct_text_paragraph_end(w->plain.items, w->plain.count, begin, &w->break_bytes);
        w->base_level = ct_text_find_levels(t, w->plain.items + begin, w->end - begin,
                                            w->desc->direction, &w->levels);
        w->has_levels = w->levels.count > 0;
        ct_text_itemise(t);
        ct_text_fill_lines(t);
        begin = w->end + w->break_bytes;
    } while (w->break_bytes > 0 && !w->is_full);
    ct_text_align_lines(t);
}

// --- Layouts -------------------------------------------------------------------------------------

// Sets the rectangle around all lines.
static void measure(const ct_text_work *w, ct_text_layout *layout) {
    for (uint32_t i = 0; i < w->lines.count; ++i) {
        const ct_text_line *const l = &w->lines.items[i];
        const float bottom = l->y - l->descent, top = l->y + l->ascent;
        layout->left = i == 0 || l->x < layout->left ? l->x : layout->left;
        layout->right = i == 0 || l->x + l->width > layout->right ? l->x + l->width : layout->right;
        layout->bottom = i == 0 || bottom < layout->bottom ? bottom : layout->bottom;
        layout->top = i == 0 || top > layout->top ? top : layout->top;
    }
    layout->advance = w->pen;
}

// Takes `bytes` of a block and moves behind them.
static void *take(char **at, uint64_t bytes) {
    void *const taken = *at;
    *at += ct_round_up(bytes, 8);
    return taken;
}

static const void *take_copy(char **at, const void *source, uint64_t bytes) {
    void *const taken = take(at, bytes);
    if (bytes > 0)
        memcpy(taken, source, bytes);
    return taken;
}

static uint64_t entry_bytes(const ct_text_work *w) {
    return ct_round_up(sizeof(ct_text_layout_entry), 8) +
           ct_round_up(w->styles.count * sizeof(ct_text_style), 8) +
           ct_round_up(w->glyphs.count * sizeof(ct_text_glyph), 8) +
           ct_round_up(w->lines.count * sizeof(ct_text_line), 8) +
           ct_round_up(w->clusters.count * sizeof(ct_text_cluster), 8) +
           ct_round_up(w->rules.count * sizeof(ct_text_rule), 8) +
           ct_round_up(w->glyphs.count * sizeof(ct_text_quad), 8) +
           ct_round_up((uint64_t)w->plain.count + 1, 8) + ct_round_up(w->desc->num_bytes, 8);
}

// Returns the work's result in one block.
static ct_text_layout_entry *make_entry(ct_text *t, const ct_text_desc *d, uint64_t hash) {
    const ct_text_work *const w = &t->work;
    const uint64_t bytes = entry_bytes(w);
    char *at = ct_alloc(t->allocator, bytes);
    ct_text_layout_entry *const e = take(&at, sizeof(*e));
    *e = (ct_text_layout_entry){.entry = {.hash = hash, .bytes = bytes}, .desc = *d};
    e->desc.text = take_copy(&at, d->text, d->num_bytes); // beside what it is compared with
    ct_text_layout *const l = &e->layout;
    l->styles = take_copy(&at, w->styles.items, w->styles.count * sizeof(ct_text_style));
    l->glyphs = take_copy(&at, w->glyphs.items, w->glyphs.count * sizeof(ct_text_glyph));
    l->lines = take_copy(&at, w->lines.items, w->lines.count * sizeof(ct_text_line));
    l->clusters = take_copy(&at, w->clusters.items, w->clusters.count * sizeof(ct_text_cluster));
    l->rules = take_copy(&at, w->rules.items, w->rules.count * sizeof(ct_text_rule));
    l->quads = take(&at, w->glyphs.count * sizeof(ct_text_quad));
    char *const plain = take(&at, (uint64_t)w->plain.count + 1);
    if (w->plain.count > 0)
        memcpy(plain, w->plain.items, w->plain.count);
    plain[w->plain.count] = '\0';
    l->plain = plain;
    l->num_plain_bytes = w->plain.count;
    l->num_styles = w->styles.count;
    l->num_glyphs = w->glyphs.count;
    l->num_lines = w->lines.count;
    l->num_clusters = w->clusters.count;
    l->num_rules = w->rules.count;
    l->has_missing = w->has_missing;
    measure(w, l);
    return e;
}

static ct_text_layout_entry *make_layout(ct_text *t, const ct_text_desc *d, uint64_t hash) {
    ct_text_work *const w = &t->work;
    start(t, d);
    ct_array_push(&w->styles, d->style);
    if (is_possible(t, d)) {
        read_text(t);
        w->has_rules = find_rules(&w->styles);
        lay_out(t);
    } else {
        ct_array_push(&w->lines, (ct_text_line){0});
    }
    return make_entry(t, d, hash);
}

ct_text_layout *ct_text_layout_of(ct_text *t, const ct_text_desc *desc) {
    uint64_t hash = hash_desc(desc);
    ct_text_cache_entry *const found =
        ct_text_cache_find(&t->layouts, &hash, desc, is_layout_of, t->frame);
    if (found) {
        ++t->stats.num_layout_hits;
        return &((ct_text_layout_entry *)found)->layout;
    }
    ++t->stats.num_layouts;
    ct_text_layout_entry *const entry = make_layout(t, desc, hash);
    ct_text_cache_add(&t->layouts, &entry->entry, t->frame);
    return &entry->layout;
}

bool ct_text_has_all_glyphs(ct_text *t, ct_string_id64 font, const char *text, uint32_t num_bytes) {
    const int32_t index = ct_text_font_index(t, font);
    if (index < 0)
        return false;
    uint32_t count;
    const uint16_t *const chain = ct_text_font_chain(t, (uint32_t)index, &count);
    ct_byte_array *const valid = &t->work.valid;
    ct_text_make_valid(text, num_bytes, valid);
    for (uint32_t at = 0; at < valid->count;) {
        const uint32_t c = ct_text_next(valid->items, &at);
        uint32_t i = ct_text_needs_no_glyph(c) ? count : 0;
        while (i < count && !ct_text_font_has(t, chain[i], c))
            ++i;
        if (i == count && !ct_text_needs_no_glyph(c))
            return false;
    }
    return true;
}
