// script_private.h: what the files of this folder share.
//
// Lua's allocator is called with the environment as its `ud`, so that a binding finds it from any
// state (ct_script_of). Values are described in script_values.h; here is where their data lies:
// temporaries in an array of 16-byte slots (a matrix takes four) that is emptied at the start of
// every frame, engine objects in a table of slots with generations. Slot 0 of that table is none.
#pragma once
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "resource/load/resource_manager.h"
#include "script/script.h"
#include "script/script_memory.h"
#include "script/script_values.h"

enum {
    CT_VALUE_KIND_BITS = 4,
    CT_TEMPORARY_PLACE_BITS = 20,
    CT_TEMPORARY_FRAME_BITS = 15,
    CT_TEMPORARY_SLOT_BYTES = 16,
    CT_MAX_TEMPORARIES = 1 << CT_TEMPORARY_PLACE_BITS,
    CT_OBJECT_KIND_BITS = 5,
    CT_OBJECT_PLACE_BITS = 14,
    CT_MAX_OBJECTS = 1 << CT_OBJECT_PLACE_BITS,
    CT_MAX_RECENT_ERRORS = 16,
    CT_MAX_PROFILER_SCOPES = 256,
};

// One slot of the table of engine objects.
typedef struct ct_script_object {
    void *object;
    uint64_t data;
    uint32_t next;       // with the same key in `object_places`, or the next free one
    uint16_t generation; // of the handles to what is here now
    uint16_t kind;       // NONE: free
} ct_script_object;

// An error that was logged, and how often it came again since.
typedef struct ct_script_recent_error {
    uint64_t hash; // of message and traceback; 0: free
    uint64_t last_frame;
    uint32_t repeats;
    char *message;
} ct_script_recent_error;

// A line of a script.
typedef struct ct_script_place {
    char script[256]; // path of the source; "": not known
    uint32_t line;
} ct_script_place;

typedef enum ct_script_user_settings {
    CT_SCRIPT_USER_SETTINGS_NONE, // not asked for yet
    CT_SCRIPT_USER_SETTINGS_LOADED,
    CT_SCRIPT_USER_SETTINGS_BROKEN, // the file cannot be read
} ct_script_user_settings;

// What debug.sethook had set when ours came.
typedef struct ct_script_hook {
    lua_Hook function;
    int mask, count;
} ct_script_hook;

// A package that a watch of PackageTransferWatcher looks at.
typedef struct ct_script_chunk {
    char *name;
    uint32_t watch;
    bool was_loaded;               // when it was last looked at
    ct_resource_progress expected; // what it would load in the variants that are wanted
} ct_script_chunk;

// What the functions of modules carry.
enum {
    CT_UPVALUE_PLACE = 1, // where they stand (script_modules.c)
    CT_UPVALUE_ROOT,      // 1, the number of an entity's root among its nodes
};

struct ct_script {
    ct_allocator *backing;       // what the struct itself came from
    ct_allocator *allocator;     // proxy
    ct_allocator *lua_allocator; // LuaJIT's, a proxy over that
    lua_State *lua;
    ct_script_newest *maker; // ct_script_newest_here of the thread that made it, and ends it
    // C functions that every frame calls, in the registry: pushing one anew would allocate.
    int traceback_function, run_function, error_text_function;
    ct_world_system *worlds;
    ct_input *input;
    ct_actions *actions;
    ct_script_host host;
    bool is_unsafe, loads_scripts;
    ct_entity_manager *entities;
    ct_resource_manager *resources;
    ct_script_memory memory;
    uint32_t interrupts; // ct_script_interrupt_reason, together
    bool is_interruptible;
    uintptr_t least_stack_address; // below it the C stack is too deep (script_guards.h)
    ct_script_hook other_hook;
    struct ct_script_watch *watch; // NULL: calls may take as long as they like
    uint64_t frame_count;

    ct_vec4 *temporaries;
    uint32_t num_temporaries, max_temporaries; // slots used and allocated
    uint32_t frame;                            // CT_TEMPORARY_FRAME_BITS of frame_count

    CT_ARRAY(ct_script_object) objects;
    uint32_t first_free_object;
    ct_hash_map object_places; // from a hash of kind, object and data to the first slot

    const void *box_metatables[CT_VALUE_KIND_OBJECT]; // by the kind of what is inside

    ct_string_array script_names; // of scripts that ran, or were to run
    ct_hash_map script_places;    // from a script's name to its place there, from 1
    ct_u64_array running_scripts; // names of those that `require` runs now, innermost last
    char *boot_name;
    bool is_booted;         // the boot script ran to its end
    bool has_boot_failed;   // a reload tries again
    bool is_init_due;       // the game asked for init, which has not run to its end
    uint32_t call_depth;    // of ct_script_call
    uint64_t random_state;  // of Math.random
    double collect_seconds; // at least so long garbage is collected in each frame

    // Scopes that Lua has open, outermost first: whether they were recorded. Those before `first`
    // belong to calls further out.
    bool profiler_scopes[CT_MAX_PROFILER_SCOPES];
    uint32_t num_profiler_scopes, first_profiler_scope;

    ct_string_builder error_message, error_traceback; // of the last failed call
    ct_script_place error_place;
    ct_script_recent_error recent_errors[CT_MAX_RECENT_ERRORS];

    CT_ARRAY(ct_script_chunk) chunks;
    ct_hash_map missing_texts; // hashes of keys of strings that were warned of
    uint32_t last_watch;

    bool is_unfinished; // what the console last sent ends too early
    ct_script_user_settings user_settings;
    char *user_folder; // of FileSystem; NULL before initialize

    void *scratch; // of ct_script_scratch
    uint64_t scratch_bytes;

    struct ct_script_data *data; // that is kept with units and the like; NULL: none yet

    // What ct_script_run is to run, and what on.
    lua_CFunction run;
    void *run_data;
};

// --- Values (script_values.c) --------------------------------------------------------------------

// The bits of the engine value at `index`; NONE or ADDRESS for anything else. One call: every
// binding comes here for each of its arguments.
static inline uint64_t ct_value_at(lua_State *L, int index) {
    return (uint64_t)(uintptr_t)lua_touserdata(L, index);
}
static inline ct_value_kind ct_value_kind_of(uint64_t value) {
    return (ct_value_kind)(value & ((1u << CT_VALUE_KIND_BITS) - 1));
}

// The entity whose id these bits are; none where none is issued like it.
static inline ct_entity ct_entity_of_bits(uint64_t bits) {
    const ct_entity e = {(uint32_t)bits};
    return __builtin_expect(e.id == bits && ct_entity_is_well_formed(e), 1) ? e : (ct_entity){0};
}

// The entity of a Unit or, below the bits that say which, of a camera, a light or a mesh.
static inline ct_entity ct_entity_of_value(uint64_t value) {
    const uint64_t payload = value >> CT_VALUE_KIND_BITS;
    return ct_entity_of_bits(ct_value_kind_of(value) == CT_VALUE_KIND_ENTITY
                                 ? payload
                                 : payload & ((1u << CT_ENTITY_BITS) - 1));
}

// The slots that a temporary of this kind takes; 0 for kinds that are no temporaries.
uint32_t ct_temporary_slots(ct_value_kind kind);

// The data of the temporary `value`, or NULL when it is of an earlier frame or no temporary.
float *ct_temporary_data(const struct ct_script *s, uint64_t value);

// Takes the bits of a temporary apart; NULL unless its `slots` lie among this frame's.
static inline float *ct_temporary_slots_at(const struct ct_script *s, uint64_t value,
                                           uint32_t slots) {
    const uint32_t place = (value >> CT_VALUE_KIND_BITS) & (CT_MAX_TEMPORARIES - 1);
    const uint32_t frame = (uint32_t)(value >> (CT_VALUE_KIND_BITS + CT_TEMPORARY_PLACE_BITS));
    if (frame != s->frame || place + slots > s->num_temporaries)
        return NULL;
    return s->temporaries[place].raw;
}

// As ct_check_number for parts of math values: NaN and infinities are let through.
float ct_check_float(lua_State *L, int argument);

// Raises `expected EXPECTED, got …` for an argument. Does not return.
int ct_argument_type_error(lua_State *L, int argument, const char *expected);

// Pushes how an error describes the value at `index`: "Vector3", "a destroyed Unit", …
const char *ct_push_value_description(lua_State *L, int index);

// Appends the value at `index` as tostring shows it, or as far as is told without calling Lua.
void ct_append_value(lua_State *L, int index, ct_string_builder *out);

// The name of a kind of value or object.
const char *ct_value_kind_name(ct_value_kind kind);
const char *ct_object_kind_name(ct_object_kind kind);

// --- Objects (script_objects.c) ------------------------------------------------------------------

void ct_objects_init(struct ct_script *s);
void ct_objects_free(struct ct_script *s);

// The slot of an object handle, or NULL when it was released.
const ct_script_object *ct_object_of(const struct ct_script *s, uint64_t value);

// The kind of an object handle, a released one included.
ct_object_kind ct_object_kind_of(uint64_t value);

// --- Environment ---------------------------------------------------------------------------------

// Gives a new state its table of globals, with room for more than the engine's: who looks one up, as
// each call of a module does, then seldom meets others on the way. Before anything else is done with
// the state, outside of calls: a function keeps the globals that there were when it was made.
void ct_script_open_globals(lua_State *L);

// Opens what is safe of Lua's libraries, and the rest too where scripts may (script_environment.c).
void ct_script_open_libraries(lua_State *L, bool is_unsafe);

// In the registry: table.clear of LuaJIT, which empties a table and keeps its room.
#define CT_SCRIPT_TABLE_CLEAR "cuttle.table.clear"

// Makes global tables of all modules (script_modules.c).
void ct_script_open_modules(lua_State *L);

// Gives light userdata their metatable (script_metatable.c), and boxes theirs (api_boxes.c).
void ct_script_open_metatable(lua_State *L);
void ct_script_open_boxes(lua_State *L);

// The module and the place of the function in whose call an error is raised; false when it is no
// function of a module. A module's `call` has the place CT_SCRIPT_CALL.
enum { CT_SCRIPT_CALL = 0xffff };
bool ct_script_running_function(lua_State *L, const ct_script_module **module, uint32_t *function);

// The module whose function runs. For functions of modules, out of their own body: cheap.
const ct_script_module *ct_script_called_module(lua_State *L);

// --- Calls and errors (script_errors.c) ----------------------------------------------------------

// Calls the function below `num_arguments` values on the stack. On an error returns false with
// nothing on the stack, message and traceback in the environment, and contexts and temporaries as
// they were before. Profiler scopes that the call left open are ended. Calls from outside of all
// others are watched (script_watch.h), and after one that memory did not suffice for garbage is
// collected.
bool ct_script_call(struct ct_script *s, int num_arguments, int num_results);

// The same inside of a call, on the stack of the coroutine `L` that runs. Returns 0, or Lua's status
// of the error.
int ct_script_call_in(lua_State *L, int num_arguments, int num_results);

// Calls `function` as above, without arguments; it finds `data` by ct_script_run_data, before it
// does anything else. Nothing is put on the stack before the call is protected: what the engine
// wants of Lua goes through here, so that a lack of memory is an error and not the end.
bool ct_script_run(struct ct_script *s, lua_CFunction function, void *data);
void *ct_script_run_data(lua_State *L);

// Ends the innermost profiler scope that Lua has open, of which there is one.
void ct_script_leave_profiler_scope(struct ct_script *s);

// Makes the function that collects tracebacks; before anything is called.
void ct_script_open_calls(struct ct_script *s);

// Appends the functions that run, from the one at `level` outwards (0: the running one).
void ct_script_append_traceback(lua_State *L, int level, ct_string_builder *out);

// The line that runs in the innermost Lua function from `level` outwards.
ct_script_place ct_script_find_place(lua_State *L, int level);

// Logs the last error, or counts it when it came in the last frame too.
void ct_script_log_error(struct ct_script *s);

// Tells of errors that have not come again in the last frame; and forgets all.
void ct_script_settle_errors(struct ct_script *s);
void ct_script_forget_errors(struct ct_script *s);

// --- Scripts (script_require.c) ------------------------------------------------------------------

void ct_scripts_init(struct ct_script *s);
void ct_scripts_free(struct ct_script *s);

// The name of a script by its id, which is all that units and levels say: what its source is called,
// up to the extension. Players keep no registry of names. `name` has room for it; an id in hexadecimal
// where neither knows it.
const char *ct_script_name_of(const struct ct_script *s, ct_string_id64 script,
                              char name[CT_RESOURCE_NAME_BYTES]);

// Registers for reloads with the resource manager.
void ct_scripts_register(struct ct_script *s);

// Lua's `require`.
int ct_script_require(lua_State *L);

// Pushes the function of a script's text, and remembers to run it again when it changes. Raises an
// error when it is not loaded.
void ct_script_push_chunk(lua_State *L, const char *name);

// --- Boot script (script.c) ----------------------------------------------------------------------

// Runs the boot script, and init when that is due. False after logging.
bool ct_script_run_boot(struct ct_script *s);

// Calls a global function when there is one. False after logging.
bool ct_script_call_global(struct ct_script *s, const char *name, const double *argument);
