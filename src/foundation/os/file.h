// file.h: whole files and folders, on top of os.h. Any thread.
#pragma once
#include "foundation/os/path.h"
#include "foundation/types.h"

// Reads the whole file to memory from `a`, followed by a zero byte that is not counted. Returns
// NULL with `error` (which names the path) when it cannot be read, and without waiting when it is
// no regular file. Owned by the caller: ct_free(a, data).
char *ct_file_read(ct_allocator *a, const char *path, uint64_t *size_bytes, ct_error *error);

// As ct_file_read, for what somebody named on a command line: a pipe or a device is read to its end.
char *ct_file_read_input(ct_allocator *a, const char *path, uint64_t *size_bytes, ct_error *error);

// Writes the file whole or not at all: to a temporary beside it, then renamed over it. `durable`
// also waits for the disk. Returns false with `error` and leaves the old file.
bool ct_file_write(const char *path, const void *data, uint64_t size_bytes, bool durable,
                   ct_error *error);

// Renames a file that cannot be read to `path`.old, which it replaces, before a new one is written in
// its place. True when there is none. Returns false with `error` and leaves the file.
bool ct_file_put_aside(const char *path, ct_error *error);

// Waits until the names in the folder of `path` are on the disk: a rename is when its folder is.
bool ct_file_sync_folder_of(const char *path, ct_error *error);

// As ct_file_write, for files that people own: one that is there keeps its permissions and is
// refused when it is read-only, and behind a link the file that it leads to is written.
bool ct_file_replace(const char *path, const void *data, uint64_t size_bytes, bool durable,
                     ct_error *error);

// Writes a file that somebody named as an output. Through a link, to a pipe or to a device it
// writes in place; anything else as ct_file_replace, and then it removes temporary files that killed
// processes left in the folder. Returns false with `error`.
bool ct_file_write_output(const char *path, const void *data, uint64_t size_bytes, bool durable,
                          ct_error *error);

// Writes to `temporary` of CT_PATH_BYTES a name in the folder of `path` that no other thread or
// process uses, and that walks and watches pass over. False with `error` when it is too long.
bool ct_file_temporary_path(const char *path, char temporary[CT_PATH_BYTES], ct_error *error);

// Writes the absolute path of a file that need not be there to `absolute` of CT_PATH_BYTES; false
// with `error` when its folder is not there. A link to a file stays one.
bool ct_file_absolute_path(const char *path, char absolute[CT_PATH_BYTES], ct_error *error);

// Makes the folder and those above it; one that exists is fine.
bool ct_folder_create(const char *path, ct_error *error);

// Removes the folder and everything below it; one that does not exist is fine. Links are removed,
// not followed.
bool ct_folder_remove(const char *path, ct_error *error);

// Copies all files below `source`, hidden ones too, into `target`, which is made when it does not
// exist. Symbolic links to folders are passed over.
bool ct_folder_copy(const char *source, const char *target, ct_error *error);

// One file found by ct_folder_walk. The strings are borrowed for the call.
typedef struct ct_found_file {
    const char *path; // from the walked folder, without it
    uint64_t size_bytes;
    int64_t modified_ns, changed_ns; // as in ct_file_info
    uint64_t inode;
    bool is_link; // the rest is of what it points to
    // These of ct_folder_walk_all only:
    bool is_folder;      // a symbolic link to one, one whose path is too long, or is_unlisted
    bool is_unlisted;    // a folder that cannot be listed; some of what is in it may be told
    bool is_other;       // a pipe, socket or device
    bool is_broken_link; // to nothing
    bool is_too_long;    // the path with the walked folder has CT_PATH_BYTES or more
} ct_found_file;

// Calls `visit` for every regular file below `folder`, in the order of their paths' bytes. Names
// that start with `.` and symbolic links to folders are passed over. `visit` returns false to end
// the walk. Returns false with `error` when the folder cannot be read.
bool ct_folder_walk(const char *folder, bool (*visit)(void *user, const ct_found_file *file),
                    void *user, ct_error *error);

// As ct_folder_walk, and calls `visit` also for what cannot be followed: symbolic links to folders
// and to nothing, pipes, sockets and devices, and, which end ct_folder_walk with `error`, folders
// below `folder` that cannot be listed, and files and folders whose paths are too long.
bool ct_folder_walk_all(const char *folder, bool (*visit)(void *user, const ct_found_file *file),
                        void *user, ct_error *error);
