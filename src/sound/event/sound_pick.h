// sound_pick.h: which leaves of an event's tree play.
#pragma once
#include "foundation/math/random.h"
#include "sound/event/sound_curves.h"

// A leaf that was picked.
typedef struct ct_sound_pick {
    uint32_t node;    // position of the SOUND node
    uint32_t after;   // position in the picks of the one it follows in a CHAIN; UINT32_MAX: none
    uint32_t repeats; // 0: loops until it is stopped
    float delay;      // seconds; with `after`, from its end
    uint32_t follows; // the innermost SWITCH above it that FOLLOWS; CT_SOUND_NO_NODE: none
    ct_sound_levels levels; // constants and ranges of its path
} ct_sound_pick;

// What RANDOM and SEQUENCE nodes remember from start to start: for each slot of the event the children
// that played last, the newest in the lowest 8 bits; 255: none.
typedef uint64_t ct_sound_slot;

#define CT_SOUND_SLOT_EMPTY UINT64_MAX // at the start

// Picks the leaves below `node` of a valid event, at most CT_SOUND_EVENT_MAX_LAYERS (those of a CHAIN
// count), and returns how many; the rest is left out. `slots` (num_slots) are changed. Picks come after
// those that they follow.
//
// A child of a CHAIN follows the first leaf of the child before; a RANDOM or SWITCH that repeats in it
// is picked each time. What would follow an endless leaf is left out. A RANDOM that avoids all of its
// children with a weight forgets the oldest of them.
//
// When `node` is not the root, values and switches above it count, delays above it do not: so a SWITCH
// that follows its parameter changes to another child.
uint32_t ct_sound_pick_leaves(const ct_sound_event_resource *e, uint32_t node,
                              const ct_sound_scope *scope, ct_sound_slot *slots, ct_random *random,
                              ct_sound_pick picks[CT_SOUND_EVENT_MAX_LAYERS]);

// Returns the child of a SWITCH that plays now; CT_SOUND_NO_NODE: no case holds. A parameter that is not
// set anywhere has its declared value.
uint32_t ct_sound_switch_child(const ct_sound_event_resource *e, uint32_t node,
                               const ct_sound_scope *scope);
