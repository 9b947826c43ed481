#include <stdio.h>

#include "foundation/memory.h"
#include "foundation/profiler_private.h"

static void count(void *user, const char *name, uint32_t depth, ct_allocator_stats stats) {
    (void)user, (void)depth;
    char text[CT_PROFILER_NAME_BYTES];
    snprintf(text, sizeof(text), "memory %s", name);
    ct_profiler_counter(ct_profiler_name(text), (double)stats.live_bytes);
}

void ct_profiler_count_memory(void) {
    ct_memory_visit(count, NULL);
}
