#include "render/render_thread.h"

#include "foundation/profiler/profiler.h"
#include "render/device/render_recovery.h"

static void publish(ct_render_thread *t, ct_render_stats stats) {
    ct_profiler_counter("draws", stats.num_draws);
    ct_profiler_counter("triangles", stats.num_triangles);
    ct_profiler_counter("late pipelines", stats.num_late_pipelines);
    ct_mutex_lock(&t->stats_mutex);
    t->stats = stats;
    ct_mutex_unlock(&t->stats_mutex);
}

static void draw_frame(ct_render_thread *t, uint64_t frame, const ct_render_stream *stream) {
    CT_PROFILER_SCOPE("render frame");
    publish(t, ct_render_state_frame(t->state, frame, stream));
    ct_render_recover(t->state);
}

static void take_wanted(ct_render_thread *t, uint64_t surface, const ct_render_stream *resources) {
    CT_PROFILER_SCOPE("recover");
    publish(t, ct_render_recovery_take(t->state, surface, resources));
    ct_render_recover(t->state);
}

// Until all is drawn; the next frame finds all pipelines made.
static void flush(ct_render_thread *t) {
    if (!t->state->has_failed) {
        ct_render_shaders_wait(&t->state->shaders);
        ct_render_frames_wait(&t->state->frames, t->state->frame);
    }
    ct_render_recover(t->state);
    t->flush_wants = t->state->wants;
    ct_task_signal(t->tasks, &t->flushed);
}

static void pass_streams(ct_render_thread *t) {
    ct_u64_array *const wanted = &t->state->textures.wanted;
    ct_array_push_many(&t->streams, wanted->items, wanted->count);
    wanted->count = 0;
}

static void run(void *data) {
    ct_render_thread *const t = data;
    ct_task_register_thread(t->tasks, CT_RENDER_TASK_AFFINITY);
    for (;;) {
        ct_task_wait_event(t->tasks, &t->handed);
        ct_task_event_clear(&t->handed);
        const ct_render_hand_over kind = t->kind;
        const ct_render_stream *const stream = t->stream;
        const uint64_t frame = t->frame, surface = t->surface;
        const bool can_wait =
            kind == CT_RENDER_HAND_OVER_FRAME || kind == CT_RENDER_HAND_OVER_FLUSH;
        t->wants = can_wait ? t->state->wants : 0;
        const bool is_taken = t->wants == 0;
        pass_streams(t);
        ct_task_signal(t->tasks, &t->taken);
        if (!is_taken)
            continue;
        switch (kind) {
        case CT_RENDER_HAND_OVER_FRAME:
            draw_frame(t, frame, stream);
            break;
        case CT_RENDER_HAND_OVER_FLUSH:
            flush(t);
            break;
        case CT_RENDER_HAND_OVER_WANTED:
            take_wanted(t, surface, stream);
            break;
        default:
            return;
        }
    }
}

void ct_render_thread_start(ct_render_thread *t, ct_render_state *state, ct_task_manager *tasks) {
    *t = (ct_render_thread){.tasks = tasks, .state = state};
    ct_mutex_init(&t->stats_mutex);
    ct_array_init(&t->streams, state->allocator);
    t->thread = ct_thread_start("render", run, t);
}

// Returns what is wanted first when it was not taken.
static uint32_t hand_over(ct_render_thread *t, ct_render_hand_over kind, uint64_t frame,
                          const ct_render_stream *stream) {
    t->kind = kind;
    t->frame = frame;
    t->stream = stream;
    CT_PROFILER_SCOPE("wait for render thread");
    ct_task_signal(t->tasks, &t->handed);
    ct_task_wait_event(t->tasks, &t->taken);
    ct_task_event_clear(&t->taken);
    return kind == CT_RENDER_HAND_OVER_FRAME || kind == CT_RENDER_HAND_OVER_FLUSH ? t->wants : 0;
}

void ct_render_thread_end(ct_render_thread *t) {
    hand_over(t, CT_RENDER_HAND_OVER_END, 0, NULL);
    ct_thread_join(t->thread);
    ct_array_free(&t->streams);
    ct_mutex_shutdown(&t->stats_mutex);
}

uint32_t ct_render_thread_frame(ct_render_thread *t, uint64_t frame,
                                const ct_render_stream *stream) {
    return hand_over(t, CT_RENDER_HAND_OVER_FRAME, frame, stream);
}

uint32_t ct_render_thread_flush(ct_render_thread *t) {
    const uint32_t wants = hand_over(t, CT_RENDER_HAND_OVER_FLUSH, 0, NULL);
    if (wants)
        return wants;
    ct_task_wait_event(t->tasks, &t->flushed);
    ct_task_event_clear(&t->flushed);
    return t->flush_wants;
}

void ct_render_thread_give(ct_render_thread *t, uint64_t surface,
                           const ct_render_stream *resources) {
    t->surface = surface;
    hand_over(t, CT_RENDER_HAND_OVER_WANTED, 0, resources);
}

ct_render_stats ct_render_thread_stats(ct_render_thread *t) {
    ct_mutex_lock(&t->stats_mutex);
    const ct_render_stats stats = t->stats;
    ct_mutex_unlock(&t->stats_mutex);
    return stats;
}
