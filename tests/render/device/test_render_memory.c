#include "render/device/render_memory.h"

#include "support/test_support.h"

#include "foundation/error.h"

static ct_render_device device;

static void start(void) {
    ct_error error = {0};
    const ct_renderer_desc desc = {.allocator = test_heap(), .width = 8, .height = 8};
    if (!ct_render_device_init(&device, test_heap(), &desc, &error))
        fail_msg("%s", error.message);
}

static ct_render_allocation allocate(uint64_t size, uint64_t align, bool is_image) {
    const VkMemoryRequirements requirements = {
        .size = size, .alignment = align, .memoryTypeBits = UINT32_MAX};
    return ct_render_memory_allocate(device.memory, &requirements, CT_RENDER_MEMORY_USE_UPLOAD,
                                     is_image);
}

static bool overlaps(const ct_render_allocation *a, const ct_render_allocation *b) {
    return a->memory == b->memory && a->offset < b->offset + b->size_bytes &&
           b->offset < a->offset + a->size_bytes;
}

// Property: live ranges are aligned, apart, and all give their bytes back.
static void hands_out_ranges_that_do_not_overlap(void **state) {
    (void)state;
    enum { MAX_LIVE = 200 };
    static ct_render_allocation live[MAX_LIVE];
    start();
    uint32_t count = 0, random = 5;
    uint64_t bytes = 0;
    for (uint32_t round = 0; round < test_rounds(4000, 100000); ++round) {
        if (count < MAX_LIVE && test_random(&random) % 3) {
            const uint64_t align = 1ull << test_random(&random) % 13;
            const uint64_t most = round % 50 ? 20000 : 12 << 20;
            live[count] = allocate(1 + test_random(&random) % most, align, false);
            assert_int_equal(live[count].offset % align, 0);
            assert_non_null(live[count].mapped);
            for (uint32_t i = 0; i < count; ++i)
                assert_false(overlaps(&live[i], &live[count]));
            bytes += live[count++].size_bytes;
        } else if (count) {
            const uint32_t i = test_random(&random) % count;
            bytes -= live[i].size_bytes;
            ct_render_memory_free(device.memory, &live[i]);
            live[i] = live[--count];
        }
        assert_int_equal(ct_render_memory_live_bytes(device.memory), bytes);
        assert_int_equal(ct_render_memory_live_count(device.memory), count);
    }
    while (count)
        ct_render_memory_free(device.memory, &live[--count]);
    assert_int_equal(ct_render_memory_live_bytes(device.memory), 0);
    ct_render_device_shutdown(&device);
}

static void merges_neighbours_when_they_are_given_back(void **state) {
    (void)state;
    enum { PARTS = 16 };
    start();
    ct_render_allocation parts[PARTS];
    for (uint32_t i = 0; i < PARTS; ++i)
        parts[i] = allocate(1 << 20, 1, false); // the whole block
    for (uint32_t i = 1; i < PARTS; ++i)
        assert_true(parts[i].memory == parts[0].memory);
    for (uint32_t i = 0; i < PARTS; i += 2)
        ct_render_memory_free(device.memory, &parts[i]);
    for (uint32_t i = 1; i < PARTS; i += 2)
        ct_render_memory_free(device.memory, &parts[i]);
    // Half a block fits again only if the pieces have become one.
    const ct_render_allocation half = allocate(8 << 20, 1, false);
    const ct_render_allocation other = allocate(8 << 20, 1, false);
    assert_true(half.memory == other.memory);
    ct_render_memory_free(device.memory, &half);
    ct_render_memory_free(device.memory, &other);
    ct_render_device_shutdown(&device);
}

static void keeps_images_out_of_the_blocks_of_buffers(void **state) {
    (void)state;
    start();
    const ct_render_allocation buffer = allocate(100, 1, false);
    const ct_render_allocation image = allocate(100, 1, true);
    assert_true(buffer.memory != image.memory);
    ct_render_memory_free(device.memory, &buffer);
    ct_render_memory_free(device.memory, &image);
    ct_render_device_shutdown(&device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hands_out_ranges_that_do_not_overlap),
        cmocka_unit_test(merges_neighbours_when_they_are_given_back),
        cmocka_unit_test(keeps_images_out_of_the_blocks_of_buffers),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
