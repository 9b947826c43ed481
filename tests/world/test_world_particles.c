// Particle effects in the steps of worlds: where they are when, what they miss, how they end.
#include "world/world_fixture.h"

#include "foundation/math/math.h"
#include "particles/particle_fixture.h"

typedef struct play {
    world_fixture f;
    ct_particles_resource *effect;
    ct_particle_world *particles;
    ct_particle_links *links;
} play;

static const template_entity robot[] = {
    {CT_NO_PARENT, {{0, 0, 0}}, "robot", 0, false, false, false, 3},
};

// An effect of 100 particles a second, which live a second, culled at 20 metres.
static ct_particles_resource *make_effect(void) {
    particle_fixture *const f = particle_fixture_begin();
    const uint32_t e = particle_fixture_emitter(f, "dust", 256);
    particle_fixture_at(f, e)->rate = particle_fixture_value(f, e, particle_fixture_number(100));
    particle_fixture_at(f, e)->look.renderer = CT_PARTICLE_RENDERER_NONE;
    f->data.cull_distance = 20;
    return particle_fixture_end(f);
}

static play start_play(void) {
    play p = {.f = start_world(), .effect = make_effect()};
    ct_particle_system_set_effect(p.f.particles, ct_string_id64_of("dust"), p.effect);
    load_unit(&p.f, "units/robot", robot, CT_COUNT_OF(robot));
    p.particles = ct_world_particles(p.f.world);
    p.links = ct_particles_components_links(ct_world_particles_components(p.f.world));
    return p;
}

static void stop_play(play *p) {
    end_world_resources(&p->f);
    end_world_renderer(&p->f);
    ct_proxy_allocator_destroy(p->f.allocator);
    free(p->effect);
}

static ct_particle_effect_id start_linked(play *p, ct_entity e, uint32_t node) {
    const ct_particle_place place = {ct_vec3_make(0, 0, 0), ct_quat_identity(),
                                     ct_vec3_make(1, 1, 1)};
    const ct_particle_effect_id effect =
        ct_particles_create(p->particles, ct_string_id64_of("dust"), &place, 0);
    assert_int_not_equal(effect.value, 0);
    ct_particle_links_add(
        p->links, effect,
        &(ct_particle_link_desc){.entity = e, .node = node, .pose = ct_mat4_identity()});
    return effect;
}

static void assert_at(const play *p, ct_particle_effect_id effect, float x, float y, float z) {
    ct_particle_place place;
    assert_true(ct_particles_place(p->particles, effect, &place));
    assert_true(ct_vec3_length(ct_vec3_sub(place.position, ct_vec3_make(x, y, z))) < 1e-4f);
}

static void add_view(play *p, float x) {
    const ct_render_view view = {
        .pose = ct_mat4_compose(ct_vec3_make(x, 0, 0), ct_quat_identity(), ct_vec3_make(1, 1, 1)),
        .projection = ct_mat4_perspective(1, 1, 0.1f, 100)};
    ct_world_add_view(p->f.world, &view);
}

static void follows_nodes_where_they_are_in_the_same_step(void **state) {
    (void)state;
    play p = start_play();
    const ct_entity e = spawn_at(&p.f, "units/robot", 1, 0, 0);
    const ct_particle_effect_id effect = start_linked(&p, e, 2);
    ct_scene_graph_manager *const graphs = ct_world_scene_graphs(p.f.world);
    const ct_scene_graph g = ct_scene_graph_lookup(graphs, e);
    ct_scene_graph_set_local_position(graphs, g, 1, ct_vec3_make(0, 5, 0));
    ct_world_advance(p.f.world, 0.1);
    assert_at(&p, effect, 2, 5, 0);
    stop_play(&p);
}

static void moves_but_does_not_step_before_it_is_drawn(void **state) {
    (void)state;
    play p = start_play();
    const ct_entity e = spawn_at(&p.f, "units/robot", 1, 0, 0);
    const ct_particle_effect_id effect = start_linked(&p, e, 0);
    ct_world_advance(p.f.world, 0.1);
    const uint32_t count = ct_particles_count(p.particles, effect, 0);
    assert_in_range(count, 9, 11);
    ct_transform_set_local_position(ct_world_transforms(p.f.world), transform_of(p.f.world, e),
                                    ct_vec3_make(3, 0, 0));
    ct_world_send_changes(p.f.world);
    assert_at(&p, effect, 3, 0, 0);
    assert_int_equal(ct_particles_count(p.particles, effect, 0), count);
    stop_play(&p);
}

static void lists_each_end_in_one_step(void **state) {
    (void)state;
    play p = start_play();
    const ct_entity e = spawn_at(&p.f, "units/robot", 1, 0, 0);
    ct_particles_stop_spawning(p.particles, start_linked(&p, e, 0));
    uint32_t count;
    ct_world_advance(p.f.world, 0.1);
    assert_int_equal(ct_particle_links_ended(p.links, &count)->entity.id, e.id);
    assert_int_equal(count, 1);
    ct_world_send_changes(p.f.world);
    ct_particle_links_ended(p.links, &count);
    assert_int_equal(count, 1); // of the last step still
    ct_world_advance(p.f.world, 0);
    ct_particle_links_ended(p.links, &count);
    assert_int_equal(count, 0);
    stop_play(&p);
}

static void waits_beyond_the_cull_distance_of_cameras(void **state) {
    (void)state;
    play p = start_play();
    const ct_entity e = spawn_at(&p.f, "units/robot", 1, 0, 0);
    const ct_particle_effect_id effect = start_linked(&p, e, 0);
    add_view(&p, 100);
    ct_world_advance(p.f.world, 0.1);
    assert_int_equal(ct_particles_count(p.particles, effect, 0), 0);
    add_view(&p, 100);
    add_view(&p, 10);
    ct_world_advance(p.f.world, 0.1);
    assert_in_range(ct_particles_count(p.particles, effect, 0), 9, 21);
    stop_play(&p);
}

static void ends_with_its_unit(void **state) {
    (void)state;
    play p = start_play();
    ct_entity e = spawn_at(&p.f, "units/robot", 1, 0, 0);
    const ct_particle_effect_id effect = start_linked(&p, e, 1);
    ct_world_advance(p.f.world, 0.5);
    ct_world_destroy_units(p.f.world, &e, 1);
    assert_int_equal(ct_particle_links_count(p.links), 0);
    assert_true(ct_particles_is_playing(p.particles, effect));
    for (uint32_t i = 0; i < 12; ++i)
        ct_world_advance(p.f.world, 0.1);
    assert_false(ct_particles_is_playing(p.particles, effect));
    stop_play(&p);
}

static void worlds_step_side_by_side_as_alone(void **state) {
    (void)state;
    play p = start_play();
    ct_world *const worlds[2] = {p.f.world, ct_world_create(p.f.system)};
    const ct_particle_place place = {ct_vec3_make(0, 0, 0), ct_quat_identity(),
                                     ct_vec3_make(1, 1, 1)};
    ct_particle_effect_id effects[2];
    for (uint32_t i = 0; i < 2; ++i)
        effects[i] = ct_particles_create(ct_world_particles(worlds[i]), ct_string_id64_of("dust"),
                                         &place, 7);
    for (uint32_t i = 0; i < 10; ++i)
        ct_worlds_advance(worlds, 2, 0.1);
    const uint64_t hash = ct_particles_hash(p.particles, effects[0]);
    assert_true(hash != 0 && hash == ct_particles_hash(ct_world_particles(worlds[1]), effects[1]));
    ct_world_destroy(worlds[1]);
    stop_play(&p);
}

static void worlds_do_without_a_system(void **state) {
    (void)state;
    world_fixture f = start_world();
    ct_world_system *const system = ct_world_system_create(&(ct_world_system_desc){
        .allocator = f.allocator, .resources = f.resources, .renderer = recorder});
    ct_world *const w = ct_world_create(system);
    assert_null(ct_world_particles(w));
    assert_null(ct_world_particles_components(w));
    ct_world_advance(w, 0.1);
    const ct_render_view view = {.pose = ct_mat4_identity(), .projection = ct_mat4_identity()};
    ct_world_add_view(w, &view);
    ct_world_system_destroy(system);
    stop_world(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_nodes_where_they_are_in_the_same_step),
        cmocka_unit_test(moves_but_does_not_step_before_it_is_drawn),
        cmocka_unit_test(lists_each_end_in_one_step),
        cmocka_unit_test(waits_beyond_the_cull_distance_of_cameras),
        cmocka_unit_test(ends_with_its_unit),
        cmocka_unit_test(worlds_step_side_by_side_as_alone),
        cmocka_unit_test(worlds_do_without_a_system),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
