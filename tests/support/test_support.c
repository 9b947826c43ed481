#include "support/test_support.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/memory/memory.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/os/file.h"
#include "foundation/string/string_id.h"

enum { MAX_SCRATCH_FOLDERS = 256, SCRATCH_PATH_BYTES = 1024, SCRATCH_ROOT_BYTES = 960 };

static ct_allocator *heap;
static char scratch_root[SCRATCH_ROOT_BYTES];
static char scratch_folders[MAX_SCRATCH_FOLDERS][SCRATCH_PATH_BYTES];
static uint32_t num_scratch_folders;

int test_group_setup(void **state) {
    (void)state;
    ct_memory_init();
    ct_log_init(ct_memory_heap());
    ct_string_id_registry_init(ct_memory_heap());
    heap = ct_proxy_allocator_create(ct_memory_heap(), "test_heap");
    return 0;
}

static void remove_scratch_folders(void) {
    ct_error error = {0};
    if (scratch_root[0] && !ct_folder_remove(scratch_root, &error))
        fail_msg("%s", error.message);
    scratch_root[0] = 0;
    num_scratch_folders = 0;
}

int test_group_teardown(void **state) {
    (void)state;
    remove_scratch_folders();
    ct_proxy_allocator_destroy(heap);
    heap = NULL;
    ct_string_id_registry_shutdown();
    ct_log_shutdown();
    ct_memory_shutdown();
    return 0;
}

ct_allocator *test_heap(void) {
    return heap;
}

static void make_folder(const char *path) {
    ct_error error = {0};
    if (!ct_folder_create(path, &error))
        fail_msg("%s", error.message);
}

// A process that was killed may have left a folder of the same name.
static void start_scratch(void) {
    char here[SCRATCH_ROOT_BYTES / 2];
    if (!getcwd(here, sizeof(here)))
        fail_msg("the path of the current folder is too long");
    snprintf(scratch_root, sizeof(scratch_root), "%s/scratch/%s-%d", here,
             program_invocation_short_name, (int)getpid());
    ct_error error = {0};
    if (!ct_folder_remove(scratch_root, &error))
        fail_msg("%s", error.message);
}

const char *test_scratch_folder(void) {
    if (!scratch_root[0])
        start_scratch();
    assert_true(num_scratch_folders < MAX_SCRATCH_FOLDERS);
    char *const path = scratch_folders[num_scratch_folders];
    snprintf(path, SCRATCH_PATH_BYTES, "%s/%u", scratch_root, num_scratch_folders);
    ++num_scratch_folders;
    make_folder(path);
    return path;
}

uint32_t test_rounds(uint32_t slice, uint32_t full) {
    return getenv("CUTTLE_TEST_LONG") ? full : slice;
}

uint32_t test_random(uint32_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

// What a child process runs.
typedef struct child_job {
    void (*run)(void *user);
    void *user;
    int expected_signal; // 0: none
} child_job;

static _Noreturn void run_child(const child_job *job, int error_pipe) {
    const struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    dup2(error_pipe, STDERR_FILENO);
    // cmocka would catch it.
    if (job->expected_signal)
        signal(job->expected_signal, SIG_DFL);
    job->run(job->user);
    _exit(0);
}

// Reads to the end of the file; what does not fit is dropped.
static void read_all(int file, char *text, size_t bytes) {
    char dropped[4096];
    size_t length = 0;
    for (;;) {
        const bool has_room = length + 1 < bytes;
        const ssize_t got = has_room ? read(file, text + length, bytes - length - 1)
                                     : read(file, dropped, sizeof(dropped));
        if (got <= 0 && !(got < 0 && errno == EINTR))
            break;
        if (has_room && got > 0)
            length += (size_t)got;
    }
    text[length] = 0;
}

// Runs the job in a child process. Returns how it ended, and in `text` what it wrote to standard
// error.
static int end_of_child(const child_job *job, char *text, size_t bytes) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        run_child(job, ends[1]);
    close(ends[1]);
    read_all(ends[0], text, bytes);
    close(ends[0]);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static char child_text[65536];

void test_expect_death(void (*run)(void *user), void *user, const char *report) {
    const child_job job = {.run = run, .user = user};
    const int status = end_of_child(&job, child_text, sizeof(child_text));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        fail_msg("lived, but was expected to die of: %s", report);
    if (!strstr(child_text, report))
        fail_msg("died, but not of: %s\nIt wrote:\n%s", report, child_text);
}

// A sanitizer that handles the signal says what it would have been: "AddressSanitizer: SEGV".
static bool is_sanitizer_report(const char *text, int signal) {
#ifdef CT_SANITIZE
    char report[64];
    snprintf(report, sizeof(report), "Sanitizer: %s", sigabbrev_np(signal));
    return strstr(text, report) != NULL;
#else
    (void)text, (void)signal;
    return false;
#endif
}

void test_expect_signal(void (*run)(void *user), void *user, int signal) {
    const child_job job = {.run = run, .user = user, .expected_signal = signal};
    const int status = end_of_child(&job, child_text, sizeof(child_text));
    if (WIFSIGNALED(status) && WTERMSIG(status) == signal)
        return;
    if (!is_sanitizer_report(child_text, signal))
        fail_msg("expected to end by signal %d, but the status is %x\nIt wrote:\n%s", signal,
                 (unsigned)status, child_text);
}
