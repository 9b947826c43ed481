// serve_record.h: which list of a file server an engine had last, for a start while the server is
// away.
//
// The cache keeps a record for each project of each server, and for each server's programs: the
// list as it is on the wire, behind a head of five big-endian numbers of 64 bits: "CtList01", the
// data's versions, the time, the number of files, and a hash of all that. It is written when the
// list has been placed, so that the cache then has all contents. Any thread; the newest record
// stays.
#pragma once
#include "dev/serve/serve_cache.h"

enum { CT_SERVE_RECORD_HEAD_BYTES = 40 };

typedef struct ct_serve_record {
    ct_serve_file_array files;
    uint64_t versions; // ct_serve_versions of the engine that fetched them; 0: programs
    int64_t time_ns;   // when they were the server's, since 1970
} ct_serve_record;

// Appends the bytes of a record's file.
void ct_serve_record_write(const ct_serve_record *r, ct_byte_array *out);

// Reads such bytes to `r`, whose files must be an array. Returns false with `error`, and no files,
// when they are no record, or damaged.
bool ct_serve_record_read(const uint8_t *bytes, uint64_t num_bytes, ct_serve_record *r,
                          ct_error *error);

// Keeps a record in the cache, for the server and project that it was opened for. Returns false
// with `error` when it cannot be written.
bool ct_serve_record_keep(const ct_serve_cache *c, const ct_serve_record *r, ct_error *error);

// Returns whether the cache has a record. It may be of no use.
bool ct_serve_record_exists(const ct_serve_cache *c);

// Reads the cache's record to `r`, and checks all contents of its list by their hashes. Returns
// false with `error`, and no files, when there is no record, it is of other versions than
// `versions`, or contents are missing or damaged.
bool ct_serve_record_recall(const ct_serve_cache *c, uint64_t versions, ct_serve_record *r,
                            ct_error *error);
