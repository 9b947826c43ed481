// unit_resource.h: blobs of units and levels: instructions to spawn entities, type by type.
//
// Entities are numbered; parents come before their children. For each component type, in spawn
// order, the blob has the numbers of the owning entities and the instance data. So spawning makes
// all entities at once, then all transforms, then all meshes. From "Building a Data-Oriented Entity
// System, part 4" (Bitsquid blog, 2014-10-10).
#pragma once
#include "resource/types/level/level_members.h"
#include "resource/types/resource_types.h"

enum { CT_UNIT_VERSION = 8, CT_LEVEL_VERSION = 12 };
#define CT_NO_PARENT UINT32_MAX

// All instances of one component type. Equal data of several instances is stored once, as hundreds
// of placed units can share it; then `data_index` says which data each has. For types of varying
// size `instance_bytes` is 0, and `data` is all bytes: data i is at offsets[i] up to offsets[i +
// 1].
typedef struct ct_component_instances {
    ct_string_id32 type;
    uint32_t instance_bytes;    // of one element of `data`; 0: of varying size
    ct_blob_array entity_index; // uint32_t: the owner of each instance, in order
    ct_blob_array ids;          // uint32_t: 32-bit id of each instance's `id` string; the same
                                // count
    ct_blob_array data;         // the component's data structs; or bytes, aligned to 8
    ct_blob_array offsets;      // uint32_t, one more, from 0, multiples of 8; only of varying size
    ct_blob_array data_index;   // uint32_t: the number of each instance's data; empty: its own
} ct_component_instances;

// The template of a set of entities.
typedef struct ct_entity_template {
    uint32_t num_entities;
    uint32_t padding;
    // uint32_t[num_entities]: the parent's number or CT_NO_PARENT. All entities below a root are
    // between it and the next one.
    ct_blob_array parents;
    ct_blob_array component_types; // ct_component_instances, in spawn order
} ct_entity_template;

// A unit: entity 0 is its root, the only one without a parent.
typedef struct ct_unit_resource {
    ct_blob_header header;
    ct_entity_template entities;
} ct_unit_resource;

// One unit placed in a level.
typedef struct ct_level_unit {
    ct_string_id64 unit; // the resource that was placed
    ct_string_id32 id;   // of its `id` string
    uint32_t root;       // number of its root entity
} ct_level_unit;

// A level: the entities of all its units, whose roots have no parent, with their poses in place.
typedef struct ct_level_resource {
    ct_blob_header header;
    ct_entity_template entities;
    ct_blob_array units;   // ct_level_unit, in source order, which is also the order of their roots
    ct_string_id64 script; // resource of type lua, or 0
    ct_string_id64 flow;   // resource of type flow, or 0
    ct_string_id64 navigation; // resource of type navigation, or 0
    // Named places (level_members.h), in source order.
    ct_blob_array volumes; // ct_level_volume
    ct_blob_array splines; // ct_level_spline
    ct_blob_array markers; // ct_level_marker
} ct_level_resource;

extern const ct_schema ct_unit_schema;
extern const ct_schema ct_level_schema;
extern const ct_blob_layout ct_unit_layout, ct_level_layout, ct_level_unit_layout,
    ct_entity_template_layout, ct_component_instances_layout;

// Validates a blob of this type after its header was checked: every offset is inside the blob, and
// values are in range. Returns false with `error`, which names the invalid member. libc only.
bool ct_unit_validate(const void *blob, ct_error *error);
bool ct_level_validate(const void *blob, ct_error *error);

// The fields that the unit schema reads from a source.
typedef struct ct_unit_source {
    ct_string_id64 inherit;
    ct_sjson_value inherit_value; // the compiler reads the name here
    ct_sjson_value components;    // array of objects with `id`, `type` and the type's fields
    ct_sjson_value children;      // array of ct_unit_child_source
} ct_unit_source;

// One unit placed in another (`children`) or in a level (`units`). Parts of the pose that are not
// given stay as in the placed unit.
typedef struct ct_unit_child_source {
    ct_string_id64 unit;
    float position[3], rotation[4], scale[3]; // as in ct_transform_data
    ct_sjson_value overrides;                 // array of objects with the `id` of a component
    ct_sjson_value children;                  // array of ct_unit_child_source: these are overrides
                                              // too
    const char *layer;                        // in levels, for tools; NULL: no layer
} ct_unit_child_source;

typedef struct ct_level_source {
    ct_sjson_value units; // array of ct_unit_child_source
    ct_string_id64 script, flow, navigation;
    ct_sjson_value volumes; // array of ct_level_volume_source
    ct_sjson_value splines; // array of ct_level_spline_source
    ct_sjson_value markers; // array of ct_level_marker_source
} ct_level_source;
