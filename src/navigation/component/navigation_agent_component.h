// navigation_agent_component.h: agents of entities, which walk over the meshes of a world.
//
// An entity has at most one. It is an agent (navigation_agents.h) of the instance that has its class and a
// polygon where the entity is (ct_navigation_world_find); it is looked for again when instances come and go,
// and when the entity was moved farther than it can walk in a step. Without such an instance the component
// waits: its state is CT_NAVIGATION_OFF, and its goal is kept.
//
// What moves the entity is `moves` of the component: its transform is set by the step, or velocities are handed
// on (to movers by the world) and the agent then follows where the entity went, or it is left to the game.
// Over a link it goes straight at its speed, without its mover; with `plays_links` the game moves it there.
//
// Structure of arrays by slot. Functions leave out entities without the component. Update thread.
#pragma once
#include "entity/component_registry.h"
#include "entity/transform_component.h"
#include "navigation/navigation_world.h"
#include "resource/types/component/navigation_agent_data.h"

typedef struct ct_navigation_agent_manager ct_navigation_agent_manager;

// Makes the agents of a world's entities. All parameters must outlive it.
ct_navigation_agent_manager *ct_navigation_agent_manager_create(ct_allocator *a,
                                                                ct_navigation_world *navigation,
                                                                ct_transform_manager *transforms);
void ct_navigation_agent_manager_destroy(ct_navigation_agent_manager *m); // NULL is fine

// Sets what writes the name by which messages call an entity, such as `the unit "units/guard"`; before that they
// give its number.
void ct_navigation_agent_set_describe(ct_navigation_agent_manager *m,
                                      void (*describe)(void *user, ct_entity e, char *text,
                                                       uint32_t size_bytes),
                                      void *user);

// Returns the row for the component registry, which then owns the manager.
ct_component_manager ct_navigation_agent_component_manager(ct_navigation_agent_manager *m);

// Gives an entity an agent, which waits for an instance until the next step. The entity must have a transform
// and no agent (asserted). Numbers of `data` that are out of range are warned about, and it then waits.
void ct_navigation_agent_create(ct_navigation_agent_manager *m, ct_entity e,
                                const ct_navigation_agent_data *data);
// Ends the agents of entities.
void ct_navigation_agent_destroy(ct_navigation_agent_manager *m, const ct_entity *entities,
                                 uint32_t count);

// Returns whether an entity has an agent.
bool ct_navigation_agent_has(const ct_navigation_agent_manager *m, ct_entity e);
const ct_navigation_agent_data *ct_navigation_agent_data_of(const ct_navigation_agent_manager *m,
                                                            ct_entity e); // NULL: no component
// Returns the number of entities that have one.
uint32_t ct_navigation_agent_count(const ct_navigation_agent_manager *m);

// Sends entities to goals in the space of the world, `goals[i]` for `entities[i]`. Goals that are not finite
// are left out.
void ct_navigation_agent_move_to(ct_navigation_agent_manager *m, const ct_entity *entities,
                                 const ct_vec3 *goals, uint32_t count);
void ct_navigation_agent_stop(ct_navigation_agent_manager *m, const ct_entity *entities,
                              uint32_t count);
// Sets the highest speed, 0 to 1,000 metres a second.
void ct_navigation_agent_set_speed(ct_navigation_agent_manager *m, ct_entity e, float speed);
// Sets whether the game moves it over links, as `plays_links` of the data.
void ct_navigation_agent_set_plays_links(ct_navigation_agent_manager *m, ct_entity e, bool plays);
// Ends the link that the agent is on, which the game has played: it walks on from where its entity is.
void ct_navigation_agent_end_link(ct_navigation_agent_manager *m, ct_entity e);

// What an agent does, in the space of the world.
typedef struct ct_navigation_agent_status {
    ct_navigation_instance instance; // {0}: waits for one
    ct_navigation_agent agent;       // of that instance's agents
    uint32_t state;                  // ct_navigation_agent_state
    ct_vec3 position, velocity, wanted, goal;
    bool has_goal;
} ct_navigation_agent_status;
// Returns false when the entity has no such component.
bool ct_navigation_agent_status_of(const ct_navigation_agent_manager *m, ct_entity e,
                                   ct_navigation_agent_status *status);

// Velocities of all agents, in the space of the world, by slot. Valid until the next change.
typedef struct ct_navigation_agent_view {
    uint32_t count;
    const ct_entity *entities;
    const ct_vec3 *positions, *velocities;
    const uint8_t *states; // ct_navigation_agent_state
    const ct_navigation_agent_data *data;
    float *falls; // metres a second downwards, for what moves them; 0 on links
} ct_navigation_agent_view;
ct_navigation_agent_view ct_navigation_agent_all(const ct_navigation_agent_manager *m);

// Before ct_navigation_world_step: finds instances for agents that wait, and hands over where entities that
// move by other means are. After it: sets transforms, and collects events.
void ct_navigation_agent_before_step(ct_navigation_agent_manager *m, double dt);
void ct_navigation_agent_after_step(ct_navigation_agent_manager *m, double dt);

enum { CT_NAVIGATION_MAX_KEPT_EVENTS = 16384 };

// What happened in the last steps. Up to CT_NAVIGATION_MAX_KEPT_EVENTS are kept until they are taken; further
// ones are left out.
typedef struct ct_navigation_agent_event {
    ct_entity entity;
    ct_navigation_instance instance;
    uint32_t type; // ct_navigation_event_type
    uint32_t link; // index in the mesh's links, from 1; 0: none
} ct_navigation_agent_event;
// Returns those of the last step that were not taken yet, in order. Valid until the next step.
const ct_navigation_agent_event *ct_navigation_agent_events(const ct_navigation_agent_manager *m,
                                                            uint32_t *count);
// Takes the events since the last call, in order. Borrowed until the next call.
const ct_navigation_agent_event *ct_navigation_agent_take_events(ct_navigation_agent_manager *m,
                                                                 uint32_t *count);

// Sets the kind of the link that an event is about (borrowed from the resource), and where the agent starts
// and ends it, in the space of the world. Returns false when it is about no link, or the agent or the link is
// gone.
bool ct_navigation_agent_event_link(const ct_navigation_agent_manager *m,
                                    const ct_navigation_agent_event *e, const char **kind,
                                    ct_vec3 *from, ct_vec3 *to);
