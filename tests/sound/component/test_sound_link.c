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

static ct_sound_instance linked_event(const char *event, ct_sound_link_desc desc) {
    const ct_sound_instance i = sound_play_at(&u.play, event, 0, 0, 0);
    assert_int_not_equal(i.value, 0);
    ct_sound_links_add(u.links, i, &desc);
    return i;
}

static ct_sound_instance linked(ct_sound_link_desc desc) {
    return linked_event("hum", desc);
}

// The entity that an instance is linked to, or {0}.
static ct_entity entity_of(ct_sound_instance i) {
    ct_sound_link_desc desc = {.entity = {0}};
    ct_sound_links_find(u.links, i, &desc);
    return desc.entity;
}

static void follows_its_entity(void **state) {
    (void)state;
    const ct_entity e = sound_unit_entity(&u, 1, 2, 3);
    const ct_sound_instance i = linked((ct_sound_link_desc){.entity = e});
    sound_unit_assert_at(&u, i, 1, 2, 3); // at once
    sound_unit_move(&u, e, 4, 2, 3);
    sound_unit_step(&u);
    sound_unit_assert_at(&u, i, 4, 2, 3);
    assert_int_equal(entity_of(i).id, e.id);
    ct_sound_links_remove(u.links, i);
    sound_unit_move(&u, e, 9, 9, 9);
    sound_unit_step(&u);
    sound_unit_assert_at(&u, i, 4, 2, 3);
    assert_int_equal(entity_of(i).id, 0);
}

static void follows_a_node_at_a_position(void **state) {
    (void)state;
    const ct_entity e = sound_unit_entity(&u, 0, 0, 0);
    sound_unit_graph(&u, e, 3);
    const ct_sound_instance i =
        linked((ct_sound_link_desc){.entity = e, .node = 2, .position = {{1, 0, 0}}});
    sound_unit_assert_at(&u, i, 1, 0, 2);
    const ct_scene_graph g = ct_scene_graph_lookup(u.graphs, e);
    ct_scene_graph_set_local_position(u.graphs, g, 1, ct_vec3_make(0, 5, 0));
    sound_unit_step(&u);
    sound_unit_assert_at(&u, i, 1, 5, 1);
}

static void moves_also_where_no_time_passes(void **state) {
    (void)state;
    const ct_entity e = sound_unit_entity(&u, 0, 0, 0);
    const ct_sound_instance i = linked((ct_sound_link_desc){.entity = e});
    sound_unit_move(&u, e, 4, 0, 0);
    ct_sound_source_components_update(u.components, 0);
    sound_unit_assert_at(&u, i, 4, 0, 0);
}

static void a_second_link_replaces_the_first(void **state) {
    (void)state;
    const ct_entity a = sound_unit_entity(&u, 1, 0, 0), b = sound_unit_entity(&u, 2, 0, 0);
    const ct_sound_instance i = linked((ct_sound_link_desc){.entity = a});
    ct_sound_links_add(u.links, i, &(ct_sound_link_desc){.entity = b});
    sound_unit_assert_at(&u, i, 2, 0, 0);
    assert_int_equal(ct_sound_links_count(u.links), 1);
    sound_unit_kill(&u, a);
    sound_unit_step(&u);
    assert_int_equal(entity_of(i).id, b.id);
    assert_true(sound_unit_plays(&u, i));
}

static void a_unit_that_dies_decides_about_its_sounds(void **state) {
    (void)state;
    const ct_entity e = sound_unit_entity(&u, 3, 0, 0);
    ct_sound_instance i[CT_SOUND_ORPHANED_COUNT];
    for (uint32_t k = 0; k < CT_SOUND_ORPHANED_COUNT; ++k)
        i[k] = linked((ct_sound_link_desc){.entity = e, .orphaned = k});
    sound_unit_run(&u, 0.1);
    sound_unit_kill(&u, e);
    assert_int_equal(ct_sound_links_count(u.links), 0);
    sound_unit_step(&u);
    assert_true(sound_unit_plays(&u, i[CT_SOUND_ORPHANED_STOP])); // it fades out
    sound_unit_run(&u, 0.2);
    assert_false(sound_unit_plays(&u, i[CT_SOUND_ORPHANED_STOP]));
    assert_true(sound_unit_plays(&u, i[CT_SOUND_ORPHANED_DETACH]));
    sound_unit_assert_at(&u, i[CT_SOUND_ORPHANED_DETACH], 3, 0, 0);
}

// The gap to what was heard before must be small when a sound moves on, and may be large when it jumps:
// a jump has no speed, and so no Doppler.
static float speed_after(bool is_jump) {
    const ct_entity e = sound_unit_entity(&u, 0, 10, 0);
    const ct_sound_instance i = linked((ct_sound_link_desc){.entity = e});
    sound_unit_step(&u);
    sound_unit_step(&u);
    sound_unit_move(&u, e, 0, 11, 0);
    if (is_jump)
        ct_sound_links_jump(u.links, e);
    sound_unit_step(&u);
    const uint32_t slot = ct_sound_slot_of(u.play.system, i);
    return ct_vec3_length(u.play.system->instances.velocities[slot]);
}

static void a_jump_is_no_movement(void **state) {
    (void)state;
    assert_true(speed_after(false) > 1);
    assert_float_equal(speed_after(true), 0, 0);
}

static ct_vec3 velocity_of(ct_sound_instance i) {
    return u.play.system->instances.velocities[ct_sound_slot_of(u.play.system, i)];
}

static ct_vec3 forward_of(ct_sound_instance i) {
    return u.play.system->instances.forwards[ct_sound_slot_of(u.play.system, i)];
}

static void the_same_link_again_is_no_jump(void **state) {
    (void)state;
    const ct_entity e = sound_unit_entity(&u, 0, 10, 0);
    ct_sound_link_desc desc = {.entity = e};
    const ct_sound_instance i = linked(desc);
    sound_unit_run(&u, 0.04);
    sound_unit_move(&u, e, 0, 11, 0);
    desc.orphaned = CT_SOUND_ORPHANED_DETACH;
    ct_sound_links_add(u.links, i, &desc);
    sound_unit_step(&u);
    assert_true(ct_vec3_length(velocity_of(i)) > 1);
    sound_unit_kill(&u, e);
    sound_unit_run(&u, 0.2);
    assert_true(sound_unit_plays(&u, i));
}

static void turns_with_its_entity_unless_it_keeps_its_rotation(void **state) {
    (void)state;
    const ct_entity e = sound_unit_entity(&u, 0, 10, 0);
    const ct_quat left = ct_quat_axis_angle(ct_vec3_make(0, 0, 1), 1.5707963f);
    const ct_sound_instance i = linked((ct_sound_link_desc){.entity = e});
    const ct_sound_instance kept =
        linked((ct_sound_link_desc){.entity = e, .keeps_rotation = true});
    ct_transform_set_local_rotation(u.transforms, ct_transform_lookup(u.transforms, e), left);
    sound_unit_step(&u);
    assert_float_equal(forward_of(i).x, -1, 1e-4f);
    assert_float_equal(forward_of(kept).y, 1, 1e-4f);
    ct_sound_links_keep_rotation(u.links, i);
    ct_sound_turn(u.play.system, i, ct_quat_identity());
    sound_unit_move(&u, e, 0, 12, 0);
    sound_unit_step(&u);
    assert_float_equal(forward_of(i).y, 1, 1e-4f);
    sound_unit_assert_at(&u, i, 0, 12, 0);
}

static void a_jump_is_one_of_what_is_linked_below(void **state) {
    (void)state;
    const ct_entity parent = sound_unit_entity(&u, 0, 0, 0), e = sound_unit_entity(&u, 0, 10, 0);
    ct_transform_link(u.transforms, ct_transform_lookup(u.transforms, e),
                      ct_transform_lookup(u.transforms, parent));
    const ct_sound_instance i = linked((ct_sound_link_desc){.entity = e});
    sound_unit_step(&u);
    sound_unit_move(&u, parent, 0, 50, 0);
    ct_sound_links_jump(u.links, parent);
    sound_unit_step(&u);
    const uint32_t slot = ct_sound_slot_of(u.play.system, i);
    assert_float_equal(ct_vec3_length(u.play.system->instances.velocities[slot]), 0, 0);
    sound_unit_assert_at(&u, i, 0, 60, 0);
}

static void lists_markers_and_ends(void **state) {
    (void)state;
    const ct_entity e = sound_unit_entity(&u, 0, 0, 0);
    const ct_sound_instance i = linked_event("knock", (ct_sound_link_desc){.entity = e});
    sound_play_at(&u.play, "knock", 0, 0, 0); // of no unit
    uint32_t num_markers = 0, num_ends = 0;
    for (uint32_t k = 0; k < 20; ++k) {
        uint32_t count;
        sound_unit_step(&u);
        const ct_sound_link_event *const events = ct_sound_links_events(u.links, &count);
        for (uint32_t n = 0; n < count; ++n) {
            assert_int_equal(events[n].entity.id, e.id);
            assert_int_equal(events[n].instance.value, i.value);
            num_markers += events[n].marker.value == ct_string_id32_of("crack").value;
            num_ends += events[n].marker.value == 0;
            assert_int_equal(num_markers, 1);
        }
    }
    assert_int_equal(num_markers, 1);
    assert_int_equal(num_ends, 1);
    assert_int_equal(ct_sound_links_count(u.links), 0);
}

static void links_of_ended_instances_do_nothing(void **state) {
    (void)state;
    const ct_entity e = sound_unit_entity(&u, 0, 0, 0);
    const ct_sound_instance i = sound_play_at(&u.play, "knock", 0, 0, 0);
    sound_unit_run(&u, 0.5);
    assert_false(sound_unit_plays(&u, i));
    ct_sound_links_add(u.links, i, &(ct_sound_link_desc){.entity = e});
    assert_int_equal(ct_sound_links_count(u.links), 0);
    ct_sound_links_remove(u.links, i);
    ct_sound_links_jump(u.links, e);
}

#define LINK_TEST(test) cmocka_unit_test_setup_teardown(test, start, stop)

int main(void) {
    const struct CMUnitTest tests[] = {
        LINK_TEST(follows_its_entity),
        LINK_TEST(follows_a_node_at_a_position),
        LINK_TEST(moves_also_where_no_time_passes),
        LINK_TEST(a_second_link_replaces_the_first),
        LINK_TEST(a_unit_that_dies_decides_about_its_sounds),
        LINK_TEST(a_jump_is_no_movement),
        LINK_TEST(the_same_link_again_is_no_jump),
        LINK_TEST(turns_with_its_entity_unless_it_keeps_its_rotation),
        LINK_TEST(a_jump_is_one_of_what_is_linked_below),
        LINK_TEST(lists_markers_and_ends),
        LINK_TEST(links_of_ended_instances_do_nothing),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
