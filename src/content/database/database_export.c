#include <string.h>

#include "content/database/database_files.h"
#include "content/database/database_project.h"
#include "content/database/database_source.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "project/project_lock.h"
#include "resource/blob/content_hash.h"

enum { PIECE_BYTES = 1 << 20 };

// A file to be written.
typedef struct output {
    const ct_database_file *file;
    ct_database_blob blob; // its bytes
    bool is_source;        // they come from objects
    bool is_new;
    bool is_written;
} output;

// A file that the database no longer has.
typedef struct removal {
    const ct_folder_entry *entry; // of the old record
    bool is_done;
} removal;

typedef struct exporter {
    ct_allocator *allocator;
    ct_database *db;
    const char *folder; // absolute, without links
    ct_guid branch;
    ct_database_files files;
    ct_folder_record record; // of the last time
    ct_database_report *report;
    CT_ARRAY(output) outputs;
    CT_ARRAY(removal) removals;
    ct_error *error;
} exporter;

void ct_database_report_init(ct_database_report *report, ct_allocator *a) {
    *report = (ct_database_report){.allocator = a};
    ct_array_init(&report->warnings, a);
    ct_array_init(&report->edited, a);
    ct_folder_record_init(&report->record, a);
}

static void free_lines(ct_string_array *lines) {
    for (uint32_t i = 0; i < lines->count; ++i)
        ct_free(lines->allocator, lines->items[i]);
    ct_array_free(lines);
}

void ct_database_report_free(ct_database_report *report) {
    free_lines(&report->warnings);
    free_lines(&report->edited);
    ct_folder_record_free(&report->record);
}

// --- What is in the folder -------------------------------------------------------------------------

static bool hash_file(const exporter *e, const char *path, ct_database_blob *blob) {
    const int file = ct_os_file_open_data(path, e->error);
    if (file < 0)
        return false;
    uint8_t *const piece = ct_alloc(e->allocator, PIECE_BYTES);
    ct_content_hasher *const hasher = ct_content_hasher_create(e->allocator);
    int64_t count;
    *blob = (ct_database_blob){0};
    while ((count = ct_os_file_read(file, piece, PIECE_BYTES)) > 0) {
        ct_content_hasher_add(hasher, piece, (uint64_t)count);
        blob->size_bytes += (uint64_t)count;
    }
    ct_content_hasher_finish(hasher, blob->hash);
    ct_free_sized(e->allocator, piece, PIECE_BYTES);
    ct_os_file_close(file);
    return count == 0 || ct_error_set(e->error, "%s: cannot be read", path);
}

// True when a part of the path below the folder is a link; *at is its path.
static bool has_link(const exporter *e, const char *full, char at[CT_PATH_BYTES]) {
    for (strcpy(at, full); strlen(at) > strlen(e->folder); ct_path_folder(at, at))
        if (ct_os_file_info(at).is_link)
            return true;
    return false;
}

// Whether a file may be written there: only folders are on the way, and no link, behind which may be anything.
static bool check_place(const exporter *e, const char *path, char full[CT_PATH_BYTES]) {
    char at[CT_PATH_BYTES];
    if (!ct_path_try_join(full, e->folder, path))
        return ct_error_set_at(e->error, path, 0, 0, "the path in %s is too long", e->folder);
    if (ct_database_files_is_own(e->db, full))
        return ct_error_set_at(e->error, path, 0, 0,
                               "%s belongs to the database that is exported: export into another "
                               "folder, or give the file object another path",
                               full);
    if (has_link(e, full, at))
        return ct_error_set_at(e->error, path, 0, 0,
                               "%s is a link, and nothing is written through links: remove it, or "
                               "export into another folder",
                               at);
    for (strcpy(at, full); strlen(at) > strlen(e->folder); ct_path_folder(at, at)) {
        const ct_file_kind kind = ct_os_file_info(at).kind;
        const bool is_way = strcmp(at, full) != 0;
        if (kind != CT_FILE_KIND_NONE && kind != (is_way ? CT_FILE_KIND_FOLDER : CT_FILE_KIND_FILE))
            return ct_error_set_at(e->error, path, 0, 0, "%s is in the way: expected a %s", at,
                                   is_way ? "folder" : "file");
    }
    return true;
}

// --- Plans -----------------------------------------------------------------------------------------

static bool find_blob(exporter *e, output *o) {
    ct_guid root;
    o->is_source = ct_database_files_root(e->db, o->file->object, &root);
    if (!o->is_source && ct_database_files_content(e->db, o->file->object, &o->blob))
        return true;
    ct_string_builder text;
    ct_string_builder_init(&text, e->allocator);
    const bool is_made =
        ct_database_files_text(e->allocator, e->db, o->file, &text, &e->report->warnings, e->error);
    if (is_made)
        o->blob = ct_folder_record_blob_of(e->allocator, text.text, text.length);
    ct_string_builder_free(&text);
    return is_made;
}

static bool plan_file(exporter *e, const ct_database_file *file) {
    output o = {.file = file};
    char full[CT_PATH_BYTES];
    ct_database_blob there;
    if (!find_blob(e, &o) || !check_place(e, file->path, full))
        return false;
    o.is_new = ct_os_file_info(full).kind == CT_FILE_KIND_NONE;
    if (o.is_new) {
        ct_array_push(&e->outputs, o);
        return true;
    }
    if (!hash_file(e, full, &there))
        return false;
    if (ct_folder_record_is_equal(&there, &o.blob)) {
        ct_folder_record_set(&e->report->record, file->path, &o.blob);
        return true;
    }
    const ct_folder_entry *const known = ct_folder_record_find(&e->record, file->path);
    if (!known || !ct_folder_record_is_equal(&known->blob, &there))
        ct_array_push(&e->report->edited, ct_copy_string(e->report->allocator, file->path));
    ct_array_push(&e->outputs, o);
    return true;
}

// What the record has and the database no longer.
static bool plan_removed(exporter *e, const ct_folder_entry *entry) {
    char full[CT_PATH_BYTES], at[CT_PATH_BYTES];
    ct_database_blob there;
    if (ct_database_files_find(&e->files, entry->path))
        return true;
    if (!ct_database_files_check_path(entry->path, strlen(entry->path), e->error))
        return false;
    if (!ct_path_try_join(full, e->folder, entry->path) || ct_database_files_is_own(e->db, full) ||
        ct_os_file_info(full).kind == CT_FILE_KIND_NONE)
        return true;
    const bool is_file = !has_link(e, full, at) && ct_os_file_info(full).kind == CT_FILE_KIND_FILE;
    if (is_file && !hash_file(e, full, &there))
        return false;
    if (is_file && ct_folder_record_is_equal(&there, &entry->blob))
        ct_array_push(&e->removals, (removal){.entry = entry});
    else
        ct_database_source_warn(&e->report->warnings, entry->path,
                                "the database no longer has it, but it was edited; left it there");
    return true;
}

static bool plan(exporter *e) {
    bool is_done = true;
    e->report->num_files = e->files.items.count;
    for (uint32_t i = 0; is_done && i < e->files.items.count; ++i)
        is_done = plan_file(e, &e->files.items.items[i]);
    for (uint32_t i = 0; is_done && i < e->record.entries.count; ++i)
        is_done = plan_removed(e, &e->record.entries.items[i]);
    return is_done;
}

// --- Writing ---------------------------------------------------------------------------------------

// Keeps the bytes of a text, for the next import to merge by.
static void keep_text(exporter *e, const output *o, const ct_string_builder *text) {
    ct_database_blob blob;
    ct_error why = {0};
    if (!ct_database_write_blob(e->db, text->text, text->length, &blob, &why))
        ct_database_source_warn(&e->report->warnings, o->file->path,
                                "its text could not be kept for merging: %s", why.message);
}

static bool write_text(exporter *e, const output *o, const char *full) {
    ct_string_builder text;
    ct_string_builder_init(&text, e->allocator);
    ct_string_array repeated; // warnings that were given before
    ct_array_init(&repeated, e->allocator);
    bool is_done = ct_database_files_text(e->allocator, e->db, o->file, &text, &repeated, e->error);
    if (is_done)
        keep_text(e, o, &text);
    is_done = is_done &&
              ct_file_replace(full, ct_string_builder_text(&text), text.length, false, e->error);
    free_lines(&repeated);
    ct_string_builder_free(&text);
    return is_done;
}

static bool write_blob(exporter *e, const output *o, const char *full) {
    if (o->is_new || o->blob.size_bytes > UINT32_MAX)
        return ct_database_read_blob_file(e->db, &o->blob, full, e->error);
    ct_byte_array bytes; // the file keeps its permissions
    ct_array_init(&bytes, e->allocator);
    const bool is_done = ct_database_read_blob(e->db, &o->blob, &bytes, e->error) &&
                         ct_file_replace(full, bytes.items, bytes.count, false, e->error);
    ct_array_free(&bytes);
    return is_done;
}

static bool write_output(exporter *e, output *o) {
    char full[CT_PATH_BYTES], folder[CT_PATH_BYTES];
    if (!check_place(e, o->file->path, full))
        return false;
    ct_path_folder(folder, full);
    o->is_written = ct_folder_create(folder, e->error) &&
                    (o->is_source ? write_text(e, o, full) : write_blob(e, o, full));
    e->report->num_added += o->is_written && o->is_new;
    e->report->num_changed += o->is_written && !o->is_new;
    return o->is_written;
}

static bool remove_file(exporter *e, removal *r) {
    char full[CT_PATH_BYTES];
    r->is_done = check_place(e, r->entry->path, full) && ct_os_file_remove(full, e->error);
    e->report->num_removed += r->is_done;
    return r->is_done;
}

// Adds what the folder has of the files that were to change: what was written, else what it had.
static void record_changes(exporter *e) {
    for (uint32_t i = 0; i < e->outputs.count; ++i) {
        const output *const o = &e->outputs.items[i];
        const ct_folder_entry *const known = ct_folder_record_find(&e->record, o->file->path);
        if (o->is_written || known)
            ct_folder_record_set(&e->report->record, o->file->path,
                                 o->is_written ? &o->blob : &known->blob);
    }
    for (uint32_t i = 0; i < e->removals.count; ++i) {
        const removal *const r = &e->removals.items[i];
        if (!r->is_done)
            ct_folder_record_set(&e->report->record, r->entry->path, &r->entry->blob);
    }
}

// Writes first and removes last: a failure on the way loses nothing. The record is true after one, too.
static bool write_all(exporter *e) {
    bool is_done = true;
    for (uint32_t i = 0; is_done && i < e->outputs.count; ++i)
        is_done = write_output(e, &e->outputs.items[i]);
    for (uint32_t i = 0; is_done && i < e->removals.count; ++i)
        is_done = remove_file(e, &e->removals.items[i]);
    record_changes(e);
    ct_error why = {0};
    const bool is_recorded = ct_folder_record_write(&e->report->record, e->folder, e->branch, &why);
    if (is_done && !is_recorded)
        *e->error = why;
    return is_done && is_recorded;
}

static bool run(exporter *e, bool force) {
    ct_error why = {0};
    if (!ct_folder_record_read(&e->record, e->folder, e->branch, &why))
        ct_database_source_warn(&e->report->warnings, why.file, "%s", why.message);
    if (!ct_database_files_read(&e->files, e->allocator, e->db, e->error) || !plan(e))
        return false;
    if (e->report->edited.count > 0 && !force)
        return ct_error_set_at(e->error, e->report->edited.items[0], 0, 0,
                               "it was edited in the folder since the last import or export (%u "
                               "such files); import them first, or overwrite them with --force",
                               e->report->edited.count);
    return write_all(e);
}

bool ct_database_export(ct_allocator *a, ct_database *db, const char *folder, bool force,
                        ct_database_report *report, ct_error *error) {
    char real[CT_PATH_BYTES], lock_file[CT_PATH_BYTES];
    ct_project_lock lock;
    if (!ct_folder_create(folder, error) || !ct_os_absolute_path(folder, real, error) ||
        !ct_project_lock_path(real, lock_file, error))
        return false;
    const ct_project_lock_desc desc = {.path = lock_file, .project = real, .changes_sources = true};
    if (!ct_project_lock_take(&desc, &lock, error))
        return false;
    exporter e = {.allocator = a,
                  .db = db,
                  .folder = real,
                  .branch = ct_database_get_branch(db)->replica,
                  .report = report,
                  .error = error};
    ct_folder_record_init(&e.record, a);
    ct_array_init(&e.outputs, a);
    ct_array_init(&e.removals, a);
    const bool is_done = run(&e, force);
    ct_database_files_free(&e.files);
    ct_folder_record_free(&e.record);
    ct_array_free(&e.outputs);
    ct_array_free(&e.removals);
    ct_project_lock_release(&lock);
    return is_done;
}
