// Events of units, entities and levels. What starts them is in flow_world.c.
#include "flow/nodes/flow_functions.h"

static uint32_t run_event(ct_flow_call *c, uint32_t event) {
    (void)c, (void)event;
    return 0;
}

static uint32_t run_unit_event(ct_flow_call *c, uint32_t event) {
    const ct_flow_head *const head = (const void *)c->bases[CT_FLOW_REGION_DYNAMIC];
    (void)event;
    ct_flow_set_object(c, 0, head->unit);
    return 0;
}

static const ct_flow_function_row rows[] = {
    {"entity_spawned", run_unit_event},
    {"entity_spawned_editor", run_unit_event},
    {"entity_unspawned", run_unit_event},
    {"entity_unspawned_editor", run_unit_event},
    {"level_loaded", run_event},
    {"level_shutdown", run_event},
    {"level_update", run_event},
    {"unit_spawned", run_unit_event},
    {"unit_spawned_editor", run_unit_event},
    {"unit_unspawned", run_unit_event},
    {"unit_unspawned_editor", run_unit_event},
};

const ct_flow_functions ct_flow_run_events = {rows, CT_COUNT_OF(rows)};
