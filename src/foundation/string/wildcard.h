// wildcard.h: the wildcards in packages' lists of resources. libc only.
#pragma once
#include "foundation/types.h"

// Returns whether `text` matches `pattern`, in which `*` matches any characters. After a mismatch,
// only the last `*` is extended, so the cost is at most the product of the lengths.
bool ct_wildcard_matches(const char *pattern, const char *text);
