// Each report is of a forked child that dies of it; the parent reads its standard error.
#include "foundation/crash/crash_child.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/os/file.h"
#include "foundation/os/message.h"
#include "foundation/os/path.h"
#include "foundation/task/task.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>

static const char this_file[] = "test_crash.c";

// --- Assertions ----------------------------------------------------------------------------------

static const int apply_material_line = __LINE__ + 3;
__attribute__((noinline)) static void apply_material(const char *texture) {
    CT_ERROR_CONTEXT("applying material", "feathers");
    CT_ASSERT(texture, "Texture not loaded: %s\nSecond line", "yellow_feathers");
}

static const int fail_an_assertion_line = __LINE__ + 4;
__attribute__((noinline)) static void fail_an_assertion(void) {
    CT_ERROR_CONTEXT("spawning level", "big_world");
    CT_ERROR_CONTEXT("spawning unit", "big_bird");
    apply_material(NULL);
}

static const char assertion_head[] = "When spawning level: big_world\n"
                                     "When spawning unit: big_bird\n"
                                     "When applying material: feathers\n"
                                     "Assertion failed: texture\n"
                                     "    Texture not loaded: yellow_feathers\n"
                                     "    Second line\n"
                                     "    In ";

static void assertion_reports_contexts_message_and_place(void **state) {
    (void)state;
    assert_int_equal(report_of(fail_an_assertion), SIGABRT);
    expect_start(assertion_head);
    char place[64];
    snprintf(place, sizeof(place), "%s:%d\nCall stack:\n    apply_material", this_file,
             apply_material_line);
    expect(place);
}

static void assertion_symbolises_its_call_stack(void **state) {
    (void)state;
    assert_int_equal(report_of(fail_an_assertion), SIGABRT);
    expect_frame("apply_material", this_file, apply_material_line);
    expect_frame("fail_an_assertion", this_file, fail_an_assertion_line);
    expect("\n    main (");
}

__attribute__((always_inline)) static inline void assert_inlined(volatile int *value) {
    CT_ASSERT(*value == 1, "%s", "inside");
}

static const int call_inlined_line = __LINE__ + 4;
__attribute__((noinline)) static void call_inlined(void) {
    volatile int value = 2;
    ct_error_context_push("calling", "an inlined function");
    assert_inlined(&value);
    value = 3;
}

static void inlined_functions_are_lines_of_their_own(void **state) {
    (void)state;
    assert_int_equal(report_of(call_inlined), SIGABRT);
    expect_frame("assert_inlined", this_file, call_inlined_line - 7);
    expect_frame("call_inlined", this_file, call_inlined_line);
    expect(") inlined\n    call_inlined (");
}

static void assertion_reports_once_and_in_time(void **state) {
    (void)state;
    assert_int_equal(report_of(fail_an_assertion), SIGABRT);
    assert_int_equal(occurrences("Call stack:"), 1);
    expect_not("Aborted");
    assert_true(report_seconds < 3.0);
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
    expect("When in 7 more contexts\nAssertion failed: false\n");
}

static void fail_with_long_texts(void) {
    static char name[2000], message[4000];
    memset(name, 'n', sizeof(name) - 1);
    memset(message, '\n', sizeof(message) - 1);
    for (uint32_t i = 0; i < CT_ERROR_MAX_CONTEXTS; ++i)
        ct_error_context_push(name, name);
    CT_ASSERT(message[0] == 0, "%s", message);
}

static void long_texts_leave_room_for_the_rest(void **state) {
    (void)state;
    assert_int_equal(report_of(fail_with_long_texts), SIGABRT);
    expect("nnn...\nAssertion failed: message[0] == 0\n    \n");
    expect(".c:");
    expect("Call stack:\n    fail_with_long_texts");
    expect("\nThread: main (");
    expect(", build id ");
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

static void threads_that_fail_at_once_give_one_report(void **state) {
    (void)state;
    for (uint32_t i = 0; i < test_rounds(3, 100); ++i) {
        assert_int_equal(report_of(assert_on_many_threads), SIGABRT);
        expect_start(assertion_head);
        assert_int_equal(occurrences("Assertion failed"), 1);
        expect("\n    assert_on_thread (");
        expect("\nThread: fails (");
    }
}

// --- What a report holds besides -----------------------------------------------------------------

static void crash_after_logging(void) {
    ct_log_info("first", "too long ago");
    for (uint32_t i = 1; i < 50; ++i)
        ct_log_info("counting", "number %u\nof many", i);
    ct_log_warning("render", "dim_lamp", "a lamp is dim");
    ct_log_warning("render", "dim_lamp", "a lamp is dim");
    fail_an_assertion();
}

static void report_ends_with_the_last_log_lines_and_the_build(void **state) {
    (void)state;
    assert_int_equal(report_of(crash_after_logging), SIGABRT);
    expect("\nLast log lines:\n    [counting] number 1\n    of many\n    [counting] number 2\n");
    expect("    [counting] number 49\n    of many\n"
           "    [render] warning: a lamp is dim [dim_lamp]\nProgram: /");
    expect_not("too long ago");
    expect("\nVersion: " CT_VERSION_STRING);
    expect_not("build id unknown");
}

static void log_many_lines(void *data) {
    for (uint32_t i = 0; i < 20000; ++i)
        ct_log_debug("thread", "%s %u", (const char *)data, i);
}

static void crash_while_others_log(void) {
    static char name[] = "line";
    for (uint32_t i = 0; i < 3; ++i)
        ct_thread_start("logs", log_many_lines, name);
    ct_os_sleep_ns(2000000);
    fail_an_assertion();
}

static void report_is_whole_while_others_log(void **state) {
    (void)state;
    assert_int_equal(report_of(crash_while_others_log), SIGABRT);
    expect("Last log lines:\n    [thread] debug: line ");
    assert_true(occurrences("    [thread] debug: line ") <= 50);
    expect(", build id ");
}

static void fail_in_task(void *unused) {
    (void)unused;
    fail_an_assertion();
}

static void crash_in_a_task(void) {
    ct_task_manager *const m =
        ct_task_manager_create(&(ct_task_manager_desc){.allocator = test_heap(), .num_workers = 1});
    ct_task_wait(m, ct_task_add(m, &(ct_task_desc){.name = "cull lamps", .run = fail_in_task}));
}

static void report_names_the_task(void **state) {
    (void)state;
    assert_int_equal(report_of(crash_in_a_task), SIGABRT);
    expect("\nTask: cull lamps\n");
    expect("\n    fail_in_task (");
    assert_int_equal(report_of(fail_an_assertion), SIGABRT);
    expect_not("\nTask: ");
}

static void say_level(void *user, void (*add_line)(const char *line)) {
    char line[64];
    snprintf(line, sizeof(line), "level: %s", (const char *)user);
    add_line(line);
}

static void crash_with_hooks(void) {
    static char forest[] = "forest", desert[] = "desert";
    ct_crash_add_hook(say_level, forest);
    ct_crash_add_hook(say_level, desert);
    ct_crash_remove_hook(say_level, forest);
    fail_an_assertion();
}

static void hooks_add_lines_until_removed(void **state) {
    (void)state;
    assert_int_equal(report_of(crash_with_hooks), SIGABRT);
    expect("\nlevel: desert\n");
    expect_not("forest");
}

static void crash_with_lines(void) {
    char name[16];
    for (uint32_t i = 0; i < CT_CRASH_MAX_LINES; ++i) {
        snprintf(name, sizeof(name), "line %u", i);
        if (!ct_crash_set_line(name, "first"))
            _exit(1);
    }
    if (ct_crash_set_line("one more", "x") || !ct_crash_set_line("one more", NULL))
        _exit(1);
    ct_crash_set_line("line 3", NULL);
    ct_crash_set_line("line 4", "second");
    if (!ct_crash_set_line("now fits", "yes"))
        _exit(1);
    fail_an_assertion();
}

static void lines_are_set_changed_and_removed(void **state) {
    (void)state;
    assert_int_equal(report_of(crash_with_lines), SIGABRT);
    expect("\nline 2: first\nnow fits: yes\nline 4: second\nline 5: first\n");
    expect_not("line 3");
    expect_not("one more");
}

static void fail_in_hook(void *user, void (*add_line)(const char *line)) {
    (void)user;
    add_line("before");
    fail_an_assertion();
}

static void crash_with_failing_hook(void) {
    static char forest[] = "forest";
    ct_crash_add_hook(fail_in_hook, NULL);
    ct_crash_add_hook(say_level, forest);
    CT_ASSERT(report[0] == 1, "%s", "the one that counts");
}

static void hook_that_asserts_does_not_spoil_the_report(void **state) {
    (void)state;
    assert_int_equal(report_of(crash_with_failing_hook), SIGABRT);
    expect("Assertion failed: report[0] == 1\n    the one that counts\n");
    expect("\nbefore\n(a part of this report failed)\nlevel: forest\n");
    expect("\nVersion: ");
    assert_int_equal(occurrences("Assertion failed"), 1);
}

// --- Where reports go ----------------------------------------------------------------------------

static char report_path[CT_PATH_BYTES];

static void crash_with_report_file(void) {
    ct_crash_set_report_file(report_path);
    fail_an_assertion();
}

static void report_goes_to_a_file_too(void **state) {
    (void)state;
    ct_path_join(report_path, test_scratch_folder(), "crash.txt");
    assert_int_equal(report_of(crash_with_report_file), SIGABRT);
    uint64_t bytes = 0;
    char *const text = ct_file_read(test_heap(), report_path, &bytes, NULL);
    assert_non_null(text);
    char remark[CT_PATH_BYTES + 64];
    snprintf(remark, sizeof(remark), "This report is in %s\n", report_path);
    expect(remark);
    *strstr(report, remark) = 0;
    assert_string_equal(text, report);
    ct_free(test_heap(), text);
}

static void report_file_without_folder_is_told(void **state) {
    (void)state;
    ct_path_join(report_path, test_scratch_folder(), "none/crash.txt");
    assert_int_equal(report_of(crash_with_report_file), SIGABRT);
    char remark[CT_PATH_BYTES + 128];
    snprintf(remark, sizeof(remark),
             "This report could not be written to %s: No such file or directory\n", report_path);
    expect(remark);
}

static void crash_in_another_folder(void) {
    if (chdir(test_scratch_folder()) != 0)
        _exit(1);
    ct_crash_set_report_file("crash.txt");
    if (chdir("/") != 0)
        _exit(1);
    fail_an_assertion();
}

static void relative_report_file_counts_from_the_folder_of_then(void **state) {
    (void)state;
    const char *const folder = test_scratch_folder(); // the child's is the next, of the same parent
    assert_int_equal(report_of(crash_in_another_folder), SIGABRT);
    expect("This report is in /");
    expect("/crash.txt\n");
    char parent[CT_PATH_BYTES];
    snprintf(parent, sizeof(parent), "%.*s", (int)(strrchr(folder, '/') - folder), folder);
    expect(parent);
}

static int console[2];
static int closed_console;

static void crash_with_consoles(void) {
    ct_crash_add_console(console[1]);
    ct_crash_add_console(console[1]);
    ct_crash_add_console(closed_console);
    ct_crash_add_console(STDOUT_FILENO);
    ct_crash_remove_console(STDOUT_FILENO);
    ct_crash_set_line("odd", "\"quotes\"\t\x01 and \xff bytes");
    fail_an_assertion();
}

static void console_gets_the_report_as_one_message(void **state) {
    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, console), 0);
    closed_console = dup(console[1]);
    close(closed_console);
    assert_int_equal(report_of(crash_with_consoles), SIGABRT);
    close(console[1]);
    ct_message_reader reader;
    ct_message_reader_init(&reader, test_heap(), 1 << 20);
    static char bytes[1 << 18];
    ssize_t got;
    while ((got = read(console[0], bytes, sizeof(bytes))) > 0)
        ct_message_reader_add(&reader, bytes, (uint64_t)got);
    close(console[0]);
    ct_message message;
    ct_error error = {0};
    assert_int_equal(ct_message_reader_next(&reader, &message, &error), CT_MESSAGE_RESULT_MESSAGE);
    const char start[] = "{\"type\": \"message\", \"level\": \"error\", \"system\": \"crash\", "
                         "\"message\": \"When spawning level: big_world\\nWhen";
    assert_memory_equal(message.json, start, strlen(start));
    assert_non_null(strstr(message.json, "odd: \\\"quotes\\\"\\t\\u0001 and ? bytes\\n"));
    assert_non_null(strstr(message.json, "\\n    apply_material ("));
    assert_int_equal(message.json[message.json_bytes - 1], '}');
    assert_int_equal(ct_message_reader_next(&reader, &message, &error), CT_MESSAGE_RESULT_NONE);
    ct_message_reader_free(&reader);
}

// --- Call stacks of the living -------------------------------------------------------------------

__attribute__((noinline)) static uint64_t return_address(void) {
    return (uint64_t)(uintptr_t)__builtin_return_address(0);
}

static void formats_return_addresses(void **state) {
    (void)state;
    const uint64_t addresses[] = {return_address(), 16};
    char text[1024], expected[64];
    ct_crash_format_stack(text, sizeof(text), addresses, 2, "  ");
    snprintf(expected, sizeof(expected), "%s:%d)\n  0xf\n", this_file, __LINE__ - 3);
    assert_int_equal(strncmp(text, "  formats_return_addresses (", 28), 0);
    assert_non_null(strstr(text, expected));
    char cut[10];
    ct_crash_format_stack(cut, sizeof(cut), addresses, 2, "  ");
    assert_string_equal(cut, "  formats");
}

// --- Signals -------------------------------------------------------------------------------------

#ifndef CT_SANITIZE

static const int write_to_line = __LINE__ + 2;
__attribute__((noinline)) static void write_to(volatile int *p) {
    *p = 1;
}

static void write_to_nowhere(void) {
    CT_ERROR_CONTEXT("compiling", "units/tree.unit");
    write_to((volatile int *)(uintptr_t)0x10);
}

static void segmentation_fault_reports_address_contexts_and_stack(void **state) {
    (void)state;
    assert_int_equal(report_of(write_to_nowhere), SIGSEGV);
    expect_start("When compiling: units/tree.unit\n"
                 "Segmentation fault at address 0x10\n"
                 "Call stack:\n"
                 "    write_to (");
    expect_frame("write_to", this_file, write_to_line);
    expect("\n    write_to_nowhere (");
    expect("\nThread: main (");
    assert_int_equal(occurrences("Call stack:"), 1);
    assert_true(report_seconds < 3.0);
}

static const int write_past_the_end_line = __LINE__ + 2;
__attribute__((noinline)) static void write_past_the_end(volatile char *mapped) {
    mapped[0] = 1;
}

static void write_behind_a_file(void) {
    FILE *const file = tmpfile();
    write_past_the_end(mmap(NULL, 4096, PROT_WRITE, MAP_SHARED, fileno(file), 0));
}

static void bus_error_is_reported(void **state) {
    (void)state;
    assert_int_equal(report_of(write_behind_a_file), SIGBUS);
    expect_start("Bus error at address 0x");
    expect_frame("write_past_the_end", this_file, write_past_the_end_line);
    assert_true(report_seconds < 3.0);
}

static const int divide_line = __LINE__ + 2;
__attribute__((noinline)) static int divide(volatile int *a, volatile int *b) {
    return *a / *b;
}

static void divide_by_zero(void) {
    volatile int a = 1, b = 0;
    a = divide(&a, &b);
}

static void arithmetic_exception_is_reported(void **state) {
    (void)state;
    assert_int_equal(report_of(divide_by_zero), SIGFPE);
    expect_start("Arithmetic exception in the instruction at 0x");
    expect_frame("divide", this_file, divide_line);
    assert_true(report_seconds < 3.0);
}

static const int trap_line = __LINE__ + 2;
__attribute__((noinline)) static void trap(void) {
    __builtin_trap();
}

static void illegal_instruction_is_reported(void **state) {
    (void)state;
    assert_int_equal(report_of(trap), SIGILL);
    expect_start("Illegal instruction in the instruction at 0x");
    expect_frame("trap", this_file, trap_line);
    assert_true(report_seconds < 3.0);
}

static const int abort_as_a_library_line = __LINE__ + 2;
__attribute__((noinline)) static void abort_as_a_library(void) {
    abort();
}

static void abort_that_is_no_assertion_is_reported(void **state) {
    (void)state;
    assert_int_equal(report_of(abort_as_a_library), SIGABRT);
    expect_start("Aborted\nCall stack:\n");
    expect_frame("abort_as_a_library", this_file, abort_as_a_library_line);
    assert_true(report_seconds < 3.0);
}

static const int call_nothing_line = __LINE__ + 2;
__attribute__((noinline)) static void call_nothing(void (*volatile *function)(void)) {
    (*function)();
    *function = NULL;
}

static void call_null(void) {
    void (*volatile function)(void) = NULL;
    call_nothing(&function);
}

static void call_of_null_shows_the_caller(void **state) {
    (void)state;
    assert_int_equal(report_of(call_null), SIGSEGV);
    expect_start("Segmentation fault at address 0x0\nCall stack:\n    0x0\n    call_nothing (");
    expect_frame("call_nothing", this_file, call_nothing_line);
    expect("\n    call_null (");
}

static void context_with_bad_texts(void) {
    ct_error_context_push("holding", "good");
    ct_error_context_push("dangling", (const char *)(uintptr_t)0x8);
    ct_error_context_push((const char *)~(uintptr_t)0xff, NULL);
    write_to_nowhere();
}

static void contexts_that_hold_no_more_are_told_as_such(void **state) {
    (void)state;
    assert_int_equal(report_of(context_with_bad_texts), SIGSEGV);
    expect_start("When holding: good\n"
                 "When dangling: (no text at 0x8)\n"
                 "When (no text at 0xffffffffffffff00): \n"
                 "When compiling: units/tree.unit\n"
                 "Segmentation fault at address 0x10\n");
    expect("\n    context_with_bad_texts (");
}

static void context_at_the_end_of_memory(void) {
    char *const pages =
        mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(pages + 4096, 4096);
    memcpy(pages + 4096 - 5, "edge", 5);
    ct_error_context_push("at the", pages + 4096 - 5);
    pages[4096 - 1] = '!'; // not ended within its page
    ct_error_context_push("beyond the", pages + 4096 - 5);
    write_to_nowhere();
}

static void context_that_ends_with_its_memory_is_read_that_far(void **state) {
    (void)state;
    assert_int_equal(report_of(context_at_the_end_of_memory), SIGSEGV);
    expect("When beyond the: edge!(no text at 0x");
}

static void fault_in_hook(void *user, void (*add_line)(const char *line)) {
    (void)user;
    add_line("before");
    write_to((volatile int *)(uintptr_t)0x20);
}

static void crash_with_faulting_hooks(void) {
    static char forest[] = "forest";
    ct_crash_add_hook(fault_in_hook, NULL);
    ct_crash_add_hook(fault_in_hook, NULL);
    ct_crash_add_hook(say_level, forest);
    divide_by_zero();
}

static void hooks_that_fault_do_not_spoil_the_report(void **state) {
    (void)state;
    assert_int_equal(report_of(crash_with_faulting_hooks), SIGFPE);
    expect_start("Arithmetic exception");
    expect("\nbefore\n(a part of this report failed)\nbefore\n(a part of this report failed)\n"
           "level: forest\n");
    expect("\n    divide (");
    expect_not("Segmentation fault");
}

static void fault_on_thread(void *data) {
    (void)data;
    write_to_nowhere();
}

static void fault_on_a_thread(void) {
    CT_ERROR_CONTEXT("on the main", "thread");
    ct_thread_join(ct_thread_start("worker 3", fault_on_thread, NULL));
}

static void fault_on_a_thread_names_it(void **state) {
    (void)state;
    assert_int_equal(report_of(fault_on_a_thread), SIGSEGV);
    expect_start("When compiling: units/tree.unit\nSegmentation fault at address 0x10\n");
    expect("\n    fault_on_thread (");
    expect("\nThread: worker 3 (");
}

static void fault_on_many_threads(void) {
    ct_thread threads[8];
    for (uint32_t i = 0; i < CT_COUNT_OF(threads); ++i)
        threads[i] = ct_thread_start("faults", fault_on_thread, NULL);
    for (uint32_t i = 0; i < CT_COUNT_OF(threads); ++i)
        ct_thread_join(threads[i]);
}

static void threads_that_fault_at_once_give_one_report(void **state) {
    (void)state;
    for (uint32_t i = 0; i < test_rounds(3, 100); ++i) {
        assert_int_equal(report_of(fault_on_many_threads), SIGSEGV);
        assert_int_equal(occurrences("Segmentation fault"), 1);
        assert_int_equal(occurrences("Call stack:"), 1);
        expect(", build id ");
    }
}

static int ready[2];

static void wait_for_a_signal(void) {
    if (write(ready[1], "r", 1) != 1)
        _exit(1);
    for (;;)
        pause();
}

static void signal_of_another_process_names_it(void **state) {
    (void)state;
    assert_int_equal(pipe(ready), 0);
    int output = -1;
    const pid_t pid = start_child(wait_for_a_signal, &output);
    char byte;
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    kill(pid, SIGABRT);
    read_report(output);
    assert_int_equal(wait_for_child(pid), SIGABRT);
    char expected[64];
    snprintf(expected, sizeof(expected), "Aborted, sent by process %d\nCall stack:\n",
             (int)getpid());
    expect_start(expected);
    expect("\n    wait_for_a_signal (");
}

// --- Stack overflow ------------------------------------------------------------------------------

static const int eat_stack_line = __LINE__ + 3;
__attribute__((noinline)) static int eat_stack(volatile char *above) {
    volatile char here[4096];
    here[0] = above[0];
    if (here[0] == 1) // never, but the compiler cannot know
        return 0;
    return eat_stack(here) + here[0];
}

static void overflow(void *data) {
    (void)data;
    volatile char start[1] = {0};
    CT_ERROR_CONTEXT("descending", "for ever");
    eat_stack(start);
}

static void overflow_the_stack(void) {
    overflow(NULL);
}

static void overflow_the_stack_of_a_thread(void) {
    ct_thread_join(ct_thread_start("deep", overflow, NULL));
}

static void expect_overflow(void) {
    expect_start("When descending: for ever\nStack overflow at address 0x");
    expect("Call stack:\n    eat_stack (");
    assert_true(occurrences("\n    eat_stack (") >= 50);
    // Its first or second line, as the compiler moves the stack's pointer.
    char place[64];
    snprintf(place, sizeof(place), "%s:%d)", this_file, eat_stack_line + 3);
    expect(place);
    expect("\n    and more\n");
    assert_true(report_seconds < 3.0);
}

static void stack_overflow_is_reported(void **state) {
    (void)state;
    assert_int_equal(report_of(overflow_the_stack), SIGSEGV);
    expect_overflow();
    expect("\nThread: main (");
}

static void stack_overflow_of_a_thread_is_reported(void **state) {
    (void)state;
    assert_int_equal(report_of(overflow_the_stack_of_a_thread), SIGSEGV);
    expect_overflow();
    expect("\nThread: deep (");
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assertion_reports_contexts_message_and_place),
        cmocka_unit_test(assertion_symbolises_its_call_stack),
        cmocka_unit_test(inlined_functions_are_lines_of_their_own),
        cmocka_unit_test(assertion_reports_once_and_in_time),
        cmocka_unit_test(report_says_how_many_contexts_it_lacks),
        cmocka_unit_test(long_texts_leave_room_for_the_rest),
        cmocka_unit_test(threads_that_fail_at_once_give_one_report),
        cmocka_unit_test(report_ends_with_the_last_log_lines_and_the_build),
        cmocka_unit_test(report_is_whole_while_others_log),
        cmocka_unit_test(report_names_the_task),
        cmocka_unit_test(hooks_add_lines_until_removed),
        cmocka_unit_test(lines_are_set_changed_and_removed),
        cmocka_unit_test(hook_that_asserts_does_not_spoil_the_report),
        cmocka_unit_test(report_goes_to_a_file_too),
        cmocka_unit_test(report_file_without_folder_is_told),
        cmocka_unit_test(relative_report_file_counts_from_the_folder_of_then),
        cmocka_unit_test(console_gets_the_report_as_one_message),
        cmocka_unit_test(formats_return_addresses),
#ifndef CT_SANITIZE // there the signals are the sanitizer's
        cmocka_unit_test(segmentation_fault_reports_address_contexts_and_stack),
        cmocka_unit_test(bus_error_is_reported),
        cmocka_unit_test(arithmetic_exception_is_reported),
        cmocka_unit_test(illegal_instruction_is_reported),
        cmocka_unit_test(abort_that_is_no_assertion_is_reported),
        cmocka_unit_test(call_of_null_shows_the_caller),
        cmocka_unit_test(contexts_that_hold_no_more_are_told_as_such),
        cmocka_unit_test(context_that_ends_with_its_memory_is_read_that_far),
        cmocka_unit_test(hooks_that_fault_do_not_spoil_the_report),
        cmocka_unit_test(fault_on_a_thread_names_it),
        cmocka_unit_test(threads_that_fault_at_once_give_one_report),
        cmocka_unit_test(signal_of_another_process_names_it),
        cmocka_unit_test(stack_overflow_is_reported),
        cmocka_unit_test(stack_overflow_of_a_thread_is_reported),
#endif
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
