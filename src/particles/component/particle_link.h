// particle_link.h: effects that follow nodes of entities.
//
// An effect has at most one link. In each step the linked effects of what moved are moved, and those
// with the shape SKELETON get the poses of the scene graph. When the entity dies, its links end and
// their effects go on as each link says. Structure of arrays (instance_table.h), with the effect of
// each link, and a map from effects. Update thread.
#pragma once
#include "entity/scene_graph_component.h"
#include "particles/particle_world.h"
#include "resource/types/component/particles_data.h"

typedef struct ct_particle_links ct_particle_links;

typedef struct ct_particle_link_desc {
    ct_entity entity;
    uint32_t node;     // of its scene graph; 0: the entity
    ct_mat4 pose;      // of the effect in the node's space; finite
    uint32_t orphaned; // ct_particles_orphaned
} ct_particle_link_desc;

// A linked effect that ended by itself.
typedef struct ct_particle_ended {
    ct_entity entity;
    ct_particle_effect_id effect; // stale
} ct_particle_ended;

// Makes the links of a world: none. All parts must outlive them.
ct_particle_links *ct_particle_links_create(ct_allocator *a, ct_particle_system *system,
                                            ct_particle_world *world,
                                            ct_transform_manager *transforms,
                                            ct_scene_graph_manager *graphs);

// Frees the links (NULL is fine). Effects stay where they are.
void ct_particle_links_destroy(ct_particle_links *l);

// Links an effect, in place of its link before, and moves it there: a jump, unless it was linked to
// that place already. Ignored when the effect has ended.
void ct_particle_links_add(ct_particle_links *l, ct_particle_effect_id effect,
                           const ct_particle_link_desc *desc);

// Ends the link of an effect, if it has one. The effect stays where it is.
void ct_particle_links_remove(ct_particle_links *l, ct_particle_effect_id effect);

// Returns the entity that an effect is linked to, or {0}.
ct_entity ct_particle_links_entity(const ct_particle_links *l, ct_particle_effect_id effect);

// Returns the number of links.
uint32_t ct_particle_links_count(const ct_particle_links *l);

// The entity, and all linked below it, did not move where it next is but jumped there.
void ct_particle_links_jump(ct_particle_links *l, ct_entity e);

// Ends the links of entities that die; each effect goes on as its link says.
void ct_particle_links_entities_destroyed(ct_particle_links *l, const ct_entity *entities,
                                          uint32_t count);

// Moves the effects whose entities or nodes moved. Poses of scene graphs must be current.
void ct_particle_links_follow(ct_particle_links *l);

// Empties the list of effects that ended.
void ct_particle_links_clear_ended(ct_particle_links *l);

// Ends the links of effects that ended in the last update of the world, and lists them.
void ct_particle_links_collect_ended(ct_particle_links *l);

// Returns that list. Borrowed until it changes.
const ct_particle_ended *ct_particle_links_ended(const ct_particle_links *l, uint32_t *count);

// Returns where an effect is that a desc places.
ct_particle_place ct_particle_links_place(ct_particle_links *l, const ct_particle_link_desc *desc);
