// A golden picture for each kind of object, each way of blending, and the options of text.
#include <math.h>

#include "foundation/math/math.h"
#include "gui/pictures/gui_fixture.h"
#include "support/test_font.h"

#define FONT "core/fonts/default"

static void finish(gui_fixture *f, const char *picture) {
    gui_fixture_picture(f);
    golden_expect(&f->render, picture);
    gui_fixture_stop(f);
}

static ct_gui_draw draw_in(int32_t layer, uint32_t color) {
    return (ct_gui_draw){.layer = layer, .color = color};
}

static ct_gui_draw draw_with(int32_t layer, uint32_t color, const char *material) {
    return (ct_gui_draw){.layer = layer, .color = color, .material = ct_string_id64_of(material)};
}

static ct_gui_text_desc text_of(const char *text, float size, float x, float y) {
    return (ct_gui_text_desc){.text = {.text = text,
                                       .num_bytes = (uint32_t)strlen(text),
                                       .style = {.font = ct_string_id64_of(FONT),
                                                 .size = size,
                                                 .color = gui_color(255, 255, 255, 255)}},
                              .position = ct_vec2_make(x, y)};
}

static void write(gui_fixture *f, const ct_gui_text_desc *desc) {
    const ct_gui_draw draw = draw_in(1, 0);
    ct_gui_text(f->gui, &draw, desc);
}

// --- Objects -------------------------------------------------------------------------------------

static void draw_rects(gui_fixture *f) {
    const ct_gui_draw back = draw_in(0, gui_color(255, 0, 0, 255));
    const ct_gui_draw front = draw_in(2, gui_color(0, 0, 255, 128));
    const ct_gui_draw middle = draw_in(1, gui_color(0, 255, 0, 255));
    const ct_gui_draw add = draw_with(3, gui_color(255, 255, 255, 255), "materials/gui_add");
    ct_gui_rect(f->gui, &front, ct_vec2_make(60, 60), ct_vec2_make(120, 100));
    ct_gui_rect(f->gui, &back, ct_vec2_make(10, 10), ct_vec2_make(100, 100));
    ct_gui_rect(f->gui, &middle, ct_vec2_make(40, 90), ct_vec2_make(100, 100));
    ct_gui_rect(f->gui, &add, ct_vec2_make(150, 30), ct_vec2_make(120, 60));
}

static void draws_layers_over_each_other(void **state) {
    (void)state;
    gui_fixture f;
    gui_fixture_start(&f, true);
    draw_rects(&f);
    finish(&f, "gui_rects");
}

static void draws_the_same_when_retained(void **state) {
    (void)state;
    gui_fixture f;
    gui_fixture_start(&f, false);
    draw_rects(&f);
    gui_fixture_picture(&f);
    finish(&f, "gui_rects"); // the objects stay
}

static void draws_pictures(void **state) {
    (void)state;
    gui_fixture f;
    gui_fixture_start(&f, true);
    const ct_gui_draw draw = draw_with(0, gui_color(255, 255, 255, 255), "materials/gui_checker");
    const ct_gui_draw tinted = draw_with(0, gui_color(255, 128, 0, 160), "materials/gui_checker");
    const ct_vec2 none = ct_vec2_make(0, 0), all = ct_vec2_make(1, 1);
    ct_gui_bitmap(f.gui, &draw,
                  &(ct_gui_bitmap_desc){ct_vec2_make(10, 10), ct_vec2_make(80, 80), none, all,
                                        .rotation = 0});
    ct_gui_bitmap(f.gui, &tinted,
                  &(ct_gui_bitmap_desc){ct_vec2_make(100, 10), ct_vec2_make(80, 80),
                                        ct_vec2_make(0.25f, 0.25f), ct_vec2_make(0.5f, 0.75f),
                                        .rotation = 0});
    ct_gui_bitmap(f.gui, &draw,
                  &(ct_gui_bitmap_desc){.min = ct_vec2_make(220, 20),
                                        .size = ct_vec2_make(60, 60),
                                        .uv_11 = all,
                                        .rotation = 0.5f,
                                        .pivot = ct_vec2_make(30, 30)});
    ct_gui_bitmap(f.gui, &draw,
                  &(ct_gui_bitmap_desc){.min = ct_vec2_make(10, 110),
                                        .size = ct_vec2_make(200, 100),
                                        .uv_11 = all,
                                        .borders = {20, 20, 20, 20},
                                        .uv_borders = {0.125f, 0.125f, 0.125f, 0.125f}});
    finish(&f, "gui_bitmaps");
}

static void draws_shapes(void **state) {
    (void)state;
    gui_fixture f;
    gui_fixture_start(&f, true);
    const ct_gui_draw white = draw_in(0, gui_color(255, 255, 255, 255));
    const ct_gui_draw red = draw_in(0, gui_color(220, 40, 40, 200));
    const float radii[4] = {0, 10, 20, 30};
    ct_gui_rounded_rect(f.gui, &red, ct_vec2_make(10, 10), ct_vec2_make(120, 70), radii, 4,
                        gui_color(255, 255, 255, 255));
    ct_gui_arc(f.gui, &red, ct_vec2_make(190, 45), 35, 0, 7, 0);
    ct_gui_arc(f.gui, &white, ct_vec2_make(270, 45), 30, 0.5f, 5.5f, 6);
    ct_gui_arc(f.gui, &red, ct_vec2_make(270, 120), 30, -0.7f, 4.0f, 0);
    const ct_vec2 zigzag[] = {{{20, 100}}, {{60, 180}}, {{90, 100}}, {{130, 180}}, {{140, 120}}};
    ct_gui_polyline(f.gui, &white, zigzag, CT_COUNT_OF(zigzag), 8, false);
    const ct_vec2 hair[] = {{{10, 200}}, {{200, 230}}};
    ct_gui_polyline(f.gui, &white, hair, CT_COUNT_OF(hair), 0.5f, false);
    const ct_vec2 star[] = {{{160, 100}}, {{230, 100}}, {{195, 170}}};
    ct_gui_polyline(f.gui, &white, star, CT_COUNT_OF(star), 3, true);
    const ct_vec3 corners[] = {{{220, 170, 0}}, {{300, 170, 0}}, {{260, 230, 0}}};
    const uint32_t colors[] = {gui_color(255, 0, 0, 255), gui_color(0, 255, 0, 255),
                               gui_color(0, 0, 255, 255)};
    ct_gui_triangles(f.gui, &white, CT_GUI_KIND_TRIANGLE, corners, NULL, colors, 3);
    finish(&f, "gui_shapes");
}

static void cuts_at_clip_rectangles(void **state) {
    (void)state;
    gui_fixture f;
    gui_fixture_start(&f, true);
    const ct_gui_draw red = draw_in(0, gui_color(220, 40, 40, 255));
    const ct_gui_draw checker =
        draw_with(0, gui_color(255, 255, 255, 255), "materials/gui_checker");
    assert_true(ct_gui_push_clip(f.gui, 40, 40, 200, 120));
    ct_gui_arc(f.gui, &red, ct_vec2_make(60, 60), 50, 0, 7, 0);
    ct_gui_bitmap(f.gui, &checker,
                  &(ct_gui_bitmap_desc){.min = ct_vec2_make(180, 100),
                                        .size = ct_vec2_make(100, 100),
                                        .uv_11 = ct_vec2_make(1, 1),
                                        .rotation = 0.4f});
    assert_true(ct_gui_push_clip(f.gui, 100, 0, 60, 100));
    const ct_gui_text_desc text = text_of("clipped text", 40, 50, 70);
    write(&f, &text);
    assert_true(ct_gui_pop_clip(f.gui));
    assert_true(ct_gui_pop_clip(f.gui));
    assert_false(ct_gui_pop_clip(f.gui));
    finish(&f, "gui_clips");
}

static void draw_effects(gui_fixture *f) {
    ct_gui_text_desc text = text_of("Outline", 48, 10, 190);
    text.text.style.outline = 3;
    text.text.style.outline_color = gui_color(0, 0, 0, 255);
    write(f, &text);
    text = text_of("Shadow", 48, 10, 130);
    text.text.style.shadow_x = 3;
    text.text.style.shadow_y = -3;
    text.text.style.shadow_blur = 3;
    text.text.style.shadow_color = gui_color(0, 0, 0, 200);
    write(f, &text);
    text = text_of("Glow", 48, 10, 70);
    text.text.style.glow = 6;
    text.text.style.glow_color = gui_color(255, 160, 0, 255);
    write(f, &text);
    text = text_of("Rules", 48, 10, 15);
    text.text.style.is_underlined = true;
    text.text.style.is_struck = true;
    write(f, &text);
    text = text_of("All", 48, 190, 70);
    text.text.style.outline = 2;
    text.text.style.outline_color = gui_color(120, 0, 0, 255);
    text.text.style.glow = 5;
    text.text.style.glow_color = gui_color(255, 255, 0, 255);
    text.text.style.shadow_x = 6;
    text.text.style.shadow_y = -6;
    text.text.style.shadow_color = gui_color(0, 0, 0, 255);
    write(f, &text);
}

// --- Batches -------------------------------------------------------------------------------------

static uint32_t num_draws(gui_fixture *f) {
    gui_fixture_picture(f);
    return ct_renderer_stats(f->render.renderer).num_draws;
}

static void draws_each_layer_and_material_once(void **state) {
    (void)state;
    static const char *const materials[] = {"core/materials/gui", "materials/gui_add",
                                            "materials/gui_checker", "core/materials/gui_text",
                                            "materials/gui_leaf"};
    gui_fixture f;
    gui_fixture_start(&f, false);
    const uint32_t before = num_draws(&f);
    for (uint32_t i = 0; i < 500; ++i) {
        const ct_gui_draw draw =
            draw_with((int32_t)(i / 7 % 3), gui_color(255, 255, 255, 255), materials[i % 5]);
        ct_gui_rect(f.gui, &draw, ct_vec2_make((float)(i % 25) * 12, (float)(i / 25) * 12),
                    ct_vec2_make(10, 10));
    }
    assert_int_equal(num_draws(&f) - before, 15);
    gui_fixture_stop(&f);
}

static uint32_t num_warnings;

static void count_warnings(void *user, ct_log_level level, const char *system,
                           const char *message) {
    (void)user, (void)level, (void)system;
    num_warnings += strstr(message, "the shader \"core/shaders/pbr\" of their material is not for "
                                    "GUIs") != NULL;
}

static void warns_of_materials_of_meshes(void **state) {
    (void)state;
    gui_fixture f;
    gui_fixture_start(&f, false);
    const ct_log_sink sink = {.write = count_warnings, .least = CT_LOG_LEVEL_WARNING};
    ct_log_add_sink(&sink);
    const ct_gui_draw draw = draw_with(0, gui_color(255, 255, 255, 255), "materials/red");
    ct_gui_rect(f.gui, &draw, ct_vec2_make(0, 0), ct_vec2_make(100, 100));
    gui_fixture_picture(&f);
    gui_fixture_picture(&f);
    ct_log_remove_sink(count_warnings, NULL);
    assert_int_equal(num_warnings, 1);
    gui_fixture_stop(&f);
}

static void comes_back_on_another_device(void **state) {
    (void)state;
    gui_fixture f;
    gui_fixture_start(&f, false);
    draw_rects(&f);
    gui_fixture_picture(&f);
    const ct_render_fault fault = {.kind = CT_RENDER_FAULT_DEVICE_LOST, .num_times = 1};
    ct_renderer_inject_fault(f.render.renderer, &fault);
    gui_fixture_picture(&f);
    assert_int_equal(ct_renderer_num_faults(f.render.renderer), 1);
    f.render.errors = ct_log_error_count(); // of the loss
    finish(&f, "gui_rects");
}

static void comes_back_with_its_glyphs(void **state) {
    (void)state;
    gui_fixture f;
    gui_fixture_start(&f, true);
    const ct_render_fault fault = {.kind = CT_RENDER_FAULT_DEVICE_LOST, .num_times = 1};
    ct_renderer_inject_fault(f.render.renderer, &fault);
    gui_fixture_picture(&f);
    f.render.errors = ct_log_error_count();
    draw_effects(&f);
    finish(&f, "gui_text_effects");
}

// --- Spaces --------------------------------------------------------------------------------------

static void scales_to_a_reference_resolution(void **state) {
    (void)state;
    gui_fixture f;
    gui_fixture_start(&f, true);
    ct_gui *const gui = ct_gui_create(f.system, &(ct_gui_desc){.world = f.render.world,
                                                               .is_immediate = true,
                                                               .reference_width = 1600,
                                                               .reference_height = 900});
    const ct_gui_draw back = draw_in(0, gui_color(0, 0, 0, 128));
    ct_gui_rect(gui, &back, ct_vec2_make(0, 0), ct_vec2_make(1600, 900));
    ct_gui_text_desc text = text_of("1600 x 900", 300, 40, 300);
    const ct_gui_draw front = draw_in(1, 0);
    ct_gui_text(gui, &front, &text);
    float width, height;
    ct_gui_area(gui, GUI_WIDTH, GUI_HEIGHT, &width, &height);
    assert_true(width == 1600 && height == 900);
    finish(&f, "gui_reference");
}

static void draws_on_planes_in_the_world(void **state) {
    (void)state;
    gui_fixture f;
    gui_fixture_start(&f, true);
    fixture_add(&f.render, "core/meshes/cube", "materials/red", 0, 0, 0);
    fixture_add_sun(&f.render);
    ct_gui_desc desc = {.world = f.render.world,
                        .is_world = true,
                        .pose = fixture_pose(-1.0f, 0.2f, -0.3f, 1.0f),
                        .width = 2,
                        .height = 0.5f,
                        .reference_width = 400,
                        .reference_height = 100};
    ct_gui *const hidden = ct_gui_create(f.system, &desc);
    desc.pose = fixture_pose(-1.0f, 0.2f, 0.6f, 1.0f);
    desc.is_on_top = true;
    ct_gui *const shown = ct_gui_create(f.system, &desc);
    ct_gui *const guis[] = {hidden, shown};
    for (uint32_t i = 0; i < 2; ++i) {
        const ct_gui_draw back = draw_in(0, gui_color(0, 0, 0, 160)), front = draw_in(1, 0);
        ct_gui_rect(guis[i], &back, ct_vec2_make(0, 0), ct_vec2_make(400, 100));
        const ct_gui_text_desc text = text_of("in the world", 64, 20, 35);
        ct_gui_text(guis[i], &front, &text);
    }
    const ct_mat4 upright =
        ct_mat4_compose(ct_vec3_make(200, 0, 50), ct_quat_axis_angle(ct_vec3_make(0, 1, 0), 0.5f),
                        ct_vec3_make(1, 1, 1));
    ct_gui_draw turned = draw_in(2, gui_color(255, 200, 0, 255));
    turned.pose = &upright;
    turned.offset = ct_vec3_make(-20, 0, -20);
    ct_gui_rect(shown, &turned, ct_vec2_make(0, 0), ct_vec2_make(40, 40));
    finish(&f, "gui_world");
}

// --- Text ----------------------------------------------------------------------------------------

static void is_sharp_at_any_size(void **state) {
    (void)state;
    gui_fixture f;
    gui_fixture_start(&f, true);
    const float sizes[] = {10, 14, 20, 32, 64, 200};
    float y = 225;
    for (uint32_t i = 0; i < CT_COUNT_OF(sizes); ++i) {
        y -= sizes[i] * (i == 5 ? 0.4f : 0.9f);
        const ct_gui_text_desc text = text_of("Quick brown fox", sizes[i], 5, y);
        write(&f, &text);
    }
    finish(&f, "gui_text_sizes");
}

static void draws_outlines_shadows_and_glows(void **state) {
    (void)state;
    gui_fixture f;
    gui_fixture_start(&f, true);
    draw_effects(&f);
    finish(&f, "gui_text_effects");
}

static const char sample[] = "The quick brown fox jumps over the lazy dog, and back again.";

static void fills_boxes(void **state) {
    (void)state;
    static const ct_text_align aligns[] = {CT_TEXT_ALIGN_START, CT_TEXT_ALIGN_CENTER,
                                           CT_TEXT_ALIGN_END, CT_TEXT_ALIGN_JUSTIFY};
    gui_fixture f;
    gui_fixture_start(&f, true);
    const ct_gui_draw box = draw_in(0, gui_color(0, 0, 0, 100));
    for (uint32_t i = 0; i < CT_COUNT_OF(aligns); ++i) {
        const float x = (float)(i % 2) * 155 + 5, y = (float)(i / 2) * 118 + 5;
        ct_gui_rect(f.gui, &box, ct_vec2_make(x, y), ct_vec2_make(150, 110));
        ct_gui_text_desc text = text_of(sample, 16, x, y);
        text.text.width = 150;
        text.text.align = aligns[i];
        text.height = 110;
        text.vertical = (float)i / 3;
        write(&f, &text);
    }
    finish(&f, "gui_text_boxes");
}

static void ends_in_an_ellipsis(void **state) {
    (void)state;
    gui_fixture f;
    gui_fixture_start(&f, true);
    ct_gui_text_desc text = text_of(sample, 20, 5, 200);
    text.text.width = 200;
    text.text.is_single_line = true;
    text.text.has_ellipsis = true;
    write(&f, &text);
    text = text_of(sample, 20, 5, 150);
    text.text.width = 200;
    text.text.max_lines = 2;
    text.text.has_ellipsis = true;
    text.text.line_height = 1.5f;
    write(&f, &text);
    finish(&f, "gui_text_ellipsis");
}

static void remakes_retained_text_when_glyphs_come(void **state) {
    (void)state;
    gui_fixture f;
    gui_fixture_start(&f, false);
    // Characters that the font has but its compiled pages do not hold.
    const ct_gui_text_desc text =
        text_of("Cuttle \xe2\x85\x9b \xe2\x84\x83 \xe2\x81\xb4", 40, 10, 100);
    write(&f, &text);
    ct_gui_system_end_frame(f.system);
    ct_gui_system_wait_for_glyphs(f.system);
    finish(&f, "gui_text_glyphs");
}

// --- More shapes ---------------------------------------------------------------------------------

static void draws_pills_and_thin_shapes(void **state) {
    (void)state;
    gui_fixture f;
    gui_fixture_start(&f, true);
    const ct_gui_draw white = draw_in(0, gui_color(255, 255, 255, 255));
    const ct_gui_draw red = draw_in(0, gui_color(220, 40, 40, 200));
    const float round[4] = {1000, 1000, 1000, 1000}, square[4] = {0};
    for (uint32_t i = 0; i < 4; ++i) {
        const float at = 10.0f + (float)i * 40.37f;
        ct_gui_rounded_rect(f.gui, &red, ct_vec2_make(at, 130.3f),
                            ct_vec2_make(29.3f, 40.1f + 15.7f * (float)i), round, (float)i,
                            gui_color(255, 255, 255, 255));
        ct_gui_rounded_rect(f.gui, &red, ct_vec2_make(180.7f, at * 0.7f + 100),
                            ct_vec2_make(39.9f + 22.3f * (float)i, 20.7f), round, 2 * (float)i,
                            gui_color(0, 0, 60, 255));
    }
    // From 0.2 to 3.2 pixels.
    for (uint32_t i = 0; i < 16; ++i) {
        const float size = 0.2f * (float)(i + 1), at = 10.25f + 12 * (float)i;
        ct_gui_rounded_rect(f.gui, &white, ct_vec2_make(at, 50), ct_vec2_make(size, 60), square, 0,
                            0);
        ct_gui_rounded_rect(f.gui, &white, ct_vec2_make(at, 35), ct_vec2_make(size, size), round, 0,
                            0);
        ct_gui_arc(f.gui, &white, ct_vec2_make(at, 20), 0.5f * size, 0, 7, 0);
    }
    for (uint32_t i = 0; i < 4; ++i) {
        const float from = 0.4f * (float)i;
        ct_gui_arc(f.gui, &white, ct_vec2_make(210, 15), 80, from, from + 0.05f * (float)(i + 1),
                   0);
    }
    finish(&f, "gui_pills");
}

static void draws_sharp_corners(void **state) {
    (void)state;
    gui_fixture f;
    gui_fixture_start(&f, true);
    const ct_gui_draw white = draw_in(0, gui_color(255, 255, 255, 255));
    const ct_gui_draw pale = draw_in(0, gui_color(255, 255, 255, 128));
    ct_vec2 star[5];
    for (uint32_t i = 0; i < 5; ++i) {
        const float angle = 2.5132741f * (float)i;
        star[i] = ct_vec2_make(80 + 60 * sinf(angle), 165 + 60 * cosf(angle));
    }
    ct_gui_polyline(f.gui, &white, star, 5, 5, true);
    const ct_vec2 spikes[] = {{{170, 110}}, {{185, 220}}, {{200, 110}}, {{215, 220}},
                              {{230, 110}}, {{300, 110}}, {{240, 120}}, {{300, 220}}};
    ct_gui_polyline(f.gui, &pale, spikes, CT_COUNT_OF(spikes), 8, true);
    const ct_vec2 back[] = {{{20, 80}}, {{140, 80}}, {{60, 80}}};
    ct_gui_polyline(f.gui, &white, back, CT_COUNT_OF(back), 10, false);
    const ct_vec2 doubled[] = {{{20, 20}}, {{80, 60}}, {{80, 60.0002f}}, {{140, 20}}};
    ct_gui_polyline(f.gui, &white, doubled, CT_COUNT_OF(doubled), 10, false);
    const ct_vec2 needle[] = {{{170, 20}}, {{300, 40}}, {{170, 60}}};
    ct_gui_polyline(f.gui, &white, needle, CT_COUNT_OF(needle), 10, false);
    const ct_vec2 hair[] = {{{170, 75}}, {{300, 82}}, {{170, 89}}};
    ct_gui_polyline(f.gui, &white, hair, CT_COUNT_OF(hair), 0.7f, true);
    finish(&f, "gui_sharp_corners");
}

static void draws_colours_that_are_multiplied_already(void **state) {
    (void)state;
    gui_fixture f;
    gui_fixture_start(&f, true);
    const ct_gui_draw black = draw_in(0, gui_color(0, 0, 0, 255));
    const ct_gui_draw pink = draw_in(0, gui_color(255, 120, 255, 255));
    ct_gui_rect(f.gui, &black, ct_vec2_make(0, 0), ct_vec2_make(320, 60));
    ct_gui_rect(f.gui, &pink, ct_vec2_make(0, 60), ct_vec2_make(320, 60));
    const uint32_t colors[] = {gui_color(255, 255, 255, 255), gui_color(255, 255, 255, 100),
                               gui_color(255, 160, 0, 255)};
    for (uint32_t i = 0; i < CT_COUNT_OF(colors); ++i) {
        const ct_gui_draw leaf = draw_with(1, colors[i], "materials/gui_leaf");
        ct_gui_bitmap(f.gui, &leaf,
                      &(ct_gui_bitmap_desc){.min = ct_vec2_make(10 + 105 * (float)i, 10),
                                            .size = ct_vec2_make(90, 220),
                                            .uv_11 = ct_vec2_make(1, 1)});
    }
    finish(&f, "gui_premultiplied");
}

static void draws_with_a_pose(void **state) {
    (void)state;
    gui_fixture f;
    gui_fixture_start(&f, true);
    fixture_add(&f.render, "core/meshes/cube", "materials/red", 0, 0, 0);
    fixture_add_sun(&f.render);
    ct_gui *const gui = ct_gui_create(f.system, &(ct_gui_desc){.world = f.render.world,
                                                               .is_immediate = true,
                                                               .is_world = true,
                                                               .pose = ct_mat4_identity(),
                                                               .width = 1,
                                                               .height = 1});
    const ct_quat tilt = ct_quat_axis_angle(ct_vec3_make(0.3f, 0.2f, 1), -0.35f);
    const ct_mat4 pose =
        ct_mat4_compose(ct_vec3_make(-0.8f, -0.75f, -0.2f), tilt, ct_vec3_make(1, 1, 1));
    ct_gui_draw draw = draw_with(0, gui_color(255, 255, 255, 255), "materials/gui_checker");
    draw.pose = &pose;
    const ct_gui_bitmap_desc picture = {.size = ct_vec2_make(1.5f, 0.5f),
                                        .uv_11 = ct_vec2_make(1, 1)};
    ct_gui_bitmap(gui, &draw, &picture);
    draw.offset = ct_vec3_make(0.2f, 0.7f, 0.7f); // partly behind the cube
    ct_gui_bitmap(gui, &draw, &picture);
    const ct_gui_draw front = {.layer = 1, .pose = &pose, .offset = ct_vec3_make(0, -0.1f, 0.05f)};
    ct_gui_text_desc text = text_of("Tilted", 0.4f, 0.1f, 0.05f);
    text.text.style.color = gui_color(255, 230, 0, 255);
    text.text.style.outline = 0.04f;
    text.text.style.outline_color = gui_color(60, 0, 0, 255);
    ct_gui_text(gui, &front, &text);
    finish(&f, "gui_pose");
}

// --- More text -----------------------------------------------------------------------------------

static void draws_markup(void **state) {
    (void)state;
    static const char *const lines[] = {
        "A <color=#ffcc00>yellow</color> and <color=#ff000080>pale red</color> word",
        "<size=14>small</size> normal <size=200%>large</size>",
        "<outline=2 #000000>outlined</outline> <glow=4 #ff8000>glowing</glow>",
        "<u>under</u> <s>struck</s> <u><color=#80ff80>both <s>nested</s></color></u>",
        "1 &lt; 2 &amp; <shadow=2,-2,1 #000000ff>shadow</>",
    };
    gui_fixture f;
    gui_fixture_start(&f, true);
    for (uint32_t i = 0; i < CT_COUNT_OF(lines); ++i) {
        ct_gui_text_desc text = text_of(lines[i], 22, 8, 205 - 46 * (float)i);
        text.text.has_markup = true;
        write(&f, &text);
    }
    finish(&f, "gui_text_markup");
}

// Draws twice, as the glyphs come after the first time, and takes the picture of the second.
static void finish_with_glyphs(gui_fixture *f, const ct_gui_text_desc *texts, uint32_t count,
                               const char *picture) {
    for (uint32_t i = 0; i < count; ++i)
        write(f, &texts[i]);
    ct_gui_system_wait_for_glyphs(f->system);
    gui_fixture_picture(f);
    for (uint32_t i = 0; i < count; ++i)
        write(f, &texts[i]);
    finish(f, picture);
}

static void writes_from_right_to_left(void **state) {
    (void)state;
    gui_fixture f;
    gui_fixture_start(&f, true);
    const ct_string_id64 latin = ct_string_id64_of(FONT);
    const ct_string_id64 names[] = {ct_string_id64_of("test/hebrew"),
                                    ct_string_id64_of("test/arabic")};
    ct_font_resource *const fonts[] = {test_font_of(test_heap(), TEST_FONT_HEBREW, &latin, 1),
                                       test_font_of(test_heap(), TEST_FONT_ARABIC, &latin, 1)};
    for (uint32_t i = 0; i < 2; ++i) {
        fonts[i]->flags = CT_FONT_DISTANCE_FIELD;
        fonts[i]->spread = 8;
        ct_gui_system_set_font(f.system, names[i], fonts[i]);
    }
    ct_gui_text_desc texts[] = {
        text_of("\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d, \xd7\xa2\xd7\x95\xd7\x9c\xd7\x9d!", 36, 10, 195),
        text_of("\xd8\xa7\xd9\x84\xd8\xb3\xd9\x84\xd8\xa7\xd9\x85 "
                "\xd8\xb9\xd9\x84\xd9\x8a\xd9\x83\xd9\x85 12",
                36, 10, 140),
        text_of("Hello, world!", 30, 10, 95), // the mark is on the left
        text_of("Hello, \xd7\xa2\xd7\x95\xd7\x9c\xd7\x9d!", 30, 10, 55),
        text_of("\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d, world!", 30, 10, 15),
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(texts); ++i) {
        texts[i].text.style.font = names[i == 1];
        texts[i].text.width = 300;
    }
    texts[2].text.direction = CT_TEXT_DIRECTION_RIGHT_TO_LEFT;
    texts[3].text.direction = CT_TEXT_DIRECTION_RIGHT_TO_LEFT;
    texts[4].text.direction = CT_TEXT_DIRECTION_LEFT_TO_RIGHT;
    finish_with_glyphs(&f, texts, CT_COUNT_OF(texts), "gui_text_right_to_left");
    for (uint32_t i = 0; i < 2; ++i)
        ct_free(test_heap(), fonts[i]);
}

static void draws_fonts_of_pixels(void **state) {
    (void)state;
    gui_fixture f;
    gui_fixture_start(&f, true);
    const ct_string_id64 name = ct_string_id64_of("test/pixels");
    ct_font_resource *const font = test_font_of(test_heap(), TEST_FONT_DEJAVU, NULL, 0);
    font->size = 16; // of its glyphs; the first lines show them as they are
    ct_gui_system_set_font(f.system, name, font);
    ct_gui_text_desc texts[] = {
        text_of("Pixels as they are: 0123", 16, 10, 210),
        text_of("Half a pixel is rounded", 16, 10.5f, 180.5f),
        text_of("Twice", 32, 10, 135),
        text_of("Six x", 96, 10, 40),
        text_of("A shadow, half as opaque", 16, 10, 12),
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(texts); ++i)
        texts[i].text.style.font = name;
    texts[4].text.style.color = gui_color(255, 255, 255, 128);
    texts[4].text.style.shadow_x = 2;
    texts[4].text.style.shadow_y = -2;
    texts[4].text.style.shadow_color = gui_color(0, 0, 0, 255);
    finish_with_glyphs(&f, texts, CT_COUNT_OF(texts), "gui_text_pixels");
    ct_free(test_heap(), font);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_layers_over_each_other),
        cmocka_unit_test(draws_the_same_when_retained),
        cmocka_unit_test(draws_pictures),
        cmocka_unit_test(draws_shapes),
        cmocka_unit_test(cuts_at_clip_rectangles),
        cmocka_unit_test(draws_each_layer_and_material_once),
        cmocka_unit_test(warns_of_materials_of_meshes),
        cmocka_unit_test(comes_back_on_another_device),
        cmocka_unit_test(comes_back_with_its_glyphs),
        cmocka_unit_test(scales_to_a_reference_resolution),
        cmocka_unit_test(draws_on_planes_in_the_world),
        cmocka_unit_test(is_sharp_at_any_size),
        cmocka_unit_test(draws_outlines_shadows_and_glows),
        cmocka_unit_test(fills_boxes),
        cmocka_unit_test(ends_in_an_ellipsis),
        cmocka_unit_test(remakes_retained_text_when_glyphs_come),
        cmocka_unit_test(draws_pills_and_thin_shapes),
        cmocka_unit_test(draws_sharp_corners),
        cmocka_unit_test(draws_colours_that_are_multiplied_already),
        cmocka_unit_test(draws_with_a_pose),
        cmocka_unit_test(draws_markup),
        cmocka_unit_test(writes_from_right_to_left),
        cmocka_unit_test(draws_fonts_of_pixels),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
