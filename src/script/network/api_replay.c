#include <math.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "foundation/os/path.h"
#include "script/api_check.h"
#include "script/app/script_user_folder.h"
#include "script/network/script_units.h"

extern const ct_lua_module ct_api_replay;

static ct_unit_replay *check_replay(lua_State *L) {
    return ct_check_object(L, 1, &ct_type_replay, NULL);
}

// A replay and the world that it is of.
static ct_entity check_unit_of_replay(lua_State *L, ct_unit_replay **r) {
    uint64_t world;
    *r = ct_check_object(L, 1, &ct_type_replay, &world);
    return ct_check_unit_of(L, 2, (const ct_world *)(uintptr_t)world);
}

static int frame(lua_State *L) {
    lua_pushnumber(L, ct_unit_replay_frame(check_replay(L)));
    return 1;
}

static int free_unit(lua_State *L) {
    ct_unit_replay *r;
    const ct_entity unit = check_unit_of_replay(L, &r);
    ct_unit_replay_free_unit(r, unit);
    return 0;
}

static int is_playing_back(lua_State *L) {
    lua_pushboolean(L, ct_unit_replay_is_playing(check_replay(L)));
    return 1;
}

static int is_recording(lua_State *L) {
    lua_pushboolean(L, ct_unit_replay_is_recording(check_replay(L)));
    return 1;
}

static int load(lua_State *L) {
    ct_unit_replay *const r = check_replay(L);
    char path[CT_PATH_BYTES];
    ct_error error = {0};
    ct_check_user_path(L, 2, path);
    if (!ct_unit_replay_load(r, path, &error))
        return ct_function_error(L, "%s", error.message);
    return 0;
}

static int num_frames(lua_State *L) {
    lua_pushnumber(L, ct_unit_replay_num_frames(check_replay(L)));
    return 1;
}

static int record_debug_line(lua_State *L) {
    ct_unit_replay *const r = check_replay(L);
    const ct_replay_line line = {.color = ct_check_finite_vector4(L, 2),
                                 .from = ct_check_finite_vector3(L, 3),
                                 .to = ct_check_finite_vector3(L, 4)};
    ct_unit_replay_add_line(r, &line);
    return 0;
}

static int record_screen_debug_text(lua_State *L) {
    ct_unit_replay *const r = check_replay(L);
    ct_replay_text text = {.color = ct_check_finite_vector4(L, 2), .is_on_screen = true};
    const ct_vec2 position = ct_check_vector2(L, 3);
    text.position = ct_vec3_make(position.x, position.y, 0);
    if (!isfinite(position.x) || !isfinite(position.y))
        return ct_argument_error(L, 3, "expected finite numbers");
    size_t bytes;
    text.text = ct_check_text(L, 4, &bytes);
    text.bytes = bytes < CT_UNIT_REPLAY_TEXT_BYTES ? (uint32_t)bytes : CT_UNIT_REPLAY_TEXT_BYTES;
    ct_unit_replay_add_text(r, &text);
    return 0;
}

static int record_world_debug_text(lua_State *L) {
    ct_unit_replay *const r = check_replay(L);
    ct_replay_text text = {.color = ct_check_finite_vector4(L, 2),
                           .position = ct_check_finite_vector3(L, 3)};
    size_t bytes;
    text.text = ct_check_text(L, 4, &bytes);
    text.bytes = bytes < CT_UNIT_REPLAY_TEXT_BYTES ? (uint32_t)bytes : CT_UNIT_REPLAY_TEXT_BYTES;
    ct_unit_replay_add_text(r, &text);
    return 0;
}

static int save(lua_State *L) {
    const ct_unit_replay *const r = check_replay(L);
    char path[CT_PATH_BYTES];
    ct_error error = {0};
    ct_check_user_path(L, 2, path);
    if (!ct_unit_replay_save(r, path, &error))
        return ct_function_error(L, "%s", error.message);
    return 0;
}

static int seconds(lua_State *L) {
    lua_pushnumber(L, ct_unit_replay_seconds(check_replay(L)));
    return 1;
}

static int set_frame(lua_State *L) {
    ct_unit_replay *const r = check_replay(L);
    if (!ct_unit_replay_is_playing(r))
        return ct_function_error(L, "the replay does not play; call Replay.start_playback first");
    const uint32_t count = ct_unit_replay_num_frames(r);
    ct_unit_replay_set_frame(r, (uint32_t)ct_check_integer(L, 2, 0, count - 1));
    return 0;
}

static int set_speed(lua_State *L) {
    ct_unit_replay *const r = check_replay(L);
    ct_unit_replay_set_speed(r, (float)ct_check_number_in(L, 2, -100, 100));
    return 0;
}

static int set_unit_record_mode(lua_State *L) {
    ct_unit_replay *r;
    const ct_entity unit = check_unit_of_replay(L, &r);
    ct_unit_replay_set_mode(
        r, unit, (ct_unit_record_mode)ct_check_integer(L, 3, 0, CT_UNIT_RECORD_MODE_COUNT - 1));
    return 0;
}

static int speed(lua_State *L) {
    lua_pushnumber(L, (lua_Number)ct_unit_replay_speed(check_replay(L)));
    return 1;
}

static int start_playback(lua_State *L) {
    ct_error error = {0};
    if (!ct_unit_replay_start_playback(check_replay(L), &error))
        return ct_function_error(L, "%s", error.message);
    return 0;
}

static int start_recording(lua_State *L) {
    ct_unit_replay *const r = check_replay(L);
    if (!lua_isnoneornil(L, 2))
        ct_unit_replay_set_most_bytes(r,
                                      (uint64_t)ct_check_integer(L, 2, CT_UNIT_REPLAY_LEAST_BYTES,
                                                                 CT_UNIT_REPLAY_MOST_BYTES));
    ct_unit_replay_start_recording(r);
    return 0;
}

static int stop_playback(lua_State *L) {
    ct_unit_replay_stop_playback(check_replay(L));
    return 0;
}

static int stop_recording(lua_State *L) {
    ct_unit_replay_stop_recording(check_replay(L));
    return 0;
}

static int texts(lua_State *L) {
    uint32_t count;
    const ct_replay_text *const all = ct_unit_replay_texts(check_replay(L), &count);
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; ++i) {
        lua_createtable(L, 0, 4);
        lua_pushlstring(L, all[i].text, all[i].bytes);
        lua_setfield(L, -2, "text");
        ct_push_vector4(L, all[i].color);
        lua_setfield(L, -2, "color");
        ct_push_vector3(L, all[i].position);
        lua_setfield(L, -2, "position");
        lua_pushboolean(L, all[i].is_on_screen);
        lua_setfield(L, -2, "is_on_screen");
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

static const ct_lua_function functions[] = {
    {"frame", frame, "(self: Replay) -> integer",
     "Returns the frame that is shown, from 0; while nothing plays, the last one."},
    {"free_unit", free_unit, "(self: Replay, unit: Unit) -> nil",
     "Leaves a unit, such as a camera, to the game while this playback goes on."},
    {"is_playing_back", is_playing_back, "(self: Replay) -> boolean",
     "Returns whether playback was started and not stopped."},
    {"is_recording", is_recording, "(self: Replay) -> boolean",
     "Returns whether each World.update adds a frame."},
    {"load", load, "(self: Replay, path: string) -> nil",
     "Replaces the frames by those of a file in the folder of FileSystem."},
    {"num_frames", num_frames, "(self: Replay) -> integer",
     "Returns how many frames were recorded or loaded."},
    {"record_debug_line", record_debug_line,
     "(self: Replay, color: Vector4, p1: Vector3, p2: Vector3) -> nil",
     "Adds a line in the world to the next frame. It is drawn while that frame plays."},
    {"record_screen_debug_text", record_screen_debug_text,
     "(self: Replay, color: Vector4, position: Vector2, text: string) -> nil",
     "Adds a text on the screen to the next frame, for Replay.texts."},
    {"record_world_debug_text", record_world_debug_text,
     "(self: Replay, color: Vector4, position: Vector3, text: string) -> nil",
     "Adds a text in the world to the next frame, for Replay.texts."},
    {"save", save, "(self: Replay, path: string) -> nil",
     "Writes the frames to a file in the folder of FileSystem."},
    {"seconds", seconds, "(self: Replay) -> number",
     "Returns the time from the first frame to the last."},
    {"set_frame", set_frame, "(self: Replay, frame: integer) -> nil",
     "Shows a frame, from 0, while it plays."},
    {"set_speed", set_speed, "(self: Replay, speed: number) -> nil",
     "Sets how fast it plays: 1 as recorded, 0 pauses, negative numbers play backwards."},
    {"set_unit_record_mode", set_unit_record_mode,
     "(self: Replay, unit: Unit, mode: integer) -> nil",
     "Sets what is recorded of a unit: Replay.POSE (at first), Replay.DATA or Replay.NONE."},
    {"speed", speed, "(self: Replay) -> number", "Returns how fast it plays."},
    {"start_playback", start_playback, "(self: Replay) -> nil",
     "Ends recording and shows the first frame; each World.update goes on from there. Other peers "
     "see the own units of a UnitSynchronizer at rest meanwhile."},
    {"start_recording", start_recording, "(self: Replay, most_bytes: integer?) -> nil",
     "Removes all frames; from now on each World.update adds one. When `most_bytes` (64 MiB unless "
     "said) are full, the oldest second goes."},
    {"stop_playback", stop_playback, "(self: Replay) -> nil",
     "Ends playback and puts all units back as they were."},
    {"stop_recording", stop_recording, "(self: Replay) -> nil", "Ends recording; frames stay."},
    {"texts", texts, "(self: Replay) -> table[]",
     "Returns the texts of the frame that is shown: text, color, position, is_on_screen."},
};

static const ct_lua_constant constants[] = {
    {"DATA", CT_UNIT_RECORD_DATA, "The pose of the root, and the first data component."},
    {"NONE", CT_UNIT_RECORD_NONE, "Nothing: the unit is left alone while it plays."},
    {"POSE", CT_UNIT_RECORD_POSE, "The pose of the root."},
};

const ct_lua_module ct_api_replay = {
    .name = "Replay",
    .doc = "What the units of a world did, frame by frame, to see it again. Get it with "
           "World.replay.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
    .constants = constants,
    .num_constants = CT_COUNT_OF(constants),
};
