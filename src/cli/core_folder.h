// core_folder.h: where the engine's own data lies.
#pragma once
#include "foundation/os/path.h"

// Writes the folder that projects see as `core/`: the environment's CUTTLE_CORE, or `core` beside
// the executable. False with `error` when it is not there.
bool ct_core_folder(char folder[CT_PATH_BYTES], ct_error *error);
