// user_folder.h: the folders where a game keeps the files of its player, and what it can make again.
#pragma once
#include "foundation/os/path.h"

enum { CT_USER_GAME_BYTES = 64 };

// Writes the name of the folders of the game called `title`: the title in lower case, with _ for
// characters that are not letters or digits, cut to fit; "game" when nothing is left.
void ct_user_game_name(char name[CT_USER_GAME_BYTES], const char *title);

// Writes the path of `file` in the player's folder of the game called `title`:
// $XDG_CONFIG_HOME/cuttle/<game>/<file>, or ~/.config in place of the first. <game> is
// ct_user_game_name. Makes no folder. Returns false when the environment names no such folder, or
// when the path is too long.
bool ct_user_file_path(char path[CT_PATH_BYTES], const char *title, const char *file);

// Writes the folder of what the game called `title` keeps to be faster next time:
// $XDG_CACHE_HOME/cuttle/<game>, or ~/.cache in place of the first. Makes no folder. Returns false
// as ct_user_file_path does.
bool ct_user_cache_folder(char path[CT_PATH_BYTES], const char *title);
