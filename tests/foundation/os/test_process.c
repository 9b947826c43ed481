#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "support/test_support.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const uint64_t second_ns = 1000000000;

// Starts `/bin/sh -c script`.
static ct_process start_script(const char *script, int *socket) {
    const char *const arguments[] = {"/bin/sh", "-c", script, NULL};
    const ct_process_desc desc = {.arguments = arguments, .socket = socket};
    ct_error error = {0};
    const ct_process process = ct_process_start(&desc, &error);
    if (process.pid == 0)
        fail_msg("%s", error.message);
    return process;
}

// Reads from the blocking `socket` until it ends or `text` is full.
static void receive_all(int socket, char *text, size_t bytes) {
    size_t length = 0;
    int64_t got = 0;
    while (length < bytes - 1 &&
           (got = ct_socket_receive(socket, text + length, bytes - 1 - length)) > 0)
        length += (size_t)got;
    text[length] = 0;
}

static void wait_returns_the_exit_code(void **state) {
    (void)state;
    assert_int_equal(ct_process_wait(start_script("exit 0", NULL)), 0);
    assert_int_equal(ct_process_wait(start_script("exit 42", NULL)), 42);
}

static void wait_returns_the_signal_negated(void **state) {
    (void)state;
    assert_int_equal(ct_process_wait(start_script("kill -TERM $$", NULL)), -SIGTERM);
}

static void kill_ends_a_hanging_process(void **state) {
    (void)state;
    const ct_process process = start_script("exec sleep 1000", NULL);
    int exit_code = 0;
    const uint64_t start = ct_os_time_ns();
    assert_false(ct_process_wait_for(process, second_ns / 50, &exit_code));
    assert_true(ct_os_time_ns() - start >= second_ns / 50);
    ct_process_kill(process);
    assert_int_equal(ct_process_wait(process), -SIGKILL);
}

static void wait_for_ends_with_the_process(void **state) {
    (void)state;
    const ct_process process = start_script("exit 7", NULL);
    int exit_code = 0;
    assert_true(ct_process_wait_for(process, 30 * second_ns, &exit_code));
    assert_int_equal(exit_code, 7);
}

static void socket_goes_both_ways_and_ends_with_the_child(void **state) {
    (void)state;
    int socket = -1;
    const ct_process process = start_script("exec cat <&3 >&3", &socket);
    assert_true(socket >= 0);
    assert_int_equal(ct_socket_send(socket, "hello", 5), 5);
    char text[6];
    receive_all(socket, text, sizeof(text));
    assert_string_equal(text, "hello");
    ct_process_kill(process);
    assert_int_equal(ct_socket_receive(socket, text, sizeof(text)), -1);
    ct_process_wait(process);
    ct_socket_close(socket);
}

static void socket_can_be_standard_input_and_output(void **state) {
    (void)state;
    static const char *const arguments[] = {"/bin/sh", "-c", "cat; echo lost >&2", NULL};
    int socket = -1;
    const ct_process_desc desc = {
        .arguments = arguments, .socket = &socket, .is_socket_standard = true, .silent = true};
    const ct_process process = ct_process_start(&desc, NULL);
    assert_true(process.pid > 0);
    assert_int_equal(ct_socket_send(socket, "hello", 5), 5);
    ct_socket_end_sending(socket);
    char text[16];
    receive_all(socket, text, sizeof(text));
    assert_string_equal(text, "hello");
    assert_int_equal(ct_process_wait(process), 0);
    ct_socket_close(socket);
}

static void child_sees_its_end_when_the_parent_closes(void **state) {
    (void)state;
    int socket = -1;
    const ct_process process = start_script("cat <&3 >/dev/null; exit 9", &socket);
    ct_socket_close(socket);
    assert_int_equal(ct_process_wait(process), 9);
}

static void child_has_no_other_descriptors(void **state) {
    (void)state;
    int inherited[2]; // without close-on-exec
    assert_int_equal(pipe(inherited), 0);
    int socket = -1;
    // `ls` itself opens the folder as the next free number, which is 4.
    const ct_process process = start_script("exec ls /proc/self/fd >&3", &socket);
    char text[256];
    receive_all(socket, text, sizeof(text));
    assert_int_equal(ct_process_wait(process), 0);
    assert_string_equal(text, "0\n1\n2\n3\n4\n");
    ct_socket_close(socket);
    close(inherited[0]);
    close(inherited[1]);
}

static void child_has_default_signals(void **state) {
    (void)state;
    int socket = -1;
    void (*const before)(int) = signal(SIGPIPE, SIG_IGN);
    const ct_process process =
        start_script("grep -E 'Sig(Blk|Ign)' /proc/self/status >&3", &socket);
    signal(SIGPIPE, before);
    char text[256];
    receive_all(socket, text, sizeof(text));
    assert_int_equal(ct_process_wait(process), 0);
    assert_string_equal(text, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
    ct_socket_close(socket);
}

static void silent_child_writes_nowhere(void **state) {
    (void)state;
    const char *const arguments[] = {
        "/bin/sh", "-c", "test /proc/self/fd/1 -ef /dev/null && test /proc/self/fd/2 -ef /dev/null",
        NULL};
    const ct_process_desc desc = {.arguments = arguments, .silent = true};
    assert_int_equal(ct_process_wait(ct_process_start(&desc, NULL)), 0);
}

static void program_that_is_not_there_is_an_error(void **state) {
    (void)state;
    const char *const arguments[] = {"/nowhere/program", NULL};
    int socket = -7;
    const ct_process_desc desc = {.arguments = arguments, .socket = &socket};
    ct_error error = {0};
    assert_int_equal(ct_process_start(&desc, &error).pid, 0);
    assert_string_equal(error.message, "cannot start /nowhere/program: No such file or directory");
    assert_int_equal(socket, -7);
    const char *const folder[] = {"/tmp", NULL};
    assert_int_equal(ct_process_start(&(ct_process_desc){.arguments = folder}, &error).pid, 0);
    assert_string_equal(error.message, "cannot start /tmp: Permission denied");
}

static void start_on_thread(void *data) {
    *(ct_process *)data = start_script("exec sleep 1000", NULL);
}

static void child_outlives_the_thread_that_started_it(void **state) {
    (void)state;
    ct_process process = {0};
    ct_thread_join(ct_thread_start("short", start_on_thread, &process));
    int exit_code = 0;
    assert_false(ct_process_wait_for(process, second_ns / 10, &exit_code));
    ct_process_kill(process);
    assert_int_equal(ct_process_wait(process), -SIGKILL);
}

#ifndef __SANITIZE_THREAD__ // which allows no threads after a fork

// A process of ours that starts another, tells its number and is killed.
static void child_dies_with_its_parent(void **state) {
    (void)state;
    int numbers[2];
    assert_int_equal(pipe(numbers), 0);
    const pid_t parent = fork();
    if (parent == 0) {
        const ct_process child = start_script("exec sleep 1000", NULL);
        if (write(numbers[1], &child.pid, sizeof(child.pid)) < 0)
            _exit(1);
        for (;;)
            pause();
    }
    int64_t child = 0;
    assert_int_equal(read(numbers[0], &child, sizeof(child)), sizeof(child));
    assert_int_equal(kill((pid_t)child, 0), 0);
    ct_process_kill((ct_process){.pid = parent});
    ct_process_wait((ct_process){.pid = parent});
    char path[64];
    snprintf(path, sizeof(path), "/proc/%lld/stat", (long long)child);
    // Gone, or a zombie that nobody collects where there is no init.
    bool is_dead = false;
    for (uint32_t i = 0; i < 500 && !is_dead; ++i) {
        char line[256] = "";
        FILE *const file = fopen(path, "r");
        is_dead = !file || !fgets(line, sizeof(line), file) || strstr(line, ") Z ");
        if (file)
            fclose(file);
        if (!is_dead)
            ct_os_sleep_ns(second_ns / 100);
    }
    if (!is_dead)
        kill((pid_t)child, SIGKILL); // leave nothing behind, also when failing
    assert_true(is_dead);
    close(numbers[0]);
    close(numbers[1]);
}

#endif

static void start_and_wait(void *data) {
    uint32_t *const failures = data;
    for (uint32_t i = 0; i < 10; ++i) {
        int socket = -1;
        const ct_process process = start_script("read x <&3; exit $x", &socket);
        ct_socket_send(socket, "3\n", 2);
        *failures += ct_process_wait(process) != 3;
        ct_socket_close(socket);
    }
}

static void any_thread_may_start_processes(void **state) {
    (void)state;
    ct_thread threads[4];
    uint32_t failures[4] = {0};
    for (uint32_t i = 0; i < 4; ++i)
        threads[i] = ct_thread_start("starts", start_and_wait, &failures[i]);
    for (uint32_t i = 0; i < 4; ++i)
        ct_thread_join(threads[i]);
    for (uint32_t i = 0; i < 4; ++i)
        assert_int_equal(failures[i], 0);
}

static void process_exists_until_it_is_waited_for(void **state) {
    (void)state;
    const char *const arguments[] = {"/bin/true", NULL};
    const ct_process process = ct_process_start(&(ct_process_desc){.arguments = arguments}, NULL);
    assert_true(ct_os_process_exists(process.pid));
    assert_int_equal(ct_process_wait(process), 0);
    assert_false(ct_os_process_exists(process.pid));
    assert_true(ct_os_process_exists(ct_os_process_id()));
    assert_false(ct_os_process_exists(0));
    assert_false(ct_os_process_exists(-1));
}

// --- Output, PATH and groups ---------------------------------------------------------------------

static void output_goes_to_a_file(void **state) {
    (void)state;
    char path[CT_PATH_BYTES];
    ct_path_join(path, test_scratch_folder(), "log");
    const char *const arguments[] = {"/bin/sh", "-c", "cat; echo one; echo two >&2; exit 3", NULL};
    const ct_process_desc desc = {.arguments = arguments, .output_path = path};
    for (uint32_t i = 0; i < 2; ++i) { // the second time, it is emptied
        assert_int_equal(ct_process_wait(ct_process_start(&desc, NULL)), 3);
        uint64_t bytes = 0;
        char *const text = ct_file_read(test_heap(), path, &bytes, NULL);
        assert_string_equal(text, "one\ntwo\n");
        ct_free(test_heap(), text);
    }
    ct_error error = {0};
    const ct_process_desc nowhere = {.arguments = arguments, .output_path = "/nowhere/log"};
    assert_int_equal(ct_process_start(&nowhere, &error).pid, 0);
    assert_string_equal(error.message, "cannot start /bin/sh: No such file or directory");
}

static void programs_are_found_in_path_only_when_asked(void **state) {
    (void)state;
    const char *const arguments[] = {"true", NULL};
    ct_process_desc desc = {.arguments = arguments, .searches_path = true};
    assert_int_equal(ct_process_wait(ct_process_start(&desc, NULL)), 0);
    desc.searches_path = false;
    assert_int_equal(ct_process_start(&desc, NULL).pid, 0);
}

static void a_group_that_is_interrupted_ends_in_its_own_way(void **state) {
    (void)state;
    const char *const arguments[] = {
        "/bin/sh", "-c", "trap 'exit 7' INT; echo ready >&3; while :; do sleep 0.02; done", NULL};
    int socket = -1, code = 0;
    const ct_process_desc desc = {.arguments = arguments, .socket = &socket, .is_group = true};
    const ct_process process = ct_process_start(&desc, NULL);
    char text[32] = "";
    assert_true(ct_socket_receive(socket, text, sizeof(text) - 1) > 0);
    ct_process_interrupt_group(process);
    const bool has_ended = ct_process_wait_for(process, 10 * second_ns, &code);
    if (!has_ended)
        ct_process_kill_group(process);
    assert_true(has_ended);
    assert_int_equal(code, 7);
    ct_socket_close(socket);
}

static void a_group_is_killed_with_all_its_processes(void **state) {
    (void)state;
    const char *const arguments[] = {"/bin/sh", "-c", "sleep 1000 & echo $! >&3; wait", NULL};
    int socket = -1;
    const ct_process_desc desc = {.arguments = arguments, .socket = &socket, .is_group = true};
    const ct_process process = ct_process_start(&desc, NULL);
    char text[32] = "";
    assert_true(ct_socket_receive(socket, text, sizeof(text) - 1) > 0);
    long long child = 0;
    assert_int_equal(sscanf(text, "%lld", &child), 1);
    assert_int_equal(getpgid((pid_t)child), process.pid);
    ct_process_kill_group(process);
    assert_int_equal(ct_process_wait(process), -SIGKILL);
    // The child has the other end of the socket, too: it ends when both are gone.
    bool is_ended = false;
    ct_socket_wait(&socket, 1, &is_ended, 10 * second_ns);
    if (!is_ended)
        kill((pid_t)child, SIGKILL); // leave nothing behind, also when failing
    assert_true(is_ended);
    char rest[8];
    assert_int_equal(ct_socket_receive(socket, rest, sizeof(rest)), -1);
    ct_socket_close(socket);
}

// The two streams arrive apart; the child has the environment that it was given, and no input.
static void outputs_go_to_sockets(void **state) {
    (void)state;
    const char *const arguments[] = {
        "/bin/sh", "-c", "read x; echo \"out$x $NAME$HOME\"; echo err >&2; exit 3", NULL};
    const char *const environment[] = {"NAME=value", NULL};
    int outputs[2] = {-1, -1};
    const ct_process_desc desc = {
        .arguments = arguments, .outputs = outputs, .environment = environment};
    ct_error error = {0};
    const ct_process process = ct_process_start(&desc, &error);
    assert_true(process.pid > 0);
    assert_int_equal(ct_process_wait(process), 3);
    static const char *const expected[] = {"out value\n", "err\n"};
    for (uint32_t i = 0; i < 2; ++i) {
        char text[64];
        receive_all(outputs[i], text, sizeof(text));
        assert_string_equal(text, expected[i]);
        ct_socket_close(outputs[i]);
    }
    const char *const missing[] = {"/nowhere/program", NULL};
    const ct_process_desc wrong = {.arguments = missing, .outputs = outputs};
    assert_int_equal(ct_process_start(&wrong, &error).pid, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outputs_go_to_sockets),
        cmocka_unit_test(process_exists_until_it_is_waited_for),
        cmocka_unit_test(wait_returns_the_exit_code),
        cmocka_unit_test(wait_returns_the_signal_negated),
        cmocka_unit_test(kill_ends_a_hanging_process),
        cmocka_unit_test(wait_for_ends_with_the_process),
        cmocka_unit_test(socket_goes_both_ways_and_ends_with_the_child),
        cmocka_unit_test(socket_can_be_standard_input_and_output),
        cmocka_unit_test(child_sees_its_end_when_the_parent_closes),
        cmocka_unit_test(child_has_no_other_descriptors),
        cmocka_unit_test(child_has_default_signals),
        cmocka_unit_test(silent_child_writes_nowhere),
        cmocka_unit_test(program_that_is_not_there_is_an_error),
        cmocka_unit_test(child_outlives_the_thread_that_started_it),
#ifndef __SANITIZE_THREAD__
        cmocka_unit_test(child_dies_with_its_parent),
#endif
        cmocka_unit_test(any_thread_may_start_processes),
        cmocka_unit_test(output_goes_to_a_file),
        cmocka_unit_test(programs_are_found_in_path_only_when_asked),
        cmocka_unit_test(a_group_that_is_interrupted_ends_in_its_own_way),
        cmocka_unit_test(a_group_is_killed_with_all_its_processes),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
