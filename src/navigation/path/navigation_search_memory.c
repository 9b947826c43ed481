// navigation_search_memory.c: tables, heaps, and the life of a search.
#include "navigation/path/navigation_search.h"

#include <string.h>

void ct_navigation_table_grow(ct_navigation_table *t, ct_allocator *a) {
    const uint32_t num_old = t->mask ? t->mask + 1 : 0;
    const uint32_t num_new = num_old ? num_old * 2 : 64;
    ct_navigation_entry *const old = t->entries;
    t->entries = CT_NEW_ARRAY(a, ct_navigation_entry, num_new);
    t->mask = num_new - 1;
    if (!t->stamp)
        t->stamp = 1;
    for (uint32_t i = 0; i < num_old; ++i)
        if (old[i].stamp == t->stamp) {
            uint32_t at = ct_navigation_hash(old[i].key) & t->mask;
            while (t->entries[at].stamp == t->stamp)
                at = (at + 1) & t->mask;
            t->entries[at] = old[i];
        }
    ct_free_sized(a, old, sizeof(*old) * (uint64_t)num_old);
}

void ct_navigation_table_clear(ct_navigation_table *t) {
    t->count = 0;
    if (!++t->stamp) {
        if (t->entries)
            memset(t->entries, 0, sizeof(*t->entries) * ((uint64_t)t->mask + 1));
        t->stamp = 1;
    }
}

void ct_navigation_table_free(ct_navigation_table *t, ct_allocator *a) {
    ct_free_sized(a, t->entries, sizeof(*t->entries) * (t->mask ? (uint64_t)t->mask + 1 : 0));
    *t = (ct_navigation_table){0};
}

// Floats in the order of their bits, negative ones too; back from there.
static uint32_t ordered_of(float key) {
    uint32_t bits;
    memcpy(&bits, &key, 4);
    return bits >> 31 ? ~bits : bits | 1u << 31;
}

static float key_of(uint32_t ordered) {
    const uint32_t bits = ordered >> 31 ? ordered & ~(1u << 31) : ~ordered;
    float key;
    memcpy(&key, &bits, 4);
    return key;
}

void ct_navigation_heap_push(ct_navigation_heap *h, float key, uint32_t value) {
    const uint64_t item = (uint64_t)ordered_of(key) << 32 | value;
    ct_array_push(h, item);
    uint32_t at = h->count - 1;
    while (at) {
        const uint32_t above = (at - 1) / 4;
        if (item >= h->items[above])
            break;
        h->items[at] = h->items[above];
        at = above;
    }
    h->items[at] = item;
}

// The place of the least of up to four.
static uint32_t least_of(const uint64_t *items, uint32_t first, uint32_t end) {
    uint32_t least = first;
    for (uint32_t i = first + 1; i < end; ++i)
        least = items[i] < items[least] ? i : least;
    return least;
}

ct_navigation_open ct_navigation_heap_pop(ct_navigation_heap *h) {
    uint64_t *const items = h->items;
    const uint64_t first = items[0], last = items[--h->count];
    const uint32_t count = h->count;
    uint32_t at = 0;
    for (;;) {
        const uint32_t child = at * 4 + 1;
        if (child >= count)
            break;
        const uint32_t least = least_of(items, child, child + 4 < count ? child + 4 : count);
        if (items[least] >= last)
            break;
        items[at] = items[least];
        at = least;
    }
    items[at] = last;
    return (ct_navigation_open){key_of((uint32_t)(first >> 32)), (uint32_t)first};
}

float ct_navigation_heap_least(const ct_navigation_heap *h) {
    return key_of((uint32_t)(h->items[0] >> 32));
}

ct_navigation_search *ct_navigation_search_create(ct_allocator *a) {
    ct_navigation_search *const s = CT_NEW(a, ct_navigation_search);
    s->allocator = a;
    ct_array_init(&s->nodes, a);
    ct_array_init(&s->open, a);
    ct_array_init(&s->open_records, a);
    ct_array_init(&s->ways, a);
    ct_array_init(&s->sights, a);
    ct_array_init(&s->corners, a);
    ct_array_init(&s->regions, a);
    ct_array_init(&s->records, a);
    ct_array_init(&s->targets, a);
    ct_array_init(&s->touched, a);
    ct_array_init(&s->corridor, a);
    ct_array_init(&s->path, a);
    ct_array_init(&s->openings, a);
    return s;
}

void ct_navigation_search_destroy(ct_navigation_search *s) {
    if (!s)
        return;
    ct_allocator *const a = s->allocator;
    ct_array_free(&s->nodes);
    ct_array_free(&s->open);
    ct_array_free(&s->open_records);
    ct_array_free(&s->ways);
    ct_array_free(&s->sights);
    ct_array_free(&s->corners);
    ct_array_free(&s->regions);
    ct_array_free(&s->records);
    ct_array_free(&s->targets);
    ct_array_free(&s->touched);
    ct_array_free(&s->corridor);
    ct_array_free(&s->path);
    ct_array_free(&s->openings);
    ct_navigation_table_free(&s->way_table, a);
    ct_navigation_table_free(&s->sight_table, a);
    ct_navigation_table_free(&s->corner_table, a);
    ct_navigation_table_free(&s->region_table, a);
    ct_navigation_table_free(&s->slot_table, a);
    ct_free_sized(a, s, sizeof(*s));
}

void ct_navigation_search_clear(ct_navigation_search *s, const ct_navigation_mesh *m) {
    s->mesh = m;
    s->tiles = ct_navigation_tiles(m, &s->num_slots);
    s->version = ct_navigation_mesh_version(m);
    s->num_looked_at = 0;
    s->nodes.count = s->open.count = s->open_records.count = 0;
    s->ways.count = s->sights.count = s->corners.count = s->regions.count = 0;
    s->records.count = s->targets.count = s->touched.count = 0;
    s->corridor.count = s->path.count = s->openings.count = 0;
    ct_navigation_table_clear(&s->way_table);
    ct_navigation_table_clear(&s->sight_table);
    ct_navigation_table_clear(&s->corner_table);
    ct_navigation_table_clear(&s->region_table);
    ct_navigation_table_clear(&s->slot_table);
}

bool ct_navigation_search_is_valid(const ct_navigation_search *s) {
    const ct_navigation_filter filter = ct_navigation_filter_of(s->mesh);
    if (!s->has_filter && memcmp(filter.costs, s->filter.costs, sizeof(filter.costs)) != 0)
        return false;
    uint32_t num_slots;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(s->mesh, &num_slots);
    for (uint32_t i = 0; i < s->touched.count; ++i) {
        const ct_navigation_touched t = s->touched.items[i];
        if (t.slot >= num_slots || tiles[t.slot].version != t.version ||
            tiles[t.slot].link_version != t.link_version)
            return false;
    }
    return true;
}
