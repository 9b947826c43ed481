// sound_link.h: instances of sounds that follow nodes of entities.
//
// An instance has at most one link. In each step the linked instances of what moved are moved, all in
// one call. When the entity dies, its links end and their instances go on as each link says. Structure
// of arrays (instance_table.h), with the instance of each link, and a map from instances. Update
// thread.
#pragma once
#include "entity/scene_graph_component.h"
#include "resource/types/component/sound_source_data.h"
#include "sound/sound_world.h"

typedef struct ct_sound_links ct_sound_links;

typedef struct ct_sound_link_desc {
    ct_entity entity;
    uint32_t node;       // of its scene graph; 0: the entity
    ct_vec3 position;    // of the sound in the node's space; finite
    uint32_t orphaned;   // ct_sound_orphaned
    bool keeps_rotation; // the sound does not turn with the node
} ct_sound_link_desc;

// What happened to a linked instance: a marker was passed, or it ended.
typedef struct ct_sound_link_event {
    ct_entity entity;
    ct_sound_instance instance; // stale when it ended
    ct_string_id32 marker;      // {0}: it ended
} ct_sound_link_event;

// Where a link puts its sound.
typedef struct ct_sound_link_place {
    ct_vec3 position;
    ct_quat rotation; // forward is Y
} ct_sound_link_place;

// What the links of a world need; all parts are borrowed and must outlive them.
typedef struct ct_sound_links_desc {
    ct_allocator *allocator;
    ct_sound_system *system;
    ct_sound_world *world;
    ct_transform_manager *transforms;
    ct_scene_graph_manager *graphs;
} ct_sound_links_desc;

// Makes the links of a world: none.
ct_sound_links *ct_sound_links_create(const ct_sound_links_desc *desc);

// Frees the links (NULL is fine). Sounds stay where they are.
void ct_sound_links_destroy(ct_sound_links *l);

// Links an instance of this world, in place of its link before, and moves it there: a jump, unless it
// was linked to that place already. Ignored when the instance has ended.
void ct_sound_links_add(ct_sound_links *l, ct_sound_instance instance,
                        const ct_sound_link_desc *desc);

// Ends the link of an instance, if it has one. The sound stays where it is.
void ct_sound_links_remove(ct_sound_links *l, ct_sound_instance instance);

// Lets a linked instance keep the rotation that it has.
void ct_sound_links_keep_rotation(ct_sound_links *l, ct_sound_instance instance);

// Fills `desc` with the link of an instance. Returns false and changes nothing when it has none.
bool ct_sound_links_find(const ct_sound_links *l, ct_sound_instance instance,
                         ct_sound_link_desc *desc);

// Returns the number of links.
uint32_t ct_sound_links_count(const ct_sound_links *l);

// The entity, and all linked below it, did not move where it next is but jumped there.
void ct_sound_links_jump(ct_sound_links *l, ct_entity e);

// Ends the links of entities that die; each sound goes on as its link says.
void ct_sound_links_entities_destroyed(ct_sound_links *l, const ct_entity *entities,
                                       uint32_t count);

// Moves the sounds whose entities or nodes moved. Poses of scene graphs must be current.
void ct_sound_links_follow(ct_sound_links *l);

// Empties the list of what happened.
void ct_sound_links_clear_events(ct_sound_links *l);

// Adds to that list what happened to linked instances in the last update of the world, and ends the
// links of those that ended.
void ct_sound_links_collect_events(ct_sound_links *l);

// Returns the list. Borrowed until it changes.
const ct_sound_link_event *ct_sound_links_events(const ct_sound_links *l, uint32_t *count);

// Returns where a desc puts its sound.
ct_sound_link_place ct_sound_links_place(const ct_sound_links *l, const ct_sound_link_desc *desc);
