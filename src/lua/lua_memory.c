#include "lua/lua_memory.h"

#include <lauxlib.h>
#include <stdio.h>

#include "foundation/os/os.h"
#include "lua/lua_interrupt.h"
#include "lua/lua_machine.h"
#include "lua/lua_memory_holders.h"

enum { ASKED_BYTES = 1 << 20 };

static double mebibytes(uint64_t bytes) {
    return (double)bytes / (1 << 20);
}

// As a text: Lua formats no fractions of a fixed length.
static const char *push_mebibytes(lua_State *L, uint64_t bytes) {
    char text[32];
    snprintf(text, sizeof(text), "%.1f", mebibytes(bytes));
    lua_pushstring(L, text);
    return lua_tostring(L, -1);
}

// --- The allocator -------------------------------------------------------------------------------

// In compiled code Lua's stack is not what it seems.
static bool is_compiled_code_running(void) {
    uint64_t frames[64];
    const uint32_t count = ct_os_call_stack(frames, CT_COUNT_OF(frames), 0);
    for (uint32_t i = 0; i < count; ++i) {
        if (!ct_os_is_library_code(frames[i]))
            return true;
    }
    return false;
}

static void note_refusal(ct_lua *s, uint64_t bytes) {
    ct_lua_memory *const m = &s->memory;
    m->refused_bytes = bytes;
    m->refused_at_bytes = m->bytes;
    m->refused_place[0] = 0;
    if (s->call_depth == 0 || is_compiled_code_running())
        return;
    lua_Debug at;
    for (int level = 0; lua_getstack(s->lua, level, &at); ++level) {
        if (lua_getinfo(s->lua, "Sl", &at) && at.currentline > 0) {
            snprintf(m->refused_place, sizeof(m->refused_place), "%s:%d: ", at.short_src,
                     at.currentline);
            return;
        }
    }
}

static uint64_t most_bytes(const ct_lua_memory *m) {
    return m->limit_bytes + m->limit_bytes / 4 + (m->is_console_call ? m->limit_bytes / 16 : 0);
}

// Lets the call go on for a while, when it is over the limit already.
static void give_room(ct_lua_memory *m) {
    const uint64_t room = m->limit_bytes / 64, most = most_bytes(m) - room;
    const uint64_t wanted = m->bytes + room > m->limit_bytes ? m->bytes + room : m->limit_bytes;
    m->error_bytes = wanted < most ? wanted : most;
}

void ct_lua_begin_memory(ct_lua *s) {
    give_room(&s->memory);
}

// The collector gets what it asks for: it gives back more.
static int collect_garbage(lua_State *L) {
    ct_lua_memory *const m = &ct_lua_of(L)->memory;
    m->error_bytes = UINT64_MAX;
    lua_gc(L, LUA_GCCOLLECT, 0); // it goes on by itself then
    m->is_collector_stopped = false;
    give_room(m);
    return 0;
}

void ct_lua_end_memory(ct_lua *s) {
    ct_lua_end_interrupt(s, CT_LUA_INTERRUPT_MEMORY);
    if (s->memory.bytes <= s->memory.limit_bytes) {
        if (s->memory.is_collector_stopped)
            lua_gc(s->lua, LUA_GCRESTART, 0);
        s->memory.is_collector_stopped = false;
        return;
    }
    // What the call left is garbage; the next one needs room. Only finalizers can fail.
    s->memory.error_bytes = UINT64_MAX;
    if (lua_cpcall(s->lua, collect_garbage, NULL) != 0)
        lua_pop(s->lua, 1);
}

void *ct_lua_allocate(void *user, void *p, size_t old_bytes, size_t new_bytes) {
    ct_lua *const s = user;
    ct_lua_memory *const m = &s->memory;
    const uint64_t old = p ? old_bytes : 0; // without `p`, Lua passes a kind of object
    const uint64_t held = m->bytes + new_bytes - old;
    if (new_bytes > old && held > m->error_bytes) {
        // The collector may want memory itself, and when that is refused as compiled code runs,
        // LuaJIT ends the program: it is stopped until ct_lua_check_memory runs it.
        lua_gc(s->lua, LUA_GCSTOP, 0);
        m->is_collector_stopped = true;
        if (held > most_bytes(m) || new_bytes - old > m->limit_bytes / 4) {
            note_refusal(s, new_bytes - old);
            return NULL;
        }
        if (s->call_depth > 0 && !(s->interrupts & CT_LUA_INTERRUPT_MEMORY))
            ct_lua_interrupt(s, CT_LUA_INTERRUPT_MEMORY);
    }
    m->bytes += new_bytes - old;
    if (!s->lua && !s->first_block) {
        s->first_block = ct_realloc(s->lua_allocator, p, old, new_bytes);
        s->first_block_bytes = new_bytes;
        return s->first_block;
    }
    return ct_realloc(s->lua_allocator, p, old, new_bytes);
}

// --- Errors --------------------------------------------------------------------------------------

void ct_lua_check_memory(lua_State *L, lua_Debug *at) {
    ct_lua *const s = ct_lua_of(L);
    const uint64_t limit = s->memory.limit_bytes;
    collect_garbage(L);
    // Just below the limit a collection would be due again at once.
    if (s->memory.bytes <= limit - limit / 8)
        return;
    CT_CLEANUP(ct_string_builder_free) ct_string_builder message;
    ct_string_builder_init(&message, s->allocator);
    lua_getinfo(L, "Sl", at);
    if (at->currentline > 0)
        ct_string_builder_addf(&message, "%s:%d: ", at->short_src, at->currentline);
    ct_string_builder_addf(&message,
                           "not enough memory: Lua holds %.1f MiB; expected at most %.1f MiB (%s)",
                           mebibytes(s->memory.bytes), mebibytes(limit), s->memory.setting);
    ct_lua_append_memory_holders(L, &message);
    ct_lua_end_interrupt(s, CT_LUA_INTERRUPT_MEMORY); // looking around takes memory, too
    give_room(&s->memory);
    lua_pushstring(L, ct_string_builder_text(&message));
    lua_error(L);
}

static uint64_t bytes_of(ct_allocator *a) {
    return a ? ct_allocator_stats_of(a).live_bytes : 0;
}

uint64_t ct_lua_worker_bytes(const ct_lua *s) {
    uint64_t bytes = 0;
    for (const ct_lua *worker = s->first_worker; worker; worker = worker->next_worker)
        bytes += worker->memory.bytes;
    return bytes;
}

// Of what comes from the game's allocator: the workers' Lua, and what they and their jobs hold
// beside it.
static uint64_t bytes_of_workers(const ct_lua *s) {
    return s->first_worker ? ct_lua_worker_bytes(s) + bytes_of(s->first_worker->allocator) : 0;
}

// What Lua holds, and the modules' objects, the worlds and their physics beside it.
static uint64_t bytes_of_game(const ct_lua *s) {
    return bytes_of(s->allocator) - bytes_of_workers(s) + bytes_of(s->worlds_allocator) +
           bytes_of(s->physics_allocator);
}

// What the message says of workers, so that a sum of the process that is larger is no riddle.
static const char *push_workers(lua_State *L, uint64_t bytes) {
    if (!bytes)
        lua_pushliteral(L, "");
    else
        lua_pushfstring(L, "; %s MiB of jobs do not count (lua.worker_memory_limit_mb)",
                        push_mebibytes(L, bytes));
    return lua_tostring(L, -1);
}

void ct_lua_ask_memory(lua_State *L, uint64_t bytes) {
    ct_lua *const s = ct_lua_of(L);
    ct_lua_memory *const m = &s->memory;
    m->asked_bytes += bytes;
    if (m->asked_bytes < ASKED_BYTES || s->parent) // a worker's limit is not the game's
        return;
    if (bytes_of_game(s) + bytes > m->limit_bytes)
        collect_garbage(L);
    const uint64_t held = bytes_of_game(s);
    if (held + bytes > m->limit_bytes) // and the next one counts again
        luaL_error(L,
                   "not enough memory: Lua, its worlds and their contents hold %s MiB and need %s "
                   "MiB more; expected at most %s MiB (lua.memory_limit_mb)%s",
                   push_mebibytes(L, held), push_mebibytes(L, bytes),
                   push_mebibytes(L, m->limit_bytes), push_workers(L, bytes_of_workers(s)));
    m->asked_bytes = 0;
}

void ct_lua_describe_refusal(const ct_lua *s, ct_string_builder *message) {
    const ct_lua_memory *const m = &s->memory;
    ct_string_builder_addf(message,
                           "%snot enough memory: %.1f MiB more were requested than the %.1f MiB "
                           "that Lua holds; expected at most %.1f MiB (%s)",
                           m->refused_place, mebibytes(m->refused_bytes),
                           mebibytes(m->refused_at_bytes), mebibytes(m->limit_bytes), m->setting);
}
