#include "foundation/memory/memory_settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/os/os.h"

static struct {
    bool checks_blocks;
    const char *traced_names, *guarded_names;
    uint64_t failing_allocation;
    _Atomic uint64_t num_allocations; // counted only while one is to fail
} settings;

static const char *names_of(const char *variable) {
    const char *const names = ct_os_environment(variable);
    return names && *names ? names : NULL;
}

static bool read_switch(const char *variable, bool otherwise) {
    const char *const value = names_of(variable);
    if (!value || strcmp(value, "0") == 0 || strcmp(value, "1") == 0)
        return value ? *value == '1' : otherwise;
    fprintf(stderr, "%s is \"%s\"; expected 0 or 1\n", variable, value);
    return otherwise;
}

static uint64_t read_number(const char *variable) {
    const char *const value = names_of(variable);
    if (!value)
        return 0;
    char *end = NULL;
    errno = 0;
    const unsigned long long number = strtoull(value, &end, 10);
    if (*value >= '0' && *value <= '9' && *end == 0 && errno == 0 && number > 0)
        return number;
    fprintf(stderr, "%s is \"%s\"; expected a number of at least 1\n", variable, value);
    return 0;
}

void ct_memory_settings_read(void) {
#ifdef CT_BUILD_DEV
    settings.checks_blocks = read_switch("CUTTLE_MEMORY_CHECK", true);
    settings.guarded_names = names_of("CUTTLE_MEMORY_GUARD");
#else
    settings.checks_blocks = read_switch("CUTTLE_MEMORY_CHECK", false);
#endif
    settings.traced_names = names_of("CUTTLE_MEMORY_TRACE");
    settings.failing_allocation = read_number("CUTTLE_FAIL_ALLOCATION");
    atomic_store_explicit(&settings.num_allocations, 0, memory_order_relaxed);
}

bool ct_memory_settings_checks_blocks(void) {
    return settings.checks_blocks;
}

const char *ct_memory_settings_traced_names(void) {
    return settings.traced_names;
}

const char *ct_memory_settings_guarded_names(void) {
    return settings.guarded_names;
}

uint64_t ct_memory_settings_failing_allocation(void) {
    return settings.failing_allocation;
}

void ct_memory_settings_end(void) {
    const uint64_t count = atomic_load_explicit(&settings.num_allocations, memory_order_relaxed);
    if (count < settings.failing_allocation)
        fprintf(stderr,
                "CUTTLE_FAIL_ALLOCATION is %" PRIu64 ", but there were only %" PRIu64
                " allocations\n",
                settings.failing_allocation, count);
}

bool ct_memory_settings_fails_now(void) {
    if (__builtin_expect(settings.failing_allocation == 0, 1))
        return false;
    return atomic_fetch_add_explicit(&settings.num_allocations, 1, memory_order_relaxed) + 1 ==
           settings.failing_allocation;
}
