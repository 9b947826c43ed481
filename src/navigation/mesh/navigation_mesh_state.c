// navigation_mesh_state.c: saving and restoring what changed in a mesh.
//
// A head, then obstacles, switches by id, tiles with slots and versions, so that places and corridors of
// agents keep their meaning. A tile that waits for an update has the footprints that it was made with:
// it comes back as it was. An update that was begun has those that its tiles are made with. All is checked
// before anything changes.
#include <math.h>

#include "navigation/mesh/navigation_mesh_private.h"
#include "resource/blob/content_hash.h"

enum { STATE_MAGIC = 0x534e5443, STATE_VERSION = 2 }; // "CTNS"

typedef struct state_head {
    uint32_t magic, version;
    uint64_t hash; // of all that follows it
    uint64_t level;
    uint64_t mesh_version, newest_version;
    uint32_t last_version, class_id;
    uint32_t num_obstacles, num_free_obstacles, num_areas, num_links, num_slots, num_tiles;
    uint32_t num_free_slots, num_waiting, num_begun, num_crowded;
} state_head;

typedef struct state_switch {
    uint32_t id, is_closed;
    float cost;
    uint32_t padding;
} state_switch;

typedef struct state_tile {
    int32_t x, y;
    uint64_t hash;
    uint32_t slot, version;
    uint32_t num_footprints; // of one that waits or is built
    uint32_t num_obstructed;
    uint32_t is_waiting, is_begun;
} state_tile;

// A tile that is built in the background; its footprints follow.
typedef struct state_job {
    uint32_t slot, num_footprints;
} state_job;

// --- Saving --------------------------------------------------------------------------------------

typedef struct state_writer {
    char *bytes; // NULL: only counts
    uint64_t at;
} state_writer;

static void put(state_writer *w, const void *items, uint64_t bytes) {
    if (w->bytes && bytes)
        memcpy(w->bytes + w->at, items, bytes);
    w->at += bytes;
}

static void put_switches(state_writer *w, const ct_navigation_mesh *m) {
    const ct_navigation_area *const areas = ct_blob_at(m->resource, m->resource->areas.offset);
    const ct_navigation_link *const links = ct_blob_at(m->resource, m->resource->links.offset);
    for (uint32_t i = 0; i < m->resource->areas.count; ++i) {
        const state_switch s = {areas[i].id.value, m->area_is_closed[i], m->area_costs[i], 0};
        put(w, &s, sizeof(s));
    }
    for (uint32_t i = 0; i < m->links.count; ++i) {
        const state_switch s = {links[i].id.value, m->links.items[i].is_closed, 0, 0};
        put(w, &s, sizeof(s));
    }
}

static uint32_t count_obstructed(const ct_navigation_slot *s) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->counts.faces; ++i)
        count += s->arrays.is_obstructed[i];
    return count;
}

static void put_tile(state_writer *w, const ct_navigation_mesh *m, uint32_t slot) {
    const ct_navigation_tile *const t = &m->tiles[slot];
    const ct_navigation_slot *const s = &m->slots[slot];
    const state_tile tile = {.x = t->x,
                             .y = t->y,
                             .hash = s->hash,
                             .slot = slot,
                             .version = t->version,
                             .num_footprints =
                                 s->is_waiting || s->is_begun ? s->counts.footprints : 0,
                             .num_obstructed = count_obstructed(s),
                             .is_waiting = s->is_waiting,
                             .is_begun = s->is_begun};
    put(w, &tile, sizeof(tile));
    put(w, s->arrays.footprints, sizeof(ct_navigation_footprint) * tile.num_footprints);
    for (uint32_t i = 0; i < s->counts.faces; ++i)
        if (s->arrays.is_obstructed[i])
            put(w, &i, sizeof(i));
}

// The footprints of a job do not change while its task runs.
static uint32_t put_jobs(state_writer *w, const ct_navigation_mesh *m) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->num_jobs; ++i) {
        const ct_navigation_job *const job = m->jobs.items[i];
        if (job->is_dropped)
            continue;
        const state_job begun = {job->core.slot, job->scratch.footprints.count};
        put(w, &begun, sizeof(begun));
        put(w, job->scratch.footprints.items,
            sizeof(ct_navigation_footprint) * (uint64_t)begun.num_footprints);
        ++count;
    }
    return count;
}

uint64_t ct_navigation_mesh_save(const ct_navigation_mesh *m, void *bytes) {
    state_head head = {.magic = STATE_MAGIC,
                       .version = STATE_VERSION,
                       .level = m->resource->level.value,
                       .mesh_version = m->version,
                       .newest_version = m->newest_version,
                       .last_version = m->last_version,
                       .class_id = m->class->id.value,
                       .num_obstacles = m->obstacles.count,
                       .num_free_obstacles = m->free_obstacles.count,
                       .num_areas = m->resource->areas.count,
                       .num_links = m->links.count,
                       .num_slots = m->num_slots,
                       .num_tiles = m->by_place.count,
                       .num_free_slots = m->free_slots.count,
                       .num_waiting = m->waiting.count,
                       .num_crowded = m->crowded.count};
    state_writer w = {.bytes = bytes, .at = sizeof(head)};
    for (uint32_t i = 0; i < m->obstacles.count; ++i)
        put(&w, &m->obstacles.items[i], sizeof(m->obstacles.items[i]));
    put(&w, m->free_obstacles.items, sizeof(uint32_t) * m->free_obstacles.count);
    put_switches(&w, m);
    for (uint32_t i = 1; i < m->num_slots; ++i)
        if (m->tiles[i].version)
            put_tile(&w, m, i);
    put(&w, m->free_slots.items, sizeof(uint32_t) * m->free_slots.count);
    put(&w, m->waiting.items, sizeof(uint32_t) * m->waiting.count);
    head.num_begun = put_jobs(&w, m);
    put(&w, m->crowded.items, sizeof(ct_navigation_crowded) * (uint64_t)m->crowded.count);
    if (bytes) {
        memcpy(bytes, &head, sizeof(head));
        const uint64_t start = offsetof(state_head, level);
        head.hash = ct_content_hash((const char *)bytes + start, w.at - start);
        memcpy(bytes, &head, sizeof(head));
    }
    return w.at;
}

// --- Reading -------------------------------------------------------------------------------------

typedef struct state_reader {
    const char *bytes;
    uint64_t at, end;
    bool is_short;
} state_reader;

// Copies `bytes`; zeros when they are not there.
static bool get(state_reader *r, void *items, uint64_t bytes) {
    if (r->is_short || bytes > r->end - r->at) {
        r->is_short = true;
        memset(items, 0, bytes);
        return false;
    }
    memcpy(items, r->bytes + r->at, bytes);
    r->at += bytes;
    return true;
}

static void skip(state_reader *r, uint64_t item_bytes, uint64_t count) {
    if (r->is_short || count > (r->end - r->at) / item_bytes)
        r->is_short = true;
    else
        r->at += item_bytes * count;
}

static uint32_t get_u32(state_reader *r) {
    uint32_t value = 0;
    get(r, &value, sizeof(value));
    return value;
}

static bool read_head(const ct_navigation_mesh *m, state_reader *r, state_head *head,
                      ct_error *error) {
    if (!get(r, head, sizeof(*head)))
        return ct_error_set(error, "found %u bytes; expected at least %u", (uint32_t)r->end,
                            (uint32_t)sizeof(*head));
    if (head->magic != STATE_MAGIC || head->version != STATE_VERSION)
        return ct_error_set(error, "it is no state of navigation, or of another version");
    const uint64_t start = offsetof(state_head, level);
    if (head->hash != ct_content_hash(r->bytes + start, r->end - start))
        return ct_error_set(error, "it is damaged: its checksum is wrong");
    if (head->level != m->resource->level.value || head->class_id != m->class->id.value)
        return ct_error_set(error, "it is of another level or class of agents");
    return true;
}

static bool check_obstacles(const ct_navigation_mesh *m, state_reader *r, const state_head *head,
                            ct_error *error) {
    const uint64_t start = r->at;
    uint32_t num_dead = 0;
    for (uint32_t i = 0; i < head->num_obstacles && !r->is_short; ++i) {
        ct_navigation_obstacle_slot slot;
        unsigned char is_live;
        get(r, &slot, sizeof(slot));
        memcpy(&is_live, (const char *)&slot + offsetof(ct_navigation_obstacle_slot, is_live), 1);
        if (is_live > 1 || slot.generation >> 12)
            return ct_error_set(error, "obstacles[%u] is damaged", i);
        if (is_live && !ct_navigation_check_obstacle(m, &slot.desc, error))
            return false;
        num_dead += !is_live;
    }
    if (num_dead != head->num_free_obstacles)
        return ct_error_set(error, "found %u free obstacles; expected %u", head->num_free_obstacles,
                            num_dead);
    for (uint32_t i = 0; i < num_dead && !r->is_short; ++i) {
        const uint32_t at = get_u32(r);
        ct_navigation_obstacle_slot slot = {.is_live = true};
        if (at < head->num_obstacles)
            memcpy(&slot, r->bytes + start + (uint64_t)at * sizeof(slot), sizeof(slot));
        if (slot.is_live)
            return ct_error_set(error, "free_obstacles[%u] is damaged", i);
    }
    return true;
}

// `what` is the list that they are of, and `index` the place there.
static bool check_footprints(state_reader *r, uint32_t count, const char *what, uint32_t index,
                             ct_error *error) {
    for (uint32_t i = 0; i < count && !r->is_short; ++i) {
        ct_navigation_footprint f;
        get(r, &f, sizeof(f));
        if (f.num_points > CT_NAVIGATION_FOOTPRINT_POINTS || f.area < -1 ||
            f.area >= CT_NAVIGATION_MAX_AREAS)
            return ct_error_set(error, "%s[%u]: footprints[%u] is damaged", what, index, i);
        for (uint32_t k = 0; k < f.num_points; ++k)
            if (!isfinite(f.points[k].x) || !isfinite(f.points[k].y))
                return ct_error_set(error, "%s[%u]: footprints[%u] is not finite", what, index, i);
    }
    return true;
}

// What a byte of `uses` says of a slot.
enum { IS_USED = 1, IS_WAITING = 2, IS_BEGUN = 4, IS_FREE = 8 };

// Lists of slots behind the tiles: those that are free, wait, or are built.
static bool check_lists(state_reader *r, const state_head *head, unsigned char *uses,
                        ct_error *error) {
    for (uint32_t i = 0; i < head->num_free_slots && !r->is_short; ++i) {
        const uint32_t slot = get_u32(r);
        if (slot == 0 || slot >= head->num_slots || uses[slot])
            return ct_error_set(error, "free_slots[%u] is damaged", i);
        uses[slot] = IS_FREE;
    }
    for (uint32_t i = 0; i < head->num_waiting && !r->is_short; ++i) {
        const uint32_t slot = get_u32(r);
        if (slot >= head->num_slots || !(uses[slot] & IS_WAITING))
            return ct_error_set(error, "waiting[%u] is damaged", i);
        uses[slot] &= (unsigned char)~IS_WAITING;
    }
    for (uint32_t i = 0; i < head->num_begun && !r->is_short; ++i) {
        state_job job;
        get(r, &job, sizeof(job));
        if (job.slot >= head->num_slots || !(uses[job.slot] & IS_BEGUN))
            return ct_error_set(error, "begun[%u] is damaged", i);
        uses[job.slot] &= (unsigned char)~IS_BEGUN;
        if (!check_footprints(r, job.num_footprints, "begun", i, error))
            return false;
    }
    ct_navigation_crowded last = {.place = 0};
    for (uint32_t i = 0; i < head->num_crowded && !r->is_short; ++i) {
        ct_navigation_crowded c;
        get(r, &c, sizeof(c));
        if (!r->is_short && (c.place <= last.place || !(c.factor >= 1 && c.factor <= 1000)))
            return ct_error_set(error, "crowded[%u] is damaged", i);
        last = c;
    }
    return true;
}

// `uses` has a byte for each slot.
static bool check_tiles(state_reader *r, const state_head *head, unsigned char *uses,
                        ct_error *error) {
    for (uint32_t i = 0; i < head->num_tiles && !r->is_short; ++i) {
        state_tile t;
        get(r, &t, sizeof(t));
        if (r->is_short)
            break;
        if (t.slot == 0 || t.slot >= head->num_slots || uses[t.slot] || t.version == 0 ||
            t.version > head->last_version)
            return ct_error_set(error, "tiles[%u] is damaged", i);
        uses[t.slot] = (unsigned char)(IS_USED | (t.is_waiting ? IS_WAITING : 0) |
                                       (t.is_begun ? IS_BEGUN : 0));
        if (!check_footprints(r, t.num_footprints, "tiles", i, error))
            return false;
        skip(r, sizeof(uint32_t), t.num_obstructed);
    }
    return check_lists(r, head, uses, error);
}

static bool check_state(const ct_navigation_mesh *m, state_reader r, const state_head *head,
                        ct_error *error) {
    if (head->num_slots == 0 || head->num_slots > CT_NAVIGATION_MAX_TILES + 1 ||
        head->num_obstacles > CT_NAVIGATION_MAX_OBSTACLES ||
        head->num_tiles + (uint64_t)head->num_free_slots + 1 != head->num_slots)
        return ct_error_set(error, "its counts are damaged");
    if (!check_obstacles(m, &r, head, error))
        return false;
    skip(&r, sizeof(state_switch), (uint64_t)head->num_areas + head->num_links);
    unsigned char *const uses = ct_alloc_zero(m->allocator, head->num_slots);
    const bool is_good = check_tiles(&r, head, uses, error);
    ct_free(m->allocator, uses);
    if (is_good && (r.is_short || r.at != r.end))
        return ct_error_set(error, "it is cut off, or too long");
    return is_good;
}

// --- Restoring -----------------------------------------------------------------------------------

static void clear(ct_navigation_mesh *m, uint32_t num_slots) {
    ct_navigation_drop_jobs(m, false);
    for (uint32_t i = 1; i < m->num_slots; ++i)
        ct_free(m->allocator, m->slots[i].block);
    memset(m->tiles, 0, sizeof(*m->tiles) * m->num_slots);
    memset(m->slots, 0, sizeof(*m->slots) * m->num_slots);
    for (uint32_t i = 0; i < m->links.count; ++i)
        m->links.items[i].from = m->links.items[i].to = 0;
    ct_hash_map_clear(&m->by_place);
    m->free_slots.count = m->waiting.count = m->unlinked.count = m->changed.count = 0;
    ct_navigation_reserve_slots(m, num_slots);
    m->num_slots = num_slots;
}

static void restore_obstacles(ct_navigation_mesh *m, state_reader *r, const state_head *head) {
    m->obstacles.count = m->obstacle_footprints.count = 0; // so that all are zero
    ct_array_resize(&m->obstacles, head->num_obstacles);
    ct_array_resize(&m->obstacle_footprints, head->num_obstacles);
    ct_array_resize(&m->free_obstacles, head->num_free_obstacles);
    for (uint32_t i = 0; i < head->num_obstacles; ++i) {
        get(r, &m->obstacles.items[i], sizeof(m->obstacles.items[i]));
        if (m->obstacles.items[i].is_live)
            ct_navigation_footprint_of(m->class, &m->obstacles.items[i].desc,
                                       &m->obstacle_footprints.items[i]);
    }
    for (uint32_t i = 0; i < head->num_free_obstacles; ++i)
        m->free_obstacles.items[i] = get_u32(r);
}

static void restore_switches(ct_navigation_mesh *m, state_reader *r, const state_head *head) {
    const ct_navigation_area *const areas = ct_blob_at(m->resource, m->resource->areas.offset);
    const ct_navigation_link *const links = ct_blob_at(m->resource, m->resource->links.offset);
    for (uint32_t i = 0; i < head->num_areas; ++i) {
        state_switch s;
        get(r, &s, sizeof(s));
        for (uint32_t k = 0; k < m->resource->areas.count; ++k)
            if (areas[k].id.value == s.id) {
                m->area_is_closed[k] = s.is_closed != 0;
                m->area_costs[k] = isfinite(s.cost) && s.cost >= 0.01f ? s.cost : 0;
            }
    }
    ct_hash_map by_id;
    ct_hash_map_init(&by_id, m->allocator);
    for (uint32_t i = 0; i < m->links.count; ++i)
        ct_hash_map_set(&by_id, links[i].id.value, i);
    for (uint32_t i = 0; i < head->num_links; ++i) {
        state_switch s;
        get(r, &s, sizeof(s));
        const uint64_t *const found = ct_hash_map_find(&by_id, s.id);
        if (found)
            m->links.items[*found].is_closed = s.is_closed != 0;
    }
    ct_hash_map_free(&by_id);
    ct_navigation_refresh_filter(m);
}

// The number of the tile at a place; the class's count: there is no tile now.
static uint32_t find_tile(const ct_navigation_mesh *m, int32_t x, int32_t y) {
    const ct_navigation_tile_resource *const tiles = ct_navigation_class_tiles(m);
    uint32_t low = 0, high = m->class->tiles.count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (tiles[middle].y < y || (tiles[middle].y == y && tiles[middle].x < x))
            low = middle + 1;
        else
            high = middle;
    }
    const bool is_there = low < m->class->tiles.count && tiles[low].x == x && tiles[low].y == y;
    return is_there ? low : m->class->tiles.count;
}

// Returns whether the tile is as it was saved.
static bool restore_tile(ct_navigation_mesh *m, state_reader *r) {
    state_tile t;
    get(r, &t, sizeof(t));
    const uint32_t tile = find_tile(m, t.x, t.y);
    const bool is_known = tile < m->class->tiles.count && !ct_navigation_slot_at(m, t.x, t.y);
    ct_array_resize(&m->scratch.footprints, t.num_footprints);
    if (t.num_footprints)
        get(r, m->scratch.footprints.items, sizeof(ct_navigation_footprint) * t.num_footprints);
    const uint64_t obstructed = r->at;
    skip(r, sizeof(uint32_t), t.num_obstructed);
    if (!is_known) {
        ct_array_push(&m->free_slots, t.slot);
        return false;
    }
    ct_navigation_take_slot(m, tile, t.slot);
    if (!t.is_waiting && !t.is_begun)
        ct_navigation_gather_footprints(m, m->tiles[t.slot].resource, &m->scratch);
    ct_navigation_build(m, t.slot, false);
    if (m->slots[t.slot].hash != t.hash)
        return false;
    state_reader bits = *r;
    bits.at = obstructed;
    for (uint32_t i = 0; i < t.num_obstructed; ++i) {
        const uint32_t face = get_u32(&bits);
        if (face < m->tiles[t.slot].num_faces)
            m->slots[t.slot].arrays.is_obstructed[face] = 1;
    }
    if (t.num_obstructed) {
        ct_navigation_use_footprints(m, t.slot);
        ct_navigation_build(m, t.slot, true);
    }
    m->tiles[t.slot].version = t.version;
    return true;
}

static void restore_lists(ct_navigation_mesh *m, state_reader *r, const state_head *head) {
    for (uint32_t i = 0; i < head->num_free_slots; ++i)
        ct_array_push(&m->free_slots, get_u32(r));
    for (uint32_t i = 0; i < head->num_waiting; ++i) {
        const uint32_t slot = get_u32(r);
        if (m->tiles[slot].version == 0)
            continue; // a tile that the level does not have any more
        m->slots[slot].is_waiting = true;
        ct_array_push(&m->waiting, slot);
    }
    for (uint32_t i = 0; i < head->num_begun; ++i) {
        state_job begun;
        get(r, &begun, sizeof(begun));
        const uint64_t bytes = sizeof(ct_navigation_footprint) * (uint64_t)begun.num_footprints;
        if (m->tiles[begun.slot].version == 0) {
            skip(r, 1, bytes);
            continue;
        }
        ct_navigation_scratch *const s = &ct_navigation_begin_job(m, begun.slot)->scratch;
        ct_array_resize(&s->footprints, begun.num_footprints);
        if (bytes)
            get(r, s->footprints.items, bytes);
    }
}

static void restore_crowded(ct_navigation_mesh *m, state_reader *r, uint32_t count) {
    ct_array_resize(&m->crowded, count);
    if (count)
        get(r, m->crowded.items, sizeof(ct_navigation_crowded) * (uint64_t)count);
    m->crowd_hash =
        count ? ct_content_hash(m->crowded.items, sizeof(ct_navigation_crowded) * count) : 0;
}

bool ct_navigation_mesh_restore(ct_navigation_mesh *m, const void *bytes, uint64_t num_bytes,
                                ct_error *error) {
    state_reader r = {.bytes = bytes, .end = num_bytes};
    state_head head;
    if (!read_head(m, &r, &head, error) || !check_state(m, r, &head, error))
        return false;
    const uint32_t last = head.last_version > m->last_version ? head.last_version : m->last_version;
    const uint64_t newest =
        head.newest_version > m->newest_version ? head.newest_version : m->newest_version;
    m->last_version = last;
    m->newest_version = newest;
    clear(m, head.num_slots);
    restore_obstacles(m, &r, &head);
    restore_switches(m, &r, &head);
    bool is_same = true;
    for (uint32_t i = 0; i < head.num_tiles; ++i)
        is_same &= restore_tile(m, &r);
    restore_lists(m, &r, &head);
    restore_crowded(m, &r, head.num_crowded);
    ct_navigation_link_tiles(m);
    ct_navigation_find_islands(m);
    if (is_same) { // the versions that building gave are in no tile
        m->version = head.mesh_version;
        m->newest_version = newest;
        m->last_version = last;
    }
    return true;
}
