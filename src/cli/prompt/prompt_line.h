// prompt_line.h: the line being typed at a terminal, edited with libedit.
//
// While a line is edited the prompt does other work: `wait` is called over and over. Code that
// prints meanwhile calls ct_prompt_line_hide before and ct_prompt_line_show after, which remove the
// line and draw it again below. One thread; one line at a time.
#pragma once
#include "cli/prompt/prompt_history.h"
#include "foundation/string/string_builder.h"

typedef struct ct_prompt_line ct_prompt_line;

typedef struct ct_prompt_line_events {
    void *user;
    // Does other work, for a tenth of a second at most. Returns true when standard input can be
    // read.
    bool (*wait)(void *user);
    // Returns the text before the line. Borrowed until the next call.
    const char *(*prompt)(void *user);
    // For TAB behind `text`: appends what to insert, or lines to show.
    void (*complete)(void *user, const char *text, ct_string_builder *insert,
                     ct_string_builder *list);
} ct_prompt_line_events;

typedef enum ct_prompt_line_result {
    CT_PROMPT_LINE_RESULT_LINE,
    CT_PROMPT_LINE_RESULT_INTERRUPTED, // by Ctrl-C: the line is dropped
    CT_PROMPT_LINE_RESULT_END,         // by Ctrl-D on an empty line
} ct_prompt_line_result;

// Starts with the lines of `history` (borrowed for the call) behind the up key. `events` is copied.
// Returns NULL with `error` when libedit is not installed.
ct_prompt_line *ct_prompt_line_create(ct_allocator *a, const ct_prompt_line_events *events,
                                      const ct_prompt_history *history, ct_error *error);

// Ends editing and frees everything; NULL is fine.
void ct_prompt_line_destroy(ct_prompt_line *l);

// Reads a line, without its end, to `text`, which is emptied first.
ct_prompt_line_result ct_prompt_line_read(ct_prompt_line *l, ct_string_builder *text);

// Adds a line to those behind the up key; copied.
void ct_prompt_line_remember(ct_prompt_line *l, const char *text);

// Removes the line that is being edited from the terminal. Does nothing while no line is, or for
// NULL.
void ct_prompt_line_hide(ct_prompt_line *l);

// Draws the line that is being edited again. Does nothing while no line is, or for NULL.
void ct_prompt_line_show(ct_prompt_line *l);
