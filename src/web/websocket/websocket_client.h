// websocket_client.h: WebSocket connections that run beside the game, with libwebsockets.
//
// An array of slots, one for each connection that the game knows, behind ids with generations. One service
// thread runs all connections; messages go to it and come from it in lists under one mutex.
// ct_websockets_update takes what has come, so that a game sees changes once a frame. Names are looked up
// by threads of their own, and the addresses that they lead to are checked (web_rules.h) before anything
// is asked. Pings are answered, fragments joined, text is valid UTF-8. A game that does not take its
// messages stops the server: no more is read than `max_unread`. Update thread.
#pragma once
#include "web/web_rules.h"

// All connections of a game, with their service thread.
typedef struct ct_websockets ct_websockets;

// A connection: the slot in the low 16 bits, then its generation. {0} is none.
typedef struct ct_websocket_id {
    uint64_t value; // below 2^48
} ct_websocket_id;

// How far a connection is.
typedef enum ct_websocket_state {
    CT_WEBSOCKET_STATE_NONE, // an unknown id, or one that was forgotten
    CT_WEBSOCKET_STATE_CONNECTING,
    CT_WEBSOCKET_STATE_OPEN,
    CT_WEBSOCKET_STATE_CLOSING, // the game has closed it; the server has not answered yet
    CT_WEBSOCKET_STATE_CLOSED,
} ct_websocket_state;

// What a message is.
typedef enum ct_websocket_type {
    CT_WEBSOCKET_TYPE_NONE,
    CT_WEBSOCKET_TYPE_TEXT,
    CT_WEBSOCKET_TYPE_BINARY,
} ct_websocket_type;

enum {
    CT_WEBSOCKET_MAX_CONNECTIONS = 64, // that a game can know at a time
    CT_WEBSOCKET_MAX_HEADER_BYTES = 1024,
    CT_WEBSOCKET_MAX_PROTOCOLS_BYTES = 128, // of all names, with commas and a terminator
    CT_WEBSOCKET_MAX_REASON_BYTES = 123,    // of a reason to close, as the protocol has it
    CT_WEBSOCKET_MAX_PATH_BYTES = 2000,     // of what is asked for, with its `?`
    CT_WEBSOCKET_MAX_HOST_BYTES = 100,
    CT_WEBSOCKET_MAX_SENT_BYTES = 16 << 20, // of a message, unless limits say less
};

// What bounds each connection, and all together; 0: the default.
typedef struct ct_websocket_limits {
    uint64_t max_message_bytes; // received (16 MiB)
    uint32_t max_unread;        // messages that the game has not taken (1,024)
    uint64_t max_unread_bytes;  // of these; and one message more (32 MiB)
    uint32_t max_unsent;        // messages that wait to be sent (1,024)
    uint64_t max_unsent_bytes;  // of these (16 MiB)
    uint64_t max_all_unread_bytes, max_all_unsent_bytes; // of all connections (256 MiB, 128 MiB)
    uint64_t max_part_bytes; // of all messages of which only a part has come (128 MiB)
} ct_websocket_limits;

typedef struct ct_websockets_desc {
    ct_allocator *allocator;   // any thread; outlives the connections
    const ct_web_rules *rules; // borrowed
    ct_websocket_limits limits;
    const char *ca_path; // a file of certificates to trust beside the system's, or NULL
} ct_websockets_desc;

// A header to send.
typedef struct ct_websocket_header {
    const char *name, *value;
} ct_websocket_header;

// What to connect to; all of it is copied.
typedef struct ct_websocket_request {
    const char *url;       // "wss://example.com/chat"
    const char *protocols; // "chat, superchat"; NULL: none
    const ct_websocket_header *headers;
    uint32_t num_headers;
    double timeout_seconds; // until it is open; 0: 20
} ct_websocket_request;

// A message that was received; freed with ct_websocket_free_message.
typedef struct ct_websocket_message {
    struct ct_websocket_message *next; // of the list that has it
    ct_websocket_type type;
    uint64_t bytes;
    char data[]; // `bytes`, and a zero
} ct_websocket_message;

// What is known of a connection. Texts are borrowed until it is forgotten.
typedef struct ct_websocket_info {
    ct_websocket_state state;
    const char *protocol; // that the server has chosen, ""
    const char *error;    // why it failed; NULL: it has not
    uint16_t
        close_code; // of the side that closed first; 1005: it gave none; 1006: lost; 0: not closed
    const char *close_reason; // of the server, ""
    uint32_t num_unread, num_unsent;
} ct_websocket_info;

// Loads libwebsockets. Its thread starts with the first connection. When the library cannot be loaded,
// every connection is CLOSED with an error that says what to install.
ct_websockets *ct_websockets_create(const ct_websockets_desc *desc);

// Ends all connections at once and frees them; NULL is fine.
void ct_websockets_destroy(ct_websockets *w);

// Takes what has come since the last call. Once a frame.
void ct_websockets_update(ct_websockets *w);

// Starts to connect. When the game knows CT_WEBSOCKET_MAX_CONNECTIONS, the one that has been closed for
// the longest time is forgotten; `forgotten` is set to its id, else to {0}. Returns {0} with `error` when
// the request is malformed, or all connections are open. One whose host is not allowed is CLOSED at once.
ct_websocket_id ct_websocket_open(ct_websockets *w, const ct_websocket_request *request,
                                  ct_websocket_id *forgotten, ct_error *error);

// Returns what is known of a connection as of the last update; state NONE for an unknown id.
ct_websocket_info ct_websocket_info_of(ct_websockets *w, ct_websocket_id id);

// Sends a message once the connection is open, in order. Text must be UTF-8. Returns false when it is not
// known, closing or closed, or when too much waits to be sent. Of more bytes than
// CT_WEBSOCKET_MAX_SENT_BYTES it always does.
bool ct_websocket_send(ct_websockets *w, ct_websocket_id id, ct_websocket_type type,
                       const void *data, uint64_t bytes);

// Returns the next message of the server, also of a connection that is closed; NULL: none has come.
ct_websocket_message *ct_websocket_poll(ct_websockets *w, ct_websocket_id id);

// Frees a message; NULL is fine.
void ct_websocket_free_message(ct_websockets *w, ct_websocket_message *message);

// Closes the connection, once what waits to be sent is sent; after 5 s at most. `code` is 1000 or from 3000
// to 4999; `reason` is UTF-8 of at most CT_WEBSOCKET_MAX_REASON_BYTES. Does nothing when it is not
// connecting or open. Messages that come still can be polled, as far as the limits of those that wait go.
void ct_websocket_close(ct_websockets *w, ct_websocket_id id, uint16_t code, const char *reason);
