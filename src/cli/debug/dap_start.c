#include "cli/debug/dap_start.h"

#include <stdio.h>
#include <string.h>

#include "cli/debug/dap_events.h"
#include "cli/debug/dap_handlers.h"
#include "cli/prompt/prompt_engines.h"

enum { VERSION = 1 }; // of the debugger's messages
static const uint64_t try_every_ns = 50000000;
static const uint64_t answer_limit_ns = 10000000000;

// --- Initialize ----------------------------------------------------------------------------------

static void write_filter(ct_sjson_writer *w, const char *filter, const char *label,
                         const char *description, bool is_default) {
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "filter", filter);
    ct_sjson_member_string(w, "label", label);
    ct_sjson_member_string(w, "description", description);
    ct_sjson_member_bool(w, "default", is_default);
    ct_sjson_end_object(w);
}

static void write_capabilities(ct_sjson_writer *w) {
    static const char *const names[] = {
        "supportsConfigurationDoneRequest",
        "supportsConditionalBreakpoints",
        "supportsHitConditionalBreakpoints",
        "supportsLogPoints",
        "supportsEvaluateForHovers",
        "supportsSetVariable",
        "supportsSetExpression",
        "supportsCompletionsRequest",
        "supportsExceptionInfoRequest",
        "supportTerminateDebuggee",
        "supportsTerminateRequest",
        "supportsDelayedStackTraceLoading",
        "supportsLoadedSourcesRequest",
        "supportsCancelRequest",
        "supportsBreakpointLocationsRequest",
        "supportsClipboardContext",
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i)
        ct_sjson_member_bool(w, names[i], true);
    ct_sjson_write_key(w, "completionTriggerCharacters");
    ct_sjson_begin_array(w);
    ct_sjson_write_string(w, ".");
    ct_sjson_write_string(w, ":");
    ct_sjson_end_array(w);
    ct_sjson_write_key(w, "exceptionBreakpointFilters");
    ct_sjson_begin_array(w);
    write_filter(w, "uncaught", "Uncaught errors", "Errors that no pcall of a script gets", true);
    write_filter(w, "all", "All errors", "Errors where they are raised, also those in a pcall",
                 false);
    ct_sjson_end_array(w);
}

bool ct_dap_do_initialize(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    ct_dap_client *const c = &s->client;
    const char *format = "path", *adapter = "";
    bool lines_at_1 = true, columns_at_1 = true;
    if (s->state != CT_DAP_STATE_NEW)
        return ct_error_set(error, "`initialize` was sent before");
    if (!ct_dap_string(r->arguments, "adapterID", &adapter, error) ||
        !ct_dap_optional_bool(r->arguments, "linesStartAt1", &lines_at_1, error) ||
        !ct_dap_optional_bool(r->arguments, "columnsStartAt1", &columns_at_1, error) ||
        !ct_dap_optional_bool(r->arguments, "supportsVariableType", &c->has_types, error) ||
        !ct_dap_optional_bool(r->arguments, "supportsVariablePaging", &c->has_paging, error) ||
        !ct_dap_optional_string(r->arguments, "pathFormat", &format, error))
        return false;
    c->is_uri = strcmp(format, "uri") == 0;
    if (!c->is_uri && strcmp(format, "path") != 0)
        return ct_error_set(error, "`pathFormat` is \"%.100s\"; expected \"path\" or \"uri\"",
                            format);
    c->first_line = lines_at_1;
    c->first_column = columns_at_1;
    s->state = CT_DAP_STATE_READY;
    write_capabilities(ct_dap_begin_response(s, r));
    ct_dap_end_message(s);
    return true;
}

// --- Attaching -----------------------------------------------------------------------------------

void ct_dap_start_fail(ct_dap_session *s, const char *message) {
    ct_dap_link_close(&s->link);
    ct_dap_fail_pending(s, message);
    ct_dap_game_stop(&s->game);
    ct_dap_game_free(&s->game);
    ct_dap_game_init(&s->game, s->allocator);
    s->state = CT_DAP_STATE_READY;
    s->port = 0;
    if (s->start.doc)
        ct_dap_fail(s, &s->start, message);
    ct_dap_request_free(&s->start);
}

static void send_process(ct_dap_session *s) {
    ct_sjson_writer *const w = ct_dap_begin_event(s, "process");
    ct_sjson_member_string(w, "name", s->paths.project);
    ct_sjson_member_bool(w, "isLocalProcess", true);
    ct_sjson_member_string(w, "startMethod", s->is_launched ? "launch" : "attach");
    if (s->is_launched)
        ct_sjson_member_number(w, "systemProcessId", (double)s->game.process.pid);
    ct_dap_end_message(s);
}

// Tells the game that its errors do not stop it.
static void ignore_errors(ct_dap_session *s) {
    ct_sjson_writer *const w = ct_dap_begin_ask(s, "debugger_errors");
    ct_sjson_member_string(w, "stop", "never");
    ct_dap_end_ask(s, NULL, NULL, false);
}

// The game is attached; `r` is no request then.
static bool take_attached(ct_dap_session *s, ct_dap_request *r, ct_dap_reply *reply,
                          ct_error *error) {
    (void)r;
    (void)error;
    char text[256];
    if (reply->error) {
        ct_dap_start_fail(s, reply->error);
        return true;
    }
    const uint32_t version = ct_dap_reply_number(reply->doc, reply->root, "version");
    if (version != VERSION) {
        snprintf(text, sizeof(text),
                 "the game's debugger has version %u; expected %d: use the "
                 "`cuttle` of the game",
                 version, VERSION);
        ct_dap_start_fail(s, text);
        return true;
    }
    ct_dap_paths_set(&s->paths, ct_dap_reply_string(reply->doc, reply->root, "project"),
                     ct_dap_reply_string(reply->doc, reply->root, "core"));
    s->state = CT_DAP_STATE_CONFIGURING;
    if (s->has_no_debug)
        ignore_errors(s);
    const ct_sjson_value stop = ct_sjson_find(reply->doc, reply->root, "stopped");
    const uint32_t line = ct_dap_reply_number(reply->doc, stop, "line");
    const bool is_pause = strcmp(ct_dap_reply_string(reply->doc, stop, "reason"), "pause") == 0;
    s->waits_to_start = is_pause && line == 0;
    if (stop.entry != 0 && !s->waits_to_start)
        ct_dap_take_stop(s, reply->doc, stop);
    ct_dap_succeed(s, &s->start);
    ct_dap_request_free(&s->start);
    send_process(s);
    ct_dap_begin_event(s, "initialized");
    ct_dap_end_message(s);
    return true;
}

// Asks the game to take us; the connection is there.
static void ask_to_attach(ct_dap_session *s, uint64_t now_ns) {
    ct_sjson_writer *const w = ct_dap_begin_ask(s, "debugger_attach");
    ct_sjson_member_string(w, "name", "cuttle debug");
    ct_dap_end_ask(s, NULL, take_attached, true);
    s->give_up_ns = s->is_launched ? UINT64_MAX : now_ns + answer_limit_ns;
}

void ct_dap_start_step(ct_dap_session *s, uint64_t now_ns) {
    if (s->state != CT_DAP_STATE_STARTING)
        return;
    if (s->link.socket >= 0) {
        if (now_ns >= s->give_up_ns)
            ct_dap_start_fail(s,
                              "the program at the port has not answered within 10 seconds; is it "
                              "a game that was started by `cuttle run`?");
        return;
    }
    if (s->port == 0 || now_ns < s->next_try_ns)
        return;
    s->next_try_ns = now_ns + try_every_ns;
    if (ct_dap_link_connect(&s->link, "127.0.0.1", (uint16_t)s->port, NULL))
        ask_to_attach(s, now_ns);
}

bool ct_dap_do_attach(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    const char *host = "127.0.0.1";
    uint32_t port = 0;
    bool stops = false;
    if (s->state != CT_DAP_STATE_READY)
        return ct_error_set(error, "a game was launched or attached before");
    if (!ct_dap_optional_string(r->arguments, "host", &host, error) ||
        !ct_dap_optional_number(r->arguments, "port", &port, error) ||
        !ct_dap_optional_bool(r->arguments, "stopOnEntry", &stops, error))
        return false;
    if (!ct_socket_is_loopback(host))
        return ct_error_set(error,
                            "`host` is \"%.100s\"; expected an address of this machine, such "
                            "as 127.0.0.1: games listen there only",
                            host);
    if (port > 65535)
        return ct_error_set(error, "`port` is %u; expected 1 to 65535", port);
    uint16_t found = (uint16_t)port;
    if (port == 0 && ct_prompt_engines_search(&found) == 0)
        return ct_error_set(error, "no game runs on this machine (ports 64000 to 64015); "
                                   "`cuttle run PROJECT` starts one");
    if (!ct_dap_link_connect(&s->link, host, found, error))
        return false;
    s->is_launched = s->has_no_debug = false;
    s->stops_on_entry = stops;
    s->port = found;
    s->start = *r;
    memset(r, 0, sizeof(*r));
    s->state = CT_DAP_STATE_STARTING;
    ask_to_attach(s, ct_os_time_ns());
    return true;
}

// --- The end of configuration --------------------------------------------------------------------

// Lets a game begin that waits before its first line.
static void begin_game(ct_dap_session *s) {
    ct_sjson_writer *const w =
        ct_dap_begin_ask(s, s->stops_on_entry ? "debugger_step" : "debugger_continue");
    if (s->stops_on_entry) {
        ct_sjson_member_string(w, "kind", "into");
        ct_sjson_member_number(w, "thread", 1);
    }
    ct_dap_end_ask(s, NULL, NULL, false);
    s->goes_on_by_us = true;
}

bool ct_dap_do_configuration_done(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    if (s->state != CT_DAP_STATE_CONFIGURING)
        return ct_error_set(error, s->state < CT_DAP_STATE_CONFIGURING
                                       ? "no game is attached; wait for `initialized`"
                                       : "`configurationDone` was sent before");
    s->state = CT_DAP_STATE_RUNNING;
    s->is_entry = s->stops_on_entry;
    ct_dap_succeed(s, r);
    if (s->waits_to_start) {
        begin_game(s);
    } else if (s->stops.count != 0) {
        for (uint32_t i = 0; i < s->stops.count; ++i)
            ct_dap_show_stop(s, s->stops.items[i].thread);
    } else if (s->stops_on_entry) {
        ct_dap_begin_ask(s, "debugger_pause");
        ct_dap_end_ask(s, NULL, NULL, false);
    }
    return true;
}
