// The profiler while jobs run: a scope for each job on the thread that runs it, scopes of scripts that
// nest in it, also over waits, and counters of locks that others held.
#include "script/threads/threads_fixture.h"

#include "foundation/profiler/profiler.h"
#include "foundation/profiler/profiler_store.h"

enum { MAX_TEXT = 65536, MAX_THREADS = 8 };

static ct_profiler_reader reader;
static bool has_tasks; // and so threads for them

// What was recorded of a thread: names of scopes with what is in them in parentheses.
typedef struct thread_text {
    char name[64], text[MAX_TEXT];
    uint32_t length;
    int depth, least_depth;
} thread_text;

static thread_text threads[MAX_THREADS];
static uint32_t num_texts;
static double num_waits, waited_ms, worker_memory; // of the counters

static int set_up_alone(void **state) {
    (void)state;
    has_tasks = false;
    return begin_test(0, (ct_script_desc){.num_worker_states = 1});
}

static int set_up_threads(void **state) {
    (void)state;
    has_tasks = true;
    return begin_test(2, (ct_script_desc){.num_worker_states = 2});
}

static void start_recording(void) {
    ct_profiler_start(&(ct_profiler_desc){.allocator = test_heap()});
    ct_profiler_reader_init(&reader, test_heap());
}

static thread_text *text_of(const char *thread) {
    for (uint32_t i = 0; i < num_texts; ++i) {
        if (strcmp(threads[i].name, thread) == 0)
            return &threads[i];
    }
    assert_true(num_texts < MAX_THREADS);
    thread_text *const t = &threads[num_texts++];
    memset(t, 0, sizeof(*t));
    snprintf(t->name, sizeof(t->name), "%s", thread);
    return t;
}

static void add_counter(const char *name, double value) {
    if (strcmp(name, "lua locks Unit waits") == 0)
        num_waits = value;
    else if (strcmp(name, "lua locks Unit waited ms") == 0)
        waited_ms = value;
    else if (strcmp(name, "lua worker memory") == 0)
        worker_memory = value;
}

static void add_event(thread_text *t, const ct_profiler_event *e) {
    const uint32_t room = MAX_TEXT - t->length;
    switch (ct_profiler_event_kind(e)) {
    case CT_PROFILER_KIND_ENTER:
        t->length +=
            (uint32_t)snprintf(t->text + t->length, room, "%s(", ct_profiler_event_name(e));
        ++t->depth;
        break;
    case CT_PROFILER_KIND_LEAVE:
        t->length += (uint32_t)snprintf(t->text + t->length, room, ")");
        --t->depth;
        t->least_depth = t->depth < t->least_depth ? t->depth : t->least_depth;
        break;
    case CT_PROFILER_KIND_COUNTER:
        add_counter(ct_profiler_event_name(e), ct_profiler_event_value(e + 1));
        break;
    default:
        break;
    }
    assert_true(t->length < MAX_TEXT);
}

// Each scope that a thread entered it has left, but for those of the last task and its job: it may be about to
// leave these, or the one of an earlier recording.
static void stop_recording(void) {
    num_texts = 0;
    num_waits = waited_ms = worker_memory = -1;
    ct_profiler_stop();
    for (const ct_profiler_frame *frame; (frame = ct_profiler_reader_next(&reader));) {
        const ct_profiler_block *block = NULL;
        while ((block = ct_profiler_frame_next_block(frame, block))) {
            for (uint32_t i = 0; i < block->num_events; ++i)
                add_event(text_of(block->thread_name), &ct_profiler_block_events(block)[i]);
        }
    }
    ct_profiler_reader_free(&reader);
    ct_profiler_shutdown();
    for (uint32_t i = 0; i < num_texts; ++i) {
        assert_in_range(threads[i].depth + 1, has_tasks ? 0 : 1, has_tasks ? 3 : 1);
        assert_in_range(threads[i].least_depth + 1, has_tasks ? 0 : 1, 1);
    }
}

// How often a text was recorded, by all threads.
static uint32_t count_of(const char *text) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < num_texts; ++i) {
        for (const char *at = threads[i].text; (at = strstr(at, text)); ++at)
            ++count;
    }
    return count;
}

// How many threads recorded a text.
static uint32_t num_threads_with(const char *text) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < num_texts; ++i)
        count += strstr(threads[i].text, text) != NULL;
    return count;
}

// --- Scopes --------------------------------------------------------------------------------------

static void records_jobs_by_name_on_their_threads(void **state) {
    (void)state;
    load_script(&f, "scripts/long",
                "function long() Profiler.start('think') local x = 0 "
                "for i = 1, 3e6 do x = x + i % 7 end Profiler.stop() return x end");
    start_recording();
    run_lua(&f, "jobs = {} for i = 1, 8 do jobs[i] = {script = 'scripts/long', ['function'] = "
                "'long', name = 'thinker ' .. i} end LuaThreads.run(jobs)");
    stop_recording();
    for (int i = 1; i <= 8; ++i) {
        char text[64];
        snprintf(text, sizeof(text), "thinker %d(think())", i);
        assert_int_equal(count_of(text), 1);
    }
    assert_int_equal(count_of("lua jobs("), 1);
    assert_int_equal(count_of("prepare workers("), 1);
    assert_true(num_threads_with("thinker ") == 1 || has_tasks);
    if (has_tasks)
        assert_int_equal(count_of("lua worker("), 2);
}

static void records_the_scopes_of_jobs_that_wait(void **state) {
    (void)state;
    load_script(&f, "scripts/profiled",
                "function profiled() Profiler.start('a') Profiler.start('b') coroutine.yield() "
                "Profiler.stop() coroutine.yield() Profiler.stop() "
                "return pcall(Profiler.stop) end");
    start_recording();
    run_lua(&f, "local p = {script = 'scripts/profiled', ['function'] = 'profiled', name = 'p'} "
                "R = LuaThreads.run({p, p, p}, {states = 1})");
    stop_recording();
    assert_lua(&f, "R[1], R[2], R[3]", "false\tfalse\tfalse");
    // Each until it yields first, each with the b that it ends, and each without.
    assert_int_equal(count_of("p(a(b()))p(a(b()))p(a(b()))p(a(b()))p(a(b()))p(a(b()))p(a())p(a())"
                              "p(a())"),
                     1);
    assert_int_equal(count_of("p("), 9);
    assert_false(is_logged("a Profiler.start has no Profiler.stop"));
}

static void ends_the_scopes_that_jobs_left_open(void **state) {
    (void)state;
    load_script(&f, "scripts/open",
                "function open() Profiler.start('left open') coroutine.yield() end "
                "function fail() Profiler.start('failed') error('oh') end");
    start_recording();
    run_lua(&f, "LuaThreads.run({{script = 'scripts/open', ['function'] = 'open', name = 'o'}, "
                "{script = 'scripts/open', ['function'] = 'fail', name = 'e'}, "
                "job('double', 1)}, {return_errors = true})");
    stop_recording();
    assert_int_equal(count_of("o(left open())"), 2); // before and after the wait
    assert_int_equal(count_of("e(failed())"), 1);
}

// A recording that begins or ends while scopes are open.
static void keeps_scopes_in_order_when_recording_begins_later(void **state) {
    (void)state;
    load_script(&f, "scripts/half",
                "function half() Profiler.start('a') coroutine.yield() Profiler.start('b') "
                "coroutine.yield() Profiler.stop() Profiler.stop() end");
    for (uint32_t i = 0; i < 20; ++i) {
        if (i % 2)
            start_recording();
        run_lua(&f, "local p = {script = 'scripts/half', ['function'] = 'half'} "
                    "LuaThreads.run({p, p, p, p})");
        if (i % 2)
            stop_recording();
    }
}

// --- Counters ------------------------------------------------------------------------------------

static void counts_waits_by_module(void **state) {
    (void)state;
    load_script(&f, "scripts/hold",
                "function hold(u) local Unit = LuaThreads.lock_api('Unit', u) coroutine.yield() "
                "return 1 end");
    start_recording();
    run_lua(&f, "local h = {script = 'scripts/hold', ['function'] = 'hold', U[1]} "
                "LuaThreads.run({h, h, h}, {states = 1})");
    ct_script_begin_frame(f.script);
    stop_recording();
    assert_true(num_waits == 2);
    assert_true(waited_ms > 0 && waited_ms < 60000);
    assert_true(worker_memory > 10000);
    assert_lua(&f, "LuaThreads.lock_statistics().Unit.waited", "2");
}

static void counts_no_waits_without_any(void **state) {
    (void)state;
    start_recording();
    run_lua(&f, "LuaThreads.run({job('read', U[1]), job('read', U[1]), job('move', U[2], 1)})");
    stop_recording();
    assert_true(num_waits == 0 && waited_ms == 0);
}

#define BOTH(test)                                                                                 \
    cmocka_unit_test_setup_teardown(test, set_up_alone, end_test), {                               \
#test " (threads)", test, set_up_threads, end_test, NULL                                   \
    }

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(records_jobs_by_name_on_their_threads),
        BOTH(records_the_scopes_of_jobs_that_wait),
        BOTH(ends_the_scopes_that_jobs_left_open),
        BOTH(keeps_scopes_in_order_when_recording_begins_later),
        BOTH(counts_waits_by_module),
        BOTH(counts_no_waits_without_any),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
