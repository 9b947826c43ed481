// mixer_bus.h: the tree of buses, of the thread that mixes.
//
// What is mixed into a bus adds up in its `mixed`, which a block empties: between two blocks it holds
// what the next one begins with.
#pragma once
#include <stdatomic.h>

#include "sound/mixer/mixer_filter.h"
#include "sound/mixer/mixer_reverb.h"
#include "sound/mixer/sound_mixer.h"

typedef struct ct_mixer_bus {
    _Alignas(16) float mixed[CT_MIXER_CHANNELS][CT_MIXER_BLOCK];
    bool has_mixed;  // not only zeros
    bool is_ringing; // its filter has something left
    ct_string_id32 name;
    uint32_t parent;   // CT_SOUND_NO_BUS: the root
    float parent_gain; // what of it goes there: 1, or 0 when its parent is new, and 1 after a block
    float gain, gain_target;
    float low_pass; // Hz
    ct_mixer_low_pass filter;

    uint32_t duck_by;                 // CT_SOUND_NO_BUS: none
    float duck_threshold, duck_least; // factors
    float duck_attack, duck_release;  // by how much a block moves the factor
    float duck;                       // the factor
    uint32_t duck_hold;               // blocks for which it is still held down

    ct_mixer_reverb *reverb; // NULL: none
    float reverb_seconds, reverb_damping;

    float peak;                    // of the last block, as it went to its parent
    _Atomic uint32_t highest_peak; // bits of a float >= 0, since it was asked for
} ct_mixer_bus;

// A send, or a way to a parent of before.
typedef struct ct_mixer_bus_link {
    uint32_t from, to;
    float gain, gain_target;
} ct_mixer_bus_link;

typedef struct ct_mixer_buses {
    ct_mixer_bus *buses; // CT_SOUND_MAX_BUSES
    uint32_t num_buses, num_sends;
    uint32_t num_fading; // links after the sends, of another resource: they fade out over a block
    uint32_t order[CT_SOUND_MAX_BUSES]; // positions, as they are mixed; the root is the last
    uint32_t place;                     // CT_SOUND_NO_BUS: none
    ct_mixer_bus_link sends[2 * CT_SOUND_MAX_SENDS];
} ct_mixer_buses;

// Makes the buses, with only a root. Frees them.
void ct_mixer_buses_init(ct_mixer_buses *b, ct_allocator *a);
void ct_mixer_buses_free(ct_mixer_buses *b, ct_allocator *a);

// Sets `moved[i]` to the position that bus i has in a resource (NULL: a root) by its name;
// CT_SOUND_NO_BUS for one that is gone. The root stays the root.
void ct_mixer_buses_match(const ct_mixer_buses *b, const ct_sound_bus_resource *r,
                          uint32_t moved[CT_SOUND_MAX_BUSES]);

// Returns the bus of the place in a resource; CT_SOUND_NO_BUS: none.
uint32_t ct_mixer_buses_place(const ct_sound_bus_resource *r);

// Puts the buses of a resource (NULL: a root) in place of these; `moved` is what
// ct_mixer_buses_match gave. Buses that stay keep their state, and fade over a block from their parent
// and sends of before to those of now; what is mixed into those that are gone goes to the root.
void ct_mixer_buses_set(ct_mixer_buses *b, ct_allocator *a, const ct_sound_bus_resource *r,
                        const uint32_t moved[CT_SOUND_MAX_BUSES]);

// Sets numbers of a bus; it moves there over the next block.
void ct_mixer_bus_set_params(ct_mixer_buses *b, uint32_t bus, const ct_mixer_bus_params *params);

// Mixes all to `out`, CT_MIXER_BLOCK frames, left and right by turns, and empties the buses.
void ct_mixer_buses_block(ct_mixer_buses *b, float *out);

// --- mixer_limit.c -------------------------------------------------------------------------------

// Writes two channels of a block to `out`, left and right by turns. What is below 0.9 passes as it is;
// what is above bends towards 1. What is not a number becomes 0.
void ct_mixer_limit(const float *left, const float *right, float *out);
