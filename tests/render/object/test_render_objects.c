#include "render/object/render_objects.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "support/test_support.h"

// A table of one mesh of radius 2 around (1, 0, 0), at index 1; nothing on a device.
typedef struct objects_fixture {
    ct_render_meshes meshes;
    ct_render_mesh items[2];
    ct_render_world world;
} objects_fixture;

static void start(objects_fixture *f) {
    memset(f, 0, sizeof(*f));
    // Only whether there is a buffer is looked at.
    f->items[1] = (ct_render_mesh){.center = {1.0f, 0.0f, 0.0f}, .radius = 2.0f};
    memset(&f->items[1].buffer.handle, 1, sizeof(f->items[1].buffer.handle));
    f->meshes.items.items = f->items;
    f->meshes.items.count = 2;
    ct_render_world_init(&f->world, test_heap(), (ct_render_world_id){1});
}

static ct_mat4 pose_at(float x) {
    return ct_mat4_compose(ct_vec3_make(x, 0.0f, 0.0f), ct_quat_identity(),
                           ct_vec3_make(1.0f, 1.0f, 1.0f));
}

static uint32_t num_materials_of(uint32_t id) {
    return id % 3 ? 1 : CT_MESH_MAX_MATERIALS;
}

static void add(objects_fixture *f, uint32_t id, float x) {
    // Some have more parts than others.
    uint32_t materials[CT_MESH_MAX_MATERIALS];
    for (uint32_t part = 0; part < CT_MESH_MAX_MATERIALS; ++part)
        materials[part] = id + 100 + part;
    const ct_mat4 pose = pose_at(x);
    ct_render_world_add_object(&f->world, (ct_render_object_id){id}, 1, materials,
                               num_materials_of(id), &pose, &f->meshes);
}

// Property: as a plain list of what lives, whatever is added, moved and removed.
static void keeps_objects_as_a_list_would(void **state) {
    (void)state;
    enum { MAX_IDS = 2000 };
    static float model[MAX_IDS + 1]; // x by id; negative: not there
    objects_fixture f;
    start(&f);
    uint32_t random = 11, last_id = 0, num_live = 0;
    for (uint32_t round = 0; round < test_rounds(20000, 500000); ++round) {
        const uint32_t choice = test_random(&random) % 4;
        const ct_render_object_id id = {last_id ? 1 + test_random(&random) % last_id : 0};
        if (choice < 2 && last_id < MAX_IDS) {
            model[++last_id] = (float)(test_random(&random) % 1000);
            add(&f, last_id, model[last_id]);
            ++num_live;
        } else if (choice == 2 && id.value) {
            num_live -= model[id.value] >= 0.0f;
            model[id.value] = -1.0f;
            ct_render_world_remove_objects(&f.world, &id, 1);
        } else if (id.value) {
            const ct_mat4 pose = pose_at((float)(round % 1000));
            if (model[id.value] >= 0.0f)
                model[id.value] = (float)(round % 1000);
            ct_render_world_set_poses(&f.world, &id, &pose, 1, &f.meshes);
        }
        assert_int_equal(f.world.objects.count, num_live);
    }
    for (uint32_t i = 0; i < f.world.objects.count; ++i) {
        const uint32_t id = f.world.ids[i].value;
        assert_true(model[id] >= 0.0f && f.world.instances[i].rows[0][3] == model[id]);
        assert_true(f.world.spheres[i][0] == model[id] + 1.0f);
        for (uint32_t part = 0; part <= CT_MESH_MAX_MATERIALS; ++part)
            assert_int_equal(ct_render_world_material(&f.world, i, part),
                             part < num_materials_of(id) ? id + 100 + part : 0);
    }
    ct_render_world_shutdown(&f.world);
}

static void changes_materials_of_far_parts(void **state) {
    (void)state;
    objects_fixture f;
    start(&f);
    add(&f, 1, 0.0f);
    add(&f, 2, 0.0f);
    const ct_render_object_id id = {2};
    ct_render_world_set_material(&f.world, id, 63, 0);
    assert_int_equal(f.world.more_materials.count, 1); // none needs a place
    ct_render_world_set_material(&f.world, id, 63, 5);
    ct_render_world_set_material(&f.world, id, CT_MESH_MAX_MATERIALS, 6); // nowhere
    assert_int_equal(ct_render_world_material(&f.world, 1, 63), 5);
    assert_int_equal(ct_render_world_material(&f.world, 1, 62), 0);
    assert_int_equal(ct_render_world_material(&f.world, 0, 63), 0);
    // The place goes to the next one, empty.
    ct_render_world_remove_objects(&f.world, &id, 1);
    ct_render_world_set_material(&f.world, (ct_render_object_id){1}, 40, 7);
    assert_int_equal(f.world.more_materials.count, 2);
    assert_int_equal(ct_render_world_material(&f.world, 0, 40), 7);
    assert_int_equal(ct_render_world_material(&f.world, 0, 63), 0);
    ct_render_world_shutdown(&f.world);
}

static void finds_poses_in_any_order(void **state) {
    (void)state;
    objects_fixture f;
    start(&f);
    for (uint32_t id = 1; id <= 5; ++id)
        add(&f, id, 0.0f);
    const ct_render_object_id ids[] = {{4}, {5}, {77}, {1}, {2}};
    ct_mat4 poses[5];
    for (uint32_t i = 0; i < 5; ++i)
        poses[i] = pose_at((float)(10 + ids[i].value));
    ct_render_world_set_poses(&f.world, ids, poses, 5, &f.meshes);
    const float expected[] = {11.0f, 12.0f, 0.0f, 14.0f, 15.0f};
    for (uint32_t i = 0; i < 5; ++i)
        assert_true(f.world.instances[i].rows[0][3] == expected[i]);
    ct_render_world_shutdown(&f.world);
}

static void bounds_follow_scale_and_mirroring_is_seen(void **state) {
    (void)state;
    objects_fixture f;
    start(&f);
    add(&f, 1, 0.0f);
    const ct_render_object_id id = {1};
    const ct_mat4 pose =
        ct_mat4_compose(ct_vec3_make(0.0f, 0.0f, 5.0f),
                        ct_quat_axis_angle(ct_vec3_make(0.0f, 0.0f, 1.0f), 1.5707963f),
                        ct_vec3_make(3.0f, -1.0f, 0.5f));
    assert_int_equal(f.world.flags[0], 0);
    ct_render_world_set_poses(&f.world, &id, &pose, 1, &f.meshes);
    assert_int_equal(f.world.flags[0], CT_RENDER_OBJECT_MIRRORED);
    assert_float_equal(f.world.spheres[0][0], 0.0f, 1e-5f); // x became y
    assert_float_equal(f.world.spheres[0][1], 3.0f, 1e-5f);
    assert_float_equal(f.world.spheres[0][2], 5.0f, 1e-5f);
    assert_float_equal(f.world.spheres[0][3], 6.0f, 1e-5f);
    ct_render_world_shutdown(&f.world);
}

static void bounds_follow_meshes_that_come_and_go(void **state) {
    (void)state;
    objects_fixture f;
    start(&f);
    const VkBuffer handle = f.items[1].buffer.handle;
    f.items[1].buffer.handle = VK_NULL_HANDLE;
    add(&f, 1, 0.0f);
    assert_true(f.world.spheres[0][3] < 0.0f);
    f.items[1].buffer.handle = handle;
    f.items[1].changed_version = f.meshes.version = 1;
    ct_render_world_refresh_bounds(&f.world, &f.meshes);
    assert_true(f.world.spheres[0][3] == 2.0f);
    ct_render_world_shutdown(&f.world);
}

static void an_object_without_a_place_is_not_seen(void **state) {
    (void)state;
    objects_fixture f;
    start(&f);
    add(&f, 1, 0.0f);
    add(&f, 2, NAN);
    add(&f, 3, INFINITY);
    add(&f, 4, -INFINITY);
    assert_true(f.world.spheres[0][3] == 2.0f);
    for (uint32_t i = 1; i < 4; ++i)
        assert_true(f.world.spheres[i][3] < 0.0f);
    const ct_render_object_id id = {2};
    const ct_mat4 pose = pose_at(3.0f);
    ct_render_world_set_poses(&f.world, &id, &pose, 1, &f.meshes);
    assert_true(f.world.spheres[1][3] == 2.0f);
    ct_render_world_shutdown(&f.world);
}

static void removed_objects_give_their_values_back(void **state) {
    (void)state;
    objects_fixture f;
    start(&f);
    const ct_string_id32 names[2] = {{1}, {2}};
    const float value[4] = {1.0f, 2.0f, 3.0f, 4.0f};
    for (uint32_t round = 0; round < 10; ++round) {
        for (uint32_t id = 1; id <= 3; ++id) {
            add(&f, id, 0.0f);
            for (uint32_t k = 0; k < 4; ++k)
                ct_render_world_set_value(&f.world, (ct_render_object_id){id}, names[k % 2], value);
        }
        assert_int_equal(f.world.values.count, 1 + 3 * 2);
        const ct_render_object_id ids[3] = {{2}, {1}, {3}};
        ct_render_world_remove_objects(&f.world, ids, 3);
    }
    ct_render_world_set_value(&f.world, (ct_render_object_id){9}, names[0], value); // not there
    ct_render_world_shutdown(&f.world);
}

static void counts_outlined_objects(void **state) {
    (void)state;
    objects_fixture f;
    start(&f);
    const float value[4] = {1.0f, 0.5f, 0.0f, 0.25f};
    for (uint32_t id = 1; id <= 3; ++id)
        add(&f, id, 0.0f);
    const ct_render_object_id a = {1}, b = {2};
    ct_render_world_set_outline(&f.world, a, value, false);
    ct_render_world_set_outline(&f.world, a, value, false);
    ct_render_world_set_outline(&f.world, b, value, false);
    ct_render_world_set_outline(&f.world, (ct_render_object_id){9}, value, false); // not there
    assert_int_equal(f.world.num_outlined, 2);
    assert_int_equal(f.world.values.count, 1 + 2);
    ct_render_world_set_outline(&f.world, a, NULL, false);
    ct_render_world_set_outline(&f.world, a, NULL, false);
    assert_int_equal(f.world.num_outlined, 1);
    assert_int_equal(f.world.first_value[0], 0);
    ct_render_world_remove_objects(&f.world, &b, 1);
    assert_int_equal(f.world.num_outlined, 0);
    // Other values stay, whichever came first.
    const ct_string_id32 other = {7};
    ct_render_world_set_value(&f.world, a, other, value);
    ct_render_world_set_outline(&f.world, a, value, false);
    ct_render_world_set_outline(&f.world, a, NULL, false);
    const uint32_t at = f.world.first_value[0];
    assert_int_equal(f.world.values.items[at].name.value, other.value);
    assert_int_equal(f.world.values.items[at].next, 0);
    ct_render_world_shutdown(&f.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_objects_as_a_list_would),
        cmocka_unit_test(changes_materials_of_far_parts),
        cmocka_unit_test(finds_poses_in_any_order),
        cmocka_unit_test(bounds_follow_scale_and_mirroring_is_seen),
        cmocka_unit_test(bounds_follow_meshes_that_come_and_go),
        cmocka_unit_test(an_object_without_a_place_is_not_seen),
        cmocka_unit_test(removed_objects_give_their_values_back),
        cmocka_unit_test(counts_outlined_objects),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
