// http_private.h: what update thread and service thread of a client share.
#pragma once
#include <stdatomic.h>

#include "foundation/container/array.h"
#include "foundation/os/os.h"
#include "foundation/string/string_builder.h"
#include "web/http/curl_api.h"
#include "web/http/http_client.h"

// A request on its way. The update thread makes it, the service thread has it from ct_http_start until it
// is in the outbox, then the update thread again; only the atomic members are read by the other thread.
typedef struct ct_http_job {
    struct ct_http_job *next; // in the list that has it
    ct_http *client;
    ct_http_id id;

    // What is asked.
    char *url, *method, *body;
    uint64_t body_bytes, max_response_bytes, start_ns, deadline_ns;
    ct_http_header *headers; // copies
    uint32_t num_headers;

    // Of the service thread.
    CURL *easy;
    CURLcode setup_code;      // of an option that libcurl has refused
    struct curl_slist *lines; // headers of this hop
    ct_url target;            // of this hop; its path is in `url`
    uint32_t num_redirects, num_lines, line_bytes;
    bool is_in_body;
    ct_string_builder received_lines; // headers of the answer, as they came
    CT_ARRAY(uint8_t) received;
    uint64_t held_bytes; // of this answer, in those of the client
    ct_error refusal;    // why a callback has stopped it; "": it has not
    char curl_error[CURL_ERROR_SIZE];

    _Atomic bool is_cancelled; // by the update thread
    _Atomic uint64_t received_bytes, expected_bytes, sent_bytes;

    // The result.
    ct_http_state state;
    ct_error error;
    ct_http_response response;
    CT_ARRAY(ct_http_header) response_headers; // borrow from `received_lines` and `joined`
    ct_string_array joined;                    // values of several headers
} ct_http_job;

// Jobs, first in first out.
typedef struct ct_http_list {
    ct_http_job *first, *last;
    uint32_t count;
} ct_http_list;

typedef struct ct_http_slot {
    ct_http_job *job; // NULL: free
    uint32_t generation, next_free;
    uint64_t finish_number; // 0: it runs; else in the order in which requests have finished
} ct_http_slot;

struct ct_http {
    ct_allocator *allocator;
    const ct_web_rules *rules;
    ct_http_limits limits;
    char *ca_path;
    const ct_curl_api *curl; // NULL: it cannot be loaded, as `load_error` says
    ct_error load_error;
    bool has_proxy; // that the environment names, and that this client uses

    // Of the update thread.
    CT_ARRAY(ct_http_slot) slots; // slot 0 is not used
    uint32_t first_free, num_known;
    uint64_t num_finished;
    bool is_started;
    ct_thread thread;

    _Atomic uint64_t held_bytes; // of all answers: headers and bodies

    ct_mutex mutex; // of what follows
    ct_http_list inbox, outbox;
    bool is_ending;

    // Of the service thread; `multi` is also woken by the update thread.
    CURLM *multi;
    ct_http_list waiting, running;
    uint64_t looked_ns; // when those that wait were last looked through
};

// Adds a job, which is in no list, at the end.
void ct_http_push(ct_http_list *list, ct_http_job *job);

// Takes the first job; NULL: the list is empty.
ct_http_job *ct_http_pop(ct_http_list *list);

// Appends all of `from`, which is then empty.
void ct_http_move_all(ct_http_list *list, ct_http_list *from);

// --- http_job.c ----------------------------------------------------------------------------------

// Checks and copies a request, without an id. Returns NULL with `error`.
ct_http_job *ct_http_make_job(ct_http *h, const ct_http_request *request, ct_error *error);

// Takes what the job holds off the bytes of its client.
void ct_http_release(ct_http_job *job);

// Frees a job that no list has.
void ct_http_free_job(ct_http_job *job);

// Reads a URL of http or https. Returns false with `error`.
bool ct_http_read_url(const char *text, ct_url *url, ct_error *error);

// Checks the host of a URL by the rules. Returns false with `error`.
bool ct_http_check_host(const ct_http *h, const ct_url *url, ct_error *error);

// Returns the port of a scheme.
uint16_t ct_http_port_of(const char *scheme);

// --- http_transfer.c -----------------------------------------------------------------------------

// Starts a job or its next hop with libcurl. Returns false when that fails; the job then is finished.
bool ct_http_begin(ct_http_job *job);

// Takes the job off libcurl.
void ct_http_leave(ct_http_job *job);

// Takes what libcurl says at the end of a hop. Returns false when the next one has begun, else the job is
// finished.
bool ct_http_finish(ct_http_job *job, CURLcode code);

// Sets the state of a job that has failed, and frees what has come of the answer. Returns false.
bool ct_http_fail(ct_http_job *job, const char *format, ...) CT_PRINTF(2, 3);

// --- http_response.c -----------------------------------------------------------------------------

// Sets the job's headers and response from what was received.
void ct_http_read_response(ct_http_job *job, uint32_t status);

// --- http_service.c ------------------------------------------------------------------------------

// Runs jobs until the client ends; the function of the service thread.
void ct_http_run(void *client);
