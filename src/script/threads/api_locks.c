#include "script/threads/api_locks.h"

#include <stdio.h>
#include <string.h>

#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/os/os.h"

enum { NUM_UNIT_LISTS = 256, NUM_LISTS = NUM_UNIT_LISTS + 1, BROAD = NUM_UNIT_LISTS };
enum { MAX_ORDERS = 1024, MAX_NOTED = 8 };

// That one lock was taken while another was held.
typedef struct order {
    char owner[CT_API_LOCK_NAME_BYTES];
    char first_place[CT_API_LOCK_PLACE_BYTES], second_place[CT_API_LOCK_PLACE_BYTES];
} order;

struct ct_api_locks {
    ct_allocator *allocator;
    const char *const *api_names;
    uint32_t num_apis;
    void (*wake)(void *user, ct_api_lock *lock);
    void *user;
    ct_mutex mutex; // for all below
    ct_api_lock *lists[NUM_LISTS];
    ct_api_lock *first_waiting, *last_waiting; // by ticket
    ct_api_lock *first_free;
    CT_ARRAY(ct_api_lock *) blocks; // of memory, to free
    uint32_t count, num_unit_locks, num_waiting, mark;
    uint64_t last_ticket;
    ct_api_lock_counts counts[CT_API_LOCK_MAX_APIS];
    CT_ARRAY(order) orders;
    ct_hash_map order_places; // from a pair of scopes to its place from 1
    uint8_t is_warned[CT_API_LOCK_MAX_APIS][CT_API_LOCK_MAX_APIS];
};

// --- Memory --------------------------------------------------------------------------------------

enum { BLOCK = 64 };

ct_api_locks *ct_api_locks_create(const ct_api_locks_desc *desc) {
    CT_ASSERT(desc->num_apis <= CT_API_LOCK_MAX_APIS, "%u APIs are too many", desc->num_apis);
    ct_api_locks *const t = CT_NEW(desc->allocator, ct_api_locks);
    t->allocator = desc->allocator;
    t->api_names = desc->api_names;
    t->num_apis = desc->num_apis;
    t->wake = desc->wake;
    t->user = desc->user;
    ct_mutex_init(&t->mutex);
    ct_array_init(&t->blocks, t->allocator);
    ct_array_init(&t->orders, t->allocator);
    ct_hash_map_init(&t->order_places, t->allocator);
    return t;
}

void ct_api_locks_destroy(ct_api_locks *t) {
    if (!t)
        return;
    CT_ASSERT(t->count == 0, "%u locks are held", t->count);
    for (uint32_t i = 0; i < t->blocks.count; ++i)
        ct_free_sized(t->allocator, t->blocks.items[i], sizeof(ct_api_lock) * BLOCK);
    ct_array_free(&t->blocks);
    ct_array_free(&t->orders);
    ct_hash_map_free(&t->order_places);
    ct_mutex_shutdown(&t->mutex);
    ct_free_sized(t->allocator, t, sizeof(*t));
}

static ct_api_lock *take_memory(ct_api_locks *t) {
    if (!t->first_free) {
        ct_api_lock *const block = CT_NEW_ARRAY(t->allocator, ct_api_lock, BLOCK);
        ct_array_push(&t->blocks, block);
        for (uint32_t i = 0; i < BLOCK; ++i) {
            block[i].next = t->first_free;
            t->first_free = &block[i];
        }
    }
    ct_api_lock *const lock = t->first_free;
    t->first_free = lock->next;
    return lock;
}

static uint32_t list_of(ct_api_scope scope) {
    return scope.unit ? (scope.unit * 0x9e3779b9u) >> 24 : BROAD;
}

static void link_lock(ct_api_locks *t, ct_api_lock *lock) {
    ct_api_lock **const list = &t->lists[list_of(lock->scope)];
    lock->previous = NULL;
    lock->next = *list;
    if (*list)
        (*list)->previous = lock;
    *list = lock;
    lock->previous_of_owner = NULL;
    lock->next_of_owner = lock->owner->first;
    if (lock->next_of_owner)
        lock->next_of_owner->previous_of_owner = lock;
    lock->owner->first = lock;
    t->num_unit_locks += lock->scope.unit != 0;
    ++t->count;
}

static void unlink_lock(ct_api_locks *t, ct_api_lock *lock) {
    if (lock->previous)
        lock->previous->next = lock->next;
    else
        t->lists[list_of(lock->scope)] = lock->next;
    if (lock->next)
        lock->next->previous = lock->previous;
    if (lock->previous_of_owner)
        lock->previous_of_owner->next_of_owner = lock->next_of_owner;
    else
        lock->owner->first = lock->next_of_owner;
    if (lock->next_of_owner)
        lock->next_of_owner->previous_of_owner = lock->previous_of_owner;
    --t->count;
    t->num_unit_locks -= lock->scope.unit != 0;
    lock->next = t->first_free;
    t->first_free = lock;
}

// --- Conflicts -----------------------------------------------------------------------------------

static bool contains(ct_api_scope outer, ct_api_scope inner) {
    return outer.domain == inner.domain && (outer.world == 0 || outer.world == inner.world) &&
           (outer.unit == 0 || outer.unit == inner.unit);
}

static bool overlap(ct_api_scope x, ct_api_scope y) {
    return contains(x, y) || contains(y, x);
}

static bool conflict(const ct_api_lock *x, const ct_api_lock *y) {
    return x->owner != y->owner &&
           (x->mode == CT_API_LOCK_MODE_WRITE || y->mode == CT_API_LOCK_MODE_WRITE) &&
           overlap(x->scope, y->scope);
}

// Whether its owner must wait for `other` before it can have `lock`. Those in line count unless the
// owner has part of the scope: they wait for that.
static bool waits_for(const ct_api_lock *lock, const ct_api_lock *other, bool passes_line) {
    if (other == lock || !conflict(lock, other))
        return false;
    return !other->is_waiting || (!passes_line && other->ticket < lock->ticket);
}

static bool has_part(const ct_api_lock *lock) {
    for (const ct_api_lock *own = lock->owner->first; own; own = own->next_of_owner) {
        if (own != lock && !own->is_waiting && overlap(own->scope, lock->scope))
            return true;
    }
    return false;
}

// The first lock from `at` in list `list` that `lock` waits for.
static ct_api_lock *next_obstacle(const ct_api_lock *lock, ct_api_lock *at, bool passes_line) {
    while (at && !waits_for(lock, at, passes_line))
        at = at->next;
    return at;
}

// Calls `visit` with each lock that `lock` waits for, until it returns true; returns whether it did.
static bool each_obstacle(ct_api_locks *t, const ct_api_lock *lock,
                          bool (*visit)(void *user, ct_api_lock *other), void *user) {
    const bool passes_line = t->num_waiting > 0 && has_part(lock);
    const uint32_t own = list_of(lock->scope);
    const uint32_t first = t->num_unit_locks ? 0 : (uint32_t)BROAD;
    for (uint32_t list = own == BROAD ? first : own; list < NUM_LISTS;
         list = own == BROAD || list == BROAD ? list + 1 : BROAD) {
        ct_api_lock *at = t->lists[list];
        while ((at = next_obstacle(lock, at, passes_line))) {
            if (visit(user, at))
                return true;
            at = at->next;
        }
    }
    return false;
}

static bool stop(void *user, ct_api_lock *other) {
    (void)user, (void)other;
    return true;
}

static bool is_covered(const ct_api_lock *lock) {
    for (const ct_api_lock *own = lock->owner->first; own; own = own->next_of_owner) {
        if (own != lock && !own->is_waiting && own->mode >= lock->mode &&
            contains(own->scope, lock->scope))
            return true;
    }
    return false;
}

// --- Deadlocks -----------------------------------------------------------------------------------

// A search, along those that wait, for the owner that began it. Each step is on the stack of the one
// before: a chain is as long as there are jobs.
typedef struct search {
    ct_api_locks *table;
    const ct_api_lock_owner *wanted;
    const ct_api_lock *from;    // that waits
    const struct search *above; // the step before
    const ct_api_lock *held;    // what this step found: the lock that `from` waits for
    ct_string_builder *error;
} search;

static const char *mode_name(const ct_api_lock *lock) {
    return lock->mode == CT_API_LOCK_MODE_WRITE ? "write" : "read";
}

static void add_step(const search *s) {
    if (s->above)
        add_step(s->above);
    ct_string_builder_addf(
        s->error, "%s\"%s\" (%s) waits at %s to %s %s, which \"%s\" %s since %s to %s",
        s->above ? "; " : "", s->from->owner->name, s->table->api_names[s->from->api],
        s->from->place, mode_name(s->from), s->table->api_names[s->held->api], s->held->owner->name,
        s->held->is_waiting ? "has waited for" : "has held", s->held->place, mode_name(s->held));
}

static bool visit_obstacle(void *user, ct_api_lock *other) {
    search *const s = user;
    s->held = other;
    if (other->owner == s->wanted) {
        ct_string_builder_add(s->error, "deadlock: ");
        add_step(s);
        return true;
    }
    if (other->owner->mark == s->table->mark || !other->owner->waiting)
        return false;
    other->owner->mark = s->table->mark;
    search next = {.table = s->table,
                   .wanted = s->wanted,
                   .from = other->owner->waiting,
                   .above = s,
                   .error = s->error};
    return each_obstacle(s->table, next.from, visit_obstacle, &next);
}

static bool would_deadlock(ct_api_locks *t, ct_api_lock *lock, ct_string_builder *error) {
    ++t->mark;
    lock->is_waiting = true; // behind all others
    lock->owner->mark = t->mark;
    search first = {.table = t, .wanted = lock->owner, .from = lock, .error = error};
    return each_obstacle(t, lock, visit_obstacle, &first);
}

// --- Order ---------------------------------------------------------------------------------------

static uint64_t hash_of(ct_api_scope s) {
    uint64_t h = (s.world ^ s.world >> 29) * UINT64_C(0x9e3779b97f4a7c15);
    h ^= ((uint64_t)s.unit << 8 | s.domain) * UINT64_C(0xbf58476d1ce4e5b9);
    return h ^ h >> 31;
}

static uint64_t pair_of(const ct_api_lock *first, const ct_api_lock *second) {
    return hash_of(first->scope) * UINT64_C(0x94d049bb133111eb) + hash_of(second->scope);
}

static void warn_of_order(ct_api_locks *t, const ct_api_lock *first, const ct_api_lock *second,
                          const order *other) {
    if (t->is_warned[first->api][second->api])
        return;
    t->is_warned[first->api][second->api] = t->is_warned[second->api][first->api] = true;
    ct_log_warning("lua_threads", "lock_order",
                   "\"%s\" locks %s (%s) and then %s (%s), but \"%s\" locked them the other way "
                   "round (%s, %s); jobs that do can wait for each other: lock in one order",
                   first->owner->name, t->api_names[first->api], first->place,
                   t->api_names[second->api], second->place, other->owner, other->first_place,
                   other->second_place);
}

static void note_order(ct_api_locks *t, const ct_api_lock *first, const ct_api_lock *second) {
    const uint64_t *const reverse = ct_hash_map_find(&t->order_places, pair_of(second, first));
    if (reverse)
        warn_of_order(t, first, second, &t->orders.items[*reverse - 1]);
    const uint64_t pair = pair_of(first, second);
    if (ct_hash_map_find(&t->order_places, pair))
        return;
    if (t->orders.count == MAX_ORDERS) { // old ones are forgotten
        ct_hash_map_clear(&t->order_places);
        t->orders.count = 0;
    }
    order o;
    memcpy(o.owner, first->owner->name, sizeof(o.owner));
    memcpy(o.first_place, first->place, sizeof(o.first_place));
    memcpy(o.second_place, second->place, sizeof(o.second_place));
    ct_array_push(&t->orders, o);
    ct_hash_map_set(&t->order_places, pair, t->orders.count);
}

// Those that were taken last are enough: each was noted after those before it.
static void note_orders(ct_api_locks *t, const ct_api_lock *lock) {
    uint32_t count = 0;
    for (const ct_api_lock *own = lock->next_of_owner; own && count < MAX_NOTED;
         own = own->next_of_owner, ++count) {
        if (!overlap(own->scope, lock->scope))
            note_order(t, own, lock);
    }
}

// --- Waiting -------------------------------------------------------------------------------------

static void add_waiting(ct_api_locks *t, ct_api_lock *lock) {
    lock->is_waiting = true;
    lock->asked_ns = ct_os_time_ns();
    lock->next_waiting = NULL;
    if (t->last_waiting)
        t->last_waiting->next_waiting = lock;
    else
        t->first_waiting = lock;
    t->last_waiting = lock;
    lock->owner->waiting = lock;
    ++t->num_waiting;
    ++t->counts[lock->api].num_waited;
}

// Takes a lock out of the line; `before` is the one in front of it, or NULL.
static void drop_waiting(ct_api_locks *t, ct_api_lock *before, ct_api_lock *lock) {
    if (before)
        before->next_waiting = lock->next_waiting;
    else
        t->first_waiting = lock->next_waiting;
    if (t->last_waiting == lock)
        t->last_waiting = before;
    lock->is_waiting = false;
    lock->owner->waiting = NULL;
    --t->num_waiting;
}

// Gives those in line, from the first on, what they can have now.
static void give_to_waiting(ct_api_locks *t) {
    ct_api_lock *before = NULL;
    for (ct_api_lock *lock = t->first_waiting; lock;) {
        ct_api_lock *const next = lock->next_waiting;
        if (each_obstacle(t, lock, stop, NULL)) {
            before = lock;
        } else {
            drop_waiting(t, before, lock);
            t->counts[lock->api].waited_ns += ct_os_time_ns() - lock->asked_ns;
            ++t->counts[lock->api].num_taken;
            t->wake(t->user, lock);
        }
        lock = next;
    }
}

// --- Taking and giving ---------------------------------------------------------------------------

static ct_api_lock_result take(ct_api_locks *t, ct_api_lock *lock, bool may_wait,
                               ct_string_builder *error) {
    if (lock->next_of_owner)
        note_orders(t, lock);
    if (!each_obstacle(t, lock, stop, NULL) || is_covered(lock)) {
        ++t->counts[lock->api].num_taken;
        return CT_API_LOCK_RESULT_TAKEN;
    }
    if (would_deadlock(t, lock, error)) {
        ++t->counts[lock->api].num_deadlocks;
        unlink_lock(t, lock);
        return CT_API_LOCK_RESULT_DEADLOCK;
    }
    if (!may_wait) {
        unlink_lock(t, lock);
        return CT_API_LOCK_RESULT_REFUSED;
    }
    add_waiting(t, lock);
    return CT_API_LOCK_RESULT_WAITING;
}

ct_api_lock_result ct_api_locks_take(ct_api_locks *t, ct_api_lock_owner *owner, uint32_t api,
                                     ct_api_scope scope, ct_api_lock_mode mode, const char *place,
                                     bool may_wait, ct_api_lock **lock, ct_string_builder *error) {
    CT_ASSERT(!owner->waiting, "%s waits already", owner->name);
    ct_mutex_lock(&t->mutex);
    ct_api_lock *const l = take_memory(t);
    l->scope = scope;
    l->mode = mode;
    l->api = api;
    l->is_waiting = false;
    l->owner = owner;
    l->ticket = ++t->last_ticket;
    const size_t bytes = strnlen(place, CT_API_LOCK_PLACE_BYTES - 1);
    memcpy(l->place, place, bytes);
    l->place[bytes] = 0;
    link_lock(t, l);
    const ct_api_lock_result result = take(t, l, may_wait, error);
    const bool is_in = result == CT_API_LOCK_RESULT_TAKEN || result == CT_API_LOCK_RESULT_WAITING;
    *lock = is_in ? l : NULL;
    ct_mutex_unlock(&t->mutex);
    return result;
}

static void remove_lock(ct_api_locks *t, ct_api_lock *lock) {
    if (lock->is_waiting) {
        ct_api_lock *before = NULL;
        for (ct_api_lock *at = t->first_waiting; at != lock; at = at->next_waiting)
            before = at;
        drop_waiting(t, before, lock);
    }
    unlink_lock(t, lock);
}

void ct_api_locks_give(ct_api_locks *t, ct_api_lock *lock) {
    ct_mutex_lock(&t->mutex);
    remove_lock(t, lock);
    if (t->num_waiting)
        give_to_waiting(t);
    ct_mutex_unlock(&t->mutex);
}

uint32_t ct_api_locks_give_all(ct_api_locks *t, ct_api_lock_owner *owner) {
    uint32_t count = 0;
    ct_mutex_lock(&t->mutex);
    for (; owner->first; ++count)
        remove_lock(t, owner->first);
    if (t->num_waiting && count)
        give_to_waiting(t);
    ct_mutex_unlock(&t->mutex);
    return count;
}

uint32_t ct_api_locks_count(ct_api_locks *t) {
    ct_mutex_lock(&t->mutex);
    const uint32_t count = t->count;
    ct_mutex_unlock(&t->mutex);
    return count;
}

ct_api_lock_counts ct_api_locks_counts(ct_api_locks *t, uint32_t api) {
    ct_mutex_lock(&t->mutex);
    const ct_api_lock_counts counts = t->counts[api];
    ct_mutex_unlock(&t->mutex);
    return counts;
}

void ct_api_locks_reset_counts(ct_api_locks *t) {
    ct_mutex_lock(&t->mutex);
    memset(t->counts, 0, sizeof(t->counts));
    ct_mutex_unlock(&t->mutex);
}

void ct_api_locks_forget_orders(ct_api_locks *t) {
    ct_mutex_lock(&t->mutex);
    ct_hash_map_clear(&t->order_places);
    t->orders.count = 0;
    ct_mutex_unlock(&t->mutex);
}
