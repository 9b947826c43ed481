// memory_settings.h: settings of the memory system from the environment.
//
// CUTTLE_MEMORY_CHECK=0|1       keep a table of all blocks, which finds double frees, foreign
//                               pointers and wrong sizes (1 in `dev`)
// CUTTLE_MEMORY_TRACE=NAME,…    trace these allocators from the start (ct_memory_trace)
// CUTTLE_MEMORY_GUARD=NAME,…    put proxies of these names on the guard allocator (`dev` only)
// CUTTLE_FAIL_ALLOCATION=N      make the Nth allocation through heap, pages and proxies fail
#pragma once
#include "foundation/types.h"

// Reads the settings; reports an invalid one on standard error and ignores it. Within
// ct_memory_init.
void ct_memory_settings_read(void);

// Return the settings as read, or the build's defaults. Texts are borrowed for the life of the
// process.
bool ct_memory_settings_checks_blocks(void);
const char *ct_memory_settings_traced_names(void);    // comma-separated; or NULL
const char *ct_memory_settings_guarded_names(void);   // as above
uint64_t ct_memory_settings_failing_allocation(void); // 0: none

// Reports on standard error when there were too few allocations for CUTTLE_FAIL_ALLOCATION. Within
// ct_memory_shutdown.
void ct_memory_settings_end(void);

// Counts an allocation; returns true when it is the one to fail. Any thread.
bool ct_memory_settings_fails_now(void);
