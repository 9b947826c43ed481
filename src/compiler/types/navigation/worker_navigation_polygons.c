// What Recast made, in our layout.
#include "compiler/types/navigation/worker_navigation_tile.h"
#include "resource/blob/content_hash.h"

#include <math.h>
#include <string.h>

typedef struct taker {
    const ct_worker_navigation_input *input;
    const ct_worker_navigation_snap *snap;
    ct_recast_result *r;
    ct_worker_navigation_tile *tile;
    uint16_t *numbers; // of Recast's polygons in the tile; CT_RECAST_WALL: left out
} taker;

// --- What is left out ----------------------------------------------------------------------------

// Whether two polygons have an edge of each other.
static bool leads_back(const taker *t, uint16_t from, uint16_t to, uint16_t a, uint16_t b) {
    const ct_recast_polygon *const p = &t->r->polygons[to];
    for (uint32_t i = 0; i < p->num_edges; ++i) {
        if (p->leads_to[i] == from && p->vertices[i] == b &&
            p->vertices[(i + 1) % p->num_edges] == a)
            return true;
    }
    return false;
}

static void number_polygons(taker *t) {
    uint16_t count = 0;
    for (uint32_t i = 0; i < t->r->num_polygons; ++i)
        t->numbers[i] =
            ct_worker_navigation_is_convex(t->r, &t->r->polygons[i]) ? count++ : CT_RECAST_WALL;
}

// --- Vertices ------------------------------------------------------------------------------------

// The same for both tiles at a side.
static float place_on_axis(const taker *t, uint32_t axis, uint32_t cell) {
    const ct_worker_navigation *const n = t->input->n;
    const int32_t tile = axis == 0 ? t->input->x : t->input->y;
    if (cell == n->cells)
        return (float)(tile + 1) * n->tile_size;
    return (float)tile * n->tile_size + (float)cell * n->source.cell_size;
}

// Voxels are above the ground by up to their height.
static float ground_at(const taker *t, const float at[3]) {
    const float height = t->input->n->source.cell_height;
    const float guess[3] = {at[0], at[1], at[2] - 0.5f * height};
    return ct_worker_navigation_snap_height(t->snap, guess, guess[2]);
}

static void add_vertices(taker *t) {
    const float step = t->input->n->source.cell_height;
    ct_navigation_tile_resource *const data = &t->tile->data;
    for (uint32_t i = 0; i < t->r->num_vertices; ++i) {
        const uint16_t *const from = t->r->vertices[i];
        ct_worker_navigation_vertex v = {{place_on_axis(t, 0, from[0]),
                                          place_on_axis(t, 1, from[1]),
                                          t->input->base + (float)from[2] * step}};
        v.at[2] = ground_at(t, v.at);
        data->min_z = i == 0 ? v.at[2] : fminf(data->min_z, v.at[2]);
        data->max_z = i == 0 ? v.at[2] : fmaxf(data->max_z, v.at[2]);
        ct_array_push(&t->tile->vertices, v);
    }
}

// Surface vertices of a polygon are at its corners, on its edges or inside, one step too high.
static void add_surface_vertices(taker *t) {
    const float size = t->input->n->tile_size, step = t->input->n->source.cell_height;
    for (uint32_t i = 0; i < t->r->num_surface_vertices; ++i) {
        const float *const from = t->r->surface_vertices[i];
        ct_worker_navigation_vertex v;
        for (uint32_t k = 0; k < 2; ++k)
            v.at[k] = t->input->corner[k] + fmaxf(fminf(from[k], size), 0);
        v.at[2] = t->input->base + from[2] - step;
        v.at[2] = ground_at(t, v.at);
        ct_array_push(&t->tile->surface_vertices, v);
    }
}

// --- Polygons ------------------------------------------------------------------------------------

static uint16_t leads_to(const taker *t, uint32_t polygon, uint32_t edge) {
    const ct_recast_polygon *const p = &t->r->polygons[polygon];
    const uint16_t to = p->leads_to[edge];
    if (to >= CT_RECAST_SIDE)
        return to == CT_RECAST_WALL ? CT_NAVIGATION_EDGE_WALL
                                    : (uint16_t)(CT_NAVIGATION_EDGE_SIDE + (to - CT_RECAST_SIDE));
    if (to >= t->r->num_polygons || to == polygon || t->numbers[to] == CT_RECAST_WALL ||
        !leads_back(t, (uint16_t)polygon, to, p->vertices[edge],
                    p->vertices[(edge + 1) % p->num_edges]))
        return CT_NAVIGATION_EDGE_WALL;
    return t->numbers[to];
}

static void add_polygon(taker *t, uint32_t number) {
    const ct_recast_polygon *const p = &t->r->polygons[number];
    ct_worker_navigation_tile *const tile = t->tile;
    ct_array_push(&tile->polygons,
                  (ct_navigation_polygon){.first_edge = tile->edges.count,
                                          .first_triangle = tile->triangles.count,
                                          .num_triangles = (uint16_t)p->num_triangles,
                                          .num_edges = (uint8_t)p->num_edges,
                                          .area = (uint8_t)(p->area - CT_RECAST_GROUND)});
    for (uint32_t i = 0; i < p->num_edges; ++i)
        ct_array_push(&tile->edges, (ct_navigation_edge){.vertex = p->vertices[i],
                                                         .leads_to = leads_to(t, number, i)});
    for (uint32_t i = 0; i < p->num_triangles; ++i) {
        const uint8_t *const from = t->r->triangles[p->first_triangle + i];
        ct_worker_navigation_corners corners;
        for (uint32_t k = 0; k < 3; ++k)
            corners.at[k] = (uint16_t)(p->first_vertex + from[k]);
        ct_array_push(&tile->triangles, corners);
    }
}

static uint64_t hash_of(const ct_worker_navigation_tile *tile) {
#define HASH(array) ct_content_hash((array).items, (array).count * sizeof(*(array).items))
    const uint64_t parts[5] = {HASH(tile->polygons), HASH(tile->edges), HASH(tile->vertices),
                               HASH(tile->surface_vertices), HASH(tile->triangles)};
#undef HASH
    return ct_content_hash(parts, sizeof(parts));
}

// --- The whole -----------------------------------------------------------------------------------

static bool check_counts(const taker *t) {
    const ct_worker_navigation *const n = t->input->n;
    ct_compile *const c = n->compile;
    const ct_recast_result *const r = t->r;
    return (r->num_polygons <= CT_NAVIGATION_MAX_POLYGONS &&
            r->num_vertices <= CT_NAVIGATION_MAX_VERTICES &&
            r->num_surface_vertices <= CT_NAVIGATION_MAX_VERTICES) ||
           ct_compile_error(c, c->doc, n->source.level_value,
                            "the ground at %g, %g is too detailed for a tile: found %u polygons, "
                            "%u vertices and %u of the surface, expected at most %d, %d and %d; "
                            "lower `tile_size`, or raise `cell_size`",
                            (double)t->input->corner[0], (double)t->input->corner[1],
                            r->num_polygons, r->num_vertices, r->num_surface_vertices,
                            CT_NAVIGATION_MAX_POLYGONS, CT_NAVIGATION_MAX_VERTICES,
                            CT_NAVIGATION_MAX_VERTICES);
}

bool ct_worker_navigation_take(const ct_worker_navigation_input *input,
                               const ct_worker_navigation_snap *snap, ct_recast_result *result,
                               ct_worker_navigation_tile *tile) {
    ct_allocator *const a = input->n->compile->allocator;
    taker t = {.input = input, .snap = snap, .r = result, .tile = tile};
    tile->data =
        (ct_navigation_tile_resource){.x = input->x, .y = input->y, .input_hash = input->hash};
    ct_array_init(&tile->polygons, a);
    ct_array_init(&tile->edges, a);
    ct_array_init(&tile->vertices, a);
    ct_array_init(&tile->surface_vertices, a);
    ct_array_init(&tile->triangles, a);
    if (!check_counts(&t))
        return false;
    t.numbers = CT_NEW_ARRAY(a, uint16_t, result->num_polygons + 1ull);
    number_polygons(&t);
    add_vertices(&t);
    add_surface_vertices(&t);
    for (uint32_t i = 0; i < result->num_polygons; ++i) {
        if (t.numbers[i] != CT_RECAST_WALL)
            add_polygon(&t, i);
    }
    tile->data.hash = hash_of(tile);
    return true;
}
