// network_clock.h: the host's time on another node, from pings.
//
// A ping gives the difference of two clocks up to half of its round trip (Cristian 1989). The one
// with the smallest round trip of the last 16 counts. The estimate follows it slowly, at most
// CT_NETWORK_CLOCK_SLEW of the time that passes, and never goes backwards. Times are seconds; the
// own clock must not go backwards. A plain struct, without allocations; one thread.
#pragma once
#include "foundation/types.h"

enum { CT_NETWORK_CLOCK_PINGS = 16 };
#define CT_NETWORK_CLOCK_SLEW 0.05 // seconds a second
#define CT_NETWORK_CLOCK_JUMP 0.5  // seconds; an estimate that is further behind jumps ahead

typedef struct ct_network_ping {
    double offset;     // the host's time less ours
    double round_trip; // seconds
} ct_network_ping;

typedef struct ct_network_clock {
    ct_network_ping pings[CT_NETWORK_CLOCK_PINGS]; // a ring
    uint32_t num_pings;                            // all since the start
    double offset;                                 // in force: the host's time less ours
    double last_own, last_time;                    // of the last ct_network_clock_time
    bool has_time;
} ct_network_clock;

// Starts without pings: until the first, the host's time is ours. Also for a new host.
void ct_network_clock_init(ct_network_clock *clock);

// Notes a ping that was sent at our time `sent`, and whose answer arrived at our time `received`
// with the host's time `host` in it. Ignores times that are not finite, and answers that arrived
// before they were sent.
void ct_network_clock_add(ct_network_clock *clock, double sent, double host, double received);

// Returns the host's time at our time `now`. From the first call after the first ping on, it never
// returns less than before.
double ct_network_clock_time(ct_network_clock *clock, double now);

// Returns the smallest round trip of the last pings in seconds; 0 without pings.
double ct_network_clock_round_trip(const ct_network_clock *clock);
