// What the rows of a state say: to readers, to the store, and what is marked.
#include <string.h>

#include "database/state/database_state_private.h"

ct_database_row ct_database_kept_row(const ct_database_state *s, const ct_database_object *object,
                                     uint32_t key, const ct_database_kept *row) {
    const ct_database_key *const name = &s->keys.list.items[key];
    ct_database_row result = {
        .operation = {.type = (ct_database_operation_type)row->type,
                      .object = object->row.guid,
                      .key = name->text,
                      .key_length = name->length},
        .stamp = ct_database_kept_stamp(s, row),
    };
    if (row->type == CT_DATABASE_CHANGE_KEY) {
        result.operation.value = ct_database_kept_value(row);
    } else if (row->type > CT_DATABASE_CHANGE_KEY) {
        result.operation.value.kind = CT_DATABASE_REFERENCE;
        result.operation.value.reference = row->guid;
    }
    return result;
}

bool ct_database_kept_has_type(const ct_database_state *s, const ct_database_kept *first,
                               uint32_t more, ct_database_operation_type type) {
    bool has = first->replica && first->type == type;
    for (; more && !has; more = ct_database_more_at(s, more)->next)
        has = ct_database_more_at(s, more)->row.type == type;
    return has;
}

bool ct_database_kept_has_value(const ct_database_state *s, const ct_database_kept *first,
                                uint32_t more) {
    bool has = first->replica && first->kind != CT_DATABASE_NULL;
    for (; more && !has; more = ct_database_more_at(s, more)->next)
        has = ct_database_more_at(s, more)->row.kind != CT_DATABASE_NULL;
    return has;
}

bool ct_database_value_has_item(const ct_database_held_value *value, ct_guid guid) {
    if (!value->row.replica || value->row.kind != CT_DATABASE_SET)
        return false;
    uint32_t first = 0, end = value->row.set.count;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        const int order = ct_guid_compare(value->row.set.items[middle], guid);
        if (order == 0)
            return true;
        if (order < 0)
            first = middle + 1;
        else
            end = middle;
    }
    return false;
}

// --- Counts ----------------------------------------------------------------------------------------

void ct_database_element_count(ct_database_state *s, const ct_database_element *element, int sign) {
    const ct_database_held_value *const value = ct_database_value_at(s, element->value);
    ct_database_held_set *const set = ct_database_set_at(s, value->set);
    if (!element->row.replica)
        return;
    if (ct_database_kept_has_type(s, &element->row, element->more, CT_DATABASE_ADD_TO_SET))
        set->num_adds += (uint32_t)sign;
    if (element->row.type == CT_DATABASE_ADD_TO_SET &&
        ct_database_element_counts(s, value, element))
        set->num_members += (uint32_t)sign;
}

bool ct_database_elements_count(ct_database_state *s, uint32_t value_number) {
    const ct_database_held_value *const value = ct_database_value_at(s, value_number);
    if (!value->set)
        return false;
    ct_database_held_set *const set = ct_database_set_at(s, value->set);
    bool may_differ = false;
    set->num_adds = set->num_members = 0;
    for (uint32_t i = set->first; i; i = ct_database_element_at(s, i)->next) {
        const ct_database_element *const element = ct_database_element_at(s, i);
        ct_database_element_count(s, element, 1);
        may_differ = may_differ || element->more || !ct_database_element_counts(s, value, element);
    }
    return may_differ;
}

// --- What lives ------------------------------------------------------------------------------------

bool ct_database_element_lives(const ct_database_state *s, const ct_database_element *element) {
    return ct_database_kept_has_type(s, &element->row, element->more, CT_DATABASE_ADD_TO_SET) ||
           ct_database_value_has_item(ct_database_value_at(s, element->value), element->row.guid);
}

bool ct_database_value_lives(const ct_database_state *s, const ct_database_held_value *value) {
    return ct_database_kept_has_value(s, &value->row, value->more) ||
           (value->set && ct_database_set_at(s, value->set)->num_adds > 0);
}

bool ct_database_object_lives(const ct_database_state *s, const ct_database_object *object) {
    if (ct_database_kept_has_type(s, &object->row, object->more, CT_DATABASE_CREATE))
        return true;
    for (uint32_t i = object->first_value; i; i = ct_database_value_at(s, i)->next)
        if (ct_database_value_lives(s, ct_database_value_at(s, i)))
            return true;
    return false;
}

// --- Marks -----------------------------------------------------------------------------------------

static void push_dirty(ct_database_state *s, ct_database_changed_part part, uint32_t object,
                       uint32_t value, uint32_t element) {
    ct_array_push(&s->dirty, (ct_database_dirty){part, object, value, element});
}

void ct_database_mark_object(ct_database_state *s, uint32_t number) {
    ct_database_object *const object = ct_database_object_at(s, number);
    if (!(object->flags & CT_DATABASE_OBJECT_DIRTY))
        push_dirty(s, CT_DATABASE_CHANGED_OBJECT, number, 0, 0);
    object->flags |= CT_DATABASE_OBJECT_DIRTY;
}

void ct_database_mark_existence(ct_database_state *s, uint32_t number) {
    ct_database_object *const object = ct_database_object_at(s, number);
    if (object->flags & (CT_DATABASE_OBJECT_DIRTY | CT_DATABASE_OBJECT_EXISTENCE_DIRTY))
        return;
    push_dirty(s, CT_DATABASE_CHANGED_EXISTENCE, number, 0, 0);
    object->flags |= CT_DATABASE_OBJECT_EXISTENCE_DIRTY;
}

static bool is_object_dirty(const ct_database_state *s, uint32_t object) {
    return (ct_database_object_at(s, object)->flags & CT_DATABASE_OBJECT_DIRTY) != 0;
}

void ct_database_mark_key(ct_database_state *s, uint32_t object, uint32_t number) {
    ct_database_held_value *const value = ct_database_value_at(s, number);
    if (is_object_dirty(s, object) || (value->row.flags & CT_DATABASE_VALUE_KEY_DIRTY))
        return;
    push_dirty(s, CT_DATABASE_CHANGED_KEY, object, number, 0);
    value->row.flags |= CT_DATABASE_VALUE_KEY_DIRTY;
}

void ct_database_mark_value(ct_database_state *s, uint32_t object, uint32_t number) {
    ct_database_held_value *const value = ct_database_value_at(s, number);
    if (is_object_dirty(s, object) ||
        (value->row.flags & (CT_DATABASE_VALUE_KEY_DIRTY | CT_DATABASE_VALUE_DIRTY)))
        return;
    push_dirty(s, CT_DATABASE_CHANGED_VALUE, object, number, 0);
    value->row.flags |= CT_DATABASE_VALUE_DIRTY;
}

void ct_database_mark_element(ct_database_state *s, uint32_t object, uint32_t value,
                              uint32_t number) {
    ct_database_element *const element = ct_database_element_at(s, number);
    if (is_object_dirty(s, object) ||
        (ct_database_value_at(s, value)->row.flags & CT_DATABASE_VALUE_KEY_DIRTY) ||
        (element->row.flags & CT_DATABASE_ELEMENT_DIRTY))
        return;
    push_dirty(s, CT_DATABASE_CHANGED_ELEMENT, object, value, number);
    element->row.flags |= CT_DATABASE_ELEMENT_DIRTY;
}

// Returns whether two rows may say different things.
static bool may_differ(const ct_database_state *s, uint32_t number, uint32_t value_number,
                       uint32_t element_number) {
    const ct_database_object *const object = ct_database_object_at(s, number);
    const bool is_destroyed = object->row.replica && object->row.type == CT_DATABASE_DESTROY;
    if (object->more || (is_destroyed && object->num_values > 0))
        return true;
    if (!value_number)
        return false;
    const ct_database_held_value *const value = ct_database_value_at(s, value_number);
    if (value->more)
        return true;
    const bool hides_value =
        value->set && value->row.replica && value->row.kind != CT_DATABASE_NULL &&
        value->row.kind != CT_DATABASE_SET && ct_database_set_at(s, value->set)->count > 0;
    if (hides_value || !element_number)
        return hides_value;
    const ct_database_element *const element = ct_database_element_at(s, element_number);
    return element->more || !ct_database_element_counts(s, value, element);
}

void ct_database_mark_contested(ct_database_state *s, uint32_t number) {
    ct_database_object *const object = ct_database_object_at(s, number);
    if (!(object->flags & CT_DATABASE_OBJECT_CONTESTED))
        ct_array_push(&s->contested, number);
    object->flags |= CT_DATABASE_OBJECT_CONTESTED;
}

void ct_database_mark_differences(ct_database_state *s, uint32_t object, uint32_t value,
                                  uint32_t element) {
    if (may_differ(s, object, value, element))
        ct_database_mark_contested(s, object);
}

// --- Rows from the store ---------------------------------------------------------------------------

// Counts objects that exist around a change of an object's rows.
static void put_existence(ct_database_state *s, uint32_t number, const ct_database_row *row,
                          uint32_t replica) {
    ct_database_object *const object = ct_database_object_at(s, number);
    if (number == s->root)
        return;
    s->num_existing -= ct_database_object_exists(s, number, object);
    ct_database_kept_add(s, &object->row, &object->more,
                         ct_database_kept_make(s, &row->operation, row->stamp.time, replica));
    s->num_existing += ct_database_object_exists(s, number, object);
    if (row->has_removed)
        object->flags |= CT_DATABASE_OBJECT_HAS_REMOVED;
    else
        object->flags &= ~(uint32_t)CT_DATABASE_OBJECT_HAS_REMOVED;
}

// Returns the number of a row's key. Rows of one object follow each other, so a few keys come again and again: they
// are looked up by length and ends first.
static uint32_t find_key(ct_database_state *s, const ct_database_operation *operation) {
    const char *const text = operation->key;
    const uint32_t length = operation->key_length;
    const uint32_t place =
        (length * 5 + (uint8_t)text[0] * 3 + (uint8_t)text[length - 1]) % CT_DATABASE_LAST_KEYS;
    const ct_database_key *const last = &s->keys.list.items[s->last_keys[place]];
    if (last->length != length || memcmp(last->text, text, length) != 0)
        s->last_keys[place] = ct_database_keys_add(&s->keys, text, length);
    return s->last_keys[place];
}

static uint32_t find_replica(ct_database_state *s, ct_guid guid) {
    if (!s->last_replica || !ct_guid_is_equal(s->replicas.items[s->last_replica].guid, guid))
        s->last_replica = ct_database_replica_add(s, guid);
    return s->last_replica;
}

static void put_value(ct_database_state *s, uint32_t object, uint32_t number,
                      const ct_database_row *row, ct_database_kept kept) {
    ct_database_held_value *const value = ct_database_value_at(s, number);
    ct_database_kept_add(s, &value->row, &value->more, kept);
    if (row->has_removed)
        value->row.flags |= CT_DATABASE_VALUE_HAS_REMOVED;
    if (ct_database_elements_count(s, number))
        ct_database_mark_contested(s, object);
}

static uint32_t put_element(ct_database_state *s, uint32_t value, ct_database_kept kept) {
    uint32_t number = ct_database_element_find(s, value, kept.guid);
    if (!number)
        number = ct_database_element_add(s, value, kept.guid);
    ct_database_element *const element = ct_database_element_at(s, number);
    ct_database_element_count(s, element, -1);
    ct_database_kept_add(s, &element->row, &element->more, kept);
    ct_database_element_count(s, element, 1);
    return number;
}

void ct_database_row_put(ct_database_state *s, uint32_t object, const ct_database_row *row) {
    const ct_database_operation *const operation = &row->operation;
    const uint32_t replica = find_replica(s, row->stamp.replica);
    uint32_t value = 0, element = 0;
    if (operation->type < CT_DATABASE_CHANGE_KEY) {
        put_existence(s, object, row, replica);
    } else {
        const uint32_t key = find_key(s, operation);
        value = ct_database_value_find(s, ct_database_object_at(s, object), object, key);
        if (!value)
            value = ct_database_value_add(s, object, key);
        const ct_database_kept kept = ct_database_kept_make(s, operation, row->stamp.time, replica);
        if (operation->type == CT_DATABASE_CHANGE_KEY)
            put_value(s, object, value, row, kept);
        else
            element = put_element(s, value, kept);
    }
    ct_database_mark_differences(s, object, value, element);
}
