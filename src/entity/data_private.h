// data_private.h: shared by the files of the data component. data_component.c has the instances,
// data_body.c the content of slots, data_values.c getting and setting, data_save.c saving and
// loading.
#pragma once
#include "entity/data_component.h"
#include "entity/instance_table.h"
#include "foundation/container/buddy_pool.h"

struct ct_data_manager {
    ct_data_slots slots; // must be first: ct_data_get expects it there
    ct_instance_table table;
    uint32_t *slot; // of each row
    ct_u32_array free_slots;
    ct_data_layouts layouts;
    ct_buddy_pool pool;
    ct_allocator *allocator;
    bool is_shared; // ct_data_share
};

// --- Slots (data_component.c) --------------------------------------------------------------------

// Makes a slot's head from its parts (ct_data_slots), and returns the parts of a head.
static inline uint32_t ct_data_head(uint32_t generation, uint32_t layout) {
    return generation << 16 | layout;
}
static inline uint32_t ct_data_generation_at(const ct_data_manager *m, uint32_t slot) {
    return m->slots.heads[slot] >> 16;
}
static inline uint32_t ct_data_layout_at(const ct_data_manager *m, uint32_t slot) {
    return m->slots.heads[slot] & UINT16_MAX;
}

// The inline form of ct_data_is_valid.
static inline bool ct_data_is_alive(const ct_data_manager *m, ct_data_instance i) {
    return i.slot < m->slots.soa.count && ct_data_generation_at(m, i.slot) == i.generation &&
           ct_data_layout_at(m, i.slot) != 0;
}

// Asserts that an instance has not ended.
static inline void ct_data_check(const ct_data_manager *m, ct_data_instance i) {
    CT_ASSERT(ct_data_is_alive(m, i), "the data instance %u.%u is invalid or has ended", i.slot,
              i.generation);
    (void)m, (void)i;
}

// Makes instances from buffers, which must have been checked; empty instances where `data` is NULL.
void ct_data_add_many(ct_data_manager *m, const ct_component_spawn *spawn);

// Ends all instances.
void ct_data_clear(ct_data_manager *m);

// --- What is in slots (data_body.c) --------------------------------------------------------------

// Converts a bool or float to the 32 bits that a body stores, and back.
static inline uint32_t ct_data_word(ct_data_value value) {
    uint32_t word = 0;
    if (value.type == CT_DATA_TYPE_FLOAT)
        memcpy(&word, &value.number, sizeof(word));
    else
        memcpy(&word, &value.boolean, sizeof(value.boolean));
    return word;
}
static inline ct_data_value ct_data_word_value(uint32_t type, uint32_t word) {
    ct_data_value value = {.type = (ct_data_type)type};
    memcpy(&value.number, &word, sizeof(word));
    return value;
}

// Returns whether a body can hold values of this ct_data_type: bool or float.
static inline bool ct_data_is_number(uint32_t type) {
    return type == CT_DATA_TYPE_BOOL || type == CT_DATA_TYPE_FLOAT;
}

// The values of a buffer that instances have in their slots: the layout, and the places of these
// values in the buffer. Kept because the next buffer often has the same keys. Starts as {0}.
typedef struct ct_data_slot_template {
    const ct_data_buffer *of; // must be readable until the next buffer was read
    uint32_t layout;          // the empty one, without places, when no layout was free
    uint32_t num_places;
    uint32_t places[CT_DATA_SLOT_VALUES];
    bool is_bool[CT_DATA_SLOT_VALUES]; // values whose word in a body depends on the byte order
} ct_data_slot_template;

// Fills `count` slots (slots[0], slots[step] and so on), which have no instances, with copies of
// the values of a buffer. `latest` is the template of the previous buffer; it becomes that of this
// one.
void ct_data_fill_slots(ct_data_manager *m, const uint32_t *slots, uint32_t count, uint32_t step,
                        const ct_data_buffer *b, ct_data_slot_template *latest);

// Empties a slot and ends its instance.
void ct_data_empty_slot(ct_data_manager *m, uint32_t slot);

// Returns the size in bytes of one buffer, without holes and free room, with all values of an
// instance and `value` (unless its type is NONE); and writes such a buffer, without `value`.
uint64_t ct_data_whole_bytes(const ct_data_manager *m, uint32_t slot, ct_data_key key,
                             ct_data_value value);
void ct_data_write_whole(const ct_data_manager *m, uint32_t slot, ct_data_buffer *to,
                         uint32_t bytes);

// Returns the buffer of an instance; an empty one where it has no buffer.
static inline const ct_data_buffer *ct_data_buffer_at(const ct_data_manager *m, uint32_t slot) {
    const ct_data_buffer *const b = m->slots.buffers[slot];
    return b ? b : &ct_data_buffer_empty;
}

// Replaces the buffer of an instance by `b` (NULL: no buffer) and frees the old one.
void ct_data_change_buffer(ct_data_manager *m, uint32_t slot, ct_data_buffer *b);

// Gives an instance another layout with the values in `body`; false when there are too many
// layouts.
bool ct_data_change_layout(ct_data_manager *m, uint32_t slot, const ct_data_layout *wanted,
                           const ct_data_body *body);
