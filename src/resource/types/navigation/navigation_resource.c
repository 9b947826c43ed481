#include "resource/types/navigation/navigation_resource.h"

#include <math.h>
#include <string.h>

#include "foundation/error.h"

// --- Layouts -------------------------------------------------------------------------------------

typedef struct vertex {
    float at[3];
} vertex;

typedef struct triangle {
    uint16_t vertices[3];
} triangle;

const ct_blob_layout ct_navigation_vertex_layout = CT_BLOB_ALL_NUMBERS(vertex, 4);
const ct_blob_layout ct_navigation_triangle_layout = CT_BLOB_ALL_NUMBERS(triangle, 2);
const ct_blob_layout ct_navigation_edge_layout = CT_BLOB_ALL_NUMBERS(ct_navigation_edge, 2);
const ct_blob_layout ct_navigation_polygon_layout = CT_BLOB_STRUCT(
    ct_navigation_polygon, CT_BLOB_NUMBERS(4, ct_navigation_polygon, first_edge, first_triangle),
    CT_BLOB_NUMBERS(2, ct_navigation_polygon, num_triangles, num_triangles),
    CT_BLOB_NUMBERS(1, ct_navigation_polygon, num_edges, area));
const ct_blob_layout ct_navigation_tile_layout = CT_BLOB_STRUCT(
    ct_navigation_tile_resource, CT_BLOB_NUMBERS(4, ct_navigation_tile_resource, x, max_z),
    CT_BLOB_NUMBERS(8, ct_navigation_tile_resource, hash, input_hash),
    CT_BLOB_ARRAY(ct_navigation_tile_resource, polygons, ct_navigation_polygon_layout),
    CT_BLOB_ARRAY(ct_navigation_tile_resource, edges, ct_navigation_edge_layout),
    CT_BLOB_ARRAY(ct_navigation_tile_resource, vertices, ct_navigation_vertex_layout),
    CT_BLOB_ARRAY(ct_navigation_tile_resource, surface_vertices, ct_navigation_vertex_layout),
    CT_BLOB_ARRAY(ct_navigation_tile_resource, triangles, ct_navigation_triangle_layout));
const ct_blob_layout ct_navigation_class_layout =
    CT_BLOB_STRUCT(ct_navigation_class, CT_BLOB_NUMBERS(4, ct_navigation_class, id, slope),
                   CT_BLOB_STRING(ct_navigation_class, name_text),
                   CT_BLOB_ARRAY(ct_navigation_class, tiles, ct_navigation_tile_layout));
const ct_blob_layout ct_navigation_area_layout =
    CT_BLOB_STRUCT(ct_navigation_area, CT_BLOB_NUMBERS(4, ct_navigation_area, id, flags),
                   CT_BLOB_STRING(ct_navigation_area, name_text));
const ct_blob_layout ct_navigation_link_layout =
    CT_BLOB_STRUCT(ct_navigation_link, CT_BLOB_NUMBERS(4, ct_navigation_link, id, flags),
                   CT_BLOB_STRING(ct_navigation_link, kind_text));

const ct_blob_layout ct_navigation_layout =
    CT_BLOB_ROOT(ct_navigation_resource, "a navigation",
                 CT_BLOB_NUMBERS(4, ct_navigation_resource, tile_size, padding),
                 CT_BLOB_NUMBERS(8, ct_navigation_resource, level, level),
                 CT_BLOB_ARRAY(ct_navigation_resource, classes, ct_navigation_class_layout),
                 CT_BLOB_ARRAY(ct_navigation_resource, areas, ct_navigation_area_layout),
                 CT_BLOB_ARRAY(ct_navigation_resource, links, ct_navigation_link_layout));

// --- Tiles ---------------------------------------------------------------------------------------

enum { MOST_TILE = 1 << 22 }; // x and y of a tile, either way

// How far from what it is to be a number of a compiled mesh may be, as a share of the tile's size.
static const float TOLERANCE = 1e-3f;

// A tile that is checked, and where it is.
typedef struct tile_check {
    const ct_navigation_resource *r;
    const ct_navigation_tile_resource *tile;
    uint32_t class, number;
    const ct_navigation_polygon *polygons;
    const ct_navigation_edge *edges;
    const vertex *vertices, *surface;
    float least[2], most[2]; // of the tile on the map, with a tolerance
} tile_check;

#define REFUSE(t, error, format, ...)                                                              \
    ct_error_set((error), "classes[%u].tiles[%u]" format, (t)->class, (t)->number, __VA_ARGS__)

static bool is_in_tile(const tile_check *t, const vertex *v) {
    return v->at[0] >= t->least[0] && v->at[0] <= t->most[0] && v->at[1] >= t->least[1] &&
           v->at[1] <= t->most[1] && v->at[2] >= -1e6f && v->at[2] <= 1e6f;
}

static bool check_vertices(const tile_check *t, ct_error *error) {
    const ct_navigation_tile_resource *const tile = t->tile;
    for (uint32_t i = 0; i < tile->vertices.count; ++i) {
        const vertex *const v = &t->vertices[i];
        if (!is_in_tile(t, v) || v->at[2] < tile->min_z || v->at[2] > tile->max_z)
            return REFUSE(t, error, ".vertices[%u]: found %g %g %g, outside of the tile", i,
                          (double)v->at[0], (double)v->at[1], (double)v->at[2]);
    }
    for (uint32_t i = 0; i < tile->surface_vertices.count; ++i) {
        const vertex *const v = &t->surface[i];
        if (!is_in_tile(t, v))
            return REFUSE(t, error, ".surface_vertices[%u]: found %g %g %g, outside of the tile", i,
                          (double)v->at[0], (double)v->at[1], (double)v->at[2]);
    }
    const uint16_t *const corners = ct_blob_at(t->r, tile->triangles.offset);
    for (uint32_t i = 0; i < 3 * tile->triangles.count; ++i) {
        if (corners[i] >= tile->surface_vertices.count)
            return REFUSE(t, error, ".triangles[%u]: found vertex %u of %u", i / 3, corners[i],
                          tile->surface_vertices.count);
    }
    return true;
}

static uint32_t end_of(const ct_navigation_polygon *p, uint32_t edge) {
    return p->first_edge + (edge + 1) % p->num_edges;
}

// Whether one of the polygon's edges leads from vertex `to` to vertex `from` and to polygon `back`.
static bool leads_back(const tile_check *t, uint32_t polygon, uint32_t back, uint32_t from,
                       uint32_t to) {
    const ct_navigation_polygon *const p = &t->polygons[polygon];
    for (uint32_t i = 0; i < p->num_edges; ++i) {
        const ct_navigation_edge *const edge = &t->edges[p->first_edge + i];
        if (edge->leads_to == back && edge->vertex == to && t->edges[end_of(p, i)].vertex == from)
            return true;
    }
    return false;
}

// Whether both ends of an edge are at this side of the tile.
static bool is_at_side(const tile_check *t, uint32_t side, uint32_t from, uint32_t to) {
    const uint32_t axis = side % 2;
    const float slack = 2 * TOLERANCE * t->r->tile_size;
    const float a = t->vertices[from].at[axis], b = t->vertices[to].at[axis];
    return side < 2 ? a >= t->most[axis] - slack && b >= t->most[axis] - slack
                    : a <= t->least[axis] + slack && b <= t->least[axis] + slack;
}

static bool check_edge(const tile_check *t, uint32_t polygon, uint32_t i, ct_error *error) {
    const ct_navigation_polygon *const p = &t->polygons[polygon];
    const ct_navigation_edge *const edge = &t->edges[p->first_edge + i];
    const uint32_t from = edge->vertex, to = t->edges[end_of(p, i)].vertex;
    const uint32_t side = edge->leads_to - (uint32_t)CT_NAVIGATION_EDGE_SIDE;
    if (edge->leads_to == CT_NAVIGATION_EDGE_WALL)
        return true;
    if (side < 4)
        return is_at_side(t, side, from, to) ||
               REFUSE(t, error, ".polygons[%u]: edge %u is not at side %u of the tile", polygon, i,
                      side);
    if (edge->leads_to >= t->tile->polygons.count || edge->leads_to == polygon)
        return REFUSE(t, error, ".polygons[%u]: edge %u leads to %u of %u", polygon, i,
                      edge->leads_to, t->tile->polygons.count);
    return leads_back(t, edge->leads_to, polygon, from, to) ||
           REFUSE(t, error, ".polygons[%u]: no edge leads back from polygon %u along edge %u",
                  polygon, edge->leads_to, i);
}

// Whether `c` is to the left of the way from `a` to `b`, or nearly on it.
static bool is_left(const float *a, const float *b, const float *c) {
    const float ux = b[0] - a[0], uy = b[1] - a[1], vx = c[0] - a[0], vy = c[1] - a[1];
    const float cross = ux * vy - uy * vx;
    return cross >= 0 ||
           cross * cross <= TOLERANCE * TOLERANCE * (ux * ux + uy * uy) * (vx * vx + vy * vy);
}

// Convex and counter-clockwise: edges have a length, all corners are to the left of all edges, and the
// area is positive.
static bool is_convex(const tile_check *t, const ct_navigation_polygon *p) {
    const float *const origin = t->vertices[t->edges[p->first_edge].vertex].at;
    float area = 0;
    for (uint32_t i = 0; i < p->num_edges; ++i) {
        const float *const a = t->vertices[t->edges[p->first_edge + i].vertex].at;
        const float *const b = t->vertices[t->edges[end_of(p, i)].vertex].at;
        if (a[0] == b[0] && a[1] == b[1])
            return false;
        area += (a[0] - origin[0]) * (b[1] - origin[1]) - (a[1] - origin[1]) * (b[0] - origin[0]);
        for (uint32_t k = 0; k < p->num_edges; ++k) {
            if (!is_left(a, b, t->vertices[t->edges[p->first_edge + k].vertex].at))
                return false;
        }
    }
    return area > 0;
}

static bool check_polygon(const tile_check *t, uint32_t i, ct_error *error) {
    const ct_navigation_polygon *const p = &t->polygons[i];
    if (p->area >= t->r->areas.count)
        return REFUSE(t, error, ".polygons[%u]: found area %u of %u", i, p->area,
                      t->r->areas.count);
    if (!is_convex(t, p))
        return REFUSE(t, error, ".polygons[%u]: it is not convex and counter-clockwise", i);
    for (uint32_t edge = 0; edge < p->num_edges; ++edge) {
        if (!check_edge(t, i, edge, error))
            return false;
    }
    return true;
}

// The numbers by which polygons lead to edges, vertices and triangles.
static bool check_ranges(const tile_check *t, ct_error *error) {
    const ct_navigation_tile_resource *const tile = t->tile;
    for (uint32_t i = 0; i < tile->polygons.count; ++i) {
        const ct_navigation_polygon *const p = &t->polygons[i];
        if (p->num_edges < 3 || p->num_edges > CT_NAVIGATION_MAX_EDGES ||
            p->first_edge > tile->edges.count || p->num_edges > tile->edges.count - p->first_edge)
            return REFUSE(t, error, ".polygons[%u]: found edges %u + %u of %u", i, p->first_edge,
                          p->num_edges, tile->edges.count);
        if (p->num_triangles == 0 || p->first_triangle > tile->triangles.count ||
            p->num_triangles > tile->triangles.count - p->first_triangle)
            return REFUSE(t, error, ".polygons[%u]: found triangles %u + %u of %u", i,
                          p->first_triangle, p->num_triangles, tile->triangles.count);
    }
    for (uint32_t i = 0; i < tile->edges.count; ++i) {
        if (t->edges[i].vertex >= tile->vertices.count)
            return REFUSE(t, error, ".edges[%u]: found vertex %u of %u", i, t->edges[i].vertex,
                          tile->vertices.count);
    }
    return true;
}

static bool check_counts(const tile_check *t, ct_error *error) {
    const ct_navigation_tile_resource *const tile = t->tile;
    if (tile->x < -MOST_TILE || tile->x > MOST_TILE || tile->y < -MOST_TILE || tile->y > MOST_TILE)
        return REFUSE(t, error, ": found %d, %d, expected -%d to %d", tile->x, tile->y, MOST_TILE,
                      MOST_TILE);
    if (tile->polygons.count == 0 || tile->polygons.count > CT_NAVIGATION_MAX_POLYGONS ||
        tile->vertices.count > CT_NAVIGATION_MAX_VERTICES ||
        tile->surface_vertices.count > CT_NAVIGATION_MAX_VERTICES)
        return REFUSE(t, error,
                      ": found %u polygons, %u vertices and %u of the surface, expected 1 to %d "
                      "polygons and at most %d vertices",
                      tile->polygons.count, tile->vertices.count, tile->surface_vertices.count,
                      CT_NAVIGATION_MAX_POLYGONS, CT_NAVIGATION_MAX_VERTICES);
    return (isfinite(tile->min_z) && isfinite(tile->max_z)) ||
           REFUSE(t, error, ": found heights %g to %g", (double)tile->min_z, (double)tile->max_z);
}

static bool check_tile(const ct_navigation_resource *r, uint32_t class, uint32_t number,
                       const ct_navigation_tile_resource *tile, ct_error *error) {
    const float slack = TOLERANCE * r->tile_size;
    const tile_check t = {
        .r = r,
        .tile = tile,
        .class = class,
        .number = number,
        .polygons = ct_blob_at(r, tile->polygons.offset),
        .edges = ct_blob_at(r, tile->edges.offset),
        .vertices = ct_blob_at(r, tile->vertices.offset),
        .surface = ct_blob_at(r, tile->surface_vertices.offset),
        .least = {(float)tile->x * r->tile_size - slack, (float)tile->y * r->tile_size - slack},
        .most = {((float)tile->x + 1) * r->tile_size + slack,
                 ((float)tile->y + 1) * r->tile_size + slack}};
    if (!check_counts(&t, error) || !check_vertices(&t, error) || !check_ranges(&t, error))
        return false;
    for (uint32_t i = 0; i < tile->polygons.count; ++i) {
        if (!check_polygon(&t, i, error))
            return false;
    }
    return true;
}

// --- The rest ------------------------------------------------------------------------------------

static bool is_between(float x, float least, float most) {
    return x >= least && x <= most;
}

static bool check_name(const ct_navigation_resource *r, const char *array, uint32_t i,
                       ct_blob_string text, ct_string_id32 name, ct_error *error) {
    return (text.bytes > 0 && ct_string_id32_of(ct_blob_at(r, text.offset)).value == name.value) ||
           ct_error_set(error, "%s[%u]: its id does not match its text", array, i);
}

static bool check_class(const ct_navigation_resource *r, uint32_t i, ct_error *error) {
    const ct_navigation_class *const c =
        (const ct_navigation_class *)ct_blob_at(r, r->classes.offset) + i;
    const ct_navigation_tile_resource *const tiles = ct_blob_at(r, c->tiles.offset);
    if (!check_name(r, "classes", i, c->name_text, c->name, error))
        return false;
    if (!is_between(c->radius, 0, 1e3f) || !is_between(c->height, 0, 1e3f) ||
        !is_between(c->climb, 0, 1e3f) || !is_between(c->slope, 0, 1.6f))
        return ct_error_set(error, "classes[%u]: found radius %g, height %g, climb %g, slope %g", i,
                            (double)c->radius, (double)c->height, (double)c->climb,
                            (double)c->slope);
    if (c->tiles.count > CT_NAVIGATION_MAX_TILES)
        return ct_error_set(error, "classes[%u].tiles: found %u, expected at most %d", i,
                            c->tiles.count, CT_NAVIGATION_MAX_TILES);
    for (uint32_t k = 0; k < c->tiles.count; ++k) {
        if (k > 0 && (tiles[k].y < tiles[k - 1].y ||
                      (tiles[k].y == tiles[k - 1].y && tiles[k].x <= tiles[k - 1].x)))
            return ct_error_set(error, "classes[%u].tiles[%u]: found %d, %d behind %d, %d", i, k,
                                tiles[k].x, tiles[k].y, tiles[k - 1].x, tiles[k - 1].y);
        if (!check_tile(r, i, k, &tiles[k], error))
            return false;
    }
    return true;
}

static bool check_area(const ct_navigation_resource *r, uint32_t i, ct_error *error) {
    const ct_navigation_area *const a =
        (const ct_navigation_area *)ct_blob_at(r, r->areas.offset) + i;
    if (!check_name(r, "areas", i, a->name_text, a->name, error))
        return false;
    return (is_between(a->cost, 0.01f, 1e6f) && a->flags <= CT_NAVIGATION_AREA_CLOSED) ||
           ct_error_set(error, "areas[%u]: found cost %g, flags %u", i, (double)a->cost, a->flags);
}

static bool check_link(const ct_navigation_resource *r, uint32_t i, ct_error *error) {
    const ct_navigation_link *const l =
        (const ct_navigation_link *)ct_blob_at(r, r->links.offset) + i;
    const uint32_t flags =
        CT_NAVIGATION_LINK_BOTH_WAYS | CT_NAVIGATION_LINK_CLOSED | CT_NAVIGATION_LINK_FOUND;
    if (!check_name(r, "links", i, l->kind_text, l->kind, error))
        return false;
    for (uint32_t k = 0; k < 3; ++k) {
        if (!is_between(l->from[k], -1e7f, 1e7f) || !is_between(l->to[k], -1e7f, 1e7f))
            return ct_error_set(error, "links[%u]: found %g to %g", i, (double)l->from[k],
                                (double)l->to[k]);
    }
    if (!is_between(l->radius, 0, 1e3f) || !is_between(l->cost, 0, 1e7f))
        return ct_error_set(error, "links[%u]: found radius %g, cost %g", i, (double)l->radius,
                            (double)l->cost);
    return (l->area < r->areas.count && l->classes >> r->classes.count == 0 &&
            (l->flags & ~flags) == 0) ||
           ct_error_set(error, "links[%u]: found area %u of %u, classes 0x%x, flags %u", i, l->area,
                        r->areas.count, l->classes, l->flags);
}

bool ct_navigation_resource_check(const void *blob, ct_error *error) {
    const ct_navigation_resource *const r = blob;
    if (!is_between(r->tile_size, 0.01f, 1e5f) || !is_between(r->cell_size, 1e-3f, 1e4f) ||
        !is_between(r->cell_height, 1e-3f, 1e4f))
        return ct_error_set(error, "found tile_size %g, cell_size %g, cell_height %g",
                            (double)r->tile_size, (double)r->cell_size, (double)r->cell_height);
    if (r->classes.count == 0 || r->classes.count > CT_NAVIGATION_MAX_CLASSES ||
        r->areas.count == 0 || r->areas.count > CT_NAVIGATION_MAX_AREAS ||
        r->links.count > CT_NAVIGATION_MAX_LINKS)
        return ct_error_set(error,
                            "found %u classes, %u areas, %u links, expected 1 to %d, 1 to %d and "
                            "at most %d",
                            r->classes.count, r->areas.count, r->links.count,
                            CT_NAVIGATION_MAX_CLASSES, CT_NAVIGATION_MAX_AREAS,
                            CT_NAVIGATION_MAX_LINKS);
    for (uint32_t i = 0; i < r->areas.count; ++i) {
        if (!check_area(r, i, error))
            return false;
    }
    for (uint32_t i = 0; i < r->classes.count; ++i) {
        if (!check_class(r, i, error))
            return false;
    }
    for (uint32_t i = 0; i < r->links.count; ++i) {
        if (!check_link(r, i, error))
            return false;
    }
    return true;
}

bool ct_navigation_validate(const void *blob, ct_error *error) {
    return ct_blob_check_layout(&ct_navigation_layout, blob, error) &&
           ct_navigation_resource_check(blob, error);
}
