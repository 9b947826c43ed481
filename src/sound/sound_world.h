// sound_world.h: the instances of events that play in a world, and its listeners.
//
// An instance is an event that was started at a place or nowhere. It has up to
// CT_SOUND_EVENT_MAX_LAYERS voices. Each update evaluates its curves, hears it by the listeners, decides
// in one place which voices of all worlds are real (the most audible; those that are real already count
// a little more, so that they do not change places all the time), and sends what changed to the mixer.
// Instances are rows of structure-of-arrays tables; their parameters are sets in one array. Update
// thread.
#pragma once
#include "sound/event/sound_spatial.h"
#include "sound/sound_system.h"

enum { CT_SOUND_MAX_LISTENERS = 4, CT_SOUND_MAX_INSTANCES = 4096 };

typedef struct ct_sound_world ct_sound_world;

// An instance, of any world; {0} is none. Stale when it has ended: functions do nothing with it.
typedef struct ct_sound_instance {
    uint32_t value;
} ct_sound_instance;

// Answers how much of each of `count` sources is hidden from the nearest listener: `occlusion[i]`, 0
// free, 1 hidden. Called at most once for each listener and update, with the sources whose turn it is.
typedef void ct_sound_occlude(void *user, ct_vec3 listener, const ct_vec3 *sources,
                              const float *radii, uint32_t count, float *occlusion);

typedef struct ct_sound_world_desc {
    ct_allocator *allocator;
    ct_sound_system *system;
    ct_sound_occlude *occlude; // NULL: nothing is hidden
    void *user;
    uint64_t seed; // of RANDOM nodes and ranges
} ct_sound_world_desc;

// Makes a world without listeners: all is heard as at its source. The system must outlive it.
ct_sound_world *ct_sound_world_create(const ct_sound_world_desc *desc);

// Ends all instances and frees it; NULL is fine.
void ct_sound_world_destroy(ct_sound_world *w);

typedef struct ct_sound_start {
    ct_vec3 position;
    ct_quat rotation; // forward is Y
    bool is_placed;   // else it plays at the listeners: no attenuation, no direction
    uint64_t start;   // clock of the mixer (ct_mixer_clock); earlier: now
    float fade_in;    // seconds; negative: the event's
    float offset;     // seconds from the start of the sound
} ct_sound_start;

// Starts an event. Returns {0} when it is not loaded (warns once for each name), its limit or cooldown
// forbids it, none of its sounds can play (not loaded, no case of a switch holds), numbers of `start`
// are not finite, or there are CT_SOUND_MAX_INSTANCES in all worlds. What has one voice starts with the
// next block of the mixer; voices that belong together start 2 blocks from now, at the same frame.
ct_sound_instance ct_sound_play(ct_sound_world *w, ct_string_id64 event,
                                const ct_sound_start *start, const ct_sound_parameter *parameters,
                                uint32_t num_parameters);

// Stops an instance in `fade` seconds; negative: as the event says.
void ct_sound_stop(ct_sound_system *s, ct_sound_instance i, float fade);

// Stops all instances of a world.
void ct_sound_stop_all(ct_sound_world *w, float fade);

// Pauses an instance, or lets it go on. One that is stopping, or is going to, ends instead of pausing.
void ct_sound_set_paused(ct_sound_system *s, ct_sound_instance i, bool is_paused);

// Plays on from a time of the event, counted at pitch 1 from its start with the delays of its parts: what
// plays then starts again there, as it was picked. One that is stopping, or is going to, stays as it is.
void ct_sound_seek(ct_sound_system *s, ct_sound_instance i, double seconds);

// Returns where the first voice of an instance is, in seconds of its sound.
double ct_sound_position(const ct_sound_system *s, ct_sound_instance i);

// Returns whether an instance has voices, also paused or fading ones, or waits for its switch to find a
// case.
bool ct_sound_is_playing(const ct_sound_system *s, ct_sound_instance i);

// Returns the world in which an instance plays; NULL when it has ended.
ct_sound_world *ct_sound_world_of(const ct_sound_system *s, ct_sound_instance i);

// Returns the event of an instance; {0} when it has ended.
ct_string_id64 ct_sound_event_of(const ct_sound_system *s, ct_sound_instance i);

// Starts `event` at the next `beats` beats (a bar: the event's `beats`; 0: now) of a playing instance of
// music, and stops that one there in `fade` seconds. Returns the new instance; {0} as ct_sound_play, or
// when `from` is no music.
ct_sound_instance ct_sound_transition(ct_sound_world *w, ct_sound_instance from,
                                      ct_string_id64 event, uint32_t beats, float fade);

// Set a parameter of an instance. One that the event does not declare is set with a warning, once for
// each event and name; one of the other kind is not set. Numbers must be finite.
void ct_sound_set_number(ct_sound_system *s, ct_sound_instance i, ct_string_id32 key, float number);
void ct_sound_set_text(ct_sound_system *s, ct_sound_instance i, ct_string_id32 key,
                       ct_string_id32 text);

// On top of what the event says: a factor, and a factor of the pitch.
void ct_sound_set_volume(ct_sound_system *s, ct_sound_instance i, float volume);
void ct_sound_set_pitch(ct_sound_system *s, ct_sound_instance i, float pitch);

// Moves instances. The velocity for Doppler follows from it, unless `is_jump`. One that was not placed is
// from then on.
void ct_sound_move(ct_sound_system *s, const ct_sound_instance *instances, const ct_vec3 *positions,
                   uint32_t count, bool is_jump);
void ct_sound_turn(ct_sound_system *s, ct_sound_instance i, ct_quat rotation);

// Sets how many listeners there are, and where one is. The velocity follows from it, unless `is_jump` or
// it would be that of sound: cameras cut.
void ct_sound_set_listeners(ct_sound_world *w, uint32_t count);
void ct_sound_set_listener(ct_sound_world *w, uint32_t index, ct_vec3 position, ct_quat rotation,
                           bool is_jump);
uint32_t ct_sound_listeners(const ct_sound_world *w, ct_sound_listener out[CT_SOUND_MAX_LISTENERS]);

// Sets how much of what the world's events send to their place (`send`) goes to the bus of the place
// (is_place), as a factor: by volumes in levels. 1 at first.
void ct_sound_set_place_send(ct_sound_world *w, float gain);

// Evaluates all instances and sends what changed; `dt` seconds of the world.
void ct_sound_world_update(ct_sound_world *w, double dt);

// Something that happened in the last update: a marker was passed, or an instance ended.
typedef struct ct_sound_happening {
    ct_sound_instance instance; // stale when it ended
    ct_string_id32 marker;      // {0}: it ended
} ct_sound_happening;

// Returns what happened. Borrowed until the next update.
const ct_sound_happening *ct_sound_happenings(const ct_sound_world *w, uint32_t *count);

// --- For tools -----------------------------------------------------------------------------------

typedef struct ct_sound_instance_info {
    ct_sound_instance instance;
    ct_string_id64 event;
    ct_vec3 position;
    bool is_placed, is_paused;
    uint32_t num_voices, num_real;
    float volume; // dB, as it is heard
    ct_sound_parameter_set parameters;
} ct_sound_instance_info;

// Returns the number of instances of a world, and describes number `index` of them.
uint32_t ct_sound_world_count(const ct_sound_world *w);
ct_sound_instance_info ct_sound_world_info(const ct_sound_world *w, uint32_t index);

// Returns how many plays in this world started nothing: limit, cooldown, or no room.
uint64_t ct_sound_world_refused(const ct_sound_world *w);

// Returns the array in which sets of parameters are.
const ct_sound_parameters *ct_sound_system_parameters(const ct_sound_system *s);
