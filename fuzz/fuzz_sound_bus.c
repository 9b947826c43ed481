// Blobs of sound buses: a small valid one is edited, and read when validation accepts it.
#include "resource/blob/blob_walk.h"
#include "resource/blob/sound_bus_fixture.h"
#include "support/edited_blob.h"

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    return test_group_setup(NULL);
}

// Mixes as the mixer does: in the order of the buses each bus is ready when it is read.
static void mix(const ct_sound_bus_resource *r) {
    const ct_sound_bus *const buses = ct_blob_at(r, r->buses.offset);
    const ct_sound_bus_send *const sends = ct_blob_at(r, r->sends.offset);
    bool is_mixed[CT_SOUND_MAX_BUSES] = {false};
    for (uint32_t order = 0; order < r->buses.count; ++order) {
        uint32_t bus = 0;
        while (bus < r->buses.count && buses[bus].order != order)
            ++bus;
        if (bus == r->buses.count || (bus > 0 && is_mixed[buses[bus].parent]))
            abort();
        for (uint32_t i = 0; i < r->sends.count; ++i) {
            if (sends[i].from == bus && is_mixed[sends[i].to])
                abort();
        }
        is_mixed[bus] = true;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const size_t used = edited_blob_input(data, size);
    if (!used)
        return 0;
    ct_blob_writer w;
    write_sound_bus(&w);
    void *const blob = edited_blob_make(&w, data);
    ct_error error = {0};
    if (ct_sound_bus_validate(blob, &error)) {
        walk_blob("sound_bus", blob);
        mix(blob);
    } else if (!error.message[0]) {
        abort();
    }
    free(blob);
    return 0;
}
