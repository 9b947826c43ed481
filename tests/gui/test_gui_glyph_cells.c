// Cells of glyph pages against a simple model, and pages that are cut again.
#include "gui/gui_glyph_cells.h"
#include "support/test_support.h"

enum { NUM_PAGES = 3, NUM_STEPS = 20000, SIZE = 256, NUM_CELLS = NUM_PAGES * 16 };

static uint32_t next_random(uint32_t *seed) {
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

// The oldest cell has no use after that of any other.
static void gives_the_cell_that_was_not_used_for_longest(void **state) {
    (void)state;
    ct_gui_glyph_cells c;
    ct_gui_glyph_cells_init(&c, test_heap());
    uint64_t used[NUM_CELLS] = {0}; // by index of the page and of the cell
    uint32_t places[NUM_CELLS];
    for (uint32_t i = 0; i < NUM_PAGES; ++i)
        ct_gui_glyph_cells_add_page(&c, i, SIZE);
    uint64_t frame = 1;
    for (uint32_t i = 0; i < NUM_CELLS; ++i, ++frame) {
        places[i] = ct_gui_glyph_cells_oldest(&c, SIZE);
        assert_true(ct_gui_glyph_cells_at(&c, places[i])->key == 0);
        ct_gui_glyph_cells_at(&c, places[i])->key = i + 1;
        ct_gui_glyph_cells_use(&c, places[i], frame);
        used[i] = frame;
    }
    uint32_t seed = 1;
    for (uint32_t step = 0; step < NUM_STEPS; ++step, ++frame) {
        const uint32_t i = next_random(&seed) % NUM_CELLS;
        if (next_random(&seed) % 8 == 0) {
            ct_gui_glyph_cells_clear(&c, places[i]);
            used[i] = 0;
        } else {
            ct_gui_glyph_cells_use(&c, places[i], frame);
            used[i] = frame;
        }
        const uint32_t oldest = ct_gui_glyph_cells_oldest(&c, SIZE);
        uint64_t least = UINT64_MAX;
        for (uint32_t k = 0; k < NUM_CELLS; ++k)
            least = used[k] < least ? used[k] : least;
        assert_true(ct_gui_glyph_cells_at(&c, oldest)->used_frame == least);
    }
    ct_gui_glyph_cells_shutdown(&c);
}

static void cuts_the_oldest_page_again(void **state) {
    (void)state;
    ct_gui_glyph_cells c;
    ct_gui_glyph_cells_init(&c, test_heap());
    assert_int_equal(ct_gui_glyph_cells_oldest_page(&c), UINT32_MAX);
    ct_gui_glyph_cells_add_page(&c, 10, 512);
    ct_gui_glyph_cells_use(&c, ct_gui_glyph_cells_oldest(&c, 512), 5);
    ct_gui_glyph_cells_add_page(&c, 20, 512);
    ct_gui_glyph_cells_use(&c, ct_gui_glyph_cells_oldest(&c, 512), 4);
    assert_int_equal(ct_gui_glyph_cells_oldest_page(&c), 1);
    assert_int_equal(ct_gui_glyph_cells_oldest(&c, 1024), 0);
    ct_gui_glyph_cells_clear(&c, c.lists[5].newest);
    ct_gui_glyph_cells_cut(&c, 1, 1024);
    const uint32_t place = ct_gui_glyph_cells_oldest(&c, 1024);
    const ct_render_glyph_area area = ct_gui_glyph_cells_area(&c, place);
    assert_int_equal(area.page, 20);
    assert_int_equal(area.width, 1024);
    // The cells of the other page are still in their list.
    for (uint32_t i = 0; i < 3; ++i) {
        const uint32_t next = ct_gui_glyph_cells_oldest(&c, 512);
        assert_int_equal(ct_gui_glyph_cells_area(&c, next).page, 10);
        assert_true(ct_gui_glyph_cells_at(&c, next)->used_frame == 0);
        ct_gui_glyph_cells_use(&c, next, 6);
    }
    assert_true(ct_gui_glyph_cells_at(&c, ct_gui_glyph_cells_oldest(&c, 512))->used_frame == 5);
    ct_gui_glyph_cells_shutdown(&c);
}

static void finds_the_size_with_a_gutter(void **state) {
    (void)state;
    static const uint32_t sides[][2] = {{1, 16},      {15, 16},  {16, 32},   {255, 256},
                                        {1023, 1024}, {1024, 0}, {100000, 0}};
    for (uint32_t i = 0; i < CT_COUNT_OF(sides); ++i) {
        const ct_glyph_picture wide = {.width = sides[i][0], .height = 1};
        const ct_glyph_picture high = {.width = 1, .height = sides[i][0]};
        assert_int_equal(ct_gui_glyph_cells_size_for(&wide), sides[i][1]);
        assert_int_equal(ct_gui_glyph_cells_size_for(&high), sides[i][1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_cell_that_was_not_used_for_longest),
        cmocka_unit_test(cuts_the_oldest_page_again),
        cmocka_unit_test(finds_the_size_with_a_gutter),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
