// Vorbis: packets of the encoder, as they are, in chunks that can each be decoded alone.
//
// A packet gives a quarter of its block and of the block before (Vorbis I, 4.3.8); the first of all
// gives nothing. The last packet of a chunk is also the first of the next one, where it prepares
// the decoder.
#include <string.h>
#include <vorbis/vorbisenc.h>

#include "compiler/types/sound/worker_sound.h"
#include "foundation/error.h"
#include "foundation/memory/allocator.h"

struct ct_worker_sound_vorbis {
    vorbis_info info;
    vorbis_comment comment;
    vorbis_dsp_state state;
    vorbis_block block;
    CT_ARRAY(uint32_t) sizes; // of the packets of the open chunk
    ct_byte_array packets;
    uint32_t last_block;  // the size of the last packet's block; 0: there was none
    uint32_t first_frame; // of the open chunk
    uint32_t num_frames;  // of the open chunk
};

static void write_headers(ct_worker_sound *s) {
    ct_worker_sound_vorbis *const v = s->vorbis;
    ogg_packet headers[CT_SOUND_VORBIS_HEADERS];
    const int problem =
        vorbis_analysis_headerout(&v->state, &v->comment, &headers[0], &headers[1], &headers[2]);
    CT_ASSERT(problem == 0, "libvorbis reports %d", problem);
    for (uint32_t i = 0; i < CT_SOUND_VORBIS_HEADERS; ++i) {
        s->out.vorbis_header_bytes[i] = (uint32_t)headers[i].bytes;
        ct_array_push_many(&s->headers, headers[i].packet, (uint32_t)headers[i].bytes);
    }
}

bool ct_worker_sound_vorbis_begin(ct_worker_sound *s) {
    ct_worker_sound_vorbis *const v = CT_NEW(s->c->allocator, ct_worker_sound_vorbis);
    ct_array_init(&v->sizes, s->c->allocator);
    ct_array_init(&v->packets, s->c->allocator);
    vorbis_info_init(&v->info);
    if (vorbis_encode_init_vbr(&v->info, s->out.num_channels, s->out.rate, s->source.quality) !=
        0) {
        vorbis_info_clear(&v->info);
        return ct_compile_error(s->c, s->c->doc, s->source_at,
                                "%u channels with %u samples a second cannot be stored as vorbis "
                                "with quality %g; use store = \"samples\"",
                                s->out.num_channels, s->out.rate, (double)s->source.quality);
    }
    vorbis_comment_init(&v->comment);
    vorbis_analysis_init(&v->state, &v->info);
    vorbis_block_init(&v->state, &v->block);
    s->vorbis = v;
    write_headers(s);
    return true;
}

void ct_worker_sound_vorbis_free(ct_worker_sound *s) {
    if (!s->vorbis)
        return;
    vorbis_block_clear(&s->vorbis->block);
    vorbis_dsp_clear(&s->vorbis->state);
    vorbis_comment_clear(&s->vorbis->comment);
    vorbis_info_clear(&s->vorbis->info);
    s->vorbis = NULL;
}

static void end_chunk(ct_worker_sound *s) {
    ct_worker_sound_vorbis *const v = s->vorbis;
    const uint32_t count = v->sizes.count;
    ct_worker_sound_chunk_begin(s, v->first_frame, v->num_frames,
                                (count + 1) * (uint32_t)sizeof(uint32_t) + v->packets.count);
    ct_blob_write_u32(s->data, count);
    ct_blob_write_u32_array(s->data, v->sizes.items, count);
    ct_blob_write_bytes(s->data, v->packets.items, v->packets.count);
    const uint32_t last = v->sizes.items[count - 1];
    memmove(v->packets.items, v->packets.items + v->packets.count - last, last);
    v->packets.count = last;
    v->sizes.items[0] = last;
    v->sizes.count = 1;
    v->first_frame += v->num_frames;
    v->num_frames = 0;
}

static void take_packet(ct_worker_sound *s, ogg_packet *packet) {
    ct_worker_sound_vorbis *const v = s->vorbis;
    const uint32_t block = (uint32_t)vorbis_packet_blocksize(&v->info, packet);
    const uint32_t given = v->last_block ? (v->last_block + block) / 4 : 0;
    const uint32_t left = s->out.num_frames - v->first_frame - v->num_frames;
    if (left == 0)
        return; // behind the end
    v->last_block = block;
    v->num_frames += given < left ? given : left;
    ct_array_push(&v->sizes, (uint32_t)packet->bytes);
    ct_array_push_many(&v->packets, packet->packet, (uint32_t)packet->bytes);
    if (v->num_frames >= CT_SOUND_CHUNK_FRAMES || (given > 0 && given >= left))
        end_chunk(s);
}

static void encode(ct_worker_sound *s) {
    ct_worker_sound_vorbis *const v = s->vorbis;
    ogg_packet packet;
    while (vorbis_analysis_blockout(&v->state, &v->block) == 1) {
        const int problem = vorbis_analysis(&v->block, &packet);
        CT_ASSERT(problem == 0, "libvorbis reports %d", problem);
        take_packet(s, &packet);
    }
}

void ct_worker_sound_vorbis_push(ct_worker_sound *s, const float *frames, uint32_t count) {
    float **const to = vorbis_analysis_buffer(&s->vorbis->state, (int)count);
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t k = 0; k < s->out.num_channels; ++k)
            to[k][i] = frames[i * s->out.num_channels + k];
    }
    vorbis_analysis_wrote(&s->vorbis->state, (int)count);
    encode(s);
}

void ct_worker_sound_vorbis_end(ct_worker_sound *s) {
    const ct_worker_sound_vorbis *const v = s->vorbis;
    vorbis_analysis_wrote(&s->vorbis->state, 0);
    encode(s);
    CT_ASSERT(v->first_frame == s->out.num_frames, "%u of %u frames were encoded", v->first_frame,
              s->out.num_frames);
}
