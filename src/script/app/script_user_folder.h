// script_user_folder.h: where games keep what belongs to the player who is logged in.
#pragma once
#include "foundation/os/path.h"

typedef struct ct_script ct_script;

// Writes the absolute path of the folder `name` (as ct_path_is_canonical has it) of this user's
// game data: $XDG_DATA_HOME/cuttle/NAME, or ~/.local/share/cuttle/NAME. False when the user has no
// such place or it is too long. Nothing is made.
bool ct_script_user_folder(char folder[CT_PATH_BYTES], const char *name);

// The name of the running project's folder for that, made of the name of the project's folder.
void ct_script_project_name(const ct_script *s, char name[CT_PATH_BYTES]);
