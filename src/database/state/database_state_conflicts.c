// Decisions: what lost against something that its author had not seen.
#include <stdlib.h>
#include <string.h>

#include "database/state/database_state_private.h"
#include "foundation/container/sort.h"

// Where conflicts of an object go; without `out` they are counted only.
typedef struct finder {
    const ct_database_state *state;
    const ct_database_object *object;
    ct_database_conflict_array *out;
    uint32_t count;
} finder;

static void add(finder *f, uint32_t key, const ct_database_kept *won, uint32_t lost_key,
                const ct_database_kept *lost) {
    ++f->count;
    if (f->out)
        ct_array_push(f->out, (ct_database_conflict){
                                  .won = ct_database_kept_row(f->state, f->object, key, won),
                                  .lost = ct_database_kept_row(f->state, f->object, lost_key, lost),
                              });
}

static const ct_database_kept *next_row(const ct_database_state *s, uint32_t *more) {
    if (!*more)
        return NULL;
    const ct_database_more *const row = ct_database_more_at(s, *more);
    *more = row->next;
    return &row->row;
}

static void find_of_existence(finder *f) {
    const ct_database_object *const object = f->object;
    uint32_t more = object->more;
    for (const ct_database_kept *row; (row = next_row(f->state, &more)) != NULL;)
        if (row->type != object->row.type)
            add(f, 0, &object->row, 0, row);
}

// Of an element: the rows that say something else than what counts.
static void find_of_element(finder *f, const ct_database_held_value *value,
                            const ct_database_element *element) {
    const bool counts = ct_database_element_counts(f->state, value, element);
    const bool is_member = counts ? element->row.type == CT_DATABASE_ADD_TO_SET
                                  : ct_database_value_has_item(value, element->row.guid);
    const ct_database_kept *const won = counts ? &element->row : &value->row;
    uint32_t more = element->more;
    for (const ct_database_kept *row = &element->row; row; row = next_row(f->state, &more))
        if ((row->type == CT_DATABASE_ADD_TO_SET) != is_member)
            add(f, value->key, won, value->key, row);
}

static void find_of_values(finder *f, const ct_database_held_value *value) {
    uint32_t more = value->more;
    const ct_database_value first = ct_database_kept_value(&value->row);
    for (const ct_database_kept *row; (row = next_row(f->state, &more)) != NULL;) {
        const ct_database_value other = ct_database_kept_value(row);
        if (!ct_database_value_is_equal(&first, &other))
            add(f, value->key, &value->row, value->key, row);
    }
}

// Returns the latest of the elements that make a key a set, though its CHANGE_KEY gives another value; or NULL.
static const ct_database_kept *find_hiding(const ct_database_state *s,
                                           const ct_database_held_value *value) {
    const ct_database_kept *latest = NULL;
    if (!value->set || !value->row.replica || value->row.kind == CT_DATABASE_NULL ||
        value->row.kind == CT_DATABASE_SET)
        return NULL;
    for (uint32_t i = ct_database_set_at(s, value->set)->first; i;
         i = ct_database_element_at(s, i)->next) {
        const ct_database_element *const element = ct_database_element_at(s, i);
        if (element->row.type != CT_DATABASE_ADD_TO_SET ||
            !ct_database_element_counts(s, value, element))
            continue;
        const int order = latest ? ct_database_kept_compare(s, &element->row, latest) : 1;
        if (order > 0 || (order == 0 && ct_guid_compare(element->row.guid, latest->guid) > 0))
            latest = &element->row;
    }
    return latest;
}

static void find_of_key(finder *f, const ct_database_held_value *value) {
    const ct_database_state *const s = f->state;
    const bool is_destroyed = f->object->row.replica && f->object->row.type == CT_DATABASE_DESTROY;
    const ct_database_kept *const hiding = find_hiding(s, value);
    find_of_values(f, value);
    if (hiding)
        add(f, value->key, hiding, value->key, &value->row);
    else if (is_destroyed && value->row.replica && value->row.kind != CT_DATABASE_NULL)
        add(f, 0, &f->object->row, value->key, &value->row);
    for (uint32_t i = value->set ? ct_database_set_at(s, value->set)->first : 0; i;
         i = ct_database_element_at(s, i)->next) {
        const ct_database_element *const element = ct_database_element_at(s, i);
        find_of_element(f, value, element);
        if (is_destroyed && element->row.type == CT_DATABASE_ADD_TO_SET &&
            ct_database_element_counts(s, value, element))
            add(f, 0, &f->object->row, value->key, &element->row);
    }
}

bool ct_database_object_has_conflict(const ct_database_state *s, uint32_t number) {
    finder f = {.state = s, .object = ct_database_object_at(s, number)};
    find_of_existence(&f);
    for (uint32_t i = f.object->first_value; i && f.count == 0;
         i = ct_database_value_at(s, i)->next)
        find_of_key(&f, ct_database_value_at(s, i));
    return f.count > 0;
}

static int compare_rows(const ct_database_row *a, const ct_database_row *b) {
    const int stamps = ct_database_stamp_compare(a->stamp, b->stamp);
    if (stamps != 0)
        return stamps;
    if (a->operation.type != b->operation.type)
        return a->operation.type < b->operation.type ? -1 : 1;
    if (a->operation.type <= CT_DATABASE_CHANGE_KEY)
        return 0;
    return ct_guid_compare(a->operation.value.reference, b->operation.value.reference);
}

static int compare_conflicts(const void *first, const void *second) {
    const ct_database_conflict *const a = first, *const b = second;
    const ct_database_operation *const x = &a->lost.operation, *const y = &b->lost.operation;
    int order = ct_guid_compare(x->object, y->object);
    if (order == 0)
        order = ct_database_key_compare(x->key, x->key_length, y->key, y->key_length);
    if (order == 0)
        order = compare_rows(&a->lost, &b->lost);
    return order != 0 ? order : compare_rows(&a->won, &b->won);
}

void ct_database_state_conflicts(const ct_database_state *s,
                                 ct_database_conflict_array *conflicts) {
    const uint32_t first = conflicts->count;
    ct_u32_array numbers;
    ct_array_init(&numbers, conflicts->allocator);
    ct_array_push_many(&numbers, s->contested.items, s->contested.count);
    if (numbers.count > 1) { // some may be listed twice
        ct_u32_array other;
        ct_array_init(&other, conflicts->allocator);
        ct_array_resize(&other, numbers.count);
        ct_sort_u32(numbers.items, other.items, numbers.count);
        ct_array_free(&other);
    }
    for (uint32_t i = 0; i < numbers.count; ++i) {
        finder f = {
            .state = s, .object = ct_database_object_at(s, numbers.items[i]), .out = conflicts};
        if ((i > 0 && numbers.items[i - 1] == numbers.items[i]) ||
            !(f.object->flags & CT_DATABASE_OBJECT_CONTESTED))
            continue;
        find_of_existence(&f);
        for (uint32_t v = f.object->first_value; v; v = ct_database_value_at(s, v)->next)
            find_of_key(&f, ct_database_value_at(s, v));
    }
    ct_array_free(&numbers);
    if (conflicts->count > first)
        qsort(conflicts->items + first, conflicts->count - first, sizeof(*conflicts->items),
              compare_conflicts);
}
