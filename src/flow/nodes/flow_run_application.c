// Nodes of Application.
#include <string.h>

#include "flow/flow_private.h"
#include "flow/nodes/flow_functions.h"
#include "flow/nodes/flow_parts.h"
#include "render/renderer.h"

static uint32_t get_size(ct_flow_call *c, uint32_t event) {
    (void)event;
    uint32_t width, height;
    ct_renderer_size(ct_world_system_renderer(ct_world_system_of(ct_flow_call_world(c))), &width,
                     &height);
    ct_flow_set_number(c, 0, width);
    ct_flow_set_number(c, 1, height);
    return CT_FLOW_STOP;
}

static uint32_t get_build(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_flow_set_text(c, 0, CT_BUILD_NAME, (uint32_t)strlen(CT_BUILD_NAME));
    return CT_FLOW_STOP;
}

static uint32_t get_platform(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_flow_set_text(c, 0, "linux", 5);
    return CT_FLOW_STOP;
}

static uint32_t get_time(ct_flow_call *c, uint32_t event) {
    (void)event;
    const ct_flow_lua *const lua = &c->world->system->lua;
    ct_flow_set_number(c, 0, lua->time_since_launch ? lua->time_since_launch(lua->user) : 0);
    return CT_FLOW_STOP;
}

static uint32_t quit(ct_flow_call *c, uint32_t event) {
    (void)event;
    const ct_flow_lua *const lua = &c->world->system->lua;
    double value;
    if (!ct_flow_number_in(c, 0, 0, 255, &value))
        return CT_FLOW_STOP;
    if (lua->quit)
        lua->quit(lua->user, (int)value);
    else
        ct_flow_error(c, "this program cannot be ended from here");
    return CT_FLOW_STOP;
}

static const ct_flow_function_row rows[] = {
    {"get_back_buffer_size", get_size},  {"get_build", get_build}, {"get_platform", get_platform},
    {"get_time_since_launch", get_time}, {"quit", quit},
};

const ct_flow_functions ct_flow_run_application = {rows, CT_COUNT_OF(rows)};
