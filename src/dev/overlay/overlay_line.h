// overlay_line.h: a line of text that is typed, with a caret and a history.
//
// Plain data without allocations; zeroed: an empty line without a history. Text is valid UTF-8, and
// the caret is always between two characters. The history keeps the last CT_OVERLAY_HISTORY lines
// that were entered; while one of them is shown, what was being typed is kept below it. Update
// thread.
#pragma once
#include "foundation/types.h"

enum { CT_OVERLAY_LINE_BYTES = 1024, CT_OVERLAY_HISTORY = 64 }; // with the zero byte

typedef enum ct_overlay_edit {
    CT_OVERLAY_EDIT_NONE,
    CT_OVERLAY_EDIT_LEFT,
    CT_OVERLAY_EDIT_RIGHT,
    CT_OVERLAY_EDIT_HOME,
    CT_OVERLAY_EDIT_END,
    CT_OVERLAY_EDIT_BACKSPACE, // removes the character before the caret
    CT_OVERLAY_EDIT_DELETE,    // removes the character behind it
    CT_OVERLAY_EDIT_OLDER,     // shows the line before in the history
    CT_OVERLAY_EDIT_NEWER,     // shows the next one, in the end what was being typed
} ct_overlay_edit;

typedef struct ct_overlay_line {
    char text[CT_OVERLAY_LINE_BYTES]; // zero-terminated
    uint32_t num_bytes, caret;        // in bytes
    char history[CT_OVERLAY_HISTORY][CT_OVERLAY_LINE_BYTES];
    uint64_t num_entered; // ever; the newest is at (num_entered - 1) % CT_OVERLAY_HISTORY
    uint32_t num_back;    // how far back in the history the shown line is; 0: it is a new one
    char draft[CT_OVERLAY_LINE_BYTES];
} ct_overlay_line;

// Inserts `text` at the caret. Leaves out control characters. Text that is not UTF-8, or does not
// fit, is ignored.
void ct_overlay_line_insert(ct_overlay_line *line, const char *text);

// Moves the caret, removes a character, or shows a line of the history. Does nothing at an end.
void ct_overlay_line_edit(ct_overlay_line *line, ct_overlay_edit edit);

// Ends the line: copies it to `entered`, adds it to the history unless it repeats the newest, and
// empties it. Returns false when there is nothing but blanks; `entered` is then unchanged.
bool ct_overlay_line_enter(ct_overlay_line *line, char entered[CT_OVERLAY_LINE_BYTES]);

// Empties the line; the history stays.
void ct_overlay_line_clear(ct_overlay_line *line);
