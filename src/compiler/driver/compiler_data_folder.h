// compiler_data_folder.h: whether compiled data may go to a folder that somebody named.
//
// Data is many files with hashes for names: among other files nobody could tell them apart again.
#pragma once
#include "foundation/memory/allocator.h"

// True when `folder` is not there, is empty, or has the data of a compilation, finished or not;
// below `project` (both as the user wrote them, and there is a project) it must be a hidden folder,
// one that has data already, or a new one, since all others hold sources. False with `error`.
// Writes nothing. Any thread.
bool ct_compiler_data_folder_check(const char *folder, const char *project, ct_error *error);
