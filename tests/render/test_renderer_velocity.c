// Velocity: what objects, skins, cameras and cuts make of it, as pictures show it.
#include "render/golden_picture.h"

#include <math.h>

#include "foundation/math/math.h"
#include "render/render_skeleton.h"

// What the middle of a picture shows: bytes of tests/render/project/shaders/velocity.shader.
typedef struct seen {
    float x, y;      // fractions of the picture
    bool is_still;   // exactly
    bool has_before; // the last frame's pictures are of use
} seen;

static seen seen_at(const render_fixture *f, float x, float y) {
    const uint8_t *const p = fixture_pixel(f, x, y);
    return (seen){((float)p[0] - 128.0f) / 512.0f, ((float)p[1] - 128.0f) / 512.0f, p[2] == 0,
                  p[3] == 255};
}

static seen see(render_fixture *f) {
    fixture_picture(f);
    return seen_at(f, 0.5f, 0.5f);
}

static void expect_moved(seen s, float x, float y) {
    if (fabsf(s.x - x) > 0.004f || fabsf(s.y - y) > 0.004f)
        fail_msg("found %g, %g, expected %g, %g", (double)s.x, (double)s.y, (double)x, (double)y);
}

// A camera 3 m in front of the origin that sees 2 m of width: 0.1 m to the right is 0.05.
static void start(render_fixture *f) {
    ct_error error = {0};
    fixture_start(f);
    if (!ct_renderer_set_config(f->renderer, "rendering/velocity", &error))
        fail_msg("%s", error.message);
    f->view.projection = ct_mat4_orthographic(-1.0f, 1.0f, -1.0f, 1.0f, 0.1f, 50.0f);
    fixture_look_from(f, 0.0f, -3.0f, 0.0f);
}

static void set_bool(render_fixture *f, const char *name, bool is_on) {
    ct_error error = {0};
    const ct_render_given value = {.kind = CT_RENDER_GIVEN_KIND_BOOL,
                                   .numbers = {is_on ? 1.0 : 0.0}};
    if (!ct_renderer_set_setting(f->renderer, name, &value, &error))
        fail_msg("%s", error.message);
}

static void move(render_fixture *f, ct_render_object_id object, float x, float z) {
    const ct_mat4 pose = fixture_pose(x, 0.0f, z, 1.0f);
    ct_render_objects_set_poses(f->renderer, f->world, &object, &pose, 1);
}

// --- Objects -------------------------------------------------------------------------------------

static void objects_move_and_stop(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    const ct_render_object_id cube =
        fixture_add(&f, "core/meshes/cube", "materials/red", 0.0f, 0.0f, 0.0f);
    assert_true(see(&f).is_still); // it came
    assert_true(see(&f).is_still);
    move(&f, cube, 0.1f, 0.0f);
    expect_moved(see(&f), 0.05f, 0.0f);
    move(&f, cube, 0.3f, 0.0f);
    move(&f, cube, 0.2f, 0.1f); // twice in a frame
    expect_moved(see(&f), 0.05f, -0.05f);
    assert_true(see(&f).is_still); // it stopped
    move(&f, cube, 0.0f, 0.0f);
    expect_moved(see(&f), -0.1f, 0.05f);
    move(&f, cube, 0.1f, 0.0f); // in a frame that does not draw the world
    ct_renderer_end_frame(f.renderer);
    assert_true(see(&f).is_still);
    ct_renderer_end_frame(f.renderer);
    move(&f, cube, 0.2f, 0.0f); // after such a frame
    expect_moved(see(&f), 0.05f, 0.0f);
    fixture_stop(&f);
}

// Of two objects at once, in one draw, only one moves; each is where it should be.
static void each_object_has_its_own(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    fixture_look_from(&f, 0.0f, -3.0f, 0.0f);
    f.view.projection = ct_mat4_orthographic(-2.0f, 2.0f, -2.0f, 2.0f, 0.1f, 50.0f);
    fixture_add(&f, "core/meshes/cube", "materials/red", -1.0f, 0.0f, 0.0f);
    const ct_render_object_id moving =
        fixture_add(&f, "core/meshes/cube", "materials/red", 1.0f, 0.0f, 0.0f);
    see(&f);
    move(&f, moving, 1.2f, 0.0f);
    see(&f);
    assert_true(seen_at(&f, 0.25f, 0.5f).is_still);
    expect_moved(seen_at(&f, 0.8f, 0.5f), 0.05f, 0.0f);
    assert_true(seen_at(&f, 0.5f, 0.9f).is_still); // nothing is there
    fixture_stop(&f);
}

static void new_objects_have_none(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    see(&f);
    const ct_render_object_id cube =
        fixture_add(&f, "core/meshes/cube", "materials/red", 0.5f, 0.0f, 0.0f);
    move(&f, cube, 0.0f, 0.0f); // to where it is to come
    assert_true(see(&f).is_still);
    ct_render_object_set_visible(f.renderer, f.world, cube, false);
    see(&f);
    move(&f, cube, 0.1f, 0.0f);
    ct_render_object_set_visible(f.renderer, f.world, cube, true);
    move(&f, cube, 0.2f, 0.0f);
    assert_true(see(&f).is_still);
    move(&f, cube, 0.1f, 0.0f);
    expect_moved(see(&f), -0.05f, 0.0f);
    ct_render_object_jump(f.renderer, f.world, cube);
    move(&f, cube, -0.2f, 0.0f);
    assert_true(see(&f).is_still);
    move(&f, cube, 0.0f, 0.0f);
    expect_moved(see(&f), 0.1f, 0.0f);
    fixture_stop(&f);
}

// Objects go while others move: the rows of those that take their places stay theirs.
static void objects_that_go_leave_none(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    const ct_render_object_id first =
        fixture_add(&f, "core/meshes/cube", "materials/red", 0.0f, 5.0f, 0.0f);
    const ct_render_object_id second =
        fixture_add(&f, "core/meshes/cube", "materials/red", 0.0f, 0.0f, 0.0f);
    see(&f);
    move(&f, second, 0.1f, 0.0f);
    ct_render_objects_destroy(f.renderer, f.world, &first, 1);
    expect_moved(see(&f), 0.05f, 0.0f);
    fixture_stop(&f);
}

static void skins_move_by_their_joints(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    ct_string_id32 names[10];
    ct_render_joint_pose joints[10] = {0};
    for (uint32_t i = 0; i < 10; ++i) {
        char name[16];
        snprintf(name, sizeof(name), "bone%u", i);
        names[i] = ct_string_id32_of(name);
        for (uint32_t k = 0; k < 3; ++k)
            joints[i].rows[k][k] = 1.0f;
        joints[i].rows[2][3] = 2.0f / 9.0f * (float)i;
    }
    const ct_render_object_id bar =
        fixture_add(&f, "meshes/bar", "materials/red", 0.0f, 0.0f, -1.0f);
    const ct_render_skeleton_id skeleton =
        ct_render_skeleton_create(f.renderer, f.world, names, 10);
    ct_render_object_set_skeleton(f.renderer, f.world, bar, skeleton);
    ct_render_skeleton_set_pose(f.renderer, f.world, skeleton, joints, 10);
    assert_true(see(&f).is_still);
    for (uint32_t i = 0; i < 10; ++i)
        joints[i].rows[0][3] = 0.1f;
    ct_render_skeleton_set_pose(f.renderer, f.world, skeleton, joints, 10);
    expect_moved(see(&f), 0.05f, 0.0f);
    assert_true(see(&f).is_still);
    // The object and its joints, at once.
    for (uint32_t i = 0; i < 10; ++i)
        joints[i].rows[0][3] = 0.0f;
    ct_render_skeleton_set_pose(f.renderer, f.world, skeleton, joints, 10);
    move(&f, bar, 0.05f, -1.1f);
    expect_moved(see(&f), -0.025f, 0.05f);
    fixture_stop(&f);
}

// --- Shaders -------------------------------------------------------------------------------------

static void shaders_say_where_they_were(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    fixture_add(&f, "core/meshes/cube", "materials/wave", 0.0f, 0.0f, -1.0f);
    ct_render_world_set_time(f.renderer, f.world, 1.0);
    see(&f);
    ct_render_world_set_time(f.renderer, f.world, 1.1);
    expect_moved(see(&f), 0.0f, -0.05f);
    set_bool(&f, "jitter", true);
    ct_render_world_set_time(f.renderer, f.world, 1.0);
    expect_moved(see(&f), 0.0f, 0.05f);
    fixture_stop(&f);
}

static void what_is_blended_leaves_it(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    const ct_render_object_id cube =
        fixture_add(&f, "core/meshes/cube", "materials/red", 0.0f, 0.0f, 0.0f);
    fixture_add(&f, "core/meshes/cube", "materials/glass_red", 0.0f, -1.1f, 0.0f);
    see(&f);
    move(&f, cube, 0.1f, 0.0f);
    expect_moved(see(&f), 0.05f, 0.0f);
    fixture_stop(&f);
}

static void the_sky_only_turns(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    f.view.projection = ct_mat4_perspective(0.9f, 4.0f / 3.0f, 0.1f, 200.0f);
    fixture_add(&f, "core/meshes/sphere", "materials/sky", 0.0f, 0.0f, 0.0f);
    fixture_look_from(&f, 0.0f, -30.0f, 0.0f);
    see(&f);
    fixture_look_from(&f, 0.0f, -20.0f, 0.0f); // nearer
    expect_moved(see(&f), 0.0f, 0.0f);
    const ct_quat turn = ct_quat_axis_angle(ct_vec3_make(0.0f, 0.0f, 1.0f), 0.1f); // to the left
    f.view.pose =
        ct_mat4_compose(ct_vec3_make(0.0f, -20.0f, 0.0f), turn, ct_vec3_make(1.0f, 1.0f, 1.0f));
    const float tangent = tanf(0.45f) * 4.0f / 3.0f;
    expect_moved(see(&f), 0.5f * tanf(0.1f) / tangent, 0.0f);
    fixture_stop(&f);
}

// --- Views ---------------------------------------------------------------------------------------

static void cameras_move_and_cut(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    fixture_add(&f, "core/meshes/cube", "materials/red", 0.0f, 0.0f, 0.0f);
    assert_false(see(&f).has_before); // the first frame
    assert_true(see(&f).has_before);
    f.view.pose = fixture_pose(0.1f, -3.0f, 0.0f, 1.0f);
    expect_moved(see(&f), -0.05f, 0.0f);
    assert_true(see(&f).is_still);
    f.view.pose = fixture_pose(0.0f, -3.0f, 0.0f, 1.0f);
    f.view.shot = 1;
    const seen cut = see(&f);
    assert_true(cut.is_still);
    assert_false(cut.has_before);
    assert_true(see(&f).has_before);
    // A frame without the view is a cut, too.
    ct_renderer_end_frame(f.renderer);
    f.view.pose = fixture_pose(0.1f, -3.0f, 0.0f, 1.0f);
    const seen again = see(&f);
    assert_true(again.is_still);
    assert_false(again.has_before);
    fixture_stop(&f);
}

static void other_targets_have_no_pictures_before(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    fixture_add(&f, "core/meshes/cube", "materials/red", 0.0f, 0.0f, 0.0f);
    see(&f);
    assert_true(see(&f).has_before);
    ct_renderer_resize(f.renderer, FIXTURE_WIDTH / 2, FIXTURE_HEIGHT / 2);
    assert_false(see(&f).has_before);
    assert_true(see(&f).has_before);
    set_bool(&f, "show", false); // other steps
    fixture_picture(&f);
    set_bool(&f, "show", true);
    assert_false(see(&f).has_before);
    fixture_stop(&f);
}

// Two viewports of a world side by side, whose cameras move differently.
static void viewports_have_their_own(void **state) {
    (void)state;
    render_fixture f;
    const float left[4] = {0.0f, 0.0f, 0.5f, 1.0f}, right[4] = {0.5f, 0.0f, 0.5f, 1.0f};
    start(&f);
    const ct_render_object_id cube =
        fixture_add(&f, "core/meshes/cube", "materials/red", 0.0f, 0.0f, 0.0f);
    for (uint32_t i = 0; i < 2; ++i) {
        ct_resource_manager_update(f.resources, ct_renderer_frame(f.renderer));
        if (i == 1)
            move(&f, cube, 0.1f, 0.0f);
        f.view.pose = fixture_pose(0.0f, -3.0f, 0.0f, 1.0f);
        fixture_render_to(&f, left);
        f.view.pose = fixture_pose(0.0f, -3.0f, i ? 0.1f : 0.0f, 1.0f);
        fixture_render_to(&f, right);
        fixture_ask_picture(&f);
        ct_renderer_end_frame(f.renderer);
        ct_renderer_flush(f.renderer);
    }
    expect_moved(seen_at(&f, 0.25f, 0.5f), 0.05f, 0.0f);
    expect_moved(seen_at(&f, 0.75f, 0.5f), 0.05f, 0.05f);
    fixture_stop(&f);
}

static void jitter_moves_nothing(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    fixture_look_from(&f, 1.0f, -3.0f, 0.7f);
    fixture_add(&f, "core/meshes/cube", "materials/red", 0.0f, 0.0f, 0.0f);
    set_bool(&f, "jitter", true);
    for (uint32_t i = 0; i < 10; ++i)
        assert_true(see(&f).is_still);
    fixture_stop(&f);
}

// The same eight pictures of an edge come again and again, and not all are the same.
static void jitter_repeats(void **state) {
    (void)state;
    enum { NUM_PICTURES = 16 };
    render_fixture f;
    uint8_t *pictures[NUM_PICTURES];
    start(&f);
    fixture_look_from(&f, 1.0f, -3.0f, 0.7f);
    fixture_add(&f, "core/meshes/cube", "materials/checker", 0.0f, 0.0f, 0.0f);
    set_bool(&f, "show", false);
    set_bool(&f, "jitter", true);
    uint32_t num_changed = 0;
    const uint64_t bytes = (uint64_t)FIXTURE_WIDTH * FIXTURE_HEIGHT * 4;
    for (uint32_t i = 0; i < NUM_PICTURES; ++i) {
        fixture_picture(&f);
        pictures[i] = f.pixels;
        f.pixels = NULL;
        num_changed += i && memcmp(pictures[i], pictures[i - 1], bytes) != 0;
    }
    for (uint32_t i = 8; i < NUM_PICTURES; ++i)
        assert_memory_equal(pictures[i], pictures[i - 8], bytes);
    assert_int_equal(num_changed, NUM_PICTURES - 1);
    for (uint32_t i = 0; i < NUM_PICTURES; ++i)
        ct_free(test_heap(), pictures[i]);
    fixture_stop(&f);
}

// A layer's velocity costs and changes nothing while no step reads it.
static void is_left_out_when_not_read(void **state) {
    (void)state;
    render_fixture f;
    start(&f);
    set_bool(&f, "show", false);
    const ct_render_object_id cube =
        fixture_add(&f, "core/meshes/cube", "materials/red", 0.0f, 0.0f, 0.0f);
    fixture_picture(&f);
    move(&f, cube, 0.1f, 0.0f);
    fixture_picture(&f);
    const uint8_t *const p = fixture_pixel(&f, 0.5f, 0.5f);
    assert_true(p[0] > 100 && p[2] < 50);
    fixture_stop(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_move_and_stop),
        cmocka_unit_test(each_object_has_its_own),
        cmocka_unit_test(new_objects_have_none),
        cmocka_unit_test(objects_that_go_leave_none),
        cmocka_unit_test(skins_move_by_their_joints),
        cmocka_unit_test(shaders_say_where_they_were),
        cmocka_unit_test(what_is_blended_leaves_it),
        cmocka_unit_test(the_sky_only_turns),
        cmocka_unit_test(cameras_move_and_cut),
        cmocka_unit_test(other_targets_have_no_pictures_before),
        cmocka_unit_test(viewports_have_their_own),
        cmocka_unit_test(jitter_moves_nothing),
        cmocka_unit_test(jitter_repeats),
        cmocka_unit_test(is_left_out_when_not_read),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
