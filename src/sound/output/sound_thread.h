// sound_thread.h: the thread that mixes.
//
// It asks the output how many blocks it can take, mixes them, and sleeps. When a device cannot be
// opened or is gone, it logs that once, goes on with the clock without sound, and tries the device
// again every 2 seconds.
#pragma once
#include "sound/mixer/sound_mixer.h"
#include "sound/output/sound_output.h"

typedef struct ct_sound_thread ct_sound_thread;

// Starts the thread, which owns `output`.
ct_sound_thread *ct_sound_thread_start(ct_allocator *a, ct_mixer *mixer, ct_sound_output *output);

// Ends the thread and its outputs. NULL is fine.
void ct_sound_thread_stop(ct_sound_thread *t);

// Stop the thread between two blocks, so that the caller may mix, and let it go on.
void ct_sound_thread_hold(ct_sound_thread *t);
void ct_sound_thread_release(ct_sound_thread *t);

// Returns the name of the output in use: "openal", "null". Any thread.
const char *ct_sound_thread_output(const ct_sound_thread *t);
