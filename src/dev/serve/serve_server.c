#include "dev/serve/serve_server.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/os/os.h"

enum { MAX_CONNECTIONS = 128, MAX_ACCEPTS = 32 };

static const ct_serve_limits usual_limits = {
    .hello_ns = 5000000000ull, .silence_ns = 60000000000ull, .reading_ns = 30000000000ull};
static const uint64_t refusal_limit_ns = 2000000000ull; // for reading why

typedef struct connection {
    int socket;
    ct_serve_session *session; // of its own: it must not move
    uint64_t since_ns;         // of the connection, then of the refusal
    uint64_t heard_ns, sent_ns;
    bool is_over;
} connection;

struct ct_serve_server {
    ct_allocator *allocator;
    ct_serve_host host;
    ct_serve_limits limits;
    int listener;
    uint16_t port;
    CT_ARRAY(connection) connections;
};

// --- Life ----------------------------------------------------------------------------------------

static bool check_token(const ct_serve_server_desc *desc, const char *address, ct_error *error) {
    char suggestion[CT_SERVE_TOKEN_TEXT_BYTES];
    if (desc->host.token)
        return ct_serve_token_check(desc->host.token, error);
    // Of IPv6 connections the system does not say whose they are.
    if (ct_socket_is_loopback(address) && !strchr(address, ':'))
        return true;
    ct_serve_token_suggest(suggestion);
    return ct_error_set(error,
                        "other machines may reach %.64s, so a token is needed; a random one, for "
                        "the engines too: --token %s",
                        address, suggestion);
}

static ct_serve_limits choose_limits(const ct_serve_limits *wanted) {
    return (ct_serve_limits){
        .hello_ns = wanted->hello_ns ? wanted->hello_ns : usual_limits.hello_ns,
        .silence_ns = wanted->silence_ns ? wanted->silence_ns : usual_limits.silence_ns,
        .reading_ns = wanted->reading_ns ? wanted->reading_ns : usual_limits.reading_ns};
}

ct_serve_server *ct_serve_server_create(const ct_serve_server_desc *desc, ct_error *error) {
    const char *const address = desc->address ? desc->address : "127.0.0.1";
    uint16_t port = 0;
    if (!check_token(desc, address, error))
        return NULL;
    const int listener = ct_socket_listen_at(address, desc->port, &port, error);
    if (listener < 0)
        return NULL;
    ct_serve_server *const s = CT_NEW(desc->allocator, ct_serve_server);
    s->allocator = desc->allocator;
    s->host = desc->host;
    s->limits = choose_limits(&desc->limits);
    s->listener = listener;
    s->port = port;
    ct_array_init(&s->connections, desc->allocator);
    return s;
}

static void close_connection(ct_serve_server *s, uint32_t i) {
    connection *const c = &s->connections.items[i];
    ct_socket_close(c->socket);
    ct_serve_session_free(c->session);
    ct_free_sized(s->allocator, c->session, sizeof(*c->session));
    ct_array_swap_erase(&s->connections, i);
}

void ct_serve_server_destroy(ct_serve_server *s) {
    if (!s)
        return;
    while (s->connections.count > 0)
        close_connection(s, s->connections.count - 1);
    ct_array_free(&s->connections);
    ct_socket_close(s->listener);
    ct_free_sized(s->allocator, s, sizeof(*s));
}

uint16_t ct_serve_server_port(const ct_serve_server *s) {
    return s->port;
}

uint32_t ct_serve_server_num_connections(const ct_serve_server *s) {
    return s->connections.count;
}

// --- Connections ---------------------------------------------------------------------------------

// Without a token, only the server's own user and root are let in.
static bool check_user(const ct_serve_server *s, int socket, ct_error *error) {
    uint32_t user = 0;
    if (s->host.token)
        return true;
    if (!ct_socket_peer_user(socket, &user, error))
        return false;
    return user == 0 || user == ct_os_user() ||
           ct_error_set(error,
                        "the file server without a token serves only its own user, %u, and "
                        "root; this is user %u",
                        ct_os_user(), user);
}

static void refuse(connection *c, const char *message, uint64_t now_ns) {
    ct_log_warning("serve", "refused", "refused an engine: %s", message);
    ct_serve_session_refuse(c->session, message);
    c->since_ns = now_ns;
}

static void accept_one(ct_serve_server *s, int socket, uint64_t now_ns) {
    ct_error error = {0};
    ct_serve_session *const session = CT_NEW(s->allocator, ct_serve_session);
    ct_serve_session_init(session, s->allocator, &s->host);
    ct_array_push(&s->connections, (connection){.socket = socket,
                                                .session = session,
                                                .since_ns = now_ns,
                                                .heard_ns = now_ns,
                                                .sent_ns = now_ns});
    if (!check_user(s, socket, &error))
        refuse(&s->connections.items[s->connections.count - 1], error.message, now_ns);
}

// Whether the engine has proved what it must, and named a project.
static bool is_known(const connection *c) {
    return c->session->state == CT_SERVE_SESSION_STATE_SERVING;
}

// Returns the connection that makes room for a new one: the oldest of those that are not known, or
// the number of connections.
static uint32_t find_oldest_stranger(const ct_serve_server *s) {
    uint32_t found = s->connections.count;
    for (uint32_t i = 0; i < s->connections.count; ++i) {
        const connection *const c = &s->connections.items[i];
        if (!is_known(c) &&
            (found == s->connections.count || c->since_ns < s->connections.items[found].since_ns))
            found = i;
    }
    return found;
}

static bool has_room(const ct_serve_server *s) {
    return s->connections.count < MAX_CONNECTIONS || find_oldest_stranger(s) < MAX_CONNECTIONS;
}

// Takes waiting connections. When all are of known engines, the rest wait in the system's queue.
static void accept_waiting(ct_serve_server *s, uint64_t now_ns) {
    for (uint32_t i = 0; i < MAX_ACCEPTS && has_room(s); ++i) {
        const int socket = ct_socket_accept(s->listener);
        if (socket < 0)
            return;
        if (s->connections.count == MAX_CONNECTIONS)
            close_connection(s, find_oldest_stranger(s));
        accept_one(s, socket, now_ns);
    }
}

static bool is_refused(const connection *c) {
    return c->session->state == CT_SERVE_SESSION_STATE_REFUSED;
}

static void receive(connection *c, uint64_t now_ns) {
    ct_error error = {0};
    uint64_t num_bytes = 0;
    if (!ct_serve_channel_fill(&c->session->channel, c->socket, &num_bytes, &error))
        c->is_over = true;
    if (num_bytes > 0)
        c->heard_ns = now_ns;
}

static void handle(connection *c, uint64_t now_ns) {
    ct_error error = {0};
    if (ct_serve_session_handle(c->session, &error))
        return;
    ct_log_warning("serve", "refused", "refused an engine: %s", error.message);
    c->since_ns = now_ns;
}

// An engine that does not read what is sent to it, or reads it slowly, is not listened to meanwhile.
static bool is_listened_to(const connection *c) {
    return ct_serve_channel_unsent(&c->session->channel) < CT_SERVE_PART_BYTES;
}

static void send_waiting(connection *c, uint64_t now_ns) {
    const bool was_refused = is_refused(c);
    ct_serve_session_send(c->session, now_ns);
    if (is_refused(c) && !was_refused)
        c->since_ns = now_ns;
    const uint32_t before = ct_serve_channel_unsent(&c->session->channel);
    if (!ct_serve_channel_flush(&c->session->channel, c->socket))
        c->is_over = true;
    if (before == 0 || ct_serve_channel_unsent(&c->session->channel) < before)
        c->sent_ns = now_ns;
    if (!is_listened_to(c)) // it may say something, which is read later
        c->heard_ns = now_ns;
}

// Whether the connection has to be closed now.
static bool is_over(const connection *c, const ct_serve_limits *limits, uint64_t now_ns) {
    const uint64_t limit_ns = is_refused(c) ? refusal_limit_ns : limits->hello_ns;
    return c->is_over || (!is_known(c) && now_ns - c->since_ns > limit_ns) ||
           now_ns - c->heard_ns > limits->silence_ns || now_ns - c->sent_ns > limits->reading_ns;
}

void ct_serve_server_step(ct_serve_server *s, uint64_t timeout_ns) {
    ct_socket_poll polls[MAX_CONNECTIONS + 1];
    const uint32_t count = s->connections.count;
    polls[count] =
        (ct_socket_poll){.socket = has_room(s) ? s->listener : -1, .wants_to_read = true};
    for (uint32_t i = 0; i < count; ++i) {
        const connection *const c = &s->connections.items[i];
        polls[i] = (ct_socket_poll){.socket = c->socket,
                                    .wants_to_read = is_listened_to(c),
                                    .wants_to_send = ct_serve_session_has_work(c->session)};
    }
    ct_socket_poll_many(polls, count + 1, timeout_ns);
    const uint64_t now_ns = ct_os_time_ns();
    for (uint32_t i = count; i-- > 0;) {
        connection *const c = &s->connections.items[i];
        if (polls[i].is_readable)
            receive(c, now_ns);
        handle(c, now_ns);
        send_waiting(c, now_ns);
        if (is_over(c, &s->limits, now_ns))
            close_connection(s, i);
    }
    if (polls[count].is_readable)
        accept_waiting(s, now_ns);
}
