// path.h: text operations on file paths with `/`; nothing here touches the disk.
#pragma once
#include "foundation/types.h"

enum { CT_PATH_BYTES = 1024 };

// Writes `folder`/`name` to `path` of CT_PATH_BYTES; an absolute `name`, or an empty `folder`,
// gives `name` alone. A path that does not fit is a bug.
void ct_path_join(char path[CT_PATH_BYTES], const char *folder, const char *name);

// As ct_path_join, for names from outside: returns false and leaves `path` alone when it does not
// fit. `path` and `folder` may be the same buffer in both.
bool ct_path_try_join(char path[CT_PATH_BYTES], const char *folder, const char *name);

// Writes the folder part of `path` ("" when there is none, "/" for what lies in the root) to
// `folder` of CT_PATH_BYTES.
void ct_path_folder(char folder[CT_PATH_BYTES], const char *path);

// The part after the last `/`; points into `path`.
const char *ct_path_file_name(const char *path);

// The part after the last `.` of the file name; "" when there is none. Points into `path`.
const char *ct_path_extension(const char *path);

// True when `path` is a project path as references write it: `/`-separated, relative, no empty
// part, no `.` or `..`, characters [a-z0-9_/.-] only, shorter than CT_PATH_BYTES.
bool ct_path_is_canonical(const char *path);
