// The overlay over a renderer that only records: what the key and the console switch, what the game
// sees of the keyboard, and what is drawn.
#include "script/api_fixture.h"

#include "dev/console_overlay.h"
#include "dev/overlay/overlay_script.h"
#include "foundation/math/math.h"
#include "gui/gui_sent.h"

static ct_overlay *overlay;
static ct_frame_times times;
static uint64_t now_ns;

static uint32_t key(const char *name) {
    const int32_t id = ct_input_button_id(CT_INPUT_DEVICE_KEYBOARD, name);
    assert_true(id >= 0);
    return (uint32_t)id;
}

// A config whose only viewport has this name.
static void use_config(const char *config_name, const char *viewport_name) {
    const ct_render_viewport viewport = {.name = ct_string_id32_of(viewport_name)};
    ct_render_config_resource config = {.lod_bias = {.numbers = {1}}};
    ct_blob_writer w;
    ct_error error = {0};
    ct_blob_writer_init(&w, test_heap(), CT_BYTE_ORDER_LITTLE, "render_config",
                        CT_RENDER_CONFIG_VERSION);
    ct_blob_begin(&w, &ct_render_config_layout);
    config.viewports = ct_blob_write_items(&w, &ct_render_viewport_layout, &viewport, 1);
    ct_blob_end(&w, &ct_render_config_layout, &config);
    ct_blob_writer_finish(&w);
    load_blob(&f, &w, "render_config", config_name);
    assert_true(ct_renderer_set_config(recorder, config_name, &error));
}

static void attach(int32_t with_key) {
    const ct_overlay_desc desc = {
        .renderer = recorder, .gui = f.gui, .input = f.input, .key = with_key};
    ct_overlay_attach(overlay, &desc);
}

static int begin(void **state) {
    set_up(state);
    use_config("overlays", "overlay");
    overlay = ct_overlay_create(test_heap());
    ct_frame_times_init(&times, test_heap());
    now_ns = 1000000000;
    attach((int32_t)key("f1"));
    return 0;
}

static int end(void **state) {
    ct_overlay_detach(overlay);
    ct_overlay_destroy(overlay);
    ct_frame_times_shutdown(&times);
    return tear_down(state);
}

static void tap(const char *name) {
    ct_input_feed_button(f.input, CT_INPUT_DEVICE_KEYBOARD, key(name), true);
    ct_input_feed_keystroke(f.input, key(name));
    ct_input_feed_button(f.input, CT_INPUT_DEVICE_KEYBOARD, key(name), false);
}

static bool game_sees(const char *name) {
    return ct_input_pressed(f.input, CT_INPUT_DEVICE_KEYBOARD, key(name)) ||
           ct_input_is_down(f.input, CT_INPUT_DEVICE_KEYBOARD, key(name));
}

// What a frame of the overlay sends.
typedef struct sent_frame {
    gui_sent kept, moving;
    uint32_t num_rendered;
} sent_frame;

static sent_frame draw(uint64_t later_ns) {
    const ct_overlay_figures figures = {
        .now_ns = now_ns += later_ns, .times = &times, .budget_seconds = 0.01};
    sent_frame s = {.num_rendered = 0};
    ct_overlay_draw(overlay, &figures);
    ct_gui_system_end_frame(f.gui);
    s.kept = gui_sent_of(recorder, CT_RENDER_COMMAND_TYPE_GUI_OBJECT);
    s.moving = gui_sent_of(recorder, CT_RENDER_COMMAND_TYPE_GUI_APPEND);
    const uint32_t before = recorded_now.num_rendered;
    s.num_rendered = recorded()->num_rendered - before;
    return s;
}

// --- Switching -----------------------------------------------------------------------------------

static void the_key_shows_it_gives_it_the_keyboard_and_hides_it(void **state) {
    (void)state;
    assert_int_equal(ct_overlay_get_mode(overlay), CT_OVERLAY_MODE_OFF);
    tap("f1");
    assert_int_equal(ct_overlay_get_mode(overlay), CT_OVERLAY_MODE_ON);
    tap("f1");
    assert_int_equal(ct_overlay_get_mode(overlay), CT_OVERLAY_MODE_LINE);
    tap("f1");
    assert_int_equal(ct_overlay_get_mode(overlay), CT_OVERLAY_MODE_OFF);
    assert_false(game_sees("f1"));
    assert_int_equal(ct_input_event_list(f.input)->count, 0);
}

static void without_a_key_only_the_console_switches(void **state) {
    (void)state;
    ct_overlay_detach(overlay);
    attach(-1);
    tap("f1");
    assert_true(game_sees("f1"));
    assert_int_equal(ct_overlay_get_mode(overlay), CT_OVERLAY_MODE_OFF);
}

static bool run_command(const char *argument, ct_string_builder *result, ct_error *error) {
    ct_console_target target = {.allocator = test_heap(), .overlay = overlay};
    ct_string_builder_clear(result);
    return ct_console_run_overlay(&target, argument ? 1 : 0, &argument, result, error);
}

static void the_console_switches_it(void **state) {
    (void)state;
    ct_string_builder result CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&result, test_heap());
    ct_error error = {0};
    assert_true(run_command(NULL, &result, &error));
    assert_string_equal(ct_string_builder_text(&result), "the overlay is off");
    assert_true(run_command("line", &result, &error));
    assert_string_equal(ct_string_builder_text(&result),
                        "the overlay is on; its line has the keyboard");
    assert_int_equal(ct_overlay_get_mode(overlay), CT_OVERLAY_MODE_LINE);
    assert_false(run_command("open", &result, &error));
    assert_string_equal(error.message, "found \"open\"; expected on, off or line");
    assert_int_equal(ct_overlay_get_mode(overlay), CT_OVERLAY_MODE_LINE);
    ct_console_target none = {.allocator = test_heap()};
    assert_false(ct_console_run_overlay(&none, 0, NULL, &result, &error));
    assert_string_equal(error.message, "this game has no overlay");
}

static void a_config_without_its_viewport_is_an_error(void **state) {
    (void)state;
    ct_error error = {0};
    use_config("bare", "default");
    assert_false(ct_overlay_set_mode(overlay, CT_OVERLAY_MODE_ON, &error));
    assert_non_null(strstr(error.message, "has no viewport \"overlay\""));
    assert_int_equal(ct_overlay_get_mode(overlay), CT_OVERLAY_MODE_OFF);
    const uint64_t num_errors = ct_log_error_count();
    tap("f1");
    assert_int_equal(ct_log_error_count(), num_errors + 1);
    assert_int_equal(draw(0).num_rendered, 0);
}

// --- Keys ----------------------------------------------------------------------------------------

static void the_game_has_the_keyboard_until_the_line_takes_it(void **state) {
    (void)state;
    tap("f1");
    ct_input_feed_button(f.input, CT_INPUT_DEVICE_KEYBOARD, key("w"), true);
    ct_input_feed_text(f.input, "w");
    assert_true(game_sees("w"));
    assert_int_equal(ct_input_event_list(f.input)->count, 2);
    tap("f1");
    // A key that went down before comes up.
    ct_input_feed_button(f.input, CT_INPUT_DEVICE_KEYBOARD, key("w"), false);
    assert_false(ct_input_is_down(f.input, CT_INPUT_DEVICE_KEYBOARD, key("w")));
    ct_input_begin_frame(f.input);
    tap("w");
    tap("up");
    ct_input_feed_text(f.input, "w");
    ct_input_feed_button(f.input, CT_INPUT_DEVICE_MOUSE, 0, true);
    assert_false(game_sees("w") || game_sees("up"));
    assert_int_equal(ct_input_event_list(f.input)->count, 1); // the mouse
    tap("esc");
    assert_int_equal(ct_overlay_get_mode(overlay), CT_OVERLAY_MODE_ON);
    assert_false(game_sees("esc"));
    tap("w");
    assert_true(game_sees("w"));
}

static void the_text_of_the_key_is_not_typed(void **state) {
    (void)state;
    char line[CT_OVERLAY_LINE_BYTES];
    tap("f1");
    ct_input_feed_button(f.input, CT_INPUT_DEVICE_KEYBOARD, key("f1"), true);
    ct_input_feed_text(f.input, "^");
    ct_input_feed_button(f.input, CT_INPUT_DEVICE_KEYBOARD, key("f1"), false);
    ct_input_feed_text(f.input, "1");
    tap("enter");
    assert_true(ct_overlay_take_line(overlay, line));
    assert_string_equal(line, "1");
}

static void lines_are_taken_in_order_and_a_flood_is_cut(void **state) {
    (void)state;
    char line[CT_OVERLAY_LINE_BYTES];
    tap("f1"), tap("f1");
    assert_false(ct_overlay_take_line(overlay, line));
    for (uint32_t i = 0; i < 20; ++i) {
        char text[16];
        snprintf(text, sizeof(text), "%u", i);
        ct_input_feed_text(f.input, text);
        tap("enter");
    }
    assert_true(ct_overlay_take_line(overlay, line));
    assert_string_equal(line, "0");
    assert_true(ct_overlay_take_line(overlay, line));
    assert_string_equal(line, "1");
    uint32_t num_left = 0;
    while (ct_overlay_take_line(overlay, line))
        ++num_left;
    assert_int_equal(num_left, 6);
}

static void lines_run_in_the_games_lua(void **state) {
    (void)state;
    ct_overlay_log *const log = ct_overlay_log_create(test_heap());
    ct_overlay_log_line lines[8];
    ct_allocator *const a = test_heap();
    tap("f1"), tap("f1");
    ct_input_feed_text(f.input, "Typed = 6 * 7 return Typed, 'x'");
    tap("enter");
    ct_input_feed_text(f.input, "nobody()");
    tap("enter");
    ct_overlay_run_lines(overlay, a, ct_script_lua(f.script));
    const uint32_t count = ct_overlay_log_last(log, CT_COUNT_OF(lines), lines);
    assert_true(count >= 4);
    assert_string_equal(lines[0].text, "> Typed = 6 * 7 return Typed, 'x'");
    assert_string_equal(lines[1].text, "42    x");
    assert_string_equal(lines[2].text, "> nobody()");
    assert_string_equal(lines[3].text, "console:1: attempt to call global 'nobody' (a nil value)");
    assert_int_equal(lines[3].level, CT_LOG_LEVEL_ERROR);
    ct_overlay_log_destroy(log);
}

// --- Drawing -------------------------------------------------------------------------------------

static void it_draws_nothing_when_it_is_off(void **state) {
    (void)state;
    assert_true(ct_overlay_is_idle(overlay));
    const sent_frame off = draw(0);
    assert_int_equal(off.kept.num_commands + off.moving.num_commands + off.num_rendered, 0);
    tap("f1");
    assert_false(ct_overlay_is_idle(overlay));
    assert_int_equal(draw(0).num_rendered, 1);
    tap("f1"), tap("f1");
    assert_false(ct_overlay_is_idle(overlay)); // it ends what it had made
    assert_int_equal(draw(0).num_rendered, 0);
    assert_true(ct_overlay_is_idle(overlay));
}

static void texts_of_the_game_are_shown_while_it_is_off(void **state) {
    (void)state;
    const uint64_t over_ns = CT_OVERLAY_TEXT_SECONDS * UINT64_C(1000000000);
    ct_overlay_show_text(overlay, ct_vec3_make(1, 0, 0), "abc", now_ns);
    assert_false(ct_overlay_is_idle(overlay));
    const sent_frame shown = draw(0);
    assert_int_equal(shown.kept.num_commands, 0);
    assert_int_equal(shown.num_rendered, 1);
    assert_int_equal(draw(over_ns).num_rendered, 0);
    assert_true(ct_overlay_is_idle(overlay));
}

static void a_text_outlasts_the_panels(void **state) {
    (void)state;
    tap("f1");
    ct_overlay_show_text(overlay, ct_vec3_make(1, 0, 0), "abc", now_ns);
    assert_true(draw(0).kept.num_quads > 0);
    tap("f1");
    tap("f1");
    const sent_frame shown = draw(1000000);
    assert_int_equal(shown.num_rendered, 1);
}

static void a_text_without_its_viewport_is_not_shown(void **state) {
    (void)state;
    use_config("others", "default");
    ct_overlay_show_text(overlay, ct_vec3_make(1, 0, 0), "abc", now_ns);
    assert_int_equal(draw(0).num_rendered, 0);
}

static void panels_change_four_times_a_second_and_the_graph_each_frame(void **state) {
    (void)state;
    tap("f1");
    const sent_frame first = draw(0);
    assert_true(first.kept.num_commands > 30);
    assert_true(first.moving.num_quads > 0);
    ct_frame_times_add(&times, 5.0, 1.0, 1.0);
    const sent_frame soon = draw(249000000);
    assert_int_equal(soon.kept.num_commands, 0);
    // Two bars more, each of two triangles, which are quads here.
    assert_int_equal(soon.moving.num_quads, first.moving.num_quads + 4);
    assert_true(draw(1000000).kept.num_commands > 30);
}

static void panels_follow_the_size_of_the_picture(void **state) {
    (void)state;
    tap("f1");
    draw(0);
    ct_renderer_resize(recorder, 1920, 1080);
    const sent_frame resized = draw(1000000);
    assert_true(resized.kept.num_commands > 30);
    assert_int_equal(resized.num_rendered, 1);
    ct_renderer_resize(recorder, 0, 0); // minimised
    draw(1000000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_key_shows_it_gives_it_the_keyboard_and_hides_it, begin,
                                        end),
        cmocka_unit_test_setup_teardown(without_a_key_only_the_console_switches, begin, end),
        cmocka_unit_test_setup_teardown(the_console_switches_it, begin, end),
        cmocka_unit_test_setup_teardown(a_config_without_its_viewport_is_an_error, begin, end),
        cmocka_unit_test_setup_teardown(the_game_has_the_keyboard_until_the_line_takes_it, begin,
                                        end),
        cmocka_unit_test_setup_teardown(the_text_of_the_key_is_not_typed, begin, end),
        cmocka_unit_test_setup_teardown(lines_are_taken_in_order_and_a_flood_is_cut, begin, end),
        cmocka_unit_test_setup_teardown(lines_run_in_the_games_lua, begin, end),
        cmocka_unit_test_setup_teardown(it_draws_nothing_when_it_is_off, begin, end),
        cmocka_unit_test_setup_teardown(texts_of_the_game_are_shown_while_it_is_off, begin, end),
        cmocka_unit_test_setup_teardown(a_text_outlasts_the_panels, begin, end),
        cmocka_unit_test_setup_teardown(a_text_without_its_viewport_is_not_shown, begin, end),
        cmocka_unit_test_setup_teardown(panels_change_four_times_a_second_and_the_graph_each_frame,
                                        begin, end),
        cmocka_unit_test_setup_teardown(panels_follow_the_size_of_the_picture, begin, end),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
