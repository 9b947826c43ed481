// mesh_resource.h: the blob of a mesh: vertices, indices, parts, bounds.
//
// Every mesh has one interleaved stream of the same format; those with colours or a second set of
// texture coordinates have another beside it. Locations are fixed, so a shader's vertex inputs are
// matched by location alone; without the second stream they read white and zeroes.
#pragma once
#include "resource/resource_types.h"

enum { CT_MESH_VERSION = 2 };

// Shader locations 0 to 3, in this order. Mesh space: metres, Z up, Y forward.
typedef struct ct_mesh_vertex {
    float position[3];
    float normal[3];
    float tangent[4]; // w: the sign of the bitangent
    float uv[2];      // origin top left
} ct_mesh_vertex;

// Shader locations 4 and 5. Linear colour, 65535 is 1; colours of the file beyond 0 to 1 are cut.
typedef struct ct_mesh_vertex_extra {
    uint16_t color[4];
    float uv1[2]; // origin top left
} ct_mesh_vertex_extra;

// A run of triangles with one material; empty when none of them had an area.
typedef struct ct_mesh_part {
    uint32_t first_index, num_indices;
    ct_string_id32 slot; // the material's name in the model file
    uint32_t padding;
} ct_mesh_part;

typedef struct ct_mesh_resource {
    ct_blob_header header;
    float bounds_min[3], bounds_max[3];
    float bounds_radius;  // of the sphere around the centre of the box
    uint32_t index_bytes; // 2 or 4
    uint32_t num_vertices, num_indices;
    ct_blob_array vertices; // ct_mesh_vertex
    ct_blob_array extras;   // ct_mesh_vertex_extra: none, or one for each vertex
    ct_blob_array indices;  // uint16_t or uint32_t, triangles, counter-clockwise is front
    ct_blob_array parts;    // ct_mesh_part, at least one
} ct_mesh_resource;

// Which axis of the model file points up.
typedef enum ct_mesh_up_axis {
    CT_MESH_UP_AXIS_FILE, // what the file, or its format, says
    CT_MESH_UP_AXIS_Y,    // y up, z towards the viewer
    CT_MESH_UP_AXIS_Z,    // z up, y away from the viewer: as the engine has it
} ct_mesh_up_axis;

// What the schema reads from a source.
typedef struct ct_mesh_source {
    const char *source; // media: .gltf, .glb, .fbx, .obj
    const char *node;   // the node's name or path; NULL or "": the whole scene in one mesh
    float scale;
    uint32_t children; // bool: with all nodes below `node`
    uint32_t up_axis;  // ct_mesh_up_axis
} ct_mesh_source;

extern const ct_schema ct_mesh_schema;
bool ct_mesh_validate(const void *blob, ct_error *error);
