// profiler_store.h: the last frames that the profiler recorded, for readers.
//
// A ring of bytes in one allocation, of at most 16,384 frames. A frame is a ct_profiler_frame,
// then, for each thread that wrote something, a ct_profiler_block and its events, in the order they
// were written. When a new frame does not fit, the oldest ones are dropped; a reader that had not
// read them counts them.
//
// Scopes nest within a thread, also across frames. A reader that missed a frame does not know which
// scopes were entered and left in it: it treats all scopes as left at the gap, and skips leaves
// without an enter.
#pragma once
#include "foundation/container/array.h"
#include "foundation/profiler/profiler.h"

typedef struct ct_profiler_frame {
    uint64_t size_bytes; // of the frame with its blocks
    uint64_t sequence;   // counts frames from 1, without gaps
    uint64_t number;     // as given to ct_profiler_end_frame
    uint64_t begin_ticks, end_ticks;
    uint64_t num_dropped; // as from ct_profiler_num_dropped
    uint32_t num_blocks;
    uint32_t padding[3];
} ct_profiler_frame;

typedef struct ct_profiler_block {
    char thread_name[CT_PROFILER_THREAD_NAME_BYTES];
    uint32_t thread; // from 1; unique to this thread, and never used again
    uint32_t num_events;
    uint64_t padding;
} ct_profiler_block;

_Static_assert(sizeof(ct_profiler_frame) % 16 == 0 && sizeof(ct_profiler_block) % 16 == 0,
               "frames must be at multiples of 16");

// --- Reading -------------------------------------------------------------------------------------

// The position of one reader. For one thread at a time.
typedef struct ct_profiler_reader {
    uint64_t next_sequence; // of the frame to read next
    uint64_t num_missed;    // frames since its start that were dropped before it read them
    ct_byte_array bytes;    // of the frame that was read
} ct_profiler_reader;

// Makes a reader that begins with the recording (whose first frames may already be dropped, and
// then count as missed), or with the next frame to come.
void ct_profiler_reader_init(ct_profiler_reader *r, ct_allocator *a);
void ct_profiler_reader_init_at_end(ct_profiler_reader *r, ct_allocator *a);
void ct_profiler_reader_free(ct_profiler_reader *r);

// Copies the next frame out; NULL when there is none yet. The frame is borrowed until the next
// call.
const ct_profiler_frame *ct_profiler_reader_next(ct_profiler_reader *r);

// Returns the block after `block` in a frame, or the first for NULL; NULL at the end.
const ct_profiler_block *ct_profiler_frame_next_block(const ct_profiler_frame *frame,
                                                      const ct_profiler_block *block);

// Returns the events of a block, `num_events` of them; borrowed with the block.
static inline const ct_profiler_event *ct_profiler_block_events(const ct_profiler_block *block) {
    return (const ct_profiler_event *)(block + 1);
}

// Returns the kind of an event.
static inline ct_profiler_kind ct_profiler_event_kind(const ct_profiler_event *e) {
    return (ct_profiler_kind)(e->what >> CT_PROFILER_KIND_SHIFT);
}

// Returns the name of an event, or NULL.
static inline const char *ct_profiler_event_name(const ct_profiler_event *e) {
    return (const char *)(uintptr_t)(e->what & ((1ull << CT_PROFILER_KIND_SHIFT) - 1));
}

// Returns how many scopes a LEAVE ends.
static inline uint64_t ct_profiler_event_leaves(const ct_profiler_event *e) {
    return (e->what & ((1ull << CT_PROFILER_KIND_SHIFT) - 1)) + 1;
}

// Returns the value of a VALUE event.
static inline double ct_profiler_event_value(const ct_profiler_event *e) {
    union {
        uint64_t bits;
        double value;
    } const both = {.bits = e->ticks};
    return both.value;
}

// --- Writing; for profiler.c ---------------------------------------------------------------------

// Makes the store, of up to 64 GiB; frees it when nothing reads from it any more (a store that is
// not open is fine).
void ct_profiler_store_open(ct_allocator *a, uint64_t size_bytes);
void ct_profiler_store_close(void);
bool ct_profiler_store_is_open(void);

// Drops all frames and begins a new recording; readers go on with the frames that follow.
void ct_profiler_store_clear(void);

// Makes room for a frame of this size (a multiple of 16) by dropping the oldest ones, and returns
// where to write it; NULL when it is larger than the store: then the frame itself is dropped.
// Readers do not see the frame before ct_profiler_store_commit. The caller sets all members but
// size_bytes and sequence.
ct_profiler_frame *ct_profiler_store_reserve(uint64_t size_bytes);
void ct_profiler_store_commit(ct_profiler_frame *frame);
