// navigation_random.c: random points of a mesh.
#include <math.h>

#include "foundation/math/math.h"
#include "foundation/math/random.h"
#include "navigation/path/navigation_geometry.h"
#include "navigation/path/navigation_walk.h"

// Chooses one of several polygons, each as likely as its area.
typedef struct choice {
    ct_random random;
    ct_navigation_place place;
    float sum;
} choice;

// Square metres, from above.
static float area_of(const ct_navigation_tile *t, const ct_navigation_face *face) {
    double twice = 0;
    const ct_vec3 first = t->vertices[t->edges[face->first_edge]];
    for (uint32_t e = 1; e + 1 < face->num_edges; ++e)
        twice += ct_navigation_turn(first, t->vertices[t->edges[face->first_edge + e]],
                                    t->vertices[t->edges[face->first_edge + e + 1]]);
    return twice > 0 ? (float)twice * 0.5f : 0;
}

static bool is_allowed(const ct_navigation_filter *filter, const ct_navigation_face *face) {
    return !filter || isfinite(filter->costs[face->area % CT_NAVIGATION_MAX_AREAS]);
}

static void offer(choice *c, const ct_navigation_tile *tiles, ct_navigation_place p) {
    const ct_navigation_tile *const t = &tiles[ct_navigation_slot_of(p)];
    const float area = area_of(t, &t->faces[ct_navigation_number_of(p)]);
    if (area <= 0)
        return;
    c->sum += area;
    if (!c->place || ct_random_float(&c->random) * c->sum < area)
        c->place = p;
}

static void offer_island(choice *c, const ct_navigation_mesh *m, const ct_navigation_filter *filter,
                         ct_navigation_place start) {
    uint32_t num_slots;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(m, &num_slots);
    for (uint32_t slot = 1; slot < num_slots; ++slot)
        for (uint32_t i = 0; tiles[slot].version && i < tiles[slot].num_faces; ++i) {
            const ct_navigation_place p = CT_NAVIGATION_PLACE(slot, i);
            if (is_allowed(filter, &tiles[slot].faces[i]) &&
                ct_navigation_is_connected(m, start, p))
                offer(c, tiles, p);
        }
}

// Polygons in the order of their distance, by the nearest points of ways.
static void offer_near(choice *c, ct_navigation_search *s, const ct_navigation_filter *filter,
                       ct_navigation_place start, ct_vec3 from, float radius) {
    ct_array_push(&s->nodes, (ct_navigation_node){.root = from, .polygon = start});
    ct_navigation_heap_push(&s->open, 0, 0);
    while (s->open.count) {
        const uint32_t index = ct_navigation_heap_pop(&s->open).value;
        const ct_navigation_node n = s->nodes.items[index];
        if (ct_navigation_table_add(&s->way_table, s->allocator, n.polygon, index) != UINT32_MAX)
            continue;
        offer(c, s->tiles, n.polygon);
        const ct_navigation_tile *const t = &s->tiles[ct_navigation_slot_of(n.polygon)];
        const ct_navigation_face *const face = &t->faces[ct_navigation_number_of(n.polygon)];
        for (uint32_t i = 0; i < face->num_ways; ++i) {
            const ct_navigation_way *const w = &t->ways[face->first_way + i];
            if (!ct_navigation_may_enter(s->tiles, filter, w))
                continue;
            const ct_vec3 at = ct_navigation_nearest_of(w->right, w->left, n.root);
            const float cost = n.cost + ct_navigation_distance(n.root, at);
            if (cost > radius)
                continue;
            ct_array_push(&s->nodes,
                          (ct_navigation_node){.root = at, .cost = cost, .polygon = w->to});
            ct_navigation_heap_push(&s->open, cost, s->nodes.count - 1);
        }
    }
}

static ct_vec3 point_in(choice *c, const ct_navigation_tile *tiles) {
    const ct_navigation_tile *const t = &tiles[ct_navigation_slot_of(c->place)];
    const ct_navigation_face *const face = &t->faces[ct_navigation_number_of(c->place)];
    const uint16_t *const edges = t->edges + face->first_edge;
    const ct_vec3 first = t->vertices[edges[0]];
    ct_vec3 a = first, b = first;
    double sum = 0;
    for (uint32_t e = 1; e + 1 < face->num_edges; ++e) {
        const ct_vec3 next = t->vertices[edges[e]], after = t->vertices[edges[e + 1]];
        const double area = fabs(ct_navigation_turn(first, next, after));
        sum += area;
        if (ct_random_double(&c->random) * sum < area || e == 1) {
            a = next;
            b = after;
        }
    }
    const float u = sqrtf(ct_random_float(&c->random)), v = ct_random_float(&c->random);
    return ct_vec3_lerp(first, ct_vec3_lerp(a, b, v), u);
}

ct_navigation_place ct_navigation_random(ct_navigation_search *s, const ct_navigation_mesh *m,
                                         const ct_navigation_filter *filter,
                                         ct_navigation_place start, ct_vec3 from, float radius,
                                         uint64_t *random, ct_vec3 *at) {
    *at = from;
    if (!ct_navigation_is_live(m, start) || !ct_navigation_is_finite(from) || isnan(radius))
        return 0;
    ct_navigation_search_clear(s, m);
    choice c = {.random = {*random, 1}};
    if (radius > 0)
        offer_near(&c, s, filter, start, from, radius);
    else
        offer_island(&c, m, filter, start);
    if (c.place) {
        *at = point_in(&c, s->tiles);
        at->z = ct_navigation_height(m, c.place, *at);
    }
    *random = c.random.state;
    return c.place;
}
