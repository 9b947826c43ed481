// glyph_outline.h: outlines of FreeType as straight lines.
#pragma once
#include "text/freetype_api.h"
#include "text/glyph_field.h"

// Appends the contours of an outline (in 1/64 pixels, y up), each closed, to `lines`. Curves become
// lines at most 1/100 pixel from them. `left` and `top` are the coordinates of the picture's corner
// in pixels, y up. Returns false when the outline is invalid or has more than `max_lines`.
bool ct_glyph_outline_lines(const ct_freetype_api *ft, FT_Outline *outline, float left, float top,
                            uint32_t max_lines, ct_outline_lines *lines);
