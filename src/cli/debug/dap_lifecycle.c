#include "cli/debug/dap_lifecycle.h"

#include <stdio.h>
#include <string.h>

#include "cli/debug/dap_breakpoints.h"
#include "cli/debug/dap_events.h"
#include "cli/debug/dap_launch.h"
#include "cli/debug/dap_requests.h"
#include "cli/prompt/prompt_engines.h"

enum { VERSION = 1 }; // of the debugger's messages
static const uint64_t try_every_ns = 50000000;
static const uint64_t answer_limit_ns = 10000000000;
static const uint64_t quit_limit_ns = 5000000000;  // for a game that was asked to quit
static const uint64_t leave_limit_ns = 1500000000; // for `disconnect`: clients do not wait for long

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
        "supportsRestartRequest",
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

static void send_process(ct_dap_session *s) {
    ct_sjson_writer *const w = ct_dap_begin_event(s, "process");
    ct_sjson_member_string(w, "name", s->paths.project);
    ct_sjson_member_bool(w, "isLocalProcess", true);
    ct_sjson_member_string(w, "startMethod", s->is_launched ? "launch" : "attach");
    if (s->is_launched)
        ct_sjson_member_number(w, "systemProcessId", (double)s->game.process.pid);
    ct_dap_end_message(s);
}

// A game that was attached cannot be started again: the client detaches and attaches then.
static void take_restart_away(ct_dap_session *s) {
    ct_sjson_writer *const w = ct_dap_begin_event(s, "capabilities");
    ct_sjson_write_key(w, "capabilities");
    ct_sjson_begin_object(w);
    ct_sjson_member_bool(w, "supportsRestartRequest", false);
    ct_sjson_end_object(w);
    ct_dap_end_message(s);
}

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

// The client has said all that it wants before the game runs.
static void begin_running(ct_dap_session *s) {
    s->state = CT_DAP_STATE_RUNNING;
    s->is_entry = s->stops_on_entry;
    if (s->waits_to_start) {
        begin_game(s);
    } else if (s->stops.count != 0) {
        for (uint32_t i = 0; i < s->stops.count; ++i)
            ct_dap_show_stop(s, s->stops.items[i].thread);
    } else if (s->stops_on_entry) {
        ct_dap_begin_ask(s, "debugger_pause");
        ct_dap_end_ask(s, NULL, NULL, false);
    }
}

// Responds to the request that waits, whose document may be how the game was launched.
static void finish_start(ct_dap_session *s) {
    ct_dap_succeed(s, &s->start);
    if (s->launch.doc && s->launch.doc == s->start.doc) {
        ct_sjson_free(s->launch_doc);
        s->launch_doc = s->start.doc;
        s->start.doc = NULL;
    }
    ct_dap_request_free(&s->start);
}

// The game is attached: the client says what it wants next, or has said it before a restart.
static void begin_configuration(ct_dap_session *s) {
    const bool is_restart = ct_dap_is_restarting(s);
    s->state = CT_DAP_STATE_CONFIGURING;
    finish_start(s);
    send_process(s);
    if (is_restart || s->has_no_debug)
        ct_dap_send_error_stops(s);
    if (is_restart) {
        ct_dap_send_breakpoints(s);
        begin_running(s);
        return;
    }
    if (!s->is_launched)
        take_restart_away(s);
    ct_dap_begin_event(s, "initialized");
    ct_dap_end_message(s);
}

// The game has answered `debugger_attach`; `r` is no request then.
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
    const ct_sjson_value stop = ct_sjson_find(reply->doc, reply->root, "stopped");
    const uint32_t line = ct_dap_reply_number(reply->doc, stop, "line");
    const bool is_pause = strcmp(ct_dap_reply_string(reply->doc, stop, "reason"), "pause") == 0;
    s->waits_to_start = is_pause && line == 0;
    if (stop.entry != 0 && !s->waits_to_start)
        ct_dap_take_stop(s, reply->doc, stop);
    begin_configuration(s);
    return true;
}

// Asks the game to take us; the connection is there.
static void ask_to_attach(ct_dap_session *s, uint64_t now_ns) {
    ct_sjson_writer *const w = ct_dap_begin_ask(s, "debugger_attach");
    ct_sjson_member_string(w, "name", "cuttle debug");
    ct_dap_end_ask(s, NULL, take_attached, true);
    s->give_up_ns = s->is_launched ? UINT64_MAX : now_ns + answer_limit_ns;
}

static void step_start(ct_dap_session *s, uint64_t now_ns) {
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

// Keeps a request until the game is attached.
static void wait_for_start(ct_dap_session *s, ct_dap_request *r) {
    s->start = *r;
    memset(r, 0, sizeof(*r));
    s->state = CT_DAP_STATE_STARTING;
}

bool ct_dap_do_launch(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    if (s->state != CT_DAP_STATE_READY)
        return ct_error_set(error, "a game was launched or attached before");
    if (!ct_dap_launch(s, r->arguments, error))
        return false;
    s->launch = r->arguments;
    wait_for_start(s, r);
    return true;
}

// Says which of several games was taken.
static void say_choice(ct_dap_session *s, uint32_t num_games, uint16_t port) {
    char text[160];
    const int length = snprintf(text, sizeof(text),
                                "%u games run on this machine; attached to the one at port %u: "
                                "`port` in the configuration chooses another.",
                                num_games, port);
    ct_dap_output(s, "important", text, (uint32_t)length, NULL, 0);
}

bool ct_dap_do_attach(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    const char *host = "127.0.0.1";
    uint32_t port = 0, num_games = 1;
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
    if (port == 0 && (num_games = ct_prompt_engines_search(&found)) == 0)
        return ct_error_set(error, "no game runs on this machine (ports 64000 to 64015); "
                                   "`cuttle run PROJECT` starts one");
    if (!ct_dap_link_connect(&s->link, host, found, error))
        return false;
    if (num_games > 1)
        say_choice(s, num_games, found);
    s->is_launched = s->has_no_debug = false;
    s->stops_on_entry = stops;
    s->port = found;
    wait_for_start(s, r);
    ask_to_attach(s, ct_os_time_ns());
    return true;
}

bool ct_dap_do_configuration_done(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    if (s->state != CT_DAP_STATE_CONFIGURING)
        return ct_error_set(error, s->state < CT_DAP_STATE_CONFIGURING
                                       ? "no game is attached; wait for `initialized`"
                                       : "`configurationDone` was sent before");
    ct_dap_succeed(s, r);
    begin_running(s);
    return true;
}

// --- The end of the game -------------------------------------------------------------------------

static void finish_leaving(ct_dap_session *s) {
    if (!s->leaving.doc)
        return;
    ct_dap_succeed(s, &s->leaving);
    ct_dap_request_free(&s->leaving);
    s->is_closing = true;
}

// The client has no game any more.
static void end_session(ct_dap_session *s) {
    if (s->state != CT_DAP_STATE_ENDED && s->is_launched) {
        ct_sjson_writer *const w = ct_dap_begin_event(s, "exited");
        ct_sjson_member_number(w, "exitCode", s->game.exit_code);
        ct_dap_end_message(s);
    }
    if (s->state != CT_DAP_STATE_ENDED) {
        ct_dap_begin_event(s, "terminated");
        ct_dap_end_message(s);
    }
    s->state = CT_DAP_STATE_ENDED;
}

void ct_dap_start_fail(ct_dap_session *s, const char *message) {
    const bool is_restart = ct_dap_is_restarting(s);
    ct_dap_link_close(&s->link);
    ct_dap_fail_pending(s, message);
    ct_dap_game_stop(&s->game);
    const int exit_code = s->game.exit_code;
    ct_dap_game_free(&s->game);
    ct_dap_game_init(&s->game, s->allocator);
    s->game.exit_code = exit_code;
    if (s->start.doc)
        ct_dap_fail(s, &s->start, message);
    ct_dap_request_free(&s->start);
    s->launch = (ct_dap_object){0};
    s->port = 0;
    if (is_restart)
        end_session(s);
    else
        s->state = CT_DAP_STATE_READY;
}

// The game that `restart` ends is gone.
static void start_again(ct_dap_session *s) {
    ct_error error = {0};
    if (ct_dap_launch(s, s->launch, &error))
        s->state = CT_DAP_STATE_STARTING;
    else
        ct_dap_start_fail(s, error.message);
}

void ct_dap_game_over(ct_dap_session *s, const char *reason) {
    ct_dap_link_close(&s->link);
    if (s->state == CT_DAP_STATE_RESTARTING) {
        ct_dap_fail_pending(s, reason);
        start_again(s);
        return;
    }
    if (s->state == CT_DAP_STATE_STARTING) {
        ct_dap_start_fail(s, reason);
    } else {
        ct_dap_fail_pending(s, reason);
        ct_dap_forget_stops(s);
        end_session(s);
    }
    finish_leaving(s);
}

// Asks the game to end, also when it is stopped.
static void ask_to_quit(ct_dap_session *s, uint64_t limit_ns) {
    ct_sjson_member_string(ct_dap_begin_ask(s, "command"), "command", "quit");
    ct_dap_end_ask(s, NULL, NULL, false);
    if (s->is_launched)
        ct_dap_game_limit(&s->game, ct_os_time_ns() + limit_ns);
}

// Lets the game go on without us. Its answer, if it is of use, goes to `answer`.
static void ask_to_detach(ct_dap_session *s, ct_dap_answer answer) {
    ct_dap_begin_ask(s, "debugger_detach");
    ct_dap_end_ask(s, NULL, answer, true);
}

// --- Starting again ------------------------------------------------------------------------------

// Sets `launch` to the arguments for the new game: the latest configuration in `arguments`; or the arguments
// themselves, as Neovim has it; or those from before.
static bool read_restart(const ct_dap_session *s, const ct_dap_request *r, ct_dap_object *launch,
                         ct_error *error) {
    ct_sjson_value given = {0};
    if (!ct_dap_optional_object(r->arguments, "arguments", &given, error))
        return false;
    const ct_sjson_value kind = ct_sjson_find(r->doc, r->arguments.value, "request");
    if (given.entry != 0)
        *launch = (ct_dap_object){r->doc, given};
    else if (strcmp(ct_sjson_string(r->doc, kind, ""), "launch") == 0)
        *launch = r->arguments;
    else
        *launch = s->launch;
    return ct_dap_launch_check(s, *launch, error);
}

bool ct_dap_do_restart(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    ct_dap_object launch = {0};
    if (!s->is_launched)
        return ct_error_set(error, "the game was attached; only one that `launch` has started can "
                                   "be started again");
    if (s->state != CT_DAP_STATE_RUNNING)
        return ct_error_set(error, "expected `configurationDone` first");
    if (!read_restart(s, r, &launch, error))
        return false;
    const uint32_t thread = s->stops.count != 0 ? s->stops.items[0].thread : 0;
    ct_dap_fail_pending(s, "the game is being started again");
    ct_dap_forget_stops(s);
    if (thread != 0) {
        ct_sjson_writer *const w = ct_dap_begin_event(s, "continued");
        ct_sjson_member_number(w, "threadId", thread);
        ct_sjson_member_bool(w, "allThreadsContinued", true);
        ct_dap_end_message(s);
    }
    ask_to_quit(s, quit_limit_ns);
    ask_to_detach(s, NULL);
    s->launch = launch;
    wait_for_start(s, r);
    s->state = CT_DAP_STATE_RESTARTING;
    return true;
}

// --- Leaving -------------------------------------------------------------------------------------

static bool take_detached(ct_dap_session *s, ct_dap_request *r, ct_dap_reply *reply,
                          ct_error *error) {
    (void)r;
    (void)reply;
    (void)error;
    ct_dap_game_over(s, "the game was left");
    return true;
}

// Leaves a game that is attached or runs for us; the response to `leaving` comes later.
static void leave(ct_dap_session *s, bool ends_game) {
    s->give_up_ns = ct_os_time_ns() + leave_limit_ns;
    if (ends_game)
        ask_to_quit(s, leave_limit_ns);
    ask_to_detach(s, ends_game ? NULL : take_detached);
}

bool ct_dap_do_disconnect(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    bool ends_game = s->is_launched;
    if (s->leaving.doc)
        return ct_error_set(error, "`disconnect` was sent before");
    if (!ct_dap_optional_bool(r->arguments, "terminateDebuggee", &ends_game, error))
        return false;
    s->leaving = *r;
    memset(r, 0, sizeof(*r));
    if (s->start.doc)
        ct_dap_start_fail(s, "cancelled");
    if (s->state < CT_DAP_STATE_CONFIGURING || s->state == CT_DAP_STATE_ENDED) {
        finish_leaving(s);
        return true;
    }
    if (s->is_launched && !ends_game) {
        static const char text[] =
            "The game was launched by this session and ends with it; attach to "
            "a game that should go on.";
        ct_dap_output(s, "important", text, sizeof(text) - 1, NULL, 0);
    }
    leave(s, ends_game || s->is_launched);
    return true;
}

static void step_leaving(ct_dap_session *s, uint64_t now_ns) {
    // A game that was launched is killed when its time is over.
    if (s->leaving.doc && !s->is_launched && now_ns >= s->give_up_ns)
        ct_dap_game_over(s, "the game does not answer");
}

void ct_dap_lifecycle_step(ct_dap_session *s, uint64_t now_ns) {
    step_start(s, now_ns);
    step_leaving(s, now_ns);
}

bool ct_dap_do_terminate(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    if (s->start.doc) {
        ct_dap_start_fail(s, "cancelled");
    } else if (!ct_dap_can_ask(s, error)) {
        return false;
    } else {
        ask_to_quit(s, quit_limit_ns);
        ct_dap_begin_ask(s, "debugger_continue"); // an error when it is not stopped
        ct_dap_end_ask(s, NULL, NULL, false);
        s->goes_on_by_us = true;
    }
    ct_dap_succeed(s, r);
    return true;
}

bool ct_dap_do_cancel(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    uint32_t seq = 0;
    if (!ct_dap_optional_number(r->arguments, "requestId", &seq, error))
        return false;
    for (uint32_t i = 0; i < s->pending.count; ++i) {
        ct_dap_pending *const p = &s->pending.items[i];
        if (!p->request.doc || p->request.seq != seq)
            continue;
        ct_dap_fail(s, &p->request, "cancelled");
        ct_dap_request_free(&p->request);
        p->answer = NULL;
    }
    if (s->start.doc && s->start.seq == seq)
        ct_dap_start_fail(s, "cancelled");
    ct_dap_succeed(s, r);
    return true;
}
