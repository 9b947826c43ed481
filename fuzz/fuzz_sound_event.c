// Blobs of sound events: a small valid one is edited, and read when validation accepts it.
//
// After the edits (support/edited_blob.h) every 4 bytes are a number that a parameter has.
#include <math.h>

#include "resource/blob/blob_walk.h"
#include "resource/blob/sound_event_fixture.h"
#include "sound/event/sound_curves.h"
#include "support/edited_blob.h"

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    return test_group_setup(NULL);
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
    const size_t used = edited_blob_input(data, size);
    if (!used)
        return 0;
    ct_blob_writer w;
    write_sound_event(&w);
    void *const blob = edited_blob_make(&w, data);
    ct_error error = {0};
    if (ct_sound_event_validate(blob, &error)) {
        walk_blob("sound_event", blob);
        evaluate(blob, data + used, size - used);
    } else if (!error.message[0]) {
        abort();
    }
    free(blob);
    return 0;
}
