// worker_mesh_pack.h: the format of a mesh's vertices, and their bytes in the blob.
//
// Positions go on a grid of 65,535 places along the longest side of the mesh's box, texture
// coordinates on one of 65,536 along each of theirs. A step is a power of two, and the grid's
// origin is a whole number of steps where a float can hold that, so points that a modeller puts at
// such places are exact. Directions get 10 bits a number, colours 8.
#pragma once
#include "compiler/types/mesh/worker_mesh.h"
#include "resource/blob/blob_writer.h"

// Sets the mesh's format and grid, and moves positions to where the blob will have them. Chooses
// the full format without `quantize` and where 16 bits cannot hold the positions; the format with
// wide coordinates where coordinates would be off by more than a quarter of a pixel of a texture of
// 4096.
void ct_worker_mesh_choose_format(ct_worker_mesh_data *m, bool quantize);

// Appends vertices, and extras if there are any, and sets the arrays of both in `blob`.
void ct_worker_mesh_write_vertices(const ct_worker_mesh_data *m, ct_blob_writer *w,
                                   ct_mesh_resource *blob);
