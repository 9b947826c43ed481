// database_merge.h: puts what a folder changed in a source into what a database has of it.
#pragma once
#include "database/database.h"
#include "foundation/string/string_builder.h"

// The three texts of a source. All is borrowed.
typedef struct ct_database_merge_desc {
    const char *path;      // of the file in the project
    ct_database_blob base; // what folder and database last agreed on; the database has its bytes
    const char *there;     // the database's
    uint64_t there_bytes;
    const char *folder; // the folder's
    uint64_t folder_bytes;
} ct_database_merge_desc;

// Merges and appends the text to `out`. Where both changed the same, a rule decides (merge.h), and `warnings` gets a
// line that names the file and the place in it. Returns false, with a warning, when one of the texts is no SJSON
// or is lost; `out` is then as it was.
bool ct_database_merge_texts(ct_allocator *a, ct_database *db, const ct_database_merge_desc *desc,
                             ct_string_builder *out, ct_string_array *warnings);
