#include "render/object/render_skeletons.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "foundation/math/random.h"
#include "render/object/render_objects.h"
#include "support/test_support.h"

enum { MESH_JOINTS = 5, SKELETON_JOINTS = 7 };

// A table of one skinned mesh at index 1; nothing on a device.
typedef struct skins_fixture {
    ct_render_meshes meshes;
    ct_render_mesh items[2];
    ct_render_skin_joint joints[MESH_JOINTS];
    ct_render_world world;
    ct_random random;
} skins_fixture;

static const ct_render_object_id object = {1};
static const ct_render_skeleton_id skeleton = {2};

static float between(skins_fixture *f, float least, float most) {
    return ct_random_float_range(&f->random, least, most);
}

static void random_matrix(skins_fixture *f, float rows[3][4]) {
    for (uint32_t i = 0; i < 12; ++i)
        rows[i / 4][i % 4] = between(f, -2.0f, 2.0f);
}

static void start(skins_fixture *f) {
    memset(f, 0, sizeof(*f));
    f->random = ct_random_seeded(7, 1);
    f->items[1] = (ct_render_mesh){.center = {1.0f, 0.0f, 0.0f},
                                   .radius = 2.0f,
                                   .num_influences = 4,
                                   .skin_joints = f->joints,
                                   .num_skin_joints = MESH_JOINTS};
    // Only whether there is a buffer is looked at.
    memset(&f->items[1].buffer.handle, 1, sizeof(f->items[1].buffer.handle));
    f->meshes.items.items = f->items;
    f->meshes.items.count = 2;
    for (uint32_t i = 0; i < MESH_JOINTS; ++i) {
        f->joints[i].name = (ct_string_id32){100 + i};
        f->joints[i].sphere[3] = between(f, 0.1f, 1.0f);
        for (uint32_t k = 0; k < 3; ++k)
            f->joints[i].sphere[k] = between(f, -3.0f, 3.0f);
        random_matrix(f, f->joints[i].inverse_bind);
    }
    ct_render_world_init(&f->world, test_heap(), (ct_render_world_id){1});
    const ct_mat4 pose = ct_mat4_identity();
    ct_render_world_add_object(&f->world, object, 1, NULL, 0, &pose, &f->meshes);
}

static void add_skeleton(skins_fixture *f, uint32_t first_name, uint32_t count) {
    ct_string_id32 names[SKELETON_JOINTS];
    for (uint32_t i = 0; i < count; ++i) // backwards: the order of the mesh's does not matter
        names[i] = (ct_string_id32){first_name + count - 1 - i};
    ct_render_skeletons_add(&f->world.skeletons, skeleton, names, count);
}

static const ct_render_skin *skin_of(const skins_fixture *f) {
    return &f->world.skeletons.skins.items[f->world.skins[0]];
}

// `rows` are 3 of 4.
static void move(const float *rows, const float p[3], float moved[3]) {
    for (uint32_t row = 0; row < 3; ++row, rows += 4)
        moved[row] = rows[0] * p[0] + rows[1] * p[1] + rows[2] * p[2] + rows[3];
}

// A point in the sphere of a joint, posed.
static void random_point(skins_fixture *f, uint32_t joint, const float *pose, float point[3]) {
    float inside[3], length = 0.0f;
    for (uint32_t k = 0; k < 3; ++k) {
        inside[k] = between(f, -1.0f, 1.0f);
        length += inside[k] * inside[k];
    }
    const float factor = f->joints[joint].sphere[3] / fmaxf(sqrtf(length), 1.0f);
    for (uint32_t k = 0; k < 3; ++k)
        inside[k] = f->joints[joint].sphere[k] + inside[k] * factor;
    move(pose, inside, point);
}

// Property: whatever the pose and the object's, blended points are in the object's sphere.
static void the_sphere_holds_all_blended_points(void **state) {
    (void)state;
    skins_fixture f;
    start(&f);
    add_skeleton(&f, 100, MESH_JOINTS);
    ct_render_world_set_skeleton(&f.world, object, skeleton);
    for (uint32_t round = 0; round < test_rounds(300, 3000); ++round) {
        ct_render_joint_pose joints[MESH_JOINTS], pose;
        for (uint32_t i = 0; i < MESH_JOINTS; ++i)
            random_matrix(&f, joints[i].rows);
        random_matrix(&f, pose.rows);
        ct_mat4 m = ct_mat4_identity();
        for (uint32_t i = 0; i < 12; ++i)
            m.raw[i % 4][i / 4] = pose.rows[i / 4][i % 4];
        ct_render_skeletons_set_pose(&f.world.skeletons, skeleton, joints, MESH_JOINTS, round + 1);
        ct_render_world_set_poses(&f.world, &object, &m, 1, &f.meshes);
        ct_render_world_refresh_bounds(&f.world, &f.meshes);
        assert_true(ct_render_world_is_posed(&f.world, 0));
        const float *const sphere = f.world.spheres[0];
        for (uint32_t k = 0; k < 20; ++k) {
            float a[3], b[3], blended[3], point[3], distance = 0.0f;
            const uint32_t first = k % MESH_JOINTS, second = (k / MESH_JOINTS) % MESH_JOINTS;
            random_point(&f, first, joints[MESH_JOINTS - 1 - first].rows[0], a);
            random_point(&f, second, joints[MESH_JOINTS - 1 - second].rows[0], b);
            const float weight = between(&f, 0.0f, 1.0f);
            for (uint32_t i = 0; i < 3; ++i)
                blended[i] = a[i] * weight + b[i] * (1.0f - weight);
            move(pose.rows[0], blended, point);
            for (uint32_t i = 0; i < 3; ++i)
                distance += (point[i] - sphere[i]) * (point[i] - sphere[i]);
            assert_true(sqrtf(distance) <= sphere[3] * 1.0001f);
        }
    }
    ct_render_world_shutdown(&f.world);
}

// Not just anything that is large enough: a still pose gives a sphere as tight as the joints'.
static void the_sphere_is_tight(void **state) {
    (void)state;
    skins_fixture f;
    start(&f);
    f.items[1].num_skin_joints = 1;
    add_skeleton(&f, 100, 1);
    ct_render_world_set_skeleton(&f.world, object, skeleton);
    const ct_render_joint_pose pose = {{{0, 3, 0, 5}, {3, 0, 0, 6}, {0, 0, 3, 7}}};
    ct_render_skeletons_set_pose(&f.world.skeletons, skeleton, &pose, 1, 1);
    ct_render_world_refresh_bounds(&f.world, &f.meshes);
    float center[3];
    move(pose.rows[0], f.joints[0].sphere, center);
    for (uint32_t k = 0; k < 3; ++k)
        assert_true(fabsf(f.world.spheres[0][k] - center[k]) < 1e-4f);
    assert_true(fabsf(f.world.spheres[0][3] - 3.0f * f.joints[0].sphere[3]) < 1e-4f);
    // Without the skeleton it is the mesh's own again.
    ct_render_skeletons_remove(&f.world.skeletons, skeleton);
    ct_render_world_refresh_bounds(&f.world, &f.meshes);
    assert_false(ct_render_world_is_posed(&f.world, 0));
    assert_true(f.world.spheres[0][0] == 1.0f && f.world.spheres[0][3] == 2.0f);
    ct_render_world_shutdown(&f.world);
}

static void writes_the_matrices_of_joints_by_name(void **state) {
    (void)state;
    skins_fixture f;
    start(&f);
    add_skeleton(&f, 101, SKELETON_JOINTS); // without the mesh's first joint
    ct_render_world_set_skeleton(&f.world, object, skeleton);
    ct_render_joint_pose joints[SKELETON_JOINTS];
    for (uint32_t i = 0; i < SKELETON_JOINTS; ++i)
        random_matrix(&f, joints[i].rows);
    ct_render_skeletons_set_pose(&f.world.skeletons, skeleton, joints, SKELETON_JOINTS, 1);
    ct_render_world_refresh_bounds(&f.world, &f.meshes);
    float rows[MESH_JOINTS][3][4];
    ct_render_skin_write(skin_of(&f), &f.items[1], joints, rows[0]);
    for (uint32_t row = 0; row < 3; ++row)
        for (uint32_t column = 0; column < 4; ++column)
            assert_true(rows[0][row][column] == (row == column ? 1.0f : 0.0f));
    for (uint32_t i = 1; i < MESH_JOINTS; ++i) {
        const float p[3] = {0.5f, -2.0f, 3.0f};
        float bound[3], expected[3], found[3];
        move(f.joints[i].inverse_bind[0], p, bound);
        move(joints[SKELETON_JOINTS - i].rows[0], bound, expected);
        move(rows[i][0], p, found);
        for (uint32_t k = 0; k < 3; ++k)
            assert_true(fabsf(found[k] - expected[k]) < 1e-3f);
    }
    ct_render_world_shutdown(&f.world);
}

static float x_of(const ct_render_joint_pose *joints) {
    return joints[0].rows[0][3];
}

static void keeps_the_pose_of_the_frame_before(void **state) {
    (void)state;
    skins_fixture f;
    start(&f);
    add_skeleton(&f, 100, 1);
    ct_render_skeletons *const s = &f.world.skeletons;
    const ct_render_skeleton *const x = &s->skeletons.items[1];
    const struct {
        uint64_t frame;
        float set, now, before;
    } steps[] = {
        {5, 1.0f, 1.0f, 1.0f},                        // the first: nothing was before
        {6, 2.0f, 2.0f, 1.0f}, {6, 3.0f, 3.0f, 1.0f}, // twice in a frame
        {7, 0.0f, 3.0f, 3.0f},                        // not set
        {8, 4.0f, 4.0f, 3.0f}, {20, 5.0f, 5.0f, 4.0f},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(steps); ++i) {
        const ct_render_joint_pose pose = {{{1, 0, 0, steps[i].set}}};
        if (steps[i].set != 0.0f)
            ct_render_skeletons_set_pose(s, skeleton, &pose, 1, steps[i].frame);
        assert_true(x_of(ct_render_skeleton_pose(x)) == steps[i].now);
        assert_true(x_of(ct_render_skeleton_previous(x, steps[i].frame)) == steps[i].before);
    }
    ct_render_world_shutdown(&f.world);
}

// Property: as a plain list of which object has which skeleton, whatever comes and goes.
static void keeps_the_skins_of_objects_that_move_in_the_arrays(void **state) {
    (void)state;
    enum { MAX_IDS = 200, SKELETONS = 4 };
    static uint32_t model[MAX_IDS + 10]; // by id: skeleton + 1; 0: there is no such object
    skins_fixture f;
    start(&f);
    model[1] = 1;
    const ct_mat4 pose = ct_mat4_identity();
    for (uint32_t i = 1; i <= SKELETONS; ++i) {
        const ct_string_id32 name = {100};
        ct_render_skeletons_add(&f.world.skeletons, (ct_render_skeleton_id){1000 + i}, &name, 1);
    }
    for (uint32_t round = 0; round < test_rounds(5000, 50000); ++round) {
        const ct_render_object_id id = {1 + ct_random_u32(&f.random) % MAX_IDS};
        const uint32_t choice = ct_random_u32(&f.random) % 3;
        const uint32_t chosen = ct_random_u32(&f.random) % (SKELETONS + 1);
        if (choice == 0 && !model[id.value]) {
            ct_render_world_add_object(&f.world, id, 1, NULL, 0, &pose, &f.meshes);
            model[id.value] = 1;
        } else if (choice == 1) {
            ct_render_world_remove_objects(&f.world, &id, 1);
            model[id.value] = 0;
        } else {
            ct_render_world_set_skeleton(&f.world, id,
                                         (ct_render_skeleton_id){chosen ? 1000 + chosen : 0});
            model[id.value] = model[id.value] ? chosen + 1 : 0;
        }
        if (round % 100 == 0)
            ct_render_world_refresh_bounds(&f.world, &f.meshes);
    }
    uint32_t num_skins = 0;
    for (uint32_t i = 0; i < f.world.objects.count; ++i) {
        const bool has_skin = f.world.flags[i] & CT_RENDER_OBJECT_SKINNED;
        const uint32_t expected = model[f.world.ids[i].value] - 1;
        const ct_render_skin *const skin = &f.world.skeletons.skins.items[f.world.skins[i]];
        num_skins += has_skin;
        assert_true(has_skin || expected == 0);
        assert_true(!has_skin || skin->object == i);
        assert_true(!has_skin || skin->id.value == (expected ? 1000 + expected : 0));
    }
    assert_int_equal(f.world.skeletons.num_skins, num_skins);
    ct_render_world_shutdown(&f.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sphere_holds_all_blended_points),
        cmocka_unit_test(the_sphere_is_tight),
        cmocka_unit_test(writes_the_matrices_of_joints_by_name),
        cmocka_unit_test(keeps_the_pose_of_the_frame_before),
        cmocka_unit_test(keeps_the_skins_of_objects_that_move_in_the_arrays),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
