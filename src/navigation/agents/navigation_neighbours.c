// The grid and its searches.
#include "navigation/agents/navigation_neighbours.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math.h"

void ct_navigation_neighbours_init(ct_navigation_neighbours *n, ct_allocator *a) {
    memset(n, 0, sizeof(*n));
    ct_array_init(&n->bodies, a);
    ct_array_init(&n->discs, a);
    ct_array_init(&n->starts, a);
    ct_array_init(&n->cells, a);
    ct_array_init(&n->places, a);
}

void ct_navigation_neighbours_free(ct_navigation_neighbours *n) {
    ct_array_free(&n->bodies);
    ct_array_free(&n->discs);
    ct_array_free(&n->starts);
    ct_array_free(&n->cells);
    ct_array_free(&n->places);
}

static int32_t cell_of(const ct_navigation_neighbours *n, float metres) {
    const float cell = floorf(metres / n->cell_metres);
    return (int32_t)fminf(fmaxf(cell, -1e9f), 1e9f);
}

static uint32_t place_of(const ct_navigation_neighbours *n, int32_t x, int32_t y) {
    return ((uint32_t)y & n->row_mask) * (n->column_mask + 1) + ((uint32_t)x & n->column_mask);
}

// Twice as many columns as rows at most, so that runs are long.
static void choose_size(ct_navigation_neighbours *n, uint32_t count) {
    uint32_t columns = 8, rows = 8;
    while (columns * rows < count * 2) {
        if (columns == rows)
            columns *= 2;
        else
            rows *= 2;
    }
    n->column_mask = columns - 1;
    n->row_mask = rows - 1;
}

void ct_navigation_neighbours_build(ct_navigation_neighbours *n, const ct_navigation_body *bodies,
                                    uint32_t count, float cell_metres) {
    n->cell_metres = cell_metres;
    n->largest_radius = 0;
    for (uint32_t i = 0; i < count; ++i)
        n->largest_radius = fmaxf(n->largest_radius, bodies[i].radius);
    choose_size(n, count);
    const uint32_t num_cells = (n->column_mask + 1) * (n->row_mask + 1);
    ct_array_resize(&n->bodies, count);
    ct_array_resize(&n->discs, count);
    ct_array_resize(&n->cells, count);
    ct_array_resize(&n->places, count);
    ct_array_resize(&n->starts, num_cells + 1);
    memset(n->starts.items, 0, sizeof(uint32_t) * (num_cells + 1));
    for (uint32_t i = 0; i < count; ++i) {
        const ct_vec3 p = bodies[i].position;
        n->cells.items[i] = place_of(n, cell_of(n, p.x), cell_of(n, p.y));
        ++n->starts.items[n->cells.items[i] + 1];
    }
    for (uint32_t i = 0; i < num_cells; ++i)
        n->starts.items[i + 1] += n->starts.items[i];
    // Each start moves to its end, which is the start of the next.
    for (uint32_t i = 0; i < count; ++i) {
        n->places.items[i] = n->starts.items[n->cells.items[i]]++;
        const ct_navigation_body *const b = &bodies[i];
        n->bodies.items[n->places.items[i]] = *b;
        n->discs.items[n->places.items[i]] = ct_vec3_make(b->position.x, b->position.y, b->radius);
    }
    memmove(n->starts.items + 1, n->starts.items, sizeof(uint32_t) * num_cells);
    n->starts.items[0] = 0;
}

// The nearest so far, nearest first.
typedef struct nearest {
    const ct_navigation_body *self, **others;
    float distances[CT_NAVIGATION_MAX_AVOIDED];
    uint32_t count, groups;
    float range;
} nearest;

static void look_at(nearest *f, const ct_navigation_body *other, float distance) {
    const ct_navigation_body *const self = f->self;
    if (other->index == self->index || !(other->groups & f->groups) ||
        other->position.z >= self->position.z + self->height ||
        self->position.z >= other->position.z + other->height)
        return;
    uint32_t i = f->count;
    if (i == CT_NAVIGATION_MAX_AVOIDED) {
        if (distance >= f->distances[i - 1])
            return;
        --i;
    } else {
        ++f->count;
    }
    for (; i > 0 && f->distances[i - 1] > distance; --i) {
        f->distances[i] = f->distances[i - 1];
        f->others[i] = f->others[i - 1];
    }
    f->distances[i] = distance;
    f->others[i] = other;
    if (f->count == CT_NAVIGATION_MAX_AVOIDED)
        f->range = f->distances[CT_NAVIGATION_MAX_AVOIDED - 1];
}

static void look_at_run(nearest *f, const ct_navigation_neighbours *n, uint32_t first,
                        uint32_t last) {
    const ct_vec3 at = f->self->position;
    for (uint32_t i = n->starts.items[first]; i < n->starts.items[last + 1]; ++i) {
        const ct_vec3 disc = n->discs.items[i];
        const float x = disc.x - at.x, y = disc.y - at.y;
        const float reach = f->range + disc.z;
        const float squared = x * x + y * y;
        if (squared < reach * reach && reach > 0)
            look_at(f, &n->bodies.items[i], sqrtf(squared) - disc.z);
    }
}

uint32_t ct_navigation_neighbours_find(const ct_navigation_neighbours *n,
                                       const ct_navigation_body *self, float range, uint32_t groups,
                                       const ct_navigation_body **others) {
    nearest f = {.self = self, .others = others, .groups = groups, .range = range};
    const float reach = range + n->largest_radius;
    const int32_t x0 = cell_of(n, self->position.x - reach);
    const int32_t y0 = cell_of(n, self->position.y - reach);
    const uint32_t columns = (uint32_t)(cell_of(n, self->position.x + reach) - x0);
    const uint32_t rows = (uint32_t)(cell_of(n, self->position.y + reach) - y0);
    const uint32_t last_row = rows < n->row_mask ? rows : n->row_mask;
    for (uint32_t row = 0; row <= last_row; ++row) {
        const uint32_t line = place_of(n, 0, y0 + (int32_t)row);
        if (columns >= n->column_mask) {
            look_at_run(&f, n, line, line + n->column_mask);
            continue;
        }
        const uint32_t first = (uint32_t)x0 & n->column_mask;
        const uint32_t last = (first + columns) & n->column_mask;
        if (first <= last) {
            look_at_run(&f, n, line + first, line + last);
        } else {
            look_at_run(&f, n, line + first, line + n->column_mask);
            look_at_run(&f, n, line, line + last);
        }
    }
    return f.count;
}
