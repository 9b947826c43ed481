// What the update thread sends of particles.
#include <string.h>

#include "render/render_stream.h"
#include "support/test_support.h"

static ct_renderer *start(void) {
    return ct_renderer_create_recorder(
        &(ct_renderer_desc){.allocator = test_heap(), .width = 320, .height = 200});
}

static void fill(ct_particle_instance *instances, uint32_t count, float mark) {
    for (uint32_t i = 0; i < count; ++i)
        instances[i] = (ct_particle_instance){.position = {mark, (float)i, 0.0f}};
}

static void expect_filled(const ct_particle_instance *instances, uint32_t count, float mark) {
    for (uint32_t i = 0; i < count; ++i)
        assert_true(instances[i].position[0] == mark && instances[i].position[1] == (float)i);
}

static void sends_clouds_in_order(void **state) {
    (void)state;
    ct_renderer *const r = start();
    const ct_render_world_id world = ct_render_world_create(r);
    ct_renderer_end_frame(r);
    ct_render_particles_begin(r, world);
    for (uint32_t i = 1; i <= 3; ++i) {
        const ct_render_cloud_desc desc = {.material = {i}, .order = 7 + i};
        ct_particle_instance *const instances = ct_render_particles_add(r, world, &desc, 5 * i);
        assert_int_equal((uintptr_t)instances % 16, 0);
        fill(instances, 5 * i, (float)i);
    }
    const ct_render_command_header *header;
    const void *payload;
    uint64_t cursor = 0;
    header = ct_render_stream_next(ct_renderer_stream(r), &cursor, &payload);
    assert_int_equal(header->type, CT_RENDER_COMMAND_TYPE_CLOUDS_BEGIN);
    assert_int_equal(((const ct_render_command_world *)payload)->world.value, world.value);
    for (uint32_t i = 1; i <= 3; ++i) {
        header = ct_render_stream_next(ct_renderer_stream(r), &cursor, &payload);
        assert_int_equal(header->type, CT_RENDER_COMMAND_TYPE_CLOUD);
        const ct_render_command_cloud *const x = payload;
        assert_int_equal(x->world.value, world.value);
        assert_int_equal(x->count, 5 * i);
        assert_int_equal(x->desc.material.value, i);
        assert_int_equal(x->desc.order, 7 + i);
        expect_filled((const ct_particle_instance *)(x + 1), 5 * i, (float)i);
    }
    assert_null(ct_render_stream_next(ct_renderer_stream(r), &cursor, &payload));
    ct_renderer_destroy(r);
}

static void sets_the_sphere_of_the_cloud_added_last(void **state) {
    (void)state;
    static const float spheres[][4] = {{1.0f, 2.0f, 3.0f, 4.0f}, {5.0f, 6.0f, 7.0f, 8.0f}};
    ct_renderer *const r = start();
    const ct_render_world_id world = ct_render_world_create(r);
    ct_renderer_end_frame(r);
    for (uint32_t i = 0; i < 2; ++i) {
        ct_render_particles_add(r, world, &(ct_render_cloud_desc){.order = i}, 3);
        ct_render_particles_set_sphere(r, spheres[i]);
    }
    const void *payload;
    uint64_t cursor = 0;
    for (uint32_t i = 0; i < 2; ++i) {
        assert_non_null(ct_render_stream_next(ct_renderer_stream(r), &cursor, &payload));
        const ct_render_command_cloud *const x = payload;
        assert_memory_equal(x->desc.sphere, spheres[i], sizeof(spheres[i]));
    }
    ct_renderer_destroy(r);
}

static void allocates_nothing_once_warm(void **state) {
    (void)state;
    ct_renderer *const r = start();
    const ct_render_world_id world = ct_render_world_create(r);
    uint64_t blocks = 0;
    for (uint32_t frame = 0; frame < 20; ++frame) {
        ct_render_particles_begin(r, world);
        for (uint32_t i = 0; i < 10; ++i)
            fill(ct_render_particles_add(r, world, &(ct_render_cloud_desc){.order = i}, 100), 100,
                 1.0f);
        ct_renderer_end_frame(r);
        const uint64_t now = ct_allocator_stats_of(test_heap()).total_blocks;
        assert_true(frame < 4 || now == blocks);
        blocks = now;
    }
    ct_renderer_destroy(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sends_clouds_in_order),
        cmocka_unit_test(sets_the_sphere_of_the_cloud_added_last),
        cmocka_unit_test(allocates_nothing_once_warm),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
