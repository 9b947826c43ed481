#include "resource/blob/blob.h"

#include "resource/blob/blob_fixtures.h"
#include "resource/blob/content_hash.h"

static bool check(const void *blob, uint64_t size_bytes, ct_error *error) {
    return ct_blob_check_header(blob, size_bytes, ct_string_id64_of("mesh"), CT_MESH_VERSION,
                                error);
}

static void accepts_a_whole_blob(void **state) {
    (void)state;
    ct_blob_writer w;
    write_mesh(&w);
    ct_error error = {0};
    assert_true(check(w.bytes.items, w.bytes.count, &error));
    assert_string_equal(error.message, "");
    ct_blob_writer_free(&w);
}

static void refuses_blobs_cut_anywhere(void **state) {
    (void)state;
    ct_blob_writer w;
    write_mesh(&w);
    for (uint32_t size = 0; size < w.bytes.count; size += 16) {
        // A block of its own, so that a sanitizer sees reads past the end.
        void *const cut = ct_alloc(test_heap(), size + 1);
        memcpy(cut, w.bytes.items, size);
        ct_error error = {0};
        assert_false(check(cut, size, &error));
        assert_message(&error, "truncated");
        ct_free(test_heap(), cut);
    }
    ct_blob_writer_free(&w);
}

static void refuses_trailing_bytes(void **state) {
    (void)state;
    ct_blob_writer w;
    write_mesh(&w);
    ct_array_resize(&w.bytes, w.bytes.count + 16);
    ct_error error = {0};
    assert_false(check(w.bytes.items, w.bytes.count, &error));
    assert_message(&error, "wrong size");
    ct_blob_writer_free(&w);
}

// Every bit of the header is checked, and says which field differs.
static void refuses_every_flipped_bit_of_the_header(void **state) {
    (void)state;
    ct_blob_writer w;
    write_mesh(&w);
    static const char *const messages[] = {"magic", "version", "another type", "another type",
                                           NULL,    NULL,      "checksum",     "checksum"};
    for (uint32_t bit = 0; bit < 8 * sizeof(ct_blob_header); ++bit) {
        w.bytes.items[bit / 8] ^= (uint8_t)(1u << bit % 8);
        ct_error error = {0};
        assert_false(check(w.bytes.items, w.bytes.count, &error));
        const char *const message = messages[bit / 32];
        assert_message(&error, message ? message : "bytes, expected");
        w.bytes.items[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    ct_blob_writer_free(&w);
}

static void refuses_every_flipped_bit_of_the_rest(void **state) {
    (void)state;
    ct_blob_writer w;
    write_mesh(&w);
    for (uint32_t bit = 8 * sizeof(ct_blob_header); bit < 8 * w.bytes.count; ++bit) {
        w.bytes.items[bit / 8] ^= (uint8_t)(1u << bit % 8);
        ct_error error = {0};
        assert_false(check(w.bytes.items, w.bytes.count, &error));
        assert_message(&error, "damaged: its checksum is");
        w.bytes.items[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    ct_blob_writer_free(&w);
}

static void names_both_versions(void **state) {
    (void)state;
    ct_blob_writer w;
    write_mesh(&w);
    ((ct_blob_header *)(void *)w.bytes.items)->version = 7;
    ct_error error = {0};
    assert_false(check(w.bytes.items, w.bytes.count, &error));
    assert_message(&error, "it has another version: found 7, expected 5; compile it again");
    ct_blob_writer_free(&w);
}

static void refuses_the_other_byte_order(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_blob_writer_init(&w, test_heap(), CT_BYTE_ORDER_BIG, "mesh", CT_MESH_VERSION);
    ct_blob_writer_finish(&w);
    ct_error error = {0};
    assert_false(check(w.bytes.items, w.bytes.count, &error));
    assert_message(&error, "other byte order");
    ct_blob_writer_free(&w);
}

// --- Arrays and strings --------------------------------------------------------------------------

static bool check_array(uint32_t offset, uint32_t count, uint64_t item_bytes, ct_error *error) {
    const ct_blob_header header = {.size_bytes = 128};
    *error = (ct_error){0};
    return ct_blob_check_array(&header, (ct_blob_array){offset, count}, item_bytes, 4, "things",
                               error);
}

static void accepts_arrays_up_to_the_end(void **state) {
    (void)state;
    ct_error error;
    assert_true(check_array(0, 0, 4, &error));
    assert_true(check_array(32, 24, 4, &error));
    assert_true(check_array(124, 1, 4, &error));
}

static void refuses_arrays_outside_the_blob(void **state) {
    (void)state;
    ct_error error;
    const uint32_t offsets[] = {32, 124, 128, 132, 0xfffffffc};
    const uint32_t counts[] = {25, 2, 1, 1, 1};
    for (uint32_t i = 0; i < CT_COUNT_OF(offsets); ++i) {
        assert_false(check_array(offsets[i], counts[i], 4, &error));
        assert_message(&error, "things: ");
        assert_message(&error, "exceed the blob");
    }
}

static void refuses_arrays_whose_size_overflows(void **state) {
    (void)state;
    ct_error error;
    assert_false(check_array(32, UINT32_MAX, UINT64_MAX / 2, &error));
    assert_message(&error, "exceed the blob");
    assert_false(check_array(32, 1u << 31, 1ull << 33, &error));
    assert_message(&error, "exceed the blob");
}

static void refuses_arrays_in_the_header_or_unaligned(void **state) {
    (void)state;
    ct_error error;
    assert_false(check_array(28, 1, 4, &error));
    assert_message(&error, "things: at offset 28, expected a multiple of 4 after the header");
    assert_false(check_array(34, 1, 4, &error));
    assert_message(&error, "at offset 34");
    assert_false(check_array(64, 0, 4, &error));
    assert_message(&error, "empty, but at offset 64");
}

static void checks_strings_and_their_ends(void **state) {
    (void)state;
    _Alignas(16) char blob[48] = {0};
    ct_blob_header *const header = (ct_blob_header *)(void *)blob;
    header->size_bytes = sizeof(blob);
    memcpy(blob + 40, "crates!", 7);
    ct_error error = {0};
    assert_true(ct_blob_check_string(header, (ct_blob_string){40, 7}, "name", &error));
    assert_true(ct_blob_check_string(header, (ct_blob_string){47, 0}, "name", &error));
    assert_false(ct_blob_check_string(header, (ct_blob_string){40, 6}, "name", &error));
    assert_message(&error, "name: text of 6 bytes at offset 40 is not terminated");
    const ct_blob_string outside[] = {{40, 8}, {48, 0},          {0, 0},
                                      {31, 1}, {40, UINT32_MAX}, {UINT32_MAX, 1}};
    for (uint32_t i = 0; i < CT_COUNT_OF(outside); ++i) {
        assert_false(ct_blob_check_string(header, outside[i], "name", &error));
        assert_message(&error, "exceeds the blob");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_a_whole_blob),
        cmocka_unit_test(refuses_blobs_cut_anywhere),
        cmocka_unit_test(refuses_trailing_bytes),
        cmocka_unit_test(refuses_every_flipped_bit_of_the_header),
        cmocka_unit_test(refuses_every_flipped_bit_of_the_rest),
        cmocka_unit_test(names_both_versions),
        cmocka_unit_test(refuses_the_other_byte_order),
        cmocka_unit_test(accepts_arrays_up_to_the_end),
        cmocka_unit_test(refuses_arrays_outside_the_blob),
        cmocka_unit_test(refuses_arrays_whose_size_overflows),
        cmocka_unit_test(refuses_arrays_in_the_header_or_unaligned),
        cmocka_unit_test(checks_strings_and_their_ends),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
