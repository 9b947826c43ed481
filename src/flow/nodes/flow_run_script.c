// Nodes of Script.
#include "flow/flow_private.h"
#include "flow/nodes/flow_functions.h"

enum { TEXT, FIRST, NUM_ARGUMENTS = 5 }; // inputs

static uint32_t call_global(ct_flow_call *c, uint32_t event) {
    const ct_flow_lua *const lua = &c->world->system->lua;
    if (lua->call_global)
        lua->call_global(lua->user, c, ct_flow_text(c, TEXT), FIRST, NUM_ARGUMENTS);
    else
        ct_flow_error(c, "there are no scripts to call");
    return event;
}

static uint32_t do_string(ct_flow_call *c, uint32_t event) {
    const ct_flow_lua *const lua = &c->world->system->lua;
    if (lua->run_string)
        lua->run_string(lua->user, c, ct_flow_text(c, TEXT), FIRST, NUM_ARGUMENTS);
    else
        ct_flow_error(c, "there are no scripts to call");
    return event;
}

static const ct_flow_function_row rows[] = {
    {"script_call_global", call_global},
    {"script_do_string", do_string},
};

const ct_flow_functions ct_flow_run_script = {rows, CT_COUNT_OF(rows)};
