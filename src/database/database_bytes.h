// database_bytes.h: bytes that grow and stay where they are: what a list of operations points at.
//
// Chunks, each larger than the one before up to 64 KiB; what is larger has a chunk of its own. One thread.
#pragma once
#include "foundation/memory/allocator.h"

typedef struct ct_database_bytes ct_database_bytes;

// Makes an empty store of bytes.
ct_database_bytes *ct_database_bytes_create(ct_allocator *a);
void ct_database_bytes_destroy(ct_database_bytes *bytes); // NULL is fine

// Returns `size_bytes` bytes without any alignment, valid until destroy.
void *ct_database_bytes_take(ct_database_bytes *bytes, uint64_t size_bytes);

// Returns a copy of `length` bytes of text with a zero behind them.
char *ct_database_bytes_text(ct_database_bytes *bytes, const char *text, uint64_t length);
