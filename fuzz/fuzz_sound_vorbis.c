// Sounds stored as Vorbis: a small one of a tone is edited, and all its chunks are decoded.
//
// The first byte is the number of edits, of 4 bytes each: where (in the headers, or in a chunk),
// what, and how. The rest of the input is decoded as a chunk of its own.
#include <stdlib.h>
#include <string.h>

#include "sound/media/sound_vorbis.h"
#include "sound/media/vorbis_fixture.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FRAMES = 6000, CHANNELS = 2, EDIT_BYTES = 4 };

static ct_sound_resource *original;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    test_group_setup(NULL);
    int16_t *const samples = media_make_samples(FRAMES, CHANNELS);
    original = vorbis_make(&(media_spec){.samples = samples,
                                         .num_frames = FRAMES,
                                         .num_channels = CHANNELS,
                                         .rate = 44100,
                                         .chunk_frames = 2000});
    ct_free(test_heap(), samples);
    return 0;
}

static void edit(ct_sound_resource *r, const uint8_t *data) {
    const bool is_header = data[1] & 0x80;
    const ct_blob_array array = is_header ? r->vorbis_headers : r->data;
    const uint32_t at = (uint32_t)(data[0] | (data[1] & 0x7f) << 8) % array.count;
    uint8_t *const byte = (uint8_t *)r + array.offset + at;
    if (data[3] & 1)
        *byte = data[2];
    else
        *byte ^= data[2];
    if (data[3] == 2) // headers of other sizes
        r->vorbis_header_bytes[2] -= r->vorbis_header_bytes[2] > data[2] ? data[2] : 0u;
}

static void decode(ct_sound_vorbis *v, const void *bytes, uint64_t size, uint32_t num_frames) {
    ct_error error = {0};
    // Memory of its own, so that a read past its end is found.
    int16_t *const frames = malloc(num_frames * CHANNELS * sizeof(int16_t) + 1);
    void *const chunk = malloc(size ? size : 1);
    if (!frames || !chunk)
        abort();
    memcpy(chunk, bytes, size);
    if (!ct_sound_vorbis_decode(v, chunk, size, num_frames, frames, &error) && !error.message[0])
        abort();
    free(chunk);
    free(frames);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const size_t num_edits = size > 0 ? data[0] % 16 : 0;
    if (size < 1 + EDIT_BYTES * num_edits)
        return 0;
    const size_t blob_bytes = original->header.size_bytes;
    ct_sound_resource *const r = malloc(blob_bytes);
    if (!r)
        abort();
    memcpy(r, original, blob_bytes);
    for (size_t i = 0; i < num_edits; ++i)
        edit(r, data + 1 + EDIT_BYTES * i);
    ct_error error = {0};
    ct_sound_vorbis *const v = ct_sound_vorbis_create(test_heap(), r, &error);
    if (!v && !error.message[0])
        abort();
    const ct_sound_chunk *const chunks = ct_blob_at(r, r->chunks.offset);
    const uint8_t *const bytes = ct_blob_at(r, r->data.offset);
    for (uint32_t i = 0; v && i < r->chunks.count; ++i)
        decode(v, bytes + chunks[i].offset, chunks[i].bytes, chunks[i].num_frames);
    if (v)
        decode(v, data + 1 + EDIT_BYTES * num_edits, size - 1 - EDIT_BYTES * num_edits, 3000);
    ct_sound_vorbis_destroy(v);
    free(r);
    return 0;
}
