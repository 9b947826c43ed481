// user_folder.h: where a game keeps what belongs to the person who plays it.
#pragma once
#include "foundation/path.h"

// Writes the path of `file` in the player's folder of the game called `title`:
// $XDG_CONFIG_HOME/cuttle/<game>/<file>, or ~/.config in place of the first. <game> is the title in
// lower case with _ for what is no letter or digit ("game" when nothing is left). Nothing is made.
// False when the environment names no such folder, or when the path is too long.
bool ct_user_file_path(char path[CT_PATH_BYTES], const char *title, const char *file);
