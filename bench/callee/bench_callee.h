// bench_callee.h: a library that is called in both ways: by an exported function, and through an
// interface as plugins have it.
#pragma once
#include <stdint.h>

typedef struct bench_callee_api_1 {
    uint32_t (*add)(uint32_t a, uint32_t b);
} bench_callee_api_1;

uint32_t bench_callee_add(uint32_t a, uint32_t b);

// As a plugin asks for it.
const void *bench_callee_get_api(const char *name, uint32_t version);
