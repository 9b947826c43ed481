// navigation_agents.h: agents that walk along paths and avoid each other, in structure of arrays.
//
// Each update: paths that were answered are taken; corridors are repaired where agents left them or where
// tiles changed; each agent looks at the next corners and wants a velocity; optimal reciprocal collision
// avoidance (van den Berg, Guy, Lin and Manocha, 2011) changes it so that no two meet within the horizon;
// agents move over the mesh; those that overlap all the same are moved apart. Each part runs over all
// agents, in tasks of ranges; results do not depend on the number of threads: a part reads of other agents
// only what the part before has written.
//
// Two that walk straight at each other both turn to the right; where things are even, agents differ by
// their ids. Agents that do not walk make room. Agents with a higher priority give way less, and so do those
// that were held up for longer. Before a narrow place agents wait for those nearer to it, and for those that
// come out of it, and both sides take turns; a link takes one at a time.
//
// One thread calls these functions, after ct_navigation_mesh_update and ct_navigation_paths_update. After
// warm-up an update allocates nothing.
#pragma once
#include "navigation/navigation_path.h"

enum { CT_NAVIGATION_MAX_AGENT_CORNERS = 4, CT_NAVIGATION_MAX_NEIGHBOURS = 12 };

typedef struct ct_navigation_agents ct_navigation_agents;

// An agent, by index and generation; 0: none.
typedef struct ct_navigation_agent {
    uint32_t id;
} ct_navigation_agent;

typedef struct ct_navigation_agent_desc {
    ct_vec3 position;
    float radius, height; // metres; 0: the class's
    float speed;          // metres a second, at most; 0: it never moves, and others go around it
    float acceleration;   // metres a second squared; 0: 8. To avoid others, up to four times that
    float turn_speed;     // radians a second; 0: at once
    float arrival;        // metres from the goal at which it has arrived; 0: half the radius
    float horizon;        // seconds ahead that it avoids others; 0: 2
    uint32_t priority;    // 0 to 15: higher ones give way less
    uint32_t groups, avoids; // bits: it avoids agents with a group of `avoids`; 0: 1, and all
    float costs[8];          // of the first areas; 0: the area's own
    uint64_t user;           // ct_entity
} ct_navigation_agent_desc;

typedef enum ct_navigation_agent_state {
    CT_NAVIGATION_IDLE,
    CT_NAVIGATION_SEARCHING, // waits for its path
    CT_NAVIGATION_WALKING,
    CT_NAVIGATION_ON_LINK, // the game moves it, then calls ct_navigation_agents_end_link
    CT_NAVIGATION_ARRIVED,
    CT_NAVIGATION_FAILED, // there is no path, or only a partial one, at whose end it is
    CT_NAVIGATION_OFF,    // it is on no polygon
    CT_NAVIGATION_AGENT_STATE_COUNT,
} ct_navigation_agent_state;

typedef enum ct_navigation_event_type {
    CT_NAVIGATION_EVENT_ARRIVED,
    CT_NAVIGATION_EVENT_FAILED,
    CT_NAVIGATION_EVENT_LINK, // starts a link: `link`
    // Has not come nearer for 2 seconds in which it hardly moved, for 8 in which it moved, or for 20 in which it
    // waited before a narrow place. It searches again by itself, and crowded polygons cost more then.
    CT_NAVIGATION_EVENT_STUCK,
    CT_NAVIGATION_EVENT_COUNT,
} ct_navigation_event_type;

typedef struct ct_navigation_event {
    ct_navigation_agent agent;
    uint64_t user;
    uint32_t type; // ct_navigation_event_type
    uint32_t link; // index in the mesh's links, from 1
} ct_navigation_event;

typedef struct ct_navigation_agents_desc {
    ct_allocator *allocator;
    ct_navigation_mesh *mesh;
    ct_navigation_paths *paths;
    ct_task_manager *tasks; // or NULL
    uint32_t number;        // 0 to 32,767; sets that avoid each other have different ones
} ct_navigation_agents_desc;

// Makes a set of agents of a mesh. Mesh, paths and tasks are borrowed until it is destroyed.
ct_navigation_agents *ct_navigation_agents_create(const ct_navigation_agents_desc *desc);
// Frees the agents (NULL is fine), and ends their searches.
void ct_navigation_agents_destroy(ct_navigation_agents *a);

// Adds an agent that is idle, on the polygon nearest to its position, or else CT_NAVIGATION_OFF. Numbers that
// are not finite or out of range give `error` and {0}; so does one more than 131,071.
ct_navigation_agent ct_navigation_agents_add(ct_navigation_agents *a,
                                             const ct_navigation_agent_desc *desc, ct_error *error);
// Removes an agent; a dead one is left out. Ids of dead agents stay dead for 2^15 uses of their slot.
void ct_navigation_agents_remove(ct_navigation_agents *a, ct_navigation_agent agent);
bool ct_navigation_agents_is_live(const ct_navigation_agents *a, ct_navigation_agent agent);
// The number of live agents.
uint32_t ct_navigation_agents_count(const ct_navigation_agents *a);

// Sends agents to goals, several at a time; dead agents, and goals that are not finite, are left out. One
// that walks goes on until its new path is found; one on a link searches at its end.
void ct_navigation_agents_move_to(ct_navigation_agents *a, const ct_navigation_agent *agents,
                                  const ct_vec3 *goals, uint32_t count);
// Ends walks and searches. One on a link stops at its end.
void ct_navigation_agents_stop(ct_navigation_agents *a, const ct_navigation_agent *agents,
                               uint32_t count);
// Puts an agent elsewhere; one that had a goal searches again from there. Bad positions are left out.
void ct_navigation_agents_place(ct_navigation_agents *a, ct_navigation_agent agent,
                                ct_vec3 position);
// Sets the highest speed, 0 to 1,000 metres a second; others are left out.
void ct_navigation_agents_set_speed(ct_navigation_agents *a, ct_navigation_agent agent,
                                    float speed);
// Ends the link that an agent is on: it walks on from where the game has moved it, when that is near the
// polygon behind the link, else from the end of the link.
void ct_navigation_agents_end_link(ct_navigation_agents *a, ct_navigation_agent agent);

// Where something else (a mover) has put the agents since the update; then they follow that.
void ct_navigation_agents_set_positions(ct_navigation_agents *a, const ct_navigation_agent *agents,
                                        const ct_vec3 *positions, uint32_t count);

// How fast that really moved an agent that walks, when it is slower than the agent was to be: others see it, and
// one that is held fast finds out that it is stuck.
void ct_navigation_agents_hold_back(ct_navigation_agents *a, ct_navigation_agent agent,
                                    ct_vec3 velocity);

// A step of `dt` seconds, at most a quarter; nothing happens unless it is above 0. Its events are there until
// the next.
void ct_navigation_agents_update(ct_navigation_agents *a, double dt);
const ct_navigation_event *ct_navigation_agents_events(const ct_navigation_agents *a,
                                                       uint32_t *count);

// All agents, in an order that changes when agents are removed. Valid until the next change.
typedef struct ct_navigation_agents_view {
    uint32_t count;
    const ct_navigation_agent *agents;
    const uint64_t *users;
    const ct_vec3 *positions, *velocities, *wanted; // velocities: after avoidance; wanted: before
    const ct_navigation_place *places;
    const uint8_t *states; // ct_navigation_agent_state
} ct_navigation_agents_view;
ct_navigation_agents_view ct_navigation_agents_all(const ct_navigation_agents *a);

// One agent's place in the view; UINT32_MAX: it is dead.
uint32_t ct_navigation_agents_index(const ct_navigation_agents *a, ct_navigation_agent agent);
// Whether an agent has a goal, and which; it may be on its way, search, or wait on a link or off the mesh.
bool ct_navigation_agents_goal(const ct_navigation_agents *a, ct_navigation_agent agent,
                               ct_vec3 *goal);
// The link that an agent is on, and where it ends; 0: it is on no link.
uint32_t ct_navigation_agents_link(const ct_navigation_agents *a, ct_navigation_agent agent,
                                   ct_vec3 *end);
// The corners ahead of an agent, for drawing. Returns their number.
uint32_t ct_navigation_agents_corners(const ct_navigation_agents *a, ct_navigation_agent agent,
                                      ct_vec3 *corners, uint32_t max);

// Moving circles that agents avoid: cars, and agents of other sets.
typedef struct ct_navigation_mover {
    ct_vec3 position, velocity;
    ct_vec3 wanted; // the velocity that one which gives way wants
    float radius, height;
    uint32_t groups;    // bits; 0: all
    uint32_t priority;  // as of an agent
    uint32_t key;       // of one that gives way: differs from that of all agents that it meets
    uint32_t gives_way; // 0 or 1: it avoids the agents, too
    float held;         // seconds that one which gives way was held up: others give way more
} ct_navigation_mover;
// Replaces all. What is not finite, and radii that are not above 0, are left out.
void ct_navigation_agents_set_movers(ct_navigation_agents *a, const ct_navigation_mover *movers,
                                     uint32_t count);
// Writes what other sets avoid of this one: a mover for each agent that is on the mesh, up to the count of agents.
// Returns their number.
uint32_t ct_navigation_agents_as_movers(const ct_navigation_agents *a, ct_navigation_mover *movers);

// All that agents are, with their corridors and searches. Saving writes to `bytes` (NULL: only counts) and
// returns the number of bytes. Restore the mesh and the paths first. What is of another version or damaged
// gives `error` and false, and changes nothing.
uint64_t ct_navigation_agents_save(const ct_navigation_agents *a, void *bytes);
bool ct_navigation_agents_restore(ct_navigation_agents *a, const void *bytes, uint64_t num_bytes,
                                  ct_error *error);
