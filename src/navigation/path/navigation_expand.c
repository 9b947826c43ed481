// navigation_expand.c: the nodes that follow a node (navigation_search.h).
#include "navigation/path/navigation_expand.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "navigation/path/navigation_estimate.h"
#include "navigation/path/navigation_geometry.h"

enum {
    MAX_ON_WAY = 256, // nodes that go through one way
};

// What is known while a node is expanded.
typedef struct expansion {
    ct_navigation_node node; // a copy: pushing moves the array
    uint32_t index;
    const ct_navigation_tile *tile;
    const ct_navigation_face *face;
    float area_cost;
} expansion;

// An interval of a way, with the root from which it is in sight.
typedef struct interval {
    ct_vec3 root, left, right;
    float cost;
    uint32_t flags;
} interval;

static bool is_open(float cost) {
    return isfinite(cost);
}

float ct_navigation_cost_of(const ct_navigation_search *s, ct_navigation_place place) {
    const uint8_t area = ct_navigation_face_at(s->tiles, place)->area;
    const float cost = s->filter.costs[area % CT_NAVIGATION_MAX_AREAS];
    return s->ignores_crowd ? cost : cost * ct_navigation_crowding(s->mesh, place);
}

// --- What is left out ----------------------------------------------------------------------------

// The highest cost of a point of a way, by an interval of it and along it.
static float dearest_on(const interval *v, const ct_navigation_way *w, float area_cost) {
    const float by_left =
        ct_navigation_distance(v->root, v->left) + ct_navigation_distance(v->left, w->left);
    const float by_right =
        ct_navigation_distance(v->root, v->right) + ct_navigation_distance(v->right, w->right);
    return v->cost + (by_left > by_right ? by_left : by_right) * area_cost;
}

static float cheapest_on(const interval *v, float area_cost) {
    const ct_vec3 p = ct_navigation_nearest_of(v->right, v->left, v->root);
    return v->cost + ct_navigation_distance(v->root, p) * area_cost;
}

static uint64_t key_of_point(ct_vec3 p) {
    uint32_t x, y, z;
    p.x += 0.0f; // -0 and 0 are the same
    p.y += 0.0f;
    p.z += 0.0f;
    memcpy(&x, &p.x, 4);
    memcpy(&y, &p.y, 4);
    memcpy(&z, &p.z, 4);
    return ((uint64_t)x << 32 | y) ^ (uint64_t)z * UINT64_C(0xd6e8feb86659fd93);
}

// Whether the same part of the way was met from the same root before.
static bool is_met(ct_navigation_search *s, uint64_t key, const interval *v,
                   const ct_navigation_way *w) {
    const float from = ct_navigation_along(w->right, w->left, v->right);
    const float to = ct_navigation_along(w->right, w->left, v->left);
    const uint32_t next = s->sights.count;
    const uint32_t met =
        ct_navigation_table_add(&s->sight_table, s->allocator,
                                key_of_point(v->root) ^ key * UINT64_C(0xa0761d6478bd642f), next);
    if (met == UINT32_MAX) {
        ct_array_push(&s->sights, (ct_navigation_met_sight){v->cost, from, to});
        return false;
    }
    ct_navigation_met_sight *const known = &s->sights.items[met];
    if (v->cost < known->cost - CT_NAVIGATION_NEAR) {
        *known = (ct_navigation_met_sight){v->cost, from, to};
        return false;
    }
    if (from >= known->from - 1e-4f && to <= known->to + 1e-4f)
        return true;
    if (from > known->to || to < known->from) { // only one part is kept
        *known = (ct_navigation_met_sight){v->cost, from, to};
        return false;
    }
    known->from = from < known->from ? from : known->from;
    known->to = to > known->to ? to : known->to;
    return false;
}

// Whether something met before is at least as good for all of the way.
static bool is_dearer(ct_navigation_search *s, uint64_t key, const interval *v,
                      const ct_navigation_way *w, float area_cost) {
    const float dearest = dearest_on(v, w, area_cost);
    const uint32_t next = s->ways.count;
    const uint32_t met = ct_navigation_table_add(&s->way_table, s->allocator, key, next);
    if (met == UINT32_MAX) {
        ct_array_push(&s->ways, (ct_navigation_met_way){dearest, 1});
        return false;
    }
    ct_navigation_met_way *const known = &s->ways.items[met];
    if (s->floods || known->count >= MAX_ON_WAY ||
        cheapest_on(v, area_cost) >= known->dearest - CT_NAVIGATION_NEAR)
        return true;
    ++known->count;
    if (dearest < known->dearest)
        known->dearest = dearest;
    return false;
}

// Whether a path may turn at `point` of the polygon with this cost: a wall or other ground is there, and no
// cheaper path was seen there.
static bool may_turn(ct_navigation_search *s, ct_navigation_place p, ct_vec3 point, float cost) {
    const uint32_t next = s->corners.count;
    // Two corners may meet in a point, so it is the corner of this polygon.
    uint32_t met =
        ct_navigation_table_add(&s->corner_table, s->allocator,
                                key_of_point(point) ^ p * UINT64_C(0xa0761d6478bd642f), next);
    if (met == UINT32_MAX) {
        const bool is_corner = ct_navigation_is_corner(s, p, point);
        ct_array_push(&s->corners, (ct_navigation_met_corner){INFINITY, is_corner ? 2 : 1});
        met = next;
    }
    ct_navigation_met_corner *const corner = &s->corners.items[met];
    if (corner->is_corner != 2 || cost > corner->cost + CT_NAVIGATION_NEAR)
        return false;
    if (cost < corner->cost)
        corner->cost = cost;
    return true;
}

// --- Pushing -------------------------------------------------------------------------------------

// The middles of crossings make the rest a little too long.
static const float TRUST = 0.96f;

enum { CHEAPEST_ROUNDS = 16 }; // the interval shrinks to 1/650 of it

// The point of an interval through which it is cheapest from its root to a target. Where both sides cost the same
// that is in a straight line; else the path bends, as light does. The cost is convex along the interval, so a
// golden section search finds its least.
static ct_vec3 cheapest_through(const interval *v, float area_cost, float next_cost,
                                ct_vec3 target) {
    if (area_cost == next_cost)
        return ct_navigation_through(v->root, v->right, v->left, target);
    const float section = 0.618034f;
    float from = 0, to = 1;
    for (uint32_t i = 0; i < CHEAPEST_ROUNDS; ++i) {
        const float a = to - (to - from) * section, b = from + (to - from) * section;
        const ct_vec3 at_a = ct_vec3_lerp(v->right, v->left, a);
        const ct_vec3 at_b = ct_vec3_lerp(v->right, v->left, b);
        const float by_a = ct_navigation_distance(v->root, at_a) * area_cost +
                           ct_navigation_distance(at_a, target) * next_cost;
        const float by_b = ct_navigation_distance(v->root, at_b) * area_cost +
                           ct_navigation_distance(at_b, target) * next_cost;
        if (by_a <= by_b)
            to = b;
        else
            from = a;
    }
    return ct_vec3_lerp(v->right, v->left, (from + to) * 0.5f);
}

// The target of a region that is best from an interval, and the way to it with it.
static float estimate(ct_navigation_search *s, const interval *v, float area_cost, float next_cost,
                      ct_navigation_place to, ct_vec3 *through) {
    if (s->is_near) {
        *through = cheapest_through(v, area_cost, next_cost, s->to_point);
        return ct_navigation_distance(v->root, *through) * area_cost +
               ct_navigation_distance(*through, s->to_point) * s->filter.least_cost;
    }
    const uint32_t at = ct_navigation_estimate_region(s, to);
    const ct_navigation_met_region *const r = &s->regions.items[at];
    float least = INFINITY;
    for (uint32_t i = 0; i < r->num_targets; ++i) {
        const ct_navigation_target t = s->targets.items[r->first_target + i];
        const ct_vec3 p = cheapest_through(v, area_cost, next_cost, t.point);
        const float cost = ct_navigation_distance(v->root, p) * area_cost +
                           ct_navigation_distance(p, t.point) * next_cost +
                           t.rest * s->filter.least_cost * TRUST;
        if (cost < least) {
            least = cost;
            *through = p;
        }
    }
    return least;
}

static void push_node(ct_navigation_search *s, const expansion *e, const ct_navigation_way *w,
                      interval v, float next_cost) {
    ct_vec3 through = v.left;
    const float rest = s->floods ? 0 : estimate(s, &v, e->area_cost, next_cost, w->to, &through);
    const float least = ct_navigation_distance(v.root, through) * e->area_cost +
                        ct_navigation_distance(through, s->to_point) * s->filter.least_cost;
    const float whole = v.cost + (rest > least ? rest : least);
    if (s->floods)
        through = ct_navigation_nearest_of(v.right, v.left, v.root);
    if (s->floods || next_cost != e->area_cost) {
        v.cost += ct_navigation_distance(v.root, through) * e->area_cost;
        v.root = through;
        v.flags |= CT_NAVIGATION_NODE_WHOLE;
    }
    const ct_navigation_node node = {.root = v.root,
                                     .left = v.left,
                                     .right = v.right,
                                     .cost = v.cost,
                                     .parent = e->index,
                                     .polygon = w->to,
                                     .way = (uint32_t)(w - e->tile->ways),
                                     .flags = v.flags};
    ct_array_push(&s->nodes, node);
    ct_navigation_heap_push(&s->open, whole, s->nodes.count - 1);
}

static void push(ct_navigation_search *s, const expansion *e, const ct_navigation_way *w,
                 interval v) {
    if (!w->to)
        return;
    const float next_cost = ct_navigation_cost_of(s, w->to);
    if (!is_open(next_cost))
        return;
    // Before anything is kept of the other tile: a search must learn when it changes.
    if (ct_navigation_slot_of(w->to) != ct_navigation_slot_of(e->node.polygon))
        ct_navigation_search_touch(s, ct_navigation_slot_of(w->to));
    const uint64_t key =
        (uint64_t)ct_navigation_slot_of(e->node.polygon) << 32 | (uint32_t)(w - e->tile->ways);
    if (is_met(s, key, &v, w) || is_dearer(s, key, &v, w, e->area_cost))
        return;
    push_node(s, e, w, v, next_cost);
}

// --- Sight ---------------------------------------------------------------------------------------

// Everything of the polygon is in sight.
static void push_whole(ct_navigation_search *s, const expansion *e, const ct_navigation_way *w,
                       ct_vec3 root, float cost) {
    push(s, e, w,
         (interval){root, w->left, w->right, cost,
                    CT_NAVIGATION_NODE_LEFT_END | CT_NAVIGATION_NODE_RIGHT_END});
}

// Metres from the line through a root within which points count as on it. Floats are 3e-5 apart at 512
// metres, and ends of intervals are rounded: with 1e-4, paths past three corners in a line were lost.
static const double ON_LINE = 5e-4;

// How a way lies beside the lines from the root through the ends of the interval.
typedef struct sight {
    bool is_left, is_right;     // all of it is left of what is in sight, or right
    bool ends_left, ends_right; // its left end is no farther left, its right end no farther right
    bool is_line;               // it is a part of one of the lines
} sight;

static sight sight_of(const ct_navigation_node *n, const ct_navigation_way *w) {
    const ct_vec3 l = ct_vec3_sub(n->left, n->root), r = ct_vec3_sub(n->right, n->root);
    const double by_left = ON_LINE * (double)(fabsf(l.x) + fabsf(l.y));
    const double by_right = ON_LINE * (double)(fabsf(r.x) + fabsf(r.y));
    const double left_left = ct_navigation_turn(n->root, n->left, w->left);
    const double left_right = ct_navigation_turn(n->root, n->left, w->right);
    const double right_left = ct_navigation_turn(n->root, n->right, w->left);
    const double right_right = ct_navigation_turn(n->root, n->right, w->right);
    return (sight){
        .is_left = left_right >= -by_left,
        .is_right = right_left <= by_right,
        .ends_left = left_left <= by_left,
        .ends_right = right_right >= -by_right,
        .is_line = (fabs(left_left) <= by_left && fabs(left_right) <= by_left) ||
                   (fabs(right_left) <= by_right && fabs(right_right) <= by_right),
    };
}

// By a turn at the end `at` of the interval to what is not in sight from the root.
static void push_turn(ct_navigation_search *s, const expansion *e, const ct_navigation_way *w,
                      ct_vec3 at, ct_vec3 left, ct_vec3 right, uint32_t flags) {
    const ct_navigation_node *const n = &e->node;
    const float cost = n->cost + ct_navigation_distance(n->root, at) * e->area_cost;
    if (may_turn(s, n->polygon, at, cost))
        push(s, e, w, (interval){at, left, right, cost, flags});
}

// What is in sight of a way, and what is reached by a turn at an end of the interval.
static void push_seen(ct_navigation_search *s, const expansion *e, const ct_navigation_way *w) {
    const ct_navigation_node *const n = &e->node;
    const sight v = sight_of(n, w);
    ct_vec3 left = w->left, right = w->right;
    if (!v.ends_left && !v.is_left)
        left = ct_navigation_meeting(n->root, n->left, w->right, w->left);
    if (!v.ends_right && !v.is_right)
        right = ct_navigation_meeting(n->root, n->right, w->right, w->left);
    const uint32_t is_end_left = v.ends_left ? CT_NAVIGATION_NODE_LEFT_END : 0u;
    const uint32_t is_end_right = v.ends_right ? CT_NAVIGATION_NODE_RIGHT_END : 0u;
    if (v.is_line || (!v.is_left && !v.is_right && !ct_navigation_is_at(left, right)))
        push(s, e, w, (interval){n->root, left, right, n->cost, is_end_left | is_end_right});
    if (v.is_line)
        return;
    if ((v.is_left || !v.ends_left) && n->flags & CT_NAVIGATION_NODE_LEFT_END)
        push_turn(s, e, w, n->left, w->left, v.is_left ? w->right : left,
                  CT_NAVIGATION_NODE_LEFT_END | (v.is_left ? CT_NAVIGATION_NODE_RIGHT_END : 0u));
    if ((v.is_right || !v.ends_right) && n->flags & CT_NAVIGATION_NODE_RIGHT_END)
        push_turn(s, e, w, n->right, v.is_right ? w->left : right, w->right,
                  (v.is_right ? CT_NAVIGATION_NODE_LEFT_END : 0u) | CT_NAVIGATION_NODE_RIGHT_END);
}

float ct_navigation_cost_of_link(const ct_navigation_search *s, uint32_t link, float length) {
    const ct_navigation_resource *const resource = ct_navigation_mesh_resource(s->mesh);
    const ct_navigation_link *const l =
        (const ct_navigation_link *)ct_blob_at(resource, resource->links.offset) + (link - 1);
    const float area_cost = s->filter.costs[l->area % CT_NAVIGATION_MAX_AREAS];
    return is_open(area_cost) ? length * area_cost + l->cost : INFINITY;
}

// Straight to where the link starts, or by an end of the interval; the root is then its other end.
static void push_link(ct_navigation_search *s, const expansion *e, const ct_navigation_way *w) {
    if (s->filter.without_links)
        return;
    const ct_navigation_opening o = ct_navigation_opening_of(s->mesh, w);
    const float across =
        ct_navigation_cost_of_link(s, w->link, ct_navigation_distance(o.left, o.right));
    if (!is_open(across))
        return;
    const ct_navigation_node *const n = &e->node;
    ct_vec3 through = n->root;
    if (!(n->flags & CT_NAVIGATION_NODE_WHOLE))
        through = ct_navigation_through(n->root, n->right, n->left, o.left);
    const float to_start =
        ct_navigation_distance(n->root, through) + ct_navigation_distance(through, o.left);
    push(s, e, w,
         (interval){o.right, o.right, o.right, n->cost + to_start * e->area_cost + across,
                    CT_NAVIGATION_NODE_WHOLE | CT_NAVIGATION_NODE_ON_LINK});
}

// --- Expanding -----------------------------------------------------------------------------------

void ct_navigation_expand_start(ct_navigation_search *s) {
    const ct_navigation_node node = {.root = s->from_point,
                                     .left = s->from_point,
                                     .right = s->from_point,
                                     .parent = UINT32_MAX,
                                     .polygon = s->from,
                                     .region = s->from_region,
                                     .flags = CT_NAVIGATION_NODE_WHOLE};
    ct_array_push(&s->nodes, node);
    ct_navigation_heap_push(&s->open, 0, 0);
}

static void push_goal(ct_navigation_search *s, const expansion *e) {
    const ct_navigation_node *const n = &e->node;
    ct_vec3 through = n->root;
    if (!(n->flags & CT_NAVIGATION_NODE_WHOLE))
        through = ct_navigation_through(n->root, n->right, n->left, s->to_point);
    ct_navigation_node node = *n;
    node.parent = e->index;
    node.flags = CT_NAVIGATION_NODE_GOAL;
    node.cost +=
        (ct_navigation_distance(n->root, through) + ct_navigation_distance(through, s->to_point)) *
        e->area_cost;
    ct_array_push(&s->nodes, node);
    ct_navigation_heap_push(&s->open, node.cost, s->nodes.count - 1);
}

// Whether a way leads back through the interval. Others of the same edge do not: paths turn around the
// ends of thin walls. Where the ground is cheaper, paths go along it and come back.
static bool is_back(const ct_navigation_way *w, ct_navigation_place from,
                    const ct_navigation_node *n) {
    if (w->to != from || w->link)
        return false;
    const ct_vec3 middle = ct_vec3_lerp(n->left, n->right, 0.5f);
    return ct_navigation_is_at(ct_navigation_nearest_of(w->left, w->right, middle), middle);
}

void ct_navigation_expand(ct_navigation_search *s, uint32_t index) {
    expansion e = {.node = s->nodes.items[index], .index = index};
    const ct_navigation_node *const n = &e.node;
    e.tile = &s->tiles[ct_navigation_slot_of(n->polygon)];
    e.face = &e.tile->faces[ct_navigation_number_of(n->polygon)];
    e.area_cost = ct_navigation_cost_of(s, n->polygon);
    if (n->polygon == s->to)
        push_goal(s, &e);
    const bool is_by_way = n->parent != UINT32_MAX && !(n->flags & CT_NAVIGATION_NODE_ON_LINK);
    const ct_navigation_place from = is_by_way ? s->nodes.items[n->parent].polygon : 0;
    bool is_whole = n->flags & CT_NAVIGATION_NODE_WHOLE;
    if (!is_whole) // from a point of the interval, too
        is_whole =
            ct_navigation_is_at(ct_navigation_nearest_of(n->right, n->left, n->root), n->root);
    for (uint32_t i = 0; i < e.face->num_ways; ++i) {
        const ct_navigation_way *const w = &e.tile->ways[e.face->first_way + i];
        if (w->link)
            push_link(s, &e, w);
        else if (is_by_way && is_back(w, from, n) && ct_navigation_cost_of(s, from) <= e.area_cost)
            continue;
        else if (is_whole)
            push_whole(s, &e, w, n->root, n->cost);
        else
            push_seen(s, &e, w);
    }
}
