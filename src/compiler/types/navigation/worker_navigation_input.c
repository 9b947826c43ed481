// What a tile is built from: the triangles around it, in the order of the level.
#include <math.h>
#include <string.h>

#include "compiler/protocol/compiler_types.h"
#include "compiler/types/navigation/worker_navigation_heights.h"
#include "compiler/types/navigation/worker_navigation_tile.h"
#include "foundation/math/math.h"
#include "resource/blob/content_hash.h"

void ct_worker_navigation_input_init(ct_worker_navigation_input *input, ct_worker_navigation *n,
                                     uint32_t class) {
    ct_allocator *const a = n->compile->allocator;
    *input = (ct_worker_navigation_input){
        .n = n, .class = class, .border = ct_worker_navigation_border(n, class)};
    ct_array_init(&input->triangles, a);
    ct_array_init(&input->points, a);
    ct_array_init(&input->is_walkable, a);
    ct_array_init(&input->solids, a);
    ct_array_init(&input->marks, a);
}

// --- Pieces --------------------------------------------------------------------------------------

static void add_if_near(ct_worker_navigation_input *input, const ct_worker_navigation_triangle *t) {
    for (uint32_t k = 0; k < 2; ++k) {
        const float a = t->at[0][k], b = t->at[1][k], c = t->at[2][k];
        if (fmaxf(fmaxf(a, b), c) < input->least[k] || fminf(fminf(a, b), c) > input->most[k])
            return;
    }
    ct_array_push(&input->triangles, *t);
}

static void add_solid(ct_worker_navigation_input *input, const ct_worker_navigation_piece *piece) {
    const ct_aabb *const b = &piece->bounds;
    if (b->max.x < input->least[0] || b->min.x > input->most[0] || b->max.y < input->least[1] ||
        b->min.y > input->most[1])
        return;
    ct_array_push(&input->solids, (ct_recast_solid){input->triangles.count, piece->num_triangles});
    ct_array_push_many(&input->triangles, input->n->triangles.items + piece->first_triangle,
                       piece->num_triangles);
}

static void add_heights(ct_worker_navigation_input *input, const ct_worker_navigation_piece *p) {
    const ct_aabb here = {ct_vec3_make(input->least[0], input->least[1], p->bounds.min.z),
                          ct_vec3_make(input->most[0], input->most[1], p->bounds.max.z)};
    const ct_worker_navigation_cells cells = ct_worker_navigation_cells_in(p, here);
    for (uint32_t row = cells.least[1]; row < cells.most[1]; ++row) {
        for (uint32_t column = cells.least[0]; column < cells.most[0]; ++column) {
            ct_worker_navigation_triangle triangles[2];
            ct_worker_navigation_cell(p, column, row, triangles);
            add_if_near(input, &triangles[0]);
            add_if_near(input, &triangles[1]);
        }
    }
}

// Covers the tile and its border. A plane that is nearly a wall is left out.
static void add_plane(ct_worker_navigation_input *input, const ct_worker_navigation_piece *p) {
    static const uint8_t corners[2][3] = {{0, 1, 3}, {0, 3, 2}};
    const ct_vec3 at = ct_mat4_position(p->pose);
    const ct_vec3 up =
        ct_vec3_normalize(ct_mat4_transform_direction(p->pose, ct_vec3_make(0, 0, 1)));
    if (!(fabsf(up.z) > 0.05f))
        return;
    for (uint32_t i = 0; i < 2; ++i) {
        ct_worker_navigation_triangle t;
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t corner = corners[i][up.z > 0 ? k : 2 - k];
            t.at[k][0] = corner & 1 ? input->most[0] : input->least[0];
            t.at[k][1] = corner & 2 ? input->most[1] : input->least[1];
            t.at[k][2] = at.z - (up.x * (t.at[k][0] - at.x) + up.y * (t.at[k][1] - at.y)) / up.z;
        }
        ct_array_push(&input->triangles, t);
    }
}

static void add_item(ct_worker_navigation_input *input, const ct_worker_navigation_item *item) {
    const ct_worker_navigation_piece *const piece = &input->n->pieces.items[item->piece];
    switch (piece->kind) {
    case CT_WORKER_NAVIGATION_SURFACE:
        add_if_near(input, &input->n->triangles.items[item->triangle]);
        break;
    case CT_WORKER_NAVIGATION_SOLID:
        add_solid(input, piece);
        break;
    case CT_WORKER_NAVIGATION_HEIGHTS:
        add_heights(input, piece);
        break;
    default:
        add_plane(input, piece);
    }
}

// --- Numbers -------------------------------------------------------------------------------------

// Sets the lowest voxels and how many there are above each other: a multiple of the cell height, so
// that tiles beside each other have the same steps.
static void set_heights(ct_worker_navigation_input *input) {
    const float step = input->n->source.cell_height;
    float least = INFINITY, most = -INFINITY;
    for (uint32_t i = 0; i < 3 * input->triangles.count; ++i) {
        const float z = input->triangles.items[i / 3].at[i % 3][2];
        least = fminf(least, z);
        most = fmaxf(most, z);
    }
    const float first = floorf(least / step) - 1;
    input->base = first * step;
    input->levels = (uint32_t)fminf(ceilf(most / step) - first + 2, 1e6f);
}

static bool is_walkable(const ct_worker_navigation_triangle *t, double least_up) {
    double u[3], v[3];
    for (uint32_t k = 0; k < 3; ++k) {
        u[k] = (double)t->at[1][k] - (double)t->at[0][k];
        v[k] = (double)t->at[2][k] - (double)t->at[0][k];
    }
    const double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2],
                 z = u[0] * v[1] - u[1] * v[0];
    return z > 0 && z >= least_up * sqrt(x * x + y * y + z * z);
}

void ct_worker_navigation_set_points(ct_worker_navigation_input *input) {
    const double least_up = cos((double)input->n->classes.items[input->class].source.slope) - 1e-6;
    const double corner[3] = {(double)input->corner[0], (double)input->corner[1],
                              (double)input->base};
    ct_array_resize(&input->points, 9 * input->triangles.count);
    ct_array_resize(&input->is_walkable, input->triangles.count);
    for (uint32_t i = 0; i < input->triangles.count; ++i) {
        const ct_worker_navigation_triangle *const t = &input->triangles.items[i];
        for (uint32_t k = 0; k < 9; ++k)
            input->points.items[9 * i + k] = (float)((double)t->at[k / 3][k % 3] - corner[k % 3]);
        input->is_walkable.items[i] = is_walkable(t, least_up);
    }
}

static void find_marks(ct_worker_navigation_input *input) {
    for (uint32_t i = 0; i < input->n->marks.count; ++i) {
        const ct_worker_navigation_mark *const mark = &input->n->marks.items[i];
        const ct_aabb *const b = &mark->bounds;
        if (mark->is_there && b->max.x >= input->least[0] && b->min.x <= input->most[0] &&
            b->max.y >= input->least[1] && b->min.y <= input->most[1])
            ct_array_push(&input->marks, i);
    }
}

// --- The hash ------------------------------------------------------------------------------------

// Numbers only, without gaps.
typedef struct settings {
    uint32_t version, cells, border;
    int32_t x, y;
    float cell_size, cell_height, tile_size, edge_error, longest_edge, least_area;
    float radius, height, climb, slope;
} settings;

static uint64_t hash_of(const ct_worker_navigation_input *input) {
    const ct_worker_navigation *const n = input->n;
    const ct_navigation_source *const s = &n->source;
    const ct_navigation_class_source *const c = &n->classes.items[input->class].source;
    const settings numbers = {.version = CT_NAVIGATION_COMPILER_VERSION,
                              .cells = n->cells,
                              .border = input->border,
                              .x = input->x,
                              .y = input->y,
                              .cell_size = s->cell_size,
                              .cell_height = s->cell_height,
                              .tile_size = n->tile_size,
                              .edge_error = s->edge_error,
                              .longest_edge = s->longest_edge,
                              .least_area = s->least_area,
                              .radius = c->radius,
                              .height = c->height,
                              .climb = c->climb,
                              .slope = c->slope};
    const uint32_t num_marks = input->marks.count;
    uint64_t *const parts = CT_NEW_ARRAY(n->compile->allocator, uint64_t, num_marks + 3);
    parts[0] = ct_content_hash(&numbers, sizeof(numbers));
    parts[1] = ct_content_hash(input->triangles.items,
                               sizeof(*input->triangles.items) * (uint64_t)input->triangles.count);
    parts[2] = ct_content_hash(input->solids.items,
                               sizeof(*input->solids.items) * (uint64_t)input->solids.count);
    for (uint32_t i = 0; i < num_marks; ++i)
        parts[3 + i] = n->marks.items[input->marks.items[i]].hash;
    const uint64_t hash = ct_content_hash(parts, sizeof(*parts) * (num_marks + 3ull));
    ct_free(n->compile->allocator, parts);
    return hash;
}

// --- The whole -----------------------------------------------------------------------------------

static void place_tile(ct_worker_navigation_input *input, const ct_worker_navigation_place *place) {
    const float size = input->n->tile_size;
    const float reach = (float)input->border * input->n->source.cell_size;
    const int32_t at[2] = {place->x, place->y};
    input->x = place->x;
    input->y = place->y;
    for (uint32_t i = 0; i < 2; ++i) {
        input->corner[i] = (float)at[i] * size;
        input->least[i] = input->corner[i] - reach;
        input->most[i] = input->corner[i] + size + reach;
    }
}

bool ct_worker_navigation_gather(ct_worker_navigation_input *input,
                                 const ct_worker_navigation_place *place) {
    input->triangles.count = 0;
    input->solids.count = 0;
    input->marks.count = 0;
    input->points.count = 0;
    input->is_walkable.count = 0;
    place_tile(input, place);
    for (uint32_t i = 0; i < place->items.count; ++i)
        add_item(input, &place->items.items[i]);
    if (input->triangles.count == 0)
        return false;
    find_marks(input);
    set_heights(input);
    input->hash = hash_of(input);
    return true;
}
