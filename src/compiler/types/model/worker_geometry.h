// worker_geometry.h: makes the normals and tangents that a model file may leave out. Arrays of
// triangle corners in, an indexed mesh out.
#pragma once
#include "foundation/container/array.h"
#include "resource/types/mesh_resource.h"

// All streams of a vertex, as one for joining.
typedef struct ct_worker_vertex {
    ct_mesh_vertex base;
    ct_mesh_vertex_extra extra; // white and zeroes where the file has none
    uint32_t influences;        // position in the sets of worker_skinning.h; 0: none
} ct_worker_vertex;

typedef CT_ARRAY(ct_worker_vertex) ct_worker_vertex_array;

// True when three corners lie exactly on a line; thin triangles are not mistaken for those.
bool ct_worker_has_no_area(const float a[3], const float b[3], const float c[3]);

// Gives each of `num_corners` (a multiple of 3) corners the normal of its triangle: all of them, or
// with `only_missing` those whose normal is zero. Triangles without area get +Z.
void ct_worker_flat_normals(ct_worker_vertex *corners, uint32_t num_corners, bool only_missing);

// Joins equal corners: appends the distinct ones to `vertices` and an index for each corner to
// `indices`.
void ct_worker_join_corners(ct_allocator *a, const ct_worker_vertex *corners, uint32_t num_corners,
                            ct_worker_vertex_array *vertices, ct_u32_array *indices);

// As ct_worker_join_corners for corners without tangents, which are made from the texture
// coordinates: the mean over the triangles that share a vertex and have the same handedness
// (Lengyel 2001), at a right angle to the normal. Vertices without usable coordinates get any
// direction at a right angle.
void ct_worker_join_with_tangents(ct_allocator *a, ct_worker_vertex *corners, uint32_t num_corners,
                                  ct_worker_vertex_array *vertices, ct_u32_array *indices);
