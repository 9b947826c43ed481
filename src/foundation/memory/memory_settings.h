// memory_settings.h: what the environment asks of the memory system.
//
// CUTTLE_MEMORY_CHECK=0|1       keep a table of all blocks, which finds double frees, foreign
//                               pointers and wrong sizes (1 in `dev`)
// CUTTLE_MEMORY_TRACE=NAME,…    trace these allocators from the start (ct_memory_trace)
// CUTTLE_MEMORY_GUARD=NAME,…    put proxies of these names on the guard allocator (`dev` only)
// CUTTLE_FAIL_ALLOCATION=N      the Nth allocation through heap, pages and proxies finds no memory
#pragma once
#include "foundation/types.h"

// Reads them; what makes no sense is said on standard error and left out. Within ct_memory_init.
void ct_memory_settings_read(void);

// The settings as read, or as the build has them. Texts are borrowed for the life of the
// process.
bool ct_memory_settings_checks_blocks(void);
const char *ct_memory_settings_traced_names(void);    // with commas between; or NULL
const char *ct_memory_settings_guarded_names(void);   // as above
uint64_t ct_memory_settings_failing_allocation(void); // 0: none

// Says on standard error when the allocation that was to fail never came. Within
// ct_memory_shutdown.
void ct_memory_settings_end(void);

// Counts an allocation; true when it is the one to fail. Any thread.
bool ct_memory_settings_fails_now(void);
