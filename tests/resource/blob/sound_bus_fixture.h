// sound_bus_fixture.h: small valid sound buses: with reverb, a send, ducking and a snapshot.
#pragma once
#include <string.h>

#include "resource/blob/blob_writer.h"
#include "resource/types/sound_bus_resource.h"
#include "resource/types/sound_event_resource.h"
#include "support/test_support.h"

static inline void write_sound_bus(ct_blob_writer *w) {
    static const char *const names[] = {"master", "hall", "music", "voice"};
    static const uint32_t orders[] = {3, 2, 1, 0};
    ct_sound_bus_resource r = {.sends = {0}};
    ct_sound_bus buses[4] = {0};
    const ct_sound_bus_send send = {.from = 2, .to = 1, .volume = -12};
    const ct_sound_bus_setting settings[] = {{2, CT_SOUND_BUS_VOLUME, 0, -20},
                                             {2, CT_SOUND_BUS_LOW_PASS, 0, 600},
                                             {2, CT_SOUND_BUS_SEND, 0, -6},
                                             {1, CT_SOUND_BUS_REVERB_SECONDS, 0, 4},
                                             {1, CT_SOUND_BUS_REVERB_DAMPING, 0, 0.5f}};
    ct_sound_snapshot snapshot = {
        .name = ct_string_id32_of("underwater"), .fade = 0.5f, .num_settings = 5};
    ct_blob_writer_init(w, test_heap(), CT_BYTE_ORDER_LITTLE, "sound_bus", CT_SOUND_BUS_VERSION);
    ct_blob_begin(w, &ct_sound_bus_layout);
    r.buses = ct_blob_reserve_items(w, &ct_sound_one_bus_layout, 4);
    for (uint32_t i = 0; i < 4; ++i)
        buses[i] = (ct_sound_bus){.name_text = ct_blob_write_string(w, names[i], strlen(names[i])),
                                  .name = ct_string_id32_of(names[i]),
                                  .parent = i > 0 ? 0 : CT_SOUND_NO_BUS,
                                  .low_pass = CT_SOUND_OPEN_HZ,
                                  .duck_by = CT_SOUND_NO_BUS,
                                  .order = orders[i]};
    buses[1].is_place = 1;
    buses[1].reverb = (ct_sound_reverb){1.8f, 12, 0.4f, 0.02f, 1, 0};
    buses[2].duck_by = 3;
    buses[2].duck_threshold = -30;
    buses[2].duck_volume = -12;
    buses[2].duck_attack = 0.05f;
    buses[2].duck_release = 0.4f;
    ct_blob_fill_items(w, &ct_sound_one_bus_layout, r.buses, buses);
    r.sends = ct_blob_write_items(w, &ct_sound_bus_send_layout, &send, 1);
    r.snapshots = ct_blob_reserve_items(w, &ct_sound_snapshot_layout, 1);
    snapshot.name_text = ct_blob_write_string(w, "underwater", 10);
    ct_blob_fill_items(w, &ct_sound_snapshot_layout, r.snapshots, &snapshot);
    r.settings = ct_blob_write_items(w, &ct_sound_bus_setting_layout, settings, 5);
    ct_blob_end(w, &ct_sound_bus_layout, &r);
    ct_blob_writer_finish(w);
}
