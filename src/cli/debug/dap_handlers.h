// dap_handlers.h: the functions behind the table of requests (dap_requests.c), by file.
//
// Each responds, or keeps the request until the game answers, and returns true; or returns false with
// `error`, and the request fails.
#pragma once
#include "cli/debug/dap_session.h"

// dap_start.c
bool ct_dap_do_initialize(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_attach(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_configuration_done(ct_dap_session *s, ct_dap_request *r, ct_error *error);

// dap_launch.c
bool ct_dap_do_launch(ct_dap_session *s, ct_dap_request *r, ct_error *error);

// dap_leave.c
bool ct_dap_do_disconnect(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_terminate(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_cancel(ct_dap_session *s, ct_dap_request *r, ct_error *error);

// dap_breakpoints.c
bool ct_dap_do_set_breakpoints(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_set_exception_breakpoints(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_breakpoint_locations(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_exception_info(ct_dap_session *s, ct_dap_request *r, ct_error *error);

// dap_run.c: what is there
bool ct_dap_do_threads(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_stack_trace(ct_dap_session *s, ct_dap_request *r, ct_error *error);

// dap_run.c: how it goes on
bool ct_dap_do_continue(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_next(ct_dap_session *s, ct_dap_request *r, ct_error *error);
// dap_run.c
bool ct_dap_do_step_in(ct_dap_session *s, ct_dap_request *r, ct_error *error);

// dap_run.c: out of a function, and stopping
bool ct_dap_do_step_out(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_pause(ct_dap_session *s, ct_dap_request *r, ct_error *error);

// dap_values.c
bool ct_dap_do_scopes(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_variables(ct_dap_session *s, ct_dap_request *r, ct_error *error);

// dap_evaluate.c
bool ct_dap_do_set_variable(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_set_expression(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_evaluate(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_completions(ct_dap_session *s, ct_dap_request *r, ct_error *error);

// dap_sources.c
bool ct_dap_do_source(ct_dap_session *s, ct_dap_request *r, ct_error *error);
bool ct_dap_do_loaded_sources(ct_dap_session *s, ct_dap_request *r, ct_error *error);
