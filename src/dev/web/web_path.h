// web_path.h: what the path of a request names: a page of the engine, a file of the project, the console.
//
// Pages lie at `/`, the project's folder `tools` below `/project/`. Only regular files inside of those
// folders are served: no `..`, no hidden files, no links that lead out.
#pragma once
#include "foundation/os/path.h"

typedef enum ct_web_area {
    CT_WEB_AREA_NONE,    // no file can have this path
    CT_WEB_AREA_PAGES,   // `/…`
    CT_WEB_AREA_PROJECT, // `/project/…`
    CT_WEB_AREA_MOVED,   // `/project`: relative links in its page need a slash behind it
    CT_WEB_AREA_CONSOLE, // `/console`, a WebSocket
} ct_web_area;

// Reads the path of a request of `bytes` bytes, whose escapes (%2e) are decoded, without its query. For
// PAGES and PROJECT writes the path below the folder to `file`; one that ends with a slash is that of
// `index.html` there. Pure; any thread.
ct_web_area ct_web_area_of(const char *path, uint64_t bytes, char file[CT_PATH_BYTES]);

// Returns the content type of a file by its extension, with the character set of texts.
// Files of unknown types are "application/octet-stream". Constant.
const char *ct_web_content_type(const char *file);

// Finds the regular file `file`, of ct_web_area_of, in `folder` (NULL: no files). Writes its path without
// links to `path`. Returns false when there is no such file, or it lies outside.
bool ct_web_find_file(const char *folder, const char *file, char path[CT_PATH_BYTES]);
