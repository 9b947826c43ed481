// compiler_data_folder.h: checks whether compiled data may go to a folder that the user named.
//
// Data is many files with hashes for names: mixed with other files, nothing could distinguish them.
#pragma once
#include "foundation/memory/allocator.h"

// Files beside the data in a folder given by --data-dir.
#define CT_RUN_STAT_CACHE ".stat_cache"
#define CT_RUN_LOCK ".lock"

// Returns true when `folder` does not exist, is empty, or has the data of a compilation, finished
// or not. Below `project` it must also be a hidden folder, one that has data already, or a new one,
// since all others hold sources. Both paths are as the user wrote them, and the project exists.
// Returns false with `error`. Writes nothing. Any thread.
bool ct_compiler_data_folder_check(const char *folder, const char *project, ct_error *error);
