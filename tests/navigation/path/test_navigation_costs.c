// test_navigation_costs.c: paths over ground of several costs, beside the cheapest over a fine lattice.
#include <math.h>

#include "foundation/math/math.h"
#include "navigation/path/navigation_path_maps.h"

enum { PER_CELL = 2, MOST_CELLS = 24, MOST_POINTS = MOST_CELLS * PER_CELL };

static const float COSTS[10] = {1, 3, 1.5f, 8, 1, 1, 1, 1, 1, 1};

// Ground of cost 1 with rectangles of dearer ground and of walls.
static void make_map(path_map *m, uint32_t *random, uint32_t tile_cells) {
    static const char kinds[] = "1123@";
    m->width = m->height = MOST_CELLS;
    for (uint32_t y = 0; y < m->height; ++y) {
        memset(m->cells[y], '.', m->width);
        m->cells[y][m->width] = 0;
    }
    for (uint32_t i = 0; i < 12; ++i) {
        const char kind = kinds[test_random(random) % 5];
        const uint32_t x = test_random(random) % m->width, y = test_random(random) % m->height;
        const uint32_t w = 1 + test_random(random) % (kind == '@' ? 3 : 9);
        const uint32_t h = 1 + test_random(random) % (kind == '@' ? 3 : 9);
        for (uint32_t v = y; v < y + h && v < m->height; ++v)
            for (uint32_t u = x; u < x + w && u < m->width; ++u)
                m->cells[v][u] = kind;
    }
    path_map_make_mesh(m, (navigation_fixture_desc){.tile_cells = tile_cells, .area_costs = COSTS});
}

static float cost_at(const path_map *m, float x, float y) {
    const char c = m->cells[(uint32_t)y][(uint32_t)x];
    return c == '@' ? INFINITY : c == '.' ? 1 : COSTS[c - '0'];
}

// The cost of a step of a lattice, by its parts in steps of a quarter.
static float step_cost(const path_map *m, int x, int y, int dx, int dy) {
    float sum = 0;
    for (int i = 0; i < 8; ++i) {
        const float t = ((float)i + 0.5f) / 8;
        sum += cost_at(m, ((float)x + 0.5f + (float)dx * t) / PER_CELL,
                       ((float)y + 0.5f + (float)dy * t) / PER_CELL);
    }
    return sum / 8 * sqrtf((float)(dx * dx + dy * dy)) / PER_CELL;
}

// The least cost from a point of a lattice to all others, by neighbours up to a knight's move away: at most
// 2.7 % above the cheapest path.
static void cheapest_from(const path_map *m, int from_x, int from_y,
                          float costs[MOST_POINTS][MOST_POINTS]) {
    const int size = (int)m->width * PER_CELL;
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x)
            costs[y][x] = INFINITY;
    costs[from_y][from_x] = 0;
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (int y = 0; y < size; ++y)
            for (int x = 0; x < size; ++x) {
                if (!isfinite(costs[y][x]))
                    continue;
                for (int dy = -2; dy <= 2; ++dy)
                    for (int dx = -2; dx <= 2; ++dx) {
                        const int u = x + dx, v = y + dy;
                        if (u < 0 || v < 0 || u >= size || v >= size ||
                            !isfinite(cost_at(m, (float)u / PER_CELL, (float)v / PER_CELL)))
                            continue;
                        const float cost = costs[y][x] + step_cost(m, x, y, dx, dy);
                        if (cost < costs[v][u] - 1e-5f) {
                            costs[v][u] = cost;
                            has_changed = true;
                        }
                    }
            }
    }
}

static int by_size(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

// The cost that a path says is that of its corners; it is not much above the cheapest.
static void paths_are_about_the_cheapest(uint32_t tile_cells, double most_of_99, double most) {
    static float costs[MOST_POINTS][MOST_POINTS];
    static float ratios[16384];
    uint32_t count = 0, random = 5;
    ct_navigation_search *const s = ct_navigation_search_create(test_heap());
    for (uint32_t round = 0; round < test_rounds(12, 400); ++round) {
        path_map m;
        make_map(&m, &random, tile_cells);
        const int fx = (int)(test_random(&random) % MOST_POINTS);
        const int fy = (int)(test_random(&random) % MOST_POINTS);
        const ct_vec3 from = ct_vec3_make(((float)fx + 0.5f) / 2, ((float)fy + 0.5f) / 2, 0);
        if (isfinite(cost_at(&m, from.x, from.y))) {
            cheapest_from(&m, fx, fy, costs);
            for (uint32_t i = 0; i < 40; ++i) {
                const uint32_t x = test_random(&random) % MOST_POINTS;
                const uint32_t y = test_random(&random) % MOST_POINTS;
                const ct_vec3 to = ct_vec3_make(((float)x + 0.5f) / 2, ((float)y + 0.5f) / 2, 0);
                if (!isfinite(costs[y][x]) || costs[y][x] < 2)
                    continue;
                ct_navigation_path path;
                ct_navigation_find_path(s, m.mesh,
                                        &(ct_navigation_path_desc){.from = from, .to = to}, &path);
                assert_int_equal(path.status, CT_NAVIGATION_FOUND);
                ratios[count++] = path.cost / costs[y][x];
            }
        }
        path_map_free(&m);
    }
    ct_navigation_search_destroy(s);
    qsort(ratios, count, sizeof(ratios[0]), by_size);
    print_message(
        "%u paths: cost beside the lattice's %.3f in the median, %.3f of 99 %%, %.3f at worst\n",
        count, (double)ratios[count / 2], (double)ratios[count * 99 / 100],
        (double)ratios[count - 1]);
    assert_true(count > 100);
    assert_true(ratios[count / 2] <= 1);
    assert_true((double)ratios[count * 99 / 100] <= most_of_99);
    assert_true((double)ratios[count - 1] <= most);
}

static void paths_in_a_tile_are_about_the_cheapest(void **state) {
    (void)state;
    paths_are_about_the_cheapest(MOST_CELLS, 1.01, 1.2);
}

// Lengths between crossings know nothing of costs, so over tiles few paths are dear.
static void paths_over_tiles_are_about_the_cheapest(void **state) {
    (void)state;
    paths_are_about_the_cheapest(8, 1.1, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_in_a_tile_are_about_the_cheapest),
        cmocka_unit_test(paths_over_tiles_are_about_the_cheapest),
    };
    return cmocka_run_group_tests_name("navigation costs", tests, test_group_setup,
                                       test_group_teardown);
}
