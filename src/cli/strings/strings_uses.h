// strings_uses.h: which keys of texts a project's scripts and other sources mention.
#pragma once
#include "cli/strings/strings_check.h"

// Reads all Lua and SJSON sources but strings, in the order of their paths, and adds findings for
// the keys that scripts look up and no file has, and for those that nothing mentions. False with
// `error` when the project's folder cannot be read; sources that cannot be read are passed over.
bool ct_strings_uses_check(ct_strings_check *check, ct_error *error);
