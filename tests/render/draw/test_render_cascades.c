#include "render/draw/render_cascades.h"

#include <math.h>

#include "foundation/math/math_shapes.h"
#include "foundation/math/random.h"
#include "support/test_support.h"

static float pick(ct_random *r, float least, float most) {
    return ct_random_float_range(r, least, most);
}

static ct_vec3 pick_direction(ct_random *r) {
    const ct_vec3 v =
        ct_vec3_make(pick(r, -1.0f, 1.0f), pick(r, -1.0f, 1.0f), -pick(r, 0.1f, 1.0f));
    return ct_vec3_normalize(v);
}

static ct_quat pick_rotation(ct_random *r) {
    const ct_vec3 axis = ct_vec3_normalize(
        ct_vec3_make(pick(r, -1.0f, 1.0f), pick(r, -1.0f, 1.0f), pick(r, 0.1f, 1.0f)));
    return ct_quat_axis_angle(axis, pick(r, 0.0f, 6.0f));
}

// A frustum that may even lie wholly to one side.
static ct_mat4 pick_off_axis(ct_random *r) {
    const float left = pick(r, -1.5f, 1.0f), bottom = pick(r, -1.5f, 1.0f);
    return ct_mat4_perspective_off_axis(left, left + pick(r, 0.2f, 2.0f), bottom,
                                        bottom + pick(r, 0.2f, 2.0f), 0.1f, 1000.0f);
}

// A camera anywhere, and a light from above.
static ct_render_cascades_desc pick_desc(ct_random *r) {
    ct_render_cascades_desc desc = {.direction = pick_direction(r),
                                    .count = 1 + ct_random_below(r, CT_RENDER_MAX_CASCADES),
                                    .map_size = 256u << ct_random_below(r, 4),
                                    .distance = pick(r, 5.0f, 300.0f),
                                    .split_lambda = pick(r, 0.0f, 1.0f)};
    const ct_vec3 eye =
        ct_vec3_make(pick(r, -500.0f, 500.0f), pick(r, -500.0f, 500.0f), pick(r, -20.0f, 80.0f));
    desc.camera_pose = ct_mat4_compose(eye, pick_rotation(r), ct_vec3_make(1.0f, 1.0f, 1.0f));
    const uint32_t kind = ct_random_below(r, 4);
    if (kind == 0)
        desc.projection = ct_mat4_orthographic(-20.0f, 10.0f, -8.0f, 12.0f, 0.5f, 200.0f);
    else if (kind == 1)
        desc.projection = pick_off_axis(r);
    else
        desc.projection =
            ct_mat4_perspective(pick(r, 0.3f, 2.0f), pick(r, 0.5f, 2.5f), 0.1f, 1000.0f);
    return desc;
}

// A point that the camera sees at this depth.
static ct_vec3 pick_point(ct_random *r, const ct_render_cascades_desc *desc, float depth) {
    const ct_mat4 inverse = ct_mat4_inverse(desc->projection);
    const float x = pick(r, -1.0f, 1.0f), y = pick(r, -1.0f, 1.0f);
    const ct_vec3 near_point = ct_mat4_unproject_point(&inverse, ct_vec3_make(x, y, 0.0f));
    const ct_vec3 far_point = ct_mat4_unproject_point(&inverse, ct_vec3_make(x, y, 1.0f));
    const float t = (depth - near_point.y) / (far_point.y - near_point.y);
    return ct_mat4_transform_point(desc->camera_pose, ct_vec3_lerp(near_point, far_point, t));
}

// Property: what is seen at a depth lies in the map of the cascade of that depth, with room for the
// filter, and between its near and far side.
static void every_point_that_is_seen_lies_in_its_cascade(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(11, 1);
    for (uint32_t round = 0; round < 500; ++round) {
        const ct_render_cascades_desc desc = pick_desc(&r);
        ct_render_cascade cascades[CT_RENDER_MAX_CASCADES];
        ct_render_cascades_fit(&desc, cascades);
        for (uint32_t i = 0; i < desc.count; ++i) {
            const ct_render_cascade *const c = &cascades[i];
            const ct_mat4 m = ct_render_cascade_matrix(c, c->depth - c->radius);
            const ct_vec3 p = pick_point(&r, &desc, pick(&r, c->begin, c->end));
            const ct_vec3 clip = ct_mat4_transform_point(m, p);
            const float room =
                1.0f - 2.0f * (CT_RENDER_CASCADE_BORDER - 1.25f) / (float)desc.map_size;
            if (fabsf(clip.x) > room || fabsf(clip.y) > room || clip.z < -1e-3f || clip.z > 1.001f)
                fail_msg("round %u, cascade %u: found %g %g %g", round, i, (double)clip.x,
                         (double)clip.y, (double)clip.z);
        }
    }
}

static void slices_follow_each_other_up_to_the_distance(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(12, 1);
    for (uint32_t round = 0; round < 200; ++round) {
        const ct_render_cascades_desc desc = pick_desc(&r);
        ct_render_cascade cascades[CT_RENDER_MAX_CASCADES];
        ct_render_cascades_fit(&desc, cascades);
        for (uint32_t i = 1; i < desc.count; ++i) {
            assert_true(cascades[i].begin == cascades[i - 1].end);
            assert_true(cascades[i].end > cascades[i].begin);
        }
        const float end = cascades[desc.count - 1].end;
        assert_true(fabsf(end - fminf(desc.distance, 1000.0f)) < 0.01f * desc.distance ||
                    end <= 200.1f);
    }
}

// Property: however the camera moves and turns, a map moves by whole texels and keeps its size, so
// that a point of the world stays at the same place within a texel.
static void maps_move_by_whole_texels(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(13, 1);
    for (uint32_t round = 0; round < 300; ++round) {
        ct_render_cascades_desc desc = pick_desc(&r);
        ct_render_cascade before[CT_RENDER_MAX_CASCADES], after[CT_RENDER_MAX_CASCADES];
        ct_render_cascades_fit(&desc, before);
        const ct_vec3 eye = ct_vec3_add(
            ct_mat4_position(desc.camera_pose),
            ct_vec3_make(pick(&r, -3.0f, 3.0f), pick(&r, -3.0f, 3.0f), pick(&r, -1.0f, 1.0f)));
        desc.camera_pose = ct_mat4_compose(eye, pick_rotation(&r), ct_vec3_make(1.0f, 1.0f, 1.0f));
        ct_render_cascades_fit(&desc, after);
        for (uint32_t i = 0; i < desc.count; ++i) {
            assert_true(before[i].texel == after[i].texel);
            const ct_vec3 moved =
                ct_vec3_sub(ct_mat4_position(after[i].pose), ct_mat4_position(before[i].pose));
            const ct_mat4 to_light = ct_mat4_inverse_affine(&after[i].pose);
            const ct_vec3 seen = ct_mat4_transform_direction(to_light, moved);
            const float x = seen.x / after[i].texel, z = seen.z / after[i].texel;
            // Hundreds of metres away, floats are exact to a fraction of a millimetre.
            const float most = 0.02f + 3e-4f / after[i].texel;
            assert_true(fabsf(x - roundf(x)) < most && fabsf(z - roundf(z)) < most);
        }
    }
}

static void what_stands_before_the_light_is_not_culled(void **state) {
    (void)state;
    ct_random r = ct_random_seeded(14, 1);
    for (uint32_t round = 0; round < 200; ++round) {
        const ct_render_cascades_desc desc = pick_desc(&r);
        ct_render_cascade cascades[CT_RENDER_MAX_CASCADES];
        ct_render_cascades_fit(&desc, cascades);
        const ct_frustum f = ct_render_cascade_frustum(&cascades[0]);
        const ct_vec3 center = ct_mat4_position(cascades[0].pose);
        const ct_vec3 before = ct_vec3_sub(center, ct_vec3_scale(desc.direction, 5000.0f));
        const ct_vec3 behind =
            ct_vec3_add(center, ct_vec3_scale(desc.direction, 2.0f * cascades[0].radius + 2.0f));
        const ct_vec3 aside = ct_vec3_add(
            center,
            ct_mat4_transform_direction(
                cascades[0].pose, ct_vec3_make(2.0f * cascades[0].half_width + 2.0f, 0.0f, 0.0f)));
        assert_true(ct_frustum_intersects_sphere(&f, (ct_sphere){before, 1.0f}));
        assert_false(ct_frustum_intersects_sphere(&f, (ct_sphere){behind, 1.0f}));
        assert_false(ct_frustum_intersects_sphere(&f, (ct_sphere){aside, 1.0f}));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_point_that_is_seen_lies_in_its_cascade),
        cmocka_unit_test(slices_follow_each_other_up_to_the_distance),
        cmocka_unit_test(maps_move_by_whole_texels),
        cmocka_unit_test(what_stands_before_the_light_is_not_culled),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
