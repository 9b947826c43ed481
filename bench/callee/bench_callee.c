#include "callee/bench_callee.h"

#include <string.h>

__attribute__((visibility("default"))) uint32_t bench_callee_add(uint32_t a, uint32_t b) {
    return a * 3 + b;
}

static uint32_t add(uint32_t a, uint32_t b) {
    return a * 3 + b;
}

__attribute__((visibility("default"))) const void *bench_callee_get_api(const char *name,
                                                                        uint32_t version) {
    static const bench_callee_api_1 api = {add};
    return strcmp(name, "callee") == 0 && version == 1 ? &api : NULL;
}
