// bundle_icon.h: the icon of a game in menus.
#pragma once
#include "foundation/memory/allocator.h"

// Reads the icon of a project: its `icon.png`, else core's. The file's `bytes` bytes are owned by
// the caller: ct_free(a, data). Returns NULL with `error`, which has the file, when `icon.png`
// exists and is not a PNG file, not a file at all, or a link out of the project. Any thread.
char *ct_bundle_icon_read(ct_allocator *a, const char *project, uint64_t *bytes, ct_error *error);

// Returns true when `data` is a whole PNG file by its chunks: the signature, a header with a size,
// picture data, the end (PNG specification, third edition, 5). The content of chunks is not
// checked. Returns false with an `error` that says what was found.
bool ct_bundle_icon_check(const void *data, uint64_t bytes, ct_error *error);
