// worker_sound_media.h: reads recordings: WAV, FLAC, Ogg Vorbis, Opus and MP3.
//
// What a file says of itself is checked before anything of it is decoded: a file may say that it
// has ten hours of 1000 channels. libsndfile decodes. worker_sound_wav.h and worker_sound_mp3.h
// look at what it does not report.
#pragma once
#include "compiler/protocol/compile.h"

enum {
    CT_WORKER_SOUND_MAX_MIXED_CHANNELS = 32, // of a recording that is mixed to one channel
    CT_WORKER_SOUND_MAX_SAMPLE = 1000,       // full scale is 1
};

// A format, by what its files begin with.
typedef struct ct_worker_sound_format {
    const char *name;                  // "Ogg Vorbis"
    const char *extensions[3];         // of its files ("ogg"); none: sounds are not made of these
    int library_type, library_subtype; // SF_FORMAT_…; subtype 0: any
} ct_worker_sound_format;

// A recording. `bytes` is borrowed. Numbers are from 0 on.
typedef struct ct_worker_sound_media {
    const char *path; // for messages
    const uint8_t *bytes;
    uint64_t size_bytes, at; // where libsndfile is
    void *file;              // SNDFILE
    const ct_worker_sound_format *format;
    char format_text[64]; // "WAV, 16 bit samples"
    uint32_t rate;        // frames a second
    uint32_t num_channels;
    uint64_t num_frames;
    uint64_t num_read;             // frames so far
    uint64_t loop_begin, loop_end; // frames; loop_end 0: the file has no loop
    bool has_other_loop;           // one that runs backward: not supported
} ct_worker_sound_media;

// Which recordings are accepted.
typedef struct ct_worker_sound_limits {
    bool is_mono;     // all channels are mixed to one
    bool is_streamed; // the sound is not kept in memory
} ct_worker_sound_limits;

// Opens `size_bytes` at `bytes`, followed by at least one byte. Returns false with `error`, which
// names `path`, for what is no recording, is truncated, or is not within the limits; then there is
// nothing to close.
bool ct_worker_sound_open(ct_worker_sound_media *m, const char *path, const void *bytes,
                          uint64_t size_bytes, const ct_worker_sound_limits *limits,
                          ct_error *error);

// Decodes up to `max_frames` to `frames` (num_channels by turns, full scale is 1); sets `count`, 0
// at the end of num_frames. Returns false with `error` when the file ends too early or is damaged,
// or a sample is not a finite number of at most CT_WORKER_SOUND_MAX_SAMPLE.
bool ct_worker_sound_read(ct_worker_sound_media *m, float *frames, uint32_t max_frames,
                          uint32_t *count, ct_error *error);

// Closes the recording.
void ct_worker_sound_close(ct_worker_sound_media *m);

// Returns whether files of the format have the extension of `path`.
bool ct_worker_sound_has_extension(const ct_worker_sound_format *format, const char *path);
