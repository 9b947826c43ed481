// particles_component.h: effects that entities play. An entity may have several components.
//
// A component plays its effect on a node of the entity, by a link (particle_link.h): from the start,
// or when a script says so. Playing again starts another effect; the one before makes no more
// particles. The manager also owns the world's particles and the links, so that what an entity has
// of effects ends in one place. Functions that take a component assert that it exists. Update
// thread.
#pragma once
#include "particles/component/particle_link.h"

typedef struct ct_particles_components_desc {
    ct_allocator *allocator;
    ct_particle_system *system;
    ct_render_world_id render_world;
    ct_physics_world *physics; // or NULL
    ct_transform_manager *transforms;
    ct_scene_graph_manager *graphs;
} ct_particles_components_desc;

typedef struct ct_particles_components ct_particles_components;

typedef struct ct_particles_component {
    uint32_t index; // stale after any component is destroyed
} ct_particles_component;

// Makes the manager of a world, with the particles of the world. All in `desc` must outlive it.
ct_particles_components *ct_particles_components_create(const ct_particles_components_desc *desc);

// Ends all effects and frees everything; NULL is fine.
void ct_particles_components_destroy(ct_particles_components *m);

// Returns the row for the component registry. A registry that has the row destroys the manager.
ct_component_manager ct_particles_component_manager(ct_particles_components *m);

// Returns the particles of the world, and the links of effects. Borrowed.
ct_particle_world *ct_particles_components_world(const ct_particles_components *m);
ct_particle_links *ct_particles_components_links(const ct_particles_components *m);

// Returns the system that the manager was made with.
ct_particle_system *ct_particles_components_system(const ct_particles_components *m);

// --- Components ----------------------------------------------------------------------------------

// Gives an entity a component, on the node of its scene graph that the data names; on the entity
// itself when there is no such node. `data` is copied, with its variables. Plays when it says so.
ct_particles_component ct_particles_component_add(ct_particles_components *m, ct_entity e,
                                                  uint32_t id, const ct_particles_data *data);

// Removes a component of a living entity. Its effect makes no more particles.
void ct_particles_component_remove(ct_particles_components *m, ct_particles_component c);

// Returns the entity's component that was made first, or {0}.
ct_particles_component ct_particles_component_first(const ct_particles_components *m, ct_entity e);

// Returns the component of the same entity that was made after `c`, or {0}.
ct_particles_component ct_particles_component_next(const ct_particles_components *m,
                                                   ct_particles_component c);

// Returns the entity's first component with this id, or whose number ends in the lowest `num_bits`
// bits of `number` (instance_table.h); {0} when it has no such component.
ct_particles_component ct_particles_component_with_id(const ct_particles_components *m, ct_entity e,
                                                      uint32_t id);
ct_particles_component ct_particles_component_with_number(const ct_particles_components *m,
                                                          ct_entity e, uint32_t number,
                                                          uint32_t num_bits);

// Return the entity, the id and the number of a component.
ct_entity ct_particles_component_entity(const ct_particles_components *m, ct_particles_component c);
uint32_t ct_particles_component_id(const ct_particles_components *m, ct_particles_component c);
uint32_t ct_particles_component_number(const ct_particles_components *m, ct_particles_component c);

// Returns the settings, without variables. Borrowed until components are made or end.
const ct_particles_data *ct_particles_component_data(const ct_particles_components *m,
                                                     ct_particles_component c);

// Copies new settings (their variables are ignored). The node stays. What plays jumps to another
// place; one whose link was ended stays where it is. Another effect comes with the next
// ct_particles_component_play.
void ct_particles_component_set_data(ct_particles_components *m, ct_particles_component c,
                                     const ct_particles_data *data);

// Sets a variable for what plays and for what is played later. Returns false, and changes nothing,
// when the component has CT_PARTICLES_DATA_MAX_VARIABLES others.
bool ct_particles_component_set_variable(ct_particles_components *m, ct_particles_component c,
                                         ct_string_id32 name, ct_vec4 value);

// Starts the effect and returns it; {0} when it is not loaded. What played before makes no more
// particles.
ct_particle_effect_id ct_particles_component_play(ct_particles_components *m,
                                                  ct_particles_component c);

// Returns what the component plays, or played last; it may have ended. {0}: it has played nothing.
ct_particle_effect_id ct_particles_component_effect(const ct_particles_components *m,
                                                    ct_particles_component c);

// --- Frames --------------------------------------------------------------------------------------

// Moves linked effects; steps all effects of the world by `dt` seconds, unless that is 0; lists what
// ended.
void ct_particles_components_update(ct_particles_components *m, double dt);
