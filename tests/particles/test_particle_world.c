// Effects of a world: ids, determinism, memory, budget, seeks, blobs that are saved again.
#include <math.h>

#include "foundation/math/math.h"
#include "particles/particle_play.h"

static uint32_t value(particle_fixture *f, uint32_t emitter, ct_particle_value v) {
    return particle_fixture_value(f, emitter, v);
}

// An effect that uses much: ranges, noise, curves, events.
static ct_particles_resource *rich(uint32_t capacity, float rate) {
    static const float from[4] = {1, 1, 1, 1}, to[4] = {0, 0.5f, 0, 0};
    particle_fixture *const f = particle_fixture_begin();
    const uint32_t e = particle_play_emitter(f, "smoke", capacity);
    ct_particle_emitter *const x = particle_fixture_at(f, e);
    x->rate = value(f, e, particle_fixture_number(rate));
    x->lifetime = value(f, e, particle_fixture_range(0.5f, 1, 1));
    x->speed = value(f, e, particle_fixture_range(1, 4, 1));
    x->shape.type = CT_PARTICLE_SHAPE_SPHERE;
    particle_fixture_channel(f, e, CT_PARTICLE_VELOCITY);
    particle_fixture_set(f, e, CT_PARTICLE_BIRTH_SIZE, particle_fixture_range(0.1f, 0.3f, 2));
    particle_fixture_channel(f, e, CT_PARTICLE_SIZE);
    particle_fixture_channel(f, e, CT_PARTICLE_COLOR);
    const ct_particle_value noise[3] = {particle_fixture_number(3), particle_fixture_number(0.7f),
                                        particle_fixture_number(0.5f)};
    particle_fixture_step(f, e, &(ct_particle_step){.op = CT_PARTICLE_OP_NOISE}, 3, noise);
    particle_fixture_move(f, e);
    const ct_particle_value curve = particle_fixture_line(f, e, from, to, CT_PARTICLE_CLOCK_LIFE);
    particle_fixture_curve(f, e, CT_PARTICLE_SIZE, CT_PARTICLE_BIRTH_SIZE, 2, curve);
    particle_fixture_curve(f, e, CT_PARTICLE_COLOR, CT_PARTICLE_SEMANTIC_COUNT, 4, curve);
    const uint32_t sparks = particle_play_emitter(f, "sparks", 64);
    particle_fixture_event(f, e,
                           (ct_particle_event){.type = CT_PARTICLE_EVENT_DEATH,
                                               .emitter = sparks,
                                               .least = 0,
                                               .most = 2,
                                               .probability = 0.3f});
    return particle_fixture_end(f);
}

static uint64_t hash_after(const particle_play *p, uint32_t num_effects, double seconds) {
    ct_particle_effect_id ids[8];
    for (uint32_t i = 0; i < num_effects; ++i)
        ids[i] = particle_play_create(p, 0);
    particle_play_run(p, seconds, 1.0 / 60);
    uint64_t hash = 0;
    for (uint32_t i = 0; i < num_effects; ++i)
        hash = hash * 31 + ct_particles_hash(p->world, ids[i]);
    return hash;
}

static void is_the_same_on_any_number_of_threads(void **state) {
    (void)state;
    static const uint32_t workers[] = {UINT32_MAX, 0, 1, 3};
    uint64_t small = 0, large = 0;
    for (uint32_t i = 0; i < CT_COUNT_OF(workers); ++i) {
        particle_play p = particle_play_start(rich(400, 300), workers[i], 0);
        const uint64_t hash = hash_after(&p, 8, 1.5);
        assert_true(i == 0 || hash == small);
        small = hash;
        particle_play_stop(&p);
        p = particle_play_start(rich(16000, 20000), workers[i], 0); // shared by tasks
        const uint64_t hash_of_large = hash_after(&p, 1, 1);
        assert_true(particle_play_effect(&p, 0)->emitters[0].count > 8192);
        assert_true(i == 0 || hash_of_large == large);
        large = hash_of_large;
        particle_play_stop(&p);
    }
}

static void effects_that_start_together_differ(void **state) {
    (void)state;
    particle_play p = particle_play_start(rich(400, 300), UINT32_MAX, 0);
    const ct_particle_effect_id a = particle_play_create(&p, 0), b = particle_play_create(&p, 0);
    const ct_particle_effect_id c = particle_play_create(&p, 77), d = particle_play_create(&p, 77);
    particle_play_run(&p, 0.5, 1.0 / 60);
    assert_true(ct_particles_hash(p.world, a) != ct_particles_hash(p.world, b));
    assert_true(ct_particles_hash(p.world, c) == ct_particles_hash(p.world, d));
    particle_play_stop(&p);
}

static void a_seek_gives_what_steps_give(void **state) {
    (void)state;
    particle_play p = particle_play_start(rich(400, 300), UINT32_MAX, 0);
    const ct_particle_effect_id a = particle_play_create(&p, 5), b = particle_play_create(&p, 5);
    particle_play_run(&p, 2, 1.0 / 60);
    const uint64_t hash = ct_particles_hash(p.world, a);
    ct_particles_seek(p.world, b, 2);
    assert_true(ct_particles_hash(p.world, b) == hash);
    ct_particles_seek(p.world, b, 0.5);
    assert_true(ct_particles_hash(p.world, b) != hash);
    ct_particles_seek(p.world, b, 2);
    assert_true(ct_particles_hash(p.world, b) == hash);
    particle_play_stop(&p);
}

static void prewarming_starts_ahead_with_what_was_set_before_the_first_update(void **state) {
    (void)state;
    particle_fixture *const f = particle_fixture_begin();
    const uint32_t e = particle_play_emitter(f, "much", 64);
    ct_particle_value rate = particle_fixture_number(20);
    rate.variable = 1;
    particle_fixture_variable(f, "much", 1);
    particle_fixture_at(f, e)->rate = value(f, e, rate);
    particle_fixture_at(f, e)->shape.type = CT_PARTICLE_SHAPE_SKELETON;
    ct_particles_resource *const r = particle_fixture_end(f);
    r->prewarm = 0.5f;
    particle_play p = particle_play_start(r, UINT32_MAX, 0);
    const ct_particle_effect_id a = particle_play_create(&p, 5), b = particle_play_create(&p, 5);
    ct_particles_set_variable(p.world, a, 0, (ct_vec4){{2, 2, 2, 2}});
    ct_mat4 node = ct_mat4_identity();
    node.raw[3][0] = 7;
    const uint32_t parent = UINT32_MAX;
    ct_particles_set_nodes(p.world, a, &node, &parent, 1);
    ct_particles_update(p.world, 0.001);
    assert_int_equal(ct_particles_count(p.world, a, 0), 20);
    assert_int_equal(ct_particles_count(p.world, b, 0), 10);
    assert_true(particle_play_number(&p, 0, CT_PARTICLE_POSITION, 0, 0) == 7);
    particle_play_stop(&p);
}

// A burst of 4 that live for 0.2 s.
static ct_particles_resource *flash(void) {
    particle_fixture *const f = particle_fixture_begin();
    const uint32_t e = particle_play_emitter(f, "flash", 4);
    particle_fixture_burst(f, e, 0, 4);
    particle_fixture_at(f, e)->lifetime = value(f, e, particle_fixture_number(0.2f));
    particle_fixture_at(f, e)->max_lifetime = 0.2f;
    return particle_fixture_end(f);
}

static void what_ended_between_updates_can_be_saved_again_and_destroyed(void **state) {
    (void)state;
    particle_play p = particle_play_start(flash(), UINT32_MAX, 0);
    const ct_particle_effect_id a = particle_play_create(&p, 0), b = particle_play_create(&p, 0);
    ct_particles_update(p.world, 0.1);
    ct_particles_seek(p.world, a, 5);
    ct_particles_seek(p.world, b, 5);
    assert_false(ct_particles_is_playing(p.world, a));
    assert_true(ct_particles_exists(p.world, a));
    free(p.effect);
    p.effect = flash();
    ct_particle_system_set_effect(p.system, p.name, p.effect);
    ct_particles_send(p.world); // reads nothing of the blob that went
    ct_particles_destroy(p.world, a);
    assert_false(ct_particles_exists(p.world, a));
    assert_int_equal(p.world->num_reserved, 4);
    uint32_t num_ended;
    ct_particles_update(p.world, 0);
    const ct_particle_effect_id *const ended = ct_particles_ended(p.world, &num_ended);
    assert_int_equal(num_ended, 1);
    assert_int_equal(ended[0].value, b.value);
    assert_int_equal(p.world->num_reserved, 0);
    particle_play_stop(&p);
}

static void the_first_start_finds_its_memory_ready(void **state) {
    (void)state;
    particle_play p = particle_play_start(rich(4000, 300), UINT32_MAX, 0);
    const uint64_t before = ct_allocator_stats_of(test_heap()).live_bytes;
    particle_play_create(&p, 1);
    assert_true(ct_allocator_stats_of(test_heap()).live_bytes - before <
                4096); // lists, no channels
    particle_play_stop(&p);
}

// A burst that dies into sparks with trails, debris and lights.
static ct_particles_resource *explosion(void) {
    particle_fixture *const f = particle_fixture_begin();
    const uint32_t e = particle_play_emitter(f, "puff", 32);
    particle_fixture_burst(f, e, 0, 20);
    particle_fixture_at(f, e)->lifetime = value(f, e, particle_fixture_range(0.05f, 0.3f, 1));
    static const ct_particle_renderer renderers[] = {
        CT_PARTICLE_RENDERER_TRAIL, CT_PARTICLE_RENDERER_MESH, CT_PARTICLE_RENDERER_LIGHT,
        CT_PARTICLE_RENDERER_BILLBOARD};
    for (uint32_t i = 0; i < CT_COUNT_OF(renderers); ++i) {
        const uint32_t part = particle_fixture_emitter(f, "part", 16);
        ct_particle_emitter *const x = particle_fixture_at(f, part);
        x->look.renderer = renderers[i];
        x->look.mesh = ct_string_id64_of("meshes/chip");
        x->look.max_lights = 4;
        x->lifetime = value(f, part, particle_fixture_range(0.05f, 0.2f, 1));
        particle_fixture_set(f, part, CT_PARTICLE_SIZE, particle_fixture_number(1));
        particle_fixture_set(f, part, CT_PARTICLE_COLOR, particle_fixture_number(1));
        particle_fixture_channel(f, part, CT_PARTICLE_VELOCITY);
        if (renderers[i] == CT_PARTICLE_RENDERER_MESH)
            particle_fixture_channel(f, part, CT_PARTICLE_OBJECT);
        particle_fixture_move(f, part);
        if (renderers[i] == CT_PARTICLE_RENDERER_TRAIL) {
            const ct_particle_value interval = particle_fixture_number(0.02f);
            x->look.num_trail_points = 4;
            particle_fixture_channel(f, part, CT_PARTICLE_TRAIL);
            particle_fixture_channel(f, part, CT_PARTICLE_TRAIL_STATE);
            particle_fixture_step(f, part, &(ct_particle_step){.op = CT_PARTICLE_OP_TRAIL}, 1,
                                  &interval);
        }
        particle_fixture_event(f, e,
                               (ct_particle_event){.type = CT_PARTICLE_EVENT_DEATH,
                                                   .emitter = part,
                                                   .least = 0,
                                                   .most = 1,
                                                   .probability = 0.5f});
    }
    return particle_fixture_end(f);
}

static void memory_stays_flat_while_effects_come_and_go(void **state) {
    (void)state;
    particle_play p = particle_play_start(explosion(), 1, 0);
    const uint32_t num_frames = test_rounds(2000, 10000);
    uint64_t bytes = 0, num_allocations = 0;
    for (uint32_t i = 0; i < num_frames; ++i) {
        if (i == num_frames / 2) {
            const ct_allocator_stats stats = ct_allocator_stats_of(test_heap());
            bytes = stats.live_bytes;
            num_allocations = stats.total_blocks;
        }
        particle_play_create(&p, i % 100 + 1);
        ct_particles_update(p.world, 1.0 / 60);
        ct_particles_send(p.world);
        ct_renderer_end_frame(p.renderer);
    }
    const ct_allocator_stats stats = ct_allocator_stats_of(test_heap());
    assert_int_equal(stats.live_bytes, bytes);
    assert_int_equal(stats.total_blocks, num_allocations);
    assert_in_range(p.world->effects.count, 10, 64);
    particle_play_stop(&p);
}

static void a_budget_limits_the_world_with_one_warning(void **state) {
    (void)state;
    const uint64_t before = ct_log_warning_count("particle_budget");
    particle_play p = particle_play_start(rich(400, 30000), UINT32_MAX, 1000);
    for (uint32_t i = 0; i < 8; ++i)
        particle_play_create(&p, 0);
    particle_play_run(&p, 1, 1.0 / 60);
    const ct_particle_effect_id all = {0};
    assert_in_range(ct_particles_count(p.world, all, UINT32_MAX), 700, 1000);
    assert_int_equal(ct_log_warning_count("particle_budget") - before, 1);
    while (p.world->effects.count)
        ct_particles_destroy(p.world, p.world->effects.items[0]->id);
    assert_int_equal(p.world->num_reserved, 0);
    particle_play_stop(&p);
}

static void stale_ids_do_nothing(void **state) {
    (void)state;
    particle_play p = particle_play_start(rich(400, 300), UINT32_MAX, 0);
    const ct_particle_effect_id a = particle_play_create(&p, 0);
    ct_particles_destroy(p.world, a);
    const ct_particle_effect_id b = particle_play_create(&p, 0);
    const ct_particle_place place = particle_play_place(1, 2, 3);
    ct_particle_place found;
    assert_int_not_equal(a.value, b.value);
    ct_particles_destroy(p.world, a);
    ct_particles_move(p.world, a, &place, false);
    ct_particles_stop_spawning(p.world, a);
    ct_particles_seek(p.world, a, 1);
    ct_particles_destroy(p.world, (ct_particle_effect_id){0});
    ct_particles_destroy(p.world, (ct_particle_effect_id){UINT32_MAX});
    assert_false(ct_particles_is_playing(p.world, a));
    assert_false(ct_particles_place(p.world, a, &found));
    assert_int_equal(ct_particles_hash(p.world, a), 0);
    assert_true(ct_particles_is_playing(p.world, b));
    assert_true(ct_particles_place(p.world, b, &found) && found.position.x == 0);
    particle_play_stop(&p);
}

static void does_not_start_what_is_not_loaded(void **state) {
    (void)state;
    particle_play p = particle_play_start(rich(400, 300), UINT32_MAX, 0);
    ct_particle_place place = particle_play_place(0, 0, 0);
    for (uint32_t i = 0; i < 3; ++i)
        assert_int_equal(
            ct_particles_create(p.world, ct_string_id64_of("fx/none"), &place, 0).value, 0);
    assert_true(ct_log_warning_count("particles_missing") > 0);
    place.position.y = NAN;
    assert_int_equal(ct_particles_create(p.world, p.name, &place, 0).value, 0);
    particle_play_stop(&p);
}

static void ends_when_the_last_particle_is_dead(void **state) {
    (void)state;
    particle_play p = particle_play_start(rich(400, 300), UINT32_MAX, 0);
    const ct_particle_effect_id a = particle_play_create(&p, 0);
    particle_play_run(&p, 1, 1.0 / 60);
    ct_particles_stop_spawning(p.world, a);
    uint32_t num_frames = 0, num_ended = 0;
    while (ct_particles_is_playing(p.world, a) && num_frames < 300) {
        ct_particles_update(p.world, 1.0 / 60);
        ++num_frames;
    }
    const ct_particle_effect_id *const ended = ct_particles_ended(p.world, &num_ended);
    assert_in_range(num_frames, 30, 140);
    assert_int_equal(num_ended, 1);
    assert_int_equal(ended[0].value, a.value);
    particle_play_stop(&p);
}

static void waits_while_it_is_far_from_all_cameras(void **state) {
    (void)state;
    ct_particles_resource *const r = rich(400, 300);
    r->cull_distance = 10;
    particle_play p = particle_play_start(r, UINT32_MAX, 0);
    const ct_particle_effect_id a = particle_play_create(&p, 0);
    ct_particles_add_view(p.world, ct_vec3_make(50, 0, 0));
    ct_particles_update(p.world, 0.1);
    assert_int_equal(ct_particles_count(p.world, a, 0), 0);
    ct_particles_add_view(p.world, ct_vec3_make(50, 0, 0));
    ct_particles_add_view(p.world, ct_vec3_make(5, 0, 0));
    ct_particles_update(p.world, 0.1);
    assert_int_equal(ct_particles_count(p.world, a, 0), 30);
    particle_play_stop(&p);
}

static void the_way_of_an_effect_that_waits_makes_nothing(void **state) {
    (void)state;
    particle_fixture *const f = particle_fixture_begin();
    const uint32_t e = particle_play_emitter(f, "track", 256);
    particle_fixture_at(f, e)->per_metre = value(f, e, particle_fixture_number(4));
    ct_particles_resource *const r = particle_fixture_end(f);
    r->cull_distance = 10;
    particle_play p = particle_play_start(r, UINT32_MAX, 0);
    const ct_particle_effect_id a = particle_play_create(&p, 0);
    for (uint32_t i = 0; i <= 10; ++i) {
        const ct_particle_place place = particle_play_place((float)i * 10, 0, 0);
        ct_particles_move(p.world, a, &place, false);
        ct_particles_add_view(p.world, ct_vec3_make(105, 0, 0));
        ct_particles_update(p.world, 0.1);
    }
    assert_int_equal(ct_particles_count(p.world, a, 0), 40); // of the last 10 metres
    particle_play_stop(&p);
}

static void an_effect_with_an_end_ends_while_it_waits(void **state) {
    (void)state;
    ct_particles_resource *const r = flash();
    r->cull_distance = 10;
    particle_play p = particle_play_start(r, UINT32_MAX, 0);
    const ct_particle_effect_id a = particle_play_create(&p, 0);
    for (uint32_t i = 0; i < 4; ++i) {
        ct_particles_add_view(p.world, ct_vec3_make(50, 0, 0));
        ct_particles_update(p.world, 0.1);
        assert_int_equal(ct_particles_is_playing(p.world, a), i < 2);
    }
    particle_play_stop(&p);
}

// --- Blobs that are saved again ------------------------------------------------------------------

static void keeps_particles_where_channels_fit(void **state) {
    (void)state;
    particle_play p = particle_play_start(rich(400, 300), UINT32_MAX, 0);
    const ct_particle_effect_id a = particle_play_create(&p, 0);
    particle_play_run(&p, 0.5, 1.0 / 60);
    const uint64_t hash = ct_particles_hash(p.world, a);
    ct_particles_resource *const faster = rich(800, 600);
    ct_particle_system_set_effect(p.system, p.name, faster);
    assert_true(ct_particles_hash(p.world, a) == hash);
    particle_play_run(&p, 1, 1.0 / 60);
    assert_true(ct_particles_count(p.world, a, 0) > 400);
    ct_particles_resource *const fewer = rich(8, 600);
    ct_particle_system_set_effect(p.system, p.name, fewer);
    assert_int_equal(ct_particles_count(p.world, a, 0), 8);
    particle_play_run(&p, 1, 1.0 / 60);
    // Another form starts again.
    particle_fixture *const f = particle_fixture_begin();
    const uint32_t e = particle_play_emitter(f, "smoke", 16);
    particle_fixture_at(f, e)->rate = value(f, e, particle_fixture_number(100));
    ct_particles_resource *const other = particle_fixture_end(f);
    ct_particle_system_set_effect(p.system, p.name, other);
    assert_int_equal(ct_particles_count(p.world, a, UINT32_MAX), 0);
    particle_play_run(&p, 0.1, 1.0 / 60);
    assert_int_equal(ct_particles_count(p.world, a, UINT32_MAX), 10);
    // Without the resource it ends.
    ct_particle_system_set_effect(p.system, p.name, NULL);
    assert_false(ct_particles_is_playing(p.world, a));
    ct_particles_update(p.world, 1.0 / 60);
    assert_int_equal(p.world->effects.count, 0);
    free(faster), free(fewer), free(other);
    particle_play_stop(&p);
}

static void starts_again_in_another_space(void **state) {
    (void)state;
    ct_particles_resource *const local = rich(400, 300);
    ct_particle_emitter *const e =
        (ct_particle_emitter *)(uintptr_t)ct_particle_emitter_at(local, 0);
    e->flags |= CT_PARTICLE_EMITTER_LOCAL;
    particle_play p = particle_play_start(rich(400, 300), UINT32_MAX, 0);
    const ct_particle_effect_id a = particle_play_create(&p, 0);
    particle_play_run(&p, 0.5, 1.0 / 60);
    ct_particle_system_set_effect(p.system, p.name, local);
    assert_int_equal(ct_particles_count(p.world, a, 0), 0);
    ct_particle_system_set_effect(p.system, p.name, p.effect);
    free(local);
    particle_play_stop(&p);
}

static void keeps_variables_that_were_set(void **state) {
    (void)state;
    ct_particles_resource *blobs[2];
    for (uint32_t i = 0; i < 2; ++i) {
        particle_fixture *const f = particle_fixture_begin();
        particle_play_emitter(f, "one", 4);
        if (i == 1)
            particle_fixture_variable(f, "first", 9);
        particle_fixture_variable(f, "set", i ? 5 : 1);
        particle_fixture_variable(f, "unset", i ? 6 : 2);
        const uint32_t e = particle_play_emitter(f, "two", 4);
        particle_fixture_at(f, e)->rate = value(f, e, particle_fixture_number(1));
        blobs[i] = particle_fixture_end(f);
    }
    particle_play p = particle_play_start(blobs[0], UINT32_MAX, 0);
    const ct_particle_effect_id a = particle_play_create(&p, 0);
    ct_particles_set_variable(p.world, a, 0, (ct_vec4){{3, 3, 3, 3}});
    ct_particle_system_set_effect(p.system, p.name, blobs[1]);
    const ct_vec4 *const v = particle_play_effect(&p, 0)->variables;
    assert_true(v[0].x == 9 && v[1].x == 3 && v[2].x == 6);
    assert_int_equal(ct_particle_system_variable(p.system, p.name, ct_string_id32_of("set")), 1);
    assert_int_equal(ct_particle_system_variable(p.system, p.name, ct_string_id32_of("x")),
                     UINT32_MAX);
    free(blobs[1]);
    particle_play_stop(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_same_on_any_number_of_threads),
        cmocka_unit_test(effects_that_start_together_differ),
        cmocka_unit_test(a_seek_gives_what_steps_give),
        cmocka_unit_test(prewarming_starts_ahead_with_what_was_set_before_the_first_update),
        cmocka_unit_test(what_ended_between_updates_can_be_saved_again_and_destroyed),
        cmocka_unit_test(the_first_start_finds_its_memory_ready),
        cmocka_unit_test(memory_stays_flat_while_effects_come_and_go),
        cmocka_unit_test(a_budget_limits_the_world_with_one_warning),
        cmocka_unit_test(stale_ids_do_nothing),
        cmocka_unit_test(does_not_start_what_is_not_loaded),
        cmocka_unit_test(ends_when_the_last_particle_is_dead),
        cmocka_unit_test(waits_while_it_is_far_from_all_cameras),
        cmocka_unit_test(the_way_of_an_effect_that_waits_makes_nothing),
        cmocka_unit_test(an_effect_with_an_end_ends_while_it_waits),
        cmocka_unit_test(keeps_particles_where_channels_fit),
        cmocka_unit_test(starts_again_in_another_space),
        cmocka_unit_test(keeps_variables_that_were_set),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
