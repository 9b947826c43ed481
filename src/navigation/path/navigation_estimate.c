// navigation_estimate.c: the search backwards over crossings (navigation_estimate.h).
#include "navigation/path/navigation_estimate.h"

#include <math.h>

#include "foundation/math/math.h"
#include "navigation/navigation_string.h"
#include "navigation/path/navigation_geometry.h"

#define NOT_KNOWN UINT32_MAX
#define NO_TWIN (UINT32_MAX - 1)

// A way over crossings counts as straight when it is longer than the straight line by at most this.
static const float STRAIGHT = 1.02f;

// A goal is hidden when the way over it from a crossing to another is shorter than that without it by this.
static const float HIDDEN = 1.1f;

// Ends that are so near are searched for by the straight distance, which gives the shortest path.
static const float NEAR_TILES = 2.5f, NEAR_DETOUR = 1.3f;

void ct_navigation_search_touch(ct_navigation_search *s, uint32_t slot) {
    const uint32_t next = s->touched.count;
    if (ct_navigation_table_add(&s->slot_table, s->allocator, slot, next) == UINT32_MAX)
        ct_array_push(&s->touched, (ct_navigation_touched){s->tiles[slot].link_version, slot,
                                                           s->tiles[slot].version});
}

static uint32_t meet_region(ct_navigation_search *s, uint32_t slot, uint32_t region) {
    const uint32_t next = s->regions.count;
    const uint32_t met = ct_navigation_table_add(&s->region_table, s->allocator,
                                                 (uint64_t)slot << 32 | region, next);
    if (met != UINT32_MAX)
        return met;
    const uint32_t count = s->tiles[slot].regions[region].num_crossings;
    const uint32_t first = s->records.count;
    ct_array_push(&s->regions,
                  (ct_navigation_met_region){
                      .slot = slot, .region = region, .first_record = first, .num_records = count});
    ct_array_reserve(&s->records, (uint64_t)first + count);
    for (uint32_t i = first; i < first + count; ++i) {
        ct_navigation_record *const r = &s->records.items[i];
        r->rest = INFINITY;
        r->region = next;
        r->twin = NOT_KNOWN;
        r->is_settled = false;
    }
    s->records.count = first + count;
    ct_navigation_search_touch(s, slot);
    return next;
}

static const ct_navigation_crossing *crossings_of(const ct_navigation_search *s,
                                                  const ct_navigation_met_region *r) {
    const ct_navigation_tile *const t = &s->tiles[r->slot];
    return t->crossings + t->regions[r->region].first_crossing;
}

// The crossing that leads back to a region by the way of its crossing `out`. May move regions and records.
static uint32_t find_twin(ct_navigation_search *s, uint32_t region,
                          const ct_navigation_crossing *out) {
    if (!out->to_slot)
        return NO_TWIN;
    const uint32_t slot = s->regions.items[region].slot, number = s->regions.items[region].region;
    const uint32_t other = meet_region(s, out->to_slot, out->to_region);
    const ct_navigation_met_region *const there = &s->regions.items[other];
    const ct_navigation_crossing *const back = crossings_of(s, there);
    uint32_t twin = NO_TWIN;
    float least = INFINITY;
    for (uint32_t i = 0; i < there->num_records; ++i) {
        if (back[i].to_slot != slot || back[i].to_region != number || back[i].is_entry)
            continue;
        const float away = ct_navigation_distance(back[i].middle, out->middle);
        if (away < least) {
            least = away;
            twin = there->first_record + i;
        }
    }
    return twin;
}

// Comes into a region by its crossing `number`, `out`, from where it is `rest` to the goal.
static void relax(ct_navigation_search *s, uint32_t region, uint32_t number,
                  const ct_navigation_crossing *out, float rest, const ct_navigation_target *anchor,
                  const ct_navigation_target *before) {
    const uint32_t at = s->regions.items[region].first_record + number;
    uint32_t twin = s->records.items[at].twin;
    if (twin == NOT_KNOWN) {
        twin = find_twin(s, region, out);
        s->records.items[at].twin = twin;
    }
    if (twin == NO_TWIN)
        return;
    ct_navigation_record *const r = &s->records.items[twin];
    if (r->is_settled || rest >= r->rest)
        return;
    const float straight = ct_navigation_distance(out->middle, anchor->point);
    if (rest - anchor->rest <= straight * STRAIGHT) {
        r->anchor = *anchor;
        rest = straight + anchor->rest;
    } else if (rest - before->rest <=
               ct_navigation_distance(out->middle, before->point) * STRAIGHT + CT_NAVIGATION_NEAR) {
        r->anchor = *before;
    } else {
        r->anchor.point = out->middle;
        r->anchor.rest = rest;
    }
    r->rest = rest;
    ct_navigation_heap_push(&s->open_records,
                            rest + ct_navigation_distance(out->middle, s->from_point), twin);
}

// --- The goal's region ---------------------------------------------------------------------------

// Goes on with the string of node `index` over the polygons of its tile. `way_table` knows those that were met.
static void spread_from(ct_navigation_search *s, uint32_t index) {
    const ct_navigation_place polygon = s->nodes.items[index].polygon;
    const uint32_t slot = ct_navigation_slot_of(polygon);
    const ct_navigation_tile *const t = &s->tiles[slot];
    const ct_navigation_face *const face = &t->faces[ct_navigation_number_of(polygon)];
    ct_array_reserve(&s->nodes, (uint64_t)s->nodes.count + face->num_ways);
    const ct_navigation_node *const n = &s->nodes.items[index];
    const ct_navigation_string string = {n->root, n->left, n->right, n->cost};
    for (uint32_t i = face->first_way; i < face->first_way + face->num_ways; ++i) {
        const ct_navigation_way *const w = &t->ways[i];
        if (w->link || ct_navigation_slot_of(w->to) != slot)
            continue;
        const ct_vec3 middle = ct_vec3_lerp(w->left, w->right, 0.5f);
        const float length = ct_navigation_string_length(&string, &middle);
        const uint32_t met =
            ct_navigation_table_add(&s->way_table, s->allocator, w->to, s->ways.count);
        if (met == UINT32_MAX)
            ct_array_push(&s->ways, (ct_navigation_met_way){length, 0});
        else if (length < s->ways.items[met].dearest)
            s->ways.items[met].dearest = length;
        else
            continue;
        ct_navigation_sight v;
        ct_navigation_string_through(&string, &w->left, &w->right, &v);
        ct_navigation_node *const next = &s->nodes.items[s->nodes.count];
        next->root = *v.root;
        next->left = *v.left;
        next->right = *v.right;
        next->cost = v.length;
        next->polygon = w->to;
        ct_navigation_heap_push(&s->open, length, s->nodes.count++);
    }
}

// Sets the lengths of the strings from the goal to the crossings of its region: a search like that of
// navigation_lengths.c, but each polygon once.
static void measure_goal(ct_navigation_search *s, const ct_navigation_crossing *all, uint32_t count,
                         float *lengths) {
    for (uint32_t i = 0; i < count; ++i)
        lengths[i] = INFINITY;
    ct_array_push(&s->nodes, (ct_navigation_node){.root = s->to_point,
                                                  .left = s->to_point,
                                                  .right = s->to_point,
                                                  .polygon = s->to});
    ct_array_push(&s->ways, (ct_navigation_met_way){0, 0});
    ct_navigation_table_add(&s->way_table, s->allocator, s->to, 0);
    ct_navigation_heap_push(&s->open, 0, 0);
    float longest = INFINITY;
    while (s->open.count && ct_navigation_heap_least(&s->open) < longest) {
        const uint32_t index = ct_navigation_heap_pop(&s->open).value;
        const ct_navigation_node *const n = &s->nodes.items[index];
        const ct_navigation_string string = {n->root, n->left, n->right, n->cost};
        ++s->num_looked_at;
        longest = 0;
        for (uint32_t i = 0; i < count; ++i) {
            if (all[i].polygon == ct_navigation_number_of(n->polygon))
                lengths[i] =
                    fminf(lengths[i], ct_navigation_string_length(&string, &all[i].middle));
            longest = fmaxf(longest, lengths[i]);
        }
        spread_from(s, index);
    }
    s->nodes.count = s->ways.count = s->open.count = 0;
    ct_navigation_table_clear(&s->way_table);
}

// Whether the region has a wall that the goal may be behind: it is farther from a crossing to another than by
// straight lines to the goal.
static bool is_goal_hidden(const ct_navigation_search *s, const ct_navigation_crossing *all,
                           uint32_t count, const float *between) {
    for (uint32_t i = 0; i < count; ++i) {
        const float to_i = ct_navigation_distance(all[i].middle, s->to_point);
        for (uint32_t k = i + 1; k < count; ++k)
            if (between[i * count + k] >
                (to_i + ct_navigation_distance(all[k].middle, s->to_point)) * HIDDEN)
                return true;
    }
    return false;
}

void ct_navigation_estimate_begin(ct_navigation_search *s) {
    const ct_navigation_face *const from = ct_navigation_face_at(s->tiles, s->from);
    const ct_navigation_face *const to = ct_navigation_face_at(s->tiles, s->to);
    s->from_region = meet_region(s, ct_navigation_slot_of(s->from), from->region);
    s->to_region = meet_region(s, ct_navigation_slot_of(s->to), to->region);
    s->bound = INFINITY;
    const ct_navigation_target goal = {s->to_point, 0};
    const ct_navigation_met_region *const region = &s->regions.items[s->to_region];
    const ct_navigation_tile *const t = &s->tiles[region->slot];
    const ct_navigation_crossing *const all = crossings_of(s, region);
    const uint32_t count = region->num_records;
    float lengths[CT_NAVIGATION_MAX_CROSSINGS];
    if (is_goal_hidden(s, all, count, t->crossing_lengths + t->first_length[region->region]))
        measure_goal(s, all, count, lengths);
    else
        for (uint32_t i = 0; i < count; ++i)
            lengths[i] = ct_navigation_distance(all[i].middle, s->to_point);
    for (uint32_t i = 0; i < count; ++i)
        if (isfinite(lengths[i]))
            relax(s, s->to_region, i, &all[i], lengths[i], &goal, &goal);
}

// --- Crossings -----------------------------------------------------------------------------------

// Settles the nearest open crossing. Returns whether there was one.
static bool settle_one(ct_navigation_search *s) {
    uint32_t at;
    do {
        if (!s->open_records.count)
            return false;
        at = ct_navigation_heap_pop(&s->open_records).value;
    } while (s->records.items[at].is_settled);
    ++s->num_looked_at;
    ct_navigation_record *const r = &s->records.items[at];
    r->is_settled = true;
    const uint32_t region = r->region;
    ct_navigation_met_region *const here = &s->regions.items[region];
    here->is_settled = true;
    const ct_navigation_tile *const t = &s->tiles[here->slot];
    const ct_navigation_crossing *const all = crossings_of(s, here);
    const uint32_t count = here->num_records, number = at - here->first_record;
    const float *const lengths =
        t->crossing_lengths + t->first_length[here->region] + (uint64_t)number * count;
    const float rest = r->rest;
    const ct_navigation_target anchor = r->anchor, before = {all[number].middle, rest};
    for (uint32_t i = 0; i < count; ++i)
        if (i != number && isfinite(lengths[i]))
            relax(s, region, i, &all[i], rest + lengths[i], &anchor, &before);
    return true;
}

static bool is_resolved(const ct_navigation_search *s, uint32_t region) {
    return region == s->to_region || s->regions.items[region].is_settled;
}

bool ct_navigation_estimate_start(ct_navigation_search *s, uint32_t end) {
    while (!is_resolved(s, s->from_region) && s->num_looked_at < end)
        if (!settle_one(s))
            break;
    if (!is_resolved(s, s->from_region) && s->open_records.count)
        return false;
    const float size = ct_navigation_mesh_resource(s->mesh)->tile_size;
    const float straight = ct_navigation_distance(s->from_point, s->to_point);
    float least = straight * 1.2f;
    const ct_navigation_met_region *const r = &s->regions.items[s->from_region];
    if (s->from_region != s->to_region)
        for (uint32_t i = 0; i < r->num_records; ++i) {
            const ct_navigation_record *const c = &s->records.items[r->first_record + i];
            if (c->is_settled)
                least =
                    c->rest + ct_navigation_distance(crossings_of(s, r)[i].middle, s->from_point);
        }
    s->bound = least;
    s->is_near = straight <= NEAR_TILES * size && least <= NEAR_DETOUR * straight + size;
    return true;
}

// Whether another target is at least as good from everywhere.
static bool is_beaten(const ct_navigation_search *s, uint32_t first, ct_navigation_target t) {
    for (uint32_t i = first; i < s->targets.count; ++i) {
        const ct_navigation_target other = s->targets.items[i];
        if (other.rest + ct_navigation_distance(other.point, t.point) <= t.rest + 1e-3f)
            return true;
    }
    return false;
}

static void add_target(ct_navigation_search *s, uint32_t first, ct_navigation_target t) {
    if (is_beaten(s, first, t))
        return;
    uint32_t kept = first;
    for (uint32_t i = first; i < s->targets.count; ++i) {
        const ct_navigation_target other = s->targets.items[i];
        if (t.rest + ct_navigation_distance(other.point, t.point) > other.rest + 1e-3f)
            s->targets.items[kept++] = other;
    }
    s->targets.count = kept;
    ct_array_push(&s->targets, t);
}

uint32_t ct_navigation_estimate_region(ct_navigation_search *s, ct_navigation_place p) {
    const ct_navigation_face *const face = ct_navigation_face_at(s->tiles, p);
    const uint32_t region = meet_region(s, ct_navigation_slot_of(p), face->region);
    if (s->regions.items[region].num_targets)
        return region;
    while (!is_resolved(s, region) && s->open_records.count &&
           ct_navigation_heap_least(&s->open_records) <= s->bound)
        settle_one(s);
    const uint32_t first = s->targets.count;
    ct_navigation_met_region *const r = &s->regions.items[region];
    if (region == s->to_region)
        add_target(s, first, (ct_navigation_target){s->to_point, 0});
    for (uint32_t i = 0; i < r->num_records; ++i) {
        const ct_navigation_record *const c = &s->records.items[r->first_record + i];
        if (isfinite(c->rest))
            add_target(s, first, c->anchor);
    }
    if (s->targets.count == first) {
        // It costs more than the bound by way of this region.
        const float straight = ct_navigation_distance(face->center, s->to_point) +
                               ct_navigation_distance(face->center, s->from_point);
        const float more = isfinite(s->bound) && s->bound > straight ? s->bound - straight : 0;
        ct_array_push(&s->targets, (ct_navigation_target){s->to_point, more});
    }
    r->first_target = first;
    r->num_targets = s->targets.count - first;
    return region;
}
