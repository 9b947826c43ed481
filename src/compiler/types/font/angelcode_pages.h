// angelcode_pages.h: opens AngelCode fonts and their pages in a job of a worker.
#pragma once
#include "compiler/protocol/compile.h"
#include "compiler/types/font/angelcode.h"

// What a page shows: one byte for each pixel, rows from the top, 255 inside of a character.
typedef struct ct_angelcode_coverage {
    uint32_t width, height;
    uint8_t *pixels;
} ct_angelcode_coverage;

// Reads the font file `path`. Warnings become those of the job. Free the font with
// ct_angelcode_free. Returns false after reporting; a missing file is reported at `at` in `doc`
// (NULL: for the file itself).
bool ct_angelcode_open(ct_compile *c, const char *path, const ct_sjson *doc, ct_sjson_value at,
                       ct_angelcode *font);

// Reads a page of the font that was read from `path`: the alpha channel where it varies, else the
// brightness. The pixels come from `a`, which also gives and gets back the memory of the image.
// Returns false after reporting: the file is missing, cannot be read, or is not of the size that
// the font gives.
bool ct_angelcode_open_page(ct_compile *c, ct_allocator *a, const char *path,
                            const ct_angelcode *font, uint32_t page,
                            ct_angelcode_coverage *coverage);

// Reports an error at a place of the font's file. Returns false.
bool ct_angelcode_report(ct_compile *c, const char *path, const ct_angelcode *font, uint32_t place,
                         const char *message, ...) CT_PRINTF(5, 6);
