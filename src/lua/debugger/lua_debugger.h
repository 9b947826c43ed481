// lua_debugger.h: breakpoints, steps and stops of one Lua machine, and what can be seen while it is
// stopped.
//
// Cost: without a debugger nothing. With one but without breakpoints nothing either: LuaJIT compiles as
// always, and a pause is an interrupt (lua_interrupt.h). Compiled code calls no hooks, so a function with
// a breakpoint is not compiled (luaJIT_setmode of its prototype), and all compiled code is thrown away
// when the set of such functions changes. A hook of calls finds out when such a function begins; it is
// taken away while LuaJIT records a trace, which any call of a hook would end. A hook of lines is set only
// while such a function is on a stack, or during a step; for steps the compiler is off.
//
// The machine stops inside a hook, on the thread that runs it: desc.stopped is called and returns to go
// on. All functions below that look at a stopped machine are for that thread, inside `stopped`; those that
// set something (breakpoints, errors, pause), or evaluate without a frame, also between two calls of Lua. LuaJIT calls no hook inside a
// hook; while an expression is evaluated its flag for that is cleared, so that a call that never returns
// is interrupted like any other.
#pragma once
#include "foundation/string/string_builder.h"
#include "lua/lua_machine.h"

typedef struct ct_lua_debugger ct_lua_debugger;

enum {
    CT_LUA_DEBUGGER_MAX_BREAKPOINTS = 16384,
    CT_LUA_DEBUGGER_TEXT_BYTES = 256, // of a value in one line
    CT_LUA_DEBUGGER_MAX_SECONDS = 10, // of an evaluation
};

typedef enum ct_lua_stop_reason {
    CT_LUA_STOP_REASON_BREAKPOINT,
    CT_LUA_STOP_REASON_STEP,
    CT_LUA_STOP_REASON_PAUSE,
    CT_LUA_STOP_REASON_ERROR,      // is raised
    CT_LUA_STOP_REASON_TIME_LIMIT, // a call takes longer than lua_watch.h allows; its error follows
    CT_LUA_NUM_STOP_REASONS,
} ct_lua_stop_reason;

// How the machine goes on: freely, or to the next line, the next of this function or further out, or the next
// further out.
typedef enum ct_lua_step {
    CT_LUA_STEP_CONTINUE,
    CT_LUA_STEP_INTO,
    CT_LUA_STEP_OVER,
    CT_LUA_STEP_OUT,
} ct_lua_step;

typedef enum ct_lua_stop_on_errors {
    CT_LUA_STOP_ON_ERRORS_NEVER,
    CT_LUA_STOP_ON_ERRORS_UNCAUGHT, // no pcall, xpcall or coroutine of a script gets it
    CT_LUA_STOP_ON_ERRORS_ALL,
} ct_lua_stop_on_errors;

// A breakpoint as a client wants it. Texts are copied; NULL or "": not there.
typedef struct ct_lua_breakpoint {
    uint32_t id;        // of the caller, not 0
    const char *script; // path of the source: "scripts/main.lua"
    uint32_t line;      // from 1
    const char *condition;
    const char *hits; // "5", ">5", ">=5", "%5"
    const char *log;  // does not stop: sends this, with {expressions}
} ct_lua_breakpoint;

// Where it is now.
typedef struct ct_lua_breakpoint_place {
    uint32_t id;
    bool is_verified;                         // it is in code that has been loaded
    uint32_t line;                            // which may be behind the one asked for
    char message[CT_LUA_DEBUGGER_TEXT_BYTES]; // why it is not verified, or ""
} ct_lua_breakpoint_place;

typedef struct ct_lua_stop {
    ct_lua_stop_reason reason;
    lua_State *coroutine; // that runs
    ct_lua_place place;
    const char *text;            // of the error, or ""
    const uint32_t *breakpoints; // ids of those that are hit
    uint32_t num_breakpoints;
} ct_lua_stop;

// Gives engine values parts; for what lua/ does not know. They run inside protected calls and may
// raise errors; NULL: engine values other than vectors, matrices and boxes have no parts.
typedef struct ct_lua_debugger_values {
    void *user;
    // Pushes an array of names and values in turns ({"x", 1, "y", 2}) for the parts of the value at
    // `index`, and returns true; or pushes nothing and returns false: it has none.
    bool (*expand)(void *user, lua_State *L, int index);
    // Sets the part `name` of the value at `index` to the value on top. Returns false: it cannot be set.
    bool (*assign)(void *user, lua_State *L, int index, const char *name);
    // Pushes the text of the value at `index`, or returns false: the usual one (ct_push_value_description).
    bool (*describe)(void *user, lua_State *L, int index);
    // Pushes a name and a value whose parts are one more scope of the function at `level` of `coroutine`
    // ("Behaviour"), or returns false when it has no such scope. May be NULL.
    bool (*scope)(void *user, lua_State *L, lua_State *coroutine, int level);
} ct_lua_debugger_values;

typedef struct ct_lua_debugger_desc {
    ct_lua *machine;
    ct_lua_debugger_values values;
    void *user;
    // The machine has stopped. Returns to go on, after ct_lua_debugger_go_on or with CONTINUE. Must not be
    // NULL. Runs on the machine's thread; while it runs the watch of long calls is paused.
    void (*stopped)(void *user, ct_lua_debugger *d, const ct_lua_stop *stop);
    // A breakpoint with a log was passed. On the machine's thread.
    void (*logged)(void *user, ct_lua_debugger *d, uint32_t breakpoint, const ct_lua_place *place,
                   const char *text);
    // A script has been loaded for the first time or again, and runs next: breakpoints in it have these
    // places now; there may be 0. On the machine's thread.
    void (*loaded)(void *user, ct_lua_debugger *d, const char *script, bool is_new,
                   const ct_lua_breakpoint_place *places, uint32_t num_places);
    // Returns whether to stop at the next line. Called once after ct_lua_debugger_ask, between two
    // instructions of Lua, on the machine's thread; must not run Lua. NULL: never.
    bool (*asked)(void *user, ct_lua_debugger *d);
} ct_lua_debugger_desc;

// --- Life cycle ----------------------------------------------------------------------------------

// Attaches to a machine that has none yet, between two calls of Lua or inside one, on its thread.
ct_lua_debugger *ct_lua_debugger_create(ct_allocator *a, const ct_lua_debugger_desc *desc);

// Detaches: hooks and breakpoints go, and LuaJIT compiles everything again. Not inside `stopped`. NULL is
// fine.
void ct_lua_debugger_destroy(ct_lua_debugger *d);

// Returns the machine.
ct_lua *ct_lua_debugger_machine(const ct_lua_debugger *d);

// --- What stops it -------------------------------------------------------------------------------

// Replaces all breakpoints, and fills `places` (may be NULL) for each, in order. At most
// CT_LUA_DEBUGGER_MAX_BREAKPOINTS. Hit counts of breakpoints with the same id, line and texts stay.
void ct_lua_debugger_set_breakpoints(ct_lua_debugger *d, const ct_lua_breakpoint *breakpoints,
                                     uint32_t count, ct_lua_breakpoint_place *places);

// Sets which errors stop the machine; NEVER at first. ALL sees those that pcall, xpcall and coroutines
// catch, wherever a script keeps these functions; but not those in a function of coroutine.wrap that was
// made before.
void ct_lua_debugger_stop_on_errors(ct_lua_debugger *d, ct_lua_stop_on_errors which);

// Stops at the next line of a script that runs; where only other code runs for long (texts that scripts
// gave to `load`, the console's), at a line of that. Callable also in a signal handler on the machine's
// thread (ct_thread_interrupt), so that a compiled loop without end can be stopped.
void ct_lua_debugger_pause(ct_lua_debugger *d);

// Has desc.asked called before the next instruction, for where a call takes long and it is not known yet
// whether it is to stop. Callable like ct_lua_debugger_pause.
void ct_lua_debugger_ask(ct_lua_debugger *d);

// Appends the lines from `first` to `last` of a script on which a breakpoint can be, sorted, each once;
// none when it has not run.
void ct_lua_debugger_lines(ct_lua_debugger *d, const char *script, uint32_t first, uint32_t last,
                           ct_u32_array *lines);

// --- While it is stopped -------------------------------------------------------------------------

// Returns whether the calling thread is inside `stopped` of this machine.
bool ct_lua_debugger_is_stopped(const ct_lua_debugger *d);

// Returns a coroutine of the machine that runs nothing: what Lua's functions are to be called with while the machine
// has stopped, in protected calls. It lives as long as the debugger.
lua_State *ct_lua_debugger_idle_coroutine(const ct_lua_debugger *d);

// Says how the machine goes on when `stopped` returns; the last call counts.
void ct_lua_debugger_go_on(ct_lua_debugger *d, ct_lua_step step);

// A coroutine that the debugger knows. `thread` is 1 for the machine's main one; others get numbers that
// are not used again while the machine lives.
typedef struct ct_lua_debugger_thread {
    uint32_t thread;
    lua_State *coroutine;
    bool is_running; // it is the one that stopped
} ct_lua_debugger_thread;
uint32_t ct_lua_debugger_threads(ct_lua_debugger *d, ct_lua_debugger_thread *threads, uint32_t max);

// The number of a coroutine, which gets one if it has none; and back: NULL for a number that no living
// coroutine has.
uint32_t ct_lua_debugger_thread_of(ct_lua_debugger *d, lua_State *coroutine);
lua_State *ct_lua_debugger_coroutine(ct_lua_debugger *d, uint32_t thread);

typedef enum ct_lua_frame_kind {
    CT_LUA_FRAME_KIND_LUA,
    CT_LUA_FRAME_KIND_C,
    CT_LUA_FRAME_KIND_ENGINE, // Lua of the engine: loops of behaviours, pairs
} ct_lua_frame_kind;

typedef struct ct_lua_frame {
    uint32_t frame; // a number for the functions below, until the machine goes on; not 0
    ct_lua_frame_kind kind;
    char name[96];
    ct_lua_place place; // script "" where it is not known
} ct_lua_frame;

// Frames of errors begin with the function that raised it, which may be one of C: `error`, or of the engine.
// Fills `frames` with at most `max` of a coroutine, the innermost first, from number `first`. Returns how
// many it filled, and sets `total`.
uint32_t ct_lua_debugger_frames(ct_lua_debugger *d, lua_State *coroutine, uint32_t first,
                                uint32_t max, ct_lua_frame *frames, uint32_t *total);

// A value as it is shown. `value` is a number for ct_lua_debugger_values until the machine goes on; 0: it
// has no parts.
typedef struct ct_lua_debugger_value {
    char name[128];
    char text[CT_LUA_DEBUGGER_TEXT_BYTES]; // valid UTF-8 in one line
    char type[64];                         // "number", "Vector3", "Unit"
    uint32_t value, count;
    bool can_set;
} ct_lua_debugger_value; // at most 131,072 parts of one are listed

// Fills `scopes` with the scopes of a frame: `name`, `value` and `count` of each; `max` 6 is enough. Returns
// their number; false as 0 with `error` when there is no such frame.
uint32_t ct_lua_debugger_scopes(ct_lua_debugger *d, uint32_t frame, ct_lua_debugger_value *scopes,
                                uint32_t max, ct_error *error);

// Fills `parts` with at most `max` parts of a scope or value from number `first`, in an order that stays
// until the machine goes on: names of tables sorted, numbers first. Returns how many, and sets `total`.
// Returns 0 with `error` when there is no such value.
uint32_t ct_lua_debugger_parts(ct_lua_debugger *d, uint32_t value, uint32_t first, uint32_t max,
                               ct_lua_debugger_value *parts, uint32_t *total, ct_error *error);

// Runs an expression or statements in a frame (0: with the globals only), where locals and upvalues can be
// read and set, for at most `seconds`. Nothing stops it. Several results are shown as one text; the first
// one's parts are in `result`. Returns false with `error`. Also between two calls of Lua, without a frame:
// its values then have their numbers until the machine has stopped and gone on, or thousands of others came.
bool ct_lua_debugger_evaluate(ct_lua_debugger *d, uint32_t frame, const char *text, double seconds,
                              ct_lua_debugger_value *result, ct_error *error);

// Sets the part `name` (as ct_lua_debugger_parts gives it) of a scope or value to the value of an
// expression, which is evaluated in `frame`. Fills `result` with the new value. Returns false with `error`
// and changes nothing when it cannot be set: expected another type, a frame that has ended.
bool ct_lua_debugger_set(ct_lua_debugger *d, uint32_t value, const char *name, uint32_t frame,
                         const char *text, ct_lua_debugger_value *result, ct_error *error);

// Same as ct_lua_complete, with the locals and upvalues of a frame (0: with the globals only).
uint32_t ct_lua_debugger_complete(ct_lua_debugger *d, uint32_t frame, const char *text,
                                  ct_string_builder *found);
