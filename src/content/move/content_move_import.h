// content_move_import.h: records of imports (`<model>.import`, docs/importing.md) under moves.
//
// A record names its model, the files that an import wrote, and what it wanted sources to hold.
// Without new paths in it the next import would take what was renamed for gone.
#pragma once
#include "content/move/content_move_set.h"
#include "content/move/content_patch.h"

// Appends the patches of a record's text: its paths, and the references in what it wanted sources
// to hold. False with `error` when it is no SJSON. Temporary memory and texts come from `a`.
bool ct_move_import_patches(ct_allocator *a, const ct_move_set *set, const ct_content_file *file,
                            ct_patch_array *patches, ct_error *error);

// A record is called like its model. Writes the path that the record at `path` gets in its folder
// to `renamed` when its model gets another name by the set; false: it keeps its own.
bool ct_move_import_rename(ct_allocator *a, const ct_move_set *set, const ct_content_file *file,
                           char renamed[CT_PATH_BYTES]);
