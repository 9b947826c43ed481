// distance_font.h: makes a font of distance fields from an AngelCode font, for `cuttle font`.
//
// A worker reads the font and its pages and makes the new files (angelcode_convert.h); this writes
// them: all are first written beside their places, then renamed, the pages before the font.
#pragma once
#include "compiler/import/import_model.h"

typedef struct ct_distance_font_desc {
    const char *input, *output; // .fnt files, absolute or relative to the working folder
    const char *worker_path;    // NULL: `cuttle-worker` beside this executable
    const char *format;         // "text", "xml" or "binary"; NULL: as the input
    const char *page_format;    // "png" or "tga"
    uint32_t scale, spread;     // as of ct_distance_field
} ct_distance_font_desc;

// The outcome; all from the allocator given to ct_distance_font_run.
typedef struct ct_distance_font_report {
    ct_string_array files; // that were written, the font last
    ct_import_error_array warnings;
    ct_import_error_array errors; // why nothing was done
} ct_distance_font_report;

// Converts a font; `a` is a temp allocator. Returns false with report->errors when that fails. Then
// no file has changed, unless the last renames fail: the error says which file.
bool ct_distance_font_run(ct_allocator *a, const ct_distance_font_desc *desc,
                          ct_distance_font_report *report);
