#include "render/component/line_object.h"

#include <math.h>

#include "foundation/math/math.h"

enum { FEWEST_SEGMENTS = 3, CAPSULE_SIDES = 4 };

static const float full_turn = 6.28318530717958647692f;

ct_line_object *ct_line_object_create(ct_allocator *a) {
    ct_line_object *const l = CT_NEW(a, ct_line_object);
    ct_array_init(&l->vertices, a);
    return l;
}

void ct_line_object_destroy(ct_line_object *l) {
    if (!l)
        return;
    ct_allocator *const a = l->vertices.allocator;
    ct_array_free(&l->vertices);
    ct_free_sized(a, l, sizeof(*l));
}

void ct_line_object_reset(ct_line_object *l) {
    l->vertices.count = 0;
}

void ct_line_object_add_line(ct_line_object *l, ct_vec4 color, ct_vec3 from, ct_vec3 to) {
    const ct_line_vertex line[2] = {
        {{from.x, from.y, from.z}, {color.x, color.y, color.z, color.w}},
        {{to.x, to.y, to.z}, {color.x, color.y, color.z, color.w}},
    };
    ct_array_push_many(&l->vertices, line, 2);
}

void ct_line_object_add_axes(ct_line_object *l, const ct_mat4 *pose, float length) {
    const ct_vec3 origin = ct_mat4_position(*pose);
    for (uint32_t axis = 0; axis < 3; ++axis) {
        const ct_vec3 tip =
            ct_vec3_make(axis == 0 ? length : 0, axis == 1 ? length : 0, axis == 2 ? length : 0);
        const ct_vec4 color = {{axis == 0, axis == 1, axis == 2, 1}};
        ct_line_object_add_line(l, color, origin, ct_mat4_transform_point(*pose, tip));
    }
}

void ct_line_object_add_box(ct_line_object *l, ct_vec4 color, const ct_mat4 *pose,
                            ct_vec3 half_extents) {
    ct_vec3 corners[8]; // bit 0, 1, 2 of the number: the upper side in x, y, z
    for (uint32_t i = 0; i < 8; ++i) {
        const ct_vec3 sign = ct_vec3_make(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
        corners[i] = ct_mat4_transform_point(*pose, ct_vec3_mul(half_extents, sign));
    }
    for (uint32_t i = 0; i < 8; ++i) {
        for (uint32_t bit = 1; bit < 8; bit <<= 1) {
            if (!(i & bit))
                ct_line_object_add_line(l, color, corners[i], corners[i | bit]);
        }
    }
}

// Makes two unit vectors, perpendicular to `normal` and to each other.
static void plane_axes(ct_vec3 normal, ct_vec3 *u, ct_vec3 *v) {
    const ct_vec3 n = ct_vec3_normalize(normal);
    const ct_vec3 other = fabsf(n.z) < 0.9f ? ct_vec3_make(0, 0, 1) : ct_vec3_make(1, 0, 0);
    *u = ct_vec3_normalize(ct_vec3_cross(other, n));
    *v = ct_vec3_cross(n, *u);
}

static ct_vec3 on_circle(ct_vec3 center, ct_vec3 u, ct_vec3 v, float radius, float angle) {
    return ct_vec3_add(center, ct_vec3_add(ct_vec3_scale(u, cosf(angle) * radius),
                                           ct_vec3_scale(v, sinf(angle) * radius)));
}

// Lines along the circle in the plane of `u` and `v` from `u` on, over `turn` radians.
static void add_arc(ct_line_object *l, ct_vec4 color, ct_vec3 center, ct_vec3 u, ct_vec3 v,
                    float radius, float turn, uint32_t num_segments) {
    ct_vec3 from = on_circle(center, u, v, radius, 0);
    for (uint32_t i = 1; i <= num_segments; ++i) {
        const float angle = turn * (float)i / (float)num_segments;
        const ct_vec3 to = on_circle(center, u, v, radius, angle);
        ct_line_object_add_line(l, color, from, to);
        from = to;
    }
}

static uint32_t at_least(uint32_t count, uint32_t least) {
    return count < least ? least : count;
}

void ct_line_object_add_circle(ct_line_object *l, ct_vec4 color, ct_vec3 center, float radius,
                               ct_vec3 normal, uint32_t num_segments) {
    ct_vec3 u, v;
    plane_axes(normal, &u, &v);
    add_arc(l, color, center, u, v, radius, full_turn, at_least(num_segments, FEWEST_SEGMENTS));
}

void ct_line_object_add_sphere(ct_line_object *l, ct_vec4 color, ct_vec3 center, float radius,
                               uint32_t num_segments) {
    const ct_vec3 axes[3] = {{{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}};
    for (uint32_t i = 0; i < 3; ++i)
        ct_line_object_add_circle(l, color, center, radius, axes[i], num_segments);
}

void ct_line_object_add_cone(ct_line_object *l, ct_vec4 color, ct_vec3 from, ct_vec3 to,
                             float radius, uint32_t num_segments, uint32_t num_bars) {
    ct_vec3 u, v;
    plane_axes(ct_vec3_sub(to, from), &u, &v);
    add_arc(l, color, from, u, v, radius, full_turn, at_least(num_segments, FEWEST_SEGMENTS));
    for (uint32_t i = 0; i < num_bars; ++i) {
        const float angle = full_turn * (float)i / (float)num_bars;
        ct_line_object_add_line(l, color, on_circle(from, u, v, radius, angle), to);
    }
}

// The half of a sphere on the side of `outwards`: its rim and two arcs over its top.
static void add_half_sphere(ct_line_object *l, ct_vec4 color, ct_vec3 center, float radius,
                            ct_vec3 outwards, uint32_t num_segments) {
    ct_vec3 u, v;
    plane_axes(outwards, &u, &v);
    const ct_vec3 top = ct_vec3_cross(u, v);
    add_arc(l, color, center, u, v, radius, full_turn, num_segments);
    add_arc(l, color, center, u, top, radius, full_turn / 2, at_least(num_segments / 2, 2));
    add_arc(l, color, center, v, top, radius, full_turn / 2, at_least(num_segments / 2, 2));
}

void ct_line_object_add_capsule(ct_line_object *l, ct_vec4 color, ct_vec3 from, ct_vec3 to,
                                float radius, uint32_t num_segments) {
    const uint32_t segments = at_least(num_segments, FEWEST_SEGMENTS);
    const ct_vec3 along = ct_vec3_sub(to, from);
    const ct_vec3 outwards =
        ct_vec3_dot(along, along) > 0 ? along : ct_vec3_make(0, 0, 1); // a sphere
    add_half_sphere(l, color, from, radius, ct_vec3_scale(outwards, -1), segments);
    add_half_sphere(l, color, to, radius, outwards, segments);
    ct_vec3 u, v;
    plane_axes(outwards, &u, &v);
    for (uint32_t i = 0; i < CAPSULE_SIDES; ++i) {
        const float angle = full_turn * (float)i / CAPSULE_SIDES;
        ct_line_object_add_line(l, color, on_circle(from, u, v, radius, angle),
                                on_circle(to, u, v, radius, angle));
    }
}

void ct_line_object_dispatch(const ct_line_object *l, ct_renderer *r, ct_render_world_id world) {
    if (l->vertices.count)
        ct_render_lines(r, world, l->vertices.items, l->vertices.count);
}
