// source_overwrite.h: overwrites the content of a small source in place.
//
// Renaming a new file over the old one allocates an inode and blocks, and frees others. Where that
// is slow, writing into the existing file takes a fiftieth of the time (docs/decisions/0019). The
// price: a reader at that moment may see a part of each content, and a crash may leave the file so.
// Use it only if both contents are kept elsewhere until all is on the disk, and if files found
// mixed are repaired. Any thread.
#pragma once
#include "foundation/os/os.h"

// The most bytes of contents that are overwritten in place: some pages.
enum { CT_SOURCE_OVERWRITE_MOST_BYTES = 65536 };

// Returns whether a file with the current `info` can get the new content in place: both contents
// are small, the file needs no more disk space than it has, so that a full disk does not matter,
// and it has only one name (with several, the others would change too).
bool ct_source_overwrite_fits(const ct_file_info *info, uint64_t new_bytes);

// Overwrites the content of the file at `path`. False with `error` when it cannot be written; a
// part may have been written then.
bool ct_source_overwrite(const char *path, const void *content, uint64_t size_bytes,
                         ct_error *error);

// Returns whether `found` may be the result of an interrupted ct_source_overwrite of the old
// content by the new one: each byte is from either content, or zero where a file that grew was not
// yet written.
bool ct_source_is_mixed(const void *old_content, uint64_t old_bytes, const void *new_content,
                        uint64_t new_bytes, const void *found, uint64_t found_bytes);
