// Random graphs of tasks, held against a model that counts open tasks by itself.
//
// The tasks of a round form trees; each adds its children while it runs. So that there is no
// circle, a task depends on an older sibling (with all that is below it), or on an older leaf;
// leaves add nothing, wait for nothing and depend on older leaves only. Tasks with children wait
// for one of these or for a leaf now and then. Foreign threads add trees too, and complete open
// tasks that others left to them.
#include "foundation/error.h"
#include "foundation/os/os.h"
#include "foundation/task/task.h"
#include "support/test_support.h"

enum {
    ROUND_TASKS = 10000, // fewer than may be open: test_task_waiting.c has the case of more
    MAX_CHILDREN = 12,
    MAX_DEPTH = 9,
    NUM_FOREIGN = 2,
    NUM_LEAVES = 64, // remembered, to depend on
};

static const uint32_t none = UINT32_MAX; // no node

typedef struct node {
    struct graph *graph;
    uint32_t parent, dependency; // nodes, or none
    uint32_t depth, random;
    bool is_leaf, is_by_hand, is_affine;
    _Atomic uint64_t id;        // set when it has begun, or before
    _Atomic uint32_t num_open;  // itself until its work has ended, and its open children
    _Atomic uint32_t has_begun; // 1 once its work has
} node;

typedef struct graph {
    ct_task_manager *manager;
    node nodes[ROUND_TASKS];
    _Atomic uint32_t num_nodes;
    _Atomic uint64_t leaves[NUM_LEAVES]; // id; the generation in it makes it safe to keep
    _Atomic uint32_t leaf_nodes[NUM_LEAVES];
    _Atomic uint32_t by_hand[ROUND_TASKS]; // nodes to complete; 0: not written yet (node + 1)
    _Atomic uint32_t num_by_hand, num_completed;
    _Atomic uint32_t num_early, num_twice, num_orphans;
    // What really happened, over all rounds: dependencies and awaited tasks that were open, tasks
    // for one thread.
    _Atomic uint32_t num_depending, num_waits, num_affine;
    ct_task_priority classes[2];
    ct_task_id all;
} graph;

// --- The model -----------------------------------------------------------------------------------

static void model_open(graph *g, node *n) {
    atomic_store(&n->num_open, 1);
    if (n->parent != none)
        atomic_fetch_add(&g->nodes[n->parent].num_open, 1);
}

// What must be true at the moment the model closes a task: its parent is not done.
static void model_close(graph *g, node *n) {
    while (atomic_fetch_sub(&n->num_open, 1) == 1 && n->parent != none) {
        n = &g->nodes[n->parent];
        if (ct_task_is_done(g->manager, (ct_task_id){atomic_load(&n->id)}))
            atomic_fetch_add(&g->num_orphans, 1);
    }
}

static bool model_is_done(graph *g, uint32_t n) {
    return atomic_load(&g->nodes[n].num_open) == 0;
}

// --- Growing -------------------------------------------------------------------------------------

// Returns none when the round has all its tasks.
static uint32_t make_node(graph *g, uint32_t parent, uint32_t *random) {
    const uint32_t index = atomic_fetch_add(&g->num_nodes, 1);
    if (index >= ROUND_TASKS)
        return none;
    node *const n = &g->nodes[index];
    n->graph = g;
    n->parent = parent;
    n->dependency = none;
    n->depth = parent == none ? 0 : g->nodes[parent].depth + 1;
    n->random = test_random(random) | 1;
    n->is_leaf = n->depth == MAX_DEPTH || (n->depth > 0 && test_random(random) % 3 != 0);
    n->is_by_hand = n->depth > 0 && !n->is_leaf && test_random(random) % 8 == 0;
    model_open(g, n);
    return index;
}

static ct_task_id id_of(graph *g, uint32_t n) {
    return n == none ? (ct_task_id){0} : (ct_task_id){atomic_load(&g->nodes[n].id)};
}

static void remember_leaf(graph *g, uint32_t n, ct_task_id id, uint32_t *random) {
    const uint32_t at = test_random(random) % NUM_LEAVES;
    atomic_store(&g->leaf_nodes[at], n);
    atomic_store(&g->leaves[at], id.value);
}

// A leaf that was added before; none when there is none yet. Node and id may not belong together
// when another thread writes them now: only a node whose id is this one is taken.
static uint32_t some_leaf(graph *g, uint32_t *random) {
    const uint32_t at = test_random(random) % NUM_LEAVES;
    const uint64_t id = atomic_load(&g->leaves[at]);
    const uint32_t n = atomic_load(&g->leaf_nodes[at]);
    return id && atomic_load(&g->nodes[n].id) == id ? n : none;
}

static void leave_to_others(graph *g, uint32_t n) {
    const uint32_t at = atomic_fetch_add(&g->num_by_hand, 1);
    atomic_store(&g->by_hand[at], n + 1);
}

static void run_node(void *data);

// Adds the node below `parent`; `sibling` may be what it depends on.
static void add_node(graph *g, uint32_t index, ct_task_id parent, uint32_t sibling,
                     uint32_t *random) {
    node *const n = &g->nodes[index];
    if (n->is_by_hand) {
        atomic_store(&n->id, ct_task_open(g->manager, "by hand", parent).value);
        leave_to_others(g, index);
        return;
    }
    const uint32_t choice = test_random(random) % 4;
    if (choice == 0)
        n->dependency = some_leaf(g, random);
    else if (choice == 1 && !n->is_leaf)
        n->dependency = sibling;
    const uint32_t priority = test_random(random) % 6;
    n->is_affine = n->is_leaf && test_random(random) % 64 == 0;
    const ct_task_desc desc = {
        .name = n->is_leaf ? "leaf" : "branch",
        .run = run_node,
        .data = n,
        .parent = parent,
        .dependency = id_of(g, n->dependency),
        .priority = priority < 4 ? (ct_task_priority)priority : g->classes[priority - 4],
        .affinity = n->is_affine ? 1 : 0,
        .never_waits = n->is_leaf,
    };
    if (!ct_task_is_done(g->manager, desc.dependency))
        atomic_fetch_add(&g->num_depending, 1);
    const bool is_leaf = n->is_leaf; // the node is another's once it is added
    const ct_task_id id = ct_task_add(g->manager, &desc);
    atomic_store(&g->nodes[index].id, id.value);
    if (is_leaf)
        remember_leaf(g, index, id, random);
}

static void wait_for(graph *g, ct_task_id task) {
    if (!ct_task_is_done(g->manager, task))
        atomic_fetch_add(&g->num_waits, 1);
    ct_task_wait(g->manager, task);
}

static void grow(graph *g, uint32_t index, ct_task_id id, uint32_t *random) {
    uint32_t children[MAX_CHILDREN];
    uint32_t count = 0;
    const uint32_t wanted = test_random(random) % (MAX_CHILDREN + 1);
    while (count < wanted && (children[count] = make_node(g, index, random)) != none) {
        const uint32_t sibling = count ? children[test_random(random) % count] : none;
        add_node(g, children[count], id, sibling, random);
        ++count;
    }
    if (count && test_random(random) % 3 == 0)
        wait_for(g, id_of(g, children[test_random(random) % count]));
    if (test_random(random) % 8 == 0)
        wait_for(g, id_of(g, some_leaf(g, random)));
}

static void run_node(void *data) {
    node *const n = data;
    graph *const g = n->graph;
    const ct_task_id id = ct_task_current();
    uint32_t random = n->random;
    atomic_store(&n->id, id.value);
    if (atomic_exchange(&n->has_begun, 1))
        atomic_fetch_add(&g->num_twice, 1);
    if (n->dependency != none && !model_is_done(g, n->dependency))
        atomic_fetch_add(&g->num_early, 1);
    if (n->parent != none && ct_task_is_done(g->manager, id_of(g, n->parent)))
        atomic_fetch_add(&g->num_orphans, 1);
    if (n->is_affine)
        atomic_fetch_add(&g->num_affine, 1);
    if (!n->is_leaf)
        grow(g, (uint32_t)(n - g->nodes), id, &random);
    model_close(g, n);
}

// --- Threads -------------------------------------------------------------------------------------

// Completes an open task that somebody left; false when there is none now.
static bool complete_one(graph *g) {
    uint32_t at = atomic_load(&g->num_completed);
    while (at < atomic_load(&g->num_by_hand)) {
        const uint32_t n = atomic_load(&g->by_hand[at]);
        if (n && atomic_compare_exchange_strong(&g->num_completed, &at, at + 1)) {
            const ct_task_id id = id_of(g, n - 1);
            model_close(g, &g->nodes[n - 1]);
            ct_task_complete(g->manager, id);
            return true;
        }
        at = atomic_load(&g->num_completed);
    }
    return false;
}

typedef struct stranger {
    graph *graph;
    uint32_t random;
    _Atomic uint32_t *is_over;
} stranger;

static void add_tree(graph *g, uint32_t *random) {
    const uint32_t n = make_node(g, none, random);
    if (n != none)
        add_node(g, n, g->all, none, random);
}

// Adds trees while there are nodes, and completes what was left to it.
static void be_a_stranger(void *data) {
    stranger *const s = data;
    graph *const g = s->graph;
    while (!atomic_load(s->is_over)) {
        if (atomic_load(&g->num_nodes) < ROUND_TASKS)
            add_tree(g, &s->random);
        if (!complete_one(g))
            ct_os_sleep_ns(20000);
    }
}

static void start_round(graph *g, ct_task_manager *m) {
    atomic_store(&g->num_nodes, 0);
    for (uint32_t i = 0; i < ROUND_TASKS; ++i) {
        atomic_store(&g->nodes[i].id, 0);
        atomic_store(&g->nodes[i].num_open, 0);
        atomic_store(&g->nodes[i].has_begun, 0);
        atomic_store(&g->by_hand[i], 0);
    }
    for (uint32_t i = 0; i < NUM_LEAVES; ++i)
        atomic_store(&g->leaves[i], 0);
    atomic_store(&g->num_by_hand, 0);
    atomic_store(&g->num_completed, 0);
    g->manager = m;
    g->classes[0] = ct_task_priority_class(m, "graph_a", CT_TASK_PRIORITY_HIGH);
    g->classes[1] = ct_task_priority_class(m, "graph_b", CT_TASK_PRIORITY_LOW);
    g->all = ct_task_open(m, "all", (ct_task_id){0});
}

static void end_round(graph *g) {
    for (uint32_t i = 0; i < ROUND_TASKS; ++i) {
        assert_int_equal(atomic_load(&g->nodes[i].num_open), 0);
        assert_true(g->nodes[i].is_by_hand || atomic_load(&g->nodes[i].has_begun));
        assert_true(ct_task_is_done(g->manager, id_of(g, i)));
    }
    assert_int_equal(atomic_load(&g->num_early), 0);
    assert_int_equal(atomic_load(&g->num_twice), 0);
    assert_int_equal(atomic_load(&g->num_orphans), 0);
}

static void play_round(graph *g, ct_task_manager *m, uint32_t seed) {
    start_round(g, m);
    _Atomic uint32_t is_over = 0;
    stranger strangers[NUM_FOREIGN];
    ct_thread threads[NUM_FOREIGN];
    for (uint32_t i = 0; i < NUM_FOREIGN; ++i) {
        strangers[i] = (stranger){.graph = g, .random = seed * 8 + i + 1, .is_over = &is_over};
        threads[i] = ct_thread_start("stranger", be_a_stranger, &strangers[i]);
    }
    uint32_t random = seed * 8 + 7;
    while (atomic_load(&g->num_nodes) < ROUND_TASKS) {
        add_tree(g, &random);
        if (test_random(&random) % 16 == 0) // helps, and takes what is for this thread only
            ct_task_wait(m, id_of(g, some_leaf(g, &random)));
    }
    // Nobody may add trees to `all` any more.
    atomic_store(&is_over, 1);
    for (uint32_t i = 0; i < NUM_FOREIGN; ++i)
        ct_thread_join(threads[i]);
    atomic_store(&is_over, 0);
    const ct_thread completer = ct_thread_start("completer", be_a_stranger, &strangers[0]);
    ct_task_complete(m, g->all);
    ct_task_wait(m, g->all);
    atomic_store(&is_over, 1);
    ct_thread_join(completer);
    end_round(g);
}

// A million tasks in all; in sanitizer builds a tenth of that.
static void random_graphs_run_in_order(void **state) {
    (void)state;
#ifdef CT_SANITIZE
    const uint32_t num_rounds = test_rounds(2, 20);
#else
    const uint32_t num_rounds = 20;
#endif
    static const uint32_t worker_counts[] = {0, 1, 2, 3, 6};
    graph *const g = CT_NEW(test_heap(), graph);
    atomic_store(&g->num_depending, 0);
    atomic_store(&g->num_waits, 0);
    atomic_store(&g->num_affine, 0);
    for (uint32_t i = 0; i < CT_COUNT_OF(worker_counts); ++i) {
        ct_task_manager *const m = ct_task_manager_create(
            &(ct_task_manager_desc){.allocator = test_heap(), .num_workers = worker_counts[i]});
        ct_task_register_thread(m, 1);
        for (uint32_t round = 0; round < num_rounds; ++round)
            play_round(g, m, i * 100 + round + 1);
        ct_task_manager_destroy(m);
    }
    assert_true(atomic_load(&g->num_depending) > 0);
    assert_true(atomic_load(&g->num_waits) > 0);
    assert_true(atomic_load(&g->num_affine) > 0);
    ct_free_sized(test_heap(), g, sizeof(*g));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs_run_in_order),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
