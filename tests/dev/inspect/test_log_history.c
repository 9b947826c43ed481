// The log's last messages in a bounded ring.
#include "support/test_support.h"

#include <stdio.h>
#include <string.h>

#include "dev/inspect/log_history.h"

static uint64_t add(ct_log_history *h, const char *message) {
    return ct_log_history_add(h, &(ct_log_entry){.seconds = 1.5,
                                                 .level = CT_LOG_LEVEL_INFO,
                                                 .system = "test",
                                                 .message = message,
                                                 .message_bytes = (uint32_t)strlen(message)});
}

static void keeps_what_it_was_given(void **state) {
    (void)state;
    ct_log_history *const h = ct_log_history_create(test_heap());
    assert_int_equal(ct_log_history_first(h), 1);
    assert_int_equal(ct_log_history_next(h), 1);
    const ct_log_entry given = {.seconds = 2.25,
                                .level = CT_LOG_LEVEL_ERROR,
                                .line = 12,
                                .system = "lua",
                                .message = "a\0b",
                                .message_bytes = 3,
                                .script = "scripts/main",
                                .traceback = "stack"};
    assert_int_equal(ct_log_history_add(h, &given), 1);
    add(h, "second");
    ct_log_entry e;
    assert_true(ct_log_history_read(h, 1, &e));
    assert_int_equal(e.number, 1);
    assert_true(e.seconds == 2.25);
    assert_int_equal(e.level, CT_LOG_LEVEL_ERROR);
    assert_int_equal(e.line, 12);
    assert_string_equal(e.system, "lua");
    assert_int_equal(e.message_bytes, 3);
    assert_memory_equal(e.message, "a\0b", 4);
    assert_string_equal(e.script, "scripts/main");
    assert_string_equal(e.traceback, "stack");
    assert_true(ct_log_history_read(h, 2, &e));
    assert_string_equal(e.message, "second");
    assert_null(e.script);
    assert_null(e.traceback);
    assert_false(ct_log_history_read(h, 0, &e));
    assert_false(ct_log_history_read(h, 3, &e));
    ct_log_history_destroy(h);
    ct_log_history_destroy(NULL);
}

static void cuts_long_texts(void **state) {
    (void)state;
    ct_log_history *const h = ct_log_history_create(test_heap());
    char *const text = ct_alloc(test_heap(), 200001);
    memset(text, 'x', 200000);
    text[200000] = '\0';
    ct_log_history_add(h, &(ct_log_entry){.system = text,
                                          .message = text,
                                          .message_bytes = 200000,
                                          .script = text,
                                          .traceback = text});
    ct_log_entry e;
    assert_true(ct_log_history_read(h, 1, &e));
    assert_int_equal(strlen(e.system), 1023);
    assert_int_equal(strlen(e.script), 1023);
    assert_int_equal(e.message_bytes, CT_LOG_MAX_BYTES);
    assert_int_equal(strlen(e.traceback), CT_LOG_MAX_BYTES);
    ct_free(test_heap(), text);
    ct_log_history_destroy(h);
}

// Messages name their numbers; reads in many orders see those.
static void check(ct_log_history *h, uint64_t number) {
    ct_log_entry e;
    char expected[32];
    assert_true(ct_log_history_read(h, number, &e));
    snprintf(expected, sizeof(expected), "message %u ", (uint32_t)number);
    assert_int_equal(e.number, number);
    assert_memory_equal(e.message, expected, strlen(expected));
}

static void the_oldest_messages_go(void **state) {
    (void)state;
    ct_log_history *const h = ct_log_history_create(test_heap());
    uint32_t random = 5;
    char text[4096];
    memset(text, ' ', sizeof(text));
    text[sizeof(text) - 1] = '\0';
    for (uint32_t i = 1; i <= 20000; ++i) {
        const int bytes = snprintf(text, sizeof(text), "message %u ", i);
        text[bytes] = ' ';
        ct_log_history_add(h, &(ct_log_entry){.system = "test",
                                              .message = text,
                                              .message_bytes = 100 + test_random(&random) % 3900});
        if (i % 97 == 0) {
            const uint64_t first = ct_log_history_first(h), next = ct_log_history_next(h);
            assert_int_equal(next, i + 1);
            check(h, first);
            check(h, next - 1);
            const uint64_t any = first + test_random(&random) % (next - first);
            check(h, any);
            if (any + 1 < next)
                check(h, any + 1);
        }
    }
    assert_true(ct_log_history_first(h) > 10000);
    ct_log_entry e;
    assert_false(ct_log_history_read(h, ct_log_history_first(h) - 1, &e));
    ct_allocator_stats stats;
    test_heap()->stats(test_heap(), &stats);
    assert_true(stats.live_bytes < (17u << 20));
    ct_log_history_destroy(h);
}

static void short_messages_are_counted(void **state) {
    (void)state;
    ct_log_history *const h = ct_log_history_create(test_heap());
    for (uint32_t i = 0; i < 250000; ++i)
        add(h, "x");
    const uint64_t kept = ct_log_history_next(h) - ct_log_history_first(h);
    assert_true(kept <= CT_LOG_HISTORY_MAX_MESSAGES);
    assert_true(kept > CT_LOG_HISTORY_MAX_MESSAGES - 10000);
    uint64_t count = 0;
    ct_log_entry e;
    for (uint64_t i = ct_log_history_first(h); ct_log_history_read(h, i, &e); ++i)
        ++count;
    assert_int_equal(count, kept);
    ct_log_history_destroy(h);
}

// A cursor into a block that was used again must not be believed.
static void a_block_that_is_used_again_is_read_from_its_start(void **state) {
    (void)state;
    ct_log_history *const h = ct_log_history_create(test_heap());
    for (uint32_t i = 0; i < 1000; ++i)
        add(h, "x");
    ct_log_entry e;
    assert_true(ct_log_history_read(h, 500, &e));
    for (uint32_t i = 0; i < 400000; ++i)
        add(h, i % 2 ? "odd" : "even number");
    for (uint64_t i = ct_log_history_first(h); i < ct_log_history_next(h); i += 777) {
        assert_true(ct_log_history_read(h, i, &e));
        assert_string_equal(e.message, (i - 1001) % 2 ? "odd" : "even number");
    }
    ct_log_history_destroy(h);
}

static void writes_members(void **state) {
    (void)state;
    ct_string_builder out;
    ct_sjson_writer w;
    ct_string_builder_init(&out, test_heap());
    ct_sjson_writer_init(&w, &out, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_log_entry_write(&(ct_log_entry){.number = 7,
                                       .seconds = 1.5,
                                       .level = CT_LOG_LEVEL_WARNING,
                                       .line = 3,
                                       .system = "a",
                                       .message = "b\n",
                                       .message_bytes = 2,
                                       .script = "s",
                                       .traceback = "t"},
                       &w);
    ct_sjson_end_object(&w);
    assert_string_equal(ct_string_builder_text(&out),
                        "{\"number\":7,\"seconds\":1.5,\"level\":\"warning\",\"system\":\"a\","
                        "\"message\":\"b\\n\",\"script\":\"s\",\"line\":3,\"traceback\":\"t\"}");
    ct_string_builder_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_what_it_was_given),
        cmocka_unit_test(cuts_long_texts),
        cmocka_unit_test(the_oldest_messages_go),
        cmocka_unit_test(short_messages_are_counted),
        cmocka_unit_test(a_block_that_is_used_again_is_read_from_its_start),
        cmocka_unit_test(writes_members),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
