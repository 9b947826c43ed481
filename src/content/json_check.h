// json_check.h: whether a text that SJSON accepts is JSON (RFC 8259), too.
#pragma once
#include "foundation/types.h"

// True when the `size_bytes` of `text`, which ct_sjson_parse has read, are a JSON object or
// array; a byte order mark is passed over. Otherwise false with `error`: `file`, the place, what was found and
// what JSON has. Linear; any thread.
bool ct_json_check(const char *text, uint64_t size_bytes, const char *file, ct_error *error);
