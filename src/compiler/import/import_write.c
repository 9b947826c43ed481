#include "compiler/import/import_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/string/string_builder.h"
#include "foundation/string/string_id.h"
#include "project/source_file.h"
#include "resource/blob/content_hash.h"

enum { STAGED_NAME_BYTES = 32 };

// One line of the journal: `<hash of what comes; 0: the file goes> <is there before> <path>`.
typedef struct journal_entry {
    uint64_t hash;
    bool was_there;
    const char *path;
} journal_entry;

typedef CT_ARRAY(journal_entry) journal;

bool ct_import_writes_init(ct_import_writes *w, ct_allocator *a, const char *folder,
                           const char *name, ct_error *error) {
    *w = (ct_import_writes){.allocator = a, .folder = folder};
    ct_array_init(&w->items, a);
    char stage[64];
    snprintf(stage, sizeof(stage), ".cuttle/import/%016" PRIx64, ct_string_id64_of(name).value);
    return (ct_path_try_join(w->stage, folder, stage) &&
            strlen(w->stage) + STAGED_NAME_BYTES < CT_PATH_BYTES) ||
           ct_error_set(error, "the path %s is too long", folder);
}

void ct_import_writes_add(ct_import_writes *w, const char *path, const void *bytes,
                          uint64_t size_bytes) {
    ct_array_push(&w->items, (ct_import_write){path, bytes, size_bytes});
}

void ct_import_writes_remove(ct_import_writes *w, const char *path) {
    ct_array_push(&w->items, (ct_import_write){.path = path});
}

// --- Places --------------------------------------------------------------------------------------

static void staged(const ct_import_writes *w, const char *what, uint32_t i,
                   char path[CT_PATH_BYTES]) {
    char name[STAGED_NAME_BYTES];
    snprintf(name, sizeof(name), "%s-%u", what, i);
    ct_path_join(path, w->stage, name);
}

static void journal_path(const ct_import_writes *w, char path[CT_PATH_BYTES]) {
    ct_path_join(path, w->stage, "journal");
}

static bool place_of(const ct_import_writes *w, const char *path, char place[CT_PATH_BYTES],
                     ct_error *error) {
    return ct_path_try_join(place, w->folder, path) ||
           ct_error_set(error, "the path %s is too long", path);
}

// Makes the folder of `place`, unless a link on the way leads out of the project.
static bool make_folder(const ct_import_writes *w, const char *path, const char *place,
                        ct_error *error) {
    char folder[CT_PATH_BYTES], there[CT_PATH_BYTES];
    ct_path_folder(folder, place);
    ct_path_join(there, "", folder);
    while (ct_os_file_info(there).kind == CT_FILE_KIND_NONE && strcmp(there, w->folder) != 0) {
        char above[CT_PATH_BYTES];
        ct_path_folder(above, there);
        ct_path_join(there, "", above);
    }
    if (strcmp(there, w->folder) != 0 && !ct_source_lies_below(there, w->folder))
        return ct_error_set_at(
            error, path, 0, 0,
            "is behind a link that leads out of the project; expected a folder of the project");
    return ct_folder_create(folder, error);
}

// --- The journal ---------------------------------------------------------------------------------

static uint64_t hash_of(const void *bytes, uint64_t size_bytes) {
    const uint64_t hash = ct_content_hash(bytes, size_bytes);
    return hash ? hash : 1;
}

// The hash of what stands at `place`; 0 when there is no file.
static uint64_t hash_at(const ct_import_writes *w, const char *place) {
    uint64_t size_bytes = 0;
    if (ct_os_file_info(place).kind != CT_FILE_KIND_FILE)
        return 0;
    char *const bytes = ct_file_read(w->allocator, place, &size_bytes, NULL);
    const uint64_t hash = bytes ? hash_of(bytes, size_bytes) : 0;
    ct_free(w->allocator, bytes);
    return hash;
}

static bool write_journal(const ct_import_writes *w, const journal *entries, ct_error *error) {
    char path[CT_PATH_BYTES];
    ct_string_builder text;
    ct_string_builder_init(&text, w->allocator);
    for (uint32_t i = 0; i < entries->count; ++i) {
        const journal_entry *const e = &entries->items[i];
        ct_string_builder_addf(&text, "%016" PRIx64 " %d %s\n", e->hash, e->was_there, e->path);
    }
    journal_path(w, path);
    return ct_file_write(path, ct_string_builder_text(&text), text.length, false, error);
}

// Reads the journal; what is no line of one is passed over.
static bool read_journal(const ct_import_writes *w, journal *entries, ct_error *error) {
    char path[CT_PATH_BYTES];
    uint64_t size_bytes = 0;
    journal_path(w, path);
    char *line = ct_file_read(w->allocator, path, &size_bytes, error);
    if (!line)
        return false;
    while (*line) {
        char *const end = line + strcspn(line, "\n");
        char *const next = *end ? end + 1 : end;
        *end = 0;
        // 16 digits, a space, 0 or 1, a space.
        if (end - line > 19 && line[16] == ' ' && line[18] == ' ' &&
            ct_path_is_canonical(line + 19))
            ct_array_push(entries, (journal_entry){.hash = strtoull(line, NULL, 16),
                                                   .was_there = line[17] == '1',
                                                   .path = line + 19});
        else
            ct_array_push(entries, (journal_entry){0}); // keeps the numbers of those behind it
        line = next;
    }
    return true;
}

// --- Taking back ---------------------------------------------------------------------------------

// Brings one file back to what it was, if it is what the import made of it.
static bool take_back(const ct_import_writes *w, const journal_entry *e, uint32_t i,
                      ct_error *error) {
    char place[CT_PATH_BYTES], old[CT_PATH_BYTES];
    if (!e->path)
        return true;
    if (!place_of(w, e->path, place, error))
        return false;
    if (hash_at(w, place) != e->hash)
        return true; // it was not put there yet, or is somebody's
    if (!e->was_there)
        return e->hash == 0 || ct_os_file_remove(place, error);
    staged(w, "old", i, old);
    return ct_os_file_info(old).kind != CT_FILE_KIND_FILE || ct_os_file_rename(old, place, error);
}

// The last first. What cannot be taken back does not keep the rest from it.
static bool take_all_back(const ct_import_writes *w, const journal *entries, ct_error *error) {
    bool is_good = true;
    for (uint32_t i = entries->count; i-- > 0;) {
        ct_error ignored = {0};
        is_good &= take_back(w, &entries->items[i], i, is_good ? error : &ignored);
    }
    return is_good;
}

// The journal first: without it nothing is to be taken back.
static bool remove_stage(const ct_import_writes *w, ct_error *error) {
    char path[CT_PATH_BYTES];
    journal_path(w, path);
    if (ct_os_file_info(path).kind != CT_FILE_KIND_NONE && !ct_os_file_remove(path, error))
        return false;
    return ct_folder_remove(w->stage, error);
}

bool ct_import_writes_recover(const ct_import_writes *w, ct_error *error) {
    char path[CT_PATH_BYTES];
    journal entries;
    ct_array_init(&entries, w->allocator);
    journal_path(w, path);
    if (ct_os_file_info(path).kind != CT_FILE_KIND_NONE &&
        (!read_journal(w, &entries, error) || !take_all_back(w, &entries, error)))
        return false;
    return remove_stage(w, error);
}

// --- Writing -------------------------------------------------------------------------------------

// Copies what stands at `place` to the stage.
static bool keep_old(const ct_import_writes *w, const char *place, uint32_t i, ct_error *error) {
    char old[CT_PATH_BYTES];
    uint64_t size_bytes = 0;
    char *const bytes = ct_file_read(w->allocator, place, &size_bytes, error);
    if (!bytes)
        return false;
    staged(w, "old", i, old);
    const bool is_kept = ct_file_write(old, bytes, size_bytes, false, error);
    ct_free(w->allocator, bytes);
    return is_kept;
}

static bool stage_item(const ct_import_writes *w, uint32_t i, journal *entries, ct_error *error) {
    const ct_import_write *const item = &w->items.items[i];
    char place[CT_PATH_BYTES], new_file[CT_PATH_BYTES];
    if (!place_of(w, item->path, place, error) || !make_folder(w, item->path, place, error))
        return false;
    const ct_file_kind kind = ct_os_file_info(place).kind;
    if (kind != CT_FILE_KIND_NONE && kind != CT_FILE_KIND_FILE)
        return ct_error_set_at(error, item->path, 0, 0,
                               "is not a file; expected a file, or nothing at this path");
    const journal_entry entry = {.hash = item->bytes ? hash_of(item->bytes, item->size_bytes) : 0,
                                 .was_there = kind == CT_FILE_KIND_FILE,
                                 .path = item->path};
    ct_array_push(entries, entry);
    staged(w, "new", i, new_file);
    return (!entry.was_there || keep_old(w, place, i, error)) &&
           (!item->bytes || ct_file_write(new_file, item->bytes, item->size_bytes, false, error));
}

static bool put_item(const ct_import_writes *w, uint32_t i, ct_error *error) {
    const ct_import_write *const item = &w->items.items[i];
    char place[CT_PATH_BYTES], new_file[CT_PATH_BYTES];
    staged(w, "new", i, new_file);
    return place_of(w, item->path, place, error) &&
           (item->bytes ? ct_os_file_rename(new_file, place, error)
                        : ct_os_file_remove(place, error));
}

bool ct_import_writes_run(const ct_import_writes *w, ct_error *error) {
    journal entries;
    ct_error ignored = {0};
    ct_array_init(&entries, w->allocator);
    if (w->items.count == 0)
        return true;
    bool is_good = ct_folder_create(w->stage, error);
    for (uint32_t i = 0; is_good && i < w->items.count; ++i)
        is_good = stage_item(w, i, &entries, error);
    is_good = is_good && write_journal(w, &entries, error);
    bool is_back = true;
    for (uint32_t i = 0; is_good && i < w->items.count; ++i) {
        is_good = put_item(w, i, error);
        if (!is_good)
            is_back = take_all_back(w, &entries, &ignored);
    }
    // What could not be taken back now the next import tries again.
    return is_back && remove_stage(w, is_good ? error : &ignored) && is_good;
}
