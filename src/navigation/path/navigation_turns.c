// navigation_turns.c: finds out where paths may turn.
#include "navigation/path/navigation_expand.h"
#include "navigation/path/navigation_geometry.h"

enum { MAX_AROUND = 16 };

// Whether the edge from `a` to `b` goes on beyond `point` of it, in the direction of `b`.
static bool goes_on(ct_vec3 point, ct_vec3 b) {
    return !ct_navigation_is_at(point, b);
}

typedef struct around {
    ct_navigation_place places[MAX_AROUND];
    uint32_t count;
} around;

static void add_place(around *found, ct_navigation_place p) {
    for (uint32_t i = 0; i < found->count; ++i)
        if (found->places[i] == p)
            return;
    if (found->count < MAX_AROUND)
        found->places[found->count++] = p;
}

// Whether a wall is at `point` on the edge from `a` to `b`, which touches it. Adds the polygons beyond.
static bool has_wall(const ct_navigation_tile *t, const ct_navigation_face *face, uint32_t edge,
                     ct_vec3 a, ct_vec3 b, ct_vec3 point, around *found) {
    bool before = !goes_on(point, a), after = !goes_on(point, b); // whether it is open there
    for (uint32_t i = 0; i < face->num_ways; ++i) {
        const ct_navigation_way *const w = &t->ways[face->first_way + i];
        if (w->edge != edge || !w->to)
            continue;
        const ct_vec3 on = ct_navigation_nearest_of(w->right, w->left, point);
        if (!ct_navigation_is_at(on, point))
            continue;
        add_place(found, w->to);
        before |= goes_on(point, w->right);
        after |= goes_on(point, w->left);
    }
    return !before || !after;
}

bool ct_navigation_is_corner(const ct_navigation_search *s, ct_navigation_place p, ct_vec3 point) {
    const ct_navigation_tile *const tiles = s->tiles;
    const float cost = ct_navigation_cost_of(s, p);
    around found = {{p}, 1};
    for (uint32_t i = 0; i < found.count; ++i) {
        if (ct_navigation_cost_of(s, found.places[i]) != cost)
            return true;
        const ct_navigation_tile *const t = &tiles[ct_navigation_slot_of(found.places[i])];
        const ct_navigation_face *const face = &t->faces[ct_navigation_number_of(found.places[i])];
        for (uint32_t e = 0; e < face->num_edges; ++e) {
            const uint32_t next = e + 1 < face->num_edges ? e + 1 : 0;
            const ct_vec3 a = t->vertices[t->edges[face->first_edge + e]];
            const ct_vec3 b = t->vertices[t->edges[face->first_edge + next]];
            if (!ct_navigation_is_at(ct_navigation_nearest_of(a, b, point), point))
                continue;
            if (has_wall(t, face, e, a, b, point, &found))
                return true;
        }
    }
    return false;
}
