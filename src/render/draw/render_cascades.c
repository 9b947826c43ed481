#include "render/draw/render_cascades.h"

#include <math.h>

#include "foundation/math/math.h"

enum { NUM_CORNERS = 4, NEAR_PLANE = 4 };

// The edges of what a camera sees, in camera space.
typedef struct view_edges {
    ct_vec3 nearest[NUM_CORNERS], farthest[NUM_CORNERS];
} view_edges;

static view_edges find_edges(const ct_mat4 *projection) {
    const ct_mat4 inverse = ct_mat4_inverse(*projection);
    view_edges e;
    for (uint32_t i = 0; i < NUM_CORNERS; ++i) {
        const float x = i & 1 ? 1.0f : -1.0f, y = i & 2 ? 1.0f : -1.0f;
        e.nearest[i] = ct_mat4_unproject_point(&inverse, ct_vec3_make(x, y, 0.0f));
        e.farthest[i] = ct_mat4_unproject_point(&inverse, ct_vec3_make(x, y, 1.0f));
    }
    return e;
}

// The corners of what is seen at this depth.
static void corners_at(const view_edges *e, float depth, ct_vec3 corners[NUM_CORNERS]) {
    for (uint32_t i = 0; i < NUM_CORNERS; ++i) {
        const float length = e->farthest[i].y - e->nearest[i].y;
        const float t = (depth - e->nearest[i].y) / length;
        corners[i] = ct_vec3_lerp(e->nearest[i], e->farthest[i], t);
    }
}

static ct_vec3 mean_of(const ct_vec3 corners[NUM_CORNERS]) {
    ct_vec3 sum = ct_vec3_make(0.0f, 0.0f, 0.0f);
    for (uint32_t i = 0; i < NUM_CORNERS; ++i)
        sum = ct_vec3_add(sum, corners[i]);
    return ct_vec3_scale(sum, 1.0f / NUM_CORNERS);
}

// The distance from `point` to the corner that is farthest from it.
static float farthest_from(ct_vec3 point, const ct_vec3 corners[NUM_CORNERS]) {
    float most = 0.0f;
    for (uint32_t i = 0; i < NUM_CORNERS; ++i) {
        const float distance = ct_vec3_length(ct_vec3_sub(corners[i], point));
        most = distance > most ? distance : most;
    }
    return most;
}

// The centre, in camera space, and radius of a sphere around the slice: the smallest when the view
// is symmetric. Nothing but the projection counts, so it is the same wherever the camera looks.
static float find_sphere(const view_edges *e, float begin, float end, ct_vec3 *center) {
    ct_vec3 front[NUM_CORNERS], back[NUM_CORNERS];
    corners_at(e, begin, front);
    corners_at(e, end, back);
    const ct_vec3 first = mean_of(front), last = mean_of(back);
    const ct_vec3 axis = ct_vec3_sub(last, first);
    const float length = ct_vec3_length(axis);
    const float r0 = farthest_from(first, front), r1 = farthest_from(last, back);
    // As far from the corners in front as from those at the back.
    const float along = (r1 * r1 - r0 * r0 + length * length) / (2.0f * length);
    const float t = along < length ? along / length : 1.0f;
    *center = ct_vec3_add(first, ct_vec3_scale(axis, t));
    const float to_front = farthest_from(*center, front), to_back = farthest_from(*center, back);
    return to_front > to_back ? to_front : to_back;
}

// The end of slice `i` (Zhang et al. 2006, "Parallel-split shadow maps").
static float find_split(const ct_render_cascades_desc *desc, uint32_t i, float begin, float end) {
    const float t = (float)(i + 1) / (float)desc->count;
    const float even = begin + (end - begin) * t;
    const float growing = begin * powf(end / begin, t);
    return even + (growing - even) * desc->split_lambda;
}

static void place(const ct_render_cascades_desc *desc, ct_quat rotation, ct_vec3 camera_center,
                  ct_render_cascade *c) {
    const ct_vec3 center = ct_mat4_transform_point(desc->camera_pose, camera_center);
    const uint32_t inner = desc->map_size - 2 * CT_RENDER_CASCADE_BORDER;
    c->texel = 2.0f * c->radius / (float)inner;
    c->half_width = 0.5f * c->texel * (float)desc->map_size;
    ct_vec3 seen = ct_quat_rotate(ct_quat_conjugate(rotation), center);
    c->depth = seen.y;
    seen.x = floorf(seen.x / c->texel) * c->texel;
    seen.z = floorf(seen.z / c->texel) * c->texel;
    c->pose =
        ct_mat4_compose(ct_quat_rotate(rotation, seen), rotation, ct_vec3_make(1.0f, 1.0f, 1.0f));
}

void ct_render_cascades_fit(const ct_render_cascades_desc *desc, ct_render_cascade *cascades) {
    static const float least_depth = 1e-3f; // of what is seen, so that there are ratios of depths
    static const float steps = 16.0f; // of radii per metre, which rounding errors do not cross
    const view_edges e = find_edges(&desc->projection);
    const ct_vec3 up = ct_vec3_make(0.0f, 0.0f, 1.0f);
    const ct_quat rotation = ct_quat_look(desc->direction, up);
    const float begin = e.nearest[0].y > least_depth ? e.nearest[0].y : least_depth;
    float end = e.farthest[0].y < desc->distance ? e.farthest[0].y : desc->distance;
    end = end > begin * 1.01f ? end : begin * 1.01f;
    for (uint32_t i = 0; i < desc->count; ++i) {
        ct_render_cascade *const c = &cascades[i];
        c->begin = i ? cascades[i - 1].end : begin;
        c->end = find_split(desc, i, begin, end);
        ct_vec3 center;
        c->radius = ceilf(find_sphere(&e, c->begin, c->end, &center) * steps) / steps;
        place(desc, rotation, center, c);
    }
}

static ct_mat4 matrix_of(const ct_render_cascade *c, float nearest) {
    const ct_mat4 projection = ct_mat4_orthographic(-c->half_width, c->half_width, -c->half_width,
                                                    c->half_width, nearest - c->depth, c->radius);
    return ct_mat4_mul(projection, ct_mat4_inverse_affine(&c->pose));
}

ct_mat4 ct_render_cascade_matrix(const ct_render_cascade *cascade, float nearest) {
    return matrix_of(cascade, nearest);
}

ct_frustum ct_render_cascade_frustum(const ct_render_cascade *cascade) {
    const ct_mat4 matrix = matrix_of(cascade, cascade->depth - cascade->radius);
    ct_frustum f = ct_frustum_from(&matrix);
    f.planes[NEAR_PLANE] = (ct_vec4){{0.0f, 0.0f, 0.0f, 1.0f}}; // everything is in front of it
    return f;
}
