// physics_resource.h: the blob of a project's physics: materials, filters, actor templates, step.
//
// A project has one in use, which the setting `physics` names. Names of materials, filters and
// templates are ids of 32 bits; the texts are for messages. Each array has at least the element
// "default", which is the first.
#pragma once
#include "resource/types/component/actor_data.h"
#include "resource/types/resource_types.h"

enum {
    CT_PHYSICS_VERSION = 3,
    CT_PHYSICS_MAX_FILTERS = 32,
    CT_PHYSICS_MAX_MATERIALS = 256,
    CT_PHYSICS_MAX_PAIRS = 4096,
    CT_PHYSICS_MAX_TEMPLATES = 256,
};

// What a surface is like. Of two that touch, friction and restitution are multiplied.
typedef struct ct_physics_material {
    ct_blob_string name_text;
    ct_string_id32 name;
    float friction;         // 0 and more; 0.5 is wood
    float restitution;      // 0 to 1: share of the speed that a bounce keeps
    float rolling_friction; // 0 and more, metres: brakes what rolls
    float spinning_friction;
    float density;       // kilograms in a cubic metre
    float touch_impulse; // newton seconds: weaker touches are no events; of two the higher counts
} ct_physics_material;

// Two materials that are not as their product says.
typedef struct ct_physics_pair {
    uint32_t a, b;       // positions in `materials`, a <= b
    float touch_impulse; // in place of the materials' own
} ct_physics_pair;

// A collision filter. Two actors collide when each is in the other's `collides`. That is symmetric:
// the compiler refuses filters of which only one names the other. In sources, "all" is every filter
// but those that name others only.
typedef struct ct_physics_filter {
    ct_blob_string name_text;
    ct_string_id32 name;
    uint32_t collides; // bit n: with filter n of the array
} ct_physics_filter;

// A named set of members of actors. Those that an actor gives itself go over those of its template.
typedef struct ct_physics_template {
    ct_blob_string name_text;
    ct_string_id32 name;
    ct_actor_data actor; // its `given` says which members count
} ct_physics_template;

typedef struct ct_physics_resource {
    ct_blob_header header;
    float gravity[3];   // m/s^2
    float step;         // seconds of one step of the simulation
    uint32_t max_steps; // in one step of the world; the rest of the time is dropped, with a warning
    uint32_t solver_iterations;
    float sleep_linear, sleep_angular; // slower bodies fall asleep: m/s, rad/s
    float rest_distance;               // metres; less in half a second is held in place; 0: off
    uint32_t padding;
    ct_blob_array materials; // ct_physics_material; the first is "default"
    ct_blob_array pairs;     // ct_physics_pair, sorted by a, b
    ct_blob_array filters;   // ct_physics_filter; the first is "default"
    ct_blob_array templates; // ct_physics_template; may be empty
} ct_physics_resource;

// The source, as ct_schema_read reads it. Elements of the arrays have an `id`.
typedef struct ct_physics_source {
    float gravity[3];
    float step;
    int32_t max_steps, solver_iterations;
    float sleep_linear, sleep_angular, rest_distance;
    ct_sjson_value materials, pairs, filters, templates;
} ct_physics_source;

// Elements of the arrays, as their schemas read them.
typedef struct ct_physics_material_source {
    const char *name;
    float friction, restitution, rolling_friction, spinning_friction, density, touch_impulse;
} ct_physics_material_source;

typedef struct ct_physics_pair_source {
    const char *a, *b; // names of materials
    float touch_impulse;
} ct_physics_pair_source;

typedef struct ct_physics_filter_source {
    const char *name;
    ct_sjson_value collides; // an array of names of filters, or "all"
} ct_physics_filter_source;

typedef struct ct_physics_template_source {
    const char *name;
    ct_sjson_value actor; // an object of ct_actor_head_schema
} ct_physics_template_source;

extern const ct_schema ct_physics_schema, ct_physics_material_schema, ct_physics_pair_schema,
    ct_physics_filter_schema, ct_physics_template_schema;
extern const ct_blob_layout ct_physics_layout, ct_physics_material_layout, ct_physics_pair_layout,
    ct_physics_filter_layout, ct_physics_template_layout;

// Validates a blob of this type after its header was checked: every offset is inside the blob, and
// values are in range. Returns false with `error`, which names the invalid member. libc only.
bool ct_physics_validate(const void *blob, ct_error *error);

// Return the position of the element with this name; UINT32_MAX: there is none. Linear.
uint32_t ct_physics_find_material(const ct_physics_resource *p, ct_string_id32 name);
uint32_t ct_physics_find_filter(const ct_physics_resource *p, ct_string_id32 name);
uint32_t ct_physics_find_template(const ct_physics_resource *p, ct_string_id32 name);

// Returns the impulse from which on two materials (positions) touch with an event.
float ct_physics_touch_impulse(const ct_physics_resource *p, uint32_t a, uint32_t b);
