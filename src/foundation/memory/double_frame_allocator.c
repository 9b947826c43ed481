#include "foundation/memory/double_frame_allocator.h"

struct ct_double_frame_allocator {
    ct_allocator interface;
    ct_allocator *backing;
    ct_frame_allocator *current, *previous;
    uint64_t peak_bytes; // of both frames together, until the last swap
};

static ct_allocator_stats stats_of(const ct_double_frame_allocator *d) {
    const ct_allocator_stats current = ct_allocator_stats_of(&d->current->interface);
    const ct_allocator_stats previous = ct_allocator_stats_of(&d->previous->interface);
    const uint64_t live_bytes = current.live_bytes + previous.live_bytes;
    return (ct_allocator_stats){.live_bytes = live_bytes,
                                .live_blocks = current.live_blocks + previous.live_blocks,
                                .peak_bytes =
                                    d->peak_bytes > live_bytes ? d->peak_bytes : live_bytes,
                                .total_blocks = current.total_blocks + previous.total_blocks};
}

static void note_peak(ct_double_frame_allocator *d) {
    d->peak_bytes = stats_of(d).peak_bytes;
}

static void *double_frame_allocate(ct_allocator *a, uint64_t size_bytes, uint64_t align) {
    ct_allocator *const frame = &((ct_double_frame_allocator *)a)->current->interface;
    return frame->allocate(frame, size_bytes, align);
}

static void double_frame_free(ct_allocator *a, void *p, uint64_t size_bytes) {
    ct_double_frame_allocator *const d = (ct_double_frame_allocator *)a;
    note_peak(d);
    const bool is_new = ct_frame_allocator_owns(d->current, p);
    ct_allocator *const frame = is_new ? &d->current->interface : &d->previous->interface;
    frame->free(frame, p, size_bytes);
}

static uint64_t double_frame_allocated_size(ct_allocator *a, const void *p) {
    return ct_allocated_size(&((ct_double_frame_allocator *)a)->current->interface, p);
}

static void double_frame_stats(ct_allocator *a, ct_allocator_stats *stats) {
    *stats = stats_of((ct_double_frame_allocator *)a);
}

ct_double_frame_allocator *ct_double_frame_allocator_create(ct_allocator *backing, const char *name,
                                                            uint64_t chunk_bytes) {
    ct_double_frame_allocator *const d = CT_NEW(backing, ct_double_frame_allocator);
    d->interface = (ct_allocator){.allocate = double_frame_allocate,
                                  .free = double_frame_free,
                                  .allocated_size = double_frame_allocated_size,
                                  .stats = double_frame_stats,
                                  .name = name};
    d->backing = backing;
    d->current = ct_frame_allocator_create(backing, name, chunk_bytes);
    d->previous = ct_frame_allocator_create(backing, name, chunk_bytes);
    return d;
}

void ct_double_frame_allocator_destroy(ct_double_frame_allocator *d) {
    if (!d)
        return;
    ct_frame_allocator_destroy(d->current);
    ct_frame_allocator_destroy(d->previous);
    ct_free_sized(d->backing, d, sizeof(*d));
}

ct_allocator *ct_double_frame_allocator_interface(ct_double_frame_allocator *d) {
    return &d->interface;
}

ct_frame_allocator *ct_double_frame_allocator_current(ct_double_frame_allocator *d) {
    return d->current;
}

void ct_double_frame_allocator_swap(ct_double_frame_allocator *d) {
    note_peak(d);
    ct_frame_allocator *const older = d->previous;
    ct_frame_allocator_reset(older, (ct_frame_mark){0});
    d->previous = d->current;
    d->current = older;
}
