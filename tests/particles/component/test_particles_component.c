#include "foundation/math/math.h"
#include "particles/component/particles_unit.h"

static particles_unit u;

static int start(void **state) {
    (void)state;
    particle_fixture *const f = particles_unit_effect(20, 0);
    ct_particle_value rate = particle_fixture_number(20);
    rate.variable = 1;
    particle_fixture_variable(f, "strength", 1);
    particle_fixture_at(f, 0)->rate = particle_fixture_value(f, 0, rate);
    u = particles_unit_start(particle_fixture_end(f));
    return 0;
}

static int stop(void **state) {
    (void)state;
    particles_unit_stop(&u);
    return 0;
}

// Template data of an instance with a variable.
typedef struct with_variable {
    _Alignas(8) ct_particles_data head;
    ct_particles_data_variable variable;
} with_variable;

static with_variable strong(float strength) {
    with_variable data = {.head = particles_unit_data()};
    data.head.num_variables = 1;
    data.variable = (ct_particles_data_variable){ct_string_id32_of("strength"),
                                                 {strength, strength, strength, strength}};
    return data;
}

static void run(double seconds) {
    for (double t = 0; t < seconds - 0.01; t += 0.1)
        particles_unit_step(&u, 0.1);
}

static void plays_when_it_is_made(void **state) {
    (void)state;
    const ct_entity e = particles_unit_entity(&u, 1, 0, 0);
    ct_particles_data data = particles_unit_data();
    data.position[1] = 2;
    const ct_particles_component c = ct_particles_component_add(u.components, e, 7, &data);
    const ct_particle_effect_id effect = ct_particles_component_effect(u.components, c);
    assert_true(ct_particles_is_playing(u.world, effect));
    particles_unit_assert_at(&u, effect, 1, 2, 0);
    particles_unit_move(&u, e, 5, 0, 0);
    run(0.5);
    particles_unit_assert_at(&u, effect, 5, 2, 0);
    assert_in_range(ct_particles_count(u.world, effect, 0), 9, 11);
}

static void waits_where_the_data_says_so(void **state) {
    (void)state;
    const ct_entity e = particles_unit_entity(&u, 1, 0, 0);
    ct_particles_data data = particles_unit_data();
    data.plays_at_spawn = 0;
    const ct_particles_component c = ct_particles_component_add(u.components, e, 7, &data);
    assert_int_equal(ct_particles_component_effect(u.components, c).value, 0);
    const ct_particle_effect_id effect = ct_particles_component_play(u.components, c);
    assert_true(ct_particles_is_playing(u.world, effect));
}

static void plays_on_its_node(void **state) {
    (void)state;
    const ct_entity e = particles_unit_entity(&u, 1, 0, 0);
    particles_unit_graph(&u, e, 2);
    ct_particles_data data = particles_unit_data();
    data.node = ct_string_id32_of("n2");
    ct_particles_component c = ct_particles_component_add(u.components, e, 7, &data);
    particles_unit_assert_at(&u, ct_particles_component_effect(u.components, c), 1, 0, 2);
    data.node = ct_string_id32_of("nowhere"); // the entity
    c = ct_particles_component_add(u.components, e, 8, &data);
    particles_unit_assert_at(&u, ct_particles_component_effect(u.components, c), 1, 0, 0);
}

static void playing_again_stops_what_played(void **state) {
    (void)state;
    const ct_entity e = particles_unit_entity(&u, 1, 0, 0);
    const ct_particles_data data = particles_unit_data();
    const ct_particles_component c = ct_particles_component_add(u.components, e, 7, &data);
    const ct_particle_effect_id first = ct_particles_component_effect(u.components, c);
    run(0.5);
    const ct_particle_effect_id second = ct_particles_component_play(u.components, c);
    assert_int_not_equal(first.value, second.value);
    assert_true(ct_particles_is_playing(u.world, first));
    run(2);
    assert_false(ct_particles_is_playing(u.world, first));
    assert_true(ct_particles_is_playing(u.world, second));
}

static void gives_its_variables_to_what_it_plays(void **state) {
    (void)state;
    const ct_entity e = particles_unit_entity(&u, 1, 0, 0);
    const with_variable data = strong(2);
    const ct_particles_component c = ct_particles_component_add(u.components, e, 7, &data.head);
    run(0.5);
    const ct_particle_effect_id effect = ct_particles_component_effect(u.components, c);
    assert_in_range(ct_particles_count(u.world, effect, 0), 19, 21);
    const ct_string_id32 name = ct_string_id32_of("strength");
    assert_true(
        ct_particles_component_set_variable(u.components, c, name, (ct_vec4){{0, 0, 0, 0}}));
    run(2);
    assert_int_equal(ct_particles_count(u.world, effect, 0), 0);
    const ct_particle_effect_id next = ct_particles_component_play(u.components, c);
    run(0.5);
    assert_int_equal(ct_particles_count(u.world, next, 0), 0);
}

static void keeps_at_most_so_many_variables(void **state) {
    (void)state;
    const ct_entity e = particles_unit_entity(&u, 1, 0, 0);
    const ct_particles_data data = particles_unit_data();
    const ct_particles_component c = ct_particles_component_add(u.components, e, 7, &data);
    const ct_vec4 value = {{1, 1, 1, 1}};
    for (uint32_t i = 1; i <= CT_PARTICLES_DATA_MAX_VARIABLES; ++i)
        assert_true(
            ct_particles_component_set_variable(u.components, c, (ct_string_id32){i}, value));
    assert_true(ct_particles_component_set_variable(u.components, c, (ct_string_id32){3}, value));
    assert_false(ct_particles_component_set_variable(u.components, c, (ct_string_id32){99}, value));
}

static void variables_count_for_what_an_effect_is_ahead(void **state) {
    (void)state;
    u.play.effect->prewarm = 0.5f;
    const ct_entity e = particles_unit_entity(&u, 1, 0, 0);
    const with_variable data = strong(0);
    const ct_particles_component c = ct_particles_component_add(u.components, e, 7, &data.head);
    const ct_particle_effect_id effect = ct_particles_component_effect(u.components, c);
    run(0.1);
    assert_int_equal(ct_particles_count(u.world, effect, 0), 0);
}

static void hears_of_effects_that_end_in_a_seek(void **state) {
    (void)state;
    const ct_entity e = particles_unit_entity(&u, 1, 0, 0);
    const ct_particles_data data = particles_unit_data();
    const ct_particles_component c = ct_particles_component_add(u.components, e, 7, &data);
    const ct_particle_effect_id effect = ct_particles_component_effect(u.components, c);
    run(0.1);
    ct_particles_stop_spawning(u.world, effect);
    ct_particles_seek(u.world, effect, 100);
    assert_false(ct_particles_is_playing(u.world, effect));
    particles_unit_step(&u, 0.1);
    uint32_t count;
    const ct_particle_ended *const ended = ct_particle_links_ended(u.links, &count);
    assert_int_equal(count, 1);
    assert_int_equal(ended[0].effect.value, effect.value);
    assert_int_equal(ended[0].entity.id, e.id);
}

static void new_settings_move_what_plays(void **state) {
    (void)state;
    const ct_entity e = particles_unit_entity(&u, 1, 0, 0);
    ct_particles_data data = particles_unit_data();
    const ct_particles_component c = ct_particles_component_add(u.components, e, 7, &data);
    data.position[2] = 3;
    data.orphaned = CT_PARTICLES_ORPHANED_DESTROY;
    data.node = ct_string_id32_of("other"); // stays as it was
    ct_particles_component_set_data(u.components, c, &data);
    const ct_particle_effect_id effect = ct_particles_component_effect(u.components, c);
    particles_unit_assert_at(&u, effect, 1, 0, 3);
    assert_int_equal(ct_particles_component_data(u.components, c)->node.value, 0);
    particles_unit_kill(&u, e);
    assert_false(ct_particles_is_playing(u.world, effect));
}

static void new_settings_do_not_link_again(void **state) {
    (void)state;
    const ct_entity e = particles_unit_entity(&u, 1, 0, 0),
                    other = particles_unit_entity(&u, 9, 0, 0);
    ct_particles_data data = particles_unit_data();
    const ct_particles_component c = ct_particles_component_add(u.components, e, 7, &data);
    const ct_particle_effect_id effect = ct_particles_component_effect(u.components, c);
    ct_particle_links_remove(u.links, effect);
    data.position[2] = 3;
    ct_particles_component_set_data(u.components, c, &data);
    particles_unit_assert_at(&u, effect, 1, 0, 0);
    ct_particle_links_add(u.links, effect,
                          &(ct_particle_link_desc){.entity = other, .pose = ct_mat4_identity()});
    data.position[2] = 4;
    ct_particles_component_set_data(u.components, c, &data);
    particles_unit_assert_at(&u, effect, 9, 0, 0);
}

static void finds_several_of_an_entity(void **state) {
    (void)state;
    const ct_entity e = particles_unit_entity(&u, 1, 0, 0);
    const ct_particles_data data = particles_unit_data();
    const ct_particles_component a = ct_particles_component_add(u.components, e, 7, &data);
    ct_particles_component b = ct_particles_component_add(u.components, e, 8, &data);
    assert_int_equal(ct_particles_component_first(u.components, e).index, a.index);
    assert_int_equal(ct_particles_component_next(u.components, a).index, b.index);
    assert_int_equal(ct_particles_component_next(u.components, b).index, 0);
    assert_int_equal(ct_particles_component_with_id(u.components, e, 8).index, b.index);
    assert_int_equal(ct_particles_component_id(u.components, b), 8);
    const uint32_t number = ct_particles_component_number(u.components, b);
    const ct_particle_effect_id first = ct_particles_component_effect(u.components, a);
    ct_particles_component_remove(u.components, a);
    run(2);
    assert_false(ct_particles_is_playing(u.world, first)); // it made no more
    b = ct_particles_component_with_number(u.components, e, number, CT_INSTANCE_NUMBER_BITS);
    assert_int_equal(ct_particles_component_entity(u.components, b).id, e.id);
    assert_int_equal(ct_particles_component_with_id(u.components, e, 7).index, 0);
}

static void spawns_from_templates(void **state) {
    (void)state;
    const with_variable data = strong(2);
    const ct_entity owners[2] = {particles_unit_entity(&u, 1, 0, 0),
                                 particles_unit_entity(&u, 2, 0, 0)};
    const uint32_t ids[2] = {5, 5}, offsets[2] = {0, sizeof(data)};
    const ct_component_manager row = ct_particles_component_manager(u.components);
    row.spawn(row.manager, &(ct_component_spawn){.owners = owners,
                                                 .ids = ids,
                                                 .data = &data,
                                                 .offsets = offsets,
                                                 .num_instances = 1,
                                                 .num_copies = 2});
    run(0.5);
    for (uint32_t i = 0; i < 2; ++i) {
        const ct_particles_component c = ct_particles_component_with_id(u.components, owners[i], 5);
        const ct_particle_effect_id effect = ct_particles_component_effect(u.components, c);
        assert_in_range(ct_particles_count(u.world, effect, 0), 19, 21);
        particles_unit_assert_at(&u, effect, (float)(1 + i), 0, 0);
    }
}

static void does_without_effects_that_are_not_loaded(void **state) {
    (void)state;
    const ct_entity e = particles_unit_entity(&u, 1, 0, 0);
    ct_particles_data data = particles_unit_data();
    data.effect = ct_string_id64_of("missing");
    const ct_particles_component c = ct_particles_component_add(u.components, e, 7, &data);
    assert_int_equal(ct_particles_component_effect(u.components, c).value, 0);
    assert_int_equal(ct_particle_links_count(u.links), 0);
    run(0.2);
    assert_int_equal(ct_particles_component_play(u.components, c).value, 0);
}

static void takes_an_hour_in_one_step(void **state) {
    (void)state;
    const ct_entity e = particles_unit_entity(&u, 1, 0, 0);
    const ct_particles_data data = particles_unit_data();
    const ct_particles_component c = ct_particles_component_add(u.components, e, 7, &data);
    particles_unit_step(&u, 3600);
    const ct_particle_effect_id effect = ct_particles_component_effect(u.components, c);
    assert_in_range(ct_particles_count(u.world, effect, 0), 15, 25);
}

// Units that come and go, with effects that end in all ways.
static void memory_stays_flat(void **state) {
    (void)state;
    ct_entity alive[8] = {{0}};
    uint64_t num_blocks = 0, bytes = 0;
    uint32_t random = 5;
    const with_variable data = strong(1);
    for (uint32_t i = 0; i < 600; ++i) {
        ct_entity *const e = &alive[i % 8];
        if (e->id)
            particles_unit_kill(&u, *e);
        *e = particles_unit_entity(&u, 1, 0, 0);
        with_variable own = data;
        own.head.orphaned = test_random(&random) % 2;
        ct_particles_component_add(u.components, *e, 1, &own.head);
        particles_unit_step(&u, 0.1);
        if (i < 100 || i % 100 != 0)
            continue;
        const ct_allocator_stats stats = ct_allocator_stats_of(test_heap());
        assert_true(num_blocks == 0 || stats.live_blocks <= num_blocks + 8);
        assert_true(bytes == 0 || stats.live_bytes <= bytes + 65536);
        num_blocks = stats.live_blocks, bytes = stats.live_bytes;
    }
}

#define COMPONENT_TEST(test) cmocka_unit_test_setup_teardown(test, start, stop)

int main(void) {
    const struct CMUnitTest tests[] = {
        COMPONENT_TEST(plays_when_it_is_made),
        COMPONENT_TEST(waits_where_the_data_says_so),
        COMPONENT_TEST(plays_on_its_node),
        COMPONENT_TEST(playing_again_stops_what_played),
        COMPONENT_TEST(gives_its_variables_to_what_it_plays),
        COMPONENT_TEST(keeps_at_most_so_many_variables),
        COMPONENT_TEST(variables_count_for_what_an_effect_is_ahead),
        COMPONENT_TEST(hears_of_effects_that_end_in_a_seek),
        COMPONENT_TEST(new_settings_move_what_plays),
        COMPONENT_TEST(new_settings_do_not_link_again),
        COMPONENT_TEST(finds_several_of_an_entity),
        COMPONENT_TEST(spawns_from_templates),
        COMPONENT_TEST(does_without_effects_that_are_not_loaded),
        COMPONENT_TEST(takes_an_hour_in_one_step),
        COMPONENT_TEST(memory_stays_flat),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
