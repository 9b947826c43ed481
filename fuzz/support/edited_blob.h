// edited_blob.h: a blob as a fuzz target of blobs changes it.
//
// The first byte of the input is the number of edits (below 16), of 4 bytes each: a position, and a
// number, its complement, or a float of `edited_floats` for there.
#pragma once
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "resource/blob/blob_writer.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const float edited_floats[] = {0, 1, -1, 1e-30f, 1e30f, 0.5f, 1e6f, INFINITY, NAN};

static inline void edited_blob_edit(uint8_t *bytes, uint32_t num_bytes, const uint8_t data[4]) {
    const uint32_t at = (uint32_t)(data[0] | (data[1] & 63) << 8) % (num_bytes / 4) * 4;
    uint32_t value = data[3];
    if (data[1] >> 6 == 1)
        memcpy(&value, &edited_floats[data[3] % CT_COUNT_OF(edited_floats)], 4);
    else if (data[1] >> 6 == 2)
        value = ~value;
    memcpy(bytes + at, &value, 4);
}

// Returns how many bytes of an input are its edits; 0 when it is too short.
static inline size_t edited_blob_input(const uint8_t *data, size_t size) {
    const size_t used = size > 0 ? 1 + 4 * (size_t)(data[0] % 16) : 0;
    return used <= size ? used : 0;
}

// Returns a copy of what `w` holds with the edits of an input that is long enough, and frees `w`. The
// header stays as it is. The caller frees the copy.
static inline void *edited_blob_make(ct_blob_writer *w, const uint8_t *data) {
    void *blob = NULL;
    if (posix_memalign(&blob, 64, w->bytes.count) != 0)
        abort();
    memcpy(blob, w->bytes.items, w->bytes.count);
    const uint32_t header = sizeof(ct_blob_header), num_bytes = w->bytes.count - header;
    ct_blob_writer_free(w);
    for (uint32_t i = 0; i < data[0] % 16u; ++i)
        edited_blob_edit((uint8_t *)blob + header, num_bytes, data + 1 + 4 * i);
    return blob;
}
