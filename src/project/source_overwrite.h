// source_overwrite.h: the new content of a small source, written over the old one in place.
//
// A new file that is renamed over the old one takes an inode and blocks and frees others; where
// that is slow, writing into the file that is there costs a fiftieth (docs/decisions/0019). In turn
// who reads right then may see a part of each content, and a crash may leave it so: it is for who
// keeps both contents elsewhere until all is on the disk, and finishes what it finds mixed. Any
// thread.
#pragma once
#include "foundation/os/os.h"

// Contents of up to so many bytes are written over one another: a page or some.
enum { CT_SOURCE_OVERWRITE_MOST_BYTES = 65536 };

// True when a file, of which `info` was just asked, can get the new content in place: both are
// small, it needs no more of the disk than it has, so that a full one does not matter, and it has
// one name (of several the others would change with it).
bool ct_source_overwrite_fits(const ct_file_info *info, uint64_t new_bytes);

// Writes over what the file at `path` holds. False with `error` when it cannot be written, perhaps
// with a part written.
bool ct_source_overwrite(const char *path, const void *content, uint64_t size_bytes,
                         ct_error *error);

// True when ct_source_overwrite, of one content by another and interrupted at whatever moment, may
// have left what was found: at every place a byte of either content, or a zero where a file that
// grew was not written yet.
bool ct_source_is_mixed(const void *old_content, uint64_t old_bytes, const void *new_content,
                        uint64_t new_bytes, const void *found, uint64_t found_bytes);
