// navigation_agent_data.h: template data of navigation_agent components: entities that walk over the
// navigation meshes of their world.
#pragma once
#include "resource/schema/schema.h"

// What moves the entity.
typedef enum ct_navigation_moves {
    CT_NAVIGATION_MOVES_TRANSFORM, // the step sets its position, and its rotation when it `turns`
    CT_NAVIGATION_MOVES_MOVER,     // its mover in use is moved by the velocity; gravity is added
    CT_NAVIGATION_MOVES_NOTHING,   // the game moves it, by the velocity
    CT_NAVIGATION_MOVES_COUNT,
} ct_navigation_moves;

// As in ct_navigation_agent_desc (navigation/navigation_agents.h) where it has the same name.
typedef struct ct_navigation_agent_data {
    ct_string_id32 class_name; // of the resource's classes; 0: the first
    uint32_t moves;            // ct_navigation_moves
    uint32_t turns;            // not 0: its y axis looks where it walks
    uint32_t plays_links;      // not 0: the game moves it over links, then ends them
    uint32_t priority;         // 0 to 15
    float radius, height, speed, acceleration, turn_speed, arrival, horizon;
    uint32_t groups, avoids;
    ct_string_id32 speed_variable; // of its animation: set to metres a second; 0: none
} ct_navigation_agent_data;

extern const ct_schema ct_navigation_agent_schema;
