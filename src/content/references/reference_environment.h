// reference_environment.h: whether two programs find the same mentions in the same text.
#pragma once
#include "foundation/types.h"

// Returns a hash of everything that defines where references are: types and their schemas, the
// settings that name resources, the signatures of Lua's functions, and the version of the code that
// looks. The same in every build of the same sources. Any thread.
uint64_t ct_reference_environment(void);
