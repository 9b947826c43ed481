// sound_streams.h: sounds that are read and decoded while they play.
//
// A stream is a ring of decoded frames for one real voice of a streamed sound. A thread of its own
// (or ct_sound_streams_fill, without a thread) reads chunks by the resource manager's reader,
// decodes them, and fills the rings ahead of the voices. The mixer reads frames by their number,
// waits for nothing and never touches a file.
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

// Makes the streams. With `has_thread` a service thread fills them. `a` must be safe on any thread.
// A ring of 512 KB is allocated when as many streams are first in use at once.
ct_sound_streams *ct_sound_streams_create(ct_allocator *a, bool has_thread);

// Ends the thread and frees all; the mixer must not read any stream any more. NULL is fine.
void ct_sound_streams_destroy(ct_sound_streams *s);

// --- For the update thread -----------------------------------------------------------------------

// Takes a stream for a streamed sound; it fills from `frame` (counted on over loops) on. With
// `loops` the sound's loop repeats, or all of it when it has none. Returns UINT32_MAX when all are
// in use. If a chunk cannot be read or decoded, that is an error, logged once for each sound, and the
// stream gives nothing more. In a folder, a chunk of other data was compiled again meanwhile: that is
// not logged. A loop of at most 65,536 frames is decoded only once. `media` is not used after the call,
// its resource until ct_sound_streams_forget.
uint32_t ct_sound_stream_open(ct_sound_streams *s, const ct_sound_media *media, bool loops,
                              uint64_t frame);

// Gives a stream back. The mixer must not read it any more. Waits for nothing that takes long.
void ct_sound_stream_close(ct_sound_streams *s, uint32_t stream);

// Uses nothing of a sound any more, which is about to be unloaded: streams of it that are still open give
// what they have in their rings, and then nothing. Call it without the mixer's lock: it may wait for
// a decoder that is being made, a millisecond, but not for the disk.
void ct_sound_streams_forget(ct_sound_streams *s, const ct_sound_resource *resource);

// Fills all streams now, on the calling thread: for tests, and for rendering without a clock.
void ct_sound_streams_fill(ct_sound_streams *s);

// --- For the mixer -------------------------------------------------------------------------------

// Copies `count` frames from `frame` on to `out` (num_channels by turns, full scale is 1: a sample
// of int16_t times 1 / 32768), and lets what lies before `frame` be overwritten. What is past the
// end of a sound that does not loop is silence. Returns false, and copies nothing, when not all are
// there: too early, or the voice has jumped. The stream then fills from the frame that the voice
// last asked for. Waits for nothing. One thread.
bool ct_sound_stream_read(ct_sound_streams *s, uint32_t stream, uint64_t frame, uint32_t count,
                          float *out);

// Whether nothing comes from a stream any more once its ring is empty, because its data are damaged: a
// voice should end. False if other media are expected. One thread.
bool ct_sound_stream_is_broken(const ct_sound_streams *s, uint32_t stream);
