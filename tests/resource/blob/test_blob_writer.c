#include "resource/blob/blob_writer.h"

#include "resource/blob/blob_fixtures.h"
#include "resource/blob/content_hash.h"

enum { HEADER = sizeof(ct_blob_header) };

static void assert_bytes(const ct_blob_writer *w, uint32_t at, const void *bytes, uint32_t count) {
    assert_true(at + count <= w->bytes.count);
    assert_memory_equal(w->bytes.items + at, bytes, count);
}

static void fills_the_header(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_blob_writer_init(&w, test_heap(), CT_BYTE_ORDER_LITTLE, "texture", 3);
    ct_blob_write_u8(&w, 1);
    ct_blob_writer_finish(&w);
    const ct_blob_header *const h = (const ct_blob_header *)(const void *)w.bytes.items;
    assert_int_equal(w.bytes.count, HEADER + CT_BLOB_ALIGN);
    assert_int_equal(h->magic, CT_BLOB_MAGIC);
    assert_int_equal(h->version, 3);
    assert_int_equal(h->type.value, ct_string_id64_of("texture").value);
    assert_int_equal(h->size_bytes, w.bytes.count);
    assert_int_equal(h->checksum, ct_content_hash(h + 1, CT_BLOB_ALIGN));
    ct_blob_writer_free(&w);
}

static void writes_little_endian_values(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_blob_writer_init(&w, test_heap(), CT_BYTE_ORDER_LITTLE, "t", 1);
    assert_int_equal(ct_blob_writer_offset(&w), HEADER);
    assert_int_equal(ct_blob_write_u8(&w, 0xab), HEADER);
    assert_int_equal(ct_blob_write_u16(&w, 0x0102), HEADER + 1);
    assert_int_equal(ct_blob_write_u32(&w, 0x01020304), HEADER + 3);
    assert_int_equal(ct_blob_write_u64(&w, 0x0102030405060708), HEADER + 7);
    assert_int_equal(ct_blob_write_float(&w, 1.0f), HEADER + 15);
    assert_int_equal(ct_blob_write_double(&w, 1.0), HEADER + 19);
    const uint8_t expected[] = {0xab, 2, 1, 4,    3,    2, 1, 8, 7, 6, 5, 4,    3,   2,
                                1,    0, 0, 0x80, 0x3f, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f};
    assert_bytes(&w, HEADER, expected, sizeof(expected));
    ct_blob_writer_free(&w);
}

static void writes_big_endian_values(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_blob_writer_init(&w, test_heap(), CT_BYTE_ORDER_BIG, "t", 1);
    ct_blob_write_u16(&w, 0x0102);
    ct_blob_write_u32(&w, 0x01020304);
    ct_blob_write_u64(&w, 0x0102030405060708);
    ct_blob_write_float(&w, 1.0f);
    const uint8_t expected[] = {1, 2, 1, 2, 3, 4, 1, 2, 3, 4, 5, 6, 7, 8, 0x3f, 0x80, 0, 0};
    assert_bytes(&w, HEADER, expected, sizeof(expected));
    const uint8_t magic[] = {'L', 'B', 'T', 'C', 0, 0, 0, 1};
    assert_bytes(&w, 0, magic, sizeof(magic));
    ct_blob_writer_finish(&w);
    const uint8_t size[] = {0, 0, 0, 0, 0, 0, 0, 64};
    assert_bytes(&w, offsetof(ct_blob_header, size_bytes), size, sizeof(size));
    ct_blob_writer_free(&w);
}

static void aligns_items_to_their_layout(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_blob_writer_init(&w, test_heap(), CT_BYTE_ORDER_BIG, "t", 1);
    const uint16_t shorts[] = {0x0102};
    const uint32_t words[] = {0x01020304};
    const uint64_t longs[] = {1};
    const float floats[] = {1.0f};
    ct_blob_write_u8(&w, 9);
    assert_int_equal(ct_blob_write_items(&w, &ct_blob_u16_layout, shorts, 1).offset, HEADER + 2);
    assert_int_equal(ct_blob_write_u32_array(&w, words, 1), HEADER + 4);
    assert_int_equal(ct_blob_write_items(&w, &ct_blob_u64_layout, longs, 1).offset, HEADER + 8);
    assert_int_equal(ct_blob_write_items(&w, &ct_blob_u32_layout, floats, 1).offset, HEADER + 16);
    const uint8_t expected[] = {9, 0, 1, 2, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 1, 0x3f, 0x80, 0, 0};
    assert_bytes(&w, HEADER, expected, sizeof(expected));
    ct_blob_writer_free(&w);
}

static void patches_arrays_strings_and_values(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_blob_writer_init(&w, test_heap(), CT_BYTE_ORDER_LITTLE, "t", 1);
    const uint32_t array = ct_blob_write_array_field(&w);
    const uint32_t empty = ct_blob_write_array_field(&w);
    const uint32_t string = ct_blob_write_array_field(&w);
    const uint32_t number = ct_blob_write_u32(&w, 1);
    ct_blob_patch_array(&w, array, 48, 2);
    ct_blob_patch_array(&w, empty, 48, 0);
    ct_blob_patch_string(&w, string, "crate", 5);
    ct_blob_patch_u32(&w, number, 77);
    const uint32_t expected[] = {48, 2, 0, 0, HEADER + 28, 5, 77};
    assert_bytes(&w, HEADER, expected, sizeof(expected));
    assert_bytes(&w, HEADER + 28, "crate", 6);
    ct_blob_writer_free(&w);
}

static void writes_structs_without_unset_bytes(void **state) {
    (void)state;
    typedef struct padded {
        uint32_t number, padding;
    } padded;
    const ct_field fields[] = {
        {.name = "number", .type = CT_FIELD_TYPE_INDEX, .size_bytes = 4},
        {.name = "padding", .type = CT_FIELD_TYPE_PADDING, .offset = 4, .size_bytes = 4},
    };
    const ct_schema schema = {
        .name = "padded", .size_bytes = sizeof(padded), .num_fields = 2, .fields = fields};
    padded items[2];
    memset(items, 0xff, sizeof(items)); // padding included
    ct_blob_writer w;
    ct_blob_writer_init(&w, test_heap(), CT_BYTE_ORDER_LITTLE, "t", 1);
    ct_blob_write_u8(&w, 1);
    const uint32_t at = ct_blob_write_structs(&w, &schema, items, 2);
    assert_int_equal(at, HEADER + 8);
    assert_int_equal(w.bytes.count, at + sizeof(items));
    items[0].padding = items[1].padding = 0;
    assert_bytes(&w, at, items, sizeof(items));
    ct_blob_writer_free(&w);
}

static void writes_structs_for_the_other_byte_order(void **state) {
    (void)state;
    const ct_schema *const schema = ct_component_type_named("debug_name")->schema;
    const ct_schema *const camera = ct_component_type_named("camera")->schema;
    const ct_debug_name_data name = {"lamp"};
    const ct_camera_data view = {.name = {0x01020304}, .vertical_fov = 1.0f};
    ct_blob_writer w;
    ct_blob_writer_init(&w, test_heap(), CT_BYTE_ORDER_BIG, "t", 1);
    uint32_t at = ct_blob_write_structs(&w, schema, &name, 1);
    assert_bytes(&w, at, &name, sizeof(name)); // text has no byte order
    at = ct_blob_write_structs(&w, camera, &view, 1);
    const uint8_t expected[] = {1, 2, 3, 4, 0, 0, 0, 0, 0x3f, 0x80, 0, 0};
    assert_bytes(&w, at, expected, sizeof(expected));
    ct_blob_writer_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fills_the_header),
        cmocka_unit_test(writes_little_endian_values),
        cmocka_unit_test(writes_big_endian_values),
        cmocka_unit_test(aligns_items_to_their_layout),
        cmocka_unit_test(patches_arrays_strings_and_values),
        cmocka_unit_test(writes_structs_without_unset_bytes),
        cmocka_unit_test(writes_structs_for_the_other_byte_order),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
