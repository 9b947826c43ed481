// import_record.h: what the last import of a model wrote, kept beside its sources.
//
// `<model>.import` is SJSON and belongs under version control with the sources: from it the next
// import knows which file is whose (by a key that lasts while paths may differ) and what a person
// has changed since. Its format: docs/importing.md.
#pragma once
#include "compiler/import/import_sources.h"
#include "foundation/container/hash_map.h"
#include "foundation/string/string_builder.h"

enum { CT_IMPORT_RECORD_VERSION = 1 };

typedef struct ct_import_record_file {
    const char *key, *path;
    uint64_t hash;        // of media; 0: a source
    ct_sjson_value wrote; // of a source: what the import wanted it to hold
    bool is_foreign;      // an image that is a person's, and not the import's to write or remove
} ct_import_record_file;

typedef struct ct_import_record {
    const ct_sjson *doc;   // NULL: there was none
    ct_import_space space; // that was given, then or before
    const char *id_space;  // what ids are made of; NULL: unknown
    CT_ARRAY(ct_import_record_file) files;
    ct_hash_map by_key; // from a key's hash to its position + 1
} ct_import_record;

// Reads the record at the absolute `path`, called `name` in errors; a file that is not there is an
// empty record. All from `a`, a temp allocator. False with `error` when it is damaged.
bool ct_import_record_read(ct_allocator *a, const char *path, const char *name,
                           ct_import_record *record, ct_error *error);

// The entry of this key, or NULL.
const ct_import_record_file *ct_import_record_find(const ct_import_record *record, const char *key);

// What a source held by the record, as a document of its own.
const ct_sjson *ct_import_record_source(ct_allocator *a, const ct_import_record *record,
                                        const ct_import_record_file *file);

// Appends the text of a record of `sources`, which are written.
void ct_import_record_write(const ct_import_sources *sources, ct_string_builder *out);
