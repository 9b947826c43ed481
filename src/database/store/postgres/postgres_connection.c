#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "database/store/postgres/postgres_private.h"
#include "foundation/os/os.h"
#include "foundation/string/string_builder.h"

// --- Errors --------------------------------------------------------------------------------------

// Copies the first line.
static void copy_line(char *to, uint32_t bytes, const char *from) {
    snprintf(to, bytes, "%.*s", (int)strcspn(from, "\r\n"), from);
}

bool ct_postgres_is_connected(const ct_postgres_store *store) {
    return store->connection && store->api->PQstatus(store->connection) == CONNECTION_OK;
}

// Says in the words of this program what a state of SQL means; NULL for those that the server says well itself.
static const char *meaning_of(const char *state) {
    static const char *const meanings[][2] = {
        {"55P03", "somebody else has been writing for more than 10 s; try again"},
        {"57014", "the server took too long, or the work was cancelled; try again"},
        {"40P01", "it met the work of somebody else; try again"},
        {"40001", "it met the work of somebody else; try again"},
        {"53100", "the server's disk is full; nothing was changed"},
        {"22012", "a commit does not fit the others of its replica: " CT_DATABASE_FORKED},
        {"23503", "a branch is to have a commit that is not on the server"},
        {"25006", "the server only reads: it is a copy of another"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(meanings); ++i)
        if (strcmp(meanings[i][0], state) == 0)
            return meanings[i][1];
    return NULL;
}

bool ct_postgres_fail(ct_postgres_store *store, const PGresult *result, ct_error *error) {
    const ct_postgres_api *const api = store->api;
    store->has_failed = true;
    char reason[512] = "no reason was given";
    if (!result) {
        if (store->connection && api->PQerrorMessage(store->connection)[0])
            copy_line(reason, sizeof(reason), api->PQerrorMessage(store->connection));
        return ct_error_set(error, "the server %s went away: %s", store->base.location, reason);
    }
    const char *const state = api->PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *const primary = api->PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    copy_line(reason, sizeof(reason), primary ? primary : api->PQresultErrorMessage(result));
    const char *const meaning = state ? meaning_of(state) : NULL;
    return ct_error_set(error, "the server %s: %s", store->base.location,
                        meaning ? meaning : reason);
}

bool ct_postgres_refuse(ct_postgres_store *store, ct_error *error, const char *format, ...) {
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof(what), format, arguments);
    va_end(arguments);
    return ct_error_set(error, "the server %s: %s", store->base.location, what);
}

bool ct_postgres_damaged(ct_postgres_store *store, ct_error *error, const char *format, ...) {
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof(what), format, arguments);
    va_end(arguments);
    store->has_failed = true;
    return ct_error_set(error, "the server %s: its tables are damaged: %s", store->base.location,
                        what);
}

// --- Location ------------------------------------------------------------------------------------

static void add_keyword(ct_postgres_store *store, uint32_t *count, const char *keyword,
                        const char *value) {
    store->keywords[*count] = ct_copy_string(store->base.allocator, keyword);
    store->values[*count] = ct_copy_string(store->base.allocator, value);
    ++*count;
}

// Appends "keyword=value", quoted where that is needed.
static void show(ct_string_builder *out, const char *keyword, const char *value) {
    const bool is_plain = value[0] && !strpbrk(value, " '\\\t\n");
    ct_string_builder_addf(out, "%s%s=%s", out->length > 0 ? " " : "", keyword,
                           is_plain ? "" : "'");
    for (const char *c = value; *c; ++c) {
        if (*c == '\'' || *c == '\\')
            ct_string_builder_add_char(out, '\\');
        ct_string_builder_add_char(out, *c);
    }
    if (!is_plain)
        ct_string_builder_add_char(out, '\'');
}

// What a connection has unless the location says something else: a server that is gone is noticed.
static const char *const defaults[][2] = {
    {"fallback_application_name", "cuttle"}, {"keepalives_idle", "20"},
    {"keepalives_interval", "10"},           {"keepalives_count", "3"},
    {"tcp_user_timeout", "60000"},
};

static bool is_given(const ct_postgres_store *store, uint32_t count, const char *keyword) {
    for (uint32_t i = 0; i < count; ++i)
        if (strcmp(store->keywords[i], keyword) == 0)
            return true;
    return false;
}

bool ct_postgres_parse(ct_postgres_store *store, const char *location, ct_error *error) {
    ct_allocator *const a = store->base.allocator;
    char *why = NULL; // may quote a part of a password
    PQconninfoOption *const options = store->api->PQconninfoParse(location, &why);
    store->api->PQfreemem(why);
    if (!options)
        return ct_error_set(error, "the location of the server cannot be read; expected "
                                   "\"host=db.example dbname=game user=ann\" or "
                                   "postgresql://ann@db.example/game");
    uint32_t count = 0, num_options = 0;
    while (options[num_options].keyword)
        ++num_options;
    store->num_keywords = num_options + CT_COUNT_OF(defaults);
    store->keywords = ct_alloc_array_zero(a, sizeof(char *), store->num_keywords + 1);
    store->values = ct_alloc_array_zero(a, sizeof(char *), store->num_keywords + 1);
    ct_string_builder shown;
    ct_string_builder_init(&shown, a);
    bool has_secret = false;
    for (const PQconninfoOption *option = options; option->keyword; ++option) {
        const bool is_secret = option->dispchar && option->dispchar[0] == '*';
        if (!option->val)
            continue;
        add_keyword(store, &count, option->keyword, option->val);
        has_secret |= is_secret;
        if (!is_secret)
            show(&shown, option->keyword, option->val);
    }
    for (uint32_t i = 0; i < CT_COUNT_OF(defaults); ++i)
        if (!is_given(store, count, defaults[i][0]))
            add_keyword(store, &count, defaults[i][0], defaults[i][1]);
    store->api->PQconninfoFree(options);
    store->base.location =
        ct_copy_string(a, has_secret ? ct_string_builder_text(&shown) : location);
    ct_string_builder_free(&shown);
    return true;
}

// --- Connecting ----------------------------------------------------------------------------------

static void ignore_notice(void *user, const PGresult *result) {
    (void)user, (void)result;
}

void ct_postgres_disconnect(ct_postgres_store *store) {
    if (store->connection)
        store->api->PQfinish(store->connection);
    store->connection = NULL;
    store->num_queued = 0;
    memset(store->is_prepared, 0, sizeof(store->is_prepared));
    ct_database_names_clear(&store->keys);
    ct_database_names_clear(&store->replicas);
}

// Goes on with connecting until it is done or failed.
static bool await_connection(ct_postgres_store *store) {
    const uint64_t begin = ct_os_time_ns(), limit = UINT64_C(10) * 1000000000;
    PostgresPollingStatusType status = PGRES_POLLING_WRITING;
    while (status != PGRES_POLLING_OK && status != PGRES_POLLING_FAILED) {
        const uint64_t passed = ct_os_time_ns() - begin;
        if (passed >= limit)
            return false;
        ct_socket_poll socket = {.socket = store->api->PQsocket(store->connection),
                                 .wants_to_read = status == PGRES_POLLING_READING,
                                 .wants_to_send = status == PGRES_POLLING_WRITING};
        if (socket.socket >= 0 && ct_socket_poll_many(&socket, 1, limit - passed) == 0)
            continue;
        status = store->api->PQconnectPoll(store->connection);
    }
    return status == PGRES_POLLING_OK;
}

static bool fail_connecting(ct_postgres_store *store, ct_error *error) {
    char reason[512] = "it does not answer within 10 s";
    if (store->connection && store->api->PQerrorMessage(store->connection)[0])
        copy_line(reason, sizeof(reason), store->api->PQerrorMessage(store->connection));
    ct_error_set(error, "cannot connect to the server %s: %s", store->base.location, reason);
    ct_postgres_disconnect(store);
    return false;
}

// Runs a statement before the pipeline begins.
static bool run_first(ct_postgres_store *store, const char *sql, ct_error *error) {
    const ct_postgres_api *const api = store->api;
    const uint64_t begin = ct_os_time_ns();
    if (!api->PQsendQuery(store->connection, sql))
        return ct_postgres_fail(store, NULL, error);
    bool is_good = true;
    for (;;) {
        while (api->PQflush(store->connection), api->PQisBusy(store->connection))
            if (!ct_postgres_wait(store, CT_POSTGRES_SHORT_NS) &&
                ct_os_time_ns() - begin > CT_POSTGRES_SHORT_NS)
                return ct_postgres_fail(store, NULL, error);
        PGresult *const result = api->PQgetResult(store->connection);
        if (!result)
            return is_good;
        const ExecStatusType status = api->PQresultStatus(result);
        if (is_good && status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
            is_good = ct_postgres_fail(store, result, error);
        api->PQclear(result);
    }
}

bool ct_postgres_connect(ct_postgres_store *store, ct_error *error) {
    const ct_postgres_api *const api = store->api;
    if (store->connection) { // notice what ended it meanwhile
        for (uint32_t i = 0; i < 8 && ct_postgres_is_connected(store); ++i)
            if (!ct_postgres_wait(store, 0)) // its last words, then its end
                break;
        if (ct_postgres_is_connected(store))
            return true;
    }
    ct_postgres_disconnect(store);
    store->connection = api->PQconnectStartParams((const char *const *)store->keywords,
                                                  (const char *const *)store->values, 0);
    if (!store->connection || api->PQstatus(store->connection) == CONNECTION_BAD ||
        !await_connection(store))
        return fail_connecting(store, error);
    api->PQsetNoticeReceiver(store->connection, ignore_notice, NULL);
    // Commits are on the disk when they are acknowledged, whatever the server's default is.
    const bool is_prepared =
        api->PQsetnonblocking(store->connection, 1) == 0 &&
        run_first(store,
                  "SET search_path=pg_catalog; SET client_encoding=UTF8;"
                  "SET statement_timeout='60s'; SET lock_timeout='10s';"
                  "SET idle_in_transaction_session_timeout='600s';"
                  "SELECT set_config('synchronous_commit','on',false) "
                  "WHERE current_setting('synchronous_commit')='off'; LISTEN cuttle",
                  error) &&
        (api->PQenterPipelineMode(store->connection) || ct_postgres_fail(store, NULL, error));
    if (!is_prepared)
        ct_postgres_disconnect(store);
    store->may_have_changed |= is_prepared && store->was_connected;
    store->was_connected |= is_prepared;
    return is_prepared;
}

// --- Waiting -------------------------------------------------------------------------------------

void ct_postgres_take_notifications(ct_postgres_store *store) {
    const ct_postgres_api *const api = store->api;
    PGnotify *notification;
    while ((notification = api->PQnotifies(store->connection))) {
        if (notification->be_pid != api->PQbackendPID(store->connection))
            store->may_have_changed = true;
        api->PQfreemem(notification);
    }
}

bool ct_postgres_wait(ct_postgres_store *store, uint64_t timeout_ns) {
    const ct_postgres_api *const api = store->api;
    const bool has_more = api->PQflush(store->connection) == 1;
    ct_socket_poll socket = {.socket = api->PQsocket(store->connection),
                             .wants_to_read = true,
                             .wants_to_send = has_more};
    if (socket.socket < 0 || ct_socket_poll_many(&socket, 1, timeout_ns) == 0)
        return false;
    if (socket.is_readable && api->PQconsumeInput(store->connection))
        ct_postgres_take_notifications(store);
    return true;
}
