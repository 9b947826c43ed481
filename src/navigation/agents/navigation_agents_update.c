// A step: its parts in order, and what one thread does before and after them.
#include "navigation/agents/navigation_agents_private.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math.h"

static const float STUCK_SECONDS = 2;
// Of the time in which an agent queues, or goes around others, so much counts as being stuck.
static const float QUEUE_PATIENCE = 0.1f, MOVING_PATIENCE = 0.25f;
static const float MOVING_PART = 0.3f;   // of its speed: it moves
static const float NEARER_METRES = 0.1f; // is progress
static const float MOST_SECONDS = 0.25f; // in a step

static float flat_distance(ct_vec3 a, ct_vec3 b) {
    const float x = b.x - a.x, y = b.y - a.y;
    return sqrtf(x * x + y * y);
}

static void add_event(ct_navigation_agents *a, uint32_t i, uint32_t type, uint32_t link) {
    ct_array_push(&a->events, (ct_navigation_event){a->ids[i], a->users[i], type, link});
}

static void end_walk(ct_navigation_agents *a, uint32_t i, ct_navigation_agent_state state) {
    ct_navigation_agent_forget(a, i);
    a->states[i] = (uint8_t)state;
    add_event(a, i,
              state == CT_NAVIGATION_ARRIVED ? CT_NAVIGATION_EVENT_ARRIVED
                                             : CT_NAVIGATION_EVENT_FAILED,
              0);
}

// --- Answers of searches -------------------------------------------------------------------------

static void take_path(ct_navigation_agents *a, uint32_t i, const ct_navigation_path *path) {
    uint32_t num_slots;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(a->mesh, &num_slots);
    ct_navigation_course *const c = &a->courses[i];
    ct_navigation_corridor_set(&a->pool, &a->corridors[i], tiles, path->polygons,
                               path->num_polygons);
    c->end = path->corners[path->num_corners - 1].position;
    c->flags &= CT_NAVIGATION_IS_NEXT | CT_NAVIGATION_IS_INSIDE;
    c->flags |= CT_NAVIGATION_HAS_GOAL | CT_NAVIGATION_CORNERS_STALE;
    if (path->status == CT_NAVIGATION_PARTIAL)
        c->flags |= CT_NAVIGATION_IS_PARTIAL;
    c->seen_count = 0;
    c->least_polygons = path->num_polygons;
    c->least_metres = INFINITY;
    a->states[i] = CT_NAVIGATION_WALKING;
}

void ct_navigation_agents_take_paths(ct_navigation_agents *a) {
    const uint64_t version = ct_navigation_mesh_version(a->mesh);
    for (uint32_t i = 0; i < a->soa.count; ++i) {
        ct_navigation_course *const c = &a->courses[i];
        if (!c->query || a->states[i] == CT_NAVIGATION_ON_LINK)
            continue;
        const ct_navigation_query query = {c->query};
        const ct_navigation_path *const path = ct_navigation_paths_answer(a->paths, query, NULL);
        if (path && path->status == CT_NAVIGATION_WAITING)
            continue;
        const bool is_found =
            path && path->num_polygons && path->num_corners &&
            (path->status == CT_NAVIGATION_FOUND || path->status == CT_NAVIGATION_PARTIAL);
        if (is_found && path->version == version)
            take_path(a, i, path);
        else if (is_found || !path)
            c->flags |= CT_NAVIGATION_WANTS_PATH;
        if (path)
            ct_navigation_paths_take(a->paths, query);
        c->query = 0;
        if (path && !is_found && a->states[i] != CT_NAVIGATION_OFF)
            end_walk(a, i, CT_NAVIGATION_FAILED);
    }
}

// --- Progress ------------------------------------------------------------------------------------

// The part of this step that counts as being stuck, for an agent that comes no nearer.
static float impatience(const ct_navigation_agents *a, uint32_t i) {
    if (a->courses[i].flags & CT_NAVIGATION_IS_QUEUEING)
        return QUEUE_PATIENCE;
    const ct_vec3 v = a->velocities[i];
    const float moving = a->walkers[i].speed * MOVING_PART;
    return v.x * v.x + v.y * v.y > moving * moving ? MOVING_PATIENCE : 1;
}

static void watch_held(ct_navigation_agents *a, uint32_t i) {
    ct_navigation_course *const c = &a->courses[i];
    const ct_vec3 v = a->velocities[i];
    const float moving = a->walkers[i].speed * MOVING_PART;
    if (v.x * v.x + v.y * v.y > moving * moving)
        c->held = fmaxf(c->held - 2 * a->dt, 0);
    else
        c->held = fminf(c->held + a->dt, CT_NAVIGATION_MOST_HELD);
}

static void watch_progress(ct_navigation_agents *a, uint32_t i) {
    ct_navigation_course *const c = &a->courses[i];
    watch_held(a, i);
    const uint32_t polygons = a->corridors[i].count;
    const float metres =
        c->num_corners ? flat_distance(a->corners[i].items[0].position, a->positions[i]) : 0;
    if (polygons < c->least_polygons) {
        c->least_polygons = polygons;
        c->least_metres = metres;
        c->waited = 0;
    } else if (metres < c->least_metres - NEARER_METRES) {
        c->least_metres = metres;
        c->waited = 0;
    } else {
        c->waited += a->dt * impatience(a, i);
    }
    if (c->waited < STUCK_SECONDS)
        return;
    c->waited = 0;
    c->least_metres = INFINITY;
    c->flags |= CT_NAVIGATION_WANTS_PATH;
    add_event(a, i, CT_NAVIGATION_EVENT_STUCK, 0);
}

// Links take one agent at a time; others wait where it starts.
static void start_link(ct_navigation_agents *a, uint32_t i) {
    ct_navigation_course *const c = &a->courses[i];
    ct_navigation_corridor *const corridor = &a->corridors[i];
    const ct_navigation_corner *const corners = a->corners[i].items;
    const uint32_t link = corners[0].link;
    if (link < a->links.count && a->links.items[link]) {
        c->flags |= CT_NAVIGATION_IS_QUEUEING;
        return;
    }
    const ct_navigation_place *const ahead = ct_navigation_corridor_ahead(corridor);
    uint32_t k = 0;
    while (k < corridor->count && ahead[k] != corners[0].polygon)
        ++k;
    if (k + 1 >= corridor->count) {
        c->flags |= CT_NAVIGATION_WANTS_PATH;
        return;
    }
    ct_navigation_corridor_trim(corridor, k + 1);
    a->places[i] = ct_navigation_corridor_ahead(corridor)[0];
    if (c->num_corners > 1)
        a->corners[i].items[0] = corners[1];
    else
        a->corners[i].items[0].position =
            ct_navigation_closest_on(a->mesh, a->places[i], a->positions[i]);
    c->num_corners = 1;
    c->link = link;
    c->waited = 0;
    a->states[i] = CT_NAVIGATION_ON_LINK;
    a->velocities[i] = ct_vec3_make(0, 0, 0);
    if (link >= a->links.count)
        ct_array_resize(&a->links, link + 1);
    a->links.items[link] = 1;
    add_event(a, i, CT_NAVIGATION_EVENT_LINK, link);
}

static void finish_walk(ct_navigation_agents *a, uint32_t i) {
    ct_navigation_course *const c = &a->courses[i];
    const ct_navigation_walker *const w = &a->walkers[i];
    if (c->num_corners) {
        const ct_navigation_corner *const next = &a->corners[i].items[0];
        const float metres = flat_distance(next->position, a->positions[i]);
        const bool is_last = c->num_corners == 1 && c->flags & CT_NAVIGATION_ENDS;
        const bool is_there = is_last && !(c->flags & CT_NAVIGATION_IS_CUT) && metres <= w->arrival;
        if (is_there || (c->flags & CT_NAVIGATION_IS_CROWDED_OUT && is_last)) {
            end_walk(a, i,
                     c->flags & CT_NAVIGATION_IS_PARTIAL ? CT_NAVIGATION_FAILED
                                                         : CT_NAVIGATION_ARRIVED);
            return;
        }
        if (next->link && metres < fmaxf(w->radius * 0.5f, 0.1f)) {
            start_link(a, i);
            if (a->states[i] == CT_NAVIGATION_ON_LINK)
                return;
        }
    }
    watch_progress(a, i);
}

void ct_navigation_agents_finish(ct_navigation_agents *a) {
    for (uint32_t i = 0; i < a->soa.count; ++i) {
        if (a->states[i] == CT_NAVIGATION_WALKING)
            finish_walk(a, i);
        const uint32_t wants = CT_NAVIGATION_HAS_GOAL | CT_NAVIGATION_WANTS_PATH;
        const bool can_search =
            a->states[i] != CT_NAVIGATION_ON_LINK && a->states[i] != CT_NAVIGATION_OFF;
        if (can_search && !a->courses[i].query && (a->courses[i].flags & wants) == wants)
            ct_navigation_agent_search(a, i);
    }
}

// --- The step ------------------------------------------------------------------------------------

static void add_movers(ct_navigation_agents *a) {
    for (uint32_t i = 0; i < a->movers.count; ++i) {
        const ct_navigation_mover *const m = &a->movers.items[i];
        const ct_vec3 wanted = m->gives_way ? m->wanted : m->velocity;
        a->bodies.items[a->soa.count + i] = (ct_navigation_body){
            .position = m->position,
            .velocity = ct_vec2_make(m->velocity.x, m->velocity.y),
            .wanted = ct_vec2_make(wanted.x, wanted.y),
            .radius = m->radius,
            .height = m->height,
            .index = a->soa.count + i,
            .key = m->key,
            .groups = m->groups ? m->groups : UINT32_MAX,
            .flags = m->gives_way ? CT_NAVIGATION_BODY_GIVES_WAY : 0,
            .priority = m->priority,
            .held = m->held,
        };
    }
}

// Which links have an agent on them.
static void mark_links(ct_navigation_agents *a) {
    if (a->links.count)
        memset(a->links.items, 0, a->links.count);
    for (uint32_t i = 0; i < a->soa.count; ++i) {
        const uint32_t link = a->courses[i].link;
        if (a->states[i] != CT_NAVIGATION_ON_LINK || !link)
            continue;
        if (link >= a->links.count)
            ct_array_resize(&a->links, link + 1);
        a->links.items[link] = 1;
    }
}

static void see_mesh(ct_navigation_agents *a) {
    const uint64_t version = ct_navigation_mesh_version(a->mesh);
    a->has_mesh_changed = version != a->mesh_version;
    a->mesh_version = version;
    a->filter = ct_navigation_filter_of(a->mesh);
}

void ct_navigation_agents_update(ct_navigation_agents *a, double dt) {
    a->events.count = 0;
    if (!(dt > 0) || !isfinite(dt))
        return;
    a->dt = fminf((float)dt, MOST_SECONDS);
    ++a->step;
    see_mesh(a);
    ct_navigation_agents_take_paths(a);
    mark_links(a);
    ct_array_resize(&a->bodies, a->soa.count + a->movers.count);
    ct_navigation_agents_for(a, ct_navigation_agents_follow);
    ct_navigation_agents_queue(a);
    add_movers(a);
    ct_navigation_neighbours_build(&a->neighbours, a->bodies.items, a->bodies.count, 2);
    ct_navigation_agents_for(a, ct_navigation_agents_avoid);
    ct_navigation_agents_for(a, ct_navigation_agents_separate);
    ct_navigation_agents_for(a, ct_navigation_agents_shift);
    if (a->step % CT_NAVIGATION_CROWD_STEPS == 0)
        ct_navigation_agents_see_crowd(a);
    ct_navigation_agents_finish(a);
}
