// Pictures of what is simulated and then drawn as trails, meshes and lights. Billboards and ribbons
// are in tests/render/picture/test_picture_particles.c.
#include "foundation/math/math.h"
#include "particles/pictures/particle_gpu_fixture.h"
#include "render/golden_picture.h"

// An emitter of 12 particles that fly out of a cone at once and fall.
static particle_fixture *begin(ct_particle_renderer renderer, uint32_t num_trail_points) {
    particle_fixture *const f = particle_fixture_begin();
    const uint32_t e = particle_fixture_emitter(f, "sparks", 16);
    ct_particle_emitter *const x = particle_fixture_at(f, e);
    x->look.renderer = renderer;
    x->look.num_trail_points = num_trail_points;
    x->lifetime = particle_fixture_value(f, e, particle_fixture_number(5));
    x->max_lifetime = 5;
    x->speed = particle_fixture_value(f, e, particle_fixture_range(3, 4, 1));
    x->shape.type = CT_PARTICLE_SHAPE_CONE;
    x->shape.radius = 0.1f;
    x->shape.angle = 0.5f;
    particle_fixture_burst(f, e, 0, 12);
    particle_fixture_channel(f, e, CT_PARTICLE_VELOCITY);
    particle_fixture_set(f, e, CT_PARTICLE_COLOR, particle_fixture_vector(1, 0.6f, 0.2f, 1));
    const ct_particle_value down = particle_fixture_vector(0, 0, -6, 0);
    particle_fixture_step(f, e, &(ct_particle_step){.op = CT_PARTICLE_OP_ACCELERATE}, 1, &down);
    particle_fixture_move(f, e);
    return f;
}

// Plays the effect over a floor for 0.7 s and compares the picture. Returns the mean difference to
// the picture before it started.
static double picture_of(particle_fixture *f, const char *name) {
    gpu_play p;
    gpu_play_start(&p);
    effect_add_box(&p.s, ct_vec3_make(-4, -4, -0.2f), ct_vec3_make(4, 4, 0), "materials/chalk");
    effect_look(&p.s, ct_vec3_make(0, -5, 2), ct_vec3_make(0, 0, 0.7f));
    gpu_play_load(&p, f);
    fixture_picture(&p.s.f);
    uint8_t *const before = malloc((size_t)EFFECT_WIDTH * EFFECT_HEIGHT * 4);
    memcpy(before, p.s.f.pixels, (size_t)EFFECT_WIDTH * EFFECT_HEIGHT * 4);
    const ct_particle_place place = gpu_play_place(0, 0, 0.2f);
    gpu_play_create(&p, GPU_SIDE_CPU, &place, 3);
    for (uint32_t i = 0; i < 42; ++i)
        ct_particles_update(p.worlds[GPU_SIDE_CPU], 1.0 / 60);
    ct_particles_send(p.worlds[GPU_SIDE_CPU]);
    fixture_picture(&p.s.f);
    fixture_expect_no_error(&p.s.f);
    golden_expect(&p.s.f, name);
    const double change =
        golden_difference(before, p.s.f.pixels, EFFECT_WIDTH * EFFECT_HEIGHT * 4).mean;
    free(before);
    gpu_play_stop(&p);
    return change;
}

static void trails_are_drawn_behind_particles(void **state) {
    (void)state;
    particle_fixture *const f = begin(CT_PARTICLE_RENDERER_TRAIL, 8);
    particle_fixture_at(f, 0)->look.material = ct_string_id64_of("materials/particle_flat");
    particle_fixture_set(f, 0, CT_PARTICLE_SIZE, particle_fixture_number(0.12f));
    particle_fixture_channel(f, 0, CT_PARTICLE_TRAIL);
    particle_fixture_channel(f, 0, CT_PARTICLE_TRAIL_STATE);
    const ct_particle_value interval = particle_fixture_number(0.04f);
    particle_fixture_step(f, 0, &(ct_particle_step){.op = CT_PARTICLE_OP_TRAIL}, 1, &interval);
    assert_true(picture_of(f, "particles_trails") > 0.1);
}

static void meshes_are_drawn_along_their_way(void **state) {
    (void)state;
    particle_fixture *const f = begin(CT_PARTICLE_RENDERER_MESH, 0);
    ct_particle_look *const look = &particle_fixture_at(f, 0)->look;
    look->mesh = ct_string_id64_of("core/meshes/cube");
    look->material = ct_string_id64_of("materials/red");
    look->facing = CT_PARTICLE_FACING_VELOCITY;
    particle_fixture_channel(f, 0, CT_PARTICLE_OBJECT);
    particle_fixture_set(f, 0, CT_PARTICLE_SIZE, particle_fixture_range(0.1f, 0.25f, 1));
    assert_true(picture_of(f, "particles_meshes") > 0.1);
}

static void lights_shine_on_the_floor(void **state) {
    (void)state;
    particle_fixture *const f = begin(CT_PARTICLE_RENDERER_LIGHT, 0);
    ct_particle_look *const look = &particle_fixture_at(f, 0)->look;
    look->light_radius = 1.5f;
    look->light_intensity = 2;
    look->max_lights = 4;
    particle_fixture_set(f, 0, CT_PARTICLE_SIZE, particle_fixture_number(1));
    assert_true(picture_of(f, "particles_lights") > 0.1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trails_are_drawn_behind_particles),
        cmocka_unit_test(meshes_are_drawn_along_their_way),
        cmocka_unit_test(lights_shine_on_the_floor),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
