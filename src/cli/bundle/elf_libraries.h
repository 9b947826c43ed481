// elf_libraries.h: lists the shared libraries that a program needs.
#pragma once
#include "foundation/container/array.h"

typedef CT_ARRAY(const char *) ct_library_names;

// Appends the names in the dynamic section of a 64-bit little-endian ELF program to `names`. `data`
// is the program's `bytes` bytes; the names are borrowed from it. Returns false with `error` when
// it is not such a program. From the ELF-64 Object File Format, version 1.5.
bool ct_elf_libraries(const void *data, uint64_t bytes, ct_library_names *names, ct_error *error);
