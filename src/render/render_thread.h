// render_thread.h: the render thread and what is handed to it.
//
// One thing is handed over at a time: a frame with its stream, a wish to wait for the device, or
// the end. The update thread goes on when it was taken, so it runs at most one frame ahead, and the
// stream that it fills next is free. The render thread does tasks while it has nothing to draw.
#pragma once
#include "foundation/os.h"
#include "render/render_state.h"

typedef enum ct_render_hand_over {
    CT_RENDER_HAND_OVER_NONE,
    CT_RENDER_HAND_OVER_FRAME,
    CT_RENDER_HAND_OVER_FLUSH,
    CT_RENDER_HAND_OVER_END,
} ct_render_hand_over;

enum { CT_RENDER_TASK_AFFINITY = 2 }; // of the render thread

typedef struct ct_render_thread {
    ct_task_manager *tasks;
    ct_render_state *state;
    ct_thread thread;
    // Written by the update thread before `handed`, read by the render thread before `taken`:
    ct_render_hand_over kind;
    uint64_t frame;
    const ct_render_stream *stream; // stays as it is until the next hand-over is taken
    ct_task_event handed, taken, flushed;
    ct_mutex stats_mutex;
    ct_render_stats stats;
} ct_render_thread;

// Starts the thread, which owns `state` until it ends.
void ct_render_thread_start(ct_render_thread *t, ct_render_state *state, ct_task_manager *tasks);

// Ends the thread and waits for it.
void ct_render_thread_end(ct_render_thread *t);

// Hands a frame over and returns when the thread begins it; does tasks meanwhile.
void ct_render_thread_frame(ct_render_thread *t, uint64_t frame, const ct_render_stream *stream);

// Returns when all that was handed over is drawn.
void ct_render_thread_flush(ct_render_thread *t);

// What the last frame did. Any thread.
ct_render_stats ct_render_thread_stats(ct_render_thread *t);
