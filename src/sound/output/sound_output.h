// sound_output.h: where the mixed sound goes.
//
// An output takes blocks of CT_MIXER_BLOCK stereo frames at 48 kHz and sets the pace: it says how
// many it can take now. The engine has three: the sound card by OpenAL Soft; OpenAL's loopback
// device, whose samples a test reads back; and a clock without sound. Others only fail, for tests.
#pragma once
#include "foundation/memory/allocator.h"

typedef struct ct_sound_output ct_sound_output;

// The functions of an output. All are called by one thread, the mixer's.
struct ct_sound_output {
    const char *name;
    // Opens the device. Returns false with `error`.
    bool (*open)(ct_sound_output *o, ct_error *error);
    void (*close)(ct_sound_output *o);
    // Sets how many blocks it can take now, 0 or more. Returns false with `error` when the device
    // is gone.
    bool (*poll)(ct_sound_output *o, uint32_t *num_blocks, ct_error *error);
    // Takes a block: 480 frames, left and right by turns.
    void (*write)(ct_sound_output *o, const float *block);
    // Frees the output, which is closed.
    void (*destroy)(ct_sound_output *o);
};

// Makes the output to the default device. OpenAL is loaded when it is opened. Opening fails, and
// OpenAL is not called, where there is no sound card (/dev/snd, /dev/dsp) and no PulseAudio or
// PipeWire: ALSA would print errors. The environment variables ALSOFT_DRIVERS and PULSE_SERVER
// overrule that. `a` must be safe on any thread.
ct_sound_output *ct_sound_output_openal(ct_allocator *a);

// Makes the output to OpenAL's loopback device: each block that it takes is rendered at once, and
// comes out as it is. It asks for blocks at the pace of a device, and takes them at any.
// ct_sound_loopback_frames returns all frames since it was opened (left and right by turns;
// borrowed until the next write).
ct_sound_output *ct_sound_output_loopback(ct_allocator *a);
const float *ct_sound_loopback_frames(const ct_sound_output *o, uint64_t *num_frames);

// Makes the clock without sound. When nothing is written for a while, the blocks of that time are
// dropped.
ct_sound_output *ct_sound_output_null(ct_allocator *a);
