#include "foundation/math/math.h"

#include <float.h>
#include <math.h>

static ct_vec3 column(const ct_mat4 *m, uint32_t i) {
    return ct_vec3_make(m->col[i].x, m->col[i].y, m->col[i].z);
}

ct_mat4 ct_mat4_compose(ct_vec3 position, ct_quat rotation, ct_vec3 scale) {
    ct_mat4 m = glms_quat_mat4(rotation);
    m.col[0] = glms_vec4_scale(m.col[0], scale.x);
    m.col[1] = glms_vec4_scale(m.col[1], scale.y);
    m.col[2] = glms_vec4_scale(m.col[2], scale.z);
    m.col[3] = glms_vec4(position, 1.0f);
    return m;
}

// Makes three directions of length 1 or 0 a full right-handed frame: one that is missing follows
// from the others; when more are missing there is no telling, and the frame is the identity.
static mat3s completed_axes(const ct_vec3 axes[3]) {
    mat3s frame = {.col = {axes[0], axes[1], axes[2]}};
    uint32_t missing = 0, num_missing = 0;
    for (uint32_t i = 0; i < 3; ++i) {
        if (ct_vec3_dot(axes[i], axes[i]) == 0) {
            missing = i;
            ++num_missing;
        }
    }
    if (num_missing > 1)
        return glms_mat3_identity();
    if (num_missing == 1)
        frame.col[missing] =
            ct_vec3_normalize(ct_vec3_cross(axes[(missing + 1) % 3], axes[(missing + 2) % 3]));
    return frame;
}

void ct_mat4_decompose(const ct_mat4 *m, ct_vec3 *position, ct_quat *rotation, ct_vec3 *scale) {
    ct_vec3 axes[3];
    for (uint32_t i = 0; i < 3; ++i)
        axes[i] = column(m, i);
    *position = ct_mat4_position(*m);
    *scale =
        ct_vec3_make(ct_vec3_length(axes[0]), ct_vec3_length(axes[1]), ct_vec3_length(axes[2]));
    if (ct_vec3_dot(ct_vec3_cross(axes[0], axes[1]), axes[2]) < 0)
        scale->x = -scale->x;
    const float lengths[3] = {scale->x, scale->y, scale->z};
    for (uint32_t i = 0; i < 3; ++i)
        axes[i] = lengths[i] == 0 ? (ct_vec3){{0, 0, 0}} : ct_vec3_scale(axes[i], 1 / lengths[i]);
    *rotation = ct_quat_normalize(glms_mat3_quat(completed_axes(axes)));
}

ct_quat ct_quat_normalize_extreme(ct_quat q) {
    float largest = 0;
    for (uint32_t i = 0; i < 4; ++i)
        largest = fmaxf(largest, fabsf(q.raw[i]));
    if (largest == 0)
        return ct_quat_identity();
    for (uint32_t i = 0; i < 4; ++i)
        q.raw[i] /= largest;
    return glms_quat_normalize(q);
}

ct_quat ct_quat_nlerp(ct_quat a, ct_quat b, float t) {
    const float side = ct_quat_dot(a, b) < 0 ? -1.0f : 1.0f;
    ct_quat q;
    for (uint32_t i = 0; i < 4; ++i)
        q.raw[i] = a.raw[i] + t * (side * b.raw[i] - a.raw[i]);
    return ct_quat_normalize(q);
}

ct_quat ct_quat_slerp(ct_quat a, ct_quat b, float t) {
    const float dot = ct_quat_dot(a, b), cosine = fabsf(dot);
    // Below some degrees the difference is less than rounding, and the sine would soon be 0.
    if (cosine > 0.9995f)
        return ct_quat_nlerp(a, b, t);
    const float angle = acosf(cosine), sine = sqrtf(1 - cosine * cosine);
    const float from = sinf((1 - t) * angle) / sine;
    const float to = sinf(t * angle) / sine * (dot < 0 ? -1.0f : 1.0f);
    ct_quat q;
    for (uint32_t i = 0; i < 4; ++i)
        q.raw[i] = from * a.raw[i] + to * b.raw[i];
    return ct_quat_normalize(q);
}

ct_quat ct_quat_from_mat4(const ct_mat4 *m) {
    ct_vec3 position, scale;
    ct_quat rotation;
    ct_mat4_decompose(m, &position, &rotation, &scale);
    return rotation;
}

ct_quat ct_quat_from_euler_xyz(ct_vec3 angles) {
    const ct_quat x = ct_quat_axis_angle(ct_vec3_make(1, 0, 0), angles.x);
    const ct_quat y = ct_quat_axis_angle(ct_vec3_make(0, 1, 0), angles.y);
    const ct_quat z = ct_quat_axis_angle(ct_vec3_make(0, 0, 1), angles.z);
    return ct_quat_mul(z, ct_quat_mul(y, x));
}

// From -2 pi..2 pi to -pi..pi.
static float wrapped_angle(float angle) {
    return remainderf(angle, 2 * (float)M_PI);
}

// By half the sum and half the difference of x and z, each of which stays exact as y nears one of
// the quarter turns; x and z alone do not (Bernardes and Viollet 2022).
ct_vec3 ct_quat_to_euler_xyz(ct_quat q) {
    const float least_length = 1e-6f; // below, rounding alone would make the angle
    const float sum_sine = q.x + q.z, sum_cosine = q.w - q.y;
    const float difference_sine = q.x - q.z, difference_cosine = q.w + q.y;
    const float sum_length = hypotf(sum_sine, sum_cosine);                      // 0 at pi/2
    const float difference_length = hypotf(difference_sine, difference_cosine); // 0 at -pi/2
    if (sum_length < least_length || difference_length < least_length) {
        const bool is_up = sum_length < least_length;
        const float half =
            is_up ? atan2f(difference_sine, difference_cosine) : atan2f(sum_sine, sum_cosine);
        return ct_vec3_make(wrapped_angle(2 * half), is_up ? (float)M_PI_2 : (float)-M_PI_2, 0);
    }
    const float half_sum = atan2f(sum_sine, sum_cosine);
    const float half_difference = atan2f(difference_sine, difference_cosine);
    return ct_vec3_make(wrapped_angle(half_sum + half_difference),
                        2 * atan2f(difference_length, sum_length) - (float)M_PI_2,
                        wrapped_angle(half_sum - half_difference));
}

ct_quat ct_quat_look(ct_vec3 direction, ct_vec3 up) {
    const ct_vec3 forward = ct_vec3_normalize(direction);
    if (ct_vec3_dot(forward, forward) == 0)
        return ct_quat_identity();
    ct_vec3 right = ct_vec3_cross(forward, ct_vec3_normalize(up));
    if (ct_vec3_dot(right, right) < 1e-12f) {
        // `up` lies along the direction: any other will do.
        const ct_vec3 other = fabsf(forward.z) < 0.9f ? ct_vec3_make(0, 0, 1)
                                                      : ct_vec3_make(0, forward.z < 0 ? 1 : -1, 0);
        right = ct_vec3_cross(forward, other);
    }
    right = ct_vec3_normalize(right);
    const mat3s frame = {.col = {right, forward, ct_vec3_cross(right, forward)}};
    return ct_quat_normalize(glms_mat3_quat(frame));
}

ct_mat4 ct_mat4_inverse_affine(const ct_mat4 *m) {
    const ct_vec3 x = column(m, 0), y = column(m, 1), z = column(m, 2), position = column(m, 3);
    const ct_vec3 across = ct_vec3_cross(y, z);
    const float scale = 1 / ct_vec3_dot(x, across);
    // The rows of the inverse of the upper left 3x3.
    const ct_vec3 rows[3] = {ct_vec3_scale(across, scale),
                             ct_vec3_scale(ct_vec3_cross(z, x), scale),
                             ct_vec3_scale(ct_vec3_cross(x, y), scale)};
    ct_mat4 inverse = ct_mat4_identity();
    for (uint32_t row = 0; row < 3; ++row) {
        for (uint32_t i = 0; i < 3; ++i)
            inverse.col[i].raw[row] = rows[row].raw[i];
        inverse.col[3].raw[row] = -ct_vec3_dot(rows[row], position);
    }
    return inverse;
}

ct_mat4 ct_mat4_perspective(float vertical_fov, float aspect, float near_range, float far_range) {
    const float f = 1 / tanf(vertical_fov * 0.5f);
    const float depth = far_range / (far_range - near_range);
    return (ct_mat4){.col = {{{f / aspect, 0, 0, 0}},
                             {{0, 0, depth, 1}},
                             {{0, -f, 0, 0}},
                             {{0, 0, -near_range * depth, 0}}}};
}

ct_mat4 ct_mat4_perspective_off_axis(float left, float right, float bottom, float top,
                                     float near_range, float far_range) {
    const float width = right - left, height = top - bottom;
    const float depth = far_range / (far_range - near_range);
    return (ct_mat4){.col = {{{2 / width, 0, 0, 0}},
                             {{-(right + left) / width, (top + bottom) / height, depth, 1}},
                             {{0, -2 / height, 0, 0}},
                             {{0, 0, -near_range * depth, 0}}}};
}

ct_mat4 ct_mat4_orthographic(float left, float right, float bottom, float top, float near_range,
                             float far_range) {
    const float width = right - left, height = top - bottom, depth = far_range - near_range;
    return (ct_mat4){
        .col = {{{2 / width, 0, 0, 0}},
                {{0, 0, 1 / depth, 0}},
                {{0, -2 / height, 0, 0}},
                {{-(right + left) / width, (top + bottom) / height, -near_range / depth, 1}}}};
}

bool ct_mat4_project_point(const ct_mat4 *view_projection, ct_vec3 point, ct_vec3 *clip) {
    const ct_vec4 p = glms_mat4_mulv(*view_projection, (ct_vec4){{point.x, point.y, point.z, 1}});
    if (!(p.w > 0))
        return false;
    *clip = ct_vec3_make(p.x / p.w, p.y / p.w, p.z / p.w);
    return true;
}

ct_vec3 ct_mat4_unproject_point(const ct_mat4 *inverse_view_projection, ct_vec3 clip) {
    const ct_vec4 p =
        glms_mat4_mulv(*inverse_view_projection, (ct_vec4){{clip.x, clip.y, clip.z, 1}});
    return ct_vec3_make(p.x / p.w, p.y / p.w, p.z / p.w);
}

// Scales the plane so that its normal has length 1; a plane without normal (an infinite far range)
// stays as it is.
static ct_vec4 normalized_plane(ct_vec4 plane) {
    const float length = sqrtf(plane.x * plane.x + plane.y * plane.y + plane.z * plane.z);
    return length > 0 ? glms_vec4_scale(plane, 1 / length) : plane;
}

ct_frustum ct_frustum_from(const ct_mat4 *view_projection) {
    const ct_mat4 rows = glms_mat4_transpose(*view_projection);
    const ct_vec4 x = rows.col[0], y = rows.col[1], z = rows.col[2], w = rows.col[3];
    // Inside, -w <= x <= w, -w <= y <= w and 0 <= z <= w; the bottom is at y = w.
    const ct_vec4 planes[6] = {
        glms_vec4_add(w, x), glms_vec4_sub(w, x), glms_vec4_sub(w, y), glms_vec4_add(w, y), z,
        glms_vec4_sub(w, z)};
    ct_frustum f;
    for (uint32_t i = 0; i < 6; ++i)
        f.planes[i] = normalized_plane(planes[i]);
    return f;
}

bool ct_frustum_intersects_aabb(const ct_frustum *f, ct_aabb box) {
    if (ct_aabb_is_empty(box))
        return false;
    for (uint32_t i = 0; i < 6; ++i) {
        const ct_vec4 p = f->planes[i];
        // The corner farthest along the plane's normal.
        const float x = p.x >= 0 ? box.max.x : box.min.x;
        const float y = p.y >= 0 ? box.max.y : box.min.y;
        const float z = p.z >= 0 ? box.max.z : box.min.z;
        if (p.x * x + p.y * y + p.z * z + p.w < 0)
            return false;
    }
    return true;
}

ct_aabb ct_aabb_empty(void) {
    return (ct_aabb){.min = {{FLT_MAX, FLT_MAX, FLT_MAX}}, .max = {{-FLT_MAX, -FLT_MAX, -FLT_MAX}}};
}

ct_aabb ct_aabb_add_point(ct_aabb box, ct_vec3 p) {
    return (ct_aabb){.min = glms_vec3_minv(box.min, p), .max = glms_vec3_maxv(box.max, p)};
}

ct_aabb ct_aabb_merge(ct_aabb a, ct_aabb b) {
    return (ct_aabb){.min = glms_vec3_minv(a.min, b.min), .max = glms_vec3_maxv(a.max, b.max)};
}

ct_aabb ct_aabb_transform(const ct_mat4 *m, ct_aabb box) {
    if (ct_aabb_is_empty(box))
        return ct_aabb_empty();
    ct_aabb result = {.min = ct_mat4_position(*m), .max = ct_mat4_position(*m)};
    for (uint32_t column = 0; column < 3; ++column) {
        for (uint32_t row = 0; row < 3; ++row) {
            const float a = m->col[column].raw[row] * box.min.raw[column];
            const float b = m->col[column].raw[row] * box.max.raw[column];
            result.min.raw[row] += a < b ? a : b;
            result.max.raw[row] += a < b ? b : a;
        }
    }
    return result;
}

bool ct_quat_is_finite(ct_quat q) {
    return isfinite(q.x) && isfinite(q.y) && isfinite(q.z) && isfinite(q.w);
}

bool ct_quat_is_rotation(ct_quat q) {
    return ct_quat_is_finite(q) && q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w > 1e-12f;
}

bool ct_mat4_is_finite(const ct_mat4 *m) {
    for (uint32_t i = 0; i < 16; ++i) {
        if (!isfinite(m->col[i / 4].raw[i % 4]))
            return false;
    }
    return true;
}
