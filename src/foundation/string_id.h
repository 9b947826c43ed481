// string_id.h: strings as numbers.
//
// 64-bit ids name types and resources (MurmurHash64A, seed 0); 32-bit ids name fields, components,
// parameters (MurmurHash2, seed 0). Both are Austin Appleby's published functions; `root_point`
// is 0x5e43bd96 in 32 bits. Bytes are read as little-endian on every machine. {0} is none, and the
// id of the empty string.
#pragma once
#include "foundation/types.h"

typedef struct ct_string_id32 {
    uint32_t value;
} ct_string_id32;

typedef struct ct_string_id64 {
    uint64_t value;
} ct_string_id64;

// The id of a zero-terminated string.
ct_string_id32 ct_string_id32_of(const char *text);
ct_string_id64 ct_string_id64_of(const char *text);

// The id of `length` bytes.
ct_string_id32 ct_string_id32_of_bytes(const void *bytes, uint64_t length);
ct_string_id64 ct_string_id64_of_bytes(const void *bytes, uint64_t length);
