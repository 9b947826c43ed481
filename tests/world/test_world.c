#include "foundation/math/math.h"
#include "world/world_fixture.h"

static const template_entity crate[] = {
    {CT_NO_PARENT, {{0, 0, 0}}, "crate", 1, false, false, false, 0},
    {0, {{0, 0, 1}}, "lamp", 1, false, true, true, 0},
};

static void lists_worlds_in_the_order_they_were_made(void **state) {
    (void)state;
    world_fixture f = start_world();
    ct_world *b = ct_world_create(f.system), *c = ct_world_create(f.system);
    assert_int_equal(ct_world_system_num_worlds(f.system), 3);
    assert_ptr_equal(ct_world_system_world(f.system, 0), f.world);
    assert_ptr_equal(ct_world_system_world(f.system, 1), b);
    ct_world_destroy(b);
    assert_int_equal(ct_world_system_num_worlds(f.system), 2);
    assert_ptr_equal(ct_world_system_world(f.system, 1), c);
    stop_world(&f);
}

static void keeps_worlds_apart(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_unit(&f, "units/crate", crate, 2);
    ct_world *const other = ct_world_create(f.system);
    const ct_entity here = spawn_at(&f, "units/crate", 1, 0, 0);
    ct_entity there;
    assert_true(ct_world_spawn_units(other, "units/crate", NULL, NULL, NULL, 1, &there, NULL));
    assert_ptr_equal(ct_world_of(f.system, there), other);
    assert_false(ct_world_has_unit(f.world, there));
    assert_int_equal(transform_of(f.world, there).index, 0);
    assert_int_not_equal(ct_world_render_world(other).value, ct_world_render_world(f.world).value);
    ct_world_destroy_units(other, &here, 1); // of the other world: passed over
    assert_true(is_alive(&f, here));
    stop_world(&f);
}

static void ends_a_world_with_all_in_it(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_unit(&f, "units/crate", crate, 2);
    ct_world *const other = ct_world_create(f.system);
    ct_entity there[3];
    assert_true(ct_world_spawn_units(other, "units/crate", NULL, NULL, NULL, 3, there, NULL));
    const ct_entity loose = ct_world_create_entity(other);
    const ct_entity here = spawn_at(&f, "units/crate", 1, 0, 0);
    // A guest of the other world's managers, which does not belong to it.
    ct_mesh_create(ct_world_meshes(other), here, 9, &(ct_mesh_data){.mesh = {1}});
    assert_int_equal(recorded()->num_objects, 9);
    ct_world_destroy(other);
    assert_false(is_alive(&f, there[1]));
    assert_false(is_alive(&f, loose));
    assert_true(is_alive(&f, here));
    assert_int_equal(recorded()->num_objects, 2);
    assert_int_equal(recorded()->num_lights, 1);
    assert_int_equal(recorded()->num_worlds, 1);
    assert_int_equal(ct_world_system_num_entities(f.system), 2);
    stop_world(&f);
}

static void does_not_take_new_worlds_for_old_ones(void **state) {
    (void)state;
    world_fixture f = start_world();
    ct_world *const other = ct_world_create(f.system);
    const ct_entity e = ct_world_create_entity(other);
    ct_world_destroy(other);
    ct_world_create(f.system); // takes the same slot
    assert_null(ct_world_of(f.system, e));
    stop_world(&f);
}

static void counts_its_time(void **state) {
    (void)state;
    world_fixture f = start_world();
    assert_true(ct_world_time(f.world) == 0);
    ct_world_advance(f.world, 0.25);
    ct_world_advance(f.world, 0.5);
    assert_true(ct_world_time(f.world) == 0.75);
    assert_true(recorded()->time == 0.75); // which shaders see
    assert_true(ct_world_delta_time(f.world) == 0.5);
    stop_world(&f);
}

static void move(ct_world *w, ct_entity e, float x) {
    ct_transform_set_local_position(ct_world_transforms(w), transform_of(w, e),
                                    ct_vec3_make(x, 0, 0));
}

static void sends_what_moved_to_the_renderer(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_unit(&f, "units/crate", crate, 2);
    const ct_entity root = spawn_at(&f, "units/crate", 0, 0, 0);
    ct_world_advance(f.world, 0.1);
    move(f.world, root, 5);
    ct_world_advance(f.world, 0.1);
    assert_true(recorded()->objects[1].pose.col[3].x == 5);
    assert_true(recorded()->objects[2].pose.col[3].x == 5);
    assert_true(recorded()->lights[1].pose.col[3].x == 5);
    move(f.world, root, 6); // after the step, as a game does
    ct_world_send_changes(f.world);
    assert_true(recorded()->objects[1].pose.col[3].x == 6);
    assert_true(recorded()->lights[1].pose.col[3].x == 6);
    const uint32_t sent = recorded()->poses_sent, set = recorded()->light_sets;
    ct_world_send_changes(f.world);
    assert_int_equal(recorded()->poses_sent, sent);
    assert_int_equal(recorded()->light_sets, set);
    stop_world(&f);
}

static void collects_names_of_the_dead(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_unit(&f, "units/crate", crate, 2);
    const ct_entity root = spawn_at(&f, "units/crate", 0, 0, 0);
    ct_world_destroy_units(f.world, &root, 1);
    ct_debug_name_manager *const names = ct_world_system_debug_names(f.system);
    assert_non_null(ct_debug_name(names, root));
    ct_world_advance(f.world, 0.1); // all are dead, so one round ends them all
    assert_null(ct_debug_name(names, root));
    stop_world(&f);
}

static void registers_its_managers_by_type(void **state) {
    (void)state;
    world_fixture f = start_world();
    ct_component_registry *const r = ct_world_registry(f.world);
    assert_ptr_equal(ct_component_registry_find(r, ct_string_id32_of("transform"))->manager,
                     ct_world_transforms(f.world));
    assert_ptr_equal(ct_component_registry_find(r, ct_string_id32_of("mesh"))->manager,
                     ct_world_meshes(f.world));
    assert_ptr_equal(ct_component_registry_find(r, ct_string_id32_of("camera"))->manager,
                     ct_world_cameras(f.world));
    assert_ptr_equal(ct_component_registry_find(r, ct_string_id32_of("light"))->manager,
                     ct_world_lights(f.world));
    assert_ptr_equal(ct_component_registry_find(r, ct_string_id32_of("actor"))->manager,
                     ct_world_physics(f.world));
    assert_ptr_equal(ct_component_registry_find(r, ct_string_id32_of("trigger"))->manager,
                     ct_world_physics(f.world));
    assert_ptr_equal(ct_component_registry_find(r, ct_string_id32_of("mover"))->manager,
                     ct_world_movers(f.world));
    assert_null(ct_component_registry_find(r, ct_string_id32_of("sail")));
    stop_world(&f);
}

static void advances_10000_movers_without_allocating(void **state) {
    (void)state;
    world_fixture f = start_world();
    load_unit(&f, "units/crate", crate, 1);
    enum { COUNT = 10000 };
    static ct_entity roots[COUNT];
    assert_true(ct_world_spawn_units(f.world, "units/crate", NULL, NULL, NULL, COUNT, roots, NULL));
    uint64_t before = 0;
    for (uint32_t frame = 0; frame < 3; ++frame) {
        for (uint32_t i = 0; i < COUNT; ++i)
            move(f.world, roots[i], (float)frame);
        ct_world_advance(f.world, 1.0 / 60); // a step of the physics, too
        if (frame == 0)
            before = ct_allocator_stats_of(f.allocator).total_blocks;
    }
    assert_int_equal(ct_allocator_stats_of(f.allocator).total_blocks, before);
    assert_int_equal(recorded()->pose_calls, 3);
    stop_world(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_worlds_in_the_order_they_were_made),
        cmocka_unit_test(keeps_worlds_apart),
        cmocka_unit_test(ends_a_world_with_all_in_it),
        cmocka_unit_test(does_not_take_new_worlds_for_old_ones),
        cmocka_unit_test(counts_its_time),
        cmocka_unit_test(sends_what_moved_to_the_renderer),
        cmocka_unit_test(collects_names_of_the_dead),
        cmocka_unit_test(registers_its_managers_by_type),
        cmocka_unit_test(advances_10000_movers_without_allocating),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
