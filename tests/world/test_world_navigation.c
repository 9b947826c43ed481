// Navigation in worlds: levels with meshes, and units that walk over them.
#include "world/navigation_world_fixture.h"

typedef struct yard {
    world_fixture f;
    ct_level level;
} yard;

static yard start_yard(const ct_navigation_agent_data *data) {
    yard y = {.f = start_world()};
    load_navigation(&y.f, "levels/yard", make_yard());
    load_yard_level(&y.f, "levels/yard", "levels/yard");
    load_walker(&y.f, data);
    y.level = spawn_yard_here(&y.f, "levels/yard");
    return y;
}

static uint32_t num_instances_of(const world_fixture *f) {
    uint32_t count;
    ct_navigation_world_instances(ct_world_navigation(f->world), &count);
    return count;
}

static void a_unit_walks_around_a_block(void **state) {
    (void)state;
    const ct_navigation_agent_data data = walker_data();
    yard y = start_yard(&data);
    const ct_entity e = spawn_at(&y.f, "units/walker", 8, 2, 0);
    send(&y.f, e, 8, 12);
    float nearest = 1e9f;
    uint32_t num_steps = 0;
    for (; num_steps < 1200 && status_of(&y.f, e).state != CT_NAVIGATION_ARRIVED; ++num_steps) {
        ct_world_advance(y.f.world, 1.0 / 60);
        nearest = fminf(nearest, metres_between(place_of(&y.f, e), ct_vec3_make(8, 5.5f, 0)));
    }
    assert_int_equal(status_of(&y.f, e).state, CT_NAVIGATION_ARRIVED);
    assert_true(metres_between(place_of(&y.f, e), ct_vec3_make(8, 12, 0)) < 0.5f);
    assert_true(nearest > 1.5f);  // not through the block
    assert_true(num_steps > 400); // at 1.5 m/s
    uint32_t count;
    const ct_navigation_agent_event *const events =
        ct_navigation_agent_take_events(ct_world_navigation_agents(y.f.world), &count);
    assert_int_equal(count, 1);
    assert_int_equal(events[0].type, CT_NAVIGATION_EVENT_ARRIVED);
    assert_int_equal(events[0].entity.id, e.id);
    stop_world(&y.f);
}

static void a_level_has_a_mesh_until_it_ends(void **state) {
    (void)state;
    const ct_navigation_agent_data data = walker_data();
    yard y = start_yard(&data);
    assert_int_equal(num_instances_of(&y.f), 1);
    const ct_string_id32 walker = ct_string_id32_of("walker"), giant = ct_string_id32_of("giant");
    assert_true(ct_level_navigation(y.f.world, y.level, walker).id);
    assert_true(ct_level_navigation(y.f.world, y.level, (ct_string_id32){0}).id);
    assert_false(ct_level_navigation(y.f.world, y.level, giant).id);
    assert_false(ct_level_navigation(y.f.world, (ct_level){0}, walker).id);
    const ct_entity e = spawn_at(&y.f, "units/walker", 8, 2, 0);
    send(&y.f, e, 8, 12);
    ct_world_advance(y.f.world, 0.1);
    assert_true(status_of(&y.f, e).instance.id);
    ct_world_destroy_level(y.f.world, y.level);
    assert_int_equal(num_instances_of(&y.f), 0);
    ct_world_advance(y.f.world, 0.1);
    assert_int_equal(status_of(&y.f, e).state, CT_NAVIGATION_OFF);
    assert_true(status_of(&y.f, e).has_goal);
    // Its goal is kept for another mesh.
    spawn_yard_here(&y.f, "levels/yard");
    assert_true(step_until(&y.f, e, CT_NAVIGATION_ARRIVED, 15));
    stop_world(&y.f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_unit_walks_around_a_block),
        cmocka_unit_test(a_level_has_a_mesh_until_it_ends),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
