// json_check.h: checks that a text that SJSON accepts is JSON (RFC 8259), too.
#pragma once
#include "foundation/types.h"

// Returns whether the `size_bytes` of `text`, which ct_sjson_parse has read, are a JSON object or
// array; skips a byte order mark. If not, sets `error`: `file`, the place, what was found and what
// JSON expects. Linear; any thread.
bool ct_json_check(const char *text, uint64_t size_bytes, const char *file, ct_error *error);
