#include "compiler/types/sound/worker_sound_wav.h"

#include <string.h>

enum {
    CHUNK_HEAD_BYTES = 8,
    FORM_BYTES = 12,    // RIFF, size, WAVE
    FORMAT_BYTES = 16,  // of the chunk `fmt `, at least
    SAMPLER_BYTES = 36, // of the chunk `smpl` before its loops
    SAMPLER_LOOP_BYTES = 24,
    IS_UNKNOWN = 0x7fffff00, // sizes from here on are from programs that did not know it
};

// The bytes of a chunk that are there.
typedef struct chunk {
    const uint8_t *bytes;
    uint64_t size_bytes, bytes_there;
    bool is_big_endian;
} chunk;

static uint32_t read_number(const chunk *c, uint64_t at, uint32_t bytes) {
    uint32_t value = 0;
    if (at + bytes > c->bytes_there)
        return 0;
    for (uint32_t i = 0; i < bytes; ++i) {
        const uint32_t byte = c->bytes[at + i];
        value |= byte << 8 * (c->is_big_endian ? bytes - 1 - i : i);
    }
    return value;
}

static void read_format(ct_worker_wav *w, const chunk *c) {
    enum { EXTRA_FRAMES_AT = 18 };
    if (c->bytes_there < FORMAT_BYTES)
        return;
    w->has_format = true;
    w->num_channels = read_number(c, 2, 2);
    w->rate = read_number(c, 4, 4);
    w->frame_bytes = read_number(c, 12, 2);
    const uint32_t sample_bits = read_number(c, 14, 2);
    // Whole bytes for each channel: samples. Else a block of compressed ones says how many it has.
    const bool is_samples = sample_bits >= 8 && sample_bits % 8 == 0 &&
                            w->frame_bytes == w->num_channels * (sample_bits / 8);
    const uint32_t frames = read_number(c, EXTRA_FRAMES_AT, 2);
    w->frames_per_block = is_samples || frames == 0 ? 1 : frames;
}

static void read_data(ct_worker_wav *w, const chunk *c) {
    w->has_data = true;
    w->bytes_there = c->bytes_there;
    w->data_bytes = c->size_bytes >= IS_UNKNOWN ? c->bytes_there : c->size_bytes;
}

// The first loop.
static void read_sampler(ct_worker_wav *w, const chunk *c) {
    const uint32_t num_loops = read_number(c, 28, 4);
    if (num_loops == 0 || c->bytes_there < SAMPLER_BYTES + SAMPLER_LOOP_BYTES)
        return;
    w->has_loop = true;
    w->loop_type = read_number(c, SAMPLER_BYTES + 4, 4);
    w->loop_begin = read_number(c, SAMPLER_BYTES + 8, 4);
    w->loop_end =
        (uint64_t)read_number(c, SAMPLER_BYTES + 12, 4) + 1; // the file has the last frame
}

ct_worker_wav ct_worker_wav_scan(const uint8_t *bytes, uint64_t size_bytes) {
    ct_worker_wav w = {.frames_per_block = 1};
    const bool is_big_endian = size_bytes >= 4 && memcmp(bytes, "RIFX", 4) == 0;
    uint64_t at = FORM_BYTES;
    while (at + CHUNK_HEAD_BYTES <= size_bytes) {
        const chunk head = {bytes + at, CHUNK_HEAD_BYTES, CHUNK_HEAD_BYTES, is_big_endian};
        const uint64_t left = size_bytes - at - CHUNK_HEAD_BYTES;
        const uint64_t size = read_number(&head, 4, 4);
        const chunk c = {bytes + at + CHUNK_HEAD_BYTES, size, size < left ? size : left,
                         is_big_endian};
        if (memcmp(head.bytes, "fmt ", 4) == 0)
            read_format(&w, &c);
        else if (memcmp(head.bytes, "data", 4) == 0 && !w.has_data)
            read_data(&w, &c);
        else if (memcmp(head.bytes, "smpl", 4) == 0)
            read_sampler(&w, &c);
        at += CHUNK_HEAD_BYTES + size + size % 2;
    }
    return w;
}
