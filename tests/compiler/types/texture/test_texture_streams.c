// Which mips of a texture lie beside its data, and where.
#include "compiler/types/texture/texture_case.h"

#include "foundation/math/random.h"
#include "resource/blob/content_hash.h"

// An image of noise.
static ct_byte_array noise(uint32_t width, uint32_t height) {
    ct_byte_array pixels = new_bytes();
    ct_random random = ct_random_seeded(width, height);
    ct_array_resize(&pixels, width * height * 4);
    for (uint32_t i = 0; i < pixels.count; ++i)
        pixels.items[i] = i % 4 == 3 ? 255 : (uint8_t)ct_random_u32(&random);
    const ct_byte_array png = png_of(width, height, 4, pixels.items);
    ct_array_free(&pixels);
    return png;
}

static const ct_texture_resource *compile_noise(compile_case *t, uint32_t width, uint32_t height,
                                                const char *settings) {
    *t = compile_case_make();
    ct_byte_array png = noise(width, height);
    const ct_texture_resource *const r = compile(t, &png, "textures/a.png", settings);
    ct_array_free(&png);
    return r;
}

static void small_textures_are_whole(void **state) {
    (void)state;
    compile_case t;
    assert_int_equal(compile_noise(&t, 64, 64, "quality = \"uncompressed\"")->num_streamed, 0);
    assert_int_equal(t.answer.stream.count, 0);
    compile_case_free(&t);
    assert_int_equal(compile_noise(&t, 256, 256, "")->num_streamed, 0); // 40 KiB of BC1
    compile_case_free(&t);
    assert_int_equal(compile_noise(&t, 256, 256, "quality = \"uncompressed\" generate_mips = false")
                         ->num_streamed,
                     0);
    compile_case_free(&t);
}

static void mips_above_64_pixels_lie_in_the_stream(void **state) {
    (void)state;
    compile_case t;
    const ct_texture_resource *const r = compile_noise(&t, 512, 100, "quality = \"uncompressed\"");
    assert_int_equal(r->num_streamed, 3); // 512 x 100, 256 x 50, 128 x 25
    assert_int_equal(r->stream.bytes, t.answer.stream.count);
    assert_true(r->stream.hash == ct_content_hash(t.answer.stream.items, t.answer.stream.count));
    // Smallest first, as if the stream followed the blob.
    const ct_texture_mip *const m = mips_of(r);
    assert_int_equal(m[2].pixels.offset, r->header.size_bytes);
    assert_int_equal(m[1].pixels.offset, r->header.size_bytes + 128 * 25 * 4);
    assert_int_equal(m[0].pixels.offset, r->header.size_bytes + 128 * 25 * 4 + 256 * 50 * 4);
    assert_int_equal(m[0].pixels.count, 512 * 100 * 4);
    assert_true(m[3].pixels.offset < r->header.size_bytes);
    compile_case_free(&t);
}

// What is streamed must be what the image says.
static void pixels_of_the_stream_are_those_of_the_image(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    ct_byte_array pixels = new_bytes();
    ct_array_resize(&pixels, 256 * 256 * 4);
    for (uint32_t i = 0; i < 256 * 256; ++i) {
        const uint8_t pixel[4] = {(uint8_t)i, (uint8_t)(i >> 8), 77, 255};
        memcpy(pixels.items + i * 4, pixel, 4);
    }
    ct_byte_array png = png_of(256, 256, 4, pixels.items);
    const ct_texture_resource *const r =
        compile(&t, &png, "textures/a.png", "quality = \"uncompressed\"");
    assert_int_equal(r->num_streamed, 2);
    const uint64_t at = mips_of(r)[0].pixels.offset - r->header.size_bytes;
    assert_memory_equal(t.answer.stream.items + at, pixels.items, pixels.count);
    ct_array_free(&png);
    ct_array_free(&pixels);
    compile_case_free(&t);
}

static void compiling_again_gives_the_same_stream(void **state) {
    (void)state;
    compile_case t;
    compile_noise(&t, 512, 512, "");
    const uint64_t hash = ct_content_hash(t.answer.stream.items, t.answer.stream.count);
    assert_true(t.answer.stream.count >= 65536);
    compile_case_free(&t);
    compile_noise(&t, 512, 512, "");
    assert_true(ct_content_hash(t.answer.stream.items, t.answer.stream.count) == hash);
    compile_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_textures_are_whole),
        cmocka_unit_test(mips_above_64_pixels_lie_in_the_stream),
        cmocka_unit_test(pixels_of_the_stream_are_those_of_the_image),
        cmocka_unit_test(compiling_again_gives_the_same_stream),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
