// Finds pieces of edges without a way around a point.
#include "navigation/agents/navigation_walls.h"

#include <math.h>

#include "foundation/math/math.h"

enum { MAX_FACES = 12 };

static const float AT_WALL = 1e-4f;   // metres
static const float AT_END = 1e-3f;    // metres from the end of a wall
static const float SAME_WALL = 0.98f; // cosine of the angle between half planes that are the same

typedef struct gathering {
    const ct_navigation_tile *tiles;
    const ct_navigation_filter *filter;
    ct_vec3 position;
    float reach;
    uint32_t num_faces, num_walls;
    ct_navigation_place faces[MAX_FACES];
    ct_vec2 normals[CT_NAVIGATION_MAX_WALLS]; // away from the wall
    float distances[CT_NAVIGATION_MAX_WALLS]; // nearest first
} gathering;

static float flat_dot(float ax, float ay, float bx, float by) {
    return ax * bx + ay * by;
}

// The part of the way along a to b, 0 to 1, that is nearest to p.
static float along(ct_vec3 a, ct_vec3 b, ct_vec3 p) {
    const float x = b.x - a.x, y = b.y - a.y;
    const float squared = x * x + y * y;
    const float t = squared > 0 ? flat_dot(p.x - a.x, p.y - a.y, x, y) / squared : 0;
    return fminf(fmaxf(t, 0), 1);
}

static float distance_to(ct_vec3 a, ct_vec3 b, ct_vec3 p) {
    const float t = along(a, b, p);
    const float x = a.x + (b.x - a.x) * t - p.x, y = a.y + (b.y - a.y) * t - p.y;
    return sqrtf(x * x + y * y);
}

static void add_wall(gathering *g, ct_vec2 normal, float distance) {
    for (uint32_t i = 0; i < g->num_walls; ++i)
        if (flat_dot(normal.x, normal.y, g->normals[i].x, g->normals[i].y) > SAME_WALL &&
            g->distances[i] <= distance)
            return;
    uint32_t i = g->num_walls;
    if (i == CT_NAVIGATION_MAX_WALLS) {
        if (distance >= g->distances[i - 1])
            return;
        --i;
    } else {
        ++g->num_walls;
    }
    for (; i > 0 && g->distances[i - 1] > distance; --i) {
        g->distances[i] = g->distances[i - 1];
        g->normals[i] = g->normals[i - 1];
    }
    g->distances[i] = distance;
    g->normals[i] = normal;
}

// The piece of the edge a to b between two parts of it is a wall. `a` to `b` has the inside on its left. One
// that is at the end of a wall may go around it, or along the other wall there: ct_navigation_slide does that.
static void add_piece(gathering *g, ct_vec3 a, ct_vec3 b, float first, float last) {
    if (last - first < 1e-4f)
        return;
    const ct_vec3 from = ct_vec3_lerp(a, b, first), to = ct_vec3_lerp(a, b, last);
    const float t = along(from, to, g->position);
    const float x = g->position.x - (from.x + (to.x - from.x) * t);
    const float y = g->position.y - (from.y + (to.y - from.y) * t);
    const float distance = sqrtf(x * x + y * y);
    if (distance > g->reach)
        return;
    const float edge_x = b.x - a.x, edge_y = b.y - a.y;
    const float side = edge_x * (g->position.y - a.y) - edge_y * (g->position.x - a.x);
    const float length = sqrtf(edge_x * edge_x + edge_y * edge_y);
    const float piece = length * (last - first);
    const bool is_at_end = distance <= AT_WALL && fminf(t, 1 - t) * piece <= AT_END;
    if (is_at_end)
        return;
    if (side < -AT_WALL * length || length <= 0)
        return; // seen from behind
    if (distance > AT_WALL)
        add_wall(g, ct_vec2_make(x / distance, y / distance), distance);
    else
        add_wall(g, ct_vec2_make(-edge_y / length, edge_x / length), 0);
}

static bool leads_on(const gathering *g, const ct_navigation_way *way) {
    if (!way->to || way->link)
        return false;
    const uint8_t area = ct_navigation_face_at(g->tiles, way->to)->area;
    return isfinite(g->filter->costs[area % CT_NAVIGATION_MAX_AREAS]);
}

// What the ways of an edge leave is wall. The faces beyond ways that are near are looked at later.
static void look_at_edge(gathering *g, const ct_navigation_tile *t, const ct_navigation_face *face,
                         uint32_t edge, ct_vec3 a, ct_vec3 b) {
    float covered = 0;
    while (covered < 1) {
        // The way that starts next, and how far ways that start before go.
        float next = 1, end = covered;
        for (uint32_t i = 0; i < face->num_ways; ++i) {
            const ct_navigation_way *const way = &t->ways[face->first_way + i];
            if (way->edge != edge || !leads_on(g, way))
                continue;
            const float from = along(a, b, way->right), to = along(a, b, way->left);
            const float low = fminf(from, to), high = fmaxf(from, to);
            if (low <= covered + 1e-4f)
                end = fmaxf(end, high);
            else
                next = fminf(next, low);
        }
        if (end > covered) {
            covered = end;
            continue;
        }
        add_piece(g, a, b, covered, next);
        covered = next;
    }
    for (uint32_t i = 0; i < face->num_ways && g->num_faces < MAX_FACES; ++i) {
        const ct_navigation_way *const way = &t->ways[face->first_way + i];
        if (way->edge != edge || !leads_on(g, way) ||
            distance_to(way->left, way->right, g->position) > g->reach)
            continue;
        bool is_known = false;
        for (uint32_t k = 0; k < g->num_faces; ++k)
            is_known |= g->faces[k] == way->to;
        if (!is_known)
            g->faces[g->num_faces++] = way->to;
    }
}

uint32_t ct_navigation_walls_around(const ct_navigation_mesh *m, const ct_navigation_filter *filter,
                                    ct_navigation_place place, ct_vec3 position, float reach,
                                    float seconds, ct_navigation_half_plane *planes) {
    uint32_t num_slots;
    gathering g = {.tiles = ct_navigation_tiles(m, &num_slots),
                   .filter = filter,
                   .position = position,
                   .reach = reach,
                   .num_faces = 1,
                   .faces = {place}};
    for (uint32_t i = 0; i < g.num_faces; ++i) {
        const ct_navigation_tile *const t = &g.tiles[ct_navigation_slot_of(g.faces[i])];
        const ct_navigation_face *const face = &t->faces[ct_navigation_number_of(g.faces[i])];
        for (uint32_t e = 0; e < face->num_edges; ++e) {
            const uint32_t next = e + 1 < face->num_edges ? e + 1 : 0;
            const ct_vec3 a = t->vertices[t->edges[face->first_edge + e]];
            const ct_vec3 b = t->vertices[t->edges[face->first_edge + next]];
            if (distance_to(a, b, position) <= reach)
                look_at_edge(&g, t, face, e, a, b);
        }
    }
    for (uint32_t i = 0; i < g.num_walls; ++i)
        planes[i] =
            (ct_navigation_half_plane){ct_vec2_make(-g.normals[i].x * g.distances[i] / seconds,
                                                    -g.normals[i].y * g.distances[i] / seconds),
                                       ct_vec2_make(g.normals[i].y, -g.normals[i].x)};
    return g.num_walls;
}
