// data_private.h: what the files of the data component share.
#pragma once
#include "entity/data_component.h"
#include "entity/instance_table.h"
#include "foundation/buddy_pool.h"

struct ct_data_manager {
    ct_instance_table table;
    uint32_t *slot; // of each row
    // By slot; a get needs the first two and the buffer, and nothing else.
    CT_ARRAY(ct_data_buffer *) buffers; // NULL: free; ct_data_buffer_empty: nothing is in it yet
    ct_u32_array generations;           // of the instance that is there, or will be
    ct_u32_array rows;
    ct_u32_array free_slots;
    ct_buddy_pool pool;
    ct_allocator *allocator;
};

// Makes instances of `num_buffers` buffers, which were checked and lie at `data` + offsets[k], for
// `count` entities, in their order: when these are more, the buffers begin anew. `data` NULL: empty
// ones.
void ct_data_add_many(ct_data_manager *m, const ct_entity *entities, const uint32_t *ids,
                      uint32_t count, const char *data, const uint32_t *offsets,
                      uint32_t num_buffers);

// Ends all instances.
void ct_data_clear(ct_data_manager *m);
