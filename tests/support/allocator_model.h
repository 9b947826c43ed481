// allocator_model.h: random operations on an allocator, held against a simple model.
//
// The model keeps what every live block must look like: its bytes (a pattern that differs for each
// block), its alignment, its size, that it overlaps no other, and what the allocator's counters
// must say. A difference fails a CT_ASSERT, so that the model may run on any thread.
#pragma once
#include "foundation/memory/allocator.h"

typedef enum test_model_frees {
    TEST_MODEL_FREES_BOTH, // sized and unsized in turn
    TEST_MODEL_FREES_SIZED,
    TEST_MODEL_FREES_UNSIZED,
} test_model_frees;

typedef struct test_allocator_model_desc {
    ct_allocator *allocator;
    uint32_t num_operations; // each takes, frees, resizes or looks at a block
    uint32_t seed;           // not 0
    uint32_t max_live;       // blocks at a time, 1 to 1,024
    uint64_t min_bytes, max_bytes;
    // At most this much (the sum of allocated sizes) is live at a time; 0: no limit.
    uint64_t max_live_bytes;
    uint64_t max_align; // blocks are aligned to powers of two up to this; 0: CT_DEFAULT_ALIGN only
    test_model_frees frees;
    // Others use the allocator at the same time: its counters cannot be told.
    bool is_shared;
} test_allocator_model_desc;

// Runs the operations, then frees every block.
void test_allocator_model(const test_allocator_model_desc *desc);
