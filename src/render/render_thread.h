// render_thread.h: the render thread and the hand-over of frames to it.
//
// The update thread hands over one item at a time: a frame with its stream, a request to wait for
// the device, the things that the render thread requested, or the end. It continues when the item
// was taken, so it runs at most one frame ahead, and the stream that it fills next is free. When
// the device or the window's surface was lost, the render thread takes no frames and waits until
// the update thread has given what it requested (render_recovery.h). The render thread runs tasks
// while it has nothing to draw. All functions are for the update thread unless they say otherwise.
#pragma once
#include "foundation/os/os.h"
#include "render/object/render_state.h"

// What the update thread hands to the render thread.
typedef enum ct_render_hand_over {
    CT_RENDER_HAND_OVER_NONE,
    CT_RENDER_HAND_OVER_FRAME,
    CT_RENDER_HAND_OVER_FLUSH,
    CT_RENDER_HAND_OVER_WANTED,
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
    const ct_render_stream *stream; // unchanged until the next hand-over is taken
    uint64_t surface;               // WANTED: VkSurfaceKHR
    ct_task_event handed, taken, flushed;
    // ct_render_want, written by the render thread before `taken` and before `flushed`:
    uint32_t wants, flush_wants;
    // Textures whose upper mips are wanted: appended by the render thread before `taken`, emptied
    // by the update thread after it.
    ct_u64_array streams;
    ct_mutex stats_mutex;
    ct_render_stats stats;
} ct_render_thread;

// Starts the thread, which owns `state` until it ends. `t` must not move until then.
void ct_render_thread_start(ct_render_thread *t, ct_render_state *state, ct_task_manager *tasks);

// Ends the thread and waits for it.
void ct_render_thread_end(ct_render_thread *t);

// Hands a frame over and returns 0 when the render thread begins it; runs tasks meanwhile.
// Otherwise returns ct_render_want bits, and the frame was not taken: call ct_render_thread_give,
// then hand it over again. `stream` is borrowed until the next hand-over is taken.
uint32_t ct_render_thread_frame(ct_render_thread *t, uint64_t frame,
                                const ct_render_stream *stream);

// Returns 0 when everything handed over is drawn, or the ct_render_want bits that the render thread
// needs first.
uint32_t ct_render_thread_flush(ct_render_thread *t);

// Gives the requested surface and resources, as ct_render_recovery_take describes.
void ct_render_thread_give(ct_render_thread *t, uint64_t surface,
                           const ct_render_stream *resources);

// Returns the statistics of the last frame. Any thread.
ct_render_stats ct_render_thread_stats(ct_render_thread *t);
