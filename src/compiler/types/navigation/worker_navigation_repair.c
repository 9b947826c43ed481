// Polygons that Recast could not make convex. They are rare: one in 5,000 in a soup of random triangles,
// fewer in levels.
#include "compiler/types/navigation/worker_navigation_tile.h"

#include <string.h>

typedef struct repairer {
    ct_allocator *a;
    const ct_worker_navigation_input *input;
    ct_recast_result *r;
} repairer;

int32_t ct_worker_navigation_turn(const ct_recast_result *r, uint16_t a, uint16_t b, uint16_t c) {
    const uint16_t *const p = r->vertices[a], *const q = r->vertices[b], *const s = r->vertices[c];
    return ((int32_t)q[0] - p[0]) * ((int32_t)s[1] - p[1]) -
           ((int32_t)q[1] - p[1]) * ((int32_t)s[0] - p[0]);
}

bool ct_worker_navigation_is_convex(const ct_recast_result *r, const ct_recast_polygon *p) {
    int32_t area = 0;
    if (p->num_edges < 3 || p->num_triangles == 0)
        return false;
    for (uint32_t i = 0; i < p->num_edges; ++i) {
        const uint16_t a = p->vertices[i], b = p->vertices[(i + 1) % p->num_edges];
        if (r->vertices[a][0] == r->vertices[b][0] && r->vertices[a][1] == r->vertices[b][1])
            return false;
        for (uint32_t k = 0; k < p->num_edges; ++k) {
            if (ct_worker_navigation_turn(r, a, b, p->vertices[k]) < 0)
                return false;
        }
        area += ct_worker_navigation_turn(r, p->vertices[0], a, b);
    }
    return area > 0;
}

// --- Edges ---------------------------------------------------------------------------------------

// The edge of a polygon from vertex `a` to `b`; CT_RECAST_EDGE_ROOM: there is no such edge.
static uint32_t find_edge(const ct_recast_polygon *p, uint16_t a, uint16_t b) {
    for (uint32_t i = 0; i < p->num_edges; ++i) {
        if (p->vertices[i] == a && p->vertices[(i + 1) % p->num_edges] == b)
            return i;
    }
    return CT_RECAST_EDGE_ROOM;
}

// Makes the polygon beyond the edge from `a` to `b` of another lead to `to` there.
static void lead_back(const repairer *f, uint16_t beyond, uint16_t a, uint16_t b, uint16_t to) {
    if (beyond >= f->r->num_polygons)
        return;
    ct_recast_polygon *const p = &f->r->polygons[beyond];
    const uint32_t edge = find_edge(p, b, a);
    if (edge < CT_RECAST_EDGE_ROOM)
        p->leads_to[edge] = to;
}

// --- Cutting -------------------------------------------------------------------------------------

// Room for more polygons, each with a triangle of its own as its surface.
static void grow(const repairer *f, uint32_t count) {
    ct_recast_result *const r = f->r;
    ct_recast_polygon *const polygons =
        CT_NEW_ARRAY(f->a, ct_recast_polygon, r->num_polygons + count);
    float(*const vertices)[3] =
        ct_alloc(f->a, sizeof(*vertices) * (r->num_surface_vertices + 3ull * count));
    uint8_t(*const triangles)[3] = ct_alloc(f->a, sizeof(*triangles) * (r->num_triangles + count));
    memcpy(polygons, r->polygons, sizeof(*polygons) * r->num_polygons);
    memcpy(vertices, r->surface_vertices, sizeof(*vertices) * r->num_surface_vertices);
    memcpy(triangles, r->triangles, sizeof(*triangles) * r->num_triangles);
    ct_free(f->a, r->polygons);
    ct_free(f->a, r->surface_vertices);
    ct_free(f->a, r->triangles);
    r->polygons = polygons;
    r->surface_vertices = vertices;
    r->triangles = triangles;
}

// Gives a polygon of three edges the triangle of its vertices as its surface.
static void set_surface(const repairer *f, ct_recast_polygon *p) {
    const ct_navigation_source *const s = &f->input->n->source;
    ct_recast_result *const r = f->r;
    p->first_vertex = r->num_surface_vertices;
    p->first_triangle = r->num_triangles;
    p->num_triangles = 1;
    for (uint32_t i = 0; i < 3; ++i) {
        const uint16_t *const from = r->vertices[p->vertices[i]];
        float *const to = r->surface_vertices[r->num_surface_vertices++];
        to[0] = (float)from[0] * s->cell_size;
        to[1] = (float)from[1] * s->cell_size;
        to[2] = ((float)from[2] + 1) * s->cell_height; // as Recast has it
        r->triangles[r->num_triangles][i] = (uint8_t)i;
    }
    ++r->num_triangles;
}

// The corner that can be cut off: its triangle turns left, and no other corner is in it.
static uint32_t find_ear(const ct_recast_result *r, const ct_recast_polygon *p) {
    for (uint32_t i = 0; i < p->num_edges; ++i) {
        const uint16_t a = p->vertices[(i + p->num_edges - 1) % p->num_edges], b = p->vertices[i],
                       c = p->vertices[(i + 1) % p->num_edges];
        bool is_ear = ct_worker_navigation_turn(r, a, b, c) > 0;
        for (uint32_t k = 0; k < p->num_edges && is_ear; ++k) {
            const uint16_t v = p->vertices[k];
            is_ear = v == a || v == b || v == c || ct_worker_navigation_turn(r, a, b, v) < 0 ||
                     ct_worker_navigation_turn(r, b, c, v) < 0 ||
                     ct_worker_navigation_turn(r, c, a, v) < 0;
        }
        if (is_ear)
            return i;
    }
    return CT_RECAST_EDGE_ROOM;
}

static void remove_corner(ct_recast_polygon *p, uint32_t i) {
    for (uint32_t k = i; k + 1 < p->num_edges; ++k) {
        p->vertices[k] = p->vertices[k + 1];
        p->leads_to[k] = p->leads_to[k + 1];
    }
    --p->num_edges;
}

// Cuts a corner off polygon `number`, as a new polygon.
static void cut_ear(const repairer *f, uint16_t number, uint32_t i) {
    ct_recast_result *const r = f->r;
    const uint16_t own = (uint16_t)r->num_polygons++;
    ct_recast_polygon *const p = &r->polygons[number], *const ear = &r->polygons[own];
    const uint32_t before = (i + p->num_edges - 1) % p->num_edges, after = (i + 1) % p->num_edges;
    *ear = (ct_recast_polygon){.num_edges = 3, .area = p->area};
    ear->vertices[0] = p->vertices[before];
    ear->vertices[1] = p->vertices[i];
    ear->vertices[2] = p->vertices[after];
    ear->leads_to[0] = p->leads_to[before];
    ear->leads_to[1] = p->leads_to[i];
    ear->leads_to[2] = number;
    set_surface(f, ear);
    lead_back(f, ear->leads_to[0], ear->vertices[0], ear->vertices[1], own);
    lead_back(f, ear->leads_to[1], ear->vertices[1], ear->vertices[2], own);
    p->leads_to[before] = own;
    remove_corner(p, i);
}

static void cut_polygon(const repairer *f, uint16_t number) {
    while (f->r->polygons[number].num_edges > 3) {
        const uint32_t ear = find_ear(f->r, &f->r->polygons[number]);
        if (ear == CT_RECAST_EDGE_ROOM)
            return;
        cut_ear(f, number, ear);
    }
    set_surface(f, &f->r->polygons[number]);
}

// --- Flat triangles ------------------------------------------------------------------------------

static bool is_between(const ct_recast_result *r, uint16_t v, uint16_t a, uint16_t b) {
    const uint16_t *const p = r->vertices[v], *const q = r->vertices[a], *const s = r->vertices[b];
    const int32_t along = ((int32_t)q[0] - p[0]) * ((int32_t)s[0] - p[0]) +
                          ((int32_t)q[1] - p[1]) * ((int32_t)s[1] - p[1]);
    return along < 0;
}

// Puts a vertex on an edge of a polygon, whose two parts lead to `first` and `second`.
static void insert_corner(ct_recast_polygon *p, uint32_t edge, uint16_t vertex, uint16_t first,
                          uint16_t second) {
    for (uint32_t k = p->num_edges; k > edge + 1; --k) {
        p->vertices[k] = p->vertices[k - 1];
        p->leads_to[k] = p->leads_to[k - 1];
    }
    p->vertices[edge + 1] = vertex;
    p->leads_to[edge + 1] = second;
    p->leads_to[edge] = first;
    ++p->num_edges;
}

// A flat triangle has a long edge, and a corner on it. What is beyond the long edge gets the corner, and
// leads to what is beyond the two short ones. The triangle becomes empty.
static void close_flat(const repairer *f, uint16_t number) {
    ct_recast_polygon *const p = &f->r->polygons[number];
    uint32_t i = 0;
    while (i < 3 &&
           !is_between(f->r, p->vertices[i], p->vertices[(i + 1) % 3], p->vertices[(i + 2) % 3]))
        ++i;
    if (i == 3)
        return;
    const uint16_t corner = p->vertices[i], right = p->vertices[(i + 1) % 3],
                   left = p->vertices[(i + 2) % 3];
    const uint16_t to_right = p->leads_to[i], beyond = p->leads_to[(i + 1) % 3],
                   to_left = p->leads_to[(i + 2) % 3];
    uint16_t now = beyond;
    if (beyond < f->r->num_polygons) {
        ct_recast_polygon *const other = &f->r->polygons[beyond];
        const uint32_t edge = find_edge(other, left, right);
        if (edge == CT_RECAST_EDGE_ROOM || other->num_edges == CT_RECAST_EDGE_ROOM)
            return;
        insert_corner(other, edge, corner, to_left, to_right);
        now = beyond;
    }
    lead_back(f, to_left, left, corner, now);
    lead_back(f, to_right, corner, right, now);
    p->num_edges = 0;
}

// --- The whole -----------------------------------------------------------------------------------

void ct_worker_navigation_repair(ct_allocator *a, const ct_worker_navigation_input *input,
                                 ct_recast_result *r) {
    const repairer f = {a, input, r};
    const uint32_t count = r->num_polygons;
    uint32_t num_bad = 0;
    for (uint32_t i = 0; i < count; ++i)
        num_bad += !ct_worker_navigation_is_convex(r, &r->polygons[i]);
    if (num_bad == 0 || count + num_bad * CT_RECAST_MAX_POLYGON_EDGES > CT_NAVIGATION_MAX_POLYGONS)
        return; // too many are an error later
    grow(&f, num_bad * CT_RECAST_MAX_POLYGON_EDGES);
    for (uint32_t i = 0; i < count; ++i) {
        if (r->polygons[i].num_edges > 3 && !ct_worker_navigation_is_convex(r, &r->polygons[i]))
            cut_polygon(&f, (uint16_t)i);
    }
    for (uint32_t i = 0; i < r->num_polygons; ++i) {
        const ct_recast_polygon *const p = &r->polygons[i];
        if (p->num_edges == 3 &&
            ct_worker_navigation_turn(r, p->vertices[0], p->vertices[1], p->vertices[2]) == 0)
            close_flat(&f, (uint16_t)i);
    }
}
