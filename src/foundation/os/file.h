// file.h: whole files and folders, on top of os.h. Any thread.
#pragma once
#include "foundation/os/path.h"
#include "foundation/types.h"

// Reads the whole file into memory from `a` and appends a zero byte, which is not counted. Returns
// NULL with `error` (which names the path) when the file cannot be read or is not a regular file;
// it never waits for one. Owned by the caller: ct_free(a, data).
char *ct_file_read(ct_allocator *a, const char *path, uint64_t *size_bytes, ct_error *error);

// Reads a file as ct_file_read does, and a pipe or a device to its end. For files that a user named
// on a command line.
char *ct_file_read_input(ct_allocator *a, const char *path, uint64_t *size_bytes, ct_error *error);

// Writes the whole file or nothing: to a temporary beside it, which is then renamed over it.
// `durable` also waits for the disk. Returns false with `error` and leaves the old file unchanged.
bool ct_file_write(const char *path, const void *data, uint64_t size_bytes, bool durable,
                   ct_error *error);

// Renames a file that cannot be read to `path`.old (replacing an old one), so that a new file can
// take its place. Returns true when there is no file at `path`. Returns false with `error` and
// leaves the file unchanged.
bool ct_file_put_aside(const char *path, ct_error *error);

// Waits until the names in the folder of `path` are on the disk: a rename is safe only once its
// folder is.
bool ct_file_sync_folder_of(const char *path, ct_error *error);

// Writes a file as ct_file_write does, for files that people own: an existing file keeps its
// permissions, and a read-only file is an error. Follows a link to the file it points to.
bool ct_file_replace(const char *path, const void *data, uint64_t size_bytes, bool durable,
                     ct_error *error);

// Writes a file that a user named as an output. A link, pipe or device is written in place.
// Anything else is written as ct_file_replace does, after removing temporary files that killed
// processes left in the folder. Returns false with `error`.
bool ct_file_write_output(const char *path, const void *data, uint64_t size_bytes, bool durable,
                          ct_error *error);

// Writes to `temporary` a path in the folder of `path` that no other thread or process uses, and
// that walks and watches skip. Returns false with `error` when it is too long.
bool ct_file_temporary_path(const char *path, char temporary[CT_PATH_BYTES], ct_error *error);

// Writes the absolute path of a file, which need not exist, to `absolute`. A link to a file is not
// followed. Returns false with `error` when the folder does not exist.
bool ct_file_absolute_path(const char *path, char absolute[CT_PATH_BYTES], ct_error *error);

// Makes the folder and its parents; an existing folder is fine.
bool ct_folder_create(const char *path, ct_error *error);

// Removes the folder and everything below it; a folder that does not exist is fine. Links are
// removed, not followed.
bool ct_folder_remove(const char *path, ct_error *error);

// Copies all files below `source`, including hidden ones, into `target`, which is created when
// missing. Symbolic links to folders are skipped.
bool ct_folder_copy(const char *source, const char *target, ct_error *error);

// A file found by ct_folder_walk. The strings are borrowed for the call.
typedef struct ct_found_file {
    const char *path; // relative to the walked folder
    uint64_t size_bytes;
    int64_t modified_ns, changed_ns; // as in ct_file_info
    uint64_t inode;
    bool is_link; // the other members describe what it points to
    // Set by ct_folder_walk_all only:
    bool is_folder;      // a link to a folder, a folder whose path is too long, or is_unlisted
    bool is_unlisted;    // a folder that cannot be listed; part of its content may be visited
    bool is_other;       // a pipe, socket or device
    bool is_broken_link; // its target does not exist
    bool is_too_long;    // the path including the walked folder has CT_PATH_BYTES or more
} ct_found_file;

// Calls `visit` for every regular file below `folder`, in byte order of the paths. Names that start
// with `.` and symbolic links to folders are skipped. `visit` returns false to end the walk.
// Returns false with `error` when the folder cannot be read.
bool ct_folder_walk(const char *folder, bool (*visit)(void *user, const ct_found_file *file),
                    void *user, ct_error *error);

// Walks a folder as ct_folder_walk does, and also calls `visit` for entries that it cannot follow:
// symbolic links to folders or to nothing, pipes, sockets and devices. It also visits the entries
// that make ct_folder_walk fail: folders below `folder` that cannot be listed, and files and
// folders whose paths are too long.
bool ct_folder_walk_all(const char *folder, bool (*visit)(void *user, const ct_found_file *file),
                        void *user, ct_error *error);
