// utf8.h: text as characters: what is valid, where characters lie, upper and lower case.
//
// UTF-8 as Unicode has it: no overlong forms, no surrogates, nothing past U+10FFFF. Any thread.
#pragma once
#include "foundation/types.h"

// The length of the character at `text`, of which `left` bytes (at least 1) are there: 1 to 4; 0
// when it is not valid.
uint32_t ct_utf8_length(const char *text, uint64_t left);

// True when all of `bytes` bytes are valid. Zero bytes are.
bool ct_utf8_is_valid(const char *text, uint64_t bytes);

// The bytes of the byte order mark at the start of a text: 3, or 0 when there is none.
uint32_t ct_utf8_mark_bytes(const char *text, uint64_t bytes);

// The code point of the valid character at `text`.
uint32_t ct_utf8_decode(const char *text);

// True for a character that is not seen but changes what is: a control (a tab, too), a mark of
// direction, a space of no width, a soft hyphen.
bool ct_utf8_is_hidden(uint32_t code_point);

// Writes a code point (0 to 0x10ffff, no surrogate) as 1 to 4 bytes; returns how many.
uint32_t ct_utf8_encode(char text[4], uint32_t code_point);

// Writes `text` to `out` of `bytes` (at least 1) as one line that a terminal shows and does not
// obey: control characters, and bytes that are not valid, become `\n`, `\t`, `\r` or `\x1b`. Cut
// between characters when it does not fit.
void ct_utf8_write_printable(char *out, uint32_t bytes, const char *text);

// As ct_utf8_write_printable (`bytes` at least 8), of a text of several lines and `text_bytes` bytes:
// `\n` and `\t` stay as they are, and a zero byte becomes `\x00`. Returns how many bytes of `text` it
// wrote: `text_bytes`, or fewer when the rest did not fit.
uint64_t ct_utf8_write_printable_lines(char *out, uint32_t bytes, const char *text,
                                       uint64_t text_bytes);

// The lower (upper) case letter of one code point, by Unicode's simple mapping, which knows no
// language and maps one to one: ß stays as it is. Others give themselves.
uint32_t ct_utf8_lower(uint32_t code_point);
uint32_t ct_utf8_upper(uint32_t code_point);
