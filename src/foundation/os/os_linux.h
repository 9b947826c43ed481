// os_linux.h: functions shared by the os_linux*.c files; no other file includes it.
#pragma once
#include "foundation/types.h"
#include <time.h>

// Fills `error` with "cannot <verb> <path>: <text of errno>". Returns false.
bool ct_os_linux_error(ct_error *error, const char *verb, const char *path);

// Returns the ct_os_time_ns at which `timeout_ns` from now will have passed; never overflows.
uint64_t ct_os_linux_deadline(uint64_t timeout_ns);

// Returns the time left until `deadline`, at least 0, for ppoll and similar calls.
struct timespec ct_os_linux_left(uint64_t deadline);

// Waits until `file` can be read (or has ended), or `deadline` has passed; returns false in the
// latter case.
bool ct_os_linux_wait_readable(int file, uint64_t deadline);
