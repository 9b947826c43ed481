// Particles that bounce: off a plane, and off the actors of the world's physics.
//
// A hit is found where the particle is after MOVE. Its motion in this step is taken for a fall with
// constant acceleration, which says when it met the surface and how fast; it bounces there and
// falls on for the rest of the step. So heights of bounces do not depend on the length of steps.
// A particle that would leave the surface for less than a step rests on it.
#include <math.h>

#include "foundation/log.h"
#include "foundation/math/math_lanes.h"
#include "particles/particle_private.h"
#include "physics/query/physics_query.h"

enum {
    BATCH = 64, // particles whose rays are cast together
    ROUNDS = 3, // surfaces that a particle can meet in one step
};
static const float skin = 0.005f;       // metres that particles stay away from actors
static const float least_speed = 0.05f; // metres a second; slower hits are no events

// What a hit does.
typedef struct response {
    float bounce, friction, lifetime_lost, radius;
} response;

// The points p with dot(normal, p) = distance.
typedef struct surface {
    ct_vec3 normal;
    float distance;
} surface;

// A particle at the end of a step of time.
typedef struct body {
    ct_vec3 position, velocity, acceleration;
    float seconds; // of the step
} body;

// How a particle met a surface.
typedef struct contact {
    float seconds; // before the end of the step
    float spin;    // share that is left
    bool is_hit;   // and not only touching: it costs lifetime and is an event
} contact;

// --- Contact -------------------------------------------------------------------------------------

// When and how fast something met the surface that now is `height` (below 0) over it, with `speed`
// away from it. Something that was below it before met it when the step began.
static float seconds_since_contact(float height, float speed, float acceleration, float seconds) {
    const float squared = speed * speed - 2 * acceleration * height;
    if (!(squared >= 0))
        return seconds;
    const float since = 2 * height / (speed - sqrtf(squared));
    return since >= 0 && since < seconds ? since : seconds;
}

// The share of the speed along the surface that friction leaves: of hits a part of it, of sliding
// and resting a part of what presses it on, as Coulomb has it.
static float share_kept(const response *how, float along, float pressed, bool is_hit) {
    if (is_hit)
        return 1 - how->friction;
    const float lost = how->friction * pressed;
    return lost < along ? 1 - lost / along : 0;
}

// Bounces a body that is `height` (below 0) over a surface.
static contact bounce(body *b, ct_vec3 normal, const response *how, float height) {
    const float speed = ct_vec3_dot(b->velocity, normal);
    const float acceleration = ct_vec3_dot(b->acceleration, normal);
    const float since = seconds_since_contact(height, speed, acceleration, b->seconds);
    const float before = speed - acceleration * since; // when it met the surface
    const float pressed = fabsf(acceleration) * b->seconds;
    const bool is_hit = -before > least_speed + 0.5f * pressed;
    float after = 0, rise = 0;
    if (before > 0) // it was below and comes out
        after = fmaxf(speed, 0);
    else if (-2 * how->bounce * before > -acceleration * b->seconds) {
        after = acceleration * since - how->bounce * before;
        rise = (0.5f * acceleration * since - how->bounce * before) * since;
    }
    const ct_vec3 along = ct_vec3_sub(b->velocity, ct_vec3_scale(normal, speed));
    const float kept = share_kept(how, ct_vec3_length(along), pressed, is_hit);
    const float lost_way = (1 - kept) * since;
    b->velocity = ct_vec3_add(ct_vec3_scale(along, kept), ct_vec3_scale(normal, after));
    b->position = ct_vec3_add(b->position, ct_vec3_scale(normal, fmaxf(rise, 0) - height));
    b->position = ct_vec3_sub(b->position, ct_vec3_scale(along, lost_way));
    return (contact){since, how->friction > 0 ? kept : 1, is_hit};
}

// --- Particles -----------------------------------------------------------------------------------

// The channels of a chunk that hits change. `width` and `height` are NULL without a SIZE, `spin`
// without a SPIN.
typedef struct channels {
    float *position, *velocity, *age, *spin;
    const float *width, *height;
    size_t stride;
    float scale; // of sizes
} channels;

static channels channels_of(const ct_particle_chunk *c) {
    const ct_particle_emitter *const e = c->emitter;
    const bool is_local = e->flags & CT_PARTICLE_EMITTER_LOCAL;
    const float *const size = ct_particle_channel(e, c->state, CT_PARTICLE_SIZE);
    float *const velocity = ct_particle_channel(e, c->state, CT_PARTICLE_VELOCITY);
    float *const spin = ct_particle_channel(e, c->state, CT_PARTICLE_SPIN);
    return (channels){
        .position = ct_particle_channel(e, c->state, CT_PARTICLE_POSITION) + c->begin,
        .velocity = velocity ? velocity + c->begin : NULL,
        .age = ct_particle_channel(e, c->state, CT_PARTICLE_AGE) + c->begin,
        .spin = spin ? spin + c->begin : NULL,
        .width = size ? size + c->begin : NULL,
        .height = size ? size + c->state->capacity + c->begin : NULL,
        .stride = c->state->capacity,
        .scale = is_local ? 1 : ct_particle_size_scale(c->effect),
    };
}

static ct_vec3 vector_of(const float *x, size_t stride, uint32_t i) {
    return ct_vec3_make(x[i], x[stride + i], x[2 * stride + i]);
}

static void set_vector(float *x, size_t stride, uint32_t i, ct_vec3 v) {
    x[i] = v.x, x[stride + i] = v.y, x[2 * stride + i] = v.z;
}

static body body_of(const ct_particle_chunk *c, const channels *x, uint32_t i) {
    body b = {.position = vector_of(x->position, x->stride, i),
              .velocity = vector_of(x->velocity, x->stride, i),
              .acceleration = c->acceleration,
              .seconds = c->seconds ? c->seconds[i] : c->dt};
    if (c->has_forces)
        b.acceleration = ct_vec3_add(
            b.acceleration, ct_vec3_make(c->forces[0][i], c->forces[1][i], c->forces[2][i]));
    b.acceleration = ct_vec3_sub(b.acceleration, ct_vec3_scale(b.velocity, c->drag));
    return b;
}

static float radius_of(const channels *x, const response *how, uint32_t i) {
    const float size = x->width ? fmaxf(x->width[i], x->height[i]) : 1;
    return how->radius * x->scale * size;
}

// Writes a particle that met something, and what that costs it.
static void store(ct_particle_chunk *c, const channels *x, uint32_t i, const body *b,
                  const response *how, contact met) {
    set_vector(x->position, x->stride, i, b->position);
    set_vector(x->velocity, x->stride, i, b->velocity);
    if (x->spin)
        x->spin[i] *= met.spin;
    if (!met.is_hit)
        return;
    ct_particle_push_events(c->effect, c->emitter, c->state, c->begin + i,
                            CT_PARTICLE_EVENT_COLLISION, met.seconds);
    x->age[i] += how->lifetime_lost;
    if (!(x->age[i] >= 1))
        return;
    // It died here: events of its death are as long ago.
    x->age[i] = 1 + met.seconds *
                        ct_particle_channel(c->emitter, c->state, CT_PARTICLE_AGEING)[c->begin + i];
    c->has_died = true;
}

static ct_vec4 value_of(const ct_particle_chunk *c, const ct_particle_step *step, uint32_t value) {
    return ct_particle_emitter_value(c->effect, c->emitter, step->first_value + value, c->clock);
}

static response response_of(const ct_particle_chunk *c, const ct_particle_step *step) {
    const ct_vec4 v = value_of(c, step, 1);
    return (response){.bounce = fmaxf(v.x, 0),
                      .friction = fminf(fmaxf(v.y, 0), 1),
                      .lifetime_lost = fminf(fmaxf(v.z, 0), 1),
                      .radius = fmaxf(v.w, 0)};
}

// --- A plane -------------------------------------------------------------------------------------

// The plane of the effect's space in the world.
static bool plane_to_world(const ct_particle_place *place, const ct_mat4 *pose, surface *plane) {
    const ct_vec3 s = place->scale;
    const ct_vec3 point =
        ct_mat4_transform_point(*pose, ct_vec3_scale(plane->normal, plane->distance));
    ct_vec3 normal = ct_vec3_mul(plane->normal, ct_vec3_make(s.y * s.z, s.z * s.x, s.x * s.y));
    if (s.x * s.y * s.z < 0)
        normal = ct_vec3_scale(normal, -1);
    plane->normal = ct_quat_rotate(place->rotation, ct_vec3_normalize(normal));
    plane->distance = ct_vec3_dot(plane->normal, point);
    return ct_vec3_dot(plane->normal, plane->normal) > 0;
}

// A plane of the world in the effect's space.
static bool plane_to_effect(const ct_particle_place *place, surface *plane) {
    const ct_vec3 turned = ct_quat_rotate(ct_quat_conjugate(place->rotation), plane->normal);
    const ct_vec3 normal = ct_vec3_mul(turned, place->scale);
    const float length = ct_vec3_length(normal);
    if (!(length > 0))
        return false;
    plane->distance = (plane->distance - ct_vec3_dot(plane->normal, place->position)) / length;
    plane->normal = ct_vec3_scale(normal, 1 / length);
    return true;
}

// The step's plane in the space of the particles. Returns false when its normal has no direction.
static bool plane_of(const ct_particle_chunk *c, const ct_particle_step *step, surface *plane) {
    const ct_vec4 v = value_of(c, step, 0);
    const bool step_is_local = step->flags & CT_PARTICLE_STEP_LOCAL;
    const bool is_local = c->emitter->flags & CT_PARTICLE_EMITTER_LOCAL;
    *plane = (surface){ct_vec3_normalize(ct_vec3_make(v.x, v.y, v.z)), v.w};
    if (!(ct_vec3_dot(plane->normal, plane->normal) > 0))
        return false;
    if (step_is_local == is_local)
        return true;
    return step_is_local ? plane_to_world(&c->effect->now, &c->effect->pose, plane)
                         : plane_to_effect(&c->effect->now, plane);
}

// How high the particles of a group are over the plane.
static ct_column heights_of(const channels *x, const surface *plane, const response *how,
                            uint32_t i) {
    const float *const p = x->position + i;
    const ct_column height = ct_column_of(p) * plane->normal.x +
                             ct_column_of(p + x->stride) * plane->normal.y +
                             ct_column_of(p + 2 * x->stride) * plane->normal.z - plane->distance;
    const ct_column size =
        x->width ? ct_column_max(ct_column_of(x->width + i), ct_column_of(x->height + i))
                 : ct_column_all(1);
    return height - size * (how->radius * x->scale);
}

void ct_particle_collide_plane(ct_particle_chunk *c, const ct_particle_step *step) {
    const channels x = channels_of(c);
    const response how = response_of(c, step);
    surface plane;
    if (!x.velocity || !plane_of(c, step, &plane))
        return;
    for (uint32_t i = 0; i < c->count; i += 4) {
        const ct_column heights = heights_of(&x, &plane, &how, i);
        uint32_t below = ct_column_mask(heights < 0);
        for (uint32_t lane = 0; below; ++lane, below >>= 1) {
            body b;
            if (!(below & 1) || i + lane >= c->count)
                continue;
            b = body_of(c, &x, i + lane);
            if (!(b.seconds > 0)) // it was stepped already
                continue;
            const contact met = bounce(&b, plane.normal, &how, heights[lane]);
            store(c, &x, i + lane, &b, &how, met);
        }
    }
}

// --- Physics -------------------------------------------------------------------------------------

// Particles that are cast through the world's physics together; all in the world's space.
typedef struct cast {
    const ct_particle_chunk *chunk;
    const response *how;
    ct_physics_find find;
    uint32_t count;
    uint32_t index[BATCH]; // of the particle in the chunk
    body bodies[BATCH];
    ct_vec3 from[BATCH]; // where it starts in this round
    float radius[BATCH];
    contact met[BATCH];
    bool has_met[BATCH], goes_on[BATCH];
    // Rays of a round, and the particle of each.
    uint32_t num_rays;
    uint32_t particle[BATCH];
    ct_physics_ray rays[BATCH];
    ct_physics_hit hits[BATCH];
} cast;

// Adds a ray, unless it is too short or not finite.
static void add_ray(cast *k, uint32_t i, ct_vec3 from, ct_vec3 way, float more) {
    const float length = ct_vec3_length(way);
    if (!(length > 1e-7f) || !(length + more < 1e6f) || !ct_vec3_is_finite(from))
        return;
    k->particle[k->num_rays] = i;
    k->rays[k->num_rays++] = (ct_physics_ray){from, ct_vec3_scale(way, 1 / length), length + more};
}

// Bounces a particle off what its ray hit. Where it goes on from is then in `from`.
static void meet(cast *k, uint32_t ray) {
    const uint32_t i = k->particle[ray];
    const ct_physics_hit *const hit = &k->hits[ray];
    const ct_vec3 direction = k->rays[ray].direction;
    body *const b = &k->bodies[i];
    ct_vec3 normal = hit->normal;
    if (!(ct_vec3_dot(normal, normal) > 0.5f))
        normal = ct_vec3_scale(direction, -1);
    if (ct_vec3_dot(normal, direction) > 0)
        normal = ct_vec3_scale(normal, -1);
    const float distance = ct_vec3_dot(normal, hit->position) + k->radius[i] + skin;
    const float before = ct_vec3_dot(normal, k->from[i]) - distance;
    const float height = ct_vec3_dot(normal, b->position) - distance;
    if (!(height < 0))
        return; // not there yet
    const ct_vec3 way = ct_vec3_sub(b->position, k->from[i]);
    const float share = before > 0 ? before / (before - height) : 0;
    k->from[i] = ct_vec3_add(k->from[i], ct_vec3_scale(way, share));
    if (before < 0)
        k->from[i] = ct_vec3_sub(k->from[i], ct_vec3_scale(normal, before));
    const contact met = bounce(b, normal, k->how, height);
    if (!k->has_met[i] || (met.is_hit && !k->met[i].is_hit))
        k->met[i] = met;
    k->has_met[i] = k->goes_on[i] = true;
    b->seconds = met.seconds;
}

static void cast_rays(cast *k) {
    if (!k->num_rays ||
        !ct_physics_rays(k->chunk->world->physics, k->rays, k->num_rays, &k->find, k->hits))
        return;
    for (uint32_t i = 0; i < k->num_rays; ++i)
        if (k->hits[i].actor.id)
            meet(k, i);
}

// Rays along the way, as long as the particle's radius reaches.
static void cast_ways(cast *k) {
    k->num_rays = 0;
    for (uint32_t i = 0; i < k->count; ++i) {
        if (!k->goes_on[i])
            continue;
        k->goes_on[i] = false;
        add_ray(k, i, k->from[i], ct_vec3_sub(k->bodies[i].position, k->from[i]),
                k->radius[i] + skin);
    }
    cast_rays(k);
}

// Rays in the direction in which particles fall, where their way leads along the ground: the rays
// along it find the ground too late for their radius.
static void cast_falls(cast *k) {
    k->num_rays = 0;
    for (uint32_t i = 0; i < k->count; ++i) {
        const body *const b = &k->bodies[i];
        const float fall = ct_vec3_length(b->acceleration);
        const ct_vec3 way = ct_vec3_sub(b->position, k->from[i]);
        if (k->has_met[i] || !(fall > 0))
            continue;
        const float down = ct_vec3_dot(way, b->acceleration) / fall;
        if (down > 0 && down < 0.7f * ct_vec3_length(way)) // rising: nothing to find
            add_ray(k, i, b->position, ct_vec3_scale(b->acceleration, (k->radius[i] + skin) / fall),
                    0);
    }
    cast_rays(k);
}

static void run_cast(cast *k) {
    cast_ways(k);
    cast_falls(k);
    for (uint32_t round = 1; round < ROUNDS; ++round)
        cast_ways(k);
    for (uint32_t i = 0; i < k->count; ++i)
        if (k->goes_on[i]) // it met too much: it stays where that was
            k->bodies[i].position = k->from[i];
}

// The spaces of a LOCAL emitter; `to_world` is NULL for others.
typedef struct spaces {
    const ct_mat4 *to_world, *from_world;
    float scale;
} spaces;

static void add_body(cast *k, const ct_particle_chunk *c, const channels *x, const spaces *s,
                     uint32_t i) {
    body b = body_of(c, x, i);
    ct_vec3 from = ct_vec3_make(c->previous[0][i], c->previous[1][i], c->previous[2][i]);
    if (!(b.seconds > 0)) // it was stepped already
        return;
    if (s->to_world) {
        b.position = ct_mat4_transform_point(*s->to_world, b.position);
        b.velocity = ct_mat4_transform_direction(*s->to_world, b.velocity);
        b.acceleration = ct_mat4_transform_direction(*s->to_world, b.acceleration);
        from = ct_mat4_transform_point(*s->to_world, from);
    }
    k->index[k->count] = i;
    k->bodies[k->count] = b;
    k->from[k->count] = from;
    k->radius[k->count] = radius_of(x, k->how, i) * s->scale;
    k->has_met[k->count] = false;
    k->goes_on[k->count++] = true;
}

static void store_bodies(cast *k, ct_particle_chunk *c, const channels *x, const spaces *s) {
    for (uint32_t i = 0; i < k->count; ++i) {
        body *const b = &k->bodies[i];
        if (!k->has_met[i])
            continue;
        if (s->from_world) {
            b->position = ct_mat4_transform_point(*s->from_world, b->position);
            b->velocity = ct_mat4_transform_direction(*s->from_world, b->velocity);
        }
        store(c, x, k->index[i], b, k->how, k->met[i]);
    }
}

// The filter of the step or of the world. An unknown one means all.
static ct_string_id32 filter_of(const ct_particle_chunk *c, const ct_particle_step *step) {
    const ct_string_id32 filter = step->name.value ? step->name : c->world->filter;
    const ct_physics_resource *const resource = ct_physics_world_resource(c->world->physics);
    if (!filter.value || ct_physics_find_filter(resource, filter) != UINT32_MAX)
        return filter;
    ct_log_warning("particles", "unknown_collision_filter",
                   "emitter \"%s\" collides by the filter \"%s\", which the physics resource does "
                   "not have; it collides with everything",
                   (const char *)ct_blob_at(c->resource, c->emitter->name_text.offset),
                   ct_string_id32_name(filter));
    return (ct_string_id32){0};
}

void ct_particle_collide_physics(ct_particle_chunk *c, const ct_particle_step *step) {
    const channels x = channels_of(c);
    const response how = response_of(c, step);
    spaces s = {.scale = 1};
    ct_mat4 inverse;
    if (!c->world->physics || !x.velocity || !(c->emitter->flags & CT_PARTICLE_EMITTER_COLLIDES))
        return;
    if (c->emitter->flags & CT_PARTICLE_EMITTER_LOCAL) {
        inverse = ct_mat4_inverse_affine(&c->effect->pose);
        if (!ct_mat4_is_finite(&inverse))
            return; // the effect has no size
        s = (spaces){&c->effect->pose, &inverse, ct_particle_size_scale(c->effect)};
    }
    cast k;
    k.chunk = c;
    k.how = &how;
    k.find = (ct_physics_find){.kinds = CT_BULLET_FIND_SOLID | CT_BULLET_FIND_COLLIDING |
                                        CT_BULLET_FIND_NEAR,
                               .filter = filter_of(c, step)};
    for (uint32_t begin = 0; begin < c->count; begin += BATCH) {
        const uint32_t end = begin + BATCH < c->count ? begin + BATCH : c->count;
        k.count = 0;
        for (uint32_t i = begin; i < end; ++i)
            add_body(&k, c, &x, &s, i);
        run_cast(&k);
        store_bodies(&k, c, &x, &s);
    }
}
