// Polygons in which agents stand or hardly get on cost more in later searches.
#include <math.h>
#include <string.h>

#include "foundation/container/sort.h"
#include "foundation/math/math.h"
#include "navigation/agents/navigation_agents_private.h"

static const float SLOW_PART = 0.5f;    // of its speed: an agent below that is in a crowd
static const float FREE_PART = 0.15f;   // of a polygon's area, covered by agents: others pass
static const float FULL_PART = 0.5f;    // it is full
static const float FULL_FACTOR = 8;     // of the cost of a polygon that is full
static const float LEAST_FACTOR = 1.1f; // what is less is left out

static float area_of(const ct_navigation_agents *a, ct_navigation_place place) {
    uint32_t num_slots;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(a->mesh, &num_slots);
    const ct_navigation_tile *const t = &tiles[ct_navigation_slot_of(place)];
    const ct_navigation_face *const face = &t->faces[ct_navigation_number_of(place)];
    const uint16_t *const edges = t->edges + face->first_edge;
    const ct_vec3 first = t->vertices[edges[0]];
    float twice = 0;
    for (uint32_t i = 1; i + 1 < face->num_edges; ++i) {
        const ct_vec3 b = ct_vec3_sub(t->vertices[edges[i]], first);
        const ct_vec3 c = ct_vec3_sub(t->vertices[edges[i + 1]], first);
        twice += b.x * c.y - b.y * c.x;
    }
    return twice * 0.5f;
}

static bool is_in_crowd(const ct_navigation_agents *a, uint32_t i) {
    if (a->states[i] == CT_NAVIGATION_OFF || a->states[i] == CT_NAVIGATION_ON_LINK ||
        !ct_navigation_is_live(a->mesh, a->places[i]))
        return false;
    const ct_vec3 v = a->velocities[i];
    const float slow = a->walkers[i].speed * SLOW_PART;
    return a->walkers[i].speed == 0 || v.x * v.x + v.y * v.y < slow * slow;
}

void ct_navigation_agents_see_crowd(ct_navigation_agents *a) {
    if (!a->soa.count) {
        a->crowded.count = 0;
        ct_navigation_set_crowded(a->mesh, NULL, 0);
        return;
    }
    ct_array_resize(&a->crowd_records, a->soa.count * 2);
    ct_navigation_crowd_record *const records = a->crowd_records.items;
    uint32_t count = 0;
    for (uint32_t i = 0; i < a->soa.count; ++i) {
        const float radius = a->walkers[i].radius;
        if (is_in_crowd(a, i))
            records[count++] =
                (ct_navigation_crowd_record){a->places[i], 3.1415927f * radius * radius, 0};
    }
    a->crowded.count = 0;
    const ct_navigation_crowd_record *const sorted = ct_sort_records64(
        records, records + a->soa.count, count, sizeof(ct_navigation_crowd_record));
    for (uint32_t i = 0; i < count;) {
        const uint64_t place = sorted[i].place;
        float covered = 0;
        for (; i < count && sorted[i].place == place; ++i)
            covered += sorted[i].area;
        const float part = covered / fmaxf(area_of(a, (ct_navigation_place)place), 1e-3f);
        const float full = fminf(fmaxf((part - FREE_PART) / (FULL_PART - FREE_PART), 0), 1);
        const float factor = 1 + (FULL_FACTOR - 1) * full;
        if (factor >= LEAST_FACTOR)
            ct_array_push(&a->crowded, (ct_navigation_crowded){(ct_navigation_place)place, factor});
    }
    ct_navigation_set_crowded(a->mesh, a->crowded.items, a->crowded.count);
}
