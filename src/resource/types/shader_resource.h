// shader_resource.h: the blob of a shader: SPIR-V and fixed state for every combination of its
// options, and the layout of its material block and textures, found by reflection. A shader draws,
// with a vertex and a fragment stage, or computes, with one stage.
//
// Descriptor sets are fixed: set 0 is the frame and view (bindings in core/shaders/include), set 1
// the material (binding 0 the generated uniform block, then the generated samplers from binding 1
// in source order), set 2 the inputs of a fullscreen pass or compute step at bindings 0 to 7, and
// the outputs of a compute step from binding 8.
#pragma once
#include "resource/types/texture_resource.h"

enum {
    CT_SHADER_VERSION = 9,
    CT_SHADER_MAX_OPTIONS = 10, // bits of a variant
    // Specialisation constants of a stage: 0 is whether there are shadow maps; 1 the number of
    // influences of a vertex, in vertex stages for meshes; 2 whether velocity is written, in stages
    // for meshes; 3 what surfaces show in place of their light (0: their light); 4 whether the sky
    // map has the sky; the options follow, in order.
    CT_SHADER_INFLUENCES_CONSTANT = 1,
    CT_SHADER_VELOCITY_CONSTANT = 2,
    CT_SHADER_SURFACE_VIEW_CONSTANT = 3,
    CT_SHADER_SKY_MAP_CONSTANT = 4,
    CT_SHADER_FIRST_OPTION_CONSTANT = 5,
    // Where members of `view` are (core/shaders/include/frame.glsl), in bytes.
    CT_SHADER_VIEW_CAMERA_POSE_OFFSET = 272,
    CT_SHADER_VIEW_CAMERA_POSITION_OFFSET = 336,
    CT_SHADER_VIEW_TIME_OFFSET = 400,
    // Inputs of vertex stages for meshes: the vertex's influences, as words of four joints or
    // weights; the mesh's grid, three vectors from this location on.
    CT_SHADER_INFLUENCES_LOCATION = 12,
    CT_SHADER_GRID_LOCATION = 13,
    CT_SHADER_MAX_OUTPUTS = 4,
    CT_SHADER_MAX_GROUP = 1024, // of threads, in each direction
    CT_SHADER_MAX_TEXTURES = 15,
    CT_SHADER_MAX_INSTANCED = 8, // parameters that objects may set to values of their own
    CT_SHADER_MAX_BLOCK_BYTES = 4096,
    CT_SHADER_MAX_FLOATS = 16, // of a parameter
    // Of the vertex stage: for batches, the matrix from a GUI's space to clip space; for particles,
    // how all of a cloud are drawn.
    CT_SHADER_PUSH_CONSTANT_BYTES = 64,
    // Of compute shaders for particles: what core/shaders/include/particle_steps.glsl declares.
    CT_SHADER_PARTICLE_PUSH_BYTES = 112,
};

typedef enum ct_shader_parameter_type {
    CT_SHADER_PARAMETER_TYPE_NONE,
    CT_SHADER_PARAMETER_TYPE_SCALAR,
    CT_SHADER_PARAMETER_TYPE_VECTOR2,
    CT_SHADER_PARAMETER_TYPE_VECTOR3,
    CT_SHADER_PARAMETER_TYPE_VECTOR4,
    CT_SHADER_PARAMETER_TYPE_COLOR,     // vec4 in the shader
    CT_SHADER_PARAMETER_TYPE_MATRIX4X4, // mat4 in the shader, column by column; never instanced
} ct_shader_parameter_type;

typedef struct ct_shader_parameter {
    ct_string_id32 name;
    uint32_t type;      // ct_shader_parameter_type
    uint32_t offset;    // bytes in the material block
    uint32_t instanced; // position + 1 among the instanced parameters; 0: one value for all
    float default_value[CT_SHADER_MAX_FLOATS];
} ct_shader_parameter;

typedef struct ct_shader_texture {
    ct_string_id32 name;
    uint32_t binding; // in set 1
    uint32_t kind;    // ct_texture_kind
    uint32_t padding;
    ct_string_id64 default_texture;
} ct_shader_texture;

// The side of triangles that is not drawn.
typedef enum ct_shader_cull {
    CT_SHADER_CULL_BACK,
    CT_SHADER_CULL_FRONT,
    CT_SHADER_CULL_NONE,
} ct_shader_cull;

typedef enum ct_shader_blend {
    CT_SHADER_BLEND_OPAQUE,
    CT_SHADER_BLEND_ALPHA,
    CT_SHADER_BLEND_ADD,
    CT_SHADER_BLEND_PREMULTIPLIED, // like alpha, for colours that are already multiplied by it
} ct_shader_blend;

// The primitives that vertices form.
typedef enum ct_shader_topology {
    CT_SHADER_TOPOLOGY_TRIANGLES,
    CT_SHADER_TOPOLOGY_LINES,
} ct_shader_topology;

// The fixed state of a draw.
typedef struct ct_shader_state {
    ct_string_id32 layer; // that draws go to
    uint32_t cull, blend; // ct_shader_cull, ct_shader_blend
    uint32_t depth_test, depth_write;
    uint32_t casts_shadows; // in variants: of opaque meshes that write depth
    uint32_t velocity;      // whether draws write it to their layer's target
} ct_shader_state;

typedef struct ct_shader_variant {
    uint32_t options; // a bit for each option that is on
    ct_shader_state state;
    ct_blob_array vertex; // uint32_t SPIR-V words
    ct_blob_array fragment;
    ct_blob_array shadow_fragment; // of a shadow map's pass; empty: needs only the vertex stage
    ct_blob_array compute;         // in place of the other stages
} ct_shader_variant;

// An output of a compute shader, in the order of bindings.
typedef struct ct_shader_output {
    ct_string_id32 name;
    uint32_t format; // ct_render_format
} ct_shader_output;

// The input of the vertex stage.
typedef enum ct_shader_vertices {
    CT_SHADER_VERTICES_MESH,       // ct_mesh_vertex
    CT_SHADER_VERTICES_FULLSCREEN, // no input: one triangle from gl_VertexIndex
    CT_SHADER_VERTICES_LINE,       // position vec3 at location 0, colour vec4 at location 1
    CT_SHADER_VERTICES_BATCH,      // ct_batch_vertex of render/render_gui.h: position vec3 at 0, uv
                                   // vec2 at 1, colour vec4 at 2, effect vec4 at 3; and the push
                                   // constants of core/shaders/include/gui.glsl
    CT_SHADER_VERTICES_PARTICLE, // ct_particle_instance of render/render_particles.h, this one's and
                                 // the next one's; and the push constants: all in
                                 // core/shaders/include/particle.glsl. A compute shader with it
                                 // simulates particles: core/shaders/particle_simulate
    CT_SHADER_VERTICES_COUNT,
} ct_shader_vertices;

typedef struct ct_shader_resource {
    ct_blob_header header;
    uint32_t topology, vertices; // ct_shader_topology, ct_shader_vertices
    uint32_t is_compute;         // 0 or 1
    uint32_t group_size[3];      // of a compute shader: threads of a group
    uint32_t block_bytes;        // of the material block; 0: no block
    uint32_t writes_velocity;    // 0 or 1: fragment stages have an output for it
    ct_blob_array options;       // ct_string_id32, bit i is options[i]
    ct_blob_array parameters;    // ct_shader_parameter
    ct_blob_array textures;      // ct_shader_texture
    ct_blob_array outputs;       // ct_shader_output; of a compute shader
    ct_blob_array variants;      // ct_shader_variant, sorted by options: all combinations
    ct_blob_array layer_names;   // ct_blob_string: names of the layers of states, for messages
} ct_shader_resource;

// The fields that the schema reads from a source.
typedef struct ct_shader_source {
    ct_shader_state state;
    uint32_t topology, vertices;
    ct_sjson_value
        states; // map: option = { layer cull blend depth_test depth_write casts_shadows velocity }
    ct_sjson_value includes;   // array of media paths of GLSL files, inserted before both stages
    ct_sjson_value options;    // array of names; each defines OPTION_<NAME> in variants
    ct_sjson_value parameters; // map: { type = "color" default = [1 1 1 1] doc = "…" }
    ct_sjson_value textures;   // map: { default = "core/textures/white" doc = "…" }
    const char *vertex;        // GLSL
    const char *fragment;      // GLSL
    const char *compute;       // GLSL, in place of both
    ct_sjson_value vertex_value, fragment_value, compute_value; // the same, to know their lines
    ct_sjson_value outputs; // map: { format = "R32F" doc = "…" }
} ct_shader_source;

// Returns how many numbers a value of a ct_shader_parameter_type has: 1 to CT_SHADER_MAX_FLOATS.
uint32_t ct_shader_parameter_floats(uint32_t type);

// Returns the fixed state of a combination of options.
const ct_shader_state *ct_shader_state_of(const ct_shader_resource *shader, uint32_t options);

extern const ct_schema ct_shader_state_schema; // ct_shader_state: the members that an option may
                                               // change
extern const ct_schema ct_shader_schema;
extern const ct_blob_layout ct_shader_layout, ct_shader_parameter_layout, ct_shader_texture_layout,
    ct_shader_output_layout, ct_shader_variant_layout;

// Validates a blob of this type after its header was checked: every offset is inside the blob, and
// values are in range. Returns false with `error`, which names the invalid member. libc only.
bool ct_shader_validate(const void *blob, ct_error *error);
