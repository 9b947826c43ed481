#include <math.h>

#include "foundation/math/math.h"
#include "particles/component/particles_unit.h"

static particles_unit u;

static int start(void **state) {
    (void)state;
    u = particles_unit_start(particle_fixture_end(particles_unit_effect(20, 0)));
    return 0;
}

static int start_by_way(void **state) {
    (void)state;
    u = particles_unit_start(particle_fixture_end(particles_unit_effect(0, 1)));
    return 0;
}

static int stop(void **state) {
    (void)state;
    particles_unit_stop(&u);
    return 0;
}

static ct_particle_link_desc link_to(ct_entity e, uint32_t node) {
    return (ct_particle_link_desc){
        .entity = e, .node = node, .pose = ct_mat4_identity(), .orphaned = 0};
}

static ct_particle_effect_id linked(ct_particle_link_desc desc) {
    const ct_particle_effect_id effect = particle_play_create(&u.play, 0);
    assert_int_not_equal(effect.value, 0);
    ct_particle_links_add(u.links, effect, &desc);
    return effect;
}

static void follows_its_entity(void **state) {
    (void)state;
    const ct_entity e = particles_unit_entity(&u, 1, 2, 3);
    const ct_particle_effect_id effect = linked(link_to(e, 0));
    particles_unit_assert_at(&u, effect, 1, 2, 3); // at once
    particles_unit_move(&u, e, 4, 2, 3);
    particles_unit_step(&u, 0.1);
    particles_unit_assert_at(&u, effect, 4, 2, 3);
    assert_int_equal(ct_particle_links_entity(u.links, effect).id, e.id);
    ct_particle_links_remove(u.links, effect);
    particles_unit_move(&u, e, 9, 9, 9);
    particles_unit_step(&u, 0.1);
    particles_unit_assert_at(&u, effect, 4, 2, 3);
    assert_int_equal(ct_particle_links_entity(u.links, effect).id, 0);
}

static void follows_a_node_at_a_pose(void **state) {
    (void)state;
    const ct_entity e = particles_unit_entity(&u, 0, 0, 0);
    particles_unit_graph(&u, e, 3);
    ct_particle_link_desc desc = link_to(e, 2);
    desc.pose = ct_mat4_compose(ct_vec3_make(1, 0, 0), ct_quat_identity(), ct_vec3_make(2, 2, 2));
    const ct_particle_effect_id effect = linked(desc);
    particles_unit_assert_at(&u, effect, 1, 0, 2);
    const ct_scene_graph g = ct_scene_graph_lookup(u.graphs, e);
    ct_scene_graph_set_local_position(u.graphs, g, 1, ct_vec3_make(0, 5, 0));
    particles_unit_step(&u, 0.1);
    particles_unit_assert_at(&u, effect, 1, 5, 1);
    ct_particle_place place;
    ct_particles_place(u.world, effect, &place);
    assert_true(fabsf(place.scale.x - 2) < 1e-5f);
}

static void moves_also_where_no_time_passes(void **state) {
    (void)state;
    const ct_entity e = particles_unit_entity(&u, 0, 0, 0);
    const ct_particle_effect_id effect = linked(link_to(e, 0));
    particles_unit_move(&u, e, 4, 0, 0);
    ct_particles_components_update(u.components, 0);
    particles_unit_assert_at(&u, effect, 4, 0, 0);
    assert_int_equal(ct_particles_count(u.world, effect, 0), 0);
}

static void a_second_link_replaces_the_first(void **state) {
    (void)state;
    const ct_entity a = particles_unit_entity(&u, 1, 0, 0), b = particles_unit_entity(&u, 2, 0, 0);
    const ct_particle_effect_id effect = linked(link_to(a, 0));
    const ct_particle_link_desc other = link_to(b, 0);
    ct_particle_links_add(u.links, effect, &other);
    particles_unit_assert_at(&u, effect, 2, 0, 0);
    assert_int_equal(ct_particle_links_count(u.links), 1);
    particles_unit_kill(&u, a);
    particles_unit_step(&u, 0.1);
    assert_int_equal(ct_particle_links_entity(u.links, effect).id, b.id);
}

static void a_unit_that_dies_decides_about_its_effects(void **state) {
    (void)state;
    const ct_entity e = particles_unit_entity(&u, 0, 0, 0);
    ct_particle_effect_id effects[CT_PARTICLES_ORPHANED_COUNT];
    for (uint32_t i = 0; i < CT_PARTICLES_ORPHANED_COUNT; ++i) {
        ct_particle_link_desc desc = link_to(e, 0);
        desc.orphaned = i;
        effects[i] = linked(desc);
    }
    for (uint32_t i = 0; i < 10; ++i)
        particles_unit_step(&u, 0.1);
    particles_unit_kill(&u, e);
    assert_int_equal(ct_particle_links_count(u.links), 0);
    assert_false(ct_particles_is_playing(u.world, effects[CT_PARTICLES_ORPHANED_DESTROY]));
    const uint32_t num_before = ct_particles_count(u.world, effects[0], 0);
    assert_true(num_before > 10);
    for (uint32_t i = 0; i < 5; ++i)
        particles_unit_step(&u, 0.1);
    assert_in_range(ct_particles_count(u.world, effects[CT_PARTICLES_ORPHANED_STOP], 0), 1,
                    num_before - 5);
    assert_in_range(ct_particles_count(u.world, effects[CT_PARTICLES_ORPHANED_DETACH], 0),
                    num_before - 2, num_before + 2);
    for (uint32_t i = 0; i < 15; ++i)
        particles_unit_step(&u, 0.1);
    assert_false(ct_particles_is_playing(u.world, effects[CT_PARTICLES_ORPHANED_STOP]));
    assert_true(ct_particles_is_playing(u.world, effects[CT_PARTICLES_ORPHANED_DETACH]));
    uint32_t count;
    ct_particle_links_ended(u.links, &count);
    assert_int_equal(count, 0); // it had no unit when it ended
}

static void lists_linked_effects_that_end(void **state) {
    (void)state;
    const ct_entity e = particles_unit_entity(&u, 0, 0, 0);
    const ct_particle_effect_id effect = linked(link_to(e, 0));
    linked(link_to(e, 0)); // goes on
    particles_unit_step(&u, 0.5);
    ct_particles_stop_spawning(u.world, effect);
    uint32_t count = 0, num_steps = 0;
    const ct_particle_ended *ended = NULL;
    for (; count == 0 && num_steps < 20; ++num_steps) {
        particles_unit_step(&u, 0.1);
        ended = ct_particle_links_ended(u.links, &count);
    }
    assert_int_equal(count, 1);
    assert_int_equal(ended->entity.id, e.id);
    assert_int_equal(ended->effect.value, effect.value);
    assert_int_equal(ct_particle_links_count(u.links), 1);
    particles_unit_step(&u, 0.1);
    ct_particle_links_ended(u.links, &count);
    assert_int_equal(count, 0);
}

static void forgets_effects_that_were_destroyed(void **state) {
    (void)state;
    const ct_entity e = particles_unit_entity(&u, 0, 0, 0);
    const ct_particle_effect_id a = linked(link_to(e, 0)), b = linked(link_to(e, 0));
    ct_particles_destroy(u.world, a);
    particles_unit_step(&u, 0.1);
    assert_int_equal(ct_particle_links_count(u.links), 1);
    assert_int_equal(ct_particle_links_entity(u.links, b).id, e.id);
    const ct_particle_link_desc desc = link_to(e, 0);
    ct_particle_links_add(u.links, a, &desc); // it is stale
    ct_particle_links_add(u.links, (ct_particle_effect_id){0}, &desc);
    ct_particle_links_remove(u.links, (ct_particle_effect_id){0});
    assert_int_equal(ct_particle_links_count(u.links), 1);
}

static uint32_t born_by_way(bool jumps) {
    const ct_entity e = particles_unit_entity(&u, 0, 0, 0);
    const ct_entity child = particles_unit_entity(&u, 0, 0, 0);
    assert_true(ct_transform_link(u.transforms, ct_transform_lookup(u.transforms, child),
                                  ct_transform_lookup(u.transforms, e)));
    const ct_particle_effect_id effect = linked(link_to(child, 0));
    particles_unit_step(&u, 0.1);
    assert_int_equal(ct_particles_count(u.world, effect, 0), 0);
    particles_unit_move(&u, e, 20, 0, 0);
    if (jumps)
        ct_particle_links_jump(u.links, e);
    particles_unit_step(&u, 0.1);
    return ct_particles_count(u.world, effect, 0);
}

static void the_same_link_again_is_no_jump(void **state) {
    (void)state;
    const ct_entity e = particles_unit_entity(&u, 0, 0, 0);
    ct_particle_link_desc desc = link_to(e, 0);
    const ct_particle_effect_id effect = linked(desc);
    particles_unit_step(&u, 0.1);
    particles_unit_move(&u, e, 20, 0, 0);
    desc.orphaned = CT_PARTICLES_ORPHANED_DESTROY;
    ct_particle_links_add(u.links, effect, &desc);
    particles_unit_step(&u, 0.1);
    assert_true(ct_particles_count(u.world, effect, 0) > 0);
    particles_unit_kill(&u, e);
    assert_false(ct_particles_is_playing(u.world, effect));
}

static void makes_particles_along_its_way(void **state) {
    (void)state;
    assert_in_range(born_by_way(false), 19, 21);
}

static void makes_none_where_a_parent_jumps(void **state) {
    (void)state;
    assert_int_equal(born_by_way(true), 0);
}

static void linking_is_a_jump(void **state) {
    (void)state;
    const ct_entity e = particles_unit_entity(&u, 50, 0, 0);
    const ct_particle_effect_id effect = linked(link_to(e, 0));
    particles_unit_step(&u, 0.1);
    assert_int_equal(ct_particles_count(u.world, effect, 0), 0);
}

// Particles at nodes 1, 2 and 3 metres up.
static void gives_nodes_to_skeleton_shapes(void **state) {
    (void)state;
    particle_fixture *const f = particles_unit_effect(60, 0);
    particle_fixture_at(f, 0)->shape.type = CT_PARTICLE_SHAPE_SKELETON;
    particles_unit v = particles_unit_start(particle_fixture_end(f));
    const ct_entity e = particles_unit_entity(&v, 7, 0, 0);
    particles_unit_graph(&v, e, 3);
    const ct_particle_effect_id effect = particle_play_create(&v.play, 0);
    const ct_particle_link_desc desc = link_to(e, 0);
    ct_particle_links_add(v.links, effect, &desc);
    particles_unit_step(&v, 0.5);
    const uint32_t count = ct_particles_count(v.world, effect, 0);
    assert_true(count > 20);
    uint32_t num_at[4] = {0};
    for (uint32_t i = 0; i < count; ++i) {
        assert_true(fabsf(particle_play_number(&v.play, 0, CT_PARTICLE_POSITION, 0, i) - 7) <
                    1e-4f);
        const float z = particle_play_number(&v.play, 0, CT_PARTICLE_POSITION, 2, i);
        assert_true(z > 0.9f && z < 3.1f && fabsf(z - roundf(z)) < 1e-4f);
        ++num_at[(uint32_t)(z + 0.5f)];
    }
    assert_true(num_at[1] && num_at[2] && num_at[3]);
    particles_unit_stop(&v);
}

#define LINK_TEST(test) cmocka_unit_test_setup_teardown(test, start, stop)
#define WAY_TEST(test) cmocka_unit_test_setup_teardown(test, start_by_way, stop)

int main(void) {
    const struct CMUnitTest tests[] = {
        LINK_TEST(follows_its_entity),
        LINK_TEST(follows_a_node_at_a_pose),
        LINK_TEST(moves_also_where_no_time_passes),
        LINK_TEST(a_second_link_replaces_the_first),
        LINK_TEST(a_unit_that_dies_decides_about_its_effects),
        WAY_TEST(the_same_link_again_is_no_jump),
        LINK_TEST(lists_linked_effects_that_end),
        LINK_TEST(forgets_effects_that_were_destroyed),
        WAY_TEST(makes_particles_along_its_way),
        WAY_TEST(makes_none_where_a_parent_jumps),
        WAY_TEST(linking_is_a_jump),
        cmocka_unit_test(gives_nodes_to_skeleton_shapes),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
