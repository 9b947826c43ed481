// dap_breakpoints.c: requests about where and at which errors the game stops.
#include <ctype.h>
#include <string.h>

#include "cli/debug/dap_breakpoints.h"
#include "cli/debug/dap_requests.h"
#include "cli/debug/dap_sources.h"

// --- Breakpoints of a script ---------------------------------------------------------------------

// Splits a condition `unit NAME` or `unit NAME if EXPRESSION`, which is no Lua: sets `bytes` to the length of
// the name, and returns it. Returns NULL for other conditions.
static const char *unit_in(const char *condition, uint32_t *bytes, const char **rest) {
    static const char start[] = "unit ", behind[] = " if ";
    if (strncmp(condition, start, strlen(start)) != 0)
        return NULL;
    const char *const name = condition + strlen(start);
    const bool is_operator = strncmp(name, "and ", 4) == 0 || strncmp(name, "or ", 3) == 0;
    if (is_operator || (!isalnum((unsigned char)*name) && *name != '_' && *name != '#'))
        return NULL;
    const char *const found = strstr(name, behind);
    *bytes = (uint32_t)(found ? (size_t)(found - name) : strlen(name));
    *rest = found ? found + strlen(behind) : "";
    return name;
}

static void write_condition(ct_sjson_writer *w, const char *condition) {
    uint32_t bytes = 0;
    const char *rest = condition, *const unit = unit_in(condition, &bytes, &rest);
    if (unit)
        ct_sjson_member_bytes(w, "unit", unit, bytes);
    if (rest[0] != '\0')
        ct_sjson_member_string(w, "condition", rest);
}

// Writes a breakpoint of the client for the game.
static bool write_wanted(ct_dap_session *s, ct_sjson_writer *w, ct_dap_object breakpoint,
                         ct_error *error) {
    const char *condition = "", *hits = "", *text = "";
    uint32_t line = 0;
    if (!ct_dap_number(breakpoint, "line", &line, error) ||
        !ct_dap_optional_string(breakpoint, "condition", &condition, error) ||
        !ct_dap_optional_string(breakpoint, "hitCondition", &hits, error) ||
        !ct_dap_optional_string(breakpoint, "logMessage", &text, error))
        return false;
    if (line < s->client.first_line)
        return ct_error_set(error, "`line` is %u; lines count from %u", line, s->client.first_line);
    ct_sjson_begin_object(w);
    ct_sjson_member_number(w, "line", line + 1 - s->client.first_line);
    write_condition(w, condition);
    if (hits[0] != '\0')
        ct_sjson_member_string(w, "hits", hits);
    if (text[0] != '\0')
        ct_sjson_member_string(w, "log", text);
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

// Returns what the client wants of a script, which is noted if it is new.
static uint32_t script_place(ct_dap_session *s, const char *name) {
    for (uint32_t i = 0; i < s->scripts.count; ++i) {
        if (strcmp(s->scripts.items[i].name, name) == 0)
            return i;
    }
    ct_dap_script script = {.name = ct_copy_string(s->allocator, name)};
    ct_array_init(&script.breakpoints, s->allocator);
    ct_array_push(&s->scripts, script);
    return s->scripts.count - 1;
}

// Gives the breakpoints of a request new ids.
static void note_wanted(ct_dap_session *s, ct_dap_script *script, ct_dap_request *r,
                        ct_sjson_value wanted) {
    script->breakpoints.count = 0;
    for (uint32_t i = 0; i < ct_sjson_count(r->doc, wanted); ++i)
        ct_array_push(&script->breakpoints, (ct_dap_breakpoint){.id = ++s->num_breakpoints});
    ct_sjson_free(script->doc);
    script->doc = r->doc;
    r->doc = NULL; // the rest of the request is borrowed from it
}

// Writes the members of a breakpoint. `found` is what the game says of it, or {0}.
static void write_breakpoint(ct_dap_session *s, const char *script, uint32_t id,
                             const ct_sjson *doc, ct_sjson_value found) {
    ct_sjson_writer *const w = &s->writer;
    const uint32_t line = ct_dap_reply_number(doc, found, "line");
    const char *const message = ct_dap_reply_string(doc, found, "message");
    const ct_sjson_value verified = ct_sjson_find(doc, found, "verified");
    ct_sjson_begin_object(w);
    ct_sjson_member_number(w, "id", id);
    ct_sjson_member_bool(w, "verified", ct_sjson_bool(doc, verified, false));
    if (line != 0)
        ct_sjson_member_number(w, "line", ct_dap_line_out(s, line));
    if (message[0] != '\0')
        ct_sjson_member_string(w, "message", message);
    if (script[0] != '\0')
        ct_dap_write_source(s, "source", script, NULL);
    ct_sjson_end_object(w);
}

void ct_dap_send_breakpoint(ct_dap_session *s, const char *script, uint32_t id, const ct_sjson *doc,
                            ct_sjson_value found) {
    ct_sjson_writer *const w = ct_dap_begin_event(s, "breakpoint");
    ct_sjson_member_string(w, "reason", "changed");
    ct_sjson_write_key(w, "breakpoint");
    write_breakpoint(s, script, id, doc, found);
    ct_dap_end_message(s);
}

static bool take_breakpoints(ct_dap_session *s, ct_dap_request *r, ct_dap_reply *reply,
                             ct_error *error) {
    (void)error;
    const ct_sjson *const doc = reply->doc;
    const ct_sjson_value found = ct_sjson_find(doc, reply->root, "breakpoints");
    ct_dap_script *const script = &s->scripts.items[r->first];
    ct_sjson_value wanted = {0};
    ct_dap_optional_array(r->arguments, "breakpoints", &wanted, NULL);
    ct_sjson_writer *const w = ct_dap_begin_response(s, r);
    note_wanted(s, script, r, wanted);
    ct_sjson_write_key(w, "breakpoints");
    ct_sjson_begin_array(w);
    uint32_t i = 0;
    for (ct_sjson_value v = ct_sjson_first(doc, found);
         v.entry != 0 && i < script->breakpoints.count; v = ct_sjson_next(doc, v)) {
        ct_dap_breakpoint *const breakpoint = &script->breakpoints.items[i++];
        breakpoint->number = ct_dap_reply_number(doc, v, "breakpoint");
        write_breakpoint(s, script->name, breakpoint->id, doc, v);
    }
    ct_sjson_end_array(w);
    ct_dap_end_message(s);
    return true;
}

// Begins a message with breakpoints of a request for the game. Returns false with `error` for one that is
// malformed; what is written is never sent then.
static bool begin_breakpoints(ct_dap_session *s, const char *script, const ct_sjson *doc,
                              ct_sjson_value wanted, ct_error *error) {
    ct_sjson_writer *const w = ct_dap_begin_ask(s, "debugger_breakpoints");
    ct_sjson_member_string(w, "script", script);
    ct_sjson_write_key(w, "breakpoints");
    ct_sjson_begin_array(w);
    for (ct_sjson_value v = ct_sjson_first(doc, wanted); v.entry != 0; v = ct_sjson_next(doc, v)) {
        if (!write_wanted(s, w, (ct_dap_object){doc, v}, error))
            return false;
    }
    ct_sjson_end_array(w);
    return true;
}

// Keeps the breakpoints for the game that is being started.
static void keep_breakpoints(ct_dap_session *s, ct_dap_request *r, ct_dap_script *script,
                             ct_sjson_value wanted) {
    const ct_sjson *const doc = r->doc;
    ct_sjson_writer *const w = ct_dap_begin_response(s, r);
    note_wanted(s, script, r, wanted);
    ct_sjson_write_key(w, "breakpoints");
    ct_sjson_begin_array(w);
    ct_sjson_value v = ct_sjson_first(doc, wanted);
    for (uint32_t i = 0; v.entry != 0; v = ct_sjson_next(doc, v), ++i) {
        uint32_t line = 0;
        ct_dap_number((ct_dap_object){doc, v}, "line", &line, NULL);
        ct_sjson_begin_object(w);
        ct_sjson_member_number(w, "id", script->breakpoints.items[i].id);
        ct_sjson_member_bool(w, "verified", false);
        ct_sjson_member_number(w, "line", line);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
    ct_dap_end_message(s);
}

bool ct_dap_do_set_breakpoints(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    ct_sjson_value wanted = {0};
    char script[CT_PATH_BYTES];
    ct_error outside = {0};
    bool is_found = false;
    const bool is_restarting = ct_dap_is_restarting(s);
    if ((!is_restarting && !ct_dap_can_ask(s, error)) ||
        !ct_dap_optional_array(r->arguments, "breakpoints", &wanted, error) ||
        !ct_dap_source_script(s, r->arguments, script, &is_found, &outside, error))
        return false;
    if (!is_found) {
        respond_unverified(s, r, wanted, outside.message);
        return true;
    }
    if (s->has_no_debug) {
        respond_unverified(s, r, wanted, "the game was started without debugging");
        return true;
    }
    if (!begin_breakpoints(s, script, r->doc, wanted, error))
        return false;
    const uint32_t place = script_place(s, script);
    if (is_restarting) {
        keep_breakpoints(s, r, &s->scripts.items[place], wanted);
        return true;
    }
    r->first = place;
    ct_dap_end_ask(s, r, take_breakpoints, false);
    return true;
}

// --- After a restart -----------------------------------------------------------------------------

// The game that was started again has the breakpoints of a script.
static bool take_again(ct_dap_session *s, ct_dap_request *r, ct_dap_reply *reply, ct_error *error) {
    (void)error;
    const ct_sjson *const doc = reply->doc;
    const ct_sjson_value found = ct_sjson_find(doc, reply->root, "breakpoints");
    ct_dap_script *const script = &s->scripts.items[r->first];
    uint32_t i = 0;
    for (ct_sjson_value v = ct_sjson_first(doc, found);
         v.entry != 0 && i < script->breakpoints.count; v = ct_sjson_next(doc, v)) {
        ct_dap_breakpoint *const breakpoint = &script->breakpoints.items[i++];
        breakpoint->number = ct_dap_reply_number(doc, v, "breakpoint");
        ct_dap_send_breakpoint(s, script->name, breakpoint->id, doc, v);
    }
    return true;
}

void ct_dap_send_breakpoints(ct_dap_session *s) {
    for (uint32_t i = 0; i < s->scripts.count; ++i) {
        ct_dap_script *const script = &s->scripts.items[i];
        const ct_sjson *const doc = script->doc;
        for (uint32_t k = 0; k < script->breakpoints.count; ++k)
            script->breakpoints.items[k].number = 0; // that of another game
        if (!doc || script->breakpoints.count == 0 || s->has_no_debug)
            continue;
        const ct_sjson_value arguments = ct_sjson_find(doc, ct_sjson_root(doc), "arguments");
        ct_dap_request about = {.first = i};
        if (begin_breakpoints(s, script->name, doc, ct_sjson_find(doc, arguments, "breakpoints"),
                              NULL))
            ct_dap_end_ask(s, &about, take_again, false);
    }
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
    if (r->doc)
        ct_dap_succeed(s, r);
    return true;
}

static void ask_for_error_stops(ct_dap_session *s, ct_dap_request *r) {
    ct_sjson_writer *const w = ct_dap_begin_ask(s, "debugger_errors");
    ct_sjson_member_string(w, "stop", s->has_no_debug ? "never" : s->error_stops);
    ct_dap_end_ask(s, r, take_errors, false);
}

void ct_dap_send_error_stops(ct_dap_session *s) {
    if (s->error_stops || s->has_no_debug)
        ask_for_error_stops(s, NULL);
}

bool ct_dap_do_set_exception_breakpoints(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    ct_sjson_value filters = {0};
    const char *stop = "never";
    const bool is_restarting = ct_dap_is_restarting(s);
    if ((!is_restarting && !ct_dap_can_ask(s, error)) ||
        !ct_dap_optional_array(r->arguments, "filters", &filters, error))
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
    s->error_stops = stop;
    if (is_restarting)
        ct_dap_succeed(s, r);
    else
        ask_for_error_stops(s, r);
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
    const bool are_all = s->error_stops && strcmp(s->error_stops, "all") == 0;
    ct_sjson_member_string(w, "breakMode", are_all ? "always" : "unhandled");
    ct_sjson_write_key(w, "details");
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "message", stop->text);
    ct_sjson_end_object(w);
    ct_dap_end_message(s);
    return true;
}
