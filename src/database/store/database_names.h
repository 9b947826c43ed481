// database_names.h: names (keys, GUIDs of replicas) that a store keeps once, by a small number.
//
// What is known of the stored table, in memory: numbers never change and are never used again, so an entry stays
// true whatever other processes add. After a transaction that was undone all must be forgotten.
#pragma once
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"

typedef struct ct_database_name {
    int64_t id;       // from 1
    const char *text; // zero-terminated; owned by the names
    uint32_t length;  // bytes
    uint32_t next;    // the next entry with the same hash + 1; 0: the last
} ct_database_name;

typedef struct ct_database_names {
    CT_ARRAY(ct_database_name) list;
    ct_u32_array by_id;  // index in the list + 1; 0: not known
    ct_hash_map by_hash; // to indices of the list
} ct_database_names;

// Make an empty list, and free it with its texts.
void ct_database_names_init(ct_database_names *names, ct_allocator *a);
void ct_database_names_free(ct_database_names *names);

// Forgets all.
void ct_database_names_clear(ct_database_names *names);

// Returns the number of a name; 0 when it is not known.
int64_t ct_database_names_id(const ct_database_names *names, const void *text, uint32_t length);

// Returns the name with a number, NULL when it is not known. Valid until the next add.
const ct_database_name *ct_database_names_get(const ct_database_names *names, int64_t id);

enum { CT_DATABASE_MAX_NAMES = 1 << 22 };

// Adds a name that is not known yet; copies the text. Does nothing when the number is above CT_DATABASE_MAX_NAMES or
// below 1: a file that has such a number is damaged.
void ct_database_names_add(ct_database_names *names, int64_t id, const void *text, uint32_t length);
