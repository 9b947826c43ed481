// How far particles on the GPU can be: what their speeds, forces and sizes can do in a lifetime.
#include "particles/particle_gpu.h"

#include <math.h>

#include "foundation/math/math.h"

// Where nothing bounds them.
static const float everywhere = 1e9f;

// The largest that each component of a value can be, whatever its sign.
static ct_vec4 largest_of(const ct_particle_effect *fx, const ct_particle_emitter *e,
                          uint32_t value) {
    const ct_particle_value *const v =
        (const ct_particle_value *)ct_blob_at(fx->resource, e->values.offset) + value;
    const ct_particle_sample *const samples = ct_blob_at(fx->resource, e->samples.offset);
    const bool has_curve =
        v->source == CT_PARTICLE_SOURCE_CURVE || v->source == CT_PARTICLE_SOURCE_CURVE_RANGE;
    const uint32_t num_curves = v->source == CT_PARTICLE_SOURCE_CURVE_RANGE ? 2 : 1;
    ct_vec4 most = {{0}};
    for (uint32_t k = 0; k < 4; ++k) {
        most.raw[k] = has_curve ? 0.0f : fabsf(v->a[k]);
        if (v->source == CT_PARTICLE_SOURCE_RANGE)
            most.raw[k] = fmaxf(most.raw[k], fabsf(v->b[k]));
        for (uint32_t i = 0; has_curve && i < num_curves * CT_PARTICLES_CURVE_SAMPLES; ++i) {
            const uint32_t curve = v->curves[i / CT_PARTICLES_CURVE_SAMPLES];
            const ct_particle_sample *const at = &samples[curve + i % CT_PARTICLES_CURVE_SAMPLES];
            most.raw[k] = fmaxf(most.raw[k], fabsf(at->value[k]));
        }
        if (v->variable && v->variable <= fx->num_variables)
            most.raw[k] *= fabsf(fx->variables[v->variable - 1].raw[k]);
    }
    return most;
}

static float length_of(ct_vec4 v) {
    return ct_vec3_length(ct_vec3_make(v.x, v.y, v.z));
}

// --- Motion --------------------------------------------------------------------------------------

typedef struct motion {
    float speed, acceleration, wind;
    float center;     // how far from the effect the farthest axis is that particles orbit
    bool has_no_ends; // they can go anywhere
} motion;

static void add_flow(motion *m, const ct_particle_step *step, float strength) {
    const float most = 13.0f * strength; // slopes are up to 15/8, of values between -1 and 1
    if (step->flags & CT_PARTICLE_STEP_WIND)
        m->wind += most;
    else
        m->acceleration += most;
}

static void add_step(motion *m, const ct_particle_effect *fx, const ct_particle_emitter *e,
                     const ct_particle_step *step) {
    const uint32_t value = step->first_value;
    switch (step->op) {
    case CT_PARTICLE_OP_ACCELERATE:
        m->acceleration += length_of(largest_of(fx, e, value));
        return;
    case CT_PARTICLE_OP_NOISE:
        add_flow(m, step, largest_of(fx, e, value).x);
        return;
    case CT_PARTICLE_OP_ATTRACT: // without falloff its force is the same everywhere
        m->acceleration += largest_of(fx, e, value + 1).x;
        m->has_no_ends |= largest_of(fx, e, value + 2).x != 0.0f;
        return;
    case CT_PARTICLE_OP_MOVE:
        m->wind += length_of(largest_of(fx, e, value + 1));
        return;
    case CT_PARTICLE_OP_ORBIT:
        m->speed += largest_of(fx, e, value + 2).y;
        m->center = fmaxf(m->center, length_of(largest_of(fx, e, value)));
        m->has_no_ends |= !(step->flags & CT_PARTICLE_STEP_LOCAL);
        return;
    case CT_PARTICLE_OP_COLLIDE_PLANE: // springs
        m->has_no_ends |= largest_of(fx, e, value + 1).x > 1.0f;
        return;
    case CT_PARTICLE_OP_CURVE:
    case CT_PARTICLE_OP_ADD: // of where they are, or how fast
        m->has_no_ends |= step->channel < e->channels[CT_PARTICLE_AGE];
        return;
    default:
        return;
    }
}

static float shape_reach(const ct_particle_effect *fx, const ct_particle_emitter *e) {
    const ct_particle_shape *const s = &e->shape;
    const ct_particle_point *const points = ct_blob_at(fx->resource, e->points.offset);
    float reach = 0.0f;
    switch (s->type) {
    case CT_PARTICLE_SHAPE_BOX:
        reach = ct_vec3_length(ct_vec3_make(s->size[0], s->size[1], s->size[2]));
        break;
    case CT_PARTICLE_SHAPE_SPHERE:
        reach = fabsf(s->radius);
        break;
    case CT_PARTICLE_SHAPE_CONE: { // tan(1.5) is the widest
        const float slope = tanf(fminf(fmaxf(s->angle, 0.0f), 1.5f));
        reach = fabsf(s->radius) + fabsf(s->length) * (1.0f + slope);
        break;
    }
    case CT_PARTICLE_SHAPE_MESH:
        for (uint32_t i = 0; i < e->points.count; ++i) {
            const float *const p = points[i].position;
            reach = fmaxf(reach, ct_vec3_length(ct_vec3_make(p[0], p[1], p[2])));
        }
        break;
    default:
        break;
    }
    return reach + ct_vec3_length(ct_vec3_make(s->offset[0], s->offset[1], s->offset[2]));
}

// --- Pictures ------------------------------------------------------------------------------------

// The largest that a number of `channel` can be at birth; 1 without the channel.
static float largest_at_birth(const ct_particle_effect *fx, const ct_particle_emitter *e,
                              uint32_t channel) {
    const ct_particle_step *const init = ct_blob_at(fx->resource, e->init.offset);
    float most = channel == CT_PARTICLES_NO_CHANNEL ? 1.0f : 0.0f;
    for (uint32_t i = 0; i < e->init.count; ++i)
        if (init[i].channel == channel) {
            const ct_vec4 v = largest_of(fx, e, init[i].first_value);
            most = fmaxf(most, fmaxf(v.x, v.y));
        }
    return most;
}

// The largest that sizes can be in all their life.
static float largest_size(const ct_particle_effect *fx, const ct_particle_emitter *e) {
    const ct_particle_step *const update = ct_blob_at(fx->resource, e->update.offset);
    const uint32_t channel = e->channels[CT_PARTICLE_SIZE];
    float most = largest_at_birth(fx, e, channel);
    for (uint32_t i = 0; i < e->update.count; ++i) {
        if (update[i].channel != channel || channel == CT_PARTICLES_NO_CHANNEL)
            continue;
        if (update[i].op != CT_PARTICLE_OP_CURVE)
            return everywhere; // it grows
        const ct_vec4 v = largest_of(fx, e, update[i].first_value);
        const float input = largest_at_birth(fx, e, update[i].input);
        most = fmaxf(most, fmaxf(v.x, v.y) * input);
    }
    return most;
}

// How far a picture sticks out of its particle's place.
static float picture_reach(const ct_particle_effect *fx, const ct_particle_emitter *e,
                           float speed) {
    const ct_particle_look *const look = &e->look;
    const float right = fmaxf(fabsf(look->pivot[0]), fabsf(1.0f - look->pivot[0]));
    const float top = fmaxf(fabsf(look->pivot[1]), fabsf(1.0f - look->pivot[1]));
    const float size = largest_size(fx, e);
    const bool is_stretched = look->facing == CT_PARTICLE_FACING_STRETCHED;
    const float stretch = is_stretched ? speed * fabsf(look->stretch) : 0.0f;
    return (right + top) * size + top * stretch;
}

// --- The sphere ----------------------------------------------------------------------------------

// How far from the effect's place at its birth a particle can be seen; in units of the effect.
static float reach_of(const ct_particle_effect *fx, const ct_particle_emitter *e,
                      const ct_particle_gpu_emitter *gpu) {
    const ct_particle_step *const update = ct_blob_at(fx->resource, e->update.offset);
    motion m = {.speed = largest_of(fx, e, e->speed).x + length_of(largest_of(fx, e, e->velocity)) +
                         fabsf(e->inherit_velocity) * gpu->speed};
    for (uint32_t i = 0; i < e->update.count; ++i)
        add_step(&m, fx, e, &update[i]);
    const float life = (float)gpu->life;
    const float way = (m.speed + m.wind + 0.5f * m.acceleration * life) * life;
    const float speed = m.speed + m.wind + m.acceleration * life;
    if (m.has_no_ends)
        return everywhere;
    return shape_reach(fx, e) + way + 2.0f * m.center + picture_reach(fx, e, speed);
}

void ct_particle_gpu_sphere(const ct_particle_effect *fx, uint32_t index, float sphere[4]) {
    const ct_particle_emitter *const e = ct_particle_emitter_at(fx->resource, index);
    const ct_particle_gpu_emitter *const gpu = fx->emitters[index].gpu;
    const ct_vec3 s = fx->now.scale;
    const float scale = fmaxf(fabsf(s.x), fmaxf(fabsf(s.y), fabsf(s.z)));
    ct_vec3 center = fx->now.position;
    float radius = fx->resource->bounds_radius * ct_particle_size_scale(fx);
    if (!(radius > 0.0f)) {
        radius = reach_of(fx, e, gpu) * fmaxf(scale, 1.0f);
        if (!(e->flags & CT_PARTICLE_EMITTER_LOCAL)) {
            ct_aabb box = gpu->box;
            for (uint32_t i = 0; i < 3; ++i) {
                box.min.raw[i] = fminf(box.min.raw[i], gpu->box_before.min.raw[i]);
                box.max.raw[i] = fmaxf(box.max.raw[i], gpu->box_before.max.raw[i]);
            }
            const ct_vec3 half = ct_vec3_scale(ct_vec3_sub(box.max, box.min), 0.5f);
            center = ct_vec3_add(box.min, half);
            radius += ct_vec3_length(half);
        }
    }
    if (!ct_vec3_is_finite(center) || !(radius < everywhere)) {
        center = fx->now.position;
        radius = everywhere;
    }
    sphere[0] = center.x, sphere[1] = center.y, sphere[2] = center.z, sphere[3] = radius;
}
