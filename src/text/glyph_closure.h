// glyph_closure.h: the glyphs that shaping can make of other glyphs, by HarfBuzz.
//
// The font compiler draws these too: joined forms of Arabic letters, ligatures, forms of a
// language. Only features that shaping applies unasked are followed. HarfBuzz allocates by malloc
// and is opened at the first call. Any thread.
#pragma once
#include "foundation/container/array.h"
#include "foundation/error.h"

// Adds to `glyphs` (in any order) all glyphs that substitutions make of them, and sorts it; each
// glyph is then in it once. Returns false with `error` when the font cannot be read or HarfBuzz is
// not installed.
bool ct_glyph_closure_add(const void *data, uint64_t num_bytes, uint32_t face_index,
                          ct_u32_array *glyphs, ct_error *error);
