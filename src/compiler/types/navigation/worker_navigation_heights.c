#include "compiler/types/navigation/worker_navigation_heights.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math.h"

// Cells from `least` to below `most` of a grid line of `count` points.
static void cell_range(float from, float to, float spacing, uint32_t count, uint32_t *least,
                       uint32_t *most) {
    const float half = 0.5f * (float)(count - 1), last = (float)(count - 1);
    *least = (uint32_t)fmaxf(fminf(floorf(from / spacing + half) - 1, last), 0);
    *most = (uint32_t)fmaxf(fminf(ceilf(to / spacing + half) + 1, last), 0);
}

ct_worker_navigation_cells ct_worker_navigation_cells_in(const ct_worker_navigation_piece *piece,
                                                         ct_aabb box) {
    ct_worker_navigation_cells cells = {{0, 0}, {0, 0}};
    const ct_mat4 inverse = ct_mat4_inverse(piece->pose);
    const ct_aabb local = ct_aabb_transform(&inverse, box);
    if (!ct_vec3_is_finite(local.min) || !ct_vec3_is_finite(local.max))
        return cells;
    cell_range(local.min.x, local.max.x, piece->spacing[0], piece->columns, &cells.least[0],
               &cells.most[0]);
    cell_range(local.min.y, local.max.y, piece->spacing[1], piece->rows, &cells.least[1],
               &cells.most[1]);
    return cells;
}

static ct_vec3 height_point(const ct_worker_navigation_piece *p, uint32_t column, uint32_t row) {
    const float x = ((float)column - 0.5f * (float)(p->columns - 1)) * p->spacing[0];
    const float y = ((float)row - 0.5f * (float)(p->rows - 1)) * p->spacing[1];
    return ct_mat4_transform_point(
        p->pose, ct_vec3_make(x, y, p->heights[(uint64_t)row * p->columns + column]));
}

void ct_worker_navigation_cell(const ct_worker_navigation_piece *piece, uint32_t column,
                               uint32_t row, ct_worker_navigation_triangle triangles[2]) {
    static const uint8_t corners[2][3] = {{0, 1, 3}, {0, 3, 2}};
    ct_vec3 at[4];
    for (uint32_t i = 0; i < 4; ++i)
        at[i] = height_point(piece, column + i % 2, row + i / 2);
    for (uint32_t i = 0; i < 2; ++i)
        for (uint32_t k = 0; k < 3; ++k)
            memcpy(triangles[i].at[k], &at[corners[i][k]], sizeof(triangles[i].at[k]));
}
