// utf8.h: text as characters: validity, character boundaries, upper and lower case.
//
// UTF-8 as Unicode defines it: no overlong forms, no surrogates, nothing above U+10FFFF. Any
// thread.
#pragma once
#include "foundation/types.h"

// Returns the length of the character at `text`, where `left` bytes (at least 1) are left: 1 to 4,
// or 0 when it is invalid.
uint32_t ct_utf8_length(const char *text, uint64_t left);

// Returns whether all `bytes` bytes are valid. Zero bytes are.
bool ct_utf8_is_valid(const char *text, uint64_t bytes);

// Returns the number of bytes of a byte order mark at the start of a text: 3, or 0 without one.
uint32_t ct_utf8_mark_bytes(const char *text, uint64_t bytes);

// Returns the code point of the valid character at `text`.
uint32_t ct_utf8_decode(const char *text);

// Returns whether a character is invisible but changes the text: a control character (including a
// tab), a direction mark, a zero-width space, a soft hyphen.
bool ct_utf8_is_hidden(uint32_t code_point);

// Writes a code point (0 to 0x10ffff, not a surrogate) as 1 to 4 bytes; returns how many.
uint32_t ct_utf8_encode(char text[4], uint32_t code_point);

// Writes `text` to `out` of `bytes` (at least 1) as one line that a terminal displays without
// obeying it: control characters, and bytes that are not valid UTF-8, become `\n`, `\t`, `\r` or
// `\x1b`. Cut between characters when it does not fit.
void ct_utf8_write_printable(char *out, uint32_t bytes, const char *text);

// Writes a text of several lines and `text_bytes` bytes in the same way (`bytes` at least 8): `\n`
// and `\t` stay as they are, and a zero byte becomes `\x00`. Returns how many bytes of `text` it
// wrote: `text_bytes`, or fewer when the rest did not fit.
uint64_t ct_utf8_write_printable_lines(char *out, uint32_t bytes, const char *text,
                                       uint64_t text_bytes);

// Return the lower (upper) case letter of a code point, by Unicode's simple mapping, which ignores
// the language and maps one to one: ß stays as it is. Other code points stay as they are.
uint32_t ct_utf8_lower(uint32_t code_point);
uint32_t ct_utf8_upper(uint32_t code_point);
