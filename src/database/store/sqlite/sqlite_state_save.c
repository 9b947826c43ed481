#include <math.h>
#include <string.h>

#include "database/store/sqlite/sqlite_private.h"
#include "foundation/container/sort.h"

// Replaces rows of one branch.
typedef struct saving {
    ct_sqlite_store *store;
    int64_t branch;
    bool is_first; // there are no rows yet: nothing is to be removed
    ct_database_row_array rows;
} saving;

// --- Removing ------------------------------------------------------------------------------------

// Runs a statement with branch, object, and as many of key and element as there are.
static bool remove_rows(const saving *s, ct_sqlite_statement removal, const ct_guid *object,
                        int64_t key, const ct_guid *element, ct_error *error) {
    ct_sqlite_store *const store = s->store;
    sqlite3_stmt *const statement = ct_sqlite_get(store, removal, error);
    if (!statement)
        return false;
    ct_sqlite_bind_int(store, statement, 1, s->branch);
    ct_sqlite_bind_guid(store, statement, 2, object);
    if (key >= 0)
        ct_sqlite_bind_int(store, statement, 3, key);
    if (element)
        ct_sqlite_bind_guid(store, statement, 4, element);
    else if (removal == CT_SQLITE_REMOVED_REMOVE_ELEMENT)
        ct_sqlite_bind_blob(store, statement, 4, "", 0);
    return ct_sqlite_run(store, statement, error);
}

static bool is_stored(const saving *s, const ct_guid *object, bool *is, ct_error *error) {
    sqlite3_stmt *const find = ct_sqlite_get(s->store, CT_SQLITE_OBJECT_FIND, error);
    if (!find)
        return false;
    ct_sqlite_bind_int(s->store, find, 1, s->branch);
    ct_sqlite_bind_guid(s->store, find, 2, object);
    bool has_row;
    if (!ct_sqlite_next(s->store, find, &has_row, error))
        return false;
    *is = has_row && s->store->api->sqlite3_column_int64(find, 0);
    if (has_row)
        ct_sqlite_reset(s->store, find);
    return true;
}

// Objects that are new have no rows: one look in place of four removals.
static bool remove_object(const saving *s, const ct_guid *object, ct_error *error) {
    bool is;
    return is_stored(s, object, &is, error) &&
           (!is || (remove_rows(s, CT_SQLITE_OBJECT_REMOVE_OBJECT, object, -1, NULL, error) &&
                    remove_rows(s, CT_SQLITE_VALUE_REMOVE_OBJECT, object, -1, NULL, error) &&
                    remove_rows(s, CT_SQLITE_ELEMENT_REMOVE_OBJECT, object, -1, NULL, error) &&
                    remove_rows(s, CT_SQLITE_REMOVED_REMOVE_OBJECT, object, -1, NULL, error)));
}

static bool remove_part(const saving *s, const ct_database_changed *changed, ct_error *error) {
    const ct_guid *const object = &changed->object;
    int64_t key = 0;
    if (s->is_first)
        return true;
    if (changed->key &&
        !ct_sqlite_key_id(s->store, changed->key, changed->key_length, true, &key, error))
        return false;
    switch (changed->part) {
    case CT_DATABASE_CHANGED_OBJECT:
        return remove_object(s, object, error);
    case CT_DATABASE_CHANGED_EXISTENCE:
        return remove_rows(s, CT_SQLITE_OBJECT_REMOVE_OBJECT, object, -1, NULL, error) &&
               remove_rows(s, CT_SQLITE_REMOVED_REMOVE_KEY, object, 0, NULL, error);
    case CT_DATABASE_CHANGED_KEY:
        return remove_rows(s, CT_SQLITE_VALUE_REMOVE_KEY, object, key, NULL, error) &&
               remove_rows(s, CT_SQLITE_ELEMENT_REMOVE_KEY, object, key, NULL, error) &&
               remove_rows(s, CT_SQLITE_REMOVED_REMOVE_KEY, object, key, NULL, error);
    case CT_DATABASE_CHANGED_VALUE: // removed ones have an empty element
        return remove_rows(s, CT_SQLITE_VALUE_REMOVE_KEY, object, key, NULL, error) &&
               remove_rows(s, CT_SQLITE_REMOVED_REMOVE_ELEMENT, object, key, NULL, error);
    default:
        return remove_rows(s, CT_SQLITE_ELEMENT_REMOVE_ELEMENT, object, key, &changed->element,
                           error) &&
               remove_rows(s, CT_SQLITE_REMOVED_REMOVE_ELEMENT, object, key, &changed->element,
                           error);
    }
}

// --- Adding --------------------------------------------------------------------------------------

static void bind_value(ct_sqlite_store *store, sqlite3_stmt *statement, int place,
                       const ct_database_columns *columns) {
    switch (columns->kind) {
    case CT_DATABASE_NULL:
        store->api->sqlite3_bind_null(statement, place);
        break;
    case CT_DATABASE_BOOL:
        ct_sqlite_bind_int(store, statement, place, columns->number != 0);
        break;
    case CT_DATABASE_NUMBER: // SQLite makes NULL of NaN
        if (isnan(columns->number))
            ct_sqlite_bind_blob(store, statement, place, &columns->number, sizeof(columns->number));
        else
            store->api->sqlite3_bind_double(statement, place, columns->number);
        break;
    case CT_DATABASE_STRING:
        ct_sqlite_bind_text(store, statement, place, columns->bytes, columns->size_bytes);
        break;
    default:
        ct_sqlite_bind_blob(store, statement, place, columns->bytes, columns->size_bytes);
        break;
    }
}

static bool add_row(const saving *s, const ct_database_row *row, ct_error *error) {
    static const ct_sqlite_statement adds[] = {
        [CT_DATABASE_ROW_TABLE_OBJECT] = CT_SQLITE_OBJECT_ADD,
        [CT_DATABASE_ROW_TABLE_VALUE] = CT_SQLITE_VALUE_ADD,
        [CT_DATABASE_ROW_TABLE_ELEMENT] = CT_SQLITE_ELEMENT_ADD,
        [CT_DATABASE_ROW_TABLE_REMOVED] = CT_SQLITE_REMOVED_ADD,
    };
    ct_sqlite_store *const store = s->store;
    const ct_database_operation *const op = &row->operation;
    const ct_database_row_table table = ct_database_row_table_of(row);
    int64_t replica, key = 0;
    if (!ct_sqlite_replica_id(store, row->stamp.replica, true, &replica, error) ||
        (op->key && !ct_sqlite_key_id(store, op->key, op->key_length, true, &key, error)))
        return false;
    sqlite3_stmt *const add = ct_sqlite_get(store, adds[table], error);
    if (!add)
        return false;
    ct_sqlite_bind_int(store, add, 1, s->branch);
    ct_sqlite_bind_guid(store, add, 2, &op->object);
    ct_sqlite_bind_int(store, add, 3, replica);
    ct_sqlite_bind_int(store, add, 4, (int64_t)row->stamp.time);
    ct_sqlite_bind_int(store, add, 5, ct_database_row_flags(row));
    ct_database_columns columns;
    if (table == CT_DATABASE_ROW_TABLE_VALUE) {
        ct_database_columns_of(&op->value, &columns);
        ct_sqlite_bind_int(store, add, 6, key);
        ct_sqlite_bind_int(store, add, 7, columns.kind);
        bind_value(store, add, 8, &columns);
        return ct_sqlite_run(store, add, error);
    }
    ct_sqlite_bind_int(store, add, 6, op->type);
    if (table == CT_DATABASE_ROW_TABLE_OBJECT)
        return ct_sqlite_run(store, add, error);
    ct_sqlite_bind_int(store, add, 7, key);
    if (op->type == CT_DATABASE_ADD_TO_SET || op->type == CT_DATABASE_REMOVE_FROM_SET)
        ct_sqlite_bind_guid(store, add, 8, &op->value.reference);
    else
        ct_sqlite_bind_blob(store, add, 8, "", 0);
    CT_ASSERT(op->type != CT_DATABASE_CHANGE_KEY || op->value.kind == CT_DATABASE_NULL,
              "a value that does not live is not null");
    return ct_sqlite_run(store, add, error);
}

// --- Saving --------------------------------------------------------------------------------------

static bool save_part(saving *s, const ct_database_state *state, const ct_database_changed *changed,
                      ct_error *error) {
    if (!remove_part(s, changed, error))
        return false;
    s->rows.count = 0;
    ct_database_state_changed_rows(state, changed, &s->rows);
    for (uint32_t i = 0; i < s->rows.count; ++i)
        if (!add_row(s, &s->rows.items[i], error))
            return false;
    return true;
}

// Goes through the changes in the order of the tables: pages are then read and written once.
static bool save_changes(saving *s, const ct_database_state *state,
                         const ct_database_changed_array *changes, ct_error *error) {
    ct_allocator *const a = s->store->base.allocator;
    const uint64_t bytes = sizeof(ct_sort_item64) * (uint64_t)changes->count;
    ct_sort_item64 *const order = ct_alloc(a, bytes), *const scratch = ct_alloc(a, bytes);
    for (uint32_t i = 0; i < changes->count; ++i) {
        uint64_t start = 0;
        for (uint32_t k = 0; k < 8; ++k)
            start = start << 8 | changes->items[i].object.bytes[k];
        order[i] = (ct_sort_item64){.key = start, .index = i};
    }
    ct_sort_items64(order, scratch, changes->count);
    bool is_saved = true;
    for (uint32_t i = 0; is_saved && i < changes->count; ++i)
        is_saved = save_part(s, state, &changes->items[order[i].index], error);
    ct_free_sized(a, order, bytes);
    ct_free_sized(a, scratch, bytes);
    return is_saved;
}

static bool save_counts(const saving *s, const ct_database_state *state, ct_error *error) {
    ct_database_state_stats stats;
    ct_database_state_stats_get(state, &stats);
    const int64_t ints[] = {s->branch, stats.num_objects, stats.num_values};
    return ct_sqlite_run_ints(s->store, CT_SQLITE_BRANCH_SET_COUNTS, ints, 3, error);
}

static bool save(ct_sqlite_store *store, const ct_database_branch *branch,
                 const ct_database_state *state, const ct_database_vector *at, bool *saved,
                 ct_error *error) {
    ct_allocator *const a = store->base.allocator;
    saving s = {.store = store};
    ct_database_branch stored;
    ct_database_branch_init(&stored, a, branch->name);
    ct_database_changed_array changes;
    ct_array_init(&changes, a);
    ct_array_init(&s.rows, a);
    bool is_good = ct_sqlite_branch_need(store, &stored, &s.branch, error);
    *saved = is_good && ct_database_vector_covers(at, &stored.state);
    if (*saved && !ct_database_vector_covers(&stored.state, at)) {
        s.is_first = stored.state.stamps.count == 0;
        ct_database_state_changes(state, &changes);
        is_good = save_changes(&s, state, &changes, error) && save_counts(&s, state, error) &&
                  ct_sqlite_write_vector(store, CT_SQLITE_STORED_SET, s.branch, at, &stored.state,
                                         0, error);
    }
    ct_array_free(&s.rows);
    ct_array_free(&changes);
    ct_database_branch_free(&stored);
    return is_good;
}

bool ct_sqlite_save_state(ct_database_store *base, ct_database_branch *branch,
                          const ct_database_state *state, const ct_database_vector *at, bool *saved,
                          ct_error *error) {
    ct_sqlite_store *const store = (ct_sqlite_store *)base;
    CT_ASSERT(!store->is_committing, "the state is saved in a commit");
    *saved = false;
    bool is_saved = false;
    if (!ct_sqlite_transaction_begin(store, true, error) ||
        !ct_sqlite_transaction_finish(store, save(store, branch, state, at, &is_saved, error),
                                      error))
        return false;
    if (is_saved && at != &branch->state)
        ct_database_vector_copy(&branch->state, at);
    *saved = is_saved;
    return true;
}

// --- Clearing ------------------------------------------------------------------------------------

bool ct_sqlite_clear_rows(ct_sqlite_store *store, int64_t branch, ct_error *error) {
    static const ct_sqlite_statement removals[] = {CT_SQLITE_STORED_REMOVE, CT_SQLITE_OBJECT_CLEAR,
                                                   CT_SQLITE_VALUE_CLEAR, CT_SQLITE_ELEMENT_CLEAR,
                                                   CT_SQLITE_REMOVED_CLEAR};
    for (uint32_t i = 0; i < CT_COUNT_OF(removals); ++i)
        if (!ct_sqlite_run_ints(store, removals[i], &branch, 1, error))
            return false;
    return true;
}

static bool clear(ct_sqlite_store *store, const char *branch, ct_error *error) {
    int64_t id;
    return ct_sqlite_branch_id(store, branch, &id, error) && ct_sqlite_clear_rows(store, id, error);
}

bool ct_sqlite_clear_state(ct_database_store *base, const char *branch, ct_error *error) {
    ct_sqlite_store *const store = (ct_sqlite_store *)base;
    CT_ASSERT(!store->is_committing, "the state is cleared in a commit");
    return ct_sqlite_transaction_begin(store, true, error) &&
           ct_sqlite_transaction_finish(store, clear(store, branch, error), error);
}
