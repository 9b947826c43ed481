// prompt.h: `cuttle console` without anything to run: a prompt to running engines.
//
// At a terminal, lines are edited and sent to one engine or all, and log messages of engines appear
// meanwhile. From a file or pipe, lines are sent one after the other and the answers printed. Lines
// that begin with `:` are for the prompt itself (prompt_commands.c). See docs/console.md.
#pragma once
#include "cli/prompt/prompt_complete.h"
#include "cli/prompt/prompt_engines.h"
#include "cli/prompt/prompt_filter.h"
#include "cli/prompt/prompt_line.h"

typedef struct ct_prompt {
    ct_allocator *allocator;
    ct_prompt_engines engines;
    ct_prompt_filter filter;
    ct_prompt_history history;
    ct_prompt_line *line;                  // NULL: the input is no terminal
    char selected[CT_PROMPT_NAME_BYTES];   // the engine that lines go to; "": all
    char before[CT_PROMPT_NAME_BYTES + 8]; // the text before the line
    ct_string_builder chunk;               // of Lua, which is not finished yet
    ct_string_builder file;                // for the binary of the answer; empty: none is expected
    bool is_unfinished;                    // the last answer says so
    bool is_coloured;
    bool is_quitting, has_failed;
    uint32_t last_id; // of requests
    // What the last answer to TAB said.
    ct_string_array names;
    uint32_t names_start;
    double timeout_seconds; // to wait for answers, when the input is no terminal
} ct_prompt;

// Runs a prompt to these engines ("host:port" each) until the input ends. Without addresses, uses
// the engines that run on this machine, or, from a file or pipe, the first of them. Returns
// the exit code: 1 when a line of a file failed, 2 when an address is invalid. `token` is for the engines
// at the addresses; NULL: none.
int ct_prompt_run(ct_allocator *a, const char *const *addresses, uint32_t num_addresses,
                  const char *token, double timeout_seconds);

// Prints a line (or several, without the last line end) without disturbing the line that is being
// typed.
void ct_prompt_print(ct_prompt *p, const char *format, ...) CT_PRINTF(2, 3);

// Chooses an engine when the command line names none: the first that runs on this machine, and says
// so on standard error. Returns its port, or 64000 when no engine runs.
uint16_t ct_prompt_choose_engine(void);

// --- prompt_commands.c ---------------------------------------------------------------------------

// Runs a line that begins with `:`.
void ct_prompt_run_command(ct_prompt *p, const char *line);

// Adds the names of the prompt's commands, with their colon.
void ct_prompt_add_command_names(ct_string_array *names);
