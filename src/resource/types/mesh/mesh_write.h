// mesh_write.h: the blob of a mesh from vertices that the program made.
//
// What an import makes of a model file, without levels of detail, shapes and skin; vertices are stored
// in full. Tangents follow from the texture coordinates.
#pragma once
#include "resource/blob/blob_writer.h"
#include "resource/types/mesh_resource.h"

enum { CT_MESH_MOST_VERTICES = 1 << 24, CT_MESH_MOST_INDICES = 3 << 24, CT_MESH_MOST_PARTS = 64 };

// A vertex. Mesh space: metres, Z up, Y forward.
typedef struct ct_mesh_own_vertex {
    float position[3];
    float normal[3]; // of any length; 0: that of its triangles, by their areas
    float uv[2];     // origin top left
    float color[4];  // linear, clamped to 0 to 1
} ct_mesh_own_vertex;

// A run of triangles with one material.
typedef struct ct_mesh_own_part {
    uint32_t first_index, num_indices;
    const char *slot; // name of its material; NULL: ""
} ct_mesh_own_part;

typedef struct ct_mesh_own {
    const ct_mesh_own_vertex *vertices;
    uint32_t num_vertices;
    const uint32_t *indices; // triangles, counter-clockwise is front
    uint32_t num_indices;
    const ct_mesh_own_part *parts; // NULL: one of all triangles
    uint32_t num_parts;
} ct_mesh_own;

// Makes the blob in `w`, which it initialises with `a`; free it. Returns false with `error`, which names
// the vertex, index or part, and leaves `w` alone, when a number is not finite or too large, an index is
// not of a vertex, a part is not of whole triangles, or there are no triangles or too many of something.
bool ct_mesh_write(ct_blob_writer *w, ct_allocator *a, const ct_mesh_own *mesh, ct_error *error);
