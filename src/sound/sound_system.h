// sound_system.h: what the sounds of all worlds share: loaded sounds, events and buses, the mixer and
// its output, global parameters, volumes.
//
// Update thread, but for what headers of its parts say.
#pragma once
#include "resource/load/resource_manager.h"
#include "resource/types/sound_event_resource.h"
#include "sound/event/sound_parameters.h"
#include "sound/mixer/sound_mixer.h"
#include "sound/output/sound_output.h"

#define CT_SOUND_METER_FALL 24.0f // dB in a second

typedef struct ct_sound_system ct_sound_system;

typedef struct ct_sound_system_desc {
    ct_allocator *allocator;        // safe on any thread
    ct_resource_manager *resources; // NULL: resources come by the functions below
    ct_sound_output *output;        // owned; NULL: nothing mixes but ct_sound_system_render
    ct_string_id64 buses;           // resource of type sound_bus in use; {0}: only a root
    uint32_t num_voices, num_real;  // 0: defaults of the mixer
} ct_sound_system_desc;

// Makes a system, registers for its types of resources, and starts to mix if there is an output. Events
// of the resource manager come with their packages.
ct_sound_system *ct_sound_system_create(const ct_sound_system_desc *desc);

// Frees the system and ends its registrations. All worlds' sounds must have ended.
void ct_sound_system_destroy(ct_sound_system *s);

// Return a resource, NULL while it is not loaded. Borrowed until it is loaded again or goes offline.
const ct_sound_event_resource *ct_sound_system_event(const ct_sound_system *s, ct_string_id64 name);
const ct_sound_bus_resource *ct_sound_system_buses(const ct_sound_system *s);

// Add a resource, replace it, or (NULL) remove it; those of the resource manager come by themselves.
// Borrowed until then. What plays goes on with the new one.
void ct_sound_system_set_event(ct_sound_system *s, ct_string_id64 name,
                               const ct_sound_event_resource *event);
void ct_sound_system_set_sound(ct_sound_system *s, ct_string_id64 name,
                               const ct_sound_resource *sound);
void ct_sound_system_set_buses(ct_sound_system *s, const ct_sound_bus_resource *buses);

// Returns the mixer, for its numbers: statistics and clock. Its voices are the system's.
ct_mixer *ct_sound_system_mixer(const ct_sound_system *s);

// Returns the output in use: "openal", "null", "loopback"; "none" without one.
const char *ct_sound_system_output(const ct_sound_system *s);

// --- Global parameters ---------------------------------------------------------------------------

// Set a parameter for all instances that have none of this key; it counts before what their events
// declare. Numbers that are not finite, and keys of built-in parameters, are ignored with a warning.
void ct_sound_system_set_number(ct_sound_system *s, ct_string_id32 key, float number);
void ct_sound_system_set_text(ct_sound_system *s, ct_string_id32 key, ct_string_id32 text);

// Returns the set of global parameters, in ct_sound_system_parameters. Valid until one is set.
ct_sound_parameter_set ct_sound_system_globals(const ct_sound_system *s);

// --- Buses ---------------------------------------------------------------------------------------

// A player's volume of a bus, as a factor on top of everything: 0 to 1. Kept by name, also while the
// buses do not have it. Returns false when they do not.
bool ct_sound_system_set_volume(ct_sound_system *s, ct_string_id32 bus, float volume);
float ct_sound_system_volume(const ct_sound_system *s, ct_string_id32 bus);

// Returns what a meter of a bus shows, 1 is full scale: the highest sample of late. It falls by
// CT_SOUND_METER_FALL dB in a second of ct_sound_system_update. Any number of readers may ask.
float ct_sound_system_peak(ct_sound_system *s, uint32_t bus);

// Fades a snapshot in or out: `weight` 0 to 1 is reached in `seconds` (negative: as the snapshot says).
// Numbers of several snapshots are combined in the order in which they were given a weight, each over
// those before: volumes evenly in dB, frequencies in octaves. Returns false for an unknown
// snapshot.
bool ct_sound_system_set_snapshot(ct_sound_system *s, ct_string_id32 name, float weight,
                                  float seconds);
float ct_sound_system_snapshot(const ct_sound_system *s, ct_string_id32 name);

// --- Frames --------------------------------------------------------------------------------------

// Moves snapshots on by `dt` seconds of real time and sends what changed; hears what ended. Once a
// frame, before the worlds.
void ct_sound_system_update(ct_sound_system *s, double dt);

// Mixes `seconds` (at most 600; rounded up to blocks) at once, whatever the output's clock, and returns
// num_frames frames, left and right by turns; borrowed until the next call. What goes to the output
// meanwhile waits.
const float *ct_sound_system_render(ct_sound_system *s, double seconds, uint64_t *num_frames);
