#include "compiler/protocol/compiler_circle.h"
#include "foundation/string/string_builder.h"

#include <string.h>

char *ct_circle_name(ct_allocator *a, const char *path) {
    char *const name = ct_copy_string(a, path);
    char *const dot = strrchr(name, '.');
    if (dot)
        *dot = 0;
    return name;
}

char *ct_circle_way(ct_allocator *a, const char *const *names, uint32_t count, uint32_t *closing) {
    uint32_t start = 0;
    for (uint32_t i = 1; i < count; ++i)
        if (strcmp(names[i], names[start]) < 0)
            start = i;
    ct_string_builder way;
    ct_string_builder_init(&way, a);
    for (uint32_t i = 0; i < count; ++i)
        ct_string_builder_addf(&way, "%s: ", names[(start + i) % count]);
    ct_string_builder_add(&way, names[start]);
    *closing = (start + count - 1) % count;
    return way.text;
}
