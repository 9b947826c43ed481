// flow_node_tables.h: the tables of the engine's modules, each in flow_nodes_<module>.c.
//
// A table that is declared here and listed in flow_node_types.c is one that the compiler, the engine
// and `cuttle flow-nodes` know. Within a table, nodes are in the order of their menus.
#pragma once
#include "resource/types/flow/flow_node_types.h"

extern const ct_flow_node_table ct_flow_nodes_actor;
extern const ct_flow_node_table ct_flow_nodes_animation;
extern const ct_flow_node_table ct_flow_nodes_application;
extern const ct_flow_node_table ct_flow_nodes_camera;
extern const ct_flow_node_table ct_flow_nodes_control;
extern const ct_flow_node_table ct_flow_nodes_convert;
extern const ct_flow_node_table ct_flow_nodes_data;
extern const ct_flow_node_table ct_flow_nodes_debug;
extern const ct_flow_node_table ct_flow_nodes_effects;
extern const ct_flow_node_table ct_flow_nodes_entity;
extern const ct_flow_node_table ct_flow_nodes_event;
extern const ct_flow_node_table ct_flow_nodes_external;
extern const ct_flow_node_table ct_flow_nodes_input;
extern const ct_flow_node_table ct_flow_nodes_level;
extern const ct_flow_node_table ct_flow_nodes_light;
extern const ct_flow_node_table ct_flow_nodes_material;
extern const ct_flow_node_table ct_flow_nodes_math;
extern const ct_flow_node_table ct_flow_nodes_mover;
extern const ct_flow_node_table ct_flow_nodes_navigation;
extern const ct_flow_node_table ct_flow_nodes_physics;
extern const ct_flow_node_table ct_flow_nodes_script;
extern const ct_flow_node_table ct_flow_nodes_sound;
extern const ct_flow_node_table ct_flow_nodes_string;
extern const ct_flow_node_table ct_flow_nodes_time;
extern const ct_flow_node_table ct_flow_nodes_touch;
extern const ct_flow_node_table ct_flow_nodes_unit;
extern const ct_flow_node_table ct_flow_nodes_unit_data;
extern const ct_flow_node_table ct_flow_nodes_unit_parts;
extern const ct_flow_node_table ct_flow_nodes_variable;
