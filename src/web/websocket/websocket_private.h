// websocket_private.h: what update thread and service thread of the connections share.
#pragma once
#include "foundation/os/os.h"
#include "web/websocket/lws_api.h"
#include "web/websocket/websocket_client.h"

// Messages, first in first out.
typedef struct ct_websocket_queue {
    ct_websocket_message *first, *last;
    uint32_t count;
    uint64_t bytes;
} ct_websocket_queue;

// A connection. The service thread works on it until it is `is_over`; the update thread makes and frees
// it.
typedef struct ct_websocket_link {
    struct ct_websocket_link *next; // in the list that has it
    ct_websockets *owner;
    ct_websocket_id id;

    // What to connect to; not changed.
    ct_host host;
    bool is_secure;
    char *path, *protocols, *headers; // headers as lines with their ends; protocols may be NULL
    uint64_t deadline_ns;
    double timeout_seconds;

    // Under the mutex of the owner.
    ct_websocket_queue to_send, received;
    uint32_t num_unread; // received and not polled, with those that the update thread has
    uint64_t unread_bytes;
    bool wants_close; // the update thread's wish
    uint16_t own_code;
    char own_reason[CT_WEBSOCKET_MAX_REASON_BYTES + 1];
    ct_websocket_state state;
    bool is_over; // the service thread is done with it; state is CLOSED
    bool has_error;
    uint16_t close_code;
    char close_reason[CT_WEBSOCKET_MAX_REASON_BYTES + 1];
    char protocol[CT_WEBSOCKET_MAX_PROTOCOLS_BYTES];
    ct_error error;

    // Of the service thread.
    struct lws *wsi;   // NULL: not connecting yet, or gone
    ct_lookup *lookup; // of the host
    ct_lookup_result addresses;
    uint32_t next_address;
    bool is_ended;  // it is handed back next; its state is CLOSED
    bool is_asked;  // the request was sent: other addresses are not tried
    bool is_paused; // nothing is read, since the game does not take its messages
    bool is_closing;
    uint64_t close_deadline_ns;
    ct_websocket_message *part; // what has come of a message; NULL: none
    uint64_t part_capacity;
} ct_websocket_link;

typedef struct ct_websocket_slot {
    ct_websocket_link *link; // NULL: free
    uint32_t generation;
    uint64_t close_number;    // 0: not closed; else in the order in which they were seen closed
    ct_websocket_queue taken; // messages for the game
    char protocol[CT_WEBSOCKET_MAX_PROTOCOLS_BYTES]; // as of the last update
    ct_websocket_state state;                        // as of the last update
    uint32_t num_unsent;
} ct_websocket_slot;

struct ct_websockets {
    ct_allocator *allocator;
    const ct_web_rules *rules;
    ct_websocket_limits limits;
    char *ca_path;
    const ct_lws_api *lws; // NULL: it cannot be loaded, as `load_error` says
    ct_error load_error;

    // Of the update thread.
    ct_websocket_slot slots[CT_WEBSOCKET_MAX_CONNECTIONS + 1]; // slot 0 is not used
    uint64_t num_closed;
    bool is_started;
    ct_thread thread;

    ct_mutex mutex; // of what follows, and of members of links
    ct_websocket_link *inbox;
    bool is_ending, is_broken;           // libwebsockets does not start
    struct lws_context *context;         // NULL: not there (yet); for lws_cancel_service
    uint64_t unread_bytes, unsent_bytes; // of all links

    // Of the service thread.
    ct_websocket_link *links;
    uint64_t part_bytes; // capacity of the parts of all links
    struct lws_sorted_usec_list timer;
};

// Adds a message, which is in no queue, at the end.
void ct_websocket_push(ct_websocket_queue *queue, ct_websocket_message *message);

// Takes the first message; NULL: the list is empty.
ct_websocket_message *ct_websocket_pop(ct_websocket_queue *queue);

// Frees all messages of a queue.
void ct_websocket_free_queue(ct_websockets *w, ct_websocket_queue *queue);

// Returns a message with room for `bytes`, with LWS_PRE bytes before its data.
ct_websocket_message *ct_websocket_make_message(ct_websockets *w, ct_websocket_type type,
                                                uint64_t bytes);

// --- websocket_link.c ----------------------------------------------------------------------------

// Checks and copies a request, without an id. Returns NULL with `error`.
ct_websocket_link *ct_websocket_make_link(ct_websockets *w, const ct_websocket_request *request,
                                          ct_error *error);

// Frees a link that the service thread is done with.
void ct_websocket_free_link(ct_websocket_link *link);

// --- websocket_service.c -------------------------------------------------------------------------

// Runs connections until they end; the function of the service thread.
void ct_websocket_run(void *websockets);

// --- websocket_events.c --------------------------------------------------------------------------

// What libwebsockets calls. Service thread.
int ct_websocket_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                          size_t bytes);

// Returns whether no more is to be read for a link until the game takes messages, of its own or of others.
// Call it with the mutex locked.
bool ct_websocket_is_full(const ct_websocket_link *link);

// Ends a link: its state is CLOSED, and with a message it has failed. Its wsi is not the link's any more.
void ct_websocket_end(ct_websocket_link *link, const char *format, ...) CT_PRINTF(2, 3);
