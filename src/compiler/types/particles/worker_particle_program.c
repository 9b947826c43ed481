// Makes the channels and the steps of an emitter from what was read.
#include <math.h>
#include <string.h>

#include "compiler/types/particles/worker_particles.h"

// --- Values and curves ---------------------------------------------------------------------------

// The position of a curve in the emitter's samples; equal curves are there once.
static uint32_t add_curve(ct_worker_emitter *e, const ct_particle_sample *curve) {
    const uint32_t samples = CT_PARTICLES_CURVE_SAMPLES;
    for (uint32_t i = 0; i + samples <= e->samples.count; i += samples) {
        if (memcmp(&e->samples.items[i], curve, samples * sizeof(*curve)) == 0)
            return i;
    }
    ct_array_push_many(&e->samples, curve, samples);
    return e->samples.count - samples;
}

uint32_t ct_worker_particle_add_value(ct_worker_particles *p, ct_worker_emitter *e,
                                      const ct_worker_value *v) {
    (void)p;
    ct_particle_value out = {.clock = (uint8_t)v->clock,
                             .variable = (uint8_t)v->variable,
                             .flags = v->is_uniform ? CT_PARTICLE_VALUE_UNIFORM : 0};
    if (v->curves[0]) {
        out.source = v->is_random ? CT_PARTICLE_SOURCE_CURVE_RANGE : CT_PARTICLE_SOURCE_CURVE;
        for (uint32_t i = 0; i < (v->is_random ? 2u : 1u); ++i)
            out.curves[i] = add_curve(e, v->curves[i]);
    } else {
        out.source = v->is_random ? CT_PARTICLE_SOURCE_RANGE : CT_PARTICLE_SOURCE_CONSTANT;
        memcpy(out.a, v->a, sizeof(out.a));
        memcpy(out.b, v->b, sizeof(out.b));
    }
    ct_array_push(&e->values, out);
    return e->values.count - 1;
}

// A random constant as curves that do not change: by life, values are those or curves.
static ct_worker_value as_curves(ct_allocator *a, const ct_worker_value *v) {
    ct_worker_value out = *v;
    for (uint32_t end = 0; v->is_random && !v->curves[0] && end < 2; ++end) {
        ct_particle_sample *const samples =
            CT_NEW_ARRAY(a, ct_particle_sample, CT_PARTICLES_CURVE_SAMPLES);
        for (uint32_t i = 0; i < CT_PARTICLES_CURVE_SAMPLES; ++i)
            memcpy(samples[i].value, end ? v->b : v->a, sizeof(v->a));
        out.curves[end] = samples;
    }
    return out;
}

// --- Channels ------------------------------------------------------------------------------------

// What the program needs; filled before channels have their numbers.
typedef struct program {
    ct_worker_particles *p;
    ct_worker_emitter *e;
    uint32_t needs; // semantics, as bits
    bool moves;
} program;

static void need(program *g, uint32_t semantic) {
    g->needs |= 1u << semantic;
}

static bool has(const program *g, uint32_t semantic) {
    return g->needs >> semantic & 1;
}

static void set_channels(program *g) {
    ct_particle_emitter *const out = &g->e->out;
    memset(out->channels, CT_PARTICLES_NO_CHANNEL, sizeof(out->channels));
    for (uint32_t s = 0; s < CT_PARTICLE_SEMANTIC_COUNT; ++s) {
        if (!has(g, s))
            continue;
        out->channels[s] = (uint8_t)out->num_channels;
        out->num_channels += ct_particle_semantic_channels(out, s);
    }
}

// --- Values at birth and by life -----------------------------------------------------------------

// Some components of a semantic: what they are born with, and what that is multiplied by.
typedef struct part {
    uint32_t semantic, birth_semantic; // birth_semantic: where the value at birth is kept
    uint32_t first, count;             // components
    ct_worker_value birth, life;
    bool changes; // `life` is by age
    bool keeps;   // the value at birth is kept, and multiplied in
} part;

static part make_part(const program *g, uint32_t semantic, uint32_t birth_semantic, uint32_t first,
                      uint32_t count, const ct_worker_value *birth, const ct_worker_value *life) {
    ct_allocator *const a = g->p->c->allocator;
    part x = {semantic, birth_semantic, first, count, *birth, *life, true, true};
    const bool is_by_age = life->curves[0] || life->variable;
    if (!is_by_age && ct_worker_value_multiply(a, birth, life, &x.birth)) {
        x.changes = x.keeps = false;
    } else if (ct_worker_value_is_constant(birth) &&
               ct_worker_value_multiply(a, life, birth, &x.life)) {
        x.keeps = false;
        x.changes = x.life.curves[0] || x.life.variable;
        x.birth = x.life;
    }
    if (x.changes)
        x.life = as_curves(a, &x.life);
    return x;
}

// Another number for each step that may be random. It depends on nothing else, so that an edit of
// an effect leaves its other random numbers as they are.
static uint32_t number_of(uint32_t semantic, uint32_t first) {
    return semantic + (first ? 32 : 0);
}

static ct_particle_step step_of(const program *g, ct_particle_op op, uint32_t semantic,
                                uint32_t first, uint32_t count) {
    return (ct_particle_step){.op = op,
                              .first_value = g->e->values.count,
                              .channel = g->e->out.channels[semantic] + first,
                              .input = CT_PARTICLES_NO_CHANNEL,
                              .num_components = count,
                              .number = number_of(semantic, first)};
}

static void need_part(program *g, const part *x) {
    need(g, x->semantic);
    if (x->keeps)
        need(g, x->birth_semantic);
}

static void add_set(program *g, uint32_t semantic, uint32_t first, uint32_t count,
                    const ct_worker_value *v) {
    const ct_particle_step step = step_of(g, CT_PARTICLE_OP_SET, semantic, first, count);
    ct_worker_particle_add_value(g->p, g->e, v);
    ct_array_push(&g->e->init, step);
}

static void add_part(program *g, const part *x) {
    if (!x->changes) {
        add_set(g, x->semantic, x->first, x->count, &x->birth);
        return;
    }
    ct_particle_step step = step_of(g, CT_PARTICLE_OP_CURVE, x->semantic, x->first, x->count);
    ct_worker_particle_add_value(g->p, g->e, &x->life);
    if (x->keeps) {
        step.input = g->e->out.channels[x->birth_semantic] + x->first;
        add_set(g, x->birth_semantic, x->first, x->count, &x->birth);
    }
    ct_array_push(&g->e->update, step);
}

// The parts of the colour: one where opacity and colour are found in the same way, else two.
static uint32_t color_parts(const program *g, part parts[2]) {
    ct_allocator *const a = g->p->c->allocator;
    const ct_worker_particle_values *const v = &g->e->values_of;
    parts[0] =
        make_part(g, CT_PARTICLE_COLOR, CT_PARTICLE_BIRTH_COLOR, 0, 3, &v->color, &v->life_color);
    parts[1] = make_part(g, CT_PARTICLE_COLOR, CT_PARTICLE_BIRTH_COLOR, 3, 1, &v->opacity,
                         &v->life_opacity);
    ct_worker_value birth, life;
    if (parts[0].changes != parts[1].changes || parts[0].keeps != parts[1].keeps ||
        !ct_worker_value_pack(a, &v->color, 3, &v->opacity, &birth) ||
        !ct_worker_value_pack(a, &v->life_color, 3, &v->life_opacity, &life))
        return 2;
    const part whole =
        make_part(g, CT_PARTICLE_COLOR, CT_PARTICLE_BIRTH_COLOR, 0, 4, &birth, &life);
    if (whole.changes != parts[0].changes || whole.keeps != parts[0].keeps)
        return 2;
    parts[0] = whole;
    return 1;
}

// --- What is needed ------------------------------------------------------------------------------

static bool is_zero(const ct_worker_value *v, uint32_t count) {
    return ct_worker_value_is(v, count, 0);
}

static bool has_accelerations(const ct_worker_particle_motion *m, bool is_local) {
    const float *const a = m->accelerations[is_local];
    return a[0] != 0 || a[1] != 0 || a[2] != 0;
}

static bool does_move(const ct_worker_emitter *e) {
    const ct_worker_particle_motion *const m = &e->motion;
    return !is_zero(&e->speed, 1) || !is_zero(&e->velocity, 3) || e->out.inherit_velocity != 0 ||
           e->gets_velocity || has_accelerations(m, false) || has_accelerations(m, true) ||
           m->forces.count > 0 || (!is_zero(&m->wind, 3) && !is_zero(&m->drag, 1)) ||
           e->out.flags & CT_PARTICLE_EMITTER_COLLIDES;
}

// Steps after MOVE that read velocities.
static bool after_needs_velocity(const ct_worker_emitter *e) {
    for (uint32_t i = 0; i < e->motion.after.count; ++i) {
        const uint32_t op = e->motion.after.items[i].op;
        if (op == CT_PARTICLE_OP_ORBIT || op == CT_PARTICLE_OP_COLLIDE_PLANE ||
            op == CT_PARTICLE_OP_COLLIDE_PHYSICS)
            return true;
    }
    return false;
}

static void find_needs_of_look(program *g) {
    const ct_worker_emitter *const e = g->e;
    const ct_particle_look *const l = &e->out.look;
    const bool is_billboard = l->renderer == CT_PARTICLE_RENDERER_BILLBOARD;
    const bool is_mesh = l->renderer == CT_PARTICLE_RENDERER_MESH;
    if (l->facing == CT_PARTICLE_FACING_VELOCITY || l->facing == CT_PARTICLE_FACING_STRETCHED ||
        l->facing == CT_PARTICLE_FACING_MOTION)
        need(g, CT_PARTICLE_VELOCITY);
    if (l->facing == CT_PARTICLE_FACING_NORMAL || (is_mesh && e->values_of.has_axis))
        need(g, CT_PARTICLE_AXIS);
    if (is_mesh)
        need(g, CT_PARTICLE_OBJECT);
    if (l->renderer == CT_PARTICLE_RENDERER_RIBBON)
        need(g, CT_PARTICLE_ORDER);
    if (l->renderer == CT_PARTICLE_RENDERER_TRAIL) {
        need(g, CT_PARTICLE_TRAIL);
        need(g, CT_PARTICLE_TRAIL_STATE);
    }
    const bool turns = !is_zero(&e->values_of.rotation, 1) || !is_zero(&e->values_of.spin, 1);
    if ((is_billboard || is_mesh) && turns)
        need(g, CT_PARTICLE_ROTATION);
    if (has(g, CT_PARTICLE_ROTATION) && !ct_worker_value_is_constant(&e->values_of.spin))
        need(g, CT_PARTICLE_SPIN);
    if (is_billboard && e->values_of.has_frame && l->grid[0] * l->grid[1] > 1)
        need(g, CT_PARTICLE_FRAME);
}

static void find_needs(program *g) {
    static const uint8_t always[] = {CT_PARTICLE_POSITION, CT_PARTICLE_AGE, CT_PARTICLE_AGEING,
                                     CT_PARTICLE_SEED};
    for (uint32_t i = 0; i < CT_COUNT_OF(always); ++i)
        need(g, always[i]);
    g->moves = does_move(g->e);
    if (g->moves || after_needs_velocity(g->e))
        need(g, CT_PARTICLE_VELOCITY);
    find_needs_of_look(g);
}

// --- Motion --------------------------------------------------------------------------------------

static void add_motion_step(program *g, ct_particle_op op, uint32_t flags,
                            const ct_worker_value *values, uint32_t num_values) {
    const ct_particle_step step = {.op = op,
                                   .flags = flags,
                                   .first_value = g->e->values.count,
                                   .channel = CT_PARTICLES_NO_CHANNEL,
                                   .input = CT_PARTICLES_NO_CHANNEL};
    for (uint32_t i = 0; i < num_values; ++i)
        ct_worker_particle_add_value(g->p, g->e, &values[i]);
    ct_array_push(&g->e->update, step);
}

static void add_motion(program *g) {
    const ct_worker_particle_motion *const m = &g->e->motion;
    for (uint32_t is_local = 0; g->moves && is_local < 2; ++is_local) {
        const float *const a = m->accelerations[is_local];
        const ct_worker_value v = ct_worker_value_of(a[0], a[1], a[2], 0);
        if (has_accelerations(m, is_local))
            add_motion_step(g, CT_PARTICLE_OP_ACCELERATE, is_local ? CT_PARTICLE_STEP_LOCAL : 0, &v,
                            1);
    }
    ct_array_push_many(&g->e->update, m->forces.items, m->forces.count);
    const ct_worker_value move[] = {m->drag, m->wind};
    if (g->moves)
        add_motion_step(g, CT_PARTICLE_OP_MOVE, m->wind_is_local ? CT_PARTICLE_STEP_LOCAL : 0, move,
                        2);
    for (uint32_t i = 0; i < m->after.count; ++i) {
        const ct_particle_step *const step = &m->after.items[i];
        if (g->moves || step->op != CT_PARTICLE_OP_LIMIT_SPEED)
            ct_array_push(&g->e->update, *step);
    }
}

// --- The look ------------------------------------------------------------------------------------

static void add_rotation(program *g) {
    const ct_worker_particle_values *const v = &g->e->values_of;
    if (!has(g, CT_PARTICLE_ROTATION))
        return;
    add_set(g, CT_PARTICLE_ROTATION, 0, 1, &v->rotation);
    if (is_zero(&v->spin, 1))
        return;
    if (has(g, CT_PARTICLE_SPIN))
        add_set(g, CT_PARTICLE_SPIN, 0, 1, &v->spin);
    ct_particle_step step = step_of(g, CT_PARTICLE_OP_ADD, CT_PARTICLE_ROTATION, 0, 1);
    if (has(g, CT_PARTICLE_SPIN))
        step.input = g->e->out.channels[CT_PARTICLE_SPIN];
    else
        ct_worker_particle_add_value(g->p, g->e, &v->spin);
    ct_array_push(&g->e->update, step);
}

static void add_frame(program *g) {
    const ct_worker_particle_values *const v = &g->e->values_of;
    if (!has(g, CT_PARTICLE_FRAME))
        return;
    const bool changes = v->life_frame.curves[0] || v->life_frame.variable;
    if (g->e->has_life_frame && changes) {
        const ct_worker_value life = as_curves(g->p->c->allocator, &v->life_frame);
        const ct_particle_step step = step_of(g, CT_PARTICLE_OP_CURVE, CT_PARTICLE_FRAME, 0, 1);
        ct_worker_particle_add_value(g->p, g->e, &life);
        ct_array_push(&g->e->update, step);
        return;
    }
    add_set(g, CT_PARTICLE_FRAME, 0, 1, g->e->has_life_frame ? &v->life_frame : &v->frame);
    if (v->frames_per_second == 0)
        return;
    const ct_worker_value rate = ct_worker_value_of(v->frames_per_second, 0, 0, 0);
    const ct_particle_step step = step_of(g, CT_PARTICLE_OP_ADD, CT_PARTICLE_FRAME, 0, 1);
    ct_worker_particle_add_value(g->p, g->e, &rate);
    ct_array_push(&g->e->update, step);
}

static void add_trail(program *g) {
    if (!has(g, CT_PARTICLE_TRAIL))
        return;
    const ct_worker_value seconds = ct_worker_value_of(g->e->render.point_seconds, 0, 0, 0);
    add_motion_step(g, CT_PARTICLE_OP_TRAIL, 0, &seconds, 1);
}

// --- The whole -----------------------------------------------------------------------------------

static void set_flags(ct_worker_emitter *e) {
    const ct_particle_look *const l = &e->out.look;
    if (l->renderer == CT_PARTICLE_RENDERER_RIBBON || l->sort == CT_PARTICLE_SORT_OLDEST ||
        l->sort == CT_PARTICLE_SORT_YOUNGEST)
        e->out.flags |= CT_PARTICLE_EMITTER_ORDERED;
}

static void add_own_values(program *g) {
    ct_worker_emitter *const e = g->e;
    e->out.lifetime = ct_worker_particle_add_value(g->p, e, &e->lifetime);
    e->out.speed = ct_worker_particle_add_value(g->p, e, &e->speed);
    e->out.velocity = ct_worker_particle_add_value(g->p, e, &e->velocity);
    e->out.rate = ct_worker_particle_add_value(g->p, e, &e->rate);
    e->out.per_metre = ct_worker_particle_add_value(g->p, e, &e->per_metre);
}

void ct_worker_particle_program(ct_worker_particles *p, ct_worker_emitter *e) {
    program g = {.p = p, .e = e};
    const ct_worker_particle_values *const v = &e->values_of;
    const bool is_drawn = e->out.look.renderer != CT_PARTICLE_RENDERER_NONE;
    part parts[3];
    uint32_t num_parts = 0;
    find_needs(&g);
    if (is_drawn || e->motion.needs_size)
        parts[num_parts++] =
            make_part(&g, CT_PARTICLE_SIZE, CT_PARTICLE_BIRTH_SIZE, 0, 2, &v->size, &v->life_size);
    if (is_drawn)
        num_parts += color_parts(&g, &parts[num_parts]);
    for (uint32_t i = 0; i < num_parts; ++i)
        need_part(&g, &parts[i]);
    set_flags(e);
    set_channels(&g);
    add_own_values(&g);
    add_motion_step(&g, CT_PARTICLE_OP_AGE, 0, NULL, 0);
    add_motion(&g);
    for (uint32_t i = 0; i < num_parts; ++i)
        add_part(&g, &parts[i]);
    add_rotation(&g);
    add_frame(&g);
    if (has(&g, CT_PARTICLE_AXIS))
        add_set(&g, CT_PARTICLE_AXIS, 0, 3, &v->axis);
    add_trail(&g);
    if (e->update.count > CT_PARTICLES_MAX_STEPS)
        ct_worker_particle_error(p, e->source.simulate,
                                 "the emitter \"%.64s\" needs %u steps, expected at most %d",
                                 e->source.name, e->update.count, (int)CT_PARTICLES_MAX_STEPS);
}

// --- The GPU -------------------------------------------------------------------------------------

// Why the GPU cannot simulate the emitter; NULL when it can.
static const char *reason_against_gpu(const ct_worker_emitter *e) {
    const ct_particle_look *const l = &e->out.look;
    if (e->out.flags & CT_PARTICLE_EMITTER_COLLIDES)
        return "it collides with the physics";
    for (uint32_t i = 0; i < e->update.count; ++i)
        if (e->update.items[i].op == CT_PARTICLE_OP_FIELD)
            return "it feels a vector field";
    if (e->events.count > 0)
        return "it has events";
    if (e->out.flags & CT_PARTICLE_EMITTER_TARGET)
        return "an event of another emitter makes its particles";
    if (e->out.shape.type == CT_PARTICLE_SHAPE_SKELETON)
        return "its particles are born at a skeleton";
    if (l->renderer == CT_PARTICLE_RENDERER_RIBBON || l->renderer == CT_PARTICLE_RENDERER_TRAIL)
        return "the CPU draws ribbons and trails";
    if (l->renderer == CT_PARTICLE_RENDERER_MESH || l->renderer == CT_PARTICLE_RENDERER_LIGHT)
        return "the CPU places meshes and lights";
    return l->sort != CT_PARTICLE_SORT_NONE ? "its particles are sorted" : NULL;
}

void ct_worker_particle_gpu(ct_worker_particles *p, ct_worker_emitter *e) {
    const char *const reason = reason_against_gpu(e);
    if (e->source.gpu == CT_PARTICLE_GPU_ALWAYS && reason)
        ct_worker_particle_error(p, e->source.gpu_value,
                                 "gpu: the GPU cannot simulate the emitter \"%.64s\": %s; write "
                                 "\"auto\"",
                                 e->source.name, reason);
    if (reason || e->source.gpu == CT_PARTICLE_GPU_NEVER)
        return;
    e->out.flags |= CT_PARTICLE_EMITTER_GPU;
    if (e->source.gpu == CT_PARTICLE_GPU_ALWAYS)
        e->out.flags |= CT_PARTICLE_EMITTER_WANTS_GPU;
}
