#include "foundation/crash.h"
#include "foundation/crash_symbols.h"
#include "foundation/error.h"

// Only this process's own stack is walked, which is the fast kind of libunwind.
#define UNW_LOCAL_ONLY
#include <errno.h>
#include <libunwind.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAX_FRAMES = 64, REPORT_BYTES = 32768 };

static void write_standard_error(const char *bytes, size_t length) {
    while (length > 0) {
        const ssize_t written = write(STDERR_FILENO, bytes, length);
        if (written < 0 && errno != EINTR)
            return; // nobody is left to tell
        if (written > 0) {
            bytes += written;
            length -= (size_t)written;
        }
    }
}

// Writes the text to standard error and empties it.
static void flush(ct_crash_text *t) {
    write_standard_error(t->bytes, t->length);
    t->length = 0;
    t->bytes[0] = 0;
}

// --- Frames --------------------------------------------------------------------------------------

// Collects the addresses of the calls on a stack, innermost first; returns how many.
static uint32_t collect_frames(unw_context_t *context, int flags, uint32_t skip,
                               uint64_t frames[MAX_FRAMES]) {
    unw_cursor_t cursor;
    if (unw_init_local2(&cursor, context, flags) != 0)
        return 0;
    uint32_t count = 0;
    do {
        unw_word_t address = 0;
        if (unw_get_reg(&cursor, UNW_REG_IP, &address) != 0 || address == 0)
            break;
        if (skip > 0) {
            --skip;
            continue;
        }
        // A return address points behind the call, maybe into the next function.
        const bool is_exact = unw_is_signal_frame(&cursor) > 0 || (flags != 0 && count == 0);
        frames[count++] = is_exact ? address : address - 1;
    } while (count < MAX_FRAMES && unw_step(&cursor) > 0);
    return count;
}

static void add_call_stack(ct_crash_text *t, unw_context_t *context, uint32_t skip,
                           const char *indent) {
    uint64_t frames[MAX_FRAMES];
    const uint32_t count = collect_frames(context, 0, skip, frames);
    ct_crash_symbols *symbols = ct_crash_symbols_open(getpid());
    for (uint32_t i = 0; i < count; ++i)
        ct_crash_symbols_add_frame(t, symbols, getpid(), frames[i], indent);
    ct_crash_symbols_close(symbols);
}

void ct_crash_call_stack(char *bytes, uint32_t capacity, uint32_t skip_frames) {
    CT_ASSERT(capacity > 0, "no room for a call stack (%u bytes)", capacity);
    ct_crash_text t = ct_crash_text_over(bytes, capacity);
    bytes[0] = 0;
    unw_context_t context;
    unw_getcontext(&context);
    add_call_stack(&t, &context, skip_frames + 1, "");
}

void ct_crash_format_stack(char *bytes, uint32_t capacity, const uint64_t *frames, uint32_t count,
                           const char *indent) {
    // The modules stay open: reading them takes longer than all frames of a leak report.
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static ct_crash_symbols *symbols;
    CT_ASSERT(capacity > 0, "no room for a call stack (%u bytes)", capacity);
    pthread_mutex_lock(&lock);
    if (!symbols)
        symbols = ct_crash_symbols_open(getpid());
    ct_crash_text t = ct_crash_text_over(bytes, capacity);
    for (uint32_t i = 0; i < count; ++i)
        ct_crash_symbols_add_frame(&t, symbols, getpid(), frames[i] - 1, indent);
    pthread_mutex_unlock(&lock);
}

// --- Reports -------------------------------------------------------------------------------------

// The thread that writes a report, or 0. Reports do not mix: mostly the first ends the process.
static _Atomic uint64_t reporting_thread;

// Waits until no other thread reports. Returns false when this thread is reporting already: then it
// failed while doing so.
static bool enter_report(void) {
    const uint64_t self = (uint64_t)pthread_self();
    uint64_t other = 0;
    while (!atomic_compare_exchange_strong(&reporting_thread, &other, self)) {
        if (other == self)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        other = 0;
    }
    return true;
}

static void add_context(ct_crash_text *t, const ct_error_context *context) {
    ct_crash_text_add(t, "When ");
    ct_crash_text_add(t, context->what);
    ct_crash_text_add(t, ": ");
    ct_crash_text_add(t, context->name ? context->name : "");
    ct_crash_text_add(t, "\n");
}

// Adds this thread's contexts, outermost first. With `at_once` each line is written as soon as it
// is there: a context that does not hold any more takes only the lines after it along.
static void add_contexts(ct_crash_text *t, bool at_once) {
    uint32_t count = 0;
    const ct_error_context *contexts = ct_error_contexts(&count);
    for (uint32_t i = 0; i < count; ++i) {
        add_context(t, &contexts[i]);
        if (at_once)
            flush(t);
    }
    const uint32_t lost = ct_error_context_depth() - count;
    if (lost > 0) {
        ct_crash_text_add(t, "When in ");
        ct_crash_text_add_number(t, lost);
        ct_crash_text_add(t, " more contexts\n");
    }
}

void ct_crash_report(const char *what, uint32_t skip_frames) {
    const bool is_first = enter_report();
    char bytes[REPORT_BYTES] = "";
    ct_crash_text t = ct_crash_text_over(bytes, sizeof(bytes));
    add_contexts(&t, false);
    ct_crash_text_add(&t, what);
    if (t.length > 0 && t.bytes[t.length - 1] != '\n')
        ct_crash_text_add(&t, "\n");
    flush(&t); // before the slow and risky part
    if (!is_first)
        return;
    ct_crash_text_add(&t, "Call stack:\n");
    unw_context_t context;
    unw_getcontext(&context);
    add_call_stack(&t, &context, skip_frames + 1, "    ");
    flush(&t);
    atomic_store(&reporting_thread, 0);
}

_Noreturn void ct_crash_abort(void) {
    signal(SIGABRT, SIG_DFL);
    abort();
}

// --- Signals -------------------------------------------------------------------------------------

#ifdef CT_SANITIZE

void ct_crash_init(void) {}

#else

static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

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

static void add_signal(ct_crash_text *t, int number, const siginfo_t *info) {
    ct_crash_text_add(t, signal_meaning(number));
    // Positive codes come from the kernel, which knows the address.
    if (info->si_code > 0 && number != SIGABRT) {
        ct_crash_text_add(t, number == SIGSEGV || number == SIGBUS ? " at address "
                                                                   : " in the instruction at ");
        ct_crash_text_add_hex(t, (uint64_t)(uintptr_t)info->si_addr);
    }
    ct_crash_text_add(t, "\n");
}

// Only what is safe in a signal handler: no heap, no stdio, no locks but the loader's.
static void report_signal(int number, const siginfo_t *info, void *machine_context) {
    static char bytes[REPORT_BYTES];
    ct_crash_text t = ct_crash_text_over(bytes, sizeof(bytes));
    add_contexts(&t, true);
    add_signal(&t, number, info);
    ct_crash_text_add(&t, "Call stack:\n");
    flush(&t);
    static uint64_t frames[MAX_FRAMES];
    const uint32_t count =
        collect_frames((unw_context_t *)machine_context, UNW_INIT_SIGNAL_FRAME, 0, frames);
    for (uint32_t i = 0; i < count; ++i) {
        ct_crash_add_raw_frame(&t, getpid(), frames[i], "    ");
        flush(&t);
    }
}

static void handle_signal(int number, siginfo_t *info, void *machine_context) {
    // Failing inside a report is not worth another one: what it was about has been written.
    if (enter_report())
        report_signal(number, info, machine_context);
    // Ends the process as if there were no handler, once this one returns.
    signal(number, SIG_DFL);
    raise(number);
}

void ct_crash_init(void) {
    static char signal_stack[65536];
    const stack_t stack = {.ss_sp = signal_stack, .ss_size = sizeof(signal_stack)};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_sigaction = handle_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    // A fault inside the handler ends the process at once.
    for (uint32_t i = 0; i < CT_COUNT_OF(fatal_signals); ++i)
        sigaddset(&action.sa_mask, fatal_signals[i]);
    for (uint32_t i = 0; i < CT_COUNT_OF(fatal_signals); ++i)
        sigaction(fatal_signals[i], &action, NULL);
}

#endif
