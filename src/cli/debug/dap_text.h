// dap_text.h: texts as clients of the Debug Adapter Protocol measure and write them: columns in UTF-16 code
// units, and files as URIs.
#pragma once
#include "foundation/os/path.h"
#include "foundation/string/string_builder.h"

// Returns the byte of a UTF-8 text at `units` UTF-16 code units from its start: at most `bytes`, and at the
// start of a character.
uint32_t ct_dap_byte_at(const char *text, uint32_t bytes, uint64_t units);

// Returns how many UTF-16 code units the first `bytes` bytes of a UTF-8 text are.
uint32_t ct_dap_units_of(const char *text, uint32_t bytes);

// Writes the path that a `file:` URI names to `path`. Returns false with `error` for another scheme, another
// machine, bad escapes, or a path that does not fit.
bool ct_dap_path_of_uri(const char *uri, char path[CT_PATH_BYTES], ct_error *error);

// Appends the `file:` URI of an absolute path.
void ct_dap_add_uri(ct_string_builder *out, const char *path);

// Writes an absolute path without empty parts, `.` and `..`, which are taken away as text, to `out`. Returns
// false for a path that is not absolute or does not fit.
bool ct_dap_tidy_path(const char *path, char out[CT_PATH_BYTES]);
