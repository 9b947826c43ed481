// profiler_fixture.h: recordings in tests: reading what came, and checking that scopes nest.
#pragma once
#include "support/test_support.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"
#include "foundation/profiler/profiler_store.h"

static inline void start_recording(uint64_t store_bytes) {
    ct_profiler_start(&(ct_profiler_desc){.allocator = test_heap(), .store_bytes = store_bytes});
}

// A recording that a test left behind would be seen by the next.
static inline int end_recording(void **state) {
    (void)state;
    while (ct_profiler_is_on())
        ct_profiler_stop();
    ct_profiler_shutdown();
    return 0;
}

#define PROFILER_TEST(test) cmocka_unit_test_setup_teardown(test, NULL, end_recording)

// The block of the thread of this name in a frame, or NULL.
static inline const ct_profiler_block *block_named(const ct_profiler_frame *frame,
                                                   const char *name) {
    const ct_profiler_block *block = NULL;
    while (frame && (block = ct_profiler_frame_next_block(frame, block))) {
        if (strcmp(block->thread_name, name) == 0)
            return block;
    }
    return NULL;
}

// The number of events of this kind and name (NULL: any) in a block.
static inline uint32_t count_events(const ct_profiler_block *block, ct_profiler_kind kind,
                                    const char *name) {
    uint32_t count = 0;
    for (uint32_t i = 0; block && i < block->num_events; ++i) {
        const ct_profiler_event *const e = &ct_profiler_block_events(block)[i];
        const char *const found = ct_profiler_event_name(e);
        count += ct_profiler_event_kind(e) == kind &&
                 (!name || (kind != CT_PROFILER_KIND_LEAVE && found && strcmp(found, name) == 0));
    }
    return count;
}

// The first event of this kind and name, or NULL.
static inline const ct_profiler_event *find_event(const ct_profiler_block *block,
                                                  ct_profiler_kind kind, const char *name) {
    for (uint32_t i = 0; block && i < block->num_events; ++i) {
        const ct_profiler_event *const e = &ct_profiler_block_events(block)[i];
        if (ct_profiler_event_kind(e) == kind && strcmp(ct_profiler_event_name(e), name) == 0)
            return e;
    }
    return NULL;
}
