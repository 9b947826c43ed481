// Narrow places: who passes, and who waits.
//
// A narrow place is a row of openings that two cannot pass beside each other, or a link. It ends where there is
// room for two between openings. It is known by one of its openings, the same for both directions. While agents
// are inside, others may follow them, one after another; no one comes against them. The two sides take turns: when
// one has had the turn for long while the other waits, it is the other's. Of those outside one is next: the nearest,
// though those that have waited for longer go before others that are a little nearer. All others keep clear of the
// mouth, and give way to those that pass.
#include "navigation/agents/navigation_agents_private.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math.h"

enum { MAX_OPENINGS = 128 };

static const float STEP_METRES = 0.1f;  // from an opening, to look for walls
static const float SEEN_METRES = 5;     // from the agent to the first opening
static const float CLEAR_METRES = 0.4f; // between the sides of one that waits and one in the mouth
static const float ENTERED_METRES = 0.2f; // from the first opening; then the next may come
static const float LEFT_METRES = 1;       // from the mouth; then others may come
// For those that come from the other side: so long, and a part of the time that it takes to pass.
static const float PATIENCE_SECONDS = 4, PATIENCE_PART = 0.5f;
static const float FAR_METRES = 2;   // from the first opening: others may go first
static const float NEXT_SECONDS = 4; // in which one that is next must go in; then another is
// Those that have waited for longer go in before others that are nearer by so many metres a second.
static const float QUEUED_METRES = 0.1f, MOST_QUEUED = 30;

static float flat_distance(ct_vec3 a, ct_vec3 b) {
    const float x = b.x - a.x, y = b.y - a.y;
    return sqrtf(x * x + y * y);
}

// --- Finding narrow places -----------------------------------------------------------------------

// A number of an opening, the same for both directions.
static uint32_t key_of(ct_vec3 middle) {
    const int32_t x = (int32_t)floorf(middle.x * 8 + 0.5f);
    const int32_t y = (int32_t)floorf(middle.y * 8 + 0.5f);
    const int32_t z = (int32_t)floorf(middle.z * 2 + 0.5f);
    const uint32_t key =
        ((uint32_t)x * 73856093u ^ (uint32_t)y * 19349663u ^ (uint32_t)z * 83492791u) & INT32_MAX;
    return key ? key : 1;
}

// Whether walls are near on both sides of a point of a polygon.
static bool is_between_walls(const ct_navigation_agents *a, const ct_navigation_filter *filter,
                             ct_navigation_place place, ct_vec3 middle, ct_vec3 aside,
                             float width) {
    float open = 0;
    for (uint32_t side = 0; side < 2; ++side) {
        ct_navigation_place end;
        ct_vec3 at = middle, normal;
        const ct_vec3 to = side ? ct_vec3_sub(middle, aside) : ct_vec3_add(middle, aside);
        if (ct_navigation_ray(a->mesh, filter, place, middle, to, &end, &at, &normal))
            return false;
        open += flat_distance(middle, at);
    }
    return open < width;
}

// Whether two cannot pass an opening beside each other. A little before it or behind it there are walls, as
// its own line may go on along the wall of a room.
static bool is_narrow(const ct_navigation_agents *a, const ct_navigation_filter *filter,
                      const ct_navigation_place *places, const ct_navigation_way *way,
                      ct_vec3 middle, float width) {
    const float opening = flat_distance(way->left, way->right);
    if (opening >= width)
        return false;
    if (opening < 1e-3f)
        return true;
    const ct_vec3 across = ct_vec3_scale(ct_vec3_sub(way->left, way->right), 1 / opening);
    const ct_vec3 on = ct_vec3_make(across.y * STEP_METRES, -across.x * STEP_METRES, 0);
    const ct_vec3 aside = ct_vec3_scale(across, width);
    return is_between_walls(a, filter, places[0], ct_vec3_sub(middle, on), aside, width) ||
           is_between_walls(a, filter, places[1], ct_vec3_add(middle, on), aside, width);
}

// Which of the two directions a way has.
static uint32_t direction_of(ct_vec3 left, ct_vec3 right) {
    return left.x != right.x ? left.x < right.x : left.y < right.y;
}

static ct_navigation_narrow narrow_of_link(const ct_navigation_agents *a,
                                           const ct_navigation_way *way) {
    const ct_navigation_resource *const r = ct_navigation_mesh_resource(a->mesh);
    const ct_navigation_link *const link =
        (const ct_navigation_link *)ct_blob_at(r, r->links.offset) + (way->link - 1);
    const ct_vec3 from = ct_vec3_make(link->from[0], link->from[1], link->from[2]);
    const ct_vec3 to = ct_vec3_make(link->to[0], link->to[1], link->to[2]);
    const uint32_t key = UINT32_C(0x80000000) | way->link;
    return (ct_navigation_narrow){.key = key,
                                  .first = key,
                                  .last = key,
                                  .direction = ct_vec3_length(ct_vec3_sub(way->left, from)) <
                                               ct_vec3_length(ct_vec3_sub(way->left, to)),
                                  .mouth = way->left};
}

// Whether two can pass each other between two openings of a polygon.
static bool has_room(const ct_navigation_agents *a, const ct_navigation_filter *filter,
                     ct_navigation_place place, ct_vec3 from, ct_vec3 to, float width) {
    const float distance = flat_distance(from, to);
    if (distance < width)
        return false;
    const ct_vec3 aside =
        ct_vec3_make((from.y - to.y) * width / distance, (to.x - from.x) * width / distance, 0);
    return !is_between_walls(a, filter, place, ct_vec3_lerp(from, to, 0.5f), aside, width);
}

// Adds an opening to a narrow place, or begins one with it.
static void add_opening(ct_navigation_narrow *n, const ct_navigation_way *way, ct_vec3 middle,
                        float metres) {
    const uint32_t key = key_of(middle);
    if (!n->key) {
        n->first = key;
        n->mouth = middle;
    }
    if (!n->key || key < n->key) {
        n->key = key;
        n->direction = direction_of(way->left, way->right);
    }
    n->last = key;
    n->metres += metres;
}

// The first narrow place of a corridor, at most `reach` metres away; key 0: it has no such place.
static ct_navigation_narrow find_narrow(const ct_navigation_agents *a, uint32_t i,
                                        const ct_navigation_filter *filter, float reach) {
    uint32_t num_slots;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(a->mesh, &num_slots);
    const ct_navigation_corridor *const c = &a->corridors[i];
    const ct_navigation_place *const ahead = ct_navigation_corridor_ahead(c);
    const float width = a->walkers[i].radius * 2.4f;
    ct_navigation_narrow found = {.key = 0};
    ct_vec3 last = a->positions[i];
    for (uint32_t k = 0; k + 1 < c->count && k < MAX_OPENINGS; ++k) {
        const ct_navigation_way *const way =
            ct_navigation_way_between(tiles, ahead[k], ahead[k + 1]);
        if (!way)
            break;
        const ct_vec3 middle = ct_vec3_scale(ct_vec3_add(way->left, way->right), 0.5f);
        if (!found.key && flat_distance(middle, a->positions[i]) > reach)
            break;
        if (way->link) {
            if (!found.key)
                found = narrow_of_link(a, way);
            break;
        }
        if (is_narrow(a, filter, ahead + k, way, middle, width)) {
            if (found.key && has_room(a, filter, ahead[k], last, middle, width))
                break;
            add_opening(&found, way, middle, found.key ? flat_distance(last, middle) : 0);
            last = middle;
        } else if (found.key) {
            break;
        }
    }
    return found;
}

// Whether the corridor is the one in which narrow places were looked for.
static bool was_seen(ct_navigation_agents *a, uint32_t i) {
    ct_navigation_course *const c = &a->courses[i];
    const ct_navigation_corridor *const corridor = &a->corridors[i];
    const ct_navigation_place place =
        corridor->count ? ct_navigation_corridor_ahead(corridor)[0] : 0;
    if (c->narrow.key && c->seen_place == place && c->seen_count == corridor->count)
        return true;
    c->seen_place = place;
    c->seen_count = corridor->count;
    return false;
}

void ct_navigation_agent_see_narrow(ct_navigation_agents *a, uint32_t i,
                                    const ct_navigation_filter *filter) {
    ct_navigation_course *const c = &a->courses[i];
    if (was_seen(a, i))
        return;
    // Inside, the next opening may be far: the place ends where there is room, not where it is not seen.
    const bool is_inside = c->flags & CT_NAVIGATION_IS_INSIDE;
    ct_navigation_narrow found = find_narrow(a, i, filter, is_inside ? INFINITY : SEEN_METRES);
    // Once it is inside it keeps the place until it is out.
    if (c->narrow.key && found.key && found.last == c->narrow.last &&
        (found.first != c->narrow.first || is_inside)) {
        c->flags |= CT_NAVIGATION_IS_INSIDE;
        c->narrow.first = found.first;
        c->narrow.mouth = found.mouth;
        return;
    }
    // One that comes out and is pushed back is still inside.
    if (found.key && c->left.key && found.last == c->left.last) {
        c->narrow = c->left;
        c->narrow.first = found.first;
        c->narrow.mouth = found.mouth;
        c->left.key = 0;
        c->flags |= CT_NAVIGATION_IS_INSIDE;
        return;
    }
    // Another place may still be far: it must not be kept for this agent.
    if (found.key && flat_distance(found.mouth, a->positions[i]) > SEEN_METRES)
        found.key = 0;
    if (found.key != c->narrow.key) {
        if (is_inside) {
            c->left = c->narrow;
            c->left.mouth = a->positions[i];
        }
        c->flags &= ~(uint32_t)(CT_NAVIGATION_IS_INSIDE | CT_NAVIGATION_IS_NEXT);
    }
    c->narrow = found;
}

// --- Who passes ----------------------------------------------------------------------------------

// The place that an agent passes, or whose mouth it still has to leave.
static const ct_navigation_narrow *narrow_of(const ct_navigation_course *c) {
    return c->narrow.key ? &c->narrow : &c->left;
}

static void leave_mouth(ct_navigation_agents *a, uint32_t i) {
    ct_navigation_course *const c = &a->courses[i];
    if (c->left.key &&
        flat_distance(c->left.mouth, a->positions[i]) > a->walkers[i].radius * 2 + LEFT_METRES)
        c->left.key = 0;
    if (!c->left.key || c->narrow.key)
        return;
    a->bodies.items[i].narrow = c->left.key;
    a->bodies.items[i].flags |= CT_NAVIGATION_BODY_PASSES;
}

// The place in the table for a key.
static ct_navigation_gate *gate_of(ct_navigation_agents *a, uint32_t key) {
    const uint32_t mask = a->gates.count - 1;
    uint32_t at = key * 2654435761u & mask;
    while (a->gates.items[at].key && a->gates.items[at].key != key)
        at = (at + 1) & mask;
    return &a->gates.items[at];
}

static void enter(ct_navigation_agents *a, ct_navigation_gate *g, uint32_t i) {
    ct_navigation_course *const c = &a->courses[i];
    if (!c->narrow.key) {
        ++g->num_inside[c->left.direction];
        return;
    }
    const uint32_t d = c->narrow.direction;
    const float metres = a->bodies.items[i].narrow_metres;
    if (c->flags & CT_NAVIGATION_IS_NEXT &&
        metres < fmaxf(ENTERED_METRES, a->walkers[i].radius * 0.6f))
        c->flags |= CT_NAVIGATION_IS_INSIDE;
    if (a->states[i] == CT_NAVIGATION_ON_LINK)
        c->flags |= CT_NAVIGATION_IS_INSIDE;
    if (c->flags & CT_NAVIGATION_IS_INSIDE) {
        ++g->num_inside[d];
        return;
    }
    g->denied[d] = fmaxf(g->denied[d], c->flags & CT_NAVIGATION_IS_NEXT ? 0 : c->denied);
    g->seconds = fmaxf(g->seconds, c->narrow.metres / fmaxf(a->walkers[i].speed, 0.1f));
    if (c->flags & CT_NAVIGATION_IS_NEXT)
        g->next = i;
    const float rank = metres - QUEUED_METRES * fminf(c->queued, MOST_QUEUED);
    if (rank < g->first_rank[d]) {
        g->first_rank[d] = rank;
        g->first[d] = i;
    }
}

// The direction whose turn it is; 2: neither may go in until those inside are out.
static uint32_t turn_of(const ct_navigation_gate *g) {
    const float patience = PATIENCE_SECONDS + PATIENCE_PART * g->seconds;
    const bool is_taken = g->num_inside[0] || g->num_inside[1];
    const uint32_t d =
        is_taken ? g->num_inside[1] > g->num_inside[0] : g->first_rank[1] < g->first_rank[0];
    if (g->denied[!d] <= patience)
        return d;
    if (is_taken)
        return 2;
    return g->denied[!d] > g->denied[d] ? !d : d;
}

// Chooses the agent that is next, unless one is already.
static void choose(ct_navigation_agents *a, ct_navigation_gate *g) {
    const bool is_taken = g->num_inside[0] || g->num_inside[1];
    const uint32_t d = turn_of(g);
    if (is_taken)
        g->turn = g->num_inside[1] > g->num_inside[0];
    if (d == 2)
        return;
    // One that is next may have to wait for those that come out.
    if (g->next != UINT32_MAX) {
        ct_navigation_course *const c = &a->courses[g->next];
        const bool is_against = c->narrow.direction != d;
        const bool is_far = a->bodies.items[g->next].narrow_metres > FAR_METRES;
        if (c->denied < NEXT_SECONDS && !(is_against && (is_taken || is_far))) {
            if (!is_taken)
                g->turn = c->narrow.direction;
            return;
        }
        c->flags &= ~(uint32_t)CT_NAVIGATION_IS_NEXT;
        if (c->denied >= NEXT_SECONDS)
            c->queued = c->denied = 0;
        g->next = UINT32_MAX;
    }
    g->turn = d;
    if (g->first[d] != UINT32_MAX) {
        a->courses[g->first[d]].flags |= CT_NAVIGATION_IS_NEXT;
        a->courses[g->first[d]].denied = 0;
    }
}

// One that waits keeps away from the mouth.
static void wait_outside(ct_navigation_agents *a, uint32_t i) {
    ct_navigation_body *const body = &a->bodies.items[i];
    const ct_navigation_course *const c = &a->courses[i];
    const float rest = body->narrow_metres - body->radius * 2 - CLEAR_METRES;
    const float speed = sqrtf(body->wanted.x * body->wanted.x + body->wanted.y * body->wanted.y);
    if (rest > 0) {
        const float part = speed > 0 ? fminf(rest * 2 / speed, 1) : 0;
        body->wanted = ct_vec2_make(body->wanted.x * part, body->wanted.y * part);
    } else {
        const float away =
            a->walkers[i].speed * fminf(-rest, 0.5f) / fmaxf(body->narrow_metres, 0.1f);
        body->wanted = ct_vec2_make((a->positions[i].x - c->narrow.mouth.x) * away,
                                    (a->positions[i].y - c->narrow.mouth.y) * away);
    }
    a->wanted[i] = ct_vec3_make(body->wanted.x, body->wanted.y, 0);
}

void ct_navigation_agents_queue(ct_navigation_agents *a) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < a->soa.count; ++i) {
        leave_mouth(a, i);
        count += narrow_of(&a->courses[i])->key != 0;
    }
    if (!count)
        return;
    uint32_t size = 16;
    while (size < count * 2)
        size *= 2;
    ct_array_resize(&a->gates, size);
    for (uint32_t i = 0; i < size; ++i)
        a->gates.items[i] = (ct_navigation_gate){.next = UINT32_MAX,
                                                 .turn = 2,
                                                 .first = {UINT32_MAX, UINT32_MAX},
                                                 .first_rank = {INFINITY, INFINITY}};
    for (uint32_t i = 0; i < a->soa.count; ++i) {
        const uint32_t key = narrow_of(&a->courses[i])->key;
        if (!key)
            continue;
        ct_navigation_gate *const g = gate_of(a, key);
        g->key = key;
        enter(a, g, i);
    }
    for (uint32_t i = 0; i < size; ++i)
        if (a->gates.items[i].key)
            choose(a, &a->gates.items[i]);
    for (uint32_t i = 0; i < a->soa.count; ++i) {
        ct_navigation_course *const c = &a->courses[i];
        if (!c->narrow.key)
            continue;
        if (c->flags & (CT_NAVIGATION_IS_INSIDE | CT_NAVIGATION_IS_NEXT)) {
            a->bodies.items[i].flags |= CT_NAVIGATION_BODY_PASSES;
            c->queued = 0;
            c->denied = c->flags & CT_NAVIGATION_IS_INSIDE ? 0 : c->denied + a->dt;
        } else {
            const bool has_turn = gate_of(a, c->narrow.key)->turn == c->narrow.direction;
            c->queued += a->dt;
            c->denied = has_turn ? 0 : c->denied + a->dt;
            wait_outside(a, i);
        }
    }
}
