// Fonts: the rasteriser opens a TrueType or OpenType file and draws a few of its glyphs, as fields
// and as coverage, and the closure of these is taken. Start it from a real font:
// `fuzz_font CORPUS /usr/share/fonts/truetype/dejavu`.
#include "foundation/error.h"
#include "foundation/memory/memory.h"
#include "text/glyph_closure.h"
#include "text/glyph_raster.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    ct_memory_init();
    return 0;
}

static void draw(ct_glyph_raster *r, uint32_t glyph, float size, uint32_t spread) {
    ct_error error = {0};
    ct_glyph_picture p;
    ct_byte_array pixels;
    ct_array_init(&pixels, ct_memory_heap());
    const bool is_drawn = ct_glyph_raster_draw(r, glyph, size, spread, &pixels, &p, &error);
    CT_ASSERT(is_drawn || error.message[0], "an error without a message%s", "");
    CT_ASSERT(pixels.count == p.width * p.height, "%u pixels of %u x %u", pixels.count, p.width,
              p.height);
    ct_array_free(&pixels);
}

static void draw_some(ct_glyph_raster *r) {
    static const uint32_t codepoints[] = {'A', 'g', 0xe9, 0x628, 0x915};
    const uint32_t num_glyphs = ct_glyph_raster_get_metrics(r).num_glyphs;
    for (uint32_t i = 0; i < CT_COUNT_OF(codepoints); ++i)
        draw(r, ct_glyph_raster_glyph_of(r, codepoints[i]), 20, 3);
    for (uint32_t i = 0; i < num_glyphs && i < 8; ++i) {
        draw(r, i, 16, 0);
        draw(r, num_glyphs - 1 - i, 40, 1);
    }
    draw(r, num_glyphs, 32, 4);
    draw(r, 1, 700, 32);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ct_error error = {0};
    const uint32_t face = size > 0 ? data[size - 1] % 3 : 0;
    ct_glyph_raster *const r = ct_glyph_raster_create(ct_memory_heap(), data, size, face, &error);
    CT_ASSERT(r || error.message[0], "an error without a message%s", "");
    if (!r)
        return 0;
    draw_some(r);
    ct_u32_array glyphs;
    ct_array_init(&glyphs, ct_memory_heap());
    ct_array_push_many(&glyphs, ((const uint32_t[]){1, 2, 3, 4, 5, 6, 7}), 7);
    ct_glyph_closure_add(data, size, face, &glyphs, &error);
    ct_array_free(&glyphs);
    ct_glyph_raster_destroy(r);
    return 0;
}
