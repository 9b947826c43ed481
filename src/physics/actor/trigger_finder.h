// trigger_finder.h: finds the entities in the triggers of a world that ask for tags.
//
// It exists in worlds that had such a trigger. Rows (trigger_rows.c): the entities with a tag that a
// trigger asks for, as structure of arrays, each with the box that it fills in the world. Those without
// an actor in their place are in a broadphase. Triggers: arrays in the order of their actors' ids, and what was
// inside each after the last pass: entity ids, sorted, one trigger after the other.
//
// A pass (ct_trigger_finder_run) takes over what changed: tags by their versions, poses by the lists of
// changes. When nothing changed it ends there. Otherwise the broadphase answers for the boxes of all
// triggers in one call; a shape is tested against what is in its box, and only in pairs of which one
// changed. Arrays grow and are kept: no memory is taken once they are large enough. Update thread.
#pragma once
#include "physics/actor/physics_world_private.h"
#include "spatial/broadphase.h"

enum { CT_TRIGGER_WORLD_TAGS = 64 }; // that the triggers of a world may ask for: bits of a mask

// The flags of rows and of triggers.
typedef enum ct_trigger_flag {
    CT_TRIGGER_DIRTY = 1,    // of a row: its box is to be found again
    CT_TRIGGER_CHANGED = 2,  // since the last pass
    CT_TRIGGER_BY_ACTOR = 4, // of a row: its actors count, not its box
    CT_TRIGGER_IN_TREE = 8,  // of a row
    CT_TRIGGER_ENDED = 16,   // of a trigger: its actor has ended
    CT_TRIGGER_ON = 32,      // of a trigger: it has a shape and is enabled
} ct_trigger_flag;

// What the box of a row is made of.
typedef struct ct_trigger_source_box {
    ct_string_id64 mesh; // 0: it is a point
    ct_aabb local;       // in the space of the node
    uint32_t node;
} ct_trigger_source_box;

typedef struct ct_trigger_finder {
    // Tags that triggers ask for, by bit; 0: a free bit.
    ct_string_id32 tags[CT_TRIGGER_WORLD_TAGS];
    uint32_t tag_users[CT_TRIGGER_WORLD_TAGS];
    uint64_t tag_versions[CT_TRIGGER_WORLD_TAGS]; // of what the rows have
    ct_transform_reader reader;
    uint64_t transform_version; // of the pass before

    // Rows.
    ct_hash_map row_of; // by entity
    CT_ARRAY(ct_entity) entities;
    ct_u64_array masks, next_masks; // bits of the tags that it has
    CT_ARRAY(ct_trigger_source_box) sources;
    CT_ARRAY(ct_obb) boxes;
    CT_ARRAY(ct_broadphase_item) items;
    ct_byte_array flags;
    ct_broadphase *tree; // values: rows
    uint32_t num_dirty;
    bool has_changes;   // a row was changed or taken out since the last pass
    ct_u32_array noted; // entities whose actors changed since

    // Triggers.
    CT_ARRAY(ct_actor) actors;
    CT_ARRAY(ct_entity) owners;
    ct_u64_array wanted; // bits of the tags that it asks for
    CT_ARRAY(ct_rigid_pose) poses;
    CT_ARRAY(const ct_physics_shape *) shapes;
    ct_byte_array trigger_flags;
    ct_u32_array inside_counts;
    ct_u32_array inside; // of all triggers

    // For one pass.
    CT_ARRAY(ct_entity) found_tagged;
    ct_u32_array changed_rows;
    CT_ARRAY(ct_broadphase_item) tree_items;
    CT_ARRAY(ct_aabb) tree_boxes, asked_boxes;
    ct_u32_array found, found_ends, next_inside, next_counts, sorting;
} ct_trigger_finder;

// Asks for the entities of the trigger in `slot`, whose extra has tags. Makes the finder.
void ct_trigger_finder_add(ct_physics_world *p, uint32_t slot);

// The trigger in `slot` is about to end: what is inside leaves it in the next pass. Does nothing for
// other actors.
void ct_trigger_finder_end(ct_physics_world *p, uint32_t slot);

// Returns whether an entity has a tag that the trigger asks for; true when it asks for none.
bool ct_trigger_wants(const ct_physics_world *p, const ct_actor_slot *trigger, ct_entity e);

// The actors of an entity change: it may from now on be found by them, or no longer.
void ct_trigger_finder_note(ct_physics_world *p, ct_entity e);

// Forgets entities that are about to end.
void ct_trigger_finder_forget(ct_physics_world *p, const ct_entity *entities, uint32_t count);

// Meshes and shapes of triggers may be others now.
void ct_trigger_finder_renew(ct_physics_world *p);

// Runs a pass and adds its events at `time` seconds: by trigger in the order of ids, for each by the
// ids of entities.
void ct_trigger_finder_run(ct_physics_world *p, float time);

// Adds what is inside each trigger to `hash`.
void ct_trigger_finder_hash(const ct_physics_world *p, ct_state_hash *hash);

// Frees the finder of a world, if it has one. All triggers have ended.
void ct_trigger_finder_destroy(ct_physics_world *p);

// --- trigger_rows.c ------------------------------------------------------------------------------

// Make and free what belongs to rows; the rest of the finder is not touched.
void ct_trigger_rows_init(ct_physics_world *p, ct_trigger_finder *f);
void ct_trigger_rows_free(ct_trigger_finder *f);

// Returns the row of an entity from 0, or UINT32_MAX.
uint32_t ct_trigger_row_of(const ct_trigger_finder *f, ct_entity e);

// Takes rows in and out by tags, finds the boxes of those that changed, and moves them in the tree.
void ct_trigger_rows_update(ct_physics_world *p);

// Takes a row out; the last one takes its place.
void ct_trigger_row_remove(ct_trigger_finder *f, uint32_t row);
