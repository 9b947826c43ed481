#include "resource/texture_resource.h"

#include "blob_fixtures.h"

typedef ct_texture_resource resource;

// Makes the blob `b` of a sound resource, which the test then damages.
static resource *make(ct_blob_writer *w) {
    write_texture(w);
    return (resource *)(void *)w->bytes.items;
}

static void accepts_a_full_chain_or_one_mip(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    assert_accepted(ct_texture_validate, b);
    b->mips.count = 1;
    assert_accepted(ct_texture_validate, b);
    ct_blob_writer_free(&w);
}

static void refuses_unknown_formats_filters_and_wraps(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    b->format = 3;
    assert_refused(ct_texture_validate, b, "unknown pixel format 3");
    b->format = 0;
    assert_refused(ct_texture_validate, b, "unknown pixel format 0");
    b->format = CT_TEXTURE_FORMAT_RGBA8;
    b->filter = 2;
    assert_refused(ct_texture_validate, b, "unknown filter 2");
    b->filter = 0;
    b->wrap = 2;
    assert_refused(ct_texture_validate, b, "wrap 2");
    ct_blob_writer_free(&w);
}

static void refuses_sizes_that_are_none(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    b->width = 0;
    assert_refused(ct_texture_validate, b, "found 0 x 2 pixels");
    b->width = CT_TEXTURE_MAX_SIZE + 1;
    assert_refused(ct_texture_validate, b, "expected 1 to 16384");
    ct_blob_writer_free(&w);
}

static void refuses_a_chain_that_ends_early(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    b->mips.count = 2;
    assert_refused(ct_texture_validate, b, "found 2 mips, expected 1 or 3");
    b->mips.count = 0;
    b->mips.offset = 0;
    assert_refused(ct_texture_validate, b, "found 0 mips");
    ct_blob_writer_free(&w);
}

static void refuses_mips_of_another_size(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ITEM(ct_texture_mip, b, b->mips, 1)->height = 2;
    assert_refused(ct_texture_validate, b, "mips[1]: found 2 x 2, expected 2 x 1");
    ct_blob_writer_free(&w);
}

static void refuses_pixels_that_are_too_few_or_outside(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ct_texture_mip *const mip = ITEM(ct_texture_mip, b, b->mips, 2);
    mip->pixels.count = 3;
    assert_refused(ct_texture_validate, b, "mips[2]: found 3 bytes of pixels, expected 4");
    mip->pixels.count = 4;
    mip->pixels.offset = (uint32_t)b->header.size_bytes;
    assert_refused(ct_texture_validate, b, "mips[2]: 4 of 1 bytes");
    mip->pixels.offset = 40;
    assert_refused(ct_texture_validate, b, "expected a multiple of 16");
    ct_blob_writer_free(&w);
}

static void reads_sources_with_defaults(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    (void)b;
    ct_texture_source source;
    ct_schema_defaults(&ct_texture_schema, &source);
    assert_int_equal(source.generate_mips, 1);
    assert_int_equal(source.color_space, 0);
    assert_int_equal(source.filter, CT_TEXTURE_FILTER_LINEAR);
    assert_int_equal(source.wrap, CT_TEXTURE_WRAP_REPEAT);
    assert_true(ct_schema_find(&ct_texture_schema, "source")->flags & CT_FIELD_REQUIRED);
    ct_blob_writer_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_a_full_chain_or_one_mip),
        cmocka_unit_test(refuses_unknown_formats_filters_and_wraps),
        cmocka_unit_test(refuses_sizes_that_are_none),
        cmocka_unit_test(refuses_a_chain_that_ends_early),
        cmocka_unit_test(refuses_mips_of_another_size),
        cmocka_unit_test(refuses_pixels_that_are_too_few_or_outside),
        cmocka_unit_test(reads_sources_with_defaults),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
