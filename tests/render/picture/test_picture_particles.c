// Pictures of particles: facings, ribbons, frames, soft edges, light.
#include "render/golden_picture.h"
#include "render/particle_fixture.h"

static void start(effect_scene *s) {
    effect_start(s);
    fixture_add_sun(&s->f);
    effect_look(s, ct_vec3_make(0.0f, -6.0f, 2.5f), ct_vec3_make(0.0f, 0.0f, 0.5f));
}

static void finish(effect_scene *s, const char *name) {
    fixture_picture(&s->f);
    golden_expect(&s->f, name);
    fixture_stop(&s->f);
}

// Three rows of quads with a picture that shows which way is up.
static void add_rows(particles *p) {
    for (uint32_t i = 0; i < 15; ++i) {
        const float x = (float)(i % 5) - 2.0f, z = (float)(i / 5) - 0.5f;
        ct_particle_instance *const q = particles_add(p, ct_vec3_make(x * 1.4f, 0.0f, z), 0.8f);
        const ct_vec3 axis =
            ct_vec3_normalize(ct_vec3_make((float)(i % 5) - 2.0f, -1.0f, (float)(i / 5) - 1.0f));
        memcpy(q->axis, axis.raw, sizeof(q->axis));
        q->rotation = i / 5 == 2 ? 0.5f : 0.0f;
        particles_color(q, 0.3f + 0.15f * (float)(i % 5), 0.9f - 0.3f * (float)(i / 5), 0.6f, 1.0f);
    }
}

static void draws_facing(ct_particle_facing facing, const char *name) {
    effect_scene s;
    start(&s);
    particles p = particles_of("materials/particle_letter");
    p.desc.facing = (uint8_t)facing;
    p.desc.stretch = 0.4f;
    p.desc.axis[0] = 0.6f;
    p.desc.axis[1] = 0.0f;
    p.desc.axis[2] = 0.8f;
    add_rows(&p);
    ct_render_particles_begin(s.f.renderer, s.f.world);
    particles_send(&s.f, &p);
    finish(&s, name);
}

static void draws_quads_that_face_the_camera(void **state) {
    (void)state;
    draws_facing(CT_PARTICLE_FACING_CAMERA, "particles_camera");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_quads_that_face_the_camera),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
