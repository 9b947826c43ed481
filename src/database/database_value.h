// database_value.h: what a key of an object holds, and the operations that change objects.
//
// From "A New Data Storage Model" (Bitsquid blog, 2010-08-18). Values are plain data that points at bytes
// owned by someone else: the state, a decoded commit, or the caller.
#pragma once
#include "foundation/container/array.h"
#include "foundation/error.h"
#include "foundation/string/guid.h"

enum {
    CT_DATABASE_MAX_KEY_BYTES = 1023,        // of a key; 1 at least
    CT_DATABASE_MAX_STRING_BYTES = 16 << 20, // of a string; more belongs into a blob
    CT_DATABASE_BLOB_PIECE_BYTES = 1 << 20,  // blobs are stored in pieces of this size
};

// The kinds of values.
typedef enum ct_database_kind {
    CT_DATABASE_NULL, // the same as no value
    CT_DATABASE_BOOL,
    CT_DATABASE_NUMBER,
    CT_DATABASE_STRING,
    CT_DATABASE_BLOB,
    CT_DATABASE_REFERENCE, // to another object
    CT_DATABASE_SET,       // of references; no order
    CT_DATABASE_NUM_KINDS,
} ct_database_kind;

// A blob is named by the hash of its bytes (XXH3-128), which the store keeps once.
typedef struct ct_database_blob {
    uint8_t hash[16];
    uint64_t size_bytes;
} ct_database_blob;

// A value. Borrowed: what it points at belongs to where it came from.
typedef struct ct_database_value {
    ct_database_kind kind;
    union {
        bool truth;
        double number; // finite or not: NaN and infinities are kept
        struct {
            const char *text; // UTF-8; zeros inside are allowed; a zero follows it
            uint32_t length;  // bytes
        } string;
        ct_database_blob blob;
        ct_guid reference;
        struct {
            const ct_guid *items; // ascending, without doubles
            uint32_t count;
        } set;
    };
} ct_database_value;

// Returns whether two values are the same. Numbers are compared by their bits, but for 0 and -0, which
// are the same.
bool ct_database_value_is_equal(const ct_database_value *a, const ct_database_value *b);

// Sorts elements of a set by their bytes, which is the order that a value needs. May have some twice.
void ct_database_set_sort(ct_guid *elements, uint32_t count);

// Checks a value that comes from outside: strings are UTF-8 and not too long. Sets with doubles or out of order
// are an error, too. Returns false with `error`.
bool ct_database_value_check(const ct_database_value *value, ct_error *error);

// Checks a key: UTF-8 of 1 to CT_DATABASE_MAX_KEY_BYTES bytes without control characters. Returns false with
// `error`, which quotes the start of the key.
bool ct_database_key_check(const char *key, uint64_t length, ct_error *error);

// What an operation does.
typedef enum ct_database_operation_type {
    CT_DATABASE_CREATE,
    CT_DATABASE_DESTROY,
    CT_DATABASE_CHANGE_KEY,
    CT_DATABASE_ADD_TO_SET,
    CT_DATABASE_REMOVE_FROM_SET,
    CT_DATABASE_NUM_OPERATION_TYPES,
} ct_database_operation_type;

// One change of one object.
typedef struct ct_database_operation {
    ct_database_operation_type type;
    ct_guid object;
    const char *key;     // CHANGE_KEY, ADD_TO_SET, REMOVE_FROM_SET; else NULL
    uint32_t key_length; // bytes
    ct_database_value
        value; // CHANGE_KEY; for ADD_TO_SET and REMOVE_FROM_SET a reference: the element
} ct_database_operation;

// Checks an operation that comes from outside: its type, its key, its value; the root is neither created nor destroyed.
// Returns false with `error`.
bool ct_database_operation_check(const ct_database_operation *operation, ct_error *error);

// A list of operations with the bytes that they point at.
typedef struct ct_database_operations {
    CT_ARRAY(ct_database_operation) list;
    struct ct_database_bytes *bytes; // chunks; operations stay where they point when the list grows
} ct_database_operations;

// Makes an empty list.
void ct_database_operations_init(ct_database_operations *operations, ct_allocator *a);
void ct_database_operations_free(ct_database_operations *operations);

// Removes all, keeps the memory of the list.
void ct_database_operations_clear(ct_database_operations *operations);

// Appends an operation and copies what it points at. It may point into the list's own bytes.
void ct_database_operations_push(ct_database_operations *operations,
                                 const ct_database_operation *operation);

// Returns the name of an operation or a kind as the text formats spell it: "change_key", "reference".
const char *ct_database_operation_name(ct_database_operation_type type);
const char *ct_database_kind_name(ct_database_kind kind);
