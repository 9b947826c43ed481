#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "foundation/crash/crash_log.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/memory/memory.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "support/test_support.h"

// A sink that keeps what it got.
typedef struct record {
    uint32_t count;
    ct_log_level level;
    char system[64];
    char message[16384];
} record;

static void keep(void *user, ct_log_level level, const char *system, const char *message) {
    record *const r = user;
    ++r->count;
    r->level = level;
    snprintf(r->system, sizeof(r->system), "%s", system);
    snprintf(r->message, sizeof(r->message), "%s", message);
}

static record kept;

static int listen_to_log(void **state) {
    (void)state;
    memset(&kept, 0, sizeof(kept));
    ct_log_shutdown(); // tells what earlier tests left untold, which else comes within a second
    ct_log_init(ct_memory_heap());
    const ct_log_sink sink = {.write = keep, .user = &kept};
    ct_log_add_sink(&sink);
    return 0;
}

static int stop_listening(void **state) {
    (void)state;
    ct_log_remove_sink(keep, &kept);
    return 0;
}

static void sink_gets_level_system_and_text(void **state) {
    (void)state;
    ct_log_info("render", "%d targets", 3);
    assert_int_equal(kept.count, 1);
    assert_int_equal(kept.level, CT_LOG_LEVEL_INFO);
    assert_string_equal(kept.system, "render");
    assert_string_equal(kept.message, "3 targets");
    ct_log_debug("lua", "x");
    assert_int_equal(kept.level, CT_LOG_LEVEL_DEBUG);
    ct_log_message(CT_LOG_LEVEL_INFO, "lua", "100%d");
    assert_string_equal(kept.message, "100%d");
}

static void sink_is_spared_lesser_messages(void **state) {
    (void)state;
    record warnings = {0};
    const ct_log_sink sink = {.write = keep, .user = &warnings, .least = CT_LOG_LEVEL_WARNING};
    ct_log_add_sink(&sink);
    ct_log_debug("a", "x");
    ct_log_info("a", "x");
    assert_int_equal(warnings.count, 0);
    ct_log_warning("a", "spared", "x");
    ct_log_error("a", "an_error", "x");
    assert_int_equal(warnings.count, 2);
    assert_int_equal(kept.count, 4);
    ct_log_remove_sink(keep, &warnings);
    ct_log_error("a", "an_error", "y");
    assert_int_equal(warnings.count, 2);
}

static void long_messages_arrive_whole(void **state) {
    (void)state;
    char text[10000];
    memset(text, 'x', sizeof(text));
    text[sizeof(text) - 1] = 0;
    ct_log_info("a", "%s", text);
    assert_string_equal(kept.message, text);
    ct_log_warning("a", "long", "%s", text);
    assert_int_equal(strlen(kept.message), strlen(text) + strlen(" [long]"));
    ct_log_error("a", "long", "%s", text);
    assert_int_equal(strlen(kept.message), strlen(text) + strlen(" [long]"));
}

static void warning_is_told_once_per_id_and_text(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 5; ++i)
        ct_log_warning("entity", "unknown_component", "component %s", "wings");
    assert_int_equal(kept.count, 1);
    assert_string_equal(kept.message, "component wings [unknown_component]");
    assert_int_equal(ct_log_warning_count("unknown_component"), 5);
    ct_log_warning("entity", "unknown_component", "component %s", "beak");
    assert_int_equal(kept.count, 2);
    ct_log_warning("entity", "old_component", "component %s", "beak");
    assert_int_equal(kept.count, 3);
    assert_int_equal(ct_log_warning_count("unknown_component"), 6);
    assert_int_equal(ct_log_warning_count("old_component"), 1);
    assert_int_equal(ct_log_warning_count("never_seen"), 0);
}

static void end_second(void) {
    ct_os_sleep_ns(1010000000);
}

static void warnings_that_all_differ_take_bounded_memory(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 4096; ++i)
        ct_log_warning("a", "numbered", "number %u", i);
    const uint64_t before = ct_allocator_stats_of(ct_memory_heap()).live_bytes;
    for (uint32_t i = 4096; i < 50000; ++i)
        ct_log_warning("a", "numbered", "number %u", i);
    assert_int_equal(ct_log_warning_count("numbered"), 50000);
    assert_int_equal(ct_allocator_stats_of(ct_memory_heap()).live_bytes, before);
    end_second(); // the rest of them is told here, not in the next test
    ct_log_info("a", "x");
}

static void warnings_of_one_id_that_all_differ_are_told_at_a_rate(void **state) {
    (void)state;
    for (uint32_t i = 1; i <= 140; ++i)
        ct_log_warning("render", "flood", "number %u", i);
    assert_int_equal(kept.count, CT_LOG_TOLD_PER_SECOND);
    assert_string_equal(kept.message, "number 20 [flood]");
    ct_log_warning("render", "another", "is told");
    assert_string_equal(kept.message, "is told [another]");
    end_second();
    ct_log_warning("render", "flood", "number %u", 141);
    assert_int_equal(kept.count, CT_LOG_TOLD_PER_SECOND + 3);
    assert_string_equal(kept.message, "number 141 [flood]");
    assert_int_equal(ct_log_warning_count("flood"), 141);
}

static void untold_warnings_are_told_with_the_next_message(void **state) {
    (void)state;
    for (uint32_t i = 1; i <= 140; ++i)
        ct_log_warning("render", "stream", "number %u", i);
    end_second();
    const ct_log_sink warnings = {.write = keep, .user = &kept, .least = CT_LOG_LEVEL_WARNING};
    ct_log_remove_sink(keep, &kept);
    ct_log_add_sink(&warnings); // not the message itself
    kept.count = 0;
    ct_log_info("app", "something else");
    ct_log_info("app", "something else");
    assert_int_equal(kept.count, 1);
    assert_int_equal(kept.level, CT_LOG_LEVEL_WARNING);
    assert_string_equal(kept.system, "render");
    assert_string_equal(kept.message, "… 120 more [stream]");
}

static void limited_errors_come_again_but_at_a_rate(void **state) {
    (void)state;
    const uint64_t before = ct_log_error_count();
    for (uint32_t i = 1; i <= 140; ++i)
        ct_log_error_limited("console", "scripts", "the same");
    assert_int_equal(kept.count, CT_LOG_TOLD_PER_SECOND);
    assert_int_equal(kept.level, CT_LOG_LEVEL_ERROR);
    assert_string_equal(kept.message, "the same");
    assert_int_equal(ct_log_error_count(), before + 140);
    end_second();
    const ct_log_sink errors = {.write = keep, .user = &kept, .least = CT_LOG_LEVEL_ERROR};
    ct_log_remove_sink(keep, &kept);
    ct_log_add_sink(&errors);
    ct_log_info("app", "something else");
    assert_int_equal(kept.level, CT_LOG_LEVEL_ERROR);
    assert_string_equal(kept.system, "console");
    assert_string_equal(kept.message, "… 120 more [scripts]");
}

static void errors_with_an_id_are_sent_every_time(void **state) {
    (void)state;
    const uint64_t before = ct_log_error_count();
    for (uint32_t i = 1; i <= 140; ++i) {
        ct_log_error("render", "shader_refused", "shader %s", "a");
        assert_int_equal(kept.count, i);
        assert_int_equal(kept.level, CT_LOG_LEVEL_ERROR);
        assert_string_equal(kept.system, "render");
        assert_string_equal(kept.message, "shader a [shader_refused]");
    }
    assert_int_equal(ct_log_error_count(), before + 140);
}

static void errors_are_counted_by_id(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 30; ++i) {
        ct_log_error("a", "an_id", "number %u", i);
        ct_log_error_limited("a", "limited_id", "the same"); // those that are not sent, too
    }
    ct_log_error("b", "another_id", "x");
    ct_log_warning("a", "an_id", "x");
    ct_log_message(CT_LOG_LEVEL_ERROR, "a", "x [an_id]");
    assert_int_equal(ct_log_error_count_of("an_id"), 30);
    assert_int_equal(ct_log_error_count_of("limited_id"), 30);
    assert_int_equal(ct_log_error_count_of("another_id"), 1);
    assert_int_equal(ct_log_error_count_of("never_seen"), 0);
    assert_int_equal(ct_log_warning_count("an_id"), 1);
    assert_int_equal(ct_log_warning_count("another_id"), 0);
}

static void errors_of_one_id_take_bounded_memory(void **state) {
    (void)state;
    ct_log_error("a", "numbered_error", "number %u", 0);
    const uint64_t before = ct_allocator_stats_of(ct_memory_heap()).live_bytes;
    for (uint32_t i = 1; i < 10000; ++i)
        ct_log_error("a", "numbered_error", "number %u", i);
    assert_int_equal(ct_log_error_count_of("numbered_error"), 10000);
    assert_int_equal(ct_allocator_stats_of(ct_memory_heap()).live_bytes, before);
}

static void many_ids_at_once_keep_their_counts(void **state) {
    (void)state;
    char id[32];
    // More ids than are watched: those that give way tell what they left untold.
    for (uint32_t n = 0; n < 100; ++n) {
        snprintf(id, sizeof(id), "id_%u", n);
        for (uint32_t i = 0; i < CT_LOG_TOLD_PER_SECOND + 5; ++i)
            ct_log_warning("a", id, "number %u", i);
        assert_int_equal(ct_log_warning_count(id), CT_LOG_TOLD_PER_SECOND + 5);
    }
    const uint32_t least = 100 * CT_LOG_TOLD_PER_SECOND;
    assert_in_range(kept.count, least + 100 - 64, least + 100);
}

static void counts_errors(void **state) {
    (void)state;
    const uint64_t before = ct_log_error_count();
    ct_log_info("a", "x");
    ct_log_warning("a", "no_error", "x");
    assert_int_equal(ct_log_error_count(), before);
    ct_log_error("a", "an_error", "x");
    ct_log_message(CT_LOG_LEVEL_ERROR, "a", "x");
    assert_int_equal(ct_log_error_count(), before + 2);
}

static void report_shows_the_place(void **state) {
    (void)state;
    ct_error error;
    ct_error_set_at(&error, "units/error: a.unit", 3, 4, "no such error: %s", "x");
    const uint64_t before = ct_log_error_count();
    ct_log_report("compiler", &error);
    assert_int_equal(kept.level, CT_LOG_LEVEL_ERROR);
    assert_string_equal(kept.system, "compiler");
    assert_string_equal(kept.message, "units/error: a.unit:3:4: no such error: x");
    assert_int_equal(ct_log_error_count(), before + 1);
    ct_error_set(&error, "nowhere");
    ct_log_report("compiler", &error);
    assert_string_equal(kept.message, "nowhere");
}

static void a_reported_warning_is_no_error(void **state) {
    (void)state;
    ct_error warning;
    ct_error_set_at(&warning, "a.package", 2, 9, "no unit matches \"%s\"", "x/*");
    const uint64_t before = ct_log_error_count();
    for (uint32_t i = 0; i < 2; ++i) { // each time
        kept.message[0] = 0;
        ct_log_report_warning("compiler", &warning);
        assert_int_equal(kept.level, CT_LOG_LEVEL_WARNING);
        assert_string_equal(kept.message, "a.package:2:9: no unit matches \"x/*\"");
    }
    assert_int_equal(ct_log_error_count(), before);
}

static void file_sink_writes_lines(void **state) {
    (void)state;
    char path[CT_PATH_BYTES];
    ct_path_join(path, test_scratch_folder(), "log.txt");
    ct_error error = {0};
    assert_true(ct_log_add_file_sink(path, CT_LOG_LEVEL_INFO, &error));
    ct_log_debug("render", "too small");
    ct_log_info("render", "hello");
    ct_log_error("lua", "script_broken", "broken");
    uint64_t size_bytes = 0;
    char *const text = ct_file_read(test_heap(), path, &size_bytes, &error);
    assert_non_null(text);
    assert_null(strstr(text, "too small"));
    assert_non_null(strstr(text, " info    [render] hello\n"));
    assert_non_null(strstr(text, " error   [lua] broken [script_broken]\n"));
    ct_free(test_heap(), text);
}

static void file_sink_shows_what_a_terminal_would_obey(void **state) {
    (void)state;
    char path[CT_PATH_BYTES], long_text[9000];
    ct_path_join(path, test_scratch_folder(), "log.txt");
    ct_error error = {0};
    assert_true(ct_log_add_file_sink(path, CT_LOG_LEVEL_INFO, &error));
    memset(long_text, '\033', sizeof(long_text));
    long_text[sizeof(long_text) - 1] = 0;
    ct_log_info("lua", "\033[31mred\r.lua\n\tsecond\xff");
    assert_string_equal(kept.message, "\033[31mred\r.lua\n\tsecond\xff"); // as it is
    ct_log_info("lua", "%s", long_text);
    uint64_t size_bytes = 0;
    char *const text = ct_file_read(test_heap(), path, &size_bytes, &error);
    assert_non_null(text);
    assert_non_null(strstr(text, "[lua] \\x1b[31mred\\r.lua\n\tsecond\\xff\n"));
    assert_null(strchr(text, '\033'));
    assert_true(size_bytes > 4 * (sizeof(long_text) - 1)); // all of it
    ct_free(test_heap(), text);
}

static void file_sink_that_cannot_be_written_is_an_error(void **state) {
    (void)state;
    char path[CT_PATH_BYTES];
    ct_path_join(path, test_scratch_folder(), "none/log.txt");
    ct_error error = {0};
    assert_false(ct_log_add_file_sink(path, CT_LOG_LEVEL_INFO, &error));
    assert_non_null(strstr(error.message, "none/log.txt: No such file or directory"));
}

static void level_names_are_those_of_the_console(void **state) {
    (void)state;
    assert_string_equal(ct_log_level_name(CT_LOG_LEVEL_DEBUG), "debug");
    assert_string_equal(ct_log_level_name(CT_LOG_LEVEL_INFO), "info");
    assert_string_equal(ct_log_level_name(CT_LOG_LEVEL_WARNING), "warning");
    assert_string_equal(ct_log_level_name(CT_LOG_LEVEL_ERROR), "error");
}

// Runs `log` with standard error going to a file, whose text is returned; freed by the caller.
static char *standard_error_of(void (*log)(void)) {
    char path[CT_PATH_BYTES];
    ct_path_join(path, test_scratch_folder(), "standard_error.txt");
    const int file = ct_os_file_open_write(path, NULL);
    fflush(stderr);
    const int kept_stream = dup(2);
    dup2(file, 2);
    log();
    fflush(stderr);
    dup2(kept_stream, 2);
    close(kept_stream);
    ct_os_file_close(file);
    uint64_t size_bytes = 0;
    char *const text = ct_file_read(test_heap(), path, &size_bytes, NULL);
    assert_non_null(text);
    return text;
}

static const char *sixteen_thousand_bells(void) {
    static char bells[16001];
    memset(bells, '\a', sizeof(bells) - 1);
    return bells;
}

static void log_to_terminal_sink(void) {
    const ct_log_sink sink = ct_log_terminal_sink(CT_LOG_LEVEL_INFO);
    ct_log_add_sink(&sink);
    ct_log_info("app", "ready");
    ct_log_error("app", "app_broken", "broken");
    ct_log_info("app", "wrote a\033[2J\xff\r\nand %s", sixteen_thousand_bells());
    ct_log_remove_sink(sink.write, sink.user);
}

static void terminal_sink_has_no_colour_off_a_terminal(void **state) {
    (void)state;
    char *const text = standard_error_of(log_to_terminal_sink);
    static const char head[] = "[app] ready\n[app] error: broken [app_broken]\n"
                               "[app] wrote a\\x1b[2J\\xff\\r\nand ";
    assert_memory_equal(text, head, sizeof(head) - 1);
    assert_int_equal(strlen(text), sizeof(head) - 1 + 4 * 16000 + 1);
    assert_string_equal(text + strlen(text) - 9, "\\x07\\x07\n");
    ct_free(test_heap(), text);
}

static void log_zero_byte(void) {
    const ct_log_sink sink = ct_log_terminal_sink(CT_LOG_LEVEL_INFO);
    ct_log_add_sink(&sink);
    ct_log_message_from(CT_LOG_LEVEL_INFO, "lua", "a\0b", 3, NULL);
    ct_log_remove_sink(sink.write, sink.user);
}

static void zero_bytes_are_escapes_in_terminals_and_crash_reports(void **state) {
    (void)state;
    char *const text = standard_error_of(log_zero_byte);
    assert_string_equal(text, "[lua] a\\x00b\n");
    ct_free(test_heap(), text);
    static char lines[CT_CRASH_LOG_LINES * CT_CRASH_LOG_LINE_BYTES];
    ct_crash_text report = ct_crash_text_over(lines, sizeof(lines));
    ct_crash_log_append(&report, "  ");
    assert_non_null(strstr(lines, "  [lua] a\\x00b\n"));
}

static void log_much(void) {
    static const char e[] = "é";
    char *const much = ct_alloc(ct_memory_heap(), 10000000);
    for (uint32_t i = 0; i < 10000000; ++i)
        much[i] = e[i % 2];
    const ct_log_sink sink = ct_log_terminal_sink(CT_LOG_LEVEL_INFO);
    ct_log_add_sink(&sink);
    ct_log_message_from(CT_LOG_LEVEL_INFO, "lua", much, 10000000, NULL);
    ct_log_message_from(CT_LOG_LEVEL_INFO, "lua", much + 1, 9999999, NULL);
    ct_log_remove_sink(sink.write, sink.user);
    ct_free(ct_memory_heap(), much);
}

static void too_long_messages_are_cut_and_say_how_much_is_missing(void **state) {
    (void)state;
    char *const text = standard_error_of(log_much);
    assert_non_null(strstr(text, "é… (9934528 more bytes)\n[lua] \\xa9é"));
    assert_non_null(strstr(text, "é… (9934528 more bytes)\n[lua]"));
    assert_true(strlen(text) < 2 * CT_LOG_MAX_BYTES + 64);
    ct_free(test_heap(), text);
}

static void log_without_log(void) {
    ct_log_shutdown();
    ct_log_info("app", "after the end");
    ct_log_warning("app", "late", "still %s", "there");
    ct_log_error("app", "too_late", "gone");
    ct_log_init(ct_memory_heap());
}

static void without_log_standard_error_gets_the_messages(void **state) {
    (void)state;
    char *const text = standard_error_of(log_without_log);
    assert_string_equal(text, "[app] after the end\n[app] warning: still there [late]\n"
                              "[app] error: gone [too_late]\n");
    assert_int_equal(ct_log_error_count_of("too_late"), 0);
    ct_free(test_heap(), text);
}

static void log_many(void *data) {
    for (uint32_t i = 0; i < 1000; ++i)
        ct_log_error("thread", "thread_error", "%s %u", (const char *)data, i);
}

static void flood_before_the_end(void) {
    const ct_log_sink sink = ct_log_terminal_sink(CT_LOG_LEVEL_WARNING);
    ct_log_shutdown();
    ct_log_init(ct_memory_heap());
    ct_log_add_sink(&sink);
    for (uint32_t i = 1; i <= CT_LOG_TOLD_PER_SECOND + 3; ++i)
        ct_log_warning("app", "flood", "number %u", i);
    ct_log_shutdown();
    ct_log_init(ct_memory_heap());
}

static void untold_warnings_are_told_at_the_end(void **state) {
    (void)state;
    char *const text = standard_error_of(flood_before_the_end);
    assert_non_null(strstr(text, "number 20 [flood]\n[app] warning: … 3 more [flood]\n"));
    ct_free(test_heap(), text);
}

static void any_thread_may_log(void **state) {
    (void)state;
    const uint64_t before = ct_log_error_count();
    static char names[][2] = {"a", "b", "c", "d"};
    ct_thread threads[4];
    for (uint32_t i = 0; i < 4; ++i)
        threads[i] = ct_thread_start(names[i], log_many, names[i]);
    for (uint32_t i = 0; i < 4; ++i)
        ct_thread_join(threads[i]);
    assert_int_equal(kept.count, 4000);
    assert_int_equal(ct_log_error_count(), before + 4000);
    assert_int_equal(ct_log_error_count_of("thread_error"), 4000);
}

#define LISTENING_TEST(f) cmocka_unit_test_setup_teardown(f, listen_to_log, stop_listening)

int main(void) {
    const struct CMUnitTest tests[] = {
        LISTENING_TEST(sink_gets_level_system_and_text),
        LISTENING_TEST(sink_is_spared_lesser_messages),
        LISTENING_TEST(long_messages_arrive_whole),
        LISTENING_TEST(warning_is_told_once_per_id_and_text),
        LISTENING_TEST(warnings_that_all_differ_take_bounded_memory),
        LISTENING_TEST(warnings_of_one_id_that_all_differ_are_told_at_a_rate),
        LISTENING_TEST(untold_warnings_are_told_with_the_next_message),
        LISTENING_TEST(limited_errors_come_again_but_at_a_rate),
        LISTENING_TEST(errors_with_an_id_are_sent_every_time),
        LISTENING_TEST(errors_are_counted_by_id),
        LISTENING_TEST(errors_of_one_id_take_bounded_memory),
        LISTENING_TEST(many_ids_at_once_keep_their_counts),
        LISTENING_TEST(counts_errors),
        LISTENING_TEST(report_shows_the_place),
        LISTENING_TEST(a_reported_warning_is_no_error),
        LISTENING_TEST(file_sink_writes_lines),
        LISTENING_TEST(file_sink_shows_what_a_terminal_would_obey),
        cmocka_unit_test(file_sink_that_cannot_be_written_is_an_error),
        cmocka_unit_test(level_names_are_those_of_the_console),
        cmocka_unit_test(terminal_sink_has_no_colour_off_a_terminal),
        cmocka_unit_test(zero_bytes_are_escapes_in_terminals_and_crash_reports),
        cmocka_unit_test(too_long_messages_are_cut_and_say_how_much_is_missing),
        LISTENING_TEST(any_thread_may_log),
        cmocka_unit_test(untold_warnings_are_told_at_the_end),
        cmocka_unit_test(without_log_standard_error_gets_the_messages),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
