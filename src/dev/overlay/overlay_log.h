// overlay_log.h: the last lines of the log, for the overlay.
//
// A sink of the log keeps the last CT_OVERLAY_LOG_LINES lines in a ring of a fixed size; nothing is
// allocated after the start. A message of several lines, such as an error with its traceback, is
// several lines of the ring. Messages may come from any thread; the functions are for the update
// thread.
#pragma once
#include "foundation/log.h"
#include "foundation/memory/allocator.h"

enum { CT_OVERLAY_LOG_LINES = 128, CT_OVERLAY_LOG_BYTES = 256, CT_OVERLAY_SYSTEM_BYTES = 16 };

typedef struct ct_overlay_log ct_overlay_log;

typedef struct ct_overlay_log_line {
    ct_log_level level;
    bool is_continued;                    // it is not the first of its message
    char system[CT_OVERLAY_SYSTEM_BYTES]; // of the first line; "" of the others
    char text[CT_OVERLAY_LOG_BYTES];      // printable UTF-8; a longer line is cut
} ct_overlay_log_line;

// Makes an empty ring that listens to the log, from info on.
ct_overlay_log *ct_overlay_log_create(ct_allocator *a);

// Ends listening and frees the ring; NULL is fine.
void ct_overlay_log_destroy(ct_overlay_log *log);

// Copies the newest lines, at most `most`, the oldest first; returns how many.
uint32_t ct_overlay_log_last(ct_overlay_log *log, uint32_t most, ct_overlay_log_line *lines);
