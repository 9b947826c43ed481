// navigation_expand_quick.c: the polygons that follow a polygon, over ground that costs the same everywhere.
#include "navigation/path/navigation_expand.h"

#include "navigation/path/navigation_estimate.h"
#include "navigation/path/navigation_geometry.h"

// Middles of crossings make the rest a little too long.
static const float TRUST = 0.96f;

bool ct_navigation_is_even(const ct_navigation_search *s) {
    if (!s->ignores_crowd && ct_navigation_crowd_hash(s->mesh))
        return false;
    if (!(s->filter.least_cost > 0))
        return false;
    const uint32_t num_areas = ct_navigation_mesh_resource(s->mesh)->areas.count;
    for (uint32_t i = 0; i < num_areas && i < CT_NAVIGATION_MAX_AREAS; ++i)
        if (isfinite(s->filter.costs[i]) && s->filter.costs[i] != s->filter.least_cost)
            return false;
    return true;
}

// A funnel: the last corner, and the ends of openings since then that limit what is in sight of it.
typedef struct funnel {
    ct_vec3 root, left, right;
    float length; // up to the root
} funnel;

// The funnel beyond an opening, and the part of the opening that is in it.
static funnel narrow(const funnel *f, ct_vec3 left, ct_vec3 right, ct_vec3 *seen_left,
                     ct_vec3 *seen_right) {
    const bool has_left = !ct_navigation_is_at(f->root, f->left);
    const bool has_right = !ct_navigation_is_at(f->root, f->right);
    *seen_left = left;
    *seen_right = right;
    if (has_left && ct_navigation_turn(f->root, f->left, right) > 0)
        return (funnel){f->left, left, right, f->length + ct_navigation_distance(f->root, f->left)};
    if (has_right && ct_navigation_turn(f->root, f->right, left) < 0)
        return (funnel){f->right, left, right,
                        f->length + ct_navigation_distance(f->root, f->right)};
    funnel next = {f->root, left, right, f->length};
    if (has_left && ct_navigation_turn(f->root, f->left, left) > 0) {
        next.left = f->left;
        *seen_left = ct_navigation_meeting(f->root, f->left, right, left);
    }
    if (has_right && ct_navigation_turn(f->root, f->right, right) < 0) {
        next.right = f->right;
        *seen_right = ct_navigation_meeting(f->root, f->right, right, left);
    }
    return next;
}

// Metres from the root of a funnel through a part of an opening to the goal.
static float rest_of(ct_navigation_search *s, ct_vec3 root, ct_vec3 right, ct_vec3 left,
                     ct_navigation_place to) {
    const uint32_t at = ct_navigation_estimate_region(s, to);
    const ct_navigation_met_region *const r = &s->regions.items[at];
    float least = INFINITY;
    for (uint32_t i = 0; i < r->num_targets; ++i) {
        const ct_navigation_target t = s->targets.items[r->first_target + i];
        const ct_vec3 p = ct_navigation_through(root, right, left, t.point);
        const float length =
            ct_navigation_distance(root, p) + ct_navigation_distance(p, t.point) + t.rest * TRUST;
        least = length < least ? length : least;
    }
    return least;
}

// Pushes a polygon unless a better way to the goal through it is known.
static void push(ct_navigation_search *s, const ct_navigation_node *node, float whole) {
    const uint32_t next = s->ways.count;
    const uint32_t met = ct_navigation_table_add(&s->way_table, s->allocator, node->polygon, next);
    if (met == UINT32_MAX)
        ct_array_push(&s->ways, (ct_navigation_met_way){whole, s->nodes.count});
    else if (whole < s->ways.items[met].dearest - CT_NAVIGATION_NEAR)
        s->ways.items[met] = (ct_navigation_met_way){whole, s->nodes.count};
    else
        return;
    ct_array_push(&s->nodes, *node);
    ct_navigation_heap_push(&s->open, whole, s->nodes.count - 1);
}

static void push_way(ct_navigation_search *s, const ct_navigation_node *n, uint32_t index,
                     uint32_t way, const ct_navigation_way *w) {
    ct_vec3 left, right;
    const funnel f = {n->root, n->left, n->right, n->cost};
    const funnel next = narrow(&f, w->left, w->right, &left, &right);
    const float rest = rest_of(s, next.root, right, left, w->to);
    push(s,
         &(ct_navigation_node){.root = next.root,
                               .left = next.left,
                               .right = next.right,
                               .cost = next.length,
                               .parent = index,
                               .polygon = w->to,
                               .way = way},
         next.length + rest);
}

// Metres of a link count by what it costs.
static void push_link(ct_navigation_search *s, const ct_navigation_node *n, uint32_t index,
                      uint32_t way, const ct_navigation_way *w) {
    if (s->filter.without_links)
        return;
    const ct_navigation_opening o = ct_navigation_opening_of(s->mesh, w);
    const float across =
        ct_navigation_cost_of_link(s, w->link, ct_navigation_distance(o.left, o.right)) /
        s->filter.least_cost;
    if (!isfinite(across))
        return;
    ct_vec3 left, right;
    const funnel f = {n->root, n->left, n->right, n->cost};
    const funnel next = narrow(&f, o.left, o.left, &left, &right);
    const float length = next.length + ct_navigation_distance(next.root, o.left) + across;
    push(s,
         &(ct_navigation_node){.root = o.right,
                               .left = o.right,
                               .right = o.right,
                               .cost = length,
                               .parent = index,
                               .polygon = w->to,
                               .way = way,
                               .flags = CT_NAVIGATION_NODE_ON_LINK},
         length + rest_of(s, o.right, o.right, o.right, w->to));
}

static void push_goal(ct_navigation_search *s, const ct_navigation_node *n, uint32_t index) {
    ct_vec3 left, right;
    const funnel f = {n->root, n->left, n->right, n->cost};
    const funnel next = narrow(&f, s->to_point, s->to_point, &left, &right);
    ct_navigation_node node = *n;
    node.parent = index;
    node.flags = CT_NAVIGATION_NODE_GOAL;
    node.cost = next.length + ct_navigation_distance(next.root, s->to_point);
    ct_array_push(&s->nodes, node);
    ct_navigation_heap_push(&s->open, node.cost, s->nodes.count - 1);
}

void ct_navigation_expand_quick(ct_navigation_search *s, uint32_t index) {
    const ct_navigation_node n = s->nodes.items[index];
    const ct_navigation_tile *const t = &s->tiles[ct_navigation_slot_of(n.polygon)];
    const ct_navigation_face *const face = &t->faces[ct_navigation_number_of(n.polygon)];
    const ct_navigation_place before =
        n.parent == UINT32_MAX ? 0 : s->nodes.items[n.parent].polygon;
    if (n.polygon == s->to)
        push_goal(s, &n, index);
    for (uint32_t i = face->first_way; i < face->first_way + face->num_ways; ++i) {
        const ct_navigation_way *const w = &t->ways[i];
        if (!w->to || w->to == before)
            continue;
        const uint32_t slot = ct_navigation_slot_of(w->to);
        const uint8_t area = ct_navigation_face_at(s->tiles, w->to)->area;
        if (!isfinite(s->filter.costs[area % CT_NAVIGATION_MAX_AREAS]))
            continue;
        if (slot != ct_navigation_slot_of(n.polygon))
            ct_navigation_search_touch(s, slot);
        if (w->link)
            push_link(s, &n, index, i, w);
        else
            push_way(s, &n, index, i, w);
    }
}
