// navigation_estimate.c: the search backwards over crossings (navigation_estimate.h).
#include "navigation/path/navigation_estimate.h"

#include "navigation/path/navigation_geometry.h"

#define NOT_KNOWN UINT32_MAX
#define NO_TWIN (UINT32_MAX - 1)

// A way over crossings counts as straight when it is longer than the straight line by at most this.
static const float STRAIGHT = 1.04f;

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
    ct_array_push(&s->regions, (ct_navigation_met_region){.slot = slot,
                                                          .region = region,
                                                          .first_record = s->records.count,
                                                          .num_records = count});
    for (uint32_t i = 0; i < count; ++i)
        ct_array_push(&s->records,
                      (ct_navigation_record){.rest = INFINITY, .region = next, .twin = NOT_KNOWN});
    ct_navigation_search_touch(s, slot);
    return next;
}

static const ct_navigation_crossing *crossings_of(const ct_navigation_search *s,
                                                  const ct_navigation_met_region *r) {
    const ct_navigation_tile *const t = &s->tiles[r->slot];
    return t->crossings + t->regions[r->region].first_crossing;
}

// The crossing that leads back to `r` by the way of crossing `number` of it.
static uint32_t find_twin(ct_navigation_search *s, uint32_t region, uint32_t number) {
    const ct_navigation_met_region here = s->regions.items[region];
    const ct_navigation_crossing out = crossings_of(s, &here)[number];
    if (!out.to_slot)
        return NO_TWIN;
    const uint32_t other = meet_region(s, out.to_slot, out.to_region);
    const ct_navigation_met_region *const there = &s->regions.items[other];
    const ct_navigation_crossing *const back = crossings_of(s, there);
    uint32_t twin = NO_TWIN;
    float least = INFINITY;
    for (uint32_t i = 0; i < there->num_records; ++i)
        if (back[i].to_slot == here.slot && back[i].to_region == here.region && !back[i].is_entry) {
            const float away = ct_navigation_distance(back[i].middle, out.middle);
            if (away < least) {
                least = away;
                twin = there->first_record + i;
            }
        }
    return twin;
}

static ct_vec3 middle_of(const ct_navigation_search *s, uint32_t record) {
    const ct_navigation_met_region *const r = &s->regions.items[s->records.items[record].region];
    return crossings_of(s, r)[record - r->first_record].middle;
}

// Comes into a region by its crossing `number`, from where it is `rest` to the goal.
static void relax(ct_navigation_search *s, uint32_t region, uint32_t number, float rest,
                  ct_navigation_target anchor, ct_navigation_target before) {
    const uint32_t out = s->regions.items[region].first_record + number;
    if (s->records.items[out].twin == NOT_KNOWN) {
        const uint32_t found = find_twin(s, region, number); // may move the records
        s->records.items[out].twin = found;
    }
    const uint32_t twin = s->records.items[out].twin;
    if (twin == NO_TWIN)
        return;
    ct_navigation_record *const r = &s->records.items[twin];
    if (r->is_settled || rest >= r->rest)
        return;
    const ct_vec3 middle = middle_of(s, twin);
    const float straight = ct_navigation_distance(middle, anchor.point);
    if (rest - anchor.rest <= straight * STRAIGHT) {
        r->anchor = anchor;
        rest = straight + anchor.rest;
    } else if (rest - before.rest <=
               ct_navigation_distance(middle, before.point) * STRAIGHT + CT_NAVIGATION_NEAR)
        r->anchor = before;
    else
        r->anchor = (ct_navigation_target){middle, rest};
    r->rest = rest;
    ct_navigation_heap_push(&s->open_records, rest + ct_navigation_distance(middle, s->from_point),
                            twin);
}

void ct_navigation_estimate_begin(ct_navigation_search *s) {
    const ct_navigation_face *const from = ct_navigation_face_at(s->tiles, s->from);
    const ct_navigation_face *const to = ct_navigation_face_at(s->tiles, s->to);
    s->from_region = meet_region(s, ct_navigation_slot_of(s->from), from->region);
    s->to_region = meet_region(s, ct_navigation_slot_of(s->to), to->region);
    s->bound = INFINITY;
    const ct_navigation_target goal = {s->to_point, 0};
    const uint32_t count = s->regions.items[s->to_region].num_records;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_vec3 middle = crossings_of(s, &s->regions.items[s->to_region])[i].middle;
        relax(s, s->to_region, i, ct_navigation_distance(middle, s->to_point), goal, goal);
    }
}

// Settles the nearest open crossing. Returns whether there was one.
static bool settle_one(ct_navigation_search *s) {
    while (s->open_records.count) {
        const uint32_t at = ct_navigation_heap_pop(&s->open_records).value;
        ct_navigation_record *const r = &s->records.items[at];
        if (r->is_settled)
            continue;
        r->is_settled = true;
        ++s->num_looked_at;
        const uint32_t region = r->region;
        const float rest = r->rest;
        const ct_navigation_target anchor = r->anchor;
        ct_navigation_met_region *const here = &s->regions.items[region];
        here->is_settled = true;
        const ct_navigation_tile *const t = &s->tiles[here->slot];
        const uint32_t count = here->num_records, number = at - here->first_record;
        const float *const lengths =
            t->crossing_lengths + t->first_length[here->region] + (uint64_t)number * count;
        const ct_navigation_target before = {middle_of(s, at), rest};
        for (uint32_t i = 0; i < count; ++i)
            if (i != number && isfinite(lengths[i]))
                relax(s, region, i, rest + lengths[i], anchor, before);
        return true;
    }
    return false;
}

static bool is_resolved(const ct_navigation_search *s, uint32_t region) {
    return region == s->to_region || s->regions.items[region].is_settled;
}

bool ct_navigation_estimate_start(ct_navigation_search *s, uint32_t max) {
    const uint32_t end = s->num_looked_at + max;
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
    s->bound = least * 1.03f + size;
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
           s->open_records.items[0].key <= s->bound)
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
