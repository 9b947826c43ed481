// The content of data slots: numbers by a layout, and a buffer for other values.
#include <string.h>

#include "entity/data_private.h"

static const ct_data_key no_key;
static const ct_data_value no_value;

// --- Filling -------------------------------------------------------------------------------------

// Takes the first numbers of a buffer.
static void take_numbers(const ct_data_buffer *b, ct_data_layout *layout,
                         ct_data_slot_template *t) {
    const uint8_t *const types = ct_data_buffer_types(b);
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->num_keys && n < CT_DATA_SLOT_VALUES; ++i) {
        if (!ct_data_is_number(types[i]))
            continue;
        layout->keys[n] = b->words[i];
        layout->types[n] = types[i];
        t->is_bool[n] = types[i] == CT_DATA_TYPE_BOOL;
        t->places[n++] = i;
    }
    layout->num_keys = t->num_places = n;
}

static bool have_same_keys(const ct_data_buffer *a, const ct_data_buffer *b) {
    const uint64_t bytes = (const char *)ct_data_buffer_values(b) - (const char *)b->words;
    return a->num_keys == b->num_keys && memcmp(a->words, b->words, bytes) == 0;
}

// Updates the template of the latest buffer.
static void make_template(ct_data_manager *m, const ct_data_buffer *b, ct_data_slot_template *t) {
    if (t->of == b || (t->of && have_same_keys(t->of, b)))
        return;
    ct_data_layout wanted; // of which only what counts is set: zeroing it takes longer
    take_numbers(b, &wanted, t);
    t->of = b;
    t->layout = ct_data_layouts_find(&m->layouts, &wanted);
    if (t->layout)
        return;
    t->layout = CT_DATA_LAYOUT_EMPTY;
    t->num_places = 0;
}

static void put_numbers(const ct_data_buffer *b, const ct_data_slot_template *t,
                        ct_data_body *body) {
    const uint32_t *const values = ct_data_buffer_values(b);
    *body = (ct_data_body){{0}};
    for (uint32_t i = 0; i < t->num_places; ++i) {
        const uint32_t value = values[t->places[i]];
        body->words[i] = t->is_bool[i] ? ct_data_word(ct_data_bool(value != 0)) : value;
    }
}

static void put_layout(ct_data_manager *m, uint32_t slot, uint32_t layout) {
    m->slots.heads[slot] = ct_data_head(ct_data_generation_at(m, slot), layout);
    ct_data_layouts_take(&m->layouts, layout);
}

void ct_data_fill_slots(ct_data_manager *m, const uint32_t *slots, uint32_t count, uint32_t step,
                        const ct_data_buffer *b, ct_data_slot_template *latest) {
    // Write numbers straight into the first slot: copying data just written in parts is slow.
    ct_data_body *const body = &m->slots.bodies[slots[0]];
    make_template(m, b, latest);
    put_numbers(b, latest, body);
    for (uint32_t i = 0; i < count; ++i) {
        put_layout(m, slots[i * step], latest->layout);
        m->slots.buffers[slots[i * step]] = NULL;
        if (i > 0)
            m->slots.bodies[slots[i * step]] = *body;
    }
    if (latest->num_places == b->num_keys)
        return;
    const uint32_t bytes =
        (uint32_t)ct_data_buffer_needed_bytes(b, no_key, no_value, -(int32_t)latest->num_places);
    ct_data_buffer *const first = ct_buddy_pool_take(&m->pool, bytes);
    ct_data_buffer_copy_without(b, latest->places, latest->num_places, first, bytes);
    m->slots.buffers[slots[0]] = first;
    for (uint32_t i = 1; i < count; ++i)
        m->slots.buffers[slots[i * step]] =
            memcpy(ct_buddy_pool_take(&m->pool, bytes), first, bytes);
}

void ct_data_empty_slot(ct_data_manager *m, uint32_t slot) {
    ct_data_change_buffer(m, slot, NULL);
    ct_data_layouts_leave(&m->layouts, ct_data_layout_at(m, slot));
    m->slots.heads[slot] = ct_data_head(ct_data_generation_at(m, slot), 0);
}

// --- Changing ------------------------------------------------------------------------------------

void ct_data_change_buffer(ct_data_manager *m, uint32_t slot, ct_data_buffer *b) {
    ct_data_buffer *const old = m->slots.buffers[slot];
    if (old)
        ct_buddy_pool_give(&m->pool, old, ct_data_buffer_bytes(old));
    m->slots.buffers[slot] = b;
}

bool ct_data_change_layout(ct_data_manager *m, uint32_t slot, const ct_data_layout *wanted,
                           const ct_data_body *body) {
    const uint32_t number = ct_data_layouts_find(&m->layouts, wanted);
    if (!number)
        return false;
    ct_data_layouts_leave(&m->layouts, ct_data_layout_at(m, slot));
    put_layout(m, slot, number);
    m->slots.bodies[slot] = *body;
    return true;
}

// --- All in one buffer ---------------------------------------------------------------------------

uint64_t ct_data_whole_bytes(const ct_data_manager *m, uint32_t slot, ct_data_key key,
                             ct_data_value value) {
    const ct_data_layout *const layout = &m->layouts.items.items[ct_data_layout_at(m, slot)];
    uint32_t num_others = layout->num_keys;
    if (value.type != CT_DATA_TYPE_NONE)
        num_others -= ct_data_layout_has(layout, ct_data_layout_place(layout, key), key);
    return ct_data_buffer_needed_bytes(ct_data_buffer_at(m, slot), key, value, (int32_t)num_others);
}

// Writes a buffer of the values in a slot alone. Keys of layouts are in the order of those of buffers.
static void write_numbers(const ct_data_layout *layout, const ct_data_body *body,
                          ct_data_buffer *to, uint32_t bytes) {
    const uint32_t n = layout->num_keys, num_words = bytes / (uint32_t)sizeof(uint32_t);
    *to = (ct_data_buffer){(uint16_t)n, (uint16_t)num_words, (uint16_t)num_words, 0};
    memset(to->words, 0, bytes - sizeof(*to));
    memcpy(to->words, layout->keys, sizeof(uint32_t) * n);
    memcpy(to->words + n, layout->types, n);
    memcpy(to->words + n + (n + 3) / 4, body->words, sizeof(uint32_t) * n);
}

void ct_data_write_whole(const ct_data_manager *m, uint32_t slot, ct_data_buffer *to,
                         uint32_t bytes) {
    const ct_data_layout *const layout = &m->layouts.items.items[ct_data_layout_at(m, slot)];
    if (ct_data_buffer_at(m, slot)->num_keys == 0) {
        write_numbers(layout, &m->slots.bodies[slot], to, bytes);
        return;
    }
    ct_data_buffer_rebuild(ct_data_buffer_at(m, slot), no_key, no_value, to, bytes);
    for (uint32_t i = 0; i < layout->num_keys; ++i)
        ct_data_buffer_set(to, (ct_data_key){layout->keys[i]},
                           ct_data_word_value(layout->types[i], m->slots.bodies[slot].words[i]));
}

void ct_data_copy_values(const ct_data_manager *m, ct_data_instance i, ct_byte_array *out) {
    ct_data_check(m, i);
    const uint64_t bytes = ct_data_whole_bytes(m, i.slot, no_key, no_value);
    const uint32_t at = out->count;
    CT_ASSERT(at % sizeof(uint32_t) == 0, "values cannot be appended at %u", at);
    ct_array_reserve(out, (uint64_t)at + bytes);
    out->count = at + (uint32_t)bytes; // each byte is written
    ct_data_write_whole(m, i.slot, (ct_data_buffer *)(void *)(out->items + at), (uint32_t)bytes);
}
