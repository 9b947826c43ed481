// What changed since a state was stored, the rows that the store keeps of it, and what leaves memory then.
#include "database/state/database_state_private.h"

// --- Rows ------------------------------------------------------------------------------------------

// How the rows of a place are stored.
typedef struct place_marks {
    bool lives, first_wins, has_removed;
} place_marks;

static void push_rows(const ct_database_state *s, const ct_database_object *object, uint32_t key,
                      const ct_database_kept *first, uint32_t more, place_marks marks,
                      ct_database_row_array *rows) {
    if (!first->replica)
        return;
    for (const ct_database_kept *kept = first; kept;) {
        ct_database_row row = ct_database_kept_row(s, object, key, kept);
        row.lives = marks.lives;
        row.wins = marks.first_wins && kept == first;
        row.has_removed = marks.has_removed;
        ct_array_push(rows, row);
        kept = more ? &ct_database_more_at(s, more)->row : NULL;
        more = more ? ct_database_more_at(s, more)->next : 0;
    }
}

static void push_existence(const ct_database_state *s, const ct_database_object *object,
                           ct_database_row_array *rows) {
    const place_marks marks = {
        .lives = ct_database_object_lives(s, object),
        .first_wins = object->row.type == CT_DATABASE_CREATE,
        .has_removed = (object->flags & CT_DATABASE_OBJECT_HAS_REMOVED) != 0,
    };
    push_rows(s, object, 0, &object->row, object->more, marks, rows);
}

static void push_value(const ct_database_state *s, const ct_database_object *object,
                       const ct_database_held_value *value, ct_database_row_array *rows) {
    const ct_database_kind kind = (ct_database_kind)value->row.kind;
    const bool has_members = value->set && ct_database_set_at(s, value->set)->num_members > 0;
    const place_marks marks = {
        .lives = ct_database_value_lives(s, value),
        .first_wins = kind == CT_DATABASE_SET || (kind != CT_DATABASE_NULL && !has_members),
        .has_removed = (value->row.flags & CT_DATABASE_VALUE_HAS_REMOVED) != 0,
    };
    push_rows(s, object, value->key, &value->row, value->more, marks, rows);
}

static void push_element(const ct_database_state *s, const ct_database_object *object,
                         const ct_database_held_value *value, uint32_t number,
                         ct_database_row_array *rows) {
    const ct_database_element *const element = ct_database_element_at(s, number);
    const place_marks marks = {
        .lives = ct_database_element_lives(s, element),
        .first_wins = ct_database_element_counts(s, value, element),
    };
    push_rows(s, object, value->key, &element->row, element->more, marks, rows);
}

static void push_key(const ct_database_state *s, const ct_database_object *object,
                     const ct_database_held_value *value, ct_database_row_array *rows) {
    push_value(s, object, value, rows);
    for (uint32_t i = value->set ? ct_database_set_at(s, value->set)->first : 0; i;
         i = ct_database_element_at(s, i)->next)
        push_element(s, object, value, i, rows);
}

static uint32_t find_value(const ct_database_state *s, uint32_t object, const char *key,
                           uint32_t key_length) {
    const uint32_t number = ct_database_keys_find(&s->keys, key, key_length);
    return number ? ct_database_value_find(s, ct_database_object_at(s, object), object, number) : 0;
}

void ct_database_state_rows(const ct_database_state *s, ct_guid guid, const char *key,
                            uint32_t key_length, ct_database_row_array *rows) {
    const uint32_t number = ct_database_object_find(s, guid);
    if (!number)
        return;
    const ct_database_object *const object = ct_database_object_at(s, number);
    const uint32_t value = key ? find_value(s, number, key, key_length) : 0;
    if (!key)
        push_existence(s, object, rows);
    else if (value)
        push_key(s, object, ct_database_value_at(s, value), rows);
}

void ct_database_state_changed_rows(const ct_database_state *s, const ct_database_changed *changed,
                                    ct_database_row_array *rows) {
    const uint32_t number = ct_database_object_find(s, changed->object);
    if (!number)
        return;
    const ct_database_object *const object = ct_database_object_at(s, number);
    if (changed->part <= CT_DATABASE_CHANGED_EXISTENCE) {
        push_existence(s, object, rows);
        for (uint32_t i = changed->part == CT_DATABASE_CHANGED_OBJECT ? object->first_value : 0; i;
             i = ct_database_value_at(s, i)->next)
            push_key(s, object, ct_database_value_at(s, i), rows);
        return;
    }
    const uint32_t value_number = find_value(s, number, changed->key, changed->key_length);
    if (!value_number)
        return;
    const ct_database_held_value *const value = ct_database_value_at(s, value_number);
    if (changed->part == CT_DATABASE_CHANGED_KEY)
        push_key(s, object, value, rows);
    if (changed->part == CT_DATABASE_CHANGED_VALUE)
        push_value(s, object, value, rows);
    if (changed->part != CT_DATABASE_CHANGED_ELEMENT)
        return;
    const uint32_t element = ct_database_element_find(s, value_number, changed->element);
    if (element)
        push_element(s, object, value, element, rows);
}

// --- Changes ---------------------------------------------------------------------------------------

// Returns whether an entry lies within a larger one; then its numbers mean nothing.
static bool is_within_other(const ct_database_state *s, const ct_database_dirty *dirty) {
    const bool is_object_dirty =
        (ct_database_object_at(s, dirty->object)->flags & CT_DATABASE_OBJECT_DIRTY) != 0;
    if (dirty->part == CT_DATABASE_CHANGED_OBJECT || is_object_dirty)
        return dirty->part != CT_DATABASE_CHANGED_OBJECT;
    if (dirty->part <= CT_DATABASE_CHANGED_KEY)
        return false;
    return (ct_database_value_at(s, dirty->value)->row.flags & CT_DATABASE_VALUE_KEY_DIRTY) != 0;
}

void ct_database_state_changes(const ct_database_state *s, ct_database_changed_array *changes) {
    for (uint32_t i = 0; i < s->dirty.count; ++i) {
        const ct_database_dirty *const dirty = &s->dirty.items[i];
        if (is_within_other(s, dirty))
            continue;
        ct_database_changed changed = {.part = dirty->part,
                                       .object = ct_database_object_at(s, dirty->object)->row.guid};
        if (dirty->part >= CT_DATABASE_CHANGED_KEY) {
            const ct_database_key *const key =
                &s->keys.list.items[ct_database_value_at(s, dirty->value)->key];
            changed.key = key->text;
            changed.key_length = key->length;
        }
        if (dirty->part == CT_DATABASE_CHANGED_ELEMENT)
            changed.element = ct_database_element_at(s, dirty->element)->row.guid;
        ct_array_push(changes, changed);
    }
}

uint32_t ct_database_state_num_changes(const ct_database_state *s) {
    return s->num_changes;
}

// --- What leaves memory ----------------------------------------------------------------------------

static void evict_element(ct_database_state *s, uint32_t number) {
    ct_database_element *const element = ct_database_element_at(s, number);
    element->row.flags = 0;
    if (!ct_database_element_lives(s, element))
        ct_database_element_free(s, number); // it counted in neither number of its set
}

// Marks a value as evicted when nothing but a null is left of it.
static void evict_value(ct_database_state *s, uint32_t object_number, uint32_t number) {
    ct_database_held_value *const value = ct_database_value_at(s, number);
    const bool has_elements = value->set && ct_database_set_at(s, value->set)->count > 0;
    value->row.flags &= (uint8_t) ~(CT_DATABASE_VALUE_DIRTY | CT_DATABASE_VALUE_KEY_DIRTY);
    if (has_elements || ct_database_value_lives(s, value))
        return;
    value->row.flags |= CT_DATABASE_VALUE_EVICTED;
    ct_database_object_at(s, object_number)->flags |= CT_DATABASE_OBJECT_HAS_EVICTED;
}

static void evict_key(ct_database_state *s, uint32_t object, uint32_t number) {
    const ct_database_held_value *const value = ct_database_value_at(s, number);
    for (uint32_t i = value->set ? ct_database_set_at(s, value->set)->first : 0, next; i;
         i = next) {
        next = ct_database_element_at(s, i)->next;
        evict_element(s, i);
    }
    evict_value(s, object, number);
}

static void evict_part(ct_database_state *s, const ct_database_dirty *dirty) {
    switch (dirty->part) {
    case CT_DATABASE_CHANGED_OBJECT:
        for (uint32_t i = ct_database_object_at(s, dirty->object)->first_value; i;
             i = ct_database_value_at(s, i)->next)
            evict_key(s, dirty->object, i);
        break;
    case CT_DATABASE_CHANGED_KEY:
        evict_key(s, dirty->object, dirty->value);
        break;
    case CT_DATABASE_CHANGED_VALUE:
        evict_value(s, dirty->object, dirty->value);
        break;
    case CT_DATABASE_CHANGED_ELEMENT:
        evict_element(s, dirty->element);
        evict_value(s, dirty->object, dirty->value);
        break;
    default:
        break;
    }
}

// Frees the values of an object that are marked, in one walk.
static void free_evicted(ct_database_state *s, uint32_t object_number) {
    ct_database_object *const object = ct_database_object_at(s, object_number);
    if (!(object->flags & CT_DATABASE_OBJECT_HAS_EVICTED))
        return;
    object->flags &= ~(uint32_t)CT_DATABASE_OBJECT_HAS_EVICTED;
    for (uint32_t *link = &object->first_value; *link;) {
        const uint32_t number = *link;
        ct_database_held_value *const value = ct_database_value_at(s, number);
        if (value->row.flags & CT_DATABASE_VALUE_EVICTED) {
            *link = value->next;
            ct_database_value_free(s, object_number, number);
        } else {
            link = &value->next;
        }
    }
}

// Drops objects from the list of those with conflicts that have left, that are listed twice, or that have no conflict
// any more.
static void clean_contested(ct_database_state *s) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->contested.count; ++i) {
        const uint32_t number = s->contested.items[i];
        ct_database_object *const object = ct_database_object_at(s, number);
        if ((object->flags & CT_DATABASE_OBJECT_CONTESTED) &&
            ct_database_object_has_conflict(s, number))
            s->contested.items[count++] = number;
        object->flags &= ~(uint32_t)CT_DATABASE_OBJECT_CONTESTED;
    }
    for (uint32_t i = 0; i < count; ++i)
        ct_database_object_at(s, s->contested.items[i])->flags |= CT_DATABASE_OBJECT_CONTESTED;
    s->contested.count = count;
}

// Drops the entries that lie within others: what they name may have gone.
static void clean_dirty(ct_database_state *s) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->dirty.count; ++i)
        if (!is_within_other(s, &s->dirty.items[i]))
            s->dirty.items[count++] = s->dirty.items[i];
    s->dirty.count = count;
}

void ct_database_state_stored(ct_database_state *s) {
    clean_dirty(s);
    for (uint32_t i = 0; i < s->dirty.count; ++i)
        evict_part(s, &s->dirty.items[i]);
    for (uint32_t i = 0; i < s->dirty.count; ++i) {
        const uint32_t number = s->dirty.items[i].object;
        ct_database_object *const object = ct_database_object_at(s, number);
        if (!(object->flags & CT_DATABASE_OBJECT_USED))
            continue;
        free_evicted(s, number);
        object->flags &= ~(uint32_t)(CT_DATABASE_OBJECT_DIRTY | CT_DATABASE_OBJECT_EXISTENCE_DIRTY);
        if (number != s->root && object->num_values == 0 && !ct_database_object_lives(s, object))
            ct_database_object_free(s, number);
    }
    ct_array_free(&s->dirty);
    s->num_changes = 0;
    clean_contested(s);
}
