// os_linux.c: time, threads, terminal.
#include "foundation/os/os_linux.h"
#include "foundation/error.h"
#include "foundation/os/os.h"
#include "foundation/profiler/profiler.h"

#include <errno.h>
#include <linux/futex.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SECOND_NS = 1000000000 };

// --- Shared by the os_linux*.c files -------------------------------------------------------------

bool ct_os_linux_error(ct_error *error, const char *verb, const char *path) {
    const char *const reason = strerrordesc_np(errno);
    return ct_error_set(error, "cannot %s %s: %s", verb, path, reason ? reason : "unknown error");
}

uint64_t ct_os_linux_deadline(uint64_t timeout_ns) {
    const uint64_t now = ct_os_time_ns();
    // Centuries from now, and still a valid timespec.
    const uint64_t end_of_time = (uint64_t)INT64_MAX;
    return timeout_ns > end_of_time - now ? end_of_time : now + timeout_ns;
}

static struct timespec timespec_of_ns(uint64_t ns) {
    return (struct timespec){.tv_sec = (time_t)(ns / SECOND_NS), .tv_nsec = (long)(ns % SECOND_NS)};
}

struct timespec ct_os_linux_left(uint64_t deadline) {
    const uint64_t now = ct_os_time_ns();
    return timespec_of_ns(deadline > now ? deadline - now : 0);
}

bool ct_os_linux_wait_readable(int file, uint64_t deadline) {
    struct pollfd wanted = {.fd = file, .events = POLLIN};
    for (;;) {
        const struct timespec left = ct_os_linux_left(deadline);
        const int ready = ppoll(&wanted, 1, &left, NULL);
        if (ready >= 0)
            return ready > 0;
        CT_REQUIRE(errno == EINTR, "poll: %s", strerrordesc_np(errno));
    }
}

// --- Time ----------------------------------------------------------------------------------------

static int64_t clock_ns(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * SECOND_NS + t.tv_nsec;
}

uint64_t ct_os_time_ns(void) {
    return (uint64_t)clock_ns(CLOCK_MONOTONIC);
}

int64_t ct_os_wall_time_ns(void) {
    return clock_ns(CLOCK_REALTIME);
}

void ct_os_sleep_ns(uint64_t ns) {
    const struct timespec until = timespec_of_ns(ct_os_linux_deadline(ns));
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) {
    }
}

// --- Threads -------------------------------------------------------------------------------------

_Static_assert(sizeof(pthread_t) <= sizeof(((ct_thread *)0)->handle), "a thread id must fit");
_Static_assert(sizeof(pthread_mutex_t) <= sizeof(ct_mutex), "ct_mutex must hold a pthread_mutex_t");
_Static_assert(sizeof(pthread_cond_t) <= sizeof(ct_condition),
               "ct_condition must hold a pthread_cond_t");
_Static_assert(_Alignof(pthread_mutex_t) <= _Alignof(ct_mutex), "alignment of ct_mutex");
_Static_assert(_Alignof(pthread_cond_t) <= _Alignof(ct_condition), "alignment of ct_condition");

// The data of a new thread, on the stack of its starter, which waits until it was read.
typedef struct thread_start {
    const char *name;
    void (*run)(void *data);
    void *data;
    sem_t taken;
} thread_start;

#ifdef CT_SANITIZE
static void run_with_signal_stack(void (*run)(void *data), void *data) {
    run(data);
}
#else
// The alternate signal stack (crash.h) of a thread is at the bottom of the thread's own stack; an
// overflow, at the other end, leaves it intact.
static void run_with_signal_stack(void (*run)(void *data), void *data) {
    char signal_stack[65536];
    const stack_t use = {.ss_sp = signal_stack, .ss_size = sizeof(signal_stack)};
    const stack_t none = {.ss_flags = SS_DISABLE};
    sigaltstack(&use, NULL);
    run(data);
    sigaltstack(&none, NULL);
}
#endif

void *ct_thread_use_c_locale(void) {
    // That of C is the library's own, not a new one to free.
    return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

void ct_thread_restore_locale(void *locale) {
    uselocale(locale);
}

static void *run_thread(void *argument) {
    thread_start *start = argument;
    void (*const run)(void *) = start->run;
    void *const data = start->data;
    ct_thread_set_name(start->name);
    ct_thread_use_c_locale();
    sem_post(&start->taken);
    run_with_signal_stack(run, data);
    return NULL;
}

ct_thread ct_thread_start(const char *name, void (*run)(void *data), void *data) {
    thread_start start = {.name = name, .run = run, .data = data};
    sem_init(&start.taken, 0, 0);
    pthread_t thread;
    const int result = pthread_create(&thread, NULL, run_thread, &start);
    CT_REQUIRE(result == 0, "cannot start thread %s: %s", name, strerrordesc_np(result));
    while (sem_wait(&start.taken) != 0) {
    }
    sem_destroy(&start.taken);
    return (ct_thread){.handle = (uint64_t)thread};
}

void ct_thread_join(ct_thread thread) {
    const int result = pthread_join((pthread_t)thread.handle, NULL);
    CT_REQUIRE(result == 0, "cannot join a thread: %s", strerrordesc_np(result));
}

void ct_thread_set_name(const char *name) {
    char cut[16] = {0};
    strncpy(cut, name, sizeof(cut) - 1);
    pthread_setname_np(pthread_self(), cut);
    ct_profiler_name_thread(cut);
}

void ct_thread_yield(void) {
    sched_yield();
}

uint64_t ct_thread_current_id(void) {
    return (uint64_t)pthread_self();
}

uint32_t ct_os_core_count(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) == 0)
        return (uint32_t)CPU_COUNT(&set);
    const long online = sysconf(_SC_NPROCESSORS_ONLN); // more cores than a cpu_set_t has bits
    return online < 1 ? 1 : (uint32_t)online;
}

uint32_t ct_os_current_core(void) {
    const int core = sched_getcpu();
    return core < 0 ? 0 : (uint32_t)core;
}

_Static_assert(sizeof(cpu_set_t) == sizeof(ct_core_set), "a core has a bit");

int64_t ct_thread_system_id(void) {
    return gettid();
}

ct_core_set ct_thread_cores(void) {
    ct_core_set cores = {0};
    // The machine has more cores than the set has bits; an empty set means unknown.
    if (sched_getaffinity(0, sizeof(cores), (cpu_set_t *)&cores) != 0)
        return (ct_core_set){0};
    return cores;
}

void ct_thread_set_cores(int64_t system_id, const ct_core_set *cores) {
    sched_setaffinity((pid_t)system_id, sizeof(*cores), (const cpu_set_t *)cores);
}

static int interrupt_signal(void) {
    return SIGRTMIN + 4;
}

static void make_call(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)context;
    const int kept = errno;
    const ct_thread_call *const call = info->si_value.sival_ptr;
    if (info->si_code == SI_QUEUE && info->si_pid == getpid())
        call->function(call->data);
    errno = kept;
}

static void take_interrupts(void) {
    const struct sigaction action = {.sa_sigaction = make_call,
                                     .sa_flags = SA_SIGINFO | SA_RESTART};
    sigaction(interrupt_signal(), &action, NULL);
}

void ct_thread_interrupt(int64_t system_id, const ct_thread_call *call) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, take_interrupts);
    siginfo_t info = {.si_signo = interrupt_signal(), .si_code = SI_QUEUE};
    info.si_pid = getpid();
    info.si_uid = getuid();
    info.si_value.sival_ptr = (void *)(uintptr_t)call;
    syscall(SYS_rt_tgsigqueueinfo, info.si_pid, (pid_t)system_id, info.si_signo, &info);
}

void ct_thread_raise_profiling_signal(void) {
    struct sigaction action;
    if (sigaction(SIGPROF, NULL, &action) == 0 && action.sa_handler != SIG_DFL)
        raise(SIGPROF);
}

static pthread_mutex_t *posix_mutex(ct_mutex *m) {
    return (pthread_mutex_t *)m->storage;
}

static pthread_cond_t *posix_condition(ct_condition *c) {
    return (pthread_cond_t *)c->storage;
}

void ct_mutex_init(ct_mutex *m) {
    const int result = pthread_mutex_init(posix_mutex(m), NULL);
    CT_REQUIRE(result == 0, "pthread_mutex_init: %s", strerrordesc_np(result));
}

void ct_mutex_shutdown(ct_mutex *m) {
    const int result = pthread_mutex_destroy(posix_mutex(m));
    CT_REQUIRE(result == 0, "cannot destroy a mutex, which may be locked: %s",
               strerrordesc_np(result));
}

void ct_mutex_lock(ct_mutex *m) {
    if (pthread_mutex_trylock(posix_mutex(m)) == 0)
        return;
    CT_PROFILER_SCOPE("wait for lock");
    const int result = pthread_mutex_lock(posix_mutex(m));
    CT_REQUIRE(result == 0, "pthread_mutex_lock: %s", strerrordesc_np(result));
}

void ct_mutex_unlock(ct_mutex *m) {
    const int result = pthread_mutex_unlock(posix_mutex(m));
    CT_REQUIRE(result == 0, "pthread_mutex_unlock: %s", strerrordesc_np(result));
}

void ct_condition_init(ct_condition *c) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    const int result = pthread_cond_init(posix_condition(c), &attributes);
    pthread_condattr_destroy(&attributes);
    CT_REQUIRE(result == 0, "pthread_cond_init: %s", strerrordesc_np(result));
}

void ct_condition_shutdown(ct_condition *c) {
    pthread_cond_destroy(posix_condition(c));
}

void ct_condition_wait(ct_condition *c, ct_mutex *m) {
    pthread_cond_wait(posix_condition(c), posix_mutex(m));
}

bool ct_condition_wait_for(ct_condition *c, ct_mutex *m, uint64_t timeout_ns) {
    const struct timespec until = timespec_of_ns(ct_os_linux_deadline(timeout_ns));
    return pthread_cond_timedwait(posix_condition(c), posix_mutex(m), &until) != ETIMEDOUT;
}

void ct_condition_signal(ct_condition *c) {
    pthread_cond_signal(posix_condition(c));
}

void ct_condition_broadcast(ct_condition *c) {
    pthread_cond_broadcast(posix_condition(c));
}

void ct_os_futex_wait(_Atomic uint32_t *word, uint32_t expected) {
    const long result = syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
    CT_REQUIRE(result == 0 || errno == EAGAIN || errno == EINTR, "futex: %s",
               strerrordesc_np(errno));
}

void ct_os_futex_wake(_Atomic uint32_t *word, uint32_t count) {
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

// --- Terminal, environment, process --------------------------------------------------------------

bool ct_os_is_terminal(int stream) {
    return isatty(stream) == 1;
}

const char *ct_os_environment(const char *name) {
    return getenv(name);
}

void ct_os_machine_name(char *name) {
    if (gethostname(name, CT_OS_MACHINE_NAME_BYTES - 1) != 0)
        name[0] = 0;
    name[CT_OS_MACHINE_NAME_BYTES - 1] = 0;
}

const char *const *ct_os_environment_list(void) {
    return (const char *const *)(uintptr_t)environ;
}

int64_t ct_os_process_id(void) {
    return getpid();
}

void ct_os_random_bytes(void *bytes, uint64_t size_bytes) {
    char *next = bytes;
    while (size_bytes > 0) {
        const ssize_t got = getrandom(next, size_bytes, 0);
        CT_REQUIRE(got > 0 || errno == EINTR, "getrandom: %s", strerrordesc_np(errno));
        if (got <= 0)
            continue;
        next += got;
        size_bytes -= (uint64_t)got;
    }
}
