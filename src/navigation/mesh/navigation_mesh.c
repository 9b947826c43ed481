#include "navigation/navigation_mesh.h"

#include <math.h>

#include "navigation/mesh/navigation_mesh_private.h"

// --- Slots ---------------------------------------------------------------------------------------

void ct_navigation_reserve_slots(ct_navigation_mesh *m, uint32_t count) {
    if (count <= m->max_slots)
        return;
    const uint64_t old = m->max_slots, wanted = count;
    m->tiles =
        ct_realloc(m->allocator, m->tiles, sizeof(*m->tiles) * old, sizeof(*m->tiles) * wanted);
    m->slots =
        ct_realloc(m->allocator, m->slots, sizeof(*m->slots) * old, sizeof(*m->slots) * wanted);
    memset(m->tiles + old, 0, sizeof(*m->tiles) * (wanted - old));
    memset(m->slots + old, 0, sizeof(*m->slots) * (wanted - old));
    m->max_slots = count;
}

uint32_t ct_navigation_take_slot(ct_navigation_mesh *m, uint32_t tile, uint32_t slot) {
    const ct_navigation_tile_resource *const r = &ct_navigation_class_tiles(m)[tile];
    if (slot == 0 && m->free_slots.count)
        slot = m->free_slots.items[--m->free_slots.count];
    if (slot == 0)
        slot = m->num_slots;
    if (slot >= m->num_slots) {
        CT_ASSERT(slot <= CT_NAVIGATION_MAX_TILES, "slot %u of tile %u", slot, tile);
        const uint32_t more = m->max_slots < CT_NAVIGATION_MAX_TILES / 2
                                  ? m->max_slots * 2
                                  : CT_NAVIGATION_MAX_TILES + 1;
        ct_navigation_reserve_slots(m, slot < m->max_slots ? slot + 1 : more);
        m->num_slots = slot + 1;
    }
    m->tiles[slot] = (ct_navigation_tile){.x = r->x, .y = r->y, .resource = r};
    m->slots[slot] = (ct_navigation_slot){.tile = tile, .hash = r->hash};
    ct_hash_map_set(&m->by_place, ct_navigation_tile_key(r->x, r->y), slot);
    return slot;
}

static void remove_item(ct_u32_array *list, uint32_t item) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->count; ++i)
        if (list->items[i] != item)
            list->items[count++] = list->items[i];
    list->count = count;
}

void ct_navigation_free_slot(ct_navigation_mesh *m, uint32_t slot) {
    ct_navigation_slot *const s = &m->slots[slot];
    const ct_navigation_tile_at at = {m->tiles[slot].x, m->tiles[slot].y};
    if (s->is_waiting)
        remove_item(&m->waiting, slot);
    if (s->is_unlinked)
        remove_item(&m->unlinked, slot);
    ct_navigation_drop_job(m, slot);
    ct_free(m->allocator, s->block);
    ct_hash_map_erase(&m->by_place, ct_navigation_tile_key(at.x, at.y));
    m->tiles[slot] = (ct_navigation_tile){.version = 0};
    m->slots[slot] = (ct_navigation_slot){.block = NULL};
    ct_array_push(&m->free_slots, slot);
    ct_navigation_unlink_around(m, at.x, at.y);
    m->islands_are_old = true;
    ct_navigation_new_version(m);
}

// --- Life ----------------------------------------------------------------------------------------

// Reads what the resource says of areas and links; keeps switches of those that `m` had: see reload.
static void read_switches(ct_navigation_mesh *m) {
    const ct_navigation_area *const areas = ct_blob_at(m->resource, m->resource->areas.offset);
    const ct_navigation_link *const links = ct_blob_at(m->resource, m->resource->links.offset);
    for (uint32_t i = 0; i < CT_NAVIGATION_MAX_AREAS; ++i) {
        m->area_is_closed[i] =
            i < m->resource->areas.count && areas[i].flags & CT_NAVIGATION_AREA_CLOSED;
        m->area_costs[i] = 0;
    }
    m->links.count = 0;
    ct_array_resize(&m->links, m->resource->links.count);
    for (uint32_t i = 0; i < m->links.count; ++i)
        m->links.items[i].is_closed = links[i].flags & CT_NAVIGATION_LINK_CLOSED;
    ct_navigation_refresh_filter(m);
}

static void measure_class(ct_navigation_mesh *m) {
    const ct_navigation_tile_resource *const tiles = ct_navigation_class_tiles(m);
    m->min_x = m->min_y = INT32_MAX;
    m->max_x = m->max_y = INT32_MIN;
    for (uint32_t i = 0; i < m->class->tiles.count; ++i) {
        m->min_x = tiles[i].x < m->min_x ? tiles[i].x : m->min_x;
        m->min_y = tiles[i].y < m->min_y ? tiles[i].y : m->min_y;
        m->max_x = tiles[i].x > m->max_x ? tiles[i].x : m->max_x;
        m->max_y = tiles[i].y > m->max_y ? tiles[i].y : m->max_y;
    }
}

static void init_arrays(ct_navigation_mesh *m, ct_allocator *a) {
    ct_hash_map_init(&m->by_place, a);
    m->free_slots.allocator = m->free_obstacles.allocator = a;
    m->obstacles.allocator = m->obstacle_footprints.allocator = a;
    m->waiting.allocator = m->unlinked.allocator = m->changed.allocator = a;
    m->links.allocator = m->crowded.allocator = m->jobs.allocator = a;
    ct_navigation_init_scratch(&m->scratch, a);
}

ct_navigation_mesh *ct_navigation_mesh_create(const ct_navigation_mesh_desc *desc) {
    const ct_navigation_resource *const r = desc->resource;
    CT_ASSERT(desc->number < r->classes.count, "class %u of %u", desc->number, r->classes.count);
    ct_navigation_mesh *const m = CT_NEW(desc->allocator, ct_navigation_mesh);
    m->allocator = desc->allocator;
    m->resource = r;
    m->number = desc->number;
    m->class = (const ct_navigation_class *)ct_blob_at(r, r->classes.offset) + desc->number;
    m->version = m->newest_version = 1;
    m->num_slots = 1;
    init_arrays(m, desc->allocator);
    ct_navigation_reserve_slots(m, desc->has_no_tiles ? 1 : m->class->tiles.count + 1);
    measure_class(m);
    read_switches(m);
    for (uint32_t i = 0; !desc->has_no_tiles && i < m->class->tiles.count; ++i)
        ct_navigation_mesh_add_tile(m, i);
    ct_navigation_refresh(m);
    return m;
}

void ct_navigation_mesh_destroy(ct_navigation_mesh *m) {
    if (!m)
        return;
    ct_navigation_free_jobs(m);
    for (uint32_t i = 1; i < m->num_slots; ++i)
        ct_free(m->allocator, m->slots[i].block);
    ct_free(m->allocator, m->tiles);
    ct_free(m->allocator, m->slots);
    ct_hash_map_free(&m->by_place);
    ct_array_free(&m->free_slots);
    ct_array_free(&m->obstacles);
    ct_array_free(&m->obstacle_footprints);
    ct_array_free(&m->free_obstacles);
    ct_array_free(&m->waiting);
    ct_array_free(&m->unlinked);
    ct_array_free(&m->changed);
    ct_array_free(&m->links);
    ct_array_free(&m->crowded);
    ct_navigation_free_scratch(&m->scratch);
    ct_free(m->allocator, m);
}

// --- Tiles ---------------------------------------------------------------------------------------

void ct_navigation_mesh_add_tile(ct_navigation_mesh *m, uint32_t tile) {
    CT_ASSERT(tile < m->class->tiles.count, "tile %u of %u", tile, m->class->tiles.count);
    const ct_navigation_tile_resource *const r = &ct_navigation_class_tiles(m)[tile];
    if (ct_navigation_slot_at(m, r->x, r->y))
        return;
    const uint32_t slot = ct_navigation_take_slot(m, tile, 0);
    ct_navigation_gather_footprints(m, r, &m->scratch);
    ct_navigation_build(m, slot, false);
}

void ct_navigation_mesh_remove_tile(ct_navigation_mesh *m, uint32_t tile) {
    CT_ASSERT(tile < m->class->tiles.count, "tile %u of %u", tile, m->class->tiles.count);
    const ct_navigation_tile_resource *const r = &ct_navigation_class_tiles(m)[tile];
    const uint32_t slot = ct_navigation_slot_at(m, r->x, r->y);
    if (slot == 0)
        return;
    ct_navigation_free_slot(m, slot);
    ct_navigation_link_tiles(m); // so that no way leads to it
}

void ct_navigation_refresh(ct_navigation_mesh *m) {
    ct_navigation_link_tiles(m);
    if (m->islands_are_old)
        ct_navigation_find_islands(m);
}

uint32_t ct_navigation_mesh_num_obstacles(const ct_navigation_mesh *m) {
    return m->obstacles.count - m->free_obstacles.count;
}

uint32_t ct_navigation_mesh_num_waiting(const ct_navigation_mesh *m) {
    return m->waiting.count;
}

const ct_navigation_tile *ct_navigation_tiles(const ct_navigation_mesh *m, uint32_t *num_slots) {
    if (num_slots)
        *num_slots = m->num_slots;
    return m->tiles;
}

const ct_navigation_resource *ct_navigation_mesh_resource(const ct_navigation_mesh *m) {
    return m->resource;
}

const ct_navigation_class *ct_navigation_mesh_class(const ct_navigation_mesh *m) {
    return m->class;
}

uint64_t ct_navigation_mesh_version(const ct_navigation_mesh *m) {
    return m->version;
}

bool ct_navigation_is_live(const ct_navigation_mesh *m, ct_navigation_place p) {
    const uint32_t slot = ct_navigation_slot_of(p);
    return slot && slot < m->num_slots && ct_navigation_number_of(p) < m->tiles[slot].num_faces;
}

// --- Reload --------------------------------------------------------------------------------------

// What was switched away from what the old resource said, by id.
static void keep_switches(ct_navigation_mesh *m, const ct_navigation_resource *old,
                          const bool *closed, const float *costs,
                          const ct_navigation_link_state *links) {
    const ct_navigation_area *const areas = ct_blob_at(m->resource, m->resource->areas.offset);
    const ct_navigation_area *const old_areas = ct_blob_at(old, old->areas.offset);
    for (uint32_t i = 0; i < m->resource->areas.count; ++i)
        for (uint32_t k = 0; k < old->areas.count; ++k)
            if (areas[i].id.value == old_areas[k].id.value) {
                const bool was = old_areas[k].flags & CT_NAVIGATION_AREA_CLOSED;
                m->area_is_closed[i] = closed[k] != was ? closed[k] : m->area_is_closed[i];
                m->area_costs[i] = costs[k];
            }
    const ct_navigation_link *const own = ct_blob_at(m->resource, m->resource->links.offset);
    const ct_navigation_link *const old_links = ct_blob_at(old, old->links.offset);
    ct_hash_map by_id;
    ct_hash_map_init(&by_id, m->allocator);
    for (uint32_t i = 0; i < old->links.count; ++i)
        ct_hash_map_set(&by_id, old_links[i].id.value, i);
    for (uint32_t i = 0; i < m->links.count; ++i) {
        const uint64_t *const found = ct_hash_map_find(&by_id, own[i].id.value);
        const bool was = found && old_links[*found].flags & CT_NAVIGATION_LINK_CLOSED;
        if (found && links[*found].is_closed != was)
            m->links.items[i].is_closed = links[*found].is_closed;
    }
    ct_hash_map_free(&by_id);
    ct_navigation_refresh_filter(m);
}

static void swap_resource(ct_navigation_mesh *m, const ct_navigation_resource *resource,
                          const ct_navigation_class *class) {
    const ct_navigation_resource *const old = m->resource;
    bool closed[CT_NAVIGATION_MAX_AREAS];
    float costs[CT_NAVIGATION_MAX_AREAS];
    memcpy(closed, m->area_is_closed, sizeof(closed));
    memcpy(costs, m->area_costs, sizeof(costs));
    const uint64_t bytes = sizeof(ct_navigation_link_state) * (uint64_t)m->links.count;
    ct_navigation_link_state *const links = ct_alloc(m->allocator, bytes);
    if (links)
        memcpy(links, m->links.items, bytes);
    m->resource = resource;
    m->class = class;
    m->number = (uint32_t)(class - (const ct_navigation_class *)ct_blob_at(
                                       resource, resource->classes.offset));
    measure_class(m);
    read_switches(m);
    keep_switches(m, old, closed, costs, links);
    ct_free(m->allocator, links);
}

// The class of the same id; else of the same number.
static const ct_navigation_class *class_in(const ct_navigation_mesh *m,
                                           const ct_navigation_resource *resource) {
    const ct_navigation_class *const all = ct_blob_at(resource, resource->classes.offset);
    for (uint32_t i = 0; i < resource->classes.count; ++i)
        if (all[i].id.value == m->class->id.value)
            return &all[i];
    return &all[m->number < resource->classes.count ? m->number : resource->classes.count - 1];
}

// Finds the tiles of the new class: those that are gone, changed, the same, new.
static void reload_tiles(ct_navigation_mesh *m, bool has_changed, bool had_all) {
    const ct_navigation_tile_resource *const tiles = ct_navigation_class_tiles(m);
    ct_hash_map by_place;
    ct_hash_map_init(&by_place, m->allocator);
    for (uint32_t i = 0; i < m->class->tiles.count; ++i)
        ct_hash_map_set(&by_place, ct_navigation_tile_key(tiles[i].x, tiles[i].y), i);
    for (uint32_t slot = 1; slot < m->num_slots; ++slot) {
        ct_navigation_tile *const t = &m->tiles[slot];
        if (t->version == 0)
            continue;
        const uint64_t *const found =
            ct_hash_map_find(&by_place, ct_navigation_tile_key(t->x, t->y));
        if (!found) {
            ct_navigation_free_slot(m, slot);
            continue;
        }
        ct_navigation_slot *const s = &m->slots[slot];
        s->tile = (uint32_t)*found;
        t->resource = &tiles[*found];
        ct_navigation_unlink(m, slot); // links of the level may be others
        ct_array_push(&m->changed, (ct_navigation_tile_at){t->x, t->y});
        if (!has_changed && s->hash == t->resource->hash)
            continue;
        s->hash = t->resource->hash;
        ct_navigation_gather_footprints(m, t->resource, &m->scratch);
        ct_navigation_build(m, slot, false);
    }
    ct_hash_map_free(&by_place);
    for (uint32_t i = 0; had_all && i < m->class->tiles.count; ++i)
        ct_navigation_mesh_add_tile(m, i);
}

void ct_navigation_mesh_reload(ct_navigation_mesh *m, const ct_navigation_resource *resource) {
    const ct_navigation_class *const old = m->class, *const class = class_in(m, resource);
    const bool had_all = m->by_place.count == old->tiles.count;
    const bool has_changed = old->radius != class->radius || old->height != class->height ||
                             old->climb != class->climb ||
                             m->resource->tile_size != resource->tile_size;
    ct_navigation_drop_jobs(m, true); // they read the old blob
    swap_resource(m, resource, class);
    for (uint32_t i = 0; i < m->obstacles.count; ++i)
        if (m->obstacles.items[i].is_live)
            ct_navigation_footprint_of(class, &m->obstacles.items[i].desc,
                                       &m->obstacle_footprints.items[i]);
    reload_tiles(m, has_changed, had_all);
    ct_navigation_new_version(m);
    ct_navigation_refresh(m);
}

// --- Switches ------------------------------------------------------------------------------------

void ct_navigation_refresh_filter(ct_navigation_mesh *m) {
    const ct_navigation_area *const areas = ct_blob_at(m->resource, m->resource->areas.offset);
    ct_navigation_filter *const f = &m->filter;
    f->least_cost = INFINITY;
    for (uint32_t i = 0; i < CT_NAVIGATION_MAX_AREAS; ++i) {
        const bool is_known = i < m->resource->areas.count;
        const float own = is_known ? areas[i].cost : 1;
        f->costs[i] = m->area_costs[i] > 0 ? m->area_costs[i] : own;
        if (m->area_is_closed[i])
            f->costs[i] = INFINITY;
        if (is_known)
            f->least_cost = fminf(f->least_cost, f->costs[i]);
    }
    ct_navigation_new_version(m);
}

ct_navigation_filter ct_navigation_filter_of(const ct_navigation_mesh *m) {
    return m->filter;
}

void ct_navigation_set_area(ct_navigation_mesh *m, uint32_t area, bool is_closed, float cost) {
    CT_ASSERT(area < m->resource->areas.count, "area %u of %u", area, m->resource->areas.count);
    m->area_is_closed[area] = is_closed;
    m->area_costs[area] = cost >= 0.01f && isfinite(cost) ? cost : 0;
    ct_navigation_refresh_filter(m);
}

void ct_navigation_set_link(ct_navigation_mesh *m, uint32_t link, bool is_closed) {
    CT_ASSERT(link < m->links.count, "link %u of %u", link, m->links.count);
    ct_navigation_link_state *const state = &m->links.items[link];
    if (state->is_closed == is_closed)
        return;
    state->is_closed = is_closed;
    ct_navigation_new_version(m);
    ct_navigation_unlink(m, ct_navigation_slot_of(state->from));
    ct_navigation_unlink(m, ct_navigation_slot_of(state->to));
    ct_navigation_refresh(m);
}

bool ct_navigation_link_is_closed(const ct_navigation_mesh *m, uint32_t link) {
    CT_ASSERT(link < m->links.count, "link %u of %u", link, m->links.count);
    return m->links.items[link].is_closed;
}

bool ct_navigation_area_is_closed(const ct_navigation_mesh *m, uint32_t area) {
    CT_ASSERT(area < m->resource->areas.count, "area %u of %u", area, m->resource->areas.count);
    return m->area_is_closed[area];
}

void ct_navigation_set_obstructed(ct_navigation_mesh *m, ct_navigation_place p,
                                  bool is_obstructed) {
    if (!ct_navigation_is_live(m, p) || ct_navigation_is_obstructed(m, p) == is_obstructed)
        return;
    const uint32_t slot = ct_navigation_slot_of(p);
    ct_navigation_slot *const s = &m->slots[slot];
    s->arrays.is_obstructed[ct_navigation_number_of(p)] = is_obstructed;
    ct_navigation_use_footprints(m, slot);
    m->tiles[slot].version = ++m->last_version;
    ct_navigation_build(m, slot, true);
    ct_navigation_unlink_around(m, m->tiles[slot].x, m->tiles[slot].y);
    ct_navigation_refresh(m);
}

bool ct_navigation_is_obstructed(const ct_navigation_mesh *m, ct_navigation_place p) {
    return ct_navigation_is_live(m, p) &&
           m->slots[ct_navigation_slot_of(p)].arrays.is_obstructed[ct_navigation_number_of(p)];
}
