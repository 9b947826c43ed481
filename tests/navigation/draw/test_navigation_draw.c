// Lines of a mesh, its obstacles, links and agents: how many, in which colours, and where.
#include <math.h>
#include <stdlib.h>

#include "foundation/math/math.h"
#include "navigation/draw/navigation_draw.h"
#include "navigation/navigation_fixture.h"
#include "support/test_support.h"

enum { MAX_LINES = 4096 };

typedef struct line {
    ct_vec3 from, to;
    float color[4];
} line;

typedef struct drawn {
    uint32_t count;
    line lines[MAX_LINES];
} drawn;

static drawn d;

static void add(void *user, ct_vec3 from, ct_vec3 to, const float color[4]) {
    drawn *const to_fill = user;
    assert_true(to_fill->count < MAX_LINES);
    line *const l = &to_fill->lines[to_fill->count++];
    *l = (line){from, to, {color[0], color[1], color[2], color[3]}};
}

static ct_navigation_mesh *mesh;
static ct_navigation_resource *resource;

static void make(const navigation_fixture_desc *desc) {
    resource = navigation_fixture_make(desc);
    mesh = ct_navigation_mesh_create(
        &(ct_navigation_mesh_desc){.allocator = test_heap(), .resource = resource});
    d.count = 0;
}

static void end(void) {
    ct_navigation_mesh_destroy(mesh);
    free(resource);
}

static void draw(uint32_t flags) {
    d.count = 0;
    ct_navigation_draw_mesh(mesh, flags, test_heap(), add, &d);
}

// Lines whose red, green and blue are in these ratios to the brightest of them.
static uint32_t count_color(float r, float g, float b) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < d.count; ++i) {
        const float *const c = d.lines[i].color;
        count += fabsf(c[0] - r) < 1e-3f && fabsf(c[1] - g) < 1e-3f && fabsf(c[2] - b) < 1e-3f;
    }
    return count;
}

static void draws_edges_of_polygons_by_area(void **state) {
    (void)state;
    static const char *const rows[] = {"..11", "..11"};
    make(&(navigation_fixture_desc){.rows = rows, .width = 4, .height = 2, .closed_areas = 2});
    draw(CT_NAVIGATION_DRAW_POLYGONS);
    assert_int_equal(d.count, 8); // two squares
    // Area 1 is closed: three walls in red, and what leads to the ground in dark red.
    assert_int_equal(count_color(1, 0.05f, 0.05f), 3);
    assert_int_equal(count_color(0.35f, 0.05f * 0.35f, 0.05f * 0.35f), 1);
    ct_navigation_set_area(mesh, 1, false, 0);
    draw(CT_NAVIGATION_DRAW_POLYGONS);
    assert_int_equal(count_color(1, 0.05f, 0.05f), 0);
    // Above the mesh.
    for (uint32_t i = 0; i < d.count; ++i)
        assert_true(d.lines[i].from.z > 0 && d.lines[i].from.z < 0.1f);
    end();
}

static void draws_islands_in_different_colours(void **state) {
    (void)state;
    static const char *const rows[] = {"..@.."};
    make(&(navigation_fixture_desc){.rows = rows, .width = 5, .height = 1});
    draw(CT_NAVIGATION_DRAW_ISLANDS);
    assert_int_equal(d.count, 8);
    uint32_t same = 0;
    for (uint32_t i = 0; i < d.count; ++i)
        same += memcmp(d.lines[i].color, d.lines[0].color, sizeof(d.lines[0].color)) == 0;
    assert_int_equal(same, 4);
    end();
}

static void draws_tiles_and_crossings(void **state) {
    (void)state;
    static const char *const rows[] = {"........", "........"};
    make(&(navigation_fixture_desc){.rows = rows, .width = 8, .height = 2, .tile_cells = 4});
    draw(CT_NAVIGATION_DRAW_TILES);
    assert_int_equal(d.count, 8);
    draw(CT_NAVIGATION_DRAW_CROSSINGS);
    assert_int_equal(d.count, 2); // a post on each side
    for (uint32_t i = 0; i < d.count; ++i)
        assert_true(fabsf(d.lines[i].from.x - 4) < 1e-3f && d.lines[i].to.z > 0.5f);
    end();
}

static void draws_links_by_their_state(void **state) {
    (void)state;
    static const char *const rows[] = {"..@.."};
    const ct_navigation_link links[] = {
        {.from = {0.5f, 0.5f, 0}, .to = {4.5f, 0.5f, 0}, .radius = 0.4f, .classes = 1},
        {.from = {0.5f, 0.5f, 0},
         .to = {4.5f, 0.5f, 0},
         .radius = 0.4f,
         .classes = 1,
         .flags = CT_NAVIGATION_LINK_BOTH_WAYS | CT_NAVIGATION_LINK_CLOSED},
        {.from = {0.5f, 0.5f, 0}, .to = {4.5f, 9, 0}, .radius = 0.4f, .classes = 1},
        {.from = {0.5f, 0.5f, 0}, .to = {4.5f, 0.5f, 0}, .radius = 0.4f, .classes = 2},
    };
    make(&(navigation_fixture_desc){
        .rows = rows, .width = 5, .height = 1, .links = links, .num_links = 4});
    draw(CT_NAVIGATION_DRAW_LINKS);
    assert_int_equal(count_color(0.1f, 1, 0.4f), 8 + 2);
    assert_int_equal(count_color(1, 0.05f, 0.05f), 8 + 2 + 2);
    assert_int_equal(count_color(0.4f, 0.4f, 0.4f), 8 + 2); // leads to nothing
    assert_int_equal(d.count, 32);                          // not that of another class
    ct_navigation_place from, to;
    assert_true(ct_navigation_link_ends(mesh, 0, &from, &to));
    assert_true(ct_navigation_contains(mesh, to, ct_vec3_make(4.5f, 0.5f, 0)));
    assert_false(ct_navigation_link_ends(mesh, 2, &from, &to));
    assert_true(from && !to);
    end();
}

static void draws_shapes_of_obstacles(void **state) {
    (void)state;
    static const char *const rows[] = {"......", "......", "......"};
    ct_error error = {0};
    make(&(navigation_fixture_desc){.rows = rows, .width = 6, .height = 3});
    ct_navigation_obstacle o[3];
    o[0] = ct_navigation_add_obstacle(
        mesh,
        &(ct_navigation_obstacle_desc){.shape = CT_NAVIGATION_BOX,
                                       .position = ct_vec3_make(2, 1, 0),
                                       .angle = GLM_PI_2f,
                                       .half_size = ct_vec2_make(1, 0.5f),
                                       .height = 3,
                                       .area = -1},
        &error);
    draw(CT_NAVIGATION_DRAW_OBSTACLES);
    assert_int_equal(d.count, 12);
    float most = 0;
    for (uint32_t i = 0; i < d.count; ++i)
        most = fmaxf(most, d.lines[i].from.y);
    assert_float_equal(most, 2, 1e-4f); // turned: longer along y
    o[1] = ct_navigation_add_obstacle(
        mesh,
        &(ct_navigation_obstacle_desc){.shape = CT_NAVIGATION_CYLINDER,
                                       .position = ct_vec3_make(4, 1, 0),
                                       .half_size = ct_vec2_make(0.5f, 0.5f),
                                       .height = 1,
                                       .area = 3},
        &error);
    o[2] = ct_navigation_add_obstacle(
        mesh,
        &(ct_navigation_obstacle_desc){
            .shape = CT_NAVIGATION_CONVEX,
            .position = ct_vec3_make(5, 2, 0),
            .points = {ct_vec2_make(0, 0), ct_vec2_make(1, 0), ct_vec2_make(0, 1)},
            .num_points = 3,
            .height = 1,
            .area = -1},
        &error);
    draw(CT_NAVIGATION_DRAW_OBSTACLES);
    assert_int_equal(d.count, 3 * (4 + 12 + 3));
    ct_navigation_remove_obstacle(mesh, o[1]);
    assert_null(ct_navigation_obstacle_of(mesh, o[1]));
    ct_navigation_obstacle live[3];
    assert_int_equal(ct_navigation_obstacles(mesh, live, 1), 2);
    assert_int_equal(ct_navigation_obstacles(mesh, live, 3), 2);
    assert_int_equal(live[0].id, o[0].id);
    assert_int_equal(live[1].id, o[2].id);
    assert_int_equal(ct_navigation_obstacle_of(mesh, live[1])->num_points, 3);
    end();
}

static void draws_agents_and_paths(void **state) {
    (void)state;
    static const char *const rows[] = {"......", "......", "......"};
    ct_error error = {0};
    make(&(navigation_fixture_desc){.rows = rows, .width = 6, .height = 3});
    ct_navigation_paths *const paths = ct_navigation_paths_create(
        &(ct_navigation_paths_desc){.allocator = test_heap(), .mesh = mesh});
    ct_navigation_agents *const agents = ct_navigation_agents_create(
        &(ct_navigation_agents_desc){.allocator = test_heap(), .mesh = mesh, .paths = paths});
    const ct_vec3 goal = ct_vec3_make(5, 1.5f, 0);
    const ct_navigation_agent agent = ct_navigation_agents_add(
        agents, &(ct_navigation_agent_desc){.position = ct_vec3_make(1, 1.5f, 0), .speed = 2},
        &error);
    ct_navigation_agents_move_to(agents, &agent, &goal, 1);
    for (uint32_t i = 0; i < 10; ++i) {
        ct_navigation_paths_update(paths);
        ct_navigation_agents_update(agents, 1.0 / 60);
    }
    d.count = 0;
    ct_navigation_draw_agents(agents, mesh, CT_NAVIGATION_DRAW_AGENTS, add, &d);
    assert_int_equal(d.count, 12);
    assert_int_equal(count_color(0.2f, 0.9f, 0.3f), 12); // walks
    d.count = 0;
    ct_navigation_draw_agents(agents, mesh, CT_NAVIGATION_DRAW_PATHS, add, &d);
    assert_int_equal(d.count, 1);
    assert_float_equal(d.lines[0].to.x, 5, 1e-3f);
    d.count = 0;
    ct_navigation_draw_agents(agents, mesh, CT_NAVIGATION_DRAW_VELOCITIES, add, &d);
    assert_int_equal(d.count, 2);
    assert_true(d.lines[1].to.x > d.lines[1].from.x + 0.1f);
    ct_navigation_agents_destroy(agents);
    ct_navigation_paths_destroy(paths);
    end();
}

static void draws_paths_without_polygons_that_are_gone(void **state) {
    (void)state;
    static const char *const rows[] = {"..11", "..11"};
    make(&(navigation_fixture_desc){.rows = rows, .width = 4, .height = 2});
    const ct_navigation_place polygons[] = {CT_NAVIGATION_PLACE(1, 0), CT_NAVIGATION_PLACE(9, 3)};
    const ct_navigation_corner corners[] = {{.position = ct_vec3_make(1, 1, 0)},
                                            {.position = ct_vec3_make(3, 1, 0)}};
    ct_navigation_draw_path(mesh, polygons, 2, corners, 2, add, &d);
    assert_int_equal(d.count, 5);
    d.count = 0;
    ct_navigation_draw_path(mesh, NULL, 0, NULL, 0, add, &d);
    assert_int_equal(d.count, 0);
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_edges_of_polygons_by_area),
        cmocka_unit_test(draws_islands_in_different_colours),
        cmocka_unit_test(draws_tiles_and_crossings),
        cmocka_unit_test(draws_links_by_their_state),
        cmocka_unit_test(draws_shapes_of_obstacles),
        cmocka_unit_test(draws_agents_and_paths),
        cmocka_unit_test(draws_paths_without_polygons_that_are_gone),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
