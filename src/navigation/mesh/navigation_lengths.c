// navigation_lengths.c: how far it is from crossing to crossing inside of a tile, and the islands.
//
// The length of the shortest way over middles of ways (Dijkstra 1959). Those of a region whose polygons
// and crossings are the same as before are copied.
#include "navigation/mesh/navigation_mesh_private.h"

static void push_heap(ct_navigation_scratch *s, float key, uint32_t face) {
    ct_array_push(&s->heap, (ct_navigation_heap_item){key, face});
    ct_navigation_heap_item *const h = s->heap.items;
    uint32_t i = s->heap.count - 1;
    for (; i > 0 && h[(i - 1) / 2].key > key; i = (i - 1) / 2)
        h[i] = h[(i - 1) / 2];
    h[i] = (ct_navigation_heap_item){key, face};
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

// Sets the distances of faces from a crossing, and where the shortest way enters them, until the farthest
// of the faces of `targets` is known.
static void spread(ct_navigation_scratch *s, uint32_t slot, const ct_navigation_arrays *arrays,
                   uint32_t num_faces, const ct_navigation_crossing *from,
                   const ct_navigation_crossing *targets, uint32_t num_targets) {
    for (uint32_t i = 0; i < num_faces; ++i)
        s->distances.items[i] = INFINITY;
    s->heap.count = 0;
    s->distances.items[from->polygon] = 0;
    s->entries.items[from->polygon] = from->middle;
    push_heap(s, 0, from->polygon);
    uint32_t left = num_targets;
    while (s->heap.count && left) {
        const ct_navigation_heap_item top = pop_heap(s);
        if (top.key > s->distances.items[top.face])
            continue;
        for (uint32_t i = 0; i < num_targets; ++i)
            left -= targets[i].polygon == top.face;
        const ct_navigation_face *const face = &arrays->faces[top.face];
        const ct_vec3 at = s->entries.items[top.face];
        for (uint32_t i = 0; i < face->num_ways; ++i) {
            const ct_navigation_way *const way = &arrays->ways[face->first_way + i];
            if (way->link || ct_navigation_slot_of(way->to) != slot)
                continue;
            const uint32_t to = ct_navigation_number_of(way->to);
            const ct_vec3 middle = ct_vec3_scale(ct_vec3_add(way->left, way->right), 0.5f);
            const float distance = top.key + ct_vec3_length(ct_vec3_sub(middle, at));
            if (distance >= s->distances.items[to])
                continue;
            s->distances.items[to] = distance;
            s->entries.items[to] = middle;
            push_heap(s, distance, to);
        }
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

static void measure_region(ct_navigation_scratch *s, uint32_t slot,
                           const ct_navigation_arrays *arrays, uint32_t num_faces,
                           uint32_t region) {
    const ct_navigation_region *const r = &arrays->regions[region];
    const uint32_t n = r->num_crossings;
    const ct_navigation_crossing *const crossings = arrays->crossings + r->first_crossing;
    float *const lengths = arrays->lengths + arrays->first_length[region];
    for (uint32_t i = 0; i + 1 < n; ++i) {
        spread(s, slot, arrays, num_faces, &crossings[i], crossings + i + 1, n - i - 1);
        for (uint32_t k = i + 1; k < n; ++k) {
            const uint32_t face = crossings[k].polygon;
            const ct_vec3 rest = ct_vec3_sub(crossings[k].middle, s->entries.items[face]);
            const float length = s->distances.items[face] + ct_vec3_length(rest);
            lengths[i * n + k] = lengths[k * n + i] = length;
        }
    }
}

void ct_navigation_measure(ct_navigation_mesh *m, uint32_t slot, const ct_navigation_arrays *arrays,
                           const ct_navigation_counts *counts) {
    ct_navigation_scratch *const s = &m->scratch;
    const ct_navigation_tile *const old = &m->tiles[slot];
    ct_array_resize(&s->distances, counts->faces);
    ct_array_resize(&s->entries, counts->faces);
    for (uint32_t r = 0; r < counts->regions; ++r) {
        const uint32_t n = arrays->regions[r].num_crossings;
        if (has_same(old, arrays, r)) {
            memcpy(arrays->lengths + arrays->first_length[r],
                   old->crossing_lengths + old->first_length[r], sizeof(float) * n * n);
            continue;
        }
        measure_region(s, slot, arrays, counts->faces, r);
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
