// serve_session.h: the file server's side of one connection, without its socket.
//
// Bytes that arrive go in, messages to be sent come out of the channel; what to offer is asked of a
// host. Whatever arrives, only contents of the opened source are sent, and what waits to be sent is
// bounded. One thread.
#pragma once
#include "dev/serve/serve_source.h"

// What all sessions of a server share.
typedef struct ct_serve_host {
    const char *token; // NULL: none is needed
    void *user;
    // Returns the source of a project by the name that an engine gave ("": the only one); with
    // `is_engine`, that of the server's programs. Returns NULL with `error`, which the engine gets.
    const ct_serve_source *(*open)(void *user, const char *project, bool is_engine,
                                   ct_error *error);
} ct_serve_host;

typedef enum ct_serve_session_state {
    CT_SERVE_SESSION_STATE_HELLO, // waits for one
    CT_SERVE_SESSION_STATE_PROOF, // waits for one
    CT_SERVE_SESSION_STATE_OPEN,  // waits for the name of a project
    CT_SERVE_SESSION_STATE_SERVING,
    CT_SERVE_SESSION_STATE_REFUSED, // to be closed once all is sent
} ct_serve_session_state;

// A wanted content.
typedef struct ct_serve_get {
    uint64_t hash;
    uint32_t size_bytes;
} ct_serve_get;

typedef CT_ARRAY(ct_serve_get) ct_serve_get_array;

typedef struct ct_serve_session {
    const ct_serve_host *host;
    ct_serve_channel channel;
    ct_serve_session_state state;
    ct_serve_keys keys;
    const ct_serve_source *source;
    uint32_t revision;          // of the list sent last
    uint32_t problems_revision; // of the list of problems sent last; 0: none
    ct_serve_get_array gets;
    int file;         // of the first of `gets`; -1: not open
    uint32_t offset;  // in it
    uint8_t *part;    // CT_SERVE_PART_BYTES
    uint64_t told_ns; // when "compiling" was sent last
} ct_serve_session;

// Makes a session. `host` is borrowed.
void ct_serve_session_init(ct_serve_session *s, ct_allocator *a, const ct_serve_host *host);
void ct_serve_session_free(ct_serve_session *s);

// Handles the messages that the channel has. A bad one is answered by a refusal: returns false with
// `error`, once.
bool ct_serve_session_handle(ct_serve_session *s, ct_error *error);

// Refuses the engine with a message, after which the session takes nothing more.
void ct_serve_session_refuse(ct_serve_session *s, const char *message);

// Queues what there is to send: a new list, parts of wanted contents while little waits to be sent,
// or that the compiler still runs. `now_ns` is ct_os_time_ns.
void ct_serve_session_send(ct_serve_session *s, uint64_t now_ns);

// Returns whether there is something to send, now or by ct_serve_session_send.
bool ct_serve_session_has_work(const ct_serve_session *s);
