// bundle_folder.h: a folder that is there whole or not at all.
//
// It is filled beside the place it is for and changes places with what was there. A process that is
// killed leaves what was there, and a hidden folder that the next one removes.
#pragma once
#include "foundation/memory/allocator.h"
#include "foundation/os/path.h"

typedef struct ct_bundle_folder {
    ct_allocator *allocator;
    char target[CT_PATH_BYTES];    // absolute, without links
    char temporary[CT_PATH_BYTES]; // to be filled
    char made[CT_PATH_BYTES];      // the first of the folders above that had to be made; "": none
} ct_bundle_folder;

// Makes the empty temporary for `path`, with the folders that are to lie above it, and removes the
// temporaries that killed processes left. Scratch memory is from `a`, which outlives `f`. False
// with `error` when `path` is there and is neither empty nor a bundle, when this process runs in
// it, or when nothing can be made beside it; what was begun is to be abandoned then, too.
bool ct_bundle_folder_begin(ct_bundle_folder *f, ct_allocator *a, const char *path,
                            ct_error *error);

// Puts what was filled in its place and removes what was there. False with `error`, also when there
// is now what is neither empty nor a bundle.
bool ct_bundle_folder_finish(ct_bundle_folder *f, ct_error *error);

// Removes what was begun and not finished, and the folders that were made for it if nothing else is
// in them.
void ct_bundle_folder_abandon(ct_bundle_folder *f);
