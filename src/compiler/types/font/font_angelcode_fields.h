// font_angelcode_fields.h: distance fields of the characters of an AngelCode font, on new pages.
//
// Each character is taken out of its page, so that no field runs into another, whatever the padding
// of the old pages: the field of its rectangle's content, with `spread` pixels around it.
#pragma once
#include "compiler/types/font/angelcode_pages.h"
#include "compiler/types/font/font_angelcode.h"

// Where the next picture goes on the last page: in a row of pictures from left to right.
typedef struct ct_font_shelves {
    uint32_t x, y, height; // of the row
} ct_font_shelves;

// Sets the pictures of those glyphs whose characters are on `page`, the highest first, and appends
// pages as they are needed. `shelves` is {0} before the first page. Returns false with `error`
// (without a place) when the font needs more pages than a font resource can have, or a character is
// too large for one.
bool ct_font_angelcode_add_fields(const ct_angelcode *font, const ct_font_angelcode_source *source,
                                  uint32_t page, const ct_angelcode_coverage *coverage,
                                  ct_font_shelves *shelves, ct_font_content *content,
                                  ct_error *error);

// Gives back the unused rest of the new pages, which are lower when they are not full.
void ct_font_angelcode_finish_fields(ct_font_content *content);
