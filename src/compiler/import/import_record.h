// import_record.h: what the last import of a model wrote, kept beside its sources.
//
// `<model>.import` is SJSON and belongs under version control with the sources: from it the next
// import knows the key of each file (which stays while paths may change) and what a person has
// changed since. Its format: docs/importing.md.
#pragma once
#include "compiler/import/import_sources.h"
#include "foundation/container/hash_map.h"
#include "foundation/string/string_builder.h"

enum { CT_IMPORT_RECORD_VERSION = 1 };

typedef struct ct_import_record_file {
    const char *key, *path;
    uint64_t hash;        // of media; 0: a source
    ct_sjson_value wrote; // of a source: the content that the import wanted
    bool is_foreign;      // a person's image, which the import never writes or removes
} ct_import_record_file;

typedef struct ct_import_record {
    const ct_sjson *doc;   // NULL: there was none
    ct_import_space space; // given at that import or an earlier one
    const char *skeleton;  // of the project, that clips are for; NULL: the model's own
    const char *id_space;  // from which ids are made; NULL: unknown
    CT_ARRAY(ct_import_record_file) files;
    ct_hash_map by_key; // from a key's hash to its position + 1
} ct_import_record;

// Reads the record at the absolute `path`, called `name` in errors; a missing file is an
// empty record. All from `a`, a temp allocator. Returns false with `error` when it is damaged.
bool ct_import_record_read(ct_allocator *a, const char *path, const char *name,
                           ct_import_record *record, ct_error *error);

// Returns the entry of this key, or NULL.
const ct_import_record_file *ct_import_record_find(const ct_import_record *record, const char *key);

// Returns the recorded content of a source, as a document of its own.
const ct_sjson *ct_import_record_source(ct_allocator *a, const ct_import_record *record,
                                        const ct_import_record_file *file);

// Appends the text of a record of `sources`, whose text must be written.
void ct_import_record_write(const ct_import_sources *sources, ct_string_builder *out);
