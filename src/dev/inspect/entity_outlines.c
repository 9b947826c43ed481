#include "dev/inspect/entity_outlines.h"

#include "foundation/container/sort.h"
#include "foundation/os/os.h"

enum { MAX_OUTLINES = 16 };
static const uint64_t idle_limit_ns = 60000000000;

typedef struct watched_world {
    uint32_t number;
    uint64_t asked_ns;
    ct_entity_outline outline;
} watched_world;

struct ct_entity_outlines {
    ct_allocator *allocator;
    watched_world worlds[MAX_OUTLINES];
    uint32_t count;
    uint64_t last_change;          // of all outlines that there were
    ct_u32_array entities, hashes; // scratch
};

ct_entity_outlines *ct_entity_outlines_create(ct_allocator *a) {
    ct_entity_outlines *const o = CT_NEW(a, ct_entity_outlines);
    o->allocator = a;
    ct_array_init(&o->entities, a);
    ct_array_init(&o->hashes, a);
    return o;
}

static void drop(ct_entity_outlines *o, uint32_t place) {
    watched_world *const w = &o->worlds[place];
    if (w->outline.last > o->last_change)
        o->last_change = w->outline.last;
    ct_entity_outline_free(&w->outline);
    *w = o->worlds[--o->count];
}

void ct_entity_outlines_destroy(ct_entity_outlines *o) {
    if (!o)
        return;
    while (o->count > 0)
        drop(o, o->count - 1);
    ct_array_free(&o->entities);
    ct_array_free(&o->hashes);
    ct_free_sized(o->allocator, o, sizeof(*o));
}

void ct_entity_outlines_tidy(ct_entity_outlines *o) {
    const uint64_t now_ns = o->count > 0 ? ct_os_time_ns() : 0;
    for (uint32_t i = o->count; i > 0; --i) {
        if (now_ns - o->worlds[i - 1].asked_ns > idle_limit_ns)
            drop(o, i - 1);
    }
    if (o->count == 0 && o->entities.capacity > 0) {
        ct_array_free(&o->entities);
        ct_array_free(&o->hashes);
    }
}

static watched_world *find(ct_entity_outlines *o, uint32_t number) {
    uint32_t oldest = 0;
    for (uint32_t i = 0; i < o->count; ++i) {
        if (o->worlds[i].number == number)
            return &o->worlds[i];
        if (o->worlds[i].asked_ns < o->worlds[oldest].asked_ns)
            oldest = i;
    }
    if (o->count == MAX_OUTLINES)
        drop(o, oldest);
    for (uint32_t i = 0; i < o->count; ++i) {
        if (o->worlds[i].outline.last > o->last_change)
            o->last_change = o->worlds[i].outline.last;
    }
    watched_world *const w = &o->worlds[o->count++];
    *w = (watched_world){.number = number};
    // One more than any tool has heard of, so that those that knew an earlier outline get all.
    ct_entity_outline_init(&w->outline, o->allocator, ++o->last_change);
    return w;
}

// A hash of what can change in a row of entity_list.
static uint32_t hash_of(const ct_debug_name_manager *names, ct_transform_manager *transforms,
                        ct_entity e) {
    const ct_transform t = ct_transform_lookup(transforms, e);
    const ct_transform parent = t.index ? ct_transform_parent(transforms, t) : (ct_transform){0};
    const uint32_t linked = parent.index ? ct_transform_entity(transforms, parent).id : 0;
    const char *const name = ct_debug_name(names, e);
    uint64_t hash = linked ^ UINT64_C(0xcbf29ce484222325);
    for (const char *s = name; s && *s != '\0'; ++s)
        hash = (hash ^ (uint8_t)*s) * UINT64_C(0x100000001b3); // FNV-1a
    hash *= UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(hash >> 32);
}

ct_entity_outline *ct_entity_outlines_of(ct_entity_outlines *o, ct_world_system *worlds,
                                         ct_world *world, uint32_t number) {
    watched_world *const w = find(o, number);
    const ct_debug_name_manager *const names = ct_world_system_debug_names(worlds);
    ct_transform_manager *const transforms = ct_world_transforms(world);
    uint32_t count;
    const ct_entity *const units = ct_world_units(world, &count);
    ct_array_resize(&o->entities, count);
    ct_array_resize(&o->hashes, count);
    for (uint32_t i = 0; i < count; ++i)
        o->entities.items[i] = units[i].id;
    ct_sort_u32(o->entities.items, o->hashes.items, count);
    for (uint32_t i = 0; i < count; ++i)
        o->hashes.items[i] = hash_of(names, transforms, (ct_entity){o->entities.items[i]});
    ct_entity_outline_update(&w->outline, o->entities.items, o->hashes.items, count);
    w->asked_ns = ct_os_time_ns();
    return &w->outline;
}
