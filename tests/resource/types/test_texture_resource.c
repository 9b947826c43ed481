#include "resource/types/texture_resource.h"

#include "resource/blob/blob_fixtures.h"

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
    b->format = CT_TEXTURE_FORMAT_COUNT;
    assert_refused(ct_texture_validate, b, "unknown pixel format 11");
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
    assert_refused(ct_texture_validate, b, "mips[2].pixels: 4 bytes at offset");
    mip->pixels.offset = 40;
    assert_refused(ct_texture_validate, b, "expected a multiple of 16");
    ct_blob_writer_free(&w);
}

static resource *make_layers(ct_blob_writer *w, ct_texture_kind kind, uint32_t num_layers) {
    write_layered_texture(w, kind, num_layers);
    return (resource *)(void *)w->bytes.items;
}

static void accepts_cubes_and_arrays_of_blocks(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *b = make_layers(&w, CT_TEXTURE_KIND_CUBE, 6);
    assert_accepted(ct_texture_validate, b);
    assert_int_equal(ITEM(ct_texture_mip, b, b->mips, 0)->pixels.count, 6 * 4 * 16);
    ct_blob_writer_free(&w);
    b = make_layers(&w, CT_TEXTURE_KIND_ARRAY, 3);
    assert_accepted(ct_texture_validate, b);
    ct_blob_writer_free(&w);
}

static void refuses_layers_that_the_kind_has_not(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make_layers(&w, CT_TEXTURE_KIND_ARRAY, 6);
    b->kind = CT_TEXTURE_KIND_2D;
    assert_refused(ct_texture_validate, b, "found 6 layers, expected 1 to 1");
    b->kind = CT_TEXTURE_KIND_COUNT;
    assert_refused(ct_texture_validate, b, "unknown texture kind 3");
    b->kind = CT_TEXTURE_KIND_CUBE;
    assert_accepted(ct_texture_validate, b);
    b->num_layers = 5;
    assert_refused(ct_texture_validate, b, "found 5 layers, expected 6 to 6");
    b->num_layers = 6;
    b->height = 5;
    assert_refused(ct_texture_validate, b, "found cube faces of 6 x 5 pixels, expected squares");
    b->kind = CT_TEXTURE_KIND_ARRAY;
    b->height = 6;
    b->num_layers = 0;
    assert_refused(ct_texture_validate, b, "found 0 layers");
    b->num_layers = CT_TEXTURE_MAX_LAYERS + 1;
    assert_refused(ct_texture_validate, b, "found 257 layers");
    b->num_layers = 7; // of which it has no pixels
    assert_refused(ct_texture_validate, b, "mips[0]: found 384 bytes of pixels, expected 448");
    ct_blob_writer_free(&w);
}

static void knows_the_bytes_of_formats(void **state) {
    (void)state;
    assert_int_equal(ct_texture_layer_bytes(CT_TEXTURE_FORMAT_RGBA8, 5, 3), 60);
    assert_int_equal(ct_texture_layer_bytes(CT_TEXTURE_FORMAT_RG8, 5, 3), 30);
    assert_int_equal(ct_texture_layer_bytes(CT_TEXTURE_FORMAT_R8, 5, 3), 15);
    assert_int_equal(ct_texture_layer_bytes(CT_TEXTURE_FORMAT_BC1, 1, 1), 8);
    assert_int_equal(ct_texture_layer_bytes(CT_TEXTURE_FORMAT_BC4, 5, 3), 16);
    assert_int_equal(ct_texture_layer_bytes(CT_TEXTURE_FORMAT_BC3_SRGB, 8, 9), 96);
    assert_int_equal(ct_texture_layer_bytes(CT_TEXTURE_FORMAT_BC5, 16384, 16384), 1u << 28);
    assert_int_equal(ct_texture_full_chain(16384, 1), 15);
    assert_int_equal(ct_texture_full_chain(1, 1), 1);
    assert_int_equal(ct_texture_full_chain(6, 5), 3);
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
    assert_int_equal(source.category, CT_TEXTURE_CATEGORY_COLOR);
    assert_int_equal(source.quality, CT_TEXTURE_QUALITY_FAST);
    assert_int_equal(source.premultiply_alpha, 0);
    ct_blob_writer_free(&w);
}

static void refuses_mips_outside_of_the_stream(void **state) {
    (void)state;
    ct_blob_writer w;
    write_texture_with_stream(&w);
    ct_texture_resource *const t = (ct_texture_resource *)(void *)w.bytes.items;
    ct_texture_mip *const mip = ITEM(ct_texture_mip, t, t->mips, 0);
    assert_accepted(ct_texture_validate, t);
    assert_ptr_equal(ct_texture_stream(t), &t->stream);
    mip->pixels.offset += 16;
    assert_refused(ct_texture_validate, t, "mips[0].pixels: 32 bytes at offset");
    mip->pixels.offset -= 48; // in the blob
    assert_refused(ct_texture_validate, t, "expected the pixels in the stream");
    mip->pixels.offset = UINT32_MAX - 15;
    assert_refused(ct_texture_validate, t, "are not in the stream");
    mip->pixels.offset = (uint32_t)t->header.size_bytes;
    t->stream.bytes = 16;
    assert_refused(ct_texture_validate, t, "are not in the stream");
    t->stream.bytes = 33;
    assert_refused(ct_texture_validate, t, "the stream has 33 bytes, expected a multiple of 16");
    t->stream.bytes = UINT32_MAX - 15;
    assert_refused(ct_texture_validate, t, "expected a multiple of 16 below 4 GiB");
    t->stream.bytes = 0;
    assert_refused(ct_texture_validate, t, "are not in the stream");
    mip->pixels.offset -= 32; // in the blob
    assert_refused(ct_texture_validate, t, "found 1 of 3 mips in a stream of 0 bytes");
    t->stream.bytes = STREAM_FIXTURE_BYTES;
    t->num_streamed = 3;
    assert_refused(ct_texture_validate, t, "found 3 of 3 mips in a stream");
    t->num_streamed = 0;
    assert_refused(ct_texture_validate, t, "found 0 of 3 mips in a stream of 32 bytes");
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
        cmocka_unit_test(accepts_cubes_and_arrays_of_blocks),
        cmocka_unit_test(refuses_layers_that_the_kind_has_not),
        cmocka_unit_test(knows_the_bytes_of_formats),
        cmocka_unit_test(reads_sources_with_defaults),
        cmocka_unit_test(refuses_mips_outside_of_the_stream),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
