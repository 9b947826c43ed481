// task_graph.c: dependencies, and what is needed by what.
//
// Only tasks that wait for an open dependency stand in lists, so the one lock here is taken rarely.
// Walks go upwards, from a task to those that need it: to its parent, and to its dependents.
#include "foundation/task/task_private.h"

static uint32_t parent_of(const ct_task_manager *m, uint32_t slot) {
    return atomic_load_explicit(&m->slots[slot].parent, memory_order_acquire);
}

// --- Lists of dependents -------------------------------------------------------------------------

// Marks the slot as one with dependents; false when the task is done.
static bool mark_dependents(ct_task_slot *s, uint32_t generation) {
    uint64_t state = atomic_load(&s->state);
    do {
        if ((uint32_t)(state >> 32) != generation)
            return false;
    } while (!atomic_compare_exchange_weak(&s->state, &state, state | CT_TASK_HAS_DEPENDENTS));
    return true;
}

bool ct_task_block(ct_task_manager *m, uint32_t slot, ct_task_id dependency) {
    ct_task_slot *const s = &m->slots[ct_task_slot_of(dependency)];
    ct_mutex_lock(&m->graph_mutex);
    // Under the lock: who ends the dependency sees the mark and waits for the list.
    const bool is_blocked = mark_dependents(s, ct_task_generation_of(dependency));
    if (is_blocked) {
        m->slots[slot].next_dependent = s->first_dependent;
        s->first_dependent = slot;
    }
    ct_mutex_unlock(&m->graph_mutex);
    // What a thread inside a task waits for may need the dependency from now on.
    if (is_blocked)
        ct_task_notify_bound(m);
    return is_blocked;
}

uint32_t ct_task_take_dependents(ct_task_manager *m, uint32_t slot) {
    uint32_t list = 0;
    ct_mutex_lock(&m->graph_mutex);
    uint32_t next;
    for (uint32_t d = m->slots[slot].first_dependent; d; d = next) {
        next = m->slots[d].next_dependent;
        m->slots[d].next_dependent = list;
        list = d;
    }
    m->slots[slot].first_dependent = 0;
    ct_mutex_unlock(&m->graph_mutex);
    return list;
}

// --- Walks ---------------------------------------------------------------------------------------

static uint32_t next_mark(ct_task_manager *m) {
    if (++m->last_mark == 0) {
        for (uint32_t s = 1; s < CT_TASK_NUM_SLOTS; ++s)
            m->marks[s] = 0;
        m->last_mark = 1;
    }
    return m->last_mark;
}

static void visit(ct_task_manager *m, uint32_t slot, uint32_t mark, uint32_t *count) {
    if (slot && m->marks[slot] != mark) {
        m->marks[slot] = mark;
        m->walk[(*count)++] = slot;
    }
}

// Called with the lock, which keeps everything in lists open. From a slot whose task ends meanwhile
// the walk may go astray, but not on for ever: it visits each slot once.
static bool walk_up(ct_task_manager *m, uint32_t slot, uint32_t by, bool with_sleepers) {
    const uint32_t mark = next_mark(m);
    uint32_t count = 0;
    m->walk[count++] = slot;
    m->marks[slot] = mark;
    while (count) {
        const uint32_t s = m->walk[--count];
        if (s == by)
            return true;
        visit(m, parent_of(m, s), mark, &count);
        for (uint32_t d = m->slots[s].first_dependent; d; d = m->slots[d].next_dependent)
            visit(m, d, mark, &count);
        const ct_task_id id = ct_task_make_id(s, ct_task_generation(&m->slots[s]));
        for (const ct_task_asleep *a = with_sleepers ? m->first_asleep : NULL; a; a = a->next)
            visit(m, a->task.value == id.value ? a->by : 0, mark, &count);
    }
    return false;
}

bool ct_task_is_needed(ct_task_manager *m, uint32_t slot, uint32_t by) {
    // Mostly `by` is an ancestor, or no list is involved: that takes no lock.
    uint64_t flags = 0;
    uint32_t num_steps = 0;
    for (uint32_t s = slot; s && num_steps < CT_TASK_NUM_SLOTS; s = parent_of(m, s), ++num_steps) {
        if (s == by)
            return true;
        flags |= atomic_load(&m->slots[s].state);
    }
    if (!(flags & CT_TASK_HAS_DEPENDENTS))
        return false;
    ct_mutex_lock(&m->graph_mutex);
    const bool is_needed = walk_up(m, slot, by, false);
    ct_mutex_unlock(&m->graph_mutex);
    return is_needed;
}

void ct_task_assert_no_cycle(ct_task_manager *m, const char *name, uint32_t parent,
                             ct_task_id dependency) {
    const uint32_t slot = ct_task_slot_of(dependency);
    for (uint32_t a = parent; a; a = parent_of(m, a))
        CT_ASSERT(a != slot, "the task %s depends on its ancestor %s", name, m->slots[a].name);
#ifdef CT_BUILD_DEV
    const bool is_cycle = parent && ct_task_is_needed(m, parent, slot);
    // Done meanwhile, it may be another task that was found.
    CT_ASSERT(!is_cycle || ct_task_is_done(m, dependency),
              "the task %s depends on %s, which needs it: a cycle", name, m->slots[slot].name);
#endif
}

// --- Tasks that sleep ----------------------------------------------------------------------------

void ct_task_begin_asleep(ct_task_manager *m, ct_task_asleep *a) {
    const uint32_t slot = ct_task_slot_of(a->task);
    ct_mutex_lock(&m->graph_mutex);
    a->previous = NULL;
    a->next = m->first_asleep;
    if (a->next)
        a->next->previous = a;
    m->first_asleep = a;
    const bool is_cycle = walk_up(m, a->by, slot, true);
    ct_mutex_unlock(&m->graph_mutex);
    // Done meanwhile, it may be another task that was found.
    CT_ASSERT(!is_cycle || ct_task_is_done(m, a->task),
              "the task %s waits for %s, which waits for it on another thread: a cycle",
              m->slots[a->by].name, m->slots[slot].name);
}

void ct_task_end_asleep(ct_task_manager *m, ct_task_asleep *a) {
    ct_mutex_lock(&m->graph_mutex);
    if (a->previous)
        a->previous->next = a->next;
    else
        m->first_asleep = a->next;
    if (a->next)
        a->next->previous = a->previous;
    ct_mutex_unlock(&m->graph_mutex);
}

// --- Reports -------------------------------------------------------------------------------------

// Tasks of one kind: how many, and the name of one.
typedef struct census {
    uint32_t count;
    const char *name;
} census;

static void count_in(census *c, const ct_task_slot *s) {
    ++c->count;
    c->name = s->name;
}

void ct_task_report_full(ct_task_manager *m, const char *name) {
    census ready = {.name = "none"}, by_hand = ready, blocked = ready, dependency = ready;
    // Other threads go on: the numbers may be a little off.
    ct_mutex_lock(&m->graph_mutex);
    for (uint32_t i = 1; i < m->first_unused; ++i) {
        const ct_task_slot *const s = &m->slots[i];
        if (atomic_load(&s->ready))
            count_in(&ready, s);
        if (atomic_load(&s->traits) & CT_TASK_IS_BY_HAND)
            count_in(&by_hand, s);
        if (s->first_dependent)
            count_in(&dependency, s);
        for (uint32_t d = s->first_dependent; d; d = m->slots[d].next_dependent)
            count_in(&blocked, &m->slots[d]);
    }
    ct_mutex_unlock(&m->graph_mutex);
    CT_REQUIRE(false,
               "too many open tasks to add %s, and no task has ended for about a second: %u are "
               "ready (such as %s), %u were opened and not completed (such as %s), %u (such as "
               "%s) depend on %u (such as %s)",
               name ? name : "", ready.count, ready.name, by_hand.count, by_hand.name,
               blocked.count, blocked.name, dependency.count, dependency.name);
}
