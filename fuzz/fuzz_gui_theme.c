// Blobs of themes: a small valid one is edited, and read when validation accepts it.
//
// The first byte is the number of edits (below 16), of 4 bytes each.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "resource/blob/blob_fixtures.h"
#include "resource/blob/blob_walk.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const float evil[] = {0, 1, -1, 1e-30f, 1e30f, 0.5f, 1e4f, INFINITY, NAN};

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    return test_group_setup(NULL);
}

// Reads an edit: a position, and a number, its complement, or a float for there.
static void edit(uint8_t *bytes, uint32_t num_bytes, const uint8_t data[4]) {
    const uint32_t at = (uint32_t)(data[0] | (data[1] & 63) << 8) % (num_bytes / 4) * 4;
    uint32_t value = data[3];
    if (data[1] >> 6 == 1)
        memcpy(&value, &evil[data[3] % CT_COUNT_OF(evil)], 4);
    else if (data[1] >> 6 == 2)
        value = ~value;
    memcpy(bytes + at, &value, 4);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const size_t num_edits = size > 0 ? data[0] % 16 : 0;
    if (size < 1 + 4 * num_edits)
        return 0;
    ct_blob_writer w;
    write_gui_theme(&w);
    void *blob = NULL;
    if (posix_memalign(&blob, 64, w.bytes.count) != 0)
        abort();
    memcpy(blob, w.bytes.items, w.bytes.count);
    const uint32_t header = sizeof(ct_blob_header), num_bytes = w.bytes.count - header;
    ct_blob_writer_free(&w);
    for (size_t i = 0; i < num_edits; ++i)
        edit((uint8_t *)blob + header, num_bytes, data + 1 + 4 * i);
    ct_error error = {0};
    if (ct_gui_theme_validate(blob, &error))
        walk_blob("gui_theme", blob);
    else if (!error.message[0])
        abort();
    free(blob);
    return 0;
}
