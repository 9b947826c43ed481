// mixer_private.h: what the files of the mixer share.
//
// Slots 1 to num_voices are voices; an id is a slot and the generation of its use. The update thread
// owns `controls`: what it wants of each voice, and which of that the queue had no room for. The thread
// that mixes, and any that holds the lock, owns `lives`, `tones` and `buses`. The queue of commands goes from
// the first to the second, the queue of reports back.
#pragma once
#include "foundation/os/os.h"
#include "sound/mixer/mixer_bus.h"
#include "sound/mixer/mixer_filter.h"
#include "sound/mixer/mixer_motion.h"
#include "sound/mixer/mixer_queue.h"
#include "sound/mixer/mixer_read.h"
#include "sound/mixer/sound_mixer.h"

enum {
    CT_MIXER_SLOT_BITS = 14, // CT_MIXER_MAX_VOICES + 1 fits
};

#define CT_MIXER_NO_STREAM UINT32_MAX

// --- Queues --------------------------------------------------------------------------------------

// What a command does.
typedef enum ct_mixer_command_kind {
    CT_MIXER_COMMAND_START,
    CT_MIXER_COMMAND_PARAMS,
    CT_MIXER_COMMAND_REAL,
    CT_MIXER_COMMAND_PAUSED,
    CT_MIXER_COMMAND_VOICE_BUS,
    CT_MIXER_COMMAND_STOP,
    CT_MIXER_COMMAND_BUS,
    CT_MIXER_COMMAND_BUS_SEND,
    CT_MIXER_COMMAND_COUNT,
} ct_mixer_command_kind;

// The arguments of a stop.
typedef struct ct_mixer_stop_command {
    uint64_t when;
    uint32_t fade_frames;
} ct_mixer_stop_command;

typedef struct ct_mixer_command {
    uint32_t kind;   // ct_mixer_command_kind
    uint32_t target; // id of a voice; position of a bus or send
    uint32_t stream; // START, REAL
    bool flag;       // REAL, PAUSED
    union {
        ct_voice_desc start;
        ct_voice_params params;
        ct_mixer_stop_command stop;
        ct_mixer_bus_params bus;
        uint32_t position; // of a bus: VOICE_BUS
        float gain;        // BUS_SEND
    };
} ct_mixer_command;

typedef enum ct_mixer_report_kind {
    CT_MIXER_REPORT_ENDED,    // a voice; its stream is not read any more
    CT_MIXER_REPORT_RELEASED, // a stream is not read any more
} ct_mixer_report_kind;

typedef struct ct_mixer_report {
    uint32_t kind;
    uint32_t voice;
    uint32_t stream; // CT_MIXER_NO_STREAM: none
} ct_mixer_report;

// --- The update thread's side --------------------------------------------------------------------

// What the update thread wants of a voice.
typedef struct ct_mixer_control {
    uint32_t generation;
    bool is_live;
    bool wants_stream;       // it is to be real, but has no stream yet
    bool is_listed;          // in the list of voices with unsent commands
    uint8_t unsent;          // bit n: command of kind n
    uint32_t next, previous; // in that list; slots
    uint32_t stream;         // that the mixer reads for it
    ct_voice_desc desc;      // as it was started, with what was set later
    ct_mixer_region region;
    ct_mixer_stop_command stop;
} ct_mixer_control;

// --- The mixer's side ----------------------------------------------------------------------------

typedef enum ct_mixer_state {
    CT_MIXER_STATE_FREE,
    CT_MIXER_STATE_AFTER,   // waits for another voice to end
    CT_MIXER_STATE_WAITING, // for its start
    CT_MIXER_STATE_PLAYING,
} ct_mixer_state;

// A factor that moves in a line. It counts frames in which the voice moves.
typedef struct ct_mixer_fade {
    float from, to;
    uint32_t frames, done;
} ct_mixer_fade;

// What moves a voice, real or virtual.
typedef struct ct_mixer_life {
    ct_mixer_motion motion;
    uint64_t end;   // position
    uint64_t start; // clock; not for AFTER
    uint32_t delay; // AFTER: frames from the end of the other to the start
    uint64_t stop;  // clock at which it begins to fade out; CT_MIXER_NEVER
    uint32_t stop_frames;
    ct_mixer_fade fade;
    uint8_t state; // ct_mixer_state
    bool is_real, is_paused;
    bool was_paused;  // in the last block, or since its start: then it does not move in this one
    bool is_stopping; // `fade` ends it
} ct_mixer_life;

// How a voice sounds.
typedef struct ct_mixer_tone {
    const ct_sound_media *media;
    ct_mixer_region region;
    uint32_t id;
    uint32_t stream;
    uint64_t unwound; // frames taken off its position, which its stream counts on
    uint32_t bus;
    float gate; // 1 while it is heard, 0 while it is not; moves over whole blocks
    ct_voice_params params;
    float gains[CT_MIXER_CHANNELS]; // at the end of the last block
    float sends[CT_MIXER_CHANNELS];
    ct_mixer_low_pass low_pass;
    // The last frames of the voice that this one follows, the last one first: those before its first one.
    float before[CT_MIXER_CHANNELS][CT_MIXER_MARGIN];
    bool joins;           // it has such frames
    bool was_heard;       // since its stream was opened
    uint32_t follows;     // AFTER: slot
    uint32_t follower;    // slot of the first voice that waits for this one
    uint32_t next_waiter; // slot of the next that waits for the same
    uint32_t stamp;       // number of the block in which it was mixed last
} ct_mixer_tone;

struct ct_mixer {
    ct_mixer_queue commands, reports;
    ct_allocator *allocator;
    ct_sound_streams *streams;
    uint32_t num_voices;
    _Atomic uint64_t *positions; // by slot; 32.32, counted on
    _Atomic uint64_t clock, num_starved, num_dropped, mix_ns;
    _Atomic uint32_t num_real;
    ct_mutex mutex;

    // The update thread's.
    ct_mixer_control *controls;
    uint32_t *free_slots; // a stack
    uint32_t num_free;
    uint32_t first_unsent, last_unsent; // slots
    ct_voice_id *ended;
    uint32_t num_wanting; // voices with wants_stream
    uint32_t unsent_buses;
    uint64_t unsent_sends;
    ct_mixer_bus_params bus_params[CT_SOUND_MAX_BUSES];
    float send_gains[CT_SOUND_MAX_SENDS];

    // The mixer's.
    ct_mixer_life *lives;
    ct_mixer_tone *tones;
    uint64_t *live_bits; // by slot
    uint32_t *work;      // slots of the voices to mix in this block
    uint32_t num_work;
    uint32_t block; // number of this block, from 1 on
    uint64_t now;   // clock at its start
    ct_mixer_buses buses;
    ct_mixer_source source;
    float envelope[CT_MIXER_BLOCK];
    float voice[CT_MIXER_CHANNELS][CT_MIXER_BLOCK + 4]; // in the block
};

// Returns the slot of an id, stale or not.
static inline uint32_t ct_mixer_slot(uint32_t id) {
    return id & ((1u << CT_MIXER_SLOT_BITS) - 1);
}

// --- sound_mixer.c -------------------------------------------------------------------------------

// Opens a stream for a voice that is to be real, if its sound has one. ct_mixer_update tries again when
// all are in use.
void ct_mixer_find_stream(ct_mixer *m, uint32_t slot);

// --- mixer_commands.c ----------------------------------------------------------------------------

// Applies all commands in the queue. For the mixer, or with the lock.
void ct_mixer_apply(ct_mixer *m);

// --- mixer_send.c --------------------------------------------------------------------------------

// Sends a command of a voice, made of what its control says, or notes it as unsent.
void ct_mixer_request(ct_mixer *m, uint32_t slot, ct_mixer_command_kind kind);

// The same for buses and sends.
void ct_mixer_request_bus(ct_mixer *m, uint32_t bus);
void ct_mixer_request_send(ct_mixer *m, uint32_t send);

// Forgets the unsent commands of a voice.
void ct_mixer_forget(ct_mixer *m, uint32_t slot);

// Sends unsent commands until the queue is full. Returns whether all are sent.
bool ct_mixer_send(ct_mixer *m);

// Sends all and applies them. With the lock.
void ct_mixer_settle(ct_mixer *m);

// --- mixer_voice.c -------------------------------------------------------------------------------

// Moves a voice by a block, and mixes it to its buses when it is heard.
void ct_mixer_voice_block(ct_mixer *m, uint32_t slot);

// Mixes a block of a voice that fades out, without moving it: its place or sound is about to change.
// The voice is silent then.
void ct_mixer_voice_cut(ct_mixer *m, uint32_t slot);

// Frees a voice, reports its end, and lets those that wait for it start at `clock`; `overrun` is how far
// it has come past the end of its sound.
void ct_mixer_voice_end(ct_mixer *m, uint32_t slot, uint64_t clock, uint64_t overrun);

// Reports that the stream of a voice is not read any more; it has none then.
void ct_mixer_release_stream(ct_mixer *m, uint32_t slot);

// Lets a voice fade in, in at least what its position asks for.
void ct_mixer_fade_in(ct_mixer_life *v, uint32_t frames);

// Shows the position of a voice to the update thread.
void ct_mixer_publish(ct_mixer *m, uint32_t slot);
