// Reads when and where particles are born.
#include <math.h>

#include "compiler/types/particles/worker_particles.h"
#include "foundation/math/math.h"

enum { DEFAULT_CAPACITY = 1000 };

// --- Bursts --------------------------------------------------------------------------------------

static void read_burst(ct_worker_particles *p, ct_worker_emitter *e, ct_sjson_value v) {
    ct_particle_burst_source source;
    if (!ct_schema_read(&ct_particle_burst_schema, p->doc, v, &source, &p->listener))
        return;
    ct_particle_burst burst = {
        .time = source.time, .interval = source.interval, .repeats = (uint32_t)source.repeats};
    ct_worker_particle_counts(p, source.count, &burst.least, &burst.most);
    if (burst.repeats > 1 && burst.interval < CT_PARTICLES_LEAST_SECONDS)
        ct_worker_particle_error(p, v, "a burst that repeats needs an `interval` of at least %g s",
                                 (double)CT_PARTICLES_LEAST_SECONDS);
    if (burst.time >= e->out.period)
        ct_worker_particle_warning(p, v,
                                   "the burst at %g s never happens: the emitter's `duration` is "
                                   "%g s",
                                   (double)burst.time, (double)e->out.period);
    ct_array_push(&e->bursts, burst);
}

static void read_bursts(ct_worker_particles *p, ct_worker_emitter *e, ct_sjson_value all) {
    if (ct_sjson_count(p->doc, all) > CT_PARTICLES_MAX_BURSTS) {
        ct_worker_particle_error(p, all, "bursts: found %u, expected at most %d",
                                 ct_sjson_count(p->doc, all), (int)CT_PARTICLES_MAX_BURSTS);
        return;
    }
    for (ct_sjson_value v = ct_sjson_first(p->doc, all); v.entry; v = ct_sjson_next(p->doc, v))
        read_burst(p, e, v);
}

// --- Shapes --------------------------------------------------------------------------------------

// Members of some shapes only.
static const struct {
    const char *name;
    uint32_t shapes; // bits
} members[] = {
    {"size", 1 << CT_PARTICLE_SHAPE_BOX},
    {"radius", 1 << CT_PARTICLE_SHAPE_SPHERE | 1 << CT_PARTICLE_SHAPE_CONE},
    {"inner", 1 << CT_PARTICLE_SHAPE_SPHERE | 1 << CT_PARTICLE_SHAPE_CONE},
    {"angle_degrees", 1 << CT_PARTICLE_SHAPE_CONE},
    {"length", 1 << CT_PARTICLE_SHAPE_CONE},
    {"arc_degrees", 1 << CT_PARTICLE_SHAPE_SPHERE | 1 << CT_PARTICLE_SHAPE_CONE},
    {"surface",
     1 << CT_PARTICLE_SHAPE_BOX | 1 << CT_PARTICLE_SHAPE_SPHERE | 1 << CT_PARTICLE_SHAPE_CONE},
    {"mesh", 1 << CT_PARTICLE_SHAPE_MESH},
    {"points", 1 << CT_PARTICLE_SHAPE_MESH},
    {"bones", 1 << CT_PARTICLE_SHAPE_SKELETON},
};

static void check_members(const ct_worker_particles *p, ct_sjson_value v, uint32_t type) {
    const char *const shape = ct_schema_find(&ct_particle_shape_schema, "type")->enum_names[type];
    for (uint32_t i = 0; i < CT_COUNT_OF(members); ++i) {
        const ct_sjson_value member = ct_sjson_find(p->doc, v, members[i].name);
        if (member.entry && !(members[i].shapes >> type & 1))
            ct_worker_particle_error(p, member, "a shape of type %s has no `%s`", shape,
                                     members[i].name);
    }
}

static float radians(float degrees) {
    return degrees * (float)(M_PI / 180);
}

static void read_shape(ct_worker_particles *p, ct_worker_emitter *e, ct_sjson_value v) {
    ct_particle_shape_source source;
    ct_particle_shape *const s = &e->out.shape;
    *s = (ct_particle_shape){.rotation = {0, 0, 0, 1}};
    if (!ct_worker_particle_object(p, &ct_particle_shape_schema, v, &source))
        return;
    check_members(p, v, source.type);
    s->type = source.type;
    s->flags = (source.surface ? CT_PARTICLE_SHAPE_SURFACE : 0u) |
               (source.bones ? CT_PARTICLE_SHAPE_BONES : 0u);
    for (uint32_t i = 0; i < 3; ++i) {
        s->offset[i] = source.position[i];
        s->size[i] = s->type == CT_PARTICLE_SHAPE_BOX ? source.size[i] / 2 : 0;
    }
    for (uint32_t i = 0; i < 4; ++i)
        s->rotation[i] = source.rotation[i];
    s->radius = source.radius;
    s->inner = source.inner;
    s->angle = s->type == CT_PARTICLE_SHAPE_CONE ? radians(source.angle_degrees) : 0;
    s->length = source.length;
    s->arc = radians(source.arc_degrees);
    if (s->type == CT_PARTICLE_SHAPE_MESH && !source.mesh_value.entry)
        ct_worker_particle_error(p, v, "a shape of type mesh needs a `mesh`");
    else if (s->type == CT_PARTICLE_SHAPE_MESH)
        ct_worker_particle_points(p, e, source.mesh_value, (uint32_t)source.points);
}

// --- Rates ---------------------------------------------------------------------------------------

static ct_worker_value read_rate(const ct_worker_particles *p, const ct_worker_emitter *e,
                                 ct_sjson_value v, const char *name) {
    const ct_worker_value_kind kind = {.name = name,
                                       .num_components = 1,
                                       .is_fixed = true,
                                       .has_no_clock = isinf(e->out.period),
                                       .clock = CT_PARTICLE_CLOCK_EMITTER,
                                       .least = 0,
                                       .most = 1e12};
    return ct_worker_value_read(p, v, &kind, ct_worker_value_of(0, 0, 0, 0));
}

void ct_worker_particle_spawn(ct_worker_particles *p, ct_worker_emitter *e) {
    ct_particle_spawn_source source;
    if (!ct_worker_particle_object(p, &ct_particle_spawn_schema, e->source.spawn, &source))
        return;
    e->rate = read_rate(p, e, source.rate, "rate");
    e->per_metre = read_rate(p, e, source.per_metre, "per_metre");
    e->rate_at = source.rate;
    e->out.inherit_velocity = source.inherit_velocity;
    read_bursts(p, e, source.bursts);
    read_shape(p, e, source.shape);
}

// --- Capacity ------------------------------------------------------------------------------------

// Most births of a burst that lie within `seconds`.
static double births_of_burst(const ct_worker_emitter *e, const ct_particle_burst *b,
                              double seconds) {
    const bool loops = e->out.flags & CT_PARTICLE_EMITTER_LOOPS;
    const double times =
        b->repeats > 1 ? fmin(b->repeats, floor(seconds / (double)b->interval) + 1) : 1;
    return b->most * times * (loops ? floor(seconds / (double)e->out.period) + 1 : 1);
}

// Most particles that live at the same time.
static double most_living(const ct_worker_emitter *e) {
    float least, rate;
    ct_worker_value_bounds(&e->rate, &least, &rate);
    const bool ends = !(e->out.flags & CT_PARTICLE_EMITTER_LOOPS);
    const double lifetime = (double)e->out.max_lifetime;
    const double seconds = ends ? fmin(lifetime, (double)e->out.period) : lifetime;
    double most = rate > 0 ? ceil((double)rate * seconds) + 1 : 0;
    for (uint32_t i = 0; i < e->bursts.count; ++i)
        most += births_of_burst(e, &e->bursts.items[i], lifetime);
    return most;
}

// Whether the source says how many particles live at the same time.
static bool is_countable(const ct_worker_emitter *e) {
    return !e->rate.variable && !e->lifetime.variable && ct_worker_value_is(&e->per_metre, 1, 0) &&
           !(e->out.flags & CT_PARTICLE_EMITTER_TARGET);
}

// Rates above it make no difference, and cost time.
static void limit_rate(ct_worker_particles *p, ct_worker_value *rate) {
    float least, most;
    ct_worker_value_bounds(rate, &least, &most);
    const float factor = CT_PARTICLES_MAX_RATE * 0.999999f / most; // below it when rounded
    if (most > CT_PARTICLES_MAX_RATE)
        *rate = ct_worker_value_scale(p->c->allocator, rate, factor);
}

void ct_worker_particle_capacity(ct_worker_particles *p, ct_worker_emitter *e) {
    const bool is_given = e->source.max_particles > 0;
    const double living = is_countable(e) ? fmax(most_living(e), 1) : DEFAULT_CAPACITY;
    const double limit = is_given ? e->source.max_particles : CT_PARTICLES_MAX_PARTICLES;
    const double most = is_countable(e) || !is_given ? fmin(living, limit) : limit;
    const uint32_t lanes = CT_PARTICLES_LANES;
    e->out.capacity = ((uint32_t)most + lanes - 1) / lanes * lanes;
    const ct_sjson_value at = e->rate_at.entry ? e->rate_at : e->at;
    if (living > CT_PARTICLES_MAX_PARTICLES)
        ct_worker_particle_warning(p, at,
                                   "the emitter \"%.64s\" makes up to %g particles that live at "
                                   "the same time, but has room for %u: the others are left out",
                                   e->source.name, living, e->out.capacity);
    limit_rate(p, &e->rate);
    limit_rate(p, &e->per_metre);
    const bool makes_none = ct_worker_value_is(&e->rate, 1, 0) && !e->rate_at.entry &&
                            ct_worker_value_is(&e->per_metre, 1, 0) && e->bursts.count == 0;
    if (makes_none && !(e->out.flags & CT_PARTICLE_EMITTER_TARGET))
        ct_worker_particle_warning(p, e->at,
                                   "the emitter \"%.64s\" makes no particles: give `spawn` a "
                                   "`rate`, `per_metre` or `bursts`, or make an event of another "
                                   "emitter name it",
                                   e->source.name);
}
