// input_bytes.h: the bytes that say what a fuzz target does next. Include once in a program.
//
// To start an engine takes longer than some hundred steps. So all inputs make as many: behind the
// bytes of the input come those of a random generator that the input seeds.
#pragma once
#include "foundation/string/string_id.h"

static struct {
    const uint8_t *at, *end;
    uint32_t random;
} input;

static void start_input(const uint8_t *data, size_t size) {
    input.at = data;
    input.end = data + size;
    input.random = (uint32_t)ct_string_id64_of_bytes((const char *)data, (uint32_t)size).value | 1;
}

static uint32_t next_byte(void) {
    if (input.at < input.end)
        return *input.at++;
    input.random = input.random * 1664525u + 1013904223u;
    return input.random >> 24;
}
