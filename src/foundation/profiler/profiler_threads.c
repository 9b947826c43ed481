// profiler_threads.c: the chunks that threads write to, and how they are collected.
//
// A thread's chunks are a list. The thread appends to it; the collector takes from its front, up to
// where the thread's cursor was, and frees the chunks that the thread has left. So no thread waits
// for another, and a chunk that a thread may still write to is never touched.
#include <string.h>
#include <threads.h>

#include "foundation/error.h"
#include "foundation/os/os.h"
#include "foundation/profiler/profiler_private.h"

enum { NUM_CHUNKS = 1024, CHUNK_EVENTS = 1023, WORD_BITS = 64 };

// 16 KiB. The header also separates the end of a chunk's events from the begin of the next chunk's.
typedef struct chunk {
    struct chunk *_Atomic next; // of the same thread
    uint64_t padding;
    ct_profiler_event events[CHUNK_EVENTS];
} chunk;

_Static_assert(sizeof(chunk) == 16384, "chunks are four pages");

typedef enum record_state {
    RECORD_STATE_FREE,
    RECORD_STATE_CLAIMED, // being filled by its thread
    RECORD_STATE_LIVE,
    RECORD_STATE_ENDED, // its last events are not collected yet
} record_state;

// One thread that writes.
typedef struct thread_record {
    _Atomic uint32_t state;        // record_state
    uint32_t number;               // of the thread
    ct_profiler_cursor *cursor;    // LIVE: of the thread
    ct_profiler_event *end;        // ENDED: after the last event
    chunk *last;                   // for the thread: where it writes
    chunk *first;                  // for the collector: the first not wholly collected
    uint32_t first_event;          // for the collector: in `first`
    ct_profiler_event last_leaves; // ENDED: LEAVEs that did not fit; `ticks` 0: none
    char name[CT_PROFILER_THREAD_NAME_BYTES];
} thread_record;

// The state that a thread keeps for itself.
typedef struct local_state {
    uint32_t record;    // 0: none
    uint32_t recording; // that the members below belong to
    // While there is no free chunk, scopes are dropped whole, with the scopes inside them, until
    // they end. The ends of scopes that were entered before are written with the next chunk.
    uint64_t dropped_depth;
    uint64_t missing_leaves;
    uint64_t missing_ticks; // of the last of them
    char name[CT_PROFILER_THREAD_NAME_BYTES];
} local_state;

_Thread_local ct_profiler_cursor ct_profiler_thread;
static _Thread_local local_state local;

static chunk chunks[NUM_CHUNKS];                              // touched only as they are used
static _Atomic uint64_t taken_chunks[NUM_CHUNKS / WORD_BITS]; // a bit each
static thread_record records[CT_PROFILER_MAX_THREADS + 1];    // record 0 means none
static _Atomic uint32_t num_records; // that were ever used; later ones are free
static _Atomic uint32_t last_number;
static _Atomic uint32_t recording; // the number of the recording
static _Atomic uint64_t num_dropped;
static tss_t record_key;
static ct_profiler_lock lock;

void ct_profiler_threads_lock(void) {
    ct_profiler_lock_take(&lock);
}

void ct_profiler_threads_unlock(void) {
    ct_profiler_lock_release(&lock);
}

uint64_t ct_profiler_threads_num_dropped(void) {
    return atomic_load_explicit(&num_dropped, memory_order_relaxed);
}

// --- Chunks and records --------------------------------------------------------------------------

static chunk *take_chunk(void) {
    for (uint32_t w = 0; w < CT_COUNT_OF(taken_chunks); ++w) {
        uint64_t taken = atomic_load_explicit(&taken_chunks[w], memory_order_relaxed);
        while (~taken) {
            const uint32_t bit = (uint32_t)__builtin_ctzll(~taken);
            // Acquires what the collector did with the chunk earlier.
            if (atomic_compare_exchange_weak_explicit(&taken_chunks[w], &taken, taken | 1ull << bit,
                                                      memory_order_acquire, memory_order_relaxed)) {
                chunk *const c = &chunks[w * WORD_BITS + bit];
                atomic_store_explicit(&c->next, NULL, memory_order_relaxed);
                return c;
            }
        }
    }
    return NULL;
}

static void give_chunk(chunk *c) {
    const uint32_t place = (uint32_t)(c - chunks);
    atomic_fetch_and_explicit(&taken_chunks[place / WORD_BITS], ~(1ull << place % WORD_BITS),
                              memory_order_release);
}

static bool claim(thread_record *r) {
    uint32_t state = RECORD_STATE_FREE;
    return atomic_compare_exchange_strong_explicit(&r->state, &state, RECORD_STATE_CLAIMED,
                                                   memory_order_acquire, memory_order_relaxed);
}

// Registers this thread, with its first chunk. False when there are too many threads.
static bool register_thread(chunk *first) {
    uint32_t i = 1;
    while (i <= CT_PROFILER_MAX_THREADS && !claim(&records[i]))
        ++i;
    if (i > CT_PROFILER_MAX_THREADS)
        return false;
    thread_record *const r = &records[i];
    r->number = atomic_fetch_add_explicit(&last_number, 1, memory_order_relaxed) + 1;
    r->cursor = &ct_profiler_thread;
    r->first = r->last = first;
    r->first_event = 0;
    memcpy(r->name, local.name[0] ? local.name : "thread", local.name[0] ? sizeof(r->name) : 7);
    local.record = i;
    tss_set(record_key, r);
    uint32_t known = atomic_load_explicit(&num_records, memory_order_relaxed);
    while (known < i && !atomic_compare_exchange_weak_explicit(
                            &num_records, &known, i, memory_order_release, memory_order_relaxed)) {
    }
    return true;
}

// Gives this thread a new chunk; false when none is free.
static bool advance(void) {
    chunk *const c = take_chunk();
    if (!c)
        return false;
    const bool is_new = local.record == 0;
    if (is_new && !register_thread(c)) {
        give_chunk(c);
        return false;
    }
    thread_record *const r = &records[local.record];
    if (!is_new) {
        atomic_store_explicit(&r->last->next, c, memory_order_release);
        r->last = c;
    }
    ct_profiler_thread.end = c->events + CHUNK_EVENTS;
    atomic_store_explicit(&ct_profiler_thread.next, c->events, memory_order_release);
    if (is_new)
        atomic_store_explicit(&r->state, RECORD_STATE_LIVE, memory_order_release);
    return true;
}

// --- Writing, where it is not inline -------------------------------------------------------------

// Ends the scopes that were entered in chunks but left while no chunk was free.
static ct_profiler_event take_missing_leaves(void) {
    const uint64_t more = local.missing_leaves - 1;
    local.missing_leaves = 0;
    return (ct_profiler_event){local.missing_ticks,
                               more | (uint64_t)CT_PROFILER_KIND_LEAVE << CT_PROFILER_KIND_SHIFT};
}

// Gives this thread room for at least two events, after adding the missing ends. False when no
// chunk is free, or inside a dropped scope.
static bool make_room(void) {
    const uint32_t now = atomic_load_explicit(&recording, memory_order_acquire);
    if (local.recording != now) {
        local.recording = now;
        local.dropped_depth = local.missing_leaves = 0;
    }
    if (local.dropped_depth > 0 || !advance())
        return false;
    if (local.missing_leaves > 0) {
        const ct_profiler_event leaves = take_missing_leaves();
        ct_profiler_write(leaves.ticks, leaves.what);
    }
    return true;
}

static void count_dropped(void) {
    atomic_fetch_add_explicit(&num_dropped, 1, memory_order_relaxed);
}

void ct_profiler_write_slow(uint64_t ticks, uint64_t what) {
    if (make_room()) {
        ct_profiler_write(ticks, what);
        return;
    }
    const uint64_t kind = what >> CT_PROFILER_KIND_SHIFT;
    if (kind == CT_PROFILER_KIND_ENTER) {
        ++local.dropped_depth;
        count_dropped();
    } else if (kind == CT_PROFILER_KIND_LEAVE && local.dropped_depth > 0) {
        --local.dropped_depth;
    } else if (kind == CT_PROFILER_KIND_LEAVE) {
        ++local.missing_leaves;
        local.missing_ticks = ticks;
    }
}

// Writes two events that belong together: never split over two chunks or two frames.
static void write_pair(ct_profiler_event first, ct_profiler_event second) {
    ct_profiler_cursor *const cursor = &ct_profiler_thread;
    ct_profiler_event *next = atomic_load_explicit(&cursor->next, memory_order_relaxed);
    if (cursor->end - next == 1) // an empty event fills the chunk
        ct_profiler_write(first.ticks, 0);
    if (cursor->end - next < 2) {
        if (!make_room()) {
            count_dropped();
            return;
        }
        next = atomic_load_explicit(&cursor->next, memory_order_relaxed);
    }
    next[0] = first;
    next[1] = second;
    atomic_store_explicit(&cursor->next, next + 2, memory_order_release);
}

static uint64_t what_of(ct_profiler_kind kind, const char *name) {
    return (uint64_t)(uintptr_t)name | (uint64_t)kind << CT_PROFILER_KIND_SHIFT;
}

void ct_profiler_counter_at(const char *name, uint64_t ticks, double value) {
    union {
        double value;
        uint64_t bits;
    } const both = {.value = value};
    write_pair((ct_profiler_event){ticks, what_of(CT_PROFILER_KIND_COUNTER, name)},
               (ct_profiler_event){both.bits, what_of(CT_PROFILER_KIND_VALUE, NULL)});
}

void ct_profiler_counter(const char *name, double value) {
    if (ct_profiler_is_on())
        ct_profiler_counter_at(name, ct_profiler_ticks(), value);
}

void ct_profiler_range(const char *track, const char *name, uint64_t begin_ticks,
                       uint64_t end_ticks) {
    if (!ct_profiler_is_on())
        return;
    write_pair((ct_profiler_event){begin_ticks, what_of(CT_PROFILER_KIND_RANGE, name)},
               (ct_profiler_event){end_ticks, what_of(CT_PROFILER_KIND_END, track)});
}

void ct_profiler_name_thread(const char *name) {
    // The collector may be reading it.
    ct_profiler_threads_lock();
    strncpy(local.name, name, sizeof(local.name) - 1);
    if (local.record != 0)
        memcpy(records[local.record].name, local.name, sizeof(local.name));
    ct_profiler_threads_unlock();
}

// --- Collecting; with the lock held --------------------------------------------------------------

static bool is_within(const chunk *c, const ct_profiler_event *e) {
    return e >= c->events && e <= c->events + CHUNK_EVENTS;
}

// How many events a thread wrote up to `end`.
static uint32_t count_events(const thread_record *r, const ct_profiler_event *end) {
    uint32_t count = 0, from = r->first_event;
    const chunk *c = r->first;
    for (; !is_within(c, end); from = 0) {
        count += CHUNK_EVENTS - from;
        c = atomic_load_explicit(&c->next, memory_order_acquire);
    }
    return count + (uint32_t)(end - c->events) - from;
}

uint32_t ct_profiler_threads_mark(ct_profiler_thread_mark marks[CT_PROFILER_MAX_THREADS]) {
    uint32_t num_marks = 0;
    const uint32_t last = atomic_load_explicit(&num_records, memory_order_acquire);
    for (uint32_t i = 1; i <= last; ++i) {
        const thread_record *const r = &records[i];
        const uint32_t state = atomic_load_explicit(&r->state, memory_order_acquire);
        if (state != RECORD_STATE_LIVE && state != RECORD_STATE_ENDED)
            continue;
        ct_profiler_thread_mark mark = {.record = i, .has_ended = state == RECORD_STATE_ENDED};
        mark.end =
            mark.has_ended ? r->end : atomic_load_explicit(&r->cursor->next, memory_order_acquire);
        mark.num_events = count_events(r, mark.end);
        if (mark.has_ended && r->last_leaves.ticks != 0)
            ++mark.num_events;
        if (mark.num_events > 0 || mark.has_ended)
            marks[num_marks++] = mark;
    }
    return num_marks;
}

void ct_profiler_threads_take(const ct_profiler_thread_mark *mark, ct_profiler_event *events) {
    thread_record *const r = &records[mark->record];
    for (;;) {
        chunk *const c = r->first;
        const bool is_last = is_within(c, mark->end);
        const uint32_t to = is_last ? (uint32_t)(mark->end - c->events) : CHUNK_EVENTS;
        const uint32_t count = to - r->first_event;
        if (events) {
            memcpy(events, c->events + r->first_event, sizeof(*events) * count);
            events += count;
        }
        r->first_event = to;
        if (is_last)
            break;
        r->first = atomic_load_explicit(&c->next, memory_order_acquire);
        r->first_event = 0;
        give_chunk(c);
    }
    if (mark->has_ended) {
        if (events && r->last_leaves.ticks != 0)
            *events = r->last_leaves;
        give_chunk(r->first);
        atomic_store_explicit(&r->state, RECORD_STATE_FREE, memory_order_release);
    }
}

const char *ct_profiler_threads_name(const ct_profiler_thread_mark *mark, uint32_t *number) {
    *number = records[mark->record].number;
    return records[mark->record].name;
}

// --- Beginning and end ---------------------------------------------------------------------------

void ct_profiler_threads_restart(void) {
    static ct_profiler_thread_mark marks[CT_PROFILER_MAX_THREADS];
    const uint32_t num_marks = ct_profiler_threads_mark(marks);
    for (uint32_t i = 0; i < num_marks; ++i)
        ct_profiler_threads_take(&marks[i], NULL);
    atomic_store_explicit(&num_dropped, 0, memory_order_relaxed);
    atomic_fetch_add_explicit(&recording, 1, memory_order_release);
}

// Runs on a thread that is ending.
static void end_thread(void *data) {
    thread_record *const r = data;
    ct_profiler_threads_lock();
    r->end = atomic_load_explicit(&ct_profiler_thread.next, memory_order_relaxed);
    r->cursor = NULL;
    r->last_leaves = (ct_profiler_event){0, 0};
    if (local.missing_leaves > 0 &&
        local.recording == atomic_load_explicit(&recording, memory_order_acquire))
        r->last_leaves = take_missing_leaves();
    atomic_store_explicit(&r->state, RECORD_STATE_ENDED, memory_order_release);
    const ct_profiler_thread_mark mark = {.record = local.record, .end = r->end, .has_ended = true};
    if (!ct_profiler_is_on()) // the collector will not come for it
        ct_profiler_threads_take(&mark, NULL);
    ct_profiler_threads_unlock();
    ct_profiler_thread.end = NULL;
    atomic_store_explicit(&ct_profiler_thread.next, NULL, memory_order_relaxed);
    local.record = 0;
}

void ct_profiler_threads_init(void) {
    const int result = tss_create(&record_key, end_thread);
    CT_REQUIRE(result == thrd_success, "no thread-specific storage is left%s", "");
}
