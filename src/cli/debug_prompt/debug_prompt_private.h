// debug_prompt_private.h: the state of the debugger's prompt; shared by the files of this folder.
#pragma once
#include "cli/prompt/prompt_engines.h"
#include "cli/prompt/prompt_line.h"
#include "foundation/os/path.h"
#include "foundation/sjson/sjson.h"
#include "foundation/sjson/sjson_writer.h"

enum {
    CT_DEBUG_PROMPT_MAX_BREAKPOINTS = 256,
    CT_DEBUG_PROMPT_MAX_WATCHES = 32,
    CT_DEBUG_PROMPT_MAX_HITS = 8,     // that a stop names
    CT_DEBUG_PROMPT_TEXT_BYTES = 512, // of a condition, a log, a watch
};

typedef struct ct_debug_prompt_breakpoint {
    uint32_t number; // for the user; not used again
    uint32_t id;     // the engine's
    char script[256];
    uint32_t line;
    char condition[CT_DEBUG_PROMPT_TEXT_BYTES], log[CT_DEBUG_PROMPT_TEXT_BYTES], hits[16];
    char unit[128]; // "": of any
    bool is_verified, is_refused;
} ct_debug_prompt_breakpoint;

typedef struct ct_debug_prompt {
    ct_allocator *allocator;
    ct_prompt_engines engines; // one
    ct_prompt_history history;
    ct_prompt_line *line; // NULL: the input is no terminal
    double timeout_seconds;
    char project[CT_PATH_BYTES], core[CT_PATH_BYTES]; // where sources are; "": not known
    bool is_attached, is_quitting, has_failed;
    CT_ARRAY(ct_debug_prompt_breakpoint) breakpoints;
    uint32_t last_number;
    ct_string_array watches;
    // Where the game stopped, and what is looked at.
    bool is_stopped, has_news; // news: a stop that was not shown yet
    uint32_t thread, stopped_thread;
    uint32_t frame, level; // the engine's number of the frame, and its place from 0
    char script[256];
    uint32_t source_line;
    ct_string_builder reason;                          // in one line
    uint32_t hits[CT_DEBUG_PROMPT_MAX_HITS], num_hits; // the engine's numbers of breakpoints
    // The request that is being made.
    ct_string_builder request, answer;
    ct_sjson_writer writer;
    uint32_t last_id;
    bool is_awaited;
} ct_debug_prompt;

// Prints a line without disturbing the one that is being typed.
void ct_debug_prompt_print(ct_debug_prompt *p, const char *format, ...) CT_PRINTF(2, 3);

// Prints an error: of a file's line to standard error. The exit code will be 1 then.
void ct_debug_prompt_error(ct_debug_prompt *p, const char *format, ...) CT_PRINTF(2, 3);

// --- Requests (debug_prompt.c) -------------------------------------------------------------------

// Begins a message of `type`; write its members with the result, then call ct_debug_prompt_ask.
ct_sjson_writer *ct_debug_prompt_begin(ct_debug_prompt *p, const char *type);

// Sends the message and waits for its answer, to be freed with ct_sjson_free. Returns NULL after
// printing an error: the engine's, or that none came in time.
ct_sjson *ct_debug_prompt_ask(ct_debug_prompt *p);

// Sends a message whose answer has nothing more. Returns whether it succeeded.
bool ct_debug_prompt_tell(ct_debug_prompt *p);

// Returns members of an answer's object: "" and 0 when they are not there.
const char *ct_debug_prompt_text(const ct_sjson *doc, ct_sjson_value object, const char *key);
uint32_t ct_debug_prompt_number(const ct_sjson *doc, ct_sjson_value object, const char *key);

// Waits until the game has stopped; false after printing an error when it does not in time.
bool ct_debug_prompt_wait_for_stop(ct_debug_prompt *p);

// --- What is shown (debug_prompt_show.c) ---------------------------------------------------------

// Chooses the frame at `level` (0: the innermost) of the thread. Returns false after printing an error.
bool ct_debug_prompt_choose_frame(ct_debug_prompt *p, uint32_t level);

// Prints where the game stopped, with the line of the source and the watches.
void ct_debug_prompt_show_stop(ct_debug_prompt *p);

// Prints the chosen frame, and the line of its source.
void ct_debug_prompt_show_frame(ct_debug_prompt *p);

// Prints the frames of the thread, the chosen one marked.
void ct_debug_prompt_show_stack(ct_debug_prompt *p);

// Prints lines `first` to `last` of a script, `current` (0: no line) marked. Returns false after
// printing an error when the source cannot be read.
bool ct_debug_prompt_show_source(ct_debug_prompt *p, const char *script, uint32_t first,
                                 uint32_t last, uint32_t current);

// Prints the parts of a scope or value, indented.
void ct_debug_prompt_show_parts(ct_debug_prompt *p, uint32_t value, const char *indent);

// Evaluates a text in the chosen frame and prints the value, with its parts when `with_parts`.
// Returns false after printing an error.
bool ct_debug_prompt_show_value(ct_debug_prompt *p, const char *text, bool with_parts);

// --- Commands (debug_prompt_commands.c) ----------------------------------------------------------

// Runs a line: a command, or Lua in the chosen frame.
void ct_debug_prompt_run_line(ct_debug_prompt *p, const char *line);

// Adds the names of the commands that begin with `text`.
void ct_debug_prompt_add_command_names(ct_string_array *names);
