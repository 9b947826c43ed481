// size_text.h: sizes in bytes as text for people.
#pragma once
#include <stdint.h>

// A size as text, by value, for arguments of printf.
typedef struct ct_size_text {
    char text[24];
} ct_size_text;

// Returns "999 B", "1.5 kB", "1.5 MB": a kilobyte is 1000 bytes, a megabyte 1000 kilobytes.
ct_size_text ct_size_text_of(uint64_t bytes);
