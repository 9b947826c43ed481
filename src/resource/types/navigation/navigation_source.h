// navigation_source.h: the source of a navigation resource, as the schemas read it.
//
// All arrays are sets whose elements have an `id`, so corrections made by hand are merged and kept by
// id, whatever the generated mesh is like.
#pragma once
#include "resource/types/navigation/navigation_resource.h"

typedef struct ct_navigation_source {
    ct_string_id64 level;
    ct_sjson_value level_value; // where its name is
    float cell_size, cell_height;
    float tile_size;
    float edge_error;   // metres; 0: 1.3 cells
    float longest_edge; // metres; 0: edges are not split
    float least_area;   // square metres
    uint32_t uses_actors;
    const char *mesh_tag, *excluded_tag; // NULL or "": none
    ct_sjson_value agents, areas, volumes, links, rules;
} ct_navigation_source;

// An element of `agents`.
typedef struct ct_navigation_class_source {
    const char *name;
    float radius, height, climb, slope; // slope: radians
} ct_navigation_class_source;

// An element of `areas`.
typedef struct ct_navigation_area_source {
    const char *name;
    float cost;
    uint32_t is_closed;
} ct_navigation_area_source;

// An element of `volumes`.
typedef struct ct_navigation_volume_source {
    const char *volume; // the name of a volume of the level
    const char *area;   // NULL: none
    uint32_t is_cut;
} ct_navigation_volume_source;

// An element of `links`.
typedef struct ct_navigation_link_source {
    const char *kind;
    float from[3], to[3];
    float radius, cost;
    const char *area; // NULL: the ground
    uint32_t is_both_ways, is_closed;
    ct_sjson_value agents; // names of classes; no value: all
} ct_navigation_link_source;

typedef enum ct_navigation_rule_type {
    CT_NAVIGATION_RULE_DROP, // from an edge down to ground that is lower; one way
    CT_NAVIGATION_RULE_JUMP, // across a gap, to ground of about the same height; both ways
} ct_navigation_rule_type;

// An element of `rules`.
typedef struct ct_navigation_rule_source {
    uint32_t type; // ct_navigation_rule_type
    const char *kind;
    float height, distance, spacing;
    float cost;
    const char *area;
    ct_sjson_value agents;
} ct_navigation_rule_source;

extern const ct_schema ct_navigation_schema, ct_navigation_class_schema, ct_navigation_area_schema,
    ct_navigation_volume_schema, ct_navigation_link_schema, ct_navigation_rule_schema;
