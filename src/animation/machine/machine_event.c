// Events of an update: sorted by time, the earliest when there are too many.
#include <math.h>
#include <string.h>

#include "animation/machine/machine_private.h"

static bool is_after_all(const ct_state_machine *m, double time) {
    return m->num_events == CT_STATE_MACHINE_MAX_EVENTS &&
           (float)time >= m->events[CT_STATE_MACHINE_MAX_EVENTS - 1].time;
}

void ct_machine_add_event(ct_state_machine *m, ct_string_id32 name, double time) {
    if (m->num_events == CT_STATE_MACHINE_MAX_EVENTS) {
        ++m->num_dropped;
        if (is_after_all(m, time))
            return;
        --m->num_events;
    }
    uint32_t i = m->num_events++;
    for (; i > 0 && m->events[i - 1].time > (float)time; --i)
        m->events[i] = m->events[i - 1];
    m->events[i] = (ct_state_machine_out_event){name, (float)time};
}

// A part of one round: the events after `from` up to and with `to` when it goes forward, and those
// before `from` down to and with `to` when it goes back.
typedef struct round_part {
    const ct_machine_clip *clip;
    double from, to, rate, time; // `time` is that of phase `from`
    bool with_from;
} round_part;

static void add_part(ct_state_machine *m, const round_part *p) {
    const ct_animation_resource *const r = p->clip->resource;
    const ct_animation_event *const events = ct_blob_at(r, r->events.offset);
    const bool is_forward = p->rate > 0;
    for (uint32_t i = 0; i < r->events.count; ++i) {
        const ct_animation_event *const e = &events[is_forward ? i : r->events.count - 1 - i];
        const double phase = fmin((double)e->time / p->clip->length, 1);
        const bool is_in =
            is_forward ? phase > p->from && phase <= p->to : phase < p->from && phase >= p->to;
        if (is_in || (p->with_from && phase == p->from))
            ct_machine_add_event(m, e->name, p->time + (phase - p->from) / p->rate);
    }
}

// Adds the events of `rounds` whole rounds from `time` on.
static void add_rounds(ct_state_machine *m, const ct_machine_clip *clip, double rounds, double rate,
                       double time) {
    const double seconds = 1 / fabs(rate), num_events = clip->resource->events.count;
    const bool is_forward = rate > 0;
    for (double done = 0; done < rounds; ++done) {
        if (is_after_all(m, time + done * seconds)) {
            const double dropped = m->num_dropped + (rounds - done) * num_events;
            m->num_dropped = dropped < UINT32_MAX ? (uint32_t)dropped : UINT32_MAX;
            return;
        }
        add_part(m, &(round_part){.clip = clip,
                                  .from = is_forward ? 0 : 1,
                                  .to = is_forward ? 1 : 0,
                                  .rate = rate,
                                  .time = time + done * seconds,
                                  .with_from = true});
    }
}

void ct_machine_add_clip_events(ct_state_machine *m, const ct_machine_clip *clip, double from,
                                double to, bool loops, bool is_fresh, double rate, double time) {
    if (!clip->resource || clip->resource->events.count == 0 || rate == 0)
        return;
    const double rounds = loops ? floor(to) : 0;
    round_part first = {clip, from, to, rate, time, is_fresh};
    if (rounds == 0) {
        add_part(m, &first);
        return;
    }
    // The end of a round and the start of the next are one moment.
    const bool is_forward = rate > 0;
    first.to = is_forward ? 1 : 0;
    add_part(m, &first);
    const double passed = time + (first.to - from) / rate, whole = fabs(rounds) - 1;
    add_rounds(m, clip, whole, rate, passed);
    add_part(m, &(round_part){.clip = clip,
                              .from = is_forward ? 0 : 1,
                              .to = to - rounds,
                              .rate = rate,
                              .time = passed + whole / fabs(rate),
                              .with_from = true});
}
