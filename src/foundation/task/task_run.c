// task_run.c: finding tasks and running them, for workers and for waits.
#include "foundation/profiler/profiler.h"
#include "foundation/task/task_private.h"

enum { MAX_HELPING = 16 }; // on one stack

// --- Running -------------------------------------------------------------------------------------

// Runs the task's work as the frame above. Its children are in the frame afterwards.
static void run_work(const ct_task_slot *s, ct_task_frame *f) {
    ct_task_context *const here = &ct_task_here;
    f->below = here->frame;
    atomic_signal_fence(memory_order_release); // a crash report may look at any moment
    here->frame = f;
    {
        CT_ERROR_CONTEXT("running task", f->name);
        CT_PROFILER_SCOPE(f->name);
        s->run(s->data);
    }
    here->frame = f->below;
}

void ct_task_run(ct_task_manager *m, uint32_t slot) {
    ct_task_context *const here = &ct_task_here;
    const ct_task_slot *const s = &m->slots[slot];
    if (here->num_done &&
        (here->done_manager != m ||
         here->done_parent != atomic_load_explicit(&s->parent, memory_order_relaxed)))
        ct_task_book_done();
    ct_task_frame f = {.manager = m,
                       .name = s->name,
                       .task = ct_task_make_id(slot, ct_task_generation(s)),
                       .never_waits = atomic_load_explicit(&s->traits, memory_order_relaxed) &
                                      CT_TASK_NEVER_WAITS};
    ct_task_thread *const thread = ct_task_thread_here(m);
    if (thread)
        ct_task_count(&thread->num_run);
    run_work(s, &f);
    ct_task_finish(m, slot, CT_TASK_OWN_WORK - f.children);
}

// --- Finding anything ----------------------------------------------------------------------------

// Claims the task that a queue gave out; 0 when the hint (0: none) was stale.
static uint32_t claimed(ct_task_manager *m, uint64_t id) {
    return ct_task_claim(m, id) ? ct_task_slot_of((ct_task_id){id}) : 0;
}

static uint32_t take_own(ct_task_manager *m, ct_task_deque *d) {
    uint32_t slot = 0;
    uint64_t id;
    while (!slot && (id = ct_task_deque_pop(d)))
        slot = claimed(m, id);
    return slot;
}

// Queues ids that were stolen, so that this thread goes on with the oldest and others may steal
// them again.
static void queue_stolen(ct_task_manager *m, const uint64_t *ids, uint32_t count) {
    ct_task_batch batch = {0};
    while (count) {
        __builtin_prefetch(&m->slots[ct_task_slot_of((ct_task_id){ids[count - 1]})], 1);
        ct_task_queue(m, (ct_task_id){ids[--count]}, &batch);
    }
    ct_task_publish(m, &batch);
}

// Takes some of the tasks of another thread's deque: claims the first, and queues the others here.
static uint32_t steal_from(ct_task_manager *m, ct_task_thread *self, ct_task_deque *d) {
    uint64_t ids[CT_TASK_DEQUE_MAX_STOLEN];
    const uint32_t max = self ? (uint32_t)CT_TASK_DEQUE_MAX_STOLEN : 1;
    uint32_t slot = 0, count;
    bool is_disturbed = false;
    while (!slot && (count = ct_task_deque_steal(d, ids, max, &is_disturbed))) {
        uint32_t i = 0;
        while (!slot && i < count)
            slot = claimed(m, ids[i++]);
        queue_stolen(m, &ids[i], count - i);
    }
    if (is_disturbed)
        ct_task_notify(m, 1);
    return slot;
}

// The thread to look at after `i`: everyone starts with the one after itself.
static uint32_t after(uint32_t i, uint32_t num_threads) {
    return i + 1 < num_threads ? i + 1 : 0;
}

static uint32_t steal(ct_task_manager *m, ct_task_thread *self, uint32_t level) {
    const uint32_t num_threads = atomic_load(&m->num_threads);
    uint32_t victim = self ? self->index : 0;
    for (uint32_t i = 0; i < num_threads; ++i) {
        victim = after(victim, num_threads);
        ct_task_thread *const t = atomic_load(&m->threads[victim]);
        const uint32_t slot = t == self ? 0 : steal_from(m, self, &t->deques[level]);
        if (slot)
            return slot;
    }
    return 0;
}

static uint32_t find_on_level(ct_task_manager *m, ct_task_thread *self, uint32_t level) {
    uint32_t slot = 0;
    if (self && self->affinity)
        slot = ct_task_ring_take(m, &m->affine[self->affinity][level]);
    if (!slot && self)
        slot = take_own(m, &self->deques[level]);
    if (!slot)
        slot = ct_task_ring_take(m, &m->shared[level]);
    return slot ? slot : steal(m, self, level);
}

static uint32_t find_anything(ct_task_manager *m) {
    ct_task_thread *const self = ct_task_thread_here(m);
    uint32_t slot = 0;
    for (uint32_t levels = atomic_load(&m->used_levels); !slot && levels; levels &= levels - 1)
        slot = find_on_level(m, self, (uint32_t)__builtin_ctz(levels));
    return slot;
}

// --- Finding what a wait for a task may run ------------------------------------------------------

static bool is_allowed(ct_task_manager *m, const ct_task_wait_desc *wait, uint64_t id) {
    const uint32_t slot = ct_task_slot_of((ct_task_id){id});
    const uint32_t by = ct_task_slot_of(wait->task);
    const ct_task_slot *const s = &m->slots[slot];
    if (!ct_task_is_claimable(m, id))
        return false;
    const uint32_t traits = atomic_load_explicit(&s->traits, memory_order_relaxed);
    if (wait->runs_never_waits && traits & CT_TASK_NEVER_WAITS)
        return true;
    // A child is what is mostly found: that costs no call.
    return by && (atomic_load_explicit(&s->parent, memory_order_acquire) == by ||
                  ct_task_is_needed(m, slot, by));
}

uint32_t ct_task_claim_allowed(ct_task_manager *m, const ct_task_wait_desc *wait, uint64_t id) {
    // Whoever claims it knows that it, and so all above it, was open while it was looked at.
    return is_allowed(m, wait, id) ? claimed(m, id) : 0;
}

static void drop_stale(ct_task_manager *m, ct_task_deque *d) {
    for (;;) {
        const int64_t top = atomic_load(&d->top);
        if (top >= atomic_load(&d->bottom))
            return;
        const uint64_t id = ct_task_deque_at(d, top);
        if (ct_task_is_claimable(m, id))
            return;
        ct_task_deque_drop(d, id);
    }
}

// Mostly what this thread added last may run: then no stale hint stays behind.
static uint32_t pop_allowed(ct_task_manager *m, const ct_task_wait_desc *wait, ct_task_deque *d) {
    uint64_t id;
    while ((id = ct_task_deque_newest(d)) != 0) {
        const bool may_run = is_allowed(m, wait, id);
        if (!may_run && ct_task_is_claimable(m, id))
            return 0;
        // A thief may be faster, and another task of this queue be the newest now.
        const uint64_t popped = ct_task_deque_pop(d);
        if (popped == id) {
            // Else it is stale: whoever makes it ready again queues it again.
            const uint32_t slot = may_run ? claimed(m, id) : 0;
            if (slot)
                return slot;
        } else if (popped) {
            queue_stolen(m, &popped, 1);
        }
    }
    return 0;
}

// When the oldest task of another thread may run here, mostly the next ones may, too: it takes some
// of them, as steal_from does.
static uint32_t steal_allowed(ct_task_manager *m, const ct_task_wait_desc *wait, ct_task_deque *d) {
    uint64_t ids[CT_TASK_DEQUE_MAX_STOLEN];
    bool is_disturbed = false;
    const int64_t top = atomic_load(&d->top);
    if (top >= atomic_load(&d->bottom) || !is_allowed(m, wait, ct_task_deque_at(d, top)))
        return 0;
    const uint32_t count = ct_task_deque_steal(d, ids, CT_TASK_DEQUE_MAX_STOLEN, &is_disturbed);
    uint32_t slot = 0, num_left = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t taken = slot ? 0 : ct_task_claim_allowed(m, wait, ids[i]);
        if (taken)
            slot = taken;
        else
            ids[num_left++] = ids[i];
    }
    queue_stolen(m, ids, num_left);
    if (is_disturbed)
        ct_task_notify(m, 1);
    return slot;
}

static uint32_t look_through(ct_task_manager *m, const ct_task_wait_desc *wait, ct_task_deque *d) {
    if (ct_task_deque_is_empty(d))
        return 0;
    drop_stale(m, d);
    for (int64_t i = atomic_load(&d->top); i < atomic_load(&d->bottom); ++i) {
        const uint32_t slot = ct_task_claim_allowed(m, wait, ct_task_deque_at(d, i));
        if (slot)
            return slot;
    }
    return 0;
}

static uint32_t look_at_others(ct_task_manager *m, const ct_task_wait_desc *wait,
                               const ct_task_thread *self, uint32_t level) {
    const uint32_t num_threads = atomic_load(&m->num_threads);
    uint32_t victim = self ? self->index : 0;
    uint32_t slot = 0;
    for (uint32_t i = 0; !slot && i < num_threads; ++i) {
        victim = after(victim, num_threads);
        ct_task_thread *const t = atomic_load(&m->threads[victim]);
        if (self && t != self)
            slot = steal_allowed(m, wait, &t->deques[level]);
        if (!slot)
            slot = look_through(m, wait, &t->deques[level]);
    }
    return slot;
}

static uint32_t look_on_level(ct_task_manager *m, const ct_task_wait_desc *wait, uint32_t level) {
    ct_task_thread *const self = ct_task_thread_here(m);
    uint32_t slot = 0;
    if (self && self->affinity)
        slot = ct_task_ring_take_allowed(m, &m->affine[self->affinity][level], wait);
    if (!slot && self)
        slot = pop_allowed(m, wait, &self->deques[level]);
    if (!slot)
        slot = ct_task_ring_take_allowed(m, &m->shared[level], wait);
    return slot ? slot : look_at_others(m, wait, self, level);
}

static uint32_t look_everywhere(ct_task_manager *m, const ct_task_wait_desc *wait) {
    uint32_t slot = 0;
    for (uint32_t levels = atomic_load(&m->used_levels); !slot && levels; levels &= levels - 1)
        slot = look_on_level(m, wait, (uint32_t)__builtin_ctz(levels));
    return slot;
}

// Claims the awaited task itself if it is ready and may run here.
static uint32_t take_awaited(ct_task_manager *m, ct_task_id task) {
    if (!ct_task_is_claimable(m, task.value))
        return 0;
    ct_task_thread *const self = ct_task_thread_here(m);
    const uint32_t traits =
        atomic_load_explicit(&m->slots[ct_task_slot_of(task)].traits, memory_order_relaxed);
    const uint32_t affinity = traits >> CT_TASK_AFFINITY_SHIFT;
    if (affinity && !(self && self->affinity == affinity))
        return 0;
    // Mostly it is what this thread added last: no hint needs to stay behind.
    ct_task_deque *const d = self ? &self->deques[traits & CT_TASK_LEVEL_MASK] : NULL;
    if (d && !affinity && ct_task_deque_newest(d) == task.value)
        ct_task_deque_pop(d);
    return claimed(m, task.value);
}

// Puts a claimed task back.
static void unclaim(ct_task_manager *m, uint32_t slot) {
    ct_task_batch batch = {0};
    ct_task_make_ready(m, ct_task_make_id(slot, ct_task_generation(&m->slots[slot])), &batch);
    ct_task_publish(m, &batch);
}

uint32_t ct_task_find(ct_task_manager *m, const ct_task_wait_desc *wait) {
    if (wait->runs_anything)
        return find_anything(m);
    uint32_t slot = wait->task.value ? take_awaited(m, wait->task) : 0;
    if (!slot && (wait->task.value || wait->runs_never_waits))
        slot = look_everywhere(m, wait);
    if (!slot && wait->runs_the_rest)
        slot = find_anything(m);
    return slot;
}

// --- Waiting -------------------------------------------------------------------------------------

// Runs the claimed task, unless booking what was done before it ends the wait.
static void run_unless_over(ct_task_manager *m, const ct_task_wait_desc *wait, uint32_t slot) {
    ct_task_context *const here = &ct_task_here;
    if (here->num_done &&
        here->done_parent != atomic_load_explicit(&m->slots[slot].parent, memory_order_relaxed))
        ct_task_book_done();
    // Also: while a task was looked for, the awaited one may have ended and its slot been reused,
    // so that what was found is needed by something else.
    if (ct_task_wait_is_over(m, wait))
        unclaim(m, slot);
    else
        ct_task_run(m, slot);
}

void ct_task_wait_until(ct_task_manager *m, const ct_task_wait_desc *wait) {
    ct_task_thread *const thread = ct_task_thread_here(m);
    if (thread)
        ct_task_count(&thread->num_waits);
    while (!ct_task_wait_is_over(m, wait)) {
        uint32_t slot = ct_task_find(m, wait);
        if (!slot) {
            ct_task_book_done();
            if (thread)
                ct_task_count(&thread->num_idle);
            slot = ct_task_idle(m, wait);
        }
        if (slot)
            run_unless_over(m, wait, slot);
    }
    ct_task_book_done();
}

static void assert_may_wait_for(ct_task_manager *m, ct_task_id task) {
    const uint32_t slot = ct_task_slot_of(task);
    // What is ready cannot be running below.
    if (ct_task_is_claimable(m, task.value))
        return;
    for (const ct_task_frame *f = ct_task_here.frame; f; f = f->below) {
        if (f->manager != m)
            continue;
        CT_ASSERT(f->task.value != task.value,
                  "the task %s waits for %s, which runs below it on this thread's stack",
                  ct_task_here.frame->name, f->name);
#ifdef CT_BUILD_DEV
        // Done meanwhile, it may be another task that was found.
        CT_ASSERT(
            !ct_task_is_needed(m, ct_task_slot_of(f->task), slot) || ct_task_is_done(m, task),
            "the task %s waits for %s, which needs %s, which runs below on this thread's stack",
            ct_task_here.frame->name, m->slots[slot].name, f->name);
#endif
    }
    (void)slot;
}

static void assert_may_wait(void) {
    const ct_task_frame *const f = ct_task_here.frame;
    CT_ASSERT(!f || !f->never_waits, "the task %s waits, but was added with never_waits",
              f ? f->name : "");
}

static void wait_for_task(ct_task_manager *m, ct_task_id task) {
    const ct_task_frame *const f = ct_task_here.frame;
    if (f)
        assert_may_wait_for(m, task);
    const ct_task_wait_desc wait = {
        .task = task,
        // On top of a task that never waits nothing unrelated runs: the stack ends there.
        .runs_never_waits = !f || !f->never_waits,
        .runs_the_rest = !f && m->num_workers == 0,
        .scope = "wait",
    };
    ct_task_wait_until(m, &wait);
}

void ct_task_wait(ct_task_manager *m, ct_task_id task) {
    assert_may_wait();
    if (!ct_task_is_done(m, task))
        wait_for_task(m, task);
}

void ct_task_wait_for_pieces(ct_task_manager *m, ct_task_id task) {
    if (!ct_task_is_done(m, task))
        wait_for_task(m, task);
}

void ct_task_wait_event(ct_task_manager *m, ct_task_event *event) {
    assert_may_wait();
    const bool is_inside = ct_task_here.frame != NULL;
    ct_task_wait_until(m, &(ct_task_wait_desc){.event = event,
                                               .runs_anything = !is_inside,
                                               .runs_never_waits = is_inside,
                                               .scope = "wait"});
}

void ct_task_signal(ct_task_manager *m, ct_task_event *event) {
    atomic_store(&event->is_signalled, 1);
    ct_task_notify_event(m, event);
}

void ct_task_event_clear(ct_task_event *event) {
    atomic_store_explicit(&event->is_signalled, 0, memory_order_relaxed);
}

// --- Out of slots --------------------------------------------------------------------------------

bool ct_task_run_for_slot(ct_task_manager *m, ct_task_id dependency) {
    ct_task_context *const here = &ct_task_here;
    ct_task_book_done();
    // What runs here may find no slot either.
    if (here->num_helping == MAX_HELPING)
        return false;
    const bool runs_the_rest = !here->frame && m->num_workers == 0;
    const uint32_t slot = ct_task_find(m, &(ct_task_wait_desc){.task = dependency,
                                                               .runs_never_waits = true,
                                                               .runs_the_rest = runs_the_rest});
    if (!slot)
        return false;
    // While a task was looked for, the dependency may have ended and its slot been reused, so that
    // what was found is needed by something else.
    if (dependency.value && !runs_the_rest && ct_task_is_done(m, dependency) &&
        !(atomic_load_explicit(&m->slots[slot].traits, memory_order_relaxed) &
          CT_TASK_NEVER_WAITS)) {
        unclaim(m, slot);
        return true; // the next attempt looks without it
    }
    ++here->num_helping;
    ct_task_run(m, slot);
    --here->num_helping;
    ct_task_book_done();
    return true;
}
