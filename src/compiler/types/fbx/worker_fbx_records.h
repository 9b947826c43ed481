// worker_fbx_records.h: the records of FBX files, binary (of any version from 7100 on) and text.
//
// A record has a name, values and records inside it. They are in one array in the order of the
// file: what is inside a record follows it, up to its `end`. Only the first values are kept, and
// none of arrays: what is wanted of a file is small. Any bytes can be read: binary files end where
// nonsense begins, and in text what fits nowhere is skipped, as Assimp does it. Time and memory are
// linear in the file's size.
#pragma once
#include "foundation/container/array.h"
#include "foundation/types.h"

enum { CT_WORKER_FBX_MAX_NESTING = 64, CT_WORKER_FBX_MAX_VALUES = 8 };

// A value, as its bytes in the file.
typedef struct ct_worker_fbx_value {
    const char *bytes;
    uint32_t num_bytes;
    char type; // as binary files have it: 'S' a string, 'I' 32 bits...; 't' what else is in text
} ct_worker_fbx_value;

// A record.
typedef struct ct_worker_fbx_record {
    const char *name; // not terminated
    uint32_t name_bytes;
    uint32_t first_value, num_values; // at most CT_WORKER_FBX_MAX_VALUES
    uint32_t end;                     // behind the last record inside it
} ct_worker_fbx_record;

typedef CT_ARRAY(ct_worker_fbx_record) ct_worker_fbx_record_array;
typedef CT_ARRAY(ct_worker_fbx_value) ct_worker_fbx_value_array;

// The records of a file; borrows its bytes.
typedef struct ct_worker_fbx_records {
    ct_worker_fbx_record_array items;
    ct_worker_fbx_value_array values;
} ct_worker_fbx_records;

// Reads the records of a file whose bytes a zero follows. False with an error when they are nested
// more than CT_WORKER_FBX_MAX_NESTING deep, which Assimp reads with a function that calls itself.
bool ct_worker_fbx_records_read(ct_allocator *a, const char *bytes, uint64_t size_bytes,
                                ct_worker_fbx_records *records, ct_error *error);

// Returns true when the record has this name.
bool ct_worker_fbx_is_named(const ct_worker_fbx_record *record, const char *name);

// Returns the first record of this name from `first` on, not inside of others, before `end`; `end`
// when there is none.
uint32_t ct_worker_fbx_find_record(const ct_worker_fbx_records *records, uint32_t first,
                                   uint32_t end, const char *name);

// Returns value `i` of the record; of the type 0 when it has fewer.
ct_worker_fbx_value ct_worker_fbx_value_of(const ct_worker_fbx_records *records,
                                           const ct_worker_fbx_record *record, uint32_t i);

// Returns true for a string of this text.
bool ct_worker_fbx_is_string(ct_worker_fbx_value value, const char *text);

// Sets `number` to the value. Returns false when the value is not a number.
bool ct_worker_fbx_number_of(ct_worker_fbx_value value, double *number);

// Sets `id` to the id of an object that the value is, as Assimp reads them: of text the digits at
// the beginning, 0 when they are too many. Returns false for a binary value that is not an id.
bool ct_worker_fbx_id_of(ct_worker_fbx_value value, uint64_t *id);

// Sets `child` and `parent` to the ids of the objects that the record, a C, connects. False when it
// connects none, but properties, or cannot be read.
bool ct_worker_fbx_link_of(const ct_worker_fbx_records *records, const ct_worker_fbx_record *record,
                           uint64_t *child, uint64_t *parent);
