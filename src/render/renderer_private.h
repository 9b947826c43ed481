// renderer_private.h: what the files of the renderer's update thread share.
#pragma once
#include "render/render_stream.h"

// Returns the stream of the frame being recorded. Borrowed until the frame ends.
ct_render_stream *ct_renderer_recording(ct_renderer *r);

// Issues an id of a world, object, light or GUI.
uint32_t ct_renderer_issue_id(ct_renderer *r);
