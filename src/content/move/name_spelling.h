// name_spelling.h: how names and paths are written where a source mentions them.
//
// SJSON and Lua have texts with escapes in quotes, glTF has URIs (RFC 3986), and OBJ, its materials
// and GLSL have plain paths. A name that a format cannot write comes out as text that reads as
// another name: code that patches reads it again to check (content_move_change.c).
#pragma once
#include "content/references/content_references.h"

// Writes `uri` of `bytes` bytes with characters for `%20` and the like, but for control characters,
// to `text`, and a zero byte. Returns the length; 0 when it is too long.
size_t ct_uri_decode(const char *uri, size_t bytes, char text[CT_PATH_BYTES]);

// Makes a name of a file that the model calls its own what it is called in a project: lower case,
// `_` for what is not in [a-z0-9_./-]. In place.
void ct_model_file_name(char *path);

// The name as it is written in a file of the kind between quotes like `quote`. From `a`.
const char *ct_name_spell(ct_allocator *a, ct_content_kind kind, char quote, const char *name);

// The same of a path from a file's folder, in place of `old` of `old_bytes` bytes: parts that are
// in it are written as there, and so is what separates parts, and a `./` at the start; so a path
// that comes back is byte by byte as it was. `flags` are the mention's. From `a`.
const char *ct_path_spell(ct_allocator *a, ct_content_kind kind, uint32_t flags, const char *old,
                          size_t old_bytes, const char *path);
