#include "foundation/string/utf8.h"

#include <stdio.h>
#include <string.h>

static bool is_continuation(uint8_t byte) {
    return (byte & 0xc0) == 0x80;
}

uint32_t ct_utf8_length(const char *text, uint64_t left) {
    const uint8_t *const s = (const uint8_t *)text;
    if (s[0] < 0x80)
        return 1;
    if (s[0] < 0xc2 || s[0] > 0xf4)
        return 0;
    const uint32_t bytes = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    if (left < bytes)
        return 0;
    for (uint32_t i = 1; i < bytes; ++i) {
        if (!is_continuation(s[i]))
            return 0;
    }
    const bool is_overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    const bool is_surrogate = s[0] == 0xed && s[1] > 0x9f;
    const bool is_too_big = s[0] == 0xf4 && s[1] > 0x8f;
    return is_overlong || is_surrogate || is_too_big ? 0 : bytes;
}

bool ct_utf8_is_valid(const char *text, uint64_t bytes) {
    for (uint64_t at = 0; at < bytes;) {
        const uint32_t length = ct_utf8_length(text + at, bytes - at);
        if (length == 0)
            return false;
        at += length;
    }
    return true;
}

uint32_t ct_utf8_mark_bytes(const char *text, uint64_t bytes) {
    static const char mark[] = "\xef\xbb\xbf";
    const uint32_t mark_bytes = sizeof(mark) - 1;
    return bytes >= mark_bytes && memcmp(text, mark, mark_bytes) == 0 ? mark_bytes : 0;
}

uint32_t ct_utf8_decode(const char *text) {
    const uint8_t *const s = (const uint8_t *)text;
    if (s[0] < 0x80)
        return s[0];
    if (s[0] < 0xe0)
        return (s[0] & 0x1fu) << 6 | (s[1] & 0x3fu);
    if (s[0] < 0xf0)
        return (s[0] & 0x0fu) << 12 | (s[1] & 0x3fu) << 6 | (s[2] & 0x3fu);
    return (s[0] & 0x07u) << 18 | (s[1] & 0x3fu) << 12 | (s[2] & 0x3fu) << 6 | (s[3] & 0x3fu);
}

bool ct_utf8_is_hidden(uint32_t c) {
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c ||
           (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2060 && c <= 0x206f) || c == 0xfeff;
}

uint32_t ct_utf8_encode(char text[4], uint32_t code) {
    if (code < 0x80) {
        text[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        text[0] = (char)(0xc0 | (code >> 6));
        text[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    if (code < 0x10000) {
        text[0] = (char)(0xe0 | (code >> 12));
        text[1] = (char)(0x80 | ((code >> 6) & 0x3f));
        text[2] = (char)(0x80 | (code & 0x3f));
        return 3;
    }
    text[0] = (char)(0xf0 | (code >> 18));
    text[1] = (char)(0x80 | ((code >> 12) & 0x3f));
    text[2] = (char)(0x80 | ((code >> 6) & 0x3f));
    text[3] = (char)(0x80 | (code & 0x3f));
    return 4;
}

// Writes the escape for a byte that must not be shown as it is; returns the length.
static uint32_t write_escape(char escape[8], uint8_t byte) {
    static const char names[] = "\n\r\t", letters[] = "nrt";
    const char *const known = byte != 0 ? strchr(names, byte) : NULL;
    if (known)
        return (uint32_t)snprintf(escape, 8, "\\%c", letters[known - names]);
    return (uint32_t)snprintf(escape, 8, "\\x%02x", byte);
}

static bool is_control(uint32_t code_point) {
    return code_point < 0x20 || (code_point >= 0x7f && code_point < 0xa0);
}

// Writes as much of `text` as fits; returns how much of it that is. Characters in `kept` stay.
static uint64_t write_printable(char *out, uint32_t bytes, const char *text, uint64_t text_bytes,
                                const char *kept) {
    uint32_t used = 0;
    uint64_t left = text_bytes;
    while (left > 0) {
        const uint32_t length = ct_utf8_length(text, left);
        char escape[8];
        const bool is_shown =
            length > 0 && (!is_control(ct_utf8_decode(text)) || (*text && strchr(kept, *text)));
        // Each byte of a two-byte control character is written as an escape.
        const uint32_t taken = is_shown ? length : 1;
        const uint32_t count = is_shown ? length : write_escape(escape, (uint8_t)*text);
        if (used + count >= bytes)
            break;
        memcpy(out + used, is_shown ? text : escape, count);
        used += count;
        text += taken;
        left -= taken;
    }
    out[used] = 0;
    return text_bytes - left;
}

void ct_utf8_write_printable(char *out, uint32_t bytes, const char *text) {
    write_printable(out, bytes, text, strlen(text), "");
}

uint64_t ct_utf8_write_printable_lines(char *out, uint32_t bytes, const char *text,
                                       uint64_t text_bytes) {
    return write_printable(out, bytes, text, text_bytes, "\n\t");
}
