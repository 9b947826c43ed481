// navigation_ray.c: straight lines along the mesh.
#include <math.h>

#include "foundation/math/math.h"
#include "navigation/path/navigation_geometry.h"
#include "navigation/path/navigation_walk.h"

enum { MAX_VISITED = 24, MAX_STEPS = 1 << 16 };

static const float TOUCHING = 1e-3f; // metres within which a line meets an edge

typedef struct walk {
    const ct_navigation_tile *tiles;
    const ct_navigation_filter *filter;
    ct_vec3 from, to;
    float t;                                  // how far it is
    ct_navigation_place visited[MAX_VISITED]; // that touch the point at `t`
    uint32_t num_visited;
} walk;

// Where the line leaves a polygon that it enters or touches; 2: it ends inside. Sets the edge.
static float leaves(const walk *k, ct_navigation_place p, uint32_t *edge) {
    const ct_navigation_tile *const t = &k->tiles[ct_navigation_slot_of(p)];
    const ct_navigation_face *const face = &t->faces[ct_navigation_number_of(p)];
    float least = 2;
    ct_vec3 b = t->vertices[t->edges[face->first_edge]];
    const ct_vec3 first = b;
    for (uint32_t e = 0; e < face->num_edges; ++e) {
        const ct_vec3 a = b;
        b = e + 1u < face->num_edges ? t->vertices[t->edges[face->first_edge + e + 1]] : first;
        const double outside = ct_navigation_turn(a, b, k->to);
        const float length = fabsf(b.x - a.x) + fabsf(b.y - a.y);
        if (outside >= -(double)(CT_NAVIGATION_NEAR * length))
            continue;
        const double inside = ct_navigation_turn(a, b, k->from);
        const float at = inside <= 0 ? 0 : (float)(inside / (inside - outside));
        if (at < least) {
            least = at;
            *edge = e;
        }
    }
    return least;
}

static bool was_visited(const walk *k, ct_navigation_place p) {
    for (uint32_t i = 0; i < k->num_visited; ++i)
        if (k->visited[i] == p)
            return true;
    return false;
}

bool ct_navigation_may_enter(const ct_navigation_tile *tiles, const ct_navigation_filter *filter,
                             const ct_navigation_way *w) {
    if (!w->to || w->link)
        return false;
    const uint8_t area = ct_navigation_face_at(tiles, w->to)->area;
    return !filter || isfinite(filter->costs[area % CT_NAVIGATION_MAX_AREAS]);
}

// The polygon beside that the line goes through farthest, of those that touch `at`; 0: a wall.
static ct_navigation_place next_of(walk *k, ct_navigation_place p, ct_vec3 at) {
    const ct_navigation_tile *const t = &k->tiles[ct_navigation_slot_of(p)];
    const ct_navigation_face *const face = &t->faces[ct_navigation_number_of(p)];
    ct_navigation_place best = 0;
    float farthest = -1;
    for (uint32_t i = 0; i < face->num_ways; ++i) {
        const ct_navigation_way *const w = &t->ways[face->first_way + i];
        if (!ct_navigation_may_enter(k->tiles, k->filter, w))
            continue;
        const ct_vec3 on = ct_navigation_nearest_of(w->right, w->left, at);
        if (ct_navigation_flat_distance(on, at) > TOUCHING || was_visited(k, w->to))
            continue;
        uint32_t edge;
        const float far = leaves(k, w->to, &edge);
        if (far > farthest) {
            farthest = far;
            best = w->to;
        }
    }
    return best;
}

static ct_vec3 normal_of(const walk *k, ct_navigation_place p, uint32_t edge) {
    const ct_navigation_tile *const t = &k->tiles[ct_navigation_slot_of(p)];
    const ct_navigation_face *const face = &t->faces[ct_navigation_number_of(p)];
    const uint32_t next = edge + 1 < face->num_edges ? edge + 1 : 0;
    const ct_vec3 a = t->vertices[t->edges[face->first_edge + edge]];
    const ct_vec3 b = t->vertices[t->edges[face->first_edge + next]];
    return ct_vec3_normalize(ct_vec3_make(a.y - b.y, b.x - a.x, 0));
}

bool ct_navigation_ray(const ct_navigation_mesh *m, const ct_navigation_filter *filter,
                       ct_navigation_place start, ct_vec3 from, ct_vec3 to,
                       ct_navigation_place *end, ct_vec3 *at, ct_vec3 *normal) {
    *end = start;
    *at = from;
    *normal = ct_vec3_make(0, 0, 0);
    if (!ct_navigation_is_live(m, start) || !ct_navigation_is_finite(from) ||
        !ct_navigation_is_finite(to))
        return false;
    uint32_t num_slots;
    walk k = {ct_navigation_tiles(m, &num_slots), filter, from, to, 0, {start}, 1};
    const float tiny = CT_NAVIGATION_NEAR / (ct_navigation_flat_distance(from, to) + 1e-6f);
    ct_navigation_place p = start;
    float reached = 0;
    for (uint32_t i = 0; i < MAX_STEPS; ++i) {
        uint32_t edge = 0;
        const float out = leaves(&k, p, &edge);
        if (out > reached) {
            reached = out;
            *end = p;
        }
        if (out > 1) {
            *end = p;
            *at = to;
            at->z = ct_navigation_height(m, p, to);
            return true;
        }
        if (out > k.t + tiny) {
            k.t = out;
            k.visited[0] = p;
            k.num_visited = 1;
        }
        const ct_vec3 here = ct_vec3_lerp(from, to, k.t);
        const ct_navigation_place next = k.num_visited < MAX_VISITED ? next_of(&k, p, here) : 0;
        if (!next) {
            *at = here;
            at->z = ct_navigation_height(m, *end, here);
            *normal = normal_of(&k, p, edge);
            return false;
        }
        k.visited[k.num_visited++] = next;
        p = next;
    }
    return false;
}
