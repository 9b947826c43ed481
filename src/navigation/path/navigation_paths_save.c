// navigation_paths_save.c: saves queries and answers, and restores them.
//
// A query that was being searched is saved with how many polygons it has looked at. Restoring looks at as
// many again, so it answers in the same update as without saving. One that has seen what has changed since the
// last update is saved as the next update would start it over.
#include <string.h>

#include "navigation/path/navigation_paths.h"

enum { MAGIC = 0x4e515048, VERSION = 2, MAX_QUERIES = 1 << 24 };

// --- Writing -------------------------------------------------------------------------------------

typedef struct writer {
    char *bytes; // NULL: only counts
    uint64_t count;
} writer;

static void put(writer *w, const void *item, uint64_t bytes) {
    if (w->bytes && bytes)
        memcpy(w->bytes + w->count, item, bytes);
    w->count += bytes;
}

typedef struct saved_head {
    uint32_t magic, version;
    uint64_t num_updates, next_sequence;
    uint32_t num_slots, num_waiting, num_answered, padding;
} saved_head;

typedef struct saved_query {
    uint64_t sequence, added_at, path_version;
    uint32_t slot, user, max_polygons, deadline, spent, has_paid;
    ct_vec3 from, to, reach;
    float corner_radius, length, cost;
    uint32_t status, num_corners, num_polygons, num_looked_at;
    uint8_t allows_partial, has_filter, is_done, is_searching;
    uint8_t num_restarts, num_crowds, padding[2];
} saved_query;

static void put_query(writer *w, const ct_navigation_paths *p, uint32_t slot) {
    const ct_navigation_query_slot *const q = &p->queries.items[slot];
    saved_query saved;
    memset(&saved, 0, sizeof(saved));
    saved.sequence = q->sequence;
    saved.added_at = q->added_at;
    saved.path_version = q->is_done || !q->search ? q->answer.version : q->search->version;
    saved.slot = slot;
    saved.user = q->desc.user;
    saved.max_polygons = q->desc.max_polygons;
    saved.deadline = q->desc.deadline;
    saved.spent = q->spent;
    saved.has_paid = q->has_paid;
    saved.from = q->desc.from;
    saved.to = q->desc.to;
    saved.reach = q->desc.reach;
    saved.corner_radius = q->desc.corner_radius;
    saved.length = q->answer.length;
    saved.cost = q->answer.cost;
    saved.status = q->answer.status;
    saved.num_corners = q->answer.num_corners;
    saved.num_polygons = q->answer.num_polygons;
    saved.num_looked_at = q->answer.num_looked_at;
    saved.allows_partial = q->desc.allows_partial;
    saved.has_filter = q->desc.filter != NULL;
    saved.is_done = q->is_done;
    saved.is_searching = q->search && q->has_begun;
    saved.num_restarts = q->num_restarts;
    saved.num_crowds = q->num_crowds;
    const ct_navigation_change change = ct_navigation_paths_change(p, q);
    if (change != CT_NAVIGATION_CHANGE_NONE) {
        saved.spent = saved.has_paid = saved.is_searching = 0;
        saved.num_restarts += change == CT_NAVIGATION_CHANGE_MESH;
        saved.num_crowds += change == CT_NAVIGATION_CHANGE_CROWD;
    }
    put(w, &saved, sizeof(saved));
    if (q->desc.filter)
        put(w, q->desc.filter, sizeof(*q->desc.filter));
    put(w, q->answer.corners, sizeof(ct_navigation_corner) * (uint64_t)saved.num_corners);
    put(w, q->answer.polygons, sizeof(ct_navigation_place) * (uint64_t)saved.num_polygons);
}

static uint32_t count_of(const ct_navigation_slots *list) {
    uint32_t count = 0;
    for (uint32_t i = list->first; i < list->slots.count; ++i)
        count += list->slots.items[i] != UINT32_MAX;
    return count;
}

uint64_t ct_navigation_paths_save(const ct_navigation_paths *p, void *bytes) {
    writer w = {bytes, 0};
    const saved_head head = {.magic = MAGIC,
                             .version = VERSION,
                             .num_updates = p->num_updates,
                             .next_sequence = p->next_sequence,
                             .num_slots = p->queries.count,
                             .num_waiting = count_of(&p->waiting),
                             .num_answered = count_of(&p->answered)};
    put(&w, &head, sizeof(head));
    const ct_navigation_slots *const lists[] = {&p->waiting, &p->answered};
    for (uint32_t l = 0; l < 2; ++l)
        for (uint32_t i = lists[l]->first; i < lists[l]->slots.count; ++i)
            if (lists[l]->slots.items[i] != UINT32_MAX)
                put_query(&w, p, lists[l]->slots.items[i]);
    put(&w, p->free_slots.items, sizeof(uint32_t) * (uint64_t)p->free_slots.count);
    return w.count;
}

// --- Reading -------------------------------------------------------------------------------------

typedef struct reader {
    const char *bytes;
    uint64_t count, at;
} reader;

static const void *get(reader *r, uint64_t bytes) {
    if (bytes > r->count - r->at)
        return NULL;
    const void *const item = r->bytes + r->at;
    r->at += bytes;
    return item;
}

static bool get_copy(reader *r, void *item, uint64_t bytes) {
    const void *const from = get(r, bytes);
    if (from)
        memcpy(item, from, bytes);
    return from != NULL;
}

// A query and where its filter and arrays are; false: it is damaged.
typedef struct read_query {
    saved_query saved;
    const void *filter, *corners, *polygons;
} read_query;

static bool get_query(reader *r, const saved_head *head, bool is_done, read_query *q) {
    if (!get_copy(r, &q->saved, sizeof(q->saved)))
        return false;
    const saved_query *const s = &q->saved;
    if (s->slot >= head->num_slots || !s->sequence || s->sequence >= head->next_sequence ||
        s->status >= CT_NAVIGATION_STATUS_COUNT || s->has_filter > 1 ||
        (s->is_done != 0) != is_done || s->num_corners > CT_NAVIGATION_MAX_CORNERS ||
        s->num_polygons > CT_NAVIGATION_MAX_CORRIDOR || s->added_at > head->num_updates)
        return false;
    q->filter = get(r, s->has_filter ? sizeof(ct_navigation_filter) : 0);
    q->corners = get(r, sizeof(ct_navigation_corner) * (uint64_t)s->num_corners);
    q->polygons = get(r, sizeof(ct_navigation_place) * (uint64_t)s->num_polygons);
    return q->filter && q->corners && q->polygons;
}

static void add_query(ct_navigation_paths *p, const read_query *from) {
    const saved_query *const s = &from->saved;
    ct_navigation_query_slot *const q = &p->queries.items[s->slot];
    *q = (ct_navigation_query_slot){.sequence = s->sequence,
                                    .added_at = s->added_at,
                                    .spent = s->spent,
                                    .num_restarts = s->num_restarts,
                                    .num_crowds = s->num_crowds,
                                    .has_paid = s->has_paid != 0,
                                    .is_done = s->is_done};
    q->desc = (ct_navigation_path_desc){.from = s->from,
                                        .to = s->to,
                                        .reach = s->reach,
                                        .corner_radius = s->corner_radius,
                                        .max_polygons = s->max_polygons,
                                        .deadline = s->deadline,
                                        .allows_partial = s->allows_partial,
                                        .user = s->user};
    ct_navigation_query_set_filter(p, q, s->has_filter ? from->filter : NULL);
    ct_navigation_path answer = {.status = s->status,
                                 .length = s->length,
                                 .cost = s->cost,
                                 .num_corners = s->num_corners,
                                 .num_polygons = s->num_polygons,
                                 .num_looked_at = s->num_looked_at,
                                 .version = s->path_version};
    answer.corners = (ct_navigation_corner *)(uintptr_t)from->corners;
    answer.polygons = (ct_navigation_place *)(uintptr_t)from->polygons;
    ct_navigation_query_set_answer(p, q, &answer);
    ++p->num_live;
    p->num_deadlines += s->deadline && !s->is_done;
    p->has_ended |= !s->is_done && ct_navigation_paths_is_over(&q->desc, q->num_restarts);
    ct_array_push(s->is_done ? &p->answered.slots : &p->waiting.slots, s->slot);
    if (!s->is_searching || s->is_done)
        return;
    ct_navigation_paths_give_search(p, q);
    ct_navigation_paths_begin(p, q);
    ct_navigation_search_step(q->search, s->spent);
    q->search->version = s->path_version;
}

// Reads all; with `p`, adds what was read. `is_used` has a bit for each slot.
static bool read_all(reader *r, const saved_head *head, uint8_t *is_used, ct_navigation_paths *p) {
    const uint64_t count = (uint64_t)head->num_waiting + head->num_answered;
    uint64_t sequence = 0;
    for (uint64_t i = 0; i < count; ++i) {
        read_query q;
        const bool is_done = i >= head->num_waiting;
        if (i == head->num_waiting)
            sequence = 0;
        if (!get_query(r, head, is_done, &q) || q.saved.sequence <= sequence ||
            is_used[q.saved.slot])
            return false;
        sequence = q.saved.sequence;
        is_used[q.saved.slot] = 1;
        if (p)
            add_query(p, &q);
    }
    for (uint64_t i = count; i < head->num_slots; ++i) {
        uint32_t slot;
        if (!get_copy(r, &slot, sizeof(slot)) || slot >= head->num_slots || is_used[slot])
            return false;
        is_used[slot] = 1;
        if (p)
            ct_array_push(&p->free_slots, slot);
    }
    return r->at == r->count;
}

bool ct_navigation_paths_restore(ct_navigation_paths *p, const void *bytes, uint64_t num_bytes,
                                 ct_error *error) {
    saved_head head;
    reader r = {bytes, num_bytes, 0};
    if (!get_copy(&r, &head, sizeof(head)) || head.magic != MAGIC)
        return ct_error_set(error, "found no saved path queries");
    if (head.version != VERSION)
        return ct_error_set(error, "found saved path queries of version %u; expected %u",
                            head.version, VERSION);
    const uint64_t count = (uint64_t)head.num_waiting + head.num_answered;
    bool is_right = head.num_slots <= MAX_QUERIES && count <= head.num_slots &&
                    head.num_slots * sizeof(uint32_t) <= num_bytes;
    const uint64_t at = r.at;
    uint8_t *const is_used =
        is_right ? CT_NEW_ARRAY(p->allocator, uint8_t, head.num_slots + 1) : NULL;
    is_right = is_right && read_all(&r, &head, is_used, NULL);
    if (is_right) {
        ct_navigation_paths_clear(p);
        memset(is_used, 0, head.num_slots);
        ct_array_resize(&p->queries, head.num_slots);
        p->num_updates = head.num_updates;
        p->next_sequence = head.next_sequence;
        p->mesh_version = ct_navigation_mesh_version(p->mesh);
        p->crowd_hash = ct_navigation_crowd_hash(p->mesh);
        p->has_ended = false;
        r.at = at;
        read_all(&r, &head, is_used, p);
    }
    ct_free(p->allocator, is_used);
    return is_right || ct_error_set(error, "found damaged path queries");
}
