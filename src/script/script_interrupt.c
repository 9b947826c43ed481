#include "script/script_interrupt.h"

#include <luajit.h>
#include <lualib.h>

#include "foundation/os/os.h"
#include "script/script_memory.h"
#include "script/script_private.h"
#include "script/script_watch.h"

// --- The hook ------------------------------------------------------------------------------------

static void serve(lua_State *L, lua_Debug *at) {
    struct ct_script *const s = ct_script_of(L);
    if (s->interrupts & CT_SCRIPT_INTERRUPT_MEMORY) {
        ct_script_end_interrupt(s, CT_SCRIPT_INTERRUPT_MEMORY);
        ct_script_check_memory(L, at);
    }
    if (s->interrupts & CT_SCRIPT_INTERRUPT_TIME)
        ct_script_stop_long_call(L, at);
}

void ct_script_interrupt(struct ct_script *s, ct_script_interrupt_reason reason) {
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

void ct_script_end_interrupt(struct ct_script *s, ct_script_interrupt_reason reason) {
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

void ct_script_make_interruptible(struct ct_script *s) {
    // By lines; the timer's interval, in milliseconds, is a day of the processor's time.
    luaJIT_profile_start(s->lua, "li86400000", profiler_called, NULL);
    s->is_interruptible = true;
}
