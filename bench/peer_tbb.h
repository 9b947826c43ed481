// peer_tbb.h: the same workloads as bench_task.c, by oneTBB.
#pragma once
#include "foundation/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Lets TBB use `num_threads` threads, the calling one included, until peer_tbb_end.
void peer_tbb_begin(uint32_t num_threads);
void peer_tbb_end(void);

// Adds and waits for `num_batches` times `batch` tasks that do nothing.
void peer_tbb_empty(uint32_t num_batches, uint32_t batch);

// The nth Fibonacci number with a task for each n of 2 and more.
uint64_t peer_tbb_fibonacci(uint32_t n);

// `num_stages` times two calls of work(), each stage after the one before.
void peer_tbb_stages(uint32_t num_stages, void (*work)(void));

// run(data, begin, end) over [0, count), in pieces of TBB's choice.
void peer_tbb_for(uint32_t count, void (*run)(void *data, uint32_t begin, uint32_t end),
                  void *data);

#ifdef __cplusplus
}
#endif
