// vorbis_fixture.h: sounds stored as Vorbis, encoded by libvorbisenc.
#pragma once
#include <vorbis/vorbisenc.h>

#include "sound/media/media_fixture.h"

// A chunk that grows: packets after its first one, which prepares the decoder.
typedef struct vorbis_chunk {
    ct_u32_array sizes;
    ct_byte_array bytes;
    uint32_t num_frames;
} vorbis_chunk;

typedef struct vorbis_encoder {
    vorbis_info info;
    vorbis_comment comment;
    vorbis_dsp_state state;
    vorbis_block block;
    vorbis_chunk chunk;
    ct_byte_array last_packet;
    long last_block; // its size; 0: none
} vorbis_encoder;

static inline void vorbis_add_packet(vorbis_chunk *c, const uint8_t *bytes, uint32_t num_bytes) {
    ct_array_push(&c->sizes, num_bytes);
    ct_array_push_many(&c->bytes, bytes, num_bytes);
}

// Ends the chunk at so many frames in all, and begins the next one with the last packet.
static inline void vorbis_end_chunk(vorbis_encoder *e, media_chunks *m, uint32_t max_frames) {
    vorbis_chunk *const c = &e->chunk;
    ct_byte_array bytes;
    const uint32_t done =
        m->count > 0 ? m->chunks[m->count - 1].first_frame + m->chunks[m->count - 1].num_frames : 0;
    const uint32_t left = max_frames - done, count = c->num_frames < left ? c->num_frames : left;
    if (count > 0) {
        ct_array_init(&bytes, test_heap());
        ct_array_push_many(&bytes, (const uint8_t *)&c->sizes.count, (uint32_t)sizeof(uint32_t));
        ct_array_push_many(&bytes, (const uint8_t *)c->sizes.items,
                           c->sizes.count * (uint32_t)sizeof(uint32_t));
        ct_array_push_many(&bytes, c->bytes.items, c->bytes.count);
        media_add_chunk(m, bytes.items, bytes.count, count);
        ct_array_free(&bytes);
    }
    c->sizes.count = c->bytes.count = c->num_frames = 0;
    vorbis_add_packet(c, e->last_packet.items, e->last_packet.count);
}

static inline void vorbis_take_packets(vorbis_encoder *e, media_chunks *m, const media_spec *spec) {
    ogg_packet packet;
    while (vorbis_analysis_blockout(&e->state, &e->block) == 1) {
        vorbis_analysis(&e->block, NULL);
        vorbis_bitrate_addblock(&e->block);
        while (vorbis_bitrate_flushpacket(&e->state, &packet)) {
            const long block = vorbis_packet_blocksize(&e->info, &packet);
            if (e->chunk.num_frames >= spec->chunk_frames)
                vorbis_end_chunk(e, m, spec->num_frames);
            e->chunk.num_frames += e->last_block ? (uint32_t)(e->last_block + block) / 4 : 0;
            vorbis_add_packet(&e->chunk, packet.packet, (uint32_t)packet.bytes);
            e->last_packet.count = 0;
            ct_array_push_many(&e->last_packet, packet.packet, (uint32_t)packet.bytes);
            e->last_block = block;
        }
    }
}

static inline void vorbis_encode(vorbis_encoder *e, media_chunks *m, const media_spec *spec) {
    for (uint32_t at = 0; at < spec->num_frames;) {
        const uint32_t left = spec->num_frames - at, count = left < 1024 ? left : 1024;
        float **const buffer = vorbis_analysis_buffer(&e->state, (int)count);
        for (uint32_t i = 0; i < count * spec->num_channels; ++i)
            buffer[i % spec->num_channels][i / spec->num_channels] =
                (float)spec->samples[at * spec->num_channels + i] / 32768;
        vorbis_analysis_wrote(&e->state, (int)count);
        vorbis_take_packets(e, m, spec);
        at += count;
    }
    vorbis_analysis_wrote(&e->state, 0);
    vorbis_take_packets(e, m, spec);
    vorbis_end_chunk(e, m, spec->num_frames);
}

static inline void vorbis_write_headers(vorbis_encoder *e, media_chunks *m) {
    ogg_packet packets[CT_SOUND_VORBIS_HEADERS];
    vorbis_analysis_headerout(&e->state, &e->comment, &packets[0], &packets[1], &packets[2]);
    for (uint32_t i = 0; i < CT_SOUND_VORBIS_HEADERS; ++i) {
        m->header_bytes[i] = (uint32_t)packets[i].bytes;
        ct_array_push_many(&m->headers, packets[i].packet, (uint32_t)packets[i].bytes);
    }
}

// Encodes the samples. Free `m` with media_free_chunks.
static inline void vorbis_cut(media_chunks *m, const media_spec *spec) {
    vorbis_encoder e;
    memset(&e, 0, sizeof(e));
    media_begin_chunks(m);
    ct_array_init(&e.chunk.sizes, test_heap());
    ct_array_init(&e.chunk.bytes, test_heap());
    ct_array_init(&e.last_packet, test_heap());
    vorbis_info_init(&e.info);
    vorbis_comment_init(&e.comment);
    assert_int_equal(
        vorbis_encode_init_vbr(&e.info, (long)spec->num_channels, (long)spec->rate, 0.4f), 0);
    vorbis_analysis_init(&e.state, &e.info);
    vorbis_block_init(&e.state, &e.block);
    vorbis_write_headers(&e, m);
    vorbis_encode(&e, m, spec);
    vorbis_block_clear(&e.block);
    vorbis_dsp_clear(&e.state);
    vorbis_comment_clear(&e.comment);
    vorbis_info_clear(&e.info);
    ct_array_free(&e.last_packet);
    ct_array_free(&e.chunk.bytes);
    ct_array_free(&e.chunk.sizes);
}

// Makes a blob of Vorbis.
static inline ct_sound_resource *vorbis_make(const media_spec *spec) {
    media_chunks m;
    vorbis_cut(&m, spec);
    ct_sound_resource *const r = media_make_of(spec, &m);
    media_free_chunks(&m);
    return r;
}
