// crash_peek.h: reading memory that may not be there; for the crash_*.c files only.
#pragma once
#include "foundation/crash/crash_text.h"

// Makes the pipe that ct_crash_peek needs; without one it reads unprotected. Only system calls.
void ct_crash_peek_init(void);

// Copies up to `bytes` from `source` and returns how many could be read before the first that could
// not. No heap, no locks; one thread at a time.
uint32_t ct_crash_peek(void *target, const void *source, uint32_t bytes);

// Adds the zero-terminated `text`, cut to `most` bytes, or a remark in its place when its memory
// cannot be read; nothing for NULL.
void ct_crash_text_add_peeked(ct_crash_text *t, const char *text, uint32_t most);
