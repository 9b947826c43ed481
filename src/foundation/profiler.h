// profiler.h: what each thread did when: scopes, counters and frames, recorded for tools.
//
// A thread writes 16-byte events (time stamp, name and kind) into a chunk of its own, without locks
// and without waiting; at the end of each frame the update thread collects what all threads wrote
// (ct_profiler_end_frame), keeps the last frames and hands them to sinks (a file, the console).
// While the profiler is off, a scope costs one load and one branch.
//
// Names are borrowed for the life of the process: string literals, or what ct_profiler_name gives.
// From "A Pragmatic Approach to Performance" (Bitsquid blog, 2011-12-08).
#pragma once
#include <stdatomic.h>

#include "foundation/types.h"

// 16 bytes. The kind stands in the top byte of `what`, a borrowed name (or nothing) below it.
typedef struct ct_profiler_event {
    uint64_t ticks; // of ct_profiler_ticks; of a counter's second event, the bits of its double
    uint64_t what;
} ct_profiler_event;

typedef enum ct_profiler_kind {
    CT_PROFILER_KIND_NONE,
    CT_PROFILER_KIND_ENTER,   // a scope begins
    CT_PROFILER_KIND_LEAVE,   // the innermost scope ends; no name
    CT_PROFILER_KIND_COUNTER, // a value follows as another event
    CT_PROFILER_KIND_VALUE,
} ct_profiler_kind;

enum { CT_PROFILER_KIND_SHIFT = 56 };

// Where this thread writes next. `next == end` also stands for "no chunk yet".
typedef struct ct_profiler_cursor {
    ct_profiler_event *_Atomic next; // read by the collector
    ct_profiler_event *end;
} ct_profiler_cursor;

extern _Thread_local ct_profiler_cursor ct_profiler_thread;
extern atomic_bool ct_profiler_is_recording;

// The clock of events: the time stamp counter where there is one, which costs a third of a system
// clock.
static inline uint64_t ct_profiler_ticks(void) {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    extern uint64_t ct_profiler_clock(void);
    return ct_profiler_clock();
#endif
}

static inline bool ct_profiler_is_on(void) {
    return atomic_load_explicit(&ct_profiler_is_recording, memory_order_relaxed);
}

// Behind the inline functions: gives this thread its next chunk and writes there.
void ct_profiler_write_slow(uint64_t ticks, uint64_t what);

static inline void ct_profiler_write(uint64_t ticks, uint64_t what) {
    ct_profiler_cursor *const cursor = &ct_profiler_thread;
    ct_profiler_event *const next = atomic_load_explicit(&cursor->next, memory_order_relaxed);
    if (__builtin_expect(next == cursor->end, 0)) {
        ct_profiler_write_slow(ticks, what);
        return;
    }
    next->ticks = ticks;
    next->what = what;
    atomic_store_explicit(&cursor->next, next + 1, memory_order_release);
}

// Begins a scope on this thread. Returns whether it was recorded, for ct_profiler_leave.
static inline bool ct_profiler_enter(const char *name) {
    if (!ct_profiler_is_on())
        return false;
    ct_profiler_write(ct_profiler_ticks(),
                      (uint64_t)(uintptr_t)name | (uint64_t)CT_PROFILER_KIND_ENTER
                                                      << CT_PROFILER_KIND_SHIFT);
    return true;
}

// Ends the scope that the matching ct_profiler_enter began, if that was recorded.
static inline void ct_profiler_leave(bool is_entered) {
    if (is_entered)
        ct_profiler_write(ct_profiler_ticks(),
                          (uint64_t)CT_PROFILER_KIND_LEAVE << CT_PROFILER_KIND_SHIFT);
}

static inline void ct_profiler_leave_scope(const bool *is_entered) {
    ct_profiler_leave(*is_entered);
}

// `CT_PROFILER_SCOPE("cull");` holds until its C scope ends, also when a Lua error unwinds through
// it. Once per line.
#define CT_PROFILER_SCOPE(name) CT_PROFILER_SCOPE_AT(name, __LINE__)
#define CT_PROFILER_SCOPE_AT(name, line) CT_PROFILER_SCOPE_NAMED(name, line)
#define CT_PROFILER_SCOPE_NAMED(name, line)                                                        \
    CT_CLEANUP(ct_profiler_leave_scope)                                                            \
    const bool ct_profiler_scope_##line = ct_profiler_enter(name);                                 \
    (void)ct_profiler_scope_##line
