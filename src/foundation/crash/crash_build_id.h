// crash_build_id.h: the number by which one finds the symbols of the program that crashed.
#pragma once
#include "foundation/types.h"

// Looks the program's GNU build id up, for ct_crash_build_id. Takes a lock of the dynamic linker:
// not in a signal handler.
void ct_crash_build_id_find(void);

// The build id in hexadecimal digits; "" when it was not looked up, or the linker gave none.
const char *ct_crash_build_id(void);
