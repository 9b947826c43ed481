// bus_play.h: small trees of buses for tests of the sound system: all are children of the first.
#pragma once
#include "sound/sound_play.h"

enum { BUS_PLAY_BUSES = 4, BUS_PLAY_SNAPSHOTS = 2, BUS_PLAY_SETTINGS = 4 };

typedef struct bus_play {
    const char *names[BUS_PLAY_BUSES];
    float volumes[BUS_PLAY_BUSES];
    uint32_t num_buses;
    const char *snapshots[BUS_PLAY_SNAPSHOTS]; // each with the settings whose `send` is its number
    float fades[BUS_PLAY_SNAPSHOTS];
    uint32_t num_snapshots;
    ct_sound_bus_setting settings[BUS_PLAY_SETTINGS]; // in the order of snapshots
    uint32_t num_settings;
    uint32_t place;    // bus that is the place; 0: none
    bool has_send;     // from the last bus to bus 1
    float send_volume; // dB
} bus_play;

typedef struct bus_play_blob {
    ct_sound_bus_resource head;
    _Alignas(16) ct_sound_bus buses[BUS_PLAY_BUSES];
    _Alignas(16) ct_sound_bus_send send;
    _Alignas(16) ct_sound_snapshot snapshots[BUS_PLAY_SNAPSHOTS];
    _Alignas(16) ct_sound_bus_setting settings[BUS_PLAY_SETTINGS];
} bus_play_blob;

// Makes a blob and uses it.
static inline void bus_play_set(sound_play *p, const bus_play *b) {
    bus_play_blob *const blob = aligned_alloc(CT_BLOB_ALIGN, (sizeof(*blob) + 15) & ~(size_t)15);
    assert_non_null(blob);
    memset(blob, 0, sizeof(*blob));
    blob->head = (ct_sound_bus_resource){
        .header = {.magic = CT_BLOB_MAGIC,
                   .version = CT_SOUND_BUS_VERSION,
                   .type = ct_string_id64_of("sound_bus"),
                   .size_bytes = sizeof(*blob)},
        .buses = {(uint32_t)offsetof(bus_play_blob, buses), b->num_buses},
        .sends = {(uint32_t)offsetof(bus_play_blob, send), b->has_send},
        .snapshots = {(uint32_t)offsetof(bus_play_blob, snapshots), b->num_snapshots},
        .settings = {(uint32_t)offsetof(bus_play_blob, settings), b->num_settings}};
    for (uint32_t i = 0; i < b->num_buses; ++i)
        blob->buses[i] = (ct_sound_bus){.name = ct_string_id32_of(b->names[i]),
                                        .parent = i ? 0 : CT_SOUND_NO_BUS,
                                        .volume = b->volumes[i],
                                        .low_pass = CT_SOUND_OPEN_HZ,
                                        .duck_by = CT_SOUND_NO_BUS,
                                        .is_place = b->place && b->place == i,
                                        .order = b->num_buses - 1 - i};
    blob->send = (ct_sound_bus_send){b->num_buses - 1, 1, b->send_volume};
    uint32_t next = 0;
    for (uint32_t i = 0; i < b->num_snapshots; ++i) {
        ct_sound_snapshot *const s = &blob->snapshots[i];
        *s = (ct_sound_snapshot){
            .name = ct_string_id32_of(b->snapshots[i]), .fade = b->fades[i], .first_setting = next};
        for (; next < b->num_settings && b->settings[next].send == i; ++next)
            ++s->num_settings;
    }
    memcpy(blob->settings, b->settings, sizeof(blob->settings));
    sound_play_keep(p, blob);
    ct_sound_system_set_buses(p->system, &blob->head);
}
