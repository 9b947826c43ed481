// What clients are sent without asking.

#include <stdio.h>
#include <string.h>

#include "dev/debugger/debugger_private.h"

// --- Sending -------------------------------------------------------------------------------------

void ct_debugger_send(ct_debugger *d, const ct_string_builder *json) {
    for (uint32_t i = 0; i < d->num_clients; ++i)
        ct_console_server_send_to(d->console, d->clients[i]->id, ct_string_builder_text(json),
                                  json->length);
}

void ct_debugger_begin_event(ct_debugger *d, ct_string_builder *json, ct_sjson_writer *w,
                             const char *event) {
    ct_string_builder_init(json, d->allocator);
    ct_sjson_writer_init(w, json, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "type", "debugger");
    ct_sjson_member_string(w, "event", event);
}

void ct_debugger_send_event(ct_debugger *d, ct_string_builder *json, ct_sjson_writer *w) {
    ct_sjson_end_object(w);
    ct_debugger_send(d, json);
    ct_string_builder_free(json);
}

// --- Stops ---------------------------------------------------------------------------------------

const char *ct_debugger_reason_name(ct_lua_stop_reason reason) {
    static const char *const reasons[CT_LUA_NUM_STOP_REASONS] = {
        [CT_LUA_STOP_REASON_BREAKPOINT] = "breakpoint",
        [CT_LUA_STOP_REASON_STEP] = "step",
        [CT_LUA_STOP_REASON_PAUSE] = "pause",
        [CT_LUA_STOP_REASON_ERROR] = "error",
        [CT_LUA_STOP_REASON_TIME_LIMIT] = "time limit"};
    return reasons[reason];
}

void ct_debugger_write_stop(ct_sjson_writer *w, const ct_debugger_state *state) {
    ct_sjson_member_string(w, "reason", ct_debugger_reason_name(state->reason));
    ct_sjson_member_number(w, "thread", ct_debugger_thread_number(state->number, state->thread));
    ct_sjson_member_string(w, "script", state->place.script);
    ct_sjson_member_number(w, "line", state->place.line);
    if (state->text.length > 0)
        ct_sjson_member_bytes(w, "text", ct_string_builder_text(&state->text), state->text.length);
    if (state->breakpoints.count == 0)
        return;
    ct_sjson_write_key(w, "breakpoints");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < state->breakpoints.count; ++i)
        ct_sjson_write_number(w, state->breakpoints.items[i]);
    ct_sjson_end_array(w);
}

void ct_debugger_send_stopped(ct_debugger *d) {
    for (uint32_t i = 0; i < CT_DEBUGGER_MAX_STATES; ++i) {
        ct_debugger_state *const state = &d->states[i];
        if (!ct_debugger_has_stopped(state) || state->is_announced)
            continue;
        state->is_announced = true;
        ct_string_builder json;
        ct_sjson_writer w;
        ct_debugger_begin_event(d, &json, &w, "stopped");
        ct_debugger_write_stop(&w, state);
        ct_debugger_send_event(d, &json, &w);
    }
}

void ct_debugger_send_continued(ct_debugger *d) {
    for (uint32_t i = 0; i < CT_DEBUGGER_MAX_STATES; ++i) {
        ct_debugger_state *const state = &d->states[i];
        if (!state->has_continued)
            continue;
        state->has_continued = false;
        ct_string_builder json;
        ct_sjson_writer w;
        ct_debugger_begin_event(d, &json, &w, "continued");
        ct_sjson_member_number(&w, "thread", ct_debugger_thread_number(i, state->continued_thread));
        ct_debugger_send_event(d, &json, &w);
    }
}

void ct_debugger_send_thread(ct_debugger_state *state, const char *reason) {
    ct_debugger *const d = state->debugger;
    char name[32];
    ct_string_builder json;
    ct_sjson_writer w;
    ct_debugger_begin_event(d, &json, &w, "thread");
    ct_sjson_member_number(&w, "thread", ct_debugger_thread_number(state->number, 1));
    snprintf(name, sizeof(name), "worker %u", state->number);
    ct_sjson_member_string(&w, "name", name);
    ct_sjson_member_string(&w, "reason", reason);
    ct_debugger_send_event(d, &json, &w);
}

// --- What states note ----------------------------------------------------------------------------

void ct_debugger_note_log(void *user, ct_lua_debugger *core, uint32_t breakpoint,
                          const ct_lua_place *place, const char *text) {
    const ct_debugger_state *const state = user;
    ct_debugger *const d = state->debugger;
    (void)core;
    ct_mutex_lock(&d->mutex);
    if (d->num_logs >= CT_DEBUGGER_MAX_LOGS) {
        ++d->num_lost_logs;
    } else {
        ++d->num_logs;
        const ct_debugger_event event = {.kind = CT_DEBUGGER_EVENT_KIND_LOG,
                                         .state = state->number,
                                         .line = place->line,
                                         .breakpoint = breakpoint,
                                         .script = ct_copy_string(d->allocator, place->script),
                                         .text = ct_copy_string(d->allocator, text)};
        ct_array_push(&d->events, event);
    }
    ct_mutex_unlock(&d->mutex);
}

void ct_debugger_note_loaded(void *user, ct_lua_debugger *core, const char *script, bool is_new,
                             const ct_lua_breakpoint_place *places, uint32_t num_places) {
    const ct_debugger_state *const state = user;
    ct_debugger *const d = state->debugger;
    (void)core;
    ct_debugger_event event = {.kind = CT_DEBUGGER_EVENT_KIND_LOADED,
                               .state = state->number,
                               .is_new = is_new,
                               .script = ct_copy_string(d->allocator, script),
                               .num_places = num_places};
    if (num_places > 0) {
        event.places = ct_alloc(d->allocator, sizeof(*places) * (uint64_t)num_places);
        memcpy(event.places, places, sizeof(*places) * (uint64_t)num_places);
    }
    ct_mutex_lock(&d->mutex);
    ct_array_push(&d->events, event);
    ct_mutex_unlock(&d->mutex);
}

static void free_event(ct_debugger *d, const ct_debugger_event *event) {
    ct_free(d->allocator, event->script);
    ct_free(d->allocator, event->text);
    ct_free(d->allocator, event->places);
}

// Streams of logs wait for clients that do not read: what does not fit is counted.
static void send_log(ct_debugger *d, const ct_debugger_event *event) {
    ct_string_builder json;
    ct_sjson_writer w;
    ct_debugger_begin_event(d, &json, &w, "log");
    ct_sjson_member_string(&w, "text", event->text);
    ct_sjson_member_string(&w, "script", event->script);
    ct_sjson_member_number(&w, "line", event->line);
    ct_sjson_member_number(&w, "breakpoint", event->breakpoint);
    ct_sjson_end_object(&w);
    for (uint32_t i = 0; i < d->num_clients; ++i) {
        if (!ct_console_server_send(d->console, d->clients[i]->id, ct_string_builder_text(&json),
                                    NULL, 0))
            ++d->clients[i]->num_unsent;
    }
    ct_string_builder_free(&json);
}

static void send_lost_logs(ct_debugger *d, uint32_t count) {
    for (uint32_t i = 0; i < d->num_clients; ++i) {
        ct_debugger_client *const c = d->clients[i];
        c->num_unsent += count;
        if (c->num_unsent == 0)
            continue;
        ct_string_builder json;
        ct_sjson_writer w;
        ct_debugger_begin_event(d, &json, &w, "log");
        char text[96];
        snprintf(text, sizeof(text), "%u more logs of breakpoints were left out", c->num_unsent);
        ct_sjson_member_string(&w, "text", text);
        ct_sjson_end_object(&w);
        if (ct_console_server_send(d->console, c->id, ct_string_builder_text(&json), NULL, 0))
            c->num_unsent = 0;
        ct_string_builder_free(&json);
    }
}

// A script is new once for all states: those that run jobs run what the game's has run, too.
static void send_loaded(ct_debugger *d, const ct_debugger_event *event) {
    const uint64_t hash = ct_string_id64_of(event->script).value;
    const uint64_t known = ct_hash_map_get(&d->scripts, hash, UINT64_MAX);
    const bool is_of_game = event->state == 0;
    if (known == UINT64_MAX || is_of_game)
        ct_hash_map_set(&d->scripts, hash, is_of_game);
    if (is_of_game || known == UINT64_MAX || (known == 0 && !event->is_new)) {
        ct_string_builder json;
        ct_sjson_writer w;
        ct_debugger_begin_event(d, &json, &w, "script");
        ct_sjson_member_string(&w, "script", event->script);
        ct_sjson_member_string(&w, "reason", event->is_new ? "new" : "changed");
        ct_debugger_send_event(d, &json, &w);
    }
    ct_debugger_take_places(d, event);
}

void ct_debugger_send_noted(ct_debugger *d) {
    CT_ARRAY(ct_debugger_event) events;
    ct_array_init(&events, d->allocator);
    ct_mutex_lock(&d->mutex);
    ct_array_push_many(&events, d->events.items, d->events.count);
    d->events.count = 0;
    const uint32_t num_lost = d->num_lost_logs;
    d->num_logs = d->num_lost_logs = 0;
    ct_mutex_unlock(&d->mutex);
    for (uint32_t i = 0; i < events.count; ++i) {
        if (events.items[i].kind == CT_DEBUGGER_EVENT_KIND_LOG)
            send_log(d, &events.items[i]);
        else
            send_loaded(d, &events.items[i]);
        free_event(d, &events.items[i]);
    }
    ct_array_free(&events);
    send_lost_logs(d, num_lost);
}

void ct_debugger_drop_events(ct_debugger *d) {
    ct_mutex_lock(&d->mutex);
    for (uint32_t i = 0; i < d->events.count; ++i)
        free_event(d, &d->events.items[i]);
    ct_array_free(&d->events);
    d->num_logs = d->num_lost_logs = 0;
    ct_mutex_unlock(&d->mutex);
}
