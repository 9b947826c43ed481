// sound_mixer.h: mixes voices to a stereo stream, in blocks of 480 frames at 48 kHz.
//
// A voice plays a sound from a position on, into a bus. Its state is in two tables, one of what moves it
// and one of how it sounds. Only voices that are real are heard; virtual ones just move their position on, with the same
// arithmetic in fixed point, so that they come back where they would be. What a voice is to do arrives
// by a queue without locks from the update thread and is applied at the start of a block; what
// happened goes back by another. Buses are mixed in the order of their resource.
//
// No gain jumps: it ramps linearly, over a block or as long as a fade says. A voice that must be silent
// at once (stop, pause, seek, steal, virtual, another sound) gets a last block that fades out, and what
// replaces it fades in over the same block. Only a sound that starts at its first frame begins with
// CT_MIXER_START_FRAMES, and one that follows another without a gap (`after`) begins as it is.
//
// A sound between its frames is on a cubic through the four nearest (88 dB signal to noise for 1 kHz at
// pitch 1.1); at the mixer's rate and pitch 1 it is copied. Notes that a higher pitch brings beyond the
// range of hearing are taken out before, from a step of 1.25 on: 40 dB of 11 kHz at pitch 4. Low-pass
// filters have two poles.
//
// Threads: functions of the first group may be called by the update thread only; ct_mixer_mix by one
// thread at a time: the mixer thread, or one that renders. Mixing allocates nothing and waits for nothing but
// the lock of ct_mixer_lock, which the update thread takes to swap sounds and buses.
#pragma once
#include "foundation/memory/allocator.h"
#include "resource/types/sound_bus_resource.h"
#include "sound/media/sound_media.h"
#include "sound/media/sound_streams.h"

enum {
    CT_MIXER_RATE = 48000,
    CT_MIXER_BLOCK = 480, // frames
    CT_MIXER_CHANNELS = 2,
    CT_MIXER_START_FRAMES = 32,
    CT_MIXER_MAX_VOICES = 8192, // real and virtual
    CT_MIXER_DEFAULT_REAL = 64,
};

#define CT_MIXER_MAX_STEP 8.0f // frames of a sound for a frame of output
#define CT_MIXER_MIN_STEP (1.0f / 64.0f)

typedef struct ct_mixer ct_mixer;

typedef struct ct_mixer_desc {
    ct_allocator *allocator;
    ct_sound_streams *streams; // NULL: no sound is streamed
    uint32_t num_voices;       // 0: 4096
    uint32_t num_real;         // that the caller keeps to; the mixer takes any number
} ct_mixer_desc;

// A voice; {0} is none. Stale once its end was reported.
typedef struct ct_voice_id {
    uint32_t value;
} ct_voice_id;

// How a voice sounds. A mono sound goes to the left with gains[0], to the right with gains[1]; the
// channels of a stereo one each to their side.
typedef struct ct_voice_params {
    float gains[CT_MIXER_CHANNELS];
    float send;     // factor of what goes to the bus of the place (is_place)
    float pitch;    // 1: as it is; not the rates, which the mixer knows
    float low_pass; // Hz; from CT_SOUND_OPEN_HZ on: none
} ct_voice_params;

typedef struct ct_voice_desc {
    const ct_sound_media *media; // borrowed while the voice plays
    uint32_t bus;                // position in the buses; too high: the root
    uint64_t start;              // clock of the mixer when it starts; earlier: with the next block
    uint32_t delay;              // frames of the mixer by which it starts later than that
    uint32_t position;           // frame of the sound
    uint32_t fade_frames;        // of the mixer, in which it fades in
    uint32_t repeats;            // how often it plays; 0: until it is stopped
    // What repeats: its loop, or all of it. A sound that repeats its loop ends at the loop's end. Streamed
    // sounds that have a loop always repeat that.
    bool loops;
    bool is_real;
    bool is_paused;
    // Starts `delay` frames after that voice ends, and not at `start`. {0}, or stale: none.
    ct_voice_id after;
    ct_voice_params params;
} ct_voice_desc;

// Makes a mixer with one bus and allocates all it needs.
ct_mixer *ct_mixer_create(const ct_mixer_desc *desc);

// Frees it; nothing mixes any more. NULL is fine.
void ct_mixer_destroy(ct_mixer *m);

// --- What voices do (update thread) --------------------------------------------------------------

// Starts a voice. Returns {0} when there are as many as can be.
ct_voice_id ct_mixer_start(ct_mixer *m, const ct_voice_desc *desc);

// Sets how a voice sounds, in a ramp over the next block. Calls before a block replace each other. May
// be called for every voice in every update: what does not fit in the queue is sent with the next call
// of ct_mixer_update.
void ct_mixer_set_params(ct_mixer *m, ct_voice_id voice, const ct_voice_params *params);

// Makes a voice real or virtual.
void ct_mixer_set_real(ct_mixer *m, ct_voice_id voice, bool is_real);

// Stops a voice, which fades out from clock `when` on (earlier: at once) in `fade_frames` (at least a
// block). Its end is reported. One that has not started by then, or that is paused, ends at once; one that waits for
// another fades while it waits. Of two
// stops the one counts that is over sooner.
void ct_mixer_stop(ct_mixer *m, ct_voice_id voice, uint64_t when, uint32_t fade_frames);

// Pauses a voice, which keeps the position that it has after a block of fading out; or lets it go on.
// One that has not started by the end of that block starts as much later as it is paused after it.
void ct_mixer_set_paused(ct_mixer *m, ct_voice_id voice, bool is_paused);

// Gives a voice another bus, by its position; too high: the root. It fades out in the one before, and in
// again.
void ct_mixer_set_voice_bus(ct_mixer *m, ct_voice_id voice, uint32_t bus);

// Returns the frame of the sound that a voice was at after the last block; loops are folded in. 0 for
// a stale voice.
uint32_t ct_mixer_position(const ct_mixer *m, ct_voice_id voice);

// Sends what the queue had no room for. Then lists the voices that ended since the last call, and makes
// their ids stale: `ended` is borrowed until the next call.
void ct_mixer_update(ct_mixer *m, const ct_voice_id **ended, uint32_t *num_ended);

// Returns the clock: frames mixed since the mixer was made. Any thread.
uint64_t ct_mixer_clock(const ct_mixer *m);

// --- Buses (update thread) -----------------------------------------------------------------------

// Sets the buses; voices keep their bus by its name, or get the root if no bus has it. NULL: only the
// root. Copied. Not for each frame: it takes the lock and may allocate.
void ct_mixer_set_buses(ct_mixer *m, const ct_sound_bus_resource *buses);

// Numbers of a bus that change while the game runs, as factors and in the units of the resource.
typedef struct ct_mixer_bus_params {
    float gain;
    float low_pass;
    float reverb_seconds, reverb_damping;
} ct_mixer_bus_params;

// Set the numbers of a bus, and the factor of a send, by their positions in the resource; they move there
// over the next block. Positions that do not exist are ignored.
void ct_mixer_set_bus(ct_mixer *m, uint32_t bus, const ct_mixer_bus_params *params);
void ct_mixer_set_send(ct_mixer *m, uint32_t send, float gain);

// Returns the highest sample (1 is full scale) that a bus mixed since the last call.
float ct_mixer_bus_peak(ct_mixer *m, uint32_t bus);

// Stop the mixing between two blocks, and let it go on. Between them ct_mixer_replace_media may be
// called, for sounds that are loaded again or unloaded: voices of `old` end with a fade and go on with
// `media` at the same time of the sound; with NULL, they end.
void ct_mixer_lock(ct_mixer *m);
void ct_mixer_replace_media(ct_mixer *m, const ct_sound_media *old, const ct_sound_media *media);
void ct_mixer_unlock(ct_mixer *m);

// --- Mixing --------------------------------------------------------------------------------------

// Mixes the next block: `out` gets CT_MIXER_BLOCK frames, left and right by turns, at most 1 (soft
// limiter of the root). One thread.
void ct_mixer_mix(ct_mixer *m, float *out);

typedef struct ct_mixer_stats {
    uint32_t num_voices, num_real;
    uint64_t num_starved; // blocks in which a stream had no data in time
    uint64_t num_dropped; // commands that had no room at once; they were sent later
    uint64_t mix_ns;      // of the last block
} ct_mixer_stats;

// Returns numbers for tools. Update thread.
ct_mixer_stats ct_mixer_get_stats(const ct_mixer *m);
