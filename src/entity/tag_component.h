// tag_component.h: tags of entities ("enemy", "flying"), and the entities that have each tag. One
// manager for all worlds.
//
// Tags are hashed strings. Each entity with a tag has one row: its list of tags. The inverted index
// has, for each tag, an array of its entities and beside it an array of their signatures: 64 bits,
// one for each tag that the entity has (the tag's number modulo 64). A query walks the signatures
// of the rarest tag from front to back and reads nothing else. Only with more than 64 tags in use,
// when some share a bit, it also checks the lists of entities that pass. An entity's list has its
// places in the index, so removing one tag or all takes time in proportion to the length of the
// lists.
//
// Up to three tags of an entity are in its row. With more, all of them are in a growing array,
// which like the arrays of the index comes from a buddy allocator. Nothing outside has pointers to
// these arrays, so they move to a larger buffer when theirs is full. Measured and rejected: one
// signature for each entity, looked up from the index (15 times slower in random order), and a
// bitset of all entities for each tag (twice as slow, and its memory grows with tags times
// entities).
//
// Rows of dead entities end lazily; queries leave dead entities out. Update thread.
// From "Allocation Adventures 2: Arrays of Arrays" and "3: The Buddy Allocator" (Bitsquid blog,
// 2015).
#pragma once
#include "entity/component_registry.h"
#include "entity/instance_table.h"

enum { CT_TAG_MAX_READERS = 64, CT_TAG_MOST_CHANGES = 1 << 18 };

typedef struct ct_tag_manager ct_tag_manager;

// Makes an empty manager that allocates from `a`, and frees it with all tags (NULL is fine).
ct_tag_manager *ct_tag_manager_create(ct_allocator *a);
void ct_tag_manager_destroy(ct_tag_manager *m);

// Returns the entry for a registry, which then owns the manager.
ct_component_manager ct_tag_component_manager(ct_tag_manager *m);

// --- Tags of entities ----------------------------------------------------------------------------

// Adds `tag` (not 0) to entities. Entities that already have it stay as they are.
void ct_tag_add(ct_tag_manager *m, const ct_entity *entities, uint32_t count, ct_string_id32 tag);

// Removes `tag` from entities; skips entities without it.
void ct_tag_remove(ct_tag_manager *m, const ct_entity *entities, uint32_t count,
                   ct_string_id32 tag);

// Removes all tags from entities.
void ct_tag_remove_all(ct_tag_manager *m, const ct_entity *entities, uint32_t count);

// Returns whether an entity, dead or alive, has the tag.
bool ct_tag_has(const ct_tag_manager *m, ct_entity e, ct_string_id32 tag);

// Returns the number of tags of an entity, and tag `i` (from 0), in no particular order.
uint32_t ct_tag_count(const ct_tag_manager *m, ct_entity e);
ct_string_id32 ct_tag_at(const ct_tag_manager *m, ct_entity e, uint32_t i);

// Writes all tags of an entity, in no particular order, to `tags`, which has room for ct_tag_count.
void ct_tag_copy(const ct_tag_manager *m, ct_entity e, ct_string_id32 *tags);

// --- Rows ----------------------------------------------------------------------------------------

// Returns the instance table, which maps entities to rows. Rows start at 1. An entity gets a row
// with its first tag, and keeps it when it loses all tags.
const ct_instance_table *ct_tag_instances(const ct_tag_manager *m);

// Returns the entity's row; makes one without tags if there is none.
uint32_t ct_tag_create(ct_tag_manager *m, ct_entity e);

// Ends the rows of entities with all their tags at once, not lazily.
void ct_tag_destroy(ct_tag_manager *m, const ct_entity *entities, uint32_t count);

// Ends rows of dead entities: probes at random until it finds four live ones in a row, or has ended
// 4,096 rows and tags together. Call every frame.
void ct_tag_collect_garbage(ct_tag_manager *m, const ct_entity_manager *entities);

// --- Entities with tags --------------------------------------------------------------------------

// A query for entities that have all tags of `all` (at least one) and no tag of `none`.
typedef struct ct_tag_query {
    const ct_string_id32 *all, *none;
    uint32_t num_all, num_none;
} ct_tag_query;

// Returns the most entities that the query can find now: as many as have the rarest tag of `all`.
uint32_t ct_tag_most_found(const ct_tag_manager *m, const ct_tag_query *query);

// Writes the live entities that match the query to `found`, which must have room for
// ct_tag_most_found, in no particular order. Returns their number. The time grows with the list of
// the rarest tag.
uint32_t ct_tag_find(const ct_tag_manager *m, const ct_entity_manager *entities,
                     const ct_tag_query *query, ct_entity *found);

// Returns a number that changes whenever another set of entities, dead or alive, has the tag; 0 while
// no entity has it. For callers that keep what ct_tag_find wrote. O(1).
uint64_t ct_tag_version(const ct_tag_manager *m, ct_string_id32 tag);

// Returns an array with room for `count` entities, for the results of frequent queries. It is not
// NULL for 0 either. Valid until the next call.
ct_entity *ct_tag_scratch(ct_tag_manager *m, uint32_t count);

// --- Changes (tag_changes.c) ---------------------------------------------------------------------

// A named reader of changes. Each reader has its own cursor in one list of changes. Reading and
// clearing every frame keeps the list short. A reader that falls more than CT_TAG_MOST_CHANGES
// behind starts again.
typedef struct ct_tag_reader {
    uint32_t number;
} ct_tag_reader;

// Finds the reader with this name; the first call makes it. False with `error` when there are
// CT_TAG_MAX_READERS others.
bool ct_tag_reader_named(ct_tag_manager *m, ct_string_id32 name, ct_tag_reader *reader,
                         ct_error *error);

// Returns the most entities that ct_tag_changed can write to either array now.
uint32_t ct_tag_most_changed(const ct_tag_manager *m, ct_tag_reader reader, ct_string_id32 tag);

typedef struct ct_tag_changed_counts {
    uint32_t num_gained, num_lost;
    bool
        is_anew; // discard earlier results: `gained` has all entities with the tag; `lost` is empty
} ct_tag_changed_counts;

// Writes to `gained` the live entities that have `tag` and did not have it when the reader last
// cleared, and to `lost` those that had it then and no longer have it; each once, in no particular
// order. `lost` includes dead entities, some frames after they died (when their rows end). The time
// grows with the changes of all tags since then.
ct_tag_changed_counts ct_tag_changed(ct_tag_manager *m, const ct_entity_manager *entities,
                                     ct_tag_reader reader, ct_string_id32 tag, ct_entity *gained,
                                     ct_entity *lost);

// Marks all changes so far, of all tags, as seen by the reader.
void ct_tag_clear_changes(ct_tag_manager *m, ct_tag_reader reader);
