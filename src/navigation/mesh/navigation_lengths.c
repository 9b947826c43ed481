// navigation_lengths.c: how far it is from crossing to crossing inside of a tile, and the islands.
//
// The length of the string from a crossing to another. Dijkstra's search (1959) goes over the portals of the
// tile with the string up to each, and takes them by the length to their middles; so it finds strings that are
// about the shortest. Those of a region whose polygons and crossings are the same as before are copied.
//
// Tiles that look the same have the same lengths, however they came to be: crossings may lie in another order,
// and a search backwards may find another string. So a pair is measured from the crossing whose middle is less,
// and of strings of the same length to a portal the one by the portal whose middle is less stays.
#include <math.h>

#include "foundation/math/math.h"
#include "navigation/mesh/navigation_mesh_private.h"

#define FROM_CROSSING UINT32_MAX

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

// By x, then y, then z.
static bool is_less(ct_vec3 a, ct_vec3 b) {
    if (a.x != b.x)
        return a.x < b.x;
    return a.y != b.y ? a.y < b.y : a.z < b.z;
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
                ct_array_push(&s->portals, (ct_navigation_portal){.middle = middle,
                                                                  .left = way->left,
                                                                  .right = way->right,
                                                                  .faces = {i, to}});
            }
            ct_array_push(&s->face_portals, portal);
        }
        s->first_portals.items[i + 1] = s->face_portals.count;
    }
    ct_array_resize(&s->reached, s->portals.count);
}

// What a search from a crossing looks for: lengths to others of its region.
typedef struct length_targets {
    const ct_navigation_crossing *crossings;
    const uint32_t *numbers; // of the crossings
    uint32_t count;
    float *lengths; // by number
    float longest;  // of the lengths so far
} length_targets;

static void reach_targets(uint32_t face, const ct_navigation_string *string, length_targets *t) {
    t->longest = 0;
    for (uint32_t i = 0; i < t->count; ++i) {
        const ct_navigation_crossing *const c = &t->crossings[t->numbers[i]];
        float *const length = &t->lengths[t->numbers[i]];
        if (c->polygon == face)
            *length = fminf(*length, ct_navigation_string_length(string, &c->middle));
        t->longest = fmaxf(t->longest, *length);
    }
}

// Whether a portal that was reached with this length, by way of another, is as well reached by `before`.
static bool is_reached(const ct_navigation_scratch *s, const ct_navigation_reached *known,
                       float length, uint32_t before) {
    if (known->length != length)
        return known->length < length;
    return before == FROM_CROSSING || known->before == FROM_CROSSING ||
           !is_less(s->portals.items[before].middle, s->portals.items[known->before].middle);
}

// Goes on with a string that has come into a face by portal `before`: to the targets there, and to the face's
// portals.
static void enter(ct_navigation_scratch *s, uint32_t face, uint32_t before,
                  const ct_navigation_string *string, length_targets *t) {
    if (s->targets.items[face])
        reach_targets(face, string, t);
    for (uint32_t i = s->first_portals.items[face]; i < s->first_portals.items[face + 1]; ++i) {
        const uint32_t portal = s->face_portals.items[i];
        if (portal == before)
            continue;
        const ct_navigation_portal *const p = &s->portals.items[portal];
        ct_navigation_reached *const known = &s->reached.items[portal];
        const float length = ct_navigation_string_length(string, &p->middle);
        if (is_reached(s, known, length, before))
            continue;
        const bool is_out = p->faces[0] == face;
        ct_navigation_sight beyond;
        ct_navigation_string_through(string, is_out ? &p->left : &p->right,
                                     is_out ? &p->right : &p->left, &beyond);
        ct_navigation_string_set(&known->string, &beyond);
        known->length = length;
        known->before = before;
        known->face = p->faces[is_out];
        push_heap(s, length, portal);
    }
}

static void spread(ct_navigation_scratch *s, const ct_navigation_crossing *from,
                   length_targets *t) {
    for (uint32_t i = 0; i < s->portals.count; ++i)
        s->reached.items[i].length = INFINITY;
    s->heap.count = 0;
    t->longest = INFINITY;
    const ct_navigation_string start = {from->middle, from->middle, from->middle, 0};
    enter(s, from->polygon, FROM_CROSSING, &start, t);
    while (s->heap.count) {
        const ct_navigation_heap_item top = pop_heap(s);
        if (top.key >= t->longest)
            return;
        const ct_navigation_reached r = s->reached.items[top.portal];
        if (top.key <= r.length)
            enter(s, r.face, top.portal, &r.string, t);
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

// Sorts the numbers of crossings by their middles.
static void sort_crossings(ct_navigation_scratch *s, const ct_navigation_crossing *crossings,
                           uint32_t count) {
    ct_array_resize(&s->by_middle, count);
    uint32_t *const numbers = s->by_middle.items;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t at = i;
        for (; at && is_less(crossings[i].middle, crossings[numbers[at - 1]].middle); --at)
            numbers[at] = numbers[at - 1];
        numbers[at] = i;
    }
}

static void measure_region(ct_navigation_scratch *s, const ct_navigation_arrays *arrays,
                           uint32_t region) {
    const ct_navigation_region *const r = &arrays->regions[region];
    const uint32_t n = r->num_crossings;
    const ct_navigation_crossing *const crossings = arrays->crossings + r->first_crossing;
    float *const lengths = arrays->lengths + arrays->first_length[region];
    for (uint32_t i = 0; i < n; ++i)
        ++s->targets.items[crossings[i].polygon];
    for (uint32_t i = 0; i < n * n; ++i)
        lengths[i] = INFINITY;
    sort_crossings(s, crossings, n);
    const uint32_t *const numbers = s->by_middle.items;
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t from = numbers[i];
        lengths[from * n + from] = 0;
        --s->targets.items[crossings[from].polygon]; // the rest is farther on
        length_targets targets = {.crossings = crossings,
                                  .numbers = numbers + i + 1,
                                  .count = n - i - 1,
                                  .lengths = lengths + (uint64_t)from * n};
        if (targets.count)
            spread(s, &crossings[from], &targets);
        for (uint32_t k = i + 1; k < n; ++k)
            lengths[numbers[k] * n + from] = lengths[from * n + numbers[k]];
    }
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
