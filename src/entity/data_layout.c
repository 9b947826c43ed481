#include "entity/data_layout.h"

#include <string.h>

#include "foundation/error.h"

// Making room walks over all layouts, so it waits until so many can be freed.
enum { LEAST_UNUSED = CT_DATA_MAX_LAYOUTS / 8 };

// --- Life ----------------------------------------------------------------------------------------

static void clear_hints(ct_data_layouts *l) {
    for (uint32_t i = 0; i < CT_DATA_NUM_HINTS; ++i)
        l->hints[i] =
            (ct_data_hint){.layout = CT_DATA_LAYOUT_NEVER, .absent = CT_DATA_LAYOUT_NEVER};
}

void ct_data_layouts_init(ct_data_layouts *l, ct_allocator *a, ct_data_hint *hints) {
    ct_array_init(&l->items, a);
    ct_array_init(&l->free_numbers, a);
    ct_hash_map_init(&l->numbers, a);
    l->num_unused = 0;
    l->last = CT_DATA_LAYOUT_EMPTY;
    l->hints = hints;
    clear_hints(l);
    ct_array_resize(&l->items, CT_DATA_LAYOUT_OTHERS);
    for (uint32_t i = 0; i < CT_DATA_LAYOUT_OTHERS; ++i)
        l->items.items[i].num_instances = 1; // so that they are never unused
    ct_hash_map_set(&l->numbers, 0, CT_DATA_LAYOUT_EMPTY);
}

void ct_data_layouts_free(ct_data_layouts *l) {
    ct_hash_map_free(&l->numbers);
    ct_array_free(&l->free_numbers);
    ct_array_free(&l->items);
}

// --- Finding -------------------------------------------------------------------------------------

static uint64_t mix(uint64_t x) {
    x *= UINT64_C(0x9e3779b97f4a7c15);
    return x ^ x >> 32;
}

static uint64_t hash_of(const ct_data_layout *layout) {
    uint64_t hash = 0;
    for (uint32_t i = 0; i < layout->num_keys; ++i)
        hash = mix(hash + ((uint64_t)layout->keys[i] << 8 | layout->types[i]));
    return hash;
}

// Compares one by one: the keys were just written so, and wider reads would wait for the writes.
static bool is_same(const ct_data_layout *a, const ct_data_layout *b) {
    uint32_t difference = a->num_keys ^ b->num_keys;
    for (uint32_t i = 0; i < b->num_keys; ++i)
        difference |= (a->keys[i] ^ b->keys[i]) | (uint32_t)(a->types[i] ^ b->types[i]);
    return difference == 0;
}

// Frees the numbers of all layouts that no instance has.
static void free_unused(ct_data_layouts *l) {
    for (uint32_t i = CT_DATA_LAYOUT_OTHERS; i < l->items.count; ++i) {
        ct_data_layout *const layout = &l->items.items[i];
        if (layout->num_keys == 0 || layout->num_instances > 0)
            continue;
        ct_hash_map_erase(&l->numbers, layout->hash);
        *layout = (ct_data_layout){0};
        ct_array_push(&l->free_numbers, i);
    }
    l->num_unused = 0;
    l->last = CT_DATA_LAYOUT_EMPTY;
    clear_hints(l);
}

static uint32_t take_number(ct_data_layouts *l) {
    if (l->items.count == CT_DATA_MAX_LAYOUTS && l->free_numbers.count == 0 &&
        l->num_unused >= LEAST_UNUSED)
        free_unused(l);
    if (l->free_numbers.count > 0)
        return l->free_numbers.items[--l->free_numbers.count];
    if (l->items.count == CT_DATA_MAX_LAYOUTS)
        return 0;
    ct_array_push(&l->items, (ct_data_layout){0});
    return l->items.count - 1;
}

static uint32_t add(ct_data_layouts *l, const ct_data_layout *wanted, uint64_t hash) {
    const uint32_t number = take_number(l);
    if (!number)
        return 0;
    ct_data_layout *const layout = &l->items.items[number];
    *layout = (ct_data_layout){.num_keys = wanted->num_keys, .hash = hash};
    memcpy(layout->keys, wanted->keys, sizeof(*layout->keys) * wanted->num_keys);
    memcpy(layout->types, wanted->types, wanted->num_keys);
    ct_hash_map_set(&l->numbers, hash, number);
    ++l->num_unused;
    return number;
}

uint32_t ct_data_layouts_find(ct_data_layouts *l, const ct_data_layout *wanted) {
    if (is_same(&l->items.items[l->last], wanted))
        return l->last;
    const uint64_t hash = hash_of(wanted);
    uint32_t number = (uint32_t)ct_hash_map_get(&l->numbers, hash, 0);
    if (!number)
        number = add(l, wanted, hash);
    else if (!is_same(&l->items.items[number], wanted))
        number = 0; // of two with one hash, the second has no place
    if (number)
        l->last = number;
    return number;
}

// --- Counting ------------------------------------------------------------------------------------

void ct_data_layouts_take(ct_data_layouts *l, uint32_t number) {
    ct_data_layout *const layout = &l->items.items[number];
    l->num_unused -= layout->num_instances++ == 0;
}

void ct_data_layouts_leave(ct_data_layouts *l, uint32_t number) {
    ct_data_layout *const layout = &l->items.items[number];
    CT_ASSERT(layout->num_instances > 0, "no instance has the layout %u", number);
    l->num_unused += --layout->num_instances == 0;
}
