#include "resource/blob/platform.h"

#include <string.h>

// No games run on `be64`: it tests that no code depends on the byte order.
static const ct_platform platforms[] = {
    {"linux", CT_BYTE_ORDER_LITTLE},
    {"windows", CT_BYTE_ORDER_LITTLE},
    {"be64", CT_BYTE_ORDER_BIG},
};

const ct_platform *ct_platforms(uint32_t *count) {
    *count = CT_COUNT_OF(platforms);
    return platforms;
}

const ct_platform *ct_platform_named(const char *name) {
    for (uint32_t i = 0; i < CT_COUNT_OF(platforms); ++i) {
        if (strcmp(platforms[i].name, name) == 0)
            return &platforms[i];
    }
    return NULL;
}
