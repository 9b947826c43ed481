// navigation_links.c: ways out of tiles, and the crossings between their regions.
#include <math.h>

#include "foundation/container/sort.h"
#include "foundation/math/math.h"
#include "navigation/mesh/navigation_mesh_private.h"

enum {
    MOST_TILES = 64, // changed at once: looks at each; else all links are found again
    BY_LINK = 4,     // instead of a side
    BY_ENTRY = 5,    // where a link without a way back comes out: a crossing, not a way
    MOST_LINKS = 8,  // from a region to another that are crossings; others are ways only
};
static const float LEAST_OPENING = 1e-3f; // metres
static const float GAP = 0.01f;           // metres: ways this near to each other are one crossing

void ct_navigation_unlink(ct_navigation_mesh *m, uint32_t slot) {
    if (slot == 0 || m->tiles[slot].version == 0 || m->slots[slot].is_unlinked)
        return;
    m->slots[slot].is_unlinked = true;
    ct_array_push(&m->unlinked, slot);
}

static const int steps[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};

static uint32_t beside(const ct_navigation_mesh *m, int32_t x, int32_t y, uint32_t side) {
    const int64_t nx = (int64_t)x + steps[side][0], ny = (int64_t)y + steps[side][1];
    if (nx != (int32_t)nx || ny != (int32_t)ny)
        return 0;
    return ct_navigation_slot_at(m, (int32_t)nx, (int32_t)ny);
}

void ct_navigation_unlink_around(ct_navigation_mesh *m, int32_t x, int32_t y) {
    for (uint32_t side = 0; side < 4; ++side)
        ct_navigation_unlink(m, beside(m, x, y, side));
    ct_array_push(&m->changed, (ct_navigation_tile_at){x, y});
}

// --- Sides ---------------------------------------------------------------------------------------

static float height_at(const ct_navigation_side *s, float t) {
    const float length = s->t1 - s->t0;
    return length > 0 ? s->z0 + (s->z1 - s->z0) * ((t - s->t0) / length) : s->z0;
}

static ct_vec3 point_on(uint32_t side, const ct_navigation_side *a, const ct_navigation_side *b,
                        float t) {
    const float across = (a->across + b->across) * 0.5f;
    const float z = (height_at(a, t) + height_at(b, t)) * 0.5f;
    return side == 0 || side == 2 ? ct_vec3_make(across, t, z) : ct_vec3_make(t, across, z);
}

// Adds the way over an edge to an edge of the tile beside. From there the same gives the way back.
static void add_over_side(ct_navigation_mesh *m, uint32_t side, uint32_t slot,
                          const ct_navigation_side *a, uint32_t other,
                          const ct_navigation_side *b) {
    const float low = fmaxf(a->t0, b->t0), high = fminf(a->t1, b->t1);
    const float middle = low + (high - low) * 0.5f;
    if (!(high - low > LEAST_OPENING) ||
        !(fabsf(height_at(a, middle) - height_at(b, middle)) <= m->class->climb) ||
        m->slots[slot].arrays.is_obstructed[a->face] ||
        m->slots[other].arrays.is_obstructed[b->face])
        return;
    const ct_vec3 start = point_on(side, a, b, low), end = point_on(side, a, b, high);
    const bool is_forward = side == 0 || side == 3; // counter-clockwise, the side leads to higher t
    const ct_navigation_way way = {.to = CT_NAVIGATION_PLACE(other, b->face),
                                   .edge = a->edge,
                                   .left = is_forward ? end : start,
                                   .right = is_forward ? start : end};
    ct_array_push(&m->scratch.found,
                  (ct_navigation_found){.way = way,
                                        .t0 = low,
                                        .t1 = high,
                                        .face = a->face,
                                        .region = m->tiles[slot].faces[a->face].region,
                                        .to_region = m->tiles[other].faces[b->face].region,
                                        .side = (uint16_t)side});
}

static void add_side(ct_navigation_mesh *m, uint32_t slot, uint32_t side) {
    const uint32_t other = beside(m, m->tiles[slot].x, m->tiles[slot].y, side);
    if (other == 0 || m->tiles[other].version == 0)
        return;
    const ct_navigation_slot *const s = &m->slots[slot], *const o = &m->slots[other];
    const uint32_t back = side ^ 2, end = o->first_side[back + 1];
    uint32_t first = o->first_side[back];
    for (uint32_t i = s->first_side[side]; i < s->first_side[side + 1]; ++i) {
        const ct_navigation_side *const a = &s->arrays.sides[i];
        while (first < end && o->arrays.sides[first].t1 <= a->t0)
            ++first;
        for (uint32_t k = first; k < end && o->arrays.sides[k].t0 < a->t1; ++k)
            add_over_side(m, side, slot, a, other, &o->arrays.sides[k]);
    }
}

// --- Links of the level --------------------------------------------------------------------------

static void add_link(ct_navigation_mesh *m, uint32_t slot, uint32_t link, ct_navigation_place from,
                     ct_navigation_place to, ct_vec3 point, uint16_t side) {
    if (ct_navigation_slot_of(from) != slot)
        return;
    const ct_navigation_way way = {
        .to = to, .edge = 255, .link = (uint16_t)(link + 1), .left = point, .right = point};
    const uint32_t face = ct_navigation_number_of(from);
    ct_array_push(&m->scratch.found,
                  (ct_navigation_found){.way = way,
                                        .t0 = (float)link,
                                        .t1 = (float)link,
                                        .face = (uint16_t)face,
                                        .region = m->tiles[slot].faces[face].region,
                                        .to_region = ct_navigation_face_at(m->tiles, to)->region,
                                        .side = side});
}

static void add_links(ct_navigation_mesh *m, uint32_t slot) {
    const ct_navigation_link *const links = ct_blob_at(m->resource, m->resource->links.offset);
    for (uint32_t i = 0; i < m->links.count; ++i) {
        const ct_navigation_link_state *const l = &m->links.items[i];
        if (l->is_closed || l->from == 0 || l->to == 0 || l->from == l->to || i >= UINT16_MAX)
            continue;
        const bool has_way_back = links[i].flags & CT_NAVIGATION_LINK_BOTH_WAYS;
        add_link(m, slot, i, l->from, l->to, l->from_point, BY_LINK);
        add_link(m, slot, i, l->to, l->from, l->to_point, has_way_back ? BY_LINK : BY_ENTRY);
    }
}

static bool is_near(const ct_navigation_mesh *m, const float *point, float radius,
                    ct_navigation_tile_at at) {
    const double size = m->resource->tile_size;
    const double reach = (double)radius + 0.01 * size;
    return point[0] + reach >= at.x * size && point[0] - reach <= (at.x + 1.0) * size &&
           point[1] + reach >= at.y * size && point[1] - reach <= (at.y + 1.0) * size;
}

static ct_navigation_place end_of(const ct_navigation_mesh *m, const float *point, float radius,
                                  ct_vec3 *on_mesh) {
    const float up = fmaxf(radius, m->class->climb);
    return ct_navigation_nearest(m, NULL, ct_vec3_make(point[0], point[1], point[2]),
                                 ct_vec3_make(radius, radius, up), on_mesh);
}

// Finds the ends again of links that are near tiles that changed.
static void find_ends(ct_navigation_mesh *m) {
    const ct_navigation_link *const links = ct_blob_at(m->resource, m->resource->links.offset);
    for (uint32_t i = 0; i < m->links.count; ++i) {
        const ct_navigation_link *const l = &links[i];
        bool is_touched = m->changed.count > MOST_TILES;
        for (uint32_t k = 0; k < m->changed.count && !is_touched; ++k)
            is_touched = is_near(m, l->from, l->radius, m->changed.items[k]) ||
                         is_near(m, l->to, l->radius, m->changed.items[k]);
        if (!is_touched || !(l->classes >> m->number & 1))
            continue;
        ct_navigation_link_state *const state = &m->links.items[i];
        ct_navigation_unlink(m, ct_navigation_slot_of(state->from));
        ct_navigation_unlink(m, ct_navigation_slot_of(state->to));
        state->from = end_of(m, l->from, l->radius, &state->from_point);
        state->to = end_of(m, l->to, l->radius, &state->to_point);
        ct_navigation_unlink(m, ct_navigation_slot_of(state->from));
        ct_navigation_unlink(m, ct_navigation_slot_of(state->to));
    }
    m->changed.count = 0;
}

// --- Crossings -----------------------------------------------------------------------------------

static uint64_t crossing_key(const ct_navigation_mesh *m, uint32_t slot,
                             const ct_navigation_found *f) {
    const float size = m->resource->tile_size, most = (float)((1 << 18) - 1);
    const int32_t tile = f->side & 1 ? m->tiles[slot].x : m->tiles[slot].y;
    const float scaled = f->side >= BY_LINK ? f->t0 : (f->t0 / size - (float)tile) * most;
    return (uint64_t)f->region << 49 | (uint64_t)ct_navigation_slot_of(f->way.to) << 33 |
           (uint64_t)f->to_region << 21 | (uint64_t)f->side << 18 |
           (uint64_t)fminf(fmaxf(scaled, 0), most);
}

static float width_of(const ct_navigation_way *w) {
    return ct_vec3_length(ct_vec3_sub(w->left, w->right));
}

// Fills scratch.crossings, sorted by region, from the ways that were found.
static void find_crossings(ct_navigation_mesh *m, uint32_t slot) {
    ct_navigation_scratch *const s = &m->scratch;
    s->crossings.count = s->crossing_regions.count = 0;
    for (uint32_t i = 0; i < s->found.count; ++i)
        s->found.items[i].key = crossing_key(m, slot, &s->found.items[i]);
    ct_array_resize(&s->sorted_found, s->found.count);
    const ct_navigation_found *const found = ct_sort_records64(
        s->found.items, s->sorted_found.items, s->found.count, sizeof(ct_navigation_found));
    float widest = 0, end = 0;
    uint64_t group = UINT64_MAX;
    uint32_t in_region = 0, in_group = 0;
    for (uint32_t i = 0; i < s->found.count; ++i) {
        const ct_navigation_found *const f = &found[i];
        const uint32_t to_slot = ct_navigation_slot_of(f->way.to);
        if (to_slot == slot && f->to_region == f->region)
            continue;
        const bool is_next = f->key >> 18 == group && f->side < BY_LINK && f->t0 <= end + GAP;
        const float width = width_of(&f->way);
        end = is_next ? fmaxf(end, f->t1) : f->t1;
        if (is_next && width <= widest)
            continue;
        if (group == UINT64_MAX || f->key >> 49 != group >> 31)
            in_region = 0;
        in_group = f->key >> 18 == group ? in_group + !is_next : 0;
        if (f->side >= BY_LINK && in_group >= MOST_LINKS)
            continue;
        group = f->key >> 18;
        widest = width;
        if (!is_next && ++in_region > CT_NAVIGATION_MAX_CROSSINGS)
            continue;
        const ct_navigation_crossing crossing = {
            .to_slot = to_slot,
            .to_region = f->to_region,
            .polygon = f->face,
            .middle = ct_vec3_scale(ct_vec3_add(f->way.left, f->way.right), 0.5f),
            .is_entry = f->side == BY_ENTRY};
        if (is_next && in_region <= CT_NAVIGATION_MAX_CROSSINGS) {
            s->crossings.items[s->crossings.count - 1] = crossing;
        } else if (!is_next) {
            ct_array_push(&s->crossings, crossing);
            ct_array_push(&s->crossing_regions, f->region);
        }
    }
}

static void write_crossings(const ct_navigation_scratch *s, const ct_navigation_arrays *arrays,
                            uint32_t num_regions) {
    uint32_t i = 0, lengths = 0;
    for (uint32_t r = 0; r < num_regions; ++r) {
        ct_navigation_region *const region = &arrays->regions[r];
        region->first_crossing = i;
        while (i < s->crossings.count && s->crossing_regions.items[i] == r)
            ++i;
        region->num_crossings = i - region->first_crossing;
        arrays->first_length[r] = lengths;
        lengths += region->num_crossings * region->num_crossings;
    }
    if (s->crossings.count)
        memcpy(arrays->crossings, s->crossings.items,
               sizeof(ct_navigation_crossing) * s->crossings.count);
}

static uint32_t count_lengths(const ct_navigation_scratch *s) {
    uint32_t lengths = 0, start = 0;
    for (uint32_t i = 1; i <= s->crossings.count; ++i)
        if (i == s->crossings.count ||
            s->crossing_regions.items[i] != s->crossing_regions.items[start]) {
            lengths += (i - start) * (i - start);
            start = i;
        }
    return lengths;
}

// --- A tile --------------------------------------------------------------------------------------

// Whether a way of the core: inside of the tile, over an edge.
static bool is_inner(uint32_t slot, const ct_navigation_way *w) {
    return w->link == 0 && ct_navigation_slot_of(w->to) == slot;
}

// Writes the ways of all faces: those inside, then those that were found, which are sorted by face.
static void write_ways(const ct_navigation_mesh *m, uint32_t slot, const ct_navigation_found *found,
                       uint32_t num_found, const ct_navigation_arrays *arrays) {
    const ct_navigation_tile *const old = &m->tiles[slot];
    uint32_t count = 0, next = 0;
    for (uint32_t i = 0; i < old->num_faces; ++i) {
        ct_navigation_face *const face = &arrays->faces[i];
        const uint32_t first = face->first_way, end = first + face->num_ways;
        face->first_way = count;
        for (uint32_t k = first; k < end; ++k)
            if (is_inner(slot, &old->ways[k]))
                arrays->ways[count++] = old->ways[k];
        for (; next < num_found && found[next].face == i; ++next)
            arrays->ways[count++] = found[next].way;
        face->num_ways = (uint16_t)(count - face->first_way);
    }
}

static void copy_core(const ct_navigation_slot *s, const ct_navigation_arrays *to) {
    const ct_navigation_counts *const c = &s->counts;
    const ct_navigation_arrays *const from = &s->arrays;
    memcpy(to->faces, from->faces, sizeof(*to->faces) * c->faces);
    memcpy(to->edges, from->edges, sizeof(*to->edges) * c->edges);
    memcpy(to->vertices, from->vertices, sizeof(*to->vertices) * c->vertices);
    memcpy(to->regions, from->regions, sizeof(*to->regions) * c->regions);
    memcpy(to->sides, from->sides, sizeof(*to->sides) * c->sides);
    memcpy(to->cell_first, from->cell_first, sizeof(*to->cell_first) * (c->cells + 1));
    memcpy(to->cell_faces, from->cell_faces, sizeof(*to->cell_faces) * c->cell_faces);
    memcpy(to->footprints, from->footprints, sizeof(*to->footprints) * c->footprints);
    memcpy(to->is_obstructed, from->is_obstructed, c->faces);
}

// Leaves the ways of what was found.
static void remove_entries(ct_navigation_scratch *s) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->found.count; ++i)
        if (s->found.items[i].side != BY_ENTRY)
            s->found.items[count++] = s->found.items[i];
    s->found.count = count;
}

static void link_tile(ct_navigation_mesh *m, uint32_t slot) {
    ct_navigation_scratch *const s = &m->scratch;
    const ct_navigation_slot *const own = &m->slots[slot];
    s->found.count = 0;
    for (uint32_t side = 0; side < 4; ++side)
        add_side(m, slot, side);
    add_links(m, slot);
    find_crossings(m, slot);
    remove_entries(s);
    ct_navigation_counts counts = own->counts;
    counts.ways = s->found.count;
    for (uint32_t i = 0; i < own->counts.ways; ++i)
        counts.ways += is_inner(slot, &own->arrays.ways[i]);
    counts.crossings = s->crossings.count;
    counts.lengths = count_lengths(s);
    ct_navigation_arrays arrays;
    const uint64_t bytes = ct_navigation_lay_out(&counts, NULL, &arrays);
    void *const block = ct_alloc_zero(m->allocator, bytes);
    ct_navigation_lay_out(&counts, block, &arrays);
    copy_core(own, &arrays);
    for (uint32_t i = 0; i < s->found.count; ++i) {
        ct_navigation_found *const f = &s->found.items[i];
        // Links of a face by number: what came before may be in the order of slots.
        f->key = (uint64_t)f->face << 40 | (uint64_t)f->side << 32 | (uint64_t)f->way.edge << 16 |
                 f->way.link;
    }
    const ct_navigation_found *const found = ct_sort_records64(
        s->found.items, s->sorted_found.items, s->found.count, sizeof(ct_navigation_found));
    write_ways(m, slot, found, s->found.count, &arrays);
    write_crossings(s, &arrays, counts.regions);
    ct_navigation_measure(m, slot, &arrays, &counts);
    ct_navigation_take_block(m, slot, block, &counts, &arrays);
    m->tiles[slot].link_version = ++m->last_link_version;
}

void ct_navigation_link_tiles(ct_navigation_mesh *m) {
    if (m->changed.count)
        find_ends(m);
    for (uint32_t i = 0; i < m->unlinked.count; ++i) {
        const uint32_t slot = m->unlinked.items[i];
        if (!m->slots[slot].is_unlinked || m->tiles[slot].version == 0)
            continue; // it was removed
        m->slots[slot].is_unlinked = false;
        link_tile(m, slot);
        m->islands_are_old = true;
    }
    m->unlinked.count = 0;
}
