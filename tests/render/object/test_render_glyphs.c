// Pages of glyphs without a device: what is copied to it.
#include <string.h>

#include "render/object/render_glyphs.h"
#include "support/test_support.h"

static void assert_area(const ct_render_glyph_area *area, uint32_t page, uint32_t at,
                        uint32_t side) {
    assert_int_equal(area->page, page);
    assert_int_equal(area->x, at);
    assert_int_equal(area->y, at);
    assert_int_equal(area->width, side);
    assert_int_equal(area->height, side);
}

// The device's page holds anything until it is written: a new page is copied whole, black.
static void copies_new_pages_whole(void **state) {
    (void)state;
    ct_render_context context = {.allocator = test_heap()};
    ct_render_textures textures;
    ct_render_textures_init(&textures, &context);
    ct_render_glyphs glyphs;
    ct_render_glyphs_init(&glyphs, &context, &textures);
    uint8_t white[16];
    memset(white, 255, sizeof(white));
    const ct_render_glyph_area area = {.page = 1, .x = 8, .y = 8, .width = 4, .height = 4};
    ct_render_glyphs_write(&glyphs, &area, white);
    assert_int_equal(glyphs.changes.count, 2);
    assert_area(&glyphs.changes.items[0], 0, 0, CT_RENDER_GLYPH_PAGE_SIZE);
    assert_area(&glyphs.changes.items[1], 1, 0, CT_RENDER_GLYPH_PAGE_SIZE);
    glyphs.changes.count = 0; // as an upload does
    ct_render_glyphs_write(&glyphs, &area, white);
    assert_int_equal(glyphs.changes.count, 1);
    assert_area(&glyphs.changes.items[0], 1, 8, 4);
    const uint8_t *const page = glyphs.pages.items[1];
    for (uint32_t y = 0; y < 16; ++y)
        for (uint32_t x = 0; x < 16; ++x)
            assert_int_equal(page[y * CT_RENDER_GLYPH_PAGE_SIZE + x],
                             x >= 8 && x < 12 && y >= 8 && y < 12 ? 255 : 0);
    ct_render_glyphs_shutdown(&glyphs);
    ct_render_textures_shutdown(&textures); // without a device there is nothing to retire
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies_new_pages_whole)};
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
