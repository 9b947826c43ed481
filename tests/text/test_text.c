// Layouts: lines, alignment, order, fallbacks, caches.
#include "foundation/log.h"
#include "support/test_font.h"
#include "support/test_support.h"
#include "text/text.h"

#include <string.h>

static ct_text *engine;
static ct_font_resource *fonts[8];
static uint32_t num_fonts;

static const ct_string_id64 latin = {1}, hebrew = {2}, cjk = {3};

static void add_font(ct_string_id64 name, const char *path) {
    fonts[num_fonts] = test_font_of(test_heap(), path, NULL, 0);
    ct_text_set_font(engine, name, fonts[num_fonts++]);
}

static int set_up(void **state) {
    (void)state;
    engine = ct_text_create(test_heap());
    add_font(latin, TEST_FONT_DEJAVU);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    ct_text_destroy(engine);
    while (num_fonts > 0)
        ct_free(test_heap(), fonts[--num_fonts]);
    return 0;
}

static ct_text_desc desc_of(const char *text) {
    return (ct_text_desc){.text = text,
                          .num_bytes = (uint32_t)strlen(text),
                          .style = {.font = latin, .size = 32, .color = 0xffffffff}};
}

static void lays_out_from_left_to_right(void **state) {
    (void)state;
    const ct_text_desc desc = desc_of("Hello");
    const ct_text_layout *const l = ct_text_layout_of(engine, &desc);
    assert_int_equal(l->num_glyphs, 5);
    assert_int_equal(l->num_lines, 1);
    assert_int_equal(l->num_clusters, 5);
    assert_string_equal(l->plain, "Hello");
    for (uint32_t i = 1; i < 5; ++i)
        assert_true(l->glyphs[i].x > l->glyphs[i - 1].x);
    assert_true(l->glyphs[0].x == 0 && l->lines[0].y == 0);
    assert_true(l->advance == l->lines[0].width && l->right == l->advance);
}

int main(void) {
    (void)hebrew;
    (void)cjk;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lays_out_from_left_to_right, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
