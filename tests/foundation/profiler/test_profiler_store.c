// The store of frames: the oldest are dropped, readers count what they missed.
#include "foundation/profiler/profiler_fixture.h"

enum { FRAME_BYTES = 1024, NUM_FITTING = 16, STORE_BYTES = FRAME_BYTES * NUM_FITTING };

static void add_frame(uint64_t size_bytes, uint64_t number) {
    ct_profiler_frame *const frame = ct_profiler_store_reserve(size_bytes);
    if (!frame)
        return;
    frame->number = number;
    frame->num_blocks = 0;
    memset(frame + 1, (int)number, size_bytes - sizeof(*frame));
    ct_profiler_store_commit(frame);
}

// True when a frame holds what add_frame wrote.
static bool is_whole(const ct_profiler_frame *frame) {
    const uint8_t *const bytes = (const uint8_t *)(frame + 1);
    for (uint64_t i = 0; i < frame->size_bytes - sizeof(*frame); ++i) {
        if (bytes[i] != (uint8_t)frame->number)
            return false;
    }
    return true;
}

static int open_store(void **state) {
    (void)state;
    ct_profiler_store_open(test_heap(), STORE_BYTES);
    return 0;
}

static int close_store(void **state) {
    (void)state;
    ct_profiler_store_close();
    return 0;
}

static void keeps_what_fits_and_drops_the_oldest(void **state) {
    (void)state;
    for (uint64_t i = 1; i <= NUM_FITTING + 5; ++i)
        add_frame(FRAME_BYTES, i);
    ct_profiler_reader reader;
    ct_profiler_reader_init(&reader, test_heap());
    const ct_profiler_frame *frame;
    for (uint64_t i = 6; i <= NUM_FITTING + 5; ++i) {
        frame = ct_profiler_reader_next(&reader);
        assert_non_null(frame);
        assert_int_equal(frame->number, i);
        assert_true(is_whole(frame));
    }
    assert_null(ct_profiler_reader_next(&reader));
    assert_int_equal(reader.num_missed, 5); // gone before it began
    ct_profiler_reader_free(&reader);
}

static void a_slow_reader_counts_what_it_missed(void **state) {
    (void)state;
    ct_profiler_reader slow, quick;
    ct_profiler_reader_init(&slow, test_heap());
    ct_profiler_reader_init(&quick, test_heap());
    for (uint64_t i = 1; i <= 100; ++i) {
        add_frame(FRAME_BYTES, i);
        assert_int_equal(ct_profiler_reader_next(&quick)->number, i);
    }
    assert_int_equal(ct_profiler_reader_next(&slow)->number, 100 - NUM_FITTING + 1);
    assert_int_equal(slow.num_missed, 100 - NUM_FITTING);
    assert_int_equal(quick.num_missed, 0);
    ct_profiler_reader_free(&slow);
    ct_profiler_reader_free(&quick);
}

static void what_was_dropped_before_a_recording_is_not_missed(void **state) {
    (void)state;
    for (uint64_t i = 1; i <= NUM_FITTING + 5; ++i)
        add_frame(FRAME_BYTES, i);
    ct_profiler_store_clear();
    for (uint64_t i = 1; i <= NUM_FITTING + 2; ++i)
        add_frame(FRAME_BYTES, i);
    ct_profiler_reader reader, at_end;
    ct_profiler_reader_init(&reader, test_heap());
    ct_profiler_reader_init_at_end(&at_end, test_heap());
    assert_int_equal(ct_profiler_reader_next(&reader)->number, 3);
    assert_int_equal(reader.num_missed, 2);
    assert_int_equal(at_end.num_missed, 0);
    ct_profiler_reader_free(&reader);
    ct_profiler_reader_free(&at_end);
}

static void a_reader_at_the_end_gets_only_what_comes(void **state) {
    (void)state;
    add_frame(FRAME_BYTES, 1);
    ct_profiler_reader reader;
    ct_profiler_reader_init_at_end(&reader, test_heap());
    assert_null(ct_profiler_reader_next(&reader));
    add_frame(FRAME_BYTES, 2);
    assert_int_equal(ct_profiler_reader_next(&reader)->number, 2);
    ct_profiler_reader_free(&reader);
}

static void a_frame_larger_than_the_store_is_dropped_itself(void **state) {
    (void)state;
    ct_profiler_reader reader;
    ct_profiler_reader_init(&reader, test_heap());
    add_frame(FRAME_BYTES, 1);
    add_frame(STORE_BYTES + 16, 2);
    add_frame(STORE_BYTES + 16, 3);
    add_frame(FRAME_BYTES, 4);
    assert_int_equal(ct_profiler_reader_next(&reader)->number, 1);
    assert_int_equal(reader.num_missed, 0);
    assert_int_equal(ct_profiler_reader_next(&reader)->number, 4);
    assert_int_equal(reader.num_missed, 2);
    add_frame(STORE_BYTES, 5); // just fits: all others go
    assert_int_equal(ct_profiler_reader_next(&reader)->number, 5);
    assert_int_equal(reader.num_missed, 2);
    assert_null(ct_profiler_reader_next(&reader));
    ct_profiler_reader_free(&reader);
}

static void more_small_frames_than_are_kept_drop_the_oldest(void **state) {
    (void)state;
    ct_profiler_store_close();
    ct_profiler_store_open(test_heap(), 16 << 20);
    for (uint64_t i = 1; i <= 20000; ++i)
        add_frame(sizeof(ct_profiler_frame), i);
    ct_profiler_reader reader;
    ct_profiler_reader_init(&reader, test_heap());
    assert_int_equal(ct_profiler_reader_next(&reader)->number, 20000 - 16384 + 1);
    ct_profiler_reader_free(&reader);
}

static void clearing_leaves_readers_in_place(void **state) {
    (void)state;
    ct_profiler_reader reader;
    ct_profiler_reader_init(&reader, test_heap());
    add_frame(FRAME_BYTES, 1);
    ct_profiler_store_clear();
    assert_null(ct_profiler_reader_next(&reader));
    add_frame(FRAME_BYTES, 2);
    assert_int_equal(ct_profiler_reader_next(&reader)->number, 2);
    assert_int_equal(reader.num_missed, 1);
    ct_profiler_reader_free(&reader);
}

static void without_a_store_there_is_nothing_to_read(void **state) {
    (void)state;
    ct_profiler_store_close();
    ct_profiler_reader reader;
    ct_profiler_reader_init(&reader, test_heap());
    assert_null(ct_profiler_reader_next(&reader));
    ct_profiler_reader_free(&reader);
}

// Against a plain model: frames of all sizes, readers at random.
static void behaves_as_a_list_that_loses_its_head(void **state) {
    (void)state;
    uint32_t seed = 77;
    uint64_t next = 1;
    ct_profiler_reader reader;
    ct_profiler_reader_init(&reader, test_heap());
    uint64_t sequence = reader.next_sequence - 1;
    const uint32_t rounds = test_rounds(20000, 1000000);
    for (uint32_t i = 0; i < rounds; ++i) {
        if (test_random(&seed) % 3 != 0) {
            add_frame(sizeof(ct_profiler_frame) + 16 * (uint64_t)(test_random(&seed) % 300),
                      next++);
            continue;
        }
        const ct_profiler_frame *const frame = ct_profiler_reader_next(&reader);
        if (!frame) {
            assert_int_equal(reader.next_sequence - 1, sequence);
            continue;
        }
        assert_true(is_whole(frame));
        assert_true(frame->number < next);
        assert_int_equal(frame->sequence, reader.next_sequence - 1);
        assert_true(frame->sequence > sequence);
        sequence = frame->sequence;
    }
    assert_true(reader.num_missed > 0);
    ct_profiler_reader_free(&reader);
}

#define STORE_TEST(test) cmocka_unit_test_setup_teardown(test, open_store, close_store)

int main(void) {
    const struct CMUnitTest tests[] = {
        STORE_TEST(keeps_what_fits_and_drops_the_oldest),
        STORE_TEST(a_slow_reader_counts_what_it_missed),
        STORE_TEST(what_was_dropped_before_a_recording_is_not_missed),
        STORE_TEST(a_reader_at_the_end_gets_only_what_comes),
        STORE_TEST(a_frame_larger_than_the_store_is_dropped_itself),
        STORE_TEST(more_small_frames_than_are_kept_drop_the_oldest),
        STORE_TEST(clearing_leaves_readers_in_place),
        STORE_TEST(without_a_store_there_is_nothing_to_read),
        STORE_TEST(behaves_as_a_list_that_loses_its_head),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
