// database_state.h: the objects that a set of commits gives, in memory.
//
// Objects, values and elements lie in flat pages with free lists; an index leads from a GUID to its object.
// docs/decisions/0064 says what each key keeps and which operation covers which. The result depends on the
// set of commits applied, not on their order, as long as each comes after those that its author had seen.
// Only what lives is here: what was removed is handed to the owner (ct_database_state_changes) to store, and asked
// back through `removed` when an operation comes for something that is not here. One thread.
//
// Rows are kept in places: CREATE and DESTROY of an object, CHANGE_KEY of a key, and the operations of one element of
// a key. A place is in memory with all its rows, or not at all.
#pragma once
#include "database/database_commit.h"

typedef struct ct_database_state ct_database_state;

// One operation that a key keeps, with its stamp: a row of the stored state. Values point into the state.
typedef struct ct_database_row {
    ct_database_operation operation;
    ct_database_stamp stamp;
    // Stored with the row. Only rows that live are handed to ct_database_state_load: the others say of something
    // removed that it was removed.
    bool lives;
    // Stored with the row. It is what readers see: the CREATE of an object that exists, the CHANGE_KEY that gives the
    // value or the set's start, the operation that counts for an element. It says nothing about whether the
    // object exists.
    bool wins;
    // Stored with the row: rows that do not live may be stored for this object (CREATE, DESTROY), or for elements of
    // this key (CHANGE_KEY).
    bool has_removed;
} ct_database_row;

typedef CT_ARRAY(ct_database_row) ct_database_row_array;

// Asks the owner for stored rows. Key NULL: all rows of the object. Else those of the key: all of them, or with
// `element` the CHANGE_KEY rows and those of this element. More rows than that do no harm; those of places that are in
// memory, or that changed since they were stored, are passed over. The function pushes them to `rows`; what they
// point at stays valid until the next call.
typedef struct ct_database_removed {
    void *user; // NULL function: there are no such rows
    void (*rows)(void *user, ct_guid object, const char *key, uint32_t key_length,
                 const ct_guid *element, ct_database_row_array *rows);
} ct_database_removed;

// Makes a state that has the root only. Memory comes from a proxy "database_state" over `a`.
ct_database_state *ct_database_state_create(ct_allocator *a, ct_database_removed removed);
void ct_database_state_destroy(ct_database_state *state); // NULL is fine

// Puts a stored row back while a state is loaded. Rows may come in any order; each only once.
void ct_database_state_load(ct_database_state *state, const ct_database_row *row);

// Makes room for this many objects and values in all.
void ct_database_state_reserve(ct_database_state *state, uint32_t num_objects, uint32_t num_values);

// Applies a commit. Applying one twice is a bug of the caller, whose vector says which are known.
void ct_database_state_apply(ct_database_state *state, const ct_database_commit *commit);

// --- What changed since it was last stored ---------------------------------------------------------

// What changed: which stored rows are to be replaced by those of ct_database_state_changed_rows.
typedef enum ct_database_changed_part {
    CT_DATABASE_CHANGED_OBJECT,    // all rows of the object
    CT_DATABASE_CHANGED_EXISTENCE, // its CREATE and DESTROY
    CT_DATABASE_CHANGED_KEY,       // all rows of a key
    CT_DATABASE_CHANGED_VALUE,     // CHANGE_KEY of a key
    CT_DATABASE_CHANGED_ELEMENT,   // those of one element of a key
} ct_database_changed_part;

typedef struct ct_database_changed {
    ct_database_changed_part part;
    ct_guid object;
    const char *key; // NULL for OBJECT and EXISTENCE
    uint32_t key_length;
    ct_guid element; // ELEMENT
} ct_database_changed;

typedef CT_ARRAY(ct_database_changed) ct_database_changed_array;

// Appends what changed since ct_database_state_stored, each part once: no part lies within another. Keys point into
// the state.
void ct_database_state_changes(const ct_database_state *state, ct_database_changed_array *changes);
// Returns how many operations changed something since ct_database_state_stored.
uint32_t ct_database_state_num_changes(const ct_database_state *state);

// Appends the rows that now belong to a part; none when all are gone.
void ct_database_state_changed_rows(const ct_database_state *state,
                                    const ct_database_changed *changed,
                                    ct_database_row_array *rows);

// Appends the kept rows of a key (NULL: CREATE and DESTROY) that are in memory, also of objects that do not exist.
void ct_database_state_rows(const ct_database_state *state, ct_guid object, const char *key,
                            uint32_t key_length, ct_database_row_array *rows);

// Says that all changes are stored: from now on rows that only hide something leave memory.
void ct_database_state_stored(ct_database_state *state);

// --- Reading ---------------------------------------------------------------------------------------

// Returns whether an object exists. The root always does: it is counted and walked, too.
bool ct_database_state_has(const ct_database_state *state, ct_guid object);

// Returns the value of a key, NULL kind when the key or the object does not exist. A set is sorted into memory of
// the state when it is read; valid until the next call that is not a read, or the next read of a set.
ct_database_value ct_database_state_get(const ct_database_state *state, ct_guid object,
                                        const char *key, uint32_t key_length);

// Returns whether a set has an element. Faster than reading the set.
bool ct_database_state_has_element(const ct_database_state *state, ct_guid object, const char *key,
                                   uint32_t key_length, ct_guid element);

// Walks the objects that exist, in no special order: start with *place 0. Returns false at the end. The state must
// not change meanwhile.
bool ct_database_state_next_object(const ct_database_state *state, uint32_t *place,
                                   ct_guid *object);

// Walks the keys of an object that have a value, in no special order: start with *place 0. Keys point into the state.
bool ct_database_state_next_key(const ct_database_state *state, ct_guid object, uint32_t *place,
                                const char **key, uint32_t *key_length);

// Returns how many objects exist, with the root.
uint32_t ct_database_state_num_objects(const ct_database_state *state);

// What it holds, for `cuttle db info` and the bench.
typedef struct ct_database_state_stats {
    uint32_t num_objects, num_values, num_elements, num_keys, num_conflicts;
    uint64_t memory_bytes;
} ct_database_state_stats;
void ct_database_state_stats_get(const ct_database_state *state, ct_database_state_stats *stats);

// --- Conflicts -------------------------------------------------------------------------------------

// A decision: `lost` was not seen by the author of `won`, which won. Of the same key, or element, the later one wins;
// a DESTROY that counts wins over all values of the object that it does not cover; elements that were added win over an
// earlier value that is neither a set nor null.
typedef struct ct_database_conflict {
    ct_database_row won, lost;
} ct_database_conflict;

typedef CT_ARRAY(ct_database_conflict) ct_database_conflict_array;

// Appends all conflicts, by object, key, and stamp of what lost. Those where both say the same are left out.
void ct_database_state_conflicts(const ct_database_state *state,
                                 ct_database_conflict_array *conflicts);

// --- Comparing and checking ------------------------------------------------------------------------

// Appends the operations that turn `from` into `to`: destroys last, creates first, the rest by object and key.
void ct_database_state_diff(const ct_database_state *from, const ct_database_state *to,
                            ct_database_operations *operations);

// A fault of integrity.
typedef enum ct_database_fault_type {
    CT_DATABASE_FAULT_DANGLING, // `object`.`key` refers to `target`, which does not exist
    CT_DATABASE_FAULT_GARBAGE,  // no chain of references leads from the root to `object`
} ct_database_fault_type;

typedef struct ct_database_fault {
    ct_database_fault_type type;
    ct_guid object, target;
    const char *key; // into the state; DANGLING
    uint32_t key_length;
} ct_database_fault;

typedef CT_ARRAY(ct_database_fault) ct_database_fault_array;

// Appends the faults, by object and key. Cycles of references are fine. Linear.
void ct_database_state_check(const ct_database_state *state, ct_allocator *scratch,
                             ct_database_fault_array *faults);

// Appends the whole state as sorted text: objects, keys, values, then conflicts. Equal states give equal text.
struct ct_string_builder;
void ct_database_state_dump(const ct_database_state *state, struct ct_string_builder *out);
