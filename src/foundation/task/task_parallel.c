// task_parallel.c: loops whose pieces all threads take.
#include "foundation/task/task_private.h"

enum { CHUNKS_PER_THREAD = 4 };

typedef struct parallel_loop {
    const ct_task_loop_desc *desc;
    _Atomic uint32_t num_left; // indices at the end that nobody has taken
    uint32_t num_threads;
} parallel_loop;

// Takes a chunk: of what is left so large a part that no thread ends long after the others, and at
// least `grain`. So few threads meet at the counter, and each walks through memory in order.
// Returns false when nothing is left.
static bool take_chunk(parallel_loop *loop, uint32_t *begin, uint32_t *end) {
    const uint32_t grain = loop->desc->grain;
    uint32_t left = atomic_load_explicit(&loop->num_left, memory_order_relaxed);
    uint32_t size;
    do {
        if (left == 0)
            return false;
        const uint32_t share = left / (CHUNKS_PER_THREAD * loop->num_threads);
        size = share > grain ? share - share % grain : grain;
        size = size < left ? size : left;
    } while (!atomic_compare_exchange_weak_explicit(&loop->num_left, &left, left - size,
                                                    memory_order_relaxed, memory_order_relaxed));
    *begin = loop->desc->count - left;
    *end = *begin + size;
    return true;
}

static void run_chunks(void *data) {
    parallel_loop *const loop = data;
    const ct_task_loop_desc *const desc = loop->desc;
    uint32_t begin, end;
    while (take_chunk(loop, &begin, &end)) {
        for (; end - begin > desc->grain; begin += desc->grain)
            desc->run(desc->data, begin, begin + desc->grain);
        desc->run(desc->data, begin, end);
    }
}

// A loop nests in a piece of another without danger: a thread waits only for tasks that it added
// itself right before, and only such as another thread has begun already.
void ct_task_loop(ct_task_manager *m, const ct_task_loop_desc *desc) {
    CT_ASSERT(desc->grain > 0, "the grain of a loop must be at least 1, found 0");
    if (desc->count == 0)
        return;
    // One task for each other thread; each takes chunks until there are no more.
    const uint32_t other_pieces = (desc->count - 1) / desc->grain;
    const uint32_t num_threads = atomic_load(&m->num_threads);
    const uint32_t num_tasks = other_pieces < num_threads ? other_pieces : num_threads;
    parallel_loop loop = {.desc = desc, .num_left = desc->count, .num_threads = num_tasks + 1};
    if (num_tasks == 0) {
        run_chunks(&loop);
        return;
    }
    const char *const name = desc->name ? desc->name : "parallel for";
    const ct_task_id all = ct_task_open(m, name, (ct_task_id){0});
    const ct_task_desc task = {.name = name,
                               .run = run_chunks,
                               .data = &loop,
                               .parent = all,
                               .priority = desc->priority,
                               .never_waits = true};
    for (uint32_t i = 0; i < num_tasks; ++i)
        ct_task_add(m, &task);
    run_chunks(&loop);
    ct_task_complete(m, all);
    ct_task_wait_for_pieces(m, all);
}

void ct_task_parallel_for(ct_task_manager *m, uint32_t count, uint32_t grain,
                          void (*run)(void *data, uint32_t begin, uint32_t end), void *data) {
    ct_task_loop(m, &(ct_task_loop_desc){.run = run,
                                         .data = data,
                                         .count = count,
                                         .grain = grain,
                                         .priority = CT_TASK_PRIORITY_HIGH});
}
