#include "lua/lua_interrupt.h"

#include <luajit.h>
#include <lualib.h>

#include "foundation/os/os.h"
#include "lua/lua_machine.h"
#include "lua/lua_memory.h"
#include "lua/lua_watch.h"

// --- The hook ------------------------------------------------------------------------------------

static void serve(lua_State *L, lua_Debug *at) {
    ct_lua *const s = ct_lua_of(L);
    if (s->interrupts & CT_LUA_INTERRUPT_MEMORY) {
        ct_lua_end_interrupt(s, CT_LUA_INTERRUPT_MEMORY);
        ct_lua_check_memory(L, at);
    }
    if (s->interrupts & CT_LUA_INTERRUPT_TIME)
        ct_lua_stop_long_call(L, at);
}

void ct_lua_interrupt(ct_lua *s, ct_lua_interrupt_reason reason) {
    if (lua_gethook(s->lua) != serve) { // there may be one of debug.sethook
        s->other_hook.function = lua_gethook(s->lua);
        s->other_hook.mask = lua_gethookmask(s->lua);
        s->other_hook.count = lua_gethookcount(s->lua);
    }
    s->interrupts |= reason;
    lua_sethook(s->lua, serve, LUA_MASKCOUNT, 1);
    if (s->is_interruptible)
        ct_thread_raise_profiling_signal();
}

void ct_lua_end_interrupt(ct_lua *s, ct_lua_interrupt_reason reason) {
    if (!(s->interrupts & reason))
        return;
    s->interrupts &= ~(uint32_t)reason;
    if (!s->interrupts)
        lua_sethook(s->lua, s->other_hook.function, s->other_hook.mask, s->other_hook.count);
}

// --- Compiled code -------------------------------------------------------------------------------

// Going back to the interpreter is all that is wanted.
static void profiler_called(void *user, lua_State *L, int samples, int state) {
    (void)user, (void)L, (void)samples, (void)state;
}

void ct_lua_make_interruptible(ct_lua *s) {
    // By lines; the timer's interval, in milliseconds, is a day of the processor's time.
    luaJIT_profile_start(s->lua, "li86400000", profiler_called, NULL);
    s->is_interruptible = true;
}
