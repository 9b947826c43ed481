#include "lua/lua_watch.h"

#include <lauxlib.h>
#include <stdatomic.h>
#include <stdio.h>

#include "foundation/log.h"
#include "foundation/os/os.h"
#include "lua/debugger/lua_debugger_events.h"
#include "lua/lua_interrupt.h"
#include "lua/lua_machine.h"

static const uint64_t MILLISECOND_NS = 1000000, SECOND_NS = 1000000000;

// The update thread writes `start_ns`, and `place` in the signal handler before `has_place`; the
// watching thread the rest.
struct ct_lua_watch {
    ct_lua *script;
    _Atomic uint64_t limit_ns;
    const char *_Atomic setting; // that errors name
    bool stops_calls;
    _Atomic int64_t lua_thread; // that calls Lua
    ct_thread thread;
    ct_mutex mutex; // for the next two
    ct_condition condition;
    bool is_ending;

    _Atomic uint64_t start_ns;  // of the call that runs; 0: none
    _Atomic uint64_t served_ns; // start_ns of the call that was interrupted last
    ct_thread_call interrupt, find_place;
    _Atomic bool has_place;
    char place[LUA_IDSIZE + 16]; // "file:line"

    // Of the call that is being stopped: its error, and where it was.
    ct_string_builder message, traceback;
    uint64_t next_report_ns; // of the call's time, when calls are not stopped
    uint64_t paused_ns;      // what the call had run for when the pause began
};

// --- On the update thread, in a signal handler ---------------------------------------------------

static void interrupt_long_call(void *data) {
    const ct_lua_watch *const w = data;
    const uint64_t start = atomic_load(&w->start_ns);
    if (start && atomic_load(&w->lua_thread) == ct_thread_system_id() &&
        ct_os_time_ns() - start >= w->limit_ns)
        ct_lua_interrupt(w->script, CT_LUA_INTERRUPT_TIME);
}

// Lua has not answered for so long that it must be in a C function: then its stack holds still.
// Nothing is allocated here. Jobs of a worker run in coroutines, one of which the thread has entered.
static void find_place(void *data) {
    ct_lua_watch *const w = data;
    lua_Debug at;
    if (!atomic_load(&w->start_ns) || atomic_load(&w->has_place) ||
        atomic_load(&w->lua_thread) != ct_thread_system_id())
        return;
    lua_State *const L = ct_lua_newest_here.machine == w->script && w->script->parent
                             ? ct_lua_newest_here.lua
                             : w->script->lua;
    for (int level = 0; lua_getstack(L, level, &at); ++level) {
        if (!lua_getinfo(L, "Sl", &at) || at.currentline <= 0)
            continue;
        snprintf(w->place, sizeof(w->place), "%s:%d", at.short_src, at.currentline);
        atomic_store(&w->has_place, true);
        return;
    }
}

// --- The watching thread -------------------------------------------------------------------------

// What the thread knows of a call that takes too long.
typedef struct long_call {
    uint64_t start_ns;
    bool is_reported; // as one that does not answer
} long_call;

static void log_unanswered(ct_lua_watch *w, double seconds) {
    ct_log_error("lua", "call_unanswered",
                 "a Lua call has run for %.1f s in a function that cannot be stopped%s%s; expected "
                 "at most %g s (%s)",
                 seconds, atomic_load(&w->has_place) ? ", called at " : "",
                 atomic_load(&w->has_place) ? w->place : "",
                 (double)w->limit_ns / (double)SECOND_NS, w->setting);
}

static void look(ct_lua_watch *w, long_call *call) {
    const uint64_t grace = w->limit_ns < SECOND_NS ? w->limit_ns : SECOND_NS;
    const uint64_t start = atomic_load(&w->start_ns), now = ct_os_time_ns();
    if (start != call->start_ns) {
        *call = (long_call){.start_ns = start};
        atomic_store(&w->has_place, false);
    }
    if (!start || now < start + w->limit_ns)
        return;
    // Again and again: compiled code may have just been in a place where it does not look.
    ct_thread_interrupt(atomic_load(&w->lua_thread), &w->interrupt);
    const bool is_served = atomic_load(&w->served_ns) == start;
    if (is_served || call->is_reported || now < start + w->limit_ns + grace)
        return;
    if (w->stops_calls && !atomic_load(&w->has_place) &&
        now < start + w->limit_ns + 2 * grace) { // asked for now, told in the next round
        ct_thread_interrupt(atomic_load(&w->lua_thread), &w->find_place);
        return;
    }
    call->is_reported = true;
    log_unanswered(w, (double)(now - start) / (double)SECOND_NS);
}

static void watch(void *data) {
    ct_lua_watch *const w = data;
    long_call call = {0};
    uint64_t tick = w->limit_ns / 8;
    tick = tick < 5 * MILLISECOND_NS ? 5 * MILLISECOND_NS : tick;
    tick = tick > 250 * MILLISECOND_NS ? 250 * MILLISECOND_NS : tick;
    ct_mutex_lock(&w->mutex);
    while (!w->is_ending) {
        ct_condition_wait_for(&w->condition, &w->mutex, tick);
        if (!w->is_ending)
            look(w, &call);
    }
    ct_mutex_unlock(&w->mutex);
}

// --- The update thread ---------------------------------------------------------------------------

ct_lua_watch *ct_lua_watch_create(ct_lua *s, uint64_t limit_ns, bool stops_calls) {
    ct_lua_watch *const w = CT_NEW(s->allocator, ct_lua_watch);
    w->script = s;
    atomic_store(&w->limit_ns, limit_ns);
    w->setting = "lua.time_limit_seconds";
    w->stops_calls = stops_calls;
    atomic_store(&w->lua_thread, ct_thread_system_id());
    w->interrupt = (ct_thread_call){interrupt_long_call, w};
    w->find_place = (ct_thread_call){find_place, w};
    ct_string_builder_init(&w->message, s->allocator);
    ct_string_builder_init(&w->traceback, s->allocator);
    ct_mutex_init(&w->mutex);
    ct_condition_init(&w->condition);
    w->thread = ct_thread_start("lua watch", watch, w);
    return w;
}

void ct_lua_watch_destroy(ct_lua_watch *w) {
    if (!w)
        return;
    ct_mutex_lock(&w->mutex);
    w->is_ending = true;
    ct_condition_signal(&w->condition);
    ct_mutex_unlock(&w->mutex);
    ct_thread_join(w->thread);
    ct_condition_shutdown(&w->condition);
    ct_mutex_shutdown(&w->mutex);
    ct_string_builder_free(&w->message);
    ct_string_builder_free(&w->traceback);
    ct_free_sized(w->script->allocator, w, sizeof(*w));
}

void ct_lua_watch_follow(ct_lua_watch *w) {
    if (w)
        atomic_store(&w->lua_thread, ct_thread_system_id());
}

bool ct_lua_watch_is_running(const ct_lua_watch *w) {
    return w && atomic_load(&w->start_ns) != 0;
}

void ct_lua_watch_set_limit(ct_lua_watch *w, uint64_t limit_ns, const char *setting) {
    atomic_store(&w->limit_ns, limit_ns);
    w->setting = setting;
}

void ct_lua_watch_begin(ct_lua_watch *w) {
    if (!w)
        return;
    w->next_report_ns = w->limit_ns;
    atomic_store(&w->start_ns, ct_os_time_ns());
}

void ct_lua_watch_end(ct_lua_watch *w) {
    if (!w)
        return;
    atomic_store(&w->start_ns, 0); // from here on no interrupt is asked for
    ct_lua_end_interrupt(w->script, CT_LUA_INTERRUPT_TIME);
    ct_string_builder_clear(&w->message);
    ct_string_builder_clear(&w->traceback);
}

void ct_lua_watch_pause(ct_lua_watch *w) {
    if (!w || w->message.length > 0)
        return;
    const uint64_t start = atomic_exchange(&w->start_ns, 0);
    w->paused_ns = start ? ct_os_time_ns() - start : 0;
}

void ct_lua_watch_resume(ct_lua_watch *w) {
    if (w && w->message.length == 0)
        atomic_store(&w->start_ns, ct_os_time_ns() - w->paused_ns);
}

void ct_lua_watch_continue(ct_lua_watch *w, uint64_t ran_ns) {
    if (!w)
        return;
    while (w->next_report_ns < ran_ns)
        w->next_report_ns *= 2;
    atomic_store(&w->start_ns, ct_os_time_ns() - ran_ns);
}

const char *ct_lua_watch_traceback(const ct_lua_watch *w) {
    return w && w->traceback.length > 0 ? ct_string_builder_text(&w->traceback) : NULL;
}

// Where the call is, and for how long it runs.
static void describe(lua_State *L, lua_Debug *at, ct_lua_watch *w, double seconds) {
    lua_getinfo(L, "Sl", at);
    ct_string_builder_clear(&w->message);
    ct_string_builder_clear(&w->traceback);
    if (at->currentline > 0)
        ct_string_builder_addf(&w->message, "%s:%d: ", at->short_src, at->currentline);
    ct_string_builder_addf(&w->message, "%s after %.1f s; expected at most %g s (%s)",
                           w->stops_calls ? "stopped" : "still running", seconds,
                           (double)w->limit_ns / (double)SECOND_NS, w->setting);
    ct_lua_append_traceback(L, 0, &w->traceback);
}

// Reports a long call, again each time its duration has doubled.
static void report(lua_State *L, lua_Debug *at, ct_lua_watch *w, uint64_t elapsed_ns) {
    ct_lua_end_interrupt(w->script, CT_LUA_INTERRUPT_TIME);
    if (elapsed_ns < w->next_report_ns)
        return;
    w->next_report_ns = 2 * elapsed_ns;
    describe(L, at, w, (double)elapsed_ns / (double)SECOND_NS);
    ct_log_error("lua", "call_too_long", "%s\n%s", ct_string_builder_text(&w->message),
                 ct_string_builder_text(&w->traceback));
    ct_string_builder_clear(&w->message);
    ct_string_builder_clear(&w->traceback);
}

void ct_lua_stop_long_call(lua_State *L, lua_Debug *at) {
    ct_lua *const s = ct_lua_of(L);
    ct_lua_watch *const w = s->watch;
    const uint64_t start = atomic_load(&w->start_ns), elapsed = ct_os_time_ns() - start;
    if (elapsed < w->limit_ns && w->message.length == 0) { // there was a pause since
        ct_lua_end_interrupt(s, CT_LUA_INTERRUPT_TIME);
        return;
    }
    if (w->message.length == 0 && w->stops_calls)
        ct_lua_debugger_on_time_limit(s->debugger, L);
    atomic_store(&w->served_ns, atomic_load(&w->start_ns));
    if (!w->stops_calls) {
        report(L, at, w, elapsed);
        return;
    }
    // The hook stays: a script that catches the error gets it at its next instruction again.
    if (w->message.length == 0)
        describe(L, at, w, (double)elapsed / (double)SECOND_NS);
    lua_pushstring(L, ct_string_builder_text(&w->message));
    lua_error(L);
}
