// state_machine.h: one character's state machine: layers of states, cross-fades, variables, events.
//
// The machine computes which clips play at which times with which weights, and how the root moves.
// It does not evaluate poses: the animator (animation_component.h) does, for characters that are
// seen. Everything is exact at any step: an hour at once passes the same states, exit times and
// events at the same times as small steps.
//
// A machine is one allocation; nothing is allocated while it runs. The resource and the clips are
// borrowed; after a reload, make a new machine and carry the state over (ct_state_machine_carry).
// A machine is used by one thread at a time.
#pragma once
#include "resource/types/animation_resource.h"
#include "resource/types/state_machine_resource.h"

typedef struct ct_state_machine ct_state_machine;

enum {
    CT_STATE_MACHINE_MAX_SAMPLES = 64, // of all layers at a time
    CT_STATE_MACHINE_MAX_LAYERS = 16,
    CT_STATE_MACHINE_MAX_EVENTS = 256,    // out of one update; later ones are dropped and counted
    CT_STATE_MACHINE_MAX_SECONDS = 86400, // of one update
};

// A clip that plays. Samples are sorted by layer. Within a layer, weights of the samples that are
// not additive add up to 1 (an empty state has no samples).
typedef struct ct_state_machine_sample {
    uint32_t clip;   // position in the resource's clips
    uint32_t player; // the same number from update to update while the same clip plays on, below
                     // CT_STATE_MACHINE_MAX_SAMPLES; a new clip's number may have been used before
    bool is_new;     // its player starts with this update
    uint8_t layer;   // position in the resource's layers
    float time;      // seconds in the clip
    float weight;    // 0 to 1
} ct_state_machine_sample;

// An event that came out during an update: of a clip, or of entering or leaving a state. Of a layer
// only the newest state's clips give events; of those in step, the one with the largest weight.
typedef struct ct_state_machine_out_event {
    ct_string_id32 name;
    float time; // seconds after the update's start, 0 to dt
} ct_state_machine_out_event;

// What an update made. Borrowed from the machine until its next call.
typedef struct ct_state_machine_output {
    const ct_state_machine_sample *samples;
    uint32_t num_samples;
    const ct_state_machine_out_event *events; // sorted by time
    uint32_t num_events;
    uint32_t num_dropped_events;
    const float *layer_weights;        // one for each layer of the resource
    ct_animation_root_pose root_delta; // how the root moved, in the space it started the update in
} ct_state_machine_output;

// Makes a machine in the start states of its layers. `clips` has one entry for each clip of the
// resource, copied; NULL for one that is missing, which counts as an empty one of 1 second.
ct_state_machine *ct_state_machine_create(ct_allocator *a,
                                          const ct_state_machine_resource *resource,
                                          const ct_animation_resource *const *clips);
void ct_state_machine_destroy(ct_state_machine *m);

// Advances by `dt` seconds: 0 to a day; NaN and negative numbers count as 0.
ct_state_machine_output ct_state_machine_update(ct_state_machine *m, float dt);

// Returns what the last update made, without advancing.
ct_state_machine_output ct_state_machine_current(const ct_state_machine *m);

// Sends an event. Returns false when no transition knows the event (in any state). Transitions
// start at once; the output shows it after the next update. A transition with an exit time waits
// for it. During a fade that is not interruptible the event is lost.
bool ct_state_machine_send(ct_state_machine *m, ct_string_id32 event);

// Returns whether any transition of the machine waits for the event.
bool ct_state_machine_has_event(const ct_state_machine *m, ct_string_id32 event);

// --- Variables -----------------------------------------------------------------------------------
//
// A variable of the resource with a curve (`curve_parameter` is not {0}) has the value of that float
// curve of the clips that play. The machine has no players: the caller, which evaluates the clips,
// sets it with ct_state_machine_set_variable, weighted by the samples. It counts from the next
// update on.

// Returns the number of the variable, or UINT32_MAX.
uint32_t ct_state_machine_find_variable(const ct_state_machine *m, ct_string_id32 name);

// Return and set a variable, by number. Setting clamps to the variable's range; NaN is ignored and
// returns false.
float ct_state_machine_variable(const ct_state_machine *m, uint32_t variable);
bool ct_state_machine_set_variable(ct_state_machine *m, uint32_t variable, float value);

// --- State ---------------------------------------------------------------------------------------

// The whole state as numbers, for saving and for the network: the hash of the resource's structure,
// then layers (state, time, fades), then variables. Returns how many there are; writes at most
// `capacity` of them to `state`, which may be NULL with 0.
uint32_t ct_state_machine_get_state(const ct_state_machine *m, uint32_t *state, uint32_t capacity);

// Sets the state from ct_state_machine_get_state of a machine of the same resource. Returns false
// with `error`, and changes nothing, when the numbers are not of this resource.
bool ct_state_machine_set_state(ct_state_machine *m, const uint32_t *state, uint32_t count,
                                ct_error *error);

// Takes states, times and variables over from a machine of an older version of the resource, by
// name. Returns false with `error` saying what did not fit (the last thing). Layers that did not fit
// and new ones are in their start states, whose enter events come out with the next update, after
// the events that `from` still had for it.
bool ct_state_machine_carry(ct_state_machine *m, const ct_state_machine *from, ct_error *error);

// Returns the state and time of a layer, for Lua and tools: the name of the state it is in or fades
// to, seconds in it, the length of the state's clips (0: empty).
ct_string_id32 ct_state_machine_layer_state(const ct_state_machine *m, uint32_t layer, float *time,
                                            float *length);
