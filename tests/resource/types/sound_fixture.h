// sound_fixture.h: small sounds as the compiler writes them, for tests of what reads them.
#pragma once
#include <string.h>

#include "resource/blob/blob_writer.h"
#include "resource/types/sound_resource.h"
#include "support/test_support.h"

enum { SOUND_FIXTURE_FRAMES = CT_SOUND_CHUNK_FRAMES + 10, SOUND_FIXTURE_STREAM_BYTES = 96 };

static inline void sound_fixture_begin(ct_blob_writer *w, ct_sound_resource *s) {
    static const int8_t waveform[CT_SOUND_WAVEFORM_COLUMNS * 2];
    ct_blob_writer_init(w, test_heap(), CT_BYTE_ORDER_LITTLE, "sound", CT_SOUND_VERSION);
    *s = (ct_sound_resource){.stamp = 77,
                             .rate = 8000,
                             .num_channels = 1,
                             .gain = 1,
                             .loudness = -20,
                             .peak = 0.5f,
                             .media_rate = 8000,
                             .media_channels = 1};
    ct_blob_begin(w, &ct_sound_layout);
    s->waveform = ct_blob_write_items(w, &ct_blob_u8_layout, waveform, sizeof(waveform));
    s->media_format = ct_blob_write_string(w, "WAV, 16 bit samples", 19);
}

// A mono sound of SOUND_FIXTURE_FRAMES frames at 8 kHz in memory: frame i is i % 1000. The blob is
// w->bytes; free it with ct_blob_writer_free.
static inline void write_sound_blob(ct_blob_writer *w) {
    static int16_t samples[SOUND_FIXTURE_FRAMES];
    ct_sound_resource s;
    sound_fixture_begin(w, &s);
    for (uint32_t i = 0; i < SOUND_FIXTURE_FRAMES; ++i)
        samples[i] = (int16_t)(i % 1000);
    const ct_sound_chunk chunks[] = {
        {0, CT_SOUND_CHUNK_FRAMES * 2, 0, CT_SOUND_CHUNK_FRAMES},
        {CT_SOUND_CHUNK_FRAMES * 2, 10 * 2, CT_SOUND_CHUNK_FRAMES, 10},
    };
    s.num_frames = SOUND_FIXTURE_FRAMES;
    s.chunks = ct_blob_write_items(w, &ct_sound_chunk_layout, chunks, 2);
    s.data = ct_blob_write_items(w, &ct_blob_pixels_layout, samples, sizeof(samples));
    ct_blob_end(w, &ct_sound_layout, &s);
    ct_blob_writer_finish(w);
}

// A streamed sound of Vorbis whose headers and packets are no Vorbis: two chunks of 100 and 50
// frames, of 40 and 36 bytes, in a stream of SOUND_FIXTURE_STREAM_BYTES.
static inline void write_streamed_sound_blob(ct_blob_writer *w) {
    ct_sound_resource s;
    sound_fixture_begin(w, &s);
    const ct_sound_chunk chunks[] = {{0, 40, 0, 100}, {48, 36, 100, 50}};
    s.num_frames = 150;
    s.codec = CT_SOUND_CODEC_VORBIS;
    s.flags = CT_SOUND_STREAMED;
    for (uint32_t i = 0; i < CT_SOUND_VORBIS_HEADERS; ++i)
        s.vorbis_header_bytes[i] = 4;
    s.vorbis_headers = ct_blob_write_items(w, &ct_blob_u8_layout, "headers.....", 12);
    s.chunks = ct_blob_write_items(w, &ct_sound_chunk_layout, chunks, 2);
    ct_blob_writer_align(w, CT_BLOB_ALIGN);
    s.stream.bytes = SOUND_FIXTURE_STREAM_BYTES;
    s.data = (ct_blob_array){ct_blob_writer_offset(w), SOUND_FIXTURE_STREAM_BYTES};
    ct_blob_end(w, &ct_sound_layout, &s);
    ct_blob_writer_finish(w);
}
