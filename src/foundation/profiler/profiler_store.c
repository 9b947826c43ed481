#include "foundation/profiler/profiler_store.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"

#define NOT_KEPT UINT32_MAX

enum { MAX_FRAMES = 16384, UNIT_BYTES = 16 };

// Frames follow each other; one that does not fit before the end starts at 0 again.
typedef struct store {
    ct_allocator *allocator; // NULL: not open
    uint8_t *bytes;
    uint64_t capacity;
    ct_mutex mutex;           // of the members below
    uint64_t head;            // offset of the end of the newest frame
    uint64_t first_sequence;  // of this recording
    uint64_t oldest_sequence; // == next_sequence: empty
    uint64_t next_sequence;
    uint32_t places[MAX_FRAMES]; // by sequence: offsets in units, or NOT_KEPT
} store;

static store the_store;

// Sequence numbers continue from store to store, so a number identifies a frame during the process.
static uint64_t last_sequence;

// --- Writing -------------------------------------------------------------------------------------

bool ct_profiler_store_is_open(void) {
    return the_store.allocator != NULL;
}

void ct_profiler_store_open(ct_allocator *a, uint64_t size_bytes) {
    store *const s = &the_store;
    CT_ASSERT(!s->allocator, "the store is already open%s", "");
    s->allocator = a;
    s->capacity = size_bytes / UNIT_BYTES * UNIT_BYTES;
    s->bytes = ct_alloc(a, s->capacity);
    memset(s->bytes, 0, s->capacity); // the system provides the pages now, not during later frames
    s->head = 0;
    s->first_sequence = s->oldest_sequence = s->next_sequence = last_sequence + 1;
    ct_mutex_init(&s->mutex);
}

void ct_profiler_store_close(void) {
    store *const s = &the_store;
    if (!s->allocator)
        return;
    last_sequence = s->next_sequence - 1;
    ct_free_sized(s->allocator, s->bytes, s->capacity);
    ct_mutex_shutdown(&s->mutex);
    s->allocator = NULL;
}

void ct_profiler_store_clear(void) {
    store *const s = &the_store;
    ct_mutex_lock(&s->mutex);
    s->first_sequence = s->oldest_sequence = s->next_sequence;
    s->head = 0;
    ct_mutex_unlock(&s->mutex);
}

static void append_place(store *s, uint32_t place) {
    if (s->next_sequence - s->oldest_sequence == MAX_FRAMES)
        ++s->oldest_sequence;
    s->places[s->next_sequence++ % MAX_FRAMES] = place;
}

// Frames that were not kept free no space.
static void drop_not_kept(store *s) {
    while (s->oldest_sequence != s->next_sequence &&
           s->places[s->oldest_sequence % MAX_FRAMES] == NOT_KEPT)
        ++s->oldest_sequence;
}

// Returns where a frame of this size fits now, or UINT64_MAX.
static uint64_t find_room(store *s, uint64_t size_bytes) {
    drop_not_kept(s);
    const bool fits_before_end = s->capacity - s->head >= size_bytes;
    if (s->oldest_sequence == s->next_sequence)
        return fits_before_end ? s->head : 0;
    const uint64_t oldest = (uint64_t)s->places[s->oldest_sequence % MAX_FRAMES] * UNIT_BYTES;
    if (s->head <= oldest)
        return oldest - s->head >= size_bytes ? s->head : UINT64_MAX;
    if (fits_before_end)
        return s->head;
    return oldest >= size_bytes ? 0 : UINT64_MAX;
}

ct_profiler_frame *ct_profiler_store_reserve(uint64_t size_bytes) {
    store *const s = &the_store;
    CT_ASSERT(size_bytes % UNIT_BYTES == 0,
              "the size of a frame, %llu bytes, is not a multiple of 16",
              (unsigned long long)size_bytes);
    ct_mutex_lock(&s->mutex);
    ct_profiler_frame *frame = NULL;
    if (size_bytes > s->capacity) {
        append_place(s, NOT_KEPT);
    } else {
        uint64_t offset;
        while ((offset = find_room(s, size_bytes)) == UINT64_MAX)
            ++s->oldest_sequence;
        frame = (ct_profiler_frame *)(s->bytes + offset);
    }
    ct_mutex_unlock(&s->mutex);
    if (frame)
        frame->size_bytes = size_bytes;
    return frame;
}

void ct_profiler_store_commit(ct_profiler_frame *frame) {
    store *const s = &the_store;
    const uint64_t offset = (uint64_t)((uint8_t *)frame - s->bytes);
    ct_mutex_lock(&s->mutex);
    frame->sequence = s->next_sequence;
    append_place(s, (uint32_t)(offset / UNIT_BYTES));
    s->head = offset + frame->size_bytes;
    ct_mutex_unlock(&s->mutex);
}

// --- Reading -------------------------------------------------------------------------------------

static void init_reader(ct_profiler_reader *r, ct_allocator *a, bool is_at_end) {
    *r = (ct_profiler_reader){.next_sequence = 0};
    ct_array_init(&r->bytes, a);
    store *const s = &the_store;
    if (!s->allocator)
        return;
    ct_mutex_lock(&s->mutex);
    r->next_sequence = is_at_end ? s->next_sequence : s->oldest_sequence;
    r->num_missed = is_at_end ? 0 : s->oldest_sequence - s->first_sequence;
    ct_mutex_unlock(&s->mutex);
}

void ct_profiler_reader_init(ct_profiler_reader *r, ct_allocator *a) {
    init_reader(r, a, false);
}

void ct_profiler_reader_init_at_end(ct_profiler_reader *r, ct_allocator *a) {
    init_reader(r, a, true);
}

void ct_profiler_reader_free(ct_profiler_reader *r) {
    ct_array_free(&r->bytes);
}

// Skips frames that are no longer there; false when no frame is left to read.
static bool find_next(const store *s, ct_profiler_reader *r) {
    if (r->next_sequence < s->oldest_sequence) {
        r->num_missed += s->oldest_sequence - r->next_sequence;
        r->next_sequence = s->oldest_sequence;
    }
    while (r->next_sequence < s->next_sequence &&
           s->places[r->next_sequence % MAX_FRAMES] == NOT_KEPT) {
        ++r->num_missed;
        ++r->next_sequence;
    }
    return r->next_sequence < s->next_sequence;
}

const ct_profiler_frame *ct_profiler_reader_next(ct_profiler_reader *r) {
    store *const s = &the_store;
    if (!s->allocator)
        return NULL;
    ct_mutex_lock(&s->mutex);
    const bool has_frame = find_next(s, r);
    if (has_frame) {
        const ct_profiler_frame *const frame =
            (const ct_profiler_frame *)(s->bytes + (uint64_t)UNIT_BYTES *
                                                       s->places[r->next_sequence % MAX_FRAMES]);
        r->bytes.count = 0;
        ct_array_push_many(&r->bytes, (const uint8_t *)frame, frame->size_bytes);
        ++r->next_sequence;
    }
    ct_mutex_unlock(&s->mutex);
    return has_frame ? (const ct_profiler_frame *)r->bytes.items : NULL;
}

const ct_profiler_block *ct_profiler_frame_next_block(const ct_profiler_frame *frame,
                                                      const ct_profiler_block *block) {
    const uint8_t *const end = (const uint8_t *)frame + frame->size_bytes;
    const uint8_t *const next =
        !block ? (const uint8_t *)(frame + 1)
               : (const uint8_t *)(ct_profiler_block_events(block) + block->num_events);
    return next < end ? (const ct_profiler_block *)next : NULL;
}
