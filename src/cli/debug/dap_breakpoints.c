// dap_breakpoints.c: requests about where and at which errors the game stops.
#include <stdio.h>
#include <string.h>

#include "cli/debug/dap_handlers.h"
#include "cli/debug/dap_sources.h"

// --- Breakpoints of a script ---------------------------------------------------------------------

// Writes a breakpoint of the client for the game.
static bool write_wanted(ct_dap_session *s, ct_sjson_writer *w, ct_dap_object breakpoint,
                         ct_error *error) {
    static const char *const names[][2] = {
        {"condition", "condition"}, {"hitCondition", "hits"}, {"logMessage", "log"}};
    uint32_t line = 0;
    if (!ct_dap_number(breakpoint, "line", &line, error))
        return false;
    if (line < s->client.first_line)
        return ct_error_set(error, "`line` is %u; lines count from %u", line, s->client.first_line);
    ct_sjson_begin_object(w);
    ct_sjson_member_number(w, "line", line + 1 - s->client.first_line);
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i) {
        const char *text = "";
        if (!ct_dap_optional_string(breakpoint, names[i][0], &text, error))
            return false;
        if (text[0] != '\0')
            ct_sjson_member_string(w, names[i][1], text);
    }
    ct_sjson_end_object(w);
    return true;
}

// Responds that none of the breakpoints can be.
static void respond_unverified(ct_dap_session *s, const ct_dap_request *r, ct_sjson_value wanted,
                               const char *why) {
    const ct_sjson *const doc = r->doc;
    ct_sjson_writer *const w = ct_dap_begin_response(s, r);
    ct_sjson_write_key(w, "breakpoints");
    ct_sjson_begin_array(w);
    for (ct_sjson_value v = ct_sjson_first(doc, wanted); v.entry != 0; v = ct_sjson_next(doc, v)) {
        uint32_t line = 0;
        ct_sjson_begin_object(w);
        ct_sjson_member_bool(w, "verified", false);
        ct_sjson_member_string(w, "message", why);
        if (ct_dap_number((ct_dap_object){doc, v}, "line", &line, NULL))
            ct_sjson_member_number(w, "line", line);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
    ct_dap_end_message(s);
}

// Forgets the numbers of a script's breakpoints.
static void drop_numbers(ct_dap_session *s, uint32_t script) {
    uint32_t num_left = 0;
    for (uint32_t i = 0; i < s->breakpoints.count; ++i) {
        if (s->breakpoints.items[i].script != script)
            s->breakpoints.items[num_left++] = s->breakpoints.items[i];
    }
    s->breakpoints.count = num_left;
}

static bool take_breakpoints(ct_dap_session *s, ct_dap_request *r, ct_dap_reply *reply,
                             ct_error *error) {
    (void)error;
    const ct_sjson *const doc = reply->doc;
    const ct_sjson_value found = ct_sjson_find(doc, reply->root, "breakpoints");
    const char *const script = s->breakpoint_scripts.items[r->first];
    drop_numbers(s, r->first);
    ct_sjson_writer *const w = ct_dap_begin_response(s, r);
    ct_sjson_write_key(w, "breakpoints");
    ct_sjson_begin_array(w);
    for (ct_sjson_value v = ct_sjson_first(doc, found); v.entry != 0; v = ct_sjson_next(doc, v)) {
        const uint32_t number = ct_dap_reply_number(doc, v, "breakpoint");
        const uint32_t line = ct_dap_reply_number(doc, v, "line");
        const char *const message = ct_dap_reply_string(doc, v, "message");
        ct_sjson_begin_object(w);
        if (number != 0) {
            ct_sjson_member_number(w, "id", number);
            ct_array_push(&s->breakpoints, (ct_dap_breakpoint){number, r->first});
        }
        ct_sjson_member_bool(w, "verified",
                             ct_sjson_bool(doc, ct_sjson_find(doc, v, "verified"), false));
        if (line != 0)
            ct_sjson_member_number(w, "line", ct_dap_line_out(s, line));
        if (message[0] != '\0')
            ct_sjson_member_string(w, "message", message);
        ct_dap_write_source(s, "source", script, NULL);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
    ct_dap_end_message(s);
    return true;
}

static bool ask_for_breakpoints(ct_dap_session *s, ct_dap_request *r, const char *script,
                                ct_sjson_value wanted, ct_error *error) {
    const ct_sjson *const doc = r->doc;
    ct_sjson_writer *const w = ct_dap_begin_ask(s, "debugger_breakpoints");
    ct_sjson_member_string(w, "script", script);
    ct_sjson_write_key(w, "breakpoints");
    ct_sjson_begin_array(w);
    for (ct_sjson_value v = ct_sjson_first(doc, wanted); v.entry != 0; v = ct_sjson_next(doc, v)) {
        if (!write_wanted(s, w, (ct_dap_object){doc, v}, error))
            return false; // what is written is never sent
    }
    ct_sjson_end_array(w);
    r->first = ct_dap_string_place(&s->breakpoint_scripts, script);
    ct_dap_end_ask(s, r, take_breakpoints, false);
    return true;
}

bool ct_dap_do_set_breakpoints(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    ct_sjson_value wanted = {0};
    char script[CT_PATH_BYTES];
    ct_error outside = {0};
    bool is_found = false;
    if (!ct_dap_optional_array(r->arguments, "breakpoints", &wanted, error) ||
        !ct_dap_source_script(s, r->arguments, script, &is_found, &outside, error))
        return false;
    if (!is_found)
        respond_unverified(s, r, wanted, outside.message);
    else if (s->has_no_debug)
        respond_unverified(s, r, wanted, "the game was started without debugging");
    else
        return ask_for_breakpoints(s, r, script, wanted, error);
    return true;
}

// --- Lines for breakpoints -----------------------------------------------------------------------

static bool take_lines(ct_dap_session *s, ct_dap_request *r, ct_dap_reply *reply, ct_error *error) {
    (void)error;
    const ct_sjson *const doc = reply->doc;
    const ct_sjson_value lines = ct_sjson_find(doc, reply->root, "lines");
    ct_sjson_writer *const w = ct_dap_begin_response(s, r);
    ct_sjson_write_key(w, "breakpoints");
    ct_sjson_begin_array(w);
    for (ct_sjson_value v = ct_sjson_first(doc, lines); v.entry != 0; v = ct_sjson_next(doc, v)) {
        const double line = ct_sjson_number(doc, v, 0);
        if (!(line >= 1 && line <= INT32_MAX))
            continue;
        ct_sjson_begin_object(w);
        ct_sjson_member_number(w, "line", ct_dap_line_out(s, (uint32_t)line));
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
    ct_dap_end_message(s);
    return true;
}

bool ct_dap_do_breakpoint_locations(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    char script[CT_PATH_BYTES];
    bool is_found = false;
    uint32_t first = 0, last = 0;
    if (!ct_dap_number(r->arguments, "line", &first, error))
        return false;
    last = first;
    if (!ct_dap_optional_number(r->arguments, "endLine", &last, error) ||
        !ct_dap_source_script(s, r->arguments, script, &is_found, error, error))
        return false;
    if (!is_found)
        return false;
    ct_sjson_writer *const w = ct_dap_begin_ask(s, "debugger_lines");
    ct_sjson_member_string(w, "script", script);
    ct_sjson_member_number(w, "first", (double)first + 1 - s->client.first_line);
    ct_sjson_member_number(w, "last", (double)last + 1 - s->client.first_line);
    ct_dap_end_ask(s, r, take_lines, false);
    return true;
}

// --- Errors --------------------------------------------------------------------------------------

static bool take_errors(ct_dap_session *s, ct_dap_request *r, ct_dap_reply *reply,
                        ct_error *error) {
    (void)reply;
    (void)error;
    ct_dap_succeed(s, r);
    return true;
}

bool ct_dap_do_set_exception_breakpoints(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    ct_sjson_value filters = {0};
    const char *stop = "never";
    if (!ct_dap_optional_array(r->arguments, "filters", &filters, error))
        return false;
    const ct_sjson *const doc = r->doc;
    for (ct_sjson_value v = ct_sjson_first(doc, filters); v.entry != 0; v = ct_sjson_next(doc, v)) {
        const char *const filter = ct_sjson_string(doc, v, "");
        if (strcmp(filter, "all") == 0)
            stop = "all";
        else if (strcmp(filter, "uncaught") != 0)
            return ct_error_set(
                error, "unknown filter \"%.100s\"; expected \"uncaught\" or \"all\"", filter);
        else if (strcmp(stop, "never") == 0)
            stop = "uncaught";
    }
    s->stops_at_all = strcmp(stop, "all") == 0;
    ct_sjson_writer *const w = ct_dap_begin_ask(s, "debugger_errors");
    ct_sjson_member_string(w, "stop", s->has_no_debug ? "never" : stop);
    ct_dap_end_ask(s, r, take_errors, false);
    return true;
}

bool ct_dap_do_exception_info(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    uint32_t thread = 0;
    if (!ct_dap_number(r->arguments, "threadId", &thread, error))
        return false;
    const ct_dap_stop *const stop = ct_dap_stop_of(s, thread);
    const bool is_limit = stop && strcmp(stop->reason, "time limit") == 0;
    if (!stop || (!is_limit && stop->text[0] == '\0'))
        return ct_error_set(error, "thread %u has not stopped at an error", thread);
    ct_sjson_writer *const w = ct_dap_begin_response(s, r);
    ct_sjson_member_string(w, "exceptionId", is_limit ? "time limit" : "Lua error");
    ct_sjson_member_string(w, "description", stop->text);
    ct_sjson_member_string(w, "breakMode", s->stops_at_all ? "always" : "unhandled");
    ct_sjson_write_key(w, "details");
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "message", stop->text);
    ct_sjson_end_object(w);
    ct_dap_end_message(s);
    return true;
}
