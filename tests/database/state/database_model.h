// database_model.h: what a set of commits gives, by the definition of docs/decisions/0064: all operations are kept
// in a list, and each is compared with each. Slow. Include once in a program.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "database/database_text.h"
#include "database/state/database_state.h"
#include "foundation/sjson/sjson_writer.h"

// An operation with the commit that it comes from, and whether no other one covers it.
typedef struct model_operation {
    const ct_database_commit *commit;
    uint32_t index;
    const ct_database_operation *operation;
    bool is_kept;
} model_operation;

typedef CT_ARRAY(model_operation) model_operations;

static inline bool model_is_element(const model_operation *m) {
    return m->operation->type > CT_DATABASE_CHANGE_KEY;
}

static inline bool model_is_existence(const model_operation *m) {
    return m->operation->type < CT_DATABASE_CHANGE_KEY;
}

static inline bool model_same_key(const model_operation *a, const model_operation *b) {
    const ct_database_operation *const x = a->operation, *const y = b->operation;
    return ct_guid_is_equal(x->object, y->object) && x->key && y->key &&
           x->key_length == y->key_length && memcmp(x->key, y->key, x->key_length) == 0;
}

static inline bool model_same_element(const model_operation *a, const model_operation *b) {
    return model_is_element(a) && model_is_element(b) && model_same_key(a, b) &&
           ct_guid_is_equal(a->operation->value.reference, b->operation->value.reference);
}

// Returns whether an earlier commit was made together with `a`.
static inline bool model_made_with(const ct_database_commit *a, const ct_database_commit *earlier) {
    return ct_guid_is_equal(a->stamp.replica, earlier->stamp.replica) && a->since > 0 &&
           earlier->stamp.time >= a->since && earlier->stamp.time < a->stamp.time;
}

// Returns whether `a` covers `b`.
static inline bool model_covers(const model_operation *a, const model_operation *b) {
    const bool has_seen = a->commit == b->commit
                              ? b->index < a->index
                              : ct_database_vector_has(&a->commit->seen, b->commit->stamp) ||
                                    model_made_with(a->commit, b->commit);
    if (!has_seen || !ct_guid_is_equal(a->operation->object, b->operation->object))
        return false;
    if (a->operation->type == CT_DATABASE_DESTROY)
        return true;
    if (a->operation->type == CT_DATABASE_CREATE)
        return model_is_existence(b);
    return a->operation->type == CT_DATABASE_CHANGE_KEY ? model_same_key(a, b)
                                                        : model_same_element(a, b);
}

// Orders by stamp; within a commit the later one is higher.
static inline int model_compare(const model_operation *a, const model_operation *b) {
    const int order = ct_database_stamp_compare(a->commit->stamp, b->commit->stamp);
    return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

// Lists the operations of commits, and finds which are kept.
static inline void model_make(model_operations *all, ct_allocator *a,
                              const ct_database_commit *const *commits, uint32_t count) {
    ct_array_init(all, a);
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t k = 0; k < commits[i]->operations.list.count; ++k) {
            const ct_database_operation *const operation = &commits[i]->operations.list.items[k];
            if (operation->type >= CT_DATABASE_CHANGE_KEY || !ct_guid_is_none(operation->object))
                ct_array_push(all, (model_operation){commits[i], k, operation, true});
        }
    for (uint32_t i = 0; i < all->count; ++i)
        for (uint32_t k = 0; k < all->count; ++k)
            if (i != k && model_covers(&all->items[k], &all->items[i]))
                all->items[i].is_kept = false;
    uint32_t num_kept = 0;
    for (uint32_t i = 0; i < all->count; ++i)
        if (all->items[i].is_kept)
            all->items[num_kept++] = all->items[i];
    all->count = num_kept;
}

// --- What the kept operations say; NULL when nothing does --------------------------------------------

// Returns the highest of the kept ones that are like `like`: of the same object's existence, the same key's values, or
// the same element.
static inline const model_operation *model_highest(const model_operations *kept,
                                                   const model_operation *like) {
    const model_operation *highest = NULL;
    for (uint32_t i = 0; i < kept->count; ++i) {
        const model_operation *const m = &kept->items[i];
        const bool is_like =
            model_is_existence(like)
                ? model_is_existence(m) &&
                      ct_guid_is_equal(m->operation->object, like->operation->object)
            : model_is_element(like)
                ? model_same_element(m, like)
                : m->operation->type == CT_DATABASE_CHANGE_KEY && model_same_key(m, like);
        if (is_like && (!highest || model_compare(m, highest) > 0))
            highest = m;
    }
    return highest;
}

static inline const model_operation *model_existence(const model_operations *kept, ct_guid object) {
    const ct_database_operation operation = {.type = CT_DATABASE_CREATE, .object = object};
    return model_highest(kept, &(model_operation){.operation = &operation});
}

static inline const model_operation *model_value(const model_operations *kept,
                                                 const model_operation *of_key) {
    ct_database_operation operation = *of_key->operation;
    operation.type = CT_DATABASE_CHANGE_KEY;
    return model_highest(kept, &(model_operation){.operation = &operation});
}

static inline bool model_has_item(const model_operation *value, ct_guid guid) {
    bool has = false;
    if (value && value->operation->value.kind == CT_DATABASE_SET)
        for (uint32_t i = 0; i < value->operation->value.set.count; ++i)
            has |= ct_guid_is_equal(value->operation->value.set.items[i], guid);
    return has;
}

// Returns the operation that decides whether an element is in its set: of the element or of the key.
static inline const model_operation *model_decides(const model_operations *kept,
                                                   const model_operation *element) {
    const model_operation *const value = model_value(kept, element);
    const model_operation *const highest = model_highest(kept, element);
    return value && model_compare(value, highest) > 0 ? value : highest;
}

static inline bool model_is_member(const model_operations *kept, const model_operation *element) {
    const model_operation *const m = model_decides(kept, element);
    return model_is_element(m) ? m->operation->type == CT_DATABASE_ADD_TO_SET
                               : model_has_item(m, element->operation->value.reference);
}

// Returns the latest ADD_TO_SET of a key that counts.
static inline const model_operation *model_latest_member(const model_operations *kept,
                                                         const model_operation *of_key) {
    const model_operation *latest = NULL;
    for (uint32_t i = 0; i < kept->count; ++i) {
        const model_operation *const m = &kept->items[i];
        if (m->operation->type != CT_DATABASE_ADD_TO_SET || !model_same_key(m, of_key) ||
            model_decides(kept, m) != m)
            continue;
        const int order =
            latest ? ct_database_stamp_compare(m->commit->stamp, latest->commit->stamp) : 1;
        if (order > 0 || (order == 0 && ct_guid_compare(m->operation->value.reference,
                                                        latest->operation->value.reference) > 0))
            latest = m;
    }
    return latest;
}

static inline int model_compare_guids(const void *a, const void *b) {
    return ct_guid_compare(*(const ct_guid *)a, *(const ct_guid *)b);
}

enum { MODEL_MAX_ITEMS = 64 };

// Returns the value of a key. Sets lie in `items`.
static inline ct_database_value model_get(const model_operations *kept,
                                          const model_operation *of_key,
                                          ct_guid items[MODEL_MAX_ITEMS]) {
    const model_operation *const value = model_value(kept, of_key);
    const bool is_set = value && value->operation->value.kind == CT_DATABASE_SET;
    if (!model_latest_member(kept, of_key) && !is_set)
        return value ? value->operation->value : (ct_database_value){0};
    uint32_t count = 0;
    for (uint32_t i = 0; is_set && i < value->operation->value.set.count; ++i) {
        ct_database_operation operation = *value->operation;
        operation.type = CT_DATABASE_ADD_TO_SET;
        operation.value = (ct_database_value){.kind = CT_DATABASE_REFERENCE,
                                              .reference = value->operation->value.set.items[i]};
        const model_operation like = {.operation = &operation};
        if (!model_highest(kept, &like) || model_is_member(kept, &like))
            items[count++] = operation.value.reference;
    }
    for (uint32_t i = 0; i < kept->count; ++i) {
        const model_operation *const m = &kept->items[i];
        if (model_is_element(m) && model_same_key(m, of_key) && model_is_member(kept, m))
            items[count++] = m->operation->value.reference;
    }
    qsort(items, count, sizeof(*items), model_compare_guids);
    uint32_t num_unique = 0;
    for (uint32_t i = 0; i < count; ++i)
        if (i == 0 || !ct_guid_is_equal(items[i], items[num_unique - 1]))
            items[num_unique++] = items[i];
    return (ct_database_value){.kind = CT_DATABASE_SET, .set = {items, num_unique}};
}

// --- Conflicts -----------------------------------------------------------------------------------------

// Returns the operation that `lost` has lost against, when it says something else; or NULL.
static inline const model_operation *model_lost_to(const model_operations *kept,
                                                   const model_operation *lost) {
    const ct_database_operation *const operation = lost->operation;
    const model_operation *const existence = model_existence(kept, operation->object);
    const model_operation *const destroyed =
        existence && existence->operation->type == CT_DATABASE_DESTROY ? existence : NULL;
    if (model_is_existence(lost))
        return existence->operation->type != operation->type ? existence : NULL;
    if (model_is_element(lost)) {
        const model_operation *const won = model_decides(kept, lost);
        const bool is_add = operation->type == CT_DATABASE_ADD_TO_SET;
        if (is_add != model_is_member(kept, lost))
            return won;
        return won == lost && is_add ? destroyed : NULL;
    }
    const model_operation *const won = model_value(kept, lost);
    if (won != lost)
        return ct_database_value_is_equal(&won->operation->value, &operation->value) ? NULL : won;
    if (operation->value.kind == CT_DATABASE_NULL)
        return NULL;
    const model_operation *const member = model_latest_member(kept, lost);
    return member && operation->value.kind != CT_DATABASE_SET ? member : destroyed;
}

// --- Text ----------------------------------------------------------------------------------------------

static inline int model_compare_texts(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static inline void model_write_row(const char *what, const model_operation *m,
                                   ct_string_builder *out) {
    char time[CT_DATABASE_TIME_TEXT_BYTES], replica[CT_GUID_TEXT_BYTES];
    ct_database_time_format(m->commit->stamp.time, time);
    ct_guid_format(m->commit->stamp.replica, replica);
    ct_string_builder_addf(out, "    %s %s %s ", what, time, replica);
    ct_database_operation_write(m->operation, out);
    ct_string_builder_add_char(out, '\n');
}

// Orders by object, key, stamp, type and element, as conflicts are listed.
static inline int model_compare_rows(const void *first, const void *second) {
    const model_operation *const a = first, *const b = second;
    const ct_database_operation *const x = a->operation, *const y = b->operation;
    int order = ct_guid_compare(x->object, y->object);
    if (order == 0)
        order = (x->key != NULL) - (y->key != NULL);
    if (order == 0 && x->key) {
        const uint32_t shared = x->key_length < y->key_length ? x->key_length : y->key_length;
        order = memcmp(x->key, y->key, shared);
        if (order == 0)
            order = (x->key_length > y->key_length) - (x->key_length < y->key_length);
    }
    if (order == 0)
        order = ct_database_stamp_compare(a->commit->stamp, b->commit->stamp);
    if (order == 0)
        order = (x->type > y->type) - (x->type < y->type);
    if (order == 0 && x->type > CT_DATABASE_CHANGE_KEY)
        order = ct_guid_compare(x->value.reference, y->value.reference);
    return order;
}

// Appends what ct_database_state_dump appends. `kept` gets sorted.
static inline void model_dump(model_operations *kept, ct_string_builder *out) {
    ct_guid items[MODEL_MAX_ITEMS], last = {{0}};
    bool is_first = true;
    if (kept->count > 0)
        qsort(kept->items, kept->count, sizeof(*kept->items), model_compare_rows);
    // The root comes first; its values follow it as those of other objects do.
    ct_string_builder_add(out, "object 00000000-0000-0000-0000-000000000000\n");
    for (uint32_t i = 0; i < kept->count; ++i) {
        const model_operation *const m = &kept->items[i];
        const model_operation *const existence = model_existence(kept, m->operation->object);
        const bool is_root = ct_guid_is_none(m->operation->object);
        if (!is_root && !(existence && existence->operation->type == CT_DATABASE_CREATE))
            continue;
        char text[CT_GUID_TEXT_BYTES];
        ct_guid_format(m->operation->object, text);
        if (!is_root && (is_first || !ct_guid_is_equal(last, m->operation->object)))
            ct_string_builder_addf(out, "object %s\n", text);
        is_first = false;
        last = m->operation->object;
        if (model_is_existence(m) || (i > 0 && model_same_key(&kept->items[i - 1], m)))
            continue;
        const ct_database_value value = model_get(kept, m, items);
        if (value.kind == CT_DATABASE_NULL)
            continue;
        ct_string_builder_add(out, "    ");
        ct_sjson_add_string(out, m->operation->key, m->operation->key_length);
        ct_string_builder_add(out, ": ");
        ct_database_value_write(&value, out);
        ct_string_builder_add_char(out, '\n');
    }
    for (uint32_t i = 0; i < kept->count; ++i) {
        const model_operation *const won = model_lost_to(kept, &kept->items[i]);
        if (!won)
            continue;
        ct_string_builder_add(out, "conflict\n");
        model_write_row("won", won, out);
        model_write_row("lost", &kept->items[i], out);
    }
}

// Returns whether readers see a kept operation, as ct_database_row says it.
static inline bool model_wins(const model_operations *kept, const model_operation *m) {
    if (model_is_existence(m))
        return m->operation->type == CT_DATABASE_CREATE && model_highest(kept, m) == m;
    if (model_is_element(m))
        return model_decides(kept, m) == m;
    const ct_database_kind kind = m->operation->value.kind;
    return model_value(kept, m) == m &&
           (kind == CT_DATABASE_SET || (kind != CT_DATABASE_NULL && !model_latest_member(kept, m)));
}

// Appends a line for a row: what it is and whether it wins.
static inline void model_add_line(ct_string_builder *out, const ct_database_operation *operation,
                                  ct_database_stamp stamp, bool wins) {
    char replica[CT_GUID_TEXT_BYTES];
    ct_guid_format(stamp.replica, replica);
    ct_database_operation_write(operation, out);
    ct_string_builder_addf(out, " %llx %s %s\n", (unsigned long long)stamp.time, replica,
                           wins ? "wins" : "hides");
}

// Sorts the lines of a text.
static inline void model_sort_lines(ct_string_builder *text) {
    uint32_t count = 0;
    char *lines[4096], *const copy = strdup(ct_string_builder_text(text));
    for (char *line = strtok(copy, "\n"); line && count < 4096; line = strtok(NULL, "\n"))
        lines[count++] = line;
    qsort(lines, count, sizeof(*lines), model_compare_texts);
    ct_string_builder_clear(text);
    for (uint32_t i = 0; i < count; ++i) {
        ct_string_builder_add(text, lines[i]);
        ct_string_builder_add_char(text, '\n');
    }
    free(copy);
}

// Appends all kept rows, sorted.
static inline void model_write_rows(const model_operations *kept, ct_string_builder *out) {
    for (uint32_t i = 0; i < kept->count; ++i)
        model_add_line(out, kept->items[i].operation, kept->items[i].commit->stamp,
                       model_wins(kept, &kept->items[i]));
    model_sort_lines(out);
}
