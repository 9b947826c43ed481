// Blobs of sound events: a small valid one is edited, and read when validation accepts it.
//
// The first byte is the number of edits (below 16), of 4 bytes each; then every 4 bytes are a number
// that a parameter has.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "resource/blob/blob_walk.h"
#include "resource/blob/sound_event_fixture.h"
#include "sound/event/sound_curves.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const float evil[] = {0, 1, -1, 1e-30f, 1e30f, 0.5f, 1e6f, INFINITY};

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    return test_group_setup(NULL);
}

// Reads an edit: a position, and a number, a small number, or a float for there.
static void edit(uint8_t *bytes, uint32_t num_bytes, const uint8_t data[4]) {
    const uint32_t at = (uint32_t)(data[0] | (data[1] & 63) << 8) % (num_bytes / 4) * 4;
    uint32_t value = data[3];
    if (data[1] >> 6 == 1)
        memcpy(&value, &evil[data[3] % CT_COUNT_OF(evil)], 4);
    else if (data[1] >> 6 == 2)
        value = ~value;
    memcpy(bytes + at, &value, 4);
}

// Evaluates all curves at the numbers of the input: y is always in the range of the target.
static void evaluate(const ct_sound_event_resource *e, const uint8_t *data, size_t size) {
    const ct_sound_curve *const curves = ct_blob_at(e, e->curves.offset);
    for (size_t i = 0; i + 4 <= size && i < 64; i += 4) {
        float x, least = 0, most = 0;
        memcpy(&x, data + i, 4);
        for (uint32_t k = 0; k < e->curves.count; ++k) {
            const float y = ct_sound_curve_at(e, &curves[k], x);
            ct_sound_target_range(curves[k].target, &least, &most);
            const float slack = 1e-3f * (most - least);
            if (isfinite(x) && !(y >= least - slack && y <= most + slack))
                abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const size_t num_edits = size > 0 ? data[0] % 16 : 0;
    if (size < 1 + 4 * num_edits)
        return 0;
    ct_blob_writer w;
    write_sound_event(&w);
    void *blob = NULL;
    if (posix_memalign(&blob, 64, w.bytes.count) != 0)
        abort();
    memcpy(blob, w.bytes.items, w.bytes.count);
    const uint32_t header = sizeof(ct_blob_header), num_bytes = w.bytes.count - header;
    ct_blob_writer_free(&w);
    for (size_t i = 0; i < num_edits; ++i)
        edit((uint8_t *)blob + header, num_bytes, data + 1 + 4 * i);
    ct_error error = {0};
    if (ct_sound_event_validate(blob, &error)) {
        walk_blob("sound_event", blob);
        evaluate(blob, data + 1 + 4 * num_edits, size - 1 - 4 * num_edits);
    } else if (!error.message[0]) {
        abort();
    }
    free(blob);
    return 0;
}
