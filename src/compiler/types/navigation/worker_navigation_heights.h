// worker_navigation_heights.h: height fields of a level as triangles, a cell at a time.
#pragma once
#include "compiler/types/navigation/worker_navigation.h"

// Columns and rows of cells: from `least` to below `most`.
typedef struct ct_worker_navigation_cells {
    uint32_t least[2], most[2];
} ct_worker_navigation_cells;

// Returns the cells of a piece that may touch a box of the level; no cells of one that is flattened.
ct_worker_navigation_cells ct_worker_navigation_cells_in(const ct_worker_navigation_piece *piece,
                                                         ct_aabb box);

// Fills the triangles of a cell, in the level.
void ct_worker_navigation_cell(const ct_worker_navigation_piece *piece, uint32_t column,
                               uint32_t row, ct_worker_navigation_triangle triangles[2]);
