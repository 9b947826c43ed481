// worker_template.h: makes entity templates of units. The unit and level compilers share it.
//
// A unit's source is read once per job to an *expansion*: its components and children, merged with
// the inherited ones. Placing an expansion, under a parent and with overrides, adds entities to the
// template: one for the unit, then those of its children, so parents come first. Data is merged as
// structs, field by field, and every piece remembers the document it is in, so that errors show
// the wrong line of that file. Everything is allocated from the job and never freed singly.
#pragma once
#include "compiler/protocol/compile.h"
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "resource/types/component_resource.h"
#include "resource/types/unit_resource.h"

enum {
    CT_TEMPLATE_MAX_DEPTH = 128,        // units in units, inherited ones counted
    CT_TEMPLATE_MAX_ENTITIES = 1 << 20, // of one unit or level
};

// A value and the document it is in.
typedef struct ct_template_place {
    const ct_sjson *doc;
    ct_sjson_value value;
} ct_template_place;

// A reference in a component's data, reported when the component is used.
typedef struct ct_template_reference {
    const char *field, *type, *name;
    ct_template_place at;
} ct_template_reference;

// One node of a scene graph. Never changed once it is in an expansion: overrides change a copy.
typedef struct ct_template_node {
    const char *id;
    ct_template_place at;        // the object that introduced it
    ct_template_place name_at;   // where its name is; no value: it has no name
    ct_template_place parent_at; // where its parent's name is; no value: the entity is its parent
    ct_scene_graph_node_data data;
} ct_template_node;

// One component. Never changed once it is in an expansion: overrides change a copy.
typedef struct ct_template_component {
    const ct_component_type *type;
    uint32_t order; // position of the type in spawn order
    const char *id;
    ct_template_place at; // the object that introduced it
    uint64_t given;       // bit i: field i is in some source
    void *data;           // type->schema->size_bytes
    CT_ARRAY(ct_template_reference) references;
    ct_template_place node_at;          // where the name of its node is; no value: it names no node
    CT_ARRAY(ct_template_node *) nodes; // of a scene graph
    // The objects that were applied, in order: first the one that introduced it, then overrides.
    // Only of types of varying size, which are made of them, and of those that are checked
    // (component_compiler.h).
    CT_ARRAY(ct_template_place) objects;
    uint32_t num_unit_objects; // of these, from units themselves; the rest from places of the unit
} ct_template_component;

// The data of one object about a placed unit; read once however often the unit is placed. The pose
// comes first and has the layout of a transform, whose fields it shares.
typedef struct ct_template_layer {
    ct_transform_data pose; // valid for the fields that the object gives
    ct_string_id64 unit;
    ct_sjson_value unit_value;
    ct_sjson_value overrides; // array: components by id
    ct_sjson_value children;  // array: children by id
    const char *layer;        // level units only: the editor's layer
    ct_template_place at;     // the object
} ct_template_layer;

// A placed unit: the layer that places it, then those that override it, in order.
typedef struct ct_template_child {
    const char *id;
    CT_ARRAY(const ct_template_layer *) layers;
} ct_template_child;

typedef CT_ARRAY(ct_template_component *) ct_template_components;
typedef CT_ARRAY(ct_template_child *) ct_template_children;

typedef struct ct_template_expansion {
    const char *name;    // of the unit
    const ct_sjson *doc; // its source
    bool is_broken;      // an error was reported; nothing can be placed
    ct_template_components components;
    ct_template_children children;
} ct_template_expansion;

// The instances of one component type.
typedef struct ct_template_instances {
    ct_u32_array entities, ids;
    ct_byte_array data;     // structs in this machine's byte order
    ct_blob_writer varying; // of types of varying size: the bytes, as they go to the blob,
    ct_u32_array offsets;   // and where each instance starts; of others made when they are written
} ct_template_instances;

// A step from one unit to the next, to find cycles.
typedef struct ct_template_step {
    const char *unit;
    const ct_sjson *doc;  // its source
    ct_template_place at; // what refers to it; no value: the resource that is compiled
} ct_template_step;

// The names in the project's physics (worker_physics_names.h).
typedef struct ct_physics_names ct_physics_names;

typedef struct ct_template {
    ct_compile *compile;
    ct_hash_map expansions;           // path's id to ct_template_expansion *
    ct_hash_map missing;              // ids of names of units that cannot be read
    ct_hash_map layers;               // place to ct_template_layer *
    ct_hash_map told;                 // places whose errors were reported
    ct_hash_map warned;               // places that were warned of
    ct_hash_map applied;              // objects that were applied to a component before
    CT_ARRAY(ct_template_step) steps; // to the current unit
    ct_u32_array parents;             // of each entity, or CT_NO_PARENT
    ct_template_instances *instances; // of each component type, in spawn order
    ct_physics_names *physics_names;  // read when first needed
    bool is_too_big;
    ct_schema child_schema;      // of a child, read to ct_template_layer
    ct_schema level_unit_schema; // of a level's unit, likewise
} ct_template;

// --- worker_template_read.c: sources to expansions -----------------------------------------------

// Starts a template for the current job.
void ct_template_init(ct_template *t, ct_compile *c);

// Returns the expansion of a unit that `at` names; reads it when this is the first time. Returns
// NULL after an error.
const ct_template_expansion *ct_template_expand(ct_template *t, const char *unit,
                                                ct_template_place at);

// Returns the layer of an object that places a unit or overrides a placed one. Its errors are
// reported once.
const ct_template_layer *ct_template_layer_of(ct_template *t, const ct_schema *schema,
                                              ct_template_place at);

// Changes `components` by an array of objects with `id`, the form of `overrides`. An unknown id is
// an error.
void ct_template_override_components(ct_template *t, ct_template_components *components,
                                     ct_template_place array);

// Changes `children` by an array of objects with `id`. An unknown id is an error.
void ct_template_override_children(ct_template *t, ct_template_children *children,
                                   ct_template_place array);

// Returns a copy of `component` that may be changed.
ct_template_component *ct_template_component_copy(ct_template *t,
                                                  const ct_template_component *component);

// Returns the `id` of an object in an array whose elements have identity. Returns NULL after an
// error: it is missing or was in `seen` before. `what` names the element in messages.
const char *ct_template_id(ct_template *t, ct_hash_map *seen, const char *what,
                           ct_template_place object);

// Returns true in the first call for a place, false in later ones.
bool ct_template_is_first(ct_template *t, ct_template_place at);

// Reports an error at a place, once. Returns false.
bool ct_template_error(ct_template *t, ct_template_place at, const char *format, ...)
    CT_PRINTF(3, 4);

// Reports a warning at a place, once.
void ct_template_warning(ct_template *t, ct_template_place at, const char *format, ...)
    CT_PRINTF(3, 4);

// Returns the member of an object; its value is empty when the member is missing.
ct_template_place ct_template_member(ct_template_place object, const char *key);

// Returns the text of a string, or NULL when the value is not a string.
const char *ct_template_text(ct_template_place at);

// Returns true when the object has `removed = true`.
bool ct_template_is_removed(ct_template_place object);

// Reports, once, further members of an object that has `removed`, which have no effect.
void ct_template_check_removed(ct_template *t, const char *what, ct_template_place object);

// Reports, once, that the id names nothing that the object could override or remove.
void ct_template_unknown_id(ct_template *t, const char *what, const char *id,
                            ct_template_place object);

// --- worker_template_nodes.c: scene graphs -------------------------------------------------------

// Merges the `nodes` of an object that is applied to a scene graph into its nodes. `may_add`: nodes
// with new ids are added. The last parameter is false when the object was applied before: then no
// errors are reported.
void ct_template_merge_nodes(ct_template *t, ct_template_component *graph, ct_template_place object,
                             bool may_add, bool tells_errors);

// Adds the nodes of the components' scene graph, if there is one, to the instances of `entity`,
// parents before children, siblings in the order of the source; and checks that every node that a
// component names is there. False after an error.
bool ct_template_place_nodes(ct_template *t, const ct_template_components *components,
                             uint32_t entity);

// --- worker_template_place.c: expansions to entities ---------------------------------------------

// Adds the entities of a unit that is placed by `layers` under entity `parent` (or CT_NO_PARENT).
// `root` is set to the number of its root. False after an error.
bool ct_template_place_unit(ct_template *t, const ct_template_expansion *unit,
                            const ct_template_layer *const *layers, uint32_t num_layers,
                            uint32_t parent, uint32_t *root);

// The unit that `layers` name, placed as above; with checks for cycles and depth.
bool ct_template_place_layers(ct_template *t, const ct_template_layer *const *layers,
                              uint32_t num_layers, uint32_t parent, uint32_t *root);

// --- worker_template_write.c: entities to a blob -------------------------------------------------

// Appends the arrays of the template; the blob's struct has room before them. Returns what leads
// there, a member of that struct.
ct_entity_template ct_template_write(ct_template *t);
