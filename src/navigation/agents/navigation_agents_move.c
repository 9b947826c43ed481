// Velocities after avoidance, moves over the mesh, and agents that overlap all the same.
#include <math.h>

#include "foundation/math/math.h"
#include "navigation/agents/navigation_agents_private.h"
#include "navigation/agents/navigation_walls.h"

static const float WALL_SECONDS = 0.2f;  // in which it may come to a wall
static const float WALL_METRES = 0.6f;   // that walls are seen
static const float APART_SECONDS = 0.1f; // in which those that overlap are to be apart
static const float QUEUE_SECONDS = 0.6f; // behind another
static const float MOST_RANGE = 10;      // metres that others are seen

static float flat_length(float x, float y) {
    return sqrtf(x * x + y * y);
}

// --- Queues --------------------------------------------------------------------------------------

// Slows an agent that walks behind another one to the same narrow place, so that it does not push.
static ct_vec2 queue(ct_navigation_agents *a, const ct_navigation_body *self,
                     const ct_navigation_body *const *others, uint32_t count) {
    const float speed = flat_length(self->wanted.x, self->wanted.y);
    uint32_t *const flags = &a->courses[self->index].flags;
    *flags &= ~(uint32_t)CT_NAVIGATION_IS_QUEUEING;
    if (self->narrow && !(self->flags & CT_NAVIGATION_BODY_PASSES))
        *flags |= CT_NAVIGATION_IS_QUEUEING;
    if (!self->narrow || speed < 1e-3f)
        return self->wanted;
    float most = speed;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_navigation_body *const other = others[i];
        if (other->narrow != self->narrow || other->narrow_metres >= self->narrow_metres)
            continue;
        const float x = other->position.x - self->position.x;
        const float y = other->position.y - self->position.y;
        const float distance = flat_length(x, y);
        const float ahead = (x * self->wanted.x + y * self->wanted.y) / speed;
        if (ahead < distance * 0.5f)
            continue;
        const float gap = fmaxf(distance - self->radius - other->radius, 0);
        const float along =
            (other->velocity.x * self->wanted.x + other->velocity.y * self->wanted.y) / speed;
        most = fminf(most, gap / QUEUE_SECONDS + fmaxf(along, 0));
    }
    return ct_vec2_make(self->wanted.x * most / speed, self->wanted.y * most / speed);
}

// Whether one that it touches has arrived where it wants to go.
static bool is_crowded_out(const ct_navigation_agents *a, uint32_t i, uint32_t other) {
    if (other >= a->soa.count || a->states[other] != CT_NAVIGATION_ARRIVED)
        return false;
    const float reach = a->walkers[i].radius + a->walkers[other].radius;
    const ct_vec3 mine = a->courses[i].goal, its = a->courses[other].goal;
    const ct_vec3 at = a->positions[i];
    const float metres = flat_length(mine.x - at.x, mine.y - at.y);
    return flat_length(mine.x - its.x, mine.y - its.y) < reach && metres < reach * 6;
}

// Keeps those that are so near that they may overlap after this step.
static void keep_touching(ct_navigation_agents *a, const ct_navigation_body *self,
                          const ct_navigation_body *const *others, uint32_t count) {
    const uint32_t index = self->index;
    ct_navigation_touching *const t = &a->touching[index];
    ct_navigation_course *const course = &a->courses[index];
    t->count = 0;
    course->flags &= ~(uint32_t)CT_NAVIGATION_IS_CROWDED_OUT;
    for (uint32_t i = 0; i < count && t->count < CT_NAVIGATION_MAX_TOUCHING; ++i) {
        const ct_navigation_body *const other = others[i];
        const float x = other->position.x - self->position.x;
        const float y = other->position.y - self->position.y;
        const float near = (self->radius + other->radius) * 1.25f;
        if (x * x + y * y > near * near)
            continue;
        t->others[t->count++] = other->index;
        if (course->flags & CT_NAVIGATION_HAS_GOAL && is_crowded_out(a, index, other->index))
            course->flags |= CT_NAVIGATION_IS_CROWDED_OUT;
    }
}

// --- Avoidance -----------------------------------------------------------------------------------

// Changes a velocity by at most what the agent can; to avoid others it brakes and turns harder.
static ct_vec2 accelerated(ct_vec2 from, ct_vec2 to, float most) {
    const float x = to.x - from.x, y = to.y - from.y;
    const float change = flat_length(x, y);
    if (change <= most)
        return to;
    return ct_vec2_make(from.x + x * most / change, from.y + y * most / change);
}

static void move_over_mesh(ct_navigation_agents *a, uint32_t i, const ct_navigation_filter *filter,
                           ct_vec2 v) {
    const ct_vec3 from = a->positions[i];
    const ct_vec3 to = ct_vec3_make(from.x + v.x * a->dt, from.y + v.y * a->dt, from.z);
    ct_vec3 at = from;
    const ct_navigation_place place =
        ct_navigation_slide(a->mesh, filter, a->places[i], from, to, &at);
    a->velocities[i] = ct_vec3_scale(ct_vec3_sub(at, from), 1 / a->dt);
    a->positions[i] = at;
    if (place == a->places[i])
        return;
    a->places[i] = place;
    uint32_t num_slots;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(a->mesh, &num_slots);
    a->courses[i].place_version = tiles[ct_navigation_slot_of(place)].version;
}

static void avoid(ct_navigation_agents *a, uint32_t i) {
    const ct_navigation_walker *const w = &a->walkers[i];
    const ct_navigation_body *const self =
        &a->neighbours.bodies.items[a->neighbours.places.items[i]];
    const float range = fminf(w->radius + fmaxf(w->speed, 1) * w->horizon + 1, MOST_RANGE);
    const ct_navigation_body *others[CT_NAVIGATION_MAX_AVOIDED];
    const uint32_t count =
        ct_navigation_neighbours_find(&a->neighbours, self, range, w->avoids, others);
    keep_touching(a, self, others, count);
    const bool stands = self->wanted.x == 0 && self->wanted.y == 0 && self->velocity.x == 0 &&
                        self->velocity.y == 0;
    if (stands && !count)
        return;
    ct_navigation_filter own;
    const ct_navigation_filter *const filter = ct_navigation_agent_filter(a, i, &own);
    ct_navigation_half_plane walls[CT_NAVIGATION_MAX_WALLS];
    ct_navigation_avoidance avoidance = {.wanted = queue(a, self, others, count),
                                         .max_speed = w->speed,
                                         .horizon = w->horizon,
                                         .dt = fmaxf(a->dt, APART_SECONDS),
                                         .num_others = count,
                                         .walls = walls,
                                         .others = others};
    if (count)
        avoidance.num_walls = ct_navigation_walls_around(
            a->mesh, filter, a->places[i], a->positions[i], WALL_METRES, WALL_SECONDS, walls);
    const ct_vec2 solved = ct_navigation_avoid(self, &avoidance);
    const float harder = count ? 4 : 1;
    const ct_vec2 v = accelerated(self->velocity, solved, w->acceleration * harder * a->dt);
    if (v.x != 0 || v.y != 0)
        move_over_mesh(a, i, filter, v);
    else
        a->velocities[i] = ct_vec3_make(0, 0, 0);
}

static bool is_moved(const ct_navigation_agents *a, uint32_t i) {
    return a->states[i] != CT_NAVIGATION_OFF && a->states[i] != CT_NAVIGATION_ON_LINK &&
           a->places[i];
}

void ct_navigation_agents_avoid(void *agents, uint32_t begin, uint32_t end) {
    ct_navigation_agents *const a = (ct_navigation_agents *)agents;
    for (uint32_t i = begin; i < end; ++i) {
        a->touching[i].count = 0;
        if (is_moved(a, i))
            avoid(a, i);
        else if (a->states[i] == CT_NAVIGATION_OFF)
            a->velocities[i] = ct_vec3_make(0, 0, 0);
    }
}

// --- Overlaps ------------------------------------------------------------------------------------

static ct_vec2 apart(const ct_navigation_agents *a, uint32_t i, uint32_t other) {
    const ct_navigation_body *const self = &a->bodies.items[i];
    const ct_navigation_body *const body = &a->bodies.items[other];
    const bool moves = other < a->soa.count && a->states[other] != CT_NAVIGATION_ON_LINK;
    const ct_vec3 p = moves ? a->positions[other] : body->position;
    float x = a->positions[i].x - p.x, y = a->positions[i].y - p.y;
    const float radii = self->radius + body->radius;
    float distance = flat_length(x, y);
    if (distance >= radii)
        return ct_vec2_make(0, 0);
    if (distance < 1e-4f) {
        x = i < other ? -1.0f : 1.0f;
        y = 0;
        distance = 1;
    }
    const float by = (radii - distance) * 0.8f * ct_navigation_share(self, body) / distance;
    return ct_vec2_make(x * by, y * by);
}

void ct_navigation_agents_separate(void *agents, uint32_t begin, uint32_t end) {
    ct_navigation_agents *const a = (ct_navigation_agents *)agents;
    for (uint32_t i = begin; i < end; ++i) {
        ct_vec2 shift = ct_vec2_make(0, 0);
        const ct_navigation_touching *const t = &a->touching[i];
        for (uint32_t k = 0; k < t->count; ++k) {
            const ct_vec2 by = apart(a, i, t->others[k]);
            shift.x += by.x;
            shift.y += by.y;
        }
        const float length = flat_length(shift.x, shift.y);
        const float most = fmaxf(a->walkers[i].speed, 1) * a->dt;
        const float part = length > most ? most / length : 1;
        a->shifts[i] = ct_vec2_make(shift.x * part, shift.y * part);
    }
}

void ct_navigation_agents_shift(void *agents, uint32_t begin, uint32_t end) {
    ct_navigation_agents *const a = (ct_navigation_agents *)agents;
    for (uint32_t i = begin; i < end; ++i) {
        const ct_vec2 shift = a->shifts[i];
        if ((shift.x == 0 && shift.y == 0) || !is_moved(a, i) || a->walkers[i].speed == 0)
            continue;
        const ct_vec3 velocity = a->velocities[i];
        ct_navigation_filter own;
        move_over_mesh(a, i, ct_navigation_agent_filter(a, i, &own),
                       ct_vec2_make(shift.x / a->dt, shift.y / a->dt));
        a->velocities[i] = velocity; // what it walks, not how it is pushed
    }
}
