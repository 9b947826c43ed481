#include "cli/debug/dap_session.h"

#include <string.h>

enum { SEND_BYTES = 4096 }; // at once to a pipe that has room: does not block

// --- Life cycle ----------------------------------------------------------------------------------

void ct_dap_session_init(ct_dap_session *s, ct_allocator *a, int input, int output,
                         bool is_socket) {
    memset(s, 0, sizeof(*s));
    s->allocator = a;
    s->input = input;
    s->output = output;
    s->is_socket = is_socket;
    s->client.first_line = s->client.first_column = 1;
    ct_dap_reader_init(&s->reader, a);
    ct_array_init(&s->unsent, a);
    ct_string_builder_init(&s->json, a);
    ct_dap_game_init(&s->game, a);
    ct_dap_echo_init(&s->echo, a);
    ct_dap_link_init(&s->link, a);
    ct_array_init(&s->pending, a);
    ct_array_init(&s->values, a);
    ct_hash_map_init(&s->value_places, a);
    ct_array_init(&s->stops, a);
    ct_array_init(&s->scripts, a);
    ct_array_init(&s->loaded, a);
    ct_array_init(&s->references, a);
}

void ct_dap_request_free(ct_dap_request *r) {
    for (uint32_t i = 0; i < r->pages.count; ++i)
        ct_sjson_free(r->pages.items[i]);
    if (r->pages.allocator)
        ct_array_free(&r->pages);
    ct_sjson_free(r->doc);
    memset(r, 0, sizeof(*r));
}

static void free_strings(ct_string_array *strings) {
    for (uint32_t i = 0; i < strings->count; ++i)
        ct_free(strings->allocator, strings->items[i]);
    ct_array_free(strings);
}

static void free_script(ct_dap_script *script, ct_allocator *a) {
    ct_free(a, script->name);
    ct_sjson_free(script->doc);
    ct_array_free(&script->breakpoints);
}

void ct_dap_session_free(ct_dap_session *s) {
    ct_allocator *const a = s->allocator;
    ct_dap_game_stop(&s->game);
    ct_dap_game_free(&s->game);
    ct_dap_link_close(&s->link);
    for (uint32_t i = 0; i < s->pending.count; ++i)
        ct_dap_request_free(&s->pending.items[i].request);
    ct_array_free(&s->pending);
    ct_dap_request_free(&s->start);
    ct_dap_request_free(&s->leaving);
    ct_sjson_free(s->launch_doc);
    ct_dap_forget_stops(s);
    ct_array_free(&s->values);
    ct_hash_map_free(&s->value_places);
    ct_array_free(&s->stops);
    for (uint32_t i = 0; i < s->scripts.count; ++i)
        free_script(&s->scripts.items[i], a);
    ct_array_free(&s->scripts);
    free_strings(&s->loaded);
    free_strings(&s->references);
    ct_dap_echo_free(&s->echo);
    ct_string_builder_free(&s->json);
    ct_array_free(&s->unsent);
    ct_dap_reader_free(&s->reader);
}

// --- To the client -------------------------------------------------------------------------------

static ct_sjson_writer *begin(ct_dap_session *s, const char *type) {
    ct_sjson_writer *const w = &s->writer;
    ct_string_builder_clear(&s->json);
    ct_sjson_writer_init(w, &s->json, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(w);
    ct_sjson_member_number(w, "seq", ++s->seq);
    ct_sjson_member_string(w, "type", type);
    return w;
}

static ct_sjson_writer *begin_response(ct_dap_session *s, const ct_dap_request *r, bool success) {
    ct_sjson_writer *const w = begin(s, "response");
    ct_sjson_member_number(w, "request_seq", r->seq);
    ct_sjson_member_string(w, "command", r->command);
    ct_sjson_member_bool(w, "success", success);
    return w;
}

static void begin_body(ct_sjson_writer *w) {
    ct_sjson_write_key(w, "body");
    ct_sjson_begin_object(w);
}

ct_sjson_writer *ct_dap_begin_response(ct_dap_session *s, const ct_dap_request *r) {
    ct_sjson_writer *const w = begin_response(s, r, true);
    begin_body(w);
    return w;
}

ct_sjson_writer *ct_dap_begin_event(ct_dap_session *s, const char *event) {
    ct_sjson_writer *const w = begin(s, "event");
    ct_sjson_member_string(w, "event", event);
    begin_body(w);
    return w;
}

static void send(ct_dap_session *s) {
    ct_sjson_end_object(&s->writer);
    ct_dap_frame_write(&s->unsent, ct_string_builder_text(&s->json), s->json.length);
}

void ct_dap_end_message(ct_dap_session *s) {
    ct_sjson_end_object(&s->writer); // the body
    send(s);
}

void ct_dap_succeed(ct_dap_session *s, const ct_dap_request *r) {
    begin_response(s, r, true);
    send(s);
}

void ct_dap_fail(ct_dap_session *s, const ct_dap_request *r, const char *message) {
    ct_sjson_writer *const w = begin_response(s, r, false);
    ct_sjson_member_string(w, "message", message);
    begin_body(w);
    ct_sjson_write_key(w, "error");
    ct_sjson_begin_object(w);
    ct_sjson_member_number(w, "id", 1);
    ct_sjson_member_string(w, "format", "{text}"); // the text may have braces
    ct_sjson_write_key(w, "variables");
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "text", message);
    ct_sjson_end_object(w);
    ct_sjson_end_object(w);
    ct_dap_end_message(s);
}

void ct_dap_output(ct_dap_session *s, const char *category, const char *text, uint32_t bytes,
                   const char *script, uint32_t line) {
    ct_string_builder whole CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&whole, s->allocator);
    ct_string_builder_add_bytes(&whole, text, bytes);
    ct_string_builder_add_char(&whole, '\n');
    ct_sjson_writer *const w = ct_dap_begin_event(s, "output");
    ct_sjson_member_string(w, "category", category);
    ct_sjson_member_bytes(w, "output", ct_string_builder_text(&whole), whole.length);
    char path[CT_PATH_BYTES];
    if (script && line != 0 && ct_dap_paths_file(&s->paths, script, path)) {
        ct_dap_write_source(s, "source", script, NULL);
        ct_sjson_member_number(w, "line", ct_dap_line_out(s, line));
    }
    ct_dap_end_message(s);
}

bool ct_dap_flush(ct_dap_session *s) {
    while (s->num_sent < s->unsent.count) {
        const uint8_t *const bytes = s->unsent.items + s->num_sent;
        const uint32_t left = s->unsent.count - s->num_sent;
        if (s->is_socket) {
            const int64_t sent = ct_socket_send(s->output, bytes, left);
            if (sent <= 0)
                return sent == 0;
            s->num_sent += (uint32_t)sent;
            continue;
        }
        ct_socket_poll poll = {.socket = s->output, .wants_to_send = true};
        ct_socket_poll_many(&poll, 1, 0);
        if (!poll.can_send)
            return true;
        const uint32_t count = left < SEND_BYTES ? left : SEND_BYTES;
        if (!ct_os_file_write(s->output, bytes, count, NULL))
            return false;
        s->num_sent += count;
    }
    s->unsent.count = s->num_sent = 0;
    return true;
}

// --- Sources -------------------------------------------------------------------------------------

uint32_t ct_dap_string_place(ct_string_array *strings, const char *text) {
    for (uint32_t i = 0; i < strings->count; ++i) {
        if (strcmp(strings->items[i], text) == 0)
            return i;
    }
    ct_array_push(strings, ct_copy_string(strings->allocator, text));
    return strings->count - 1;
}

void ct_dap_write_source(ct_dap_session *s, const char *key, const char *script, const char *hint) {
    ct_sjson_writer *const w = &s->writer;
    char path[CT_PATH_BYTES];
    if (key)
        ct_sjson_write_key(w, key);
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "name", ct_path_file_name(script));
    if (!ct_dap_paths_file(&s->paths, script, path)) {
        ct_sjson_member_number(w, "sourceReference",
                               ct_dap_string_place(&s->references, script) + 1);
        ct_sjson_member_string(w, "origin", script);
        hint = "deemphasize";
    } else if (s->client.is_uri) {
        ct_string_builder uri CT_CLEANUP(ct_string_builder_free);
        ct_string_builder_init(&uri, s->allocator);
        ct_dap_add_uri(&uri, path);
        ct_sjson_member_string(w, "path", ct_string_builder_text(&uri));
    } else {
        ct_sjson_member_string(w, "path", path);
    }
    if (hint)
        ct_sjson_member_string(w, "presentationHint", hint);
    ct_sjson_end_object(w);
}

uint32_t ct_dap_line_out(const ct_dap_session *s, uint32_t line) {
    return line == 0 ? 0 : line - 1 + s->client.first_line;
}

// --- To the game ---------------------------------------------------------------------------------

ct_sjson_writer *ct_dap_begin_ask(ct_dap_session *s, const char *type) {
    ct_sjson_writer *const w = &s->writer;
    ct_string_builder_clear(&s->json);
    ct_sjson_writer_init(w, &s->json, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "type", type);
    ct_sjson_member_number(w, "id", ++s->num_asked);
    return w;
}

void ct_dap_end_ask(ct_dap_session *s, ct_dap_request *r, ct_dap_answer answer,
                    bool takes_refusals) {
    ct_sjson_end_object(&s->writer);
    ct_dap_pending pending = {
        .id = s->num_asked, .answer = answer, .takes_refusals = takes_refusals};
    if (r) {
        pending.request = *r;
        memset(r, 0, sizeof(*r));
    }
    ct_array_push(&s->pending, pending);
    ct_dap_link_send(&s->link, ct_string_builder_text(&s->json), s->json.length);
}

bool ct_dap_can_ask(const ct_dap_session *s, ct_error *error) {
    if (s->state == CT_DAP_STATE_ENDED)
        return ct_error_set(error, "the game has ended");
    if (ct_dap_is_restarting(s))
        return ct_error_set(error, "the game is being started again");
    if (s->state < CT_DAP_STATE_CONFIGURING)
        return ct_error_set(error, s->state == CT_DAP_STATE_STARTING
                                       ? "the game is not attached yet; wait for `initialized`"
                                       : "no game is attached; send `launch` or `attach` first");
    return s->pending.count < CT_DAP_MAX_PENDING ||
           ct_error_set(error, "%u requests wait for the game", s->pending.count);
}

bool ct_dap_is_restarting(const ct_dap_session *s) {
    return s->start.doc && strcmp(s->start.command, "restart") == 0;
}

void ct_dap_fail_pending(ct_dap_session *s, const char *message) {
    for (uint32_t i = 0; i < s->pending.count; ++i) {
        ct_dap_request *const r = &s->pending.items[i].request;
        if (r->doc)
            ct_dap_fail(s, r, message);
        ct_dap_request_free(r);
    }
    s->pending.count = 0;
}

// --- What is stopped -----------------------------------------------------------------------------

static void free_stop(ct_dap_session *s, ct_dap_stop *stop) {
    ct_free(s->allocator, stop->reason);
    ct_free(s->allocator, stop->text);
    ct_array_free(&stop->breakpoints);
}

void ct_dap_forget_stops(ct_dap_session *s) {
    for (uint32_t i = 0; i < s->values.count; ++i)
        ct_free(s->allocator, s->values.items[i].name);
    for (uint32_t i = 0; i < s->stops.count; ++i)
        free_stop(s, &s->stops.items[i]);
    s->values.count = s->stops.count = 0;
    ct_hash_map_clear(&s->value_places);
}

void ct_dap_forget_stop(ct_dap_session *s, uint32_t thread) {
    for (uint32_t i = 0; i < s->stops.count; ++i) {
        if (s->stops.items[i].thread == thread && s->stops.count > 1) {
            free_stop(s, &s->stops.items[i]);
            ct_array_swap_erase(&s->stops, i);
            return;
        }
    }
    ct_dap_forget_stops(s);
}

const ct_dap_stop *ct_dap_stop_of(const ct_dap_session *s, uint32_t thread) {
    for (uint32_t i = 0; i < s->stops.count; ++i) {
        if (s->stops.items[i].thread == thread)
            return &s->stops.items[i];
    }
    return NULL;
}

void ct_dap_note_value(ct_dap_session *s, uint32_t value, uint32_t frame, uint32_t count,
                       const char *name, bool is_scope) {
    if (value == 0)
        return;
    const ct_dap_value note = {.frame = frame,
                               .count = count,
                               .name = name ? ct_copy_string(s->allocator, name) : NULL,
                               .is_scope = is_scope};
    const uint64_t *const place = ct_hash_map_find(&s->value_places, value);
    if (place) {
        ct_free(s->allocator, s->values.items[*place - 1].name);
        s->values.items[*place - 1] = note;
        return;
    }
    ct_array_push(&s->values, note);
    ct_hash_map_set(&s->value_places, value, s->values.count);
}

const ct_dap_value *ct_dap_value_of(const ct_dap_session *s, uint32_t value) {
    const uint64_t *const place = ct_hash_map_find(&s->value_places, value);
    return place ? &s->values.items[*place - 1] : NULL;
}

uint32_t ct_dap_breakpoint_id(const ct_dap_session *s, uint32_t number) {
    for (uint32_t i = 0; i < s->scripts.count && number != 0; ++i) {
        const ct_dap_script *const script = &s->scripts.items[i];
        for (uint32_t k = 0; k < script->breakpoints.count; ++k) {
            if (script->breakpoints.items[k].number == number)
                return script->breakpoints.items[k].id;
        }
    }
    return 0;
}

// --- Answers of the game -------------------------------------------------------------------------

uint32_t ct_dap_reply_number(const ct_sjson *doc, ct_sjson_value object, const char *name) {
    const double number = ct_sjson_number(doc, ct_sjson_find(doc, object, name), 0);
    return number >= 0 && number <= INT32_MAX ? (uint32_t)number : 0;
}

const char *ct_dap_reply_string(const ct_sjson *doc, ct_sjson_value object, const char *name) {
    return ct_sjson_string(doc, ct_sjson_find(doc, object, name), "");
}
