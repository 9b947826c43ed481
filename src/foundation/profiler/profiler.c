// profiler.c: starting and stopping a recording, frames, and the clock.
#include "foundation/profiler/profiler.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/os/os.h"
#include "foundation/profiler/profiler_private.h"
#include "foundation/profiler/profiler_store.h"

enum { DEFAULT_STORE_BYTES = 16 << 20, CALIBRATION_NS = 5000000, CLOCK_TRIES = 8 };

// A moment, by both clocks.
typedef struct moment {
    uint64_t ticks, ns;
} moment;

// All under the lock, except where noted.
typedef struct recorder {
    ct_profiler_lock lock;
    uint32_t num_wanting; // starts without a stop so far
    bool is_initialised;
    ct_allocator *allocator; // of the store, while there is one
    uint64_t frame_ticks;    // when the last frame ended
    uint64_t frame_number;
    // Read by any thread, written while nothing is recorded:
    moment first_moment;
    _Atomic double ns_per_tick;
} recorder;

static recorder the_recorder;
atomic_bool ct_profiler_is_recording;

void ct_profiler_lock_take(ct_profiler_lock *l) {
    while (atomic_flag_test_and_set_explicit(&l->is_taken, memory_order_acquire))
        ct_os_sleep_ns(1000);
}

void ct_profiler_lock_release(ct_profiler_lock *l) {
    atomic_flag_clear_explicit(&l->is_taken, memory_order_release);
}

// --- The clock -----------------------------------------------------------------------------------

#if !defined(__x86_64__)
uint64_t ct_profiler_clock(void);
uint64_t ct_profiler_clock(void) {
    return ct_os_time_ns();
}
#endif

// Takes the least disturbed of several tries.
static moment read_clocks(void) {
    moment best = {0};
    uint64_t best_ticks = UINT64_MAX;
    for (uint32_t i = 0; i < CLOCK_TRIES; ++i) {
        const uint64_t before = ct_profiler_ticks();
        const uint64_t ns = ct_os_time_ns();
        const uint64_t taken = ct_profiler_ticks() - before;
        if (taken < best_ticks) {
            best_ticks = taken;
            best = (moment){.ticks = before + taken / 2, .ns = ns};
        }
    }
    return best;
}

// Measures the clock over the whole time since it was first read.
static void calibrate(recorder *r) {
    if (r->first_moment.ns == 0) {
        r->first_moment = read_clocks();
        ct_os_sleep_ns(CALIBRATION_NS);
    }
    const moment now = read_clocks();
    const double ticks = (double)(now.ticks - r->first_moment.ticks);
    atomic_store_explicit(&r->ns_per_tick, (double)(now.ns - r->first_moment.ns) / ticks,
                          memory_order_relaxed);
}

static double ns_per_tick(void) {
    return atomic_load_explicit(&the_recorder.ns_per_tick, memory_order_relaxed);
}

int64_t ct_profiler_ns_of_ticks(uint64_t ticks) {
    const moment *const first = &the_recorder.first_moment;
    const int64_t since = (int64_t)(ticks - first->ticks);
    return (int64_t)first->ns + (int64_t)((double)since * ns_per_tick());
}

uint64_t ct_profiler_ticks_of_ns(int64_t ns) {
    const moment *const first = &the_recorder.first_moment;
    const double scale = ns_per_tick();
    const double since = (double)(ns - (int64_t)first->ns);
    return scale > 0.0 ? first->ticks + (uint64_t)(int64_t)(since / scale) : 0;
}

double ct_profiler_ticks_per_second(void) {
    const double scale = ns_per_tick();
    return scale > 0.0 ? 1e9 / scale : 0.0;
}

// --- Frames --------------------------------------------------------------------------------------

static uint64_t frame_bytes(const ct_profiler_thread_mark *marks, uint32_t num_marks) {
    uint64_t bytes = sizeof(ct_profiler_frame);
    for (uint32_t i = 0; i < num_marks; ++i) {
        if (marks[i].num_events > 0)
            bytes += sizeof(ct_profiler_block) + sizeof(ct_profiler_event) * marks[i].num_events;
    }
    return bytes;
}

static ct_profiler_block *write_block(ct_profiler_block *block,
                                      const ct_profiler_thread_mark *mark) {
    *block = (ct_profiler_block){.num_events = mark->num_events};
    const char *const name = ct_profiler_threads_name(mark, &block->thread);
    memcpy(block->thread_name, name, sizeof(block->thread_name));
    ct_profiler_event *const events = (ct_profiler_event *)(block + 1);
    ct_profiler_threads_take(mark, events);
    return (ct_profiler_block *)(events + mark->num_events);
}

// Collects a frame; with both locks held.
static void collect(recorder *r, uint64_t number) {
    static ct_profiler_thread_mark marks[CT_PROFILER_MAX_THREADS];
    const uint32_t num_marks = ct_profiler_threads_mark(marks);
    const uint64_t now = ct_profiler_ticks();
    ct_profiler_frame *const frame = ct_profiler_store_reserve(frame_bytes(marks, num_marks));
    ct_profiler_block *block = frame ? (ct_profiler_block *)(frame + 1) : NULL;
    uint32_t num_blocks = 0;
    for (uint32_t i = 0; i < num_marks; ++i) {
        if (block && marks[i].num_events > 0) {
            block = write_block(block, &marks[i]);
            ++num_blocks;
        } else {
            ct_profiler_threads_take(&marks[i], NULL);
        }
    }
    if (frame) {
        frame->number = number;
        frame->begin_ticks = r->frame_ticks;
        frame->end_ticks = now;
        frame->num_dropped = ct_profiler_threads_num_dropped();
        frame->num_blocks = num_blocks;
        memset(frame->padding, 0, sizeof(frame->padding));
        ct_profiler_store_commit(frame);
    }
    r->frame_ticks = now;
    r->frame_number = number;
}

void ct_profiler_end_frame(uint64_t number) {
    if (!ct_profiler_is_on())
        return;
    CT_PROFILER_SCOPE("profiler");
    recorder *const r = &the_recorder;
    ct_profiler_lock_take(&r->lock);
    if (r->num_wanting > 0) {
        ct_profiler_threads_lock();
        collect(r, number);
        ct_profiler_threads_unlock();
    }
    ct_profiler_lock_release(&r->lock);
}

uint64_t ct_profiler_num_dropped(void) {
    return ct_profiler_threads_num_dropped();
}

// --- Start and stop ------------------------------------------------------------------------------

static void begin_recording(recorder *r, const ct_profiler_desc *desc) {
    if (!r->is_initialised)
        ct_profiler_threads_init();
    r->is_initialised = true;
    calibrate(r);
    if (ct_profiler_store_is_open()) {
        ct_profiler_store_clear();
    } else {
        r->allocator = ct_proxy_allocator_create(desc->allocator, "profiler");
        ct_profiler_store_open(r->allocator,
                               desc->store_bytes ? desc->store_bytes : DEFAULT_STORE_BYTES);
    }
    ct_profiler_threads_lock();
    ct_profiler_threads_restart();
    ct_profiler_threads_unlock();
    r->frame_ticks = ct_profiler_ticks();
    r->frame_number = 0;
    atomic_store_explicit(&ct_profiler_is_recording, true, memory_order_release);
}

void ct_profiler_start(const ct_profiler_desc *desc) {
    recorder *const r = &the_recorder;
    ct_profiler_lock_take(&r->lock);
    if (r->num_wanting++ == 0)
        begin_recording(r, desc);
    ct_profiler_lock_release(&r->lock);
}

void ct_profiler_stop(void) {
    recorder *const r = &the_recorder;
    ct_profiler_lock_take(&r->lock);
    CT_ASSERT(r->num_wanting > 0, "ct_profiler_stop was called more often than ct_profiler_start%s",
              "");
    if (--r->num_wanting == 0) {
        // Under the threads' lock, so that one that ends now is either collected or frees itself.
        ct_profiler_threads_lock();
        atomic_store_explicit(&ct_profiler_is_recording, false, memory_order_relaxed);
        collect(r, r->frame_number + 1);
        ct_profiler_threads_unlock();
    }
    ct_profiler_lock_release(&r->lock);
}

void ct_profiler_shutdown(void) {
    recorder *const r = &the_recorder;
    ct_profiler_lock_take(&r->lock);
    CT_ASSERT(r->num_wanting == 0, "ct_profiler_shutdown was called during a recording%s", "");
    ct_profiler_store_close();
    ct_proxy_allocator_destroy(r->allocator);
    r->allocator = NULL;
    ct_profiler_lock_release(&r->lock);
}
