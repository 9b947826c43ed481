#include "compiler/types/model/worker_obj_names.h"

#include <string.h>

#include "foundation/string/string_id.h"

void ct_worker_obj_names_init(ct_worker_obj_names *names, ct_allocator *a) {
    ct_array_init(&names->items, a);
    ct_hash_map_init(&names->map, a);
}

uint32_t ct_worker_obj_names_find(const ct_worker_obj_names *names, const char *text) {
    uint32_t i = (uint32_t)ct_hash_map_get(&names->map, ct_string_id64_of(text).value,
                                           CT_WORKER_OBJ_NO_NAME);
    while (i != CT_WORKER_OBJ_NO_NAME && strcmp(names->items.items[i].text, text) != 0)
        i = names->items.items[i].next;
    return i;
}

uint32_t ct_worker_obj_names_add(ct_worker_obj_names *names, const char *text) {
    const uint64_t hash = ct_string_id64_of(text).value;
    const ct_worker_obj_name name = {
        .text = ct_copy_string(names->items.allocator, text),
        .next = (uint32_t)ct_hash_map_get(&names->map, hash, CT_WORKER_OBJ_NO_NAME),
    };
    ct_hash_map_set(&names->map, hash, names->items.count);
    ct_array_push(&names->items, name);
    return names->items.count - 1;
}
