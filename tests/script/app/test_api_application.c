// Application: the program, its worlds and pictures, its console.
#include "script/api_fixture.h"

#include <math.h>

#include "foundation/os/os.h"

static void tells_about_the_program(void **state) {
    (void)state;
    assert_lua(&f, "Application.argv()", "--level\tyard");
    assert_lua(&f, "Application.platform(), Application.build_identifier()",
               "linux\t" CT_VERSION_STRING);
    assert_lua(&f, "Application.build() == 'dev' or Application.build() == 'release'", "true");
    assert_lua(&f, "Application.time_since_launch(), Application.console_port()", "12.5\t64000");
    assert_lua(&f, "Application.sysinfo():match('linux, %d+ cores, none') ~= nil", "true");
    assert_lua(&f, "Application.back_buffer_size()", "640\t480");
    char pid[32];
    snprintf(pid, sizeof(pid), "%lld", (long long)ct_os_process_id());
    assert_lua(&f, "Application.process_id()", pid);
}

static void quits(void **state) {
    (void)state;
    assert_lua_error(&f, "Application.quit(256)",
                     "Application.quit: argument 1 (exit_code): expected an integer from 0 to 255");
    assert_false(fake_host.has_quit);
    run_lua(&f, "Application.quit(3)");
    assert_true(fake_host.has_quit);
    assert_int_equal(fake_host.exit_code, 3);
    run_lua(&f, "Application.quit()");
    assert_int_equal(fake_host.exit_code, 0);
}

static void sleeps(void **state) {
    (void)state;
    const uint64_t before = ct_os_time_ns();
    run_lua(&f, "Application.sleep(20)");
    assert_true(ct_os_time_ns() - before >= 20000000);
    assert_lua_error(&f, "Application.sleep(-1)", "Application.sleep: argument 1 (milliseconds)");
    assert_lua_error(&f, "Application.sleep(1/0)", "Application.sleep: argument 1 (milliseconds)");
}

static void chooses_how_steps_are_made(void **state) {
    (void)state;
    run_lua(&f, "Application.set_time_step_policy('fixed', 0.25, 3)");
    assert_int_equal(fake_host.time_step.policy, CT_TIME_STEP_POLICY_FIXED);
    assert_true(fake_host.time_step.seconds == 0.25);
    assert_int_equal(fake_host.time_step.max_steps, 3);
    run_lua(&f, "Application.set_time_step_policy('locked')");
    assert_int_equal(fake_host.time_step.policy, CT_TIME_STEP_POLICY_LOCKED);
    assert_true(fake_host.time_step.seconds == 0 && fake_host.time_step.max_steps == 0);
    run_lua(&f, "Application.set_time_step_policy('smoothed', 0.05)");
    assert_int_equal(fake_host.time_step.policy, CT_TIME_STEP_POLICY_SMOOTHED);
    assert_true(fake_host.time_step.longest_seconds == 0.05 && fake_host.time_step.seconds == 0);
    assert_lua(&f, "Application.time_step_interpolation()", "0.75");
}

static void refuses_steps_that_cannot_be_made(void **state) {
    (void)state;
    assert_lua_error(&f, "Application.set_time_step_policy('loose')",
                     "Application.set_time_step_policy: argument 1 (policy): expected "
                     "\"variable\" or \"smoothed\" or \"fixed\" or \"locked\", got \"loose\"");
    assert_lua_error(&f, "Application.set_time_step_policy('fixed', 0)", "argument 2 (seconds)");
    assert_lua_error(&f, "Application.set_time_step_policy('fixed', 1, 0)",
                     "argument 3 (max_steps)");
    assert_lua_error(&f, "Application.set_time_step_policy('smoothed', 11)",
                     "argument 2 (seconds)");
}

static void hashes_values(void **state) {
    (void)state;
    assert_lua(&f, "#Application.make_hash('a', 1, true)", "16");
    assert_lua(&f, "Application.make_hash('a', 1) == Application.make_hash('a', 1)", "true");
    assert_lua(&f, "Application.make_hash('a', 1) == Application.make_hash(1, 'a')", "false");
    assert_lua(&f, "Application.make_hash(1) == Application.make_hash('1')", "false");
    assert_lua_error(&f, "Application.make_hash(1, {})",
                     "Application.make_hash: argument 2 (values): expected string, number or");
    assert_lua_error(&f, "Application.make_hash()",
                     "Application.make_hash: expected one or more values");
}

static void sets_lines_of_crash_reports(void **state) {
    (void)state;
    assert_lua(&f, "Application.set_crash_line('level', 'big_world')", "");
    assert_lua(&f, "Application.set_crash_line('level', nil)", "");
    assert_lua(&f, "for i = 1, 16 do Application.set_crash_line('line ' .. i, 'x') end", "");
    assert_lua_error(
        &f, "Application.set_crash_line('one more', 'x')",
        "Application.set_crash_line: argument 1 (name): reports already have 16 other lines");
    assert_lua(&f, "Application.set_crash_line('line 7', 'changed')", "");
    assert_lua(&f, "for i = 1, 17 do Application.set_crash_line('line ' .. i) end", "");
    assert_lua_error(&f, "Application.set_crash_line('level', {})",
                     "Application.set_crash_line: argument 2 (text): expected string");
}

static void keeps_data(void **state) {
    (void)state;
    run_lua(&f, "Application.set_data('score', 'best', 12)");
    assert_lua(&f, "Application.get_data('score', 'best'), Application.has_data('score', 'last')",
               "12\tfalse");
    assert_lua_error(&f, "Application.get_data()", "Application.get_data: argument 1 (indices)");
}

// --- Console -------------------------------------------------------------------------------------

static void sends_tables_to_consoles(void **state) {
    (void)state;
    run_lua(&f, "Application.console_send{type = 'hit'}");
    assert_string_equal(fake_host.sent, "{\"type\":\"hit\"}");
    static const char *const values[][2] = {
        {"{1, 'two', false, {}}", "[1,\"two\",false,{}]"},
        {"Vector3(1, 2, 3)", "[1,2,3]"},
        {"{a = {b = {1.5}}}", "{\"a\":{\"b\":[1.5]}}"},
        {"IdString32('root_point')", "\"5e43bd96\""},
        {"0/0", "null"},
        {"'\"\\n'", "\"\\\"\\n\""},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(values); ++i) {
        char lua[128];
        snprintf(lua, sizeof(lua), "Application.console_send{type = 't', v = %s}", values[i][0]);
        run_lua(&f, lua);
        if (!strstr(fake_host.sent, values[i][1]))
            fail_msg("%s was sent as %s", values[i][0], fake_host.sent);
    }
}

static void refuses_to_send_what_json_cannot_say(void **state) {
    (void)state;
    static const char *const calls[][2] = {
        {"'hit'", "argument 1 (message): expected table, got string"},
        {"{v = 1}", "expected a table with a string `type`"},
        {"{type = 't', v = print}", "expected a value that JSON supports, got a function"},
        {"{type = 't', v = C}", "expected a value that JSON supports, got Unit"},
        {"{type = 't', v = {1, a = 2}}", "expected tables with either string keys or keys 1 to n"},
        {"{type = 't', v = {[3] = 2}}", "expected tables with either string keys or keys 1 to n"},
        {"{type = 't', v = {[true] = 2}}", "expected string keys, got a boolean as a key"},
        {"(function() local t = {type = 't'} t.v = t return t end)()", "tables are deeper than"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(calls); ++i) {
        char lua[256];
        snprintf(lua, sizeof(lua), "Application.console_send(%s)", calls[i][0]);
        assert_lua_error(&f, lua, calls[i][1]);
    }
    assert_string_equal(fake_host.sent, "");
}

// --- Resources -----------------------------------------------------------------------------------

static void reads_configs(void **state) {
    (void)state;
    assert_lua(&f,
               "local s = Application.settings() "
               "return s.title, s.window.width, s.window.is_full, s.list[1], #s.list",
               "Crates\t640\ttrue\t7\t1");
    assert_lua(&f, "Application.config('settings').title", "Crates");
    assert_lua_error(&f, "Application.config('none')",
                     "Application.config: argument 1 (config_resource_name): there is no config "
                     "\"none\"");
}

static void tells_which_resources_there_are(void **state) {
    (void)state;
    assert_lua(&f, "Application.can_get('unit', 'units/crate')", "true");
    assert_lua(&f, "Application.can_get('unit', 'units/none'), Application.can_get('x', '../y')",
               "false\tfalse");
    assert_lua_error(&f, "Application.can_get('unit')",
                     "Application.can_get: argument 2 (name): expected string, got nil");
}

// --- Worlds and pictures -------------------------------------------------------------------------

static void lists_worlds(void **state) {
    (void)state;
    run_lua(&f, "V = Application.new_world()");
    assert_lua(&f,
               "local w = Application.worlds() "
               "return #w, w[1] == Application.main_world(), w[2] == W, w[3] == V",
               "3\ttrue\ttrue\ttrue");
    run_lua(&f, "for _, w in ipairs(Application.worlds()) do Application.release_world(w) end");
    assert_lua(&f, "Application.main_world(), #Application.worlds()", "nil\t0");
}

static void renders_worlds(void **state) {
    (void)state;
    run_lua(&f, "P = Application.create_viewport(W, 'default') Cam = Unit.camera(C, 1) "
                "Unit.set_local_position(C, 1, Vector3(7, 8, 9)) "
                "Application.render_world(W, Cam, P)");
    assert_int_equal(recorded()->num_rendered, 1);
    assert_int_equal(recorded()->rendered.viewport.value, ct_string_id32_of("default").value);
    assert_true(recorded()->rendered.rectangle[0] == 0 && recorded()->rendered.rectangle[3] == 1);
    assert_true(recorded()->rendered.view.pose.col[3].x == 7);
    assert_true(recorded()->objects[1].pose.col[3].x == 7); // what moved was sent before
    // 640 x 480
    assert_true(fabsf(recorded()->rendered.view.projection.col[0].x * 640 / 480 +
                      recorded()->rendered.view.projection.col[2].y) < 1e-5f);
    run_lua(&f, "Viewport.set_rect(P, 0.5, 0.25, 0.5, 0.75) "
                "Application.render_world(W, Cam, P, nil, nil)");
    assert_true(recorded()->rendered.rectangle[0] == 0.5f &&
                recorded()->rendered.rectangle[1] == 0.25f);
    assert_true(recorded()->rendered.rectangle[2] == 0.5f &&
                recorded()->rendered.rectangle[3] == 0.75f);
}

static void renders_a_picture_of_each_eye_side_by_side(void **state) {
    (void)state;
    run_lua(&f, "P = Application.create_viewport(W, 'default') Cam = Unit.camera(C, 1) "
                "Unit.set_local_position(C, 1, Vector3(7, 8, 9)) "
                "Camera.set_mode(Cam, Camera.STEREO) Viewport.set_rect(P, 0.5, 0, 0.5, 1) "
                "Camera.set_local(Cam, Matrix4x4.from_translation(Vector3(1, 0, 0)), 2) "
                "Application.render_world(W, Cam, P)");
    assert_int_equal(recorded()->num_rendered, 2);
    assert_true(recorded()->rendered.rectangle[0] == 0.75f &&
                recorded()->rendered.rectangle[2] == 0.25f);
    assert_true(recorded()->rendered.view.pose.col[3].x == 8);
    // 160 x 480
    assert_true(fabsf(recorded()->rendered.view.projection.col[0].x * 160 / 480 +
                      recorded()->rendered.view.projection.col[2].y) < 1e-5f);
}

static void refuses_what_cannot_be_rendered(void **state) {
    (void)state;
    run_lua(&f, "V = Application.new_world() P = Application.create_viewport(W, 'default') "
                "Q = Application.create_viewport(V, 'default') Cam = Unit.camera(C, 1)");
    assert_lua_error(&f, "Application.create_viewport(W, 'nowhere')",
                     "Application.create_viewport: argument 2 (viewport_template): the render "
                     "config has no viewport \"nowhere\"");
    assert_lua_error(&f, "Application.render_world(V, Cam, Q)",
                     "Application.render_world: argument 2 (camera): expected a Camera of this");
    assert_lua_error(
        &f, "Application.render_world(W, Cam, Q)",
        "Application.render_world: argument 3 (viewport): expected a Viewport of this");
    assert_lua_error(&f, "Application.destroy_viewport(V, P)", "argument 2 (viewport)");
    run_lua(&f, "Application.destroy_viewport(W, P)");
    assert_lua_error(&f, "Application.render_world(W, Cam, P)",
                     "argument 3 (viewport): expected Viewport, got a destroyed Viewport");
    assert_int_equal(recorded()->num_rendered, 0);
}

static void refuses_rectangles_outside_the_picture(void **state) {
    (void)state;
    run_lua(&f, "P = Application.create_viewport(W, 'default')");
    assert_lua_error(&f, "Viewport.set_rect(P, -0.1, 0, 1, 1)",
                     "Viewport.set_rect: argument 2 (x): expected a fraction from 0 to below 1");
    assert_lua_error(&f, "Viewport.set_rect(P, 0.5, 0, 0.6, 1)",
                     "Viewport.set_rect: argument 4 (width): expected a fraction above 0");
    assert_lua_error(&f, "Viewport.set_rect(P, 0, 0, 1, 0)", "argument 5 (height)");
    assert_lua_error(&f, "Viewport.set_rect(P, 0/0, 0, 1, 1)", "argument 2 (x)");
}

static void viewports_keep_data(void **state) {
    (void)state;
    run_lua(&f, "P = Application.create_viewport(W, 'default') Viewport.set_data(P, 'a', 1)");
    assert_lua(&f, "Viewport.get_data(P, 'a'), Viewport.has_data(P, 'b')", "1\tfalse");
    run_lua(&f, "Application.destroy_viewport(W, P) P = Application.create_viewport(W, 'default')");
    assert_lua(&f, "Viewport.has_data(P, 'a')", "false");
}

static void reads_settings_of_the_render_config(void **state) {
    (void)state;
    assert_lua(&f,
               "Application.render_setting('shadows'), Application.render_setting('strength'), "
               "Application.render_setting('quality')",
               "true\t1\thigh");
    assert_lua(&f, "Vector2.to_elements(Application.render_setting('offset'))", "1\t0.5");
    assert_lua(&f, "Vector3.to_elements(Application.render_setting('wind'))", "1\t0.5\t0.25");
    assert_lua(&f, "Vector4.to_elements(Application.render_setting('tint'))", "1\t0.5\t0.25\t1");
    assert_lua_error(&f, "Application.render_setting('shdows')",
                     "the render config has no setting \"shdows\"");
}

static void sets_settings_of_the_render_config(void **state) {
    (void)state;
    run_lua(&f, "Application.set_render_setting('shadows', false) "
                "Application.set_render_setting('strength', 0.75) "
                "Application.set_render_setting('tint', Vector3(1, 2, 3)) "
                "Application.set_render_setting('quality', 'low')");
    assert_lua(&f,
               "Application.render_setting('shadows'), Application.render_setting('strength'), "
               "Application.render_setting('quality')",
               "false\t0.75\tlow");
    assert_lua(&f, "Vector4.to_elements(Application.render_setting('tint'))", "1\t2\t3\t1");
    assert_lua_error(&f, "Application.set_render_setting('strength', 2)",
                     "Application.set_render_setting: argument 2 (value): ");
    assert_lua_error(&f, "Application.set_render_setting('none', 2)",
                     "Application.set_render_setting: argument 1 (name): ");
    assert_lua_error(&f, "Application.set_render_setting('tint', {})",
                     "Application.set_render_setting: argument 2 (value)");
}

static void makes_ids(void **state) {
    (void)state;
    assert_lua(&f,
               "Application.guid():match('^%x+-%x+-4%x+-%x+-%x+$') ~= nil, "
               "#Application.guid(), Application.guid() == Application.guid()",
               "true\t36\tfalse");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        API_TEST(makes_ids),
        API_TEST(reads_settings_of_the_render_config),
        API_TEST(sets_settings_of_the_render_config),
        API_TEST(tells_about_the_program),
        API_TEST(quits),
        API_TEST(sleeps),
        API_TEST(chooses_how_steps_are_made),
        API_TEST(refuses_steps_that_cannot_be_made),
        API_TEST(hashes_values),
        API_TEST(sets_lines_of_crash_reports),
        API_TEST(keeps_data),
        API_TEST(sends_tables_to_consoles),
        API_TEST(refuses_to_send_what_json_cannot_say),
        API_TEST(reads_configs),
        API_TEST(tells_which_resources_there_are),
        API_TEST(lists_worlds),
        API_TEST(renders_worlds),
        API_TEST(renders_a_picture_of_each_eye_side_by_side),
        API_TEST(refuses_what_cannot_be_rendered),
        API_TEST(refuses_rectangles_outside_the_picture),
        API_TEST(viewports_keep_data),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
