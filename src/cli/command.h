// command.h: the subcommands of `cuttle`, in one table that drives help and parsing.
//
// Options are long (`--jobs 2` or `--jobs=2`); a few that are common elsewhere have one letter (`-o
// DIR`). `--` ends the options. Exit codes are 0, 1 (the work failed, or its output could not be
// written) and 2 (wrong usage). Errors go to standard error; colour and progress only to a
// terminal.
#pragma once
#include "foundation/types.h"

enum { CT_COMMAND_MAX_OPTIONS = 40 };

// For ct_command.most_operands: as many operands as the system passes to a program.
#define CT_COMMAND_ANY_OPERANDS UINT32_MAX

// Exit codes: success; the work failed; the command line was wrong.
typedef enum ct_exit {
    CT_EXIT_OK = 0,
    CT_EXIT_FAILED = 1,
    CT_EXIT_USAGE = 2,
} ct_exit;

typedef struct ct_command_option {
    const char *name;  // without the dashes: one for a name of one letter, else two
    const char *value; // name of the value in help ("N"), or NULL: a switch
    const char *doc;
} ct_command_option;

// The arguments of one call, parsed by the command's table.
typedef struct ct_command_arguments {
    const char *options[CT_COMMAND_MAX_OPTIONS]; // by position in the table; NULL: not given; a
                                                 // switch that was given: ""
    const char *const *operands;                 // followed by NULL
    uint32_t num_operands;
    const char *const *rest; // after `--`
    uint32_t num_rest;
} ct_command_arguments;

typedef struct ct_command {
    const char *name;
    const char *operands; // as help shows them: "PROJECT"
    uint32_t least_operands, most_operands;
    const char *summary;     // one line
    const char *description; // a paragraph or more
    const ct_command_option *options;
    uint32_t num_options;
    bool takes_rest; // arguments after `--` are the game's
    ct_exit (*run)(ct_allocator *a, const ct_command_arguments *arguments);
} ct_command;

// Returns all commands in the order of the help, and sets `count`.
const ct_command *const *ct_commands(uint32_t *count);

// Returns the command with this name, or NULL.
const ct_command *ct_command_named(const char *name);

// Returns the value of an option by its name, or NULL when it was not given. An unknown name is a
// bug. Borrowed from argv.
const char *ct_command_option_of(const ct_command *command, const ct_command_arguments *arguments,
                                 const char *name);

// Returns the dashes of an option: "-" or "--".
const char *ct_command_option_dashes(const ct_command_option *option);

// Parses argv (without program and command name, followed by NULL) by the command's table.
// `arguments` borrows argv; operands are moved to the start of argv. Returns false with `error` for
// anything that does not fit the table.
bool ct_command_parse(const ct_command *command, int argc, const char **argv,
                      ct_command_arguments *arguments, ct_error *error);

// Reads the value of an option as a number from `least` to `most`; a NULL value leaves `number` as
// it is. Returns false with an `error` that says what was expected.
bool ct_command_number(const char *option, const char *value, double least, double most,
                       double *number, ct_error *error);

// Reads the value of an option as a whole number from `least` to `most`; a NULL value leaves
// `count` as it is. Returns false with an `error` that says what was expected.
bool ct_command_count(const char *option, const char *value, uint32_t least, uint32_t most,
                      uint32_t *count, ct_error *error);
