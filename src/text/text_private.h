// text_private.h: shared by the files of the text engine.
//
// A text is laid out in these steps, one file each: text_unicode.c makes it valid UTF-8,
// text_markup.c takes the markup out, text_break.c finds paragraphs, grapheme clusters and line
// breaks, text_bidi.c finds levels, text_itemise.c cuts a paragraph into items, text_shape.c shapes
// each, text_lines.c fills lines, text_place.c puts their glyphs where they are drawn, and
// text_cache.c keeps the result. What they hand on is in ct_text_work, whose arrays keep their
// memory from text to text.
#pragma once
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "text/hb_api.h"
#include "text/text.h"
#include "text/text_cache.h"
#include "text/text_markup.h"

// --- Fonts ---------------------------------------------------------------------------------------

enum {
    CT_TEXT_MAX_FONTS = 65535,
    CT_TEXT_COVERAGE_PAGES = 0x1100, // of 256 characters each
};

// Which characters of a page the font has: a bit each.
typedef struct ct_text_coverage {
    uint64_t bits[4];
} ct_text_coverage;

typedef struct ct_text_font {
    ct_string_id64 name;
    const ct_font_resource *blob; // borrowed; NULL: the font is gone
    hb_font_t *hb;                // positions are in units, of which an em has 1 / inverse_units
    float inverse_units;
    uint16_t *chain; // the fonts to try for a character, this one first; NULL: not found yet
    uint32_t num_chain;
    ct_text_coverage *coverage[CT_TEXT_COVERAGE_PAGES]; // NULL: not looked at yet
} ct_text_font;

typedef CT_ARRAY(ct_text_font *) ct_text_fonts;

// --- Runs ----------------------------------------------------------------------------------------

typedef struct ct_text_run_glyph {
    uint32_t glyph;
    uint32_t byte; // where its cluster starts, from the run's start
    int32_t advance, x, y;
    bool is_unsafe; // the text cannot be cut before its cluster without shaping it again
} ct_text_run_glyph;

// What shaping depends on. `text` starts with `before` bytes and ends with `after` bytes that are
// not shaped, but decide how letters join.
typedef struct ct_text_run_key {
    const char *text;
    uint32_t num_bytes; // of the text that is shaped
    uint32_t before, after;
    uint32_t script;
    uint16_t font;
    bool is_right_to_left;
} ct_text_run_key;

// A shaped text. Lengths are in the font's units.
typedef struct ct_text_run {
    ct_text_cache_entry entry;       // first
    ct_text_run_key key;             // its text is the run's own
    const ct_text_run_glyph *glyphs; // from left to right
    uint32_t num_glyphs;
} ct_text_run;

// --- Work on a text ------------------------------------------------------------------------------

enum {
    CT_TEXT_UNIT_BLANK = 1,        // white space: it hangs at the end of a line
    CT_TEXT_UNIT_BREAK_BEFORE = 2, // a line may end before it
    CT_TEXT_UNIT_STARTS = 4,       // a cluster of the run starts with it
    CT_TEXT_UNIT_UNSAFE = 8,       // the run cannot be cut before it
    CT_TEXT_UNIT_WIDE = 16,        // Chinese, Japanese or Korean: stretched like a space
    CT_TEXT_UNIT_SPACE = 32,       // a space between words
    CT_TEXT_UNIT_STRETCHED = 64,   // by justification
};

// A grapheme cluster of a paragraph. Units are in logical order.
typedef struct ct_text_unit {
    uint32_t byte; // in the plain text
    uint32_t item;
    uint32_t glyph; // of its item's run, counted in logical order: where its cluster starts
    float advance;  // pixels
    uint16_t style;
    uint8_t flags;
} ct_text_unit;

// A part of a paragraph that is shaped at once: of one font, size, script and level.
typedef struct ct_text_item {
    uint32_t byte, num_bytes;
    uint32_t first_unit, num_units;
    uint32_t script;
    uint16_t font, style;
    uint8_t level;
    float scale; // pixels for each unit of the font
    const ct_text_run *run;
} ct_text_item;

// The part of an item that is on a line.
typedef struct ct_text_slice {
    const ct_text_run *run;
    uint32_t first_glyph, num_glyphs; // from left to right
    uint32_t base;                    // byte of the plain text where the run starts
    uint32_t first_unit, num_units;   // none in an ellipsis
    uint16_t font, style;
    uint8_t level;
    float scale;
} ct_text_slice;

// What the steps hand on. Empty between texts.
typedef struct ct_text_work {
    const ct_text_desc *desc; // `fixed`
    ct_text_desc fixed;       // what was asked for, without numbers that mean nothing
    ct_byte_array valid;      // the text as valid UTF-8
    ct_byte_array plain;      // without markup
    ct_text_styles styles;
    ct_text_spans spans;
    bool has_missing;
    bool has_rules; // some style is underlined or struck through

    // Of the paragraph that is laid out.
    uint32_t begin, end;  // in `plain`, without the line break
    uint32_t break_bytes; // of the line break; 0: the text ends
    uint32_t span;        // that contains `begin`
    uint8_t base_level;   // 1: from right to left
    bool has_levels;      // else all have the base level
    ct_byte_array levels; // of each byte of the paragraph
    ct_byte_array marks;  // of each byte: CT_TEXT_MARK_*
    CT_ARRAY(uint16_t) utf16;
    CT_ARRAY(ct_text_unit) units; // and one more where the paragraph ends
    CT_ARRAY(ct_text_item) items;
    CT_ARRAY(ct_text_slice) slices; // of a line
    ct_byte_array slice_levels;
    ct_u32_array slice_order; // from left to right

    // The layout.
    CT_ARRAY(ct_text_glyph) glyphs;
    CT_ARRAY(ct_text_line) lines;
    CT_ARRAY(ct_text_cluster) clusters;
    CT_ARRAY(ct_text_rule) rules;
    ct_u32_array first_rules; // of each line
    float gap;                // of the last line, to the one below
    float pen;                // how far it moved along the last line
    bool is_full;             // max_lines were reached
} ct_text_work;

// --- The engine ----------------------------------------------------------------------------------

typedef CT_ARRAY(ct_text_range) ct_text_ranges;

typedef struct ct_text_layout_entry {
    ct_text_cache_entry entry; // first
    ct_text_desc desc;         // its text is the entry's own
    ct_text_layout layout;
} ct_text_layout_entry;

struct ct_text {
    ct_allocator *allocator;
    const ct_hb_api *hb; // NULL: not loaded
    hb_unicode_funcs_t *unicode;
    hb_buffer_t *buffer;
    hb_font_funcs_t *bitmap_funcs; // of fonts without outlines
    hb_language_t language;
    char language_tag[64];
    ct_string_array languages; // all that were set so far
    ct_hash_map missing;       // fonts and characters that were warned of
    ct_text_fonts fonts;
    ct_hash_map font_by_name;
    ct_u64_array fallbacks; // names
    ct_text_cache runs, layouts;
    ct_text_work work;
    ct_text_ranges ranges; // of the last word wrap
    ct_text_stats stats;
    uint32_t frame;
    struct ct_text_breaker *breaker; // ICU's iterators
};

// --- Fonts (text_fonts.c) ------------------------------------------------------------------------

// Returns the index of a font by its name; -1 when it is not there.
int32_t ct_text_font_index(const ct_text *t, ct_string_id64 name);

// Looks which characters of a page a font has.
const ct_text_coverage *ct_text_look_at_page(ct_text *t, ct_text_font *font, uint32_t page);

// Returns whether a font has a glyph for a character.
static inline bool ct_text_font_has(ct_text *t, uint32_t index, uint32_t codepoint) {
    ct_text_font *const font = t->fonts.items[index];
    const ct_text_coverage *coverage = font->coverage[codepoint >> 8];
    if (!coverage)
        coverage = ct_text_look_at_page(t, font, codepoint >> 8);
    return coverage->bits[codepoint >> 6 & 3] >> (codepoint & 63) & 1;
}

// Returns the fonts to try for a character of text in this font, the font first; sets `count`.
const uint16_t *ct_text_font_chain(ct_text *t, uint32_t font, uint32_t *count);

// Frees all fonts.
void ct_text_free_fonts(ct_text *t);

// --- Characters (text_unicode.c) -----------------------------------------------------------------

// Replaces `out` by a text as valid UTF-8, at most CT_TEXT_MAX_BYTES of it; warns about what had to
// be changed.
void ct_text_make_valid(const char *text, uint32_t num_bytes, ct_byte_array *out);

// Returns whether a character shows nothing of its own, so that a font need not have it.
bool ct_text_needs_no_glyph(uint32_t codepoint);

// Returns whether a character is white space that hangs at the end of a line.
bool ct_text_is_blank(uint32_t codepoint);

// Reads the character at `*at` and moves it behind. The text is valid.
static inline uint32_t ct_text_next(const uint8_t *text, uint32_t *at) {
    const uint8_t *const s = text + *at;
    if (s[0] < 0x80)
        return *at += 1, s[0];
    if (s[0] < 0xe0)
        return *at += 2, (uint32_t)(s[0] & 0x1f) << 6 | (s[1] & 0x3f);
    if (s[0] < 0xf0)
        return *at += 3,
               (uint32_t)(s[0] & 0x0f) << 12 | (uint32_t)(s[1] & 0x3f) << 6 | (s[2] & 0x3f);
    return *at += 4, (uint32_t)(s[0] & 0x07) << 18 | (uint32_t)(s[1] & 0x3f) << 12 |
                         (uint32_t)(s[2] & 0x3f) << 6 | (s[3] & 0x3f);
}

// --- Breaks (text_break.c) -----------------------------------------------------------------------

enum {
    CT_TEXT_MARK_CLUSTER = 1, // a grapheme cluster starts here
    CT_TEXT_MARK_BREAK = 2,   // a line may end before this
};

// Finds the paragraph that starts at `begin`: returns its end and sets `break_bytes` to the length
// of the line break there (0 at the end of the text).
uint32_t ct_text_paragraph_end(const uint8_t *text, uint32_t num_bytes, uint32_t begin,
                               uint32_t *break_bytes);

// Marks where grapheme clusters start, and with `has_lines` where lines may end, in `marks`: one
// for each byte and one for the end, all 0 before.
void ct_text_find_breaks(ct_text *t, const uint8_t *text, uint32_t num_bytes, bool has_lines,
                         uint8_t *marks);

// Frees what was made for breaks; it is made again when needed. Call it when the language changes.
void ct_text_free_breaker(ct_text *t);

// --- Levels (text_bidi.c) ------------------------------------------------------------------------

// Finds the levels of a paragraph. Returns its base level. `levels` then has one for each byte, or
// is empty when all have the base level.
uint8_t ct_text_find_levels(ct_text *t, const uint8_t *text, uint32_t num_bytes,
                            ct_text_direction direction, ct_byte_array *levels);

// Sets order[i] to the index of what is at place `i` from the left (rule L2), of `count` things with
// these levels.
void ct_text_visual_order(const uint8_t *levels, uint32_t count, uint32_t *order);

// --- Items and runs (text_itemise.c, text_shape.c) -----------------------------------------------

// Cuts the paragraph of t->work into units and items, and shapes these.
void ct_text_itemise(ct_text *t);

// Returns a shaped text, from the cache if it was shaped before. Borrowed until the end of the
// frame.
const ct_text_run *ct_text_shape(ct_text *t, const ct_text_run_key *key);

// Sets where units of a shaped part of a paragraph start in the run, and their advances. The run
// starts at the first of `units`, behind the last of which is one more; `base` is its byte.
void ct_text_measure_units(const ct_text_run *run, float scale, uint32_t base, ct_text_unit *units,
                           uint32_t num_units);

// Fills the key of a part of the paragraph of t->work, with the context that decides how its
// letters join.
ct_text_run_key ct_text_key_of(const ct_text *t, const ct_text_item *item, uint32_t byte,
                               uint32_t num_bytes);

// --- Lines (text_lines.c, text_place.c) ----------------------------------------------------------

// Fills lines with the paragraph of t->work, which was itemised.
void ct_text_fill_lines(ct_text *t);

// Adds the line of units `first` to `end` to the layout. `next` is the first unit of the next line;
// blanks are between them. `has_ellipsis` puts one at the end. `is_last` of its paragraph.
typedef struct ct_text_line_desc {
    uint32_t first, end, next;
    bool has_ellipsis, is_last;
} ct_text_line_desc;
void ct_text_place_line(ct_text *t, const ct_text_line_desc *desc);

// Aligns the lines to the box or the origin, and adds rules, when all lines are placed.
void ct_text_align_lines(ct_text *t);

// Returns the run of an ellipsis in a font of this style's chain; sets `font`.
const ct_text_run *ct_text_ellipsis(ct_text *t, uint16_t style, uint16_t *font);

// Returns the index of a style's font, which is there.
uint16_t ct_text_style_font(const ct_text *t, uint16_t style);
