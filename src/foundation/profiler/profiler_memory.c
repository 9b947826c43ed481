// The counters "memory NAME" of a recording: the live bytes of each named allocator, once a frame.
#include <stdio.h>
#include <string.h>

#include "foundation/memory/memory.h"
#include "foundation/profiler/profiler_private.h"

// The tree of allocators hardly changes: the counter of an allocator is found at the same place of
// the walk as in the last frame, without a search.
enum { MAX_KNOWN = 256, PREFIX_BYTES = 7 };

typedef struct walk {
    uint64_t ticks; // the same for all
    uint32_t place;
} walk;

static const char *known_counters[MAX_KNOWN]; // "memory render"

static const char *counter_named(uint32_t place, const char *name) {
    const char *const known = place < MAX_KNOWN ? known_counters[place] : NULL;
    if (known && strcmp(known + PREFIX_BYTES, name) == 0)
        return known;
    char text[CT_PROFILER_NAME_BYTES];
    snprintf(text, sizeof(text), "memory %s", name);
    const char *const counter = ct_profiler_name(text);
    // Not the name for all names that did not fit.
    if (place < MAX_KNOWN && counter[0] == 'm')
        known_counters[place] = counter;
    return counter;
}

static void count(void *user, const char *name, uint32_t depth, ct_allocator_stats stats) {
    (void)depth;
    walk *const w = user;
    const char *const counter = counter_named(w->place++, name);
    ct_profiler_counter_at(counter, w->ticks, (double)stats.live_bytes);
}

void ct_profiler_count_memory(void) {
    if (!ct_profiler_is_on())
        return;
    walk w = {.ticks = ct_profiler_ticks()};
    ct_memory_visit(count, &w);
}
