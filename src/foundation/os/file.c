#include "foundation/os/file.h"
#include "foundation/container/array.h"
#include "foundation/error.h"
#include "foundation/memory/memory.h"
#include "foundation/os/os.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool path_too_long(ct_error *error, const char *folder, const char *name) {
    // The path comes last: the message may be cut.
    return ct_error_set(error, "a path is longer than %d bytes: %s%s%s", CT_PATH_BYTES - 1, folder,
                        folder[0] ? "/" : "", name);
}

bool ct_file_absolute_path(const char *path, char absolute[CT_PATH_BYTES], ct_error *error) {
    char folder[CT_PATH_BYTES];
    if (strlen(path) >= CT_PATH_BYTES)
        return path_too_long(error, "", path);
    ct_path_folder(folder, path);
    if (!ct_os_absolute_path(folder[0] ? folder : ".", folder, error))
        return false;
    const char *const name = ct_path_file_name(path);
    return ct_path_try_join(absolute, folder, name) || path_too_long(error, folder, name);
}

// --- Whole files ---------------------------------------------------------------------------------

// Reads `file` to its end, even when its size differs from `expected_bytes`. Returns NULL when
// reading fails.
static char *read_to_end(ct_allocator *a, int file, uint64_t expected_bytes, uint64_t *size_bytes) {
    uint64_t capacity = expected_bytes + 1; // room for the zero, and to see the end without growing
    uint64_t count = 0;
    char *data = ct_alloc(a, capacity);
    for (;;) {
        const int64_t got = ct_os_file_read(file, data + count, capacity - count);
        if (got < 0) {
            ct_free(a, data);
            return NULL;
        }
        if (got == 0)
            break;
        count += (uint64_t)got;
        if (count == capacity) {
            data = ct_realloc(a, data, capacity, capacity * 2);
            capacity *= 2;
        }
    }
    data[count] = 0;
    *size_bytes = count;
    return data;
}

static char *read_open_file(ct_allocator *a, const char *path, int file, uint64_t expected_bytes,
                            uint64_t *size_bytes, ct_error *error) {
    if (file < 0)
        return NULL;
    char *const data = read_to_end(a, file, expected_bytes, size_bytes);
    ct_os_file_close(file);
    if (!data)
        ct_error_set(error, "cannot read %s: the disk or its file system failed", path);
    return data;
}

char *ct_file_read(ct_allocator *a, const char *path, uint64_t *size_bytes, ct_error *error) {
    const ct_file_info info = ct_os_file_info(path);
    if (info.kind == CT_FILE_KIND_FOLDER) {
        ct_error_set(error, "cannot read %s: it is a folder", path);
        return NULL;
    }
    const int file = ct_os_file_open_data(path, error);
    return read_open_file(a, path, file, info.size_bytes, size_bytes, error);
}

char *ct_file_read_input(ct_allocator *a, const char *path, uint64_t *size_bytes, ct_error *error) {
    const ct_file_info info = ct_os_file_info(path);
    if (info.kind != CT_FILE_KIND_OTHER)
        return ct_file_read(a, path, size_bytes, error);
    const int file = ct_os_file_open_read(path, error);
    return read_open_file(a, path, file, 0, size_bytes, error);
}

bool ct_file_temporary_path(const char *path, char temporary[CT_PATH_BYTES], ct_error *error) {
    char folder[CT_PATH_BYTES], name[64];
    if (strlen(path) >= CT_PATH_BYTES)
        return path_too_long(error, "", path);
    ct_path_folder(folder, path);
    snprintf(name, sizeof(name), ".%llx-%llx.tmp", (unsigned long long)ct_os_process_id(),
             (unsigned long long)ct_thread_current_id());
    return ct_path_try_join(temporary, folder, name) || path_too_long(error, folder, name);
}

static bool write_new_file(const char *path, const void *data, uint64_t size_bytes, bool durable,
                           ct_error *error) {
    const int file = ct_os_file_open_write(path, error);
    if (file < 0)
        return false;
    const bool result = ct_os_file_write(file, data, size_bytes, error) &&
                        (!durable || ct_os_file_sync(file, error));
    ct_os_file_close(file);
    return result;
}

bool ct_file_sync_folder_of(const char *path, ct_error *error) {
    char folder[CT_PATH_BYTES];
    ct_path_folder(folder, path);
    const int file = ct_os_file_open_read(folder[0] ? folder : ".", error);
    if (file < 0)
        return false;
    const bool result = ct_os_file_sync(file, error);
    ct_os_file_close(file);
    return result;
}

// The reason in "cannot write <path>: <reason>", or in "… the file: <reason>", for an error that
// names another path.
static const char *reason_of(const ct_error *cause, const char *path) {
    const char *const subjects[] = {path, "the file"};
    for (uint32_t i = 0; i < CT_COUNT_OF(subjects); ++i) {
        const char *const at = strstr(cause->message, subjects[i]);
        const char *const end = at ? at + strlen(subjects[i]) : "";
        if (strncmp(end, ": ", 2) == 0)
            return end + 2;
    }
    return cause->message;
}

// Writes a file and renames it over `path`, with the permissions of `model` (NULL: as new files
// have them).
static bool write_over(const char *path, const char *model, const void *data, uint64_t size_bytes,
                       bool durable, ct_error *error) {
    char temporary[CT_PATH_BYTES];
    if (!ct_file_temporary_path(path, temporary, error))
        return false;
    ct_error cause = {0};
    const bool is_written = write_new_file(temporary, data, size_bytes, durable, &cause) &&
                            (!model || ct_os_file_copy_permissions(temporary, model, &cause));
    if (is_written && ct_os_file_rename(temporary, path, &cause))
        return !durable || ct_file_sync_folder_of(path, error);
    ct_os_file_remove(temporary, NULL);
    return ct_error_set(error, "cannot write %s: %s", path,
                        reason_of(&cause, is_written ? path : temporary));
}

bool ct_file_write(const char *path, const void *data, uint64_t size_bytes, bool durable,
                   ct_error *error) {
    return write_over(path, NULL, data, size_bytes, durable, error);
}

bool ct_file_replace(const char *path, const void *data, uint64_t size_bytes, bool durable,
                     ct_error *error) {
    char place[CT_PATH_BYTES];
    if (ct_os_file_info(path).kind == CT_FILE_KIND_NONE || !ct_os_absolute_path(path, place, NULL))
        return write_over(path, NULL, data, size_bytes, durable, error);
    if (!ct_os_file_is_writable(place))
        return ct_error_set(error, "cannot write %s: it is read-only", path);
    return write_over(place, place, data, size_bytes, durable, error);
}

// --- Outputs -------------------------------------------------------------------------------------

// Removes a temporary file left by a process that was killed.
static void remove_temporary(void *user, const char *name) {
    const char *const folder = user;
    char path[CT_PATH_BYTES], *end = NULL;
    if (name[0] != '.')
        return;
    const int64_t process = (int64_t)strtoull(name + 1, &end, 16);
    if (end == name + 1 || *end != '-' || process <= 0)
        return;
    strtoull(end + 1, &end, 16);
    if (strcmp(end, ".tmp") == 0 && !ct_os_process_exists(process) &&
        ct_path_try_join(path, folder, name))
        ct_os_file_remove(path, NULL);
}

bool ct_file_write_output(const char *path, const void *data, uint64_t size_bytes, bool durable,
                          ct_error *error) {
    char folder[CT_PATH_BYTES];
    const ct_file_info info = ct_os_file_info(path);
    if (info.is_link || info.kind == CT_FILE_KIND_OTHER)
        return write_new_file(path, data, size_bytes, false,
                              error); // a device has no disk to wait for
    if (strlen(path) >= CT_PATH_BYTES)
        return path_too_long(error, "", path);
    ct_path_folder(folder, path);
    if (folder[0] == 0)
        strcpy(folder, ".");
    ct_os_folder_list(folder, remove_temporary, folder, NULL);
    return ct_file_replace(path, data, size_bytes, durable, error);
}

// --- Collecting what is below a folder -----------------------------------------------------------

typedef struct collected_file {
    uint64_t path_offset; // into `paths`
    const char *path;     // set when all are there
    ct_file_info info;
    bool is_too_long, is_unlisted;
} collected_file;

// The regular files below a folder, and their paths from it.
typedef struct collection {
    const char *root;
    bool with_hidden; // also names that start with `.`
    bool with_all;    // also entries that cannot be followed: links to folders and to nothing, long
                      // paths, folders that cannot be listed, entries that are neither file nor
                      // folder
    CT_ARRAY(collected_file) files;
    ct_byte_array paths;      // zero-terminated, one after the other
    char path[CT_PATH_BYTES]; // of the current entry, including the root
    ct_error *error;
    bool failed;
} collection;

static void collect_folder(collection *c);

// The path of the current entry, relative to the root.
static const char *path_from_root(const collection *c) {
    const char *const path = c->path + strlen(c->root);
    return path + (*path == '/');
}

static void collect_file(collection *c, const ct_file_info *info) {
    const char *const path = path_from_root(c);
    const collected_file file = {.path_offset = c->paths.count, .info = *info};
    ct_array_push_many(&c->paths, (const uint8_t *)path, (uint32_t)strlen(path) + 1);
    ct_array_push(&c->files, file);
}

// Collects an entry of the current folder whose path is too long.
static void collect_too_long(collection *c, const char *name, const ct_file_info *info) {
    const char *const folder = path_from_root(c);
    const collected_file file = {.path_offset = c->paths.count, .info = *info, .is_too_long = true};
    ct_array_push_many(&c->paths, (const uint8_t *)folder, (uint32_t)strlen(folder));
    if (folder[0])
        ct_array_push(&c->paths, '/');
    ct_array_push_many(&c->paths, (const uint8_t *)name, (uint32_t)strlen(name) + 1);
    ct_array_push(&c->files, file);
}

static void collect_entry(void *user, const char *name, const ct_file_info *info) {
    collection *c = user;
    if (c->failed || (name[0] == '.' && !c->with_hidden))
        return;
    const size_t length = strlen(c->path);
    if (!ct_path_try_join(c->path, c->path, name)) {
        c->failed = !c->with_all;
        if (c->with_all)
            collect_too_long(c, name, info);
        else
            path_too_long(c->error, c->path, name);
        return;
    }
    if (info->kind == CT_FILE_KIND_FILE || (info->kind == CT_FILE_KIND_OTHER && c->with_all) ||
        (info->kind == CT_FILE_KIND_NONE && info->is_link && c->with_all))
        collect_file(c, info);
    else if (info->kind == CT_FILE_KIND_FOLDER && (!info->is_link || c->with_all))
        info->is_link ? collect_file(c, info) : collect_folder(c);
    c->path[length] = 0;
}

static void collect_folder(collection *c) {
    ct_error error = {0};
    if (ct_os_folder_list_infos(c->path, collect_entry, c, &error))
        return;
    // A folder that was removed meanwhile holds nothing, but the root must exist.
    const bool is_root = strcmp(c->path, c->root) == 0;
    if (!is_root && ct_os_file_info(c->path).kind == CT_FILE_KIND_NONE)
        return;
    if (!is_root && c->with_all) {
        collect_file(c, &(ct_file_info){.kind = CT_FILE_KIND_FOLDER});
        c->files.items[c->files.count - 1].is_unlisted = true;
        return;
    }
    c->failed = true;
    ct_error_set(c->error, "%s", error.message);
}

static int compare_files(const void *a, const void *b) {
    return strcmp(((const collected_file *)a)->path, ((const collected_file *)b)->path);
}

// Fills `c`, whose options are set, with the files below `folder`, sorted by path. Release it even
// after a failure.
static bool collect(collection *c, const char *folder, ct_error *error) {
    c->root = folder;
    c->error = error;
    ct_array_init(&c->files, ct_memory_heap());
    ct_array_init(&c->paths, ct_memory_heap());
    if (!ct_path_try_join(c->path, "", folder))
        return path_too_long(error, "", folder);
    collect_folder(c);
    for (uint32_t i = 0; i < c->files.count; ++i)
        c->files.items[i].path = (const char *)c->paths.items + c->files.items[i].path_offset;
    if (c->files.count > 0)
        qsort(c->files.items, c->files.count, sizeof(c->files.items[0]), compare_files);
    return !c->failed;
}

static void release(collection *c) {
    ct_array_free(&c->files);
    ct_array_free(&c->paths);
}

// --- Folders -------------------------------------------------------------------------------------

static bool walk(collection *c, const char *folder,
                 bool (*visit)(void *user, const ct_found_file *file), void *user,
                 ct_error *error) {
    if (!collect(c, folder, error))
        return false;
    for (uint32_t i = 0; i < c->files.count; ++i) {
        const collected_file *const file = &c->files.items[i];
        const ct_file_info *const info = &file->info;
        const ct_found_file found = {.path = file->path,
                                     .size_bytes = info->size_bytes,
                                     .modified_ns = info->modified_ns,
                                     .changed_ns = info->changed_ns,
                                     .inode = info->inode,
                                     .is_link = info->is_link,
                                     .is_folder = info->kind == CT_FILE_KIND_FOLDER,
                                     .is_unlisted = file->is_unlisted,
                                     .is_other = info->kind == CT_FILE_KIND_OTHER,
                                     .is_broken_link = info->kind == CT_FILE_KIND_NONE,
                                     .is_too_long = file->is_too_long};
        if (!visit(user, &found))
            break;
    }
    return true;
}

bool ct_folder_walk(const char *folder, bool (*visit)(void *user, const ct_found_file *file),
                    void *user, ct_error *error) {
    CT_CLEANUP(release) collection c = {0};
    return walk(&c, folder, visit, user, error);
}

bool ct_folder_walk_all(const char *folder, bool (*visit)(void *user, const ct_found_file *file),
                        void *user, ct_error *error) {
    CT_CLEANUP(release) collection c = {.with_all = true};
    return walk(&c, folder, visit, user, error);
}

bool ct_folder_create(const char *path, ct_error *error) {
    char part[CT_PATH_BYTES];
    if (!ct_path_try_join(part, "", path))
        return path_too_long(error, "", path);
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (!ct_os_folder_make(part, error))
            return false;
        *slash = '/';
    }
    return part[0] == 0 || ct_os_folder_make(part, error);
}

static bool copy_file(const char *source, const char *target, ct_error *error) {
    char folder[CT_PATH_BYTES];
    ct_path_folder(folder, target);
    if (!ct_folder_create(folder, error))
        return false;
    uint64_t size_bytes = 0;
    char *const data = ct_file_read(ct_memory_heap(), source, &size_bytes, error);
    const bool result = data && ct_file_write(target, data, size_bytes, false, error);
    ct_free(ct_memory_heap(), data);
    return result;
}

bool ct_folder_copy(const char *source, const char *target, ct_error *error) {
    CT_CLEANUP(release) collection c = {.with_hidden = true};
    if (!collect(&c, source, error) || !ct_folder_create(target, error))
        return false;
    for (uint32_t i = 0; i < c.files.count; ++i) {
        char from[CT_PATH_BYTES], to[CT_PATH_BYTES];
        const char *const path = c.files.items[i].path;
        if (!ct_path_try_join(from, source, path))
            return path_too_long(error, source, path);
        if (!ct_path_try_join(to, target, path))
            return path_too_long(error, target, path);
        if (!copy_file(from, to, error))
            return false;
    }
    return true;
}

// The state of a removal: the current path, and the first failure.
typedef struct removal {
    char path[CT_PATH_BYTES];
    ct_error *error;
    bool failed;
} removal;

static void remove_tree(removal *r);

static void remove_entry(void *user, const char *name) {
    removal *const r = user;
    if (r->failed)
        return;
    const size_t length = strlen(r->path);
    if (!ct_path_try_join(r->path, r->path, name)) {
        r->failed = true;
        path_too_long(r->error, r->path, name);
        return;
    }
    remove_tree(r);
    r->path[length] = 0;
}

static void remove_tree(removal *r) {
    const ct_file_info info = ct_os_file_info(r->path);
    bool removed = true;
    if (info.is_link || info.kind == CT_FILE_KIND_FILE || info.kind == CT_FILE_KIND_OTHER)
        removed = ct_os_file_remove(r->path, r->error);
    else if (info.kind == CT_FILE_KIND_FOLDER)
        removed = ct_os_folder_list(r->path, remove_entry, r, r->error) &&
                  (r->failed || ct_os_folder_remove(r->path, r->error));
    if (!removed)
        r->failed = true;
}

bool ct_folder_remove(const char *path, ct_error *error) {
    removal r = {.error = error};
    if (!ct_path_try_join(r.path, "", path))
        return path_too_long(error, "", path);
    const ct_file_info info = ct_os_file_info(path);
    if (!info.is_link && info.kind != CT_FILE_KIND_FOLDER && info.kind != CT_FILE_KIND_NONE)
        return ct_error_set(error, "cannot remove the folder %s: it is a file", path);
    remove_tree(&r);
    return !r.failed;
}

bool ct_file_put_aside(const char *path, ct_error *error) {
    char old[CT_PATH_BYTES];
    if (ct_os_file_info(path).kind == CT_FILE_KIND_NONE)
        return true;
    if ((size_t)snprintf(old, sizeof(old), "%s.old", path) >= sizeof(old))
        return ct_error_set(error, "cannot rename %s: the path is too long", path);
    return ct_os_file_rename(path, old, error);
}
