// command.h: the subcommands of `cuttle`, in one table from which help and parsing come.
//
// Long options (`--jobs 2` or `--jobs=2`), and where everybody knows it one of one letter (`-o
// DIR`); `--` ends them. Exit 0, 1 (the work failed, or its output could not be written), 2 (wrong
// usage). Errors go to standard error; colour and progress only to a terminal.
#pragma once
#include "foundation/types.h"

enum { CT_COMMAND_MAX_OPTIONS = 24 };

// As ct_command.most_operands: as many as the system passes to a program.
#define CT_COMMAND_ANY_OPERANDS UINT32_MAX

typedef enum ct_exit {
    CT_EXIT_OK = 0,
    CT_EXIT_FAILED = 1,
    CT_EXIT_USAGE = 2,
} ct_exit;

typedef struct ct_command_option {
    const char *name;  // without the dashes: one for a name of one letter, else two
    const char *value; // what stands for the value in help ("N"), or NULL: a switch
    const char *doc;
} ct_command_option;

// The arguments of one call, cut by the command's table.
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

// All commands, in the order help lists them; `count` is set.
const ct_command *const *ct_commands(uint32_t *count);

// The command of this name, or NULL.
const ct_command *ct_command_named(const char *name);

// The value of an option by its name, or NULL when it was not given. An unknown name is a bug.
const char *ct_command_option_of(const ct_command *command, const ct_command_arguments *arguments,
                                 const char *name);

// What stands before an option's name: "-" or "--".
const char *ct_command_option_dashes(const ct_command_option *option);

// Cuts argv (without program and command name; with the NULL after its last), which the arguments
// borrow: the operands are brought together at its start. False with `error` for anything that does
// not fit the command's table.
bool ct_command_parse(const ct_command *command, int argc, const char **argv,
                      ct_command_arguments *arguments, ct_error *error);

// Read the value of an option as a number (a whole number) in a range; a NULL value leaves the
// result alone. False with `error` that says what was expected.
bool ct_command_number(const char *option, const char *value, double least, double most,
                       double *number, ct_error *error);
bool ct_command_count(const char *option, const char *value, uint32_t least, uint32_t most,
                      uint32_t *count, ct_error *error);
