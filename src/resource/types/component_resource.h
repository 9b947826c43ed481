// component_resource.h: the component types of templates: instance data and schemas.
//
// A unit's blob holds an array of these structs for each component type. One table here lists all
// of them in spawn order (a mesh needs the transform before it).
#pragma once
#include "resource/schema/schema.h"

enum { CT_MAX_COMPONENT_TYPES = 64 };
enum { CT_MESH_MAX_MATERIALS = 64, CT_DEBUG_NAME_BYTES = 64, CT_SCENE_GRAPH_MAX_NODES = 16384 };

// A name of a unit's root, node 0, besides "".
#define CT_ROOT_NODE_NAME "root_point"

typedef struct ct_transform_data {
    float position[3]; // metres, in the parent's space
    float rotation[4]; // x y z w
    float scale[3];
} ct_transform_data;

// The source of a scene graph.
typedef struct ct_scene_graph_source {
    ct_sjson_value nodes; // array of objects with `id` and the fields of ct_scene_graph_node_data
} ct_scene_graph_source;

// One node of a scene graph; in blobs each is an instance. Those of one entity are together, up to
// CT_SCENE_GRAPH_MAX_NODES, parents before children. Node 0 is the entity itself; the first node
// here is node 1.
typedef struct ct_scene_graph_node_data {
    ct_string_id32 name;        // unique in the graph
    ct_string_id32 parent_name; // 0: the entity
    uint32_t parent;            // number of the parent, below the node's own
    float position[3];          // metres, in the parent's space
    float rotation[4];          // x y z w
    float scale[3];
} ct_scene_graph_node_data;

// Members that every mesh uses come first: for most templates the rest is never read.
typedef struct ct_mesh_data {
    ct_string_id64 mesh; // resource of type mesh
    uint32_t is_visible;
    uint32_t casts_shadows; // while the mesh is visible
    ct_string_id32 node;    // of the scene graph; 0: the entity
    // In blobs: from this position on there are no materials. Code that makes a mesh at run time
    // need not count them.
    uint32_t num_materials;
    ct_string_id64 materials[CT_MESH_MAX_MATERIALS]; // of the mesh's parts in order; 0: no material
} ct_mesh_data;

// How a camera projects.
typedef enum ct_camera_projection {
    CT_CAMERA_PROJECTION_PERSPECTIVE,
    CT_CAMERA_PROJECTION_ORTHOGRAPHIC,
} ct_camera_projection;

typedef struct ct_camera_data {
    ct_string_id32 name;       // for Unit.camera
    uint32_t projection;       // ct_camera_projection
    float vertical_fov;        // radians
    float near_range;          // metres
    float far_range;           // metres
    float orthographic_height; // height of the view in metres
    ct_string_id32 node;       // of the scene graph; 0: the entity
} ct_camera_data;

typedef enum ct_light_type {
    CT_LIGHT_TYPE_DIRECTIONAL, // shines along the entity's forward (y)
    CT_LIGHT_TYPE_POINT,
    CT_LIGHT_TYPE_SPOT, // shines along the entity's forward (y), in a cone
} ct_light_type;

typedef struct ct_light_data {
    ct_string_id32 name; // for Unit.light
    uint32_t type;       // ct_light_type
    float color[4];      // linear
    float intensity;     // directional: lux / pi at the surface; point and spot: candela
    // Of point and spot lights, in metres: the light fades out from the start to nothing at the
    // end, in addition to its falloff with distance.
    float falloff_start, falloff_end;
    // Of spot lights, in radians from the axis: full light up to the start, none from the end on.
    float spot_angle_start, spot_angle_end;
    uint32_t is_enabled;
    uint32_t casts_shadows;
    float shadow_depth_bias; // metres behind an object at which its shadow begins
    ct_string_id32 node;     // of the scene graph; 0: the entity
} ct_light_data;

// The source of a render data component. In blobs an instance is a ct_render_data (render_data.h).
typedef struct ct_render_data_source {
    ct_sjson_value values, colors;
} ct_render_data_source;

// A character: what moves the joints of an entity.
typedef struct ct_animation_data {
    ct_string_id64 skeleton;      // resource of type skeleton
    ct_string_id64 state_machine; // resource of type state_machine; 0: none
    uint32_t root_mode;           // ct_animation_root_mode (animation_component.h)
    uint32_t is_always_posed;     // also where no camera sees it
} ct_animation_data;

// The template data of a debug name.
typedef struct ct_debug_name_data {
    char name[CT_DEBUG_NAME_BYTES];
} ct_debug_name_data;

// The source of a data component. In blobs an instance is a ct_data_buffer.
typedef struct ct_data_source {
    ct_sjson_value values;
} ct_data_source;

// The source of a tag component. In blobs an instance is a ct_tag_data (tag_data.h).
typedef struct ct_tag_source {
    ct_sjson_value tags; // array of strings
} ct_tag_source;

typedef struct ct_script_component_data {
    ct_string_id64 script; // resource of type lua
} ct_script_component_data;

typedef struct ct_flow_component_data {
    ct_string_id64 graph; // resource of type flow
} ct_flow_component_data;

// A component type of templates. Its instance data are structs of a schema, or of varying size:
// then the compiler makes the bytes of each instance, and `check_instance` validates them.
typedef struct ct_component_type {
    const char *name;        // "transform"
    ct_string_id32 id;       // of the name; stored in blobs
    const ct_schema *schema; // of a component in sources
    // Of the instance data: `schema`, or for scene graphs a node's; NULL: of varying size.
    const ct_schema *instance_schema;
    // Checks the bytes of an instance from a blob, aligned to 8, so that they are safe to read. The
    // size is a multiple of 8, with zeroes at the end where the instance needs less. Returns false
    // with `error`, which may be NULL. NULL for types that have an instance schema.
    bool (*check_instance)(const void *bytes, uint32_t size_bytes, ct_error *error);
    bool may_repeat;   // an entity may have several, identified by their ids
    bool has_own_data; // each instance has data of its own: equal ones are not shared in blobs
} ct_component_type;

// The schemas of components in sources, for fields that are arrays of components; NULL-terminated.
extern const ct_schema *ct_component_schemas[];

// Returns all component types in spawn order; sets `count`.
const ct_component_type *ct_component_types(uint32_t *count);

// Returns the type of this name, or NULL.
const ct_component_type *ct_component_type_named(const char *name);

// Registers a component type of a game or plugin for templates, after the existing types. Its data
// are structs of `schema`, whose fields must fit in blobs and whose identity is an id, a type and
// `removed`. The schema is borrowed until it is unregistered. `may_repeat` is as in
// ct_component_type. Call it before units and levels are loaded, so that their data of this type is
// checked, and while nothing loads or compiles. Returns false with `error` when its name is taken
// or there are CT_MAX_COMPONENT_TYPES.
bool ct_component_type_register(const ct_schema *schema, bool may_repeat, ct_error *error);

// Unregisters a type. Ignores one that is not registered.
void ct_component_type_unregister(const ct_schema *schema);

// Returns whether a type was registered this way. In templates such types come after the others, in
// any order.
bool ct_component_type_is_registered(const ct_component_type *type);
