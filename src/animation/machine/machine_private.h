// machine_private.h: the parts of a state machine, for the files of this folder.
//
// A layer has a chain of states that play: the newest, which decides about transitions, and up to
// some older ones that fade out. Each has a share; the shares of a chain add up to 1. A state fades
// in over all that are older. When a fifth state would fade out, the one with the least share is
// dropped: its share goes to 0 in CT_MACHINE_DROP_SECONDS.
//
// Variables do not change during an update, so nothing that depends on them does. Between two
// moments (a transition, the end of a fade) phases are linear in time. An update goes from moment
// to moment. All times are doubles.
#pragma once
#include "animation/machine/machine_event.h"

enum {
    CT_MACHINE_FADING = 4, // older states of a chain that are not being dropped
    CT_MACHINE_SLOTS = 8,  // of a chain
    CT_MACHINE_PENDING_EVENTS = 32,
    CT_MACHINE_NO_PLAYER = 255,
    CT_MACHINE_TRANSITIONS_AT_ONCE = 32, // more at one moment are a cycle
    CT_MACHINE_TRANSITIONS = 1 << 18,    // of a layer in one update
};

#define CT_MACHINE_DROP_SECONDS 0.1
#define CT_MACHINE_EVENT_WEIGHT 0.1f

typedef enum ct_machine_slot_flag {
    CT_MACHINE_SLOT_SMOOTH = 1,
    CT_MACHINE_SLOT_INTERRUPTIBLE = 2,
    CT_MACHINE_SLOT_FOLLOWS = 4, // has the tempo of the next newer state
    CT_MACHINE_SLOT_FRESH = 8,   // events at its phase have not come out
    CT_MACHINE_SLOT_DROPS = 16,  // its own share goes to 0
    CT_MACHINE_SLOT_COVERS = 32, // the share of all older ones goes to 0
    CT_MACHINE_SLOT_FLAGS = 63,
} ct_machine_slot_flag;

// A state that plays.
typedef struct ct_machine_slot {
    uint32_t state;        // in the resource
    uint32_t flags;        // ct_machine_slot_flag
    double phase;          // of the clips in step, 0 to 1; below 1 when it loops
    double rounds;         // whole rounds since it was entered
    double seconds;        // since it was entered
    double fade, duration; // seconds of the fade into it: passed, in all
    double drop;           // seconds since it drops or covers
    // Computed from variables:
    double rate, own_rate; // rounds a second; own: without following
    double length;         // seconds of a round at speed 1
    bool loops;
    uint8_t heaviest; // the leaf in step with the largest weight
    // By leaf; they stay with the slot.
    float *weights;   // of the state, 1 in all without added ones
    double *rates;    // of those with their own time, and in step
    double *phases;   // of those with their own time
    uint8_t *players; // CT_MACHINE_NO_PLAYER: none
} ct_machine_slot;

typedef struct ct_machine_layer {
    const ct_state_machine_layer *resource;
    ct_machine_slot slots[CT_MACHINE_SLOTS];
    uint8_t order[CT_MACHINE_SLOTS]; // slots, oldest first; those after `num_playing` are free
    uint32_t num_playing;
    uint32_t pending;      // transition whose event came and that waits for its time; NONE
    uint32_t num_at_once;  // transitions since time passed
    uint32_t num_started;  // transitions in this update
    bool is_blocked;       // in a cycle of transitions without time
    ct_machine_pose moved; // by root motion in this update
} ct_machine_layer;

struct ct_state_machine {
    ct_allocator *allocator;
    const ct_state_machine_resource *resource;
    uint64_t block_bytes;
    uint32_t num_layers, num_variables, num_clips, max_leaves;
    ct_machine_layer *layers;
    ct_machine_clip *clips;
    float *variables;
    float *layer_weights;
    uint64_t players, new_players; // bits
    bool was_changed;              // players may have started since the last update
    bool has_warned;               // of a cycle
    uint32_t num_pending;          // events that come out at the start of the next update
    uint32_t num_pending_dropped;  // that had no room
    ct_string_id32 pending[CT_MACHINE_PENDING_EVENTS];
    ct_machine_events events;
    uint32_t num_samples;
    ct_state_machine_sample samples[CT_STATE_MACHINE_MAX_SAMPLES];
    ct_animation_root_pose root_delta;
};

// --- The resource --------------------------------------------------------------------------------

// Returns the state of this number.
static inline const ct_state_machine_state *ct_machine_state(const ct_state_machine *m,
                                                             uint32_t state) {
    return (const ct_state_machine_state *)ct_blob_at(m->resource, m->resource->states.offset) +
           state;
}

// Returns the leaves of a state.
static inline const ct_state_machine_leaf *ct_machine_leaves(const ct_state_machine *m,
                                                             const ct_state_machine_state *s) {
    return (const ct_state_machine_leaf *)ct_blob_at(m->resource, m->resource->leaves.offset) +
           s->first_leaf;
}

// Returns all transitions.
static inline const ct_state_machine_transition *ct_machine_transitions(const ct_state_machine *m) {
    return ct_blob_at(m->resource, m->resource->transitions.offset);
}

// The number `index` of a chain, oldest first.
static inline ct_machine_slot *ct_machine_at(ct_machine_layer *l, uint32_t index) {
    return &l->slots[l->order[index]];
}

// The newest of a chain.
static inline ct_machine_slot *ct_machine_newest(ct_machine_layer *l) {
    return ct_machine_at(l, l->num_playing - 1);
}

// --- machine_blend.c -----------------------------------------------------------------------------

// Computes a slot's weights and rates from the variables.
void ct_machine_weigh(const ct_state_machine *m, ct_machine_slot *s);

// Sets `shares` of CT_MACHINE_SLOTS to the shares of a chain, oldest first, `ahead` seconds from
// now.
void ct_machine_shares(const ct_machine_layer *l, double ahead, double *shares);

// --- machine_layer.c -----------------------------------------------------------------------------

// Puts a layer in its start state, whose enter event comes out at the start of the next update.
void ct_machine_enter_start(ct_state_machine *m, ct_machine_layer *l);

// Starts a transition `time` seconds after the update's start. Events of leaving and entering come
// out through ct_machine_add_event, or are left to the caller when `is_outside` an update.
void ct_machine_start(ct_state_machine *m, ct_machine_layer *l,
                      const ct_state_machine_transition *t, double time, bool is_outside);

// Takes a state out of a chain. Its slot becomes free.
void ct_machine_remove(ct_state_machine *m, ct_machine_layer *l, uint32_t index);

// Whether a transition may start now: a fade that cannot be interrupted prevents it.
bool ct_machine_is_locked(ct_machine_layer *l);

// Advances one layer.
void ct_machine_advance_layer(ct_state_machine *m, ct_machine_layer *l, double dt);

// --- machine_output.c ----------------------------------------------------------------------------

// Fills in samples, players, layers' weights and the root's motion.
void ct_machine_write_output(ct_state_machine *m);
