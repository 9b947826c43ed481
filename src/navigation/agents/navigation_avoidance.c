// The half planes of avoidance and the linear programs over them.
#include "navigation/agents/navigation_avoidance.h"

#include <math.h>

#include "foundation/error.h"
#include "foundation/math/math.h"

enum { MAX_PLANES = CT_NAVIGATION_MAX_WALLS + CT_NAVIGATION_MAX_AVOIDED };

static const float TINY = 1e-5f;
// An agent that is held up looks ahead for a shorter time, down to this part of the horizon.
static const float LEAST_HORIZON = 0.3f;
// Two that stand look ahead so many seconds: they make room for others that come.
static const float STANDING_SECONDS = 0.3f;
// One that was held up so many seconds longer than another hardly gives way.
static const float HELD_SECONDS = 3, HELD_SHARE = 0.3f, HELD_ROOM = 0.8f;
// Sine of the angle within which two meet head-on and both turn right.
static const float HEAD_ON = 0.03f;

// How far an agent turns from what it wants, by its key and when it is held up (tangents).
static const float OWN_TURN = 0.04f, HELD_UP_TURN = 1.2f;

static ct_vec2 add(ct_vec2 a, ct_vec2 b) {
    return ct_vec2_make(a.x + b.x, a.y + b.y);
}
static ct_vec2 sub(ct_vec2 a, ct_vec2 b) {
    return ct_vec2_make(a.x - b.x, a.y - b.y);
}
static ct_vec2 scale(ct_vec2 v, float s) {
    return ct_vec2_make(v.x * s, v.y * s);
}
static float dot(ct_vec2 a, ct_vec2 b) {
    return a.x * b.x + a.y * b.y;
}
static float cross(ct_vec2 a, ct_vec2 b) {
    return a.x * b.y - a.y * b.x;
}

// --- Linear programs -----------------------------------------------------------------------------

typedef struct program {
    const ct_navigation_half_plane *planes;
    ct_vec2 wanted;
    float max_speed;
    bool is_direction; // `wanted` has length 1: go as far as possible along it
} program;

static bool is_broken(const ct_navigation_half_plane *p, ct_vec2 v) {
    return cross(p->direction, sub(v, p->point)) < 0;
}

// Finds the best velocity on the line of plane `number`, within those before it. Returns false when
// there is no velocity.
static bool solve_on_line(const program *p, uint32_t number, ct_vec2 *v) {
    const ct_navigation_half_plane *const line = &p->planes[number];
    const float along = dot(line->point, line->direction);
    const float rest = along * along + p->max_speed * p->max_speed - dot(line->point, line->point);
    if (rest < 0)
        return false; // the disc of speeds does not reach the line
    const float root = sqrtf(rest);
    float first = -along - root, last = -along + root;
    for (uint32_t i = 0; i < number; ++i) {
        const ct_navigation_half_plane *const other = &p->planes[i];
        const float denominator = cross(line->direction, other->direction);
        const float numerator = cross(other->direction, sub(line->point, other->point));
        if (fabsf(denominator) <= TINY) {
            if (numerator < 0)
                return false;
            continue;
        }
        const float t = numerator / denominator;
        if (denominator >= 0)
            last = fminf(last, t);
        else
            first = fmaxf(first, t);
        if (first > last)
            return false;
    }
    float t;
    if (p->is_direction)
        t = dot(p->wanted, line->direction) > 0 ? last : first;
    else
        t = fminf(fmaxf(dot(line->direction, sub(p->wanted, line->point)), first), last);
    *v = add(line->point, scale(line->direction, t));
    return true;
}

// Returns `count`, or the first plane with which there is no velocity; `v` then fits those before.
static uint32_t solve_all(const program *p, uint32_t count, ct_vec2 *v) {
    const float length_squared = dot(p->wanted, p->wanted);
    if (p->is_direction)
        *v = scale(p->wanted, p->max_speed);
    else if (length_squared > p->max_speed * p->max_speed)
        *v = scale(p->wanted, p->max_speed / sqrtf(length_squared));
    else
        *v = p->wanted;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_vec2 before = *v;
        if (is_broken(&p->planes[i], *v) && !solve_on_line(p, i, v)) {
            *v = before;
            return i;
        }
    }
    return count;
}

// The planes of a program that moves along where plane `number` and those before it are broken equally.
static uint32_t equal_planes(const ct_navigation_half_plane *planes, uint32_t num_walls,
                             uint32_t number, ct_navigation_half_plane *made) {
    const ct_navigation_half_plane *const plane = &planes[number];
    uint32_t count = 0;
    for (; count < num_walls; ++count)
        made[count] = planes[count];
    for (uint32_t i = num_walls; i < number; ++i) {
        const ct_navigation_half_plane *const other = &planes[i];
        const float determinant = cross(plane->direction, other->direction);
        ct_vec2 point;
        if (fabsf(determinant) <= TINY) {
            if (dot(plane->direction, other->direction) > 0)
                continue;
            point = scale(add(plane->point, other->point), 0.5f);
        } else {
            const float t = cross(other->direction, sub(plane->point, other->point)) / determinant;
            point = add(plane->point, scale(plane->direction, t));
        }
        const ct_vec2 between = sub(other->direction, plane->direction);
        const float length = sqrtf(dot(between, between));
        if (length > TINY)
            made[count++] = (ct_navigation_half_plane){point, scale(between, 1 / length)};
    }
    return count;
}

// Of the planes from `first` on, breaks the one that is broken most as little as possible.
static void solve_broken(const ct_navigation_half_plane *planes, uint32_t num_walls, uint32_t first,
                         uint32_t count, float max_speed, ct_vec2 *v) {
    float depth = 0;
    for (uint32_t i = first; i < count; ++i) {
        const ct_navigation_half_plane *const plane = &planes[i];
        if (cross(plane->direction, sub(plane->point, *v)) <= depth)
            continue;
        ct_navigation_half_plane made[MAX_PLANES];
        const uint32_t num_made = equal_planes(planes, num_walls, i, made);
        const program p = {.planes = made,
                           .wanted = ct_vec2_make(-plane->direction.y, plane->direction.x),
                           .max_speed = max_speed,
                           .is_direction = true};
        const ct_vec2 before = *v;
        if (solve_all(&p, num_made, v) < num_made)
            *v = before; // rounding: it was as good as can be
        depth = cross(plane->direction, sub(plane->point, *v));
    }
}

ct_vec2 ct_navigation_solve(const ct_navigation_half_plane *planes, uint32_t num_walls,
                            uint32_t count, ct_vec2 wanted, float max_speed) {
    CT_ASSERT(num_walls <= count && count <= MAX_PLANES, "%u of %u half planes are walls",
              num_walls, count);
    const program p = {.planes = planes, .wanted = wanted, .max_speed = max_speed};
    ct_vec2 v;
    const uint32_t fitting = solve_all(&p, count, &v);
    if (fitting < num_walls)
        return ct_vec2_make(0, 0); // rounding: walls always allow zero
    if (fitting < count)
        solve_broken(planes, num_walls, fitting, count, max_speed, &v);
    return v;
}

// --- Half planes of other discs ------------------------------------------------------------------

float ct_navigation_share(const ct_navigation_body *self, const ct_navigation_body *other) {
    if (!(other->flags & CT_NAVIGATION_BODY_GIVES_WAY))
        return 1;
    if (!(self->flags & CT_NAVIGATION_BODY_GIVES_WAY))
        return 0;
    const uint32_t passes = (self->flags ^ other->flags) & CT_NAVIGATION_BODY_PASSES;
    if (passes && (self->narrow == other->narrow || !self->narrow || !other->narrow))
        return self->flags & CT_NAVIGATION_BODY_PASSES ? 0.1f : 0.9f;
    if (self->narrow && self->narrow == other->narrow &&
        self->narrow_metres != other->narrow_metres)
        return self->narrow_metres > other->narrow_metres ? 0.8f : 0.2f;
    if (self->priority == other->priority)
        return 0.5f;
    const bool is_higher = self->priority > other->priority;
    const uint32_t steps =
        is_higher ? self->priority - other->priority : other->priority - self->priority;
    const float small = 0.5f / (float)(1u << (steps < 6 ? steps : 6));
    return is_higher ? small : 1 - small;
}

// The same for discs that are apart: of two with equal rights, the one that was held up for longer gives way less.
static float share_by_held(const ct_navigation_body *self, const ct_navigation_body *other) {
    const float share = ct_navigation_share(self, other);
    if (share != 0.5f)
        return share;
    const float longer = (self->held - other->held) / HELD_SECONDS;
    return 0.5f - HELD_SHARE * fminf(fmaxf(longer, -1), 1);
}

// A pair, from one of the two.
typedef struct pair {
    ct_vec2 between;  // from self to the other
    ct_vec2 velocity; // of self, seen from the other
    ct_vec2 wanted;   // the same, of what both want
    float distance_squared, radius, seconds;
} pair;

// The change of the pair's velocity that ends in no contact, for discs that overlap.
static ct_vec2 change_apart(const pair *p, bool is_first, ct_vec2 *direction) {
    const ct_vec2 w = sub(p->velocity, scale(p->between, 1 / p->seconds));
    const float length = sqrtf(dot(w, w));
    const ct_vec2 unit =
        length > TINY ? scale(w, 1 / length) : ct_vec2_make(is_first ? 1.0f : -1.0f, 0);
    *direction = ct_vec2_make(unit.y, -unit.x);
    return scale(unit, p->radius / p->seconds - length);
}

// The same for discs that are apart: out of the cone of velocities that lead to contact, by its nearest
// side or by its round end, which is that of contacts after `seconds`.
static ct_vec2 change_past(const pair *p, ct_vec2 *direction) {
    const ct_vec2 end = scale(p->between, 1 / p->seconds);
    const ct_vec2 w = sub(p->velocity, end);
    const float length_squared = dot(w, w), along = dot(w, p->between);
    const bool is_at_end = along < 0 && along * along > p->radius * p->radius * length_squared;
    const bool wants_past = dot(sub(p->wanted, end), p->between) > 0;
    if (is_at_end && !wants_past) {
        const float length = sqrtf(length_squared);
        const ct_vec2 unit = scale(w, 1 / length);
        *direction = ct_vec2_make(unit.y, -unit.x);
        return scale(unit, p->radius / p->seconds - length);
    }
    const ct_vec2 sided = is_at_end ? add(p->velocity, scale(p->wanted, 0.1f)) : w;
    const float side = cross(p->between, sided);
    const float leg = sqrtf(p->distance_squared - p->radius * p->radius);
    const float head_on = HEAD_ON * HEAD_ON * p->distance_squared * dot(sided, sided);
    const ct_vec2 b = p->between;
    if (side > 0 && side * side > head_on)
        *direction = ct_vec2_make(b.x * leg - b.y * p->radius, b.x * p->radius + b.y * leg);
    else
        *direction = ct_vec2_make(-b.x * leg - b.y * p->radius, b.x * p->radius - b.y * leg);
    *direction = scale(*direction, 1 / p->distance_squared);
    return sub(scale(*direction, dot(p->velocity, *direction)), p->velocity);
}

static bool is_standing(const ct_navigation_body *b) {
    return dot(b->wanted, b->wanted) < TINY;
}

// How far an agent makes room for what another wants, before that moves, 0 to 1: when both stand still,
// velocities alone would ask nothing of either.
static float makes_room(const ct_navigation_body *self, const ct_navigation_body *other) {
    if (!(self->flags & other->flags & CT_NAVIGATION_BODY_GIVES_WAY) || is_standing(other))
        return 0;
    if (is_standing(self))
        return 1;
    const uint32_t passes = (self->flags ^ other->flags) & CT_NAVIGATION_BODY_PASSES;
    if (passes && self->narrow == other->narrow)
        return other->flags & CT_NAVIGATION_BODY_PASSES ? 1 : 0;
    if (self->priority == other->priority)
        return 0;
    return fmaxf(ct_navigation_share(self, other) * 2 - 1, 0);
}

// How far an agent makes room for what another wants that was held up for longer. The other does not count on it.
static float yields(const ct_navigation_body *self, const ct_navigation_body *other) {
    if (!(self->flags & other->flags & CT_NAVIGATION_BODY_GIVES_WAY))
        return 0;
    return HELD_ROOM * fmaxf(share_by_held(self, other) * 2 - 1, 0);
}

// The velocity with which others reckon, that make room for an agent by `part`.
static ct_vec2 reckoned(const ct_navigation_body *b, float part) {
    return add(b->velocity, scale(sub(b->wanted, b->velocity), part));
}

// How much of what an agent wants it does not get, 0 to 1.
static float held_up(const ct_navigation_body *self) {
    const float squared = dot(self->wanted, self->wanted);
    if (squared < TINY)
        return 0;
    return fminf(fmaxf(1 - dot(self->velocity, self->wanted) / squared, 0), 1);
}

// The part of the pair's change that an agent makes. Where the pair could still change towards a contact, those
// that give way less may do most of that: otherwise the others would hold them back.
static float part_of(const ct_navigation_body *self, const ct_navigation_body *other, bool is_apart,
                     bool is_free) {
    const float share = is_apart ? share_by_held(self, other) : ct_navigation_share(self, other);
    const bool both = self->flags & other->flags & CT_NAVIGATION_BODY_GIVES_WAY;
    return is_free && both ? 1 - share : share;
}

static ct_navigation_half_plane plane_of(const ct_navigation_body *self,
                                         const ct_navigation_body *other,
                                         const ct_navigation_avoidance *a, float horizon) {
    const ct_vec2 own = reckoned(self, makes_room(other, self));
    pair p = {.between = ct_vec2_make(other->position.x - self->position.x,
                                      other->position.y - self->position.y),
              .wanted = sub(self->wanted, other->wanted),
              .radius = self->radius + other->radius,
              .seconds = horizon};
    if (is_standing(self) && is_standing(other))
        p.seconds = fminf(horizon, STANDING_SECONDS);
    p.distance_squared = dot(p.between, p.between);
    const bool is_apart = p.distance_squared > p.radius * p.radius;
    float room = makes_room(self, other);
    if (is_apart)
        room = fmaxf(room, yields(self, other));
    p.velocity = sub(own, reckoned(other, room));
    ct_navigation_half_plane made;
    ct_vec2 change;
    if (is_apart) {
        change = change_past(&p, &made.direction);
    } else {
        p.seconds = a->dt;
        change = change_apart(&p, self->key < other->key, &made.direction);
    }
    const float part = part_of(self, other, is_apart, cross(made.direction, change) < 0);
    made.point = add(own, scale(change, part));
    return made;
}

static ct_vec2 turned(ct_vec2 v, float tangent) {
    const ct_vec2 to = ct_vec2_make(v.x + v.y * tangent, v.y - v.x * tangent);
    return scale(to, 1 / sqrtf(1 + tangent * tangent));
}

static bool is_free_of_walls(const ct_navigation_avoidance *a, ct_vec2 v) {
    for (uint32_t i = 0; i < a->num_walls; ++i)
        if (is_broken(&a->walls[i], v))
            return false;
    return true;
}

// What agents want together can be so even that they only slow each other down. So each wants something a
// little different, by its key, and turns to the right the more it is held up, unless it would turn into a wall;
// in a queue it does not.
static ct_vec2 uneven(const ct_navigation_body *self, const ct_navigation_avoidance *a) {
    const float own = (float)((self->key + 1) * 2654435761u >> 16) * (1 / 65536.0f) - 0.5f;
    if (self->narrow)
        return a->wanted;
    const ct_vec2 right = turned(a->wanted, own * OWN_TURN + held_up(self) * HELD_UP_TURN);
    return is_free_of_walls(a, right) ? right : turned(a->wanted, own * OWN_TURN);
}

ct_vec2 ct_navigation_avoid(const ct_navigation_body *self, const ct_navigation_avoidance *a) {
    CT_ASSERT(a->num_walls <= CT_NAVIGATION_MAX_WALLS && a->num_others <= CT_NAVIGATION_MAX_AVOIDED,
              "%u walls and %u others", a->num_walls, a->num_others);
    ct_navigation_half_plane planes[MAX_PLANES];
    for (uint32_t i = 0; i < a->num_walls; ++i)
        planes[i] = a->walls[i];
    const float horizon = a->horizon * (1 - (1 - LEAST_HORIZON) * held_up(self));
    for (uint32_t i = 0; i < a->num_others; ++i)
        planes[a->num_walls + i] = plane_of(self, a->others[i], a, horizon);
    const ct_vec2 wanted = a->num_others ? uneven(self, a) : a->wanted;
    return ct_navigation_solve(planes, a->num_walls, a->num_walls + a->num_others, wanted,
                               a->max_speed);
}
