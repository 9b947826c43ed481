// Validators of compiled data: whatever they accept can be read without harm.
//
// The first byte picks a type (catalog, index and bundle come after the resource types), the second
// how the rest is read: as the blob behind the header, or as edits of a small valid one. The header
// is made right, so that validation is reached. fuzz_templates spawns units and levels.
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "resource/blob/blob_fixtures.h"
#include "resource/blob/blob_walk.h"
#include "resource/blob/content_hash.h"
#include "resource/data_index_fixture.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// The type of input byte `choice`.
static ct_resource_type pick_type(uint8_t choice) {
    uint32_t count;
    const ct_resource_type *const types = ct_resource_types(&count);
    const uint32_t position = choice % (count + 3);
    if (position < count)
        return types[position];
    const ct_resource_type others[] = {
        {.name = CT_CATALOG_TYPE, .version = CT_CATALOG_VERSION, .validate = ct_catalog_validate},
        {.name = CT_DATA_INDEX_TYPE,
         .version = CT_DATA_INDEX_VERSION,
         .validate = ct_data_index_validate},
        {.name = CT_BUNDLE_TYPE, .version = CT_BUNDLE_VERSION, .validate = ct_bundle_validate},
    };
    return others[position - count];
}

// Reads `data` as edits: a position and how to change what stands there.
static void edit(uint8_t *bytes, uint32_t num_bytes, const uint8_t *data, size_t size) {
    for (; size >= 4; data += 4, size -= 4) {
        const uint32_t at = (uint32_t)(data[0] | (data[1] & 63) << 8) % num_bytes;
        const uint32_t word = at & ~3u;
        uint32_t value = data[3];
        if (data[1] >> 6 == 0) {
            bytes[at] = data[3];
            continue;
        }
        if (word + 4 > num_bytes)
            continue;
        if (data[1] >> 6 == 1) // a large number
            value = ~value;
        else if (data[1] >> 6 == 2) // another number of the blob
            memcpy(&value, bytes + value * 4 % (num_bytes - 3), 4);
        memcpy(bytes + word, &value, 4);
    }
}

// One of the fixtures of `type`, as the last byte of the data says; NULL when there is none.
static const fixture *find_fixture(const char *type, const uint8_t *data, size_t size) {
    static const fixture index = {CT_DATA_INDEX_TYPE, write_data_index};
    const fixture *found[CT_COUNT_OF(fixtures)];
    uint32_t count = 0;
    if (strcmp(type, index.type) == 0)
        return &index;
    for (uint32_t i = 0; i < CT_COUNT_OF(fixtures); ++i) {
        if (strcmp(fixtures[i].type, type) == 0)
            found[count++] = &fixtures[i];
    }
    return count > 0 ? found[(size > 0 ? data[size - 1] : 0) % count] : NULL;
}

// Reads `data` as a length, from the end, and edits of a fixture of `type`; appends what comes of
// it. False when there is no fixture.
static bool append_edited(ct_byte_array *blob, const char *type, const uint8_t *data, size_t size) {
    const fixture *const f = find_fixture(type, data, size);
    if (!f)
        return false;
    ct_blob_writer w;
    f->write(&w);
    uint8_t *const bytes = w.bytes.items + sizeof(ct_blob_header);
    uint32_t count = w.bytes.count - (uint32_t)sizeof(ct_blob_header);
    count -= size > 0 && data[0] < count ? data[0] : 0;
    if (size > 1)
        edit(bytes, count, data + 1, size - 1);
    ct_array_push_many(blob, bytes, count);
    ct_blob_writer_free(&w);
    return true;
}

// --- Reading -------------------------------------------------------------------------------------

// Validates a blob of these bytes behind the header; one that is valid is read.
static void read_blob(const ct_resource_type *type, const uint8_t *bytes, size_t size) {
    // A block of exactly the blob's size, so that a read past the end is seen.
    const size_t blob_bytes = sizeof(ct_blob_header) + size;
    void *blob = NULL;
    if (posix_memalign(&blob, CT_BLOB_ALIGN, blob_bytes) != 0)
        abort();
    ct_blob_header *const header = blob;
    if (size > 0)
        memcpy(header + 1, bytes, size);
    *header = (ct_blob_header){CT_BLOB_MAGIC, type->version, ct_string_id64_of(type->name),
                               blob_bytes, ct_content_hash(header + 1, size)};
    ct_error error = {0};
    if (!ct_blob_check_header(blob, blob_bytes, header->type, type->version, &error))
        abort();
    volatile uint64_t sum = 0;
    if (type->validate(blob, &error))
        sum = walk_blob(type->name, blob);
    else if (error.message[0] == 0)
        abort(); // a refusal says why
    (void)sum;
    free(blob);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    test_group_setup(NULL);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2)
        return 0;
    const ct_resource_type type = pick_type(data[0]);
    ct_byte_array edited;
    ct_array_init(&edited, test_heap());
    if (data[1] % 4 != 0 && append_edited(&edited, type.name, data + 2, size - 2))
        read_blob(&type, edited.items, edited.count);
    else
        read_blob(&type, data + 2, size - 2);
    ct_array_free(&edited);
    return 0;
}
