#include "foundation/error.h"
#include "foundation/math/math.h"
#include "render/render_stream.h"
#include "support/test_support.h"

static ct_renderer *start(void) {
    return ct_renderer_create_recorder(
        &(ct_renderer_desc){.allocator = test_heap(), .width = 320, .height = 200});
}

// The types of this frame's commands, at most 8.
static uint32_t types_of(const ct_renderer *r, uint32_t types[8]) {
    const ct_render_command_header *header;
    uint64_t cursor = 0;
    uint32_t count = 0;
    const void *payload;
    while ((header = ct_render_stream_next(ct_renderer_stream(r), &cursor, &payload))) {
        assert_true(count < 8);
        types[count++] = header->type;
    }
    return count;
}

static void keeps_the_commands_of_one_frame(void **state) {
    (void)state;
    ct_renderer *const r = start();
    const ct_mat4 pose = ct_mat4_identity();
    const ct_render_world_id world = ct_render_world_create(r);
    const ct_render_object_id object =
        ct_render_object_create(r, world, &(ct_render_object_desc){.mesh = {1}}, &pose);
    uint32_t types[8];
    assert_int_equal(types_of(r, types), 2);
    assert_int_equal(types[0], CT_RENDER_COMMAND_TYPE_WORLD_CREATE);
    assert_int_equal(types[1], CT_RENDER_COMMAND_TYPE_OBJECT_CREATE);
    ct_renderer_end_frame(r);
    assert_int_equal(types_of(r, types), 0);
    ct_render_objects_destroy(r, world, &object, 1);
    ct_render_world_destroy(r, world);
    assert_int_equal(types_of(r, types), 2);
    assert_int_equal(types[0], CT_RENDER_COMMAND_TYPE_OBJECTS_DESTROY);
    ct_renderer_destroy(r);
}

static void take_no_picture(void *user, const uint8_t *pixels, uint32_t width, uint32_t height) {
    (void)width, (void)height;
    assert_null(pixels);
    ++*(uint32_t *)user;
}

static void answers_screenshots_without_a_picture(void **state) {
    (void)state;
    ct_renderer *const r = start();
    uint32_t count = 0;
    ct_renderer_screenshot(r, take_no_picture, &count);
    assert_int_equal(count, 0);
    ct_renderer_end_frame(r);
    assert_int_equal(count, 1);
    ct_renderer_screenshot(r, take_no_picture, &count);
    ct_renderer_destroy(r);
    assert_int_equal(count, 2);
}

static void says_what_it_is_without_a_device(void **state) {
    (void)state;
    ct_renderer *const r = start();
    ct_error error = {0};
    uint32_t width, height;
    assert_string_equal(ct_renderer_device_name(r), "none");
    ct_renderer_size(r, &width, &height);
    assert_true(width == 320 && height == 200);
    assert_int_equal(ct_renderer_frame(r), 1);
    assert_int_equal(ct_renderer_completed_frame(r), 0);
    ct_renderer_end_frame(r);
    ct_renderer_flush(r);
    assert_int_equal(ct_renderer_completed_frame(r), 1);
    assert_false(ct_renderer_has_failed(r));
    assert_int_equal(ct_renderer_num_faults(r), 0);
    assert_false(ct_renderer_has_viewport(r, ct_string_id32_of("default")));
    assert_false(ct_renderer_set_config(r, "rendering", &error));
    assert_int_equal(ct_renderer_stats(r).num_draws, 0);
    ct_renderer_record_stats(r, &(ct_render_stats){.num_draws = 7});
    assert_int_equal(ct_renderer_stats(r).num_draws, 7);
    ct_renderer_destroy(r);
}

// What it sends for many characters stays in the memory of the first frames.
static void sends_poses_without_new_memory(void **state) {
    (void)state;
    enum { SKELETONS = 100, JOINTS = 30, FRAMES = 10000 };
    ct_renderer *const r = start();
    const ct_render_world_id world = ct_render_world_create(r);
    ct_render_skeleton_id skeletons[SKELETONS];
    ct_string_id32 names[JOINTS];
    uint32_t counts[SKELETONS];
    for (uint32_t i = 0; i < JOINTS; ++i)
        names[i] = (ct_string_id32){i + 1};
    for (uint32_t i = 0; i < SKELETONS; ++i) {
        skeletons[i] = ct_render_skeleton_create(r, world, names, JOINTS);
        counts[i] = JOINTS;
    }
    uint64_t blocks = 0;
    for (uint32_t frame = 0; frame < FRAMES; ++frame) {
        ct_render_joint_pose *const joints =
            ct_render_skeletons_pose(r, world, skeletons, counts, SKELETONS);
        assert_int_equal((uintptr_t)joints % 16, 0);
        joints[SKELETONS * JOINTS - 1].rows[2][3] = (float)frame;
        ct_renderer_end_frame(r);
        const uint64_t now = ct_allocator_stats_of(test_heap()).total_blocks;
        if (frame == 10)
            blocks = now;
        assert_true(frame <= 10 || now == blocks);
    }
    ct_renderer_destroy(r);
}

static void writes_poses_before_ids_and_counts(void **state) {
    (void)state;
    ct_renderer *const r = start();
    const ct_render_world_id world = ct_render_world_create(r);
    const ct_render_skeleton_id skeletons[2] = {{7}, {9}};
    const uint32_t counts[2] = {2, 3};
    ct_render_joint_pose *const joints = ct_render_skeletons_pose(r, world, skeletons, counts, 2);
    for (uint32_t i = 0; i < 5; ++i)
        joints[i].rows[0][0] = (float)i;
    const ct_render_command_header *header;
    uint64_t cursor = 0;
    const void *payload = NULL;
    while ((header = ct_render_stream_next(ct_renderer_stream(r), &cursor, &payload)))
        if (header->type == CT_RENDER_COMMAND_TYPE_SKELETONS_SET_POSES)
            break;
    const ct_render_command_skeletons *const x = payload;
    assert_int_equal(x->count, 2);
    assert_int_equal(x->num_joints, 5);
    assert_ptr_equal(x + 1, joints);
    const uint32_t *const rest = (const uint32_t *)(joints + 5);
    assert_true(rest[0] == 7 && rest[1] == 9 && rest[2] == 2 && rest[3] == 3);
    ct_renderer_destroy(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_the_commands_of_one_frame),
        cmocka_unit_test(answers_screenshots_without_a_picture),
        cmocka_unit_test(says_what_it_is_without_a_device),
        cmocka_unit_test(sends_poses_without_new_memory),
        cmocka_unit_test(writes_poses_before_ids_and_counts),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
