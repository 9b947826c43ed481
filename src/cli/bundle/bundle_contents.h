// bundle_contents.h: checks that a folder holds only a bundle, which `cuttle bundle` may replace.
#pragma once
#include "foundation/memory/allocator.h"

// Returns true when `folder` is empty, or a bundle or a patch of any platform and version: its
// manifest can be read, and every file in it has a name that bundles have. Returns false with an
// `error` that names a foreign file: the first by its bytes, those at the top before those in
// folders. Scratch memory is from `a`. Any thread.
bool ct_bundle_contents_check(ct_allocator *a, const char *folder, ct_error *error);
