#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "particles/particle_private.h"

#define PI 3.14159265f

// The random numbers of a shape. Each shape uses them in its own way.
static float draw(uint32_t seed, uint32_t number) {
    return ct_particle_random(seed, CT_PARTICLE_RANDOM_SHAPE + number);
}

static float mix(float from, float to, float share) {
    return from + (to - from) * share;
}

static const ct_vec3 up = {{0, 0, 1}};

// --- Round shapes --------------------------------------------------------------------------------

// A direction, evenly over a sphere; or over the part of it within `arc` radians around z.
static ct_vec3 direction_on_sphere(uint32_t seed, float arc) {
    const float z = 1 - 2 * draw(seed, 0), angle = arc * draw(seed, 1);
    const float across = sqrtf(fmaxf(0, 1 - z * z));
    return ct_vec3_make(across * cosf(angle), across * sinf(angle), z);
}

static ct_particle_origin at_point(uint32_t seed) {
    return (ct_particle_origin){.direction = direction_on_sphere(seed, 2 * PI)};
}

// Evenly by volume between two spheres, or by area over the outer one; outwards.
static ct_particle_origin in_sphere(const ct_particle_shape *shape, uint32_t seed) {
    const ct_vec3 direction = direction_on_sphere(seed, shape->arc);
    const float inner = shape->inner;
    const float share = shape->flags & CT_PARTICLE_SHAPE_SURFACE
                            ? 1
                            : cbrtf(mix(inner * inner * inner, 1, draw(seed, 2)));
    return (ct_particle_origin){.position = ct_vec3_scale(direction, shape->radius * share),
                                .direction = direction};
}

// How far up a cone a particle is born, evenly by volume or, for its surface, by area. Sets the
// cone's radius there.
static float height_in_cone(const ct_particle_shape *shape, float random, float *radius) {
    const float slope = tanf(fminf(shape->angle, 1.5f)), base = shape->radius;
    *radius = base;
    if (shape->length <= 0)
        return 0;
    const float top = base + shape->length * slope;
    if (slope < 1e-3f * (1 + base / shape->length)) { // nearly a cylinder
        *radius = mix(base, top, random);
        return shape->length * random;
    }
    *radius = shape->flags & CT_PARTICLE_SHAPE_SURFACE
                  ? sqrtf(mix(base * base, top * top, random))
                  : cbrtf(mix(base * base * base, top * top * top, random));
    return (*radius - base) / slope;
}

// Lines start evenly on the base disc and spread like a fan: straight up on the axis, leaning by
// the cone's angle at its edge. A cone without radius has its directions evenly over the sphere's
// cap. A particle is born on one of these lines, `length` up at most.
static ct_particle_origin in_cone(const ct_particle_shape *shape, uint32_t seed) {
    const float inner = shape->inner, around = shape->arc * draw(seed, 0);
    const float share =
        shape->flags & CT_PARTICLE_SHAPE_SURFACE ? 1 : sqrtf(mix(inner * inner, 1, draw(seed, 1)));
    float radius;
    const float height = height_in_cone(shape, draw(seed, 2), &radius);
    const float rise = 1 - share * share * (1 - cosf(shape->angle));
    const float lean = sqrtf(fmaxf(0, 1 - rise * rise));
    const float x = cosf(around), y = sinf(around);
    return (ct_particle_origin){.position =
                                    ct_vec3_make(share * radius * x, share * radius * y, height),
                                .direction = ct_vec3_make(lean * x, lean * y, rise)};
}

// --- Boxes ---------------------------------------------------------------------------------------

// The axis across a random face of a box, evenly by area. `random` is then 0 to 1 within it. A box
// with two sides of length 0 has no area: 3.
static uint32_t face_of_box(const float size[3], float *random) {
    const float areas[3] = {size[1] * size[2], size[2] * size[0], size[0] * size[1]};
    const float all = areas[0] + areas[1] + areas[2];
    float left = *random * all;
    if (!(all > 0))
        return 3;
    for (uint32_t i = 0; i < 3; ++i) {
        if (left < areas[i]) {
            *random = left / areas[i];
            return i;
        }
        left -= areas[i];
    }
    return areas[2] > 0 ? 2 : areas[1] > 0 ? 1 : 0; // rounded
}

// Evenly by volume, and up; or by area over the faces, and out of them.
static ct_particle_origin in_box(const ct_particle_shape *shape, uint32_t seed) {
    ct_particle_origin origin = {.direction = up};
    for (uint32_t i = 0; i < 3; ++i)
        origin.position.raw[i] = shape->size[i] * (2 * draw(seed, i) - 1);
    if (!(shape->flags & CT_PARTICLE_SHAPE_SURFACE))
        return origin;
    float random = draw(seed, 3);
    const uint32_t axis = face_of_box(shape->size, &random);
    if (axis == 3)
        return origin;
    const float side = random < 0.5f ? -1 : 1;
    origin.position.raw[axis] = side * shape->size[axis];
    origin.direction = ct_vec3_make(0, 0, 0);
    origin.direction.raw[axis] = side;
    return origin;
}

// --- Meshes and skeletons ------------------------------------------------------------------------

static ct_particle_origin on_mesh(const ct_particle_effect *fx, const ct_particle_emitter *e,
                                  uint32_t seed) {
    const ct_particle_point *const points = ct_blob_at(fx->resource, e->points.offset);
    if (e->points.count == 0)
        return (ct_particle_origin){.direction = up};
    const ct_particle_point *const point =
        &points[ct_particle_random_between(seed, CT_PARTICLE_RANDOM_SHAPE, 0, e->points.count - 1)];
    ct_particle_origin origin;
    memcpy(&origin, point, sizeof(*point));
    origin.is_in_world = false;
    return origin;
}

// A node's up axis at length 1.
static ct_vec3 up_of(const ct_mat4 *node) {
    const ct_vec3 axis = ct_vec3_normalize(ct_mat4_transform_direction(*node, up));
    return ct_vec3_dot(axis, axis) > 0 ? axis : up;
}

// A random node, or a random point between one and its parent. `offset` and `rotation` of the shape
// are in the node's space.
static ct_particle_origin on_skeleton(const ct_particle_effect *fx, const ct_particle_shape *shape,
                                      uint32_t seed) {
    const uint32_t node =
        ct_particle_random_between(seed, CT_PARTICLE_RANDOM_SHAPE, 0, fx->num_nodes - 1);
    const ct_mat4 *const pose = &fx->nodes[node];
    const ct_vec3 offset = ct_vec3_make(shape->offset[0], shape->offset[1], shape->offset[2]);
    const ct_quat rotation = {
        {shape->rotation[0], shape->rotation[1], shape->rotation[2], shape->rotation[3]}};
    const ct_vec3 turned = ct_mat4_transform_direction(*pose, ct_quat_rotate(rotation, up));
    const float length = ct_vec3_length(turned);
    ct_particle_origin origin = {.position = ct_mat4_transform_point(*pose, offset),
                                 .direction =
                                     length > 0 ? ct_vec3_scale(turned, 1 / length) : up_of(pose),
                                 .is_in_world = true};
    const uint32_t parent = fx->node_parents[node];
    if (shape->flags & CT_PARTICLE_SHAPE_BONES && parent < fx->num_nodes) {
        const ct_vec3 way =
            ct_vec3_sub(ct_mat4_position(fx->nodes[parent]), ct_mat4_position(*pose));
        origin.position = ct_vec3_add(origin.position, ct_vec3_scale(way, draw(seed, 1)));
    }
    return origin;
}

// --- All -----------------------------------------------------------------------------------------

static ct_particle_origin in_shape(const ct_particle_effect *fx, const ct_particle_emitter *e,
                                   uint32_t seed) {
    switch (e->shape.type) {
    case CT_PARTICLE_SHAPE_BOX:
        return in_box(&e->shape, seed);
    case CT_PARTICLE_SHAPE_SPHERE:
        return in_sphere(&e->shape, seed);
    case CT_PARTICLE_SHAPE_CONE:
        return in_cone(&e->shape, seed);
    case CT_PARTICLE_SHAPE_MESH:
        return on_mesh(fx, e, seed);
    case CT_PARTICLE_SHAPE_SKELETON: // without nodes: the effect's place
        return (ct_particle_origin){.direction = up};
    default:
        return at_point(seed);
    }
}

ct_particle_origin ct_particle_shape_origin(const ct_particle_effect *fx,
                                            const ct_particle_emitter *e, uint32_t seed) {
    const ct_particle_shape *const shape = &e->shape;
    if (shape->type == CT_PARTICLE_SHAPE_SKELETON && fx->num_nodes > 0)
        return on_skeleton(fx, shape, seed);
    ct_particle_origin origin = in_shape(fx, e, seed);
    const ct_quat rotation = {
        {shape->rotation[0], shape->rotation[1], shape->rotation[2], shape->rotation[3]}};
    const ct_vec3 offset = ct_vec3_make(shape->offset[0], shape->offset[1], shape->offset[2]);
    origin.position = ct_vec3_add(ct_quat_rotate(rotation, origin.position), offset);
    origin.direction = ct_quat_rotate(rotation, origin.direction);
    return origin;
}
