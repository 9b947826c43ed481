// Pictures of particles: facings, ribbons, frames, soft edges, light. Look at each before it is
// committed.
#include <math.h>

#include "foundation/math/math.h"
#include "render/golden_picture.h"
#include "render/particle_fixture.h"

// --- Scenes --------------------------------------------------------------------------------------

// A floor with two posts.
static void start_dark(effect_scene *s) {
    effect_start(s);
    effect_look(s, ct_vec3_make(0.0f, -6.0f, 2.8f), ct_vec3_make(0.0f, 0.0f, 0.7f));
    effect_add_box(s, ct_vec3_make(-4.0f, -2.0f, -0.3f), ct_vec3_make(4.0f, 2.0f, 0.0f),
                   "core/materials/default");
    effect_add_box(s, ct_vec3_make(-2.9f, 0.4f, 0.0f), ct_vec3_make(-2.5f, 0.8f, 2.0f),
                   "materials/red");
    effect_add_box(s, ct_vec3_make(2.5f, 0.4f, 0.0f), ct_vec3_make(2.9f, 0.8f, 2.0f),
                   "materials/red");
    ct_render_particles_begin(s->f.renderer, s->f.world);
}

// The same in sunlight.
static void start(effect_scene *s) {
    start_dark(s);
    fixture_add_sun(&s->f);
}

static void finish(effect_scene *s, const char *name) {
    fixture_picture(&s->f);
    golden_expect(&s->f, name);
    fixture_stop(&s->f);
}

// --- Facings -------------------------------------------------------------------------------------

// Rows of quads with a letter that shows which way is up. Axes differ; that of the last particle has
// no direction. The upper row is rotated.
static void add_rows(particles *p) {
    for (uint32_t i = 0; i < 15; ++i) {
        const float x = (float)(i % 5) - 2.0f, z = (float)(i / 5) * 0.85f + 0.35f;
        ct_particle_instance *const q = particles_add(p, ct_vec3_make(x * 1.1f, 0.0f, z), 0.65f);
        const ct_vec3 axis =
            ct_vec3_scale(ct_vec3_normalize(ct_vec3_make(x, -1.0f, (float)(i / 5) - 1.0f)), 1.5f);
        memcpy(q->axis, axis.raw, sizeof(q->axis));
        q->rotation = i / 5 == 2 ? 0.5f : 0.0f;
        particles_color(q, 0.3f + 0.15f * (float)(i % 5), 0.9f - 0.3f * (float)(i / 5), 0.6f, 1.0f);
    }
    memset(p->instances[14].axis, 0, sizeof(p->instances[14].axis));
}

static void draw_facing(ct_particle_facing facing, const char *name) {
    static const float axis[] = {0.36f, -0.48f, 0.8f};
    effect_scene s;
    start(&s);
    particles p = particles_of("materials/particle_letter");
    p.desc.facing = (uint8_t)facing;
    p.desc.stretch = 0.4f;
    memcpy(p.desc.axis, axis, sizeof(axis));
    add_rows(&p);
    particles_send(&s.f, &p);
    finish(&s, name);
}

static void draws_quads_parallel_to_the_picture(void **state) {
    (void)state;
    draw_facing(CT_PARTICLE_FACING_CAMERA, "particles_camera");
}

static void draws_quads_that_face_the_camera(void **state) {
    (void)state;
    draw_facing(CT_PARTICLE_FACING_POINT, "particles_point");
}

static void draws_quads_upright_along_an_axis(void **state) {
    (void)state;
    draw_facing(CT_PARTICLE_FACING_AXIS, "particles_axis");
}

static void draws_quads_along_their_velocity(void **state) {
    (void)state;
    draw_facing(CT_PARTICLE_FACING_VELOCITY, "particles_velocity");
}

static void draws_quads_as_long_as_their_way(void **state) {
    (void)state;
    draw_facing(CT_PARTICLE_FACING_STRETCHED, "particles_stretched");
}

static void draws_quads_with_one_normal(void **state) {
    (void)state;
    draw_facing(CT_PARTICLE_FACING_FIXED, "particles_fixed");
}

static void draws_quads_with_normals_of_their_own(void **state) {
    (void)state;
    draw_facing(CT_PARTICLE_FACING_NORMAL, "particles_normal");
}

static void draws_quads_across_their_velocity(void **state) {
    (void)state;
    draw_facing(CT_PARTICLE_FACING_MOTION, "particles_motion");
}

// Quads turned around four pivots at the same height.
static void draws_quads_around_their_pivot(void **state) {
    (void)state;
    static const float pivots[][2] = {{0.5f, 0.5f}, {0.0f, 0.0f}, {1.0f, 0.0f}, {0.5f, 1.0f}};
    effect_scene s;
    start(&s);
    for (uint32_t i = 0; i < CT_COUNT_OF(pivots); ++i) {
        particles p = particles_of("materials/particle_letter");
        memcpy(p.desc.pivot, pivots[i], sizeof(p.desc.pivot));
        const ct_vec3 at = ct_vec3_make(1.3f * (float)i - 2.0f, -0.2f, 1.2f);
        particles_add(&p, at, 0.8f);
        particles_color(particles_add(&p, at, 0.8f), 0.5f, 0.5f, 1.0f, 0.6f);
        p.instances[1].rotation = 0.7f;
        p.instances[1].size[1] = 1.2f;
        particles_add(&p, ct_vec3_make(at.x, -0.25f, at.z), 0.05f);
        particles_send(&s.f, &p);
    }
    finish(&s, "particles_pivot");
}

// --- Ribbons -------------------------------------------------------------------------------------

// A ribbon along a spiral, `turn` radians in all.
static void add_spiral(particles *p, ct_vec3 center, float turn, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        const float share = (float)i / (float)(count - 1), angle = share * turn;
        ct_particle_instance *const q =
            particles_add(p,
                          ct_vec3_make(center.x + cosf(angle) * 1.1f, center.y + sinf(angle) * 1.1f,
                                       center.z + share * 1.4f),
                          0.1f + 0.3f * share);
        const ct_vec3 way =
            ct_vec3_normalize(ct_vec3_make(-sinf(angle) * 1.1f, cosf(angle) * 1.1f, 1.4f / turn));
        memcpy(q->axis, way.raw, sizeof(q->axis));
        q->rotation = share * 3.0f;
        particles_color(q, 1.0f, 0.8f - 0.6f * share, 0.5f * share, 0.3f + 0.7f * share);
    }
    p->instances[p->count - 1].frame = 1.0f;
}

// Two in one cloud, with nothing between them, and one that lies flat.
static void draws_ribbons(void **state) {
    (void)state;
    effect_scene s;
    start(&s);
    particles p = particles_of("materials/particle_stripes");
    p.desc.is_ribbon = 1;
    add_spiral(&p, ct_vec3_make(-1.3f, 0.0f, 0.3f), 7.0f, 24);
    add_spiral(&p, ct_vec3_make(1.3f, 0.0f, 0.3f), -4.0f, 24);
    particles_send(&s.f, &p);
    particles flat = particles_of("materials/particle_stripes");
    flat.desc.is_ribbon = 1;
    flat.desc.facing = CT_PARTICLE_FACING_FIXED;
    for (uint32_t i = 0; i < 12; ++i) {
        ct_particle_instance *const q = particles_add(
            &flat, ct_vec3_make(0.5f * (float)i - 2.75f, -1.3f + 0.2f * sinf((float)i), 0.02f),
            0.3f);
        const ct_vec3 way = ct_vec3_normalize(ct_vec3_make(0.5f, 0.2f * cosf((float)i), 0.0f));
        memcpy(q->axis, way.raw, sizeof(q->axis));
        q->rotation = 0.4f * (float)i;
    }
    particles_send(&s.f, &flat);
    finish(&s, "particles_ribbons");
}

// --- Frames --------------------------------------------------------------------------------------

// Below whole frames, above between them; the numbers go on after the last frame.
static void draws_frames_and_what_is_between_them(void **state) {
    (void)state;
    effect_scene s;
    start(&s);
    for (uint32_t row = 0; row < 2; ++row) {
        particles p = particles_of("materials/particle_frames");
        p.desc.grid[0] = p.desc.grid[1] = 2;
        p.desc.blends = (uint8_t)row;
        for (uint32_t i = 0; i < 9; ++i)
            particles_add(
                &p, ct_vec3_make(0.55f * (float)i - 2.2f, -0.5f, 0.5f + 0.8f * (float)row), 0.5f)
                ->frame = 0.5f * (float)i;
        particles_send(&s.f, &p);
    }
    finish(&s, "particles_frames");
}

static void draws_opaque_particles_with_holes(void **state) {
    (void)state;
    effect_scene s;
    start(&s);
    particles p = particles_of("materials/particle_holes");
    p.desc.grid[0] = p.desc.grid[1] = 2;
    for (uint32_t i = 0; i < 12; ++i)
        particles_add(&p,
                      ct_vec3_make(0.5f * (float)i - 2.75f, 0.3f * (float)(i % 3),
                                   0.4f + 0.3f * (float)(i % 4)),
                      0.9f)
            ->frame = (float)(i % 4);
    particles_send(&s.f, &p);
    finish(&s, "particles_holes");
}

// --- Light ---------------------------------------------------------------------------------------

// A puff of particles of one colour around a point, sorted by distance.
static void add_puff(effect_scene *s, const char *material, ct_vec3 center, const float color[4]) {
    particles p = particles_of(material);
    p.desc.sort = CT_PARTICLE_SORT_DISTANCE;
    memcpy(p.desc.sort_position, center.raw, sizeof(p.desc.sort_position));
    for (uint32_t i = 0; i < 30; ++i) {
        const float angle = 2.399963f * (float)i, out = 0.12f * sqrtf((float)i);
        ct_particle_instance *const q = particles_add(
            &p,
            ct_vec3_make(center.x + out * cosf(angle), center.y + 0.4f * out * sinf(2.0f * angle),
                         center.z + out * sinf(angle)),
            0.9f);
        q->rotation = angle;
        particles_color(q, color[0], color[1], color[2], color[3]);
    }
    particles_send(&s->f, &p);
}

static void adds_light_and_covers_what_is_behind(void **state) {
    (void)state;
    effect_scene s;
    start(&s);
    const float fire[] = {0.5f, 0.2f, 0.05f, 0.5f}, smoke[] = {0.05f, 0.05f, 0.05f, 0.4f};
    add_puff(&s, "core/materials/particle_additive", ct_vec3_make(-2.2f, 0.0f, 1.0f), fire);
    add_puff(&s, "core/materials/particle", ct_vec3_make(0.0f, 0.0f, 1.0f), smoke);
    add_puff(&s, "materials/particle_glow", ct_vec3_make(2.2f, 0.0f, 1.0f), fire);
    finish(&s, "particles_additive");
}

// White smoke before a dark wall: one ball in the sun from the upper left, a puff in a shadow, and
// a ball near a red light.
static void lights_particles_like_balls(void **state) {
    (void)state;
    effect_scene s;
    start_dark(&s);
    effect_set_bool(&s.f, "shadows_on_cpu", true);
    const ct_render_given dim = {
        .kind = CT_RENDER_GIVEN_KIND_VECTOR, .count = 3, .numbers = {0.06, 0.07, 0.1}};
    effect_set(&s.f, "sky_light", dim);
    effect_set(&s.f, "ground_light", dim);
    particles_add_sun(&s.f);
    effect_add_box(&s, ct_vec3_make(-4.0f, 2.0f, 0.0f), ct_vec3_make(4.0f, 2.2f, 3.5f),
                   "materials/red");
    effect_add_box(&s, ct_vec3_make(-2.0f, -1.6f, 2.3f), ct_vec3_make(0.3f, 0.2f, 2.4f),
                   "core/materials/default");
    fixture_add_point_light(&s.f, ct_vec3_make(2.8f, -0.9f, 0.9f), 1.0f, 0.2f, 0.1f);
    const float white[] = {0.7f, 0.7f, 0.7f, 0.4f};
    add_puff(&s, "core/materials/particle_lit", ct_vec3_make(0.0f, 0.0f, 1.1f), white);
    particles balls = particles_of("core/materials/particle_lit");
    for (uint32_t i = 0; i < 2; ++i)
        for (uint32_t k = 0; k < 3; ++k)
            particles_add(&balls, ct_vec3_make(i ? 1.8f : -2.0f, -0.2f, 1.1f), 1.7f);
    particles_send(&s.f, &balls);
    finish(&s, "particles_lit");
}

// Without soft edges on the left, with them on the right; both cut the floor.
static void fades_where_it_cuts_what_is_behind(void **state) {
    (void)state;
    effect_scene s;
    start(&s);
    effect_set_bool(&s.f, "refraction", true);
    const char *const materials[] = {"materials/particle_hard", "core/materials/particle"};
    for (uint32_t i = 0; i < 2; ++i) {
        particles p = particles_of(materials[i]);
        p.desc.facing = CT_PARTICLE_FACING_POINT;
        for (uint32_t k = 0; k < 4; ++k)
            particles_color(particles_add(&p,
                                          ct_vec3_make(2.8f * (float)i - 1.9f + 0.3f * (float)k,
                                                       -0.9f + 0.3f * (float)k, 0.2f),
                                          1.6f),
                            0.1f, 0.3f, 0.9f, 0.9f);
        particles_send(&s.f, &p);
    }
    finish(&s, "particles_soft_edges");
}

// The farther, the more of the fog's colour.
static void fogs_particles(void **state) {
    (void)state;
    effect_scene s;
    start(&s);
    effect_set_number(&s.f, "fog_density", 0.05);
    particles p = particles_of("core/materials/particle");
    particles glow = particles_of("core/materials/particle_additive");
    for (uint32_t i = 0; i < 5; ++i) {
        const float far = (float)(4 - i) * 6.0f;
        particles_color(particles_add(&p, ct_vec3_make(far * 0.3f - 2.0f, far, 1.2f), 2.0f), 0.6f,
                        0.05f, 0.05f, 1.0f);
        particles_color(particles_add(&glow, ct_vec3_make(far * 0.3f, far, 1.2f), 2.0f), 0.1f, 0.6f,
                        0.1f, 1.0f);
    }
    particles_send(&s.f, &p);
    particles_send(&s.f, &glow);
    finish(&s, "particles_fog");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_quads_parallel_to_the_picture),
        cmocka_unit_test(draws_quads_that_face_the_camera),
        cmocka_unit_test(draws_quads_upright_along_an_axis),
        cmocka_unit_test(draws_quads_along_their_velocity),
        cmocka_unit_test(draws_quads_as_long_as_their_way),
        cmocka_unit_test(draws_quads_with_one_normal),
        cmocka_unit_test(draws_quads_with_normals_of_their_own),
        cmocka_unit_test(draws_quads_across_their_velocity),
        cmocka_unit_test(draws_quads_around_their_pivot),
        cmocka_unit_test(draws_ribbons),
        cmocka_unit_test(draws_frames_and_what_is_between_them),
        cmocka_unit_test(draws_opaque_particles_with_holes),
        cmocka_unit_test(adds_light_and_covers_what_is_behind),
        cmocka_unit_test(lights_particles_like_balls),
        cmocka_unit_test(fades_where_it_cuts_what_is_behind),
        cmocka_unit_test(fogs_particles),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
