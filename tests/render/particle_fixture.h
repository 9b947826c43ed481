// particle_fixture.h: clouds of particles that tests write directly.
#pragma once
#include "foundation/math/math.h"
#include "render/effect_fixture.h"
#include "render/render_particles.h"

enum { PARTICLES_MAX = 64 };

// A cloud and its instances, until particles_send.
typedef struct particles {
    ct_render_cloud_desc desc;
    ct_particle_instance instances[PARTICLES_MAX];
    uint32_t count;
} particles;

// The half float of a number of 0 or from 2^-14 to 65504, cut.
static inline uint16_t particles_half(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    const int32_t exponent = (int32_t)(bits >> 23 & 255) - 127 + 15;
    const uint32_t sign = bits >> 16 & 0x8000;
    return (uint16_t)(exponent <= 0 ? sign : sign | (uint32_t)exponent << 10 | (bits >> 13 & 1023));
}

// A cloud with a look that tests change.
static inline particles particles_of(const char *material) {
    return (particles){.desc = {.material = ct_string_id64_of(material),
                                .sphere = {0.0f, 0.0f, 0.0f, 100.0f},
                                .grid = {1, 1},
                                .axis = {0.0f, 0.0f, 1.0f},
                                .pivot = {0.5f, 0.5f}}};
}

static inline void particles_color(ct_particle_instance *p, float red, float green, float blue,
                                   float alpha) {
    const float color[] = {red, green, blue, alpha};
    for (uint32_t i = 0; i < 4; ++i)
        p->color[i] = particles_half(color[i]);
}

// Adds a white particle, which is returned for the test to change.
static inline ct_particle_instance *particles_add(particles *p, ct_vec3 position, float size) {
    assert_true(p->count < PARTICLES_MAX);
    ct_particle_instance *const x = &p->instances[p->count++];
    *x = (ct_particle_instance){.position = {position.x, position.y, position.z},
                                .axis = {0.0f, 0.0f, 1.0f},
                                .size = {size, size}};
    particles_color(x, 1.0f, 1.0f, 1.0f, 1.0f);
    return x;
}

static inline void particles_send(render_fixture *f, const particles *p) {
    memcpy(ct_render_particles_add(f->renderer, f->world, &p->desc, p->count), p->instances,
           sizeof(p->instances[0]) * p->count);
}

// A sun from the upper left that casts shadows.
static inline void particles_add_sun(render_fixture *f) {
    const ct_light_data data = {.type = CT_LIGHT_TYPE_DIRECTIONAL,
                                .color = {1.0f, 0.95f, 0.85f, 1.0f},
                                .intensity = 1.2f,
                                .is_enabled = true,
                                .casts_shadows = true,
                                .shadow_depth_bias = 0.02f};
    const ct_mat4 pose = ct_mat4_compose(
        ct_vec3_make(0.0f, 0.0f, 0.0f),
        ct_quat_look(ct_vec3_make(0.6f, 0.5f, -1.0f), ct_vec3_make(0.0f, 0.0f, 1.0f)),
        ct_vec3_make(1.0f, 1.0f, 1.0f));
    ct_render_light_create(f->renderer, f->world, &data, &pose);
}
