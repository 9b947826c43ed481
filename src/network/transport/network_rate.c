#include "network/transport/network_rate.h"

#define SPAN_SECONDS 10.0
#define KEPT 0.8          // of the counts of packets, for each sample
#define FEWEST_PACKETS 20 // one of a few that is lost says little

void ct_network_rate_start(ct_network_rate *rate, double bytes) {
    *rate = (ct_network_rate){.bytes = bytes};
}

static double smaller(double a, double b) {
    return a < b ? a : b;
}

// Notes a round trip. Returns the shortest of the last spans, 0 when none is known.
static double note_round_trip(ct_network_rate *rate, double round_trip, double seconds) {
    rate->span += seconds;
    if (rate->span >= SPAN_SECONDS) {
        rate->span = 0;
        rate->shortest[1] = rate->shortest[0];
        rate->shortest[0] = 0;
    }
    double *const now = &rate->shortest[0];
    if (round_trip > 0)
        *now = *now > 0 ? smaller(*now, round_trip) : round_trip;
    return *now > 0 && rate->shortest[1] > 0 ? smaller(*now, rate->shortest[1])
                                             : *now + rate->shortest[1];
}

static double note_loss(ct_network_rate *rate, const ct_network_rate_sample *sample) {
    rate->sent = rate->sent * KEPT + sample->sent;
    rate->lost = rate->lost * KEPT + sample->lost;
    return rate->lost / (rate->sent > FEWEST_PACKETS ? rate->sent : FEWEST_PACKETS);
}

void ct_network_rate_adapt(ct_network_rate *rate, const ct_network_rate_sample *sample,
                           double least, double most) {
    const double shortest = note_round_trip(rate, sample->round_trip, sample->seconds);
    const double loss = note_loss(rate, sample);
    const bool has_queue = sample->round_trip > 1.5 * shortest + 0.03;
    const bool is_filling = has_queue && sample->round_trip >= rate->last;
    rate->last = sample->round_trip;
    rate->hold -= sample->seconds;
    if (loss > 0.1 || is_filling) {
        if (rate->hold <= 0) {
            rate->bytes *= is_filling ? 0.7 : 1 - 0.5 * loss;
            rate->hold = 1 + 2 * sample->round_trip;
        }
    } else if (!has_queue && loss < 0.02 &&
               sample->used_bytes > 0.5 * sample->allowed * sample->seconds) {
        rate->bytes *= 1.04;
    }
    rate->bytes = rate->bytes < most ? rate->bytes : most;
    rate->bytes = rate->bytes > least ? rate->bytes : least;
}
