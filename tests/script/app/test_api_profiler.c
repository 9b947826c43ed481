// Profiler: scopes of Lua, what becomes of those left open, values.
#include "script/api_fixture.h"

#include "foundation/profiler/profiler_store.h"
#include "script/script_private.h"

static ct_profiler_reader reader;

static void start_recording(void) {
    ct_profiler_name_thread("lua");
    ct_profiler_start(&(ct_profiler_desc){.allocator = test_heap()});
    ct_profiler_reader_init(&reader, test_heap());
}

// Ends the recording and writes what this thread did: names of scopes, `)` where they end, values.
static const char *stop_recording(void) {
    static char text[4096];
    uint32_t length = 0;
    ct_profiler_stop();
    const ct_profiler_frame *const frame = ct_profiler_reader_next(&reader);
    const ct_profiler_block *block = NULL;
    while ((block = ct_profiler_frame_next_block(frame, block))) {
        for (uint32_t i = 0; i < block->num_events && strcmp(block->thread_name, "lua") == 0; ++i) {
            const ct_profiler_event *const e = &ct_profiler_block_events(block)[i];
            switch (ct_profiler_event_kind(e)) {
            case CT_PROFILER_KIND_ENTER:
                length += (uint32_t)snprintf(text + length, sizeof(text) - length, "%s(",
                                             ct_profiler_event_name(e));
                break;
            case CT_PROFILER_KIND_LEAVE:
                length += (uint32_t)snprintf(text + length, sizeof(text) - length, ")");
                break;
            case CT_PROFILER_KIND_COUNTER:
                if (strcmp(ct_profiler_event_name(e), "lua memory") != 0)
                    length += (uint32_t)snprintf(text + length, sizeof(text) - length, "%s=%g ",
                                                 ct_profiler_event_name(e),
                                                 ct_profiler_event_value(e + 1));
                break;
            default:
                break;
            }
        }
    }
    ct_profiler_reader_free(&reader);
    ct_profiler_shutdown();
    return text;
}

static void scopes_nest_in_a_recording(void **state) {
    (void)state;
    start_recording();
    run_lua(&f, "Profiler.start('ai') Profiler.start('paths') Profiler.stop() "
                "Profiler.start('aim') Profiler.stop() Profiler.stop()");
    assert_string_equal(stop_recording(), "ai(paths()aim())");
}

static void scopes_cost_nothing_while_nothing_is_recorded(void **state) {
    (void)state;
    run_lua(&f, "for i = 1, 100000 do Profiler.start('name ' .. i) Profiler.stop() end "
                "Profiler.record_statistics('x', 5)");
    // No name was kept: there is still room for this one.
    assert_string_equal(ct_profiler_name("a name of its own"), "a name of its own");
}

static void a_stop_without_a_start_is_an_error(void **state) {
    (void)state;
    assert_lua_error(&f, "Profiler.stop()", "Profiler.stop: no scope is open");
    assert_lua_error(&f, "Profiler.start('a') Profiler.stop() Profiler.stop()",
                     "Profiler.stop: no scope is open");
}

static void what_a_callback_leaves_open_ends_with_it(void **state) {
    (void)state;
    assert_true(boot_script(&f, "function update(dt) Profiler.start('open') Profiler.start('too') "
                                "end function render() Profiler.start('r') Profiler.stop() end"));
    const uint64_t num_warnings = ct_log_warning_count("open_profiler_scope");
    logged[0] = 0;
    start_recording();
    ct_script_update(f.script, 0.1);
    ct_script_render(f.script);
    ct_script_update(f.script, 0.1);
    assert_string_equal(stop_recording(), "lua update(lua garbage collection()open(too()))"
                                          "lua render(r())"
                                          "lua update(lua garbage collection()open(too()))");
    assert_int_equal(ct_log_warning_count("open_profiler_scope"), num_warnings + 2);
    // Told once.
    const char *const told = strstr(logged, "a Profiler.start has no Profiler.stop");
    assert_non_null(told);
    assert_null(strstr(told + 1, "a Profiler.start has no Profiler.stop"));
}

static void an_error_ends_what_was_open(void **state) {
    (void)state;
    const uint64_t num_warnings = ct_log_warning_count("open_profiler_scope");
    start_recording();
    assert_lua_error(&f, "Profiler.start('outer') Profiler.start('inner') error('oh')", "oh");
    run_lua(&f, "Profiler.start('next') Profiler.stop()");
    assert_string_equal(stop_recording(), "outer(inner())next()");
    assert_int_equal(ct_log_warning_count("open_profiler_scope"), num_warnings);
}

static int record(lua_State *L) {
    (void)L;
    start_recording();
    return 0;
}

static void recording_may_begin_within_a_scope(void **state) {
    (void)state;
    // As a tool does: a recording begins while Lua is in the middle of a scope.
    lua_State *const L = f.script->lua.lua;
    lua_register(L, "record", record);
    run_lua(&f, "Profiler.start('early') record() Profiler.start('late') Profiler.stop() "
                "Profiler.stop() Profiler.start('last') Profiler.stop()");
    assert_string_equal(stop_recording(), "late()last()");
}

static void too_many_open_scopes_are_an_error(void **state) {
    (void)state;
    start_recording();
    assert_lua_error(&f, "for i = 1, 1000 do Profiler.start('deep') end",
                     "Profiler.start: 256 scopes are open");
    const char *text = stop_recording();
    uint32_t num_left = 0;
    for (; *text; ++text)
        num_left += *text == ')';
    assert_int_equal(num_left, 256);
}

static void values_are_recorded(void **state) {
    (void)state;
    start_recording();
    run_lua(&f, "Profiler.record_statistics('speed', 2.5) "
                "Profiler.record_statistics('at', Vector3(1, 2, 3))");
    assert_string_equal(stop_recording(), "speed=2.5 at.x=1 at.y=2 at.z=3 ");
}

static void wrong_arguments_are_errors(void **state) {
    (void)state;
    assert_lua_error(&f, "Profiler.start()",
                     "Profiler.start: argument 1 (name): expected string, got nil");
    assert_lua_error(&f, "Profiler.start(5)", "expected string, got number");
    assert_lua_error(&f, "Profiler.record_statistics('x', 'y')",
                     "Profiler.record_statistics: argument 2 (value): expected number or Vector3, "
                     "got string");
    assert_lua_error(&f, "Profiler.record_statistics('x', 0/0)", "argument 2 (value)");
    assert_lua_error(&f, "Profiler.record_statistics('x', Vector2(1, 2))",
                     "expected number or Vector3, got Vector2");
    assert_lua_error(&f, "Profiler.render_stats(W)",
                     "Profiler.render_stats: argument 1 (window): expected Window, got World");
}

static void tells_what_the_renderer_did(void **state) {
    (void)state;
    ct_renderer_record_stats(recorder, &(ct_render_stats){.frame = 12,
                                                          .num_draws = 34,
                                                          .num_instances = 56,
                                                          .num_triangles = 78,
                                                          .submit_seconds = 0.5});
    assert_lua(&f,
               "(function() local s = Profiler.render_stats() "
               "return s.frame, s.draws, s.instances, s.triangles, s.submit_time end)()",
               "12\t34\t56\t78\t0.5");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        API_TEST(scopes_nest_in_a_recording),
        API_TEST(scopes_cost_nothing_while_nothing_is_recorded),
        API_TEST(a_stop_without_a_start_is_an_error),
        API_TEST(what_a_callback_leaves_open_ends_with_it),
        API_TEST(an_error_ends_what_was_open),
        API_TEST(recording_may_begin_within_a_scope),
        API_TEST(too_many_open_scopes_are_an_error),
        API_TEST(values_are_recorded),
        API_TEST(wrong_arguments_are_errors),
        API_TEST(tells_what_the_renderer_did),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
