// loader_host.h: what the loaders ask of the program around them, with the C library alone:
// the end by a bug, names of ids, reading of files, memory.
#pragma once
#include "foundation/memory/allocator.h"

// malloc and free. One thread.
ct_allocator *loader_host_allocator(void);
