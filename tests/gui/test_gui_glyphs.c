// Glyphs that are rasterised while the game runs: which come, which go, and what texts make of it. A
// recorder takes the commands; a copy of the renderer's pages is made from them.
#include <string.h>

#include "foundation/log.h"
#include "foundation/os/os.h"
#include "gui/gui.h"
#include "gui/gui_glyphs.h"
#include "gui/gui_sent.h"
#include "render/render_gui.h"
#include "support/test_font.h"
#include "support/test_support.h"
#include "text/glyph_raster.h"

enum {
    PAGE_SIZE = CT_RENDER_GLYPH_PAGE_SIZE,
    ROUND = 10,                // new glyphs
    CELLS = 16,                // of a page, of 256 pixels
    MOST_TEXT = 8192,          // bytes
    FIRST_IDEOGRAPH = 0x5000,  // none is small
    MOST_GLYPHS_A_FRAME = 128, // gui_glyphs.h
};

typedef struct fixture {
    ct_renderer *renderer;
    ct_gui_system *system;
    ct_gui *gui; // retained
    ct_gui *immediate;
    ct_font_resource *font, *large, *small; // ideographs: 16 of the large ones fill a page
    uint8_t *pages[CT_RENDER_MAX_GLYPH_PAGES];
    uint32_t num_writes; // to pages, in the last frame
} fixture;

static const ct_string_id64 font_name = {77}, large_name = {78}, small_name = {79};
static uint32_t num_full, num_large; // warnings

static void count_warnings(void *user, ct_log_level level, const char *system,
                           const char *message) {
    (void)user, (void)level, (void)system;
    num_full += strstr(message, "[glyph_pages_full]") != NULL;
    num_large += strstr(message, "[glyph_too_large]") != NULL;
}

static ct_font_resource *ideographs(float size) {
    ct_font_resource *const font = test_font_of(test_heap(), TEST_FONT_CJK, NULL, 0);
    font->size = size;
    return font;
}

static int start(void **state) {
    static fixture f;
    ct_allocator *const a = test_heap();
    f = (fixture){.renderer = ct_renderer_create_recorder(
                      &(ct_renderer_desc){.allocator = a, .width = 800, .height = 600})};
    f.system = ct_gui_system_create(&(ct_gui_system_desc){.allocator = a, .renderer = f.renderer});
    const ct_render_world_id world = ct_render_world_create(f.renderer);
    f.gui = ct_gui_create(f.system, &(ct_gui_desc){.world = world});
    f.immediate = ct_gui_create(f.system, &(ct_gui_desc){.world = world, .is_immediate = true});
    f.font = test_font_of(a, TEST_FONT_DEJAVU, NULL, 0);
    f.large = ideographs(200);
    f.small = ideographs(24);
    ct_gui_system_set_font(f.system, font_name, f.font);
    ct_gui_system_set_font(f.system, large_name, f.large);
    ct_gui_system_set_font(f.system, small_name, f.small);
    num_full = num_large = 0;
    ct_log_add_sink(&(ct_log_sink){.write = count_warnings, .least = CT_LOG_LEVEL_WARNING});
    *state = &f;
    return 0;
}

static int end(void **state) {
    fixture *const f = *state;
    ct_log_remove_sink(count_warnings, NULL);
    ct_gui_system_destroy(f->system);
    ct_renderer_destroy(f->renderer);
    ct_free(test_heap(), f->font);
    ct_free(test_heap(), f->large);
    ct_free(test_heap(), f->small);
    for (uint32_t i = 0; i < CT_RENDER_MAX_GLYPH_PAGES; ++i)
        ct_free(test_heap(), f->pages[i]);
    return 0;
}

// --- Frames --------------------------------------------------------------------------------------

static void write_page(fixture *f, const ct_render_command_glyphs *x) {
    const ct_render_glyph_area *const area = &x->area;
    const uint8_t *const pixels = (const uint8_t *)(x + 1);
    if (!f->pages[area->page])
        f->pages[area->page] = ct_alloc_zero(test_heap(), PAGE_SIZE * PAGE_SIZE);
    for (uint32_t y = 0; y < area->height; ++y)
        memcpy(f->pages[area->page] + (area->y + y) * PAGE_SIZE + area->x,
               pixels + (uint64_t)y * area->width, area->width);
}

// Ends the frame in the renderer: its pages change.
static void send(fixture *f) {
    uint64_t cursor = 0;
    const void *payload;
    const ct_render_command_header *header;
    f->num_writes = 0;
    while ((header = ct_render_stream_next(ct_renderer_stream(f->renderer), &cursor, &payload)))
        if (header->type == CT_RENDER_COMMAND_TYPE_GLYPHS) {
            write_page(f, payload);
            ++f->num_writes;
        }
    ct_renderer_end_frame(f->renderer);
}

static void end_frame(fixture *f) {
    ct_gui_system_end_frame(f->system);
    send(f);
}

static void end_frames(fixture *f, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        end_frame(f);
}

// --- Texts ---------------------------------------------------------------------------------------

static ct_gui_object_id draw_text(ct_gui *g, ct_string_id64 font, const char *text) {
    const ct_gui_draw draw = {0};
    const ct_gui_text_desc desc = {
        .text = {.text = text,
                 .num_bytes = (uint32_t)strlen(text),
                 .style = {.font = font, .size = 20, .color = UINT32_MAX}}};
    return ct_gui_text(g, &draw, &desc);
}

// Characters one after the other as UTF-8, from 0x800 on.
static const char *characters(uint32_t first, uint32_t count) {
    static char text[MOST_TEXT];
    assert_true(count * 3 < MOST_TEXT);
    char *at = text;
    for (uint32_t code = first; code < first + count; ++code) {
        *at++ = (char)(0xe0 | code >> 12);
        *at++ = (char)(0x80 | (code >> 6 & 63));
        *at++ = (char)(0x80 | (code & 63));
    }
    *at = 0;
    return text;
}

// Draws a text in this frame; returns how many of its glyphs are drawn.
static uint32_t draw_ideographs(fixture *f, ct_string_id64 font, uint32_t first, uint32_t count) {
    const uint32_t before = gui_sent_of(f->renderer, CT_RENDER_COMMAND_TYPE_GUI_APPEND).num_quads;
    draw_text(f->immediate, font, characters(first, count));
    return gui_sent_of(f->renderer, CT_RENDER_COMMAND_TYPE_GUI_APPEND).num_quads - before;
}

// Draws a text in two frames, so that its glyphs are there in the second. Returns how many are.
static uint32_t show_ideographs(fixture *f, ct_string_id64 font, uint32_t first, uint32_t count) {
    draw_ideographs(f, font, first, count);
    ct_gui_system_wait_for_glyphs(f->system);
    end_frame(f);
    const uint32_t drawn = draw_ideographs(f, font, first, count);
    end_frame(f);
    return drawn;
}

static uint8_t pixel(const fixture *f, uint32_t page, int32_t x, int32_t y) {
    if (x < 0 || y < 0 || x >= PAGE_SIZE || y >= PAGE_SIZE || !f->pages[page])
        return 0;
    return f->pages[page][y * PAGE_SIZE + x];
}

// A filter reads up to a pixel outside of a picture.
static void assert_black_around(const fixture *f, const ct_batch_vertex *v) {
    const uint32_t page = v[0].effect & 255;
    const int32_t x0 = (int32_t)(v[0].uv[0] * PAGE_SIZE + 0.5f) - 1;
    const int32_t x1 = (int32_t)(v[2].uv[0] * PAGE_SIZE + 0.5f);
    const int32_t y0 = (int32_t)(v[2].uv[1] * PAGE_SIZE + 0.5f) - 1;
    const int32_t y1 = (int32_t)(v[0].uv[1] * PAGE_SIZE + 0.5f);
    for (int32_t x = x0; x <= x1; ++x)
        if (pixel(f, page, x, y0) || pixel(f, page, x, y1))
            fail_msg("page %u, %d: rows %d and %d are not black", page, x, y0, y1);
    for (int32_t y = y0; y <= y1; ++y)
        if (pixel(f, page, x0, y) || pixel(f, page, x1, y))
            fail_msg("page %u, %d: columns %d and %d are not black", page, y, x0, x1);
}

static void assert_black_gutters(const fixture *f) {
    const ct_render_command_gui_quads *const x =
        gui_sent_of(f->renderer, CT_RENDER_COMMAND_TYPE_GUI_APPEND).last;
    assert_non_null(x);
    for (uint32_t i = 0; i < x->num_quads; ++i)
        assert_black_around(f, (const ct_batch_vertex *)(x + 1) + (uint64_t)i * 4);
}

// --- Fonts ---------------------------------------------------------------------------------------

static void makes_retained_texts_again_for_another_font(void **state) {
    fixture *const f = *state;
    draw_text(f->gui, font_name, "kept");
    ct_gui_system_wait_for_glyphs(f->system);
    ct_gui_system_end_frame(f->system); // the glyphs came
    assert_int_equal(gui_sent_of(f->renderer, CT_RENDER_COMMAND_TYPE_GUI_OBJECT).num_commands, 2);
    assert_int_equal(gui_sent_of(f->renderer, CT_RENDER_COMMAND_TYPE_GUI_OBJECT).last->num_quads,
                     4);
    send(f);
    end_frame(f);
    assert_int_equal(gui_sent_of(f->renderer, CT_RENDER_COMMAND_TYPE_GUI_OBJECT).num_commands, 0);
    ct_gui_system_set_font(f->system, font_name, f->font); // as a save does
    ct_gui_system_end_frame(f->system);
    assert_int_equal(gui_sent_of(f->renderer, CT_RENDER_COMMAND_TYPE_GUI_OBJECT).num_commands, 1);
}

static void forgets_glyphs_of_a_font_that_goes(void **state) {
    fixture *const f = *state;
    draw_text(f->immediate, font_name, "glyphs that are still being drawn");
    ct_gui_system_set_font(f->system, font_name, NULL);
    end_frame(f);
    ct_gui_system_wait_for_glyphs(f->system);
    end_frame(f);
    draw_text(f->immediate, font_name, "no font");
    assert_int_equal(gui_sent_of(f->renderer, CT_RENDER_COMMAND_TYPE_GUI_APPEND).num_quads, 0);
    end_frame(f);
    ct_gui_system_set_font(f->system, font_name, f->font);
}

// A font that goes leaves all its cells to others.
static void gives_the_cells_of_a_font_to_others(void **state) {
    fixture *const f = *state;
    const uint32_t all = CT_GUI_MAX_DYNAMIC_PAGES * CELLS;
    for (uint32_t round = 0; round < 3; ++round) {
        assert_int_equal(show_ideographs(f, large_name, FIRST_IDEOGRAPH, all), all);
        ct_gui_system_set_font(f->system, large_name, f->large);
    }
    assert_int_equal(num_full, 0);
}

// --- Texts that wait -----------------------------------------------------------------------------

static void makes_only_texts_again_that_wait(void **state) {
    fixture *const f = *state;
    for (uint32_t i = 0; i < 20; ++i)
        draw_text(f->gui, font_name, "kept");
    ct_gui_system_wait_for_glyphs(f->system);
    end_frame(f);
    end_frame(f);
    draw_text(f->gui, font_name, "another");
    ct_gui_system_wait_for_glyphs(f->system);
    ct_gui_system_end_frame(f->system);
    const gui_sent s = gui_sent_of(f->renderer, CT_RENDER_COMMAND_TYPE_GUI_OBJECT);
    assert_int_equal(s.num_commands, 2); // when it was made, and now
    assert_int_equal(s.last->num_quads, 7);
    send(f);
}

static void takes_glyphs_over_some_frames(void **state) {
    fixture *const f = *state;
    enum { COUNT = 3 * MOST_GLYPHS_A_FRAME };
    end_frame(f); // page 0 has been written
    draw_ideographs(f, small_name, FIRST_IDEOGRAPH, COUNT);
    uint32_t drawn = 0;
    for (uint32_t i = 0; i < 1000 && drawn < COUNT; ++i) {
        ct_os_sleep_ns(i ? 1000000 : 500000000);
        end_frame(f);
        assert_true(f->num_writes <= MOST_GLYPHS_A_FRAME);
        drawn = draw_ideographs(f, small_name, FIRST_IDEOGRAPH, COUNT);
    }
    assert_int_equal(drawn, COUNT);
}

// --- Full pages ----------------------------------------------------------------------------------

// More glyphs than all dynamic pages hold, of two sizes: those of a retained text stay where they
// are, others make room.
static void evicts_glyphs_that_are_not_used(void **state) {
    fixture *const f = *state;
    enum { NUM_ROUNDS = 60 };
    draw_text(f->gui, large_name, characters(FIRST_IDEOGRAPH, 1));
    ct_gui_system_wait_for_glyphs(f->system);
    ct_gui_system_end_frame(f->system);
    const ct_render_command_gui_quads *const kept =
        gui_sent_of(f->renderer, CT_RENDER_COMMAND_TYPE_GUI_OBJECT).last;
    assert_int_equal(kept->num_quads, 1);
    const ct_batch_vertex corner = ((const ct_batch_vertex *)(kept + 1))[3];
    send(f);
    const uint8_t *const page = f->pages[corner.effect & 255];
    const uint32_t at =
        (uint32_t)(corner.uv[1] * PAGE_SIZE) * PAGE_SIZE + (uint32_t)(corner.uv[0] * PAGE_SIZE);
    uint8_t before[100 * PAGE_SIZE]; // the rows of half a picture; compared where the picture is
    memcpy(before, page + at, sizeof(before));
    for (uint32_t round = 1; round <= NUM_ROUNDS; ++round) {
        const uint32_t first = FIRST_IDEOGRAPH + round * ROUND;
        draw_ideographs(f, large_name, first, ROUND);
        draw_ideographs(f, small_name, first, ROUND);
        ct_gui_system_wait_for_glyphs(f->system);
        end_frame(f);
        assert_int_equal(draw_ideographs(f, small_name, first, ROUND), ROUND);
        assert_black_gutters(f);
        assert_int_equal(draw_ideographs(f, large_name, first, ROUND), ROUND);
        assert_black_gutters(f);
        end_frames(f, 3);
        for (uint32_t y = 0; y < 100; ++y)
            assert_memory_equal(before + (uint64_t)y * PAGE_SIZE, page + at + y * PAGE_SIZE, 100);
    }
    assert_int_equal(num_full, 0);
}

// Glyphs of one size fill all pages; then others are needed.
static void cuts_pages_again_for_glyphs_of_another_size(void **state) {
    fixture *const f = *state;
    const uint32_t all = CT_GUI_MAX_DYNAMIC_PAGES * CELLS;
    assert_int_equal(show_ideographs(f, large_name, FIRST_IDEOGRAPH, all), all);
    end_frames(f, 3);
    assert_int_equal(show_ideographs(f, small_name, FIRST_IDEOGRAPH, 100), 100);
    draw_ideographs(f, small_name, FIRST_IDEOGRAPH, 100);
    assert_black_gutters(f);
    end_frames(f, 3);
    // And back: the small glyphs are not needed any more.
    assert_int_equal(show_ideographs(f, large_name, FIRST_IDEOGRAPH, all), all);
    assert_int_equal(num_full, 0);
}

// What does not fit is not drawn, now; one warning says so. As soon as there is room all is drawn.
static void recovers_from_an_overfull_frame(void **state) {
    fixture *const f = *state;
    const uint32_t all = CT_GUI_MAX_DYNAMIC_PAGES * CELLS;
    for (uint32_t i = 0; i < 40; ++i)
        assert_true(show_ideographs(f, large_name, FIRST_IDEOGRAPH, all + 44) <= all);
    assert_int_equal(draw_ideographs(f, large_name, FIRST_IDEOGRAPH, all + 44), all);
    assert_int_equal(num_full, 1);
    // A retained text asks for them again by itself.
    draw_text(f->gui, large_name, characters(FIRST_IDEOGRAPH + all, 44));
    uint32_t shown = 0;
    for (uint32_t i = 0; i < 40 && shown < 44; ++i) {
        ct_gui_system_wait_for_glyphs(f->system);
        ct_gui_system_end_frame(f->system);
        const gui_sent s = gui_sent_of(f->renderer, CT_RENDER_COMMAND_TYPE_GUI_OBJECT);
        shown = s.last ? s.last->num_quads : shown;
        send(f);
    }
    assert_int_equal(shown, 44);
    assert_int_equal(show_ideographs(f, small_name, FIRST_IDEOGRAPH, ROUND), ROUND);
}

// --- The table alone -----------------------------------------------------------------------------

typedef struct table {
    ct_renderer *renderer;
    ct_text *text;
    ct_gui_glyphs *glyphs;
} table;

static table start_table(const ct_font_resource *font) {
    table t = {.renderer = ct_renderer_create_recorder(
                   &(ct_renderer_desc){.allocator = test_heap(), .width = 8, .height = 8}),
               .text = ct_text_create(test_heap())};
    t.glyphs = ct_gui_glyphs_create(test_heap(), t.renderer, t.text);
    ct_gui_glyphs_set_font(t.glyphs, large_name, font);
    ct_text_set_font(t.text, large_name, font);
    return t;
}

static void end_table(table *t) {
    ct_gui_glyphs_destroy(t->glyphs);
    ct_text_destroy(t->text);
    ct_renderer_destroy(t->renderer);
}

// Resolves a text at the end of a frame. Returns how many glyphs came.
static uint64_t count_finished(table *t, const char *text, bool *is_missing) {
    const uint64_t before = ct_gui_glyphs_version(t->glyphs);
    ct_text_layout *const layout =
        ct_text_layout_of(t->text, &(ct_text_desc){.text = text,
                                                   .num_bytes = (uint32_t)strlen(text),
                                                   .style = {.font = large_name, .size = 20}});
    *is_missing = ct_gui_glyphs_resolve(t->glyphs, layout);
    ct_gui_glyphs_wait(t->glyphs);
    ct_gui_glyphs_end_frame(t->glyphs);
    ct_renderer_end_frame(t->renderer);
    ct_text_end_frame(t->text);
    return ct_gui_glyphs_version(t->glyphs) - before;
}

// 44 glyphs find no room: they are not rasterised in each frame.
static void requests_refused_glyphs_seldom(void **state) {
    fixture *const f = *state;
    table t = start_table(f->large);
    const uint32_t count = CT_GUI_MAX_DYNAMIC_PAGES * CELLS + 44;
    bool is_missing;
    uint64_t finished = count_finished(&t, characters(FIRST_IDEOGRAPH, count), &is_missing);
    assert_int_equal(finished, count);
    assert_true(is_missing);
    finished = 0;
    for (uint32_t i = 0; i < 64; ++i)
        finished += count_finished(&t, characters(FIRST_IDEOGRAPH, count), &is_missing);
    assert_true(is_missing);
    assert_true(finished >= 3 * 44 && finished <= 5 * 45);
    end_table(&t);
}

// Returns the size in which a dash is as wide as a page.
static float size_of_widest_dash(const ct_font_resource *font, uint32_t *glyph) {
    ct_error error = {0};
    ct_glyph_raster *const raster =
        ct_glyph_raster_create(test_heap(), ct_blob_at(font, font->outlines.offset),
                               font->outlines.count, font->face_index, &error);
    assert_non_null(raster);
    *glyph = ct_glyph_raster_glyph_of(raster, 0x2014);
    ct_glyph_picture picture = {0};
    ct_byte_array pixels;
    ct_array_init(&pixels, test_heap());
    float size = 900;
    while (picture.width != PAGE_SIZE && size < 1400) {
        size += 0.25f;
        assert_true(ct_glyph_raster_draw(raster, *glyph, size, 0, &pixels, &picture, &error));
    }
    assert_int_equal(picture.width, PAGE_SIZE);
    ct_array_free(&pixels);
    ct_glyph_raster_destroy(raster);
    return size;
}

static void warns_of_a_glyph_that_fits_no_page(void **state) {
    fixture *const f = *state;
    uint32_t glyph;
    f->font->size = size_of_widest_dash(f->font, &glyph);
    table t = start_table(f->font);
    bool is_missing;
    assert_int_equal(count_finished(&t, "\xe2\x80\x94", &is_missing), 1);
    assert_true(is_missing);
    for (uint32_t i = 0; i < 40; ++i) {
        assert_int_equal(count_finished(&t, "\xe2\x80\x94", &is_missing), 0);
        assert_false(is_missing);
    }
    assert_int_equal(num_large, 1);
    assert_int_equal(num_full, 0);
    end_table(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(makes_retained_texts_again_for_another_font, start, end),
        cmocka_unit_test_setup_teardown(forgets_glyphs_of_a_font_that_goes, start, end),
        cmocka_unit_test_setup_teardown(gives_the_cells_of_a_font_to_others, start, end),
        cmocka_unit_test_setup_teardown(makes_only_texts_again_that_wait, start, end),
        cmocka_unit_test_setup_teardown(takes_glyphs_over_some_frames, start, end),
        cmocka_unit_test_setup_teardown(evicts_glyphs_that_are_not_used, start, end),
        cmocka_unit_test_setup_teardown(cuts_pages_again_for_glyphs_of_another_size, start, end),
        cmocka_unit_test_setup_teardown(recovers_from_an_overfull_frame, start, end),
        cmocka_unit_test_setup_teardown(requests_refused_glyphs_seldom, start, end),
        cmocka_unit_test_setup_teardown(warns_of_a_glyph_that_fits_no_page, start, end),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
