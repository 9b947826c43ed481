// strings_uses.h: finds the keys of texts that a project's scripts and other sources mention.
#pragma once
#include "cli/strings/strings_check.h"

// Reads all Lua and SJSON sources but strings, in the order of their paths, and adds findings for
// keys that scripts look up and no file has, and for keys that nothing mentions. Returns false with
// `error` when the project's folder cannot be read; sources that cannot be read are skipped.
bool ct_strings_uses_check(ct_strings_check *check, ct_error *error);
