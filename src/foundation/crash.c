#include "foundation/crash.h"
#include "foundation/error.h"

// Only this process's own stack is walked, which is the fast kind of libunwind.
#define UNW_LOCAL_ONLY
#include <dlfcn.h>
#include <elfutils/libdwfl.h>
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

// --- Text that is built without the heap ---------------------------------------------------------

// A buffer that is filled piece by piece and always zero-terminated; what does not fit is cut.
typedef struct text {
    char *bytes;
    size_t capacity, length;
} text;

static void add(text *t, const char *piece) {
    const size_t room = t->capacity - t->length - 1;
    const size_t wanted = strlen(piece);
    const size_t length = wanted < room ? wanted : room;
    memcpy(t->bytes + t->length, piece, length);
    t->length += length;
    t->bytes[t->length] = 0;
}

static void add_number(text *t, uint64_t value, uint32_t base) {
    char digits[24];
    char *p = digits + sizeof(digits) - 1;
    *p = 0;
    do {
        *--p = "0123456789abcdef"[value % base];
        value /= base;
    } while (value);
    add(t, p);
}

static void add_hex(text *t, uint64_t value) {
    add(t, "0x");
    add_number(t, value, 16);
}

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
static void flush(text *t) {
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

// Adds `module+0xoffset`, as addr2line takes it. No heap.
static void add_raw_frame(text *t, uint64_t address) {
    Dl_info info;
    if (dladdr((const void *)(uintptr_t)address, &info) == 0 || !info.dli_fname) {
        add_hex(t, address);
        return;
    }
    add(t, info.dli_fname);
    add(t, "+");
    add_hex(t, address - (uint64_t)(uintptr_t)info.dli_fbase);
}

// --- Symbols -------------------------------------------------------------------------------------

// Our own files carry their debug information; looking for that of others may ask the network.
static int find_no_debug_file(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                              const char *file, const char *link, GElf_Word checksum,
                              char **found) {
    (void)module, (void)user, (void)name, (void)base, (void)file, (void)link, (void)checksum;
    (void)found;
    return -1;
}

static const Dwfl_Callbacks dwfl_callbacks = {
    .find_elf = dwfl_linux_proc_find_elf,
    .find_debuginfo = find_no_debug_file,
};

// Reads the list of loaded modules; NULL when that fails.
static Dwfl *open_modules(void) {
    Dwfl *dwfl = dwfl_begin(&dwfl_callbacks);
    if (!dwfl)
        return NULL;
    if (dwfl_linux_proc_report(dwfl, getpid()) == 0 && dwfl_report_end(dwfl, NULL, NULL) == 0)
        return dwfl;
    dwfl_end(dwfl);
    return NULL;
}

// Adds `function (file:line)`, or what is known of it.
static void add_frame(text *t, Dwfl *dwfl, uint64_t address) {
    Dwfl_Module *module = dwfl ? dwfl_addrmodule(dwfl, address) : NULL;
    const char *function = module ? dwfl_module_addrname(module, address) : NULL;
    if (!function) {
        add_raw_frame(t, address);
        return;
    }
    add(t, function);
    Dwfl_Line *line = dwfl_module_getsrc(module, address);
    int line_number = 0;
    const char *file = line ? dwfl_lineinfo(line, NULL, &line_number, NULL, NULL, NULL) : NULL;
    add(t, " (");
    if (file) {
        add(t, file);
        add(t, ":");
        add_number(t, (uint64_t)line_number, 10);
    } else {
        add_raw_frame(t, address);
    }
    add(t, ")");
}

static void add_call_stack(text *t, unw_context_t *context, uint32_t skip, const char *indent) {
    uint64_t frames[MAX_FRAMES];
    const uint32_t count = collect_frames(context, 0, skip, frames);
    Dwfl *dwfl = open_modules();
    for (uint32_t i = 0; i < count; ++i) {
        add(t, indent);
        add_frame(t, dwfl, frames[i]);
        add(t, "\n");
    }
    if (dwfl)
        dwfl_end(dwfl);
}

void ct_crash_call_stack(char *bytes, uint32_t capacity, uint32_t skip_frames) {
    CT_ASSERT(capacity > 0, "no room for a call stack (%u bytes)", capacity);
    text t = {.bytes = bytes, .capacity = capacity};
    bytes[0] = 0;
    unw_context_t context;
    unw_getcontext(&context);
    add_call_stack(&t, &context, skip_frames + 1, "");
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

static void add_context(text *t, const ct_error_context *context) {
    add(t, "When ");
    add(t, context->what);
    add(t, ": ");
    add(t, context->name ? context->name : "");
    add(t, "\n");
}

// Adds this thread's contexts, outermost first. With `at_once` each line is written as soon as it
// is there: a context that does not hold any more takes only the lines after it along.
static void add_contexts(text *t, bool at_once) {
    uint32_t count = 0;
    const ct_error_context *contexts = ct_error_contexts(&count);
    for (uint32_t i = 0; i < count; ++i) {
        add_context(t, &contexts[i]);
        if (at_once)
            flush(t);
    }
    const uint32_t lost = ct_error_context_depth() - count;
    if (lost > 0) {
        add(t, "When in ");
        add_number(t, lost, 10);
        add(t, " more contexts\n");
    }
}

void ct_crash_report(const char *what, uint32_t skip_frames) {
    const bool is_first = enter_report();
    char bytes[REPORT_BYTES] = "";
    text t = {.bytes = bytes, .capacity = sizeof(bytes)};
    add_contexts(&t, false);
    add(&t, what);
    if (t.length > 0 && t.bytes[t.length - 1] != '\n')
        add(&t, "\n");
    flush(&t); // before the slow and risky part
    if (!is_first)
        return;
    add(&t, "Call stack:\n");
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

static void add_signal(text *t, int number, const siginfo_t *info) {
    add(t, signal_meaning(number));
    // Positive codes come from the kernel, which knows the address.
    if (info->si_code > 0 && number != SIGABRT) {
        add(t, number == SIGSEGV || number == SIGBUS ? " at address " : " in the instruction at ");
        add_hex(t, (uint64_t)(uintptr_t)info->si_addr);
    }
    add(t, "\n");
}

// Only what is safe in a signal handler: no heap, no stdio, no locks but the loader's.
static void report_signal(int number, const siginfo_t *info, void *machine_context) {
    static char bytes[REPORT_BYTES];
    text t = {.bytes = bytes, .capacity = sizeof(bytes)};
    add_contexts(&t, true);
    add_signal(&t, number, info);
    add(&t, "Call stack:\n");
    flush(&t);
    static uint64_t frames[MAX_FRAMES];
    const uint32_t count =
        collect_frames((unw_context_t *)machine_context, UNW_INIT_SIGNAL_FRAME, 0, frames);
    for (uint32_t i = 0; i < count; ++i) {
        add(&t, "    ");
        add_raw_frame(&t, frames[i]);
        add(&t, "\n");
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
