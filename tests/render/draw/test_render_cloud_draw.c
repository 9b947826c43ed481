// Clouds of particles in views: their order, what is drawn in one call, what is not drawn.
#include <math.h>

#include "foundation/math/math.h"
#include "foundation/math/random.h"
#include "render/golden_picture.h"
#include "render/particle_fixture.h"

static void start(effect_scene *s) {
    effect_start(s);
    effect_look(s, ct_vec3_make(0.0f, -8.0f, 0.0f), ct_vec3_make(0.0f, 0.0f, 0.0f));
}

static void stop(effect_scene *s) {
    fixture_stop(&s->f);
}

static void begin(effect_scene *s) {
    ct_render_particles_begin(s->f.renderer, s->f.world);
}

static ct_render_stats frame(effect_scene *s) {
    fixture_frame(&s->f);
    ct_renderer_flush(s->f.renderer);
    return ct_renderer_stats(s->f.renderer);
}

// One large quad across the view at a depth, in red or blue glass.
static particles pane_at(float y, bool is_red) {
    particles p = particles_of("materials/particle_flat");
    p.desc.sort_position[1] = y;
    particles_color(particles_add(&p, ct_vec3_make(0.0f, y, 0.0f), 3.0f), is_red ? 1.0f : 0.0f,
                    0.0f, is_red ? 0.0f : 1.0f, 0.5f);
    return p;
}

// --- Order ---------------------------------------------------------------------------------------

enum { NUM_PANES = 7 };

// Panes at different depths, as objects or (a bit of `clouds`) as clouds.
static void draw_panes(effect_scene *s, const float *depths, uint32_t colors, uint32_t clouds) {
    ct_render_object_id objects[NUM_PANES];
    uint32_t num_objects = 0;
    begin(s);
    for (uint32_t i = 0; i < NUM_PANES; ++i) {
        const bool is_red = colors >> i & 1;
        const ct_mat4 pose = ct_mat4_compose(ct_vec3_make(0.0f, depths[i], 0.0f),
                                             ct_quat_identity(), ct_vec3_make(3.0f, 0.001f, 3.0f));
        if (clouds >> i & 1) {
            const particles p = pane_at(depths[i], is_red);
            particles_send(&s->f, &p);
        } else {
            objects[num_objects++] =
                fixture_add_at(&s->f, "core/meshes/cube",
                               is_red ? "materials/glass_red" : "materials/glass_blue", &pose);
        }
    }
    fixture_picture(&s->f);
    ct_render_objects_destroy(s->f.renderer, s->f.world, objects, num_objects);
}

// Whichever of them are clouds, panes of glass look the same.
static void sorts_clouds_among_objects(void **state) {
    (void)state;
    effect_scene s;
    start(&s);
    ct_random random = ct_random_seeded(29, 0);
    for (uint32_t round = 0; round < 12; ++round) {
        float depths[NUM_PANES];
        for (uint32_t i = 0; i < NUM_PANES; ++i)
            depths[i] = ct_random_float(&random) * 8.0f - 4.0f;
        const uint32_t colors = ct_random_u32(&random);
        draw_panes(&s, depths, colors, 0);
        uint8_t expected[3];
        memcpy(expected, fixture_pixel(&s.f, 0.5f, 0.5f), 3);
        draw_panes(&s, depths, colors, ct_random_u32(&random) | 1u << round % NUM_PANES);
        const uint8_t *const found = fixture_pixel(&s.f, 0.5f, 0.5f);
        for (uint32_t i = 0; i < 3; ++i)
            if (abs(found[i] - expected[i]) > 1)
                fail_msg("round %u: found %d %d %d, expected %d %d %d", round, found[0], found[1],
                         found[2], expected[0], expected[1], expected[2]);
    }
    stop(&s);
}

// True when the middle of the picture is more red than blue.
static bool is_red_in_front(const render_fixture *f) {
    const uint8_t *const p = fixture_pixel(f, 0.5f, 0.5f);
    return p[0] > p[2];
}

static void draws_the_smaller_order_first(void **state) {
    (void)state;
    effect_scene s;
    start(&s);
    for (uint32_t i = 0; i < 4; ++i) {
        const bool is_red_first = i & 1;
        begin(&s);
        for (uint32_t k = 0; k < 2; ++k) {
            particles p = pane_at(0.0f, (k == 0) == is_red_first);
            p.desc.order = i & 2 ? k : 255 - k;
            particles_send(&s.f, &p);
        }
        fixture_picture(&s.f);
        // The one that was sent last is in front when orders grow.
        assert_int_equal(is_red_in_front(&s.f), is_red_first != ((i & 2) != 0));
    }
    stop(&s);
}

// Quads at random places, far behind each other.
static void add_random(particles *p, ct_random *random) {
    for (uint32_t i = 0; i < 40; ++i) {
        ct_particle_instance *const x = particles_add(
            p,
            ct_vec3_make(ct_random_float(random) - 0.5f, 6.0f * ct_random_float(random) - 3.0f,
                         ct_random_float(random) - 0.5f),
            1.0f);
        const bool is_red = ct_random_u32(random) & 1;
        particles_color(x, is_red ? 1.0f : 0.1f, 0.1f, is_red ? 0.1f : 1.0f, 0.5f);
    }
}

// From both sides in one frame.
static uint8_t *take_both_sides(effect_scene *s) {
    const float left[] = {0.0f, 0.0f, 0.5f, 1.0f}, right[] = {0.5f, 0.0f, 0.5f, 1.0f};
    fixture_ask_picture(&s->f);
    ct_resource_manager_update(s->f.resources, ct_renderer_frame(s->f.renderer));
    effect_look(s, ct_vec3_make(0.0f, -8.0f, 1.0f), ct_vec3_make(0.0f, 0.0f, 0.0f));
    fixture_render_to(&s->f, left);
    effect_look(s, ct_vec3_make(1.0f, 8.0f, 0.0f), ct_vec3_make(0.0f, 0.0f, 0.0f));
    fixture_render_to(&s->f, right);
    ct_renderer_end_frame(s->f.renderer);
    ct_renderer_flush(s->f.renderer);
    assert_non_null(s->f.pixels);
    return effect_keep_picture(&s->f);
}

static bool are_same(const effect_scene *s, const uint8_t *a, const uint8_t *b) {
    return memcmp(a, b, (size_t)s->f.width * s->f.height * 4) == 0;
}

// One cloud whose instances are sorted looks like a cloud for each; one that is not does not.
static void sorts_instances_by_distance_for_each_view(void **state) {
    (void)state;
    effect_scene s;
    start(&s);
    ct_random random = ct_random_seeded(7, 0);
    particles all = particles_of("materials/particle_flat");
    add_random(&all, &random);
    begin(&s);
    for (uint32_t i = 0; i < all.count; ++i) {
        particles one = particles_of("materials/particle_flat");
        one.instances[one.count++] = all.instances[i];
        memcpy(one.desc.sort_position, all.instances[i].position, sizeof(float[3]));
        particles_send(&s.f, &one);
    }
    uint8_t *const expected = take_both_sides(&s);
    assert_int_equal(ct_renderer_stats(s.f.renderer).num_particles, 2 * all.count);
    begin(&s);
    all.desc.sort = CT_PARTICLE_SORT_DISTANCE;
    particles_send(&s.f, &all);
    uint8_t *const sorted = take_both_sides(&s);
    begin(&s);
    all.desc.sort = CT_PARTICLE_SORT_NONE;
    particles_send(&s.f, &all);
    uint8_t *const unsorted = take_both_sides(&s);
    assert_true(are_same(&s, expected, sorted));
    assert_false(are_same(&s, expected, unsorted));
    ct_free(test_heap(), expected);
    ct_free(test_heap(), sorted);
    ct_free(test_heap(), unsorted);
    stop(&s);
}

// --- Draws ---------------------------------------------------------------------------------------

static void draws_neighbours_of_one_look_in_one_call(void **state) {
    (void)state;
    effect_scene s;
    start(&s);
    const uint32_t before = frame(&s).num_draws;
    begin(&s);
    for (uint32_t i = 0; i < 6; ++i) {
        const particles p = pane_at((float)i, i & 1);
        particles_send(&s.f, &p);
    }
    ct_render_stats stats = frame(&s);
    assert_int_equal(stats.num_draws - before, 1);
    assert_int_equal(stats.num_particles, 6);
    assert_int_equal(stats.num_instances, 0);
    // An object among them makes two of it; another look at the end makes three.
    fixture_add(&s.f, "core/meshes/cube", "materials/glass_red", 0.0f, 2.5f, 0.0f);
    particles other = pane_at(9.0f, true);
    other.desc.facing = CT_PARTICLE_FACING_POINT;
    particles_send(&s.f, &other);
    stats = frame(&s);
    assert_int_equal(stats.num_draws - before, 4);
    assert_int_equal(stats.num_particles, 7);
    stop(&s);
}

static void draws_only_what_the_camera_sees(void **state) {
    (void)state;
    effect_scene s;
    start(&s);
    static const float spheres[][4] = {
        {0.0f, -12.0f, 0.0f, 3.0f}, {40.0f, 0.0f, 0.0f, 10.0f}, {0.0f, 500.0f, 0.0f, 100.0f}};
    begin(&s);
    for (uint32_t i = 0; i < CT_COUNT_OF(spheres); ++i) {
        particles p = pane_at(0.0f, true);
        memcpy(p.desc.sphere, spheres[i], sizeof(p.desc.sphere));
        particles_send(&s.f, &p);
    }
    assert_int_equal(frame(&s).num_particles, 0);
    particles p = pane_at(0.0f, true);
    p.desc.sphere[3] = 0.1f;
    particles_send(&s.f, &p);
    assert_int_equal(frame(&s).num_particles, 1);
    stop(&s);
}

static void stays_until_the_next_clouds_or_the_end_of_the_world(void **state) {
    (void)state;
    effect_scene s;
    start(&s);
    begin(&s);
    const particles p = pane_at(0.0f, true);
    particles_send(&s.f, &p);
    for (uint32_t i = 0; i < 4; ++i)
        assert_int_equal(frame(&s).num_particles, 1);
    begin(&s);
    particles_send(&s.f, &p);
    particles_send(&s.f, &p);
    for (uint32_t i = 0; i < 2; ++i)
        assert_int_equal(frame(&s).num_particles, 2);
    begin(&s);
    assert_int_equal(frame(&s).num_particles, 0);
    // Those of a world that was destroyed, and of one that never was, are ignored.
    particles_send(&s.f, &p);
    ct_render_world_destroy(s.f.renderer, s.f.world);
    particles_send(&s.f, &p);
    assert_int_equal(frame(&s).num_particles, 0);
    s.f.world = ct_render_world_create(s.f.renderer);
    particles_send(&s.f, &p);
    assert_int_equal(frame(&s).num_particles, 1);
    stop(&s);
}

// Ribbons that are drawn in one call are not connected.
static void ends_each_ribbon(void **state) {
    (void)state;
    effect_scene s;
    start(&s);
    begin(&s);
    for (uint32_t i = 0; i < 2; ++i) {
        particles p = particles_of("materials/particle_flat");
        p.desc.is_ribbon = 1;
        for (uint32_t k = 0; k < 2; ++k) {
            ct_particle_instance *const x =
                particles_add(&p, ct_vec3_make(i ? 1.5f : -1.5f, 0.0f, (float)k - 0.5f), 0.4f);
            particles_color(x, 1.0f, 0.0f, 0.0f, 1.0f);
        }
        particles_send(&s.f, &p);
    }
    const uint32_t draws = frame(&s).num_draws;
    fixture_picture(&s.f);
    const uint8_t *const left = fixture_pixel(&s.f, 0.391f, 0.5f);
    const uint8_t *const middle = fixture_pixel(&s.f, 0.5f, 0.5f);
    assert_true(left[0] > left[2]);
    assert_true(middle[2] > middle[0]);
    assert_int_equal(draws, 2); // and the pass to the back buffer
    stop(&s);
}

// The smallest shader draws what the core's does without options.
static void draws_with_a_shader_of_the_project(void **state) {
    (void)state;
    const char *const materials[] = {"materials/particle_frames", "materials/particle_plain"};
    uint8_t *pictures[2];
    effect_scene s;
    start(&s);
    for (uint32_t i = 0; i < 2; ++i) {
        particles p = particles_of(materials[i]);
        p.desc.grid[0] = p.desc.grid[1] = 2;
        p.desc.blends = 1;
        for (uint32_t k = 0; k < 9; ++k) {
            ct_particle_instance *const x = particles_add(
                &p, ct_vec3_make((float)(k % 3) - 1.0f, 0.0f, (float)(k / 3) - 1.0f), 0.9f);
            x->frame = 0.4f * (float)k;
            particles_color(x, 1.0f, 0.5f, 2.0f, 0.2f + 0.1f * (float)k);
        }
        begin(&s);
        particles_send(&s.f, &p);
        fixture_picture(&s.f);
        pictures[i] = effect_keep_picture(&s.f);
    }
    assert_true(golden_is_alike(
        golden_difference(pictures[0], pictures[1], (uint64_t)s.f.width * s.f.height * 4)));
    const uint8_t *const middle = fixture_pixel(&s.f, 0.5f, 0.5f);
    const uint8_t *const corner = fixture_pixel(&s.f, 0.01f, 0.01f);
    assert_memory_not_equal(middle, corner, 3);
    ct_free(test_heap(), pictures[0]);
    ct_free(test_heap(), pictures[1]);
    stop(&s);
}

// --- What draws nothing --------------------------------------------------------------------------

static void draws_nothing_without_a_material_for_particles(void **state) {
    (void)state;
    effect_scene s;
    start(&s);
    const uint64_t warnings = ct_log_warning_count("particle_material");
    const char *const materials[] = {"materials/red", "core/materials/gui", "materials/nowhere"};
    begin(&s);
    for (uint32_t i = 0; i < CT_COUNT_OF(materials); ++i) {
        particles p = pane_at(0.0f, true);
        p.desc.material = ct_string_id64_of(materials[i]);
        particles_send(&s.f, &p);
    }
    particles none = pane_at(0.0f, true);
    none.desc.material = (ct_string_id64){0};
    particles_send(&s.f, &none);
    for (uint32_t i = 0; i < 3; ++i)
        assert_int_equal(frame(&s).num_particles, 0);
    assert_true(ct_log_warning_count("particle_material") > warnings);
    stop(&s);
}

// A mesh with a material for particles is drawn as one with a broken material.
static void draws_meshes_of_such_a_material_with_the_error_material(void **state) {
    (void)state;
    effect_scene s;
    start(&s);
    fixture_add(&s.f, "core/meshes/cube", "materials/particle_flat", 0.0f, 0.0f, 0.0f);
    fixture_picture(&s.f);
    uint8_t found[3];
    memcpy(found, fixture_pixel(&s.f, 0.5f, 0.5f), 3);
    stop(&s);
    start(&s);
    fixture_add(&s.f, "core/meshes/cube", "core/materials/error", 0.0f, 0.0f, 0.0f);
    fixture_picture(&s.f);
    assert_memory_equal(found, fixture_pixel(&s.f, 0.5f, 0.5f), 3);
    stop(&s);
}

static void casts_no_shadows(void **state) {
    (void)state;
    effect_scene s;
    start(&s);
    effect_set_bool(&s.f, "shadows_on_cpu", true);
    particles_add_sun(&s.f);
    fixture_add(&s.f, "core/meshes/cube", "materials/red", 0.0f, 0.0f, -1.0f);
    begin(&s);
    particles p = pane_at(0.0f, true);
    p.desc.material = ct_string_id64_of("materials/particle_holes");
    particles_send(&s.f, &p);
    const ct_render_stats stats = frame(&s);
    assert_int_equal(stats.num_particles, 1);
    assert_true(stats.num_instances > 1); // the cube, in the shadow map, too
    stop(&s);
}

// Steps with a material of their own draw no clouds.
static void leaves_clouds_out_of_debug_views_and_outlines(void **state) {
    (void)state;
    effect_scene s;
    start(&s);
    begin(&s);
    const particles p = pane_at(0.0f, true);
    particles_send(&s.f, &p);
    const ct_render_object_id cube =
        fixture_add(&s.f, "core/meshes/cube", "materials/glass_red", 0.0f, 3.0f, 0.0f);
    ct_render_object_set_outline(s.f.renderer, s.f.world, cube,
                                 &(ct_render_outline){.color = {1.0f, 1.0f, 0.0f}, .id = 1});
    assert_int_equal(frame(&s).num_particles, 1);
    effect_set_choice(&s.f, "view", "overdraw");
    fixture_picture(&s.f);
    uint8_t *const with = effect_keep_picture(&s.f);
    begin(&s);
    fixture_picture(&s.f);
    assert_true(are_same(&s, with, s.f.pixels));
    ct_free(test_heap(), with);
    stop(&s);
}

static void survives_numbers_without_sense(void **state) {
    (void)state;
    static const float odd[] = {NAN, INFINITY, -INFINITY, 1e38f, -1e38f, 0.0f};
    effect_scene s;
    start(&s);
    ct_random random = ct_random_seeded(3, 0);
    for (uint32_t round = 0; round < 10; ++round) {
        begin(&s);
        for (uint32_t i = 0; i < 12; ++i) {
            particles p = pane_at(0.0f, true);
            p.desc.facing = (uint8_t)ct_random_u32(&random);
            p.desc.is_ribbon = i & 1;
            p.desc.sort = (uint8_t)(i & 3);
            p.desc.grid[0] = (uint8_t)(ct_random_u32(&random) % 3);
            p.desc.blends = (uint8_t)ct_random_u32(&random);
            p.desc.order = ct_random_u32(&random);
            p.desc.stretch = odd[ct_random_u32(&random) % 6];
            p.desc.axis[i % 3] = odd[ct_random_u32(&random) % 6];
            p.desc.sort_position[i % 3] = odd[ct_random_u32(&random) % 6];
            p.desc.sphere[i % 4] = i & 4 ? odd[ct_random_u32(&random) % 6] : 10.0f;
            for (uint32_t k = 0; k < 8; ++k) {
                float numbers[sizeof(ct_particle_instance) / sizeof(float)];
                for (uint32_t n = 0; n < CT_COUNT_OF(numbers); ++n)
                    numbers[n] = odd[ct_random_u32(&random) % 6];
                memcpy(particles_add(&p, ct_vec3_make(0.0f, 0.0f, 0.0f), 1.0f), numbers,
                       sizeof(numbers));
            }
            particles_send(&s.f, &p);
        }
        frame(&s);
    }
    stop(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_clouds_among_objects),
        cmocka_unit_test(draws_the_smaller_order_first),
        cmocka_unit_test(sorts_instances_by_distance_for_each_view),
        cmocka_unit_test(draws_neighbours_of_one_look_in_one_call),
        cmocka_unit_test(draws_only_what_the_camera_sees),
        cmocka_unit_test(stays_until_the_next_clouds_or_the_end_of_the_world),
        cmocka_unit_test(ends_each_ribbon),
        cmocka_unit_test(draws_with_a_shader_of_the_project),
        cmocka_unit_test(draws_nothing_without_a_material_for_particles),
        cmocka_unit_test(draws_meshes_of_such_a_material_with_the_error_material),
        cmocka_unit_test(casts_no_shadows),
        cmocka_unit_test(leaves_clouds_out_of_debug_views_and_outlines),
        cmocka_unit_test(survives_numbers_without_sense),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
