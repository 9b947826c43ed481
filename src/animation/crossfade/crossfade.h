// crossfade.h: plays clips on layers without a state machine: each new clip fades in over the ones
// before it.
//
// The result has the form of a state machine's (machine/state_machine.h): weighted samples by
// layer. A layer above the first is blended over those below, or added if its clips are additive.
// Weights within a layer add up to 1 as soon as something has faded in fully; while the first clip
// of an empty layer fades in, the layer's weight does. Of a layer, the events of the clip that started
// last come out, as those of a state do: forwards and backwards, each once (machine/machine_event.h).
// One thread at a time. One allocation.
#pragma once
#include "animation/machine/state_machine.h"
#include "foundation/memory/allocator.h"

enum { CT_CROSSFADE_MAX_CLIPS = 32 }; // of all layers of one character

typedef struct ct_crossfade ct_crossfade;

// A clip to play. `clip` is the caller's number for it (the sample's `clip`).
typedef struct ct_crossfade_desc {
    uint32_t clip;
    float length;       // seconds; positive
    uint32_t layer;     // below CT_STATE_MACHINE_MAX_LAYERS
    float blend_time;   // seconds; 0: at once
    bool loops;         // the clip starts over at its end; else it stays at the end
    bool offsets_phase; // starts at the phase of the clip before it in the layer
} ct_crossfade_desc;

// Makes one that plays nothing. `a` must outlive it.
ct_crossfade *ct_crossfade_create(ct_allocator *a);

// Frees it. Outputs of its updates must not be used any more.
void ct_crossfade_destroy(ct_crossfade *c);

// Starts a clip. Returns its id, which is not used again for 2^32 clips. When all places are taken,
// the clip that weighs least ends.
uint32_t ct_crossfade_start(ct_crossfade *c, const ct_crossfade_desc *desc);

// Sets the speed (1: as recorded; negative: backwards; finite), or the time in seconds, of a clip
// that still plays. Returns false when it does not. Events between the old time and the new one do
// not come out.
bool ct_crossfade_set_speed(ct_crossfade *c, uint32_t id, float speed);
bool ct_crossfade_set_time(ct_crossfade *c, uint32_t id, float time);

// Returns whether some clip is fading in or out.
bool ct_crossfade_is_fading(const ct_crossfade *c);

// A clip that plays, to save it and to go on with it.
typedef struct ct_crossfade_clip {
    uint32_t id, clip, layer, loops;
    float speed, fade, fade_time; // seconds of the fade so far, and in all
    float padding;
    double phase; // 0 to 1
} ct_crossfade_clip;

// Writes the clips that play, in the order of their start, to `clips` (NULL is fine), which has room for
// CT_CROSSFADE_MAX_CLIPS. Returns their number.
uint32_t ct_crossfade_clips(const ct_crossfade *c, ct_crossfade_clip *clips);

// Ends all clips.
void ct_crossfade_clear(ct_crossfade *c);

// Gives a clip that has just started speed, fade, phase and, unless another clip has it, the id of a saved
// one. Does nothing when numbers are out of range.
void ct_crossfade_resume(ct_crossfade *c, uint32_t id, const ct_crossfade_clip *saved);

// Advances by `dt` seconds. `clips[clip]` are the blobs by the caller's numbers, for root motion
// and events; entries may be NULL. The output is borrowed until the next call.
ct_state_machine_output ct_crossfade_update(ct_crossfade *c, float dt,
                                            const ct_animation_resource *const *clips);
