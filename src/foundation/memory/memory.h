// memory.h: the root allocators of the process.
//
// At the start, a static buffer ("bootstrap") holds the first allocators: the page and heap
// allocators and the one for traces. memory_settings.h lists the settings from the environment.
// Shutdown goes in reverse order and asserts that each is empty, naming the one that is not.
// From "Custom Memory Allocation in C++" (Bitsquid blog, 2010-09-21).
#pragma once
#include "foundation/string/string_builder.h"

// Makes the root allocators. Call it once, before everything else, on the main thread.
void ct_memory_init(void);

// Ends the root allocators. A block that was not freed is a bug and ends the program. The report
// names the allocator and how many blocks and bytes it still holds. Where blocks are checked, it
// also lists the largest, with their call stacks when traced.
void ct_memory_shutdown(void);

// Returns the heap: general memory, safe from any thread. Systems do not use it directly: they make
// a proxy.
ct_allocator *ct_memory_heap(void);

// Returns the allocator of whole pages straight from the operating system, for big buffers; safe
// from any thread.
ct_allocator *ct_memory_pages(void);

// Returns the guard allocator (guard_allocator.h) for the proxies that the environment names; NULL
// when it names no proxy.
ct_allocator *ct_memory_guard(void);

// Calls `visit` for every live named allocator (the roots and all proxies), parents before
// children, in the order they were made. `depth` is 0 for the roots and for proxies over an
// allocator that is not in the tree (frame, temp). Any thread. `visit` is called under the tree's
// lock: it must not make or end a proxy.
void ct_memory_visit(void (*visit)(void *user, const char *name, uint32_t depth,
                                   ct_allocator_stats stats),
                     void *user);

// --- Tracing -------------------------------------------------------------------------------------

// While an allocator is traced, the call stack of every block it hands out is kept as long as the
// block lives. `name` is the end of the path of a proxy or root ("world/physics", "physics") and
// includes all allocators over it.

// Switches tracing on or off, at any time and from any thread. Blocks allocated before it was
// switched on are not in the report. When there is no such allocator, returns false and sets
// `error`, which lists the names.
bool ct_memory_trace(const char *name, bool is_on, ct_error *error);

// Appends a report of the blocks of a traced allocator: a line with the sum, then for each call
// stack its bytes and blocks and a line for each call, largest first, 64 at most. Slow: it looks up
// symbols. Returns false and sets `error` when there is no such allocator or it is not traced.
bool ct_memory_trace_report(const char *name, ct_string_builder *text, ct_error *error);
