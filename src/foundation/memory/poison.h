// poison.h: marks the unused memory of a sub-allocator for AddressSanitizer.
//
// Does nothing in builds without it.
#pragma once
#include "foundation/types.h"

#if defined(__SANITIZE_ADDRESS__)
#define CT_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CT_ADDRESS_SANITIZER 1
#endif
#endif

#ifdef CT_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
// For functions that read and write an allocator's own, poisoned bookkeeping.
#define CT_NO_ADDRESS_SANITIZER __attribute__((no_sanitize("address")))
#else
#define CT_NO_ADDRESS_SANITIZER
#endif

// Makes every access to these bytes an error until they are unpoisoned.
static inline void ct_poison(const void *p, uint64_t size_bytes) {
#ifdef CT_ADDRESS_SANITIZER
    __asan_poison_memory_region(p, size_bytes);
#else
    (void)p, (void)size_bytes;
#endif
}

// Allows access to these bytes.
static inline void ct_unpoison(const void *p, uint64_t size_bytes) {
#ifdef CT_ADDRESS_SANITIZER
    __asan_unpoison_memory_region(p, size_bytes);
#else
    (void)p, (void)size_bytes;
#endif
}
