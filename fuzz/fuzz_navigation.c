// Blobs of navigation: a small valid one is edited, and read when validation accepts it.
#include "resource/blob/blob_fixtures.h"
#include "resource/blob/blob_walk.h"
#include "support/edited_blob.h"

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    return test_group_setup(NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const size_t used = edited_blob_input(data, size);
    if (!used)
        return 0;
    ct_blob_writer w;
    write_navigation(&w);
    void *const blob = edited_blob_make(&w, data);
    ct_error error = {0};
    if (ct_navigation_validate(blob, &error))
        walk_blob("navigation", blob);
    else if (!error.message[0])
        abort();
    free(blob);
    return 0;
}
