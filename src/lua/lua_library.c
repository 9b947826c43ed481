#include "lua/lua_library.h"

#include <lua.h>
#include <luajit.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"

bool ct_lua_library_check(ct_error *error) {
    // Every Lua has the first, only LuaJIT the second.
    const char *const lua = ct_library_of((void (*)(void))lua_gettop);
    const char *const jit = ct_library_of((void (*)(void))luaJIT_setmode);
    return strcmp(lua, jit) == 0 ||
           ct_error_set(error,
                        "the program has another Lua, \"%.255s\", whose functions hide those of "
                        "\"%.255s\"; link libcuttle before it",
                        lua, jit);
}
