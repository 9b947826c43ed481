// The process that writes crash reports, and what happens without it.
#include "foundation/crash/crash_child.h"
#include "foundation/crash/crash_helper.h"
#include "foundation/error.h"

#include <dirent.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/prctl.h>

__attribute__((noinline)) static void fail_an_assertion(void) {
    CT_ERROR_CONTEXT("spawning level", "big_world");
    CT_ASSERT(report[0] == 1, "not %d", 1);
}

static const char assertion_head[] = "When spawning level: big_world\n"
                                     "Assertion failed: report[0] == 1\n"
                                     "    not 1\n"
                                     "    In ";

// --- The helper as a process ---------------------------------------------------------------------

// Fails the child unless the file below the helper's folder in /proc begins with `expected`.
static void expect_in_proc(const char *name, const char *expected) {
    char path[128], text[64] = "";
    snprintf(path, sizeof(path), "/proc/%d/%s", (int)ct_crash_helper_pid(), name);
    const ssize_t linked = readlink(path, text, sizeof(text) - 1);
    const int file = linked < 0 ? open(path, O_RDONLY) : -1;
    if (linked < 0 && read(file, text, sizeof(text) - 1) < 0)
        _exit(2);
    if (strncmp(text, expected, strlen(expected)) != 0) {
        fprintf(stderr, "%s is %s, expected %s\n", path, text, expected);
        _exit(3);
    }
}

static void look_at_helper(void) {
    ct_os_sleep_ns(300000000); // its first steps
    expect_in_proc("comm", "cuttle-crash\n");
    expect_in_proc("cwd", "/");
    expect_in_proc("fd/0", "/dev/null");
    expect_in_proc("fd/1", "/dev/null");
    expect_in_proc("fd/2", "/dev/null");
    expect_in_proc("fd/3", "socket:");
    char path[64];
    snprintf(path, sizeof(path), "/proc/%d/fd", (int)ct_crash_helper_pid());
    DIR *const folder = opendir(path);
    uint32_t count = 0;
    for (struct dirent *entry; (entry = readdir(folder));)
        count += entry->d_name[0] != '.';
    closedir(folder);
    if (count != 4)
        _exit(4);
}

static void helper_holds_nothing_of_its_parent(void **state) {
    (void)state;
    const int inherited = open("/dev/zero", O_RDONLY);
    assert_int_equal(report_of(look_at_helper), 0);
    close(inherited);
    assert_string_equal(report, "");
}

static int told[2];

static void tell_helper_and_wait(void) {
    const int64_t pid = ct_crash_helper_pid();
    if (write(told[1], &pid, sizeof(pid)) != (ssize_t)sizeof(pid))
        _exit(1);
    for (;;)
        pause();
}

static int64_t helper_of_a_child(pid_t *child, int *output) {
    assert_int_equal(pipe(told), 0);
    *child = start_child(tell_helper_and_wait, output);
    int64_t pid = 0;
    assert_int_equal(read(told[0], &pid, sizeof(pid)), sizeof(pid));
    close(told[0]);
    close(told[1]);
    return pid;
}

static void helper_ends_with_a_parent_that_is_killed(void **state) {
    (void)state;
    prctl(PR_SET_CHILD_SUBREAPER, 1); // its end is then ours to see
    pid_t child = 0;
    int output = -1;
    const int64_t helper = helper_of_a_child(&child, &output);
    kill(child, SIGKILL);
    read_report(output);
    assert_int_equal(wait_for_child(child), SIGKILL);
    int status = -1;
    assert_int_equal(waitpid((pid_t)helper, &status, 0), helper);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
}

static void exit_in_order(void) {
    ct_os_sleep_ns(10000000);
    fclose(stdout); // the test's, which this copy must not flush
    exit(7);
}

static void helper_is_gone_when_its_parent_exits(void **state) {
    (void)state;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    int output = -1;
    const pid_t child = start_child(exit_in_order, &output);
    read_report(output);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); // no orphan, no zombie
    prctl(PR_SET_CHILD_SUBREAPER, 0);
}

static void fail_after_signals_for_the_group(void) {
    const int sent[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT};
    for (uint32_t i = 0; i < CT_COUNT_OF(sent); ++i)
        kill((pid_t)ct_crash_helper_pid(), sent[i]);
    ct_os_sleep_ns(50000000);
    fail_an_assertion();
}

static void helper_outlives_the_terminals_signals(void **state) {
    (void)state;
    assert_int_equal(report_of(fail_after_signals_for_the_group), SIGABRT);
    expect_start(assertion_head);
    expect("\n    fail_an_assertion (");
}

static void start_twice(void) {
    ct_crash_init();
}

static void starting_twice_is_a_bug(void **state) {
    (void)state;
    assert_int_equal(report_of(start_twice), SIGABRT);
    expect("ct_crash_init was called twice");
}

// --- Without it ----------------------------------------------------------------------------------

static void kill_helper(void) {
    kill((pid_t)ct_crash_helper_pid(), SIGKILL);
    waitpid((pid_t)ct_crash_helper_pid(), NULL, 0);
}

static void fail_without_helper(void) {
    kill_helper();
    fail_an_assertion();
}

static void expect_raw_frames(void) {
    assert_int_equal(occurrences("Call stack:\n    /"), 1);
    assert_true(occurrences("/test_crash_helper+0x") >= 4);
    expect("\nThread: main (");
    expect(", build id ");
}

static void assertion_without_helper_shows_raw_frames(void **state) {
    (void)state;
    assert_int_equal(report_of(fail_without_helper), SIGABRT);
    expect_start(assertion_head);
    expect_raw_frames();
    assert_true(report_seconds < 3.0);
}

static void stop_helper_and_fail(void) {
    kill((pid_t)ct_crash_helper_pid(), SIGSTOP);
    if (write(told[1], &(int64_t){ct_crash_helper_pid()}, sizeof(int64_t)) < 0)
        _exit(1);
    fail_an_assertion();
}

static void helper_that_is_late_is_not_waited_for(void **state) {
    (void)state;
    assert_int_equal(pipe(told), 0);
    assert_int_equal(report_of(stop_helper_and_fail), SIGABRT);
    expect_start(assertion_head);
    expect_raw_frames();
    assert_in_range((uint64_t)(report_seconds * 1000), 1500, 3000);
    // It is not left behind.
    int64_t helper = 0;
    assert_int_equal(read(told[0], &helper, sizeof(helper)), sizeof(helper));
    close(told[0]);
    close(told[1]);
    assert_int_equal(kill((pid_t)helper, 0), -1);
}

static void fail_in_a_forked_child(void) {
    const pid_t pid = fork();
    if (pid == 0)
        fail_an_assertion();
    int status = 0;
    waitpid(pid, &status, 0);
    _exit(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT ? 0 : 1);
}

static void forked_child_reports_without_its_parents_helper(void **state) {
    (void)state;
    assert_int_equal(report_of(fail_in_a_forked_child), 0);
    expect_start(assertion_head);
    expect("\n    fail_an_assertion (");
    assert_int_equal(occurrences("Call stack:"), 1);
}

static void fork_then_fail(void) {
    const pid_t pid = fork();
    if (pid == 0)
        fail_an_assertion();
    waitpid(pid, NULL, 0);
    CT_ASSERT(report[0] == 2, "%s", "the parent");
}

static void forked_child_leaves_the_parent_its_report(void **state) {
    (void)state;
    assert_int_equal(report_of(fork_then_fail), SIGABRT);
    expect("Assertion failed: report[0] == 2\n    the parent\n");
    assert_int_equal(occurrences("Call stack:"), 2);
    assert_int_equal(occurrences("Call stack:\n    fork_then_fail ("), 1);
}

// --- Time ----------------------------------------------------------------------------------------

static void fill_standard_error_and_fail(void) {
    fcntl(STDERR_FILENO, F_SETPIPE_SZ, 4096);
    char page[4096];
    memset(page, '\n', sizeof(page));
    if (write(STDERR_FILENO, page, sizeof(page)) < 0)
        _exit(1);
    fail_an_assertion();
}

static void standard_error_that_nobody_reads_does_not_hold_the_end_up(void **state) {
    (void)state;
    int output = -1;
    const uint64_t start = ct_os_time_ns();
    const pid_t pid = start_child(fill_standard_error_and_fail, &output);
    assert_int_equal(wait_for_child(pid), SIGABRT);
    assert_true((double)(ct_os_time_ns() - start) * 1e-9 < 3.5);
    close(output);
}

static atomic_bool is_reporting;

static void take_time(void *user, void (*add_line)(const char *line)) {
    (void)user, (void)add_line;
    atomic_store(&is_reporting, true);
    ct_os_sleep_ns(100000000);
}

static void fail_on_thread(void *data) {
    (void)data;
    ct_crash_add_hook(take_time, NULL);
    fail_an_assertion();
    ct_crash_remove_hook(take_time, NULL); // never; but the call above is no jump
}

static void exit_during_a_report(void) {
    ct_thread_start("fails", fail_on_thread, NULL);
    while (!atomic_load(&is_reporting))
        ct_os_sleep_ns(1000000);
    fclose(stdout);
    exit(0);
}

static void program_that_exits_waits_for_the_report(void **state) {
    (void)state;
    assert_int_equal(report_of(exit_during_a_report), SIGABRT);
    expect_start(assertion_head);
    expect("\n    fail_on_thread (");
}

static void hang(void *user, void (*add_line)(const char *line)) {
    (void)user;
    add_line("about to hang");
    for (;;)
        ct_os_sleep_ns(1000000000);
}

static void fail_with_hanging_hook(void) {
    ct_crash_add_hook(hang, NULL);
    fail_an_assertion();
}

static void hook_that_hangs_is_cut_off_in_time(void **state) {
    (void)state;
    assert_int_equal(report_of(fail_with_hanging_hook), SIGABRT);
    expect_start(assertion_head);
    expect("Call stack:\n    /");
    expect("\nabout to hang\n");
    assert_in_range((uint64_t)(report_seconds * 1000), 2500, 3200);
}

// --- Signals -------------------------------------------------------------------------------------

#ifndef CT_SANITIZE

__attribute__((noinline)) static void write_to(volatile int *p) {
    *p = 1;
}

static void fault_without_helper(void) {
    kill_helper();
    CT_ERROR_CONTEXT("compiling", "units/tree.unit");
    write_to((volatile int *)(uintptr_t)0x10);
}

static void fault_without_helper_shows_raw_frames(void **state) {
    (void)state;
    assert_int_equal(report_of(fault_without_helper), SIGSEGV);
    expect_start("When compiling: units/tree.unit\n"
                 "Segmentation fault at address 0x10\n"
                 "Call stack:\n    /");
    expect_raw_frames();
}

static void first_raw_frame_resolves_to_the_faulting_function(void **state) {
    (void)state;
    assert_int_equal(report_of(fault_without_helper), SIGSEGV);
    const char *const offset = strstr(report, "test_crash_helper+0x");
    assert_non_null(offset);
    const uint64_t value = strtoull(offset + strlen("test_crash_helper+"), NULL, 16);
    // The offset counts from where the module is loaded, which this process shares with its child.
    extern const char __executable_start;
    const uint64_t function = (uint64_t)(uintptr_t)write_to;
    const uint64_t address = (uint64_t)(uintptr_t)&__executable_start + value;
    assert_in_range(address, function, function + 64);
}

static void wait_in_a_thread(void *data) {
    (void)data;
    for (;;)
        pause();
}

// glibc finds its last chunk broken and aborts with the heap locked.
static void abort_with_the_heap_locked(void) {
    ct_thread_start("makes glibc lock", wait_in_a_thread, NULL);
    char *last = malloc(1000);
    for (char *next; (next = malloc(1000)) != last + malloc_usable_size(last) + 8;)
        last = next;
    last += malloc_usable_size(last) + 8;
    memset(last + malloc_usable_size(last), 0x77, 8);
    void *volatile more = malloc(100000);
    free(more);
}

static void crash_with_a_locked_heap_is_reported(void **state) {
    (void)state;
    assert_int_equal(report_of(abort_with_the_heap_locked), SIGABRT);
    expect("corrupted top size\nAborted\nCall stack:\n");
    expect("\n    abort_with_the_heap_locked (");
    expect(", build id ");
    assert_true(report_seconds < 3.0);
}

static void fault_in_a_forked_child(void) {
    const pid_t pid = fork();
    if (pid == 0)
        write_to((volatile int *)(uintptr_t)0x10);
    int status = 0;
    waitpid(pid, &status, 0);
    _exit(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV ? 0 : 1);
}

static void fault_of_a_forked_child_shows_raw_frames(void **state) {
    (void)state;
    assert_int_equal(report_of(fault_in_a_forked_child), 0);
    expect_start("Segmentation fault at address 0x10\nCall stack:\n    /");
    expect_raw_frames();
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(helper_holds_nothing_of_its_parent),
        cmocka_unit_test(helper_ends_with_a_parent_that_is_killed),
        cmocka_unit_test(helper_is_gone_when_its_parent_exits),
        cmocka_unit_test(helper_outlives_the_terminals_signals),
        cmocka_unit_test(starting_twice_is_a_bug),
        cmocka_unit_test(assertion_without_helper_shows_raw_frames),
        cmocka_unit_test(helper_that_is_late_is_not_waited_for),
        cmocka_unit_test(forked_child_reports_without_its_parents_helper),
        cmocka_unit_test(forked_child_leaves_the_parent_its_report),
        cmocka_unit_test(standard_error_that_nobody_reads_does_not_hold_the_end_up),
        cmocka_unit_test(program_that_exits_waits_for_the_report),
        cmocka_unit_test(hook_that_hangs_is_cut_off_in_time),
#ifndef CT_SANITIZE
        cmocka_unit_test(fault_without_helper_shows_raw_frames),
        cmocka_unit_test(first_raw_frame_resolves_to_the_faulting_function),
        cmocka_unit_test(crash_with_a_locked_heap_is_reported),
        cmocka_unit_test(fault_of_a_forked_child_shows_raw_frames),
#endif
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
