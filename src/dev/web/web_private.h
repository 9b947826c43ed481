// web_private.h: what the files of the web thread share.
#pragma once
#include <stdatomic.h>

#include "dev/web/web_bridge.h"
#include "dev/web/web_request.h"
#include "dev/web/web_server.h"
#include "foundation/os/os.h"
#include "web/websocket/lws_api.h"

enum { CT_WEB_CHUNK_BYTES = 65536 }; // of a frame to a page

// A connection: HTTP first, then perhaps a WebSocket with its end of a pair. Web thread only.
typedef struct ct_web_connection {
    struct ct_web_connection *next; // in the list that has it
    ct_web *web;
    int socket; // before libwebsockets has it
    bool is_trusted;
    ct_web_place place;

    struct lws *wsi;  // NULL: gone
    int pair_socket;  // our end of the pair; -1: none
    struct lws *pair; // which waits for it; NULL: none, or the console has closed its end
    bool is_page;     // it is a WebSocket
    bool is_paused;   // nothing is read from the page
    bool is_pair_paused;
    bool has_ended; // the console has closed its end
    bool is_closing;
    bool page_has_closed; // what it sends behind its close does not count
    ct_web_inbox inbox;
    uint32_t passed_bytes; // of the inbox's whole message
    uint64_t part_since;   // 0: no message is incomplete
    ct_web_outbox outbox;
    uint16_t close_code; // 0: it is not to be closed
    char close_reason[CT_WEB_REASON_BYTES];
    uint64_t close_deadline_ns;
} ct_web_connection;

struct ct_web {
    ct_allocator *allocator;
    const ct_lws_api *lws;
    uint16_t port;
    uint16_t ping_seconds, hang_up_seconds; // of silence
    char *pages_folder, *tools_folder;      // NULL: none
    ct_thread thread;

    ct_mutex mutex; // of what follows
    ct_web_connection *inbox;
    ct_web_page_end ends[CT_WEB_MAX_CONNECTIONS]; // not taken by the console's server yet
    uint32_t num_ends;
    uint32_t num_connections;
    bool is_ending;
    bool has_failed;             // there is no context: nothing is served
    struct lws_context *context; // for lws_cancel_service; NULL: not there

    atomic_bool has_game_ended; // the console closes all its ends now

    // Of the thread.
    bool is_destroying; // the context: nothing is asked of it any more
    struct lws_vhost *vhost;
    lws_retry_bo_t silence;
    ct_web_connection *connections;
    struct lws_sorted_usec_list timer;
    uint8_t chunk[LWS_PRE + CT_WEB_CHUNK_BYTES];
};

// The name of the protocol that all connections have.
#define CT_WEB_PROTOCOL "cuttle"

// --- web_events.c --------------------------------------------------------------------------------

// What libwebsockets calls.
int ct_web_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t bytes);

// --- web_http.c ----------------------------------------------------------------------------------

// Answers a request that is no WebSocket. Returns what the callback returns.
int ct_web_answer_request(ct_web_connection *c, struct lws *wsi, const char *path, size_t bytes);

// Decides about a request to become a WebSocket, or another protocol. Returns 0, or -1 after an answer that
// refuses it.
int ct_web_check_upgrade(ct_web_connection *c, struct lws *wsi, const char *protocol);

// --- web_page.c ----------------------------------------------------------------------------------

// Makes the pair of a WebSocket that was opened, and gives one end to the console's server.
void ct_web_open_page(ct_web_connection *c);

// Takes a part of a message of the page.
void ct_web_receive(ct_web_connection *c, const void *data, size_t bytes);

// Sends messages to the page, or closes it. Returns what the callback returns.
int ct_web_send(ct_web_connection *c);

// Reads from the console's end.
void ct_web_read_pair(ct_web_connection *c);

// Writes to the console's end.
void ct_web_write_pair(ct_web_connection *c);

// Closes the WebSocket with a code as soon as that can be sent; the first code wins.
void ct_web_close_page(ct_web_connection *c, ct_web_close code, const char *reason);

// Asks for the events that a connection needs next, and closes what was incomplete, or did not close, for too
// long. Call it before each wait for events. Returns whether it is to be called again within a second.
bool ct_web_step_page(ct_web_connection *c, uint64_t now_ns);
