// test_navigation_fixture.c: the blobs that navigation's tests are made with are right.
#include "foundation/math/math.h"
#include "navigation/navigation_fixture.h"
#include "support/test_support.h"

static const void *items(const ct_navigation_resource *r, ct_blob_array a) {
    return ct_blob_at(r, a.offset);
}

static float area_of(const ct_navigation_edge *edges, uint32_t count, const ct_vec3 *v) {
    float area = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_vec3 a = v[edges[i].vertex], b = v[edges[(i + 1) % count].vertex];
        area += (a.x * b.y - a.y * b.x) * 0.5f;
    }
    return area;
}

static void check_edge(const ct_navigation_polygon *polygons, const ct_navigation_edge *edges,
                       uint32_t polygon, uint32_t edge) {
    const ct_navigation_polygon *const p = &polygons[polygon];
    const ct_navigation_edge *const e = &edges[p->first_edge + edge];
    if (e->leads_to >= CT_NAVIGATION_MAX_POLYGONS)
        return;
    const uint16_t end = edges[p->first_edge + (edge + 1) % p->num_edges].vertex;
    const ct_navigation_polygon *const q = &polygons[e->leads_to];
    uint32_t found = 0;
    for (uint32_t i = 0; i < q->num_edges; ++i) {
        const ct_navigation_edge *back = &edges[q->first_edge + i];
        found += back->vertex == end && back->leads_to == polygon &&
                 edges[q->first_edge + (i + 1) % q->num_edges].vertex == e->vertex;
    }
    assert_int_equal(found, 1);
}

// Returns the sum of areas; `surface` gets that of triangles.
static float check_tile(const ct_navigation_resource *r, const ct_navigation_tile_resource *t,
                        float *surface) {
    const ct_navigation_polygon *polygons = items(r, t->polygons);
    const ct_navigation_edge *const edges = items(r, t->edges);
    const ct_vec3 *const vertices = items(r, t->vertices);
    const ct_vec3 *const points = items(r, t->surface_vertices);
    const uint16_t *const triangles = items(r, t->triangles);
    float sum = 0;
    uint32_t num_edges = 0, num_triangles = 0;
    for (uint32_t i = 0; i < t->polygons.count; ++i) {
        const ct_navigation_polygon *const p = &polygons[i];
        assert_int_equal(p->first_edge, num_edges);
        assert_int_equal(p->first_triangle, num_triangles);
        for (uint32_t k = 0; k < p->num_edges; ++k)
            check_edge(polygons, edges, i, k);
        sum += area_of(edges + p->first_edge, p->num_edges, vertices);
        for (uint32_t k = 0; k < p->num_triangles; ++k) {
            const uint16_t *const triangle = triangles + (p->first_triangle + k) * 3;
            const ct_navigation_edge corners[3] = {
                {triangle[0], 0}, {triangle[1], 0}, {triangle[2], 0}};
            *surface += area_of(corners, 3, points);
        }
        num_edges += p->num_edges;
        num_triangles += p->num_triangles;
    }
    assert_int_equal(num_edges, t->edges.count);
    assert_int_equal(num_triangles, t->triangles.count);
    return sum;
}

static void check(const navigation_fixture_desc *d, float cells) {
    ct_navigation_resource *const r = navigation_fixture_make(d);
    ct_error error = {.message = ""};
    assert_true(ct_blob_check_header(r, r->header.size_bytes, ct_string_id64_of("navigation"),
                                     CT_NAVIGATION_VERSION, &error));
    const ct_navigation_class *const class = items(r, r->classes);
    const ct_navigation_tile_resource *tiles = items(r, class->tiles);
    float sum = 0, surface = 0;
    for (uint32_t i = 0; i < class->tiles.count; ++i)
        sum += check_tile(r, &tiles[i], &surface);
    assert_float_equal(sum, cells, 1e-3f * cells);
    assert_float_equal(surface, cells, 1e-3f * cells);
    free(r);
}

enum { SIDE = 40 };

// Fills a grid of SIDE * SIDE cells; returns how many are ground.
static uint32_t random_rows(uint32_t *seed, uint32_t walls, char *text, const char **rows) {
    uint32_t count = 0;
    for (uint32_t y = 0; y < SIDE; ++y) {
        rows[y] = text + y * SIDE;
        for (uint32_t x = 0; x < SIDE; ++x) {
            const char c = test_random(seed) % 100 < walls ? '@' : ".....1"[test_random(seed) % 6];
            text[y * SIDE + x] = c;
            count += c != '@';
        }
    }
    return count;
}

static void covers_random_grids(void **state) {
    (void)state;
    uint32_t seed = 7;
    for (uint32_t i = 0; i < test_rounds(30, 1000); ++i) {
        char text[SIDE * SIDE];
        const char *rows[SIDE];
        float heights[SIDE * SIDE];
        const uint32_t count = random_rows(&seed, i % 60, text, rows);
        for (uint32_t k = 0; k < SIDE * SIDE; ++k)
            heights[k] = (float)(test_random(&seed) % 4) * 0.3f;
        navigation_fixture_desc d = {
            .rows = rows, .width = SIDE, .height = SIDE, .tile_cells = 8 + i % 9};
        check(&d, (float)count);
        d.heights = heights;
        check(&d, (float)count);
    }
}

static void merges_open_ground(void **state) {
    (void)state;
    const char *const rows[] = {"........", "........", "........", "........"};
    ct_navigation_resource *const r = navigation_fixture_make(
        &(navigation_fixture_desc){.rows = rows, .width = 8, .height = 4, .tile_cells = 4});
    const ct_navigation_class *const class = items(r, r->classes);
    const ct_navigation_tile_resource *const tiles = items(r, class->tiles);
    assert_int_equal(class->tiles.count, 2);
    for (uint32_t i = 0; i < 2; ++i) {
        assert_int_equal(tiles[i].polygons.count, 1);
        assert_int_equal(tiles[i].edges.count, 4);
        const ct_navigation_edge *const edges = items(r, tiles[i].edges);
        for (uint32_t k = 0; k < 4; ++k)
            assert_int_equal(edges[k].leads_to, CT_NAVIGATION_EDGE_SIDE + (k + 3) % 4);
    }
    free(r);
}

static void cliffs_are_walls(void **state) {
    (void)state;
    const char *const rows[] = {"..."};
    const float heights[] = {0, 2, 2.25f};
    ct_navigation_resource *const r = navigation_fixture_make(
        &(navigation_fixture_desc){.rows = rows, .width = 3, .height = 1, .heights = heights});
    const ct_navigation_class *const class = items(r, r->classes);
    const ct_navigation_tile_resource *const tile = items(r, class->tiles);
    const ct_navigation_polygon *const polygons = items(r, tile->polygons);
    const ct_navigation_edge *const edges = items(r, tile->edges);
    assert_int_equal(tile->polygons.count, 3);
    assert_int_equal(edges[polygons[0].first_edge + 1].leads_to, CT_NAVIGATION_EDGE_WALL);
    assert_int_equal(edges[polygons[1].first_edge + 1].leads_to, 2);
    free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(covers_random_grids),
        cmocka_unit_test(merges_open_ground),
        cmocka_unit_test(cliffs_are_walls),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
