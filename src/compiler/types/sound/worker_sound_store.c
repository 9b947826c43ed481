// The data of a sound, in chunks.
#include <math.h>

#include "compiler/types/sound/worker_sound.h"
#include "foundation/memory/allocator.h"

static bool is_streamed(const ct_worker_sound *s) {
    return (s->out.flags & CT_SOUND_STREAMED) != 0;
}

void ct_worker_sound_chunk_begin(ct_worker_sound *s, uint32_t first_frame, uint32_t num_frames,
                                 uint32_t bytes) {
    ct_blob_writer_align(s->data, CT_SOUND_CHUNK_ALIGN);
    const uint32_t head_bytes = is_streamed(s) ? sizeof(ct_sound_chunk_head) : 0;
    const ct_sound_chunk chunk = {.offset = ct_blob_writer_offset(s->data) - s->data_begin,
                                  .bytes = head_bytes + bytes,
                                  .first_frame = first_frame,
                                  .num_frames = num_frames};
    if (is_streamed(s)) {
        ct_blob_write_u64(s->data, s->out.stamp);
        ct_blob_write_u32(s->data, s->chunks.count);
        ct_blob_write_u32(s->data, 0);
    }
    ct_array_push(&s->chunks, chunk);
}

bool ct_worker_sound_store_begin(ct_worker_sound *s) {
    s->data = is_streamed(s) ? &s->c->stream : &s->c->blob;
    ct_blob_writer_align(s->data, CT_BLOB_ALIGN);
    s->data_begin = ct_blob_writer_offset(s->data);
    if (s->out.codec == CT_SOUND_CODEC_VORBIS)
        return ct_worker_sound_vorbis_begin(s);
    const uint64_t frame_bytes = sizeof(int16_t) * s->out.num_channels;
    const uint64_t chunks = s->out.num_frames / CT_SOUND_CHUNK_FRAMES + 1;
    ct_array_reserve(&s->data->bytes, s->data_begin + frame_bytes * s->out.num_frames +
                                          chunks * 2 * sizeof(ct_sound_chunk_head));
    return true;
}

// Full scale itself is not reported: it is 1, which no whole number of 16 bits is.
static int16_t sample_of(ct_worker_sound *s, float x) {
    const float scaled = rintf(x * 32768);
    s->num_clamped += scaled > 32768 || scaled < -32768;
    return ct_sound_to_sample(x);
}

static void write_samples(ct_worker_sound *s, const float *frames, uint32_t count) {
    const bool is_big = s->data->order == CT_BYTE_ORDER_BIG;
    const uint32_t num_samples = count * s->out.num_channels;
    const uint32_t at = ct_blob_write_zeroes(s->data, sizeof(int16_t) * (uint64_t)num_samples);
    uint8_t *const to = s->data->bytes.items + at;
    for (uint32_t i = 0; i < num_samples; ++i) {
        const uint16_t sample = (uint16_t)sample_of(s, frames[i]);
        to[2 * i + (is_big ? 1 : 0)] = (uint8_t)sample;
        to[2 * i + (is_big ? 0 : 1)] = (uint8_t)(sample >> 8);
    }
}

void ct_worker_sound_store_push(ct_worker_sound *s, const float *frames, uint32_t count) {
    if (s->vorbis) {
        ct_worker_sound_vorbis_push(s, frames, count);
        return;
    }
    for (uint32_t done = 0; done < count;) {
        const uint32_t frame = s->num_stored + done, in_chunk = frame % CT_SOUND_CHUNK_FRAMES;
        if (in_chunk == 0) {
            const uint32_t left = s->out.num_frames - frame;
            const uint32_t frames_here =
                left < CT_SOUND_CHUNK_FRAMES ? left : CT_SOUND_CHUNK_FRAMES;
            ct_worker_sound_chunk_begin(s, frame, frames_here,
                                        frames_here * s->out.num_channels * sizeof(int16_t));
        }
        const uint32_t room = CT_SOUND_CHUNK_FRAMES - in_chunk;
        const uint32_t part = count - done < room ? count - done : room;
        write_samples(s, frames + (uint64_t)done * s->out.num_channels, part);
        done += part;
    }
}

void ct_worker_sound_store_end(ct_worker_sound *s) {
    if (s->vorbis)
        ct_worker_sound_vorbis_end(s);
    ct_blob_writer_align(s->data, CT_BLOB_ALIGN);
}
