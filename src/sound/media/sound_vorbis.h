// sound_vorbis.h: decodes the chunks of a sound that is stored as Vorbis.
//
// Chunks are packets without a container (sound_resource.h). Each is decoded by itself, so its
// frames are the same whatever was decoded before. Any bytes are fine: what is damaged is an error.
// libvorbis allocates from its own heap. A decoder belongs to one thread at a time.
#pragma once
#include "foundation/memory/allocator.h"
#include "resource/types/sound_resource.h"

typedef struct ct_sound_vorbis ct_sound_vorbis;

// Makes a decoder from the headers of `r`, which is not used any more afterwards. Returns NULL with
// `error` when they are invalid, are of another sound, or libvorbis is not installed. Takes about a
// millisecond.
ct_sound_vorbis *ct_sound_vorbis_create(ct_allocator *a, const ct_sound_resource *r,
                                        ct_error *error);

// Frees the decoder; NULL is fine.
void ct_sound_vorbis_destroy(ct_sound_vorbis *v);

// Decodes a chunk of `bytes`, after its head if it has one, to the first `num_frames` of its frames
// (num_channels by turns, 32768 is full scale; rounded, and limited to what int16_t holds). Returns
// false with `error` when the chunk is invalid or has fewer frames; `frames` are then undefined.
bool ct_sound_vorbis_decode(ct_sound_vorbis *v, const void *chunk, uint64_t bytes,
                            uint32_t num_frames, int16_t *frames, ct_error *error);
