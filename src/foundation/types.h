// types.h: the few names that every file uses.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ct_allocator ct_allocator;
typedef struct ct_error ct_error;

// The number of elements of an array (not of a pointer).
#define CT_COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

// Checks a function's arguments against its printf format; both positions count from 1.
#define CT_PRINTF(format_position, first_argument)                                                 \
    __attribute__((format(printf, format_position, first_argument)))

// Makes a scope variable run `function(&variable)` when its scope ends, also when a Lua error
// unwinds through it (all C is compiled with -fexceptions).
#define CT_CLEANUP(function) __attribute__((cleanup(function)))

// A function that shared libraries find before their own of the same name: it is visible outside of the
// program, which all others are not.
#define CT_EXPORTED __attribute__((visibility("default")))
