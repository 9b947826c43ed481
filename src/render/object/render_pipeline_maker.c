#include "render/object/render_pipeline_maker.h"

#include "foundation/profiler/profiler.h"
#include "render/device/vulkan_guard.h"

#define SAVE_PERIOD_NS 10000000000ull

// --- Jobs ----------------------------------------------------------------------------------------

static void make(const ct_render_device *d, VkPipelineCache cache, ct_render_pipeline_job *job) {
    CT_PROFILER_SCOPE("make pipeline");
    job->made = ct_render_pipeline_create(d, cache, &job->shader, job->options, &job->signature,
                                          job->vertices, &job->result);
}

static bool is_job(const ct_render_pipeline_job *job, uint64_t key, bool is_next) {
    return job->key == key && job->is_next == is_next;
}

// Takes the job at position `i` out of the queue. Locked.
static ct_render_pipeline_job begin(ct_render_pipeline_maker *m, uint32_t i) {
    const ct_render_pipeline_job job = m->queue.items[i];
    for (; i > m->first; --i)
        m->queue.items[i] = m->queue.items[i - 1];
    if (++m->first == m->queue.count)
        m->first = m->queue.count = 0;
    ct_array_push(&m->running, job);
    return job;
}

// Puts a job among those that are done. Locked.
static void finish(ct_render_pipeline_maker *m, const ct_render_pipeline_job *job) {
    for (uint32_t i = 0; i < m->running.count; ++i)
        if (is_job(&m->running.items[i], job->key, job->is_next)) {
            ct_array_swap_erase(&m->running, i);
            break;
        }
    ct_array_push(&m->done, *job);
    ++m->num_unsaved;
    ct_condition_broadcast(&m->finished);
}

// Does the job at position `i` of the queue. Locked; unlocked meanwhile.
static void do_job(ct_render_pipeline_maker *m, const ct_render_device *d, uint32_t i) {
    ct_render_pipeline_job job = begin(m, i);
    ct_mutex_unlock(&m->mutex);
    make(d, m->cache.handle, &job);
    ct_mutex_lock(&m->mutex);
    finish(m, &job);
}

// --- Threads -------------------------------------------------------------------------------------

// Saves the cache when there is nothing else to do. Locked; unlocked meanwhile.
static void save(ct_render_pipeline_maker *m) {
    m->is_saving = true;
    m->num_unsaved = 0;
    ct_mutex_unlock(&m->mutex);
    ct_render_cache_save(&m->cache, &m->unguarded);
    ct_mutex_lock(&m->mutex);
    m->is_saving = false;
    m->saved_ns = ct_os_time_ns();
}

static void run(void *data) {
    ct_render_pipeline_maker *const m = data;
    ct_mutex_lock(&m->mutex);
    while (!m->is_ending) {
        const bool is_unsaved = m->cache.path[0] && m->num_unsaved && !m->is_saving;
        const uint64_t since_ns = ct_os_time_ns() - m->saved_ns;
        if (m->first < m->queue.count)
            do_job(m, &m->unguarded, m->first);
        else if (is_unsaved && since_ns >= SAVE_PERIOD_NS)
            save(m);
        else if (is_unsaved)
            ct_condition_wait_for(&m->wanted, &m->mutex, SAVE_PERIOD_NS - since_ns);
        else
            ct_condition_wait(&m->wanted, &m->mutex);
    }
    ct_mutex_unlock(&m->mutex);
}

// --- Life cycle ----------------------------------------------------------------------------------

void ct_render_pipeline_maker_start(ct_render_pipeline_maker *m, const ct_render_device *d,
                                    const char *cache_folder, uint32_t num_threads) {
    *m = (ct_render_pipeline_maker){
        .device = d, .unguarded = *d, .num_threads = num_threads, .saved_ns = ct_os_time_ns()};
    m->unguarded.vk = *ct_vulkan_guard_unguarded();
    ct_render_cache_open(&m->cache, d, cache_folder);
    ct_mutex_init(&m->mutex);
    ct_condition_init(&m->wanted);
    ct_condition_init(&m->finished);
    ct_array_init(&m->queue, d->allocator);
    ct_array_init(&m->running, d->allocator);
    ct_array_init(&m->done, d->allocator);
    for (uint32_t i = 0; i < num_threads; ++i)
        m->threads[i] = ct_thread_start("pipelines", run, m);
}

void ct_render_pipeline_maker_stop(ct_render_pipeline_maker *m) {
    if (!m->device)
        return;
    const ct_render_device *const d = m->device;
    ct_mutex_lock(&m->mutex);
    m->is_ending = true;
    ct_condition_broadcast(&m->wanted);
    ct_mutex_unlock(&m->mutex);
    for (uint32_t i = 0; i < m->num_threads; ++i)
        ct_thread_join(m->threads[i]);
    for (uint32_t i = 0; i < m->done.count && d->handle; ++i)
        d->vk.DestroyPipeline(d->handle, m->done.items[i].made, &d->callbacks);
    if (d->handle && !ct_render_device_is_lost())
        ct_render_cache_save(&m->cache, d);
    ct_render_cache_close(&m->cache, d);
    ct_array_free(&m->queue);
    ct_array_free(&m->running);
    ct_array_free(&m->done);
    ct_condition_shutdown(&m->wanted);
    ct_condition_shutdown(&m->finished);
    ct_mutex_shutdown(&m->mutex);
    m->device = NULL;
}

// --- Interface -----------------------------------------------------------------------------------

void ct_render_pipeline_maker_add(ct_render_pipeline_maker *m, const ct_render_pipeline_job *job) {
    ct_mutex_lock(&m->mutex);
    ct_array_push(&m->queue, *job);
    ct_condition_signal(&m->wanted);
    ct_mutex_unlock(&m->mutex);
}

void ct_render_pipeline_maker_take(ct_render_pipeline_maker *m, ct_render_pipeline_jobs *done) {
    ct_mutex_lock(&m->mutex);
    if (m->done.count)
        ct_array_push_many(done, m->done.items, m->done.count);
    m->done.count = 0;
    ct_mutex_unlock(&m->mutex);
}

// The device by which the render thread does jobs: as the threads do, if there are some.
static const ct_render_device *own_device(const ct_render_pipeline_maker *m) {
    return m->num_threads ? &m->unguarded : m->device;
}

void ct_render_pipeline_maker_wait(ct_render_pipeline_maker *m) {
    CT_PROFILER_SCOPE("wait for pipelines");
    ct_mutex_lock(&m->mutex);
    while (m->first < m->queue.count || m->running.count)
        if (m->first < m->queue.count)
            do_job(m, own_device(m), m->first);
        else
            ct_condition_wait(&m->finished, &m->mutex);
    ct_mutex_unlock(&m->mutex);
}

static bool is_running(const ct_render_pipeline_maker *m, uint64_t key, bool is_next) {
    for (uint32_t i = 0; i < m->running.count; ++i)
        if (is_job(&m->running.items[i], key, is_next))
            return true;
    return false;
}

void ct_render_pipeline_maker_hurry(ct_render_pipeline_maker *m, uint64_t key, bool is_next) {
    CT_PROFILER_SCOPE("wait for pipeline");
    ct_mutex_lock(&m->mutex);
    for (uint32_t i = m->first; i < m->queue.count; ++i)
        if (is_job(&m->queue.items[i], key, is_next)) {
            do_job(m, own_device(m), i);
            break;
        }
    while (is_running(m, key, is_next))
        ct_condition_wait(&m->finished, &m->mutex);
    ct_mutex_unlock(&m->mutex);
}

static bool is_of(const ct_render_pipeline_job *job, uint32_t owner, bool is_next) {
    return job->owner == owner && job->is_next == is_next;
}

static void forget_queued(ct_render_pipeline_maker *m, uint32_t owner, bool is_next) {
    uint32_t kept = 0;
    for (uint32_t i = m->first; i < m->queue.count; ++i)
        if (!is_of(&m->queue.items[i], owner, is_next))
            m->queue.items[kept++] = m->queue.items[i];
    m->first = 0;
    m->queue.count = kept;
}

static bool is_any_running(const ct_render_pipeline_maker *m, uint32_t owner, bool is_next) {
    for (uint32_t i = 0; i < m->running.count; ++i)
        if (is_of(&m->running.items[i], owner, is_next))
            return true;
    return false;
}

void ct_render_pipeline_maker_cancel(ct_render_pipeline_maker *m, uint32_t owner, bool is_next) {
    const ct_render_device *const d = m->device;
    ct_mutex_lock(&m->mutex);
    forget_queued(m, owner, is_next);
    while (is_any_running(m, owner, is_next))
        ct_condition_wait(&m->finished, &m->mutex);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->done.count; ++i) {
        const ct_render_pipeline_job *const job = &m->done.items[i];
        if (is_of(job, owner, is_next))
            d->vk.DestroyPipeline(d->handle, job->made, &d->callbacks);
        else
            m->done.items[kept++] = *job;
    }
    m->done.count = kept;
    ct_mutex_unlock(&m->mutex);
}
