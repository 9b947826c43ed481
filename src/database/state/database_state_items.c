// Objects, values, elements and replicas: finding, adding and freeing them.
#include <string.h>

#include "database/state/database_state_private.h"

enum { MAX_WALKED = 12 }; // more values of an object are found by the index

// The finalizer of MurmurHash3 (Austin Appleby): each number has a hash of its own.
static uint32_t mix(uint32_t number) {
    number = (number ^ number >> 16) * 0x85ebca6bu;
    number = (number ^ number >> 13) * 0xc2b2ae35u;
    return number ^ number >> 16;
}

// Values of one key have different hashes in their upper 32 bits, so those that are compared by hash and key are of
// the same object.
static uint64_t value_hash(uint32_t object, uint32_t key) {
    return (uint64_t)mix(object ^ mix(key)) << 32;
}

// As ct_guid_hash, over both halves as they lie in memory: it is not stored.
static uint64_t guid_hash(ct_guid guid) {
    uint64_t halves[2];
    memcpy(halves, guid.bytes, sizeof(halves));
    uint64_t hash = (halves[0] ^ halves[0] >> 32) * UINT64_C(0xbf58476d1ce4e5b9) + halves[1];
    hash = (hash ^ hash >> 30) * UINT64_C(0x94d049bb133111eb);
    return hash ^ hash >> 31;
}

static uint64_t element_hash(uint32_t value, ct_guid guid) {
    return guid_hash(guid) ^ (uint64_t)mix(value) << 32;
}

// --- Objects ---------------------------------------------------------------------------------------

uint32_t ct_database_object_find(const ct_database_state *s, ct_guid guid) {
    const uint64_t hash = guid_hash(guid);
    uint32_t place, number;
    ct_database_index_find(&s->object_index, hash, &place);
    while ((number = ct_database_index_next(&s->object_index, hash, &place)) != 0)
        if (ct_guid_is_equal(ct_database_object_at(s, number)->row.guid, guid))
            break;
    return number;
}

uint32_t ct_database_object_add(ct_database_state *s, ct_guid guid) {
    const uint32_t number = ct_database_pages_take(&s->objects);
    ct_database_object *const object = ct_database_object_at(s, number);
    object->row.guid = guid;
    object->flags = CT_DATABASE_OBJECT_USED;
    ct_database_index_add(&s->object_index, guid_hash(guid), number);
    return number;
}

// Frees the list of further rows.
static void free_more(ct_database_state *s, uint32_t more) {
    while (more) {
        const uint32_t next = ct_database_more_at(s, more)->next;
        ct_database_pages_release(&s->more, more);
        more = next;
    }
}

void ct_database_object_free(ct_database_state *s, uint32_t number) {
    ct_database_object *const object = ct_database_object_at(s, number);
    CT_ASSERT(object->num_values == 0 && number != s->root, "an object with %u values",
              object->num_values);
    ct_database_index_remove(&s->object_index, guid_hash(object->row.guid), number);
    free_more(s, object->more);
    object->flags = 0;
    ct_database_pages_release(&s->objects, number);
    if (s->last_object == number)
        s->last_object = 0;
}

// --- Values ----------------------------------------------------------------------------------------

static uint32_t find_in_index(const ct_database_state *s, uint32_t object, uint32_t key) {
    const uint64_t hash = value_hash(object, key);
    uint32_t place, number;
    ct_database_index_find(&s->value_index, hash, &place);
    while ((number = ct_database_index_next(&s->value_index, hash, &place)) != 0)
        if (ct_database_value_at(s, number)->key == key)
            break;
    return number;
}

uint32_t ct_database_value_find(const ct_database_state *s, const ct_database_object *object,
                                uint32_t object_number, uint32_t key) {
    if (object->flags & CT_DATABASE_OBJECT_HAS_INDEX)
        return find_in_index(s, object_number, key);
    uint32_t number = object->first_value;
    while (number && ct_database_value_at(s, number)->key != key)
        number = ct_database_value_at(s, number)->next;
    return number;
}

uint32_t ct_database_value_add(ct_database_state *s, uint32_t object_number, uint32_t key) {
    ct_database_object *const object = ct_database_object_at(s, object_number);
    const uint32_t number = ct_database_pages_take(&s->values);
    ct_database_held_value *const value = ct_database_value_at(s, number);
    value->row.type = CT_DATABASE_CHANGE_KEY;
    value->key = key;
    value->next = object->first_value;
    object->first_value = number;
    ++object->num_values;
    if (object->flags & CT_DATABASE_OBJECT_HAS_INDEX) {
        ct_database_index_add(&s->value_index, value_hash(object_number, key), number);
    } else if (object->num_values > MAX_WALKED) {
        object->flags |= CT_DATABASE_OBJECT_HAS_INDEX;
        for (uint32_t v = number; v; v = ct_database_value_at(s, v)->next)
            ct_database_index_add(&s->value_index,
                                  value_hash(object_number, ct_database_value_at(s, v)->key), v);
    }
    return number;
}

static void free_bytes(ct_database_state *s, ct_database_kept *row) {
    if (row->kind == CT_DATABASE_STRING && row->inline_length > CT_DATABASE_INLINE_BYTES)
        ct_database_pool_release(&s->pool, row->string.text, (uint64_t)row->string.length + 1);
    else if (row->kind == CT_DATABASE_BLOB)
        ct_database_pool_release(&s->pool, row->blob, sizeof(*row->blob));
    else if (row->kind == CT_DATABASE_SET)
        ct_database_pool_release(&s->pool, row->set.items,
                                 sizeof(ct_guid) * (uint64_t)row->set.count);
    row->kind = CT_DATABASE_NULL;
}

void ct_database_value_free(ct_database_state *s, uint32_t object_number, uint32_t number) {
    ct_database_object *const object = ct_database_object_at(s, object_number);
    ct_database_held_value *const value = ct_database_value_at(s, number);
    if (object->flags & CT_DATABASE_OBJECT_HAS_INDEX)
        ct_database_index_remove(&s->value_index, value_hash(object_number, value->key), number);
    for (uint32_t more = value->more; more; more = ct_database_more_at(s, more)->next)
        free_bytes(s, &ct_database_more_at(s, more)->row);
    free_more(s, value->more);
    free_bytes(s, &value->row);
    if (value->set) {
        CT_ASSERT(ct_database_set_at(s, value->set)->count == 0, "a value with %u elements",
                  ct_database_set_at(s, value->set)->count);
        ct_database_pages_release(&s->sets, value->set);
    }
    --object->num_values;
    ct_database_pages_release(&s->values, number);
}

// --- Elements --------------------------------------------------------------------------------------

uint32_t ct_database_element_find(const ct_database_state *s, uint32_t value, ct_guid guid) {
    const uint64_t hash = element_hash(value, guid);
    uint32_t place, number;
    ct_database_index_find(&s->element_index, hash, &place);
    while ((number = ct_database_index_next(&s->element_index, hash, &place)) != 0) {
        const ct_database_element *const element = ct_database_element_at(s, number);
        if (element->value == value && ct_guid_is_equal(element->row.guid, guid))
            break;
    }
    return number;
}

uint32_t ct_database_element_add(ct_database_state *s, uint32_t value_number, ct_guid guid) {
    ct_database_held_value *const value = ct_database_value_at(s, value_number);
    if (!value->set)
        value->set = ct_database_pages_take(&s->sets);
    ct_database_held_set *const set = ct_database_set_at(s, value->set);
    const uint32_t number = ct_database_pages_take(&s->elements);
    ct_database_element *const element = ct_database_element_at(s, number);
    element->row.guid = guid;
    element->value = value_number;
    element->next = set->first;
    if (set->first)
        ct_database_element_at(s, set->first)->previous = number;
    set->first = number;
    ++set->count;
    ct_database_index_add(&s->element_index, element_hash(value_number, guid), number);
    return number;
}

void ct_database_element_free(ct_database_state *s, uint32_t number) {
    ct_database_element *const element = ct_database_element_at(s, number);
    ct_database_held_set *const set =
        ct_database_set_at(s, ct_database_value_at(s, element->value)->set);
    ct_database_index_remove(&s->element_index, element_hash(element->value, element->row.guid),
                             number);
    if (element->previous)
        ct_database_element_at(s, element->previous)->next = element->next;
    else
        set->first = element->next;
    if (element->next)
        ct_database_element_at(s, element->next)->previous = element->previous;
    --set->count;
    free_more(s, element->more);
    element->value = 0;
    ct_database_pages_release(&s->elements, number);
}

// --- Replicas --------------------------------------------------------------------------------------

uint32_t ct_database_replica_add(ct_database_state *s, ct_guid guid) {
    const uint64_t hash = guid_hash(guid);
    uint32_t place, number;
    ct_database_index_find(&s->replica_index, hash, &place);
    while ((number = ct_database_index_next(&s->replica_index, hash, &place)) != 0)
        if (ct_guid_is_equal(s->replicas.items[number].guid, guid))
            return number;
    number = s->replicas.count;
    ct_array_push(&s->replicas, (ct_database_known_replica){.guid = guid});
    ct_database_index_add(&s->replica_index, hash, number);
    return number;
}

// --- Values of rows --------------------------------------------------------------------------------

static void keep_string(ct_database_state *s, const ct_database_value *value,
                        ct_database_kept *row) {
    const uint32_t length = value->string.length;
    char *text = row->text;
    if (length <= CT_DATABASE_INLINE_BYTES) {
        row->inline_length = (uint8_t)length;
    } else {
        row->inline_length = UINT8_MAX;
        row->string.text = text = ct_database_pool_take(&s->pool, (uint64_t)length + 1);
        row->string.length = length;
    }
    if (length > 0)
        memcpy(text, value->string.text, length);
    text[length] = 0;
}

ct_database_kept ct_database_kept_make(ct_database_state *s, const ct_database_operation *operation,
                                       uint64_t time, uint32_t replica) {
    const ct_database_value *const value = &operation->value;
    ct_database_kept row = {.time = time, .replica = replica, .type = (uint8_t)operation->type};
    if (operation->type > CT_DATABASE_CHANGE_KEY) {
        row.guid = value->reference;
        return row;
    }
    if (operation->type < CT_DATABASE_CHANGE_KEY) {
        row.guid = operation->object;
        return row;
    }
    row.kind = (uint8_t)value->kind;
    switch (value->kind) {
    case CT_DATABASE_BOOL:
        row.truth = value->truth;
        break;
    case CT_DATABASE_NUMBER:
        row.number = value->number;
        break;
    case CT_DATABASE_STRING:
        keep_string(s, value, &row);
        break;
    case CT_DATABASE_BLOB:
        row.blob = ct_database_pool_take(&s->pool, sizeof(*row.blob));
        *row.blob = value->blob;
        break;
    case CT_DATABASE_REFERENCE:
        row.guid = value->reference;
        break;
    case CT_DATABASE_SET:
        row.set.count = value->set.count;
        row.set.items =
            ct_database_pool_take(&s->pool, sizeof(ct_guid) * (uint64_t)value->set.count);
        if (value->set.count > 0)
            memcpy(row.set.items, value->set.items, sizeof(ct_guid) * (uint64_t)value->set.count);
        break;
    default:
        break;
    }
    return row;
}

ct_database_value ct_database_kept_value(const ct_database_kept *row) {
    ct_database_value value = {.kind = (ct_database_kind)row->kind};
    switch (value.kind) {
    case CT_DATABASE_BOOL:
        value.truth = row->truth;
        break;
    case CT_DATABASE_NUMBER:
        value.number = row->number;
        break;
    case CT_DATABASE_STRING:
        if (row->inline_length <= CT_DATABASE_INLINE_BYTES) {
            value.string.text = row->text;
            value.string.length = row->inline_length;
        } else {
            value.string.text = row->string.text;
            value.string.length = row->string.length;
        }
        break;
    case CT_DATABASE_BLOB:
        value.blob = *row->blob;
        break;
    case CT_DATABASE_REFERENCE:
        value.reference = row->guid;
        break;
    case CT_DATABASE_SET:
        value.set.items = row->set.items;
        value.set.count = row->set.count;
        break;
    default:
        break;
    }
    return value;
}

// --- Rows of a place -------------------------------------------------------------------------------

// Replaces the first row of a place; what belongs to the place stays.
static void set_first(ct_database_kept *first, const ct_database_kept *row) {
    const uint8_t flags = first->flags;
    *first = *row;
    first->flags = flags;
}

static void push_more(ct_database_state *s, uint32_t *more, const ct_database_kept *row) {
    const uint32_t number = ct_database_pages_take(&s->more);
    ct_database_more *const added = ct_database_more_at(s, number);
    added->row = *row;
    added->next = *more;
    *more = number;
}

void ct_database_kept_add(ct_database_state *s, ct_database_kept *first, uint32_t *more,
                          ct_database_kept row) {
    if (!first->replica) {
        set_first(first, &row);
    } else if (ct_database_kept_compare(s, &row, first) > 0) {
        push_more(s, more, first);
        set_first(first, &row);
    } else {
        push_more(s, more, &row);
    }
}

// Returns whether the author of the commit at hand had seen a row, or made it before in this commit or one that was
// made with it.
static bool is_covered(ct_database_state *s, const ct_database_kept *row) {
    ct_database_known_replica *const replica = &s->replicas.items[row->replica];
    if (replica->epoch != s->epoch) {
        replica->epoch = s->epoch;
        replica->seen = ct_database_vector_time(&s->commit->seen, replica->guid);
    }
    return row->time <= replica->seen ||
           (row->replica == s->commit_replica && row->time <= s->commit->stamp.time &&
            row->time >= (s->commit->since ? s->commit->since : s->commit->stamp.time));
}

// Moves the row with the highest stamp from the list to the first place, which is empty.
static void promote(ct_database_state *s, ct_database_kept *first, uint32_t *more) {
    uint32_t *highest = more;
    for (uint32_t *link = more; *link; link = &ct_database_more_at(s, *link)->next)
        if (ct_database_kept_compare(s, &ct_database_more_at(s, *link)->row,
                                     &ct_database_more_at(s, *highest)->row) > 0)
            highest = link;
    const uint32_t number = *highest;
    set_first(first, &ct_database_more_at(s, number)->row);
    *highest = ct_database_more_at(s, number)->next;
    ct_database_pages_release(&s->more, number);
}

void ct_database_kept_cover(ct_database_state *s, ct_database_kept *first, uint32_t *more) {
    for (uint32_t *link = more; *link;) {
        const uint32_t number = *link;
        ct_database_more *const row = ct_database_more_at(s, number);
        if (is_covered(s, &row->row)) {
            *link = row->next;
            free_bytes(s, &row->row);
            ct_database_pages_release(&s->more, number);
        } else {
            link = &row->next;
        }
    }
    if (!first->replica || !is_covered(s, first))
        return;
    free_bytes(s, first);
    first->replica = 0;
    if (*more)
        promote(s, first, more);
}
