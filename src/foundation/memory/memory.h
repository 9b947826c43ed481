// memory.h: the process's root allocators, from a static buffer up.
//
// Start: a static buffer ("bootstrap") holds the first allocators: the page and heap allocators and
// the one of traces. What the environment may ask for is in memory_settings.h.
// Shutdown goes the other way round and asserts that each is empty, naming the one that is not.
// From "Custom Memory Allocation in C++" (Bitsquid blog, 2010-09-21).
#pragma once
#include "foundation/string/string_builder.h"

// Makes the root allocators. Call once, first of all, on the main thread.
void ct_memory_init(void);

// Ends the root allocators. A block that was not freed is a bug: the report names the allocator,
// how many blocks and bytes it still holds, where blocks are checked also the largest of them, with
// their call stacks when traced, and ends the program.
void ct_memory_shutdown(void);

// General memory, safe from any thread. Systems do not use it directly: they make a proxy.
ct_allocator *ct_memory_heap(void);

// Whole pages straight from the operating system, safe from any thread; for big buffers.
ct_allocator *ct_memory_pages(void);

// Memory between forbidden pages (guard_allocator.h) for the proxies that the environment names;
// NULL when it names none.
ct_allocator *ct_memory_guard(void);

// Calls `visit` for every named allocator that lives (the roots and all proxies), parents before
// children, in the order they were made. `depth` is 0 for the roots and for proxies over an
// allocator that is not in the tree (frame, temp). Any thread. `visit` is called under the tree's
// lock: it must neither make nor end a proxy.
void ct_memory_visit(void (*visit)(void *user, const char *name, uint32_t depth,
                                   ct_allocator_stats stats),
                     void *user);

// --- Tracing -------------------------------------------------------------------------------------

// While an allocator is traced, the call stack of every block it hands out is kept as long as the
// block lives. `name` names a proxy or root by the end of its path ("world/physics", "physics") and
// means all that stands on it too.

// Switches tracing on or off, at any time and from any thread. Blocks that were there before it was
// switched on are not in the report. False with `error`, which lists the names, when there is none.
bool ct_memory_trace(const char *name, bool is_on, ct_error *error);

// Appends what the traced allocator holds: a line with the sum, then for each call stack its bytes
// and blocks and a line for each call, largest first, 64 at most. Slow: symbols are looked up.
// False with `error` when there is no such allocator or it is not traced.
bool ct_memory_trace_report(const char *name, ct_string_builder *text, ct_error *error);
