// unit_replay.h: what the units of a world did, recorded frame by frame, and played in it again.
//
// A frame has what changed since the one before: units that came and went, poses of roots (1/1024 m,
// 14 bits for each part of a rotation, exact scales), data where asked, debug lines and texts. At
// least each second a key frame has all, so that a jump costs a second of frames at most. Units that
// rest take no room. When the bytes that the game allows are full, the oldest second goes.
//
//     ct_unit_replay_start_recording(r);
//     ... each frame, after ct_world_advance: ct_unit_replay_record(r, dt);
//     ct_unit_replay_start_playback(r, &error);
//     ... each frame, before ct_world_advance: ct_unit_replay_play(r, dt);
//     ct_unit_replay_stop_playback(r);
//
// While it plays, recorded units are placed, between two frames in a straight line; their dynamic
// actors are kinematic. Units that do not live in a frame are hidden (their meshes); those that lived
// then and do not live now are spawned for it, with all that spawning does. Cameras are units, too:
// free the one to look through (ct_unit_replay_free_unit). Afterwards all is as before: poses (those of
// dynamic actors within a step of physics), velocities and sleep of actors, data, visibility; what was
// spawned is destroyed. Units that were not
// recorded are left alone, and what the game does to others is lost.
//
// The world must outlive the replay. Update thread.
#pragma once
#include "foundation/error.h"
#include "world/world.h"

typedef struct ct_unit_replay ct_unit_replay;

// What of a unit is recorded.
typedef enum ct_unit_record_mode {
    CT_UNIT_RECORD_POSE, // that of its root
    CT_UNIT_RECORD_DATA, // and its first data component
    CT_UNIT_RECORD_NONE,
    CT_UNIT_RECORD_MODE_COUNT,
} ct_unit_record_mode;

enum {
    CT_UNIT_REPLAY_LEAST_BYTES = 64 * 1024,
    CT_UNIT_REPLAY_MOST_BYTES = 1 << 30,
    CT_UNIT_REPLAY_MAX_UNITS = 1 << 20,  // in one recording, with those that were destroyed
    CT_UNIT_REPLAY_MAX_MARKS = 1 << 14,  // lines, and texts, in a frame
    CT_UNIT_REPLAY_TEXT_BYTES = 1 << 10, // of a text
};

// How to make a replay.
typedef struct ct_unit_replay_desc {
    ct_allocator *allocator;
    ct_world *world;     // borrowed
    uint64_t most_bytes; // of frames, within the limits above, else the nearest; 0: 64 MiB
} ct_unit_replay_desc;

// A line in the world, and a text in the world or on the screen; linear colours.
typedef struct ct_replay_line {
    ct_vec4 color;
    ct_vec3 from, to;
} ct_replay_line;
typedef struct ct_replay_text {
    ct_vec4 color;
    ct_vec3 position; // metres; on the screen: x and y in pixels
    bool is_on_screen;
    uint32_t bytes;
    const char *text; // not zero-terminated; borrowed until the replay is recorded, loaded or moved
} ct_replay_text;

// Makes an empty replay, and frees it (NULL is fine): playback ends first.
ct_unit_replay *ct_unit_replay_create(const ct_unit_replay_desc *desc);
void ct_unit_replay_destroy(ct_unit_replay *r);

// --- Recording -----------------------------------------------------------------------------------

// Empties the replay and begins to record. Playback ends; called while that spawns or destroys a unit,
// nothing else happens.
void ct_unit_replay_start_recording(ct_unit_replay *r);
// Sets the bytes that frames may take, as in the desc, for later recordings.
void ct_unit_replay_set_most_bytes(ct_unit_replay *r, uint64_t most_bytes);
// Ends recording; frames stay.
void ct_unit_replay_stop_recording(ct_unit_replay *r);
// Returns whether it records. It ends by itself, with a warning, when one frame takes more than a
// fourth of the bytes.
bool ct_unit_replay_is_recording(const ct_unit_replay *r);

// Sets what is recorded of a unit from the next frame on. NONE: it goes from the frames.
void ct_unit_replay_set_mode(ct_unit_replay *r, ct_entity unit, ct_unit_record_mode mode);

// Add a line or a text (copied, cut to CT_UNIT_REPLAY_TEXT_BYTES) to the next frame. Nothing happens
// while it does not record, and when the frame has too many.
void ct_unit_replay_add_line(ct_unit_replay *r, const ct_replay_line *line);
void ct_unit_replay_add_text(ct_unit_replay *r, const ct_replay_text *text);

// Adds a frame, `dt` seconds (0 and more) after the one before, when it records.
void ct_unit_replay_record(ct_unit_replay *r, double dt);

// Return how many frames there are, their seconds, and their bytes.
uint32_t ct_unit_replay_num_frames(const ct_unit_replay *r);
double ct_unit_replay_seconds(const ct_unit_replay *r);
uint64_t ct_unit_replay_bytes(const ct_unit_replay *r);

// --- Playback ------------------------------------------------------------------------------------

// Begins at the first frame, at rest until ct_unit_replay_play; recording ends. Returns false with
// `error` without frames.
bool ct_unit_replay_start_playback(ct_unit_replay *r, ct_error *error);
// Puts all back as it was. Nothing happens when it does not play.
void ct_unit_replay_stop_playback(ct_unit_replay *r);
// Returns whether it plays.
bool ct_unit_replay_is_playing(const ct_unit_replay *r);

// Sets how many seconds of frames go by in one: 1 at first; 0 is a pause, negative is backwards.
void ct_unit_replay_set_speed(ct_unit_replay *r, float speed);
float ct_unit_replay_speed(const ct_unit_replay *r); // as set

// Goes on by `dt` seconds times the speed, to the last or first frame at most, and places units.
void ct_unit_replay_play(ct_unit_replay *r, double dt);

// Goes to a frame (the last one at most) while it plays.
void ct_unit_replay_set_frame(ct_unit_replay *r, uint32_t frame);
// Returns the frame that is shown; while it does not play, the last one; 0 without frames.
uint32_t ct_unit_replay_frame(const ct_unit_replay *r);

// Leaves a unit to the game while this playback goes on, as a camera. It is put back in the end, too.
void ct_unit_replay_free_unit(ct_unit_replay *r, ct_entity unit);

// Return the lines and texts of the frame that is shown; none while it does not play. Borrowed until
// it is recorded, loaded or moved.
const ct_replay_line *ct_unit_replay_lines(const ct_unit_replay *r, uint32_t *count);
const ct_replay_text *ct_unit_replay_texts(const ct_unit_replay *r, uint32_t *count);

// --- Files ---------------------------------------------------------------------------------------

// Writes the frames to a file, whole or not at all. Returns false with `error`.
bool ct_unit_replay_save(const ct_unit_replay *r, const char *path, ct_error *error);

// Replaces the frames by those of a file; units of levels are found by level and id, all others are
// spawned when it plays. Returns false with `error`, and changes nothing, when it cannot be read, is
// damaged or of another version or byte order, and while it records or plays.
bool ct_unit_replay_load(ct_unit_replay *r, const char *path, ct_error *error);

// The same of bytes in memory; `path` is what errors name.
bool ct_unit_replay_load_bytes(ct_unit_replay *r, const void *bytes, uint64_t size,
                               const char *path, ct_error *error);
