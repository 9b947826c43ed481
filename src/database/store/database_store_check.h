// database_store_check.h: what both stores check.
#pragma once
#include "database/store/database_store.h"

struct ct_content_hasher;

// Compares what is stored of a branch's state (the sum of ct_database_row_hash of all its rows, and how many) with
// what its commits up to branch->state give, and appends a line to `out` when they differ.
bool ct_database_check_state(ct_database_store *store, const ct_database_branch *branch,
                             uint64_t sum, uint64_t count, struct ct_string_builder *out,
                             ct_error *error);

// Decodes a commit, checks its stamp, and that the blobs that it names are there; appends a line to `out` for each
// fault.
void ct_database_check_commit(ct_database_store *store, ct_database_stamp stamp, const void *bytes,
                              uint64_t size_bytes, struct ct_string_builder *out);

// A check of blobs: give it the pieces in the order of blob and number. Finds wrong sizes and hashes. A blob whose
// last pieces are missing is not yet written and no fault.
typedef struct ct_database_blob_check {
    ct_allocator *allocator;
    struct ct_content_hasher *hasher; // NULL: between blobs
    ct_database_blob blob;
    uint32_t num_pieces; // so far
    bool is_faulty;      // already said
    struct ct_string_builder *out;
} ct_database_blob_check;

// Begin a check whose lines go to `out`, give it the next piece, and end it with the last blob.
void ct_database_blob_check_begin(ct_database_blob_check *check, ct_allocator *a,
                                  struct ct_string_builder *out);
void ct_database_blob_check_piece(ct_database_blob_check *check, const ct_database_blob *blob,
                                  uint32_t piece, const void *bytes, uint32_t size_bytes);
void ct_database_blob_check_end(ct_database_blob_check *check);
