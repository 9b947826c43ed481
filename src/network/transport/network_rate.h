// network_rate.h: how many bytes a second a connection gets, from what is measured of it.
//
// Loss decides as in "A Google Congestion Control Algorithm for Real-Time Communication" (Holmer et
// al. 2016, section 6): above 10 % the rate falls, below 2 % it grows, between them it stays. A round
// trip that has become longer than the shortest of the last 10 to 20 seconds means that a queue
// fills up, and the rate falls as well, until the round trip gets shorter. It grows by 8 % a second, and
// only while it is used. Pure; any thread.
#pragma once
#include "foundation/types.h"

// Zeroed: nothing is known, and the rate is the least.
typedef struct ct_network_rate {
    double bytes;       // a second
    double sent, lost;  // reliable packets; older ones count less
    double shortest[2]; // round trips in seconds: of this span of 10 s and the one before; 0: none
    double span;        // seconds of this span so far
    double hold;        // seconds until it may fall again, as what that does shows late
    double last;        // round trip of the last sample
} ct_network_rate;

// What was measured since the last time.
typedef struct ct_network_rate_sample {
    double seconds;    // how long that was
    double used_bytes; // that were sent of those that the rate limits
    double allowed;    // bytes a second that it was allowed to
    double sent, lost; // reliable packets that were sent, and that had to be sent again
    double round_trip; // seconds; 0: unknown
} ct_network_rate_sample;

// Starts with a rate.
void ct_network_rate_start(ct_network_rate *rate, double bytes);
// Adapts the rate, between `least` and `most` bytes a second. For samples of about half a second.
void ct_network_rate_adapt(ct_network_rate *rate, const ct_network_rate_sample *sample,
                           double least, double most);
