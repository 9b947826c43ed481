// player_data.h: finds the data of the game.
#pragma once
#include "foundation/os/path.h"

// Writes the absolute path of the game's data to `folder`: `asked`; when that is NULL, the folder
// `data` beside the executable at `executable`, or else beside the folder of the executable
// (`bin/../data`). Returns false with an `error` that names the folders it tried, when there is no
// such folder.
bool ct_player_data_folder(char folder[CT_PATH_BYTES], const char *asked, const char *executable,
                           ct_error *error);

// Writes the folder of the game, from which its settings name plugins: the one that has `data_folder`.
void ct_player_game_folder(char folder[CT_PATH_BYTES], const char *data_folder);
