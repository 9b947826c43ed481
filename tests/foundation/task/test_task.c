#include "foundation/error.h"
#include "foundation/os/os.h"
#include "foundation/task/task_counts.h"
#include "support/test_support.h"

#include <stdio.h>
#include <string.h>

static ct_task_manager *start(uint32_t num_workers) {
    return ct_task_manager_create(
        &(ct_task_manager_desc){.allocator = test_heap(), .num_workers = num_workers});
}

// Each test of behaviour runs with these numbers of workers.
static const uint32_t worker_counts[] = {0, 1, 2, 4};

// The order in which tasks ran.
typedef struct journal {
    ct_mutex mutex;
    uint32_t count;
    uint32_t entries[64];
} journal;

typedef struct journal_task {
    journal *journal;
    uint32_t number;
} journal_task;

static void write_journal(void *data) {
    const journal_task *const t = data;
    ct_mutex_lock(&t->journal->mutex);
    t->journal->entries[t->journal->count++] = t->number;
    ct_mutex_unlock(&t->journal->mutex);
}

static void increment(void *data) {
    __atomic_add_fetch((uint32_t *)data, 1, __ATOMIC_RELAXED);
}

static void runs_a_task_while_waiting(void **state) {
    (void)state;
    for (uint32_t i = 0; i < CT_COUNT_OF(worker_counts); ++i) {
        ct_task_manager *const m = start(worker_counts[i]);
        uint32_t count = 0; // written by the task, read after the wait: no atomic needed here
        const ct_task_id task =
            ct_task_add(m, &(ct_task_desc){.name = "count", .run = increment, .data = &count});
        assert_true(task.value != 0);
        ct_task_wait(m, task);
        assert_true(ct_task_is_done(m, task));
        assert_int_equal(count, 1);
        ct_task_manager_destroy(m);
    }
}

static void none_is_done(void **state) {
    (void)state;
    ct_task_manager *const m = start(0);
    assert_true(ct_task_is_done(m, (ct_task_id){0}));
    ct_task_wait(m, (ct_task_id){0});
    ct_task_manager_destroy(m);
}

static void a_task_is_not_done_before_it_ran(void **state) {
    (void)state;
    ct_task_manager *const m = start(0);
    uint32_t count = 0;
    const ct_task_id task = ct_task_add(m, &(ct_task_desc){.run = increment, .data = &count});
    assert_false(ct_task_is_done(m, task));
    assert_int_equal(count, 0);
    ct_task_wait(m, task);
    ct_task_manager_destroy(m);
}

static void old_ids_stay_done_when_their_slot_is_used_again(void **state) {
    (void)state;
    ct_task_manager *const m = start(0);
    uint32_t count = 0;
    const ct_task_id old = ct_task_add(m, &(ct_task_desc){.run = increment, .data = &count});
    ct_task_wait(m, old);
    // So many that each slot is open again.
    const ct_task_id all = ct_task_open(m, "all", (ct_task_id){0});
    for (uint32_t i = 1; i < CT_TASK_MAX_OPEN; ++i) {
        const ct_task_id task =
            ct_task_add(m, &(ct_task_desc){.run = increment, .data = &count, .parent = all});
        assert_true(task.value != old.value);
    }
    assert_true(ct_task_is_done(m, old));
    ct_task_complete(m, all);
    ct_task_wait(m, all);
    assert_int_equal(count, CT_TASK_MAX_OPEN);
    ct_task_manager_destroy(m);
}

static void higher_priorities_run_first_in_order(void **state) {
    (void)state;
    ct_task_manager *const m = start(0);
    journal j = {0};
    ct_mutex_init(&j.mutex);
    static const ct_task_priority priorities[] = {
        CT_TASK_PRIORITY_LOW,  CT_TASK_PRIORITY_NORMAL,   CT_TASK_PRIORITY_HIGH,
        CT_TASK_PRIORITY_LOW,  CT_TASK_PRIORITY_CRITICAL, CT_TASK_PRIORITY_NORMAL,
        CT_TASK_PRIORITY_HIGH, CT_TASK_PRIORITY_CRITICAL};
    static const uint32_t expected[] = {4, 7, 2, 6, 1, 5, 0, 3};
    journal_task tasks[8];
    const ct_task_id all = ct_task_open(m, "all", (ct_task_id){0});
    for (uint32_t i = 0; i < 8; ++i) {
        tasks[i] = (journal_task){&j, i};
        ct_task_add(m, &(ct_task_desc){.run = write_journal,
                                       .data = &tasks[i],
                                       .parent = all,
                                       .priority = priorities[i]});
    }
    ct_task_complete(m, all);
    ct_task_wait(m, all);
    assert_int_equal(j.count, 8);
    assert_memory_equal(j.entries, expected, sizeof(expected));
    ct_mutex_shutdown(&j.mutex);
    ct_task_manager_destroy(m);
}

static void levels_run_in_order_on_a_registered_thread(void **state) {
    (void)state;
    ct_task_manager *const m = start(0);
    ct_task_register_thread(m, 1);
    journal j = {0};
    ct_mutex_init(&j.mutex);
    static const ct_task_priority priorities[] = {
        CT_TASK_PRIORITY_LOW,  CT_TASK_PRIORITY_CRITICAL, CT_TASK_PRIORITY_NORMAL,
        CT_TASK_PRIORITY_HIGH, CT_TASK_PRIORITY_LOW,      CT_TASK_PRIORITY_CRITICAL,
        CT_TASK_PRIORITY_HIGH};
    journal_task tasks[7];
    ct_task_desc descs[7];
    const ct_task_id all = ct_task_open(m, "all", (ct_task_id){0});
    for (uint32_t i = 0; i < 7; ++i) {
        tasks[i] = (journal_task){&j, (uint32_t)priorities[i]};
        descs[i] = (ct_task_desc){.run = write_journal,
                                  .data = &tasks[i],
                                  .parent = all,
                                  .priority = priorities[i],
                                  .affinity = i < 5 ? 0 : 1};
    }
    ct_task_add_array(m, descs, 7, NULL);
    ct_task_complete(m, all);
    ct_task_wait(m, all);
    static const uint32_t expected[] = {CT_TASK_PRIORITY_CRITICAL, CT_TASK_PRIORITY_CRITICAL,
                                        CT_TASK_PRIORITY_HIGH,     CT_TASK_PRIORITY_HIGH,
                                        CT_TASK_PRIORITY_NORMAL,   CT_TASK_PRIORITY_LOW,
                                        CT_TASK_PRIORITY_LOW};
    assert_int_equal(j.count, 7);
    assert_memory_equal(j.entries, expected, sizeof(expected));
    ct_mutex_shutdown(&j.mutex);
    ct_task_manager_destroy(m);
}

// Runs a task of each of the two classes, the second one first if it is the more important; returns
// the number of the one that ran first.
static uint32_t first_of(ct_task_manager *m, ct_task_priority a, ct_task_priority b) {
    journal j = {0};
    ct_mutex_init(&j.mutex);
    journal_task tasks[] = {{&j, 0}, {&j, 1}};
    const ct_task_id all = ct_task_open(m, "all", (ct_task_id){0});
    ct_task_add_array(
        m,
        (ct_task_desc[]){{.run = write_journal, .data = &tasks[0], .parent = all, .priority = a},
                         {.run = write_journal, .data = &tasks[1], .parent = all, .priority = b}},
        2, NULL);
    ct_task_complete(m, all);
    ct_task_wait(m, all);
    ct_mutex_shutdown(&j.mutex);
    return j.entries[0];
}

static void classes_of_priority_follow_what_the_game_sets(void **state) {
    (void)state;
    ct_task_manager *const m = start(0);
    assert_true(ct_task_set_priority(m, "early", CT_TASK_PRIORITY_CRITICAL)); // before it is known
    const ct_task_priority early = ct_task_priority_class(m, "early", CT_TASK_PRIORITY_LOW);
    const ct_task_priority cull = ct_task_priority_class(m, "render_cull", CT_TASK_PRIORITY_NORMAL);
    assert_int_equal(ct_task_priority_class(m, "render_cull", CT_TASK_PRIORITY_HIGH), cull);
    assert_true(early != cull);
    assert_int_equal(first_of(m, CT_TASK_PRIORITY_HIGH, early), 1);
    assert_int_equal(first_of(m, CT_TASK_PRIORITY_HIGH, cull), 0);
    assert_int_equal(first_of(m, CT_TASK_PRIORITY_LOW, cull), 1);
    assert_true(ct_task_set_priority(m, "render_cull", CT_TASK_PRIORITY_CRITICAL));
    assert_int_equal(first_of(m, CT_TASK_PRIORITY_HIGH, cull), 1);
    ct_task_manager_destroy(m);
}

static void levels_keep_their_names_and_classes_their_number(void **state) {
    (void)state;
    ct_task_manager *const m = start(0);
    assert_false(ct_task_set_priority(m, "high", CT_TASK_PRIORITY_LOW));
    assert_false(ct_task_set_priority(m, "", CT_TASK_PRIORITY_LOW));
    assert_int_equal(first_of(m, CT_TASK_PRIORITY_NORMAL, CT_TASK_PRIORITY_HIGH), 1);
    char name[32];
    for (uint32_t i = 4; i < CT_TASK_MAX_PRIORITIES; ++i) {
        snprintf(name, sizeof(name), "class %u", i);
        assert_true(ct_task_set_priority(m, name, CT_TASK_PRIORITY_LOW));
    }
    assert_false(ct_task_set_priority(m, "one more", CT_TASK_PRIORITY_LOW));
    assert_true(ct_task_set_priority(m, "class 127", CT_TASK_PRIORITY_CRITICAL));
    ct_task_manager_destroy(m);
}

static void classes_that_nobody_asked_for_are_known(void **state) {
    (void)state;
    ct_task_manager *const m = start(0);
    ct_task_priority_class(m, "engine", CT_TASK_PRIORITY_LOW);
    assert_null(ct_task_unused_class(m, 0));
    ct_task_set_priority(m, "engine", CT_TASK_PRIORITY_HIGH);
    ct_task_set_priority(m, "misspelt", CT_TASK_PRIORITY_HIGH);
    ct_task_set_priority(m, "game", CT_TASK_PRIORITY_HIGH);
    ct_task_set_priority(m, "wrong", CT_TASK_PRIORITY_LOW);
    ct_task_priority_class(m, "game", CT_TASK_PRIORITY_LOW);
    assert_string_equal(ct_task_unused_class(m, 0), "misspelt");
    assert_string_equal(ct_task_unused_class(m, 1), "wrong");
    assert_null(ct_task_unused_class(m, 2));
    ct_task_manager_destroy(m);
}

static void an_array_of_tasks_is_added_at_once(void **state) {
    (void)state;
    for (uint32_t i = 0; i < CT_COUNT_OF(worker_counts); ++i) {
        ct_task_manager *const m = start(worker_counts[i]);
        uint32_t counts[2] = {0};
        ct_task_desc descs[300];
        ct_task_id ids[300];
        const ct_task_id parents[] = {ct_task_open(m, "a", (ct_task_id){0}),
                                      ct_task_open(m, "b", (ct_task_id){0})};
        for (uint32_t k = 0; k < 300; ++k) // three runs of siblings
            descs[k] = (ct_task_desc){
                .run = increment, .data = &counts[k / 100 % 2], .parent = parents[k / 100 % 2]};
        ct_task_add_array(m, descs, 300, ids);
        ct_task_complete(m, parents[0]);
        ct_task_complete(m, parents[1]);
        ct_task_wait(m, parents[0]);
        assert_int_equal(counts[0], 200);
        ct_task_wait(m, parents[1]);
        assert_int_equal(counts[1], 100);
        for (uint32_t k = 0; k < 300; ++k)
            assert_true(ct_task_is_done(m, ids[k]));
        ct_task_add_array(m, NULL, 0, NULL);
        ct_task_manager_destroy(m);
    }
}

static void note_current(void *data) {
    ct_task_id *const seen = data;
    *seen = ct_task_current();
    assert_string_equal(ct_task_current_name(), "watched");
}

static void a_task_knows_its_id_and_name(void **state) {
    (void)state;
    ct_task_manager *const m = start(0);
    ct_task_id seen = {0};
    assert_null(ct_task_current_name());
    const ct_task_id task =
        ct_task_add(m, &(ct_task_desc){.name = "watched", .run = note_current, .data = &seen});
    ct_task_wait(m, task);
    assert_true(seen.value == task.value);
    assert_true(ct_task_current().value == 0);
    assert_null(ct_task_current_name());
    ct_task_manager_destroy(m);
}

static void a_dependency_is_done_first(void **state) {
    (void)state;
    for (uint32_t i = 0; i < CT_COUNT_OF(worker_counts); ++i) {
        ct_task_manager *const m = start(worker_counts[i]);
        journal j = {0};
        ct_mutex_init(&j.mutex);
        journal_task tasks[32];
        ct_task_id last = ct_task_open(m, "gate", (ct_task_id){0});
        const ct_task_id gate = last;
        for (uint32_t k = 0; k < 32; ++k) {
            // Priorities against the order must not matter.
            tasks[k] = (journal_task){&j, k};
            last = ct_task_add(m, &(ct_task_desc){.run = write_journal,
                                                  .data = &tasks[k],
                                                  .dependency = last,
                                                  .priority = (ct_task_priority)(k % 4)});
        }
        assert_int_equal(j.count, 0);
        ct_task_complete(m, gate);
        ct_task_wait(m, last);
        assert_int_equal(j.count, 32);
        for (uint32_t k = 0; k < 32; ++k)
            assert_int_equal(j.entries[k], k);
        ct_mutex_shutdown(&j.mutex);
        ct_task_manager_destroy(m);
    }
}

typedef struct family {
    ct_task_manager *manager;
    ct_task_id parent;
    uint32_t num_children_done;
    uint32_t seen_by_dependent;
} family;

static void run_child(void *data) {
    family *const f = data;
    ct_os_sleep_ns(1000000);
    __atomic_add_fetch(&f->num_children_done, 1, __ATOMIC_RELAXED);
}

// Adds its children while it runs, so that its own work ends long before theirs.
static void run_parent(void *data) {
    family *const f = data;
    for (uint32_t i = 0; i < 8; ++i)
        ct_task_add(f->manager, &(ct_task_desc){.run = run_child, .data = f, .parent = f->parent});
}

static void run_dependent(void *data) {
    family *const f = data;
    f->seen_by_dependent = __atomic_load_n(&f->num_children_done, __ATOMIC_RELAXED);
}

static void a_parent_is_done_after_its_children(void **state) {
    (void)state;
    for (uint32_t i = 0; i < CT_COUNT_OF(worker_counts); ++i) {
        ct_task_manager *const m = start(worker_counts[i]);
        family f = {.manager = m};
        // The gate holds the parent back until its id is known to its own work.
        const ct_task_id gate = ct_task_open(m, "gate", (ct_task_id){0});
        f.parent =
            ct_task_add(m, &(ct_task_desc){.run = run_parent, .data = &f, .dependency = gate});
        const ct_task_id dependent = ct_task_add(
            m, &(ct_task_desc){.run = run_dependent, .data = &f, .dependency = f.parent});
        ct_task_complete(m, gate);
        ct_task_wait(m, f.parent);
        assert_int_equal(f.num_children_done, 8);
        ct_task_wait(m, dependent);
        assert_int_equal(f.seen_by_dependent, 8);
        ct_task_manager_destroy(m);
    }
}

static void an_open_task_waits_for_its_completion_and_its_children(void **state) {
    (void)state;
    ct_task_manager *const m = start(0);
    uint32_t count = 0;
    const ct_task_id grandparent = ct_task_open(m, "grandparent", (ct_task_id){0});
    const ct_task_id parent = ct_task_open(m, "parent", grandparent);
    const ct_task_id child =
        ct_task_add(m, &(ct_task_desc){.run = increment, .data = &count, .parent = parent});
    ct_task_complete(m, grandparent);
    ct_task_wait(m, child);
    assert_false(ct_task_is_done(m, parent));
    assert_false(ct_task_is_done(m, grandparent));
    ct_task_complete(m, parent);
    assert_true(ct_task_is_done(m, parent));
    assert_true(ct_task_is_done(m, grandparent));
    ct_task_manager_destroy(m);
}

static void an_empty_task_is_done_once_its_dependency_is(void **state) {
    (void)state;
    for (uint32_t i = 0; i < CT_COUNT_OF(worker_counts); ++i) {
        ct_task_manager *const m = start(worker_counts[i]);
        const ct_task_id gate = ct_task_open(m, "gate", (ct_task_id){0});
        const ct_task_id empty = ct_task_add(m, &(ct_task_desc){.dependency = gate});
        assert_false(ct_task_is_done(m, empty));
        ct_task_complete(m, gate);
        ct_task_wait(m, empty);
        ct_task_manager_destroy(m);
    }
}

typedef struct stranger {
    ct_task_manager *manager;
    ct_task_id task;
    ct_task_event *event;
} stranger;

static void complete_later(void *data) {
    const stranger *const s = data;
    ct_os_sleep_ns(5000000);
    ct_task_complete(s->manager, s->task);
}

static void another_thread_completes_an_open_task(void **state) {
    (void)state;
    for (uint32_t i = 0; i < CT_COUNT_OF(worker_counts); ++i) {
        ct_task_manager *const m = start(worker_counts[i]);
        stranger s = {.manager = m, .task = ct_task_open(m, "elsewhere", (ct_task_id){0})};
        uint32_t count = 0;
        const ct_task_id after =
            ct_task_add(m, &(ct_task_desc){.run = increment, .data = &count, .dependency = s.task});
        const ct_thread thread = ct_thread_start("stranger", complete_later, &s);
        ct_task_wait(m, after);
        assert_int_equal(count, 1);
        ct_thread_join(thread);
        ct_task_manager_destroy(m);
    }
}

// Only a thread that runs tasks while it waits for the event gets it.
static void signal_after_the_task(void *data) {
    const stranger *const s = data;
    while (!ct_task_is_done(s->manager, s->task))
        ct_os_sleep_ns(100000);
    ct_task_signal(s->manager, s->event);
}

static void waiting_for_an_event_runs_tasks(void **state) {
    (void)state;
    for (uint32_t i = 0; i < CT_COUNT_OF(worker_counts); ++i) {
        ct_task_manager *const m = start(worker_counts[i]);
        ct_task_event event = {0};
        uint32_t count = 0;
        const ct_task_id all = ct_task_open(m, "all", (ct_task_id){0});
        for (uint32_t k = 0; k < 10; ++k)
            ct_task_add(m, &(ct_task_desc){.run = increment, .data = &count, .parent = all});
        ct_task_complete(m, all);
        stranger s = {.manager = m, .task = all, .event = &event};
        const ct_thread thread = ct_thread_start("stranger", signal_after_the_task, &s);
        ct_task_wait_event(m, &event);
        assert_int_equal(count, 10);
        ct_thread_join(thread);
        ct_task_wait_event(m, &event); // signalled already
        assert_true(ct_task_is_done(m, all));
        ct_task_manager_destroy(m);
    }
}

static void signal_as_a_task(void *data) {
    const stranger *const s = data;
    ct_task_signal(s->manager, s->event);
}

static void a_task_may_signal_the_event_that_its_thread_waits_for(void **state) {
    (void)state;
    ct_task_manager *const m = start(0);
    ct_task_event event = {0};
    stranger s = {.manager = m, .event = &event};
    const ct_task_id task = ct_task_add(m, &(ct_task_desc){.run = signal_as_a_task, .data = &s});
    ct_task_wait_event(m, &event);
    ct_task_wait(m, task);
    ct_task_manager_destroy(m);
}

static void note_thread(void *data) {
    *(uint64_t *)data = ct_thread_current_id();
}

typedef struct render_thread {
    ct_task_manager *manager;
    ct_task_event is_registered;
    ct_task_id task; // set before `may_wait` is signalled
    ct_task_event may_wait;
    uint64_t id;
} render_thread;

static void run_render_thread(void *data) {
    render_thread *const r = data;
    ct_task_register_thread(r->manager, 2);
    r->id = ct_thread_current_id();
    ct_task_signal(r->manager, &r->is_registered);
    ct_task_wait_event(r->manager, &r->may_wait);
    ct_task_wait(r->manager, r->task);
}

static void affine_tasks_run_on_their_thread_only(void **state) {
    (void)state;
    for (uint32_t i = 0; i < CT_COUNT_OF(worker_counts); ++i) {
        ct_task_manager *const m = start(worker_counts[i]);
        ct_task_register_thread(m, 1);
        render_thread r = {.manager = m};
        const ct_thread thread = ct_thread_start("render", run_render_thread, &r);
        ct_task_wait_event(m, &r.is_registered);
        uint64_t update_ran_on = 0, render_ran_on = 0;
        const ct_task_id update = ct_task_add(
            m, &(ct_task_desc){.run = note_thread, .data = &update_ran_on, .affinity = 1});
        r.task = ct_task_add(
            m, &(ct_task_desc){.run = note_thread, .data = &render_ran_on, .affinity = 2});
        ct_task_signal(m, &r.may_wait);
        ct_task_wait(m, update);
        ct_task_wait(m, r.task);
        assert_true(update_ran_on == ct_thread_current_id());
        assert_true(render_ran_on == r.id);
        ct_thread_join(thread);
        ct_task_manager_destroy(m);
    }
}

static void adds_more_tasks_than_there_are_slots(void **state) {
    (void)state;
    const uint32_t num_tasks =
        test_rounds(CT_TASK_MAX_OPEN + CT_TASK_MAX_OPEN / 4, 3 * CT_TASK_MAX_OPEN);
    for (uint32_t i = 0; i < CT_COUNT_OF(worker_counts); ++i) {
        ct_task_manager *const m = start(worker_counts[i]);
        uint32_t count = 0;
        const ct_task_id all = ct_task_open(m, "all", (ct_task_id){0});
        for (uint32_t k = 0; k < num_tasks; ++k)
            ct_task_add(m, &(ct_task_desc){.run = increment, .data = &count, .parent = all});
        ct_task_complete(m, all);
        ct_task_wait(m, all);
        assert_int_equal(count, num_tasks);
        ct_task_manager_destroy(m);
    }
}

typedef struct coverage {
    uint32_t *visits; // of each index
    uint32_t count, grain;
    uint32_t num_too_long;
} coverage;

static void visit_range(void *data, uint32_t begin, uint32_t end) {
    coverage *const c = data;
    if (end - begin > c->grain || begin >= end || end > c->count)
        __atomic_add_fetch(&c->num_too_long, 1, __ATOMIC_RELAXED);
    for (uint32_t i = begin; i < end; ++i)
        __atomic_add_fetch(&c->visits[i], 1, __ATOMIC_RELAXED);
}

static void parallel_for_covers_each_index_once(void **state) {
    (void)state;
    static const uint32_t counts[] = {0, 1, 2, 63, 64, 65, 1000, 100000};
    static const uint32_t grains[] = {1, 7, 64, 1000000, UINT32_MAX};
    for (uint32_t i = 0; i < CT_COUNT_OF(worker_counts); ++i) {
        ct_task_manager *const m = start(worker_counts[i]);
        for (uint32_t k = 0; k < CT_COUNT_OF(counts) * CT_COUNT_OF(grains); ++k) {
            coverage c = {.count = counts[k / CT_COUNT_OF(grains)],
                          .grain = grains[k % CT_COUNT_OF(grains)]};
            c.visits = CT_NEW_ARRAY(test_heap(), uint32_t, c.count);
            ct_task_parallel_for(m, c.count, c.grain, visit_range, &c);
            assert_int_equal(c.num_too_long, 0);
            for (uint32_t n = 0; n < c.count; ++n)
                assert_int_equal(c.visits[n], 1);
            ct_free(test_heap(), c.visits);
        }
        ct_task_manager_destroy(m);
    }
}

typedef struct nested_loop {
    ct_task_manager *manager;
    uint32_t sum;
} nested_loop;

static void add_one(void *data, uint32_t begin, uint32_t end) {
    __atomic_add_fetch(&((nested_loop *)data)->sum, end - begin, __ATOMIC_RELAXED);
}

static void loop_inside(void *data, uint32_t begin, uint32_t end) {
    nested_loop *const n = data;
    for (uint32_t i = begin; i < end; ++i)
        ct_task_parallel_for(n->manager, 100, 3, add_one, n);
}

static void parallel_loops_nest(void **state) {
    (void)state;
    for (uint32_t i = 0; i < CT_COUNT_OF(worker_counts); ++i) {
        nested_loop n = {.manager = start(worker_counts[i])};
        ct_task_parallel_for(n.manager, 50, 1, loop_inside, &n);
        assert_int_equal(n.sum, 5000);
        ct_task_manager_destroy(n.manager);
    }
}

static void depend_on_grandparent(void *user) {
    ct_task_manager *const m = user;
    const ct_task_id grandparent = ct_task_open(m, "grandparent", (ct_task_id){0});
    const ct_task_id parent = ct_task_open(m, "parent", grandparent);
    ct_task_add(m, &(ct_task_desc){.name = "child", .parent = parent, .dependency = grandparent});
}

static void complete_twice(void *user) {
    ct_task_manager *const m = user;
    const ct_task_id parent = ct_task_open(m, "parent", (ct_task_id){0});
    ct_task_open(m, "child", parent);
    ct_task_complete(m, parent);
    ct_task_complete(m, parent);
}

static void complete_an_added_task(void *user) {
    ct_task_complete(user, ct_task_add(user, &(ct_task_desc){.name = "added"}));
}

static void add_below_a_done_parent(void *user) {
    ct_task_manager *const m = user;
    const ct_task_id parent = ct_task_open(m, "parent", (ct_task_id){0});
    ct_task_complete(m, parent);
    ct_task_add(m, &(ct_task_desc){.name = "orphan", .parent = parent});
}

static void destroy_with_an_open_task(void *user) {
    ct_task_open(user, "open", (ct_task_id){0});
    ct_task_manager_destroy(user);
}

static void take_an_unknown_priority(void *user) {
    ct_task_add(user, &(ct_task_desc){.name = "odd", .priority = (ct_task_priority)77});
}

static void name_a_class_as_a_level(void *user) {
    ct_task_priority_class(user, "normal", CT_TASK_PRIORITY_LOW);
}

#ifdef CT_BUILD_DEV
// `later` depends on `a`; a child of `a` that depends on the parent of `later` closes the circle.
static void depend_in_a_circle(void *user) {
    ct_task_manager *const m = user;
    const ct_task_id a = ct_task_open(m, "a", (ct_task_id){0});
    const ct_task_id b = ct_task_open(m, "b", (ct_task_id){0});
    ct_task_add(m, &(ct_task_desc){.name = "later", .parent = b, .dependency = a});
    ct_task_add(m, &(ct_task_desc){.name = "last", .parent = a, .dependency = b});
}
#endif

static void wrong_use_is_a_bug(void **state) {
    (void)state;
    ct_task_manager *const m = start(0);
    test_expect_death(depend_on_grandparent, m,
                      "the task child depends on its ancestor grandparent");
    test_expect_death(complete_twice, m, "is already completed");
    test_expect_death(complete_an_added_task, m, "was not made by ct_task_open");
    test_expect_death(add_below_a_done_parent, m, "the parent of the task orphan is already done");
    test_expect_death(take_an_unknown_priority, m, "unknown priority 77");
    test_expect_death(name_a_class_as_a_level, m,
                      "\"normal\" is not a valid name for a priority class");
#ifdef CT_BUILD_DEV
    test_expect_death(depend_in_a_circle, m, "the task last depends on b, which needs it: a cycle");
#endif
    test_expect_death(destroy_with_an_open_task, m, "1 tasks are still open");
    ct_task_manager_destroy(m);
}

// --- The example of task.h -----------------------------------------------------------------------

typedef struct find_data {
    const float *heights;
    float *highest;
} find_data;

static void raise_heights(void *data, uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i < end; ++i)
        ((float *)data)[i] = (float)(i % 700);
}

static void smooth_all(void *data) {
    float *const heights = data;
    for (uint32_t i = 0; i + 1 < 1000; ++i)
        heights[i] = (heights[i] + heights[i + 1]) / 2;
}

static void find_highest(void *data) {
    const find_data *const find = data;
    for (uint32_t i = 0; i < 1000; ++i)
        if (find->heights[i] > *find->highest)
            *find->highest = find->heights[i];
}

static void example_of_the_header(void **state) {
    (void)state;
    ct_allocator *const a = test_heap();
    ct_task_manager *const m =
        ct_task_manager_create(&(ct_task_manager_desc){.allocator = a, .num_workers = 2});
    float heights[1000], highest = 0;

    // A loop on all threads, at most 64 indices in a call; done when it returns.
    ct_task_parallel_for(m, 1000, 64, raise_heights, heights);

    // A task, and one that starts when it is done. `data` is borrowed until then.
    const ct_task_id smooth =
        ct_task_add(m, &(ct_task_desc){.name = "smooth", .run = smooth_all, .data = heights});
    find_data find = {heights, &highest};
    const ct_task_desc desc = {
        .name = "find", .run = find_highest, .data = &find, .dependency = smooth};
    ct_task_wait(m, ct_task_add(m, &desc)); // runs tasks meanwhile
    ct_task_manager_destroy(m);
    assert_true(highest == 698.5f); // between 698 and 699
}

static void nothing(void *data) {
    (void)data;
}

static void counts_what_threads_do(void **state) {
    (void)state;
    ct_task_manager *const m =
        ct_task_manager_create(&(ct_task_manager_desc){.allocator = test_heap(), .num_workers = 0});
    ct_task_register_thread(m, 1);
    for (uint32_t i = 0; i < 3; ++i)
        ct_task_wait(m, ct_task_add(m, &(ct_task_desc){.name = "nothing", .run = nothing}));
    ct_task_thread_counts counts[2] = {{0}};
    assert_int_equal(ct_task_counts(m, counts, 2), 1);
    assert_int_equal(counts[0].affinity, 1);
    assert_int_equal(counts[0].num_run, 3);
    assert_int_equal(counts[0].num_waits, 3);
    assert_int_equal(counts[0].num_idle, 0);
    assert_int_equal(ct_task_counts(m, counts, 0), 1);
    ct_task_manager_destroy(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example_of_the_header),
        cmocka_unit_test(runs_a_task_while_waiting),
        cmocka_unit_test(none_is_done),
        cmocka_unit_test(a_task_is_not_done_before_it_ran),
        cmocka_unit_test(old_ids_stay_done_when_their_slot_is_used_again),
        cmocka_unit_test(higher_priorities_run_first_in_order),
        cmocka_unit_test(levels_run_in_order_on_a_registered_thread),
        cmocka_unit_test(classes_of_priority_follow_what_the_game_sets),
        cmocka_unit_test(levels_keep_their_names_and_classes_their_number),
        cmocka_unit_test(classes_that_nobody_asked_for_are_known),
        cmocka_unit_test(an_array_of_tasks_is_added_at_once),
        cmocka_unit_test(a_task_knows_its_id_and_name),
        cmocka_unit_test(a_dependency_is_done_first),
        cmocka_unit_test(a_parent_is_done_after_its_children),
        cmocka_unit_test(an_open_task_waits_for_its_completion_and_its_children),
        cmocka_unit_test(an_empty_task_is_done_once_its_dependency_is),
        cmocka_unit_test(another_thread_completes_an_open_task),
        cmocka_unit_test(waiting_for_an_event_runs_tasks),
        cmocka_unit_test(a_task_may_signal_the_event_that_its_thread_waits_for),
        cmocka_unit_test(affine_tasks_run_on_their_thread_only),
        cmocka_unit_test(adds_more_tasks_than_there_are_slots),
        cmocka_unit_test(parallel_for_covers_each_index_once),
        cmocka_unit_test(parallel_loops_nest),
        cmocka_unit_test(counts_what_threads_do),
        cmocka_unit_test(wrong_use_is_a_bug),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
