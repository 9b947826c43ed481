// Formats by category, cube maps, arrays, sizes: what a texture's source asks for.
#include "compiler/types/texture/texture_case.h"

#include <math.h>
#include <stdlib.h>

#include "resource/blob/content_hash.h"

// --- Blocks read back, as the Khronos Data Format Specification has them -------------------------

static void expand_565(uint32_t word, int rgb[3]) {
    const int r = (int)(word >> 11), g = (int)(word >> 5 & 63), b = (int)(word & 31);
    rgb[0] = r << 3 | r >> 2;
    rgb[1] = g << 2 | g >> 4;
    rgb[2] = b << 3 | b >> 2;
}

static void read_color(const uint8_t *block, uint32_t pixel, int rgb[3]) {
    int ends[2][3];
    expand_565(block[0] | (uint32_t)block[1] << 8, ends[0]);
    expand_565(block[2] | (uint32_t)block[3] << 8, ends[1]);
    const uint32_t index = block[4 + pixel / 4] >> pixel % 4 * 2 & 3;
    static const int weights[4] = {3, 0, 2, 1};
    for (uint32_t c = 0; c < 3; ++c)
        rgb[c] = (ends[0][c] * weights[index] + ends[1][c] * (3 - weights[index])) / 3;
}

static int read_channel(const uint8_t *block, uint32_t pixel) {
    uint64_t bits = 0;
    for (uint32_t i = 0; i < 6; ++i)
        bits |= (uint64_t)block[2 + i] << 8 * i;
    const int index = (int)(bits >> 3 * pixel & 7), a = block[0], b = block[1];
    if (index < 2)
        return index ? b : a;
    if (a > b)
        return ((8 - index) * a + (index - 1) * b) / 7;
    return index == 6 ? 0 : index == 7 ? 255 : ((6 - index) * a + (index - 1) * b) / 5;
}

// The pixel (x, y) of a layer's first mip as it was before compression, as near as may be.
static void pixel_of(const ct_texture_resource *r, uint32_t mip, uint32_t layer, uint32_t x,
                     uint32_t y, int rgba[4]) {
    const uint32_t width = mips_of(r)[mip].width, height = mips_of(r)[mip].height;
    const uint8_t *const pixels =
        pixels_of(r, mip) + ct_texture_layer_bytes(r->format, width, height) * layer;
    const uint32_t columns = (width + 3) / 4, pixel = y % 4 * 4 + x % 4;
    const uint8_t *const block =
        pixels + ct_texture_layer_bytes(r->format, 1, 1) * (y / 4 * columns + x / 4);
    rgba[0] = rgba[1] = rgba[2] = 0;
    rgba[3] = 255;
    switch (r->format) {
    case CT_TEXTURE_FORMAT_BC1_SRGB:
    case CT_TEXTURE_FORMAT_BC1:
        read_color(block, pixel, rgba);
        break;
    case CT_TEXTURE_FORMAT_BC3_SRGB:
    case CT_TEXTURE_FORMAT_BC3:
        read_color(block + 8, pixel, rgba);
        rgba[3] = read_channel(block, pixel);
        break;
    case CT_TEXTURE_FORMAT_BC5:
        rgba[1] = read_channel(block + 8, pixel);
        rgba[0] = read_channel(block, pixel);
        break;
    case CT_TEXTURE_FORMAT_BC4:
        rgba[0] = read_channel(block, pixel);
        break;
    default: {
        const uint64_t channels = ct_texture_layer_bytes(r->format, 1, 1);
        for (uint32_t c = 0; c < channels; ++c)
            rgba[c] = pixels[(y * width + x) * channels + c];
    }
    }
}

// --- Sources -------------------------------------------------------------------------------------

// Smooth, with all channels different; alpha is 255 where `is_opaque`.
static void gradient(uint8_t *pixels, uint32_t width, uint32_t height, bool is_opaque) {
    for (uint32_t y = 0; y < height; ++y) {
        for (uint32_t x = 0; x < width; ++x) {
            uint8_t *const p = pixels + (y * width + x) * 4;
            p[0] = (uint8_t)(40 + x * 5);
            p[1] = (uint8_t)(200 - y * 4);
            p[2] = (uint8_t)(60 + x * 2 + y * 2);
            p[3] = is_opaque ? 255 : (uint8_t)(x * 6 + y);
        }
    }
}

static const ct_texture_resource *compile_pixels(compile_case *t, uint32_t width, uint32_t height,
                                                 const uint8_t *pixels, const char *settings) {
    ct_byte_array png = png_of(width, height, 4, pixels);
    const ct_texture_resource *const r = compile(t, &png, "textures/a.png", settings);
    ct_array_free(&png);
    return r;
}

static void save_png(compile_case *t, const char *path, uint32_t width, uint32_t height,
                     const uint8_t *pixels) {
    ct_byte_array png = png_of(width, height, 4, pixels);
    compile_case_file(t, path, png.items, png.count);
    ct_array_free(&png);
}

static void save_plain(compile_case *t, const char *path, uint32_t width, uint32_t height,
                       uint8_t value) {
    uint8_t pixels[16 * 16 * 4];
    memset(pixels, value, sizeof(pixels));
    for (uint32_t i = 3; i < sizeof(pixels); i += 4)
        pixels[i] = 255;
    save_png(t, path, width, height, pixels);
}

static const ct_texture_resource *compile_source(compile_case *t, const char *source) {
    compile_case_text(t, "a.texture", source);
    return compile_case_blob(t, "texture", "a");
}

static void expect_refusal(compile_case *t, const char *source, uint32_t line, const char *text) {
    compile_case_text(t, "a.texture", source);
    compile_case_run(t, "texture", "a");
    compile_case_expect(t, "a.texture", line, text);
}

// --- Formats -------------------------------------------------------------------------------------

static void chooses_formats_by_category_and_quality(void **state) {
    (void)state;
    static const struct {
        const char *settings;
        bool is_opaque;
        ct_texture_format format;
        uint32_t num_mips;
    } cases[] = {
        {"", true, CT_TEXTURE_FORMAT_BC1_SRGB, 6},
        {"", false, CT_TEXTURE_FORMAT_BC3_SRGB, 6},
        {"quality = \"best\"", true, CT_TEXTURE_FORMAT_BC1_SRGB, 6},
        {"color_space = \"linear\"", true, CT_TEXTURE_FORMAT_BC1, 6},
        {"quality = \"uncompressed\"", true, CT_TEXTURE_FORMAT_RGBA8_SRGB, 6},
        {"category = \"data\"", true, CT_TEXTURE_FORMAT_BC1, 6},
        {"category = \"data\"", false, CT_TEXTURE_FORMAT_BC3, 6},
        {"category = \"data\" color_space = \"srgb\"", false, CT_TEXTURE_FORMAT_BC3_SRGB, 6},
        {"category = \"data\" quality = \"uncompressed\"", true, CT_TEXTURE_FORMAT_RGBA8, 6},
        {"category = \"normal\"", false, CT_TEXTURE_FORMAT_BC5, 6},
        {"category = \"normal\" quality = \"uncompressed\"", true, CT_TEXTURE_FORMAT_RG8, 6},
        {"category = \"mask\"", true, CT_TEXTURE_FORMAT_BC4, 6},
        {"category = \"mask\" color_space = \"linear\"", true, CT_TEXTURE_FORMAT_BC4, 6},
        {"category = \"mask\" quality = \"uncompressed\"", true, CT_TEXTURE_FORMAT_R8, 6},
        {"category = \"gui\"", false, CT_TEXTURE_FORMAT_RGBA8_SRGB, 1},
        {"category = \"gui\" quality = \"best\"", true, CT_TEXTURE_FORMAT_RGBA8_SRGB, 1},
        {"category = \"gui\" generate_mips = true", true, CT_TEXTURE_FORMAT_RGBA8_SRGB, 6},
        {"category = \"gui\" color_space = \"linear\"", true, CT_TEXTURE_FORMAT_RGBA8, 1},
    };
    uint8_t pixels[32 * 32 * 4];
    compile_case t = compile_case_make();
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        gradient(pixels, 32, 32, cases[i].is_opaque);
        const ct_texture_resource *const r = compile_pixels(&t, 32, 32, pixels, cases[i].settings);
        assert_int_equal(r->format, cases[i].format);
        assert_int_equal(r->mips.count, cases[i].num_mips);
        assert_int_equal(r->kind, CT_TEXTURE_KIND_2D);
        assert_int_equal(r->num_layers, 1);
    }
    compile_case_free(&t);
}

// The root of the mean squared difference of the channels that the format has.
static double difference(const ct_texture_resource *r, const uint8_t *pixels, uint32_t channels) {
    double sum = 0;
    for (uint32_t y = 0; y < r->height; ++y) {
        for (uint32_t x = 0; x < r->width; ++x) {
            int rgba[4];
            pixel_of(r, 0, 0, x, y, rgba);
            for (uint32_t c = 0; c < channels; ++c) {
                const double d = rgba[c] - pixels[(y * r->width + x) * 4 + c];
                sum += d * d;
            }
        }
    }
    return sqrt(sum / (r->width * r->height * channels));
}

static void blocks_are_near_the_pixels(void **state) {
    (void)state;
    static const struct {
        const char *settings;
        uint32_t channels;
        double most;
    } cases[] = {
        {"quality = \"fast\"", 4, 3.0},
        {"quality = \"best\"", 4, 3.0},
        {"category = \"mask\"", 1, 1.0},
        {"category = \"mask\" quality = \"best\"", 1, 1.0},
        {"category = \"mask\" quality = \"uncompressed\"", 1, 0.0},
        {"quality = \"uncompressed\"", 4, 0.0},
    };
    static const uint32_t sizes[][2] = {{32, 32}, {30, 17}, {3, 2}, {1, 1}};
    uint8_t pixels[32 * 32 * 4];
    compile_case t = compile_case_make();
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        for (uint32_t k = 0; k < CT_COUNT_OF(sizes); ++k) {
            gradient(pixels, sizes[k][0], sizes[k][1], false);
            const ct_texture_resource *const r =
                compile_pixels(&t, sizes[k][0], sizes[k][1], pixels, cases[i].settings);
            const double found = difference(r, pixels, cases[i].channels);
            if (found > cases[i].most)
                fail_msg("%s, %u x %u: differs by %f", cases[i].settings, r->width, r->height,
                         found);
        }
    }
    compile_case_free(&t);
}

static void best_is_no_worse_than_fast(void **state) {
    (void)state;
    static const char *const categories[] = {"color", "mask"};
    uint8_t pixels[64 * 64 * 4];
    uint32_t seed = 3;
    compile_case t = compile_case_make();
    for (uint32_t i = 0; i < sizeof(pixels); ++i)
        pixels[i] = (uint8_t)(i % 4 == 3 ? 255 : 100 + i / 4 % 64 + test_random(&seed) % 60);
    for (uint32_t i = 0; i < CT_COUNT_OF(categories); ++i) {
        char settings[64];
        snprintf(settings, sizeof(settings), "category = \"%s\"", categories[i]);
        const uint32_t channels = i == 0 ? 3 : 1;
        const double fast =
            difference(compile_pixels(&t, 64, 64, pixels, settings), pixels, channels);
        strcat(settings, " quality = \"best\"");
        const double best =
            difference(compile_pixels(&t, 64, 64, pixels, settings), pixels, channels);
        assert_true(best < fast);
    }
    compile_case_free(&t);
}

// One colour of a few is not exact in 5 and 6 bits, but black and white are: core's stand-ins.
static void keeps_black_white_and_flat_normals(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    for (uint32_t value = 0; value < 256; value += 255) {
        save_plain(&t, "a.png", 4, 4, (uint8_t)value);
        const ct_texture_resource *r = compile_source(&t, "source = \"a.png\"");
        for (uint32_t mip = 0; mip < 3; ++mip) {
            int rgba[4];
            pixel_of(r, mip, 0, 0, 0, rgba);
            for (uint32_t c = 0; c < 3; ++c)
                assert_int_equal(rgba[c], value);
        }
    }
    uint8_t flat[4 * 4 * 4];
    for (uint32_t i = 0; i < sizeof(flat); ++i)
        flat[i] = i % 4 < 2 ? 128 : 255;
    const ct_texture_resource *const r = compile_pixels(&t, 4, 4, flat, "category = \"normal\"");
    for (uint32_t mip = 0; mip < 3; ++mip) {
        int rgba[4];
        pixel_of(r, mip, 0, 0, 0, rgba);
        assert_int_equal(rgba[0], 128);
        assert_int_equal(rgba[1], 128);
    }
    compile_case_free(&t);
}

// What it makes is part of no key but by its version: raise that when these change.
static void makes_the_same_bytes_on_every_machine(void **state) {
    (void)state;
    static const struct {
        const char *settings;
        uint64_t hash;
    } cases[] = {
        {"", 0x40b40b211e572b4e},
        {"quality = \"best\"", 0xa0a74aada3f29706},
        {"category = \"normal\"", 0xc3891164b37af8bc},
        {"category = \"normal\" quality = \"best\"", 0x04de2f88d1c6c844},
        {"category = \"data\"", 0x5827c47adb26e1a8},
        {"premultiply_alpha = true quality = \"uncompressed\"", 0x04c6111b05e462d4},
    };
    uint8_t pixels[32 * 20 * 4];
    gradient(pixels, 32, 20, false);
    compile_case t = compile_case_make();
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        const ct_texture_resource *const r = compile_pixels(&t, 32, 20, pixels, cases[i].settings);
        const uint32_t first = mips_of(r)[r->mips.count - 1].pixels.offset;
        const uint64_t hash = ct_content_hash(ct_blob_at(r, first), r->header.size_bytes - first);
        if (hash != cases[i].hash)
            fail_msg("%s: found pixels of hash 0x%016llx, expected 0x%016llx", cases[i].settings,
                     (unsigned long long)hash, (unsigned long long)cases[i].hash);
    }
    compile_case_free(&t);
}

static void stores_the_smallest_mip_first(void **state) {
    (void)state;
    uint8_t pixels[32 * 32 * 4];
    gradient(pixels, 32, 32, false);
    compile_case t = compile_case_make();
    const ct_texture_resource *const r = compile_pixels(&t, 32, 32, pixels, "");
    uint32_t end = r->mips.offset + r->mips.count * (uint32_t)sizeof(ct_texture_mip);
    for (uint32_t i = r->mips.count; i-- > 0;) {
        assert_in_range(mips_of(r)[i].pixels.offset, end, end + 15);
        end = mips_of(r)[i].pixels.offset + mips_of(r)[i].pixels.count;
    }
    assert_int_equal(end, r->header.size_bytes);
    compile_case_free(&t);
}

// --- Normals and alpha ---------------------------------------------------------------------------

static void mips_of_normals_are_of_unit_length(void **state) {
    (void)state;
    // Two normals that lean to either side along x, and not along y: their mean stands upright.
    const uint8_t pixels[] = {218, 164, 218, 255, 38, 164, 218, 255};
    compile_case t = compile_case_make();
    const ct_texture_resource *const r =
        compile_pixels(&t, 2, 1, pixels, "category = \"normal\" quality = \"uncompressed\"");
    int rgba[4];
    pixel_of(r, 1, 0, 0, 0, rgba);
    const double y = 164 / 255.0 * 2 - 1, z = 218 / 255.0 * 2 - 1;
    assert_in_range(rgba[0], 127, 129);
    assert_in_range(rgba[1], (int)(y / sqrt(y * y + z * z) * 127.5 + 127.5) - 1,
                    (int)(y / sqrt(y * y + z * z) * 127.5 + 127.5) + 1);
    compile_case_free(&t);
}

static void normals_become_of_unit_length(void **state) {
    (void)state;
    // (0.5, 0, 0.5), and none at all.
    const uint8_t pixels[] = {191, 128, 191, 255, 128, 128, 128, 255};
    compile_case t = compile_case_make();
    const ct_texture_resource *const r =
        compile_pixels(&t, 2, 1, pixels, "category = \"normal\" quality = \"uncompressed\"");
    int rgba[4];
    pixel_of(r, 0, 0, 0, 0, rgba);
    assert_in_range(rgba[0], 217, 218); // 0.707
    assert_in_range(rgba[1], 127, 128);
    compile_case_free(&t);
}

static void masks_are_the_red_channel(void **state) {
    (void)state;
    const uint8_t pixels[] = {77, 10, 20, 30};
    compile_case t = compile_case_make();
    const ct_texture_resource *r =
        compile_pixels(&t, 1, 1, pixels, "category = \"mask\" quality = \"uncompressed\"");
    assert_int_equal(pixels_of(r, 0)[0], 77);
    r = compile_pixels(&t, 1, 1, pixels, "category = \"mask\"");
    int rgba[4];
    pixel_of(r, 0, 0, 0, 0, rgba);
    assert_int_equal(rgba[0], 77);
    compile_case_free(&t);
}

static void multiplies_colours_by_alpha_as_light(void **state) {
    (void)state;
    const uint8_t pixels[] = {255, 255, 255, 128, 255, 0, 0, 0};
    const char *const settings = "premultiply_alpha = true quality = \"uncompressed\"";
    compile_case t = compile_case_make();
    const ct_texture_resource *r = compile_pixels(&t, 2, 1, pixels, settings);
    int rgba[4];
    pixel_of(r, 0, 0, 0, 0, rgba);
    assert_int_equal(rgba[0], 188); // half the light
    assert_int_equal(rgba[3], 128);
    pixel_of(r, 0, 0, 1, 0, rgba);
    assert_int_equal(rgba[0], 0);
    // The colour of what is not there does not come into the mean.
    pixel_of(r, 1, 0, 0, 0, rgba);
    assert_int_equal(rgba[0], rgba[1]);
    assert_int_equal(rgba[0], 137); // a quarter
    assert_int_equal(rgba[3], 64);
    char linear[128];
    snprintf(linear, sizeof(linear), "%s color_space = \"linear\"", settings);
    r = compile_pixels(&t, 2, 1, pixels, linear);
    pixel_of(r, 0, 0, 0, 0, rgba);
    assert_int_equal(rgba[0], 128);
    compile_case_free(&t);
    expect_refusal(&t, "source = \"a.png\"\ncategory = \"data\"\npremultiply_alpha = true", 3,
                   "premultiply_alpha is only for textures");
    compile_case_free(&t);
}

// --- Sizes ---------------------------------------------------------------------------------------

static void halves_what_exceeds_the_maximum(void **state) {
    (void)state;
    static const struct {
        const char *settings;
        uint32_t width, height;
    } cases[] = {
        {"max_size = 32", 32, 20},
        {"max_size = 31", 16, 10},
        {"max_size = 16384", 32, 20},
        {"max_size = 1", 1, 1},
        {"max_size = { default = 16 }", 16, 10},
        {"max_size = { default = 16  linux = 8 }", 8, 5},
        {"max_size = { linux = 8  default = 16 }", 8, 5},
        {"max_size = { windows = 8 }", 32, 20},
        {"max_size = { mobile = 8  default = 16 }", 16, 10},
    };
    uint8_t pixels[32 * 20 * 4];
    gradient(pixels, 32, 20, true);
    compile_case t = compile_case_make();
    compile_case_text(&t, "settings.config", "platforms = [\"mobile\"]");
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        const ct_texture_resource *const r = compile_pixels(&t, 32, 20, pixels, cases[i].settings);
        assert_int_equal(r->width, cases[i].width);
        assert_int_equal(r->height, cases[i].height);
    }
    compile_case_free(&t);
}

// A texture with a maximum is the lower mips of that without.
static void smaller_textures_are_the_lower_mips(void **state) {
    (void)state;
    uint8_t pixels[24 * 24 * 4], mips[12 * 12 * 4];
    gradient(pixels, 24, 24, false);
    compile_case t = compile_case_make();
    const ct_texture_resource *r = compile_pixels(&t, 24, 24, pixels, "quality = \"uncompressed\"");
    memcpy(mips, pixels_of(r, 1), sizeof(mips));
    r = compile_pixels(&t, 24, 24, pixels, "quality = \"uncompressed\" max_size = 12");
    assert_memory_equal(pixels_of(r, 0), mips, sizeof(mips));
    assert_int_equal(r->mips.count, 4);
    compile_case_free(&t);
}

static void refuses_sizes_that_are_none(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    save_plain(&t, "a.png", 4, 4, 9);
    expect_refusal(&t, "source = \"a.png\"\nmax_size = 0", 2,
                   "texture.max_size: expected a whole number from 1 to 16384");
    expect_refusal(&t, "source = \"a.png\"\nmax_size = 1.5", 2, "expected a whole number");
    expect_refusal(&t, "source = \"a.png\"\nmax_size = \"big\"", 2, "expected a whole number");
    expect_refusal(&t, "source = \"a.png\"\nmax_size = {\n  windows = 20000\n}", 3,
                   "expected a whole number");
    expect_refusal(&t, "source = \"a.png\"\nmax_size = {\n  \"My PC\" = 2\n}", 3,
                   "found \"My PC\", expected default, \"linux\", \"windows\", \"be64\" or a "
                   "word listed in platforms of settings.config");
    expect_refusal(&t, "source = \"a.png\"\nmax_size = { mobile = 2 }", 2, "found \"mobile\"");
    compile_case_free(&t);
}

// --- Settings ------------------------------------------------------------------------------------

// Compiles a plain 16 x 16 image under a settings.config.
static const ct_texture_resource *compile_under(compile_case *t, const char *settings,
                                                const char *source) {
    char all[128];
    snprintf(all, sizeof(all), "source = \"a.png\"\n%s\n", source);
    compile_case_text(t, "settings.config", settings);
    return compile_source(t, all);
}

static void settings_say_it_for_textures_that_do_not(void **state) {
    (void)state;
    const char *const settings = "textures = { quality = \"uncompressed\"  max_size = 8 }";
    compile_case t = compile_case_make();
    save_plain(&t, "a.png", 16, 16, 9);
    const ct_texture_resource *r = compile_under(&t, settings, "");
    assert_int_equal(r->format, CT_TEXTURE_FORMAT_RGBA8_SRGB);
    assert_int_equal(r->width, 8);
    assert_true(compile_case_has_include(&t, "settings.config:textures.quality"));
    assert_true(compile_case_has_include(&t, "settings.config:textures.max_size"));
    assert_false(compile_case_has_include(&t, "settings.config"));
    r = compile_under(&t, settings, "max_size = 16");
    assert_int_equal(r->format, CT_TEXTURE_FORMAT_RGBA8_SRGB);
    assert_int_equal(r->width, 16);
    assert_false(compile_case_has_include(&t, "settings.config:textures.max_size"));
    r = compile_under(&t, settings, "quality = \"fast\"");
    assert_int_equal(r->format, CT_TEXTURE_FORMAT_BC1_SRGB);
    assert_int_equal(r->width, 8);
    assert_false(compile_case_has_include(&t, "settings.config:textures.quality"));
    r = compile_under(&t, "textures = { max_size = { default = 4  linux = 2 } }", "");
    assert_int_equal(r->format, CT_TEXTURE_FORMAT_BC1_SRGB);
    assert_int_equal(r->width, 2);
    compile_case_free(&t);
}

// Sizes are chosen as variants are: by the source platform.
static void sizes_are_of_the_source_platform(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    save_plain(&t, "a.png", 16, 16, 9);
    compile_case_text(&t, "settings.config", "platforms = [\"mobile\"]");
    compile_case_text(&t, "a.texture", "source = \"a.png\" max_size = { mobile = 4  linux = 8 }\n");
    ct_compile_request request = {.type = "texture",
                                  .name = "a",
                                  .path = "a.texture",
                                  .project_folder = t.folder,
                                  .platform = "linux",
                                  .source_platform = "mobile"};
    ct_worker_compile(test_heap(), &request, &t.answer);
    t.has_run = true;
    const ct_texture_resource *const r = expect_blob(&t.answer, "texture");
    assert_int_equal(r->width, 4);
    compile_case_free(&t);
}

static void refuses_wrong_settings_in_their_place(void **state) {
    (void)state;
    static const struct {
        const char *settings, *text;
    } cases[] = {
        {"textures = {\nquality = \"good\" }",
         "textures.quality: found \"good\", expected \"fast\", \"best\" or \"uncompressed\""},
        {"textures = {\nquality = 2 }", "textures.quality: found a number, expected \"fast\""},
        {"textures = {\nmax_size = 0.5 }", "textures.max_size: expected a whole number"},
        {"textures = { max_size = {\nlinux = true } }", "textures.max_size: expected a whole"},
        {"textures = { max_size = {\ntoaster = 2 } }", "textures.max_size: found \"toaster\""},
        {"textures = {\nmax_size = [", ""},
    };
    compile_case t = compile_case_make();
    save_plain(&t, "a.png", 16, 16, 9);
    compile_case_text(&t, "a.texture", "source = \"a.png\"\n");
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        compile_case_text(&t, "settings.config", cases[i].settings);
        compile_case_run(&t, "texture", "a");
        assert_true(compile_case_expect(&t, "settings.config", 2, cases[i].text)->column > 0);
    }
    compile_case_free(&t);
}

// --- Arrays and cubes ----------------------------------------------------------------------------

static void makes_arrays_of_several_images(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    save_plain(&t, "a.png", 8, 4, 0);
    save_plain(&t, "b.png", 8, 4, 255);
    const ct_texture_resource *r = compile_source(&t, "sources = [\"a.png\" \"b.png\" \"a.png\"]");
    assert_int_equal(r->kind, CT_TEXTURE_KIND_ARRAY);
    assert_int_equal(r->num_layers, 3);
    assert_int_equal(r->format, CT_TEXTURE_FORMAT_BC1_SRGB);
    for (uint32_t mip = 0; mip < 4; ++mip) {
        for (uint32_t layer = 0; layer < 3; ++layer) {
            int rgba[4];
            pixel_of(r, mip, layer, 0, 0, rgba);
            assert_int_equal(rgba[1], layer == 1 ? 255 : 0);
        }
    }
    assert_true(compile_case_has_include(&t, "b.png"));
    // One with alpha is enough for all.
    uint8_t pixels[8 * 4 * 4];
    gradient(pixels, 8, 4, false);
    save_png(&t, "b.png", 8, 4, pixels);
    r = compile_source(&t, "sources = [\"a.png\" \"b.png\"]");
    assert_int_equal(r->format, CT_TEXTURE_FORMAT_BC3_SRGB);
    compile_case_free(&t);
}

static void refuses_arrays_of_unlike_images(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    save_plain(&t, "a.png", 8, 4, 0);
    save_plain(&t, "b.png", 4, 4, 0);
    expect_refusal(&t, "sources = [\"a.png\"\n\"b.png\"]", 2,
                   "b.png is 4 x 4 pixels; expected 8 x 4, like a.png");
    expect_refusal(&t, "sources = [\"a.png\"\n\"c.png\"\n\"b.png\"]", 2, "c.png");
    compile_case_expect(&t, "a.texture", 3, "b.png is 4 x 4 pixels");
    expect_refusal(&t, "sources = []", 1, "texture.sources: found 0, expected 1 to 256");
    expect_refusal(&t, "sources = [3]", 1, "texture.sources[0]: found a number");
    expect_refusal(&t, "sources = \"a.png\"", 1, "texture.sources: found a string");
    char many[257 * 8 + 32] = "sources = [";
    for (uint32_t i = 0; i < 257; ++i)
        strcat(many, "\"a.png\"\n");
    strcat(many, "]");
    expect_refusal(&t, many, 1, "texture.sources: found 257, expected 1 to 256");
    compile_case_free(&t);
}

static void wants_one_of_source_sources_and_cube(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    save_plain(&t, "a.png", 4, 4, 0);
    expect_refusal(&t, "filter = \"linear\"", 1,
                   "the texture has no image; expected source, sources or cube");
    expect_refusal(&t, "source = \"a.png\"\nsources = [\"a.png\"]", 2,
                   "found 2 of source, sources and cube; expected one of them");
    expect_refusal(&t, "source = \"a.png\"\ncolor_space = \"srgb\" category = \"normal\"", 2,
                   "textures of category normal and mask must be linear");
    compile_case_free(&t);
}

static const char *const cube_source = "cube = {\n"
                                       "    right = \"right.png\"\n"
                                       "    left = \"left.png\"\n"
                                       "    front = \"front.png\"\n"
                                       "    back = \"back.png\"\n"
                                       "    up = \"up.png\"\n"
                                       "    down = \"down.png\"\n"
                                       "}\n"
                                       "quality = \"uncompressed\"\n";

// The pixel that a direction reads, by "Cube Map Face Selection" of the Vulkan specification.
static void read_cube(const ct_texture_resource *r, const double d[3], int rgba[4]) {
    const double x = fabs(d[0]), y = fabs(d[1]), z = fabs(d[2]);
    uint32_t layer;
    double s, t, m;
    if (z >= x && z >= y) {
        layer = d[2] > 0 ? 4 : 5;
        s = d[2] > 0 ? d[0] : -d[0], t = -d[1], m = z;
    } else if (y >= x) {
        layer = d[1] > 0 ? 2 : 3;
        s = d[0], t = d[1] > 0 ? d[2] : -d[2], m = y;
    } else {
        layer = d[0] > 0 ? 0 : 1;
        s = d[0] > 0 ? -d[2] : d[2], t = -d[1], m = x;
    }
    pixel_of(r, 0, layer, (uint32_t)((s / m + 1) / 2 * r->width),
             (uint32_t)((t / m + 1) / 2 * r->height), rgba);
}

// Each face has its number in red, green grows to the right and blue downwards.
static void save_faces(compile_case *t) {
    uint8_t pixels[8 * 8 * 4];
    for (uint32_t face = 0; face < 6; ++face) {
        for (uint32_t i = 0; i < 64; ++i) {
            const uint8_t pixel[4] = {(uint8_t)(face * 10), (uint8_t)(i % 8 * 10),
                                      (uint8_t)(i / 8 * 10), 255};
            memcpy(pixels + i * 4, pixel, 4);
        }
        char path[16];
        snprintf(path, sizeof(path), "%s.png", ct_texture_cube_schema.fields[face].name);
        save_png(t, path, 8, 8, pixels);
    }
}

static void directions_see_the_faces_of_cubes_upright(void **state) {
    (void)state;
    // Of each face: where its middle lies, and what is to the right and below in the image.
    static const double faces[6][3][3] = {
        {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, {{-1, 0, 0}, {0, 1, 0}, {0, 0, -1}},
        {{0, 1, 0}, {1, 0, 0}, {0, 0, -1}},  {{0, -1, 0}, {-1, 0, 0}, {0, 0, -1}},
        {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}},   {{0, 0, -1}, {1, 0, 0}, {0, -1, 0}},
    };
    compile_case t = compile_case_make();
    save_faces(&t);
    const ct_texture_resource *const r = compile_source(&t, cube_source);
    assert_int_equal(r->kind, CT_TEXTURE_KIND_CUBE);
    assert_int_equal(r->num_layers, 6);
    for (uint32_t face = 0; face < 6; ++face) {
        for (uint32_t i = 0; i < 64; ++i) {
            const double right = (i % 8 + 0.5) / 4 - 1, below = (i / 8 + 0.5) / 4 - 1;
            double d[3];
            for (uint32_t c = 0; c < 3; ++c)
                d[c] = faces[face][0][c] + right * faces[face][1][c] + below * faces[face][2][c];
            int rgba[4];
            read_cube(r, d, rgba);
            assert_int_equal(rgba[0], face * 10);
            assert_int_equal(rgba[1], i % 8 * 10);
            assert_int_equal(rgba[2], i / 8 * 10);
        }
    }
    compile_case_free(&t);
}

static void warns_of_a_wrap_that_cubes_do_not_have(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    save_faces(&t);
    compile_source(&t, cube_source);
    assert_int_equal(t.answer.warnings.count, 0);
    char source[512];
    snprintf(source, sizeof(source), "wrap = \"clamp\"\n%s", cube_source);
    compile_source(&t, source);
    expect_warning(&t.answer, "a.texture", 1, 1, "wrap has no effect");
    compile_case_free(&t);
}

static void warns_of_a_quality_that_gui_does_not_have(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    save_plain(&t, "a.png", 4, 4, 0);
    compile_source(&t, "source = \"a.png\" category = \"gui\"\nquality = \"best\"");
    expect_warning(&t.answer, "a.texture", 2, 1, "quality has no effect");
    compile_source(&t, "source = \"a.png\" category = \"gui\" quality = \"uncompressed\"");
    assert_int_equal(t.answer.warnings.count, 0);
    // What the project says for all is not meant for these.
    compile_case_text(&t, "settings.config", "textures = { quality = \"best\" }");
    compile_source(&t, "source = \"a.png\" category = \"gui\"");
    assert_int_equal(t.answer.warnings.count, 0);
    compile_case_free(&t);
}

static void refuses_cubes_that_are_none(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    save_faces(&t);
    save_plain(&t, "left.png", 8, 4, 0);
    expect_refusal(&t, cube_source, 3, "left.png is 8 x 4 pixels; expected a square");
    save_plain(&t, "left.png", 4, 4, 0);
    expect_refusal(&t, cube_source, 3, "left.png is 4 x 4 pixels; expected 8 x 8, like right.png");
    expect_refusal(&t, "cube = {\nright = \"right.png\"\nbottom = \"down.png\"\n}", 3,
                   "cube.bottom: unknown member");
    compile_case_expect(&t, "a.texture", 0, "cube.left");
    expect_refusal(&t, "cube = 3", 1, "texture.cube: found a number");
    expect_refusal(&t, "cube = {\nright = 3\n}", 2, "cube.right: found a number");
    compile_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chooses_formats_by_category_and_quality),
        cmocka_unit_test(blocks_are_near_the_pixels),
        cmocka_unit_test(best_is_no_worse_than_fast),
        cmocka_unit_test(keeps_black_white_and_flat_normals),
        cmocka_unit_test(makes_the_same_bytes_on_every_machine),
        cmocka_unit_test(stores_the_smallest_mip_first),
        cmocka_unit_test(mips_of_normals_are_of_unit_length),
        cmocka_unit_test(normals_become_of_unit_length),
        cmocka_unit_test(masks_are_the_red_channel),
        cmocka_unit_test(multiplies_colours_by_alpha_as_light),
        cmocka_unit_test(halves_what_exceeds_the_maximum),
        cmocka_unit_test(smaller_textures_are_the_lower_mips),
        cmocka_unit_test(refuses_sizes_that_are_none),
        cmocka_unit_test(settings_say_it_for_textures_that_do_not),
        cmocka_unit_test(sizes_are_of_the_source_platform),
        cmocka_unit_test(refuses_wrong_settings_in_their_place),
        cmocka_unit_test(makes_arrays_of_several_images),
        cmocka_unit_test(refuses_arrays_of_unlike_images),
        cmocka_unit_test(wants_one_of_source_sources_and_cube),
        cmocka_unit_test(directions_see_the_faces_of_cubes_upright),
        cmocka_unit_test(warns_of_a_wrap_that_cubes_do_not_have),
        cmocka_unit_test(warns_of_a_quality_that_gui_does_not_have),
        cmocka_unit_test(refuses_cubes_that_are_none),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
