// sound_resource.h: the blob of a sound: its samples, or what they are decoded from, and what tools
// show of it.
//
// The media are resampled when they are compiled. A frame is one sample of each channel, from left
// to right. Samples are whole numbers of 16 bits in the platform's byte order, or packets of
// Vorbis. The data is in chunks, each of which can be decoded alone, so that playing may begin at
// any of them: chunks of samples are frames and nothing else; one of Vorbis is a table of the sizes
// of its packets (uint32_t count, then as many uint32_t), then the packets. Its first packet only
// prepares the decoder: it is the last one of the chunk before, and gives no frames (Vorbis I
// specification, 1.3.2 and 4.3.8: a packet's frames overlap those of the one before).
//
// Sounds in memory have their data in the blob, chunks of samples without gaps; those that are
// streamed have it beside the blob. A chunk in a stream begins with a stamp, which is also in the
// blob: a stream that was compiled again meanwhile is recognised.
#pragma once
#include <math.h>

#include "resource/types/resource_types.h"

enum {
    CT_SOUND_VERSION = 1,
    CT_SOUND_MAX_CHANNELS = 2,
    CT_SOUND_LEAST_RATE = 8000, // frames a second
    CT_SOUND_MAX_RATE = 48000,  // of compiled data; media may have more
    CT_SOUND_MAX_MEDIA_RATE = 384000,
    CT_SOUND_MAX_SECONDS = 3600,
    CT_SOUND_MAX_MEMORY_SECONDS = 120, // of a sound that is not streamed
    CT_SOUND_CHUNK_FRAMES = 24000,     // about as many: half a second
    CT_SOUND_MAX_CHUNK_FRAMES = 48000, // never more
    CT_SOUND_MAX_GAIN = 10000,
    CT_SOUND_MAX_PEAK = 10000,
    CT_SOUND_WAVEFORM_COLUMNS = 512,
    CT_SOUND_CHUNK_ALIGN = 16,
    CT_SOUND_VORBIS_HEADERS = 3,
};

// How the data is kept.
typedef enum ct_sound_codec {
    CT_SOUND_CODEC_SAMPLES, // int16_t
    CT_SOUND_CODEC_VORBIS,
    CT_SOUND_CODEC_COUNT,
} ct_sound_codec;

// Bits of ct_sound_resource.flags.
typedef enum ct_sound_flag {
    CT_SOUND_LOOPS = 1,
    CT_SOUND_STREAMED = 2,
} ct_sound_flag;

// Frames first_frame to first_frame + num_frames of the sound.
typedef struct ct_sound_chunk {
    uint32_t offset; // from the start of `data`; a multiple of CT_SOUND_CHUNK_ALIGN
    uint32_t bytes;
    uint32_t first_frame, num_frames;
} ct_sound_chunk;

// The start of a chunk in a stream; 16 bytes. Its contents follow.
typedef struct ct_sound_chunk_head {
    uint64_t stamp;
    uint32_t index;
    uint32_t padding;
} ct_sound_chunk_head;

typedef struct ct_sound_resource {
    ct_blob_header header;
    uint64_t stamp;      // of the media and how they were compiled
    uint32_t num_frames; // at least 1
    uint32_t rate;       // frames a second
    uint32_t num_channels;
    uint32_t codec; // ct_sound_codec
    uint32_t flags; // ct_sound_flag
    // With LOOPS: after frame loop_end - 1 comes loop_begin. loop_begin < loop_end <= num_frames.
    // Without, both are 0.
    uint32_t loop_begin, loop_end;
    float gain; // all samples are multiplied by it when they are played: the normalised loudness
    float loudness; // LUFS of the samples without `gain`, integrated (EBU R 128); -100: silence
    float peak;     // largest sample without `gain`, 1 is full scale
    uint32_t media_rate, media_channels;
    uint32_t vorbis_header_bytes[CT_SOUND_VORBIS_HEADERS]; // of each, in `vorbis_headers`
    uint32_t padding;
    ct_blob_string media_format;  // for tools: "WAV, 16 bit samples"
    ct_blob_stream stream;        // of `data`, if STREAMED
    ct_blob_array vorbis_headers; // bytes: the three header packets; empty for SAMPLES
    ct_blob_array chunks;         // ct_sound_chunk, in the order of frames, without gaps
    ct_blob_array waveform; // bytes: int8_t lowest and highest of each column, of all channels
    ct_blob_array data;     // bytes
} ct_sound_resource;

// The source.
typedef struct ct_sound_source {
    const char *source; // media
    uint32_t store;     // ct_sound_codec
    uint32_t streamed;
    uint32_t mono; // mixes all channels
    uint32_t loop;
    float loop_begin;        // seconds
    float loop_end;          // seconds; 0: the end, or the loop of the media
    float loop_crossfade;    // seconds before loop_end that fade into those before loop_begin
    ct_sjson_value loudness; // LUFS; missing: as the media are
    ct_sjson_value loop_value, loop_begin_value, loop_end_value;
    float quality;    // of Vorbis, 0 to 1
    int32_t max_rate; // frames a second; media with more are resampled to it
} ct_sound_source;

extern const ct_schema ct_sound_schema;
extern const ct_blob_layout ct_sound_layout, ct_sound_chunk_layout;

// Returns the blob's description of its stream, for ct_resource_type.
const ct_blob_stream *ct_sound_stream(const void *blob);

// Validates a blob of this type after its header was checked. Returns false with `error`, which
// names the invalid member. libc only. Packets are checked when they are decoded.
bool ct_sound_validate(const void *blob, ct_error *error);

// Returns the position of the chunk with this frame; `frame` < num_frames. Logarithmic.
uint32_t ct_sound_find_chunk(const ct_sound_resource *s, uint32_t frame);

// Whether the data is beside the blob.
static inline bool ct_sound_resource_is_streamed(const ct_sound_resource *s) {
    return (s->flags & CT_SOUND_STREAMED) != 0;
}

// Returns a sample as a number, 1 is full scale.
static inline float ct_sound_of_sample(int16_t sample) {
    return (float)sample * (1.0f / 32768);
}

// Returns the nearest sample for a number, within what a sample holds; 0 for NaN.
static inline int16_t ct_sound_to_sample(float x) {
    const float scaled = x * 32768;
    if (scaled >= INT16_MAX)
        return INT16_MAX;
    if (scaled <= INT16_MIN)
        return INT16_MIN;
    return (int16_t)(isnan(scaled) ? 0 : lrintf(scaled));
}
