// Commits become rows: what an operation covers goes, and it is added.
#include "database/state/database_state_private.h"

// --- Rows that are not in memory -------------------------------------------------------------------

// Asks for stored rows; they are in `asked`. `element` may be NULL, `key` 0.
static void ask(ct_database_state *s, uint32_t object, uint32_t key, const ct_guid *element) {
    const ct_database_key *const name = &s->keys.list.items[key];
    s->asked.count = 0;
    s->removed.rows(s->removed.user, ct_database_object_at(s, object)->row.guid, name->text,
                    name->length, element, &s->asked);
}

static bool may_ask(const ct_database_state *s, const ct_database_object *object) {
    return s->removed.rows && (object->flags & CT_DATABASE_OBJECT_HAS_REMOVED) &&
           !(object->flags & CT_DATABASE_OBJECT_DIRTY);
}

// Returns whether elements of a key may be stored that are not here.
static bool may_ask_elements(const ct_database_state *s, const ct_database_object *object,
                             const ct_database_held_value *value) {
    return may_ask(s, object) && !(value->row.flags & CT_DATABASE_VALUE_KEY_DIRTY) &&
           (!value->row.replica || (value->row.flags & CT_DATABASE_VALUE_HAS_REMOVED));
}

static bool is_element(const ct_database_row *row) {
    return row->operation.type > CT_DATABASE_CHANGE_KEY;
}

// Puts the asked rows of elements that `only` allows (NULL: of all) and that were not in memory before; they are
// neighbours in no special order, so those that are in memory are found first.
static uint32_t put_elements(ct_database_state *s, uint32_t object, uint32_t value,
                             const ct_guid *only) {
    uint32_t num_put = 0;
    for (uint32_t i = 0; i < s->asked.count; ++i) {
        const ct_database_row *const row = &s->asked.items[i];
        const ct_guid guid = row->operation.value.reference;
        if (is_element(row) && (!only || ct_guid_is_equal(guid, *only)) &&
            !ct_database_element_find(s, value, guid))
            s->asked.items[num_put++] = *row;
    }
    for (uint32_t i = 0; i < num_put; ++i)
        ct_database_row_put(s, object, &s->asked.items[i]);
    return num_put;
}

static uint32_t put_values(ct_database_state *s, uint32_t object) {
    uint32_t num_put = 0;
    for (uint32_t i = 0; i < s->asked.count; ++i)
        if (s->asked.items[i].operation.type == CT_DATABASE_CHANGE_KEY) {
            ct_database_row_put(s, object, &s->asked.items[i]);
            ++num_put;
        }
    return num_put;
}

// Brings all stored rows of an object that are not here into memory. Places that are here, or changed, stay.
static void complete_object(ct_database_state *s, uint32_t number, bool is_new) {
    const ct_database_object *const object = ct_database_object_at(s, number);
    ask(s, number, 0, NULL);
    uint32_t num_wanted = 0;
    for (uint32_t i = 0; i < s->asked.count; ++i) {
        const ct_database_row *const row = &s->asked.items[i];
        bool is_wanted = is_new;
        if (!is_new && row->operation.type >= CT_DATABASE_CHANGE_KEY) {
            const uint32_t key =
                ct_database_keys_find(&s->keys, row->operation.key, row->operation.key_length);
            const uint32_t value = key ? ct_database_value_find(s, object, number, key) : 0;
            is_wanted =
                !value ||
                (is_element(row) &&
                 !(ct_database_value_at(s, value)->row.flags & CT_DATABASE_VALUE_KEY_DIRTY) &&
                 !ct_database_element_find(s, value, row->operation.value.reference));
        }
        if (is_wanted)
            s->asked.items[num_wanted++] = *row;
    }
    for (uint32_t i = 0; i < num_wanted; ++i)
        ct_database_row_put(s, number, &s->asked.items[i]);
    s->asked.count = num_wanted;
}

// Returns the object of an operation, with its stored rows when it was not in memory.
static uint32_t take_object(ct_database_state *s, ct_guid guid) {
    uint32_t number = ct_database_object_find(s, guid);
    if (number)
        return number;
    number = ct_database_object_add(s, guid);
    if (!s->removed.rows)
        return number;
    complete_object(s, number, true);
    if (s->asked.count > 0) {
        ct_database_mark_object(s, number);
        ct_database_object_at(s, number)->flags |= CT_DATABASE_OBJECT_HAS_REMOVED;
    }
    return number;
}

// Marks that rows of an object may leave memory.
static void mark_removed(ct_database_state *s, uint32_t number) {
    ct_database_object *const object = ct_database_object_at(s, number);
    if (object->flags & CT_DATABASE_OBJECT_HAS_REMOVED)
        return;
    object->flags |= CT_DATABASE_OBJECT_HAS_REMOVED;
    if (object->row.replica)
        ct_database_mark_existence(s, number);
}

// --- Operations ------------------------------------------------------------------------------------

static ct_database_kept make_row(ct_database_state *s, const ct_database_operation *operation) {
    return ct_database_kept_make(s, operation, s->commit->stamp.time, s->commit_replica);
}

static void change_existence(ct_database_state *s, uint32_t number,
                             const ct_database_operation *operation) {
    ct_database_object *const object = ct_database_object_at(s, number);
    s->num_existing -= ct_database_object_exists(s, number, object);
    ct_database_kept_cover(s, &object->row, &object->more);
    ct_database_kept_add(s, &object->row, &object->more, make_row(s, operation));
    s->num_existing += ct_database_object_exists(s, number, object);
    ct_database_mark_existence(s, number);
}

// Removes the rows of a key's elements that the commit at hand covers.
static void cover_elements(ct_database_state *s, uint32_t value_number) {
    const ct_database_held_value *const value = ct_database_value_at(s, value_number);
    if (!value->set)
        return;
    for (uint32_t i = ct_database_set_at(s, value->set)->first, next; i; i = next) {
        ct_database_element *const element = ct_database_element_at(s, i);
        next = element->next;
        ct_database_kept_cover(s, &element->row, &element->more);
        if (!element->row.replica)
            ct_database_element_free(s, i);
    }
}

// Of a destroyed object: what its destroyer had seen goes, with keys that have no rows left.
static void cover_values(ct_database_state *s, uint32_t number) {
    ct_database_object *const object = ct_database_object_at(s, number);
    for (uint32_t *link = &object->first_value; *link;) {
        const uint32_t v = *link;
        ct_database_held_value *const value = ct_database_value_at(s, v);
        cover_elements(s, v);
        ct_database_kept_cover(s, &value->row, &value->more);
        if (value->row.replica || (value->set && ct_database_set_at(s, value->set)->count > 0)) {
            if (ct_database_elements_count(s, v))
                ct_database_mark_contested(s, number);
            ct_database_mark_differences(s, number, v, 0);
            link = &value->next;
        } else {
            *link = value->next;
            ct_database_value_free(s, number, v);
        }
    }
}

static void destroy_object(ct_database_state *s, uint32_t number,
                           const ct_database_operation *operation) {
    if (may_ask(s, ct_database_object_at(s, number)))
        complete_object(s, number, false);
    ct_database_mark_object(s, number);
    ct_database_object_at(s, number)->flags |= CT_DATABASE_OBJECT_HAS_REMOVED;
    cover_values(s, number);
    change_existence(s, number, operation);
}

// Returns the value of a key; brings the stored rows that an operation of it must know into memory. `element` NULL:
// all of the key.
static uint32_t take_value(ct_database_state *s, uint32_t number, uint32_t key,
                           const ct_guid *element) {
    const ct_database_object *const object = ct_database_object_at(s, number);
    uint32_t value = ct_database_value_find(s, object, number, key);
    if (!value) {
        value = ct_database_value_add(s, number, key);
        if (!may_ask(s, object))
            return value;
        ask(s, number, key, element);
        if (put_values(s, number) > 0)
            ct_database_mark_value(s, number, value);
    } else {
        if (!may_ask_elements(s, object, ct_database_value_at(s, value)) ||
            (element && ct_database_element_find(s, value, *element)))
            return value;
        ask(s, number, key, element);
    }
    if (put_elements(s, number, value, element) > 0 && !element)
        ct_database_mark_key(s, number, value);
    return value;
}

static void change_key(ct_database_state *s, uint32_t object, uint32_t key,
                       const ct_database_operation *operation) {
    const uint32_t number = take_value(s, object, key, NULL);
    ct_database_held_value *const value = ct_database_value_at(s, number);
    if (value->set) {
        ct_database_mark_key(s, object, number);
        cover_elements(s, number);
    }
    ct_database_kept_cover(s, &value->row, &value->more);
    ct_database_kept_add(s, &value->row, &value->more, make_row(s, operation));
    value->row.flags &= (uint8_t)~CT_DATABASE_VALUE_HAS_REMOVED; // all elements are here
    if (ct_database_elements_count(s, number))
        ct_database_mark_contested(s, object);
    if (value->set && ct_database_set_at(s, value->set)->count > 0) {
        value->row.flags |= CT_DATABASE_VALUE_HAS_REMOVED;
        mark_removed(s, object);
    }
    ct_database_mark_differences(s, object, number, 0);
    ct_database_mark_value(s, object, number);
    if (operation->value.kind == CT_DATABASE_NULL)
        mark_removed(s, object);
}

// What the CHANGE_KEY rows of a key say of themselves depends on its elements.
static bool is_value_hidden(const ct_database_state *s, const ct_database_held_value *value) {
    const ct_database_held_set *const set = ct_database_set_at(s, value->set);
    return value->row.kind == CT_DATABASE_NULL  ? set->num_adds == 0
           : value->row.kind == CT_DATABASE_SET ? false
                                                : set->num_members > 0;
}

static void change_element(ct_database_state *s, uint32_t object, uint32_t key,
                           const ct_database_operation *operation) {
    const ct_guid guid = operation->value.reference;
    const uint32_t v = take_value(s, object, key, &guid);
    uint32_t number = ct_database_element_find(s, v, guid);
    if (!number)
        number = ct_database_element_add(s, v, guid);
    ct_database_held_value *const value = ct_database_value_at(s, v);
    ct_database_element *const element = ct_database_element_at(s, number);
    const bool was_hidden = is_value_hidden(s, value);
    ct_database_element_count(s, element, -1);
    ct_database_kept_cover(s, &element->row, &element->more);
    ct_database_kept_add(s, &element->row, &element->more, make_row(s, operation));
    ct_database_element_count(s, element, 1);
    ct_database_mark_element(s, object, v, number);
    if (operation->type == CT_DATABASE_REMOVE_FROM_SET) {
        mark_removed(s, object);
        if (!(value->row.flags & CT_DATABASE_VALUE_HAS_REMOVED) && value->row.replica)
            ct_database_mark_value(s, object, v);
        value->row.flags |= CT_DATABASE_VALUE_HAS_REMOVED;
    }
    if (value->row.replica && was_hidden != is_value_hidden(s, value))
        ct_database_mark_value(s, object, v);
    ct_database_mark_differences(s, object, v, number);
}

static void apply_operation(ct_database_state *s, const ct_database_operation *operation) {
    const bool is_of_key = operation->type >= CT_DATABASE_CHANGE_KEY;
    if (!is_of_key && ct_guid_is_none(operation->object))
        return; // the root
    const uint32_t object = take_object(s, operation->object);
    ++s->num_changes;
    if (operation->type == CT_DATABASE_CREATE) {
        change_existence(s, object, operation);
    } else if (operation->type == CT_DATABASE_DESTROY) {
        destroy_object(s, object, operation);
    } else {
        const uint32_t key = ct_database_keys_add(&s->keys, operation->key, operation->key_length);
        if (operation->type == CT_DATABASE_CHANGE_KEY)
            change_key(s, object, key, operation);
        else
            change_element(s, object, key, operation);
    }
    ct_database_mark_differences(s, object, 0, 0);
}

void ct_database_state_apply(ct_database_state *s, const ct_database_commit *commit) {
    s->commit = commit;
    s->commit_replica = ct_database_replica_add(s, commit->stamp.replica);
    ++s->epoch;
    for (uint32_t i = 0; i < commit->operations.list.count; ++i)
        apply_operation(s, &commit->operations.list.items[i]);
    s->commit = NULL;
}
