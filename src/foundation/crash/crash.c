#include "foundation/crash/crash.h"
#include "foundation/crash/crash_build_id.h"
#include "foundation/crash/crash_frames.h"
#include "foundation/crash/crash_helper.h"
#include "foundation/crash/crash_hooks.h"
#include "foundation/crash/crash_log.h"
#include "foundation/crash/crash_peek.h"
#include "foundation/crash/crash_record.h"
#include "foundation/error.h"
#include "foundation/log.h"

// Only this process's own stack is walked, which is the fast kind of libunwind.
#define UNW_LOCAL_ONLY
#include <errno.h>
#include <libunwind.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// Time limits. The watchdog covers the whole report, with all waiting in it.
enum { HELPER_LIMIT_MS = 1800, LATE_HELPER_LIMIT_MS = 700, WATCHDOG_MS = 2800 };

// From task.h; programs that run no tasks need not contain it.
__attribute__((weak)) const char *ct_task_current_name(void);

// Why the program ends.
typedef struct crash_event {
    int signal;            // the signal that will end it
    const siginfo_t *info; // NULL: no signal came, the program found the bug itself
    void *context;         // unw_context_t; for a signal, that of the interrupted code
    uint32_t skip_frames;
    const char *title, *message, *file; // without a signal
    int line;
} crash_event;

// --- Where reports go ----------------------------------------------------------------------------

static pthread_mutex_t output_lock = PTHREAD_MUTEX_INITIALIZER; // for changes
static char report_file[CT_CRASH_PATH_BYTES];
static _Atomic int consoles[CT_CRASH_MAX_CONSOLES]; // socket + 1; 0: free

void ct_crash_set_report_file(const char *path) {
    char absolute[CT_CRASH_PATH_BYTES];
    ct_crash_text t = ct_crash_text_over(absolute, sizeof(absolute));
    if (path && path[0] != '/' && getcwd(absolute, sizeof(absolute))) {
        t.length = (uint32_t)strlen(absolute);
        ct_crash_text_add(&t, "/");
    }
    ct_crash_text_add(&t, path ? path : "");
    pthread_mutex_lock(&output_lock);
    memcpy(report_file, absolute, sizeof(report_file));
    pthread_mutex_unlock(&output_lock);
}

void ct_crash_add_console(int socket) {
    _Atomic int *free_slot = NULL;
    bool is_known = false;
    pthread_mutex_lock(&output_lock);
    for (uint32_t i = 0; i < CT_CRASH_MAX_CONSOLES; ++i) {
        const int value = atomic_load(&consoles[i]);
        is_known = is_known || value == socket + 1;
        free_slot = value == 0 && !free_slot ? &consoles[i] : free_slot;
    }
    if (!is_known && free_slot)
        atomic_store(free_slot, socket + 1);
    pthread_mutex_unlock(&output_lock);
}

void ct_crash_remove_console(int socket) {
    pthread_mutex_lock(&output_lock);
    for (uint32_t i = 0; i < CT_CRASH_MAX_CONSOLES; ++i)
        if (atomic_load(&consoles[i]) == socket + 1)
            atomic_store(&consoles[i], 0);
    pthread_mutex_unlock(&output_lock);
}

static ct_crash_output current_output(const ct_crash_record *r) {
    ct_crash_output out = {.standard_error = STDERR_FILENO, .report_file = r->report_file};
    for (uint32_t i = 0; i < CT_CRASH_MAX_CONSOLES; ++i) {
        const int value = atomic_load(&consoles[i]);
        if (value != 0)
            out.consoles[out.num_consoles++] = value - 1;
    }
    return out;
}

// --- One report ----------------------------------------------------------------------------------

// The thread that reports, or 0. It ends the process.
static _Atomic uint64_t reporting_thread;
static int ending_signal; // the signal that ends the process
static bool has_handlers; // for the fatal signals
static ct_crash_record *record;
static ct_crash_text head, tail; // write to the record's buffers

// Where to go on after a step of the report failed.
static sigjmp_buf next_step;
static volatile sig_atomic_t is_in_step;

_Noreturn static void die(int number) {
    if (!has_handlers && number == SIGABRT) {
        // The handler may belong to a test or a fuzzer, and may take any time.
        setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
        abort();
    }
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    signal(number, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    kill(getpid(), number);
    // Some thread gets it at once, or this one at the latest after its other signals.
    nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    _exit(128 + number);
}

_Noreturn static void wait_for_the_end(void) {
    for (;;)
        nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
}

// Lets the first thread report, and holds the others until the process ends. A thread that enters
// a second time has failed while reporting.
static void enter_report(int number) {
    const uint64_t self = (uint64_t)pthread_self();
    uint64_t other = 0;
    if (atomic_compare_exchange_strong(&reporting_thread, &other, self)) {
        ending_signal = number;
        return;
    }
    if (other == self && is_in_step)
        siglongjmp(next_step, 1);
    if (other == self)
        die(ending_signal);
    wait_for_the_end();
}

// Runs one step of the report; the lines it added before a failure stay.
static bool run_step(bool (*step)(const crash_event *e), const crash_event *e) {
    volatile bool is_more = true;
    if (sigsetjmp(next_step, 0) == 0) {
        is_in_step = 1;
        is_more = step(e);
    } else {
        is_in_step = 0;
        ct_crash_text_add(&tail, "(a part of this report failed)\n");
    }
    is_in_step = 0;
    return is_more;
}

static void write_raw(char *bytes) {
    ct_crash_text t = ct_crash_text_over(bytes, CT_CRASH_REPORT_BYTES);
    ct_crash_record_format(record, NULL, &t);
    const ct_crash_output out = current_output(record);
    ct_crash_write_output(&out, t.bytes, t.length);
}

// The report did not end in time: some lock is held for ever.
static void handle_watchdog(int number) {
    static char bytes[CT_CRASH_REPORT_BYTES]; // the report's own buffer may be half full
    (void)number;
    if (ct_crash_record_claim(record)) {
        write_raw(bytes);
        ct_crash_helper_end();
    }
    die(ending_signal);
}

static void start_watchdog(void) {
    const struct sigaction action = {.sa_handler = handle_watchdog};
    const struct itimerval timer = {
        .it_value = {.tv_sec = WATCHDOG_MS / 1000, .tv_usec = WATCHDOG_MS % 1000 * 1000}};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    sigaction(SIGALRM, &action, NULL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
    signal(SIGPIPE, SIG_IGN);
}

// --- The steps of a report -----------------------------------------------------------------------

static bool add_contexts(const crash_event *e) {
    (void)e;
    uint32_t count = 0;
    const ct_error_context *const contexts = ct_error_contexts(&count);
    for (uint32_t i = 0; i < count; ++i) {
        ct_crash_text_add(&head, "When ");
        ct_crash_text_add_peeked(&head, contexts[i].what, 128);
        ct_crash_text_add(&head, ": ");
        ct_crash_text_add_peeked(&head, contexts[i].name, 512);
        ct_crash_text_add(&head, "\n");
    }
    const uint32_t lost = ct_error_context_depth() - count;
    if (lost > 0) {
        ct_crash_text_add(&head, "When in ");
        ct_crash_text_add_number(&head, lost);
        ct_crash_text_add(&head, " more contexts\n");
    }
    return false;
}

static const char *signal_meaning(int number) {
    switch (number) {
    case SIGSEGV:
        return "Segmentation fault";
    case SIGBUS:
        return "Bus error";
    case SIGFPE:
        return "Arithmetic exception";
    case SIGILL:
        return "Illegal instruction";
    default:
        return "Aborted";
    }
}

static void add_signal(const crash_event *e) {
    const uint64_t address = (uint64_t)(uintptr_t)e->info->si_addr;
    const bool is_memory = e->signal == SIGSEGV || e->signal == SIGBUS;
    const bool is_overflow =
        e->signal == SIGSEGV && ct_crash_is_stack_overflow(e->context, address);
    ct_crash_text_add(&head, is_overflow ? "Stack overflow" : signal_meaning(e->signal));
    // Positive codes come from the kernel, which knows the address; others from the sender.
    if (e->info->si_code > 0 && e->signal != SIGABRT) {
        ct_crash_text_add(&head, is_memory ? " at address " : " in the instruction at ");
        ct_crash_text_add_hex(&head, address);
    } else if (e->info->si_pid != getpid() && e->info->si_code <= 0) {
        ct_crash_text_add(&head, ", sent by process ");
        ct_crash_text_add_number(&head, (uint64_t)e->info->si_pid);
    }
    ct_crash_text_add(&head, "\n");
}

static bool add_event(const crash_event *e) {
    if (e->info) {
        add_signal(e);
        return false;
    }
    ct_crash_text_add(&head, e->title);
    ct_crash_text_add(&head, "\n");
    ct_crash_text_add_indented(&head, e->message, "    ");
    if (e->file) {
        ct_crash_text_add(&head, "    In ");
        ct_crash_text_add(&head, e->file);
        ct_crash_text_add(&head, ":");
        ct_crash_text_add_number(&head, (uint64_t)e->line);
        ct_crash_text_add(&head, "\n");
    }
    return false;
}

static bool add_frames(const crash_event *e) {
    if (e->info)
        ct_crash_frames_of_signal(&record->frames, e->context);
    else
        ct_crash_frames_of_context(&record->frames, e->context, e->skip_frames);
    return false;
}

static bool add_thread(const crash_event *e) {
    (void)e;
    char name[16] = "";
    prctl(PR_GET_NAME, name);
    ct_crash_text_add(&tail, "Thread: ");
    ct_crash_text_add(&tail, gettid() == getpid() ? "main" : name);
    ct_crash_text_add(&tail, " (");
    ct_crash_text_add_number(&tail, (uint64_t)gettid());
    ct_crash_text_add(&tail, ")\n");
    const char *const task = ct_task_current_name ? ct_task_current_name() : NULL;
    if (task) {
        ct_crash_text_add(&tail, "Task: ");
        ct_crash_text_add_peeked(&tail, task, 128);
        ct_crash_text_add(&tail, "\n");
    }
    return false;
}

static bool add_lines(const crash_event *e) {
    (void)e;
    ct_crash_lines_append(&tail);
    return false;
}

static bool add_hook(const crash_event *e) {
    (void)e;
    return ct_crash_hooks_append_next(&tail);
}

static bool add_log(const crash_event *e) {
    (void)e;
    const uint32_t before = tail.length;
    ct_crash_text_add(&tail, "Last log lines:\n");
    if (ct_crash_log_append(&tail, "    ") == 0)
        tail.length = before;
    tail.bytes[tail.length] = 0;
    return false;
}

static bool add_build(const crash_event *e) {
    if (!ct_crash_build_id()[0] && !e->info)
        ct_crash_build_id_find(); // without ct_crash_init; safe, as there was no signal
    char program[1024];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof(program));
    ct_crash_text_add(&tail, "Program: ");
    ct_crash_text_add_bytes(&tail, program, length > 0 ? (uint32_t)length : 0);
    ct_crash_text_add(&tail, ", process ");
    ct_crash_text_add_number(&tail, (uint64_t)getpid());
    ct_crash_text_add(&tail, "\nVersion: " CT_VERSION_STRING " " CT_BUILD_NAME ", build id ");
    const char *const id = ct_crash_build_id();
    ct_crash_text_add(&tail, id[0] ? id : "unknown");
    ct_crash_text_add(&tail, "\n");
    return false;
}

// --- The report ----------------------------------------------------------------------------------

static void start_record(void) {
    static ct_crash_record own; // when there is no shared one
    record = ct_crash_helper_record();
    record = record ? record : &own;
    record->pid = getpid();
    ct_crash_peek_init();
    memcpy(record->report_file, report_file, sizeof(report_file));
    head = ct_crash_text_over(record->head, sizeof(record->head));
    tail = ct_crash_text_over(record->tail, sizeof(record->tail));
}

static void fill_record(const crash_event *e) {
    static bool (*const steps[])(const crash_event *) = {
        add_contexts, add_event, add_frames, add_thread, add_lines, add_hook, add_log, add_build,
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(steps); ++i) {
        while (run_step(steps[i], e) && steps[i] == add_hook) {
        }
    }
}

// Without a helper. A program that found its bug itself and never had a helper may try to find
// symbols: the watchdog ends that when the heap is locked.
static void write_report_here(const crash_event *e) {
    static char bytes[CT_CRASH_REPORT_BYTES];
    if (e->info || ct_crash_helper_record()) {
        ct_crash_record_claim(record); // its owner is gone
        write_raw(bytes);
        return;
    }
    ct_crash_text t = ct_crash_text_over(bytes, sizeof(bytes));
    ct_crash_record_format(record, ct_crash_symbols_open(record->pid), &t);
    const ct_crash_output out = current_output(record);
    if (ct_crash_record_claim(record))
        ct_crash_write_output(&out, t.bytes, t.length);
}

_Noreturn static void report(const crash_event *e) {
    start_record();
    start_watchdog();
    fill_record(e);
    const ct_crash_output out = current_output(record);
    ct_crash_helper_result result = ct_crash_helper_report(&out, HELPER_LIMIT_MS);
    const bool is_late = result == CT_CRASH_HELPER_RESULT_LATE;
    const bool is_writing = is_late && !ct_crash_record_claim(record);
    if (is_writing)
        result = ct_crash_helper_wait(LATE_HELPER_LIMIT_MS);
    else if (result != CT_CRASH_HELPER_RESULT_DONE)
        write_report_here(e);
    // A helper that is still writing may go on: the reader of standard error may be slow.
    if (result != CT_CRASH_HELPER_RESULT_LATE || !is_writing)
        ct_crash_helper_end();
    die(e->signal);
}

_Noreturn void ct_crash_end(const char *title, const char *message, const char *file, int line,
                            uint32_t skip_frames) {
    enter_report(SIGABRT);
    unw_context_t context;
    unw_getcontext(&context);
    const crash_event e = {.signal = SIGABRT,
                           .context = &context,
                           .skip_frames = skip_frames + 1,
                           .title = title,
                           .message = message,
                           .file = file,
                           .line = line};
    report(&e);
}

// --- Signals -------------------------------------------------------------------------------------

#ifdef CT_SANITIZE

static void install_handlers(void) {}

#else

static void handle_signal(int number, siginfo_t *info, void *context) {
    enter_report(number);
    const crash_event e = {.signal = number, .info = info, .context = context};
    report(&e);
}

static void install_handlers(void) {
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    static char signal_stack[65536];
    const stack_t stack = {.ss_sp = signal_stack, .ss_size = sizeof(signal_stack)};
    sigaltstack(&stack, NULL);
    // NODEFER: a failure in the report enters here again, and that part is left out.
    const struct sigaction action = {.sa_sigaction = handle_signal,
                                     .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    for (uint32_t i = 0; i < CT_COUNT_OF(fatal); ++i)
        sigaction(fatal[i], &action, NULL);
    has_handlers = true;
}

#endif

// --- Start ---------------------------------------------------------------------------------------

// Lets a report of another thread finish before the program ends.
static void end_at_exit(void) {
    if (atomic_load(&reporting_thread) != 0)
        wait_for_the_end();
    ct_crash_helper_end();
}

#ifdef CT_BUILD_PLAYER

// There are no symbols to find.
static void start_helper(void) {}

#else

static void start_helper(void) {
    if (!ct_crash_helper_start())
        ct_log_warning("crash", "no_crash_helper",
                       "cannot start the crash report process: reports will have no symbols (%s)",
                       strerrordesc_np(errno));
}

#endif

void ct_crash_init(void) {
    CT_ASSERT(ct_crash_helper_pid() == 0, "ct_crash_init was called twice (helper %d)",
              (int)ct_crash_helper_pid());
    ct_crash_build_id_find();
    start_helper();
    atexit(end_at_exit);
    install_handlers();
}
