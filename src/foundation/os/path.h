// path.h: text operations on file paths with `/`; nothing here touches the disk.
#pragma once
#include "foundation/types.h"

enum { CT_PATH_BYTES = 1024 };

// Writes `folder`/`name` to `path` of CT_PATH_BYTES; an absolute `name`, or an empty `folder`,
// gives `name` alone. A path that does not fit is a bug.
void ct_path_join(char path[CT_PATH_BYTES], const char *folder, const char *name);

// Joins as ct_path_join does, for names that come from outside: returns false and leaves `path`
// unchanged when it does not fit. In both, `path` and `folder` may be the same buffer.
bool ct_path_try_join(char path[CT_PATH_BYTES], const char *folder, const char *name);

// Writes the folder part of `path` to `folder` of CT_PATH_BYTES: "" without one, "/" for entries of
// the root.
void ct_path_folder(char folder[CT_PATH_BYTES], const char *path);

// Returns the part after the last `/`, which points into `path`.
const char *ct_path_file_name(const char *path);

// Returns the part after the last `.` of the file name, which points into `path`; "" without one.
const char *ct_path_extension(const char *path);

// Returns whether `path` is a project path as references write it: `/`-separated, relative, no
// empty part, no `.` or `..`, only the characters [a-z0-9_/.-], shorter than CT_PATH_BYTES.
bool ct_path_is_canonical(const char *path);
