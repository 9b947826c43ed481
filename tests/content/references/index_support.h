// index_support.h: the index of references of a test's project.
#pragma once
#include "content/references/reference_index.h"
#include "foundation/memory/allocator.h"
#include "support/test_support.h"

static inline const ct_reference_index *update_index(const char *project) {
    ct_error error = {0};
    const ct_reference_index *const index = ct_reference_index_update(
        &(ct_reference_index_desc){.allocator = test_heap(), .project = project}, &error);
    if (!index)
        fail_msg("%s", error.message);
    return index;
}

// Has the index see the files until they are older than what their times can tell apart: else what
// a test finds out depends on how long it took to make them.
static inline void settle_index(const char *project) {
    for (uint32_t before = 0, now = UINT32_MAX; now != before;) {
        const ct_reference_index *const index = update_index(project);
        before = now;
        now = index->revision;
        ct_free(test_heap(), (void *)(uintptr_t)index);
    }
}
