// navigation_paths.c: queries that are searched over steps of the world (navigation_paths.h).
#include "navigation/path/navigation_paths.h"

#include <string.h>

enum {
    COST_OF_START = 16, // polygons that finding the ends counts as
    LEAST_SLICE = 32,
};
#define GONE UINT32_MAX // a slot of a list that was taken

// --- Life ----------------------------------------------------------------------------------------

ct_navigation_paths *ct_navigation_paths_create(const ct_navigation_paths_desc *desc) {
    ct_allocator *const a = desc->allocator;
    ct_navigation_paths *const p = CT_NEW(a, ct_navigation_paths);
    p->allocator = a;
    p->mesh = desc->mesh;
    p->tasks = desc->tasks;
    p->next_sequence = 1;
    p->mesh_version = ct_navigation_mesh_version(desc->mesh);
    p->crowd_hash = ct_navigation_crowd_hash(desc->mesh);
    ct_navigation_paths_set_budget(p, desc->budget);
    ct_array_init(&p->queries, a);
    ct_array_init(&p->free_slots, a);
    ct_array_init(&p->waiting.slots, a);
    ct_array_init(&p->answered.slots, a);
    ct_array_init(&p->free_searches, a);
    ct_array_init(&p->free_memory, a);
    return p;
}

static void free_memory(const ct_navigation_paths *p, ct_navigation_query_memory *m) {
    ct_free_sized(p->allocator, m->filter, sizeof(*m->filter));
    ct_free(p->allocator, m->corners);
    ct_free(p->allocator, m->polygons);
}

void ct_navigation_paths_destroy(ct_navigation_paths *p) {
    if (!p)
        return;
    ct_navigation_paths_clear(p);
    for (uint32_t i = 0; i < p->free_searches.count; ++i)
        ct_navigation_search_destroy(p->free_searches.items[i]);
    ct_array_free(&p->queries);
    ct_array_free(&p->free_slots);
    ct_array_free(&p->waiting.slots);
    ct_array_free(&p->answered.slots);
    ct_array_free(&p->free_searches);
    for (uint32_t i = 0; i < p->free_memory.count; ++i)
        free_memory(p, &p->free_memory.items[i]);
    ct_array_free(&p->free_memory);
    ct_free_sized(p->allocator, p, sizeof(*p));
}

void ct_navigation_paths_set_budget(ct_navigation_paths *p, uint32_t budget) {
    const uint32_t wanted = budget ? budget : CT_NAVIGATION_BUDGET;
    p->budget = wanted < LEAST_SLICE ? LEAST_SLICE : wanted;
}

void ct_navigation_paths_give_search(ct_navigation_paths *p, ct_navigation_query_slot *q) {
    if (!q->search)
        q->search = p->free_searches.count ? p->free_searches.items[--p->free_searches.count]
                                           : ct_navigation_search_create(p->allocator);
}

static void release_search(ct_navigation_paths *p, ct_navigation_query_slot *q) {
    if (q->search)
        ct_array_push(&p->free_searches, q->search);
    q->search = NULL;
}

void ct_navigation_paths_drop(ct_navigation_paths *p, uint32_t slot) {
    ct_navigation_query_slot *const q = &p->queries.items[slot];
    release_search(p, q);
    if (p->free_memory.count < CT_NAVIGATION_KEPT_MEMORY)
        ct_array_push(&p->free_memory, q->memory);
    else
        free_memory(p, &q->memory);
    p->num_deadlines -= q->desc.deadline && !q->is_done;
    memset(q, 0, sizeof(*q));
    ct_array_push(&p->free_slots, slot);
    --p->num_live;
}

void ct_navigation_paths_clear(ct_navigation_paths *p) {
    for (uint32_t i = 0; i < p->queries.count; ++i)
        if (p->queries.items[i].sequence)
            ct_navigation_paths_drop(p, i);
    p->queries.count = p->free_slots.count = 0;
    p->waiting.slots.count = p->waiting.first = 0;
    p->answered.slots.count = p->answered.first = 0;
}

// --- Memory of queries ---------------------------------------------------------------------------

// The next power of two, from 32 on.
static uint32_t room_for(uint32_t count) {
    uint32_t room = 32;
    while (room < count)
        room *= 2;
    return room;
}

void ct_navigation_query_set_filter(ct_navigation_paths *p, ct_navigation_query_slot *q,
                                    const ct_navigation_filter *filter) {
    q->desc.filter = NULL;
    if (!filter)
        return;
    if (!q->memory.filter)
        q->memory.filter = CT_NEW(p->allocator, ct_navigation_filter);
    memcpy(q->memory.filter, filter, sizeof(*filter));
    q->desc.filter = q->memory.filter;
}

void ct_navigation_query_set_answer(ct_navigation_paths *p, ct_navigation_query_slot *q,
                                    const ct_navigation_path *path) {
    ct_navigation_query_memory *const m = &q->memory;
    if (path->num_corners > m->max_corners) {
        ct_free(p->allocator, m->corners);
        m->max_corners = room_for(path->num_corners);
        m->corners = CT_NEW_ARRAY(p->allocator, ct_navigation_corner, m->max_corners);
    }
    if (path->num_polygons > m->max_polygons) {
        ct_free(p->allocator, m->polygons);
        m->max_polygons = room_for(path->num_polygons);
        m->polygons = CT_NEW_ARRAY(p->allocator, ct_navigation_place, m->max_polygons);
    }
    if (path->num_corners)
        memcpy(m->corners, path->corners, sizeof(*path->corners) * path->num_corners);
    if (path->num_polygons)
        memcpy(m->polygons, path->polygons, sizeof(*path->polygons) * path->num_polygons);
    q->answer = *path;
    q->answer.corners = path->num_corners ? m->corners : NULL;
    q->answer.polygons = path->num_polygons ? m->polygons : NULL;
}

// --- Lists ---------------------------------------------------------------------------------------

static void list_remove(ct_navigation_slots *list, uint32_t slot) {
    for (uint32_t i = list->first; i < list->slots.count; ++i)
        if (list->slots.items[i] == slot) {
            list->slots.items[i] = GONE;
            break;
        }
    while (list->first < list->slots.count && list->slots.items[list->first] == GONE)
        ++list->first;
    if (list->first == list->slots.count)
        list->first = list->slots.count = 0;
}

static void list_compact(ct_navigation_slots *list) {
    uint32_t kept = 0;
    for (uint32_t i = list->first; i < list->slots.count; ++i)
        if (list->slots.items[i] != GONE)
            list->slots.items[kept++] = list->slots.items[i];
    list->first = 0;
    list->slots.count = kept;
}

// Keeps the order in which queries were added.
static void add_answered(ct_navigation_paths *p, uint32_t slot) {
    const uint64_t sequence = p->queries.items[slot].sequence;
    ct_array_push(&p->answered.slots, slot);
    uint32_t at = p->answered.slots.count - 1;
    for (; at > p->answered.first; --at) {
        const uint32_t before = p->answered.slots.items[at - 1];
        if (before != GONE && p->queries.items[before].sequence < sequence)
            break;
        p->answered.slots.items[at] = before;
    }
    p->answered.slots.items[at] = slot;
}

// --- Queries -------------------------------------------------------------------------------------

static uint32_t slot_of(const ct_navigation_paths *p, ct_navigation_query q) {
    const uint32_t slot = q.id - 1; // wraps at 0
    return slot < p->queries.count && p->queries.items[slot].sequence ? slot : GONE;
}

ct_navigation_query ct_navigation_paths_add(ct_navigation_paths *p,
                                            const ct_navigation_path_desc *desc) {
    uint32_t slot = p->queries.count;
    if (p->free_slots.count)
        slot = p->free_slots.items[--p->free_slots.count];
    else
        ct_array_resize(&p->queries, slot + 1);
    ct_navigation_query_slot *const q = &p->queries.items[slot];
    *q = (ct_navigation_query_slot){
        .desc = *desc, .sequence = p->next_sequence++, .added_at = p->num_updates};
    if (p->free_memory.count)
        q->memory = p->free_memory.items[--p->free_memory.count];
    ct_navigation_query_set_filter(p, q, desc->filter);
    p->num_deadlines += desc->deadline != 0;
    ++p->num_live;
    ct_array_push(&p->waiting.slots, slot);
    return (ct_navigation_query){slot + 1};
}

void ct_navigation_paths_take(ct_navigation_paths *p, ct_navigation_query query) {
    const uint32_t slot = slot_of(p, query);
    if (slot == GONE)
        return;
    ct_navigation_slots *const list = p->queries.items[slot].is_done ? &p->answered : &p->waiting;
    list_remove(list, slot);
    ct_navigation_paths_drop(p, slot);
}

void ct_navigation_paths_cancel(ct_navigation_paths *p, ct_navigation_query query) {
    ct_navigation_paths_take(p, query);
}

uint32_t ct_navigation_paths_answered(const ct_navigation_paths *p, ct_navigation_query *queries,
                                      uint32_t max) {
    uint32_t count = 0;
    for (uint32_t i = p->answered.first; i < p->answered.slots.count && count < max; ++i)
        if (p->answered.slots.items[i] != GONE)
            queries[count++] = (ct_navigation_query){p->answered.slots.items[i] + 1};
    return count;
}

const ct_navigation_path *ct_navigation_paths_answer(const ct_navigation_paths *p,
                                                     ct_navigation_query query, uint32_t *user) {
    static const ct_navigation_path waiting = {.status = CT_NAVIGATION_WAITING};
    const uint32_t slot = slot_of(p, query);
    if (user)
        *user = slot == GONE ? 0 : p->queries.items[slot].desc.user;
    if (slot == GONE)
        return &waiting;
    return &p->queries.items[slot].answer;
}

uint32_t ct_navigation_paths_count(const ct_navigation_paths *p) {
    return p->num_live;
}

// --- Steps ---------------------------------------------------------------------------------------

static void answer(ct_navigation_paths *p, uint32_t slot, const ct_navigation_path *path) {
    ct_navigation_query_slot *const q = &p->queries.items[slot];
    ct_navigation_query_set_answer(p, q, path);
    q->is_done = true;
    p->num_deadlines -= q->desc.deadline != 0;
    release_search(p, q);
    add_answered(p, slot);
}

// --- Changes -------------------------------------------------------------------------------------

ct_navigation_change ct_navigation_paths_change(const ct_navigation_paths *p,
                                                const ct_navigation_query_slot *q) {
    if (!q->search || !q->has_begun)
        return CT_NAVIGATION_CHANGE_NONE;
    if (ct_navigation_mesh_version(p->mesh) != p->mesh_version &&
        !ct_navigation_search_is_valid(q->search))
        return CT_NAVIGATION_CHANGE_MESH;
    const bool is_new_crowd = ct_navigation_crowd_hash(p->mesh) != p->crowd_hash;
    return is_new_crowd && !q->search->ignores_crowd ? CT_NAVIGATION_CHANGE_CROWD
                                                     : CT_NAVIGATION_CHANGE_NONE;
}

bool ct_navigation_paths_is_over(const ct_navigation_path_desc *desc, uint32_t num_restarts) {
    return num_restarts > (desc->allows_partial ? (uint32_t)CT_NAVIGATION_MOST_RESTARTS
                                                : CT_NAVIGATION_MOST_RESTARTS - 1u);
}

void ct_navigation_paths_begin(ct_navigation_paths *p, ct_navigation_query_slot *q) {
    ct_navigation_path_desc desc = q->desc;
    const uint32_t most = desc.max_polygons;
    if (q->num_restarts >= CT_NAVIGATION_MOST_RESTARTS &&
        (most == 0 || most > CT_NAVIGATION_LAST_TRY))
        desc.max_polygons = CT_NAVIGATION_LAST_TRY;
    ct_navigation_search_begin(q->search, p->mesh, &desc);
    q->search->ignores_crowd = q->num_crowds >= CT_NAVIGATION_MOST_CROWDS;
    q->has_begun = true;
}

// Searches that have seen what changed start over, or end.
static void check_changes(ct_navigation_paths *p) {
    const uint64_t version = ct_navigation_mesh_version(p->mesh);
    const uint64_t crowd = ct_navigation_crowd_hash(p->mesh);
    if (version == p->mesh_version && crowd == p->crowd_hash && !p->has_ended)
        return;
    for (uint32_t i = 0; i < p->waiting.slots.count; ++i) {
        const uint32_t slot = p->waiting.slots.items[i];
        ct_navigation_query_slot *const q = &p->queries.items[slot];
        const ct_navigation_change change = ct_navigation_paths_change(p, q);
        if (change != CT_NAVIGATION_CHANGE_NONE) {
            q->has_begun = q->has_paid = false;
            q->spent = 0;
        }
        q->num_restarts += change == CT_NAVIGATION_CHANGE_MESH;
        q->num_crowds += change == CT_NAVIGATION_CHANGE_CROWD;
        if (!ct_navigation_paths_is_over(&q->desc, q->num_restarts))
            continue;
        answer(p, slot, &(ct_navigation_path){.status = CT_NAVIGATION_OVER, .version = version});
        p->waiting.slots.items[i] = GONE;
    }
    p->mesh_version = version;
    p->crowd_hash = crowd;
    p->has_ended = false;
    list_compact(&p->waiting);
}

static void check_deadlines(ct_navigation_paths *p) {
    for (uint32_t i = 0; p->num_deadlines && i < p->waiting.slots.count; ++i) {
        const uint32_t slot = p->waiting.slots.items[i];
        ct_navigation_query_slot *const q = &p->queries.items[slot];
        if (!q->desc.deadline || p->num_updates - q->added_at < q->desc.deadline)
            continue;
        ct_navigation_path path = {.status = CT_NAVIGATION_OVER, .version = p->mesh_version};
        if (q->search && q->has_begun)
            ct_navigation_search_finish(q->search, &path);
        answer(p, slot, &path);
        p->waiting.slots.items[i] = GONE;
    }
    list_compact(&p->waiting);
}

// Advances queries of the window. Only searches and slots of their own are written.
static void advance(void *data, uint32_t begin, uint32_t end) {
    ct_navigation_paths *const p = data;
    for (uint32_t i = begin; i < end; ++i) {
        ct_navigation_query_slot *const q = &p->queries.items[p->window[i]];
        uint32_t slice = p->slice;
        if (!q->has_begun) {
            ct_navigation_paths_begin(p, q);
            if (!q->has_paid)
                slice = slice > COST_OF_START ? slice - COST_OF_START : 1;
        }
        q->is_done = ct_navigation_search_step(q->search, slice);
        if (q->is_done) // pulls the string here, in parallel; the search keeps the arrays
            ct_navigation_search_finish(q->search, &q->answer);
    }
}

// Returns how much of the budget was used.
static uint32_t run_round(ct_navigation_paths *p, uint32_t rest) {
    const uint32_t fits = rest / LEAST_SLICE;
    uint32_t most = p->waiting.slots.count < CT_NAVIGATION_WINDOW ? p->waiting.slots.count
                                                                  : CT_NAVIGATION_WINDOW;
    most = most < fits ? most : fits;
    uint32_t before[CT_NAVIGATION_WINDOW];
    p->num_window = most;
    p->slice = most ? rest / most : 0;
    for (uint32_t i = 0; i < most; ++i) {
        const uint32_t slot = p->window[i] = p->waiting.slots.items[i];
        ct_navigation_query_slot *const q = &p->queries.items[slot];
        ct_navigation_paths_give_search(p, q);
        before[i] = q->has_begun ? q->search->num_looked_at : 0;
    }
    if (p->tasks)
        ct_task_parallel_for(p->tasks, most, 1, advance, p);
    else
        advance(p, 0, most);
    uint32_t used = 0;
    for (uint32_t i = 0; i < most; ++i) {
        ct_navigation_query_slot *const q = &p->queries.items[p->window[i]];
        const uint32_t looked = q->search->num_looked_at;
        used += looked - before[i] + (q->has_paid ? 0u : COST_OF_START);
        q->has_paid = true;
        q->spent = looked;
        if (!q->is_done)
            continue;
        const ct_navigation_path path = q->answer;
        answer(p, p->window[i], &path);
        p->waiting.slots.items[i] = GONE;
    }
    list_compact(&p->waiting);
    return used;
}

void ct_navigation_paths_update(ct_navigation_paths *p) {
    ++p->num_updates;
    list_compact(&p->waiting);
    check_changes(p);
    uint32_t rest = p->budget;
    while (p->waiting.slots.count && rest >= LEAST_SLICE) {
        const uint32_t used = run_round(p, rest);
        rest -= used < rest ? used : rest;
    }
    check_deadlines(p);
}
