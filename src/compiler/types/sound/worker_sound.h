// worker_sound.h: how recordings become sounds.
//
// Frames flow through in blocks, so that an hour needs no more memory than its data: decode
// (worker_sound_media.h), mix and resample (worker_sound_convert.c), fade into the loop
// (worker_sound_loop.c), measure (worker_sound_measure.c), store (worker_sound_store.c). How many
// frames come out is known before the first.
#pragma once
#include "compiler/types/sound/worker_sound_media.h"
#include "resource/types/sound_resource.h"

enum {
    CT_WORKER_SOUND_BLOCK_FRAMES = 4096,
    CT_WORKER_SOUND_SILENCE = -100, // LUFS of what has no loudness
};

// The sums of a crossfade, and what is kept for it.
typedef struct ct_worker_sound_fade {
    uint32_t num_frames;    // 0: no crossfade
    float *before, *ending; // that many frames before loop_begin, and before loop_end
} ct_worker_sound_fade;

typedef struct ct_worker_sound_measure ct_worker_sound_measure;
typedef struct ct_worker_sound_vorbis ct_worker_sound_vorbis;

// A job. All memory is the compilation's.
typedef struct ct_worker_sound {
    ct_compile *c;
    ct_sound_source source;
    ct_sjson_value source_at; // the member `source`, where errors of the media are reported
    ct_worker_sound_media media;
    uint64_t media_hash;
    ct_sound_resource out; // its numbers; the rest when the blob is written
    double target;         // LUFS; NAN: the sound is not normalised
    ct_worker_sound_fade fade;
    void *resampler;          // soxr_t; NULL: the rate stays
    float *mixed, *resampled; // a block each
    uint32_t num_resampled;   // frames that came out of the conversion
    uint32_t num_stored;      // frames so far
    ct_worker_sound_measure *measure;
    ct_worker_sound_vorbis *vorbis; // NULL: samples
    ct_blob_writer *data;           // blob or stream
    uint32_t data_begin;            // in it
    uint64_t num_clamped;           // samples beyond full scale
    CT_ARRAY(ct_sound_chunk) chunks;
    ct_byte_array headers; // of Vorbis
} ct_worker_sound;

// --- worker_sound_convert.c ----------------------------------------------------------------------

// Sets rate, channels and length of `out` from the media.
void ct_worker_sound_plan(ct_worker_sound *s);

// Decodes everything and passes it on to ct_worker_sound_loop_push. Returns false after reporting.
bool ct_worker_sound_convert(ct_worker_sound *s);

// --- worker_sound_loop.c -------------------------------------------------------------------------

// Sets the loop and the crossfade from the source and the media. Returns false after reporting.
bool ct_worker_sound_loop_read(ct_worker_sound *s);

// Passes frames on, those before loop_end crossfaded. All of the sound, in order.
void ct_worker_sound_loop_push(ct_worker_sound *s, const float *frames, uint32_t count);

// --- worker_sound_measure.c ----------------------------------------------------------------------

// Starts, feeds and ends the measurement of loudness, peak and waveform. The end sets them in
// `out`, writes the waveform and returns its place in the blob.
void ct_worker_sound_measure_begin(ct_worker_sound *s);
void ct_worker_sound_measure_push(ct_worker_sound *s, const float *frames, uint32_t count);
ct_blob_array ct_worker_sound_measure_end(ct_worker_sound *s);

// Frees what libebur128 has.
void ct_worker_sound_measure_free(ct_worker_sound *s);

// Sets the gain for the loudness that the source wants; warns of a peak beyond full scale.
void ct_worker_sound_normalise(ct_worker_sound *s);

// --- worker_sound_store.c, worker_sound_vorbis.c -------------------------------------------------

// Starts, feeds and ends the data. The first returns false after reporting that the encoder does
// not take this.
bool ct_worker_sound_store_begin(ct_worker_sound *s);
void ct_worker_sound_store_push(ct_worker_sound *s, const float *frames, uint32_t count);
void ct_worker_sound_store_end(ct_worker_sound *s);

// Appends the start of a chunk to the data and a row to `chunks`; `bytes` of contents must follow.
void ct_worker_sound_chunk_begin(ct_worker_sound *s, uint32_t first_frame, uint32_t num_frames,
                                 uint32_t bytes);

// The same for Vorbis. ct_worker_sound_vorbis_free frees what libvorbis has.
bool ct_worker_sound_vorbis_begin(ct_worker_sound *s);
void ct_worker_sound_vorbis_push(ct_worker_sound *s, const float *frames, uint32_t count);
void ct_worker_sound_vorbis_end(ct_worker_sound *s);
void ct_worker_sound_vorbis_free(ct_worker_sound *s);
