// When the machine stops: what is done in hooks.
#include "lua/debugger/lua_debugger.h"

#include <luajit.h>

#include "foundation/error.h"
#include "foundation/os/os.h"
#include "lua/debugger/lua_debugger_events.h"
#include "lua/debugger/lua_debugger_private.h"
#include "lua/lua_interrupt.h"
#include "lua/lua_watch.h"

enum {
    POSITION_MASK = 0xffff, // of lua_Debug.i_ci; the rest is the frame's size
    NUM_FAR_LINES = 64,
    NUM_PAUSE_LINES = 1000, // of other code than scripts, before a pause takes one
};

static int position_of(const lua_Debug *at) {
    return at->i_ci & POSITION_MASK;
}

// --- Frames and their lines ----------------------------------------------------------------------

static ct_debugged_frame *line_entry(ct_lua_debugger *d, lua_State *L, int position) {
    const uint64_t key = ((uint64_t)(uintptr_t)L >> 4) * 31 + (uint64_t)position;
    const uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    ct_debugged_frame *const entry = &d->lines[hash & (CT_DEBUGGED_FRAMES - 1)];
    if (entry->coroutine != L || entry->position != position)
        *entry = (ct_debugged_frame){L, position, 0};
    return entry;
}

void ct_debugger_note_lines(ct_lua_debugger *d, lua_State *coroutine) {
    lua_Debug at;
    for (int level = 0; level < CT_DEBUGGED_FRAMES && lua_getstack(coroutine, level, &at);
         ++level) {
        if (lua_getinfo(coroutine, "l", &at) && at.currentline > 0)
            line_entry(d, coroutine, position_of(&at))->line = at.currentline;
    }
}

// Returns whether this event of a line is one for the line that the frame is on already: a function that
// it called has returned.
static bool note_line(ct_lua_debugger *d, lua_State *L, int position, int line) {
    const bool came_back = d->last_coroutine != L || d->last_position > position;
    ct_debugged_frame *const entry = line_entry(d, L, position);
    const bool is_same = came_back && entry->line == line;
    entry->line = line;
    return is_same;
}

static bool has_breakpoints(const ct_lua_debugger *d, const lua_Debug *at) {
    const ct_debugged_script *const script = ct_debugger_script_of(d, at->source);
    return script && ct_debugger_bit(&script->function_bits, (uint32_t)at->linedefined);
}

static bool is_breakpoint_on_stack(const ct_lua_debugger *d, lua_State *L) {
    lua_Debug at;
    for (int level = 0; lua_getstack(L, level, &at); ++level) {
        if (lua_getinfo(L, "S", &at) && has_breakpoints(d, &at))
            return true;
    }
    return false;
}

// Events of lines are wanted only while functions with breakpoints are on a stack. A coroutine that runs
// another one is not known: so they are given up only where the main one runs.
static void leave_lines(ct_lua_debugger *d, lua_State *L) {
    if (++d->num_far_lines < NUM_FAR_LINES)
        return;
    d->num_far_lines = 0;
    if (L == d->machine->lua && !is_breakpoint_on_stack(d, L)) {
        d->watches_lines = false;
        ct_debugger_update_events(d);
    }
}

static void enter_lines(ct_lua_debugger *d) {
    d->num_far_lines = 0;
    if (d->watches_lines)
        return;
    d->watches_lines = true;
    ct_debugger_update_events(d);
}

// --- Steps ---------------------------------------------------------------------------------------

typedef struct step_start {
    ct_lua_debugger *debugger;
    lua_State *coroutine;
} step_start;

static bool is_engine_on(lua_State *L, const ct_lua_debugger *d) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, d->status);
    lua_call(L, 0, 1);
    const bool is_on = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return is_on;
}

static int stop_compiling(lua_State *L) {
    ct_lua_debugger *const d = ct_debugger_data(L);
    if (d->is_engine_off)
        return 0;
    d->was_engine_on = is_engine_on(L, d);
    d->is_engine_off = true;
    luaJIT_setmode(L, 0, LUAJIT_MODE_ENGINE | LUAJIT_MODE_OFF);
    luaJIT_setmode(L, 0, LUAJIT_MODE_ENGINE | LUAJIT_MODE_FLUSH);
    return 0;
}

static int keep_coroutine(lua_State *L) {
    const step_start *const start = ct_debugger_data(L);
    lua_pushthread(start->coroutine);
    lua_xmove(start->coroutine, L, 1);
    start->debugger->step.coroutine_reference = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

static void drop_step(ct_lua_debugger *d) {
    luaL_unref(d->work, LUA_REGISTRYINDEX, d->step.coroutine_reference);
    d->step = (ct_debugger_step){.coroutine_reference = LUA_NOREF};
    d->is_pausing = false;
}

void ct_debugger_end_step(ct_lua_debugger *d) {
    drop_step(d);
    if (d->is_engine_off && d->was_engine_on)
        luaJIT_setmode(d->work, 0, LUAJIT_MODE_ENGINE | LUAJIT_MODE_ON);
    d->is_engine_off = false;
    ct_debugger_update_events(d);
}

static void begin_step(ct_lua_debugger *d, lua_State *L, ct_lua_step kind) {
    if (kind == CT_LUA_STEP_CONTINUE) {
        ct_debugger_end_step(d);
        return;
    }
    drop_step(d);
    ct_debugger_run(d, stop_compiling, d, NULL);
    step_start start = {d, L};
    ct_debugger_run(d, keep_coroutine, &start, NULL);
    lua_Debug at;
    d->step.kind = kind;
    d->step.coroutine = L;
    d->step.position = lua_getstack(L, d->stopped_level, &at) ? position_of(&at) : 0;
    d->step.ends_anywhere = d->is_error; // what is on the stack ends
    ct_debugger_note_lines(d, L);
    ct_debugger_update_events(d);
}

// Returns whether a coroutine waits for one that it runs, or runs.
static bool is_active(lua_State *coroutine) {
    lua_Debug at;
    return lua_status(coroutine) == 0 && lua_getstack(coroutine, 0, &at);
}

// Returns whether the step ends at this line of a script.
static bool is_step_done(const ct_lua_debugger *d, lua_State *L, int position, bool is_same) {
    const ct_debugger_step *const step = &d->step;
    if (d->is_pausing || step->ends_anywhere)
        return true;
    if (L != step->coroutine && !is_active(step->coroutine))
        return true;
    switch (step->kind) {
    case CT_LUA_STEP_INTO:
        return !is_same;
    case CT_LUA_STEP_OVER:
        return L == step->coroutine &&
               (position < step->position ||
                (position == step->position && !is_same && !step->is_tail_call));
    case CT_LUA_STEP_OUT:
        return L == step->coroutine && position < step->position;
    default:
        return false;
    }
}

static bool is_stepping(const ct_lua_debugger *d) {
    return d->is_pausing || d->step.kind != CT_LUA_STEP_CONTINUE;
}

// --- Stops ---------------------------------------------------------------------------------------

void ct_debugger_stop(ct_lua_debugger *d, lua_State *L, ct_lua_stop_reason reason, int level,
                      const ct_lua_place *place, const char *text) {
    ct_lua *const m = d->machine;
    const ct_lua_stop stop = {.reason = reason,
                              .coroutine = L,
                              .place = place ? *place : ct_lua_find_place(L, level),
                              .text = text,
                              .breakpoints = d->hit.items,
                              .num_breakpoints = d->hit.count};
    const uint32_t num_temporaries = m->num_temporaries;
    const uint64_t error_bytes = m->memory.error_bytes;
    const bool is_watched = ct_lua_watch_is_running(m->watch);
    drop_step(d);
    m->memory.error_bytes = UINT64_MAX;
    if (is_watched)
        ct_lua_watch_pause(m->watch);
    d->stopped_coroutine = L;
    d->stopped_level = level;
    d->stopped_place = stop.place;
    d->is_error = reason == CT_LUA_STOP_REASON_ERROR;
    d->thread = (uint64_t)ct_thread_system_id();
    d->go_on = CT_LUA_STEP_CONTINUE;
    d->has_evaluated = false;
    d->is_stopped = true;
    d->desc.stopped(d->desc.user, d, &stop);
    d->is_stopped = false;
    ct_debugger_forget_values(d);
    if (!d->has_evaluated)
        m->num_temporaries = num_temporaries;
    m->memory.error_bytes = error_bytes;
    if (is_watched)
        ct_lua_watch_resume(m->watch);
    d->hit.count = 0;
    begin_step(d, L, d->go_on);
}

// --- Breakpoints ---------------------------------------------------------------------------------

static bool is_hit(ct_debugged_breakpoint *b) {
    const uint32_t number = b->hits_number, hits = ++b->num_hits;
    switch (b->which) {
    case CT_DEBUGGER_HITS_AT:
        return hits == number;
    case CT_DEBUGGER_HITS_ABOVE:
        return hits > number;
    case CT_DEBUGGER_HITS_FROM:
        return hits >= number;
    case CT_DEBUGGER_HITS_EACH:
        return hits % number == 0;
    default:
        return true;
    }
}

// Returns false when it took too long: in a loop it would do so again and again.
static bool send_log(ct_lua_debugger *d, lua_State *L, const ct_debugged_breakpoint *b,
                     const ct_lua_place *place) {
    ct_string_builder text;
    ct_string_builder_init(&text, d->allocator);
    const bool is_quick = ct_debugger_log(d, L, b->log, &text);
    if (d->desc.logged)
        d->desc.logged(d->desc.user, d, b->id, place, ct_string_builder_text(&text));
    ct_string_builder_free(&text);
    return is_quick;
}

// Passes the breakpoints of a line. Returns whether it stops there; their ids are in d->hit then.
static bool pass_breakpoints(ct_lua_debugger *d, lua_State *L, const ct_debugged_script *script,
                             uint32_t line) {
    const uint32_t generation = d->generation;
    uint32_t low = 0, high = script->places.count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (script->places.items[middle].line < line)
            low = middle + 1;
        else
            high = middle;
    }
    ct_string_builder_clear(&d->text);
    d->hit.count = 0;
    // What conditions and logs run may load scripts and set breakpoints.
    for (uint32_t i = low; generation == d->generation && i < script->places.count &&
                           script->places.items[i].line == line;
         ++i) {
        const uint32_t place = script->places.items[i].breakpoint;
        ct_debugged_breakpoint *const b = &d->breakpoints.items[place];
        const uint32_t num_errors = d->text.length;
        if (b->condition && !ct_debugger_condition(d, L, b->condition))
            continue;
        if (generation != d->generation)
            break;
        const bool has_failed = d->text.length > num_errors;
        if (!has_failed && !is_hit(b))
            continue;
        const ct_lua_place where = ct_lua_find_place(L, 0);
        const uint32_t id = b->id;
        if (!b->log || has_failed || !send_log(d, L, b, &where))
            ct_array_push(&d->hit, id);
    }
    return d->hit.count > 0;
}

// Returns whether a pause has waited for a line of a script for so long that another will do.
static bool is_pause_overdue(ct_lua_debugger *d) {
    return ++d->num_pause_lines > NUM_PAUSE_LINES;
}

// --- Events --------------------------------------------------------------------------------------

// A line of a script begins, or goes on (`is_same`).
static void reach_line(ct_lua_debugger *d, lua_State *L, const lua_Debug *at, int position,
                       uint32_t line, bool is_same) {
    const ct_debugged_script *const script = ct_debugger_script_of(d, at->source);
    const bool steps = is_stepping(d), is_pausing = d->is_pausing;
    const bool is_script = at->source[0] == '@' || (is_pausing && is_pause_overdue(d));
    const bool is_done = steps && is_script && is_step_done(d, L, position, is_same);
    if (!is_same && script && ct_debugger_bit(&script->line_bits, line) &&
        pass_breakpoints(d, L, script, line)) {
        ct_debugger_stop(d, L, CT_LUA_STOP_REASON_BREAKPOINT, 0, NULL,
                         ct_string_builder_text(&d->text));
        return;
    }
    if (is_done)
        ct_debugger_stop(d, L, is_pausing ? CT_LUA_STOP_REASON_PAUSE : CT_LUA_STOP_REASON_STEP, 0,
                         NULL, "");
}

static void on_line(ct_lua_debugger *d, lua_State *L, lua_Debug *at) {
    const int position = position_of(at), line = at->currentline;
    const bool is_same = note_line(d, L, position, line);
    lua_getinfo(L, "S", at);
    if (has_breakpoints(d, at))
        d->num_far_lines = 0;
    else if (d->watches_lines)
        leave_lines(d, L);
    reach_line(d, L, at, position, (uint32_t)line, is_same);
}

// Looks which lines the frames of the coroutine on top of `from`, if it is one, are on; takes it off.
static void note_coroutine(ct_lua_debugger *d, lua_State *from) {
    if (lua_isthread(from, -1))
        ct_debugger_note_lines(d, lua_tothread(from, -1));
    lua_pop(from, 1);
}

// A coroutine will run, or go on, in which functions with breakpoints may be.
static void expect_coroutine(ct_lua_debugger *d, lua_State *L, lua_Debug *at) {
    enter_lines(d);
    if (lua_getlocal(L, at, 1)) // of coroutine.resume
        note_coroutine(d, L);
    lua_getinfo(L, "f", at);
    const int function = lua_gettop(L);
    for (int i = 1; lua_getupvalue(L, function, i);
         ++i) { // LuaJIT's function of coroutine.wrap has it
        if (lua_iscfunction(L, -1) && lua_getupvalue(L, -1, 1))
            note_coroutine(d, L);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void on_call(ct_lua_debugger *d, lua_State *L, lua_Debug *at) {
    const int position = position_of(at);
    lua_getinfo(L, "S", at);
    if (at->what[0] == 'C')
        return;
    if (L == d->step.coroutine && position <= d->step.position)
        d->step.is_tail_call = true;
    line_entry(d, L, position)->line = 0;
    if (at->source == d->resume_source)
        expect_coroutine(d, L, at);
    if (has_breakpoints(d, at))
        enter_lines(d);
}

static void on_return(ct_lua_debugger *d, lua_State *L, const lua_Debug *at) {
    if (L == d->step.coroutine && position_of(at) <= d->step.position)
        d->step.ends_anywhere = true;
}

void ct_lua_debugger_on_event(ct_lua_debugger *d, lua_State *L, lua_Debug *at) {
    if (!d || d->is_stopped || d->is_evaluating)
        return;
    const int position = position_of(at);
    switch (at->event) {
    case LUA_HOOKLINE:
        on_line(d, L, at);
        break;
    case LUA_HOOKRET:
        on_return(d, L, at);
        break;
    default:
        on_call(d, L, at);
    }
    d->last_coroutine = L;
    d->last_position = position;
}

void ct_lua_debugger_on_call_end(ct_lua_debugger *d) {
    if (!d || d->is_stopped || d->is_evaluating)
        return;
    d->has_last_error = false;
    if (d->machine->debugger_events &&
        !ct_lua_has_hook(d->machine)) // there is one of debug.sethook
        ct_lua_update_hook(d->machine);
    if (d->step.kind != CT_LUA_STEP_CONTINUE)
        d->step.ends_anywhere = true;
}

void ct_lua_debugger_on_pause(ct_lua_debugger *d) {
    if (!d || d->is_stopped)
        return;
    d->is_pausing = true;
    d->num_pause_lines = 0;
    ct_debugger_run(d, stop_compiling, d, NULL);
    ct_debugger_update_events(d);
}

void ct_lua_debugger_on_ask(ct_lua_debugger *d) {
    if (!d || !d->desc.asked || d->is_stopped)
        return;
    if (d->is_evaluating)
        d->has_missed_question = true;
    else if (d->desc.asked(d->desc.user, d))
        ct_lua_debugger_on_pause(d);
}

void ct_lua_debugger_pause(ct_lua_debugger *d) {
    ct_lua_interrupt(d->machine, CT_LUA_INTERRUPT_PAUSE);
}

void ct_lua_debugger_ask(ct_lua_debugger *d) {
    ct_lua_interrupt(d->machine, CT_LUA_INTERRUPT_ASK);
}

void ct_lua_debugger_on_time_limit(ct_lua_debugger *d, lua_State *L) {
    if (d && !d->is_stopped && !d->is_evaluating)
        ct_debugger_stop(d, L, CT_LUA_STOP_REASON_TIME_LIMIT, 0, NULL, "");
}

// --- While it is stopped -------------------------------------------------------------------------

bool ct_lua_debugger_is_stopped(const ct_lua_debugger *d) {
    return d->is_stopped && d->thread == (uint64_t)ct_thread_system_id();
}

void ct_lua_debugger_go_on(ct_lua_debugger *d, ct_lua_step step) {
    d->go_on = step;
}
