#include "support/test_support.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "render/draw/render_history.h"

static ct_render_history_view view_at(uint64_t frame, float x) {
    return (ct_render_history_view){.world = {1},
                                    .viewport = {2},
                                    .rectangle = {0.0f, 0.0f, 1.0f, 1.0f},
                                    .frame = frame,
                                    .pixels = {100.0f, 50.0f},
                                    .view_projection = ct_mat4_identity(),
                                    .camera_position = {x, 0.0f, 0.0f, 1.0f},
                                    .seconds = (double)frame * 0.25};
}

static void remembers_the_frame_before(void **state) {
    (void)state;
    ct_render_history h;
    ct_render_history_init(&h, test_heap());
    ct_render_history_view v = view_at(1, 5.0f);
    ct_render_history_last last = ct_render_history_take(&h, &v);
    assert_false(last.has_pictures);
    assert_true(last.camera_position[0] == 5.0f && last.seconds == 0.0f && last.number == 0);
    v = view_at(2, 7.0f);
    last = ct_render_history_take(&h, &v);
    assert_true(last.has_pictures);
    assert_true(last.camera_position[0] == 5.0f && last.seconds == 0.25f && last.number == 1);
    v = view_at(3, 8.0f);
    v.steps = 1; // other steps: the camera goes on, pictures do not
    last = ct_render_history_take(&h, &v);
    assert_false(last.has_pictures);
    assert_true(last.camera_position[0] == 7.0f && last.number == 2);
    v = view_at(5, 9.0f); // a frame without it
    v.steps = 1;
    last = ct_render_history_take(&h, &v);
    assert_false(last.has_pictures);
    assert_true(last.camera_position[0] == 9.0f && last.number == 0);
    v = view_at(6, 10.0f);
    v.steps = 1;
    v.shot = 1;
    last = ct_render_history_take(&h, &v);
    assert_true(!last.has_pictures && last.camera_position[0] == 10.0f && last.number == 0);
    ct_render_history_free(&h);
}

static void tells_views_apart(void **state) {
    (void)state;
    ct_render_history h;
    ct_render_history_init(&h, test_heap());
    for (uint64_t frame = 1; frame <= 3; ++frame) {
        ct_render_history_view views[5];
        for (uint32_t i = 0; i < 5; ++i)
            views[i] = view_at(frame, (float)frame * 10.0f + (float)i);
        views[0].world.value = 9;
        views[1].viewport.value = 9;
        views[2].rectangle[2] = 0.5f;
        // 3 and 4 are the same view, drawn twice.
        for (uint32_t i = 0; i < 5; ++i) {
            const ct_render_history_last last = ct_render_history_take(&h, &views[i]);
            const float expected = (float)(frame > 1 ? frame - 1 : 1) * 10.0f + (float)i;
            assert_true(last.camera_position[0] == expected);
            assert_int_equal(last.has_pictures, frame > 1);
        }
        assert_int_equal(h.items.count, 5);
    }
    ct_render_history_clear(&h);
    const ct_render_history_view v = view_at(4, 0.0f);
    assert_false(ct_render_history_take(&h, &v).has_pictures);
    ct_render_history_free(&h);
}

// The offsets of a run of frames are around the middle of the pixel, and come again.
static void jitters_evenly(void **state) {
    (void)state;
    ct_render_history h;
    ct_render_history_init(&h, test_heap());
    float sum[2] = {0}, before[2] = {0}, first[2] = {0};
    for (uint32_t i = 0; i <= CT_RENDER_JITTER_COUNT; ++i) {
        ct_render_history_view v = view_at(10 + i, 0.0f);
        v.is_jittered = true;
        const ct_render_history_last last = ct_render_history_take(&h, &v);
        const float x = last.jitter[0] * 100.0f, y = last.jitter[1] * 50.0f;
        assert_true(fabsf(x) <= 0.5f && fabsf(y) <= 0.5f);
        if (i == 0)
            memcpy(first, last.jitter, sizeof(first));
        else
            assert_memory_equal(last.jitter + 2, before, sizeof(before));
        if (i == CT_RENDER_JITTER_COUNT)
            assert_memory_equal(last.jitter, first, sizeof(first));
        else
            sum[0] += x, sum[1] += y;
        memcpy(before, last.jitter, sizeof(before));
    }
    assert_true(fabsf(sum[0]) < 1.0f && fabsf(sum[1]) < 1.0f);
    ct_render_history_free(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(remembers_the_frame_before),
        cmocka_unit_test(tells_views_apart),
        cmocka_unit_test(jitters_evenly),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
