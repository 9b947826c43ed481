// The height of the ground where voxels only know it to a step.
#include "compiler/types/navigation/worker_navigation_tile.h"

#include <math.h>

enum { SIDE = 32 }; // of the coarse grid

static uint32_t cell_of(const ct_worker_navigation_input *input, float at, uint32_t axis) {
    const float size = input->most[axis] - input->least[axis];
    const float cell = floorf((at - input->least[axis]) / size * SIDE);
    return (uint32_t)fmaxf(fminf(cell, SIDE - 1), 0);
}

// Calls for each cell that a triangle may touch: counts, or notes the triangle.
static void visit(ct_worker_navigation_snap *snap, uint32_t triangle, bool notes) {
    const ct_worker_navigation_triangle *const t = &snap->input->triangles.items[triangle];
    uint32_t least[2], most[2];
    for (uint32_t k = 0; k < 2; ++k) {
        const float a = t->at[0][k], b = t->at[1][k], c = t->at[2][k];
        least[k] = cell_of(snap->input, fminf(fminf(a, b), c), k);
        most[k] = cell_of(snap->input, fmaxf(fmaxf(a, b), c), k);
    }
    for (uint32_t y = least[1]; y <= most[1]; ++y) {
        for (uint32_t x = least[0]; x <= most[0]; ++x) {
            uint32_t *const first = &snap->firsts.items[y * SIDE + x];
            if (notes)
                snap->triangles.items[--*first] = triangle;
            else
                ++*first;
        }
    }
}

void ct_worker_navigation_snap_init(ct_worker_navigation_snap *snap,
                                    const ct_worker_navigation_input *input) {
    const ct_navigation_source *const s = &input->n->source;
    const float slope = input->n->classes.items[input->class].source.slope;
    snap->input = input;
    snap->reach = 2 * s->cell_height + s->cell_size * tanf(fminf(slope, 1.2f));
    snap->firsts.count = 0;
    ct_array_resize(&snap->firsts, SIDE * SIDE + 1);
    for (uint32_t i = 0; i < input->triangles.count; ++i) {
        if (input->is_walkable.items[i])
            visit(snap, i, false);
    }
    for (uint32_t i = 1; i <= SIDE * SIDE; ++i)
        snap->firsts.items[i] += snap->firsts.items[i - 1];
    ct_array_resize(&snap->triangles, snap->firsts.items[SIDE * SIDE]);
    for (uint32_t i = input->triangles.count; i-- > 0;) {
        if (input->is_walkable.items[i])
            visit(snap, i, true);
    }
}

// Sets the height of a triangle at a point of the map. False when the point is beside it.
static bool height_at(const ct_worker_navigation_triangle *t, const float at[2], float *height) {
    const double slack = 1e-4; // metres
    double weights[3], sum = 0;
    for (uint32_t k = 0; k < 3; ++k) {
        const float *const a = t->at[(k + 1) % 3], *const b = t->at[(k + 2) % 3];
        const double ux = (double)b[0] - (double)a[0], uy = (double)b[1] - (double)a[1];
        weights[k] = ux * ((double)at[1] - (double)a[1]) - uy * ((double)at[0] - (double)a[0]);
        if (weights[k] < -slack * sqrt(ux * ux + uy * uy))
            return false;
        sum += weights[k];
    }
    if (!(sum > 0))
        return false;
    *height = (float)((weights[0] * (double)t->at[0][2] + weights[1] * (double)t->at[1][2] +
                       weights[2] * (double)t->at[2][2]) /
                      sum);
    return true;
}

float ct_worker_navigation_snap_height(const ct_worker_navigation_snap *snap, const float at[3],
                                       float otherwise) {
    const uint32_t cell = cell_of(snap->input, at[1], 1) * SIDE + cell_of(snap->input, at[0], 0);
    float best = otherwise, nearest = snap->reach;
    for (uint32_t i = snap->firsts.items[cell]; i < snap->firsts.items[cell + 1]; ++i) {
        float height;
        if (!height_at(&snap->input->triangles.items[snap->triangles.items[i]], at, &height) ||
            fabsf(height - at[2]) >= nearest)
            continue;
        nearest = fabsf(height - at[2]);
        best = height;
    }
    return best;
}
