// crash_text.h: text that is built piece by piece without the heap; for the crash_*.c files only.
//
// Everything here may run in a signal handler: no heap, no locks, no stdio.
#pragma once
#include "foundation/types.h"

// A buffer of `capacity` bytes (at least 1), always zero-terminated; text that does not fit is cut.
typedef struct ct_crash_text {
    char *bytes;
    uint32_t capacity, length;
} ct_crash_text;

// Makes an empty text over `bytes`.
ct_crash_text ct_crash_text_over(char *bytes, uint32_t capacity);

// Append a piece of text, `bytes` bytes of one, or a number in decimal or hexadecimal digits.
void ct_crash_text_add(ct_crash_text *t, const char *piece);
void ct_crash_text_add_bytes(ct_crash_text *t, const char *piece, uint32_t bytes);
void ct_crash_text_add_number(ct_crash_text *t, uint64_t value);
void ct_crash_text_add_hex(ct_crash_text *t, uint64_t value); // 0x2a

// Adds `message`, each of its lines after `indent` and ended by a newline.
void ct_crash_text_add_indented(ct_crash_text *t, const char *message, const char *indent);

// Adds `bytes` of text as a quoted JSON string; bytes that are not UTF-8 become question marks.
// Returns false, and adds nothing, when it does not fit.
bool ct_crash_text_add_json(ct_crash_text *t, const char *text, uint32_t bytes);
