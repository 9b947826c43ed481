#include "network/fields/network_clock.h"

#include <math.h>
#include <string.h>

void ct_network_clock_init(ct_network_clock *clock) {
    memset(clock, 0, sizeof(*clock));
}

void ct_network_clock_add(ct_network_clock *clock, double sent, double host, double received) {
    const double round_trip = received - sent;
    const double offset = host - (sent + received) / 2;
    if (!(round_trip >= 0) || !isfinite(round_trip) || !isfinite(offset))
        return;
    clock->pings[clock->num_pings++ % CT_NETWORK_CLOCK_PINGS] =
        (ct_network_ping){offset, round_trip};
}

// NULL without pings.
static const ct_network_ping *best_ping(const ct_network_clock *clock) {
    const ct_network_ping *best = NULL;
    for (uint32_t i = 0; i < CT_NETWORK_CLOCK_PINGS && i < clock->num_pings; ++i) {
        if (!best || clock->pings[i].round_trip < best->round_trip)
            best = &clock->pings[i];
    }
    return best;
}

double ct_network_clock_time(ct_network_clock *clock, double now) {
    const ct_network_ping *const best = best_ping(clock);
    if (!best)
        return now;
    const double missing = best->offset - clock->offset;
    const double elapsed = clock->has_time ? fmax(0, now - clock->last_own) : 0;
    const double most = CT_NETWORK_CLOCK_SLEW * elapsed;
    if (missing > CT_NETWORK_CLOCK_JUMP || !clock->has_time)
        clock->offset += missing;
    else
        clock->offset += fmin(fmax(missing, -most), most);
    const double time = now + clock->offset;
    clock->last_time = clock->has_time ? fmax(clock->last_time, time) : time;
    clock->last_own = now;
    clock->has_time = true;
    return clock->last_time;
}

double ct_network_clock_round_trip(const ct_network_clock *clock) {
    const ct_network_ping *const best = best_ping(clock);
    return best ? best->round_trip : 0;
}
