// The link that an event of an agent is about.
#include "foundation/math/math.h"
#include "navigation/component/navigation_agent_private.h"

static float distance(ct_vec3 a, ct_vec3 b) {
    return ct_vec3_length(ct_vec3_sub(a, b));
}

// Whether the agent goes from the second end to the first.
static bool goes_back(const ct_navigation_agents *agents, ct_navigation_agent agent,
                      const ct_vec3 ends[2]) {
    ct_vec3 end;
    if (ct_navigation_agents_link(agents, agent, &end))
        return distance(end, ends[0]) < distance(end, ends[1]);
    const uint32_t i = ct_navigation_agents_index(agents, agent);
    if (i == UINT32_MAX)
        return false;
    const ct_vec3 at = ct_navigation_agents_all(agents).positions[i];
    return distance(at, ends[1]) < distance(at, ends[0]);
}

bool ct_navigation_agent_event_link(const ct_navigation_agent_manager *m,
                                    const ct_navigation_agent_event *e, const char **kind,
                                    ct_vec3 *from, ct_vec3 *to) {
    ct_navigation_agent_status status;
    if (!ct_navigation_world_has(m->navigation, e->instance) ||
        !ct_navigation_agent_status_of(m, e->entity, &status) ||
        status.instance.id != e->instance.id)
        return false;
    const ct_navigation_parts parts = ct_navigation_world_parts(m->navigation, e->instance);
    const ct_navigation_resource *const r = ct_navigation_mesh_resource(parts.mesh);
    if (e->link == 0 || e->link > r->links.count)
        return false;
    const ct_navigation_link *const links = ct_blob_at(r, r->links.offset);
    const ct_navigation_link *const link = &links[e->link - 1];
    const ct_vec3 ends[2] = {ct_vec3_make(link->from[0], link->from[1], link->from[2]),
                             ct_vec3_make(link->to[0], link->to[1], link->to[2])};
    const bool is_back = goes_back(parts.agents, status.agent, ends);
    *kind = ct_blob_at(r, link->kind_text.offset);
    *from = ct_navigation_to_world(m->navigation, e->instance, ends[is_back ? 1 : 0]);
    *to = ct_navigation_to_world(m->navigation, e->instance, ends[is_back ? 0 : 1]);
    return true;
}
