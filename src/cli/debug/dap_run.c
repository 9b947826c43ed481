// dap_run.c: requests about threads, their frames, and how they go on.
#include <stdio.h>
#include <string.h>

#include "cli/debug/dap_requests.h"

enum { MAX_FRAMES = 1000 }; // of one answer

// --- Threads and frames --------------------------------------------------------------------------

static bool take_threads(ct_dap_session *s, ct_dap_request *r, ct_dap_reply *reply,
                         ct_error *error) {
    (void)error;
    const ct_sjson *const doc = reply->doc;
    const ct_sjson_value threads = ct_sjson_find(doc, reply->root, "threads");
    ct_sjson_writer *const w = ct_dap_begin_response(s, r);
    ct_sjson_write_key(w, "threads");
    ct_sjson_begin_array(w);
    for (ct_sjson_value v = ct_sjson_first(doc, threads); v.entry != 0; v = ct_sjson_next(doc, v)) {
        const char *const name = ct_dap_reply_string(doc, v, "name");
        const char *const state = ct_dap_reply_string(doc, v, "state");
        char whole[512];
        snprintf(whole, sizeof(whole),
                 name[0] && state[0] && strcmp(name, state) != 0 ? "%s (%s)" : "%s%s", name,
                 strcmp(name, state) != 0 ? state : "");
        ct_sjson_begin_object(w);
        ct_sjson_member_number(w, "id", ct_dap_reply_number(doc, v, "thread"));
        ct_sjson_member_string(w, "name", whole);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
    ct_dap_end_message(s);
    return true;
}

bool ct_dap_do_threads(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    (void)error;
    ct_dap_begin_ask(s, "debugger_threads");
    ct_dap_end_ask(s, r, take_threads, false);
    return true;
}

static void write_frame(ct_dap_session *s, const ct_sjson *doc, ct_sjson_value frame) {
    ct_sjson_writer *const w = &s->writer;
    const char *const kind = ct_dap_reply_string(doc, frame, "kind");
    const char *const script = ct_dap_reply_string(doc, frame, "script");
    const char *const name = ct_dap_reply_string(doc, frame, "name");
    const uint32_t line = ct_dap_reply_number(doc, frame, "line");
    const bool is_c = strcmp(kind, "c") == 0, is_engine = strcmp(kind, "engine") == 0;
    ct_sjson_begin_object(w);
    ct_sjson_member_number(w, "id", ct_dap_reply_number(doc, frame, "frame"));
    ct_sjson_member_string(w, "name", name[0] ? name : "?");
    if (script[0] != '\0')
        ct_dap_write_source(s, "source", script, is_engine ? "deemphasize" : NULL);
    ct_sjson_member_number(w, "line", script[0] != '\0' ? ct_dap_line_out(s, line) : 0);
    ct_sjson_member_number(w, "column", script[0] != '\0' ? s->client.first_column : 0);
    ct_sjson_member_string(w, "presentationHint", is_c ? "label" : is_engine ? "subtle" : "normal");
    ct_sjson_end_object(w);
}

static bool take_frames(ct_dap_session *s, ct_dap_request *r, ct_dap_reply *reply,
                        ct_error *error) {
    (void)error;
    const ct_sjson *const doc = reply->doc;
    const ct_sjson_value frames = ct_sjson_find(doc, reply->root, "frames");
    ct_sjson_writer *const w = ct_dap_begin_response(s, r);
    ct_sjson_write_key(w, "stackFrames");
    ct_sjson_begin_array(w);
    for (ct_sjson_value v = ct_sjson_first(doc, frames); v.entry != 0; v = ct_sjson_next(doc, v))
        write_frame(s, doc, v);
    ct_sjson_end_array(w);
    ct_sjson_member_number(w, "totalFrames", ct_dap_reply_number(doc, reply->root, "total"));
    ct_dap_end_message(s);
    return true;
}

bool ct_dap_do_stack_trace(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    uint32_t thread = 0, first = 0, count = 0;
    if (!ct_dap_number(r->arguments, "threadId", &thread, error) ||
        !ct_dap_optional_number(r->arguments, "startFrame", &first, error) ||
        !ct_dap_optional_number(r->arguments, "levels", &count, error))
        return false;
    ct_sjson_writer *const w = ct_dap_begin_ask(s, "debugger_stack");
    ct_sjson_member_number(w, "thread", thread);
    ct_sjson_member_number(w, "first", first);
    ct_sjson_member_number(w, "count", count == 0 || count > MAX_FRAMES ? MAX_FRAMES : count);
    ct_dap_end_ask(s, r, take_frames, false);
    return true;
}

// --- Going on ------------------------------------------------------------------------------------

// The game goes on.
static bool take_going_on(ct_dap_session *s, ct_dap_request *r, ct_dap_reply *reply,
                          ct_error *error) {
    if (reply->error) {
        s->goes_on_by_us = false;
        return ct_error_set(error, "%s", reply->error);
    }
    if (strcmp(r->command, "continue") != 0) {
        ct_dap_succeed(s, r);
        return true;
    }
    ct_sjson_member_bool(ct_dap_begin_response(s, r), "allThreadsContinued", true);
    ct_dap_end_message(s);
    return true;
}

bool ct_dap_do_continue(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    uint32_t thread = 0;
    if (!ct_dap_number(r->arguments, "threadId", &thread, error))
        return false;
    ct_dap_begin_ask(s, "debugger_continue");
    ct_dap_end_ask(s, r, take_going_on, true);
    s->goes_on_by_us = true;
    return true;
}

static bool step(ct_dap_session *s, ct_dap_request *r, const char *kind, ct_error *error) {
    uint32_t thread = 0;
    if (!ct_dap_number(r->arguments, "threadId", &thread, error))
        return false;
    ct_sjson_writer *const w = ct_dap_begin_ask(s, "debugger_step");
    ct_sjson_member_string(w, "kind", kind);
    ct_sjson_member_number(w, "thread", thread);
    ct_dap_end_ask(s, r, take_going_on, true);
    s->goes_on_by_us = true;
    return true;
}

bool ct_dap_do_next(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    return step(s, r, "over", error);
}

bool ct_dap_do_step_in(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    return step(s, r, "into", error);
}

bool ct_dap_do_step_out(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    return step(s, r, "out", error);
}

static bool take_pause(ct_dap_session *s, ct_dap_request *r, ct_dap_reply *reply, ct_error *error) {
    (void)reply;
    (void)error;
    ct_dap_succeed(s, r);
    return true;
}

bool ct_dap_do_pause(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    uint32_t thread = 0;
    if (!ct_dap_number(r->arguments, "threadId", &thread, error))
        return false;
    ct_sjson_writer *const w = ct_dap_begin_ask(s, "debugger_pause");
    ct_sjson_member_number(w, "thread", thread);
    ct_dap_end_ask(s, r, take_pause, false);
    return true;
}
