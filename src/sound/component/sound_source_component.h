// sound_source_component.h: events that entities play. An entity may have several components.
//
// A component plays its event at a node of the entity, by a link (sound_link.h): from the start, or
// when a script says so. Playing again starts another instance; the one before stops. The manager also
// owns the world's sounds and the links, so that what an entity has of sounds ends in one place.
// Functions that take a component assert that it exists. Update thread.
#pragma once
#include "entity/component_registry.h"
#include "sound/component/sound_link.h"

typedef struct ct_sound_source_components_desc {
    ct_allocator *allocator;
    ct_sound_system *system;
    ct_sound_occlude *occlude; // as in ct_sound_world_desc
    void *user;
    uint64_t seed;
    ct_transform_manager *transforms;
    ct_scene_graph_manager *graphs;
} ct_sound_source_components_desc;

typedef struct ct_sound_source_components ct_sound_source_components;

typedef struct ct_sound_source_component {
    uint32_t index; // stale after any component is destroyed
} ct_sound_source_component;

// Makes the manager of a world, with the sounds of the world. All in `desc` must outlive it.
ct_sound_source_components *
ct_sound_source_components_create(const ct_sound_source_components_desc *desc);

// Ends all sounds of the world and frees everything; NULL is fine.
void ct_sound_source_components_destroy(ct_sound_source_components *m);

// Returns the row for the component registry. A registry that has the row destroys the manager.
ct_component_manager ct_sound_source_component_manager(ct_sound_source_components *m);

// Returns the sounds of the world, and the links of instances. Borrowed.
ct_sound_world *ct_sound_source_components_world(const ct_sound_source_components *m);
ct_sound_links *ct_sound_source_components_links(const ct_sound_source_components *m);

// Returns the system that the manager was made with.
ct_sound_system *ct_sound_source_components_system(const ct_sound_source_components *m);

// --- Components ----------------------------------------------------------------------------------

// Gives an entity a component, on the node of its scene graph that the data names; on the entity
// itself when there is no such node. `data` is copied, with its parameters. Plays when it says so.
ct_sound_source_component ct_sound_source_component_add(ct_sound_source_components *m, ct_entity e,
                                                        uint32_t id,
                                                        const ct_sound_source_data *data);

// Removes a component of a living entity. Its sound fades out.
void ct_sound_source_component_remove(ct_sound_source_components *m, ct_sound_source_component c);

// Returns the entity's component that was made first, or {0}.
ct_sound_source_component ct_sound_source_component_first(const ct_sound_source_components *m,
                                                          ct_entity e);

// Returns the component of the same entity that was made after `c`, or {0}.
ct_sound_source_component ct_sound_source_component_next(const ct_sound_source_components *m,
                                                         ct_sound_source_component c);

// Returns the entity's first component with this id, or whose number ends in the lowest `num_bits`
// bits of `number` (instance_table.h); {0} when it has no such component.
ct_sound_source_component ct_sound_source_component_with_id(const ct_sound_source_components *m,
                                                            ct_entity e, uint32_t id);
ct_sound_source_component ct_sound_source_component_with_number(const ct_sound_source_components *m,
                                                                ct_entity e, uint32_t number,
                                                                uint32_t num_bits);

// Return the entity, the id and the number of a component.
ct_entity ct_sound_source_component_entity(const ct_sound_source_components *m,
                                           ct_sound_source_component c);
uint32_t ct_sound_source_component_id(const ct_sound_source_components *m,
                                      ct_sound_source_component c);
uint32_t ct_sound_source_component_number(const ct_sound_source_components *m,
                                          ct_sound_source_component c);

// Returns the settings, without parameters. Borrowed until components are made or end.
const ct_sound_source_data *ct_sound_source_component_data(const ct_sound_source_components *m,
                                                           ct_sound_source_component c);

// Copies new settings (their parameters are ignored). The node stays. What plays gets those that are
// other than before, and jumps to another position; one whose link was ended stays where it is. Another
// event comes with the next ct_sound_source_component_play.
void ct_sound_source_component_set_data(ct_sound_source_components *m, ct_sound_source_component c,
                                        const ct_sound_source_data *data);

// Sets a parameter for what plays and for what is played later. Returns false, and changes nothing,
// when the component has CT_SOUND_SOURCE_MAX_PARAMETERS others.
bool ct_sound_source_component_set_parameter(ct_sound_source_components *m,
                                             ct_sound_source_component c,
                                             const ct_sound_source_parameter *parameter);

// Returns the value of a parameter.
ct_sound_parameter_value
ct_sound_source_parameter_value(const ct_sound_source_parameter *parameter);

// Starts the event and returns the instance; {0} as ct_sound_play. What played before fades out.
ct_sound_instance ct_sound_source_component_play(ct_sound_source_components *m,
                                                 ct_sound_source_component c);

// Stops what plays, in `fade` seconds; negative: as the event says.
void ct_sound_source_component_stop(ct_sound_source_components *m, ct_sound_source_component c,
                                    float fade);

// Returns what the component plays, or played last; it may have ended. {0}: it has played nothing.
ct_sound_instance ct_sound_source_component_instance(const ct_sound_source_components *m,
                                                     ct_sound_source_component c);

// --- Frames --------------------------------------------------------------------------------------

// Moves linked sounds; updates all sounds of the world by `dt` seconds, which may be 0; lists what
// happened to linked ones.
void ct_sound_source_components_update(ct_sound_source_components *m, double dt);
