// network_interpolation.h: objects of others between their updates.
//
// Updates come late and unevenly. So objects of others are shown as they were a little while ago, a
// delay that is long enough for the next update to be there already. A buffer holds the last
// records of one object with their times; a moment is a place between two of them. The delay is
// that of all objects of a peer. Times are seconds of the clock that all nodes have in common
// (network_clock.h). A buffer and a delay belong to one thread.
#pragma once
#include "network/fields/network_record.h"

enum { CT_NETWORK_BUFFER_RECORDS = 32 }; // the most that a buffer holds; the oldest is replaced
#define CT_NETWORK_MAX_DELAY 1.0         // seconds

typedef struct ct_network_buffer ct_network_buffer;

// A place between two records; pointers are borrowed until the next ct_network_buffer_add.
typedef struct ct_network_moment {
    const uint32_t *before, *after;
    float share; // of the way: 0 is `before`, 1 `after`, more is beyond it
} ct_network_moment;

// --- Buffers -------------------------------------------------------------------------------------

// Makes an empty buffer for records of a type; one allocation of 32 records. `record` is borrowed.
ct_network_buffer *ct_network_buffer_create(ct_allocator *a, const ct_network_record_type *record);
void ct_network_buffer_destroy(ct_network_buffer *buffer); // NULL is fine

// Copies the words of a record that the object had at `time`. An update that is not newer than the
// last is ignored; times that are not finite, too.
void ct_network_buffer_add(ct_network_buffer *buffer, double time, const uint32_t *words);

// Returns the time of the newest record; -HUGE_VAL when the buffer is empty.
double ct_network_buffer_newest(const ct_network_buffer *buffer);

// Notes that the object was shown at its newest record until `time`, a time that was shown: what comes
// next begins there, so that what rested sets off without a leap. Earlier times change nothing.
void ct_network_buffer_hold(ct_network_buffer *buffer, double time);

// Finds the moment of `time`. Before the oldest record it is the oldest; behind the newest it goes
// on for at most `most_beyond` seconds (0: it stays there), and never farther than the way between
// the last two records. Returns false when the buffer is empty.
bool ct_network_buffer_find(const ct_network_buffer *buffer, double time, double most_beyond,
                            ct_network_moment *moment);

// Returns the value of a field at a moment, or of an element of it (UINT32_MAX: the field itself),
// which must be below the count of the record that the moment is in. Floats and vectors go in a
// straight line, within their range; rotations turn evenly the shorter way; integers and all else
// keep the value of `before` until `after` is reached. So do elements of arrays. At `after` a value is
// exactly that of its words.
ct_network_value ct_network_moment_value(const ct_network_config_resource *config,
                                         const ct_network_record_type *record,
                                         const ct_network_moment *moment, uint32_t field,
                                         uint32_t element);

// --- The delay -----------------------------------------------------------------------------------

// How late the updates of a peer are, and what is shown because of it. Zeroed: no updates yet.
typedef struct ct_network_delay {
    double late, deviation; // seconds from sending to arrival: mean, and its mean deviation
    double interval;        // seconds between updates
    double last_sent;
    double fixed;       // set by the game; used when `is_fixed`
    double delay;       // in force
    double last, shown; // of the last ct_network_delay_time
    uint32_t num_updates;
    bool is_fixed, has_shown;
} ct_network_delay;

// Notes an update that was sent at `sent` and arrived at `arrived`, both of the common clock.
// Ignores times that are not finite.
void ct_network_delay_add(ct_network_delay *delay, double sent, double arrived);

// Sets the delay to a number of seconds (0 to CT_NETWORK_MAX_DELAY, else the nearest); a negative
// one lets it adapt again.
void ct_network_delay_set(ct_network_delay *delay, double seconds);

// Returns the time to show at `now` of the common clock. It never returns less than before, and
// goes at most a twentieth faster or slower than `now`, but for the first call and for calls a
// second or more behind.
double ct_network_delay_time(ct_network_delay *delay, double now);
