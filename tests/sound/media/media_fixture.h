// media_fixture.h: blobs of sounds made of given samples, in memory and streamed.
#pragma once
#include <string.h>

#include "resource/blob/blob_writer.h"
#include "resource/blob/content_hash.h"
#include "resource/types/sound_resource.h"
#include "support/test_support.h"

enum { MEDIA_MAX_CHUNKS = 64, MEDIA_STAMP = 77 };

// What a sound is made of.
typedef struct media_spec {
    const int16_t *samples; // num_frames * num_channels, unless packed
    uint32_t num_frames, num_channels, rate;
    uint32_t chunk_frames;
    uint32_t loop_begin, loop_end; // loop_end 0: no loop
    bool is_streamed;
} media_spec;

// The contents of the chunks, one after the other, without heads.
typedef struct media_chunks {
    ct_byte_array bytes;
    ct_sound_chunk chunks[MEDIA_MAX_CHUNKS]; // offset and bytes are of `bytes`
    uint32_t count;
    ct_byte_array headers; // of Vorbis
    uint32_t header_bytes[CT_SOUND_VORBIS_HEADERS];
} media_chunks;

// Two tones and some noise, the same each time.
static inline int16_t *media_make_samples(uint32_t num_frames, uint32_t num_channels) {
    int16_t *const samples =
        ct_alloc(test_heap(), (uint64_t)num_frames * num_channels * sizeof(int16_t));
    uint32_t random = 1, phase[2] = {0, 0};
    for (uint32_t i = 0; i < num_frames * num_channels; ++i) {
        uint32_t *const p = &phase[i % num_channels];
        *p = (*p + 440 * (1 + i % num_channels)) % 48000;
        const int32_t tone = *p < 24000 ? (int32_t)*p - 12000 : 36000 - (int32_t)*p;
        samples[i] = (int16_t)(tone / 2 + (int32_t)(test_random(&random) % 2000));
    }
    return samples;
}

static inline void media_begin_chunks(media_chunks *m) {
    memset(m, 0, sizeof(*m));
    ct_array_init(&m->bytes, test_heap());
    ct_array_init(&m->headers, test_heap());
}

static inline void media_free_chunks(media_chunks *m) {
    ct_array_free(&m->bytes);
    ct_array_free(&m->headers);
}

// Adds a chunk of so many bytes and frames.
static inline void media_add_chunk(media_chunks *m, const void *bytes, uint32_t num_bytes,
                                   uint32_t num_frames) {
    const ct_sound_chunk *const last = m->count > 0 ? &m->chunks[m->count - 1] : NULL;
    assert_true(m->count < MEDIA_MAX_CHUNKS);
    m->chunks[m->count++] =
        (ct_sound_chunk){.offset = m->bytes.count,
                         .bytes = num_bytes,
                         .first_frame = last ? last->first_frame + last->num_frames : 0,
                         .num_frames = num_frames};
    ct_array_push_many(&m->bytes, (const uint8_t *)bytes, num_bytes);
}

static inline void media_cut_samples(media_chunks *m, const media_spec *spec) {
    media_begin_chunks(m);
    for (uint32_t at = 0; at < spec->num_frames; at += spec->chunk_frames) {
        const uint32_t left = spec->num_frames - at,
                       count = left < spec->chunk_frames ? left : spec->chunk_frames;
        media_add_chunk(m, spec->samples + (uint64_t)at * spec->num_channels,
                        count * spec->num_channels * (uint32_t)sizeof(int16_t), count);
    }
}

// Appends the data: chunks at multiples of CT_SOUND_CHUNK_ALIGN, with their heads in a stream.
static inline void media_lay_out(const media_chunks *m, bool is_streamed, ct_sound_chunk *chunks,
                                 ct_byte_array *data) {
    for (uint32_t i = 0; i < m->count; ++i) {
        const ct_sound_chunk_head head = {.stamp = MEDIA_STAMP, .index = i};
        while (data->count % CT_SOUND_CHUNK_ALIGN)
            ct_array_push(data, 0);
        chunks[i] = m->chunks[i];
        chunks[i].offset = data->count;
        if (is_streamed)
            ct_array_push_many(data, (const uint8_t *)&head, (uint32_t)sizeof(head));
        ct_array_push_many(data, m->bytes.items + m->chunks[i].offset, m->chunks[i].bytes);
        chunks[i].bytes = data->count - chunks[i].offset;
    }
    while (data->count % CT_SOUND_CHUNK_ALIGN)
        ct_array_push(data, 0);
}

static inline ct_sound_resource media_describe(const media_spec *spec, const media_chunks *m) {
    ct_sound_resource r = {
        .stamp = MEDIA_STAMP,
        .num_frames = spec->num_frames,
        .rate = spec->rate,
        .num_channels = spec->num_channels,
        .codec = m->headers.count ? CT_SOUND_CODEC_VORBIS : CT_SOUND_CODEC_SAMPLES,
        .flags =
            (spec->loop_end ? CT_SOUND_LOOPS : 0u) | (spec->is_streamed ? CT_SOUND_STREAMED : 0u),
        .loop_begin = spec->loop_begin,
        .loop_end = spec->loop_end,
        .gain = 0.5f,
        .loudness = -20,
        .peak = 0.7f,
        .media_rate = spec->rate,
        .media_channels = spec->num_channels,
    };
    memcpy(r.vorbis_header_bytes, m->header_bytes, sizeof(r.vorbis_header_bytes));
    return r;
}

// Makes a blob of these chunks; the data of a streamed one follows it in memory. Free it with
// ct_free.
static inline ct_sound_resource *media_make_of(const media_spec *spec, const media_chunks *m) {
    static const int8_t waveform[CT_SOUND_WAVEFORM_COLUMNS * 2];
    ct_sound_chunk chunks[MEDIA_MAX_CHUNKS];
    ct_byte_array data;
    ct_blob_writer w;
    ct_array_init(&data, test_heap());
    media_lay_out(m, spec->is_streamed, chunks, &data);
    ct_blob_writer_init(&w, test_heap(), CT_BYTE_ORDER_LITTLE, "sound", CT_SOUND_VERSION);
    ct_blob_begin(&w, &ct_sound_layout);
    ct_sound_resource r = media_describe(spec, m);
    r.media_format = ct_blob_write_string(&w, "test", 4);
    r.vorbis_headers =
        ct_blob_write_items(&w, &ct_blob_u8_layout, m->headers.items, m->headers.count);
    r.chunks = ct_blob_write_items(&w, &ct_sound_chunk_layout, chunks, m->count);
    r.waveform = ct_blob_write_items(&w, &ct_blob_u8_layout, waveform, sizeof(waveform));
    ct_blob_writer_align(&w, CT_BLOB_ALIGN);
    r.data = (ct_blob_array){ct_blob_writer_offset(&w), data.count};
    if (spec->is_streamed)
        r.stream =
            (ct_blob_stream){.hash = ct_content_hash(data.items, data.count), .bytes = data.count};
    else
        ct_blob_write_bytes(&w, data.items, data.count);
    ct_blob_end(&w, &ct_sound_layout, &r);
    ct_blob_writer_finish(&w);
    char *const blob = ct_alloc_aligned(test_heap(), w.bytes.count + (uint64_t)data.count, 64);
    memcpy(blob, w.bytes.items, w.bytes.count);
    if (spec->is_streamed)
        memcpy(blob + w.bytes.count, data.items, data.count);
    ct_blob_writer_free(&w);
    ct_array_free(&data);
    ct_error error = {0};
    if (!ct_sound_validate(blob, &error))
        fail_msg("%s", error.message);
    return (ct_sound_resource *)(void *)blob;
}

// Makes a blob with the samples.
static inline ct_sound_resource *media_make(const media_spec *spec) {
    media_chunks m;
    media_cut_samples(&m, spec);
    ct_sound_resource *const r = media_make_of(spec, &m);
    media_free_chunks(&m);
    return r;
}
