#include "foundation/math/math.h"
#include "sound/component/sound_unit.h"

static sound_unit u;

static int start(void **state) {
    (void)state;
    u = sound_unit_start();
    return 0;
}

static int stop(void **state) {
    (void)state;
    sound_unit_stop(&u);
    return 0;
}

static ct_sound_listener_data data_of(uint32_t index) {
    ct_sound_listener_data data;
    ct_schema_defaults(&ct_sound_listener_data_schema, &data);
    data.index = index;
    return data;
}

static ct_entity listening(float x, uint32_t index) {
    const ct_entity e = sound_unit_entity(&u, x, 0, 0);
    const ct_sound_listener_data data = data_of(index);
    ct_sound_listener_component_add(u.listeners, e, 1, &data);
    return e;
}

// Expects `count` listeners, and the x at which each is.
static void expect(uint32_t count, const float *x) {
    ct_sound_listener all[CT_SOUND_MAX_LISTENERS];
    assert_int_equal(ct_sound_listeners(u.world, all), count);
    for (uint32_t i = 0; i < count; ++i)
        assert_float_equal(all[i].position.x, x[i], 1e-5f);
}

static void is_where_its_entity_is(void **state) {
    (void)state;
    expect(0, NULL);
    const ct_entity e = listening(3, 1);
    expect(1, (const float[]){3});
    sound_unit_move(&u, e, 5, 0, 0);
    sound_unit_step(&u);
    expect(1, (const float[]){5});
}

static void is_on_its_node(void **state) {
    (void)state;
    ct_sound_listener all[CT_SOUND_MAX_LISTENERS];
    const ct_entity e = sound_unit_entity(&u, 1, 0, 0);
    sound_unit_graph(&u, e, 2);
    ct_sound_listener_data data = data_of(1);
    data.node = ct_string_id32_of("n2");
    ct_sound_listener_component_add(u.listeners, e, 1, &data);
    ct_sound_listeners(u.world, all);
    assert_float_equal(all[0].position.z, 2, 1e-5f);
}

static void there_are_as_many_as_the_highest_index(void **state) {
    (void)state;
    listening(3, 2);
    expect(2, (const float[]){0, 3});
    listening(4, 1);
    expect(2, (const float[]){4, 3});
    ct_sound_listeners_set_count(u.listeners, 1);
    expect(1, (const float[]){4});
}

static void one_that_is_not_active_does_not_listen(void **state) {
    (void)state;
    ct_sound_listener_data data = data_of(1);
    data.is_active = 0;
    ct_sound_listener_component_add(u.listeners, sound_unit_entity(&u, 1, 0, 0), 1, &data);
    sound_unit_step(&u);
    expect(0, NULL);
}

static void the_last_one_listens_and_hands_over(void **state) {
    (void)state;
    listening(1, 1);
    const ct_entity last = listening(2, 1);
    sound_unit_step(&u);
    expect(1, (const float[]){2});
    sound_unit_kill(&u, last);
    sound_unit_step(&u);
    expect(1, (const float[]){1});
}

static void stays_where_it_was_when_its_entity_dies(void **state) {
    (void)state;
    const ct_entity e = listening(7, 1);
    sound_unit_step(&u);
    sound_unit_kill(&u, e);
    sound_unit_step(&u);
    expect(1, (const float[]){7});
}

static void scripts_choose_entities_and_poses(void **state) {
    (void)state;
    const ct_entity component = listening(1, 1), chosen = sound_unit_entity(&u, 2, 0, 0);
    ct_sound_listeners_follow(u.listeners, 0, chosen, 0);
    sound_unit_move(&u, component, 9, 0, 0);
    sound_unit_move(&u, chosen, 4, 0, 0);
    sound_unit_step(&u);
    expect(1, (const float[]){4});
    ct_sound_listeners_place(u.listeners, 0, ct_vec3_make(5, 0, 0), ct_quat_identity(), true);
    sound_unit_move(&u, chosen, 6, 0, 0);
    sound_unit_step(&u);
    expect(1, (const float[]){5});
}

static float speed_after(bool is_jump) {
    ct_sound_listener all[CT_SOUND_MAX_LISTENERS];
    const ct_entity parent = sound_unit_entity(&u, 0, 0, 0), e = listening(0, 1);
    ct_transform_link(u.transforms, ct_transform_lookup(u.transforms, e),
                      ct_transform_lookup(u.transforms, parent));
    sound_unit_step(&u);
    sound_unit_move(&u, parent, 1, 0, 0);
    if (is_jump)
        ct_sound_listeners_jump(u.listeners, parent);
    sound_unit_step(&u);
    ct_sound_listeners(u.world, all);
    return ct_vec3_length(all[0].velocity);
}

static void a_jump_is_no_movement(void **state) {
    (void)state;
    assert_true(speed_after(false) > 1);
    assert_float_equal(speed_after(true), 0, 0);
}

static void changing_from_a_unit_to_a_place_is_a_jump(void **state) {
    (void)state;
    ct_sound_listener all[CT_SOUND_MAX_LISTENERS];
    listening(1, 1);
    sound_unit_step(&u);
    for (uint32_t i = 0; i < 2; ++i) {
        const ct_vec3 place = ct_vec3_make(3 + 2 * (float)i, 0, 0);
        ct_sound_listeners_place(u.listeners, 0, place, ct_quat_identity(), false);
        sound_unit_step(&u);
        ct_sound_listeners(u.world, all);
        assert_float_equal(all[0].velocity.x, (float)i * 100, 0.1f); // then it moves
    }
}

#define LISTENER_TEST(test) cmocka_unit_test_setup_teardown(test, start, stop)

int main(void) {
    const struct CMUnitTest tests[] = {
        LISTENER_TEST(is_where_its_entity_is),
        LISTENER_TEST(is_on_its_node),
        LISTENER_TEST(there_are_as_many_as_the_highest_index),
        LISTENER_TEST(one_that_is_not_active_does_not_listen),
        LISTENER_TEST(the_last_one_listens_and_hands_over),
        LISTENER_TEST(stays_where_it_was_when_its_entity_dies),
        LISTENER_TEST(scripts_choose_entities_and_poses),
        LISTENER_TEST(a_jump_is_no_movement),
        LISTENER_TEST(changing_from_a_unit_to_a_place_is_a_jump),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
