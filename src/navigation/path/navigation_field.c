// navigation_field.c: distances from everywhere to some goals.
//
// Dijkstra's algorithm backwards from the goals over polygons. A polygon's point is the point of the way
// to the next polygon that is nearest to that one's point.
#include <math.h>

#include "navigation/path/navigation_geometry.h"
#include "navigation/path/navigation_walk.h"

enum { LOOK_AHEAD = 24 }; // polygons through which the string is pulled

void ct_navigation_field_free(ct_navigation_search *s, ct_navigation_field *field) {
    ct_free(s->allocator, field->first);
    ct_free(s->allocator, field->distances);
    ct_free(s->allocator, field->points);
    ct_free(s->allocator, field->next);
    *field = (ct_navigation_field){0};
}

static void make_arrays(ct_navigation_search *s, ct_navigation_field *field) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->num_slots; ++i)
        count += s->tiles[i].version ? s->tiles[i].num_faces : 0;
    if (field->num_places != count || field->num_slots != s->num_slots) {
        ct_navigation_field_free(s, field);
        field->first = CT_NEW_ARRAY(s->allocator, uint32_t, (uint64_t)s->num_slots + 1);
        field->distances = CT_NEW_ARRAY(s->allocator, float, count);
        field->points = CT_NEW_ARRAY(s->allocator, ct_vec3, count);
        field->next = CT_NEW_ARRAY(s->allocator, ct_navigation_place, count);
    }
    field->num_places = count;
    field->num_slots = s->num_slots;
    field->version = s->version;
    count = 0;
    for (uint32_t i = 0; i < s->num_slots; ++i) {
        field->first[i] = count;
        count += s->tiles[i].version ? s->tiles[i].num_faces : 0;
    }
    field->first[s->num_slots] = count;
    for (uint32_t i = 0; i < count; ++i) {
        field->distances[i] = INFINITY;
        field->next[i] = 0;
    }
}

static uint32_t index_of(const ct_navigation_field *field, ct_navigation_place p) {
    return field->first[ct_navigation_slot_of(p)] + ct_navigation_number_of(p);
}

static float cost_of(const ct_navigation_search *s, ct_navigation_place p) {
    return s->filter.costs[ct_navigation_face_at(s->tiles, p)->area % CT_NAVIGATION_MAX_AREAS];
}

// A polygon is reached backwards: from `point` of it, it is `distance` to a goal, by way of `next`.
static void reach(ct_navigation_search *s, ct_navigation_field *field, ct_navigation_place p,
                  ct_vec3 point, float distance, ct_navigation_place next) {
    const uint32_t i = index_of(field, p);
    if (!(distance < field->distances[i]) || !isfinite(cost_of(s, p)))
        return;
    field->distances[i] = distance;
    field->points[i] = point;
    field->next[i] = next;
    ct_navigation_heap_push(&s->open, distance, p);
}

// Links lead one way, so they are kept by where they lead to: nodes of the search.
static void find_links(ct_navigation_search *s) {
    for (uint32_t slot = 1; slot < s->num_slots; ++slot)
        for (uint32_t f = 0; s->tiles[slot].version && f < s->tiles[slot].num_faces; ++f) {
            const ct_navigation_face *const face = &s->tiles[slot].faces[f];
            for (uint32_t i = 0; i < face->num_ways; ++i) {
                const ct_navigation_way *const w = &s->tiles[slot].ways[face->first_way + i];
                if (!w->link || !w->to)
                    continue;
                const uint32_t next = s->nodes.count;
                const uint32_t before =
                    ct_navigation_table_add(&s->way_table, s->allocator, w->to, s->ways.count);
                if (before == UINT32_MAX)
                    ct_array_push(&s->ways, (ct_navigation_met_way){0, UINT32_MAX});
                ct_navigation_met_way *const list =
                    &s->ways.items[before == UINT32_MAX ? s->ways.count - 1 : before];
                ct_array_push(&s->nodes,
                              (ct_navigation_node){.polygon = CT_NAVIGATION_PLACE(slot, f),
                                                   .way = face->first_way + i,
                                                   .parent = list->count});
                list->count = next;
            }
        }
}

static void reach_by_links(ct_navigation_search *s, ct_navigation_field *field,
                           ct_navigation_place p) {
    if (s->filter.without_links || !s->ways.count)
        return;
    const uint32_t list = ct_navigation_table_add(&s->way_table, s->allocator, p, s->ways.count);
    if (list == UINT32_MAX) {
        ct_array_push(&s->ways, (ct_navigation_met_way){0, UINT32_MAX});
        return;
    }
    const ct_navigation_resource *const r = ct_navigation_mesh_resource(s->mesh);
    const ct_navigation_link *const links =
        (const ct_navigation_link *)ct_blob_at(r, r->links.offset);
    for (uint32_t i = s->ways.items[list].count; i != UINT32_MAX; i = s->nodes.items[i].parent) {
        const ct_navigation_node *const n = &s->nodes.items[i];
        const ct_navigation_way *const w =
            &s->tiles[ct_navigation_slot_of(n->polygon)].ways[n->way];
        const ct_navigation_opening o = ct_navigation_opening_of(s->mesh, w);
        const uint32_t at = index_of(field, p);
        const float area_cost = s->filter.costs[links[w->link - 1].area % CT_NAVIGATION_MAX_AREAS];
        if (!isfinite(area_cost))
            continue;
        reach(s, field, n->polygon, o.left,
              field->distances[at] +
                  ct_navigation_distance(o.right, field->points[at]) * cost_of(s, p) +
                  ct_navigation_distance(o.left, o.right) * area_cost + links[w->link - 1].cost,
              p);
    }
}

static void spread(ct_navigation_search *s, ct_navigation_field *field, ct_navigation_place p) {
    const ct_navigation_tile *const t = &s->tiles[ct_navigation_slot_of(p)];
    const ct_navigation_face *const face = &t->faces[ct_navigation_number_of(p)];
    const uint32_t at = index_of(field, p);
    const float cost = cost_of(s, p);
    for (uint32_t i = 0; i < face->num_ways; ++i) {
        const ct_navigation_way *const w = &t->ways[face->first_way + i];
        if (!ct_navigation_may_enter(s->tiles, &s->filter, w))
            continue;
        const ct_vec3 on = ct_navigation_nearest_of(w->right, w->left, field->points[at]);
        reach(s, field, w->to, on,
              field->distances[at] + ct_navigation_distance(on, field->points[at]) * cost, p);
    }
    reach_by_links(s, field, p);
}

void ct_navigation_field_compute(ct_navigation_search *s, const ct_navigation_mesh *m,
                                 const ct_navigation_filter *filter, const ct_vec3 *goals,
                                 uint32_t num_goals, ct_vec3 reach_by, ct_navigation_field *field) {
    ct_navigation_search_clear(s, m);
    s->filter = filter ? *filter : ct_navigation_filter_of(m);
    make_arrays(s, field);
    find_links(s);
    for (uint32_t i = 0; i < num_goals; ++i) {
        ct_vec3 on;
        const ct_navigation_place p =
            ct_navigation_is_finite(goals[i])
                ? ct_navigation_nearest(m, &s->filter, goals[i], reach_by, &on)
                : 0;
        if (p)
            reach(s, field, p, on, 0, 0);
    }
    while (s->open.count) {
        const ct_navigation_open top = ct_navigation_heap_pop(&s->open);
        if (top.key <= field->distances[index_of(field, top.value)])
            spread(s, field, top.value);
    }
}

float ct_navigation_field_at(const ct_navigation_mesh *m, const ct_navigation_field *field,
                             ct_navigation_place p, ct_vec3 from, ct_vec3 *towards) {
    *towards = from;
    if (field->version != ct_navigation_mesh_version(m) || !ct_navigation_is_live(m, p))
        return INFINITY;
    const uint32_t at = index_of(field, p);
    if (!isfinite(field->distances[at]))
        return INFINITY;
    const ct_vec3 point = field->points[at];
    *towards = point;
    // The string through what is ahead gives a straighter way.
    ct_navigation_place ahead[LOOK_AHEAD];
    uint32_t count = 0, last = at;
    for (ct_navigation_place q = p; q && count < LOOK_AHEAD; q = field->next[last]) {
        last = index_of(field, q);
        ahead[count++] = q;
    }
    ct_navigation_corner corners[2];
    if (ct_navigation_funnel(m, ahead, count, from, field->points[last], 0, corners, 2) == 2)
        *towards = corners[1].position;
    return field->distances[at] + ct_navigation_distance(from, point);
}
