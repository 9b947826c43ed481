// core_folder.h: finds the engine's own data.
#pragma once
#include "foundation/os/path.h"

// Writes the folder that projects see as `core/`: the environment's CUTTLE_CORE, or `core` beside
// the executable. Returns false with `error` when it does not exist.
bool ct_core_folder(char folder[CT_PATH_BYTES], ct_error *error);
