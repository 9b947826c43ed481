// data_layout.h: layouts, the lists of keys that many data instances share.
//
// An instance has up to eight bools and floats in its slot. Their keys are in a layout, which all
// instances with the same keys share. Layouts are found by their content. A layout without
// instances is kept for later instances until there are no free places. There are at most
// CT_DATA_MAX_LAYOUTS, so that a game that makes up keys does not fill the memory. An instance that
// gets no layout has its keys in a buffer of its own. Update thread.
#pragma once
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "resource/blob/data_buffer.h"

enum {
    CT_DATA_SLOT_VALUES = 8, // 32 bytes: half a cache line
    CT_DATA_MAX_LAYOUTS = 4096,
    CT_DATA_NUM_HINTS = 256,
};

// Numbers of layouts; 0 is no layout.
enum {
    CT_DATA_LAYOUT_EMPTY = 1, // without keys; always exists
    CT_DATA_LAYOUT_OTHERS = 2,
    CT_DATA_LAYOUT_NEVER = UINT16_MAX, // larger than any
};

typedef struct ct_data_layout {
    uint32_t keys[CT_DATA_SLOT_VALUES]; // num_keys, ascending; the rest is 0
    uint8_t types[CT_DATA_SLOT_VALUES]; // CT_DATA_TYPE_BOOL or _FLOAT; the rest is 0
    uint32_t num_keys;
    uint32_t num_instances; // that have it
    uint64_t hash;          // of keys and types; the key in the table; 0 in free places
} ct_data_layout;

// The place where a key was last found, in a table by key and layout. It saves a get the search.
typedef struct ct_data_hint {
    uint32_t key;
    uint32_t layout; // that has the key; or CT_DATA_LAYOUT_NEVER
    uint16_t place;  // in the layout; or else in a buffer, where it must be checked
    uint16_t type;   // ct_data_type in the layout
    uint32_t absent; // a layout without the key, where `layout` is not one that has it
} ct_data_hint;

typedef struct ct_data_layouts {
    CT_ARRAY(ct_data_layout) items; // by number
    ct_u32_array free_numbers;
    ct_hash_map numbers; // from hash
    uint32_t num_unused; // in the table without instances
    uint32_t last;       // looked up: the next one is often the same
    ct_data_hint *hints; // borrowed; CT_DATA_NUM_HINTS
} ct_data_layouts;

// Makes an empty table and clears `hints`. The table also clears them whenever layout numbers
// become free.
void ct_data_layouts_init(ct_data_layouts *l, ct_allocator *a, ct_data_hint *hints);
void ct_data_layouts_free(ct_data_layouts *l);

// Returns the number of the layout with these keys and types (hash and num_instances do not matter)
// and makes the layout if it does not exist; 0 when there are too many. The layout stays until the
// next look-up, and as long as instances have it.
uint32_t ct_data_layouts_find(ct_data_layouts *l, const ct_data_layout *wanted);

// Adds an instance to those that a layout counts, and removes one.
void ct_data_layouts_take(ct_data_layouts *l, uint32_t number);
void ct_data_layouts_leave(ct_data_layouts *l, uint32_t number);

// Returns the place of the first key in a layout that is not smaller than `key`, and whether the
// key is at that place.
static inline uint32_t ct_data_layout_place(const ct_data_layout *layout, ct_data_key key) {
    return ct_data_count_smaller(layout->keys, layout->num_keys, key.hash);
}
static inline bool ct_data_layout_has(const ct_data_layout *layout, uint32_t place,
                                      ct_data_key key) {
    return place < layout->num_keys && layout->keys[place] == key.hash;
}
