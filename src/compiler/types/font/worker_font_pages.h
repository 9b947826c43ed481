// worker_font_pages.h: puts pictures of glyphs into pages.
//
// Shelf packing: the pictures, tallest first, fill rows from left to right, with one pixel between
// each two. Pages are CT_FONT_PAGE_SIZE wide, and as high as the last row needs, a multiple of 4.
// The same pictures give the same pages.
#pragma once
#include "foundation/container/array.h"
#include "resource/types/font_resource.h"

typedef struct ct_worker_font_picture {
    ct_font_glyph glyph;   // page, x and y are set by packing
    const uint8_t *pixels; // width * height bytes; NULL when the glyph is blank
} ct_worker_font_picture;

typedef CT_ARRAY(ct_worker_font_picture) ct_worker_font_pictures;

typedef struct ct_worker_font_page {
    uint32_t width, height;
    uint8_t *pixels; // width * height bytes
} ct_worker_font_page;

// Packs and draws all pictures, none larger than a page. Fills `pages`, from `a`, and sets
// `num_pages`. Returns false with `error` when they take more than CT_FONT_MAX_PAGES.
bool ct_worker_font_pack(ct_allocator *a, ct_worker_font_pictures *pictures,
                         ct_worker_font_page pages[CT_FONT_MAX_PAGES], uint32_t *num_pages,
                         ct_error *error);
