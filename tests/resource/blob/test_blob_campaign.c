// Every blob type, cut at every byte and damaged 10,000 times: loaders refuse with a reason, or
// what they accept can be read to its end.
#include "resource/blob/content_hash.h"
#include "resource/types/resource_types.h"
#include "support/mutation.h"

#include <stdio.h>
#include <stdlib.h>

#include "resource/blob/blob_fixtures.h"
#include "resource/blob/blob_walk.h"

enum { SEED = 20151218 };

// Hands `size` bytes to the loader's two checks in a block of exactly that size, so that sanitizers
// see a read past the end.
static void load(const ct_resource_type *type, const uint8_t *bytes, size_t size) {
    void *blob = NULL;
    assert_int_equal(posix_memalign(&blob, CT_BLOB_ALIGN, size ? size : 1), 0);
    memcpy(blob, bytes, size);
    ct_error error = {0};
    if (ct_blob_check_header(blob, size, ct_string_id64_of(type->name), type->version, &error) &&
        type->validate(blob, &error)) {
        volatile const uint64_t sum = walk_blob(type->name, blob);
        (void)sum;
    } else if (!error.message[0]) {
        fail_msg("%s: refused without a reason", type->name);
    }
    free(blob);
}

// Makes size and checksum right, so that validation gets to see the rest.
static void seal(uint8_t *bytes, size_t size) {
    ct_blob_header header;
    if (size < sizeof(header))
        return;
    memcpy(&header, bytes, sizeof(header));
    header.size_bytes = size;
    header.checksum = ct_content_hash(bytes + sizeof(header), size - sizeof(header));
    memcpy(bytes, &header, sizeof(header));
}

static void expects_refused_header(const ct_resource_type *type, const uint8_t *bytes,
                                   size_t size) {
    void *blob = NULL;
    assert_int_equal(posix_memalign(&blob, CT_BLOB_ALIGN, size ? size : 1), 0);
    memcpy(blob, bytes, size);
    ct_error error = {0};
    assert_false(
        ct_blob_check_header(blob, size, ct_string_id64_of(type->name), type->version, &error));
    assert_true(error.message[0] != '\0');
    free(blob);
}

static void survives_every_cut(void **state) {
    (void)state;
    for (size_t i = 0; i < CT_COUNT_OF(fixtures); ++i) {
        const ct_resource_type *const type = ct_resource_type_named(fixtures[i].type);
        ct_blob_writer w;
        fixtures[i].write(&w);
        for (size_t size = 0; size < w.bytes.count; ++size) {
            expects_refused_header(type, w.bytes.items, size);
            uint8_t *const cut = malloc(size + 1);
            memcpy(cut, w.bytes.items, size);
            seal(cut, size);
            load(type, cut, size);
            free(cut);
        }
        ct_blob_writer_free(&w);
    }
}

static void notices_every_flipped_byte(void **state) {
    (void)state;
    for (size_t i = 0; i < CT_COUNT_OF(fixtures); ++i) {
        const ct_resource_type *const type = ct_resource_type_named(fixtures[i].type);
        ct_blob_writer w;
        fixtures[i].write(&w);
        for (size_t at = 0; at < w.bytes.count; ++at) {
            w.bytes.items[at] ^= 0x10;
            expects_refused_header(type, w.bytes.items, w.bytes.count);
            w.bytes.items[at] ^= 0x10;
        }
        ct_blob_writer_free(&w);
    }
}

static void survives_damage_behind_a_right_header(void **state) {
    (void)state;
    ct_random random = ct_random_seeded(SEED, 0);
    const uint32_t num_rounds = test_rounds(10000, 200000);
    for (size_t i = 0; i < CT_COUNT_OF(fixtures); ++i) {
        const ct_resource_type *const type = ct_resource_type_named(fixtures[i].type);
        ct_blob_writer w;
        fixtures[i].write(&w);
        const size_t capacity = w.bytes.count + 256;
        uint8_t *const bytes = malloc(capacity);
        for (uint32_t round = 0; round < num_rounds; ++round) {
            memcpy(bytes, w.bytes.items, w.bytes.count);
            const size_t head = sizeof(ct_blob_header);
            const size_t size = head + test_mutate(&random, bytes + head, w.bytes.count - head,
                                                   capacity - head, NULL);
            seal(bytes, size);
            load(type, bytes, size);
        }
        free(bytes);
        ct_blob_writer_free(&w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(survives_every_cut),
        cmocka_unit_test(notices_every_flipped_byte),
        cmocka_unit_test(survives_damage_behind_a_right_header),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
