// crash_peek.h: reads memory that may not exist; for the crash_*.c files only.
#pragma once
#include "foundation/crash/crash_text.h"

// Makes the pipe that ct_crash_peek needs; without the pipe, it reads unprotected. Uses only system
// calls.
void ct_crash_peek_init(void);

// Copies up to `bytes` from `source`, up to the first unreadable byte, and returns how many. No
// heap, no locks; one thread at a time.
uint32_t ct_crash_peek(void *target, const void *source, uint32_t bytes);

// Adds the zero-terminated `text`, cut to `most` bytes, or a remark when its memory cannot be read;
// nothing for NULL.
void ct_crash_text_add_peeked(ct_crash_text *t, const char *text, uint32_t most);
