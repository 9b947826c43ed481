// profiler.h: records what each thread did and when: scopes, counters and frames, for tools.
//
// A thread writes 16-byte events (time stamp, name and kind) into its own chunk, without locks and
// without waiting. At the end of each frame, the update thread collects what all threads wrote
// (ct_profiler_end_frame) into a store of the last frames (profiler_store.h), from which a file
// (profiler_file.h) and consoles read. While the profiler is off, a scope costs one load and one
// branch; in the player it is always off, and a scope costs nothing.
//
// Memory is bounded: 16 MiB of static chunks for all threads, of which only the used part is ever
// touched. A thread that finds no free chunk drops whole scopes, counts them, and goes on. Scopes
// may span frames; a scope that was entered before recording began leaves no trace.
//
// Names are borrowed for the life of the process: string literals, or results of ct_profiler_name.
// From "A Pragmatic Approach to Performance" (Bitsquid blog, 2011-12-08).
#pragma once
#include <stdatomic.h>

#include "foundation/types.h"

// An event, 16 bytes. The kind is in the top byte of `what`, a borrowed name (or nothing) below it.
typedef struct ct_profiler_event {
    uint64_t ticks; // from ct_profiler_ticks; in a counter's second event, the bits of its double
    uint64_t what;
} ct_profiler_event;

typedef enum ct_profiler_kind {
    CT_PROFILER_KIND_NONE,
    CT_PROFILER_KIND_ENTER,   // a scope begins
    CT_PROFILER_KIND_LEAVE,   // the innermost scope ends; the name's place holds how many more end
    CT_PROFILER_KIND_COUNTER, // a value follows as another event
    CT_PROFILER_KIND_VALUE,   // the value of the counter before; no name
    CT_PROFILER_KIND_RANGE,   // a range that began at `ticks`; its end follows as another event
    CT_PROFILER_KIND_END,     // the end of the range before; its name is the track's
} ct_profiler_kind;

enum {
    CT_PROFILER_KIND_SHIFT = 56,
    CT_PROFILER_NAME_BYTES = 128,       // of a name that ct_profiler_name keeps, with its zero
    CT_PROFILER_THREAD_NAME_BYTES = 16, // of the name of a thread, with its zero
};

// Where this thread writes next. `next == end` also means that it has no chunk yet.
typedef struct ct_profiler_cursor {
    ct_profiler_event *_Atomic next; // read by the collector
    ct_profiler_event *end;
} ct_profiler_cursor;

extern _Thread_local ct_profiler_cursor ct_profiler_thread;
extern atomic_bool ct_profiler_is_recording;

// Reads the clock of events: the time stamp counter where there is one, which costs a third of a
// system clock.
static inline uint64_t ct_profiler_ticks(void) {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    extern uint64_t ct_profiler_clock(void);
    return ct_profiler_clock();
#endif
}

// Returns whether the profiler is recording. Costs one load; always false in the player.
static inline bool ct_profiler_is_on(void) {
#ifdef CT_BUILD_PLAYER
    return false; // so the compiler removes all recording
#else
    return atomic_load_explicit(&ct_profiler_is_recording, memory_order_acquire);
#endif
}

// Gives this thread its next chunk and writes the event there; for the inline functions.
void ct_profiler_write_slow(uint64_t ticks, uint64_t what);

// Writes an event of this thread; `what` is as in ct_profiler_event. The caller must have checked
// that the profiler is on.
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

// Implements the end of CT_PROFILER_SCOPE: ct_profiler_leave as a clean-up function.
static inline void ct_profiler_leave_scope(const bool *is_entered) {
    ct_profiler_leave(*is_entered);
}

// `CT_PROFILER_SCOPE("cull");` lasts until its C scope ends, also when a Lua error unwinds through
// it. At most once per line.
#define CT_PROFILER_SCOPE(name) CT_PROFILER_SCOPE_AT(name, __LINE__)
#define CT_PROFILER_SCOPE_AT(name, line) CT_PROFILER_SCOPE_NAMED(name, line)
#define CT_PROFILER_SCOPE_NAMED(name, line)                                                        \
    CT_CLEANUP(ct_profiler_leave_scope)                                                            \
    const bool ct_profiler_scope_##line = ct_profiler_enter(name);                                 \
    (void)ct_profiler_scope_##line

// --- Recording -----------------------------------------------------------------------------------

typedef struct ct_profiler_desc {
    ct_allocator *allocator; // safe from any thread; kept until ct_profiler_shutdown
    uint64_t store_bytes;    // for the last frames; 0: 16 MiB
} ct_profiler_desc;

// Begins to record; each call needs a ct_profiler_stop. The first one of nested calls empties the
// store; the very first (and the first after ct_profiler_shutdown) makes it as `desc` says. The
// first call in a process takes 5 ms to measure the clock, and some more to make the store. Any
// thread.
void ct_profiler_start(const ct_profiler_desc *desc);

// Ends what one ct_profiler_start began. The last one ends recording, and the events since the last
// frame become their own frame. The store keeps its frames. Any thread.
void ct_profiler_stop(void);

// Frees the store and everything else that recording allocated; nothing may record or read then.
// Fine when nothing was ever recorded.
void ct_profiler_shutdown(void);

// Ends a frame: collects what every thread wrote since the last frame into the store. Does nothing
// while the profiler is off. One thread.
void ct_profiler_end_frame(uint64_t number);

// Writes a counter "memory NAME" with the live bytes of each named allocator. Call it once a frame,
// where there is time: it takes about 10 us. Does nothing while the profiler is off. One thread at
// a time.
void ct_profiler_count_memory(void);

// Returns how many scopes, counters and ranges were dropped since recording began. Any thread.
uint64_t ct_profiler_num_dropped(void);

// --- Names, counters, ranges; any thread ---------------------------------------------------------

// Returns a copy of `text` that lives as long as the process, the same one for the same text. Only
// the first 127 bytes of long texts count. There is room for some 8,000 names in 512 KiB; after
// that, new names become "(more names)".
const char *ct_profiler_name(const char *text);

// Names the calling thread; ct_thread_set_name does so too.
void ct_profiler_name_thread(const char *name);

// Records the current value of something that changes over time.
void ct_profiler_counter(const char *name, double value);

// Records that something ran from `begin_ticks` to `end_ticks`, on a track of its own ("gpu").
void ct_profiler_range(const char *track, const char *name, uint64_t begin_ticks,
                       uint64_t end_ticks);

// --- Time; any thread ----------------------------------------------------------------------------

// Convert between the clock of events and ct_os_time_ns. The conversion stays the same during a
// recording; before the first recording, the result is 0.
int64_t ct_profiler_ns_of_ticks(uint64_t ticks);
uint64_t ct_profiler_ticks_of_ns(int64_t ns);

// Returns the ticks in a second, measured over the longest time so far.
double ct_profiler_ticks_per_second(void);
