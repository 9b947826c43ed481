// Blobs of sound buses: a small valid one is edited, and read when validation accepts it.
//
// The first byte is the number of edits (below 16), of 4 bytes each.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "resource/blob/blob_walk.h"
#include "resource/blob/sound_bus_fixture.h"

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
    const size_t num_edits = size > 0 ? data[0] % 16 : 0;
    if (size < 1 + 4 * num_edits)
        return 0;
    ct_blob_writer w;
    write_sound_bus(&w);
    void *blob = NULL;
    if (posix_memalign(&blob, 64, w.bytes.count) != 0)
        abort();
    memcpy(blob, w.bytes.items, w.bytes.count);
    const uint32_t header = sizeof(ct_blob_header), num_bytes = w.bytes.count - header;
    ct_blob_writer_free(&w);
    for (size_t i = 0; i < num_edits; ++i)
        edit((uint8_t *)blob + header, num_bytes, data + 1 + 4 * i);
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
