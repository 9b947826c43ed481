// sound_streams.h: sounds that are read and decoded while they play.
//
// A stream is a ring of decoded frames for one real voice of a streamed sound. A thread of its own (or
// ct_sound_streams_fill, where there is none) reads chunks by the resource manager's reader, decodes
// them, and fills the rings ahead of the voices. The mixer reads frames by their number, waits for
// nothing and never touches a file.
//
// Frames of a stream are counted on over loops: frame n of a looping sound is, from loop_end on,
// loop_begin + (n - loop_begin) % (loop_end - loop_begin). Voices count the same way.
#pragma once
#include "sound/media/sound_media.h"

enum {
    CT_SOUND_MAX_STREAMS = 32,
    CT_SOUND_STREAM_FRAMES = 1 << 17, // of a ring: 2.7 seconds
};

typedef struct ct_sound_streams ct_sound_streams;

// Makes the streams. With `has_thread` a service thread fills them.
ct_sound_streams *ct_sound_streams_create(ct_allocator *a, bool has_thread);
void ct_sound_streams_destroy(ct_sound_streams *s);

// --- For the update thread -----------------------------------------------------------------------

// Takes a stream for a sound; it fills from `frame` (counted on over loops) on. Returns UINT32_MAX when
// all are in use or a chunk cannot be read.
uint32_t ct_sound_stream_open(ct_sound_streams *s, const ct_sound_media *media, bool loops,
                              uint64_t frame);

// Gives a stream back. The mixer must not read it any more.
void ct_sound_stream_close(ct_sound_streams *s, uint32_t stream);

// Fills all streams now, on the calling thread: for tests, and for rendering without a clock.
void ct_sound_streams_fill(ct_sound_streams *s);

// --- For the mixer -------------------------------------------------------------------------------

// Copies `count` frames from `frame` on to `out` (num_channels by turns, full scale is 1), and lets
// what lies before `frame` be overwritten. Returns false, and copies nothing, when not all are there;
// the stream then fills from the frame that the voice asks for next.
bool ct_sound_stream_read(ct_sound_streams *s, uint32_t stream, uint64_t frame, uint32_t count,
                          float *out);
