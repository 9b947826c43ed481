// unit_replay_private.h: shared by the files of unit replays: unit_replay.c records, the others play
// and store.
#pragma once
#include "foundation/container/hash_map.h"
#include "world/network/unit_actors.h"
#include "world/network/unit_fields.h"
#include "world/network/unit_frames.h"

// A unit of the recording, by number.
typedef struct ct_recorded_unit {
    ct_entity unit; // {0}: of a file
    uint64_t seen;  // the frame in which it was last there
} ct_recorded_unit;

// A unit that plays, by number.
typedef struct ct_played_unit {
    ct_entity unit; // {0}: there is none
    bool is_spawned, is_hidden, is_missing, is_free;
    uint32_t data_at, data_bytes; // what was last set
    // Of one that lived before.
    ct_unit_pose pose;
    uint32_t own_data_at, own_data_bytes; // in `own_data`
    bool has_own_data;
    ct_held_actors actors;
    CT_ARRAY(uint8_t) visible; // of its meshes, in order, while it is hidden
} ct_played_unit;

struct ct_unit_replay {
    ct_allocator *allocator;
    ct_world *world;
    uint64_t most_bytes;
    ct_unit_frames frames;
    // Recording.
    bool is_recording;
    uint64_t num_recorded; // calls
    ct_hash_map numbers;   // from a unit to its number
    ct_hash_map modes;     // from a unit to its mode
    CT_ARRAY(ct_recorded_unit) recorded;
    CT_ARRAY(ct_unit_state) now, before;
    ct_byte_array data; // of `now`
    ct_u32_array live, gone, come;
    CT_ARRAY(ct_replay_line) lines;
    CT_ARRAY(ct_replay_text) texts;
    ct_byte_array text_bytes;
    double key_time;
    uint32_t key_at;
    // Playback.
    bool is_playing;
    bool is_placing; // spawning and destroying may call the game, which may call the replay
    bool ends_soon;  // the game ended playback meanwhile
    float speed;
    double time;
    ct_unit_cursor at, next; // the frame that is shown, and the one behind it
    CT_ARRAY(ct_played_unit) played;
    ct_byte_array own_data;
};
