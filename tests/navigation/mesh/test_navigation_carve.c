// test_navigation_carve.c: meshes after random changes are right, and the same as those made at once.
#include "navigation/mesh/navigation_mesh_checks.h"

enum { SIDE = 40, MOST = 24, LINKS = 8 };

static float number(uint32_t *seed, float least, float most) {
    return least + (most - least) * (float)(test_random(seed) % 10001) / 10000;
}

static ct_navigation_obstacle_desc random_obstacle(uint32_t *seed) {
    ct_navigation_obstacle_desc d = {.shape = test_random(seed) % CT_NAVIGATION_SHAPE_COUNT,
                                     .position = ct_vec3_make(number(seed, -2, SIDE + 2),
                                                              number(seed, -2, SIDE + 2),
                                                              number(seed, -1, 1)),
                                     .height = number(seed, 0.5f, 3),
                                     .area = -1};
    d.angle = test_random(seed) % 3 ? number(seed, -4, 4) : 0;
    d.half_size = ct_vec2_make(number(seed, 0.1f, 4), number(seed, 0.1f, 4));
    if (test_random(seed) % 4 == 0) { // on whole cells
        d.position.x = roundf(d.position.x);
        d.position.y = roundf(d.position.y);
        d.half_size = ct_vec2_make(1.5f, 2.5f);
    }
    if (test_random(seed) % 4 == 0)
        d.area = (int32_t)(test_random(seed) % 4);
    d.num_points = 3 + test_random(seed) % 6;
    for (uint32_t i = 0; i < d.num_points; ++i) {
        const float turn = 6.2831853f * ((float)i + number(seed, 0, 0.5f)) / (float)d.num_points;
        d.points[i] = ct_vec2_make(cosf(turn) * d.half_size.x, sinf(turn) * d.half_size.x);
    }
    return d;
}

static void random_rows(uint32_t *seed, uint32_t walls, char *text, const char **rows) {
    for (uint32_t y = 0; y < SIDE; ++y) {
        rows[y] = text + y * SIDE;
        for (uint32_t x = 0; x < SIDE; ++x)
            text[y * SIDE + x] =
                test_random(seed) % 100 < walls ? '@' : ".........1"[test_random(seed) % 10];
    }
}

typedef struct campaign {
    ct_navigation_resource *resource;
    ct_navigation_mesh *mesh,
        *twin; // restored from the mesh, or NULL; all that changes it changes both
    ct_navigation_obstacle obstacles[MOST];
    ct_navigation_obstacle_desc descs[MOST];
    uint32_t count;
} campaign;

static void start(campaign *c, uint32_t *seed, uint32_t walls) {
    char text[SIDE * SIDE];
    const char *rows[SIDE];
    float heights[SIDE * SIDE];
    random_rows(seed, walls, text, rows);
    for (uint32_t i = 0; i < SIDE * SIDE; ++i)
        heights[i] = (float)(test_random(seed) % 40 / 37) * 0.4f;
    ct_navigation_link links[LINKS];
    for (uint32_t i = 0; i < LINKS; ++i)
        links[i] = (ct_navigation_link){
            .id = {i + 1},
            .from = {number(seed, 0, SIDE), number(seed, 0, SIDE), 0},
            .to = {number(seed, 0, SIDE), number(seed, 0, SIDE), 0},
            .radius = number(seed, 0.1f, 2),
            .classes = 1 + test_random(seed) % 2,
            .flags = test_random(seed) % 4 // closed, both ways
        };
    c->resource = navigation_fixture_make(&(navigation_fixture_desc){
        .rows = rows,
        .width = SIDE,
        .height = SIDE,
        .tile_cells = 9 + test_random(seed) % 10,
        .heights = test_random(seed) % 2 ? heights : NULL,
        .radius = 0.3f,
        .links = links,
        .num_links = LINKS,
    });
    c->mesh = navigation_checks_mesh(c->resource);
    c->twin = NULL;
    c->count = 0;
}

static void stop(campaign *c) {
    ct_navigation_mesh_destroy(c->mesh);
    ct_navigation_mesh_destroy(c->twin);
    free(c->resource);
}

static void change(campaign *c, uint32_t *seed) {
    ct_error error = {.message = ""};
    const uint32_t what = test_random(seed) % 4, i = c->count ? test_random(seed) % c->count : 0;
    if (c->count == 0 || (what < 2 && c->count < MOST)) {
        c->descs[c->count] = random_obstacle(seed);
        c->obstacles[c->count] = ct_navigation_add_obstacle(c->mesh, &c->descs[c->count], &error);
        assert_int_not_equal(c->obstacles[c->count].id, 0);
        if (c->twin)
            assert_int_equal(ct_navigation_add_obstacle(c->twin, &c->descs[c->count], &error).id,
                             c->obstacles[c->count].id);
        ++c->count;
    } else if (what == 2) {
        c->descs[i].position.x = number(seed, 0, SIDE);
        c->descs[i].position.y = number(seed, 0, SIDE);
        c->descs[i].angle = number(seed, 0, 6);
        assert_true(ct_navigation_move_obstacle(c->mesh, c->obstacles[i], c->descs[i].position,
                                                c->descs[i].angle, &error));
        if (c->twin)
            ct_navigation_move_obstacle(c->twin, c->obstacles[i], c->descs[i].position,
                                        c->descs[i].angle, &error);
    } else {
        if (c->twin)
            ct_navigation_remove_obstacle(c->twin, c->obstacles[i]);
        ct_navigation_remove_obstacle(c->mesh, c->obstacles[i]);
        assert_false(ct_navigation_obstacle_is_live(c->mesh, c->obstacles[i]));
        c->obstacles[i] = c->obstacles[--c->count];
        c->descs[i] = c->descs[c->count];
    }
}

static void toggle_tile(campaign *c, uint32_t *seed) {
    const uint32_t tile = test_random(seed) % ct_navigation_mesh_class(c->mesh)->tiles.count;
    ct_navigation_mesh *const both[2] = {c->mesh, c->twin};
    const bool removes = test_random(seed) % 2;
    for (uint32_t i = 0; i < 2 && both[i]; ++i)
        if (removes)
            ct_navigation_mesh_remove_tile(both[i], tile);
        else
            ct_navigation_mesh_add_tile(both[i], tile);
}

static void toggle_link(campaign *c, uint32_t *seed) {
    const uint32_t link = test_random(seed) % LINKS;
    const bool closes = test_random(seed) % 2;
    ct_navigation_set_link(c->mesh, link, closes);
    if (c->twin)
        ct_navigation_set_link(c->twin, link, closes);
}

static void obstruct(campaign *c, uint32_t *seed) {
    uint32_t count;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(c->mesh, &count);
    const uint32_t slot = 1 + test_random(seed) % (count - 1);
    if (tiles[slot].num_faces == 0)
        return;
    const ct_navigation_place p =
        CT_NAVIGATION_PLACE(slot, test_random(seed) % tiles[slot].num_faces);
    ct_navigation_set_obstructed(c->mesh, p, true);
    if (c->twin)
        ct_navigation_set_obstructed(c->twin, p, true);
}

// From here on there is a twin, from a save.
static void make_twin(campaign *c) {
    const uint64_t bytes = ct_navigation_mesh_save(c->mesh, NULL);
    void *const saved = malloc(bytes);
    assert_int_equal(ct_navigation_mesh_save(c->mesh, saved), bytes);
    ct_navigation_mesh_destroy(c->twin);
    c->twin = navigation_checks_mesh(c->resource);
    ct_error error = {.message = ""};
    assert_true(ct_navigation_mesh_restore(c->twin, saved, bytes, &error));
    free(saved);
}

static void update(campaign *c, uint32_t tiles) {
    const uint32_t left = ct_navigation_mesh_update(c->mesh, tiles);
    navigation_checks_all(c->mesh);
    if (!c->twin)
        return;
    assert_int_equal(ct_navigation_mesh_update(c->twin, tiles), left);
    navigation_checks_all(c->twin);
    navigation_checks_same(c->mesh, c->twin);
}

// Adds what is not there, and rebuilds all that was obstructed.
static void finish(campaign *c) {
    ct_error error = {.message = ""};
    for (uint32_t i = 0; i < ct_navigation_mesh_class(c->mesh)->tiles.count; ++i) {
        ct_navigation_mesh_add_tile(c->mesh, i);
        if (c->twin)
            ct_navigation_mesh_add_tile(c->twin, i);
    }
    const ct_navigation_obstacle_desc all = {
        .half_size = {{2 * SIDE, 2 * SIDE}}, .height = 9, .area = -1};
    ct_navigation_mesh *const both[2] = {c->mesh, c->twin};
    for (uint32_t i = 0; i < 2 && both[i]; ++i) {
        const ct_navigation_obstacle o = ct_navigation_add_obstacle(both[i], &all, &error);
        ct_navigation_mesh_update(both[i], UINT32_MAX);
        ct_navigation_remove_obstacle(both[i], o);
    }
    update(c, 3);
    while (ct_navigation_mesh_update(c->mesh, 3))
        if (c->twin)
            ct_navigation_mesh_update(c->twin, 3);
    update(c, UINT32_MAX);
}

static void compare_with_new(campaign *c) {
    ct_navigation_mesh *const fresh = navigation_checks_mesh(c->resource);
    ct_error error = {.message = ""};
    for (uint32_t i = 0; i < LINKS; ++i)
        ct_navigation_set_link(fresh, i, ct_navigation_link_is_closed(c->mesh, i));
    for (uint32_t i = c->count; i-- > 0;) // in another order
        ct_navigation_add_obstacle(fresh, &c->descs[i], &error);
    assert_int_equal(ct_navigation_mesh_update(fresh, UINT32_MAX), 0);
    navigation_checks_same(c->mesh, fresh);
    ct_navigation_mesh_destroy(fresh);
}

static void edits_give_what_making_at_once_gives(void **state) {
    (void)state;
    uint32_t seed = 11;
    for (uint32_t round = 0; round < test_rounds(12, 400); ++round) {
        campaign c;
        start(&c, &seed, round % 3 * 15);
        for (uint32_t step = 0; step < 10; ++step) {
            for (uint32_t i = test_random(&seed) % 5; i-- > 0;)
                change(&c, &seed);
            if (test_random(&seed) % 3 == 0)
                toggle_tile(&c, &seed);
            if (test_random(&seed) % 3 == 0)
                toggle_link(&c, &seed);
            if (test_random(&seed) % 4 == 0)
                obstruct(&c, &seed);
            if (test_random(&seed) % 4 == 0)
                make_twin(&c);
            update(&c, test_random(&seed) % 4);
        }
        navigation_checks_lengths(c.mesh);
        finish(&c);
        navigation_checks_lengths(c.mesh);
        compare_with_new(&c);
        stop(&c);
    }
}

// Clips a convex polygon by another and returns the area of what both share.
static double shared_area(const ct_vec2 *points, uint32_t count, const ct_vec2 *by,
                          uint32_t by_count) {
    double x[2][64], y[2][64];
    uint32_t n = count;
    for (uint32_t i = 0; i < n; ++i)
        x[0][i] = points[i].x, y[0][i] = points[i].y;
    for (uint32_t k = 0; k < by_count; ++k) {
        const ct_vec2 a = by[k], b = by[(k + 1) % by_count];
        const double *const ax = x[k & 1], *const ay = y[k & 1];
        double *const bx = x[~k & 1], *const by_ = y[~k & 1];
        uint32_t m = 0;
        for (uint32_t i = 0; i < n; ++i) {
            const uint32_t j = (i + 1) % n;
            const double s =
                ((double)b.x - a.x) * (ay[i] - a.y) - ((double)b.y - a.y) * (ax[i] - a.x);
            const double t =
                ((double)b.x - a.x) * (ay[j] - a.y) - ((double)b.y - a.y) * (ax[j] - a.x);
            if (s >= 0)
                bx[m] = ax[i], by_[m++] = ay[i];
            if (s * t < 0)
                bx[m] = ax[i] + (ax[j] - ax[i]) * s / (s - t),
                by_[m++] = ay[i] + (ay[j] - ay[i]) * s / (s - t);
        }
        n = m;
    }
    double sum = 0;
    for (uint32_t i = 0; i < n; ++i)
        sum += x[by_count & 1][i] * y[by_count & 1][(i + 1) % n] -
               y[by_count & 1][i] * x[by_count & 1][(i + 1) % n];
    return sum * 0.5;
}

static void holes_have_the_size_of_their_obstacle(void **state) {
    (void)state;
    uint32_t seed = 5;
    const float radius = 0.3f;
    for (uint32_t round = 0; round < test_rounds(100, 5000); ++round) {
        campaign c;
        start(&c, &seed, round % 2 * 20);
        const double before = navigation_checks_area(c.mesh, -1);
        ct_navigation_obstacle_desc d = random_obstacle(&seed);
        d.shape = CT_NAVIGATION_BOX;
        d.position.z = 0;
        d.height = 2;
        d.area = round % 4 == 0 ? 3 : -1;
        const float grow = d.area < 0 ? radius : 0;
        const float w = d.half_size.x + grow, h = d.half_size.y + grow;
        const float cosine = cosf(d.angle), sine = sinf(d.angle);
        const ct_vec2 corners[4] = {{{-w, -h}}, {{w, -h}}, {{w, h}}, {{-w, h}}};
        ct_vec2 box[4];
        for (uint32_t i = 0; i < 4; ++i)
            box[i] = ct_vec2_make(d.position.x + corners[i].x * cosine - corners[i].y * sine,
                                  d.position.y + corners[i].x * sine + corners[i].y * cosine);
        uint32_t count;
        const ct_navigation_tile *const tiles = ct_navigation_tiles(c.mesh, &count);
        double under = 0;
        for (uint32_t i = 1; i < count; ++i)
            for (uint32_t k = 0; k < tiles[i].num_faces; ++k) {
                ct_vec2 points[16];
                const ct_navigation_face *const f = &tiles[i].faces[k];
                for (uint32_t e = 0; e < f->num_edges; ++e) {
                    const ct_vec3 v = tiles[i].vertices[tiles[i].edges[f->first_edge + e]];
                    points[e] = ct_vec2_make(v.x, v.y);
                }
                under += shared_area(points, f->num_edges, box, 4);
            }
        ct_error error = {.message = ""};
        ct_navigation_add_obstacle(c.mesh, &d, &error);
        ct_navigation_mesh_update(c.mesh, UINT32_MAX);
        navigation_checks_all(c.mesh);
        const double after = navigation_checks_area(c.mesh, -1);
        if (d.area < 0)
            assert_true(fabs(before - under - after) < 1e-4 * SIDE);
        else
            assert_true(fabs(before - after) < 1e-4 * SIDE &&
                        fabs(under - navigation_checks_area(c.mesh, 3)) < 1e-4 * SIDE);
        stop(&c);
    }
}

static void obstacles_everywhere_leave_a_sound_mesh(void **state) {
    (void)state;
    uint32_t seed = 3;
    campaign c;
    start(&c, &seed, 0);
    ct_error error = {.message = ""};
    for (uint32_t i = 0; i < 1500; ++i) {
        ct_navigation_obstacle_desc d = random_obstacle(&seed);
        d.half_size = ct_vec2_make(0.05f, 0.05f);
        for (uint32_t k = 0; k < d.num_points; ++k)
            d.points[k] = ct_vec2_make(d.points[k].x * 0.05f, d.points[k].y * 0.05f);
        assert_int_not_equal(ct_navigation_add_obstacle(c.mesh, &d, &error).id, 0);
    }
    ct_navigation_mesh_update(c.mesh, UINT32_MAX);
    navigation_checks_all(c.mesh);
    stop(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_give_what_making_at_once_gives),
        cmocka_unit_test(holes_have_the_size_of_their_obstacle),
        cmocka_unit_test(obstacles_everywhere_leave_a_sound_mesh),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
