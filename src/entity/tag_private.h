// tag_private.h: shared by the files of tag components.
//
// Tags in use have numbers from 1; a number is reused once no entity has the tag any more. The list
// of a row has the numbers of its tags and the places of the entity in their arrays. These arrays
// have entities, not rows, so that rows may move.
#pragma once
#include "entity/tag_component.h"
#include "foundation/container/buddy_array.h"

enum { CT_TAG_SIGNATURE_BITS = 64, CT_TAG_FEW = 3 };

// A tag of an entity.
typedef struct ct_tag_place {
    uint32_t number; // of the tag
    uint32_t place;  // of the entity in the tag's arrays
} ct_tag_place;

// The tags of an entity: up to CT_TAG_FEW are in the row itself, more in a block of the buddy
// allocator. All zeros are a valid empty list.
typedef struct ct_tag_list {
    uint32_t count;
    uint32_t capacity; // of `block`; 0: they are in `few`
    union {
        ct_tag_place few[CT_TAG_FEW];
        ct_tag_place *block;
    };
} ct_tag_list;

// A tag, and the entities that have it.
typedef struct ct_tag_record {
    ct_string_id32 id;  // {0}: the record's number is free
    uint32_t next_free; // number, or 0
    uint64_t version;   // ct_tag_version
    CT_BUDDY_ARRAY(ct_entity) entities;
    CT_BUDDY_ARRAY(uint64_t) signatures; // of the entities, in the same order
} ct_tag_record;

typedef struct ct_tag_change {
    ct_entity entity;
    ct_string_id32 tag;
    uint32_t has; // 1: the entity has the tag now; 0: it lost it
} ct_tag_change;

typedef struct ct_tag_follower {
    ct_string_id32 name;
    uint32_t cursor; // changes before it are read
    bool is_new;     // or has fallen too far behind
} ct_tag_follower;

struct ct_tag_manager {
    ct_instance_table table;
    ct_tag_list *tags;                           // of each row
    uint64_t *signature;                         // of each row
    CT_ARRAY(ct_tag_record) records;             // by number; 0 is unused
    uint32_t first_free;                         // number, or 0
    uint64_t last_version;                       // given to a record
    uint32_t num_sharing[CT_TAG_SIGNATURE_BITS]; // tags in use, by bit
    ct_hash_map numbers;                         // of tags in use, by id

    ct_buddy_allocator buddy; // for all lists
    void *buffer;
    uint64_t buffer_bytes;

    CT_ARRAY(ct_tag_change) changes; // kept while there are followers
    ct_tag_follower followers[CT_TAG_MAX_READERS];
    uint32_t num_followers;
    ct_hash_map seen;            // scratch of ct_tag_changed
    CT_ARRAY(ct_entity) scratch; // of ct_tag_scratch
    ct_allocator *allocator;
};

// Returns the items of a list. Borrowed until it grows or its row moves.
static inline ct_tag_place *ct_tag_places(ct_tag_list *list) {
    return list->capacity ? list->block : list->few;
}

// Returns the bit of a tag in signatures; several tags may share one.
static inline uint64_t ct_tag_bit(uint32_t number) {
    return UINT64_C(1) << number % CT_TAG_SIGNATURE_BITS;
}

// Returns the number of a tag in use, or 0.
static inline uint32_t ct_tag_number(const ct_tag_manager *m, ct_string_id32 tag) {
    return (uint32_t)ct_hash_map_get(&m->numbers, tag.value, 0);
}

// Returns the item of a tag in the row's list, or NULL.
static inline ct_tag_place *ct_tag_in_row(const ct_tag_manager *m, uint32_t row, uint32_t number) {
    ct_tag_list *const list = &m->tags[row];
    ct_tag_place *const places = ct_tag_places(list);
    for (uint32_t i = 0; i < list->count; ++i) {
        if (places[i].number == number)
            return &places[i];
    }
    return NULL;
}

// --- Memory (tag_memory.c) -----------------------------------------------------------------------

// Makes and frees the buffer in which lists grow. All lists must be empty when it is freed.
void ct_tag_memory_init(ct_tag_manager *m);
void ct_tag_memory_shutdown(ct_tag_manager *m);

// Moves all lists to a larger buffer when a list with room for `capacity` items of `item_bytes`
// could not grow to `wanted` items. Pointers to items become invalid.
void ct_tag_memory_reserve(ct_tag_manager *m, uint32_t capacity, uint64_t wanted,
                           uint64_t item_bytes);

// Moves the list of a row to a larger block, for `count` tags.
void ct_tag_memory_grow_row(ct_tag_manager *m, uint32_t row, uint32_t count);

// Empties the list of a row and frees its block.
void ct_tag_memory_free_row(ct_tag_manager *m, uint32_t row);

// Makes room for `count` tags in the list of a row.
static inline void ct_tag_memory_reserve_row(ct_tag_manager *m, uint32_t row, uint32_t count) {
    const uint32_t capacity = m->tags[row].capacity;
    if (count > (capacity ? capacity : CT_TAG_FEW))
        ct_tag_memory_grow_row(m, row, count);
}

// Appends one value to a list of `m`. All lists of `m` may move.
#define ct_tag_push(m, list, ...)                                                                  \
    (__builtin_expect((list)->count < (list)->capacity, 1) ? (void)0 : ct_tag_grow((m), (list)),   \
     (list)->items[(list)->count++] = __VA_ARGS__)

// Makes room for one more item; for ct_tag_push.
#define ct_tag_grow(m, list)                                                                       \
    (ct_tag_memory_reserve((m), (list)->capacity, (uint64_t)(list)->count + 1,                     \
                           sizeof(*(list)->items)),                                                \
     (void)ct_buddy_array_reserve(&(m)->buddy, (list), (uint64_t)(list)->count + 1))

// --- Changes (tag_changes.c) ---------------------------------------------------------------------

// Records for followers that an entity has gained the tag, or lost it.
static inline void ct_tag_note(ct_tag_manager *m, ct_entity e, ct_string_id32 tag, bool has);
void ct_tag_note_followed(ct_tag_manager *m, ct_entity e, ct_string_id32 tag, bool has);

static inline void ct_tag_note(ct_tag_manager *m, ct_entity e, ct_string_id32 tag, bool has) {
    if (m->num_followers > 0)
        ct_tag_note_followed(m, e, tag, has);
}
