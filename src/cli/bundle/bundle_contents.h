// bundle_contents.h: whether a folder is a bundle, of which nothing is lost that `cuttle bundle`
// could not make again.
#pragma once
#include "foundation/memory/allocator.h"

// True when `folder` is empty, or a bundle or a patch of any platform and version: its manifest
// reads, and every file in it has a name that they have there. False with `error`, that says what
// was found instead: of several strangers the first by its bytes, those at the top before those in
// folders. Scratch memory is from `a`. Any thread.
bool ct_bundle_contents_check(ct_allocator *a, const char *folder, ct_error *error);
