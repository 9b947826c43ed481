// What a wait runs, how threads sleep and wake, and what happens when the slots run out.
#include "foundation/error.h"
#include "foundation/os/os.h"
#include "foundation/task/task.h"
#include "support/test_support.h"

static ct_task_manager *start(uint32_t num_workers) {
    return ct_task_manager_create(
        &(ct_task_manager_desc){.allocator = test_heap(), .num_workers = num_workers});
}

static void increment(void *data) {
    __atomic_add_fetch((uint32_t *)data, 1, __ATOMIC_RELAXED);
}

// --- The waiting rule, on one thread -------------------------------------------------------------

// A task that adds others, waits for one of them and looks at what has run.
typedef struct scene {
    ct_task_manager *manager;
    ct_task_id gate, awaited, other;
    ct_task_event event;
    uint32_t num_needed, num_unrelated; // that ran
    uint32_t unrelated_at_the_end;      // of the wait
} scene;

// Runs `act` as a task, with and without the thread registered.
static void play(void (*act)(void *data), void (*check)(const scene *s)) {
    for (uint32_t i = 0; i < 2; ++i) {
        scene s = {.manager = start(0)};
        if (i)
            ct_task_register_thread(s.manager, 1);
        ct_task_wait(s.manager, ct_task_add(s.manager, &(ct_task_desc){
                                                           .name = "act", .run = act, .data = &s}));
        check(&s);
        ct_task_wait(s.manager, s.other);
        ct_task_manager_destroy(s.manager);
    }
}

static void add_unrelated(scene *s, ct_task_priority priority) {
    s->other = ct_task_add(s->manager, &(ct_task_desc){.name = "unrelated",
                                                       .run = increment,
                                                       .data = &s->num_unrelated,
                                                       .dependency = s->other,
                                                       .priority = priority});
}

static ct_task_id add_needed(scene *s, ct_task_id parent, ct_task_id dependency) {
    return ct_task_add(s->manager, &(ct_task_desc){.name = "needed",
                                                   .run = increment,
                                                   .data = &s->num_needed,
                                                   .parent = parent,
                                                   .dependency = dependency,
                                                   .priority = CT_TASK_PRIORITY_LOW});
}

static void wait_between_unrelated_tasks(void *data) {
    scene *const s = data;
    add_unrelated(s, CT_TASK_PRIORITY_CRITICAL);
    s->awaited = add_needed(s, (ct_task_id){0}, (ct_task_id){0});
    add_unrelated(s, CT_TASK_PRIORITY_CRITICAL);
    ct_task_wait(s->manager, s->awaited);
    s->unrelated_at_the_end = s->num_unrelated;
}

static void only_the_awaited_one_ran(const scene *s) {
    assert_int_equal(s->num_needed, 1);
    assert_int_equal(s->unrelated_at_the_end, 0);
}

static void a_wait_inside_a_task_leaves_unrelated_ones_alone(void **state) {
    (void)state;
    play(wait_between_unrelated_tasks, only_the_awaited_one_ran);
}

// The awaited task is open; its child's child depends on a task whose child depends on a fourth.
static void wait_for_a_family(void *data) {
    scene *const s = data;
    const ct_task_id none = {0};
    add_unrelated(s, CT_TASK_PRIORITY_NORMAL);
    const ct_task_id fourth = add_needed(s, none, none);
    const ct_task_id third = ct_task_open(s->manager, "third", none);
    add_needed(s, third, fourth);
    ct_task_complete(s->manager, third);
    add_unrelated(s, CT_TASK_PRIORITY_NORMAL);
    s->awaited = ct_task_open(s->manager, "awaited", none);
    const ct_task_id child = ct_task_open(s->manager, "child", s->awaited);
    add_needed(s, child, third);
    ct_task_complete(s->manager, child);
    ct_task_complete(s->manager, s->awaited);
    ct_task_wait(s->manager, s->awaited);
    s->unrelated_at_the_end = s->num_unrelated;
}

static void the_family_ran(const scene *s) {
    assert_int_equal(s->num_needed, 3);
    assert_int_equal(s->unrelated_at_the_end, 0);
}

static void a_wait_inside_a_task_runs_all_that_the_awaited_one_needs(void **state) {
    (void)state;
    play(wait_for_a_family, the_family_ran);
}

static void open_gate(void *data) {
    const scene *const s = data;
    ct_task_complete(s->manager, s->gate);
}

static void wait_behind_a_gate(void *data) {
    scene *const s = data;
    s->gate = ct_task_open(s->manager, "gate", (ct_task_id){0});
    s->awaited = add_needed(s, (ct_task_id){0}, s->gate);
    add_unrelated(s, CT_TASK_PRIORITY_NORMAL);
    ct_task_add(s->manager,
                &(ct_task_desc){.name = "open", .run = open_gate, .data = s, .never_waits = true});
    add_unrelated(s, CT_TASK_PRIORITY_NORMAL);
    ct_task_wait(s->manager, s->awaited);
    s->unrelated_at_the_end = s->num_unrelated;
}

static void a_wait_inside_a_task_runs_those_that_never_wait(void **state) {
    (void)state;
    play(wait_behind_a_gate, only_the_awaited_one_ran);
}

static void signal_event(void *data) {
    scene *const s = data;
    ++s->num_needed;
    ct_task_signal(s->manager, &s->event);
}

static void wait_for_an_event(void *data) {
    scene *const s = data;
    add_unrelated(s, CT_TASK_PRIORITY_NORMAL);
    ct_task_add(
        s->manager,
        &(ct_task_desc){.name = "signal", .run = signal_event, .data = s, .never_waits = true});
    ct_task_wait_event(s->manager, &s->event);
    s->unrelated_at_the_end = s->num_unrelated;
}

static void waiting_for_an_event_inside_a_task_runs_those_that_never_wait(void **state) {
    (void)state;
    play(wait_for_an_event, only_the_awaited_one_ran);
}

static void wait_for_gate(void *data) {
    const scene *const s = data;
    ct_task_wait(s->manager, s->gate);
}

// "blocked" waits for what only this task, below it if it ran now, will complete.
static void wait_and_then_open_the_gate(void *data) {
    scene *const s = data;
    s->gate = ct_task_open(s->manager, "gate", (ct_task_id){0});
    s->other = ct_task_add(s->manager, &(ct_task_desc){.name = "blocked",
                                                       .run = wait_for_gate,
                                                       .data = s,
                                                       .priority = CT_TASK_PRIORITY_CRITICAL});
    s->awaited = add_needed(s, (ct_task_id){0}, (ct_task_id){0});
    ct_task_wait(s->manager, s->awaited);
    ct_task_complete(s->manager, s->gate);
}

static void no_task_runs_on_top_of_what_it_waits_for(void **state) {
    (void)state;
    play(wait_and_then_open_the_gate, only_the_awaited_one_ran);
}

// --- The waiting rule, outside tasks -------------------------------------------------------------

static void add_waiting_for_gate(scene *s, ct_task_id parent, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        ct_task_add(s->manager, &(ct_task_desc){.name = "blocked",
                                                .run = wait_for_gate,
                                                .data = s,
                                                .parent = parent,
                                                .priority = CT_TASK_PRIORITY_CRITICAL});
}

static void take_a_millisecond(void *data) {
    ct_os_sleep_ns(1000000);
    increment(data);
}

// Serial code waits for one task and then does what others wait for.
static void serial_code_is_not_blocked_by_tasks_that_wait_for_it(void **state) {
    (void)state;
    for (uint32_t num_workers = 1; num_workers < 3; ++num_workers) {
        scene s = {.manager = start(num_workers)};
        ct_task_register_thread(s.manager, 1);
        for (uint32_t round = 0; round < 20; ++round) {
            s.gate = ct_task_open(s.manager, "gate", (ct_task_id){0});
            const ct_task_id all = ct_task_open(s.manager, "all", (ct_task_id){0});
            s.awaited = ct_task_add(s.manager, &(ct_task_desc){.run = take_a_millisecond,
                                                               .data = &s.num_needed,
                                                               .priority = CT_TASK_PRIORITY_LOW});
            add_waiting_for_gate(&s, all, 4);
            ct_task_wait(s.manager, s.awaited);
            ct_task_complete(s.manager, s.gate);
            ct_task_complete(s.manager, all);
            ct_task_wait(s.manager, all);
        }
        assert_int_equal(s.num_needed, 20);
        ct_task_manager_destroy(s.manager);
    }
}

static void keep_a_worker_busy(void *data) {
    scene *const s = data;
    ct_task_signal(s->manager, &s->event);
    while (!ct_task_is_done(s->manager, s->gate))
        ct_thread_yield();
}

// The only worker is busy; the one that is needed has the lower priority.
static void a_wait_outside_tasks_leaves_unrelated_ones_to_the_workers(void **state) {
    (void)state;
    scene s = {.manager = start(1)};
    ct_task_register_thread(s.manager, 1);
    s.gate = ct_task_open(s.manager, "gate", (ct_task_id){0});
    const ct_task_id busy =
        ct_task_add(s.manager, &(ct_task_desc){.run = keep_a_worker_busy, .data = &s});
    while (!atomic_load(&s.event.is_signalled))
        ct_thread_yield();
    add_unrelated(&s, CT_TASK_PRIORITY_CRITICAL);
    s.awaited = add_needed(&s, (ct_task_id){0}, (ct_task_id){0});
    add_unrelated(&s, CT_TASK_PRIORITY_CRITICAL);
    ct_task_wait(s.manager, s.awaited);
    only_the_awaited_one_ran(
        &(scene){.num_needed = s.num_needed, .unrelated_at_the_end = s.num_unrelated});
    ct_task_complete(s.manager, s.gate);
    ct_task_wait(s.manager, s.other);
    ct_task_wait(s.manager, busy);
    ct_task_manager_destroy(s.manager);
}

static void note_needed_and_open_gate(void *data) {
    scene *const s = data;
    s->unrelated_at_the_end = s->num_needed;
    ct_task_complete(s->manager, s->gate);
}

// What opens the gate is nothing the awaited one needs, and first by priority.
static void a_wait_outside_tasks_without_workers_runs_anything_last(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 2; ++i) {
        scene s = {.manager = start(0)};
        if (i)
            ct_task_register_thread(s.manager, 1);
        s.gate = ct_task_open(s.manager, "gate", (ct_task_id){0});
        s.awaited = ct_task_open(s.manager, "awaited", (ct_task_id){0});
        add_needed(&s, s.awaited, (ct_task_id){0});
        add_needed(&s, s.awaited, s.gate);
        add_needed(&s, s.awaited, (ct_task_id){0});
        ct_task_add(s.manager, &(ct_task_desc){.run = note_needed_and_open_gate,
                                               .data = &s,
                                               .priority = CT_TASK_PRIORITY_CRITICAL});
        ct_task_complete(s.manager, s.awaited);
        ct_task_wait(s.manager, s.awaited);
        assert_int_equal(s.unrelated_at_the_end, 2);
        assert_int_equal(s.num_needed, 3);
        ct_task_manager_destroy(s.manager);
    }
}

static void wait_for_child_of_another_thread(void *data) {
    scene *const s = data;
    const ct_task_id child = add_needed(s, ct_task_current(), (ct_task_id){0});
    ct_task_wait(s->manager, child);
}

static void waits_nest_with_workers(void **state) {
    (void)state;
    for (uint32_t num_workers = 1; num_workers < 4; ++num_workers) {
        scene s = {.manager = start(num_workers)};
        const ct_task_id all = ct_task_open(s.manager, "all", (ct_task_id){0});
        for (uint32_t i = 0; i < 2000; ++i)
            ct_task_add(s.manager, &(ct_task_desc){.name = "waiting",
                                                   .run = wait_for_child_of_another_thread,
                                                   .data = &s,
                                                   .parent = all});
        ct_task_complete(s.manager, all);
        ct_task_wait(s.manager, all);
        assert_int_equal(s.num_needed, 2000);
        ct_task_manager_destroy(s.manager);
    }
}

// --- Wrong waits ---------------------------------------------------------------------------------

static void wait_for_oneself(void *data) {
    const scene *const s = data;
    ct_task_wait(s->manager, ct_task_current());
}

static void wait_for_own_parent(void *data) {
    const scene *const s = data;
    ct_task_wait(s->manager, s->gate);
}

static void run_alone(void *user, const char *name, void (*run)(void *data), bool never_waits) {
    scene s = {.manager = user};
    s.gate = ct_task_open(s.manager, "gate", (ct_task_id){0});
    ct_task_wait(s.manager, ct_task_add(s.manager, &(ct_task_desc){.name = name,
                                                                   .run = run,
                                                                   .data = &s,
                                                                   .parent = s.gate,
                                                                   .never_waits = never_waits}));
}

static void die_waiting_for_oneself(void *user) {
    run_alone(user, "selfish", wait_for_oneself, false);
}

static void die_waiting_for_own_parent(void *user) {
    run_alone(user, "child", wait_for_own_parent, false);
}

static void die_waiting_in_one_that_never_waits(void *user) {
    run_alone(user, "liar", wait_for_oneself, true);
}

#ifdef CT_BUILD_DEV
typedef struct pair {
    ct_task_manager *manager;
    ct_task_id tasks[2];
    uint32_t num_started; // atomic
} pair;

static void wait_for_partner(pair *p, uint32_t i) {
    __atomic_add_fetch(&p->num_started, 1, __ATOMIC_RELEASE);
    while (__atomic_load_n(&p->num_started, __ATOMIC_ACQUIRE) < 3)
        ct_thread_yield();
    ct_task_wait(p->manager, p->tasks[i]);
}

static void be_first(void *data) {
    wait_for_partner(data, 1);
}

static void be_second(void *data) {
    wait_for_partner(data, 0);
}

static void die_waiting_for_each_other(void *user) {
    (void)user;
    pair p = {.manager = start(2)};
    p.tasks[0] =
        ct_task_add(p.manager, &(ct_task_desc){.name = "pair", .run = be_first, .data = &p});
    p.tasks[1] =
        ct_task_add(p.manager, &(ct_task_desc){.name = "pair", .run = be_second, .data = &p});
    __atomic_add_fetch(&p.num_started, 1, __ATOMIC_RELEASE);
    while (!ct_task_is_done(p.manager, p.tasks[0]))
        ct_thread_yield();
}
#endif

static void waits_that_cannot_end_are_bugs(void **state) {
    (void)state;
    ct_task_manager *const m = start(0);
    test_expect_death(die_waiting_for_oneself, m,
                      "the task selfish waits for selfish, which runs below it");
    test_expect_death(die_waiting_in_one_that_never_waits, m,
                      "the task liar waits, but was added with never_waits");
#ifdef CT_BUILD_DEV
    test_expect_death(
        die_waiting_for_each_other, NULL,
        "the task pair waits for pair, which waits for it on another thread: a cycle");
    test_expect_death(die_waiting_for_own_parent, m,
                      "the task child waits for gate, which needs child, which runs below");
#else
    (void)die_waiting_for_own_parent;
#endif
    ct_task_manager_destroy(m);
}

// --- Running out of slots ------------------------------------------------------------------------

typedef struct crowd {
    ct_task_manager *manager;
    ct_task_id all, gate;
    uint32_t count;     // atomic; tasks that ran
    uint32_t max_depth; // atomic; of tasks on one stack
} crowd;

static _Thread_local uint32_t depth_here;

static void note_depth(crowd *c) {
    uint32_t max = __atomic_load_n(&c->max_depth, __ATOMIC_RELAXED);
    while (depth_here > max && !__atomic_compare_exchange_n(&c->max_depth, &max, depth_here, false,
                                                            __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

static void be_counted(void *data) {
    crowd *const c = data;
    ++depth_here;
    note_depth(c);
    __atomic_add_fetch(&c->count, 1, __ATOMIC_RELAXED);
    --depth_here;
}

static void add_two(void *data) {
    crowd *const c = data;
    ++depth_here;
    note_depth(c);
    for (uint32_t i = 0; i < 2; ++i)
        ct_task_add(c->manager, &(ct_task_desc){.run = be_counted, .data = c, .parent = c->all});
    --depth_here;
}

// More than there are slots.
static uint32_t crowd_size(void) {
    return test_rounds(CT_TASK_MAX_OPEN + CT_TASK_MAX_OPEN / 4, 2 * CT_TASK_MAX_OPEN);
}

static void add_many_that_add_more(void *data) {
    crowd *const c = data;
    ++depth_here;
    for (uint32_t i = 0; i < crowd_size(); ++i)
        ct_task_add(c->manager, &(ct_task_desc){.run = add_two, .data = c, .parent = c->all});
    --depth_here;
}

static void a_task_may_add_more_than_there_are_slots(void **state) {
    (void)state;
    for (uint32_t num_workers = 0; num_workers < 3; ++num_workers) {
        crowd c = {.manager = start(num_workers)};
        ct_task_register_thread(c.manager, 1);
        c.all = ct_task_open(c.manager, "all", (ct_task_id){0});
        ct_task_add(c.manager,
                    &(ct_task_desc){.run = add_many_that_add_more, .data = &c, .parent = c.all});
        ct_task_complete(c.manager, c.all);
        ct_task_wait(c.manager, c.all);
        assert_int_equal(c.count, 2 * crowd_size());
        // The task that adds, one it adds, one that this adds; and once more for want of slots.
        // With workers there may always have been room.
        assert_in_range(c.max_depth, num_workers ? 1 : 2, 6);
        ct_task_manager_destroy(c.manager);
    }
}

static void serial_code_may_add_more_than_there_are_slots(void **state) {
    (void)state;
    for (uint32_t num_workers = 0; num_workers < 3; ++num_workers) {
        crowd c = {.manager = start(num_workers)};
        c.all = ct_task_open(c.manager, "all", (ct_task_id){0});
        for (uint32_t i = 0; i < crowd_size(); ++i)
            ct_task_add(c.manager, &(ct_task_desc){.run = add_two, .data = &c, .parent = c.all});
        ct_task_complete(c.manager, c.all);
        ct_task_wait(c.manager, c.all);
        assert_int_equal(c.count, 2 * crowd_size());
        assert_in_range(c.max_depth, 1, 6); // workers may be fast enough
        ct_task_manager_destroy(c.manager);
    }
}

// What all wait for has to run first, on top of the task that adds them.
static void add_many_that_depend(void *data) {
    crowd *const c = data;
    const ct_task_id first =
        ct_task_add(c->manager, &(ct_task_desc){.run = be_counted, .data = c, .parent = c->all});
    for (uint32_t i = 0; i < crowd_size(); ++i)
        ct_task_add(
            c->manager,
            &(ct_task_desc){.run = be_counted, .data = c, .parent = c->all, .dependency = first});
}

static void the_dependency_of_too_many_runs_to_make_room(void **state) {
    (void)state;
    for (uint32_t num_workers = 0; num_workers < 3; ++num_workers) {
        crowd c = {.manager = start(num_workers)};
        ct_task_register_thread(c.manager, 1);
        c.all = ct_task_open(c.manager, "all", (ct_task_id){0});
        ct_task_add(c.manager,
                    &(ct_task_desc){.run = add_many_that_depend, .data = &c, .parent = c.all});
        ct_task_complete(c.manager, c.all);
        ct_task_wait(c.manager, c.all);
        assert_int_equal(c.count, crowd_size() + 1);
        ct_task_manager_destroy(c.manager);
    }
}

static void sleep_a_little(void *data) {
    (void)data;
    ct_os_sleep_ns(50000);
}

// As many open tasks as can be while many workers, all of which have freed slots, sleep.
static void idle_workers_keep_no_slots(void **state) {
    (void)state;
    enum { NUM_WORKERS = 250, NUM_OPEN = CT_TASK_MAX_OPEN - 200 };
    ct_task_manager *const m = start(NUM_WORKERS);
    const ct_task_id all = ct_task_open(m, "all", (ct_task_id){0});
    for (uint32_t i = 0; i < NUM_OPEN; ++i)
        ct_task_add(m, &(ct_task_desc){.run = sleep_a_little, .parent = all});
    ct_task_complete(m, all);
    ct_task_wait(m, all);
    // Were slots missing for good, that would be reported as a bug.
    const ct_task_id gate = ct_task_open(m, "gate", (ct_task_id){0});
    const ct_task_id gated = ct_task_open(m, "gated", (ct_task_id){0});
    uint32_t count = 0;
    for (uint32_t i = 0; i < NUM_OPEN; ++i)
        ct_task_add(m, &(ct_task_desc){
                           .run = increment, .data = &count, .parent = gated, .dependency = gate});
    assert_int_equal(count, 0);
    ct_task_complete(m, gate);
    ct_task_complete(m, gated);
    ct_task_wait(m, gated);
    assert_int_equal(count, NUM_OPEN);
    ct_task_manager_destroy(m);
}

static void add_too_many_behind_a_gate(void *user) {
    ct_task_manager *const m = user;
    const ct_task_id gate = ct_task_open(m, "gate", (ct_task_id){0});
    uint32_t count = 0;
    for (uint32_t i = 0; i < crowd_size(); ++i)
        ct_task_add(m, &(ct_task_desc){
                           .name = "late", .run = increment, .data = &count, .dependency = gate});
    ct_task_complete(m, gate);
}

static void run_too_many_behind_a_gate(void *user) {
    ct_task_manager *const m = user;
    const ct_task_desc desc = {.run = add_too_many_behind_a_gate, .data = m};
    ct_task_wait(m, ct_task_add(m, &desc));
}

static void running_out_for_good_is_reported(void **state) {
    (void)state;
    ct_task_manager *const m = start(0);
    const char *const report = "15359 (such as late) depend on 1 (such as gate)";
    test_expect_death(add_too_many_behind_a_gate, m, report);
    test_expect_death(run_too_many_behind_a_gate, m,
                      "too many open tasks to add late, and no task has ended");
    test_expect_death(add_too_many_behind_a_gate, m,
                      "0 are ready (such as none), 1 were opened and not completed (such as gate)");
    ct_task_manager_destroy(m);
}

// --- Sleeping and waking -------------------------------------------------------------------------

typedef struct table {
    ct_task_manager *manager;
    ct_task_event ping, pong;
    ct_task_id open; // for the next thread to complete
    uint32_t rounds;
    uint32_t random;
    uint32_t count;
} table;

// Now and then so long that the other side falls asleep, or is about to.
static void dawdle(uint32_t *random) {
    if (test_random(random) % 8 == 0)
        ct_os_sleep_ns(test_random(random) % 120000);
}

static void return_balls(void *data) {
    table *const t = data;
    uint32_t random = 7;
    for (uint32_t i = 0; i < t->rounds; ++i) {
        ct_task_wait_event(t->manager, &t->ping);
        ct_task_event_clear(&t->ping);
        dawdle(&random);
        ct_task_signal(t->manager, &t->pong);
    }
}

static void no_signal_is_lost_between_sleeping_threads(void **state) {
    (void)state;
    for (uint32_t num_workers = 0; num_workers < 2; ++num_workers) {
        table t = {.manager = start(num_workers), .rounds = test_rounds(5000, 100000), .random = 3};
        const ct_thread other = ct_thread_start("pong", return_balls, &t);
        for (uint32_t i = 0; i < t.rounds; ++i) {
            ct_task_signal(t.manager, &t.ping);
            dawdle(&t.random);
            ct_task_wait_event(t.manager, &t.pong);
            ct_task_event_clear(&t.pong);
        }
        ct_thread_join(other);
        ct_task_manager_destroy(t.manager);
    }
}

static void no_task_is_left_to_a_sleeping_worker(void **state) {
    (void)state;
    table t = {.manager = start(2), .rounds = test_rounds(5000, 100000), .random = 5};
    ct_task_register_thread(t.manager, 1);
    for (uint32_t i = 0; i < t.rounds; ++i) {
        scene s = {.manager = t.manager};
        const ct_task_id task = ct_task_add(
            t.manager, &(ct_task_desc){
                           .name = "signal", .run = signal_event, .data = &s, .never_waits = true});
        dawdle(&t.random);
        // This thread runs nothing itself: the workers have to.
        const uint64_t limit = ct_os_time_ns() + 60000000000u;
        while (!atomic_load(&s.event.is_signalled) && ct_os_time_ns() < limit)
            ct_thread_yield();
        assert_true(atomic_load(&s.event.is_signalled));
        ct_task_wait(t.manager, task);
    }
    ct_task_manager_destroy(t.manager);
}

// Runs no tasks: it would take the one that waits for it.
static void complete_gates(void *data) {
    table *const t = data;
    uint32_t random = 11;
    for (uint32_t i = 0; i < t->rounds; ++i) {
        while (!atomic_load(&t->ping.is_signalled))
            ct_thread_yield();
        ct_task_event_clear(&t->ping);
        const ct_task_id open = t->open;
        dawdle(&random);
        ct_task_complete(t->manager, open);
    }
}

// Waits inside a task for what a foreign thread completes.
static void wait_for_gates(void *data) {
    table *const t = data;
    for (uint32_t i = 0; i < t->rounds; ++i) {
        t->open = ct_task_open(t->manager, "gate", (ct_task_id){0});
        const ct_task_id gate = t->open;
        const ct_task_id child = ct_task_add(
            t->manager, &(ct_task_desc){.run = increment, .data = &t->count, .dependency = gate});
        ct_task_signal(t->manager, &t->ping);
        dawdle(&t->random);
        ct_task_wait(t->manager, child);
    }
}

static void a_wait_inside_a_task_wakes_for_what_it_needs(void **state) {
    (void)state;
    for (uint32_t num_workers = 0; num_workers < 3; ++num_workers) {
        table t = {.manager = start(num_workers), .rounds = test_rounds(3000, 30000), .random = 9};
        const ct_thread other = ct_thread_start("gates", complete_gates, &t);
        ct_task_wait(t.manager,
                     ct_task_add(t.manager, &(ct_task_desc){.run = wait_for_gates, .data = &t}));
        assert_int_equal(t.count, t.rounds);
        ct_thread_join(other);
        ct_task_manager_destroy(t.manager);
    }
}

typedef struct late_edge {
    ct_task_manager *manager;
    ct_task_id awaited, queued;
    ct_task_event is_waiting;
    uint32_t count;
} late_edge;

static void wait_for_awaited(void *data) {
    late_edge *const e = data;
    ct_task_signal(e->manager, &e->is_waiting);
    ct_task_wait(e->manager, e->awaited);
}

static void run_waiting_task(void *data) {
    late_edge *const e = data;
    ct_task_register_thread(e->manager, 2);
    ct_task_wait(e->manager, ct_task_add(e->manager, &(ct_task_desc){.name = "waiting",
                                                                     .run = wait_for_awaited,
                                                                     .data = e,
                                                                     .affinity = 2}));
}

// The task is queued, and the only thread that could run it sleeps in a task that does not need it;
// then a new dependency makes it needed.
static void a_new_dependency_wakes_a_wait_that_needs_it(void **state) {
    (void)state;
    for (uint32_t round = 0; round < 20; ++round) {
        late_edge e = {.manager = start(0)};
        e.awaited = ct_task_open(e.manager, "awaited", (ct_task_id){0});
        const ct_thread other = ct_thread_start("waiting", run_waiting_task, &e);
        while (!atomic_load(&e.is_waiting.is_signalled))
            ct_thread_yield();
        e.queued = ct_task_add(e.manager, &(ct_task_desc){.run = increment, .data = &e.count});
        ct_os_sleep_ns(round % 2 ? 1000000 : 20000);
        assert_false(ct_task_is_done(e.manager, e.queued));
        ct_task_add(e.manager, &(ct_task_desc){.run = increment,
                                               .data = &e.count,
                                               .parent = e.awaited,
                                               .dependency = e.queued});
        ct_task_complete(e.manager, e.awaited);
        ct_thread_join(other);
        assert_int_equal(e.count, 2);
        ct_task_manager_destroy(e.manager);
    }
}

static void a_number_passes_from_an_ended_thread_to_a_new_one(void **state) {
    (void)state;
    ct_task_manager *const m = start(1);
    for (uint32_t i = 0; i < 50; ++i) {
        late_edge e = {.manager = m};
        e.awaited = ct_task_open(m, "awaited", (ct_task_id){0});
        const ct_thread other = ct_thread_start("waiting", run_waiting_task, &e);
        ct_task_wait_event(m, &e.is_waiting);
        ct_task_complete(m, e.awaited);
        ct_thread_join(other);
    }
    ct_task_manager_destroy(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wait_inside_a_task_leaves_unrelated_ones_alone),
        cmocka_unit_test(a_wait_inside_a_task_runs_all_that_the_awaited_one_needs),
        cmocka_unit_test(a_wait_inside_a_task_runs_those_that_never_wait),
        cmocka_unit_test(waiting_for_an_event_inside_a_task_runs_those_that_never_wait),
        cmocka_unit_test(no_task_runs_on_top_of_what_it_waits_for),
        cmocka_unit_test(serial_code_is_not_blocked_by_tasks_that_wait_for_it),
        cmocka_unit_test(a_wait_outside_tasks_leaves_unrelated_ones_to_the_workers),
        cmocka_unit_test(a_wait_outside_tasks_without_workers_runs_anything_last),
        cmocka_unit_test(waits_nest_with_workers),
        cmocka_unit_test(waits_that_cannot_end_are_bugs),
        cmocka_unit_test(a_task_may_add_more_than_there_are_slots),
        cmocka_unit_test(serial_code_may_add_more_than_there_are_slots),
        cmocka_unit_test(the_dependency_of_too_many_runs_to_make_room),
        cmocka_unit_test(running_out_for_good_is_reported),
        cmocka_unit_test(idle_workers_keep_no_slots),
        cmocka_unit_test(no_signal_is_lost_between_sleeping_threads),
        cmocka_unit_test(no_task_is_left_to_a_sleeping_worker),
        cmocka_unit_test(a_wait_inside_a_task_wakes_for_what_it_needs),
        cmocka_unit_test(a_new_dependency_wakes_a_wait_that_needs_it),
        cmocka_unit_test(a_number_passes_from_an_ended_thread_to_a_new_one),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
