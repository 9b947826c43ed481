// Actors that start inside each other: which are found, and how deep.
#include "physics/actor/actor_fixture.h"

enum { MOST = 8 };

static ct_actor_overlap found[MOST];

static ct_actor box(actor_fixture *f, float x, float z, uint32_t body) {
    return make_actor(f, make_entity(f, x, 0, z), body, box_shape(1, 1, 1));
}

static uint32_t find(actor_fixture *f, float depth) {
    return ct_physics_world_overlaps(f->world, depth, found, MOST);
}

static void each_pair_is_found_once_with_its_depth(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_actor wall = box(&f, 0, 0, CT_ACTOR_STATIC);
    const ct_actor low = box(&f, 0, 1.9f, CT_ACTOR_DYNAMIC);
    const ct_actor high = box(&f, 0, 3.85f, CT_ACTOR_DYNAMIC);
    const ct_actor lift = box(&f, 1.98f, 4.5f, CT_ACTOR_KEYFRAMED);
    box(&f, 0, -1.5f, CT_ACTOR_STATIC); // two that never move
    box(&f, 3.5f, 4.5f, CT_ACTOR_KEYFRAMED);
    box(&f, 10, 0, CT_ACTOR_DYNAMIC); // alone
    assert_int_equal(find(&f, 0.01f), 3);
    assert_int_equal(found[0].a.id, low.id);
    assert_int_equal(found[0].b.id, wall.id);
    assert_float_equal(found[0].depth, 0.1, 1e-3);
    assert_float_equal(found[0].position.z, 1, 1e-3);
    assert_int_equal(found[1].a.id, low.id);
    assert_int_equal(found[1].b.id, high.id);
    assert_float_equal(found[1].depth, 0.05, 1e-3);
    assert_int_equal(found[2].a.id, high.id);
    assert_int_equal(found[2].b.id, lift.id);
    assert_float_equal(found[2].depth, 0.02, 1e-3);
    assert_int_equal(find(&f, 0.03f), 2);
    assert_int_equal(find(&f, 0.2f), 0);
    assert_int_equal(ct_physics_world_overlaps(f.world, 0.01f, found, 1), 3);
    stop_actors(&f);
}

static void what_does_not_collide_is_not_found(void **state) {
    (void)state;
    actor_fixture f = start_actors();
    const ct_actor wall = box(&f, 0, 0, CT_ACTOR_STATIC);
    const ct_actor crate = box(&f, 0, 1.5f, CT_ACTOR_DYNAMIC);
    const ct_trigger_data trigger = {.name = {0}};
    const ct_actor_data data = ct_trigger_actor_data(&trigger);
    const ct_actor_shape_data shape = box_shape(2, 2, 2);
    ct_error error = {0};
    const ct_actor_desc desc = {.entity = make_entity(&f, 0, 0, 1),
                                .data = &data,
                                .shapes = &shape,
                                .num_shapes = 1,
                                .is_trigger = true};
    assert_true(ct_actor_create(f.world, &desc, &error).id != 0);
    assert_int_equal(find(&f, 0.01f), 1); // not with the trigger
    ct_actor_set_collision_enabled(f.world, wall, false);
    assert_int_equal(find(&f, 0.01f), 0);
    ct_actor_set_collision_enabled(f.world, wall, true);
    ct_actor_set_collision_enabled(f.world, crate, false);
    assert_int_equal(find(&f, 0.01f), 0);
    ct_actor_set_collision_enabled(f.world, crate, true);
    ct_bullet_body_set_filter(ct_actor_bullet(f.world, crate), 1, ~1u); // not what the wall is
    assert_int_equal(find(&f, 0.01f), 0);
    ct_bullet_body_set_filter(ct_actor_bullet(f.world, crate), 1, ~0u);
    assert_int_equal(find(&f, 0.01f), 1);
    assert_true(ct_actor_set_body(f.world, crate, CT_ACTOR_KINEMATIC, NULL));
    assert_int_equal(find(&f, 0.01f), 0);
    assert_true(ct_actor_set_body(f.world, crate, CT_ACTOR_DYNAMIC, NULL));
    assert_int_equal(find(&f, 0.01f), 1);
    stop_actors(&f);
}

// Steps both worlds; the bits of where a body is must not differ.
static void finding_changes_nothing(void **state) {
    (void)state;
    actor_fixture fixtures[] = {start_actors(), start_actors()};
    ct_actor crates[2][3];
    for (uint32_t i = 0; i < 2; ++i) {
        box(&fixtures[i], 0, 0, CT_ACTOR_STATIC);
        for (uint32_t k = 0; k < 3; ++k)
            crates[i][k] =
                box(&fixtures[i], 0.1f * (float)k, 1.9f + 1.95f * (float)k, CT_ACTOR_DYNAMIC);
    }
    for (uint32_t step = 0; step < 60; ++step) {
        if (step % 10 == 0)
            find(&fixtures[0], 0);
        run(&fixtures[0], 1);
        run(&fixtures[1], 1);
        for (uint32_t k = 0; k < 3; ++k) {
            float x[12], y[12];
            ct_bullet_body_transform(ct_actor_bullet(fixtures[0].world, crates[0][k]), x);
            ct_bullet_body_transform(ct_actor_bullet(fixtures[1].world, crates[1][k]), y);
            assert_memory_equal(x, y, sizeof(x));
        }
    }
    stop_actors(&fixtures[1]);
    stop_actors(&fixtures[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_pair_is_found_once_with_its_depth),
        cmocka_unit_test(what_does_not_collide_is_not_found),
        cmocka_unit_test(finding_changes_nothing),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
