// sound_script.h: a script environment with sounds: the events "sounds/hum", which loops, and
// "sounds/knock" of 0.2 s with the marker "crack" at 0.1, both spatial and with the parameters force and
// material; "sounds/song" at 120 beats a minute; and buses "master", "music" and "hall" (the place),
// with the snapshot "underwater". Include once in a program.
//
// Lua finds S (SoundWorld), step(), which updates W by 0.02 s and mixes as much, and run(seconds).
#pragma once
#include "sound/sound_play.h"

#include "script/api_fixture.h"

// Saves and loads a blob, which it frees.
static inline void sound_script_load(const char *type, uint32_t version, const char *name,
                                     void *blob) {
    const ct_blob_header *const header = blob;
    ct_blob_writer w;
    ct_blob_writer_init(&w, test_heap(), CT_BYTE_ORDER_LITTLE, type, version);
    ct_blob_write_bytes(&w, (const char *)blob + sizeof(*header),
                        (uint32_t)(header->size_bytes - sizeof(*header)));
    ct_blob_writer_finish(&w);
    load_blob(&f, &w, type, name);
    free(blob);
}

static ct_sound_resource *sound_script_blobs[2]; // of recordings; the system borrows them

static inline void sound_script_sound(uint32_t index, const char *name, float seconds) {
    const uint32_t num_frames = (uint32_t)(seconds * CT_MIXER_RATE + 0.5f);
    ct_sound_resource *const r = sound_play_blob(num_frames, 1, false);
    for (uint32_t i = 0; i < num_frames; ++i)
        sound_play_samples(r)[i] = sound_play_whole(0.25);
    sound_script_blobs[index] = r;
    ct_sound_system_set_sound(f.world.sound, ct_string_id64_of(name), r);
}

static inline void sound_script_event(const char *name, event_fixture *e, bool is_spatial) {
    e->data.fade_out = 0.05f;
    if (is_spatial)
        event_fixture_spatial(e, 1, 100);
    event_fixture_parameter_number(e, "force", 1);
    event_fixture_parameter_text(e, "material", "wood");
    sound_script_load("sound_event", CT_SOUND_EVENT_VERSION, name, event_fixture_end(e));
}

static inline void sound_script_buses(void) {
    ct_sound_bus buses[3] = {{.parent = CT_SOUND_NO_BUS, .duck_by = CT_SOUND_NO_BUS, .order = 2},
                             {.duck_by = CT_SOUND_NO_BUS, .order = 0},
                             {.duck_by = CT_SOUND_NO_BUS, .is_place = 1, .order = 1}};
    static const char *const names[] = {"master", "music", "hall"};
    ct_sound_bus_resource r = {.buses = {0}};
    const ct_sound_bus_setting setting = {.bus = 1, .member = CT_SOUND_BUS_VOLUME, .value = -20};
    ct_sound_snapshot snapshot = {
        .name = ct_string_id32_of("underwater"), .fade = 0.5f, .num_settings = 1};
    ct_blob_writer w;
    ct_blob_writer_init(&w, test_heap(), CT_BYTE_ORDER_LITTLE, "sound_bus", CT_SOUND_BUS_VERSION);
    ct_blob_begin(&w, &ct_sound_bus_layout);
    for (uint32_t i = 0; i < CT_COUNT_OF(buses); ++i) {
        buses[i].name = ct_string_id32_of(names[i]);
        buses[i].low_pass = CT_SOUND_OPEN_HZ;
        buses[i].duck_attack = buses[i].duck_release = 0.1f;
        buses[i].reverb.size = 10;
        buses[i].reverb.width = 1;
        buses[i].name_text = ct_blob_write_string(&w, names[i], strlen(names[i]));
    }
    snapshot.name_text = ct_blob_write_string(&w, "underwater", strlen("underwater"));
    r.buses = ct_blob_write_items(&w, &ct_sound_one_bus_layout, buses, CT_COUNT_OF(buses));
    r.snapshots = ct_blob_write_items(&w, &ct_sound_snapshot_layout, &snapshot, 1);
    r.settings = ct_blob_write_items(&w, &ct_sound_bus_setting_layout, &setting, 1);
    ct_blob_end(&w, &ct_sound_bus_layout, &r);
    ct_blob_writer_finish(&w);
    load_blob(&f, &w, "sound_bus", "sounds/buses");
}

// What the app does in each frame.
static int sound_script_update(lua_State *L) {
    (void)L;
    ct_sound_system_update(f.world.sound, 0.02);
    return 0;
}

static int sound_script_open(lua_State *L) {
    lua_pushcfunction(L, sound_script_update);
    lua_setglobal(L, "update_sounds");
    return 0;
}

static inline int set_up_sound(void **state) {
    static char player[2048]; // in place of the player's own folder
    set_up(state);
    snprintf(player, sizeof(player), "%s/player", f.world.folder);
    setenv("XDG_DATA_HOME", player, 1);
    sound_script_buses();
    sound_script_sound(0, "steady", 1);
    sound_script_sound(1, "short", 0.2f);
    sound_script_event("sounds/hum", sound_play_loop("sounds/hum", "steady"), true);
    event_fixture *const knock = event_fixture_begin("sounds/knock");
    event_fixture_sound(knock, CT_SOUND_NO_NODE, "short");
    event_fixture_marker(knock, 0.1f, "crack", NULL);
    sound_script_event("sounds/knock", knock, true);
    event_fixture *const song = sound_play_loop("sounds/song", "steady");
    song->data.tempo = 120;
    song->data.beats = 4;
    sound_script_event("sounds/song", song, false);
    assert_true(ct_lua_run(&f.script->lua, sound_script_open, NULL));
    run_lua(&f, "S = SoundWorld "
                "function step() update_sounds() World.update(W, 0.02) S.render(0.02) end "
                "function run(seconds) for i = 1, seconds / 0.02 + 0.5 do step() end end");
    return 0;
}

static inline int tear_down_sound(void **state) {
    tear_down(state);
    for (uint32_t i = 0; i < CT_COUNT_OF(sound_script_blobs); ++i)
        free(sound_script_blobs[i]);
    return 0;
}

#define SOUND_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_sound, tear_down_sound)
