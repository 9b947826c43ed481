// bundle_folder.h: replaces a folder as a whole or not at all.
//
// The new folder is filled beside its target and then swapped with it. A process that is killed
// leaves the old folder, and a hidden folder that the next process removes.
#pragma once
#include "foundation/memory/allocator.h"
#include "foundation/os/path.h"

typedef struct ct_bundle_folder {
    ct_allocator *allocator;
    char target[CT_PATH_BYTES];    // absolute, without links
    char temporary[CT_PATH_BYTES]; // to be filled
    char made[CT_PATH_BYTES];      // the first folder above that had to be made; "": all existed
} ct_bundle_folder;

// Makes the empty temporary for `path`, with the folders above it, and removes the temporaries that
// killed processes left. Scratch memory is from `a`, which must outlive `f`. Returns false with
// `error` when `path` exists and is neither empty nor a bundle, when this process runs in it, or
// when nothing can be made beside it; call ct_bundle_folder_abandon then, too.
bool ct_bundle_folder_begin(ct_bundle_folder *f, ct_allocator *a, const char *path,
                            ct_error *error);

// Swaps the temporary with the target and removes the old folder. Returns false with `error`, also
// when the target is by now neither empty nor a bundle.
bool ct_bundle_folder_finish(ct_bundle_folder *f, ct_error *error);

// Removes a temporary that was not finished, and the folders that were made for it if they are
// empty.
void ct_bundle_folder_abandon(ct_bundle_folder *f);
