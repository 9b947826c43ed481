// data_layout.h: the keys that many instances of data share.
//
// An instance has up to eight bools and floats in its slot. What their keys are stands once for all
// that have the same, in a layout. Layouts are found by what is in them. Those that no instance has
// stay for the next that wants one, until there are no free places; there are at most
// CT_DATA_MAX_LAYOUTS, so that a game that makes up keys does not fill memory: who gets none has its
// keys in a buffer of its own. Update thread.
#pragma once
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "resource/blob/data_buffer.h"

enum {
    CT_DATA_SLOT_VALUES = 8, // 32 bytes: half a cache line
    CT_DATA_MAX_LAYOUTS = 4096,
    CT_DATA_NUM_HINTS = 256,
};

// Layouts have numbers, 0 is none.
enum {
    CT_DATA_LAYOUT_EMPTY = 1, // without keys; always there
    CT_DATA_LAYOUT_OTHERS = 2,
    CT_DATA_LAYOUT_NEVER = UINT16_MAX, // larger than any
};

typedef struct ct_data_layout {
    uint32_t keys[CT_DATA_SLOT_VALUES]; // num_keys, ascending; 0 behind
    uint8_t types[CT_DATA_SLOT_VALUES]; // CT_DATA_TYPE_BOOL or _FLOAT; 0 behind
    uint32_t num_keys;
    uint32_t num_instances; // that have it
    uint64_t hash;          // of keys and types; what the table has in it, 0 in free places
} ct_data_layout;

// Where a key was found the last time, in a table by key and layout: then a get needs no search.
typedef struct ct_data_hint {
    uint32_t key;
    uint32_t layout; // that has the key; or CT_DATA_LAYOUT_NEVER
    uint16_t place;  // in the layout; or else in a buffer, to be checked
    uint16_t type;   // ct_data_type in the layout
    uint32_t absent; // a layout that does not have the key, where `layout` is not one that has it
} ct_data_hint;

typedef struct ct_data_layouts {
    CT_ARRAY(ct_data_layout) items; // by number
    ct_u32_array free_numbers;
    ct_hash_map numbers; // from hash
    uint32_t num_unused; // in the table, and no instance has them
    uint32_t last;       // that was looked for: the next is often the same
    ct_data_hint *hints; // borrowed; CT_DATA_NUM_HINTS
} ct_data_layouts;

// Makes an empty table, and clears `hints`, as it does whenever numbers of layouts come free.
void ct_data_layouts_init(ct_data_layouts *l, ct_allocator *a, ct_data_hint *hints);
void ct_data_layouts_free(ct_data_layouts *l);

// The number of the layout with these keys and types (hash and num_instances do not matter), made
// when it is not there; 0 when there are too many. It stays until the next one is
// looked for, and while instances have it.
uint32_t ct_data_layouts_find(ct_data_layouts *l, const ct_data_layout *wanted);

// Counts an instance that has a layout, and one that has it no longer.
void ct_data_layouts_take(ct_data_layouts *l, uint32_t number);
void ct_data_layouts_leave(ct_data_layouts *l, uint32_t number);

// The place of a key in a layout: that of the first that is not smaller, and whether it is there.
static inline uint32_t ct_data_layout_place(const ct_data_layout *layout, ct_data_key key) {
    return ct_data_count_smaller(layout->keys, layout->num_keys, key.hash);
}
static inline bool ct_data_layout_has(const ct_data_layout *layout, uint32_t place,
                                      ct_data_key key) {
    return place < layout->num_keys && layout->keys[place] == key.hash;
}
