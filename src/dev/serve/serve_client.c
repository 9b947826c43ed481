#include "dev/serve/serve_client.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "dev/resource_swap.h"
#include "dev/serve/serve_fetch.h"
#include "dev/serve/serve_record.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/os/os.h"
#include "foundation/string/string_id.h"
#include "resource/load/resource_store.h"

static const uint64_t slice_ns = 20000000;              // between looks at whether it is to end
static const uint64_t connect_limit_ns = 3000000000ull; // for one try
static const uint64_t ping_ns = 5000000000ull;
static const uint64_t silence_limit_ns = 20000000000ull; // after which a server is gone
static const uint64_t least_pause_ns = 500000000ull, most_pause_ns = 30000000000ull;
static const uint64_t start_pause_ns = 100000000ull; // between tries while the engine starts
static const uint64_t default_timeout_ns = 10000000000ull;
static const uint64_t away_limit_ns = 3000000000ull; // without a connection, when there is a cache
enum { MAX_START_TRIES = 3 };                        // of connections that came about
static const int64_t unused_limit_ns = 30ll * 24 * 3600 * 1000000000ll;

struct ct_serve_client {
    ct_allocator *allocator;
    char *host, *project, *token; // the latter two may be NULL
    uint16_t port;
    ct_serve_cache cache;
    ct_thread thread;
    atomic_bool is_stopping;

    // Of the thread:
    ct_serve_file_array placed; // the list that the data folder has; empty: none
    bool has_warned;            // that the server is gone
    uint32_t num_start_tries;   // that ended while the engine starts, although connected
    uint64_t pause_ns;

    ct_mutex mutex; // of what follows
    ct_condition is_changed;
    bool is_ready, is_failed; // the first data is there; there will be none
    bool was_connected;       // a connection has come about
    ct_error error;           // of the last try
    ct_serve_progress progress;
    uint64_t num_received; // counts what arrives, for the time limit of the start
    bool is_queued;
    ct_resource_id_array changed;
    bool has_problems;          // a new list, which the update thread has not logged
    ct_serve_problems problems; // the list

    ct_serve_problem_log log; // of the update thread
};

// --- The service thread --------------------------------------------------------------------------

static bool is_started(ct_serve_client *c) {
    ct_mutex_lock(&c->mutex);
    const bool result = c->is_ready;
    ct_mutex_unlock(&c->mutex);
    return result;
}

// Names the resources of the catalog, for messages.
static void learn_names(const ct_serve_client *c) {
    ct_catalog *const catalog = ct_catalog_read(c->allocator, c->cache.data_folder, NULL);
    for (uint32_t i = 0; catalog && i < catalog->entries.count; ++i) {
        const char *const name = ct_catalog_name(catalog, i);
        if (name)
            ct_string_id64_of(name);
    }
    ct_free(c->allocator, catalog);
}

static bool place(ct_serve_client *c, const ct_serve_file_array *files,
                  ct_resource_id_array *changed, ct_error *error) {
    if (!c->project)
        return ct_serve_cache_place_engine(&c->cache, files, error);
    const ct_serve_file_array *const before = c->placed.count != 0 ? &c->placed : NULL;
    if (!ct_serve_cache_place(&c->cache, before, files, changed, error)) {
        c->placed.count = 0; // some of the files are there: next time, look at all of them
        return false;
    }
    c->placed.count = 0;
    ct_array_push_many(&c->placed, files->items, files->count);
    learn_names(c);
    return true;
}

static uint64_t versions_of(const ct_serve_client *c) {
    return c->project ? ct_serve_versions() : 0;
}

// Keeps the list that was placed for a start without the server.
static void keep_record(const ct_serve_client *c, const ct_serve_file_array *files) {
    ct_error error = {0};
    const ct_serve_record record = {
        .files = *files, .versions = versions_of(c), .time_ns = ct_os_wall_time_ns()};
    if (!ct_serve_record_keep(&c->cache, &record, &error))
        ct_log_warning("serve", "no_record",
                       "the game will not start while the file server is away: %s", error.message);
}

// Gives the data folder the list that has come whole, and the changes to the update thread.
static bool publish(ct_serve_client *c, const ct_serve_fetch *f, ct_error *error) {
    ct_resource_id_array changed;
    ct_array_init(&changed, c->allocator);
    const bool is_first = !is_started(c);
    const bool result = place(c, &f->files, &changed, error);
    if (result)
        keep_record(c, &f->files);
    ct_mutex_lock(&c->mutex);
    if (result && !is_first && changed.count > 0) {
        ct_array_push_many(&c->changed, changed.items, changed.count);
        c->is_queued = true;
    }
    c->is_ready |= result;
    ct_condition_broadcast(&c->is_changed);
    ct_mutex_unlock(&c->mutex);
    ct_array_free(&changed);
    return result;
}

// Hands a list of problems that has come to the update thread, in place of one that it has not
// logged.
static void hand_over_problems(ct_serve_client *c, const ct_serve_fetch *f) {
    ct_mutex_lock(&c->mutex);
    ct_serve_problems_copy(&c->problems, &f->problems);
    c->has_problems = true;
    ct_mutex_unlock(&c->mutex);
}

static void report_progress(ct_serve_client *c, const ct_serve_fetch *f, uint64_t num_bytes) {
    ct_mutex_lock(&c->mutex);
    c->progress = (ct_serve_progress){.is_connected = true,
                                      .is_compiling = f->is_compiling,
                                      .num_fetched = f->num_fetched,
                                      .num_to_fetch = f->num_to_fetch,
                                      .fetched_bytes = f->fetched_bytes,
                                      .to_fetch_bytes = f->to_fetch_bytes};
    c->num_received += num_bytes;
    ct_condition_broadcast(&c->is_changed);
    ct_mutex_unlock(&c->mutex);
}

// Whether the update thread has swapped what was queued last, so that data may change.
static bool may_place(ct_serve_client *c) {
    ct_mutex_lock(&c->mutex);
    const bool result = !c->is_queued;
    ct_mutex_unlock(&c->mutex);
    return result;
}

// What a connection needs apart from its messages.
typedef struct link_state {
    int socket;
    uint64_t heard_ns, pinged_ns;
    uint32_t placed_revision;
} link_state;

// Says that data is in order after the server was gone.
static void note_connected(ct_serve_client *c) {
    c->pause_ns = least_pause_ns;
    if (!c->has_warned)
        return;
    c->has_warned = false;
    ct_log_info("serve", "connected to the file server %s:%u again", c->host, c->port);
}

// Without a token, what answers must belong to this user or root. The system knows whose it is once
// it has taken the connection.
static bool check_server_user(const ct_serve_client *c, ct_serve_fetch *f, int socket,
                              ct_error *error) {
    uint32_t user = 0;
    if (c->token)
        return true;
    if (!ct_socket_peer_user(socket, &user, error)) {
        if (ct_socket_is_loopback(c->host))
            return false; // it has ended since
        f->is_final = true;
        return ct_error_set(error,
                            "%.255s is not on this machine, so a token is needed: start `cuttle "
                            "serve` with --address and --token, and add --token here",
                            c->host);
    }
    f->is_final = user != 0 && user != ct_os_user();
    return !f->is_final ||
           ct_error_set(error,
                        "the program at port %u is of user %u, and this one of user %u; "
                        "use a token",
                        c->port, user, ct_os_user());
}

// Takes what has arrived and answers it. Returns false with `error` at the end of the connection.
static bool exchange(ct_serve_client *c, ct_serve_fetch *f, link_state *link, ct_error *error) {
    ct_socket_poll poll = {.socket = link->socket,
                           .wants_to_read = true,
                           .wants_to_send = ct_serve_channel_unsent(&f->channel) > 0};
    uint64_t num_bytes = 0;
    ct_socket_poll_many(&poll, 1, slice_ns);
    const uint64_t now_ns = ct_os_time_ns();
    if (poll.is_readable && !ct_serve_channel_fill(&f->channel, link->socket, &num_bytes, error))
        return false;
    if (num_bytes > 0)
        link->heard_ns = now_ns;
    if (num_bytes > 0 && f->state == CT_SERVE_FETCH_STATE_HELLO &&
        !check_server_user(c, f, link->socket, error))
        return false;
    const uint32_t num_problem_lists = f->num_problem_lists;
    const bool is_fine = ct_serve_fetch_handle(f, now_ns, error);
    if (is_fine && f->num_problem_lists != num_problem_lists)
        hand_over_problems(c, f);
    report_progress(c, f, num_bytes);
    if (!is_fine)
        return false;
    if (f->state == CT_SERVE_FETCH_STATE_FETCHING && now_ns - link->pinged_ns > ping_ns) {
        ct_serve_send_text(&f->channel, "ping", NULL, NULL);
        link->pinged_ns = now_ns;
    }
    ct_serve_fetch_send(f, now_ns);
    if (!ct_serve_channel_flush(&f->channel, link->socket))
        return ct_error_set(error, "the file server closed the connection");
    return ct_os_time_ns() - link->heard_ns < silence_limit_ns ||
           ct_error_set(error, "the file server has been silent for %llu seconds",
                        (unsigned long long)(silence_limit_ns / 1000000000));
}

// Talks to the server until the connection ends, with `error`, or the client does.
static void follow(ct_serve_client *c, ct_serve_fetch *f, int socket, ct_error *error) {
    link_state link = {.socket = socket, .heard_ns = ct_os_time_ns(), .pinged_ns = ct_os_time_ns()};
    while (!atomic_load(&c->is_stopping) && exchange(c, f, &link, error)) {
        if (link.placed_revision == f->revision || !ct_serve_fetch_is_complete(f) || !may_place(c))
            continue;
        if (!publish(c, f, error))
            return;
        link.placed_revision = f->revision;
        note_connected(c);
        link.heard_ns = ct_os_time_ns(); // placing may have taken long
    }
}

// One connection from its start to its end. Returns whether it is of use to try again.
static bool try_once(ct_serve_client *c, ct_error *error) {
    const int socket = ct_socket_connect(c->host, c->port, connect_limit_ns, error);
    if (socket < 0)
        return true;
    ct_mutex_lock(&c->mutex);
    c->was_connected = true;
    ct_mutex_unlock(&c->mutex);
    const ct_serve_fetch_desc desc = {
        .allocator = c->allocator, .token = c->token, .project = c->project, .cache = &c->cache};
    ct_serve_fetch fetch;
    ct_socket_set_blocking(socket, false);
    ct_serve_fetch_init(&fetch, &desc);
    follow(c, &fetch, socket, error);
    const bool is_final = fetch.is_final;
    ct_serve_fetch_free(&fetch);
    ct_socket_close(socket);
    return !is_final;
}

static void rest(ct_serve_client *c, uint64_t ns) {
    const uint64_t end_ns = ct_os_time_ns() + ns;
    while (!atomic_load(&c->is_stopping) && ct_os_time_ns() < end_ns)
        ct_os_sleep_ns(slice_ns);
}

// Records why a try ended. Returns false when the engine, which has not started, cannot start.
static bool note_end(ct_serve_client *c, bool is_of_use, const ct_error *error) {
    ct_mutex_lock(&c->mutex);
    const bool was_ready = c->is_ready;
    c->error = *error;
    c->num_start_tries += c->progress.is_connected;
    c->progress.is_connected = false;
    is_of_use &= c->num_start_tries < MAX_START_TRIES;
    c->is_failed = !was_ready && !is_of_use;
    ct_condition_broadcast(&c->is_changed);
    ct_mutex_unlock(&c->mutex);
    if (was_ready && !c->has_warned && !atomic_load(&c->is_stopping)) {
        ct_log_warning("serve", "server_gone",
                       "lost the file server %s:%u: %s; the game goes on with the data it has, and "
                       "tries again",
                       c->host, c->port, error->message);
        c->has_warned = true;
    }
    return was_ready || is_of_use;
}

static void run(void *data) {
    ct_serve_client *const c = data;
    c->pause_ns = least_pause_ns;
    ct_serve_cache_remove_unused(&c->cache, ct_os_wall_time_ns() - unused_limit_ns);
    while (!atomic_load(&c->is_stopping)) {
        ct_error error = {0};
        const bool is_of_use = try_once(c, &error);
        if (atomic_load(&c->is_stopping) || !note_end(c, is_of_use, &error))
            return;
        if (!is_started(c)) {
            rest(c, start_pause_ns);
            continue;
        }
        rest(c, c->pause_ns);
        c->pause_ns = 2 * c->pause_ns < most_pause_ns ? 2 * c->pause_ns : most_pause_ns;
    }
}

// --- The update thread ---------------------------------------------------------------------------

static char *copy_or_null(ct_allocator *a, const char *text) {
    return text ? ct_copy_string(a, text) : NULL;
}

static void free_client(ct_serve_client *c) {
    ct_allocator *const a = c->allocator;
    ct_serve_cache_close(&c->cache);
    ct_array_free(&c->placed);
    ct_array_free(&c->changed);
    ct_serve_problems_free(&c->problems);
    ct_serve_problem_log_free(&c->log);
    ct_condition_shutdown(&c->is_changed);
    ct_mutex_shutdown(&c->mutex);
    ct_free(a, c->host);
    ct_free(a, c->project);
    ct_free(a, c->token);
    ct_free_sized(a, c, sizeof(*c));
    ct_proxy_allocator_destroy(a);
}

static ct_serve_client *create(const ct_serve_client_desc *desc, ct_error *error) {
    char root[CT_PATH_BYTES], server[300];
    ct_allocator *const a = ct_proxy_allocator_create(desc->allocator, "serve_client");
    ct_serve_client *const c = CT_NEW(a, ct_serve_client);
    c->allocator = a;
    c->port = desc->port != 0 ? desc->port : CT_SERVE_PORT;
    c->host = ct_copy_string(a, desc->host);
    c->project = copy_or_null(a, desc->project);
    c->token = copy_or_null(a, desc->token);
    ct_array_init(&c->placed, a);
    ct_array_init(&c->changed, a);
    ct_serve_problems_init(&c->problems, a);
    ct_serve_problem_log_init(&c->log, a);
    ct_mutex_init(&c->mutex);
    ct_condition_init(&c->is_changed);
    snprintf(server, sizeof(server), "%.255s:%u", c->host, c->port);
    bool is_fine = !c->token || ct_serve_token_check(c->token, error);
    if (is_fine && desc->cache_folder)
        snprintf(root, sizeof(root), "%s", desc->cache_folder);
    else
        is_fine = is_fine && ct_serve_cache_root(root, error);
    if (is_fine && ct_serve_cache_open(&c->cache, a, root, server, c->project, error))
        return c;
    free_client(c);
    return NULL;
}

static void say_timeout(const ct_serve_client *c, uint64_t timeout_ns, ct_error *error) {
    const char *const last = c->error.message;
    ct_error_set(error,
                 "the file server %.255s:%u has not answered for %.0f seconds%s%.400s%s; start it "
                 "there with "
                 "`cuttle serve PROJECT`, and check the address, the port and firewalls",
                 c->host, c->port, (double)timeout_ns * 1e-9, last[0] != '\0' ? " (" : "", last,
                 last[0] != '\0' ? ")" : "");
}

// How the wait for the first data has ended.
typedef enum first_data { FIRST_DATA_READY, FIRST_DATA_FAILED, FIRST_DATA_AWAY } first_data;

// How long the server may be silent. A server that is busy still takes connections, so one that
// takes none is away.
static uint64_t silence_allowed(const ct_serve_client *c, const ct_serve_client_desc *desc,
                                bool has_cache) {
    const uint64_t timeout_ns = desc->timeout_ns != 0 ? desc->timeout_ns : default_timeout_ns;
    return has_cache && !c->was_connected && away_limit_ns < timeout_ns ? away_limit_ns
                                                                        : timeout_ns;
}

// Waits for the first data; `error` says why there is none.
static first_data wait_for_data(ct_serve_client *c, const ct_serve_client_desc *desc,
                                bool has_cache, ct_error *error) {
    uint64_t told_ns = 0, heard_ns = ct_os_time_ns(), num_received = 0;
    bool is_away = false;
    ct_mutex_lock(&c->mutex);
    while (!c->is_ready && !c->is_failed) {
        ct_condition_wait_for(&c->is_changed, &c->mutex, slice_ns);
        const uint64_t now_ns = ct_os_time_ns();
        const ct_serve_progress progress = c->progress;
        if (c->num_received != num_received)
            heard_ns = now_ns;
        num_received = c->num_received;
        const uint64_t allowed_ns = silence_allowed(c, desc, has_cache);
        is_away = !c->is_ready && now_ns - heard_ns > allowed_ns;
        if (is_away) {
            say_timeout(c, allowed_ns, error);
            break;
        }
        if (!desc->progress || now_ns - told_ns < 5 * slice_ns)
            continue;
        told_ns = now_ns;
        ct_mutex_unlock(&c->mutex);
        desc->progress(desc->user, &progress);
        ct_mutex_lock(&c->mutex);
    }
    if (c->is_failed)
        *error = c->error;
    ct_mutex_unlock(&c->mutex);
    return is_away ? FIRST_DATA_AWAY : c->is_failed ? FIRST_DATA_FAILED : FIRST_DATA_READY;
}

static void end_thread(ct_serve_client *c) {
    atomic_store(&c->is_stopping, true);
    ct_thread_join(c->thread);
    atomic_store(&c->is_stopping, false);
}

static void warn_of_old_data(const ct_serve_client *c, const ct_serve_record *record) {
    char when[64] = "an unknown day";
    const time_t seconds = (time_t)(record->time_ns / 1000000000);
    struct tm local;
    if (localtime_r(&seconds, &local))
        strftime(when, sizeof(when), "%Y-%m-%d at %H:%M:%S", &local);
    ct_log_warning(
        "serve", "old_data",
        "the file server %s:%u does not answer (%s); %s that was fetched from it on %s%s", c->host,
        c->port, c->error.message[0] != '\0' ? c->error.message : "silence",
        c->project ? "the game starts with the data" : "the engine is the one", when,
        c->project ? ", and catches up when it answers" : "");
}

// A record of programs is none of data.
static bool check_kind(const ct_serve_client *c, const ct_serve_file_array *files,
                       ct_error *error) {
    const bool is_engine = files->items[0].kind == CT_SERVE_FILE_KIND_ENGINE;
    return is_engine == !c->project || ct_error_set(error, "its list is of other files");
}

// Starts with what was fetched last; the thread does not run. Returns false, with the reason added
// to `error`, which says that the server is away.
static bool start_with_cache(ct_serve_client *c, ct_error *error) {
    ct_error why = {0};
    const ct_error away = *error;
    ct_serve_record record = {0};
    ct_resource_id_array changed;
    ct_array_init(&record.files, c->allocator);
    ct_array_init(&changed, c->allocator);
    const bool result = ct_serve_record_recall(&c->cache, versions_of(c), &record, &why) &&
                        check_kind(c, &record.files, &why) &&
                        place(c, &record.files, &changed, &why);
    if (result) {
        warn_of_old_data(c, &record);
        c->has_warned = c->is_ready = true;
    } else {
        ct_error_set(error, "%.600s; what was fetched before cannot be used: %.300s", away.message,
                     why.message);
    }
    ct_array_free(&record.files);
    ct_array_free(&changed);
    return result;
}

ct_serve_client *ct_serve_client_start(const ct_serve_client_desc *desc, ct_error *error) {
    ct_serve_client *const c = create(desc, error);
    if (!c)
        return NULL;
    const bool has_cache = !desc->needs_server && ct_serve_record_exists(&c->cache);
    ct_error why = {0};
    c->thread = ct_thread_start("serve client", run, c);
    const first_data result = wait_for_data(c, desc, has_cache, &why);
    if (result == FIRST_DATA_READY)
        return c;
    end_thread(c);
    // It may have come after all, while the thread ended.
    if (c->is_ready || (result == FIRST_DATA_AWAY && has_cache && start_with_cache(c, &why))) {
        c->thread = ct_thread_start("serve client", run, c);
        return c;
    }
    free_client(c);
    if (error)
        *error = why;
    return NULL;
}

void ct_serve_client_destroy(ct_serve_client *c) {
    if (!c)
        return;
    end_thread(c);
    free_client(c);
}

const char *ct_serve_client_data_folder(const ct_serve_client *c) {
    return c->cache.data_folder;
}

const char *ct_serve_client_project_folder(const ct_serve_client *c) {
    return c->cache.project_folder;
}

static void log_problems(ct_serve_client *c) {
    ct_serve_problems problems;
    ct_mutex_lock(&c->mutex);
    const bool has_problems = c->has_problems;
    if (has_problems) {
        problems = c->problems;
        ct_serve_problems_init(&c->problems, c->allocator);
        c->has_problems = false;
    }
    ct_mutex_unlock(&c->mutex);
    if (!has_problems)
        return;
    ct_serve_problem_log_take(&c->log, &problems);
    ct_serve_problems_free(&problems);
}

uint32_t ct_serve_client_apply(ct_serve_client *c, ct_resource_manager *resources) {
    ct_resource_id_array changed;
    log_problems(c);
    ct_mutex_lock(&c->mutex);
    if (!c->is_queued) {
        ct_mutex_unlock(&c->mutex);
        return 0;
    }
    changed = c->changed;
    ct_array_init(&c->changed, c->allocator);
    ct_mutex_unlock(&c->mutex);
    const uint32_t num_swapped = ct_resource_swap(c->allocator, resources, &changed);
    ct_mutex_lock(&c->mutex);
    c->is_queued = false;
    ct_mutex_unlock(&c->mutex);
    ct_array_free(&changed);
    return num_swapped;
}
