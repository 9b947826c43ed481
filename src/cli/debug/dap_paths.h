// dap_paths.h: from files of a client, which may be URIs, to scripts of a game, and back.
//
// The game has scripts of two folders: its project's (`scripts/main.lua`) and the engine's own (`core/…`).
// A client may name a file by a path through links; what it is sent is then spelled in the same way.
#pragma once
#include "foundation/error.h"
#include "foundation/os/path.h"
#include "foundation/string/string_builder.h"

typedef struct ct_dap_paths {
    char project[CT_PATH_BYTES]; // absolute, without links; "" before the game has said it
    char core[CT_PATH_BYTES];
    char shown[CT_PATH_BYTES]; // the project as the client spells it
} ct_dap_paths;

// Takes the folders that a game has said. `shown` of before stays when it is the same folder.
void ct_dap_paths_set(ct_dap_paths *p, const char *project, const char *core);

// Writes the script of a file to `script`: of an absolute path. Returns false with `error` for files of
// neither folder.
bool ct_dap_paths_script(ct_dap_paths *p, const char *path, char script[CT_PATH_BYTES],
                         ct_error *error);

// Writes the file of a script to `path`, as the client spells it. Returns false when no such file exists.
bool ct_dap_paths_file(const ct_dap_paths *p, const char *script, char path[CT_PATH_BYTES]);

// Writes the path that a `file:` URI names to `path`. Returns false with `error` for another scheme, another
// machine, bad escapes, or a path that does not fit.
bool ct_dap_path_of_uri(const char *uri, char path[CT_PATH_BYTES], ct_error *error);

// Appends the `file:` URI of an absolute path.
void ct_dap_add_uri(ct_string_builder *out, const char *path);

// Writes an absolute path without empty parts, `.` and `..`, which are taken away as text, to `out`. Returns
// false for a path that is not absolute or does not fit.
bool ct_dap_tidy_path(const char *path, char out[CT_PATH_BYTES]);
