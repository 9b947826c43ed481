// nodes_words.h: placeholders in launch commands and in Lua, and the command line of a node.
//
// A placeholder is `$` and a name of letters: `$seed`. Names that are not in the list stay as they
// are, so `$HOME` reaches a shell.
#pragma once
#include "cli/nodes/nodes_plan.h"
#include "foundation/string/string_builder.h"

// What placeholders of one node of one run are replaced by. Strings are borrowed.
typedef struct ct_nodes_values {
    const ct_nodes_plan *plan;
    uint32_t node;  // its position in the plan, from 0
    uint32_t run;   // from 1
    uint32_t start; // of this node in the run, from 1; 0 is 1, too
    uint32_t seed;
    const char *folder;  // of the run, absolute
    const char *project; // absolute
    const char *cuttle;  // this program
    const char *server;  // HOST:PORT of the file server, or ""
} ct_nodes_values;

// Appends Lua with the placeholders $seed, $run, $node (its id), $index (from 1) and $folder
// replaced.
void ct_nodes_add_lua(ct_string_builder *out, const char *lua, const ct_nodes_values *values);

// Appends the words of the command that starts the node, each owned by the array's user. Beside the
// placeholders of Lua, a launch command has $cuttle, $project, $port, and $arguments: the words of
// `cuttle run` after the program. A word that is `$arguments` becomes these words; within a longer
// word they are quoted for a shell. Appends nothing when there is no command.
void ct_nodes_add_command(ct_string_array *words, const ct_nodes_values *values);

// Appends the words of the command that starts the file server, owned in the same way. It has the
// placeholders $cuttle, $project and $folder. `values->node` is not read.
void ct_nodes_add_server_command(ct_string_array *words, const ct_nodes_values *values);

// Frees words and the array.
void ct_nodes_free_words(ct_string_array *words);
