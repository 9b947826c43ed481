// http_client.h: requests over HTTP that run beside the game, with libcurl.
//
// The client has an array of slots, one for each request that the game knows, behind ids with
// generations. A request's own data (the job) goes to the service thread, which runs up to
// `max_running` of them at a time, and comes back when it is done; ct_http_update takes what has come
// back, so that a game sees results change once a frame. Only http and https, certificates are checked,
// and each host and address is checked by the rules (web_rules.h), after redirects too: the client
// follows them itself. Update thread.
#pragma once
#include "web/web_rules.h"

// A client with its service thread.
typedef struct ct_http ct_http;

// A request: the slot in the low 16 bits, then its generation. {0} is none.
typedef struct ct_http_id {
    uint64_t value; // below 2^48
} ct_http_id;

// How far a request is.
typedef enum ct_http_state {
    CT_HTTP_STATE_NONE, // an unknown id, or one that was closed
    CT_HTTP_STATE_RUNNING,
    CT_HTTP_STATE_DONE, // the server has answered, with whatever status
    CT_HTTP_STATE_FAILED,
} ct_http_state;

enum {
    CT_HTTP_MAX_REQUESTS = 16384,     // that a game can know at a time
    CT_HTTP_MAX_HEADERS = 64,         // that a request can have
    CT_HTTP_MAX_HEADER_BYTES = 16384, // of all headers of a request
    CT_HTTP_MAX_TIMEOUT_SECONDS = 3600,
    CT_HTTP_MAX_BODY_BYTES = 64 << 20, // of a request
};

// What bounds a client; 0: the default.
typedef struct ct_http_limits {
    uint32_t max_running;          // requests on their way; the others wait (32)
    uint32_t max_redirects;        // of a request (5)
    uint64_t max_response_bytes;   // of a body, once it is unpacked (64 MiB)
    uint64_t max_held_bytes;       // of all answers that are received or not closed yet (256 MiB)
    uint32_t max_header_bytes;     // of all headers of an answer (128 KiB)
    uint32_t max_response_headers; // in number (256)
} ct_http_limits;

typedef struct ct_http_desc {
    ct_allocator *allocator;   // any thread; outlives the client
    const ct_web_rules *rules; // borrowed for the life of the client
    ct_http_limits limits;
    const char *ca_path; // a file of certificates to trust in place of the system's; NULL: those
} ct_http_desc;

// A header, to send or received. Received names are in lower case.
typedef struct ct_http_header {
    const char *name, *value;
} ct_http_header;

// What to ask; all of it is copied.
typedef struct ct_http_request {
    const char *url;
    const char *method; // NULL: "GET"
    const ct_http_header *headers;
    uint32_t num_headers;
    const void *body; // or NULL
    uint64_t body_bytes;
    double timeout_seconds;      // in all, with waiting for a turn; 0: 30
    uint64_t max_response_bytes; // 0: as the client's limits; never more than these
} ct_http_request;

// What a server has answered. Borrowed until the request is closed.
typedef struct ct_http_response {
    uint32_t status;               // 200, 404, …
    const char *url;               // after redirects
    const ct_http_header *headers; // sorted by name; equal names are joined with ", "
    uint32_t num_headers;
    const void *body; // not zero-terminated
    uint64_t body_bytes;
    double seconds; // from the start of the request to the end of the answer
} ct_http_response;

// How far a request is. Bytes are those of bodies.
typedef struct ct_http_progress {
    uint64_t received_bytes, expected_bytes; // expected 0: not known
    uint64_t sent_bytes;
} ct_http_progress;

// Loads libcurl and makes a client, whose thread starts with the first request. When libcurl cannot be
// loaded, every request fails with an error that says what to install.
ct_http *ct_http_create(const ct_http_desc *desc);

// Ends all requests at once and frees the client; NULL is fine.
void ct_http_destroy(ct_http *h);

// Takes what has finished since the last call. Once a frame.
void ct_http_update(ct_http *h);

// Checks the headers of a request as ct_http_start does: names, values, number and size. Returns false with
// `error`. Any thread.
bool ct_http_check_headers(const ct_http_header *headers, uint32_t count, ct_error *error);

// Starts a request. When the client knows CT_HTTP_MAX_REQUESTS, the one that has been finished for the
// longest time is closed. Returns {0} with `error` when the request is malformed, or no slot is free since
// none has finished. A request whose host is not allowed is FAILED at once.
ct_http_id ct_http_start(ct_http *h, const ct_http_request *request, ct_error *error);

// Returns the state of a request, as of the last update.
ct_http_state ct_http_state_of(const ct_http *h, ct_http_id id);

// Returns the answer to a request; NULL unless it is DONE.
const ct_http_response *ct_http_response_of(const ct_http *h, ct_http_id id);

// Returns why a request has failed; NULL unless it has. Borrowed until it is closed.
const char *ct_http_error_of(const ct_http *h, ct_http_id id);

// Returns how far a request is, as of now; zeros for an unknown one.
ct_http_progress ct_http_progress_of(const ct_http *h, ct_http_id id);

// Cancels a request that runs, and frees what is known of it. Returns false for an unknown id.
bool ct_http_close(ct_http *h, ct_http_id id);

// Returns how many requests are known.
uint32_t ct_http_count(const ct_http *h);
