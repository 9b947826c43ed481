// Validators of compiled data: whatever they accept can be read without harm.
//
// The first byte picks a type (the index comes after the resource types); the rest is the blob
// behind a header that is made right, so that validation is reached.
#include <stdlib.h>
#include <string.h>

#include "../tests/resource/blob_walk.h"
#include "foundation/error.h"
#include "resource/content_hash.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// The type of input byte `choice`.
static ct_resource_type pick_type(uint8_t choice) {
    uint32_t count;
    const ct_resource_type *const types = ct_resource_types(&count);
    const uint32_t position = choice % (count + 1);
    return position < count ? types[position]
                            : (ct_resource_type){CT_DATA_INDEX_TYPE, CT_DATA_INDEX_VERSION, NULL,
                                                 ct_data_index_validate};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1)
        return 0;
    const ct_resource_type type = pick_type(data[0]);
    // A block of exactly the blob's size, so that a read past the end is seen.
    const size_t blob_bytes = sizeof(ct_blob_header) + size - 1;
    void *blob = NULL;
    if (posix_memalign(&blob, CT_BLOB_ALIGN, blob_bytes) != 0)
        abort();
    ct_blob_header *const header = blob;
    memcpy(header + 1, data + 1, size - 1);
    *header = (ct_blob_header){CT_BLOB_MAGIC, type.version, ct_string_id64_of(type.name),
                               blob_bytes, ct_content_hash(header + 1, size - 1)};
    ct_error error = {0};
    if (!ct_blob_check_header(blob, blob_bytes, header->type, type.version, &error))
        abort();
    volatile uint64_t sum = 0;
    if (type.validate(blob, &error))
        sum = walk_blob(type.name, blob);
    else if (error.message[0] == 0)
        abort(); // a refusal says why
    (void)sum;
    free(blob);
    return 0;
}
