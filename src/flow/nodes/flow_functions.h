// flow_functions.h: the functions of the engine's nodes, by module.
//
// What is declared here and listed in flow_system.c is known to all graphs.
#pragma once
#include "resource/types/flow/flow_call.h"

// The functions of a module.
typedef struct ct_flow_functions {
    const ct_flow_function_row *rows;
    uint32_t count;
} ct_flow_functions;

extern const ct_flow_functions ct_flow_run_actor;
extern const ct_flow_functions ct_flow_run_animation;
extern const ct_flow_functions ct_flow_run_application;
extern const ct_flow_functions ct_flow_run_camera;
extern const ct_flow_functions ct_flow_run_control;
extern const ct_flow_functions ct_flow_run_debug;
extern const ct_flow_functions ct_flow_run_effects;
extern const ct_flow_functions ct_flow_run_entity;
extern const ct_flow_functions ct_flow_run_events;
extern const ct_flow_functions ct_flow_run_external;
extern const ct_flow_functions ct_flow_run_input;
extern const ct_flow_functions ct_flow_run_level;
extern const ct_flow_functions ct_flow_run_light;
extern const ct_flow_functions ct_flow_run_material;
extern const ct_flow_functions ct_flow_run_mover;
extern const ct_flow_functions ct_flow_run_navigation;
extern const ct_flow_functions ct_flow_run_physics;
extern const ct_flow_functions ct_flow_run_random;
extern const ct_flow_functions ct_flow_run_script;
extern const ct_flow_functions ct_flow_run_sound;
extern const ct_flow_functions ct_flow_run_time;
extern const ct_flow_functions ct_flow_run_touch;
extern const ct_flow_functions ct_flow_run_unit;
extern const ct_flow_functions ct_flow_run_unit_data;
extern const ct_flow_functions ct_flow_run_unit_parts;
extern const ct_flow_functions ct_flow_run_variable;
