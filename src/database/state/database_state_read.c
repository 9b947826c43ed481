// Reading a state: objects, values, sets.
#include <string.h>

#include "database/state/database_state_private.h"
#include "foundation/container/sort.h"

bool ct_database_state_has(const ct_database_state *s, ct_guid guid) {
    const uint32_t number = ct_database_object_find(s, guid);
    return number && ct_database_object_exists(s, number, ct_database_object_at(s, number));
}

// Returns the number of a value of an object that exists; 0 when there is no such value.
static uint32_t find_value(const ct_database_state *s, ct_guid guid, const char *key,
                           uint32_t key_length) {
    const uint32_t number = ct_database_object_find(s, guid);
    if (!number || !ct_database_object_exists(s, number, ct_database_object_at(s, number)))
        return 0;
    const uint32_t name = ct_database_keys_find(&s->keys, key, key_length);
    return name ? ct_database_value_find(s, ct_database_object_at(s, number), number, name) : 0;
}

// --- Sets ------------------------------------------------------------------------------------------

// Sorts by one half of the GUIDs, big-endian, as that is their order.
static void sort_by_half(ct_guid *guids, ct_guid *other, uint32_t count, uint32_t half) {
    for (uint32_t i = 0; i < count; ++i) {
        uint64_t parts[2];
        memcpy(parts, guids[i].bytes, sizeof(parts));
        const uint64_t key[2] = {__builtin_bswap64(parts[half]), parts[1 - half]};
        memcpy(guids[i].bytes, key, sizeof(key));
    }
    const void *const sorted = ct_sort_records64(guids, other, count, sizeof(ct_guid));
    if (sorted != guids)
        memcpy(guids, sorted, sizeof(ct_guid) * (uint64_t)count);
    for (uint32_t i = 0; i < count; ++i) {
        uint64_t key[2], parts[2];
        memcpy(key, guids[i].bytes, sizeof(key));
        parts[half] = __builtin_bswap64(key[0]);
        parts[1 - half] = key[1];
        memcpy(guids[i].bytes, parts, sizeof(parts));
    }
}

void ct_database_guids_sort(ct_guid *guids, ct_guid *other, uint32_t count) {
    bool is_sorted = true;
    for (uint32_t i = 1; i < count && is_sorted; ++i)
        is_sorted = ct_guid_compare(guids[i - 1], guids[i]) <= 0;
    if (is_sorted)
        return;
    sort_by_half(guids, other, count, 1);
    sort_by_half(guids, other, count, 0);
}

ct_database_value ct_database_value_set(const ct_database_state *s, uint32_t number) {
    const ct_database_held_value *const value = ct_database_value_at(s, number);
    const bool has_start = value->row.replica && value->row.kind == CT_DATABASE_SET;
    const uint32_t num_elements = value->set ? ct_database_set_at(s, value->set)->count : 0;
    if (num_elements == 0 && has_start)
        return ct_database_kept_value(&value->row);
    ct_database_set_scratch *const scratch = s->scratch;
    const uint64_t most = (uint64_t)num_elements + (has_start ? value->row.set.count : 0);
    scratch->items.count = 0;
    ct_array_reserve(&scratch->items, most);
    ct_array_reserve(&scratch->other, most);
    for (uint32_t i = 0; has_start && i < value->row.set.count; ++i) {
        const ct_guid guid = value->row.set.items[i];
        const uint32_t element = ct_database_element_find(s, number, guid);
        if (!element || !ct_database_element_counts(s, value, ct_database_element_at(s, element)))
            ct_array_push(&scratch->items, guid);
    }
    for (uint32_t i = num_elements ? ct_database_set_at(s, value->set)->first : 0; i;
         i = ct_database_element_at(s, i)->next) {
        const ct_database_element *const element = ct_database_element_at(s, i);
        if (element->row.type == CT_DATABASE_ADD_TO_SET &&
            ct_database_element_counts(s, value, element))
            ct_array_push(&scratch->items, element->row.guid);
    }
    ct_database_guids_sort(scratch->items.items, scratch->other.items, scratch->items.count);
    return (ct_database_value){.kind = CT_DATABASE_SET,
                               .set = {scratch->items.items, scratch->items.count}};
}

bool ct_database_state_has_element(const ct_database_state *s, ct_guid object, const char *key,
                                   uint32_t key_length, ct_guid guid) {
    const uint32_t number = find_value(s, object, key, key_length);
    if (!number)
        return false;
    const ct_database_held_value *const value = ct_database_value_at(s, number);
    const uint32_t element = ct_database_element_find(s, number, guid);
    if (element && ct_database_element_counts(s, value, ct_database_element_at(s, element)))
        return ct_database_element_at(s, element)->row.type == CT_DATABASE_ADD_TO_SET;
    return ct_database_value_has_item(value, guid);
}

// --- Values ----------------------------------------------------------------------------------------

ct_database_value ct_database_value_get(const ct_database_state *s, uint32_t number) {
    const ct_database_held_value *const value = ct_database_value_at(s, number);
    const ct_database_kind kind = ct_database_value_kind(s, value);
    if (kind == CT_DATABASE_SET)
        return ct_database_value_set(s, number);
    return kind == CT_DATABASE_NULL ? (ct_database_value){0} : ct_database_kept_value(&value->row);
}

ct_database_value ct_database_state_get(const ct_database_state *s, ct_guid object, const char *key,
                                        uint32_t key_length) {
    const uint32_t number = find_value(s, object, key, key_length);
    return number ? ct_database_value_get(s, number) : (ct_database_value){0};
}

// --- Walks -----------------------------------------------------------------------------------------

bool ct_database_state_next_object(const ct_database_state *s, uint32_t *place, ct_guid *guid) {
    while (*place + 1 < s->objects.end) {
        const ct_database_object *const object = ct_database_object_at(s, ++*place);
        if ((object->flags & CT_DATABASE_OBJECT_USED) &&
            ct_database_object_exists(s, *place, object)) {
            *guid = object->row.guid;
            return true;
        }
    }
    return false;
}

bool ct_database_state_next_key(const ct_database_state *s, ct_guid guid, uint32_t *place,
                                const char **key, uint32_t *key_length) {
    static const uint32_t at_end =
        UINT32_MAX; // else the number of the value that was found last; 0 at first
    uint32_t number = *place;
    if (number == 0) {
        const uint32_t object = ct_database_object_find(s, guid);
        if (object && ct_database_object_exists(s, object, ct_database_object_at(s, object)))
            number = ct_database_object_at(s, object)->first_value;
    } else if (number != at_end) {
        number = ct_database_value_at(s, number)->next;
    } else {
        return false;
    }
    while (number && ct_database_value_kind(s, ct_database_value_at(s, number)) == CT_DATABASE_NULL)
        number = ct_database_value_at(s, number)->next;
    *place = number ? number : at_end;
    if (!number)
        return false;
    const ct_database_key *const name = &s->keys.list.items[ct_database_value_at(s, number)->key];
    *key = name->text;
    *key_length = name->length;
    return true;
}

uint32_t ct_database_state_num_objects(const ct_database_state *s) {
    return s->num_existing;
}
