// navigation_world_private.h: the data of a world's navigation, shared by the files of this folder.
#pragma once
#include "foundation/container/array.h"
#include "navigation/navigation_world.h"

enum { CT_NAVIGATION_INSTANCE_BITS = 12, CT_NAVIGATION_MAX_INSTANCES = 4095 };

// A pose that is only turned around z and moved.
typedef struct ct_navigation_turn {
    float cosine, sine;
    ct_vec3 position;
} ct_navigation_turn;

typedef struct ct_navigation_placed {
    ct_navigation_instance id;
    ct_string_id64 name;
    ct_string_id32 class_name, class_id;
    uint32_t class_number; // in the resource
    bool has_class;        // else the resource has lost it, and there are no tiles
    uint64_t user;
    ct_navigation_turn turn;
    ct_navigation_mesh *mesh;
    ct_navigation_paths *paths;
    ct_navigation_agents *agents;
    // As counted at `counted_version` of the mesh.
    uint64_t counted_version;
    uint32_t num_tiles, num_polygons;
    // Of this step: its agents in the world's movers, and the box around them.
    uint32_t first_mover, num_movers;
    ct_aabb box;
} ct_navigation_placed;

// By the low bits of an instance's id; the first is unused.
typedef struct ct_navigation_instance_slot {
    uint32_t generation; // from 1
    uint32_t place;      // in `placed`, from 1; 0: free
} ct_navigation_instance_slot;

struct ct_navigation_world {
    ct_allocator *allocator;
    ct_task_manager *tasks; // or NULL
    ct_navigation_settings settings;
    ct_navigation_search *search;
    CT_ARRAY(ct_navigation_instance) instances; // in the order in which they were added
    CT_ARRAY(ct_navigation_placed) placed;      // in the same order
    CT_ARRAY(ct_navigation_instance_slot) slots;
    ct_u32_array free_slots;
    // Of this step: agents of all instances in the space of the world, and those that one instance meets.
    CT_ARRAY(ct_navigation_mover) movers, met;
    uint64_t step;
    uint32_t changes;
};

// The place of an instance in `placed`; UINT32_MAX: it is stale.
uint32_t ct_navigation_place_of(const ct_navigation_world *w, ct_navigation_instance i);

// Turn a direction of the mesh into the world's, and back.
ct_vec3 ct_navigation_turned(const ct_navigation_turn *t, ct_vec3 v);
ct_vec3 ct_navigation_turned_back(const ct_navigation_turn *t, ct_vec3 v);

// Has the agents of each instance avoid those of the others that are near.
void ct_navigation_world_meet(ct_navigation_world *w);
