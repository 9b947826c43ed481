// lua.h: the interface "lua": functions of a plugin that scripts call, and calls of scripts.
//
// A plugin needs no Lua library: it gets the engine's functions here. A function of a plugin gets its
// arguments on the stack, from 1, pushes its results, and returns how many there are:
//
//     static int test(lua_State *L) {
//         lua->push_number(L, lua->check_number(L, 1) + lua->check_number(L, 2));
//         return 1;
//     }
//     static const cuttle_lua_function functions[] = {
//         {"test", test, "(a: number, b: number) -> number", "Adds two numbers."},
//     };
//     static const cuttle_lua_module module = {"Plugin", "Sums.", functions, 1};
//     lua->add_module(self, &module, error);
//
// Then `Plugin.test(1, 2)` works in scripts and in the console, and editors know it from signature and
// sentence. Functions that check (`check_…`, `error`) leave the plugin's function by a Lua error when
// something is wrong: memory that it holds then must be the engine's or the stack's.
//
// Languages whose functions such an error must not cross (Rust, Go, …) look at arguments with `type` and
// `to_…`, push a text, and return CUTTLE_LUA_ERROR.
//
// A node of Flow is a function like this one, which a .flow_nodes source of the project names
// (`function = "Plugin.test"`).
#ifndef CUTTLE_LUA_H
#define CUTTLE_LUA_H
#include <cuttle/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUTTLE_LUA_API "lua"

typedef struct lua_State lua_State; // as lua.h has it

// What a function returns to raise the text that it pushed last as a Lua error.
enum { CUTTLE_LUA_ERROR = -1 };

// What a value on the stack is.
typedef enum cuttle_lua_type {
    CUTTLE_LUA_NONE, // beyond the last one
    CUTTLE_LUA_NIL,
    CUTTLE_LUA_BOOLEAN,
    CUTTLE_LUA_NUMBER,
    CUTTLE_LUA_STRING,
    CUTTLE_LUA_TABLE,
    CUTTLE_LUA_FUNCTION,
    CUTTLE_LUA_UNIT, // an entity, also a dead one
    CUTTLE_LUA_VECTOR2,
    CUTTLE_LUA_VECTOR3,
    CUTTLE_LUA_VECTOR4,
    CUTTLE_LUA_QUATERNION,
    CUTTLE_LUA_MATRIX4X4,
    CUTTLE_LUA_OTHER,
} cuttle_lua_type;

// A function of a module. The signature has the form of `cuttle lua-api`:
// "(unit: Unit, speed: number?) -> boolean, string?".
typedef struct cuttle_lua_function {
    const char *name;
    int (*call)(lua_State *L);
    const char *signature;
    const char *doc; // one sentence
} cuttle_lua_function;

// A module: a global table of functions.
typedef struct cuttle_lua_module {
    const char *name; // "Swarm"
    const char *doc;  // one sentence
    const cuttle_lua_function *functions;
    uint32_t num_functions;
} cuttle_lua_module;

// Update thread. Indices count from 1 (the first argument) upwards, or from -1 (the last value)
// downwards. Vectors and the like are Lua's temporaries of this frame.
typedef struct cuttle_lua_api_1 {
    // Adds all functions of a module, or one function to a module of this plugin. Returns false with
    // `error` when a name is taken (by the engine, the game or another plugin) or a signature is
    // wrong. What is borrowed must live as long as the library. After a reload, functions that the new
    // library has not added raise an error when something still calls them.
    bool (*add_module)(cuttle_plugin *self, const cuttle_lua_module *module, cuttle_error *error);
    bool (*add_function)(cuttle_plugin *self, const char *module,
                         const cuttle_lua_function *function, cuttle_error *error);

    // --- Arguments: raise a Lua error that names function and argument when they are wrong ---

    double (*check_number)(lua_State *L, int argument); // finite
    double (*check_number_in)(lua_State *L, int argument, double least, double most);
    int64_t (*check_integer)(lua_State *L, int argument, int64_t least, int64_t most);
    bool (*check_boolean)(lua_State *L, int argument);
    // Borrowed while it is on the stack; `bytes` (may be NULL) is its length.
    const char *(*check_string)(lua_State *L, int argument, size_t *bytes);
    cuttle_vector2 (*check_vector2)(lua_State *L, int argument);
    cuttle_vector3 (*check_vector3)(lua_State *L, int argument);
    cuttle_vector4 (*check_vector4)(lua_State *L, int argument); // also a colour
    cuttle_quaternion (*check_quaternion)(lua_State *L, int argument);
    cuttle_matrix4 (*check_matrix)(lua_State *L, int argument);
    // A living unit, or an entity below one; `world` (may be NULL) is set to its world.
    cuttle_entity (*check_unit)(lua_State *L, int argument, cuttle_world **world);
    cuttle_world *(*check_world)(lua_State *L, int argument);

    // --- Reading without errors ---

    int (*count)(lua_State *L);                   // values on the stack
    uint32_t (*type)(lua_State *L, int index);    // cuttle_lua_type
    double (*to_number)(lua_State *L, int index); // 0 for others
    bool (*to_boolean)(lua_State *L, int index);  // false for nil, false and none
    const char *(*to_string)(lua_State *L, int index, size_t *bytes); // NULL for others; borrowed

    // --- Pushing ---

    void (*push_nil)(lua_State *L);
    void (*push_boolean)(lua_State *L, bool value);
    void (*push_number)(lua_State *L, double value);
    void (*push_string)(lua_State *L, const char *text, size_t bytes); // copied
    void (*push_vector2)(lua_State *L, cuttle_vector2 value);
    void (*push_vector3)(lua_State *L, cuttle_vector3 value);
    void (*push_vector4)(lua_State *L, cuttle_vector4 value);
    void (*push_quaternion)(lua_State *L, cuttle_quaternion value);
    void (*push_matrix)(lua_State *L, const cuttle_matrix4 *value);
    void (*push_unit)(lua_State *L, cuttle_entity unit); // nil for {0}
    void (*push_copy)(lua_State *L, int index);
    void (*pop)(lua_State *L, int count);

    // --- Tables ---

    // Pushes a new table with room for so many items and named members.
    void (*push_table)(lua_State *L, int num_items, int num_members);
    // Pushes a member of the table at `index`, nil when it is missing; or the item `item`, from 1.
    void (*push_member)(lua_State *L, int index, const char *name);
    void (*push_item)(lua_State *L, int index, int item);
    // Pops the last value and makes it a member, or an item, of the table at `index`.
    void (*set_member)(lua_State *L, int index, const char *name);
    void (*set_item)(lua_State *L, int index, int item);
    int (*num_items)(lua_State *L, int index); // 0 for what is no table

    // --- Errors and calls ---

    // Raise a Lua error `FUNCTION: …`, or `FUNCTION: argument N (NAME) …`. They do not return; their
    // type allows `return lua->error(…)`.
    int (*error)(lua_State *L, const char *format, ...);
    int (*argument_error)(lua_State *L, int argument, const char *format, ...);
    // Returns the plugin whose function runs; in `push` and `take` of `call`, the one that calls.
    cuttle_plugin *(*plugin)(lua_State *L);
    // Calls the global function `name` ("Game.hit") of scripts. `push` (may be NULL) pushes the
    // arguments and returns how many; `take` (may be NULL) gets the results on the stack, from 1 to
    // `count`. Returns false when there is no such function (without a message) or an error was
    // raised, which is logged.
    bool (*call)(cuttle_plugin *self, const char *name, int (*push)(lua_State *L, void *user),
                 void (*take)(lua_State *L, int count, void *user), void *user);
} cuttle_lua_api_1;

#ifdef __cplusplus
}
#endif
#endif
