// tag_component.h: words that entities bear ("enemy", "flying"), and who bears them. One manager for
// all worlds.
//
// Tags are hashed strings. Each entity with a tag has one row: its list of tags. The inverted index
// has, for each tag, an array of its entities and beside it an array of their signatures: 64 bits,
// one for each tag that the entity has (the tag's number modulo 64). A query walks the signatures of
// the rarest tag from front to back and looks nowhere else; only with more than 64 tags in use, when
// some share a bit, it asks the lists of those that pass. An entity's list says where it stands in
// the index, so that losing a tag, or all, costs as much as the lists are long.
//
// Up to three tags of an entity stand in its row; with more, all stand in a growing array on a buddy
// allocator, which the row keeps, beside those of the index. As nobody outside has pointers to them,
// they move to a larger buffer when it runs out. Measured and refused: one signature an entity, looked
// up from the index (15 times slower in random order), and a bitset of all entities for each tag
// (twice as slow, and its memory grows with tags times entities).
//
// Entities that died end lazily; queries leave them out. Update thread.
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

// The entry for a registry, which then owns the manager.
ct_component_manager ct_tag_component_manager(ct_tag_manager *m);

// --- Tags of entities ----------------------------------------------------------------------------

// Gives `tag`, which is not none, to entities; those that have it are passed over.
void ct_tag_add(ct_tag_manager *m, const ct_entity *entities, uint32_t count, ct_string_id32 tag);

// Takes `tag` from entities; those without it are passed over.
void ct_tag_remove(ct_tag_manager *m, const ct_entity *entities, uint32_t count,
                   ct_string_id32 tag);

// Takes all tags from entities.
void ct_tag_remove_all(ct_tag_manager *m, const ct_entity *entities, uint32_t count);

// True when the entity has the tag, dead or alive.
bool ct_tag_has(const ct_tag_manager *m, ct_entity e, ct_string_id32 tag);

// The number of tags that the entity has, and the tag `i` (from 0), in no particular order.
uint32_t ct_tag_count(const ct_tag_manager *m, ct_entity e);
ct_string_id32 ct_tag_at(const ct_tag_manager *m, ct_entity e, uint32_t i);

// --- Rows ----------------------------------------------------------------------------------------

// Whose row is which: rows count from 1. They come with an entity's first tag, and stay when it has
// lost all.
const ct_instance_table *ct_tag_instances(const ct_tag_manager *m);

// The entity's row; a new one without tags when it has none.
uint32_t ct_tag_create(ct_tag_manager *m, ct_entity e);

// Ends the rows of entities with all their tags, at once.
void ct_tag_destroy(ct_tag_manager *m, const ct_entity *entities, uint32_t count);

// Ends rows of dead entities: random probes until four in a row live, or until rows and their tags
// are 4,096. Call every frame.
void ct_tag_collect_garbage(ct_tag_manager *m, const ct_entity_manager *entities);

// --- Entities with tags --------------------------------------------------------------------------

// Asks for entities that have all tags of `all` (at least one) and none of `none`.
typedef struct ct_tag_query {
    const ct_string_id32 *all, *none;
    uint32_t num_all, num_none;
} ct_tag_query;

// The most entities that the query can find now: those of the rarest tag of `all`.
uint32_t ct_tag_most_found(const ct_tag_manager *m, const ct_tag_query *query);

// Writes the living entities that the query asks for to `found`, which has room for
// ct_tag_most_found, in no particular order; returns how many. Time of the rarest tag's list.
uint32_t ct_tag_find(const ct_tag_manager *m, const ct_entity_manager *entities,
                     const ct_tag_query *query, ct_entity *found);

// Room for `count` entities, for results of who asks often; not NULL for none either. Valid until it
// is asked for again.
ct_entity *ct_tag_scratch(ct_tag_manager *m, uint32_t count);

// --- Changes (tag_changes.c) ---------------------------------------------------------------------

// Who follows what changed, by name, each with a cursor of its own in one list of changes. Reading
// every frame and clearing keeps the list short; who falls behind CT_TAG_MOST_CHANGES begins anew.
typedef struct ct_tag_reader {
    uint32_t number;
} ct_tag_reader;

// The reader of this name, which begins with the first call. False with `error` when there are
// CT_TAG_MAX_READERS others.
bool ct_tag_reader_named(ct_tag_manager *m, ct_string_id32 name, ct_tag_reader *reader,
                         ct_error *error);

// The most entities that ct_tag_changed can write to either array now.
uint32_t ct_tag_most_changed(const ct_tag_manager *m, ct_tag_reader reader, ct_string_id32 tag);

typedef struct ct_tag_changed_counts {
    uint32_t num_gained, num_lost;
    bool is_anew; // forget what was: `gained` are all entities with the tag, `lost` is empty
} ct_tag_changed_counts;

// Writes the living entities that have `tag` and had not when the reader last cleared to `gained`,
// and those that had it and have it no longer to `lost`, each once, in no particular order. Among
// the lost are dead ones, some frames after they died (when their rows end). Time of the changes of
// all tags since.
ct_tag_changed_counts ct_tag_changed(ct_tag_manager *m, const ct_entity_manager *entities,
                                     ct_tag_reader reader, ct_string_id32 tag, ct_entity *gained,
                                     ct_entity *lost);

// The reader has seen what changed, of all tags.
void ct_tag_clear_changes(ct_tag_manager *m, ct_tag_reader reader);
