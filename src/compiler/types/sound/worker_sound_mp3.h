// worker_sound_mp3.h: how long MP3 files are that do not say it.
#pragma once
#include "foundation/types.h"

// Returns the frames (samples of each channel) of an MP3 file without a Xing, Info or VBRI head, by
// walking over its parts; decoders may return some thousands fewer or more. 0: the file has such a
// head, and a decoder knows the length.
uint64_t ct_worker_mp3_count_frames(const uint8_t *bytes, uint64_t size_bytes);

// Returns the bytes of the ID3 tag that a file begins with, or 0. May be more than there are.
uint64_t ct_worker_id3_bytes(const uint8_t *bytes, uint64_t size_bytes);

// Returns whether a part of MPEG audio, layer III, may begin with these four bytes.
bool ct_worker_mp3_is_head(const uint8_t *bytes);
