// render_pictures.h: parts of frames that are read back once the device has finished them (renderer_picture.h).
// Render thread.
#pragma once
#include "render/graph/render_graph.h"
#include "render/render_stream.h"

// A part that was copied, and waits for the device.
typedef struct ct_render_pending_picture {
    ct_render_buffer buffer;
    uint32_t width, height;
    uint64_t frame;
    ct_render_command_picture request;
} ct_render_pending_picture;

typedef struct ct_render_pictures {
    CT_ARRAY(ct_render_command_picture) requests;           // of the frame being applied
    CT_ARRAY(const ct_render_command_draw_picture *) views; // likewise; borrowed from its stream
    CT_ARRAY(ct_render_pending_picture) pending;            // in the order of their frames
} ct_render_pictures;

// Makes empty lists, with memory from `a`.
void ct_render_pictures_init(ct_render_pictures *p, ct_allocator *a);

// Frees the lists, which must be empty: drop them first.
void ct_render_pictures_free(ct_render_pictures *p);

// Calls back all that waits, without pixels, and leaves its memory to the context's retire queue.
void ct_render_pictures_drop(ct_render_pictures *p, ct_render_context *c);

// Calls back the requests of this frame, without pixels: it drew nothing.
void ct_render_pictures_refuse(ct_render_pictures *p);

// The same of the views of this frame that are drawn for one picture.
void ct_render_pictures_refuse_views(ct_render_pictures *p);

// Records the copy of a part of the back buffer, in pixels, to memory that the processor reads when the frame is
// done. After the last copy, record ct_render_end_copies.
ct_render_buffer ct_render_copy_back_buffer(ct_render_graph *g, VkRect2D area);

// Makes the copies of this frame visible to the processor.
void ct_render_end_copies(const ct_render_context *c);

// Records the copy of a part of the back buffer as it is now, for the frame `frame`. After the last one, record
// ct_render_end_copies.
void ct_render_pictures_record_one(ct_render_pictures *p, ct_render_graph *g, uint64_t frame,
                                   const ct_render_command_picture *request);

// Records copies of the parts that were asked for in this frame, `frame`.
void ct_render_pictures_record(ct_render_pictures *p, ct_render_graph *g, uint64_t frame);

// Calls back what belongs to frames up to `completed`.
void ct_render_pictures_deliver(ct_render_pictures *p, ct_render_context *c, uint64_t completed);
