// entity_outline.h: which entities of a world came, changed or went since a tool asked last.
//
// The outline has what was there when it was updated last: a row of 16 bytes for each entity, by number, with a hash of
// what tools see of it. An update compares, and gives each row that came or changed, and each that went, the next number
// of all changes. A tool names the last of these that it has seen, so the engine keeps nothing for a tool, and a long
// list can be taken in parts. What went is kept up to CT_ENTITY_OUTLINE_MAX_GONE; a question about older changes
// is answered with all entities. Numbers of changes go on in later outlines. Memory only; one thread.
#pragma once
#include "foundation/container/array.h"

enum { CT_ENTITY_OUTLINE_MAX_GONE = 16384 };

// An entity that is there.
typedef struct ct_entity_outline_row {
    uint32_t entity;
    uint32_t hash;
    uint64_t change; // the last one
} ct_entity_outline_row;

typedef CT_ARRAY(ct_entity_outline_row) ct_entity_outline_rows;

// An entity that went.
typedef struct ct_entity_outline_gone {
    uint64_t change;
    uint32_t entity;
} ct_entity_outline_gone;

typedef struct ct_entity_outline {
    ct_entity_outline_rows rows;           // by entity, ascending
    ct_entity_outline_rows next;           // scratch of an update
    CT_ARRAY(ct_entity_outline_gone) gone; // by change, ascending
    ct_u64_array found;                    // scratch of ct_entity_outline_since
    uint64_t first, last;                  // changes: those behind `first` are known, up to `last`
    ct_u32_array came, went;               // of the last answer
} ct_entity_outline;

// An answer. Arrays are borrowed until the outline is used again.
typedef struct ct_entity_outline_answer {
    uint64_t version;     // to ask with next time
    bool is_whole;        // `came` begins with the first of all entities: forget those from before
    bool has_more;        // ask again at once
    const uint32_t *came; // those that came or changed, in the order in which they did
    const uint32_t *went; // those that are gone
    uint32_t num_came, num_went;
} ct_entity_outline_answer;

// Makes an empty outline whose first change is the one behind `last_change`; memory grows from `a`.
void ct_entity_outline_init(ct_entity_outline *o, ct_allocator *a, uint64_t last_change);
void ct_entity_outline_free(ct_entity_outline *o);

// Takes what is there now: `count` entities, ascending, each once, and their hashes. Takes 10 ns for each when nothing
// changed.
void ct_entity_outline_update(ct_entity_outline *o, const uint32_t *entities,
                              const uint32_t *hashes, uint32_t count);

// Lists what changed after the change `since` (0: nothing is known), up to `most` entities that came, at least 1.
ct_entity_outline_answer ct_entity_outline_since(ct_entity_outline *o, uint64_t since,
                                                 uint32_t most);
