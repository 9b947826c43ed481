// lua_module.h: how a Lua module is described and registered.
//
// Each api_<module>.c has one constant table: a function, its signature in the yardstick's form and
// one line of documentation. The environment registers from these tables; the API reference comes
// from them too.
//
// A module with one function, `Rose.petals(rose: Unit) -> integer`, of a system `roses`:
//
//     static int petals(lua_State *L) {
//         ct_world *world;
//         const ct_entity rose = ct_check_unit(L, 1, &world);
//         lua_pushinteger(L, (lua_Integer)rose_petals(world, rose));
//         return 1;
//     }
//
//     static const ct_lua_function functions[] = {
//         {"petals", petals, "(rose: Unit) -> integer", "The number of petals of a rose."},
//     };
//
//     const ct_lua_module ct_api_rose = {.name = "Rose",
//                                        .doc = "Roses in a world.",
//                                        .functions = functions,
//                                        .num_functions = CT_COUNT_OF(functions)};
//
// Functions are sorted by name. A line in script/script_modules.c adds the module to every
// environment.
#pragma once
#include <lauxlib.h>
#include <lua.h>

#include "foundation/types.h"

typedef struct ct_lua_function {
    const char *name; // "set_local_position"
    lua_CFunction function;
    const char *signature; // "(self: Unit, i: integer, position: Vector3) -> nil"
    const char *doc;       // one sentence
} ct_lua_function;

// A number with a name: Pad1.CIRCULAR.
typedef struct ct_lua_constant {
    const char *name;
    double value;
    const char *doc; // one sentence
} ct_lua_constant;

struct ct_lua_component_type;

typedef struct ct_lua_module {
    const char *name; // "Unit"
    const char *doc;  // one sentence
    const ct_lua_function *functions;
    uint32_t num_functions;
    lua_CFunction call;               // what `Vector3(x, y, z)` calls, or NULL; x is its argument 2
    const char *call_signature;       // "(x: number, y: number, z: number) -> Vector3", or NULL
    const ct_lua_constant *constants; // may be NULL
    uint32_t num_constants;
    // The type of the components whose functions these are (lua_values.h); NULL for other modules.
    const struct ct_lua_component_type *component;
} ct_lua_module;
