// worker_draco.h: decodes meshes that are compressed with Draco, a C++ library.
#pragma once
#include "foundation/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// A decoded mesh.
typedef struct ct_worker_draco ct_worker_draco;

// Decodes a mesh. Returns NULL when the bytes are damaged or hold none; else the caller frees it.
ct_worker_draco *ct_worker_draco_decode(const char *bytes, uint64_t size_bytes);

// Frees a mesh; NULL is fine.
void ct_worker_draco_free(ct_worker_draco *mesh);

// Return how many vertices and triangles a mesh has.
uint32_t ct_worker_draco_num_vertices(const ct_worker_draco *mesh);
uint32_t ct_worker_draco_num_triangles(const ct_worker_draco *mesh);

// Writes three indices for each triangle, all below the number of vertices.
void ct_worker_draco_indices(const ct_worker_draco *mesh, uint32_t *out);

// Returns how many components the attribute of this unique id has; 0: there is no such attribute.
uint32_t ct_worker_draco_components(const ct_worker_draco *mesh, uint32_t id);

// Writes the components of an attribute for each vertex; normalized integers become 0 to 1, or -1
// to 1. Returns false when a value cannot be one.
bool ct_worker_draco_floats(const ct_worker_draco *mesh, uint32_t id, float *out);

#ifdef __cplusplus
}
#endif
