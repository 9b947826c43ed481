// prompt_history.h: the lines that were typed at prompts, kept in a file.
//
// One line each, oldest first, at most CT_PROMPT_HISTORY_LINES; those typed twice in a row are kept
// once. The file is replaced whole: a prompt that saves adds its own lines to what others have
// saved meanwhile.
#pragma once
#include "foundation/container/array.h"
#include "foundation/os/path.h"

enum { CT_PROMPT_HISTORY_LINES = 1000, CT_PROMPT_HISTORY_LINE_BYTES = 4096 };

typedef struct ct_prompt_history {
    char path[CT_PATH_BYTES]; // "": nothing is read or saved
    ct_string_array lines;
    ct_string_array added; // since it was loaded or saved
} ct_prompt_history;

// Writes where the history belongs: $XDG_STATE_HOME/cuttle/console_history, by default below
// ~/.local/state; "" when there is no such place.
void ct_prompt_history_path(char path[CT_PATH_BYTES]);

// Starts with what the file holds. A file that cannot be read, or is none of ours, is as empty.
void ct_prompt_history_init(ct_prompt_history *h, ct_allocator *a, const char *path);
void ct_prompt_history_free(ct_prompt_history *h);

// Adds a line (copied). Empty ones, those with line ends and those that are too long are left out.
void ct_prompt_history_add(ct_prompt_history *h, const char *line);

// Saves what was added. False with `error` when it cannot be written; the old file stays.
bool ct_prompt_history_save(ct_prompt_history *h, ct_error *error);
