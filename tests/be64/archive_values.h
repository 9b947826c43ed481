// archive_values.h: prints the index of an archive, and checks its chunks.
#pragma once
#include "foundation/types.h"

// Prints every number of the index of the archive at `path`, which is for the platform `platform`,
// what finding each item gives, and the hash of each chunk's bytes. False with `error` when the
// archive is refused or a chunk is damaged. Chunks are not unpacked: Debian has no zstd for the
// machine of the other byte order, and zstd's format does not depend on it.
bool archive_values_print(const char *path, const char *platform, ct_error *error);
