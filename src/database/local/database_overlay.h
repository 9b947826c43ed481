// database_overlay.h: operations that lie on top of a state, and what reads see of them.
//
// A list of operations in the order they were made, with a hash map from an object, a key or an element to its last
// operation. An operation that a later one makes void is dead: it stays in the list until the next compaction. One
// thread.
#pragma once
#include "database/database_value.h"
#include "foundation/container/hash_map.h"

#define CT_DATABASE_NO_OPERATION UINT32_MAX

// What the operations say of an object.
typedef enum ct_database_overlay_existence {
    CT_DATABASE_OVERLAY_SAME, // as below
    CT_DATABASE_OVERLAY_CREATED,
    CT_DATABASE_OVERLAY_DESTROYED,
} ct_database_overlay_existence;

// An object that has operations.
typedef struct ct_database_overlay_object {
    ct_guid guid;
    ct_database_overlay_existence existence;
    bool
        hides_values; // was destroyed here: the values below are gone, also when it was created again
    uint32_t create, destroy; // operations, or CT_DATABASE_NO_OPERATION
    uint32_t first_key;       // index of a key, or CT_DATABASE_NO_OPERATION
} ct_database_overlay_object;

// A key that has operations.
typedef struct ct_database_overlay_key {
    uint32_t object;        // index
    const char *name;       // in the bytes of the operations
    uint32_t length;        // bytes
    uint32_t change;        // the CHANGE_KEY, or CT_DATABASE_NO_OPERATION
    uint32_t first_element; // the first operation with an element, or CT_DATABASE_NO_OPERATION
    uint32_t next_key;      // of the object
} ct_database_overlay_key;

// What is kept beside each operation.
typedef struct ct_database_overlay_entry {
    uint32_t epoch;        // what the author had seen: the owner's number
    uint32_t next_element; // of the key
    bool is_dead;
    bool is_stored;    // the owner's mark: as the store keeps it
    bool is_attempted; // the owner's mark: in a commit whose end is not known
} ct_database_overlay_entry;

typedef struct ct_database_overlay {
    ct_allocator *allocator;
    ct_database_operations operations;
    CT_ARRAY(ct_database_overlay_entry) entries; // one for each operation
    CT_ARRAY(ct_database_overlay_object) objects;
    CT_ARRAY(ct_database_overlay_key) keys;
    ct_hash_map places; // hash of object, key or element: index of object, key or operation
    uint32_t num_dead;
} ct_database_overlay;

// Make an overlay without operations, and free it.
void ct_database_overlay_init(ct_database_overlay *overlay, ct_allocator *a);
void ct_database_overlay_free(ct_database_overlay *overlay);

// Adds an operation, whose bytes are copied. `exists_below` says whether the object exists in the state below (for
// DESTROY).
void ct_database_overlay_push(ct_database_overlay *overlay, const ct_database_operation *operation,
                              uint32_t epoch, bool exists_below);

// Keeps the living operations for which `is_kept` has true (NULL: all; one for each operation of the list) and
// drops the others.
void ct_database_overlay_compact(ct_database_overlay *overlay, const bool *is_kept);

// Return the entry of an object or of a key of it; NULL when it has none.
const ct_database_overlay_object *ct_database_overlay_find(const ct_database_overlay *overlay,
                                                           ct_guid object);
const ct_database_overlay_key *ct_database_overlay_find_key(const ct_database_overlay *overlay,
                                                            ct_guid object, const char *key,
                                                            uint32_t key_length);
