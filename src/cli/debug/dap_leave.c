#include "cli/debug/dap_leave.h"

#include <string.h>

#include "cli/debug/dap_handlers.h"
#include "cli/debug/dap_start.h"

static const uint64_t quit_limit_ns = 5000000000;  // for a game that was asked to quit
static const uint64_t leave_limit_ns = 1500000000; // for `disconnect`: clients do not wait for long

// --- The end of the game -------------------------------------------------------------------------

static void finish_leaving(ct_dap_session *s) {
    if (!s->leaving.doc)
        return;
    ct_dap_succeed(s, &s->leaving);
    ct_dap_request_free(&s->leaving);
    s->is_closing = true;
}

void ct_dap_game_over(ct_dap_session *s, const char *reason) {
    ct_dap_link_close(&s->link);
    if (s->state == CT_DAP_STATE_STARTING) {
        ct_dap_start_fail(s, reason);
        finish_leaving(s);
        return;
    }
    ct_dap_fail_pending(s, reason);
    ct_dap_forget_stops(s);
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
    finish_leaving(s);
}

// Asks the game to end, also when it is stopped.
static void ask_to_quit(ct_dap_session *s, uint64_t limit_ns) {
    ct_sjson_member_string(ct_dap_begin_ask(s, "command"), "command", "quit");
    ct_dap_end_ask(s, NULL, NULL, false);
    ct_dap_begin_ask(s, "debugger_continue"); // an error when it is not stopped
    ct_dap_end_ask(s, NULL, NULL, false);
    s->goes_on_by_us = true;
    if (s->is_launched)
        ct_dap_game_limit(&s->game, ct_os_time_ns() + limit_ns);
}

// --- Requests ------------------------------------------------------------------------------------

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
    if (ends_game) {
        ask_to_quit(s, leave_limit_ns);
        return;
    }
    ct_dap_begin_ask(s, "debugger_detach");
    ct_dap_end_ask(s, NULL, take_detached, true);
}

bool ct_dap_do_disconnect(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    bool ends_game = s->is_launched;
    if (s->leaving.doc)
        return ct_error_set(error, "`disconnect` was sent before");
    if (!ct_dap_optional_bool(r->arguments, "terminateDebuggee", &ends_game, error))
        return false;
    s->leaving = *r;
    memset(r, 0, sizeof(*r));
    if (s->state == CT_DAP_STATE_STARTING)
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

void ct_dap_leave_step(ct_dap_session *s, uint64_t now_ns) {
    // A game that was launched is killed when its time is over.
    if (s->leaving.doc && !s->is_launched && now_ns >= s->give_up_ns)
        ct_dap_game_over(s, "the game does not answer");
}

bool ct_dap_do_terminate(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    if (s->state == CT_DAP_STATE_STARTING) {
        ct_dap_start_fail(s, "cancelled");
    } else if (!ct_dap_can_ask(s, error)) {
        return false;
    } else {
        ask_to_quit(s, quit_limit_ns);
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
