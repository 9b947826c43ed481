// Frames as messages, and the console's `profiler` command, without a game around them.
#include "support/test_support.h"

#include <stdio.h>
#include <string.h>

#include "dev/profiler_console.h"
#include "dev/profiler_stream.h"
#include "foundation/error.h"
#include "foundation/sjson/sjson.h"

static void start_recording(void) {
    ct_profiler_start(&(ct_profiler_desc){.allocator = test_heap()});
}

static int set_up(void **state) {
    (void)state;
    ct_profiler_name_thread("tester");
    ct_profiler_console_init(test_heap());
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    ct_profiler_console_shutdown();
    while (ct_profiler_is_on())
        ct_profiler_stop();
    ct_profiler_shutdown();
    return 0;
}

// --- Messages ------------------------------------------------------------------------------------

// What a client keeps of a stream.
typedef struct client {
    ct_profiler_stream stream;
    char strings[64][64];
    uint32_t num_strings;
    char text[4096]; // what the thread "tester" did in the last message
    double time;     // of the last event
} client;

static uint64_t get(const uint8_t *from, uint32_t num_bytes) {
    uint64_t value = 0;
    for (uint32_t i = 0; i < num_bytes; ++i)
        value |= (uint64_t)from[i] << 8 * i;
    return value;
}

static void read_events(client *c, const uint8_t *bytes, uint32_t num_events) {
    uint32_t length = 0;
    c->text[0] = 0;
    for (uint32_t i = 0; i < num_events; ++i, bytes += CT_PROFILER_STREAM_EVENT_BYTES) {
        const uint64_t time = get(bytes, 8), number = get(bytes + 8, 4), kind = get(bytes + 12, 4);
        const char *const name = kind == 2 || kind == 4 ? "" : c->strings[number];
        double value;
        memcpy(&value, &time, sizeof(value));
        if (kind != 2 && kind != 4)
            assert_true(number < c->num_strings);
        if (kind == 1 || kind == 2) {
            assert_true((double)(int64_t)time >= c->time);
            c->time = (double)(int64_t)time;
        }
        char *const at = c->text + length;
        const uint64_t left = sizeof(c->text) - length;
        switch (kind) {
        case 1:
            length += (uint32_t)snprintf(at, left, "%s(", name);
            break;
        case 2:
            assert_int_equal(number, 1);
            length += (uint32_t)snprintf(at, left, ")");
            break;
        case 3:
            if (strncmp(name, "memory ", 7) != 0)
                length += (uint32_t)snprintf(at, left, "%s=", name);
            break;
        case 4:
            if (length > 0 && c->text[length - 1] == '=')
                length += (uint32_t)snprintf(at, left, "%g ", value);
            break;
        case 5:
            length += (uint32_t)snprintf(at, left, "%s@", name);
            break;
        case 6:
            length += (uint32_t)snprintf(at, left, "%s ", name);
            break;
        default:
            fail_msg("an event of kind %u", (unsigned)kind);
        }
    }
}

static double number_of(const ct_sjson *doc, ct_sjson_value v, const char *key) {
    return ct_sjson_number(doc, ct_sjson_find(doc, v, key), -1.0);
}

// Encodes a frame and reads the message as a client does. Returns its document.
static ct_sjson *receive(client *c, const ct_profiler_frame *frame, uint64_t num_missed) {
    assert_non_null(frame);
    ct_profiler_stream_encode(&c->stream, frame, num_missed);
    ct_error error = {0};
    ct_sjson *const doc = ct_sjson_parse(test_heap(), c->stream.json.text, c->stream.json.length,
                                         "message", NULL, &error);
    if (!doc)
        fail_msg("%s", error.message);
    const ct_sjson_value root = ct_sjson_root(doc);
    assert_true(number_of(doc, root, "binary_size") == c->stream.binary.count);
    assert_true(number_of(doc, root, "first_string") == c->num_strings);
    ct_sjson_value v = ct_sjson_first(doc, ct_sjson_find(doc, root, "strings"));
    for (; v.entry; v = ct_sjson_next(doc, v))
        snprintf(c->strings[c->num_strings++], 64, "%s", ct_sjson_string(doc, v, ""));
    uint32_t at = 0;
    v = ct_sjson_first(doc, ct_sjson_find(doc, root, "threads"));
    for (; v.entry; v = ct_sjson_next(doc, v)) {
        const uint32_t num_events = (uint32_t)number_of(doc, v, "events");
        assert_true(at + num_events * CT_PROFILER_STREAM_EVENT_BYTES <= c->stream.binary.count);
        if (strcmp(ct_sjson_string(doc, ct_sjson_find(doc, v, "name"), ""), "tester") == 0)
            read_events(c, c->stream.binary.items + at, num_events);
        at += num_events * CT_PROFILER_STREAM_EVENT_BYTES;
    }
    assert_int_equal(at, c->stream.binary.count);
    return doc;
}

static void a_client_reads_what_was_recorded(void **state) {
    (void)state;
    static client c;
    c = (client){.num_strings = 0};
    ct_profiler_stream_init(&c.stream, test_heap());
    start_recording();
    ct_profiler_reader reader;
    ct_profiler_reader_init(&reader, test_heap());
    for (uint64_t frame = 1; frame <= 3; ++frame) {
        {
            CT_PROFILER_SCOPE("outer");
            CT_PROFILER_SCOPE("inner");
            ct_profiler_counter("speed", 2.5 * (double)frame);
        }
        ct_profiler_range("gpu", "pass", ct_profiler_ticks(), ct_profiler_ticks());
        ct_profiler_end_frame(frame);
        ct_sjson *const doc = receive(&c, ct_profiler_reader_next(&reader), 7);
        const ct_sjson_value root = ct_sjson_root(doc);
        char expected[256];
        snprintf(expected, sizeof(expected), "%souter(inner(speed=%g ))pass@gpu profiler(",
                 frame == 1 ? "" : ")", 2.5 * (double)frame);
        assert_string_equal(c.text, expected);
        assert_string_equal(ct_sjson_string(doc, ct_sjson_find(doc, root, "type"), ""), "profiler");
        assert_true(number_of(doc, root, "frame") == (double)frame);
        assert_true(number_of(doc, root, "dropped_frames") == 7);
        assert_true(number_of(doc, root, "dropped_scopes") == 0);
        assert_true(number_of(doc, root, "end") > number_of(doc, root, "begin"));
        assert_true(number_of(doc, root, "begin") >= 0);
        // Names come once.
        if (frame > 1)
            assert_int_equal(ct_sjson_count(doc, ct_sjson_find(doc, root, "strings")), 0);
        ct_sjson_free(doc);
    }
    ct_profiler_reader_free(&reader);
    ct_profiler_stream_free(&c.stream);
}

// --- The command ---------------------------------------------------------------------------------

// Runs `profiler` with up to two arguments; returns what it told, or its error after "! ".
static const char *run(const char *first, const char *second) {
    static char text[2048];
    ct_console_target target = {.allocator = test_heap()};
    const char *const arguments[] = {first, second};
    ct_string_builder result;
    ct_string_builder_init(&result, test_heap());
    ct_error error = {0};
    const bool is_done = ct_console_command_run(ct_console_command_named("profiler"), &target,
                                                second  ? 2
                                                : first ? 1
                                                        : 0,
                                                arguments, &result, &error);
    snprintf(text, sizeof(text), "%s%s", is_done ? "" : "! ",
             is_done ? ct_string_builder_text(&result) : error.message);
    ct_string_builder_free(&result);
    return text;
}

static void the_console_starts_stops_and_dumps(void **state) {
    (void)state;
    char path[1024], expected[2048];
    snprintf(path, sizeof(path), "%s/dump.json", test_scratch_folder());
    assert_string_equal(run("dump", path), "! no frames were recorded");
    assert_string_equal(run("stop", NULL), "! not recording: use \"profiler start\" first");
    assert_string_equal(run("start", NULL), "recording");
    assert_true(ct_profiler_is_on());
    assert_string_equal(run("start", NULL), "! already recording");
    ct_profiler_end_frame(1);
    ct_profiler_end_frame(2);
    snprintf(expected, sizeof(expected), "wrote 2 frames to %s", path);
    assert_string_equal(run("dump", path), expected);
    start_recording(); // as another tool does
    assert_string_equal(run("stop", NULL), "stopped; other recordings continue");
    assert_true(ct_profiler_is_on());
    assert_string_equal(run("start", NULL), "recording");
    ct_profiler_stop();
    assert_string_equal(run("stop", NULL), "stopped");
    assert_false(ct_profiler_is_on());
    assert_non_null(strstr(run("dump", "/nowhere/at/all"), "! "));
}

static void wrong_arguments_are_told(void **state) {
    (void)state;
    assert_non_null(
        strstr(run(NULL, NULL), "! wrong number of arguments (0); expected: profiler start|stop"));
    assert_non_null(
        strstr(run("begin", NULL), "! found \"begin\" and 0 more arguments; expected start"));
    assert_non_null(strstr(run("dump", NULL), "expected start, stop, dump FILE"));
    assert_non_null(strstr(run("stop", "now"), "! found \"stop\" and 1 more"));
    assert_non_null(strstr(run("subscribe", NULL), "! this connection is already subscribed, or "));
    assert_non_null(strstr(run("unsubscribe", NULL), "! this connection is not subscribed"));
    assert_false(ct_profiler_is_on());
}

static void shutting_down_ends_the_consoles_recording(void **state) {
    (void)state;
    assert_string_equal(run("start", NULL), "recording");
    ct_profiler_console_shutdown();
    assert_false(ct_profiler_is_on());
    assert_string_equal(run("start", NULL), "! this program cannot record profiler frames");
}

#define CONSOLE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        CONSOLE_TEST(a_client_reads_what_was_recorded),
        CONSOLE_TEST(the_console_starts_stops_and_dumps),
        CONSOLE_TEST(wrong_arguments_are_told),
        CONSOLE_TEST(shutting_down_ends_the_consoles_recording),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
