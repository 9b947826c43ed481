// navigation_expand_quick.c: the polygons that follow a polygon, over ground that costs the same everywhere.
#include "navigation/path/navigation_expand.h"

#include <math.h>

#include "navigation/navigation_string.h"
#include "navigation/path/navigation_estimate.h"
#include "navigation/path/navigation_geometry.h"

// What is left to the goal counts more by this share in the order of search: of ways that are about as long,
// the one that is nearer to the goal goes first, so that few polygons beside the path are looked at.
static const float GREED = 0.15f;

bool ct_navigation_is_even(ct_navigation_search *s) {
    s->has_closed = false;
    if (!s->ignores_crowd && ct_navigation_crowd_hash(s->mesh))
        return false;
    if (!(s->filter.least_cost > 0))
        return false;
    const uint32_t num_areas = ct_navigation_mesh_resource(s->mesh)->areas.count;
    for (uint32_t i = 0; i < num_areas && i < CT_NAVIGATION_MAX_AREAS; ++i) {
        const bool is_closed = !isfinite(s->filter.costs[i]);
        s->has_closed |= is_closed;
        if (!is_closed && s->filter.costs[i] != s->filter.least_cost)
            return false;
    }
    return true;
}

// --- How far it is to the goal -------------------------------------------------------------------

// A way on from a string: metres from its root to the goal, and how many of them are beyond the opening.
typedef struct ahead {
    float length, beyond;
} ahead;

// The shortest way from the root of a string through what is in sight of an opening to a point.
static ahead through(const ct_navigation_sight *v, const ct_vec3 *to, float straight) {
    const float x = v->root->x, y = v->root->y;
    const float left_x = v->left_x - x, left_y = v->left_y - y;
    const float right_x = v->right_x - x, right_y = v->right_y - y;
    const float to_x = to->x - x, to_y = to->y - y;
    const float along_x = left_x - right_x, along_y = left_y - right_y;
    const float side_of_root = along_y * right_x - along_x * right_y;
    const float side = side_of_root + along_x * to_y - along_y * to_x;
    const ct_vec3 left = {{v->left_x, v->left_y, v->left_z}};
    const ct_vec3 right = {{v->right_x, v->right_y, v->right_z}};
    ct_vec3 p;
    if (side > 0) // the root and the point are on the same side
        p = ct_navigation_through(*v->root, right, left, *to);
    else if (to_x * right_y - to_y * right_x > 0)
        p = right;
    else if (to_x * left_y - to_y * left_x < 0)
        p = left;
    else
        return (ahead){straight,
                       side_of_root > side ? straight * side / (side - side_of_root) : straight};
    const float beyond = ct_navigation_string_between(&p, to);
    return (ahead){ct_navigation_string_between(v->root, &p) + beyond, beyond};
}

// The least of those by way of the targets of a region.
static ahead rest_of(const ct_navigation_search *s, const ct_navigation_sight *v, uint32_t region) {
    const ct_navigation_met_region *const r = &s->regions.items[region];
    const ct_navigation_target *const targets = &s->targets.items[r->first_target];
    ahead least = {INFINITY, 0};
    for (uint32_t i = 0; i < r->num_targets; ++i) {
        const ct_navigation_target *const t = &targets[i];
        const float straight = ct_navigation_string_between(v->root, &t->point);
        if (straight + t->rest >= least.length)
            continue;
        const ahead by = through(v, &t->point, straight);
        if (by.length + t->rest < least.length)
            least = (ahead){by.length + t->rest, by.beyond + t->rest};
    }
    return least;
}

// --- Pushing -------------------------------------------------------------------------------------

// A polygon that is expanded, and a way out of it. There is room for the nodes.
typedef struct expansion {
    ct_navigation_string string;
    uint32_t index;
    uint32_t way; // of the tile
    const ct_navigation_way *w;
    uint32_t met, region; // of the polygon beyond; met UINT32_MAX: it was not
} expansion;

// Returns the node of the polygon beyond the way, to be filled; NULL: a better way to the goal through it is
// known.
static ct_navigation_node *push(ct_navigation_search *s, const expansion *e, float length,
                                ahead rest) {
    const float whole = length + rest.length;
    const uint32_t next = s->nodes.count;
    if (e->met == UINT32_MAX)
        ct_array_push(&s->ways, (ct_navigation_met_way){whole, next});
    else if (whole < s->ways.items[e->met].dearest - CT_NAVIGATION_NEAR)
        s->ways.items[e->met] = (ct_navigation_met_way){whole, next};
    else
        return NULL;
    ct_navigation_heap_push(&s->open, whole + GREED * rest.beyond, next);
    ct_navigation_node *const node = &s->nodes.items[s->nodes.count++];
    node->cost = length;
    node->parent = e->index;
    node->polygon = e->w->to;
    node->way = e->way;
    node->region = e->region;
    node->flags = 0;
    return node;
}

static void push_way(ct_navigation_search *s, const expansion *e) {
    ct_navigation_sight v;
    ct_navigation_string_through(&e->string, &e->w->left, &e->w->right, &v);
    ct_navigation_node *const node = push(s, e, v.length, rest_of(s, &v, e->region));
    if (!node)
        return;
    node->root = *v.root;
    node->left = *v.left;
    node->right = *v.right;
}

// Metres of a link count by what it costs.
static void push_link(ct_navigation_search *s, const expansion *e) {
    const ct_navigation_opening o = ct_navigation_opening_of(s->mesh, e->w);
    const float across =
        ct_navigation_cost_of_link(s, e->w->link, ct_navigation_distance(o.left, o.right)) /
        s->filter.least_cost;
    const ct_navigation_string there = {o.right, o.right, o.right, 0};
    ct_navigation_sight v;
    ct_navigation_string_through(&there, &o.right, &o.right, &v);
    ct_navigation_node *const node = push(
        s, e, ct_navigation_string_length(&e->string, &o.left) + across, rest_of(s, &v, e->region));
    if (!node)
        return;
    node->root = node->left = node->right = o.right;
    node->flags = CT_NAVIGATION_NODE_ON_LINK;
}

static void push_goal(ct_navigation_search *s, const expansion *e) {
    ct_navigation_node *const node = &s->nodes.items[s->nodes.count++];
    *node = s->nodes.items[e->index];
    node->parent = e->index;
    node->flags = CT_NAVIGATION_NODE_GOAL;
    node->cost = ct_navigation_string_length(&e->string, &s->to_point);
    ct_navigation_heap_push(&s->open, node->cost, s->nodes.count - 1);
}

static bool is_closed(const ct_navigation_search *s, ct_navigation_place p) {
    const uint8_t area = ct_navigation_face_at(s->tiles, p)->area;
    return !isfinite(s->filter.costs[area % CT_NAVIGATION_MAX_AREAS]);
}

static bool may_link(const ct_navigation_search *s, uint32_t link) {
    return !s->filter.without_links && isfinite(ct_navigation_cost_of_link(s, link, 0));
}

bool ct_navigation_is_beaten(ct_navigation_search *s, uint32_t index) {
    const uint32_t met = ct_navigation_table_add(&s->way_table, s->allocator,
                                                 s->nodes.items[index].polygon, s->ways.count);
    if (met != UINT32_MAX)
        return s->ways.items[met].count != index;
    ct_array_push(&s->ways, (ct_navigation_met_way){0, index}); // the start
    return false;
}

void ct_navigation_expand_quick(ct_navigation_search *s, uint32_t index) {
    const ct_navigation_node *n = &s->nodes.items[index];
    const uint32_t slot = ct_navigation_slot_of(n->polygon);
    const ct_navigation_tile *const t = &s->tiles[slot];
    const ct_navigation_face *const face = &t->faces[ct_navigation_number_of(n->polygon)];
    ct_array_reserve(&s->nodes, (uint64_t)s->nodes.count + face->num_ways + 1);
    n = &s->nodes.items[index];
    const ct_navigation_place before =
        n->parent == UINT32_MAX ? 0 : s->nodes.items[n->parent].polygon;
    const uint32_t region =
        n->parent == UINT32_MAX ? ct_navigation_estimate_region(s, n->polygon) : n->region;
    expansion e = {.string = {n->root, n->left, n->right, n->cost}, .index = index};
    if (n->polygon == s->to)
        push_goal(s, &e);
    for (e.way = face->first_way; e.way < face->first_way + face->num_ways; ++e.way) {
        e.w = &t->ways[e.way];
        const ct_navigation_place to = e.w->to;
        if (!to || to == before || (e.w->link && !may_link(s, e.w->link)) ||
            (s->has_closed && is_closed(s, to)))
            continue;
        e.region = region;
        if (e.w->link || ct_navigation_slot_of(to) != slot)
            e.region = ct_navigation_estimate_region(s, to);
        e.met = ct_navigation_table_add(&s->way_table, s->allocator, to, s->ways.count);
        if (e.w->link)
            push_link(s, &e);
        else
            push_way(s, &e);
    }
}
