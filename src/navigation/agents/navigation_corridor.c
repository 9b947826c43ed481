// Corridors and their blocks.
#include "navigation/agents/navigation_corridor.h"

#include <math.h>
#include <string.h>

enum {
    LEAST_CAPACITY = 32,
    LOOK_AHEAD = 24, // polygons of the corridor to which a way back may lead
    MAX_BACK = 48,   // polygons looked at for it
};

static uint32_t size_of(uint32_t capacity) {
    uint32_t size = 0;
    while ((uint32_t)LEAST_CAPACITY << size < capacity)
        ++size;
    CT_ASSERT(size < CT_NAVIGATION_CORRIDOR_SIZES, "a corridor of %u polygons", capacity);
    return size;
}

static uint64_t block_bytes(uint32_t size) {
    return ((uint64_t)LEAST_CAPACITY << size) * sizeof(uint32_t) * 2;
}

void ct_navigation_corridor_pool_init(ct_navigation_corridor_pool *pool, ct_allocator *a) {
    pool->allocator = a;
    for (uint32_t i = 0; i < CT_NAVIGATION_CORRIDOR_SIZES; ++i)
        ct_array_init(&pool->free[i], a);
}

void ct_navigation_corridor_pool_free(ct_navigation_corridor_pool *pool) {
    for (uint32_t i = 0; i < CT_NAVIGATION_CORRIDOR_SIZES; ++i) {
        for (uint32_t k = 0; k < pool->free[i].count; ++k)
            ct_free_sized(pool->allocator, pool->free[i].items[k], block_bytes(i));
        ct_array_free(&pool->free[i]);
    }
}

void ct_navigation_corridor_set(ct_navigation_corridor_pool *pool, ct_navigation_corridor *c,
                                const ct_navigation_tile *tiles, const ct_navigation_place *places,
                                uint32_t count) {
    ct_navigation_corridor_clear(pool, c);
    if (!count)
        return;
    const uint32_t size = size_of(count + CT_NAVIGATION_CORRIDOR_ROOM);
    if (pool->free[size].count)
        c->places = (ct_navigation_place *)pool->free[size].items[--pool->free[size].count];
    else
        c->places = (ct_navigation_place *)ct_alloc(pool->allocator, block_bytes(size));
    c->capacity = (uint32_t)LEAST_CAPACITY << size;
    c->first = c->capacity - count;
    c->count = count;
    memcpy(c->places + c->first, places, sizeof(*places) * count);
    uint32_t *const versions = ct_navigation_corridor_versions(c);
    for (uint32_t i = 0; i < count; ++i)
        versions[i] = tiles[ct_navigation_slot_of(places[i])].version;
}

void ct_navigation_corridor_clear(ct_navigation_corridor_pool *pool, ct_navigation_corridor *c) {
    if (c->places)
        ct_array_push(&pool->free[size_of(c->capacity)], c->places);
    *c = (ct_navigation_corridor){NULL, 0, 0, 0};
}

void ct_navigation_corridor_trim(ct_navigation_corridor *c, uint32_t count) {
    CT_ASSERT(count <= c->count, "%u of %u polygons", count, c->count);
    c->first += count;
    c->count -= count;
}

const ct_navigation_way *ct_navigation_way_between(const ct_navigation_tile *tiles,
                                                   ct_navigation_place from,
                                                   ct_navigation_place to) {
    const ct_navigation_tile *const t = &tiles[ct_navigation_slot_of(from)];
    const ct_navigation_face *const face = &t->faces[ct_navigation_number_of(from)];
    const ct_navigation_way *link = NULL;
    for (uint32_t i = 0; i < face->num_ways; ++i) {
        const ct_navigation_way *const way = &t->ways[face->first_way + i];
        if (way->to != to)
            continue;
        if (!way->link)
            return way;
        link = way;
    }
    return link;
}

static bool is_open(const ct_navigation_tile *tiles, const ct_navigation_filter *filter,
                    ct_navigation_place place) {
    const uint8_t area = ct_navigation_face_at(tiles, place)->area;
    return isfinite(filter->costs[area % CT_NAVIGATION_MAX_AREAS]);
}

uint32_t ct_navigation_corridor_check(const ct_navigation_corridor *c, const ct_navigation_mesh *m,
                                      const ct_navigation_filter *filter) {
    uint32_t num_slots;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(m, &num_slots);
    const ct_navigation_place *const places = ct_navigation_corridor_ahead(c);
    const uint32_t *const versions = ct_navigation_corridor_versions(c);
    for (uint32_t i = 0; i < c->count; ++i) {
        const uint32_t slot = ct_navigation_slot_of(places[i]);
        if (slot >= num_slots || tiles[slot].version != versions[i] || !versions[i] ||
            !is_open(tiles, filter, places[i]) ||
            (i && !ct_navigation_way_between(tiles, places[i - 1], places[i])))
            return i;
    }
    return c->count;
}

// Polygons around the agent, each with the one through which it was found.
typedef struct way_back {
    ct_navigation_place places[MAX_BACK];
    uint8_t from[MAX_BACK];
    uint32_t count;
} way_back;

static bool was_found(const way_back *w, ct_navigation_place place) {
    for (uint32_t i = 0; i < w->count; ++i)
        if (w->places[i] == place)
            return true;
    return false;
}

static uint32_t find_ahead(const ct_navigation_corridor *c, ct_navigation_place place) {
    const ct_navigation_place *const places = ct_navigation_corridor_ahead(c);
    const uint32_t count = c->count < LOOK_AHEAD ? c->count : LOOK_AHEAD;
    for (uint32_t i = 0; i < count; ++i)
        if (places[i] == place)
            return i;
    return UINT32_MAX;
}

// Puts the way from the start to item `last` before polygon `joined` of the corridor.
static bool put_before(ct_navigation_corridor *c, const ct_navigation_tile *tiles,
                       const way_back *w, uint32_t last, uint32_t joined) {
    uint32_t length = 1;
    for (uint32_t i = last; i; i = w->from[i])
        ++length;
    if (c->first + joined < length)
        return false;
    ct_navigation_corridor_trim(c, joined);
    c->first -= length;
    c->count += length;
    uint32_t *const versions = ct_navigation_corridor_versions(c);
    uint32_t at = length;
    for (uint32_t i = last;; i = w->from[i]) {
        --at;
        c->places[c->first + at] = w->places[i];
        versions[at] = tiles[ct_navigation_slot_of(w->places[i])].version;
        if (!i)
            return true;
    }
}

bool ct_navigation_corridor_repair(ct_navigation_corridor *c, const ct_navigation_mesh *m,
                                   const ct_navigation_filter *filter, ct_navigation_place place) {
    const uint32_t ahead = find_ahead(c, place);
    if (ahead != UINT32_MAX) {
        ct_navigation_corridor_trim(c, ahead);
        return true;
    }
    if (!c->count)
        return false;
    uint32_t num_slots;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(m, &num_slots);
    way_back w = {.places = {place}, .count = 1};
    for (uint32_t i = 0; i < w.count; ++i) {
        const ct_navigation_tile *const t = &tiles[ct_navigation_slot_of(w.places[i])];
        const ct_navigation_face *const face = &t->faces[ct_navigation_number_of(w.places[i])];
        for (uint32_t k = 0; k < face->num_ways && w.count < MAX_BACK; ++k) {
            const ct_navigation_way *const way = &t->ways[face->first_way + k];
            if (!way->to || way->link || !is_open(tiles, filter, way->to) || was_found(&w, way->to))
                continue;
            const uint32_t joined = find_ahead(c, way->to);
            if (joined != UINT32_MAX)
                return put_before(c, tiles, &w, i, joined);
            w.places[w.count] = way->to;
            w.from[w.count++] = (uint8_t)i;
        }
    }
    return false;
}
