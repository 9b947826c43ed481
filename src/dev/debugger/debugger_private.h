// debugger_private.h: the debugger's clients, states and requests, shared by the files of this folder.
//
// `mutex` guards what the comments say; the rest belongs to the update thread. `merged_mutex` guards
// `merged` and the texts in it, which threads of jobs read when their state takes them. Both are never
// held while a state runs Lua, and `mutex` may be taken inside `merged_mutex`.
#pragma once
#include <stdatomic.h>

#include "dev/console_server.h"
#include "dev/debugger/debugger.h"
#include "foundation/container/hash_map.h"
#include "foundation/error.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "foundation/sjson/sjson_writer.h"
#include "lua/debugger/lua_debugger.h"
#include "resource/schema/schema.h"

enum {
    CT_DEBUGGER_VERSION = 1,
    CT_DEBUGGER_MAX_CLIENTS = 64,
    CT_DEBUGGER_MAX_STATES = 65, // the game's, and as many as run jobs
    CT_DEBUGGER_MAX_LOGS = 1000, // events of log points that are sent in a frame
    CT_DEBUGGER_MAX_FRAMES = 1000,
    CT_DEBUGGER_MAX_VALUES = 1000,
    CT_DEBUGGER_MAX_LINE = 1 << 24,
    CT_DEBUGGER_MAX_THREADS = 1000, // of a state, that are listed
};

typedef struct ct_debugger_state ct_debugger_state;

// --- Clients -------------------------------------------------------------------------------------

// A breakpoint of a client. The texts of `wanted` are its own.
typedef struct ct_debugger_breakpoint {
    ct_lua_breakpoint wanted;
    bool is_verified;
    uint32_t line;  // where it is, when it is verified,
    uint32_t state; // and the number of the state that said so last
} ct_debugger_breakpoint;

typedef CT_ARRAY(ct_debugger_breakpoint) ct_debugger_breakpoint_array;

typedef struct ct_debugger_client {
    ct_console_client_id id;
    ct_lua_stop_on_errors stop_on_errors;
    ct_debugger_breakpoint_array breakpoints; // of all scripts
    uint32_t num_unsent;                      // events of log points that did not fit its queue
} ct_debugger_client;

// --- States --------------------------------------------------------------------------------------

// A Lua state: number 0 is the game's, others run jobs.
struct ct_debugger_state {
    ct_debugger *debugger;
    uint32_t number;
    ct_lua *machine;           // NULL: there is no such state
    ct_lua_debugger *core;     // NULL: no client is attached
    bool has_continued;        // clients have not heard of it yet
    uint32_t continued_thread; // that went on
    bool is_announced;         // that it stopped
    _Atomic int64_t runs_on;   // the thread that began a job last; 0: no job has run
    ct_thread_call pause_job;  // for that thread

    // Guarded by the mutex.
    bool has_news;    // breakpoints or errors changed while it ran
    bool wants_pause; // and it is to stop
    bool is_stopped, goes_on;
    uint64_t thread_id;       // on which it has stopped
    ct_lua_step step;         // how it goes on
    void (*call)(void *data); // to run on that thread, or NULL
    void *call_data;
    ct_condition condition; // goes_on, call and the end of a call

    // Of its stop; set before is_stopped.
    ct_lua_stop_reason reason;
    uint32_t thread; // as clients see it
    ct_lua_place place;
    ct_string_builder text;
    ct_u32_array breakpoints;
};

// --- Events --------------------------------------------------------------------------------------

// What a state reports from its thread.
typedef enum ct_debugger_event_kind {
    CT_DEBUGGER_EVENT_KIND_LOG,
    CT_DEBUGGER_EVENT_KIND_LOADED,
} ct_debugger_event_kind;

// What a state has noted, until the update thread sends it. The texts and places are its own.
typedef struct ct_debugger_event {
    ct_debugger_event_kind kind;
    uint32_t state, line, breakpoint;
    bool is_new;
    char *script, *text;
    ct_lua_breakpoint_place *places;
    uint32_t num_places;
} ct_debugger_event;

struct ct_debugger {
    ct_allocator *allocator;
    ct_console_server *console;
    ct_overlay *overlay; // or NULL
    char project_folder[CT_PATH_BYTES], core_folder[CT_PATH_BYTES];
    ct_app *app; // NULL: no game runs
    uint64_t update_thread;

    ct_debugger_client *clients[CT_DEBUGGER_MAX_CLIENTS];
    uint32_t num_clients;
    uint32_t last_breakpoint;
    ct_hash_map scripts; // that have run, by the hash of their name: 1 when the game's state has

    ct_debugger_state states[CT_DEBUGGER_MAX_STATES];
    bool is_attached;              // states have debuggers
    bool is_waiting;               // jobs run on other threads
    bool is_starting;              // waits for a client before the boot script,
    bool is_start_asked;           // which has let the game start
    bool is_quit_asked;            // while it was stopped
    uint32_t loop_depth;           // of the loop of stops, 0 or 1
    ct_debugger_state *loop_state; // that the loop is for; NULL: for those on other threads
    bool was_quitting;             // before the loop began
    uint64_t idle_ns;              // of the last picture in the loop
    bool is_pause_foreseen;        // a state was stopped for one whose message waits still

    // The watch (debugger_watch.c), while is_attached.
    ct_thread watch;
    ct_thread_call ask;         // for the update thread,
    int64_t watched_thread;     // whose system's id this is
    _Atomic uint64_t served_ns; // when messages were last looked at

    ct_mutex merged_mutex;
    CT_ARRAY(ct_lua_breakpoint) merged; // of all clients
    ct_lua_stop_on_errors stop_on_errors;

    ct_mutex mutex;  // for the rest
    bool is_passing; // no state stops: no client is left, or the game ends
    const ct_debugger_state *evaluating;
    CT_ARRAY(ct_debugger_event) events;
    uint32_t num_logs, num_lost_logs; // of log points since the last frame
    ct_condition stopped;             // a state on another thread has stopped
    bool is_watch_ending;
    ct_condition watch_ends;
};

// --- Requests (debugger_request.c) ---------------------------------------------------------------

// A message being handled.
typedef struct ct_debugger_request {
    ct_debugger *debugger;
    const ct_console_target *target;
    ct_debugger_client *client; // NULL: not attached
    const ct_sjson *doc;
    ct_sjson_value root;
    ct_sjson_writer *w; // the members of the answer
    ct_error *error;
} ct_debugger_request;

// Take a member of an object. They return false with the request's error when it is missing (and there
// is no default) or wrong. A text is borrowed from the message; a missing one with `is_needed` false is
// NULL.
bool ct_debugger_take_number(ct_debugger_request *r, ct_sjson_value object, const char *key,
                             double least, double most, const double *otherwise, double *number);
bool ct_debugger_take_whole(ct_debugger_request *r, ct_sjson_value object, const char *key,
                            uint32_t least, uint32_t most, const uint32_t *otherwise,
                            uint32_t *number);
bool ct_debugger_take_text(ct_debugger_request *r, ct_sjson_value object, const char *key,
                           bool is_needed, const char **text);

// Takes `script` and adds ".lua" where it is missing.
bool ct_debugger_take_script(ct_debugger_request *r, char script[CT_RESOURCE_NAME_BYTES + 8]);

// Takes the place of a text in `names`; `otherwise` where it is missing.
bool ct_debugger_take_choice(ct_debugger_request *r, const char *key, const char *const *names,
                             uint32_t count, const uint32_t *otherwise, uint32_t *choice);

// Numbers of threads, frames and values as clients see them.
double ct_debugger_thread_number(uint32_t state, uint32_t thread);
double ct_debugger_number(uint32_t state, uint32_t number); // 0 stays 0

// Takes such a number apart. 0 is only taken where `otherwise` is given, and then gives 0 and state 0.
bool ct_debugger_take_thread(ct_debugger_request *r, const double *otherwise, uint32_t *state,
                             uint32_t *thread);
bool ct_debugger_take_number_of(ct_debugger_request *r, const char *key, const double *otherwise,
                                uint32_t *state, uint32_t *number);

// --- Breakpoints (debugger_breakpoints.c) --------------------------------------------------------

// Messages of these names: read the request and write the members of its answer. Return false with its
// error.
bool ct_debugger_do_breakpoints(ct_debugger_request *r);
bool ct_debugger_do_lines(ct_debugger_request *r);
bool ct_debugger_do_errors(ct_debugger_request *r);

// Frees the breakpoints of a client.
void ct_debugger_drop_breakpoints(ct_debugger *d, ct_debugger_breakpoint_array *breakpoints);

// Joins the breakpoints and wishes of all clients, and gives them to all states.
void ct_debugger_merge(ct_debugger *d);

// Gives them to one state, on its thread.
void ct_debugger_apply(ct_debugger_state *state);

// Takes the places that a state found in a script that ran, and sends clients those that changed.
void ct_debugger_take_places(ct_debugger *d, const ct_debugger_event *event);

// --- States (debugger_states.c) ------------------------------------------------------------------

// Gives all states debuggers; and ends these, outside of all stops.
void ct_debugger_attach_states(ct_debugger *d);
void ct_debugger_detach_states(ct_debugger *d);

// Gives a state, on its thread, what changed while it ran.
void ct_debugger_take_news(ct_debugger_state *state);

// Returns whether ct_debugger_run_on may be called: the state does not run on another thread.
bool ct_debugger_can_touch(ct_debugger_state *state);

// Calls `run(data)` on the state's thread, and returns when it has.
void ct_debugger_run_on(ct_debugger_state *state, void (*run)(void *data), void *data);

// Returns the state that has stopped with the lowest number, or NULL.
ct_debugger_state *ct_debugger_first_stopped(ct_debugger *d);

// Returns whether a state has stopped and not gone on.
bool ct_debugger_has_stopped(ct_debugger_state *state);

// Has a state, which has stopped, go on.
void ct_debugger_go_on(ct_debugger_state *state, ct_lua_step step);

// Begins and ends an evaluation in a state: breakpoints do not stop it.
void ct_debugger_begin_evaluation(ct_debugger_state *state);
void ct_debugger_end_evaluation(ct_debugger *d);

// --- Events (debugger_events.c) ------------------------------------------------------------------

// Sends a finished JSON object to all clients.
void ct_debugger_send(ct_debugger *d, const ct_string_builder *json);

// Starts an event, and ends and sends it.
void ct_debugger_begin_event(ct_debugger *d, ct_string_builder *json, ct_sjson_writer *w,
                             const char *event);
void ct_debugger_send_event(ct_debugger *d, ct_string_builder *json, ct_sjson_writer *w);

// Returns how clients see why a state has stopped: "breakpoint".
const char *ct_debugger_reason_name(ct_lua_stop_reason reason);

// Writes the members of a stop.
void ct_debugger_write_stop(ct_sjson_writer *w, const ct_debugger_state *state);

// Callbacks of states (lua_debugger.h), on their threads.
void ct_debugger_note_log(void *user, ct_lua_debugger *core, uint32_t breakpoint,
                          const ct_lua_place *place, const char *text);
void ct_debugger_note_loaded(void *user, ct_lua_debugger *core, const char *script, bool is_new,
                             const ct_lua_breakpoint_place *places, uint32_t num_places);

// Sends what states have noted. A new frame may send as many logs again.
void ct_debugger_send_noted(ct_debugger *d);

// Sends clients that a state of jobs was made, or ended.
void ct_debugger_send_thread(ct_debugger_state *state, const char *reason);

// Frees the events that were not sent.
void ct_debugger_drop_events(ct_debugger *d);

// Send clients which states have gone on, and which have stopped.
void ct_debugger_send_continued(ct_debugger *d);
void ct_debugger_send_stopped(ct_debugger *d);

// --- Stops (debugger_stop.c) ---------------------------------------------------------------------

// The callback of states.
void ct_debugger_state_stopped(void *user, ct_lua_debugger *core, const ct_lua_stop *stop);

// Runs the loop on the update thread: for a state that has stopped there, or, with NULL, for others.
void ct_debugger_run_loop(ct_debugger *d, ct_debugger_state *own);

// Messages of these names: read the request and write the members of its answer. Return false with its
// error.
bool ct_debugger_do_pause(ct_debugger_request *r);
bool ct_debugger_do_continue(ct_debugger_request *r);
bool ct_debugger_do_step(ct_debugger_request *r);

// --- The watch (debugger_watch.c) ----------------------------------------------------------------

// Starts and ends the thread that sees when no messages are read. Update thread.
void ct_debugger_start_watch(ct_debugger *d);
void ct_debugger_end_watch(ct_debugger *d);

// Notes that messages are handled now.
void ct_debugger_note_served(ct_debugger *d);

// The callback of states (lua_debugger.h, `asked`), for those that run on the update thread: returns
// whether a pause is among the messages that wait.
bool ct_debugger_is_pause_wanted(void *user, ct_lua_debugger *core);

// Has the job that a state runs on another thread, if it does, pause at once.
void ct_debugger_pause_job(ct_debugger_state *state);

// Where the update thread waits for jobs: when messages have waited for long, has jobs pause that a message
// wants to.
void ct_debugger_look_for_pauses(ct_debugger *d);

// --- Answers (debugger_answers.c, debugger_values.c) ---------------------------------------------

// Writes the member `threads`.
void ct_debugger_write_threads(ct_debugger *d, ct_sjson_writer *w);

// Messages of these names: read the request and write the members of its answer. Return false with its
// error.
bool ct_debugger_do_threads(ct_debugger_request *r);
bool ct_debugger_do_stack(ct_debugger_request *r);
bool ct_debugger_do_scopes(ct_debugger_request *r);
bool ct_debugger_do_values(ct_debugger_request *r);
// Messages of these names: read the request and write the members of its answer. Return false with its
// error.
bool ct_debugger_do_evaluate(ct_debugger_request *r);
bool ct_debugger_do_set(ct_debugger_request *r);
bool ct_debugger_do_complete(ct_debugger_request *r);

// Returns the state of a number, which must have stopped; or NULL with the request's error.
ct_debugger_state *ct_debugger_stopped_state(ct_debugger_request *r, uint32_t state,
                                             const char *what);
