// navigation_mesh_checks.h: what holds for each navigation mesh, and whether two are the same.
#pragma once
#include <math.h>

#include "foundation/math/math.h"
#include "navigation/navigation_fixture.h"
#include "navigation/navigation_mesh.h"
#include "support/test_support.h"

static inline ct_navigation_mesh *navigation_checks_mesh(const ct_navigation_resource *r) {
    return ct_navigation_mesh_create(
        &(ct_navigation_mesh_desc){.allocator = test_heap(), .resource = r});
}

static inline const ct_navigation_tile *navigation_checks_tiles(const ct_navigation_mesh *m,
                                                                uint32_t *count) {
    return ct_navigation_tiles(m, count);
}

static inline double navigation_checks_face_area(const ct_navigation_tile *t,
                                                 const ct_navigation_face *f) {
    double sum = 0;
    const ct_vec3 o = t->vertices[t->edges[f->first_edge]];
    for (uint32_t i = 1; i + 1u < f->num_edges; ++i) {
        const ct_vec3 a = t->vertices[t->edges[f->first_edge + i]];
        const ct_vec3 b = t->vertices[t->edges[f->first_edge + i + 1]];
        sum +=
            ((double)a.x - o.x) * ((double)b.y - o.y) - ((double)a.y - o.y) * ((double)b.x - o.x);
    }
    return sum * 0.5;
}

// Square metres of all faces of an area (-1: of all).
static inline double navigation_checks_area(const ct_navigation_mesh *m, int area) {
    uint32_t count;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(m, &count);
    double sum = 0;
    for (uint32_t i = 1; i < count; ++i)
        for (uint32_t k = 0; k < tiles[i].num_faces; ++k)
            if (area < 0 || tiles[i].faces[k].area == area)
                sum += navigation_checks_face_area(&tiles[i], &tiles[i].faces[k]);
    return sum;
}

static inline bool navigation_checks_same_point(ct_vec3 a, ct_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Every way over an edge is on that edge, and has one way back, with the same opening.
static inline void navigation_checks_way(const ct_navigation_tile *tiles, uint32_t slot,
                                         uint32_t face, const ct_navigation_way *w) {
    const ct_navigation_tile *const t = &tiles[slot];
    const ct_navigation_face *const f = &t->faces[face];
    const ct_navigation_face *const to = ct_navigation_face_at(tiles, w->to);
    assert_true(w->edge < f->num_edges);
    const ct_vec3 a = t->vertices[t->edges[f->first_edge + w->edge]];
    const ct_vec3 b = t->vertices[t->edges[f->first_edge + (w->edge + 1u) % f->num_edges]];
    const double dx = (double)b.x - a.x, dy = (double)b.y - a.y, length = sqrt(dx * dx + dy * dy);
    const double from = ((w->right.x - a.x) * dx + (w->right.y - a.y) * dy) / length;
    const double until = ((w->left.x - a.x) * dx + (w->left.y - a.y) * dy) / length;
    assert_true(from >= -1e-3 && until <= length + 1e-3 && from < until);
    assert_true(fabs((w->left.x - a.x) * dy - (w->left.y - a.y) * dx) / length < 1e-3);
    assert_true(fabs((w->right.x - a.x) * dy - (w->right.y - a.y) * dx) / length < 1e-3);
    const ct_navigation_tile *const other = &tiles[ct_navigation_slot_of(w->to)];
    uint32_t found = 0;
    for (uint32_t i = 0; i < to->num_ways; ++i) {
        const ct_navigation_way *const back = &other->ways[to->first_way + i];
        found += back->link == 0 && back->to == CT_NAVIGATION_PLACE(slot, face) &&
                 navigation_checks_same_point(back->left, w->right) &&
                 navigation_checks_same_point(back->right, w->left);
    }
    assert_int_equal(found, 1);
    if (ct_navigation_slot_of(w->to) == slot)
        assert_int_equal(f->region, to->region);
}

static inline void navigation_checks_crossings(const ct_navigation_tile *tiles, uint32_t slot) {
    const ct_navigation_tile *const t = &tiles[slot];
    uint32_t crossings = 0, lengths = 0;
    for (uint32_t r = 0; r < t->num_regions; ++r) {
        const ct_navigation_region *const region = &t->regions[r];
        const uint32_t n = region->num_crossings;
        assert_int_equal(region->first_crossing, crossings);
        assert_int_equal(t->first_length[r], lengths);
        const float *const length = t->crossing_lengths + lengths;
        for (uint32_t i = 0; i < n; ++i) {
            const ct_navigation_crossing *const a = &t->crossings[crossings + i];
            assert_int_equal(t->faces[a->polygon].region, r);
            assert_true(a->to_region < tiles[a->to_slot].num_regions);
            assert_int_equal(tiles[a->to_slot].regions[a->to_region].island, region->island);
            for (uint32_t k = 0; k < n; ++k) {
                const ct_vec3 way = ct_vec3_sub(t->crossings[crossings + k].middle, a->middle);
                assert_true(length[i * n + k] >= ct_vec3_length(way) * 0.9999f - 1e-4f);
                assert_true(length[i * n + k] == length[k * n + i]);
                assert_true(length[i * n + k] < 1e6f);
            }
        }
        crossings += n;
        lengths += n * n;
    }
    assert_int_equal(crossings, t->num_crossings);
}

static inline void navigation_checks_faces(const ct_navigation_tile *t) {
    uint32_t ways = 0, edges = 0;
    for (uint32_t i = 0; i < t->num_faces; ++i) {
        const ct_navigation_face *const f = &t->faces[i];
        assert_true(f->num_ways == 0 || f->first_way == ways);
        assert_int_equal(f->first_edge, edges);
        assert_true(f->num_edges >= 3);
        assert_true(f->region < t->num_regions);
        ways += f->num_ways;
        edges += f->num_edges;
        for (uint32_t k = 0; k < f->num_edges; ++k)
            assert_true(t->edges[f->first_edge + k] < t->num_vertices);
    }
    assert_int_equal(ways, t->num_ways);
    assert_int_equal(edges, t->num_edges);
}

static inline uint32_t navigation_checks_root(uint32_t *parents, uint32_t i) {
    while (parents[i] != i)
        i = parents[i] = parents[parents[i]];
    return i;
}

// Islands are what a search over all ways, in both directions, connects.
static inline void navigation_checks_islands(const ct_navigation_tile *tiles, uint32_t count) {
    uint32_t *const first = calloc(count + 1, sizeof(uint32_t));
    for (uint32_t i = 1; i < count; ++i)
        first[i + 1] = first[i] + tiles[i].num_faces;
    const uint32_t total = first[count];
    uint32_t *const parents = calloc(total + 1, sizeof(uint32_t));
    uint32_t *const islands = calloc(total + 1, sizeof(uint32_t));
    for (uint32_t i = 0; i < total; ++i)
        parents[i] = i;
    for (uint32_t i = 1; i < count; ++i)
        for (uint32_t k = 0; k < tiles[i].num_faces; ++k)
            for (uint32_t w = 0; w < tiles[i].faces[k].num_ways; ++w) {
                const ct_navigation_place to = tiles[i].ways[tiles[i].faces[k].first_way + w].to;
                const uint32_t other =
                    first[ct_navigation_slot_of(to)] + ct_navigation_number_of(to);
                parents[navigation_checks_root(parents, first[i] + k)] =
                    navigation_checks_root(parents, other);
            }
    uint32_t most = 0, roots = 0;
    for (uint32_t i = 1; i < count; ++i)
        for (uint32_t k = 0; k < tiles[i].num_faces; ++k) {
            const uint32_t root = navigation_checks_root(parents, first[i] + k);
            const uint32_t island = tiles[i].regions[tiles[i].faces[k].region].island;
            assert_true(island != 0);
            assert_true(islands[root] == 0 || islands[root] == island);
            roots += islands[root] == 0;
            islands[root] = island;
            most = island > most ? island : most;
        }
    assert_int_equal(most, roots);
    free(first);
    free(parents);
    free(islands);
}

// The length from a point of a face to a crossing, at most `least`: over middles of ways, whose lengths
// are in `distances`.
static inline float navigation_checks_rest(const ct_navigation_tile *t,
                                           const ct_navigation_crossing *to, const float *distances,
                                           uint32_t slot, float least) {
    for (uint32_t i = 0; i < t->num_faces; ++i)
        for (uint32_t k = 0; k < t->faces[i].num_ways; ++k) {
            const uint32_t way = t->faces[i].first_way + k;
            if (t->ways[way].link == 0 &&
                t->ways[way].to == CT_NAVIGATION_PLACE(slot, to->polygon)) {
                const ct_vec3 middle = ct_vec3_lerp(t->ways[way].left, t->ways[way].right, 0.5f);
                least =
                    fminf(least, distances[way] + ct_vec3_length(ct_vec3_sub(middle, to->middle)));
            }
        }
    return least;
}

// Shortens the lengths of ways out of a face. Returns whether any became shorter.
static inline bool navigation_checks_shorten(const ct_navigation_tile *t, uint32_t face, ct_vec3 at,
                                             float distance, float *distances) {
    bool has_shortened = false;
    for (uint32_t k = 0; k < t->faces[face].num_ways; ++k) {
        const uint32_t way = t->faces[face].first_way + k;
        const ct_vec3 middle = ct_vec3_lerp(t->ways[way].left, t->ways[way].right, 0.5f);
        const float length = distance + ct_vec3_length(ct_vec3_sub(middle, at));
        if (length < distances[way]) {
            has_shortened = true;
            distances[way] = length;
        }
    }
    return has_shortened;
}

// Sets the lengths from a crossing to all ways of its tile: shortens them until all are shortest.
static inline void navigation_checks_spread(const ct_navigation_tile *t, uint32_t slot,
                                            const ct_navigation_crossing *from, float *distances) {
    for (uint32_t i = 0; i < t->num_ways; ++i)
        distances[i] = INFINITY;
    navigation_checks_shorten(t, from->polygon, from->middle, 0, distances);
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (uint32_t i = 0; i < t->num_ways; ++i) {
            const ct_navigation_way *const w = &t->ways[i];
            if (distances[i] < INFINITY && w->link == 0 && ct_navigation_slot_of(w->to) == slot)
                goes_on |= navigation_checks_shorten(t, ct_navigation_number_of(w->to),
                                                     ct_vec3_lerp(w->left, w->right, 0.5f),
                                                     distances[i], distances);
        }
    }
}

// Lengths between crossings are those of strings, about at most as long as the shortest ways over middles.
static inline void navigation_checks_lengths(const ct_navigation_mesh *m) {
    uint32_t count;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(m, &count);
    for (uint32_t slot = 1; slot < count; ++slot) {
        const ct_navigation_tile *const t = &tiles[slot];
        float *const distances = calloc(t->num_ways + 1, sizeof(float));
        for (uint32_t r = 0; r < t->num_regions; ++r) {
            const uint32_t n = t->regions[r].num_crossings;
            const ct_navigation_crossing *const c = t->crossings + t->regions[r].first_crossing;
            for (uint32_t i = 0; i < n; ++i) {
                navigation_checks_spread(t, slot, &c[i], distances);
                for (uint32_t k = 0; k < n; ++k) {
                    const float straight =
                        c[i].polygon == c[k].polygon
                            ? ct_vec3_length(ct_vec3_sub(c[k].middle, c[i].middle))
                            : INFINITY;
                    const float most = navigation_checks_rest(t, &c[k], distances, slot, straight);
                    assert_true(t->crossing_lengths[t->first_length[r] + i * n + k] <=
                                most * 1.02f + 1e-3f);
                }
            }
        }
        free(distances);
    }
}

// Checks all that holds for a mesh.
static inline void navigation_checks_all(const ct_navigation_mesh *m) {
    uint32_t count;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(m, &count);
    for (uint32_t i = 1; i < count; ++i) {
        if (tiles[i].version == 0)
            continue;
        navigation_checks_faces(&tiles[i]);
        navigation_checks_crossings(tiles, i);
        for (uint32_t k = 0; k < tiles[i].num_faces; ++k)
            for (uint32_t w = 0; w < tiles[i].faces[k].num_ways; ++w) {
                const ct_navigation_way *const way =
                    &tiles[i].ways[tiles[i].faces[k].first_way + w];
                assert_true(ct_navigation_is_live(m, way->to));
                if (way->link == 0)
                    navigation_checks_way(tiles, i, k, way);
            }
    }
    navigation_checks_islands(tiles, count);
}

// --- Two meshes ----------------------------------------------------------------------------------

static inline uint32_t navigation_checks_find(const ct_navigation_tile *tiles, uint32_t count,
                                              int32_t x, int32_t y) {
    for (uint32_t i = 1; i < count; ++i)
        if (tiles[i].version && tiles[i].x == x && tiles[i].y == y)
            return i;
    return 0;
}

// The crossing of region `r` of `b` that is `c` of `a`; they may lie in another order.
static inline uint32_t navigation_checks_same_crossing(const ct_navigation_tile *a_tiles,
                                                       const ct_navigation_crossing *c,
                                                       const ct_navigation_tile *b_tiles,
                                                       const ct_navigation_tile *b, uint32_t r) {
    const ct_navigation_tile *const to = &a_tiles[c->to_slot];
    for (uint32_t i = 0; i < b->regions[r].num_crossings; ++i) {
        const ct_navigation_crossing *const d = &b->crossings[b->regions[r].first_crossing + i];
        const ct_navigation_tile *const other = &b_tiles[d->to_slot];
        if (d->polygon == c->polygon && d->to_region == c->to_region && other->x == to->x &&
            other->y == to->y && d->is_entry == c->is_entry &&
            memcmp(&d->middle, &c->middle, sizeof(c->middle)) == 0)
            return i;
    }
    return UINT32_MAX;
}

// Lengths do not depend on the order of crossings.
static inline void navigation_checks_same_lengths(const ct_navigation_tile *a_tiles,
                                                  const ct_navigation_tile *a,
                                                  const ct_navigation_tile *b_tiles,
                                                  const ct_navigation_tile *b, uint32_t r) {
    const uint32_t n = a->regions[r].num_crossings;
    const ct_navigation_crossing *const c = a->crossings + a->regions[r].first_crossing;
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t j = navigation_checks_same_crossing(a_tiles, &c[i], b_tiles, b, r);
        assert_true(j < n);
        for (uint32_t k = 0; k < i; ++k) {
            const uint32_t l = navigation_checks_same_crossing(a_tiles, &c[k], b_tiles, b, r);
            assert_true(a->crossing_lengths[a->first_length[r] + i * n + k] ==
                        b->crossing_lengths[b->first_length[r] + j * n + l]);
        }
    }
}

// Places mean the same when they are the same polygon of the tile at the same place.
static inline void navigation_checks_same_tile(const ct_navigation_tile *a_tiles,
                                               const ct_navigation_tile *a,
                                               const ct_navigation_tile *b_tiles,
                                               const ct_navigation_tile *b) {
    assert_int_equal(a->num_faces, b->num_faces);
    assert_int_equal(a->num_edges, b->num_edges);
    assert_int_equal(a->num_ways, b->num_ways);
    assert_int_equal(a->num_vertices, b->num_vertices);
    assert_int_equal(a->num_regions, b->num_regions);
    assert_int_equal(a->num_crossings, b->num_crossings);
    assert_memory_equal(a->edges, b->edges, sizeof(*a->edges) * a->num_edges);
    assert_memory_equal(a->vertices, b->vertices, sizeof(*a->vertices) * a->num_vertices);
    assert_memory_equal(a->faces, b->faces, sizeof(*a->faces) * a->num_faces);
    for (uint32_t i = 0; i < a->num_ways; ++i) {
        const ct_navigation_way *const v = &a->ways[i], *const w = &b->ways[i];
        const ct_navigation_tile *const to_a = &a_tiles[ct_navigation_slot_of(v->to)];
        const ct_navigation_tile *const to_b = &b_tiles[ct_navigation_slot_of(w->to)];
        assert_true(to_a->x == to_b->x && to_a->y == to_b->y);
        assert_int_equal(ct_navigation_number_of(v->to), ct_navigation_number_of(w->to));
        assert_memory_equal(&v->left, &w->left, sizeof(ct_vec3) * 2);
        assert_int_equal(v->edge, w->edge);
        assert_int_equal(v->link, w->link);
    }
    for (uint32_t i = 0; i < a->num_regions; ++i) {
        assert_int_equal(a->regions[i].num_crossings, b->regions[i].num_crossings);
        navigation_checks_same_lengths(a_tiles, a, b_tiles, b, i);
    }
}

static inline void navigation_checks_same(const ct_navigation_mesh *a,
                                          const ct_navigation_mesh *b) {
    uint32_t count, other_count, there = 0;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(a, &count);
    const ct_navigation_tile *const others = ct_navigation_tiles(b, &other_count);
    for (uint32_t i = 1; i < count; ++i) {
        if (tiles[i].version == 0)
            continue;
        const uint32_t other = navigation_checks_find(others, other_count, tiles[i].x, tiles[i].y);
        assert_int_not_equal(other, 0);
        navigation_checks_same_tile(tiles, &tiles[i], others, &others[other]);
        ++there;
    }
    for (uint32_t i = 1; i < other_count; ++i)
        there -= others[i].version != 0;
    assert_int_equal(there, 0);
}
