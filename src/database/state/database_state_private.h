// database_state_private.h: the inside of a state: objects with a list of values, values with a list of elements.
//
// A place has the rows of one thing: the first one (the winner, with the highest stamp) in the item itself, others, of
// which there are few, in a list. Numbers (of objects, values, …) begin at 1; 0 means nothing.
#pragma once
#include "database/database_index.h"
#include "database/database_keys.h"
#include "database/database_pages.h"
#include "database/database_pool.h"
#include "database/state/database_state.h"

enum { CT_DATABASE_INLINE_BYTES = 15, CT_DATABASE_LAST_KEYS = 64 };

// A kept operation without the place that it belongs to.
typedef struct ct_database_kept {
    union {
        bool truth;
        double number;
        ct_guid guid; // a reference; of an element's row the element, of an object's the object
        char text[CT_DATABASE_INLINE_BYTES + 1]; // inline_length below 16
        struct {
            char *text;
            uint32_t length;
        } string; // in the pool
        ct_database_blob *blob;
        struct {
            ct_guid *items;
            uint32_t count;
        } set;
    };
    uint64_t time;
    uint32_t replica;      // 0: no operation
    uint8_t type;          // ct_database_operation_type
    uint8_t kind;          // ct_database_kind of a CHANGE_KEY
    uint8_t inline_length; // of a string; 255: in the pool
    uint8_t flags; // of the place, in its first row only: CT_DATABASE_VALUE_, CT_DATABASE_ELEMENT_
} ct_database_kept;

_Static_assert(sizeof(ct_database_kept) == 32, "1,000,000 objects have some 5,000,000 of them");

// Another row of a place.
typedef struct ct_database_more {
    ct_database_kept row;
    uint32_t next, padding;
} ct_database_more;

enum {
    CT_DATABASE_OBJECT_USED = 1,
    CT_DATABASE_OBJECT_EXISTENCE_DIRTY = 2,
    CT_DATABASE_OBJECT_DIRTY = 4,        // all of it: no row of it need be asked for
    CT_DATABASE_OBJECT_HAS_REMOVED = 8,  // rows of it may be stored that are not here
    CT_DATABASE_OBJECT_CONTESTED = 16,   // in the list of those that may have conflicts
    CT_DATABASE_OBJECT_HAS_INDEX = 32,   // its values are in the index
    CT_DATABASE_OBJECT_HAS_EVICTED = 64, // while rows leave: some of its values do
    CT_DATABASE_VALUE_DIRTY = 1,         // the CHANGE_KEY rows
    CT_DATABASE_VALUE_KEY_DIRTY = 2,     // the elements, too: no row of the key need be asked for
    CT_DATABASE_VALUE_HAS_REMOVED = 4,   // elements may be stored that are not here
    CT_DATABASE_VALUE_EVICTED = 8,       // while rows leave: this one does
    CT_DATABASE_ELEMENT_DIRTY = 1,
};

typedef struct ct_database_object {
    ct_database_kept row; // CREATE or DESTROY; its guid is the object's, also without a row
    uint32_t more, first_value, num_values;
    uint32_t flags; // CT_DATABASE_OBJECT_; the last of all, as pages keep it when they are released
} ct_database_object;

typedef struct ct_database_held_value {
    ct_database_kept row; // CHANGE_KEY; a key that has elements only has no row here
    uint32_t more, key, next;
    uint32_t set; // number of ct_database_held_set; 0: no elements
} ct_database_held_value;

typedef struct ct_database_element {
    ct_database_kept row; // ADD_TO_SET or REMOVE_FROM_SET; its guid is the element
    uint32_t more, previous, next;
    uint32_t value; // whose it is
} ct_database_element;

// The elements of a key.
typedef struct ct_database_held_set {
    uint32_t first, count;
    uint32_t num_adds;    // elements with an ADD_TO_SET
    uint32_t num_members; // elements whose ADD_TO_SET counts
} ct_database_held_set;

// What changed since it was stored. Entries that lie within a larger dirty part are passed over, as their numbers
// may be those of something else by now.
typedef struct ct_database_dirty {
    ct_database_changed_part part;
    uint32_t object, value, element;
} ct_database_dirty;

typedef struct ct_database_known_replica {
    ct_guid guid;
    uint64_t seen;  // the time that the author of the commit at hand had seen of it
    uint32_t epoch; // of `seen`
    uint32_t padding;
} ct_database_known_replica;

// Memory for reading sets.
typedef struct ct_database_set_scratch {
    CT_ARRAY(ct_guid) items, other;
} ct_database_set_scratch;

struct ct_database_state {
    ct_allocator *parent, *allocator; // the second is a proxy over the first
    ct_database_removed removed;
    ct_database_keys keys;
    ct_database_pages objects, values, elements, sets, more;
    ct_database_index object_index, value_index, element_index, replica_index;
    ct_database_pool pool;
    CT_ARRAY(ct_database_known_replica) replicas; // [0] is not used
    CT_ARRAY(ct_database_dirty) dirty;
    ct_u32_array contested; // objects; some of them not any more
    ct_database_row_array asked;
    ct_database_set_scratch *scratch;
    uint32_t root, num_existing, num_changes;
    // Of rows that were loaded last.
    uint32_t last_object, last_replica;
    uint32_t last_keys[CT_DATABASE_LAST_KEYS];
    // The commit at hand.
    const ct_database_commit *commit;
    uint32_t commit_replica, epoch;
};

// --- Things by number ------------------------------------------------------------------------------

// Returns an object by its number.
static inline ct_database_object *ct_database_object_at(const ct_database_state *s, uint32_t i) {
    return ct_database_pages_at(&s->objects, i);
}

// Returns a value by its number.
static inline ct_database_held_value *ct_database_value_at(const ct_database_state *s, uint32_t i) {
    return ct_database_pages_at(&s->values, i);
}

// Returns an element by its number.
static inline ct_database_element *ct_database_element_at(const ct_database_state *s, uint32_t i) {
    return ct_database_pages_at(&s->elements, i);
}

// Returns what belongs to a set by its number.
static inline ct_database_held_set *ct_database_set_at(const ct_database_state *s, uint32_t i) {
    return ct_database_pages_at(&s->sets, i);
}

// Returns a row that did not win by its number.
static inline ct_database_more *ct_database_more_at(const ct_database_state *s, uint32_t i) {
    return ct_database_pages_at(&s->more, i);
}

// Returns the number of an object, a value or an element; 0 when it is not in memory.
uint32_t ct_database_object_find(const ct_database_state *s, ct_guid guid);
uint32_t ct_database_value_find(const ct_database_state *s, const ct_database_object *object,
                                uint32_t object_number, uint32_t key);
uint32_t ct_database_element_find(const ct_database_state *s, uint32_t value, ct_guid guid);

// Add what is not there, without rows.
uint32_t ct_database_object_add(ct_database_state *s, ct_guid guid);
uint32_t ct_database_value_add(ct_database_state *s, uint32_t object, uint32_t key);
uint32_t ct_database_element_add(ct_database_state *s, uint32_t value, ct_guid guid);

// Free them with all their rows. A value is also taken from its object's list by the caller; it has no elements.
void ct_database_object_free(ct_database_state *s, uint32_t object);
void ct_database_value_free(ct_database_state *s, uint32_t object, uint32_t value);
void ct_database_element_free(ct_database_state *s, uint32_t element);

// Returns the number of a replica, which is added when it is new.
uint32_t ct_database_replica_add(ct_database_state *s, ct_guid guid);

// --- Rows of a place -------------------------------------------------------------------------------

// Returns the stamp of a row.
static inline ct_database_stamp ct_database_kept_stamp(const ct_database_state *s,
                                                       const ct_database_kept *row) {
    return (ct_database_stamp){row->time, s->replicas.items[row->replica].guid};
}

// Compares stamps of rows.
static inline int ct_database_kept_compare(const ct_database_state *s, const ct_database_kept *a,
                                           const ct_database_kept *b) {
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    if (a->replica == b->replica)
        return 0;
    return ct_guid_compare(s->replicas.items[a->replica].guid, s->replicas.items[b->replica].guid);
}

// Makes a row of an operation; copies its value.
ct_database_kept ct_database_kept_make(ct_database_state *s, const ct_database_operation *operation,
                                       uint64_t time, uint32_t replica);

// Adds a row to a place: `first` and the list `more`.
void ct_database_kept_add(ct_database_state *s, ct_database_kept *first, uint32_t *more,
                          ct_database_kept row);

// Removes the rows of a place that the commit at hand covers: those it has seen, and its own.
void ct_database_kept_cover(ct_database_state *s, ct_database_kept *first, uint32_t *more);

// Returns a row's value; it points into the state.
ct_database_value ct_database_kept_value(const ct_database_kept *row);

// Makes a row for outside. `key` may be 0.
ct_database_row ct_database_kept_row(const ct_database_state *s, const ct_database_object *object,
                                     uint32_t key, const ct_database_kept *row);

// Returns whether any row of a place is of a type; whether any CHANGE_KEY gives something.
bool ct_database_kept_has_type(const ct_database_state *s, const ct_database_kept *first,
                               uint32_t more, ct_database_operation_type type);
bool ct_database_kept_has_value(const ct_database_state *s, const ct_database_kept *first,
                                uint32_t more);

// --- What rows say ---------------------------------------------------------------------------------

// Returns whether an object exists.
static inline bool ct_database_object_exists(const ct_database_state *s, uint32_t number,
                                             const ct_database_object *object) {
    return number == s->root || (object->row.replica && object->row.type == CT_DATABASE_CREATE);
}

// Returns whether an element's first row counts: it is no older than the CHANGE_KEY. In one commit it is the later one.
static inline bool ct_database_element_counts(const ct_database_state *s,
                                              const ct_database_held_value *value,
                                              const ct_database_element *element) {
    return !value->row.replica || ct_database_kept_compare(s, &element->row, &value->row) >= 0;
}

// Returns whether the CHANGE_KEY that gives the value has an element in its set.
bool ct_database_value_has_item(const ct_database_held_value *value, ct_guid guid);

// Returns the kind of value that a key has for readers.
static inline ct_database_kind ct_database_value_kind(const ct_database_state *s,
                                                      const ct_database_held_value *value) {
    if (value->set && ct_database_set_at(s, value->set)->num_members > 0)
        return CT_DATABASE_SET;
    return value->row.replica ? (ct_database_kind)value->row.kind : CT_DATABASE_NULL;
}

// Counts an element in or out (`sign` 1, -1) of num_adds and num_members; the second counts all of a value again and
// returns whether any of their rows may have lost.
void ct_database_element_count(ct_database_state *s, const ct_database_element *element, int sign);
bool ct_database_elements_count(ct_database_state *s, uint32_t value);

// Returns whether a key has something that lives: rows that do not only hide something.
bool ct_database_value_lives(const ct_database_state *s, const ct_database_held_value *value);
bool ct_database_element_lives(const ct_database_state *s, const ct_database_element *element);
bool ct_database_object_lives(const ct_database_state *s, const ct_database_object *object);

// --- What is marked --------------------------------------------------------------------------------

// Mark a part as changed since it was stored.
void ct_database_mark_object(ct_database_state *s, uint32_t object);
void ct_database_mark_existence(ct_database_state *s, uint32_t object);
void ct_database_mark_key(ct_database_state *s, uint32_t object, uint32_t value);
void ct_database_mark_value(ct_database_state *s, uint32_t object, uint32_t value);
// Marks one element of a set as changed since it was stored.
void ct_database_mark_element(ct_database_state *s, uint32_t object, uint32_t value,
                              uint32_t element);

// Lists an object as one that may have conflicts; the second only when one of its places says so. `value` and
// `element` may be 0.
void ct_database_mark_contested(ct_database_state *s, uint32_t object);
void ct_database_mark_differences(ct_database_state *s, uint32_t object, uint32_t value,
                                  uint32_t element);

// Returns whether an object has a conflict.
bool ct_database_object_has_conflict(const ct_database_state *s, uint32_t object);

// Returns the value that readers see of a key. That of a set is borrowed until the next set.
ct_database_value ct_database_value_get(const ct_database_state *s, uint32_t value);

// Gathers the elements of a key in the state's memory, sorted. The result is borrowed until the next set.
ct_database_value ct_database_value_set(const ct_database_state *s, uint32_t value);

// Sorts GUIDs in linear time. `other` has room for as many.
void ct_database_guids_sort(ct_guid *guids, ct_guid *other, uint32_t count);

// Puts a row that comes from the store into its place, which is added.
void ct_database_row_put(ct_database_state *s, uint32_t object, const ct_database_row *row);
