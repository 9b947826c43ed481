// shader_resource.h: the blob of a shader: SPIR-V for every combination of its options, and the
// layout of its material block and textures, found by reflection.
//
// Descriptor sets are fixed: set 0 is the frame and view (bindings in core/shaders/include),
// set 1 the material (binding 0 the generated uniform block, then the generated samplers from
// binding 1 in source order), set 2 the inputs of a fullscreen pass.
#pragma once
#include "resource/resource_types.h"

enum {
    CT_SHADER_VERSION = 1,
    CT_SHADER_MAX_OPTIONS = 6, // bits of a variant
    CT_SHADER_MAX_TEXTURES = 15,
    CT_SHADER_MAX_BLOCK_BYTES = 4096,
};

typedef enum ct_shader_parameter_type {
    CT_SHADER_PARAMETER_TYPE_NONE,
    CT_SHADER_PARAMETER_TYPE_SCALAR,
    CT_SHADER_PARAMETER_TYPE_VECTOR2,
    CT_SHADER_PARAMETER_TYPE_VECTOR3,
    CT_SHADER_PARAMETER_TYPE_VECTOR4,
    CT_SHADER_PARAMETER_TYPE_COLOR, // vec4 in the shader
} ct_shader_parameter_type;

typedef struct ct_shader_parameter {
    ct_string_id32 name;
    uint32_t type;   // ct_shader_parameter_type
    uint32_t offset; // bytes in the material block
    uint32_t padding;
    float default_value[4];
} ct_shader_parameter;

typedef struct ct_shader_texture {
    ct_string_id32 name;
    uint32_t binding; // in set 1
    ct_string_id64 default_texture;
} ct_shader_texture;

typedef struct ct_shader_variant {
    uint32_t options; // a bit for each option that is on
    uint32_t padding;
    ct_blob_array vertex; // uint32_t SPIR-V words
    ct_blob_array fragment;
} ct_shader_variant;

typedef enum ct_shader_cull {
    CT_SHADER_CULL_BACK,
    CT_SHADER_CULL_FRONT,
    CT_SHADER_CULL_NONE,
} ct_shader_cull;

typedef enum ct_shader_blend {
    CT_SHADER_BLEND_OPAQUE,
    CT_SHADER_BLEND_ALPHA,
    CT_SHADER_BLEND_ADD,
} ct_shader_blend;

typedef enum ct_shader_topology {
    CT_SHADER_TOPOLOGY_TRIANGLES,
    CT_SHADER_TOPOLOGY_LINES,
} ct_shader_topology;

// What the vertex stage is fed with.
typedef enum ct_shader_vertices {
    CT_SHADER_VERTICES_MESH,       // ct_mesh_vertex
    CT_SHADER_VERTICES_FULLSCREEN, // nothing: one triangle from gl_VertexIndex
    CT_SHADER_VERTICES_LINE,       // position vec3 at location 0, colour vec4 at location 1
} ct_shader_vertices;

typedef struct ct_shader_resource {
    ct_blob_header header;
    ct_string_id32 layer; // in which draws with this shader appear
    uint32_t cull, blend, topology, vertices;
    uint32_t depth_test, depth_write;
    uint32_t block_bytes;     // of the material block; 0: none
    ct_blob_array options;    // ct_string_id32, bit i is options[i]
    ct_blob_array parameters; // ct_shader_parameter
    ct_blob_array textures;   // ct_shader_texture
    ct_blob_array variants;   // ct_shader_variant, sorted by options: all combinations
} ct_shader_resource;

// What the schema reads from a source.
typedef struct ct_shader_source {
    ct_string_id32 layer;
    uint32_t cull, blend, topology, vertices;
    uint32_t depth_test, depth_write;
    ct_sjson_value includes;   // array of media paths of GLSL files put before both stages
    ct_sjson_value options;    // array of names; each defines OPTION_<NAME> in variants
    ct_sjson_value parameters; // map: { type = "color" default = [1 1 1 1] doc = "…" }
    ct_sjson_value textures;   // map: { default = "core/textures/white" doc = "…" }
    const char *vertex;        // GLSL
    const char *fragment;      // GLSL
    ct_sjson_value vertex_value, fragment_value; // the same, for their lines
} ct_shader_source;

// How many numbers a value of a ct_shader_parameter_type has: 1 to 4.
uint32_t ct_shader_parameter_floats(uint32_t type);

extern const ct_schema ct_shader_schema;
bool ct_shader_validate(const void *blob, ct_error *error);
