// Clouds of a world without a device.
#include "render/object/render_clouds.h"

#include "support/test_support.h"

static ct_particle_instance instances[100];

static void keeps_copies_until_the_next_clouds(void **state) {
    (void)state;
    ct_render_clouds c;
    ct_render_clouds_init(&c, test_heap());
    for (uint32_t round = 0; round < 3; ++round) {
        ct_render_clouds_clear(&c);
        for (uint32_t i = 0; i < 5; ++i) {
            instances[i].frame = (float)(round * 10 + i);
            ct_render_clouds_add(&c, &(ct_render_cloud_desc){.order = i}, 3 + i, instances, i + 1,
                                 (ct_render_emitter_id){0});
        }
        instances[0].frame = -1.0f;
        assert_int_equal(c.items.count, 5);
        assert_int_equal(c.instances.count, 15);
        for (uint32_t i = 0; i < 5; ++i) {
            const ct_render_cloud *const cloud = &c.items.items[i];
            assert_int_equal(cloud->desc.order, i);
            assert_int_equal(cloud->material, 3 + i);
            assert_int_equal(cloud->count, i + 1);
            assert_true(c.instances.items[cloud->first + i].frame == (float)(round * 10 + i));
        }
    }
    ct_render_clouds_free(&c);
}

static void compares_all_of_a_look_but_place_and_order(void **state) {
    (void)state;
    const ct_render_cloud_desc a = {.material = {1}, .grid = {2, 3}, .pivot = {0.5f, 0.5f}};
    ct_render_cloud_desc same = a;
    same.sphere[0] = same.sort_position[2] = 5.0f;
    same.order = 3;
    same.sort = CT_PARTICLE_SORT_DISTANCE;
    assert_true(ct_render_clouds_look_same(&a, &same));
    ct_render_cloud_desc others[] = {a, a, a, a, a, a, a, a};
    others[0].material.value = 2;
    others[1].is_ribbon = 1;
    others[2].facing = CT_PARTICLE_FACING_POINT;
    others[3].blends = 1;
    others[4].grid[1] = 4;
    others[5].axis[0] = 1.0f;
    others[6].stretch = 1.0f;
    others[7].pivot[1] = 0.0f;
    for (uint32_t i = 0; i < CT_COUNT_OF(others); ++i)
        assert_false(ct_render_clouds_look_same(&a, &others[i]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_copies_until_the_next_clouds),
        cmocka_unit_test(compares_all_of_a_look_but_place_and_order),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
