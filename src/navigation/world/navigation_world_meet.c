// Agents of different instances avoid each other: of classes with meshes of their own, and of levels side by side.
#include "foundation/math/math.h"
#include "navigation/world/navigation_world_private.h"

static const float MOST_METRES = 10; // around the agents of an instance, in which others are seen

static ct_navigation_mover placed_mover(const ct_navigation_turn *t, ct_navigation_mover m) {
    m.position = ct_vec3_add(ct_navigation_turned(t, m.position), t->position);
    m.velocity = ct_navigation_turned(t, m.velocity);
    m.wanted = ct_navigation_turned(t, m.wanted);
    return m;
}

static ct_navigation_mover local_mover(const ct_navigation_turn *t, ct_navigation_mover m) {
    m.position = ct_navigation_turned_back(t, ct_vec3_sub(m.position, t->position));
    m.velocity = ct_navigation_turned_back(t, m.velocity);
    m.wanted = ct_navigation_turned_back(t, m.wanted);
    return m;
}

// Lists the agents of an instance, in the space of the world.
static void list_agents(ct_navigation_world *w, ct_navigation_placed *p) {
    p->first_mover = w->movers.count;
    p->num_movers = 0;
    p->box = ct_aabb_empty();
    if (!ct_navigation_agents_count(p->agents))
        return;
    ct_array_resize(&w->movers, p->first_mover + ct_navigation_agents_count(p->agents));
    ct_navigation_mover *const movers = w->movers.items + p->first_mover;
    p->num_movers = ct_navigation_agents_as_movers(p->agents, movers);
    w->movers.count = p->first_mover + p->num_movers;
    for (uint32_t i = 0; i < p->num_movers; ++i) {
        movers[i] = placed_mover(&p->turn, movers[i]);
        p->box = ct_aabb_add_point(p->box, movers[i].position);
    }
    p->box.min = ct_vec3_sub(p->box.min, ct_vec3_make(MOST_METRES, MOST_METRES, MOST_METRES));
    p->box.max = ct_vec3_add(p->box.max, ct_vec3_make(MOST_METRES, MOST_METRES, MOST_METRES));
}

static bool is_in(const ct_aabb *box, ct_vec3 p) {
    return p.x >= box->min.x && p.y >= box->min.y && p.z >= box->min.z && p.x <= box->max.x &&
           p.y <= box->max.y && p.z <= box->max.z;
}

// Adds the agents of `other` that are near those of `p`, in the space of its mesh.
static void meet(ct_navigation_world *w, const ct_navigation_placed *p,
                 const ct_navigation_placed *other) {
    for (uint32_t i = 0; i < other->num_movers; ++i) {
        const ct_navigation_mover m = w->movers.items[other->first_mover + i];
        if (is_in(&p->box, m.position))
            ct_array_push(&w->met, local_mover(&p->turn, m));
    }
}

void ct_navigation_world_meet(ct_navigation_world *w) {
    if (w->placed.count < 2) {
        if (w->placed.count)
            ct_navigation_agents_set_movers(w->placed.items[0].agents, NULL, 0);
        return;
    }
    w->movers.count = 0;
    for (uint32_t i = 0; i < w->placed.count; ++i)
        list_agents(w, &w->placed.items[i]);
    for (uint32_t i = 0; i < w->placed.count; ++i) {
        const ct_navigation_placed *const p = &w->placed.items[i];
        w->met.count = 0;
        for (uint32_t k = 0; k < w->placed.count && p->num_movers; ++k)
            if (k != i)
                meet(w, p, &w->placed.items[k]);
        ct_navigation_agents_set_movers(p->agents, w->met.items, w->met.count);
    }
}
