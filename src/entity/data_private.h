// data_private.h: what the files of the data component share: data_component.c has instances,
// data_body.c what is in their slots, data_values.c gets and sets it, data_save.c saves and loads.
#pragma once
#include "entity/data_component.h"
#include "entity/instance_table.h"
#include "foundation/container/buddy_pool.h"

struct ct_data_manager {
    ct_data_slots slots; // first: ct_data_get looks for it there
    ct_instance_table table;
    uint32_t *slot; // of each row
    ct_u32_array free_slots;
    ct_data_layouts layouts;
    ct_buddy_pool pool;
    ct_allocator *allocator;
};

// --- Slots (data_component.c) --------------------------------------------------------------------

// A head of a slot from its parts (ct_data_slots), and the two parts of one.
static inline uint32_t ct_data_head(uint32_t generation, uint32_t layout) {
    return generation << 16 | layout;
}
static inline uint32_t ct_data_generation_at(const ct_data_manager *m, uint32_t slot) {
    return m->slots.heads[slot] >> 16;
}
static inline uint32_t ct_data_layout_at(const ct_data_manager *m, uint32_t slot) {
    return m->slots.heads[slot] & UINT16_MAX;
}

// As ct_data_is_valid.
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

// Makes instances of buffers, which were checked; without data, empty ones.
void ct_data_add_many(ct_data_manager *m, const ct_component_spawn *spawn);

// Ends all instances.
void ct_data_clear(ct_data_manager *m);

// --- What is in slots (data_body.c) --------------------------------------------------------------

// The 32 bits that a body has for a bool or a float, and back.
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

// Returns whether a body holds values of this ct_data_type: bools and floats.
static inline bool ct_data_is_number(uint32_t type) {
    return type == CT_DATA_TYPE_BOOL || type == CT_DATA_TYPE_FLOAT;
}

// What of a buffer instances have in their slots: the layout, and where that is in the buffer. The
// next buffer often has the same keys. Starts as {0}.
typedef struct ct_data_slot_template {
    const ct_data_buffer *of; // to be read until the next one was
    uint32_t layout;          // the empty one, with no places, when there was none to be had
    uint32_t num_places;
    uint32_t places[CT_DATA_SLOT_VALUES];
    bool is_bool[CT_DATA_SLOT_VALUES]; // whose word is another in a body, by the byte order
} ct_data_slot_template;

// Fills `count` slots (slots[0], slots[step] and so on), which have no instances, with copies of
// what a buffer has. `latest` is of the buffer before it, and then of this one.
void ct_data_fill_slots(ct_data_manager *m, const uint32_t *slots, uint32_t count, uint32_t step,
                        const ct_data_buffer *b, ct_data_slot_template *latest);

// Takes out what is in a slot and ends its instance.
void ct_data_empty_slot(ct_data_manager *m, uint32_t slot);

// The bytes of one buffer, without holes and free room, of all that an instance has, and, unless it
// is none, a value; and writes it.
uint64_t ct_data_whole_bytes(const ct_data_manager *m, uint32_t slot, ct_data_key key,
                             ct_data_value value);
void ct_data_write_whole(const ct_data_manager *m, uint32_t slot, ct_data_buffer *to,
                         uint32_t bytes);

// What the buffer of an instance has; nothing where there is none.
static inline const ct_data_buffer *ct_data_buffer_at(const ct_data_manager *m, uint32_t slot) {
    const ct_data_buffer *const b = m->slots.buffers[slot];
    return b ? b : &ct_data_buffer_empty;
}

// Gives an instance another buffer, NULL for none, in place of its own, which is given back.
void ct_data_change_buffer(ct_data_manager *m, uint32_t slot, ct_data_buffer *b);

// Gives an instance another layout with these values; false when there are too many layouts.
bool ct_data_change_layout(ct_data_manager *m, uint32_t slot, const ct_data_layout *wanted,
                           const ct_data_body *body);
