// The first bytes of pictures: the first byte says as which kind the rest is read.
#include "content/database/picture_size.h"

#include "foundation/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const extensions[] = {"png", "jpg", "jpeg", "tga"};
    if (size == 0)
        return 0;
    uint32_t width = 0, height = 0;
    if (ct_picture_size(extensions[data[0] % CT_COUNT_OF(extensions)], data + 1, size - 1, &width,
                        &height))
        CT_ASSERT(width > 0 && height > 0, "%u x %u", width, height);
    return 0;
}
