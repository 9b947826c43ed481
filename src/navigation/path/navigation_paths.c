// navigation_paths.c: queries that are searched over steps of the world (navigation_paths.h).
#include "navigation/path/navigation_paths.h"

#include <string.h>

enum {
    COST_OF_START = 16, // polygons that finding the ends counts as
    LEAST_SLICE = 32,
    GONE = UINT32_MAX,
};

// --- Life ----------------------------------------------------------------------------------------

ct_navigation_paths *ct_navigation_paths_create(const ct_navigation_paths_desc *desc) {
    ct_allocator *const a = desc->allocator;
    ct_navigation_paths *const p = CT_NEW(a, ct_navigation_paths);
    p->allocator = a;
    p->mesh = desc->mesh;
    p->tasks = desc->tasks;
    p->next_sequence = 1;
    p->mesh_version = ct_navigation_mesh_version(desc->mesh);
    ct_navigation_paths_set_budget(p, desc->budget);
    ct_array_init(&p->queries, a);
    ct_array_init(&p->free_slots, a);
    ct_array_init(&p->waiting.slots, a);
    ct_array_init(&p->answered.slots, a);
    ct_array_init(&p->free_searches, a);
    return p;
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
    ct_free_sized(p->allocator, p, sizeof(*p));
}

void ct_navigation_paths_set_budget(ct_navigation_paths *p, uint32_t budget) {
    const uint32_t wanted = budget ? budget : CT_NAVIGATION_BUDGET;
    p->budget = wanted < LEAST_SLICE ? LEAST_SLICE : wanted;
}

static void release_search(ct_navigation_paths *p, ct_navigation_query_slot *q) {
    if (q->search)
        ct_array_push(&p->free_searches, q->search);
    q->search = NULL;
}

void ct_navigation_paths_drop(ct_navigation_paths *p, uint32_t slot) {
    ct_navigation_query_slot *const q = &p->queries.items[slot];
    release_search(p, q);
    ct_free_sized(p->allocator, (void *)(uintptr_t)q->desc.filter, sizeof(*q->desc.filter));
    ct_free(p->allocator, q->answer.corners);
    ct_free(p->allocator, q->answer.polygons);
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
    if (desc->filter) {
        ct_navigation_filter *const filter = CT_NEW(p->allocator, ct_navigation_filter);
        *filter = *desc->filter;
        q->desc.filter = filter;
    }
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

ct_navigation_path ct_navigation_path_copy(ct_allocator *a, const ct_navigation_path *path) {
    ct_navigation_path copy = *path;
    copy.corners = NULL;
    copy.polygons = NULL;
    if (path->num_corners) {
        copy.corners = CT_NEW_ARRAY(a, ct_navigation_corner, path->num_corners);
        memcpy(copy.corners, path->corners, sizeof(*path->corners) * path->num_corners);
    }
    if (path->num_polygons) {
        copy.polygons = CT_NEW_ARRAY(a, ct_navigation_place, path->num_polygons);
        memcpy(copy.polygons, path->polygons, sizeof(*path->polygons) * path->num_polygons);
    }
    return copy;
}

static void answer(ct_navigation_paths *p, uint32_t slot, const ct_navigation_path *path) {
    ct_navigation_query_slot *const q = &p->queries.items[slot];
    q->answer = ct_navigation_path_copy(p->allocator, path);
    q->is_done = true;
    p->num_deadlines -= q->desc.deadline != 0;
    release_search(p, q);
    add_answered(p, slot);
}

// Searches that have looked at what changed start over, or end.
static void check_changes(ct_navigation_paths *p) {
    const uint64_t version = ct_navigation_mesh_version(p->mesh);
    if (version == p->mesh_version)
        return;
    p->mesh_version = version;
    for (uint32_t i = 0; i < p->waiting.slots.count; ++i) {
        const uint32_t slot = p->waiting.slots.items[i];
        ct_navigation_query_slot *const q = &p->queries.items[slot];
        if (!q->search || !q->has_begun || ct_navigation_search_is_valid(q->search))
            continue;
        q->has_begun = q->has_paid = false;
        q->replay = q->spent = 0;
        if (q->has_restarted) {
            answer(p, slot,
                   &(ct_navigation_path){.status = CT_NAVIGATION_OVER, .version = version});
            p->waiting.slots.items[i] = GONE;
        }
        q->has_restarted = true;
    }
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
            ct_navigation_search_begin(q->search, p->mesh, &q->desc);
            if (!q->has_paid)
                slice = slice > COST_OF_START ? slice - COST_OF_START : 1;
            if (q->replay)
                ct_navigation_search_step(q->search, q->replay);
            q->has_begun = true;
        }
        q->is_done = ct_navigation_search_step(q->search, slice);
        if (q->is_done) // pulls the string here, in parallel; the search keeps the arrays
            ct_navigation_search_finish(q->search, &q->answer);
    }
}

static void give_search(ct_navigation_paths *p, ct_navigation_query_slot *q) {
    if (!q->search)
        q->search = p->free_searches.count ? p->free_searches.items[--p->free_searches.count]
                                           : ct_navigation_search_create(p->allocator);
}

void ct_navigation_paths_replay(ct_navigation_paths *p) {
    p->mesh_version = ct_navigation_mesh_version(p->mesh);
    for (uint32_t i = 0; i < p->waiting.slots.count && i < CT_NAVIGATION_WINDOW; ++i) {
        ct_navigation_query_slot *const q = &p->queries.items[p->waiting.slots.items[i]];
        if (!q->replay)
            continue;
        give_search(p, q);
        ct_navigation_search_begin(q->search, p->mesh, &q->desc);
        ct_navigation_search_step(q->search, q->replay);
        q->has_begun = true;
        q->replay = 0;
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
        give_search(p, q);
        // What was looked at before it was saved is not counted again.
        before[i] = q->has_begun ? q->search->num_looked_at : UINT32_MAX;
    }
    if (p->tasks)
        ct_task_parallel_for(p->tasks, most, 1, advance, p);
    else
        advance(p, 0, most);
    uint32_t used = 0;
    for (uint32_t i = 0; i < most; ++i) {
        ct_navigation_query_slot *const q = &p->queries.items[p->window[i]];
        const uint32_t looked = q->search->num_looked_at;
        const bool is_new = before[i] == UINT32_MAX;
        used += is_new ? looked - q->replay : looked - before[i];
        used += q->has_paid ? 0 : COST_OF_START;
        q->has_paid = true;
        q->spent = looked;
        q->replay = 0;
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
