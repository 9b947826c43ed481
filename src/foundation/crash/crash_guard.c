#include "foundation/crash/crash_guard.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "foundation/crash/crash.h"
#include "foundation/crash/crash_frames.h"
#include "foundation/log.h"
#include "foundation/os/os.h"

typedef struct guarded_call {
    sigjmp_buf back;
    int signal;                        // 0: something else ended it
    uint64_t address;                  // of a fault
    ct_crash_frames frames;            // when it ended
    char message[CT_ERROR_FILE_BYTES]; // without a signal
} guarded_call;

static _Thread_local guarded_call *current; // of this thread; NULL: none

// Only in front of the frames that are worth reading.
enum { MAX_SHOWN_FRAMES = 12, STACK_TEXT_BYTES = 640 };

static void describe(const guarded_call *g, ct_error *error) {
    char stack[STACK_TEXT_BYTES] = "";
    const uint32_t count = g->frames.count < MAX_SHOWN_FRAMES ? g->frames.count : MAX_SHOWN_FRAMES;
    if (count > 0)
        ct_crash_format_stack(stack, sizeof(stack), g->frames.addresses, count, "    ");
    if (g->signal == 0)
        ct_error_set(error, "%s", g->message);
    else if (g->signal == SIGABRT)
        ct_error_set(error, "it called abort, or threw an exception that nothing caught\n%s",
                     stack);
    else
        ct_error_set(error, "it crashed: %s at address 0x%llx\n%s", strsignal(g->signal),
                     (unsigned long long)g->address, stack);
}

// --- Signals -------------------------------------------------------------------------------------

#ifdef CT_SANITIZE

static void install_handlers(void) {}
static void restore_handlers(void) {}

#else

static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
static struct sigaction former[CT_COUNT_OF(fatal)]; // of the process
static stack_t former_stack;                        // of the thread

// A signal of another thread: as if we were not here.
static void pass_on(uint32_t index, int number, siginfo_t *info, void *context) {
    if (former[index].sa_flags & SA_SIGINFO)
        former[index].sa_sigaction(number, info, context);
    else
        sigaction(number, &former[index], NULL); // and the fault happens again
}

static void handle(int number, siginfo_t *info, void *context) {
    uint32_t index = 0;
    while (fatal[index] != number)
        ++index;
    if (!current) {
        pass_on(index, number, info, context);
        return;
    }
    current->signal = number;
    current->address = (uint64_t)(uintptr_t)info->si_addr;
    ct_crash_frames_of_signal(&current->frames, context);
    siglongjmp(current->back, 1);
}

static void install_handlers(void) {
    static char signal_stack[65536]; // for a stack that has overflown
    const stack_t stack = {.ss_sp = signal_stack, .ss_size = sizeof(signal_stack)};
    sigaltstack(&stack, &former_stack);
    const struct sigaction action = {.sa_sigaction = handle,
                                     .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    for (uint32_t i = 0; i < CT_COUNT_OF(fatal); ++i)
        sigaction(fatal[i], &action, &former[i]);
}

static void restore_handlers(void) {
    for (uint32_t i = 0; i < CT_COUNT_OF(fatal); ++i)
        sigaction(fatal[i], &former[i], NULL);
    sigaltstack(&former_stack, NULL);
}

#endif

// --- The call ------------------------------------------------------------------------------------

bool ct_crash_guard(void (*call)(void *user), void *user, ct_error *error) {
    CT_ASSERT(!current, "a guarded call inside of another");
    guarded_call g = {0};
    const uint32_t depth = ct_error_context_depth();
    install_handlers();
    const bool has_jumped = sigsetjmp(g.back, 1) != 0;
    if (!has_jumped) {
        current = &g;
        call(user);
    }
    current = NULL;
    restore_handlers();
    if (!has_jumped)
        return true;
    ct_error_context_restore(&depth);
    describe(&g, error);
    return false;
}

void ct_crash_guard_end(const char *message) {
    if (!current)
        return;
    snprintf(current->message, sizeof(current->message), "%s", message);
    siglongjmp(current->back, 1);
}

// --- The end of the process ----------------------------------------------------------------------

#ifndef CT_SANITIZE

// At other times the process ends, but the log says what has ended it.
static void report_exit(int status) {
    uint32_t count = 0;
    const ct_error_context *const contexts = ct_error_contexts(&count);
    if (count > 0)
        ct_log_error("crash", "exit_was_called", "exit(%d) was called when %s: %s", status,
                     contexts[count - 1].what, contexts[count - 1].name);
}

// Libraries that are opened at run time find these before the system's, as the program exports them:
// they must be visible (libcuttle keeps them to itself).

_Noreturn CT_EXPORTED void exit(int status) {
    if (current) {
        char text[64];
        snprintf(text, sizeof(text), "it called exit(%d)", status);
        ct_crash_guard_end(text);
    }
    report_exit(status);
    void (*system_exit)(int);
    *(void **)&system_exit = dlsym(RTLD_NEXT, "exit");
    system_exit(status);
    __builtin_unreachable();
}

_Noreturn CT_EXPORTED void _exit(int status) {
    if (current) {
        char text[64];
        snprintf(text, sizeof(text), "it called _exit(%d)", status);
        ct_crash_guard_end(text);
    }
    syscall(SYS_exit_group, status);
    __builtin_unreachable();
}

#endif
