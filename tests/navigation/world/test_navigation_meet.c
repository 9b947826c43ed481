// test_navigation_meet.c: agents of different instances avoid each other.
#include <math.h>
#include <stdlib.h>

#include "foundation/math/math.h"
#include "navigation/navigation_fixture.h"
#include "navigation/navigation_world.h"
#include "support/test_support.h"

enum { SIZE = 32, MOST = 24 };

static const float RADIUS = 0.4f;

typedef struct meeting {
    ct_navigation_resource *resource;
    ct_navigation_world *world;
    ct_navigation_instance instances[2];
    struct {
        ct_navigation_agent agent;
        uint32_t instance;
    } walkers[MOST];
    uint32_t num_walkers;
} meeting;

// Two meshes of the same field; the second is turned and moved, and covers the same ground.
static meeting start(void) {
    static char cells[SIZE][SIZE + 1];
    const char *rows[SIZE];
    for (uint32_t y = 0; y < SIZE; ++y) {
        memset(cells[y], '.', SIZE);
        rows[y] = cells[y];
    }
    meeting m = {.resource = navigation_fixture_make(&(navigation_fixture_desc){
                     .rows = rows, .width = SIZE, .height = SIZE, .tile_cells = 16})};
    m.world = ct_navigation_world_create(&(ct_navigation_world_desc){.allocator = test_heap()});
    const ct_mat4 turned = ct_mat4_compose(ct_vec3_make(SIZE, 0, 0),
                                           ct_quat_axis_angle(ct_vec3_make(0, 0, 1), 1.5707963f),
                                           ct_vec3_make(1, 1, 1));
    for (uint32_t i = 0; i < 2; ++i) {
        ct_error error = {0};
        m.instances[i] = ct_navigation_world_add(
            m.world,
            &(ct_navigation_instance_desc){
                .resource = m.resource, .name = {1}, .pose = i ? turned : ct_mat4_identity()},
            &error);
        assert_true(m.instances[i].id);
    }
    return m;
}

static void stop(meeting *m) {
    ct_navigation_world_destroy(m->world);
    free(m->resource);
}

static void add(meeting *m, uint32_t instance, ct_vec3 from, ct_vec3 to, uint32_t groups,
                uint32_t avoids) {
    const ct_navigation_instance i = m->instances[instance];
    ct_navigation_agents *const agents = ct_navigation_world_parts(m->world, i).agents;
    const ct_navigation_agent_desc desc = {.position = ct_navigation_to_mesh(m->world, i, from),
                                           .radius = RADIUS,
                                           .speed = 1.5f,
                                           .groups = groups,
                                           .avoids = avoids};
    ct_error error = {0};
    const ct_navigation_agent a = ct_navigation_agents_add(agents, &desc, &error);
    assert_true(a.id);
    const ct_vec3 goal = ct_navigation_to_mesh(m->world, i, to);
    ct_navigation_agents_move_to(agents, &a, &goal, 1);
    m->walkers[m->num_walkers].agent = a;
    m->walkers[m->num_walkers++].instance = instance;
}

static ct_vec3 place_of(const meeting *m, uint32_t walker, uint32_t *walker_state) {
    const ct_navigation_instance i = m->instances[m->walkers[walker].instance];
    const ct_navigation_agents *const agents = ct_navigation_world_parts(m->world, i).agents;
    const uint32_t k = ct_navigation_agents_index(agents, m->walkers[walker].agent);
    const ct_navigation_agents_view all = ct_navigation_agents_all(agents);
    *walker_state = all.states[k];
    return ct_navigation_to_world(m->world, i, all.positions[k]);
}

// Steps until all have arrived; returns the least distance of two, and the most that one was off the line y.
static float walk(meeting *m, float seconds, float *most_aside) {
    float least = INFINITY;
    uint32_t num_arrived = 0;
    for (uint32_t step = 0; (float)step < seconds * 60 && num_arrived < m->num_walkers; ++step) {
        ct_navigation_world_step(m->world, 1.0 / 60);
        ct_vec3 places[MOST];
        num_arrived = 0;
        for (uint32_t i = 0; i < m->num_walkers; ++i) {
            uint32_t walker_state;
            places[i] = place_of(m, i, &walker_state);
            num_arrived += walker_state == CT_NAVIGATION_ARRIVED;
            *most_aside = fmaxf(*most_aside, fabsf(places[i].y - 16));
            for (uint32_t k = 0; k < i; ++k)
                least = fminf(least, ct_vec3_length(ct_vec3_sub(places[i], places[k])));
        }
    }
    assert_int_equal(num_arrived, m->num_walkers);
    return least;
}

static void two_that_meet_both_turn_aside(void **state) {
    (void)state;
    meeting m = start();
    add(&m, 0, ct_vec3_make(6, 16, 0), ct_vec3_make(26, 16, 0), 0, 0);
    add(&m, 1, ct_vec3_make(26, 16, 0), ct_vec3_make(6, 16, 0), 0, 0);
    float aside = 0;
    assert_true(walk(&m, 30, &aside) > 2 * RADIUS * 0.95f);
    assert_true(aside > RADIUS * 0.5f && aside < RADIUS * 2); // each makes half of the room
    stop(&m);
}

static void groups_count_over_instances(void **state) {
    (void)state;
    meeting m = start();
    add(&m, 0, ct_vec3_make(6, 16, 0), ct_vec3_make(26, 16, 0), 1, 1);
    add(&m, 1, ct_vec3_make(26, 16, 0), ct_vec3_make(6, 16, 0), 2, 2);
    float aside = 0;
    assert_true(walk(&m, 30, &aside) < RADIUS);
    assert_true(aside < 0.05f);
    stop(&m);
}

static void streams_cross(void **state) {
    (void)state;
    meeting m = start();
    for (uint32_t i = 0; i < MOST; ++i) {
        const float along = 5 + (float)(i / 2 % 4) * 1.5f, beside = 13 + (float)(i / 8) * 2;
        const bool is_second = i % 2;
        const ct_vec3 from =
            is_second ? ct_vec3_make(SIZE - along, beside, 0) : ct_vec3_make(along, beside, 0);
        add(&m, is_second, from, ct_vec3_make(SIZE - from.x, from.y, 0), 0, 0);
    }
    float aside = 0;
    assert_true(walk(&m, 60, &aside) > 2 * RADIUS * 0.95f);
    stop(&m);
}

static void those_that_went_are_not_avoided(void **state) {
    (void)state;
    meeting m = start();
    add(&m, 0, ct_vec3_make(6, 16, 0), ct_vec3_make(26, 16, 0), 0, 0);
    add(&m, 1, ct_vec3_make(16, 16, 0), ct_vec3_make(16, 16, 0), 0, 0);
    ct_navigation_world_step(m.world, 1.0 / 60);
    ct_navigation_world_remove(m.world, m.instances[1]);
    m.num_walkers = 1;
    float aside = 0;
    walk(&m, 30, &aside);
    assert_true(aside < 0.01f);
    stop(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_that_meet_both_turn_aside),
        cmocka_unit_test(groups_count_over_instances),
        cmocka_unit_test(streams_cross),
        cmocka_unit_test(those_that_went_are_not_avoided),
    };
    return cmocka_run_group_tests_name("navigation meet", tests, test_group_setup,
                                       test_group_teardown);
}
