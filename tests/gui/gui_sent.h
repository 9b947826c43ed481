// gui_sent.h: what the frame of a recorder sends of GUIs.
#pragma once
#include "render/render_stream.h"

// The commands of one kind in a frame, so far.
typedef struct gui_sent {
    uint32_t num_commands, num_quads;
    const ct_render_command_gui_quads *last; // borrowed from the stream
} gui_sent;

// Counts the commands of a kind that the frame being recorded has.
static inline gui_sent gui_sent_of(const ct_renderer *renderer, ct_render_command_type type) {
    gui_sent s = {0};
    uint64_t cursor = 0;
    const void *payload;
    const ct_render_command_header *header;
    while ((header = ct_render_stream_next(ct_renderer_stream(renderer), &cursor, &payload)))
        if (header->type == type) {
            s.last = payload;
            ++s.num_commands;
            s.num_quads += s.last->num_quads;
        }
    return s;
}
