// network_conditions.h: how bad a simulated network is, as numbers and as text.
//
// `loss=5%,delay=80ms,jitter=20ms,duplicate=1%,reorder=2%,bandwidth=256k` is the text; parts that are
// not there are 0, and "none" is a network that does nothing. Pure; any thread.
#pragma once
#include "foundation/types.h"

// {0} changes nothing. What each part does to a datagram that is sent, in this order:
typedef struct ct_network_conditions {
    double loss_percent;      // 0 to 100: how many get lost
    uint64_t bandwidth;       // bytes a second, one behind the other; 0: no limit
    uint64_t delay_ns;        // how long each takes
    uint64_t jitter_ns;       // up to this much longer, all equally likely
    double reorder_percent;   // how many take 10 to 50 ms longer, so that later ones pass them
    double duplicate_percent; // how many arrive twice, the second with a jitter of its own
} ct_network_conditions;

enum {
    CT_NETWORK_CONDITIONS_BYTES = 256, // of conditions as text, with the terminator
};
#define CT_NETWORK_CONDITIONS_MAX_NS UINT64_C(60000000000) // of delay and jitter: a minute

// Reads text as above: parts in any order, each at most once, separated by commas. Percentages are
// from 0% to 100%, times have "us", "ms" or "s" behind them (at most 60s), a bandwidth is in bytes a
// second, with "k" for thousands or "M" for millions. Returns false with `error`, which says what
// was found and what to write, and leaves `conditions`.
bool ct_network_conditions_parse(const char *text, ct_network_conditions *conditions,
                                 ct_error *error);

// Writes conditions as text that reads back to the same. Returns `text`.
const char *ct_network_conditions_print(const ct_network_conditions *conditions,
                                        char text[CT_NETWORK_CONDITIONS_BYTES]);
