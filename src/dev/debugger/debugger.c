#include "dev/debugger/debugger.h"

#include <stdio.h>
#include <string.h>

#include "dev/debugger/debugger_private.h"
#include "foundation/log.h"
#include "foundation/memory/proxy_allocator.h"

// --- Life cycle ----------------------------------------------------------------------------------

ct_debugger *ct_debugger_create(const ct_debugger_desc *desc) {
    ct_allocator *const a = ct_proxy_allocator_create(desc->allocator, "debugger");
    ct_debugger *const d = CT_NEW(a, ct_debugger);
    d->allocator = a;
    d->console = desc->console;
    d->overlay = desc->overlay;
    d->update_thread = ct_thread_current_id();
    ct_path_join(d->project_folder, "", desc->project_folder ? desc->project_folder : "");
    ct_path_join(d->core_folder, "", desc->core_folder ? desc->core_folder : "");
    ct_hash_map_init(&d->scripts, a);
    ct_mutex_init(&d->mutex);
    ct_mutex_init(&d->merged_mutex);
    ct_condition_init(&d->stopped);
    ct_condition_init(&d->watch_ends);
    ct_array_init(&d->merged, a);
    ct_array_init(&d->events, a);
    d->is_passing = true;
    for (uint32_t i = 0; i < CT_DEBUGGER_MAX_STATES; ++i) {
        ct_debugger_state *const state = &d->states[i];
        state->debugger = d;
        state->number = i;
        ct_string_builder_init(&state->text, a);
        ct_array_init(&state->breakpoints, a);
        ct_condition_init(&state->condition);
    }
    return d;
}

const char *ct_debugger_core_folder(const ct_debugger *d) {
    return d ? d->core_folder : "";
}

static void drop_client(ct_debugger *d, uint32_t place) {
    ct_debugger_client *const c = d->clients[place];
    ct_mutex_lock(&d->merged_mutex);
    d->merged.count = 0; // it has this client's texts
    ct_debugger_drop_breakpoints(d, &c->breakpoints);
    ct_mutex_unlock(&d->merged_mutex);
    ct_free_sized(d->allocator, c, sizeof(*c));
    for (--d->num_clients; place < d->num_clients; ++place)
        d->clients[place] = d->clients[place + 1];
    ct_mutex_lock(&d->mutex);
    d->is_passing = d->num_clients == 0;
    ct_mutex_unlock(&d->mutex);
    ct_debugger_merge(d);
}

void ct_debugger_destroy(ct_debugger *d) {
    if (!d)
        return;
    ct_debugger_end(d);
    for (uint32_t i = 0; i < CT_DEBUGGER_MAX_STATES; ++i) {
        ct_string_builder_free(&d->states[i].text);
        ct_array_free(&d->states[i].breakpoints);
        ct_condition_shutdown(&d->states[i].condition);
    }
    ct_array_free(&d->events);
    ct_array_free(&d->merged);
    ct_hash_map_free(&d->scripts);
    ct_condition_shutdown(&d->stopped);
    ct_condition_shutdown(&d->watch_ends);
    ct_mutex_shutdown(&d->merged_mutex);
    ct_mutex_shutdown(&d->mutex);
    ct_allocator *const a = d->allocator;
    ct_free_sized(a, d, sizeof(*d));
    ct_proxy_allocator_destroy(a);
}

void ct_debugger_begin(ct_debugger *d, ct_app *app) {
    d->app = app;
    d->update_thread = ct_thread_current_id();
    d->states[0].machine = ct_script_lua(ct_app_script(app));
}

void ct_debugger_end(ct_debugger *d) {
    if (d->num_clients > 0) {
        ct_string_builder json;
        ct_sjson_writer w;
        ct_debugger_send_noted(d);
        ct_debugger_begin_event(d, &json, &w, "ended");
        ct_debugger_send_event(d, &json, &w);
    }
    while (d->num_clients > 0)
        drop_client(d, d->num_clients - 1);
    ct_debugger_detach_states(d);
    ct_debugger_drop_events(d);
    d->app = NULL;
    d->states[0].machine = NULL;
}

void ct_debugger_update(ct_debugger *d) {
    ct_debugger_note_served(d);
    for (uint32_t i = d->num_clients; i > 0; --i) {
        if (ct_console_server_has_client(d->console, d->clients[i - 1]->id))
            continue;
        ct_log_info("debugger", "a client has left; its breakpoints go");
        drop_client(d, i - 1);
    }
    ct_debugger_send_noted(d);
    if (d->num_clients == 0 && d->loop_depth == 0)
        ct_debugger_detach_states(d);
}

// --- Messages ------------------------------------------------------------------------------------

static ct_debugger_client *find_client(ct_debugger *d, ct_console_client_id id) {
    for (uint32_t i = 0; i < d->num_clients; ++i) {
        if (d->clients[i]->id.value == id.value)
            return d->clients[i];
    }
    return NULL;
}

static void write_current_stop(ct_debugger *d, ct_sjson_writer *w) {
    const ct_debugger_state *const state = ct_debugger_first_stopped(d);
    if (!state && !d->is_starting)
        return;
    ct_sjson_write_key(w, "stopped");
    ct_sjson_begin_object(w);
    if (state) {
        ct_debugger_write_stop(w, state);
    } else {
        ct_sjson_member_string(w, "reason", "pause");
        ct_sjson_member_number(w, "thread", 1);
        ct_sjson_member_string(w, "script", "");
        ct_sjson_member_number(w, "line", 0);
    }
    ct_sjson_end_object(w);
}

static bool do_attach(ct_debugger_request *r) {
    ct_debugger *const d = r->debugger;
    const char *name;
    if (!ct_debugger_take_text(r, r->root, "name", false, &name))
        return false;
    if (!d->app)
        return ct_error_set(r->error, "no game runs");
    if (!ct_console_server_has_client(d->console, r->target->client))
        return ct_error_set(r->error, "only a connection of the console can attach");
    if (!r->client) {
        if (d->num_clients == CT_DEBUGGER_MAX_CLIENTS)
            return ct_error_set(r->error, "%d clients are attached; expected at most as many",
                                CT_DEBUGGER_MAX_CLIENTS);
        ct_debugger_client *const c = CT_NEW(d->allocator, ct_debugger_client);
        c->id = r->target->client;
        c->stop_on_errors = CT_LUA_STOP_ON_ERRORS_UNCAUGHT;
        ct_array_init(&c->breakpoints, d->allocator);
        d->clients[d->num_clients++] = c;
        ct_mutex_lock(&d->mutex);
        d->is_passing = d->is_quit_asked;
        ct_mutex_unlock(&d->mutex);
        ct_debugger_attach_states(d);
        ct_debugger_merge(d);
        ct_log_info("debugger", "attached: %.64s", name ? name : "a client without a name");
    }
    ct_sjson_member_number(r->w, "version", CT_DEBUGGER_VERSION);
    ct_sjson_member_string(r->w, "project", d->project_folder);
    ct_sjson_member_string(r->w, "core", d->core_folder);
    ct_debugger_write_threads(d, r->w);
    write_current_stop(d, r->w);
    return true;
}

static bool do_detach(ct_debugger_request *r) {
    ct_debugger *const d = r->debugger;
    uint32_t place = 0;
    while (d->clients[place] != r->client)
        ++place;
    drop_client(d, place);
    ct_log_info("debugger", "a client has detached");
    return true;
}

static const struct {
    const char *type;
    bool (*run)(ct_debugger_request *r);
    bool is_for_all; // also for clients that are not attached
} message_table[] = {
    {"debugger_attach", do_attach, true},
    {"debugger_breakpoints", ct_debugger_do_breakpoints, false},
    {"debugger_complete", ct_debugger_do_complete, false},
    {"debugger_continue", ct_debugger_do_continue, false},
    {"debugger_detach", do_detach, false},
    {"debugger_errors", ct_debugger_do_errors, false},
    {"debugger_evaluate", ct_debugger_do_evaluate, false},
    {"debugger_lines", ct_debugger_do_lines, false},
    {"debugger_pause", ct_debugger_do_pause, false},
    {"debugger_scopes", ct_debugger_do_scopes, false},
    {"debugger_set", ct_debugger_do_set, false},
    {"debugger_stack", ct_debugger_do_stack, false},
    {"debugger_step", ct_debugger_do_step, false},
    {"debugger_threads", ct_debugger_do_threads, false},
    {"debugger_values", ct_debugger_do_values, false},
};

bool ct_debugger_is_message(const char *type) {
    return strncmp(type, "debugger_", 9) == 0;
}

static bool run_message(ct_debugger_request *r, const char *type) {
    const char *names[CT_COUNT_OF(message_table)];
    for (uint32_t i = 0; i < CT_COUNT_OF(message_table); ++i) {
        names[i] = message_table[i].type;
        if (strcmp(names[i], type) != 0)
            continue;
        if (!r->debugger)
            return ct_error_set(r->error, "this game has no debugger: its console does not listen");
        r->client = find_client(r->debugger, r->target->client);
        if (!r->client && !message_table[i].is_for_all)
            return ct_error_set(r->error,
                                "this client is not attached; send debugger_attach first");
        return message_table[i].run(r);
    }
    const char *const nearest = ct_nearest_name(type, names, CT_COUNT_OF(message_table));
    if (nearest)
        return ct_error_set(r->error, "unknown message \"%.64s\"; did you mean \"%s\"?", type,
                            nearest);
    return ct_error_set(r->error,
                        "unknown message \"%.64s\"; expected one of "
                        "docs/formats/debugger_protocol.md",
                        type);
}

void ct_debugger_handle(ct_debugger *d, const ct_console_target *target,
                        ct_string_builder *answer) {
    const ct_sjson *const doc = target->message;
    const ct_sjson_value root = ct_sjson_root(doc);
    const uint32_t start = answer->length;
    ct_error error = {0};
    ct_sjson_writer w;
    for (uint32_t attempt = 0; attempt < 2; ++attempt) {
        ct_sjson_writer_init(&w, answer, CT_SJSON_STYLE_JSON);
        ct_sjson_begin_object(&w);
        ct_sjson_member_string(&w, "type", "result");
        ct_sjson_write_key(&w, "id");
        if (target->id.entry != 0)
            ct_sjson_write_value(&w, doc, target->id);
        else
            ct_sjson_write_null(&w);
        ct_debugger_request r = {
            .debugger = d, .target = target, .doc = doc, .root = root, .w = &w, .error = &error};
        if (attempt == 1)
            ct_sjson_member_string(&w, "error", error.message);
        else if (target->id.entry == 0)
            ct_error_set(&error, "the message has no \"id\"; expected one, for its answer");
        else
            run_message(&r, ct_sjson_string(doc, ct_sjson_find(doc, root, "type"), ""));
        ct_sjson_end_object(&w);
        if (error.message[0] == '\0' || attempt == 1)
            break;
        answer->length = start; // what was written before it failed
        if (answer->text)
            answer->text[start] = '\0';
    }
}
