// machine_event.h: the events of one update: sorted by time, the earliest when there are too many.
//
// A clip's events come when its phase passes them, forwards or backwards: each once, whatever the
// steps of the updates. A step takes the events after the phase where it starts, up to and with the
// phase where it ends; those at the first phase of all come with the first step that moves (`is_fresh`).
// The end of a round and the start of the next are one moment, in which events at both come.
#pragma once
#include "animation/machine/machine_root.h"
#include "animation/machine/state_machine.h"

typedef struct ct_machine_events {
    uint32_t count, num_dropped;
    ct_state_machine_out_event items[CT_STATE_MACHINE_MAX_EVENTS]; // by time
} ct_machine_events;

// Adds an event that comes `time` seconds after the update's start. When there are too many, the
// last is dropped and counted.
void ct_machine_add_event(ct_machine_events *e, ct_string_id32 name, double time);

// Adds the events of a clip whose phase goes from `from`, which counts when `is_fresh`, to `to`,
// which counts, at `rate` rounds a second from `time` on. With `loops`, `to` may be anywhere; else
// both are from 0 to 1. The clip may be missing.
void ct_machine_add_clip_events(ct_machine_events *e, const ct_machine_clip *clip, double from,
                                double to, bool loops, bool is_fresh, double rate, double time);
