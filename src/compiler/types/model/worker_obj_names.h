// worker_obj_names.h: texts with numbers from 0, in the order they came.
#pragma once
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"

#define CT_WORKER_OBJ_NO_NAME UINT32_MAX

// One text.
typedef struct ct_worker_obj_name {
    const char *text;
    uint32_t next; // of the same hash
} ct_worker_obj_name;

// A table of texts.
typedef struct ct_worker_obj_names {
    CT_ARRAY(ct_worker_obj_name) items;
    ct_hash_map map; // from a hash to the last that has it
} ct_worker_obj_names;

// Makes an empty table, whose memory and texts come from `a`.
void ct_worker_obj_names_init(ct_worker_obj_names *names, ct_allocator *a);

// The number of `text`, or CT_WORKER_OBJ_NO_NAME.
uint32_t ct_worker_obj_names_find(const ct_worker_obj_names *names, const char *text);

// Adds a copy of `text`, which is not there yet. Returns its number.
uint32_t ct_worker_obj_names_add(ct_worker_obj_names *names, const char *text);
