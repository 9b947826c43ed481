// lua_machine.h: LuaJIT with engine values, protected calls and limits, but without any engine
// module.
//
// The struct is the first member of each struct that adds modules to it (script/script_private.h),
// so that a binding finds both from a Lua state at no cost: Lua's allocator is called with the
// machine as its `ud` (ct_lua_of). lua_values.h describes values; their data is here: temporaries
// in an array of 16-byte slots (a matrix takes four) that is emptied at the start of every frame,
// and engine objects in a table of slots with generations. Slot 0 of that table is unused. Update
// thread.
#pragma once
#include "entity/debug_name_component.h"
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "lua/lua_memory.h"
#include "lua/lua_values.h"
#include "resource/load/resource_manager.h"

enum {
    CT_VALUE_KIND_BITS = 4,
    CT_TEMPORARY_PLACE_BITS = 20,
    CT_TEMPORARY_FRAME_BITS = 15,
    CT_TEMPORARY_SLOT_BYTES = 16,
    CT_MAX_TEMPORARIES = 1 << CT_TEMPORARY_PLACE_BITS,
    CT_OBJECT_PLACE_BITS = 14,
    CT_OBJECT_GENERATION_BITS = 21,
    CT_MAX_OBJECTS = 1 << CT_OBJECT_PLACE_BITS,
    CT_MAX_RECENT_ERRORS = 16,
    CT_MAX_PROFILER_SCOPES = 256,
};

// One slot of the table of engine objects. A slot keeps its type forever, so that errors can name
// the type of a stale handle.
typedef struct ct_lua_object {
    const ct_lua_object_type *type;
    void *object; // NULL: free
    uint64_t data;
    uint32_t next;       // with the same key in `object_places`, or the next free one of the type
    uint32_t generation; // CT_OBJECT_GENERATION_BITS, of the handles to what is here now
} ct_lua_object;

// The free slots of a type of objects.
typedef struct ct_lua_free_objects {
    const ct_lua_object_type *type;
    uint32_t first; // 0: there are none
} ct_lua_free_objects;

// An error that was logged, and how often it has occurred again since.
typedef struct ct_lua_recent_error {
    uint64_t hash; // of message and traceback; 0: free
    uint64_t last_frame;
    uint32_t repeats;
    char *message;
} ct_lua_recent_error;

// A line of a script.
typedef struct ct_lua_place {
    char script[256]; // path of the source; "": not known
    uint32_t line;
} ct_lua_place;

// An error of a call, saved from the calls after it.
typedef struct ct_lua_error {
    ct_string_builder message, traceback;
    ct_lua_place place;
} ct_lua_error;

// The hook that debug.sethook had set before ours replaced it.
typedef struct ct_lua_hook {
    lua_Hook function;
    int mask, count;
} ct_lua_hook;

// The upvalues of module functions.
enum {
    CT_UPVALUE_PLACE = 1, // module and function (lua_modules.c)
    CT_UPVALUE_ROOT,      // 1, the number of an entity's root among its nodes
};

typedef struct ct_lua_desc {
    ct_allocator *allocator;     // of everything; Lua's own memory goes through a child of it
    ct_entity_manager *entities; // of the entities that Lua holds
    ct_debug_name_manager *debug_names;  // for texts; NULL: there are none
    ct_resource_manager *resources;      // where `require` finds scripts
    const ct_lua_module *const *modules; // become global tables; borrowed for good
    uint32_t num_modules;
    lua_CFunction open;          // called last of all, to add more to the state; NULL: nothing
    bool is_unsafe;              // `ffi` and `debug` are there (settings: lua = { unsafe = true })
    bool loads_scripts;          // `require` loads scripts that no loaded package holds
    double time_limit_seconds;   // of a call (lua_watch.h); 0: no limit
    bool stops_long_calls;       // with an error; else they are only reported
    uint64_t memory_limit_bytes; // that Lua may hold (lua_memory.h); 0: 2 GiB
    ct_allocator *worlds_allocator;  // of what counts with it; NULL: nothing does
    ct_allocator *physics_allocator; // of the physics of these worlds, which counts too; or NULL
    // For a worker machine, which runs jobs on other threads: the machine of the game. The worker
    // takes Lua's memory from its allocator, and has the same handles of engine objects, which it
    // neither makes nor ends. It may run only while the game's machine does not. Its `allocator` is
    // a child of the game's, the same for all workers: what they hold is not what the game holds.
    // NULL: no worker.
    ct_lua *parent;
    // Returns whether a machine has this module, and of its members this function (NULL: asked for
    // the module). NULL: it has all.
    bool (*opens)(const ct_lua_module *module, const ct_lua_function *function);
    const char *memory_setting; // that errors name; NULL: "lua.memory_limit_mb"
} ct_lua_desc;

struct ct_lua {
    ct_allocator *allocator;
    ct_allocator *lua_allocator;     // LuaJIT's, a proxy over that
    ct_allocator *worlds_allocator;  // of the worlds that Lua makes, or NULL
    ct_allocator *physics_allocator; // of their physics, or NULL
    lua_State *lua;
    ct_lua *parent;       // of a worker, or NULL
    ct_lua *first_worker; // of the game's machine: the workers that there are
    ct_lua *next_worker;  // of a worker: the next of these
    ct_lua_newest *maker; // ct_lua_newest_here of the thread that made it, and ends it; or NULL
    bool (*opens)(const ct_lua_module *module, const ct_lua_function *function); // or NULL
    // C functions that every frame calls, in the registry: pushing them each time would allocate.
    int traceback_function, run_function, error_text_function;
    ct_debug_name_manager *debug_names;
    ct_resource_manager *resources;
    const ct_lua_module *const *modules;
    uint32_t num_modules;
    bool is_unsafe, loads_scripts;
    bool is_confined; // a worker that runs jobs: must not touch what loads resources
    ct_lua_memory memory;
    uint32_t interrupts; // ct_lua_interrupt_reason, together
    bool is_interruptible;
    uint8_t *hook_mask; // of a worker: LuaJIT's, which compiled code looks at (lua_interrupt.c)
    void *first_block;  // that Lua asked for, which holds the state, and its size
    uint64_t first_block_bytes;
    uintptr_t least_stack_address; // below it the C stack is too deep (lua_guards.h)
    ct_lua_hook other_hook;
    struct ct_lua_debugger *debugger; // debugger/lua_debugger.h; NULL: there is none
    int debugger_events;              // LUA_MASKCALL, … that its hook is called for
    struct ct_lua_watch *watch;       // NULL: calls may take as long as they like
    uint64_t frame_count;

    CT_ARRAY(ct_lua_object) objects;
    CT_ARRAY(ct_lua_free_objects) free_objects; // of the types that there were
    ct_hash_map object_places; // from a hash of type, object and data to the first slot

    // Types of the components that Lua holds, by their number in handles; and which bits above the
    // 39th such handles have, by type: of these there can be only so many (lua_values.h).
    const ct_lua_component_type *component_types[CT_MAX_COMPONENT_TYPES_IN_LUA];
    uint32_t num_component_types;
    uint32_t component_segments[CT_MAX_COMPONENT_TYPES_IN_LUA], num_component_segments;

    // Returns whether an actor exists; NULL: none does.
    bool (*is_actor_alive)(const ct_lua *m, uint64_t value);

    const void *box_metatables[CT_VALUE_KIND_COUNT]; // by the kind of what is inside

    ct_string_array script_names; // of scripts that ran, or were to run
    ct_hash_map script_places;    // from a script's name to its place there, from 1
    ct_u32_array script_ends; // of each: how many ended before it first did; UINT32_MAX: none yet
    CT_ARRAY(bool) are_behaviours; // of each: its last change was that of a behaviour's script
    uint32_t num_script_ends;
    ct_u32_array changed_scripts; // places of those to run again
    ct_u32_array failed_scripts;  // places of those that failed when they last ran again
    ct_u64_array running_scripts; // names of those that `require` runs now, innermost last
    uint32_t call_depth;          // of ct_lua_call
    uint64_t random_state;        // of Math.random

    // Scopes that Lua has open, outermost first: whether they were recorded. Those before `first`
    // belong to calls further out.
    bool profiler_scopes[CT_MAX_PROFILER_SCOPES];
    uint32_t num_profiler_scopes, first_profiler_scope;

    ct_string_builder error_message, error_traceback; // of the last failed call
    ct_lua_place error_place;
    ct_lua_recent_error recent_errors[CT_MAX_RECENT_ERRORS];
    bool is_unfinished; // the console's last text is incomplete

    void *scratch; // of ct_lua_scratch
    uint64_t scratch_bytes;

    // The function and the data of ct_lua_run.
    lua_CFunction run;
    void *run_data;

    // Members that every binding reads are last, next to the start of the modules' own struct.
    ct_entity_manager *entities;
    ct_vec4 *temporaries;
    uint32_t num_temporaries, max_temporaries; // slots used and allocated
    uint32_t least_temporaries;                // of others than what runs: these stay
    uint32_t frame;                            // CT_TEMPORARY_FRAME_BITS of frame_count
};

// --- Life cycle (lua_machine.c) ------------------------------------------------------------------

// Starts Lua in `m`, which must be zero. Fails when there is no memory for a Lua state.
void ct_lua_init(ct_lua *m, const ct_lua_desc *desc);

// Closes the Lua state. Call it on the thread that made the state.
void ct_lua_shutdown(ct_lua *m);

// Lets the calling thread run a worker, until ct_lua_leave: finds where its stack ends, and has the
// watch look at it. Returns what ct_lua_leave takes.
ct_lua_newest ct_lua_enter(ct_lua *m);
void ct_lua_leave(ct_lua_newest before);

// Makes ct_lua_of quick for `L`, a coroutine of the machine that the calling thread has entered.
void ct_lua_prefer(ct_lua *m, lua_State *L);

// Begins a new frame: ends the temporaries of the last frame, and settles errors that have not
// occurred again.
void ct_lua_begin_frame(ct_lua *m);

// --- Values (lua_values.c) --------------------------------------------------------------------

// Returns the bits of the engine value at `index`; NONE or ADDRESS for anything else. Costs one
// call, since every binding uses it for each of its arguments.
static inline uint64_t ct_value_at(lua_State *L, int index) {
    return (uint64_t)(uintptr_t)lua_touserdata(L, index);
}
static inline ct_value_kind ct_value_kind_of(uint64_t value) {
    return (ct_value_kind)(value & ((1u << CT_VALUE_KIND_BITS) - 1));
}

// Returns the entity with these id bits, or an invalid one when no such entity was ever made.
static inline ct_entity ct_entity_of_bits(uint64_t bits) {
    const ct_entity e = {(uint32_t)bits};
    return __builtin_expect(e.id == bits && ct_entity_is_well_formed(e), 1) ? e : (ct_entity){0};
}

// Returns the entity of a Unit or a component.
static inline ct_entity ct_entity_of_value(uint64_t value) {
    const uint64_t payload = value >> CT_VALUE_KIND_BITS;
    return ct_entity_of_bits(ct_value_kind_of(value) == CT_VALUE_KIND_ENTITY
                                 ? payload
                                 : payload & ((1u << CT_ENTITY_BITS) - 1));
}

// Returns how many slots a temporary of this kind takes; 0 for kinds that are not temporaries.
uint32_t ct_temporary_slots(ct_value_kind kind);

// Returns the data of the temporary `value`, or NULL when it is from an earlier frame or not a
// temporary.
float *ct_temporary_data(const ct_lua *m, uint64_t value);

// Returns the data of a temporary from its bits; NULL unless its `slots` are among this frame's.
static inline float *ct_temporary_slots_at(const ct_lua *m, uint64_t value, uint32_t slots) {
    const uint32_t place = (value >> CT_VALUE_KIND_BITS) & (CT_MAX_TEMPORARIES - 1);
    const uint32_t frame = (uint32_t)(value >> (CT_VALUE_KIND_BITS + CT_TEMPORARY_PLACE_BITS));
    if (frame != m->frame || place + slots > m->num_temporaries)
        return NULL;
    return m->temporaries[place].raw;
}

// Same as ct_check_number, for components of math values: NaN and infinities are allowed.
float ct_check_float(lua_State *L, int argument);

// Raises `expected EXPECTED, got …` for an argument. Does not return.
int ct_argument_type_error(lua_State *L, int argument, const char *expected);

// Pushes the description of the value at `index` for errors: "Vector3", "a destroyed Unit", …
const char *ct_push_value_description(lua_State *L, int index);

// Returns the name of a kind of value. Objects and components are named by their types instead.
const char *ct_value_kind_name(ct_value_kind kind);

// Returns the type of a component's handle; NULL when no handle was ever made with these bits.
const ct_lua_component_type *ct_component_type_of_value(const ct_lua *m, uint64_t value);

// Returns the last CT_COMPONENT_HANDLE_BITS bits of the number in a component's handle.
uint32_t ct_component_number_of_value(uint64_t value);

// --- Objects (lua_objects.c) ------------------------------------------------------------------

// Make and free the table of engine objects. Remaining handles are not ended.
void ct_objects_init(ct_lua *m);
void ct_objects_free(ct_lua *m);

// Returns the slot of an object handle, or NULL when it was released.
const ct_lua_object *ct_object_of(const ct_lua *m, uint64_t value);

// Returns the type of an object handle, also a released one; NULL when no handle was ever made with
// these bits.
const ct_lua_object_type *ct_object_type_of(const ct_lua *m, uint64_t value);

// --- Environment ---------------------------------------------------------------------------------

// Gives a new state its table of globals, with room for more than the engine's, so that lookups,
// which each call of a module makes, rarely collide. Call it before anything else is done with the
// state, outside of calls: a function keeps the globals that existed when it was made.
void ct_lua_open_globals(lua_State *L);

// Opens the safe parts of Lua's libraries, and the rest too where scripts may use it
// (lua_environment.c).
void ct_lua_open_libraries(lua_State *L, bool is_unsafe);

// The registry key of LuaJIT's table.clear, which empties a table and keeps its room.
#define CT_LUA_TABLE_CLEAR "cuttle.table.clear"

// Registry keys of what a debugger needs: a table of LuaJIT's `attach` and `status` and the opener of
// "jit.util", which scripts do not get; and a table of the functions of scripts' texts, by path of the
// source, and of CT_LUA_RESUME_CHUNK.
#define CT_LUA_JIT "cuttle.jit"
#define CT_LUA_CHUNKS "cuttle.chunks"
#define CT_LUA_RESUME_CHUNK "=[resume]" // whose functions run coroutines (lua_guards.c)

// Makes the global tables of all modules (lua_modules.c).
void ct_lua_open_modules(lua_State *L);

// Makes the global tables of modules that were added to `modules` behind the first `num_modules`, which
// becomes `count`. There must be room there.
void ct_lua_open_new_modules(lua_State *L, uint32_t count);

// Pushes function `place` of module number `module`, as its table has it.
void ct_lua_push_module_function(lua_State *L, uint32_t module, uint32_t place);

// Gives light userdata their metatable (lua_metatable.c).
void ct_lua_open_metatable(lua_State *L);

// Finds the module and the place of the function in whose call an error is raised; returns false
// when it is not a module's function. A module's `call` has the place CT_LUA_CALL.
enum { CT_LUA_CALL = 0xffff };
bool ct_lua_running_function(lua_State *L, const ct_lua_module **module, uint32_t *function);

// Returns the module whose function runs. For module functions, directly in their bodies. Cheap.
const ct_lua_module *ct_lua_called_module(lua_State *L);

// --- Calls and errors (lua_errors.c) ----------------------------------------------------------

// Calls the function below `num_arguments` values on the stack. On an error, returns false with
// nothing on the stack and the message and traceback in the environment, and restores contexts and
// temporaries. Profiler scopes that the call left open are ended. Calls from outside all other
// calls are watched (lua_watch.h); after such a call ran out of memory, garbage is collected.
bool ct_lua_call(ct_lua *m, int num_arguments, int num_results);

// Same as ct_lua_call, inside a call, on the stack of the running coroutine `L`. Returns 0, or
// Lua's status of the error.
int ct_lua_call_in(lua_State *L, int num_arguments, int num_results);

// Calls `function` like ct_lua_call, without arguments. It gets `data` with ct_lua_run_data, before
// it does anything else. Nothing is pushed before the call is protected: engine code uses Lua
// through this function, so that a lack of memory is an error and does not end the program.
bool ct_lua_run(ct_lua *m, lua_CFunction function, void *data);
void *ct_lua_run_data(lua_State *L);

// Ends the innermost profiler scope that Lua has open; there must be one.
void ct_lua_leave_profiler_scope(ct_lua *m);

// Makes the function that collects tracebacks. Call it before anything is called.
void ct_lua_open_calls(ct_lua *m);

// Appends the running functions, from the one at `level` outwards (0: the running one).
void ct_lua_append_traceback(lua_State *L, int level, ct_string_builder *out);

// Appends the functions of `coroutine`, which has failed; for the call of `L`, another coroutine.
void ct_lua_append_traceback_of(lua_State *L, lua_State *coroutine, ct_string_builder *out);

// Returns the current line of the innermost Lua function from `level` outwards.
ct_lua_place ct_lua_find_place(lua_State *L, int level);

// Make an empty error, and free it.
void ct_lua_error_init(ct_lua_error *e, ct_allocator *a);
void ct_lua_error_free(ct_lua_error *e);

// Exchanges the last error with `e`: saves it, or restores it.
void ct_lua_exchange_error(ct_lua *m, ct_lua_error *e);

// Logs the last error, or only counts it when it also occurred in the last frame. In a call that is
// being stopped because it takes too long, always logs it.
void ct_lua_log_error(ct_lua *m);

// Reports errors that did not occur again in the last frame; and forgets all.
void ct_lua_settle_errors(ct_lua *m);
void ct_lua_forget_errors(ct_lua *m);

// --- Scripts (lua_require.c) ------------------------------------------------------------------

// Make and free the list of scripts that ran.
void ct_lua_scripts_init(ct_lua *m);
void ct_lua_scripts_free(ct_lua *m);

// Returns the name of a script from its id, which is all that units and levels store: its source's
// name without the extension. Players have no registry of names. `name` is the buffer for it; the
// result is the id in hexadecimal when the name is unknown.
const char *ct_lua_name_of(const ct_lua *m, ct_string_id64 script,
                           char name[CT_RESOURCE_NAME_BYTES]);

// Returns the name, from its id, of a script that ran or was requested; NULL for others.
const char *ct_lua_known_script(const ct_lua *m, ct_string_id64 script);

// Marks a script so that ct_lua_run_changed runs it again. If a behaviour's script then returns
// nothing, that is an error: its `return` was lost. Returns false for a script that never ran.
bool ct_lua_note_changed(ct_lua *m, ct_string_id64 script, bool is_behaviour);

// Runs the marked scripts again in the same environment, required scripts before those that require
// them, and also scripts that failed the last time, since they may need the changes. A script that
// fails runs again after others succeeded; if it still fails, its error is logged, and the globals
// are as before. Appends the names of the scripts that ran to `ran`; they live as long as the
// machine.
void ct_lua_run_changed(ct_lua *m, ct_string_array *ran);

// The error of a behaviour's script that did not return a table: its name, what it returned, and a
// guess.
#define CT_LUA_NO_BEHAVIOUR "%s: expected a behaviour's script to return a table, got %s%s"

// Pushes `; does it end in "return Coin"?` for a script whose blob (may be NULL) has functions of
// Coin.
const char *ct_lua_push_return_guess(lua_State *L, const void *blob);

// Lua's `require`.
int ct_lua_require(lua_State *L);

// Pushes the function of a script's text, and remembers to run it again when it changes. Raises an
// error when the script is not loaded.
void ct_lua_push_chunk(lua_State *L, const char *name);

// --- Console (lua_execute.c, lua_complete.c) -----------------------------------------------------

// Runs `lua` (an expression or statements) like the console, and appends the results, separated by
// tabs, to `result`. On an error returns false, with the message in `result` and the traceback
// appended to `traceback`; either may be NULL.
bool ct_lua_execute(ct_lua *m, const char *lua, ct_string_builder *result,
                    ct_string_builder *traceback);

// Same as ct_lua_execute, for a text of `bytes` bytes, which may include zero bytes.
bool ct_lua_execute_bytes(ct_lua *m, const char *lua, uint32_t bytes, ct_string_builder *result,
                          ct_string_builder *traceback);

// Returns whether the last text for ct_lua_execute did not run because it is incomplete ("if x
// then"): more lines may complete it.
bool ct_lua_is_unfinished(const ct_lua *m);

// Appends the names that can complete the end of `text`, sorted, separated by line ends: of globals
// or, after `a.b.` or `a:`, of members. At most 512. Returns the offset in `text` of the last name,
// which they replace. Runs no Lua code.
uint32_t ct_lua_complete(ct_lua *m, const char *text, ct_string_builder *found);

// Same as ct_lua_complete, with the members of the table on top of the stack, and of those that it
// inherits from, in place of the globals. For protected calls.
uint32_t ct_lua_complete_in(lua_State *L, const char *text, ct_string_builder *found);
