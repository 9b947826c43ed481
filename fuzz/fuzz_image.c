// Images that textures are made of: PNG, JPEG and TGA files, as the worker decodes them. What they
// begin with says which; anything else is read as a TGA. Each is also read as a PNG of heights.
#include "compiler/types/texture/worker_png.h"
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

static void read_heights(const uint8_t *data, size_t size) {
    const ct_worker_image_file file = {
        .allocator = ct_memory_heap(), .bytes = data, .size_bytes = size, .path = "fuzz.png"};
    ct_worker_grey_image image = {0};
    ct_error error = {0};
    const bool is_read = ct_worker_png_decode_grey(&file, 2, 4097, &image, &error);
    CT_ASSERT(is_read == (image.pixels != NULL), "pixels without success%s", "");
    CT_ASSERT(is_read || error.message[0], "an error without a message%s", "");
    if (is_read) {
        CT_ASSERT(image.width >= 2 && image.height >= 2, "%u x %u", image.width, image.height);
        volatile uint16_t last = image.pixels[(uint64_t)image.width * image.height - 1];
        (void)last;
    }
    ct_free(ct_memory_heap(), image.pixels);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    read_heights(data, size);
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
