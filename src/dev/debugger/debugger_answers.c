// Answers about threads and frames.

#include <stdio.h>
#include <string.h>

#include "dev/debugger/debugger_private.h"

// --- Threads -------------------------------------------------------------------------------------

typedef struct listed_thread {
    ct_lua_debugger_thread thread;
    char name[160];
} listed_thread;

// The threads of a state that has stopped, with names.
typedef struct thread_list {
    ct_debugger_state *state;
    listed_thread *threads;
    uint32_t count;
} thread_list;

// A coroutine is named for the function that it began with.
static void name_coroutine(ct_lua_debugger *core, listed_thread *listed) {
    ct_lua_frame frame;
    uint32_t total = 0;
    char *const name = listed->name;
    if (listed->thread.thread == 1) {
        snprintf(name, sizeof(listed->name), "main");
        return;
    }
    ct_lua_debugger_frames(core, listed->thread.coroutine, 0, 0, &frame, &total);
    const bool has_frame = total > 0 && ct_lua_debugger_frames(core, listed->thread.coroutine,
                                                               total - 1, 1, &frame, &total) == 1;
    snprintf(name, sizeof(listed->name), "coroutine %u%s%s", listed->thread.thread,
             has_frame ? ": " : "", has_frame ? frame.name : "");
}

static void list_threads(void *data) {
    thread_list *const l = data;
    ct_lua_debugger *const core = l->state->core;
    ct_allocator *const a = l->state->debugger->allocator;
    ct_lua_debugger_thread *const found =
        CT_NEW_ARRAY(a, ct_lua_debugger_thread, CT_DEBUGGER_MAX_THREADS);
    l->count = ct_lua_debugger_threads(core, found, CT_DEBUGGER_MAX_THREADS);
    if (l->count > CT_DEBUGGER_MAX_THREADS)
        l->count = CT_DEBUGGER_MAX_THREADS;
    for (uint32_t i = 0; i < l->count; ++i) {
        l->threads[i].thread = found[i];
        name_coroutine(core, &l->threads[i]);
    }
    ct_free_sized(a, found, sizeof(*found) * CT_DEBUGGER_MAX_THREADS);
}

static void write_thread(ct_sjson_writer *w, const ct_debugger_state *state, uint32_t thread,
                         const char *name, bool is_stopped) {
    char text[32] = "game";
    if (state->number > 0)
        snprintf(text, sizeof(text), "worker %u", state->number);
    ct_sjson_begin_object(w);
    ct_sjson_member_number(w, "thread", ct_debugger_thread_number(state->number, thread));
    ct_sjson_member_string(w, "name", name);
    ct_sjson_member_string(w, "state", text);
    ct_sjson_member_bool(w, "is_stopped", is_stopped);
    ct_sjson_end_object(w);
}

void ct_debugger_write_threads(ct_debugger *d, ct_sjson_writer *w) {
    ct_sjson_write_key(w, "threads");
    ct_sjson_begin_array(w);
    listed_thread *const threads =
        CT_NEW_ARRAY(d->allocator, listed_thread, CT_DEBUGGER_MAX_THREADS);
    for (uint32_t i = 0; i < CT_DEBUGGER_MAX_STATES; ++i) {
        ct_debugger_state *const state = &d->states[i];
        if (!state->core)
            continue;
        if (!ct_debugger_has_stopped(state)) {
            write_thread(w, state, 1, "main", i == 0 && d->is_starting);
            continue;
        }
        thread_list l = {.state = state, .threads = threads};
        ct_debugger_run_on(state, list_threads, &l);
        for (uint32_t k = 0; k < l.count; ++k)
            write_thread(w, state, threads[k].thread.thread, threads[k].name, true);
    }
    ct_free_sized(d->allocator, threads, sizeof(*threads) * CT_DEBUGGER_MAX_THREADS);
    ct_sjson_end_array(w);
}

bool ct_debugger_do_threads(ct_debugger_request *r) {
    ct_debugger_write_threads(r->debugger, r->w);
    return true;
}

// --- Frames --------------------------------------------------------------------------------------

ct_debugger_state *ct_debugger_stopped_state(ct_debugger_request *r, uint32_t state,
                                             const char *what) {
    ct_debugger_state *const found = &r->debugger->states[state];
    if (ct_debugger_has_stopped(found))
        return found;
    ct_error_set(r->error, "%s belongs to a state that has not stopped: the game must stop first",
                 what);
    return NULL;
}

typedef struct stack_query {
    ct_debugger_state *state;
    uint32_t thread, first, max;
    ct_lua_frame *frames;
    uint32_t count, total;
    bool is_there; // the thread
} stack_query;

static void find_frames(void *data) {
    stack_query *const q = data;
    lua_State *const coroutine = ct_lua_debugger_coroutine(q->state->core, q->thread);
    q->is_there = coroutine != NULL;
    if (coroutine)
        q->count = ct_lua_debugger_frames(q->state->core, coroutine, q->first, q->max, q->frames,
                                          &q->total);
}

static void write_frames(ct_sjson_writer *w, const stack_query *q) {
    static const char *const kinds[] = {[CT_LUA_FRAME_KIND_LUA] = "lua",
                                        [CT_LUA_FRAME_KIND_C] = "c",
                                        [CT_LUA_FRAME_KIND_ENGINE] = "engine"};
    ct_sjson_write_key(w, "frames");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < q->count; ++i) {
        const ct_lua_frame *const f = &q->frames[i];
        ct_sjson_begin_object(w);
        ct_sjson_member_number(w, "frame", ct_debugger_number(q->state->number, f->frame));
        ct_sjson_member_string(w, "name", f->name);
        ct_sjson_member_string(w, "kind", kinds[f->kind]);
        if (f->place.script[0])
            ct_sjson_member_string(w, "script", f->place.script);
        ct_sjson_member_number(w, "line", f->place.line);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
    ct_sjson_member_number(w, "total", q->total);
}

bool ct_debugger_do_stack(ct_debugger_request *r) {
    const uint32_t zero = 0, usual = 64;
    uint32_t number;
    stack_query q = {.max = 0};
    // Without a thread: of the first state that has stopped.
    const ct_debugger_state *const stopped = ct_debugger_first_stopped(r->debugger);
    const double thread = stopped ? ct_debugger_thread_number(stopped->number, stopped->thread) : 1;
    if (!ct_debugger_take_thread(r, &thread, &number, &q.thread) ||
        !ct_debugger_take_whole(r, r->root, "first", 0, INT32_MAX, &zero, &q.first) ||
        !ct_debugger_take_whole(r, r->root, "count", 1, CT_DEBUGGER_MAX_FRAMES, &usual, &q.max))
        return false;
    q.state = ct_debugger_stopped_state(r, number, "the thread");
    if (!q.state)
        return false;
    q.frames = CT_NEW_ARRAY(r->debugger->allocator, ct_lua_frame, q.max);
    ct_debugger_run_on(q.state, find_frames, &q);
    if (q.is_there)
        write_frames(r->w, &q);
    else
        ct_error_set(r->error, "there is no thread %.0f: its coroutine has ended",
                     ct_debugger_thread_number(number, q.thread));
    ct_free_sized(r->debugger->allocator, q.frames, sizeof(*q.frames) * (uint64_t)q.max);
    return q.is_there;
}
