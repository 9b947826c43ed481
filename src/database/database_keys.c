#include "database/database_keys.h"

#include <string.h>

#include "database/database_bytes.h"
#include "resource/blob/content_hash.h"

void ct_database_keys_init(ct_database_keys *keys, ct_allocator *a) {
    ct_array_init(&keys->list, a);
    ct_array_push(&keys->list, (ct_database_key){0});
    keys->index = (ct_database_index){.allocator = a};
    keys->bytes = ct_database_bytes_create(a);
}

void ct_database_keys_free(ct_database_keys *keys) {
    ct_array_free(&keys->list);
    ct_database_index_free(&keys->index);
    ct_database_bytes_destroy(keys->bytes);
}

static uint32_t find(const ct_database_keys *keys, const char *text, uint32_t length,
                     uint64_t hash) {
    uint32_t place, number;
    ct_database_index_find(&keys->index, hash, &place);
    while ((number = ct_database_index_next(&keys->index, hash, &place)) != 0) {
        const ct_database_key *const key = &keys->list.items[number];
        if (key->length == length && memcmp(key->text, text, length) == 0)
            break;
    }
    return number;
}

uint32_t ct_database_keys_find(const ct_database_keys *keys, const char *text, uint32_t length) {
    return find(keys, text, length, ct_content_hash(text, length));
}

uint32_t ct_database_keys_add(ct_database_keys *keys, const char *text, uint32_t length) {
    const uint64_t hash = ct_content_hash(text, length);
    const uint32_t found = find(keys, text, length, hash);
    if (found)
        return found;
    const uint32_t number = keys->list.count;
    ct_array_push(&keys->list,
                  (ct_database_key){.text = ct_database_bytes_text(keys->bytes, text, length),
                                    .length = length});
    ct_database_index_add(&keys->index, hash, number);
    return number;
}

int ct_database_key_compare(const char *a, uint32_t a_length, const char *b, uint32_t b_length) {
    const uint32_t shared = a_length < b_length ? a_length : b_length;
    const int order = shared ? memcmp(a, b, shared) : 0;
    return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}
