// navigation_mesh_parts.c: what a mesh has, for drawing and tools.
#include "navigation/mesh/navigation_mesh_private.h"

float ct_navigation_area_cost(const ct_navigation_mesh *m, uint32_t area) {
    CT_ASSERT(area < m->resource->areas.count, "area %u of %u", area, m->resource->areas.count);
    const ct_navigation_area *const areas = ct_blob_at(m->resource, m->resource->areas.offset);
    return m->area_costs[area] > 0 ? m->area_costs[area] : areas[area].cost;
}

bool ct_navigation_link_ends(const ct_navigation_mesh *m, uint32_t link, ct_navigation_place *from,
                             ct_navigation_place *to) {
    CT_ASSERT(link < m->links.count, "link %u of %u", link, m->links.count);
    *from = m->links.items[link].from;
    *to = m->links.items[link].to;
    return *from && *to;
}

uint32_t ct_navigation_obstacles(const ct_navigation_mesh *m, ct_navigation_obstacle *obstacles,
                                 uint32_t max) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->obstacles.count; ++i) {
        const ct_navigation_obstacle_slot *const slot = &m->obstacles.items[i];
        if (!slot->is_live)
            continue;
        if (obstacles && count < max)
            obstacles[count] =
                (ct_navigation_obstacle){slot->generation << CT_NAVIGATION_OBSTACLE_BITS | (i + 1)};
        ++count;
    }
    return count;
}

const ct_navigation_obstacle_desc *ct_navigation_obstacle_of(const ct_navigation_mesh *m,
                                                             ct_navigation_obstacle o) {
    const uint32_t index = (o.id & ((1u << CT_NAVIGATION_OBSTACLE_BITS) - 1)) - 1;
    return ct_navigation_obstacle_is_live(m, o) ? &m->obstacles.items[index].desc : NULL;
}
