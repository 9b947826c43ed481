// os_linux_process.c: starting and ending programs.
//
// Linux can kill a child when its parent ends (PR_SET_PDEATHSIG), but "parent" is the thread that
// started it. So one thread that never ends starts all programs: they then die with this process,
// however it ends, and not earlier.
#include "foundation/error.h"
#include "foundation/os/os.h"
#include "foundation/os/os_linux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILD_SOCKET = 3, EXIT_NOT_STARTED = 127 };

// One order to the starter thread.
typedef struct start_order {
    const ct_process_desc *desc;
    int child_socket;     // the child's end, or -1
    int child_outputs[2]; // the child's ends, or -1
    pid_t pid;            // out: -1 when fork failed
    int failure;          // out: errno of the failure in the child, 0 when it runs
    bool done;
} start_order;

static pthread_mutex_t starter_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t starter_changed = PTHREAD_COND_INITIALIZER;
static start_order *waiting_order; // at most one at a time
static pid_t starter_process;      // the process that has a starter thread: a fork has no threads

// --- In the child --------------------------------------------------------------------------------

// Sends output and errors to a new file; the input is empty. Returns false with errno.
static bool place_output(const char *path) {
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
    return nothing >= 0 && file >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
           dup2(file, STDOUT_FILENO) >= 0 && dup2(file, STDERR_FILENO) >= 0;
}

// Sends output and errors to sockets; the input is empty. Returns false with errno.
static bool place_outputs(const int outputs[2]) {
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    return nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
           dup2(outputs[0], STDOUT_FILENO) >= 0 && dup2(outputs[1], STDERR_FILENO) >= 0;
}

// Gives the child its socket, and marks everything but the standard streams to be closed by exec.
// Returns false with errno.
static bool place_descriptors(const start_order *order) {
    const int socket = order->child_socket;
    const bool is_standard = socket >= 0 && order->desc->is_socket_standard;
    if (close_range(CHILD_SOCKET, ~0u, CLOSE_RANGE_CLOEXEC) != 0)
        return false;
    if (is_standard && (dup2(socket, STDIN_FILENO) < 0 || dup2(socket, STDOUT_FILENO) < 0))
        return false;
    if (!is_standard && socket == CHILD_SOCKET && fcntl(CHILD_SOCKET, F_SETFD, 0) != 0)
        return false;
    if (!is_standard && socket >= 0 && socket != CHILD_SOCKET && dup2(socket, CHILD_SOCKET) < 0)
        return false;
    if (order->desc->output_path)
        return place_output(order->desc->output_path);
    if (order->desc->outputs)
        return place_outputs(order->child_outputs);
    if (!order->desc->silent)
        return true;
    const int nowhere = open("/dev/null", O_WRONLY);
    return nowhere >= 0 && (is_standard || dup2(nowhere, STDOUT_FILENO) >= 0) &&
           dup2(nowhere, STDERR_FILENO) >= 0;
}

static void reset_signals(void) {
    for (int i = 1; i < NSIG; ++i)
        signal(i, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

// Runs the program. Between vfork and exec, the memory is the parent's: only system calls here.
// `report` gets errno when it fails.
_Noreturn static void become_program(const start_order *order, int report, pid_t parent) {
    // A number out of the way of CHILD_SOCKET.
    const int failure_pipe = fcntl(report, F_DUPFD_CLOEXEC, CHILD_SOCKET + 1);
    if (!order->desc->may_outlive)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_NOT_STARTED); // the parent ended before the line above
    const bool is_ready = !order->desc->is_group || setpgid(0, 0) == 0;
    if (is_ready && failure_pipe >= 0 && place_descriptors(order)) {
        char *const *const arguments = (char *const *)(uintptr_t)order->desc->arguments;
        char *const *const environment =
            order->desc->environment ? (char *const *)(uintptr_t)order->desc->environment : environ;
        reset_signals();
        if (order->desc->searches_path)
            execvpe(arguments[0], arguments, environment);
        else
            execve(arguments[0], arguments, environment);
    }
    const int failure = errno;
    const int pipe = failure_pipe >= 0 ? failure_pipe : report;
    const ssize_t written =
        write(pipe, &failure, sizeof(failure)); // fails when the parent has ended
    _exit(written > 0 ? EXIT_NOT_STARTED : EXIT_NOT_STARTED - 1);
}

// --- The starter thread --------------------------------------------------------------------------

// vfork makes this thread wait until the child runs the program, and copies no page tables.
static pid_t fork_program(const start_order *order, int report) {
    const pid_t parent = getpid();
    const pid_t pid = vfork();
    if (pid == 0)
        become_program(order, report, parent);
    return pid;
}

static void start_program(start_order *order) {
    int report[2];
    order->pid = -1;
    if (pipe2(report, O_CLOEXEC) != 0) {
        order->failure = errno;
        return;
    }
    // No handler may run in the child while it shares our memory.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = fork_program(order, report[1]);
    order->failure = pid < 0 ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(report[1]);
    int failure = 0;
    ssize_t got = 0;
    do {
        got = read(report[0], &failure, sizeof(failure));
    } while (got < 0 && errno == EINTR);
    close(report[0]);
    if (pid > 0 && got == (ssize_t)sizeof(failure)) {
        order->failure = failure;
        waitpid(pid, NULL, 0);
    }
    order->pid = pid;
}

static void *run_starter(void *unused) {
    (void)unused;
    ct_thread_set_name("process starter");
    pthread_mutex_lock(&starter_lock);
    for (;;) {
        while (!waiting_order)
            pthread_cond_wait(&starter_changed, &starter_lock);
        start_program(waiting_order);
        waiting_order->done = true;
        waiting_order = NULL;
        pthread_cond_broadcast(&starter_changed);
    }
    return NULL;
}

static void run_starter_once(void) {
    if (starter_process == getpid())
        return;
    // After a fork, orders of threads of the other process do not belong to this one.
    starter_changed = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    waiting_order = NULL;
    pthread_t thread;
    const int result = pthread_create(&thread, NULL, run_starter, NULL);
    CT_REQUIRE(result == 0, "cannot start the process starter: %s", strerrordesc_np(result));
    pthread_detach(thread);
    starter_process = getpid();
}

static void give_order(start_order *order) {
    pthread_mutex_lock(&starter_lock);
    run_starter_once();
    while (waiting_order)
        pthread_cond_wait(&starter_changed, &starter_lock);
    waiting_order = order;
    pthread_cond_broadcast(&starter_changed);
    while (!order->done)
        pthread_cond_wait(&starter_changed, &starter_lock);
    pthread_mutex_unlock(&starter_lock);
}

// --- The interface -------------------------------------------------------------------------------

// Makes the pairs of sockets that `desc` asks for: ours and the child's ends. What is not asked for
// stays -1. Returns false with errno.
static bool make_pairs(const ct_process_desc *desc, int pairs[3][2]) {
    for (uint32_t i = 0; i < 3; ++i) {
        pairs[i][0] = pairs[i][1] = -1;
        const bool is_asked = i == 0 ? desc->socket != NULL : desc->outputs != NULL;
        if (is_asked && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pairs[i]) != 0)
            return false;
    }
    return true;
}

static void close_ends(int pairs[3][2], uint32_t end) {
    for (uint32_t i = 0; i < 3; ++i) {
        if (pairs[i][end] >= 0)
            close(pairs[i][end]);
        pairs[i][end] = -1;
    }
}

ct_process ct_process_start(const ct_process_desc *desc, ct_error *error) {
    CT_ASSERT(desc->arguments && desc->arguments[0], "a process needs a program%s", "");
    int pairs[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
    if (!make_pairs(desc, pairs)) {
        ct_os_linux_error(error, "make a socket pair for", desc->arguments[0]);
        close_ends(pairs, 0);
        close_ends(pairs, 1);
        return (ct_process){0};
    }
    start_order order = {
        .desc = desc, .child_socket = pairs[0][1], .child_outputs = {pairs[1][1], pairs[2][1]}};
    give_order(&order);
    close_ends(pairs, 1);
    if (order.failure != 0) {
        close_ends(pairs, 0);
        errno = order.failure;
        ct_os_linux_error(error, "start", desc->arguments[0]);
        return (ct_process){0};
    }
    if (desc->socket)
        *desc->socket = pairs[0][0];
    for (uint32_t i = 0; desc->outputs && i < 2; ++i) {
        desc->outputs[i] = pairs[1 + i][0];
        ct_socket_set_blocking(desc->outputs[i], false);
    }
    return (ct_process){.pid = order.pid};
}

static int exit_code_of(int status) {
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

// Takes the exit code; false when the process still runs and `options` say not to wait.
static bool take_exit_code(ct_process process, int options, int *exit_code) {
    int status = 0;
    pid_t ended = 0;
    do {
        ended = waitpid((pid_t)process.pid, &status, options);
    } while (ended < 0 && errno == EINTR);
    CT_ASSERT(ended >= 0, "process %lld is not a child of this process, or was already waited for",
              (long long)process.pid);
    if (ended > 0)
        *exit_code = exit_code_of(status);
    return ended > 0;
}

int ct_process_wait(ct_process process) {
    int exit_code = 0;
    take_exit_code(process, 0, &exit_code);
    return exit_code;
}

bool ct_process_wait_for(ct_process process, uint64_t timeout_ns, int *exit_code) {
    CT_ASSERT(process.pid > 0, "cannot wait: %lld is not a process id", (long long)process.pid);
    const uint64_t deadline = ct_os_linux_deadline(timeout_ns);
    const int ended = pidfd_open((pid_t)process.pid, 0);
    if (ended >= 0) {
        ct_os_linux_wait_readable(ended, deadline);
        close(ended);
        return take_exit_code(process, WNOHANG, exit_code);
    }
    // Sandboxes without pidfd.
    while (!take_exit_code(process, WNOHANG, exit_code)) {
        if (ct_os_time_ns() >= deadline)
            return false;
        ct_os_sleep_ns(1000000);
    }
    return true;
}

void ct_process_kill(ct_process process) {
    CT_ASSERT(process.pid > 0, "cannot kill: %lld is not a process id", (long long)process.pid);
    kill((pid_t)process.pid, SIGKILL);
}

void ct_process_kill_group(ct_process process) {
    CT_ASSERT(process.pid > 1, "cannot kill: %lld is not a process id", (long long)process.pid);
    kill((pid_t)-process.pid, SIGKILL);
}

void ct_process_interrupt_group(ct_process process) {
    CT_ASSERT(process.pid > 1, "cannot interrupt: %lld is not a process id",
              (long long)process.pid);
    kill((pid_t)-process.pid, SIGINT);
}

bool ct_os_process_exists(int64_t pid) {
    return pid > 0 && pid <= INT32_MAX && (kill((pid_t)pid, 0) == 0 || errno == EPERM);
}
