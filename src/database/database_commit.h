// database_commit.h: a commit, and its bytes in the log.
//
// The bytes are little-endian and end with a checksum: what was cut off or damaged is found. Keys are stored
// once a commit. The bytes of a commit are the same on each machine and in each store; replicas exchange them.
#pragma once
#include "database/database_clock.h"
#include "database/database_value.h"

enum {
    CT_DATABASE_COMMIT_VERSION = 1,
    CT_DATABASE_MAX_COMMIT_BYTES = 256 << 20,
    CT_DATABASE_MAX_OPERATIONS = 16 << 20, // of a commit
    CT_DATABASE_MAX_NAME_BYTES = 255,      // of an author
    CT_DATABASE_MAX_MESSAGE_BYTES = 4095,
};

// A commit, decoded or about to be encoded.
typedef struct ct_database_commit {
    ct_database_stamp stamp;
    uint64_t previous; // time of the commit of the same replica before it; 0: it is the first
    uint64_t
        since; // of the same replica: commits from here on were made with this one, which has seen them;
               // 0: it was made alone
    ct_database_vector seen;      // what its author had seen
    const char *author, *message; // UTF-8, zero-terminated; "" is fine
    ct_database_operations operations;
    struct ct_database_bytes *bytes; // behind author and message of a decoded commit
} ct_database_commit;

// Makes an empty commit with author and message "".
void ct_database_commit_init(ct_database_commit *commit, ct_allocator *a);
void ct_database_commit_free(ct_database_commit *commit);

// Appends the bytes of a commit to `out`. Returns false with `error`, and leaves `out` as it was, when they exceed
// CT_DATABASE_MAX_COMMIT_BYTES, and for all that decode would refuse.
bool ct_database_commit_encode(const ct_database_commit *commit, ct_byte_array *out,
                               ct_error *error);

// Reads the bytes of a commit. Checks everything: checksum, version, sizes, types, UTF-8, keys, times (those seen are
// before the commit's), the order of vector and sets. There is one way only to write a commit. Returns false with `error`, which says what is wrong and at which byte, and leaves the commit
// empty but usable. Copies what it keeps. Fuzzed (fuzz/fuzz_database_commit.c).
bool ct_database_commit_decode(ct_database_commit *commit, const void *bytes, uint64_t size_bytes,
                               ct_error *error);
