// WebSocket: connections to servers over which both sides send messages.
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/string/utf8.h"
#include "lua/lua_check.h"
#include "script/web/api_web.h"

extern const ct_lua_module ct_api_web_socket;

static const ct_lua_object_type type_web_socket = {.name = "WebSocket"};

// --- Opening -------------------------------------------------------------------------------------

// Pushes the handle of the connection, or raises an error about `argument`, which is malformed.
static int open_request(lua_State *L, int argument, const ct_websocket_request *request) {
    ct_websockets *const w = ct_script_websockets(ct_script_of(L));
    ct_websocket_id forgotten;
    ct_error error = {0};
    ct_check_object_room(L, &type_web_socket);
    const ct_websocket_id id = ct_websocket_open(w, request, &forgotten, &error);
    if (forgotten.value)
        ct_release_object(ct_lua_of(L), &type_web_socket, w, forgotten.value);
    if (id.value == 0)
        ct_argument_error(L, argument, "%s", error.message);
    ct_push_object(L, &type_web_socket, w, id.value);
    return 1;
}

// Writes the URL of a host, which may have a scheme, a port and what is asked for there.
static int call(lua_State *L) {
    const char *const host = ct_check_string(L, 2);
    const int port = (int)ct_check_integer(L, 3, 1, 65535);
    const char *const path = lua_isnoneornil(L, 4) ? "/" : ct_check_string(L, 4);
    const char *const colons = strstr(host, "://");
    const char *const name = colons ? colons + 3 : host;
    if (name[strcspn(name, "/?#@")] || (name[0] != '[' && strchr(name, ':')))
        ct_argument_error(
            L, 2, "expected a host such as \"example.com\" or \"[::1]\", got \"%.64s\"", host);
    lua_pushfstring(L, "%s%s:%d%s%s",
                    colons        ? ""
                    : port == 443 ? "wss://"
                                  : "ws://",
                    host, port, path[0] == '/' ? "" : "/", path);
    const ct_websocket_request request = {.url = lua_tostring(L, -1)};
    return open_request(L, 2, &request);
}

// The options of WebSocket.open.
typedef struct open_options {
    ct_websocket_request request;
    ct_http_header headers[CT_HTTP_MAX_HEADERS];
    ct_websocket_header copies[CT_HTTP_MAX_HEADERS];
} open_options;

static void take_url(const ct_option *o) {
    ((open_options *)o->out)->request.url = ct_option_string(o);
}

static void take_protocols(const ct_option *o) {
    ((open_options *)o->out)->request.protocols = ct_option_string(o);
}

static void take_headers(const ct_option *o) {
    open_options *const out = o->out;
    out->request.num_headers = ct_web_option_headers(o, out->headers, CT_HTTP_MAX_HEADERS);
    for (uint32_t i = 0; i < out->request.num_headers; ++i)
        out->copies[i] = (ct_websocket_header){out->headers[i].name, out->headers[i].value};
}

static void take_timeout(const ct_option *o) {
    ((open_options *)o->out)->request.timeout_seconds = ct_option_number(o, 0.001, 3600);
}

static int open(lua_State *L) {
    static const ct_option_row rows[] = {
        {"url", take_url},
        {"protocols", take_protocols},
        {"headers", take_headers},
        {"timeout", take_timeout},
    };
    open_options options = {.request = {.url = NULL}};
    options.request.headers = options.copies;
    ct_read_options(L, 1, rows, CT_COUNT_OF(rows), NULL, &options);
    if (!options.request.url)
        ct_argument_error(L, 1, "url is missing; expected a text such as \"wss://example.com/\"");
    return open_request(L, 1, &options.request);
}

// --- Use -----------------------------------------------------------------------------------------

static ct_websockets *check_socket(lua_State *L, ct_websocket_id *id) {
    return ct_check_object(L, 1, &type_web_socket, &id->value);
}

static ct_websocket_info check_info(lua_State *L) {
    ct_websocket_id id;
    ct_websockets *const w = check_socket(L, &id);
    return ct_websocket_info_of(w, id);
}

static int state(lua_State *L) {
    lua_pushinteger(L, check_info(L).state);
    return 1;
}

static int error(lua_State *L) {
    lua_pushstring(L, check_info(L).error);
    return 1;
}

static int protocol(lua_State *L) {
    lua_pushstring(L, check_info(L).protocol);
    return 1;
}

static int unsent(lua_State *L) {
    lua_pushinteger(L, (lua_Integer)check_info(L).num_unsent);
    return 1;
}

static int close_code(lua_State *L) {
    const ct_websocket_info info = check_info(L);
    if (info.close_code == 0)
        return 0;
    lua_pushinteger(L, info.close_code);
    lua_pushstring(L, info.close_reason);
    return 2;
}

static int send(lua_State *L) {
    ct_websocket_id id;
    size_t bytes = 0;
    ct_websockets *const w = check_socket(L, &id);
    const char *const text = ct_check_text(L, 2, &bytes);
    if (bytes > CT_WEBSOCKET_MAX_SENT_BYTES)
        ct_argument_error(L, 2, "expected at most 16 MiB, got %.0f bytes; send it in parts",
                          (double)bytes);
    const ct_websocket_type type =
        lua_isnoneornil(L, 3) ? CT_WEBSOCKET_TYPE_TEXT
                              : (ct_websocket_type)ct_check_integer(L, 3, CT_WEBSOCKET_TYPE_TEXT,
                                                                    CT_WEBSOCKET_TYPE_BINARY);
    if (type == CT_WEBSOCKET_TYPE_TEXT && !ct_utf8_is_valid(text, bytes))
        ct_argument_error(L, 2, "expected UTF-8; send other bytes with WebSocket.BINARY");
    lua_pushboolean(L, ct_websocket_send(w, id, type, text, bytes));
    return 1;
}

typedef struct taken_message {
    ct_websockets *sockets;
    ct_websocket_message *message;
} taken_message;

static void free_taken(const taken_message *taken) {
    ct_websocket_free_message(taken->sockets, taken->message);
}

static int poll(lua_State *L) {
    ct_websocket_id id;
    ct_websockets *const w = check_socket(L, &id);
    // Lua may have no memory for a long text: then the message is lost.
    CT_CLEANUP(free_taken) taken_message taken = {w, ct_websocket_poll(w, id)};
    if (!taken.message)
        return 0;
    lua_pushinteger(L, taken.message->type);
    lua_pushlstring(L, taken.message->data, taken.message->bytes);
    return 2;
}

static int close(lua_State *L) {
    ct_websocket_id id;
    ct_websockets *const w = check_socket(L, &id);
    const int64_t code = lua_isnoneornil(L, 2) ? 1000 : ct_check_integer(L, 2, 1000, 4999);
    const char *const reason = lua_isnoneornil(L, 3) ? "" : ct_check_string(L, 3);
    if (code != 1000 && code < 3000)
        ct_argument_error(L, 2, "expected 1000, or a number from 3000 to 4999, got %d", (int)code);
    if (strlen(reason) > CT_WEBSOCKET_MAX_REASON_BYTES || !ct_utf8_is_valid(reason, strlen(reason)))
        ct_argument_error(L, 3, "expected UTF-8 of at most %d bytes",
                          (int)CT_WEBSOCKET_MAX_REASON_BYTES);
    ct_websocket_close(w, id, (uint16_t)code, reason);
    return 0;
}

static const ct_lua_function functions[] = {
    {"close", close, "(self: WebSocket, code: integer?, reason: string?) -> nil",
     "Closes the connection once all is sent, with 1000 or a code of the game from 3000 to 4999. "
     "The handle can be used until 64 other connections were made."},
    {"close_code", close_code, "(self: WebSocket) -> integer?, string?",
     "Returns the code and the reason with which a connection was closed, 1006 when it was lost; "
     "nil while it is not closed."},
    {"error", error, "(self: WebSocket) -> string?",
     "Returns why a connection is closed when something went wrong, or nil."},
    {"open", open, "(options: table) -> WebSocket",
     "Connects as a table says: url (\"wss://example.com/chat\"), protocols (\"chat, superchat\"), "
     "headers (texts by name) and timeout (seconds until it is open, 20)."},
    {"poll", poll, "(self: WebSocket) -> integer?, string?",
     "Returns the type of the next message, WebSocket.TEXT or BINARY, and the message; nil when "
     "no other has come. Call it until it returns nil, each frame."},
    {"protocol", protocol, "(self: WebSocket) -> string",
     "Returns the protocol that the server has chosen, \"\" without one."},
    {"send", send, "(self: WebSocket, msg: string, type: integer?) -> boolean",
     "Sends a message, WebSocket.TEXT unless `type` is BINARY, also before the connection is open. "
     "Returns false when it is closed, or when 1,024 messages or 16 MiB wait to be sent."},
    {"state", state, "(self: WebSocket) -> integer",
     "Returns WebSocket.CONNECTING, OPEN, CLOSING or CLOSED. It changes between frames only, but "
     "for close."},
    {"unsent", unsent, "(self: WebSocket) -> integer",
     "Returns how many messages wait to be sent."},
};

static const ct_lua_constant constants[] = {
    {"CONNECTING", CT_WEBSOCKET_STATE_CONNECTING, "The server has not answered yet."},
    {"OPEN", CT_WEBSOCKET_STATE_OPEN, "Messages go both ways."},
    {"CLOSING", CT_WEBSOCKET_STATE_CLOSING, "The game has closed it; the server has not, yet."},
    {"CLOSED", CT_WEBSOCKET_STATE_CLOSED, "It is closed; messages that came can be polled."},
    {"TEXT", CT_WEBSOCKET_TYPE_TEXT, "A message of UTF-8."},
    {"BINARY", CT_WEBSOCKET_TYPE_BINARY, "A message of any bytes."},
};

const ct_lua_module ct_api_web_socket = {
    .name = "WebSocket",
    .doc = "A connection to a server over which both sides send messages. The player connects only "
           "to the hosts in web.hosts of settings.config.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
    .call = call,
    .call_signature = "(host: string, port: number, request: string?) -> WebSocket",
    .constants = constants,
    .num_constants = CT_COUNT_OF(constants),
};
