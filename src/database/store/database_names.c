#include "database/store/database_names.h"

#include <string.h>

#include "resource/blob/content_hash.h"

void ct_database_names_init(ct_database_names *names, ct_allocator *a) {
    ct_array_init(&names->list, a);
    ct_array_init(&names->by_id, a);
    ct_hash_map_init(&names->by_hash, a);
}

void ct_database_names_free(ct_database_names *names) {
    ct_database_names_clear(names);
    ct_array_free(&names->list);
    ct_array_free(&names->by_id);
    ct_hash_map_free(&names->by_hash);
}

void ct_database_names_clear(ct_database_names *names) {
    for (uint32_t i = 0; i < names->list.count; ++i)
        ct_free(names->list.allocator, (char *)names->list.items[i].text);
    names->list.count = 0;
    names->by_id.count = 0;
    ct_hash_map_clear(&names->by_hash);
}

int64_t ct_database_names_id(const ct_database_names *names, const void *text, uint32_t length) {
    const uint64_t *const first = ct_hash_map_find(&names->by_hash, ct_content_hash(text, length));
    for (uint32_t place = first ? (uint32_t)*first + 1 : 0; place > 0;) {
        const ct_database_name *const name = &names->list.items[place - 1];
        if (name->length == length && memcmp(name->text, text, length) == 0)
            return name->id;
        place = name->next;
    }
    return 0;
}

const ct_database_name *ct_database_names_get(const ct_database_names *names, int64_t id) {
    if (id < 1 || (uint64_t)id >= names->by_id.count)
        return NULL;
    const uint32_t place = names->by_id.items[id];
    return place > 0 ? &names->list.items[place - 1] : NULL;
}

void ct_database_names_add(ct_database_names *names, int64_t id, const void *text,
                           uint32_t length) {
    if (id < 1 || id > CT_DATABASE_MAX_NAMES)
        return;
    char *const copy = ct_alloc(names->list.allocator, (uint64_t)length + 1);
    memcpy(copy, text, length);
    copy[length] = 0;
    const uint64_t hash = ct_content_hash(text, length);
    const uint64_t *const before = ct_hash_map_find(&names->by_hash, hash);
    const uint32_t next = before ? (uint32_t)*before + 1 : 0;
    ct_hash_map_set(&names->by_hash, hash, names->list.count);
    if (names->by_id.count <= (uint64_t)id)
        ct_array_resize(&names->by_id, (uint32_t)id + 1);
    names->by_id.items[id] = names->list.count + 1;
    ct_array_push(&names->list,
                  (ct_database_name){.id = id, .text = copy, .length = length, .next = next});
}
