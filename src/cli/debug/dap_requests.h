// dap_requests.h: the requests of clients: their table, and the functions behind it, by file.
//
// Each `ct_dap_do_…` responds, or keeps the request until the game answers, and returns true; or returns false
// with `error`, and the request fails.
#pragma once
#include "cli/debug/dap_session.h"

// Handles a message of the client. Returns false with `error` when it is no message of the protocol, after
// which there is no use in reading on: not JSON, or a request without a number to respond to.
bool ct_dap_dispatch(ct_dap_session *s, const char *json, uint32_t bytes, ct_error *error);

// dap_lifecycle.c: to a game that is attached
bool ct_dap_do_initialize(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_launch(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_attach(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_configuration_done(ct_dap_session *s, ct_dap_request *r, ct_error *error);

// dap_lifecycle.c: to the end of the game
bool ct_dap_do_restart(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_terminate(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_disconnect(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_cancel(ct_dap_session *s, ct_dap_request *r, ct_error *error);

// dap_breakpoints.c: where and at which errors the game stops
bool ct_dap_do_set_breakpoints(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_breakpoint_locations(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_set_exception_breakpoints(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_exception_info(ct_dap_session *s, ct_dap_request *r, ct_error *error);

// dap_run.c: threads, their frames, and how they go on
bool ct_dap_do_threads(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_stack_trace(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_continue(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_pause(ct_dap_session *s, ct_dap_request *r, ct_error *error);

// dap_run.c: steps
bool ct_dap_do_next(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_step_in(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_step_out(ct_dap_session *s, ct_dap_request *r, ct_error *error);

// dap_values.c: what is shown
bool ct_dap_do_scopes(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_variables(ct_dap_session *s, ct_dap_request *r, ct_error *error);

// dap_values.c: what is evaluated, set and completed
bool ct_dap_do_evaluate(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_set_variable(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_set_expression(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_completions(ct_dap_session *s, ct_dap_request *r, ct_error *error);

// dap_sources.c: scripts and their texts
bool ct_dap_do_source(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_loaded_sources(ct_dap_session *s, ct_dap_request *r, ct_error *error);
