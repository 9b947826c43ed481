// crash_child.h: runs what crashes in a forked child and reads its report; for test_crash*.c.
#pragma once
#include "foundation/crash/crash.h"
#include "foundation/os/os.h"
#include "support/test_support.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// What the child of the last report_of wrote to standard error, and how long it lived.
static char report[1 << 20];
static double report_seconds;

// What cmocka, and a core dump, would make of the crash.
static inline void prepare_child(int standard_error) {
    const struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    dup2(standard_error, STDERR_FILENO);
    for (int i = 1; i < 32; ++i)
        signal(i, SIG_DFL);
}

// Starts a child that runs `die`; `read_end` is set to the other end of its standard error.
static inline pid_t start_child(void (*die)(void), int *read_end) {
    int output[2];
    assert_int_equal(pipe(output), 0);
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        close(output[0]);
        prepare_child(output[1]);
        close(output[1]);
        ct_crash_init();
        die();
        _exit(0);
    }
    close(output[1]);
    *read_end = output[0];
    return pid;
}

// Fills `report` to the end of the file.
static inline void read_report(int file) {
    size_t length = 0;
    ssize_t got = 0;
    while ((got = read(file, report + length, sizeof(report) - 1 - length)) > 0)
        length += (size_t)got;
    report[length] = 0;
    close(file);
}

// Waits for the child and returns the signal that ended it (0 for none).
static inline int wait_for_child(pid_t pid) {
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

// Runs `die` in a child, fills `report` and returns the signal that ended it (0 for none).
static inline int report_of(void (*die)(void)) {
    const uint64_t start = ct_os_time_ns();
    int output = -1;
    const pid_t pid = start_child(die, &output);
    read_report(output);
    const int number = wait_for_child(pid);
    report_seconds = (double)(ct_os_time_ns() - start) * 1e-9;
    return number;
}

static inline uint32_t occurrences(const char *word) {
    uint32_t count = 0;
    for (const char *p = report; (p = strstr(p, word)); ++p)
        ++count;
    return count;
}

// Fails the test, showing the report, unless it contains `text`.
static inline void expect(const char *text) {
    if (!strstr(report, text))
        fail_msg("expected in the report: %s\n--- the report\n%s", text, report);
}

static inline void expect_not(const char *text) {
    if (strstr(report, text))
        fail_msg("not expected in the report: %s\n--- the report\n%s", text, report);
}

static inline void expect_start(const char *text) {
    if (strncmp(report, text, strlen(text)) != 0)
        fail_msg("expected at the report's start: %s\n--- the report\n%s", text, report);
}

// Fails unless the report's call stack has `function` at `line` of `file`; optimisers add to names.
static inline void expect_frame(const char *function, const char *file, int line) {
    char name[128], place[256];
    snprintf(name, sizeof(name), "\n    %s", function);
    snprintf(place, sizeof(place), "%s:%d)", file, line);
    const char *const stack = strstr(report, "Call stack:\n");
    for (const char *p = stack; p && (p = strstr(p, name)); ++p) {
        const char *const found = strstr(p, place);
        if (found && found < strchrnul(p + 1, '\n'))
            return;
    }
    fail_msg("expected a call of %s at %s:%d\n--- the report\n%s", function, file, line, report);
}
