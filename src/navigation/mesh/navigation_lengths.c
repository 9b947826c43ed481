// navigation_lengths.c: how far it is from crossing to crossing inside of a tile, and the islands.
//
// The length of the shortest way over middles of ways (Dijkstra 1959). Those of a region whose polygons
// and crossings are the same as before are copied.
#include "navigation/mesh/navigation_mesh_private.h"

static void push_heap(ct_navigation_scratch *s, float key, uint32_t portal) {
    ct_array_push(&s->heap, (ct_navigation_heap_item){key, portal});
    ct_navigation_heap_item *const h = s->heap.items;
    uint32_t i = s->heap.count - 1;
    for (; i > 0 && h[(i - 1) / 2].key > key; i = (i - 1) / 2)
        h[i] = h[(i - 1) / 2];
    h[i] = (ct_navigation_heap_item){key, portal};
}

static ct_navigation_heap_item pop_heap(ct_navigation_scratch *s) {
    ct_navigation_heap_item *const h = s->heap.items;
    const ct_navigation_heap_item top = h[0], last = h[--s->heap.count];
    uint32_t i = 0;
    for (uint32_t child = 1; child < s->heap.count; child = i * 2 + 1) {
        child += child + 1 < s->heap.count && h[child + 1].key < h[child].key;
        if (h[child].key >= last.key)
            break;
        h[i] = h[child];
        i = child;
    }
    h[i] = last;
    return top;
}

static float distance_between(ct_vec3 a, ct_vec3 b) {
    const ct_vec3 d = ct_vec3_sub(a, b);
    return sqrtf(d.x * d.x + d.y * d.y + d.z * d.z);
}

// The portal that the way back from `face` to `to` was listed as.
static uint32_t listed_portal(const ct_navigation_scratch *s, uint32_t face, uint32_t to,
                              ct_vec3 middle) {
    for (uint32_t i = s->first_portals.items[face]; i < s->first_portals.items[face + 1]; ++i) {
        const ct_navigation_portal *const p = &s->portals.items[s->face_portals.items[i]];
        if (p->faces[1] == to && p->middle.x == middle.x && p->middle.y == middle.y &&
            p->middle.z == middle.z)
            return s->face_portals.items[i];
    }
    return UINT32_MAX;
}

// Lists ways with their ways back as portals: nodes of the search. Faces know their portals.
static void list_portals(ct_navigation_scratch *s, uint32_t slot,
                         const ct_navigation_arrays *arrays, uint32_t num_faces) {
    s->portals.count = s->face_portals.count = 0;
    ct_array_resize(&s->first_portals, num_faces + 1);
    for (uint32_t i = 0; i < num_faces; ++i) {
        const ct_navigation_face *const face = &arrays->faces[i];
        s->first_portals.items[i] = s->face_portals.count;
        for (uint32_t k = 0; k < face->num_ways; ++k) {
            const ct_navigation_way *const way = &arrays->ways[face->first_way + k];
            const uint32_t to = ct_navigation_number_of(way->to);
            if (way->link || ct_navigation_slot_of(way->to) != slot)
                continue;
            const ct_vec3 middle = ct_vec3_scale(ct_vec3_add(way->left, way->right), 0.5f);
            uint32_t portal = to < i ? listed_portal(s, to, i, middle) : UINT32_MAX;
            if (portal == UINT32_MAX) {
                portal = s->portals.count;
                ct_array_push(&s->portals,
                              (ct_navigation_portal){.middle = middle, .faces = {i, to}});
            }
            ct_array_push(&s->face_portals, portal);
        }
        s->first_portals.items[i + 1] = s->face_portals.count;
    }
    ct_array_resize(&s->distances, s->portals.count);
    ct_array_resize(&s->entered, s->portals.count);
}

// What a search from a crossing looks for: lengths to others.
typedef struct length_targets {
    const ct_navigation_crossing *crossings;
    uint32_t count;
    float *lengths;
    float longest; // of the lengths so far
} length_targets;

// Goes on from a point of a face at a distance: to the targets there, and to the face's portals.
static void enter(ct_navigation_scratch *s, uint32_t face, ct_vec3 at, float distance,
                  length_targets *t) {
    if (s->targets.items[face]) {
        t->longest = 0;
        for (uint32_t i = 0; i < t->count; ++i) {
            const ct_navigation_crossing *const c = &t->crossings[i];
            if (c->polygon == face)
                t->lengths[i] = fminf(t->lengths[i], distance + distance_between(at, c->middle));
            t->longest = fmaxf(t->longest, t->lengths[i]);
        }
    }
    for (uint32_t i = s->first_portals.items[face]; i < s->first_portals.items[face + 1]; ++i) {
        const uint32_t portal = s->face_portals.items[i];
        const ct_navigation_portal *const p = &s->portals.items[portal];
        if (s->distances.items[portal] <= distance)
            continue;
        const float length = distance + distance_between(at, p->middle);
        if (length >= s->distances.items[portal])
            continue;
        s->distances.items[portal] = length;
        s->entered.items[portal] = p->faces[0] == face ? p->faces[1] : p->faces[0];
        push_heap(s, length, portal);
    }
}

static void spread(ct_navigation_scratch *s, const ct_navigation_crossing *from,
                   length_targets *t) {
    for (uint32_t i = 0; i < s->portals.count; ++i)
        s->distances.items[i] = INFINITY;
    for (uint32_t i = 0; i < t->count; ++i)
        t->lengths[i] = INFINITY;
    s->heap.count = 0;
    t->longest = INFINITY;
    enter(s, from->polygon, from->middle, 0, t);
    while (s->heap.count) {
        const ct_navigation_heap_item top = pop_heap(s);
        if (top.key >= t->longest)
            return;
        if (top.key <= s->distances.items[top.portal])
            enter(s, s->entered.items[top.portal], s->portals.items[top.portal].middle, top.key, t);
    }
}

// Whether a region's lengths may be copied: the tile has the same faces, and the region the same crossings.
static bool has_same(const ct_navigation_tile *old, const ct_navigation_arrays *arrays,
                     uint32_t region) {
    const ct_navigation_region *const a = &old->regions[region];
    const ct_navigation_region *const b = &arrays->regions[region];
    if (a->num_crossings != b->num_crossings || old->num_crossings == 0)
        return false;
    for (uint32_t i = 0; i < a->num_crossings; ++i) {
        const ct_navigation_crossing *const x = &old->crossings[a->first_crossing + i];
        const ct_navigation_crossing *const y = &arrays->crossings[b->first_crossing + i];
        if (x->polygon != y->polygon || x->middle.x != y->middle.x || x->middle.y != y->middle.y ||
            x->middle.z != y->middle.z)
            return false;
    }
    return true;
}

static void measure_region(ct_navigation_scratch *s, const ct_navigation_arrays *arrays,
                           uint32_t region) {
    const ct_navigation_region *const r = &arrays->regions[region];
    const uint32_t n = r->num_crossings;
    const ct_navigation_crossing *const crossings = arrays->crossings + r->first_crossing;
    float *const lengths = arrays->lengths + arrays->first_length[region];
    for (uint32_t i = 0; i < n; ++i)
        ++s->targets.items[crossings[i].polygon];
    for (uint32_t i = 0; i + 1 < n; ++i) {
        --s->targets.items[crossings[i].polygon]; // the rest is farther on
        length_targets targets = {
            .crossings = crossings + i + 1, .count = n - i - 1, .lengths = lengths + i * n + i + 1};
        spread(s, &crossings[i], &targets);
        for (uint32_t k = i + 1; k < n; ++k)
            lengths[k * n + i] = lengths[i * n + k];
    }
    --s->targets.items[crossings[n - 1].polygon];
}

void ct_navigation_measure(ct_navigation_mesh *m, uint32_t slot, const ct_navigation_arrays *arrays,
                           const ct_navigation_counts *counts) {
    ct_navigation_scratch *const s = &m->scratch;
    const ct_navigation_tile *const old = &m->tiles[slot];
    ct_array_resize(&s->targets, counts->faces);
    if (counts->faces)
        memset(s->targets.items, 0, sizeof(*s->targets.items) * counts->faces);
    bool is_listed = false;
    for (uint32_t r = 0; r < counts->regions; ++r) {
        const uint32_t n = arrays->regions[r].num_crossings;
        if (n < 2)
            continue;
        if (has_same(old, arrays, r)) {
            memcpy(arrays->lengths + arrays->first_length[r],
                   old->crossing_lengths + old->first_length[r], sizeof(float) * n * n);
            continue;
        }
        if (!is_listed)
            list_portals(s, slot, arrays, counts->faces);
        is_listed = true;
        measure_region(s, arrays, r);
    }
}

// --- Islands -------------------------------------------------------------------------------------

static uint32_t root_of(uint32_t *parents, uint32_t i) {
    while (parents[i] != i)
        i = parents[i] = parents[parents[i]];
    return i;
}

static void join_tile(ct_navigation_mesh *m, const uint32_t *first, uint32_t slot) {
    const ct_navigation_tile *const t = &m->tiles[slot];
    uint32_t *const parents = m->scratch.parents.items;
    for (uint32_t r = 0; r < t->num_regions; ++r) {
        const ct_navigation_region *const region = &t->regions[r];
        for (uint32_t i = 0; i < region->num_crossings; ++i) {
            const ct_navigation_crossing *const c = &t->crossings[region->first_crossing + i];
            const uint32_t a = root_of(parents, first[slot] + r);
            const uint32_t b = root_of(parents, first[c->to_slot] + c->to_region);
            parents[a < b ? b : a] = a < b ? a : b;
        }
    }
}

void ct_navigation_find_islands(ct_navigation_mesh *m) {
    ct_u32_array *const first = &m->scratch.first_regions;
    ct_array_resize(first, m->num_slots);
    uint32_t count = 0;
    for (uint32_t i = 1; i < m->num_slots; ++i) {
        first->items[i] = count;
        count += m->tiles[i].num_regions;
    }
    ct_array_resize(&m->scratch.parents, count);
    ct_array_resize(&m->scratch.islands, count);
    for (uint32_t i = 0; i < count; ++i)
        m->scratch.parents.items[i] = i;
    for (uint32_t i = 1; i < m->num_slots; ++i)
        join_tile(m, first->items, i);
    uint32_t island = 0;
    for (uint32_t i = 1; i < m->num_slots; ++i)
        for (uint32_t r = 0; r < m->tiles[i].num_regions; ++r) {
            const uint32_t at = first->items[i] + r;
            const uint32_t root = root_of(m->scratch.parents.items, at); // not behind it
            if (root == at)
                m->scratch.islands.items[at] = ++island;
            m->slots[i].arrays.regions[r].island = m->scratch.islands.items[root];
        }
    m->islands_are_old = false;
    ct_navigation_new_version(m);
}
