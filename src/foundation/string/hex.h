// hex.h: hexadecimal digits.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// Returns the value of a digit of either case, or -1 for other characters.
static inline int ct_hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Reads two digits for each of `num_bytes` bytes, the upper half first. Returns false at another character; `bytes` is
// then written in part.
static inline bool ct_hex_read(const char *text, uint32_t num_bytes, uint8_t *bytes) {
    for (uint32_t i = 0; i < num_bytes; ++i) {
        const int high = ct_hex_digit(text[2 * i]);
        const int low = high < 0 ? -1 : ct_hex_digit(text[2 * i + 1]);
        if (low < 0)
            return false;
        bytes[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}
