// frames.h: sends what the game draws to tools, as streams of pictures.
//
// A stream shows a part of the game's picture, or a world as a camera of the client's sees it, which is drawn before
// the game's views, and covered by them. Only what has changed is sent. A client says which pictures it has shown;
// at most 3 are on their way to it, and when it is often behind, pictures become coarser, then smaller, and better
// again later. An own thread encodes. Without streams nothing is done. Update thread. Messages: frames_protocol.c.
#pragma once
#include "dev/console_server.h"
#include "dev/frames/frame_stream.h"

enum { CT_FRAMES_MAX_STREAMS = 16 };

typedef struct ct_frames ct_frames;

// Makes an empty list for the clients of a server, which is borrowed. `a` must be safe from any thread.
ct_frames *ct_frames_create(ct_allocator *a, ct_console_server *server);

// Frees it; NULL is fine. Once the renderer has ended.
void ct_frames_destroy(ct_frames *f);

// Closes all streams: the worlds are about to end.
void ct_frames_end(ct_frames *f);

// Sends the pictures that are ready, and asks for those that are due. At a frame boundary, after the messages.
void ct_frames_update(ct_frames *f, ct_app *app);

// Opens a stream of a client. `desc->number` is set. Returns its number, or 0 with `error`.
uint32_t ct_frames_open(ct_frames *f, const ct_frame_stream_desc *desc, ct_error *error);

// Returns the open stream of a client, or NULL.
ct_frame_stream *ct_frames_stream(ct_frames *f, ct_console_client_id client, uint32_t number);

// Closes a stream.
void ct_frames_close(ct_frames *f, ct_frame_stream *s);
