#include "compiler/import_write.h"

#include <stdio.h>

#include "foundation/error.h"
#include "foundation/file.h"
#include "foundation/os.h"
#include "foundation/path.h"

void ct_import_writes_init(ct_import_writes *w, ct_allocator *a, const char *folder) {
    *w = (ct_import_writes){.allocator = a, .folder = folder};
    ct_array_init(&w->items, a);
    ct_array_init(&w->removed, a);
}

void ct_import_writes_add(ct_import_writes *w, const char *path, const void *bytes,
                          uint64_t size_bytes) {
    ct_array_push(&w->items, (ct_import_write){path, bytes, size_bytes});
}

void ct_import_writes_remove(ct_import_writes *w, const char *path) {
    ct_array_push(&w->removed, (char *)(uintptr_t)path);
}

// Names that start with a dot are passed over by everything that looks at projects.
static bool temporary_path(const ct_import_writes *w, uint32_t i, char path[CT_PATH_BYTES],
                           ct_error *error) {
    char folder[CT_PATH_BYTES], name[64];
    snprintf(name, sizeof(name), ".import-%lld-%u.tmp", (long long)ct_os_process_id(), i);
    if (!ct_path_try_join(path, w->folder, w->items.items[i].path))
        return ct_error_set(error, "the path %s is too long", w->items.items[i].path);
    ct_path_folder(folder, path);
    return ct_path_try_join(path, folder, name) ||
           ct_error_set(error, "the path %s is too long", w->items.items[i].path);
}

static bool write_temporary(const ct_import_writes *w, uint32_t i, ct_error *error) {
    char path[CT_PATH_BYTES], folder[CT_PATH_BYTES];
    if (!temporary_path(w, i, path, error))
        return false;
    ct_path_folder(folder, path);
    return ct_folder_create(folder, error) &&
           ct_file_write(path, w->items.items[i].bytes, w->items.items[i].size_bytes, false, error);
}

static void remove_temporaries(const ct_import_writes *w, uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i < end; i++) {
        char path[CT_PATH_BYTES];
        ct_error ignored;
        if (temporary_path(w, i, path, &ignored))
            ct_os_file_remove(path, &ignored);
    }
}

bool ct_import_writes_run(ct_import_writes *w, ct_error *error) {
    char from[CT_PATH_BYTES], to[CT_PATH_BYTES];
    for (uint32_t i = 0; i < w->items.count; i++) {
        if (!write_temporary(w, i, error)) {
            remove_temporaries(w, 0, i);
            return false;
        }
    }
    for (uint32_t i = 0; i < w->items.count; i++) {
        ct_path_join(to, w->folder, w->items.items[i].path);
        if (!temporary_path(w, i, from, error) || !ct_os_file_rename(from, to, error)) {
            remove_temporaries(w, i, w->items.count);
            return false;
        }
    }
    for (uint32_t i = 0; i < w->removed.count; i++) {
        ct_path_join(to, w->folder, w->removed.items[i]);
        if (!ct_os_file_remove(to, error))
            return false;
    }
    return true;
}
