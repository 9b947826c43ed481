// navigation_fixture.h: makes blobs of navigation from grids of characters, without Recast, for tests and
// benchmarks.
//
//     const char *const rows[] = {"..@.",
//                                 "...."};
//     ct_navigation_resource *r = navigation_fixture_make(&(navigation_fixture_desc){
//         .rows = rows, .width = 4, .height = 2}); // free() it
//
// '.', 'G' and 'S' are ground, digits are areas, all else is no ground. rows[0] is at y = 0, its first
// character at x = 0. Cells of the same area and height are merged into rectangles inside of tiles.
// Layers are grids above each other; rows (and heights) of the second follow those of the first.
#pragma once
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "resource/blob/content_hash.h"
#include "resource/types/navigation/navigation_resource.h"

typedef struct navigation_fixture_desc {
    const char *const *rows;            // num_layers * height, each of `width` characters
    uint32_t width, height, num_layers; // num_layers 0: 1
    float cell;                         // metres; 0: 1
    uint32_t tile_cells;                // of a tile's side; 0: 16
    const float *heights;               // of cells, metres, as rows; NULL: layer * layer_height
    float layer_height;                 // 0: 4
    float radius, agent_height, climb;  // 0: 0.5, 2, 0.5
    const float *area_costs;            // of 10 areas; NULL: 1
    uint32_t closed_areas;              // a bit for each
    uint32_t most_edges;                // of a polygon, at least 4; 0: CT_NAVIGATION_MAX_EDGES
    const ct_navigation_link *links;    // their kind becomes "jump"
    uint32_t num_links;
} navigation_fixture_desc;

// --- Details -------------------------------------------------------------------------------------

typedef struct navigation_fixture_blob {
    char *bytes;
    uint32_t count, capacity;
} navigation_fixture_blob;

// Rectangles are in cells of the map.
typedef struct navigation_fixture_part {
    uint32_t layer, x0, y0, x1, y1;
    uint32_t num_edges;
    ct_navigation_edge edges[CT_NAVIGATION_MAX_EDGES];
} navigation_fixture_part;

typedef struct navigation_fixture_tile {
    const navigation_fixture_desc *desc;
    uint32_t x0, y0, x1, y1; // cells of the map
    uint16_t *owners;        // by cell of the tile: its part + 1
    uint16_t
        *corners[2]; // vertex + 1, by corner of the tile and group: of polygons, of the surface
    uint32_t num_parts, num_vertices[2];
    navigation_fixture_part *parts;
    float (*vertices[2])[3];
} navigation_fixture_tile;

static inline uint32_t navigation_fixture_add(navigation_fixture_blob *b, const void *items,
                                              uint64_t bytes) {
    const uint32_t at = (uint32_t)ct_round_up(b->count, CT_BLOB_ALIGN);
    CT_REQUIRE(at + bytes < UINT32_MAX, "the blob is too large");
    if (at + bytes > b->capacity) {
        b->capacity = (uint32_t)(at + bytes) * 2;
        b->bytes = (char *)realloc(b->bytes, b->capacity);
    }
    memset(b->bytes + b->count, 0, at - b->count);
    if (items)
        memcpy(b->bytes + at, items, bytes);
    else
        memset(b->bytes + at, 0, bytes);
    b->count = (uint32_t)(at + bytes);
    return at;
}

static inline ct_blob_array navigation_fixture_array(navigation_fixture_blob *b, const void *items,
                                                     uint64_t item_bytes, uint32_t count) {
    const ct_blob_array none = {0, 0};
    return count ? (ct_blob_array){navigation_fixture_add(b, items, item_bytes * count), count}
                 : none;
}

static inline ct_blob_string navigation_fixture_text(navigation_fixture_blob *b, const char *text) {
    const uint32_t length = (uint32_t)strlen(text);
    return (ct_blob_string){navigation_fixture_add(b, text, length + 1), length};
}

// The area of a character; -1: no ground.
static inline int navigation_fixture_area(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    return c == '.' || c == 'G' || c == 'S' ? 0 : -1;
}

static inline int navigation_fixture_cell(const navigation_fixture_desc *d, uint32_t layer,
                                          uint32_t x, uint32_t y) {
    if (x >= d->width || y >= d->height)
        return -1;
    return navigation_fixture_area(d->rows[layer * d->height + y][x]);
}

static inline float navigation_fixture_height(const navigation_fixture_desc *d, uint32_t layer,
                                              uint32_t x, uint32_t y) {
    return d->heights ? d->heights[(layer * d->height + y) * d->width + x]
                      : (float)layer * d->layer_height;
}

// Whether agents step from a cell to one beside it.
static inline bool navigation_fixture_meet(const navigation_fixture_desc *d, uint32_t layer,
                                           uint32_t x, uint32_t y, uint32_t other_x,
                                           uint32_t other_y) {
    return navigation_fixture_cell(d, layer, x, y) >= 0 &&
           navigation_fixture_cell(d, layer, other_x, other_y) >= 0 &&
           fabsf(navigation_fixture_height(d, layer, x, y) -
                 navigation_fixture_height(d, layer, other_x, other_y)) <= d->climb;
}

static inline uint32_t navigation_fixture_owner_at(const navigation_fixture_tile *t, uint32_t layer,
                                                   uint32_t x, uint32_t y) {
    const uint32_t side = t->desc->tile_cells;
    return (layer * side + y - t->y0) * side + x - t->x0;
}

// The vertex at a corner of the map, as seen from the cell at quadrant `own` of it (counter-clockwise
// from -x -y). Its height is the mean of the cells there that meet.
static inline uint16_t navigation_fixture_vertex(navigation_fixture_tile *t, int set,
                                                 uint32_t layer, uint32_t x, uint32_t y, int own) {
    const navigation_fixture_desc *d = t->desc;
    const uint32_t xs[4] = {x - 1, x, x, x - 1}, ys[4] = {y - 1, y - 1, y, y};
    bool is_in[4] = {false, false, false, false};
    is_in[own] = true;
    for (int round = 0; round < 4; ++round)
        for (int q = 0; q < 4; ++q) {
            const int next = (q + 1) & 3;
            if (is_in[q] != is_in[next] &&
                navigation_fixture_meet(d, layer, xs[q], ys[q], xs[next], ys[next]))
                is_in[q] = is_in[next] = true;
        }
    float z = 0;
    int count = 0, first = 4;
    for (int q = 3; q >= 0; --q)
        if (is_in[q]) {
            z += navigation_fixture_height(d, layer, xs[q], ys[q]);
            ++count;
            first = q;
        }
    const uint32_t side = d->tile_cells + 1;
    uint16_t *place =
        &t->corners[set][((layer * side + y - t->y0) * side + x - t->x0) * 4 + (uint32_t)first];
    if (*place == 0) {
        float *v = t->vertices[set][t->num_vertices[set]++];
        v[0] = (float)x * d->cell, v[1] = (float)y * d->cell, v[2] = z / (float)count;
        *place = (uint16_t)t->num_vertices[set];
    }
    return (uint16_t)(*place - 1);
}

static inline void navigation_fixture_own(navigation_fixture_tile *t, uint32_t part) {
    const navigation_fixture_part *p = &t->parts[part];
    for (uint32_t y = p->y0; y < p->y1; ++y)
        for (uint32_t x = p->x0; x < p->x1; ++x)
            t->owners[navigation_fixture_owner_at(t, p->layer, x, y)] = (uint16_t)(part + 1);
}

// Whether a cell may belong to the rectangle that starts at another.
static inline bool navigation_fixture_fits(const navigation_fixture_tile *t, uint32_t layer,
                                           uint32_t x, uint32_t y, uint32_t x0, uint32_t y0) {
    const navigation_fixture_desc *d = t->desc;
    return x < t->x1 && y < t->y1 && t->owners[navigation_fixture_owner_at(t, layer, x, y)] == 0 &&
           navigation_fixture_cell(d, layer, x, y) == navigation_fixture_cell(d, layer, x0, y0) &&
           navigation_fixture_height(d, layer, x, y) == navigation_fixture_height(d, layer, x0, y0);
}

// Makes the largest rectangle that starts at a cell and is widened first.
static inline void navigation_fixture_grow(navigation_fixture_tile *t, uint32_t layer, uint32_t x,
                                           uint32_t y) {
    uint32_t x1 = x + 1, y1 = y + 1;
    while (navigation_fixture_fits(t, layer, x1, y, x, y))
        ++x1;
    for (bool fits = true; fits;) {
        for (uint32_t i = x; fits && i < x1; ++i)
            fits = navigation_fixture_fits(t, layer, i, y1, x, y);
        y1 += fits;
    }
    CT_REQUIRE(t->num_parts < CT_NAVIGATION_MAX_POLYGONS, "a tile has too many polygons");
    t->parts[t->num_parts] =
        (navigation_fixture_part){.layer = layer, .x0 = x, .y0 = y, .x1 = x1, .y1 = y1};
    navigation_fixture_own(t, t->num_parts++);
}

static inline void navigation_fixture_edge(navigation_fixture_tile *t, navigation_fixture_part *p,
                                           uint32_t x, uint32_t y, int side, bool is_first) {
    static const int steps[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    // The corner at which the edge of a cell starts, and the cell's quadrant there.
    static const int starts[4][3] = {{1, 0, 3}, {1, 1, 0}, {0, 1, 1}, {0, 0, 2}};
    const uint32_t nx = x + (uint32_t)steps[side][0], ny = y + (uint32_t)steps[side][1];
    uint16_t leads_to = CT_NAVIGATION_EDGE_WALL;
    if (nx < t->x0 || ny < t->y0 || nx >= t->x0 + t->desc->tile_cells ||
        ny >= t->y0 + t->desc->tile_cells)
        leads_to = (uint16_t)(CT_NAVIGATION_EDGE_SIDE + side);
    else if (navigation_fixture_meet(t->desc, p->layer, x, y, nx, ny))
        leads_to = (uint16_t)(t->owners[navigation_fixture_owner_at(t, p->layer, nx, ny)] - 1);
    if (!is_first && p->edges[(p->num_edges - 1) % CT_NAVIGATION_MAX_EDGES].leads_to == leads_to)
        return;
    if (p->num_edges < CT_NAVIGATION_MAX_EDGES)
        p->edges[p->num_edges] = (ct_navigation_edge){
            navigation_fixture_vertex(t, 0, p->layer, x + (uint32_t)starts[side][0],
                                      y + (uint32_t)starts[side][1], starts[side][2]),
            leads_to};
    else
        p->edges[p->num_edges % CT_NAVIGATION_MAX_EDGES].leads_to = leads_to; // it will be split
    ++p->num_edges;
}

static inline void navigation_fixture_edges(navigation_fixture_tile *t,
                                            navigation_fixture_part *p) {
    p->num_edges = 0;
    for (uint32_t x = p->x0; x < p->x1; ++x)
        navigation_fixture_edge(t, p, x, p->y0, 3, x == p->x0);
    for (uint32_t y = p->y0; y < p->y1; ++y)
        navigation_fixture_edge(t, p, p->x1 - 1, y, 0, y == p->y0);
    for (uint32_t x = p->x1; x-- > p->x0;)
        navigation_fixture_edge(t, p, x, p->y1 - 1, 1, x == p->x1 - 1);
    for (uint32_t y = p->y1; y-- > p->y0;)
        navigation_fixture_edge(t, p, p->x0, y, 2, y == p->y1 - 1);
}

// Halves rectangles that would have too many edges. Returns whether there were any.
static inline bool navigation_fixture_halve(navigation_fixture_tile *t) {
    bool has_halved = false;
    for (uint32_t i = 0, count = t->num_parts; i < count; ++i) {
        navigation_fixture_part *p = &t->parts[i];
        if (p->num_edges <= t->desc->most_edges)
            continue;
        CT_REQUIRE(t->num_parts < CT_NAVIGATION_MAX_POLYGONS, "a tile has too many polygons");
        navigation_fixture_part *other = &t->parts[t->num_parts];
        *other = *p;
        if (p->x1 - p->x0 > p->y1 - p->y0)
            other->x0 = p->x1 = (p->x0 + p->x1) / 2;
        else
            other->y0 = p->y1 = (p->y0 + p->y1) / 2;
        navigation_fixture_own(t, t->num_parts++);
        has_halved = true;
    }
    return has_halved;
}

static inline void navigation_fixture_cut(navigation_fixture_tile *t) {
    for (uint32_t layer = 0; layer < t->desc->num_layers; ++layer)
        for (uint32_t y = t->y0; y < t->y1; ++y)
            for (uint32_t x = t->x0; x < t->x1; ++x)
                if (t->owners[navigation_fixture_owner_at(t, layer, x, y)] == 0 &&
                    navigation_fixture_cell(t->desc, layer, x, y) >= 0)
                    navigation_fixture_grow(t, layer, x, y);
    do {
        const uint32_t side = t->desc->tile_cells + 1;
        memset(t->corners[0], 0,
               sizeof(uint16_t) * 4 * (uint64_t)side * side * t->desc->num_layers);
        t->num_vertices[0] = 0;
        for (uint32_t i = 0; i < t->num_parts; ++i)
            navigation_fixture_edges(t, &t->parts[i]);
    } while (navigation_fixture_halve(t));
}

// Two triangles for each rectangle; where cells have heights, for each cell.
static inline uint32_t navigation_fixture_surface(navigation_fixture_tile *t,
                                                  const navigation_fixture_part *p,
                                                  uint16_t (*triangles)[3]) {
    const uint32_t w = t->desc->heights ? 1 : p->x1 - p->x0;
    const uint32_t h = t->desc->heights ? 1 : p->y1 - p->y0;
    uint32_t count = 0;
    for (uint32_t y = p->y0; y < p->y1; y += h)
        for (uint32_t x = p->x0; x < p->x1; x += w) {
            const uint16_t v[4] = {navigation_fixture_vertex(t, 1, p->layer, x, y, 2),
                                   navigation_fixture_vertex(t, 1, p->layer, x + w, y, 3),
                                   navigation_fixture_vertex(t, 1, p->layer, x + w, y + h, 0),
                                   navigation_fixture_vertex(t, 1, p->layer, x, y + h, 1)};
            const uint16_t made[2][3] = {{v[0], v[1], v[2]}, {v[0], v[2], v[3]}};
            memcpy(triangles[count], made, sizeof(made));
            count += 2;
        }
    return count;
}

static inline void navigation_fixture_write(navigation_fixture_tile *t, navigation_fixture_blob *b,
                                            ct_navigation_tile_resource *out) {
    const uint32_t cells = t->desc->tile_cells * t->desc->tile_cells * t->desc->num_layers;
    ct_navigation_polygon *polygons =
        (ct_navigation_polygon *)calloc(t->num_parts, sizeof(*polygons));
    ct_navigation_edge *edges =
        (ct_navigation_edge *)calloc(t->num_parts * CT_NAVIGATION_MAX_EDGES, sizeof(*edges));
    uint16_t(*triangles)[3] = (uint16_t(*)[3])calloc((uint64_t)cells * 2, sizeof(*triangles));
    uint32_t num_edges = 0, num_triangles = 0;
    for (uint32_t i = 0; i < t->num_parts; ++i) {
        const navigation_fixture_part *p = &t->parts[i];
        ct_navigation_polygon *q = &polygons[i];
        q->first_edge = num_edges;
        q->num_edges = (uint8_t)p->num_edges;
        q->area = (uint8_t)navigation_fixture_cell(t->desc, p->layer, p->x0, p->y0);
        memcpy(edges + num_edges, p->edges, sizeof(*edges) * p->num_edges);
        num_edges += p->num_edges;
        q->first_triangle = num_triangles;
        q->num_triangles = (uint16_t)navigation_fixture_surface(t, p, triangles + num_triangles);
        num_triangles += q->num_triangles;
    }
    out->min_z = INFINITY, out->max_z = -INFINITY;
    for (uint32_t set = 0; set < 2; ++set)
        for (uint32_t i = 0; i < t->num_vertices[set]; ++i) {
            out->min_z = fminf(out->min_z, t->vertices[set][i][2]);
            out->max_z = fmaxf(out->max_z, t->vertices[set][i][2]);
        }
    out->polygons = navigation_fixture_array(b, polygons, sizeof(*polygons), t->num_parts);
    out->edges = navigation_fixture_array(b, edges, sizeof(*edges), num_edges);
    out->vertices = navigation_fixture_array(b, t->vertices[0], 12, t->num_vertices[0]);
    out->surface_vertices = navigation_fixture_array(b, t->vertices[1], 12, t->num_vertices[1]);
    out->triangles = navigation_fixture_array(b, triangles, sizeof(*triangles), num_triangles);
    out->hash = ct_content_hash(b->bytes + out->polygons.offset, b->count - out->polygons.offset);
    out->input_hash = out->hash;
    free(polygons);
    free(edges);
    free(triangles);
}

// Returns false when no cell of the tile is ground.
static inline bool navigation_fixture_tile_make(const navigation_fixture_desc *d, uint32_t x,
                                                uint32_t y, navigation_fixture_blob *b,
                                                ct_navigation_tile_resource *out) {
    const uint32_t side = d->tile_cells;
    const uint64_t corners = (uint64_t)(side + 1) * (side + 1) * d->num_layers * 4;
    navigation_fixture_tile t = {.desc = d, .x0 = x * side, .y0 = y * side};
    t.x1 = t.x0 + side < d->width ? t.x0 + side : d->width;
    t.y1 = t.y0 + side < d->height ? t.y0 + side : d->height;
    t.owners = (uint16_t *)calloc((uint64_t)side * side * d->num_layers, sizeof(uint16_t));
    t.parts = (navigation_fixture_part *)calloc(CT_NAVIGATION_MAX_POLYGONS, sizeof(*t.parts));
    for (uint32_t i = 0; i < 2; ++i) {
        t.corners[i] = (uint16_t *)calloc(corners, sizeof(uint16_t));
        t.vertices[i] = (float(*)[3])calloc(corners, sizeof(float[3]));
    }
    navigation_fixture_cut(&t);
    out->x = (int32_t)x, out->y = (int32_t)y;
    if (t.num_parts)
        navigation_fixture_write(&t, b, out);
    free(t.owners);
    free(t.parts);
    for (uint32_t i = 0; i < 2; ++i) {
        free(t.corners[i]);
        free(t.vertices[i]);
    }
    return t.num_parts != 0;
}

static inline ct_blob_array navigation_fixture_areas(const navigation_fixture_desc *d,
                                                     navigation_fixture_blob *b) {
    ct_navigation_area areas[10] = {{.id = {0}}};
    for (uint32_t i = 0; i < 10; ++i) {
        const char name[] = {'a', 'r', 'e', 'a', (char)('0' + i), 0};
        areas[i].id = areas[i].name = ct_string_id32_of(name);
        areas[i].cost = d->area_costs ? d->area_costs[i] : 1;
        areas[i].flags = d->closed_areas >> i & 1 ? CT_NAVIGATION_AREA_CLOSED : 0;
        areas[i].name_text = navigation_fixture_text(b, name);
    }
    return navigation_fixture_array(b, areas, sizeof(*areas), 10);
}

// --- The function --------------------------------------------------------------------------------

// Returns a whole blob with one class, "walker", and ten areas; free() it. Grids with more polygons in a
// tile than a blob may have end the program.
static inline ct_navigation_resource *navigation_fixture_make(const navigation_fixture_desc *desc) {
    navigation_fixture_desc d = *desc;
    d.num_layers = d.num_layers ? d.num_layers : 1;
    d.cell = d.cell > 0 ? d.cell : 1;
    d.tile_cells = d.tile_cells ? d.tile_cells : 16;
    d.most_edges = d.most_edges ? d.most_edges : CT_NAVIGATION_MAX_EDGES;
    d.layer_height = d.layer_height > 0 ? d.layer_height : 4;
    d.climb = d.climb > 0 ? d.climb : 0.5f;
    navigation_fixture_blob b = {NULL, 0, 0};
    navigation_fixture_add(&b, NULL, sizeof(ct_navigation_resource));
    const uint32_t columns = (d.width + d.tile_cells - 1) / d.tile_cells;
    const uint32_t lines = (d.height + d.tile_cells - 1) / d.tile_cells;
    ct_navigation_tile_resource *tiles =
        (ct_navigation_tile_resource *)calloc((uint64_t)columns * lines + 1, sizeof(*tiles));
    uint32_t num_tiles = 0;
    for (uint32_t i = 0; i < columns * lines; ++i)
        num_tiles +=
            navigation_fixture_tile_make(&d, i % columns, i / columns, &b, &tiles[num_tiles]);
    ct_navigation_class walker = {.id = ct_string_id32_of("walker"),
                                  .name = ct_string_id32_of("walker"),
                                  .radius = d.radius > 0 ? d.radius : 0.5f,
                                  .height = d.agent_height > 0 ? d.agent_height : 2,
                                  .climb = d.climb,
                                  .slope = 0.8f};
    walker.name_text = navigation_fixture_text(&b, "walker");
    walker.tiles = navigation_fixture_array(&b, tiles, sizeof(*tiles), num_tiles);
    free(tiles);
    ct_navigation_resource head = {.tile_size = d.cell * (float)d.tile_cells,
                                   .cell_size = d.cell,
                                   .cell_height = 0.1f,
                                   .level = {1}};
    head.areas = navigation_fixture_areas(&d, &b);
    head.classes = navigation_fixture_array(&b, &walker, sizeof(walker), 1);
    head.links = navigation_fixture_array(&b, d.links, sizeof(*d.links), d.num_links);
    for (uint32_t i = 0; i < d.num_links; ++i) {
        const ct_blob_string text = navigation_fixture_text(&b, "jump");
        ct_navigation_link *link = (ct_navigation_link *)(void *)(b.bytes + head.links.offset) + i;
        link->kind = ct_string_id32_of("jump");
        link->kind_text = text;
    }
    head.header = (ct_blob_header){.magic = CT_BLOB_MAGIC,
                                   .version = CT_NAVIGATION_VERSION,
                                   .type = ct_string_id64_of("navigation"),
                                   .size_bytes = b.count};
    memcpy(b.bytes, &head, sizeof(head));
    head.header.checksum =
        ct_content_hash(b.bytes + sizeof(head.header), b.count - sizeof(head.header));
    memcpy(b.bytes, &head, sizeof(head));
    return (ct_navigation_resource *)(void *)b.bytes;
}
