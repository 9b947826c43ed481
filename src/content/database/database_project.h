// database_project.h: the files of a project as objects of a database, and back.
//
// The root has the key "files": a set of file objects. A file object has:
//
//     path      "levels/yard.level"
//     type      the extension: "level"
//     content   a blob: the exact bytes of the file
//     root      SJSON sources only: the object of the top level
//     width, height   pictures only (PNG, JPEG, TGA): their size
//
// Of an SJSON source each object of the text is an object of the database, and its members are keys:
//
//     health = 50               key "health": a number; bools and strings likewise
//     values = { … }            key "values": a reference to an object
//     units = [ { … } { … } ]   key "units": a set of references; each element has the key "@order", a text by
//                               which they are sorted (element_order.h)
//     position = [1 0 2]        key "position[]": all other arrays, and null, are one string, JSON text, which
//                               changes as a whole; so does an empty array
//
// Keys that are free for other use begin with "@"; member names that do, or that end with "[]", are spelled
// differently (source_key.h). The objects say what the file says; "content" says how it is formatted. Export writes
// "content" byte for byte while both say the same, else that text with what differs changed and the rest kept:
// comments, order of members, layout (diff_apply.h). A file without "content" is written from its objects alone. Import
// changes "content" only where the text does not follow from it and the objects.
//
// GUIDs are made by name: a file's from its path, an object's from its parent's, the key, and for elements the `id`,
// or without one their content when they were first imported. So all imports of the same project make the same
// objects. When a file is imported again, elements are matched as `cuttle diff` does, by id or by best alignment, and
// keep their objects. An id alone is no GUID: one level may override the same component of two units.
//
// A file in `.cuttle/database` of the project, one for each branch, records what folder and database last agreed on.
// By it import knows what was changed in the folder since, and leaves alone what only the database changed; what both
// changed is merged (merge.h). By it export knows which files were edited.
#pragma once
#include "content/database/folder_record.h"
#include "database/database.h"

// What an import or export did. Free it with ct_database_report_free.
typedef struct ct_database_report {
    ct_allocator *allocator;
    uint32_t num_files;                           // looked at
    uint32_t num_added, num_changed, num_removed; // import: in the database; export: in the folder
    uint32_t num_merged;                          // import: files that both sides had changed
    ct_string_array warnings;                     // one line each: `file:line:column: warning: …`
    ct_string_array
        edited; // export: paths of files that were edited since, and were not overwritten
    ct_folder_record record; // what to record once the changes are committed
} ct_database_report;

// Makes an empty report.
void ct_database_report_init(ct_database_report *report, ct_allocator *a);
void ct_database_report_free(ct_database_report *report);

// Makes local changes that bring what was changed in the folder of a project into the database: new files, changed
// ones, and those that the record has and that are gone. Left out, all but the first with a warning: hidden files,
// links (a file is in the database once), paths that are not UTF-8, and the files of the database itself. A source
// that is not SJSON becomes a file with "content" only, with a warning. Where folder and database changed the same value
// of a source, a warning names the file and the place. Returns false with `error` when the folder cannot be read or the
// database fails; and, unless `force`, when the folder has no record, the database has files, and one of the folder's is
// new or not as it is there: it may be older. Changes made so far are then local changes. Commit the changes, then call
// ct_database_import_done. Memory grows with the largest file.
bool ct_database_import(ct_allocator *a, ct_database *db, const char *folder, bool force,
                        ct_database_report *report, ct_error *error);

// Records that the changes of an import were committed. Without it the next import compares more than it needs, and
// does not notice files that were removed.
bool ct_database_import_done(ct_database *db, const char *folder, const ct_database_report *report,
                             ct_error *error);

// Writes the files of the database, local changes included, into a folder, which is made when missing. Then removes
// files that the database no longer has when they are as the record says; other files stay. Files that were edited
// since are an error, which is why nothing is written then and `edited` lists them, unless `force`. Nothing is written
// either, and the error names the file, when a file's objects are no tree (a cycle, one in two places), a value has no
// spelling in SJSON, or a path leads through a link, is hidden, is there twice, or is the database's own file. When
// writing fails in the middle, the record says what was written until then.
bool ct_database_export(ct_allocator *a, ct_database *db, const char *folder, bool force,
                        ct_database_report *report, ct_error *error);

// --- Finding ---------------------------------------------------------------------------------------

// Finds the file object of a project path. Returns false when the database has no such file.
bool ct_database_find_file(const ct_database *db, const char *path, ct_guid *file);

// A place in a source: an object, and a key of it as the database has it; "" when the place is the object itself.
typedef struct ct_database_place {
    ct_guid object;
    char key[CT_DATABASE_MAX_KEY_BYTES + 1];
} ct_database_place;

// Finds a value by the path of its file and its path in it, as `cuttle diff` writes it: "units[3].values.health",
// "units[id=8f].position", "[\"a key\"]"; "" is the top level. Returns false with `error`, which says which part leads
// nowhere.
bool ct_database_find_value(const ct_database *db, const char *path, const char *value_path,
                            ct_database_place *place, ct_error *error);
