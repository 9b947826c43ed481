#include "lua/lua_interrupt.h"

#include <luajit.h>
#include <lualib.h>

#include "foundation/os/os.h"
#include "lua/debugger/lua_debugger_events.h"
#include "lua/lua_machine.h"
#include "lua/lua_memory.h"
#include "lua/lua_watch.h"

enum { PROFILE_HOOK = 0x80 }; // a bit of LuaJIT's mask of hooks

// --- The hook ------------------------------------------------------------------------------------

static void serve(lua_State *L, lua_Debug *at) {
    ct_lua *const s = ct_lua_of(L);
    if (at->event != LUA_HOOKCOUNT) {
        ct_lua_debugger_on_event(s->debugger, L, at);
        return;
    }
    if (s->interrupts & CT_LUA_INTERRUPT_MEMORY) {
        ct_lua_end_interrupt(s, CT_LUA_INTERRUPT_MEMORY);
        ct_lua_check_memory(L, at);
    }
    if (s->interrupts & CT_LUA_INTERRUPT_TIME)
        ct_lua_stop_long_call(L, at);
    if (s->interrupts & CT_LUA_INTERRUPT_ASK) {
        ct_lua_end_interrupt(s, CT_LUA_INTERRUPT_ASK);
        ct_lua_debugger_on_ask(s->debugger);
    }
    if (s->interrupts & CT_LUA_INTERRUPT_PAUSE) {
        ct_lua_end_interrupt(s, CT_LUA_INTERRUPT_PAUSE);
        ct_lua_debugger_on_pause(s->debugger);
    }
}

bool ct_lua_has_hook(const ct_lua *s) {
    return lua_gethook(s->lua) == serve;
}

void ct_lua_update_hook(ct_lua *s) {
    int mask = s->debugger_events | (s->interrupts ? LUA_MASKCOUNT : 0);
    if (!ct_lua_has_hook(s)) { // there may be one of debug.sethook
        if (!mask)
            return;
        s->other_hook.function = lua_gethook(s->lua);
        s->other_hook.mask = lua_gethookmask(s->lua);
        s->other_hook.count = lua_gethookcount(s->lua);
    }
    if (!mask)
        lua_sethook(s->lua, s->other_hook.function, s->other_hook.mask, s->other_hook.count);
    else
        lua_sethook(s->lua, serve, mask, 1);
    if (s->interrupts && !(mask & LUA_MASKCOUNT)) { // a signal handler has come between
        mask = s->debugger_events | LUA_MASKCOUNT;
        lua_sethook(s->lua, serve, mask, 1);
    }
}

void ct_lua_interrupt(ct_lua *s, ct_lua_interrupt_reason reason) {
    s->interrupts |= reason;
    if (s->hook_mask)
        *s->hook_mask |= PROFILE_HOOK;
    ct_lua_update_hook(s);
    if (s->is_interruptible && !s->hook_mask)
        ct_thread_raise_profiling_signal();
}

void ct_lua_end_interrupt(ct_lua *s, ct_lua_interrupt_reason reason) {
    if (!(s->interrupts & reason))
        return;
    s->interrupts &= ~(uint32_t)reason;
    if (!s->interrupts)
        ct_lua_update_hook(s);
}

// --- Compiled code -------------------------------------------------------------------------------

// Going back to the interpreter is all that is wanted.
static void profiler_called(void *user, lua_State *L, int samples, int state) {
    (void)user, (void)L, (void)samples, (void)state;
}

// LuaJIT's profiler belongs to one state of a process, so nothing sets the bit for a worker that
// makes its compiled code return to the interpreter: we do. The mask of hooks is a byte in the block
// of the state. We look for the one byte there that does what lua_sethook says.
uint8_t *ct_lua_find_hook_mask(ct_lua *s) {
    static const uint8_t masks[] = {1, 2, 4, 8, 5, 10, 15, 0};
    uint8_t *const block = s->first_block;
    const uint64_t count = s->first_block_bytes;
    bool *const differs = CT_NEW_ARRAY(s->allocator, bool, (uint32_t)count);
    for (uint32_t k = 0; k < CT_COUNT_OF(masks); ++k) {
        lua_sethook(s->lua, masks[k] ? serve : NULL, masks[k], 0);
        for (uint64_t i = 0; i < count; ++i)
            differs[i] |= block[i] != masks[k];
    }
    uint8_t *found = NULL;
    uint32_t num_found = 0;
    for (uint64_t i = 0; i < count; ++i) {
        if (!differs[i]) {
            found = &block[i];
            ++num_found;
        }
    }
    ct_free_sized(s->allocator, differs, count);
    return num_found == 1 ? found : NULL;
}

void ct_lua_make_interruptible(ct_lua *s) {
    // By lines; the timer's interval, in milliseconds, is a day of the processor's time. Where
    // another state has the profiler, this only has code compiled so that it checks.
    luaJIT_profile_start(s->lua, "li86400000", profiler_called, NULL);
    s->is_interruptible = true;
    if (!s->parent)
        return;
    s->hook_mask = ct_lua_find_hook_mask(s);
    if (!s->hook_mask) // another LuaJIT than this was made for: what is not compiled always checks
        luaJIT_setmode(s->lua, 0, LUAJIT_MODE_ENGINE | LUAJIT_MODE_OFF);
}

void ct_lua_end_interruptible(ct_lua *s) {
    if (s->parent || !s->is_interruptible)
        return;
    luaJIT_profile_stop(s->lua);
    s->is_interruptible = false;
}
