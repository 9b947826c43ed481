// wildcard.h: the wildcards by which packages list resources. libc only.
#pragma once
#include "foundation/types.h"

// True when `text` matches `pattern`, in which `*` stands for any characters. On a mismatch only
// the last `*` takes one more, so the cost is at most the product of the lengths.
bool ct_wildcard_matches(const char *pattern, const char *text);
