// model_references.h: the files that a model file names: media that need other media.
//
// Their paths are relative to the folder of the model; a mention has the project path that they
// lead to, and CT_MENTION_RELATIVE. Those that lead out of the project, or nowhere (data within the
// file, an address), are passed over. Buffers are needed, images and materials optional.
#pragma once
#include "content/move/content_mentions.h"

// Appends what the glTF file at the project path `path` names: `uri` of its buffers and images.
// False with `error`, and nothing appended, when it is no JSON.
bool ct_gltf_references_find(ct_allocator *a, const char *path, const char *text, uint64_t bytes,
                             ct_mentions *mentions, ct_error *error);

// The same of a binary glTF file. One that is damaged before its JSON is an error, too.
bool ct_glb_references_find(ct_allocator *a, const char *path, const char *text, uint64_t bytes,
                            ct_mentions *mentions, ct_error *error);

// Appends what an OBJ file names (`mtllib`, which may name several), and what its file of materials
// does: images, behind the options of a map. The compiler reads them alike (obj_text.h). What is no
// text names nothing.
void ct_obj_references_find(const char *path, const char *text, uint64_t bytes,
                            ct_mentions *mentions);
void ct_mtl_references_find(const char *path, const char *text, uint64_t bytes,
                            ct_mentions *mentions);
