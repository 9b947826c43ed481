#include <string.h>

#include "database/store/postgres/postgres_private.h"

enum { NUM_TABLES = CT_DATABASE_ROW_TABLE_REMOVED + 1 };

// Replaces rows of one branch: removals are sent as statements, rows gathered and sent as COPYs.
typedef struct saving {
    ct_postgres_store *store;
    int64_t branch;
    bool is_first; // there are no rows yet: nothing is to be removed
    ct_database_row_array rows;
    ct_byte_array copies[NUM_TABLES]; // in the form of COPY, without the end
} saving;

// --- The form of COPY ----------------------------------------------------------------------------

static void put_int(ct_byte_array *out, uint64_t value, uint32_t size_bytes) {
    uint8_t bytes[8];
    for (uint32_t i = 0; i < size_bytes; ++i)
        bytes[i] = (uint8_t)(value >> 8 * (size_bytes - 1 - i));
    ct_array_push_many(out, bytes, size_bytes);
}

static void put_int_field(ct_byte_array *out, int64_t value, uint32_t size_bytes) {
    put_int(out, size_bytes, 4);
    put_int(out, (uint64_t)value, size_bytes);
}

static void put_bytes_field(ct_byte_array *out, const void *bytes, uint32_t size_bytes) {
    put_int(out, size_bytes, 4);
    ct_array_push_many(out, (const uint8_t *)bytes, size_bytes);
}

static void put_null_field(ct_byte_array *out) {
    put_int(out, UINT32_MAX, 4);
}

static void put_header(ct_byte_array *out) {
    static const uint8_t header[19] = {'P', 'G', 'C', 'O', 'P', 'Y', '\n', 0xff, '\r', '\n'};
    ct_array_push_many(out, header, sizeof(header));
}

static void put_value(ct_byte_array *out, const ct_database_value *value) {
    ct_database_columns columns;
    ct_database_columns_of(value, &columns);
    put_int_field(out, columns.kind, 2);
    if (columns.kind == CT_DATABASE_BOOL || columns.kind == CT_DATABASE_NUMBER) {
        uint64_t bits;
        memcpy(&bits, &columns.number, sizeof(bits));
        put_int_field(out, (int64_t)bits, 8);
    } else {
        put_null_field(out);
    }
    if (columns.kind > CT_DATABASE_NUMBER)
        put_bytes_field(out, columns.bytes, columns.size_bytes);
    else
        put_null_field(out);
}

static bool put_row(saving *s, const ct_database_row *row, ct_error *error) {
    static const uint16_t num_fields[NUM_TABLES] = {6, 9, 8, 8};
    static const ct_guid no_element;
    const ct_database_operation *const op = &row->operation;
    const ct_database_row_table table = ct_database_row_table_of(row);
    ct_byte_array *const out = &s->copies[table];
    int64_t replica, key = 0;
    if (!ct_postgres_replica_id(s->store, row->stamp.replica, true, &replica, error) ||
        (op->key && !ct_postgres_key_id(s->store, op->key, op->key_length, true, &key, error)))
        return false;
    if (out->count == 0)
        put_header(out);
    put_int(out, num_fields[table], 2);
    put_int_field(out, s->branch, 8);
    put_bytes_field(out, op->object.bytes, sizeof(op->object));
    put_int_field(out, replica, 8);
    put_int_field(out, (int64_t)row->stamp.time, 8);
    put_int_field(out, ct_database_row_flags(row), 2);
    if (table == CT_DATABASE_ROW_TABLE_VALUE) {
        put_int_field(out, key, 8);
        put_value(out, &op->value);
        return true;
    }
    put_int_field(out, op->type, 2);
    if (table == CT_DATABASE_ROW_TABLE_OBJECT)
        return true;
    const bool is_element =
        op->type == CT_DATABASE_ADD_TO_SET || op->type == CT_DATABASE_REMOVE_FROM_SET;
    put_int_field(out, key, 8);
    put_bytes_field(out, is_element ? op->value.reference.bytes : no_element.bytes,
                    sizeof(no_element));
    CT_ASSERT(op->type != CT_DATABASE_CHANGE_KEY || op->value.kind == CT_DATABASE_NULL,
              "a value that does not live is not null");
    return true;
}

// --- Removing ------------------------------------------------------------------------------------

static bool remove_rows(saving *s, const ct_postgres_statement *statements, uint32_t count,
                        const ct_postgres_params *params, ct_error *error) {
    if (s->store->num_queued >= CT_POSTGRES_MAX_QUEUED - 16 &&
        !ct_postgres_run(s->store, NULL, error))
        return false;
    for (uint32_t i = 0; i < count; ++i)
        if (!ct_postgres_queue(s->store, statements[i], params, error))
            return false;
    return true;
}

static bool remove_part(saving *s, const ct_database_changed *changed, ct_error *error) {
    static const ct_postgres_statement of_object[] = {
        CT_POSTGRES_OBJECT_REMOVE_OBJECT, CT_POSTGRES_VALUE_REMOVE_OBJECT,
        CT_POSTGRES_ELEMENT_REMOVE_OBJECT, CT_POSTGRES_REMOVED_REMOVE_OBJECT};
    static const ct_postgres_statement of_key[] = {CT_POSTGRES_VALUE_REMOVE_KEY,
                                                   CT_POSTGRES_ELEMENT_REMOVE_KEY,
                                                   CT_POSTGRES_REMOVED_REMOVE_KEY};
    static const ct_postgres_statement of_value[] = {CT_POSTGRES_VALUE_REMOVE_KEY,
                                                     CT_POSTGRES_REMOVED_REMOVE_VALUE};
    static const ct_postgres_statement of_element[] = {CT_POSTGRES_ELEMENT_REMOVE_ELEMENT,
                                                       CT_POSTGRES_REMOVED_REMOVE_ELEMENT};
    if (s->is_first)
        return true;
    int64_t key = 0;
    if (changed->key &&
        !ct_postgres_key_id(s->store, changed->key, changed->key_length, true, &key, error))
        return false;
    ct_postgres_params params = {0};
    ct_postgres_add_int(&params, s->branch);
    ct_postgres_add_guid(&params, &changed->object);
    if (changed->part == CT_DATABASE_CHANGED_OBJECT)
        return remove_rows(s, of_object, CT_COUNT_OF(of_object), &params, error);
    if (changed->part == CT_DATABASE_CHANGED_EXISTENCE &&
        !remove_rows(s, of_object, 1, &params, error))
        return false;
    ct_postgres_add_int(&params, key);
    switch (changed->part) {
    case CT_DATABASE_CHANGED_EXISTENCE: // removed ones have key 0
        return remove_rows(s, &of_key[2], 1, &params, error);
    case CT_DATABASE_CHANGED_KEY:
        return remove_rows(s, of_key, CT_COUNT_OF(of_key), &params, error);
    case CT_DATABASE_CHANGED_VALUE:
        return remove_rows(s, of_value, CT_COUNT_OF(of_value), &params, error);
    default:
        ct_postgres_add_guid(&params, &changed->element);
        return remove_rows(s, of_element, CT_COUNT_OF(of_element), &params, error);
    }
}

// --- Saving --------------------------------------------------------------------------------------

// Sends what was gathered.
static bool flush(saving *s, ct_error *error) {
    if (s->store->num_queued > 0 && !ct_postgres_run(s->store, NULL, error))
        return false;
    for (uint32_t i = 0; i < NUM_TABLES; ++i) {
        ct_byte_array *const copy = &s->copies[i];
        if (copy->count == 0)
            continue;
        put_int(copy, UINT16_MAX, 2); // the end
        if (!ct_postgres_copy(s->store, CT_POSTGRES_OBJECT_ADD + i, copy->items, copy->count,
                              error))
            return false;
        copy->count = 0;
    }
    return true;
}

static uint64_t num_bytes(const saving *s) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < NUM_TABLES; ++i)
        bytes += s->copies[i].count;
    return bytes;
}

static bool save_changes(saving *s, const ct_database_state *state, ct_error *error) {
    enum { MOST_BYTES = 16 << 20 };
    ct_database_changed_array changes;
    ct_array_init(&changes, s->store->base.allocator);
    ct_database_state_changes(state, &changes);
    bool is_good = true;
    for (uint32_t i = 0; is_good && i < changes.count; ++i) {
        is_good = remove_part(s, &changes.items[i], error);
        s->rows.count = 0;
        ct_database_state_changed_rows(state, &changes.items[i], &s->rows);
        for (uint32_t k = 0; is_good && k < s->rows.count; ++k)
            is_good = put_row(s, &s->rows.items[k], error);
        if (is_good && num_bytes(s) >= MOST_BYTES)
            is_good = flush(s, error);
    }
    ct_array_free(&changes);
    return is_good && flush(s, error);
}

// Others that store the state of the branch wait; those that commit do not.
static bool lock_stored(const saving *s, ct_error *error) {
    ct_postgres_params params = {0};
    ct_postgres_add_int(&params, s->branch);
    return ct_postgres_execute(s->store, CT_POSTGRES_STORED_LOCK, &params, error);
}

static bool save(ct_postgres_store *store, const ct_database_branch *branch,
                 const ct_database_state *state, const ct_database_vector *at, bool *saved,
                 ct_error *error) {
    ct_allocator *const a = store->base.allocator;
    saving s = {.store = store};
    ct_database_branch stored;
    ct_database_branch_init(&stored, a, branch->name);
    ct_array_init(&s.rows, a);
    for (uint32_t i = 0; i < NUM_TABLES; ++i)
        ct_array_init(&s.copies[i], a);
    bool is_good =
        ct_postgres_branch_id(store, branch->name, &s.branch, error) && lock_stored(&s, error) &&
        ct_postgres_branch_need(store, &stored, CT_POSTGRES_BRANCH_HOW_FIND, &s.branch, error);
    *saved = is_good && ct_database_vector_covers(at, &stored.state);
    if (*saved && !ct_database_vector_covers(&stored.state, at)) {
        s.is_first = stored.state.stamps.count == 0;
        is_good = save_changes(&s, state, error) &&
                  ct_postgres_write_vector(store, CT_POSTGRES_STORED_SET, s.branch, at,
                                           &stored.state, error) &&
                  (store->num_queued == 0 || ct_postgres_run(store, NULL, error));
    }
    for (uint32_t i = 0; i < NUM_TABLES; ++i)
        ct_array_free(&s.copies[i]);
    ct_array_free(&s.rows);
    ct_database_branch_free(&stored);
    return is_good;
}

bool ct_postgres_save_state(ct_database_store *base, ct_database_branch *branch,
                            const ct_database_state *state, const ct_database_vector *at,
                            bool *saved, ct_error *error) {
    ct_postgres_store *const store = (ct_postgres_store *)base;
    CT_ASSERT(!store->is_committing, "the state is saved in a commit");
    *saved = false;
    bool is_saved = false;
    if (!ct_postgres_transaction_begin(store, CT_POSTGRES_BEGIN, true, error) ||
        !ct_postgres_transaction_finish(store, save(store, branch, state, at, &is_saved, error),
                                        error))
        return false;
    if (is_saved && at != &branch->state)
        ct_database_vector_copy(&branch->state, at);
    *saved = is_saved;
    return true;
}

// --- Clearing ------------------------------------------------------------------------------------

bool ct_postgres_clear_rows(ct_postgres_store *store, int64_t branch, ct_error *error) {
    static const ct_postgres_statement removals[] = {
        CT_POSTGRES_STORED_LOCK, // waits for one that stores its state
        CT_POSTGRES_STORED_REMOVE, CT_POSTGRES_OBJECT_CLEAR, CT_POSTGRES_VALUE_CLEAR,
        CT_POSTGRES_ELEMENT_CLEAR, CT_POSTGRES_REMOVED_CLEAR};
    ct_postgres_params params = {0};
    ct_postgres_add_int(&params, branch);
    for (uint32_t i = 0; i < CT_COUNT_OF(removals); ++i)
        if (!ct_postgres_queue(store, removals[i], &params, error))
            return false;
    return ct_postgres_run(store, NULL, error);
}

static bool clear(ct_postgres_store *store, const char *branch, ct_error *error) {
    int64_t id;
    return ct_postgres_branch_id(store, branch, &id, error) &&
           ct_postgres_clear_rows(store, id, error);
}

bool ct_postgres_clear_state(ct_database_store *base, const char *branch, ct_error *error) {
    ct_postgres_store *const store = (ct_postgres_store *)base;
    CT_ASSERT(!store->is_committing, "the state is cleared in a commit");
    return ct_postgres_transaction_begin(store, CT_POSTGRES_BEGIN, true, error) &&
           ct_postgres_transaction_finish(store, clear(store, branch, error), error);
}
