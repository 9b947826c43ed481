// navigation_search.c: a search from its start to its answer.
#include "navigation/path/navigation_search.h"

#include <math.h>

#include "foundation/math/math.h"
#include "navigation/path/navigation_estimate.h"
#include "navigation/path/navigation_expand.h"
#include "navigation/path/navigation_geometry.h"

static void set_ends(ct_navigation_search *s) {
    const ct_navigation_class *const class = ct_navigation_mesh_class(s->mesh);
    ct_vec3 reach = s->desc.reach;
    if (!(reach.x > 0 && reach.y > 0 && reach.z > 0))
        reach = ct_vec3_make(class->radius, class->radius, class->height);
    s->from = s->to = 0;
    if (!ct_navigation_is_finite(s->desc.from) || !ct_navigation_is_finite(s->desc.to))
        return;
    s->from = ct_navigation_nearest(s->mesh, &s->filter, s->desc.from, reach, &s->from_point);
    s->to = ct_navigation_nearest(s->mesh, &s->filter, s->desc.to, reach, &s->to_point);
}

void ct_navigation_search_begin(ct_navigation_search *s, const ct_navigation_mesh *m,
                                const ct_navigation_path_desc *desc) {
    ct_navigation_search_clear(s, m);
    s->desc = *desc;
    s->filter = desc->filter ? *desc->filter : ct_navigation_filter_of(m);
    s->has_filter = desc->filter != NULL;
    s->ignores_crowd = false;
    s->desc.filter = NULL;
    s->best_node = UINT32_MAX;
    s->best_distance = INFINITY;
    s->floods = s->is_near = s->is_apart = s->is_quick = false;
    s->stage = CT_NAVIGATION_STAGE_DONE;
    set_ends(s);
    if (!s->from || !s->to)
        return;
    ct_navigation_search_touch(s, ct_navigation_slot_of(s->from));
    ct_navigation_search_touch(s, ct_navigation_slot_of(s->to));
    s->is_apart = !ct_navigation_is_connected(m, s->from, s->to);
    if (s->is_apart && !s->desc.allows_partial)
        return;
    s->stage = CT_NAVIGATION_STAGE_SEARCH;
    s->floods = s->is_apart;
    if (s->floods) {
        ct_navigation_expand_start(s);
        return;
    }
    s->stage = CT_NAVIGATION_STAGE_NEW;
}

static void note_nearest(ct_navigation_search *s, uint32_t index) {
    const ct_vec3 p = ct_navigation_closest_on(s->mesh, s->nodes.items[index].polygon, s->to_point);
    const float distance = ct_navigation_distance(p, s->to_point);
    if (distance < s->best_distance) {
        s->best_distance = distance;
        s->best_node = index;
    }
}

// Intervals should find every way there is. Should numbers near each other have hidden one, plain
// polygons find it: islands say that the goal is linked.
static void start_over_plain(ct_navigation_search *s) {
    s->nodes.count = s->ways.count = 0;
    ct_navigation_table_clear(&s->way_table);
    ct_navigation_table_clear(&s->sight_table);
    s->sights.count = 0;
    s->floods = true;
    s->is_quick = false;
    s->best_node = UINT32_MAX;
    s->best_distance = INFINITY;
    ct_navigation_expand_start(s);
}

// Looks at one node more. Returns whether the search is done.
static bool look(ct_navigation_search *s) {
    if (!s->open.count && !s->floods)
        start_over_plain(s);
    if (!s->open.count)
        return true;
    const uint32_t index = ct_navigation_heap_pop(&s->open).value;
    if (s->nodes.items[index].flags & CT_NAVIGATION_NODE_GOAL) {
        s->best_node = index;
        return true;
    }
    if (s->is_quick && ct_navigation_is_beaten(s, index))
        return false;
    ++s->num_looked_at;
    if (s->desc.allows_partial)
        note_nearest(s, index);
    if (s->is_quick)
        ct_navigation_expand_quick(s, index);
    else
        ct_navigation_expand(s, index);
    return false;
}

bool ct_navigation_search_step(ct_navigation_search *s, uint32_t max_polygons) {
    const uint32_t most = s->desc.max_polygons ? s->desc.max_polygons : UINT32_MAX;
    uint32_t end = s->num_looked_at + max_polygons;
    end = end < s->num_looked_at || end > most ? most : end;
    s->tiles = ct_navigation_tiles(s->mesh, &s->num_slots); // others may have come
    if (s->stage == CT_NAVIGATION_STAGE_NEW) {
        if (!s->regions.count)
            ct_navigation_estimate_begin(s); // may look at more than `max_polygons`
        if (!ct_navigation_estimate_start(s, end))
            return s->num_looked_at >= most;
        s->is_quick = !s->is_near && ct_navigation_is_even(s);
        if (!s->is_quick) // the cheapest way may be far from the shortest
            s->bound = s->bound * 1.03f + ct_navigation_mesh_resource(s->mesh)->tile_size;
        ct_navigation_expand_start(s);
        s->stage = CT_NAVIGATION_STAGE_SEARCH;
    }
    while (s->stage == CT_NAVIGATION_STAGE_SEARCH && s->num_looked_at < end)
        if (look(s))
            s->stage = CT_NAVIGATION_STAGE_DONE;
    return s->stage == CT_NAVIGATION_STAGE_DONE || s->num_looked_at >= most;
}

// --- The answer ----------------------------------------------------------------------------------

static void reverse(ct_navigation_search *s) {
    const uint32_t count = s->corridor.count;
    for (uint32_t i = 0; i < count / 2; ++i) {
        const ct_navigation_place p = s->corridor.items[i];
        s->corridor.items[i] = s->corridor.items[count - 1 - i];
        s->corridor.items[count - 1 - i] = p;
    }
    for (uint32_t i = 0; i + 1 < count - 1 - i; ++i) {
        const ct_navigation_opening o = s->openings.items[i];
        s->openings.items[i] = s->openings.items[count - 2 - i];
        s->openings.items[count - 2 - i] = o;
    }
}

// The corridor to a node. Where costs change, the root between is an opening without width: else the
// string would be pulled as if the ground were the same.
static void collect(ct_navigation_search *s, uint32_t index) {
    s->corridor.count = s->openings.count = 0;
    if (s->nodes.items[index].flags & CT_NAVIGATION_NODE_GOAL)
        index = s->nodes.items[index].parent;
    for (;;) {
        const ct_navigation_node *const n = &s->nodes.items[index];
        ct_array_push(&s->corridor, n->polygon);
        if (n->parent == UINT32_MAX)
            break;
        const ct_navigation_place before = s->nodes.items[n->parent].polygon;
        ct_navigation_opening o = ct_navigation_opening_of(
            s->mesh, &s->tiles[ct_navigation_slot_of(before)].ways[n->way]);
        if (n->flags & CT_NAVIGATION_NODE_WHOLE && !o.link && !s->is_quick)
            o.left = o.right = n->root;
        ct_array_push(&s->openings, o);
        index = n->parent;
    }
    reverse(s);
}

// A quick search knows its costs only about, so those of its paths are measured.
static void measure(const ct_navigation_search *s, ct_navigation_path *path) {
    path->length = 0;
    float cost = 0;
    for (uint32_t i = 0; i + 1 < path->num_corners; ++i) {
        const ct_navigation_corner *const c = &path->corners[i];
        const float length = ct_navigation_distance(c[0].position, c[1].position);
        path->length += length;
        cost += c->link ? ct_navigation_cost_of_link(s, c->link, length)
                        : length * s->filter.least_cost;
    }
    if (s->is_quick)
        path->cost = cost;
}

static void pull(ct_navigation_search *s, ct_vec3 to, ct_navigation_path *path) {
    if (s->corridor.count > CT_NAVIGATION_MAX_CORRIDOR)
        s->corridor.count = CT_NAVIGATION_MAX_CORRIDOR;
    const uint32_t most = s->corridor.count * 2 + 2;
    const uint32_t max = most < CT_NAVIGATION_MAX_CORNERS ? most : CT_NAVIGATION_MAX_CORNERS;
    ct_array_resize(&s->path, max);
    s->path.count =
        ct_navigation_pull(s->mesh, s->corridor.items, s->openings.items, s->corridor.count,
                           s->from_point, to, s->desc.corner_radius, s->path.items, max);
    path->corners = s->path.items;
    path->num_corners = s->path.count;
    path->polygons = s->corridor.items;
    path->num_polygons = s->corridor.count;
    measure(s, path);
}

static ct_navigation_status status_of(const ct_navigation_search *s) {
    if (!s->from || !s->to)
        return CT_NAVIGATION_OFF_MESH;
    if (s->is_apart && !s->desc.allows_partial)
        return CT_NAVIGATION_UNREACHABLE;
    const bool has_node = s->best_node != UINT32_MAX;
    if (s->stage == CT_NAVIGATION_STAGE_DONE && has_node &&
        s->nodes.items[s->best_node].flags & CT_NAVIGATION_NODE_GOAL)
        return CT_NAVIGATION_FOUND;
    if (s->desc.allows_partial && has_node)
        return CT_NAVIGATION_PARTIAL;
    return s->stage == CT_NAVIGATION_STAGE_DONE ? CT_NAVIGATION_UNREACHABLE : CT_NAVIGATION_OVER;
}

void ct_navigation_search_finish(ct_navigation_search *s, ct_navigation_path *path) {
    *path = (ct_navigation_path){
        .status = status_of(s), .num_looked_at = s->num_looked_at, .version = s->version};
    if (path->status != CT_NAVIGATION_FOUND && path->status != CT_NAVIGATION_PARTIAL)
        return;
    const ct_navigation_node *const n = &s->nodes.items[s->best_node];
    path->cost = n->cost;
    ct_vec3 to = s->to_point;
    if (path->status == CT_NAVIGATION_PARTIAL)
        to = ct_navigation_closest_on(s->mesh, n->polygon, s->to_point);
    collect(s, s->best_node);
    const bool is_cut = s->corridor.count > CT_NAVIGATION_MAX_CORRIDOR;
    if (is_cut) {
        path->status = CT_NAVIGATION_PARTIAL;
        to = ct_navigation_closest_on(s->mesh, s->corridor.items[CT_NAVIGATION_MAX_CORRIDOR - 1],
                                      s->to_point);
    }
    pull(s, to, path);
    if (path->num_corners == CT_NAVIGATION_MAX_CORNERS)
        path->status = CT_NAVIGATION_PARTIAL;
}

void ct_navigation_find_path(ct_navigation_search *s, const ct_navigation_mesh *m,
                             const ct_navigation_path_desc *desc, ct_navigation_path *path) {
    ct_navigation_search_begin(s, m, desc);
    ct_navigation_search_step(s, UINT32_MAX);
    ct_navigation_search_finish(s, path);
}
