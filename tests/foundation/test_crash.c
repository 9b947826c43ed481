// Each report is written by a forked child that dies of it; the parent reads its standard error.
#include "foundation/crash.h"
#include "foundation/error.h"
#include "foundation/os.h"
#include "support/test_support.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char report[65536];

// Runs `die` in a child, fills `report` and returns the signal that ended it (0 for none).
static int report_of(void (*die)(void)) {
    int output[2];
    assert_int_equal(pipe(output), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        dup2(output[1], STDERR_FILENO);
        for (int i = 1; i < 32; ++i)
            signal(i, SIG_DFL); // cmocka's
        ct_crash_init();
        die();
        _exit(0);
    }
    close(output[1]);
    size_t length = 0;
    ssize_t got = 0;
    while ((got = read(output[0], report + length, sizeof(report) - 1 - length)) > 0)
        length += (size_t)got;
    report[length] = 0;
    close(output[0]);
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static uint32_t occurrences(const char *word) {
    uint32_t count = 0;
    for (const char *p = report; (p = strstr(p, word)) != NULL; ++p)
        ++count;
    return count;
}

__attribute__((noinline)) static void apply_material(const char *texture) {
    CT_ERROR_CONTEXT("applying material", "feathers");
    CT_ASSERT(texture != NULL, "Texture not loaded: %s\nSecond line", "yellow_feathers");
}

__attribute__((noinline)) static void fail_an_assertion(void) {
    CT_ERROR_CONTEXT("spawning level", "big_world");
    apply_material(NULL);
}

static void assertion_reports_contexts_message_and_place(void **state) {
    (void)state;
    assert_int_equal(report_of(fail_an_assertion), SIGABRT);
    static const char expected[] = "When spawning level: big_world\n"
                                   "When applying material: feathers\n"
                                   "Assertion failed: texture != NULL\n"
                                   "    Texture not loaded: yellow_feathers\n"
                                   "    Second line\n"
                                   "    In ";
    assert_int_equal(strncmp(report, expected, strlen(expected)), 0);
    assert_non_null(strstr(report, "test_crash.c:"));
}

static void assertion_symbolises_its_call_stack(void **state) {
    (void)state;
    assert_int_equal(report_of(fail_an_assertion), SIGABRT);
    const char *stack = strstr(report, "Call stack:\n    apply_material");
    assert_non_null(stack); // the one that asserts; optimisers add to names
    const char *caller = strstr(stack, "\n    fail_an_assertion");
    assert_non_null(caller);
    assert_non_null(strstr(stack, "test_crash.c:"));
    assert_true(strstr(stack, "test_crash.c:") < caller);
    assert_non_null(strstr(caller, "main ("));
}

static void assertion_reports_once(void **state) {
    (void)state;
    assert_int_equal(report_of(fail_an_assertion), SIGABRT);
    assert_int_equal(occurrences("Call stack:"), 1);
    assert_int_equal(occurrences("Aborted"), 0);
}

static void go_too_deep(void) {
    for (uint32_t i = 0; i < CT_ERROR_MAX_CONTEXTS + 7; ++i)
        ct_error_context_push("descending", "further");
    CT_ASSERT(false, "at %s", "the bottom");
}

static void report_says_how_many_contexts_it_lacks(void **state) {
    (void)state;
    assert_int_equal(report_of(go_too_deep), SIGABRT);
    assert_int_equal(occurrences("When descending: further\n"), CT_ERROR_MAX_CONTEXTS);
    assert_non_null(strstr(report, "When in 7 more contexts\nAssertion failed: false\n"));
}

static void assert_on_thread(void *data) {
    (void)data;
    fail_an_assertion();
}

static void assert_on_many_threads(void) {
    ct_thread threads[8];
    for (uint32_t i = 0; i < CT_COUNT_OF(threads); ++i)
        threads[i] = ct_thread_start("fails", assert_on_thread, NULL);
    for (uint32_t i = 0; i < CT_COUNT_OF(threads); ++i)
        ct_thread_join(threads[i]);
}

static void reports_of_threads_do_not_mix(void **state) {
    (void)state;
    assert_int_equal(report_of(assert_on_many_threads), SIGABRT);
    // Each report that was begun has its whole head in one piece.
    const uint32_t heads = occurrences("Assertion failed: texture != NULL\n    Texture not loaded");
    assert_true(heads >= 1);
    assert_int_equal(occurrences("Assertion failed"), heads);
    assert_non_null(strstr(report, "\n    assert_on_thread ("));
}

static void write_call_stack(void) {
    char text[8192];
    ct_crash_call_stack(text, sizeof(text), 0);
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        _exit(1);
    char cut[10];
    ct_crash_call_stack(cut, sizeof(cut), 0);
    _exit(strlen(cut) == sizeof(cut) - 1 && memcmp(cut, text, sizeof(cut) - 1) == 0 ? 0 : 2);
}

static void call_stack_starts_with_the_caller_and_is_cut_to_fit(void **state) {
    (void)state;
    assert_int_equal(report_of(write_call_stack), 0);
    assert_int_equal(strncmp(report, "write_call_stack (", 18), 0);
    assert_non_null(strstr(report, "\nreport_of ("));
}

#ifndef CT_SANITIZE

__attribute__((noinline)) static void write_to(volatile int *p) {
    *p = 1;
}

static void write_to_nowhere(void) {
    CT_ERROR_CONTEXT("compiling", "units/tree.unit");
    write_to((volatile int *)(uintptr_t)0x10);
}

static void fault_reports_address_contexts_and_raw_stack(void **state) {
    (void)state;
    assert_int_equal(report_of(write_to_nowhere), SIGSEGV);
    static const char expected[] = "When compiling: units/tree.unit\n"
                                   "Segmentation fault at address 0x10\n"
                                   "Call stack:\n"
                                   "    ";
    assert_int_equal(strncmp(report, expected, strlen(expected)), 0);
    // Several frames of this program, each as module and offset.
    assert_true(occurrences("test_crash+0x") >= 4);
    assert_int_equal(occurrences("Call stack:"), 1);
}

static void first_frame_resolves_to_the_faulting_function(void **state) {
    (void)state;
    assert_int_equal(report_of(write_to_nowhere), SIGSEGV);
    const char *offset = strstr(report, "test_crash+");
    assert_non_null(offset);
    // The offset counts from where the module is loaded, which this process shares with its child.
    uint64_t value = 0;
    for (const char *p = offset + strlen("test_crash+0x"); *p != '\n'; ++p)
        value = value * 16 + (uint64_t)(*p <= '9' ? *p - '0' : *p - 'a' + 10);
    extern const char __executable_start;
    const uint64_t function = (uint64_t)(uintptr_t)write_to;
    const uint64_t address = (uint64_t)(uintptr_t)&__executable_start + value;
    assert_in_range(address, function, function + 64);
}

static void abort_by_a_library(void) {
    raise(SIGABRT);
}

static void abort_that_is_no_assertion_is_reported(void **state) {
    (void)state;
    assert_int_equal(report_of(abort_by_a_library), SIGABRT);
    assert_int_equal(strncmp(report, "Aborted\nCall stack:\n", 20), 0);
}

static void context_with_bad_name(void) {
    ct_error_context_push("holding", "good");
    ct_error_context_push("dangling", (const char *)(uintptr_t)0x8);
    write_to_nowhere();
}

static void fault_inside_the_report_ends_the_process(void **state) {
    (void)state;
    assert_int_equal(report_of(context_with_bad_name), SIGSEGV);
    assert_string_equal(report, "When holding: good\n");
}

__attribute__((noinline)) static int eat_stack(volatile char *above) {
    volatile char here[4096];
    here[0] = above[0];
    if (here[0] == 1) // never, but the compiler cannot know
        return 0;
    return eat_stack(here) + here[0];
}

static void overflow_thread(void *data) {
    (void)data;
    volatile char start[1] = {0};
    eat_stack(start);
}

static void overflow_stack_of_a_thread(void) {
    ct_thread_join(ct_thread_start("deep", overflow_thread, NULL));
}

static void overflow_of_a_threads_stack_is_reported(void **state) {
    (void)state;
    assert_int_equal(report_of(overflow_stack_of_a_thread), SIGSEGV);
    assert_int_equal(strncmp(report, "Segmentation fault at address 0x", 32), 0);
    assert_non_null(strstr(report, "test_crash+0x"));
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assertion_reports_contexts_message_and_place),
        cmocka_unit_test(assertion_symbolises_its_call_stack),
        cmocka_unit_test(assertion_reports_once),
        cmocka_unit_test(report_says_how_many_contexts_it_lacks),
        cmocka_unit_test(reports_of_threads_do_not_mix),
        cmocka_unit_test(call_stack_starts_with_the_caller_and_is_cut_to_fit),
#ifndef CT_SANITIZE // there the signals are the sanitizer's
        cmocka_unit_test(fault_reports_address_contexts_and_raw_stack),
        cmocka_unit_test(first_frame_resolves_to_the_faulting_function),
        cmocka_unit_test(abort_that_is_no_assertion_is_reported),
        cmocka_unit_test(fault_inside_the_report_ends_the_process),
        cmocka_unit_test(overflow_of_a_threads_stack_is_reported),
#endif
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
