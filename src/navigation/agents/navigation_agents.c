// Life cycle, ids, and what the game sets and reads.
#include "navigation/agents/navigation_agents_private.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math.h"

static const ct_soa_array ARRAYS[] = {
    CT_SOA_ARRAY(ct_navigation_agents, ids),       CT_SOA_ARRAY(ct_navigation_agents, users),
    CT_SOA_ARRAY(ct_navigation_agents, positions), CT_SOA_ARRAY(ct_navigation_agents, velocities),
    CT_SOA_ARRAY(ct_navigation_agents, wanted),    CT_SOA_ARRAY(ct_navigation_agents, places),
    CT_SOA_ARRAY(ct_navigation_agents, states),    CT_SOA_ARRAY(ct_navigation_agents, walkers),
    CT_SOA_ARRAY(ct_navigation_agents, courses),   CT_SOA_ARRAY(ct_navigation_agents, corners),
    CT_SOA_ARRAY(ct_navigation_agents, corridors), CT_SOA_ARRAY(ct_navigation_agents, costs),
    CT_SOA_ARRAY(ct_navigation_agents, touching),  CT_SOA_ARRAY(ct_navigation_agents, shifts),
};

// --- Life cycle ----------------------------------------------------------------------------------

ct_navigation_agents *ct_navigation_agents_create(const ct_navigation_agents_desc *desc) {
    ct_navigation_agents *const a = CT_NEW(desc->allocator, ct_navigation_agents);
    a->allocator = desc->allocator;
    a->mesh = desc->mesh;
    a->paths = desc->paths;
    a->tasks = desc->tasks;
    CT_ASSERT(desc->number < CT_NAVIGATION_AGENT_MAX_SETS, "agents with the number %u",
              desc->number);
    a->number = desc->number;
    ct_soa_block_init(&a->soa, a->allocator, a, ARRAYS, CT_COUNT_OF(ARRAYS));
    ct_array_init(&a->slots, a->allocator);
    ct_array_push(&a->slots, (ct_navigation_agent_slot){1, UINT32_MAX});
    ct_array_init(&a->free_slots, a->allocator);
    ct_array_init(&a->movers, a->allocator);
    ct_array_init(&a->events, a->allocator);
    ct_array_init(&a->bodies, a->allocator);
    ct_array_init(&a->links, a->allocator);
    ct_array_init(&a->gates, a->allocator);
    ct_array_init(&a->crowd_records, a->allocator);
    ct_array_init(&a->crowded, a->allocator);
    ct_navigation_corridor_pool_init(&a->pool, a->allocator);
    ct_navigation_neighbours_init(&a->neighbours, a->allocator);
    a->filter = ct_navigation_filter_of(a->mesh);
    a->mesh_version = ct_navigation_mesh_version(a->mesh);
    return a;
}

void ct_navigation_agents_destroy(ct_navigation_agents *a) {
    if (!a)
        return;
    for (uint32_t i = 0; i < a->soa.count; ++i)
        ct_navigation_agent_forget(a, i);
    ct_soa_block_free(&a->soa);
    ct_array_free(&a->slots);
    ct_array_free(&a->free_slots);
    ct_array_free(&a->movers);
    ct_array_free(&a->events);
    ct_array_free(&a->bodies);
    ct_array_free(&a->links);
    ct_array_free(&a->gates);
    if (a->crowded.count)
        ct_navigation_set_crowded(a->mesh, NULL, 0);
    ct_array_free(&a->crowd_records);
    ct_array_free(&a->crowded);
    ct_navigation_corridor_pool_free(&a->pool);
    ct_navigation_neighbours_free(&a->neighbours);
    ct_free_sized(a->allocator, a, sizeof(*a));
}

// --- Agents --------------------------------------------------------------------------------------

static bool is_finite(ct_vec3 p) {
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}

// Fills `error` unless `value` is from 0 to `most`.
static bool check_number(const char *name, float value, float most, ct_error *error) {
    if (value >= 0 && value <= most)
        return true;
    return ct_error_set(error, "found %s %g; expected a number from 0 to %g", name, (double)value,
                        (double)most);
}

static bool check_desc(const ct_navigation_agent_desc *d, ct_error *error) {
    if (!is_finite(d->position))
        return ct_error_set(error, "found position (%g, %g, %g); expected finite numbers",
                            (double)d->position.x, (double)d->position.y, (double)d->position.z);
    if (d->priority > 15)
        return ct_error_set(error, "found priority %u; expected 0 to 15", d->priority);
    for (uint32_t i = 0; i < CT_COUNT_OF(d->costs); ++i)
        if (!(d->costs[i] >= 0))
            return ct_error_set(error, "found cost %g of area %u; expected 0 or more",
                                (double)d->costs[i], i);
    return check_number("radius", d->radius, 100, error) &&
           check_number("height", d->height, 1000, error) &&
           check_number("speed", d->speed, 1000, error) &&
           check_number("acceleration", d->acceleration, 1e5f, error) &&
           check_number("turn speed", d->turn_speed, 1e5f, error) &&
           check_number("arrival", d->arrival, 1000, error) &&
           check_number("horizon", d->horizon, 60, error);
}

static ct_navigation_walker walker_of(const ct_navigation_agents *a,
                                      const ct_navigation_agent_desc *d) {
    const ct_navigation_class *const class = ct_navigation_mesh_class(a->mesh);
    ct_navigation_walker w = {.radius = d->radius > 0 ? d->radius : class->radius,
                              .height = d->height > 0 ? d->height : class->height,
                              .speed = d->speed,
                              .acceleration = d->acceleration > 0 ? d->acceleration : 8,
                              .turn_speed = d->turn_speed,
                              .horizon = d->horizon > 0 ? d->horizon : 2,
                              .priority = d->priority,
                              .groups = d->groups ? d->groups : 1,
                              .avoids = d->avoids ? d->avoids : UINT32_MAX};
    w.arrival = d->arrival > 0 ? d->arrival : w.radius * 0.5f;
    for (uint32_t i = 0; i < CT_COUNT_OF(d->costs); ++i)
        w.has_costs |= d->costs[i] > 0;
    return w;
}

// Returns 0 when all are in use.
static uint32_t take_slot(ct_navigation_agents *a) {
    if (a->free_slots.count)
        return a->free_slots.items[--a->free_slots.count];
    if (a->slots.count > CT_NAVIGATION_MAX_AGENTS)
        return 0;
    ct_array_push(&a->slots, (ct_navigation_agent_slot){1, UINT32_MAX});
    return a->slots.count - 1;
}

ct_navigation_agent ct_navigation_agents_add(ct_navigation_agents *a,
                                             const ct_navigation_agent_desc *desc,
                                             ct_error *error) {
    const ct_navigation_agent none = {0};
    if (!check_desc(desc, error))
        return none;
    const uint32_t slot = take_slot(a);
    if (!slot) {
        ct_error_set(error, "there are %u agents already, the most", CT_NAVIGATION_MAX_AGENTS);
        return none;
    }
    const uint32_t i = ct_soa_block_add(&a->soa, 1);
    a->slots.items[slot].index = i;
    const uint32_t generation = a->slots.items[slot].generation;
    a->ids[i].id = generation << CT_NAVIGATION_AGENT_SLOT_BITS | slot;
    a->users[i] = desc->user;
    a->walkers[i] = walker_of(a, desc);
    memcpy(a->costs[i].areas, desc->costs, sizeof(desc->costs));
    a->courses[i].heading = ct_vec2_make(1, 0);
    a->states[i] = CT_NAVIGATION_IDLE;
    ct_vec3 on_mesh = desc->position;
    const ct_navigation_place place = ct_navigation_agent_find(a, i, desc->position, &on_mesh);
    ct_navigation_agent_put(a, i, place, place ? on_mesh : desc->position);
    return a->ids[i];
}

uint32_t ct_navigation_agents_index(const ct_navigation_agents *a, ct_navigation_agent agent) {
    const uint32_t slot = agent.id & CT_NAVIGATION_MAX_AGENTS;
    if (!slot || slot >= a->slots.count ||
        a->slots.items[slot].generation != agent.id >> CT_NAVIGATION_AGENT_SLOT_BITS)
        return UINT32_MAX;
    return a->slots.items[slot].index;
}

bool ct_navigation_agents_is_live(const ct_navigation_agents *a, ct_navigation_agent agent) {
    return ct_navigation_agents_index(a, agent) != UINT32_MAX;
}

uint32_t ct_navigation_agents_count(const ct_navigation_agents *a) {
    return a->soa.count;
}

void ct_navigation_agents_remove(ct_navigation_agents *a, ct_navigation_agent agent) {
    const uint32_t i = ct_navigation_agents_index(a, agent);
    if (i == UINT32_MAX)
        return;
    ct_navigation_agent_forget(a, i);
    const uint32_t number = agent.id & CT_NAVIGATION_MAX_AGENTS;
    ct_navigation_agent_slot *const slot = &a->slots.items[number];
    slot->index = UINT32_MAX;
    const uint32_t generations = UINT32_MAX >> CT_NAVIGATION_AGENT_SLOT_BITS;
    slot->generation = slot->generation == generations ? 1 : slot->generation + 1;
    ct_array_push(&a->free_slots, number);
    ct_soa_block_swap_erase(&a->soa, i);
    if (i < a->soa.count)
        a->slots.items[a->ids[i].id & CT_NAVIGATION_MAX_AGENTS].index = i;
}

// --- What files share ----------------------------------------------------------------------------

void ct_navigation_agents_for(ct_navigation_agents *a,
                              void (*run)(void *agents, uint32_t begin, uint32_t end)) {
    if (a->tasks && a->soa.count > CT_NAVIGATION_AGENT_GRAIN)
        ct_task_parallel_for(a->tasks, a->soa.count, CT_NAVIGATION_AGENT_GRAIN, run, a);
    else
        run(a, 0, a->soa.count);
}

const ct_navigation_filter *ct_navigation_agent_filter(const ct_navigation_agents *a, uint32_t i,
                                                       ct_navigation_filter *own) {
    if (!a->walkers[i].has_costs)
        return &a->filter;
    *own = a->filter;
    for (uint32_t k = 0; k < CT_COUNT_OF(a->costs[i].areas); ++k)
        if (a->costs[i].areas[k] > 0 && isfinite(own->costs[k]))
            own->costs[k] = a->costs[i].areas[k];
    own->least_cost = INFINITY;
    for (uint32_t k = 0; k < CT_NAVIGATION_MAX_AREAS; ++k)
        if (isfinite(own->costs[k]))
            own->least_cost = fminf(own->least_cost, own->costs[k]);
    return own;
}

ct_navigation_place ct_navigation_agent_find(const ct_navigation_agents *a, uint32_t i,
                                             ct_vec3 position, ct_vec3 *on_mesh) {
    const ct_navigation_walker *const w = &a->walkers[i];
    const ct_vec3 reach = ct_vec3_make(w->radius, w->radius, w->height * 0.5f);
    return ct_navigation_nearest(a->mesh, &a->filter, position, reach, on_mesh);
}

void ct_navigation_agent_put(ct_navigation_agents *a, uint32_t i, ct_navigation_place place,
                             ct_vec3 position) {
    a->positions[i] = position;
    a->places[i] = place;
    uint32_t num_slots;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(a->mesh, &num_slots);
    a->courses[i].place_version = place ? tiles[ct_navigation_slot_of(place)].version : 0;
    a->courses[i].flags |= CT_NAVIGATION_CORNERS_STALE;
    if (!place)
        a->states[i] = CT_NAVIGATION_OFF;
    else if (a->states[i] == CT_NAVIGATION_OFF)
        a->states[i] = CT_NAVIGATION_IDLE;
}

void ct_navigation_agent_forget(ct_navigation_agents *a, uint32_t i) {
    ct_navigation_course *const c = &a->courses[i];
    if (c->query)
        ct_navigation_paths_cancel(a->paths, (ct_navigation_query){c->query});
    c->query = 0;
    c->flags = 0;
    c->num_corners = 0;
    c->link = 0;
    c->narrow.key = 0;
    c->left.key = 0;
    c->queued = c->denied = c->held = 0;
    ct_navigation_corridor_clear(&a->pool, &a->corridors[i]);
}

void ct_navigation_agent_search(ct_navigation_agents *a, uint32_t i) {
    ct_navigation_course *const c = &a->courses[i];
    if (c->query)
        ct_navigation_paths_cancel(a->paths, (ct_navigation_query){c->query});
    ct_navigation_filter own;
    const ct_navigation_walker *const w = &a->walkers[i];
    const float wider = w->radius - ct_navigation_mesh_class(a->mesh)->radius;
    const ct_navigation_path_desc desc = {.from = a->positions[i],
                                          .to = c->goal,
                                          .filter = ct_navigation_agent_filter(a, i, &own),
                                          .corner_radius = fmaxf(wider, 0),
                                          .allows_partial = true,
                                          .user = a->ids[i].id};
    c->query = ct_navigation_paths_add(a->paths, &desc).id;
    c->flags &= ~(uint32_t)CT_NAVIGATION_WANTS_PATH;
}

// --- What the game sets --------------------------------------------------------------------------

void ct_navigation_agents_move_to(ct_navigation_agents *a, const ct_navigation_agent *agents,
                                  const ct_vec3 *goals, uint32_t count) {
    a->filter = ct_navigation_filter_of(a->mesh);
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t i = ct_navigation_agents_index(a, agents[k]);
        if (i == UINT32_MAX || !is_finite(goals[k]))
            continue;
        ct_navigation_course *const c = &a->courses[i];
        c->goal = goals[k];
        c->waited = 0;
        if (a->states[i] == CT_NAVIGATION_ON_LINK || a->states[i] == CT_NAVIGATION_OFF) {
            c->flags |= CT_NAVIGATION_HAS_GOAL | CT_NAVIGATION_WANTS_PATH;
            continue; // once it is on the mesh
        }
        // One that walks goes on until the new path is there.
        if (a->states[i] != CT_NAVIGATION_WALKING) {
            ct_navigation_agent_forget(a, i);
            a->states[i] = CT_NAVIGATION_SEARCHING;
        }
        c->flags |= CT_NAVIGATION_HAS_GOAL;
        ct_navigation_agent_search(a, i);
    }
}

void ct_navigation_agents_stop(ct_navigation_agents *a, const ct_navigation_agent *agents,
                               uint32_t count) {
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t i = ct_navigation_agents_index(a, agents[k]);
        if (i == UINT32_MAX)
            continue;
        if (a->states[i] == CT_NAVIGATION_ON_LINK) { // it ends that first
            a->courses[i].flags &= ~(uint32_t)CT_NAVIGATION_HAS_GOAL;
            continue;
        }
        ct_navigation_agent_forget(a, i);
        if (a->states[i] != CT_NAVIGATION_OFF)
            a->states[i] = CT_NAVIGATION_IDLE;
    }
}

// An agent with a goal that was put elsewhere searches from there.
static void search_from_there(ct_navigation_agents *a, uint32_t i) {
    ct_navigation_course *const c = &a->courses[i];
    const bool has_goal = c->flags & CT_NAVIGATION_HAS_GOAL;
    ct_navigation_agent_forget(a, i);
    if (!has_goal || a->states[i] == CT_NAVIGATION_OFF) {
        c->flags = has_goal ? CT_NAVIGATION_HAS_GOAL | CT_NAVIGATION_WANTS_PATH : 0;
        return;
    }
    c->flags = CT_NAVIGATION_HAS_GOAL;
    a->states[i] = CT_NAVIGATION_SEARCHING;
    ct_navigation_agent_search(a, i);
}

void ct_navigation_agents_place(ct_navigation_agents *a, ct_navigation_agent agent,
                                ct_vec3 position) {
    const uint32_t i = ct_navigation_agents_index(a, agent);
    if (i == UINT32_MAX || !is_finite(position))
        return;
    ct_vec3 on_mesh = position;
    const ct_navigation_place place = ct_navigation_agent_find(a, i, position, &on_mesh);
    a->velocities[i] = ct_vec3_make(0, 0, 0);
    ct_navigation_agent_put(a, i, place, place ? on_mesh : position);
    const bool was_moving =
        a->states[i] == CT_NAVIGATION_WALKING || a->states[i] == CT_NAVIGATION_SEARCHING ||
        a->states[i] == CT_NAVIGATION_ON_LINK || a->states[i] == CT_NAVIGATION_OFF;
    if (a->states[i] == CT_NAVIGATION_ON_LINK)
        a->states[i] = CT_NAVIGATION_IDLE;
    if (was_moving)
        search_from_there(a, i);
}

void ct_navigation_agents_set_speed(ct_navigation_agents *a, ct_navigation_agent agent,
                                    float speed) {
    const uint32_t i = ct_navigation_agents_index(a, agent);
    if (i != UINT32_MAX && speed >= 0 && speed <= 1000)
        a->walkers[i].speed = speed;
}

void ct_navigation_agents_end_link(ct_navigation_agents *a, ct_navigation_agent agent) {
    const uint32_t i = ct_navigation_agents_index(a, agent);
    if (i == UINT32_MAX || a->states[i] != CT_NAVIGATION_ON_LINK)
        return;
    ct_navigation_course *const c = &a->courses[i];
    const ct_navigation_place beyond = a->places[i];
    // Where the game has moved it, or else the end of the link.
    ct_vec3 at = c->end;
    if (c->num_corners)
        at = a->corners[i].items[0].position;
    if (ct_navigation_is_live(a->mesh, beyond)) {
        const ct_vec3 near = ct_navigation_closest_on(a->mesh, beyond, a->positions[i]);
        if (ct_vec3_length(ct_vec3_sub(near, a->positions[i])) < a->walkers[i].height * 0.5f)
            at = near;
    }
    c->link = 0;
    a->states[i] = CT_NAVIGATION_WALKING;
    const bool keeps_path =
        ct_navigation_is_live(a->mesh, beyond) && ct_navigation_contains(a->mesh, beyond, at) &&
        (c->flags & CT_NAVIGATION_HAS_GOAL) && !(c->flags & CT_NAVIGATION_WANTS_PATH);
    if (keeps_path) {
        ct_navigation_agent_put(a, i, beyond, at);
        return;
    }
    ct_vec3 on_mesh = at;
    const ct_navigation_place place = ct_navigation_agent_find(a, i, at, &on_mesh);
    ct_navigation_agent_put(a, i, place, place ? on_mesh : at);
    if (place && !(c->flags & CT_NAVIGATION_HAS_GOAL)) {
        ct_navigation_agent_forget(a, i);
        a->states[i] = CT_NAVIGATION_IDLE;
    } else {
        search_from_there(a, i);
    }
}

void ct_navigation_agents_hold_back(ct_navigation_agents *a, ct_navigation_agent agent,
                                    ct_vec3 velocity) {
    const uint32_t i = ct_navigation_agents_index(a, agent);
    if (i == UINT32_MAX || a->states[i] != CT_NAVIGATION_WALKING)
        return;
    const ct_vec3 v = a->velocities[i];
    if (velocity.x * velocity.x + velocity.y * velocity.y < v.x * v.x + v.y * v.y)
        a->velocities[i] = ct_vec3_make(velocity.x, velocity.y, v.z);
}

void ct_navigation_agents_set_positions(ct_navigation_agents *a, const ct_navigation_agent *agents,
                                        const ct_vec3 *positions, uint32_t count) {
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t i = ct_navigation_agents_index(a, agents[k]);
        if (i == UINT32_MAX || !is_finite(positions[k]))
            continue;
        const ct_vec3 to = positions[k];
        if (a->states[i] == CT_NAVIGATION_ON_LINK) {
            a->positions[i] = to;
            continue;
        }
        ct_vec3 at = to;
        ct_navigation_place place = 0;
        if (ct_navigation_is_live(a->mesh, a->places[i]))
            place =
                ct_navigation_slide(a->mesh, &a->filter, a->places[i], a->positions[i], to, &at);
        const float x = at.x - to.x, y = at.y - to.y;
        const float radius = a->walkers[i].radius;
        if (!place || x * x + y * y > radius * radius)
            place = ct_navigation_agent_find(a, i, to, &at);
        const bool was_off = a->states[i] == CT_NAVIGATION_OFF;
        const uint32_t flags = a->courses[i].flags;
        ct_navigation_agent_put(a, i, place, to);
        // A small move needs no new corners at once.
        if (place)
            a->courses[i].flags = flags;
        if (place && was_off)
            search_from_there(a, i);
    }
}

void ct_navigation_agents_set_movers(ct_navigation_agents *a, const ct_navigation_mover *movers,
                                     uint32_t count) {
    a->movers.count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_navigation_mover *const m = &movers[i];
        if (is_finite(m->position) && is_finite(m->velocity) && is_finite(m->wanted) &&
            isfinite(m->held) && m->radius > 0 && m->radius < 1000 && m->height > 0 &&
            isfinite(m->height))
            ct_array_push(&a->movers, *m);
    }
}

uint32_t ct_navigation_agents_as_movers(const ct_navigation_agents *a,
                                        ct_navigation_mover *movers) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < a->soa.count; ++i) {
        if (a->states[i] == CT_NAVIGATION_OFF)
            continue;
        const ct_navigation_body b = ct_navigation_agent_body(a, i);
        movers[count++] =
            (ct_navigation_mover){.position = b.position,
                                  .velocity = a->velocities[i],
                                  .wanted = a->wanted[i],
                                  .radius = b.radius,
                                  .height = b.height,
                                  .groups = b.groups,
                                  .priority = b.priority,
                                  .key = b.key,
                                  .gives_way = (b.flags & CT_NAVIGATION_BODY_GIVES_WAY) != 0,
                                  .held = b.held};
    }
    return count;
}

// --- What the game reads -------------------------------------------------------------------------

const ct_navigation_event *ct_navigation_agents_events(const ct_navigation_agents *a,
                                                       uint32_t *count) {
    *count = a->events.count;
    return a->events.items;
}

ct_navigation_agents_view ct_navigation_agents_all(const ct_navigation_agents *a) {
    return (ct_navigation_agents_view){.count = a->soa.count,
                                       .agents = a->ids,
                                       .users = a->users,
                                       .positions = a->positions,
                                       .velocities = a->velocities,
                                       .wanted = a->wanted,
                                       .places = a->places,
                                       .states = a->states};
}

bool ct_navigation_agents_goal(const ct_navigation_agents *a, ct_navigation_agent agent,
                               ct_vec3 *goal) {
    const uint32_t i = ct_navigation_agents_index(a, agent);
    if (i == UINT32_MAX || !(a->courses[i].flags & CT_NAVIGATION_HAS_GOAL))
        return false;
    *goal = a->courses[i].goal;
    return true;
}

uint32_t ct_navigation_agents_link(const ct_navigation_agents *a, ct_navigation_agent agent,
                                   ct_vec3 *end) {
    const uint32_t i = ct_navigation_agents_index(a, agent);
    if (i == UINT32_MAX || a->states[i] != CT_NAVIGATION_ON_LINK)
        return 0;
    const ct_navigation_course *const c = &a->courses[i];
    *end = c->num_corners ? a->corners[i].items[0].position : c->end;
    return c->link;
}

uint32_t ct_navigation_agents_corners(const ct_navigation_agents *a, ct_navigation_agent agent,
                                      ct_vec3 *corners, uint32_t max) {
    const uint32_t i = ct_navigation_agents_index(a, agent);
    if (i == UINT32_MAX || a->states[i] != CT_NAVIGATION_WALKING)
        return 0;
    const uint32_t count = a->courses[i].num_corners < max ? a->courses[i].num_corners : max;
    for (uint32_t k = 0; k < count; ++k)
        corners[k] = a->corners[i].items[k].position;
    return count;
}
