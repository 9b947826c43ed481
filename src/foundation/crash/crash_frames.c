#include "foundation/crash/crash_frames.h"
#include "foundation/crash/crash_peek.h"

// Only this process's own stack is walked, which is the fast kind of libunwind.
#define UNW_LOCAL_ONLY
#include <libunwind.h>
#include <ucontext.h>

// Adds frames until the stack or the array ends. `first_is_exact`: the first address is that of an
// instruction, not a return address.
static void walk(ct_crash_frames *f, unw_context_t *context, int flags, bool first_is_exact,
                 uint32_t skip) {
    unw_cursor_t cursor;
    if (unw_init_local2(&cursor, context, flags) != 0)
        return;
    bool is_exact = first_is_exact;
    do {
        unw_word_t address = 0;
        if (unw_get_reg(&cursor, UNW_REG_IP, &address) != 0 || address == 0)
            return;
        if (f->count == CT_CRASH_MAX_FRAMES) {
            f->is_cut = 1;
            return;
        }
        is_exact = is_exact || unw_is_signal_frame(&cursor) > 0;
        if (skip > 0)
            --skip;
        else
            f->addresses[f->count++] = is_exact ? address : address - 1;
        is_exact = false;
    } while (unw_step(&cursor) > 0);
}

void ct_crash_frames_of_context(ct_crash_frames *f, void *context, uint32_t skip) {
    f->count = f->is_cut = 0;
    walk(f, context, 0, true, skip);
}

#ifdef __x86_64__

// Changes `context` to that of the caller when its instruction is in unreadable memory: a call
// through a bad pointer. Returns the bad address in `address`.
static bool leave_bad_call(ucontext_t *context, uint64_t *address) {
    greg_t *const registers = context->uc_mcontext.gregs;
    const greg_t instruction = registers[REG_RIP];
    char byte;
    greg_t caller;
    if (ct_crash_peek(&byte, (const void *)instruction, 1) == 1 ||
        ct_crash_peek(&caller, (const void *)registers[REG_RSP], sizeof(caller)) != sizeof(caller))
        return false;
    *address = (uint64_t)instruction;
    registers[REG_RIP] = caller;
    registers[REG_RSP] += (greg_t)sizeof(caller);
    return true;
}

#else

static bool leave_bad_call(ucontext_t *context, uint64_t *address) {
    (void)context, (void)address;
    return false;
}

#endif

void ct_crash_frames_of_signal(ct_crash_frames *f, void *context) {
    f->count = f->is_cut = 0;
    ucontext_t copy = *(const ucontext_t *)context;
    uint64_t bad_address;
    if (leave_bad_call(&copy, &bad_address)) {
        f->addresses[f->count++] = bad_address;
        walk(f, &copy, UNW_INIT_SIGNAL_FRAME, false, 0);
    } else {
        walk(f, context, UNW_INIT_SIGNAL_FRAME, true, 0);
    }
}

bool ct_crash_is_stack_overflow(void *context, uint64_t fault) {
    // Memory between the stack pointer and the stack's start is mapped, unless the stack ended.
    enum { BELOW = 65536, ABOVE = 1 << 20 };
    unw_cursor_t cursor;
    unw_word_t stack = 0;
    char byte;
    return unw_init_local2(&cursor, context, UNW_INIT_SIGNAL_FRAME) == 0 &&
           unw_get_reg(&cursor, UNW_REG_SP, &stack) == 0 && fault + BELOW >= stack &&
           fault <= stack + ABOVE && ct_crash_peek(&byte, (const void *)(uintptr_t)fault, 1) == 0;
}
