// The debuggers of Lua states, and what runs on the threads of those.

#include "dev/debugger/debugger_private.h"
#include "script/debug/script_debug_values.h"

// --- Life cycle ----------------------------------------------------------------------------------

static void create_core(ct_debugger_state *state) {
    ct_script *const script = ct_app_script(state->debugger->app);
    const ct_lua_debugger_desc desc = {.machine = state->machine,
                                       .values = ct_script_debug_values(script),
                                       .user = state,
                                       .stopped = ct_debugger_state_stopped,
                                       .logged = ct_debugger_note_log,
                                       .loaded = ct_debugger_note_loaded,
                                       .asked = ct_debugger_is_pause_wanted};
    state->core = ct_lua_debugger_create(state->debugger->allocator, &desc);
}

// From here on signal handlers (debugger_watch.c) find none.
static void destroy_core(ct_debugger_state *state) {
    ct_lua_debugger *const core = state->core;
    state->core = NULL;
    atomic_signal_fence(memory_order_seq_cst);
    ct_lua_debugger_destroy(core);
}

static void state_made(void *user, ct_lua *machine, uint32_t number) {
    ct_debugger *const d = user;
    ct_debugger_state *const state = &d->states[number];
    state->machine = machine;
    create_core(state);
    ct_debugger_apply(state);
    ct_debugger_send_thread(state, "started");
}

static void state_ends(void *user, ct_lua *machine, uint32_t number) {
    ct_debugger *const d = user;
    ct_debugger_state *const state = &d->states[number];
    (void)machine;
    ct_debugger_send_thread(state, "ended");
    destroy_core(state);
    atomic_store(&state->runs_on, 0);
    state->machine = NULL;
}

void ct_debugger_take_news(ct_debugger_state *state) {
    ct_debugger *const d = state->debugger;
    ct_mutex_lock(&d->mutex);
    const bool has_news = state->has_news;
    ct_mutex_unlock(&d->mutex);
    if (!has_news)
        return;
    ct_mutex_lock(&d->merged_mutex);
    ct_debugger_apply(state);
    ct_mutex_unlock(&d->merged_mutex);
}

static void job_runs(void *user, uint32_t number) {
    ct_debugger *const d = user;
    atomic_store(&d->states[number].runs_on, ct_thread_system_id());
    ct_debugger_take_news(&d->states[number]);
}

// Returns whether a state has stopped on another thread.
static bool wait_for_stop(ct_debugger *d) {
    static const uint64_t part_ns = 200000;
    bool has_stopped = false;
    ct_mutex_lock(&d->mutex);
    for (uint32_t round = 0; round < 2 && !has_stopped; ++round) {
        for (uint32_t i = 1; i < CT_DEBUGGER_MAX_STATES; ++i)
            has_stopped |= d->states[i].is_stopped && !d->states[i].goes_on;
        if (round == 0 && !has_stopped)
            ct_condition_wait_for(&d->stopped, &d->mutex, part_ns);
    }
    ct_mutex_unlock(&d->mutex);
    return has_stopped;
}

static void wait_for_jobs(void *user) {
    ct_debugger *const d = user;
    d->is_waiting = true;
    if (wait_for_stop(d))
        ct_debugger_run_loop(d, NULL);
    else
        ct_debugger_look_for_pauses(d);
    d->is_waiting = false;
}

void ct_debugger_attach_states(ct_debugger *d) {
    if (d->is_attached)
        return;
    d->is_attached = true;
    create_core(&d->states[0]);
    const ct_script_debug_hooks hooks = {.user = d,
                                         .state_made = state_made,
                                         .state_ends = state_ends,
                                         .job_runs = job_runs,
                                         .wait = wait_for_jobs};
    ct_script_set_debug_hooks(ct_app_script(d->app), &hooks);
    ct_debugger_start_watch(d);
}

void ct_debugger_detach_states(ct_debugger *d) {
    if (!d->is_attached)
        return;
    d->is_attached = false;
    ct_debugger_end_watch(d);
    ct_script_set_debug_hooks(ct_app_script(d->app), NULL);
    destroy_core(&d->states[0]);
    ct_hash_map_clear(&d->scripts);
}

// --- On the threads of states --------------------------------------------------------------------

bool ct_debugger_has_stopped(ct_debugger_state *state) {
    ct_mutex_lock(&state->debugger->mutex);
    const bool has_stopped = state->is_stopped && !state->goes_on;
    ct_mutex_unlock(&state->debugger->mutex);
    return has_stopped;
}

ct_debugger_state *ct_debugger_first_stopped(ct_debugger *d) {
    for (uint32_t i = 0; i < CT_DEBUGGER_MAX_STATES; ++i) {
        if (ct_debugger_has_stopped(&d->states[i]))
            return &d->states[i];
    }
    return NULL;
}

bool ct_debugger_can_touch(ct_debugger_state *state) {
    return state->number == 0 || !state->debugger->is_waiting || ct_debugger_has_stopped(state);
}

void ct_debugger_run_on(ct_debugger_state *state, void (*run)(void *data), void *data) {
    ct_debugger *const d = state->debugger;
    ct_mutex_lock(&d->mutex);
    if (state->is_stopped && state->thread_id != d->update_thread) {
        state->call = run;
        state->call_data = data;
        ct_condition_broadcast(&state->condition);
        while (state->call)
            ct_condition_wait(&state->condition, &d->mutex);
        ct_mutex_unlock(&d->mutex);
        return;
    }
    const bool is_stopped = state->is_stopped;
    ct_mutex_unlock(&d->mutex);
    if (state->number == 0 || is_stopped) {
        run(data);
        return;
    }
    const ct_lua_newest before = ct_lua_enter(state->machine);
    run(data);
    ct_lua_leave(before);
}

void ct_debugger_begin_evaluation(ct_debugger_state *state) {
    ct_mutex_lock(&state->debugger->mutex);
    state->debugger->evaluating = state;
    ct_mutex_unlock(&state->debugger->mutex);
}

void ct_debugger_end_evaluation(ct_debugger *d) {
    ct_mutex_lock(&d->mutex);
    d->evaluating = NULL;
    ct_mutex_unlock(&d->mutex);
}
