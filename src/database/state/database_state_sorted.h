// database_state_sorted.h: objects and keys of a state in the order of their bytes, for what people read.
#pragma once
#include "database/state/database_state_private.h"

typedef CT_ARRAY(ct_guid) ct_database_guid_array;

// A key that has a value, and the value's number.
typedef struct ct_database_sorted_key {
    const char *text;
    uint32_t length, value;
} ct_database_sorted_key;

typedef CT_ARRAY(ct_database_sorted_key) ct_database_key_array;

// Appends the objects that exist, sorted.
void ct_database_objects_sorted(const ct_database_state *s, ct_database_guid_array *guids);

// Replaces `keys` by those of an object that have a value, sorted; they point into the state.
void ct_database_keys_sorted(const ct_database_state *s, ct_guid object,
                             ct_database_key_array *keys);
