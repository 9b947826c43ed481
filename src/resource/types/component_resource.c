#include "resource/types/component_resource.h"

#include <string.h>

#include "foundation/error.h"
#include "resource/blob/data_buffer.h"
#include "resource/types/component/actor_data.h"
#include "resource/types/component/navigation_agent_data.h"
#include "resource/types/component/particles_data.h"
#include "resource/types/component/render_data.h"
#include "resource/types/component/sound_listener_data.h"
#include "resource/types/component/sound_source_data.h"
#include "resource/types/component/tag_data.h"

// Offset and size of a member, for the tables below.
#define AT(type, member) .offset = offsetof(type, member), .size_bytes = sizeof(((type *)0)->member)

static const ct_field transform_fields[] = {
    {.name = "position",
     .type = CT_FIELD_TYPE_VECTOR3,
     AT(ct_transform_data, position),
     .doc = "Position in the parent's space.",
     .unit = "m",
     .least = -1e7,
     .most = 1e7},
    {.name = "rotation",
     .type = CT_FIELD_TYPE_QUATERNION,
     AT(ct_transform_data, rotation),
     .doc = "Rotation in the parent's space, as x y z w.",
     .default_value = {0, 0, 0, 1},
     .degrees_name = "rotation_degrees"},
    {.name = "scale",
     .type = CT_FIELD_TYPE_VECTOR3,
     AT(ct_transform_data, scale),
     .doc = "Scale along the entity's own axes. A negative scale mirrors; 0 flattens.",
     .least = -1e6,
     .most = 1e6,
     .default_value = {1, 1, 1}},
};

static const ct_schema transform_schema = {
    .name = "transform",
    .doc = "A pose relative to the parent.",
    .size_bytes = sizeof(ct_transform_data),
    .num_fields = CT_COUNT_OF(transform_fields),
    .fields = transform_fields,
    .identity = CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED,
};

static const ct_field node_fields[] = {
    {.name = "name",
     .type = CT_FIELD_TYPE_NAME,
     AT(ct_scene_graph_node_data, name),
     .doc = "Unique name of the node in its graph, for Unit.node and for components."},
    {.name = "parent",
     .type = CT_FIELD_TYPE_NAME,
     AT(ct_scene_graph_node_data, parent_name),
     .doc = "Name of the parent node. \"\": the entity."},
    {.name = "parent",
     .type = CT_FIELD_TYPE_INDEX,
     AT(ct_scene_graph_node_data, parent),
     .doc = "Number of the parent node."},
    {.name = "position",
     .type = CT_FIELD_TYPE_VECTOR3,
     AT(ct_scene_graph_node_data, position),
     .doc = "Position in the parent's space.",
     .unit = "m",
     .least = -1e7,
     .most = 1e7},
    {.name = "rotation",
     .type = CT_FIELD_TYPE_QUATERNION,
     AT(ct_scene_graph_node_data, rotation),
     .doc = "Rotation in the parent's space, as x y z w.",
     .default_value = {0, 0, 0, 1},
     .degrees_name = "rotation_degrees"},
    {.name = "scale",
     .type = CT_FIELD_TYPE_VECTOR3,
     AT(ct_scene_graph_node_data, scale),
     .doc = "Scale along the node's own axes. A negative scale mirrors; 0 flattens.",
     .least = -1e6,
     .most = 1e6,
     .default_value = {1, 1, 1}},
};

static const ct_schema node_schema = {
    .name = "node",
    .doc = "A pose in a scene graph.",
    .size_bytes = sizeof(ct_scene_graph_node_data),
    .num_fields = CT_COUNT_OF(node_fields),
    .fields = node_fields,
    .identity = CT_SCHEMA_ID | CT_SCHEMA_REMOVED,
};

static const ct_field scene_graph_fields[] = {
    {.name = "nodes",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(ct_scene_graph_source, nodes),
     .flags = CT_FIELD_SET,
     .doc = "The nodes: { id name parent position rotation scale }.",
     .schema = &node_schema},
};

static const ct_schema scene_graph_schema = {
    .name = "scene_graph",
    .doc = "Named poses whose parents are other nodes or the entity.",
    .size_bytes = sizeof(ct_scene_graph_source),
    .num_fields = CT_COUNT_OF(scene_graph_fields),
    .fields = scene_graph_fields,
    .identity = CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED,
};

static const ct_field mesh_fields[] = {
    {.name = "mesh",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(ct_mesh_data, mesh),
     .flags = CT_FIELD_REQUIRED,
     .doc = "The mesh to draw.",
     .reference_type = "mesh"},
    {.name = "materials",
     .type = CT_FIELD_TYPE_REFERENCES,
     AT(ct_mesh_data, materials),
     .doc = "Materials of the mesh's parts, in order. \"\": no material.",
     .reference_type = "material"},
    {.name = "is_visible",
     .type = CT_FIELD_TYPE_BOOL,
     AT(ct_mesh_data, is_visible),
     .doc = "Whether the mesh is drawn.",
     .default_value = {1}},
    {.name = "casts_shadows",
     .type = CT_FIELD_TYPE_BOOL,
     AT(ct_mesh_data, casts_shadows),
     .doc = "Whether the mesh casts shadows while it is visible.",
     .default_value = {1}},
    {.name = "node",
     .type = CT_FIELD_TYPE_NAME,
     AT(ct_mesh_data, node),
     .doc = "The scene graph node to draw at. \"\": the entity."},
    {.name = "num_materials",
     .type = CT_FIELD_TYPE_INDEX,
     AT(ct_mesh_data, num_materials),
     .doc = "Number of materials in use."},
};

static const ct_schema mesh_schema = {
    .name = "mesh",
    .doc = "Draws a mesh at the entity's transform, or at a node of its scene graph.",
    .size_bytes = sizeof(ct_mesh_data),
    .num_fields = CT_COUNT_OF(mesh_fields),
    .fields = mesh_fields,
    .identity = CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED,
};

static const char *const projection_names[] = {"perspective", "orthographic", NULL};

static const ct_field camera_fields[] = {
    {.name = "name",
     .type = CT_FIELD_TYPE_NAME,
     AT(ct_camera_data, name),
     .doc = "The camera's name, for Unit.camera.",
     .default_text = "camera"},
    {.name = "projection",
     .type = CT_FIELD_TYPE_ENUM,
     AT(ct_camera_data, projection),
     .doc = "The projection.",
     .enum_names = projection_names},
    {.name = "vertical_fov",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_camera_data, vertical_fov),
     .doc = "Vertical angle of view in perspective projection.",
     .unit = "rad",
     .least = 0.01,
     .most = 3.1,
     .default_value = {1.0471975511965976}},
    {.name = "near_range",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_camera_data, near_range),
     .doc = "Distance of the near plane; must be below far_range.",
     .unit = "m",
     .least = 1e-4,
     .most = 1e7,
     .default_value = {0.1}},
    {.name = "far_range",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_camera_data, far_range),
     .doc = "Distance of the far plane.",
     .unit = "m",
     .least = 1e-4,
     .most = 1e7,
     .default_value = {1000}},
    {.name = "orthographic_height",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_camera_data, orthographic_height),
     .doc = "Height of the view in orthographic projection.",
     .unit = "m",
     .least = 1e-4,
     .most = 1e7,
     .default_value = {10}},
    {.name = "node",
     .type = CT_FIELD_TYPE_NAME,
     AT(ct_camera_data, node),
     .doc = "The scene graph node of the camera. \"\": the entity."},
};

static const ct_schema camera_schema = {
    .name = "camera",
    .doc = "A camera. It looks along the entity's forward axis (y); z is up.",
    .size_bytes = sizeof(ct_camera_data),
    .num_fields = CT_COUNT_OF(camera_fields),
    .fields = camera_fields,
    .identity = CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED,
};

static const char *const light_type_names[] = {"directional", "point", "spot", NULL};

// A component's `type` in a source says that it is a light, so this member is `light_type`.
static const ct_field light_fields[] = {
    {.name = "name",
     .type = CT_FIELD_TYPE_NAME,
     AT(ct_light_data, name),
     .doc = "The light's name, for Unit.light.",
     .default_text = "light"},
    {.name = "light_type",
     .type = CT_FIELD_TYPE_ENUM,
     AT(ct_light_data, type),
     .doc = "directional: shines along the entity's forward axis (y) from infinitely far away. "
            "point: shines in all directions. spot: shines along y in a cone.",
     .enum_names = light_type_names},
    {.name = "color",
     .type = CT_FIELD_TYPE_COLOR,
     AT(ct_light_data, color),
     .doc = "Colour of the light. Multiplied by the intensity.",
     .default_value = {1, 1, 1, 1}},
    {.name = "intensity",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_light_data, intensity),
     .doc = "Directional: lux at the surface, divided by pi. Point and spot: candela.",
     .unit = "cd",
     .least = 0,
     .most = 1e6,
     .default_value = {1}},
    {.name = "falloff_start",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_light_data, falloff_start),
     .doc =
         "Distance at which a point or spot light starts to fade out; must be below falloff_end.",
     .unit = "m",
     .least = 0,
     .most = 1e6},
    {.name = "falloff_end",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_light_data, falloff_end),
     .doc = "Distance at which a point or spot light ends.",
     .unit = "m",
     .least = 1e-3,
     .most = 1e6,
     .default_value = {10}},
    {.name = "spot_angle_start",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_light_data, spot_angle_start),
     .doc = "Angle from a spot light's axis up to which it shines at full intensity.",
     .unit = "rad",
     .least = 0,
     .most = 1.57,
     .default_value = {0.5235987755982988}},
    {.name = "spot_angle_end",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_light_data, spot_angle_end),
     .doc = "Angle from a spot light's axis at which its light ends.",
     .unit = "rad",
     .least = 0,
     .most = 1.57,
     .default_value = {0.7853981633974483}},
    {.name = "is_enabled",
     .type = CT_FIELD_TYPE_BOOL,
     AT(ct_light_data, is_enabled),
     .doc = "Whether the light is on.",
     .default_value = {1}},
    {.name = "casts_shadows",
     .type = CT_FIELD_TYPE_BOOL,
     AT(ct_light_data, casts_shadows),
     .doc = "Whether objects that the light reaches cast shadows. So far only directional lights "
            "cast them.",
     .default_value = {0}},
    {.name = "shadow_depth_bias",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_light_data, shadow_depth_bias),
     .doc = "Distance behind an object at which its shadow begins.",
     .unit = "m",
     .least = 0,
     .most = 100,
     .default_value = {0.02}},
    {.name = "node",
     .type = CT_FIELD_TYPE_NAME,
     AT(ct_light_data, node),
     .doc = "The scene graph node of the light. \"\": the entity."},
};

static const ct_schema light_schema = {
    .name = "light",
    .doc = "A light.",
    .size_bytes = sizeof(ct_light_data),
    .num_fields = CT_COUNT_OF(light_fields),
    .fields = light_fields,
    .identity = CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED,
};

static const ct_field render_data_fields[] = {
    {.name = "values",
     .type = CT_FIELD_TYPE_MAP,
     AT(ct_render_data_source, values),
     .doc =
         "Numbers, or arrays of 2 to 4 numbers, by the names of instanced parameters. null drops "
         "an inherited value.",
     .element_type = CT_FIELD_TYPE_VALUE},
    {.name = "colors",
     .type = CT_FIELD_TYPE_MAP,
     AT(ct_render_data_source, colors),
     .doc = "The same of colours: [r g b] or [r g b a], sRGB.",
     .element_type = CT_FIELD_TYPE_VALUE},
};

static const ct_schema render_data_schema = {
    .name = "render_data",
    .doc = "Values that all meshes of the entity have for instanced parameters of their materials.",
    .size_bytes = sizeof(ct_render_data_source),
    .num_fields = CT_COUNT_OF(render_data_fields),
    .fields = render_data_fields,
    .identity = CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED,
};

// In the order of ct_animation_root_mode.
static const char *const root_mode_names[] = {"ignore", "delta_position", "delta_rotation",
                                              "delta_pose", NULL};

static const ct_field animation_fields[] = {
    {.name = "skeleton",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(ct_animation_data, skeleton),
     .flags = CT_FIELD_REQUIRED,
     .doc = "The skeleton whose joints move. Nodes of the scene graph with the names of joints "
            "follow them.",
     .reference_type = "skeleton"},
    {.name = "state_machine",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(ct_animation_data, state_machine),
     .doc = "The state machine that plays clips. \"\": none; scripts fade to clips.",
     .reference_type = "state_machine"},
    {.name = "root_mode",
     .type = CT_FIELD_TYPE_ENUM,
     AT(ct_animation_data, root_mode),
     .doc = "What the root motion of clips does with the entity: nothing, moves it, turns it, or "
            "both.",
     .enum_names = root_mode_names},
    {.name = "is_always_posed",
     .type = CT_FIELD_TYPE_BOOL,
     AT(ct_animation_data, is_always_posed),
     .doc = "Whether joints move also where no camera sees the entity."},
};

static const ct_schema animation_schema = {
    .name = "animation",
    .doc = "Moves the joints of a skeleton by a state machine or by clips.",
    .size_bytes = sizeof(ct_animation_data),
    .num_fields = CT_COUNT_OF(animation_fields),
    .fields = animation_fields,
    .identity = CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED,
};

static const ct_field debug_name_fields[] = {
    {.name = "name",
     .type = CT_FIELD_TYPE_TEXT,
     AT(ct_debug_name_data, name),
     .doc = "The entity's name in tools and messages.",
     .default_text = ""},
};

static const ct_schema debug_name_schema = {
    .name = "debug_name",
    .doc = "A name of the entity for people to read.",
    .size_bytes = sizeof(ct_debug_name_data),
    .num_fields = CT_COUNT_OF(debug_name_fields),
    .fields = debug_name_fields,
    .identity = CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED,
};

static const ct_field data_fields[] = {
    {.name = "values",
     .type = CT_FIELD_TYPE_MAP,
     AT(ct_data_source, values),
     .doc = "Bools, numbers, strings, arrays of numbers, references { resource type }, and objects "
            "of these.",
     .element_type = CT_FIELD_TYPE_VALUE},
};

static const ct_schema data_schema = {
    .name = "data",
    .doc = "Small amounts of data in any structure.",
    .size_bytes = sizeof(ct_data_source),
    .num_fields = CT_COUNT_OF(data_fields),
    .fields = data_fields,
    .identity = CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED,
};

static const ct_field tag_fields[] = {
    {.name = "tags",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(ct_tag_source, tags),
     .flags = CT_FIELD_SET,
     .doc = "Tags of the entity, for TagComponent to find it by. An override replaces the whole "
            "list."},
};

static const ct_schema tag_schema = {
    .name = "tag",
    .doc = "Tags that describe what the entity is.",
    .size_bytes = sizeof(ct_tag_source),
    .num_fields = CT_COUNT_OF(tag_fields),
    .fields = tag_fields,
    .identity = CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED,
};

static const ct_field script_fields[] = {
    {.name = "script",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(ct_script_component_data, script),
     .flags = CT_FIELD_REQUIRED,
     .doc = "The behaviour: a script that returns a table of functions.",
     .reference_type = "lua"},
};

static const ct_schema script_schema = {
    .name = "script",
    .doc = "Calls functions of a script for the entity.",
    .size_bytes = sizeof(ct_script_component_data),
    .num_fields = CT_COUNT_OF(script_fields),
    .fields = script_fields,
    .identity = CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED,
};

static const ct_field flow_fields[] = {
    {.name = "graph",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(ct_flow_component_data, graph),
     .flags = CT_FIELD_REQUIRED,
     .doc = "The flow graph that runs for the unit.",
     .reference_type = "flow"},
};

static const ct_schema flow_schema = {
    .name = "flow",
    .doc = "Runs a flow graph for the unit, or for an entity of it.",
    .size_bytes = sizeof(ct_flow_component_data),
    .num_fields = CT_COUNT_OF(flow_fields),
    .fields = flow_fields,
    .identity = CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED,
};

const ct_schema *ct_component_schemas[CT_MAX_COMPONENT_TYPES + 1] = {
    &transform_schema,
    &scene_graph_schema,
    &mesh_schema,
    &camera_schema,
    &light_schema,
    &render_data_schema,
    &animation_schema,
    &ct_navigation_agent_schema,
    &ct_actor_schema,
    &ct_trigger_schema,
    &ct_mover_schema,
    &ct_particles_data_schema,
    &ct_sound_source_data_schema,
    &ct_sound_listener_data_schema,
    &debug_name_schema,
    &data_schema,
    &tag_schema,
    &script_schema,
    &flow_schema,
    NULL,
};

// Registered types come after these.
static ct_component_type types[CT_MAX_COMPONENT_TYPES] = {
    {"transform", {0xb4363995}, &transform_schema, &transform_schema, NULL, false, true},
    {"scene_graph", {0x2090b5fd}, &scene_graph_schema, &node_schema, NULL, false, true},
    {"mesh", {0x742fbc9a}, &mesh_schema, &mesh_schema, NULL, true, false},
    {"camera", {0x5005ac7a}, &camera_schema, &camera_schema, NULL, true, false},
    {"light", {0x4cf76c7b}, &light_schema, &light_schema, NULL, true, false},
    {"render_data", {0xfa7f71a7}, &render_data_schema, NULL, ct_render_data_check, true, false},
    {"animation", {0xb02feda6}, &animation_schema, &animation_schema, NULL, false, false},
    {"navigation_agent",
     {0xe5d2ff95},
     &ct_navigation_agent_schema,
     &ct_navigation_agent_schema,
     NULL,
     false,
     false},
    {"actor", {0x13958a55}, &ct_actor_schema, NULL, ct_actor_check, true, false},
    {"trigger", {0xead0b378}, &ct_trigger_schema, NULL, ct_trigger_check, true, false},
    {"mover", {0xc1b91aaf}, &ct_mover_schema, &ct_mover_schema, NULL, true, false},
    {"particles", {0x7fc01eed}, &ct_particles_data_schema, NULL, ct_particles_check, true, false},
    {"sound_source",
     {0xe9f1ea33},
     &ct_sound_source_data_schema,
     NULL,
     ct_sound_source_check,
     true,
     false},
    {"sound_listener",
     {0x134b1139},
     &ct_sound_listener_data_schema,
     &ct_sound_listener_data_schema,
     NULL,
     true,
     false},
    {"debug_name", {0xf151a714}, &debug_name_schema, &debug_name_schema, NULL, false, false},
    {"data", {0x92abc73b}, &data_schema, NULL, ct_data_buffer_check, true, false},
    {"tag", {0xde019dbf}, &tag_schema, NULL, ct_tag_data_check, false, false},
    {"script", {0x2cf63026}, &script_schema, &script_schema, NULL, true, false},
    {"flow", {0x58837609}, &flow_schema, &flow_schema, NULL, false, false},
};

static uint32_t num_registered;

const ct_component_type *ct_component_types(uint32_t *count) {
    for (*count = 0; *count < CT_MAX_COMPONENT_TYPES && types[*count].name;)
        ++*count;
    return types;
}

const ct_component_type *ct_component_type_named(const char *name) {
    for (uint32_t i = 0; i < CT_MAX_COMPONENT_TYPES && types[i].name; ++i) {
        if (strcmp(types[i].name, name) == 0)
            return &types[i];
    }
    return NULL;
}

// --- Of games and plugins ------------------------------------------------------------------------

bool ct_component_type_register(const ct_schema *schema, bool may_repeat, ct_error *error) {
    uint32_t count;
    ct_component_types(&count);
    if (ct_component_type_named(schema->name))
        return ct_error_set(error, "the component type \"%s\" exists already; choose another name",
                            schema->name);
    if (count == CT_MAX_COMPONENT_TYPES)
        return ct_error_set(error,
                            "cannot register the component type \"%s\": there are already %u, the "
                            "most that are supported",
                            schema->name, (uint32_t)CT_MAX_COMPONENT_TYPES);
    types[count] = (ct_component_type){.name = schema->name,
                                       .id = ct_string_id32_of(schema->name),
                                       .schema = schema,
                                       .instance_schema = schema,
                                       .may_repeat = may_repeat};
    ct_component_schemas[count] = schema;
    ++num_registered;
    return true;
}

void ct_component_type_unregister(const ct_schema *schema) {
    uint32_t count;
    ct_component_types(&count);
    for (uint32_t i = count - num_registered; i < count; ++i) {
        if (types[i].schema != schema)
            continue;
        for (uint32_t k = i + 1; k < count; ++k) {
            types[k - 1] = types[k];
            ct_component_schemas[k - 1] = ct_component_schemas[k];
        }
        types[count - 1] = (ct_component_type){0};
        ct_component_schemas[count - 1] = NULL;
        --num_registered;
        return;
    }
}

bool ct_component_type_is_registered(const ct_component_type *type) {
    uint32_t count;
    ct_component_types(&count);
    return (uint32_t)(type - types) >= count - num_registered;
}
