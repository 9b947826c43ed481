// size_text.h: sizes in bytes as reports tell them to people.
#pragma once
#include <stdint.h>

typedef struct ct_size_text {
    char text[24];
} ct_size_text;

// "999 B", "1.5 kB", "1.5 MB": kilobytes of 1000 bytes, megabytes of 1000 of these.
ct_size_text ct_size_text_of(uint64_t bytes);
