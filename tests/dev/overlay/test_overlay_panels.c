// What the overlay's panels show: the layout in pictures of all sizes, the graph, the log, memory.
#include <stdio.h>
#include <string.h>

#include "dev/overlay/overlay_graph.h"
#include "dev/overlay/overlay_layout.h"
#include "dev/overlay/overlay_log.h"
#include "dev/overlay/overlay_memory.h"
#include "foundation/math/math.h"
#include "foundation/memory/proxy_allocator.h"
#include "support/test_support.h"

// --- Layout --------------------------------------------------------------------------------------

static bool overlap(const ct_overlay_rect *a, const ct_overlay_rect *b) {
    return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
           b->y < a->y + a->height;
}

static void expect_in_picture(const ct_overlay_layout *l, const ct_overlay_rect *r) {
    assert_true(r->x >= 0.0f && r->y >= 0.0f && r->width > 0.0f && r->height > 0.0f);
    assert_true(r->x + r->width <= l->width && r->y + r->height <= l->height);
}

static void panels_are_in_the_picture_and_do_not_overlap(void **state) {
    (void)state;
    static const uint32_t sizes[][2] = {{960, 540},   {1280, 720}, {1920, 1080},  {2560, 1440},
                                        {3840, 2160}, {160, 90},   {640, 480},    {1, 1},
                                        {500, 4000},  {9000, 300}, {16384, 16384}};
    for (uint32_t i = 0; i < CT_COUNT_OF(sizes); ++i) {
        const ct_overlay_layout l = ct_overlay_layout_of(sizes[i][0], sizes[i][1]);
        const ct_overlay_rect panels[] = {l.frame, l.counts, l.memory, l.log, l.line};
        for (uint32_t k = 0; k < CT_COUNT_OF(panels); ++k) {
            expect_in_picture(&l, &panels[k]);
            for (uint32_t n = 0; n < k; ++n)
                assert_false(overlap(&panels[k], &panels[n]));
        }
        assert_true(l.graph.x >= l.frame.x &&
                    l.graph.x + l.graph.width <= l.frame.x + l.frame.width);
        assert_true(l.graph.y >= l.frame.y &&
                    l.graph.y + l.graph.height <= l.frame.y + l.frame.height);
        assert_in_range(l.num_log_lines, 6, CT_OVERLAY_MOST_LOG_LINES);
    }
}

static void text_grows_with_large_pictures_and_fits_small_ones(void **state) {
    (void)state;
    assert_true(ct_overlay_layout_of(1280, 720).pixels_of_a_unit == 1.0f);
    assert_true(ct_overlay_layout_of(1920, 1080).pixels_of_a_unit == 1.0f);
    assert_true(ct_overlay_layout_of(2560, 1440).pixels_of_a_unit == 1.5f);
    assert_true(ct_overlay_layout_of(3840, 2160).pixels_of_a_unit == 2.0f);
    assert_true(ct_overlay_layout_of(480, 270).pixels_of_a_unit == 0.5f);
}

// --- Graph ---------------------------------------------------------------------------------------

enum { POINTS_OF_BAR = 6 };

static ct_overlay_graph graph_of(const double *frames, uint32_t count) {
    ct_frame_times times;
    ct_overlay_graph g;
    ct_frame_times_init(&times, test_heap());
    for (uint32_t i = 0; i < count; ++i)
        ct_frame_times_add(&times, frames[i], 2.0, 1.0);
    ct_overlay_graph_take(&g, &times, 0.01);
    ct_frame_times_shutdown(&times);
    return g;
}

static void graph_shows_the_newest_frames_at_the_right(void **state) {
    (void)state;
    static ct_vec3 points[CT_OVERLAY_GRAPH_POINTS];
    static uint32_t colors[CT_OVERLAY_GRAPH_POINTS];
    const double frames[] = {10.0, 19.0, 90.0};
    const ct_overlay_graph g = graph_of(frames, 3);
    const ct_vec2 min = ct_vec2_make(100.0f, 50.0f);
    const ct_vec2 size = ct_vec2_make(2.0f * CT_OVERLAY_GRAPH_FRAMES, 100.0f);
    const uint32_t count = ct_overlay_graph_write(&g, min, size, points, colors);
    assert_int_equal(count, (2 * 3 + 2) * POINTS_OF_BAR); // two bars a frame, two lines
    static const uint32_t wanted[] = {CT_OVERLAY_GRAPH_GOOD, CT_OVERLAY_GRAPH_SLOW,
                                      CT_OVERLAY_GRAPH_BAD};
    // 2.5 budgets of 10 ms are 100 units high.
    static const float tops[] = {90.0f, 126.0f, 150.0f};
    for (uint32_t i = 0; i < 3; ++i) {
        const uint32_t bar = 2 * i * POINTS_OF_BAR;
        assert_int_equal(colors[bar], wanted[i]);
        assert_int_equal(colors[bar + POINTS_OF_BAR], CT_OVERLAY_GRAPH_UPDATE);
        assert_float_equal(points[bar].x, 494.0f + 2.0f * (float)i, 1e-3f);
        assert_float_equal(points[bar].y, 58.0f, 1e-3f); // above 2 ms of update
        assert_float_equal(points[bar + 2].y, tops[i], 1e-3f);
    }
    const uint32_t budget = 6 * POINTS_OF_BAR;
    assert_int_equal(colors[budget], CT_OVERLAY_GRAPH_LINE);
    assert_float_equal(points[budget].y, 90.0f, 1e-3f);
    assert_float_equal(points[budget + 2].x, 100.0f + size.x, 1e-3f);
}

static void graph_sums_up_what_it_shows(void **state) {
    (void)state;
    double frames[CT_OVERLAY_GRAPH_FRAMES + 20];
    for (uint32_t i = 0; i < CT_COUNT_OF(frames); ++i)
        frames[i] = i < 20 ? 500.0 : 8.0;
    frames[CT_COUNT_OF(frames) - 1] = 16.0;
    const ct_overlay_graph g = graph_of(frames, CT_COUNT_OF(frames));
    const ct_overlay_graph_summary s = ct_overlay_graph_summarize(&g);
    assert_int_equal(g.count, CT_OVERLAY_GRAPH_FRAMES);
    assert_true(s.last == 16.0f && s.worst == 16.0f);
    assert_float_equal(s.mean, 8.04f, 1e-3f);
    assert_float_equal(s.update_mean, 2.0f, 1e-3f);
    assert_float_equal(s.submit_mean, 1.0f, 1e-3f);
}

static void graph_without_frames_has_only_lines(void **state) {
    (void)state;
    static ct_vec3 points[CT_OVERLAY_GRAPH_POINTS];
    static uint32_t colors[CT_OVERLAY_GRAPH_POINTS];
    const ct_overlay_graph g = graph_of(NULL, 0);
    const ct_vec2 size = ct_vec2_make(10.0f, 10.0f);
    assert_int_equal(ct_overlay_graph_write(&g, ct_vec2_make(0.0f, 0.0f), size, points, colors),
                     2 * POINTS_OF_BAR);
    assert_true(ct_overlay_graph_summarize(&g).mean == 0.0f);
}

// --- Log -----------------------------------------------------------------------------------------

static ct_overlay_log_line lines[CT_OVERLAY_LOG_LINES + 1];

static void log_keeps_lines_with_level_and_system(void **state) {
    (void)state;
    ct_overlay_log *const log = ct_overlay_log_create(test_heap());
    ct_log_debug("render", "not kept");
    ct_log_info("render", "made");
    ct_log_message(CT_LOG_LEVEL_ERROR, "lua", "broken\nstack traceback:\n\tmain.lua:1\n");
    assert_int_equal(ct_overlay_log_last(log, CT_OVERLAY_LOG_LINES, lines), 4);
    assert_string_equal(lines[0].text, "made");
    assert_string_equal(lines[0].system, "render");
    assert_int_equal(lines[0].level, CT_LOG_LEVEL_INFO);
    assert_string_equal(lines[1].text, "broken");
    assert_string_equal(lines[1].system, "lua");
    assert_false(lines[1].is_continued);
    assert_string_equal(lines[3].text, "    main.lua:1");
    assert_string_equal(lines[3].system, "");
    assert_int_equal(lines[3].level, CT_LOG_LEVEL_ERROR);
    assert_true(lines[3].is_continued);
    assert_int_equal(ct_overlay_log_last(log, 2, lines), 2);
    assert_string_equal(lines[0].text, "stack traceback:");
    ct_overlay_log_destroy(log);
    ct_log_info("render", "nobody listens");
}

static void log_keeps_the_last_lines_only(void **state) {
    (void)state;
    ct_overlay_log *const log = ct_overlay_log_create(test_heap());
    for (uint32_t i = 0; i < CT_OVERLAY_LOG_LINES + 10; ++i)
        ct_log_info("test", "line %u", i);
    assert_int_equal(ct_overlay_log_last(log, CT_OVERLAY_LOG_LINES + 1, lines),
                     CT_OVERLAY_LOG_LINES);
    assert_string_equal(lines[0].text, "line 10");
    assert_string_equal(lines[CT_OVERLAY_LOG_LINES - 1].text, "line 137");
    ct_overlay_log_destroy(log);
}

static void log_shows_any_bytes(void **state) {
    (void)state;
    ct_overlay_log *const log = ct_overlay_log_create(test_heap());
    ct_log_message_from(CT_LOG_LEVEL_INFO, "test", "a\0b\x1b\xff", 5, NULL);
    char longest[1000];
    for (uint32_t i = 0; i + 2 < sizeof(longest); i += 2)
        memcpy(longest + i, "\xc3\xa4", 3);
    ct_log_info("test", "%s", longest);
    assert_int_equal(ct_overlay_log_last(log, CT_OVERLAY_LOG_LINES, lines), 2);
    assert_string_equal(lines[0].text, "a b\\x1b\\xff");
    assert_int_equal(strlen(lines[1].text), CT_OVERLAY_LOG_BYTES - 2); // no half character
    assert_memory_equal(lines[1].text, longest, CT_OVERLAY_LOG_BYTES - 2);
    ct_overlay_log_destroy(log);
}

// --- Memory --------------------------------------------------------------------------------------

static const ct_overlay_memory_row *row_named(const ct_overlay_memory *m, const char *name) {
    for (uint32_t i = 0; i < m->count; ++i)
        if (strcmp(m->rows[i].name, name) == 0)
            return &m->rows[i];
    return NULL;
}

static void memory_counts_what_each_system_holds_itself(void **state) {
    (void)state;
    enum { MEGABYTE = 1 << 20 };
    ct_overlay_memory before, now;
    ct_overlay_memory_count(&before);
    ct_allocator *const parent = ct_proxy_allocator_create(test_heap(), "herd");
    ct_allocator *const one = ct_proxy_allocator_create(parent, "herd/cow");
    ct_allocator *const two = ct_proxy_allocator_create(parent, "herd/cow");
    void *const blocks[] = {ct_alloc(parent, 5 * MEGABYTE), ct_alloc(one, 8 * MEGABYTE),
                            ct_alloc(two, 9 * MEGABYTE)};
    ct_overlay_memory_count(&now);
    assert_string_equal(now.rows[0].name, "test_heap/herd/cow");
    assert_in_range(now.rows[0].bytes, 17 * MEGABYTE, 18 * MEGABYTE);
    assert_non_null(row_named(&now, "test_heap/herd"));
    assert_in_range(row_named(&now, "test_heap/herd")->bytes, 5 * MEGABYTE, 6 * MEGABYTE);
    assert_in_range(now.total_bytes - before.total_bytes, 22 * MEGABYTE, 23 * MEGABYTE);
    for (uint32_t i = 1; i < now.count; ++i)
        assert_true(now.rows[i].bytes <= now.rows[i - 1].bytes);
    ct_free(parent, blocks[0]);
    ct_free(one, blocks[1]);
    ct_free(two, blocks[2]);
    ct_proxy_allocator_destroy(two);
    ct_proxy_allocator_destroy(one);
    ct_proxy_allocator_destroy(parent);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(panels_are_in_the_picture_and_do_not_overlap),
        cmocka_unit_test(text_grows_with_large_pictures_and_fits_small_ones),
        cmocka_unit_test(graph_shows_the_newest_frames_at_the_right),
        cmocka_unit_test(graph_sums_up_what_it_shows),
        cmocka_unit_test(graph_without_frames_has_only_lines),
        cmocka_unit_test(log_keeps_lines_with_level_and_system),
        cmocka_unit_test(log_keeps_the_last_lines_only),
        cmocka_unit_test(log_shows_any_bytes),
        cmocka_unit_test(memory_counts_what_each_system_holds_itself),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
