// Images that textures are made of: PNG, JPEG and TGA files, as the worker decodes them. What they
// begin with says which; anything else is read as a TGA.
#include "compiler/types/texture/worker_image.h"
#include "foundation/error.h"
#include "foundation/memory/memory.h"
#include "foundation/memory/temp_allocator.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    ct_memory_init();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ct_worker_image image = {0};
    ct_error error = {0};
    const bool is_read =
        ct_worker_image_decode(ct_memory_heap(), data, size, "fuzz.tga", true, &image, &error);
    CT_ASSERT(is_read == (image.pixels != NULL), "pixels without success%s", "");
    CT_ASSERT(is_read || error.message[0], "an error without a message%s", "");
    if (is_read) {
        volatile uint8_t last = image.pixels[4ull * image.width * image.height - 1];
        (void)last;
    }
    ct_free(ct_memory_heap(), image.pixels);
    return 0;
}
