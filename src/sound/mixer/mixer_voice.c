// A voice for one block: how far it gets, what it reads, how loud it is, and when it ends.
#include <math.h>
#include <string.h>

#include "sound/mixer/mixer_private.h"

static const float BLOCK_STEP = 1.0f / CT_MIXER_BLOCK;

// A part of a block: `count` frames of a voice, from frame `first` of the block on.
typedef struct ct_mixer_part {
    uint32_t first, count;
    uint32_t stop_at;         // frame of the part at which it begins to fade out; UINT32_MAX
    float gate_from, gate_to; // at the start and the end of the block
} ct_mixer_part;

// --- Fades ---------------------------------------------------------------------------------------

static bool is_flat(const ct_mixer_fade *f) {
    return f->done >= f->frames;
}

static float fade_at(const ct_mixer_fade *f, uint32_t done) {
    if (done >= f->frames)
        return f->to;
    return f->from + (f->to - f->from) * ((float)done / (float)f->frames);
}

void ct_mixer_fade_in(ct_mixer_life *v, uint32_t frames) {
    const uint32_t least =
        v->motion.position < CT_MIXER_ONE ? CT_MIXER_START_FRAMES : CT_MIXER_BLOCK;
    v->fade = (ct_mixer_fade){0, 1, frames > least ? frames : least, 0};
}

void ct_mixer_publish(ct_mixer *m, uint32_t slot) {
    atomic_store_explicit(&m->positions[slot], m->lives[slot].motion.position,
                          memory_order_relaxed);
}

static void begin_stop(ct_mixer_life *v) {
    v->fade = (ct_mixer_fade){fade_at(&v->fade, v->fade.done), 0, v->stop_frames, 0};
    v->is_stopping = true;
    v->stop = CT_MIXER_NEVER;
}

// Moves the fade of a voice through a part; `envelope` (may be NULL) gets its factors.
static void run_fade(ct_mixer_life *v, const ct_mixer_part *part, float *envelope) {
    for (uint32_t i = 0; i < part->count;) {
        if (i == part->stop_at)
            begin_stop(v);
        const uint32_t end =
            i < part->stop_at && part->stop_at < part->count ? part->stop_at : part->count;
        for (uint32_t k = i; envelope && k < end; ++k)
            envelope[k] = fade_at(&v->fade, v->fade.done + (k - i) + 1);
        const uint32_t left = v->fade.frames - v->fade.done;
        v->fade.done += left < end - i ? left : end - i;
        i = end;
    }
}

// --- Reading -------------------------------------------------------------------------------------

typedef enum ct_mixer_supply {
    CT_MIXER_SUPPLY_NONE,
    CT_MIXER_SUPPLY_LAST, // enough for this block, but not for the next one
    CT_MIXER_SUPPLY_FULL,
} ct_mixer_supply;

// Frames of a sound.
typedef struct ct_mixer_span {
    int64_t first;
    uint32_t count;
} ct_mixer_span;

// The frames that `count` frames of output need, with neighbours.
static ct_mixer_span span_of(const ct_mixer_motion *v, uint32_t count) {
    const uint64_t first = v->position >> 32;
    const uint64_t last = ct_mixer_position_after(v, count - 1) >> 32;
    return (ct_mixer_span){(int64_t)first - CT_MIXER_MARGIN,
                           (uint32_t)(last - first) + 1 + 2 * CT_MIXER_MARGIN};
}

// Reads a span of a stream; `ahead` more must be there, but for those after the end.
static bool read_stream(ct_mixer *m, const ct_mixer_tone *t, ct_mixer_span span, uint32_t ahead,
                        float *const *out) {
    const uint32_t num_channels = t->media->num_channels;
    const int64_t end =
        t->region.end == CT_MIXER_NEVER ? INT64_MAX : (int64_t)(t->region.end >> 32);
    const int64_t from = span.first > 0 ? span.first : 0;
    int64_t to = span.first + span.count + ahead;
    to = to < end ? to : end;
    float *const streamed = m->source.streamed;
    if (from < to && !ct_sound_stream_read(m->streams, t->stream, (uint64_t)from + t->unwound,
                                           (uint32_t)(to - from), streamed))
        return false;
    for (uint32_t i = 0; i < span.count; ++i) {
        const int64_t frame = span.first + i;
        const bool is_there = frame >= from && frame < to;
        for (uint32_t c = 0; c < num_channels; ++c)
            out[c][i] = is_there ? streamed[(frame - from) * num_channels + c] : 0;
    }
    return true;
}

static ct_mixer_supply read_span(ct_mixer *m, const ct_mixer_life *v, const ct_mixer_tone *t,
                                 ct_mixer_span span, float *const *out) {
    if (!ct_sound_is_streamed(t->media)) {
        ct_mixer_read_memory(t->media, &t->region, span.first, span.count, out);
        return CT_MIXER_SUPPLY_FULL;
    }
    const uint32_t ahead = (uint32_t)(v->motion.step_target * CT_MIXER_BLOCK >> 32) + 2;
    if (read_stream(m, t, span, ahead, out))
        return CT_MIXER_SUPPLY_FULL;
    return read_stream(m, t, span, 0, out) ? CT_MIXER_SUPPLY_LAST : CT_MIXER_SUPPLY_NONE;
}

// Returns the voice that will follow without a gap, or 0.
static uint32_t joining_voice(const ct_mixer *m, const ct_mixer_tone *t) {
    const uint32_t slot = t->follower;
    if (!slot)
        return 0;
    const ct_mixer_life *const v = &m->lives[slot];
    const ct_sound_media *const media = m->tones[slot].media;
    const bool is_heard = v->is_real && !v->is_paused && !v->delay && is_flat(&v->fade);
    const bool is_alike =
        media->num_channels == t->media->num_channels && media->rate == t->media->rate;
    const bool is_there = media->samples || m->tones[slot].stream != CT_MIXER_NO_STREAM;
    return is_heard && is_alike && is_there ? slot : 0;
}

// Puts the frames of neighbours in chains in place of silence: before the first frame, and after the
// last.
static void read_joints(ct_mixer *m, const ct_mixer_life *v, const ct_mixer_tone *t,
                        ct_mixer_span span, float *const *out) {
    const uint32_t num_channels = t->media->num_channels;
    for (int64_t frame = span.first; frame < 0 && t->joins; ++frame)
        for (uint32_t c = 0; c < num_channels; ++c)
            out[c][frame - span.first] = t->before[c][-1 - frame];
    if (v->end == CT_MIXER_NEVER)
        return;
    const int64_t beyond = span.first + span.count - (int64_t)(v->end >> 32);
    const uint32_t slot = beyond > 0 ? joining_voice(m, t) : 0;
    if (!slot)
        return;
    const uint32_t count = beyond < span.count ? (uint32_t)beyond : span.count;
    const uint32_t at = span.count - count;
    float *const rest[] = {out[0] + at, out[1] + at};
    const ct_mixer_life *const next = &m->lives[slot];
    const ct_mixer_span start = {(int64_t)(next->motion.position >> 32), count};
    if (read_span(m, next, &m->tones[slot], start, rest) == CT_MIXER_SUPPLY_NONE)
        for (uint32_t c = 0; c < num_channels; ++c)
            memset(rest[c], 0, sizeof(float) * count);
}

// Reads and resamples a part of a voice to m->voice.
static ct_mixer_supply read_part(ct_mixer *m, const ct_mixer_life *v, const ct_mixer_tone *t,
                                 uint32_t count) {
    if (ct_sound_is_streamed(t->media) && t->stream == CT_MIXER_NO_STREAM)
        return CT_MIXER_SUPPLY_NONE;
    if (!count)
        return CT_MIXER_SUPPLY_FULL;
    float *const frames[] = {m->source.frames[0], m->source.frames[1]};
    const ct_mixer_span span = span_of(&v->motion, count);
    const ct_mixer_supply supply = read_span(m, v, t, span, frames);
    if (supply == CT_MIXER_SUPPLY_NONE)
        return supply;
    read_joints(m, v, t, span, frames);
    for (uint32_t c = 0; c < t->media->num_channels; ++c) {
        const float *const soft =
            ct_mixer_soften(&v->motion, frames[c], span.count, m->source.softened);
        ct_mixer_resample(&v->motion, (uint64_t)span.first, soft, count, m->voice[c]);
    }
    return supply;
}

// --- Mixing --------------------------------------------------------------------------------------

// Adds what is in m->voice to a bus, with factors that move over the block.
static void add_to_bus(ct_mixer *m, uint32_t bus, const ct_mixer_tone *t, const ct_mixer_part *part,
                       const float from[CT_MIXER_CHANNELS], const float to[CT_MIXER_CHANNELS]) {
    ct_mixer_bus *const b = &m->buses.buses[bus];
    const bool is_mono = t->media->num_channels == 1;
    for (uint32_t c = 0; c < CT_MIXER_CHANNELS; ++c)
        ct_mixer_add(b->mixed[c] + part->first, m->voice[is_mono ? 0 : c], part->first, part->count,
                     from[c], (to[c] - from[c]) * BLOCK_STEP);
    b->has_mixed = true;
}

// Multiplies what is in m->voice by fade and gate.
static void apply_envelope(ct_mixer *m, const ct_mixer_tone *t, const ct_mixer_part *part) {
    const float step = (part->gate_to - part->gate_from) * BLOCK_STEP;
    const float first = (float)(part->first + 1);
    for (uint32_t c = 0; c < t->media->num_channels; ++c)
        for (uint32_t i = 0; i < part->count; ++i)
            m->voice[c][i] *= m->envelope[i] * (part->gate_from + step * (first + (float)i));
}

// Returns what of the voice goes to its bus, to the left and right.
static void loudness(const ct_mixer_tone *t, float gains[CT_MIXER_CHANNELS],
                     float sends[CT_MIXER_CHANNELS]) {
    for (uint32_t c = 0; c < CT_MIXER_CHANNELS; ++c) {
        gains[c] = t->params.gains[c] * t->media->gain;
        sends[c] = gains[c] * t->params.send;
    }
}

// Lets a voice that was not heard be at once what its params say.
static void settle(ct_mixer_tone *t, bool keeps_filter) {
    loudness(t, t->gains, t->sends);
    if (!keeps_filter)
        ct_mixer_low_pass_reset(&t->low_pass, t->params.low_pass);
}

// Mixes m->voice to the buses of a voice, and moves its fade.
static void mix_part(ct_mixer *m, ct_mixer_life *v, ct_mixer_tone *t, const ct_mixer_part *part) {
    float *const channels[] = {m->voice[0], m->voice[1]};
    ct_mixer_low_pass_block(&t->low_pass, t->params.low_pass, channels, t->media->num_channels,
                            part->first, part->count);
    const bool is_even = is_flat(&v->fade) && v->fade.to == 1 && part->stop_at >= part->count &&
                         part->gate_from == 1 && part->gate_to == 1;
    run_fade(v, part, is_even ? NULL : m->envelope);
    if (!is_even)
        apply_envelope(m, t, part);
    float gains[CT_MIXER_CHANNELS], sends[CT_MIXER_CHANNELS];
    loudness(t, gains, sends);
    add_to_bus(m, t->bus, t, part, t->gains, gains);
    const bool is_sent = sends[0] != 0 || sends[1] != 0 || t->sends[0] != 0 || t->sends[1] != 0;
    if (is_sent && m->buses.place != CT_SOUND_NO_BUS)
        add_to_bus(m, m->buses.place, t, part, t->sends, sends);
    memcpy(t->gains, gains, sizeof(gains));
    memcpy(t->sends, sends, sizeof(sends));
}

// --- Followers -----------------------------------------------------------------------------------

// Returns a distance in one sound as the distance in another that takes as long.
static uint64_t scaled(uint64_t distance, uint64_t step, uint64_t to_step) {
    if (step == to_step)
        return distance;
    return (uint64_t)((double)distance * (double)to_step / (double)step);
}

// A voice that has waited for another starts.
static void start_follower(ct_mixer *m, uint32_t slot, uint64_t clock, uint64_t overrun,
                           uint64_t step) {
    ct_mixer_life *const v = &m->lives[slot];
    ct_mixer_tone *const t = &m->tones[slot];
    v->state = CT_MIXER_STATE_WAITING;
    v->start = clock + v->delay;
    if (!v->delay)
        v->motion.position += scaled(overrun, step, v->motion.step_target);
    if (!t->joins && is_flat(&v->fade))
        ct_mixer_fade_in(v, 0);
    if (v->stop < v->start) { // it was stopped while it waited
        const uint64_t late = v->start - v->stop;
        begin_stop(v);
        v->fade.done = late < v->fade.frames ? (uint32_t)late : v->fade.frames;
    }
    if (t->stamp != m->block)
        return;
    t->stamp = 0; // its turn in this block came before
    m->work[m->num_work++] = slot;
}

// Lets those that wait for a voice start.
static void start_followers(ct_mixer *m, uint32_t slot, uint64_t clock, uint64_t overrun) {
    ct_mixer_tone *const t = &m->tones[slot];
    for (uint32_t next = t->follower; next;) {
        const uint32_t waiter = next;
        next = m->tones[waiter].next_waiter;
        start_follower(m, waiter, clock, overrun, m->lives[slot].motion.step_target);
    }
    t->follower = 0;
}

// --- Blocks --------------------------------------------------------------------------------------

// Returns what of the block, from frame `first` on, a voice plays, and sets how it ends in it:
// `reaches_end` at the end of its sound, `fades_out` by its fade.
static ct_mixer_part plan(const ct_mixer *m, const ct_mixer_life *v, uint32_t first,
                          bool *reaches_end, bool *fades_out) {
    const uint32_t frames = CT_MIXER_BLOCK - first;
    const uint64_t clock = m->now + first;
    const uint64_t until_stop = v->stop > clock ? v->stop - clock : 0;
    ct_mixer_part part = {.first = first, .count = frames, .stop_at = UINT32_MAX};
    uint64_t until_silence = CT_MIXER_NEVER;
    if (v->is_stopping) {
        until_silence = v->fade.frames - v->fade.done;
    } else if (until_stop < frames) {
        part.stop_at = (uint32_t)until_stop;
        until_silence = until_stop + v->stop_frames;
    }
    const uint32_t until_end = ct_mixer_frames_until(&v->motion, v->end, frames);
    *fades_out = until_silence <= frames && until_silence <= until_end;
    *reaches_end = until_end <= frames && !*fades_out;
    if (*fades_out)
        part.count = (uint32_t)until_silence;
    if (*reaches_end)
        part.count = until_end;
    return part;
}

// Gives the last frames of a voice and the state of its filters to the one that follows without a gap.
static void hand_over(ct_mixer *m, const ct_mixer_life *v, const ct_mixer_tone *t) {
    const uint32_t slot = joining_voice(m, t);
    if (!slot)
        return;
    ct_mixer_tone *const next = &m->tones[slot];
    const int64_t first = (int64_t)(v->motion.position >> 32) - CT_MIXER_MARGIN;
    const int64_t last = (int64_t)(v->end >> 32) - 1;
    for (uint32_t c = 0; c < t->media->num_channels; ++c)
        for (int64_t i = 0; i < CT_MIXER_MARGIN; ++i)
            next->before[c][i] = last - i < first ? 0 : m->source.frames[c][last - i - first];
    next->low_pass = t->low_pass;
    next->joins = true;
}

// Reads and mixes a part, and sets the gate where it is after the block.
static void hear(ct_mixer *m, ct_mixer_life *v, ct_mixer_tone *t, ct_mixer_part *part,
                 bool is_fresh, bool reaches_end) {
    const bool wants = v->is_real && !v->is_paused;
    if (!wants && t->gate == 0) {
        run_fade(v, part, NULL);
        return;
    }
    const bool has_source = t->media->samples || t->stream != CT_MIXER_NO_STREAM;
    const ct_mixer_supply supply =
        has_source ? read_part(m, v, t, part->count) : CT_MIXER_SUPPLY_NONE;
    if (wants && supply != CT_MIXER_SUPPLY_FULL && has_source && t->was_heard)
        atomic_fetch_add_explicit(&m->num_starved, 1, memory_order_relaxed);
    if (t->gate == 0)
        settle(t, is_fresh && t->joins);
    part->gate_to = wants && supply == CT_MIXER_SUPPLY_FULL ? 1 : 0;
    part->gate_from = is_fresh ? part->gate_to : t->gate;
    t->gate = part->gate_to;
    t->was_heard = t->was_heard || (part->gate_to == 1 && ct_sound_is_streamed(t->media));
    if (supply == CT_MIXER_SUPPLY_NONE || (part->gate_from == 0 && part->gate_to == 0)) {
        run_fade(v, part, NULL);
        return;
    }
    mix_part(m, v, t, part);
    if (reaches_end && part->gate_to == 1 && part->count)
        hand_over(m, v, t);
}

// Whether a voice goes on for a block after the end of its sound: its filter still rings.
static bool rings(const ct_mixer *m, const ct_mixer_life *v, const ct_mixer_tone *t,
                  const ct_mixer_part *part) {
    return !t->low_pass.is_open && t->gate > 0 && !joining_voice(m, t) && !v->is_stopping &&
           part->stop_at == UINT32_MAX;
}

// Whether a voice that should be heard never will be again.
static bool is_broken(const ct_mixer *m, const ct_mixer_life *v, const ct_mixer_tone *t) {
    return v->is_real && !v->is_paused && t->gate == 0 && t->stream != CT_MIXER_NO_STREAM &&
           ct_sound_stream_is_broken(m->streams, t->stream);
}

static void play(ct_mixer *m, uint32_t slot, uint32_t first, bool is_fresh) {
    ct_mixer_life *const v = &m->lives[slot];
    ct_mixer_tone *const t = &m->tones[slot];
    bool reaches_end, fades_out;
    ct_mixer_part part = plan(m, v, first, &reaches_end, &fades_out);
    if (reaches_end && rings(m, v, t, &part)) {
        start_followers(m, slot, m->now + first + part.count,
                        ct_mixer_position_after(&v->motion, part.count) - v->end);
        v->end = CT_MIXER_NEVER; // only silence comes
        v->stop = m->now + first + part.count;
        v->stop_frames = CT_MIXER_BLOCK;
        part = plan(m, v, first, &reaches_end, &fades_out);
    }
    hear(m, v, t, &part, is_fresh, reaches_end);
    v->motion.position = ct_mixer_position_after(&v->motion, part.count);
    v->motion.step = v->motion.step_target;
    t->unwound += ct_mixer_unwind(&v->motion, &t->region);
    v->was_paused = v->is_paused;
    ct_mixer_publish(m, slot);
    if (!v->is_real && t->stream != CT_MIXER_NO_STREAM && t->gate == 0)
        ct_mixer_release_stream(m, slot);
    if (reaches_end || fades_out || is_broken(m, v, t))
        ct_mixer_voice_end(m, slot, m->now + first + part.count,
                           reaches_end ? v->motion.position - v->end : 0);
}

// Lets a voice that has not started rest for a block of a pause: its start moves on with the clock, unless
// it is due. The first block counts for it as for voices that play: its time goes on.
static void rest(const ct_mixer *m, ct_mixer_life *v) {
    if (v->is_paused && v->was_paused && v->start >= m->now)
        v->start += CT_MIXER_BLOCK;
    v->was_paused = v->is_paused;
}

void ct_mixer_voice_block(ct_mixer *m, uint32_t slot) {
    ct_mixer_life *const v = &m->lives[slot];
    ct_mixer_tone *const t = &m->tones[slot];
    if (v->state == CT_MIXER_STATE_FREE || t->stamp == m->block)
        return;
    t->stamp = m->block;
    const uint64_t end = m->now + CT_MIXER_BLOCK;
    const bool is_waiting = v->state != CT_MIXER_STATE_PLAYING;
    const bool is_frozen = v->is_paused && (is_waiting || v->was_paused);
    const uint64_t start = v->start > m->now ? v->start : m->now;
    const bool is_before_start = v->state == CT_MIXER_STATE_WAITING && v->stop <= start;
    const bool is_silent = v->state == CT_MIXER_STATE_AFTER && v->stop < end &&
                           v->stop + v->stop_frames < end; // by the time it could start
    // What is left of its fade is not heard.
    const bool is_over = v->is_stopping && (is_frozen || (is_waiting && is_flat(&v->fade)));
    if (is_silent || is_over || (v->stop < end && (is_frozen || is_before_start))) {
        ct_mixer_voice_end(m, slot, v->stop > m->now && !is_over ? v->stop : m->now, 0);
        return;
    }
    if (is_frozen || v->state == CT_MIXER_STATE_AFTER || (is_waiting && v->start >= end)) {
        if (is_waiting)
            rest(m, v);
        return;
    }
    v->state = CT_MIXER_STATE_PLAYING;
    const uint32_t first = is_waiting && v->start > m->now ? (uint32_t)(v->start - m->now) : 0;
    play(m, slot, first, is_waiting);
}

void ct_mixer_voice_cut(ct_mixer *m, uint32_t slot) {
    ct_mixer_tone *const t = &m->tones[slot];
    if (t->gate == 0)
        return;
    ct_mixer_life copy = m->lives[slot];
    ct_mixer_tone tone = *t;
    bool reaches_end, fades_out;
    ct_mixer_part part = plan(m, &copy, 0, &reaches_end, &fades_out);
    part.gate_from = tone.gate;
    if (read_part(m, &copy, &tone, part.count) != CT_MIXER_SUPPLY_NONE)
        mix_part(m, &copy, &tone, &part);
    t->gate = 0;
    t->joins = false;
    t->was_heard = false;
}

// --- Ends ----------------------------------------------------------------------------------------

static void report(ct_mixer *m, const ct_mixer_report *r) {
    const bool fits = ct_mixer_queue_push(&m->reports, r);
    CT_ASSERT(fits, "reports of the mixer"); // one for each voice, and one for each stream
    (void)fits;
}

void ct_mixer_release_stream(ct_mixer *m, uint32_t slot) {
    ct_mixer_tone *const t = &m->tones[slot];
    report(m, &(ct_mixer_report){CT_MIXER_REPORT_RELEASED, t->id, t->stream});
    t->stream = CT_MIXER_NO_STREAM;
}

// Takes a voice out of the list of those that wait for the same.
static void stop_waiting(ct_mixer *m, uint32_t slot) {
    uint32_t *place = &m->tones[m->tones[slot].follows].follower;
    while (*place != slot)
        place = &m->tones[*place].next_waiter;
    *place = m->tones[slot].next_waiter;
}

void ct_mixer_voice_end(ct_mixer *m, uint32_t slot, uint64_t clock, uint64_t overrun) {
    ct_mixer_life *const v = &m->lives[slot];
    ct_mixer_tone *const t = &m->tones[slot];
    if (v->state == CT_MIXER_STATE_AFTER)
        stop_waiting(m, slot);
    start_followers(m, slot, clock, overrun);
    report(m, &(ct_mixer_report){CT_MIXER_REPORT_ENDED, t->id, t->stream});
    v->state = CT_MIXER_STATE_FREE;
    m->live_bits[slot / 64] &= ~((uint64_t)1 << slot % 64);
}
