#include <stdio.h>
#include <string.h>

#include "content/database/database_files.h"
#include "content/database/database_merge.h"
#include "content/database/database_project.h"
#include "content/database/database_source.h"
#include "content/database/picture_size.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "project/project_lock.h"

enum { MOST_PICTURE_BYTES = 256 << 20 };

typedef struct importer {
    ct_allocator *allocator;
    ct_database *db;
    const char *folder; // absolute, without links
    ct_database_files files;
    ct_folder_record record; // of the last time
    ct_database_report *report;
    bool force; // files that differ without a record are taken
    bool has_failed;
    uint32_t num_unknown; // files of the database that are not in the folder, without a record
    ct_error *error;
} importer;

// A file of the folder, and what the database has of it.
typedef struct found_file {
    const char *path;
    char full[CT_PATH_BYTES];
    ct_guid object;
    const ct_folder_entry *base; // what both had the last time, or NULL
    char *text;                  // of a source
    uint64_t bytes;
    ct_database_blob blob;
    bool is_known;          // the database has it
    ct_database_source old; // objects that it has there
} found_file;

static void warn_of(importer *im, const ct_error *why) {
    char line[CT_ERROR_MESSAGE_BYTES + CT_ERROR_FILE_BYTES + 64];
    ct_error_format_warning(why, line, sizeof(line));
    ct_array_push(&im->report->warnings, ct_copy_string(im->report->allocator, line));
}

// --- Changes ---------------------------------------------------------------------------------------

static bool set(importer *im, ct_guid object, const char *key, ct_database_value value) {
    return ct_database_source_set(im->db, object, key, &value, im->error);
}

static ct_database_value text_value(const char *text) {
    return (ct_database_value){.kind = CT_DATABASE_STRING,
                               .string = {text, (uint32_t)strlen(text)}};
}

static bool create_file(importer *im, found_file *f) {
    const ct_database_value element = {.kind = CT_DATABASE_REFERENCE, .reference = f->object};
    if (!ct_database_has(im->db, f->object) &&
        !ct_database_source_change(im->db, CT_DATABASE_CREATE, f->object, NULL, NULL, im->error))
        return false;
    return ct_database_source_change(im->db, CT_DATABASE_ADD_TO_SET, (ct_guid){0}, "files",
                                     &element, im->error) &&
           set(im, f->object, "path", text_value(f->path)) &&
           set(im, f->object, "type", text_value(ct_path_extension(f->path)));
}

static bool set_content(importer *im, const found_file *f) {
    return set(im, f->object, "content",
               (ct_database_value){.kind = CT_DATABASE_BLOB, .blob = f->blob});
}

// Sets the size of a picture; removes it from other files.
static bool set_size(importer *im, const found_file *f) {
    uint32_t width, height;
    uint64_t size_bytes = 0;
    const char *const extension = ct_path_extension(f->path);
    const bool may_be = f->blob.size_bytes <= MOST_PICTURE_BYTES &&
                        (strcmp(extension, "png") == 0 || strcmp(extension, "tga") == 0 ||
                         strcmp(extension, "jpg") == 0 || strcmp(extension, "jpeg") == 0);
    char *const bytes =
        may_be ? ct_file_read(im->allocator, f->full, &size_bytes, im->error) : NULL;
    if (may_be && !bytes)
        return false;
    const bool is_read = bytes && ct_picture_size(extension, bytes, size_bytes, &width, &height);
    ct_free(im->allocator, bytes);
    const ct_database_value none = {0};
    return set(im, f->object, "width",
               is_read ? (ct_database_value){.kind = CT_DATABASE_NUMBER, .number = width} : none) &&
           set(im, f->object, "height",
               is_read ? (ct_database_value){.kind = CT_DATABASE_NUMBER, .number = height} : none);
}

static void free_lines(ct_string_array *lines) {
    for (uint32_t i = 0; i < lines->count; ++i)
        ct_free(lines->allocator, lines->items[i]);
    ct_array_free(lines);
}

// True when an export makes exactly this text from what `doc` says and the content that is there. The content then
// stays: where two people change different values of one file, nothing of it is in conflict.
static bool follows_from_content(importer *im, const found_file *f, const ct_sjson *doc,
                                 const char *text, uint64_t bytes) {
    ct_database_blob blob;
    if (!f->is_known || !ct_database_files_content(im->db, f->object, &blob))
        return false;
    ct_byte_array content;
    ct_string_builder out;
    ct_string_array warnings;
    ct_array_init(&content, im->allocator);
    ct_string_builder_init(&out, im->allocator);
    ct_array_init(&warnings, im->allocator);
    const ct_database_source source = {.doc = (ct_sjson *)(uintptr_t)doc};
    ct_error why = {0};
    const bool is_made =
        ct_database_read_blob(im->db, &blob, &content, &why) &&
        ct_database_source_text(im->allocator, &source, f->path, (const char *)content.items,
                                content.count, &out, &warnings, &why);
    const bool is_same = is_made && content.items && out.length == bytes &&
                         memcmp(ct_string_builder_text(&out), text, bytes) == 0;
    free_lines(&warnings);
    ct_string_builder_free(&out);
    ct_array_free(&content);
    return is_same;
}

// Makes the file's text, parsed if it can be, that of the database.
static bool take_text(importer *im, found_file *f, const char *text, uint64_t bytes) {
    ct_error why = {0};
    ct_sjson *doc = ct_sjson_parse(im->allocator, text, bytes, f->path, NULL, &why);
    if (doc && !ct_database_source_check(im->allocator, doc, &why)) {
        ct_sjson_free(doc);
        doc = NULL;
    }
    if (!doc) {
        strncat(why.message, "; imported as it is, without objects",
                sizeof(why.message) - strlen(why.message) - 1);
        warn_of(im, &why);
    }
    const bool is_done =
        ct_database_write_blob(im->db, text, bytes, &f->blob, im->error) &&
        ((doc && follows_from_content(im, f, doc, text, bytes)) || set_content(im, f)) &&
        (doc ? ct_database_source_write(im->allocator, im->db, f->object, f->path, &f->old, doc,
                                        im->error)
             : ct_database_source_remove(im->db, f->object, &f->old, im->error));
    ct_sjson_free(doc);
    return is_done;
}

// --- Sources ---------------------------------------------------------------------------------------

// By its type, or because the database has objects of it: types of plugins are not known to all programs.
static bool is_source(const importer *im, const found_file *f) {
    ct_guid root;
    return ct_database_files_is_source(f->path) ||
           (f->is_known && ct_database_files_root(im->db, f->object, &root));
}

// Counts a file that is to be taken as the folder has it. Without a record nothing says which side changed it, and
// what is older in the folder would undo what others did: then false with `error`.
static bool may_take(importer *im, const found_file *f) {
    im->report->num_added += !f->is_known;
    im->report->num_changed += f->is_known;
    if (f->is_known && !f->base && im->record.is_found)
        ct_database_source_warn(&im->report->warnings, f->path,
                                "it is new in the folder, but the database has another one; took "
                                "the folder's");
    return im->record.is_found || im->force || im->files.items.count == 0 ||
           ct_error_set_at(im->error, f->path, 0, 0,
                           "%s, and %s has no record of an earlier import or export with this "
                           "branch: an import may undo what others did. Export into an empty "
                           "folder, put your edits there, and import that; or take this folder as "
                           "it is with --force",
                           f->is_known ? "the database has another text of it"
                                       : "the database does not have it",
                           im->folder);
}

// Reads the objects that the database has. What is no tree is replaced, with a warning.
static void read_old(importer *im, found_file *f) {
    ct_guid root;
    ct_error why = {0};
    if (!f->is_known || !ct_database_files_root(im->db, f->object, &root))
        return;
    if (!ct_database_source_read(&f->old, im->allocator, im->db, root, f->path,
                                 &im->report->warnings, &why))
        warn_of(im, &why);
}

// Appends the text that an export would write; false when the file cannot be exported.
static bool text_there(importer *im, const found_file *f, ct_string_builder *out) {
    if (!f->is_known)
        return false;
    ct_error why = {0};
    ct_string_array repeated;
    ct_array_init(&repeated, im->allocator);
    const ct_database_file file = {.path = (char *)(uintptr_t)f->path, .object = f->object};
    const bool is_made = ct_database_files_text(im->allocator, im->db, &file, out, &repeated, &why);
    free_lines(&repeated);
    return is_made;
}

static bool take_merged(importer *im, found_file *f, const ct_string_builder *there) {
    ct_string_builder merged;
    ct_database_blob mine = f->blob;
    ct_string_builder_init(&merged, im->allocator);
    const ct_database_merge_desc desc = {.path = f->path,
                                         .base = f->base->blob,
                                         .there = ct_string_builder_text(there),
                                         .there_bytes = there->length,
                                         .folder = f->text,
                                         .folder_bytes = f->bytes};
    const bool is_merged =
        ct_database_merge_texts(im->allocator, im->db, &desc, &merged, &im->report->warnings);
    im->report->num_merged += is_merged;
    // The folder's text is what the next merge starts from.
    const bool is_done =
        ct_database_write_blob(im->db, f->text, f->bytes, &mine, im->error) &&
        (is_merged ? take_text(im, f, ct_string_builder_text(&merged), merged.length)
                   : take_text(im, f, f->text, f->bytes));
    f->blob = mine;
    ct_string_builder_free(&merged);
    return is_done;
}

static bool import_known_source(importer *im, found_file *f) {
    ct_string_builder there;
    ct_string_builder_init(&there, im->allocator);
    ct_database_blob content;
    const bool is_content = ct_database_files_content(im->db, f->object, &content) &&
                            ct_folder_record_is_equal(&content, &f->blob);
    bool is_done = true;
    if (!(is_content && !f->base)) { // else only the database may have changed
        const bool has_text = text_there(im, f, &there);
        const ct_database_blob blob =
            ct_folder_record_blob_of(im->allocator, there.text, there.length);
        if (!has_text || !ct_folder_record_is_equal(&blob, &f->blob)) {
            const bool is_both =
                has_text && f->base && !ct_folder_record_is_equal(&f->base->blob, &blob);
            read_old(im, f);
            is_done = may_take(im, f) &&
                      (is_both ? take_merged(im, f, &there) : take_text(im, f, f->text, f->bytes));
        }
    }
    ct_string_builder_free(&there);
    return is_done;
}

static bool import_source(importer *im, found_file *f) {
    f->text = ct_file_read(im->allocator, f->full, &f->bytes, im->error);
    if (!f->text)
        return false;
    f->blob = ct_folder_record_blob_of(im->allocator, f->text, f->bytes);
    bool is_done = true;
    if (f->base && ct_folder_record_is_equal(&f->base->blob, &f->blob)) {
        // The folder did not change it.
    } else if (f->is_known) {
        is_done = import_known_source(im, f);
    } else {
        is_done = may_take(im, f) && create_file(im, f) && take_text(im, f, f->text, f->bytes);
    }
    ct_database_source_free(&f->old);
    ct_free(im->allocator, f->text);
    return is_done;
}

// --- Other files -----------------------------------------------------------------------------------

static bool import_other(importer *im, found_file *f) {
    if (!ct_database_write_blob_file(im->db, f->full, &f->blob, im->error))
        return false;
    if (f->base && ct_folder_record_is_equal(&f->base->blob, &f->blob))
        return true;
    ct_database_blob content;
    const bool has_content = f->is_known && ct_database_files_content(im->db, f->object, &content);
    if (has_content && ct_folder_record_is_equal(&content, &f->blob))
        return true;
    if (has_content && f->base && !ct_folder_record_is_equal(&content, &f->base->blob))
        ct_database_source_warn(&im->report->warnings, f->path,
                                "it changed in the folder and in the database; took the folder's");
    return may_take(im, f) && (f->is_known || create_file(im, f)) && set_content(im, f) &&
           set_size(im, f);
}

// --- The folder ------------------------------------------------------------------------------------

// A GUID by the path. A file that had this path, and has another one now, keeps its own.
static ct_guid new_object(const importer *im, const char *path) {
    char name[CT_PATH_BYTES + 16];
    ct_guid object = ct_database_files_guid(path);
    for (uint32_t i = 2; ct_database_files_find_object(&im->files, object); ++i) {
        snprintf(name, sizeof(name), "%s\n%u", path, i); // no path has a line end
        object = ct_database_files_guid(name);
    }
    return object;
}

// Files of the database that are there under this path, or below it, are not gone.
static void mark_seen(importer *im, const char *path, bool is_folder) {
    ct_database_file *const known = ct_database_files_find(&im->files, path);
    const size_t length = strlen(path);
    if (known)
        known->is_seen = true;
    for (uint32_t i = 0; is_folder && i < im->files.items.count; ++i) {
        ct_database_file *const file = &im->files.items.items[i];
        if (strncmp(file->path, path, length) == 0 && file->path[length] == '/')
            file->is_seen = true;
    }
}

// Says why an entry of the folder is left out; NULL for a file that is not.
static const char *why_left_out(importer *im, const ct_found_file *found, const char *full) {
    if (ct_database_files_is_own(im->db, full))
        return "it belongs to the database that takes the project in";
    if (found->is_link)
        return "it is a link; the database has files only under their own paths";
    return found->is_other ? "it is a pipe, a socket or a device" : NULL;
}

static bool import_file(importer *im, const ct_found_file *found) {
    found_file f = {.path = found->path};
    ct_error why = {0};
    if (found->is_too_long || !ct_path_try_join(f.full, im->folder, f.path))
        return ct_error_set_at(im->error, f.path, 0, 0, "the path is too long");
    if (found->is_unlisted)
        return ct_error_set_at(im->error, f.path, 0, 0, "the folder cannot be read");
    mark_seen(im, f.path, found->is_folder);
    const char *const reason = why_left_out(im, found, f.full);
    if (reason) {
        ct_database_source_warn(&im->report->warnings, f.path, "left out: %s", reason);
        return true;
    }
    if (!ct_database_files_check_path(f.path, strlen(f.path), &why)) {
        warn_of(im, &why);
        return true;
    }
    const ct_database_file *const known = ct_database_files_find(&im->files, f.path);
    f.is_known = known != NULL;
    f.object = known ? known->object : new_object(im, f.path);
    f.base = ct_folder_record_find(&im->record, f.path);
    ++im->report->num_files;
    const bool is_done = is_source(im, &f) ? import_source(im, &f) : import_other(im, &f);
    if (is_done)
        ct_folder_record_set(&im->report->record, f.path, &f.blob);
    return is_done;
}

static bool visit(void *user, const ct_found_file *found) {
    importer *const im = user;
    im->has_failed = !import_file(im, found);
    return !im->has_failed;
}

// --- Files that are gone ---------------------------------------------------------------------------

// True when the database still has what both had the last time.
static bool is_unchanged(importer *im, const found_file *f) {
    ct_database_blob blob;
    if (!is_source(im, f))
        return ct_database_files_content(im->db, f->object, &blob) &&
               ct_folder_record_is_equal(&blob, &f->base->blob);
    ct_string_builder there;
    ct_string_builder_init(&there, im->allocator);
    const bool has_text = text_there(im, f, &there);
    blob = ct_folder_record_blob_of(im->allocator, there.text, there.length);
    ct_string_builder_free(&there);
    return has_text && ct_folder_record_is_equal(&blob, &f->base->blob);
}

static bool remove_file(importer *im, found_file *f) {
    const ct_database_value element = {.kind = CT_DATABASE_REFERENCE, .reference = f->object};
    read_old(im, f);
    ++im->report->num_removed;
    const bool is_done =
        ct_database_source_remove(im->db, f->object, &f->old, im->error) &&
        ct_database_source_change(im->db, CT_DATABASE_DESTROY, f->object, NULL, NULL, im->error) &&
        ct_database_source_change(im->db, CT_DATABASE_REMOVE_FROM_SET, (ct_guid){0}, "files",
                                  &element, im->error);
    ct_database_source_free(&f->old);
    return is_done;
}

static bool remove_gone(importer *im) {
    for (uint32_t i = 0; i < im->files.items.count; ++i) {
        const ct_database_file *const file = &im->files.items.items[i];
        if (file->is_seen)
            continue;
        found_file f = {.path = file->path, .object = file->object, .is_known = true};
        f.base = ct_folder_record_find(&im->record, f.path);
        if (!f.base) {
            im->num_unknown += !im->record.is_found;
        } else if (!is_unchanged(im, &f)) {
            ct_database_source_warn(&im->report->warnings, f.path,
                                    "it was removed from the folder, but changed in the database; "
                                    "it stays there");
        } else if (!remove_file(im, &f)) {
            return false;
        }
    }
    if (im->num_unknown > 0)
        ct_database_source_warn(&im->report->warnings, NULL,
                                "%u file%s of the database %s not in %s, and stay%s: it has no "
                                "record of an earlier import or export",
                                im->num_unknown, im->num_unknown == 1 ? "" : "s",
                                im->num_unknown == 1 ? "is" : "are", im->folder,
                                im->num_unknown == 1 ? "s" : "");
    return true;
}

// --- The whole -------------------------------------------------------------------------------------

static bool run(importer *im) {
    ct_error why = {0};
    const ct_guid branch = ct_database_get_branch(im->db)->replica;
    if (!ct_folder_record_read(&im->record, im->folder, branch, &why))
        warn_of(im, &why);
    return ct_database_files_read(&im->files, im->allocator, im->db, im->error) &&
           ct_folder_walk_all(im->folder, visit, im, im->error) && !im->has_failed &&
           remove_gone(im);
}

static bool find_folder(const char *folder, char real[CT_PATH_BYTES], ct_error *error) {
    if (!ct_os_absolute_path(folder, real, error))
        return false;
    return ct_os_file_info(real).kind == CT_FILE_KIND_FOLDER ||
           ct_error_set(error, "%s is not a folder", folder);
}

bool ct_database_import(ct_allocator *a, ct_database *db, const char *folder, bool force,
                        ct_database_report *report, ct_error *error) {
    char real[CT_PATH_BYTES], lock_file[CT_PATH_BYTES];
    ct_project_lock lock;
    if (!find_folder(folder, real, error) || !ct_project_lock_path(real, lock_file, error))
        return false;
    const ct_project_lock_desc desc = {.path = lock_file, .project = real};
    if (!ct_project_lock_take(&desc, &lock, error))
        return false;
    importer im = {
        .allocator = a, .db = db, .folder = real, .report = report, .force = force, .error = error};
    ct_folder_record_init(&im.record, a);
    const bool is_done = run(&im);
    ct_database_files_free(&im.files);
    ct_folder_record_free(&im.record);
    ct_project_lock_release(&lock);
    return is_done;
}

bool ct_database_import_done(ct_database *db, const char *folder, const ct_database_report *report,
                             ct_error *error) {
    char real[CT_PATH_BYTES];
    return find_folder(folder, real, error) &&
           ct_folder_record_write(&report->record, real, ct_database_get_branch(db)->replica,
                                  error);
}
