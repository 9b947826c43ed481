// player_arguments.h: the command line of the player, cut into its options and the game's
// arguments.
//
// Only the player's own options, long ones (`--data DIR` or `--data=DIR`), are taken out; all else
// is the game's, in its order, and what stands after `--` in any case.
#pragma once
#include "foundation/types.h"

// Strings are borrowed from argv.
typedef struct ct_player_arguments {
    const char *data_folder; // NULL: where the player looks for it
    const char *log_path;    // NULL: none
    bool is_headless;
    bool wants_help, wants_version;
    uint32_t num_frames;         // 0: until quit
    double fixed_step_seconds;   // 0: by the settings
    uint32_t width, height;      // pixels; 0: by the settings
    const char *screenshot_path; // NULL: none
    const char **game;           // the game's arguments: an array of the caller
    uint32_t num_game;
} ct_player_arguments;

// Cuts argv (`count` strings, without the program). `game` has room for `count` pointers, and is
// what the result's `game` points at. False with `error`, which says what was found and expected,
// for an option without its value, with a wrong one, or given twice.
bool ct_player_arguments_parse(int count, const char *const *argv, const char **game,
                               ct_player_arguments *arguments, ct_error *error);

// What `--help` prints.
extern const char ct_player_help[];
