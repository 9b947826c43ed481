// Recordings as Chrome traces: valid JSON, nested, complete, with what was lost.
#include "foundation/profiler/profiler_fixture.h"

#include <stdio.h>

#include "foundation/os/file.h"
#include "foundation/profiler/profiler_file.h"
#include "foundation/profiler/profiler_trace.h"
#include "foundation/sjson/sjson.h"

// --- Reading a trace -----------------------------------------------------------------------------

typedef struct trace_file {
    ct_sjson *doc;
    ct_sjson_value events, other;
} trace_file;

static trace_file parse_trace(const char *text, uint64_t length) {
    ct_error error = {0};
    trace_file t = {.doc = ct_sjson_parse(test_heap(), text, length, "trace", NULL, &error)};
    if (!t.doc)
        fail_msg("%u:%u: %s", error.line, error.column, error.message);
    t.events = ct_sjson_find(t.doc, ct_sjson_root(t.doc), "traceEvents");
    t.other = ct_sjson_find(t.doc, ct_sjson_root(t.doc), "otherData");
    assert_int_equal(ct_sjson_type_of(t.doc, t.events), CT_SJSON_TYPE_ARRAY);
    return t;
}

static trace_file read_trace(const char *path) {
    ct_error error = {0};
    uint64_t length = 0;
    char *const text = ct_file_read(test_heap(), path, &length, &error);
    if (!text)
        fail_msg("%s", error.message);
    const trace_file t = parse_trace(text, length);
    ct_free(test_heap(), text);
    return t;
}

static const char *text_of(const trace_file *t, ct_sjson_value v, const char *key) {
    return ct_sjson_string(t->doc, ct_sjson_find(t->doc, v, key), "");
}

static double number_of(const trace_file *t, ct_sjson_value v, const char *key) {
    return ct_sjson_number(t->doc, ct_sjson_find(t->doc, v, key), -1.0);
}

// Writes the events of one thread or track as text: `name(` and `)`, `name=value`,
// `name[duration]`.
static void write_thread(const trace_file *t, double tid, char *text, uint32_t bytes) {
    uint32_t length = 0;
    double last = -1e18;
    text[0] = 0;
    ct_sjson_value v = ct_sjson_first(t->doc, t->events);
    for (; v.entry; v = ct_sjson_next(t->doc, v)) {
        if (number_of(t, v, "tid") != tid)
            continue;
        const char phase = text_of(t, v, "ph")[0];
        char *const at = text + length;
        const uint32_t left = bytes - length;
        if (phase == 'M')
            continue;
        const double ts = number_of(t, v, "ts");
        assert_true(ts >= last || phase == 'X');
        last = ts;
        if (phase == 'B')
            length += (uint32_t)snprintf(at, left, "%s(", text_of(t, v, "name"));
        if (phase == 'E')
            length += (uint32_t)snprintf(at, left, ")");
        if (phase == 'C')
            length += (uint32_t)snprintf(at, left, "%s=%.17g ", text_of(t, v, "name"),
                                         number_of(t, ct_sjson_find(t->doc, v, "args"), "value"));
        if (phase == 'X')
            length += (uint32_t)snprintf(at, left, "%s[%g]", text_of(t, v, "name"),
                                         number_of(t, v, "dur"));
    }
}

// The `tid` of the thread or track of this name, -1 when there is none.
static double tid_named(const trace_file *t, const char *name) {
    ct_sjson_value v = ct_sjson_first(t->doc, t->events);
    for (; v.entry; v = ct_sjson_next(t->doc, v)) {
        if (strcmp(text_of(t, v, "name"), "thread_name") == 0 &&
            strcmp(text_of(t, ct_sjson_find(t->doc, v, "args"), "name"), name) == 0)
            return number_of(t, v, "tid");
    }
    return -1.0;
}

// --- Made-up frames ------------------------------------------------------------------------------

typedef struct made_frame {
    ct_profiler_frame frame;
    ct_profiler_block block;
    ct_profiler_event events[16];
} made_frame;

static uint64_t what(ct_profiler_kind kind, const char *name) {
    return (uint64_t)(uintptr_t)name | (uint64_t)kind << CT_PROFILER_KIND_SHIFT;
}

static void add_frame(ct_profiler_trace *t, uint64_t sequence, const ct_profiler_event *events,
                      uint32_t num_events) {
    made_frame m = {.frame = {.sequence = sequence,
                              .number = sequence,
                              .begin_ticks = sequence * 1000000,
                              .end_ticks = (sequence + 1) * 1000000,
                              .num_dropped = 3,
                              .num_blocks = 1},
                    .block = {.thread_name = "made \"up\"", .thread = 5, .num_events = num_events}};
    m.frame.size_bytes = sizeof(m.frame) + sizeof(m.block) + sizeof(m.events[0]) * num_events;
    for (uint32_t i = 0; i < num_events; ++i)
        m.events[i] = events[i];
    ct_profiler_trace_add(t, &m.frame);
}

static trace_file end_trace(ct_profiler_trace *t, uint64_t num_missed) {
    ct_profiler_trace_end(t, num_missed);
    const trace_file result = parse_trace(t->text.text, t->text.length);
    ct_profiler_trace_free(t);
    return result;
}

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static void leaves_without_enters_are_left_out(void **state) {
    (void)state;
    ct_profiler_trace t;
    ct_profiler_trace_init(&t, test_heap());
    const ct_profiler_event events[] = {{1000100, what(CT_PROFILER_KIND_LEAVE, NULL)},
                                        {1000200, what(CT_PROFILER_KIND_ENTER, "a")},
                                        {1000300, what(CT_PROFILER_KIND_ENTER, "b")},
                                        {1000400, what(CT_PROFILER_KIND_LEAVE, NULL) + 4},
                                        {1000500, what(CT_PROFILER_KIND_ENTER, "c")}};
    add_frame(&t, 1, events, CT_COUNT_OF(events));
    const trace_file file = end_trace(&t, 0);
    char text[256];
    write_thread(&file, 5, text, sizeof(text));
    assert_string_equal(text, "a(b())c()");
    assert_true(tid_named(&file, "made \"up\"") == 5);
    ct_sjson_free(file.doc);
}

static void a_gap_ends_open_scopes(void **state) {
    (void)state;
    ct_profiler_trace t;
    ct_profiler_trace_init(&t, test_heap());
    const ct_profiler_event enter[] = {{1000100, what(CT_PROFILER_KIND_ENTER, "a")},
                                       {1000200, what(CT_PROFILER_KIND_ENTER, "b")}};
    const ct_profiler_event next[] = {{2000100, what(CT_PROFILER_KIND_LEAVE, NULL)},
                                      {2000200, what(CT_PROFILER_KIND_ENTER, "c")}};
    const ct_profiler_event after[] = {{9000100, what(CT_PROFILER_KIND_LEAVE, NULL)},
                                       {9000200, what(CT_PROFILER_KIND_ENTER, "d")},
                                       {9000300, what(CT_PROFILER_KIND_LEAVE, NULL)},
                                       {9000400, what(CT_PROFILER_KIND_LEAVE, NULL)}};
    add_frame(&t, 1, enter, CT_COUNT_OF(enter));
    add_frame(&t, 2, next, CT_COUNT_OF(next)); // no gap: b ends, c begins within a
    add_frame(&t, 9, after, CT_COUNT_OF(after));
    const trace_file file = end_trace(&t, 6);
    char text[256];
    write_thread(&file, 5, text, sizeof(text));
    assert_string_equal(text, "a(b()c())d()");
    assert_true(number_of(&file, file.other, "dropped_frames") == 6);
    assert_true(number_of(&file, file.other, "dropped_scopes") == 3);
    assert_true(number_of(&file, file.other, "frames") == 3);
    ct_sjson_free(file.doc);
}

static void counters_are_exact_and_finite(void **state) {
    (void)state;
    ct_profiler_trace t;
    ct_profiler_trace_init(&t, test_heap());
    const ct_profiler_event events[] = {
        {1000100, what(CT_PROFILER_KIND_COUNTER, "tenth")},
        {bits_of(0.1), what(CT_PROFILER_KIND_VALUE, NULL)},
        {1000200, what(CT_PROFILER_KIND_COUNTER, "nan")},
        {bits_of(0.0 / 0.0), what(CT_PROFILER_KIND_VALUE, NULL)},
        {1000250, what(CT_PROFILER_KIND_NONE, NULL)},
        {1000300, what(CT_PROFILER_KIND_COUNTER, "big")},
        {bits_of(9007199254740993.0), what(CT_PROFILER_KIND_VALUE, NULL)},
        {1000400, what(CT_PROFILER_KIND_COUNTER, "huge")},
        {bits_of(-1e300), what(CT_PROFILER_KIND_VALUE, NULL)}};
    add_frame(&t, 1, events, CT_COUNT_OF(events));
    const trace_file file = end_trace(&t, 0);
    char text[256];
    write_thread(&file, 5, text, sizeof(text));
    assert_string_equal(
        text, "tenth=0.10000000000000001 big=9007199254740992 huge=-1.0000000000000001e+300 ");
    ct_sjson_free(file.doc);
}

static void any_name_gives_valid_json(void **state) {
    (void)state;
    ct_profiler_trace t;
    ct_profiler_trace_init(&t, test_heap());
    static const char *const names[] = {"\"quoted\" \\ back", "line\nend\ttab\x01", "\xff\xfe bad",
                                        "größe", ""};
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i) {
        const ct_profiler_event events[] = {
            {(i + 1) * 1000000 + 1, what(CT_PROFILER_KIND_ENTER, names[i])},
            {(i + 1) * 1000000 + 2, what(CT_PROFILER_KIND_LEAVE, NULL)}};
        add_frame(&t, i + 1, events, 2);
    }
    const trace_file file = end_trace(&t, 0);
    char text[256];
    write_thread(&file, 5, text, sizeof(text));
    assert_string_equal(text,
                        "\"quoted\" \\ back()line\nend\ttab\x01()\xef\xbf\xbd\xef\xbf\xbd bad()"
                        "größe()()");
    ct_sjson_free(file.doc);
}

static void ranges_stand_on_their_track(void **state) {
    (void)state;
    start_recording(0); // the clock is known
    const uint64_t ticks = ct_profiler_ticks();
    const uint64_t end = ct_profiler_ticks_of_ns(ct_profiler_ns_of_ticks(ticks) + 2500000);
    ct_profiler_trace t;
    ct_profiler_trace_init(&t, test_heap());
    const ct_profiler_event events[] = {{ticks, what(CT_PROFILER_KIND_RANGE, "pass")},
                                        {end, what(CT_PROFILER_KIND_END, "gpu")},
                                        {end, what(CT_PROFILER_KIND_RANGE, "backwards")},
                                        {ticks, what(CT_PROFILER_KIND_END, "gpu")}};
    add_frame(&t, 1, events, CT_COUNT_OF(events));
    const trace_file file = end_trace(&t, 0);
    const double tid = tid_named(&file, "gpu");
    assert_true(tid > CT_PROFILER_FIRST_TRACK);
    ct_sjson_value v = ct_sjson_first(file.doc, file.events);
    while (strcmp(text_of(&file, v, "name"), "pass") != 0)
        v = ct_sjson_next(file.doc, v);
    assert_true(number_of(&file, v, "tid") == tid);
    assert_true(number_of(&file, v, "dur") > 2499.0 && number_of(&file, v, "dur") < 2501.0);
    while (strcmp(text_of(&file, v, "name"), "backwards") != 0)
        v = ct_sjson_next(file.doc, v);
    assert_true(number_of(&file, v, "dur") == 0.0);
    ct_sjson_free(file.doc);
}

// --- Files ---------------------------------------------------------------------------------------

static const char *scratch_path(const char *name) {
    static char path[2048];
    snprintf(path, sizeof(path), "%s/%s", test_scratch_folder(), name);
    return path;
}

static void work(uint32_t frame) {
    CT_PROFILER_SCOPE("frame");
    {
        CT_PROFILER_SCOPE("update");
        ct_profiler_counter("number", frame);
    }
}

static void a_recording_is_written_as_it_goes(void **state) {
    (void)state;
    enum { NUM_FRAMES = 2000 };
    const char *const path = scratch_path("p.json");
    ct_error error = {0};
    ct_profiler_file *const file = ct_profiler_file_start(test_heap(), path, &error);
    assert_non_null(file);
    for (uint32_t i = 1; i <= NUM_FRAMES; ++i) {
        work(i);
        ct_profiler_end_frame(i);
        if (i % 500 == 0)
            ct_os_sleep_ns(30000000);
    }
    work(NUM_FRAMES + 1); // belongs to the frame that stopping makes
    assert_true(ct_profiler_file_stop(file, &error));
    assert_false(ct_profiler_is_on());
    const trace_file trace = read_trace(path);
    assert_true(number_of(&trace, trace.other, "frames") == NUM_FRAMES + 1);
    assert_true(number_of(&trace, trace.other, "dropped_frames") == 0);
    uint32_t num_frames = 0, num_numbers = 0, num_updates = 0;
    ct_sjson_value v = ct_sjson_first(trace.doc, trace.events);
    for (; v.entry; v = ct_sjson_next(trace.doc, v)) {
        const char *const name = text_of(&trace, v, "name");
        const ct_sjson_value arguments = ct_sjson_find(trace.doc, v, "args");
        if (text_of(&trace, v, "ph")[0] == 'X')
            assert_true(number_of(&trace, arguments, "number") == ++num_frames);
        if (strcmp(name, "number") == 0)
            assert_true(number_of(&trace, arguments, "value") == ++num_numbers);
        num_updates += strcmp(name, "update") == 0;
    }
    assert_int_equal(num_frames, NUM_FRAMES + 1);
    assert_int_equal(num_numbers, NUM_FRAMES + 1);
    assert_int_equal(num_updates, NUM_FRAMES + 1);
    ct_sjson_free(trace.doc);
}

static void a_file_that_cannot_be_made_is_an_error(void **state) {
    (void)state;
    ct_error error = {0};
    assert_null(ct_profiler_file_start(test_heap(), "/nowhere/at/all.json", &error));
    assert_non_null(strstr(error.message, "/nowhere/at/all.json"));
    assert_false(ct_profiler_is_on());
    uint64_t num_frames;
    start_recording(0);
    ct_profiler_end_frame(1);
    error = (ct_error){0};
    assert_false(ct_profiler_dump(test_heap(), "/nowhere/at/all.json", &num_frames, &error));
    assert_non_null(strstr(error.message, "/nowhere/at/all.json"));
}

static void a_full_disk_is_an_error_at_the_end(void **state) {
    (void)state;
    ct_error error = {0};
    ct_profiler_file *const file = ct_profiler_file_start(test_heap(), "/dev/full", &error);
    assert_non_null(file);
    for (uint32_t i = 1; i <= 5000; ++i) {
        work(i);
        ct_profiler_end_frame(i);
    }
    assert_false(ct_profiler_file_stop(file, &error));
    assert_non_null(strstr(error.message, "No space left"));
}

static void a_dump_has_the_last_frames(void **state) {
    (void)state;
    const char *const path = scratch_path("dump.json");
    start_recording(64 << 10);
    for (uint32_t i = 1; i <= 1000; ++i) {
        work(i);
        ct_profiler_end_frame(i);
    }
    ct_error error = {0};
    uint64_t num_frames = 0;
    assert_true(ct_profiler_dump(test_heap(), path, &num_frames, &error));
    assert_true(ct_profiler_is_on());
    assert_true(num_frames > 10 && num_frames < 1000);
    const trace_file trace = read_trace(path);
    assert_true(number_of(&trace, trace.other, "frames") == (double)num_frames);
    assert_true(number_of(&trace, trace.other, "dropped_frames") == 1000 - (double)num_frames);
    ct_sjson_value v = ct_sjson_first(trace.doc, trace.events);
    double first = -1, last = -1;
    for (; v.entry; v = ct_sjson_next(trace.doc, v)) {
        if (text_of(&trace, v, "ph")[0] == 'X') {
            last = number_of(&trace, ct_sjson_find(trace.doc, v, "args"), "number");
            first = first < 0 ? last : first;
        }
    }
    assert_true(last == 1000 && first == 1000 - (double)num_frames + 1);
    ct_sjson_free(trace.doc);
    ct_profiler_stop();
    // What was kept can be written after the recording too.
    assert_true(ct_profiler_dump(test_heap(), path, &num_frames, &error));
}

static void a_dump_without_frames_is_an_error(void **state) {
    (void)state;
    ct_error error = {0};
    uint64_t num_frames = 0;
    assert_false(ct_profiler_dump(test_heap(), scratch_path("none.json"), &num_frames, &error));
    assert_string_equal(error.message, "no frames were recorded");
}

static void two_files_at_once_both_get_all(void **state) {
    (void)state;
    char paths[2][2048];
    ct_profiler_file *files[2];
    ct_error error = {0};
    for (uint32_t i = 0; i < 2; ++i) {
        snprintf(paths[i], sizeof(paths[i]), "%s", scratch_path("p.json"));
        files[i] = ct_profiler_file_start(test_heap(), paths[i], &error);
        assert_non_null(files[i]);
    }
    work(1);
    ct_profiler_end_frame(1);
    assert_true(ct_profiler_file_stop(files[0], &error));
    work(2);
    ct_profiler_end_frame(2);
    assert_true(ct_profiler_file_stop(files[1], &error));
    static const double expected[] = {1, 3};
    for (uint32_t i = 0; i < 2; ++i) {
        const trace_file trace = read_trace(paths[i]);
        assert_true(number_of(&trace, trace.other, "frames") == expected[i]);
        ct_sjson_free(trace.doc);
    }
}

static int name_this_thread(void **state) {
    ct_profiler_name_thread("tester");
    return test_group_setup(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        PROFILER_TEST(leaves_without_enters_are_left_out),
        PROFILER_TEST(a_gap_ends_open_scopes),
        PROFILER_TEST(counters_are_exact_and_finite),
        PROFILER_TEST(any_name_gives_valid_json),
        PROFILER_TEST(ranges_stand_on_their_track),
        PROFILER_TEST(a_recording_is_written_as_it_goes),
        PROFILER_TEST(a_file_that_cannot_be_made_is_an_error),
        PROFILER_TEST(a_full_disk_is_an_error_at_the_end),
        PROFILER_TEST(a_dump_has_the_last_frames),
        PROFILER_TEST(a_dump_without_frames_is_an_error),
        PROFILER_TEST(two_files_at_once_both_get_all),
    };
    return cmocka_run_group_tests(tests, name_this_thread, test_group_teardown);
}
