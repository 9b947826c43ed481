// particle_draw.h: what the files that send particles to the renderer share.
#pragma once
#include "foundation/math/math.h"
#include "particles/particle_private.h"
#include "render/render_particles.h"

// A box around what is drawn, which grows.
typedef struct ct_particle_bounds {
    ct_aabb box;
    float reach; // metres that pictures stick out of their positions
} ct_particle_bounds;

// The emitter that is being sent.
typedef struct ct_particle_drawing {
    ct_particle_world *world;
    ct_particle_effect *effect;
    const ct_particle_emitter *emitter;
    ct_particle_emitter_state *state;
    uint32_t index;  // of the emitter
    float scale;     // of sizes
    bool *has_begun; // the world's clouds
} ct_particle_drawing;

// Returns whether the emitter's particles are in the effect's space.
static inline bool ct_particle_is_local(const ct_particle_drawing *d) {
    return d->emitter->flags & CT_PARTICLE_EMITTER_LOCAL;
}

// The channels of a semantic, or NULL.
static inline const float *ct_particle_drawn_channel(const ct_particle_drawing *d,
                                                     uint32_t semantic) {
    return ct_particle_channel(d->emitter, d->state, semantic);
}

// Returns three channels of particle `i` as a vector.
static inline ct_vec3 ct_particle_vector(const ct_particle_drawing *d, const float *x, uint32_t i) {
    const size_t stride = d->state->capacity;
    return ct_vec3_make(x[i], x[stride + i], x[2 * stride + i]);
}

// Converts to a half float, rounded to the nearest, from the middle up. Exact for what a half can
// hold from 2^-14 on; below that it is off by at most 2^-15. Negative numbers and NaN become 0, large
// ones 65504.
uint16_t ct_particle_half(float x);

// Returns the colour of particle `i` as half floats, white without COLOR.
void ct_particle_color(const ct_particle_drawing *d, uint32_t i, uint16_t color[4]);

// Adds a cloud of the emitter's look. Returns room for its instances.
ct_particle_instance *ct_particle_add_cloud(const ct_particle_drawing *d, uint32_t count);

// Gives the cloud that was just filled its sphere.
void ct_particle_set_bounds(const ct_particle_drawing *d, const ct_particle_bounds *bounds);

// Send an emitter of at least one particle by its look.
void ct_particle_draw_billboards(const ct_particle_drawing *d);
void ct_particle_draw_ribbon(const ct_particle_drawing *d);
void ct_particle_draw_trails(const ct_particle_drawing *d);

// Send emitters of any number of particles: what they showed before may have to go.
void ct_particle_draw_objects(const ct_particle_drawing *d);
void ct_particle_draw_lights(const ct_particle_drawing *d);

// Removes the objects and lights of an emitter from the renderer.
void ct_particle_hide_objects(ct_particle_world *w, ct_particle_emitter_state *s);
void ct_particle_hide_lights(ct_particle_world *w, ct_particle_emitter_state *s);
