// Nodes of Level.
#include "flow/flow_private.h"
#include "flow/nodes/flow_functions.h"
#include "flow/nodes/flow_parts.h"
#include "world/world_level_members.h"

static uint32_t get_marker(ct_flow_call *c, uint32_t event) {
    (void)event;
    ct_vec3 position;
    ct_quat rotation;
    if (ct_flow_marker(c, 0, &position, &rotation)) {
        ct_flow_set_vector3(c, 0, position);
        ct_flow_set_quaternion(c, 1, rotation);
    }
    return CT_FLOW_STOP;
}

static uint32_t get_volume(ct_flow_call *c, uint32_t event) {
    (void)event;
    const char *const name = ct_flow_text(c, 0);
    const ct_world_volume *const v =
        ct_level_find_member(ct_flow_call_world(c), ct_flow_level_of(c), CT_LEVEL_MEMBER_VOLUME,
                             ct_string_id32_of(name));
    if (!v) {
        ct_flow_error(c, "the level has no volume \"%.64s\"", name);
        return CT_FLOW_STOP;
    }
    ct_flow_set_vector3(c, 0, v->position);
    ct_flow_set_quaternion(c, 1, v->rotation);
    ct_flow_set_vector3(c, 2, v->half_size);
    ct_flow_set_vector3(c, 3, v->scale);
    return CT_FLOW_STOP;
}

static uint32_t trigger_event(ct_flow_call *c, uint32_t event) {
    (void)event;
    const char *const name = ct_flow_text(c, 0);
    const ct_flow_instance i = ct_flow_of_level(c->world, ct_flow_level_of(c));
    if (!i.id)
        ct_flow_error(c, "the level has no graph, or the unit is of no level");
    else if (!ct_flow_start(c->world, i, ct_string_id32_of("external_in_event"),
                            ct_string_id32_of(name), NULL, NULL))
        ct_flow_error(c, "the level's graph has no external in event \"%.64s\"", name);
    return CT_FLOW_STOP;
}

static uint32_t change_level(ct_flow_call *c, uint32_t event) {
    const ct_flow_lua *const lua = &c->world->system->lua;
    if (lua->call_global)
        lua->call_global(lua->user, c, "change_level", 0, 1);
    else
        ct_flow_error(c, "there are no scripts to ask");
    return event;
}

static const ct_flow_function_row rows[] = {
    {"change_level", change_level},
    {"get_marker_position_rotation", get_marker},
    {"get_trigger_properties", get_volume},
    {"trigger_level_flow_event", trigger_event},
};

const ct_flow_functions ct_flow_run_level = {rows, CT_COUNT_OF(rows)};
