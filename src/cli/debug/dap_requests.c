#include "cli/debug/dap_requests.h"

#include <string.h>

static const struct {
    const char *command;
    bool (*handle)(ct_dap_session *s, ct_dap_request *r, ct_error *error);
    bool needs_game; // that is attached
} request_table[] = {
    {"initialize", ct_dap_do_initialize, false},
    {"launch", ct_dap_do_launch, false},
    {"attach", ct_dap_do_attach, false},
    {"configurationDone", ct_dap_do_configuration_done, false},
    {"restart", ct_dap_do_restart, true},
    {"terminate", ct_dap_do_terminate, false},
    {"disconnect", ct_dap_do_disconnect, false},
    {"cancel", ct_dap_do_cancel, false},
    {"setBreakpoints", ct_dap_do_set_breakpoints, false},
    {"setExceptionBreakpoints", ct_dap_do_set_exception_breakpoints, false},
    {"breakpointLocations", ct_dap_do_breakpoint_locations, true},
    {"exceptionInfo", ct_dap_do_exception_info, true},
    {"threads", ct_dap_do_threads, true},
    {"stackTrace", ct_dap_do_stack_trace, true},
    {"continue", ct_dap_do_continue, true},
    {"next", ct_dap_do_next, true},
    {"stepIn", ct_dap_do_step_in, true},
    {"stepOut", ct_dap_do_step_out, true},
    {"pause", ct_dap_do_pause, true},
    {"scopes", ct_dap_do_scopes, true},
    {"variables", ct_dap_do_variables, true},
    {"setVariable", ct_dap_do_set_variable, true},
    {"setExpression", ct_dap_do_set_expression, true},
    {"evaluate", ct_dap_do_evaluate, true},
    {"completions", ct_dap_do_completions, true},
    {"source", ct_dap_do_source, true},
    {"loadedSources", ct_dap_do_loaded_sources, true},
};

static bool handle(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    const ct_sjson_type type = ct_sjson_type_of(r->doc, r->arguments.value);
    if (type > CT_SJSON_TYPE_NULL && type != CT_SJSON_TYPE_OBJECT)
        return ct_error_set(error, "`arguments` is %s; expected an object",
                            ct_sjson_type_name(type));
    for (uint32_t i = 0; i < CT_COUNT_OF(request_table); ++i) {
        if (strcmp(request_table[i].command, r->command) != 0)
            continue;
        if (s->state == CT_DAP_STATE_NEW && i != 0 &&
            request_table[i].handle != ct_dap_do_disconnect)
            return ct_error_set(error, "expected the request `initialize` first");
        return (!request_table[i].needs_game || ct_dap_can_ask(s, error)) &&
               request_table[i].handle(s, r, error);
    }
    return ct_error_set(error, "unknown request \"%.100s\"", r->command);
}

// Takes over `doc`.
static bool take_request(ct_dap_session *s, ct_sjson *doc, ct_error *error) {
    const ct_sjson_value root = ct_sjson_root(doc);
    const ct_dap_object o = {doc, root};
    ct_dap_request r = {.doc = doc, .arguments = {doc, ct_sjson_find(doc, root, "arguments")}};
    if (!ct_dap_number(o, "seq", &r.seq, error)) {
        ct_dap_request_free(&r);
        return false;
    }
    r.command = "";
    ct_error why = {0};
    const bool is_done = ct_dap_string(o, "command", &r.command, &why) && handle(s, &r, &why);
    if (!is_done && r.doc)
        ct_dap_fail(s, &r, why.message);
    ct_dap_request_free(&r);
    return true;
}

bool ct_dap_dispatch(ct_dap_session *s, const char *json, uint32_t bytes, ct_error *error) {
    ct_sjson *const doc =
        ct_sjson_parse(s->allocator, json, bytes, "the client's message", NULL, error);
    if (!doc)
        return false;
    const ct_sjson_value root = ct_sjson_root(doc);
    const char *const type = ct_sjson_string(doc, ct_sjson_find(doc, root, "type"), "");
    if (strcmp(type, "request") == 0)
        return take_request(s, doc, error);
    const bool is_known = strcmp(type, "response") == 0 || strcmp(type, "event") == 0;
    ct_sjson_free(doc); // nothing was asked of the client
    return is_known || ct_error_set(error, "a message of the client has no `type` \"request\"");
}
