// navigation_agents_private.h: what the files of src/navigation/agents share.
//
// Agents lie in structure of arrays, in the order of the view. An id leads to a slot, which has the index.
// A step has parts, each over all agents, in ranges by tasks; a part writes only to its own agent, and
// reads of others only what the part before has written:
// - follow (navigation_agents_follow.c): mesh changes, corridors, corners, wanted velocities, bodies;
// - avoid (navigation_agents_move.c): velocities, moves over the mesh;
// - separate, shift: agents that overlap all the same are moved apart.
// What comes before and after (answers of paths, arrivals, links, searches) is done by one thread, in the
// order of the agents.
#pragma once
#include "foundation/container/soa_block.h"
#include "navigation/agents/navigation_corridor.h"
#include "navigation/agents/navigation_neighbours.h"
#include "navigation/navigation_agents.h"

enum {
    CT_NAVIGATION_AGENT_SLOT_BITS = 17,
    CT_NAVIGATION_MAX_AGENTS = (1 << CT_NAVIGATION_AGENT_SLOT_BITS) - 1,
    CT_NAVIGATION_AGENT_MAX_SETS = 1 << (32 - CT_NAVIGATION_AGENT_SLOT_BITS),
    CT_NAVIGATION_AGENT_GRAIN = 32, // agents in a task
    CT_NAVIGATION_MAX_TOUCHING = 6,
    CT_NAVIGATION_CROWD_STEPS = 32,
    CT_NAVIGATION_MOST_HELD = 12,   // seconds
    CT_NAVIGATION_CORNER_STEPS = 8, // corners are found again at least so often
};

// Of ct_navigation_course.
enum {
    CT_NAVIGATION_HAS_GOAL = 1,
    CT_NAVIGATION_IS_PARTIAL = 2,      // the corridor does not lead to the goal
    CT_NAVIGATION_WANTS_PATH = 4,      // a search starts at the end of the step
    CT_NAVIGATION_CORNERS_STALE = 8,   // find corners again
    CT_NAVIGATION_ENDS = 16,           // the last corner is the end of the corridor
    CT_NAVIGATION_IS_QUEUEING = 32,    // waits for one that is nearer to a narrow place
    CT_NAVIGATION_IS_CROWDED_OUT = 64, // others have arrived where it wants to go
    CT_NAVIGATION_IS_CUT = 128,        // the corridor ends where the mesh has changed
    CT_NAVIGATION_IS_NEXT = 256,       // may go into the narrow place
    CT_NAVIGATION_IS_INSIDE = 512,     // is in it
};

// What an agent is: its desc, with defaults filled in.
typedef struct ct_navigation_walker {
    float radius, height, speed, acceleration, turn_speed, arrival, horizon;
    uint32_t priority, groups, avoids;
    uint32_t has_costs; // of its own
} ct_navigation_walker;

// A narrow place: a row of openings, or a link.
typedef struct ct_navigation_narrow {
    uint32_t key;         // the same from both sides; 0: none
    uint32_t first, last; // openings, as seen by the agent
    uint32_t direction;   // 0 or 1
    float metres;         // from the first to the last
    ct_vec3 mouth;        // the middle of the first
} ct_navigation_narrow;

// The agents that want to pass a narrow place, in this step; by direction.
typedef struct ct_navigation_gate {
    uint32_t key;                     // 0: a free place of the table
    uint32_t next;                    // agent; UINT32_MAX: none
    uint32_t num_inside[2], first[2]; // first: that is to go in first
    float first_rank[2];
    float denied[2]; // seconds that the other side has had the turn, at most
    uint32_t turn;   // the direction that passes; 2: neither
    float seconds;   // to pass
} ct_navigation_gate;

// Where it goes.
typedef struct ct_navigation_course {
    ct_vec3 goal;           // as it was given
    ct_vec3 end;            // of the corridor, on the mesh
    ct_vec2 heading;        // of length 1
    uint32_t flags;         // CT_NAVIGATION_HAS_GOAL …
    uint32_t query;         // ct_navigation_query; 0: it does not search
    uint32_t place_version; // of the tile that it is on
    uint32_t num_corners;
    uint32_t link;           // that it is on
    float waited;            // seconds in which it has not come nearer
    float held;              // seconds in which it hardly moved; less again when it moves
    float least_metres;      // to the corner, so far
    uint32_t least_polygons; // of the corridor, so far
    ct_navigation_narrow narrow;
    ct_navigation_narrow left; // narrow place whose mouth it has just come out of; its mouth
    float queued;              // seconds in which it has waited before the narrow place
    float
        denied; // seconds of these in which the other side had the turn; of one that is next, since
    // What the corridor was when narrow places were looked for; 0: look again.
    ct_navigation_place seen_place;
    uint32_t seen_count;
} ct_navigation_course;

// The next corners of a path.
typedef struct ct_navigation_corners {
    ct_navigation_corner items[CT_NAVIGATION_MAX_AGENT_CORNERS];
} ct_navigation_corners;

// Costs of areas, as in the desc.
typedef struct ct_navigation_costs {
    float areas[8];
} ct_navigation_costs;

// Those that it touches or nearly does, for the part "separate": indices of bodies.
typedef struct ct_navigation_touching {
    uint32_t count;
    uint32_t others[CT_NAVIGATION_MAX_TOUCHING];
} ct_navigation_touching;

// An agent in a crowd, to be sorted by its polygon.
typedef struct ct_navigation_crowd_record {
    uint64_t place;
    float area; // square metres that it covers
    uint32_t padding;
} ct_navigation_crowd_record;

typedef struct ct_navigation_agent_slot {
    uint32_t generation; // from 1
    uint32_t index;      // UINT32_MAX: it is free
} ct_navigation_agent_slot;

struct ct_navigation_agents {
    ct_allocator *allocator;
    ct_navigation_mesh *mesh;
    ct_navigation_paths *paths;
    ct_task_manager *tasks;

    ct_soa_block soa;
    ct_navigation_agent *ids;
    uint64_t *users;
    ct_vec3 *positions, *velocities, *wanted;
    ct_navigation_place *places;
    uint8_t *states;
    ct_navigation_walker *walkers;
    ct_navigation_course *courses;
    ct_navigation_corners *corners;
    ct_navigation_corridor *corridors;
    ct_navigation_costs *costs;
    ct_navigation_touching *touching; // of this step
    ct_vec2 *shifts;                  // of this step

    CT_ARRAY(ct_navigation_agent_slot) slots; // 0 is not used
    ct_u32_array free_slots;
    ct_navigation_corridor_pool pool;
    CT_ARRAY(ct_navigation_mover) movers;
    CT_ARRAY(ct_navigation_event) events;

    // Of this step.
    CT_ARRAY(ct_navigation_body) bodies; // of agents by index, then of movers
    ct_navigation_neighbours neighbours;
    CT_ARRAY(ct_navigation_gate) gates;                 // a table by key
    CT_ARRAY(ct_navigation_crowd_record) crowd_records; // twice the agents: with room to sort
    CT_ARRAY(ct_navigation_crowded) crowded;            // as set in the mesh
    ct_byte_array links;                                // by link: whether an agent is on it
    ct_navigation_filter filter;
    uint32_t number; // of the desc
    float dt;
    uint32_t step;
    bool has_mesh_changed;
    uint64_t mesh_version;
};

// A loop over all agents.
void ct_navigation_agents_for(ct_navigation_agents *a,
                              void (*run)(void *agents, uint32_t begin, uint32_t end));

// The filter of an agent: `own` is filled when it has costs of its own.
const ct_navigation_filter *ct_navigation_agent_filter(const ct_navigation_agents *a, uint32_t i,
                                                       ct_navigation_filter *own);

// The polygon around a point for an agent: within its radius, and half its height up and down.
ct_navigation_place ct_navigation_agent_find(const ct_navigation_agents *a, uint32_t i,
                                             ct_vec3 position, ct_vec3 *on_mesh);

// Puts an agent on a polygon, or off the mesh (0).
void ct_navigation_agent_put(ct_navigation_agents *a, uint32_t i, ct_navigation_place place,
                             ct_vec3 position);

// Forgets path, corridor and corners; ends its search.
void ct_navigation_agent_forget(ct_navigation_agents *a, uint32_t i);

// Starts the search for a path to the goal, instead of one that it has.
void ct_navigation_agent_search(ct_navigation_agents *a, uint32_t i);

// Looks for a narrow place ahead.
void ct_navigation_agent_see_narrow(ct_navigation_agents *a, uint32_t i,
                                    const ct_navigation_filter *filter);

// Part: what the mesh has changed, corridors, corners, wanted velocities and bodies.
void ct_navigation_agents_follow(void *agents, uint32_t begin, uint32_t end);
// Part: velocities after avoidance, and moves over the mesh.
void ct_navigation_agents_avoid(void *agents, uint32_t begin, uint32_t end);
// Part: how far each is to be moved from those that it overlaps.
void ct_navigation_agents_separate(void *agents, uint32_t begin, uint32_t end);
// Part: moves them so.
void ct_navigation_agents_shift(void *agents, uint32_t begin, uint32_t end);

// By one thread: before and after.
void ct_navigation_agents_take_paths(ct_navigation_agents *a);
void ct_navigation_agents_queue(ct_navigation_agents *a); // between follow and avoid
void ct_navigation_agents_finish(ct_navigation_agents *a);
void ct_navigation_agents_see_crowd(ct_navigation_agents *a); // each CT_NAVIGATION_CROWD_STEPS

// What others see of an agent.
ct_navigation_body ct_navigation_agent_body(const ct_navigation_agents *a, uint32_t i);
