// touch_contacts.h: the fingers on a touch panel.
//
// Contacts are in the order in which they began. A contact that ended stays until the end of that
// frame, so that a quick tap is not missed. Update thread.
#pragma once
#include "foundation/math/math_types.h"

enum { CT_TOUCH_MAX_CONTACTS = 16 }; // further fingers are ignored

typedef enum ct_touch_phase {
    CT_TOUCH_PHASE_RESTING, // since before this frame, and not moved in it
    CT_TOUCH_PHASE_BEGAN,
    CT_TOUCH_PHASE_MOVED,
    CT_TOUCH_PHASE_ENDED,
    CT_NUM_TOUCH_PHASES,
} ct_touch_phase;

typedef struct ct_touch_contact {
    uint32_t id;      // from 1, not used again before 2^32 others
    uint64_t finger;  // the system's number
    ct_vec2 location; // pixels of the window from the top left
    ct_vec2 delta;    // pixels moved in this frame
    float pressure;   // 0 to 1
    ct_touch_phase phase;
    bool is_new; // began in this frame, whatever its phase is now
} ct_touch_contact;

// Zeroed: no finger touches the panel.
typedef struct ct_touch_contacts {
    ct_touch_contact items[CT_TOUCH_MAX_CONTACTS];
    uint32_t count;
    uint32_t last_id;
} ct_touch_contacts;

// Starts a frame: removes contacts that ended; the others rest and have moved by 0.
void ct_touch_begin_frame(ct_touch_contacts *contacts);

// Adds a contact for a finger that came down. `location` is in pixels of the window, `pressure` is
// clamped to 0 to 1. Returns the contact's id, or 0 when the finger is down already, there are too
// many contacts, or the location is not finite.
uint32_t ct_touch_begin(ct_touch_contacts *contacts, uint64_t finger, ct_vec2 location,
                        float pressure);

// Moves the contact of a finger. Returns the contact's id, or 0 when the finger is unknown or the
// location is not finite.
uint32_t ct_touch_move(ct_touch_contacts *contacts, uint64_t finger, ct_vec2 location,
                       float pressure);

// Ends the contact of a finger, which stays until the next frame. A location that is not finite
// leaves it where it was. Returns the contact's id, or 0 when the finger is unknown.
uint32_t ct_touch_end(ct_touch_contacts *contacts, uint64_t finger, ct_vec2 location);

// Returns the contact with this id, or NULL. Borrowed until contacts change.
const ct_touch_contact *ct_touch_find(const ct_touch_contacts *contacts, uint32_t id);

// Returns the oldest contact that has not ended, or NULL. Borrowed until contacts change.
const ct_touch_contact *ct_touch_oldest(const ct_touch_contacts *contacts);

// Returns "resting", "began", "moved" or "ended".
const char *ct_touch_phase_name(ct_touch_phase phase);
