#include "content/move/content_mentions.h"

#include <string.h>

#include "foundation/os/path.h"

void ct_mentions_init(ct_mentions *mentions, ct_allocator *a) {
    ct_array_init(&mentions->items, a);
    ct_array_init(&mentions->names, a);
}

void ct_mentions_free(ct_mentions *mentions) {
    ct_array_free(&mentions->items);
    ct_array_free(&mentions->names);
}

void ct_mentions_add(ct_mentions *mentions, const ct_mention *mention, const char *name,
                     uint64_t bytes) {
    if (bytes == 0 || bytes >= CT_PATH_BYTES || memchr(name, 0, bytes))
        return;
    ct_mention added = *mention;
    added.name = mentions->names.count;
    ct_array_push(&mentions->items, added);
    ct_array_push_many(&mentions->names, (const uint8_t *)name, (uint32_t)bytes);
    ct_array_push(&mentions->names, 0);
}
