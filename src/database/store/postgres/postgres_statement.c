#include <string.h>

#include "database/store/postgres/postgres_private.h"
#include "foundation/os/os.h"

static const struct {
    const char *name, *sql;
} statements[] = {
#define CT_POSTGRES_SQL(name, sql) [CT_POSTGRES_##name] = {#name, sql},
    CT_POSTGRES_STATEMENTS(CT_POSTGRES_SQL)
#undef CT_POSTGRES_SQL
};

// --- Parameters and columns ----------------------------------------------------------------------

static void add_param(ct_postgres_params *params, const void *value, uint64_t size_bytes) {
    CT_ASSERT(params->count < CT_POSTGRES_MAX_PARAMS, "too many parameters");
    params->values[params->count] = size_bytes > 0 ? value : "";
    params->lengths[params->count] = (int)size_bytes;
    params->formats[params->count++] = 1;
}

void ct_postgres_add_int(ct_postgres_params *params, int64_t value) {
    uint8_t *const bytes = params->ints[params->count];
    for (uint32_t i = 0; i < 8; ++i)
        bytes[i] = (uint8_t)((uint64_t)value >> (56 - 8 * i));
    add_param(params, bytes, 8);
}

void ct_postgres_add_bytes(ct_postgres_params *params, const void *bytes, uint64_t size_bytes) {
    add_param(params, bytes, size_bytes);
}

void ct_postgres_add_text(ct_postgres_params *params, const char *text, uint32_t length) {
    add_param(params, text, length);
}

void ct_postgres_add_guid(ct_postgres_params *params, const ct_guid *guid) {
    add_param(params, guid->bytes, sizeof(guid->bytes));
}

int64_t ct_postgres_int(const ct_postgres_store *store, const PGresult *result, int row,
                        int column) {
    const uint8_t *const bytes = (const uint8_t *)store->api->PQgetvalue(result, row, column);
    const int length = store->api->PQgetlength(result, row, column);
    uint64_t value = length > 0 && bytes[0] & 0x80 ? UINT64_MAX : 0; // of 2, 4 or 8 bytes
    for (int i = 0; i < length; ++i)
        value = value << 8 | bytes[i];
    return (int64_t)value;
}

bool ct_postgres_guid(const ct_postgres_store *store, const PGresult *result, int row, int column,
                      ct_guid *guid) {
    if (store->api->PQgetlength(result, row, column) != (int)sizeof(*guid))
        return false;
    memcpy(guid, store->api->PQgetvalue(result, row, column), sizeof(*guid));
    return true;
}

const void *ct_postgres_bytes(const ct_postgres_store *store, const PGresult *result, int row,
                              int column, uint32_t *size_bytes) {
    *size_bytes = (uint32_t)store->api->PQgetlength(result, row, column);
    return store->api->PQgetvalue(result, row, column);
}

// --- Results -------------------------------------------------------------------------------------

// Waits until PQgetResult does not block. Returns false when the connection ends or the time is over.
static bool await_result(ct_postgres_store *store, uint64_t deadline_ns) {
    const ct_postgres_api *const api = store->api;
    for (;;) {
        if (api->PQflush(store->connection) < 0 ||
            api->PQstatus(store->connection) != CONNECTION_OK)
            return false;
        if (!api->PQisBusy(store->connection))
            return true;
        const uint64_t now = ct_os_time_ns();
        if (now >= deadline_ns || store->api->PQsocket(store->connection) < 0)
            return false;
        ct_postgres_wait(store, deadline_ns - now);
    }
}

static bool is_good(ct_postgres_store *store, const PGresult *result) {
    switch (store->api->PQresultStatus(result)) {
    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK:
    case PGRES_COPY_IN:
    case PGRES_PIPELINE_SYNC:
        return true;
    default:
        return false;
    }
}

// The connection is of no use any more: it is lost, or answers came too late.
static bool lose(ct_postgres_store *store, ct_error *error) {
    if (store->api->PQstatus(store->connection) == CONNECTION_OK && error) {
        store->has_failed = true;
        ct_postgres_refuse(store, error, "it did not answer in time");
    } else {
        ct_postgres_fail(store, NULL, error);
    }
    ct_postgres_disconnect(store);
    return false;
}

// Takes the result of one queued statement, and the NULL behind it.
static bool take_result(ct_postgres_store *store, uint64_t deadline_ns, PGresult **result) {
    *result = NULL;
    for (;;) {
        if (!await_result(store, deadline_ns))
            return false;
        PGresult *const next = store->api->PQgetResult(store->connection);
        if (!next)
            return *result;
        if (*result)
            store->api->PQclear(*result);
        *result = next;
    }
}

// --- Pipelines -----------------------------------------------------------------------------------

// `prepared`: the statement that is made ready, CT_POSTGRES_NUM_STATEMENTS: one that runs.
static bool push(ct_postgres_store *store, ct_postgres_statement prepared) {
    CT_ASSERT(store->num_queued < CT_COUNT_OF(store->queued), "too many statements in a pipeline");
    store->queued[store->num_queued++] = (uint16_t)prepared;
    return true;
}

bool ct_postgres_queue(ct_postgres_store *store, ct_postgres_statement statement,
                       const ct_postgres_params *params, ct_error *error) {
    const ct_postgres_api *const api = store->api;
    static const ct_postgres_params nothing;
    const ct_postgres_params *const p = params ? params : &nothing;
    if (!store->connection)
        return ct_postgres_fail(store, NULL, error);
    if (!store->is_prepared[statement]) {
        if (!api->PQsendPrepare(store->connection, statements[statement].name,
                                statements[statement].sql, 0, NULL))
            return lose(store, error);
        push(store, statement);
        store->is_prepared[statement] = true;
    }
    if (!api->PQsendQueryPrepared(store->connection, statements[statement].name, (int)p->count,
                                  p->values, p->lengths, p->formats, 1))
        return lose(store, error);
    return push(store, CT_POSTGRES_NUM_STATEMENTS);
}

// Takes the results of all that is queued and of the sync behind it. The first failure goes to `error`.
static bool take_results(ct_postgres_store *store, PGresult **results, uint32_t *count,
                         ct_error *error) {
    const uint64_t deadline = ct_os_time_ns() + store->patience_ns;
    const uint32_t num_queued = store->num_queued;
    bool is_done = true;
    for (uint32_t i = 0; i < num_queued; ++i) {
        PGresult *result;
        if (!take_result(store, deadline, &result))
            return lose(store, is_done ? error : NULL);
        const bool is_fine = is_good(store, result);
        if (!is_fine && is_done)
            ct_postgres_fail(store, result, error);
        is_done = is_done && is_fine;
        const bool is_prepare = store->queued[i] < CT_POSTGRES_NUM_STATEMENTS;
        if (is_prepare && !is_fine)
            store->is_prepared[store->queued[i]] = false;
        if (!is_prepare && results && is_fine)
            results[(*count)++] = result;
        else
            store->api->PQclear(result);
    }
    store->num_queued = 0;
    if (!await_result(store, deadline))
        return lose(store, is_done ? error : NULL);
    store->api->PQclear(store->api->PQgetResult(store->connection)); // of the sync
    ct_postgres_take_notifications(store);
    return is_done;
}

bool ct_postgres_run(ct_postgres_store *store, PGresult **results, ct_error *error) {
    if (!store->connection)
        return ct_postgres_fail(store, NULL, error);
    if (!store->api->PQpipelineSync(store->connection))
        return lose(store, error);
    uint32_t count = 0;
    if (take_results(store, results, &count, error))
        return true;
    for (uint32_t i = 0; i < count; ++i)
        store->api->PQclear(results[i]);
    return false;
}

PGresult *ct_postgres_query(ct_postgres_store *store, ct_postgres_statement statement,
                            const ct_postgres_params *params, ct_error *error) {
    PGresult *result = NULL;
    CT_ASSERT(store->num_queued == 0, "statements are queued");
    return ct_postgres_queue(store, statement, params, error) &&
                   ct_postgres_run(store, &result, error)
               ? result
               : NULL;
}

bool ct_postgres_execute(ct_postgres_store *store, ct_postgres_statement statement,
                         const ct_postgres_params *params, ct_error *error) {
    return ct_postgres_queue(store, statement, params, error) &&
           ct_postgres_run(store, NULL, error);
}

PGresult *ct_postgres_query_sql(ct_postgres_store *store, const char *sql, bool is_text,
                                ct_error *error) {
    PGresult *result = NULL;
    if (!store->connection) {
        ct_postgres_fail(store, NULL, error);
        return NULL;
    }
    if (!store->api->PQsendQueryParams(store->connection, sql, 0, NULL, NULL, NULL, NULL,
                                       !is_text)) {
        lose(store, error);
        return NULL;
    }
    push(store, CT_POSTGRES_NUM_STATEMENTS);
    return ct_postgres_run(store, &result, error) ? result : NULL;
}

// --- Copying -------------------------------------------------------------------------------------

// Sends the bytes and takes the answer.
static bool send_copy(ct_postgres_store *store, const void *bytes, uint64_t size_bytes,
                      uint64_t deadline) {
    enum { CHUNK = 1 << 20 };
    const ct_postgres_api *const api = store->api;
    for (uint64_t at = 0; at < size_bytes;) {
        const uint64_t left = size_bytes - at;
        const int sent = api->PQputCopyData(store->connection, (const char *)bytes + at,
                                            left < CHUNK ? (int)left : CHUNK);
        if (sent < 0 || ct_os_time_ns() >= deadline)
            return false;
        if (sent == 1)
            at += left < CHUNK ? left : CHUNK;
        while (api->PQflush(store->connection) == 1)
            if (!ct_postgres_wait(store, UINT64_C(1000000000)) && ct_os_time_ns() >= deadline)
                return false;
    }
    return api->PQputCopyEnd(store->connection, NULL) == 1;
}

// A COPY is not possible in a pipeline: it is left for the time.
bool ct_postgres_copy(ct_postgres_store *store, ct_postgres_statement statement, const void *bytes,
                      uint64_t size_bytes, ct_error *error) {
    const ct_postgres_api *const api = store->api;
    const uint64_t deadline = ct_os_time_ns() + store->patience_ns;
    CT_ASSERT(store->num_queued == 0, "statements are queued");
    if (!store->connection || !api->PQexitPipelineMode(store->connection) ||
        !api->PQsendQuery(store->connection, statements[statement].sql) ||
        !await_result(store, deadline))
        return lose(store, error);
    PGresult *result = api->PQgetResult(store->connection);
    bool is_done = result && api->PQresultStatus(result) == PGRES_COPY_IN;
    if (!is_done)
        ct_postgres_fail(store, result, error);
    api->PQclear(result);
    if (is_done && !send_copy(store, bytes, size_bytes, deadline))
        return lose(store, error);
    for (;;) {
        if (!await_result(store, deadline))
            return lose(store, error);
        result = api->PQgetResult(store->connection);
        if (!result)
            break;
        if (is_done && !is_good(store, result))
            is_done = ct_postgres_fail(store, result, error);
        api->PQclear(result);
    }
    if (!api->PQenterPipelineMode(store->connection))
        return lose(store, error);
    return is_done;
}

// --- Transactions --------------------------------------------------------------------------------

bool ct_postgres_transaction_begin(ct_postgres_store *store, ct_postgres_statement begin,
                                   bool is_long, ct_error *error) {
    if (store->is_committing) // what is queued goes first
        return store->num_queued == 0 || ct_postgres_run(store, NULL, error);
    if (!ct_postgres_connect(store, error))
        return false;
    store->patience_ns =
        (is_long ? CT_POSTGRES_LONG_NS : CT_POSTGRES_SHORT_NS) + UINT64_C(5) * 1000000000;
    return ct_postgres_queue(store, begin, NULL, error) &&
           (!is_long || ct_postgres_queue(store, CT_POSTGRES_LONG, NULL, error)) &&
           ct_postgres_run(store, NULL, error);
}

bool ct_postgres_transaction_finish(ct_postgres_store *store, bool is_kept, ct_error *error) {
    if (store->is_committing)
        return is_kept;
    const bool is_committed =
        is_kept && store->connection && ct_postgres_execute(store, CT_POSTGRES_COMMIT, NULL, error);
    if (is_kept && !store->connection && !is_committed && error && !error->message[0])
        ct_postgres_fail(store, NULL, error);
    if (is_committed)
        return true;
    // What is queued belongs to the transaction that ends. Names that it gave are gone.
    if (store->connection) {
        if (store->num_queued > 0)
            ct_postgres_run(store, NULL, NULL);
        if (store->connection && !ct_postgres_execute(store, CT_POSTGRES_ROLLBACK, NULL, NULL))
            ct_postgres_disconnect(store);
    }
    ct_database_names_clear(&store->keys);
    ct_database_names_clear(&store->replicas);
    return false;
}
