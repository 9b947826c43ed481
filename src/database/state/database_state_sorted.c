#include "database/state/database_state_sorted.h"

#include <stdlib.h>

void ct_database_objects_sorted(const ct_database_state *s, ct_database_guid_array *guids) {
    const uint32_t first = guids->count;
    uint32_t place = 0;
    ct_guid guid;
    ct_array_reserve(guids, (uint64_t)first + s->num_existing);
    while (ct_database_state_next_object(s, &place, &guid))
        ct_array_push(guids, guid);
    ct_database_guid_array other;
    ct_array_init(&other, guids->allocator);
    ct_array_resize(&other, guids->count - first);
    ct_database_guids_sort(guids->items + first, other.items, guids->count - first);
    ct_array_free(&other);
}

static int compare(const void *first, const void *second) {
    const ct_database_sorted_key *const a = first, *const b = second;
    return ct_database_key_compare(a->text, a->length, b->text, b->length);
}

void ct_database_keys_sorted(const ct_database_state *s, ct_guid object,
                             ct_database_key_array *keys) {
    const uint32_t number = ct_database_object_find(s, object);
    keys->count = 0;
    if (!number || !ct_database_object_exists(s, number, ct_database_object_at(s, number)))
        return;
    for (uint32_t i = ct_database_object_at(s, number)->first_value; i;
         i = ct_database_value_at(s, i)->next) {
        const ct_database_held_value *const value = ct_database_value_at(s, i);
        const ct_database_key *const key = &s->keys.list.items[value->key];
        if (ct_database_value_kind(s, value) != CT_DATABASE_NULL)
            ct_array_push(keys, (ct_database_sorted_key){key->text, key->length, i});
    }
    if (keys->count > 1)
        qsort(keys->items, keys->count, sizeof(*keys->items), compare);
}
