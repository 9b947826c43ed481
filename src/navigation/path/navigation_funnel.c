// navigation_funnel.c: pulls a string through a corridor, and keeps its corners away from walls.
//
// The funnel is that of "Efficient Triangulation-Based Pathfinding" (Demyen and Buro, 2006), in the
// form of Mononen's "Simple Stupid Funnel Algorithm" (2010).
#include <float.h>
#include <math.h>

#include "foundation/math/math.h"
#include "navigation/path/navigation_funnel.h"
#include "navigation/path/navigation_geometry.h"

typedef struct string {
    const ct_navigation_place *polygons;
    const ct_navigation_opening *openings;
    ct_navigation_corner *corners;
    uint32_t count, max;
} string;

ct_navigation_opening ct_navigation_opening_of(const ct_navigation_mesh *m,
                                               const ct_navigation_way *way) {
    if (!way->link)
        return (ct_navigation_opening){way->left, way->right, 0};
    const ct_navigation_resource *const r = ct_navigation_mesh_resource(m);
    const ct_navigation_link *const link =
        (const ct_navigation_link *)ct_blob_at(r, r->links.offset) + (way->link - 1);
    const ct_vec3 from = ct_vec3_make(link->from[0], link->from[1], link->from[2]);
    const ct_vec3 to = ct_vec3_make(link->to[0], link->to[1], link->to[2]);
    const bool is_back =
        ct_navigation_distance(way->left, to) < ct_navigation_distance(way->left, from);
    const ct_vec3 end = ct_navigation_closest_on(m, way->to, is_back ? from : to);
    return (ct_navigation_opening){way->left, end, way->link};
}

// Returns false when there is no room.
static bool add_corner(string *s, ct_vec3 position, uint32_t polygon, uint32_t link) {
    if (s->count && !link) {
        ct_navigation_corner *const last = &s->corners[s->count - 1];
        if (!last->link && ct_navigation_is_at(last->position, position) &&
            fabsf(last->position.z - position.z) < CT_NAVIGATION_NEAR) {
            last->polygon = s->polygons[polygon];
            return true;
        }
    }
    if (s->count == s->max)
        return false;
    s->corners[s->count++] = (ct_navigation_corner){position, s->polygons[polygon], link};
    return true;
}

// Above 0 where `b` is to the left of apex to a; 0 when either is about on the line to the other: an
// opening seen along its edge has its ends in any order. Far from the origin points are rounded by more
// than what is near.
static double turn_beyond(ct_vec3 apex, ct_vec3 a, ct_vec3 b) {
    const double turn = ct_navigation_turn(apex, a, b);
    const float length = fabsf(a.x - apex.x) + fabsf(a.y - apex.y);
    const float other = fabsf(b.x - apex.x) + fabsf(b.y - apex.y);
    const float rounding = 2 * FLT_EPSILON * (fabsf(apex.x) + fabsf(apex.y));
    const double slack =
        (double)((CT_NAVIGATION_NEAR + rounding) * (length < other ? length : other));
    return turn > slack ? turn : turn < -slack ? turn : 0;
}

// Pulls from `from` in polygon `first` to `to` in polygon `last`; all openings between are no links.
// Adds the corners between, not the ends.
static bool pull_part(string *s, ct_vec3 from, ct_vec3 to, uint32_t first, uint32_t last) {
    ct_vec3 apex = from, left = from, right = from;
    uint32_t left_at = first, right_at = first; // the polygon beyond the opening
    for (uint32_t i = first; i <= last; ++i) {
        const ct_vec3 next_left = i < last ? s->openings[i].left : to;
        const ct_vec3 next_right = i < last ? s->openings[i].right : to;
        const uint32_t beyond = i < last ? i + 1 : last;
        if (ct_navigation_turn(apex, right, next_right) >= 0) {
            if (ct_navigation_is_at(apex, right) || turn_beyond(apex, left, next_right) <= 0) {
                right = next_right;
                right_at = beyond;
            } else {
                if (!add_corner(s, left, left_at, 0))
                    return false;
                apex = right = left;
                right_at = left_at;
                i = left_at - 1; // goes on with the opening of that polygon
                continue;
            }
        }
        if (ct_navigation_turn(apex, left, next_left) <= 0) {
            if (ct_navigation_is_at(apex, left) || turn_beyond(apex, next_left, right) <= 0) {
                left = next_left;
                left_at = beyond;
            } else {
                if (!add_corner(s, right, right_at, 0))
                    return false;
                apex = left = right;
                left_at = right_at;
                i = right_at - 1;
                continue;
            }
        }
    }
    return true;
}

// --- The radius ----------------------------------------------------------------------------------

// Which way a corner moves to be away from the wall that it turns around; 0: it does not.
static ct_vec3 outward(ct_vec3 before, ct_vec3 at, ct_vec3 after) {
    ct_vec3 in = ct_vec3_sub(at, before), out = ct_vec3_sub(after, at);
    in.z = out.z = 0;
    return ct_vec3_normalize(ct_vec3_sub(ct_vec3_normalize(in), ct_vec3_normalize(out)));
}

static bool is_free(const ct_navigation_mesh *m, const ct_navigation_corner *a,
                    const ct_navigation_corner *b) {
    if (a->link)
        return true;
    ct_navigation_place end;
    ct_vec3 at, normal;
    return ct_navigation_ray(m, NULL, a->polygon, a->position, b->position, &end, &at, &normal);
}

enum { MAX_TRIES = 3 };

// Moves corner i out by up to `radius`, less where the pieces beside it would meet a wall. The corner
// before has its place, the one after has not.
static void move_corner(const ct_navigation_mesh *m, ct_navigation_corner *c, ct_vec3 before,
                        float radius) {
    const ct_navigation_corner old = *c;
    const ct_vec3 away = outward(before, old.position, c[1].position);
    float by = radius;
    for (uint32_t i = 0; i < MAX_TRIES; ++i, by /= 2) {
        const ct_vec3 wanted = ct_vec3_add(old.position, ct_vec3_scale(away, by));
        ct_vec3 normal;
        if (!ct_navigation_ray(m, NULL, old.polygon, old.position, wanted, &c->polygon,
                               &c->position, &normal))
            continue;
        if (is_free(m, &c[-1], c) && is_free(m, c, &c[1]))
            return;
    }
    *c = old;
}

// The first corner and the last stay, and so do links.
static void keep_away(const ct_navigation_mesh *m, ct_navigation_corner *corners, uint32_t count,
                      float radius) {
    ct_vec3 before = count ? corners[0].position : ct_vec3_make(0, 0, 0);
    for (uint32_t i = 1; i + 1 < count; ++i) {
        const ct_vec3 old = corners[i].position;
        if (!corners[i].link && !corners[i - 1].link) {
            const ct_navigation_corner unmoved = corners[i];
            move_corner(m, &corners[i], before, radius);
            // The corner before has moved: what was free from its old place may be no longer.
            if (!is_free(m, &corners[i - 1], &corners[i]))
                corners[i] = unmoved;
        }
        before = old;
    }
}

// --- Public --------------------------------------------------------------------------------------

uint32_t ct_navigation_pull(const ct_navigation_mesh *m, const ct_navigation_place *polygons,
                            const ct_navigation_opening *openings, uint32_t count, ct_vec3 from,
                            ct_vec3 to, float corner_radius, ct_navigation_corner *corners,
                            uint32_t max) {
    string s = {polygons, openings, corners, 0, max};
    if (!count || !add_corner(&s, from, 0, 0))
        return 0;
    uint32_t first = 0;
    ct_vec3 start = from;
    bool fits = true;
    for (uint32_t i = 0; fits && i + 1 < count; ++i) {
        if (!openings[i].link)
            continue;
        fits = pull_part(&s, start, openings[i].left, first, i) &&
               add_corner(&s, openings[i].left, i, openings[i].link) &&
               add_corner(&s, openings[i].right, i + 1, 0);
        start = openings[i].right;
        first = i + 1;
    }
    if (fits && pull_part(&s, start, to, first, count - 1))
        add_corner(&s, to, count - 1, 0);
    if (corner_radius > 0)
        keep_away(m, corners, s.count, corner_radius);
    return s.count;
}

// The way from a polygon to the next of a corridor: by an edge before a link, the one nearest to `at`.
static const ct_navigation_way *way_between(const ct_navigation_tile *tiles, ct_navigation_place a,
                                            ct_navigation_place b, ct_vec3 at) {
    const ct_navigation_tile *const t = &tiles[ct_navigation_slot_of(a)];
    const ct_navigation_face *const face = &t->faces[ct_navigation_number_of(a)];
    const ct_navigation_way *best = NULL;
    float least = INFINITY;
    for (uint32_t i = 0; i < face->num_ways; ++i) {
        const ct_navigation_way *const w = &t->ways[face->first_way + i];
        if (w->to != b)
            continue;
        const ct_vec3 p = ct_navigation_nearest_of(w->right, w->left, at);
        const float distance = ct_navigation_distance(p, at) + (w->link ? 1e9f : 0);
        if (distance < least) {
            least = distance;
            best = w;
        }
    }
    return best;
}

uint32_t ct_navigation_funnel(const ct_navigation_mesh *m, const ct_navigation_place *polygons,
                              uint32_t count, ct_vec3 from, ct_vec3 to, float corner_radius,
                              ct_navigation_corner *corners, uint32_t max) {
    enum { PART = 256 }; // openings on the stack; a longer corridor goes to the end of a part
    ct_navigation_opening openings[PART];
    uint32_t num_slots;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(m, &num_slots);
    const uint32_t num = count < PART ? count : PART;
    ct_vec3 at = from;
    for (uint32_t i = 0; i + 1 < num; ++i) {
        const ct_navigation_way *const w = way_between(tiles, polygons[i], polygons[i + 1], at);
        if (!w)
            return 0;
        openings[i] = ct_navigation_opening_of(m, w);
        at = w->link ? openings[i].right : ct_navigation_nearest_of(w->right, w->left, at);
    }
    if (num == count)
        return ct_navigation_pull(m, polygons, openings, count, from, to, corner_radius, corners,
                                  max);
    uint32_t found =
        ct_navigation_pull(m, polygons, openings, num, from, at, corner_radius, corners, max);
    if (found > 1 && found <= max)
        --found; // `at` is not the end
    return found;
}
