#include "save/save_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/os/file.h"
#include "foundation/os/os.h"

// --- Names ---------------------------------------------------------------------------------------

static bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

bool ct_save_name_check(const char *name, ct_error *error) {
    const size_t bytes = strlen(name);
    bool is_right =
        bytes > 0 && bytes < CT_SAVE_NAME_BYTES && name[0] != ' ' && name[bytes - 1] != ' ';
    for (const char *c = name; is_right && *c; ++c)
        is_right = is_plain(*c) || *c == ' ';
    return is_right || ct_error_set(error,
                                    "the name of a saved game has 1 to %d letters, digits, _, - "
                                    "and spaces; got \"%.80s\"",
                                    CT_SAVE_NAME_BYTES - 1, name);
}

bool ct_save_path(const char *folder, const char *name, bool is_kept, char path[CT_PATH_BYTES],
                  ct_error *error) {
    const int bytes = snprintf(path, CT_PATH_BYTES, "%s/%s" CT_SAVE_EXTENSION "%s", folder, name,
                               is_kept ? ".kept" : "");
    return (bytes > 0 && bytes < CT_PATH_BYTES) ||
           ct_error_set(error, "the path of the saved game \"%s\" is too long", name);
}

// --- Reading -------------------------------------------------------------------------------------

// Returns the bytes of one file of a slot; NULL with `error` when the system refuses them.
static char *read_bytes(ct_allocator *a, const char *path, uint64_t *bytes, ct_error *error) {
    const ct_file_info info = ct_os_file_info(path);
    if (info.kind == CT_FILE_KIND_FILE && info.size_bytes > CT_SAVE_MAX_BYTES) {
        ct_error_set(error, "%s: found %llu bytes; expected at most %llu", path,
                     (unsigned long long)info.size_bytes, (unsigned long long)CT_SAVE_MAX_BYTES);
        return NULL;
    }
    return ct_file_read(a, path, bytes, error);
}

// Reads one file of a slot. Messages begin with its path.
static ct_save_file *read_one(ct_allocator *a, const char *path, bool only_info, ct_error *error) {
    uint64_t bytes;
    char *const data = read_bytes(a, path, &bytes, error);
    if (!data)
        return NULL;
    ct_error inner = {0};
    ct_save_file *const file = ct_save_file_read(a, data, bytes, only_info, &inner);
    ct_free(a, data);
    if (!file)
        ct_error_set(error, "%s: %.600s", path, inner.message);
    return file;
}

ct_save_file *ct_save_store_read(ct_allocator *a, const char *folder, const char *name,
                                 bool only_info, char *warning, uint32_t warning_bytes,
                                 ct_error *error) {
    char newest[CT_PATH_BYTES], kept[CT_PATH_BYTES];
    ct_error first = {0};
    warning[0] = '\0';
    if (!ct_save_name_check(name, error) || !ct_save_path(folder, name, false, newest, error) ||
        !ct_save_path(folder, name, true, kept, error))
        return NULL;
    if (!ct_save_store_exists(folder, name)) {
        ct_error_set(error, "there is no saved game \"%s\"", name);
        return NULL;
    }
    ct_save_file *file = read_one(a, newest, only_info, &first);
    if (file)
        return file;
    file = read_one(a, kept, only_info, NULL);
    if (file)
        snprintf(warning, warning_bytes, "%.800s; the one before it was loaded", first.message);
    else
        ct_error_set(error, "%.800s; there is no good one before it", first.message);
    return file;
}

// --- Writing -------------------------------------------------------------------------------------

// Looks at the newest file before another one takes its place: `is_good` when it is to be kept. Returns
// false with `error` when it is not damaged but cannot be read here: it must stay then.
static bool look_at_newest(ct_allocator *a, const char *path, bool *is_good, ct_error *error) {
    ct_error inner = {0};
    uint64_t bytes;
    *is_good = false;
    if (ct_os_file_info(path).kind == CT_FILE_KIND_NONE)
        return true;
    char *const data = read_bytes(a, path, &bytes, &inner);
    ct_save_file *const file = data ? ct_save_file_read(a, data, bytes, false, &inner) : NULL;
    *is_good = file != NULL;
    const bool may_go = file || (data && ct_save_file_is_damaged(a, data, bytes));
    ct_save_file_free(file);
    ct_free(a, data);
    return may_go || ct_error_set(error,
                                  "the file that is there cannot be read, so it is not "
                                  "overwritten: %.600s; save to another slot, or delete this one",
                                  inner.message);
}

// Temporary files of a slot are hidden, and have the process in their names: ".name.save.PID.tmp".
static bool temporary_path(const char *folder, const char *name, const char *what,
                           char path[CT_PATH_BYTES], ct_error *error) {
    const int bytes = snprintf(path, CT_PATH_BYTES, "%s/.%s" CT_SAVE_EXTENSION ".%lld.%s", folder,
                               name, (long long)ct_os_process_id(), what);
    return (bytes > 0 && bytes < CT_PATH_BYTES) ||
           ct_error_set(error, "the path of the saved game \"%s\" is too long", name);
}

typedef struct tidying {
    const char *folder, *name;
} tidying;

// Removes a temporary file of the slot whose process has ended.
static void remove_left(void *user, const char *file) {
    const tidying *const t = user;
    char start[CT_SAVE_NAME_BYTES + 16], path[CT_PATH_BYTES];
    const int bytes = snprintf(start, sizeof(start), ".%s" CT_SAVE_EXTENSION ".", t->name);
    if (strncmp(file, start, (size_t)bytes) != 0)
        return;
    const long long process = strtoll(file + bytes, NULL, 10);
    const int length = snprintf(path, sizeof(path), "%s/%s", t->folder, file);
    if (process > 0 && !ct_os_process_exists(process) && length > 0 && length < CT_PATH_BYTES)
        ct_os_file_remove(path, NULL);
}

// Makes the newest file the kept one, too.
static bool keep_newest(const char *newest, const char *kept, const char *link, ct_error *error) {
    if (ct_os_file_info(link).kind != CT_FILE_KIND_NONE)
        ct_os_file_remove(link, NULL);
    if (!ct_os_file_link(newest, link, NULL)) // the file system has no such links
        return ct_os_file_rename(newest, kept, error);
    const bool is_kept = ct_os_file_rename(link, kept, error);
    // It is still there after a failure, and when both were one file already, as after a kill between
    // this and the renaming of the new one: such a rename does nothing.
    ct_os_file_remove(link, NULL);
    return is_kept;
}

static bool write_temporary(const char *path, const ct_byte_array *bytes, ct_error *error) {
    const int file = ct_os_file_open_write(path, error);
    if (file < 0)
        return false;
    const bool is_written =
        ct_os_file_write(file, bytes->items, bytes->count, error) && ct_os_file_sync(file, error);
    ct_os_file_close(file);
    return is_written;
}

static bool write_bytes(ct_allocator *a, const char *folder, const char *name,
                        const ct_byte_array *bytes, ct_error *error) {
    char newest[CT_PATH_BYTES], kept[CT_PATH_BYTES], temporary[CT_PATH_BYTES], link[CT_PATH_BYTES];
    tidying left = {folder, name};
    bool is_good;
    if (!ct_folder_create(folder, error) || !ct_save_path(folder, name, false, newest, error) ||
        !ct_save_path(folder, name, true, kept, error) ||
        !temporary_path(folder, name, "tmp", temporary, error) ||
        !temporary_path(folder, name, "keep", link, error))
        return false;
    ct_os_folder_list(folder, remove_left, &left, NULL);
    if (!look_at_newest(a, newest, &is_good, error))
        return false;
    if (write_temporary(temporary, bytes, error) &&
        (!is_good || keep_newest(newest, kept, link, error)) &&
        ct_os_file_rename(temporary, newest, error))
        return ct_file_sync_folder_of(newest, error);
    ct_os_file_remove(temporary, NULL);
    return false;
}

// Reads what was made as a later run will: what cannot be read must not take the place of what can.
static bool can_read(ct_allocator *a, const ct_byte_array *bytes, ct_error *error) {
    ct_error inner = {0};
    ct_save_file *const file = ct_save_file_read(a, bytes->items, bytes->count, false, &inner);
    ct_save_file_free(file);
    return file || ct_error_set(error, "the game could not be read again: %.600s", inner.message);
}

bool ct_save_store_write(ct_allocator *a, const char *folder, const char *name,
                         const ct_save_section *sections, uint32_t count, ct_error *error) {
    ct_byte_array bytes;
    if (!ct_save_name_check(name, error))
        return false;
    ct_array_init(&bytes, a);
    const bool is_written = ct_save_file_write(sections, count, &bytes, error) &&
                            can_read(a, &bytes, error) &&
                            write_bytes(a, folder, name, &bytes, error);
    ct_array_free(&bytes);
    return is_written;
}

// --- Slots ---------------------------------------------------------------------------------------

typedef struct found_names {
    ct_allocator *allocator;
    ct_string_array names;
    bool is_done; // one is enough
} found_names;

// Writes the slot of a file's name; false for other files.
static bool slot_of(const char *file, char name[CT_SAVE_NAME_BYTES]) {
    const char *const extension = strstr(file, CT_SAVE_EXTENSION);
    if (!extension || (strcmp(extension, CT_SAVE_EXTENSION) != 0 &&
                       strcmp(extension, CT_SAVE_EXTENSION ".kept") != 0))
        return false;
    const size_t bytes = (size_t)(extension - file);
    if (bytes >= CT_SAVE_NAME_BYTES)
        return false;
    memcpy(name, file, bytes);
    name[bytes] = '\0';
    return ct_save_name_check(name, NULL);
}

static void find_name(void *user, const char *file) {
    found_names *const found = user;
    char name[CT_SAVE_NAME_BYTES];
    if (!slot_of(file, name))
        return;
    for (uint32_t i = 0; i < found->names.count; ++i) {
        if (strcmp(found->names.items[i], name) == 0)
            return;
    }
    ct_array_push(&found->names, ct_copy_string(found->allocator, name));
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool ct_save_store_list(ct_allocator *a, const char *folder,
                        void (*visit)(void *user, const char *name), void *user, ct_error *error) {
    found_names found = {.allocator = a};
    if (ct_os_file_info(folder).kind == CT_FILE_KIND_NONE)
        return true;
    ct_array_init(&found.names, a);
    const bool is_listed = ct_os_folder_list(folder, find_name, &found, error);
    if (is_listed && found.names.count > 1)
        qsort(found.names.items, found.names.count, sizeof(*found.names.items), compare_names);
    for (uint32_t i = 0; i < found.names.count; ++i) {
        if (is_listed)
            visit(user, found.names.items[i]);
        ct_free(a, found.names.items[i]);
    }
    ct_array_free(&found.names);
    return is_listed;
}

static void note_slot(void *user, const char *file) {
    char name[CT_SAVE_NAME_BYTES];
    *(bool *)user |= slot_of(file, name);
}

bool ct_save_store_exists(const char *folder, const char *name) {
    char path[CT_PATH_BYTES];
    bool is_there = false;
    if (!name) {
        if (ct_os_file_info(folder).kind != CT_FILE_KIND_NONE)
            ct_os_folder_list(folder, note_slot, &is_there, NULL);
        return is_there;
    }
    for (uint32_t i = 0; i < 2 && !is_there; ++i)
        is_there = ct_save_path(folder, name, i == 1, path, NULL) &&
                   ct_os_file_info(path).kind == CT_FILE_KIND_FILE;
    return is_there;
}

bool ct_save_store_delete(const char *folder, const char *name, ct_error *error) {
    char path[CT_PATH_BYTES];
    if (!ct_save_name_check(name, error))
        return false;
    for (uint32_t i = 0; i < 2; ++i) { // the newest last: a slot does not come back half
        if (!ct_save_path(folder, name, i == 0, path, error))
            return false;
        if (ct_os_file_info(path).kind != CT_FILE_KIND_NONE && !ct_os_file_remove(path, error))
            return false;
    }
    return true;
}
