// stand_in_renderer.h: the renderer's update-thread side without the rest of it.
//
// Worlds under measurement tell the renderer of objects as in a game: ids are counted up and
// commands go into a render stream (render_stream.h), as renderer.c does it. Nothing reads them.
#pragma once
#include "render/renderer.h"

// The renderer to give to a world system.
ct_renderer *ct_stand_in_renderer(void);

// Empties the stream, which keeps its memory: the frame is over.
void ct_stand_in_renderer_end_frame(void);

// Frees the stream.
void ct_stand_in_renderer_free(void);

// The bytes in the stream.
uint32_t ct_stand_in_renderer_bytes(void);
