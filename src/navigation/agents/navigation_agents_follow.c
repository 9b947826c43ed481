// Corridors, corners, and the velocities that agents want.
#include <math.h>

#include "foundation/math/math.h"
#include "navigation/agents/navigation_agents_private.h"

enum {
    WINDOW = 64,     // polygons of a corridor through which the string is pulled
    OFF_STEPS = 16,  // an agent off the mesh looks for it each so many steps
    MAX_NARROW = 12, // polygons in which narrow places are looked for
};

static const float AT_CORNER = 0.01f; // metres from a corner that was passed
static const float MOST_INWARDS = 1;  // metres from a corner, for a round turn

static float flat_length(float x, float y) {
    return sqrtf(x * x + y * y);
}

static float flat_distance(ct_vec3 a, ct_vec3 b) {
    return flat_length(b.x - a.x, b.y - a.y);
}

// --- Changes of the mesh -------------------------------------------------------------------------

// The tile that the agent is on may have been made again, or be gone.
static void check_place(ct_navigation_agents *a, uint32_t i) {
    uint32_t num_slots;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(a->mesh, &num_slots);
    const ct_navigation_place place = a->places[i];
    const uint32_t slot = ct_navigation_slot_of(place);
    if (place && slot < num_slots && tiles[slot].version == a->courses[i].place_version)
        return;
    ct_vec3 on_mesh = a->positions[i];
    const ct_navigation_place found = ct_navigation_agent_find(a, i, a->positions[i], &on_mesh);
    ct_navigation_agent_put(a, i, found, found ? on_mesh : a->positions[i]);
}

// Keeps what is left of a corridor, and wants another path.
static void check_corridor(ct_navigation_agents *a, uint32_t i,
                           const ct_navigation_filter *filter) {
    ct_navigation_corridor *const c = &a->corridors[i];
    const uint32_t count = ct_navigation_corridor_check(c, a->mesh, filter);
    if (count == c->count)
        return;
    ct_navigation_course *const course = &a->courses[i];
    course->flags |= CT_NAVIGATION_WANTS_PATH | CT_NAVIGATION_IS_CUT | CT_NAVIGATION_CORNERS_STALE;
    c->count = count;
    if (count) {
        uint32_t num_slots;
        const ct_navigation_tile *const tiles = ct_navigation_tiles(a->mesh, &num_slots);
        const ct_navigation_place last = ct_navigation_corridor_ahead(c)[count - 1];
        course->end = count == 1 ? a->positions[i] : ct_navigation_face_at(tiles, last)->center;
    }
}

static void look_for_mesh(ct_navigation_agents *a, uint32_t i) {
    if ((a->step + i) % OFF_STEPS)
        return;
    ct_vec3 on_mesh = a->positions[i];
    const ct_navigation_place place = ct_navigation_agent_find(a, i, a->positions[i], &on_mesh);
    if (!place)
        return;
    ct_navigation_agent_put(a, i, place, on_mesh);
    if (a->courses[i].flags & CT_NAVIGATION_HAS_GOAL) {
        a->courses[i].flags |= CT_NAVIGATION_WANTS_PATH;
        a->corridors[i].count = 0;
        a->states[i] = CT_NAVIGATION_SEARCHING;
    }
}

// --- Corners -------------------------------------------------------------------------------------

static void find_corners(ct_navigation_agents *a, uint32_t i, const ct_navigation_filter *filter) {
    enum { MAX = CT_NAVIGATION_MAX_AGENT_CORNERS + 2 };
    ct_navigation_course *const course = &a->courses[i];
    const ct_navigation_corridor *const c = &a->corridors[i];
    const ct_navigation_place *const ahead = ct_navigation_corridor_ahead(c);
    const uint32_t count = c->count < WINDOW ? c->count : WINDOW;
    uint32_t num_slots;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(a->mesh, &num_slots);
    const ct_vec3 to =
        count == c->count ? course->end : ct_navigation_face_at(tiles, ahead[count - 1])->center;
    const float wider = a->walkers[i].radius - ct_navigation_mesh_class(a->mesh)->radius;
    ct_navigation_corner corners[MAX];
    const uint32_t found = ct_navigation_funnel(a->mesh, ahead, count, a->positions[i], to,
                                                fmaxf(wider, 0), corners, MAX);
    uint32_t first = found ? 1 : 0;
    if (found && corners[0].link)
        first = 0;
    while (first + 1 < found && !corners[first].link &&
           flat_distance(corners[first].position, a->positions[i]) < AT_CORNER)
        ++first;
    uint32_t kept = found - first;
    if (kept > CT_NAVIGATION_MAX_AGENT_CORNERS)
        kept = CT_NAVIGATION_MAX_AGENT_CORNERS;
    for (uint32_t k = 0; k < kept; ++k)
        a->corners[i].items[k] = corners[first + k];
    course->num_corners = kept;
    course->flags &= ~(uint32_t)(CT_NAVIGATION_CORNERS_STALE | CT_NAVIGATION_ENDS);
    if (count == c->count && found < MAX && kept == found - first)
        course->flags |= CT_NAVIGATION_ENDS;
    if (found == 1 && count == c->count) { // it is at the end
        a->corners[i].items[0] = (ct_navigation_corner){course->end, ahead[count - 1], 0};
        course->num_corners = 1;
        course->flags |= CT_NAVIGATION_ENDS;
    }
    ct_navigation_agent_see_narrow(a, i, filter);
}

// --- The wanted velocity -------------------------------------------------------------------------

// Towards the next corner, a little inwards of it so that the turn to the one after is round.
static ct_vec2 direction_to(const ct_navigation_corner *corners, uint32_t count, ct_vec3 position) {
    float x = corners[0].position.x - position.x, y = corners[0].position.y - position.y;
    const float length = flat_length(x, y);
    if (count > 1 && !corners[0].link) {
        const float next_x = corners[1].position.x - position.x;
        const float next_y = corners[1].position.y - position.y;
        const float next = flat_length(next_x, next_y);
        if (next > 1e-3f) {
            const float inwards = fminf(length * 0.5f, MOST_INWARDS) / next;
            x -= next_x * inwards;
            y -= next_y * inwards;
        }
    }
    const float sum = flat_length(x, y);
    return sum > 1e-4f ? ct_vec2_make(x / sum, y / sum) : ct_vec2_make(0, 0);
}

// Turns the heading towards a direction, by at most `angle` radians.
static ct_vec2 turned(ct_vec2 heading, ct_vec2 direction, float angle) {
    const float along = heading.x * direction.x + heading.y * direction.y;
    const float side = heading.x * direction.y - heading.y * direction.x;
    const float cosine = cosf(angle), sine = sinf(angle);
    if (angle > 3.14f || along >= cosine)
        return direction;
    const float signed_sine = side >= 0 ? sine : -sine;
    const float x = heading.x * cosine - heading.y * signed_sine;
    const float y = heading.x * signed_sine + heading.y * cosine;
    const float length = flat_length(x, y);
    return ct_vec2_make(x / length, y / length);
}

static ct_vec2 wanted_velocity(ct_navigation_agents *a, uint32_t i) {
    ct_navigation_course *const course = &a->courses[i];
    const ct_navigation_walker *const w = &a->walkers[i];
    const ct_navigation_corner *const corners = a->corners[i].items;
    if (!course->num_corners)
        return ct_vec2_make(0, 0);
    ct_vec2 direction = direction_to(corners, course->num_corners, a->positions[i]);
    float speed = w->speed;
    const bool is_last = course->num_corners == 1 && course->flags & CT_NAVIGATION_ENDS;
    if (is_last || corners[0].link) {
        const float metres = flat_distance(corners[0].position, a->positions[i]);
        speed = fminf(speed, fminf(sqrtf(2 * w->acceleration * metres), metres / a->dt));
    }
    if (direction.x == 0 && direction.y == 0)
        return direction;
    if (w->turn_speed > 0) {
        const ct_vec2 heading = turned(course->heading, direction, w->turn_speed * a->dt);
        // It turns before it walks.
        speed *= fmaxf(heading.x * direction.x + heading.y * direction.y, 0);
        direction = heading;
    }
    course->heading = direction;
    return ct_vec2_make(direction.x * speed, direction.y * speed);
}

static void walk(ct_navigation_agents *a, uint32_t i, const ct_navigation_filter *filter) {
    ct_navigation_course *const course = &a->courses[i];
    ct_navigation_corridor *const c = &a->corridors[i];
    if (!c->count) {
        course->num_corners = 0;
        course->flags |= CT_NAVIGATION_WANTS_PATH;
        return;
    }
    if (ct_navigation_corridor_ahead(c)[0] != a->places[i]) {
        course->flags |= CT_NAVIGATION_CORNERS_STALE;
        if (!ct_navigation_corridor_repair(c, a->mesh, filter, a->places[i]))
            course->flags |= CT_NAVIGATION_WANTS_PATH;
    }
    const bool is_turn = (a->step + i) % CT_NAVIGATION_CORNER_STEPS == 0;
    const bool is_near = course->num_corners > 1 && !a->corners[i].items[0].link &&
                         flat_distance(a->corners[i].items[0].position, a->positions[i]) <
                             a->walkers[i].speed * a->dt * 2 + AT_CORNER;
    if (course->flags & CT_NAVIGATION_CORNERS_STALE || is_turn || is_near)
        find_corners(a, i, filter);
}

// --- The part ------------------------------------------------------------------------------------

ct_navigation_body ct_navigation_agent_body(const ct_navigation_agents *a, uint32_t i) {
    const ct_navigation_walker *const w = &a->walkers[i];
    const ct_navigation_course *const course = &a->courses[i];
    const bool gives_way =
        a->states[i] != CT_NAVIGATION_OFF && a->states[i] != CT_NAVIGATION_ON_LINK && w->speed > 0;
    // Others make way for one that has its turn in a narrow place, also those that do not go there.
    const bool passes =
        course->narrow.key && course->flags & (CT_NAVIGATION_IS_NEXT | CT_NAVIGATION_IS_INSIDE);
    // One that is on a link keeps the place free where it will come down.
    const bool lands = a->states[i] == CT_NAVIGATION_ON_LINK && course->num_corners;
    return (ct_navigation_body){
        .position = lands ? a->corners[i].items[0].position : a->positions[i],
        .velocity = ct_vec2_make(a->velocities[i].x, a->velocities[i].y),
        .wanted = ct_vec2_make(a->wanted[i].x, a->wanted[i].y),
        .radius = w->radius,
        .height = w->height,
        .index = i,
        .groups = w->groups,
        .flags = gives_way ? CT_NAVIGATION_BODY_GIVES_WAY : 0,
        .priority = w->priority,
        .held = passes ? CT_NAVIGATION_MOST_HELD : course->held,
        .key =
            a->number << CT_NAVIGATION_AGENT_SLOT_BITS | (a->ids[i].id & CT_NAVIGATION_MAX_AGENTS),
        .narrow = course->narrow.key,
        .narrow_metres =
            course->narrow.key ? flat_distance(course->narrow.mouth, a->positions[i]) : 0};
}

void ct_navigation_agents_follow(void *agents, uint32_t begin, uint32_t end) {
    ct_navigation_agents *const a = (ct_navigation_agents *)agents;
    for (uint32_t i = begin; i < end; ++i) {
        ct_navigation_filter own;
        const ct_navigation_filter *const filter = ct_navigation_agent_filter(a, i, &own);
        if (a->has_mesh_changed && a->states[i] != CT_NAVIGATION_ON_LINK &&
            a->states[i] != CT_NAVIGATION_OFF)
            check_place(a, i);
        if (a->has_mesh_changed && a->corridors[i].count)
            check_corridor(a, i, filter);
        if (a->has_mesh_changed)
            a->courses[i].seen_count = 0;
        if (a->states[i] == CT_NAVIGATION_OFF)
            look_for_mesh(a, i);
        ct_vec2 wanted = ct_vec2_make(0, 0);
        if (a->states[i] == CT_NAVIGATION_WALKING) {
            walk(a, i, filter);
            wanted = wanted_velocity(a, i);
        }
        a->wanted[i] = ct_vec3_make(wanted.x, wanted.y, 0);
        a->bodies.items[i] = ct_navigation_agent_body(a, i);
    }
}
