// script_user_folder.h: where games store the files of the logged-in user.
#pragma once
#include <lua.h>

#include "foundation/os/path.h"

typedef struct ct_script ct_script;

// Writes the absolute path of the folder `name` (ct_path_is_canonical) of this user's game data:
// $XDG_DATA_HOME/cuttle/NAME, or ~/.local/share/cuttle/NAME. Returns false when the user has no
// such place or the path is too long. Makes no folder.
bool ct_script_user_folder(char folder[CT_PATH_BYTES], const char *name);

// Writes the name of the running project's user folder, made from the name of the project's folder.
void ct_script_project_name(const ct_script *s, char name[CT_PATH_BYTES]);

// Writes the absolute path of what the string at `argument` names inside the folder that
// FileSystem.initialize made ready. Raises an error when there is none, or the name leads elsewhere.
void ct_check_user_path(lua_State *L, int argument, char path[CT_PATH_BYTES]);
