// Times of scopes: nested, over frames, of several threads, with a warm-up and with gaps.
#include "foundation/profiler/profiler_fixture.h"

#include <stdio.h>

#include "foundation/profiler/profiler_follower.h"
#include "foundation/profiler/profiler_times.h"

enum { MOST_EVENTS = 32, MOST_BLOCKS = 4 };

// A frame made by hand.
typedef struct frame_text {
    _Alignas(16) char bytes[MOST_BLOCKS * (sizeof(ct_profiler_block) + MOST_EVENTS * 16) + 256];
    uint64_t length;
} frame_text;

static uint64_t tick_per_ms(void) {
    return (uint64_t)(ct_profiler_ticks_per_second() / 1e3);
}

static void begin_frame(frame_text *f, uint64_t number) {
    memset(f, 0, sizeof(*f));
    ct_profiler_frame *const frame = (ct_profiler_frame *)f->bytes;
    frame->number = frame->sequence = number;
    f->length = sizeof(*frame);
}

// Adds the events of a thread: "a(" enters a, ")" leaves, each a millisecond after the other.
static void add_thread(frame_text *f, uint32_t thread, const char *name, const char *events) {
    ct_profiler_frame *const frame = (ct_profiler_frame *)f->bytes;
    ct_profiler_block *const block = (ct_profiler_block *)(f->bytes + f->length);
    snprintf(block->thread_name, sizeof(block->thread_name), "%s", name);
    block->thread = thread;
    ct_profiler_event *e = (ct_profiler_event *)(block + 1);
    uint64_t ticks = frame->number * 1000 * tick_per_ms();
    for (const char *c = events; *c; ++c, ticks += tick_per_ms()) {
        char scope[2] = {*c, 0};
        const bool leaves = *c == ')';
        const uint64_t kind = leaves ? CT_PROFILER_KIND_LEAVE : CT_PROFILER_KIND_ENTER;
        const uint64_t what = leaves ? 0 : (uint64_t)(uintptr_t)ct_profiler_name(scope);
        *e++ = (ct_profiler_event){ticks, what | kind << CT_PROFILER_KIND_SHIFT};
        ++block->num_events;
        c += !leaves; // the bracket
    }
    f->length += sizeof(*block) + block->num_events * sizeof(*e);
    ++frame->num_blocks;
    frame->size_bytes = f->length;
}

static void add_frame(ct_profiler_times *t, const frame_text *f) {
    ct_profiler_times_add(t, (const ct_profiler_frame *)f->bytes);
}

// All scopes as text: "depth name calls mean worst; ".
static const char *text_of(const ct_profiler_times *t) {
    static char text[1024];
    uint32_t depth = 0, length = 0;
    for (uint32_t i = 0; (i = ct_profiler_times_next(t, i, &depth)) != 0;)
        length +=
            (uint32_t)snprintf(text + length, sizeof(text) - length, "%u %s %u %.4g %.4g; ", depth,
                               t->scopes.items[i].name, (uint32_t)t->scopes.items[i].num_calls,
                               ct_profiler_times_mean_ms(t, i), ct_profiler_times_worst_ms(t, i));
    text[length] = 0;
    return text;
}

static int measure_clock(void **state) {
    (void)state;
    start_recording(0); // ticks per second are known from now on
    ct_profiler_stop();
    return 0;
}

#define TIMES_TEST(test) cmocka_unit_test_setup_teardown(test, measure_clock, end_recording)

static void adds_up_scopes_by_where_they_are(void **state) {
    (void)state;
    ct_profiler_times t;
    ct_profiler_times_init(&t, test_heap(), 1);
    frame_text f;
    begin_frame(&f, 1);
    add_thread(&f, 7, "update", "a(b()b()c(b()))");
    add_frame(&t, &f);
    begin_frame(&f, 2);
    add_thread(&f, 7, "update", "a(b())d()");
    add_frame(&t, &f);
    assert_string_equal(text_of(&t),
                        "0 update 0 0 0; 1 a 2 6 9; 2 b 3 1.5 2; 2 c 1 1.5 3; 3 b 1 0.5 1; "
                        "1 d 1 0.5 1; ");
    assert_int_equal(t.num_frames, 2);
    ct_profiler_times_free(&t);
}

static void brings_threads_of_one_name_together(void **state) {
    (void)state;
    ct_profiler_times t;
    ct_profiler_times_init(&t, test_heap(), 1);
    frame_text f;
    begin_frame(&f, 1);
    add_thread(&f, 1, "worker", "a()");
    add_thread(&f, 2, "worker", "a(b())");
    add_thread(&f, 3, "render", "a()");
    add_frame(&t, &f);
    assert_string_equal(text_of(&t),
                        "0 worker 0 0 0; 1 a 2 4 4; 2 b 1 1 1; 0 render 0 0 0; 1 a 1 1 1; ");
    ct_profiler_times_free(&t);
}

static void leaves_out_the_warm_up(void **state) {
    (void)state;
    ct_profiler_times t;
    ct_profiler_times_init(&t, test_heap(), 3);
    frame_text f;
    for (uint64_t number = 1; number <= 4; ++number) {
        begin_frame(&f, number);
        add_thread(&f, 1, "update", number < 3 ? "a()a()a()" : "a()");
        add_frame(&t, &f);
    }
    assert_string_equal(text_of(&t), "0 update 0 0 0; 1 a 2 1 1; ");
    assert_int_equal(t.num_frames, 2);
    ct_profiler_times_free(&t);
}

// What spans frames counts in the one in which it ends; what a gap has swallowed does not.
static void follows_scopes_over_frames_and_forgets_them_at_gaps(void **state) {
    (void)state;
    ct_profiler_times t;
    ct_profiler_times_init(&t, test_heap(), 1);
    frame_text f;
    begin_frame(&f, 1);
    add_thread(&f, 1, "update", "a(");
    add_frame(&t, &f);
    begin_frame(&f, 2);
    add_thread(&f, 1, "update", ")b(c(");
    add_frame(&t, &f);
    begin_frame(&f, 4); // 3 was missed
    add_thread(&f, 1, "update", ")))d()");
    add_frame(&t, &f);
    assert_string_equal(text_of(&t),
                        "0 update 0 0 0; 1 a 1 333.3 1000; 1 b 0 0 0; 2 c 0 0 0; 1 d 1 0.3333 1; ");
    ct_profiler_times_free(&t);
}

// --- The follower --------------------------------------------------------------------------------

typedef struct seen {
    uint32_t num_frames, num_scopes;
} seen;

static void see(void *user, const ct_profiler_frame *frame) {
    seen *const s = user;
    ++s->num_frames;
    s->num_scopes +=
        count_events(block_named(frame, "follower test"), CT_PROFILER_KIND_ENTER, "work");
}

static void a_follower_sees_every_frame(void **state) {
    (void)state;
    enum { NUM = 200 };
    ct_profiler_name_thread("follower test");
    seen all = {0};
    ct_profiler_follower follower;
    ct_profiler_follower_start(&follower, test_heap(), "follower", see, &all);
    for (uint32_t i = 1; i <= NUM; ++i) {
        { CT_PROFILER_SCOPE("work"); }
        ct_profiler_end_frame(i);
    }
    assert_int_equal(ct_profiler_follower_stop(&follower), 0);
    assert_int_equal(all.num_frames, NUM + 1); // and what came after the last
    assert_int_equal(all.num_scopes, NUM);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TIMES_TEST(adds_up_scopes_by_where_they_are),
        TIMES_TEST(brings_threads_of_one_name_together),
        TIMES_TEST(leaves_out_the_warm_up),
        TIMES_TEST(follows_scopes_over_frames_and_forgets_them_at_gaps),
        PROFILER_TEST(a_follower_sees_every_frame),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
