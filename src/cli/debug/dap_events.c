#include "cli/debug/dap_events.h"

#include <string.h>

#include "cli/debug/dap_breakpoints.h"

// --- Stops ---------------------------------------------------------------------------------------

uint32_t ct_dap_take_stop(ct_dap_session *s, const ct_sjson *doc, ct_sjson_value stop) {
    ct_dap_stop noted = {
        .thread = ct_dap_reply_number(doc, stop, "thread"),
        .reason = ct_copy_string(s->allocator, ct_dap_reply_string(doc, stop, "reason")),
        .text = ct_copy_string(s->allocator, ct_dap_reply_string(doc, stop, "text")),
    };
    ct_array_init(&noted.breakpoints, s->allocator);
    const ct_sjson_value hit = ct_sjson_find(doc, stop, "breakpoints");
    for (ct_sjson_value v = ct_sjson_first(doc, hit); v.entry != 0; v = ct_sjson_next(doc, v)) {
        const double number = ct_sjson_number(doc, v, 0);
        const bool is_number = number >= 1 && number <= INT32_MAX;
        const uint32_t id = is_number ? ct_dap_breakpoint_id(s, (uint32_t)number) : 0;
        if (id != 0)
            ct_array_push(&noted.breakpoints, id);
    }
    if (ct_dap_stop_of(s, noted.thread)) // it went on, and we were not told
        ct_dap_forget_stop(s, noted.thread);
    ct_array_push(&s->stops, noted);
    return noted.thread;
}

// The reason in words of the client's protocol.
static const char *reason_of(const ct_dap_session *s, const ct_dap_stop *stop) {
    static const char *const reasons[][2] = {{"breakpoint", "breakpoint"},
                                             {"step", "step"},
                                             {"pause", "pause"},
                                             {"error", "exception"},
                                             {"time limit", "exception"}};
    if (s->is_entry && strcmp(stop->reason, "pause") == 0)
        return "entry";
    for (uint32_t i = 0; i < CT_COUNT_OF(reasons); ++i) {
        if (strcmp(reasons[i][0], stop->reason) == 0)
            return reasons[i][1];
    }
    return stop->reason;
}

static void send_stopped(ct_dap_session *s, const ct_dap_stop *stop, bool are_all_stopped) {
    ct_sjson_writer *const w = ct_dap_begin_event(s, "stopped");
    ct_sjson_member_string(w, "reason", reason_of(s, stop));
    ct_sjson_member_number(w, "threadId", stop->thread);
    ct_sjson_member_bool(w, "allThreadsStopped", are_all_stopped);
    if (strcmp(stop->reason, "time limit") == 0)
        ct_sjson_member_string(w, "description", "Takes too long");
    else if (stop->text[0] != '\0')
        ct_sjson_member_string(w, "description", "Error");
    if (stop->text[0] != '\0')
        ct_sjson_member_string(w, "text", stop->text);
    if (stop->breakpoints.count != 0) {
        ct_sjson_write_key(w, "hitBreakpointIds");
        ct_sjson_begin_array(w);
        for (uint32_t i = 0; i < stop->breakpoints.count; ++i)
            ct_sjson_write_number(w, stop->breakpoints.items[i]);
        ct_sjson_end_array(w);
    }
    ct_dap_end_message(s);
    s->is_entry = false;
}

// Returns whether all threads are stopped, or of the state of the one that is.
static bool is_all_of_one_state(const ct_sjson *doc, ct_sjson_value threads, uint32_t stopped) {
    const char *state = "";
    for (ct_sjson_value v = ct_sjson_first(doc, threads); v.entry != 0; v = ct_sjson_next(doc, v)) {
        if (ct_dap_reply_number(doc, v, "thread") == stopped)
            state = ct_dap_reply_string(doc, v, "state");
    }
    for (ct_sjson_value v = ct_sjson_first(doc, threads); v.entry != 0; v = ct_sjson_next(doc, v)) {
        const bool is_stopped = ct_sjson_bool(doc, ct_sjson_find(doc, v, "is_stopped"), false);
        if (!is_stopped && strcmp(ct_dap_reply_string(doc, v, "state"), state) != 0)
            return false;
    }
    return true;
}

static bool show_with_threads(ct_dap_session *s, ct_dap_request *r, ct_dap_reply *reply,
                              ct_error *error) {
    (void)error;
    const ct_dap_stop *const stop = ct_dap_stop_of(s, r->first);
    if (!stop) // it has gone on since
        return true;
    const ct_sjson_value threads = ct_sjson_find(reply->doc, reply->root, "threads");
    send_stopped(s, stop, !reply->error && is_all_of_one_state(reply->doc, threads, r->first));
    return true;
}

void ct_dap_show_stop(ct_dap_session *s, uint32_t thread) {
    ct_dap_request about = {.first = thread};
    ct_dap_begin_ask(s, "debugger_threads");
    ct_dap_end_ask(s, &about, show_with_threads, true);
}

// --- Events of the debugger ----------------------------------------------------------------------

static void take_stopped(ct_dap_session *s, const ct_sjson *doc, ct_sjson_value event) {
    const uint32_t thread = ct_dap_take_stop(s, doc, event);
    s->goes_on_by_us = false;
    if (s->state == CT_DAP_STATE_RUNNING) // else `configurationDone` shows it
        ct_dap_show_stop(s, thread);
}

static void take_continued(ct_dap_session *s, const ct_sjson *doc, ct_sjson_value event) {
    const uint32_t thread = ct_dap_reply_number(doc, event, "thread");
    ct_dap_forget_stop(s, thread);
    s->waits_to_start = false;
    if (s->goes_on_by_us || s->state != CT_DAP_STATE_RUNNING)
        return;
    ct_sjson_writer *const w = ct_dap_begin_event(s, "continued");
    ct_sjson_member_number(w, "threadId", thread);
    ct_sjson_member_bool(w, "allThreadsContinued", s->stops.count == 0);
    ct_dap_end_message(s);
}

static void take_log(ct_dap_session *s, const ct_sjson *doc, ct_sjson_value event) {
    const ct_sjson_value text = ct_sjson_find(doc, event, "text");
    ct_dap_output(s, "console", ct_sjson_string(doc, text, ""), ct_sjson_string_bytes(doc, text),
                  ct_dap_reply_string(doc, event, "script"),
                  ct_dap_reply_number(doc, event, "line"));
}

static void take_breakpoint(ct_dap_session *s, const ct_sjson *doc, ct_sjson_value event) {
    const uint32_t id = ct_dap_breakpoint_id(s, ct_dap_reply_number(doc, event, "breakpoint"));
    if (id != 0)
        ct_dap_send_breakpoint(s, ct_dap_reply_string(doc, event, "script"), id, doc, event);
}

static void take_thread(ct_dap_session *s, const ct_sjson *doc, ct_sjson_value event) {
    const bool is_start = strcmp(ct_dap_reply_string(doc, event, "reason"), "started") == 0;
    ct_sjson_writer *const w = ct_dap_begin_event(s, "thread");
    ct_sjson_member_string(w, "reason", is_start ? "started" : "exited");
    ct_sjson_member_number(w, "threadId", ct_dap_reply_number(doc, event, "thread"));
    ct_dap_end_message(s);
}

static void take_script(ct_dap_session *s, const ct_sjson *doc, ct_sjson_value event) {
    const char *const script = ct_dap_reply_string(doc, event, "script");
    const bool is_new = strcmp(ct_dap_reply_string(doc, event, "reason"), "new") == 0;
    if (script[0] == '\0')
        return;
    ct_dap_string_place(&s->loaded, script);
    ct_sjson_writer *const w = ct_dap_begin_event(s, "loadedSource");
    ct_sjson_member_string(w, "reason", is_new ? "new" : "changed");
    ct_dap_write_source(s, "source", script, NULL);
    ct_dap_end_message(s);
}

static const struct {
    const char *event;
    void (*take)(ct_dap_session *s, const ct_sjson *doc, ct_sjson_value event);
} event_table[] = {
    {"stopped", take_stopped},       {"continued", take_continued}, {"log", take_log},
    {"breakpoint", take_breakpoint}, {"thread", take_thread},       {"script", take_script},
};

// --- Messages of the console ---------------------------------------------------------------------

static void take_log_message(ct_dap_session *s, const ct_sjson *doc, ct_sjson_value root) {
    const char *const level = ct_dap_reply_string(doc, root, "level");
    const char *const system = ct_dap_reply_string(doc, root, "system");
    const ct_sjson_value message = ct_sjson_find(doc, root, "message");
    const char *const text = ct_sjson_string(doc, message, "");
    const uint32_t bytes = ct_sjson_string_bytes(doc, message);
    const bool is_info = strcmp(level, "info") == 0;
    if (s->is_launched)
        ct_dap_echo_sent(&s->echo, level, system, text, bytes, ct_os_time_ns());
    ct_dap_output(s, is_info ? "stdout" : "stderr", text, bytes,
                  ct_dap_reply_string(doc, root, "script"), ct_dap_reply_number(doc, root, "line"));
}

// Gives an answer to what waits for it.
static void take_reply(ct_dap_session *s, ct_dap_reply *reply) {
    const uint32_t id = ct_dap_reply_number(reply->doc, reply->root, "id");
    uint32_t i = 0;
    while (i < s->pending.count && s->pending.items[i].id != id)
        ++i;
    if (id == 0 || i == s->pending.count)
        return;
    ct_dap_pending p = s->pending.items[i];
    ct_array_erase(&s->pending, i, 1);
    ct_error error = {0};
    if (reply->error && !p.takes_refusals) {
        if (p.request.doc)
            ct_dap_fail(s, &p.request, reply->error);
    } else if (p.answer && !p.answer(s, &p.request, reply, &error) && p.request.doc) {
        ct_dap_fail(s, &p.request, error.message);
    }
    ct_dap_request_free(&p.request);
}

static void take_message(ct_dap_session *s, ct_sjson **doc) {
    const ct_sjson_value root = ct_sjson_root(*doc);
    const char *const type = ct_dap_reply_string(*doc, root, "type");
    if (strcmp(type, "message") == 0) {
        take_log_message(s, *doc, root);
    } else if (strcmp(type, "result") == 0 || strcmp(type, "error") == 0) {
        const bool is_error = type[0] == 'e';
        const ct_sjson_value found = ct_sjson_find(*doc, root, is_error ? "message" : "error");
        ct_dap_reply reply = {
            .doc = *doc, .root = root, .error = ct_sjson_string(*doc, found, NULL)};
        take_reply(s, &reply);
        *doc = reply.doc;
    } else if (strcmp(type, "debugger") == 0 && s->state >= CT_DAP_STATE_CONFIGURING) {
        const char *const event = ct_dap_reply_string(*doc, root, "event");
        for (uint32_t i = 0; i < CT_COUNT_OF(event_table); ++i) {
            if (strcmp(event_table[i].event, event) == 0)
                event_table[i].take(s, *doc, root);
        }
    }
}

bool ct_dap_events_receive(ct_dap_session *s, ct_error *error) {
    const bool is_open = ct_dap_link_receive(&s->link, error);
    for (;;) {
        ct_message message;
        const ct_message_result result = ct_dap_link_next(&s->link, &message, error);
        if (result != CT_MESSAGE_RESULT_MESSAGE)
            return is_open && result == CT_MESSAGE_RESULT_NONE;
        ct_sjson *doc = ct_sjson_parse(s->allocator, message.json, message.json_bytes,
                                       "the game's message", NULL, error);
        if (!doc)
            return false;
        take_message(s, &doc);
        ct_sjson_free(doc);
    }
}
