// External: events from and to scripts. Values are variables, and graphs in graphs are the compiler's.
#include "flow/flow_private.h"
#include "flow/nodes/flow_functions.h"

static uint32_t run_external_in_event(ct_flow_call *c, uint32_t event) {
    (void)c, (void)event;
    return 0;
}

static void send_level_event(ct_flow_call *c, ct_level level) {
    const ct_flow_lua *const lua = &c->world->system->lua;
    if (!level.id)
        ct_flow_error(c, "the unit is of no level");
    else if (lua->level_event)
        lua->level_event(lua->user, c->world->world, level, ct_flow_text(c, 0));
    else
        ct_flow_error(c, "there are no scripts to send the event to");
}

static uint32_t run_level_event(ct_flow_call *c, uint32_t event) {
    const ct_flow_head *const head = (const void *)c->bases[CT_FLOW_REGION_DYNAMIC];
    const ct_entity unit =
        ct_world_unit_of(c->world->world, (ct_entity){(uint32_t)head->unit.entity});
    uint32_t place;
    (void)event;
    send_level_event(c, head->level ? (ct_level){head->level}
                                    : ct_world_find_level_unit(c->world->world, unit, &place));
    return CT_FLOW_STOP;
}

static uint32_t run_external_out_event(ct_flow_call *c, uint32_t event) {
    const ct_flow_lua *const lua = &c->world->system->lua;
    const ct_flow_head *const head = (const void *)c->bases[CT_FLOW_REGION_DYNAMIC];
    (void)event;
    if (!head->unit.entity)
        send_level_event(c, (ct_level){head->level});
    else if (lua->unit_event)
        lua->unit_event(lua->user, c->world->world, (ct_entity){(uint32_t)head->unit.entity},
                        ct_flow_text(c, 0));
    else
        ct_flow_error(c, "there are no scripts to send the event to");
    return CT_FLOW_STOP;
}

// Entries that nobody starts: what is read of them is what their pure nodes give (flow_variables.c).
static uint32_t run_external_output(ct_flow_call *c, uint32_t event) {
    (void)c, (void)event;
    return CT_FLOW_STOP;
}

static const ct_flow_function_row rows[] = {
    {"external_in_event", run_external_in_event},
    {"external_out_event", run_external_out_event},
    {"external_output_actor", run_external_output},
    {"external_output_boolean", run_external_output},
    {"external_output_camera", run_external_output},
    {"external_output_entity", run_external_output},
    {"external_output_id", run_external_output},
    {"external_output_light", run_external_output},
    {"external_output_material", run_external_output},
    {"external_output_mesh", run_external_output},
    {"external_output_mover", run_external_output},
    {"external_output_numeric", run_external_output},
    {"external_output_quaternion", run_external_output},
    {"external_output_string", run_external_output},
    {"external_output_unit", run_external_output},
    {"external_output_vector_3", run_external_output},
    {"level_event", run_level_event},
};

const ct_flow_functions ct_flow_run_external = {rows, CT_COUNT_OF(rows)};
