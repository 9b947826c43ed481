// database_source.h: one SJSON source as objects of a database, and back (database_project.h has the convention).
#pragma once
#include "content/database/element_order.h"
#include "content/value_compare.h"
#include "database/database.h"
#include "foundation/string/string_builder.h"

// What the objects of a source say, as if it had been parsed from a text.
typedef struct ct_database_source {
    ct_allocator *allocator;
    ct_sjson *doc;    // members by name; NULL: none
    ct_guid *objects; // of each entry of the tape: the object, else {0}
} ct_database_source;

// Reads the objects from `root` on. `path` names the file. References to objects that are gone are left out, with a
// warning. Returns false with `error`, which names file, object and place in it, when they are no tree, nest deeper
// than SJSON does, or hold what SJSON cannot spell. Recursion is as deep as the objects, at most 512.
bool ct_database_source_read(ct_database_source *source, ct_allocator *a, const ct_database *db,
                             ct_guid root, const char *path, ct_string_array *warnings,
                             ct_error *error);
void ct_database_source_free(ct_database_source *source); // {0} is fine

// Appends the elements that exist of a set, in their order. Items that had no text come last.
typedef CT_ARRAY(ct_element_order) ct_element_order_array;
void ct_database_source_elements(const ct_database *db, ct_guid object, const char *key,
                                 uint32_t key_length, ct_element_order_array *elements);

// Returns whether a parsed source fits into a database: keys and texts are not too long. False with `error`.
bool ct_database_source_check(ct_allocator *a, const ct_sjson *doc, ct_error *error);

// Makes local changes so that the file object's source says what `doc` says, which ct_database_source_check has taken.
// `old` is what it says now ({0}: nothing). Only differences become changes. `path` is the file's, for the schema.
// Returns false with `error` when the database fails.
bool ct_database_source_write(ct_allocator *a, ct_database *db, ct_guid file, const char *path,
                              const ct_database_source *old, const ct_sjson *doc, ct_error *error);

// Makes local changes that destroy all objects of a source and the key "root" of its file.
bool ct_database_source_remove(ct_database *db, ct_guid file, const ct_database_source *old,
                               ct_error *error);

// Appends the text of a file whose objects are `source`: `content` while it says the same, else that with the
// difference made, and in the usual format when `content` is NULL or no SJSON (then with a warning). Returns
// false with `error` when the text would be too large.
bool ct_database_source_text(ct_allocator *a, const ct_database_source *source, const char *path,
                             const char *content, uint64_t content_bytes, ct_string_builder *out,
                             ct_string_array *warnings, ct_error *error);

// Local changes, for import.
bool ct_database_source_change(ct_database *db, ct_database_operation_type type, ct_guid object,
                               const char *key, const ct_database_value *value, ct_error *error);
// The same of a key, unless it has that value already.
bool ct_database_source_set(ct_database *db, ct_guid object, const char *key,
                            const ct_database_value *value, ct_error *error);

// Appends a warning as a line.
void ct_database_source_warn(ct_string_array *warnings, const char *path, const char *format, ...)
    CT_PRINTF(3, 4);
