#include "resource/types/sound_resource.h"

#include <math.h>
#include <stddef.h>

#include "foundation/error.h"

#define AT(member)                                                                                 \
    .offset = offsetof(ct_sound_source, member),                                                   \
    .size_bytes = sizeof(((ct_sound_source *)0)->member)

static const char *const store_names[] = {"samples", "vorbis", NULL};

static const ct_field fields[] = {
    {.name = "source",
     .type = CT_FIELD_TYPE_MEDIA,
     AT(source),
     .flags = CT_FIELD_REQUIRED,
     .doc = "The recording, a .wav, .flac, .ogg, .opus or .mp3 file."},
    {.name = "store",
     .type = CT_FIELD_TYPE_ENUM,
     AT(store),
     .doc = "How the data is kept: samples (16 bits each, ready to play) or vorbis (compressed).",
     .enum_names = store_names},
    {.name = "streamed",
     .type = CT_FIELD_TYPE_BOOL,
     AT(streamed),
     .doc = "Whether the sound is read from disk while it plays: for music and long ambience."},
    {.name = "mono",
     .type = CT_FIELD_TYPE_BOOL,
     AT(mono),
     .doc = "Whether all channels are mixed to one."},
    {.name = "loop",
     .type = CT_FIELD_TYPE_BOOL,
     AT(loop),
     .doc = "Whether the sound starts again at `loop_begin` when it reaches `loop_end`."},
    {.name = "loop",
     .type = CT_FIELD_TYPE_VALUE,
     AT(loop_value),
     .doc = "Whether the source sets it."},
    {.name = "loop_begin",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(loop_begin),
     .doc = "Where the loop starts. Default: where the file says, else the start.",
     .unit = "s",
     .least = 0,
     .most = CT_SOUND_MAX_SECONDS},
    {.name = "loop_begin",
     .type = CT_FIELD_TYPE_VALUE,
     AT(loop_begin_value),
     .doc = "Whether the source sets it."},
    {.name = "loop_end",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(loop_end),
     .doc = "Where the loop ends. Default: where the file says, else the end.",
     .unit = "s",
     .least = 0,
     .most = CT_SOUND_MAX_SECONDS},
    {.name = "loop_end",
     .type = CT_FIELD_TYPE_VALUE,
     AT(loop_end_value),
     .doc = "Whether the source sets it."},
    {.name = "loop_crossfade",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(loop_crossfade),
     .doc = "How long before `loop_end` the sound fades into what lies before `loop_begin`.",
     .unit = "s",
     .least = 0,
     .most = CT_SOUND_MAX_SECONDS},
    {.name = "loudness",
     .type = CT_FIELD_TYPE_VALUE,
     AT(loudness),
     .doc = "The loudness that the sound plays with, in LUFS (EBU R 128): -70 to 0. Default: as it "
            "was recorded."},
    {.name = "quality",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(quality),
     .doc = "Quality of vorbis: more sounds better and takes more bytes.",
     .least = 0,
     .most = 1,
     .default_value = {0.4}},
    {.name = "max_rate",
     .type = CT_FIELD_TYPE_INT,
     AT(max_rate),
     .doc = "Most samples a second of each channel. Recordings with more are resampled.",
     .unit = "Hz",
     .least = CT_SOUND_LEAST_RATE,
     .most = CT_SOUND_MAX_RATE,
     .default_value = {CT_SOUND_MAX_RATE}},
};

const ct_schema ct_sound_schema = {
    .name = "sound",
    .doc = "A recording.",
    .size_bytes = sizeof(ct_sound_source),
    .num_fields = CT_COUNT_OF(fields),
    .fields = fields,
};

// --- The blob ------------------------------------------------------------------------------------

const ct_blob_layout ct_sound_chunk_layout = CT_BLOB_ALL_NUMBERS(ct_sound_chunk, 4);

const ct_blob_layout ct_sound_layout =
    CT_BLOB_ROOT(ct_sound_resource, "a sound", CT_BLOB_NUMBERS(8, ct_sound_resource, stamp, stamp),
                 CT_BLOB_NUMBERS(4, ct_sound_resource, num_frames, padding),
                 CT_BLOB_STRING(ct_sound_resource, media_format),
                 CT_BLOB_STRUCTS(ct_sound_resource, stream, ct_blob_stream_layout),
                 CT_BLOB_ARRAY(ct_sound_resource, vorbis_headers, ct_blob_u8_layout),
                 CT_BLOB_ARRAY(ct_sound_resource, chunks, ct_sound_chunk_layout),
                 CT_BLOB_ARRAY(ct_sound_resource, waveform, ct_blob_u8_layout),
                 CT_BLOB_STREAMED(ct_sound_resource, data, ct_blob_pixels_layout));

static bool check_numbers(const ct_sound_resource *s, ct_error *error) {
    if (s->codec >= CT_SOUND_CODEC_COUNT)
        return ct_error_set(error, "unknown codec %u", s->codec);
    if (s->flags & ~(uint32_t)(CT_SOUND_LOOPS | CT_SOUND_STREAMED))
        return ct_error_set(error, "unknown flags %u", s->flags);
    if (s->rate < CT_SOUND_LEAST_RATE || s->rate > CT_SOUND_MAX_RATE)
        return ct_error_set(error, "rate: found %u, expected %d to %d", s->rate,
                            CT_SOUND_LEAST_RATE, CT_SOUND_MAX_RATE);
    if (s->num_channels == 0 || s->num_channels > CT_SOUND_MAX_CHANNELS)
        return ct_error_set(error, "num_channels: found %u, expected 1 to %d", s->num_channels,
                            CT_SOUND_MAX_CHANNELS);
    const uint32_t max_seconds =
        ct_sound_resource_is_streamed(s) ? CT_SOUND_MAX_SECONDS : CT_SOUND_MAX_MEMORY_SECONDS;
    const uint32_t max_frames = s->rate * max_seconds;
    if (s->num_frames == 0 || s->num_frames > max_frames)
        return ct_error_set(error, "num_frames: found %u, expected 1 to %u", s->num_frames,
                            max_frames);
    if (!(s->gain > 0 && s->gain <= CT_SOUND_MAX_GAIN) || !(fabsf(s->loudness) <= 200) ||
        !(s->peak >= 0 && s->peak <= CT_SOUND_MAX_PEAK))
        return ct_error_set(error, "found gain %g, loudness %g, peak %g", (double)s->gain,
                            (double)s->loudness, (double)s->peak);
    return true;
}

static bool check_loop(const ct_sound_resource *s, ct_error *error) {
    const bool is_right = s->flags & CT_SOUND_LOOPS
                              ? s->loop_begin < s->loop_end && s->loop_end <= s->num_frames
                              : s->loop_begin == 0 && s->loop_end == 0;
    return is_right || ct_error_set(error, "found a loop from frame %u to %u of %u, flags %u",
                                    s->loop_begin, s->loop_end, s->num_frames, s->flags);
}

static bool check_headers(const ct_sound_resource *s, ct_error *error) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < CT_SOUND_VORBIS_HEADERS; ++i) {
        if ((s->vorbis_header_bytes[i] == 0) != (s->codec != CT_SOUND_CODEC_VORBIS))
            return ct_error_set(error, "vorbis_header_bytes[%u]: found %u, codec %u", i,
                                s->vorbis_header_bytes[i], s->codec);
        bytes += s->vorbis_header_bytes[i];
    }
    return bytes == s->vorbis_headers.count ||
           ct_error_set(error, "vorbis_headers: found %u bytes, expected %llu",
                        s->vorbis_headers.count, (unsigned long long)bytes);
}

static bool check_data(const ct_sound_resource *s, ct_error *error) {
    const bool is_behind = s->data.offset >= s->header.size_bytes;
    if (is_behind != ct_sound_resource_is_streamed(s) ||
        ct_sound_resource_is_streamed(s) != (s->stream.bytes > 0))
        return ct_error_set(
            error, "data: found it at offset %u, a stream of %u bytes, a blob of %llu, flags %u",
            s->data.offset, s->stream.bytes, (unsigned long long)s->header.size_bytes, s->flags);
    if (ct_sound_resource_is_streamed(s) &&
        (s->data.offset != s->header.size_bytes || s->data.count != s->stream.bytes))
        return ct_error_set(error, "data: found %u bytes at offset %u, expected the whole stream",
                            s->data.count, s->data.offset);
    return true;
}

// The fewest bytes that a chunk of so many frames has, or of samples the bytes.
static uint64_t chunk_bytes(const ct_sound_resource *s, uint32_t num_frames) {
    const uint64_t head = ct_sound_resource_is_streamed(s) ? sizeof(ct_sound_chunk_head) : 0;
    return head + (s->codec == CT_SOUND_CODEC_SAMPLES
                       ? (uint64_t)num_frames * s->num_channels * sizeof(int16_t)
                       : sizeof(uint32_t));
}

static bool check_chunk(const ct_sound_resource *s, uint32_t i, uint64_t end, uint64_t frame,
                        ct_error *error) {
    const ct_sound_chunk *const c = &((const ct_sound_chunk *)ct_blob_at(s, s->chunks.offset))[i];
    if (c->offset % CT_SOUND_CHUNK_ALIGN || c->offset < end ||
        (uint64_t)c->offset + c->bytes > s->data.count)
        return ct_error_set(error, "chunks[%u]: found %u bytes at offset %u of %u", i, c->bytes,
                            c->offset, s->data.count);
    // Samples in memory are used as one array.
    if (s->codec == CT_SOUND_CODEC_SAMPLES && !ct_sound_resource_is_streamed(s) && c->offset != end)
        return ct_error_set(error, "chunks[%u]: found it at offset %u, expected %llu", i, c->offset,
                            (unsigned long long)end);
    if (c->first_frame != frame || c->num_frames == 0 || c->num_frames > CT_SOUND_MAX_CHUNK_FRAMES)
        return ct_error_set(error, "chunks[%u]: found %u frames from frame %u on", i, c->num_frames,
                            c->first_frame);
    const uint64_t bytes = chunk_bytes(s, c->num_frames);
    if (s->codec == CT_SOUND_CODEC_SAMPLES ? c->bytes != bytes : c->bytes < bytes)
        return ct_error_set(error, "chunks[%u]: found %u bytes, expected %llu%s", i, c->bytes,
                            (unsigned long long)bytes,
                            s->codec == CT_SOUND_CODEC_SAMPLES ? "" : " at least");
    return true;
}

static bool check_chunks(const ct_sound_resource *s, ct_error *error) {
    const ct_sound_chunk *const chunks = ct_blob_at(s, s->chunks.offset);
    uint64_t end = 0, frame = 0;
    for (uint32_t i = 0; i < s->chunks.count; ++i) {
        if (!check_chunk(s, i, end, frame, error))
            return false;
        end = (uint64_t)chunks[i].offset + chunks[i].bytes;
        frame += chunks[i].num_frames;
    }
    return frame == s->num_frames ||
           ct_error_set(error, "chunks: found %llu frames in %u chunks, expected %u",
                        (unsigned long long)frame, s->chunks.count, s->num_frames);
}

static bool check_waveform(const ct_sound_resource *s, ct_error *error) {
    const int8_t *const columns = ct_blob_at(s, s->waveform.offset);
    if (s->waveform.count != CT_SOUND_WAVEFORM_COLUMNS * 2)
        return ct_error_set(error, "waveform: found %u bytes, expected %d", s->waveform.count,
                            CT_SOUND_WAVEFORM_COLUMNS * 2);
    for (uint32_t i = 0; i < s->waveform.count; i += 2) {
        if (columns[i] > columns[i + 1])
            return ct_error_set(error, "waveform: found %d to %d in column %u", columns[i],
                                columns[i + 1], i / 2);
    }
    return true;
}

bool ct_sound_validate(const void *blob, ct_error *error) {
    const ct_sound_resource *const s = blob;
    return ct_blob_check_layout(&ct_sound_layout, s, error) && check_numbers(s, error) &&
           check_loop(s, error) && check_headers(s, error) && check_data(s, error) &&
           check_chunks(s, error) && check_waveform(s, error);
}

const ct_blob_stream *ct_sound_stream(const void *blob) {
    return &((const ct_sound_resource *)blob)->stream;
}

// --- Look-up -------------------------------------------------------------------------------------

uint32_t ct_sound_find_chunk(const ct_sound_resource *s, uint32_t frame) {
    const ct_sound_chunk *const chunks = ct_blob_at(s, s->chunks.offset);
    uint32_t first = 0, last = s->chunks.count; // the last chunk that begins at or before `frame`
    while (last - first > 1) {
        const uint32_t middle = first + (last - first) / 2;
        if (chunks[middle].first_frame <= frame)
            first = middle;
        else
            last = middle;
    }
    return first;
}
