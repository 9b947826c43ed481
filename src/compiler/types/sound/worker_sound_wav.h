// worker_sound_wav.h: what WAV files say of their length and their loop.
#pragma once
#include "foundation/types.h"

typedef struct ct_worker_wav {
    bool has_format, has_data;
    uint32_t num_channels, rate;
    uint32_t frame_bytes;      // of samples, or of a block of compressed ones; may be 0
    uint32_t frames_per_block; // 1: samples
    // Of the data: what the file says, or what is there when it says that it does not know.
    uint64_t data_bytes;
    uint64_t bytes_there;
    bool has_loop;
    uint32_t loop_type;            // 0: forward
    uint64_t loop_begin, loop_end; // frames; the end is behind the last
} ct_worker_wav;

// Reads the chunks of a RIFF file of the form WAVE. Nothing is checked: a chunk that is not there
// or too short leaves zeroes.
ct_worker_wav ct_worker_wav_scan(const uint8_t *bytes, uint64_t size_bytes);
