// lua_debugger_private.h: the data of a debugger, for the files of this folder.
//
// What the debugger does with Lua values it does on a coroutine of its own, `work`, in protected calls:
// nothing is pushed on the stacks of the game but what is taken off at once. Positions on stacks identify
// frames: the slot of the frame (lua_Debug.i_ci), which grows inwards.
#pragma once
#include "foundation/container/hash_map.h"
#include "lua/debugger/lua_debugger.h"

// A function of a script: its lines with code are `count` from `first` of the script's `lines`, sorted.
typedef struct ct_debugged_function {
    uint32_t first_line, last_line; // 0: the chunk itself
    uint32_t first, count;
    bool is_off; // not compiled, since it has breakpoints
    bool is_old; // of an earlier version of the script
} ct_debugged_function;

// A line with a breakpoint.
typedef struct ct_debugged_line {
    uint32_t line, breakpoint;
} ct_debugged_line;

// A script with breakpoints, or one that was asked for its lines.
typedef struct ct_debugged_script {
    char *path;
    const char *source; // LuaJIT's one copy of "@path", as lua_Debug has it; kept in the registry
    int source_reference,
        functions_reference; // LUA_NOREF: not known; functions and prototypes in order
    CT_ARRAY(ct_debugged_function) functions;
    ct_u32_array lines;
    CT_ARRAY(ct_debugged_line) places; // sorted by line
    ct_byte_array line_bits,
        function_bits;     // a bit a line: has a breakpoint; begins a function with one
    bool is_known;         // functions and lines are there
    bool is_old_code_sure; // garbage was collected since
} ct_debugged_script;

typedef enum ct_debugger_hits {
    CT_DEBUGGER_HITS_ALL,
    CT_DEBUGGER_HITS_AT,    // "5"
    CT_DEBUGGER_HITS_ABOVE, // ">5"
    CT_DEBUGGER_HITS_FROM,  // ">=5"
    CT_DEBUGGER_HITS_EACH,  // "%5"
} ct_debugger_hits;

typedef struct ct_debugged_breakpoint {
    uint32_t id, script, wanted_line;
    uint32_t line;          // 0: not verified
    char *condition, *log;  // or NULL
    char *hits;             // as given, or NULL
    char *message;          // why it is refused, or NULL
    ct_debugger_hits which; // of hits
    uint32_t hits_number, num_hits;
} ct_debugged_breakpoint;

// The line that a frame is on. A return to a frame gives an event for the line that it was on already.
typedef struct ct_debugged_frame {
    lua_State *coroutine;
    int position;
    int line;
} ct_debugged_frame;

enum { CT_DEBUGGED_FRAMES = 256 }; // a power of two

typedef struct ct_debugger_step {
    ct_lua_step kind;
    bool ends_anywhere; // at the next line of a script
    bool is_tail_call;  // the function was replaced by one that it calls last
    lua_State *coroutine;
    int coroutine_reference;
    int position;
} ct_debugger_step;

// A frame that has a number.
typedef struct ct_debugger_frame {
    lua_State *coroutine;
    int level;
} ct_debugger_frame;

typedef enum ct_debugger_value_kind {
    CT_DEBUGGER_VALUE_KIND_VALUE, // the value is in the table of values
    CT_DEBUGGER_VALUE_KIND_LOCALS,
    CT_DEBUGGER_VALUE_KIND_UPVALUES,
    CT_DEBUGGER_VALUE_KIND_VARARGS,
} ct_debugger_value_kind;

typedef struct ct_debugger_value {
    ct_debugger_value_kind kind;
    uint32_t frame; // a place in `frames`
    bool has_parts; // a list of parts is in the table of parts
} ct_debugger_value;

// What is being evaluated: names are looked up in this frame.
typedef struct ct_debugger_evaluation {
    lua_State *coroutine; // NULL: the globals only
    int level;
} ct_debugger_evaluation;

struct ct_lua_debugger {
    ct_allocator *allocator;
    ct_lua_debugger_desc desc;
    ct_lua *machine;
    lua_State *work;
    int work_reference;
    uint8_t *hook_mask;          // LuaJIT's; NULL: not found
    bool has_made_interruptible; // the machine was not before
    void *run_data;              // of ct_debugger_run
    // Functions of LuaJIT, and tables, in the registry.
    int funcinfo, attach, status, on_trace, environment;
    int texts; // functions of what was evaluated, by text
    uint32_t num_texts;
    int coroutines; // by number, weak
    int numbers;    // by coroutine, weak
    int values, parts;
    int names;        // of functions, while stopped; LUA_NOREF
    int catchers;     // what the functions of CT_LUA_CATCHERS called before; LUA_NOREF
    int switched_off; // keys are prototypes with breakpoints, which are not compiled; weak
    uint32_t num_coroutines;

    CT_ARRAY(ct_debugged_breakpoint) breakpoints;
    CT_ARRAY(ct_debugged_script) scripts;
    ct_hash_map script_paths, script_sources; // to the place in `scripts`, from 1
    uint32_t num_lines;                       // with breakpoints
    uint32_t generation;                      // counts changes of the breakpoints
    const char *resume_source;
    ct_lua_stop_on_errors stop_on_errors;

    bool watches_lines;     // such a function may be on a stack
    uint32_t num_far_lines; // outside of such functions, since the stack was looked at
    lua_State *last_coroutine;
    int last_position; // of the last event
    ct_debugged_frame lines[CT_DEBUGGED_FRAMES];

    ct_debugger_step step;
    bool is_pausing;          // stops at the next line
    uint32_t num_pause_lines; // that were not of a script since
    bool is_engine_off;       // LuaJIT compiles nothing, for a step,
    bool was_engine_on;       // and does so again then

    bool is_stopped, is_evaluating, has_evaluated;
    bool has_missed_question; // it was asked to ask during an evaluation
    bool is_error;            // it stopped since one is raised: what is on the stack ends
    uint64_t thread;
    lua_State *stopped_coroutine;
    int stopped_level; // 1 in a handler of errors
    ct_lua_place stopped_place;
    ct_lua_step go_on;
    CT_ARRAY(ct_debugger_frame) frames;
    CT_ARRAY(ct_debugger_value) shown_values;
    uint32_t first_frame, first_value; // the numbers of the first ones
    ct_debugger_evaluation evaluation;
    struct ct_lua_watch *watch; // of evaluations
    ct_u32_array hit;           // ids
    ct_string_builder text;     // of the stop
    // The last error that it stopped at, in the running call.
    ct_string_builder last_error;
    ct_lua_place last_error_place;
    bool has_last_error;
};

// --- Life cycle (lua_debugger.c) -----------------------------------------------------------------

// Calls `function` on `work`, protected, with d->run_data set to `data`. Returns false with `error` (may
// be NULL).
bool ct_debugger_run(ct_lua_debugger *d, lua_CFunction function, void *data, ct_error *error);

// Returns the data of the function that runs.
void *ct_debugger_data(lua_State *L);

// Set and clear bits of LuaJIT's mask of hooks, which a signal handler may change meanwhile.
static inline void ct_debugger_set_mask(ct_lua_debugger *d, int bits) {
    __atomic_fetch_or(d->hook_mask, (uint8_t)bits, __ATOMIC_RELAXED);
}
static inline void ct_debugger_clear_mask(ct_lua_debugger *d, int bits) {
    __atomic_fetch_and(d->hook_mask, (uint8_t)~bits, __ATOMIC_RELAXED);
}

// Pushes a new table whose keys ("k") or values ("v") are weak.
void ct_debugger_push_weak_table(lua_State *L, const char *mode);

// Sets the hook to what is wanted now.
void ct_debugger_update_events(ct_lua_debugger *d);

// Throws away all compiled code.
void ct_debugger_flush(ct_lua_debugger *d);

// --- Breakpoints (lua_debugger_breakpoints.c, lua_debugger_code.c) ---------------------------------

// Returns the script with this path, a new one if there is none; and by the source of lua_Debug, or NULL.
ct_debugged_script *ct_debugger_script(ct_lua_debugger *d, const char *path);
ct_debugged_script *ct_debugger_script_of(const ct_lua_debugger *d, const char *source);

// Finds the functions and lines of a script, if it has run.
void ct_debugger_find_code(ct_lua_debugger *d, ct_debugged_script *script);

// Has functions compiled again, or no longer, as function_bits say. `has_removed`: some had breakpoints
// that are gone.
void ct_debugger_update_compiled(ct_lua_debugger *d, bool has_removed);

// Frees the scripts.
void ct_debugger_free_scripts(ct_lua_debugger *d);
// Frees the breakpoints; there are none then.
void ct_debugger_free_breakpoints(ct_lua_debugger *d);

// Returns bit `i`; false behind the end.
static inline bool ct_debugger_bit(const ct_byte_array *bits, uint32_t i) {
    return i / 8 < bits->count && (bits->items[i / 8] >> (i & 7) & 1);
}

// --- Stops (lua_debugger_stop.c) -----------------------------------------------------------------

// Looks which lines the frames of a coroutine are on.
void ct_debugger_note_lines(ct_lua_debugger *d, lua_State *coroutine);

// Ends the step or the pause that is under way.
void ct_debugger_end_step(ct_lua_debugger *d);

// Stops the machine in the function at `level` of `L`. `place`: where it is known, else NULL.
void ct_debugger_stop(ct_lua_debugger *d, lua_State *L, ct_lua_stop_reason reason, int level,
                      const ct_lua_place *place, const char *text);

// --- Evaluation (lua_debugger_evaluate.c) --------------------------------------------------------

// Makes the environment in which names are looked up in frames, in a protected call.
void ct_debugger_open_environment(lua_State *L, ct_lua_debugger *d);

// Pushes the function of an expression or statements, in a protected call; raises an error when it does
// not compile.
void ct_debugger_push_text(lua_State *L, ct_lua_debugger *d, const char *text);

// Evaluates on `work`, in a protected call: calls the function on top with the varargs of the frame.
// Returns lua_pcall's status; the results, or the error, are on the stack.
int ct_debugger_call(lua_State *L, ct_lua_debugger *d, lua_State *coroutine, int level,
                     double seconds);

// Returns whether a condition is true in the innermost function of `L`. On an error returns true with its
// message appended to d->text.
bool ct_debugger_condition(ct_lua_debugger *d, lua_State *L, const char *condition);

// Raises an error when an expression of a log does not compile, in a protected call.
void ct_debugger_check_log(lua_State *L, ct_lua_debugger *d, const char *log);

// Appends a log with its expressions replaced. Returns false, with an error appended to d->text, when an
// expression took too long.
bool ct_debugger_log(ct_lua_debugger *d, lua_State *L, const char *log, ct_string_builder *out);

// Pushes the value of a local or an upvalue of a frame on `L`; returns false when there is no such name.
bool ct_debugger_push_variable(lua_State *L, lua_State *coroutine, int level, const char *name);

// Sets it to the value on top of `L`, which it takes; false: there is none, and the value is taken.
bool ct_debugger_set_variable(ct_lua_debugger *d, lua_State *L, lua_State *coroutine, int level,
                              const char *name);

// --- Values (lua_debugger_text.c, lua_debugger_values.c) -------------------------------------------

// Writes the value at `index` in one line, in a protected call. Runs nothing of scripts.
void ct_debugger_write_value(lua_State *L, ct_lua_debugger *d, int index, char *text,
                             uint32_t bytes);

// Writes the name of a table's part with the key at `index`.
void ct_debugger_write_key(lua_State *L, ct_lua_debugger *d, int index, char *text, uint32_t bytes);

// Fills all of `value` but its name for the value at `index`, in a protected call.
void ct_debugger_show_value(lua_State *L, ct_lua_debugger *d, int index,
                            ct_lua_debugger_value *value);

// Returns the floats that the value at `index` has inside, their number, and their name's kind: vectors,
// matrices, boxes, arrays of floats; NULL for others.
float *ct_debugger_floats(lua_State *L, int index, uint32_t *count, ct_value_kind *kind);

// Forgets all frames and values.
void ct_debugger_forget_values(ct_lua_debugger *d);

// --- Frames (lua_debugger_frames.c) --------------------------------------------------------------

// Returns the frame of a number, or NULL.
const ct_debugger_frame *ct_debugger_frame_of(const ct_lua_debugger *d, uint32_t frame);

// Returns the number of a frame of a coroutine.
uint32_t ct_debugger_add_frame(ct_lua_debugger *d, lua_State *coroutine, int level);

// Writes the name of a function that runs.
void ct_debugger_write_frame_name(lua_State *L, ct_lua_debugger *d, lua_State *coroutine,
                                  lua_Debug *at, char *name, uint32_t bytes);

// Pushes the name of the function at `index` when a global table has it, else nothing: returns NULL.
const char *ct_debugger_push_function_name(lua_State *L, ct_lua_debugger *d, int index);
