#include "support/test_support.h"

#include <string.h>

#include "content/move/name_spelling.h"
#include "foundation/memory/temp_allocator.h"

static void expect_path(ct_content_kind kind, uint32_t flags, const char *old, const char *path,
                        const char *expected) {
    CT_TEMP_ALLOCATOR(a, test_heap());
    assert_string_equal(ct_path_spell(a, kind, flags, old, strlen(old), path), expected);
}

static void expect_name(ct_content_kind kind, char quote, const char *name, const char *expected) {
    CT_TEMP_ALLOCATOR(a, test_heap());
    assert_string_equal(ct_name_spell(a, kind, quote, name), expected);
}

static void names_get_the_escapes_of_their_format(void **state) {
    (void)state;
    expect_name(CT_CONTENT_KIND_SOURCE, '"', "textures/rose", "textures/rose");
    expect_name(CT_CONTENT_KIND_SOURCE, '"', "a\"b\\c'\t", "a\\\"b\\\\c'\\u0009");
    expect_name(CT_CONTENT_KIND_SOURCE, '\'', "a'b", "a\\'b");
    expect_name(CT_CONTENT_KIND_SOURCE, '[', "a\"b", "a\"b");
    expect_name(CT_CONTENT_KIND_GLSL, '"', "a\\b", "a\\b");
}

static void paths_of_gltf_are_uris(void **state) {
    (void)state;
    expect_path(CT_CONTENT_KIND_GLTF, 0, "a.png", "../my t/50%.png", "../my%20t/50%25.png");
    expect_path(CT_CONTENT_KIND_GLTF, 0, "a\\u0020b.png", "c/a b.png", "c/a%20b.png");
    expect_path(CT_CONTENT_KIND_GLTF, 0, "a.png", "\xc3\xa4.png", "\xc3\xa4.png");
}

static void parts_that_stay_are_written_as_they_were(void **state) {
    (void)state;
    expect_path(CT_CONTENT_KIND_GLTF, 0, "My Art/a%2Db.png", "../m/My Art/a-b.png",
                "../m/My Art/a%2Db.png");
    expect_path(CT_CONTENT_KIND_GLTF, 0, "./a.png", "t/a.png", "./t/a.png");
    expect_path(CT_CONTENT_KIND_MTL, 0, "t\\a%20.png", "../m/t/a%20.png", "..\\m\\t\\a%20.png");
    expect_path(CT_CONTENT_KIND_GLTF, CT_MENTION_RENAMED, "Car%20Data.bin", "b/car_data.bin",
                "b/Car%20Data.bin");
    expect_path(CT_CONTENT_KIND_GLTF, 0, "Car%20Data.bin", "b/car_data.bin", "b/car_data.bin");
}

static void uris_are_read_up_to_broken_escapes(void **state) {
    (void)state;
    char text[CT_PATH_BYTES];
    assert_int_equal(ct_uri_decode("a%20%4", 6, text), 4);
    assert_string_equal(text, "a %4");
    assert_int_equal(ct_uri_decode("%0a%zz%", 7, text), 7);
    assert_string_equal(text, "%0a%zz%");
    char longer[CT_PATH_BYTES];
    memset(longer, 'a', sizeof(longer));
    assert_int_equal(ct_uri_decode(longer, sizeof(longer), text), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_get_the_escapes_of_their_format),
        cmocka_unit_test(paths_of_gltf_are_uris),
        cmocka_unit_test(parts_that_stay_are_written_as_they_were),
        cmocka_unit_test(uris_are_read_up_to_broken_escapes),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
