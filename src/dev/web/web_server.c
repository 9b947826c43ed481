// web_server.c: the thread of the web's connections, and what the update thread asks of it.
#include "dev/web/web_server.h"

#include <string.h>

#include "dev/web/web_private.h"
#include "foundation/error.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/os/local_socket.h"
#include "foundation/os/path.h"

enum {
    BEAT_US = 200000,
    READ_BYTES = 65536,
    REQUEST_SECONDS = 10, // that a request, or the next part of a file, may take
    PING_SECONDS = 20,    // of silence, after which a page is asked for a sign of life
    HANG_UP_SECONDS = 60, // of silence, after which it is gone
    MAX_HEADER_BYTES = 8192,
    FILES = 2 * CT_WEB_MAX_CONNECTIONS + 32, // that libwebsockets waits for
};
static const uint64_t end_limit_ns = 1000000000;

// --- The update thread ---------------------------------------------------------------------------

static char *copy_path(ct_allocator *a, const char *folder, const char *name) {
    char path[CT_PATH_BYTES];
    if (!folder || !ct_path_try_join(path, folder, name))
        return NULL;
    const size_t length = strlen(path);
    char *const copy = CT_NEW_ARRAY(a, char, length + 1);
    memcpy(copy, path, length + 1);
    return copy;
}

static void run(void *web);

ct_web *ct_web_create(const ct_web_desc *desc, ct_error *error) {
    const ct_lws_api *const lws = ct_lws_load(error);
    if (!lws)
        return NULL;
    ct_allocator *const a = ct_proxy_allocator_create(desc->allocator, "web_pages");
    ct_web *const w = CT_NEW(a, ct_web);
    w->allocator = a;
    w->lws = lws;
    w->port = desc->port;
    w->ping_seconds = desc->ping_seconds ? desc->ping_seconds : PING_SECONDS;
    w->hang_up_seconds = desc->hang_up_seconds ? desc->hang_up_seconds : HANG_UP_SECONDS;
    w->pages_folder = copy_path(a, desc->pages_folder, ".");
    w->tools_folder = copy_path(a, desc->project_folder, "tools");
    ct_mutex_init(&w->mutex);
    w->thread = ct_thread_start("web", run, w);
    return w;
}

// Wakes the thread. Call it with the mutex locked.
static void wake(const ct_web *w) {
    if (w->context)
        w->lws->lws_cancel_service(w->context);
}

void ct_web_note_end(ct_web *w) {
    atomic_store(&w->has_game_ended, true);
}

void ct_web_destroy(ct_web *w) {
    if (!w)
        return;
    ct_mutex_lock(&w->mutex);
    w->is_ending = true;
    wake(w);
    ct_mutex_unlock(&w->mutex);
    ct_thread_join(w->thread);
    for (uint32_t i = 0; i < w->num_ends; ++i)
        ct_socket_close(w->ends[i].socket);
    ct_mutex_shutdown(&w->mutex);
    ct_allocator *const a = w->allocator;
    ct_free(a, w->pages_folder);
    ct_free(a, w->tools_folder);
    ct_free_sized(a, w, sizeof(*w));
    ct_proxy_allocator_destroy(a);
}

bool ct_web_adopt(ct_web *w, int socket, bool is_trusted, ct_error *error) {
    ct_web_connection *const c = CT_NEW(w->allocator, ct_web_connection);
    *c = (ct_web_connection){.web = w,
                             .socket = socket,
                             .is_trusted = is_trusted,
                             .place.port = w->port,
                             .pair_socket = -1};
    const bool has_place = ct_socket_local_address(socket, &c->place.address);
    ct_web_inbox_init(&c->inbox, w->allocator);
    ct_web_outbox_init(&c->outbox, w->allocator);
    ct_mutex_lock(&w->mutex);
    bool is_taken = false;
    if (w->has_failed)
        ct_error_set(error, "libwebsockets could not start: the process may have too many files "
                            "open. Start the game again");
    else if (!has_place || w->num_connections == CT_WEB_MAX_CONNECTIONS)
        ct_error_set(error, "there are too many connections. Close some of the pages, then load "
                            "this one again");
    else
        is_taken = true;
    if (is_taken) {
        ++w->num_connections;
        c->next = w->inbox;
        w->inbox = c;
        wake(w);
    }
    ct_mutex_unlock(&w->mutex);
    if (!is_taken)
        ct_free_sized(w->allocator, c, sizeof(*c));
    return is_taken;
}

bool ct_web_take_page(ct_web *w, ct_web_page_end *end) {
    ct_mutex_lock(&w->mutex);
    const bool is_there = w->num_ends > 0;
    if (is_there) {
        *end = w->ends[0];
        memmove(w->ends, w->ends + 1, --w->num_ends * sizeof(w->ends[0]));
    }
    ct_mutex_unlock(&w->mutex);
    return is_there;
}

// --- The thread ----------------------------------------------------------------------------------

static struct lws_context *create_context(ct_web *w) {
    static const struct lws_protocols protocols[] = {
        {.name = CT_WEB_PROTOCOL, .callback = ct_web_callback, .rx_buffer_size = READ_BYTES},
        {0},
    };
    w->silence = (lws_retry_bo_t){.secs_since_valid_ping = w->ping_seconds,
                                  .secs_since_valid_hangup = w->hang_up_seconds};
    const struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .protocols = protocols,
        .options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_VALIDATE_UTF8,
        .gid = -1,
        .uid = -1,
        .vhost_name = "console",
        .fd_limit_per_thread = FILES,
        .pt_serv_buf_size = READ_BYTES,
        .max_http_header_data = MAX_HEADER_BYTES,
        .max_http_header_pool = CT_WEB_MAX_CONNECTIONS,
        .timeout_secs = REQUEST_SECONDS,
        .keepalive_timeout = REQUEST_SECONDS,
        .retry_and_idle_policy = &w->silence,
    };
    struct lws_context *const context = w->lws->lws_create_context(&info);
    w->vhost = context ? w->lws->lws_create_vhost(context, &info) : NULL;
    if (w->vhost || !context)
        return context;
    w->lws->lws_context_destroy(context);
    return NULL;
}

static void nothing(struct lws_sorted_usec_list *timer) {
    (void)timer;
}

static void free_connection(ct_web_connection *c) {
    ct_web *const w = c->web;
    if (c->pair_socket >= 0)
        ct_socket_close(c->pair_socket);
    ct_web_inbox_free(&c->inbox);
    ct_web_outbox_free(&c->outbox);
    ct_free_sized(w->allocator, c, sizeof(*c));
    ct_mutex_lock(&w->mutex);
    --w->num_connections;
    ct_mutex_unlock(&w->mutex);
}

// Lets libwebsockets have a connection, which it closes when it does not take it.
static void adopt(ct_web_connection *c) {
    ct_web *const w = c->web;
    const lws_sock_file_fd_type file = {.sockfd = c->socket};
    c->wsi = w->lws->lws_adopt_descriptor_vhost(w->vhost, LWS_ADOPT_SOCKET | LWS_ADOPT_HTTP, file,
                                                NULL, NULL);
    if (c->wsi)
        w->lws->lws_set_opaque_user_data(c->wsi, c);
}

// Takes new connections. Returns false when all ends.
static bool take_inbox(ct_web *w) {
    ct_mutex_lock(&w->mutex);
    ct_web_connection *taken = w->inbox;
    w->inbox = NULL;
    const bool goes_on = !w->is_ending;
    ct_mutex_unlock(&w->mutex);
    while (taken) {
        ct_web_connection *const c = taken;
        taken = c->next;
        if (w->vhost)
            adopt(c);
        else
            ct_socket_close(c->socket);
        c->next = w->connections;
        w->connections = c;
    }
    return goes_on;
}

// Frees the connections that are gone. Returns whether one has a deadline.
static bool step_all(ct_web *w) {
    bool has_deadline = false;
    const uint64_t now_ns = ct_os_time_ns();
    for (ct_web_connection **at = &w->connections; *at;) {
        ct_web_connection *const c = *at;
        if (c->wsi) {
            has_deadline |= ct_web_step_page(c, now_ns);
            at = &c->next;
        } else {
            *at = c->next;
            free_connection(c);
        }
    }
    return has_deadline;
}

static void serve(ct_web *w, struct lws_context *context, bool has_deadline) {
    if (has_deadline)
        w->lws->lws_sul_schedule(context, 0, &w->timer, nothing, BEAT_US);
    w->lws->lws_service(context, 0);
}

// Gives pages the time to get what was sent last, and a close.
static void close_all(ct_web *w, struct lws_context *context) {
    const uint64_t end_ns = ct_os_time_ns() + end_limit_ns;
    for (;;) {
        bool has_page = false;
        step_all(w);
        for (const ct_web_connection *c = w->connections; c; c = c->next)
            has_page |= c->is_page;
        if (!has_page || ct_os_time_ns() >= end_ns)
            break;
        serve(w, context, true);
    }
}

static void run(void *web) {
    ct_web *const w = web;
    struct lws_context *const context = create_context(w);
    ct_mutex_lock(&w->mutex);
    w->context = context;
    w->has_failed = !context;
    ct_mutex_unlock(&w->mutex);
    while (take_inbox(w) && context)
        serve(w, context, step_all(w));
    if (context)
        close_all(w, context);
    ct_mutex_lock(&w->mutex);
    w->context = NULL;
    ct_mutex_unlock(&w->mutex);
    w->is_destroying = true;
    if (context)
        w->lws->lws_context_destroy(context);
    step_all(w);
}
