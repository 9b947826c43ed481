// angelcode_convert.h: makes a font of distance fields from a large AngelCode font.
//
// Every page becomes a distance field of 1 / scale of its size, and all measurements are divided by
// the scale. The tool of "Distance Field Based Rendering of AngelCode Fonts" (Bitsquid blog,
// 2010-04-09).
#pragma once
#include "compiler/protocol/compiler_protocol.h"
#include "compiler/types/font/angelcode.h"

// Divides all measurements of a font by `scale`. Rectangles grow to whole target pixels, so that
// they cover what they covered. Offsets move with the rectangle's corner, so that the picture stays
// where it is, and are then rounded to the nearest, like advances, kernings, the height of a line
// and what describes the font. Returns how many characters that have a picture were moved by the
// rounding of their offsets.
uint32_t ct_angelcode_scale(ct_angelcode *font, uint32_t scale);

// Converts the font c->path as `font` says: appends a framed message with all files to `out`, as
// docs/formats/worker_protocol.md has it. Memory for pixels comes from the allocator of `out`.
// Returns false after reporting.
bool ct_angelcode_convert(ct_compile *c, const ct_compile_distance_font *font, ct_byte_array *out);
