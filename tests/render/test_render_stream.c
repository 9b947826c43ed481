#include "render/render_stream.h"

#include "support/test_support.h"

#include <string.h>

static void gives_back_what_was_pushed_in_order(void **state) {
    (void)state;
    ct_render_stream s;
    ct_render_stream_init(&s, test_heap());
    uint32_t random = 3;
    for (uint32_t round = 0; round < 3; ++round) {
        ct_render_stream_clear(&s);
        const uint32_t seed = random;
        for (uint32_t i = 0; i < 500; ++i) {
            const uint32_t bytes = test_random(&random) % 300;
            uint8_t *payload = ct_render_stream_push(&s, 1 + i % 5, bytes);
            assert_int_equal((uintptr_t)payload % 16, 0);
            memset(payload, (int)(i & 0xff), bytes);
        }
        random = seed;
        uint64_t cursor = 0;
        const void *payload;
        for (uint32_t i = 0; i < 500; ++i) {
            const uint32_t bytes = test_random(&random) % 300;
            const ct_render_command_header *header = ct_render_stream_next(&s, &cursor, &payload);
            assert_non_null(header);
            assert_int_equal(header->type, 1 + i % 5);
            assert_true(header->payload_bytes >= bytes && header->payload_bytes < bytes + 16);
            for (uint32_t k = 0; k < bytes; ++k)
                assert_int_equal(((const uint8_t *)payload)[k], i & 0xff);
        }
        assert_null(ct_render_stream_next(&s, &cursor, &payload));
    }
    ct_render_stream_free(&s);
}

static void keeps_its_memory_when_cleared(void **state) {
    (void)state;
    ct_render_stream s;
    ct_render_stream_init(&s, test_heap());
    ct_render_stream_push(&s, CT_RENDER_COMMAND_TYPE_LINES, 100000);
    const uint64_t blocks = ct_allocator_stats_of(test_heap()).total_blocks;
    ct_render_stream_clear(&s);
    ct_render_stream_push(&s, CT_RENDER_COMMAND_TYPE_LINES, 100000);
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, blocks);
    ct_render_stream_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_back_what_was_pushed_in_order),
        cmocka_unit_test(keeps_its_memory_when_cleared),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
