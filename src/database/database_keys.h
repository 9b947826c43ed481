// database_keys.h: keys, each kept once, by number.
//
// Numbers go up from 1 in the order of coming. Keys stay until the end: databases have few different ones. One
// thread.
#pragma once
#include "database/database_index.h"
#include "foundation/container/array.h"

typedef struct ct_database_key {
    const char *text; // followed by a zero
    uint32_t length;
} ct_database_key;

typedef struct ct_database_keys {
    CT_ARRAY(ct_database_key) list; // [0] is not used
    ct_database_index index;
    struct ct_database_bytes *bytes;
} ct_database_keys;

// Make an empty list of keys, and free it with the texts.
void ct_database_keys_init(ct_database_keys *keys, ct_allocator *a);
void ct_database_keys_free(ct_database_keys *keys);

// Returns the number of a key; 0 when it has not been added.
uint32_t ct_database_keys_find(const ct_database_keys *keys, const char *text, uint32_t length);

// Returns the number of a key, which is added (copied) when it is new.
uint32_t ct_database_keys_add(ct_database_keys *keys, const char *text, uint32_t length);

// Compares two texts as their bytes are ordered: returns less than, equal to or greater than 0.
int ct_database_key_compare(const char *a, uint32_t a_length, const char *b, uint32_t b_length);
