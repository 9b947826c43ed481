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

// Template data of an instance with two parameters.
typedef struct with_parameters {
    _Alignas(8) ct_sound_source_data head;
    ct_sound_source_parameter parameters[2];
} with_parameters;

static ct_sound_source_parameter number(const char *name, float value) {
    ct_sound_source_parameter p = {.name = ct_string_id32_of(name)};
    memcpy(&p.bits, &value, sizeof(value));
    return p;
}

static ct_sound_source_parameter text(const char *name, const char *value) {
    return (ct_sound_source_parameter){ct_string_id32_of(name), 1, ct_string_id32_of(value).value};
}

static with_parameters heavy(void) {
    with_parameters data = {.head = sound_unit_data("hum"),
                            .parameters = {number("force", 5), text("material", "steel")}};
    data.head.num_parameters = 2;
    return data;
}

static ct_sound_parameter_value value_of(ct_sound_instance i, const char *name) {
    const ct_sound_parameter *const p =
        ct_sound_parameter_find(ct_sound_system_parameters(u.play.system),
                                sound_play_info(&u.play, i).parameters, ct_string_id32_of(name));
    assert_non_null(p);
    return p->value;
}

static void plays_when_it_is_made(void **state) {
    (void)state;
    const ct_entity e = sound_unit_entity(&u, 1, 0, 0);
    ct_sound_source_data data = sound_unit_data("hum");
    data.position[1] = 2;
    const ct_sound_source_component c = ct_sound_source_component_add(u.components, e, 7, &data);
    const ct_sound_instance i = ct_sound_source_component_instance(u.components, c);
    assert_true(sound_unit_plays(&u, i));
    sound_unit_assert_at(&u, i, 1, 2, 0);
    sound_unit_move(&u, e, 5, 0, 0);
    sound_unit_step(&u);
    sound_unit_assert_at(&u, i, 5, 2, 0);
}

static void waits_where_the_data_says_so(void **state) {
    (void)state;
    const ct_entity e = sound_unit_entity(&u, 1, 0, 0);
    ct_sound_source_data data = sound_unit_data("hum");
    data.plays_at_spawn = 0;
    const ct_sound_source_component c = ct_sound_source_component_add(u.components, e, 7, &data);
    assert_int_equal(ct_sound_source_component_instance(u.components, c).value, 0);
    ct_sound_source_component_stop(u.components, c, -1);
    assert_true(sound_unit_plays(&u, ct_sound_source_component_play(u.components, c)));
}

static void plays_on_its_node(void **state) {
    (void)state;
    const ct_entity e = sound_unit_entity(&u, 1, 0, 0);
    sound_unit_graph(&u, e, 2);
    ct_sound_source_data data = sound_unit_data("hum");
    data.node = ct_string_id32_of("n2");
    ct_sound_source_component c = ct_sound_source_component_add(u.components, e, 7, &data);
    sound_unit_assert_at(&u, ct_sound_source_component_instance(u.components, c), 1, 0, 2);
    data.node = ct_string_id32_of("nowhere"); // the entity
    c = ct_sound_source_component_add(u.components, e, 8, &data);
    sound_unit_assert_at(&u, ct_sound_source_component_instance(u.components, c), 1, 0, 0);
}

static void playing_again_stops_what_played(void **state) {
    (void)state;
    const ct_entity e = sound_unit_entity(&u, 1, 0, 0);
    const ct_sound_source_data data = sound_unit_data("hum");
    const ct_sound_source_component c = ct_sound_source_component_add(u.components, e, 7, &data);
    const ct_sound_instance first = ct_sound_source_component_instance(u.components, c);
    sound_unit_run(&u, 0.1);
    const ct_sound_instance second = ct_sound_source_component_play(u.components, c);
    assert_int_not_equal(first.value, second.value);
    sound_unit_run(&u, 0.2);
    assert_false(sound_unit_plays(&u, first));
    assert_true(sound_unit_plays(&u, second));
}

static void gives_its_parameters_to_what_it_plays(void **state) {
    (void)state;
    const ct_entity e = sound_unit_entity(&u, 1, 0, 0);
    const with_parameters data = heavy();
    const ct_sound_source_component c =
        ct_sound_source_component_add(u.components, e, 7, &data.head);
    const ct_sound_instance i = ct_sound_source_component_instance(u.components, c);
    assert_float_equal(value_of(i, "force").number, 5, 0);
    assert_int_equal(value_of(i, "material").text.value, ct_string_id32_of("steel").value);
    const ct_sound_source_parameter force = number("force", 7), stone = text("material", "stone");
    assert_true(ct_sound_source_component_set_parameter(u.components, c, &force));
    assert_true(ct_sound_source_component_set_parameter(u.components, c, &stone));
    assert_float_equal(value_of(i, "force").number, 7, 0);
    const ct_sound_instance next = ct_sound_source_component_play(u.components, c);
    assert_float_equal(value_of(next, "force").number, 7, 0);
    assert_int_equal(value_of(next, "material").text.value, ct_string_id32_of("stone").value);
}

static void has_room_for_so_many_parameters(void **state) {
    (void)state;
    const ct_entity e = sound_unit_entity(&u, 1, 0, 0);
    ct_sound_source_data data = sound_unit_data("hum");
    data.plays_at_spawn = 0;
    const ct_sound_source_component c = ct_sound_source_component_add(u.components, e, 7, &data);
    for (uint32_t i = 0; i <= CT_SOUND_SOURCE_MAX_PARAMETERS; ++i) {
        const ct_sound_source_parameter p = {.name = {i + 1}};
        assert_int_equal(ct_sound_source_component_set_parameter(u.components, c, &p),
                         i < CT_SOUND_SOURCE_MAX_PARAMETERS);
    }
    const ct_sound_source_parameter again = {.name = {1}, .bits = 5};
    assert_true(ct_sound_source_component_set_parameter(u.components, c, &again));
    assert_int_equal(ct_sound_source_component_data(u.components, c)->num_parameters,
                     CT_SOUND_SOURCE_MAX_PARAMETERS);
}

static void new_settings_move_what_plays(void **state) {
    (void)state;
    const ct_entity e = sound_unit_entity(&u, 1, 0, 0);
    const with_parameters made = heavy();
    const ct_sound_source_component c =
        ct_sound_source_component_add(u.components, e, 7, &made.head);
    const ct_sound_instance i = ct_sound_source_component_instance(u.components, c);
    ct_sound_source_data data = *ct_sound_source_component_data(u.components, c);
    const float before = sound_play_info(&u.play, i).volume;
    data.position[2] = 0.5f;
    data.volume = -12;
    ct_sound_source_component_set_data(u.components, c, &data);
    sound_unit_assert_at(&u, i, 1, 0, 0.5f);
    sound_unit_step(&u);
    assert_true(sound_play_info(&u.play, i).volume < before - 5);
    assert_int_equal(ct_sound_source_component_data(u.components, c)->num_parameters, 2);
}

// Settings that stay as they are do not undo what scripts did to the sound itself.
static void new_settings_change_nothing_else(void **state) {
    (void)state;
    const ct_entity e = sound_unit_entity(&u, 1, 0, 0);
    ct_sound_source_data data = sound_unit_data("hum");
    const ct_sound_source_component c = ct_sound_source_component_add(u.components, e, 7, &data);
    const ct_sound_instance i = ct_sound_source_component_instance(u.components, c);
    const uint32_t slot = ct_sound_slot_of(u.play.system, i);
    sound_unit_run(&u, 0.04);
    sound_unit_move(&u, e, 2, 0, 0);
    data.volume = -12;
    ct_sound_source_component_set_data(u.components, c, &data);
    sound_unit_step(&u);
    assert_true(ct_vec3_length(u.play.system->instances.velocities[slot]) > 1); // no jump
    ct_sound_set_volume(u.play.system, i, 0.125f);
    ct_sound_links_keep_rotation(u.links, i);
    data.position[0] = 1;
    ct_sound_source_component_set_data(u.components, c, &data);
    sound_unit_assert_at(&u, i, 3, 0, 0);
    assert_float_equal(u.play.system->instances.volumes[slot], 0.125f, 0);
    ct_sound_link_desc link;
    assert_true(ct_sound_links_find(u.links, i, &link));
    assert_true(link.keeps_rotation);
}

// Nor do those that change move a sound that a script has linked elsewhere.
static void new_settings_do_not_link_again(void **state) {
    (void)state;
    const ct_entity e = sound_unit_entity(&u, 1, 0, 0), other = sound_unit_entity(&u, 9, 0, 0);
    ct_sound_source_data data = sound_unit_data("hum");
    const ct_sound_source_component c = ct_sound_source_component_add(u.components, e, 7, &data);
    const ct_sound_instance i = ct_sound_source_component_instance(u.components, c);
    ct_sound_links_remove(u.links, i);
    data.position[0] = 2;
    data.orphaned = CT_SOUND_ORPHANED_DETACH;
    ct_sound_source_component_set_data(u.components, c, &data);
    sound_unit_step(&u);
    sound_unit_assert_at(&u, i, 1, 0, 0);
    ct_sound_links_add(u.links, i, &(ct_sound_link_desc){.entity = other});
    data.position[0] = 3;
    ct_sound_source_component_set_data(u.components, c, &data);
    sound_unit_assert_at(&u, i, 9, 0, 0);
}

static void ends_with_its_entity(void **state) {
    (void)state;
    const ct_entity e = sound_unit_entity(&u, 1, 0, 0), other = sound_unit_entity(&u, 2, 0, 0);
    const with_parameters data = heavy();
    const ct_sound_source_component c =
        ct_sound_source_component_add(u.components, e, 7, &data.head);
    const ct_sound_instance i = ct_sound_source_component_instance(u.components, c);
    ct_sound_source_component_add(u.components, other, 7, &data.head);
    sound_unit_run(&u, 0.1);
    sound_unit_kill(&u, e);
    assert_int_equal(ct_sound_source_component_first(u.components, e).index, 0);
    sound_unit_run(&u, 0.2);
    assert_false(sound_unit_plays(&u, i));
    assert_int_equal(ct_sound_world_count(u.world), 1);
}

// Sound goes on while a world stands still: what ends there is heard of and let go.
static void ends_in_worlds_that_stand_still(void **state) {
    (void)state;
    const ct_entity e = sound_unit_entity(&u, 1, 0, 0);
    const ct_sound_source_data data = sound_unit_data("knock");
    ct_sound_source_component_add(u.components, e, 7, &data);
    uint32_t num_markers = 0, num_ends = 0;
    for (uint32_t step = 0; step < 20; ++step) {
        sound_unit_step_by(&u, 0);
        uint32_t count;
        const ct_sound_link_event *const events = ct_sound_links_events(u.links, &count);
        for (uint32_t k = 0; k < count; ++k) {
            num_markers += events[k].marker.value != 0;
            num_ends += events[k].marker.value == 0;
        }
    }
    assert_int_equal(num_markers, 1);
    assert_int_equal(num_ends, 1);
    assert_int_equal(ct_sound_world_count(u.world), 0);
}

static void finds_components(void **state) {
    (void)state;
    const ct_entity e = sound_unit_entity(&u, 1, 0, 0);
    const ct_sound_source_data data = sound_unit_data("hum");
    const ct_sound_source_component a = ct_sound_source_component_add(u.components, e, 7, &data);
    const ct_sound_source_component b = ct_sound_source_component_add(u.components, e, 8, &data);
    assert_int_equal(ct_sound_source_component_first(u.components, e).index, a.index);
    assert_int_equal(ct_sound_source_component_next(u.components, a).index, b.index);
    assert_int_equal(ct_sound_source_component_with_id(u.components, e, 8).index, b.index);
    assert_int_equal(ct_sound_source_component_with_id(u.components, e, 9).index, 0);
    assert_int_equal(ct_sound_source_component_id(u.components, b), 8);
    const ct_sound_instance i = ct_sound_source_component_instance(u.components, a);
    ct_sound_source_component_remove(u.components, a);
    sound_unit_run(&u, 0.2);
    assert_false(sound_unit_plays(&u, i));
    assert_int_equal(ct_sound_world_count(u.world), 1);
}

#define COMPONENT_TEST(test) cmocka_unit_test_setup_teardown(test, start, stop)

int main(void) {
    const struct CMUnitTest tests[] = {
        COMPONENT_TEST(plays_when_it_is_made),
        COMPONENT_TEST(waits_where_the_data_says_so),
        COMPONENT_TEST(plays_on_its_node),
        COMPONENT_TEST(playing_again_stops_what_played),
        COMPONENT_TEST(gives_its_parameters_to_what_it_plays),
        COMPONENT_TEST(has_room_for_so_many_parameters),
        COMPONENT_TEST(new_settings_move_what_plays),
        COMPONENT_TEST(new_settings_change_nothing_else),
        COMPONENT_TEST(new_settings_do_not_link_again),
        COMPONENT_TEST(ends_with_its_entity),
        COMPONENT_TEST(ends_in_worlds_that_stand_still),
        COMPONENT_TEST(finds_components),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
