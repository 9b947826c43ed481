// Reads what moves particles. Gravity and constant accelerations become one step, as do drag and
// wind.
#include <math.h>
#include <string.h>

#include "compiler/types/particles/worker_particles.h"

static const double gravity = 9.81;

// One simulator while it is read.
typedef struct reader {
    ct_worker_particles *p;
    ct_worker_emitter *e;
    ct_sjson_value at;
    ct_particle_simulator_source source;
} reader;

// --- Values --------------------------------------------------------------------------------------

static ct_worker_value read_value(const reader *r, ct_sjson_value v, const char *name,
                                  uint32_t num_components, float otherwise) {
    const ct_worker_value_kind kind = {.name = name,
                                       .num_components = num_components,
                                       .is_fixed = true,
                                       .has_no_clock = isinf(r->e->out.period),
                                       .clock = CT_PARTICLE_CLOCK_EMITTER,
                                       .least = -1e9,
                                       .most = 1e9};
    return ct_worker_value_read(r->p, v, &kind,
                                ct_worker_value_of(otherwise, otherwise, otherwise, 0));
}

static ct_worker_value read_number(const reader *r, ct_sjson_value v, const char *name,
                                   float otherwise) {
    return read_value(r, v, name, 1, otherwise);
}

static ct_worker_value read_vector(const reader *r, ct_sjson_value v, const char *name) {
    return read_value(r, v, name, 3, 0);
}

// The direction in a source with length 1; z after reporting.
static ct_worker_value read_direction(const reader *r, const char *name, const float v[3],
                                      float distance) {
    const double length = sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] +
                               (double)v[2] * (double)v[2]);
    if (length < 1e-6) {
        ct_worker_particle_error(r->p, ct_sjson_find(r->p->doc, r->at, name),
                                 "%s: found a vector of length 0, expected a direction", name);
        return ct_worker_value_of(0, 0, 1, distance);
    }
    return ct_worker_value_of((float)((double)v[0] / length), (float)((double)v[1] / length),
                              (float)((double)v[2] / length), distance);
}

// --- Steps ---------------------------------------------------------------------------------------

static ct_particle_step step_of(const reader *r, ct_particle_op op, uint32_t flags,
                                const ct_worker_value *values, uint32_t num_values) {
    ct_particle_step step = {.op = op,
                             .flags = flags,
                             .first_value = r->e->values.count,
                             .channel = CT_PARTICLES_NO_CHANNEL,
                             .input = CT_PARTICLES_NO_CHANNEL};
    for (uint32_t i = 0; i < num_values; ++i)
        ct_worker_particle_add_value(r->p, r->e, &values[i]);
    if (r->source.name && *r->source.name)
        step.name = ct_string_id32_of(r->source.name);
    return step;
}

static void add_force(const reader *r, ct_particle_op op, uint32_t flags,
                      const ct_worker_value *values, uint32_t num_values) {
    const ct_particle_step step = step_of(r, op, flags, values, num_values);
    ct_array_push(&r->e->motion.forces, step);
}

static void add_after(const reader *r, ct_particle_op op, uint32_t flags,
                      const ct_worker_value *values, uint32_t num_values) {
    const ct_particle_step step = step_of(r, op, flags, values, num_values);
    ct_array_push(&r->e->motion.after, step);
}

static uint32_t flags_of_vector(const reader *r) {
    return r->source.space ? CT_PARTICLE_STEP_LOCAL : 0;
}

static uint32_t flags_of_points(const reader *r) {
    return r->source.place ? 0 : CT_PARTICLE_STEP_LOCAL;
}

// --- Forces --------------------------------------------------------------------------------------

static void add_acceleration(const reader *r, const ct_worker_value *v, bool is_local) {
    if (ct_worker_value_is_constant(v)) {
        for (uint32_t i = 0; i < 3; ++i)
            r->e->motion.accelerations[is_local][i] += v->a[i];
        return;
    }
    add_force(r, CT_PARTICLE_OP_ACCELERATE, is_local ? CT_PARTICLE_STEP_LOCAL : 0, v, 1);
}

static void read_gravity(const reader *r) {
    const ct_worker_value strength = read_number(r, r->source.strength, "strength", 1);
    const ct_worker_value down = ct_worker_value_of(0, 0, (float)-gravity, 0);
    ct_worker_value all = strength, result;
    for (uint32_t i = 1; i < 3; ++i)
        ct_worker_value_pack(r->p->c->allocator, &all, i, &strength, &all);
    ct_worker_value_multiply(r->p->c->allocator, &all, &down, &result);
    add_acceleration(r, &result, false);
}

static void read_acceleration(const reader *r) {
    const ct_worker_value v = read_vector(r, r->source.value, "value");
    add_acceleration(r, &v, r->source.space);
}

static void read_drag(const reader *r) {
    ct_worker_particle_motion *const m = &r->e->motion;
    const ct_worker_value v = read_number(r, r->source.amount, "amount", 0);
    float least, most;
    ct_worker_value_bounds(&v, &least, &most);
    if (least < 0)
        ct_worker_particle_error(r->p, r->source.amount,
                                 "amount: found %g, expected a drag of 0 or more", (double)least);
    if (!ct_worker_value_add(r->p->c->allocator, &m->drag, &v, &m->drag))
        ct_worker_particle_error(r->p, r->at,
                                 "drags with different variables cannot be added: leave one");
    m->drag_at = r->at;
}

static void read_wind(const reader *r) {
    ct_worker_particle_motion *const m = &r->e->motion;
    const ct_worker_value v = read_vector(r, r->source.velocity, "velocity");
    if (m->wind_at.entry && m->wind_is_local != (r->source.space != 0)) {
        ct_worker_particle_error(r->p, r->at, "the winds of an emitter must have the same `space`");
        return;
    }
    if (!ct_worker_value_add(r->p->c->allocator, &m->wind, &v, &m->wind))
        ct_worker_particle_error(r->p, r->at,
                                 "winds with different variables cannot be added: leave one");
    m->wind_is_local = r->source.space;
    m->wind_at = r->at;
}

static uint32_t flow_flags(const reader *r) {
    if (r->source.acts)
        r->e->motion.flow_at = r->at;
    return r->source.acts ? CT_PARTICLE_STEP_WIND : 0;
}

static void read_curl_noise(const reader *r) {
    const ct_worker_value values[] = {
        read_number(r, r->source.strength, "strength", 1),
        read_number(r, r->source.frequency, "frequency", 1),
        read_number(r, r->source.speed, "speed", 0),
    };
    add_force(r, CT_PARTICLE_OP_NOISE, flags_of_vector(r) | flow_flags(r), values, 3);
}

static void read_vector_field(const reader *r) {
    const ct_worker_value strength = read_number(r, r->source.strength, "strength", 1);
    if (!*r->source.name)
        ct_worker_particle_error(r->p, ct_sjson_find(r->p->doc, r->at, "field"),
                                 "field: found an empty name");
    add_force(r, CT_PARTICLE_OP_FIELD, flow_flags(r), &strength, 1);
}

static void read_attract(const reader *r) {
    const ct_worker_value values[] = {
        read_vector(r, r->source.point, "point"),
        read_number(r, r->source.strength, "strength", 1),
        ct_worker_value_of(r->source.power, r->source.radius, r->source.kill_radius, 0),
    };
    add_force(r, CT_PARTICLE_OP_ATTRACT, flags_of_points(r), values, 3);
}

// --- After motion --------------------------------------------------------------------------------

static void read_orbit(const reader *r) {
    ct_allocator *const a = r->p->c->allocator;
    const ct_worker_value turns = read_number(r, r->source.turns_per_second, "turns_per_second", 0);
    const ct_worker_value outwards = read_number(r, r->source.outwards, "outwards", 0);
    ct_worker_value values[] = {
        read_vector(r, r->source.center, "center"),
        read_direction(r, "axis", r->source.axis, 0),
        ct_worker_value_scale(a, &turns, (float)(2 * M_PI)),
    };
    if (!ct_worker_value_pack(a, &values[2], 1, &outwards, &values[2]))
        ct_worker_particle_error(r->p, r->at,
                                 "`turns_per_second` and `outwards` cannot have different "
                                 "variables: write two simulators of type orbit");
    add_after(r, CT_PARTICLE_OP_ORBIT, flags_of_points(r), values, 3);
}

static void read_limit_speed(const reader *r) {
    const ct_worker_value speed = read_number(r, r->source.speed, "speed", 0);
    float least, most;
    ct_worker_value_bounds(&speed, &least, &most);
    if (least < 0)
        ct_worker_particle_error(r->p, r->source.speed, "speed: found %g, expected 0 or more",
                                 (double)least);
    add_after(r, CT_PARTICLE_OP_LIMIT_SPEED, 0, &speed, 1);
}

static ct_worker_value bounce_of(const reader *r) {
    r->e->motion.needs_size |= r->source.radius > 0;
    return ct_worker_value_of(r->source.bounce, r->source.friction, r->source.lifetime_loss,
                              r->source.radius);
}

static void read_collide_plane(const reader *r) {
    const ct_worker_value values[] = {
        read_direction(r, "normal", r->source.normal, r->source.distance), bounce_of(r)};
    add_after(r, CT_PARTICLE_OP_COLLIDE_PLANE, flags_of_points(r), values, 2);
}

static void read_collide(const reader *r) {
    const ct_worker_value values[] = {ct_worker_value_of(0, 0, 0, 0), bounce_of(r)};
    r->e->out.flags |= CT_PARTICLE_EMITTER_COLLIDES;
    if (!r->e->motion.collide_at.entry)
        r->e->motion.collide_at = r->at;
    add_after(r, CT_PARTICLE_OP_COLLIDE_PHYSICS, 0, values, 2);
}

static uint32_t kill_flags(const reader *r) {
    return flags_of_points(r) | (r->source.outside ? CT_PARTICLE_STEP_INSIDE : 0);
}

static void read_kill_box(const reader *r) {
    const ct_worker_value size = read_vector(r, r->source.size, "size");
    const ct_worker_value values[] = {read_vector(r, r->source.center, "center"),
                                      ct_worker_value_scale(r->p->c->allocator, &size, 0.5f)};
    add_after(r, CT_PARTICLE_OP_KILL_BOX, kill_flags(r), values, 2);
}

static void read_kill_sphere(const reader *r) {
    const ct_worker_value values[] = {read_vector(r, r->source.center, "center"),
                                      read_number(r, r->source.radius_value, "radius", 1)};
    add_after(r, CT_PARTICLE_OP_KILL_SPHERE, kill_flags(r), values, 2);
}

static void read_kill_plane(const reader *r) {
    const ct_worker_value plane = read_direction(r, "normal", r->source.normal, r->source.distance);
    add_after(r, CT_PARTICLE_OP_KILL_PLANE, flags_of_points(r), &plane, 1);
}

// --- The list ------------------------------------------------------------------------------------

static void (*const readers[CT_PARTICLE_SIMULATOR_COUNT])(const reader *r) = {
    [CT_PARTICLE_SIMULATOR_GRAVITY] = read_gravity,
    [CT_PARTICLE_SIMULATOR_ACCELERATION] = read_acceleration,
    [CT_PARTICLE_SIMULATOR_DRAG] = read_drag,
    [CT_PARTICLE_SIMULATOR_WIND] = read_wind,
    [CT_PARTICLE_SIMULATOR_CURL_NOISE] = read_curl_noise,
    [CT_PARTICLE_SIMULATOR_VECTOR_FIELD] = read_vector_field,
    [CT_PARTICLE_SIMULATOR_ATTRACT] = read_attract,
    [CT_PARTICLE_SIMULATOR_ORBIT] = read_orbit,
    [CT_PARTICLE_SIMULATOR_LIMIT_SPEED] = read_limit_speed,
    [CT_PARTICLE_SIMULATOR_COLLIDE_PLANE] = read_collide_plane,
    [CT_PARTICLE_SIMULATOR_COLLIDE] = read_collide,
    [CT_PARTICLE_SIMULATOR_KILL_BOX] = read_kill_box,
    [CT_PARTICLE_SIMULATOR_KILL_SPHERE] = read_kill_sphere,
    [CT_PARTICLE_SIMULATOR_KILL_PLANE] = read_kill_plane,
};

// The kind that `type` says; COUNT after reporting.
static uint32_t kind_of(const ct_worker_particles *p, ct_sjson_value v) {
    const ct_sjson_value type = ct_sjson_find(p->doc, v, "type");
    const char *const text = ct_sjson_string(p->doc, type, NULL);
    const char *names[CT_PARTICLE_SIMULATOR_COUNT];
    for (uint32_t i = 0; i < CT_PARTICLE_SIMULATOR_COUNT; ++i) {
        names[i] = ct_particle_simulator_schemas[i]->name;
        if (text && strcmp(text, names[i]) == 0)
            return i;
    }
    if (text)
        ct_worker_particle_unknown(p, type, "simulator", text, names, CT_PARTICLE_SIMULATOR_COUNT);
    else
        ct_worker_particle_error(p, v,
                                 "simulate: found %s, expected an object with a type, such as { "
                                 "type = \"gravity\" }",
                                 ct_sjson_type_name(ct_sjson_type_of(p->doc, v)));
    return CT_PARTICLE_SIMULATOR_COUNT;
}

void ct_worker_particle_simulate(ct_worker_particles *p, ct_worker_emitter *e) {
    const ct_sjson_value all = e->source.simulate;
    if (ct_sjson_count(p->doc, all) > CT_PARTICLES_MAX_STEPS / 2) {
        ct_worker_particle_error(p, all, "simulate: found %u, expected at most %d",
                                 ct_sjson_count(p->doc, all), CT_PARTICLES_MAX_STEPS / 2);
        return;
    }
    for (ct_sjson_value v = ct_sjson_first(p->doc, all); v.entry; v = ct_sjson_next(p->doc, v)) {
        reader r = {.p = p, .e = e, .at = v};
        const uint32_t kind = kind_of(p, v);
        if (kind < CT_PARTICLE_SIMULATOR_COUNT &&
            ct_schema_read(ct_particle_simulator_schemas[kind], p->doc, v, &r.source, &p->listener))
            readers[kind](&r);
    }
    const ct_worker_particle_motion *const m = &e->motion;
    if ((m->wind_at.entry || m->flow_at.entry) && !m->drag_at.entry)
        ct_worker_particle_warning(p, m->wind_at.entry ? m->wind_at : m->flow_at,
                                   "a wind moves nothing: it moves particles by their drag, and "
                                   "the emitter has no drag; add { type = \"drag\"  amount = 1 }");
}
