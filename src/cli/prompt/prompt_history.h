// prompt_history.h: the lines that were typed at prompts, kept in a file.
//
// The file has a line for each, oldest first, at most CT_PROMPT_HISTORY_LINES; a line typed twice
// in a row is kept once. The file is replaced as a whole: a prompt that saves adds its own lines to
// those that other prompts have saved meanwhile.
#pragma once
#include "foundation/container/array.h"
#include "foundation/os/path.h"

enum { CT_PROMPT_HISTORY_LINES = 1000, CT_PROMPT_HISTORY_LINE_BYTES = 4096 };

typedef struct ct_prompt_history {
    char path[CT_PATH_BYTES]; // "": nothing is read or saved
    ct_string_array lines;
    ct_string_array added; // since it was loaded or saved
} ct_prompt_history;

// Writes the path of the history: $XDG_STATE_HOME/cuttle/console_history, by default below
// ~/.local/state; "" when the environment has neither.
void ct_prompt_history_path(char path[CT_PATH_BYTES]);

// Starts with the lines of the file. A file that cannot be read, or is no history, counts as empty.
// The path is copied; `a` must outlive the history.
void ct_prompt_history_init(ct_prompt_history *h, ct_allocator *a, const char *path);

// Frees the lines. Lines that were added and not saved are lost.
void ct_prompt_history_free(ct_prompt_history *h);

// Adds a copy of a line. Lines that are empty or too long, or have line ends, are left out.
void ct_prompt_history_add(ct_prompt_history *h, const char *line);

// Saves the lines that were added. Returns false with `error` when the file cannot be written; the
// old file stays.
bool ct_prompt_history_save(ct_prompt_history *h, ct_error *error);
