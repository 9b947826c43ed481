#include "animation/machine/machine_event.h"

#include <math.h>

#include "resource/blob/blob.h"

static bool is_after_all(const ct_machine_events *e, double time) {
    return e->count == CT_STATE_MACHINE_MAX_EVENTS &&
           (float)time >= e->items[CT_STATE_MACHINE_MAX_EVENTS - 1].time;
}

void ct_machine_add_event(ct_machine_events *e, ct_string_id32 name, double time) {
    if (e->count == CT_STATE_MACHINE_MAX_EVENTS) {
        e->num_dropped += e->num_dropped < UINT32_MAX;
        if (is_after_all(e, time))
            return;
        --e->count;
    }
    uint32_t i = e->count++;
    for (; i > 0 && e->items[i - 1].time > (float)time; --i)
        e->items[i] = e->items[i - 1];
    e->items[i] = (ct_state_machine_out_event){name, (float)time};
}

// A part of one round: the events after `from` up to and with `to` when it goes forward, and those
// before `from` down to and with `to` when it goes back.
typedef struct round_part {
    const ct_machine_clip *clip;
    double from, to, rate, time; // `time` is that of phase `from`
    bool with_from;
} round_part;

static void add_part(ct_machine_events *e, const round_part *p) {
    const ct_animation_resource *const r = p->clip->resource;
    const ct_animation_event *const events = ct_blob_at(r, r->events.offset);
    const bool is_forward = p->rate > 0;
    for (uint32_t i = 0; i < r->events.count; ++i) {
        const uint32_t k = is_forward ? i : r->events.count - 1 - i;
        const double phase = fmin((double)events[k].time / p->clip->length, 1);
        const bool is_in =
            is_forward ? phase > p->from && phase <= p->to : phase < p->from && phase >= p->to;
        if (is_in || (p->with_from && phase == p->from))
            ct_machine_add_event(e, events[k].name, p->time + (phase - p->from) / p->rate);
    }
}

// Adds the events of `rounds` whole rounds from `time` on.
static void add_rounds(ct_machine_events *e, const ct_machine_clip *clip, double rounds,
                       double rate, double time) {
    const double seconds = 1 / fabs(rate), num_events = clip->resource->events.count;
    const bool is_forward = rate > 0;
    for (double done = 0; done < rounds; ++done) {
        if (is_after_all(e, time + done * seconds)) {
            const double dropped = e->num_dropped + (rounds - done) * num_events;
            e->num_dropped = dropped < UINT32_MAX ? (uint32_t)dropped : UINT32_MAX;
            return;
        }
        add_part(e, &(round_part){.clip = clip,
                                  .from = is_forward ? 0 : 1,
                                  .to = is_forward ? 1 : 0,
                                  .rate = rate,
                                  .time = time + done * seconds,
                                  .with_from = true});
    }
}

void ct_machine_add_clip_events(ct_machine_events *e, const ct_machine_clip *clip, double from,
                                double to, bool loops, bool is_fresh, double rate, double time) {
    if (!clip->resource || clip->resource->events.count == 0 || rate == 0)
        return;
    const double rounds = loops ? floor(to) : 0;
    round_part first = {clip, from, to, rate, time, is_fresh};
    if (rounds == 0) {
        add_part(e, &first);
        return;
    }
    // The end of a round and the start of the next are one moment.
    const bool is_forward = rate > 0;
    first.to = is_forward ? 1 : 0;
    add_part(e, &first);
    const double passed = time + (first.to - from) / rate, whole = fabs(rounds) - 1;
    add_rounds(e, clip, whole, rate, passed);
    add_part(e, &(round_part){.clip = clip,
                              .from = is_forward ? 0 : 1,
                              .to = to - rounds,
                              .rate = rate,
                              .time = passed + whole / fabs(rate),
                              .with_from = true});
}
