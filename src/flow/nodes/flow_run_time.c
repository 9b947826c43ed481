// Utilities > Time.
#include "flow/flow.h"
#include "flow/nodes/flow_functions.h"

static uint32_t run_get_last_delta_time(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_flow_set_number(c, 0, ct_world_delta_time(ct_flow_call_world(c)));
    return CT_FLOW_STOP;
}

static const ct_flow_function_row rows[] = {
    {"get_last_delta_time", run_get_last_delta_time},
};

const ct_flow_functions ct_flow_run_time = {rows, CT_COUNT_OF(rows)};
