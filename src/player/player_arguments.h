// player_arguments.h: splits the player's command line into its options and the game's arguments.
//
// Only the player's own options, long ones (`--data DIR` or `--data=DIR`), are taken out. All other
// arguments are the game's, in their order, and so is everything after `--`.
#pragma once
#include "foundation/types.h"

// Strings are borrowed from argv.
typedef struct ct_player_arguments {
    const char *data_folder; // NULL: the player searches for it (player_data.h)
    const char *log_path;    // NULL: no log file
    bool is_headless;
    bool wants_help, wants_version;
    uint32_t num_frames;         // 0: until quit
    double fixed_step_seconds;   // 0: by the settings
    uint32_t width, height;      // pixels; 0: by the settings
    const char *screenshot_path; // NULL: no screenshot
    const char **game;           // the game's arguments: an array of the caller
    uint32_t num_game;
} ct_player_arguments;

// Parses argv (`count` strings, without the program). `game` must have room for `count` pointers;
// the result's `game` points at it. Returns false with `error`, which says what was found and
// expected, when an option has no value or a wrong one, or is given twice.
bool ct_player_arguments_parse(int count, const char *const *argv, const char **game,
                               ct_player_arguments *arguments, ct_error *error);

// The text that `--help` prints.
extern const char ct_player_help[];
