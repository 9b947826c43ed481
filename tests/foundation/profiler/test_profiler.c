// Recording: threads, chunks, frames.
#include "foundation/profiler/profiler_fixture.h"

#include <stdio.h>
#include <stdlib.h>

enum { SMALL_STORE = 64 << 10 };

static void scopes_leave_nothing_while_off(void **state) {
    (void)state;
    {
        CT_PROFILER_SCOPE("off");
        ct_profiler_counter("off", 1.0);
        ct_profiler_end_frame(1);
    }
    start_recording(0);
    ct_profiler_reader reader;
    ct_profiler_reader_init(&reader, test_heap());
    assert_null(ct_profiler_reader_next(&reader));
    ct_profiler_end_frame(1);
    const ct_profiler_frame *const frame = ct_profiler_reader_next(&reader);
    assert_non_null(frame);
    assert_null(find_event(block_named(frame, "tester"), CT_PROFILER_KIND_ENTER, "off"));
    ct_profiler_reader_free(&reader);
}

static void scopes_come_in_order_and_nested(void **state) {
    (void)state;
    start_recording(0);
    const uint64_t before = ct_profiler_ticks();
    {
        CT_PROFILER_SCOPE("outer");
        { CT_PROFILER_SCOPE("inner"); }
        CT_PROFILER_SCOPE("second");
    }
    ct_profiler_end_frame(7);
    ct_profiler_reader reader;
    ct_profiler_reader_init(&reader, test_heap());
    const ct_profiler_frame *const frame = ct_profiler_reader_next(&reader);
    assert_non_null(frame);
    assert_int_equal(frame->number, 7);
    assert_true(frame->begin_ticks <= before && frame->end_ticks > before);
    const ct_profiler_block *const block = block_named(frame, "tester");
    assert_non_null(block);
    const ct_profiler_event *const e = ct_profiler_block_events(block);
    static const struct {
        ct_profiler_kind kind;
        const char *name;
    } expected[] = {{CT_PROFILER_KIND_ENTER, "outer"},   {CT_PROFILER_KIND_ENTER, "inner"},
                    {CT_PROFILER_KIND_LEAVE, NULL},      {CT_PROFILER_KIND_ENTER, "second"},
                    {CT_PROFILER_KIND_LEAVE, NULL},      {CT_PROFILER_KIND_LEAVE, NULL},
                    {CT_PROFILER_KIND_ENTER, "profiler"}};
    uint64_t last = before;
    for (uint32_t i = 0; i < CT_COUNT_OF(expected); ++i) {
        assert_int_equal(ct_profiler_event_kind(&e[i]), expected[i].kind);
        if (expected[i].name)
            assert_string_equal(ct_profiler_event_name(&e[i]), expected[i].name);
        else
            assert_int_equal(ct_profiler_event_leaves(&e[i]), 1);
        assert_true(e[i].ticks >= last);
        last = e[i].ticks;
    }
    assert_true(last <= frame->end_ticks);
    ct_profiler_reader_free(&reader);
}

static void a_scope_may_span_frames(void **state) {
    (void)state;
    start_recording(0);
    ct_profiler_reader reader;
    ct_profiler_reader_init(&reader, test_heap());
    const bool is_entered = ct_profiler_enter("long");
    ct_profiler_end_frame(1);
    const ct_profiler_frame *frame = ct_profiler_reader_next(&reader);
    assert_non_null(find_event(block_named(frame, "tester"), CT_PROFILER_KIND_ENTER, "long"));
    assert_int_equal(count_events(block_named(frame, "tester"), CT_PROFILER_KIND_LEAVE, NULL), 0);
    ct_profiler_leave(is_entered);
    ct_profiler_end_frame(2);
    frame = ct_profiler_reader_next(&reader);
    // Its own, and the one of the first frame's collecting.
    assert_int_equal(count_events(block_named(frame, "tester"), CT_PROFILER_KIND_LEAVE, NULL), 2);
    ct_profiler_reader_free(&reader);
}

static void a_scope_that_began_before_recording_is_not_left(void **state) {
    (void)state;
    {
        CT_PROFILER_SCOPE("early");
        start_recording(0);
    }
    ct_profiler_end_frame(1);
    ct_profiler_reader reader;
    ct_profiler_reader_init(&reader, test_heap());
    const ct_profiler_frame *const frame = ct_profiler_reader_next(&reader);
    assert_int_equal(count_events(block_named(frame, "tester"), CT_PROFILER_KIND_LEAVE, NULL), 0);
    ct_profiler_reader_free(&reader);
}

static void what_an_earlier_recording_left_behind_is_gone(void **state) {
    (void)state;
    start_recording(0);
    ct_profiler_end_frame(1);
    const bool is_entered = ct_profiler_enter("first");
    ct_profiler_stop();
    ct_profiler_leave(is_entered); // nobody collects it any more
    start_recording(0);
    ct_profiler_reader reader;
    ct_profiler_reader_init(&reader, test_heap());
    assert_null(ct_profiler_reader_next(&reader));
    ct_profiler_end_frame(1);
    const ct_profiler_block *const block = block_named(ct_profiler_reader_next(&reader), "tester");
    assert_non_null(block);
    assert_int_equal(count_events(block, CT_PROFILER_KIND_LEAVE, NULL), 0);
    assert_null(find_event(block, CT_PROFILER_KIND_ENTER, "first"));
    ct_profiler_reader_free(&reader);
}

static void stopping_makes_a_frame_of_what_is_left(void **state) {
    (void)state;
    start_recording(0);
    ct_profiler_end_frame(41);
    { CT_PROFILER_SCOPE("last"); }
    ct_profiler_stop();
    ct_profiler_reader reader;
    ct_profiler_reader_init(&reader, test_heap());
    assert_int_equal(ct_profiler_reader_next(&reader)->number, 41);
    const ct_profiler_frame *const frame = ct_profiler_reader_next(&reader);
    assert_non_null(frame);
    assert_int_equal(frame->number, 42);
    assert_non_null(find_event(block_named(frame, "tester"), CT_PROFILER_KIND_ENTER, "last"));
    assert_null(ct_profiler_reader_next(&reader));
    ct_profiler_reader_free(&reader);
}

static void recording_lasts_as_long_as_one_wants_it(void **state) {
    (void)state;
    start_recording(0);
    start_recording(0);
    ct_profiler_stop();
    assert_true(ct_profiler_is_on());
    ct_profiler_stop();
    assert_false(ct_profiler_is_on());
}

static void stop_too_often(void *user) {
    (void)user;
    ct_profiler_stop();
}

static void stopping_what_was_not_started_is_a_bug(void **state) {
    (void)state;
    test_expect_death(stop_too_often, NULL, "called more often than ct_profiler_start");
}

// --- Many events ---------------------------------------------------------------------------------

static void more_than_a_chunk_comes_whole_and_in_order(void **state) {
    (void)state;
    enum { NUM_SCOPES = 20000 };
    static char names[NUM_SCOPES]; // distinct addresses
    start_recording(0);
    for (uint32_t i = 0; i < NUM_SCOPES; ++i)
        ct_profiler_leave(ct_profiler_enter(&names[i]));
    ct_profiler_end_frame(1);
    ct_profiler_reader reader;
    ct_profiler_reader_init(&reader, test_heap());
    const ct_profiler_block *const block = block_named(ct_profiler_reader_next(&reader), "tester");
    assert_non_null(block);
    assert_true(block->num_events >= 2 * NUM_SCOPES);
    const ct_profiler_event *const e = ct_profiler_block_events(block);
    for (uint32_t i = 0; i < NUM_SCOPES; ++i) {
        assert_ptr_equal(ct_profiler_event_name(&e[2 * i]), &names[i]);
        assert_int_equal(ct_profiler_event_kind(&e[2 * i + 1]), CT_PROFILER_KIND_LEAVE);
    }
    assert_int_equal(ct_profiler_num_dropped(), 0);
    ct_profiler_reader_free(&reader);
}

static void pairs_of_events_stay_together(void **state) {
    (void)state;
    start_recording(0);
    ct_profiler_reader reader;
    ct_profiler_reader_init(&reader, test_heap());
    ct_profiler_leave(ct_profiler_enter("makes the count odd"));
    ct_profiler_enter("once more");
    uint32_t next = 0, num_ranges = 0;
    for (uint32_t frame = 0; frame < 3; ++frame) {
        for (uint32_t i = 0; i < 1500; ++i) {
            ct_profiler_counter("count", frame * 1500 + i);
            ct_profiler_range("track", "range", 10 * i, 10 * i + 5);
        }
        ct_profiler_end_frame(frame);
        const ct_profiler_block *const block =
            block_named(ct_profiler_reader_next(&reader), "tester");
        const ct_profiler_event *const e = ct_profiler_block_events(block);
        for (uint32_t i = 0; i < block->num_events; ++i) {
            const char *const name = ct_profiler_event_name(&e[i]);
            switch (ct_profiler_event_kind(&e[i])) {
            case CT_PROFILER_KIND_COUNTER:
                assert_int_equal(ct_profiler_event_kind(&e[i + 1]), CT_PROFILER_KIND_VALUE);
                if (strcmp(name, "count") == 0)
                    assert_true(ct_profiler_event_value(&e[i + 1]) == next++);
                ++i;
                break;
            case CT_PROFILER_KIND_RANGE:
                assert_int_equal(ct_profiler_event_kind(&e[i + 1]), CT_PROFILER_KIND_END);
                assert_string_equal(ct_profiler_event_name(&e[i + 1]), "track");
                assert_int_equal(e[i + 1].ticks, e[i].ticks + 5);
                ++num_ranges;
                ++i;
                break;
            default:
                assert_int_not_equal(ct_profiler_event_kind(&e[i]), CT_PROFILER_KIND_VALUE);
                assert_int_not_equal(ct_profiler_event_kind(&e[i]), CT_PROFILER_KIND_END);
            }
        }
    }
    assert_int_equal(next, 4500);
    assert_int_equal(num_ranges, 4500);
    ct_profiler_reader_free(&reader);
}

// Walks a block from `depth` open scopes on; fails when more are left than were entered. Returns
// how many are open at the end.
static int64_t walk_depth(const ct_profiler_block *block, int64_t depth) {
    for (uint32_t i = 0; block && i < block->num_events; ++i) {
        const ct_profiler_event *const e = &ct_profiler_block_events(block)[i];
        if (ct_profiler_event_kind(e) == CT_PROFILER_KIND_ENTER)
            ++depth;
        if (ct_profiler_event_kind(e) == CT_PROFILER_KIND_LEAVE)
            depth -= (int64_t)ct_profiler_event_leaves(e);
        assert_true(depth >= 0);
    }
    return depth;
}

static void nest(uint32_t depth) {
    CT_PROFILER_SCOPE("nest");
    if (depth > 0)
        nest(depth - 1);
}

static void a_flood_drops_whole_scopes_and_counts_them(void **state) {
    (void)state;
    enum { NUM_SCOPES = 1200000 };
    start_recording(32 << 20);
    ct_profiler_reader reader;
    ct_profiler_reader_init(&reader, test_heap());
    const bool is_outer = ct_profiler_enter("outer");
    const bool is_inner = ct_profiler_enter("inner");
    for (uint32_t i = 0; i < NUM_SCOPES / 4; ++i)
        nest(3);
    ct_profiler_leave(is_inner);
    assert_true(ct_profiler_num_dropped() > 0);
    ct_profiler_end_frame(1);
    const ct_profiler_frame *frame = ct_profiler_reader_next(&reader);
    const ct_profiler_block *block = block_named(frame, "tester");
    const int64_t open = walk_depth(block, 0);
    const uint32_t num_entered = count_events(block, CT_PROFILER_KIND_ENTER, "nest");
    assert_true(num_entered > 400000);
    // Room has come again: what was left meanwhile is made up for, and then all comes.
    nest(0);
    ct_profiler_leave(is_outer);
    ct_profiler_end_frame(2);
    const uint64_t num_dropped = ct_profiler_num_dropped();
    frame = ct_profiler_reader_next(&reader);
    assert_int_equal(frame->num_dropped, num_dropped);
    block = block_named(frame, "tester");
    // The collecting of this frame is open, that of the first did not fit.
    assert_int_equal(walk_depth(block, open), 1);
    assert_int_equal(count_events(block, CT_PROFILER_KIND_ENTER, "nest"), 1);
    const uint32_t num_profiler = 1; // of the first frame, dropped too; memory counters besides
    assert_true(num_entered + num_dropped >= NUM_SCOPES + num_profiler);
    assert_true(num_entered + num_dropped < NUM_SCOPES + 100);
    ct_profiler_reader_free(&reader);
}

// --- Threads -------------------------------------------------------------------------------------

static void write_some(void *data) {
    const uint32_t *const count = data;
    for (uint32_t i = 0; i < *count; ++i)
        ct_profiler_leave(ct_profiler_enter("some"));
}

static void threads_that_end_leave_what_they_wrote(void **state) {
    (void)state;
    uint32_t count = 3000;
    start_recording(0);
    ct_profiler_reader reader;
    ct_profiler_reader_init(&reader, test_heap());
    for (uint32_t i = 0; i < 3; ++i)
        ct_thread_join(ct_thread_start("short", write_some, &count));
    ct_profiler_end_frame(1);
    const ct_profiler_frame *const frame = ct_profiler_reader_next(&reader);
    const ct_profiler_block *block = NULL;
    uint32_t num_found = 0, numbers[3];
    while ((block = ct_profiler_frame_next_block(frame, block))) {
        if (strcmp(block->thread_name, "short") != 0)
            continue;
        assert_int_equal(count_events(block, CT_PROFILER_KIND_ENTER, "some"), 3000);
        assert_int_equal(walk_depth(block, 0), 0);
        assert_true(num_found < 3);
        numbers[num_found++] = block->thread;
    }
    assert_int_equal(num_found, 3);
    assert_true(numbers[0] != numbers[1] && numbers[1] != numbers[2] && numbers[0] != numbers[2]);
    ct_profiler_end_frame(2);
    assert_null(block_named(ct_profiler_reader_next(&reader), "short"));
    ct_profiler_reader_free(&reader);
}

static void flood_within_a_scope(void *data) {
    atomic_bool *const is_full = data;
    CT_PROFILER_SCOPE("outer");
    CT_PROFILER_SCOPE("inner");
    while (ct_profiler_num_dropped() == 0)
        ct_profiler_leave(ct_profiler_enter("flood"));
    atomic_store(is_full, true);
}

static void a_thread_that_ends_without_room_has_left_all_scopes(void **state) {
    (void)state;
    atomic_bool is_full = false;
    start_recording(32 << 20);
    ct_thread_join(ct_thread_start("flooder", flood_within_a_scope, &is_full));
    assert_true(atomic_load(&is_full));
    ct_profiler_end_frame(1);
    ct_profiler_reader reader;
    ct_profiler_reader_init(&reader, test_heap());
    const ct_profiler_block *const block = block_named(ct_profiler_reader_next(&reader), "flooder");
    assert_non_null(block);
    assert_int_equal(walk_depth(block, 0), 0);
    ct_profiler_reader_free(&reader);
}

static void threads_come_and_go_without_end(void **state) {
    (void)state;
    uint32_t count = 10;
    start_recording(0);
    // More than there are records and chunks, in recordings and between them.
    for (uint32_t i = 0; i < 1500; ++i) {
        ct_thread_join(ct_thread_start("brief", write_some, &count));
        if (i % 100 == 99)
            ct_profiler_end_frame(i);
        if (i == 700) {
            ct_profiler_stop();
            start_recording(0);
        }
    }
    assert_int_equal(ct_profiler_num_dropped(), 0);
}

typedef struct crowd {
    atomic_bool may_end;
    atomic_uint num_written;
} crowd;

static void write_and_wait(void *data) {
    crowd *const c = data;
    ct_profiler_leave(ct_profiler_enter("crowd"));
    atomic_fetch_add(&c->num_written, 1);
    while (!atomic_load(&c->may_end))
        ct_os_sleep_ns(1000000);
}

static void threads_past_the_limit_drop_and_are_counted(void **state) {
    (void)state;
    enum { NUM_THREADS = 300 };
    static ct_thread threads[NUM_THREADS];
    crowd c = {.may_end = false};
    start_recording(0);
    ct_profiler_leave(ct_profiler_enter("this thread takes a place"));
    for (uint32_t i = 0; i < NUM_THREADS; ++i)
        threads[i] = ct_thread_start("crowd", write_and_wait, &c);
    while (atomic_load(&c.num_written) < NUM_THREADS)
        ct_os_sleep_ns(1000000);
    assert_int_equal(ct_profiler_num_dropped(), NUM_THREADS - 255);
    ct_profiler_end_frame(1);
    atomic_store(&c.may_end, true);
    for (uint32_t i = 0; i < NUM_THREADS; ++i)
        ct_thread_join(threads[i]);
    ct_profiler_reader reader;
    ct_profiler_reader_init(&reader, test_heap());
    assert_int_equal(ct_profiler_reader_next(&reader)->num_blocks, 256);
    ct_profiler_reader_free(&reader);
}

typedef struct writer {
    uint32_t seed;
    atomic_bool *should_end;
} writer;

static void write_at_random(void *data) {
    writer *w = data;
    while (!atomic_load_explicit(w->should_end, memory_order_relaxed)) {
        nest(test_random(&w->seed) % 20);
        ct_profiler_counter("random", test_random(&w->seed));
        if (test_random(&w->seed) % 64 == 0)
            ct_os_sleep_ns(10000);
    }
}

// The depth of each thread, by its number.
typedef struct depths {
    uint32_t threads[16];
    int64_t depths[16];
    uint32_t count;
} depths;

static void check_frame(depths *d, const ct_profiler_frame *frame) {
    const ct_profiler_block *block = NULL;
    while ((block = ct_profiler_frame_next_block(frame, block))) {
        uint32_t i = 0;
        while (i < d->count && d->threads[i] != block->thread)
            ++i;
        assert_true(i < 16);
        if (i == d->count) {
            d->threads[d->count] = block->thread;
            d->depths[d->count++] = 0;
        }
        d->depths[i] = walk_depth(block, d->depths[i]);
    }
}

static void many_threads_write_while_one_collects(void **state) {
    (void)state;
    enum { NUM_WRITERS = 4 };
    atomic_bool should_end = false;
    writer writers[NUM_WRITERS];
    ct_thread threads[NUM_WRITERS];
    start_recording(0);
    ct_profiler_reader reader;
    ct_profiler_reader_init(&reader, test_heap());
    for (uint32_t i = 0; i < NUM_WRITERS; ++i) {
        writers[i] = (writer){.seed = i + 1, .should_end = &should_end};
        threads[i] = ct_thread_start("writer", write_at_random, &writers[i]);
    }
    depths d = {.count = 0};
    const ct_profiler_frame *frame;
    uint64_t num_events = 0;
    for (uint32_t i = 0; i < 200; ++i) {
        ct_os_sleep_ns(1000000);
        ct_profiler_end_frame(i);
        while ((frame = ct_profiler_reader_next(&reader))) {
            check_frame(&d, frame);
            num_events += frame->size_bytes / sizeof(ct_profiler_event);
        }
    }
    atomic_store(&should_end, true);
    for (uint32_t i = 0; i < NUM_WRITERS; ++i)
        ct_thread_join(threads[i]);
    ct_profiler_stop();
    while ((frame = ct_profiler_reader_next(&reader)))
        check_frame(&d, frame);
    assert_int_equal(d.count, NUM_WRITERS + 1);
    for (uint32_t i = 0; i < d.count; ++i)
        assert_int_equal(d.depths[i], 0);
    assert_true(num_events > 10000);
    assert_int_equal(reader.num_missed, 0);
    ct_profiler_reader_free(&reader);
}

static void start_and_stop(void *data) {
    (void)data;
    for (uint32_t i = 0; i < 50; ++i) {
        start_recording(SMALL_STORE);
        ct_profiler_leave(ct_profiler_enter("quick"));
        ct_os_sleep_ns(20000);
        ct_profiler_stop();
    }
}

static void starts_and_stops_of_many_threads_do_no_harm(void **state) {
    (void)state;
    atomic_bool should_end = false;
    writer w = {.seed = 5, .should_end = &should_end};
    const ct_thread writing = ct_thread_start("writer", write_at_random, &w);
    const ct_thread first = ct_thread_start("first", start_and_stop, NULL);
    const ct_thread second = ct_thread_start("second", start_and_stop, NULL);
    for (uint32_t i = 0; i < 200; ++i) {
        ct_profiler_end_frame(i);
        ct_os_sleep_ns(20000);
    }
    ct_thread_join(first);
    ct_thread_join(second);
    atomic_store(&should_end, true);
    ct_thread_join(writing);
    assert_false(ct_profiler_is_on());
}

static void a_thread_may_be_named_while_it_records(void **state) {
    (void)state;
    start_recording(0);
    ct_profiler_leave(ct_profiler_enter("x"));
    ct_profiler_name_thread("renamed with too long a name");
    ct_profiler_end_frame(1);
    ct_profiler_name_thread("tester");
    ct_profiler_reader reader;
    ct_profiler_reader_init(&reader, test_heap());
    assert_non_null(block_named(ct_profiler_reader_next(&reader), "renamed with to"));
    ct_profiler_reader_free(&reader);
}

typedef struct locked {
    ct_mutex mutex;
    atomic_bool is_locked;
} locked;

static void hold_lock(void *data) {
    locked *l = data;
    ct_mutex_lock(&l->mutex);
    atomic_store(&l->is_locked, true);
    ct_os_sleep_ns(5000000);
    ct_mutex_unlock(&l->mutex);
}

// Takes a lock that somebody else holds for some time; returns what the scope says that it took, 0
// where there is none: it was free again before this thread came to it.
static int64_t wait_for_lock(void) {
    locked l = {.is_locked = false};
    ct_mutex_init(&l.mutex);
    start_recording(0);
    ct_mutex_lock(&l.mutex); // nobody has it
    ct_mutex_unlock(&l.mutex);
    const ct_thread holder = ct_thread_start("holder", hold_lock, &l);
    while (!atomic_load(&l.is_locked))
        ct_os_sleep_ns(10000);
    ct_mutex_lock(&l.mutex);
    ct_mutex_unlock(&l.mutex);
    ct_thread_join(holder);
    ct_profiler_end_frame(1);
    ct_profiler_reader reader;
    ct_profiler_reader_init(&reader, test_heap());
    const ct_profiler_block *const block = block_named(ct_profiler_reader_next(&reader), "tester");
    int64_t ns = 0;
    if (count_events(block, CT_PROFILER_KIND_ENTER, "wait for lock") == 1) {
        const ct_profiler_event *const wait =
            find_event(block, CT_PROFILER_KIND_ENTER, "wait for lock");
        assert_int_equal(ct_profiler_event_kind(wait + 1), CT_PROFILER_KIND_LEAVE);
        ns = ct_profiler_ns_of_ticks(wait[1].ticks) - ct_profiler_ns_of_ticks(wait[0].ticks);
    }
    ct_profiler_reader_free(&reader);
    ct_mutex_shutdown(&l.mutex);
    return ns;
}

static void waiting_for_a_lock_is_a_scope(void **state) {
    (void)state;
    int64_t ns = 0;
    for (uint32_t tries = 0; ns <= 1000000 && tries < 1000; ++tries) {
        if (tries > 0)
            ct_profiler_stop();
        ns = wait_for_lock();
    }
    assert_true(ns > 1000000);
}

// --- Memory, time, names -------------------------------------------------------------------------

static void named_allocators_are_counted(void **state) {
    (void)state;
    void *const p = ct_alloc(test_heap(), 100000);
    ct_profiler_count_memory(); // off: nothing
    start_recording(0);
    ct_profiler_count_memory();
    ct_profiler_end_frame(1);
    ct_free(test_heap(), p);
    ct_profiler_reader reader;
    ct_profiler_reader_init(&reader, test_heap());
    const ct_profiler_block *const block = block_named(ct_profiler_reader_next(&reader), "tester");
    const ct_profiler_event *const e =
        find_event(block, CT_PROFILER_KIND_COUNTER, "memory test_heap");
    assert_non_null(e);
    // The store of the recording is among it.
    assert_true(ct_profiler_event_value(e + 1) >= 100000.0 + (16 << 20));
    assert_true(ct_profiler_event_value(e + 1) < 110000.0 + (17 << 20));
    ct_profiler_reader_free(&reader);
}

static void ticks_and_nanoseconds_agree(void **state) {
    (void)state;
    start_recording(0);
    const uint64_t ticks = ct_profiler_ticks();
    const int64_t ns = (int64_t)ct_os_time_ns();
    ct_os_sleep_ns(50000000);
    const int64_t later_ns = (int64_t)ct_os_time_ns();
    const uint64_t later_ticks = ct_profiler_ticks();
    assert_true(llabs(ct_profiler_ns_of_ticks(ticks) - ns) < 5000000);
    const int64_t by_ticks = ct_profiler_ns_of_ticks(later_ticks) - ct_profiler_ns_of_ticks(ticks);
    assert_true(llabs(by_ticks - (later_ns - ns)) < (later_ns - ns) / 20);
    const uint64_t back = ct_profiler_ticks_of_ns(ct_profiler_ns_of_ticks(ticks));
    assert_true(llabs((int64_t)(back - ticks)) < 1000);
    assert_true(ct_profiler_ticks_per_second() > 1e6);
}

static void equal_names_are_one(void **state) {
    (void)state;
    char text[] = "a name";
    const char *const name = ct_profiler_name(text);
    text[0] = 'b';
    assert_string_equal(name, "a name");
    assert_ptr_equal(ct_profiler_name("a name"), name);
    assert_ptr_not_equal(ct_profiler_name("a nam"), name);
    assert_string_equal(ct_profiler_name(""), "");
    char lengthy[1000];
    memset(lengthy, 'x', sizeof(lengthy));
    lengthy[999] = 0;
    assert_int_equal(strlen(ct_profiler_name(lengthy)), 127);
    assert_ptr_equal(ct_profiler_name(lengthy), ct_profiler_name(lengthy + 1));
}

static atomic_uint num_wrong_names;

static void make_names(void *data) {
    const uint32_t *const from = data;
    for (uint32_t i = 0; i < 250000; ++i) {
        char text[32];
        snprintf(text, sizeof(text), "name %u", (*from + i) % 500000);
        const char *const name = ct_profiler_name(text);
        if (strcmp(name, text) != 0 && strcmp(name, "(more names)") != 0)
            atomic_fetch_add(&num_wrong_names, 1);
    }
}

// Keep it last: the table stays full.
static void a_million_names_are_bounded(void **state) {
    (void)state;
    uint32_t from[4] = {0, 250000, 500000, 750000};
    ct_thread threads[4];
    for (uint32_t i = 0; i < 4; ++i)
        threads[i] = ct_thread_start("namer", make_names, &from[i]);
    for (uint32_t i = 0; i < 4; ++i)
        ct_thread_join(threads[i]);
    assert_int_equal(atomic_load(&num_wrong_names), 0);
    assert_string_equal(ct_profiler_name("one more"), "(more names)");
    assert_string_equal(ct_profiler_name("a name"), "a name");
}

static int name_this_thread(void **state) {
    ct_profiler_name_thread("tester");
    return test_group_setup(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        PROFILER_TEST(scopes_leave_nothing_while_off),
        PROFILER_TEST(scopes_come_in_order_and_nested),
        PROFILER_TEST(a_scope_may_span_frames),
        PROFILER_TEST(a_scope_that_began_before_recording_is_not_left),
        PROFILER_TEST(what_an_earlier_recording_left_behind_is_gone),
        PROFILER_TEST(stopping_makes_a_frame_of_what_is_left),
        PROFILER_TEST(recording_lasts_as_long_as_one_wants_it),
        PROFILER_TEST(stopping_what_was_not_started_is_a_bug),
        PROFILER_TEST(more_than_a_chunk_comes_whole_and_in_order),
        PROFILER_TEST(pairs_of_events_stay_together),
        PROFILER_TEST(a_flood_drops_whole_scopes_and_counts_them),
        PROFILER_TEST(threads_that_end_leave_what_they_wrote),
        PROFILER_TEST(a_thread_that_ends_without_room_has_left_all_scopes),
        PROFILER_TEST(threads_come_and_go_without_end),
        PROFILER_TEST(threads_past_the_limit_drop_and_are_counted),
        PROFILER_TEST(many_threads_write_while_one_collects),
        PROFILER_TEST(starts_and_stops_of_many_threads_do_no_harm),
        PROFILER_TEST(a_thread_may_be_named_while_it_records),
        PROFILER_TEST(waiting_for_a_lock_is_a_scope),
        PROFILER_TEST(named_allocators_are_counted),
        PROFILER_TEST(ticks_and_nanoseconds_agree),
        PROFILER_TEST(equal_names_are_one),
        PROFILER_TEST(a_million_names_are_bounded),
    };
    return cmocka_run_group_tests(tests, name_this_thread, test_group_teardown);
}
