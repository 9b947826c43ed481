#include "lua/lua_guards.h"

#include <lauxlib.h>
#include <lualib.h>
#include <string.h>

#include "foundation/os/os.h"
#include "lua/debugger/lua_debugger_events.h"
#include "lua/lua_chunks.h"
#include "lua/lua_interrupt.h"
#include "lua/lua_machine.h"

// --- The C stack ---------------------------------------------------------------------------------

enum { MAX_C_STACK_BYTES = 4 << 20 };

void ct_lua_find_stack_end(ct_lua *s) {
    // Asking the system takes long on the first thread.
    static _Thread_local uintptr_t lowest;
    const char here = 0;
    if (!lowest)
        lowest = (uintptr_t)&here - (uintptr_t)ct_os_stack_left();
    // A quarter is for the one Lua stack, 65,500 slots deep, that may still come on top.
    const uint64_t left = ((uintptr_t)&here - lowest) / 4;
    s->least_stack_address =
        (uintptr_t)&here - (left < MAX_C_STACK_BYTES ? (uintptr_t)left : MAX_C_STACK_BYTES);
}

void ct_lua_check_c_stack(lua_State *L) {
    const char here = 0;
    if ((uintptr_t)&here < ct_lua_of(L)->least_stack_address)
        luaL_error(L, "C stack overflow");
}

// The C functions of gsub and sort are called as they are, in the same frame.
static lua_CFunction original_gsub, original_sort;

static int gsub(lua_State *L) {
    ct_lua_check_c_stack(L);
    return original_gsub(L);
}

static int sort(lua_State *L) {
    ct_lua_check_c_stack(L);
    return original_sort(L);
}

static lua_CFunction replace(lua_State *L, const char *library, const char *name,
                             lua_CFunction function) {
    lua_getglobal(L, library);
    lua_getfield(L, -1, name);
    const lua_CFunction original = lua_tocfunction(L, -1);
    lua_pushcfunction(L, function);
    lua_setfield(L, -3, name);
    lua_pop(L, 2);
    return original;
}

static int check(lua_State *L) {
    ct_lua_check_c_stack(L);
    return 0;
}

// --- Error handlers ------------------------------------------------------------------------------

// The script's own handler is the upvalue.
static int handle_error(lua_State *L) {
    ct_lua *const s = ct_lua_of(L);
    if (s->interrupts & CT_LUA_INTERRUPT_TIME)
        return 1;
    ct_lua_debugger_on_error(s->debugger, L, true);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

static int guard_handler(lua_State *L) {
    lua_settop(L, 1);
    lua_pushcclosure(L, handle_error, 1);
    return 1;
}

// --- Opening -------------------------------------------------------------------------------------

// In Lua, so that coroutines can yield through them.
static const char guarded[] =
    "local guard = ...\n"
    "local xpcall, pcall = xpcall, pcall\n"
    "function _G.xpcall(f, handler, ...)\n"
    "    return xpcall(f, guard(handler), ...)\n"
    "end\n"
    // For debuggers, which exchange the upvalue: scripts keep the function.
    "function _G.pcall(...)\n"
    "    return pcall(...)\n"
    "end";
// A chunk of its own: debuggers look at calls of its functions.
static const char resuming[] = "local check = ...\n"
                               "local resume, wrap = coroutine.resume, coroutine.wrap\n"
                               "function coroutine.resume(...)\n"
                               "    check()\n"
                               "    return resume(...)\n"
                               "end\n"
                               "function coroutine.wrap(f)\n"
                               "    local run = wrap(f)\n"
                               "    return function(...)\n"
                               "        check()\n"
                               "        return run(...)\n"
                               "    end\n"
                               "end";

static void run_text(lua_State *L, const char *text, const char *chunk, lua_CFunction argument) {
    if (luaL_loadbuffer(L, text, strlen(text), chunk) != 0)
        lua_error(L);
    lua_getfield(L, LUA_REGISTRYINDEX, CT_LUA_CHUNKS);
    lua_pushvalue(L, -2);
    lua_setfield(L, -2, chunk);
    lua_pop(L, 1);
    lua_pushcfunction(L, argument);
    lua_call(L, 1, 0);
}

// For debuggers (CT_LUA_CATCHERS).
static void keep_catchers(lua_State *L) {
    static const char *const names[] = {"pcall", "xpcall"};
    static const char *const of_coroutines[] = {"resume", "wrap", "create"};
    lua_newtable(L);
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i) {
        lua_getglobal(L, names[i]);
        lua_setfield(L, -2, names[i]);
    }
    lua_getglobal(L, LUA_COLIBNAME);
    for (uint32_t i = 0; i < CT_COUNT_OF(of_coroutines); ++i) {
        lua_getfield(L, -1, of_coroutines[i]);
        lua_setfield(L, -3, of_coroutines[i]);
    }
    lua_pop(L, 1);
    lua_setfield(L, LUA_REGISTRYINDEX, CT_LUA_CATCHERS);
}

void ct_lua_open_guards(lua_State *L) {
    const lua_CFunction own_gsub = replace(L, "string", "gsub", gsub);
    const lua_CFunction own_sort = replace(L, "table", "sort", sort);
    original_gsub = own_gsub;
    original_sort = own_sort;
    run_text(L, guarded, "=[guard]", guard_handler);
    run_text(L, resuming, CT_LUA_RESUME_CHUNK, check);
    keep_catchers(L);
}
