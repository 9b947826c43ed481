// component_resource.h: the component types of templates: instance data and schemas.
//
// A unit's blob holds, for each component type, an array of these structs. One table here names
// them all in spawn order (a mesh wants the transform that stands before it).
#pragma once
#include "resource/schema/schema.h"

enum { CT_MAX_COMPONENT_TYPES = 64 };
enum { CT_MESH_MAX_MATERIALS = 64, CT_DEBUG_NAME_BYTES = 64, CT_SCENE_GRAPH_MAX_NODES = 16384 };

// What names the root of a unit, node 0, beside "".
#define CT_ROOT_NODE_NAME "root_point"

typedef struct ct_transform_data {
    float position[3]; // metres, in the parent's space
    float rotation[4]; // x y z w
    float scale[3];
} ct_transform_data;

// What a scene graph's source says.
typedef struct ct_scene_graph_source {
    ct_sjson_value nodes; // array of objects with `id` and the fields of ct_scene_graph_node_data
} ct_scene_graph_source;

// One node of a scene graph: in blobs each is an instance. Those of one entity stand together, up
// to CT_SCENE_GRAPH_MAX_NODES, parents before children. Node 0 is the entity itself; the first that
// stands here is node 1.
typedef struct ct_scene_graph_node_data {
    ct_string_id32 name;        // unique in the graph
    ct_string_id32 parent_name; // 0: the entity
    uint32_t parent;            // number of that node, below the node's own
    float position[3];          // metres, in the parent's space
    float rotation[4];          // x y z w
    float scale[3];
} ct_scene_graph_node_data;

// What every mesh has comes first: of most templates the rest is not looked at.
typedef struct ct_mesh_data {
    ct_string_id64 mesh; // resource of type mesh
    uint32_t is_visible;
    uint32_t casts_shadows; // while it is visible
    ct_string_id32 node;    // of the scene graph; 0: the entity
    // In blobs: from this one on there are no materials. What makes a mesh at run time need not
    // count them.
    uint32_t num_materials;
    ct_string_id64 materials[CT_MESH_MAX_MATERIALS]; // of the mesh's parts in order; 0: none
} ct_mesh_data;

// How a camera projects.
typedef enum ct_camera_projection {
    CT_CAMERA_PROJECTION_PERSPECTIVE,
    CT_CAMERA_PROJECTION_ORTHOGRAPHIC,
} ct_camera_projection;

typedef struct ct_camera_data {
    ct_string_id32 name;       // by which Unit.camera finds it
    uint32_t projection;       // ct_camera_projection
    float vertical_fov;        // radians
    float near_range;          // metres
    float far_range;           // metres
    float orthographic_height; // metres from bottom to top
    ct_string_id32 node;       // of the scene graph; 0: the entity
} ct_camera_data;

typedef enum ct_light_type {
    CT_LIGHT_TYPE_DIRECTIONAL, // shines along the entity's forward (y)
    CT_LIGHT_TYPE_POINT,
    CT_LIGHT_TYPE_SPOT, // shines along the entity's forward (y), in a cone
} ct_light_type;

typedef struct ct_light_data {
    ct_string_id32 name; // by which Unit.light finds it
    uint32_t type;       // ct_light_type
    float color[4];      // linear
    float intensity;     // directional: lux / pi at the surface; point and spot: candela
    // Of point and spot lights, in metres: the light is dimmed from the start on, beside what
    // distance does by itself, and nothing is left at the end.
    float falloff_start, falloff_end;
    // Of spot lights, in radians from the axis: full light up to the start, none from the end on.
    float spot_angle_start, spot_angle_end;
    uint32_t is_enabled;
    uint32_t casts_shadows;
    float shadow_depth_bias; // metres that its shadows begin behind what casts them
    ct_string_id32 node;     // of the scene graph; 0: the entity
} ct_light_data;

// The template data of a debug name.
typedef struct ct_debug_name_data {
    char name[CT_DEBUG_NAME_BYTES];
} ct_debug_name_data;

// What a data component's source says. In blobs an instance is a ct_data_buffer.
typedef struct ct_data_source {
    ct_sjson_value values;
} ct_data_source;

// What a tag component's source says; its data in blobs is a ct_tag_data (tag_data.h).
typedef struct ct_tag_source {
    ct_sjson_value tags; // array of strings
} ct_tag_source;

typedef struct ct_script_component_data {
    ct_string_id64 script; // resource of type lua
} ct_script_component_data;

// A component type of templates. Its instance data are structs of a schema, or of varying size: then
// the compiler makes the bytes of each, and `check_instance` knows what they may be.
typedef struct ct_component_type {
    const char *name;        // "transform"
    ct_string_id32 id;       // of the name; stands in blobs
    const ct_schema *schema; // of a component in sources
    // Of the instance data: `schema`, but a node's of scene graphs; NULL: of varying size.
    const ct_schema *instance_schema;
    // Checks the bytes of an instance, aligned to 8, that came from a blob: reading them does no
    // harm. The size is a multiple of 8: what the instance does not need at the end is zero. False
    // with `error`, which may be NULL. NULL for types that have an instance schema.
    bool (*check_instance)(const void *bytes, uint32_t size_bytes, ct_error *error);
    bool may_repeat;   // an entity may have several, told apart by their ids
    bool has_own_data; // each instance, end to end: those that are the same share nothing in blobs
} ct_component_type;

// The schemas of components in sources, by which fields describe arrays of them; NULL-terminated.
extern const ct_schema *ct_component_schemas[];

// All component types in spawn order; `count` is set.
const ct_component_type *ct_component_types(uint32_t *count);

// The type of this name, or NULL.
const ct_component_type *ct_component_type_named(const char *name);

// Makes a component of a game or plugin known to templates, behind those that are: structs of
// `schema`, whose fields are such as blobs hold and whose identity is an id, a type and `removed`;
// borrowed until it is taken back. `may_repeat` as in ct_component_type. Before units and levels are loaded, so that what they have of it
// is checked, and while nothing loads or compiles. False with `error` when its name is taken or
// there are CT_MAX_COMPONENT_TYPES.
bool ct_component_type_register(const ct_schema *schema, bool may_repeat, ct_error *error);

// Takes it back; one that is not registered is passed over.
void ct_component_type_unregister(const ct_schema *schema);

// True for a type that was registered so; in templates these stand in any order behind the others.
bool ct_component_type_is_registered(const ct_component_type *type);
