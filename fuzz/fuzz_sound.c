// Sounds: a small valid one is edited, and read as players and tools do when validation accepts it.
//
// The first byte picks the sound (samples in memory, or Vorbis in a stream); then 4 bytes each: a
// position in its numbers and chunks, and a new value there.
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "resource/types/sound_fixture.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const uint32_t evil[] = {
    0,          1,          2,          16,         150,        SOUND_FIXTURE_FRAMES,
    0x7fffffff, 0x80000000, 0xffffffff, 0x7fc00000, 0x7f800000, 0x3f800000};

static volatile uint64_t sum;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    return test_group_setup(NULL);
}

// Edits near the start, the numbers, or near the end of a blob without samples, the chunks.
static void edit(uint8_t *bytes, uint32_t num_bytes, uint32_t chunks_at, const uint8_t data[4]) {
    const uint32_t from = data[0] & 1 ? chunks_at : (uint32_t)sizeof(ct_blob_header);
    const uint32_t at = from + data[1] % 64 * 4;
    uint32_t value = data[3];
    if (data[0] >> 1 & 1)
        value = evil[data[3] % CT_COUNT_OF(evil)] + data[2] % 3 - 1;
    if (at + 4 <= num_bytes)
        memcpy(bytes + at, &value, 4);
}

static void read_bytes(const uint8_t *bytes, uint64_t count) {
    for (uint64_t i = 0; i < count; ++i)
        sum += bytes[i];
}

static void use(const ct_sound_resource *s) {
    static const uint8_t stream[SOUND_FIXTURE_STREAM_BYTES];
    const ct_sound_chunk *const chunks = ct_blob_at(s, s->chunks.offset);
    const bool is_streamed = s->flags & CT_SOUND_STREAMED;
    if (is_streamed && s->stream.bytes > sizeof(stream))
        return; // the loader compares it with the file
    const uint8_t *const all = is_streamed ? stream : ct_blob_at(s, s->data.offset);
    for (uint32_t i = 0; i < s->chunks.count; ++i) {
        const ct_sound_chunk *const c = &chunks[i];
        read_bytes(all + c->offset, c->bytes);
        if (ct_sound_find_chunk(s, c->first_frame) != i ||
            ct_sound_find_chunk(s, c->first_frame + c->num_frames - 1) != i)
            abort();
    }
    if (s->codec == CT_SOUND_CODEC_SAMPLES && !is_streamed)
        read_bytes(all, (uint64_t)s->num_frames * s->num_channels * sizeof(int16_t));
    for (uint32_t i = 0, at = 0; i < CT_SOUND_VORBIS_HEADERS; at += s->vorbis_header_bytes[i++])
        read_bytes((const uint8_t *)ct_blob_at(s, s->vorbis_headers.offset) + at,
                   s->vorbis_header_bytes[i]);
    read_bytes(ct_blob_at(s, s->waveform.offset), s->waveform.count);
    if (s->flags & CT_SOUND_LOOPS && s->loop_end - s->loop_begin > s->num_frames)
        abort();
    sum += strlen(ct_blob_at(s, s->media_format.offset));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1)
        return 0;
    ct_blob_writer w;
    if (data[0] & 1)
        write_streamed_sound_blob(&w);
    else
        write_sound_blob(&w);
    void *blob = NULL;
    if (posix_memalign(&blob, 64, w.bytes.count) != 0)
        abort();
    memcpy(blob, w.bytes.items, w.bytes.count);
    const uint32_t num_bytes = w.bytes.count;
    const uint32_t chunks_at = ((const ct_sound_resource *)blob)->chunks.offset;
    ct_blob_writer_free(&w);
    for (size_t i = 1; i + 4 <= size && i < 64; i += 4)
        edit(blob, num_bytes, chunks_at, data + i);
    ((ct_sound_resource *)blob)->header.size_bytes = num_bytes;
    ct_error error = {0};
    if (ct_sound_validate(blob, &error))
        use(blob);
    else if (!error.message[0])
        abort();
    free(blob);
    return 0;
}
