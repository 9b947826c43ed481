// sound_system_private.h: the tables of the sound system and its worlds, for the files of src/sound.
//
// Instances are rows of one table for all worlds; row 0 is not used. An instance has a list of layers,
// which are rows of another table: each is a voice of the mixer and what was sent to it last. Rows are
// reused and never move; arrays may, when rows are added: keep positions. A world lists its instances
// in the order in which they started, so that everything is done in the same order in each run.
#pragma once
#include <math.h>

#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "foundation/container/soa_block.h"
#include "foundation/container/sort.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/math/random.h"
#include "sound/event/sound_pick.h"
#include "sound/output/sound_thread.h"
#include "sound/sound_world.h"

enum {
    CT_SOUND_SLOT_BITS = 13,            // of an instance's value; above them is its generation
    CT_SOUND_MAX_FOLLOWS = 8,           // SWITCH nodes that follow, in an instance
    CT_SOUND_MAX_DEPTH = 8,             // of events that markers started
    CT_SOUND_MAX_OCCLUDED = 64,         // sources in an update whose turn it is
    CT_SOUND_LEAD = 2 * CT_MIXER_BLOCK, // frames: what must start exactly starts so much later
};

#define CT_SOUND_STEAL_SECONDS 0.05f    // in which what was stolen fades at most
#define CT_SOUND_OCCLUSION_SECONDS 0.2f // in which a source goes from free to hidden
#define CT_SOUND_MAX_RENDER_SECONDS 600.0
#define CT_SOUND_NO_CLOCK UINT64_MAX

typedef enum ct_sound_instance_flag {
    CT_SOUND_INSTANCE_LIVE = 1,
    CT_SOUND_INSTANCE_PLACED = 2,
    CT_SOUND_INSTANCE_PAUSED = 4,
    CT_SOUND_INSTANCE_STOPPING = 8, // fades out, or is going to at a clock
    CT_SOUND_INSTANCE_JUMPED = 16,  // its last step was no movement
    CT_SOUND_INSTANCE_NEW = 32,     // no rays were shot for it yet
} ct_sound_instance_flag;

// The switches of an instance that follow, and the children that play: positions of nodes; a child is
// never node 0, which says that no case holds.
typedef struct ct_sound_follows {
    uint8_t count;
    uint8_t nodes[CT_SOUND_MAX_FOLLOWS], children[CT_SOUND_MAX_FOLLOWS];
} ct_sound_follows;

// What an instance plays, or has played: a seek starts it again.
typedef struct ct_sound_picks {
    uint32_t count;
    ct_sound_pick items[CT_SOUND_EVENT_MAX_LAYERS];
} ct_sound_picks;

typedef struct ct_sound_instances {
    ct_soa_block block;
    uint32_t *generations;
    uint32_t *flags;
    uint32_t *depths; // how many markers, one from another, led to it
    ct_sound_world **worlds;
    ct_string_id64 *events;
    const ct_sound_event_resource **resources; // NULL: the event was unloaded; it fades out
    uint32_t *states;                          // position in the world's states
    uint32_t *next_same;     // of the same event in the same world, by start; or the next free row
    uint32_t *previous_same; // these lists are without those that stop
    uint32_t *first_layers;
    uint32_t *buses;
    ct_vec3 *positions, *last_positions, *velocities, *forwards;
    float *occlusions, *occlusion_targets;
    float *volumes, *pitches;
    ct_sound_parameter_set *parameters;
    int64_t *origins;       // clock of the mixer at which the sounds' time is 0
    uint64_t *pause_clocks; // PAUSED: from when on its time rests; else when it was resumed
    uint64_t *stop_clocks;  // STOPPING: when it is silent
    uint32_t *next_markers;
    ct_sound_follows *follows;
    ct_sound_picks *picks;
    float *loudness;  // of its loudest layer, a factor, with the buses
    float *distances; // to the nearest listener
    uint32_t free_first, free_last;
    uint32_t num_live;
} ct_sound_instances;

typedef enum ct_sound_layer_flag {
    CT_SOUND_LAYER_REAL = 1,
    CT_SOUND_LAYER_LOOPS = 2,
    CT_SOUND_LAYER_FADES = 4,  // fades out alone: its switch changed, or its leaf is gone
    CT_SOUND_LAYER_CHOSEN = 8, // during ct_sound_admit: is going to be real
    CT_SOUND_LAYER_STREAMED = 16,
} ct_sound_layer_flag;

typedef struct ct_sound_layers {
    ct_soa_block block;
    uint32_t *nexts; // layer of the same instance, or free row; 0: the last
    uint32_t *instances;
    uint32_t *flags;
    ct_voice_id *voices, *afters;
    uint32_t *nodes; // SOUND node of the event
    const ct_sound_media **media;
    ct_sound_levels *levels; // constants and ranges
    ct_voice_params *sent;
    float *loudness; // factor, with the buses
    uint32_t free_first;
} ct_sound_layers;

// What an event remembers in a world.
typedef struct ct_sound_event_state {
    uint32_t first, last, count; // instances that do not stop
    uint32_t first_slot, num_slots;
    double cooldown_end; // in the world's time
} ct_sound_event_state;

struct ct_sound_world {
    ct_allocator *backing, *allocator;
    ct_sound_system *system;
    ct_sound_occlude *occlude;
    void *user;
    ct_random random;
    double time;
    ct_sound_listener listeners[CT_SOUND_MAX_LISTENERS];
    ct_vec3 last_listeners[CT_SOUND_MAX_LISTENERS];
    bool listener_jumped[CT_SOUND_MAX_LISTENERS];
    uint32_t num_listeners;
    float place_send;
    ct_u32_array live; // rows, in the order in which they started
    ct_hash_map event_states;
    CT_ARRAY(ct_sound_event_state) states;
    CT_ARRAY(ct_sound_slot) slots;
    CT_ARRAY(ct_sound_happening) happenings;
    uint32_t occlusion_turn; // position in `live` of the one that was asked about last
    uint64_t num_refused;
    uint32_t num_refused_now; // since the last update, because there was no row or voice
};

// By name, so that it outlives the buses.
typedef struct ct_sound_player_volume {
    ct_string_id32 name;
    float volume;
} ct_sound_player_volume;

typedef struct ct_sound_snapshot_state {
    ct_string_id32 name;
    float weight, target, speed; // speed: of the weight, a second
} ct_sound_snapshot_state;

// The numbers of the buses as they are now. Sends and buses are in the order of the resource.
typedef struct ct_sound_buses {
    const ct_sound_bus_resource *resource; // NULL: only a root
    CT_ARRAY(ct_sound_player_volume) volumes;
    CT_ARRAY(ct_sound_snapshot_state) snapshots; // in the order in which they got a weight
    uint32_t num_buses, num_sends;
    bool must_send; // all that the mixer has is old
    ct_mixer_bus_params sent[CT_SOUND_MAX_BUSES];
    float sent_sends[CT_SOUND_MAX_SENDS];
    float gains[CT_SOUND_MAX_BUSES]; // from the bus to the root
    float peaks[CT_SOUND_MAX_BUSES]; // what meters show
} ct_sound_buses;

struct ct_sound_system {
    ct_allocator *backing, *allocator;
    ct_resource_manager *resources;
    ct_string_id64 buses_name;
    ct_sound_streams *streams;
    ct_mixer *mixer;
    ct_sound_media_table *media;
    ct_sound_thread *thread; // NULL: without an output
    ct_hash_map events;      // names: const ct_sound_event_resource *
    ct_sound_buses buses;
    ct_sound_parameters parameters;
    ct_sound_parameter_set globals;
    ct_sound_instances instances;
    ct_sound_layers layers;
    ct_hash_map layers_of_voices;
    CT_ARRAY(ct_sound_world *) worlds;
    uint32_t num_real, most_real, num_real_streams;
    CT_ARRAY(ct_sort_item64) candidates, candidates_scratch;
    CT_ARRAY(float) rendered;
};

// --- Rows (sound_instances.c) --------------------------------------------------------------------

// Make and free both tables.
void ct_sound_instances_init(ct_sound_system *s);
void ct_sound_instances_free(ct_sound_system *s);

// Returns the row of an instance; 0 when it is stale or none.
uint32_t ct_sound_slot_of(const ct_sound_system *s, ct_sound_instance i);
ct_sound_instance ct_sound_instance_of(const ct_sound_system *s, uint32_t slot);

// Returns a new row, all zero but its generation, listed in its world; 0 when there are as many as can
// be.
uint32_t ct_sound_slot_acquire(ct_sound_system *s, ct_sound_world *w);

// Ends a row, whose layers have ended. The world's list still has it.
void ct_sound_slot_release(ct_sound_system *s, uint32_t slot);

// Puts an instance into the list of its event, and takes it out.
void ct_sound_list_same(ct_sound_system *s, uint32_t slot);
void ct_sound_unlist_same(ct_sound_system *s, uint32_t slot);

// Starts a voice and adds it as the last layer of an instance. Returns its row; 0 when the mixer has
// no voice left. `desc->params` and `is_real` are used as they are.
uint32_t ct_sound_layer_start(ct_sound_system *s, uint32_t slot, const ct_sound_pick *pick,
                              const ct_voice_desc *desc, float loudness);

// Gives a layer the media that replace its own.
void ct_sound_layer_set_media(ct_sound_system *s, uint32_t layer, const ct_sound_media *media);

// Makes a layer real or virtual, for sound_admit.c.
void ct_sound_layer_set_real(ct_sound_system *s, uint32_t layer, bool is_real);

// Frees the row of the layer of a voice that ended.
void ct_sound_layer_end(ct_sound_system *s, ct_voice_id voice);

// Stops all voices of an instance and frees its layers now.
void ct_sound_layers_drop(ct_sound_system *s, uint32_t slot);

// Whether a layer waits for another to end.
bool ct_sound_layer_waits(const ct_sound_system *s, uint32_t layer);

// Returns the seconds since an instance started, without pauses, as seeks changed them; not below 0.
double ct_sound_instance_time(const ct_sound_system *s, uint32_t slot);

// --- Starting (sound_start.c) --------------------------------------------------------------------

// As ct_sound_play, for an event that a marker started `depth` markers deep.
ct_sound_instance ct_sound_play_deep(ct_sound_world *w, ct_string_id64 event,
                                     const ct_sound_start *start,
                                     const ct_sound_parameter *parameters, uint32_t num_parameters,
                                     uint32_t depth);

// When, and from where in the sounds, voices start.
typedef struct ct_sound_timing {
    uint64_t start; // clock of the mixer
    double offset;  // seconds
    uint32_t fade_frames;
    bool loops_only; // leaves out picks that end
} ct_sound_timing;

// Starts voices for picks. Returns how many.
uint32_t ct_sound_start_picks(ct_sound_system *s, uint32_t slot, const ct_sound_pick *picks,
                              uint32_t count, const ct_sound_timing *timing);

// Returns what an event remembers in a world, made at the first call. Valid until the next.
ct_sound_event_state *ct_sound_state_of(ct_sound_world *w, ct_string_id64 name,
                                        const ct_sound_event_resource *e, uint32_t *position);

// Returns the frame of a sound that has played for `frames`: loops are folded in; the last frame when
// it has ended.
uint32_t ct_sound_fold(const ct_sound_media *media, bool loops, uint64_t frames);

// Sets which marker of an instance comes next: the first from its time on.
void ct_sound_find_next_marker(ct_sound_system *s, uint32_t slot);

// Sets a parameter of an instance; warns of those that are not declared or of another kind.
void ct_sound_set_checked(ct_sound_system *s, uint32_t slot, ct_string_id32 key,
                          ct_sound_parameter_value value, ct_sound_parameter_kind kind);

// --- Hearing (sound_update.c) --------------------------------------------------------------------

// What layers of an instance share in an update.
typedef struct ct_sound_hearing {
    ct_sound_scope scope;
    ct_sound_heard heard;
    bool is_heard; // `heard` is filled: it is placed, and its place matters
} ct_sound_hearing;

// Hears an instance where it is now; sets its distance.
void ct_sound_hear_instance(ct_sound_system *s, uint32_t slot, ct_sound_hearing *hearing);

// Returns how a layer with these levels and this leaf sounds.
ct_voice_params ct_sound_layer_params(const ct_sound_system *s, uint32_t slot,
                                      const ct_sound_hearing *hearing,
                                      const ct_sound_levels *levels, uint32_t node,
                                      const ct_sound_media *media);

// Returns the loudness of a layer with these parameters: with the buses up to the root.
float ct_sound_loudness_of(const ct_sound_system *s, uint32_t slot, const ct_voice_params *params,
                           const ct_sound_media *media);

// Evaluates an instance and sends what changed.
void ct_sound_update_instance(ct_sound_system *s, uint32_t slot);

// --- Admission (sound_admit.c) -------------------------------------------------------------------

// Decides which voices of all worlds are real, and sends it to the mixer.
void ct_sound_admit(ct_sound_system *s);

// Whether a voice that starts now is real: until the next ct_sound_admit. Another one may become
// virtual for it.
bool ct_sound_admit_new(ct_sound_system *s, uint32_t slot, const ct_sound_media *media,
                        float loudness);

// --- Trees (sound_follow.c) ----------------------------------------------------------------------

// Lists the switches that follow in an instance with their children now.
void ct_sound_follows_init(ct_sound_system *s, uint32_t slot, const ct_sound_scope *scope);

// Fades from the layers below switches whose child changed to new ones.
void ct_sound_follow_switches(ct_sound_system *s, uint32_t slot, const ct_sound_hearing *hearing);

// Whether an instance without layers goes on: a switch that follows may start some.
bool ct_sound_may_go_on(const ct_sound_system *s, uint32_t slot);

// Gives instances of all worlds the event that was loaded again; `event` NULL: they fade out.
void ct_sound_follow_event(ct_sound_system *s, ct_string_id64 name,
                           const ct_sound_event_resource *event);

// Finds the bus of an instance, after its event or the buses changed, and moves its voices there.
void ct_sound_find_instance_bus(ct_sound_system *s, uint32_t slot);

// --- Buses (sound_buses.c) -----------------------------------------------------------------------

// Make and free what is kept of the buses: a root at first.
void ct_sound_buses_init(ct_sound_system *s);
void ct_sound_buses_free(ct_sound_system *s);
// Moves snapshots on, and sends what changed.
void ct_sound_buses_update(ct_sound_system *s, double dt);

// --- Stopping (sound_control.c) ------------------------------------------------------------------

// Stops an instance from a clock on; earlier: at once. `fade` in seconds, not negative.
void ct_sound_stop_slot(ct_sound_system *s, uint32_t slot, uint64_t when, float fade);

// --- Small ---------------------------------------------------------------------------------------

// Returns the frames of the mixer in a time, at most 4e9.
static inline uint32_t ct_sound_frames_of(double seconds) {
    const double frames = seconds * CT_MIXER_RATE;
    return frames <= 0 ? 0 : frames >= 4e9 ? UINT32_C(4000000000) : (uint32_t)(frames + 0.5);
}

// Whether all parts of a vector are finite.
static inline bool ct_sound_is_finite3(ct_vec3 v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

// Whether an instance has one of some flags.
static inline bool ct_sound_has_flag(const ct_sound_system *s, uint32_t slot, uint32_t flag) {
    return (s->instances.flags[slot] & flag) != 0;
}

// Returns the node at a position of an event, which must be in its array.
static inline const ct_sound_node *ct_sound_node_at(const ct_sound_event_resource *e,
                                                    uint32_t node) {
    return (const ct_sound_node *)ct_blob_at(e, e->nodes.offset) + node;
}
