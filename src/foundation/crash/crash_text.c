#include "foundation/crash/crash_text.h"

#include <string.h>

ct_crash_text ct_crash_text_over(char *bytes, uint32_t capacity) {
    bytes[0] = 0;
    return (ct_crash_text){.bytes = bytes, .capacity = capacity};
}

void ct_crash_text_add_bytes(ct_crash_text *t, const char *piece, uint32_t bytes) {
    const uint32_t room = t->capacity - t->length - 1;
    const uint32_t length = bytes < room ? bytes : room;
    memcpy(t->bytes + t->length, piece, length);
    t->length += length;
    t->bytes[t->length] = 0;
}

void ct_crash_text_add(ct_crash_text *t, const char *piece) {
    ct_crash_text_add_bytes(t, piece, (uint32_t)strlen(piece));
}

static void add_digits(ct_crash_text *t, uint64_t value, uint32_t base) {
    char digits[24];
    char *p = digits + sizeof(digits) - 1;
    *p = 0;
    do {
        *--p = "0123456789abcdef"[value % base];
        value /= base;
    } while (value);
    ct_crash_text_add(t, p);
}

void ct_crash_text_add_number(ct_crash_text *t, uint64_t value) {
    add_digits(t, value, 10);
}

void ct_crash_text_add_hex(ct_crash_text *t, uint64_t value) {
    ct_crash_text_add(t, "0x");
    add_digits(t, value, 16);
}

void ct_crash_text_add_indented(ct_crash_text *t, const char *message, const char *indent) {
    while (*message) {
        const char *const end = strchrnul(message, '\n');
        ct_crash_text_add(t, indent);
        ct_crash_text_add_bytes(t, message, (uint32_t)(end - message));
        ct_crash_text_add(t, "\n");
        message = end + (*end == '\n');
    }
}

// --- JSON ----------------------------------------------------------------------------------------

// The length of the UTF-8 character at `p`, where `left` bytes are left; 0 when it is invalid.
static uint32_t character_bytes(const unsigned char *p, uint32_t left) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (*p < 0x80)
        return 1;
    const uint32_t bytes = *p >= 0xf8 ? 0 : *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : *p >= 0xc0 ? 2 : 0;
    if (bytes == 0 || bytes > left)
        return 0;
    uint32_t code = *p & (0xffu >> (bytes + 1));
    for (uint32_t i = 1; i < bytes; ++i) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (p[i] & 0x3fu);
    }
    const bool is_surrogate = code >= 0xd800 && code < 0xe000;
    return code < least[bytes] || code > 0x10ffff || is_surrogate ? 0 : bytes;
}

static void add_escaped(ct_crash_text *t, unsigned char c) {
    const char hex[] = "0123456789abcdef";
    const char escape[] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
    const char pair[] = {'\\', c == '\n' ? 'n' : c == '\t' ? 't' : (char)c};
    const bool is_short = c == '\n' || c == '\t' || c == '"' || c == '\\';
    ct_crash_text_add_bytes(t, is_short ? pair : escape, is_short ? sizeof(pair) : sizeof(escape));
}

bool ct_crash_text_add_json(ct_crash_text *t, const char *text, uint32_t bytes) {
    enum { LONGEST = 6, QUOTE = 1 };
    const uint32_t start = t->length;
    ct_crash_text_add(t, "\"");
    for (uint32_t i = 0; i < bytes;) {
        if (t->capacity - t->length - 1 < LONGEST + QUOTE) {
            t->length = start;
            t->bytes[start] = 0;
            return false;
        }
        const unsigned char c = (unsigned char)text[i];
        const uint32_t length = character_bytes((const unsigned char *)text + i, bytes - i);
        if (length == 0)
            ct_crash_text_add(t, "?");
        else if (c < ' ' || c == '"' || c == '\\' || c == 0x7f)
            add_escaped(t, c);
        else
            ct_crash_text_add_bytes(t, text + i, length);
        i += length ? length : 1;
    }
    ct_crash_text_add(t, "\"");
    return true;
}
