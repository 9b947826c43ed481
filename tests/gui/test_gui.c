// GUIs on the update thread: ids, kinds, what is sent, what is kept. A recorder takes the commands.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "foundation/log.h"
#include "foundation/math/math.h"
#include "gui/gui.h"
#include "gui/gui_sent.h"
#include "support/test_font.h"
#include "support/test_support.h"

typedef struct fixture {
    ct_renderer *renderer;
    ct_gui_system *system;
    ct_render_world_id world;
    ct_gui *gui; // retained
    ct_gui *immediate;
    ct_font_resource *font;
    ct_gui_object_id kept_text, kept_rect;
} fixture;

static const ct_string_id64 font_name = {77};

static int start(void **state) {
    static fixture f;
    f = (fixture){0};
    f.renderer = ct_renderer_create_recorder(
        &(ct_renderer_desc){.allocator = test_heap(), .width = 800, .height = 600});
    f.system = ct_gui_system_create(
        &(ct_gui_system_desc){.allocator = test_heap(), .renderer = f.renderer});
    f.world = ct_render_world_create(f.renderer);
    f.gui = ct_gui_create(f.system, &(ct_gui_desc){.world = f.world});
    f.immediate = ct_gui_create(f.system, &(ct_gui_desc){.world = f.world, .is_immediate = true});
    f.font = test_font_of(test_heap(), TEST_FONT_DEJAVU, NULL, 0);
    ct_gui_system_set_font(f.system, font_name, f.font);
    *state = &f;
    return 0;
}

static int end(void **state) {
    fixture *const f = *state;
    ct_gui_system_destroy(f->system);
    ct_renderer_destroy(f->renderer);
    ct_free(test_heap(), f->font);
    return 0;
}

static void end_frame(fixture *f) {
    ct_gui_system_end_frame(f->system);
    ct_renderer_end_frame(f->renderer);
}

static ct_gui_object_id draw_rect(ct_gui *g, ct_gui_object_id id) {
    const ct_gui_draw draw = {.id = id, .color = UINT32_MAX};
    return ct_gui_rect(g, &draw, ct_vec2_make(1, 2), ct_vec2_make(3, 4));
}

static ct_gui_object_id draw_text(ct_gui *g, ct_gui_object_id id, const char *text) {
    const ct_gui_draw draw = {.id = id};
    const ct_gui_text_desc desc = {
        .text = {.text = text,
                 .num_bytes = (uint32_t)strlen(text),
                 .style = {.font = font_name, .size = 20, .color = UINT32_MAX}}};
    return ct_gui_text(g, &draw, &desc);
}

// --- Ids -----------------------------------------------------------------------------------------

static void knows_its_objects(void **state) {
    fixture *const f = *state;
    const ct_gui_object_id rect = draw_rect(f->gui, (ct_gui_object_id){0});
    const ct_gui_object_id text = draw_text(f->gui, (ct_gui_object_id){0}, "Cuttle");
    assert_int_equal(ct_gui_kind_of(f->gui, rect), CT_GUI_KIND_RECT);
    assert_int_equal(ct_gui_kind_of(f->gui, text), CT_GUI_KIND_TEXT);
    assert_int_equal(ct_gui_num_objects(f->gui), 2);
    assert_true(rect.value < 1ull << 53 && text.value < 1ull << 53);
    ct_gui_destroy_object(f->gui, rect);
    assert_int_equal(ct_gui_kind_of(f->gui, rect), CT_GUI_KIND_NONE);
    assert_int_equal(ct_gui_num_objects(f->gui), 1);
}

static void refuses_ids_of_others(void **state) {
    fixture *const f = *state;
    ct_gui *const other = ct_gui_create(f->system, &(ct_gui_desc){.world = f->world});
    const ct_gui_object_id mine = draw_rect(f->gui, (ct_gui_object_id){0});
    const ct_gui_object_id others = draw_rect(other, (ct_gui_object_id){0});
    assert_true(mine.value != others.value);
    assert_int_equal(ct_gui_kind_of(f->gui, others), CT_GUI_KIND_NONE);
    assert_int_equal(ct_gui_kind_of(other, mine), CT_GUI_KIND_NONE);
    // The slot is used again, but not the id.
    ct_gui_destroy_object(f->gui, mine);
    const ct_gui_object_id next = draw_rect(f->gui, (ct_gui_object_id){0});
    assert_true(next.value != mine.value);
    assert_int_equal(ct_gui_kind_of(f->gui, mine), CT_GUI_KIND_NONE);
    static const uint64_t garbage[] = {0, 1, UINT64_MAX, 1ull << 52, 0x123456789abcull};
    for (uint32_t i = 0; i < CT_COUNT_OF(garbage); ++i)
        assert_int_equal(ct_gui_kind_of(f->gui, (ct_gui_object_id){garbage[i]}), CT_GUI_KIND_NONE);
}

static void never_brings_an_id_back(void **state) {
    fixture *const f = *state;
    const ct_gui_object_id first = draw_rect(f->gui, (ct_gui_object_id){0});
    ct_gui_destroy_object(f->gui, first);
    for (uint32_t i = 0; i < 140000; ++i) {
        const ct_gui_object_id id = draw_rect(f->gui, (ct_gui_object_id){0});
        assert_true(id.value != first.value);
        ct_gui_destroy_object(f->gui, id);
        if (i % 4096 == 0)
            end_frame(f);
    }
    assert_int_equal(ct_gui_kind_of(f->gui, first), CT_GUI_KIND_NONE);
}

static void resets(void **state) {
    fixture *const f = *state;
    const ct_gui_object_id rect = draw_rect(f->gui, (ct_gui_object_id){0});
    const ct_gui_object_id text = draw_text(f->gui, (ct_gui_object_id){0}, "gone");
    ct_gui_reset(f->gui);
    assert_int_equal(ct_gui_num_objects(f->gui), 0);
    assert_int_equal(ct_gui_kind_of(f->gui, rect), CT_GUI_KIND_NONE);
    assert_int_equal(ct_gui_kind_of(f->gui, text), CT_GUI_KIND_NONE);
    assert_int_equal(gui_sent_of(f->renderer, CT_RENDER_COMMAND_TYPE_GUI_CLEAR).num_commands, 1);
}

static void refuses_more_objects_than_fit(void **state) {
    fixture *const f = *state;
    for (uint32_t i = 0; i < CT_GUI_MAX_OBJECTS; ++i) {
        assert_true(draw_rect(f->gui, (ct_gui_object_id){0}).value != 0);
        if (i % 65536 == 0)
            end_frame(f);
    }
    const uint64_t errors = ct_log_error_count();
    assert_int_equal(draw_rect(f->gui, (ct_gui_object_id){0}).value, 0);
    assert_int_equal(draw_rect(f->gui, (ct_gui_object_id){0}).value, 0);
    assert_int_equal(ct_log_error_count() - errors, 1);
}

// --- What is sent --------------------------------------------------------------------------------

static void joins_neighbours_in_the_stream(void **state) {
    fixture *const f = *state;
    for (uint32_t i = 0; i < 10; ++i)
        assert_int_equal(draw_rect(f->immediate, (ct_gui_object_id){0}).value, 0);
    const gui_sent s = gui_sent_of(f->renderer, CT_RENDER_COMMAND_TYPE_GUI_APPEND);
    assert_int_equal(s.num_commands, 1);
    assert_int_equal(s.num_quads, 10);
}

static void sends_an_object_with_its_slot(void **state) {
    fixture *const f = *state;
    const ct_gui_object_id rect = draw_rect(f->gui, (ct_gui_object_id){0});
    const uint32_t slot = gui_sent_of(f->renderer, CT_RENDER_COMMAND_TYPE_GUI_OBJECT).last->slot;
    draw_rect(f->gui, (ct_gui_object_id){0});
    assert_int_equal(draw_rect(f->gui, rect).value, rect.value);
    assert_int_equal(gui_sent_of(f->renderer, CT_RENDER_COMMAND_TYPE_GUI_OBJECT).last->slot, slot);
    ct_gui_destroy_object(f->gui, rect);
    assert_int_equal(gui_sent_of(f->renderer, CT_RENDER_COMMAND_TYPE_GUI_REMOVE).num_commands, 1);
}

static void draws_nothing_that_is_not_finite(void **state) {
    fixture *const f = *state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    const ct_gui_draw draw = {.color = UINT32_MAX};
    for (uint32_t i = 0; i < CT_COUNT_OF(bad); ++i) {
        const ct_vec2 at = ct_vec2_make(bad[i], 0), one = ct_vec2_make(1, 1);
        const float radii[4] = {1, 1, 1, 1};
        const ct_vec2 line[2] = {at, one};
        ct_gui_rect(f->immediate, &draw, at, one);
        ct_gui_rect(f->immediate, &draw, one, at);
        ct_gui_arc(f->immediate, &draw, at, 5, 0, 7, 0);
        ct_gui_arc(f->immediate, &draw, one, bad[i], 0, 1, 2);
        ct_gui_arc(f->immediate, &draw, one, 5, bad[i], 1, 2);
        ct_gui_polyline(f->immediate, &draw, line, 2, 3, false);
        ct_gui_rounded_rect(f->immediate, &draw, at, one, radii, 1, 0);
        ct_gui_bitmap(f->immediate, &draw, &(ct_gui_bitmap_desc){.min = at, .size = one});
        const ct_gui_object_id kept = ct_gui_rect(f->gui, &draw, at, one);
        assert_int_equal(ct_gui_kind_of(f->gui, kept), CT_GUI_KIND_RECT);
    }
    // An arc without end is a whole circle; all else is not there.
    const gui_sent s = gui_sent_of(f->renderer, CT_RENDER_COMMAND_TYPE_GUI_APPEND);
    const ct_batch_vertex *const v = (const ct_batch_vertex *)(s.last + 1);
    for (uint32_t i = 0; s.last && i < s.last->num_quads * 4; ++i)
        assert_true(isfinite(v[i].position[0]) && isfinite(v[i].position[1]));
    assert_int_equal(gui_sent_of(f->renderer, CT_RENDER_COMMAND_TYPE_GUI_OBJECT).num_quads, 0);
}

static void cuts_at_nested_clips(void **state) {
    fixture *const f = *state;
    const ct_gui_draw draw = {.color = UINT32_MAX};
    assert_true(ct_gui_push_clip(f->immediate, 0, 0, 10, 10));
    assert_true(ct_gui_push_clip(f->immediate, 5, -5, 100, 10));
    ct_gui_rect(f->immediate, &draw, ct_vec2_make(-100, -100), ct_vec2_make(1000, 1000));
    const ct_render_command_gui_quads *const x =
        gui_sent_of(f->renderer, CT_RENDER_COMMAND_TYPE_GUI_APPEND).last;
    assert_int_equal(x->num_quads, 1);
    const ct_batch_vertex *const v = (const ct_batch_vertex *)(x + 1);
    for (uint32_t i = 0; i < 4; ++i) {
        assert_true(v[i].position[0] == 5 || v[i].position[0] == 10);
        assert_true(v[i].position[1] == 0 || v[i].position[1] == 5);
        assert_true(fabsf(v[i].uv[0] - (v[i].position[0] + 100) / 1000) < 1e-4f);
    }
    ct_gui_rect(f->immediate, &draw, ct_vec2_make(50, 50), ct_vec2_make(5, 5));
    assert_int_equal(gui_sent_of(f->renderer, CT_RENDER_COMMAND_TYPE_GUI_APPEND).num_quads, 1);
    end_frame(f); // ends the clips
    assert_false(ct_gui_pop_clip(f->immediate));
    for (uint32_t i = 0; i < CT_GUI_MAX_CLIPS; ++i)
        assert_true(ct_gui_push_clip(f->immediate, 0, 0, 1, 1));
    assert_false(ct_gui_push_clip(f->immediate, 0, 0, 1, 1));
}

// --- Frames --------------------------------------------------------------------------------------

static void draw_hud(fixture *f, uint32_t frame) {
    const ct_gui_draw draw = {.color = UINT32_MAX};
    const float radii[4] = {8, 8, 8, 8};
    char text[64];
    draw_rect(f->immediate, (ct_gui_object_id){0});
    ct_gui_rounded_rect(f->immediate, &draw, ct_vec2_make(0, 0), ct_vec2_make(100, 40), radii, 2,
                        1);
    ct_gui_arc(f->immediate, &draw, ct_vec2_make(50, 50), 20, 0, 5, 4);
    ct_gui_push_clip(f->immediate, 0, 0, 50, 50);
    draw_text(f->immediate, (ct_gui_object_id){0}, "Crates toppled");
    ct_gui_pop_clip(f->immediate);
    snprintf(text, sizeof(text), "%u seconds", frame % 10);
    draw_text(f->immediate, (ct_gui_object_id){0}, text);
    f->kept_text = draw_text(f->gui, f->kept_text, text);
    f->kept_rect = draw_rect(f->gui, f->kept_rect);
}

static void allocates_nothing_once_warm(void **state) {
    fixture *const f = *state;
    uint64_t before = 0;
    for (uint32_t frame = 0; frame < 200; ++frame) {
        draw_hud(f, frame);
        ct_gui_system_end_frame(f->system);
        if (frame < 100)
            ct_gui_system_wait_for_glyphs(f->system);
        ct_renderer_end_frame(f->renderer);
        if (frame == 100)
            before = ct_allocator_stats_of(test_heap()).total_blocks;
    }
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(knows_its_objects, start, end),
        cmocka_unit_test_setup_teardown(refuses_ids_of_others, start, end),
        cmocka_unit_test_setup_teardown(never_brings_an_id_back, start, end),
        cmocka_unit_test_setup_teardown(resets, start, end),
        cmocka_unit_test_setup_teardown(refuses_more_objects_than_fit, start, end),
        cmocka_unit_test_setup_teardown(joins_neighbours_in_the_stream, start, end),
        cmocka_unit_test_setup_teardown(sends_an_object_with_its_slot, start, end),
        cmocka_unit_test_setup_teardown(draws_nothing_that_is_not_finite, start, end),
        cmocka_unit_test_setup_teardown(cuts_at_nested_clips, start, end),
        cmocka_unit_test_setup_teardown(allocates_nothing_once_warm, start, end),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
