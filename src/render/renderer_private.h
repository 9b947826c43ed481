// renderer_private.h: what the files of the renderer's update thread share.
#pragma once
#include "render/render_stream.h"

// What a renderer starts with, so that the stream is one read away.
typedef struct ct_renderer_base {
    ct_render_stream *stream; // of the frame being recorded
} ct_renderer_base;

// Returns the stream of the frame being recorded. Borrowed until the frame ends.
static inline ct_render_stream *ct_renderer_recording(ct_renderer *r) {
    return ((ct_renderer_base *)(void *)r)->stream;
}

// Issues an id of a world, object, light or GUI.
uint32_t ct_renderer_issue_id(ct_renderer *r);
