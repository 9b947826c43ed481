// font_files.h: fonts for tests of text.
#pragma once
#include "support/test_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/path.h"

#define DEJAVU "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"

typedef struct font_file {
    uint8_t *bytes; // from the test's heap
    uint64_t count;
} font_file;

static inline font_file font_file_read(const char *path) {
    ct_error error = {0};
    font_file f = {0};
    f.bytes = (uint8_t *)ct_file_read(test_heap(), path, &f.count, &error);
    if (!f.bytes)
        fail_msg("%s", error.message);
    return f;
}

// The font of core.
static inline font_file font_file_core(void) {
    char path[CT_PATH_BYTES];
    const char *const source = getenv("CUTTLE_SOURCE");
    ct_path_join(path, source ? source : "../..", "core/fonts/default.ttf");
    return font_file_read(path);
}

static inline void font_file_free(font_file *f) {
    ct_free(test_heap(), f->bytes);
    *f = (font_file){0};
}

static inline uint32_t font_file_u16(const font_file *f, uint32_t at) {
    return (uint32_t)f->bytes[at] << 8 | f->bytes[at + 1];
}

static inline uint32_t font_file_u32(const font_file *f, uint32_t at) {
    return font_file_u16(f, at) << 16 | font_file_u16(f, at + 2);
}

static inline void font_file_set_u16(font_file *f, uint32_t at, uint32_t value) {
    f->bytes[at] = (uint8_t)(value >> 8);
    f->bytes[at + 1] = (uint8_t)value;
}

static inline void font_file_set_u32(font_file *f, uint32_t at, uint32_t value) {
    font_file_set_u16(f, at, value >> 16);
    font_file_set_u16(f, at + 2, value & 0xffff);
}

// Returns where a table starts.
static inline uint32_t font_file_table(const font_file *f, const char *tag) {
    for (uint32_t i = 0; i < font_file_u16(f, 4); ++i) {
        const uint32_t at = 12 + 16 * i;
        if (memcmp(f->bytes + at, tag, 4) == 0)
            return font_file_u32(f, at + 8);
    }
    fail_msg("the font has no table %s", tag);
    return 0;
}

// Returns where the outline of a TrueType glyph starts; sets its length.
static inline uint32_t font_file_outline(const font_file *f, uint32_t glyph, uint32_t *bytes) {
    const uint32_t loca = font_file_table(f, "loca"), glyf = font_file_table(f, "glyf");
    const bool is_long = font_file_u16(f, font_file_table(f, "head") + 50) != 0;
    const uint32_t from =
        is_long ? font_file_u32(f, loca + 4 * glyph) : 2 * font_file_u16(f, loca + 2 * glyph);
    const uint32_t to = is_long ? font_file_u32(f, loca + 4 * glyph + 4)
                                : 2 * font_file_u16(f, loca + 2 * glyph + 2);
    *bytes = to - from;
    return glyf + from;
}
