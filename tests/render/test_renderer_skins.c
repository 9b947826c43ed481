// Skinned objects: pictures, what is culled, what is warned of.
#include "render/golden_picture.h"

#include <math.h>

#include "foundation/math/math.h"
#include "render/render_skeleton.h"

enum { NUM_BONES = 10 };

static const float spacing = 2.0f / (NUM_BONES - 1);

// How the bar of the project (tests/render/make_project_media.py) is posed. It goes up from the
// origin.
typedef struct bend {
    float angle; // radians of each joint, about x
    float twist; // about z
    ct_vec3 move;
    ct_vec3 scale; // of the bones that are scaled
    uint32_t first_scaled, end_scaled;
} bend;

static ct_render_joint_pose joint_pose(const ct_mat4 *m) {
    ct_render_joint_pose pose;
    for (uint32_t row = 0; row < 3; ++row)
        for (uint32_t column = 0; column < 4; ++column)
            pose.rows[row][column] = m->raw[column][row];
    return pose;
}

// The scale of a bone is not that of its children.
static void pose_bar(const bend *b, ct_render_joint_pose joints[NUM_BONES]) {
    const ct_vec3 one = ct_vec3_make(1.0f, 1.0f, 1.0f);
    ct_mat4 at = ct_mat4_compose(b->move, ct_quat_identity(), one);
    for (uint32_t i = 0; i < NUM_BONES; ++i) {
        const ct_quat turn =
            ct_quat_mul(ct_quat_axis_angle(ct_vec3_make(1.0f, 0.0f, 0.0f), i ? b->angle : 0.0f),
                        ct_quat_axis_angle(ct_vec3_make(0.0f, 0.0f, 1.0f), i ? b->twist : 0.0f));
        const ct_mat4 local =
            ct_mat4_compose(ct_vec3_make(0.0f, 0.0f, i ? spacing : 0.0f), turn, one);
        at = ct_mat4_mul(at, local);
        const bool is_scaled = i >= b->first_scaled && i < b->end_scaled;
        const ct_mat4 scale = ct_mat4_compose(ct_vec3_make(0.0f, 0.0f, 0.0f), ct_quat_identity(),
                                              is_scaled ? b->scale : one);
        const ct_mat4 scaled = ct_mat4_mul(at, scale);
        joints[i] = joint_pose(&scaled);
    }
}

static ct_render_skeleton_id add_skeleton(render_fixture *f, uint32_t count) {
    ct_string_id32 names[NUM_BONES];
    for (uint32_t i = 0; i < count; ++i) {
        char name[16];
        snprintf(name, sizeof(name), "bone%u", i);
        names[i] = ct_string_id32_of(name);
    }
    return ct_render_skeleton_create(f->renderer, f->world, names, count);
}

static void set_bend(render_fixture *f, ct_render_skeleton_id skeleton, const bend *b) {
    ct_render_joint_pose joints[NUM_BONES];
    pose_bar(b, joints);
    ct_render_skeleton_set_pose(f->renderer, f->world, skeleton, joints, NUM_BONES);
}

typedef struct posed_bar {
    ct_render_object_id object;
    ct_render_skeleton_id skeleton;
} posed_bar;

static posed_bar add_bar(render_fixture *f, const char *mesh, const char *material, float x,
                         float y, float z, const bend *b) {
    const posed_bar bar = {.object = fixture_add(f, mesh, material, x, y, z),
                           .skeleton = add_skeleton(f, NUM_BONES)};
    ct_render_object_set_skeleton(f->renderer, f->world, bar.object, bar.skeleton);
    if (b)
        set_bend(f, bar.skeleton, b);
    return bar;
}

static const bend straight = {.angle = 0.0f}, curled = {.angle = 0.22f};
static const bend swollen = {.angle = -0.12f,
                             .twist = 0.15f,
                             .scale = {.raw = {2.2f, 0.6f, 1.0f}},
                             .first_scaled = 4,
                             .end_scaled = 7};

// --- Pictures ------------------------------------------------------------------------------------

// From the left: in bind pose, bent, bent with some bones scaled unevenly; with 4 influences.
static void bends_skins_by_their_joints(void **state) {
    (void)state;
    render_fixture f;
    fixture_start_with(&f, fixture_data(), 320, 200, true);
    fixture_look_from(&f, 0.1f, -3.3f, 0.5f);
    fixture_add(&f, "meshes/bar", "materials/checker", -1.4f, 0.0f, -1.0f);
    add_bar(&f, "meshes/bar", "materials/checker", -0.5f, 0.0f, -1.0f, &curled);
    add_bar(&f, "meshes/bar", "materials/bumps", 0.4f, 0.0f, -1.0f, &swollen);
    add_bar(&f, "meshes/bar_four", "materials/checker", 1.3f, 0.0f, -1.0f, &curled);
    fixture_add_sun(&f);
    fixture_picture(&f);
    golden_expect(&f, "skins");
    fixture_stop(&f);
}

static void skins_cast_the_shadows_of_their_poses(void **state) {
    (void)state;
    render_fixture f;
    ct_error error = {0};
    fixture_start_with(&f, fixture_data(), 320, 200, true);
    if (!ct_renderer_set_config(f.renderer, "rendering/shadows", &error))
        fail_msg("%s", error.message);
    const ct_mat4 ground = fixture_pose(0.0f, 0.0f, -0.8f, 60.0f);
    fixture_add_at(&f, "core/meshes/plane", "materials/chalk", &ground);
    add_bar(&f, "meshes/bar", "materials/checker", -0.9f, 0.0f, -0.8f, &curled);
    add_bar(&f, "meshes/bar", "materials/red", 0.9f, 0.0f, -0.8f, &swollen);
    const ct_light_data sun = {.type = CT_LIGHT_TYPE_DIRECTIONAL,
                               .color = {1.0f, 1.0f, 1.0f, 1.0f},
                               .intensity = 1.6f,
                               .is_enabled = true,
                               .casts_shadows = true,
                               .shadow_depth_bias = 0.02f};
    const ct_mat4 pose = ct_mat4_compose(
        ct_vec3_make(0.0f, 0.0f, 0.0f),
        ct_quat_look(ct_vec3_make(0.8f, 0.5f, -1.0f), ct_vec3_make(0.0f, 0.0f, 1.0f)),
        ct_vec3_make(1.0f, 1.0f, 1.0f));
    ct_render_light_create(f.renderer, f.world, &sun, &pose);
    fixture_look_from(&f, 0.4f, -3.4f, 2.3f);
    fixture_picture(&f);
    golden_expect(&f, "skins_shadows");
    fixture_stop(&f);
}

static uint8_t *take_picture(render_fixture *f) {
    fixture_picture(f);
    uint8_t *const pixels = f->pixels;
    f->pixels = NULL;
    return pixels;
}

static uint64_t picture_bytes(const render_fixture *f) {
    return (uint64_t)f->width * f->height * 4;
}

// The largest difference of a channel.
static int difference(const render_fixture *f, const uint8_t *a, const uint8_t *b) {
    return golden_difference(a, b, picture_bytes(f)).most;
}

static void a_straight_pose_is_the_bind_pose(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    fixture_add_sun(&f);
    const posed_bar bar = add_bar(&f, "meshes/bar", "materials/checker", 0.0f, 0.0f, -1.0f, NULL);
    uint8_t *const without = take_picture(&f); // the skeleton has no pose
    set_bend(&f, bar.skeleton, &straight);
    uint8_t *const same = take_picture(&f);
    assert_true(golden_is_alike(golden_difference(without, same, picture_bytes(&f))));
    set_bend(&f, bar.skeleton, &curled);
    uint8_t *const bent = take_picture(&f);
    assert_true(difference(&f, without, bent) > 60);
    // Taken away, it is as it was; so it is when the skeleton ends.
    ct_render_object_set_skeleton(f.renderer, f.world, bar.object, (ct_render_skeleton_id){0});
    uint8_t *const taken = take_picture(&f);
    assert_int_equal(difference(&f, without, taken), 0);
    ct_render_object_set_skeleton(f.renderer, f.world, bar.object, bar.skeleton);
    uint8_t *const again = take_picture(&f);
    assert_int_equal(difference(&f, bent, again), 0);
    ct_render_skeleton_destroy(f.renderer, f.world, bar.skeleton);
    uint8_t *const ended = take_picture(&f);
    assert_int_equal(difference(&f, without, ended), 0);
    uint8_t *const all[] = {without, same, bent, taken, again, ended};
    for (uint32_t i = 0; i < CT_COUNT_OF(all); ++i)
        ct_free(test_heap(), all[i]);
    fixture_stop(&f);
}

static void a_lost_device_draws_the_same_pose_again(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    fixture_add_sun(&f);
    add_bar(&f, "meshes/bar", "materials/red", 0.0f, 0.0f, -1.0f, &curled);
    uint8_t *const before = take_picture(&f);
    ct_renderer_inject_fault(
        f.renderer,
        &(ct_render_fault){.kind = CT_RENDER_FAULT_DEVICE_LOST, .call = 2, .num_times = 1});
    uint8_t *const after = take_picture(&f);
    assert_int_equal(ct_renderer_num_faults(f.renderer), 1);
    assert_int_equal(difference(&f, before, after), 0);
    ct_free(test_heap(), before);
    ct_free(test_heap(), after);
    fixture_stop(&f);
}

static void reload_mesh(render_fixture *f, const char *project, const char *data,
                        const char *text) {
    char file[CT_PATH_BYTES];
    ct_error error = {0};
    ct_path_join(file, project, "meshes/bar.mesh");
    if (!ct_file_write(file, text, strlen(text), false, &error))
        fail_msg("%s", error.message);
    fixture_compile(project, data);
    const ct_resource_id id = ct_resource_id_of("mesh", "meshes/bar");
    assert_int_equal(ct_resource_manager_reload(f->resources, &id, 1), 1);
}

static void a_saved_mesh_keeps_the_pose(void **state) {
    (void)state;
    const char *const project = fixture_copy_project(), *const data = fixture_copy_data();
    render_fixture f;
    fixture_start_with(&f, data, FIXTURE_WIDTH, FIXTURE_HEIGHT, true);
    fixture_add_sun(&f);
    add_bar(&f, "meshes/bar", "materials/red", 0.0f, 0.0f, -1.0f, &curled);
    uint8_t *const eight = take_picture(&f);
    reload_mesh(&f, project, data, "source = \"meshes/bar.gltf\"\n");
    uint8_t *const four = take_picture(&f);
    // Another shape, which has no skin, and back.
    reload_mesh(&f, project, data, "source = \"core/meshes/cube.gltf\"\n");
    uint8_t *const cube = take_picture(&f);
    reload_mesh(&f, project, data, "source = \"meshes/bar.gltf\"  max_influences = 8\n");
    uint8_t *const again = take_picture(&f);
    assert_true(difference(&f, eight, four) > 0);
    assert_true(golden_difference(eight, four, picture_bytes(&f)).mean < 2);
    assert_true(golden_difference(eight, cube, picture_bytes(&f)).mean > 4);
    assert_int_equal(difference(&f, eight, again), 0);
    uint8_t *const all[] = {eight, four, cube, again};
    for (uint32_t i = 0; i < CT_COUNT_OF(all); ++i)
        ct_free(test_heap(), all[i]);
    fixture_stop(&f);
}

// --- The frame before ----------------------------------------------------------------------------

static void move_bar(render_fixture *f, ct_render_skeleton_id skeleton, float x) {
    bend b = straight;
    b.move.x = x;
    set_bend(f, skeleton, &b);
}

// Draws a frame: 'r' when the bar has moved to the right since the frame before, 'l' to the left,
// '0' not at all.
static char seen_motion(render_fixture *f) {
    fixture_picture(f);
    const uint8_t *const pixel = fixture_pixel(f, 0.5f, 0.5f);
    return pixel[0] > pixel[1] && pixel[0] > pixel[2] ? 'r' : pixel[2] > pixel[1] ? 'l' : '0';
}

static void keeps_the_joints_of_the_frame_before(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    fixture_look_from(&f, 0.0f, -3.0f, 0.0f);
    const posed_bar bar = add_bar(&f, "meshes/bar", "materials/motion", 0.0f, 0.0f, -1.0f, NULL);
    const ct_render_skeleton_id skeleton = bar.skeleton;
    move_bar(&f, skeleton, 0.0f);
    assert_int_equal(seen_motion(&f), '0'); // nothing was before
    move_bar(&f, skeleton, 0.08f);
    assert_int_equal(seen_motion(&f), 'r');
    assert_int_equal(seen_motion(&f), '0');
    move_bar(&f, skeleton, 0.0f);
    assert_int_equal(seen_motion(&f), 'l');
    // It was not drawn in the frame before, but had a pose.
    fixture_look_from(&f, 0.0f, -300.0f, 0.0f);
    move_bar(&f, skeleton, -0.08f);
    fixture_picture(&f);
    fixture_look_from(&f, 0.0f, -3.0f, 0.0f);
    move_bar(&f, skeleton, 0.0f);
    assert_int_equal(seen_motion(&f), 'r');
    // What was hidden in the frame before has not moved since.
    ct_render_object_set_visible(f.renderer, f.world, bar.object, false);
    fixture_picture(&f);
    ct_render_object_set_visible(f.renderer, f.world, bar.object, true);
    move_bar(&f, skeleton, -0.08f);
    assert_int_equal(seen_motion(&f), '0');
    move_bar(&f, skeleton, 0.0f);
    assert_int_equal(seen_motion(&f), 'r');
    // Others take so much memory that the palettes of the frame before are lost.
    for (uint32_t i = 0; i < 100; ++i)
        add_bar(&f, "meshes/bar", "materials/red", -1.0f + 0.02f * (float)i, 2.0f, -1.0f, &curled);
    move_bar(&f, skeleton, 0.08f);
    assert_int_equal(seen_motion(&f), 'r');
    move_bar(&f, skeleton, 0.0f);
    assert_int_equal(seen_motion(&f), 'l');
    fixture_stop(&f);
}

// --- Culling -------------------------------------------------------------------------------------

// Draws a frame and returns the objects in it.
static uint32_t count_drawn(render_fixture *f) {
    fixture_picture(f);
    return ct_renderer_stats(f->renderer).num_instances;
}

static void is_culled_by_where_its_joints_are(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    const posed_bar bar = add_bar(&f, "meshes/bar", "materials/red", 0.0f, 0.0f, -1.0f, &curled);
    assert_int_equal(count_drawn(&f), 1);
    // The object is in view and its joints are far behind the camera; then the object is behind it
    // and the joints are in view.
    bend far = curled;
    far.move = ct_vec3_make(0.0f, -500.0f, 0.0f);
    set_bend(&f, bar.skeleton, &far);
    assert_int_equal(count_drawn(&f), 0);
    const ct_mat4 away = fixture_pose(0.0f, 500.0f, -1.0f, 1.0f);
    ct_render_objects_set_poses(f.renderer, f.world, &bar.object, &away, 1);
    assert_int_equal(count_drawn(&f), 1);
    set_bend(&f, bar.skeleton, &straight);
    f.view.projection = ct_mat4_perspective(0.9f, 4.0f / 3.0f, 0.1f, 20.0f);
    assert_int_equal(count_drawn(&f), 0);
    fixture_stop(&f);
}

static void is_not_drawn_by_poses_without_a_place(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    const posed_bar bar = add_bar(&f, "meshes/bar", "materials/red", 0.0f, 0.0f, -1.0f, NULL);
    const float bad[] = {NAN, INFINITY, -INFINITY, 1e38f};
    for (uint32_t i = 0; i < CT_COUNT_OF(bad); ++i) {
        ct_render_joint_pose joints[NUM_BONES];
        pose_bar(&straight, joints);
        joints[7].rows[1][i == 3 ? 1 : 3] = bad[i];
        ct_render_skeleton_set_pose(f.renderer, f.world, bar.skeleton, joints, NUM_BONES);
        assert_int_equal(count_drawn(&f), 0);
    }
    set_bend(&f, bar.skeleton, &straight);
    assert_int_equal(count_drawn(&f), 1);
    fixture_stop(&f);
}

// Two objects of one mesh in one call though each has a pose of its own; one in bind pose apart.
static void draws_posed_objects_together(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    add_bar(&f, "meshes/bar", "materials/red", -0.6f, 0.0f, -1.0f, &curled);
    add_bar(&f, "meshes/bar", "materials/red", 0.6f, 0.0f, -1.0f, &swollen);
    fixture_picture(&f);
    assert_int_equal(ct_renderer_stats(f.renderer).num_draws, 2); // and the pass
    fixture_add(&f, "meshes/bar", "materials/red", 0.0f, 0.0f, -1.0f);
    fixture_picture(&f);
    assert_true(ct_renderer_stats(f.renderer).num_draws >= 3);
    assert_int_equal(ct_renderer_stats(f.renderer).num_instances, 3);
    fixture_stop(&f);
}

// --- Bad input -----------------------------------------------------------------------------------

static void names_a_joint_that_the_skeleton_does_not_have(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    const uint64_t warnings = ct_log_warning_count("skin_joint_missing");
    for (uint32_t i = 0; i < 2; ++i) {
        const ct_render_object_id object =
            fixture_add(&f, "meshes/bar", "materials/red", (float)i, 0.0f, -1.0f);
        const ct_render_skeleton_id skeleton = add_skeleton(&f, NUM_BONES - 1);
        ct_render_joint_pose joints[NUM_BONES];
        pose_bar(&curled, joints);
        ct_render_skeleton_set_pose(f.renderer, f.world, skeleton, joints, NUM_BONES - 1);
        ct_render_object_set_skeleton(f.renderer, f.world, object, skeleton);
        fixture_picture(&f);
    }
    assert_int_equal(ct_log_warning_count("skin_joint_missing") - warnings, 1);
    fixture_stop(&f);
}

static void ignores_what_does_not_exist(void **state) {
    (void)state;
    render_fixture f;
    fixture_start(&f);
    const posed_bar bar = add_bar(&f, "meshes/bar", "materials/red", 0.0f, 0.0f, -1.0f, &curled);
    const ct_render_object_id cube =
        fixture_add(&f, "core/meshes/cube", "materials/red", 0.0f, 0.0f, 0.0f);
    uint8_t *const before = take_picture(&f);
    ct_render_joint_pose joints[NUM_BONES];
    pose_bar(&straight, joints);
    const ct_render_skeleton_id none = {123456};
    ct_render_skeleton_set_pose(f.renderer, f.world, none, joints, NUM_BONES);
    ct_render_skeleton_set_pose(f.renderer, f.world, bar.skeleton, joints, NUM_BONES - 1);
    ct_render_skeleton_destroy(f.renderer, f.world, none);
    ct_render_object_set_skeleton(f.renderer, f.world, (ct_render_object_id){9999}, bar.skeleton);
    ct_render_object_set_skeleton(f.renderer, f.world, cube, bar.skeleton); // it has no skin
    assert_null(ct_render_skeletons_pose(f.renderer, f.world, NULL, NULL, 0));
    uint8_t *const after = take_picture(&f);
    assert_int_equal(difference(&f, before, after), 0);
    ct_free(test_heap(), before);
    ct_free(test_heap(), after);
    fixture_stop(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bends_skins_by_their_joints),
        cmocka_unit_test(skins_cast_the_shadows_of_their_poses),
        cmocka_unit_test(a_straight_pose_is_the_bind_pose),
        cmocka_unit_test(a_lost_device_draws_the_same_pose_again),
        cmocka_unit_test(a_saved_mesh_keeps_the_pose),
        cmocka_unit_test(keeps_the_joints_of_the_frame_before),
        cmocka_unit_test(is_culled_by_where_its_joints_are),
        cmocka_unit_test(is_not_drawn_by_poses_without_a_place),
        cmocka_unit_test(draws_posed_objects_together),
        cmocka_unit_test(names_a_joint_that_the_skeleton_does_not_have),
        cmocka_unit_test(ignores_what_does_not_exist),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
