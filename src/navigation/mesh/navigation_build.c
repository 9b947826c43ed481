// navigation_build.c: the core of a tile: faces, ways inside of it, regions, a grid.
#include <math.h>

#include "foundation/container/sort.h"
#include "foundation/math/math.h"
#include "navigation/mesh/navigation_mesh_private.h"

enum { KEY_T_BITS = 19, MOST_GRID_CELLS = 32 };
static const float LEAST_OPENING = 1e-3f; // metres

// --- Blocks --------------------------------------------------------------------------------------

static void *take(char *block, uint64_t *at, uint64_t bytes) {
    void *const taken = block ? block + *at : NULL;
    *at = ct_round_up(*at + bytes, 8);
    return taken;
}

uint64_t ct_navigation_lay_out(const ct_navigation_counts *counts, void *block,
                               ct_navigation_arrays *arrays) {
    const ct_navigation_counts c = *counts;
    char *const b = block;
    uint64_t at = 0;
    *arrays = (ct_navigation_arrays){
        .faces = take(b, &at, sizeof(ct_navigation_face) * (uint64_t)c.faces),
        .ways = take(b, &at, sizeof(ct_navigation_way) * (uint64_t)c.ways),
        .edges = take(b, &at, sizeof(uint16_t) * (uint64_t)c.edges),
        .vertices = take(b, &at, sizeof(ct_vec3) * (uint64_t)c.vertices),
        .regions = take(b, &at, sizeof(ct_navigation_region) * (uint64_t)c.regions),
        .crossings = take(b, &at, sizeof(ct_navigation_crossing) * (uint64_t)c.crossings),
        .lengths = take(b, &at, sizeof(float) * (uint64_t)c.lengths),
        .first_length = take(b, &at, sizeof(uint32_t) * (uint64_t)c.regions),
        .sides = take(b, &at, sizeof(ct_navigation_side) * (uint64_t)c.sides),
        .cell_first = take(b, &at, sizeof(uint32_t) * ((uint64_t)c.cells + 1)),
        .cell_faces = take(b, &at, sizeof(uint16_t) * (uint64_t)c.cell_faces),
        .footprints = take(b, &at, sizeof(ct_navigation_footprint) * (uint64_t)c.footprints),
        .is_obstructed = take(b, &at, c.faces),
    };
    return at;
}

void ct_navigation_take_block(ct_navigation_mesh *m, uint32_t slot, void *block,
                              const ct_navigation_counts *counts,
                              const ct_navigation_arrays *arrays) {
    ct_navigation_slot *const s = &m->slots[slot];
    ct_navigation_tile *const t = &m->tiles[slot];
    ct_free(m->allocator, s->block);
    s->block = block;
    s->counts = *counts;
    s->arrays = *arrays;
    s->grid.first = arrays->cell_first;
    s->grid.faces = arrays->cell_faces;
    t->num_faces = counts->faces;
    t->num_edges = counts->edges;
    t->num_ways = counts->ways;
    t->num_vertices = counts->vertices;
    t->num_regions = counts->regions;
    t->num_crossings = counts->crossings;
    t->faces = arrays->faces;
    t->ways = arrays->ways;
    t->edges = arrays->edges;
    t->vertices = arrays->vertices;
    t->regions = arrays->regions;
    t->crossings = arrays->crossings;
    t->crossing_lengths = arrays->lengths;
    t->first_length = arrays->first_length;
}

// --- Edges that may be ways ----------------------------------------------------------------------

static uint64_t key_of(uint64_t line, float t, float size) {
    const float most = (float)((1 << KEY_T_BITS) - 1);
    const float scaled = (t / (4 * size) + 0.5f) * most;
    return line << KEY_T_BITS | (uint64_t)fminf(fmaxf(scaled, 0), most);
}

static void push_record(ct_navigation_scratch *s, uint64_t line, double t0, double t1, float size,
                        uint32_t face, uint32_t edge) {
    ct_navigation_record r = {.t0 = (float)fmin(t0, t1),
                              .t1 = (float)fmax(t0, t1),
                              .face = (uint16_t)face,
                              .edge = (uint8_t)edge,
                              .is_backward = t1 < t0};
    r.key = key_of(line, r.t0, size);
    ct_array_push(&s->records, r);
}

// What the edge of a piece is on.
typedef struct edge_place {
    const ct_navigation_resource *resource;
    const ct_navigation_tile_resource *tile;
    const ct_navigation_edge *edges;
    const ct_vec3 *vertices;
    float size;
} edge_place;

// An edge made by a cut: t along the side of the footprint, from the middle of the tile.
static void record_cut(ct_navigation_scratch *s, const edge_place *e, uint32_t source, uint32_t tag,
                       const ct_vec3 *a, const ct_vec3 *b, uint32_t face, uint32_t edge) {
    const double x = (e->tile->x + 0.5) * e->size, y = (e->tile->y + 0.5) * e->size;
    double dx, dy;
    if (tag &
        UINT32_C(0x80000000)) { // between corners of a piece: there are two, which are the same
        const bool is_turned = b->x < a->x || (b->x == a->x && b->y < a->y);
        const ct_vec3 *const from = is_turned ? b : a, *const to = is_turned ? a : b;
        dx = (double)to->x - from->x, dy = (double)to->y - from->y;
    } else {
        const uint32_t line = tag & ~(uint32_t)CT_NAVIGATION_CUT;
        const ct_navigation_footprint *const f =
            &s->footprints.items[line / CT_NAVIGATION_FOOTPRINT_POINTS];
        const uint32_t i = line % CT_NAVIGATION_FOOTPRINT_POINTS;
        const ct_vec2 from = f->points[i], to = f->points[i + 1 < f->num_points ? i + 1 : 0];
        dx = (double)to.x - from.x, dy = (double)to.y - from.y;
    }
    const double length = sqrt(dx * dx + dy * dy);
    const double t0 = ((a->x - x) * dx + (a->y - y) * dy) / length;
    const double t1 = ((b->x - x) * dx + (b->y - y) * dy) / length;
    push_record(s, UINT64_C(1) << 44 | (uint64_t)source << 32 | tag, t0, t1, e->size, face, edge);
}

// A part of an edge of the blob: t from the vertex with the lower number.
static void record_base(ct_navigation_scratch *s, const edge_place *e, uint32_t from, uint32_t to,
                        const ct_vec3 *a, const ct_vec3 *b, uint32_t face, uint32_t edge) {
    const uint32_t low = from < to ? from : to, high = from < to ? to : from;
    const ct_vec3 origin = e->vertices[low], end = e->vertices[high];
    const double dx = (double)end.x - origin.x, dy = (double)end.y - origin.y;
    const double length = sqrt(dx * dx + dy * dy);
    if (!(length > 0))
        return;
    const double t0 = ((a->x - origin.x) * dx + (a->y - origin.y) * dy) / length;
    const double t1 = ((b->x - origin.x) * dx + (b->y - origin.y) * dy) / length;
    push_record(s, (uint64_t)low << 16 | high, t0, t1, e->size, face, edge);
}

static void record_side(ct_navigation_scratch *s, uint32_t side, const ct_vec3 *a, const ct_vec3 *b,
                        uint32_t face, uint32_t edge) {
    const bool is_along_y = side == 0 || side == 2;
    const float ta = is_along_y ? a->y : a->x, tb = is_along_y ? b->y : b->x;
    const bool is_turned = tb < ta;
    const float across = is_along_y ? (a->x + b->x) * 0.5f : (a->y + b->y) * 0.5f;
    ct_array_push(&s->sides, (ct_navigation_side){.t0 = is_turned ? tb : ta,
                                                  .t1 = is_turned ? ta : tb,
                                                  .z0 = is_turned ? b->z : a->z,
                                                  .z1 = is_turned ? a->z : b->z,
                                                  .across = across,
                                                  .face = (uint16_t)face,
                                                  .edge = (uint8_t)edge,
                                                  .side = (uint8_t)side});
}

static void record_edge(ct_navigation_scratch *s, const edge_place *e,
                        const ct_navigation_piece *piece, uint32_t face, uint32_t edge) {
    const ct_navigation_cut_point *const points = s->pieces.points.items + piece->first;
    const ct_navigation_polygon *const p =
        (const ct_navigation_polygon *)ct_blob_at(e->resource, e->tile->polygons.offset) +
        piece->source;
    const ct_vec3 a = points[edge].at, b = points[edge + 1 < piece->count ? edge + 1 : 0].at;
    const uint32_t tag = points[edge].tag;
    if (tag & CT_NAVIGATION_CUT) {
        record_cut(s, e, piece->source, tag, &a, &b, face, edge);
        return;
    }
    const ct_navigation_edge *const base = &e->edges[p->first_edge + tag];
    const uint32_t next = tag + 1 < p->num_edges ? tag + 1 : 0;
    if (base->leads_to < CT_NAVIGATION_MAX_POLYGONS)
        record_base(s, e, base->vertex, e->edges[p->first_edge + next].vertex, &a, &b, face, edge);
    else if (base->leads_to >= CT_NAVIGATION_EDGE_SIDE &&
             base->leads_to < CT_NAVIGATION_EDGE_SIDE + 4)
        record_side(s, (uint32_t)base->leads_to - CT_NAVIGATION_EDGE_SIDE, &a, &b, face, edge);
}

// --- Faces ---------------------------------------------------------------------------------------

static void make_face(ct_navigation_scratch *s, const edge_place *e, uint32_t number,
                      ct_navigation_face *face) {
    const ct_navigation_piece *const piece = &s->pieces.pieces.items[number];
    const ct_navigation_cut_point *const points = s->pieces.points.items + piece->first;
    *face = (ct_navigation_face){.first_edge = s->edges.count,
                                 .num_edges = (uint8_t)piece->count,
                                 .area = piece->area,
                                 .source = piece->source};
    ct_vec3 sum = ct_vec3_make(0, 0, 0);
    for (uint32_t i = 0; i < piece->count; ++i) {
        uint32_t vertex = points[i].vertex;
        if (vertex == UINT32_MAX) {
            vertex = s->vertices.count;
            ct_array_push(&s->vertices, points[i].at);
        }
        ct_array_push(&s->edges, (uint16_t)vertex);
        sum = ct_vec3_add(sum, points[i].at);
        record_edge(s, e, piece, number, i);
    }
    face->center = ct_vec3_scale(sum, 1.0f / (float)piece->count);
}

// Leaves out pieces that would have more vertices than a tile can have.
static void limit_vertices(ct_navigation_scratch *s, uint32_t count) {
    for (uint32_t i = 0; i < s->pieces.pieces.count; ++i) {
        const ct_navigation_piece *const piece = &s->pieces.pieces.items[i];
        for (uint32_t k = 0; k < piece->count; ++k)
            count += s->pieces.points.items[piece->first + k].vertex == UINT32_MAX;
        if (count > UINT16_MAX) {
            s->pieces.pieces.count = i;
            return;
        }
    }
}

// --- Ways inside ---------------------------------------------------------------------------------

static ct_vec3 point_at(const ct_navigation_scratch *s, const ct_navigation_face *faces,
                        const ct_navigation_record *r, float t) {
    const ct_navigation_face *const f = &faces[r->face];
    const uint32_t next = r->edge + 1u < f->num_edges ? r->edge + 1u : 0;
    const ct_vec3 a = s->vertices.items[s->edges.items[f->first_edge + r->edge]];
    const ct_vec3 b = s->vertices.items[s->edges.items[f->first_edge + next]];
    const ct_vec3 low = r->is_backward ? b : a, high = r->is_backward ? a : b;
    if (t <= r->t0)
        return low;
    return t >= r->t1 ? high : ct_vec3_lerp(low, high, (t - r->t0) / (r->t1 - r->t0));
}

// The way between two edges on a line, if they overlap; t comes from the one that ends there.
static void match(ct_navigation_scratch *s, const ct_navigation_face *faces, const uint8_t *closed,
                  uint32_t slot, const ct_navigation_record *a, const ct_navigation_record *b) {
    const float low = fmaxf(a->t0, b->t0), high = fminf(a->t1, b->t1);
    const float shorter = fminf(a->t1 - a->t0, b->t1 - b->t0);
    if (!(high - low > fminf(LEAST_OPENING, shorter * 0.5f)) || closed[a->face] || closed[b->face])
        return;
    const ct_vec3 start = point_at(s, faces, a->t0 >= b->t0 ? a : b, low);
    const ct_vec3 end = point_at(s, faces, a->t1 <= b->t1 ? a : b, high);
    const ct_navigation_record *const ends[2] = {a, b};
    for (uint32_t i = 0; i < 2; ++i) {
        const ct_navigation_record *const own = ends[i], *const other = ends[1 - i];
        const ct_navigation_way way = {.to = CT_NAVIGATION_PLACE(slot, other->face),
                                       .edge = own->edge,
                                       .left = own->is_backward ? start : end,
                                       .right = own->is_backward ? end : start};
        ct_array_push(&s->found, (ct_navigation_found){.key = (uint64_t)own->face << 32 |
                                                              (uint64_t)own->edge << 16,
                                                       .way = way,
                                                       .t0 = low,
                                                       .face = own->face});
    }
}

static void match_records(ct_navigation_scratch *s, const ct_navigation_face *faces,
                          const uint8_t *closed, uint32_t slot, float size) {
    ct_array_resize(&s->sorted_records, s->records.count);
    const ct_navigation_record *const records = ct_sort_records64(
        s->records.items, s->sorted_records.items, s->records.count, sizeof(ct_navigation_record));
    const float margin = 8 * size / (float)(1 << KEY_T_BITS); // that keys round by, and more
    for (uint32_t i = 0; i < s->records.count; ++i) {
        const ct_navigation_record *const a = &records[i];
        for (uint32_t k = i + 1; k < s->records.count; ++k) {
            const ct_navigation_record *const b = &records[k];
            if (a->key >> KEY_T_BITS != b->key >> KEY_T_BITS || b->t0 > a->t1 + margin)
                break;
            if (a->is_backward != b->is_backward && a->face != b->face)
                match(s, faces, closed, slot, a, b);
        }
    }
}

static uint32_t root_of(uint32_t *parents, uint32_t i) {
    while (parents[i] != i)
        i = parents[i] = parents[parents[i]];
    return i;
}

// Numbers the regions of the faces by the ways that were found. Returns their count.
static uint32_t find_regions(ct_navigation_scratch *s, ct_navigation_face *faces, uint32_t count) {
    ct_array_resize(&s->parents, count);
    uint32_t *const parents = s->parents.items;
    for (uint32_t i = 0; i < count; ++i)
        parents[i] = i;
    for (uint32_t i = 0; i < s->found.count; ++i) {
        const uint32_t a = root_of(parents, s->found.items[i].face);
        const uint32_t b = root_of(parents, ct_navigation_number_of(s->found.items[i].way.to));
        parents[a < b ? b : a] = a < b ? a : b; // the first face of a region is its root
    }
    uint32_t regions = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t root = root_of(parents, i);
        faces[i].region = root == i ? (uint16_t)regions++ : faces[root].region;
    }
    return regions;
}

static void write_ways(ct_navigation_scratch *s, const ct_navigation_arrays *arrays) {
    ct_array_resize(&s->sorted_found, s->found.count);
    const ct_navigation_found *const found = ct_sort_records64(
        s->found.items, s->sorted_found.items, s->found.count, sizeof(ct_navigation_found));
    for (uint32_t i = 0; i < s->found.count; ++i) {
        ct_navigation_face *const face = &arrays->faces[found[i].face];
        if (face->num_ways++ == 0)
            face->first_way = i;
        arrays->ways[i] = found[i].way;
    }
}

// --- The grid ------------------------------------------------------------------------------------

static void size_grid(const ct_navigation_scratch *s, ct_navigation_grid *grid) {
    ct_vec2 min = ct_vec2_make(0, 0), max = min;
    for (uint32_t i = 0; i < s->pieces.pieces.count; ++i) {
        const ct_navigation_piece *const p = &s->pieces.pieces.items[i];
        min.x = i ? fminf(min.x, p->min_x) : p->min_x;
        min.y = i ? fminf(min.y, p->min_y) : p->min_y;
        max.x = i ? fmaxf(max.x, p->max_x) : p->max_x;
        max.y = i ? fmaxf(max.y, p->max_y) : p->max_y;
    }
    const float side = ceilf(sqrtf((float)s->pieces.pieces.count));
    const uint32_t cells = (uint32_t)fminf(fmaxf(side, 1), MOST_GRID_CELLS);
    grid->min = min;
    grid->columns = grid->rows = cells;
    grid->cell.x = fmaxf((max.x - min.x) / (float)cells, 1e-6f);
    grid->cell.y = fmaxf((max.y - min.y) / (float)cells, 1e-6f);
}

static uint32_t cell_at(float at, float min, float cell, uint32_t count) {
    const float i = floorf((at - min) / cell);
    return (uint32_t)fminf(fmaxf(i, 0), (float)(count - 1));
}

// Lists the faces of each cell. With `faces` NULL only counts them, in `first` + 1.
static uint32_t fill_grid(const ct_navigation_scratch *s, const ct_navigation_grid *grid,
                          uint32_t *first, uint16_t *faces) {
    uint32_t total = 0;
    const float margin = 1e-3f;
    for (uint32_t i = 0; i < s->pieces.pieces.count; ++i) {
        const ct_navigation_piece *const p = &s->pieces.pieces.items[i];
        const uint32_t x0 = cell_at(p->min_x - margin, grid->min.x, grid->cell.x, grid->columns);
        const uint32_t x1 = cell_at(p->max_x + margin, grid->min.x, grid->cell.x, grid->columns);
        const uint32_t y0 = cell_at(p->min_y - margin, grid->min.y, grid->cell.y, grid->rows);
        const uint32_t y1 = cell_at(p->max_y + margin, grid->min.y, grid->cell.y, grid->rows);
        total += (x1 - x0 + 1) * (y1 - y0 + 1);
        for (uint32_t y = y0; first && y <= y1; ++y)
            for (uint32_t x = x0; x <= x1; ++x) {
                const uint32_t at = first[y * grid->columns + x]++;
                if (faces)
                    faces[at] = (uint16_t)i;
            }
    }
    return total;
}

static void make_grid(const ct_navigation_scratch *s, const ct_navigation_grid *grid,
                      uint32_t *first, uint16_t *faces) {
    const uint32_t cells = grid->columns * grid->rows;
    fill_grid(s, grid, first, NULL);
    uint32_t sum = 0;
    for (uint32_t i = 0; i <= cells; ++i) {
        const uint32_t count = i < cells ? first[i] : 0;
        first[i] = sum;
        sum += count;
    }
    fill_grid(s, grid, first, faces); // leaves the ends, which are the next ones' starts
    memmove(first + 1, first, sizeof(*first) * cells);
    first[0] = 0;
}

// --- The tile ------------------------------------------------------------------------------------

static int compare_side(const ct_navigation_side *a, const ct_navigation_side *b) {
    if (a->side != b->side)
        return a->side < b->side ? -1 : 1;
    return a->t0 < b->t0 ? -1 : a->t0 > b->t0;
}

// Sorts the edges at sides by side, then along it.
static void sort_sides(ct_navigation_scratch *s, uint32_t *first_side) {
    ct_navigation_side *const sides = s->sides.items;
    for (uint32_t i = 1; i < s->sides.count; ++i) {
        const ct_navigation_side side = sides[i];
        uint32_t k = i;
        for (; k > 0 && compare_side(&side, &sides[k - 1]) < 0; --k)
            sides[k] = sides[k - 1];
        sides[k] = side;
    }
    uint32_t i = 0;
    for (uint32_t side = 0; side < 5; ++side) {
        while (i < s->sides.count && sides[i].side < side)
            ++i;
        first_side[side] = i;
    }
}

// Whether two tiles have the same polygons, so that places mean the same.
static bool is_same(const ct_navigation_slot *old, const ct_navigation_counts *counts,
                    const ct_navigation_arrays *arrays) {
    const ct_navigation_counts *const c = &old->counts;
    if (!old->block || c->faces != counts->faces || c->edges != counts->edges ||
        c->vertices != counts->vertices || c->sides != counts->sides ||
        memcmp(old->arrays.edges, arrays->edges, sizeof(uint16_t) * c->edges) != 0 ||
        memcmp(old->arrays.vertices, arrays->vertices, sizeof(ct_vec3) * c->vertices) != 0 ||
        memcmp(old->arrays.is_obstructed, arrays->is_obstructed, c->faces) != 0)
        return false;
    for (uint32_t i = 0; i < c->faces; ++i)
        if (old->arrays.faces[i].area != arrays->faces[i].area ||
            old->arrays.faces[i].source != arrays->faces[i].source ||
            old->arrays.faces[i].num_edges != arrays->faces[i].num_edges)
            return false;
    return true;
}

static void begin(const ct_navigation_core *c) {
    ct_navigation_scratch *const s = c->scratch;
    s->records.count = s->sides.count = s->found.count = s->edges.count = s->vertices.count = 0;
    const ct_vec3 *const vertices = ct_blob_at(c->resource, c->tile->vertices.offset);
    ct_navigation_carve(s, c->resource, c->tile);
    limit_vertices(s, c->tile->vertices.count);
    if (c->tile->vertices.count)
        ct_array_push_many(&s->vertices, vertices, c->tile->vertices.count);
}

// Makes the faces in scratch, and records their edges.
static void make_faces(const ct_navigation_core *c) {
    ct_navigation_scratch *const s = c->scratch;
    const edge_place place = {.resource = c->resource,
                              .tile = c->tile,
                              .edges = ct_blob_at(c->resource, c->tile->edges.offset),
                              .vertices = ct_blob_at(c->resource, c->tile->vertices.offset),
                              .size = c->resource->tile_size};
    const uint32_t count = s->pieces.pieces.count;
    ct_array_resize(&s->faces, count);
    ct_array_resize(&s->closed, count);
    if (count && c->num_obstructed == count)
        memcpy(s->closed.items, c->obstructed, count);
    else if (count)
        memset(s->closed.items, 0, count);
    for (uint32_t i = 0; i < count; ++i)
        make_face(s, &place, i, &s->faces.items[i]);
}

// Copies what was made in scratch to the arrays of the block.
static void copy(const ct_navigation_scratch *s, const ct_navigation_arrays *arrays) {
    if (s->faces.count) {
        memcpy(arrays->faces, s->faces.items, sizeof(ct_navigation_face) * s->faces.count);
        memcpy(arrays->is_obstructed, s->closed.items, s->faces.count);
    }
    if (s->edges.count)
        memcpy(arrays->edges, s->edges.items, sizeof(uint16_t) * s->edges.count);
    if (s->vertices.count)
        memcpy(arrays->vertices, s->vertices.items, sizeof(ct_vec3) * s->vertices.count);
    if (s->sides.count)
        memcpy(arrays->sides, s->sides.items, sizeof(ct_navigation_side) * s->sides.count);
    if (s->footprints.count)
        memcpy(arrays->footprints, s->footprints.items,
               sizeof(ct_navigation_footprint) * s->footprints.count);
}

void ct_navigation_build_core(ct_navigation_core *core) {
    ct_navigation_scratch *const s = core->scratch;
    begin(core);
    make_faces(core);
    match_records(s, s->faces.items, s->closed.items, core->slot, core->resource->tile_size);
    sort_sides(s, core->first_side);
    size_grid(s, &core->grid);
    core->counts =
        (ct_navigation_counts){.faces = s->faces.count,
                               .edges = s->edges.count,
                               .vertices = s->vertices.count,
                               .ways = s->found.count,
                               .regions = find_regions(s, s->faces.items, s->faces.count),
                               .sides = s->sides.count,
                               .cells = core->grid.columns * core->grid.rows,
                               .cell_faces = fill_grid(s, &core->grid, NULL, NULL),
                               .footprints = s->footprints.count};
    const uint64_t bytes = ct_navigation_lay_out(&core->counts, NULL, &core->arrays);
    core->block = ct_alloc_zero(core->allocator, bytes);
    ct_navigation_lay_out(&core->counts, core->block, &core->arrays);
    copy(s, &core->arrays);
    write_ways(s, &core->arrays);
    make_grid(s, &core->grid, core->arrays.cell_first, core->arrays.cell_faces);
}

void ct_navigation_use_core(ct_navigation_mesh *m, const ct_navigation_core *core) {
    ct_navigation_tile *const tile = &m->tiles[core->slot];
    ct_navigation_slot *const slot = &m->slots[core->slot];
    const bool is_kept = tile->version && is_same(slot, &core->counts, &core->arrays);
    slot->grid = core->grid;
    memcpy(slot->first_side, core->first_side, sizeof(slot->first_side));
    ct_navigation_take_block(m, core->slot, core->block, &core->counts, &core->arrays);
    ct_navigation_new_version(m);
    m->islands_are_old = true;
    if (!is_kept) {
        tile->version = ++m->last_version;
        ct_navigation_unlink_around(m, tile->x, tile->y);
    }
    ct_navigation_unlink(m, core->slot);
}

void ct_navigation_build(ct_navigation_mesh *m, uint32_t slot, bool keeps_obstructed) {
    const ct_navigation_slot *const own = &m->slots[slot];
    ct_navigation_core core = {.allocator = m->allocator,
                               .resource = m->resource,
                               .tile = m->tiles[slot].resource,
                               .slot = slot,
                               .scratch = &m->scratch,
                               .obstructed = own->arrays.is_obstructed,
                               .num_obstructed = keeps_obstructed ? own->counts.faces : 0};
    ct_navigation_build_core(&core);
    ct_navigation_use_core(m, &core);
}
