// States that have stopped: where their threads wait, the loop of the update thread, and how they go on.

#include <stdio.h>
#include <string.h>

#include "dev/debugger/debugger_private.h"
#include "dev/overlay/overlay.h"
#include "foundation/log.h"

static const uint64_t wait_for_client_ns = 10000000000ull;
static const uint64_t serve_ns = 2000000,
                      picture_ns = 1000000000 / 30; // how often the loop does it

// --- Going on ------------------------------------------------------------------------------------

void ct_debugger_go_on(ct_debugger_state *state, ct_lua_step step) {
    ct_debugger *const d = state->debugger;
    ct_mutex_lock(&d->mutex);
    state->step = step;
    state->goes_on = true;
    state->has_continued = true;
    state->continued_thread = state->thread;
    ct_condition_broadcast(&state->condition);
    ct_mutex_unlock(&d->mutex);
}

static void go_on_with_all(ct_debugger *d) {
    for (uint32_t i = 0; i < CT_DEBUGGER_MAX_STATES; ++i) {
        if (ct_debugger_has_stopped(&d->states[i]))
            ct_debugger_go_on(&d->states[i], CT_LUA_STEP_CONTINUE);
    }
}

void ct_debugger_note_quit(ct_debugger *d) {
    if (!d)
        return;
    d->is_quit_asked = true;
    ct_mutex_lock(&d->mutex);
    d->is_passing = true;
    ct_mutex_unlock(&d->mutex);
}

// --- The loop ------------------------------------------------------------------------------------

static bool must_pass(ct_debugger *d) {
    if (ct_app_is_quitting(d->app) && !d->was_quitting)
        ct_debugger_note_quit(d);
    return d->num_clients == 0 || d->is_quit_asked;
}

static bool must_leave(ct_debugger *d) {
    if (d->is_starting)
        return d->is_start_asked || d->is_quit_asked;
    if (must_pass(d))
        return true;
    return d->loop_state ? !ct_debugger_has_stopped(d->loop_state) : !ct_debugger_first_stopped(d);
}

bool ct_debugger_is_stopped(const ct_debugger *d) {
    return d && d->loop_depth > 0;
}

bool ct_debugger_is_going_on(ct_debugger *d) {
    return d && d->loop_depth > 0 && must_leave(d);
}

// Whether pictures can be drawn: not while other threads run jobs, or have stopped in them. The thread that
// draws takes jobs, too, and so do those that a picture needs.
static bool can_draw(const ct_debugger *d) {
    const bool is_own_job = d->loop_state && d->loop_state->number > 0; // on this thread
    return ct_script_num_running_states(ct_app_script(d->app)) == (is_own_job ? 1 : 0);
}

bool ct_debugger_can_inspect(const ct_debugger *d) {
    if (!ct_debugger_is_stopped(d))
        return true;
    const bool is_own = d->is_starting || (d->loop_state && d->loop_state->number == 0);
    return is_own && can_draw(d);
}

// Waits until the console is to be served again. Meanwhile keeps the window alive, which must not be done
// more often than there are pictures: that waits.
static void idle(ct_debugger *d) {
    if (ct_os_time_ns() - d->idle_ns < picture_ns || !can_draw(d)) {
        ct_os_sleep_ns(serve_ns);
        return;
    }
    if (!ct_app_idle_frame(d->app))
        ct_debugger_note_quit(d);
    d->idle_ns = ct_os_time_ns();
}

// Shows in the window where the game has stopped; NULL: nowhere.
static void show_stop(ct_debugger *d, const ct_debugger_state *state) {
    char text[320];
    if (!d->overlay)
        return;
    if (state)
        snprintf(text, sizeof(text), "stopped at %s:%u (%s)", state->place.script,
                 state->place.line, ct_debugger_reason_name(state->reason));
    else
        snprintf(text, sizeof(text), "waiting for the debugger");
    ct_overlay_show_stop(d->overlay, d->loop_depth > 0 ? text : NULL);
}

// Has Lua go on after the loop.
static void end_loop(ct_debugger *d) {
    ct_debugger_send_continued(d);
    ct_console_server_flush(d->console);
    --d->loop_depth;
    d->is_pause_foreseen = false;
    show_stop(d, NULL);
    ct_app_end_idle(d->app);
}

void ct_debugger_run_loop(ct_debugger *d, ct_debugger_state *own) {
    if (d->loop_depth == 0)
        d->was_quitting = ct_app_is_quitting(d->app);
    ct_debugger_state *const outer = d->loop_state;
    d->loop_state = own;
    ++d->loop_depth;
    d->idle_ns = ct_os_time_ns();
    for (;;) {
        ct_debugger_update(d);
        ct_debugger_send_stopped(d);
        show_stop(d, ct_debugger_first_stopped(d));
        if (must_leave(d))
            break;
        ct_console_server_serve(d->console, d->app, NULL);
        ct_debugger_send_continued(d);
        if (must_leave(d))
            break;
        ct_console_server_flush(d->console);
        idle(d);
    }
    if (must_pass(d))
        go_on_with_all(d);
    end_loop(d);
    d->loop_state = outer;
}

void ct_debugger_wait_for_client(ct_debugger *d) {
    const uint64_t end_ns = ct_os_time_ns() + wait_for_client_ns;
    bool had_client = false;
    ct_log_info("debugger", "waiting up to %.0f s for a debugger (--debug)",
                (double)wait_for_client_ns * 1e-9);
    ct_console_server_flush(d->console);
    d->was_quitting = d->is_start_asked = false;
    d->is_starting = true;
    ++d->loop_depth;
    show_stop(d, NULL);
    for (;;) {
        ct_debugger_update(d);
        had_client |= d->num_clients > 0;
        if (d->num_clients == 0 && (had_client || ct_os_time_ns() >= end_ns))
            break;
        ct_console_server_serve(d->console, d->app, NULL);
        if (ct_app_is_quitting(d->app))
            ct_debugger_note_quit(d);
        if (must_leave(d))
            break;
        idle(d);
    }
    if (!had_client && !d->is_quit_asked)
        ct_log_info("debugger", "no debugger has attached: the game starts");
    end_loop(d);
    d->is_starting = false;
}

// --- Stops ---------------------------------------------------------------------------------------

// Whether a state is not to stop now. What is evaluated in the game's state may run jobs.
static bool passes(const ct_debugger_state *state) {
    ct_debugger *const d = state->debugger;
    ct_mutex_lock(&d->mutex);
    const ct_debugger_state *const evaluating = d->evaluating;
    const bool passes =
        d->is_passing || (evaluating && (evaluating == state || evaluating->number == 0));
    ct_mutex_unlock(&d->mutex);
    return passes;
}

// Waits on a thread of jobs, and does there what the update thread asks for.
static void wait_here(ct_debugger_state *state) {
    ct_debugger *const d = state->debugger;
    ct_mutex_lock(&d->mutex);
    while (!state->goes_on) {
        if (!state->call) {
            ct_condition_wait(&state->condition, &d->mutex);
            continue;
        }
        ct_mutex_unlock(&d->mutex);
        state->call(state->call_data);
        ct_mutex_lock(&d->mutex);
        state->call = NULL;
        ct_condition_broadcast(&state->condition);
    }
    ct_mutex_unlock(&d->mutex);
}

static void begin_stop(ct_debugger_state *state, ct_lua_debugger *core, const ct_lua_stop *stop) {
    ct_debugger *const d = state->debugger;
    state->reason = stop->reason;
    state->place = stop->place;
    state->thread = ct_lua_debugger_thread_of(core, stop->coroutine);
    ct_string_builder_clear(&state->text);
    ct_string_builder_add(&state->text, stop->text ? stop->text : "");
    state->breakpoints.count = 0;
    ct_array_push_many(&state->breakpoints, stop->breakpoints, stop->num_breakpoints);
    ct_mutex_lock(&d->mutex);
    state->is_announced = state->wants_pause = false;
    state->thread_id = ct_thread_current_id();
    state->step = CT_LUA_STEP_CONTINUE;
    state->goes_on = false;
    state->is_stopped = true;
    ct_condition_broadcast(&d->stopped);
    ct_mutex_unlock(&d->mutex);
}

void ct_debugger_state_stopped(void *user, ct_lua_debugger *core, const ct_lua_stop *stop) {
    ct_debugger_state *const state = user;
    ct_debugger *const d = state->debugger;
    if (passes(state))
        return;
    const uint64_t start_ns = ct_os_time_ns();
    begin_stop(state, core, stop);
    if (state->thread_id == d->update_thread)
        ct_debugger_run_loop(d, state);
    else
        wait_here(state);
    ct_mutex_lock(&d->mutex);
    state->is_stopped = false;
    const ct_lua_step step = state->step;
    ct_mutex_unlock(&d->mutex);
    ct_debugger_take_news(state);
    ct_lua_debugger_go_on(core, step);
    ct_script_note_stop(state->machine, ct_os_time_ns() - start_ns);
}

void ct_debugger_describe_stop(ct_debugger *d, ct_string_builder *out) {
    const ct_debugger_state *const state = ct_debugger_first_stopped(d);
    if (!state)
        ct_string_builder_add(out, d->is_starting ? "before the boot script" : "(it goes on)");
    else if (state->place.script[0])
        ct_string_builder_addf(out, "at %s:%u", state->place.script, state->place.line);
    else
        ct_string_builder_add(out, "in Lua");
}

// --- Messages ------------------------------------------------------------------------------------

bool ct_debugger_do_pause(ct_debugger_request *r) {
    const double main_thread = 1;
    uint32_t number, thread;
    if (!ct_debugger_take_thread(r, &main_thread, &number, &thread))
        return false;
    ct_debugger_state *const state = &r->debugger->states[number];
    if (r->debugger->is_pause_foreseen && (number == 0 || ct_debugger_has_stopped(state)) &&
        ct_debugger_first_stopped(r->debugger))
        return true; // it stopped for this message
    if (thread != main_thread && state->core && ct_debugger_can_touch(state) &&
        !ct_lua_debugger_coroutine(state->core, thread))
        return ct_error_set(r->error, "there is no thread %.0f; debugger_threads lists them",
                            ct_debugger_thread_number(number, thread));
    if (ct_debugger_has_stopped(state))
        return ct_error_set(r->error, "thread %.0f has stopped already",
                            ct_debugger_thread_number(number, thread));
    if (!state->core)
        return ct_error_set(r->error, "thread %.0f has ended",
                            ct_debugger_thread_number(number, thread));
    ct_mutex_lock(&r->debugger->mutex);
    state->wants_pause = state->has_news = true;
    ct_mutex_unlock(&r->debugger->mutex);
    if (ct_debugger_can_touch(state))
        ct_debugger_merge(r->debugger);
    else
        ct_debugger_pause_job(state);
    return true;
}

// Takes the state that is to go on: that of `thread`, or the first that has stopped.
static ct_debugger_state *take_stopped(ct_debugger_request *r) {
    ct_debugger *const d = r->debugger;
    const double otherwise = 0;
    uint32_t number, thread;
    ct_debugger_state *const first = ct_debugger_first_stopped(d);
    if (!first) {
        ct_error_set(r->error, "nothing has stopped");
        return NULL;
    }
    if (ct_sjson_find(r->doc, r->root, "thread").entry == 0)
        return first;
    if (!ct_debugger_take_thread(r, &otherwise, &number, &thread))
        return NULL;
    if (ct_debugger_has_stopped(&d->states[number]))
        return &d->states[number];
    ct_error_set(r->error, "thread %.0f has not stopped; expected one that has, such as %.0f",
                 ct_debugger_thread_number(number, thread),
                 ct_debugger_thread_number(first->number, first->thread));
    return NULL;
}

// Ends the wait for a client at the start.
static void start_game(ct_debugger *d) {
    d->is_start_asked = true;
    d->states[0].has_continued = true;
    d->states[0].continued_thread = 1;
}

bool ct_debugger_do_continue(ct_debugger_request *r) {
    ct_debugger *const d = r->debugger;
    if (d->is_starting) {
        start_game(d);
        return true;
    }
    ct_debugger_state *const state = take_stopped(r);
    if (!state)
        return false;
    if (ct_sjson_find(r->doc, r->root, "thread").entry != 0)
        ct_debugger_go_on(state, CT_LUA_STEP_CONTINUE);
    else
        go_on_with_all(d);
    return true;
}

bool ct_debugger_do_step(ct_debugger_request *r) {
    static const char *const kinds[] = {"into", "over", "out"};
    static const ct_lua_step steps[] = {CT_LUA_STEP_INTO, CT_LUA_STEP_OVER, CT_LUA_STEP_OUT};
    ct_debugger *const d = r->debugger;
    uint32_t kind;
    if (!ct_debugger_take_choice(r, "kind", kinds, CT_COUNT_OF(kinds), NULL, &kind))
        return false;
    if (d->is_starting) { // to the first line
        start_game(d);
        if (steps[kind] != CT_LUA_STEP_OUT)
            ct_lua_debugger_pause(d->states[0].core);
        return true;
    }
    ct_debugger_state *const state = take_stopped(r);
    if (!state)
        return false;
    ct_debugger_go_on(state, steps[kind]);
    return true;
}
