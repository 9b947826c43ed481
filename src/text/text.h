// text.h: lays out text: UTF-8 to glyphs with positions.
//
// A layout goes through these steps: markup to plain text and styles; levels of the bidirectional
// algorithm (ICU); runs of one level, script, style and font (a character that a font does not have
// is looked for in its fallbacks, then in those of the project); shaping of each run (HarfBuzz);
// line breaks (ICU), filling of lines; visual order; alignment. Everything is cached: shaped runs by
// font, features and text, and whole layouts by all that they were made from. A layout that is
// asked for again costs a hash and a comparison of its text, and allocates nothing. Entries that
// were not asked for in a while are dropped by ct_text_end_frame.
//
// Lengths are in pixels, y up. The origin of a layout is on the baseline of its first line, at the
// left edge of the box. Without a box, lines that are aligned to START (or justified) begin at the
// origin, those from right to left end where the widest line does; other lines are centred on the
// origin, begin or end there. One thread.
#pragma once
#include "foundation/memory/allocator.h"
#include "foundation/string/string_id.h"
#include "foundation/types.h"
#include "resource/types/font_resource.h"

typedef struct ct_text ct_text;

enum {
    CT_TEXT_MAX_BYTES = 1 << 20, // of a text; the rest of a longer one is cut off, with one warning
    CT_TEXT_MAX_SIZE = 10000,    // pixels
};

typedef enum ct_text_align {
    CT_TEXT_ALIGN_START, // left, or right in a paragraph from right to left
    CT_TEXT_ALIGN_CENTER,
    CT_TEXT_ALIGN_END,
    CT_TEXT_ALIGN_JUSTIFY, // START, and all lines but a paragraph's last are stretched
    CT_TEXT_ALIGN_LEFT,
    CT_TEXT_ALIGN_RIGHT,
} ct_text_align;

typedef enum ct_text_direction {
    CT_TEXT_DIRECTION_AUTO, // of each paragraph's first strong character
    CT_TEXT_DIRECTION_LEFT_TO_RIGHT,
    CT_TEXT_DIRECTION_RIGHT_TO_LEFT,
} ct_text_direction;

// How glyphs look. Colours are bytes: red in the lowest, then green, blue and alpha; sRGB.
typedef struct ct_text_style {
    ct_string_id64 font;
    float size; // pixels of an em
    uint32_t color;
    uint32_t outline_color, shadow_color, glow_color;
    float outline, glow;      // pixels around the glyph; 0: none
    float shadow_x, shadow_y; // pixels to the right, and up
    float shadow_blur;        // pixels; a shadow is drawn when its colour has alpha
    bool is_underlined, is_struck;
} ct_text_style;

typedef struct ct_text_desc {
    const char *text; // UTF-8; invalid bytes are shown as U+FFFD, with one warning
    uint32_t num_bytes;
    ct_text_style style; // of all text that markup does not change
    float width;         // of the box: lines are broken to fit; 0: no box
    float line_height;   // times the font's own; 0: 1
    uint32_t max_lines;  // 0: no limit; the last line ends in an ellipsis if `has_ellipsis`
    ct_text_align align; // in the box, or relative to the origin
    ct_text_direction direction;
    bool has_ellipsis;   // in place of what does not fit: in `width` when `is_single_line`, else in
                         // max_lines
    bool is_single_line; // lines end only at line feeds, however long they are
    bool has_markup;     // the text contains markup (text_markup.h)
} ct_text_desc;

// A glyph where it is drawn, in visual order from left to right, line by line.
typedef struct ct_text_glyph {
    uint32_t glyph; // in its font
    uint16_t font;  // index for ct_text_font_name
    uint16_t style; // index in the layout's styles
    float x, y;     // of the pen
    uint32_t byte;  // where its cluster starts in the plain text
} ct_text_glyph;

// A straight line under or through text.
typedef struct ct_text_rule {
    float x, y, width, height; // lower left corner
    uint32_t color;
} ct_text_rule;

typedef struct ct_text_line {
    uint32_t first_glyph, num_glyphs;
    uint32_t first_cluster, num_clusters;
    uint32_t byte, num_bytes; // in the plain text, with the line feed that ends it
    float x, y;               // left end of its baseline
    float width;              // without trailing blanks
    float ascent, descent;    // of its fonts, both positive
    bool is_right_to_left;    // of its paragraph
} ct_text_line;

// A grapheme cluster: what a user calls a character. In logical order.
typedef struct ct_text_cluster {
    uint32_t byte, num_bytes; // in the plain text
    float start_x, end_x; // where a caret before and after it is; start > end from right to left
    uint32_t line;
} ct_text_cluster;

// A place for the user of layouts to keep what it draws of a glyph; ct_text does not read it.
typedef struct ct_text_quad {
    float x0, y0, x1, y1; // the lower left and the upper right corner
    float u0, v0, u1, v1; // of these two
    uint32_t effect;      // what a shader needs to draw the glyph without effects of its style
    uint16_t font, style;
} ct_text_quad;

// All arrays are borrowed from the layout.
typedef struct ct_text_layout {
    const char *plain; // the text without markup, valid UTF-8, with a zero byte at its end
    uint32_t num_plain_bytes;
    const ct_text_style *styles;
    const ct_text_glyph *glyphs;
    const ct_text_line *lines; // at least one
    const ct_text_cluster *clusters;
    const ct_text_rule *rules;
    uint32_t num_styles, num_glyphs, num_lines, num_clusters, num_rules;
    float left, bottom, right, top; // of all lines: ascents, descents and advances
    float advance;                  // of the pen along the last line, with trailing blanks
    bool has_missing;               // some character has no glyph in any font
    ct_text_quad *quads;            // num_glyphs; undefined at first
    uint64_t quads_version;         // 0 at first
    uint32_t num_quads;             // 0 at first
} ct_text_layout;

// Makes an engine without fonts. All memory but that of HarfBuzz and ICU comes from `a`.
ct_text *ct_text_create(ct_allocator *a);

// Frees the engine with everything in its caches.
void ct_text_destroy(ct_text *t);

// Adds a font, replaces it, or (`font` NULL) removes it. The blob is borrowed until then. Layouts
// that were made are dropped.
void ct_text_set_font(ct_text *t, ct_string_id64 name, const ct_font_resource *font);

// Sets the fonts that are tried after a font and its own fallbacks, in order. Copied. Names of
// fonts that are not there are skipped.
void ct_text_set_fallbacks(ct_text *t, const ct_string_id64 *names, uint32_t count);

// Sets the language of the text that is laid out from now on, a BCP 47 tag ("sr", "zh-hant"): it
// decides between forms of glyphs and where lines break. NULL or "": none. Copied. Layouts of each
// language are cached side by side; each language that was ever set is remembered.
void ct_text_set_language(ct_text *t, const char *language);

// Returns a number for the language: the same for the same language, and 0 for none.
uint32_t ct_text_language_number(const ct_text *t);

// Returns the name of a font by its index in glyphs; {0} when it is gone.
ct_string_id64 ct_text_font_name(const ct_text *t, uint32_t index);

// Returns a font's blob by its index in glyphs; NULL when it is gone. Borrowed until it is replaced.
const ct_font_resource *ct_text_font_blob(const ct_text *t, uint32_t index);

// Lays text out, or returns the cached layout. When the font is not there, lays out nothing (no
// glyphs, one empty line) and warns once. The result is borrowed until the next call of
// ct_text_end_frame, ct_text_set_font or ct_text_set_fallbacks.
ct_text_layout *ct_text_layout_of(ct_text *t, const ct_text_desc *desc);

// Returns whether a font, or one of its fallbacks, has glyphs for all characters of a text. Control
// characters and line feeds need none.
bool ct_text_has_all_glyphs(ct_text *t, ct_string_id64 font, const char *text, uint32_t num_bytes);

// How a text is cut into lines by characters that the caller names, each a zero-terminated list of
// characters or NULL. For text with a language's own rules lay it out with a width.
typedef struct ct_text_wrap_desc {
    const char *text; // UTF-8
    uint32_t num_bytes;
    ct_string_id64 font;
    float size, width;           // pixels
    const char *whitespace;      // lines end at these, and do not have them at their ends
    const char *soft_dividers;   // lines end behind these
    const char *return_dividers; // each ends a line, and is not in any
} ct_text_wrap_desc;

// A part of a text.
typedef struct ct_text_range {
    uint32_t byte, num_bytes;
} ct_text_range;

// Returns the lines of a text, at least one, and sets `count`; they are parts of `*plain`, which is
// the text as valid UTF-8. A word that is wider than a line is cut at grapheme clusters. Borrowed
// until the next call, or ct_text_end_frame.
const ct_text_range *ct_text_word_wrap(ct_text *t, const ct_text_wrap_desc *desc,
                                       const char **plain, uint32_t *count);

// Return where the grapheme cluster that starts after byte `at`, or the one that starts before it,
// begins: num_bytes after the last, 0 before the first. `at` is 0 to num_bytes, which is at most
// INT32_MAX. The text need not be valid UTF-8. The cost does not depend on the length.
uint32_t ct_text_next_cluster(ct_text *t, const char *text, uint32_t num_bytes, uint32_t at);
uint32_t ct_text_previous_cluster(ct_text *t, const char *text, uint32_t num_bytes, uint32_t at);

// Ends a frame: drops layouts and runs that were not asked for in the last frames.
void ct_text_end_frame(ct_text *t);

// What the caches did since the start, for tests and the profiler.
typedef struct ct_text_stats {
    uint64_t num_layouts, num_layout_hits; // made; found
    uint64_t num_runs, num_run_hits;       // shaped; found
    uint64_t cache_bytes;                  // in use now
} ct_text_stats;

// Returns the counters.
ct_text_stats ct_text_get_stats(const ct_text *t);

// --- Carets --------------------------------------------------------------------------------------

// A caret: a vertical line from (x, bottom) to (x, top).
typedef struct ct_text_caret {
    float x, bottom, top;
    uint32_t line;
} ct_text_caret;

// Returns the caret before the grapheme cluster that contains byte `byte` of the plain text; for
// num_plain_bytes and more the one after the last.
ct_text_caret ct_text_caret_at(const ct_text_layout *layout, uint32_t byte);

// Returns the byte of the plain text before which a caret is nearest to this point.
uint32_t ct_text_hit(const ct_text_layout *layout, float x, float y);
