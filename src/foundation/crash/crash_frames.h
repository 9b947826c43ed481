// crash_frames.h: the calls on a stack, as addresses; for the crash_*.c files only.
//
// Nothing here uses the heap; all of it may run in a signal handler.
#pragma once
#include "foundation/types.h"

enum { CT_CRASH_MAX_FRAMES = 64 };

// Addresses of the running instructions, innermost first. For a caller it is the return address
// minus one, as the return address may be in the next function.
typedef struct ct_crash_frames {
    uint64_t addresses[CT_CRASH_MAX_FRAMES];
    uint32_t count;
    uint32_t is_cut; // 1: more frames were left out
} ct_crash_frames;

// Walks the stack of this thread from `context`, a unw_context_t filled in a function that is still
// running, without the innermost `skip` frames.
void ct_crash_frames_of_context(ct_crash_frames *f, void *context, uint32_t skip);

// Walks the interrupted stack from `context`, the ucontext_t that a signal handler got.
void ct_crash_frames_of_signal(ct_crash_frames *f, void *context);

// Returns whether `fault`, the address of a segmentation fault, is where the interrupted stack was
// about to grow to.
bool ct_crash_is_stack_overflow(void *context, uint64_t fault);
