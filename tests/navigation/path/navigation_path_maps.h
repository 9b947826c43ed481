// navigation_path_maps.h: random maps for tests of paths, and lengths to compare with.
#pragma once
#include <math.h>

#include "foundation/math/math.h"
#include "navigation/navigation_fixture.h"
#include "navigation/navigation_path.h"
#include "support/test_support.h"

enum { PATH_MAP_MOST = 48 };

typedef struct path_map {
    uint32_t width, height;
    char cells[PATH_MAP_MOST][PATH_MAP_MOST + 1];
    const char *rows[PATH_MAP_MOST];
    ct_navigation_resource *resource;
    ct_navigation_mesh *mesh;
} path_map;

static inline void path_map_make_mesh(path_map *m, navigation_fixture_desc desc) {
    for (uint32_t y = 0; y < m->height; ++y)
        m->rows[y] = m->cells[y];
    desc.rows = m->rows;
    desc.width = m->width;
    desc.height = m->height;
    m->resource = navigation_fixture_make(&desc);
    m->mesh = ct_navigation_mesh_create(
        &(ct_navigation_mesh_desc){.allocator = test_heap(), .resource = m->resource});
}

// A map of random size with walls in some of its cells.
static inline void path_map_random(path_map *m, uint32_t *random, uint32_t most,
                                   uint32_t tile_cells) {
    m->width = 4 + test_random(random) % (most - 3);
    m->height = 4 + test_random(random) % (most - 3);
    const uint32_t walls = 10 + test_random(random) % 30;
    for (uint32_t y = 0; y < m->height; ++y) {
        for (uint32_t x = 0; x < m->width; ++x)
            m->cells[y][x] = test_random(random) % 100 < walls ? '@' : '.';
        m->cells[y][m->width] = 0;
    }
    path_map_make_mesh(m, (navigation_fixture_desc){.tile_cells = tile_cells});
}

static inline void path_map_free(path_map *m) {
    ct_navigation_mesh_destroy(m->mesh);
    free(m->resource);
}

static inline bool path_map_is_free(const path_map *m, int64_t x, int64_t y) {
    return x >= 0 && y >= 0 && x < m->width && y < m->height && m->cells[y][x] != '@';
}

// The middle of a random free cell; false: it hit a wall.
static inline bool path_map_place(const path_map *m, uint32_t *random, ct_vec3 *p) {
    const uint32_t x = test_random(random) % m->width, y = test_random(random) % m->height;
    *p = ct_vec3_make((float)x + 0.5f, (float)y + 0.5f, 0);
    return path_map_is_free(m, x, y);
}

// Dijkstra's algorithm over cells and their eight neighbours, never around corners. Infinite: no path.
static inline float path_map_octile(const path_map *m, ct_vec3 from, ct_vec3 to) {
    static float lengths[PATH_MAP_MOST][PATH_MAP_MOST];
    static bool is_done[PATH_MAP_MOST][PATH_MAP_MOST];
    for (uint32_t y = 0; y < m->height; ++y)
        for (uint32_t x = 0; x < m->width; ++x) {
            lengths[y][x] = INFINITY;
            is_done[y][x] = false;
        }
    lengths[(uint32_t)from.y][(uint32_t)from.x] = 0;
    for (;;) {
        int64_t bx = -1, by = -1;
        for (uint32_t y = 0; y < m->height; ++y)
            for (uint32_t x = 0; x < m->width; ++x)
                if (!is_done[y][x] && isfinite(lengths[y][x]) &&
                    (bx < 0 || lengths[y][x] < lengths[by][bx])) {
                    bx = x;
                    by = y;
                }
        if (bx < 0)
            return lengths[(uint32_t)to.y][(uint32_t)to.x];
        is_done[by][bx] = true;
        for (int i = 0; i < 9; ++i) {
            const int64_t x = bx + i % 3 - 1, y = by + i / 3 - 1;
            if (!path_map_is_free(m, x, y) || !path_map_is_free(m, bx, y) ||
                !path_map_is_free(m, x, by))
                continue;
            const float next = lengths[by][bx] + (x != bx && y != by ? 1.41421356f : 1);
            if (next < lengths[y][x])
                lengths[y][x] = next;
        }
    }
}

// Whether a segment goes through the inside of no wall.
static inline bool path_map_sees(const path_map *m, ct_vec3 a, ct_vec3 b) {
    for (uint32_t y = 0; y < m->height; ++y)
        for (uint32_t x = 0; x < m->width; ++x) {
            if (m->cells[y][x] != '@')
                continue;
            const double low[2] = {x + 1e-5, y + 1e-5}, high[2] = {x + 1 - 1e-5, y + 1 - 1e-5};
            const double start[2] = {a.x, a.y}, by[2] = {b.x - a.x, b.y - a.y};
            double t0 = 0, t1 = 1;
            for (int i = 0; i < 2; ++i) {
                if (fabs(by[i]) < 1e-12) {
                    if (start[i] < low[i] || start[i] > high[i])
                        t1 = -1;
                    continue;
                }
                const double one = (low[i] - start[i]) / by[i], two = (high[i] - start[i]) / by[i];
                t0 = fmax(t0, fmin(one, two));
                t1 = fmin(t1, fmax(one, two));
            }
            if (t0 < t1)
                return false;
        }
    // Two walls that meet in a point let nothing through.
    const double square = (double)ct_vec3_dot(ct_vec3_sub(b, a), ct_vec3_sub(b, a));
    for (uint32_t y = 1; y < m->height; ++y)
        for (uint32_t x = 1; x < m->width; ++x) {
            const bool is_free = path_map_is_free(m, x, y);
            if (is_free != path_map_is_free(m, x - 1, y - 1) ||
                is_free == path_map_is_free(m, x - 1, y) ||
                is_free == path_map_is_free(m, x, y - 1))
                continue;
            const double px = (double)x - a.x, py = (double)y - a.y;
            const double t = (px * (b.x - a.x) + py * (b.y - a.y)) / square;
            const double off = fabs(px * (b.y - a.y) - py * (b.x - a.x)) / sqrt(square);
            if (t > 1e-4 && t < 1 - 1e-4 && off < 1e-4)
                return false;
        }
    // Nor do walls that are side by side.
    for (int i = 1; i < 400; ++i) {
        const float t = (float)i / 400, x = a.x + (b.x - a.x) * t, y = a.y + (b.y - a.y) * t;
        bool is_free = false;
        for (int k = 0; k < 4; ++k)
            is_free |= path_map_is_free(m, (int64_t)floorf(x + (k & 1 ? 1e-3f : -1e-3f)),
                                        (int64_t)floorf(y + (k & 2 ? 1e-3f : -1e-3f)));
        if (!is_free)
            return false;
    }
    return true;
}

// The shortest length at any angle: Dijkstra's algorithm over the corners of walls. Small maps only.
static inline float path_map_shortest(const path_map *m, ct_vec3 from, ct_vec3 to) {
    enum { MOST = 400 };
    static ct_vec3 points[MOST];
    static float lengths[MOST];
    static bool is_done[MOST];
    uint32_t count = 0;
    points[count++] = from;
    points[count++] = to;
    for (uint32_t y = 1; y < m->height; ++y)
        for (uint32_t x = 1; x < m->width; ++x) {
            uint32_t walls = 0;
            for (uint32_t k = 0; k < 4; ++k)
                walls += !path_map_is_free(m, x - (k & 1), y - (k >> 1));
            if (walls == 1 && count < MOST)
                points[count++] = ct_vec3_make((float)x, (float)y, 0);
        }
    for (uint32_t i = 0; i < count; ++i) {
        lengths[i] = i ? INFINITY : 0;
        is_done[i] = false;
    }
    for (;;) {
        uint32_t best = UINT32_MAX;
        for (uint32_t i = 0; i < count; ++i)
            if (!is_done[i] && isfinite(lengths[i]) &&
                (best == UINT32_MAX || lengths[i] < lengths[best]))
                best = i;
        if (best == UINT32_MAX || best == 1)
            return lengths[1];
        is_done[best] = true;
        for (uint32_t i = 0; i < count; ++i) {
            const float next = lengths[best] + ct_vec3_length(ct_vec3_sub(points[i], points[best]));
            if (!is_done[i] && next < lengths[i] && path_map_sees(m, points[best], points[i]))
                lengths[i] = next;
        }
    }
}

// Every piece of the path that is no link is a ray along the mesh.
static inline void path_map_assert_walkable(const path_map *m, const ct_navigation_path *path) {
    for (uint32_t i = 0; i + 1 < path->num_corners; ++i) {
        const ct_navigation_corner *const c = &path->corners[i];
        if (c->link)
            continue;
        ct_navigation_place end;
        ct_vec3 at, normal;
        assert_true(ct_navigation_ray(m->mesh, NULL, c->polygon, c->position, c[1].position, &end,
                                      &at, &normal));
    }
}
