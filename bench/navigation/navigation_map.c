// navigation_map.c: files of maps, maps that are made, and meshes of both.
#include "navigation_map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_project.h"
#include "foundation/error.h"
#include "foundation/math/random.h"
#include "foundation/os/file.h"
#include "grid_search.h"
#include "navigation/navigation_fixture.h"

enum {
    TILE_CELLS = 32,
    TOWN_SIZE = 256,
    TOWN_BLOCK = 12,
    TOWN_STREET = 5,
    TOWN_QUERIES = 400,
};

static navigation_map_array maps;

// --- Meshes --------------------------------------------------------------------------------------

static void make_rows(navigation_map *m) {
    m->rows = CT_NEW_ARRAY(ct_bench_heap(), const char *, m->height);
    for (uint32_t y = 0; y < m->height; ++y)
        m->rows[y] = m->cells + (uint64_t)y * m->width;
}

static void make_mesh(navigation_map *m) {
    m->resource =
        navigation_fixture_make(&(navigation_fixture_desc){.rows = m->rows,
                                                           .width = m->width,
                                                           .height = m->height,
                                                           .tile_cells = TILE_CELLS,
                                                           .most_edges = PEER_DETOUR_MOST_EDGES});
}

void navigation_map_free(navigation_map *m) {
    ct_free(ct_bench_heap(), m->cells);
    ct_free(ct_bench_heap(), (void *)m->rows);
    ct_array_free(&m->queries);
    free(m->resource);
    *m = (navigation_map){.width = 0};
}

// --- Detour --------------------------------------------------------------------------------------

static peer_detour_polygon polygon_of(const ct_navigation_polygon *p,
                                      const ct_navigation_edge *edges) {
    peer_detour_polygon polygon = {.num_edges = p->num_edges};
    for (uint32_t i = 0; i < p->num_edges; ++i) {
        polygon.vertices[i] = edges[p->first_edge + i].vertex;
        polygon.leads_to[i] = edges[p->first_edge + i].leads_to;
    }
    return polygon;
}

static bool add_tile(peer_detour *d, const ct_navigation_resource *r,
                     const ct_navigation_tile_resource *t) {
    static peer_detour_polygon polygons[CT_NAVIGATION_MAX_POLYGONS];
    const ct_navigation_polygon *const from = ct_blob_at(r, t->polygons.offset);
    for (uint32_t i = 0; i < t->polygons.count; ++i)
        polygons[i] = polygon_of(&from[i], ct_blob_at(r, t->edges.offset));
    return peer_detour_add(d, &(peer_detour_tile){.x = t->x,
                                                  .y = t->y,
                                                  .min_z = t->min_z,
                                                  .max_z = t->max_z,
                                                  .vertices = ct_blob_at(r, t->vertices.offset),
                                                  .num_vertices = t->vertices.count,
                                                  .polygons = polygons,
                                                  .num_polygons = t->polygons.count});
}

peer_detour *navigation_map_detour(const navigation_map *m) {
    const ct_navigation_resource *const r = m->resource;
    const ct_navigation_class *const c = ct_blob_at(r, r->classes.offset);
    const ct_navigation_tile_resource *const tiles = ct_blob_at(r, c->tiles.offset);
    peer_detour *const d = peer_detour_create(&(peer_detour_desc){.tile_size = r->tile_size,
                                                                  .cell_size = r->cell_size,
                                                                  .cell_height = r->cell_height,
                                                                  .radius = c->radius,
                                                                  .height = c->height,
                                                                  .climb = c->climb,
                                                                  .num_tiles = c->tiles.count});
    for (uint32_t i = 0; d && i < c->tiles.count; ++i)
        if (!add_tile(d, r, &tiles[i]))
            ct_bench_fail(m->name, "Detour refuses a tile");
    if (!d)
        ct_bench_fail(m->name, "Detour refuses the mesh");
    return d;
}

// --- A town --------------------------------------------------------------------------------------

static void fill(navigation_map *m, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                 char c) {
    for (uint32_t row = y; row < y + height && row < m->height; ++row)
        for (uint32_t column = x; column < x + width && column < m->width; ++column)
            m->cells[(uint64_t)row * m->width + column] = c;
}

// A house, whole or around a yard with a door of two cells to each of two sides.
static void add_house(navigation_map *m, uint32_t x, uint32_t y, uint32_t block,
                      ct_random *random) {
    const uint32_t width = block - ct_random_below(random, block / 3),
                   height = block - ct_random_below(random, block / 3);
    fill(m, x, y, width, height, '@');
    if (ct_random_below(random, 3) > 0)
        return;
    fill(m, x + 1, y + 1, width - 2, height - 2, '.');
    fill(m, x + 2 + ct_random_below(random, width - 5), y, 2, 1, '.');
    fill(m, x, y + 2 + ct_random_below(random, height - 5), 1, 2, '.');
}

navigation_map navigation_map_town(uint32_t size, uint32_t block, uint32_t street) {
    ct_allocator *const heap = ct_bench_heap();
    ct_random random = ct_random_seeded(33, 1);
    navigation_map m = {.name = "town", .width = size, .height = size};
    ct_array_init(&m.queries, heap);
    m.cells = CT_NEW_ARRAY(heap, char, (uint64_t)size *size);
    memset(m.cells, '.', (uint64_t)size * size);
    for (uint32_t y = street; y + block < size; y += block + street)
        for (uint32_t x = street; x + block < size; x += block + street)
            add_house(&m, x, y, block, &random);
    make_rows(&m);
    make_mesh(&m);
    return m;
}

static void add_queries(navigation_map *m) {
    ct_random random = ct_random_seeded(33, 2);
    grid_search *const search = grid_search_create(m);
    while (m->queries.count < TOWN_QUERIES) {
        navigation_map_query q = {
            ct_random_below(&random, m->width), ct_random_below(&random, m->height),
            ct_random_below(&random, m->width), ct_random_below(&random, m->height), 0};
        if (!navigation_map_is_ground(m, q.from_x, q.from_y) ||
            !navigation_map_is_ground(m, q.to_x, q.to_y))
            continue;
        q.octile = grid_search_octile(search, &q);
        if (isfinite(q.octile) && q.octile > 0)
            ct_array_push(&m->queries, q);
    }
    grid_search_destroy(search);
}

// --- Files ---------------------------------------------------------------------------------------

static char *read_text(const char *path) {
    ct_error error = {0};
    uint64_t count = 0;
    char *const bytes = ct_file_read(ct_bench_heap(), path, &count, &error);
    if (!bytes)
        ct_bench_fail(path, error.message);
    char *const text = CT_NEW_ARRAY(ct_bench_heap(), char, count + 1);
    memcpy(text, bytes, count);
    ct_free(ct_bench_heap(), bytes);
    return text;
}

// `.` and `G` are ground, and so is `S`, a swamp: the lengths of the scenarios go through it.
static void read_cells(navigation_map *m, const char *path) {
    char *const text = read_text(path);
    int used = 0;
    if (sscanf(text, "type octile height %u width %u map%n", &m->height, &m->width, &used) != 2 ||
        used == 0)
        ct_bench_fail(path, "is no map");
    m->cells = CT_NEW_ARRAY(ct_bench_heap(), char, (uint64_t)m->width * m->height);
    const char *c = text + used;
    for (uint64_t i = 0; i < (uint64_t)m->width * m->height; ++i) {
        while (*c == '\n' || *c == '\r')
            ++c;
        if (!*c)
            ct_bench_fail(path, "has too few rows");
        m->cells[i] = *c == '.' || *c == 'G' || *c == 'S' ? '.' : '@';
        ++c;
    }
    ct_free(ct_bench_heap(), text);
}

static void read_queries(navigation_map *m, const char *path) {
    char *const text = read_text(path);
    for (const char *line = strchr(text, '\n'); line && line[1]; line = strchr(line + 1, '\n')) {
        navigation_map_query q;
        if (sscanf(line, "%*u %*s %*u %*u %u %u %u %u %lf", &q.from_x, &q.from_y, &q.to_x, &q.to_y,
                   &q.octile) != 5)
            continue;
        if (!navigation_map_is_ground(m, q.from_x, q.from_y) ||
            !navigation_map_is_ground(m, q.to_x, q.to_y))
            ++m->num_left_out;
        else if (q.octile > 0)
            ct_array_push(&m->queries, q);
    }
    ct_free(ct_bench_heap(), text);
    if (m->queries.count == 0)
        ct_bench_fail(path, "has no query");
}

static bool visit(void *user, const ct_found_file *file) {
    const char *const folder = user;
    const uint64_t length = strlen(file->path);
    char path[CT_PATH_BYTES], queries[CT_PATH_BYTES];
    if (length < 5 || strcmp(file->path + length - 4, ".map") != 0)
        return true;
    navigation_map m = {.width = 0};
    ct_array_init(&m.queries, ct_bench_heap());
    snprintf(m.name, sizeof(m.name), "%.*s", (int)length - 4, file->path);
    ct_path_join(path, folder, file->path);
    snprintf(queries, sizeof(queries), "%.*s.scen", CT_PATH_BYTES - 6, path);
    read_cells(&m, path);
    read_queries(&m, queries);
    make_rows(&m);
    make_mesh(&m);
    ct_array_push(&maps, m);
    return true;
}

// --- All -----------------------------------------------------------------------------------------

void navigation_maps_begin(const char *folder) {
    ct_error error = {0};
    if (maps.count > 0)
        return;
    ct_array_init(&maps, ct_bench_heap());
    if (!folder) {
        navigation_map m = navigation_map_town(TOWN_SIZE, TOWN_BLOCK, TOWN_STREET);
        add_queries(&m);
        ct_array_push(&maps, m);
        return;
    }
    if (!ct_folder_walk(folder, visit, (void *)(uintptr_t)folder, &error))
        ct_bench_fail(folder, error.message);
    if (maps.count == 0)
        ct_bench_fail(folder, "has no .map");
}

void navigation_maps_end(void) {
    for (uint32_t i = 0; i < maps.count; ++i)
        navigation_map_free(&maps.items[i]);
    ct_array_free(&maps);
}

const navigation_map_array *navigation_maps(void) {
    return &maps;
}
