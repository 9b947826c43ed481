// Replay: recording, playback, marks and files in Lua.
#include "script/api_fixture.h"

static void records_and_plays(void **state) {
    (void)state;
    run_lua(&f, "R = World.replay(W) Replay.start_recording(R) "
                "for i = 0, 29 do Unit.set_local_position(C, 1, Vector3(i, 0, 0)) "
                "  Replay.record_world_debug_text(R, Vector4(1, 0, 0, 1), Vector3(1, 2, 3), "
                "    'at ' .. i) "
                "  Replay.record_screen_debug_text(R, Vector4(1, 0, 0, 1), Vector2(5, 6), 's') "
                "  Replay.record_debug_line(R, Vector4(1, 0, 0, 1), Vector3(0, 0, 0), "
                "    Vector3(0, 0, 1)) "
                "  World.update(W, 0.1) end "
                "Unit.set_local_position(C, 1, Vector3(-5, 0, 0))");
    assert_lua(&f, "World.replay(W) == R, Replay.num_frames(R), Replay.is_recording(R)",
               "true\t30\ttrue");
    run_lua(&f, "Replay.start_playback(R)");
    assert_lua(&f,
               "Replay.is_playing_back(R), Replay.is_recording(R), Replay.frame(R), "
               "Unit.local_position(C, 1).x",
               "true\tfalse\t0\t0");
    run_lua(&f, "Replay.set_frame(R, 12)");
    assert_lua(&f, "Replay.frame(R), Unit.local_position(C, 1).x, #Replay.texts(R)", "12\t12\t2");
    assert_lua(&f,
               "Replay.texts(R)[1].text, Replay.texts(R)[2].is_on_screen, "
               "Replay.texts(R)[2].position.y",
               "at 12\ttrue\t6");
    run_lua(&f, "Replay.set_speed(R, 2) World.update(W, 0.1)");
    assert_lua(&f, "Replay.speed(R), math.floor(Unit.local_position(C, 1).x + 0.5)", "2\t14");
    run_lua(&f, "Replay.stop_playback(R)");
    assert_lua(&f, "Replay.is_playing_back(R), Unit.local_position(C, 1).x", "false\t-5");
}

static void refuses_what_is_wrong(void **state) {
    (void)state;
    run_lua(&f, "R = World.replay(W)");
    assert_lua_error(&f, "Replay.start_playback(R)", "the replay has no frames");
    assert_lua_error(&f, "Replay.set_frame(R, 1)", "the replay does not play");
    assert_lua_error(&f, "Replay.set_unit_record_mode(R, C, 3)", "Replay.set_unit_record_mode");
    assert_lua_error(&f, "Replay.save(R, 'a.replay')", "call FileSystem.initialize first");
    assert_lua_error(&f, "Replay.frame(W)", "expected Replay, got World");
    assert_lua(&f, "Replay.POSE, Replay.DATA, Replay.NONE", "0\t1\t2");
    run_lua(&f, "V = Application.new_world() Q = World.replay(V) Replay.start_recording(Q) "
                "World.update(V, 0.1) Application.release_world(V)");
    assert_lua_error(&f, "Replay.frame(Q)", "got a destroyed Replay");
}

static void saves_and_loads(void **state) {
    (void)state;
    run_lua(&f, "FileSystem.initialize('replays') R = World.replay(W) Replay.start_recording(R) "
                "for i = 1, 5 do World.update(W, 0.1) end Replay.stop_recording(R) "
                "Replay.save(R, 'a.replay') Replay.start_recording(R) World.update(W, 0.1) "
                "Replay.stop_recording(R)");
    assert_lua(&f, "Replay.num_frames(R)", "1");
    run_lua(&f, "Replay.load(R, 'a.replay')");
    assert_lua(&f, "Replay.num_frames(R)", "5");
    assert_lua_error(&f, "Replay.load(R, 'b.replay')", "b.replay");
    assert_lua_error(&f, "Replay.load(R, '../b.replay')", "expected a path like");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        API_TEST(records_and_plays),
        API_TEST(refuses_what_is_wrong),
        API_TEST(saves_and_loads),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
