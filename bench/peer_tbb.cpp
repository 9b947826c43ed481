#include "peer_tbb.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_group.h>

static tbb::global_control *limit;

extern "C" void peer_tbb_begin(uint32_t num_threads) {
    limit = new tbb::global_control(tbb::global_control::max_allowed_parallelism, num_threads);
}

extern "C" void peer_tbb_end(void) {
    delete limit;
}

extern "C" void peer_tbb_empty(uint32_t num_batches, uint32_t batch) {
    tbb::task_group group;
    for (uint32_t i = 0; i < num_batches; ++i) {
        for (uint32_t k = 0; k < batch; ++k)
            group.run([] {});
        group.wait();
    }
}

extern "C" uint64_t peer_tbb_fibonacci(uint32_t n) {
    if (n < 2)
        return n;
    uint64_t a = 0;
    tbb::task_group group;
    group.run([&a, n] { a = peer_tbb_fibonacci(n - 1); });
    const uint64_t b = peer_tbb_fibonacci(n - 2);
    group.wait();
    return a + b;
}

extern "C" void peer_tbb_stages(uint32_t num_stages, void (*work)(void)) {
    tbb::task_group group;
    for (uint32_t i = 0; i < num_stages; ++i) {
        group.run(work);
        group.run(work);
        group.wait();
    }
}

extern "C" void peer_tbb_for(uint32_t count, void (*run)(void *data, uint32_t begin, uint32_t end),
                             void *data) {
    tbb::parallel_for(
        tbb::blocked_range<uint32_t>(0, count),
        [=](const tbb::blocked_range<uint32_t> &piece) { run(data, piece.begin(), piece.end()); });
}
