// input_events.h: the input events of a frame, in order.
//
// One fixed array of events and one buffer of text for a frame; both are emptied when the next
// frame begins. Events that do not fit are dropped and counted, so that a flood of events costs no
// memory. The state of devices (input.h) stays correct: it does not depend on this list. Update
// thread.
#pragma once
#include "foundation/math/math_types.h"
#include "resource/types/input_names.h"

enum { CT_INPUT_MAX_EVENTS = 1024, CT_INPUT_MAX_TEXT_BYTES = 16384 }; // of a frame

typedef enum ct_input_event_kind {
    CT_INPUT_EVENT_KIND_NONE,
    CT_INPUT_EVENT_KIND_PRESSED,      // number: the button
    CT_INPUT_EVENT_KIND_RELEASED,     // number: the button
    CT_INPUT_EVENT_KIND_AXIS,         // number: the axis; value: its new state, or the movement
    CT_INPUT_EVENT_KIND_KEYSTROKE,    // number: a key that is no text; comes again while held
    CT_INPUT_EVENT_KIND_TEXT,         // text: what was typed
    CT_INPUT_EVENT_KIND_EDITING,      // text: unfinished text of an input method; value: x cursor,
                                      // y length of the selection, in characters
    CT_INPUT_EVENT_KIND_TOUCH_BEGAN,  // number: the contact's id; value: where, in pixels
    CT_INPUT_EVENT_KIND_TOUCH_MOVED,  // the same
    CT_INPUT_EVENT_KIND_TOUCH_ENDED,  // the same
    CT_INPUT_EVENT_KIND_CONNECTED,    // text: the device's name
    CT_INPUT_EVENT_KIND_DISCONNECTED, //
    CT_NUM_INPUT_EVENT_KINDS,
} ct_input_event_kind;

typedef struct ct_input_event {
    uint64_t time_ns; // by the clock of ct_os_time_ns; never before that of the event before it
    ct_input_event_kind kind;
    ct_input_device device;
    uint32_t number;
    ct_vec3 value;
    const char *text; // UTF-8, zero-terminated, borrowed until the next frame; NULL without text
} ct_input_event;

// The events of a frame. Zeroed: an empty list.
typedef struct ct_input_events {
    ct_input_event items[CT_INPUT_MAX_EVENTS];
    uint32_t count;
    uint32_t num_dropped; // in this frame
    char text[CT_INPUT_MAX_TEXT_BYTES];
    uint32_t text_bytes;
} ct_input_events;

// Empties the list and resets num_dropped.
void ct_input_events_clear(ct_input_events *events);

// Appends a copy of `event` with its text. Drops an event that does not fit (with one warning,
// `input_flood`) or whose text is not UTF-8. A time before that of the last event is raised to it.
void ct_input_events_add(ct_input_events *events, const ct_input_event *event);

// Returns the kind's name: "pressed", "axis" and so on.
const char *ct_input_event_kind_name(ct_input_event_kind kind);

// Returns the kind of this name, or NONE.
ct_input_event_kind ct_input_event_kind_named(const char *name);
