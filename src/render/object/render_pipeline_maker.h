// render_pipeline_maker.h: makes pipelines on threads of its own, in the order asked for.
//
// Owns the pipeline cache, which its threads save now and then. With no threads, nothing is made
// until it is waited for. What is made waits to be taken by the render thread, whose functions
// these are.
#pragma once
#include "foundation/os/os.h"
#include "render/device/render_cache.h"
#include "render/object/render_pipeline.h"

enum { CT_RENDER_MOST_MAKERS = 4 };

// A pipeline to make.
typedef struct ct_render_pipeline_job {
    uint64_t key;            // of the caller's; jobs are known by it and by `is_next`
    ct_render_shader shader; // borrowed until the job is taken or cancelled
    uint32_t owner;          // the shader's index
    bool is_next;            // for a shader that is to take the place of one
    uint32_t options, vertices;
    ct_render_signature signature;
    VkPipeline made; // VK_NULL_HANDLE: it cannot be made
    VkResult result; // of the driver
} ct_render_pipeline_job;

typedef CT_ARRAY(ct_render_pipeline_job) ct_render_pipeline_jobs;

typedef struct ct_render_pipeline_maker {
    const ct_render_device *device;
    ct_render_device unguarded; // a copy, for the threads
    ct_render_cache cache;
    uint32_t num_threads;
    ct_thread threads[CT_RENDER_MOST_MAKERS];
    ct_mutex mutex; // of what follows
    ct_condition wanted, finished;
    ct_render_pipeline_jobs queue; // from `first` on; jobs before it were begun
    uint32_t first;
    ct_render_pipeline_jobs running; // only what they are known by
    ct_render_pipeline_jobs done;
    bool is_ending, is_saving;
    uint64_t saved_ns; // when the cache was last saved
    uint32_t num_unsaved;
} ct_render_pipeline_maker;

// Opens the pipeline cache of a folder (NULL: no file) and starts `num_threads` (at most
// CT_RENDER_MOST_MAKERS). It borrows the device, which must outlive it, and must not move.
void ct_render_pipeline_maker_start(ct_render_pipeline_maker *m, const ct_render_device *d,
                                    const char *cache_folder, uint32_t num_threads);

// Ends the threads, gives up what was not begun, and destroys what was made and not taken; saves
// and closes the cache. Does nothing when it is not started.
void ct_render_pipeline_maker_stop(ct_render_pipeline_maker *m);

// Queues a job, which is copied.
void ct_render_pipeline_maker_add(ct_render_pipeline_maker *m, const ct_render_pipeline_job *job);

// Appends the jobs that are done to `done` and forgets them. The caller owns the pipelines.
void ct_render_pipeline_maker_take(ct_render_pipeline_maker *m, ct_render_pipeline_jobs *done);

// Waits until all jobs are done; without threads, does them.
void ct_render_pipeline_maker_wait(ct_render_pipeline_maker *m);

// Waits until this job is done, and does it when no thread began it.
void ct_render_pipeline_maker_hurry(ct_render_pipeline_maker *m, uint64_t key, bool is_next);

// Forgets all jobs of a shader, or those for what is to take its place, and destroys what was made.
// Waits for those that are being made.
void ct_render_pipeline_maker_cancel(ct_render_pipeline_maker *m, uint32_t owner, bool is_next);
