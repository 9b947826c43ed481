// crash_build_id.h: the build id, which identifies the symbols of the crashed program.
#pragma once
#include "foundation/types.h"

// Finds the program's GNU build id, for ct_crash_build_id. Takes a lock of the dynamic linker: not
// in a signal handler.
void ct_crash_build_id_find(void);

// Returns the build id in hexadecimal digits; "" before it is found, or when the program has none.
const char *ct_crash_build_id(void);
