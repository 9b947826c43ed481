// The record of a list in an engine's cache: any bytes give a list or an error. The first byte
// chooses whether the rest is read as it is, or as the list behind a head that fits it.
#include "dev/serve/serve_record.h"
#include "foundation/error.h"
#include "foundation/memory/memory.h"

#include <string.h>

#include "resource/blob/content_hash.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Completes a head, so that what is behind it is read.
static void complete(ct_byte_array *bytes) {
    uint8_t *const head = bytes->items;
    memcpy(head, "CtList01", 8);
    ct_serve_write_u64((bytes->count - CT_SERVE_RECORD_HEAD_BYTES) / CT_SERVE_FILE_WIRE_BYTES,
                       head + 24);
    ct_serve_write_u64(ct_content_hash(head, CT_SERVE_RECORD_HEAD_BYTES - 8) ^
                           ct_content_hash(head + CT_SERVE_RECORD_HEAD_BYTES,
                                           bytes->count - CT_SERVE_RECORD_HEAD_BYTES),
                       head + 32);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    ct_memory_init();
    ct_error error = {0};
    ct_byte_array bytes, again;
    ct_serve_record record = {0};
    ct_array_init(&bytes, ct_memory_heap());
    ct_array_init(&again, ct_memory_heap());
    ct_array_init(&record.files, ct_memory_heap());
    ct_array_push_many(&bytes, data + 1, (uint32_t)size - 1);
    if ((data[0] & 1) && bytes.count >= CT_SERVE_RECORD_HEAD_BYTES)
        complete(&bytes);
    if (ct_serve_record_read(bytes.items, bytes.count, &record, &error)) {
        ct_serve_record_write(&record, &again);
        CT_ASSERT(again.count == bytes.count && memcmp(again.items, bytes.items, again.count) == 0,
                  "a record of %u bytes is written as another", bytes.count);
    } else {
        CT_ASSERT(error.message[0] != '\0' && record.files.count == 0, "no reason, or %u files",
                  record.files.count);
    }
    ct_array_free(&bytes);
    ct_array_free(&again);
    ct_array_free(&record.files);
    ct_memory_shutdown();
    return 0;
}
