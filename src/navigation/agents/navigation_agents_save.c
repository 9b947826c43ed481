// Saving and restoring: the arrays as they are, with a hash. Versions of tiles are not saved, as they may be
// others in another run: what was right when it was saved is taken to be right in the mesh that is there.
#include <math.h>
#include <string.h>

#include "navigation/agents/navigation_agents_private.h"
#include "resource/blob/content_hash.h"

enum { VERSION = 4 };
static const uint32_t MAGIC = 0x67616e63; // "cnag"

typedef struct header {
    uint32_t magic, version;
    uint64_t num_bytes;
    uint64_t hash; // of what follows the header
    uint32_t num_agents, num_slots, num_free, num_movers, num_crowded;
    uint32_t step, has_mesh_changed; // since the last update
    uint32_t padding;
} header;

// Of a corridor: how many polygons it has, and how many of them are right.
typedef struct saved_corridor {
    uint32_t count, num_right;
} saved_corridor;

// --- Bytes ---------------------------------------------------------------------------------------

typedef struct writer {
    char *bytes; // NULL: only counts
    uint64_t count;
} writer;

static void write_bytes(writer *w, const void *bytes, uint64_t count) {
    if (w->bytes && count)
        memcpy(w->bytes + w->count, bytes, count);
    w->count += count;
}

typedef struct reader {
    const char *bytes;
    uint64_t count, at;
    bool is_short;
} reader;

static void read_bytes(reader *r, void *bytes, uint64_t count) {
    if (count > r->count - r->at) {
        r->is_short = true;
        return;
    }
    if (count)
        memcpy(bytes, r->bytes + r->at, count);
    r->at += count;
}

// --- Saving --------------------------------------------------------------------------------------

static void write_corridors(const ct_navigation_agents *a, writer *w, bool has_mesh_changed) {
    for (uint32_t i = 0; i < a->soa.count; ++i) {
        const ct_navigation_corridor *const c = &a->corridors[i];
        saved_corridor saved = {c->count, c->count};
        if (has_mesh_changed && c->count) {
            ct_navigation_filter own;
            saved.num_right =
                ct_navigation_corridor_check(c, a->mesh, ct_navigation_agent_filter(a, i, &own));
        }
        write_bytes(w, &saved, sizeof(saved));
    }
    for (uint32_t i = 0; i < a->soa.count; ++i)
        if (a->corridors[i].count)
            write_bytes(w, ct_navigation_corridor_ahead(&a->corridors[i]),
                        sizeof(ct_navigation_place) * a->corridors[i].count);
}

// Whether the polygon that an agent is on is still the same.
static uint8_t has_right_place(const ct_navigation_agents *a, uint32_t i) {
    uint32_t num_slots;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(a->mesh, &num_slots);
    const uint32_t slot = ct_navigation_slot_of(a->places[i]);
    return slot && slot < num_slots && tiles[slot].version == a->courses[i].place_version;
}

uint64_t ct_navigation_agents_save(const ct_navigation_agents *a, void *bytes) {
    const uint32_t count = a->soa.count;
    header h = {.magic = MAGIC,
                .version = VERSION,
                .num_agents = count,
                .num_slots = a->slots.count,
                .num_free = a->free_slots.count,
                .num_movers = a->movers.count,
                .num_crowded = a->crowded.count,
                .step = a->step,
                .has_mesh_changed = ct_navigation_mesh_version(a->mesh) != a->mesh_version};
    writer w = {(char *)bytes, sizeof(header)};
    write_bytes(&w, a->slots.items, sizeof(*a->slots.items) * h.num_slots);
    write_bytes(&w, a->free_slots.items, sizeof(uint32_t) * h.num_free);
    write_bytes(&w, a->movers.items, sizeof(*a->movers.items) * h.num_movers);
    write_bytes(&w, a->crowded.items, sizeof(*a->crowded.items) * h.num_crowded);
    write_bytes(&w, a->ids, sizeof(*a->ids) * count);
    write_bytes(&w, a->users, sizeof(*a->users) * count);
    write_bytes(&w, a->positions, sizeof(*a->positions) * count);
    write_bytes(&w, a->velocities, sizeof(*a->velocities) * count);
    write_bytes(&w, a->wanted, sizeof(*a->wanted) * count);
    write_bytes(&w, a->places, sizeof(*a->places) * count);
    write_bytes(&w, a->states, sizeof(*a->states) * count);
    write_bytes(&w, a->walkers, sizeof(*a->walkers) * count);
    write_bytes(&w, a->courses, sizeof(*a->courses) * count);
    write_bytes(&w, a->corners, sizeof(*a->corners) * count);
    write_bytes(&w, a->costs, sizeof(*a->costs) * count);
    for (uint32_t i = 0; i < count; ++i) {
        const uint8_t is_right = has_right_place(a, i);
        write_bytes(&w, &is_right, 1);
    }
    write_corridors(a, &w, h.has_mesh_changed);
    h.num_bytes = w.count;
    if (bytes) {
        h.hash = ct_content_hash(w.bytes + sizeof(h), w.count - sizeof(h));
        memcpy(bytes, &h, sizeof(h));
    }
    return w.count;
}

// --- Restoring -----------------------------------------------------------------------------------

static bool check_header(const header *h, const void *bytes, uint64_t num_bytes, ct_error *error) {
    if (h->magic != MAGIC)
        return ct_error_set(error, "found 0x%08x; expected saved agents", h->magic);
    if (h->version != VERSION)
        return ct_error_set(error, "found version %u of saved agents; expected %u", h->version,
                            VERSION);
    if (h->num_bytes != num_bytes)
        return ct_error_set(error, "found %llu bytes; expected %llu", (unsigned long long)num_bytes,
                            (unsigned long long)h->num_bytes);
    if (h->hash != ct_content_hash((const char *)bytes + sizeof(*h), num_bytes - sizeof(*h)))
        return ct_error_set(error, "saved agents are damaged: their hash is another one");
    if (h->num_agents > CT_NAVIGATION_MAX_AGENTS || h->num_slots == 0 ||
        h->num_slots > CT_NAVIGATION_MAX_AGENTS + 1 || h->num_free >= h->num_slots ||
        (uint64_t)h->num_agents + h->num_free + 1 != h->num_slots ||
        (uint64_t)h->num_movers * sizeof(ct_navigation_mover) > num_bytes ||
        (uint64_t)h->num_crowded * sizeof(ct_navigation_crowded) > num_bytes)
        return ct_error_set(error, "saved agents are damaged: %u agents in %u slots", h->num_agents,
                            h->num_slots);
    return true;
}

static bool is_finite(ct_vec3 p) {
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}

// What could lead out of arrays, or spread.
static bool is_sound(const ct_navigation_agents *a, uint32_t i) {
    const ct_navigation_course *const c = &a->courses[i];
    const ct_navigation_walker *const w = &a->walkers[i];
    const uint32_t slot = a->ids[i].id & CT_NAVIGATION_MAX_AGENTS;
    bool is_right =
        slot && slot < a->slots.count && a->slots.items[slot].index == i &&
        a->slots.items[slot].generation == a->ids[i].id >> CT_NAVIGATION_AGENT_SLOT_BITS &&
        a->states[i] < CT_NAVIGATION_AGENT_STATE_COUNT &&
        c->num_corners <= CT_NAVIGATION_MAX_AGENT_CORNERS && c->narrow.direction <= 1 &&
        c->left.direction <= 1 && c->link <= CT_NAVIGATION_MAX_LINKS &&
        is_finite(a->positions[i]) && is_finite(a->velocities[i]) && is_finite(c->goal) &&
        isfinite(c->held) && isfinite(c->queued) && isfinite(c->denied) && w->radius > 0 &&
        w->radius <= 100 && w->height > 0 && w->height <= 1000 && w->speed >= 0 &&
        w->speed <= 1000 && w->horizon > 0 && w->horizon <= 60 && w->priority <= 15;
    for (uint32_t k = 0; k < c->num_corners && is_right; ++k)
        is_right = is_finite(a->corners[i].items[k].position) &&
                   a->corners[i].items[k].link <= CT_NAVIGATION_MAX_LINKS;
    return is_right;
}

static void restore_place(ct_navigation_agents *a, uint32_t i, bool is_right) {
    if (a->states[i] == CT_NAVIGATION_OFF)
        return;
    if (!a->places[i] || !ct_navigation_is_live(a->mesh, a->places[i])) {
        ct_vec3 on_mesh;
        a->places[i] = ct_navigation_agent_find(a, i, a->positions[i], &on_mesh);
        if (!a->places[i])
            a->states[i] = CT_NAVIGATION_OFF;
    }
    uint32_t num_slots;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(a->mesh, &num_slots);
    const uint32_t version = tiles[ct_navigation_slot_of(a->places[i])].version;
    a->courses[i].place_version = is_right && a->places[i] ? version : 0;
}

// Returns false when the bytes are too few. Polygons that are not there get version 0: they are seen as
// changed in the next update.
static bool restore_corridor(ct_navigation_agents *a, uint32_t i, const saved_corridor *saved,
                             reader *r, ct_navigation_place *places) {
    if (saved->count > CT_NAVIGATION_MAX_CORRIDOR)
        return false;
    read_bytes(r, places, sizeof(*places) * saved->count);
    if (r->is_short)
        return false;
    uint32_t num_right = 0;
    while (num_right < saved->count && num_right < saved->num_right &&
           ct_navigation_is_live(a->mesh, places[num_right]))
        ++num_right;
    for (uint32_t k = num_right; k < saved->count; ++k)
        places[k] = 0;
    uint32_t num_slots;
    ct_navigation_corridor_set(&a->pool, &a->corridors[i], ct_navigation_tiles(a->mesh, &num_slots),
                               places, saved->count);
    if (num_right < saved->count)
        a->mesh_version = 0;
    return true;
}

static bool read_arrays(ct_navigation_agents *a, const header *h, reader *r) {
    const uint32_t count = h->num_agents;
    ct_array_resize(&a->slots, h->num_slots);
    ct_array_resize(&a->free_slots, h->num_free);
    ct_array_resize(&a->movers, h->num_movers);
    ct_array_resize(&a->crowded, h->num_crowded);
    if (count)
        ct_soa_block_add(&a->soa, count);
    read_bytes(r, a->slots.items, sizeof(*a->slots.items) * h->num_slots);
    read_bytes(r, a->free_slots.items, sizeof(uint32_t) * h->num_free);
    read_bytes(r, a->movers.items, sizeof(*a->movers.items) * h->num_movers);
    read_bytes(r, a->crowded.items, sizeof(*a->crowded.items) * h->num_crowded);
    read_bytes(r, a->ids, sizeof(*a->ids) * count);
    read_bytes(r, a->users, sizeof(*a->users) * count);
    read_bytes(r, a->positions, sizeof(*a->positions) * count);
    read_bytes(r, a->velocities, sizeof(*a->velocities) * count);
    read_bytes(r, a->wanted, sizeof(*a->wanted) * count);
    read_bytes(r, a->places, sizeof(*a->places) * count);
    read_bytes(r, a->states, sizeof(*a->states) * count);
    read_bytes(r, a->walkers, sizeof(*a->walkers) * count);
    read_bytes(r, a->courses, sizeof(*a->courses) * count);
    read_bytes(r, a->corners, sizeof(*a->corners) * count);
    read_bytes(r, a->costs, sizeof(*a->costs) * count);
    bool is_right = !r->is_short;
    for (uint32_t i = 0; i < count && is_right; ++i)
        is_right = is_sound(a, i);
    for (uint32_t i = 0; i < h->num_crowded && is_right; ++i)
        is_right = a->crowded.items[i].factor >= 1 && a->crowded.items[i].factor <= 1000;
    for (uint32_t i = 0; i < h->num_free && is_right; ++i) {
        const uint32_t slot = a->free_slots.items[i];
        is_right = slot && slot < h->num_slots && a->slots.items[slot].index == UINT32_MAX;
    }
    return is_right;
}

static bool read_corridors(ct_navigation_agents *a, const header *h, reader *r) {
    const uint64_t right_bytes = h->num_agents, saved_bytes = sizeof(saved_corridor) * right_bytes;
    if (right_bytes + saved_bytes > r->count - r->at)
        return false;
    reader places = {.bytes = r->bytes, .count = r->count, .at = r->at + right_bytes + saved_bytes};
    reader saved = {.bytes = r->bytes, .count = r->count, .at = r->at + right_bytes};
    ct_navigation_place *const scratch = (ct_navigation_place *)ct_alloc(
        a->allocator, sizeof(*scratch) * CT_NAVIGATION_MAX_CORRIDOR);
    bool is_right = true;
    for (uint32_t i = 0; i < h->num_agents && is_right; ++i) {
        uint8_t is_place_right = 0;
        saved_corridor corridor;
        read_bytes(r, &is_place_right, 1);
        read_bytes(&saved, &corridor, sizeof(corridor));
        restore_place(a, i, is_place_right != 0);
        is_right = restore_corridor(a, i, &corridor, &places, scratch);
    }
    ct_free(a->allocator, scratch);
    return is_right && places.at == places.count;
}

// Frees agents whose searches are not theirs.
static void destroy_without_searches(ct_navigation_agents *a) {
    for (uint32_t i = 0; i < a->soa.count; ++i)
        a->courses[i].query = 0;
    ct_navigation_agents_destroy(a);
}

static void swap(ct_navigation_agents *a, ct_navigation_agents *b) {
    const ct_navigation_agents kept = *a;
    *a = *b;
    *b = kept;
    a->soa.owner = (char *)a;
    b->soa.owner = (char *)b;
}

bool ct_navigation_agents_restore(ct_navigation_agents *a, const void *bytes, uint64_t num_bytes,
                                  ct_error *error) {
    header h;
    if (num_bytes < sizeof(h))
        return ct_error_set(error, "found %llu bytes; expected saved agents",
                            (unsigned long long)num_bytes);
    memcpy(&h, bytes, sizeof(h));
    if (!check_header(&h, bytes, num_bytes, error))
        return false;
    const uint64_t least = sizeof(h) + (uint64_t)h.num_agents * (sizeof(ct_navigation_course) +
                                                                 sizeof(ct_navigation_walker));
    if (num_bytes < least)
        return ct_error_set(error, "saved agents are damaged: they are too short");
    ct_navigation_agents *const made =
        ct_navigation_agents_create(&(ct_navigation_agents_desc){.allocator = a->allocator,
                                                                 .mesh = a->mesh,
                                                                 .paths = a->paths,
                                                                 .tasks = a->tasks,
                                                                 .number = a->number});
    made->step = h.step;
    if (h.has_mesh_changed)
        made->mesh_version = 0;
    reader r = {.bytes = (const char *)bytes, .count = num_bytes, .at = sizeof(h)};
    const bool is_right = read_arrays(made, &h, &r) && read_corridors(made, &h, &r);
    if (is_right)
        swap(a, made);
    destroy_without_searches(made);
    ct_navigation_set_crowded(a->mesh, a->crowded.items, a->crowded.count);
    return is_right || ct_error_set(error, "saved agents are damaged: found numbers out of range");
}
