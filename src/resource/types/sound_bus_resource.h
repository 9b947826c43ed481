// sound_bus_resource.h: the blob of a project's buses: a tree in which sounds are mixed, and snapshots
// of its settings.
//
// A project has one in use, which the setting `sound.buses` names. The first bus is the root,
// "master"; a bus comes after its parent. What a bus mixes goes through its low-pass filter and reverb,
// then its volume, to its parent; sends give a part of it, after the volume, to buses that are mixed
// later. Volumes are in dB, times in seconds.
#pragma once
#include "resource/types/resource_types.h"

enum {
    CT_SOUND_BUS_VERSION = 1,
    CT_SOUND_MAX_BUSES = 32,
    CT_SOUND_MAX_SENDS = 64,
    CT_SOUND_MAX_SNAPSHOTS = 64,
    CT_SOUND_MAX_SETTINGS = 1024, // of all snapshots
};

#define CT_SOUND_NO_BUS UINT32_MAX

// What the setting `sound.buses` names when a project does not set it.
#define CT_SOUND_DEFAULT_BUSES "core/sounds/default"
#define CT_SOUND_MAX_REVERB_SECONDS 30.0f
#define CT_SOUND_MAX_PRE_DELAY 0.25f   // seconds
#define CT_SOUND_MAX_BUS_SECONDS 60.0f // of attack, release and fades

typedef struct ct_sound_reverb {
    float seconds; // until it has faded by 60 dB; 0: no reverb
    float size;    // metres, of the room: 1 to 100
    float damping; // 0 to 1: how much faster high notes fade
    float pre_delay;
    float width; // 0 mono, 1 stereo
    float dry;   // share of the input that passes beside, 0 to 1
} ct_sound_reverb;

typedef struct ct_sound_bus {
    ct_blob_string name_text;
    ct_string_id32 name;
    uint32_t parent; // position in `buses`, before this one; NO_BUS: the root
    float volume;
    float low_pass; // Hz; CT_SOUND_OPEN_HZ: none
    // While bus `duck_by` is louder than the threshold (its peak, dB), this one is quieter.
    uint32_t duck_by; // position in `buses`; NO_BUS: none
    float duck_threshold, duck_volume, duck_attack, duck_release;
    ct_sound_reverb reverb;
    uint32_t is_place; // gets what sounds send to the reverb of their place
    uint32_t order;    // in which it is mixed: children before parents, senders before receivers
} ct_sound_bus;

typedef struct ct_sound_bus_send {
    uint32_t from, to; // positions in `buses`; `to` has a higher `order`
    float volume;
} ct_sound_bus_send;

typedef enum ct_sound_bus_member {
    CT_SOUND_BUS_VOLUME,
    CT_SOUND_BUS_LOW_PASS,
    CT_SOUND_BUS_SEND, // `send`
    CT_SOUND_BUS_REVERB_SECONDS,
    CT_SOUND_BUS_REVERB_DAMPING,
    CT_SOUND_BUS_MEMBER_COUNT,
} ct_sound_bus_member;

// What a snapshot gives in place of a bus's own number.
typedef struct ct_sound_bus_setting {
    uint32_t bus;
    uint32_t member; // ct_sound_bus_member
    uint32_t send;   // position in `sends`, for SEND
    float value;
} ct_sound_bus_setting;

typedef struct ct_sound_snapshot {
    ct_blob_string name_text;
    ct_string_id32 name;
    float fade; // seconds, when the caller gives none
    uint32_t first_setting, num_settings;
} ct_sound_snapshot;

typedef struct ct_sound_bus_resource {
    ct_blob_header header;
    ct_blob_array buses;     // ct_sound_bus; the first is the root
    ct_blob_array sends;     // ct_sound_bus_send
    ct_blob_array snapshots; // ct_sound_snapshot
    ct_blob_array settings;  // ct_sound_bus_setting
} ct_sound_bus_resource;

extern const ct_blob_layout ct_sound_bus_layout, ct_sound_one_bus_layout, ct_sound_bus_send_layout,
    ct_sound_snapshot_layout, ct_sound_bus_setting_layout;
extern const ct_schema ct_sound_bus_schema; // of the source

// Sets the least and the most of a bus's member, and returns false when there is no such member.
bool ct_sound_bus_member_range(uint32_t member, float *least, float *most);

// Validates a blob of this type after its header was checked. Returns false with `error`. libc only.
bool ct_sound_bus_validate(const void *blob, ct_error *error);

// Return the position of the bus or snapshot with this name; UINT32_MAX: no such name. Linear.
uint32_t ct_sound_find_bus(const ct_sound_bus_resource *r, ct_string_id32 name);
uint32_t ct_sound_find_snapshot(const ct_sound_bus_resource *r, ct_string_id32 name);
