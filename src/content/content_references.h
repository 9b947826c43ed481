// content_references.h: finds what a source names, of whatever type it is.
//
// Nothing is known here of single types: their schemas (resource/schema.h) say where references
// stand, the table of settings which of these name resources (resource/setting_table.h), and the
// signatures of Lua's functions which arguments do (script/script_module.h). The compiler reads by
// the same, and a test holds what is found here to the compiler's index. Reading is lenient: what
// is wrong in one place hides nothing in others.
#pragma once
#include "content/content_mentions.h"

// What a file is, to who reads its mentions.
typedef enum ct_content_kind {
    CT_CONTENT_KIND_NONE,   // media that names nothing, or nothing that is known
    CT_CONTENT_KIND_SOURCE, // the source of a resource
    CT_CONTENT_KIND_GLSL,   // a file that shaders include
    CT_CONTENT_KIND_GLTF,   // a model that names buffers and images beside it
    CT_CONTENT_KIND_GLB,    // the same, binary
    CT_CONTENT_KIND_OBJ,    // a model that names material files beside it
} ct_content_kind;

// What the file at a project path is: a source by its type, media by their extension. What shaders
// include is GLSL whatever it is called; the caller knows.
ct_content_kind ct_content_kind_of(const char *path);

// The type of the resource whose source is at `path`; NULL: it is none.
const ct_resource_type *ct_content_type_of(const char *path);

// Appends what the file at the project path `path` mentions to `mentions`. `text` of `bytes` bytes
// is its content. False with `error` (file, line, column), and nothing appended, when it is SJSON
// or glTF by its type and cannot be parsed; other text gives what can be made of it. Any thread;
// linear in the text. Temporary memory comes from `a`.
bool ct_content_references_read(ct_allocator *a, ct_content_kind kind, const char *path,
                                const char *text, uint64_t bytes, ct_mentions *mentions,
                                ct_error *error);
