// os_linux.h: what the os_linux*.c files share; nobody else includes it.
#pragma once
#include "foundation/types.h"
#include <time.h>

// Fills `error` with "cannot <verb> <path>: <what errno says>". Returns false.
bool ct_os_linux_error(ct_error *error, const char *verb, const char *path);

// The time by ct_os_time_ns at which `timeout_ns` from now have passed; never overflows.
uint64_t ct_os_linux_deadline(uint64_t timeout_ns);

// What is left until `deadline`, at least 0, for ppoll and its like.
struct timespec ct_os_linux_left(uint64_t deadline);

// Waits until `file` can be read (or has ended) or `deadline` has passed; false in the latter case.
bool ct_os_linux_wait_readable(int file, uint64_t deadline);
