// Events of navigation agents: they start entries in the graphs of their units.
#include <string.h>

#include "flow/flow_private.h"
#include "flow/nodes/flow_parts.h"
#include "world/world_navigation.h"

// Sets the kind and the ends of a link; false: it is gone.
static bool set_link(ct_flow_call *c, const ct_world *w, const ct_navigation_agent_event *e) {
    enum { KIND, FROM, TO }; // outputs
    const char *kind;
    ct_vec3 from, to;
    if (!ct_navigation_agent_event_link(ct_world_navigation_agents(w), e, &kind, &from, &to))
        return false;
    ct_flow_set_text(c, KIND, kind, (uint32_t)strlen(kind));
    ct_flow_set_vector3(c, FROM, from);
    ct_flow_set_vector3(c, TO, to);
    return true;
}

// An event in a world.
typedef struct agent_event {
    const ct_world *world;
    const ct_navigation_agent_event *event;
} agent_event;

static void prepare(ct_flow_call *c, void *user) {
    const agent_event *const e = user;
    static const uint32_t outs[CT_NAVIGATION_EVENT_COUNT] = {[CT_NAVIGATION_EVENT_ARRIVED] = 0,
                                                             [CT_NAVIGATION_EVENT_FAILED] = 1,
                                                             [CT_NAVIGATION_EVENT_LINK] = 2,
                                                             [CT_NAVIGATION_EVENT_STUCK] = 3};
    ct_flow_navigation_state *const state = ct_flow_state(c);
    state->event_out = outs[e->event->type];
    if (e->event->type == CT_NAVIGATION_EVENT_LINK && !set_link(c, e->world, e->event))
        state->event_out = CT_FLOW_STOP;
}

void ct_flow_run_navigation_events(ct_flow_world *w) {
    const ct_navigation_agent_manager *const m = ct_world_navigation_agents(w->world);
    uint32_t count = 0;
    if (!m || w->of_units.count == 0)
        return;
    ct_navigation_agent_events(m, &count);
    for (uint32_t i = 0; i < count; ++i) {
        // Graphs may end agents, but not change the list until the next step.
        const ct_navigation_agent_event event = ct_navigation_agent_events(m, &count)[i];
        agent_event e = {w->world, &event};
        const ct_entity unit = ct_flow_of_unit(w, event.entity).id
                                   ? event.entity
                                   : ct_world_unit_of(w->world, event.entity);
        if (unit.id)
            ct_flow_start_of_unit(w, unit, CT_ID32("navigation_agent_event", 0xd5115245), prepare,
                                  &e);
    }
}
