// The file of the pipeline cache: whatever it holds, what is read lies inside it. Files whose checksum
// fits are tried too.
#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/memory.h"
#include "render/device/render_cache.h"
#include "resource/blob/content_hash.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const void *bytes, uint64_t size_bytes) {
    static const ct_render_device_identity identity = {.vendor = 1};
    ct_error error = {0};
    uint64_t data_bytes;
    const char *const found =
        ct_render_cache_read(bytes, size_bytes, &identity, &data_bytes, &error);
    if (found)
        CT_ASSERT(found >= (const char *)bytes && data_bytes <= size_bytes &&
                      found + data_bytes <= (const char *)bytes + size_bytes,
                  "data outside of the file");
    else
        CT_ASSERT(error.message[0] && data_bytes == 0, "refused without an error");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ct_memory_init();
    char *const bytes = ct_alloc(ct_memory_heap(), size + 1);
    if (size)
        memcpy(bytes, data, size);
    check(bytes, size);
    const uint64_t from = offsetof(ct_render_cache_header, data_bytes);
    if (size >= sizeof(ct_render_cache_header)) {
        ct_render_cache_header *const header = (ct_render_cache_header *)(void *)bytes;
        header->magic = CT_RENDER_CACHE_MAGIC;
        header->version = CT_RENDER_CACHE_VERSION;
        header->checksum = ct_content_hash(bytes + from, size - from);
        check(bytes, size);
    }
    ct_free(ct_memory_heap(), bytes);
    ct_memory_shutdown(); // asserts that nothing is left
    return 0;
}
