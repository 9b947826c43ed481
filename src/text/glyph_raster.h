// glyph_raster.h: pictures of glyphs from outlines.
//
// FreeType, which is opened when the first rasteriser is created, reads outlines and draws coverage.
// Distance fields are drawn by glyph_field.h, 50 times as fast as by FreeType.
//
// A rasteriser belongs to one thread at a time; several may work side by side. Pictures are one
// byte for each pixel, rows from the top. A distance field is signed: 128 is on the outline, 255 is
// `spread` pixels inside, 1 is `spread` pixels outside, and 0 farther outside.
#pragma once
#include "foundation/container/array.h"
#include "foundation/error.h"

typedef struct ct_glyph_raster ct_glyph_raster;

// Metrics of a whole font, in ems; y up.
typedef struct ct_glyph_raster_metrics {
    float ascent, descent, line_gap; // above, and (positive) below the baseline; between lines
    float underline_position, underline_thickness;
    float x_height, cap_height;
    uint32_t num_glyphs;
} ct_glyph_raster_metrics;

// A glyph's picture. Lengths in pixels; y up from the pen's position on the baseline.
typedef struct ct_glyph_picture {
    uint32_t width, height; // 0: nothing to draw
    float left, top;        // of the picture's top left corner
    float advance;
} ct_glyph_picture;

// Opens a TrueType or OpenType font, or face `face_index` of a collection. `data` is borrowed until
// the rasteriser is destroyed. All memory comes from `a`. Returns NULL with `error` when the font
// cannot be read or has no outlines.
ct_glyph_raster *ct_glyph_raster_create(ct_allocator *a, const void *data, uint64_t num_bytes,
                                        uint32_t face_index, ct_error *error);

// Frees the rasteriser; NULL is fine.
void ct_glyph_raster_destroy(ct_glyph_raster *r);

// Returns the metrics of the font. They hold for every size.
ct_glyph_raster_metrics ct_glyph_raster_get_metrics(const ct_glyph_raster *r);

// Returns the glyph of a character; 0 when the font does not have it.
uint32_t ct_glyph_raster_glyph_of(const ct_glyph_raster *r, uint32_t codepoint);

// Draws a glyph at `size` pixels of an em: its distance field with `spread` pixels (1 to
// CT_FONT_MAX_SPREAD) around it, or with `spread` 0 its coverage. Replaces the content of `pixels`
// by width * height bytes and fills `picture`. Returns false with `error`, and empties `pixels`,
// when the outline is invalid or the glyph does not exist.
bool ct_glyph_raster_draw(ct_glyph_raster *r, uint32_t glyph, float size, uint32_t spread,
                          ct_byte_array *pixels, ct_glyph_picture *picture, ct_error *error);
