#include "render/render_thread.h"

#include "foundation/profiler.h"

static void draw_frame(ct_render_thread *t, uint64_t frame, const ct_render_stream *stream) {
    CT_PROFILER_SCOPE("render frame");
    const ct_render_stats stats = ct_render_state_frame(t->state, frame, stream);
    ct_profiler_counter("draws", stats.num_draws);
    ct_profiler_counter("triangles", stats.num_triangles);
    ct_mutex_lock(&t->stats_mutex);
    t->stats = stats;
    ct_mutex_unlock(&t->stats_mutex);
}

static void run(void *data) {
    ct_render_thread *t = data;
    ct_task_register_thread(t->tasks, CT_RENDER_TASK_AFFINITY);
    uint64_t last_frame = 0;
    for (;;) {
        ct_task_wait_event(t->tasks, &t->handed);
        ct_task_event_clear(&t->handed);
        const ct_render_hand_over kind = t->kind;
        const ct_render_stream *stream = t->stream;
        const uint64_t frame = t->frame;
        ct_task_signal(t->tasks, &t->taken);
        switch (kind) {
        case CT_RENDER_HAND_OVER_FRAME:
            draw_frame(t, frame, stream);
            last_frame = frame;
            break;
        case CT_RENDER_HAND_OVER_FLUSH:
            ct_render_frames_wait(&t->state->frames, last_frame);
            ct_task_signal(t->tasks, &t->flushed);
            break;
        default:
            return;
        }
    }
}

void ct_render_thread_start(ct_render_thread *t, ct_render_state *state, ct_task_manager *tasks) {
    *t = (ct_render_thread){.tasks = tasks, .state = state};
    ct_mutex_init(&t->stats_mutex);
    t->thread = ct_thread_start("render", run, t);
}

static void hand_over(ct_render_thread *t, ct_render_hand_over kind, uint64_t frame,
                      const ct_render_stream *stream) {
    t->kind = kind;
    t->frame = frame;
    t->stream = stream;
    CT_PROFILER_SCOPE("wait for render thread");
    ct_task_signal(t->tasks, &t->handed);
    ct_task_wait_event(t->tasks, &t->taken);
    ct_task_event_clear(&t->taken);
}

void ct_render_thread_end(ct_render_thread *t) {
    hand_over(t, CT_RENDER_HAND_OVER_END, 0, NULL);
    ct_thread_join(t->thread);
    ct_mutex_shutdown(&t->stats_mutex);
}

void ct_render_thread_frame(ct_render_thread *t, uint64_t frame, const ct_render_stream *stream) {
    hand_over(t, CT_RENDER_HAND_OVER_FRAME, frame, stream);
}

void ct_render_thread_flush(ct_render_thread *t) {
    hand_over(t, CT_RENDER_HAND_OVER_FLUSH, 0, NULL);
    ct_task_wait_event(t->tasks, &t->flushed);
    ct_task_event_clear(&t->flushed);
}

ct_render_stats ct_render_thread_stats(ct_render_thread *t) {
    ct_mutex_lock(&t->stats_mutex);
    const ct_render_stats stats = t->stats;
    ct_mutex_unlock(&t->stats_mutex);
    return stats;
}
