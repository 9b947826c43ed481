// angelcode.h: reads and writes the `.fnt` files of AngelCode's Bitmap Font Generator: text, XML
// and binary (version 3).
//
// All three become the same struct, which keeps everything that the formats have, so that a file
// can be written again in any of them. Lengths are pixels of the pages, y down from the top of the
// line. Reading checks everything: counts, rectangles, pages and characters that are there twice.
// Pages are sorted by id, characters by id, kernings by their characters.
// Format: https://www.angelcode.com/products/bmfont/doc/file_format.html
#pragma once
#include "foundation/container/array.h"
#include "foundation/error.h"

enum {
    CT_ANGELCODE_NAME_BYTES = 256,
    CT_ANGELCODE_CHARSET_BYTES = 32,
    CT_ANGELCODE_MAX_PAGES = 256,
    CT_ANGELCODE_MAX_KERNINGS = 1 << 20,
    CT_ANGELCODE_MAX_WARNINGS = 16,
    CT_ANGELCODE_MISSING = -1, // the id of the character that is drawn for missing ones
};

// The formats of files, in the order of ct_angelcode_format_names.
typedef enum ct_angelcode_format {
    CT_ANGELCODE_FORMAT_TEXT,
    CT_ANGELCODE_FORMAT_XML,
    CT_ANGELCODE_FORMAT_BINARY,
} ct_angelcode_format;

extern const char *const ct_angelcode_format_names[]; // "text", "xml", "binary", NULL

// How the font was made. Flags are 0 or 1.
typedef struct ct_angelcode_info {
    char face[CT_ANGELCODE_NAME_BYTES];
    char charset[CT_ANGELCODE_CHARSET_BYTES]; // "" with `unicode`; the binary format has a number
    int32_t size;                             // of the font; negative: of an em without leading
    int32_t bold, italic, unicode, smooth, fixed_height;
    int32_t stretch_height; // percent
    int32_t anti_aliasing;  // samples; 1: none
    int32_t padding[4];     // around each character: up, right, down, left
    int32_t spacing[2];     // between characters: horizontal, vertical
    int32_t outline;        // its thickness
} ct_angelcode_info;

// What all characters have in common.
typedef struct ct_angelcode_common {
    int32_t line_height;
    int32_t base;                      // from the top of the line to the baseline
    int32_t scale_width, scale_height; // of the pages
    int32_t num_pages;
    int32_t packed; // characters are in single channels, by `channel`
    // What a channel holds: 0 the character, 1 its outline, 2 both, 3 zero, 4 one.
    int32_t alpha_channel, red_channel, green_channel, blue_channel;
} ct_angelcode_common;

// An image. `place`, here and below, is the line in a text or XML file, the offset in a binary one.
typedef struct ct_angelcode_page {
    char file[CT_ANGELCODE_NAME_BYTES]; // from the folder of the .fnt
    int32_t id;
    uint32_t place;
} ct_angelcode_page;

typedef struct ct_angelcode_char {
    int32_t id;                  // a code point (a number of `charset` without `unicode`), or -1
    int32_t x, y, width, height; // in the page, from its top left corner
    int32_t x_offset, y_offset;  // of the rectangle's corner, from the pen and the line's top
    int32_t x_advance;
    int32_t page, channel; // bits: 1 blue, 2 green, 4 red, 8 alpha
    uint32_t place;
} ct_angelcode_char;

typedef struct ct_angelcode_kerning {
    int32_t first, second; // ids of characters
    int32_t amount;        // added to the advance of the first
    uint32_t place;
} ct_angelcode_kerning;

typedef struct ct_angelcode {
    ct_angelcode_format format; // of the file that was read
    ct_angelcode_info info;
    ct_angelcode_common common;
    CT_ARRAY(ct_angelcode_page) pages;
    CT_ARRAY(ct_angelcode_char) chars;
    CT_ARRAY(ct_angelcode_kerning) kernings;
    CT_ARRAY(ct_error) warnings; // of parts that were not understood and left out
} ct_angelcode;

// Reads a file of any of the formats. `file` is its name in errors. Memory comes from `a`; free the
// font with ct_angelcode_free. Returns false with `error` and an empty `font` when anything is
// wrong with the file. In a binary file the message gives the place ("at byte 12"). One thread at
// a time.
bool ct_angelcode_read(ct_allocator *a, const char *file, const void *bytes, uint64_t num_bytes,
                       ct_angelcode *font, ct_error *error);

// Frees a font; one that is empty is fine.
void ct_angelcode_free(ct_angelcode *font);

// Appends the file of a font to `out`. Returns false with `error` (without a file) when the format
// cannot hold a name.
bool ct_angelcode_write(const ct_angelcode *font, ct_angelcode_format format, ct_byte_array *out,
                        ct_error *error);

// Sets the error of a place in a font's file, or adds a warning to the font. `place` 0 is the whole
// file. The first returns false.
bool ct_angelcode_fail(ct_angelcode_format format, const char *file, uint32_t place,
                       ct_error *error, const char *message, ...) CT_PRINTF(5, 6);
void ct_angelcode_warn(ct_angelcode *font, const char *file, uint32_t place, const char *message,
                       ...) CT_PRINTF(4, 5);
