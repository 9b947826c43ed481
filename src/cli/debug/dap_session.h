// dap_session.h: one client of the Debug Adapter Protocol, its game, and messages to both.
//
// Requests are handled one after another and none of them waits: one that needs the game keeps its
// document in `pending` until the game's answer comes. Every request gets exactly one response: from
// ct_dap_succeed, ct_dap_fail or ct_dap_begin_response. One thread.
//
//     NEW -initialize-> READY -launch, attach-> STARTING -> CONFIGURING -configurationDone-> RUNNING
//     RUNNING -restart-> RESTARTING -> STARTING -> RUNNING
// From STARTING and later states the session gets to ENDED when the game ends or is left; from the first
// STARTING back to READY.
#pragma once
#include "cli/debug/dap_game.h"
#include "cli/debug/dap_paths.h"
#include "cli/debug/dap_protocol.h"
#include "foundation/container/hash_map.h"
#include "foundation/sjson/sjson_writer.h"

enum { CT_DAP_MAX_PENDING = 4096, CT_DAP_MAX_UNSENT_BYTES = 4 << 20 };

typedef enum ct_dap_state {
    CT_DAP_STATE_NEW,
    CT_DAP_STATE_READY,
    CT_DAP_STATE_RESTARTING,  // the game is asked to end, so that it can be started again
    CT_DAP_STATE_STARTING,    // the game is started, or has not answered that we are attached
    CT_DAP_STATE_CONFIGURING, // attached, `initialized` is sent
    CT_DAP_STATE_RUNNING,
    CT_DAP_STATE_ENDED,
} ct_dap_state;

typedef CT_ARRAY(ct_sjson *) ct_dap_documents;

// A request of the client.
typedef struct ct_dap_request {
    ct_sjson *doc; // owned; NULL: none
    ct_dap_object arguments;
    uint32_t seq;
    const char *command; // borrowed from the document
    // Of requests that ask the game several times:
    uint32_t first, left;
    ct_dap_documents pages; // owned
} ct_dap_request;

// What the game has answered. `error` is NULL unless it refuses. A function that keeps `doc` sets it to
// NULL here.
typedef struct ct_dap_reply {
    ct_sjson *doc;
    ct_sjson_value root;
    const char *error;
} ct_dap_reply;

typedef struct ct_dap_session ct_dap_session;

// Takes the answer of the game. `r` is the request it is for; responds to it, or asks again with it.
// Returns false with `error`: the request fails. Is called for refusals only when ct_dap_end_ask says so;
// other refusals fail the request.
typedef bool (*ct_dap_answer)(ct_dap_session *s, ct_dap_request *r, ct_dap_reply *reply,
                              ct_error *error);

typedef struct ct_dap_pending {
    uint32_t id; // of the message to the game
    ct_dap_request request;
    ct_dap_answer answer; // NULL: the answer does not matter, or the request was cancelled
    bool takes_refusals;
} ct_dap_pending;

// What is known of a value that the client has seen, until the game goes on.
typedef struct ct_dap_value {
    uint32_t frame; // in which it was found; 0: none
    uint32_t count; // of its parts
    char *name;     // an expression that gives it, or NULL; owned
    bool is_scope;  // its parts are names
} ct_dap_value;

// A thread that has stopped.
typedef struct ct_dap_stop {
    uint32_t thread;
    char *reason, *text;      // as in the game's event; owned
    ct_u32_array breakpoints; // ids of those that were hit
} ct_dap_stop;

// A breakpoint of this client.
typedef struct ct_dap_breakpoint {
    uint32_t id;     // the client's; stays when the game is started again
    uint32_t number; // the game's; 0: not known yet
} ct_dap_breakpoint;

// What a client wants of one script.
typedef struct ct_dap_script {
    char *name;    // owned
    ct_sjson *doc; // the last `setBreakpoints`; owned
    CT_ARRAY(ct_dap_breakpoint) breakpoints;
} ct_dap_script;

// What a client has said of itself with `initialize`.
typedef struct ct_dap_client {
    uint32_t first_line, first_column; // 1 or 0
    bool is_uri;                       // pathFormat
    bool has_types, has_paging;
} ct_dap_client;

struct ct_dap_session {
    ct_allocator *allocator;
    const char *project; // the command's operand, or NULL; borrowed
    ct_dap_state state;
    // The client
    int input, output; // the same for a socket
    bool is_socket;
    bool is_closing; // ends as soon as all is sent
    bool has_failed; // the client sent what is no message, or went in the middle of one
    ct_dap_reader reader;
    ct_byte_array unsent;
    uint32_t num_sent; // bytes of `unsent`
    uint32_t seq;      // of the last message sent
    ct_dap_client client;
    ct_string_builder json; // the message that is being written
    ct_sjson_writer writer;
    // The game
    ct_dap_game game; // when it was launched
    ct_dap_echo echo;
    ct_dap_link link;
    ct_dap_paths paths;
    CT_ARRAY(ct_dap_pending) pending;
    uint32_t num_asked; // id of the last message to the game
    ct_dap_request start,
        leaving; // `launch`, `attach` or `restart`; `disconnect`; until there is a response
    ct_dap_object launch;             // how the game was launched: of `start` or `launch_doc`
    ct_sjson *launch_doc;             // owned
    uint64_t next_try_ns, give_up_ns; // of the connection
    uint32_t port;                    // of the game's console; 0: not known yet
    bool is_launched;                 // else attached
    bool stops_on_entry;
    bool waits_to_start;     // the game waits before its first line
    bool is_entry;           // the next pause is that of stops_on_entry
    bool has_no_debug;       // launch: breakpoints and errors do not stop
    const char *error_stops; // "never", "uncaught" or "all"; NULL: the client has not said
    // While it is stopped
    CT_ARRAY(ct_dap_value) values;
    ct_hash_map value_places; // value to index + 1
    CT_ARRAY(ct_dap_stop) stops;
    bool goes_on_by_us; // a `continued` follows that is the client's own doing
    // Breakpoints
    CT_ARRAY(ct_dap_script) scripts;
    uint32_t num_breakpoints; // id of the last one
    // Scripts, by their paths in the game; owned
    ct_string_array loaded;     // that run since the session is attached
    ct_string_array references; // without a file: reference 1 on
};

// --- Life cycle ----------------------------------------------------------------------------------

// Makes a session that reads from `input` and sends to `output`: of a socket, or files.
void ct_dap_session_init(ct_dap_session *s, ct_allocator *a, int input, int output, bool is_socket);

// Ends a game that was launched, leaves another, and frees everything. The client's files stay open.
void ct_dap_session_free(ct_dap_session *s);

// Frees a request's document. It is then none.
void ct_dap_request_free(ct_dap_request *r);

// --- To the client -------------------------------------------------------------------------------

// Begin a message: writes all up to its body, which is an open object of the writer that is returned.
ct_sjson_writer *ct_dap_begin_response(ct_dap_session *s, const ct_dap_request *r);
ct_sjson_writer *ct_dap_begin_event(ct_dap_session *s, const char *event);

// Ends the message and sends it.
void ct_dap_end_message(ct_dap_session *s);

// Responds without a body; or that the request has failed, with a text for people.
void ct_dap_succeed(ct_dap_session *s, const ct_dap_request *r);
void ct_dap_fail(ct_dap_session *s, const ct_dap_request *r, const char *message);

// Sends an `output` event with a text that gets a line end. `script` may be NULL; `line` is the game's.
void ct_dap_output(ct_dap_session *s, const char *category, const char *text, uint32_t bytes,
                   const char *script, uint32_t line);

// Sends what the client takes. Returns false when the connection has ended.
bool ct_dap_flush(ct_dap_session *s);

// Writes a `source` member for a script of the game, and a line as the client counts.
void ct_dap_write_source(ct_dap_session *s, const char *key, const char *script, const char *hint);
uint32_t ct_dap_line_out(const ct_dap_session *s, uint32_t line);

// --- To the game ---------------------------------------------------------------------------------

// Begins a message to the game with its type and id; add members to the writer.
ct_sjson_writer *ct_dap_begin_ask(ct_dap_session *s, const char *type);

// Sends it. `r` (NULL: none) moves into `pending` until the answer; see ct_dap_answer.
void ct_dap_end_ask(ct_dap_session *s, ct_dap_request *r, ct_dap_answer answer,
                    bool takes_refusals);

// Returns whether the game can be asked; else sets an `error` that says why not.
bool ct_dap_can_ask(const ct_dap_session *s, ct_error *error);

// Returns whether `restart` waits for the game's end or start.
bool ct_dap_is_restarting(const ct_dap_session *s);

// Fails all requests that wait for the game.
void ct_dap_fail_pending(ct_dap_session *s, const char *message);

// --- What is stopped -----------------------------------------------------------------------------

// Forgets all values and stops.
void ct_dap_forget_stops(ct_dap_session *s);

// Forgets the stop of a thread that goes on, and the values when nothing else is stopped.
void ct_dap_forget_stop(ct_dap_session *s, uint32_t thread);

// Returns the stop of a thread, or NULL. Borrowed until the next stop.
const ct_dap_stop *ct_dap_stop_of(const ct_dap_session *s, uint32_t thread);

// Remembers a value that the client is given; `name` may be NULL and is copied.
void ct_dap_note_value(ct_dap_session *s, uint32_t value, uint32_t frame, uint32_t count,
                       const char *name, bool is_scope);

// Returns what is known of a value, or NULL. Borrowed until the next note.
const ct_dap_value *ct_dap_value_of(const ct_dap_session *s, uint32_t value);

// Returns the place of a text in an array, where it is added if it is new.
uint32_t ct_dap_string_place(ct_string_array *strings, const char *text);

// Returns the client's id of a breakpoint that the game numbers, or 0 when it is not one of this client: the
// game sends events about those of all.
uint32_t ct_dap_breakpoint_id(const ct_dap_session *s, uint32_t number);

// --- Answers of the game -------------------------------------------------------------------------

// Return a member of an answer or an event; a number that is missing or does not fit
// is 0, a string "".
uint32_t ct_dap_reply_number(const ct_sjson *doc, ct_sjson_value object, const char *name);
const char *ct_dap_reply_string(const ct_sjson *doc, ct_sjson_value object, const char *name);
