// Pauses that Lua which never returns keeps from being read.
//
// Messages are read on the update thread, at the frame boundary. A thread sees when that was long ago, and
// interrupts the Lua that runs there; between two instructions, on the update thread, it is then looked
// whether a pause is among the messages that wait. So only one thread reads the connections. Where the
// update thread waits for jobs, it looks by itself, and interrupts the threads that run them.

#include <string.h>

#include "dev/debugger/debugger_private.h"

static const uint64_t look_ns = 200000000;  // without a look at the messages, before it is made
static const uint64_t watch_ns = 100000000; // how often the thread looks for that

// --- In signal handlers --------------------------------------------------------------------------

// On the update thread: has the debugger of the Lua that runs there ask for pauses.
static void ask(void *data) {
    ct_debugger *const d = data;
    const ct_lua *running = ct_lua_newest_here.machine;
    if (!running || !running->parent)
        running = d->states[0].machine;
    if (d->loop_depth > 0 || !running || running->call_depth == 0)
        return;
    for (uint32_t i = 0; i < CT_DEBUGGER_MAX_STATES; ++i) {
        ct_lua_debugger *const core = d->states[i].core;
        if (core && d->states[i].machine == running)
            ct_lua_debugger_ask(core);
    }
}

// On a thread that runs jobs.
static void pause_job(void *data) {
    const ct_debugger_state *const state = data;
    ct_lua_debugger *const core = state->core;
    if (core && ct_lua_newest_here.machine == state->machine)
        ct_lua_debugger_pause(core);
}

// --- Messages that wait --------------------------------------------------------------------------

typedef struct pause_search {
    ct_debugger *debugger;
    bool is_wanted[CT_DEBUGGER_MAX_STATES]; // by number of the state
    bool has_found;
} pause_search;

static void look_at_message(void *user, const char *json, uint32_t bytes) {
    static const char type[] = "debugger_pause";
    pause_search *const s = user;
    const double main_thread = 1;
    uint32_t number, thread;
    ct_error error = {0};
    if (!memmem(json, bytes, type, sizeof(type) - 1))
        return;
    ct_sjson *const doc =
        ct_sjson_parse(s->debugger->allocator, json, bytes, "message", NULL, &error);
    if (!doc)
        return; // refused when it is handled
    ct_debugger_request r = {
        .debugger = s->debugger, .doc = doc, .root = ct_sjson_root(doc), .error = &error};
    const char *const found = ct_sjson_string(doc, ct_sjson_find(doc, r.root, "type"), "");
    if (strcmp(found, type) == 0 && ct_debugger_take_thread(&r, &main_thread, &number, &thread))
        s->has_found = s->is_wanted[number] = true;
    ct_sjson_free(doc);
}

void ct_debugger_pause_job(ct_debugger_state *state) {
    const int64_t thread = atomic_load(&state->runs_on);
    if (state->core && thread)
        ct_thread_interrupt(thread, &state->pause_job);
}

static void look(pause_search *s) {
    ct_debugger *const d = s->debugger;
    ct_debugger_note_served(d);
    for (uint32_t i = 0; i < d->num_clients; ++i)
        ct_console_server_peek(d->console, d->clients[i]->id, look_at_message, s);
}

bool ct_debugger_is_pause_wanted(void *user, ct_lua_debugger *core) {
    const ct_debugger_state *const state = user;
    pause_search s = {.debugger = state->debugger};
    (void)core;
    look(&s);
    s.debugger->is_pause_foreseen |= s.has_found;
    return s.has_found; // whichever it is for: nothing is answered before this state stops
}

void ct_debugger_look_for_pauses(ct_debugger *d) {
    pause_search s = {.debugger = d};
    if (ct_os_time_ns() - atomic_load(&d->served_ns) < look_ns)
        return;
    look(&s);
    for (uint32_t i = 1; s.has_found && i < CT_DEBUGGER_MAX_STATES; ++i) {
        if ((s.is_wanted[0] || s.is_wanted[i]) && !ct_debugger_has_stopped(&d->states[i]))
            ct_debugger_pause_job(&d->states[i]);
    }
    d->is_pause_foreseen |= s.has_found;
}

// --- The thread ----------------------------------------------------------------------------------

void ct_debugger_note_served(ct_debugger *d) {
    atomic_store(&d->served_ns, ct_os_time_ns());
}

static void watch(void *data) {
    ct_debugger *const d = data;
    ct_mutex_lock(&d->mutex);
    while (!d->is_watch_ending) {
        ct_condition_wait_for(&d->watch_ends, &d->mutex, watch_ns);
        if (!d->is_watch_ending && ct_os_time_ns() - atomic_load(&d->served_ns) > look_ns)
            ct_thread_interrupt(d->watched_thread, &d->ask);
    }
    ct_mutex_unlock(&d->mutex);
}

void ct_debugger_start_watch(ct_debugger *d) {
    d->ask = (ct_thread_call){ask, d};
    for (uint32_t i = 0; i < CT_DEBUGGER_MAX_STATES; ++i)
        d->states[i].pause_job = (ct_thread_call){pause_job, &d->states[i]};
    d->watched_thread = ct_thread_system_id();
    d->is_watch_ending = false;
    ct_debugger_note_served(d);
    d->watch = ct_thread_start("debugger watch", watch, d);
}

void ct_debugger_end_watch(ct_debugger *d) {
    ct_mutex_lock(&d->mutex);
    d->is_watch_ending = true;
    ct_condition_signal(&d->watch_ends);
    ct_mutex_unlock(&d->mutex);
    ct_thread_join(d->watch);
}
