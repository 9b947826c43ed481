#include "dev/entrance/console_entrance.h"

#include <string.h>

#include "dev/console_messages.h"
#include "dev/entrance/console_authorize.h"
#include "dev/web/web_request.h"
#include "dev/web/web_response.h"
#include "dev/web/web_server.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/os/local_socket.h"
#include "foundation/os/message.h"
#include "foundation/os/os.h"

enum { NUM_PORTS = 64, MAX_LISTENERS = 2, MAX_REQUEST_BYTES = 8192 };
static const uint64_t silence_limit_ns = 2000000000, half_start_limit_ns = 5000000000;

typedef struct listener {
    int socket;
    bool takes_token; // connections that are not trusted may come with the token
} listener;

struct ct_console_entrance {
    ct_allocator *allocator;
    listener listeners[MAX_LISTENERS];
    uint32_t num_listeners;
    uint32_t next_listener; // that is asked for a connection
    uint16_t port;
    char *token, *pages_folder, *project_folder; // or NULL
    ct_web *web;                                 // NULL: no request has come
};

// --- Listening -----------------------------------------------------------------------------------

static bool is_any_address(const char *address) {
    return strcmp(address, "0.0.0.0") == 0 || strcmp(address, "::") == 0;
}

// Listens at 127.0.0.1 and at the address with one port. Returns false with `error`.
static bool listen_at_both(ct_console_entrance *e, const char *address, uint16_t port,
                           ct_error *error) {
    uint16_t bound = port;
    if (!is_any_address(address)) {
        const int loopback = ct_socket_listen(port, 1, &bound, error);
        if (loopback < 0)
            return false;
        e->listeners[e->num_listeners++] = (listener){.socket = loopback};
    }
    const int other = ct_socket_listen_at(address, bound, &bound, error);
    e->port = bound;
    if (other >= 0) {
        e->listeners[e->num_listeners++] = (listener){.socket = other, .takes_token = true};
        return true;
    }
    if (e->num_listeners > 0)
        ct_socket_close(e->listeners[--e->num_listeners].socket);
    return false;
}

static bool start_listening(ct_console_entrance *e, const ct_console_entrance_desc *desc,
                            ct_error *error) {
    if (!desc->address || strcmp(desc->address, "127.0.0.1") == 0) {
        e->listeners[0].socket = ct_socket_listen(desc->port, NUM_PORTS, &e->port, error);
        e->num_listeners = e->listeners[0].socket >= 0;
        return e->num_listeners > 0;
    }
    for (uint32_t i = 0; i < NUM_PORTS && desc->port + i <= UINT16_MAX; ++i) {
        const uint16_t port = desc->port == 0 ? 0 : (uint16_t)(desc->port + i);
        if (listen_at_both(e, desc->address, port, error))
            return true;
    }
    return false;
}

static char *copy(ct_allocator *a, const char *text) {
    if (!text)
        return NULL;
    const size_t bytes = strlen(text) + 1;
    return memcpy(CT_NEW_ARRAY(a, char, bytes), text, bytes);
}

ct_console_entrance *ct_console_entrance_open(const ct_console_entrance_desc *desc,
                                              ct_error *error) {
    if (!ct_console_check_address(desc->address, desc->token, error))
        return NULL;
    ct_allocator *const a = desc->allocator;
    ct_console_entrance *const e = CT_NEW(a, ct_console_entrance);
    e->allocator = a;
    e->token = copy(a, desc->token);
    e->pages_folder = copy(a, desc->pages_folder);
    e->project_folder = copy(a, desc->project_folder);
    if (start_listening(e, desc, error))
        return e;
    ct_console_entrance_close(e);
    return NULL;
}

void ct_console_entrance_note_end(ct_console_entrance *e) {
    if (e->web)
        ct_web_note_end(e->web);
}

void ct_console_entrance_close(ct_console_entrance *e) {
    if (!e)
        return;
    for (uint32_t i = 0; i < e->num_listeners; ++i)
        ct_socket_close(e->listeners[i].socket);
    ct_web_destroy(e->web);
    ct_free(e->allocator, e->token);
    ct_free(e->allocator, e->pages_folder);
    ct_free(e->allocator, e->project_folder);
    ct_free_sized(e->allocator, e, sizeof(*e));
}

uint16_t ct_console_entrance_port(const ct_console_entrance *e) {
    return e->port;
}

const char *ct_console_entrance_token(const ct_console_entrance *e) {
    return e->token;
}

// --- Refusing ------------------------------------------------------------------------------------

static ct_web_start start_of(int socket) {
    uint8_t start[CT_WEB_START_BYTES];
    const int64_t count = ct_socket_peek(socket, start, sizeof(start));
    if (count < 0)
        return CT_WEB_START_OTHER; // its end
    return ct_web_start_of(start, (uint64_t)count);
}

// Takes what has come, before an answer: bytes that were not read would take that with them.
static void read_first(int socket) {
    uint8_t request[MAX_REQUEST_BYTES];
    ct_socket_receive(socket, request, sizeof(request));
}

static void refuse_raw(ct_console_entrance *e, int socket, const char *reason) {
    ct_byte_array framed;
    ct_string_builder json;
    ct_array_init(&framed, e->allocator);
    ct_string_builder_init(&json, e->allocator);
    ct_console_write_error(&json, reason);
    ct_message_write(&framed, ct_string_builder_text(&json), json.length, NULL, 0);
    read_first(socket);
    ct_socket_send(socket, framed.items, framed.count);
    ct_string_builder_free(&json);
    ct_array_free(&framed);
}

static void refuse_request(int socket, uint32_t status, const char *title, const char *reason) {
    char text[CT_WEB_RESPONSE_BYTES];
    const ct_web_answer what = {.status = status, .title = title, .text = reason};
    const uint32_t bytes = ct_web_write_answer(&what, text);
    read_first(socket);
    ct_socket_send(socket, text, bytes);
    ct_socket_end_sending(socket);
}

void ct_console_entrance_refuse(ct_console_entrance *e, int socket, const char *reason) {
    ct_log_warning("console", "console_closed", "closed a connection: %s", reason);
    if (start_of(socket) == CT_WEB_START_REQUEST)
        refuse_request(socket, 403, "Not allowed", reason);
    else
        refuse_raw(e, socket, reason);
    ct_socket_close(socket);
}

// --- Accepting -----------------------------------------------------------------------------------

// A console client can do everything that the game can. Ports are open to all users of a machine, so only the
// game's own user and root are trusted.
static bool is_trusted(int socket, ct_error *reason) {
    uint32_t user = 0;
    if (!ct_socket_peer_user(socket, &user, reason))
        return false;
    return user == 0 || user == ct_os_user() ||
           ct_error_set(reason, "user %u may not use the console of user %u's game", user,
                        ct_os_user());
}

// Whether a connection may become a client; one that may not is refused.
static bool admit(ct_console_entrance *e, const listener *from, ct_console_arrival *arrival) {
    ct_error reason = {0};
    uint8_t first;
    if (is_trusted(arrival->socket, &reason))
        return true;
    if (ct_socket_peek(arrival->socket, &first, 1) < 0) {
        ct_socket_close(arrival->socket); // it only looked whether somebody listens
        return false;
    }
    if (from->takes_token && e->token) {
        arrival->needs_token = true;
        return true;
    }
    ct_console_entrance_refuse(e, arrival->socket, reason.message);
    return false;
}

bool ct_console_entrance_accept(ct_console_entrance *e, uint32_t *num_left,
                                ct_console_arrival *arrival) {
    ct_web_page_end end;
    if (e->web && ct_web_take_page(e->web, &end)) {
        *arrival = (ct_console_arrival){
            .socket = end.socket, .needs_token = !end.is_trusted, .is_decided = true};
        return true;
    }
    for (uint32_t num_silent = 0; num_silent<e->num_listeners && * num_left> 0;) {
        const listener *const from = &e->listeners[e->next_listener % e->num_listeners];
        *arrival = (ct_console_arrival){.socket = ct_socket_accept(from->socket)};
        if (arrival->socket < 0) {
            ++num_silent;
            ++e->next_listener;
            continue;
        }
        --*num_left;
        if (admit(e, from, arrival))
            return true;
    }
    return false;
}

// --- Deciding ------------------------------------------------------------------------------------

// Gives a connection to the web thread; the socket is taken in any case.
static void give_to_web(ct_console_entrance *e, int socket, bool is_trusted) {
    ct_error error = {0};
    if (!e->web) {
        const ct_web_desc desc = {.allocator = e->allocator,
                                  .port = e->port,
                                  .pages_folder = e->pages_folder,
                                  .project_folder = e->project_folder};
        e->web = ct_web_create(&desc, &error);
    }
    if (e->web && ct_web_adopt(e->web, socket, is_trusted, &error))
        return;
    refuse_request(socket, 503, "The game cannot show pages", error.message);
    ct_socket_close(socket);
}

ct_console_speech ct_console_entrance_decide(ct_console_entrance *e, int socket, bool needs_token,
                                             uint64_t waited_ns) {
    uint8_t start[CT_WEB_START_BYTES];
    const int64_t count = ct_socket_peek(socket, start, sizeof(start));
    if (count < 0)
        return CT_CONSOLE_SPEECH_RAW; // which handles its end
    switch (ct_web_start_of(start, (uint64_t)count)) {
    case CT_WEB_START_REQUEST:
        give_to_web(e, socket, !needs_token);
        return CT_CONSOLE_SPEECH_WEB;
    case CT_WEB_START_OTHER:
        return CT_CONSOLE_SPEECH_RAW;
    default:
        return waited_ns >= (count == 0 ? silence_limit_ns : half_start_limit_ns)
                   ? CT_CONSOLE_SPEECH_RAW
                   : CT_CONSOLE_SPEECH_UNDECIDED;
    }
}
