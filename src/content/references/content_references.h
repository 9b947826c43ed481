// content_references.h: finds the references in a source of any type.
//
// Nothing is known here of single types: their schemas (resource/schema/schema.h) say where
// references are, the table of settings which of these name resources
// (resource/schema/setting_table.h), and the signatures of Lua's functions which arguments do
// (lua/lua_module.h). The compiler reads by the same, and a test holds what is found here to the
// compiler's index. Reading is lenient: what is wrong in one place hides nothing in others.
#pragma once
#include "content/move/content_mentions.h"
#include "foundation/os/path.h"

// What a file is, for reading its mentions.
typedef enum ct_content_kind {
    CT_CONTENT_KIND_NONE,   // media that names nothing, or nothing that is known
    CT_CONTENT_KIND_SOURCE, // the source of a resource
    CT_CONTENT_KIND_GLSL,   // a file that shaders include
    CT_CONTENT_KIND_GLTF,   // a model that names buffers and images beside it
    CT_CONTENT_KIND_GLB,    // the same, binary
    CT_CONTENT_KIND_OBJ,    // a model that names material files beside it
    CT_CONTENT_KIND_MTL,    // such a material file, which names images beside it
    CT_NUM_CONTENT_KINDS,
} ct_content_kind;

// What the file at a project path is: a source by its type, media by their extension. What shaders
// include is GLSL whatever it is called; the caller knows.
ct_content_kind ct_content_kind_of(const char *path);

// True for what names files by paths from its own folder: models, and their materials.
bool ct_content_kind_is_relative(ct_content_kind kind);

// Returns the type of the resource whose source is at `path`; NULL: not a source.
const ct_resource_type *ct_content_type_of(const char *path);

// Writes the name of the resource of `type` whose source is at `path`, without properties; what has
// no canonical name has its path's.
void ct_content_resource_name(const char *path, const ct_resource_type *type,
                              char name[CT_PATH_BYTES]);

// A key for what is named: a resource by type and name, with `type` NULL a media file by its path;
// and that by which the file at `path` is named, whichever variant it is.
uint64_t ct_content_name_key(const ct_resource_type *type, const char *name);
uint64_t ct_content_file_key(const char *path);

// Appends what the file at the project path `path` mentions to `mentions`. `text` of `bytes` bytes
// is its content. False with `error` (file, line, column), and nothing appended, when it is SJSON
// or glTF by its type and cannot be parsed; other text gives what can be made of it. Any thread;
// linear in the text. Temporary memory comes from `a`.
bool ct_content_references_read(ct_allocator *a, ct_content_kind kind, const char *path,
                                const char *text, uint64_t bytes, ct_mentions *mentions,
                                ct_error *error);
