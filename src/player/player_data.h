// player_data.h: where the player finds the game.
#pragma once
#include "foundation/os/path.h"

// Writes the absolute path of the game's data to `folder`: `asked`, or (NULL) the folder `data`
// beside the executable at `executable`, or else beside the folder that the executable lies in
// (`bin/../data`). False with `error`, which names where it looked, when there is no folder.
bool ct_player_data_folder(char folder[CT_PATH_BYTES], const char *asked, const char *executable,
                           ct_error *error);
