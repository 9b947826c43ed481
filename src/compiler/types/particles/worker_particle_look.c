// Reads what particles are born with, how that changes over their lives, and what draws them.
#include <math.h>

#include "compiler/types/particles/worker_particles.h"

// --- Births --------------------------------------------------------------------------------------

static ct_worker_value read_birth(const ct_worker_particles *p, const ct_worker_emitter *e,
                                  ct_sjson_value v, ct_worker_value_kind kind, float otherwise) {
    kind.has_no_clock = isinf(e->out.period);
    kind.clock = CT_PARTICLE_CLOCK_EMITTER;
    if (kind.least == 0 && kind.most == 0) {
        kind.least = -1e9;
        kind.most = 1e9;
    }
    return ct_worker_value_read(p, v, &kind,
                                ct_worker_value_of(otherwise, otherwise, otherwise, otherwise));
}

static void read_lifetime(const ct_worker_particles *p, ct_worker_emitter *e, ct_sjson_value v) {
    const ct_worker_value_kind kind = {
        .name = "lifetime", .num_components = 1, .least = -1e9, .most = CT_PARTICLES_MAX_SECONDS};
    float least;
    e->lifetime = read_birth(p, e, v, kind, 1);
    ct_worker_value_bounds(&e->lifetime, &least, &e->out.max_lifetime);
    if (least < CT_PARTICLES_LEAST_SECONDS)
        ct_worker_particle_error(p, v, "lifetime: found %g, expected seconds from %g",
                                 (double)least, (double)CT_PARTICLES_LEAST_SECONDS);
}

static ct_worker_value radians_of(const ct_worker_particles *p, const ct_worker_emitter *e,
                                  ct_sjson_value v, const char *name) {
    const ct_worker_value degrees =
        read_birth(p, e, v, (ct_worker_value_kind){.name = name, .num_components = 1}, 0);
    return ct_worker_value_scale(p->c->allocator, &degrees, (float)(M_PI / 180));
}

// Constants get length 1; the simulation does it for others.
static ct_worker_value read_axis(const ct_worker_particles *p, const ct_worker_emitter *e,
                                 ct_sjson_value v) {
    const ct_worker_value_kind kind = {.name = "axis", .num_components = 3};
    ct_worker_value axis = read_birth(p, e, v, kind, 0);
    if (!v.entry)
        return ct_worker_value_of(0, 0, 1, 0);
    if (!ct_worker_value_is_constant(&axis))
        return axis;
    const double length =
        sqrt((double)axis.a[0] * (double)axis.a[0] + (double)axis.a[1] * (double)axis.a[1] +
             (double)axis.a[2] * (double)axis.a[2]);
    if (length < 1e-6) {
        ct_worker_particle_error(p, v, "axis: found a vector of length 0, expected a direction");
        return axis;
    }
    for (uint32_t i = 0; i < 3; ++i)
        axis.a[i] = axis.b[i] = (float)((double)axis.a[i] / length);
    return axis;
}

static void read_births(const ct_worker_particles *p, ct_worker_emitter *e) {
    ct_particle_birth_source s;
    ct_worker_particle_values *const out = &e->values_of;
    if (!ct_worker_particle_object(p, &ct_particle_birth_schema, e->source.birth, &s))
        return;
    const ct_worker_value_kind speed = {.name = "speed", .num_components = 1},
                               velocity = {.name = "velocity", .num_components = 3},
                               size = {.name = "size",
                                       .num_components = 2,
                                       .takes_number = true,
                                       .most = 1e6},
                               color = {.name = "color",
                                        .num_components = 3,
                                        .is_color = true,
                                        .is_uniform = true,
                                        .most = 1e4},
                               opacity = {.name = "opacity", .num_components = 1, .most = 1},
                               frame = {.name = "frame", .num_components = 1, .most = 65535};
    read_lifetime(p, e, s.lifetime);
    e->speed = read_birth(p, e, s.speed, speed, 0);
    e->velocity = read_birth(p, e, s.velocity, velocity, 0);
    out->size = read_birth(p, e, s.size, size, 1);
    out->color = read_birth(p, e, s.color, color, 1);
    out->opacity = read_birth(p, e, s.opacity, opacity, 1);
    out->rotation = radians_of(p, e, s.rotation_degrees, "rotation_degrees");
    out->spin = radians_of(p, e, s.spin_degrees, "spin_degrees");
    out->frame = read_birth(p, e, s.frame, frame, 0);
    out->axis = read_axis(p, e, s.axis);
    out->has_frame |= s.frame.entry != 0;
    out->has_axis = s.axis.entry != 0;
}

// --- Lives ---------------------------------------------------------------------------------------

static ct_worker_value read_life(const ct_worker_particles *p, ct_sjson_value v,
                                 ct_worker_value_kind kind, float otherwise) {
    kind.clock = CT_PARTICLE_CLOCK_LIFE;
    return ct_worker_value_read(p, v, &kind,
                                ct_worker_value_of(otherwise, otherwise, otherwise, otherwise));
}

// A frame cannot be multiplied: birth and life are added, which works for constants only.
static void add_birth_frame(const ct_worker_particles *p, ct_worker_particle_values *out,
                            ct_sjson_value v, float frames_per_second) {
    if (frames_per_second != 0)
        ct_worker_particle_error(p, v,
                                 "`frame` and `frames_per_second` exclude each other: remove one");
    if (!ct_worker_value_is_constant(&out->frame))
        ct_worker_particle_error(p, out->frame.at,
                                 "frame: beside a `frame` of `life`, that of `birth` must be a "
                                 "constant; for random starts use `frames_per_second`");
    else if (!ct_worker_value_add(p->c->allocator, &out->life_frame, &out->frame, &out->life_frame))
        ct_worker_particle_error(p, v, "frame: with a variable, the `frame` of `birth` must be 0");
}

static void read_lives(const ct_worker_particles *p, ct_worker_emitter *e) {
    ct_particle_life_source s;
    ct_worker_particle_values *const out = &e->values_of;
    if (!ct_worker_particle_object(p, &ct_particle_life_schema, e->source.life, &s))
        return;
    const ct_worker_value_kind size = {.name = "size",
                                       .num_components = 2,
                                       .takes_number = true,
                                       .most = 1e6},
                               color = {.name = "color",
                                        .num_components = 3,
                                        .is_color = true,
                                        .is_uniform = true,
                                        .most = 1e4},
                               opacity = {.name = "opacity", .num_components = 1, .most = 1},
                               frame = {.name = "frame", .num_components = 1, .most = 65535};
    out->life_size = read_life(p, s.size, size, 1);
    out->life_color = read_life(p, s.color, color, 1);
    out->life_opacity = read_life(p, s.opacity, opacity, 1);
    out->life_frame = read_life(p, s.frame, frame, 0);
    out->frames_per_second = s.frames_per_second;
    out->has_frame |= s.frame.entry || s.frames_per_second != 0;
    e->has_life_frame = s.frame.entry;
    if (s.frame.entry)
        add_birth_frame(p, out, s.frame, s.frames_per_second);
}

void ct_worker_particle_births(ct_worker_particles *p, ct_worker_emitter *e) {
    read_births(p, e);
    read_lives(p, e);
}

// --- Looks ---------------------------------------------------------------------------------------

enum {
    BILLBOARD = 1 << CT_PARTICLE_RENDERER_BILLBOARD,
    RIBBON = 1 << CT_PARTICLE_RENDERER_RIBBON,
    TRAIL = 1 << CT_PARTICLE_RENDERER_TRAIL,
    MESH = 1 << CT_PARTICLE_RENDERER_MESH,
    LIGHT = 1 << CT_PARTICLE_RENDERER_LIGHT,
};

// Members of some renderers only.
static const struct {
    const char *name;
    uint32_t renderers; // bits
} members[] = {
    {"material", BILLBOARD | RIBBON | TRAIL | MESH},
    {"mesh", MESH},
    {"facing", BILLBOARD | RIBBON | TRAIL | MESH},
    {"sort", BILLBOARD},
    {"grid", BILLBOARD},
    {"blend_frames", BILLBOARD},
    {"stretch", BILLBOARD},
    {"axis", BILLBOARD | RIBBON | TRAIL | MESH},
    {"pivot", BILLBOARD},
    {"points", TRAIL},
    {"point_seconds", TRAIL},
    {"uv_length", RIBBON | TRAIL},
    {"casts_shadows", MESH},
    {"radius", LIGHT},
    {"intensity", LIGHT},
    {"max_lights", LIGHT},
};

static void check_members(const ct_worker_particles *p, const ct_worker_emitter *e,
                          uint32_t renderer) {
    const char *const name =
        ct_schema_find(&ct_particle_render_schema, "type")->enum_names[renderer - 1];
    for (uint32_t i = 0; i < CT_COUNT_OF(members); ++i) {
        const ct_sjson_value member = ct_sjson_find(p->doc, e->source.render, members[i].name);
        if (member.entry && !(members[i].renderers >> renderer & 1))
            ct_worker_particle_error(p, member, "particles of type %s have no `%s`", name,
                                     members[i].name);
    }
    if (renderer != CT_PARTICLE_RENDERER_LIGHT && !e->render.material_value.entry)
        ct_worker_particle_error(p, e->source.render, "particles of type %s need a `material`",
                                 name);
    if (renderer == CT_PARTICLE_RENDERER_MESH && !e->render.mesh_value.entry)
        ct_worker_particle_error(p, e->source.render, "particles of type mesh need a `mesh`");
}

static void read_grid(const ct_worker_particles *p, ct_sjson_value v, uint32_t grid[2]) {
    if (!v.entry)
        return;
    ct_sjson_value e = ct_sjson_first(p->doc, v);
    bool is_fine =
        ct_sjson_type_of(p->doc, v) == CT_SJSON_TYPE_ARRAY && ct_sjson_count(p->doc, v) == 2;
    for (uint32_t i = 0; is_fine && i < 2; ++i, e = ct_sjson_next(p->doc, e)) {
        const double number = ct_sjson_number(p->doc, e, 0);
        is_fine = number >= 1 && number <= CT_PARTICLES_MAX_GRID && number == floor(number);
        grid[i] = is_fine ? (uint32_t)number : 1;
    }
    if (!is_fine)
        ct_worker_particle_error(p, v, "grid: expected [columns rows], whole numbers from 1 to %d",
                                 (int)CT_PARTICLES_MAX_GRID);
}

// Sets the axis with length 1.
static void read_look_axis(const ct_worker_particles *p, const ct_worker_emitter *e,
                           float axis[3]) {
    const float *const v = e->render.axis;
    const double length = sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] +
                               (double)v[2] * (double)v[2]);
    if (length < 1e-6)
        ct_worker_particle_error(p, ct_sjson_find(p->doc, e->source.render, "axis"),
                                 "axis: found a vector of length 0, expected a direction");
    for (uint32_t i = 0; length >= 1e-6 && i < 3; ++i)
        axis[i] = (float)((double)v[i] / length);
}

void ct_worker_particle_render(ct_worker_particles *p, ct_worker_emitter *e) {
    const ct_particle_render_source *const s = &e->render;
    ct_particle_look *const l = &e->out.look;
    *l = (ct_particle_look){.axis = {0, 0, 1}, .pivot = {0.5f, 0.5f}, .grid = {1, 1}};
    if (!e->source.render.entry ||
        !ct_worker_particle_object(p, &ct_particle_render_schema, e->source.render, &e->render))
        return;
    l->renderer = s->type + 1;
    l->facing = s->facing;
    l->sort = s->sort;
    l->material = s->material;
    l->mesh = s->mesh;
    l->stretch = s->stretch;
    l->pivot[0] = s->pivot[0];
    l->pivot[1] = s->pivot[1];
    l->blends = s->blend_frames;
    l->uv_length = s->uv_length;
    if (l->renderer == CT_PARTICLE_RENDERER_TRAIL)
        l->num_trail_points = (uint32_t)s->points;
    if (l->renderer == CT_PARTICLE_RENDERER_LIGHT) {
        l->light_radius = s->radius;
        l->light_intensity = s->intensity;
        l->max_lights = (uint32_t)s->max_lights;
    }
    l->casts_shadows = l->renderer == CT_PARTICLE_RENDERER_MESH && s->casts_shadows;
    check_members(p, e, l->renderer);
    read_grid(p, s->grid, l->grid);
    read_look_axis(p, e, l->axis);
    if (e->values_of.has_frame && l->renderer == CT_PARTICLE_RENDERER_BILLBOARD &&
        l->grid[0] * l->grid[1] == 1)
        ct_worker_particle_warning(p, e->source.render,
                                   "`frame` has no effect: the texture's `grid` is missing");
}
